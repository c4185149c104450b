//! The one integration-test binary.

mod bad_input;
mod chapters;
mod commands;
mod diff;
mod docs;
mod layers;
mod mutate;
mod names;
mod random_games;
mod reference;
mod small_games;
mod snapshots;
mod starter;
mod support;
mod terminal;
mod tweaks;
mod why;
