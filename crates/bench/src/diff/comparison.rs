//! What is compared with what: the layers of either side.

use crate::agents::Agent;
use crate::scenario::file::{DialValue, ScenarioFile};
use crate::script::host::{Host, Options};
use crate::script::layers::SCRATCH;
use crate::stage::run::{self, Overrides};
use std::fmt;

/// What is to be said of a dial that is turned to what it is set to anyway: that compares a value with itself.
pub fn set_already(base: &Host, name: &str, value: &DialValue) -> Option<String> {
    let dial = base.dials.iter().find(|d| d.name == name && d.value == *value)?;
    Some(format!(
        "`{}` is {value} already: it is compared with itself",
        dial.name
    ))
}

/// One layer that is on on the tweaked side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addition {
    /// A variant.
    Variant(String),
    /// A dial and what it is turned to.
    Dial(String, DialValue),
    /// A scratch layer, by its text.
    Scratch(String),
}

impl fmt::Display for Addition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Addition::Variant(name) => f.write_str(name),
            Addition::Dial(name, value) => write!(f, "{name}={value}"),
            Addition::Scratch(_) => f.write_str(SCRATCH),
        }
    }
}

/// What is compared with what.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// Variants that are on on the base's side, besides the scenario's own.
    pub against: Vec<String>,
    /// The layers of the tweaked side, besides the scenario's own; each once.
    pub tweaks: Vec<Addition>,
    /// Another seed for both sides.
    pub seed: Option<u64>,
    /// Variants that are off on both sides although the game has adopted them.
    pub off: Vec<String>,
    /// The scratch layer of both sides.
    pub scratch: Option<String>,
    /// Who goes on after a divergence; nobody does without.
    pub then: Option<Agent>,
}

impl Comparison {
    /// The base of a scenario: without the variants that the tweak is made of.
    pub(super) fn base(&self, file: &ScenarioFile, adopted: &[String]) -> Setup {
        let overrides = Overrides {
            seed: self.seed,
            variants: self.against.clone(),
            without: [self.taken_off(file, adopted), self.off.clone()].concat(),
            scratch: self.scratch.clone(),
            ..Overrides::default()
        };
        Setup::new(file, &overrides)
    }

    /// The tweaked side of a scenario with only these of the layers.
    pub(super) fn tweaked(&self, file: &ScenarioFile, adopted: &[String], on: &[usize]) -> Setup {
        let mut overrides = Overrides {
            seed: self.seed,
            without: self.off.clone(),
            scratch: self.scratch.clone(),
            ..Overrides::default()
        };
        for (index, tweak) in self.tweaks.iter().enumerate() {
            match (tweak, on.contains(&index)) {
                (Addition::Variant(name), true) => overrides.variants.push(name.clone()),
                (Addition::Variant(name), false) if is_on(name, file, adopted) => {
                    overrides.without.push(name.clone());
                }
                (Addition::Dial(name, value), true) => overrides.dials.push((name.clone(), value.clone())),
                (Addition::Scratch(text), true) => overrides.scratch = Some(text.clone()),
                _ => {}
            }
        }
        Setup::new(file, &overrides)
    }

    /// The variants that a scenario or its game has on and the base takes off.
    pub(super) fn taken_off(&self, file: &ScenarioFile, adopted: &[String]) -> Vec<String> {
        let named = self.tweaks.iter().filter_map(|t| match t {
            Addition::Variant(name) if !self.against.contains(name) => Some(name),
            _ => None,
        });
        named.filter(|name| is_on(name, file, adopted)).cloned().collect()
    }

    pub(super) fn all(&self) -> Vec<usize> {
        (0..self.tweaks.len()).collect()
    }
}

/// Whether a scenario has a variant on without being told.
fn is_on(variant: &String, file: &ScenarioFile, adopted: &[String]) -> bool {
    adopted.contains(variant) || file.variants.iter().any(|v| v.value == *variant)
}

/// A scenario file with what its rules are loaded with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setup {
    pub(super) file: ScenarioFile,
    pub(super) options: Options,
    /// Whether its rules are those before a change of the files, where there was one.
    pub(super) was: bool,
}

impl Setup {
    pub(super) fn new(file: &ScenarioFile, overrides: &Overrides) -> Self {
        let file = run::changed(file, overrides);
        Self {
            options: Options {
                scratch: overrides.scratch.clone(),
                ..run::options_of(&file, &overrides.without)
            },
            file,
            was: false,
        }
    }
}
