//! Points of a plane and round bases on it.

use super::exact::{SweptArea, Vector, root_down, root_up};

/// A length in thousandths of the game's unit. What is measured is rounded up, and so the number that is told
/// is at most a whole one exactly when the real length is.
pub type Length = i64;

/// No coordinate and no diameter counts for more, except to [`Point::distance`]: 16,777.215 units. Within
/// that every product in this module fits into its integer. No table is larger, and so whoever is farther out
/// is off it.
pub const FARTHEST: i32 = (1 << 24) - 1;

/// A point of a plane, in thousandths of the game's unit from its lower left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Away from the first faction's edge.
    pub y: i32,
}

/// A round base. Radii are half diameters, and so half thousandths occur: they are counted as such.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Base {
    /// Its middle.
    pub at: Point,
    /// From edge to edge, in thousandths of the game's unit; one without any counts as 1 across.
    pub diameter: i32,
}

impl From<Point> for Vector {
    #[inline]
    fn from(point: Point) -> Self {
        let half = |n: i32| 2 * i64::from(n.clamp(-FARTHEST, FARTHEST));
        Vector {
            x: half(point.x),
            y: half(point.y),
        }
    }
}

impl SweptArea {
    /// Whether it leads over a base.
    #[inline]
    pub fn meets_base(&self, base: &Base) -> bool {
        self.meets(base.at.into(), base.radius())
    }
}

/// Sines of whole degrees in thousand-millionths, rounded down: the same on every machine.
const SINES: [i64; 91] = {
    const ONE: i128 = 10i128.pow(18);
    let mut sines = [0; 91];
    let mut degrees = 0;
    while degrees < sines.len() {
        let angle = 3_141_592_653_589_793_238 * degrees as i128 / 180;
        // A little more than nothing, for what is rounded off the parts of the series.
        let (mut sum, mut term, mut n) = (10, angle, 1);
        while term != 0 {
            sum += term;
            term = -term * angle / ONE * angle / ONE / ((n + 1) * (n + 2));
            n += 2;
        }
        sines[degrees] = (sum / 1_000_000_000) as i64;
        degrees += 1;
    }
    sines
};

/// The sine of whole degrees from 0 to 450, in thousand millionths.
const fn sine(degrees: i64) -> i64 {
    match (degrees % 360) as usize {
        d @ 0..=90 => SINES[d],
        d @ 91..=180 => SINES[180 - d],
        d @ 181..=270 => -SINES[d - 180],
        d => -SINES[360 - d],
    }
}

/// Vectors in the direction of each whole degree: long enough to tell degrees apart, short enough for exact sums of
/// products with coordinates.
static DIRECTIONS: [[i64; 2]; 360] = {
    let mut all = [[0, 0]; 360];
    let mut degrees = 0;
    while degrees < all.len() {
        let at = degrees as i64;
        all[degrees] = [sine(at + 90) / 1_000, sine(at) / 1_000];
        degrees += 1;
    }
    all
};

/// Maximum length before a multiplication; longer ones are cut off.
const LONGEST: i64 = 1 << 30;

impl Point {
    /// Whether it lies on a table of this width and depth, or on its edge.
    #[inline]
    pub fn is_on_table(self, (wide, deep): (i32, i32)) -> bool {
        (0..=wide).contains(&self.x) && (0..=deep).contains(&self.y)
    }

    /// Returns the distance of another point, rounded up.
    #[inline]
    pub fn distance(self, other: Point) -> Length {
        root_up(self.square(other)) as Length
    }

    /// The square of the distance.
    #[inline]
    fn square(self, other: Point) -> u128 {
        let (dx, dy) = (self.x.abs_diff(other.x), self.y.abs_diff(other.y));
        u128::from(dx).pow(2) + u128::from(dy).pow(2)
    }

