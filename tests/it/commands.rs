//! The commands on the repository's own games.

use crate::support::{Copy, root, run_in};

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
fn the_games_are_in_the_binary_too() {
    let empty = tempfile::tempdir().expect("a temporary folder");
    let ran = run_in(empty.path(), &["check"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(!ran.out.contains("0 games"), "{}", ran.page());
}
