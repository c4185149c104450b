//! A session: a person plays a position, looks at it, takes moves back, changes the rules. It is driven by lines, which a
//! prompt or a page sends. Knows no terminal and no network.
//!
//! | part | |
//! |---|---|
//! | [`session`] | the session as values, and what they are together |
//! | [`opening_files`] | what a play was laid from: games, scenarios and transcripts |
//! | [`session_rules`] | the rules in force, and those before them |
//! | [`watched_files`] | which files have changed |
//! | [`shown`] | what was told |
//! | [`view_settings`] | how things are shown |
//! | [`output`] | what a line brings to be printed |
//! | [`opening`] | what is put on a session's table |
//! | [`input`] | what front ends ask of a session: a line that is typed, an answer, a look for changes |
//! | [`show`] | what of the play is shown, and as what text |
//! | [`naming`], [`change_text`] | what words may name, and what is said of rules and changes by hand |
//! | [`auto`] | agents that answer for the person |
//! | [`players`], [`plays`] | sides that agents play |
//! | [`branches`] | moves in the history: undo, redo, back, branches |
//! | [`journal`], [`resume`] | a session kept on disk as it is played, and gone on with |
//! | [`option_effects`] | what the options of a question would bring about |
//! | [`retell`] | the past told again under the rules in force |
//! | [`command`], [`commands`] | the table of commands, and what they do |
//! | [`arguments`] | what is typed behind a command, read as its row declares it |
//! | [`complete`] | what could stand at the end of an unfinished line, and hints |
//! | [`typed`] | brackets, texts and comments in what is typed; whether it is whole |
//! | [`page`] | the table on pages in the browser, and what they show |
//!
//! Nothing here knows a game, and nothing decides a rule: it asks [`Play`](crate::play::Play).

pub mod arguments;
pub mod auto;
pub mod branches;
pub mod change_text;
pub mod command;
pub mod commands;
pub mod complete;
pub mod input;
pub mod journal;
pub mod naming;
pub mod opening;
pub mod opening_files;
pub mod option_effects;
pub mod output;
pub mod page;
pub mod players;
pub mod plays;
pub(crate) mod problems;
pub mod resume;
pub mod retell;
pub mod session;
pub mod session_rules;
pub mod show;
pub mod shown;
pub mod typed;
pub mod view_settings;
pub mod watched_files;
pub mod words;

// Every module is known by one name, whichever crate it is in.
pub use rulebench_analysis::{
    combos, coverage, designs, diff, experiment, lookahead, mutate, odds, parallel, people_games, perft,
    profile, reach_report, ruleset_cache, stats, suite, turning_point, why,
};
pub use rulebench_grounds as grounds;
pub use rulebench_kernel as kernel;
pub use rulebench_lang::{
    engine, files, lexer, lines, parse, recover, report, rhai_differences, scratch, syntax, text_diff,
    toml_text, visible, work,
};
pub use rulebench_play::{
    agents, description, history, play, rulebook, scenario, sequences, snapshot, stage, transcript, variants,
};
pub use rulebench_present::{facts, picture, reference, render, reports, row, sheet};
pub use rulebench_rules::{self as rules, event_text, option_text};
