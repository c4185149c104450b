//! A table with the memory of the interpreter, on which the functions of a ruleset run.

mod act;
mod evaluate;

use super::problems;
use super::ruleset::Ruleset;
use super::run::context::Run;
use super::run::fault::{Failure, Fault, FaultKind};
use super::run::heap::Heap;
use super::run::observe::{NoObserver, Observer, WatchedRun, Watcher};
use super::run::value::Value;
use super::run::view::ValueView;
use super::trace::{Recorder, Trace, TraceLevel};
use crate::kernel::choice::NamedOption;
use crate::kernel::ids::{HookId, Thing};
use crate::kernel::schedule::NextStep;
use crate::kernel::table::{AnswerError, Halt, Table};
use crate::option_text::QuestionWords;
use crate::report::Problem;
use act::RunPurpose;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Why a step did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepStop {
    /// A question waits for its answer.
    Waiting,
    /// A stored answer does not fit: why.
    Diverged(AnswerError),
    /// The rules failed.
    Failed(Box<Problem>),
}

/// A table and the ruleset that it is played by. See the module's comment.
pub struct Runtime {
    /// The ruleset.
    pub ruleset: Arc<Ruleset>,
    /// The table that hooks act on.
    pub table: Table,
    pub(super) heap: Heap,
    observer: Option<WatchedRun>,
    trace: Option<Rc<RefCell<Recorder>>>,
}

impl Runtime {
    /// An empty table under a ruleset.
    pub fn new(ruleset: Arc<Ruleset>) -> Self {
        let mut table = Table::new(Arc::clone(&ruleset.rules));
        table.words.clone_from(&ruleset.words);
        Self {
            heap: ruleset.heap.clone(),
            ruleset,
            table,
            observer: None,
            trace: None,
        }
    }

    // --- watching --------------------------------------------------------------------------------

    /// Somebody watches every run from here on, until [`Self::unwatch`].
    pub fn watch_with(&mut self, watcher: Box<dyn Watcher>) {
        self.observer = Some(WatchedRun(watcher));
    }

    /// Nobody watches any more.
    pub fn unwatch(&mut self) {
        self.observer = None;
    }

    /// Notes what happens from here on.
    pub fn start_trace(&mut self, level: TraceLevel) {
        let recorder = Rc::new(RefCell::new(Recorder::new(level, Arc::clone(&self.ruleset))));
        self.trace = Some(Rc::clone(&recorder));
        self.watch_with(Box::new(recorder));
    }

    /// Returns the trace recorded since [`Self::start_trace`].
    pub fn take_trace(&mut self) -> Option<Trace> {
        self.unwatch();
        let recorder = self.trace.take()?;
        Rc::into_inner(recorder).map(|r| r.into_inner().trace)
    }

    // --- running ---------------------------------------------------------------------------------

    /// Runs the step that is under way, then begins and runs further ones, until so many have come to their end or what
    /// has begun is no step; takes off those that have come to it.
    ///
    /// # Errors
    ///
    /// Why one did not come to its end.
    pub fn steps(&mut self, left: &mut u32) -> Result<(), StepStop> {
        let Self {
            ruleset,
            table,
            heap,
            observer,
            ..
        } = self;
        match observer {
            None => steps(ruleset, table, heap, &mut NoObserver, left),
            Some(observer) => steps(ruleset, table, heap, observer, left),
        }
    }

    /// Calls a hook about a thing, and what follows from it.
    pub fn call_hook(&mut self, hook: HookId, about: Thing) -> Result<ValueView, StepStop> {
        self.act(RunPurpose::Hook(hook, about))
            .map(|value| self.view(value))
    }

    /// Runs rules on the table from the start of the heap.
    fn act(&mut self, act: RunPurpose) -> Result<Value, StepStop> {
        let Self {
            ruleset,
            table,
            heap,
            observer,
            ..
        } = self;
        match observer {
            None => run(ruleset, table, heap, &mut NoObserver, act),
            Some(observer) => run(ruleset, table, heap, observer, act),
        }
    }

    /// Asks a hook by name about a thing, reading only; `None` when the game has no such hook.
    pub fn ask(&mut self, name: &str, about: Thing) -> Option<Result<ValueView, Problem>> {
        let hook = self.ruleset.hook(name)?;
        Some(self.read_hook(name, RunPurpose::Hook(hook, about)))
    }

    /// Asks a hook for a whole number, as [`Self::ask`].
    pub fn ask_number(&mut self, name: &str, about: Thing) -> Option<Result<i64, Problem>> {
        let answer = self.ask(name, about)?;
        Some(answer.and_then(|answer| self.whole(name, &answer)))
    }

    /// Returns the values that the game's hook `hint` gives for options, by their index, of the question that waits;
    /// empty when there is no such hook.
    ///
    /// # Errors
    ///
    /// The hook fails, or says something else than a whole number.
    pub fn hints(&mut self, options: &[usize]) -> Result<Vec<i64>, Problem> {
        const NAME: &str = "hint";
        let Some(hook) = self.ruleset.hook(NAME) else {
            return Ok(Vec::new());
        };
        let table = &self.table;
        // What is asked about whomever the step is about names nobody.
        let about = match (table.request.subject, table.about()) {
            (Thing::Game, Thing::Unit(unit)) => Thing::Unit(unit),
            (Thing::Game, _) => Thing::Faction(table.request.asker),
            (subject, _) => subject,
        };
        let label = table.request.label;
        let hint = |at: &usize| {
            let answer = self.read_hook(NAME, RunPurpose::Hint(hook, about, label, *at))?;
            self.whole(NAME, &answer)
        };
        options.iter().map(hint).collect()
    }

