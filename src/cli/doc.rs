//! The command `doc`: writes the reference, the editors' definitions and the schemas, or checks that
//! what lies there is what would be written.

use super::show_report;
use crate::files::{refused, write_whole};
use crate::reference::{pages, schema};
use crate::report::Problems;
use crate::reports::{Cell, Report, facts};
use crate::work::Work;
use std::path::Path;

/// The files that are written, with their texts.
pub fn files() -> Vec<(&'static str, String)> {
    let pretty = |value: &serde_json::Value| format!("{value:#}\n");
    vec![
        ("commands.md", super::dispatch::reference()),
        ("reference.md", pages::markdown()),
        ("rulebench.d.rhai", pages::definitions()),
        ("scenario.schema.json", pretty(&schema::scenario())),
        ("study.schema.json", pretty(&schema::study())),
        ("reports.schema.json", pretty(&schema::reports())),
        ("tweaks.schema.json", pretty(&schema::tweaks())),
    ]
}

/// Writes the files into a folder; with `check`, only looks whether they are what would be written.
///
/// # Errors
///
/// A folder or file that cannot be written.
pub fn run(folder: &Path, check: bool, json: bool, work: &Work) -> Result<u8, Problems> {
    let mut states = Vec::new();
    let mut stale = false;
    for (name, text) in files() {
        let path = folder.join(name);
        let now = std::fs::read_to_string(&path).ok();
        let same = now.as_deref() == Some(text.as_str());
        let state = match (same, check, now.is_some()) {
            (true, _, _) => "as it is",
            (false, false, _) => {
                write_whole(&path, &text)
                    .map_err(|error| refused(format!("`{}`", path.display()), "written", &error))?;
                "written"
            }
            (false, true, there) => {
                stale = true;
                if there { "out of date" } else { "missing" }
            }
        };
        states.push((path.display().to_string(), state));
    }
    let lines = states.iter().map(|(path, state)| format!("{path}: {state}"));
    let anew = || format!("to write them anew: rulebench doc --out {}", folder.display());
    let files = states
        .iter()
        .map(|(path, state)| facts! { file: path, state: *state });
    let report = Report::lines(lines.chain(stale.then(anew)))
        .with("files", Cell::list(files))
        .with("up_to_date", !stale);
    Ok(show_report(work, json, report, !stale))
}
