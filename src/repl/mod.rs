//! The front ends of a session: the terminal, piped input, a table that is served without a prompt.
//!
//! | part | |
//! |---|---|
//! | [`terminal`] | the front end for a terminal, around the line editor |
//! | [`plain`] | the front end for piped input |
//! | [`serve`] | a table without a prompt |
//! | [`agent_lines`] | what a front end handles next: a message, or an agent that may answer |
//! | [`editor`] | the line editor's helper: completion, hints, colours, lines of several lines |
//! | [`highlight`] | the colours of what is typed |
//! | [`typed_lines`] | what was typed before, kept between sessions |
//! | [`watch`] | notices that files may have changed |
//!
//! The session itself is the crate `session`.

pub mod agent_lines;
pub mod editor;
pub mod highlight;
pub mod plain;
pub mod serve;
pub mod terminal;
pub mod typed_lines;
pub mod watch;

pub use rulebench_session::{
    arguments, auto, branches, change_text, complete, input, journal, naming, opening, opening_files,
    option_effects, output, players, plays, resume, retell, session, session_rules, show, shown, typed,
    view_settings, watched_files, words,
};

/// The page with the tour of `:tour` in it.
pub const TOUR: &str = include_str!("../../README.md");

/// Gives a session what the program brings along for it: the tour, and the settings of the environment.
pub(crate) fn equip(session: &mut session::Session) {
    session.face.tour = TOUR;
    session.face.odds_seconds = crate::cli::odds_options::usual_seconds();
}
