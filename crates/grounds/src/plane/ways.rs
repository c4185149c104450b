//! Ways around what is in the way.
//!
//! The shortest way is a cord drawn tight around discs: the bases, grown by the radius of whoever walks, and
//! the outward corners of pieces, grown alike. It is searched for among the tangents of all of these, in
//! floats: those add, multiply, divide and take roots alone, which every machine does alike. What is found is
//! cut into straight legs, rounded, and holds only when each leg is a leap that is free.
//!
//! Whoever walks plans to stay [`CLEAR`](super::yard::CLEAR) away from everything, so that rounding harms nothing. A
//! lane that is not wider than a base by twice that is closed, except to a straight leg: from where he touches
//! something, and to where he does, one leads to where all is clear.

use super::exact::{SweptArea, Vector, root_up};
use super::real::{Real, angle, turned};
use super::scene::Obstacles;
use super::yard::{Yard, tangent};
use super::{Base, Length, Point};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Kind of a base's move to a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// In a straight line.
    Leap,
    /// By any way around.
    Walk,
}

/// A way in straight legs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// Ends of the legs, the last one at the goal.
    pub points: Vec<Point>,
    /// All legs together, rounded up.
    pub length: Length,
}

/// Why there is no way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoWay {
    /// Something is in the way on all sides, or where it would lead to.
    Closed,
    /// Any is longer than allowed: at least so long. Without a limit, [`Obstacles::walk`] tells how long.
    Longer(Length),
}

/// Cosines of how far an arc turns in one leg, the coarsest first: 7.5 degrees, 1.5, 0.3.
const ARCS: [f64; 3] = [0.991_444_861, 0.999_657_325, 0.999_986_292];

/// One who has come to a disc and is about to go around it.
#[derive(Debug, Clone, Copy)]
struct Arrival {
    /// The disc; none at the beginning.
    round: Option<usize>,
    spin: f64,
    /// Direction of the arrival from the middle of the disc.
    at: Real,
    /// Distance covered so far.
    gone: f64,
    /// Remaining turn around the disc, as [`turned`] counts.
    room: f64,
    /// Whence, and where he left it.
    last: usize,
    left: Real,
}

/// Goal of a way.
#[derive(Debug, Clone, Copy)]
struct WayGoal {
    at: Point,
    /// Beside it, clear of everything.
    clear: Point,
    most: Length,
}

/// Next arrival to examine: the nearest first; of equally near ones the earliest.
#[derive(Debug)]
struct OpenArrival {
    by: f64,
    order: usize,
    arrival: Arrival,
    is_goal: bool,
}

