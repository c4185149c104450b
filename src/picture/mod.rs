//! Pictures of boards: to paste into a rulebook, a forum thread or a page.
//!
//! | part | |
//! |---|---|
//! | [`scene`] | what a picture shows, in plain geometry: cells, units, reserves, marks |
//! | [`story`] | what happened last, as arrows and badges, read from the events |
//! | [`ground`] | where the cells of a board lie, and where units stand in them |
//! | [`svg`] | a scene as SVG |
//! | [`page`] | a page that replays a game |
//! | [`png`] | SVG as PNG, with the fonts that the program brings along |
//!
//! A scene is made from rules, a world and events alone; the other parts know scenes only. Nothing here
//! reads a clock, a file or a system font: the same game gives the same bytes everywhere.

pub mod ground;
pub mod page;
pub mod png;
pub mod scene;
pub mod story;
pub mod svg;
