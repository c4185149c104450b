//! Trials of rules as a whole: scripts run, games are played, and the work is measured. They use what stands on many
//! floors, and so have one of their own.

use std::path::Path;

mod games;
mod programs;
mod work;

/// The folder of the whole repository.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
