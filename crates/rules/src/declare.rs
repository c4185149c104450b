//! Declared data: what a game's `dials`, `stats`, `slots`, `board` and `phases` return, checked
//! and turned into the kernel's [`Rules`].

mod board;
mod declared_text;
mod edits;
mod phases;
pub(super) mod problems;
mod slots;
mod zones;

pub use board::{DeclaredArena, DeclaredBoard, MapDrawing, TABLETOP_KEYS};
pub use declared_text::{DeclarationPart, find_word};
pub use edits::{moved_phase, phase_with, put_beside, without_phase};
pub use phases::PhaseContext;

use super::keys::{self, DeclaredKey};
use super::run::value::{Kind, NOTHING_WORDS};
use super::run::view::{ValueView, ViewMap};
use crate::kernel::ids::HookId;
use crate::kernel::phase::ORDINALS;
use crate::kernel::rules::OnEdges;
use crate::lexer::is_reserved;
use crate::report::{Problem, Source, did_you_mean, hint_for};
use std::cell::OnceCell;
use std::fmt::Display;
use std::ops::Range;
use std::sync::Arc;

/// A declared list.
pub type Array = Vec<ValueView>;

/// A number or word that users may turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dial {
    /// Its full name, such as `scouts.life` or `max_rounds`.
    pub name: String,
    /// Allowed values.
    pub range: DialRange,
    /// Value declared by the scripts.
    pub default: DialValue,
    /// Current value.
    pub value: DialValue,
}

/// Allowed values of a dial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DialRange {
    /// A whole number from the first to the second, both included.
    Number(i64, i64),
    /// One of these words.
    Words(Vec<String>),
}

/// Value of a dial.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum DialValue {
    /// A number.
    Number(i64),
    /// A word.
    Word(String),
}

impl DialValue {
    /// A dial's value as users write it: a number, or a word.
    pub fn read(text: &str) -> Self {
        match text.parse() {
            Ok(n) => DialValue::Number(n),
            Err(_) => DialValue::Word(text.to_owned()),
        }
    }
}

impl std::fmt::Display for DialValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DialValue::Number(n) => write!(f, "{n}"),
            DialValue::Word(w) => f.write_str(w),
        }
    }
}

impl Dial {
    /// Sets the dial from what a user wrote.
    ///
    /// # Errors
    ///
    /// The value is outside of the dial's range.
    pub fn set(&mut self, value: &DialValue) -> Result<(), Problem> {
        let fits = match (&self.range, value) {
            (DialRange::Number(low, high), DialValue::Number(n)) => (low..=high).contains(&n),
            (DialRange::Words(words), DialValue::Word(w)) => words.contains(w),
            _ => false,
        };
        if !fits {
            let problem = problems::wrong_dial_value(&self.name, value, &self.range);
            return Err(problem.about(&self.name));
        }
        self.value = value.clone();
        Ok(())
    }
}

impl std::fmt::Display for DialRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DialRange::Number(low, high) => write!(f, "a whole number from {low} to {high}"),
            DialRange::Words(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
}

/// Declaration of a variant about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VariantInfo {
    /// The note that it comes from: the comment at the head of its file.
    pub note: String,
    /// The clause of the rulebook that it is about.
    pub clause: Option<String>,
    /// Number of the other reading of that clause, from 1.
    pub reading: Option<usize>,
    /// Variants that lie below it when they are on.
    pub after: Vec<String>,
    /// Variants that must be on.
    pub requires: Vec<String>,
    /// Variants that must not be on.
    pub conflicts: Vec<String>,
    /// Variants whose functions it may hide.
    pub overrides: Vec<String>,
}

/// Lookup of the first of some kinds of things that has a property of this name in every game, whatever the game
/// declares.
pub type TakenName<'a> = dyn Fn(&str, &[Kind]) -> Option<Kind> + 'a;

/// The stats that say of what a die is made, in millimetres, grams and per cent: the name, what one of it is in the
/// kernel's measures, the least and the most.
pub const MADE_OF: [(&str, i32, i32, i32); 5] = [
    ("size", 100, 3, 99),
    ("weight", 1_000, 1, 99),
    ("friction", 10, 0, 99),
    ("bounce", 10, 0, 99),
    ("load", 10, 0, 90),
];

/// The range of a stat as a dial.
const STAT_RANGE: (i64, i64) = (0, 99);

