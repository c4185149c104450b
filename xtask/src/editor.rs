//! `cargo xtask editor` makes the page's editor of scripts, `src/page/web/editor.js`, and the licences of what is in it.
//! npm fetches the packages of the lock file in `xtask/editor/`, and esbuild puts them into one file.

use std::error::Error;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The files that are made.
const MADE: [&str; 2] = ["editor.js", "editor.LICENSE"];
const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// Makes the files, or with `--check` compares those that are there with what would be made. Exit status 1 if they
/// differ, 2 without npm or with wrong options.
pub fn run(options: impl Iterator<Item = OsString>) -> Result<ExitCode, Box<dyn Error>> {
    let options: Vec<OsString> = options.collect();
    let checks = options == ["--check"];
    if !checks && !options.is_empty() {
        eprintln!("usage: cargo xtask editor [--check]");
        return Ok(ExitCode::from(2));
    }
    if Command::new(NPM).arg("--version").output().is_err() {
        eprintln!("skipped: there is no npm here\nhelp: install Node.js; on Debian `apt-get install npm`");
        return Ok(ExitCode::from(2));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let folder = root.join("target/editor");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    for file in std::fs::read_dir(root.join("xtask/editor"))? {
        let file = file?;
        if file.file_type()?.is_file() {
            std::fs::copy(file.path(), folder.join(file.file_name()))?;
        }
    }
    // What the packages would run when they are installed is not needed.
    let install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
    let mut steps = [Command::new(NPM), Command::new("node")];
    steps[0].args(install);
    steps[1].arg("build.mjs");
    for step in &mut steps {
        if !step.current_dir(&folder).status()?.success() {
            return Err(format!(
                "`{}` failed in {}",
                step.get_program().display(),
                folder.display()
            )
            .into());
        }
    }
    let web = root.join("src/page/web");
    let mut status = ExitCode::SUCCESS;
    for name in MADE {
        let (made, path) = (std::fs::read(folder.join("made").join(name))?, web.join(name));
        if !checks {
            std::fs::write(&path, &made)?;
            println!("{}: {} bytes", path.display(), made.len());
        } else if std::fs::read(&path).ok().as_ref() != Some(&made) {
            eprintln!(
                "error: {} differs from what its sources make\nhelp: run `cargo xtask editor`",
                path.display()
            );
            status = ExitCode::FAILURE;
        }
    }
    Ok(status)
}
