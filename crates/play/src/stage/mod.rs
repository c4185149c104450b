//! Scenarios on the table: laid, played, told as transcripts, changed by hand, and recorded again.
//!
//! | module | |
//! |---|---|
//! | [`set_up`] | the position that a scenario states, laid |
//! | [`run`] | lays the table, plays as far as asked, checks expectations |
//! | [`chapters`] | the later chapters of a stored game |
//! | [`transcribe`] | a play as its transcript, and where it tells something else than a stored one |
//! | [`moment`] | moments of a game in words |
//! | [`record`] | a play as a scenario, from its beginning or from where it stands |
//! | [`edit`] | changes by hand on the table, in words |
//! | `problems` | every sentence about what is wrong with a change by hand |
//! | [`dice`] | how dice lie in an arena, and what comes of throws |

pub mod chapters;
pub mod dice;
pub mod edit;
pub mod moment;
mod problems;
pub mod record;
pub mod run;
pub mod set_up;
pub mod throws;
pub mod transcribe;
