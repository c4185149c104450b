//! Tasks of developers. `cargo xtask wasm` builds all crates of `crates/` for WebAssembly, and of `crates/wasm` the
//! module and its JavaScript loader in `target/wasm/`. `cargo xtask editor` makes the page's editor of scripts.

mod editor;

use std::error::Error;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";
/// Profile of the module in the workspace's manifest.
const PROFILE: &str = "module";
/// Name of the module's files.
const NAME: &str = "rulebench";
const INSTALL: &str = "error: no WebAssembly toolchain was found
help: install one: `rustup target add wasm32-unknown-unknown`, or on Debian `apt-get install rustc-web cargo-web rust-web-src lld`";

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let done = match args.next().as_ref().and_then(|task| task.to_str()) {
        Some("wasm") => wasm(args),
        Some("editor") => editor::run(args),
        _ => {
            eprintln!("usage: cargo xtask wasm [CARGO OPTIONS]\n       cargo xtask editor [--check]");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(status) => status,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the crates, and writes the module with its loader.
fn wasm(options: impl Iterator<Item = OsString>) -> Result<ExitCode, Box<dyn Error>> {
    let Some(mut cargo) = toolchain() else {
        eprintln!("{INSTALL}");
        return Ok(ExitCode::from(2));
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    for entry in std::fs::read_dir(root.join("crates"))? {
        let folder = entry?.file_name();
        cargo.arg(format!("--package=rulebench-{}", folder.to_string_lossy()));
    }
    cargo.args(["--lib", "--profile", PROFILE]).args(options);
    if !cargo.current_dir(&root).status()?.success() {
        return Ok(ExitCode::FAILURE);
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let built = target.join(TARGET).join(PROFILE).join("rulebench_wasm.wasm");
    let folder = root.join("target/wasm");
    Bindgen::new()
        .input_path(built)
        .out_name(NAME)
        .web(true)?
        .typescript(false)
        .generate(&folder)?;
    // Node takes the loader for a module only where this file says so.
    std::fs::write(folder.join("package.json"), "{ \"type\": \"module\" }\n")?;
    let module = folder.join(format!("{NAME}_bg.wasm"));
    let bytes = std::fs::read(&module)?;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(&bytes)?;
    let zipped = gzip.finish()?.len();
    println!("{}: {} bytes, {zipped} with gzip", module.display(), bytes.len());
    Ok(ExitCode::SUCCESS)
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
