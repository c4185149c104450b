//! The commands on the repository's own games.

use crate::support::{Copy, root, run_in, run_in_with};

#[test]
fn every_game_and_scenario_checks() {
    let ran = run_in(root(), &["check"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(ran.out.contains("all well"), "{}", ran.page());
}

#[test]
fn every_scenario_passes() {
    let ran = run_in(root(), &["test"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
}

#[test]
fn every_clause_that_must_be_is_proven() {
    let rulebooks = std::fs::read_dir(root().join("scripts")).expect("scripts is a folder");
    for game in rulebooks.flatten().filter(|entry| entry.path().is_dir()) {
        let name = game.file_name().into_string().expect("a game's name is text");
        let ran = run_in(root(), &["coverage", &name]);
        assert_eq!(ran.status, 0, "{}", ran.page());
    }
}

#[test]
fn what_stands_where_a_command_should_is_told_how_to_be_opened() {
    for name in ["smalltricks", "charge-into-spears"] {
        let ran = run_in(root(), &[name]);
        assert_eq!(ran.status, 2, "{}", ran.page());
        let wanted = format!("`rulebench repl {name}` opens it at the prompt");
        assert!(ran.err.contains(&wanted), "{}", ran.page());
    }
    let ran = run_in(root(), &["nothing-of-the-kind"]);
    assert!(ran.err.contains("unrecognized subcommand"), "{}", ran.page());
}

#[test]
fn a_run_prints_a_transcript_that_runs_again() {
    let copy = Copy::of_rules();
    let scenario = "game = \"smalltricks\"\nopen = \"random\"\nseed = 11\n";
    copy.write("one.toml", scenario);
    let first = copy.run(&["run", "one.toml"]);
    assert_eq!(first.status, 0, "{}", first.page());
    assert!(
        first.out.lines().last().is_some_and(|l| l.starts_with("end: ")),
        "{}",
        first.page()
    );
    copy.write("one.transcript", &first.out);
    let again = copy.run(&["run", "one.transcript"]);
    assert_eq!(again.out, first.out);
}

#[test]
fn another_seed_is_another_game_and_the_same_seed_the_same() {
    let copy = Copy::of_rules();
    copy.write("one.toml", "game = \"smalltricks\"\nopen = \"random\"\n");
    let run = |seed: &str| copy.run(&["run", "one.toml", "--seed", seed]).out;
    assert_eq!(run("4"), run("4"));
    assert_ne!(run("4"), run("5"));
}

#[test]
fn a_dial_from_the_command_line_is_turned() {
    let copy = Copy::of_rules();
    copy.write("one.toml", "game = \"smalltricks\"\nopen = \"first\"\n");
    let short = copy.run(&["run", "one.toml", "--set", "max_rounds=2"]);
    assert_eq!(short.out.matches("===== round ").count(), 0, "{}", short.page());
    assert!(
        short.out.contains("round 2") && !short.out.contains("round 3"),
        "{}",
        short.page()
    );
    let empty = copy.run(&["run", "one.toml", "--set", "max_rounds=", "--json"]);
    assert!(
        empty.problems()[0].starts_with("wrong-dial-value(max_rounds, , "),
        "{}",
        empty.page()
    );
    let profile = |seed: &str| {
        let args = ["profile", "smalltricks", "--games", "1", "--json", "--seed", seed];
        let ran = copy.run(&[&args[..], &["--set", "max_rounds=2"]].concat());
        let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}"));
        told["steps_a_game"].clone()
    };
    assert_eq!(profile("4"), profile("4"));
    assert_ne!(profile("4"), profile("5"));
}

#[test]
fn coverage_fails_while_a_clause_is_unproven() {
    let copy = Copy::of_rules();
    copy.write("scenarios/smalltricks/nothing.toml", "game = \"smalltricks\"\n");
    let ran = copy.run(&["coverage", "smalltricks"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    assert!(ran.out.contains("UNPROVEN"), "{}", ran.page());
}

#[test]
fn a_failing_scenario_proves_nothing_and_fails_the_test() {
    let copy = Copy::of_rules();
    copy.write(
        "scenarios/smalltricks/wrong.toml",
        "game = \"smalltricks\"\nproves = [\"ST-M1\"]\nexpect = ['1 == 2']\n",
    );
    let ran = copy.run(&["test"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    assert!(
        ran.out.contains("1 == 2") && ran.out.contains("0 passed, 1 failed"),
        "{}",
        ran.page()
    );
    let ran = copy.run(&["coverage", "smalltricks"]);
    assert!(ran.out.contains("wrong.toml (fails)"), "{}", ran.page());
}

#[test]
fn reports_come_as_json_too() {
    let copy = Copy::of_rules();
    copy.write("scenarios/smalltricks/one.toml", "game = \"smalltricks\"\n");
    for args in [
        &["run", "one", "--json"][..],
        &["test", "--json"],
        &["check", "--json"],
        &["coverage", "smalltricks", "--json"],
    ] {
        let ran = copy.run(args);
        let parsed: Result<serde_json::Value, _> = serde_json::from_str(&ran.out);
        assert!(parsed.is_ok(), "{args:?}: {}", ran.page());
    }
}

#[test]
fn a_run_as_json_tells_each_decision_with_what_was_offered() {
    let copy = Copy::of_all();
    let ran = copy.run(&["run", "charge-into-spears", "--json"]);
    let parsed: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let run = &parsed["scenarios"][0];
    let events = run["events"].as_array().expect("a list");
    let decisions: Vec<_> = events.iter().filter(|e| e["event"] == "choice").collect();
    let decision = decisions[1];
    for (key, value) in [
        ("step", "red activates red.mounted1"),
        ("moment", "game 1, round 1"),
        ("faction", "red"),
        ("label", "move"),
        ("answer", "c4"),
    ] {
        assert_eq!(decision[key], value, "{decision}");
    }
    for decision in decisions {
        let offered = decision["options"].as_array().expect("a list");
        assert!(offered.contains(&decision["answer"]), "{decision}");
        assert_eq!(offered.len() == 1, decision["only_option"] == true, "{decision}");
    }
    let hurt = events
        .iter()
        .find(|e| e["event"] == "change")
        .expect("somebody is hurt");
    assert_eq!(
        hurt["text"],
        "red.mounted1  life 5->3  (by counter charge, blue.spears1)"
    );
    assert_eq!(
        (&hurt["who"], &hurt["slot"], &hurt["from"], &hurt["to"]),
        (&"red.mounted1".into(), &"life".into(), &5.into(), &3.into())
    );
    assert_eq!(
        (&hurt["cause"], &hurt["by"]),
        (&"counter charge".into(), &"blue.spears1".into())
    );
    // The same lines as the transcript has, headings of empty phases aside.
    let told: Vec<&str> = events.iter().filter_map(|e| e["text"].as_str()).collect();
    for line in run["transcript"].as_array().expect("a list") {
        let line = line.as_str().expect("a text").trim();
        assert!(line.starts_with("end: ") || told.contains(&line), "{line}");
    }
    // Offered at the end of play, where nobody has answered.
    copy.write("scenarios/smalltricks/asks.toml", "game = \"smalltricks\"\n");
    let ran = copy.run(&["run", "asks", "--json"]);
    let parsed: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(parsed["scenarios"][0]["question"]["label"], "face 2", "{parsed}");
    assert!(
        parsed["scenarios"][0]["question"]["options"]
            .as_array()
            .is_some_and(|o| o.len() == 2)
    );
}

#[test]
fn errors_are_json_where_json_is_asked_for() {
    let copy = Copy::of_rules();
    copy.write(
        "scenarios/smalltricks/odd.toml",
        "game = \"smalltricks\"\nturns = 3\n",
    );
    for args in [
        &["run", "nowhere", "--json"][..],
        &["run", "odd", "--json"],
        &["test", "nowhere", "--json"],
        &["accept", "nowhere", "--json"],
        &["reject", "nowhere", "--json"],
        &["variants", "nowhere", "--json"],
        &["diff", "nowhere", "--json"],
        &["mutate", "nowhere", "--json"],
        &["render", "nowhere", "--json"],
        &["sheet", "nowhere", "--json"],
        &["odds", "nowhere", "--json"],
        &["coverage", "nowhere", "--json"],
        &["report", "nowhere", "--json"],
        &["run", "odd", "--json", "--set", "max_rounds"],
        &["run", "--json"],
        &["odds", "odd", "--json", "--nonsense"],
    ] {
        let ran = copy.run(args);
        assert_eq!(ran.status, 2, "{args:?}: {}", ran.page());
        let parsed: serde_json::Value =
            serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{args:?}: {e}: {}", ran.page()));
        let problems = parsed
            .get("problems")
            .or_else(|| parsed["scenarios"][0].get("problems"));
        let message = problems
            .and_then(|p| p[0]["message"].as_str())
            .unwrap_or_default();
        assert!(!message.is_empty(), "{args:?}: {}", ran.page());
        assert!(ran.err.is_empty(), "{args:?}: {}", ran.err);
    }
}

#[test]
fn what_rules_print_is_shown_beside_the_transcript() {
    let copy = Copy::of_all();
    copy.replace(
        "units/smalltricks/spears.rhai",
        "fn counter_charge(me, rider) {",
        "fn counter_charge(me, rider) {\n    print(me.life);\n    debug([me, game()]);",
    );
    let ran = copy.run(&["run", "charge-into-spears"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(
        ran.err
            .starts_with("printed: 5\nprinted: [blue.spears1, the game]\n"),
        "{}",
        ran.err
    );
    assert!(!ran.out.contains("printed"), "{}", ran.out);
    let ran = copy.run(&["run", "charge-into-spears", "--json"]);
    let parsed: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(parsed["scenarios"][0]["printed"][1], "[blue.spears1, the game]");
    // And it is no part of what happened.
    assert_eq!(copy.run(&["test", "charge-into-spears"]).status, 0);
}

#[test]
fn the_games_are_in_the_binary_too() {
    let empty = tempfile::tempdir().expect("a temporary folder");
    let ran = run_in(empty.path(), &["check"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(!ran.out.contains("0 games"), "{}", ran.page());
}

#[test]
fn without_a_command_the_prompt_takes_its_options() {
    let copy = crate::studies::ford();
    let kept = copy.path("kept");
    let kept = kept.to_str().expect("a path");
    let ran = run_in_with(
        &copy.path(""),
        &["--journal", kept, "--seed", "5"],
        "red.slingers1\n",
    );
    assert_eq!(ran.status, 0, "{}", ran.page());
    let ran = run_in_with(&copy.path(""), &["--resume", "--journal", kept], ":events\n");
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(ran.out.contains("red activates red.slingers1"), "{}", ran.page());
    // What is no option of it is refused, and so are its options in front of another command.
    for args in [&["--resum"][..], &["--seed", "5", "run", "two-warbands-meet"]] {
        let ran = copy.run(args);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.page());
        assert!(ran.err.contains("unexpected argument"), "{}", ran.page());
    }
}
