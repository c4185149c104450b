//! The profile of whole games with which `cargo xtask dist` builds: a first binary counts what it runs, plays games, and
//! the compiler arranges the second one by these counts.
//!
//! Counts belong to symbols, and cargo makes their names from the path of the compiler's wrapper, among others. So both
//! builds have this program as their wrapper, and a variable that cargo does not look at says which of them it is. If the
//! names differ nevertheless, the compiler finds counts for no function; that is counted and refused.

use crate::{build, print, root, target_folder};
use std::error::Error;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// With this variable this program is the compiler's wrapper. Its value is [`COUNT`], or the file of the profile.
const VARIABLE: &str = "XTASK_PROFILE";
const COUNT: &str = "count";
/// The crates that play games; those with a profile, and with a count of what runs.
const CRATES: [&str; 4] = [
    "rulebench_kernel",
    "rulebench_grounds",
    "rulebench_rules",
    "rulebench_play",
];
/// Part of the compiler's warning of a function for which the profile has no counts.
const UNKNOWN: &str = "o profile data available for function";
/// What the first binary runs.
const RUNS: &str = "
    sim smalltricks --games 5000 --threads 1
    sim pocket-tactics --games 1500 --threads 1
    sim very-quick-violence --games 300 --threads 1
    sim the-wager --games 80 --threads 1
    sim smashdodes --games 6 --threads 1
    sim skirmish --games 5000 --workspace examples/skirmish --threads 1
    sim smalltricks --games 2 --agent mcts:50 --threads 1
    sim pocket-tactics --games 2 --agent mcts:20 --threads 1
    odds charge-into-spears --sample 200000
    odds archer-against-footman-in-the-keep --grid
";

/// Runs the compiler as its wrapper; `None` if this program is none.
pub fn wrap(mut args: impl Iterator<Item = OsString>) -> Option<Result<ExitCode, Box<dyn Error>>> {
    let profile = std::env::var_os(VARIABLE)?;
    let mut rustc = Command::new(args.next()?);
    rustc.args(args);
    Some(compile(rustc, profile))
}

fn compile(mut rustc: Command, profile: OsString) -> Result<ExitCode, Box<dyn Error>> {
    let args: Vec<&str> = rustc.get_args().filter_map(|arg| arg.to_str()).collect();
    let value = |option: &str| args.windows(2).find(|pair| pair[0] == option).map(|pair| pair[1]);
    let name = value("--crate-name").unwrap_or_default();
    let (is_program, is_profiled) = (value("--crate-type") == Some("bin"), CRATES.contains(&name));
    let name = name.to_owned();
    if profile == COUNT {
        // The program itself brings what writes the counts at its end.
        if is_profiled || is_program {
            rustc.arg("-Cprofile-generate");
        }
        return status(&mut rustc);
    }
    if !is_profiled {
        return status(&mut rustc);
    }
    let mut option = OsString::from("-Cprofile-use=");
    option.push(&profile);
    rustc.arg(option).arg("-Cllvm-args=-pgo-warn-missing-function");
    let mut child = rustc.stderr(Stdio::piped()).spawn()?;
    let mut unknown = 0;
    for line in BufReader::new(child.stderr.take().ok_or("there is no output")?).lines() {
        let line = line?;
        match line.contains(UNKNOWN) {
            true => unknown += 1,
            false => eprintln!("{line}"),
        }
    }
    let mut list = std::fs::File::options()
        .append(true)
        .create(true)
        .open(unknown_of(Path::new(&profile)))?;
    writeln!(list, "{name} {unknown}")?;
    match child.wait()?.success() {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(ExitCode::FAILURE),
    }
}

fn status(rustc: &mut Command) -> Result<ExitCode, Box<dyn Error>> {
    match rustc.status()?.success() {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(ExitCode::FAILURE),
    }
}

/// Returns the file with the number of functions without counts for each crate.
fn unknown_of(profile: &Path) -> PathBuf {
    profile.with_extension("unknown")
}

