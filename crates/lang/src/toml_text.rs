//! The one reader of TOML files: each format declares a type, [`read`] makes a value of it from a text and reports all
//! that is wrong, at its place.
//!
//! A text that is not TOML is mended first. The parser goes on after an error, but what it says from there on is often about nothing: after a
//! bracket that is not closed it complains of every line. So the text is taken apart into its entries,
//! each is read by itself, and one that cannot be read is told once and left out.
//!
//! Knows texts and problems; not what a file is about.

pub use crate::files::problems::misplaced_key;
use crate::files::problems::{
    nested_too_deeply, not_toml, number_out_of_range, unknown_key, wrong_toml, wrong_type,
};
use crate::report::problems::unknown_name;
use crate::report::{Problem, Problems, Source, did_you_mean, from_top};
use serde::de::{DeserializeOwned, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::sync::Arc;
use toml::de::{DeString, DeTable, DeValue, Error as TomlError, ValueDeserializer};

/// A value and where it is written. Two are equal if the values are, wherever they stand.
#[derive(Clone, Debug, Default)]
pub struct Spanned<T> {
    /// Value as written.
    pub value: T,
    /// Bytes in the text; empty at 0 for what is written nowhere.
    pub span: Range<usize>,
}

impl<T> Spanned<T> {
    /// A value at a place.
    pub fn new(value: T, span: Range<usize>) -> Self {
        Spanned { value, span }
    }
}

/// A value that is written nowhere.
impl<T> From<T> for Spanned<T> {
    fn from(value: T) -> Self {
        Spanned::new(value, 0..0)
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T> Deref for Spanned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: fmt::Display> fmt::Display for Spanned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let read = toml::Spanned::deserialize(from)?;
        let span = read.span();
        Ok(Spanned::new(read.into_inner(), span))
    }
}

/// Things under names, in the order in which they are written; no name stands twice.
pub type NamedEntries<T> = Vec<(Spanned<String>, T)>;

/// The entries of a table, in the order in which they are written.
#[derive(Debug, Clone)]
pub struct InOrder<T>(pub NamedEntries<T>);

impl<T> Default for InOrder<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for InOrder<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct EntryVisitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for EntryVisitor<T> {
            type Value = InOrder<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<InOrder<T>, A::Error> {
                let mut entries: NamedEntries<T> = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                entries.sort_by_key(|(key, _)| key.span.start);
                Ok(InOrder(entries))
            }
        }
        from.deserialize_map(EntryVisitor(PhantomData))
    }
}

