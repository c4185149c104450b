//! The one integration-test binary.

mod bad_input;
mod chapters;
mod commands;
mod names;
mod random_games;
mod support;
mod terminal;
