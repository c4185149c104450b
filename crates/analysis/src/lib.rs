//! Analyses that play a game many times. Knows no terminal.
//!
//! | module | |
//! |---|---|
//! | [`ruleset_cache`], [`suite`] | cached rulesets; all scenarios |
//! | [`coverage`] | clauses of a rulebook and the scenarios that prove them |
//! | [`diff`], [`combos`], [`mutate`] | other layers, the same answers: what they change |
//! | [`why`], [`profile`] | a step again, traced; where the time of rules goes |
//! | [`odds`] | exact results of a position: every roll over all its values |
//! | [`experiment`], [`designs`] | many games between agents, measured with intervals; what is asked of them |
//! | [`people_games`] | games that people played |
//! | [`turning_point`] | the step of a game that changed the chances most |
//! | [`perft`] | the number of sequences of answers from a position, on all cores |
//! | [`lookahead`], [`reach_report`] | where units could go, and what they could hit |
//! | [`stats`], [`parallel`] | statistics; work on all cores |

pub mod combos;
pub mod coverage;
pub mod designs;
pub mod diff;
pub mod experiment;
pub mod lookahead;
pub mod mutate;
pub mod odds;
pub mod parallel;
pub mod people_games;
pub mod perft;
pub mod profile;
pub mod reach_report;
pub mod ruleset_cache;
pub mod stats;
pub mod suite;
pub mod turning_point;
pub mod why;

// Every module is known by one name, whichever crate it is in.
pub use rulebench_grounds as grounds;
pub use rulebench_kernel as kernel;
pub use rulebench_lang::{
    engine, files, lexer, lines, parse, recover, report, rhai_differences, scratch, syntax, text_diff,
    toml_text, visible, work,
};
pub use rulebench_play::{
    agents, description, play, rulebook, scenario, sequences, snapshot, stage, transcript, variants,
};
pub use rulebench_present::{facts, picture, reference, render, reports, row, sheet};
pub use rulebench_rules::{self as rules, event_text, option_text};
