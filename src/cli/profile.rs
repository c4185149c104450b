//! `rulebench profile`: which functions of the scripts take the time of random games.

use super::arguments::Profile;
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
pub(super) fn run(workspace: &Workspace, args: Profile) -> Result<u8, Problems> {
    let changes = args.changes.overrides()?;
    let options = Options {
        dials: changes.dials.into_iter().collect(),
        variants: changes.variants,
        without: changes.without,
        ..Options::default()
    };
    let first = changes.seed.unwrap_or(1);
    let found = profile::profile(workspace, &args.game, &options, first, args.games)?;
    Ok(tell(args.json, &found, || found.page(args.most), true))
}