/// One value, or a list of values.
#[derive(Debug, Clone)]
pub struct OneOrMany<T>(pub Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct ManyVisitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for ManyVisitor<T> {
            type Value = OneOrMany<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("one value or a list of them")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<OneOrMany<T>, E> {
                Ok(OneOrMany(vec![T::deserialize(number.into_deserializer())?]))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<OneOrMany<T>, E> {
                Ok(OneOrMany(vec![T::deserialize(text.into_deserializer())?]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<OneOrMany<T>, A::Error> {
                let mut all = Vec::new();
                while let Some(item) = items.next_element()? {
                    all.push(item);
                }
                Ok(OneOrMany(all))
            }
        }
        from.deserialize_any(ManyVisitor(PhantomData))
    }
}

/// Reads a file as far as it can be read, with all that is wrong with it. There is no value where a required key is
/// missing.
///
/// An entry that does not fit is reported and left out, and the rest is read again, up to a limit. The keys are those at the top of
/// the file: one that stands in a table where it does not fit is told to be misplaced.
pub fn read<T: DeserializeOwned + Send>(source: &Arc<Source>, keys: &[&str]) -> (Option<T>, Vec<Problem>) {
    let MendedText { mut problems, text } = mended(source);
    let broken: BTreeSet<usize> = problems.iter().filter_map(Problem::line).collect();
    let (value, found) = on_deep_stack(&text, |text| {
        let table = DeTable::parse_recoverable(text).0;
        let span = table.span();
        let mut tree = toml::Spanned::new(span, DeValue::Table(table.into_inner()));
        let (mut found, mut gone) = (Vec::new(), BTreeSet::new());
        if let Some(span) = too_deep(&tree, DEEPEST) {
            return (None, vec![nested_too_deeply().at(source, span)]);
        }
        loop {
            let error = match T::deserialize(ValueDeserializer::from(tree.clone())) {
                Ok(value) => return (Some(value), found),
                Err(error) => error,
            };
            let mut path = Vec::new();
            let at = error.span().unwrap_or_default();
            let entry = take_out(tree.get_mut(), &at, &mut path);
            // A key that was taken out is missing only because of that.
            let missing = error
                .message()
                .strip_prefix("missing field `")
                .map(|rest| rest.trim_end_matches('`'));
            let is_gone = missing.is_some_and(|key| gone.contains(&[&path[..], &[key.to_owned()]].concat()));
            let problem = match &entry {
                Some(entry) => wrong_entry(source, &error, &path, entry, keys),
                None => wrong_toml(error.message()).at(source, at),
            };
            if !is_gone && !found.contains(&problem) {
                found.push(problem);
            }
            if entry.is_none() || found.len() == MOST {
                return (None, found);
            }
            gone.insert(path);
        }
    });
    // A line that is not TOML may have been read as something that nobody wrote.
    problems.extend(
        found
            .into_iter()
            .filter(|problem| problem.line().is_none_or(|line| !broken.contains(&line))),
    );
    (value, from_top(problems))
}

/// Reads a file that must be without faults.
///
/// # Errors
///
/// All that is wrong with it.
pub fn read_whole<T: DeserializeOwned + Send>(source: &Arc<Source>) -> Result<T, Problems> {
    match read(source, &[]) {
        (Some(value), found) if found.is_empty() => Ok(value),
        (_, found) => Err(Problems(found)),
    }
}

/// Reading stops after this many faults.
const MOST: usize = 50;

/// A file may nest lists and tables this many levels deep: far more than any has a use for.
const DEEPEST: usize = 64;

/// Returns the place where a value has more than these levels.
fn too_deep(value: &toml::Spanned<DeValue<'_>>, levels: usize) -> Option<Range<usize>> {
    let Some(deeper) = levels.checked_sub(1) else {
        return Some(value.span());
    };
    match value.get_ref() {
        DeValue::Array(items) => items.iter().find_map(|item| too_deep(item, deeper)),
        DeValue::Table(table) => table.iter().find_map(|(_, item)| too_deep(item, deeper)),
        _ => None,
    }
}

/// An entry of a table, or an item of a list that is one.
struct TakenEntry<'i> {
    key: Range<usize>,
    is_item: bool,
    value: toml::Spanned<DeValue<'i>>,
}

/// Takes the innermost entry with these bytes out of a table or list. The path is that of the entry.
fn take_out<'i>(
    within: &mut DeValue<'i>,
    at: &Range<usize>,
    path: &mut Vec<String>,
) -> Option<TakenEntry<'i>> {
    let covers = |outer: Range<usize>| outer.start <= at.start && at.end <= outer.end && !outer.is_empty();
    match within {
        DeValue::Table(table) => {
            for (key, value) in table.iter_mut() {
                path.push(key.get_ref().to_string());
                if let Some(inner) = take_out(value.get_mut(), at, path) {
                    let key = if inner.key.is_empty() {
                        key.span()
                    } else {
                        inner.key
                    };
                    return Some(TakenEntry { key, ..inner });
                }
                path.pop();
            }
            let fits = |entry: &(&toml::Spanned<DeString<'i>>, &toml::Spanned<DeValue<'i>>)| {
                covers(entry.0.span()) || covers(entry.1.span())
            };
            let key = table.iter().find(fits)?.0.clone();
            path.push(key.get_ref().to_string());
            let value = table.remove(&key)?;
            Some(TakenEntry {
                key: key.span(),
                is_item: false,
                value,
            })
        }
        DeValue::Array(items) => {
            for item in items.iter_mut() {
                if let Some(inner) = take_out(item.get_mut(), at, path) {
                    return Some(inner);
                }
            }
            let index = items.iter().position(|item| covers(item.span()))?;
            let mut all: Vec<_> = items.iter().cloned().collect();
            let value = all.remove(index);
            *items = all.into_iter().collect();
            // The table around it knows the key.
            Some(TakenEntry {
                key: 0..0,
                is_item: true,
                value,
            })
        }
        _ => None,
    }
}

