//! The REPL: a person plays a position, looks at it, takes moves back.
//!
//! | part | |
//! |---|---|
//! | [`session`] | a line in, what to print out; knows no terminal |
//! | [`show`] | what of the play is shown, and as what text |
//! | [`auto`] | agents that answer for the person |
//! | [`branches`] | answers taken back and given again, and lines of play that are kept |
//! | [`parting`] | where lines of play part, in words |
//! | [`journal`] | a session kept on disk as it is played, and gone on with |
//! | [`edit`] | what is changed on the table by hand: units, slots, dice |
//! | [`foresee`] | what the options of a question would bring about |
//! | [`complete`] | what could stand at the end of an unfinished line, and hints |
//! | [`arguments`] | what may stand where behind a command, from the table of commands |
//! | [`lines`] | brackets, texts and comments in what is typed; whether it is whole |
//! | [`highlight`] | the colours of what is typed |
//! | [`history`] | what was typed before, kept between sessions |
//! | [`editor`] | the line editor's helper: completion, hints, colours, lines of several lines |
//! | [`rules`] | what a session does when rules or files change |
//! | [`patch`], [`compare`] | from a thought to a tweak: a layer that is typed, and what it changes |
//! | [`odds`] | what the chances are here |
//! | [`testing`] | from play to test: expectations, scenarios that are written, tests that are run |
//! | [`card`] | a unit's card, and what is at a place |
//! | [`clause`] | the rulebook's clauses, with what proves them |
//! | [`watch`] | which files have changed, and who says when to look |
//! | [`commands`] | the table of commands that begin with `:` |
//! | [`why`] | the commands that explain |
//! | [`picture`] | the commands that draw |
//! | [`tour`] | the tour of the README, played |
//! | [`terminal`] | the front end for a terminal, around the line editor |
//! | [`breaks`] | break points and the places that they mean |
//! | [`walk`], [`debug`] | stopping within a step and going on; its commands |
//! | [`plays`] | sides that agents play |
//! | [`plain`] | the front end for piped input |
//!
//! Nothing here knows a game, and nothing decides a rule: it asks [`Play`](crate::play::Play).

pub mod arguments;
pub mod auto;
pub mod branches;
pub mod breaks;
pub mod card;
pub mod clause;
pub mod commands;
pub mod compare;
pub mod complete;
pub mod debug;
pub mod edit;
pub mod editor;
pub mod foresee;
pub mod highlight;
pub mod history;
pub mod journal;
pub mod lines;
pub mod odds;
pub mod parting;
pub mod patch;
pub mod picture;
pub mod plain;
pub mod plays;
pub mod rules;
pub mod session;
pub mod show;
pub mod terminal;
pub mod testing;
pub mod tour;
pub mod walk;
pub mod watch;
pub mod why;

/// A session on the embedded games as tests begin one, greeted.
#[cfg(test)]
fn started(start: &str) -> session::Session {
    let opened = session::Session::new(
        &crate::script::workspace::Workspace::Embedded,
        Some(start),
        crate::scenario::run::Overrides::default(),
        crate::render::Style::default(),
    );
    let mut session = opened.unwrap_or_else(|p| panic!("{p}"));
    session.greeting();
    session
}

/// What a line brings, which must be well.
#[cfg(test)]
fn said(session: &mut session::Session, line: &str) -> String {
    let reply = session.line(line);
    assert!(!reply.failed(), "{line}: {}", reply.print());
    reply.print()
}

/// What a line brings that must be refused.
#[cfg(test)]
fn refused(session: &mut session::Session, line: &str) -> String {
    let reply = session.line(line);
    assert!(reply.failed(), "{line}: {}", reply.print());
    reply.print()
}
