//! A throw as people say it.

use super::Throw;
use super::make::{Arena, numbers};
use super::pose::{Pose, Turn, direction};

/// Aim of a throw: target, strength, height, direction and spin.
///
/// It is let go level, as far off as it flies while it falls: unspoiled, and with nothing in its way, its middle
/// comes through the spot that it is aimed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Aim {
    /// Target of the die's middle: the middle of a body to hit it, or a point as high over the board as the middle of a
    /// lying die.
    pub at: [i32; 3],
    /// Speed along the board, in hundredths of a millimetre per second; 0 drops the die.
    pub strength: i32,
    /// Height of its middle over the board when it is let go, in hundredths of a millimetre.
    pub height: i32,
    /// From which side it comes: whole degrees from the right, anticlockwise.
    pub side: i32,
    /// Forward roll, or backward roll if negative, in thousandths of a turn per second.
    pub spin: i32,
}

/// Random deviation of a throw; drawn by the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Shake {
    /// Distance from the target spot, in hundredths of a millimetre.
    pub at: [i32; 2],
    /// Increase of the strength over the intended one, in thousandths.
    pub strength: i32,
    /// Orientation of the die in the hand: see [`Turn::any`].
    pub turn: [u16; 3],
}

numbers!(Aim:
    strength 0..=1_000_000,
    height 0..=200_000,
    spin -50_000..=50_000,
);

impl Aim {
    /// The throw of one of the bodies. Numbers that are out of range count as the nearest that is not; a die
    /// that is let go no higher than what it is aimed at starts there.
    pub fn throw(self, arena: &Arena, which: usize, shake: Shake) -> Throw {
        let aim = self.in_range();
        let gravity = f64::from(arena.clone().in_range().gravity);
        let drop = f64::from((aim.height - aim.at[2].clamp(0, aim.height)).max(0));
        let seconds = (2.0 * drop / gravity).sqrt();
        let meant = f64::from(aim.strength);
        let speed = meant * f64::from(1_000 + shake.strength.clamp(-1_000, 1_000)) / 1_000.0;
        let (x, y) = direction(i64::from(aim.side) * 1_000);
        let whole = |n: f64| n.round() as i32;
        let start = |n: usize, component: f64| {
            whole(f64::from(aim.at[n]) + f64::from(shake.at[n]) + component * meant * seconds)
        };
        let spin = f64::from(aim.spin) * std::f64::consts::TAU;
        Throw {
            which,
            from: Pose {
                at: [start(0, x), start(1, y), aim.height.max(aim.at[2])],
                turn: Turn::any(shake.turn),
            },
            velocity: [whole(-x * speed), whole(-y * speed), 0],
            // About the axis to the left of the way that it goes.
            spin: [whole(y * spin), whole(-x * spin), 0],
        }
    }
}
