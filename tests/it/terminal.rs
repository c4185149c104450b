//! The prompt in a real pseudo-terminal: typing, completion, Ctrl-C, Ctrl-D.

use crate::support::Copy;
use rexpect::process::Signal;
use rexpect::session::{PtySession, spawn_command};
use std::path::Path;
use std::process::Command;

const MILLISECONDS: u64 = 20_000;

const SCENARIO: &str = "game = \"smalltricks\"\nunits.red = [\"mounted c3\", \"archers a1\"]\n\
                        units.blue = [\"spears c4\", \"cannons f6\"]\n";

fn start(copy: &Copy) -> PtySession {
    let mut session = start_with(copy, &["repl", "it"], &copy.path("state"));
    session.exp_string("red.mounted1").expect("the first question");
    session
}

fn start_with(copy: &Copy, args: &[&str], state: &Path) -> PtySession {
    copy.write("scenarios/smalltricks/it.toml", SCENARIO);
    spawn(copy, args, state)
}

/// The program on a terminal of its own, with this folder for what it remembers.
fn spawn(copy: &Copy, args: &[&str], state: &Path) -> PtySession {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rulebench"));
    command
        .args(args)
        .current_dir(copy.path("."))
        .env("TERM", "xterm-256color")
        .env("NO_COLOR", "1")
        .env("XDG_STATE_HOME", state)
        .env("XDG_CONFIG_HOME", copy.path("config"));
    spawn_command(command, Some(MILLISECONDS)).expect("the command starts")
}

/// Waits until the prompt reads again: what is typed while it changes the terminal's mode is lost.
fn ready() {
    std::thread::sleep(std::time::Duration::from_millis(300));
}

/// Types a line and waits for what it should print.
fn line(it: &mut PtySession, text: &str, expected: &str) {
    ready();
    it.send_line(text).expect("typed");
    it.exp_string(expected)
        .unwrap_or_else(|e| panic!("after `{text}`: {e}"));
}

fn leave(mut it: PtySession) {
    ready();
    it.send_line(":quit").expect("typed");
    it.exp_eof().expect("it ends");
}

#[test]
fn typing_answers_undo_and_leaving() {
    let copy = Copy::of_rules();
    let mut it = start(&copy);
    line(&mut it, "red.mounted1", "18 stay");
    line(&mut it, "c4", "2 decline");
    line(&mut it, "blue.spears1", "life 5->3");
    line(&mut it, ":undo", "took back");
    line(&mut it, "unit(\"red.mounted1\").life * 100", "500");
    leave(it);
}

