//! Scenarios: a position or a set-up to play, the answers and rolls, and what to expect.
//!
//! | module | |
//! |---|---|
//! | [`file`] | the TOML file as written |
//! | [`answers`] | the answers that a file gives, as a source for the kernel |
//! | [`edit`] | changes by hand on the table, in words |
//! | [`chapters`] | the later chapters of a stored game |
//! | [`run`] | lays the table, plays as far as asked, checks expectations |

pub mod answers;
pub mod chapters;
pub mod edit;
pub mod file;
pub mod run;
