//! Work on all cores. A loaded ruleset belongs to one thread, so each thread makes its own.

use crate::work::Work;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

/// Scripts may call each other as deeply as on the main thread.
const STACK: usize = 16 << 20;
/// More threads than this gain nothing here.
const MOST_THREADS: usize = 16;
/// Longest wait of a thread before it looks for room again without a notification.
const NOW_AND_THEN: Duration = Duration::from_millis(50);

/// Maximum number of pieces done ahead of the first unfinished one.
const AHEAD: usize = 1024;

/// Returns whether this number of further threads can be started, by starting them: for libraries that panic where they
/// cannot start theirs.
pub fn can_start(threads: usize) -> bool {
    let start = |_| thread::Builder::new().spawn(thread::park).ok();
    let started: Vec<_> = (0..threads).map_while(start).collect();
    let all = started.len() == threads;
    if started.is_empty() {
        return all;
    }
    for waiting in started {
        waiting.thread().unpark();
        // Its only work is to wait.
        let _ = waiting.join();
    }
    // The system still counts a thread for some microseconds after it has been joined.
    thread::sleep(Duration::from_millis(1));
    all
}

/// Does `count` pieces of work, each by its number from 0, and returns what they came to in that
/// order, however many threads there are (one a core where it is not said); `None` for those that were not begun when
/// somebody stopped the work, or whose rules were stopped. `make` is called once in each thread. `what` says in the
/// plural what is done.
pub fn each<T: Send, W: FnMut(usize) -> T>(
    work: &Work,
    what: &str,
    count: usize,
    threads: Option<usize>,
    make: impl Fn() -> W + Sync,
) -> Vec<Option<T>> {
    let progress = work.begin(what, Some(count));
    let mut all: Vec<Option<T>> = (0..count).map(|_| None).collect();
    spread(work, 0..count, threads, make, |index, made| {
        progress.step();
        all[index] = Some(made);
        // Nothing is waited for.
        Some(usize::MAX)
    });
    all
}

/// Does pieces of work, each by its number, and gives what they come to away in that order, as soon as it is
/// there; so however many threads there are, what is told is the same, and memory does not grow. Ends when
/// nothing more is taken, or somebody stops the work: then pieces that are under way are left out, since agents that
/// think long answer in haste.
pub fn stream<T: Send, W: FnMut(usize) -> T>(
    work: &Work,
    range: Range<usize>,
    threads: Option<usize>,
    make: impl Fn() -> W + Sync,
    mut take: impl FnMut(T) -> bool,
) {
    let mut early = BTreeMap::new();
    let mut at = range.start;
    let mut ended = false;
    let make = || {
        let mut one = make();
        move |index| {
            let made = one(index);
            (!work.is_stopped()).then_some(made)
        }
    };
    spread(work, range, threads, make, |index, made| {
        early.insert(index, made);
        while !ended && let Some(made) = early.remove(&at) {
            at += 1;
            ended = !made.is_some_and(&mut take);
        }
        (!ended).then_some(at)
    });
}

