//! Scenarios on the table: laid, played, told as transcripts, changed by hand, and recorded again.
//!
//! | module | |
//! |---|---|
//! | [`set_up`] | whether a game may start from a position |
//! | [`run`] | lays the table, plays as far as asked, checks expectations |
//! | [`chapters`] | the later chapters of a stored game |
//! | [`transcribe`] | a play as its transcript, and where it tells something else than a stored one |
//! | [`moment`] | moments of a game in words |
//! | [`record`] | a play as a scenario, from its beginning or from where it stands |
//! | [`edit`] | changes by hand on the table |
//! | [`throws`] | results of throws that a scenario states |

pub mod chapters;
pub mod edit;
pub mod moment;
pub mod record;
pub mod run;
pub mod set_up;
pub mod throws;
pub mod transcribe;