#[test]
fn a_browser_that_is_missing_fails_or_hangs_stops_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    let copy = Copy::of_rules();
    copy.write("scenarios/smalltricks/it.toml", SCENARIO);
    let openers = [
        ("missing", None),
        ("failing", Some("#!/bin/sh\nexit 3\n")),
        (
            "hanging",
            Some("#!/bin/sh\necho $$ > \"$0.pid\"\nexec /bin/sleep 600\n"),
        ),
    ];
    for (name, script) in openers {
        let folder = copy.path(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        if let Some(script) = script {
            let path = folder.join("xdg-open");
            std::fs::write(&path, script).expect("written");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("set");
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_rulebench"));
        command
            .args(["repl", "it"])
            .current_dir(copy.path("."))
            .env("TERM", "xterm-256color")
            .env("NO_COLOR", "1")
            .env("DISPLAY", ":77")
            .env("PATH", &folder)
            .env("XDG_STATE_HOME", copy.path("state"))
            .env("XDG_CONFIG_HOME", copy.path("config"));
        let mut it = spawn_command(command, Some(MILLISECONDS)).expect("the command starts");
        it.exp_string("red.mounted1").expect("the first question");
        line(&mut it, ":page", "the table is at http://127.0.0.1:");
        let rest = it.read_line().expect("the rest of the line");
        let asked = rest.contains("the browser is asked to show it");
        assert_eq!(asked, script.is_some(), "{name}: {rest}");
        line(&mut it, "red.mounted1", "18 stay");
        leave(it);
        // What was left hanging is the desktop's; here it is put away.
        if let Ok(pid) = std::fs::read_to_string(folder.join("xdg-open.pid")) {
            let _ = Command::new("kill").arg(pid.trim()).status();
        }
    }
}

#[test]
fn a_click_on_the_page_is_told_at_the_prompt_and_the_other_way_round() {
    let copy = Copy::of_rules();
    let mut it = start(&copy);
    line(&mut it, ":page", "the table is at http://127.0.0.1:");
    let address = it.read_line().expect("the address");
    let page = crate::page::Page::at(&address);
    assert_eq!(crate::page::keys(&page.state())[0], "red.mounted1");
    // Half a line is typed when the click comes; it is still there.
    ready();
    it.send("40 + ").expect("typed");
    it.flush().expect("sent");
    it.exp_string("+ ").expect("echoed");
    page.line("red.mounted1");
    it.exp_string("red.mounted1").expect("the line that was sent");
    it.exp_string("18 stay").expect("what came of it");
    ready();
    it.send_line("2").expect("typed");
    it.exp_string("42").expect("the whole line was read");
    line(&mut it, "c4", "2 decline");
    let record = page.state()["record"].to_string();
    assert!(record.contains("red chose move: c4"), "{record}");
    // The prompt is where one leaves.
    assert!(
        page.line(":quit")["pieces"][0]["text"]
            .as_str()
            .expect("a text")
            .contains("prompt")
    );
    line(&mut it, ":page off", "no page shows the table any more");
    leave(it);
}

#[test]
fn tab_completes_a_command() {
    let copy = Copy::of_rules();
    let mut it = start(&copy);
    ready();
    it.send(":uni\t").expect("typed");
    it.flush().expect("sent");
    it.exp_string("units").expect("completed");
    line(&mut it, "", "place  life");
    leave(it);
}

#[test]
fn where_threads_cannot_be_started_the_prompt_ends_with_an_error_or_goes_on() {
    use rexpect::process::WaitStatus;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let copy = Copy::of_rules();
    let is_root = std::fs::metadata(copy.path("")).expect("it is there").uid() == 0;
    if !is_root || Command::new("setpriv").arg("--version").output().is_err() {
        eprintln!("skipped: only root can become a user without other processes, by setpriv");
        return;
    }
    std::fs::set_permissions(copy.path(""), std::fs::Permissions::from_mode(0o755)).expect("ours");
    let mut ends = Vec::new();
    for limit in 1..=9 {
        let mut command = Command::new("setpriv");
        command
            .args(["--reuid", "64321", "--clear-groups", "prlimit"])
            .arg(format!("--nproc={limit}"))
            .args([env!("CARGO_BIN_EXE_rulebench"), "repl", "smalltricks"])
            .current_dir(copy.path("."))
            .env("TERM", "xterm-256color");
        let mut it = spawn_command(command, Some(MILLISECONDS)).expect("the command starts");
        std::thread::sleep(std::time::Duration::from_secs(1));
        // It may have ended.
        let _ = it.send_line(":quit");
        ends.push(match it.process().wait() {
            Ok(WaitStatus::Exited(_, status)) => status,
            other => panic!("with {limit} threads: {other:?}"),
        });
    }
    assert_eq!((ends[0], ends[8]), (2, 0), "{ends:?}");
    assert!(ends.iter().all(|status| [0, 2].contains(status)), "{ends:?}");
}

#[test]
fn ctrl_c_abandons_the_line_and_ctrl_d_leaves() {
    let copy = Copy::of_rules();
    let mut it = start(&copy);
    ready();
    it.send("this is no").expect("typed");
    it.flush().expect("sent");
    ready();
    it.send_control('c').expect("pressed");
    line(&mut it, "count(\"round\") + 41", "42");
    ready();
    it.send_control('d').expect("pressed");
    it.exp_eof().expect("it ends");
}

/// Types half a line, saves a file, and types the rest when the notice has come.
fn saved_while_typing(name: &str, save: impl FnOnce(&Copy)) {
    let copy = Copy::of_rules();
    let mut it = start(&copy);
    line(&mut it, "red.mounted1", "18 stay");
    ready();
    it.send("count(\"round\") + ").expect("typed");
    it.flush().expect("sent");
    it.exp_string("+ ").expect("echoed");
    let saved = std::time::Instant::now();
    save(&copy);
    it.exp_string("reloaded units/smalltricks/spears.rhai (melee changed); board kept")
        .expect("the notice");
    println!("{name}: {} ms from save to notice", saved.elapsed().as_millis());
    assert!(saved.elapsed() < std::time::Duration::from_secs(8));
    // What was typed is still there.
    it.send_line("41").expect("typed");
    it.exp_string("42").expect("the whole line was read");
    line(&mut it, "c4", "2 decline");
    leave(it);
}

fn edited(copy: &Copy) -> String {
    let text = std::fs::read_to_string(copy.path("units/smalltricks/spears.rhai")).expect("it is there");
    text.replace("fn melee(me) {", "fn melee(me) {\n    let twice = 2;")
}

#[test]
fn a_save_is_told_at_the_prompt_without_disturbing_what_is_typed() {
    saved_while_typing("written in place", |copy| {
        let text = edited(copy);
        copy.write("units/smalltricks/spears.rhai", text);
    });
}

#[test]
fn so_is_a_save_by_renaming() {
    saved_while_typing("renamed", |copy| {
        let text = edited(copy);
        copy.write("units/smalltricks/spears.rhai.new", text);
        let from = copy.path("units/smalltricks/spears.rhai.new");
        std::fs::rename(from, copy.path("units/smalltricks/spears.rhai")).expect("renamed");
    });
}

#[test]
fn a_broken_save_shows_its_page_and_tab_still_completes() {
    let copy = Copy::of_rules();
    let mut it = start(&copy);
    ready();
    it.send(":uni").expect("typed");
    it.flush().expect("sent");
    it.exp_string(":uni").expect("echoed");
    copy.replace(
        "units/smalltricks/spears.rhai",
        "fn melee(me) {",
        "fn melee(me) {{",
    );
    it.exp_string("the last good rules stay in force")
        .expect("the page");
    ready();
    it.send("\t").expect("typed");
    it.flush().expect("sent");
    it.exp_string("units").expect("completed");
    line(&mut it, "", "place  life");
    leave(it);
}

#[test]
fn a_session_that_is_killed_goes_on_with_its_lines() {
    let copy = Copy::of_rules();
    let state = tempfile::tempdir().expect("a folder");
    let mut it = start_with(&copy, &["repl", "it"], state.path());
    line(&mut it, "red.mounted1", "18 stay");
    line(&mut it, "c4", "2 decline");
    line(&mut it, ":undo", "took back 1 answer");
    line(&mut it, "stay", "the line so far is kept");
    line(&mut it, ":set mounted.charge=3", "the board is kept");
    line(&mut it, ":branch careful", "this line is `careful` now");
    line(&mut it, ":undo", "took back 1 answer");
    it.process_mut().kill(Signal::SIGKILL).expect("killed");
    // Another start says so, and takes nothing away.
    let mut other = start_with(&copy, &["repl", "it"], state.path());
    other
        .exp_string("the session before was cut off; `rulebench repl --resume` goes on with it")
        .expect("the note");
    leave(other);
    let mut it = start_with(&copy, &["repl", "--resume"], state.path());
    it.exp_string("the session goes on where it was: 1 answer, 1 other line is kept")
        .expect("the note");
    it.exp_string("18 stay").expect("the question");
    line(&mut it, ":branch", "this line is `careful`");
    line(&mut it, ":redo", "gave 1 answer again");
    line(&mut it, "unit(\"red.mounted1\").charge * 100", "300");
    line(&mut it, ":switch 1-red.mounted1-c4", "now on");
    it.exp_string("the board is kept").expect("the rules differ");
    it.exp_string("2 decline").expect("the question");
    line(&mut it, ":quit", "the session is kept");
    it.exp_eof().expect("it ends");
}

#[test]
fn ctrl_c_stops_rules_that_never_end_and_the_prompt_goes_on() {
    let copy = Copy::of_endless_rules();
    let mut it = spawn(&copy, &["repl", "it"], &copy.path("state"));
    it.exp_string("1 now").expect("the first question");
    line(&mut it, "now", "1 now");
    ready();
    it.send_line("soon").expect("typed");
    std::thread::sleep(std::time::Duration::from_secs(1));
    it.send_control('c').expect("sent");
    it.exp_string("stopped by Ctrl-C").expect("it stops");
    line(&mut it, "1000 + 234", "1234");
    line(&mut it, ":undo", "took back 1 answer");
    leave(it);
}

#[test]
fn an_agent_that_thinks_long_tells_how_far_it_is_and_is_stopped_on_a_line_of_its_own() {
    let copy = Copy::of_rules();
    let mut it = start(&copy);
    for long in [true, false] {
        ready();
        it.send_line(":auto mcts:60s").expect("typed");
        match long {
            true => {
                let told = "mcts:60000ms thinks, playouts: ";
                it.exp_string(told).expect("how far it is");
                it.exp_string("Ctrl-C stops").expect("how it ends");
            }
            false => ready(),
        }
        it.send_control('c').expect("sent");
        let before = it.exp_string("stopped").expect("it stops");
        assert!(before.ends_with("\x1b[K"), "{before:?}");
        line(&mut it, "1000 + 234", "1234");
    }
    leave(it);
}

/// The answers of an agent are shown with their reason, and the agent plays on when a session that was cut off is
/// resumed.
#[test]
fn a_machine_plays_its_side_and_goes_on_when_the_session_is_resumed() {
    let copy = Copy::of_rules();
    let state = tempfile::tempdir().expect("a folder");
    let mut it = start_with(&copy, &["repl", "it"], state.path());
    line(&mut it, ":plays red mcts:20", "red: mcts:20");
    for told in [
        "red: ",
        ", because: ",
        " % in ",
        "of 20 playouts",
        "blue activates",
    ] {
        it.exp_string(told).unwrap_or_else(|e| panic!("{told}: {e}"));
    }
    it.process_mut().kill(Signal::SIGKILL).expect("killed");
    let mut it = start_with(&copy, &["repl", "--resume"], state.path());
    it.exp_string("the session goes on where it was")
        .expect("the note");
    line(&mut it, ":plays", "red: mcts:20");
    // Blue answers at random until it is red's turn again.
    for _ in 0..6 {
        ready();
        it.send_line(":auto random").expect("typed");
    }
    it.exp_string("of 20 playouts").expect("red plays on");
    line(&mut it, ":plays red me", "red: you");
    leave(it);
}
