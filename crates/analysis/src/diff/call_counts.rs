//! Call counts of the functions in which two rulesets differ: where the events are the same, they show whether the
//! changed code ran at all.

use crate::lines::counted;
use crate::rules::keys::{DECLARATIONS, DECLARED};
use crate::rules::layers::Layers;
use crate::rules::ruleset::Ruleset;
use crate::rules::run::observe::{RunView, Watcher};
use crate::rules::run::value::Value;
use std::collections::BTreeMap;

/// A function that is another one, or is there, under one of two rule sets alone; and how often it was called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineMatcher {
    /// Its name, as it is declared.
    pub function: String,
    /// The text that it is in.
    pub file: String,
    /// Number of calls.
    pub calls: usize,
}

impl LineMatcher {
    /// In a sentence; `several` functions of that name differ.
    pub fn words(&self, several: bool) -> String {
        let mut name = format!("`{}`", self.function);
        if several {
            name += &format!(" of {}", self.file);
        }
        match self.calls {
            0 => format!("{name} was never called"),
            times => format!(
                "{name} was called {}, with the same result",
                counted(times, "time")
            ),
        }
    }
}

/// Counts calls by the numbers of the functions.
#[derive(Default)]
pub(super) struct OccurrenceCounter(Vec<usize>);

impl Watcher for OccurrenceCounter {
    fn enter(&mut self, _: &RunView<'_>, function: usize, _: &[Value]) {
        if self.0.len() <= function {
            self.0.resize(function + 1, 0);
        }
        self.0[function] += 1;
    }
}

/// The text that a function is in, and its name.
pub(super) type LineId = (String, String);

/// Returns the number of calls of each function of a ruleset.
pub(super) fn calls(ruleset: &Ruleset, counter: &OccurrenceCounter) -> BTreeMap<LineId, usize> {
    let mut calls = BTreeMap::new();
    for (number, function) in ruleset.functions().iter().enumerate() {
        let text = &ruleset.layers.texts[function.text].parsed;
        let def = text.fns.iter().find(|def| def.at == function.at);
        let name = def.map_or_else(|| function.name.clone(), |def| def.full_name());
        let times = counter.0.get(number).copied().unwrap_or_default();
        *calls.entry((text.source.name.clone(), name)).or_default() += times;
    }
    calls
}

/// The functions of one rule set that the other does not have so, but for those that are read as the rules are loaded.
pub(super) fn differing(of: &Layers, other: &Layers) -> Vec<LineId> {
    let code = |layers: &Layers| -> BTreeMap<LineId, String> {
        let texts = layers.texts.iter();
        let functions = texts.flat_map(|text| {
            let named = |(name, code)| ((text.parsed.source.name.clone(), name), code);
            text.functions().into_iter().map(named)
        });
        functions.collect()
    };
    let other = code(other);
    let is_read = |name: &str| {
        let name = name.rsplit('.').next().unwrap_or(name);
        DECLARED.contains(&name) || DECLARATIONS.iter().any(|d| d.name == name)
    };
    let differs = |(name, code): &(LineId, String)| other.get(name) != Some(code) && !is_read(&name.1);
    code(of)
        .into_iter()
        .filter(differs)
        .map(|(name, _)| name)
        .collect()
}
