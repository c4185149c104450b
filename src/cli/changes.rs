//! The changes that a command makes to rules and seed before it plays.

use super::problems;
use crate::diff::Addition;
use crate::report::Problem;
use crate::scenario::file::DialValue;
use crate::stage::run::Overrides;
use clap::Args;

/// The arguments that say so, of every command that plays.
#[derive(Args, Clone, Default)]
pub(super) struct Changes {
    /// Turn a variant on
    #[arg(long, value_name = "NAME")]
    pub variant: Vec<String>,
    /// Turn a variant off that is on by default
    #[arg(long, value_name = "NAME")]
    pub without: Vec<String>,
    /// Turn a dial
    #[arg(long, value_name = "DIAL=VALUE")]
    pub set: Vec<String>,
    /// The seed of dice and agents; by default that of the scenario, and 1 for studies
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

impl Changes {
    /// Returns the variants, dials and seed that these arguments select.
    ///
    /// # Errors
    ///
    /// A dial has no value or two; a variant is put on and left out.
    pub(super) fn overrides(self) -> Result<Overrides, Problem> {
        let dials = self.dials()?;
        for (nth, (name, value)) in dials.iter().enumerate() {
            let mut others = dials[..nth].iter();
            if let Some((_, other)) = others.find(|(n, v)| n == name && v != value) {
                return Err(problems::two_values(name, other, value));
            }
        }
        if let Some(name) = self.without.iter().find(|w| self.variant.contains(w)) {
            return Err(problems::on_and_off(name));
        }
        Ok(Overrides {
            seed: self.seed,
            dials,
            variants: self.variant,
            without: self.without,
            ..Overrides::default()
        })
    }

    fn dials(&self) -> Result<Vec<(String, DialValue)>, Problem> {
        let read = self.set.iter().map(|set| match set.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_owned(), DialValue::read(value.trim()))),
            None => Err(problems::missing_value(
                format!("--set {set}"),
                "--set DIAL=VALUE",
            )),
        });
        read.collect()
    }

    /// The same as what a comparison adds to a base, each once; a dial may have several values.
    ///
    /// # Errors
    ///
    /// A dial has no value.
    pub(super) fn tweaks(&self) -> Result<Vec<Addition>, Problem> {
        let variants = self.variant.iter().cloned().map(Addition::Variant);
        let without = self.without.iter().cloned().map(Addition::Without);
        let dials = self.dials()?.into_iter();
        let mut tweaks: Vec<Addition> = Vec::new();
        let dials = dials.map(|(n, v)| Addition::Dial(n, v));
        for addition in variants.chain(dials).chain(without) {
            if !tweaks.contains(&addition) {
                tweaks.push(addition);
            }
        }
        Ok(tweaks)
    }
}
