//! Marks drawn over a tabletop: areas that a unit can reach, ranges, measured lengths, and offered spots.

use super::drawn_plane::DrawnPlane;
use super::ground::PaperPoint;
use crate::kernel::ground::Region;
use crate::kernel::ids::FactionId;
use crate::kernel::plane::Base;
use crate::kernel::spot::{self, length_text};
use serde::Serialize;
use std::collections::BTreeMap;

/// Something drawn over a table top.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Overlay {
    /// Area that the middle of a base can reach.
    Area {
        /// Owner, by faction index.
        side: usize,
        /// Its outlines, what is left out in it among them.
        outlines: Vec<Vec<PaperPoint>>,
    },
    /// All that is so far from a base, edge to edge.
    Ring {
        /// Owner, by faction index.
        side: usize,
        /// The middle of the base.
        at: PaperPoint,
        /// Distance of the ring from the middle.
        radius: f64,
        /// The length.
        word: String,
    },
    /// Measurement between two things.
    Line {
        /// From where.
        from: PaperPoint,
        /// To where.
        to: PaperPoint,
        /// The outermost points of a base that are looked at from the beginning.
        edges: Vec<PaperPoint>,
        /// Distance, and the result of the look.
        word: String,
    },
    /// A spot that is offered or can be reached.
    Spot {
        /// Position of the spot.
        at: PaperPoint,
        /// Its number among the options; none where it is no answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        number: Option<usize>,
    },
}

/// The net over a region has about so many knots in its longer direction.
const KNOTS: i64 = 72;
/// Number of times that the distance between two knots is halved to find the edge of a region.
const HALVED: usize = 6;
/// A corner that lies nearer than this to the line between its neighbours is none, in picture units.
const STRAIGHT: f64 = 0.15;

impl Overlay {
    /// The spots of a region.
    pub fn area(table: &DrawnPlane, faction: FactionId, region: &dyn Region) -> Overlay {
        Overlay::Area {
            side: faction.index(),
            outlines: outlines(table, region),
        }
    }

    /// Returns the ring at this distance from a base; the length is in thousandths.
    pub fn ring(table: &DrawnPlane, faction: FactionId, base: Base, length: i64) -> Overlay {
        let whole = i64::from(base.diameter) / 2 + length;
        Overlay::Ring {
            side: faction.index(),
            at: table.at(base.at),
            radius: table.length(whole.min(i64::from(i32::MAX)) as i32),
            word: format!("{} {}", length_text(length), table.unit),
        }
    }

    /// Returns the measurement between two bases, or spots, which have no width; `looks` from the middle of the first
    /// to the edges of the second.
    pub fn line(table: &DrawnPlane, (one, other): (Base, Base), looks: bool, word: String) -> Overlay {
        let (eye, at) = (table.at(one.at), table.at(other.at));
        let (far, radius) = (eye.distance(at), table.length(other.diameter) / 2.0);
        let tangents = looks && far > radius;
        let (x, y) = ((eye.x - at.x) / far, (eye.y - at.y) / far);
        let (ahead, aside) = (radius / far, (1.0 - (radius / far).powi(2)).max(0.0).sqrt());
        let tangent = |sign: f64| {
            at.plus(
                radius * (ahead * x - sign * aside * y),
                radius * (ahead * y + sign * aside * x),
            )
        };
        // What is measured lies between the edges.
        let own = table.length(one.diameter) / 2.0;
        let meets = far <= own + radius || far <= 0.0;
        let part = |length: f64| if meets { 0.5 } else { length / far };
        Overlay::Line {
            from: eye.towards(at, part(own)),
            to: at.towards(eye, part(radius)),
            edges: match tangents {
                true => vec![tangent(1.0), eye, tangent(-1.0)],
                false => Vec::new(),
            },
            word,
        }
    }
}

/// The side of a square of the net, by its lower or left end: whether it leads up, and where it begins.
type RegionSide = (bool, i64, i64);

/// The outlines of a region: a net of squares is laid over it, and where a side of a square leads out of the region its
/// end is looked for.
fn outlines(table: &DrawnPlane, region: &dyn Region) -> Vec<Vec<PaperPoint>> {
    let [left, low, right, high] = region.bounds();
    let step = ((right - left).max(high - low) / KNOTS).max(1);
    let (wide, deep) = ((right - left) / step + 1, (high - low) / step + 1);
    let at = |(column, row): (i64, i64)| {
        let cut = |n: i64| n.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        spot::Point {
            x: cut(left + column * step),
            y: cut(low + row * step),
        }
    };
    let holds = region.check();
    let rows = (-1..=deep + 1).map(|row| {
        let row = (-1..=wide + 1).map(|column| holds(at((column, row))));
        row.collect::<Vec<bool>>()
    });
    let rows: Vec<Vec<bool>> = rows.collect();
    let inside = |(column, row): (i64, i64)| rows[(row + 1) as usize][(column + 1) as usize];
    // From each side by which a line around the region leaves a square to the one by which it has come in.
    let mut next: BTreeMap<RegionSide, RegionSide> = BTreeMap::new();
    for (column, row) in (-1..=deep).flat_map(|row| (-1..=wide).map(move |column| (column, row))) {
        let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| inside((column + x, row + y)));
        let sides = [
            (false, column, row),
            (true, column + 1, row),
            (false, column, row + 1),
            (true, column, row),
        ];
        for leaves in (0..4).filter(|n| corners[*n] && !corners[(n + 1) % 4]) {
            let before = (1..4).map(|n| (leaves + 4 - n) % 4);
            if let Some(comes) = before.into_iter().find(|n| !corners[*n] && corners[(n + 1) % 4]) {
                next.insert(sides[leaves], sides[comes]);
            }
        }
    }
    let end_on = |(up, column, row): RegionSide| {
        let ends = [
            (column, row),
            if up { (column, row + 1) } else { (column + 1, row) },
        ];
        let (mut within, mut beyond) = if inside(ends[0]) {
            (at(ends[0]), at(ends[1]))
        } else {
            (at(ends[1]), at(ends[0]))
        };
        for _ in 0..HALVED {
            let middle = spot::Point {
                x: within.x.midpoint(beyond.x),
                y: within.y.midpoint(beyond.y),
            };
            match holds(middle) {
                true => within = middle,
                false => beyond = middle,
            }
        }
        table.at(within)
    };
    let mut outlines = Vec::new();
    while let Some((first, mut to)) = next.pop_first() {
        let mut line = vec![end_on(first)];
        while to != first {
            line.push(end_on(to));
            match next.remove(&to) {
                Some(then) => to = then,
                None => break,
            }
        }
        outlines.push(without_straight(&line));
    }
    outlines
}

/// A closed line without the corners that lie on the line between their neighbours.
fn without_straight(line: &[PaperPoint]) -> Vec<PaperPoint> {
    let mut result: Vec<PaperPoint> = Vec::new();
    for (nth, point) in line.iter().enumerate() {
        let next = line[(nth + 1) % line.len()];
        let is_straight = result.last().is_some_and(|last| {
            let (x, y) = (next.x - last.x, next.y - last.y);
            let off = (point.x - last.x) * y - (point.y - last.y) * x;
            off.abs() <= STRAIGHT * (x * x + y * y).sqrt()
        });
        if !is_straight {
            result.push(*point);
        }
    }
    result
}
