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
//! | [`screen`], [`progress`] | output to terminals; progress on them, and Ctrl-C |

pub mod cli;
pub mod page;
pub mod progress;
pub mod repl;
pub mod screen;

// Every part is known by one name, whichever crate it is in.
pub use rulebench_bench::{
    combos, diff, ladder, lookahead, mutate, odds, profile, reach_report, ruleset_cache, studies, suite, why,
};
pub use rulebench_pictures::{picture, reference, sheet};
pub use rulebench_rules::{
    agents, coverage, event_text, files, kernel, option_text, pages, parallel, play, render, report,
    scenario, script, snapshot, stage, stats, text_diff, toml_text, transcript, variants, visible, work,
};
