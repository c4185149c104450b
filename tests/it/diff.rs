//! `rulebench diff` on a small game made for it, and on the games that are here.

use crate::support::{Copy, Ran, root, run_in};
use serde_json::Value;

/// Two runners on a row of hexagons; how far and how hard they go is a matter of dials.
const RACE: &str = r#"
fn board() {
    #{ factions: ["red", "blue"], hexes: [6, 1], engaged: "same place", stack: 2 }
}
fn dials() {
    #{
        speed: number(1, 1, 3),
        fee: number(0, 0, 9),
        tax: number(0, 0, 9),
        toll: number(0, 0, 9),
        last_round: number(3, 1, 9),
        dice: number(1, 1, 2),
        greeting: one_of("none", ["none", "before", "after"]),
        marks: number(0, 0, 3),
        broken: number(0, 0, 1),
    }
}
fn stats() { #{ life: 5 } }
fn slots() {
    #{
        unit: #{ life: #{ start: 0, hit: true }, marked: 0 },
        faction: #{ cash: 3, passing: 0 },
    }
}
fn phases() {
    [
        #{ phase: "race", contest: "race", phases: [
            #{ phase: "lap", repeat: true, phases: [
                #{ phase: "run", each: "unit", step: "step" },
                #{ phase: "count", each: "game", step: "reckon" },
            ] },
        ] },
    ]
}
fn step(me) {
    if broken == 1 && count("lap") == 2 { nobody.life; }
    let luck = roll(me, "luck", dice, 6).total;
    me.owner.passing = 1;
    if greeting == "before" { greet(me); }
    let to = choose(me, "go", me.place.within(speed) - me.place, "stay");
    if to != "stay" { put(me, to); }
    if greeting == "after" { greet(me); }
    me.owner.passing = 0;
    me.marked = me.marked + marks;
}
fn greet(me) { add(me.owner, "cash", 0 - choose(me, "greeting", [0, 1]), "greeting"); }
fn reckon() {
    let red = faction("red");
    if fee > 0 && tax > 0 { add(red, "cash", 0 - fee - tax, "fees"); }
    if toll > 0 { add(red, "cash", 0 - toll, "toll"); add(red, "cash", toll, "toll"); }
    if red.cash < 0 { win(red.foe, "bankruptcy"); }
    else if count("lap") >= last_round { win(red, "endurance"); }
}
"#;

const START: &str = r#"
game = "race"
units.red = ["runner a1"]
units.blue = ["runner f1"]
open = "first"
"#;

fn race() -> Copy {
    let copy = Copy::of_nothing();
    copy.write("scripts/race/game.rhai", RACE);
    copy.write("units/race/runner.rhai", "fn stats() { #{ symbol: \"Ru\" } }\n");
    copy.write("scenarios/race/one.toml", START);
    copy
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.page()))
}

fn diff(copy: &Copy, args: &[&str]) -> Ran {
    let mut all = vec!["diff"];
    all.extend(args);
    copy.run(&all)
}

fn verdict(copy: &Copy, args: &[&str]) -> (i32, String) {
    let mut all = args.to_vec();
    all.push("--json");
    let ran = diff(copy, &all);
    let word = json(&ran)["verdict"].as_str().unwrap_or_default().to_owned();
    (ran.status, word)
}

