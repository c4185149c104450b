//! The skirmish from scripts beside the same by hand: decisions a second, and what 100,000 random games come
//! to. `cargo bench --bench skirmish`; with a number, that many games from scripts.

mod rules;

use rulebench::agents::Agent;
use rulebench::kernel::ids::FactionId;
use rulebench::kernel::table::{Asked, Position, Reply, Source};
use rulebench::play::{Play, Progress};
use rulebench::script::host::{Host, Options};
use rulebench::script::workspace::Workspace;
use rules::{Ended, Game};
use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;

/// Samples of each, taken by turns.
const SAMPLES: u64 = 20;
/// By hand so many times more games are played in a sample.
const MORE: u64 = 10;

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

/// What games came to.
#[derive(Default)]
struct Sum {
    games: u64,
    decisions: u64,
    won: [u64; 2],
    seconds: Vec<f64>,
}

impl Sum {
    fn tell(&self, name: &str, each: u64) -> f64 {
        let mut seconds = self.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        let per_game = seconds[seconds.len() / 2] / each as f64;
        let games = self.games as f64;
        let decisions = self.decisions as f64 / games;
        let of = |won: u64| 100.0 * won as f64 / games;
        println!(
            "{name:8} {:10.0} decisions/s; {decisions:.1} decisions a game, the first side wins {:.1} %, the second {:.1} %, {:.1} % are drawn ({} games)",
            decisions / per_game,
            of(self.won[0]),
            of(self.won[1]),
            of(self.games - self.won[0] - self.won[1]),
            self.games,
        );
        decisions / per_game
    }
}

fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn main() {
    let games: u64 = std::env::args()
        .find_map(|arg| arg.parse().ok())
        .unwrap_or(100_000);
    let each = (games / SAMPLES).max(1);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/skirmish");
    let host = match Host::load(&Workspace::find(&folder), "skirmish", &Options::default()) {
        Ok(host) => host,
        Err(problems) => panic!("{}", problems.page(false)),
    };
    let mut start = Position::start(host.table.borrow().world.clone(), false, 1, 0);
    let mut play = Play::new(host, &start);
    let (mut scripts, mut hand) = (Sum::default(), Sum::default());
    let mut state = 1u64;
    let mut deeds = Vec::new();
    for sample in 0..SAMPLES {
        let decisions = Rc::new(Cell::new(0));
        let before = now();
        for seed in sample * each..(sample + 1) * each {
            start.seed = seed;
            play.restart(&start);
            play.set_source(Box::new(Counted {
                agent: Agent::Random.source(seed).expect("it answers at once"),
                decisions: Rc::clone(&decisions),
            }));
            assert_eq!(play.run_on(), Progress::Over);
            let winner = play.table().world.outcome.and_then(|o| o.winner);
            for (side, won) in scripts.won.iter_mut().enumerate() {
                *won += u64::from(winner == Some(FactionId(side as u8)));
            }
        }
        scripts.seconds.push(now() - before);
        scripts.decisions += decisions.get();
        scripts.games += each;

        let before = now();
        for _ in 0..each * MORE {
            let mut game = Game::start();
            let ended = loop {
                game.deeds(&mut deeds);
                let mut deed = None;
                if !deeds.is_empty() {
                    hand.decisions += 1;
                    // wyrand: one multiplication a number.
                    state = state.wrapping_add(0xa076_1d64_78bd_642f);
                    let drawn = u128::from(state) * u128::from(state ^ 0xe703_7ed1_a0b4_28db);
                    let drawn = ((drawn >> 64) ^ drawn) as u32;
                    deed = Some(deeds[((u64::from(drawn) * deeds.len() as u64) >> 32) as usize]);
                }
                if let Some(ended) = game.act(deed) {
                    break ended;
                }
            };
            if let Ended::Won(side) = ended {
                hand.won[side] += 1;
            }
        }
        hand.seconds.push(now() - before);
        hand.games += each * MORE;
    }
    let ratio = hand.tell("by hand", each * MORE) / scripts.tell("scripts", each);
    println!("ratio    {ratio:10.1}");
}
