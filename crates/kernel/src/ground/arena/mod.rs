//! An arena: a raised board, and dice on it that are bodies: they fall, bounce, push each other, stop and show a
//! face. It knows no units and no rules.
//!
//! | part | |
//! |---|---|
//! | `pose` | [`Pose`] and [`Turn`]: where a body is and how it is turned, in whole numbers |
//! | `solid` | [`Solid`]: the shapes, their faces and numbers, how they lie and how they look from above |
//! | `make` | [`Arena`], [`DieProperties`]: sizes, masses, friction, and what they may be |
//! | `aim` | [`Aim`]: a throw as people say it, made into a [`Throw`] |
//! | `engine` | [`throw`]: what comes of it; the only part that knows the engine |
//!
//! Lengths are hundredths of a millimetre, which are thousandths of a centimetre: a point of a table top whose
//! unit is the centimetre is a point here. `x` goes to the right, `y` up the table, `z` up from the board's top.

mod aim;
mod engine;
mod make;
pub mod pose;
pub mod solid;
#[cfg(test)]
mod tests;

pub use aim::{Aim, Shake};
pub use engine::{HAIR, PRESSED, ThrowError, bare, misfits, throw};
pub use make::{Arena, DieProperties, octagon};
pub use pose::{Pose, Turn};
pub use solid::{Solid, faces_told};

/// A die: what it is, where, and how it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Body {
    pub solid: Solid,
    pub pose: Pose,
    pub make: DieProperties,
}

/// One die leaves a hand. There is no chance in it: whoever throws badly says so in these numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Throw {
    /// Index of the thrown body.
    pub which: usize,
    /// Pose in which it is let go.
    pub from: Pose,
    /// Hundredths of a millimetre a second.
    pub velocity: [i32; 3],
    /// About each axis, in thousandths of a radian a second.
    pub spin: [i32; 3],
}

/// Result of a throw.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Thrown {
    /// Each two bodies that touched, once, in the order in which they first did; and where the thrown one
    /// first touched the board.
    pub touches: Vec<BodyTouch>,
    /// The thrown body first, then every other that is not where it was, in the order of the bodies.
    pub rests: Vec<RestingBody>,
    /// The ways that they went, in the same order.
    pub paths: Vec<BodyPath>,
    /// Whether all came to rest. If not, they were stopped in the middle of it.
    pub settled: bool,
    /// Duration, in thousandths of a second.
    pub ms: u32,
}

/// Two bodies touch, or the thrown one touches the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyTouch {
    /// The thrown body if it is one of the two; otherwise the one that comes first among the bodies.
    pub body: usize,
    /// The other body, or the board.
    pub other: Option<usize>,
    /// When, in thousandths of a second after it was let go.
    pub ms: u32,
    /// Point of the contact.
    pub at: [i32; 3],
}

/// Place where a body stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RestingBody {
    pub body: usize,
    pub pose: Pose,
    /// The value that it shows; `None` where it fell off, or leans so far that nobody can say.
    pub shows: Option<u8>,
    /// Whether it fell past the edge. Its pose is where it was taken out, below the board.
    pub fell: bool,
}

/// The way of a body, at [`BodyPath::A_SECOND`] poses a second.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BodyPath {
    pub body: usize,
    /// Index of the moment of the first pose; before it, the body is at its old pose.
    pub first: u32,
    /// After the last one it stays there.
    pub poses: Vec<Pose>,
}

impl BodyPath {
    /// Number of poses per second.
    pub const A_SECOND: u32 = 60;
}
