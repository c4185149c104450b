//! The trace of a run: which lines ran, which functions were called with what and what they said,
//! and what they did. `why`, `why-not`, `trace`, line coverage and the reach of mutants read it.
//!
//! A [`Recorder`] fills it: it watches a run, and may not change what a step does.

use super::ruleset::Ruleset;
use super::run::lower::dial_meant;
use super::run::observe::{RunPlace, RunView, Watcher};
use super::run::value::{Kind, Value};
use super::run::view::ValueView;
use super::statement::StatementCode;
use crate::kernel::effect::Effect;
use crate::kernel::ids::Cause;
use crate::parse::TextPosition;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// Number of notes after which statements are noted without their values.
const MAX_WITH_VALUES: usize = 100_000;

/// Level of detail of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub enum TraceLevel {
    /// Lines that ran.
    Lines,
    /// Every call, and what native functions said about places and units.
    Calls,
    /// Every statement as well, with the values of its variables; every closure and native function.
    Statements,
}

/// A line of a script: the text by its index among the ruleset's, and the line from 1.
pub type LineOf = (usize, usize);

/// One call of a script function.
#[derive(Debug, Clone, PartialEq)]
pub struct TracedCall {
    /// The function, by its index among the ruleset's.
    pub function: usize,
    /// The call within which it was made.
    pub parent: Option<usize>,
    /// With what.
    pub args: Vec<ValueView>,
    /// The same as users read it.
    pub arg_texts: Vec<String>,
    /// Return value, as a value and as users read it; `None` when it did not come to its end.
    pub result: Option<(ValueView, String)>,
    /// The line that it was at last.
    pub line: usize,
    /// Range of events recorded during the call, as counts of events before and after it.
    pub events: Range<usize>,
}

/// A variable or dial that a statement names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedValue {
    /// Its name.
    pub name: String,
    /// Its value before the statement, as users read it; `None` if it had none.
    pub before: Option<String>,
    /// Its value after the statement, if that is another.
    pub after: Option<String>,
}

/// One statement that was reached.
#[derive(Debug, Clone, PartialEq)]
pub struct TracedStatement {
    /// Its text.
    pub code: Arc<StatementCode>,
    /// The call that it is part of.
    pub parent: usize,
    /// The variables and dials that it names.
    pub values: Vec<TracedValue>,
    /// Number of events before it.
    pub events: usize,
}

/// One thing that happened in the run, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum TraceNote {
    /// A script function was called.
    Call(TracedCall),
    /// A statement was reached.
    Statement(TracedStatement),
    /// A native function named places or units, or judged something.
    Native {
        /// Its name.
        name: String,
        /// With what.
        args: Vec<ValueView>,
        /// The same as users read it.
        told: Vec<String>,
        /// Return value.
        said: ValueView,
        /// The same as users read it.
        result: String,
        /// The call that made it.
        parent: Option<usize>,
        /// The line that called it.
        line: usize,
    },
    /// Rules changed the world, or will at the end of the phase.
    Act {
        /// Effect in question.
        effect: Effect,
        /// Why.
        cause: Cause,
        /// The call that did it.
        parent: Option<usize>,
        /// The line that did it.
        line: usize,
    },
    /// An effect that was gathered earlier was applied.
    Applied {
        /// Effect in question.
        effect: Effect,
        /// Why.
        cause: Cause,
        /// The group it was gathered in: the ordinal of its step, or later within the phase's end.
        group: u32,
        /// The events that it made.
        events: Range<usize>,
    },
}

impl TraceNote {
    /// The call that it is part of.
    pub fn parent(&self) -> Option<usize> {
        match self {
            TraceNote::Call(call) => call.parent,
            TraceNote::Statement(statement) => Some(statement.parent),
            TraceNote::Native { parent, .. } | TraceNote::Act { parent, .. } => *parent,
            TraceNote::Applied { .. } => None,
        }
    }
}

