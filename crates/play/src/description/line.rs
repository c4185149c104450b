//! Positions as text: values with their places in it, unit lines, slots.

use super::KnownUnit;
use crate::files::problems::number_out_of_range;
use crate::report::{Problem, Problems, Source};
use crate::scenario::problems::{self, incomplete_slot, incomplete_unit};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

pub use crate::toml_text::{NamedEntries, Spanned};

/// Value that a scenario puts into a slot.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    expecting = "not this, expected an integer, true or false, or a string"
)]
pub enum SlotValue {
    /// `true` or `false`; in a unit line a word without a value is a flag that is set.
    Flag(bool),
    /// An integer.
    Number(i64),
    /// Any other text; what it names depends on the slot. Items of a set or list are separated by commas, the parts of a
    /// pair by a colon.
    Word(String),
}

impl fmt::Display for SlotValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SlotValue::Flag(flag) => flag.fmt(f),
            SlotValue::Number(number) => number.fmt(f),
            SlotValue::Word(word) => f.write_str(word),
        }
    }
}
/// One unit as a scenario puts it down: `type place slot=value flag`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitLine {
    /// The unit type.
    pub kind: Spanned<String>,
    /// The place, or `reserve`.
    pub place: Spanned<String>,
    /// The slots that are set, as written.
    pub slots: NamedEntries<Spanned<SlotValue>>,
    /// The number and the past of a unit in play; a line of a file has none.
    pub known: Option<KnownUnit>,
}

impl UnitLine {
    /// Reads a unit line that stands at `span` of a source, with or without quotes around it.
    ///
    /// The words get spans of their own if the source has the line exactly as `line` says it, and otherwise (escapes)
    /// the span of the whole.
    ///
    /// # Errors
    ///
    /// A line without type or place, a slot without name or value, a slot that is set twice, and a number that is out of
    /// the range of 64 bits; all of them together.
    pub fn parse(source: &Arc<Source>, span: Range<usize>, line: &str) -> Result<UnitLine, Problems> {
        let base = content_start(source, &span, line);
        let words: Vec<Spanned<&str>> = words(line)
            .into_iter()
            .map(|(at, word)| {
                let place = base.map_or(span.clone(), |base| base + at..base + at + word.len());
                Spanned::new(word, place)
            })
            .collect();
        let names_something = |word: &&Spanned<&str>| !word.contains('=');
        let Some(kind) = words.first().filter(names_something) else {
            let at = words.first().map_or(span, |word| word.span.clone());
            return Err(incomplete_unit("type").at(source, at).into());
        };
        let Some(place) = words.get(1).filter(names_something) else {
            let at = words.get(1).unwrap_or(kind).span.clone();
            return Err(incomplete_unit("place").at(source, at).into());
        };
        let slots = slots(source, &words[2..], base.is_some())?;
        let owned = |word: &Spanned<&str>| Spanned::new(word.value.to_owned(), word.span.clone());
        Ok(UnitLine {
            kind: owned(kind),
            place: owned(place),
            slots,
            known: None,
        })
    }
}

/// The line as a scenario has it.
impl fmt::Display for UnitLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.place)?;
        write_slots(f, &self.slots)
    }
}

/// Writes slots as unit lines have them, each behind a blank.
pub fn write_slots(f: &mut fmt::Formatter<'_>, slots: &NamedEntries<Spanned<SlotValue>>) -> fmt::Result {
    for (name, value) in slots {
        match &value.value {
            SlotValue::Flag(true) => write!(f, " {name}")?,
            SlotValue::Word(word) if word.contains(char::is_whitespace) => write!(f, " {name}=\"{word}\"")?,
            _ => write!(f, " {name}={value}")?,
        }
    }
    Ok(())
}

