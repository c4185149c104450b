//! Tasks of developers. `cargo xtask wasm` builds the crates that know no system for WebAssembly.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const TARGET: &str = "wasm32-unknown-unknown";
/// The crates that compile everywhere.
const CRATES: [&str; 6] = [
    "rulebench-kernel",
    "rulebench-lang",
    "rulebench-rules",
    "rulebench-play",
    "rulebench-present",
    "rulebench-analysis",
];
const INSTALL: &str = "error: no WebAssembly toolchain was found
help: install one: `rustup target add wasm32-unknown-unknown`, or on Debian `apt-get install rustc-web cargo-web rust-web-src lld`";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    if args.next().as_deref() != Some("wasm") {
        eprintln!("usage: cargo xtask wasm [CARGO OPTIONS]");
        return ExitCode::from(2);
    }
    let Some(mut cargo) = toolchain() else {
        eprintln!("{INSTALL}");
        return ExitCode::from(2);
    };
    cargo
        .args(CRATES.iter().flat_map(|name| ["--package", name]))
        .args(args);
    match cargo.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: cargo cannot be run: {error}");
            ExitCode::from(2)
        }
    }
}

/// Returns the build command of the toolchain that is installed: the target of the current compiler, else Debian's.
fn toolchain() -> Option<Command> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let print = |what: &[&str]| {
        let output = Command::new(&rustc).args(what).output().ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let library = print(&["--print", "target-libdir", "--target", TARGET]).map(PathBuf::from);
    if library.is_some_and(|folder| folder.is_dir()) {
        let mut build = Command::new(cargo);
        build.args(["build", "--locked", "--target", TARGET]);
        return Some(build);
    }
    let debian = ["/usr/bin/rustc", "/usr/bin/cargo", "/usr/bin/wasm-ld"];
    debian.iter().all(|path| Path::new(path).exists()).then(|| {
        let mut build = Command::new("/usr/bin/cargo");
        build
            .args([
                "build",
                "--locked",
                "-Zbuild-std=std,panic_abort",
                "--target",
                TARGET,
            ])
            .env("RUSTC", "/usr/bin/rustc")
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
        build
    })
}
