//! The kernel: boards, the world on them, engagement, phases, choices, dice and events.
//!
//! Pure data and rules of play. It knows no game, no script language and no terminal; what a
//! game adds (unit types, hooks, slots) arrives as the declared data in [`rules::Rules`].

pub mod adjacency;
pub mod board;
pub mod choice;
pub mod declared_key;
pub mod dice;
pub mod dice_access;
pub mod effect;
pub mod engagement;
pub mod event;
pub mod grid;
pub mod ground;
pub mod ids;
pub mod ignored_in_eq;
pub mod lines;
pub mod movement;
pub mod phase;
pub mod plane;
pub mod pose;
pub mod ranks;
pub mod rules;
pub mod scene;
pub mod schedule;
pub mod spot;
pub mod table;
pub mod tally;
#[cfg(test)]
mod tests;
pub mod throws;
pub mod world;
