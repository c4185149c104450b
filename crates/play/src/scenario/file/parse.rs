//! A scenario's text as TOML, and what of it is a scenario: every problem of form, where it is written.

use super::print::{dotted, quoted};
use super::{DEFAULT_SEED, DialValue, KEYS, ScenarioFile};
use crate::description::{NUMBERS, NamedEntries, SlotValue, Slots, Spanned, UnitLine, content_start, words};
use crate::report::{Problem, Source, did_you_mean, from_top};
use crate::scenario::problems;
use crate::toml_text::{self, MendedText};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// A file may nest lists and tables this many levels deep: far more than any scenario has a use for.
const DEEPEST: usize = 64;

/// Reads a scenario as far as it can be read, with every problem of form.
pub(super) fn read(source: Arc<Source>) -> (ScenarioFile, Vec<Problem>) {
    let nothing = || ScenarioFile::blank(Arc::clone(&source), String::new().into());
    let MendedText {
        problems: mut found,
        text,
    } = toml_text::mended(&source);
    let table = match read_toml(&text) {
        Ok(table) => table,
        Err(span) => return (nothing(), vec![toml_text::nested_too_deeply().at(&source, span)]),
    };
    if found.is_empty() && table.is_empty() {
        return (nothing(), vec![problems::empty_scenario().at(&source, 0..0)]);
    }
    let broken_lines: BTreeSet<usize> = found.iter().filter_map(Problem::line).collect();
    let mut reader = TomlReader {
        source: Arc::clone(&source),
        found: Vec::new(),
        strayed: BTreeSet::new(),
    };
    let (file, has_game) = reader.scenario(&table);
    if !has_game && found.is_empty() {
        reader.found.push(problems::missing_game().at(&source, 0..0));
    }
    // A line that is not TOML may have been read as something that nobody wrote.
    found.extend(
        reader
            .found
            .into_iter()
            .filter(|problem| problem.line().is_none_or(|line| !broken_lines.contains(&line))),
    );
    (file, from_top(found))
}

/// A value of the file and where it is written.
type Item = Spanned<TomlValue>;

/// Value in TOML, independent of its parser.
enum TomlValue {
    Text(String),
    /// Nothing if it is too long even for 128 bits.
    Integer(Option<i128>),
    Fraction,
    Flag(bool),
    Date,
    List(Vec<Item>),
    /// In the order in which the keys are written.
    Table(NamedEntries<Item>),
}

/// Reads TOML that is known to be well formed, or the place where it is nested too deeply.
///
/// The parser's tree lives and dies on a deep stack, and what comes back is at most [`DEEPEST`] levels deep.
fn read_toml(text: &str) -> Result<NamedEntries<Item>, Range<usize>> {
    toml_text::on_deep_stack(text, |text| {
        let (table, _) = DeTable::parse_recoverable(text);
        loose_table(table.get_ref(), DEEPEST)
    })
}

/// A table of the parser's without the parser, or the place where it has more than `levels` levels.
fn loose_table(table: &DeTable<'_>, levels: usize) -> Result<NamedEntries<Item>, Range<usize>> {
    let mut entries = Vec::new();
    for (key, item) in table {
        let name = Spanned::new(key.get_ref().to_string(), key.span());
        entries.push((name, loose(item, levels)?));
    }
    entries.sort_by_key(|(key, _)| key.span.start);
    Ok(entries)
}

fn loose(item: &toml::Spanned<DeValue<'_>>, levels: usize) -> Result<Item, Range<usize>> {
    let deeper = levels.checked_sub(1).ok_or(item.span());
    let value = match item.get_ref() {
        DeValue::String(text) => TomlValue::Text(text.to_string()),
        DeValue::Integer(number) => {
            TomlValue::Integer(i128::from_str_radix(number.as_str(), number.radix()).ok())
        }
        DeValue::Float(_) => TomlValue::Fraction,
        DeValue::Boolean(flag) => TomlValue::Flag(*flag),
        DeValue::Datetime(_) => TomlValue::Date,
        DeValue::Array(items) => {
            let levels = deeper?;
            let items: Result<Vec<Item>, _> = items.iter().map(|item| loose(item, levels)).collect();
            TomlValue::List(items?)
        }
        DeValue::Table(table) => TomlValue::Table(loose_table(table, deeper?)?),
    };
    Ok(Spanned::new(value, item.span()))
}

