//! A table top: a plane with round bases and pieces of terrain on it. Pure geometry; it knows no units and no
//! rules.
//!
//! | part | |
//! |---|---|
//! | `point` | [`Point`], [`Base`], lengths and gaps |
//! | `shape` | [`Shape`]: pieces of terrain, discs and polygons |
//! | `exact` | what decides: whether something is in the way of a base, in whole numbers |
//! | `scene` | [`Obstacles`]: whether a base fits, and how far it leaps |
//! | `sight` | [`sight`]: how much of a base is seen |
//! | `spots` | [`Reach`]: spots that are worth a look, and how one comes into contact |
//! | `ways` | [`Obstacles::walk`]: the shortest way around |
//!
//! Points are in thousandths of the game's unit. Inside, everything is in half thousandths, so that the
//! radius of a base is a whole number whatever its diameter. Touching is never overlapping: a base may go
//! along another.

mod exact;
mod point;
pub(super) mod real;
mod scene;
mod shape;
mod sight;
mod spots;
#[cfg(test)]
mod testing;
mod ways;
mod yard;

pub use point::{Base, FARTHEST, Length, Point};
pub use scene::{LeapStop, Obstacle, Obstacles};
pub use shape::{Outline, OutlineError, Shape};
pub use sight::{Sight, sight, sight_by};
pub use spots::{Reach, SpotQuery};
pub use ways::{MoveKind, NoWay, Way};
