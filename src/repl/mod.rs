//! The REPL: a person plays a position, looks at it, takes moves back.
//!
//! | part | |
//! |---|---|
//! | [`session`] | a line in, what to print out; knows no terminal |
//! | [`show`] | what of the play is shown, and as what text |
//! | [`auto`] | agents that answer for the person |
//! | [`complete`] | what could stand at the end of an unfinished line |
//! | [`rules`] | what a session does when rules or files change |
//! | [`watch`] | which files have changed, and who says when to look |
//! | [`commands`] | the table of commands that begin with `:` |
//! | [`why`] | the commands that explain |
//! | [`breaks`] | break points and the places that they mean |
//! | [`walk`], [`debug`] | stopping within a step and going on; its commands |
//! | [`terminal`] | the front end with line editing, history and completion |
//! | [`plain`] | the front end for piped input |
//!
//! Nothing here knows a game, and nothing decides a rule: it asks [`Play`](crate::play::Play).

pub mod auto;
pub mod breaks;
pub mod commands;
pub mod complete;
pub mod debug;
pub mod plain;
pub mod rules;
pub mod session;
pub mod show;
pub mod terminal;
pub mod walk;
pub mod watch;
pub mod why;
