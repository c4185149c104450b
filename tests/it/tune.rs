//! Dials that are turned until targets are met: a planted imbalance with a known cure, what cannot be met, interruption.

use crate::studies::fine;
use crate::support::{Copy, Ran};
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Two factions toss a coin that favours the first one. Of the other dials one moves a number, and one does nothing.
fn coin() -> Copy {
    let copy = Copy::of_nothing();
    copy.write(
        "scripts/coin/game.rhai",
        r#"
        fn board() { #{ factions: ["red", "blue"], hexes: [2, 2] } }
        fn dials() { #{ bias: number(16, 0, 20), bonus: number(0, 0, 6), idle: number(3, 1, 9), side: one_of("head", ["head", "tail"]) } }
        fn slots() { #{ faction: #{ sum: 0 } } }
        fn phases() { [
            #{ phase: "game", contest: "game", phases: [#{ phase: "toss", each: "game", step: "toss" }] },
        ] }
        fn toss() {
            if idle > 9 { win(second(), side); }
            for side in [first(), second()] { side.sum = roll(side, "dice", 2, 6).total + bonus; }
            if roll(first(), "coin", 1, 20).total <= bias { win(first(), "toss"); } else { win(second(), "toss"); }
        }
        fn measures(side) { #{ sum: side.sum } }
        "#,
    );
    copy
}

/// The cure is `bias=10`: 9 and 11 lie at the limits of the target.
const FAIR: &str = "first faction wins 46 to 54 %";

fn tune(copy: &Copy, more: &[&str]) -> Ran {
    copy.run(&[&["tune", "coin"], more].concat())
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.page()))
}

#[test]
fn a_planted_imbalance_is_cured_by_the_one_dial_that_can() {
    let copy = coin();
    let dials = "bias=6..16,idle=1..5,side=tail";
    let args = ["--dials", dials, "--target", FAIR, "--games", "4000"];
    let ran = tune(&copy, &args);
    fine(&ran);
    assert!(
        ran.out
            .starts_with("110 settings of bias, idle, side; those that come nearest play 4000 games of coin")
            && ran.out.contains("\nbias=10 meets the target\n"),
        "{}",
        ran.page()
    );
    let found = json(&tune(&copy, &[&args[..], &["--json"]].concat()));
    assert_eq!(found["verdict"], "met");
    assert_eq!(found["best"][0]["dials"], serde_json::json!({ "bias": 10 }));
    assert_eq!(found["best"][0]["steps"], 6);
    assert_eq!(found["settings"], 110);
    // The game as it is stands below the best ones.
    let best = found["best"].as_array().expect("settings");
    let last = best.last().expect("there are some");
    assert!(
        last["setting"] == "as it is" && last["verdict"] == "missed",
        "{last}"
    );
    // Two targets need two dials.
    let both = [&args[..], &["--target", "sum 8.8 to 9.2"]].concat();
    let both = [&both[..], &["--dials", "bonus=1..3", "--most-changes", "2"]].concat();
    let ran = tune(&copy, &both);
    fine(&ran);
    assert!(
        ran.out.contains("\nbias=10, bonus=2 meets both targets\n"),
        "{}",
        ran.page()
    );
    assert!(ran.out.contains("what else changes"), "{}", ran.page());
}

#[test]
fn a_game_that_meets_its_targets_needs_no_change() {
    let copy = coin();
    let args = [
        "--dials",
        "bias=9..12",
        "--target",
        "first faction wins at least 70 %",
        "--games",
        "400",
    ];
    let ran = tune(&copy, &args);
    fine(&ran);
    assert!(
        ran.out
            .contains("the game meets the target as it is: nothing needs to change"),
        "{}",
        ran.page()
    );
}

#[test]
fn a_target_that_no_setting_meets_is_missed_by_the_nearest() {
    let copy = coin();
    let args = [
        "--dials",
        "bias=14..20,idle=1..4",
        "--target",
        FAIR,
        "--games",
        "1000",
    ];
    let ran = tune(&copy, &args);
    assert_eq!(ran.status, 1, "{}", ran.page());
    // A share of 70 % is 16 points above the range.
    let line = ran
        .out
        .lines()
        .find(|line| line.starts_with("no setting in this range"));
    let line = line.unwrap_or_else(|| panic!("{}", ran.page()));
    let rest = line.strip_prefix("no setting in this range meets the target; the nearest is bias=14");
    let (_, by) = rest.and_then(|rest| rest.split_once(" by ")).expect("it is said");
    let ends: Vec<f64> = by.split(' ').filter_map(|word| word.parse().ok()).collect();
    assert!(ends.len() == 2 && ends[0] < 16.0 && 16.0 < ends[1], "{line}");
    assert_eq!(
        json(&tune(&copy, &[&args[..], &["--json"]].concat()))["verdict"],
        "missed"
    );
}

#[test]
fn few_games_do_not_decide() {
    let copy = coin();
    let args = ["--dials", "bias=10,15", "--target", FAIR, "--games", "200"];
    let ran = tune(&copy, &args);
    assert_eq!(ran.status, 1, "{}", ran.page());
    assert!(
        ran.out
            .contains("cannot tell yet: bias=10 may meet the target; about ")
            && ran.out.contains(" more games"),
        "{}",
        ran.page()
    );
}

#[test]
fn a_study_names_dials_and_targets_and_what_is_typed_goes_before() {
    let copy = coin();
    let study = format!(
        "game = \"coin\"\ngames = 4000\ndials = {{ idle = 2 }}\ntargets = [\"{FAIR}\"]\ntune = [\"bias=8..12\"]\n"
    );
    copy.write("studies/coin/fair.toml", study);
    let ran = copy.run(&["tune", "fair"]);
    fine(&ran);
    assert!(
        ran.out.contains("4000 games of coin with idle=2, random agents")
            && ran.out.contains("\nbias=10 meets"),
        "{}",
        ran.page()
    );
    let typed = copy.run(&[
        "tune", "fair", "--dials", "bias=8,9", "--games", "100", "--seed", "5",
    ]);
    assert!(
        typed
            .out
            .starts_with("3 settings of bias; those that come nearest play 100 games")
            && typed.out.contains("seed 5"),
        "{}",
        typed.page()
    );
}

/// The files of a folder, by name.
fn files(copy: &Copy, folder: &str) -> BTreeMap<String, String> {
    let all = std::fs::read_dir(copy.path(folder))
        .expect("it is there")
        .flatten();
    all.map(|file| {
        let text = std::fs::read_to_string(file.path()).expect("text");
        (file.file_name().to_string_lossy().into_owned(), text)
    })
    .collect()
}

/// Dials, target and games that take a few seconds.
const LONG: [&str; 8] = [
    "--dials",
    "bias=8..15,idle=1..4",
    "--target",
    FAIR,
    "--games",
    "1500",
    "--seed",
    "3",
];

#[test]
fn threads_change_nothing_and_an_interrupted_search_goes_on_to_the_same_result() {
    let copy = coin();
    let with = |more: &[&str]| tune(&copy, &[&LONG[..], more].concat());
    let whole = with(&["--threads", "1", "--out", "one"]);
    let two = with(&["--threads", "2", "--out", "two"]);
    assert_eq!(whole.page(), two.page());
    assert_eq!(files(&copy, "one"), files(&copy, "two"));
    for (signal, folder) in [("-INT", "stopped"), ("-KILL", "killed")] {
        let mut it = Command::new(env!("CARGO_BIN_EXE_rulebench"))
            .args([&["tune", "coin"][..], &LONG, &["--out", folder]].concat())
            .current_dir(copy.path("."))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let path = copy.path(&format!("{folder}/asitis.jsonl"));
        for _ in 0..2000 {
            if std::fs::metadata(&path).is_ok_and(|about| about.len() > 30_000) {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let killed = Command::new("kill").args([signal, &it.id().to_string()]).status();
        assert!(killed.is_ok_and(|status| status.success()));
        let status = it.wait().expect("it ends").code();
        let kept = files(&copy, folder);
        assert!(kept != files(&copy, "one"), "{signal} came too late");
        if signal == "-INT" {
            assert_eq!(status, Some(1));
        }
        let resumed = with(&["--out", folder, "--resume"]);
        assert_eq!(resumed.page(), whole.page());
        assert_eq!(files(&copy, folder), files(&copy, "one"));
    }
    // Its files are results files like others, and are not written over.
    fine(&copy.run(&["sim", "replay", "one/bias=10.jsonl", "7"]));
    assert_eq!(
        copy.problems(&[&["tune", "coin"][..], &LONG, &["--out", "one"]].concat()),
        ["existing-file(one/asitis.jsonl)"]
    );
    let other = [&["tune", "coin"][..], &LONG[..6], &["--out", "one", "--resume"]].concat();
    assert_eq!(
        copy.problems(&other),
        ["other-study(one/asitis.jsonl, its seed is 3, not 1)"]
    );
}

#[test]
fn a_search_that_is_stopped_tells_what_came_nearest_so_far() {
    let copy = coin();
    let mut it = Command::new(env!("CARGO_BIN_EXE_rulebench"))
        .args([
            "tune",
            "coin",
            "--dials",
            "bias=8..15,idle=1..4",
            "--target",
            FAIR,
        ])
        .args(["--games", "100000000", "--json", "--out", "long"])
        .current_dir(copy.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let path = copy.path("long/asitis.jsonl");
    for _ in 0..2000 {
        if std::fs::metadata(&path).is_ok_and(|about| about.len() > 30_000) {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-INT", &it.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let _ = it.stdin.take();
    let ended = it.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&ended.stdout).expect("JSON");
    assert_eq!(found["stopped"], true);
    assert!(found["verdict"].is_null(), "{found}");
    let conclusion = found["conclusion"][0].as_str().unwrap_or_default();
    assert!(conclusion.starts_with("stopped in round 1 of"), "{conclusion}");
    assert!(!found["best"].as_array().expect("settings").is_empty(), "{found}");
}

#[test]
fn bad_input_is_told_before_anything_is_played() {
    let copy = coin();
    let target = ["--target", FAIR];
    let mut told = String::new();
    for args in [
        &["--dials", "bias=6..16"][..],
        &[&target[..], &[]].concat(),
        &[&target[..], &["--dials", "bais=6..16"]].concat(),
        &[&target[..], &["--dials", "bias"]].concat(),
        &[&target[..], &["--dials", "bias=6..90"]].concat(),
        &[&target[..], &["--dials", "bias=6..16,bias=3"]].concat(),
        &[&target[..], &["--dials", "side=1..3"]].concat(),
        &[&target[..], &["--dials", "bias=0..20,bonus=0..6,idle=1..9"]].concat(),
        &["--dials", "bias=6..16", "--target", "few draws"],
        &[
            "--dials",
            "bias=6..16",
            "--target",
            "drawn at most 5 %",
            "--games",
            "40",
        ],
        &[
            "--dials",
            "bias=6..16",
            "--target",
            "draws at most 0.5",
            "--games",
            "40",
        ],
        &[&target[..], &["--dials", "bias=6..16", "--games", "0"]].concat(),
    ] {
        let ran = tune(&copy, args);
        assert!(ran.out.is_empty(), "{}", ran.page());
        told += &format!(
            "$ tune coin {}\nexit {}\n{}\n",
            args.join(" "),
            ran.status,
            ran.err
        );
    }
    insta::assert_snapshot!(told);
}
