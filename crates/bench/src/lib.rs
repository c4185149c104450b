//! Analyses that play a game many times.
//!
//! Knows no face. `docs/architecture.md` says which part may know which.
//!
//! | part | |
//! |---|---|
//! | [`hosts`], [`suite`] | kept rule sets; all scenarios |
//! | [`diff`], [`combos`], [`mutate`] | other layers, the same answers: what they change |
//! | [`why`], [`profile`] | a step again, traced; where the time of rules goes |
//! | [`odds`] | what can come of a position, exactly: every roll over all its values |
//! | [`studies`], [`ladder`] | many games between agents, and what they say with which certainty |
//! | [`prospect`], [`pointed`] | where units could go, and what they could hit; how that is pointed out |

pub mod combos;
pub mod diff;
pub mod hosts;
pub mod ladder;
pub mod mutate;
pub mod odds;
pub mod pointed;
pub mod profile;
pub mod prospect;
pub mod studies;
pub mod suite;
pub mod why;

// Every part is known by one name, whichever crate it is in.
pub use rulebench_pictures::{picture, reference, sheet};
pub use rulebench_rules::{
    agents, coverage, files, kernel, offered, pages, parallel, play, progress, render, report, scenario,
    screen, script, snapshot, stage, stats, text_diff, told, toml_text, transcript, tweaks,
};
