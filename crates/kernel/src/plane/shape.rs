//! Pieces of terrain.

use super::exact::{SweptArea, Vector, edges, far_from_line, is_inside, is_near, leads_through};
use super::point::{Base, FARTHEST, Length, Point, across, halved_up};
use std::ops::Deref;
use std::sync::Arc;

/// A piece of terrain, as seen from above.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A round one.
    Disc {
        /// Its middle.
        at: Point,
        /// From edge to edge.
        diameter: i32,
    },
    /// One with corners: [`Shape::polygon`] makes it.
    Polygon(Outline),
}

/// The corners of a piece, in the order in which they were given, clockwise or anticlockwise: three or more,
/// with area, no two edges of which touch but neighbours at their corner.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Outline {
    corners: Arc<[Point]>,
    /// The lower left and the upper right corner of the box around it.
    around: [Point; 2],
}

impl Deref for Outline {
    type Target = [Point];
    #[inline]
    fn deref(&self) -> &[Point] {
        &self.corners
    }
}

/// Why corners are no outline; corners and edges are counted from 0, an edge by the corner that it begins at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutlineError {
    /// Fewer than three.
    Few(usize),
    /// More than [`Shape::CORNERS`].
    Many(usize),
    /// This one lies farther out than [`FARTHEST`].
    Far(usize),
    /// Two corners in a row are the same point.
    Twice(usize, usize),
    /// All corners lie on one line.
    Flat,
    /// Two edges cross, touch, or run back on each other.
    Crossing(usize, usize),
}

impl Shape {
    /// Returns the number of corners to check; a disc takes as long as four.
    #[inline]
    pub fn corners(&self) -> usize {
        match self {
            Shape::Disc { .. } => 4,
            Shape::Polygon(outline) => outline.len(),
        }
    }

    /// Maximum number of corners of a polygon.
    pub const CORNERS: usize = 256;

    /// A piece with these corners, clockwise or anticlockwise.
    ///
    /// # Errors
    ///
    /// Why they are no outline.
    #[inline]
    pub fn polygon(corners: &[Point]) -> Result<Shape, OutlineError> {
        let count = corners.len();
        match count {
            0..3 => return Err(OutlineError::Few(count)),
            3..=Self::CORNERS => {}
            _ => return Err(OutlineError::Many(count)),
        }
        let inside = |n: i32| (-FARTHEST..=FARTHEST).contains(&n);
        if let Some(far) = corners.iter().position(|p| !inside(p.x) || !inside(p.y)) {
            return Err(OutlineError::Far(far));
        }
        let at = |index: usize| Vector::from(corners[index % count]);
        if let Some(twice) = (0..count).find(|&i| at(i) == at(i + 1)) {
            return Err(OutlineError::Twice(twice, (twice + 1) % count));
        }
        if (2..count).all(|i| (at(1) - at(0)).cross(at(i) - at(0)) == 0) {
            return Err(OutlineError::Flat);
        }
        for first in 0..count {
            let (a, b, c) = (at(first), at(first + 1), at(first + 2));
            if (b - a).cross(c - b) == 0 && (b - a).dot(c - b) < 0 {
                return Err(OutlineError::Crossing(first, (first + 1) % count));
            }
            // The last edge is a neighbour of the first.
            let last = if first == 0 { count - 1 } else { count };
            if let Some(second) = (first + 2..last).find(|&i| share_a_point(a, b, at(i), at(i + 1))) {
                return Err(OutlineError::Crossing(first, second));
            }
        }
        let of = |pick: fn(i32, i32) -> i32| {
            let both = corners.iter().copied().reduce(|a, b| Point {
                x: pick(a.x, b.x),
                y: pick(a.y, b.y),
            });
            both.unwrap_or_default()
        };
        Ok(Shape::Polygon(Outline {
            corners: corners.into(),
            around: [of(i32::min), of(i32::max)],
        }))
    }

    /// Returns the distance of a base's edge from the piece, rounded up; below 0 where it overlaps by a thousandth or
    /// more.
    #[inline]
    pub fn gap(&self, base: Base) -> Length {
        match self {
            Shape::Disc { at, diameter } => base.gap(Base {
                at: *at,
                diameter: *diameter,
            }),
            Shape::Polygon(corners) => {
                let middle = Vector::from(base.at);
                let far = edges(corners).map(|(a, b)| far_from_line(middle, a, b)).min();
                let (down, up) = far.unwrap_or_default();
                let far = if is_inside(middle, corners) { -down } else { up };
                halved_up(far - base.half())
            }
        }
    }

    /// Whether any of it lies on a table of this size.
    #[inline]
    pub fn is_on_table(&self, (wide, deep): (i32, i32)) -> bool {
        let corners = [(0, 0), (wide, 0), (wide, deep), (0, deep)].map(|(x, y)| Point { x, y });
        let is_on = |&at: &Point| Base { at, diameter: 0 }.is_on_table((wide, deep));
        let begins = match self {
            Shape::Disc { at, .. } => is_on(at),
            // One that reaches from edge to edge has all its corners there.
            Shape::Polygon(outline) => {
                outline.iter().any(is_on) || outline.iter().all(|at| at.is_on_table((wide, deep)))
            }
        };
        begins || (0..4).any(|n| self.is_crossed(corners[n], corners[(n + 1) % 4]))
    }