/// Known keys of a declaration.
trait Keys: IntoIterator<Item = &'static DeclaredKey> + Clone {}

impl<K: IntoIterator<Item = &'static DeclaredKey> + Clone> Keys for K {}

/// Reads declared maps and collects what is wrong with them, at the place where it is written.
pub struct DeclarationReader<'a> {
    /// The layers of the function, outermost first: each text and where the function's name stands.
    layers: Vec<(Arc<Source>, Range<usize>)>,
    function: &'a str,
    /// Their words, once something is wrong.
    scripts: OnceCell<Vec<declared_text::ScriptWords>>,
    /// Path to the part that is being read, from the outside in: phases, zones, slots.
    within: Vec<String>,
    /// Problems found.
    pub problems: Vec<Problem>,
}

/// The texts of a list; `None` where there is something else in it.
fn texts_of(list: &[ValueView]) -> Option<Vec<String>> {
    list.iter()
        .map(|item| item.as_text().map(str::to_owned))
        .collect()
}

/// The numbers of a list from 0; `None` where there is something else in it.
fn counts_of(list: &[ValueView]) -> Option<Vec<usize>> {
    let count = |item: &ValueView| usize::try_from(item.as_int()?).ok();
    list.iter().map(count).collect()
}

/// Those of these keys that a map has.
fn present_keys<'k>(map: &ViewMap, keys: &[&'k str]) -> impl Iterator<Item = &'k str> {
    keys.iter().copied().filter(|key| map.contains_key(*key))
}

