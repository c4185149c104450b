//! Ground on which a game is played: board, table top or arena.
//!
//! | part | |
//! |---|---|
//! | [`grid`] | boards of hexagons and squares: names, steps, directions, outlines |
//! | [`lines`] | directions, rays, arcs, areas, lines and sight on them |
//! | [`plane`] | table tops: points, bases, pieces of terrain, ways and sight in whole numbers |
//! | [`ways`] | the cheapest ways where steps have costs |

pub mod arena;
pub mod grid;
pub mod lines;
pub mod plane;
pub mod ways;
