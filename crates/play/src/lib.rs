//! A game as a pure function, `play(ruleset, scenario, seed, answers) -> events, final position`; its files and its agents.
//!
//! | module | |
//! |---|---|
//! | [`description`] | a position by names: read, laid, changed, compared |
//! | [`play`] | the one function: step, advance, undo, change of rules |
//! | [`sequences`] | the number of sequences of answers from a position |
//! | [`agents`] | players that are programs |
//! | [`stage`] | scenarios: set up, played, transcribed, recorded, edited |
//! | [`history`] | the tree of answers of a session, its branches and its cursor |
//! | [`scenario`], [`transcript`], [`snapshot`], [`rulebook`], [`variants`] | files in and out |

pub mod agents;
pub mod description;
pub mod history;
pub mod play;
pub mod rulebook;
pub mod scenario;
pub mod sequences;
pub mod snapshot;
pub mod stage;
pub mod transcript;
#[cfg(test)]
mod trials;
pub mod variants;

// Every module is known by one name, whichever crate it is in.
pub use rulebench_kernel as kernel;
pub use rulebench_lang::{
    engine, files, lexer, lines, parse, recover, report, rhai_differences, scratch, syntax, text_diff,
    toml_text, visible, work,
};
pub use rulebench_rules::{self as rules, event_text, option_text};
