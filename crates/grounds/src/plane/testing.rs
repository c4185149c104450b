//! Helpers shared by the tests of this module.

use super::{Base, Obstacles, Point, Shape};

#[path = "../../../kernel/src/plane/testing.rs"]
mod of_points;

pub use of_points::*;

pub fn to(x: i32, y: i32) -> Point {
    Point { x, y }
}

/// A table with these on it.
pub fn on<'a>(table: (i32, i32), bases: &'a [Base], shapes: &'a [Shape]) -> Obstacles<'a> {
    Obstacles { table, bases, shapes }
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
