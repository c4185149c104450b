//! Helpers for the benches: a source that counts its answers, and the CPU time of this thread.

use rulebench::agents::Agent;
use rulebench::kernel::table::{Answerer, Position, Question, Reply};
use rulebench::play::{Play, Progress};
use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;
use std::rc::Rc;

/// The random agent, its answers counted.
struct Counted {
    agent: Box<dyn Answerer>,
    decisions: Rc<Cell<u64>>,
}

impl Answerer for Counted {
    fn answer(&mut self, asked: &Question<'_>) -> Reply {
        self.decisions.set(self.decisions.get() + 1);
        self.agent.answer(asked)
    }
}

/// Plays a random game of each seed to its end, with somebody who looks at each result; how many decisions
/// there were.
pub fn play_all(
    play: &mut Play,
    start: &mut Position,
    seeds: std::ops::Range<u64>,
    mut look: impl FnMut(&Play),
) -> u64 {
    let decisions = Rc::new(Cell::new(0));
    for seed in seeds {
        start.seed = seed;
        play.restart(start);
        play.set_source(Box::new(Counted {
            agent: Agent::Random.source(seed).expect("it answers at once"),
            decisions: Rc::clone(&decisions),
        }));
        assert_eq!(play.run_on(), Progress::Over);
        look(play);
    }
    decisions.get()
}

/// A fast generator of one sequence, as a playout by hand would have it: wyrand, one multiplication a number.
pub struct Sequence(pub u64);

impl Sequence {
    /// The next number below `n`.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let drawn = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        let drawn = ((drawn >> 64) ^ drawn) as u32;
        ((u64::from(drawn) * u64::from(n)) >> 32) as u32
    }
}

/// Seconds of this thread's CPU time that something takes, and what it comes to.
pub fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let before = now();
    let done = work();
    (now() - before, done)
}

/// The middle one of them, sorted.
pub fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}
