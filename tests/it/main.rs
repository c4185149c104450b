//! The one integration-test binary.

mod bad_input;
mod branches;
mod chapters;
mod commands;
mod debug;
mod diff;
mod docs;
mod edits;
mod gallery;
mod layers;
mod line_editor;
mod maps;
mod mutate;
mod names;
mod pictures;
mod random_games;
mod reference;
mod replay;
mod small_games;
mod snapshots;
mod starter;
mod support;
mod terminal;
mod thought;
mod tweaks;
mod why;
