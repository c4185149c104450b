//! The workspace that `rulebench new` makes: it works at once, and it is what the page says it is.

use crate::support::{Copy, run_in};

fn made() -> Copy {
    let folder = Copy::of_nothing();
    let ran = folder.run(&["new", "mine"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(ran.out.contains("  scripts/ford/game.rhai\n"), "{}", ran.page());
    folder
}

#[test]
fn a_new_workspace_passes_every_check_at_once() {
    let folder = made();
    for args in [
        &["check"][..],
        &["test"],
        &["run", "stones-and-shields", "slingers-stand-to-throw"],
    ] {
        let ran = folder.run(&[&["--workspace", "mine"], args].concat());
        assert_eq!(ran.status, 0, "{args:?}: {}", ran.page());
    }
    let coverage = folder.run(&["--workspace", "mine", "coverage", "ford"]);
    assert!(
        coverage
            .out
            .contains("4 of 4 clauses of kind rule, option or ruling are proven"),
        "{}",
        coverage.page()
    );
    // The only game there is is meant.
    assert_eq!(folder.run(&["--workspace", "mine", "coverage"]).out, coverage.out);
    let logged = folder.run(&["--workspace", "mine", "log", "--list"]);
    assert!(
        logged.out.contains("no game of ford is logged yet"),
        "{}",
        logged.page()
    );
    let diff = folder.run(&[
        "--workspace",
        "mine",
        "diff",
        "stones-and-shields",
        "--variant",
        "steady-slings",
    ]);
    assert_eq!(diff.status, 1, "{}", diff.page());
}

#[test]
fn its_scenarios_fail_when_a_number_is_wrong() {
    let folder = made();
    folder.replace("mine/units/ford/slingers.rhai", "sling: 2", "sling: 1");
    let ran = folder.run(&["--workspace", "mine", "test"]);
    assert_ne!(ran.status, 0, "{}", ran.page());
    assert!(ran.out.contains("2 passed, 1 failed"), "{}", ran.page());
}

#[test]
fn it_opens_with_the_position_that_it_names() {
    let folder = made();
    let ran = folder.run(&["--workspace", "mine", "repl"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    let welcome = "rulebench - Ford on the table: Two warbands meet at the ford.";
    assert!(ran.out.starts_with(welcome), "{}", ran.page());
    assert!(
        ran.out.contains("to begin a whole game: `:new ford`\n"),
        "{}",
        ran.page()
    );
    assert!(ran.out.contains("red activates: "), "{}", ran.page());
    // Without the file, with the first game from its beginning.
    std::fs::remove_file(folder.path("mine/scripts/workspace.toml")).expect("it is there");
    let ran = folder.run(&["--workspace", "mine", "repl"]);
    assert!(
        ran.out.starts_with("rulebench - Ford on the table. "),
        "{}",
        ran.page()
    );
    assert!(!ran.out.contains("to begin a whole game"), "{}", ran.page());
}

#[test]
fn what_is_wrong_with_what_it_opens_with_is_said_in_place() {
    let folder = made();
    for (text, said) in [
        (
            "opening = \"two-warbands-met\"",
            "did you mean `two-warbands-meet`?",
        ),
        ("openning = \"two-warbands-meet\"", "did you mean `opening`?"),
        ("opening = 3", "`opening` is an integer"),
        ("opening = \"ford\"", "names 3 scenarios"),
        ("opening = ", "scripts/workspace.toml:1"),
    ] {
        folder.write("mine/scripts/workspace.toml", text);
        for command in ["repl", "check"] {
            let ran = folder.run(&["--workspace", "mine", command]);
            assert_eq!(ran.status, 2, "{text}: {}", ran.page());
            assert!(ran.page().contains(said), "{text}: {}", ran.page());
            assert!(ran.page().contains("scripts/workspace.toml:1"), "{}", ran.page());
        }
    }
}

#[test]
fn it_is_read_in_five_minutes() {
    let folder = made();
    let files = [
        "scripts/ford/game.rhai",
        "units/ford/shieldmen.rhai",
        "units/ford/slingers.rhai",
    ];
    let read = |file: &&str| std::fs::read_to_string(folder.path("mine").join(file)).expect("it is there");
    let lines: usize = files.iter().map(|f| read(f).lines().count()).sum();
    assert!(lines < 150, "{lines} lines");
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let folder = Copy::of_nothing();
    folder.write("mine/notes.txt", "mine").write("file", "mine");
    for (name, why) in [("mine", "is not empty"), ("file", "is not a folder")] {
        let ran = folder.run(&["new", name]);
        assert_eq!(ran.status, 2, "{}", ran.page());
        assert!(
            ran.err.contains(why) && ran.err.contains("new folder"),
            "{}",
            ran.page()
        );
    }
    assert_eq!(folder.run(&["new"]).status, 2);
    assert!(!folder.path("mine/scripts").exists());
}

/// A bundled game that is not in the current workspace can be copied out and changed.
#[test]
fn a_game_that_comes_along_can_be_copied_out_and_changed() {
    let folder = made();
    let inside = folder.path("mine");
    for args in [&["odds", "mage-at-two-tiles"][..], &["sim", "pocket-tactics"]] {
        let ran = run_in(&inside, args);
        assert_eq!(ran.status, 2, "{}", ran.page());
        assert!(
            ran.err.contains("`rulebench new DIR --game pocket-tactics`"),
            "{}",
            ran.page()
        );
    }
    let ran = folder.run(&["new", "tactics", "--game", "pocket-tactics"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(ran.out.contains("  scripts/pocket-tactics: "), "{}", ran.page());
    let copy = folder.path("tactics");
    std::fs::write(
        copy.join("scripts/pocket-tactics/terrain/marsh.rhai"),
        "fn stats() { #{ symbol: \"m\", tile: true, feature: false, stock: 1 } }\n",
    )
    .expect("it can be written");
    let ran = run_in(
        &copy,
        &["test", "mage-at-two-tiles", "archer-against-footman-in-the-keep"],
    );
    assert_eq!(ran.status, 0, "{}", ran.page());
    let ran = run_in(
        &copy,
        &["variants", "adopt", "hops-cost-two", "--reason", "slower"],
    );
    assert_eq!(ran.status, 0, "{}", ran.page());
    let none = folder.run(&["new", "other", "--game", "pocket-tactic"]);
    assert_eq!(none.status, 2);
    assert!(
        none.err.contains("did you mean `pocket-tactics`?"),
        "{}",
        none.page()
    );
    assert!(!folder.path("other").exists());
}
