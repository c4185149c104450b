//! What a command is, and how its simplest arguments are read.

use super::output::Output;
use super::session::Session;
use crate::report::{Problem, Problems};

/// One command.
pub struct Command {
    /// Its name, without the `:`.
    pub name: &'static str,
    /// Its arguments, as help shows them; those in brackets may be left out. Words in capitals say
    /// what stands there, and are completed by what they say (see `complete`); those of `arguments`
    /// that mean code read on while a bracket is open.
    pub args: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// More about it, for `:help NAME`; may be empty.
    pub more: &'static str,
    pub(super) run: fn(&mut Session, &str) -> Result<Output, Problems>,
    /// What an argument may be whose word in `args` says nothing by itself.
    pub(super) known: fn(&Session) -> Vec<String>,
}

/// That a command takes nothing more.
pub(super) fn none(args: &str) -> Result<(), Problem> {
    match args {
        "" => Ok(()),
        _ => Err(Problem::new(format!(
            "this command takes nothing more, not `{args}`"
        ))),
    }
}

/// A number from 1, or the default when nothing is written.
pub(super) fn count(args: &str, default: usize) -> Result<usize, Problem> {
    match args.parse() {
        Ok(n) if n > 0 => Ok(n),
        _ if args.is_empty() => Ok(default),
        _ => Err(Problem::new(format!("`{args}` is no number from 1"))),
    }
}