/// Trace of a run.
#[derive(Debug, Clone)]
pub struct Trace {
    /// Level of detail of a trace.
    pub level: TraceLevel,
    /// The lines that ran.
    pub lines: BTreeSet<LineOf>,
    /// Events noted during the run; empty at [`TraceLevel::Lines`].
    pub marks: Vec<TraceNote>,
    /// The functions that are running: the text, the line, and the call's mark.
    open: Vec<(usize, usize, Option<usize>)>,
}

impl Trace {
    /// An empty trace.
    pub fn new(level: TraceLevel) -> Self {
        Self {
            level,
            lines: BTreeSet::new(),
            marks: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The line that the innermost running function is at, and its call.
    fn here(&self) -> (usize, Option<usize>) {
        self.open
            .last()
            .map_or((0, None), |(_, line, call)| (*line, *call))
    }

    /// A line is reached.
    pub fn reach(&mut self, line: usize) {
        if let Some((text, at, _)) = self.open.last_mut()
            && line > 0
        {
            *at = line;
            self.lines.insert((*text, line));
        }
    }

    /// A function of a text begins, declared at a line.
    pub fn enter(
        &mut self,
        function: usize,
        of: LineOf,
        args: Vec<ValueView>,
        texts: Vec<String>,
        events: usize,
    ) {
        self.lines.insert(of);
        let (_, parent) = self.here();
        let mark = (self.level >= TraceLevel::Calls).then(|| {
            self.marks.push(TraceNote::Call(TracedCall {
                function,
                parent,
                args,
                arg_texts: texts,
                result: None,
                line: of.1,
                events: events..events,
            }));
            self.marks.len() - 1
        });
        self.open.push((of.0, of.1, mark));
    }

    /// The innermost running function ends.
    pub fn leave(&mut self, result: Option<(ValueView, String)>, events: usize) {
        let Some((_, line, mark)) = self.open.pop() else {
            return;
        };
        if let Some(TraceNote::Call(call)) = mark.and_then(|m| self.marks.get_mut(m)) {
            call.result = result;
            call.line = line;
            call.events.end = events;
        }
    }

    /// A call by its mark.
    pub fn call(&self, mark: usize) -> Option<&TracedCall> {
        match self.marks.get(mark)? {
            TraceNote::Call(call) => Some(call),
            _ => None,
        }
    }

    /// The calls around a call, itself first.
    pub fn outwards(&self, mark: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(mark), |m| self.call(*m)?.parent)
    }

    /// The first call or statement that began after an event, as the index of its note; the number of notes if there
    /// is none.
    pub fn after(&self, event: usize) -> usize {
        let begins_after = |note: &TraceNote| match note {
            TraceNote::Call(call) => call.events.start > event,
            TraceNote::Statement(statement) => statement.events > event,
            _ => false,
        };
        self.marks
            .iter()
            .position(begins_after)
            .unwrap_or(self.marks.len())
    }

    /// The innermost call during which an event came on record.
    pub fn maker(&self, event: usize) -> Option<usize> {
        let calls = self.marks.iter().enumerate().rev();
        let mut calls = calls.filter_map(|(i, m)| match m {
            TraceNote::Call(call) => Some((i, call)),
            _ => None,
        });
        calls
            .find(|(_, call)| call.events.contains(&event))
            .map(|(i, _)| i)
    }
}

/// Watches a run and notes what happens.
pub struct Recorder {
    /// Trace of a run.
    pub trace: Trace,
    ruleset: Arc<Ruleset>,
    /// By call that is under way: whether it is noted.
    noted: Vec<bool>,
    /// The calls under way whose statements are noted.
    open: Vec<OpenStatements>,
    /// The statements that were reached, by text and position.
    statements: HashMap<(usize, TextPosition), Arc<StatementCode>>,
}

/// The statements of a call that is under way.
#[derive(Default)]
struct OpenStatements {
    /// The notes of those that have not ended: the last one, and those that it is part of.
    unfinished: Vec<usize>,
    /// The variables that loops declare: they change from round to round, whatever a statement does.
    items: HashSet<String>,
}

impl Recorder {
    /// A recorder of runs of a program.
    pub fn new(level: TraceLevel, ruleset: Arc<Ruleset>) -> Self {
        Self {
            trace: Trace::new(level),
            ruleset,
            noted: Vec::new(),
            open: Vec::new(),
            statements: HashMap::new(),
        }
    }

