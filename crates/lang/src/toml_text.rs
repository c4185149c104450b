//! TOML that may be broken: what is wrong with it, all of it at once, and the rest of it to read on.
//!
//! The parser goes on after an error, but what it says from there on is often about nothing: after a
//! bracket that is not closed it complains of every line. So the text is taken apart into its entries,
//! each is read by itself, and one that cannot be read is told once and left out.
//!
//! Knows texts and problems; not what a file is about.

pub use crate::files::problems::nested_too_deeply;
use crate::files::problems::{not_toml, wrong_toml};
use crate::report::{Problem, Source, from_top};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use toml::de::{DeTable, Error};

/// Returns the problem of a TOML error, at its place in the text.
pub fn refused(error: &Error, source: &Arc<Source>) -> Problem {
    wrong_toml(error.message()).at_some(error.span().map(|span| (source, span)))
}

/// TOML errors of a text, and the text without the faulty entries: each readable entry stays at its place, byte by
/// byte.
pub struct MendedText {
    /// Problems, in the order of the text.
    pub problems: Vec<Problem>,
    /// Readable part of the text.
    pub text: String,
}

/// Takes out of a text what is not TOML.
///
/// Needs a deep stack for a text that is nested deeply: [`on_deep_stack`].
pub fn mended(source: &Arc<Source>) -> MendedText {
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
pub fn on_deep_stack<T: Send>(text: &str, read: impl Fn(&str) -> T + Send + Sync) -> T {
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

fn errors_of(text: &str) -> Vec<Error> {
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
fn problem(source: &Arc<Source>, error: &Error, entry: Option<&Range<usize>>) -> Problem {
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
