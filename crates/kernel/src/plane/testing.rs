//! Helpers shared by the tests of this module.

use super::{Base, Point, Shape};
use proptest::prelude::*;

pub fn base(x: i32, y: i32, diameter: i32) -> Base {
    Base {
        at: Point { x, y },
        diameter,
    }
}

pub fn points(corners: &[(i32, i32)]) -> Vec<Point> {
    corners.iter().map(|&(x, y)| Point { x, y }).collect()
}

pub fn polygon(corners: &[(i32, i32)]) -> Shape {
    Shape::polygon(&points(corners)).unwrap_or_else(|why| panic!("{corners:?}: {why:?}"))
}

/// Few numbers, so that much is the same; usual planes; and all there is.
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

/// Returns the distance of a point from a shape, computed with floats; below 0 inside the shape.
pub fn far(point: (f64, f64), shape: &Shape) -> f64 {
    match shape {
        Shape::Disc { at, diameter } => {
            (point.0 - f64::from(at.x)).hypot(point.1 - f64::from(at.y)) - f64::from(*diameter) / 2.0
        }
        Shape::Polygon(corners) => {
            let mut inside = false;
            let mut far = f64::MAX;
            for (i, b) in corners.iter().enumerate() {
                let a = corners[(i + corners.len() - 1) % corners.len()];
                let (a, b) = ((f64::from(a.x), f64::from(a.y)), (f64::from(b.x), f64::from(b.y)));
                let (dx, dy) = (b.0 - a.0, b.1 - a.1);
                let part = ((point.0 - a.0) * dx + (point.1 - a.1) * dy) / (dx * dx + dy * dy);
                let part = part.clamp(0.0, 1.0);
                far = far.min((a.0 + part * dx - point.0).hypot(a.1 + part * dy - point.1));
                if (a.1 > point.1) != (b.1 > point.1) {
                    inside ^= point.0 < a.0 + (point.1 - a.1) / dy * dx;
                }
            }
            if inside { -far } else { far }
        }
    }
}
