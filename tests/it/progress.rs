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

#[test]
fn a_terminal_tells_how_far_it_has_come_and_ctrl_c_stops_it() {
    let copy = Copy::of_all();
    let mutate = command(&copy, &["mutate", "smalltricks"]);
    let mut it = spawn_command(mutate, Some(60_000)).expect("the command starts");
    it.exp_regex(r"scenarios: \d+ of \d+ \(\d+ s, Ctrl-C stops\)")
        .expect("it tells how far it has come");
    it.send_control('c').expect("sent");
    it.exp_regex(r"stopped before the end; done were scenarios: \d+ of \d+")
        .expect("it tells what was done");
    it.exp_eof().expect("it ends");
}

#[test]
fn what_was_done_until_then_is_printed_and_the_status_says_that_it_is_not_all() {
    let copy = Copy::of_all();
    let mut test = command(&copy, &["test"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    std::thread::sleep(Duration::from_millis(1500));
    let ran = Command::new("kill")
        .args(["-INT", &test.id().to_string()])
        .status();
    assert!(ran.is_ok_and(|status| status.success()));
    let began = Instant::now();
    let status = test.wait().expect("it ends");
    assert!(began.elapsed() < Duration::from_secs(20), "it did not stop");
    let read = |from: &mut dyn std::io::Read| {
        let mut text = String::new();
        from.read_to_string(&mut text).expect("text");
        text
    };
    let out = read(test.stdout.as_mut().expect("piped"));
    let err = read(test.stderr.as_mut().expect("piped"));
    assert_eq!(status.code(), Some(1), "{out}{err}");
    let passed = out.lines().filter(|line| line.starts_with("ok ")).count();
    assert!(
        passed > 0 && out.contains(&format!("{passed} passed, 0 failed")),
        "{out}"
    );
    // Nothing is told on the way where nobody looks.
    let told = format!("stopped before the end; done were scenarios: {passed} of ");
    assert!(err.starts_with(&told) && !err.contains('\r'), "{err}");
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
