//! Definition of a comparison: the layers of both sides.

use crate::agents::Agent;
use crate::rules::layers::SCRATCH;
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::scenario::file::{DialValue, ScenarioFile};
use crate::stage::run::{self, Overrides};
use std::fmt;

/// Returns a note if a dial is set to the value that it has anyway, so that the value would be compared with itself.
pub fn set_already(base: &Ruleset, name: &str, value: &DialValue) -> Option<String> {
    let dial = base.dials.iter().find(|d| d.name == name && d.value == *value)?;
    Some(format!("`{}` is already {value}, so nothing changes", dial.name))
}

/// Returns a sentence for each added variant that was on already, and for each left-out variant that was off already.
pub fn so_already(
    (put_on, left_out): (&[String], &[String]),
    file: &ScenarioFile,
    adopted: &[String],
) -> Vec<String> {
    let on = put_on.iter().filter(|v| is_on(v, file, adopted));
    let on = on.map(|v| format!("`{v}` is already on, so nothing changes"));
    let off = left_out.iter().filter(|v| !is_on(v, file, adopted));
    on.chain(off.map(|v| format!("`{v}` is not on, so nothing changes")))
        .collect()
}

/// One change of the tweaked side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addition {
    /// A variant.
    Variant(String),
    /// A variant that is on otherwise and is left out.
    Without(String),
    /// A dial and what it is turned to.
    Dial(String, DialValue),
    /// A scratch layer, by its text.
    Scratch(String),
}

impl Addition {
    /// Reads an addition written as `VARIANT` or `DIAL=VALUE`.
    pub fn read(text: &str) -> Self {
        match text.split_once('=') {
            Some((dial, value)) => Self::Dial(dial.trim().to_owned(), DialValue::read(value.trim())),
            None => Self::Variant(text.to_owned()),
        }
    }

    /// Puts it on, behind what is on already.
    pub fn put_on(&self, overrides: &mut Overrides) {
        match self.clone() {
            Self::Variant(name) => overrides.variants.push(name),
            Self::Without(name) => overrides.without.push(name),
            Self::Dial(name, value) => overrides.dials.push((name, value)),
            Self::Scratch(text) => overrides.scratch = Some(text),
        }
    }
}

impl fmt::Display for Addition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Addition::Variant(name) => f.write_str(name),
            Addition::Without(name) => write!(f, "without {name}"),
            Addition::Dial(name, value) => write!(f, "{name}={value}"),
            Addition::Scratch(_) => f.write_str(SCRATCH),
        }
    }
}

/// Each change in words.
pub fn names(variants: &[Addition]) -> Vec<String> {
    variants.iter().map(Addition::to_string).collect()
}

/// Changes in words: `with fog, max_rounds=8, without rain`.
pub fn named(variants: &[Addition]) -> String {
    let with = match variants.first() {
        Some(Addition::Without(_)) | None => "",
        Some(_) => "with ",
    };
    format!("{with}{}", names(variants).join(", "))
}

/// Definition of a comparison.
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
    /// Agent that answers after a divergence; without one, the game stops there.
    pub then: Option<Agent>,
}

impl Comparison {
    /// The comparison of one tweak alone, with the variants that it requires on either side.
    pub fn of_one(&self, variant: &Addition, required: &[String]) -> Self {
        let with = required.iter().cloned().map(Addition::Variant);
        Comparison {
            against: self.against.iter().chain(required).cloned().collect(),
            tweaks: with.chain([variant.clone()]).collect(),
            ..self.clone()
        }
    }

    /// The base of a scenario: without the variants that the tweak is made of.
    pub(super) fn base(&self, file: &ScenarioFile, adopted: &[String]) -> ComparisonSetup {
        ComparisonSetup::new(file, &self.without(file, adopted))
    }

    /// The tweaked side of a scenario with only these of the layers.
    pub(super) fn tweaked(&self, file: &ScenarioFile, adopted: &[String], on: &[usize]) -> ComparisonSetup {
        ComparisonSetup::new(file, &self.with(file, adopted, on))
    }

    /// Returns the changes that the base side makes to a scenario.
    pub fn without(&self, file: &ScenarioFile, adopted: &[String]) -> Overrides {
        let off = self.removed_variants(file, adopted).into_iter();
        Overrides {
            seed: self.seed,
            variants: self.against.clone(),
            without: off.chain(self.off.iter().cloned()).collect(),
            scratch: self.scratch.clone(),
            ..Overrides::default()
        }
    }

    /// Returns the changes that the variant side makes to a scenario, with only these of its layers.
    pub fn with(&self, file: &ScenarioFile, adopted: &[String], on: &[usize]) -> Overrides {
        let mut overrides = Overrides {
            seed: self.seed,
            without: self.off.clone(),
            scratch: self.scratch.clone(),
            ..Overrides::default()
        };
        for (index, variant) in self.tweaks.iter().enumerate() {
            match variant {
                _ if on.contains(&index) => variant.put_on(&mut overrides),
                Addition::Variant(name) if is_on(name, file, adopted) => overrides.without.push(name.clone()),
                _ => {}
            }
        }
        overrides
    }

    /// Returns notes about the variants that are taken off or left out, a sentence each.
    pub fn layer_notes(&self, file: &ScenarioFile, adopted: &[String]) -> Vec<String> {
        let off = self.removed_variants(file, adopted).into_iter().map(|variant| {
            let who = match adopted.contains(&variant) {
                true => "the game has adopted",
                false => "the scenario has on",
            };
            format!("{who} `{variant}`; the base takes it off")
        });
        let without = self.tweaks.iter().filter_map(|addition| match addition {
            Addition::Without(name) => Some(name.clone()),
            _ => None,
        });
        let without: Vec<String> = without.collect();
        off.chain(so_already((&[], &without), file, adopted)).collect()
    }

    /// The variants that a scenario or its game has on and the base takes off.
    fn removed_variants(&self, file: &ScenarioFile, adopted: &[String]) -> Vec<String> {
        let named = self.tweaks.iter().filter_map(|t| match t {
            Addition::Variant(name) if !self.against.contains(name) => Some(name),
            _ => None,
        });
        named.filter(|name| is_on(name, file, adopted)).cloned().collect()
    }

    /// All of its layers.
    pub fn all(&self) -> Vec<usize> {
        (0..self.tweaks.len()).collect()
    }
}

/// Whether a scenario has a variant on without being told.
pub fn is_on(variant: &str, file: &ScenarioFile, adopted: &[String]) -> bool {
    adopted.iter().any(|a| a == variant) || file.variants.iter().any(|v| v.value == variant)
}

/// A scenario file with what its rules are loaded with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ComparisonSetup {
    pub(super) file: ScenarioFile,
    pub(super) options: LoadOptions,
    /// Whether its rules are those before a change of the files, where there was one.
    pub(super) was: bool,
}

impl ComparisonSetup {
    pub(super) fn new(file: &ScenarioFile, overrides: &Overrides) -> Self {
        let file = run::changed(file, overrides);
        Self {
            options: LoadOptions {
                scratch: overrides.scratch.clone(),
                ..run::options_of(&file, &overrides.without)
            },
            file,
            was: false,
        }
    }
}
