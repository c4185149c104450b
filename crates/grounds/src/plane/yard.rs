//! Obstacles for a walking base, as discs to go around and lines not to cross.

use super::Shape;
use super::exact::edges;
use super::real::{Real, turned};
use super::scene::Obstacles;
use super::{Base, Length, Point};

/// Planned clearance between a walking base and everything else, in thousandths.
pub(super) const CLEAR: f64 = 2.0;

/// Upper bound of errors by float arithmetic, in thousandths; real errors are far smaller.
const SLACK: f64 = 0.05;

/// A disc that the way goes around: its edge is where the middle of whoever walks goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct ObstacleDisc {
    pub(super) middle: Real,
    pub(super) radius: f64,
    /// Around a corner one goes from the first of these directions to the second, anticlockwise.
    pub(super) arc: Option<[Real; 2]>,
}

impl ObstacleDisc {
    pub(super) fn allows(&self, direction: Real) -> bool {
        let allowed = |[first, last]: [Real; 2]| {
            first.cross(direction) > -1e-7
                && direction.cross(last) > -1e-7
                && direction.dot(first + last) > 0.0
        };
        self.arc.is_none_or(allowed)
    }
}

/// An edge of a piece: whoever walks stays to its right.
#[derive(Debug, Clone, Copy)]
pub(super) struct ObstacleEdge {
    pub(super) from: Real,
    pub(super) to: Real,
    /// Away from the piece.
    pub(super) out: Real,
}

/// Obstacles for a walking base, grown by its radius.
#[derive(Debug)]
pub(super) struct Yard {
    pub(super) rounds: Vec<ObstacleDisc>,
    pub(super) edges: Vec<ObstacleEdge>,
    /// The box around the edges of each piece, and which they are.
    pub(super) pieces: Vec<([Real; 2], std::ops::Range<usize>)>,
    /// Minimum distance of the middle from edges of pieces.
    pub(super) near: f64,
    /// Area allowed for the middle: the lower left and the upper right corner.
    pub(super) table: [Real; 2],
}

impl Yard {
    /// Collects the obstacles that may matter to ways of at most `most` thousandths.
    pub fn new(scene: &Obstacles, base: Base, most: f64) -> Yard {
        let (start, own) = (Real::from(base.at), base.radius() as f64 / 2.0);
        let near = own + CLEAR;
        let (mut rounds, mut all, mut pieces) = (Vec::new(), Vec::new(), Vec::new());
        let mut round = |at: Point, radius: i64| {
            let (middle, radius) = (Real::from(at), radius as f64 / 2.0 + near);
            if (middle - start).length() - radius <= most {
                rounds.push(ObstacleDisc {
                    middle,
                    radius,
                    arc: None,
                });
            }
        };
        scene.bases.iter().for_each(|base| round(base.at, base.radius()));
        for shape in scene.shapes {
            if let Shape::Disc { at, diameter } = shape {
                round(*at, super::across(*diameter));
            }
        }
        for shape in scene.shapes {
            let Shape::Polygon(outline) = shape else {
                continue;
            };
            let [low, high] = outline.around().map(|corner| Real {
                x: corner.x as f64 / 2.0,
                y: corner.y as f64 / 2.0,
            });
            let grown = Real { x: near, y: near };
            let reach = Real { x: most, y: most };
            let around = [low - grown, high + grown];
            let (lowest, highest) = (start - reach, start + reach);
            if around[0].x > highest.x
                || around[0].y > highest.y
                || lowest.x > around[1].x
                || lowest.y > around[1].y
            {
                continue;
            }
            let corners: Vec<Real> = outline.iter().map(|p| Real::from(*p)).collect();
            let area: i64 = edges(outline).map(|(a, b)| a.cross(b)).sum();
            let count = corners.len();
            let first = all.len();
            for (index, &to) in corners.iter().enumerate() {
                let from = corners[(index + count - 1) % count];
                let Some(along) = (to - from).direction() else {
                    continue;
                };
                let out = if area > 0 { -along.left() } else { along.left() };
                all.push(ObstacleEdge { from, to, out });
            }
            let outward = (first..all.len()).map(|edge| {
                let (one, other) = (
                    all[edge],
                    all[if edge + 1 < all.len() { edge + 1 } else { first }],
                );
                let arc = if area > 0 {
                    [one.out, other.out]
                } else {
                    [other.out, one.out]
                };
                (one.to, arc)
            });
            for (middle, arc) in outward {
                if arc[0].cross(arc[1]) > 0.0 && (middle - start).length() - near <= most {
                    rounds.push(ObstacleDisc {
                        middle,
                        radius: near,
                        arc: Some(arc),
                    });
                }
            }
            pieces.push((around, first..all.len()));
        }
        let limit = |size: i32| f64::from(size.min(super::FARTHEST)) - own;
        Yard {
            rounds,
            edges: all,
            pieces,
            near,
            table: [
                Real { x: own, y: own },
                Real {
                    x: limit(scene.table.0),
                    y: limit(scene.table.1),
                },
            ],
        }
    }