impl PartialEq for OpenArrival {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OpenArrival {}

impl PartialOrd for OpenArrival {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OpenArrival {
    fn cmp(&self, other: &Self) -> Ordering {
        let by = other.by.total_cmp(&self.by);
        by.then_with(|| other.order.cmp(&self.order))
    }
}

/// Ways for walking from one place.
#[derive(Debug)]
pub(super) struct WalkPlan<'a> {
    scene: Obstacles<'a>,
    from: Base,
    yard: Yard,
    /// Points at which the plan may begin: beside the base, or none where it is wedged in.
    starts: Vec<Point>,
    arrivals: Vec<Arrival>,
}

impl<'a> WalkPlan<'a> {
    /// All ways of at most a length.
    pub(super) fn new(scene: Obstacles<'a>, from: Base, most: Length) -> WalkPlan<'a> {
        let yard = Yard::new(&scene, from, most as f64);
        let starts = yard.clear_of(&scene, from);
        let mut ways = Self::unplanned(scene, from, yard, starts);
        // Nothing is asked for yet.
        let _ = ways.plan(most as f64, None);
        ways
    }

    fn unplanned(scene: Obstacles<'a>, from: Base, yard: Yard, starts: Vec<Point>) -> WalkPlan<'a> {
        WalkPlan {
            scene,
            from,
            yard,
            starts,
            arrivals: Vec::new(),
        }
    }

    /// The disc or the point that an arrival is at.
    fn disc(&self, arrival: &Arrival) -> (Real, f64) {
        arrival.round.map_or((arrival.at, 0.0), |round| {
            let round = self.yard.rounds[round];
            (round.middle, round.radius)
        })
    }

    /// Returns the distance covered on leaving an arrival's disc in a direction; `None` when the way around ends before
    /// it.
    fn leaves(&self, arrival: &Arrival, direction: Real) -> Option<f64> {
        let Some(round) = arrival.round else {
            return Some(arrival.gone);
        };
        let round = &self.yard.rounds[round];
        let turned = turned(arrival.at, direction, arrival.spin);
        if turned > arrival.room + 1e-9 {
            // What is rounded may lie a hair before where he came to.
            return (turned > 4.0 - 1e-9).then_some(arrival.gone);
        }
        Some(arrival.gone + round.radius * angle(arrival.at, direction, arrival.spin))
    }

    /// Returns the point at which the way leaves the disc.
    fn point(&self, arrival: &Arrival, direction: Real) -> Real {
        let (middle, radius) = self.disc(arrival);
        if radius == 0.0 {
            middle
        } else {
            middle + direction * radius
        }
    }

    /// Goes through the discs, the nearest first, until a way to the goal is found or nothing is left that is
    /// near enough.
    fn plan(&mut self, most: f64, goal: Option<WayGoal>) -> Option<(Way, f64)> {
        let end = goal.map(|goal| Real::from(goal.clear));
        let ahead = |at: Real| end.map_or(0.0, |end| (end - at).length());
        let mut heap = BinaryHeap::new();
        let mut settled: Vec<[Vec<usize>; 2]> = vec![Default::default(); self.yard.rounds.len()];
        let spin_index = |spin: f64| usize::from(spin < 0.0);
        let begins = |start: &Point| {
            let at = Real::from(*start);
            Arrival {
                round: None,
                spin: 1.0,
                at,
                gone: (at - self.from.at.into()).length(),
                room: 4.0,
                last: 0,
                left: at,
            }
        };
        let mut starts = self.starts.iter().map(begins).collect::<Vec<_>>().into_iter();
        let mut order = 0;
        let mut next = starts.next();
        loop {
            if let Some(arrival) = next.take() {
                let me = self.arrivals.len();
                self.arrivals.push(arrival);
                let from = self.disc(&arrival);
                let mut push = |gone: f64, arrival: Arrival, at: Real, is_goal: bool| {
                    let by = gone + ahead(at);
                    if by <= most {
                        order += 1;
                        heap.push(OpenArrival {
                            by,
                            order,
                            arrival,
                            is_goal,
                        });
                    }
                };
                if let Some(end) = end
                    && let Some((left, _, length)) = tangent(from, (end, 0.0), (arrival.spin, 1.0))
                    && let Some(gone) = self.leaves(&arrival, left)
                {
                    let gone = gone + length;
                    let there = Arrival {
                        round: None,
                        spin: 1.0,
                        at: end,
                        gone,
                        room: 4.0,
                        last: me,
                        left,
                    };
                    push(gone, there, end, true);
                }
                for (index, round) in self.yard.rounds.iter().enumerate() {
                    if arrival.round == Some(index) {
                        continue;
                    }
                    for spin in [1.0, -1.0] {
                        let to = (round.middle, round.radius);
                        let Some((left, at, length)) = tangent(from, to, (arrival.spin, spin)) else {
                            continue;
                        };
                        if arrival.gone + length > most || !round.allows(at) {
                            continue;
                        }
                        let Some(gone) = self.leaves(&arrival, left) else {
                            continue;
                        };
                        let there = Arrival {
                            round: Some(index),
                            spin,
                            at,
                            gone: gone + length,
                            room: 0.0,
                            last: me,
                            left,
                        };
                        push(there.gone, there, round.middle + at * round.radius, false);
                    }
                }
            }
            next = starts.next();
            if next.is_some() {
                continue;
            }
            let OpenArrival {
                mut arrival, is_goal, ..
            } = heap.pop()?;
            if let Some(round) = arrival.round {
                // Whoever was there before may come along as soon.
                let before = &settled[round][spin_index(arrival.spin)];
                let as_soon = |&index: &usize| {
                    self.leaves(&self.arrivals[index], arrival.at)
                        .is_some_and(|gone| gone <= arrival.gone + 1e-6)
                };
                if before.iter().any(as_soon) {
                    continue;
                }
            }
            let last = self.arrivals[arrival.last];
            let (from, to) = (self.point(&last, arrival.left), self.point(&arrival, arrival.at));
            if !self.yard.is_clear(from, to) {
                continue;
            }
            if let (true, Some(goal)) = (is_goal, goal) {
                let planned = arrival.gone + (Real::from(goal.at) - goal.clear.into()).length();
                match self.way(last, arrival.left, goal, planned) {
                    None => continue,
                    Some(way) => return Some((way, planned)),
                }
            }
            if let Some(round) = arrival.round {
                arrival.room = self.yard.room(round, arrival.at, arrival.spin);
                settled[round][spin_index(arrival.spin)].push(self.arrivals.len());
            }
            next = Some(arrival);
        }
    }

    /// The legs to where an arrival's disc is left, and then to the goal; the arcs in legs that turn by no
    /// more than the cosine says.
    fn legs(&self, mut arrival: Arrival, mut left: Real, goal: WayGoal, turn: f64) -> Vec<Point> {
        let mut points = vec![goal.at, goal.clear];
        while let Some(round) = arrival.round {
            let round = &self.yard.rounds[round];
            let mut arc = Vec::new();
            cut(arrival.at, left, arrival.spin, turn, &mut arc);
            points.extend(
                arc.iter()
                    .rev()
                    .map(|at| (round.middle + *at * round.radius).rounded()),
            );
            left = arrival.left;
            arrival = self.arrivals[arrival.last];
        }
        points.push(arrival.at.rounded());
        points.push(self.from.at);
        points.dedup();
        points.reverse();
        points.remove(0);
        points
    }

    /// The way in legs that are free, if it is one.
    fn verified(&self, points: Vec<Point>) -> Option<Way> {
        let mut at = self.from;
        for &point in &points {
            if self.scene.in_the_way(at, point).is_some() {
                return None;
            }
            at.at = point;
        }
        let length = legs_length(self.from.at, &points);
        Some(Way { points, length })
    }

    /// The way that leaves an arrival's disc in a direction and goes on to the goal, planned to be so long:
    /// in as few legs as will do to make it short enough. A plan that is too long is as good as it gets.
    fn way(&self, arrival: Arrival, left: Real, goal: WayGoal, planned: f64) -> Option<Way> {
        let mut last = None;
        for turn in ARCS {
            if let Some(way) = self.verified(self.legs(arrival, left, goal, turn)) {
                let is_enough = way.length <= goal.most || planned > goal.most as f64;
                last = Some(way);
                if is_enough {
                    break;
                }
            }
        }
        last
    }

    /// Returns the points at which the ways turn.
    pub(super) fn corners(&self) -> impl Iterator<Item = Point> + '_ {
        self.arrivals
            .iter()
            .map(|arrival| self.point(arrival, arrival.at).rounded())
    }

    /// The shortest way around that was planned to a point where there is room, if it is not longer than
    /// allowed.
    pub(super) fn to(&self, goal: Point, most: Length) -> Option<Way> {
        let there = Base {
            at: goal,
            ..self.from
        };
        let mut ends: Vec<(f64, usize, Real, WayGoal)> = Vec::new();
        for clear in self.yard.clear_of(&self.scene, there) {
            let (end, goal) = (
                Real::from(clear),
                WayGoal {
                    at: goal,
                    clear,
                    most,
                },
            );
            for (index, arrival) in self.arrivals.iter().enumerate() {
                if let Some((left, _, length)) = tangent(self.disc(arrival), (end, 0.0), (arrival.spin, 1.0))
                    && arrival.gone + length <= most as f64
                    && let Some(gone) = self.leaves(arrival, left)
                    && gone + length <= most as f64
                {
                    ends.push((gone + length, index, left, goal));
                }
            }
        }
        ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let clear_ends = ends.into_iter().filter(|(_, index, left, goal)| {
            self.yard
                .is_clear(self.point(&self.arrivals[*index], *left), goal.clear.into())
        });
        let mut ways = clear_ends
            .filter_map(|(length, index, left, goal)| self.way(self.arrivals[index], left, goal, length));
        ways.find(|way| way.length <= most)
    }
}

/// Cuts an arc into legs along its outside: the corners between them, for a disc of radius 1.
fn cut(from: Real, to: Real, spin: f64, turn: f64, corners: &mut Vec<Real>) {
    let (along, aside) = (from.dot(to), spin * from.cross(to));
    if aside >= 0.0 && along >= turn {
        corners.push((from + to) * (1.0 / (1.0 + along)));
        return;
    }
    // What is rounded may lie a hair before where it began.
    if aside < 0.0 && aside > -1e-7 && along > 0.0 {
        corners.push(from);
        return;
    }
    let sign = if aside >= 0.0 { 1.0 } else { -1.0 };
    let middle = match along < -0.999_999 {
        true => from.left() * spin,
        false => ((from + to) * sign).direction().unwrap_or(from.left() * spin),
    };
    cut(from, middle, spin, turn, corners);
    cut(middle, to, spin, turn, corners);
}

/// Returns the length of all legs together, rounded up: each of them to a 2,048th of a thousandth, and then the sum.
fn legs_length(from: Point, points: &[Point]) -> Length {
    let mut at = Vector::from(from);
    let mut fine = 0;
    for point in points {
        let there = Vector::from(*point);
        fine += root_up(((there - at).square() as u128) << 20) as i64;
        at = there;
    }
    (fine + 2_047) >> 11
}

impl Obstacles<'_> {
    /// The straight way, if it is free.
    pub(super) fn straight(&self, from: Base, goal: Point) -> Option<Way> {
        self.in_the_way(from, goal).is_none().then(|| Way {
            points: vec![goal],
            length: from.at.distance(goal),
        })
    }

