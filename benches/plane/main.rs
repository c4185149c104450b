//! A crowded table top: 24 bases and 12 pieces of terrain on 900 by 900 mm. What it takes to propose where a
//! base could go, to judge one spot, and to see whom it sees.

use divan::{Bencher, black_box};
use numbers::numbers;
use rulebench::grounds::plane::{Base, MoveKind, Obstacles, Point, Shape, SpotQuery, sight};

mod numbers;

const SIZE: i32 = 900_000;
const LEAP: i64 = 260_000;
const WALK: i64 = 230_000;

fn main() {
    divan::main();
}

struct Crowd {
    bases: Vec<Base>,
    shapes: Vec<Shape>,
}

fn crowd() -> Crowd {
    let mut below = numbers();
    let mut spot = move |edge: i32| Point {
        x: edge + below(SIZE - 2 * edge),
        y: edge + below(SIZE - 2 * edge),
    };
    let mut crowd = Crowd {
        bases: Vec::new(),
        shapes: Vec::new(),
    };
    while crowd.shapes.len() < 12 {
        let at = spot(80_000);
        let count = 4 + crowd.shapes.len() as i64 % 4;
        let corners: Vec<Point> = (0..count)
            .map(|n| at.at_angle(360 * n / count + 17, 30_000 + 10_000 * (n % 3)))
            .collect();
        crowd.shapes.extend(Shape::polygon(&corners));
    }
    while crowd.bases.len() < 24 {
        let base = Base {
            at: spot(40_000),
            diameter: [25_000, 40_000, 60_000][crowd.bases.len() % 3],
        };
        if crowd.scene().fits(base).is_ok() {
            crowd.bases.push(base);
        }
    }
    crowd
}

impl Crowd {
    fn scene(&self) -> Obstacles<'_> {
        Obstacles {
            table: (SIZE, SIZE),
            bases: &self.bases,
            shapes: &self.shapes,
        }
    }

    /// Each base in turn, with the table without it.
    fn movers(&self) -> Vec<(Base, Crowd)> {
        let without = |index: usize| {
            let mut bases = self.bases.clone();
            let mover = bases.remove(index);
            let shapes = self.shapes.clone();
            (mover, Crowd { bases, shapes })
        };
        (0..self.bases.len()).map(without).collect()
    }
}

/// All that is proposed for each of 24 bases: divide by 24.
#[divan::bench(args = [(MoveKind::Leap, LEAP), (MoveKind::Walk, WALK)])]
fn propose_for_24(bencher: Bencher, (kind, most): (MoveKind, i64)) {
    let movers = crowd().movers();
    bencher.bench(|| {
        let spots = movers.iter().map(|(mover, rest)| {
            let wanted = SpotQuery {
                limit: 48,
                hair: 10,
                ranges: rest.bases.iter().map(|base| (*base, 150_000)).collect(),
                near: Vec::new(),
                screens: rest.shapes.clone(),
                viewers: rest.bases.iter().take(4).map(|base| base.at).collect(),
            };
            rest.scene().candidates(*mover, most, kind, &wanted).len()
        });
        spots.sum::<usize>()
    });
}

/// 40 spots for each mover, none farther than it may go, most of them behind something.
fn spots(mover: Base, below: &mut impl FnMut(i32) -> i32) -> Vec<Point> {
    let spot = |_| mover.at.at_angle(below(360).into(), below(WALK as i32).into());
    (0..40).map(spot).collect()
}

/// 24 bases by 40 spots: divide by 960.
#[divan::bench(args = [MoveKind::Leap, MoveKind::Walk])]
fn judge_960_spots(bencher: Bencher, kind: MoveKind) {
    let mut below = numbers();
    let movers = crowd().movers();
    let movers: Vec<_> = movers
        .iter()
        .map(|(m, rest)| (*m, rest, spots(*m, &mut below)))
        .collect();
    bencher.bench(|| {
        let judged = movers.iter().map(|(mover, rest, spots)| {
            let scene = rest.scene();
            let free = |spot: &&Point| match kind {
                MoveKind::Leap => scene.leap(*mover, **spot).is_ok(),
                MoveKind::Walk => scene.walk(*mover, **spot, WALK).is_ok(),
            };
            spots.iter().filter(free).count()
        });
        judged.sum::<usize>()
    });
}

/// The same by a plan that is made once for each base.
#[divan::bench]
fn judge_960_spots_by_a_plan(bencher: Bencher) {
    let mut below = numbers();
    let movers = crowd().movers();
    let movers: Vec<_> = movers
        .iter()
        .map(|(m, rest)| (*m, rest, spots(*m, &mut below)))
        .collect();
    bencher.bench(|| {
        let judged = movers.iter().map(|(mover, rest, spots)| {
            let reach = rest.scene().reach(*mover, WALK, MoveKind::Walk);
            spots.iter().filter(|spot| reach.way(**spot).is_some()).count()
        });
        judged.sum::<usize>()
    });
}

/// Measures sight from each of 24 bases to every other one, past pieces and bases: divide by 552.
#[divan::bench]
fn see_552_bases(bencher: Bencher) {
    let movers = crowd().movers();
    bencher.bench(|| {
        for (eye, rest) in &movers {
            for (index, target) in rest.bases.iter().enumerate() {
                // The target is first, and left out.
                let mut others = rest.bases.clone();
                others.swap_remove(index);
                black_box(sight(eye.at, *target, &rest.shapes, &others));
            }
        }
    });
}
