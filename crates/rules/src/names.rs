//! Names that stand in quotes in scripts, against what the game has: a word that is never looked up until its line
//! is played would be told only there.

use super::declare::problems::unknown_name;
use super::declare::{Dial, DialRange};
use super::layers::Layers;
use super::lint::keys_of;
use super::problems;
use super::run::lower::dial_meant;
use crate::kernel::rules::{Rules, SlotKind};
use crate::parse::{TextPosition, UsedName};
use crate::report::{Problem, did_you_mean, hint_for};
use std::cell::LazyCell;
use std::collections::BTreeSet;

/// Kind of thing that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameKind {
    Type,
    Terrain,
    Zone,
    Faction,
    Place,
    /// A stat, or a slot of units that is a number.
    UnitNumber,
    /// A slot of whatever there is.
    Slot,
    Phase,
}

/// Functions that take a name: how many arguments they have, and which of them it is.
const TAKES: [(&str, usize, usize, NameKind); 11] = [
    ("unit_type", 1, 0, NameKind::Type),
    ("of_type", 2, 1, NameKind::Type),
    ("terrain", 1, 0, NameKind::Terrain),
    ("of_terrain", 2, 1, NameKind::Terrain),
    ("zone", 1, 0, NameKind::Zone),
    ("faction", 1, 0, NameKind::Faction),
    ("place", 1, 0, NameKind::Place),
    ("total", 2, 1, NameKind::UnitNumber),
    ("add", 4, 1, NameKind::Slot),
    ("add", 5, 1, NameKind::Slot),
    ("count", 1, 0, NameKind::Phase),
];

/// Properties that are no texts, and what says such a thing by its name.
const THINGS: [(&str, &str); 3] = [("place", "place"), ("owner", "faction"), ("type", "unit_type")];

/// Functions that say one of a few words.
const SAYS: [(&str, &[&str]); 1] = [("sight", &["free", "partly", "hidden"])];

/// Returns the problems with the names in quotes of all texts. A function that a script has itself is not the one that
/// takes a name.
pub fn check(layers: &Layers, rules: &Rules, dials: &[Dial]) -> Vec<Problem> {
    let texts = layers.texts.iter();
    let own: BTreeSet<&str> = texts
        .flat_map(|text| text.parsed.fns.iter().map(|f| f.name.as_str()))
        .collect();
    // Hardly anybody compares a property with a text.
    let is_key = LazyCell::new(|| keys_of(layers.texts.iter().map(|text| &*text.parsed).collect()));
    // What is another under other dials or variants is told where it is played.
    let mut unsettled = vec!["board", "stats", "slots", "phases"];
    unsettled.retain(|declares| !is_settled(layers, declares, &own, dials));
    let mut found = Vec::new();
    for (index, text) in layers.texts.iter().enumerate() {
        let parsed = &text.parsed;
        for quoted in parsed.quoted() {
            let (name, at) = (quoted.name.as_str(), quoted.at);
            let problem = match &quoted.used {
                UsedName::Taken(function, ..) | UsedName::Said(function)
                    if own.contains(function.as_str()) =>
                {
                    continue;
                }
                UsedName::Taken(function, nth, args) => {
                    let mut takes = TAKES.into_iter();
                    let found = takes.find(|(f, of, at, _)| f == function && of == args && at == nth);
                    let of = found.map(|(.., of)| of);
                    let of =
                        of.filter(|of| !of.declared().iter().any(|function| unsettled.contains(function)));
                    of.and_then(|of| of.missing(name, rules))
                }
                UsedName::Said(function) => {
                    let says = SAYS.into_iter().find(|(f, _)| f == function);
                    says.filter(|(_, words)| !words.contains(&name))
                        .map(|(_, words)| {
                            let problem = problems::impossible_word(format!("`{function}`"), name);
                            problem.hint(hint_for(name, words.iter().copied()))
                        })
                }
                UsedName::Property(property) => {
                    let thing = THINGS.into_iter().find(|(p, _)| p == property);
                    // A map may have a text under that name.
                    thing.filter(|_| !is_key(property)).map(|(_, finds)| {
                        let problem = problems::impossible_word(format!("`.{property}`"), name);
                        problem.hint(format!("write `{finds}(\"{name}\")`"))
                    })
                }
                UsedName::Compared(variable) if parsed.is_variable(variable, at) => continue,
                UsedName::Compared(variable) => {
                    let script = layers.around(index, at).map_or(0, |(_, place)| place.script);
                    match dial_meant(layers, script, variable, dials).map(|dial| (&dial.name, &dial.range)) {
                        // Of a word that is like none of them a variant may have been the only one that has it.
                        Some((dial, DialRange::Words(words))) if !words.iter().any(|word| word == name) => {
                            let near = did_you_mean(name, words.iter().map(String::as_str));
                            near.map(|near| {
                                let problem = problems::impossible_word(format!("the dial `{dial}`"), name);
                                problem.hint(format!("did you mean `{near}`?"))
                            })
                        }
                        _ => None,
                    }
                }
            };
            // With its quotes, where it stands between plain ones.
            let start = parsed.source.span_at(at.0, at.1).start;
            let span = start..start + name.len() + 2;
            found.extend(problem.map(|problem| problem.at(&parsed.source, span)));
        }
    }
    found
}

