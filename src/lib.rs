//! rulebench: a rules-scripting sandbox for designers of tabletop skirmish games.
//!
//! A game is a pure function: `play(rules, scenario, seed, answers) -> events, final position`.
//! Everything else is that function with another source of answers, or with other rules.
//!
//! Here are its faces; the crates under `crates/` are what they show.
//!
//! | part | |
//! |---|---|
//! | [`repl`] | the prompt |
//! | [`page`] | the table on a page in the browser: a face beside the prompt, on the same session |
//! | [`cli`] | the command line |
//! | [`embedded`] | the games that the program carries |
//! | [`screen`], [`progress`] | output to terminals; progress on them, and Ctrl-C |

pub mod cli;
pub mod embedded;
pub mod page;
pub mod progress;
pub mod repl;
pub mod screen;

// Every module is known by one name, whichever crate it is in.
pub use rulebench_analysis::{
    combos, coverage, designs, diff, experiment, lookahead, mutate, odds, parallel, people_games, perft,
    profile, reach_report, ruleset_cache, stats, suite, why,
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
pub use rulebench_present::{picture, reference, render, reports, sheet};
pub use rulebench_rules::{self as rules, event_text, option_text};
pub use rulebench_session::{command, commands};
