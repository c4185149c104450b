//! The scripts against the same rules by hand: whether they play the same games, and how much longer they
//! take. `cargo bench --bench native`; with a number, that many games of each set of rules are compared.

#[path = "../counted.rs"]
mod counted;
mod oracle;
mod rules;

use counted::{Sequence, median, play_all, timed};
use rulebench::agents::Agent;
use rulebench::kernel::table::Position;
use rulebench::play::{Play, Progress};
use rules::{Answers, Game, SideQuestion, Unit};
use std::hint::black_box;

/// Games in a sample of the scripts, and how many samples are taken of each, by turns.
const GAMES: u64 = 400;
const SAMPLES: u64 = 40;
/// By hand more games are played in a sample, so that it takes long enough to be timed.
const MORE: u64 = 20;

/// Answers by hand, counted.
struct Drawn {
    numbers: Sequence,
    decisions: u64,
}

impl Answers for Drawn {
    #[inline]
    fn answer(&mut self, question: SideQuestion) -> u32 {
        self.decisions += 1;
        self.numbers.below(question.len())
    }
}

fn by_hand(laid: &[Unit], seeds: std::ops::Range<u64>) -> u64 {
    let mut answers = Drawn {
        numbers: Sequence(seeds.start),
        decisions: 0,
    };
    let laid = Game::<0>::under(0, laid);
    for _ in seeds {
        let mut game = laid.clone();
        black_box(game.play(&mut answers));
    }
    answers.decisions
}

/// Agents with as many playouts as a sample has games: those of one answer, to the end of the second round and to
/// the end of the game.
const SEARCHES: [&str; 2] = ["mcts:400", "mcts:400:end"];

/// The first answer of a game, from the position in which the random games begin.
fn search(play: &mut Play, start: &Position, agent: &str) {
    play.restart(start);
    play.clear_source();
    assert_eq!(play.run_on(), Progress::Asks);
    let agent = Agent::find(agent).unwrap_or_else(|p| panic!("{p}"));
    black_box(agent.choose(play, start.seed).unwrap_or_else(|p| panic!("{p}")));
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
    let laid = oracle::units(play.table());
    let (mut scripts, mut hand, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let mut searched = SEARCHES.map(|agent| (agent, Vec::new(), Vec::new()));
    let (mut script_decisions, mut hand_decisions) = (0, 0);
    // The first sample of each only warms up.
    for sample in 0..=SAMPLES {
        let seeds = sample * GAMES..(sample + 1) * GAMES;
        let (script, asked) = timed(|| play_all(&mut play, &mut start, seeds.clone(), |_| ()));
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
        for (agent, times, shares) in &mut searched {
            let (time, ()) = timed(|| search(&mut play, &start, agent));
            times.push(time / GAMES as f64);
            shares.push(script / time);
        }
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
    for (agent, times, shares) in searched {
        println!(
            "{agent:12} {:8.2} us a playout, {:6.0} playouts/s, {:.0} % of the random games by scripts",
            median(times.clone()) * 1e6,
            1.0 / median(times),
            median(shares) * 100.0
        );
    }
}
