//! Workspaces that nobody means: pipes in place of files, links in circles, thousands of mistakes. Every
//! command ends in reasonable time, and says what it left out.

use crate::support::{Copy, Ran, root, run_in};
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

/// Time limit for a command: each takes a second or a few, so one that takes longer hangs or is far too slow.
const PATIENCE: Duration = Duration::from_secs(40);
const GAME: &str = "scripts/ford/game.rhai";
const SCENARIO: &str = "scenarios/ford/two-warbands-meet.toml";

fn workspace() -> Copy {
    let copy = Copy::of_nothing();
    crate::support::copy(&root().join("starter"), &copy.path("."));
    copy
}

/// Runs a command that must end.
fn ends(copy: Copy, args: &'static [&'static str]) -> Ran {
    let (sender, ran) = mpsc::channel();
    std::thread::spawn(move || sender.send(copy.run(args)));
    let ran = ran.recv_timeout(PATIENCE);
    ran.unwrap_or_else(|_| panic!("{args:?} does not end"))
}

fn pipe(copy: &Copy, file: &str) {
    let _ = std::fs::remove_file(copy.path(file));
    let made = Command::new("mkfifo").arg(copy.path(file)).status();
    assert!(made.expect("mkfifo").success());
}

#[test]
fn a_pipe_in_place_of_a_file_is_refused_and_not_waited_for() {
    for file in [
        "units/ford/pikes.rhai",
        "scripts/ford/variants/pikes.rhai",
        "scenarios/ford/pikes.toml",
        "scripts/ford/tweaks.toml",
        "scripts/ford/rulebook.toml",
        "scripts/workspace.toml",
    ] {
        let copy = workspace();
        pipe(&copy, file);
        let ran = ends(copy, &["check"]);
        assert_eq!(ran.status, 2);
        assert!(
            ran.flat().contains("is a device or a pipe, not a file"),
            "{}",
            ran.page()
        );
    }
    let copy = workspace();
    pipe(&copy, "snapshots/ford/two-warbands-meet.snap");
    let ran = ends(copy, &["test"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    assert!(ran.flat().contains("is a device or a pipe"), "{}", ran.page());
}

#[test]
#[cfg(unix)]
fn links_in_circles_and_links_out_are_told_and_not_followed() {
    use std::os::unix::fs::symlink;
    let copy = workspace();
    std::fs::create_dir(copy.path("more")).expect("made");
    for (goal, link) in [
        (".", "units/ford/a"),
        ("..", "units/ford/b"),
        ("../..", "scripts/ford/c"),
        ("/usr", "units/ford/d"),
        (".", "scenarios/ford/e"),
        ("../../more", "scenarios/ford/f"),
    ] {
        symlink(goal, copy.path(link)).expect("linked");
    }
    for link in ["x", "y"] {
        symlink("../scripts", copy.path("more").join(link)).expect("linked");
    }
    let ran = ends(copy, &["check"]);
    let told = ran.flat();
    assert!(
        told.contains("`units/ford/a` leads back to a folder that it lies in"),
        "{}",
        ran.page()
    );
    assert!(
        told.contains("`units/ford/d` leads out of the workspace"),
        "{}",
        ran.page()
    );
    assert!(
        told.contains("`scenarios/ford/f/x` lies behind another link"),
        "{}",
        ran.page()
    );
    assert!(
        told.contains("checked 1 game, 1 variant and 3 scenarios: 7 problems"),
        "{}",
        ran.page()
    );
}

/// Lines of a text, each with its number in place of `#`.
fn lines(line: &str, count: usize) -> String {
    (0..count)
        .map(|n| format!("{}\n", line.replace('#', &n.to_string())))
        .collect()
}

#[test]
fn thousands_of_mistakes_are_told_of_in_time() {
    let behind = |file: &str, text: String| {
        let copy = workspace();
        let before = std::fs::read_to_string(copy.path(file)).unwrap_or_default();
        copy.write(file, format!("{before}\n{text}"));
        copy
    };
    let cases = [
        (
            behind(GAME, lines("fn f#( { let x = ;", 2_300)),
            "... and 2280 more problems",
        ),
        (
            behind(GAME, lines("fn f#() { x y } // z", 2_600)),
            "... and 2580 more problems",
        ),
        (
            behind(GAME, lines("fn f#() { 1 }", 8_000)),
            "too large for a script",
        ),
        (
            behind(GAME, lines("fn f#(until) { 1 }", 4_000)),
            "and on 3995 more",
        ),
        (
            behind(SCENARIO, lines("k# = 1", 64_000)),
            "... and 30 more problems",
        ),
        (
            behind(SCENARIO, lines("k# = = 1", 8_000)),
            "... and 7980 more problems",
        ),
        (
            behind(SCENARIO, format!("[dials]\n{}", lines("d# = 1", 8_000))),
            "... and 7980 more problems",
        ),
        (
            behind("scripts/ford/tweaks.toml", lines("[k#]\nx = 1", 16_000)),
            "... and 30 more problems",
        ),
        (
            behind(
                "scripts/ford/tweaks.toml",
                lines("[k#]\nstate = \"idea\"", 10_000),
            ),
            "... and 9980 more problems",
        ),
    ];
    for (copy, told) in cases {
        let ran = ends(copy, &["check"]);
        assert_eq!(ran.status, 2);
        assert!(ran.flat().contains(told), "no `{told}`: {}", ran.page());
        assert!(ran.out.lines().count() < 300, "{}", ran.page());
    }
}

#[test]
fn a_folder_within_a_workspace_is_in_it() {
    let copy = workspace();
    for folder in ["units/ford", "scenarios/ford", "notes/of/mine"] {
        std::fs::create_dir_all(copy.path(folder)).expect("made");
        let ran = run_in(&copy.path(folder), &["check"]);
        assert_eq!(ran.status, 0, "{}", ran.page());
        assert!(ran.out.contains("checked 1 game"), "{folder}: {}", ran.page());
        let ran = run_in(&copy.path(folder), &["run", "two-warbands-meet"]);
        assert!(ran.out.contains("Two warbands meet"), "{folder}: {}", ran.page());
    }
    // A file is found where somebody stands, and what is written lies in the workspace.
    for folder in ["scenarios/ford", "units"] {
        let ran = run_in(&copy.path(folder), &["run", "two-warbands-meet.toml"]);
        assert_eq!(ran.status, 0, "{}", ran.page());
    }
    // As itself, with its snapshot, by whatever path.
    for path in [
        "two-warbands-meet.toml",
        "../ford/two-warbands-meet.toml",
        ".",
        "..",
    ] {
        let ran = run_in(&copy.path("scenarios/ford"), &["test", path]);
        assert!(
            ran.out.contains("   scenarios/ford/two-warbands-meet.toml"),
            "{path}: {}",
            ran.page()
        );
    }
    let ran = run_in(&copy.path("units/ford"), &["variants", "new", "my-idea"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(copy.path("scripts/ford/variants/my-idea.rhai").is_file());
    // One that has scripts of another kind is none; one of its own is nearer.
    let other = Copy::of_nothing();
    other
        .write("scripts/backup/run.sh", "")
        .write("games/x/notes.txt", "");
    let ran = run_in(&other.path("games/x"), &["check"]);
    assert!(!ran.out.contains("checked 0 games"), "{}", ran.page());
    crate::support::copy(&root().join("examples/custodial"), &copy.path("notes"));
    let ran = run_in(&copy.path("notes/of/mine"), &["run", "two-warbands-meet"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
}
