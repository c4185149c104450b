//! `cargo xtask bench` counts the processor's instructions for a decision of random games, and compares them with those
//! of `benches/instructions.json`. A count is the same to 0.1 % on a busy machine, but another compiler or C library
//! changes it: the tolerance is for what they do.

use crate::{build, cargo, root, target_folder};
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

pub const USAGE: &str = "cargo xtask bench [--accept | --growth]";
const BASELINE: &str = "benches/instructions.json";
/// Highest part of the baseline that is not too much, in thousandths.
const LIMIT: u64 = 1020;
/// Lowest part of the baseline at which it need not be renewed, in thousandths.
const RENEW: u64 = 980;
/// Lets the C library copy and compare memory in the same way on every processor.
const PLAIN_LIBRARY: &str = "glibc.cpu.hwcaps=-AVX2,-AVX,-ERMS,-FSRM,-AVX_Fast_Unaligned_Load";
/// Game, workspace, and two numbers of games: the instructions between them are those of the games alone.
const GAMES: [(&str, &str, &str, &str); 6] = [
    ("smalltricks", ".", "--games=20", "--games=220"),
    ("pocket-tactics", ".", "--games=10", "--games=60"),
    ("the-wager", ".", "--games=2", "--games=10"),
    ("very-quick-violence", ".", "--games=4", "--games=24"),
    ("smashdodes", ".", "--games=1", "--games=4"),
    ("skirmish", "examples/skirmish", "--games=20", "--games=220"),
];

/// Sizes of a board of squares and numbers of units with which `--growth` counts.
const GROWTH: [(usize, usize); 7] = [
    (8, 10),
    (16, 10),
    (32, 10),
    (64, 10),
    (64, 50),
    (64, 200),
    (64, 1000),
];

/// Counts, and compares with the baseline or with `--accept` writes it anew. With `--growth`, counts for boards of
/// several sizes instead. Exit status 1 if a count is too high, 2
/// without Valgrind or with wrong options.
pub fn run(options: impl Iterator<Item = OsString>) -> Result<ExitCode, Box<dyn Error>> {
    let options: Vec<OsString> = options.collect();
    let (accepts, grows) = (options == ["--accept"], options == ["--growth"]);
    if !accepts && !grows && !options.is_empty() {
        eprintln!("usage: {USAGE}");
        return Ok(ExitCode::from(2));
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("skipped: there is no Valgrind here\nhelp: on Debian `apt-get install valgrind`");
        return Ok(ExitCode::from(2));
    }
    build(cargo().args(["build", "--locked", "--release", "--bin=rulebench"]))?;
    let binary = target_folder()?.join("release/rulebench");
    if grows {
        return growth(&binary);
    }
    let path = root()?.join(BASELINE);
    let baseline: BTreeMap<String, u64> = match std::fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text)?,
        Err(_) => BTreeMap::new(),
    };
    println!(
        "{:<20} {:>10} {:>10} {:>6}",
        "instructions", "a decision", "baseline", "ratio"
    );
    let (mut counts, mut worst, mut least) = (BTreeMap::new(), 0, u64::MAX);
    for (game, workspace, few, many) in GAMES {
        let workspace = root()?.join(workspace);
        let workspace = format!("--workspace={}", workspace.display());
        let count = count(&binary, &[game, &workspace], few, many)?;
        let ratio = baseline.get(game).map(|before| count * 1000 / before.max(&1));
        println!(
            "{game:<20} {count:>10} {:>10} {:>6}",
            baseline.get(game).map_or("none".into(), u64::to_string),
            ratio.map_or(String::new(), |r| format!("{}.{:03}", r / 1000, r % 1000))
        );
        worst = worst.max(ratio.unwrap_or(u64::MAX));
        least = least.min(ratio.unwrap_or(u64::MAX));
        counts.insert(game, count);
    }
    if accepts {
        std::fs::write(&path, serde_json::to_string_pretty(&counts)? + "\n")?;
        println!("{BASELINE} is written anew");
    } else if worst > LIMIT {
        eprintln!(
            "error: a game takes over {} % more instructions than its baseline, or has none\n\
             help: if there is a reason, or with another compiler, `cargo xtask bench --accept` writes {BASELINE} anew",
            (LIMIT - 1000) / 10
        );
        return Ok(ExitCode::FAILURE);
    } else if least < RENEW {
        println!("note: `cargo xtask bench --accept` keeps what was gained");
    }
    Ok(ExitCode::SUCCESS)
}

/// Counts for one small game on boards of several sizes, with several numbers of units.
fn growth(binary: &Path) -> Result<ExitCode, Box<dyn Error>> {
    for (size, units) in GROWTH {
        let folder = target_folder()?.join(format!("growth/{size}-{units}"));
        let rules = include_str!("growth.rhai")
            .replace("SIZE", &size.to_string())
            .replace("UNITS", &(units / 2).to_string());
        let guards = "fn stats() { #{ symbol: \"G\" } }\n";
        for (file, text) in [
            ("scripts/growth/game.rhai", rules.as_str()),
            ("units/growth/guards.rhai", guards),
        ] {
            let file = folder.join(file);
            std::fs::create_dir_all(file.parent().ok_or("it is in a folder")?)?;
            std::fs::write(file, text)?;
        }
        let workspace = format!("--workspace={}", folder.display());
        let rounds = |least: usize| format!("--set=rounds={}", least + 400 / units);
        let games = ["growth", &workspace, "--games=2"];
        let count = count(binary, &games, &rounds(1), &rounds(4 + 400 / units))?;
        println!("{size:>2} by {size:<2} squares, {units:>4} units: {count:>7} instructions a decision");
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the number of instructions for a decision of these games: what many of them take more than few, which is
/// neither the start of the program nor its end.
fn count(binary: &Path, games: &[&str], few: &str, many: &str) -> Result<u64, Box<dyn Error>> {
    let play = |number: &str| -> Result<(u64, u64), Box<dyn Error>> {
        let arguments = |mut command: Command| {
            command
                .arg("sim")
                .args(games)
                .args(["--threads=1", "--seed=5", number]);
            command
        };
        let results = target_folder()?.join("bench-games.jsonl");
        let played = arguments(Command::new(binary))
            .arg("--out")
            .arg(&results)
            .output()?;
        if !played.status.success() {
            return Err(String::from_utf8_lossy(&played.stderr).into());
        }
        let text = std::fs::read_to_string(&results)?;
        std::fs::remove_file(&results)?;
        let decisions = text
            .lines()
            .map(|line| {
                Ok(serde_json::from_str::<Value>(line)?["decisions"]
                    .as_u64()
                    .unwrap_or(0))
            })
            .sum::<Result<u64, serde_json::Error>>()?;

        let mut valgrind = Command::new("valgrind");
        valgrind
            .env("GLIBC_TUNABLES", PLAIN_LIBRARY)
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(binary);
        let counted = arguments(valgrind).output()?;
        let told = String::from_utf8_lossy(&counted.stderr);
        let collected = told.lines().find_map(|line| line.split_once("Collected : "));
        match collected.and_then(|(_, number)| number.trim().parse().ok()) {
            Some(instructions) if counted.status.success() => Ok((instructions, decisions)),
            _ => Err(format!("Valgrind counted nothing:\n{told}").into()),
        }
    };
    let (few, many) = (play(few)?, play(many)?);
    if many.1 <= few.1 {
        return Err(format!("{games:?}: no decision more in more games").into());
    }
    Ok(many.0.saturating_sub(few.0) / (many.1 - few.1))
}