    /// The shortest way for a base to a point past everything; every leg of it is a leap that is free.
    ///
    /// # Errors
    ///
    /// There is none, or each is longer than allowed; which of both is not always looked for.
    pub fn walk(&self, from: Base, to: Point, most: Length) -> Result<Way, NoWay> {
        let within = |way: Way| match way.length <= most {
            true => Ok(way),
            false => Err(NoWay::Longer(way.length)),
        };
        if let Some(way) = self.straight(from, to) {
            return within(way);
        }
        let far = from.at.distance(to);
        if far > most {
            return Err(NoWay::Longer(far));
        }
        let there = Base { at: to, ..from };
        if self.fits(from).is_err() || self.fits(there).is_err() {
            return Err(NoWay::Closed);
        }
        // Whence and whither is the same for whoever asks for all ways at once.
        let [out, into] = [from, there].map(|base| Yard::clear_beside(self, base));
        // Only what ways lead over needs to be known: the shortest way around some that leads over none of
        // the others is the shortest of all.
        let (mut bases, mut shapes) = (Vec::new(), Vec::new());
        let (mut other_bases, mut other_shapes) = (self.bases.to_vec(), self.shapes.to_vec());
        let mut points = vec![to];
        loop {
            let starts = std::iter::once(from.at).chain(points.iter().copied());
            let legs = starts.zip(&points).map(|(at, to)| Base { at, ..from }.sweep(*to));
            let legs: Vec<SweptArea> = legs.collect();
            let known = bases.len() + shapes.len();
            bases.extend(other_bases.extract_if(.., |base| legs.iter().any(|leg| leg.meets_base(base))));
            shapes.extend(other_shapes.extract_if(.., |shape| legs.iter().any(|leg| shape.meets(leg))));
            if bases.len() + shapes.len() == known {
                let length = legs_length(from.at, &points);
                return within(Way { points, length });
            }
            let some = Obstacles {
                table: self.table,
                bases: &bases,
                shapes: &shapes,
            };
            let (way, planned) = some
                .around(from, (to, most), (&out, &into))
                .ok_or(NoWay::Closed)?;
            if way.length > most {
                return Err(NoWay::Longer(
                    (planned.ceil() as Length).clamp(most + 1, way.length),
                ));
            }
            points = way.points;
        }
    }

