//! `rulebench sheet`: unit cards and a reference to print.

use super::arguments::SheetArgs;
use super::print_report;
use crate::files::write_whole;
use crate::pages::Page;
use crate::report::Problems;
use crate::rulebook::Rulebook;
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::workspace::Workspace;
use crate::sheet::{Sheet, measures, paper};
use std::path::Path;

/// Writes the cards and the reference of a game into a folder.
///
/// # Errors
///
/// A game that does not load; a folder that cannot be written.
pub(super) fn run(workspace: &Workspace, args: SheetArgs) -> Result<u8, Problems> {
    let (game, changes) = (args.game.as_str(), args.changes.overrides()?);
    workspace.check_game(game)?;
    let options = LoadOptions {
        dials: changes.dials.into_iter().collect(),
        variants: changes.variants,
        without: changes.without,
        ..LoadOptions::default()
    };
    let ruleset = Ruleset::load(workspace, game, &options)?;
    let rulebook = match workspace.has(&format!("scripts/{game}/rulebook.toml")) {
        true => Some(Rulebook::read(workspace, game)?.0),
        false => None,
    };
    let sheet = Sheet::of(&ruleset, rulebook.as_ref());
    let measures = measures::pages(&sheet);
    let mut files = vec![
        (format!("{game}-sheet.html"), paper::html(&sheet, &measures)),
        (format!("{game}-reference.svg"), paper::reference(&sheet)),
    ];
    let unmeasured = sheet.measures.as_ref().filter(|_| measures.is_empty());
    let unmeasured = unmeasured.map(|table| {
        let unit = &table.unit;
        format!("no page to measure with: `{unit}` is no unit whose length is known")
    });
    for (what, pages) in [("cards", paper::cards(&sheet)), ("measures", measures)] {
        let many = pages.len() > 1;
        files.extend(pages.into_iter().enumerate().map(|(index, page)| {
            let number = if many {
                format!("-{}", index + 1)
            } else {
                String::new()
            };
            (format!("{game}-{what}{number}.svg"), page)
        }));
    }
    let mut written = Vec::new();
    for (name, text) in &files {
        let path = Path::new(&args.out).join(name);
        write_whole(&path, text).map_err(|error| {
            crate::files::refused(format!("`{}`", path.display()), "written", &error)
                .hint("name a folder that you may write to: --out DIR")
        })?;
        written.push(path.display().to_string());
    }
    let found = serde_json::json!({ "game": game, "files": written, "sheet": sheet });
    let page = || {
        Page::lines(
            unmeasured
                .into_iter()
                .chain(written.iter().map(|path| format!("wrote {path}"))),
        )
    };
    Ok(print_report(workspace.work(), args.json, &found, page, true))
}
