//! `rulebench sheet`: cards, reference, tokens, board and measures to print.

use super::arguments::SheetArgs;
use super::{pdf, show_report};
use crate::files::{self, write_whole};
use crate::picture::drawn_plane::millimetres;
use crate::report::{Problem, Problems};
use crate::reports::{Cell, Report};
use crate::rulebook::Rulebook;
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::workspace::Workspace;
use crate::sheet::Sheet;
use crate::sheet::kit::Kit;
use crate::sheet::paper::{Paper, Printed};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Writes the pages of a game into a folder. A text that is too long for its place is a failed check.
///
/// # Errors
///
/// A game that does not load; a picture that cannot be read; a folder that cannot be written; no Chromium for PDF.
pub(super) fn run(workspace: &Workspace, args: SheetArgs) -> Result<u8, Problems> {
    let (game, changes) = (args.game.as_str(), args.changes.overrides()?);
    workspace.check_game(game)?;
    let options = LoadOptions {
        dials: changes.dials.into_iter().collect(),
        variants: changes.variants,
        without: changes.without,
        ..LoadOptions::default()
    };
    let ruleset = Arc::new(Ruleset::load(workspace, game, &options)?);
    let rulebook = match workspace.has(&format!("scripts/{game}/rulebook.toml")) {
        true => Some(Rulebook::read(workspace, game)?.0),
        false => None,
    };
    let browser = args.pdf.then(pdf::browser).transpose()?;
    let sheet = Sheet::of(&ruleset, rulebook.as_ref());
    let paper = Paper::NAMES.into_iter().find(|(name, _)| *name == args.paper);
    let printed = Printed {
        sheet: &sheet,
        rules: &ruleset.rules,
        kit: &Kit::of(&ruleset, args.copies.map(usize::from)),
        pictures: &pictures(workspace, &ruleset)?,
        paper: paper.map_or(Paper::A4, |(_, paper)| paper),
    };
    let (mut written, mut notes) = (Vec::new(), Vec::new());
    let unmeasured = sheet
        .measures
        .as_ref()
        .filter(|table| millimetres(&table.unit).is_none());
    notes.extend(unmeasured.map(|table| {
        let unit = &table.unit;
        format!("no page to measure with: `{unit}` is no unit whose length is known")
    }));
    let mut fits = true;
    for layout in printed.layouts() {
        let path = Path::new(&args.out).join(format!("{game}-{}.html", layout.name));
        write_whole(&path, layout.html).map_err(|error| {
            files::refused(format!("`{}`", path.display()), "written", &error)
                .hint("name a folder that you may write to: --out DIR")
        })?;
        written.push(path.display().to_string());
        if let Some(browser) = &browser {
            written.push(pdf::print(browser, &path)?.display().to_string());
        }
        fits &= layout.too_long.is_empty();
        notes.extend(layout.too_long);
    }
    let lines = written.iter().map(|path| format!("wrote {path}"));
    let report = Report::lines(notes.iter().cloned().chain(lines))
        .with("game", game)
        .with("files", written.clone())
        .with("notes", notes.clone())
        .with("sheet", Cell::data(&sheet));
    Ok(show_report(workspace.work(), args.json, report, fits))
}

/// The pictures `units/GAME/TYPE.svg` or `.png` of the unit types, by type index, as addresses that hold their data.
fn pictures(workspace: &Workspace, ruleset: &Ruleset) -> Result<BTreeMap<usize, String>, Problem> {
    let rules = &ruleset.rules;
    let mut pictures = BTreeMap::new();
    for (index, kind) in rules.types.iter().enumerate() {
        for (ending, media) in [("svg", "svg+xml"), ("png", "png")] {
            let path = format!("units/{}/{}.{ending}", rules.game, kind.name);
            if workspace.has(&path) {
                let data = BASE64_STANDARD.encode(workspace.bytes(&path)?);
                pictures
                    .entry(index)
                    .or_insert_with(|| format!("data:image/{media};base64,{data}"));
            }
        }
    }
    Ok(pictures)
}