/// Returns the problem of an entry that does not fit what is read.
fn wrong_entry(
    source: &Arc<Source>,
    error: &TomlError,
    path: &[String],
    entry: &TakenEntry<'_>,
    keys: &[&str],
) -> Problem {
    let (what, expected) = error
        .message()
        .split_once(", expected ")
        .unwrap_or((error.message(), ""));
    let mut quoted_words = what.split('`').skip(1).step_by(2);
    let known: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let (key, table) = path
        .split_last()
        .map_or(("", &[][..]), |(key, table)| (key.as_str(), table));
    if !table.is_empty() && is_stray(source, &entry.key, key, keys) {
        return misplaced_key(key, &table.join(".")).at(source, entry.key.clone());
    }
    let at = error.span().unwrap_or_default();
    let value = entry.value.get_ref();
    let name = match entry.is_item {
        true => format!("an entry of `{}`", path.join(".")),
        false => format!("`{}`", path.join(".")),
    };
    let hint = |problem: Problem, word: &str| {
        let near = did_you_mean(word, known.iter().copied());
        problem.hint(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known: {}", known.join(", ")),
        })
    };
    let problem = match quoted_words.next() {
        Some(word) if what.starts_with("unknown field ") => hint(unknown_key(word), word),
        Some(word) if what.starts_with("unknown variant ") => hint(unknown_name(key, word), word),
        _ if matches!(value, DeValue::Integer(_)) && is_number(expected) => {
            number_out_of_range(&name, type_word(expected))
        }
        _ if expected.is_empty() => wrong_toml(what),
        _ => {
            let problem = wrong_type(&name, kind_word(value), type_word(expected));
            match value {
                DeValue::String(text) if is_number(expected) && text.parse::<i64>().is_ok() => {
                    problem.hint(format!("write {text}, without quotes"))
                }
                DeValue::String(text) if expected.starts_with("a sequence") => {
                    problem.hint(format!("write [{}]", quoted(text)))
                }
                _ => problem,
            }
        }
    };
    problem.at(source, at)
}

/// Whether a key of a table is one of the file that has slipped into it: one behind a dot, or in braces, is meant.
pub fn is_stray(source: &Source, at: &Range<usize>, key: &str, keys: &[&str]) -> bool {
    keys.contains(&key) && !source.text[..at.start].trim_end().ends_with(['.', '{', ','])
}

fn is_number(expected: &str) -> bool {
    matches!(expected, "u64" | "i64" | "usize") || expected.starts_with("an integer")
}

/// A type in words, which the reader names as Rust does.
fn type_word(expected: &str) -> &str {
    match expected {
        "u64" | "usize" => "a whole number from 0 to 18446744073709551615",
        "i64" => "an integer of 64 bits",
        "a sequence" => "a list",
        "a map" => "a table",
        _ if expected.starts_with("struct ") => "a table",
        other => other,
    }
}

