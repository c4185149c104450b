//! Long work: its progress and its cancellation, as far as the program that runs it provides them.
//!
//! A [`Work`] is passed along with the workspace. Functions that take long report each piece that is done and ask
//! whether to go on. The library itself shows nothing and listens to nothing: a [`Host`] does, if there is one.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The program that work is done for.
pub trait Host: Send + Sync {
    /// Begins to show a task: its name in the plural, and its number of pieces if that is known.
    fn begin(&self, what: &str, count: Option<usize>) -> Box<dyn TaskDisplay>;

    /// Returns the time since a fixed moment.
    fn now(&self) -> Duration;
}

/// The display of one task; dropping it ends it.
pub trait TaskDisplay: Send + Sync {
    /// Number of pieces done, and a summary of the results so far, which is only computed where it is shown.
    fn step(&self, done: u64, so_far: &dyn Fn() -> String);
}

/// Handle on the work of one command or session. Clones share its state.
#[derive(Clone, Default)]
pub struct Work(Arc<WorkState>);

#[derive(Default)]
struct WorkState {
    host: Option<Box<dyn Host>>,
    /// Whether the tasks under way are to stop.
    stop: AtomicBool,
    /// Whether running rules are to stop where they are.
    interrupt: AtomicBool,
    /// Number of tasks under way.
    active: AtomicUsize,
    /// Descriptions of tasks that were left undone.
    left: Mutex<Vec<String>>,
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Work")
    }
}

impl Work {
    /// Work for a host.
    pub fn new(host: impl Host + 'static) -> Self {
        Self(Arc::new(WorkState {
            host: Some(Box::new(host)),
            ..WorkState::default()
        }))
    }

    /// Begins a task: its name in the plural, and its number of pieces if that is known.
    pub fn begin(&self, what: &str, count: Option<usize>) -> Task {
        self.0.active.fetch_add(1, Ordering::Relaxed);
        Task {
            display: self.0.host.as_ref().map(|host| host.begin(what, count)),
            work: self.clone(),
            what: what.to_owned(),
            count,
            done: AtomicU64::new(0),
        }
    }

    /// Returns the time since a fixed moment, by the clock of the host; `None` without a host.
    pub fn now(&self) -> Option<Duration> {
        self.0.host.as_ref().map(|host| host.now())
    }

    /// Returns the time since an earlier [`Self::now`]; `None` without a host.
    pub fn since(&self, earlier: Option<Duration>) -> Option<Duration> {
        Some(self.now()?.saturating_sub(earlier?))
    }

    /// Whether a task is under way.
    pub fn is_active(&self) -> bool {
        self.0.active.load(Ordering::SeqCst) > 0
    }

    /// Asks the tasks under way to stop; tasks that begin later are not meant. Returns whether that had been asked
    /// before.
    pub fn stop(&self) -> bool {
        self.0.stop.swap(self.is_active(), Ordering::Relaxed)
    }

    /// Whether tasks were asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.0.stop.load(Ordering::Relaxed)
    }

    /// Stops running rules where they are, until the last task ends or [`Self::resume`].
    pub fn interrupt(&self) {
        self.0.interrupt.store(true, Ordering::SeqCst);
    }

    /// Lets rules run again.
    pub fn resume(&self) {
        self.0.interrupt.store(false, Ordering::SeqCst);
    }

    /// Whether rules are to stop where they are.
    pub fn is_interrupted(&self) -> bool {
        self.0.interrupt.load(Ordering::Relaxed)
    }

    /// Returns and clears the list of tasks left undone since the last call, such as `scenarios: 12 of 48`.
    pub fn take_undone(&self) -> Vec<String> {
        self.0.stop.store(false, Ordering::Relaxed);
        let left = self.0.left.lock();
        left.map_or_else(|_| Vec::new(), |mut left| std::mem::take(&mut *left))
    }
}

/// A task of many pieces, which ends when it is dropped.
pub struct Task {
    work: Work,
    display: Option<Box<dyn TaskDisplay>>,
    what: String,
    count: Option<usize>,
    done: AtomicU64,
}

/// Returns the state of a task, such as `: 12 of 48`.
pub fn counted(done: u64, count: Option<usize>) -> String {
    match count {
        Some(count) => format!(": {done} of {count}"),
        None => format!(": {done}"),
    }
}

impl Task {
    /// Returns the work that it is part of.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// Whether the task is to stop.
    pub fn is_stopped(&self) -> bool {
        self.work.is_stopped()
    }

    /// Counts one more piece as done, unless its rules were interrupted.
    pub fn step(&self) {
        self.step_with(String::new);
    }

    /// The same, with a summary of the results so far.
    pub fn step_with(&self, so_far: impl Fn() -> String) {
        if self.work.is_interrupted() {
            return;
        }
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(display) = &self.display {
            display.step(done, &so_far);
        }
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.display = None;
        let state = &self.work.0;
        let done = self.done.load(Ordering::Relaxed);
        let whole = self.count.is_some_and(|count| done >= count as u64);
        if self.is_stopped()
            && !whole
            && let Ok(mut left) = state.left.lock()
        {
            left.push(format!("{}{}", self.what, counted(done, self.count)));
        }
        if state.active.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.work.resume();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_that_are_stopped_are_left_undone_and_those_that_begin_later_go_on() {
        let work = Work::default();
        work.stop();
        assert!(!work.is_stopped());
        let (first, second) = (work.begin("games", Some(3)), work.begin("steps", None));
        first.step();
        work.stop();
        work.interrupt();
        second.step();
        assert!(first.is_stopped() && second.is_stopped());
        drop((first, second));
        assert!(!work.is_interrupted());
        assert_eq!(work.take_undone(), ["games: 1 of 3", "steps: 0"]);
        assert!(!work.is_stopped() && work.take_undone().is_empty());
    }

    #[test]
    fn one_work_does_not_stop_another() {
        let (one, other) = (Work::default(), Work::default());
        let tasks = [one.begin("games", None), other.begin("games", None)];
        one.clone().stop();
        one.interrupt();
        assert_eq!(tasks.each_ref().map(Task::is_stopped), [true, false]);
        assert!(one.is_interrupted() && !other.is_interrupted());
    }
}