    /// Whether a leg stays clear of everything; what it begins at is taken to be clear.
    pub(super) fn is_clear(&self, from: Real, to: Real) -> bool {
        self.is_clear_by(-SLACK, from, to)
    }

    /// The same, by so much more than is planned.
    pub(super) fn is_clear_by(&self, more: f64, from: Real, to: Real) -> bool {
        let [low, high] = self.table;
        if to.x < low.x || to.y < low.y || to.x > high.x || to.y > high.y {
            return false;
        }
        let way = to - from;
        let whole = way.dot(way);
        let passes = |round: &ObstacleDisc| {
            let middle = round.middle - from;
            let radius = round.radius + more;
            let along = way.dot(middle);
            if along <= 0.0 {
                return middle.dot(middle) < radius * radius;
            }
            if along >= whole {
                let middle = round.middle - to;
                return middle.dot(middle) < radius * radius;
            }
            let aside = way.cross(middle);
            aside * aside < radius * radius * whole
        };
        if self.rounds.iter().any(passes) {
            return false;
        }
        let (least, most) = (
            Real {
                x: from.x.min(to.x),
                y: from.y.min(to.y),
            },
            Real {
                x: from.x.max(to.x),
                y: from.y.max(to.y),
            },
        );
        !self.pieces.iter().any(|([low, high], range)| {
            least.x < high.x
                && least.y < high.y
                && low.x < most.x
                && low.y < most.y
                && self.edges[range.clone()].iter().any(|edge| {
                    let line = edge.to - edge.from;
                    let (a, b) = (way.cross(edge.from - from), way.cross(edge.to - from));
                    let (c, d) = (line.cross(from - edge.from), line.cross(to - edge.from));
                    (a * b < 0.0 && c * d < 0.0) || to.far_from_line(edge.from, edge.to) < self.near + more
                })
        })
    }

    /// Returns the free turn around a disc from a direction, as [`turned`] counts, until something else is met.
    pub(super) fn room(&self, round: usize, from: Real, spin: f64) -> f64 {
        let mut room: f64 = 4.0;
        self.met(self.rounds[round], spin, |at| {
            room = room.min(turned(from, at, spin))
        });
        room
    }

