//! Visibility of a base from a point: rays from the point to all of the base, from one outermost tangent to the other.
//! A ray is free when it comes to the edge of the base and leads through nothing before.
//!
//! The directions at which anything changes are tangents, corners, and where outlines meet or touch the edge of
//! the target. They are whole numbers of 37 bits, those of tangents rounded; between two neighbours one ray
//! stands for all. A slit or a graze counts as none when it is narrower than one part in 2^32 of the
//! distance: below a hundredth of a thousandth at the far end of the largest table. So what just touches
//! leaves no slit, and what is just grazed hides nothing. What begins where the base begins hides it.

use super::exact::{SweptArea, Vector, edges};
use super::scene::Obstacle;
use super::{Base, Point, across};
use super::{Outline, Shape};

/// Visible part of a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sight {
    /// All of it.
    Free,
    /// Some of it.
    Partly,
    /// Nothing.
    Hidden,
}

/// Returns the visible part of a base from a point past pieces and bases. The bases must not include the viewer and the
/// target. A viewer within a piece sees nothing outside it, so that piece may be left out as well.
pub fn sight(from: Point, to: Base, shapes: &[Shape], bases: &[Base]) -> Sight {
    sight_by(from, to, shapes, bases).0
}

/// The same, and what hides some of the base.
pub fn sight_by(from: Point, to: Base, shapes: &[Shape], bases: &[Base]) -> (Sight, Vec<Obstacle>) {
    let eye = Vector::from(from);
    let target = SightDisc {
        middle: Vector::from(to.at) - eye,
        radius: to.radius(),
    };
    let Some([first, last]) = target.tangents() else {
        return (Sight::Free, Vec::new());
    };
    let sweep = SweptArea {
        from: eye,
        to: to.at.into(),
        radius: to.radius(),
    };
    let mut rays = vec![first, last];
    let mut push = |ray: Ray| {
        if first.turn(ray) > 0 && ray.turn(last) > 0 {
            rays.push(ray);
        }
    };
    let mut screens = Vec::new();
    let mut round = |by: Obstacle, at: Point, diameter: i32| {
        let (middle, radius) = (Vector::from(at), across(diameter));
        if sweep.meets(middle, radius) {
            let round = SightDisc {
                middle: middle - eye,
                radius,
            };
            round.tangents().into_iter().flatten().for_each(&mut push);
            target
                .meets_round(round)
                .into_iter()
                .flatten()
                .for_each(&mut push);
            screens.push((by, SightBlocker::Round(round)));
        }
    };
    for (index, base) in bases.iter().enumerate() {
        round(Obstacle::Base(index), base.at, base.diameter);
    }
    for (index, shape) in shapes.iter().enumerate() {
        if let Shape::Disc { at, diameter } = shape {
            round(Obstacle::Shape(index), *at, *diameter);
        }
    }
    for (index, shape) in shapes.iter().enumerate() {
        if let Shape::Polygon(outline) = shape
            && shape.meets(&sweep)
        {
            for (a, b) in edges(outline) {
                push(Ray::new((b - eye).x.into(), (b - eye).y.into()));
                target
                    .meets_edge(a - eye, b - eye)
                    .into_iter()
                    .flatten()
                    .for_each(&mut push);
            }
            screens.push((Obstacle::Shape(index), SightBlocker::Edges(outline, eye)));
        }
    }
    if screens.is_empty() {
        return (Sight::Free, Vec::new());
    }
    rays.sort_by(|a, b| b.turn(*a).cmp(&0));
    let (mut free, mut by) = (false, Vec::new());
    for pair in rays.windows(2) {
        if pair[0].is_beside(pair[1]) {
            continue;
        }
        let ray = pair[0].middle(pair[1]);
        let end = target.far_along(ray).unwrap_or(i128::MAX);
        let before = by.len();
        by.extend(
            screens
                .iter()
                .filter(|(_, s)| s.hides(ray, end))
                .map(|(by, _)| *by),
        );
        free |= by.len() == before;
    }
    by.sort();
    by.dedup();
    let sight = match (free, by.is_empty()) {
        (_, true) => Sight::Free,
        (true, false) => Sight::Partly,
        (false, false) => Sight::Hidden,
    };
    (sight, by)
}

