//! Snapshots: what `test` says of them, and what accept, reject, review and insta do with them.

use crate::studies::fine;
use crate::support::{Copy, Ran, root};
use rulebench::rules::workspace::Workspace;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const UNIT: &str = "units/smalltricks/spears.rhai";
const STAB: &str = "scenarios/smalltricks/stab.toml";
const SNAP: &str = "snapshots/smalltricks/stab.snap";
const NEW: &str = "snapshots/smalltricks/stab.snap.new";

/// The red spears stab; nothing is expected, so only a snapshot sees a broken rule.
const SCENARIO: &str = "game = \"smalltricks\"\nunits.red = [\"spears c3\"]\nunits.blue = [\"archers c4\"]\n\
                        answers = [\"spear: blue.archers1\"]\nopen = \"first\"\nuntil = \"end of melee\"\n";

/// Runs the command where nothing says that the run is automatic, unless `variables` say so.
fn run_with(folder: &Path, args: &[&str], variables: &[(&str, &str)], input: &str) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rulebench"));
    command.args(args).current_dir(folder).env("NO_COLOR", "1");
    for name in ["CI", "TF_BUILD", "INSTA_UPDATE"] {
        command.env_remove(name);
    }
    finish(command.envs(variables.iter().copied()), input)
}

fn finish(command: &mut Command, input: &str) -> Ran {
    let piped = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the command starts");
    // A command that reads nothing may be gone before it is told anything.
    let _ = child
        .stdin
        .take()
        .expect("it is piped")
        .write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the command ends");
    Ran {
        status: output.status.code().expect("it was not killed"),
        out: String::from_utf8(output.stdout).expect("the command writes text"),
        err: String::from_utf8(output.stderr).expect("the command writes text"),
    }
}

fn run(copy: &Copy, args: &[&str]) -> Ran {
    run_with(&copy.path(""), args, &[], "")
}

fn read(copy: &Copy, file: &str) -> String {
    std::fs::read_to_string(copy.path(file)).expect("the file is there")
}