    /// Asks a hook, reading only, whatever the running step waits for.
    fn read_hook(&mut self, name: &str, act: RunPurpose) -> Result<ValueView, Problem> {
        let read_only = std::mem::replace(&mut self.table.read_only, true);
        let halt = self.table.set_halt(None);
        let result = self.act(act);
        self.table.read_only = read_only;
        self.table.set_halt(halt);
        result.map(|result| self.view(result)).map_err(|stop| match stop {
            StepStop::Failed(problem) => *problem,
            StepStop::Waiting => problems::question_in_hook(name),
            StepStop::Diverged(no_fit) => problems::rule_failure(no_fit.to_string()),
        })
    }

    /// The whole number that a hook returned.
    fn whole(&self, name: &str, value: &ValueView) -> Result<i64, Problem> {
        let wrong = || self.wrong_hook_value(name, "a whole number", value);
        value.as_int().ok_or_else(wrong)
    }

    /// Returns the problem of a hook of the game that returned another value than expected.
    pub fn wrong_hook_value(&self, name: &str, expected: &str, value: &ValueView) -> Problem {
        let problem = problems::wrong_hook_value(name, expected, &self.value_text(value));
        self.ruleset.at_hook(name, problem)
    }

    fn view(&self, value: Value) -> ValueView {
        if value.is_nothing() {
            return ValueView::Nothing;
        }
        self.heap.view(&self.table.words, value)
    }

    /// A value as users read it: things by their names, sets as lists.
    pub fn value_text(&self, value: &ValueView) -> String {
        value.text(&self.table)
    }
}

/// Runs rules on a table.
fn run<O: Observer>(
    ruleset: &Ruleset,
    table: &mut Table,
    heap: &mut Heap,
    observer: &mut O,
    act: RunPurpose,
) -> Result<Value, StepStop> {
    heap.cut(ruleset.constants);
    let mut run = Run::new(table, heap, &ruleset.program, observer);
    let result = act.of(&mut run);
    ended(ruleset, &mut run, result)
}

/// Runs steps on a table; see [`Runtime::steps`].
fn steps<O: Observer>(
    ruleset: &Ruleset,
    table: &mut Table,
    heap: &mut Heap,
    observer: &mut O,
    left: &mut u32,
) -> Result<(), StepStop> {
    let mut run = Run::new(table, heap, &ruleset.program, observer);
    loop {
        let act = match run.table.checkpoint.next {
            NextStep::Pick { .. } => None,
            NextStep::Step { hook, about } => Some(RunPurpose::Step(hook, about)),
            NextStep::Turn => Some(RunPurpose::Turn),
            NextStep::Close => Some(RunPurpose::Close),
            NextStep::Begin { .. } | NextStep::Reveal | NextStep::Endless { .. } | NextStep::Over => {
                return Ok(());
            }
        };
        match act {
            None => run.table.pick().map_err(|halt| stopped(run.table, halt))?,
            Some(act) => {
                run.renew(ruleset.constants);
                let result = act.of(&mut run);
                ended(ruleset, &mut run, result)?;
            }
        }
        *left -= 1;
        if *left == 0 || run.table.checkpoint.cursor.is_over() {
            return Ok(());
        }
        run.table.next_step();
    }
}

/// Result of a run.
#[inline]
fn ended<O: Observer>(
    ruleset: &Ruleset,
    run: &mut Run<'_, O>,
    result: Result<Value, Fault>,
) -> Result<Value, StepStop> {
    if let Some(halt) = run.table.halt().filter(|halt| !matches!(halt, Halt::Rule(_))) {
        return Err(stopped(run.table, halt.clone()));
    }
    result.map_err(|fault| {
        let failure = match (run.failure.take(), *fault.0) {
            (Some(failure), FaultKind::Halted) => *failure,
            (_, why) => Failure {
                why,
                function: usize::MAX,
                ..Failure::default()
            },
        };
        StepStop::Failed(Box::new(ruleset.problem(&failure)))
    })
}

/// A halt of the kernel as the reason why a step stopped.
fn stopped(table: &Table, halt: Halt) -> StepStop {
    match halt {
        Halt::Waiting => StepStop::Waiting,
        Halt::Diverged(why) => StepStop::Diverged(why),
        Halt::NotOffered(chosen) => not_offered(table, chosen),
        Halt::Rule(message) => StepStop::Failed(Box::new(problems::rule_failure(message))),
    }
}

/// Returns the stop for a stored answer that is not offered any more: with the reason, and what is offered.
#[cold]
fn not_offered(table: &Table, chosen: NamedOption) -> StepStop {
    let question = table.current_question();
    let key = chosen.key(question.rules, question.words);
    StepStop::Diverged(match question.read(&key) {
        Err(no_fit) => no_fit,
        Ok(_) => question.no_fit(format!("`{key}` is not offered")),
    })
}