/// Does pieces of work, and gives what they come to away as they end. Whoever takes it says before which piece
/// none is missing, or that it is over; nobody begins a piece far behind that.
fn spread<T: Send, W: FnMut(usize) -> T>(
    work: &Work,
    range: Range<usize>,
    threads: Option<usize>,
    make: impl Fn() -> W + Sync,
    mut take: impl FnMut(usize, T) -> Option<usize>,
) {
    let next = AtomicUsize::new(range.start);
    let ended = AtomicBool::new(false);
    let (taken, room) = (Mutex::new(range.start), Condvar::new());
    let is_ended = || ended.load(Ordering::Relaxed) || work.is_stopped();
    let run = |send: Sender<(usize, T)>| {
        let mut one = make();
        loop {
            // Nobody counts beyond the end: a range may end at the largest number there is.
            let after = |at| (at < range.end).then(|| at + 1);
            let Ok(index) = next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, after) else {
                return;
            };
            let Ok(mut there) = taken.lock() else { return };
            while !is_ended() && index >= there.saturating_add(AHEAD) {
                match room.wait_timeout(there, NOW_AND_THEN) {
                    Ok((guard, _)) => there = guard,
                    Err(_) => return,
                }
            }
            drop(there);
            if is_ended() {
                return;
            }
            let made = one(index);
            if work.is_interrupted() || send.send((index, made)).is_err() {
                return;
            }
        }
    };
    let mut keep = |(index, made): (usize, T)| {
        let before = take(index, made);
        ended.fetch_or(before.is_none(), Ordering::Relaxed);
        if let (Some(before), Ok(mut there)) = (before, taken.lock()) {
            *there = before;
        }
        room.notify_all();
    };
    let (send, done) = mpsc::channel();
    thread::scope(|scope| {
        let spawn = |_| {
            let (run, send) = (&run, send.clone());
            let thread = thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, move || run(send))
        };
        let threads = threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
        let threads = threads.clamp(1, MOST_THREADS).min(range.len().max(1));
        let threads: Vec<_> = (0..threads).map_while(|n| spawn(n).ok()).collect();
        drop(send);
        if threads.is_empty() {
            in_order(work, range.clone(), make(), &is_ended, &mut keep);
        }
        while let Ok(made) = done.recv() {
            keep(made);
        }
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// Does pieces of work one after the other, where there are no threads.
fn in_order<T>(
    work: &Work,
    range: Range<usize>,
    mut one: impl FnMut(usize) -> T,
    is_ended: &dyn Fn() -> bool,
    keep: &mut dyn FnMut((usize, T)),
) {
    for index in range {
        if is_ended() {
            return;
        }
        let made = one(index);
        if work.is_interrupted() {
            return;
        }
        keep((index, made));
    }
}

#[cfg(test)]
mod tests {
    use super::Work;

    #[test]
    fn without_threads_work_ends_as_it_does_in_threads() {
        let squares = |ends_at: usize, interrupted_at: usize| {
            let work = Work::default();
            let task = work.begin("squares", None);
            let made = std::cell::RefCell::new(Vec::new());
            let one = |n| {
                if n == interrupted_at {
                    work.interrupt();
                }
                n * n
            };
            let mut keep = |piece| made.borrow_mut().push(piece);
            super::in_order(&work, 2..9, one, &|| made.borrow().len() == ends_at, &mut keep);
            drop(task);
            made.into_inner()
        };
        assert_eq!(squares(100, 100), (2..9).map(|n| (n, n * n)).collect::<Vec<_>>());
        assert_eq!(squares(2, 100), [(2, 4), (3, 9)]);
        // A piece whose rules were stopped is no result.
        assert_eq!(squares(100, 4), [(2, 4), (3, 9)]);
    }

    #[test]
    fn work_comes_back_in_order() {
        let squares = super::each(&Work::default(), "squares", 100, None, || |n| n * n);
        assert_eq!(squares, (0..100).map(|n| Some(n * n)).collect::<Vec<_>>());
        assert!(super::each(&Work::default(), "nothing", 0, None, || |n: usize| n).is_empty());
    }

    #[test]
    fn a_range_that_ends_at_the_largest_number_is_done_once() {
        for threads in [1, 4] {
            let mut results = Vec::new();
            let range = usize::MAX - 3..usize::MAX;
            super::stream(
                &Work::default(),
                range,
                Some(threads),
                || |n| usize::MAX - n,
                |n| {
                    results.push(n);
                    results.len() < 10
                },
            );
            assert_eq!(results, [3, 2, 1]);
        }
    }

    #[test]
    fn what_is_streamed_comes_in_order_and_ends_when_nothing_more_is_taken() {
        for threads in [1, 2, 7] {
            let mut results = Vec::new();
            super::stream(
                &Work::default(),
                10..5000,
                Some(threads),
                || |n| n,
                |n| {
                    results.push(n);
                    n < 3000
                },
            );
            assert_eq!(results, (10..=3000).collect::<Vec<_>>());
        }
    }
}