#[test]
fn a_dial_at_its_own_value_makes_no_difference() {
    let race = race();
    let ran = diff(&race, &["one", "--set", "speed=1"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    insta::assert_snapshot!(ran.page());
    assert_eq!(verdict(&race, &["one", "--set", "speed=1"]), (0, "same".into()));
}

#[test]
fn a_wider_choice_alone_makes_no_difference() {
    // More is offered, the stored answers still fit, and nothing else follows from it.
    assert_eq!(verdict(&race(), &["one", "--set", "speed=2"]), (0, "same".into()));
}

#[test]
fn events_on_the_way_differ_and_the_outcome_does_not() {
    let race = race();
    let ran = diff(&race, &["one", "--set", "toll=2"]);
    insta::assert_snapshot!(ran.page());
    assert_eq!(verdict(&race, &["one", "--set", "toll=2"]), (1, "events".into()));
}

#[test]
fn the_outcome_differs() {
    let race = race();
    let ran = diff(&race, &["one", "--set", "fee=2", "--set", "tax=2"]);
    insta::assert_snapshot!(ran.page());
    assert_eq!(
        verdict(&race, &["one", "--set", "fee=2", "--set", "tax=2"]).1,
        "outcome"
    );
    // The same winner a lap earlier is the same outcome.
    assert_eq!(verdict(&race, &["one", "--set", "last_round=2"]).1, "events");
}

#[test]
fn a_slot_in_the_final_position_is_an_outcome() {
    let race = race();
    let found = json(&diff(&race, &["one", "--set", "marks=1", "--json"]));
    assert_eq!(found["verdict"], "outcome");
    assert_eq!(found["changes"][0]["slot"], "marked");
    assert_eq!(
        (&found["changes"][0]["base"], &found["changes"][0]["variant"]),
        (&"0".into(), &"3".into())
    );
}

#[test]
fn an_expectation_that_no_longer_holds_is_an_outcome() {
    let race = race();
    race.write(
        "scenarios/race/two.toml",
        format!("{START}expect = ['toll == 0', 'last_round == 3']\n"),
    );
    let ran = diff(&race, &["two", "--set", "toll=2"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    assert!(
        ran.out.contains("does not hold with the variant: toll == 0")
            && ran.out.contains("2 of 2 expectations hold")
            && ran.out.contains("1 of 2 expectations hold"),
        "{}",
        ran.page()
    );
}

#[test]
fn an_answer_that_is_no_longer_offered_is_a_divergence() {
    let race = race();
    race.write(
        "scenarios/race/far.toml",
        format!("{START}dials.speed = 3\nanswers = [\"red.runner1 go: d1\"]\n"),
    );
    let ran = diff(&race, &["far", "--set", "speed=2"]);
    insta::assert_snapshot!(ran.page());
    let found = json(&diff(&race, &["far", "--set", "speed=2", "--json"]));
    assert_eq!(found["verdict"], "diverged");
    let at = &found["divergence"];
    assert_eq!(
        (&at["arm"], &at["step"], &at["faction"], &at["label"]),
        (
            &"variant".into(),
            &"run: red.runner1".into(),
            &"red".into(),
            &"go".into()
        )
    );
    assert_eq!(at["options"], serde_json::json!(["stay", "b1", "c1"]));
    assert_eq!(at["agent"], Value::Null);
    // The negative control: where the answer is still offered, nothing diverges.
    assert_ne!(verdict(&race, &["far", "--set", "marks=1"]).1, "diverged");
}

#[test]
fn a_question_without_a_stored_answer_is_a_divergence() {
    let found = json(&diff(&race(), &["one", "--set", "greeting=after", "--json"]));
    assert_eq!(found["verdict"], "diverged");
    assert_eq!(found["divergence"]["label"], "greeting");
    assert_eq!(found["divergence"]["options"], serde_json::json!(["0", "1"]));
}

#[test]
fn the_board_at_a_divergence_is_that_of_the_half_done_step() {
    let race = race();
    race.write(
        "scenarios/race/step.toml",
        format!("{START}answers = [\"red.runner1 go: b1\"]\n"),
    );
    let found = json(&diff(&race, &["step", "--set", "greeting=after", "--json"]));
    let lines = found["variant"]["transcript"].as_array().expect("lines").clone();
    assert_eq!(
        lines.last().and_then(Value::as_str),
        Some("  red.runner1  a1->b1")
    );
}

#[test]
fn an_agent_plays_on_after_a_divergence_and_the_report_says_from_where() {
    let race = race();
    for agent in ["first", "random", "greedy"] {
        let args = ["one", "--set", "greeting=after", "--then", agent];
        let ran = diff(&race, &args);
        assert!(
            ran.out
                .contains(&format!("from event 8 of the variant the {agent} agent answered")),
            "{}",
            ran.page()
        );
        assert!(
            ran.out.contains("variant  red wins the race: endurance"),
            "{}",
            ran.page()
        );
        assert_eq!(ran.status, 1);
    }
    let ran = diff(&race, &["one", "--set", "greeting=after"]);
    assert!(ran.out.contains("--then first"), "{}", ran.page());
    assert!(!ran.out.contains("agent answered"), "{}", ran.page());
}

#[test]
fn both_sides_stop_at_the_question_at_which_the_scenario_stops() {
    let race = race();
    race.write(
        "scenarios/race/asks.toml",
        START.replace("open = \"first\"", "answers = [\"red.runner1 go: b1\"]"),
    );
    assert_eq!(verdict(&race, &["asks", "--set", "toll=2"]), (0, "same".into()));
    // Other options at that question are another outcome.
    assert_eq!(
        verdict(&race, &["asks", "--set", "speed=2"]),
        (1, "outcome".into())
    );
    // After a divergence an agent goes on as far as that question.
    let found = json(&diff(
        &race,
        &["asks", "--set", "greeting=before", "--then", "first", "--json"],
    ));
    assert_eq!(found["verdict"], "diverged");
}

#[test]
fn rules_that_fail_on_one_side_are_told_and_no_crash() {
    let race = race();
    let ran = diff(&race, &["one", "--set", "broken=1"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    assert!(
        ran.out.contains("the rules of the variant failed") && ran.out.contains("scripts/race/game.rhai"),
        "{}",
        ran.page()
    );
    assert_eq!(verdict(&race, &["one", "--set", "broken=1"]).1, "failed");
    assert_eq!(verdict(&race, &["one", "--set", "broken=0"]).1, "same");
}

#[test]
fn scripted_rolls_that_do_not_fit_or_are_left_over_are_told_and_no_failure() {
    let race = race();
    let rolls = "rolls = { luck = [[1], [2], [3], [4], [5], [6]] }\n";
    race.write("scenarios/race/luck.toml", format!("{START}{rolls}"));
    let ran = diff(&race, &["luck", "--set", "last_round=2"]);
    assert!(
        ran.out
            .contains("note: variant: 2 rolls of `luck` that are scripted were never rolled"),
        "{}",
        ran.page()
    );
    let ran = diff(&race, &["luck", "--set", "last_round=4", "--then", "first"]);
    assert!(
        ran.out
            .contains("2 rolls of `luck` more than are scripted came from the seed"),
        "{}",
        ran.page()
    );
    let ran = diff(&race, &["luck", "--set", "dice=2"]);
    assert!(
        ran.out.contains("6 rolls of `luck` did not fit what is scripted"),
        "{}",
        ran.page()
    );
    let ran = diff(&race, &["luck", "--set", "toll=1"]);
    assert!(!ran.out.contains("luck` "), "{}", ran.page());
}

#[test]
fn a_dial_of_the_scenario_stays_on_the_base() {
    let race = race();
    race.write(
        "scenarios/race/own.toml",
        format!("{START}dials.last_round = 2\n"),
    );
    let ran = diff(&race, &["own", "--set", "last_round=1"]);
    assert!(
        ran.out
            .contains("the scenario sets `last_round` to 2; the base keeps that"),
        "{}",
        ran.page()
    );
    assert!(
        ran.out.contains("base     last_round=2\nvariant  last_round=1"),
        "{}",
        ran.page()
    );
}

/// Variants beside the dials: one that leads nowhere, one that ends the race, one on its back.
fn race_with_variants() -> Copy {
    let copy = race();
    copy.write(
        "scripts/race/variants/short.rhai",
        "// A race of one lap.\nfn variant() { #{} }\nfn reckon() { win(faction(\"blue\"), \"haste\"); }\n",
    );
    copy.write(
        "scripts/race/variants/polite.rhai",
        "// Everybody greets.\nfn variant() { #{} }\nfn step(me) { base(me); greet(me); }\n",
    );
    copy.write(
        "scripts/race/variants/quiet.rhai",
        "// Nobody minds.\nfn variant() { #{} }\nfn greet(me) { base(me); }\n",
    );
    copy
}

#[test]
fn a_variant_is_compared_with_the_scenario_as_written_and_with_another() {
    let race = race_with_variants();
    assert_eq!(
        verdict(&race, &["one", "--variant", "short"]),
        (1, "outcome".into())
    );
    assert_eq!(verdict(&race, &["one", "--variant", "quiet"]), (0, "same".into()));
    assert_eq!(
        verdict(&race, &["one", "--variant", "polite"]),
        (1, "diverged".into())
    );
    // Against itself it is the same.
    let same = ["one", "--variant", "short", "--against", "short"];
    assert_eq!(verdict(&race, &same), (0, "same".into()));
    // As written the race goes on where the base had ended: nobody has answered there.
    let found = json(&diff(&race, &["one", "--against", "short", "--json"]));
    assert_eq!(found["verdict"], "diverged");
    assert_eq!(found["base"]["variants"], serde_json::json!(["short"]));
}

#[test]
fn a_variant_that_the_scenario_has_on_is_taken_off_the_base() {
    let race = race_with_variants();
    race.write(
        "scenarios/race/on.toml",
        format!("{START}variants = [\"short\"]\n"),
    );
    let ran = diff(&race, &["on", "--variant", "short"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    assert!(
        ran.out
            .contains("the scenario has on `short`; the base takes it off")
            && ran.out.contains("base     red wins the race: endurance")
            && ran.out.contains("variant  blue wins the race: haste"),
        "{}",
        ran.page()
    );
}

#[test]
fn a_variant_that_the_game_has_adopted_is_taken_off_the_base() {
    let race = race_with_variants();
    race.write("scripts/race/tweaks.toml", "[short]\nstate = \"adopted\"\n");
    let ran = diff(&race, &["one", "--variant", "short"]);
    assert!(
        ran.out
            .contains("the game has adopted `short`; the base takes it off")
            && ran.out.contains("variant  blue wins the race: haste"),
        "{}",
        ran.page()
    );
}

#[test]
fn answers_that_fit_the_tweak_alone_let_the_tweak_lead() {
    let race = race();
    race.write(
        "scenarios/race/far.toml",
        format!("{START}answers = [\"red.runner1 go: d1\"]\n"),
    );
    let ran = diff(&race, &["far", "--set", "speed=3"]);
    assert!(
        ran.out.contains("the base diverged at `run: red.runner1`")
            && ran.out.contains("the base replays the game"),
        "{}",
        ran.page()
    );
    // Fits neither: that is a failure, told as such.
    assert_eq!(verdict(&race, &["far", "--set", "speed=2"]), (1, "failed".into()));
}

#[test]
fn a_transcript_is_compared_as_a_scenario_is() {
    let race = race();
    let told = race.run(&["run", "one"]);
    race.write("one.transcript", &told.out);
    let args = |set| ["one.transcript", "--set", set];
    assert_eq!(verdict(&race, &args("marks=1")), (1, "outcome".into()));
    assert_eq!(verdict(&race, &args("toll=2")), (1, "events".into()));
    assert_eq!(verdict(&race, &args("speed=2")), (0, "same".into()));
}

#[test]
fn bisect_finds_two_dials_that_only_do_it_together() {
    let race = race();
    let sets = [
        "one", "--bisect", "--set", "toll=1", "--set", "tax=2", "--set", "speed=2", "--set", "fee=2",
    ];
    let ran = diff(&race, &sets);
    assert_eq!(ran.status, 1, "{}", ran.page());
    insta::assert_snapshot!(ran.page());
    // Neither of them does it alone.
    for one in ["tax=2", "fee=2"] {
        assert_eq!(verdict(&race, &["one", "--set", one]), (0, "same".into()));
    }
    let mut args = sets.to_vec();
    args.push("--json");
    let found = json(&diff(&race, &args));
    assert_eq!(found["smallest"], serde_json::json!(["fee=2", "tax=2"]));
    assert_eq!(found["is_smallest"], true);
}

#[test]
fn bisect_names_one_culprit_and_leaves_the_bystanders_out() {
    let race = race_with_variants();
    let args = [
        "one",
        "--bisect",
        "--variant",
        "quiet",
        "--variant",
        "short",
        "--set",
        "marks=2",
        "--json",
    ];
    let found = json(&diff(&race, &args));
    assert_eq!(found["smallest"], serde_json::json!(["short"]), "{found}");
    assert_eq!(
        found["difference"],
        "it ends otherwise: blue wins the race: haste"
    );
}

#[test]
fn bisect_skips_sets_that_cannot_be_combined() {
    let race = race_with_variants();
    race.write(
        "scripts/race/variants/hasty.rhai",
        "// Needs another.\nfn variant() { #{ requires: [\"quiet\"] } }\nfn reckon() { win(faction(\"blue\"), \"haste\"); }\n",
    );
    let args = [
        "one",
        "--bisect",
        "--variant",
        "hasty",
        "--variant",
        "quiet",
        "--json",
    ];
    let found = json(&diff(&race, &args));
    assert_eq!(
        found["smallest"],
        serde_json::json!(["hasty", "quiet"]),
        "{found}"
    );
    assert_eq!(found["skipped"], 1, "{found}");
}

#[test]
fn bisect_says_when_nothing_differs() {
    let ran = diff(
        &race(),
        &["one", "--bisect", "--set", "speed=2", "--set", "fee=1"],
    );
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(ran.out.contains("no difference"), "{}", ran.page());
}

#[test]
fn bisect_among_many_layers_is_minimal_and_says_so() {
    let race = race();
    let dials: Vec<String> = (1..=18)
        .map(|n| format!("        d{n}: number(0, 0, 1),\n"))
        .collect();
    let rules = RACE
        .replace("        fee:", &format!("{}        fee:", dials.concat()))
        .replace("fee > 0 && tax > 0", "d3 == 1 && d17 == 1")
        .replace("0 - fee - tax", "0 - 4");
    race.write("scripts/race/game.rhai", rules);
    let sets: Vec<String> = (1..=18).map(|n| format!("d{n}=1")).collect();
    let mut args = vec!["one", "--bisect", "--json"];
    for set in &sets {
        args.extend(["--set", set.as_str()]);
    }
    let found = json(&diff(&race, &args));
    assert_eq!(found["smallest"], serde_json::json!(["d17=1", "d3=1"]), "{found}");
    assert_eq!(found["is_smallest"], false);
}

#[test]
fn the_map_marks_what_each_tweak_does_to_each_scenario() {
    let race = race_with_variants();
    race.write(
        "scenarios/race/two.toml",
        format!("{START}expect = ['toll == 0']\n"),
    );
    race.write(
        "scenarios/race/on.toml",
        format!("{START}variants = [\"short\"]\n"),
    );
    race.write(
        "scenarios/race/far.toml",
        format!("{START}dials.speed = 3\nanswers = [\"red.runner1 go: d1\"]\n"),
    );
    race.write(
        "scripts/race/variants/bad.rhai",
        "// It fails.\nfn variant() { #{} }\nfn reckon() { nobody.life; }\n",
    );
    let ran = diff(&race, &["--all", "race"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    insta::assert_snapshot!(ran.page());
    let ran = diff(
        &race,
        &[
            "--all",
            "race",
            "--set",
            "toll=2",
            "--set",
            "speed=1",
            "--set",
            "speed=2",
            "--variant",
            "short",
        ],
    );
    insta::assert_snapshot!(ran.page());
    assert!(ran.out.lines().all(|l| l.chars().count() <= 80), "{}", ran.page());
    let found = json(&diff(&race, &["--all", "race", "--json"]));
    assert_eq!(found["layers"][0]["counts"]["failed"], 4, "{found}");
}

#[test]
fn a_variant_that_requires_another_has_it_on_both_sides_of_the_map() {
    let race = race_with_variants();
    race.write(
        "scripts/race/variants/hasty.rhai",
        "// Needs another.\nfn variant() { #{ requires: [\"short\"], after: [\"short\"] } }\nfn reckon() { base(); add(faction(\"red\"), \"cash\", 1, \"haste\"); }\n",
    );
    let found = json(&diff(&race, &["--all", "race", "--variant", "hasty", "--json"]));
    assert_eq!(
        found["layers"][0]["with"],
        serde_json::json!(["short"]),
        "{found}"
    );
    assert_eq!(
        found["scenarios"][0]["verdicts"][0]["verdict"], "outcome",
        "{found}"
    );
    // One comparison is as it was asked for.
    let ran = diff(&race, &["one", "--variant", "hasty"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    let both = [
        "one",
        "--variant",
        "hasty",
        "--variant",
        "short",
        "--against",
        "short",
    ];
    assert_eq!(verdict(&race, &both).1, "outcome");
}

#[test]
fn one_scenario_is_compared_with_every_variant() {
    let race = race_with_variants();
    race.write(
        "scripts/race/variants/hasty.rhai",
        "// Needs another.\nfn variant() { #{ requires: [\"short\"], after: [\"short\"] } }\nfn reckon() { base(); add(faction(\"red\"), \"cash\", 1, \"haste\"); }\n",
    );
    race.write(
        "scripts/race/variants/slow.rhai",
        "// Does not load.\nfn variant() { #{ conflicts: [\"short\"], requires: [\"short\"] } }\nfn reckon() { base(); }\n",
    );
    let ran = diff(&race, &["--all", "one", "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    let found = json(&ran);
    let layers = found["layers"].as_array().expect("layers");
    let rows: Vec<(&str, &str, Option<u64>)> = layers
        .iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().expect("a text");
            (text("layer"), text("verdict"), row["changed_lines"].as_u64())
        })
        .collect();
    // Those that change something come first. Where a game stops on the way there is nothing to count.
    assert_eq!(
        rows,
        [
            ("hasty", "outcome", Some(1)),
            ("polite", "diverged", None),
            ("short", "outcome", Some(26)),
            ("slow", "failed", None),
            ("quiet", "same", Some(0)),
        ]
    );
    assert_eq!(layers[0]["with"], serde_json::json!(["short"]));
    assert_eq!(
        layers[4]["functions"],
        serde_json::json!([{ "function": "greet", "file": "scripts/race/variants/quiet.rhai", "calls": 0 }])
    );
    // Each row is what a comparison with that variant alone finds.
    let alone = json(&diff(&race, &["one", "--variant", "short", "--json"]));
    assert_eq!(layers[2]["diff"], alone["diff"]);
    // People see the lines that differ if they ask for them.
    let line = "blue wins the race: haste";
    assert!(
        layers[2]["diff"].as_str().expect("a text").contains(line),
        "{found}"
    );
    assert!(!diff(&race, &["--all", "one"]).out.contains(line));
    assert!(diff(&race, &["--all", "one", "--rows"]).out.contains(line));
    // Layers can be named, several values of a dial among them.
    let fees = ["--all", "one", "--set", "toll=1", "--set", "toll=0", "--json"];
    let found = json(&diff(&race, &fees));
    let layers: Vec<(&str, &str)> = found["layers"]
        .as_array()
        .expect("layers")
        .iter()
        .map(|row| {
            (
                row["layer"].as_str().expect("a name"),
                row["verdict"].as_str().expect("a word"),
            )
        })
        .collect();
    assert_eq!(layers, [("toll=1", "events"), ("toll=0", "same")]);
}

#[test]
fn the_map_says_the_same_as_one_comparison_after_the_other() {
    let sets = ["mounted.charge=3", "max_rounds=3"];
    let args = [
        "diff",
        "--all",
        "smalltricks",
        "--json",
        "--set",
        sets[0],
        "--set",
        sets[1],
    ];
    let map = json(&run_in(root(), &args));
    let rows = map["scenarios"].as_array().expect("scenarios");
    for row in rows.iter().step_by(40) {
        let scenario = row["scenario"].as_str().expect("a path");
        for (cell, set) in row["verdicts"].as_array().expect("verdicts").iter().zip(sets) {
            let one = json(&run_in(root(), &["diff", scenario, "--set", set, "--json"]));
            assert_eq!(one["verdict"], cell["verdict"], "{scenario} {set}");
        }
    }
}

#[test]
fn the_map_is_the_same_twice() {
    let race = race_with_variants();
    for n in 0..20 {
        let scenario = format!("{START}dials.fee = {}\nseed = {n}\n", n % 3);
        race.write(&format!("scenarios/race/s{n}.toml"), scenario);
    }
    let map = || diff(&race, &["--all", "race", "--set", "tax=1", "--variant", "short"]).out;
    assert_eq!(map(), map());
}

#[test]
fn the_boards_stand_side_by_side_in_80_columns() {
    let ran = run_in(
        root(),
        &["diff", "charge-into-spears", "--set", "mounted.charge=3"],
    );
    let board: Vec<&str> = ran
        .out
        .lines()
        .filter(|l| l.contains("\\___/") || l.contains("MO:"))
        .collect();
    assert!(
        board.len() > 10 && board.iter().all(|l| l.len() <= 80),
        "{}",
        ran.page()
    );
    assert!(
        board.iter().any(|l| l.contains("MO:3") && l.contains("MO:2")),
        "{}",
        ran.page()
    );
}

#[test]
fn bad_input_to_diff_says_what_and_where() {
    let race = race_with_variants();
    let pages: Vec<String> = [
        &["oen", "--set", "fee=1"][..],
        &["one", "--variant", "shrot"],
        &["one", "--against", "shrot"],
        &["one", "--set", "sped=2"],
        &["one", "--set", "speed=9"],
        &["one", "--set", "fee=1", "--then", "greddy"],
        &["race", "--set", "fee=1"],
        &["--all", "rac"],
        &["--all", "oen"],
        &["--all", "race", "--rows"],
        &["--all", "race", "--variant", "shrot", "--set", "sped=1"],
    ]
    .iter()
    .map(|args| {
        let ran = diff(&race, args);
        // Only one scenario is here, so the game's name means it.
        let expected = if args[0] == "race" { 0 } else { 2 };
        assert_eq!(ran.status, expected, "{args:?}: {}", ran.page());
        format!("$ diff {}\n{}", args.join(" "), ran.err)
    })
    .collect();
    insta::assert_snapshot!(pages.join("\n"));
    for (args, problem) in [
        (&["one"][..], "nothing-to-compare"),
        (&["one", "--bisect", "--against", "short"], "nothing-to-compare"),
        (
            &["one", "--set", "speed"],
            "missing-value(--set speed, --set DIAL=VALUE)",
        ),
    ] {
        assert_eq!(diff(&race, &[args, &["--json"]].concat()).problems(), [problem]);
    }
}

#[test]
fn a_faction_that_is_none_is_called_as_in_transcripts() {
    let game = RACE
        .replace("passing: 0 }", "passing: 0, foe_of: #{ holds: \"faction\" } }")
        .replace(
            "me.marked = me.marked + marks;",
            "me.marked = me.marked + marks; if marks > 0 { me.owner.foe_of = me.owner.foe; }",
        );
    let copy = race();
    copy.write("scripts/race/game.rhai", game);
    let ran = diff(&copy, &["one", "--set", "marks=1"]);
    assert!(ran.flat().contains("foe_of: none | red"), "{}", ran.page());
    assert!(!ran.page().contains("nobody"), "{}", ran.page());
}

#[test]
fn no_difference_says_whether_the_changed_functions_ran() {
    let race = race();
    race.write(
        "scripts/race/variants/idle.rhai",
        "/// Idle.\nfn reckon() { base(); spare(); if count(\"lap\") > 90 { never(); } }\nfn spare() { }\nfn never() { spare(); }\n\
         fn stats() { base() }\n",
    );
    let ran = diff(&race, &["one", "--variant", "idle", "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    let functions = found["functions"].as_array().expect("functions");
    let calls: Vec<(&str, Option<u64>)> = functions
        .iter()
        .map(|f| (f["function"].as_str().expect("a name"), f["calls"].as_u64()))
        .collect();
    // The step that counts comes once a lap; what declares is read at load, and is not called.
    assert_eq!(
        calls,
        [
            ("never", Some(0)),
            ("reckon", Some(3)),
            ("spare", Some(3)),
            ("stats", None)
        ]
    );
    let told = diff(&race, &["one", "--variant", "idle"]).flat();
    assert!(told.contains("`never` was never called"), "{told}");
    // Where something differs that says it.
    let other = diff(&race, &["one", "--set", "toll=2", "--json"]);
    let other: Value = serde_json::from_str(&other.out).expect("JSON");
    assert_eq!(other["functions"], serde_json::json!([]));
}

#[test]
fn no_difference_of_a_dial_says_whether_the_functions_that_read_it_ran() {
    let race = race();
    race.write(
        "scripts/race/game.rhai",
        RACE.replace("stats() { #{ life: 5 } }", "stats() { #{ life: 5, weight: 1 } }")
            + "fn heavy(me) { me.weight > 8 }\n",
    );
    let calls = |layer: &str| -> Vec<(String, Option<u64>)> {
        let found = json(&diff(&race, &["one", "--set", layer, "--json"]));
        assert_eq!(found["verdict"], "same", "{found}");
        let functions = found["functions"].as_array().expect("functions").iter();
        functions
            .map(|f| {
                (
                    f["function"].as_str().expect("a name").to_owned(),
                    f["calls"].as_u64(),
                )
            })
            .collect()
    };
    // The tax is due only with a fee. `reckon` reads it once a lap, and no other function does.
    assert_eq!(calls("tax=2"), [("reckon".to_owned(), Some(3))]);
    // The one function that reads the stat is never called.
    assert_eq!(calls("runner.weight=2"), [("heavy".to_owned(), Some(0))]);
    assert_eq!(calls("tax=0"), []);
}
