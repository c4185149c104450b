//! Trials of rules as a whole: scripts run, games are played, and the work is measured. They use what stands on many
//! floors, and so have one of their own.

mod games;
mod programs;
mod work;
