//! Stopping within a step: a run of the step is watched, and unwinds at the first place that is
//! wanted, after what a person may look at there has been copied out.
//!
//! Rules cannot be suspended, but steps are short and always run alike: going on from a place is
//! running the step again to a later one. Every statement that a run comes to has an *ordinal*
//! within its step; that is how a place is found again.
//!
//! Knows no session and no words of the prompt.

use super::places::Places;
use super::run::observe::{RunPlace, RunView, Watcher as Watches};
use super::run::value::Value;
use super::run::view::ValueView;
use super::runtime::{Runtime, StepStop};
use crate::kernel::event::Event;
use crate::kernel::table::{Position, Table};
use crate::lexer::{self, Token, TokenClass};
use crate::parse::TextPosition;
use crate::report::{Problem, Source};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// A closure lies between its function and what that calls.
const LEVELS: usize = 64;

/// A place at which a run stops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Breakpoint {
    /// The first statement of a function, by its index among the ruleset's.
    Function(usize),
    /// A statement: its text by index, and where it begins.
    Statement(usize, TextPosition),
}

/// Limit of a run that meets no mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunLimit {
    /// To its end.
    End,
    /// To the next statement, in whatever function.
    Statement,
    /// To the next statement that is no deeper than this.
    Level(usize),
    /// Until it is less deep than this.
    Out(usize),
    /// To the place of this ordinal.
    At(u64),
}

/// Conditions that stop a watched run of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchOptions {
    /// Places up to this ordinal are passed.
    pub after: u64,
    /// Limit of the run.
    pub until: RunLimit,
    /// Breakpoints before which the run stops, each with a number of the caller's.
    pub marks: Vec<(usize, Breakpoint)>,
}

/// A function that was running when a run stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackFrame {
    /// The function, by its index among the ruleset's.
    pub function: usize,
    /// Arguments of the call: the parameters' names, and values as users read them.
    pub args: Vec<(String, String)>,
    /// The statement or expression that it is at: line and column from 1.
    pub at: TextPosition,
    /// It is within a closure of that function.
    pub closure: bool,
}

/// A place at which a run stopped, and what could be seen there.
#[derive(Debug, Clone)]
pub struct BreakStop {
    /// The place's ordinal within the step.
    pub ordinal: u64,
    /// The ordinal of the statement before it, if there is one.
    pub before: Option<u64>,
    /// Depth of the call stack.
    pub level: usize,
    /// The number of the mark that was met.
    pub mark: Option<usize>,
    /// Whether the run was to go no farther than here anyway.
    pub arrived: bool,
    /// The functions that were running, innermost first.
    pub frames: Vec<StackFrame>,
    /// The local variables of the innermost one: names, values, values as users read them.
    pub locals: Vec<(String, ValueView, String)>,
    /// Return value of the function that the run was to step out of: the function's index, and the value.
    pub returned: Option<(usize, String)>,
}

/// Outcome of a watched run.
#[derive(Debug, Clone)]
pub enum WatchOutcome {
    /// The step came to its end, or to a question that waits; with the ordinal of its last place.
    Through(u64),
    /// It stopped at a place.
    Stopped(Box<BreakStop>),
    /// The rules failed; with the ordinal of the place, unless no script was running.
    Failed(Option<u64>),
}

/// A function that runs.
struct OpenCall {
    function: usize,
    args: Vec<ValueView>,
    at: TextPosition,
    /// The last place that it came to.
    ordinal: u64,
    /// Number of its closures that are running within each other.
    closures: usize,
    /// The mark on this function, until its first statement.
    mark: Option<usize>,
}

/// Watches a run until something stops it.
struct BreakWatcher {
    watch: WatchOptions,
    places: Arc<Places>,
    open: Vec<OpenCall>,
    /// By call that is under way: whether it is one of a closure.
    calls: Vec<bool>,
    ordinal: u64,
    statement: Option<u64>,
    returned: Option<(usize, ValueView)>,
    failed: Option<u64>,
    found: Option<Box<BreakStop>>,
}

impl BreakWatcher {
    fn new(watch: WatchOptions, places: Arc<Places>) -> Self {
        Self {
            watch,
            places,
            open: Vec::new(),
            calls: Vec::new(),
            ordinal: 0,
            statement: None,
            returned: None,
            failed: None,
            found: None,
        }
    }

    /// A function begins.
    fn enter(&mut self, function: usize, args: Vec<ValueView>) {
        let closure = self.places.is_closure(function);
        self.calls.push(closure);
        if closure {
            if let Some(open) = self.open.last_mut() {
                open.closures += 1;
            }
            return;
        }
        let marks = self.watch.marks.iter();
        let mut marks = marks.filter(|(_, mark)| *mark == Breakpoint::Function(function));
        self.open.push(OpenCall {
            function,
            args,
            at: (0, 0),
            ordinal: self.ordinal,
            closures: 0,
            mark: marks.next().map(|(number, _)| *number),
        });
    }

