//! On how many threads a command works.

use clap::Args;

/// The argument that says so, of every command that plays many games or looks at many positions.
#[derive(Args, Clone, Copy, Default)]
pub(super) struct Threads {
    /// The number of threads, by default one for each core; it changes nothing but the time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl Threads {
    /// Returns the number of threads, if one was given.
    pub(super) fn count(self) -> Option<usize> {
        self.threads.map(usize::from)
    }
}
