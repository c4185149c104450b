//! Evaluation of users' expressions on the position of a table.

use super::Runtime;
use crate::report::{Problem, Source};
use crate::run::context::{Program, Run};
use crate::run::fault::{Failure, Fault, Unwinding};
use crate::run::observe::NoObserver;
use crate::run::value::Value;
use crate::run::view::ValueView;
use std::sync::Arc;

impl Runtime {
    /// Evaluates an expression of a user on the live position, which it can only read.
    ///
    /// # Errors
    ///
    /// What is wrong with the expression, at its place; what fails in a function of the rules, where these have it.
    pub fn evaluate(&mut self, source: &Arc<Source>) -> Result<ValueView, Problem> {
        self.evaluate_in(source, 0, &[])
    }

    /// Evaluates an expression of ours about values, each by its name in it. It can only read.
    ///
    /// # Errors
    ///
    /// What the rules that it asks fail in.
    pub fn evaluate_with(&mut self, text: &str, values: &[(&str, ValueView)]) -> Result<ValueView, Problem> {
        let values: Vec<(String, ValueView)> =
            values.iter().map(|(n, v)| ((*n).to_owned(), v.clone())).collect();
        let source = Source::new("check", text);
        let result = self.work_out(&source, 0, &values)?;
        result.map_err(|mut failure| {
            // Nobody wrote the expression: what fails is told where the rules say it.
            failure
                .calls
                .retain(|(function, _)| *function < self.ruleset.program.functions.len());
            self.ruleset.problem(&failure)
        })
    }

    /// The same with the names that a script sees, and with further variables.
    ///
    /// # Errors
    ///
    /// As [`Self::evaluate`].
    pub fn evaluate_in(
        &mut self,
        source: &Arc<Source>,
        script: usize,
        given: &[(String, ValueView)],
    ) -> Result<ValueView, Problem> {
        let result = self.work_out(source, script, given)?;
        result.map_err(|failure| {
            // Where the expression is at: in a closure of it, innermost.
            let calls =
                std::iter::once((failure.function, failure.spot)).chain(failure.calls.iter().copied());
            let own = calls.into_iter().find(|(function, _)| {
                *function != usize::MAX && *function >= self.ruleset.program.functions.len()
            });
            let at = own.map_or(failure.spot, |(_, spot)| spot).at();
            let span = source.span_at(at.0.max(1), at.1.max(1));
            // What fails in a function of the rules is told there, with the expression as what called it.
            let problem = self.ruleset.problem(&failure);
            match problem.place {
                Some(_) => problem.called_from(source, span, None),
                None => problem.at(source, span),
            }
        })
    }

    /// Evaluates an expression; returns its value, or its failure.
    fn work_out(
        &mut self,
        source: &Arc<Source>,
        script: usize,
        given: &[(String, ValueView)],
    ) -> Result<Result<ValueView, Failure>, Problem> {
        let parsed = self.ruleset.parse_expression(source)?;
        let Self {
            ruleset, table, heap, ..
        } = self;
        heap.cut(ruleset.constants);
        // What an expression says for the first time is forgotten with it.
        let words = table.words.len();
        let params: Vec<String> = given.iter().map(|(name, _)| name.clone()).collect();
        let mut lowered = ruleset.lowered(&parsed, script, params, &mut table.words, heap);
        if !lowered.problems.is_empty() {
            table.words.cut(words);
            return Err(lowered.problems.swap_remove(0));
        }
        let named = ruleset.program.functions.len();
        let mut program = Program {
            members: lowered.members,
            ..ruleset.program.clone()
        };
        program
            .functions
            .extend(lowered.functions.into_iter().map(Arc::new));
        let was = std::mem::replace(&mut table.read_only, true);
        let result = {
            let mut nobody = NoObserver;
            let mut run = Run::new(table, heap, &program, &mut nobody);
            let args: Result<Vec<Value>, Fault> = given.iter().map(|(_, view)| run.of_view(view)).collect();
            let result = match args {
                Ok(args) => run.call(named, &args),
                Err(fault) => Err(run.fail_here(*fault.0)),
            };
            let result = result.map(|value| run.heap.view(&run.table.words, value));
            let failure = run.failure.take();
            result.map_err(|Unwinding| failure.map_or_else(Failure::default, |f| *f))
        };
        table.read_only = was;
        table.words.cut(words);
        Ok(result)
    }
}
