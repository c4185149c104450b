//! Bad input of every kind: a clear page with file, line and hint, exit status 2, nothing lost.

use crate::support::{Copy, Ran};

const UNIT: &str = "units/smalltricks/spears.rhai";
const GAME: &str = "scripts/smalltricks/game.rhai";

/// A scenario in which the red spears stab; it plays the melee phase.
const STAB: &str = "game = \"smalltricks\"\nunits.red = [\"spears c3\"]\nunits.blue = [\"archers c4\"]\n\
                    answers = [\"spear: blue.archers1\"]\nopen = \"first\"\nuntil = \"end of melee\"\n";

fn bad(ran: Ran) -> String {
    assert_eq!(ran.status, 2, "{}", ran.page());
    assert!(!ran.err.contains("panicked"), "{}", ran.page());
    // The record up to the failure is another test's matter.
    let out = if ran.out.starts_with("rulebench transcript") {
        String::new()
    } else {
        ran.out
    };
    format!("{out}{}", ran.err)
}

fn broken_script(file: &str, old: &str, new: &str) -> String {
    let copy = Copy::of_rules();
    copy.write("scenarios/smalltricks/stab.toml", STAB);
    copy.replace(file, old, new);
    bad(copy.run(&["run", "stab"]))
}

fn bad_scenario(text: &str) -> String {
    let copy = Copy::of_rules();
    copy.write("scenarios/smalltricks/it.toml", text);
    bad(copy.run(&["run", "it"]))
}

