//! Location and orientation of a body, in whole numbers.

use super::plane::Point;
use std::fmt;
use std::str::FromStr;

/// Location of a body's middle, and orientation of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Pose {
    /// To the right, up the table, and up from the board's top, in hundredths of a millimetre.
    pub at: [i32; 3],
    pub turn: Turn,
}

/// A rotation: a unit quaternion in parts of [`Turn::ONE`], the real part first. Of the two that mean the same
/// it is the one whose first number other than 0 is positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn([i16; 4]);

impl Default for Turn {
    fn default() -> Self {
        Turn([Turn::ONE, 0, 0, 0])
    }
}

impl Turn {
    /// Number that represents 1.
    pub const ONE: i16 = i16::MAX;

    /// The rotation of these numbers; `None` where their squares do not add up to that of [`Turn::ONE`], give
    /// or take what rounding does.
    pub fn new(parts: [i16; 4]) -> Option<Turn> {
        let square: i64 = parts.iter().map(|n| i64::from(*n).pow(2)).sum();
        let one = i64::from(Turn::ONE);
        let near = ((one - 2).pow(2)..=(one + 2).pow(2)).contains(&square);
        near.then(|| Turn(parts).with_sign())
    }

    #[inline]
    pub fn parts(self) -> [i16; 4] {
        self.0
    }

    /// The nearest one. Whatever has no direction is no turn at all.
    #[inline]
    pub fn nearest(parts: [f64; 4]) -> Turn {
        let length = parts.iter().map(|n| n * n).sum::<f64>().sqrt();
        if !length.is_finite() || length < 1e-6 {
            return Turn::default();
        }
        let one = f64::from(Turn::ONE);
        Turn(parts.map(|n| (n / length * one).round() as i16)).with_sign()
    }

    fn with_sign(self) -> Turn {
        let first = self.0.into_iter().find(|n| *n != 0);
        match first.is_some_and(|n| n < 0) {
            true => Turn(self.0.map(|n| n.saturating_neg())),
            false => self,
        }
    }

    /// The same as a real quaternion of length 1.
    #[inline]
    pub fn real(self) -> [f64; 4] {
        let parts = self.0.map(f64::from);
        let length = parts.iter().map(|n| n * n).sum::<f64>().sqrt();
        parts.map(|n| n / length)
    }

    /// One of all rotations, each as likely as any other if the three numbers are drawn evenly from 0 to 999.
    pub fn any(drawn: [u16; 3]) -> Turn {
        let [part, first, second] = drawn.map(|n| f64::from(n % 1_000) / 1_000.0);
        // Shoemake: two circles, weighted by the square roots of how much falls to each.
        let (low, high) = ((1.0 - part - 0.0005).sqrt(), (part + 0.0005).sqrt());
        let circle = |of: f64| direction((of * 360_000.0) as i64);
        let ((a, b), (c, d)) = (circle(first), circle(second));
        Turn::nearest([low * a, low * b, high * c, high * d])
    }
}

/// The cosine and sine of thousandths of a degree, the same on every machine.
#[inline]
pub fn direction(thousandths: i64) -> (f64, f64) {
    const FAR: i64 = 1 << 30;
    let point = |degrees: i64| {
        let there = Point::default().at_angle(degrees, FAR);
        (f64::from(there.x) / FAR as f64, f64::from(there.y) / FAR as f64)
    };
    let degrees = thousandths.div_euclid(1_000);
    let part = thousandths.rem_euclid(1_000) as f64 / 1_000.0;
    let ((ax, ay), (bx, by)) = (point(degrees), point(degrees + 1));
    // Between two whole degrees the chord is as good as the arc.
    let (x, y) = (ax + (bx - ax) * part, ay + (by - ay) * part);
    let length = (x * x + y * y).sqrt();
    (x / length, y / length)
}

#[inline]
pub fn about_z(degrees: i32) -> [f64; 4] {
    let (cos, sin) = direction(i64::from(degrees) * 500);
    [cos, 0.0, 0.0, sin]
}

/// One rotation after another.
#[inline]
pub fn product([a, b, c, d]: [f64; 4], [e, f, g, h]: [f64; 4]) -> [f64; 4] {
    [
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    ]
}

/// A vector turned.
#[inline]
pub fn turned([w, x, y, z]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let rows = [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y - w * z),
            2.0 * (x * z + w * y),
        ],
        [
            2.0 * (x * y + w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - w * x),
        ],
        [
            2.0 * (x * z - w * y),
            2.0 * (y * z + w * x),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ];
    rows.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn directions_are_those_of_the_circle() {
        for thousandths in (-400_000..800_000).step_by(7_919) {
            let (x, y) = direction(thousandths);
            let real = (thousandths as f64 / 1_000.0).to_radians();
            assert!(
                (x - real.cos()).abs() < 1e-4 && (y - real.sin()).abs() < 1e-4,
                "{thousandths}"
            );
        }
    }

    #[test]
    fn every_way_to_hold_a_die_is_as_likely() {
        // Where the top of a die goes: in each of eight parts of the sphere as often.
        let mut parts = [0; 8];
        for a in 0..20 {
            for b in 0..20 {
                for c in 0..20 {
                    let turn = Turn::any([a, b, c].map(|n| n * 50 + 25)).real();
                    let [x, y, z] = turned(turn, [0.1, 0.2, 1.0]);
                    parts[usize::from(x > 0.0) + 2 * usize::from(y > 0.0) + 4 * usize::from(z > 0.0)] += 1;
                }
            }
        }
        assert!(parts.iter().all(|n| (900..1_100).contains(n)), "{parts:?}");
    }

    proptest! {
        #[test]
        fn turns_have_one_form(parts in prop::array::uniform4(-1.0f64..1.0)) {
            let turn = Turn::nearest(parts);
            prop_assert_eq!(Turn::new(turn.parts()), Some(turn));
            prop_assert_eq!(Turn::nearest(parts.map(|n| -n)), turn);
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
        fn a_printed_pose_is_read_again(x: i32, y: i32, z: i32, drawn: [u16; 3]) {
            let pose = Pose { at: [x, y, z], turn: Turn::any(drawn) };
            prop_assert_eq!(pose.to_string().parse::<Pose>(), Ok(pose));
        }
    }
}
