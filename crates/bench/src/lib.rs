//! Analyses that play a game many times.
//!
//! Knows no face. `docs/architecture.md` says which part may know which.
//!
//! | part | |
//! |---|---|
//! | [`ruleset_cache`], [`suite`] | kept rule sets; all scenarios |
//! | [`diff`], [`combos`], [`mutate`] | other layers, the same answers: what they change |
//! | [`why`], [`profile`] | a step again, traced; where the time of rules goes |
//! | [`odds`] | what can come of a position, exactly: every roll over all its values |
//! | [`studies`], [`ladder`] | many games between agents, and what they say with which certainty |
//! | [`lookahead`], [`reach_report`] | where units could go, and what they could hit; how that is pointed out |

pub mod combos;
pub mod diff;
pub mod ladder;
pub mod lookahead;
pub mod mutate;
pub mod odds;
pub mod profile;
pub mod reach_report;
pub mod ruleset_cache;
pub mod studies;
pub mod suite;
pub mod why;

// Every part is known by one name, whichever crate it is in.
pub use rulebench_pictures::{picture, reference, sheet};
pub use rulebench_rules::{
    agents, coverage, event_text, files, kernel, option_text, pages, parallel, play, render, report,
    scenario, script, snapshot, stage, stats, text_diff, toml_text, transcript, variants, visible, work,
};
