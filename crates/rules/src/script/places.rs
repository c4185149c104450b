//! Where the statements of a ruleset begin: what can be stopped at, and watched line by line.

use super::parse::At;
use super::run::context::Program;
use super::run::node::{Function, Spot};
use std::collections::BTreeSet;

/// Where the statements of a ruleset are.
#[derive(Default)]
pub struct Places {
    /// By function: its text, by index.
    pub texts: Vec<usize>,
    /// By function: its parameters.
    pub params: Vec<Vec<String>>,
    /// By function: where its statements begin.
    starts: Vec<BTreeSet<At>>,
    /// By function: whether it is a closure.
    closures: Vec<bool>,
}

impl Places {
    /// Those of a program's functions.
    pub fn of(program: &Program) -> Self {
        let mut places = Self::default();
        for function in &program.functions {
            let function: &Function = function;
            places.texts.push(function.text);
            places.params.push(function.params.clone());
            places
                .starts
                .push(function.code.statements.iter().map(|s| Spot::at(*s)).collect());
            places.closures.push(function.within.is_some());
        }
        places
    }

    /// Where statements begin that closures at a line have, of whatever text.
    pub fn in_closures(&self, line: usize) -> impl Iterator<Item = At> + '_ {
        let closures = self
            .starts
            .iter()
            .zip(&self.closures)
            .filter(|(_, closure)| **closure);
        closures
            .flat_map(|(starts, _)| starts)
            .copied()
            .filter(move |(l, _)| *l == line)
    }

    /// Whether a function is a closure.
    pub fn is_closure(&self, function: usize) -> bool {
        self.closures.get(function).copied().unwrap_or(false)
    }

    /// Where a function's statements begin, in order; none when it does nothing.
    pub fn statements(&self, function: usize) -> impl Iterator<Item = At> + '_ {
        self.starts.get(function).into_iter().flatten().copied()
    }
}
