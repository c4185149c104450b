//! Problems as values, and the pages that show them.
//!
//! Everything that can be wrong with what a user wrote or asked becomes a [`Problem`]: one sentence, the place in the
//! text it is about, what was expected there, and a hint. A problem knows text and places only. It may not know what a
//! ruleset, a scenario or a transcript is, so that every part of the crate can report with it; and it never prints:
//! whoever faces the user asks for a [`Problem::page`] or serializes it.

use crate::lines::{self, wrapped};
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str};
use serde::ser::{Serialize, Serializer};

mod declared;
mod names;
pub mod problems;
mod source;

pub use declared::kebab;
pub use names::{SUGGESTED, did_you_mean, hint_for, listed, slip_of};
pub use source::{Passage, Source};

/// A page is at most this wide, in characters.
const PAGE_WIDTH: usize = 80;

/// At most this many problems are shown at once.
const PAGES_AT_ONCE: usize = 20;

/// Maximum number of calls shown around a fault.
const CALLS_AT_ONCE: usize = 12;

/// A call on the way to a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// Place of the call in the source.
    pub place: Passage,
    /// Description of the caller, if it is useful.
    pub note: Option<String>,
}

/// One thing that is wrong with what the user wrote or asked.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Problem {
    /// One sentence without a full stop.
    pub message: String,
    /// Place that the problem is about, if it is written anywhere.
    pub place: Option<Passage>,
    /// Text expected at the place; shown under it.
    pub expected: Option<Box<str>>,
    /// Advice on a solution; may have several lines.
    pub hint: Option<String>,
    /// The calls it went through, innermost first.
    pub chain: Vec<CallSite>,
    facts: Option<Arc<ProblemFacts>>,
}

/// Id and names of a problem, shared to keep [`Problem`] small.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct ProblemFacts {
    id: &'static str,
    arguments: Vec<String>,
    subjects: Vec<String>,
}

impl Problem {
    /// A problem that is nowhere yet.
    pub fn new(message: impl Into<String>) -> Self {
        Problem {
            message: message.into(),
            ..Problem::default()
        }
    }

    /// Returns the problem that [`problems!`](crate::problems) declares under this id, with the values in its texts.
    pub fn declared(id: &'static str, arguments: Vec<String>, message: String) -> Self {
        let facts = ProblemFacts {
            id,
            arguments,
            ..ProblemFacts::default()
        };
        Problem {
            facts: Some(Arc::new(facts)),
            ..Problem::new(message)
        }
    }

