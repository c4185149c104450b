//! `:diff`: what a tweak would have made of the game so far, with the same answers and dice. The game
//! on the table stays as it is.

use crate::diff::report::{self, boards, headline};
use crate::diff::{self, Addition, Comparison, DiffArm, Differ, ScenarioDiff, Verdict};
use crate::event_text::Entry;
use crate::lines::first_of;
use crate::opening_files::SetupSource;
use crate::output::Output;
use crate::picture::scene::{Scene, SceneInput};
use crate::picture::svg::{self, PictureExtent};
use crate::play::Play;
use crate::problems;
use crate::report::Problems;
use crate::reports::Report;
use crate::rules::declare::DialValue;
use crate::rules::layers::SCRATCH;
use crate::rules::ruleset::LoadOptions;
use crate::scenario::file::ScenarioFile;
use crate::session::Session;
use crate::stage::run::OpenedFile;
use crate::stage::transcribe;
use crate::transcript::Line;
use serde_json::{Value, json};

/// The most lines of the position that are listed.
const MOST_CHANGES: usize = 12;
/// The most functions that are listed in which the rules differ.
const MOST_FUNCTIONS: usize = 4;

/// Compares the game so far without and with these variants and dials (`DIAL=VALUE`); without any,
/// under the rules before they last changed and those in force, or, if they never did, under those
/// and without all that is on.
///
/// # Errors
///
/// Names that nothing has; nothing to compare; a secret choice under way.
pub(crate) fn diff(session: &Session, names: &[&str]) -> Result<Output, Problems> {
    session.check_open()?;
    let mut opened = OpenedFile {
        file: session.set_up.scenario_under(&session.play.ruleset().options),
        lines: Some(lines_with_edits(&session.play, &session.set_up.file)),
    };
    let events = opened.lines.iter().flatten().filter(|l| is_event(l)).count();
    if let (Some(before), true) = (&session.rules.before, names.is_empty()) {
        let base = (
            session.set_up.scenario_under(&before.options),
            before.options.clone(),
        );
        let variant = (opened.file, session.play.ruleset().options.clone());
        let mut differ = Differ::after(&before.workspace, &session.rules.workspace);
        let found = differ.compare_rules(opened.lines.as_deref(), base, variant)?;
        return Ok(compared(&found, &before.why, events, session));
    }
    let comparison = match names {
        [] => all_against_none(&session.set_up, &session.play.ruleset().options)?,
        names => named(session, names)?,
    };
    if names.is_empty() {
        // The base is what the game began with.
        opened.file.dials.clone_from(&session.set_up.file.dials);
    }
    let found = Differ::new(&session.rules.workspace).compare(&opened, &comparison)?;
    let names = diff::names(&comparison.tweaks).join(", ");
    Ok(compared(&found, &names, events, session))
}

/// The record of a play so far, as one chapter.
pub(crate) fn lines_so_far(play: &Play, file: &ScenarioFile) -> Vec<Line> {
    let mut lines = transcribe::transcript(play, file, "").lines;
    lines.retain(|l| !matches!(l, Line::Chapter { .. }));
    lines
}

/// The same with what was changed by hand on the way, which is changed under other rules too.
fn lines_with_edits(play: &Play, file: &ScenarioFile) -> Vec<Line> {
    let mut lines = transcribe::transcript(play, file, "").lines;
    lines.retain(|l| !matches!(l, Line::Chapter { edits, .. } if edits.is_none()));
    lines
}

fn named(session: &Session, names: &[&str]) -> Result<Comparison, Problems> {
    let options = &session.play.ruleset().options;
    let mut comparison = Comparison {
        off: options.without.clone(),
        scratch: options.scratch.clone(),
        ..Comparison::default()
    };
    for name in names {
        let mut variant = Addition::read(name);
        if let Addition::Variant(_) = variant {
            if *name == SCRATCH
                && let Some(text) = comparison.scratch.take()
            {
                variant = Addition::Scratch(text);
            } else {
                session.rules.check_tweaks(session.play.ruleset(), &[name])?;
                // What is off shall be seen on the tweak's side.
                comparison.off.retain(|o| o != name);
            }
        }
        if !comparison.tweaks.contains(&variant) {
            comparison.tweaks.push(variant);
        }
    }
    Ok(comparison)
}