fn kind_word(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// TOML errors of a text, and the text without the faulty entries: each readable entry stays at its place, byte by
/// byte.
struct MendedText {
    /// Problems, in the order of the text.
    problems: Vec<Problem>,
    /// Readable part of the text.
    text: String,
}

/// Takes out of a text what is not TOML.
///
/// Needs a deep stack for a text that is nested deeply: [`on_deep_stack`].
fn mended(source: &Arc<Source>) -> MendedText {
    let mut text = source.text.clone();
    let mut problems = Vec::new();
    let mut errors = errors_of(&text);
    if errors.iter().any(|e| !stands_alone(e.message())) {
        let mut lost_table = false;
        let mut gone = Vec::new();
        for entry in entries(&source.text) {
            let is_head = source.text[entry.clone()].starts_with('[');
            lost_table &= !is_head;
            if lost_table {
                // It is not known what the entry belongs to.
                gone.push(entry);
                continue;
            }
            let errors = errors_of(&source.text[entry.clone()]);
            if errors.iter().all(|e| stands_alone(e.message())) {
                continue;
            }
            problems.extend(errors.first().map(|error| problem(source, error, Some(&entry))));
            lost_table = is_head;
            gone.push(entry);
        }
        text = blank(&text, &gone);
        errors = errors_of(&text);
    }
    let mut lines: BTreeSet<usize> = problems.iter().filter_map(Problem::line).collect();
    for error in errors {
        let problem = problem(source, &error, None);
        // One complaint for a line is enough.
        if problem.line().is_none_or(|line| lines.insert(line)) {
            problems.push(problem);
        }
        if !stands_alone(error.message()) {
            // What each entry says by itself and all of them together do not: nothing can be trusted.
            text.clear();
            break;
        }
    }
    MendedText {
        problems: from_top(problems),
        text,
    }
}

/// Bytes of stack for the TOML parser; its own limits let a tree be 80 times 80 levels deep.
const PARSER_STACK: usize = 32 << 20;

/// A key with so many dots, in each of 80 lists and tables in each other, is read on any stack.
const DOTS: usize = 8;

/// Reads a text, which may say deep trees, on a stack deep enough for them: they are freed by recursion, and a few
/// kilobytes of text can exhaust an ordinary one. A text of short keys is read where it is, which takes less time.
fn on_deep_stack<T: Send>(text: &str, read: impl Fn(&str) -> T + Send + Sync) -> T {
    let is_shallow = |line: &str| line.bytes().filter(|byte| *byte == b'.').count() <= DOTS;
    if text.lines().all(is_shallow) {
        return read(text);
    }
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().stack_size(PARSER_STACK);
        match reader.spawn_scoped(scope, || read(text)) {
            Ok(reader) => reader
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // Without threads the ordinary stack must do.
            Err(_) => read(text),
        }
    })
}

fn errors_of(text: &str) -> Vec<TomlError> {
    let mut errors = on_deep_stack(text, |text| DeTable::parse_recoverable(text).1);
    errors.sort_by_key(|error| error.span().map_or(0, |span| span.start));
    errors
}

/// Whether what follows such an error is as it was meant.
fn stands_alone(message: &str) -> bool {
    let what = message.split(", expected ").next().unwrap_or(message);
    matches!(
        what,
        "duplicate key" | "string values must be quoted" | "key with no value"
    )
}

/// The text with these spans, in order, blank; lines and bytes stay where they are.
fn blank(text: &str, spans: &[Range<usize>]) -> String {
    let mut left = String::with_capacity(text.len());
    let mut spans = spans.iter().peekable();
    for (at, c) in text.char_indices() {
        while spans.next_if(|span| span.end <= at).is_some() {}
        match c {
            '\n' | '\r' => left.push(c),
            _ if spans.peek().is_some_and(|span| span.contains(&at)) => {
                left.extend(std::iter::repeat_n(' ', c.len_utf8()))
            }
            _ => left.push(c),
        }
    }
    left
}

/// The entries of a text: `key = value` with all lines of the value, and `[table]` lines.
///
/// A value that is never closed ends where the next line begins like an entry.
fn entries(text: &str) -> Vec<Range<usize>> {
    let mut starts = Vec::new();
    let mut open: usize = 0;
    let mut long: Option<&str> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let begins = long.is_none() && begins_entry(line, open > 0);
        if begins || (open == 0 && long.is_none() && !line.trim().is_empty()) {
            starts.push(at);
            open = 0;
        }
        (open, long) = after_line(line, open, long, &text[at + line.len()..]);
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(a, b)| a..b).collect()
}

/// Whether a line begins as an entry does: in the middle of a list only a key says so.
fn begins_entry(line: &str, inside: bool) -> bool {
    if line.starts_with('[') {
        let head = line.trim_end().split('#').next().unwrap_or_default().trim_end();
        let name = head.trim_start_matches('[').trim_end_matches(']');
        let plain = |c: char| c.is_alphanumeric() || "_-.\" '".contains(c);
        return head.ends_with(']')
            && !name.is_empty()
            && name.chars().all(plain)
            && (!inside || name.starts_with(char::is_alphabetic));
    }
    let Some((key, value)) = line.split_once('=') else {
        return false;
    };
    let key = key.trim_end();
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '.';
    // A text in a list begins with a quote; a key in quotes is rare enough.
    !key.is_empty() && key.chars().all(|c| plain(c) || c == '"' && !inside) && !value.starts_with('=')
}

