//! The one integration-test binary.

mod bad_input;
mod chapters;
mod commands;
mod debug;
mod diff;
mod layers;
mod mutate;
mod names;
mod random_games;
mod small_games;
mod snapshots;
mod support;
mod terminal;
mod tweaks;
mod why;