    /// In which directions something else is met by one who goes around a disc.
    pub(super) fn met(&self, me: ObstacleDisc, spin: f64, mut meet: impl FnMut(Real)) {
        if let Some([first, last]) = me.arc {
            meet(if spin > 0.0 { last } else { first });
        }
        for other in &self.rounds {
            let way = other.middle - me.middle;
            let far = way.dot(way);
            let sum = me.radius + other.radius - SLACK;
            // No two have the same middle: that is this one.
            if far == 0.0 || far >= sum * sum {
                continue;
            }
            // Where the edges cross: along the line between the middles, and to its side.
            let along = (far + me.radius * me.radius - other.radius * other.radius) / (2.0 * far.sqrt());
            let aside = me.radius * me.radius - along * along;
            if let (Some(way), true) = (way.direction(), aside > 0.0) {
                meet((way * along - way.left() * (spin * aside.sqrt())) * (1.0 / me.radius));
            }
        }
        // Where it comes nearer to a line than allowed: so far out from the middle, between two ends.
        let mut line = |out: Real, height: f64, ends: Option<[Real; 2]>| {
            if height.abs() >= me.radius - 1e-6 {
                return;
            }
            let aside = (me.radius * me.radius - height * height).sqrt();
            // Going on, it turns against the direction that leads out.
            let at = out * height + out.left() * (spin * aside);
            let within = |[a, b]: [Real; 2]| {
                let (line, way) = (b - a, me.middle + at - a);
                let along = line.dot(way);
                -1e-6 <= along && along <= line.dot(line) + 1e-6
            };
            if ends.is_none_or(within) {
                meet(at * (1.0 / me.radius));
            }
        };
        for (around, range) in &self.pieces {
            let [low, high] = *around;
            let (at, radius) = (me.middle, me.radius);
            if at.x + radius < low.x
                || at.y + radius < low.y
                || at.x - radius > high.x
                || at.y - radius > high.y
            {
                continue;
            }
            for edge in &self.edges[range.clone()] {
                let height = self.near - SLACK - edge.out.dot(me.middle - edge.from);
                // Its own edges are where its arc ends.
                if me.arc.is_none() || (edge.from != me.middle && edge.to != me.middle) {
                    line(edge.out, height, Some([edge.from, edge.to]));
                }
            }
        }
        let [low, high] = self.table;
        let right = Real { x: 1.0, y: 0.0 };
        line(right, low.x - me.middle.x, None);
        line(-right, me.middle.x - high.x, None);
        line(right.left(), low.y - me.middle.y, None);
        line(-right.left(), me.middle.y - high.y, None);
    }

    /// Returns the points beside a base at which a walker also meets something else. It touches that there, or on the
    /// straight way there from `from`; or the point is the end of a straight way of length `most`, or of the tangent
    /// past the base.
    pub fn ends_beside(&self, base: Base, from: Point, most: Length) -> Vec<Point> {
        let me = ObstacleDisc {
            middle: base.at.into(),
            radius: base.radius() as f64 / 2.0 + self.near - CLEAR,
            arc: None,
        };
        let mut ends = Vec::new();
        let from = Real::from(from);
        // Farther than straight past the base one comes only behind it.
        let (back, square) = (from - me.middle, me.radius * me.radius);
        let past = (back.dot(back) - square).max(0.0).sqrt();
        let far = past.min(most as f64) - 2.0;
        let along = (back.dot(back) + square - far * far) / (2.0 * back.length());
        let aside = (square - along * along).sqrt();
        for spin in [1.0, -1.0] {
            self.met(me, spin, |at| ends.push((me.middle + at * 1e6).rounded()));
            // Not where it is all within reach, or nothing of it.
            if let Some(way) = back.direction().filter(|_| aside > 0.0) {
                ends.push((me.middle + (way * along + way.left() * (spin * aside)) * 1e2).rounded());
            }
            for round in &self.rounds {
                let tangent = tangent((from, 0.0), (round.middle, round.radius), (1.0, spin));
                let past = tangent.map(|(_, at, _)| round.middle + at * round.radius - from);
                let Some(way) = past.and_then(Real::direction) else {
                    continue;
                };
                let middle = me.middle - from;
                let aside = me.radius * me.radius - way.cross(middle) * way.cross(middle);
                if aside > 0.0 && way.dot(middle) > 0.0 {
                    ends.push((from + way * (way.dot(middle) - aside.sqrt())).rounded());
                }
            }
        }
        ends
    }

    /// Points near to a base, clear of everything, as [`Self::clear_of`] finds them.
    pub(super) fn clear_beside(scene: &Obstacles, base: Base) -> Vec<Point> {
        let near = Yard::new(scene, base, 2.0 * SLACK);
        if near.rounds.is_empty() && near.edges.is_empty() {
            return vec![base.at];
        }
        Yard::new(scene, base, f64::MAX).clear_of(scene, base)
    }

