//! The script host: Rhai scripts in, declared data and callable hooks out.
//!
//! Knows the kernel and problems; knows no scenario, no agent and no terminal.
//!
//! | module | |
//! |---|---|
//! | [`workspace`] | where scripts are found: a folder, or the games embedded in the binary |
//! | [`engine`] | the Rhai engine: chosen packages, limits |
//! | [`parse`] | one script's text: its functions, calls and names; renaming at load |
//! | [`declare`] | declared data (dials, stats, slots, board, phases) as the kernel's `Rules` |
//! | [`api`] | the functions that scripts may call |
//! | [`lint`] | what can be said of a script without running it |
//! | [`host`] | a loaded ruleset: calls hooks, turns failures into problems |

pub mod api;
pub mod declare;
pub mod engine;
pub mod host;
pub mod lint;
pub mod parse;
pub mod workspace;
