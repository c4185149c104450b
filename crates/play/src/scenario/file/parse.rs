//! A scenario's text as TOML, and what of it is a scenario: every problem of form, where it is written.

use super::print::dotted;
use super::{DEFAULT_OPEN, DEFAULT_SEED, DialValue, KEYS, ScenarioFile};
use crate::description::{Description, NamedEntries, SlotValue, Slots, Spanned, UnitLine, words};
use crate::files::problems::misplaced_key;
use crate::report::{Problem, Source, from_top};
use crate::scenario::problems;
use crate::toml_text::{self, InOrder, OneOrMany, is_stray};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// A scenario as TOML has it.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct TomlScenario {
    game: Option<Spanned<String>>,
    title: Option<Spanned<String>>,
    about: Option<Spanned<String>>,
    puzzle: Option<Spanned<String>>,
    proves: Vec<Spanned<String>>,
    seed: Option<u64>,
    variants: Vec<Spanned<String>>,
    until: Option<Spanned<String>>,
    empty: bool,
    open: Option<Spanned<String>>,
    terrain: InOrder<Spanned<OneOrMany<String>>>,
    units: InOrder<Vec<Spanned<String>>>,
    slots: InOrder<InOrder<Spanned<SlotValue>>>,
    dials: Dials,
    answers: Vec<Spanned<String>>,
    rolls: InOrder<Vec<Spanned<OneOrMany<i64>>>>,
    throws: InOrder<Vec<Spanned<String>>>,
    refused: Option<Spanned<String>>,
    expect: Vec<Spanned<String>>,
    perft: Vec<Spanned<u64>>,
    perft_forced: Vec<Spanned<u64>>,
}

/// Dials by their full names; tables in each other and names with dots say the same.
#[derive(Debug, Clone, Default)]
pub struct Dials(pub NamedEntries<Spanned<DialValue>>);

impl<'de> Deserialize<'de> for Dials {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let InOrder(entries) = InOrder::<Spanned<DialEntry>>::deserialize(from)?;
        let mut dials = Vec::new();
        for (key, entry) in entries {
            entry.value.add_to(&mut dials, key, entry.span);
        }
        dials.sort_by_key(|(_, value)| value.span.start);
        Ok(Dials(dials))
    }
}

enum DialEntry {
    Value(DialValue),
    Table(InOrder<Spanned<DialEntry>>),
}

impl DialEntry {
    fn add_to(
        self,
        dials: &mut NamedEntries<Spanned<DialValue>>,
        name: Spanned<String>,
        span: std::ops::Range<usize>,
    ) {
        match self {
            DialEntry::Value(value) => dials.push((name, Spanned::new(value, span))),
            DialEntry::Table(InOrder(entries)) => {
                for (key, entry) in entries {
                    let name = Spanned::new(format!("{name}.{key}"), key.span);
                    entry.value.add_to(dials, name, entry.span);
                }
            }
        }
    }
}

impl<'de> Deserialize<'de> for DialEntry {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct EntryVisitor;
        impl<'de> Visitor<'de> for EntryVisitor {
            type Value = DialEntry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an integer or a string")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<DialEntry, E> {
                Ok(DialEntry::Value(DialValue::Number(number)))
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<DialEntry, E> {
                Ok(DialEntry::Value(DialValue::Word(word.to_owned())))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<DialEntry, A::Error> {
                let table = serde::de::value::MapAccessDeserializer::new(map);
                Ok(DialEntry::Table(InOrder::deserialize(table)?))
            }
        }
        from.deserialize_any(EntryVisitor)
    }
}

/// Reads a scenario as far as it can be read, with every problem of form.
pub(super) fn read(source: Arc<Source>) -> (ScenarioFile, Vec<Problem>) {
    let (written, found) = toml_text::read::<TomlScenario>(&source, KEYS);
    let is_blank = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let mut checks = Checks {
        source,
        found: Vec::new(),
    };
    let file = checks.scenario(written.unwrap_or_default());
    // One complaint for a line is enough.
    let lines: BTreeSet<usize> = found.iter().filter_map(Problem::line).collect();
    checks
        .found
        .retain(|problem| problem.line().is_none_or(|line| !lines.contains(&line)));
    checks.found.extend(found);
    if checks.found.is_empty() && file.game.is_empty() {
        let is_empty = file
            .source
            .text
            .trim_start_matches('\u{feff}')
            .lines()
            .all(is_blank);
        let problem = match is_empty {
            true => problems::empty_scenario(),
            false => problems::missing_game(),
        };
        checks.found.push(problem.at(&file.source, 0..0));
    }
    (file, from_top(checks.found))
}

/// Checks of what any text and any name in TOML may be, but not here.
struct Checks {
    source: Arc<Source>,
    found: Vec<Problem>,
}