    /// Points near to one, clear of everything, that one comes to in a short leap: itself where it is clear.
    /// From between things one gets out straight alone, perhaps to several sides.
    pub(super) fn clear_of(&self, scene: &Obstacles, base: Base) -> Vec<Point> {
        let at = Real::from(base.at);
        let mut away = Real { x: 0.0, y: 0.0 };
        // What is touched: where, and which way from there.
        let mut touched: Vec<(Real, Real)> = Vec::new();
        // Directions along it, each with how far it is to its end.
        let mut along: Vec<(Real, f64)> = Vec::new();
        let mut push = |from: Real, least: f64, ends: &[Real]| {
            if (at - from).length() < least + SLACK {
                let out = (at - from).direction().unwrap_or(away);
                away = away + out;
                touched.push((from, out));
                along.extend([out.left(), -out.left()].map(|way| {
                    let far = ends.iter().map(|end| (*end - at).dot(way));
                    (way, far.fold(0.0, f64::max))
                }));
            }
        };
        for round in &self.rounds {
            if round.arc.is_none() {
                push(round.middle, round.radius, &[]);
            }
        }
        for edge in &self.edges {
            let line = edge.to - edge.from;
            let part = (line.dot(at - edge.from) / line.dot(line)).clamp(0.0, 1.0);
            push(edge.from + line * part, self.near, &[edge.from, edge.to]);
        }
        if away == (Real { x: 0.0, y: 0.0 }) && self.is_clear_by(SLACK, at, at) {
            return vec![base.at];
        }
        let is_clear = |there: &Point| {
            let real = Real::from(*there);
            self.is_clear_by(SLACK, real, real) && scene.in_the_way(base, *there).is_none()
        };
        let straight = away
            .direction()
            .into_iter()
            .flat_map(|d| [4.0, 8.0].map(|far| (at + d * far).rounded()));
        let around = [4, 8, 16]
            .into_iter()
            .flat_map(|far| (0..16).map(move |n| base.at.at_angle(n * 45 / 2, far)));
        // Between two things one gets out across the line that leads from one to the other.
        let pairs = (1..touched.len()).flat_map(|n| touched[..n].iter().map(move |one| (*one, n)));
        let opposed = pairs.filter(|((_, out), n)| out.dot(touched[*n].1) < 0.0);
        let across = opposed.filter_map(|((one, _), n)| (touched[n].0 - one).direction());
        let across: Vec<Real> = across.flat_map(|line| [line.left(), -line.left()]).collect();
        let first = straight.chain(around).find(is_clear);
        if let (Some(there), true) = (first, across.is_empty()) {
            return vec![there];
        }
        let ways = away.direction().into_iter().chain(across).map(|way| (way, 0.0));
        let found = ways
            .chain(along)
            .filter_map(|(way, end)| {
                let lengths = (4..=12).map(|doubled| end + f64::from(1 << doubled));
                // What is rounded may lie a hair too near.
                let near =
                    |there: Point| [4, 1, 3, 5, 7, 0, 2, 6, 8].map(move |n| there.plus(n % 3 - 1, n / 3 - 1));
                lengths
                    .flat_map(|far| near((at + way * far).rounded()))
                    .find(is_clear)
            })
            .collect::<Vec<Point>>();
        let mut several: Vec<Point> = Vec::new();
        for there in first.into_iter().chain(found) {
            if !several.contains(&there) {
                several.push(there);
            }
        }
        several
    }
}

/// The tangent from one disc to another, each gone around anticlockwise (1) or clockwise (-1): the directions
/// from their middles to where it leaves the one and comes to the other, and how long it is.
pub(super) fn tangent(from: (Real, f64), to: (Real, f64), spins: (f64, f64)) -> Option<(Real, Real, f64)> {
    let way = to.0 - from.0;
    let far = way.dot(way);
    let more = spins.1 * to.1 - spins.0 * from.1;
    let square = far - more * more;
    if far == 0.0 && from.1 == 0.0 && to.1 == 0.0 {
        // Two points, and one is there already.
        return Some((way, way, 0.0));
    }
    if square <= 0.0 || far <= 0.0 {
        return None;
    }
    let length = square.sqrt();
    let side = (way * more + way.left() * length) * (1.0 / far);
    Some((-side * spins.0, -side * spins.1, length))
}
