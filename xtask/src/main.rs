//! Tasks of developers. `cargo xtask wasm` builds all crates of `crates/` for WebAssembly, and of `crates/wasm` the
//! module and its JavaScript loader in `target/wasm/`. `cargo xtask web` writes the pages of all games. `cargo xtask editor`
//! makes the page's editor of scripts. `cargo xtask dist` builds the binary for users. `cargo xtask bench` counts instructions.

mod bench;
mod dist;
mod editor;
mod profile;

use std::error::Error;
use std::ffi::OsString;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use wasm_bindgen_cli_support::Bindgen;

/// Target of the module for WebAssembly.
const WASM: &str = "wasm32-unknown-unknown";
/// Profile of the module in the workspace's manifest.
const PROFILE: &str = "module";
/// Name of the module's files.
const NAME: &str = "rulebench";
/// Targets for which Debian's Rust builds the standard library itself: the linker and the package that has it.
const DEBIAN: [(&str, &str, &str); 2] = [
    (WASM, "wasm-ld", "lld"),
    (
        "x86_64-pc-windows-gnu",
        "x86_64-w64-mingw32-gcc",
        "gcc-mingw-w64-x86-64",
    ),
];

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    if let Some(wrapped) = profile::wrap(std::env::args_os().skip(1)) {
        return finish(wrapped);
    }
    let done = match args.next().as_ref().and_then(|task| task.to_str()) {
        Some("wasm") => wasm(args),
        Some("web") => web(),
        Some("editor") => editor::run(args),
        Some("dist") => dist::run(args),
        Some("bench") => bench::run(args),
        _ => {
            eprintln!(
                "usage: cargo xtask wasm [CARGO OPTIONS]\n       cargo xtask web\n       cargo xtask editor [--check]\n       {}\n       {}",
                dist::USAGE,
                bench::USAGE
            );
            return ExitCode::from(2);
        }
    };
    finish(done)
}

fn finish(done: Result<ExitCode, Box<dyn Error>>) -> ExitCode {
    match done {
        Ok(status) => status,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the module. Exit status 2 without a toolchain for it.
fn wasm(options: impl Iterator<Item = OsString>) -> Result<ExitCode, Box<dyn Error>> {
    let mut cargo = match toolchain(WASM) {
        Ok(cargo) => cargo,
        Err(missing) => {
            eprintln!("error: {missing}");
            return Ok(ExitCode::from(2));
        }
    };
    cargo.args(options);
    build_module(cargo)?;
    Ok(ExitCode::SUCCESS)
}

/// Builds the module and writes the pages of all games with it.
fn web() -> Result<ExitCode, Box<dyn Error>> {
    let status = wasm(std::iter::empty())?;
    if status != ExitCode::SUCCESS {
        return Ok(status);
    }
    let mut share = cargo();
    share.args(["run", "--locked", "--release", "--quiet", "--"]);
    share.args(["share", "--all", "--out", "target/web"]);
    match share.current_dir(root()?).status()?.success() {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(ExitCode::FAILURE),
    }
}

/// Builds the crates, and writes the module with its loader.
fn build_module(mut cargo: Command) -> Result<(), Box<dyn Error>> {
    let root = root()?;
    for entry in std::fs::read_dir(root.join("crates"))? {
        let folder = entry?.file_name();
        cargo.arg(format!("--package=rulebench-{}", folder.to_string_lossy()));
    }
    build(cargo.args(["--lib", "--profile", PROFILE]))?;
    let built = target_folder()?
        .join(WASM)
        .join(PROFILE)
        .join("rulebench_wasm.wasm");
    let folder = root.join("target/wasm");
    Bindgen::new()
        .input_path(built)
        .out_name(NAME)
        .no_modules(true)?
        .typescript(false)
        .remove_name_section(true)
        .generate(&folder)?;
    let module = folder.join(format!("{NAME}_bg.wasm"));
    let bytes = std::fs::read(&module)?;
    // Every shared page carries it, so it is worth some seconds to make it small. One iteration gains nearly all.
    let options = zopfli::Options {
        iteration_count: NonZeroU64::MIN,
        ..zopfli::Options::default()
    };
    let mut zipped = Vec::new();
    zopfli::compress(options, zopfli::Format::Gzip, &bytes[..], &mut zipped)?;
    println!(
        "{}: {} bytes, {} with gzip",
        module.display(),
        bytes.len(),
        zipped.len()
    );
    std::fs::write(module.with_extension("wasm.gz"), zipped)?;
    Ok(())
}

/// Returns the folder of the workspace.
fn root() -> std::io::Result<PathBuf> {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()
}

/// Returns the folder in which cargo puts what it builds.
fn target_folder() -> std::io::Result<PathBuf> {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => Ok(folder.into()),
        None => Ok(root()?.join("target")),
    }
}

/// Returns the cargo that runs this.
fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a build command in the folder of the workspace.
fn build(cargo: &mut Command) -> Result<(), Box<dyn Error>> {
    match cargo.current_dir(root()?).status()?.success() {
        true => Ok(()),
        false => Err("the build failed".into()),
    }
}

/// Returns what the current compiler prints with `--print`.
fn print(options: &[&str]) -> Option<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--print").args(options).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| text.trim().to_owned())
}

/// Returns the build command of the toolchain that is installed: the target of the current compiler, else Debian's.
/// Without one, returns how to install it.
fn toolchain(target: &str) -> Result<Command, String> {
    let library = print(&["target-libdir", "--target", target]);
    if library.is_some_and(|folder| Path::new(&folder).is_dir()) {
        let mut build = cargo();
        build.args(["build", "--locked", "--target", target]);
        return Ok(build);
    }
    let mut missing =
        format!("no toolchain for {target} was found\nhelp: install one: `rustup target add {target}`");
    let Some((_, linker, package)) = DEBIAN.iter().find(|(name, ..)| *name == target) else {
        return Err(missing);
    };
    let programs = ["rustc", "cargo", linker];
    if !programs
        .iter()
        .all(|program| Path::new("/usr/bin").join(program).exists())
    {
        missing += &format!(", or on Debian `apt-get install rustc-web cargo-web rust-web-src {package}`");
        return Err(missing);
    }
    let variable = target.to_uppercase().replace('-', "_");
    let mut build = Command::new("/usr/bin/cargo");
    build
        .args([
            "build",
            "--locked",
            "-Zbuild-std=std,panic_abort",
            "--target",
            target,
        ])
        .env("RUSTC", "/usr/bin/rustc")
        .env("RUSTC_BOOTSTRAP", "1")
        .env(format!("CARGO_TARGET_{variable}_LINKER"), linker);
    Ok(build)
}
