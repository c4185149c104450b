//! Whole random games of each game, from the start and from a laid-out position.

use divan::Bencher;
use rulebench::agents::Agent;
use rulebench::kernel::table::Position;
use rulebench::kernel::world::World;
use rulebench::play::{Play, Progress};
use rulebench::rules::ruleset::{LoadOptions, Ruleset};

fn main() {
    divan::main();
}

fn play(game: &str) -> (Play, Position) {
    let ruleset = match Ruleset::load(&rulebench::embedded::games(), game, &LoadOptions::default()) {
        Ok(ruleset) => ruleset,
        Err(problems) => panic!("{}", problems.page(false)),
    };
    let start = Position::start(World::new(&ruleset.rules), false, 1, 0);
    (Play::new(ruleset, &start), start)
}

/// Plays one game to its end with random answers.
fn playout(play: &mut Play, start: &mut Position, seed: u64) {
    start.seed = seed;
    play.restart(start);
    if let Some(source) = Agent::Random.source(seed) {
        play.set_source(source);
    }
    assert_eq!(play.run_on(), Progress::Over);
}

#[divan::bench(sample_count = 1000, args = ["smalltricks", "pocket-tactics", "very-quick-violence", "the-wager"])]
fn whole_game(bencher: Bencher<'_, '_>, game: &str) {
    let (mut play, mut start) = play(game);
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        playout(&mut play, &mut start, seed);
    });
}

/// Dice that are thrown are simulated, so that a game takes far longer.
#[divan::bench(sample_count = 100, args = ["smashdodes"])]
fn whole_game_of_throws(bencher: Bencher<'_, '_>, game: &str) {
    whole_game(bencher, game);
}

/// From the first activation on: what a search plays again and again.
#[divan::bench(sample_count = 2000)]
fn from_a_position(bencher: Bencher<'_, '_>) {
    let (mut play, mut start) = play("smalltricks");
    start.seed = 1;
    play.restart(&start);
    if let Some(source) = Agent::Random.source(1) {
        play.set_source(source);
    }
    while play
        .table()
        .checkpoint
        .cursor
        .iteration(&play.ruleset().rules, "round")
        .is_none()
    {
        if play.advance() != Progress::Stepped {
            break;
        }
    }
    play.prepare();
    let mut laid = play.position();
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        playout(&mut play, &mut laid, seed);
    });
}