    /// The point so far from here on the line to another and beyond, in the other direction where the length
    /// is below 0. It is rounded, and never farther from here than the length. Where the other point is this
    /// one, there is no direction, and it is here.
    #[inline]
    pub fn toward(self, other: Point, length: Length) -> Point {
        let whole = self.square(other);
        if whole == 0 {
            return self;
        }
        let length = length.clamp(-LONGEST, LONGEST);
        let most = u128::from(length.unsigned_abs());
        // Twice what is gone in one direction, rounded down: half of it is rounded to the nearest or down.
        let part = |from: i32, to: i32| {
            let square = 4 * u128::from(from.abs_diff(to)).pow(2) * most.pow(2);
            let square = match (u64::try_from(square), u64::try_from(whole)) {
                (Ok(square), Ok(whole)) => u128::from(square / whole),
                _ => square / whole,
            };
            let twice = root_down(square);
            let sign = if (to < from) == (length < 0) { 1 } else { -1 };
            [twice.div_ceil(2), twice / 2].map(|n| (n.pow(2), sign * n as i64))
        };
        let (right, up) = (part(self.x, other.x), part(self.y, other.y));
        let rounded = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(x, y)| (right[x], up[y]));
        let near = rounded.into_iter().find(|(x, y)| x.0 + y.0 <= most.pow(2));
        near.map_or(self, |(x, y)| self.plus(x.1, y.1))
    }

    /// The point so far from here in a direction: whole degrees from the right, anticlockwise. It is rounded,
    /// and never farther from here than the length.
    #[inline]
    pub fn at_angle(self, degrees: i64, length: Length) -> Point {
        let length = length.clamp(-LONGEST, LONGEST);
        let degrees = degrees.rem_euclid(360);
        let part = |sine: i64| (i128::from(sine) * i128::from(length) / 1_000_000_000) as i64;
        self.plus(part(sine(degrees + 90)), part(sine(degrees)))
    }

    /// The whole degrees from the right, anticlockwise, that lead nearest to another point; 0 where it is this one.
    #[inline]
    pub fn angle(self, other: Point) -> i64 {
        let way = |to: i32, from: i32| i64::from(to) - i64::from(from);
        let (x, y) = (way(other.x, self.x), way(other.y, self.y));
        // The degree whose direction goes with the way the most: the sum is longest along it.
        let along = |(_, to): &(i64, &[i64; 2])| std::cmp::Reverse(x * to[0] + y * to[1]);
        let nearest = (0..).zip(&DIRECTIONS).min_by_key(along);
        nearest.map_or(0, |(degrees, _)| degrees)
    }

    /// Returns this point rotated around another by `degrees` anticlockwise; rounded.
    #[inline]
    pub fn turned(self, middle: Point, degrees: i64) -> Point {
        // Of what is far away the direction is enough.
        let part = |degrees: i64, length: i32, from: i32| {
            let length = i64::from(length) - i64::from(from);
            Point::default().at_angle(degrees, length)
        };
        let (x, y) = (
            part(degrees, self.x, middle.x),
            part(degrees + 90, self.y, middle.y),
        );
        middle.plus(i64::from(x.x) + i64::from(y.x), i64::from(x.y) + i64::from(y.y))
    }

    /// The point so far to the right and up; as far as there are numbers.
    #[inline]
    pub fn plus(self, right: i64, up: i64) -> Point {
        let add = |from: i32, by: i64| {
            let sum = i64::from(from).saturating_add(by);
            sum.clamp(i32::MIN.into(), i32::MAX.into()) as i32
        };
        Point {
            x: add(self.x, right),
            y: add(self.y, up),
        }
    }
}

impl Base {
    /// Returns the distance of another base, edge to edge, rounded up; below 0 where they overlap by a thousandth or
    /// more.
    ///
    /// Rounded up, `gap <= length` says exactly whether the real gap is within a length: what scripts compare
    /// is what decides.
    #[inline]
    pub fn gap(self, other: Base) -> Length {
        let far = (Vector::from(other.at) - self.at.into()).square();
        halved_up(root_up(far as u128) as i64 - self.half() - other.half())
    }

    /// Whether another base is at most so far, edge to edge.
    #[inline]
    pub fn is_within(self, other: Base, length: Length) -> bool {
        self.gap(other) <= length
    }

    /// Whether two bases share more than a point, by however little.
    #[inline]
    pub fn overlaps(self, other: Base) -> bool {
        let far = (Vector::from(other.at) - self.at.into()).square();
        far < (self.half() + other.half()).pow(2)
    }

    /// Whether all of the base lies on a table of this width and depth.
    #[inline]
    pub fn is_on_table(self, table: (i32, i32)) -> bool {
        let (middle, radius) = (Vector::from(self.at), self.radius());
        let inside = |at: i64, size: i32| radius <= at && at <= 2 * i64::from(size.min(FARTHEST)) - radius;
        inside(middle.x, table.0) && inside(middle.y, table.1)
    }

    /// Returns the area that it sweeps on the straight way to a point.
    #[inline]
    pub fn sweep(self, to: Point) -> SweptArea {
        SweptArea {
            from: self.at.into(),
            to: to.into(),
            radius: self.half(),
        }
    }

    /// From its middle to its edge in half thousandths: what decides. A spot is nothing wide.
    #[inline]
    pub fn half(self) -> i64 {
        self.diameter.clamp(0, FARTHEST).into()
    }

    /// The same where ways and looks are planned, which nothing without any width could bar.
    #[inline]
    pub fn radius(self) -> i64 {
        across(self.diameter)
    }
}

/// A diameter in thousandths is a radius in half thousandths.
#[inline]
pub fn across(diameter: i32) -> i64 {
    diameter.clamp(1, FARTHEST).into()
}

