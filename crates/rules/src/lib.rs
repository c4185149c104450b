//! Rules of a game: scripts with their layers in, an immutable ruleset out; and the interpreter that runs it on a table.
//!
//! Knows no scenario, no agent and no terminal.
//!
//! | module | |
//! |---|---|
//! | [`workspace`] | where scripts are found: a folder, or files in memory |
//! | [`layers`] | scripts and the variants over them: order, stacks of definitions, conflicts |
//! | [`register`] | the register of what was decided about each tweak |
//! | [`declare`] | declared data (dials, stats, slots, board, phases), read piece by piece |
//! | [`keys`] | what may stand in declarations; the hooks that the kernel asks |
//! | [`event_text`], [`option_text`] | events and options in words, and answers as people write them |
//! | [`card_text`] | the sentences of `card()` for players, with live numbers |
//! | [`load`] | definitions on their way to a program |
//! | [`declared_rules`] | what is declared, put together to the kernel's `Rules` |
//! | [`lint`], [`names`] | checks of scripts without running them |
//! | [`run`] | the program of typed nodes, and its run: values, natives, observers |
//! | [`failures`] | messages about failures of a running script |
//! | [`trace`] | what a traced run called and did |
//! | [`conflicts`] | gathered effects that cannot both happen: who is asked, and what stays |
//! | [`rolls`] | which rolls the scripts make |
//! | [`ruleset`] | a loaded ruleset, which never changes; turns failures into problems |
//! | [`runtime`] | a table on which the functions of a ruleset run |

pub mod card_text;
pub mod conflicts;
pub mod declare;
pub mod declared_rules;
pub mod event_text;
pub mod failures;
pub mod keys;
pub mod layers;
pub mod lint;
pub mod load;
pub mod names;
pub mod option_text;
mod problems;
pub mod register;
pub mod rolls;
pub mod ruleset;
pub mod run;
pub mod runtime;
pub mod statement;
pub mod trace;
pub mod workspace;

// Every module is known by one name, whichever crate it is in.
pub use rulebench_grounds as grounds;
pub use rulebench_kernel as kernel;
pub use rulebench_lang::{
    engine, files, lexer, lines, parse, recover, report, rhai_differences, scratch, syntax, text_diff,
    toml_text, visible, work,
};
