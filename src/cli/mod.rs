//! The command line: thin over the library.
//!
//! Exit status: 0 all well, 1 a check failed, 2 bad usage or bad input.

mod arguments;
mod changes;
mod check;
mod coverage;
pub(crate) mod diff;
mod dispatch;
mod doc;
mod ladder;
mod log;
mod mutate;
mod new;
mod odds;
pub(crate) mod odds_options;
mod pdf;
mod perft;
mod problems;
mod profile;
mod render;
mod repl;
mod replay;
mod rulebook;
mod run;
mod share;
mod sheet;
mod sim;
pub(crate) mod snapshots;
mod studies;
mod test;
mod threads;
mod variants;

use crate::report::{Problem, Problems};
use crate::reports::Report;
use crate::rules::workspace::Workspace;
pub use crate::screen::wants_colour;
pub(crate) use crate::screen::{Screen, print, print_data, print_error, print_json};
use crate::work::Work;
use changes::Changes;
pub use dispatch::main;
use std::io::IsTerminal;
use threads::Threads;

/// All well.
pub const OK: u8 = 0;
/// A check failed.
pub const FAILED: u8 = 1;
/// Bad usage or bad input.
pub const BAD_INPUT: u8 = 2;

/// Shows the answer of a command, as JSON or as text; returns the exit status. JSON of a command that the user stopped
/// says so.
fn show_report(work: &Work, json: bool, mut report: Report, well: bool) -> u8 {
    if json {
        if work.is_stopped() {
            report.fact("stopped", true);
        }
        print_json(&report);
    } else if !report.is_empty() {
        print(&report.text());
    }
    if well { OK } else { FAILED }
}

/// The game that is meant: the named one, or the only one there is. `how` says how one is named.
///
/// # Errors
///
/// An unknown game, and none named where there are several.
fn the_game(workspace: &Workspace, named: Option<&str>, how: &str) -> Result<String, Problem> {
    match (named, &workspace.games()[..]) {
        (Some(game), _) => {
            workspace.check_game(game)?;
            Ok(game.to_owned())
        }
        (None, [only]) => Ok(only.clone()),
        (None, games) => Err(problems::missing_game(games.join(", "), how)),
    }
}

/// Prints problems for people.
fn complain(problems: &Problems) {
    print_error(&problems.page(wants_colour(std::io::stderr().is_terminal())));
}

/// Prints the problems that kept a command from running, for programs.
fn print_problems(problems: &Problems) {
    print_json(&Report::default().with("problems", problems));
}
