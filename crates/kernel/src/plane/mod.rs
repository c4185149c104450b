//! Points of a plane, bases and outlines of pieces on it, in exact whole numbers. Pure geometry: no units, no rules.
//!
//! Points are in thousandths of the game's unit. Inside, everything is in half thousandths, so that the radius of a base
//! is a whole number whatever its diameter. Touching is never overlapping: a base may go along another.

pub mod exact;
mod point;
pub mod real;
mod shape;
#[cfg(test)]
mod testing;

pub use point::{Base, FARTHEST, Length, Point, across, halved_up};
pub use shape::{Outline, OutlineError, Shape};
