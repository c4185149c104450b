//! `rulebench render --html`: a page that replays a scenario or transcript, or two of them side by side.

use crate::diff::{Addition, Comparison, DiffArm, Differ};
use crate::page::replay::{self, Reel};
use crate::report::Problems;
use crate::rules::ruleset::LoadOptions;
use crate::rules::workspace::Workspace;
use crate::stage::run::{self, OpenedFile, Overrides, PlayStop};

/// The page of a scenario played with these changes; with `beside`, variants and `DIAL=VALUE`s, a second
/// board shows it played with those in place of the changes' variants, with the same answers and dice.
///
/// # Errors
///
/// A scenario that cannot be played to its end, names that nothing has.
pub fn html(
    workspace: &Workspace,
    opened: &OpenedFile,
    changes: &Overrides,
    beside: &[String],
) -> Result<String, Problems> {
    let file = &opened.file;
    let title = file.title.as_ref().map_or(&file.game.value, |t| &t.value);
    let mut note = file
        .about
        .as_ref()
        .map_or_else(String::new, |about| about.value.clone());
    if beside.is_empty() {
        let mut ran = run::run(workspace, opened, changes)?;
        if !matches!(ran.stopped, PlayStop::Over | PlayStop::Until | PlayStop::Asks) {
            Problems::check(ran.problems)?;
        }
        let options = &ran.play.ruleset().options;
        let with = layers(options);
        if !with.is_empty() {
            note = format!("{note} (played {with})");
        }
        let factions = ran.play.ruleset().rules.factions.clone();
        let end = run::end_of(&ran.play, &ran.stopped);
        let reel = Reel::of(&mut ran.play, &ran.file, "", &end);
        return Ok(replay::page(
            &file.game.value,
            title,
            note.trim(),
            &factions,
            &[reel],
        ));
    }
    let both = Overrides {
        variants: Vec::new(),
        ..changes.clone()
    };
    let opened = OpenedFile {
        file: run::changed(file, &both),
        lines: opened.lines.clone(),
    };
    let comparison = Comparison {
        against: changes.variants.clone(),
        tweaks: beside.iter().map(|text| Addition::read(text)).collect(),
        off: changes.without.clone(),
        ..Comparison::default()
    };
    let mut found = Differ::new(workspace).compare(&opened, &comparison)?;
    let factions = found.base.play.ruleset().rules.factions.clone();
    let reels = [&mut found.base, &mut found.tweak].map(|arm| {
        let name = name(arm);
        Reel::of(&mut arm.play, file, &name, &arm.outcome.end)
    });
    for divergence in [&found.base, &found.tweak]
        .into_iter()
        .filter_map(|s| s.divergence.as_ref())
    {
        note = format!(
            "{note} One side stops at `{}`: {}.",
            divergence.step, divergence.why
        );
    }
    Ok(replay::page(
        &file.game.value,
        title,
        note.trim(),
        &factions,
        &reels,
    ))
}

/// Returns the title above a board.
fn name(arm: &DiffArm) -> String {
    match layers(&arm.options) {
        with if with.is_empty() => "the rules as they are".to_owned(),
        with => with,
    }
}

/// The variants and dials of a side, in words; empty when there are none.
fn layers(options: &LoadOptions) -> String {
    let with = options.named();
    let without = options.without.iter().map(|v| format!("without {v}"));
    let with = (!with.is_empty()).then(|| format!("with {}", with.join(", ")));
    with.into_iter()
        .chain(without)
        .collect::<Vec<String>>()
        .join(", ")
}