/// A direction, the larger of whose parts has 37 bits.
#[derive(Debug, Clone, Copy)]
struct Ray {
    x: i128,
    y: i128,
}

impl Ray {
    const BITS: i32 = 37;

    fn new(x: i128, y: i128) -> Ray {
        Self::sized(x, y, Self::BITS)
    }

    fn sized(x: i128, y: i128, bits: i32) -> Ray {
        let largest = x.unsigned_abs().max(y.unsigned_abs()).max(1);
        let over = largest.ilog2() as i32 + 1 - bits;
        let scaled = |n: i128| match over > 0 {
            true => n >> over,
            false => n << -over,
        };
        Ray {
            x: scaled(x),
            y: scaled(y),
        }
    }

    /// Above 0 where the other lies to the left.
    fn turn(self, other: Ray) -> i128 {
        self.x * other.y - self.y * other.x
    }

    /// Whether what lies between two is too narrow to count.
    fn is_beside(self, other: Ray) -> bool {
        let along = self.x * other.x + self.y * other.y;
        self.turn(other).abs() <= along >> 32
    }

    /// One between two, of 35 bits: squares of its products with coordinates fit.
    fn middle(self, other: Ray) -> Ray {
        Self::sized(self.x + other.x, self.y + other.y, 35)
    }

    fn dot(self, v: Vector) -> i128 {
        self.x * i128::from(v.x) + self.y * i128::from(v.y)
    }

    fn cross(self, v: Vector) -> i128 {
        self.x * i128::from(v.y) - self.y * i128::from(v.x)
    }

    fn square(self) -> i128 {
        self.x * self.x + self.y * self.y
    }

    fn length(self) -> i128 {
        self.square().isqrt()
    }
}

/// Number of bits by which distances along a ray are finer than half thousandths: in 2,048ths of a thousandth.
const FINE: u32 = 10;

/// A disc, as seen from the eye.
#[derive(Debug, Clone, Copy)]
struct SightDisc {
    middle: Vector,
    radius: i64,
}

impl SightDisc {
    /// The square of the length of the tangents; below 0 from inside.
    fn power(self) -> i128 {
        i128::from(self.middle.square() - self.radius * self.radius)
    }

    /// The tangents, the right one first; none from inside or from the edge.
    fn tangents(self) -> Option<[Ray; 2]> {
        let power = self.power();
        if power <= 0 {
            return None;
        }
        let (length, radius) = ((power << 60).isqrt(), i128::from(self.radius) << 30);
        let (x, y) = (i128::from(self.middle.x), i128::from(self.middle.y));
        let tangent = |radius: i128| Ray::new(length * x - radius * y, length * y + radius * x);
        Some([tangent(-radius), tangent(radius)])
    }

    /// Returns the distance at which the ray reaches its edge: negative from inside, `None` when the ray passes.
    fn far_along(self, ray: Ray) -> Option<i128> {
        let (along, power) = (ray.dot(self.middle), self.power());
        let square = along * along - ray.square() * power;
        if square <= 0 || (power >= 0 && along <= 0) {
            return None;
        }
        Some(((along - square.isqrt()) << FINE) / ray.length())
    }

    /// Rays to where the edges of two discs cross or, as nearly as can be told, touch.
    fn meets_round(self, other: SightDisc) -> Option<[Ray; 2]> {
        let way = other.middle - self.middle;
        let far = i128::from(way.square());
        let (mine, its) = (i128::from(self.radius).pow(2), i128::from(other.radius).pow(2));
        let along = far + mine - its;
        let aside = 4 * far * mine - along * along;
        let touching = 16 * far.isqrt() * i128::from(self.radius) * i128::from(other.radius);
        if far == 0 || aside <= -touching {
            return None;
        }
        let aside = aside.max(0).isqrt();
        let (x, y) = (i128::from(way.x), i128::from(way.y));
        let at = |aside: i128| {
            Ray::new(
                2 * far * i128::from(self.middle.x) + along * x - aside * y,
                2 * far * i128::from(self.middle.y) + along * y + aside * x,
            )
        };
        Some([at(aside), at(-aside)])
    }

