//! Exact geometry, which decides all results, in whole numbers of half thousandths. Coordinates are at most 2^25, so
//! differences are below 2^26, products of two below 2^53, and products of four below 2^107.

use std::ops::{Add, Mul, Neg, Sub};

/// A point or a way from one to another, in numbers of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair<T> {
    pub x: T,
    pub y: T,
}

/// One in half thousandths.
pub type Vector = Pair<i64>;

impl<T: Add<Output = T>> Add for Pair<T> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Pair {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

impl<T: Sub<Output = T>> Sub for Pair<T> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Pair {
            x: self.x - other.x,
            y: self.y - other.y,
        }
    }
}

impl<T: Neg<Output = T>> Neg for Pair<T> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Pair {
            x: -self.x,
            y: -self.y,
        }
    }
}

impl<T: Copy + Mul<Output = T>> Mul<T> for Pair<T> {
    type Output = Self;
    #[inline]
    fn mul(self, by: T) -> Self {
        Pair {
            x: self.x * by,
            y: self.y * by,
        }
    }
}

impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>> Pair<T> {
    #[inline]
    pub fn dot(self, other: Self) -> T {
        self.x * other.x + self.y * other.y
    }

    /// Above 0 where the other lies to the left.
    #[inline]
    pub fn cross(self, other: Self) -> T {
        self.x * other.y - self.y * other.x
    }

    #[inline]
    pub fn square(self) -> T {
        self.dot(self)
    }
}

/// The square root, rounded down.
#[inline(always)]
pub fn root_down(n: u128) -> u128 {
    // Most are small: there a float is nearly right, on every machine alike, as its root is rounded by the standard.
    let Some(n) = u64::try_from(n).ok().filter(|n| *n < 1 << 62) else {
        return n.isqrt();
    };
    let near = (n as f64).sqrt() as u64;
    let root = if near * near > n { near - 1 } else { near };
    u128::from(root + u64::from((root + 1) * (root + 1) <= n))
}

/// The square root, rounded up.
#[inline]
pub fn root_up(n: u128) -> u128 {
    let root = root_down(n);
    root + u128::from(root * root < n)
}

/// Area that a base sweeps on a straight way, or covers where it stands.
#[derive(Debug, Clone, Copy)]
pub struct SweptArea {
    pub from: Vector,
    pub to: Vector,
    pub radius: i64,
}

impl SweptArea {
    /// Whether it comes nearer to a point than its own radius and so much more.
    #[inline]
    pub fn meets(&self, point: Vector, more: i64) -> bool {
        let radius = self.radius + more;
        self.may_meet(point, point, radius) && is_near(point, self.from, self.to, radius)
    }

    /// Whether it comes nearer to an edge than its radius.
    #[inline]
    pub fn meets_edge(&self, a: Vector, b: Vector) -> bool {
        let low = Vector {
            x: a.x.min(b.x),
            y: a.y.min(b.y),
        };
        let high = Vector {
            x: a.x.max(b.x),
            y: a.y.max(b.y),
        };
        self.may_meet(low, high, self.radius)
            && (is_near(a, self.from, self.to, self.radius)
                || is_near(self.from, a, b, self.radius)
                || is_near(self.to, a, b, self.radius)
                || are_crossing(self.from, self.to, a, b))
    }

    /// Whether the boxes around both come as near as that.
    #[inline]
    pub fn may_meet(&self, low: Vector, high: Vector, radius: i64) -> bool {
        let near = |from: i64, to: i64, low: i64, high: i64| {
            from.min(to) - radius < high && low < from.max(to) + radius
        };
        near(self.from.x, self.to.x, low.x, high.x) && near(self.from.y, self.to.y, low.y, high.y)
    }
}

/// Whether a point is nearer to the line from `a` to `b` than the radius.
#[inline]
pub fn is_near(point: Vector, a: Vector, b: Vector, radius: i64) -> bool {
    let (line, to_point) = (b - a, point - a);
    let (along, whole) = (line.dot(to_point), line.square());
    if along <= 0 {
        return to_point.square() < radius * radius;
    }
    if along >= whole {
        return (point - b).square() < radius * radius;
    }
    let aside = i128::from(line.cross(to_point));
    aside * aside < i128::from(radius * radius) * i128::from(whole)
}

