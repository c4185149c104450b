//! The REPL: a person plays a position, looks at it, takes moves back.
//!
//! | part | |
//! |---|---|
//! | [`session`] | a line in, what to print out; knows no terminal |
//! | [`show`] | what of the play is shown, and as what text |
//! | [`auto`] | agents that answer for the person |
//! | [`foresee`] | what the options of a question would bring about |
//! | [`complete`] | what could stand at the end of an unfinished line, and hints |
//! | [`arguments`] | what may stand where behind a command, from the table of commands |
//! | [`lines`] | brackets, texts and comments in what is typed; whether it is whole |
//! | [`highlight`] | the colours of what is typed |
//! | [`history`] | what was typed before, kept between sessions |
//! | [`editor`] | the line editor's helper: completion, hints, colours, lines of several lines |
//! | [`rules`] | what a session does when rules or files change |
//! | [`watch`] | which files have changed, and who says when to look |
//! | [`commands`] | the table of commands that begin with `:` |
//! | [`why`] | the commands that explain |
//! | [`terminal`] | the front end for a terminal, around the line editor |
//! | [`plain`] | the front end for piped input |
//!
//! Nothing here knows a game, and nothing decides a rule: it asks [`Play`](crate::play::Play).

pub mod arguments;
pub mod auto;
pub mod commands;
pub mod complete;
pub mod editor;
pub mod foresee;
pub mod highlight;
pub mod history;
pub mod lines;
pub mod plain;
pub mod rules;
pub mod session;
pub mod show;
pub mod terminal;
pub mod watch;
pub mod why;
