//! Observers of a run: they learn of calls, statements reached, values and acts.
//!
//! Watching is a type parameter of the run: where nobody watches, no code for it is there.

use super::heap::Heap;
use super::node::Loc;
use super::value::Value;
use super::view::ValueView;
use crate::kernel::effect::Effect;
use crate::kernel::ids::Cause;
use crate::kernel::table::Table;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// View of a run for a watcher.
pub struct RunView<'a> {
    /// The table.
    pub table: &'a Table,
    /// Heap that values refer to.
    pub heap: &'a Heap,
}

impl RunView<'_> {
    /// A value with all that is in it.
    pub fn view(&self, value: Value) -> ValueView {
        self.heap.view(&self.table.words, value)
    }
}

/// A statement that a run came to.
pub struct RunPlace<'a> {
    /// Position in the text.
    pub spot: Loc,
    /// The variables that are visible: names with their local, and whether closures share it.
    pub scope: &'a [(Arc<str>, u16, bool)],
    /// The values of the local variables.
    pub locals: &'a [Value],
}

/// Watches a run. It may look at everything and change nothing.
pub trait Watcher {
    /// A function is called.
    fn enter(&mut self, _scene: &RunView<'_>, _function: usize, _args: &[Value]) {}

    /// The innermost function ends: with what it said, or by failing or stopping.
    fn leave(&mut self, _scene: &RunView<'_>, _said: Option<Value>) {}

    /// A statement is reached.
    fn reach(&mut self, _scene: &RunView<'_>, _reached: &RunPlace<'_>) {}

    /// A native function has spoken.
    fn native(&mut self, _scene: &RunView<'_>, _name: &str, _args: &[Value], _said: Value) {}

    /// A script says something of itself.
    fn say(&mut self, _text: &str) {}

    /// Rules change the world, or will at the end of the phase.
    fn act(&mut self, _effect: Effect, _cause: Cause) {}

    /// An effect that was gathered in a group was applied and made these events.
    fn applied(&mut self, _effect: Effect, _cause: Cause, _group: u32, _events: Range<usize>) {}
}

/// Several hold a watcher: the run, and whoever reads later what it saw.
impl<W: Watcher> Watcher for Rc<RefCell<W>> {
    fn enter(&mut self, scene: &RunView<'_>, function: usize, args: &[Value]) {
        self.borrow_mut().enter(scene, function, args);
    }

    fn leave(&mut self, scene: &RunView<'_>, result: Option<Value>) {
        self.borrow_mut().leave(scene, result);
    }

    fn reach(&mut self, scene: &RunView<'_>, reached: &RunPlace<'_>) {
        self.borrow_mut().reach(scene, reached);
    }

    fn native(&mut self, scene: &RunView<'_>, name: &str, args: &[Value], result: Value) {
        self.borrow_mut().native(scene, name, args, result);
    }

    fn say(&mut self, text: &str) {
        self.borrow_mut().say(text);
    }

    fn act(&mut self, effect: Effect, cause: Cause) {
        self.borrow_mut().act(effect, cause);
    }

    fn applied(&mut self, effect: Effect, cause: Cause, group: u32, events: Range<usize>) {
        self.borrow_mut().applied(effect, cause, group, events);
    }
}

/// Observer of a run, which may have a watcher.
pub trait Observer: 'static {
    /// Whether there can be somebody.
    const ON: bool;

    /// Returns the watcher, if there is one.
    fn watcher(&mut self) -> Option<&mut dyn Watcher>;
}

/// Nobody watches.
pub struct NoObserver;

impl Observer for NoObserver {
    const ON: bool = false;

    fn watcher(&mut self) -> Option<&mut dyn Watcher> {
        None
    }
}

/// Somebody watches.
pub struct WatchedRun(pub Box<dyn Watcher>);

impl Observer for WatchedRun {
    const ON: bool = true;

    fn watcher(&mut self) -> Option<&mut dyn Watcher> {
        Some(&mut *self.0)
    }
}