    /// Rays to where an edge crosses the edge of the disc or, as nearly as can be told, touches it.
    fn meets_edge(self, a: Vector, b: Vector) -> [Option<Ray>; 2] {
        let (edge, from) = (b - a, a - self.middle);
        let whole = i128::from(edge.square());
        let along = i128::from(edge.dot(from));
        let outside = i128::from(from.square() - self.radius * self.radius);
        let square = along * along - whole * outside;
        if square <= -whole * i128::from(4 * self.radius) {
            return [None; 2];
        }
        let root = square.max(0).isqrt();
        [root, -root].map(|root| {
            let part = root - along;
            let at = |a: i64, edge: i64| i128::from(a) * whole + i128::from(edge) * part;
            (0 <= part && part <= whole).then(|| Ray::new(at(a.x, edge.x), at(a.y, edge.y)))
        })
    }
}

/// Object that may be in front of the target.
enum SightBlocker<'a> {
    Round(SightDisc),
    /// A piece with corners, and the eye.
    Edges(&'a Outline, Vector),
}

impl SightBlocker<'_> {
    /// Whether a ray comes to it no later than to the ray's end.
    fn hides(&self, ray: Ray, end: i128) -> bool {
        match self {
            SightBlocker::Round(round) => round.far_along(ray).is_some_and(|far| far <= end),
            SightBlocker::Edges(outline, eye) => {
                let length = ray.length();
                let mut ahead = 0;
                let hit = edges(outline).any(|(a, b)| {
                    let (a, b) = (a - *eye, b - *eye);
                    if (ray.cross(a) > 0) == (ray.cross(b) > 0) {
                        return false;
                    }
                    let (above, below) = (i128::from(a.cross(b - a)), ray.cross(b - a));
                    // At the eye itself: whoever stands on the edge looks out of the piece or into it.
                    if above.signum() * below.signum() <= 0 {
                        return false;
                    }
                    ahead += 1;
                    ((above * length) << FINE) / below <= end
                });
                // Without an edge before the end, but with an odd number beyond: the eye is inside.
                hit || ahead % 2 == 1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{any_base, any_point, any_shape, base, polygon, times};
    use super::*;
    use proptest::prelude::*;

    fn eye(x: i32, y: i32) -> Point {
        Point { x, y }
    }

    #[test]
    fn a_base_is_seen_beside_behind_and_between_others() {
        let target = base(1_000, 0, 100);
        let visibility = |bases: &[Base]| sight(eye(0, 0), target, &[], bases);
        assert_eq!(visibility(&[]), Sight::Free);
        assert_eq!(visibility(&[base(500, 0, 40)]), Sight::Partly);
        assert_eq!(
            visibility(&[base(500, 0, 50)]),
            Sight::Hidden,
            "both tangents are the same"
        );
        assert_eq!(visibility(&[base(500, 0, 49)]), Sight::Partly);
        assert_eq!(
            visibility(&[base(1_500, 0, 400), base(-500, 0, 400), base(500, 100, 40)]),
            Sight::Free
        );
        // Two that touch leave no slit, by half a thousandth more there is one.
        assert_eq!(
            visibility(&[base(500, 25, 50), base(500, -25, 50)]),
            Sight::Hidden
        );
        assert_eq!(
            visibility(&[base(500, 25, 50), base(500, -25, 49)]),
            Sight::Partly
        );
        // Both touch the line that runs to the right.
        let grazed = |across| sight(eye(0, 0), base(1_000, -50, 100), &[], &[base(500, 25, across)]);
        assert_eq!(grazed(50), Sight::Free, "a graze hides nothing");
        assert_eq!(grazed(51), Sight::Partly);
    }

    #[test]
    fn pieces_hide_what_lies_behind_their_corners() {
        let target = base(1_000, 0, 100);
        let visibility = |corners: &[(i32, i32)]| sight_by(eye(0, 0), target, &[polygon(corners)], &[]);
        assert_eq!(
            visibility(&[(400, 30), (500, 30), (500, -30), (400, -30)]).0,
            Sight::Hidden
        );
        assert_eq!(
            visibility(&[(400, 30), (500, 30), (500, 0), (400, 0)]),
            (Sight::Partly, vec![Obstacle::Shape(0)])
        );
        assert_eq!(
            visibility(&[(400, 90), (500, 90), (500, 60), (400, 60)]),
            (Sight::Free, vec![])
        );
        // Seen through the bay of a piece, and hidden by its far side.
        let bay = [
            (300, 90),
            (700, 90),
            (700, -90),
            (300, -90),
            (300, -80),
            (690, -80),
            (690, 80),
            (300, 80),
        ];
        assert_eq!(visibility(&bay).0, Sight::Hidden);
        let around = [
            (300, 90),
            (1_400, 90),
            (1_400, -90),
            (300, -90),
            (300, -80),
            (1_390, -80),
            (1_390, 80),
            (300, 80),
        ];
        assert_eq!(visibility(&around).0, Sight::Free);
        // A base that stands half in a piece is seen where the ray comes to the base first.
        assert_eq!(
            visibility(&[(1_000, 90), (1_400, 90), (1_400, -90), (1_000, -90)]).0,
            Sight::Free
        );
        assert_eq!(
            visibility(&[(980, 90), (1_400, 90), (1_400, -90), (980, -90)]).0,
            Sight::Partly
        );
        for near in [900, 950] {
            let within = [(near, 90), (1_400, 90), (1_400, -90), (near, -90)];
            assert_eq!(
                visibility(&within).0,
                Sight::Hidden,
                "it touches the edge at 950 from within"
            );
            let round = Shape::Disc {
                at: eye(near + 200, 0),
                diameter: 400,
            };
            assert_eq!(sight(eye(0, 0), target, &[round], &[]), Sight::Hidden);
        }
    }

    #[test]
    fn a_piece_that_ends_where_the_base_ends_hides_it() {
        for (x, y, diameter) in [(1_000, 0, 100), (4_000, 0, 1_000), (777, -311, 35), (63, 950, 2)] {
            let target = base(x, y, diameter);
            let under = |across| {
                let disc = Shape::Disc {
                    at: eye(x, y),
                    diameter: across,
                };
                sight(eye(0, 0), target, &[disc], &[])
            };
            assert_eq!(under(diameter), Sight::Hidden);
            assert_eq!(under(diameter + 1), Sight::Hidden);
            assert_eq!(
                under(diameter - 1),
                Sight::Free,
                "the base reaches out on all sides"
            );
        }
    }

    #[test]
    fn whoever_stands_in_a_piece_sees_nothing_and_at_its_edge_what_is_outside() {
        let square = [polygon(&[(-50, -50), (50, -50), (50, 50), (-50, 50)])];
        let visibility = |from, to| sight(from, to, &square, &[]);
        assert_eq!(visibility(eye(0, 0), base(1_000, 0, 100)), Sight::Hidden);
        assert_eq!(
            visibility(eye(0, 0), base(20, 0, 10)),
            Sight::Hidden,
            "inside of it as well"
        );
        assert_eq!(visibility(eye(50, 0), base(1_000, 0, 100)), Sight::Free);
        assert_eq!(visibility(eye(50, 0), base(-1_000, 0, 100)), Sight::Hidden);
        assert_eq!(visibility(eye(50, 0), base(0, 0, 10)), Sight::Hidden);
        assert_eq!(visibility(eye(50, 0), base(50, 1_000, 100)), Sight::Partly);
        assert_eq!(visibility(eye(50, 50), base(1_000, 1_000, 100)), Sight::Free);
        assert_eq!(
            visibility(eye(0, 0), base(0, 0, 100)),
            Sight::Free,
            "its own base"
        );
    }

    /// Of so many rays, how many are blocked, by floats.
    fn blocked(from: Point, to: Base, shapes: &[Shape], bases: &[Base], rays: i32) -> i32 {
        // Whoever stands on an edge is neither before it nor behind it; floats would say one or the other.
        const NEXT_TO_NOTHING: f64 = 1e-6;
        let real = |p: Point| {
            (
                f64::from(p.x) - f64::from(from.x),
                f64::from(p.y) - f64::from(from.y),
            )
        };
        let (x, y) = real(to.at);
        let (far, radius) = (x.hypot(y), f64::from(to.diameter) / 2.0);
        let half = (radius / far).asin();
        let round = |(w, z): (f64, f64), at: Point, radius: f64| {
            let (x, y) = real(at);
            let (along, aside) = (x * w + y * z, x * z - y * w);
            let inside = radius * radius - aside * aside;
            let entry = along - inside.max(0.0).sqrt();
            (inside > 0.0 && along + inside.sqrt() > NEXT_TO_NOTHING).then_some(entry)
        };
        let is_blocked = |n: i32| {
            let angle = y.atan2(x) + half * (f64::from(2 * n + 1) / f64::from(rays) - 1.0);
            let ray = (angle.cos(), angle.sin());
            let end = round(ray, to.at, radius).unwrap_or(far);
            let discs = bases.iter().map(|b| (b.at, b.diameter));
            let round_pieces = shapes.iter().filter_map(|s| match s {
                Shape::Disc { at, diameter } => Some((*at, *diameter)),
                Shape::Polygon(_) => None,
            });
            let hidden = discs
                .chain(round_pieces)
                .any(|(at, d)| round(ray, at, f64::from(d) / 2.0).is_some_and(|entry| entry <= end));
            hidden
                || shapes.iter().any(|shape| match shape {
                    Shape::Disc { .. } => false,
                    Shape::Polygon(corners) => {
                        let mut inside = false;
                        let mut hit = false;
                        for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                            let (a, b) = (real(*a), real(*b));
                            let side = |p: (f64, f64)| ray.0 * p.1 - ray.1 * p.0;
                            if (side(a) > 0.0) != (side(b) > 0.0) {
                                let part = side(a) / (side(a) - side(b));
                                let at = (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part);
                                let along = at.0 * ray.0 + at.1 * ray.1;
                                inside ^= along > NEXT_TO_NOTHING;
                                hit |= NEXT_TO_NOTHING < along && along <= end;
                            }
                        }
                        hit || inside
                    }
                })
        };
        (0..rays).filter(|n| is_blocked(*n)).count() as i32
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(times(20_000) as u32))]

        #[test]
        fn sight_is_what_many_rays_say(
            from in (0..2_000, 0..2_000), to in (0..2_000, 0..2_000, 1..400),
            shapes in prop::collection::vec(any_shape(2_000), 0..4),
            bases in prop::collection::vec((0..2_000, 0..2_000, 1..300), 0..4),
        ) {
            let (from, to) = (eye(from.0, from.1), base(to.0, to.1, to.2));
            let bases: Vec<Base> = bases.into_iter().map(|(x, y, d)| base(x, y, d)).collect();
            prop_assume!(2 * from.distance(to.at) > i64::from(to.diameter) + 4);
            let (visibility, by) = sight_by(from, to, &shapes, &bases);
            let rays = 1_000;
            let blocked = blocked(from, to, &shapes, &bases, rays);
            prop_assert_eq!(by.is_empty(), visibility == Sight::Free);
            match visibility {
                Sight::Free => prop_assert_eq!(blocked, 0),
                Sight::Hidden => prop_assert_eq!(blocked, rays),
                // What is narrower than a few rays may lie between them.
                Sight::Partly => {}
            }
            if blocked > 0 && blocked < rays {
                prop_assert_eq!(visibility, Sight::Partly);
            }
            // Whoever is said to hide something does: without the others some is hidden still.
            for one in by {
                let alone = match one {
                    Obstacle::Shape(i) => sight(from, to, &shapes[i..=i], &[]),
                    Obstacle::Base(i) => sight(from, to, &[], &bases[i..=i]),
                    Obstacle::Edge => Sight::Free,
                };
                prop_assert!(alone != Sight::Free, "{one:?}");
            }
        }

        #[test]
        fn more_in_the_way_never_shows_more(
            from in (0..60, 0..60), to in (0..60, 0..60, 1..20),
            shape in any_shape(60), other in any_shape(60),
        ) {
            let (from, to) = (eye(from.0, from.1), base(to.0, to.1, to.2));
            let both = [shape, other];
            let (one, all) = (sight(from, to, &both[..1], &[]), sight(from, to, &both, &[]));
            prop_assert!(one <= all, "{one:?} {all:?}");
            let turned = [both[1].clone(), both[0].clone()];
            prop_assert_eq!(sight(from, to, &turned, &[]), all);
        }

        #[test]
        fn nothing_is_too_large_to_be_seen(
            from in any_point(), to in any_base(), bases in prop::collection::vec(any_base(), 0..4),
            corners in prop::collection::vec(any_point(), 3..6), at in any_point(), diameter: i32,
        ) {
            let mut shapes = vec![Shape::Disc { at, diameter }];
            shapes.extend(Shape::polygon(&corners));
            sight(from, to, &shapes, &bases);
        }
    }
}
