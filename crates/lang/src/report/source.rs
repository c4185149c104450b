//! Texts that a user wrote, and places in them.

use crate::kernel::ignored_in_eq::IgnoredInEq;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::OnceLock;

/// Operators that are more than one character long, in the languages that places point into.
const LONG_OPERATORS: &[&str] = &[
    "<<=", ">>=", "**=", "...", "..=", "==", "!=", "<=", ">=", "&&", "||", "=>", "->", "::", "+=", "-=",
    "*=", "/=", "%=", "|=", "&=", "^=", "**", "<<", ">>", "??", "?.", "?[", "..", "#{", "${",
];

/// A text that a user wrote, under the name that the user knows it by. Shared by [`Rc`].
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Source {
    /// The path as the user knows it, or a name such as `<prompt>` for text that is in no file.
    pub name: String,
    /// The whole text. Spans are byte ranges in it.
    pub text: String,
    /// Line layout, computed on first use: thousands of problems ask for their lines.
    layout: IgnoredInEq<OnceLock<LineIndex>>,
}

/// Starts of the lines of a text, and the number of characters before some of its bytes.
#[derive(Debug, Clone)]
struct LineIndex {
    lines: Vec<usize>,
    /// The first character from every [`MARK_EVERY`]th byte on: its byte, and the number of characters before it.
    /// Empty when every character is one byte.
    marks: Vec<(usize, usize)>,
}

/// Distance of the bytes at which characters are counted once for all: lines can be megabytes long.
const MARK_EVERY: usize = 1_024;

impl LineIndex {
    fn of(text: &str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let mut marks = Vec::new();
        if !text.is_ascii() {
            let (mut from, mut count) = (0, 0);
            for at in (0..text.len()).step_by(MARK_EVERY) {
                let at = text.ceil_char_boundary(at);
                count += text[from..at].chars().count();
                from = at;
                marks.push((at, count));
            }
        }
        LineIndex {
            lines: std::iter::once(0).chain(ends).collect(),
            marks,
        }
    }

    /// The number of characters before a byte of the text.
    fn chars_before(&self, text: &str, byte: usize) -> usize {
        match self.marks.partition_point(|(at, _)| *at <= byte).checked_sub(1) {
            None => byte,
            Some(mark) => {
                let (at, count) = self.marks[mark];
                count + text[at..byte].chars().count()
            }
        }
    }

    /// The byte of the text at which a character begins; the end of the text if it has fewer.
    fn byte_of(&self, text: &str, char: usize) -> usize {
        match self
            .marks
            .partition_point(|(_, count)| *count <= char)
            .checked_sub(1)
        {
            None => char.min(text.len()),
            Some(mark) => {
                let (at, count) = self.marks[mark];
                let mut behind = text[at..].char_indices().map(|(byte, _)| at + byte);
                behind.nth(char - count).unwrap_or(text.len())
            }
        }
    }
}

impl Source {
    /// A source from text that is already at hand.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Source {
            name: name.into(),
            text: text.into(),
            layout: IgnoredInEq::default(),
        })
    }

    fn layout(&self) -> &LineIndex {
        self.layout.0.get_or_init(|| LineIndex::of(&self.text))
    }

    /// The line around an offset, from 0.
    fn line_of(&self, offset: usize) -> usize {
        self.layout().lines.partition_point(|start| *start <= offset) - 1
    }

    /// Line and column of a byte offset, both counted from 1, the column in characters.
    ///
    /// An offset inside a character counts as that character's, one in a line end or past the text as the end before it.
    pub fn line_col(&self, offset: usize) -> (usize, usize) {
        let line = self.line_at(offset);
        let offset = self.text.floor_char_boundary(offset).min(line.end);
        let before = |byte| self.layout().chars_before(&self.text, byte);
        let column = before(offset) - before(line.start);
        (self.line_of(line.start) + 1, column + 1)
    }

    /// The bytes of the token at a line and column (both from 1, the column in characters): the whole identifier,
    /// number, string or operator there.
    ///
    /// Between tokens it is an empty span at the point; right of a line's end, an empty span at that end; below the last
    /// line, or at line 0, an empty span at the end of the text. Column 0 is read as column 1.
    pub fn span_at(&self, line: usize, column: usize) -> Range<usize> {
        let end = self.text.len();
        let layout = self.layout();
        let Some(&start) = line.checked_sub(1).and_then(|index| layout.lines.get(index)) else {
            return end..end;
        };
        let line = self.line_at(start);
        let before = layout.chars_before(&self.text, start);
        let point = layout.byte_of(&self.text, before.saturating_add(column.saturating_sub(1)));
        let (text, point) = (&self.text[line.clone()], point.min(line.end) - start);
        let token = token_at(text, point);
        start + token.start..start + token.end
    }

    /// The bytes of the line around an offset, without its line end (`\n` or `\r\n`).
    pub fn line_at(&self, offset: usize) -> Range<usize> {
        let lines = &self.layout().lines;
        let line = self.line_of(self.text.floor_char_boundary(offset));
        let start = lines[line];
        let end = lines.get(line + 1).map_or(self.text.len(), |next| next - 1);
        let bare = self.text[start..end].strip_suffix('\r');
        start..bare.map_or(end, |text| start + text.len())
    }

    /// The text of a span; the part of it that exists, when the span reaches too far or cuts a character.
    pub fn slice(&self, span: Range<usize>) -> &str {
        &self.text[self.fit(span)]
    }

    /// The nearest range of whole characters that lies in the text.
    pub(super) fn fit(&self, span: Range<usize>) -> Range<usize> {
        let start = self.text.floor_char_boundary(span.start);
        start..self.text.ceil_char_boundary(span.end.max(start))
    }
}

