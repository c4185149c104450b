//! Starts of the statements of a ruleset: places where a run can be stopped, and watched line by line.

use super::run::context::Program;
use super::run::node::Function;
use crate::parse::TextPosition;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Places of the statements of a ruleset.
#[derive(Default)]
pub struct Places {
    /// The functions.
    pub functions: Vec<Arc<Function>>,
    /// By function: where its statements begin.
    starts: Vec<BTreeSet<TextPosition>>,
}

impl Places {
    /// Those of a program's functions.
    pub fn of(program: &Program) -> Self {
        let starts = |function: &Arc<Function>| function.code.statements.iter().map(|s| s.at()).collect();
        Self {
            functions: program.functions.clone(),
            starts: program.functions.iter().map(starts).collect(),
        }
    }

    /// Returns the starts of the statements in closures at a line, of any text.
    pub fn in_closures(&self, line: usize) -> impl Iterator<Item = TextPosition> + '_ {
        let closures = (0..self.functions.len()).filter(|function| self.is_closure(*function));
        let starts = closures.flat_map(|function| self.statements(function));
        starts.filter(move |(l, _)| *l == line)
    }

    /// Whether a function is a closure.
    pub fn is_closure(&self, function: usize) -> bool {
        self.functions.get(function).is_some_and(|f| f.within.is_some())
    }

    /// Returns the starts of a function's statements, in order; none when it does nothing.
    pub fn statements(&self, function: usize) -> impl Iterator<Item = TextPosition> + '_ {
        self.starts.get(function).into_iter().flatten().copied()
    }
}
