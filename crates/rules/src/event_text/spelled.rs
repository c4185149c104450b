//! Text form of kernel values in files and at the prompt: formatting and parsing.

use crate::kernel::dice::Pool;
use crate::kernel::ground::arena::{Pose, Turn};
use crate::kernel::ground::grid::Grid;
use crate::kernel::ids::UnitId;
use crate::kernel::rules::Rules;
use crate::kernel::spot::{Form, Point, Spot, length_text, parse_length};
use crate::kernel::world::World;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

impl Pool {
    /// A pool as users write it: numbers between blanks or commas, or `none`.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "none" {
            return Some(Self::default());
        }
        let numbers = text
            .split([' ', ',', '\t'])
            .filter(|number| !number.is_empty())
            .map(str::parse);
        let values: Vec<i64> = numbers.collect::<Result<_, _>>().ok()?;
        if values.is_empty() {
            None
        } else {
            Self::new(&values)
        }
    }

    /// The pool in one word of text, as [`Self::parse`] reads it: `2,3,6`, or `none`.
    pub fn word(&self) -> String {
        match self.is_empty() {
            true => "none".to_owned(),
            false => self.to_string().replace(' ', ","),
        }
    }

    /// The pool in a sentence: `dice 2 3 6`, or `no dice`.
    pub fn sentence(&self) -> String {
        match self.is_empty() {
            true => "no dice".to_owned(),
            false => format!("dice {self}"),
        }
    }
}

impl fmt::Display for Pose {
    /// As records spell it: `25000,25000,800/32767,0,0,0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.at;
        write!(f, "{x},{y},{z}/{}", self.turn)
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [w, x, y, z] = self.parts();
        write!(f, "{w},{x},{y},{z}")
    }
}

/// The numbers of a text that is written as they are printed.
fn numbers<T: FromStr + ToString + Copy + Default, const N: usize>(text: &str) -> Option<[T; N]> {
    let mut read = [T::default(); N];
    let mut parts = text.split(',');
    for slot in &mut read {
        let part = parts.next()?;
        *slot = part.parse().ok().filter(|n: &T| n.to_string() == part)?;
    }
    parts.next().is_none().then_some(read)
}

impl FromStr for Pose {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Pose, Self::Err> {
        let wanted = "a pose is x,y,z/turn in whole numbers, such as 25000,25000,800/32767,0,0,0";
        let (at, turn) = text.split_once('/').ok_or(wanted)?;
        Ok(Pose {
            at: numbers(at).ok_or(wanted)?,
            turn: turn.parse()?,
        })
    }
}

impl FromStr for Turn {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Turn, Self::Err> {
        let wanted =
            "a turn is four whole numbers whose squares add up to 32767 squared, such as 32767,0,0,0";
        numbers(text).and_then(Turn::new).ok_or(wanted)
    }
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

impl Spot {
    /// Reads what names where a unit can be: a place of the board, or a point of the table top.
    pub fn read(rules: &Rules, text: &str) -> Option<Spot> {
        match rules.tabletop {
            None => rules.board.place(text).map(Spot::Place),
            Some(_) => Point::parse(text).map(Spot::Point),
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

impl World {
    /// Returns the location of a unit in one word: its place or point, `reserve` or `removed`.
    pub fn whereabouts(&self, rules: &Rules, unit: UnitId) -> String {
        match self.spot(unit) {
            Some(spot) => spot.name(rules),
            None if self.is_alive(unit) => "reserve".to_owned(),
            None => "removed".to_owned(),
        }
    }

    /// The same, and what it shows where it is a die that lies there.
    pub fn lies_told(&self, rules: &Rules, unit: UnitId) -> String {
        let kind = self.unit(unit).kind;
        match self.pose(unit).filter(|_| rules.die(kind).is_some()) {
            pose @ Some(_) => super::pose(rules, kind, pose),
            None => self.whereabouts(rules, unit),
        }
    }
}

impl Grid {
    /// The names of the directions and what stands for none, in words.
    pub fn directions_told(self) -> String {
        let names: Vec<&str> = self.directions().iter().map(|d| d.name).collect();
        format!("{} or none", names.join(", "))
    }
}

/// The faces of a die in a sentence.
pub fn faces_told(faces: &RangeInclusive<u8>) -> String {
    format!("its faces are {} to {}", faces.start(), faces.end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pools_are_written_without_loss() {
        let most = Pool::new(&[crate::kernel::dice::MAX_SIDES; crate::kernel::dice::MAX_DICE]);
        for pool in [
            Some(Pool::default()),
            Pool::new(&[4]),
            Pool::new(&[1, 2, 6]),
            most,
        ] {
            let pool = pool.expect("in range");
            assert_eq!(Pool::parse(&pool.word()), Some(pool));
        }
        assert_eq!(Pool::parse("6 2  3"), Pool::new(&[2, 3, 6]));
        for wrong in ["", ",", "2;3", "1001", "-1", "six"] {
            assert_eq!(Pool::parse(wrong), None, "{wrong}");
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

    #[test]
    fn what_is_no_rotation_is_refused() {
        for wrong in [
            "1,0,0,0",
            "32767,32767,0,0",
            "0,0,0,0",
            "32767,0,0",
            "32767,0,0,0,0",
            "+32767,0,0,0",
            "a,b,c,d",
        ] {
            assert!(wrong.parse::<Turn>().is_err(), "{wrong}");
        }
        let pose = "25000,-3,800/0,-32767,0,0"
            .parse::<Pose>()
            .map(|pose| pose.to_string());
        assert_eq!(
            pose.as_deref(),
            Ok("25000,-3,800/0,32767,0,0"),
            "one sign for what means the same"
        );
        assert!("25000,800/32767,0,0,0".parse::<Pose>().is_err());
        assert!("25000,800,0".parse::<Pose>().is_err());
    }

    proptest! {
        #[test]
        fn what_is_spelled_is_read_again(x: i32, y: i32, z: i32, drawn: [u16; 3]) {
            let (point, pose) = (Point { x, y }, Pose { at: [x, y, z], turn: Turn::any(drawn) });
            prop_assert_eq!(Point::parse(&point.to_string()), Some(point));
            prop_assert_eq!(pose.to_string().parse::<Pose>(), Ok(pose));
        }
    }
}