/// Whether two lines cross within both, at their ends neither.
#[inline]
fn are_crossing(a: Vector, b: Vector, c: Vector, d: Vector) -> bool {
    let (one, other) = (b - a, d - c);
    let apart = |line: Vector, from: Vector, p: Vector, q: Vector| {
        line.cross(p - from).signum() * line.cross(q - from).signum() < 0
    };
    apart(one, a, c, d) && apart(other, c, a, b)
}

/// Returns the distance of a point from the line from `a` to `b`, rounded down, and rounded up.
#[inline]
pub fn far_from_line(point: Vector, a: Vector, b: Vector) -> (i64, i64) {
    let (line, to_point) = (b - a, point - a);
    let (along, whole) = (line.dot(to_point), line.square());
    let (square, part) = match along {
        _ if along <= 0 => (to_point.square() as u128, 1),
        _ if along >= whole => ((point - b).square() as u128, 1),
        _ => (
            u128::from(line.cross(to_point).unsigned_abs()).pow(2),
            whole as u128,
        ),
    };
    let (down, up) = (root_down(square / part), root_up(square.div_ceil(part)));
    (down as i64, up as i64)
}

/// The edges of a closed outline.
#[inline]
pub fn edges<P: Copy + Into<Vector>>(corners: &[P]) -> impl Iterator<Item = (Vector, Vector)> + '_ {
    let before = corners.last().into_iter().chain(corners);
    before
        .zip(corners)
        .map(|(from, to)| ((*from).into(), (*to).into()))
}

/// Whether a point lies inside of an outline; on its edges it may or may not.
#[inline]
pub fn is_inside<P: Copy + Into<Vector>>(point: Vector, corners: &[P]) -> bool {
    let crossed = edges(corners).filter(|&(a, b)| {
        (a.y > point.y) != (b.y > point.y) && ((b - a).cross(point - a) > 0) == (b.y > a.y)
    });
    crossed.count() % 2 == 1
}

/// A number from 0 to 1 along a line, as a fraction; the lower half is above 0.
type LineFraction = (i64, i64);

/// Whether the straight line from `a` to `b` leads through the inside of an outline. Going along an edge or
/// through a corner is not going through.
#[inline]
pub fn leads_through<P: Copy + Into<Vector>>(a: Vector, b: Vector, corners: &[P]) -> bool {
    if a == b {
        let on_edge = |(p, q): (Vector, Vector)| (q - p).cross(a - p) == 0 && (p - a).dot(q - a) <= 0;
        return is_inside(a, corners) && !edges(corners).any(on_edge);
    }
    let way = b - a;
    // Where the line, drawn a hair to the left or to the right, crosses edges. A part of it lies inside when
    // it does however it is drawn: beside an edge, one of the two lies outside.
    let crossings = |left: bool| {
        let beyond = |p: Vector| match left {
            true => way.cross(p - a) > 0,
            false => way.cross(p - a) < 0,
        };
        let crossed = edges(corners).filter(|&(p, q)| beyond(p) != beyond(q));
        let mut parts: Vec<LineFraction> = crossed
            .map(|(p, q)| {
                let (above, below) = ((p - a).cross(q - p), way.cross(q - p));
                (above * below.signum(), below.abs())
            })
            .collect();
        parts.sort_by(compare);
        parts
    };
    let (left, right) = (crossings(true), crossings(false));
    left.chunks_exact(2).any(|l| {
        right.chunks_exact(2).any(|r| {
            let from = [l[0], r[0], (0, 1)].into_iter().max_by(compare);
            let to = [l[1], r[1], (1, 1)].into_iter().min_by(compare);
            from.zip(to).is_some_and(|(from, to)| compare(&from, &to).is_lt())
        })
    })
}

#[inline]
fn compare(a: &LineFraction, b: &LineFraction) -> std::cmp::Ordering {
    (i128::from(a.0) * i128::from(b.1)).cmp(&(i128::from(b.0) * i128::from(a.1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn roots_are_those_of_whole_numbers(root in 0u128..1 << 40, off in -2i128..=2, any in 0u128..1 << 100) {
            let beside = (root * root).saturating_add_signed(off);
            for n in [beside, any, (1 << 62) - 1, 1 << 62, u128::from(u64::MAX)] {
                prop_assert_eq!(root_down(n), n.isqrt());
                prop_assert_eq!(root_up(n), n.isqrt() + u128::from(n.isqrt().pow(2) < n));
            }
        }
    }
}
