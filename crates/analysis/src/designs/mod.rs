//! Designs of experiments: each chooses arms and measures, and lays out a report.
//!
//! | module | arms |
//! |---|---|
//! | [`summary`] | one |
//! | [`compare`] | without and with a tweak |
//! | [`factorial`] | every set of several tweaks |
//! | [`sweep`] | each value of a dial |
//! | [`matchups`] | each pair of unit types |
//! | [`ladder`] | each pair of agents |
//! | [`value`] | one, with drawn armies |
//! | [`health`] | one, and a strong agent against a weak one |
//! | [`study`] | those of a file, held against its targets |
//! | [`tune`] | each setting of some dials, fewer with each round |
//! | [`notes`] | without and with each open note of a rulebook |

pub mod compare;
pub mod factorial;
pub mod health;
pub mod ladder;
pub mod matchups;
pub mod notes;
pub mod study;
pub mod summary;
pub mod sweep;
pub mod targets;
pub mod tune;
pub mod value;

#[cfg(test)]
mod tests;