    /// The shortest way around everything, or what comes near to it where that is not longer than allowed;
    /// and how long it was planned to be. It begins and ends at one of these.
    fn around(
        &self,
        from: Base,
        (to, most): (Point, Length),
        (starts, ends): (&[Point], &[Point]),
    ) -> Option<(Way, f64)> {
        let yard = Yard::new(self, from, f64::MAX);
        let mut ways = WalkPlan::unplanned(*self, from, yard, starts.to_vec());
        let planned = ends.iter().filter_map(|&clear| {
            ways.arrivals.clear();
            ways.plan(f64::MAX, Some(WayGoal { at: to, clear, most }))
        });
        planned.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Shape;
    use super::super::testing::{any_shape, base, on, polygon, times, to};
    use super::super::yard::CLEAR;
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::{PI, TAU};

    const TABLE: (i32, i32) = (100_000, 100_000);

    #[test]
    fn the_way_around_a_base_is_two_tangents_and_an_arc() {
        let bases = [base(50_000, 50_000, 20_000)];
        let scene = on(TABLE, &bases, &[]);
        let walker = base(20_000, 50_000, 10_000);
        let way = scene
            .walk(walker, to(80_000, 50_000), 100_000)
            .expect("there is one");
        // Two tangents of 25,981 and a third of a half circle of radius 15,000 between them.
        let real = 2.0 * (30_000.0_f64.powi(2) - 15_000.0_f64.powi(2)).sqrt() + 15_000.0 * PI / 3.0;
        assert!(
            (way.length as f64 - real) > 0.0 && (way.length as f64 - real) < 25.0,
            "{} {real}",
            way.length
        );
        assert_eq!(
            scene
                .walk(walker, to(80_000, 50_000), way.length)
                .map(|w| w.length),
            Ok(way.length)
        );
        let short = scene
            .walk(walker, to(80_000, 50_000), real as i64 + 5)
            .expect("in more legs");
        assert!(short.points.len() > way.points.len() && short.length < way.length);
        let needed = scene
            .walk(walker, to(80_000, 50_000), real as i64 - 1)
            .expect_err("shorter than any");
        assert!(
            matches!(needed, NoWay::Longer(n) if (n as f64 - real).abs() < 5.0),
            "{needed:?}"
        );
    }

    #[test]
    fn what_is_closed_on_all_sides_is_closed() {
        let ring: Vec<Base> = (0..12)
            .map(|n| Base {
                at: to(50_000, 50_000).at_angle(30 * n, 20_000),
                diameter: 8_000,
            })
            .collect();
        let whole = on(TABLE, &ring, &[]);
        let (walker, goal) = (base(50_000, 50_000, 5_000), to(90_000, 50_000));
        assert_eq!(whole.walk(walker, goal, 1_000_000), Err(NoWay::Closed));
        assert_eq!(
            on(TABLE, &ring[..11], &[])
                .walk(walker, goal, 1_000_000)
                .map(|w| w.points.is_empty()),
            Ok(false)
        );
        assert_eq!(whole.walk(walker, ring[0].at, 1_000_000), Err(NoWay::Closed));
        assert_eq!(
            whole.walk(walker, to(50_000, 100_000), 1_000_000),
            Err(NoWay::Closed)
        );
    }

    #[test]
    fn whoever_touches_walks_around_what_he_touches_and_into_contact_on_its_other_side() {
        let bases = [base(50_000, 50_000, 20_000)];
        let shapes = [polygon(&[
            (20_000, 30_000),
            (80_000, 30_000),
            (80_000, 40_000),
            (20_000, 40_000),
        ])];
        let (one, other) = (on(TABLE, &bases, &[]), on(TABLE, &[], &shapes));
        assert!(
            one.walk(base(35_000, 50_000, 10_000), to(65_000, 50_000), 60_000)
                .is_ok()
        );
        assert!(
            other
                .walk(base(50_000, 45_000, 10_000), to(50_000, 25_000), 100_000)
                .is_ok()
        );
        // Wedged between both, there is only straight away.
        let both = on(TABLE, &bases, &shapes);
        assert_eq!(
            both.walk(base(50_000, 25_000, 10_000), to(50_000, 65_000), 1_000_000)
                .map(|w| w.length < 110_000),
            Ok(true)
        );
    }

    #[test]
    fn whoever_stands_between_two_things_walks_out_straight_and_on() {
        let walk = |bases: &[Base], shapes: &[Shape], from: Base, goal: Point| {
            let scene = on(TABLE, bases, shapes);
            let way = scene.walk(from, goal, 1_000_000).map(|way| way.length);
            let back = scene.walk(Base { at: goal, ..from }, from.at, 1_000_000);
            assert_eq!(way.is_ok(), back.is_ok(), "as one gets out one gets in");
            let reach = scene.reach(from, 100_000, MoveKind::Walk).way(goal);
            assert_eq!(way.is_ok(), reach.is_some());
            way
        };
        let me = base(50_000, 50_000, 10_000);
        // Opposite to each other, where there are two ways out, and a bit out of line, where there is one.
        for angle in [180, 170, 160, 185, 200] {
            let there = |degrees| Base {
                at: me.at.at_angle(degrees, 10_001),
                diameter: 10_000,
            };
            let both = [there(0), there(angle)];
            for goal in [to(60_000, 62_000), to(60_000, 38_000)] {
                let is_out = angle == 180 || (goal.y > me.at.y) == (angle > 180);
                let way = walk(&both, &[], me, goal).expect("out, and around");
                assert_eq!(way < 17_000, is_out, "{angle} {goal} {way}");
            }
        }
        // Out, and in again right beside it.
        let beside = [base(50_000, 1_500, 1_000)];
        for x in [50_062, 50_068] {
            let way = walk(&beside, &[], base(50_000, 500, 1_000), to(x, 501));
            assert!(way.is_ok_and(|way| way < 100), "{x}");
        }
        // Out between two that do not stand quite opposite, while a third is near.
        let three = [(10_635, 8_416), (9_297, 9_903), (10_735, 9_858)].map(|(x, y)| base(x, y, 1_000));
        assert!(walk(&three, &[], base(9_981, 9_173, 1_000), to(9_000, 8_200)).is_ok_and(|way| way < 1_500));
        // Between a base and the table's edge, and between two pieces whose ends are near.
        let behind = [base(50_000, 15_000, 10_000)];
        assert!(walk(&behind, &[], base(50_000, 5_000, 10_000), to(65_000, 15_000)).is_ok());
        let walls = [45_000, 55_001].map(|x| {
            let (low, high) = if x < 50_000 {
                (x - 9_000, x)
            } else {
                (x, x + 9_000)
            };
            polygon(&[(low, 40_000), (high, 40_000), (high, 60_000), (low, 60_000)])
        });
        assert!(walk(&[], &walls, me, to(60_000, 70_000)).is_ok());
    }

    /// Ways to one spot and all ways at once are planned from and to the same points.
    #[test]
    fn what_is_within_reach_is_so_for_whoever_asks_for_one_way() {
        let at = [
            (9_273, 18_633),
            (7_331, 18_160),
            (5_856, 23_249),
            (3_409, 11_619),
            (20_416, 20_011),
        ];
        let bases = at.map(|(x, y)| base(x, y, 1_000));
        let scene = on((24_000, 24_000), &bases, &[]);
        let me = base(8_292, 18_437, 1_000);
        let mut checked = 0;
        for (x, y) in (0..40).flat_map(|x| (0..40).map(move |y| (x, y))) {
            let goal = to(6_000 + 110 * x, 16_300 + 130 * y);
            if let Some(way) = scene.reach(me, 6_000, MoveKind::Walk).way(goal) {
                let walked = scene.walk(me, goal, way.length);
                assert!(walked.is_ok(), "{goal} {way:?} {walked:?}");
                checked += usize::from(way.points.len() > 1);
            }
        }
        assert!(checked > 100, "{checked}");
    }

    #[test]
    fn a_walk_leads_out_of_a_bay_and_through_a_door() {
        let bay = polygon(&[
            (20_000, 20_000),
            (80_000, 20_000),
            (80_000, 80_000),
            (20_000, 80_000),
            (20_000, 70_000),
            (70_000, 70_000),
            (70_000, 30_000),
            (20_000, 30_000),
        ]);
        let shapes = [bay];
        let way = on(TABLE, &[], &shapes)
            .walk(base(60_000, 50_000, 10_000), to(90_000, 50_000), 1_000_000)
            .expect("a way");
        assert!(way.length > 150_000 && way.length < 180_000, "{}", way.length);
        // A door that is just wide enough, and one that is not.
        let door = |wide| {
            [
                polygon(&[(50_000, 0), (52_000, 0), (52_000, 49_000), (50_000, 49_000)]),
                polygon(&[
                    (50_000, 49_000 + wide),
                    (52_000, 49_000 + wide),
                    (52_000, 100_000),
                    (50_000, 100_000),
                ]),
            ]
        };
        let through = |wide| {
            let shapes = door(wide);
            on(TABLE, &[], &shapes)
                .walk(base(20_000, 20_000, 10_000), to(80_000, 70_000), 1_000_000)
                .map(|w| w.points.len() > 1)
        };
        assert_eq!(through(10_004), Ok(true));
        assert_eq!(through(9_999), Err(NoWay::Closed));
    }

    /// The shortest way by points around everything, each of which is tried with each other by leaps.
    fn oracle(scene: &Obstacles, from: Base, goal: Point) -> Option<f64> {
        let own = f64::from(from.diameter) / 2.0 + CLEAR + 1.0;
        let mut points = vec![from.at, goal];
        let mut around = |at: Point, radius: f64| {
            let count = 48;
            let radius = (radius + own) / (PI / f64::from(count)).cos();
            points.extend((0..count).map(|n| {
                let angle = f64::from(n) / f64::from(count) * TAU;
                (Real::from(at)
                    + Real {
                        x: angle.cos(),
                        y: angle.sin(),
                    } * radius)
                    .rounded()
            }));
        };
        for base in scene.bases {
            around(base.at, f64::from(base.diameter) / 2.0);
        }
        for shape in scene.shapes {
            match shape {
                Shape::Disc { at, diameter } => around(*at, f64::from(*diameter) / 2.0),
                Shape::Polygon(corners) => corners.iter().for_each(|corner| around(*corner, 0.0)),
            }
        }
        points.retain(|at| scene.fits(Base { at: *at, ..from }).is_ok());
        let far = |a: Point, b: Point| (Real::from(a) - b.into()).length();
        let mut best = vec![f64::MAX; points.len()];
        let mut left: Vec<usize> = (0..points.len()).collect();
        best[0] = 0.0;
        while let Some(nearest) = left.iter().copied().min_by(|a, b| best[*a].total_cmp(&best[*b])) {
            left.retain(|index| *index != nearest);
            if best[nearest] == f64::MAX || points[nearest] == goal {
                break;
            }
            let at = Base {
                at: points[nearest],
                ..from
            };
            for &next in &left {
                let length = best[nearest] + far(points[nearest], points[next]);
                if length < best[next] && scene.in_the_way(at, points[next]).is_none() {
                    best[next] = length;
                }
            }
        }
        points
            .iter()
            .position(|p| *p == goal)
            .map(|at| best[at])
            .filter(|length| *length < f64::MAX)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(times(3_000) as u32))]

