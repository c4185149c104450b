//! The one integration-test binary.

mod bad_input;
mod commands;
mod names;
mod random_games;
mod small_games;
mod support;
mod terminal;
