//! `rulebench diff`: reports what [`crate::diff`] finds.

use super::changes::Changes;
use super::{problems, show_report, wants_colour};
use crate::agents::Agent;
use crate::diff::{self, Addition, Comparison, Differ, Verdict};
use crate::report::{Problems, did_you_mean};
use crate::rules::register;
use crate::rules::workspace::Workspace;
use crate::suite;
use clap::Args;
use std::io::IsTerminal;

/// The arguments of `diff`.
#[derive(Args)]
pub(super) struct DiffArgs {
    /// A scenario or a transcript
    #[arg(required_unless_present = "all")]
    scenario: Option<String>,
    #[command(flatten)]
    changes: Changes,
    /// Turn a variant on for both
    #[arg(long, value_name = "NAME")]
    against: Vec<String>,
    /// Agent that answers when a recorded answer is no longer offered: first, random, greedy or mcts
    #[arg(long, value_name = "AGENT")]
    then: Option<String>,
    /// Compare a scenario, or all scenarios of a game, under each variant, in one table
    #[arg(long, value_name = "GAME|SCENARIO", conflicts_with_all = ["scenario", "bisect"])]
    all: Option<String>,
    /// Print the lines that differ for each variant, below the table of a scenario
    #[arg(long, requires = "all")]
    rows: bool,
    /// Find the smallest set of the variants and dials that makes the difference
    #[arg(long)]
    bisect: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Compares, prints, and returns the exit status: 0 no difference or a map, 1 a difference.
///
/// # Errors
///
/// Names that nothing has, nothing to compare, a scenario that cannot be laid on one side.
pub(super) fn run(workspace: &Workspace, ask: DiffArgs) -> Result<u8, Problems> {
    let comparison = comparison(&ask)?;
    if let Some(name) = &ask.all {
        return all(workspace, name, comparison, &ask);
    }
    let name = ask.scenario.as_deref().unwrap_or_default();
    let (path, opened) = suite::one(workspace, name)?;
    if comparison.tweaks.is_empty() && (ask.bisect || comparison.against.is_empty()) {
        return Err(problems::nothing_to_compare().into());
    }
    let mut differ = Differ::new(workspace);
    if ask.bisect {
        let found = differ.bisect(&opened, &comparison)?;
        let report = diff::report::bisected(&path, &found);
        let same = found.verdict == Verdict::Same;
        return Ok(show_report(workspace.work(), ask.json, report, same));
    }
    let found = differ.compare(&opened, &comparison)?;
    let colour = wants_colour(std::io::stdout().is_terminal());
    let report = diff::report::report(&path, &comparison, &found, colour);
    let same = found.verdict == Verdict::Same;
    Ok(show_report(workspace.work(), ask.json, report, same))
}

/// Compares all scenarios of a game, or one scenario, with each variant alone.
fn all(
    workspace: &Workspace,
    name: &str,
    mut comparison: Comparison,
    ask: &DiffArgs,
) -> Result<u8, Problems> {
    let games = workspace.games();
    let scenario = match games.iter().any(|game| game == name) {
        true => None,
        false => Some(suite::one(workspace, name).or_else(|problems| {
            match did_you_mean(name, games.iter().map(String::as_str)) {
                Some(_) => workspace
                    .check_game(name)
                    .map_err(Problems::from)
                    .and(Err(problems)),
                None => Err(problems),
            }
        })?),
    };
    let game = match &scenario {
        Some((_, opened)) => opened.file.game.value.as_str(),
        None => name,
    };
    if comparison.tweaks.is_empty() {
        workspace.check_game(game)?;
        let all = register::all(workspace, game)?.into_iter();
        comparison.tweaks = all.map(Addition::Variant).collect();
    }
    let report = match &scenario {
        Some((path, opened)) => {
            let effects = diff::effects(workspace, opened, &comparison)?;
            let colour = wants_colour(std::io::stdout().is_terminal());
            diff::report::effects(path, &comparison, &effects, ask.rows, colour)
        }
        None if ask.rows => return Err(problems::rows_of_a_game(game).into()),
        None => diff::report::map(&diff::map(workspace, game, &comparison)?),
    };
    Ok(show_report(workspace.work(), ask.json, report, true))
}

fn comparison(ask: &DiffArgs) -> Result<Comparison, Problems> {
    // One table may show several values of a dial.
    if ask.all.is_none() {
        ask.changes.clone().overrides()?;
    }
    Ok(Comparison {
        against: ask.against.clone(),
        tweaks: ask.changes.tweaks()?,
        seed: ask.changes.seed,
        off: Vec::new(),
        scratch: None,
        then: ask.then.as_deref().map(Agent::find).transpose()?,
    })
}