#[test]
fn the_scenario_is_well_without_a_fault() {
    let copy = Copy::of_rules();
    copy.write("scenarios/smalltricks/stab.toml", STAB);
    let ran = copy.run(&["run", "stab"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(
        ran.out
            .contains("blue.archers1  life 5->4  (by spear, red.spears1)"),
        "{}",
        ran.page()
    );
}

#[test]
fn a_script_that_does_not_parse() {
    insta::assert_snapshot!(broken_script(UNIT, "if foe != nobody {", "if foe != nobody"));
}

#[test]
fn a_call_of_an_unknown_function() {
    insta::assert_snapshot!(broken_script(UNIT, "aim(\"spear\"", "aime(\"spear\""));
}

#[test]
fn a_call_with_too_few_arguments() {
    insta::assert_snapshot!(broken_script(
        UNIT,
        "aim(\"spear\", me, me.range)",
        "aim(\"spear\", me)"
    ));
}

#[test]
fn a_property_that_nothing_has() {
    insta::assert_snapshot!(broken_script(UNIT, "me.range", "me.rnage"));
}

#[test]
fn a_dial_that_is_not_there() {
    insta::assert_snapshot!(broken_script(GAME, ">= max_rounds", ">= max_round"));
}

#[test]
fn a_function_that_nobody_calls() {
    insta::assert_snapshot!(broken_script(UNIT, "fn melee(me)", "fn meele(me)"));
}

#[test]
fn a_loop_without_end() {
    insta::assert_snapshot!(broken_script(UNIT, "let foe = aim", "loop { } let foe = aim"));
}

#[test]
fn a_recursion_without_end() {
    insta::assert_snapshot!(broken_script(UNIT, "let foe = aim", "melee(me); let foe = aim"));
}

#[test]
fn a_giant_list() {
    insta::assert_snapshot!(broken_script(
        UNIT,
        "let foe = aim",
        "let list = [1]; loop { list += list; } let foe = aim"
    ));
}

#[test]
fn a_rule_that_fails_leaves_the_position_as_it_was() {
    let copy = Copy::of_rules();
    copy.write("scenarios/smalltricks/stab.toml", STAB);
    copy.replace(
        UNIT,
        "hit(foe, me.spear, \"spear\");",
        "hit(foe, me.spear, \"spear\"); throw \"out of order\";",
    );
    let ran = copy.run(&["run", "stab"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    assert!(
        ran.out.contains("end: the rules failed: out of order"),
        "{}",
        ran.page()
    );
    assert!(
        !ran.out.contains("life 5->4") && !ran.out.contains("chose spear"),
        "{}",
        ran.page()
    );
}

#[test]
fn a_scenario_that_cannot_be_played_has_a_problem_at_the_fault() {
    let copy = Copy::of_rules();
    let spears_and_archers = "units.red = [\"spears c3\"]\nunits.blue = [\"archers c6\"]\nopen = \"first\"\n\
                              until = \"resolution\"\n";
    for (text, expected) in [
        ("units.red = [\"spears c9\"]", &[("off-board", "c9")][..]),
        (
            "units.red = [\"spears c3\", \"spears c3\", \"archers c3\"]",
            &[("over-stack", "c3\"]")],
        ),
        (
            "units.red = [\"militia c3\", \"militia c3\"]",
            &[("refused-position", "c3\"]")],
        ),
        (
            "answers = [\"place: c5\"]\nopen = \"first\"",
            &[("stopped-play", "\"place: c5\"")],
        ),
        ("units.red = [\"spear c3\"]", &[("unknown-name", "spear c3")]),
        (
            "units.rde = [\"spears c3\"]\nunits.blue = [\"spears c4 lief=3\"]",
            &[("unknown-name", "rde"), ("unknown-name", "lief=3")],
        ),
        ("dials.max_roundz = 3", &[("unknown-name", "max_roundz")]),
        ("dials.max_rounds = 300", &[("wrong-dial-value", "max_rounds")]),
        ("answer = [\"stay\"]", &[("unknown-key", "answer")]),
        (
            &format!("answers = [\"stay\", \"volley: red.spears1\"]\n{spears_and_archers}"),
            &[("unused-answer", "\"volley: red.spears1\"")],
        ),
        (
            &format!("rolls = {{ \"first faction\" = [3] }}\n{spears_and_archers}"),
            &[("unused-roll", "3] }")],
        ),
    ] {
        let text = format!("game = \"smalltricks\"\n{text}\n");
        copy.has_problems("scenarios/smalltricks/it.toml", &text, expected);
    }
}

#[test]
fn an_unknown_game_agent_phase_and_variant() {
    insta::assert_snapshot!(bad_scenario("game = \"smalltrick\"\n"));
    insta::assert_snapshot!(bad_scenario("game = \"smalltricks\"\nopen = \"randon\"\n"));
    insta::assert_snapshot!(bad_scenario("game = \"smalltricks\"\nuntil = \"end of mele\"\n"));
    insta::assert_snapshot!(bad_scenario("game = \"smalltricks\"\nvariants = [\"nothing\"]\n"));
}

#[test]
fn an_answer_that_is_not_offered() {
    insta::assert_snapshot!(bad_scenario(
        "game = \"smalltricks\"\nunits.red = [\"spears c3\"]\nunits.blue = [\"archers c6\"]\nanswers = [\"c5\"]\n"
    ));
}

#[test]
fn a_scripted_roll_that_does_not_fit_or_is_missing() {
    insta::assert_snapshot!(bad_scenario(
        "game = \"smalltricks\"\ndials.armies = \"rolled_per_match\"\nopen = \"first\"\nrolls = { army = [[1, 2, 7, 4, 5, 6]] }\n"
    ));
    insta::assert_snapshot!(bad_scenario(
        "game = \"smalltricks\"\ndials.armies = \"rolled_per_match\"\nopen = \"first\"\nrolls = { army = [[1, 2, 3, 4, 5, 6]] }\n"
    ));
}

#[test]
fn an_answer_is_told_what_is_like_it_and_not_of_another_that_was_right() {
    let page = |answer: &str| {
        bad_scenario(&format!(
            "game = \"smalltricks\"\nunits.red = [\"spears c3\"]\nunits.blue = [\"archers f6\"]\n\
             answers = [\"red.spears1 {answer}\"]\n"
        ))
    };
    let misspelt = page("sty");
    assert!(misspelt.contains("did you mean `stay`?"), "{misspelt}");
    let far = page("a9");
    assert!(
        far.contains("is not offered") && !far.contains("name the question"),
        "{far}"
    );
    // It would have been an answer to this question.
    let twice = bad_scenario(
        "game = \"smalltricks\"\nunits.red = [\"spears c3\"]\nunits.blue = [\"archers f6\"]\n\
         answers = [\"red.spears1 stay red.spears1\"]\n",
    );
    assert!(!twice.contains("name the question"), "{twice}");
}

#[test]
fn an_empty_file_a_folder_and_no_file() {
    let copy = Copy::of_rules();
    copy.write("scenarios/smalltricks/empty.toml", "")
        .write("folder/x.txt", "")
        .write("binary.toml", [0xff, 0xfe, 0x00]);
    insta::assert_snapshot!(bad(copy.run(&["run", "empty"])));
    insta::assert_snapshot!(bad(copy.run(&["run", "folder"])));
    insta::assert_snapshot!(bad(copy.run(&["run", "empti"])));
    insta::assert_snapshot!(bad(copy.run(&["run", "binary.toml"])));
    copy.write(UNIT, "");
    insta::assert_snapshot!(bad(copy.run(&["check"])));
}

#[test]
fn a_transcript_that_is_cut_off_or_has_a_strange_line() {
    let copy = Copy::of_rules();
    copy.write("scenarios/smalltricks/stab.toml", STAB);
    let text = copy.run(&["run", "stab"]).out;
    let lines: Vec<&str> = text.lines().collect();
    copy.write("cut.transcript", lines[..lines.len() - 3].join("\n"));
    insta::assert_snapshot!(bad(copy.run(&["run", "cut.transcript"])));
    copy.write(
        "odd.transcript",
        text.replace("red chose spear: blue.archers1", "red chose spear: blue.archers7"),
    );
    insta::assert_snapshot!(bad(copy.run(&["run", "odd.transcript"])));
}

#[test]
fn a_command_that_is_not_there() {
    let copy = Copy::of_rules();
    let ran = copy.run(&["cover", "smalltricks"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    assert!(ran.err.contains("coverage"), "{}", ran.page());
}

#[test]
fn what_would_be_read_otherwise_than_it_is_written_is_refused() {
    let copy = Copy::of_rules();
    let whole = std::fs::read_to_string(copy.path(UNIT)).expect("it is there");
    let told = |text: String| {
        copy.write(UNIT, text);
        let ran = copy.run(&["check"]);
        assert_eq!(ran.status, 2, "{}", ran.page());
        ran.flat()
    };
    let rest = told(format!(
        "{whole}\n/* what comes now\nfn other(me) {{ nonsense; }}\n"
    ));
    assert!(rest.contains("this comment is never closed"), "{rest}");
    for number in [
        "99999999999999999999",
        "0xffffffffffffffff",
        "9_223_372_036_854_775_808",
    ] {
        let stat = told(whole.replacen("spear: 1,", &format!("spear: {number},"), 1));
        assert!(
            stat.contains(&format!("the number `{number}` is too large")),
            "{stat}"
        );
        let rule = format!("fn melee(me) {{ if me.spear > {number} {{ return; }}");
        let rule = told(whole.replacen("fn melee(me) {", &rule, 1));
        assert!(
            rule.contains(&format!("the number `{number}` is too large")),
            "{rule}"
        );
        assert!(!rule.contains("whole numbers"), "{rule}");
    }
    let lines = "= 9223372036854775807\n= 9223372036854775808\n= 1 /* open\n";
    let ran = crate::support::run_in_with(&copy.path("."), &["repl"], lines);
    assert!(
        ran.out.contains("> = 9223372036854775807\n9223372036854775807\n"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("the number `9223372036854775808` is too large"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("this comment is never closed"), "{}", ran.out);
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_workspace_is_not_read() {
    let copy = Copy::of_rules();
    let elsewhere = Copy::of_nothing();
    elsewhere.write("secret.txt", "the secret of somebody else\n");
    std::fs::remove_file(copy.path(UNIT)).expect("it is there");
    std::os::unix::fs::symlink(elsewhere.path("secret.txt"), copy.path(UNIT)).expect("linked");
    copy.write("scenarios/smalltricks/stab.toml", STAB);
    for args in [&["check"][..], &["run", "stab"]] {
        let ran = copy.run(args);
        assert_eq!(ran.status, 2, "{}", ran.page());
        assert!(!ran.page().contains("secret of"), "{}", ran.page());
        let told = format!("`{UNIT}` leads out of the workspace");
        assert!(ran.flat().contains(&told), "{}", ran.page());
    }
    // A link within it is one file under two names.
    copy.write(
        "units/spears.txt",
        "fn stats() { #{ face: 5, symbol: \"Sp\" } }\n",
    );
    std::fs::remove_file(copy.path(UNIT)).expect("it is there");
    std::os::unix::fs::symlink("../spears.txt", copy.path(UNIT)).expect("linked");
    let ran = copy.run(&["check"]);
    assert!(!ran.flat().contains("leads out"), "{}", ran.page());
}

#[test]
fn a_check_tells_every_fault_of_expectations_rolls_and_clauses() {
    let copy = Copy::of_nothing();
    crate::support::copy(&crate::support::root().join("starter"), &copy.path("."));
    copy.replace(
        "scripts/ford/game.rhai",
        "/// Stats of every unit type",
        "fn luck(me, luck_dice) { roll(me, \"luck\", 2, 6).total + roll(me, \"fate\", luck_dice, 6).total }\n\n\
         /// Stats of every unit type",
    );
    copy.replace(
        "scripts/ford/game.rhai",
        "march(me);",
        "if move_dice > 9 { luck(me, 1); } march(me);",
    );
    copy.replace(
        "scripts/ford/game.rhai",
        "points_to_win: number(3, 1, 9)",
        "luck_dice: number(2, 1, 9), move_dice: number(1, 1, 9), points_to_win: number(3, 1, 9)",
    );
    copy.write(
        "scenarios/ford/it.toml",
        r#"
game = "ford"
proves = ["FD-1", "FD-99"]
units.red = ["slingers a2"]
units.blue = ["shieldmen c4"]
rolls.luck = [[3, 7], [1, 2], [0, 1], 4]
rolls.luk = [[1, 1]]
rolls.fate = [[1, 2, 3], [9]]
expect = ["pionts == 3 && foo == 2", "1 + "]
"#,
    );
    let ran = copy.run(&["check"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    insta::assert_snapshot!(ran.page());

    // Without a rulebook there are no clauses.
    std::fs::remove_file(copy.path("scripts/ford/rulebook.toml")).expect("it is there");
    for args in [&["check"][..], &["test", "it"]] {
        let told = copy.run(args).flat();
        let missing = "ford has no rulebook --> scenarios/ford/it.toml:3:11";
        assert!(told.contains(missing), "{told}");
    }
}

#[test]
fn a_variant_that_requires_one_that_is_not_there_is_told_once() {
    let copy = Copy::of_nothing();
    crate::support::copy(&crate::support::root().join("starter"), &copy.path("."));
    copy.write(
        "scripts/ford/variants/long-slings.rhai",
        "// TODO: should slings reach further?\nfn variant() { #{ requires: [\"nope\"] } }\nfn reach(me) { 2 }\n",
    );
    let ran = copy.run(&["check"]);
    assert_eq!(
        ran.page().matches("there is no variant `nope`").count(),
        1,
        "{}",
        ran.page()
    );
    assert!(
        ran.flat().contains("variants/long-slings.rhai:2:31"),
        "{}",
        ran.page()
    );
}

/// A workspace of two bands on a small board of squares.
fn bands() -> Copy {
    let copy = Copy::of_nothing();
    copy.write(
        "scripts/bands/game.rhai",
        r##"fn board() { #{ factions: ["red", "blue"], squares: [5, 4], engaged: "adjacent" } }
fn stats() { #{ life: 3, move: 2 } }
fn slots() { #{ unit: #{ life: #{ start: 0, at_zero: "dies" } } } }
fn phases() { [#{ phase: "game", contest: "game", phases: [#{ phase: "round", repeat: true, phases: [
    #{ phase: "acts", turn: "each", step: "act" }, #{ phase: "dusk", each: "game", step: "dusk" }] }] }] }
fn dies(me) { remove(me, "dies"); }
fn act(me) { march(me); }
fn dusk() { if count("round") >= 3 { draw("dark"); } }
"##,
    )
    .write("units/bands/men.rhai", "fn stats() { #{ symbol: \"M\" } }\n")
    .write(
        "scenarios/bands/s.toml",
        "game = \"bands\"\nunits.red = [\"men a1\"]\nunits.blue = [\"men b1\", \"men e4 life=-2\"]\n",
    );
    copy
}

fn told(copy: &Copy, args: &[&str], why: &[&str]) {
    let ran = copy.run(args);
    let flat = format!("{} {}", ran.out, ran.flat());
    let flat = flat.split_whitespace().collect::<Vec<_>>().join(" ");
    for why in why {
        assert!(flat.contains(why), "{why}: {}", ran.page());
    }
}

#[test]
fn files_that_nobody_reads_and_rulebooks_that_say_what_cannot_be_are_told() {
    let copy = bands();
    told(&copy, &["check"], &["all well"]);
    copy.write("scripts/bands/variant/fast.rhai", "fn x() {")
        .write("units/gangs/elves.rhai", "")
        .write("scripts/bands/tweak.toml", "x = 1")
        .write("studies/bands/a.toml", "wrong = 1")
        .write(
            "scripts/bands/rulebook.toml",
            "[rulebook]\ngame = \"other\"\ntitle = \"T\"\nsource = \"s\"\nprefix = \"A\"\n\
             [[clause]]\nid = \"A-1\"\nkind = \"rule\"\nsays = \"x\"\n\
             [[clause]]\nid = \"A-1\"\nkind = \"rule\"\nsays = \"x\"\n\
             [[clause]]\nid = \"B1\"\nkind = \"rule\"\nsays = \"x\"\n",
        );
    told(
        &copy,
        &["check"],
        &[
            "nothing reads scripts/bands/variant/fast.rhai",
            "nothing reads units/gangs/elves.rhai",
            "nothing reads scripts/bands/tweak.toml",
            "unknown key `wrong`",
            "this is a rulebook of `other`",
            "two clauses have the id `A-1`",
            "the clause `B1` does not begin with the prefix of the rulebook",
        ],
    );
    copy.replace("scripts/bands/rulebook.toml", "kind = \"rule\"", "kind = \"rul\"");
    told(&copy, &["check"], &["there is no kind `rul`"]);
}

#[test]
fn every_fault_of_tweaks_and_rulebooks_is_told_at_once_and_at_its_line() {
    let copy = bands();
    copy.replace(
        "scripts/bands/game.rhai",
        "fn dusk()",
        "fn dials() { #{ rounds: number(3, 1, 9) } }\nfn dusk()",
    )
    .write(
        "scripts/bands/tweaks.toml",
        "[a]\ndial = \"rounds=77\"\n[b]\ndial = \"x=1\"\n[c]\nstate = \"adoptd\"\ndial = \"rounds=5\"\n[d]\ndial = \"y\"\n",
    )
    .write(
        "scripts/bands/variants/w.rhai",
        "fn variant() { #{ requires: [\"zz\"], afters: [] } }\nfn dusk() { base(); }\n",
    )
    .write(
        "scripts/bands/rulebook.toml",
        "[rulebook]\ngame = \"bands\"\ntitle = \"T\"\nsource = \"s\"\nprefix = \"A\"\n\
         [[clause]]\nid = \"A-1\"\nkind = \"rul\"\nsays = \"x\"\n\
         [[clause]]\nid = \"B-2\"\nkind = \"rule\"\nsays = \"x\"\n\
         [[clause]]\nid = \"A-3\"\nkind = \"rule\"\n",
    );
    told(
        &copy,
        &["check"],
        &[
            "`rounds` cannot be `77` --> scripts/bands/tweaks.toml:2:8",
            "there is no dial `x` --> scripts/bands/tweaks.toml:4:8",
            "there is no state `adoptd` --> scripts/bands/tweaks.toml:6:9",
            "the dial of `d` has no value --> scripts/bands/tweaks.toml:9:8",
            "there is no variant `zz` --> scripts/bands/variants/w.rhai:1:31",
            "variant() has no `afters` --> scripts/bands/variants/w.rhai:1:",
            "there is no kind `rul`",
            "the clause `B-2` does not begin with the prefix of the rulebook --> scripts/bands/rulebook.toml:11:",
            "missing field `says` --> scripts/bands/rulebook.toml:14:1",
            "checked 1 game, 4 variants and 1 scenario",
        ],
    );
}

#[test]
fn answers_and_moments_that_cannot_be_are_told() {
    let copy = bands();
    let scenario = |more: &str| {
        let text = "game = \"bands\"\nunits.red = [\"men a1\"]\nunits.blue = [\"men b1\"]\n";
        copy.write("scenarios/bands/it.toml", format!("{text}{more}"));
    };
    for unknown in ["b9", "stya"] {
        scenario(&format!("answers = [\"move: !{unknown}\", \"stay\"]\n"));
        let why = format!("`{unknown}` is nothing that could be offered");
        told(&copy, &["run", "it"], &[&why]);
    }
    scenario("answers = [\"move: !e4\", \"move: !red.men1\", \"move: !7\", \"stay\"]\nexpect = [\"true\"]\n");
    told(&copy, &["test", "it"], &["1 passed, 0 failed"]);
    copy.has_problems(
        "scenarios/bands/it.toml",
        "game = \"bands\"\nunits.red = [\"men a1\"]\nunits.blue = [\"men b1\"]\n\
         answers = [\"stay\"]\nuntil = \"end of round 2\"\nexpect = [\"true\"]\n",
        &[("question-before-until", "\"end of round 2\"")],
    );
}

#[test]
fn rules_that_fail_where_somebody_looks_ahead_are_told() {
    let copy = bands();
    copy.replace(
        "scripts/bands/game.rhai",
        "fn act(me) {",
        "fn act(me) { if me.owner == second() { neighbour(me.place, nothing); }",
    );
    let typed = |line: &str, why: &str| {
        let ran = crate::support::run_in_with(&copy.path(""), &["repl", "s"], &format!("{line}\n"));
        let flat = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(why), "{}", ran.out);
    };
    let why = "the rules fail error: `neighbour` takes";
    typed(
        ":reach blue.men1",
        &format!("blue.men1 can go nowhere if its turn came now: {why}"),
    );
    typed(":threat blue", &format!("blue can hit nobody now: {why}"));
}

#[test]
fn what_rises_below_zero_does_not_come_to_it() {
    let copy = bands();
    copy.replace(
        "scripts/bands/game.rhai",
        "fn dusk() {",
        "fn dusk() { add(unit(\"blue.men2\"), \"life\", if count(\"round\") == 1 { 1 } else { -1 }, \"dusk\");",
    );
    for (rounds, alive) in [(1, "true"), (2, "false")] {
        copy.write(
            "scenarios/bands/it.toml",
            format!(
                "game = \"bands\"\nunits.red = [\"men a1\"]\nunits.blue = [\"men b1\", \"men e4 life=-2\"]\n\
                 open = \"first\"\nuntil = \"end of round {rounds}\"\n\
                 expect = ['unit(\"blue.men2\").alive == {alive}']\n"
            ),
        );
        told(&copy, &["test", "it"], &["1 passed, 0 failed"]);
    }
    copy.replace(
        "scripts/bands/game.rhai",
        "fn act(me) {",
        "fn act(me) { choose(me, \"charge\", [true, false]);",
    );
    told(
        &copy,
        &["run", "s"],
        &["`choose` offers units, places,", "not true or false"],
    );
}

#[test]
fn on_a_board_distances_are_steps_to_places_too() {
    let copy = bands();
    let typed = |line: &str, says: &str| {
        let ran = crate::support::run_in_with(&copy.path(""), &["repl", "s"], &format!("{line}\n"));
        assert!(ran.out.contains(says), "{}", ran.out);
    };
    typed("=distance(unit(\"red.men1\"), place(\"d1\")) == 3", "true");
    typed(
        "=distance(spot(1, 1), spot(2, 2))",
        "a board has places and no spots",
    );
}

#[test]
fn a_denied_key_of_several_words_is_one() {
    let copy = bands();
    copy.replace(
        "scripts/bands/game.rhai",
        "fn act(me) {",
        "fn act(me) { choose(me, \"to\", [[me, place(\"b2\")], [me, place(\"b4\")]]);",
    );
    let text = "game = \"bands\"\nunits.red = [\"men a1\"]\nunits.blue = [\"men b1\"]\n";
    copy.write(
        "scenarios/bands/it.toml",
        format!("{text}answers = [\"to: !red.men1 b3\", \"to: red.men1 b4\"]\nexpect = [\"true\"]\n"),
    );
    told(&copy, &["test", "it"], &["1 passed, 0 failed"]);
    copy.write(
        "scenarios/bands/it.toml",
        format!("{text}answers = [\"to: !red.men1 b2\"]\n"),
    );
    told(&copy, &["run", "it"], &["`red.men1 b2` is offered"]);
    // Of a single option, too, and of words that rules make as they go.
    copy.replace(
        "scripts/bands/game.rhai",
        "[[me, place(\"b2\")], [me, place(\"b4\")]]",
        "[[me, place(\"b4\")]]",
    );
    let answers = "answers = [\"to: !red.men1 b3\", \"to: red.men1 b4\", \"move: !march-7\", \"stay\"]\nexpect = [\"true\"]\n";
    copy.replace("scripts/bands/game.rhai", "march(me);", "march(me); \"march-\";");
    copy.write("scenarios/bands/it.toml", format!("{text}{answers}"));
    told(&copy, &["test", "it"], &["1 passed, 0 failed"]);
}

#[test]
fn keys_that_say_nothing_of_a_phase_are_told() {
    for (was, is, why) in [
        (
            "each: \"game\", step: \"dusk\"",
            "each: \"game\", quota: 2, step: \"dusk\"",
            "`quota` only applies to a phase with `turn`",
        ),
        (
            "repeat: true, phases",
            "repeat: true, step: \"act\", phases",
            "`step` only applies to a phase with `turn` or `each`",
        ),
        (
            "turn: \"each\", step",
            "turn: \"each\", interrupts: #{}, step",
            "`interrupts` has no function",
        ),
        (
            "turn: \"each\", step",
            "turn: \"each\", next: \"drawn unit\", points: \"life\", cost: \"move\", step",
            "`cost` only applies to a turn without cards",
        ),
    ] {
        let copy = bands();
        copy.replace("scripts/bands/game.rhai", was, is);
        told(&copy, &["check"], &[why]);
    }
}

#[test]
fn of_equal_units_each_side_has_one_in_turn_and_may_pass() {
    let copy = bands();
    copy.replace(
        "scripts/bands/game.rhai",
        "turn: \"each\", step",
        "turn: \"each\", initiative: \"move\", pass: \"turn\", step",
    );
    let text = "game = \"bands\"\nunits.red = [\"men a1\", \"men a2\"]\nunits.blue = [\"men e1\"]\n";
    let asked = |answers: &str, who: &str| {
        copy.write(
            "scenarios/bands/it.toml",
            format!("{text}answers = [{answers}]\nexpect = ['asks() == faction(\"{who}\")']\n"),
        );
        told(&copy, &["test", "it"], &["1 passed, 0 failed"]);
    };
    asked("\"red.men1\", \"stay\"", "blue");
    asked("\"pass\"", "blue");
    // When all have passed one after the other the phase is over, and another round begins.
    asked("\"pass\", \"pass\"", "red");
    let ran = copy.run(&["run", "it"]);
    assert!(ran.out.contains("round 2"), "{}", ran.page());
}

/// A game that is over in its first step.
const TINY: &str = "fn board() { #{ factions: [\"red\", \"blue\"], squares: [2, 1] } }\n\
                    fn phases() { [#{ phase: \"game\", contest: \"game\", phases: [\n\
                    #{ phase: \"round\", repeat: true, each: \"faction\", step: \"act\" }] }] }\n\
                    fn act(side) { win(side, \"first\"); }\n";

fn tiny(more: &str, until: &str) -> Copy {
    let copy = Copy::of_nothing();
    copy.write("scripts/tiny/game.rhai", format!("{TINY}{more}"));
    for name in ["one", "two"] {
        let text =
            format!("game = \"tiny\"\nuntil = \"{until}\"\nexpect = ['winner() == faction(\"red\")']\n");
        copy.write(&format!("scenarios/tiny/{name}.toml"), text);
    }
    copy
}

#[test]
fn a_moment_that_never_comes_is_none_of_which_something_can_be_expected() {
    for (until, status) in [("end of round 1", 0), ("round 2", 2), ("end of round 2", 2)] {
        let ran = tiny("", until).run(&["run", "one"]);
        assert_eq!(ran.status, status, "{until}: {}", ran.page());
        assert_eq!(
            status == 2,
            ran.flat().contains("the game is over before"),
            "{}",
            ran.page()
        );
    }
}

#[test]
fn hooks_that_nobody_hears_are_told_and_once_for_all_scenarios() {
    for (hook, told) in [
        ("fn may_join(me, place) { }", "`may_join` returns nothing"),
        ("fn rolled(who, label, dice) { }", "`rolled` returns nothing"),
        ("fn wort(side) { 1 }", "did you mean `worth`?"),
    ] {
        let copy = tiny(hook, "end of round 1");
        let ran = copy.run(&["check"]);
        assert!(ran.status == 2 && ran.flat().contains(told), "{}", ran.page());
        let ran = copy.run(&["test"]);
        assert_eq!(ran.flat().matches(told).count(), 1, "{}", ran.page());
        assert!(
            ran.flat().contains("the same stops 1 other scenario"),
            "{}",
            ran.page()
        );
    }
    let well = tiny("fn leaves(me, place) { }", "end of round 1").run(&["check"]);
    assert_eq!(well.status, 0, "{}", well.page());
}

#[test]
fn what_is_denied_could_be_offered() {
    let stab = |answer: &str| {
        let copy = Copy::of_rules();
        copy.write(
            "scenarios/smalltricks/it.toml",
            STAB.replace("[\"spear: ", &format!("[{answer}, \"spear: ")),
        );
        copy.run(&["run", "it"])
    };
    let well = stab("\"spear: !red.spears1\"");
    assert_eq!(well.status, 0, "{}", well.page());
    let none = stab("\"spear: !blue.archers7\"");
    let told = none.flat().contains("nothing that could be offered");
    assert!(none.status == 2 && told, "{}", none.page());
}

#[test]
fn a_dial_that_is_swept_is_found_by_its_own_name() {
    let told = bad(Copy::of_rules().run(&["sweep", "smalltricks", "archers.lfe=1..2"]));
    assert!(told.contains("did you mean `archers.life`?"), "{told}");
}

#[test]
fn what_only_follows_from_a_slip_is_not_told_beside_it() {
    const GAME: &str = "scripts/bands/game.rhai";
    const RULES: &str = "dies(me) { remove(me, \"dies\"); }";
    const SCENARIO: &str = "scenarios/bands/s.toml";
    let cases: [(&str, &str, &str, &[&str]); 15] = [
        (
            GAME,
            "fn stats()",
            "fn stat()",
            &["nothing calls `stat`", "did you mean `stats`?"],
        ),
        (
            GAME,
            "fn slots()",
            "fn slot()",
            &["nothing calls `slot`", "did you mean `slots`?"],
        ),
        (
            "units/bands/men.rhai",
            "fn stats()",
            "fn stat()",
            &["did you mean `stats`?"],
        ),
        (
            GAME,
            "fn dies",
            "# It is gone.\nfn dies",
            &["scripts do not have `#`"],
        ),
        (
            GAME,
            "fn dies",
            "-- It is gone.\nfn dies",
            &["scripts do not have `--`", "begin a comment with `//`"],
        ),
        (
            GAME,
            "fn dies",
            "/* It is gone.\nfn dies",
            &["this comment is never closed"],
        ),
        (
            GAME,
            RULES,
            "dies { remove(me); }",
            &["the `(` of `dies` is missing"],
        ),
        (
            GAME,
            "step: \"act\"",
            "step: act",
            &["a name stands in quotes: `\"act\"`"],
        ),
        (
            GAME,
            "count(\"round\")",
            "count(round)",
            &["a name stands in quotes: `\"round\"`"],
        ),
        (
            GAME,
            "march(me);",
            "print \"x\"; march(me);",
            &["write `print(\"hello\")`"],
        ),
        (
            GAME,
            "if count",
            "If count",
            &["scripts do not have `If`", "lower case"],
        ),
        (GAME, ">= 3 {", ">= 3 AND true {", &["scripts do not have `AND`"]),
        (
            SCENARIO,
            "game = \"bands\"",
            "game = \"band\"\nproves = [\"A-1\"]",
            &["there is no game `band`"],
        ),
        (
            SCENARIO,
            "game = \"bands\"",
            "game = \"bands\"\ntitle = So, it is\"",
            &["write \"So, it is\""],
        ),
        (
            SCENARIO,
            "game = \"bands\"",
            "game = \"bands\"\nexpect = [\"unit(\"red.men1\").life == 3\"]",
            &["a text with quotes in it stands between single ones"],
        ),
    ];
    for (file, old, new, why) in cases {
        let copy = bands();
        copy.replace(file, old, new);
        told(&copy, &["check"], why);
        told(&copy, &["check"], &[": 1 problem"]);
    }
    // A helper that an expectation alone calls is no declaration; a slot is asked of whoever has it.
    let copy = bands();
    copy.replace(GAME, "fn stats() { #{ life: 3, move: 2 } }", "fn state() { 2 }")
        .replace("units/bands/men.rhai", "symbol", "life: 3, move: 1, symbol")
        .replace(
            SCENARIO,
            "game = \"bands\"",
            "game = \"bands\"\nexpect = [\"state() == 2\"]",
        );
    told(&copy, &["check"], &["all well"]);
    let copy = bands();
    copy.replace(GAME, "march(me);", "if life > 0 { march(me); }");
    let ran = copy.run(&["check"]);
    assert!(
        ran.status == 2 && !ran.page().contains("in quotes"),
        "{}",
        ran.page()
    );
    let copy = bands();
    copy.replace(
        SCENARIO,
        "game = \"bands\"",
        "game = \"bands\"\nrolls.blow = [\"6\"]",
    );
    told(&copy, &["check"], &["write 6, without quotes"]);
}

#[test]
fn what_keeps_several_scenarios_from_being_played_is_told_at_a_place_of_each() {
    let copy = bands();
    for name in ["s", "t"] {
        copy.write(&format!("scenarios/bands/{name}.toml"), "game = \"band\"\n");
    }
    told(
        &copy,
        &["check"],
        &["--> scenarios/bands/s.toml:1:8", "--> scenarios/bands/t.toml:1:8"],
    );
    told(
        &copy,
        &["test"],
        &["--> scenarios/bands/s.toml:1:8", "--> scenarios/bands/t.toml:1:8"],
    );
}

#[test]
fn a_game_without_its_script_and_files_with_other_endings_are_told() {
    let copy = bands();
    copy.write("units/bands/elves.rhai.txt", "")
        .write("units/bands/ORCS.RHAI", "")
        .write("units/bands/notes.txt", "")
        .write("units/gangs/elves.rhai", "")
        .write("scripts/gangs/rulebook.toml", "");
    let why = [
        "there is no scripts/gangs/game.rhai, so nothing reads scripts/gangs/rulebook.toml, units/gangs/elves.rhai",
        "nothing reads units/bands/elves.rhai.txt",
        "nothing reads units/bands/ORCS.RHAI",
        ": 3 problems",
    ];
    told(&copy, &["check"], &why);
}

#[test]
fn a_clause_that_is_not_there_is_told_where_a_tweak_names_it() {
    let copy = bands();
    copy.write(
        "scripts/bands/rulebook.toml",
        "[rulebook]\ngame = \"bands\"\ntitle = \"T\"\nsource = \"s\"\nprefix = \"A\"\n\
         [[clause]]\nid = \"A-1\"\nkind = \"rule\"\nsays = \"x\"\n",
    )
    .write(
        "scripts/bands/variants/fast.rhai",
        "// A note.\nfn variant() { #{ clause: \"A-2\" } }\nfn stats() { base() + #{ move: 3 } }\n",
    );
    let why = [
        "there is no clause `A-2`",
        "--> scripts/bands/variants/fast.rhai:2:",
    ];
    told(&copy, &["check"], &why);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_is_not_taken_for_empty() {
    use std::os::unix::fs::PermissionsExt as _;
    let copy = bands();
    let folder = copy.path("scenarios/bands");
    let may = |mode: u32| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&folder, permissions).expect("it is ours");
    };
    may(0o000);
    if std::fs::read_dir(&folder).is_ok() {
        eprintln!("skipped: whoever runs this may read everything");
    } else {
        let ran = copy.run(&["test"]);
        assert_eq!(ran.status, 2, "{}", ran.page());
        told(&copy, &["test"], &["the folder `scenarios/bands` cannot be read"]);
    }
    may(0o755);
}

#[test]
fn a_game_that_fails_among_others_is_told_with_its_place() {
    let copy = bands();
    copy.replace(
        "scripts/bands/game.rhai",
        "fn dusk() {",
        "fn dusk() { if roll(game(), \"odds\", 1, 6).total == 1 { [][1]; }",
    );
    let ran = copy.run(&["sim", "s", "--games", "20", "--seed", "1"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    let why = [
        "games failed; the first is game",
        "fails (seed",
        "--> scripts/bands/game.rhai:8:",
    ];
    told(&copy, &["sim", "s", "--games", "20", "--seed", "1"], &why);
    told(
        &copy,
        &["sim", "s", "--games", "20", "--seed", "1", "--json"],
        &["\"line\": 8"],
    );
}

#[test]
fn a_script_of_more_than_a_megabyte_is_refused_by_its_size() {
    let copy = Copy::of_rules();
    copy.write(UNIT, "x".repeat(10 << 20));
    let page = copy.run(&["check"]).page();
    assert!(
        page.contains("`units/smalltricks/spears.rhai` is too large"),
        "{page}"
    );
    assert!(page.contains("expected at most 1 MB"), "{page}");
}

/// The limit of processor time ends a run whose cost grows with the square of the names.
#[cfg(unix)]
#[test]
fn thousands_of_unknown_dials_and_variants_are_told_of_in_seconds() {
    let copy = Copy::of_rules();
    let dials: String = (0..100_000).map(|n| format!("dial{n} = 1\n")).collect();
    copy.write(
        "scenarios/smalltricks/dials.toml",
        format!("game = \"smalltricks\"\n[dials]\n{dials}"),
    );
    let mut names = String::new();
    for n in 0..1_500 {
        copy.write(
            &format!("scripts/smalltricks/variants/own-{n}.rhai"),
            format!("fn own{n}() {{ {n} }}\n"),
        );
        names += &format!("\"own-{n}\", ");
    }
    copy.write(
        "scenarios/smalltricks/variants.toml",
        format!("game = \"smalltricks\"\nvariants = [{names}]\n"),
    );
    for (scenario, told) in [
        ("dials", "there is no dial `dial0`"),
        ("variants", "game.rhai has no function `own0` to redefine"),
    ] {
        let ran = std::process::Command::new("sh")
            .args(["-c", "ulimit -t 20; exec \"$0\" run $1"])
            .args([env!("CARGO_BIN_EXE_rulebench"), scenario])
            .current_dir(copy.path("."))
            .output()
            .unwrap();
        let page = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{scenario}: {page}");
        assert!(page.contains(told), "{page}");
    }
}
