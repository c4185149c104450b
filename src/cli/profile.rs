//! `rulebench profile`: which functions of the scripts take the time of random games.

use super::arguments::ProfileArgs;
use super::show_report;
use super::sim::start;
use crate::profile;
use crate::report::Problems;
use crate::rules::workspace::Workspace;

/// Plays random games and lists the functions that take most.
///
/// # Errors
///
/// A game that cannot be played so, or whose rules fail.
pub(super) fn run(workspace: &Workspace, args: ProfileArgs) -> Result<u8, Problems> {
    let file = start(workspace, &args.start)?;
    let found = profile::profile(workspace, &file, &args.changes.overrides()?, args.games)?;
    Ok(show_report(
        workspace.work(),
        args.json,
        found.report(args.most),
        true,
    ))
}