    /// The innermost function ends, with what it said or by a failure.
    fn leave(&mut self, result: Option<ValueView>) {
        if self.calls.pop() == Some(true) {
            if let Some(open) = self.open.last_mut() {
                open.closures = open.closures.saturating_sub(1);
            }
            return;
        }
        let Some(open) = self.open.pop() else { return };
        match result {
            Some(result) => {
                let out = |level: usize| self.open.len() < level / LEVELS;
                if matches!(self.watch.until, RunLimit::Out(level) if out(level))
                    && self.ordinal > self.watch.after
                    && self.returned.is_none()
                {
                    self.returned = Some((open.function, result));
                }
            }
            // The error goes on outwards; it came up in the innermost.
            None => {
                self.failed.get_or_insert(open.ordinal);
            }
        }
    }

    /// A statement is reached: what stops the run here, if something does.
    fn reach(&mut self, at: TextPosition) -> Option<BreakHit> {
        let inner = self.open.len();
        let open = self.open.last_mut()?;
        self.ordinal += 1;
        open.ordinal = self.ordinal;
        open.at = at;
        let level = inner * LEVELS + open.closures.min(LEVELS - 1);
        let own = open.mark.take();
        let text = self.places.functions.get(open.function).map(|f| f.text);
        let here =
            |mark: &Breakpoint| matches!(mark, Breakpoint::Statement(t, a) if Some(*t) == text && *a == at);
        let mut marks = self.watch.marks.iter().filter(|(_, mark)| here(mark));
        let mark = own.or_else(|| marks.next().map(|(number, _)| *number));
        let arrived = match self.watch.until {
            RunLimit::End => false,
            RunLimit::Statement => true,
            RunLimit::Level(most) => level <= most,
            RunLimit::Out(from) => level < from,
            RunLimit::At(ordinal) => self.ordinal == ordinal,
        };
        let found = self.ordinal > self.watch.after && (mark.is_some() || arrived);
        if !found {
            self.statement = Some(self.ordinal);
        }
        found.then_some(BreakHit { mark, arrived, level })
    }
}

/// A place at which a run stops.
struct BreakHit {
    mark: Option<usize>,
    arrived: bool,
    level: usize,
}

/// The run holds the watcher, and whoever reads what it found.
impl Watches for Rc<RefCell<BreakWatcher>> {
    fn enter(&mut self, scene: &RunView<'_>, function: usize, args: &[Value]) {
        let args = args.iter().map(|v| scene.view(*v)).collect();
        self.borrow_mut().enter(function, args);
    }

    fn leave(&mut self, scene: &RunView<'_>, result: Option<Value>) {
        self.borrow_mut().leave(result.map(|v| scene.view(v)));
    }

    fn reach(&mut self, scene: &RunView<'_>, reached: &RunPlace<'_>) -> bool {
        if !reached.statement {
            return false;
        }
        let this = &mut *self.borrow_mut();
        let Some(met) = this.reach(reached.spot.at()) else {
            return false;
        };
        let value_text = |view: &ValueView| view.text(scene.table);
        let locals = reached.scope.iter().map(|(name, local, shared)| {
            let value = reached
                .locals
                .get(*local as usize)
                .copied()
                .unwrap_or(Value::NOTHING);
            let value = if *shared { scene.heap.cell(value) } else { value };
            let view = scene.view(value);
            let text = value_text(&view);
            (name.to_string(), view, text)
        });
        let locals = locals.collect();
        let frames = this.open.iter().rev().map(|open| {
            let names = &this.places.functions[open.function].params;
            let args = names.iter().zip(&open.args);
            StackFrame {
                function: open.function,
                args: args.map(|(name, arg)| (name.clone(), value_text(arg))).collect(),
                at: open.at,
                closure: open.closures > 0,
            }
        });
        let returned = this.returned.as_ref();
        this.found = Some(Box::new(BreakStop {
            ordinal: this.ordinal,
            before: this.statement,
            level: met.level,
            mark: met.mark,
            arrived: met.arrived,
            frames: frames.collect(),
            locals,
            returned: returned.map(|(function, result)| (*function, value_text(result))),
        }));
        true
    }
}

/// The first line of the statement that begins at a byte of a text, as bytes; the head alone of one
/// that has a block.
pub fn statement_span(source: &Source, start: usize) -> Range<usize> {
    let line = source.line_at(start);
    let text = source.slice(start..line.end);
    let first = text
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .next();
    let block = matches!(
        first,
        Some("if" | "for" | "while" | "loop" | "switch" | "do" | "try")
    );
    let mut depth = 0_usize;
    let ends = |token: &Token| {
        let sign = &text[token.from..token.to];
        match token.class {
            TokenClass::Comment => sign.starts_with("//"),
            TokenClass::Sign => depth == 0 && matches!(sign, ";" | ","),
            TokenClass::Open if depth == 0 && block && sign == "{" && !text[..token.from].ends_with('#') => {
                true
            }
            TokenClass::Open => {
                depth += 1;
                false
            }
            TokenClass::Close if depth == 0 => true,
            TokenClass::Close => {
                depth -= 1;
                false
            }
            _ => false,
        }
    };
    let end = lexer::tokens(text)
        .into_iter()
        .find(ends)
        .map_or(text.len(), |token| token.from);
    let end = start + text[..end].trim_end().len();
    start..end.max(start)
}