/// Whether what a function of the game declares is so under all dials and variants: it is one text that asks for none.
fn is_settled(layers: &Layers, declares: &str, own: &BTreeSet<&str>, dials: &[Dial]) -> bool {
    match layers.scripts[0].declaration(declares) {
        [] => true,
        [only] => {
            let parsed = &layers.texts[only.text].parsed;
            let within = |at: TextPosition| parsed.around(at) == Some(only.function);
            let mut names = parsed.free_names.iter().filter(|used| within(used.at));
            let mut calls = parsed.calls.iter().filter(|used| within(used.at));
            !names.any(|used| dial_meant(layers, 0, &used.name, dials).is_some())
                && !calls.any(|used| own.contains(used.name.as_str()))
        }
        _ => false,
    }
}

impl NameKind {
    /// The functions of a game that declare such names; none where files do.
    fn declared(self) -> &'static [&'static str] {
        match self {
            NameKind::Type | NameKind::Terrain => &[],
            NameKind::Zone | NameKind::Faction | NameKind::Place => &["board"],
            NameKind::UnitNumber => &["stats", "slots"],
            NameKind::Slot => &["slots"],
            NameKind::Phase => &["phases"],
        }
    }

    /// Returns a problem if a game has nothing of that name.
    fn missing(self, name: &str, rules: &Rules) -> Option<Problem> {
        fn names<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
            all.collect()
        }
        let slots = &rules.slots;
        let (what, known) = match self {
            NameKind::Type => ("unit type", names(rules.types.iter().map(|t| t.name.as_str()))),
            NameKind::Terrain => ("terrain", names(rules.terrains.iter().map(|t| t.name.as_str()))),
            NameKind::Zone => ("zone", names(rules.board.zones.iter().map(|z| z.name.as_str()))),
            NameKind::Faction => ("faction", names(rules.factions.iter().map(String::as_str))),
            NameKind::Place if rules.board.place(name).is_some() => return None,
            NameKind::Place => (
                "place",
                names(rules.board.places().iter().map(|p| rules.board.name(p))),
            ),
            NameKind::UnitNumber => {
                let slots = slots
                    .unit
                    .iter()
                    .filter(|s| matches!(s.kind, SlotKind::Number | SlotKind::Flag));
                let slots = slots.map(|slot| slot.name.as_str());
                (
                    "stat or slot",
                    names(rules.stats.iter().map(String::as_str).chain(slots)),
                )
            }
            // Of one that is no number the function itself says more.
            NameKind::Slot => ("slot", names(slots.all().map(|slot| slot.name.as_str()))),
            // The root is nobody's to name.
            NameKind::Phase => (
                "phase",
                names(rules.phases.iter().skip(1).map(|p| p.name.as_str())),
            ),
        };
        let hint = || hint_for(name, known.iter().copied());
        (!known.contains(&name)).then(|| unknown_name(what, name).hint(hint()))
    }
}
