//! `rulebench odds`: exact odds of a scenario's position, side by side with other rules.

use super::odds_options::{OddsArguments, usual_seconds};
use super::{Changes, Threads, problems, show_report};
use crate::diff::{self, Addition};
use crate::files::shell_word;
use crate::odds::report;
use crate::odds::{self, OddsQuery, root};
use crate::report::{Problem, Problems, Source, hint_for};
use crate::reports::Report;
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::workspace::Workspace;
use crate::ruleset_cache::RulesetCache;
use crate::stage::run::{self, OpenedFile, Overrides};
use clap::Args;
use std::sync::Arc;

/// The arguments of `odds`.
#[derive(Args)]
pub(super) struct OddsArgs {
    /// A scenario or a transcript; the odds are those after its last answer
    scenario: String,
    /// Give one more answer, to the next question; can be repeated
    #[arg(long, value_name = "KEY")]
    answer: Vec<String>,
    #[command(flatten)]
    options: OddsArguments,
    #[command(flatten)]
    changes: Changes,
    /// Show a column for each variant and dial instead of one with all of them
    #[arg(long)]
    each: bool,
    /// Replace a unit by one of another type
    #[arg(long = "as", value_name = "UNIT=TYPE")]
    replaced: Vec<String>,
    /// Set other terrain in a place
    #[arg(long, value_name = "PLACE=KIND")]
    terrain: Vec<String>,
    /// Try every unit type in place of the first unit of each faction, or of the two units that `--as UNIT` names
    #[arg(long, conflicts_with_all = ["sample", "each"])]
    grid: bool,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command; the exit status.
///
/// # Errors
///
/// A scenario or question that cannot be read; too much to look at; rules that fail.
pub(super) fn run(workspace: &Workspace, args: OddsArgs) -> Result<u8, Problems> {
    let question = OddsQuery {
        threads: args.threads.count(),
        ..args.options.options().question(usual_seconds())?
    };
    let (_, mut opened) = crate::suite::one(workspace, &args.scenario)?;
    let game = opened.file.game.clone();
    let rules =
        || Ruleset::load(workspace, &game, &LoadOptions::default()).map(|ruleset| Arc::clone(&ruleset.rules));
    let mut units = Vec::new();
    for replaced in &args.replaced {
        match replaced.split_once('=') {
            Some((unit, kind)) => {
                let (unit, kind, rules) = (unit.trim(), kind.trim(), rules()?);
                if rules.unit_type(kind).is_none() {
                    let known = rules.types.iter().map(|t| t.name.as_str());
                    let unknown = problems::unknown_name("unit type", kind);
                    return Err(unknown.hint(hint_for(kind, known)).into());
                }
                units.push((unit, kind));
            }
            None if args.grid => {}
            None => {
                let text = format!("--as {replaced}");
                return Err(problems::missing_value(text, "--as UNIT=TYPE").into());
            }
        }
    }
    let mut answers = args.answer.clone();
    odds::replace::replace(&mut opened, &mut answers, &units)?;
    if opened.lines.is_some() && !args.terrain.is_empty() {
        return Err(problems::conflict("`--terrain`", "a transcript", "name its scenario").into());
    }
    let mut ground = Vec::new();
    for text in &args.terrain {
        let Some((place, kind)) = text.split_once('=') else {
            let text = format!("--terrain {text}");
            return Err(problems::missing_value(text, "--terrain PLACE=KIND").into());
        };
        let (place, kind, rules) = (place.trim(), kind.trim(), rules()?);
        if rules.terrain(kind).is_none() {
            let known = rules.terrains.iter().map(|t| t.name.as_str());
            let unknown = problems::unknown_name("terrain", kind);
            return Err(unknown.hint(hint_for(kind, known)).into());
        }
        if rules.board.place(place).is_none() {
            return Err(problems::unknown_name("place", place).into());
        }
        ground.push((place.to_owned(), kind.to_owned()));
    }
    let base = Overrides {
        seed: args.changes.seed,
        ground,
        ..Overrides::default()
    };
    let head = format!("{}, ", args.scenario);
    if args.grid {
        let command = command_of(&args);
        let units: Vec<String> = args
            .replaced
            .iter()
            .filter(|r| !r.contains('='))
            .cloned()
            .collect();
        let overrides = Overrides {
            ground: base.ground,
            ..args.changes.overrides()?
        };
        let grid = odds::grid::grid(workspace, &opened, &units, &overrides, &answers, &question)?;
        let report = report::grid(&head, &grid, &command, args.options.by.is_some());
        let is_told = grid.is_whole && grid.cells.iter().any(Result::is_ok);
        return Ok(show_report(workspace.work(), args.json, report, is_told));
    }
    let others = with(args.changes, args.each, &base)?;
    let notes = notes(workspace, &opened, &base, &answers, &others)?;
    let noted = |mut page: Report| {
        notes.iter().for_each(|note| page.below(format!("note: {note}")));
        page.with("scenario", &args.scenario).with("notes", &notes)
    };
    let mut sides = vec![("as it is".to_owned(), base)];
    sides.extend(others);
    if let Some(games) = args.options.sample {
        let name_of_file = opened.file.source.name.clone();
        let text = opened.text();
        let mut sampled = Vec::new();
        for (name, overrides) in sides {
            // Rules belong to one thread, and so do texts with places in them: each reads its own.
            let lay = || {
                let opened = run::open_in(workspace, &Source::new(name_of_file.as_str(), text.as_str()))?;
                root::of_scenario(workspace, &opened, &overrides, &answers)
            };
            sampled.push((name, odds::sample::sample_on_all_cores(lay, &question, games)?));
        }
        let report = noted(report::report_samples(&head, &sampled));
        return Ok(show_report(workspace.work(), args.json, report, true));
    }
    let mut answers_by_side = Vec::new();
    for (name, overrides) in sides {
        let mut start = root::of_scenario(workspace, &opened, &overrides, &answers)?;
        answers_by_side.push((name, odds::ask(&mut start.play, &start.root, &question)?));
    }
    let is_whole = answers_by_side.iter().all(|(_, odds)| odds.stopped.is_none());
    let report = noted(report::report(&head, &answers_by_side));
    Ok(show_report(workspace.work(), args.json, report, is_whole))
}

/// Returns remarks about the position and about changes without effect, a sentence each.
fn notes(
    workspace: &Workspace,
    opened: &OpenedFile,
    base: &Overrides,
    answers: &[String],
    others: &[(String, Overrides)],
) -> Result<Vec<String>, Problems> {
    let as_it_is = root::of_scenario(workspace, opened, base, answers)?;
    let adopted = RulesetCache::new(workspace).adopted(&opened.file.game.value)?;
    let mut notes = Vec::from_iter(as_it_is.note);
    for (_, overrides) in others {
        let layers = (&overrides.variants[..], &overrides.without[..]);
        notes.extend(diff::so_already(layers, &opened.file, &adopted));
        let dials = overrides.dials.iter();
        notes.extend(
            dials.filter_map(|(dial, value)| diff::set_already(as_it_is.play.ruleset(), dial, value)),
        );
    }
    Ok(notes)
}

/// The command with all that a cell of a grid shares with the others.
fn command_of(args: &OddsArgs) -> String {
    let mut words = vec!["rulebench odds".to_owned(), args.scenario.clone()];
    let mut put = |name: &str, value: &str| {
        words.push(format!("--{name} {}", shell_word(value)));
    };
    args.answer.iter().for_each(|key| put("answer", key));
    let options = &args.options;
    let texts = [
        ("by", &options.by),
        ("chance", &options.chance),
        ("goal", &options.goal),
        ("until", &options.until),
    ];
    for (name, text) in texts {
        text.iter().for_each(|text| put(name, text));
    }
    let policy = options.policy.as_deref().filter(|name| *name != "best");
    policy.iter().for_each(|name| put("policy", name));
    args.changes.variant.iter().for_each(|v| put("variant", v));
    args.changes.without.iter().for_each(|v| put("without", v));
    args.changes.set.iter().for_each(|v| put("set", v));
    args.replaced
        .iter()
        .filter(|r| r.contains('='))
        .for_each(|r| put("as", r));
    args.terrain.iter().for_each(|t| put("terrain", t));
    if let Some(seed) = args.changes.seed {
        put("seed", &seed.to_string());
    }
    for (name, most) in [("limit", options.limit), ("seconds", options.seconds)] {
        most.iter().for_each(|most| put(name, &most.to_string()));
    }
    words.join(" ")
}

/// The sides besides the base: all changes together, or each by itself.
fn with(changes: Changes, each: bool, base: &Overrides) -> Result<Vec<(String, Overrides)>, Problem> {
    let variants = changes.tweaks()?;
    if !each && !variants.is_empty() {
        let overrides = Overrides {
            ground: base.ground.clone(),
            ..changes.overrides()?
        };
        return Ok(vec![(diff::named(&variants), overrides)]);
    }
    let one = |variant: &Addition| {
        let mut overrides = base.clone();
        variant.put_on(&mut overrides);
        (diff::named(std::slice::from_ref(variant)), overrides)
    };
    Ok(variants.iter().map(one).collect())
}