/// Returns the number of open brackets after a line, and the quotes of a multi-line string still open there.
fn after_line<'q>(line: &str, open: usize, long: Option<&'q str>, below: &str) -> (usize, Option<&'q str>) {
    let (mut open, mut long) = (open, long);
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        if let Some(quotes) = long {
            match rest.find(quotes) {
                Some(end) => {
                    rest = &rest[end + 3..];
                    long = None;
                    continue;
                }
                None => return (open, long),
            }
        }
        let mut skip = first.len_utf8();
        match first {
            '#' => break,
            '[' | '{' => open += 1,
            ']' | '}' => open = open.saturating_sub(1),
            '"' | '\'' => {
                let three = if first == '"' { "\"\"\"" } else { "'''" };
                if rest.starts_with(three) {
                    // One that is never closed would swallow the rest of the file.
                    if rest[3..].contains(three) || below.contains(three) {
                        long = Some(three);
                    }
                    skip = 3;
                } else {
                    let mut escaped = false;
                    let close = rest.char_indices().skip(1).find(|(_, c)| {
                        let closes = *c == first && !escaped;
                        escaped = first == '"' && *c == '\\' && !escaped;
                        closes
                    });
                    skip = close.map_or(rest.len(), |(at, _)| at + 1);
                }
            }
            _ => {}
        }
        rest = &rest[skip..];
    }
    (open, long)
}

/// The parser's words as a sentence, with what may help. With an entry, that alone was read.
fn problem(source: &Arc<Source>, error: &TomlError, entry: Option<&Range<usize>>) -> Problem {
    let mut span = error.span().unwrap_or(0..0);
    if let Some(entry) = entry {
        let written = source.text[entry.clone()].trim_end().len();
        let end = entry.start + written;
        // What is missing at the end is missing behind what is there.
        span = (entry.start + span.start).min(end)..(entry.start + span.end).min(end);
    }
    let (what, expected) = match error.message().split_once(", expected ") {
        Some((what, "nothing")) => (what, None),
        Some((what, expected)) => (what, Some(expected)),
        None => (error.message(), None),
    };
    let at = source.slice(span.clone()).to_owned();
    let before = source.text[..span.start].trim_end_matches([' ', '\t']);
    let mut problem = not_toml(what).at(source, span.clone());
    if let Some(expected) = expected {
        problem = problem.expected(format!("expected {expected}"));
    }
    let word = source.text[span.start..]
        .split([' ', '\t', '\r', '\n', ',', ']', '}', '#'])
        .next();
    let word = word.filter(|w| w.starts_with(char::is_alphabetic) && before.ends_with(['=', '[', ',']));
    if let Some(word) = word.filter(|_| what.starts_with("invalid ")) {
        return not_toml("string values must be quoted")
            .expected("expected quotes around it")
            .at(source, span.start..span.start + word.len())
            .hint(format!("write {}", quoted(word)));
    }
    let hint = match what {
        "string values must be quoted" if at.trim().is_empty() => {
            problem = not_toml("a value is missing")
                .at(source, span.clone())
                .expected("expected a value");
            "a value is a number, true or false, a text in quotes, or a list [ ... ]".to_owned()
        }
        "duplicate key" if before.ends_with('[') && !before.ends_with("[[") => {
            format!(
                "a table may stand only once: join the two; where there may be several, each is headed by [[{at}]]"
            )
        }
        "duplicate key" => "a key or a table may stand only once: join the two or remove one".to_owned(),
        _ if is_quote_within(source, span.start) => {
            "a text with quotes in it stands between single ones: 'unit(\"a\").life == 1'".to_owned()
        }
        "string values must be quoted" => {
            problem = problem.expected("expected quotes around it");
            let line = source.line_at(span.start);
            let rest = source.slice(span.start..line.end);
            // A sentence may have commas in it.
            let whole = rest
                .split(" #")
                .next()
                .unwrap_or(rest)
                .trim()
                .trim_end_matches('"');
            let at = match before.ends_with('=') && !whole.contains(['[', ']', '{', '}', '"']) {
                true => whole.to_owned(),
                false => at,
            };
            match crooked(&at) {
                Some(inner) => format!("write \"{inner}\": quotes of printed text mean nothing here"),
                None => format!("write {}", quoted(&at)),
            }
        }
        "key with no value" => "write `key = value`".to_owned(),
        "recursion limit" => return nested_too_deeply().at(source, span),
        what if what.starts_with("invalid basic string") || what.starts_with("invalid literal string") => {
            let unclosed = not_toml("this text is never closed").at(source, span.clone());
            problem = unclosed.expected("expected a quote at its end");
            "a text stands in double quotes, on one line".to_owned()
        }
        what if what.starts_with("unclosed array")
            || what.starts_with("missing comma")
            || what.contains("array") =>
        {
            "a list is [\"one\", \"two\"]: a comma between two items, a `]` at its end".to_owned()
        }
        what if what.starts_with("unclosed inline table") || what.contains("inline table") => {
            "a table on one line is { key = value, key = value }".to_owned()
        }
        what if what.starts_with("unclosed table") => "a table's line is [name]".to_owned(),
        _ if before.ends_with('=') && before.len() < span.start + 1 && at.trim().is_empty() => {
            "a value is missing behind `=`: a number, a text in quotes, or a list [ ... ]".to_owned()
        }
        _ if source.text[span.start..].starts_with("//") => "a comment begins with `#`".to_owned(),
        _ if source.text[span.start..].starts_with(';') => {
            "each entry stands on a line of its own, without `;`".to_owned()
        }
        _ if at.contains(':') => "a key is followed by `=`, not `:`".to_owned(),
        _ => return problem,
    };
    problem.hint(hint)
}

