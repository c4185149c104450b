//! `rulebench mutate`: prints which changes of the rules no scenario notices.

use super::tell;
use crate::mutate;
use crate::report::Problems;
use crate::script::workspace::Workspace;
use clap::Args;

/// What it takes.
#[derive(Args)]
pub(super) struct MutateArgs {
    /// The game
    game: String,
    /// Only scripts whose path contains this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Fewer caught than this is a failure, in per cent
    #[arg(long, value_name = "PER CENT", default_value_t = 95, value_parser = clap::value_parser!(u8).range(0..=100))]
    at_least: u8,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// Runs it; returns the exit status.
///
/// # Errors
///
/// An unknown game, and scripts that do not load as they are.
pub(super) fn run(workspace: &Workspace, asked: &MutateArgs) -> Result<u8, Problems> {
    let began = std::time::Instant::now();
    let report = mutate::run(workspace, &asked.game, asked.only.as_deref())?;
    let enough = report.score() >= f64::from(asked.at_least);
    let page = || {
        let mut page = report.page();
        page.below(format!("{:.0} s", began.elapsed().as_secs_f64()));
        page
    };
    Ok(tell(
        asked.json,
        &report,
        page,
        enough && report.failing.is_empty(),
    ))
}