impl Checks {
    fn scenario(&mut self, written: TomlScenario) -> ScenarioFile {
        ScenarioFile {
            source: Arc::clone(&self.source),
            game: self.word("`game`", written.game).unwrap_or_default(),
            title: written.title.filter(|title| self.is_one_line(title)),
            about: written.about,
            puzzle: self.word("`puzzle`", written.puzzle),
            proves: self.words("`proves`", written.proves),
            seed: written.seed.unwrap_or(DEFAULT_SEED),
            variants: self.words("`variants`", written.variants),
            until: self.word("`until`", written.until),
            empty: written.empty,
            open: self
                .word("`open`", written.open)
                .unwrap_or_else(|| DEFAULT_OPEN.to_owned().into()),
            position: Description {
                terrain: self.terrain(written.terrain.0),
                units: self.units(written.units.0),
                slots: self.slots(written.slots.0),
                in_play: None,
            },
            dials: self.dials(written.dials.0),
            answers: self.words("`answers`", written.answers),
            rolls: written
                .rolls
                .0
                .into_iter()
                .map(|(label, rolls)| {
                    let dice = |roll: Spanned<OneOrMany<i64>>| Spanned::new(roll.value.0, roll.span);
                    (label, rolls.into_iter().map(dice).collect())
                })
                .collect(),
            throws: written
                .throws
                .0
                .into_iter()
                .map(|(label, throws)| {
                    let throws = self.words(&format!("`{}`", dotted("throws", &label)), throws);
                    (label, throws)
                })
                .collect(),
            refused: self.word("`refused`", written.refused),
            expect: self.words("`expect`", written.expect),
            perft: written.perft,
            perft_forced: written.perft_forced,
        }
    }

    fn note(&mut self, problem: Problem, span: std::ops::Range<usize>) {
        self.found.push(problem.at(&self.source, span));
    }

    /// A text that has something in it.
    fn word(&mut self, what: &str, text: Option<Spanned<String>>) -> Option<Spanned<String>> {
        let text = text?;
        if text.trim().is_empty() {
            self.note(problems::empty_text(what), text.span);
            return None;
        }
        Some(text)
    }

    fn words(&mut self, what: &str, texts: Vec<Spanned<String>>) -> Vec<Spanned<String>> {
        let entry = format!("an entry of {what}");
        texts
            .into_iter()
            .filter_map(|text| self.word(&entry, Some(text)))
            .collect()
    }

    fn is_one_line(&mut self, title: &Spanned<String>) -> bool {
        let is_one = !title.contains('\n');
        if !is_one {
            self.note(problems::title_of_several_lines(), title.span.clone());
        }
        is_one
    }

    /// Whether a name belongs into a table; notes a key of the scenario that has slipped into it.
    fn belongs(&mut self, name: &Spanned<String>, table: &str) -> bool {
        let is_stray = is_stray(&self.source, &name.span, name, KEYS);
        if is_stray {
            self.note(misplaced_key(name, table), name.span.clone());
        }
        !is_stray
    }

    fn terrain(
        &mut self,
        entries: NamedEntries<Spanned<OneOrMany<String>>>,
    ) -> NamedEntries<Vec<Spanned<String>>> {
        let mut all = Vec::new();
        for (name, texts) in entries {
            if !self.belongs(&name, "terrain") {
                continue;
            }
            let path = format!("`{}`", dotted("terrain", &name));
            let mut places: Vec<Spanned<String>> = Vec::new();
            let mut known = BTreeSet::new();
            let mut from = texts.span.start;
            for (_, word) in texts.value.0.iter().flat_map(|text| words(text)) {
                // The words stand in this order; one with escapes in it has the span of the whole.
                let at = self.source.text[from..texts.span.end].find(word);
                let span = at.map_or(texts.span.clone(), |at| from + at..from + at + word.len());
                from = at.map_or(from, |_| span.end);
                if known.insert(word) {
                    places.push(Spanned::new(word.to_owned(), span));
                } else {
                    self.note(problems::repeated(&format!("{word} in {path}")), span);
                }
            }
            all.push((name, places));
        }
        all
    }

    fn units(&mut self, entries: NamedEntries<Vec<Spanned<String>>>) -> NamedEntries<Vec<Spanned<UnitLine>>> {
        let mut units = Vec::new();
        for (name, texts) in entries {
            if !self.belongs(&name, "units") {
                continue;
            }
            let mut lines = Vec::new();
            for line in texts {
                match UnitLine::parse(&self.source, line.span.clone(), &line) {
                    Ok(unit) => lines.push(Spanned::new(unit, line.span)),
                    Err(problems) => self.found.extend(problems.0),
                }
            }
            units.push((name, lines));
        }
        units
    }

    fn slots(&mut self, entries: NamedEntries<InOrder<Spanned<SlotValue>>>) -> NamedEntries<Slots> {
        // The game has slots of its own, so its name is at home here.
        let at_home = entries
            .into_iter()
            .filter(|(owner, _)| owner.value == "game" || self.belongs(owner, "slots"));
        at_home.map(|(owner, slots)| (owner, slots.0)).collect()
    }

    fn dials(&mut self, dials: NamedEntries<Spanned<DialValue>>) -> NamedEntries<Spanned<DialValue>> {
        let mut known = BTreeSet::new();
        let mut all: NamedEntries<Spanned<DialValue>> = Vec::new();
        for (mut name, value) in dials {
            if !self.belongs(&name, "dials") {
                continue;
            }
            if !known.insert(name.value.clone()) {
                self.note(
                    problems::repeated(&format!("the dial `{name}`")),
                    name.span.clone(),
                );
            }
            // Written in one piece, the name is shown in one piece.
            let whole = name.span.end.saturating_sub(name.len());
            if self.source.text.get(whole..name.span.end) == Some(name.as_str()) {
                name.span.start = whole;
            }
            all.push((name, value));
        }
        all
    }
}