/// Returns the program that joins counts, of the compiler's version of LLVM; else the error that says how to get it.
pub fn joiner() -> Result<PathBuf, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let text = |program: &Path, option: &str| {
        let output = Command::new(program).arg(option).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let version = text(Path::new(&rustc), "-vV").unwrap_or_default();
    let major = version
        .lines()
        .find_map(|line| line.strip_prefix("LLVM version: "))
        .and_then(|version| version.split('.').next())
        .ok_or("`rustc -vV` names no version of LLVM")?;
    let own = print(&["target-libdir"]).map(|folder| Path::new(&folder).join("../bin/llvm-profdata"));
    let others = [format!("llvm-profdata-{major}"), "llvm-profdata".to_owned()];
    own.into_iter()
        .chain(others.map(PathBuf::from))
        .find(|program| {
            let version = text(program, "--version").unwrap_or_default();
            version.contains(&format!("LLVM version {major}."))
        })
        .ok_or_else(|| {
            format!(
                "no `llvm-profdata` of LLVM {major} was found\n\
                 help: `rustup component add llvm-tools`, or on Debian `apt-get install llvm-{major}`; or build without a \
                 profile of whole games: `--no-profile`"
            )
        })
}

/// Builds the binary with a profile: `cargo` makes the command that builds it at `built`, for this target.
pub fn build_with(
    joiner: &Path,
    cargo: impl Fn() -> Command,
    target: &str,
    profile: &str,
    built: &Path,
) -> Result<(), Box<dyn Error>> {
    let folder = target_folder()?.join("games-profile");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let (counts, joined) = (folder.join("counts"), folder.join("games.profdata"));
    let wrapper = std::env::current_exe()?;
    let build_as = |value: &Path| {
        // cargo does not know that the variable changes what is built.
        let mut clean = crate::cargo();
        clean.args([
            "clean",
            "--locked",
            "--quiet",
            "--target",
            target,
            "--profile",
            profile,
        ]);
        clean.args(CRATES.map(|name| format!("--package={}", name.replace('_', "-"))));
        build(clean.arg("--package=rulebench"))?;
        build(
            cargo()
                .env("RUSTC_WORKSPACE_WRAPPER", &wrapper)
                .env(VARIABLE, value),
        )
    };
    build_as(Path::new(COUNT))?;
    let counting = folder.join(built.file_name().ok_or("the binary has no name")?);
    std::fs::copy(built, &counting)?;
    for run in RUNS.lines().map(str::trim).filter(|run| !run.is_empty()) {
        println!("counting: rulebench {run}");
        let mut command = Command::new(&counting);
        command
            .args(run.split(' '))
            .env("LLVM_PROFILE_FILE", counts.join("%m-%p.profraw"));
        command.current_dir(root()?).stdout(Stdio::null());
        let status = command.status().map_err(|error| {
            format!("the binary for {target} does not run here: {error}\nhelp: build it with `--no-profile`")
        })?;
        if !status.success() {
            return Err(format!("`rulebench {run}` failed").into());
        }
    }
    let mut join = Command::new(joiner);
    build(join.args(["merge", "-o"]).args([&joined, &counts]))?;
    build_as(&joined)?;
    let all = Command::new(joiner).arg("show").arg(&joined).output()?;
    let all = String::from_utf8_lossy(&all.stdout);
    let all = all
        .lines()
        .find_map(|line| line.strip_prefix("Total functions: "));
    let all: u64 = all.ok_or("the profile has no functions")?.trim().parse()?;
    let unknown = std::fs::read_to_string(unknown_of(&joined))?;
    let counts = unknown
        .lines()
        .filter_map(|line| line.split_once(' ')?.1.parse::<u64>().ok());
    let (crates, unknown) = (counts.clone().count(), counts.sum::<u64>());
    println!("profile: counts of {all} functions; {unknown} functions have none");
    if crates != CRATES.len() || unknown > all / 10 {
        return Err("the profile does not fit what was built with it".into());
    }
    Ok(())
}