fn all_against_none(setup: &SetupSource, options: &LoadOptions) -> Result<Comparison, Problems> {
    let variants = options.variants.iter().cloned().map(Addition::Variant);
    let own = |name: &String, value: &DialValue| {
        let mut dials = setup.file.dials.iter();
        dials.any(|(n, v)| n.value == *name && v.value == *value)
    };
    let dials = options.dials.iter().filter(|(n, v)| !own(n, v));
    let dials = dials.map(|(n, v)| Addition::Dial(n.clone(), v.clone()));
    let scratch = options.scratch.clone().map(Addition::Scratch);
    // What the game began without stays out on both sides.
    let (off, without) = options
        .without
        .iter()
        .cloned()
        .partition(|w| setup.overrides.without.contains(w));
    let without: Vec<String> = without;
    let without = without.into_iter().map(Addition::Without);
    let comparison = Comparison {
        off,
        tweaks: variants.chain(without).chain(dials).chain(scratch).collect(),
        ..Comparison::default()
    };
    if comparison.tweaks.is_empty() {
        return Err(problems::nothing_to_compare().into());
    }
    Ok(comparison)
}

fn compared(found: &ScenarioDiff, names: &str, events: usize, session: &Session) -> Output {
    let style = &session.face.style;
    let mut reply = Output::default();
    if matches!(found.verdict, Verdict::Diverged(..)) {
        // Which side takes off what is asked about is clear from the question.
        found.notes.iter().for_each(|note| reply.note(note, style.width));
    }
    reply.drawn = Some(drawn(found, names));
    if let Verdict::Failed(_, problem) = &found.verdict {
        reply.add(headline(found));
        reply.fail((**problem).clone(), style.colour);
        return reply;
    }
    let Some(first) = found.first else {
        for note in &found.notes {
            reply.note(note, style.width);
        }
        reply.add(match &found.verdict {
            Verdict::Same => format!("{names}: no difference in these {events} events"),
            _ => format!("{names}: {}", headline(found)),
        });
        function_lines(found).for_each(|line| reply.add(line));
        return reply;
    };
    let (base, variant) = (&found.base, &found.tweak);
    let page = Report::lines([
        format!("{names}: {}", headline(found)),
        format!(
            "the first event that differs, number {}:",
            report::number(found, first)
        ),
        format!("- {}", report::event_text(base, first)),
        format!("+ {}", report::event_text(variant, first)),
    ]);
    reply.show(page);
    let mut page = Report::default();
    boards(&mut page, base, variant, first, style.colour);
    reply.show(page);
    let mut changes = report::changes(found, MOST_CHANGES, |n| format!("  and {n} more")).peekable();
    if changes.peek().is_some() {
        // Where rules changed on the way, neither of the two is the game on the table.
        let mut later = session.play.chapters().iter().skip(1);
        let head = match later.any(|chapter| chapter.edits.is_none()) {
            true => "where the game would stand, told anew without | with:",
            false => "where the game stands now, without | with:",
        };
        reply.show(Report::lines(std::iter::once(head.to_owned()).chain(changes)));
    }
    reply
}

/// Returns a line for each function in which the rules differ; of many only the first ones, and the number of the others.
fn function_lines(found: &ScenarioDiff) -> impl Iterator<Item = String> {
    let more = |n| format!("and {n} more such functions");
    first_of(found.function_notes(), MOST_FUNCTIONS, more)
}

/// A comparison for a page: what came of it, and both boards just after what differs first, or at the end.
fn drawn(found: &ScenarioDiff, names: &str) -> Value {
    let line = found.first.unwrap_or(usize::MAX);
    let arm = |arm: &DiffArm, name: &str| {
        let table = arm.play.table();
        let (_, world) = arm.worlds(line);
        let scene = Scene::of(&SceneInput::position(&table.rules, &table.words, &world));
        let event = found.first.map(|first| report::event_text(arm, first));
        json!({ "name": name, "board": svg::document(&scene, PictureExtent::Board).0, "event": event })
    };
    let changes = found.base.outcome.changes(&found.tweak.outcome);
    json!({ "diff": {
        "names": names,
        "headline": headline(found),
        "same": found.first.is_none(),
        "functions": function_lines(found).collect::<Vec<_>>(),
        "sides": [arm(&found.base, "without"), arm(&found.tweak, "with")],
        "changes": changes.iter().map(report::change_line).collect::<Vec<_>>(),
    }})
}

/// Whether a line tells something that happened.
fn is_event(line: &Line) -> bool {
    matches!(line, Line::Entry(entry) if !matches!(entry, Entry::Phase { .. }))
}
