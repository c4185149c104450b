//! The script host: Rhai scripts in, declared data and callable hooks out.
//!
//! Knows the kernel and problems; knows no scenario, no agent and no terminal.
//!
//! | module | |
//! |---|---|
//! | [`workspace`] | where scripts are found: a folder, or the games embedded in the binary |
//! | [`engine`] | the Rhai engine: chosen packages, limits |
//! | [`parse`] | one script's text: its functions, calls and names; renaming at load |
//! | [`recover`] | a script that cannot be read, taken apart so that the rest of it can be |
//! | [`syntax`] | what cannot be read, in a designer's words |
//! | [`failures`] | what goes wrong while a script runs, in a designer's words |
//! | [`scratch`] | the functions that were typed, as one text; where in what was typed a place is |
//! | [`layers`] | scripts and the variants over them: order, stacks of definitions, conflicts |
//! | [`tweaks`] | the register of what was decided about each tweak |
//! | [`compile`] | every definition under its own name in one module; where hooks go |
//! | [`declare`] | declared data (dials, stats, slots, board, phases) as the kernel's `Rules` |
//! | [`keys`] | what may stand in declarations; the hooks that the kernel asks; words and kinds of values |
//! | [`value`], [`natives`] | small values; every function, property and operator that scripts may use |
//! | [`api`] | what those act with, and the adapter that offers them to Rhai |
//! | [`lower`] | function bodies as trees of Rust nodes, run in place of the interpreter |
//! | [`interpret`] | the interpreter with the ruleset's functions |
//! | [`trace`] | what a traced run called, said and did |
//! | [`debug`] | a watched run: where it stops, and what is seen there |
//! | [`conflicts`] | what is gathered and cannot both happen: who is asked, and what stays |
//! | [`rolls`] | which rolls the scripts make |
//! | [`lint`] | what can be said of a script without running it |
//! | [`host`] | a loaded ruleset: calls hooks, turns failures into problems |

pub mod conflicts;
pub mod debug;
pub mod declare;
pub mod engine;
pub mod failures;
pub mod host;
pub mod keys;
pub mod layers;
pub mod lexer;
pub mod lint;
pub mod load;
pub mod parse;
mod places;
pub mod recover;
pub mod register;
pub mod rolls;
pub mod run;
pub mod scratch;
pub mod syntax;
pub mod trace;
pub mod workspace;
