//! Long work: how far it has come is told on a terminal and nowhere else, and Ctrl-C stops it with what it has.

use crate::support::{Copy, root, run_in};
use rexpect::session::spawn_command;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn command(copy: &Copy, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rulebench"));
    command
        .args(args)
        .current_dir(copy.path("."))
        .env("NO_COLOR", "1");
    command
}

/// Maximum time that a stopped command may go on before it is killed.
const MOST: Duration = Duration::from_secs(20);

/// Runs a command that Ctrl-C stops after a while, and returns its output, its exit code and the time it took to end.
fn interrupted(copy: &Copy, args: &[&str]) -> ([String; 2], Option<i32>, Duration) {
    let mut it = command(copy, args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    std::thread::sleep(Duration::from_millis(1500));
    let ran = Command::new("kill").args(["-INT", &it.id().to_string()]).status();
    assert!(ran.is_ok_and(|status| status.success()));
    let began = Instant::now();
    while began.elapsed() < MOST && it.try_wait().expect("it is there").is_none() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let took = began.elapsed();
    // It may have ended.
    let _ = it.kill();
    let ended = it.wait_with_output().expect("it ends");
    let told = [ended.stdout, ended.stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
    (told, ended.status.code(), took)
}

#[test]
fn a_terminal_tells_how_far_it_has_come_and_ctrl_c_stops_it() {
    let copy = Copy::of_all();
    let mutate = command(&copy, &["mutate", "smalltricks"]);
    let mut it = spawn_command(mutate, Some(60_000)).expect("the command starts");
    it.exp_regex(r"[a-z ]+: \d+ of \d+ \(\d+ s, Ctrl-C stops\)")
        .expect("it tells how far it has come");
    it.send_control('c').expect("sent");
    it.exp_regex(r"stopped before the end; done were [a-z ]+: \d+ of \d+")
        .expect("it tells what was done");
    it.exp_eof().expect("it ends");
}

#[test]
fn what_was_done_until_then_is_printed_and_the_status_says_that_it_is_not_all() {
    let copy = Copy::of_all();
    let ([out, err], status, took) = interrupted(&copy, &["test"]);
    assert!(took < MOST, "it did not stop");
    assert_eq!(status, Some(1), "{out}{err}");
    let passed = out.lines().filter(|line| line.starts_with("ok ")).count();
    assert!(
        passed > 0 && out.contains(&format!("{passed} passed, 0 failed")),
        "{out}"
    );
    // Nothing is told on the way where nobody looks.
    let told = format!("stopped before the end; done were scenarios: {passed} of ");
    assert!(err.starts_with(&told) && !err.contains('\r'), "{err}");
}

/// A study plays a game before it begins, to see that it can.
#[test]
fn the_first_game_of_a_study_can_be_stopped() {
    let copy = Copy::of_all();
    let long = ["smashdodes", "--agent", "mcts:2000000", "--games", "2"];
    let ([out, err], status, took) = interrupted(&copy, &[&["sim"], &long[..]].concat());
    assert!(took < MOST, "it did not stop");
    assert_eq!((status, out.as_str()), (Some(1), ""), "{err}");
    assert!(
        err.contains("stopped before the end; done were first games: 0 of 1"),
        "{err}"
    );
    let sim = command(&copy, &[&["sim"], &long[..]].concat());
    let mut it = spawn_command(sim, Some(60_000)).expect("the command starts");
    it.exp_regex(r"first games: 0 of 1 \(\d+ s, Ctrl-C stops\)")
        .expect("it tells that it plays");
    it.send_control('c').expect("sent");
    it.exp_eof().expect("it ends");
}

/// A report that is half done tells what is not so.
#[test]
fn a_report_that_is_stopped_leaves_the_one_that_is_there() {
    let copy = Copy::of_all();
    copy.write("rp.md", "good").write("rp.html", "good");
    let ([out, err], status, took) = interrupted(&copy, &["report", "smalltricks", "--out", "rp"]);
    assert!(took < MOST, "it did not stop");
    assert_eq!((status, out.as_str()), (Some(1), ""), "{err}");
    assert!(
        err.contains("no report is written") && err.contains("tweaks: 0 of "),
        "{err}"
    );
    for file in ["rp.md", "rp.html"] {
        assert_eq!(
            std::fs::read_to_string(copy.path(file)).expect("it is there"),
            "good"
        );
    }
}

#[test]
fn what_a_tweak_changes_is_not_told_where_nobody_looked() {
    let copy = Copy::of_all();
    let args = ["variants", "smalltricks", "--changes", "--json"];
    let ([out, err], status, took) = interrupted(&copy, &args);
    assert!(took < MOST && status == Some(1), "{err}");
    let all: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    for variant in all["variants"].as_array().expect("variants") {
        let (looked, all) = (&variant["scenario_count"], &variant["scenarios_in_all"]);
        assert!(looked.as_u64() < all.as_u64(), "{variant}");
        assert_eq!(*looked == 0, variant["changes"].is_null(), "{variant}");
    }
    assert_eq!(all["stopped"], true, "{out}");
}

#[test]
fn matchups_that_are_stopped_say_how_many_games_were_played() {
    let copy = Copy::of_rules();
    let types = ["matchups", "smalltricks", "--types", "spears,archers"];
    let args = [&types[..], &["--games", "1000000"]].concat();
    let ([out, err], status, took) = interrupted(&copy, &args);
    assert!(took < MOST && status == Some(1), "{err}");
    assert!(!out.starts_with("1000000 games"), "{out}");
    assert!(
        out.contains("; 1000000 were to be played for each pair of types"),
        "{out}"
    );
    assert!(!out.contains("of the games between types"), "{out}");
    // Their data says it.
    let args = [&args[..], &["--json"]].concat();
    let ([out, err], status, _) = interrupted(&copy, &args);
    let found: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert!(status == Some(1) && found["stopped"] == true, "{out}{err}");
}

/// The game that is stopped has no units yet: that is no fault of it.
#[test]
fn a_ladder_that_is_stopped_tells_of_the_games_that_are_over() {
    let copy = Copy::of_all();
    let agents = ["ladder", "smalltricks", "--agents", "first,random"];
    let args = [&agents[..], &["--games", "50000"]].concat();
    let ([out, err], _, took) = interrupted(&copy, &args);
    assert!(took < MOST, "it did not stop");
    assert!(err.contains("stopped before the end"), "{out}{err}");
    assert!(out.contains("first : random"), "{out}{err}");
    // Games that were cut off are not done, and a seed tells something when both of its games are.
    let games = out
        .strip_prefix("smalltricks: ")
        .and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok());
    let games = games.unwrap_or_default();
    let done = [games, games + 1].map(|done| format!("games: {done} of 50000"));
    assert!(
        games > 0 && done.iter().any(|done| err.contains(done)),
        "{out}{err}"
    );
}

#[test]
fn ctrl_c_stops_rules_that_never_end_and_tells_where() {
    let copy = Copy::of_endless_rules();
    let ([out, err], status, took) = interrupted(&copy, &["test", "answered"]);
    assert!(took < Duration::from_secs(2), "it took {took:?}: {out}{err}");
    assert_eq!(status, Some(2), "{out}{err}");
    let place = "error: stopped by Ctrl-C\n  --> scripts/ford/game.rhai:";
    assert!(out.contains(place), "{out}");
    let done = "stopped before the end; done were scenarios: 0 of 1";
    assert!(err.starts_with(done), "{err}");
}

#[test]
fn tweaks_are_listed_at_once_and_what_they_change_only_when_asked() {
    let ran = run_in(root(), &["variants", "smalltricks"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(
        ran.out.contains("patches ") && !ran.out.contains("changes the outcome"),
        "{}",
        ran.out
    );
}
