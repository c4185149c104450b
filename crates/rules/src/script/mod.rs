//! Scripts: Rhai scripts in, declared data and callable hooks out.
//!
//! Knows the kernel and problems; knows no scenario, no agent and no terminal.
//!
//! | module | |
//! |---|---|
//! | [`workspace`] | where scripts are found: a folder, or the games embedded in the binary |
//! | [`engine`] | Rhai's parser, with the limits of what is read and run |
//! | [`parse`] | one script's text: its functions, calls and names |
//! | [`lexer`], [`recover`] | what is half typed, or cannot be read, taken apart so that the rest of it can be |
//! | [`syntax`] | what cannot be read, in a designer's words |
//! | [`failures`] | what goes wrong while a script runs, in a designer's words |
//! | [`scratch`] | the functions that were typed, as one text; where in what was typed a place is |
//! | [`layers`] | scripts and the variants over them: order, stacks of definitions, conflicts |
//! | [`register`] | the register of what was decided about each tweak |
//! | [`declare`] | declared data (dials, stats, slots, board, phases), read piece by piece |
//! | [`keys`] | what may stand in declarations; the hooks that the kernel asks |
//! | [`load`] | definitions on their way to a program |
//! | [`declared_rules`] | what is declared, put together to the kernel's `Rules` |
//! | [`lint`] | what can be said of scripts without running them |
//! | [`run`] | the program of typed nodes, and its run: values, natives, observers |
//! | [`trace`] | what a traced run called, said and did |
//! | [`debug`] | a watched run: where it stops, and what is seen there |
//! | [`conflicts`] | what is gathered and cannot both happen: who is asked, and what stays |
//! | [`rolls`] | which rolls the scripts make |
//! | [`ruleset`] | a loaded ruleset, which never changes; turns failures into problems |
//! | [`runtime`] | a table on which the functions of a ruleset run |

pub mod conflicts;
pub mod debug;
pub mod declare;
pub mod declared_rules;
pub mod engine;
pub mod failures;
pub mod keys;
pub mod layers;
pub mod lexer;
pub mod lint;
pub mod load;
pub mod names;
pub mod parse;
mod places;
mod problems;
pub mod recover;
pub mod register;
pub mod rolls;
pub mod ruleset;
pub mod run;
pub mod runtime;
pub mod scratch;
pub mod syntax;
pub mod trace;
pub mod workspace;
