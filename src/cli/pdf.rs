//! Pages as PDF, printed by a Chromium that is installed.

use super::problems;
use crate::files::write_whole;
use crate::report::Problem;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names under which Chromium and its relatives are installed.
const BROWSERS: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// Returns the browser's program: the one that `CHROMIUM` names, or the first one in `PATH`.
///
/// # Errors
///
/// There is none.
pub(super) fn browser() -> Result<PathBuf, Problem> {
    let named = env::var("CHROMIUM").ok();
    let names = named.into_iter().chain(BROWSERS.map(str::to_owned));
    let folders = env::var_os("PATH").unwrap_or_default();
    let programs = names.flat_map(|name| {
        let file = format!("{name}{}", env::consts::EXE_SUFFIX);
        let paths = env::split_paths(&folders).map(|folder| folder.join(&file));
        paths.collect::<Vec<_>>()
    });
    let mut programs = programs.filter(|program| program.is_file());
    programs
        .next()
        .ok_or_else(|| problems::missing_browser(&BROWSERS.join(", ")))
}

/// Prints a page to a PDF file beside it and returns the file's path. The page says how large its paper is.
///
/// # Errors
///
/// A browser that does not start or does not print; a file that cannot be written.
pub(super) fn print(browser: &Path, page: &Path) -> Result<PathBuf, Problem> {
    let file = page.with_extension("pdf");
    let refused = |error: std::io::Error| crate::files::refused(file.display(), "printed", &error);
    let whole = std::path::absolute(page).map_err(refused)?;
    // A browser that is open with the user's profile would take the page into its windows.
    let profile = env::temp_dir().join(format!("rulebench-print-{}", std::process::id()));
    let printed = profile.join("page.pdf");
    std::fs::create_dir_all(&profile).map_err(refused)?;
    let run = Command::new(browser)
        .args([
            "--headless",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-pdf-header-footer",
        ])
        // Containers have no sandbox, and the pages have no scripts.
        .arg("--no-sandbox")
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--print-to-pdf={}", printed.display()))
        .arg(whole)
        .output();
    // The exit status is 0 even where nothing was printed.
    let pdf = run.and_then(|_| std::fs::read(&printed));
    let _ = std::fs::remove_dir_all(&profile);
    write_whole(&file, pdf.map_err(refused)?).map_err(refused)?;
    Ok(file)
}