/// Whether a text seems to go on behind what ends it.
fn is_quote_within(source: &Source, at: usize) -> bool {
    let rest = source.text[at..].trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    let is_key = rest.trim_start_matches([' ', '\t']).starts_with('=');
    rest.len() < source.text.len() - at && !is_key && source.text[..at].ends_with('"')
}

/// Returns the text between typographic quotes, if it begins with one.
fn crooked(text: &str) -> Option<&str> {
    let is_quote = |c: char| "“”„‟«»‘’‚‛".contains(c);
    let inner = text.trim().trim_end_matches(',').trim_matches(is_quote);
    text.trim().starts_with(is_quote).then_some(inner)
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(text: &str) -> (Vec<(usize, String)>, String) {
        let mended = mended(&Source::new("test", text));
        let problems = mended.problems.into_iter();
        let problems = problems.map(|p| (p.line().unwrap_or(0), p.message)).collect();
        (problems, mended.text)
    }

    fn lines(text: &str) -> Vec<usize> {
        told(text).0.into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn each_entry_that_cannot_be_read_is_told_once() {
        assert_eq!(
            lines("a = 1\nb = [\"x\", \"y\"\nc = 2\nd = = 3\ne = \"f\ng = 4\n"),
            [2, 4, 5]
        );
        assert_eq!(
            lines("a = [\n  \"x\"\n  \"y\",\n]\nb = nothing\n[c\nd = 1\n"),
            [3, 5, 6]
        );
        assert_eq!(lines("a = \"\"\"\nb = \nc\"\"\"\nd = \n"), [4]);
        assert_eq!(lines("a = 1\na = 2\n"), [2]);
    }

    #[test]
    fn what_can_be_read_stays_where_it_is() {
        let text = "a = 1\nb = [1\nc = \"é\"\nd = é\n";
        let (_, left) = told(text);
        assert_eq!(left.len(), text.len());
        assert!(left.contains("a = 1\n") && left.contains("c = \"é\"\n") && !left.contains('b'));
        assert_eq!(left.find("c ="), text.find("c ="));
    }

    #[test]
    fn toml_that_is_well_is_left_alone() {
        let text = "a = [\n [1, 2],\n [3]\n]\n[b.c]\nd = { e = \"x = [\" } # [\nf = '''\ng = [\n'''\n";
        let (problems, left) = told(text);
        assert_eq!((problems, left.as_str()), (vec![], text));
    }

    proptest! {
        #[test]
        fn any_text_is_mended(text in "([ab] = |[\\[\\]{}=,\"'#é0-9a \n\r.-])*") {
            let (_, left) = told(&text);
            prop_assert!(left.is_empty() || left.len() == text.len());
            prop_assert!(errors_of(&left).iter().all(|e| stands_alone(e.message())));
        }
    }
}
