//! `rulebench sheet`: unit cards and a reference to print.

use super::arguments::SheetArgs;
use super::show_report;
use crate::files::write_whole;
use crate::picture::drawn_plane::millimetres;
use crate::report::Problems;
use crate::reports::{Cell, Report};
use crate::rulebook::Rulebook;
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::workspace::Workspace;
use crate::sheet::{Sheet, paper};
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
    let unmeasured = sheet
        .measures
        .as_ref()
        .filter(|table| millimetres(&table.unit).is_none());
    let unmeasured = unmeasured.map(|table| {
        let unit = &table.unit;
        format!("no page to measure with: `{unit}` is no unit whose length is known")
    });
    let path = Path::new(&args.out).join(format!("{game}-sheet.html"));
    write_whole(&path, paper::html(&sheet)).map_err(|error| {
        crate::files::refused(format!("`{}`", path.display()), "written", &error)
            .hint("name a folder that you may write to: --out DIR")
    })?;
    let path = path.display().to_string();
    let report = Report::lines(unmeasured.into_iter().chain([format!("wrote {path}")]))
        .with("game", game)
        .with("file", path)
        .with("sheet", Cell::data(&sheet));
    Ok(show_report(workspace.work(), args.json, report, true))
}
