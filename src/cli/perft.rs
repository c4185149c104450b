//! `rulebench perft`: the number of sequences of answers from a game's start or from where a scenario stops.

use super::{Changes, Threads, show_report, sim};
use crate::perft::{self, MAX_DEPTH, PerftQuery};
use crate::report::Problems;
use crate::rules::workspace::Workspace;
use crate::stage::run;
use clap::Args;

/// The arguments of `perft`.
#[derive(Args)]
pub(super) struct PerftArgs {
    /// A game, or a scenario or transcript: sequences begin where it stops
    start: String,
    /// Number of answers in the longest sequences
    #[arg(default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_DEPTH)))]
    depth: u8,
    /// List the sequences of the last depth by their first answer
    #[arg(long)]
    divide: bool,
    /// Count an answer with one option as an answer, too
    #[arg(long)]
    forced: bool,
    #[command(flatten)]
    changes: Changes,
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
/// A scenario that cannot be played, and rules that fail on the way.
pub(super) fn run(workspace: &Workspace, args: PerftArgs) -> Result<u8, Problems> {
    let opened = sim::start(workspace, &args.start)?.into();
    let mut played = run::run(workspace, &opened, &args.changes.overrides()?)?;
    Problems::check(std::mem::take(&mut played.problems))?;
    let query = PerftQuery {
        depth: args.depth,
        forced_is_depth: args.forced,
        threads: args.threads.count(),
    };
    let counted = perft::perft(&mut played.play, query)?;
    let report = counted
        .report(format!("sequences of answers from {}", args.start), args.divide)
        .with("start", &args.start);
    Ok(show_report(
        workspace.work(),
        args.json,
        report,
        counted.is_whole(),
    ))
}
