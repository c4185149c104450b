//! The scripts against the same rules by hand: whether they play the same games, and how much longer they
//! take. `cargo bench --bench native`; with a number, that many games of each set of rules are compared.

mod oracle;
mod rules;

use rulebench::agents::Agent;
use rulebench::kernel::table::{Asked, Position, Reply, Source};
use rulebench::play::{Play, Progress};
use rules::{Answers, Game, Question, Unit};
use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;
use std::hint::black_box;
use std::rc::Rc;

/// Games in a sample of the scripts, and how many samples are taken of each, by turns.
const GAMES: u64 = 400;
const SAMPLES: u64 = 40;
/// By hand more games are played in a sample, so that it takes long enough to be timed.
const MORE: u64 = 20;

/// A fast generator of one sequence, as a playout by hand would have it.
struct Sequence {
    state: u64,
    decisions: u64,
}

impl Answers for Sequence {
    #[inline]
    fn answer(&mut self, question: Question) -> u32 {
        self.decisions += 1;
        // wyrand: one multiplication a number.
        self.state = self.state.wrapping_add(0xa076_1d64_78bd_642f);
        let drawn = u128::from(self.state) * u128::from(self.state ^ 0xe703_7ed1_a0b4_28db);
        let drawn = ((drawn >> 64) ^ drawn) as u32;
        ((u64::from(drawn) * u64::from(question.len())) >> 32) as u32
    }
}

/// The random agent, its answers counted.
struct Counted {
    agent: Box<dyn Source>,
    decisions: Rc<Cell<u64>>,
}

impl Source for Counted {
    fn answer(&mut self, asked: &Asked<'_>) -> Reply {
        self.decisions.set(self.decisions.get() + 1);
        self.agent.answer(asked)
    }
}

fn by_scripts(play: &mut Play, start: &mut Position, seeds: std::ops::Range<u64>) -> u64 {
    let decisions = Rc::new(Cell::new(0));
    for seed in seeds {
        start.seed = seed;
        play.restart(start);
        play.set_source(Box::new(Counted {
            agent: Agent::Random.source(seed).expect("it answers at once"),
            decisions: Rc::clone(&decisions),
        }));
        assert_eq!(play.run_on(), Progress::Over);
    }
    decisions.get()
}

fn by_hand(laid: &[Unit], seeds: std::ops::Range<u64>) -> u64 {
    let mut answers = Sequence {
        state: seeds.start,
        decisions: 0,
    };
    let laid = Game::<0>::lay(laid);
    for _ in seeds {
        let mut game = laid.clone();
        black_box(game.play(&mut answers));
    }
    answers.decisions
}

/// Seconds of this thread's CPU time that something takes, and what it comes to.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    };
    let before = now();
    let done = work();
    (now() - before, done)
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

fn main() {
    let asked = std::env::args().find_map(|arg| arg.parse().ok());
    let games: u64 = asked.unwrap_or(10_000);
    for (variants, compare) in oracle::RULES {
        let mut questions = 0;
        for (mut play, mut start) in [oracle::laid(variants), oracle::whole(variants)] {
            for seed in 0..games {
                questions += compare(&mut play, &mut start, seed);
            }
        }
        let names = if variants.is_empty() {
            "base".to_owned()
        } else {
            variants.join(" + ")
        };
        println!("same {games} laid and {games} whole games, {questions} questions: {names}");
    }

    let (mut play, mut start) = oracle::laid(&[]);
    oracle::up_to_the_first_round(&mut play);
    let laid = oracle::units(&play.table());
    let (mut scripts, mut hand, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let (mut script_decisions, mut hand_decisions) = (0, 0);
    // The first sample of each only warms up.
    for sample in 0..=SAMPLES {
        let seeds = sample * GAMES..(sample + 1) * GAMES;
        let (script, asked) = timed(|| by_scripts(&mut play, &mut start, seeds.clone()));
        let more = seeds.start * MORE..seeds.end * MORE;
        let (native, asked_by_hand) = timed(|| by_hand(&laid, more));
        if sample == 0 {
            continue;
        }
        script_decisions += asked;
        hand_decisions += asked_by_hand;
        scripts.push(script / GAMES as f64);
        hand.push(native / (GAMES * MORE) as f64);
        ratios.push(script / native * MORE as f64);
    }
    let line = |name: &str, game: f64, decisions: f64| {
        println!(
            "{name:8} {:8.2} us a game, {:9.0} games/s, {decisions:6.1} decisions a game, {:10.0} decisions/s",
            game * 1e6,
            1.0 / game,
            decisions / game,
        );
    };
    let script_decisions = script_decisions as f64 / (SAMPLES * GAMES) as f64;
    let hand_decisions = hand_decisions as f64 / (SAMPLES * GAMES * MORE) as f64;
    println!("CPU time of one thread, medians of {SAMPLES} samples by turns, from the laid position:");
    line("scripts", median(scripts), script_decisions);
    line("by hand", median(hand), hand_decisions);
    let ratio = median(ratios);
    println!(
        "ratio    {ratio:8.2} a game, {:.2} a decision",
        ratio * hand_decisions / script_decisions
    );
}
