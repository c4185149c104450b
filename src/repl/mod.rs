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
//! | [`complete`] | what could stand at the end of an unfinished line |
//! | [`edit`] | what is changed on the table by hand: units, slots, dice |
//! | [`rules`] | what a session does when rules or files change |
//! | [`patch`], [`compare`] | from a thought to a tweak: a layer that is typed, and what it changes |
//! | [`testing`] | from play to test: expectations, scenarios that are written, tests that are run |
//! | [`clause`] | the rulebook's clauses, with what proves them |
//! | [`watch`] | which files have changed, and who says when to look |
//! | [`commands`] | the table of commands that begin with `:` |
//! | [`why`] | the commands that explain |
//! | [`picture`] | the commands that draw |
//! | [`terminal`] | the front end with line editing, history and completion |
//! | [`plain`] | the front end for piped input |
//!
//! Nothing here knows a game, and nothing decides a rule: it asks [`Play`](crate::play::Play).

pub mod auto;
pub mod branches;
pub mod clause;
pub mod commands;
pub mod compare;
pub mod complete;
pub mod picture;
pub mod journal;
pub mod parting;
pub mod patch;
pub mod edit;
pub mod plain;
pub mod rules;
pub mod session;
pub mod show;
pub mod terminal;
pub mod testing;
pub mod watch;
pub mod why;