    /// Stable name of the kind of problem; empty if it was not declared by [`problems!`](crate::problems).
    pub fn id(&self) -> &'static str {
        self.facts.as_ref().map_or("", |facts| facts.id)
    }

    /// Values in the texts of a declared problem, in the order of its declaration.
    pub fn arguments(&self) -> &[String] {
        self.facts.as_ref().map_or(&[], |facts| &facts.arguments)
    }

    /// Returns the id with the arguments, as tests compare problems.
    pub fn brief(&self) -> String {
        format!("{}({})", self.id(), self.arguments().join(", "))
    }

    /// The same, about this name: of a tweak or a dial, or a word that is none.
    #[must_use]
    pub fn about(mut self, name: &str) -> Self {
        let facts = self.facts.get_or_insert_default();
        Arc::make_mut(facts).subjects.push(name.to_owned());
        self
    }

    /// The names that it is about.
    pub fn subjects(&self) -> impl Iterator<Item = &str> {
        let names = self.facts.iter().flat_map(|facts| &facts.subjects);
        names.map(String::as_str)
    }

    /// The line that it is on.
    pub fn line(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.line_col().0)
    }

    /// The same, about this span of bytes.
    #[must_use]
    pub fn at(mut self, source: &Arc<Source>, span: Range<usize>) -> Self {
        self.place = Some(Passage::new(source, span));
        self
    }

    /// The same, at its place if there is one.
    #[must_use]
    pub fn at_some(self, place: Option<(&Arc<Source>, Range<usize>)>) -> Self {
        match place {
            Some((source, span)) => self.at(source, span),
            None => self,
        }
    }

    /// The same, with what should stand at the place.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into().into());
        self
    }

    /// The same, with what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same, with what to do about it if anything is known.
    #[must_use]
    pub fn hint_some(self, hint: Option<impl Into<String>>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    /// The same, one call further out: call this for the innermost call first.
    #[must_use]
    pub fn called_from(mut self, source: &Arc<Source>, span: Range<usize>, note: Option<String>) -> Self {
        self.chain.push(CallSite {
            place: Passage::new(source, span),
            note,
        });
        self
    }

    /// The page a user reads: the sentence, the line as written with the place underlined, the hint, the calls. It does
    /// not end with a newline. With `colour` it has ANSI codes in it.
    ///
    /// A place of several lines is shown by its first one, and a very long line by the part around the place.
    pub fn page(&self, colour: bool) -> String {
        let message = wrapped(&self.message, PAGE_WIDTH - "error: ".len(), 0);
        let mut group = Group::with_title(Level::ERROR.primary_title(message));
        // The location as it is drawn for a part of a line, and as it is in the whole line.
        let mut moved = None;
        if let Some(place) = &self.place {
            // Only the part of the line that can be shown is handed over: nothing elsewhere in the text can disturb the
            // drawing, and the length of the line takes no time.
            let source = &place.source;
            let span = source.fit(place.span.clone());
            let line = source.line_at(span.start);
            let from = span.start.min(line.end);
            let to = span.end.clamp(from, line.end);
            let most = 2 * PAGE_WIDTH;
            let to = to.min(source.text.ceil_char_boundary(from + most));
            let begin = source
                .text
                .floor_char_boundary(from.saturating_sub(most).max(line.start));
            let end = source.text.ceil_char_boundary(to + most).min(line.end);
            let (row, column) = source.line_col(span.start);
            let label = self.expected.as_deref().map(clean_line);
            let beside = column - 1 + source.text[from..to].chars().count();
            let fits = |label: &String| beside + label.chars().count() + "999 |  ".len() <= PAGE_WIDTH;
            // What does not fit beside the place stands below.
            let (label, below) = match label {
                Some(label) if !fits(&label) => (None, Some(label)),
                label => (label, None),
            };
            let path = clean_line(&source.name);
            if begin > line.start {
                let shown = source.text[begin..from].chars().count() + 1;
                let at = |column| format!("{path}:{row}:{column}");
                moved = Some((at(shown), at(column)));
            }
            group = group.element(
                Snippet::source(&source.text[begin..end])
                    .line_start(row)
                    .path(path)
                    .annotation(
                        AnnotationKind::Primary
                            .span(from - begin..to - begin)
                            .label(label),
                    ),
            );
            if let Some(below) = below {
                let below = wrapped(&below, PAGE_WIDTH - "999 = note: ".len(), 0);
                group = group.element(Level::NOTE.message(normalize_untrusted_str(&below)));
            }
        } else if let Some(expected) = &self.expected {
            group = group.element(Level::NOTE.message(normalize_untrusted_str(expected)));
        }
        if let Some(hint) = &self.hint {
            let hint = wrapped(hint, PAGE_WIDTH - "999 = help: ".len(), 0);
            group = group.element(Level::HELP.message(normalize_untrusted_str(&hint)));
        }
        for text in self.calls_told() {
            group = group.element(Level::NOTE.message(clean_line(&text)));
        }
        let renderer = if colour {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let renderer = renderer.term_width(PAGE_WIDTH);
        let mut page = renderer.render(&[group]);
        if let Some((drawn, whole)) = moved {
            page = page.replacen(&drawn, &whole, 1);
        }
        let lines: Vec<&str> = page.lines().map(str::trim_end).collect();
        lines.join("\n")
    }

    /// The calls that led there, the nearest first; the same in a row are told once, and of many the first.
    fn calls_told(&self) -> Vec<String> {
        let mut entries: Vec<(String, usize)> = Vec::new();
        for call in &self.chain {
            let mut text = format!("called from {}", call.place);
            if let Some(note) = &call.note {
                text = format!("{text}, {note}");
            }
            match entries.last_mut() {
                Some((last, times)) if *last == text => *times += 1,
                _ => entries.push((text, 1)),
            }
        }
        let entries = entries.into_iter().map(|(text, times)| match times {
            1 => text,
            _ => format!("{text}, {times} times"),
        });
        let more = |n| format!("called from {} before that", lines::counted(n, "more place"));
        lines::first_of(entries, CALLS_AT_ONCE, more).collect()
    }
}

/// The text in one line and without anything that a terminal would obey.
fn clean_line(text: &str) -> String {
    normalize_untrusted_str(&text.replace(['\n', '\r', '\t'], " "))
}

/// The page without colour.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.page(false))
    }
}

