//! Studies: what many plays between agents say about a game and its tweaks.
//!
//! A game of a study is told by its number alone: it gives the seed, the armies and who sits where. So the same
//! study is the same games, however many threads play them, in one run or in many.

pub mod compare;
pub mod factorial;
pub mod head;
pub mod heading;
pub mod health;
pub mod matchups;
pub mod measure;
pub mod merge;
pub mod pairings;
pub mod people_games;
pub mod problems;
pub mod record;
pub mod report;
pub mod results;
pub mod setting;
pub mod summary;
pub mod sweep;
pub mod targets;
pub mod value;
