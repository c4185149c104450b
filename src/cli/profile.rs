//! `rulebench profile`: which functions of the scripts take the time of random games.

use super::{OK, say, say_json};
use crate::profile;
use crate::report::Problems;
use crate::script::host::Options;
use crate::script::workspace::Workspace;

/// How many lines of a function are told.
const LINES: usize = 3;

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
    if json {
        say_json(&found);
        return Ok(OK);
    }
    say(&format!(
        "{} random games of {game}, {:.1} steps each; of the time in scripts, what each function takes itself:\n",
        found.games, found.steps_a_game
    ));
    say(" share  calls a game  function");
    for row in found.rows.iter().take(most) {
        say(&format!(
            "{:5.1}%  {:12.1}  {}  {}:{}",
            row.share * 100.0,
            row.calls_a_game,
            row.function,
            row.file,
            row.line
        ));
        let lines = row.lines.iter().take(LINES);
        let lines: Vec<String> = lines
            .map(|(line, n)| format!("line {line} {n:.1} times"))
            .collect();
        if !lines.is_empty() {
            say(&format!("{:22}{}", "", lines.join(", ")));
        }
    }
    let more = found.rows.len().saturating_sub(most);
    if more > 0 {
        say(&format!("and {more} functions that take less (--most N)"));
    }
    say("\nWatching takes time of its own: shares are worth more than times.");
    Ok(OK)
}
