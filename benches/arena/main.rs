//! Throws: how many a second, with 1, 4 and 14 dice on the board, beside the bare engine that computes as many
//! steps of the same bodies. What is between the two is ours: who touched whom, poses, paths, faces.

use divan::{Bencher, black_box};
use numbers::numbers;
use rulebench::grounds::arena::{
    Arena, Body, DieProperties, HAIR, Solid, Throw, bare, misfits, throw, thrown,
};
use rulebench::kernel::ground::{Aim, Shake};

#[path = "../plane/numbers.rs"]
mod numbers;

fn main() {
    divan::main();
}

const DICE: [usize; 3] = [1, 4, 14];

/// Twenty throws of the first of so many dice at another, or at the middle, and how many steps each takes.
fn throws(arena: &Arena, dice: usize) -> Vec<(Vec<Body>, Throw, u32)> {
    let mut below = numbers();
    let solids = [
        Solid::D20,
        Solid::D4,
        Solid::D4,
        Solid::D8,
        Solid::D8,
        Solid::D10,
        Solid::D10,
    ];
    let mut some = || {
        let mut bodies: Vec<Body> = Vec::new();
        while bodies.len() < dice {
            let solid = solids[bodies.len() % solids.len()];
            let make = DieProperties::usual(solid);
            let at = [12_000 + below(26_000), 12_000 + below(26_000)];
            let pose = solid.lay(make.size, at, 1 + below(4) as u8, below(360));
            bodies.extend(pose.map(|pose| Body { solid, pose, make }));
            if !misfits(arena, &bodies, HAIR).is_empty() {
                bodies.pop();
            }
        }
        let target = bodies.get(1).map_or([25_000, 25_000, 1_000], |body| body.pose.at);
        let aim = Aim {
            at: target,
            strength: 50_000 + below(150_000),
            height: 5_000 + below(15_000),
            side: below(360),
            spin: below(8_000) - 4_000,
        };
        let turn = [below(1_000), below(1_000), below(1_000)].map(|n| n as u16);
        let shake = Shake {
            turn,
            ..Shake::default()
        };
        let thrown = thrown(arena, aim, 0, shake);
        let ms = throw(arena, &bodies, &thrown).ms;
        // Thousandths are rounded down, and so this is rounded up.
        (bodies, thrown, (ms * arena.steps as u32).div_ceil(1_000))
    };
    (0..20).map(|_| some()).collect()
}

#[divan::bench(args = DICE)]
fn twenty_throws(bencher: Bencher, dice: usize) {
    let arena = Arena::default();
    let throws = throws(&arena, dice);
    bencher.bench_local(|| {
        for (bodies, thrown, _) in &throws {
            black_box(throw(&arena, black_box(bodies), thrown));
        }
    });
}

#[divan::bench(args = DICE)]
fn twenty_throws_of_the_bare_engine(bencher: Bencher, dice: usize) {
    let arena = Arena::default();
    let throws = throws(&arena, dice);
    bencher.bench_local(|| {
        for (bodies, thrown, steps) in &throws {
            bare(&arena, black_box(bodies), thrown, *steps);
        }
    });
}
