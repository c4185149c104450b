//! The one integration-test binary.

mod bad_input;
mod commands;
mod diff;
mod names;
mod random_games;
mod support;
mod terminal;
