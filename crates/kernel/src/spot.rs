//! Locations of units: in a place of a board, or at a point of a plane.

use super::ids::PlaceId;
pub use super::plane::Point;
use super::plane::Shape;
use std::fmt;

/// Lengths and coordinates count thousandths of the game's unit.
pub const UNIT: i64 = 1_000;

/// Location of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// In a place.
    Place(PlaceId),
    /// At a point.
    Point(Point),
}

impl From<PlaceId> for Spot {
    #[inline]
    fn from(place: PlaceId) -> Self {
        Spot::Place(place)
    }
}

impl From<Point> for Spot {
    #[inline]
    fn from(point: Point) -> Self {
        Spot::Point(point)
    }
}

impl Spot {
    /// The place that it is.
    #[inline]
    pub fn place(self) -> Option<PlaceId> {
        match self {
            Spot::Place(place) => Some(place),
            Spot::Point(_) => None,
        }
    }

    /// The point that it is.
    #[inline]
    pub fn point(self) -> Option<Point> {
        match self {
            Spot::Point(point) => Some(point),
            Spot::Place(_) => None,
        }
    }
}

impl fmt::Display for Point {
    /// As records spell it: both coordinates with three decimals, `12.400,7.000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{},{}",
            thousandths(self.x.into(), false),
            thousandths(self.y.into(), false)
        )
    }
}

/// A length as people write it, such as `7.31`; zeros at its end are left out.
pub fn length_text(length: i64) -> String {
    thousandths(length, true)
}

fn thousandths(n: i64, short: bool) -> String {
    let sign = if n < 0 { "-" } else { "" };
    let (whole, rest) = (n.unsigned_abs() / 1_000, n.unsigned_abs() % 1_000);
    let rest = format!("{rest:03}");
    match rest.trim_end_matches('0') {
        "" if short => format!("{sign}{whole}"),
        cut if short => format!("{sign}{whole}.{cut}"),
        _ => format!("{sign}{whole}.{rest}"),
    }
}

/// Reads a length of at most three decimals, in thousandths; `None` for anything else.
pub fn parse_length(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, "0"));
    let plain = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    if !plain(whole) || !plain(rest) || rest.len() > 3 {
        return None;
    }
    let rest: i64 = format!("{rest:0<3}").parse().ok()?;
    let all = whole.parse::<i64>().ok()?.checked_mul(1_000)?.checked_add(rest)?;
    Some(if negative { -all } else { all })
}

impl Point {
    /// Reads `12.4,7`; `None` for anything else, and for what no table is large enough for.
    pub fn parse(text: &str) -> Option<Point> {
        let (x, y) = text.split_once(',')?;
        let read = |text: &str| i32::try_from(parse_length(text)?).ok();
        Some(Point {
            x: read(x)?,
            y: read(y)?,
        })
    }
}

/// The outline of a piece of terrain that rules lay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// A round one, by its middle and how wide it is.
    Disc(Point, i32),
    /// A rectangle, by its lower left and its upper right corner.
    Box(Point, Point),
}

impl Form {
    /// The outline; `None` for one without area, or beyond every table.
    pub fn shape(self) -> Option<Shape> {
        match self {
            Form::Disc(at, diameter) => (diameter > 0).then_some(Shape::Disc { at, diameter }),
            Form::Box(low, high) => {
                let corner = |x: i32, y: i32| Point { x, y };
                let corners = [low, corner(high.x, low.y), high, corner(low.x, high.y)];
                Shape::polygon(&corners).ok()
            }
        }
    }
}

impl fmt::Display for Form {
    /// As scenarios write it: `disc(450,450,60)`, `box(100,100,200,150)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let point_text = |p: &Point| format!("{},{}", length_text(p.x.into()), length_text(p.y.into()));
        match self {
            Form::Disc(at, diameter) => {
                write!(f, "disc({},{})", point_text(at), length_text((*diameter).into()))
            }
            Form::Box(low, high) => write!(f, "box({},{})", point_text(low), point_text(high)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn points_and_lengths_are_spelled_as_people_write_them() {
        let point = Point { x: 12_400, y: 7_000 };
        assert_eq!(point.to_string(), "12.400,7.000");
        let cases = [
            (7_310, "7.31"),
            (7_000, "7"),
            (-20, "-0.02"),
            (5, "0.005"),
            (0, "0"),
        ];
        for (length, text) in cases {
            assert_eq!(length_text(length), text);
            assert_eq!(parse_length(text), Some(length));
        }
    }

    #[test]
    fn points_are_read_as_people_write_them() {
        for text in ["12.4,7", "12.400,7.0", "12.4,07"] {
            assert_eq!(Point::parse(text), Some(Point { x: 12_400, y: 7_000 }), "{text}");
        }
        for wrong in [
            "",
            "12.4",
            "12.4,",
            "12.4, 7",
            "1.2345,1",
            "a,b",
            "9999999,0",
            "1e3,0",
            "+1,0",
        ] {
            assert_eq!(Point::parse(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn a_printed_point_is_read_again(x: i32, y: i32) {
            let point = Point { x, y };
            prop_assert_eq!(Point::parse(&point.to_string()), Some(point));
        }

        #[test]
        fn what_is_printed_is_read_again(length in -1_000_000_000_000i64..1_000_000_000_000) {
            prop_assert_eq!(parse_length(&length_text(length)), Some(length));
        }
    }
}