/// A workspace with one scenario and its accepted snapshot.
fn accepted() -> Copy {
    let copy = Copy::of_rules();
    copy.write(STAB, SCENARIO);
    let ran = run(&copy, &["test", "--first-snapshots"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    let ran = run(&copy, &["accept", "--all"]);
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (0, &*format!("accepted {SNAP}\n")),
        "{}",
        ran.page()
    );
    copy
}

/// The same, with a rule broken and the transcript of that pending.
fn broken() -> Copy {
    let copy = accepted();
    copy.replace(UNIT, "hit(foe, me.spear,", "hit(foe, me.spear + 2,");
    let ran = run(&copy, &["test"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    copy
}

/// A page of `test` without the time that it took.
fn timeless(ran: &Ran) -> String {
    let lines = ran.page();
    let lines = lines
        .lines()
        .map(|l| l.split_once(" failed (").map_or(l, |p| p.0));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn an_accepted_snapshot_passes_and_plays_again() {
    let copy = accepted();
    let ran = run(&copy, &["test"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(!copy.path(NEW).exists());
    let snapshot = run(&copy, &["run", SNAP]);
    assert_eq!(snapshot.status, 0, "{}", snapshot.page());
    assert!(read(&copy, SNAP).ends_with(&snapshot.out), "{}", snapshot.page());
    assert_eq!(snapshot.out, run(&copy, &["run", "stab"]).out);
}

#[test]
fn the_prompt_opens_a_snapshot() {
    let copy = accepted();
    let input = format!(":open {SNAP}\nunit(\"blue.archers1\").life\n");
    let ran = run_with(&copy.path(""), &["repl"], &[], &input);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(
        ran.out.lines().any(|l| l.trim_end().ends_with('4')),
        "{}",
        ran.page()
    );
}

#[test]
fn a_scenario_that_says_something_else_of_itself_plays_as_before() {
    let copy = accepted();
    copy.write(
        STAB,
        format!("{SCENARIO}title = \"A stab\"\nproves = [\"ST-U5a\"]\n"),
    );
    let ran = run(&copy, &["test"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    let told = ran.flat();
    assert!(
        told.contains("it plays as snapshots/smalltricks/stab.snap says; only what stands above the play")
            && told.contains("rulebench accept stab")
            && !told.contains("no longer plays"),
        "{told}"
    );
    assert_eq!(run(&copy, &["accept", "stab"]).status, 0);
    assert_eq!(run(&copy, &["test"]).status, 0);
}

#[test]
fn a_broken_rule_is_understood_from_the_difference_alone() {
    let copy = accepted();
    copy.replace(UNIT, "hit(foe, me.spear,", "hit(foe, me.spear + 2,");
    insta::assert_snapshot!(timeless(&run(&copy, &["test"])));
    assert!(copy.path(NEW).is_file());
}

#[test]
fn a_rule_that_ends_the_game_sooner_shows_both_ends() {
    let copy = Copy::of_rules();
    let scenario = "game = \"smalltricks\"\nopen = \"random\"\nseed = 3\n";
    copy.write(STAB, scenario);
    run(&copy, &["test", "--first-snapshots"]);
    run(&copy, &["accept", "stab"]);
    copy.replace(
        "scripts/smalltricks/game.rhai",
        "count(\"round\") >= max_rounds",
        "count(\"round\") >= 2",
    );
    let ran = run(&copy, &["test"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    assert!(
        ran.out
            .contains("the first difference is in match > game 1 > play"),
        "{}",
        ran.page()
    );
    assert!(ran.out.contains("more changed lines"), "{}", ran.page());
}

#[test]
fn a_wrong_snapshot_fails() {
    let copy = accepted();
    copy.replace(SNAP, "life 5->4", "life 5->3");
    let ran = run(&copy, &["test"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    assert!(ran.out.contains("(snapshot: differs)"), "{}", ran.page());
    assert!(
        read(&copy, SNAP).contains("life 5->3"),
        "only accept changes a snapshot"
    );
}

#[test]
fn a_pending_snapshot_is_removed_when_the_rule_is_right_again() {
    let copy = broken();
    copy.replace(UNIT, "hit(foe, me.spear + 2,", "hit(foe, me.spear,");
    let ran = run(&copy, &["test"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(!copy.path(NEW).exists());
}

#[test]
fn accept_takes_the_new_one_and_reject_keeps_the_old() {
    let copy = broken();
    let old = read(&copy, SNAP);
    let ran = run(&copy, &["reject", "stab"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert_eq!(read(&copy, SNAP), old);
    assert!(!copy.path(NEW).exists());
    run(&copy, &["test"]);
    let ran = run(&copy, &["accept", "smalltricks"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(read(&copy, SNAP).contains("life 5->2"));
    assert_eq!(run(&copy, &["test"]).status, 0);
    let ran = run(&copy, &["accept", "stab"]);
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (0, "nothing is pending for stab\n")
    );
}

#[test]
fn a_name_that_nothing_has_and_no_name_at_all_are_said_so() {
    let copy = broken();
    let ran = run(&copy, &["accept", "stap"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    assert!(ran.err.contains("did you mean `stab`?"), "{}", ran.page());
    let ran = run(&copy, &["accept"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    assert!(
        ran.err.contains("--all") && ran.err.contains("pending: stab"),
        "{}",
        ran.page()
    );
    assert!(copy.path(NEW).is_file());
}

#[test]
fn review_asks_about_each_and_the_end_of_input_leaves_the_rest() {
    let copy = broken();
    let review = |input: &str| run_with(&copy.path(""), &["review"], &[], input);
    for input in ["", "q\n", "s\n", "what\n"] {
        let ran = review(input);
        assert_eq!(ran.status, 0, "{}", ran.page());
        assert!(
            ran.out.contains("0 accepted, 0 rejected, 1 left pending"),
            "{}",
            ran.page()
        );
        assert!(copy.path(NEW).is_file());
    }
    assert!(review("what\n").out.contains("`what` is none of"));
    // One life point is one changed line; the board is drawn when it is asked for.
    let changed = |out: &str| out.lines().filter(|l| l.starts_with(['-', '+'])).count();
    let plain = review("").out;
    assert!(changed(&plain) == 4 && !plain.contains("ar:2"), "{plain}");
    for drawn in [
        review("b\n"),
        run_with(&copy.path(""), &["review", "--boards"], &[], ""),
    ] {
        assert!(
            drawn.out.contains("ar:2") && drawn.out.contains("after `blue.archers1"),
            "{}",
            drawn.page()
        );
        assert!(drawn.out.contains("1 left pending"), "{}", drawn.page());
    }
    insta::assert_snapshot!(review("a\n").page());
    assert!(read(&copy, SNAP).contains("life 5->2"));
    assert_eq!(review("a\n").out, "nothing is pending\n");
    copy.replace(UNIT, "me.spear + 2,", "me.spear,");
    run(&copy, &["test"]);
    assert!(review("r\n").out.contains("1 rejected, 0 left"));
    assert!(!copy.path(NEW).exists());
    assert!(read(&copy, SNAP).contains("life 5->2"));
}

#[test]
fn boards_between_the_lines_of_a_snapshot_are_ignored() {
    let copy = accepted();
    let drawn = copy.run(&["run", "stab", "--boards"]);
    fine(&drawn);
    let boards = drawn.out.lines().filter(|l| l.starts_with('|')).count();
    assert!(boards > 10, "{}", drawn.out);
    let snap = read(&copy, SNAP);
    assert!(!snap.lines().any(|l| l.starts_with('|')), "{snap}");
    let frame = snap
        .split("rulebench transcript")
        .next()
        .expect("a frame")
        .to_owned();
    copy.write(SNAP, format!("{frame}{}", drawn.out));
    assert_eq!(run(&copy, &["test"]).status, 0);
    // The negative control: what happened is compared all the same.
    copy.replace(SNAP, "life 5->4", "life 5->3");
    let ran = run(&copy, &["test"]);
    assert!(ran.status == 1 && !ran.out.contains("ar:4"), "{}", ran.page());
}

#[test]
fn no_snapshot_of_this_repository_holds_a_board() {
    let examples = std::fs::read_dir(root().join("examples")).expect("it is there");
    let examples = examples.map(|entry| entry.expect("it can be read").path());
    for folder in [root().to_owned(), root().join("starter")]
        .into_iter()
        .chain(examples)
    {
        let workspace = Workspace::at(folder.clone());
        for path in workspace.list("snapshots", ".snap") {
            let text = workspace
                .read(&path)
                .unwrap_or_else(|p| panic!("{p}"))
                .text
                .clone();
            let play = text.splitn(3, "\n+++\n").nth(2).expect("a play");
            assert!(
                !play.lines().any(|l| l.starts_with('|')),
                "{}/{path}",
                folder.display()
            );
        }
    }
}

#[test]
fn a_scenario_without_snapshot_fails_once_its_game_has_some() {
    let copy = Copy::of_rules();
    copy.write(STAB, SCENARIO);
    let ran = run(&copy, &["test"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(ran.out.contains("1 scenario has no snapshot"), "{}", ran.page());
    assert!(!copy.path("snapshots").exists());
    let copy = accepted();
    copy.write("scenarios/smalltricks/second.toml", SCENARIO);
    let ran = run(&copy, &["test"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    assert!(
        ran.out
            .contains("there is no snapshot snapshots/smalltricks/second.snap"),
        "{}",
        ran.page()
    );
    assert!(copy.path("snapshots/smalltricks/second.snap.new").is_file());
}

#[test]
fn a_snapshot_without_scenario_is_reported_and_removed_when_asked() {
    let copy = accepted();
    let text = read(&copy, SNAP);
    copy.write("snapshots/smalltricks/gone.snap", &text);
    let ran = run(&copy, &["test"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(
        ran.out.contains("snapshots/smalltricks/gone.snap") && ran.out.contains("reject --unreferenced"),
        "{}",
        ran.page()
    );
    let ran = run(&copy, &["reject", "--unreferenced"]);
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (0, "removed snapshots/smalltricks/gone.snap\n")
    );
    assert!(copy.path(SNAP).is_file());
}

#[test]
fn a_scenario_that_fails_is_not_compared() {
    let copy = accepted();
    copy.replace(UNIT, "hit(foe, me.spear,", "hit(foe, me.spear + 2,");
    let unmet = format!("{SCENARIO}expect = ['unit(\"blue.archers1\").life == 4']\n");
    for (text, status) in [(unmet.as_str(), 1), ("game = 1\n", 2)] {
        copy.write(STAB, text);
        let ran = run(&copy, &["test"]);
        assert_eq!(ran.status, status, "{}", ran.page());
        assert!(ran.out.contains("1 scenario was not compared"), "{}", ran.page());
        assert!(!copy.path(NEW).exists());
    }
}

#[test]
fn an_automatic_run_writes_nothing() {
    let copy = accepted();
    copy.replace(UNIT, "hit(foe, me.spear,", "hit(foe, me.spear + 2,");
    for variable in [("CI", "true"), ("INSTA_UPDATE", "no")] {
        let ran = run_with(&copy.path(""), &["test"], &[variable], "");
        assert_eq!(ran.status, 1, "{}", ran.page());
        assert!(
            ran.out.contains("nothing was written") && ran.out.contains("life 5->2"),
            "{}",
            ran.page()
        );
        assert!(!copy.path(NEW).exists());
    }
    let ran = run_with(&copy.path(""), &["test"], &[("CI", "false")], "");
    assert!(ran.status == 1 && copy.path(NEW).is_file(), "{}", ran.page());
}

/// Returns the output of `test` after this change to the text of the accepted snapshot.
fn damaged(change: impl Fn(&str) -> Vec<u8>) -> String {
    let copy = accepted();
    let bytes = change(&read(&copy, SNAP));
    copy.write(SNAP, &bytes);
    let ran = run(&copy, &["test"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    assert!(!ran.err.contains("panicked"), "{}", ran.page());
    assert_eq!(
        std::fs::read(copy.path(SNAP)).ok(),
        Some(bytes),
        "nothing is lost"
    );
    // The way out of it works.
    assert_eq!(run(&copy, &["accept", "--all"]).status, 0);
    assert_eq!(run(&copy, &["test"]).status, 0);
    let page = timeless(&ran);
    page.lines()
        .skip_while(|l| !l.starts_with("--- scenarios"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_snapshot_that_is_cut_off_in_its_head() {
    insta::assert_snapshot!(damaged(|text| text.as_bytes()[..30].to_vec()));
}

#[test]
fn a_snapshot_that_is_cut_off_in_its_body() {
    insta::assert_snapshot!(damaged(|text| {
        let cut = text.rfind("end: ").expect("it has an end");
        text.as_bytes()[..cut].to_vec()
    }));
}

#[test]
fn a_snapshot_that_was_edited_by_hand_into_something_else() {
    insta::assert_snapshot!(damaged(|text| {
        text.replace("red chose spear: ", "red chose spear ").into_bytes()
    }));
}

#[test]
fn a_snapshot_in_which_a_merge_left_both_versions() {
    insta::assert_snapshot!(damaged(|text| {
        text.replace("end: ", "<<<<<<< ours\nend: ").into_bytes()
    }));
}

#[test]
fn a_snapshot_that_is_no_text_empty_or_of_another_kind() {
    for bytes in [
        &b"---\n\xff\xfe\n"[..],
        b"",
        b"hello\n",
        b"---\nsource: a\n---\nhello\n",
    ] {
        let page = damaged(|_| bytes.to_vec());
        assert!(page.contains("error: ") && page.contains("stab.snap"), "{page}");
    }
}

#[test]
fn no_cut_of_a_snapshot_is_taken_for_a_whole_one_or_panics() {
    let copy = accepted();
    let text = read(&copy, SNAP);
    // Without its last newline it is still whole.
    for at in (0..text.len() - 1).step_by(97) {
        if text.is_char_boundary(at) {
            copy.write(SNAP, &text[..at]);
            let ran = run_with(&copy.path(""), &["test"], &[("CI", "1")], "");
            assert!([1, 2].contains(&ran.status), "{at}: {}", ran.page());
            assert!(!ran.err.contains("panicked"), "{at}: {}", ran.page());
        }
    }
}

#[test]
fn a_broken_pending_snapshot_is_not_accepted() {
    let copy = broken();
    let old = read(&copy, SNAP);
    copy.write(NEW, "---\nsource: x\n");
    for (args, input) in [(&["accept", "--all"][..], ""), (&["review"], "a\n")] {
        let ran = run_with(&copy.path(""), args, &[], input);
        assert_eq!(ran.status, 2, "{}", ran.page());
        assert!(
            ran.page().contains("the snapshot ends within its head"),
            "{}",
            ran.page()
        );
        assert_eq!(read(&copy, SNAP), old);
        assert!(copy.path(NEW).is_file());
    }
}

#[test]
fn line_numbers_of_a_snapshot_are_those_of_the_file() {
    let copy = accepted();
    let text = read(&copy, SNAP);
    let edited = text.replace("units.red", "unit.red");
    copy.write(SNAP, &edited);
    let line = 1 + edited
        .lines()
        .position(|l| l.starts_with("unit.red"))
        .expect("it is there");
    let ran = run(&copy, &["run", SNAP]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    assert!(ran.err.contains(&format!("{SNAP}:{line}:")), "{}", ran.page());
}

#[test]
fn a_place_that_cannot_be_written_is_said_so_and_the_difference_is_still_shown() {
    let copy = accepted();
    copy.replace(UNIT, "hit(foe, me.spear,", "hit(foe, me.spear + 2,");
    // A folder of that name is in the way of everybody, whatever they may do.
    std::fs::create_dir(copy.path(NEW)).expect("can be made");
    let old = read(&copy, SNAP);
    let ran = run(&copy, &["test"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    assert!(
        ran.out.contains("life 5->2") && ran.flat().contains("is a folder, not a file"),
        "{}",
        ran.page()
    );
    let files = std::fs::read_dir(copy.path("snapshots/smalltricks")).expect("it is a folder");
    assert_eq!(files.count(), 2, "nothing half written is left");
    assert_eq!(read(&copy, SNAP), old);
}

#[cfg(unix)]
#[test]
fn a_workspace_that_is_read_only() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let copy = broken();
    let old = read(&copy, SNAP);
    let folder = copy.path("snapshots/smalltricks");
    let permit = |mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&folder, permissions).expect("it is ours");
    };
    let whole = std::fs::metadata(copy.path("")).expect("it is there");
    let shut = |args: &[&str]| {
        permit(0o555);
        // Whoever may do everything is not held up by permissions, and so becomes somebody else.
        let ran = if whole.uid() == 0 {
            std::fs::set_permissions(copy.path(""), std::fs::Permissions::from_mode(0o755)).expect("ours");
            let mut command = Command::new("setpriv");
            command
                .args([
                    "--reuid",
                    "65534",
                    "--clear-groups",
                    env!("CARGO_BIN_EXE_rulebench"),
                ])
                .args(args)
                .current_dir(copy.path(""))
                .env("NO_COLOR", "1");
            for name in ["CI", "TF_BUILD", "INSTA_UPDATE"] {
                command.env_remove(name);
            }
            match Command::new("setpriv").arg("--version").output() {
                Ok(_) => finish(&mut command, ""),
                Err(_) => return None,
            }
        } else {
            run(&copy, args)
        };
        permit(0o755);
        Some(ran)
    };
    for (args, status) in [
        (&["test"][..], 1),
        (&["accept", "--all"], 2),
        (&["reject", "--all"], 2),
    ] {
        let Some(ran) = shut(args) else {
            eprintln!("skipped: this user may write everywhere, and setpriv is not here");
            return;
        };
        assert_eq!(ran.status, status, "{}", ran.page());
        assert!(ran.flat().contains("stab.snap.new` cannot be "), "{}", ran.page());
        assert_eq!(read(&copy, SNAP), old);
        assert!(copy.path(NEW).is_file());
    }
}

#[test]
fn the_games_inside_the_program_cannot_be_changed_and_say_so() {
    let empty = tempfile::tempdir().expect("a temporary folder");
    let ran = run_with(empty.path(), &["test", "charge-into-spears"], &[], "");
    assert_eq!(ran.status, 0, "{}", ran.page());
    let ran = run_with(empty.path(), &["accept", "charge-into-spears"], &[], "");
    assert!(ran.out.contains("nothing is pending"), "{}", ran.page());
    assert_eq!(std::fs::read_dir(empty.path()).expect("it is there").count(), 0);
}

#[test]
fn reports_come_as_json() {
    let copy = broken();
    let json = |args: &[&str]| -> serde_json::Value {
        let ran = run(&copy, args);
        serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.page()))
    };
    let report = json(&["test", "--json"]);
    let snapshot = &report["scenarios"][0]["snapshot"];
    assert_eq!(
        (&snapshot["state"], &snapshot["pending"]),
        (&"differs".into(), &true.into())
    );
    let rows = snapshot["diff_rows"].as_array().expect("a list of rows");
    assert!(rows.iter().any(|r| r["kind"] == "old") && rows.iter().any(|r| r["kind"] == "new"));
    assert_eq!(json(&["accept", "--all", "--json"])["accepted"][0], SNAP);
    assert_eq!(
        json(&["reject", "--all", "--json"])["removed"]
            .as_array()
            .map(Vec::len),
        Some(0)
    );
}

#[test]
fn insta_reads_what_is_written_here() {
    let copy = broken();
    for (file, damage) in [(SNAP, "life 5->4"), (NEW, "life 5->2")] {
        let snapshot = insta::Snapshot::from_file(&copy.path(file)).expect("insta reads it");
        assert_eq!(snapshot.metadata().source(), Some(STAB));
        assert_eq!(snapshot.metadata().expression(), Some("transcript"));
        let text = snapshot.as_text().expect("it is text").to_string();
        assert!(
            text.contains(damage) && text.starts_with("rulebench transcript\n"),
            "{text}"
        );
        assert!(read(&copy, file).ends_with(&format!("---\n{}\n", text.trim_end())));
    }
    // A pending one is, byte for byte, the accepted one that it becomes.
    let pending = read(&copy, NEW);
    run(&copy, &["accept", "stab"]);
    assert_eq!(read(&copy, SNAP), pending);
}

/// `cargo insta` where it is installed.
fn cargo_insta(copy: &Copy, command: &str) -> Option<Ran> {
    let name = std::env::var("CARGO_INSTA").unwrap_or_else(|_| "cargo-insta".to_owned());
    Command::new(&name).arg("--version").output().ok()?;
    // It wants a Cargo package around the files.
    copy.write(
        "Cargo.toml",
        "[package]\nname = \"workspace\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    copy.write("src/lib.rs", "");
    let folder = copy.path("");
    let folder = folder.to_str().expect("a path that is text");
    let mut insta = Command::new(name);
    insta.args([command, "--workspace-root", folder]);
    insta
        .env("NO_COLOR", "1")
        .env_remove("CI")
        .env_remove("INSTA_UPDATE");
    Some(finish(&mut insta, ""))
}

#[test]
fn cargo_insta_works_on_the_same_files() {
    let copy = broken();
    let (old, pending) = (read(&copy, SNAP), read(&copy, NEW));
    let Some(ran) = cargo_insta(&copy, "pending-snapshots") else {
        eprintln!("skipped: cargo-insta is not here (cargo install cargo-insta, or set CARGO_INSTA)");
        return;
    };
    assert!(ran.out.contains("stab.snap"), "{}", ran.page());
    cargo_insta(&copy, "reject");
    assert!(!copy.path(NEW).exists());
    assert_eq!(read(&copy, SNAP), old);
    run(&copy, &["test"]);
    cargo_insta(&copy, "accept");
    assert!(!copy.path(NEW).exists());
    assert_eq!(read(&copy, SNAP), pending);
    assert_eq!(run(&copy, &["test"]).status, 0);
}

#[test]
fn every_snapshot_of_the_repository_is_one_that_insta_reads() {
    let mut folders = vec![root().join("snapshots")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "snap") {
                let snapshot = insta::Snapshot::from_file(&path).expect("insta reads it");
                assert!(snapshot.as_text().is_some(), "{}", path.display());
            }
        }
    }
}

/// A pending snapshot is removed when its scenario itself fails, because it comes from rules that worked and must no
/// longer be accepted.
#[test]
fn what_is_pending_goes_when_its_scenario_fails() {
    let copy = broken();
    let pending = || copy.path(NEW).is_file();
    run(&copy, &["test"]);
    assert!(pending());
    copy.replace(STAB, "blue.archers1", "blue.archers7");
    let ran = run(&copy, &["test"]);
    assert!(ran.status != 0 && !pending(), "{}", ran.page());
}

/// A scenario that is called like its game is named by its path, since the name means all of them.
#[test]
fn the_hint_of_a_scenario_that_is_called_like_its_game_means_it_alone() {
    let copy = broken();
    std::fs::rename(
        copy.path(STAB),
        copy.path("scenarios/smalltricks/smalltricks.toml"),
    )
    .expect("it moves");
    let ran = run(&copy, &["test"]);
    let hint = "rulebench accept scenarios/smalltricks/smalltricks.toml";
    assert!(ran.out.contains(hint), "{}", ran.page());
}

/// A command fails if its output cannot be written.
#[test]
#[cfg(target_os = "linux")]
fn what_is_lost_on_its_way_out_is_said() {
    let copy = accepted();
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .expect("Linux has it");
    let output = Command::new(env!("CARGO_BIN_EXE_rulebench"))
        .args(["run", "stab"])
        .current_dir(copy.path(""))
        .stdout(full)
        .output()
        .expect("the command ends");
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(2) && err.contains("not all could be written to standard output"),
        "{err}"
    );
}

#[test]
fn what_is_not_played_any_more_is_not_accepted() {
    let copy = accepted();
    let before = read(&copy, SNAP);
    let rules = read(&copy, UNIT);
    let stronger = rules.replace("hit(foe, me.spear,", "hit(foe, me.spear + 2,");
    assert_ne!(rules, stronger);
    for (args, input) in [(&["accept", "--all"][..], ""), (&["review"], "a\n")] {
        copy.write(UNIT, &stronger);
        run(&copy, &["test", "stab"]);
        assert!(copy.path(NEW).exists());
        copy.write(UNIT, &rules);
        let ran = run_with(&copy.path(""), args, &[], input);
        assert_eq!(ran.status, 0, "{}", ran.page());
        assert_eq!(read(&copy, SNAP), before, "{}", ran.page());
        assert!(
            !copy.path(NEW).exists() && !ran.out.contains("accepted"),
            "{}",
            ran.page()
        );
    }
    copy.write(UNIT, &stronger);
    run(&copy, &["accept", "--all"]);
    assert_eq!(read(&copy, SNAP), before, "nothing was pending");
}
