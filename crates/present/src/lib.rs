//! Reports and boards, as text and as pictures, and the pages that are made from the code. Plays nothing by itself.
//!
//! | module | |
//! |---|---|
//! | [`reports`] | reports as values, and their text, Markdown and HTML |
//! | [`render`] | boards as text |
//! | [`picture`] | boards and charts as SVG and PNG |
//! | [`sheet`] | unit cards, and pages to print |
//! | [`reference`] | all that scripts and files can say: help, pages, definitions and schemas for editors |

pub mod picture;
pub mod reference;
pub mod render;
pub mod reports;
pub mod sheet;

// Every module is known by one name, whichever crate it is in.
pub use rulebench_kernel as kernel;
pub use rulebench_lang::{
    engine, files, lexer, lines, parse, recover, report, rhai_differences, scratch, syntax, text_diff,
    toml_text, visible, work,
};
pub use rulebench_play::{
    agents, description, play, rulebook, scenario, snapshot, stage, transcript, variants,
};
pub use rulebench_rules::{self as rules, event_text, option_text};