/// Reads one file and collects what is wrong with it.
struct TomlReader {
    source: Arc<Source>,
    found: Vec<Problem>,
    /// The known keys that were found where they do not belong.
    strayed: BTreeSet<String>,
}

impl TomlReader {
    /// The scenario as far as it can be read, and whether it has a `game`, were it in the wrong place.
    fn scenario(&mut self, table: &[(Spanned<String>, Item)]) -> (ScenarioFile, bool) {
        let mut file = ScenarioFile::blank(Arc::clone(&self.source), String::new().into());
        let mut has_game = false;
        for (key, item) in table {
            let name = key.as_str();
            let what = format!("`{name}`");
            match name {
                "game" => {
                    has_game = true;
                    if let Some(game) = self.word(&what, item) {
                        file.game = game;
                    }
                }
                "title" => file.title = self.text(&what, item).filter(|title| self.is_one_line(title)),
                "about" => file.about = self.text(&what, item),
                "proves" => file.proves = self.words(&what, item),
                "seed" => file.seed = self.seed(&what, item).unwrap_or(DEFAULT_SEED),
                "variants" => file.variants = self.words(&what, item),
                "until" => file.until = self.word(&what, item),
                "open" => {
                    if let Some(open) = self.word(&what, item) {
                        file.open = open;
                    }
                }
                "terrain" => file.position.terrain = self.terrain(name, item),
                "units" => file.position.units = self.units(name, item),
                "slots" => file.position.slots = self.slots(name, item),
                "dials" => file.dials = self.dials(name, item),
                "answers" => file.answers = self.words(&what, item),
                "rolls" => file.rolls = self.rolls(name, item),
                "throws" => file.throws = self.throws(name, item),
                "refused" => file.refused = self.word(&what, item),
                "expect" => file.expect = self.words(&what, item),
                _ => {
                    let unknown = problems::unknown_key(name).hint(known_keys_hint(name));
                    self.note(unknown, key.span.clone());
                }
            }
        }
        (file, has_game || self.strayed.contains("game"))
    }

    /// Notes that a value is not of the type it should be. `what` is the value in words, here and below.
    fn wrong(&mut self, what: &str, item: &Item, expected: &str) -> &mut Problem {
        let kind = match &item.value {
            TomlValue::Text(_) => "a string",
            TomlValue::Integer(_) => "an integer",
            TomlValue::Fraction => "a number with a fraction",
            TomlValue::Flag(_) => "true or false",
            TomlValue::Date => "a date",
            TomlValue::List(_) => "a list",
            TomlValue::Table(_) => "a table",
        };
        self.note(problems::wrong_type(what, kind, expected), item.span.clone())
    }

    /// Notes a problem and hands it out for a hint.
    fn note(&mut self, problem: Problem, span: Range<usize>) -> &mut Problem {
        let index = self.found.len();
        self.found.push(problem.at(&self.source, span));
        // It was pushed just now.
        &mut self.found[index]
    }

    /// Whether a key of a table is one of the scenario that has slipped into it: one behind a dot, or in braces, is meant.
    fn is_stray(&self, key: &Spanned<String>) -> bool {
        let before = self.source.text[..key.span.start].trim_end();
        KEYS.contains(&key.as_str()) && !before.ends_with(['.', '{', ','])
    }

    /// Notes a key of the scenario that has slipped into a table.
    fn stray(&mut self, key: &Spanned<String>, table: &str) {
        let name = key.as_str();
        self.note(problems::misplaced_key(name, table), key.span.clone());
        self.strayed.insert(name.to_string());
    }