impl std::error::Error for Problem {}

/// `{id, file, line, column, message, expected, hint, called_from: [{file, line, column, note}]}`. Unknown values are
/// null; `id` is left out of problems that have none.
impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct ProblemJson<'a> {
            #[serde(skip_serializing_if = "str::is_empty")]
            id: &'static str,
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            arguments: &'a [String],
            file: Option<&'a str>,
            line: Option<usize>,
            column: Option<usize>,
            message: &'a str,
            expected: Option<&'a str>,
            hint: Option<&'a str>,
            called_from: Vec<CallJson<'a>>,
        }
        #[derive(serde::Serialize)]
        struct CallJson<'a> {
            file: &'a str,
            line: usize,
            column: usize,
            note: Option<&'a str>,
        }
        let at = self.place.as_ref().map(Passage::line_col);
        ProblemJson {
            id: self.id(),
            arguments: self.arguments(),
            file: self.place.as_ref().map(|place| place.source.name.as_str()),
            line: at.map(|(line, _)| line),
            column: at.map(|(_, column)| column),
            message: &self.message,
            expected: self.expected.as_deref(),
            hint: self.hint.as_deref(),
            called_from: self
                .chain
                .iter()
                .map(|call| {
                    let (line, column) = call.place.line_col();
                    CallJson {
                        file: &call.place.source.name,
                        line,
                        column,
                        note: call.note.as_deref(),
                    }
                })
                .collect(),
        }
        .serialize(serializer)
    }
}

/// Sorts the problems of one file from top to bottom; problems without a place come first.
pub fn from_top(mut found: Vec<Problem>) -> Vec<Problem> {
    found.sort_by_key(|problem| problem.place.as_ref().map(|place| place.span.start));
    found
}

/// The error type of the crate: one or more problems, in the order in which they should be read. Never empty.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// Fails if anything was found.
    ///
    /// # Errors
    ///
    /// What was found, in that order.
    pub fn check(found: Vec<Problem>) -> Result<(), Problems> {
        if found.is_empty() {
            Ok(())
        } else {
            Err(Problems(found))
        }
    }

    /// Each once, where it stands first.
    #[must_use]
    pub fn once(self) -> Self {
        let mut known = HashSet::new();
        // Texts of one name are the same text: comparing them would take long.
        let at = |place: &Passage| (place.source.name.clone(), place.span.clone());
        let firsts = self.0.iter().map(|p| {
            let calls: Vec<_> = p.chain.iter().map(|call| (at(&call.place), &call.note)).collect();
            known.insert((&p.message, &p.expected, &p.hint, p.place.as_ref().map(at), calls))
        });
        let firsts: Vec<bool> = firsts.collect();
        let all = self.0.into_iter().zip(firsts);
        Problems(
            all.filter_map(|(problem, first)| first.then_some(problem))
                .collect(),
        )
    }

    /// The same as what fails within something else, such as `game 7 fails`.
    #[must_use]
    pub fn within(mut self, what: &str) -> Self {
        for problem in &mut self.0 {
            problem.message = format!("{what}: {}", problem.message);
        }
        self
    }

    /// The pages, a blank line between them; of very many the first ones, and how many more there are.
    pub fn page(&self, colour: bool) -> String {
        let pages = self.0.iter().map(|problem| problem.page(colour));
        let more = |n| format!("... and {}", lines::counted(n, "more problem"));
        let pages: Vec<String> = lines::first_of(pages, PAGES_AT_ONCE, more).collect();
        pages.join("\n\n")
    }
}