        #[test]
        fn a_walk_is_as_short_as_one_by_many_points(
            bases in prop::collection::vec((0..100_000, 0..100_000, 5_000..20_000), 0..6),
            shapes in prop::collection::vec(any_shape(100_000), 0..4),
            a in (6_000..94_000, 6_000..94_000), b in (6_000..94_000, 6_000..94_000),
            diameter in 1_000..10_000,
        ) {
            let bases: Vec<Base> = bases.into_iter().map(|(x, y, d)| base(x, y, d)).collect();
            let (scene, walker, goal) = (on(TABLE, &bases, &shapes), base(a.0, a.1, diameter), to(b.0, b.1));
            prop_assume!(scene.fits(walker).is_ok() && scene.fits(Base { at: goal, ..walker }).is_ok());
            let (way, known) = (scene.walk(walker, goal, 1_000_000), oracle(&scene, walker, goal));
            if let Some(known) = known {
                let way = way.clone().map_err(|why| TestCaseError::fail(format!("{why:?} {known}")))?;
                prop_assert!(way.length as f64 <= known * 1.002 + 10.0, "{} {known}", way.length);
            }
            if let Ok(way) = &way {
                let mut at = walker;
                let mut length = 0.0;
                for point in &way.points {
                    prop_assert_eq!(scene.leap(at, *point), Ok(()));
                    length += (Real::from(*point) - at.at.into()).length();
                    at.at = *point;
                }
                prop_assert_eq!(at.at, goal);
                prop_assert!(way.length as f64 >= length - 1e-6 && (way.length as f64) < length + 2.0);
                // Discs cut into a few corners let nobody pass nearer than discs.
                prop_assert!(known.is_none_or(|known| way.length as f64 > known * 0.99 - 20.0));
                // As far as is needed is far enough; what is shorter is refused with a number that is.
                prop_assert_eq!(scene.walk(walker, goal, way.length).map(|w| w.length), Ok(way.length));
                match scene.walk(walker, goal, way.length - 1) {
                    Ok(shorter) => prop_assert!(shorter.length < way.length),
                    Err(NoWay::Longer(needed)) => {
                        prop_assert!(needed >= walker.at.distance(goal) && needed <= way.length);
                    }
                    Err(NoWay::Closed) => prop_assert!(false, "closed"),
                }
                // All ways at once know it, too.
                let same = scene.reach(walker, way.length + 20, MoveKind::Walk).way(goal);
                prop_assert!(same.is_some_and(|same| same.length > way.length - 20));
            }
        }
    }
}
