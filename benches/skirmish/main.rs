//! The skirmish from scripts beside the same by hand: decisions a second, and what 100,000 random games come
//! to, ten times as many by hand. `cargo bench --bench skirmish`; with a number, that many games from scripts.

#[path = "../counted.rs"]
mod counted;
mod rules;

use counted::{Sequence, median, play_all, timed};
use rulebench::kernel::ids::FactionId;
use rulebench::kernel::table::Position;
use rulebench::kernel::world::World;
use rulebench::play::Play;
use rulebench::rules::ruleset::{LoadOptions, Ruleset};
use rulebench::rules::workspace::Workspace;
use rules::{Deed, Ended, Game};
use std::path::Path;

/// Samples of each, taken by turns.
const SAMPLES: u64 = 20;
/// By hand so many times more games are played in a sample.
const MORE: u64 = 10;

/// Totals of the games played.
#[derive(Default)]
struct Sum {
    games: u64,
    decisions: u64,
    won: [u64; 2],
    seconds: Vec<f64>,
}

impl Sum {
    fn tell(&self, name: &str, each: u64) -> f64 {
        let per_game = median(self.seconds.clone()) / each as f64;
        let games = self.games as f64;
        let decisions = self.decisions as f64 / games;
        let of = |won: u64| 100.0 * won as f64 / games;
        println!(
            "{name:8} {:10.0} decisions/s; {decisions:.1} decisions a game, the first side wins {:.1} %, the second {:.1} % (standard error {:.2}), {:.1} % are drawn ({} games)",
            decisions / per_game,
            of(self.won[0]),
            of(self.won[1]),
            // Of a share of about a half.
            50.0 / games.sqrt(),
            of(self.games - self.won[0] - self.won[1]),
            self.games,
        );
        decisions / per_game
    }
}

/// A random game by hand, its decisions counted.
fn by_hand(numbers: &mut Sequence, deeds: &mut Vec<Deed>, decisions: &mut u64) -> Ended {
    let mut game = Game::start();
    loop {
        game.deeds(deeds);
        let mut deed = None;
        if !deeds.is_empty() {
            *decisions += 1;
            deed = Some(deeds[numbers.below(deeds.len() as u32) as usize]);
        }
        if let Some(ended) = game.act(deed) {
            return ended;
        }
    }
}

fn main() {
    let games: u64 = std::env::args()
        .find_map(|arg| arg.parse().ok())
        .unwrap_or(100_000);
    let each = (games / SAMPLES).max(1);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/skirmish");
    let ruleset = match Ruleset::load(&Workspace::at(folder), "skirmish", &LoadOptions::default()) {
        Ok(ruleset) => ruleset,
        Err(problems) => panic!("{}", problems.page(false)),
    };
    let mut start = Position::start(World::new(&ruleset.rules), false, 1, 0);
    let mut play = Play::new(ruleset, &start);
    let (mut scripts, mut hand) = (Sum::default(), Sum::default());
    let mut numbers = Sequence(1);
    let mut deeds = Vec::new();
    for sample in 0..SAMPLES {
        let won = &mut scripts.won;
        let count = |play: &Play| {
            let winner = play.table().world.outcome.and_then(|o| o.winner);
            for (side, won) in won.iter_mut().enumerate() {
                *won += u64::from(winner == Some(FactionId(side as u8)));
            }
        };
        let seeds = sample * each..(sample + 1) * each;
        let (seconds, decisions) = timed(|| play_all(&mut play, &mut start, seeds, count));
        scripts.seconds.push(seconds);
        scripts.decisions += decisions;
        scripts.games += each;

        let (seconds, ()) = timed(|| {
            for _ in 0..each * MORE {
                if let Ended::Won(side) = by_hand(&mut numbers, &mut deeds, &mut hand.decisions) {
                    hand.won[side] += 1;
                }
            }
        });
        hand.seconds.push(seconds);
        hand.games += each * MORE;
    }
    let ratio = hand.tell("by hand", each * MORE) / scripts.tell("scripts", each);
    println!("ratio    {ratio:10.1}");
}
