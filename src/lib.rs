//! rulebench: a rules-scripting sandbox for designers of tabletop skirmish games.
//!
//! A game is a pure function: `play(rules, scenario, seed, answers) -> events, final position`.
//! Everything else is that function with another source of answers, or with other rules.
//!
//! | part | |
//! |---|---|
//! | [`report`] | problems as values, error pages, did-you-mean |
//! | [`kernel`] | boards, world, engagement, phases, choices, dice, events; no scripts |
//! | [`script`] | the Rhai host: scripts and variants in, declared data and hooks out |
//! | [`play`] | the one function: step, advance, undo, change of rules |
//! | [`scenario`], [`transcript`], [`snapshot`] | files in and out |
//! | [`stage`] | scenarios on the table: laid, played, changed by hand, recorded |
//! | [`files`] | the one place that writes files |
//! | [`suite`], [`coverage`] | all scenarios; the clauses that they prove |
//! | [`tweaks`] | a designer's tweaks and what was decided about them |
//! | [`diff`], [`combos`], [`mutate`] | other layers, the same answers: what they change |
//! | [`why`] | a step again, traced |
//! | [`odds`] | what can come of a position, exactly: every roll over all its values |
//! | [`studies`], [`stats`] | many games between agents, and what they say with which certainty |
//! | [`ladder`] | agents play each other and are rated |
//! | [`prospect`], [`pointed`] | where units could go, and what they could hit; how that is pointed out |
//! | [`reference`] | all that scripts and files can say: help, pages, definitions and schemas for editors |
//! | [`hosts`], [`parallel`], [`text_diff`] | kept rule sets, work on all cores, differences of texts |
//! | [`picture`], [`sheet`] | boards as SVG and PNG; unit cards and a reference to print |
//! | [`agents`], [`render`], [`repl`], [`cli`] | who answers; faces |
//! | [`page`] | the table on a page in the browser: a face beside the prompt, on the same session |
//! | [`screen`] | all that is written to terminals |

#![forbid(unsafe_code)]

pub mod agents;
pub mod cli;
pub mod combos;
pub mod coverage;
pub mod diff;
pub mod files;
pub mod hosts;
pub mod kernel;
pub mod ladder;
pub mod mutate;
pub mod odds;
pub mod page;
pub mod pages;
pub mod parallel;
pub mod picture;
pub mod play;
pub mod pointed;
pub mod profile;
pub mod progress;
pub mod prospect;
pub mod reference;
pub mod render;
pub mod repl;
pub mod report;
pub mod scenario;
pub mod screen;
pub mod script;
pub mod sheet;
pub mod snapshot;
pub mod stage;
pub mod stats;
pub mod studies;
pub mod suite;
pub mod text_diff;
pub mod told;
pub mod toml_text;
pub mod transcript;
#[cfg(test)]
mod trials;
pub mod tweaks;
pub mod why;
