//! The output of a line: pieces of text, problems, and the cover of a secret. Every face shows it in its own way.

use crate::lines::indented;
use crate::report::{Problem, Problems};
use crate::reports::Report;
use std::borrow::Cow;

/// One thing to print.
#[derive(Debug, Clone, PartialEq)]
pub enum OutputPiece {
    /// Text of one or more lines.
    Text(String),
    /// A page: tables, lists, a card, a report.
    Report(Report),
    /// A line that could not be used, or rules that failed: the page, and the problems on it.
    Error(String, Vec<Problem>),
    /// Another faction is asked in secret: what stands above must not be seen any more.
    Cover(String),
}

impl OutputPiece {
    /// Returns the page of problems.
    pub fn error(problems: impl Into<Problems>, colour: bool) -> Self {
        let problems = problems.into();
        Self::Error(problems.page(colour), problems.0)
    }

    /// As text in colour, where this is how each side's begins; without it as [`Self::text`].
    pub fn painted(&self, sides: Option<&[String]>) -> Cow<'_, str> {
        match (self, sides) {
            (Self::Report(page), Some(sides)) => page.painted(sides).into(),
            _ => self.text(),
        }
    }

    /// As text.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) | Self::Error(text, _) | Self::Cover(text) => text.into(),
            Self::Report(page) => page.text().into(),
        }
    }
}

/// The output of a line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Output {
    /// The pieces to print, in order.
    pub pieces: Vec<OutputPiece>,
    /// Whether the session is over.
    pub quit: bool,
    /// The same as values, where a page draws what a terminal can only tell: marks on the board, odds, two
    /// boards side by side.
    pub drawn: Option<serde_json::Value>,
    /// Lines to type afterwards, as if the user typed them.
    pub types: Option<CommandLines>,
}

/// Lines that a command types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLines {
    pub(crate) lines: Vec<String>,
    /// The text to print if all of them succeed.
    pub(crate) done: String,
    /// The text to print behind the first that fails.
    pub(crate) failed: &'static str,
}

impl Output {
    /// A reply of one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            pieces: vec![OutputPiece::Text(text.into())],
            ..Self::default()
        }
    }

    /// Returns the output of an expression.
    pub(crate) fn value(text: String) -> Self {
        Self::text(if text.is_empty() { "\"\"".to_owned() } else { text })
    }

    /// A reply that went wrong: the page of that.
    pub fn error(problems: impl Into<Problems>, colour: bool) -> Self {
        Self {
            pieces: vec![OutputPiece::error(problems, colour)],
            ..Self::default()
        }
    }

    /// All of it, as plain lines.
    pub fn print(&self) -> String {
        self.pieces
            .iter()
            .map(OutputPiece::text)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Whether something in it went wrong.
    pub fn failed(&self) -> bool {
        self.pieces.iter().any(|p| matches!(p, OutputPiece::Error(..)))
    }

    pub(crate) fn show(&mut self, page: impl Into<Report>) {
        self.pieces.push(OutputPiece::Report(page.into()));
    }

    /// Something has gone wrong: the page of that.
    pub(crate) fn fail(&mut self, problems: impl Into<Problems>, colour: bool) {
        self.pieces.push(OutputPiece::error(problems, colour));
    }

    /// Adds a failure that no problem describes, such as a failed test.
    pub(crate) fn fail_with(&mut self, page: String) {
        self.pieces.push(OutputPiece::Error(page, Vec::new()));
    }

    /// Returns the problems in it, in the order in which they are shown.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        let problems = self.pieces.iter().map(|piece| match piece {
            OutputPiece::Error(_, problems) => problems.as_slice(),
            _ => &[],
        });
        problems.flatten()
    }

    pub(crate) fn add(&mut self, text: impl Into<String>) {
        self.pieces.push(OutputPiece::Text(text.into()));
    }

    /// A remark, in lines of that width.
    pub(crate) fn note(&mut self, text: &str, width: usize) {
        const HEAD: &str = "note: ";
        self.add(format!(
            "{HEAD}{}",
            indented(text, width, HEAD.len()).trim_start()
        ));
    }
}

impl From<Report> for Output {
    fn from(page: Report) -> Self {
        Self {
            pieces: vec![OutputPiece::Report(page)],
            ..Self::default()
        }
    }
}
