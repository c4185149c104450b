//! Commands that write files: only regular files are replaced, nothing leads out of a workspace, and two writers at
//! once lose nothing.
#![cfg(unix)]

use crate::support::{Copy, Ran, run_in, run_in_with};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
use std::path::Path;

/// A workspace of its own in `mine`, and room beside it.
fn made() -> Copy {
    let folder = Copy::of_nothing();
    let ran = folder.run(&["new", "mine"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    folder
}

fn prompt(folder: &Copy, lines: &str) -> Ran {
    run_in_with(&folder.path("mine"), &["repl"], &format!("{lines}\n:quit\n"))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<String> = entries
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn what_is_no_regular_file_is_not_replaced() {
    let folder = made();
    let at = |name: &str| folder.path("mine").join(name);
    let made = std::process::Command::new("mkfifo").arg(at("pipe.svg")).status();
    assert!(made.expect("the system has mkfifo").success());
    let _socket = std::os::unix::net::UnixListener::bind(at("socket.svg")).expect("a socket");
    std::fs::create_dir(at("folder.svg")).expect("a folder");
    folder.write("outside.svg", "not yours");
    symlink("../outside.svg", at("link.svg")).expect("a link");
    symlink("nothing.svg", at("dangling.svg")).expect("a link");
    for (name, why) in [
        ("pipe.svg", "a device or a pipe"),
        ("socket.svg", "a device or a pipe"),
        ("folder.svg", "a folder"),
        ("link.svg", "a link to ../outside.svg"),
        ("dangling.svg", "a link to nothing.svg"),
    ] {
        for line in [format!(":save {name}"), format!(":board svg {name}")] {
            let ran = prompt(&folder, &line);
            let page = ran.flat();
            assert!(
                page.contains(why) || page.contains("is not a transcript"),
                "{line}: {page}"
            );
        }
        let ran = run_in(
            &folder.path("mine"),
            &["render", "two-warbands-meet", "--out", name],
        );
        assert!(ran.status != 0 && ran.flat().contains(why), "{}", ran.page());
    }
    let kind = |name: &str| {
        std::fs::symlink_metadata(at(name))
            .expect("it is there")
            .file_type()
    };
    assert!(kind("pipe.svg").is_fifo() && kind("socket.svg").is_socket());
    assert!(kind("link.svg").is_symlink() && kind("dangling.svg").is_symlink());
    assert_eq!(
        std::fs::read_to_string(folder.path("outside.svg")).expect("it is there"),
        "not yours"
    );
}

#[test]
fn a_link_leads_no_named_file_out_of_the_present_folder() {
    let folder = made();
    std::fs::create_dir(folder.path("outside")).expect("a folder");
    symlink("../outside", folder.path("mine/out")).expect("a link");
    let ran = prompt(&folder, ":save out/game.txt");
    assert!(
        ran.flat().contains("leads out of the present folder"),
        "{}",
        ran.page()
    );
    assert!(names(&folder.path("outside")).is_empty());
    // Whoever names the place itself means it.
    let ran = prompt(&folder, ":save ../outside/game.txt");
    assert!(ran.out.contains("saved to ../outside/game.txt"), "{}", ran.page());
    assert_eq!(names(&folder.path("outside")), ["game.txt"]);
}

#[test]
fn what_the_system_keeps_in_dev_is_written_into() {
    let folder = made();
    let before = std::fs::metadata("/dev/null").expect("it is there").file_type();
    let ran = prompt(&folder, ":save /dev/null");
    assert!(ran.out.contains("saved to /dev/null"), "{}", ran.page());
    let ran = prompt(&folder, ":save /dev/stdout");
    assert!(ran.out.contains("rulebench transcript"), "{}", ran.page());
    let after = std::fs::metadata("/dev/null").expect("it is there").file_type();
    assert!(before.is_char_device() && after.is_char_device());
}

#[test]
fn a_file_that_is_replaced_keeps_who_may_read_it() {
    let folder = made();
    assert!(prompt(&folder, ":save game.txt").out.contains("saved"));
    let file = folder.path("mine/game.txt");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).expect("it is ours");
    assert!(prompt(&folder, ":save game.txt").out.contains("saved"));
    let mode = std::fs::metadata(&file)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
    let left: Vec<String> = names(&folder.path("mine"));
    assert!(
        !left.iter().any(|name| name.starts_with(".rulebench")),
        "{left:?}"
    );
}

#[test]
fn no_folder_of_a_workspace_leads_snapshots_out_of_it() {
    let folder = made();
    std::fs::create_dir(folder.path("outside")).expect("a folder");
    std::fs::remove_dir_all(folder.path("mine/snapshots/ford")).expect("it is there");
    symlink("../../outside", folder.path("mine/snapshots/ford")).expect("a link");
    let ran = run_in(&folder.path("mine"), &["test"]);
    assert!(
        ran.flat().contains("leads out of the workspace"),
        "{}",
        ran.page()
    );
    assert!(names(&folder.path("outside")).is_empty(), "{}", ran.page());

    // What lies there already is neither accepted nor removed.
    let pending = "---\nsource: scenarios/ford/two-warbands-meet.toml\n---\nrulebench transcript\n";
    folder.write("outside/two-warbands-meet.snap.new", pending);
    for how in [&["accept", "--all"][..], &["accept"], &["test", "--accept"]] {
        run_in(&folder.path("mine"), how);
        assert_eq!(
            names(&folder.path("outside")),
            ["two-warbands-meet.snap.new"],
            "{how:?}"
        );
    }

    // A link that stays inside is one folder under another name.
    std::fs::remove_file(folder.path("mine/snapshots/ford")).expect("it is there");
    std::fs::create_dir(folder.path("mine/kept")).expect("a folder");
    symlink("../kept", folder.path("mine/snapshots/ford")).expect("a link");
    run_in(&folder.path("mine"), &["test"]);
    assert!(!names(&folder.path("mine/kept")).is_empty());
}

#[test]
fn no_link_of_a_workspace_leads_a_decision_or_a_variant_out_of_it() {
    let folder = made();
    let register = folder.path("mine/scripts/ford/tweaks.toml");
    symlink("../../../outside.toml", &register).expect("a link");
    let reject = ["variants", "reject", "steady-slings", "--reason", "no"];
    let ran = run_in(&folder.path("mine"), &reject);
    assert!(
        ran.flat().contains("leads out of the workspace"),
        "{}",
        ran.page()
    );
    folder.write("outside.toml", "# not yours\n");
    let ran = run_in(&folder.path("mine"), &reject);
    assert!(
        ran.flat().contains("leads out of the workspace"),
        "{}",
        ran.page()
    );
    let text = std::fs::read_to_string(folder.path("outside.toml")).expect("it is there");
    assert_eq!(text, "# not yours\n");
    std::fs::remove_file(register).expect("it is there");

    std::fs::create_dir(folder.path("outside")).expect("a folder");
    let variants = folder.path("mine/scripts/ford/variants");
    std::fs::remove_dir_all(&variants).expect("it is there");
    symlink("../../../outside", variants).expect("a link");
    let ran = run_in(&folder.path("mine"), &["variants", "new", "slower"]);
    assert!(
        ran.flat().contains("leads out of the workspace"),
        "{}",
        ran.page()
    );
    assert!(names(&folder.path("outside")).is_empty(), "{}", ran.page());
}

#[test]
fn only_regular_files_are_read() {
    let folder = made();
    let script = folder.path("mine/units/ford/slingers.rhai");
    for device in ["/dev/zero", "/dev/tty"] {
        std::fs::remove_file(&script).expect("it is there");
        symlink(device, &script).expect("a link");
        let ran = run_in(&folder.path("mine"), &["check"]);
        assert!(
            ran.flat().contains("leads out of the workspace"),
            "{}",
            ran.page()
        );
    }
    std::fs::remove_file(&script).expect("it is there");
    let piped = std::process::Command::new("mkfifo").arg(&script).status();
    assert!(piped.expect("the system has mkfifo").success());
    let ran = run_in(&folder.path("mine"), &["check"]);
    assert!(
        ran.flat().contains("slingers.rhai` is a device or a pipe"),
        "{}",
        ran.page()
    );
    // What never ends is given up when it is too long for a file.
    let endless = rulebench::report::Source::read("/dev/zero").map(|_| ());
    assert!(endless.is_err_and(|problem| problem.message.contains("too large to be read")));
}

#[test]
fn a_workspace_is_made_whole_or_not_at_all_and_can_be_made_again() {
    let folder = made();
    let all = names(&folder.path("mine"));
    assert_eq!(names(&folder.path(".")), ["mine"]);
    // What a run that was cut off has left is made whole.
    std::fs::remove_dir_all(folder.path("mine/units")).expect("it is there");
    std::fs::remove_file(folder.path("mine/scripts/ford/game.rhai")).expect("it is there");
    folder.write("mine/units/.rulebench-0123456789abcdef", "half");
    let ran = folder.run(&["new", "mine"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert_eq!(names(&folder.path("mine")), all);
    assert!(folder.path("mine/scripts/ford/game.rhai").is_file());
    // What somebody has written since is not overwritten.
    folder.write("mine/scripts/ford/game.rhai", "// mine\n");
    let ran = folder.run(&["new", "mine"]);
    assert!(
        ran.status == 2 && ran.err.contains("scripts/ford/game.rhai"),
        "{}",
        ran.page()
    );

    // Where it cannot be made nothing is left.
    folder.write("file", "");
    let ran = folder.run(&["new", "file/mine"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    assert_eq!(names(&folder.path(".")), ["file", "mine"]);
}

#[test]
fn many_who_decide_at_once_lose_no_decision() {
    const EACH: usize = 9;
    const PROCESSES: usize = 8;
    let folder = made();
    let variant = "fn about() { #{} }\nfn ford() { place(\"c3\") }\n";
    let name = |process: usize, nth: usize| format!("idea-{process}-{nth}");
    for process in 0..PROCESSES {
        for nth in 0..EACH {
            let path = format!("mine/scripts/ford/variants/{}.rhai", name(process, nth));
            folder.write(&path, variant);
        }
    }
    let decide = |process: usize| {
        for nth in 0..EACH {
            let args = ["variants", "reject", &name(process, nth), "--reason", "no"];
            let ran = run_in(&folder.path("mine"), &args);
            assert_eq!(ran.status, 0, "{}", ran.page());
        }
    };
    std::thread::scope(|scope| {
        for process in 0..PROCESSES {
            scope.spawn(move || decide(process));
        }
    });
    let register = std::fs::read_to_string(folder.path("mine/scripts/ford/tweaks.toml")).expect("written");
    assert_eq!(
        register.matches("state = \"rejected\"").count(),
        EACH * PROCESSES,
        "{register}"
    );
}

/// Returns the number of times that a session is killed; `KILLS` sets another number.
fn kills() -> u64 {
    std::env::var("KILLS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(12)
}

#[test]
fn a_session_that_is_killed_at_any_moment_keeps_what_it_has_told() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let copy = Copy::of_rules();
    let scenario = "game = \"smalltricks\"\nunits.red = [\"mounted c3\", \"archers a1\"]\n\
                    units.blue = [\"spears c4\", \"cannons f6\"]\n";
    copy.write("scenarios/smalltricks/it.toml", scenario);
    for nth in 0..kills() {
        let journal = format!("kept-{nth}");
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_rulebench"))
            .args(["repl", "it", "--journal", &journal])
            .current_dir(copy.path("."))
            .env("NO_COLOR", "1")
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("it starts");
        let mut input = child.stdin.take().expect("a pipe");
        // A line that says so follows every answer.
        let lines: String = (0..40).map(|n| format!("1\n\"told\" + {n}\n")).collect();
        input.write_all(lines.as_bytes()).expect("written");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut told = 0;
        let mut killed = false;
        for line in output.lines().map_while(Result::ok) {
            told += usize::from(line.starts_with("told"));
            if told > nth as usize % 5 && !killed {
                killed = true;
                // Anywhere in what comes next.
                std::thread::sleep(std::time::Duration::from_millis(nth * 7 % 60));
                child.kill().expect("it runs");
            }
        }
        child.wait().expect("it ends");
        drop(input);
        assert!(killed, "it told {told} answers");
        let ran = run_in_with(
            &copy.path("."),
            &["repl", "--resume", "--journal", &journal],
            ":quit\n",
        );
        let kept = ran.out.split("the session goes on where it was: ").nth(1);
        let kept: Option<usize> = kept.and_then(|k| k.split(' ').next()?.parse().ok());
        assert!(
            kept.is_some_and(|kept| kept >= told),
            "{told} told\n{}",
            ran.page()
        );
    }
}

#[test]
fn what_is_expected_by_hand_is_kept() {
    let copy = Copy::of_all();
    let typed = |args: &[&str], lines: &str| {
        let args = [&["repl"], args, &["--journal", "kept"]].concat();
        run_in_with(&copy.path("."), &args, lines).out
    };
    let lines = ":expect 2 == 2\nblue.spears1\n:seed 5\n:restart\n";
    typed(&["charge-into-spears"], lines);
    let told = typed(&["--resume"], ":expect\n");
    assert!(told.contains("4 2 == 2\n    true now, not in the file"), "{told}");
    assert!(
        !told.contains("\n5 ") && told.contains("1 unit(\"red.mounted1\").life == 3\n"),
        "{told}"
    );
}

#[test]
fn a_session_under_a_variant_that_names_another_goes_on() {
    let copy = Copy::of_all();
    let typed = |args: &[&str], lines: &str| {
        let args = [&["repl"], args].concat();
        run_in_with(&copy.path("."), &args, lines)
    };
    for (nth, (args, lines)) in [
        (
            &["pocket-tactics", "--variant", "hops-cost-two"][..],
            ":auto random 9\n",
        ),
        (
            &["pocket-tactics"],
            ":auto random 6\n:with hops-cost-two\n:auto random 3\n",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let journal = format!("kept-{nth}");
        typed(
            &[args, &["--journal", &journal]].concat(),
            &format!("{lines}:save before\n"),
        );
        let ran = typed(&["--resume", "--journal", &journal], ":save after\n");
        let read = |name: &str| std::fs::read_to_string(copy.path(name)).unwrap_or_default();
        assert!(
            read("before") == read("after") && !read("after").is_empty(),
            "{}",
            ran.page()
        );
    }
}

/// A limit on the size of files is told like a full disk, and no signal ends the program.
#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    let copy = Copy::of_rules();
    let ran = std::process::Command::new("sh")
        .args([
            "-c",
            "ulimit -f 1; exec \"$0\" sim smalltricks --games 50 --out games.jsonl",
        ])
        .arg(env!("CARGO_BIN_EXE_rulebench"))
        .current_dir(copy.path("."))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(2), "{told}");
    assert!(
        told.contains("games.jsonl") && told.contains("File too large"),
        "{told}"
    );
}
