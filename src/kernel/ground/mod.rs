//! What a game is played on.
//!
//! | part | |
//! |---|---|
//! | [`grid`] | boards of hexagons and squares: names, steps, directions, outlines |
//! | [`lines`] | directions, rays, arcs, areas, lines and sight on them |
//! | [`ways`] | the cheapest ways where steps have costs |

pub mod grid;
pub mod lines;
pub mod ways;