/// The pages without colour.
impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.page(false))
    }
}

impl std::error::Error for Problems {}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Problems(vec![problem])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(text: &[&str]) -> String {
        text.join("\n")
    }

    #[test]
    fn a_page_about_a_very_long_line_shows_its_part_and_the_place_in_the_whole() {
        let text = "é".repeat(400_000) + "wrong" + " right".repeat(100_000).as_str();
        let source = Source::new("long.toml", text);
        let page = Problem::new("it is wrong")
            .at(&source, 800_000..800_005)
            .page(false);
        assert!(page.contains("long.toml:1:400001\n"), "{page}");
        assert!(
            page.lines().all(|line| line.chars().count() <= PAGE_WIDTH),
            "{page}"
        );
        let shown = page.lines().nth(3).expect("the line");
        let below = page.lines().nth(4).expect("its mark");
        let at = shown.chars().position(|c| c == 'w');
        assert_eq!((at, below.matches('^').count()), (below.find('^'), 5), "{page}");
        // A page takes as long for a short line: what is not shown is not drawn.
        let short = Source::new("short.toml", "wrong".repeat(100));
        let time = |source: &Arc<Source>, at: usize| {
            let began = std::time::Instant::now();
            (0..200).for_each(|n| {
                drop(
                    Problem::new("it is wrong")
                        .at(source, at + n..at + n + 5)
                        .page(false),
                )
            });
            began.elapsed()
        };
        let (short, long) = (time(&short, 100), time(&source, 800_000));
        assert!(
            long < short * 20,
            "{long:?} for a long line, {short:?} for a short one"
        );
    }

    #[test]
    fn a_page_shows_sentence_line_label_hint_and_calls() {
        let source = Source::new("a/b.toml", "one = 1\n\ttwo = \"2\"\n");
        let problem = Problem::new("`two` is a string")
            .at(&source, 15..18)
            .expected("expected an integer")
            .hint("leave out the quotes")
            .called_from(&source, 0..3, Some("in `start`".to_owned()))
            .called_from(&source, 9..12, None);
        let page = lines(&[
            "error: `two` is a string",
            " --> a/b.toml:2:8",
            "  |",
            "2 |     two = \"2\"",
            "  |           ^^^ expected an integer",
            "  |",
            "  = help: leave out the quotes",
            "  = note: called from a/b.toml:1:1, in `start`",
            "  = note: called from a/b.toml:2:2",
        ]);
        assert_eq!(problem.page(false), page);
        assert_eq!(Problems::from(problem.clone()).to_string(), page);
        assert!(problem.page(true).contains("\u{1b}["));
    }

    #[test]
    fn a_page_without_a_place_is_a_sentence_and_a_hint() {
        let page = Problem::new("there is no such thing")
            .hint("try another")
            .page(false);
        assert_eq!(page, "error: there is no such thing\n |\n = help: try another");
    }

    #[test]
    fn a_place_of_several_lines_is_shown_by_its_first() {
        let source = Source::new("f", "first line\r\nsecond\r\n");
        let page = Problem::new("wrong").at(&source, 6..15).page(false);
        assert!(page.contains("1 | first line\n  |       ^^^^"), "{page}");
        assert!(!page.contains("second"), "{page}");
    }

    #[test]
    fn long_sentences_are_wrapped_and_long_lines_cut_around_the_place() {
        let source = Source::new("f", format!("{}here{}", "é ".repeat(200), " x".repeat(200)));
        let page = Problem::new("word ".repeat(40).trim_end())
            .at(&source, 600..604)
            .hint("more ".repeat(40).trim_end())
            .page(false);
        assert!(page.lines().all(|line| line.chars().count() <= 100), "{page}");
        assert!(page.contains("here") && page.contains("f:1:401"), "{page}");
    }

    #[test]
    fn of_very_many_problems_the_first_are_shown_with_the_number_of_the_others() {
        let many = |n: usize| Problems((0..n).map(|i| Problem::new(format!("p{i}"))).collect());
        assert_eq!(many(20).page(false).matches("error: ").count(), 20);
        assert!(!many(20).page(false).contains("more"));
        assert!(
            many(21)
                .page(false)
                .ends_with("error: p19\n\n... and 1 more problem")
        );
        assert!(many(25).page(false).ends_with("... and 5 more problems"));
    }

    #[test]
    fn nothing_in_a_problem_reaches_the_terminal_as_a_command() {
        let source = Source::new("na\nme\u{1b}[2J", "te\u{1b}[31mxt");
        let page = Problem::new("mess\u{1b}[1mage")
            .at(&source, 0..2)
            .expected("lab\u{1b}[1mel\nmore")
            .hint("hi\u{1b}[1mnt")
            .called_from(&source, 0..1, Some("no\u{1b}[1mte".to_owned()))
            .page(false);
        assert!(!page.contains('\u{1b}'), "{page}");
    }

    #[test]
    fn a_problem_becomes_json_with_file_line_and_column() {
        let source = Source::new("f", "é x");
        let problem = Problem::new("wrong")
            .at(&source, 3..4)
            .called_from(&source, 0..1, None);
        let json = serde_json::to_value(Problems::from(problem)).expect("a problem is plain data");
        assert_eq!(
            json,
            serde_json::json!([{
                "file": "f", "line": 1, "column": 3, "message": "wrong", "expected": null, "hint": null,
                "called_from": [{"file": "f", "line": 1, "column": 1, "note": null}],
            }])
        );
    }

    #[test]
    fn a_declared_problem_has_an_id_in_json() {
        crate::problems! {
            fn unknown_unit_type(name: &str) = "no unit type is called `{name}`";
            fn misplaced_key(key: &str, table: &str) = "`{key}` is inside `{table}`", help "move `{key}` up";
        }
        let json = |problem| serde_json::to_value::<Problem>(problem).expect("a problem is plain data");
        let unknown = json(unknown_unit_type("archer"));
        assert_eq!(unknown["id"], "unknown-unit-type");
        assert_eq!(unknown["message"], "no unit type is called `archer`");
        assert_eq!(unknown["hint"], serde_json::Value::Null);
        assert_eq!(json(misplaced_key("seed", "units"))["hint"], "move `seed` up");
        assert_eq!(IDS, ["unknown-unit-type", "misplaced-key"]);
        assert_eq!(Problem::new("other").id(), "");
    }

    #[test]
    fn what_was_found_fails_and_nothing_does_not() {
        let found = vec![Problem::new("a"), Problem::new("b")];
        assert_eq!(Problems::check(found.clone()), Err(Problems(found)));
        assert_eq!(Problems::check(vec![]), Ok(()));
    }

    proptest! {
        #[test]
        fn every_span_of_every_text_has_a_page(
            text in "[ab\u{feff}\u{200d} é漢\t\r\n\\x00-\\x1f]{0,200}", a in 0usize..250, b in 0usize..250, colour: bool
        ) {
            let source = Source::new("test", text);
            let place = Passage::new(&source, a..b);
            let page = Problem::new("wrong").at(&source, a..b).expected("right").page(colour);
            if !colour {
                prop_assert!(page.contains(&format!("--> {place}\n")), "{}\n{}", place, page);
            }
        }
    }
}
