//! What a command changes of the rules and the seed before it plays.

use crate::report::Problem;
use crate::scenario::file::DialValue;
use crate::stage::run::Overrides;
use clap::Args;

/// The arguments that say so, of every command that plays.
#[derive(Args, Clone, Default)]
pub(super) struct Changes {
    /// Puts a variant on
    #[arg(long, value_name = "NAME")]
    pub variant: Vec<String>,
    /// Turns a dial
    #[arg(long, value_name = "DIAL=VALUE")]
    pub set: Vec<String>,
    /// Another seed for dice and agents; without this a scenario has its own, and studies have 1
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

impl Changes {
    /// What is put on, turned and seeded for a run.
    ///
    /// # Errors
    ///
    /// A dial has no value.
    pub(super) fn overrides(self) -> Result<Overrides, Problem> {
        let mut dials = Vec::new();
        for set in &self.set {
            let Some((name, value)) = set.split_once('=') else {
                return Err(Problem::new(format!("`--set {set}` has no value"))
                    .hint("write --set DIAL=VALUE, such as --set max_rounds=8"));
            };
            dials.push((name.trim().to_owned(), DialValue::read(value.trim())));
        }
        Ok(Overrides {
            seed: self.seed,
            dials,
            variants: self.variant,
            ..Overrides::default()
        })
    }
}