    /// The middle of the piece, or of the box around it.
    #[inline]
    pub fn middle(&self) -> Point {
        match self {
            Shape::Disc { at, .. } => *at,
            Shape::Polygon(corners) => {
                let [low, high] = corners.around;
                let between = |a: i32, b: i32| ((i64::from(a) + i64::from(b)) / 2) as i32;
                Point {
                    x: between(low.x, high.x),
                    y: between(low.y, high.y),
                }
            }
        }
    }

    /// Its corners; of a round one where it ends to the left, right, below and above.
    #[inline]
    pub fn ends(&self) -> Vec<Point> {
        match self {
            Shape::Disc { at, diameter } => {
                let far = i64::from(*diameter + 1).div_euclid(2);
                [(-far, 0), (far, 0), (0, -far), (0, far)]
                    .map(|(x, y)| at.plus(x, y))
                    .into()
            }
            Shape::Polygon(outline) => outline.to_vec(),
        }
    }

    /// Whether a point lies within it; at its edge it does not.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.is_crossed(point, point)
    }

    /// Whether the straight line from one point to another leads through it. Going along its edge is not.
    #[inline]
    pub fn is_crossed(&self, from: Point, to: Point) -> bool {
        let (from, to) = (Vector::from(from), Vector::from(to));
        match self {
            Shape::Disc { at, diameter } => is_near(Vector::from(*at), from, to, across(*diameter)),
            Shape::Polygon(corners) => leads_through(from, to, corners),
        }
    }

    /// Whether a sweep leads over it.
    #[inline]
    pub fn meets(&self, sweep: &SweptArea) -> bool {
        match self {
            Shape::Disc { at, diameter } => sweep.meets(Vector::from(*at), across(*diameter)),
            Shape::Polygon(outline) => {
                let [low, high] = outline.around();
                sweep.may_meet(low, high, sweep.radius)
                    && (edges(outline).any(|(a, b)| sweep.meets_edge(a, b)) || is_inside(sweep.from, outline))
            }
        }
    }
}

impl Outline {
    /// The box around it.
    #[inline]
    pub fn around(&self) -> [Vector; 2] {
        self.around.map(Vector::from)
    }
}

