//! A throw as people say it.

use super::Throw;
use super::make::Arena;
use crate::kernel::ground::{Aim, Shake};
use crate::kernel::pose::{Pose, Turn, direction};

/// The throw of one of the bodies. Numbers that are out of range count as the nearest that is not; a die
/// that is let go no higher than what it is aimed at starts there.
pub fn thrown(arena: &Arena, aim: Aim, which: usize, shake: Shake) -> Throw {
    let aim = Aim {
        strength: aim.strength.clamp(0, 1_000_000),
        height: aim.height.clamp(0, 200_000),
        spin: aim.spin.clamp(-50_000, 50_000),
        ..aim
    };
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
