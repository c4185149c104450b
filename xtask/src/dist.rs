//! `cargo xtask dist` builds the binary for users, for this machine or with `--target` for another, and writes it to
//! `target/dist/`. It is arranged by a [`profile`] of whole games.

use crate::{WASM, build, build_module, print, profile, target_folder, toolchain};
use std::error::Error;
use std::ffi::OsString;
use std::process::ExitCode;

pub const USAGE: &str = "cargo xtask dist [--no-profile] [--target TARGET]";
/// Profile of the binary in the workspace's manifest.
const PROFILE: &str = "dist";
const NO_PROFILE: &str = "--no-profile";
/// Maximum size of the binary, in bytes.
const MAX_SIZE: u64 = 45_000_000;

/// Builds the binary and prints its size. Exit status 2 with wrong options or without a toolchain for the target.
pub fn run(options: impl Iterator<Item = OsString>) -> Result<ExitCode, Box<dyn Error>> {
    let options: Option<Vec<String>> = options.map(|option| option.into_string().ok()).collect();
    let mut options = options.unwrap_or_else(|| vec![String::new()]);
    let is_profiled = !options.iter().any(|option| option == NO_PROFILE);
    options.retain(|option| option != NO_PROFILE);
    let Some(target) = target(&options) else {
        eprintln!("usage: {USAGE}");
        return Ok(ExitCode::from(2));
    };
    let host = || print(&["host-tuple"]).ok_or("`rustc --print host-tuple` failed");
    let target = target.map_or_else(host, Ok)?;
    let found = toolchain(&target).and_then(|_| is_profiled.then(profile::joiner).transpose());
    let joiner = match found {
        Ok(joiner) => joiner,
        Err(missing) => {
            eprintln!("error: {missing}");
            return Ok(ExitCode::from(2));
        }
    };
    // The module is first, so that the binary can embed it.
    let mut features = None;
    match toolchain(WASM) {
        Ok(module) => {
            build_module(module)?;
            features = Some("--features=web");
        }
        Err(missing) => eprintln!("note: the binary is built without the module for WebAssembly: {missing}"),
    }
    let cargo = || {
        let mut cargo = toolchain(&target).expect("it was found before");
        cargo.args(["--package=rulebench", "--bin=rulebench", "--profile", PROFILE]);
        cargo.args(features);
        cargo
    };
    let folder = target_folder()?;
    let suffix = suffix(&target);
    let built = folder
        .join(&target)
        .join(PROFILE)
        .join(format!("rulebench{suffix}"));
    match joiner {
        Some(joiner) => profile::build_with(&joiner, cargo, &target, PROFILE, &built)?,
        None => build(&mut cargo())?,
    }
    let folder = folder.join("dist");
    std::fs::create_dir_all(&folder)?;
    let binary = folder.join(format!("rulebench-{target}{suffix}"));
    let size = std::fs::copy(built, &binary)?;
    println!("{}: {size} bytes", binary.display());
    if size > MAX_SIZE {
        return Err(format!("{} is larger than {MAX_SIZE} bytes", binary.display()).into());
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the target that the options name, if any; `None` for options that do not exist.
fn target(options: &[String]) -> Option<Option<String>> {
    let target = match options {
        [] => return Some(None),
        [option] => option.strip_prefix("--target=")?,
        [option, target] if option == "--target" => target,
        _ => return None,
    };
    // cargo would read these as a file of a target or as an option.
    let is_name = target
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    (is_name && target.starts_with(|c: char| c.is_ascii_alphabetic())).then(|| Some(target.to_owned()))
}

/// Returns the end of a binary's file name.
fn suffix(target: &str) -> &'static str {
    match target.contains("-windows-") {
        true => ".exe",
        false => "",
    }
}

#[cfg(test)]
mod tests {
    use super::{suffix, target};
    use crate::toolchain;

    fn target_of(options: &[&str]) -> Option<Option<String>> {
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        target(&options)
    }

    #[test]
    fn options_name_at_most_one_target() {
        let windows = Some(Some("x86_64-pc-windows-gnu".to_owned()));
        assert_eq!(target_of(&[]), Some(None));
        assert_eq!(target_of(&["--target", "x86_64-pc-windows-gnu"]), windows);
        assert_eq!(target_of(&["--target=x86_64-pc-windows-gnu"]), windows);
        let wrong: [&[&str]; 8] = [
            &["--target"],
            &["--target="],
            &["--target", ""],
            &["--target", "--release"],
            &["--target", "target/of.json"],
            &["windows"],
            &["--release"],
            &["--target", "a", "b"],
        ];
        for options in wrong {
            assert_eq!(target_of(options), None, "{options:?}");
        }
    }

    #[test]
    fn binaries_for_windows_end_in_exe() {
        assert_eq!(suffix("x86_64-pc-windows-gnu"), ".exe");
        assert_eq!(suffix("aarch64-pc-windows-msvc"), ".exe");
        assert_eq!(suffix("aarch64-apple-darwin"), "");
    }

    #[test]
    fn a_target_without_a_toolchain_is_named_with_its_installation() {
        let missing = toolchain("no-such-target").expect_err("there is none");
        assert!(missing.contains("rustup target add no-such-target"), "{missing}");
    }

    #[test]
    fn the_release_runs_only_tasks_of_this_package() {
        let workflow = include_str!("../../.github/workflows/release.yml");
        let lines = workflow.lines().map(|line| line.trim().trim_start_matches("- "));
        let commands: Vec<&str> = lines.filter_map(|line| line.strip_prefix("run:")).collect();
        assert_eq!(
            commands,
            [
                " cargo xtask dist --target ${{ matrix.target }} ${{ matrix.options }}",
                " cargo xtask web"
            ]
        );
    }
}
