//! Whole random games, with rules lowered and interpreted, from the start and from a laid-out position.

use divan::Bencher;
use rulebench::agents::Agent;
use rulebench::kernel::table::Position;
use rulebench::play::{Play, Progress};
use rulebench::script::host::{Host, Options};
use rulebench::script::workspace::Workspace;
use std::sync::Once;

const GAME: &str = "smalltricks";

fn main() {
    divan::main();
}

fn play(lowering: bool) -> (Play, Position) {
    let host = match Host::load(&Workspace::Embedded, GAME, &Options::default()) {
        Ok(host) => host,
        Err(problems) => panic!("{}", problems.page(false)),
    };
    host.set_lowering(lowering);
    let start = Position::start(host.table.borrow().world.clone(), false, 1, 0);
    (Play::new(host, &start), start)
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

fn from_the_start(bencher: Bencher<'_, '_>, lowering: bool) {
    let (mut play, mut start) = play(lowering);
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        playout(&mut play, &mut start, seed);
    });
    let hooks = play.table().hook_calls as f64 / seed as f64;
    let how = if lowering { "lowered" } else { "interpreted" };
    static SAID: [Once; 2] = [Once::new(), Once::new()];
    SAID[usize::from(lowering)].call_once(|| eprintln!("{how}: {hooks:.1} hook calls a playout"));
}

#[divan::bench(sample_count = 2000)]
fn lowered(bencher: Bencher<'_, '_>) {
    from_the_start(bencher, true);
}

#[divan::bench(sample_count = 2000)]
fn interpreted(bencher: Bencher<'_, '_>) {
    from_the_start(bencher, false);
}

/// From the first activation on: what a search plays again and again.
#[divan::bench(sample_count = 2000)]
fn from_a_position(bencher: Bencher<'_, '_>) {
    let (mut play, mut start) = play(true);
    start.seed = 1;
    play.restart(&start);
    if let Some(source) = Agent::Random.source(1) {
        play.set_source(source);
    }
    while play
        .table()
        .checkpoint
        .cursor
        .iteration(&play.host.rules, "round")
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
