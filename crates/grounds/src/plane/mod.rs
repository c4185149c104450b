//! A plane with round bases and pieces of terrain on it. Pure geometry; it knows no units and no rules.
//!
//! | part | |
//! |---|---|
//! | `scene` | [`Obstacles`]: whether a base fits, and how far it leaps |
//! | `sight` | [`sight`]: how much of a base is seen |
//! | `spots` | [`Reach`]: spots that are worth a look, and how one comes into contact |
//! | `ways` | [`Obstacles::walk`]: the shortest way around |

mod scene;
mod sight;
mod spots;
#[cfg(test)]
mod testing;
mod ways;
mod yard;

pub use rulebench_kernel::plane::{Base, FARTHEST, Length, Outline, OutlineError, Point, Shape};
use rulebench_kernel::plane::{across, exact, halved_up, real};
pub use scene::{LeapStop, Obstacle, Obstacles};
pub use sight::{Sight, sight, sight_by};
pub use spots::{Reach, SpotQuery};
pub use ways::{MoveKind, NoWay, Way};
