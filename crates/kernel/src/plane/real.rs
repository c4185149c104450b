//! Points and directions in floats: they add, multiply, divide and take roots alone, which every machine does alike.

use super::Point;
use super::exact::{Pair, Vector};
use std::f64::consts::{FRAC_PI_2, PI};

/// A point, or a direction, in thousandths.
pub type Real = Pair<f64>;

impl From<Point> for Real {
    #[inline]
    fn from(point: Point) -> Self {
        let at = Vector::from(point);
        Real {
            x: at.x as f64,
            y: at.y as f64,
        } * 0.5
    }
}

impl Real {
    #[inline]
    pub fn length(self) -> f64 {
        self.square().sqrt()
    }

    /// A quarter turn to the left.
    #[inline]
    pub fn left(self) -> Real {
        Real {
            x: -self.y,
            y: self.x,
        }
    }

    /// The same direction, of length 1; none of no length.
    #[inline]
    pub fn direction(self) -> Option<Real> {
        let length = self.length();
        (length > 1e-9).then(|| self * (1.0 / length))
    }

    #[inline]
    pub fn rounded(self) -> Point {
        Point {
            x: self.x.round() as i32,
            y: self.y.round() as i32,
        }
    }

    /// Returns its distance from the line between two points.
    #[inline]
    pub fn far_from_line(self, a: Real, b: Real) -> f64 {
        let (line, way) = (b - a, self - a);
        let whole = line.dot(line);
        let part = if whole > 0.0 {
            (line.dot(way) / whole).clamp(0.0, 1.0)
        } else {
            0.0
        };
        (way - line * part).length()
    }
}

/// Returns the turn from one direction to another, anticlockwise for 1 and clockwise for -1, in quarters: not to an
/// even scale, but a larger turn has a larger number.
#[inline]
pub fn turned(from: Real, to: Real, spin: f64) -> f64 {
    let (x, y) = (from.dot(to), spin * from.cross(to));
    in_quadrant(x, y >= 0.0, y.abs() / (x.abs() + y.abs()), 2.0)
}

/// An angle from 0 to two halves: of its quadrant, and the acute one that it has with the line to the right and left.
#[inline]
pub fn in_quadrant(x: f64, is_up: bool, acute: f64, half: f64) -> f64 {
    match (x >= 0.0, is_up) {
        (true, true) => acute,
        (false, true) => half - acute,
        (false, false) => half + acute,
        (true, false) => 2.0 * half - acute,
    }
}

/// The same as an angle, from 0 to a whole turn.
#[inline]
pub fn angle(from: Real, to: Real, spin: f64) -> f64 {
    let (x, y) = (from.dot(to), spin * from.cross(to));
    // Of an angle below an eighth, by its tangent: halved twice, and then by its series.
    let small = |tangent: f64| {
        let half = |t: f64| t / (1.0 + (1.0 + t * t).sqrt());
        let t = half(half(tangent));
        let s = t * t;
        let series = 1.0 / 9.0 - s / 11.0;
        4.0 * t * (1.0 - s * (1.0 / 3.0 - s * (1.0 / 5.0 - s * (1.0 / 7.0 - s * series))))
    };
    let (flat, steep) = (x.abs(), y.abs());
    let acute = match flat >= steep {
        true => small(steep / flat.max(1e-300)),
        false => FRAC_PI_2 - small(flat / steep),
    };
    in_quadrant(x, y >= 0.0, acute, PI)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_those_of_the_circle() {
        for n in 0..3_600 {
            let real = f64::from(n) / 1_800.0 * PI;
            let (one, from) = (
                0.3_f64,
                Real {
                    x: 0.3_f64.cos(),
                    y: 0.3_f64.sin(),
                },
            );
            let there = Real {
                x: (one + real).cos(),
                y: (one + real).sin(),
            };
            assert!((angle(from, there, 1.0) - real).abs() < 1e-9 || n == 0, "{n}");
            assert!((angle(there, from, -1.0) - real).abs() < 1e-9 || n == 0, "{n}");
        }
    }
}