/// The token around a byte of a line; an empty range where there is none. `point` is a character boundary.
fn token_at(line: &str, point: usize) -> Range<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word_at = |point: usize| {
        let start = line[..point].trim_end_matches(is_word).len();
        let rest = &line[point..];
        start..point + rest.len() - rest.trim_start_matches(is_word).len()
    };
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let Some(first) = line[point..].chars().next() else {
        return point..point;
    };
    if is_word(first) {
        let mut word = word_at(point);
        if is_number(&line[word.clone()]) {
            let after = &line[word.end..];
            if after.strip_prefix('.').is_some_and(is_number) {
                word.end = word_at(word.end + 1).end;
            } else if line[..word.start].ends_with('.') {
                let whole = word_at(word.start - 1);
                if is_number(&line[whole.clone()]) {
                    word.start = whole.start;
                }
            }
        }
        return word;
    }
    if matches!(first, '"' | '\'' | '`') {
        let mut escaped = false;
        for (at, c) in line[point..].char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if c == first => return point..point + at + 1,
                _ => {}
            }
        }
        return point..point + 1;
    }
    if first.is_whitespace() {
        return point..point;
    }
    LONG_OPERATORS
        .iter()
        .flat_map(|operator| (0..operator.len()).map(move |back| (*operator, back)))
        .filter_map(|(operator, back)| {
            let start = point.checked_sub(back)?;
            line.get(start..)?
                .starts_with(operator)
                .then_some(start..start + operator.len())
        })
        .max_by_key(|span| (span.len(), span.start))
        .unwrap_or(point..point + first.len_utf8())
}

/// A span of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The text.
    pub source: Arc<Source>,
    /// Bytes in the source's text.
    pub span: Range<usize>,
}

impl Passage {
    /// The place of these bytes.
    pub fn new(source: &Arc<Source>, span: Range<usize>) -> Self {
        Passage {
            source: Arc::clone(source),
            span,
        }
    }

    /// Line and column of the start, both counted from 1, the column in characters.
    pub fn line_col(&self) -> (usize, usize) {
        self.source.line_col(self.span.start)
    }
}

/// `file:line:column`
impl fmt::Display for Passage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.line_col();
        write!(f, "{}:{line}:{column}", self.source.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn token(text: &str, line: usize, column: usize) -> String {
        let source = Source::new("test", text);
        let span = source.span_at(line, column);
        source.text[span].to_owned()
    }

    #[test]
    fn a_point_widens_to_the_token_under_it() {
        assert_eq!(token("let häuser = 3;", 1, 7), "häuser");
        assert_eq!(token("let x = 12.50 + 1;", 1, 9), "12.50");
        assert_eq!(token("let x = 12.50 + 1;", 1, 12), "12.50");
        assert_eq!(token("for i in 1..5", 1, 10), "1");
        assert_eq!(token("for i in 1..5", 1, 11), "..");
        assert_eq!(token("t.0", 1, 3), "0");
        assert_eq!(token(r#"f("a \" b", c)"#, 1, 3), r#""a \" b""#);
        assert_eq!(token("f(\"open", 1, 3), "\"");
        assert_eq!(token("a <<= b", 1, 4), "<<=");
        assert_eq!(token("a=-1", 1, 3), "-");
        assert_eq!(token("f((x))", 1, 5), ")");
        assert_eq!(token("a\r\n\tb1 c\r\n", 2, 2), "b1");
        assert_eq!(token("é→é", 1, 2), "→");
    }

    #[test]
    fn a_point_outside_every_token_is_an_empty_span() {
        let span = |text: &str, line, column| Source::new("test", text).span_at(line, column);
        assert_eq!(span("", 1, 1), 0..0);
        assert_eq!(span("", 0, 0), 0..0);
        assert_eq!(span("a b", 1, 2), 1..1);
        assert_eq!(span("ab\r\ncd", 1, 9), 2..2);
        assert_eq!(span("ab\r\ncd", 7, 1), 6..6);
        assert_eq!(span("ab\ncd", 0, 1), 5..5);
        assert_eq!(span("ab\ncd", 2, 0), 3..5);
        assert_eq!(span("é", usize::MAX, usize::MAX), 2..2);
    }

    #[test]
    fn columns_of_a_very_long_line_count_characters() {
        let text = format!("ok\n{}", "é→ -".repeat(5_000));
        let source = Source::new("test", text.clone());
        for (nth, (byte, c)) in text[3..].char_indices().enumerate().step_by(7) {
            assert_eq!(source.line_col(3 + byte), (2, nth + 1));
            let width = if c == ' ' { 0 } else { c.len_utf8() };
            assert_eq!(source.span_at(2, nth + 1), 3 + byte..3 + byte + width);
        }
        assert_eq!(source.line_col(text.len()), (2, 20_001));
    }

    proptest! {
        #[test]
        fn every_point_of_every_text_has_a_span(text in "[ab1. \"'é\t\r\n=<]{0,40}", line in 0usize..8, column in 0usize..20) {
            let source = Source::new("test", text);
            let span = source.span_at(line, column);
            prop_assert!(source.text.get(span).is_some());
        }
    }
}
