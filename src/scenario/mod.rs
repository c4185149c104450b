//! Scenarios: a position or a set-up to play, the answers and rolls, and what to expect.
//!
//! | module | |
//! |---|---|
//! | [`file`] | the TOML file as written |
//! | [`keys`] | the keys that the file may have, documented |
//! | [`answers`] | the answers that a file gives, as a source for the kernel |
//! | [`moment`] | moments of a game in words |
//! | [`record`] | a play as a scenario, from its beginning or from where it stands |
//! | [`edit`] | changes by hand on the table, in words |
//! | [`dice`] | how dice lie in an arena, and what comes of throws |
//! | [`chapters`] | the later chapters of a stored game |
//! | [`run`] | lays the table, plays as far as asked, checks expectations |

pub mod answers;
pub mod chapters;
pub mod dice;
pub mod edit;
pub mod file;
pub mod keys;
pub mod lay;
pub mod moment;
pub mod outlines;
pub mod record;
pub mod run;
