//! A table with what stands on it, and a base that stands or leaps there.

use super::Shape;
use super::{Base, Length, Point};

/// Obstacles for a base: the table edge and everything on the table except the moving base. Negative sizes count as 0.
#[derive(Debug, Clone, Copy)]
pub struct Obstacles<'a> {
    /// Width and depth of the table.
    pub table: (i32, i32),
    /// The bases of the others.
    pub bases: &'a [Base],
    /// The pieces that nobody moves over.
    pub shapes: &'a [Shape],
}

/// Obstacle in the way, by its index in the [`Obstacles`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Obstacle {
    /// The edge of the table.
    Edge,
    /// A base.
    Base(usize),
    /// A piece of terrain.
    Shape(usize),
}

/// Why a leap ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeapStop {
    /// Obstacle met.
    pub by: Obstacle,
    /// Distance that the base moves until then, rounded down: [`Point::toward`] at that length is a leap that is free.
    pub after: Length,
}

impl Obstacles<'_> {
    /// Whether there is room for a base where it is.
    ///
    /// # Errors
    ///
    /// The first that it would lie on: the edge of the table, then bases, then pieces.
    pub fn fits(&self, base: Base) -> Result<(), Obstacle> {
        self.in_the_way(base, base.at).map_or(Ok(()), Err)
    }

    /// Whether a base can move to a point in a straight line, touching at most what it passes.
    ///
    /// # Errors
    ///
    /// Where it is stopped; at once, where there is no room for it even at the beginning.
    pub fn leap(&self, from: Base, to: Point) -> Result<(), LeapStop> {
        let Some(mut by) = self.in_the_way(from, to) else {
            return Ok(());
        };
        if let Err(by) = self.fits(from) {
            return Err(LeapStop { by, after: 0 });
        }
        let (mut free, mut stopped) = (0, from.at.distance(to));
        while stopped - free > 1 {
            let middle = free + (stopped - free) / 2;
            match self.in_the_way(from, from.at.toward(to, middle)) {
                None => free = middle,
                Some(first) => (stopped, by) = (middle, first),
            }
        }
        Err(LeapStop { by, after: free })
    }

    /// Returns an obstacle of a base on a straight way, not necessarily the first; `None` when the way is free.
    #[inline]
    pub(super) fn in_the_way(&self, from: Base, to: Point) -> Option<Obstacle> {
        let there = Base { at: to, ..from };
        if !from.is_on_table(self.table) || !there.is_on_table(self.table) {
            return Some(Obstacle::Edge);
        }
        let sweep = from.sweep(to);
        if let Some(index) = self.bases.iter().position(|base| sweep.meets_base(base)) {
            return Some(Obstacle::Base(index));
        }
        let shape = self.shapes.iter().position(|shape| shape.meets(&sweep));
        shape.map(Obstacle::Shape)
    }

    /// The bases and pieces that the straight line between two points leads through, in the order of the
    /// scene. Leave out those of the bases that the line begins and ends at.
    pub fn between(&self, from: Point, to: Point) -> Vec<Obstacle> {
        let line = |base: &Base| Shape::Disc {
            at: base.at,
            diameter: base.diameter,
        };
        let bases = self.bases.iter().enumerate();
        let bases = bases.filter(|(_, base)| line(base).is_crossed(from, to));
        let shapes = self.shapes.iter().enumerate();
        let shapes = shapes.filter(|(_, shape)| shape.is_crossed(from, to));
        let bases = bases.map(|(index, _)| Obstacle::Base(index));
        bases
            .chain(shapes.map(|(index, _)| Obstacle::Shape(index)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{
        TestNumbers, any_base, any_point, any_shape, base, crowded, on, polygon, times, to,
    };
    use super::*;
    use proptest::prelude::*;

    const TABLE: (i32, i32) = (1_000, 1_000);

    #[test]
    fn a_base_fits_where_it_touches_and_not_a_thousandth_nearer() {
        let (bases, shapes) = (
            [base(500, 500, 40)],
            [polygon(&[(100, 100), (200, 100), (200, 200)])],
        );
        let scene = on(TABLE, &bases, &shapes);
        assert_eq!(scene.fits(base(540, 500, 40)), Ok(()));
        assert_eq!(scene.fits(base(539, 500, 40)), Err(Obstacle::Base(0)));
        assert_eq!(scene.fits(base(220, 150, 40)), Ok(()));
        assert_eq!(scene.fits(base(219, 150, 40)), Err(Obstacle::Shape(0)));
        assert_eq!(scene.fits(base(190, 150, 4)), Err(Obstacle::Shape(0)));
        assert_eq!(scene.fits(base(20, 980, 40)), Ok(()));
        assert_eq!(scene.fits(base(20, 980, 41)), Err(Obstacle::Edge));
    }

    #[test]
    fn a_leap_ends_where_it_meets_something() {
        let (bases, shapes) = (
            [base(500, 500, 40)],
            [polygon(&[(700, 400), (800, 400), (800, 600), (700, 600)])],
        );
        let scene = on(TABLE, &bases, &shapes);
        let stopped = |by, after| Err(LeapStop { by, after });
        assert_eq!(scene.leap(base(100, 500, 40), to(460, 500)), Ok(()));
        assert_eq!(
            scene.leap(base(100, 500, 40), to(461, 500)),
            stopped(Obstacle::Base(0), 360)
        );
        assert_eq!(
            scene.leap(base(100, 500, 40), to(900, 500)),
            stopped(Obstacle::Base(0), 360)
        );
        assert_eq!(
            scene.leap(base(100, 540, 40), to(900, 540)),
            stopped(Obstacle::Shape(0), 580)
        );
        assert_eq!(scene.leap(base(100, 620, 40), to(900, 620)), Ok(()), "along both");
        assert_eq!(
            scene.leap(base(100, 980, 40), to(100, 1_000)),
            stopped(Obstacle::Edge, 0)
        );
    }

    #[test]
    fn whoever_touches_moves_away_and_along_and_whoever_overlaps_nowhere() {
        let bases = [base(500, 500, 40)];
        let scene = on(TABLE, &bases, &[]);
        for away in [
            to(600, 500),
            to(540, 600),
            to(540, 400),
            to(541, 500),
            to(540, 500),
        ] {
            assert_eq!(scene.leap(base(540, 500, 40), away), Ok(()));
        }
        let stopped = Err(LeapStop {
            by: Obstacle::Base(0),
            after: 0,
        });
        assert_eq!(scene.leap(base(540, 500, 40), to(500, 500)), stopped);
        assert_eq!(scene.leap(base(530, 500, 40), to(900, 500)), stopped);
    }

    #[test]
    fn what_lies_between_is_told_in_order() {
        let bases = [base(500, 300, 40), base(300, 500, 40), base(500, 520, 40)];
        let shapes = [
            polygon(&[(600, 400), (700, 400), (650, 600)]),
            polygon(&[(600, 500), (700, 500), (650, 600)]),
        ];
        let between = on(TABLE, &bases, &shapes).between(to(100, 500), to(900, 500));
        assert_eq!(between, [Obstacle::Base(1), Obstacle::Shape(0)]);
    }

    /// Whether the base that is swept overlaps anything, at places along the way and by floats; nothing where
    /// it is so near that nobody can say.
    fn oracle(scene: &Obstacles, from: Base, to: Point) -> Option<bool> {
        let mut nearest = f64::MAX;
        let line = (
            (f64::from(from.at.x), f64::from(from.at.y)),
            (f64::from(to.x), f64::from(to.y)),
        );
        let radius = f64::from(from.diameter) / 2.0;
        let steps = 4_000;
        for step in 0..=steps {
            let part = f64::from(step) / f64::from(steps);
            let at = (
                line.0.0 + (line.1.0 - line.0.0) * part,
                line.0.1 + (line.1.1 - line.0.1) * part,
            );
            for other in scene.bases {
                let far = (at.0 - f64::from(other.at.x)).hypot(at.1 - f64::from(other.at.y));
                nearest = nearest.min(far - f64::from(other.diameter) / 2.0 - radius);
            }
            for shape in scene.shapes {
                nearest = nearest.min(super::super::testing::far(at, shape) - radius);
            }
            let edges = [
                at.0,
                at.1,
                f64::from(scene.table.0) - at.0,
                f64::from(scene.table.1) - at.1,
            ];
            nearest = edges
                .into_iter()
                .fold(nearest, |near, edge| near.min(edge - radius));
        }
        (nearest.abs() > 0.2).then_some(nearest < 0.0)
    }

    fn any_crowd() -> impl Strategy<Value = Vec<Base>> {
        let one = (0..1_000, 0..1_000, 20..120).prop_map(|(x, y, diameter)| base(x, y, diameter));
        prop::collection::vec(one, 0..5)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(times(10_000) as u32))]

        #[test]
        fn a_leap_is_free_exactly_when_floats_say_so(
            bases in any_crowd(),
            shapes in prop::collection::vec(any_shape(1_000), 0..3),
            (x, y) in (60..940, 60..940), there in (0..1_000, 0..1_000), diameter in 1..100,
        ) {
            let (scene, mover, there) = (on(TABLE, &bases, &shapes), base(x, y, diameter), to(there.0, there.1));
            let leap = scene.leap(mover, there);
            if let Some(met) = oracle(&scene, mover, there) {
                prop_assert_eq!(leap.is_err(), met);
            }
            match leap {
                Ok(()) => {
                    prop_assert_eq!(scene.fits(mover), Ok(()));
                    prop_assert_eq!(scene.fits(Base { at: there, ..mover }), Ok(()));
                }
                Err(LeapStop { by, after }) => {
                    // It gets so far, and no farther; what stops it is met there.
                    let far = |length| scene.leap(mover, mover.at.toward(there, length));
                    prop_assert_eq!(far(after).is_ok(), scene.fits(mover).is_ok());
                    let next = far(after + 1);
                    prop_assert!(next.is_err() || after + 1 == mover.at.distance(there), "{:?}", next);
                    let one = match by {
                        Obstacle::Edge => Obstacles { bases: &[], shapes: &[], ..scene },
                        Obstacle::Base(i) => Obstacles { bases: &bases[i..=i], shapes: &[], ..scene },
                        Obstacle::Shape(i) => Obstacles { bases: &[], shapes: &shapes[i..=i], ..scene },
                    };
                    // On the rounded way, if not on the whole one.
                    let met = |to| one.leap(mover, to).is_err();
                    prop_assert!(met(there) || met(mover.at.toward(there, after + 1)));
                }
            }
        }

        #[test]
        fn the_way_back_is_as_free(
            bases in any_crowd(), shapes in prop::collection::vec(any_shape(1_000), 0..3),
            a in (0..1_000, 0..1_000), b in (0..1_000, 0..1_000), diameter in 1..100,
        ) {
            let (scene, a, b) = (on(TABLE, &bases, &shapes), to(a.0, a.1), to(b.0, b.1));
            let leap = |from, to| scene.leap(Base { at: from, diameter }, to).is_ok();
            prop_assert_eq!(leap(a, b), leap(b, a));
            prop_assert_eq!(scene.between(a, b), scene.between(b, a));
        }

        #[test]
        fn no_scene_is_too_large(
            table: (i32, i32), bases in prop::collection::vec(any_base(), 0..4),
            mover in any_base(), there in any_point(),
        ) {
            let shapes = [Shape::Disc { at: there, diameter: mover.diameter }];
            let scene = Obstacles { table, bases: &bases, shapes: &shapes };
            if scene.leap(mover, there).is_ok() {
                prop_assert_eq!(scene.fits(Base { at: there, ..mover }), Ok(()));
            }
            scene.between(mover.at, there);
        }
    }

    /// A crowded table: nobody overlaps, and nobody leaves it, however the numbers fall.
    #[test]
    fn a_million_moves_at_crowded_tables() {
        let mut numbers = TestNumbers(0x5EED);
        let (mut moves, mut stops) = (0, 0);
        while moves < times(1_000_000) {
            // The larger, the fewer ties: small tables are all touching.
            let size = [200, 2_000, 900_000][numbers.below(3) as usize];
            let table = (size, size);
            let (mut bases, shapes) = crowded(&mut numbers, size, 6);
            for _ in 0..1_000.min(times(1_000_000) - moves) {
                let mover = numbers.one_of(&mut bases);
                let scene = on(table, &bases, &shapes);
                // At others, to anywhere, and off the table.
                let goal = match numbers.below(3) {
                    0 => bases[numbers.below(bases.len() as i32) as usize].at,
                    1 => to(numbers.below(size), numbers.below(size)),
                    _ => mover
                        .at
                        .at_angle(numbers.below(360).into(), i64::from(numbers.below(size))),
                };
                let goal = match scene.leap(mover, goal) {
                    Ok(()) => goal,
                    Err(LeapStop { after, .. }) => {
                        stops += 1;
                        mover.at.toward(goal, after)
                    }
                };
                assert_eq!(
                    scene.leap(mover, goal),
                    Ok(()),
                    "{mover:?} to {goal:?} by {bases:?}"
                );
                let there = Base { at: goal, ..mover };
                for other in &bases {
                    let (dx, dy) = (i128::from(goal.x - other.at.x), i128::from(goal.y - other.at.y));
                    let both = i128::from(mover.diameter + other.diameter);
                    assert!(4 * (dx * dx + dy * dy) >= both * both, "{there:?} {other:?}");
                }
                let (x, y, half) = (2 * goal.x, 2 * goal.y, mover.diameter);
                assert!(x >= half && y >= half && x + half <= 2 * size && y + half <= 2 * size);
                assert!(!shapes.iter().any(|shape| shape.meets(&there.sweep(there.at))));
                bases.push(there);
                moves += 1;
            }
        }
        assert!(
            stops > moves / 10 && stops < moves,
            "{stops} of {moves} were stopped"
        );
    }
}