    /// Notes a statement with the values that it finds, and the values that the one before it has assigned.
    fn note_statement(&mut self, scene: &RunView<'_>, reached: &RunPlace<'_>) {
        let (Some(parent), Some(open)) = (self.trace.here().1, self.open.last_mut()) else {
            return;
        };
        let Some(function) = self.trace.call(parent).map(|call| call.function) else {
            return;
        };
        let ruleset = &*self.ruleset;
        let function = &ruleset.program.functions[function];
        let at = reached.spot.at();
        let code = self.statements.entry((function.text, at)).or_insert_with(|| {
            let source = &ruleset.layers.texts[function.text].parsed.source;
            Arc::new(StatementCode::at(source, at))
        });
        let variable = |name: &str| {
            let (_, local, shared) = reached.scope.iter().find(|(known, ..)| **known == *name)?;
            let value = reached.locals[usize::from(*local)];
            let value = if *shared { scene.heap.cell(value) } else { value };
            Some(scene.view(value).text(scene.table))
        };
        let (items, marks) = (&open.items, &mut self.trace.marks);
        open.unfinished.retain(|note| {
            let Some(TraceNote::Statement(statement)) = marks.get_mut(*note) else {
                return false;
            };
            let (holds, keyword) = (statement.code.holds(code), statement.code.keyword);
            // A loop has its variable as soon as a round begins, another statement assigns at its end.
            let begins = keyword == Some("for") && holds;
            if begins || keyword.is_none() && !holds {
                for value in statement.values.iter_mut().filter(|value| value.after.is_none()) {
                    let mut declared = statement.code.names.iter().filter(|name| name.is_declared);
                    let assigned = !begins && value.before.is_some() && !items.contains(&value.name);
                    if assigned || declared.any(|name| name.name == value.name) {
                        value.after = variable(&value.name).filter(|now| Some(now) != value.before.as_ref());
                    }
                }
            }
            holds
        });
        let mut values: Vec<TracedValue> = Vec::new();
        let names = code.names.iter().filter(|name| !name.is_member);
        for name in names.filter(|_| self.trace.marks.len() < MAX_WITH_VALUES) {
            let dial = || dial_meant(&ruleset.layers, function.place.script, &name.name, &ruleset.dials);
            let before = match name.is_declared {
                true => None,
                false => variable(&name.name).or_else(|| Some(dial()?.value.to_string())),
            };
            if (name.is_declared || before.is_some()) && values.iter().all(|v| v.name != name.name) {
                let (name, after) = (name.name.clone(), None);
                values.push(TracedValue { name, before, after });
            }
        }
        if code.keyword == Some("for") {
            let items = code.names.iter().filter(|name| name.is_declared);
            open.items.extend(items.map(|name| name.name.clone()));
        }
        open.unfinished.push(self.trace.marks.len());
        self.trace.marks.push(TraceNote::Statement(TracedStatement {
            code: Arc::clone(code),
            parent,
            values,
            events: scene.table.events.len(),
        }));
    }
}

impl Watcher for Recorder {
    fn enter(&mut self, scene: &RunView<'_>, function: usize, args: &[Value]) {
        let own = self.ruleset.program.functions.get(function);
        let level = self.trace.level;
        let noted = |closure: bool| !closure || level == TraceLevel::Statements;
        let own = own.filter(|f| noted(f.within.is_some()) && f.text < self.ruleset.layers.texts.len());
        self.noted.push(own.is_some());
        let Some(own) = own else { return };
        self.open.push(OpenStatements::default());
        let calls = level >= TraceLevel::Calls && own.within.is_none();
        let args: Vec<ValueView> = args.iter().filter(|_| calls).map(|v| scene.view(*v)).collect();
        let texts = args.iter().map(|v| v.text(scene.table)).collect();
        let events = scene.table.events.len();
        self.trace
            .enter(function, (own.text, own.at.0), args, texts, events);
    }

