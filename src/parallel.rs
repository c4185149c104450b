//! Work on all cores. A loaded ruleset belongs to one thread, so each thread makes its own.

use crate::progress::{self, Course};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Scripts may call each other as deeply as on the main thread.
const STACK: usize = 16 << 20;
/// More threads than this gain nothing here.
const MOST_THREADS: usize = 16;

/// Does `count` pieces of work, each by its number from 0, and returns what they came to in that
/// order, however many threads there are; `None` for those that were not begun when somebody stopped the
/// work, or whose rules were stopped. `make` is called once in each thread. `what` says in the plural what is done.
pub fn each<T: Send, W: FnMut(usize) -> T>(
    what: &str,
    count: usize,
    make: impl Fn() -> W + Sync,
) -> Vec<Option<T>> {
    let progress = Course::of(what, Some(count));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut one = make();
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count || progress.is_stopped() {
                return done;
            }
            let made = one(index);
            if progress::is_interrupted() {
                return done;
            }
            done.push((index, made));
            progress.step();
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all: Vec<Option<T>> = (0..count).map(|_| None).collect();
    let mut keep = |done: Vec<(usize, T)>| done.into_iter().for_each(|(index, made)| all[index] = Some(made));
    std::thread::scope(|scope| {
        let spawn = |_| {
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work)
        };
        let threads = threads.clamp(1, MOST_THREADS).min(count.max(1));
        let threads: Vec<_> = (0..threads).map_while(|n| spawn(n).ok()).collect();
        if threads.is_empty() {
            keep(work());
        }
        for thread in threads {
            match thread.join() {
                Ok(done) => keep(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    all
}

#[cfg(test)]
mod tests {
    #[test]
    fn work_comes_back_in_order() {
        let squares = super::each("squares", 100, || |n| n * n);
        assert_eq!(squares, (0..100).map(|n| Some(n * n)).collect::<Vec<_>>());
        assert!(super::each("nothing", 0, || |n: usize| n).is_empty());
    }
}