/// The byte at which the content of a string begins, if it is written without escapes.
fn content_start(source: &Source, span: &Range<usize>, content: &str) -> Option<usize> {
    let raw = source.text.get(span.clone())?;
    if raw == content {
        return Some(span.start);
    }
    ["\"\"\"", "'''", "\"", "'"].into_iter().find_map(|quote| {
        let inner = raw.strip_prefix(quote)?.strip_suffix(quote)?;
        // The line break right after three quotes is no part of the string.
        let skipped = match (quote.len(), inner) {
            (3, inner) if inner.starts_with('\n') => 1,
            (3, inner) if inner.starts_with("\r\n") => 2,
            _ => 0,
        };
        (inner.get(skipped..) == Some(content)).then_some(span.start + quote.len() + skipped)
    })
}

/// The words of a line and the bytes at which they begin. A value in quotes, as in `hand="1 2"`, is part of its word.
pub fn words(line: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    let word_end = |text: &str, from: usize| {
        let found = text[from..].find(char::is_whitespace);
        found.map_or(text.len(), |at| from + at)
    };
    while !rest.is_empty() {
        let at = line.len() - rest.len();
        let plain = word_end(rest, 0);
        let opened = rest[..plain].find("=\"").map(|at| at + 2);
        let closed = opened.and_then(|from| Some(from + rest[from..].find('"')? + 1));
        let length = closed.map_or(plain, |closed| word_end(rest, closed));
        words.push((at, &rest[..length]));
        rest = rest[length..].trim_start();
    }
    words
}

/// A slot and what it is set to.
type SlotSetting = (Spanned<String>, Spanned<SlotValue>);

/// Reads the slots of a unit line, see [`slot`].
///
/// # Errors
///
/// Those of [`slot`], and slots that are set twice.
pub fn slots(
    source: &Arc<Source>,
    words: &[Spanned<&str>],
    exact: bool,
) -> Result<NamedEntries<Spanned<SlotValue>>, Problems> {
    let mut found = Vec::new();
    let mut slots: NamedEntries<Spanned<SlotValue>> = Vec::new();
    let mut known = BTreeSet::new();
    for word in words {
        match slot(source, word, exact) {
            Ok(slot) if known.insert(slot.0.value.clone()) => slots.push(slot),
            Ok((name, _)) => {
                found.push(problems::repeated(&format!("the slot `{name}`")).at(source, name.span));
            }
            Err(problem) => found.push(problem),
        }
    }
    Problems::check(found)?;
    Ok(slots)
}

/// Reads `flag`, `slot=3`, `slot=word` or `slot="several words"`. With `exact` the word's span covers the word and
/// nothing else, so that its parts have spans too.
fn slot(source: &Arc<Source>, word: &Spanned<&str>, exact: bool) -> Result<SlotSetting, Problem> {
    let wrong = |problem: Problem| Err(problem.at(source, word.span.clone()));
    let part = |at: usize, length: usize| {
        if exact {
            word.span.start + at..word.span.start + at + length
        } else {
            word.span.clone()
        }
    };
    let Some((name, value)) = word.split_once('=') else {
        let flag = Spanned::new(SlotValue::Flag(true), word.span.clone());
        return Ok((Spanned::new(word.value.to_owned(), word.span.clone()), flag));
    };
    if name.is_empty() {
        return wrong(incomplete_slot(word));
    }
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    let read = match value {
        "" => return wrong(incomplete_slot(word)),
        "true" => SlotValue::Flag(true),
        "false" => SlotValue::Flag(false),
        _ if !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()) => {
            match value.parse() {
                Ok(number) => SlotValue::Number(number),
                Err(_) => {
                    return wrong(number_out_of_range(
                        &format!("`{value}`"),
                        "an integer of 64 bits",
                    ));
                }
            }
        }
        _ => {
            let quoted = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            SlotValue::Word(quoted.unwrap_or(value).to_owned())
        }
    };
    Ok((
        Spanned::new(name.to_owned(), part(0, name.len())),
        Spanned::new(read, part(name.len() + 1, value.len())),
    ))
}
