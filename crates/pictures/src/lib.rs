//! Drawings and prints of a game, and the pages that are made from the code.
//!
//! Plays nothing by itself. `docs/architecture.md` says which part may know which.
//!
//! | part | |
//! |---|---|
//! | [`picture`] | boards and charts as SVG and PNG |
//! | [`sheet`] | unit cards and a reference to print |
//! | [`reference`] | all that scripts and files can say: help, pages, definitions and schemas for editors |

pub mod picture;
pub mod reference;
pub mod sheet;

// Every part is known by one name, whichever crate it is in.
pub use rulebench_rules::{
    agents, coverage, event_text, files, kernel, option_text, pages, parallel, play, render, report,
    scenario, script, snapshot, stage, stats, text_diff, toml_text, transcript, variants, visible, work,
};