    fn text(&mut self, what: &str, item: &Item) -> Option<Spanned<String>> {
        match &item.value {
            TomlValue::Text(text) => Some(Spanned::new(text.to_string(), item.span.clone())),
            _ => {
                self.wrong(what, item, "a string");
                None
            }
        }
    }

    /// A text that has something in it.
    fn word(&mut self, what: &str, item: &Item) -> Option<Spanned<String>> {
        let text = self.text(what, item)?;
        if text.trim().is_empty() {
            self.note(problems::empty_text(what), item.span.clone());
            return None;
        }
        Some(text)
    }

    fn is_one_line(&mut self, title: &Spanned<String>) -> bool {
        let is_one = !title.contains('\n');
        if !is_one {
            self.note(problems::title_of_several_lines(), title.span.clone());
        }
        is_one
    }

    /// The items of a list.
    fn list<'t>(&mut self, what: &str, item: &'t Item, of: &str) -> &'t [Item] {
        match &item.value {
            TomlValue::List(items) => items,
            TomlValue::Text(text) => {
                let hint = match text.parse::<i64>() {
                    Ok(number) if of == "rolls" => format!("write [{number}]"),
                    _ => format!("write [{}]", quoted(text)),
                };
                self.wrong(what, item, &format!("a list of {of}")).hint = Some(hint);
                &[]
            }
            _ => {
                self.wrong(what, item, &format!("a list of {of}"));
                &[]
            }
        }
    }

    fn words(&mut self, what: &str, item: &Item) -> Vec<Spanned<String>> {
        let items = self.list(what, item, "strings");
        let entry = format!("an entry of {what}");
        items.iter().filter_map(|item| self.word(&entry, item)).collect()
    }

    fn seed(&mut self, what: &str, item: &Item) -> Option<u64> {
        let expected = "a whole number from 0 to 18446744073709551615";
        match &item.value {
            TomlValue::Integer(number) => {
                let seed = number.and_then(|number| u64::try_from(number).ok());
                if seed.is_none() {
                    self.note(problems::number_out_of_range(what, expected), item.span.clone());
                }
                seed
            }
            _ => {
                self.wrong(what, item, expected);
                None
            }
        }
    }

    /// An integer of the file; notes one that is out of range.
    fn number(&mut self, what: &str, number: &Option<i128>, span: Range<usize>) -> Option<i64> {
        let value = number.and_then(|number| i64::try_from(number).ok());
        if value.is_none() {
            self.note(problems::number_out_of_range(what, NUMBERS), span);
        }
        value
    }

    /// The entries of a table, in the order in which they are written.
    fn table<'t>(&mut self, what: &str, item: &'t Item, example: &str) -> &'t [(Spanned<String>, Item)] {
        match &item.value {
            TomlValue::Table(table) => table,
            _ => {
                self.wrong(what, item, "a table").hint = Some(format!("write {example}"));
                &[]
            }
        }
    }

    fn terrain(&mut self, name: &str, item: &Item) -> NamedEntries<Vec<Spanned<String>>> {
        let mut all = Vec::new();
        for (key, item) in self.table(&format!("`{name}`"), item, "terrain.kind = \"place place\"") {
            if self.is_stray(key) {
                self.stray(key, name);
                continue;
            }
            let path = format!("`{}`", dotted(name, key));
            let texts: Vec<Spanned<String>> = match &item.value {
                TomlValue::Text(text) => vec![Spanned::new(text.clone(), item.span.clone())],
                TomlValue::List(items) => {
                    let entry = format!("an entry of {path}");
                    items.iter().filter_map(|item| self.word(&entry, item)).collect()
                }
                _ => {
                    self.wrong(&path, item, "places, such as \"a1 b1\"");
                    continue;
                }
            };
            let mut places: Vec<Spanned<String>> = Vec::new();
            let mut known = BTreeSet::new();
            for text in &texts {
                let base = content_start(&self.source, &text.span, text);
                for (at, word) in words(text) {
                    let span = base.map_or(text.span.clone(), |base| base + at..base + at + word.len());
                    if known.insert(word) {
                        places.push(Spanned::new(word.to_owned(), span));
                    } else {
                        self.note(problems::repeated(&format!("{word} in {path}")), span);
                    }
                }
            }
            all.push((key.clone(), places));
        }
        all
    }

    fn units(&mut self, name: &str, item: &Item) -> NamedEntries<Vec<Spanned<UnitLine>>> {
        let mut units = Vec::new();
        for (key, item) in self.table(&format!("`{name}`"), item, "units.faction = [\"type place\"]") {
            if self.is_stray(key) {
                self.stray(key, name);
                continue;
            }
            let path = format!("`{}`", dotted(name, key));
            let entry = format!("an entry of {path}");
            let mut lines = Vec::new();
            for item in self.list(&path, item, "unit lines (\"type place\")") {
                let Some(line) = self.text(&entry, item) else {
                    continue;
                };
                match UnitLine::parse(&self.source, line.span.clone(), &line) {
                    Ok(unit) => lines.push(Spanned::new(unit, line.span)),
                    Err(problems) => self.found.extend(problems.0),
                }
            }
            units.push((key.clone(), lines));
        }
        units
    }

    fn slots(&mut self, name: &str, item: &Item) -> NamedEntries<Slots> {
        let mut all = Vec::new();
        for (key, item) in self.table(&format!("`{name}`"), item, "slots.faction = { slot = 1 }") {
            let owner = key.as_str();
            // The game has slots of its own, so its name is at home here; the game's name as text is not.
            let at_home = owner == "game" && matches!(item.value, TomlValue::Table(_));
            if KEYS.contains(&owner) && !at_home {
                self.stray(key, name);
                continue;
            }
            let path = dotted(name, owner);
            let mut slots = Vec::new();
            for (key, item) in self.table(&format!("`{path}`"), item, &format!("{path} = {{ slot = 1 }}")) {
                let slot = format!("`{}`", dotted(&path, key));
                let value = match &item.value {
                    TomlValue::Flag(flag) => Some(SlotValue::Flag(*flag)),
                    TomlValue::Integer(number) => self
                        .number(&slot, number, item.span.clone())
                        .map(SlotValue::Number),
                    TomlValue::Text(word) => Some(SlotValue::Word(word.to_string())),
                    _ if self.is_stray(key) => {
                        self.stray(key, &path);
                        None
                    }
                    _ => {
                        self.wrong(&slot, item, "an integer, true or false, or a string");
                        None
                    }
                };
                if let Some(value) = value {
                    slots.push((key.clone(), Spanned::new(value, item.span.clone())));
                }
            }
            all.push((key.clone(), slots));
        }
        all
    }

    /// Nested tables and quoted names alike, as full names.
    fn dials(&mut self, name: &str, item: &Item) -> NamedEntries<Spanned<DialValue>> {
        let mut dials: NamedEntries<Spanned<DialValue>> = Vec::new();
        let mut open: Vec<(String, &Spanned<String>, &Item)> = Vec::new();
        for (key, item) in self.table(&format!("`{name}`"), item, "dials.name = 1") {
            if self.is_stray(key) {
                self.stray(key, name);
            } else {
                open.push((String::new(), key, item));
            }
        }
        while let Some((prefix, key, item)) = open.pop() {
            let dial = format!("{prefix}{}", key);
            let value = match &item.value {
                TomlValue::Table(table) => {
                    open.extend(table.iter().map(|(key, item)| (format!("{dial}."), key, item)));
                    None
                }
                TomlValue::Integer(number) => self
                    .number(&format!("the dial `{dial}`"), number, item.span.clone())
                    .map(DialValue::Number),
                TomlValue::Text(word) => Some(DialValue::Word(word.to_string())),
                _ if self.is_stray(key) => {
                    self.stray(key, &format!("{name}.{}", prefix.trim_end_matches('.')));
                    None
                }
                _ => {
                    self.wrong(&format!("the dial `{dial}`"), item, "an integer or a string");
                    None
                }
            };
            if let Some(value) = value {
                let mut span = key.span.clone();
                // Written in one piece, the name is shown in one piece.
                if !prefix.is_empty() && self.source.slice(0..span.start).ends_with(&prefix) {
                    span.start -= prefix.len();
                }
                dials.push((Spanned::new(dial, span), Spanned::new(value, item.span.clone())));
            }
        }
        dials.sort_by_key(|(_, value)| value.span.start);
        let mut known = BTreeSet::new();
        for (dial, _) in &dials {
            if !known.insert(dial.value.as_str()) {
                self.note(
                    problems::repeated(&format!("the dial `{dial}`")),
                    dial.span.clone(),
                );
            }
        }
        dials
    }

    fn rolls(&mut self, name: &str, item: &Item) -> NamedEntries<Vec<Spanned<Vec<i64>>>> {
        let mut rolls = Vec::new();
        for (key, item) in self.table(&format!("`{name}`"), item, "rolls.label = [6]") {
            let holds_dice = |item: &Item| matches!(item.value, TomlValue::Integer(_) | TomlValue::List(_));
            let is_list_of_dice =
                matches!(&item.value, TomlValue::List(items) if items.iter().all(holds_dice));
            if self.is_stray(key) && !is_list_of_dice {
                self.stray(key, name);
                continue;
            }
            let path = format!("`{}`", dotted(name, key));
            if matches!(item.value, TomlValue::Table(_)) {
                self.wrong(&path, item, "a list of rolls").hint = Some(format!(
                    "a label with a dot stands in quotes: {name}.\"a.b\" = [6]"
                ));
                continue;
            }
            let entry = format!("an entry of {path}");
            let mut list = Vec::new();
            for item in self.list(&path, item, "rolls") {
                if let Some(dice) = self.dice(&entry, item) {
                    list.push(Spanned::new(dice, item.span.clone()));
                }
            }
            rolls.push((key.clone(), list));
        }
        rolls
    }

    fn throws(&mut self, name: &str, item: &Item) -> NamedEntries<Vec<Spanned<String>>> {
        let mut throws = Vec::new();
        for (key, item) in self.table(&format!("`{name}`"), item, "throws.label = ['hits nothing']") {
            let is_list = matches!(&item.value, TomlValue::List(_));
            if self.is_stray(key) && !is_list {
                self.stray(key, name);
                continue;
            }
            let path = format!("`{}`", dotted(name, key));
            throws.push((key.clone(), self.words(&path, item)));
        }
        throws
    }

    /// One roll: one die as an integer, or several as a list.
    fn dice(&mut self, what: &str, item: &Item) -> Option<Vec<i64>> {
        match &item.value {
            TomlValue::Integer(number) => Some(vec![self.number(what, number, item.span.clone())?]),
            TomlValue::List(items) => {
                let mut dice = Vec::new();
                for item in items {
                    match &item.value {
                        TomlValue::Integer(number) => {
                            dice.extend(self.number(what, number, item.span.clone()))
                        }
                        _ => {
                            self.wrong(what, item, "an integer, the value of one die");
                        }
                    }
                }
                Some(dice)
            }
            other => {
                let number = match other {
                    TomlValue::Text(text) => text.parse::<i64>().ok(),
                    _ => None,
                };
                let problem = self.wrong(what, item, "an integer or a list of integers");
                problem.hint = number.map(|number| format!("write {number}, without quotes"));
                None
            }
        }
    }
}

/// The hint for a key that no scenario has; unlike other names these are few enough to be listed whole.
fn known_keys_hint(name: &str) -> String {
    match did_you_mean(name, KEYS.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known: {}", KEYS.join(", ")),
    }
}
