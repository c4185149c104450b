//! The trace of a run: which lines ran, which functions were called with what and what they said,
//! and what they did. `why`, `why-not`, line coverage and the reach of mutants read it.
//!
//! Only a ruleset that was loaded to be traced ([`Options::traced`](super::host::Options)) fills it:
//! its functions are called one by one through [`Api::interpret`](super::api::Api), and Rhai's
//! debugging interface reports every line. It may not change what a step does.

use super::value::Value;
use crate::kernel::effect::{Cause, Effect};
use std::collections::BTreeSet;
use std::ops::Range;

/// How much is noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Which lines ran.
    Lines,
    /// Every call, and what native functions said about places and units.
    Calls,
}

/// A line of a script: the text by its index among the ruleset's, and the line from 1.
pub type LineOf = (usize, usize);

/// One call of a script function.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The function, by its index among the ruleset's.
    pub function: usize,
    /// The call within which it was made.
    pub parent: Option<usize>,
    /// With what.
    pub args: Vec<Value>,
    /// The same as users read it.
    pub told: Vec<String>,
    /// What it said, as a value and as users read it; `None` when it did not come to its end.
    pub said: Option<(Value, String)>,
    /// The line that it was at last.
    pub line: usize,
    /// What was on record before it and after it, as counts of events.
    pub events: Range<usize>,
}

/// One thing that happened in the run, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A script function was called.
    Call(Call),
    /// A native function named places or units, or judged something.
    Native {
        /// Its name.
        name: &'static str,
        /// With what.
        args: Vec<Value>,
        /// The same as users read it.
        told: Vec<String>,
        /// What it said.
        said: Value,
        /// The call that made it.
        parent: Option<usize>,
        /// The line that called it.
        line: usize,
    },
    /// Rules changed the world, or will at the end of the phase.
    Act {
        /// What.
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
        /// What.
        effect: Effect,
        /// Why.
        cause: Cause,
        /// The group it was gathered in: the ordinal of its step, or later within the phase's end.
        group: u32,
        /// The events that it made.
        events: Range<usize>,
    },
}

/// What was noted.
#[derive(Debug, Clone)]
pub struct Trace {
    /// How much is noted.
    pub level: Level,
    /// The lines that ran.
    pub lines: BTreeSet<LineOf>,
    /// What happened; empty at [`Level::Lines`].
    pub marks: Vec<Mark>,
    /// The functions that are running: the text, the line, and the call's mark.
    open: Vec<(usize, usize, Option<usize>)>,
}

impl Trace {
    /// An empty trace.
    pub fn new(level: Level) -> Self {
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
    pub fn enter(&mut self, function: usize, of: LineOf, args: Vec<Value>, told: Vec<String>, events: usize) {
        self.lines.insert(of);
        let (_, parent) = self.here();
        let mark = (self.level == Level::Calls).then(|| {
            self.marks.push(Mark::Call(Call {
                function,
                parent,
                args,
                told,
                said: None,
                line: of.1,
                events: events..events,
            }));
            self.marks.len() - 1
        });
        self.open.push((of.0, of.1, mark));
    }

    /// The innermost running function ends.
    pub fn leave(&mut self, said: Option<(Value, String)>, events: usize) {
        let Some((_, line, mark)) = self.open.pop() else {
            return;
        };
        if let Some(Mark::Call(call)) = mark.and_then(|m| self.marks.get_mut(m)) {
            call.said = said;
            call.line = line;
            call.events.end = events;
        }
    }

    /// A native function has spoken.
    pub fn native(&mut self, name: &'static str, args: Vec<Value>, told: Vec<String>, said: Value) {
        let (line, parent) = self.here();
        self.marks.push(Mark::Native {
            name,
            args,
            told,
            said,
            parent,
            line,
        });
    }

    /// Rules act.
    pub fn act(&mut self, effect: Effect, cause: Cause) {
        if self.level == Level::Calls {
            let (line, parent) = self.here();
            self.marks.push(Mark::Act {
                effect,
                cause,
                parent,
                line,
            });
        }
    }

    /// A gathered effect is applied.
    pub fn applied(&mut self, effect: Effect, cause: Cause, group: u32, events: Range<usize>) {
        if self.level == Level::Calls {
            self.marks.push(Mark::Applied {
                effect,
                cause,
                group,
                events,
            });
        }
    }

    /// A call by its mark.
    pub fn call(&self, mark: usize) -> Option<&Call> {
        match self.marks.get(mark)? {
            Mark::Call(call) => Some(call),
            _ => None,
        }
    }

    /// The calls around a call, itself first.
    pub fn outwards(&self, mark: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(mark), |m| self.call(*m)?.parent)
    }

    /// The innermost call during which an event came on record.
    pub fn maker(&self, event: usize) -> Option<usize> {
        let calls = self.marks.iter().enumerate().rev();
        let mut calls = calls.filter_map(|(i, m)| match m {
            Mark::Call(call) => Some((i, call)),
            _ => None,
        });
        calls
            .find(|(_, call)| call.events.contains(&event))
            .map(|(i, _)| i)
    }
}
