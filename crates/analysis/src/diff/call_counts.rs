//! Call counts of the functions in which two rulesets differ: where the events are the same, they show whether the
//! changed code ran at all.

use crate::lines::counted;
use crate::parse::Use;
use crate::rules::card_text::CARD;
use crate::rules::keys::DECLARED;
use crate::rules::layers::{ABOUT, Layers};
use crate::rules::ruleset::Ruleset;
use crate::rules::run::lower::dial_meant;
use crate::rules::run::observe::{RunView, Watcher};
use crate::rules::run::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A function that is another one, is there, or reads a dial with another value, under one of two rule sets alone; and
/// how often it was called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineMatcher {
    /// Its name, as it is declared.
    pub function: String,
    /// The text that it is in.
    pub file: String,
    /// Number of calls; `None` for a function that declares: it is read when the rules are loaded.
    pub calls: Option<usize>,
}

impl LineMatcher {
    /// In a sentence; `several` functions of that name differ.
    pub fn words(&self, several: bool) -> String {
        let mut name = format!("`{}`", self.function);
        if several {
            name += &format!(" of {}", self.file);
        }
        match self.calls {
            None => {
                format!("{name} is read when the rules are loaded; what it declares makes no difference here")
            }
            Some(0) => format!("{name} was never called"),
            Some(times) => format!(
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

/// Whether a function declares: it is read when the rules are loaded, and not called in play.
pub(super) fn declares((_, function): &LineId) -> bool {
    DECLARED.contains(&function.rsplit('.').next().unwrap_or(function))
}

/// Whether a function only says something to people, which play never reads.
fn is_text_for_people(function: &str) -> bool {
    [ABOUT, CARD].contains(&function.rsplit('.').next().unwrap_or(function))
}

/// The functions of one rule set that the other does not have, has with other code, or runs with another value of a
/// dial that they read.
pub(super) fn differing(of: &Ruleset, other: &Ruleset) -> Vec<LineId> {
    let code = |layers: &Layers| -> BTreeMap<LineId, String> {
        let texts = layers.texts.iter();
        let functions = texts.flat_map(|text| {
            let named = |(name, code)| ((text.parsed.source.name.clone(), name), code);
            text.functions().into_iter().map(named)
        });
        functions
            .filter(|((_, name), _)| !is_text_for_people(name))
            .collect()
    };
    let (others, reading) = (code(&other.layers), reading(of, other));
    let differs = |(name, code): &(LineId, String)| others.get(name) != Some(code) || reading.contains(name);
    code(&of.layers)
        .into_iter()
        .filter(differs)
        .map(|(name, _)| name)
        .collect()
}

/// The functions of a rule set that read a dial which has another value in the other rule set, or a stat that such a
/// dial sets.
fn reading(of: &Ruleset, other: &Ruleset) -> BTreeSet<LineId> {
    let layers = &of.layers;
    let value = |ruleset: &Ruleset, name: &str| {
        let dial = ruleset.dials.iter().find(|dial| dial.name == name)?;
        Some(dial.value.clone())
    };
    let turned = |name: &str| value(of, name) != value(other, name);
    let stats = of.dials.iter().filter(|dial| turned(&dial.name));
    let stats = stats.filter_map(|dial| Some(dial.name.split_once('.')?.1));
    let stats: BTreeSet<&str> = stats
        .filter(|stat| of.rules.stats.iter().any(|s| s == stat))
        .collect();
    let mut found = BTreeSet::new();
    for (script, own) in layers.scripts.iter().enumerate() {
        for layer in own.stacks.iter().flat_map(|stack| &stack.layers) {
            let parsed = &layers.texts[layer.text].parsed;
            let within = |used: &&Use| parsed.around(used.at) == Some(layer.function);
            let mut names = parsed.free_names.iter().filter(within);
            let mut properties = parsed.properties.iter().filter(within);
            let of_dial = |used: &Use| {
                dial_meant(layers, script, &used.name, &of.dials).is_some_and(|dial| turned(&dial.name))
            };
            if names.any(of_dial) || properties.any(|used| stats.contains(used.name.as_str())) {
                let function = parsed.fns[layer.function].full_name();
                found.insert((parsed.source.name.clone(), function));
            }
        }
    }
    found
}
