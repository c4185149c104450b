//! Helpers shared by the tests of this module.

use super::{Base, Obstacles, Point, Shape};
use proptest::prelude::*;

pub fn base(x: i32, y: i32, diameter: i32) -> Base {
    Base {
        at: Point { x, y },
        diameter,
    }
}

/// A table with these on it.
pub fn on<'a>(table: (i32, i32), bases: &'a [Base], shapes: &'a [Shape]) -> Obstacles<'a> {
    Obstacles { table, bases, shapes }
}

pub fn to(x: i32, y: i32) -> Point {
    Point { x, y }
}

pub fn points(corners: &[(i32, i32)]) -> Vec<Point> {
    corners.iter().map(|&(x, y)| Point { x, y }).collect()
}

pub fn polygon(corners: &[(i32, i32)]) -> Shape {
    Shape::polygon(&points(corners)).unwrap_or_else(|why| panic!("{corners:?}: {why:?}"))
}

/// Few numbers, so that much is the same; table tops; and all there is.
pub fn any_point() -> impl Strategy<Value = Point> {
    prop_oneof![
        (-20..20, -20..20),
        (0..900_000, 0..900_000),
        (any::<i32>(), any::<i32>())
    ]
    .prop_map(|(x, y)| Point { x, y })
}

pub fn any_base() -> impl Strategy<Value = Base> {
    let diameter = prop_oneof![0..20, 25_000..60_000, any::<i32>()];
    (any_point(), diameter).prop_map(|(at, diameter)| Base { at, diameter })
}

/// Corners around a middle at these distances, each at its part of the whole turn: an outline that does not
/// cross itself, though it may have any bays.
pub fn star(middle: Point, distances: &[i32]) -> Option<Shape> {
    let count = distances.len() as i64;
    let corner = |(nth, far): (usize, &i32)| middle.at_angle(360 * nth as i64 / count, i64::from(*far));
    let corners: Vec<Point> = distances.iter().enumerate().map(corner).collect();
    Shape::polygon(&corners).ok()
}

/// A piece on a table of this size, of corners or round.
pub fn any_shape(size: i32) -> impl Strategy<Value = Shape> {
    let middle = (0..size, 0..size).prop_map(|(x, y)| Point { x, y });
    let far = size / 40..size / 6;
    let round = (middle.clone(), far.clone()).prop_map(|(at, diameter)| Shape::Disc { at, diameter });
    let cornered = (middle, prop::collection::vec(far, 3..9))
        .prop_filter_map("an outline", |(at, distances)| star(at, &distances));
    prop_oneof![1 => round, 3 => cornered]
}

/// A generator of numbers for tests that make very many.
pub struct TestNumbers(pub u64);

impl TestNumbers {
    /// Takes one of the bases off the table.
    pub fn one_of(&mut self, bases: &mut Vec<Base>) -> Base {
        bases.swap_remove(self.below(bases.len() as i32) as usize)
    }

    pub fn below(&mut self, end: i32) -> i32 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        (high % u64::from(end.unsigned_abs().max(1))) as i32
    }
}

/// A table of this size with so many pieces on it and up to 24 bases that lie on nothing.
pub fn crowded(numbers: &mut TestNumbers, size: i32, pieces: usize) -> (Vec<Base>, Vec<Shape>) {
    let mut shapes = Vec::new();
    for _ in 0..pieces {
        let at = Point {
            x: numbers.below(size),
            y: numbers.below(size),
        };
        let far: Vec<i32> = (0..3 + numbers.below(6))
            .map(|_| size / 30 + numbers.below(size / 15))
            .collect();
        shapes.extend(star(at, &far));
    }
    let mut bases: Vec<Base> = Vec::new();
    for _ in 0..400 {
        let diameter = size / 40 + numbers.below(size / 20);
        let new = base(numbers.below(size), numbers.below(size), diameter);
        let scene = Obstacles {
            table: (size, size),
            bases: &bases,
            shapes: &shapes,
        };
        if bases.len() < 24 && scene.fits(new).is_ok() {
            bases.push(new);
        }
    }
    (bases, shapes)
}

/// Returns the number of repetitions of a long test: all of them in a fast build, and in any build where `EVERY_TIME`
/// is set.
pub fn times(all: usize) -> usize {
    let every_time = !cfg!(debug_assertions) || std::env::var_os("EVERY_TIME").is_some();
    if every_time { all } else { all / 50 }
}
