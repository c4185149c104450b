//! A designer's tweaks on file: the list, new ones, decisions, and pairs of them.

use crate::support::{Copy, root, run_in};
use serde_json::Value;

/// One runner whose pace two variants change.
const GAME: &str = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [6, 1], zones: #{ home: #{ red: columns(1, 1), blue: columns(6, 6) } } } }
fn slots() { #{ faction: #{ score: 0 } } }
fn dials() { #{ prize: number(2, 0, 9) } }
fn phases() { [#{ phase: "race", each: "game", step: "run" }] }
fn run() { add(first(), "score", pace(3), "run"); add(first(), "score", prize, "prize"); }
fn pace(n) { n }
"#;
const BOOK: &str = r#"
[rulebook]
game = "race"
title = "Race"
source = "made for a test"
prefix = "RA"
[[clause]]
id = "RA-1"
kind = "rule"
says = "A runner scores its pace."
[[clause]]
id = "RA-2"
kind = "todo"
says = "Should everybody run twice as far?"
[[clause]]
id = "RA-3"
kind = "ruling"
says = "The prize is 2."
else = ["the prize is 4"]
"#;
const TWICE: &str = r#"// TODO: should everybody run twice as far? (RA-2)

fn variant() { #{ clause: "RA-2" } }

fn pace(n) { 2 * base(n) }
"#;
const FURTHER: &str = "// One further.\n\nfn pace(n) { base(n) + 1 }\n";
const TWEAKS: &str = r#"# Decisions.

# Only another number.
[bigger-prize]
dial = "prize=4"
clause = "RA-3"
reading = 1
"#;

fn race() -> Copy {
    let copy = Copy::of_nothing();
    copy.write("scripts/race/game.rhai", GAME)
        .write("scripts/race/rulebook.toml", BOOK)
        .write("scripts/race/variants/twice.rhai", TWICE)
        .write("scripts/race/tweaks.toml", TWEAKS)
        .write(
            "scenarios/race/plain.toml",
            "game = \"race\"\nproves = [\"RA-1\", \"RA-3\"]\nexpect = ['faction(\"red\").score == 5']\n",
        )
        .write(
            "scenarios/race/doubled.toml",
            "game = \"race\"\nvariants = [\"twice\"]\nproves = [\"RA-2\"]\nexpect = ['faction(\"red\").score == 8']\n",
        );
    copy
}

#[test]
fn tweaks_are_listed_with_note_state_patches_and_whom_they_touch() {
    let ran = race().run(&["variants", "race", "--changes"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    insta::assert_snapshot!(ran.out);
}

#[test]
fn the_list_as_json_says_the_same() {
    let ran = race().run(&["variants", "--changes", "--json"]);
    let list: Value = serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.page()));
    let list = &list["variants"];
    assert_eq!(list[0]["variant"], "twice");
    assert_eq!(list[0]["patches"][0], "game.pace");
    assert_eq!(list[0]["changes"].as_array().map(Vec::len), Some(2));
    assert_eq!(list[1]["is_dial"], true);
}

#[test]
fn open_notes_of_the_rulebook_come_first_and_kinds_and_states_can_be_chosen() {
    let copy = race();
    copy.write("scripts/race/variants/further.rhai", FURTHER);
    let listed = |args: &[&str]| -> Vec<(String, String)> {
        let ran = copy.run(&[&["variants", "race", "--json"], args].concat());
        let list: Value = serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.page()));
        let list = list["variants"].as_array().expect("a list").iter();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        list.map(|one| (text(&one["variant"]), text(&one["kind"])))
            .collect()
    };
    let all = [
        ("twice", "todo"),
        ("further", "idea"),
        ("bigger-prize", "reading"),
    ];
    let all = all.map(|(name, kind)| (name.to_owned(), kind.to_owned()));
    assert_eq!(listed(&[]), all);
    assert_eq!(listed(&["--kind", "todo"]), all[..1]);
    assert_eq!(listed(&["--kind", "reading"]), all[2..]);
    assert_eq!(
        copy.run(&["variants", "reject", "twice", "--reason", "no"])
            .status,
        0
    );
    assert_eq!(listed(&["--state", "rejected"]), all[..1]);
    assert_eq!(listed(&["--state", "idea"]), all[1..]);
    assert_eq!(listed(&["--kind", "idea", "--state", "rejected"]), []);
    assert_eq!(copy.run(&["variants", "race", "--kind", "rule"]).status, 2);
}

#[test]
fn a_new_tweak_begins_from_the_note_of_its_clause() {
    let copy = race();
    let ran = copy.run(&["variants", "new", "thrice", "--clause", "RA-2"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    let text =
        std::fs::read_to_string(copy.path("scripts/race/variants/thrice.rhai")).expect("it is written");
    assert!(
        text.starts_with("// TODO: Should everybody run twice as far? (RA-2)\n\nfn variant() {"),
        "{text}"
    );
    let reading = copy.run(&["variants", "new", "four", "--clause", "RA-3/1"]);
    assert_eq!(reading.status, 0, "{}", reading.page());
    let text = std::fs::read_to_string(copy.path("scripts/race/variants/four.rhai")).expect("it is written");
    assert!(
        text.contains("the prize is 4") && text.contains("reading: 1"),
        "{text}"
    );
    // What was begun can be loaded at once.
    assert_eq!(copy.run(&["check"]).status, 0);
}

#[test]
fn a_tweak_that_cannot_be_begun_leaves_nothing_behind() {
    let copy = race();
    for (args, why) in [
        (&["twice"][..], "taken-variant-name(twice)"),
        (&["bigger-prize"], "taken-variant-name(bigger-prize)"),
        (&["Twice"], "wrong-variant-name(Twice)"),
        (&["../x"], "wrong-variant-name(../x)"),
        (&["x", "--clause", "RA-9"], "unknown-name(clause, RA-9)"),
        (&["x", "--clause", "RA-3/2"], "unknown-reading(RA-3, 2, 1)"),
    ] {
        assert_eq!(copy.problems(&[&["variants", "new"], args].concat()), [why]);
    }
    let ran = copy.run(&["variants", "new", "x", "--game", "rac"]);
    assert!(ran.err.contains("did you mean `race`?"), "{}", ran.page());
    let left = std::fs::read_dir(copy.path("scripts/race/variants"))
        .expect("a folder")
        .count();
    assert_eq!(left, 1);
}

#[test]
fn an_adopted_tweak_is_a_default_layer_until_it_is_rejected() {
    let copy = race();
    let ran = copy.run(&["variants", "adopt", "twice", "--reason", "it is quicker"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(
        ran.out.contains("scenarios/race/plain.toml") && !ran.out.contains("doubled"),
        "{}",
        ran.out
    );
    let text = std::fs::read_to_string(copy.path("scripts/race/tweaks.toml")).expect("the register");
    assert!(
        text.starts_with(TWEAKS),
        "comments and other entries stay: {text}"
    );
    assert!(
        text.contains("[twice]\nstate = \"adopted\"\nreason = \"it is quicker\"\ndate = 2"),
        "{text}"
    );
    let score = |args: &[&str]| {
        let ran = copy.run(args);
        ran.out
            .lines()
            .find(|l| l.contains("by run"))
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    assert_eq!(score(&["run", "plain"]), "red  score 0->6  (by run)");
    let ran = copy.run(&["variants", "reject", "twice", "--reason", "too quick"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert_eq!(score(&["run", "plain"]), "red  score 0->3  (by run)");
    let list = copy.run(&["variants"]).out;
    assert!(
        list.contains("twice  (rejected, 2") && list.contains("because: too quick"),
        "{list}"
    );
}

#[test]
fn what_is_adopted_can_be_left_out_and_is_not_compared_with_itself() {
    let copy = race();
    copy.write("scripts/race/variants/further.rhai", FURTHER);
    let ran = copy.run(&["variants", "adopt", "twice"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    let out = |args: &[&str]| copy.run(args).out;
    assert!(out(&["run", "plain"]).contains("score 0->6  (by run)"));
    assert!(out(&["run", "plain", "--without", "twice"]).contains("score 0->3  (by run)"));
    let told = out(&["diff", "plain", "--without", "twice"]);
    assert!(
        told.contains("variant  without twice") && told.contains("score 0->3"),
        "{told}"
    );
    let told = out(&[
        "diff",
        "plain",
        "--variant",
        "further",
        "--without",
        "twice",
        "--bisect",
    ]);
    assert!(told.contains("without twice"), "{told}");
    let told = out(&["diff", "plain", "--without", "further"]);
    assert!(told.contains("`further` is not on, so nothing changes"), "{told}");
    // What is left out is part of the record.
    copy.write("told.txt", out(&["run", "plain", "--without", "twice"]));
    let again = copy.run(&["run", "told.txt"]);
    assert!(
        again.status == 0 && again.out.contains("score 0->3"),
        "{}",
        again.page()
    );
    let games = ["--games", "2", "--no-swap", "--all"];
    let told = out(&[&["compare", "race", "--variant", "twice"][..], &games].concat());
    assert!(
        told.contains("the game has adopted `twice`; the base takes it off")
            && told.contains("2 of 2 games go otherwise with it"),
        "{told}"
    );
    let told = out(&[
        &["compare", "race", "--variant", "further", "--without", "twice"][..],
        &games,
    ]
    .concat());
    assert!(
        told.starts_with("as it is and with further, without twice: 2 games")
            && told.contains("2 of 2 games go otherwise with it"),
        "{told}"
    );
    let refused = copy.run(&[
        "run",
        "plain",
        "--variant",
        "twice",
        "--without",
        "twice",
        "--json",
    ]);
    assert_eq!(refused.status, 2);
    assert_eq!(refused.problems(), ["on-and-off(twice)"]);
    let refused = copy.run(&["run", "plain", "--set", "prize=1", "--set", "prize=4", "--json"]);
    assert_eq!(refused.problems(), ["two-values(prize, 1, 4)"]);
}

#[test]
fn tweaks_are_found_by_a_word_and_told_in_full_by_name() {
    let copy = race();
    copy.write("scripts/race/variants/further.rhai", FURTHER);
    assert_eq!(
        copy.problems(&["variants", "race", "PACE"]),
        ["unmentioned(PACE)"]
    );
    let found = |text: &str| {
        let list = copy.run(&["variants", "race", text, "--json"]).out;
        let list: Value = serde_json::from_str(&list).unwrap_or_else(|e| panic!("{e}: {list}"));
        let names = list["variants"]
            .as_array()
            .expect("variants")
            .iter()
            .map(|t| t["variant"].clone());
        names.collect::<Vec<Value>>()
    };
    assert_eq!(found("run TWICE"), ["twice"]);
    assert_eq!(found("ra-3"), ["bigger-prize"]);
    assert_eq!(found("further"), ["further"]);
    assert_eq!(found("e"), ["twice", "further", "bigger-prize"]);
    let long = "word ".repeat(40);
    copy.write(
        "scripts/race/variants/further.rhai",
        format!("// {long}end.\n{FURTHER}"),
    );
    assert!(!copy.run(&["variants", "race"]).out.contains("end."));
    assert!(copy.run(&["variants", "race", "further"]).out.contains("end."));
}

/// The same game once more, under another name and without the tweak `twice`.
fn two_games() -> Copy {
    let copy = race();
    copy.write("scripts/walk/game.rhai", GAME)
        .write(
            "scripts/walk/variants/slower.rhai",
            "// Slower.\n\nfn pace(n) { base(n) - 1 }\n",
        )
        .write("scripts/walk/variants/further.rhai", FURTHER)
        .write("scripts/race/variants/further.rhai", FURTHER);
    copy
}

#[test]
fn a_decision_finds_the_game_by_the_tweaks_name() {
    let copy = two_games();
    let ran = copy.run(&["variants", "adopt", "twice"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(ran.out.contains("default layers of race"), "{}", ran.out);
    let ran = copy.run(&["variants", "reject", "slower", "--reason", "no"]);
    assert!(
        ran.status == 0 && copy.path("scripts/walk/tweaks.toml").exists(),
        "{}",
        ran.page()
    );
    let ran = copy.run(&["variants", "adopt", "further", "--json"]);
    assert_eq!(
        ran.problems(),
        ["ambiguous-variant(further, race and walk, race)"]
    );
    let ran = copy.run(&["variants", "adopt", "slowr"]);
    assert!(
        ran.status == 2 && ran.err.contains("did you mean `slower`?"),
        "{}",
        ran.page()
    );
}

#[test]
fn a_decision_is_undone_without_a_trace() {
    let copy = race();
    let register = || std::fs::read_to_string(copy.path("scripts/race/tweaks.toml")).unwrap_or_default();
    let listed = |out: &str| -> Vec<String> {
        out.lines()
            .filter(|l| l.starts_with("  "))
            .map(str::to_owned)
            .collect()
    };
    let adopted = copy.run(&["variants", "adopt", "twice", "--reason", "quick"]).out;
    let undone = copy.run(&["variants", "undo", "twice"]);
    assert_eq!(undone.status, 0, "{}", undone.page());
    assert!(
        undone.out.contains("`twice` is no longer adopted: idea again"),
        "{}",
        undone.out
    );
    // The same snapshots are named, and the register is what it was.
    assert_eq!(listed(&adopted), listed(&undone.out));
    assert!(
        listed(&adopted).len() == 1 && adopted.contains("plain.toml"),
        "{adopted}"
    );
    assert_eq!(register(), TWEAKS);
    // A tweak that was judged before is judged so again.
    copy.run(&["variants", "try", "bigger-prize", "--reason", "let us see"]);
    let before = register();
    copy.run(&["variants", "adopt", "bigger-prize"]);
    assert!(
        register().contains("before = { state = \"on trial\", reason = \"let us see\""),
        "{}",
        register()
    );
    assert_eq!(copy.run(&["check"]).status, 0);
    copy.run(&["variants", "undo", "bigger-prize"]);
    assert_eq!(register(), before);
    copy.run(&["variants", "undo", "bigger-prize"]);
    assert_eq!(register(), TWEAKS);
    assert_eq!(
        copy.problems(&["variants", "undo", "bigger-prize"]),
        ["undecided(bigger-prize)"]
    );
    // One decision after the other, each as it was.
    let mut before = vec![register()];
    for (state, reason) in [("adopt", "a"), ("reject", "b"), ("reject", "c"), ("adopt", "d")] {
        copy.run(&["variants", state, "twice", "--reason", reason]);
        before.push(register());
    }
    assert_eq!(copy.run(&["check"]).status, 0);
    while let Some(as_it_was) = before.pop() {
        assert_eq!(register(), as_it_was);
        if !before.is_empty() {
            copy.run(&["variants", "undo", "twice"]);
        }
    }
    // A register that the decision made goes with it.
    std::fs::remove_file(copy.path("scripts/race/tweaks.toml")).expect("removed");
    copy.run(&["variants", "adopt", "twice"]);
    assert!(copy.path("scripts/race/tweaks.toml").exists());
    copy.run(&["variants", "undo", "twice"]);
    assert!(!copy.path("scripts/race/tweaks.toml").exists());
}

#[test]
fn a_variant_does_not_hide_a_word_of_every_game() {
    let copy = race();
    copy.write(
        "scripts/race/variants/hiding.rhai",
        "// Hides.\n\nfn add(who, slot, n, why) { }\n",
    );
    let ran = copy.run(&["run", "plain", "--variant", "hiding"]);
    assert!(
        ran.status == 2 && ran.err.contains("`add` would hide the built-in function"),
        "{}",
        ran.page()
    );
}

#[test]
fn a_dial_without_its_owner_is_found_and_a_value_is_not_compared_with_itself() {
    let said = |args: &[&str]| {
        let ran = run_in(root(), args);
        format!("{}{}", ran.out, ran.err)
    };
    let one = said(&["diff", "charge-into-spears", "--set", "charge=3"]);
    assert!(one.contains("did you mean `mounted.charge`?"), "{one}");
    let several = said(&["diff", "charge-into-spears", "--set", "life=3"]);
    assert!(
        several.contains("say whose: aerial.life, archers.life,"),
        "{several}"
    );
    let same = said(&["diff", "charge-into-spears", "--set", "mounted.charge=2"]);
    assert!(
        same.contains("`mounted.charge` is already 2, so nothing changes"),
        "{same}"
    );
    let other = said(&["diff", "charge-into-spears", "--set", "mounted.charge=3"]);
    assert!(!other.contains("already"), "{other}");
    let odds = said(&["odds", "mage-at-two-tiles", "--set", "mage.spell_off=2"]);
    assert!(odds.contains("note: `mage.spell_off` is already 2"), "{odds}");
}

#[test]
fn decisions_about_what_is_not_there_or_does_not_load_are_refused() {
    let copy = race();
    let ran = copy.run(&["variants", "adopt", "twise"]);
    assert!(
        ran.status == 2 && ran.err.contains("did you mean `twice`?"),
        "{}",
        ran.page()
    );
    copy.write("scripts/race/variants/broken.rhai", "fn pase(n) { n }\n");
    let ran = copy.run(&["variants", "adopt", "broken"]);
    assert!(
        ran.status == 2 && ran.err.contains("did you mean `pace`?"),
        "{}",
        ran.page()
    );
    let text = std::fs::read_to_string(copy.path("scripts/race/tweaks.toml")).expect("the register");
    assert_eq!(text, TWEAKS);
    let check = copy.run(&["check"]);
    assert!(
        check.status == 2 && check.out.contains("broken.rhai:1"),
        "{}",
        check.page()
    );
}

#[test]
fn no_decision_leaves_a_game_that_does_not_load() {
    let copy = race();
    copy.write(
        "scripts/race/variants/more.rhai",
        "fn variant() { #{ requires: [\"twice\"], after: [\"twice\"] } }\nfn pace(n) { base(n) + 1 }\n",
    );
    assert_eq!(copy.run(&["variants", "adopt", "more"]).status, 2);
    assert_eq!(copy.run(&["variants", "adopt", "twice"]).status, 0);
    assert_eq!(copy.run(&["variants", "adopt", "more"]).status, 0);
    let ran = copy.run(&["variants", "reject", "twice", "--reason", "too quick"]);
    assert!(
        ran.status == 2 && ran.err.contains("`more` requires `twice`"),
        "{}",
        ran.page()
    );
    assert_eq!(copy.run(&["check"]).status, 0);
}

#[test]
fn a_rejection_needs_a_reason_and_the_same_decision_keeps_its_own() {
    let copy = race();
    assert_eq!(
        copy.problems(&["variants", "reject", "twice"]),
        ["rejection-without-reason(twice)"]
    );
    assert_eq!(
        copy.run(&["variants", "reject", "twice", "--reason", "too quick"])
            .status,
        0
    );
    let ran = copy.run(&["variants", "adopt", "twice", "--reason", "or not"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert_eq!(copy.run(&["variants", "adopt", "twice"]).status, 0);
    assert!(copy.run(&["variants"]).out.contains("because: or not"));
}

#[test]
fn an_entry_that_is_left_over_is_for_check_and_stops_no_game() {
    let copy = race();
    copy.write(
        "scripts/race/tweaks.toml",
        "[gone]\nstate = \"rejected\"\nreason = \"x\"\n",
    );
    assert_eq!(copy.run(&["run", "plain"]).status, 0);
    let ran = copy.run(&["check"]);
    assert!(
        ran.status == 2
            && ran.out.contains("tweaks.toml:1")
            && ran.out.contains("there is no variant `gone`"),
        "{}",
        ran.page()
    );
}

#[test]
fn check_knows_the_clauses_that_tweaks_name() {
    let copy = race();
    copy.write(
        "scripts/race/variants/twice.rhai",
        TWICE.replace("clause: \"RA-2\"", "clause: \"RA-7\""),
    );
    let ran = copy.run(&["check"]);
    assert!(
        ran.status == 2 && ran.out.contains("the tweak `twice`: there is no clause `RA-7`"),
        "{}",
        ran.page()
    );
}

#[test]
fn two_tweaks_that_turn_one_dial_apart_are_refused() {
    let copy = race();
    let more = "\n[smaller-prize]\ndial = \"prize=1\"\n";
    copy.write("scripts/race/tweaks.toml", format!("{TWEAKS}{more}"));
    let both = [
        "run",
        "plain",
        "--variant",
        "bigger-prize",
        "--variant",
        "smaller-prize",
    ];
    let ran = copy.run(&both);
    assert!(
        ran.status == 2 && ran.err.contains("another tweak sets it to 4"),
        "{}",
        ran.page()
    );
    let ran = copy.run(&[&both[..], &["--set", "prize=3"]].concat());
    assert_ne!(ran.status, 2, "{}", ran.page());
}

#[test]
fn the_games_in_the_program_take_no_decisions() {
    let nowhere = Copy::of_nothing();
    let ran = run_in(
        &nowhere.path("."),
        &[
            "variants",
            "reject",
            "ranged-first",
            "--reason",
            "x",
            "--game",
            "smalltricks",
        ],
    );
    assert!(
        ran.status == 2 && ran.err.contains("cannot be changed"),
        "{}",
        ran.page()
    );
}

#[test]
fn coverage_wants_a_scenario_that_changes_and_one_that_does_not() {
    let copy = race();
    let ran = copy.run(&["coverage", "race"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    assert!(
        ran.out.contains("no scenario shows what it must not change"),
        "{}",
        ran.out
    );
    let game = GAME.replace("fn run() {", "fn run() { if count(\"race\") > 1 { pace(1); }");
    copy.write("scripts/race/game.rhai", game)
        .write(
            "scenarios/race/nothing-to-double.toml",
            "game = \"race\"\nvariants = [\"twice\"]\nproves = [\"RA-2\"]\nuntil = \"race\"\nexpect = ['faction(\"red\").score == 0']\n",
        )
        .write(
            "scenarios/race/prize-of-4.toml",
            "game = \"race\"\nvariants = [\"bigger-prize\"]\nproves = [\"RA-3/1\"]\nexpect = ['faction(\"red\").score == 7']\n",
        )
        .write(
            "scenarios/race/no-prize-yet.toml",
            "game = \"race\"\nvariants = [\"bigger-prize\"]\nproves = [\"RA-3/1\"]\nuntil = \"race\"\nexpect = ['faction(\"red\").score == 0']\n",
        );
    let ran = copy.run(&["coverage", "race"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(ran.out.contains("2 of 2 tweaks"), "{}", ran.out);
}

#[test]
fn a_pair_that_is_sensitive_to_its_order_is_found_and_one_that_says_its_order_is_not() {
    let copy = race();
    copy.write("scripts/race/variants/further.rhai", FURTHER);
    let ran = copy.run(&["check", "--combos"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    assert!(
        ran.out
            .contains("SENSITIVE      further + twice: game.pace; it matters in scenarios/race/"),
        "{}",
        ran.out
    );
    // Twice (3 + 1) is not 2 * 3 + 1; whoever says which is meant is heard.
    let says = FURTHER.replace(
        "\nfn pace",
        "\nfn variant() { #{ after: [\"twice\"] } }\n\nfn pace",
    );
    copy.write("scripts/race/variants/further.rhai", says);
    let ran = copy.run(&["check", "--combos"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(
        ran.out.contains("ordered        further + twice: game.pace"),
        "{}",
        ran.out
    );
}

#[test]
fn pairs_that_do_not_meet_or_exclude_each_other_are_told_apart() {
    let copy = race();
    copy.write("scripts/race/variants/also.rhai", "fn pace(n) { 2 * base(n) }\n")
        .write("scripts/race/variants/prizes.rhai", "fn run() { base(); }\n")
        .write(
            "scripts/race/variants/never.rhai",
            "fn variant() { #{ conflicts: [\"twice\"] } }\nfn pace(n) { base(n) }\n",
        )
        .write("scripts/race/variants/other.rhai", "fn pace(n) { 1 }\n");
    let ran = copy.run(&["check", "--combos", "--json"]);
    let found: Value = serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.page()));
    let verdict = |a: &str, b: &str| -> String {
        let pairs = found["pairs"].as_array().expect("pairs");
        let pair = pairs
            .iter()
            .find(|p| p["variants"][0] == a && p["variants"][1] == b)
            .expect("the pair");
        pair["verdict"].as_str().expect("a word").to_owned()
    };
    assert_eq!(verdict("also", "twice"), "either_order");
    assert_eq!(verdict("prizes", "twice"), "apart");
    assert_eq!(verdict("never", "twice"), "conflict");
    assert_eq!(verdict("also", "other"), "refused");
    assert_eq!(ran.status, 1);
}

#[test]
fn every_pair_of_the_games_here_has_its_order_or_needs_none() {
    // All pairs of all games take minutes unoptimised; that each loads is checked here, the
    // command in a release build plays them.
    use rulebench::rules::ruleset::{LoadOptions, Ruleset};
    use rulebench::rules::workspace::Workspace;
    use rulebench::variants::{Tweaks, required};
    let workspace = Workspace::at(root());
    for game in workspace.games() {
        let tweaks = Tweaks::read(&workspace, &game).expect("the tweaks");
        assert!(tweaks.problems.is_empty(), "{:?}", tweaks.problems);
        for (i, a) in tweaks.all.iter().enumerate() {
            for b in &tweaks.all[i + 1..] {
                let mut on = vec![a.name.clone(), b.name.clone()];
                on.extend(required(&tweaks.all, &a.name));
                on.extend(required(&tweaks.all, &b.name));
                let declared = tweaks.all.iter().filter(|t| on.contains(&t.name));
                let conflict = declared.flat_map(|t| &t.conflicts).any(|c| on.contains(c));
                let options = LoadOptions {
                    variants: on,
                    ..LoadOptions::default()
                };
                let loaded = Ruleset::load(&workspace, &game, &options);
                assert_eq!(
                    loaded.is_err(),
                    conflict,
                    "{} + {}: {:?}",
                    a.name,
                    b.name,
                    loaded.err()
                );
            }
        }
    }
}

/// A decision keeps the format of a file from an editor of another system: its byte order mark and its line ends.
#[test]
fn a_decision_leaves_the_manner_of_the_file() {
    let copy = race();
    let before = "\u{feff}# Decided.\r\n\r\n[further]\r\nstate = \"rejected\"\r\nreason = \"no\"\r\n";
    copy.write("scripts/race/tweaks.toml", before);
    let register = || std::fs::read_to_string(copy.path("scripts/race/tweaks.toml")).unwrap_or_default();
    let adopted = copy.run(&["variants", "adopt", "twice", "--reason", "quick"]);
    assert_eq!(adopted.status, 0, "{}", adopted.page());
    let ends = register().matches('\n').count();
    assert!(register().starts_with('\u{feff}') && register().matches("\r\n").count() == ends);
    let undone = copy.run(&["variants", "undo", "twice"]);
    assert_eq!(undone.status, 0, "{}", undone.page());
    assert_eq!(register(), before);
}

#[test]
fn what_is_adopted_is_measured_mutated_and_proven_as_what_is_not() {
    let copy = race();
    // Nobody says that it is on: the game does.
    copy.write(
        "scenarios/race/doubled.toml",
        "game = \"race\"\nproves = [\"RA-2\"]\nexpect = ['faction(\"red\").score == 8']\n",
    )
    .write(
        "scenarios/race/plain.toml",
        "game = \"race\"\nproves = [\"RA-1\", \"RA-3\"]\nexpect = ['faction(\"red\").score >= 5']\n",
    )
    .write("scripts/race/tweaks.toml", "[twice]\nstate = \"adopted\"\n")
    .replace(
        "scripts/race/game.rhai",
        "fn pace(n) { n }",
        "fn pace(n) { n }\nfn stats() { #{ legs: 1 } }\nfn muster(side) { enlist(side, unit_type(\"runners\")); }",
    )
    .replace(
        "scripts/race/game.rhai",
        "[#{ phase: \"race\"",
        "[#{ phase: \"muster\", setup: true, each: \"faction\", step: \"muster\" }, #{ phase: \"race\"",
    );
    copy.write(
        "scripts/race/variants/twice.rhai",
        format!("{TWICE}\nfn stats() {{ let all = base(); all.legs = 2; all }}\n"),
    )
    .replace(
        "scripts/race/variants/twice.rhai",
        "2 * base(n)",
        "unit_type(\"runners\").legs * base(n)",
    )
    .write("units/race/runners.rhai", "fn stats() { #{ symbol: \"R\" } }\n");
    let proven = copy.run(&["coverage", "race"]).out;
    assert!(proven.contains("doubled.toml (changes it)"), "{proven}");
    let mutants = copy.run(&["mutate", "race", "--only", "twice"]).out;
    assert!(!mutants.contains("no scenario reaches it"), "{mutants}");
    let ran = copy.run(&["report", "race", "--agents", "random=4", "--out", "told"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    let told = std::fs::read_to_string(copy.path("told.md")).expect("a report");
    assert!(
        told.contains("4 games without and as many with it, of which 4 go otherwise"),
        "{told}"
    );
    // One pair of games has no table below it, and says why.
    let ran = copy.run(&["report", "race", "--agents", "random=1", "--out", "told"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    let told = std::fs::read_to_string(copy.path("told.md")).expect("a report");
    assert!(
        told.contains("go otherwise; one pair of games gives no interval: play more.")
            && told.contains("random agents: one pair of games gives no interval")
            && !told.contains("interval of the change |"),
        "{told}"
    );
}
