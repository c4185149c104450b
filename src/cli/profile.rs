//! `rulebench profile`: which functions of the scripts take the time of random games.

use super::tell;
use crate::profile;
use crate::report::Problems;
use crate::script::host::Options;
use crate::script::workspace::Workspace;

/// Plays random games and lists the functions that take most.
///
/// # Errors
///
/// A game that does not load, or whose rules fail.
pub fn run(
    workspace: &Workspace,
    game: &str,
    options: &Options,
    games: u64,
    most: usize,
    json: bool,
) -> Result<u8, Problems> {
    let found = profile::profile(workspace, game, options, games)?;
    Ok(tell(json, &found, || found.page(game, most), true))
}