impl Runtime {
    /// Runs a step of another table under the same ruleset again on this one, and watches the run. `events` are those
    /// before the step. What was half done when the run stopped stays on this table.
    pub fn watch(
        &mut self,
        own: &Table,
        position: &Position,
        events: &[Event],
        watch: WatchOptions,
    ) -> WatchOutcome {
        {
            let table = &mut self.table;
            // Words that were met since.
            table.words = own.words.clone();
            table.chance.stated = Arc::clone(&own.chance.stated);
            table.chance.may_miss = own.chance.may_miss;
            table.events.clear();
            table.events.extend_from_slice(events);
            table.load(position);
        }
        let places = Arc::clone(self.ruleset.places());
        let watcher = Rc::new(RefCell::new(BreakWatcher::new(watch, places)));
        self.watch_with(Box::new(Rc::clone(&watcher)));
        let ran = self.step();
        self.unwatch();
        let Some(watcher) = Rc::into_inner(watcher).map(RefCell::into_inner) else {
            return WatchOutcome::Through(0);
        };
        match (watcher.found, ran) {
            (Some(found), _) => WatchOutcome::Stopped(found),
            (None, Err(StepStop::Failed(_))) => WatchOutcome::Failed(watcher.failed),
            (None, _) => WatchOutcome::Through(watcher.ordinal),
        }
    }

    /// Evaluates an expression at the place where the last watched run stopped: with its local
    /// variables and the functions and dials of its script, on the half-done position, which it can
    /// only read.
    ///
    /// # Errors
    ///
    /// What is wrong with the expression, at its place.
    pub fn look_at(&mut self, stopped: &BreakStop, source: &Arc<Source>) -> Result<ValueView, Problem> {
        let function = stopped
            .frames
            .first()
            .map(|f| &self.ruleset.functions()[f.function]);
        let script = function.map_or(0, |f| f.place.script);
        let locals = stopped.locals.iter();
        let given: Vec<(String, ValueView)> = locals
            .map(|(name, view, _)| (name.clone(), view.clone()))
            .collect();
        let halt = self.table.set_halt(None);
        let result = self.evaluate_in(source, script, &given);
        self.table.set_halt(halt);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn underlined(text: &str) -> String {
        let source = Source::new("x.rhai", text);
        let start = text.len() - text.trim_start().len();
        source.slice(statement_span(&source, start)).to_owned()
    }

    #[test]
    fn a_statement_reaches_to_its_end_on_the_line() {
        assert_eq!(underlined("  let a = f(b); g(a);"), "let a = f(b)");
        assert_eq!(underlined("a + b }"), "a + b");
        assert_eq!(underlined("hit(foe, 1)   // hurts; much"), "hit(foe, 1)");
        assert_eq!(underlined("say(\"a; b\"); c"), "say(\"a; b\")");
        assert_eq!(underlined("say('\\''); c"), "say('\\'')");
        assert_eq!(underlined("let m = #{ a: 1,\n b: 2 };"), "let m = #{ a: 1,");
        assert_eq!(
            underlined("foes.filter(|u| { u.life > 1 });"),
            "foes.filter(|u| { u.life > 1 })"
        );
    }

    #[test]
    fn of_a_statement_with_a_block_the_head_is_marked() {
        assert_eq!(underlined("if a > #{ b: 1 }.b { c(); }"), "if a > #{ b: 1 }.b");
        assert_eq!(underlined("if f(|x| { x }) { c(); }"), "if f(|x| { x })");
        assert_eq!(underlined("for foe in me.foes { c(); }"), "for foe in me.foes");
        assert_eq!(underlined("iffy { c(); }"), "iffy { c(); }");
    }

    #[test]
    fn texts_that_end_at_once_are_no_harm() {
        assert_eq!(underlined(""), "");
        assert_eq!(underlined("}"), "");
        assert_eq!(underlined("\"never closed"), "\"never closed");
        let source = Source::new("x.rhai", "a");
        assert_eq!(statement_span(&source, 1), 1..1);
    }

    #[test]
    fn a_watcher_without_functions_stops_nowhere() {
        let watch = WatchOptions {
            after: 0,
            until: RunLimit::Statement,
            marks: Vec::new(),
        };
        let mut watcher = BreakWatcher::new(watch, Arc::default());
        assert!(watcher.reach((1, 1)).is_none());
        watcher.leave(None);
        assert_eq!((watcher.ordinal, watcher.failed), (0, None));
    }
}
