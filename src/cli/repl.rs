//! The prompt, at a terminal or for piped input, and the table on a page without one.

use super::arguments::Repl;
use super::changes::Changes;
use super::{BAD_INPUT, OK, problems, wants_colour};
use crate::repl::journal::Journals;
use crate::repl::session::Session;
use crate::repl::terminal::state_folder;
use crate::report::Problems;
use crate::rules::workspace::Workspace;
use crate::stage::run::Overrides;
use std::io::IsTerminal;
use std::path::Path;

/// Opens the prompt; the exit status.
///
/// # Errors
///
/// What is not there or cannot be laid; a session that cannot be gone on with.
pub(super) fn run(workspace: &Workspace, args: Repl) -> Result<u8, Problems> {
    let (input, output) = (std::io::stdin(), std::io::stdout());
    let terminal = is_at_terminal();
    let style = crate::render::Style {
        colour: wants_colour(terminal),
        ascii: !terminal || !crate::repl::terminal::speaks_unicode(),
        ..crate::render::Style::default()
    };
    let state = || state_folder(workspace);
    let journals = match &args.journal {
        Some(folder) => Some(Journals::at(folder.clone())),
        None if terminal || args.resume.is_some() => state().map(|s| Journals::of(&s, workspace)),
        None => None,
    };
    let named = elsewhere(workspace).map(|root| ("--workspace", root));
    let kept_in = args.journal.as_deref().map(|folder| ("--journal", folder));
    let journals = journals.map(|journals| journals.found_by(named.into_iter().chain(kept_in)));
    let session = match (args.resume, &journals) {
        (Some(nth), Some(journals)) => Session::resume(workspace, journals, nth, style)?,
        (Some(_), None) => {
            return Err(problems::no_session_folder().into());
        }
        (None, journals) => {
            let game = args.start.as_deref().filter(|_| args.empty);
            game.map_or(Ok(()), |game| workspace.check_game(game))?;
            let changes = Overrides {
                empty: args.empty,
                ..args.changes.overrides()?
            };
            let mut session = Session::new(workspace, args.start.as_deref(), changes, style)?;
            if let Some(journals) = journals {
                session.keep_journal(journals);
            }
            session
        }
    };
    if terminal {
        crate::repl::terminal::run(session)?;
        return Ok(OK);
    }
    let all_well = crate::repl::plain::run(session, &mut input.lock(), &mut output.lock());
    Ok(if all_well { OK } else { BAD_INPUT })
}

/// Whether the prompt opens at a terminal.
pub(super) fn is_at_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// The folder of a workspace that would not be found from here without naming it.
fn elsewhere(workspace: &Workspace) -> Option<&Path> {
    let is_found = Workspace::find(Path::new("."), crate::embedded::games) == *workspace;
    workspace.folder().filter(|_| !is_found)
}

/// Serves the table; the exit status.
///
/// # Errors
///
/// What is not there or cannot be laid; a page that cannot be served.
pub(super) fn table(workspace: &Workspace, start: Option<String>, changes: Changes) -> Result<u8, Problems> {
    let style = crate::render::Style::default();
    let changes = changes.overrides()?;
    let chooses = start.is_none() && changes.is_empty();
    let mut session = Session::new(workspace, start.as_deref(), changes, style)?;
    session.pages.door = chooses;
    // As at the prompt: where a person sits, `repl --resume` goes on with it.
    let is_watched = std::io::stdout().is_terminal();
    if let Some(state) = is_watched.then(|| state_folder(workspace)).flatten() {
        let named = elsewhere(workspace).map(|root| ("--workspace", root));
        session.keep_journal(&Journals::of(&state, workspace).found_by(named));
    }
    crate::repl::serve::run(session)?;
    Ok(OK)
}