impl<'a> DeclarationReader<'a> {
    /// A reader of what a function returned, from its layers' texts and where its name stands in
    /// each, outermost first.
    pub fn new(layers: Vec<(Arc<Source>, Range<usize>)>, function: &'a str) -> Self {
        Self {
            layers,
            function,
            scripts: OnceCell::new(),
            within: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Adds a problem with this part of the declaration. If the part is written below a variant that redefines the
    /// declaration, the problem names the variant as its caller.
    pub fn problem<'s>(&mut self, part: impl Into<DeclarationPart<'s>>, mut problem: Problem) {
        let (layer, span) = match self.find(part.into()) {
            Some((layer, span)) => (layer, Some(span)),
            None => (0, None),
        };
        if let Some((source, name)) = self.layers.get(layer) {
            problem = problem.at(source, span.unwrap_or_else(|| name.clone()));
        }
        for (source, name) in self.layers[..layer].iter().rev() {
            let note = format!("which has its own `{}`", self.function);
            problem = problem.called_from(source, name.clone(), Some(note));
        }
        self.problems.push(problem);
    }

    /// Returns the layer and the span of a part of the declaration; `None` if it is not written out.
    fn find(&self, part: DeclarationPart<'_>) -> Option<(usize, Range<usize>)> {
        let scripts = self.scripts.get_or_init(|| {
            let layers = self.layers.iter();
            layers
                .map(|(source, name)| declared_text::ScriptWords::of(source, name.start))
                .collect()
        });
        declared_text::find(scripts, part, &self.within)
    }

    /// Of several keys that cannot be together the one that a variant brings in, or the first.
    fn outermost<'k>(&self, keys: [&'k str; 2]) -> &'k str {
        let layer = |key: &&str| {
            self.find(DeclarationPart::Key(key))
                .map_or(usize::MAX, |(layer, _)| layer)
        };
        keys.into_iter().min_by_key(layer).unwrap_or_default()
    }

    /// Reads what stands within something of these names, from the outside in.
    fn inside<T>(&mut self, names: &[&str], read: impl FnOnce(&mut Self) -> T) -> T {
        let around = self.within.len();
        self.within.extend(names.iter().map(ToString::to_string));
        let it = read(self);
        self.within.truncate(around);
        it
    }

    /// Whether a key is missing, and no unknown key, which is a problem already, looks like it.
    fn lacks(map: &ViewMap, key: &str, known: impl Keys) -> bool {
        let mut unknown = map
            .keys()
            .filter(|k| !keys::names(known.clone()).any(|name| name == *k));
        !map.contains_key(key) && !unknown.any(|k| did_you_mean(k, [key]).is_some())
    }

    /// A function of the game that the kernel is to call.
    fn hooked(&mut self, key: &str, name: &str, hooks: &[String]) -> Option<HookId> {
        let found = hooks.iter().position(|hook| hook == name);
        if found.is_none() && is_reserved(name) {
            let problem =
                problems::wrong_name("a function", name).hint("choose a name that is not a reserved word");
            self.problem((key, name), problem);
        } else if found.is_none() {
            let hint = hint_for(name, hooks.iter().map(String::as_str));
            let problem = problems::unknown_name("function", name).hint(hint);
            self.problem((key, name), problem.about(name));
        }
        found.map(|index| HookId(index as u16))
    }

    /// Refuses a name that hides a property which things of these kinds have in every game.
    pub fn hides(&mut self, name: &str, kinds: &[Kind], what: &str, taken: &TakenName<'_>) {
        if let Some(owner) = taken(name, kinds) {
            self.problem(name, problems::hidden_property(what, name, owner.noun()));
        }
    }

    fn map<'s>(
        &mut self,
        part: impl Into<DeclarationPart<'s>>,
        value: ValueView,
        what: &str,
    ) -> Option<ViewMap> {
        match value {
            ValueView::Map(map) => Some(map),
            other => {
                let found = other.kind().noun();
                self.problem(part, problems::wrong_kind(what, "a map `#{ ... }`", found));
                None
            }
        }
    }

    fn keys(&mut self, map: &ViewMap, known: impl Keys, what: &str) {
        for key in map.keys() {
            if !keys::names(known.clone()).any(|name| name == key) {
                let problem = problems::unknown_key(what, key);
                self.problem(key, problem.hint(hint_for(key, keys::names(known.clone()))));
            }
        }
    }

    /// Adds a problem with a key whose value is not what is expected.
    fn wrong_value(&mut self, key: &str, expected: impl Display) {
        self.problem(key, problems::wrong_value(format_args!("`{key}`"), expected));
    }

    fn flag(&mut self, map: &ViewMap, key: &str) -> bool {
        let Some(value) = map.get(key) else { return false };
        value.as_bool().unwrap_or_else(|| {
            self.wrong_value(key, "true or false");
            false
        })
    }

    /// A whole number in its range; if left out what is usual.
    fn number(&mut self, map: &ViewMap, key: &str, (low, high): (i64, i64), usual: i64) -> i64 {
        let Some(value) = map.get(key) else {
            return usual;
        };
        let fits = |n: &i64| (low..=high).contains(n);
        value.as_int().filter(fits).unwrap_or_else(|| {
            self.wrong_value(key, format_args!("a number from {low} to {high}"));
            usual
        })
    }

    fn text(&mut self, map: &ViewMap, key: &str) -> Option<String> {
        let text = map.get(key)?.as_text().map(str::to_owned);
        if text.is_none() {
            self.wrong_value(key, "a text in quotes");
        }
        text
    }

    fn list(&mut self, map: &ViewMap, key: &str) -> Option<Array> {
        let list = map.get(key)?.as_list().map(<[ValueView]>::to_vec);
        if list.is_none() {
            self.wrong_value(key, "a list `[ ... ]`");
        }
        list
    }

    fn texts(&mut self, map: &ViewMap, key: &str) -> Vec<String> {
        let list = self.list(map, key).unwrap_or_default();
        texts_of(&list).unwrap_or_else(|| {
            self.wrong_value(key, "a list of texts in quotes");
            Vec::new()
        })
    }

    /// Reads a variant's declaration about itself; `note` is the comment at its head.
    pub fn about(&mut self, map: &ViewMap, note: String) -> VariantInfo {
        self.keys(map, keys::VARIANT, "variant()");
        let reading = map.get("reading").map(|v| v.as_int().unwrap_or(0));
        let reading = reading.and_then(|n| {
            let reading = usize::try_from(n).ok().filter(|n| *n > 0);
            if reading.is_none() {
                self.wrong_value("reading", "a number from 1");
            }
            reading
        });
        VariantInfo {
            note,
            clause: self.text(map, "clause"),
            reading,
            after: self.texts(map, "after"),
            requires: self.texts(map, "requires"),
            conflicts: self.texts(map, "conflicts"),
            overrides: self.texts(map, "overrides"),
        }
    }

    /// The dials of a script; `prefix` is put before their names.
    pub fn dials(&mut self, value: ValueView, prefix: &str) -> Vec<Dial> {
        let map = self
            .map(DeclarationPart::All, value, "dials()")
            .unwrap_or_default();
        let mut dials = Vec::new();
        for (key, value) in map {
            let name = format!("{prefix}{key}");
            let spelled = |name: &str| name.replace('.', "_");
            let inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
            if !key.starts_with(|c: char| c.is_alphabetic() || c == '_') || !key.chars().all(inner) {
                let form = "use a letter, then letters, digits, _ and points: `max_rounds`, `army.size`";
                self.problem(&key, problems::wrong_name("a dial", &key).hint(form));
            }
            if NOTHING_WORDS.contains(&key.as_str()) {
                let form = "choose another name: this word means nothing in every script";
                self.problem(&key, problems::wrong_name("a dial", &key).hint(form));
            }
            if dials.iter().any(|d: &Dial| spelled(&d.name) == spelled(&name)) {
                self.problem(&key, problems::repeated_name("two dials", &spelled(&name)));
            }
            let number = value.as_int().map(|n| (n, STAT_RANGE));
            if let Some((n, range)) = number.or_else(|| self.ranged(&key, &value)) {
                dials.push(number_dial(name, n, range));
                continue;
            }
            let form = match value {
                ValueView::Map(form) => form,
                _ => ViewMap::new(),
            };
            let start = form.get("start").and_then(ValueView::as_text).map(str::to_owned);
            let words = form.get("words").and_then(ValueView::as_list);
            if let (Some(start), Some(words)) = (start, words) {
                let words = texts_of(words).filter(|words| !words.iter().any(String::is_empty));
                let words = words.unwrap_or_else(|| {
                    let what = format_args!("each word of `{key}`");
                    self.problem(&key, problems::wrong_value(what, "a text in quotes, not empty"));
                    vec![start.clone()]
                });
                if !words.contains(&start) {
                    let what = format_args!("the start of `{key}`");
                    self.problem(&key, problems::wrong_value(what, "one of its words"));
                }
                dials.push(Dial {
                    name,
                    range: DialRange::Words(words),
                    default: DialValue::Word(start.clone()),
                    value: DialValue::Word(start),
                });
            } else {
                self.problem(&key, problems::not_a_dial(&key));
            }
        }
        dials
    }

    /// Reads `number(start, low, high)`: the start value and the range.
    fn ranged(&mut self, key: &str, value: &ValueView) -> Option<(i64, (i64, i64))> {
        let ValueView::Map(form) = value else { return None };
        let int = |key: &str| form.get(key).and_then(ValueView::as_int);
        let (start, low, high) = (int("start")?, int("low")?, int("high")?);
        if !(low..=high).contains(&start) {
            let what = format_args!("the start of `{key}`");
            self.problem(key, problems::out_of_range(what, low, high, start));
        }
        Some((start, (low, high)))
    }

    /// Refuses what is outside of a range that another script says.
    pub fn within(&mut self, stat: &str, number: i64, (low, high): (i64, i64)) {
        if !(low..=high).contains(&number) {
            self.problem(stat, problems::stat_out_of_range(stat, number, low, high));
        }
    }

    /// The stats of a script: numbers by name, its symbol and its colour.
    pub fn stats(&mut self, value: ValueView) -> DeclaredStats {
        let map = self
            .map(DeclarationPart::All, value, "stats()")
            .unwrap_or_default();
        let mut numbers = Vec::new();
        let mut flags = Vec::new();
        let mut ranges = Vec::new();
        let mut symbol = None;
        let mut colour = None;
        let mut on_edges = None;
        let mut unprinted = Vec::new();
        for (key, value) in map {
            if key == "symbol" {
                match value {
                    ValueView::Text(text)
                        if (1..=2).contains(&text.chars().count())
                            && !text.contains(|c: char| c.is_whitespace() || c.is_control()) =>
                    {
                        symbol = Some(text);
                    }
                    _ => self.wrong_value("symbol", "one or two letters in quotes"),
                }
            } else if key == "colour" {
                let hex = |t: &String| {
                    let digits = t.strip_prefix('#').unwrap_or_default();
                    digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit())
                };
                match value {
                    ValueView::Text(text) if hex(&text) => colour = Some(text),
                    _ => self.wrong_value("colour", "red, green and blue, such as \"#8fbf6a\""),
                }
            } else if key == "blocks" && value.as_text().is_some() {
                const WORDS: [(&str, (bool, bool)); 4] = [
                    ("steps", (true, false)),
                    ("sight", (false, true)),
                    ("both", (true, true)),
                    ("nothing", (false, false)),
                ];
                let word = value.as_text().unwrap_or_default();
                match WORDS.iter().find(|(known, _)| *known == word) {
                    Some((_, (blocks_steps, blocks_sight))) => {
                        on_edges = Some(OnEdges {
                            blocks_steps: *blocks_steps,
                            blocks_sight: *blocks_sight,
                        });
                    }
                    None => self.wrong_word("blocks", word, WORDS.iter().map(|(known, _)| *known)),
                }
            } else if key == "unprinted" {
                match value.as_list().map(texts_of) {
                    Some(Some(names)) => unprinted = names,
                    _ => self.wrong_value("unprinted", "a list of names of stats in quotes"),
                }
            } else if key.is_empty() {
                let problem = problems::wrong_name("a stat", "").hint("give it a name");
                self.problem(DeclarationPart::All, problem);
            } else if let Some(flag) = value.as_bool() {
                numbers.push((key.to_string(), flag.into()));
                flags.push(key.to_string());
            } else if let Some(n) = value.as_int() {
                numbers.push((key.to_string(), n));
            } else if let Some((start, range)) = self.ranged(&key, &value) {
                numbers.push((key.to_string(), start));
                ranges.push((key.to_string(), range));
            } else {
                self.problem(&key, problems::wrong_stat(&key));
            }
        }
        DeclaredStats {
            numbers,
            flags,
            ranges,
            symbol,
            colour,
            on_edges,
            unprinted,
        }
    }

    /// Reads a text as one of the known words, and returns its meaning.
    fn one_of<T: Copy>(&mut self, map: &ViewMap, key: &str, known: &[(&str, T)]) -> Option<T> {
        let text = self.text(map, key)?;
        let found = known.iter().find(|(name, _)| *name == text);
        if found.is_none() {
            self.wrong_word(key, &text, known.iter().map(|(name, _)| *name));
        }
        found.map(|(_, it)| *it)
    }

    fn whose(&mut self, key: &str, word: &str, factions: usize, or: Option<&str>) -> usize {
        let order = &ORDINALS[..factions];
        order.iter().position(|o| *o == word).unwrap_or_else(|| {
            self.wrong_word(key, word, order.iter().copied().chain(or));
            0
        })
    }

    /// Adds a problem with a word that a key cannot have.
    fn wrong_word<'k>(&mut self, key: &str, word: &str, known: impl IntoIterator<Item = &'k str>) {
        let problem = problems::wrong_word(key, word).hint(hint_for(word, known));
        self.problem((key, word), problem);
    }

    /// Adds a problem with a name that nothing of its kind has.
    pub fn unknown_name<'k>(
        &mut self,
        part: (&str, &str),
        kind: &str,
        known: impl IntoIterator<Item = &'k str>,
    ) {
        let problem = problems::unknown_name(kind, part.1).hint(hint_for(part.1, known));
        self.problem(part, problem);
    }
}

