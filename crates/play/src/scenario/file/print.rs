//! A scenario in its canonical form.

use super::{DEFAULT_OPEN, DEFAULT_SEED, DialValue, ScenarioFile};
use crate::description::{SlotValue, Spanned};
use std::fmt::Write as _;

/// A printed list that is longer than this, in bytes, gets one line for each entry.
const LIST_WIDTH: usize = 100;

/// The scenario as TOML, in its canonical form.
pub(super) fn to_toml(file: &ScenarioFile) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let mut put = |key: &str, value: String| {
        let _ = writeln!(out, "{key} = {value}");
    };
    let texts = |texts: &[Spanned<String>]| list(texts.iter().map(|text| quoted(text)));
    put("game", quoted(&file.game));
    if let Some(title) = &file.title {
        put("title", quoted(title));
    }
    if let Some(about) = &file.about {
        put("about", quoted_at_length(about));
    }
    if let Some(puzzle) = &file.puzzle {
        put("puzzle", quoted(puzzle));
    }
    if !file.proves.is_empty() {
        put("proves", texts(&file.proves));
    }
    if file.seed != DEFAULT_SEED {
        put("seed", file.seed.to_string());
    }
    if !file.variants.is_empty() {
        put("variants", texts(&file.variants));
    }
    if let Some(until) = &file.until {
        put("until", quoted(until));
    }
    if file.empty {
        put("empty", true.to_string());
    }
    if file.open.value != DEFAULT_OPEN {
        put("open", quoted(&file.open));
    }
    for (terrain, places) in &file.position.terrain {
        let places: Vec<&str> = places.iter().map(|p| p.as_str()).collect();
        put(&dotted("terrain", terrain), quoted(&places.join(" ")));
    }
    for (faction, units) in &file.position.units {
        let lines = units.iter().map(|unit| quoted(&unit.to_string()));
        put(&dotted("units", faction), list(lines));
    }
    for (owner, slots) in &file.position.slots {
        let slots: Vec<String> = slots
            .iter()
            .map(|(name, value)| match &value.value {
                SlotValue::Word(word) => format!("{} = {}", key(name), quoted(word)),
                plain => format!("{} = {plain}", key(name)),
            })
            .collect();
        let slots = slots.join(", ");
        let slots = if slots.is_empty() {
            "{}".to_owned()
        } else {
            format!("{{ {slots} }}")
        };
        put(&dotted("slots", owner), slots);
    }
    for (name, value) in &file.dials {
        let value = match &value.value {
            DialValue::Number(number) => number.to_string(),
            DialValue::Word(word) => quoted(word),
        };
        put(&dotted("dials", name), value);
    }
    if !file.answers.is_empty() {
        put("answers", texts(&file.answers));
    }
    for (label, rolls) in &file.rolls {
        let rolls = rolls.iter().map(|dice| match dice.as_slice() {
            [die] => die.to_string(),
            dice => list(dice.iter().map(i64::to_string)),
        });
        put(&dotted("rolls", label), list(rolls));
    }
    for (label, throws) in &file.throws {
        put(&dotted("throws", label), texts(throws));
    }
    if let Some(refused) = &file.refused {
        put("refused", quoted(refused));
    }
    if !file.expect.is_empty() {
        put("expect", texts(&file.expect));
    }
    for (name, counts) in [("perft", &file.perft), ("perft_forced", &file.perft_forced)] {
        if !counts.is_empty() {
            put(name, list(counts.iter().map(|count| count.value.to_string())));
        }
    }
    out
}

/// A key as TOML, quoted if it must be.
fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(is_bare) {
        name.to_owned()
    } else {
        escaped(name)
    }
}

/// A key inside a table.
pub(super) fn dotted(table: &str, name: &str) -> String {
    format!("{table}.{}", key(name))
}

/// A text as a TOML string of one line, without escapes where that can be had.
pub(super) fn quoted(text: &str) -> String {
    let needs_escapes = text.contains(['"', '\\']);
    if needs_escapes && !text.contains('\'') && !text.contains(char::is_control) {
        format!("'{text}'")
    } else {
        escaped(text)
    }
}

/// A text as a TOML string, over several lines if it has several.
fn quoted_at_length(text: &str) -> String {
    let is_plain = |c: char| c == '\n' || !(c.is_control() || c == '\\');
    if text.contains('\n') && text.chars().all(is_plain) && !text.contains("\"\"\"") && !text.ends_with('"') {
        format!("\"\"\"\n{text}\"\"\"")
    } else {
        quoted(text)
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A TOML list, on one line if it fits.
fn list(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    let line = format!("[{}]", items.join(", "));
    if line.len() <= LIST_WIDTH || items.len() < 2 {
        return line;
    }
    let lines: String = items.iter().map(|item| format!("    {item},\n")).collect();
    format!("[\n{lines}]")
}