/// Half of a number, rounded up.
#[inline]
pub fn halved_up(n: i64) -> i64 {
    (n + 1).div_euclid(2)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{any_base, any_point, base};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn gaps_run_from_edge_to_edge_rounded_up() {
        let of = |x, y, diameter| base(x, y, diameter);
        assert_eq!(of(0, 0, 10).gap(of(30, 0, 10)), 20);
        assert_eq!(of(0, 0, 11).gap(of(30, 0, 10)), 20, "19.5");
        assert_eq!(of(0, 0, 10).gap(of(20, 20, 10)), 19, "18.28");
        assert_eq!(of(0, 0, 10).gap(of(3, 4, 10)), -5);
        assert_eq!(of(0, 0, 0).gap(of(3, 4, 0)), 5, "spots are nothing wide");
        assert_eq!(of(0, 0, 0).gap(of(30, 0, 11)), 25, "24.5");
        assert!(
            of(0, 0, 10).overlaps(of(7, 7, 10)) && of(0, 0, 10).gap(of(7, 7, 10)) == 0,
            "-0.1"
        );
        assert!(!of(0, 0, 10).overlaps(of(6, 8, 10)) && of(0, 0, 10).is_within(of(6, 8, 10), 0));
    }

    #[test]
    fn sines_are_those_of_the_circle() {
        for (degrees, sine) in SINES.iter().enumerate() {
            let real = (degrees as f64).to_radians().sin() * 1e9;
            assert!((real - *sine as f64 - 0.5).abs() <= 0.500_001, "{degrees}");
        }
        assert_eq!((SINES[30], SINES[90]), (500_000_000, 1_000_000_000));
        assert_eq!(SINES.iter().sum::<i64>(), 57_794_325_024);
    }

    #[test]
    fn degrees_are_counted_from_the_right_anticlockwise() {
        let to = |degrees, length| Point { x: 10, y: 20 }.at_angle(degrees, length);
        let ends = [
            (0, (110, 20)),
            (90, (10, 120)),
            (180, (-90, 20)),
            (270, (10, -80)),
            (30, (96, 70)),
        ];
        for (degrees, (x, y)) in ends {
            assert_eq!(to(degrees, 100), Point { x, y }, "{degrees}");
            assert_eq!(to(degrees - 720, 100), Point { x, y }, "{degrees}");
            assert_eq!(to(degrees + 180, -100), Point { x, y }, "{degrees}");
        }
    }

    proptest! {
        #[test]
        fn gaps_are_the_same_from_both_sides_and_decide(
            a in any_base(), b in any_base(), length in -100i64..200_000,
        ) {
            prop_assert_eq!(a.gap(b), b.gap(a));
            prop_assert_eq!(a.overlaps(b), b.overlaps(a));
            // The real gap is at most a length: the same on squares.
            let both = a.half() + b.half() + 2 * length;
            let square = (Vector::from(a.at) - Vector::from(b.at)).square();
            prop_assert_eq!(a.is_within(b, length), both >= 0 && square <= both * both);
            prop_assert!(!a.overlaps(b) || a.gap(b) <= 0);
            prop_assert!(a.overlaps(b) || a.gap(b) >= 0);
        }

        #[test]
        fn nobody_goes_farther_than_allowed_nor_aside(
            from in any_point(), to in any_point(), length in -3_000_000i64..3_000_000,
        ) {
            let there = from.toward(to, length);
            prop_assert!(from.distance(there) <= length.abs());
            let on_a_table = |n: i32| (-10_000_000..10_000_000).contains(&n);
            if from != to && on_a_table(from.x) && on_a_table(from.y) {
                let (dx, dy) = (f64::from(to.x) - f64::from(from.x), f64::from(to.y) - f64::from(from.y));
                let part = length as f64 / dx.hypot(dy);
                prop_assert!((f64::from(there.x) - f64::from(from.x) - dx * part).abs() < 1.0001);
                prop_assert!((f64::from(there.y) - f64::from(from.y) - dy * part).abs() < 1.0001);
            }
        }

        #[test]
        fn whoever_goes_all_the_way_arrives(from in any_point(), to in any_point()) {
            let far = from.distance(to);
            if far <= LONGEST && from.square(to) == (far as u128).pow(2) {
                prop_assert_eq!(from.toward(to, far), to);
            }
            prop_assert!(from.at_angle(far, far).distance(from) <= far);
        }

        #[test]
        fn an_angle_leads_nearest(from: (i32, i32), to: (i32, i32)) {
            let ([from, to], far) = ([from, to].map(|(x, y)| Point { x, y }), 1_000_000);
            let along = |degrees: i64| {
                let way = Point::default().at_angle(degrees, far);
                let part = |from: i32, to: i32, way: i32| (i128::from(to) - i128::from(from)) * i128::from(way);
                part(from.x, to.x, way.x) + part(from.y, to.y, way.y)
            };
            let most = (0..360).map(along).max();
            prop_assert_eq!((0..360).find(|n| Some(along(*n)) == most), Some(from.angle(to)));
        }

        #[test]
        fn no_number_is_too_large(
            from: (i32, i32), to: (i32, i32), length: i64, degrees: i64, across: (i32, i32),
        ) {
            let point = |(x, y)| Point { x, y };
            let (a, b) = (base(from.0, from.1, across.0), base(to.0, to.1, across.1));
            point(from).toward(point(to), length);
            point(from).at_angle(degrees, length);
            prop_assert_eq!(a.gap(b), b.gap(a));
            prop_assert_eq!(a.overlaps(b), b.overlaps(a));
            a.is_on_table(to);
        }
    }
}
