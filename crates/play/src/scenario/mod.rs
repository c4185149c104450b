//! Scenarios as files: a position or a set-up to play, the answers and rolls, and what to expect. How one is laid on
//! the table and played is [`crate::stage`]'s.
//!
//! | module | |
//! |---|---|
//! | [`file`] | the TOML file as written |
//! | [`keys`] | the keys that the file may have, documented |
//! | [`answers`] | the answers that a file gives, as a source for the kernel |
//! | `problems` | every sentence about what is wrong with a scenario |
//! | [`outlines`] | pieces of terrain of a table top, as a file writes them |

pub mod answers;
pub mod file;
pub mod keys;
pub mod outlines;
pub mod problems;