/// Declarations of `stats()`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeclaredStats {
    /// Whole numbers by name; of a flag 1 or 0.
    pub numbers: Vec<(String, i64)>,
    /// Names of the stats that are flags.
    pub flags: Vec<String>,
    /// The least and the most that they can be, of those of which that is said.
    pub ranges: Vec<(String, (i64, i64))>,
    /// The letters for the board.
    pub symbol: Option<String>,
    /// The colour in pictures, `#rrggbb`.
    pub colour: Option<String>,
    /// The effect of the terrain on edges; `None` if it lies in places.
    pub on_edges: Option<OnEdges>,
    /// Names of the stats that cards leave out.
    pub unprinted: Vec<String>,
}

/// The character of a drawn board that is a place and no more.
const BARE: char = '.';
/// Name for a gap in a legend: a character that stands for no place.
const GAP: &str = "gap";

/// A stat of a unit type as a dial.
pub fn stat_dial(kind: &str, stat: &str, start: i64, flag: bool, range: Option<(i64, i64)>) -> Dial {
    let range = if flag { (0, 1) } else { range.unwrap_or(STAT_RANGE) };
    number_dial(format!("{kind}.{stat}"), start, range)
}

fn number_dial(name: String, start: i64, (low, high): (i64, i64)) -> Dial {
    Dial {
        name,
        // What a script says is always one of them.
        range: DialRange::Number(low.min(start), high.max(start)),
        default: DialValue::Number(start),
        value: DialValue::Number(start),
    }
}