    fn leave(&mut self, scene: &RunView<'_>, result: Option<Value>) {
        if self.noted.pop() != Some(true) {
            return;
        }
        self.open.pop();
        let calls = self.trace.level >= TraceLevel::Calls;
        let result = result.filter(|_| calls).map(|v| scene.view(v));
        let result = result.map(|view| (view.clone(), view.text(scene.table)));
        self.trace.leave(result, scene.table.events.len());
    }

    fn reach(&mut self, scene: &RunView<'_>, reached: &RunPlace<'_>) {
        self.trace.reach(reached.spot.line());
        if self.trace.level == TraceLevel::Statements {
            self.note_statement(scene, reached);
        }
    }

    fn native(&mut self, scene: &RunView<'_>, name: &str, args: &[Value], result: Value) {
        let wanted = match self.trace.level {
            TraceLevel::Lines => false,
            TraceLevel::Calls => matches!(result.kind(), Kind::Places | Kind::Units | Kind::Bool),
            TraceLevel::Statements => true,
        };
        if wanted {
            let said = scene.view(result);
            let args: Vec<ValueView> = args.iter().map(|v| scene.view(*v)).collect();
            let texts = args.iter().map(|v| v.text(scene.table)).collect();
            let (line, parent) = self.trace.here();
            self.trace.marks.push(TraceNote::Native {
                name: name.to_owned(),
                args,
                told: texts,
                result: said.text(scene.table),
                said,
                parent,
                line,
            });
        }
    }

    fn act(&mut self, effect: Effect, cause: Cause) {
        if self.trace.level >= TraceLevel::Calls {
            let (line, parent) = self.trace.here();
            self.trace.marks.push(TraceNote::Act {
                effect,
                cause,
                parent,
                line,
            });
        }
    }

    fn applied(&mut self, effect: Effect, cause: Cause, group: u32, events: Range<usize>) {
        if self.trace.level >= TraceLevel::Calls {
            self.trace.marks.push(TraceNote::Applied {
                effect,
                cause,
                group,
                events,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `outer` at line 2 calls `inner` at line 6, which makes event 0; then `outer` makes event 1.
    fn two_calls(level: TraceLevel) -> Trace {
        let mut trace = Trace::new(level);
        trace.enter(0, (0, 1), Vec::new(), vec!["a".to_owned()], 0);
        trace.reach(2);
        trace.enter(1, (1, 5), Vec::new(), Vec::new(), 0);
        trace.reach(6);
        trace.leave(Some((ValueView::Int(4), "4".to_owned())), 1);
        trace.reach(3);
        trace.leave(Some((ValueView::Nothing, "nothing".to_owned())), 2);
        trace
    }

    #[test]
    fn lines_are_those_that_ran_in_their_text() {
        let trace = two_calls(TraceLevel::Lines);
        let lines: Vec<LineOf> = trace.lines.into_iter().collect();
        assert_eq!(lines, [(0, 1), (0, 2), (0, 3), (1, 5), (1, 6)]);
        assert!(trace.marks.is_empty());
    }

    #[test]
    fn a_call_knows_who_called_it_what_it_said_and_where_it_was() {
        let trace = two_calls(TraceLevel::Calls);
        let (outer, inner) = (trace.call(0).expect("a call"), trace.call(1).expect("a call"));
        assert_eq!((outer.parent, inner.parent), (None, Some(0)));
        assert_eq!((outer.line, inner.line), (3, 6));
        assert_eq!(inner.result, Some((ValueView::Int(4), "4".to_owned())));
        assert_eq!(trace.outwards(1).collect::<Vec<_>>(), [1, 0]);
    }

    #[test]
    fn an_event_was_made_by_the_innermost_call_around_it() {
        let trace = two_calls(TraceLevel::Calls);
        assert_eq!(trace.maker(0), Some(1));
        assert_eq!(trace.maker(1), Some(0));
        assert_eq!(trace.maker(2), None);
    }

    #[test]
    fn what_ends_without_having_begun_is_no_harm() {
        let mut trace = Trace::new(TraceLevel::Calls);
        trace.reach(3);
        trace.leave(None, 0);
        assert!(trace.marks.is_empty() && trace.lines.is_empty());
        assert!(trace.call(0).is_none());
    }
}