/// Whether two lines have a point in common, be it an end.
#[inline]
fn share_a_point(a: Vector, b: Vector, c: Vector, d: Vector) -> bool {
    let side = |from: Vector, to: Vector, point: Vector| (to - from).cross(point - from).signum();
    let (sc, sd, sa, sb) = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b));
    let on =
        |side: i64, from: Vector, to: Vector, point: Vector| side == 0 && (from - point).dot(to - point) <= 0;
    (sc * sd < 0 && sa * sb < 0) || on(sc, a, b, c) || on(sd, a, b, d) || on(sa, c, d, a) || on(sb, c, d, b)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{any_point, any_shape, base, far, points, polygon};
    use super::*;
    use proptest::prelude::*;

    const SQUARE: [(i32, i32); 4] = [(10, 10), (50, 10), (50, 50), (10, 50)];

    #[test]
    fn what_reaches_from_edge_to_edge_lies_on_the_table_and_what_touches_it_does_not() {
        let lies = |corners: &[(i32, i32)]| polygon(corners).is_on_table((60, 60));
        assert!(lies(&[(0, 20), (60, 20), (60, 40), (0, 40)]));
        assert!(lies(&[(0, 0), (60, 0), (60, 60)]));
        assert!(!lies(&[(-20, 0), (0, 0), (0, 60), (-20, 60)]));
        assert!(!lies(&[(60, 0), (80, 0), (80, 60)]));
    }

    #[test]
    fn what_is_no_outline_is_refused_with_the_corners_at_fault() {
        let refused = |corners: &[(i32, i32)]| Shape::polygon(&points(corners)).expect_err("no outline");
        assert_eq!(refused(&[(0, 0), (1, 1)]), OutlineError::Few(2));
        assert_eq!(refused(&vec![(0, 0); 257]), OutlineError::Many(257));
        assert_eq!(refused(&[(0, 0), (9, 0), (i32::MAX, 9)]), OutlineError::Far(2));
        assert_eq!(
            refused(&[(0, 0), (9, 0), (9, 9), (0, 0)]),
            OutlineError::Twice(3, 0)
        );
        assert_eq!(refused(&[(0, 0), (9, 9), (3, 3), (5, 5)]), OutlineError::Flat);
        assert_eq!(
            refused(&[(0, 0), (9, 9), (9, 0), (0, 9)]),
            OutlineError::Crossing(0, 2)
        );
        // A corner on another edge, and a spike that runs back on itself.
        assert_eq!(
            refused(&[(0, 0), (9, 0), (9, 9), (4, 0), (0, 9)]),
            OutlineError::Crossing(0, 2)
        );
        assert_eq!(
            refused(&[(0, 0), (9, 0), (4, 0), (4, 9)]),
            OutlineError::Crossing(0, 1)
        );
        assert_eq!(
            refused(&[(4, 0), (0, 0), (9, 0), (4, 9)]),
            OutlineError::Crossing(0, 1)
        );
        assert_eq!(
            refused(&[(9, 0), (4, 9), (4, 0), (0, 0)]),
            OutlineError::Crossing(1, 3)
        );
    }

    #[test]
    fn outlines_turn_either_way_and_may_have_bays_and_corners_on_edges() {
        let mut back = SQUARE;
        back.reverse();
        let (one, other) = (polygon(&SQUARE), polygon(&back));
        for shape in [one, other] {
            assert_eq!(shape.gap(base(0, 30, 10)), 5);
            assert_eq!(shape.gap(base(30, 30, 10)), -25);
            assert!(shape.contains(Point { x: 30, y: 30 }) && !shape.contains(Point { x: 10, y: 30 }));
        }
        polygon(&[(0, 0), (5, 0), (10, 0), (10, 10), (5, 2), (0, 10)]);
    }

    #[test]
    fn a_line_along_an_edge_or_through_a_corner_leads_through_nothing() {
        let square = polygon(&SQUARE);
        let crossed = |a: (i32, i32), b: (i32, i32)| {
            let (a, b) = (Point { x: a.0, y: a.1 }, Point { x: b.0, y: b.1 });
            assert_eq!(square.is_crossed(a, b), square.is_crossed(b, a));
            square.is_crossed(a, b)
        };
        assert!(crossed((0, 30), (90, 30)) && crossed((0, 0), (60, 60)) && crossed((20, 20), (30, 30)));
        assert!(crossed((10, 30), (50, 30)), "from edge to edge");
        assert!(crossed((10, 10), (50, 50)), "from corner to corner");
        assert!(!crossed((0, 10), (90, 10)) && !crossed((0, 20), (20, 0)) && !crossed((0, 30), (10, 30)));
        // Along an edge of one part, then of another on the other side.
        let zigzag = polygon(&[
            (0, 0),
            (10, 0),
            (10, 10),
            (20, 10),
            (20, 20),
            (30, 20),
            (30, 30),
            (0, 30),
        ]);
        assert!(zigzag.is_crossed(Point { x: 0, y: 10 }, Point { x: 20, y: 10 }));
        let teeth = polygon(&[
            (0, -9),
            (10, -9),
            (10, 0),
            (20, 0),
            (20, 9),
            (30, 9),
            (30, 20),
            (40, 20),
            (40, -20),
            (0, -20),
        ]);
        assert!(!teeth.is_crossed(Point { x: 10, y: 0 }, Point { x: 10, y: 9 }));
        assert!(teeth.is_crossed(Point { x: 10, y: 0 }, Point { x: 21, y: 0 }));
    }

    proptest! {
        #[test]
        fn gaps_are_those_of_floats(
            shape in any_shape(2_000), at in (0..2_000, 0..2_000), diameter in 1..300,
        ) {
            let base = base(at.0, at.1, diameter);
            let real = far((f64::from(at.0), f64::from(at.1)), &shape) - f64::from(diameter) / 2.0;
            let gap = shape.gap(base);
            prop_assert!(gap as f64 >= real - 1e-6 && (gap as f64) < real + 2.0, "{gap} {real}");
            if real.abs() > 1e-6 {
                prop_assert_eq!(shape.meets(&base.sweep(base.at)), real < 0.0);
            }
            prop_assert!(shape.meets(&base.sweep(base.at)) == (gap < 0) || gap == 0);
        }

        #[test]
        fn a_line_leads_through_a_shape_when_some_of_its_points_lie_within(
            shape in any_shape(200), a in (0..200, 0..200), b in (0..200, 0..200),
        ) {
            let crossed = shape.is_crossed(Point { x: a.0, y: a.1 }, Point { x: b.0, y: b.1 });
            let deepest = (0..=2_000).map(|n| {
                let part = f64::from(n) / 2_000.0;
                let at = |a: i32, b: i32| f64::from(a) + f64::from(b - a) * part;
                far((at(a.0, b.0), at(a.1, b.1)), &shape)
            });
            let deepest = deepest.fold(f64::MAX, f64::min);
            // Nearer than half a step of the sample says nothing.
            prop_assert!(deepest.abs() < 0.08 || crossed == (deepest < 0.0), "{deepest}");
        }

        #[test]
        fn no_shape_is_too_large(
            points in prop::collection::vec(any_point(), 0..9),
            a in any_point(), b in any_point(), diameter: i32,
        ) {
            let disc = Some(Shape::Disc { at: a, diameter });
            for shape in disc.into_iter().chain(Shape::polygon(&points)) {
                prop_assert_eq!(shape.is_crossed(a, b), shape.is_crossed(b, a));
                let base = Base { at: b, diameter };
                prop_assert!(shape.gap(base) <= 0 || !shape.meets(&base.sweep(base.at)));
                shape.contains(a);
            }
        }
    }
}
