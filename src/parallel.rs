//! Work on all cores. A loaded ruleset belongs to one thread, so each thread makes its own.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Scripts may call each other as deeply as on the main thread.
const STACK: usize = 16 << 20;
/// More threads than this gain nothing here.
const MOST_THREADS: usize = 16;

/// Does `count` pieces of work, each by its number from 0, and returns what they came to in that
/// order, however many threads there are. `make` is called once in each thread.
pub fn each<T: Send, W: FnMut(usize) -> T>(count: usize, make: impl Fn() -> W + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut one = make();
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return done;
            }
            done.push((index, one(index)));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all: Vec<(usize, T)> = Vec::with_capacity(count);
    std::thread::scope(|scope| {
        let spawn = |_| {
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work)
        };
        let threads = threads.clamp(1, MOST_THREADS).min(count.max(1));
        let threads: Vec<_> = (0..threads).map_while(|n| spawn(n).ok()).collect();
        if threads.is_empty() {
            all.extend(work());
        }
        for thread in threads {
            match thread.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn work_comes_back_in_order() {
        let squares = super::each(100, || |n| n * n);
        assert_eq!(squares, (0..100).map(|n| n * n).collect::<Vec<_>>());
        assert!(super::each(0, || |n: usize| n).is_empty());
    }
}
