//! `rulebench mutate`: prints which changes of the rules no scenario notices.

use super::show_report;
use crate::mutate;
use crate::report::Problems;
use crate::rules::workspace::Workspace;
use clap::Args;

/// The arguments of `mutate`.
#[derive(Args)]
pub(super) struct MutateArgs {
    /// The game
    game: String,
    /// Change only scripts whose path contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Fail if fewer per cent of the changes than this are noticed
    #[arg(long, value_name = "PER CENT", default_value_t = 95, value_parser = clap::value_parser!(u8).range(0..=100))]
    at_least: u8,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs it; returns the exit status.
///
/// # Errors
///
/// An unknown game, and scripts that do not load as they are.
pub(super) fn run(workspace: &Workspace, args: &MutateArgs) -> Result<u8, Problems> {
    let began = std::time::Instant::now();
    let report = mutate::run(workspace, &args.game, args.only.as_deref())?;
    let enough = report.score() >= f64::from(args.at_least);
    let mut page = report.report();
    page.below(format!("{:.0} s", began.elapsed().as_secs_f64()));
    let well = enough && report.failing.is_empty();
    Ok(show_report(workspace.work(), args.json, page, well))
}
