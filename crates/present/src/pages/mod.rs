//! Reports as values: a caller builds a report from parts, and this module renders it as text, Markdown or HTML, in one
//! place each. Every command of the command line shows a report; the lines of the prompt are aligned, wrapped,
//! shortened and counted in [`crate::lines`] as well.

pub mod web;

use crate::lines::{RightAligned, aligned};
use std::ops::Range;

/// Rows with aligned columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextTable {
    rows: Vec<Vec<String>>,
    right: RightAligned,
    /// Whether the first row is a head.
    headed: bool,
    /// Number of blanks in front of each row of text.
    indent: usize,
    /// The sides that rows are about.
    about: Vec<(usize, usize)>,
}

impl TextTable {
    /// A table that begins with this row; its columns of numbers are aligned at their end.
    pub fn headed<S: Into<String>>(head: impl IntoIterator<Item = S>) -> Self {
        Self {
            rows: vec![head.into_iter().map(Into::into).collect()],
            right: RightAligned::Numbers,
            headed: true,
            indent: 0,
            about: Vec::new(),
        }
    }

    /// Rows without a head, whose columns all begin at their left.
    pub fn plain(rows: Vec<Vec<String>>) -> Self {
        Self {
            rows,
            right: RightAligned::Never,
            headed: false,
            indent: 0,
            about: Vec::new(),
        }
    }

    /// Rows a little to the right, whose columns but the first are aligned at their end; the first is a head, or is
    /// not.
    pub fn set_in(rows: Vec<Vec<String>>, headed: bool) -> Self {
        Self {
            rows,
            right: RightAligned::Rest,
            headed,
            indent: 2,
            about: Vec::new(),
        }
    }

    /// As text.
    fn text(&self) -> String {
        let mut lines = String::new();
        for line in aligned(&self.rows, self.right).lines() {
            let gap = if lines.is_empty() { "" } else { "\n" };
            lines += format!("{gap}{:indent$}{line}", "", indent = self.indent).trim_end_matches(' ');
        }
        lines
    }

    /// Returns the width of the table as text, in columns.
    pub fn width(&self) -> usize {
        let lines = self.text();
        lines.lines().map(|line| line.chars().count()).max().unwrap_or(0)
    }

    /// Puts a row below the others.
    pub fn push<S: Into<String>>(&mut self, row: impl IntoIterator<Item = S>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }

    /// The last row is about a side: its first cell is in the side's colour.
    pub fn last_about(&mut self, faction: usize) {
        self.about.push((self.rows.len() - 1, faction));
    }

    /// As text whose marks say which sides the rows are about.
    fn marked(&self) -> MarkedText {
        let mut marked = MarkedText::from(self.text());
        let mut from = 0;
        for (index, line) in marked.text.split('\n').enumerate().take(self.rows.len()) {
            let about = self.about.iter().find(|(row, _)| *row == index);
            let cell = self.rows[index].first().map_or("", String::as_str);
            if let (Some((_, faction)), Some(at)) = (about, line.find(cell)) {
                let span = from + at..from + at + cell.len();
                marked.marks.push((span, TextMark::Side(*faction)));
            }
            from += line.len() + 1;
        }
        marked
    }

    /// Returns the number of rows below the head.
    pub fn len(&self) -> usize {
        self.rows.len().saturating_sub(1)
    }

    /// Whether there is nothing below the head.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Mark of a piece of text, besides its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextMark {
    /// It is about the side of that index.
    Side(usize),
    /// It is a heading.
    Strong,
    /// It says less than what stands beside it.
    Faint,
}

/// A text some of whose pieces are marked: where, in order, and as what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkedText {
    /// The words.
    pub text: String,
    /// In bytes of these.
    pub marks: Vec<(Range<usize>, TextMark)>,
}

impl From<String> for MarkedText {
    fn from(text: String) -> Self {
        Self {
            text,
            marks: Vec::new(),
        }
    }
}

impl MarkedText {
    /// As text in colour, where this is how each side's begins.
    fn painted(&self, sides: &[String]) -> String {
        let (mut painted, mut from) = (String::new(), 0);
        for (span, mark) in &self.marks {
            if span.start < from {
                continue;
            }
            let code = match mark {
                TextMark::Side(faction) => sides.get(*faction).map_or("", String::as_str),
                TextMark::Strong => "\x1b[1m",
                TextMark::Faint => "\x1b[2m",
            };
            let (before, marked) = (&self.text[from..span.start], &self.text[span.clone()]);
            painted += &format!("{before}{code}{marked}\x1b[0m");
            from = span.end;
        }
        painted + &self.text[from..]
    }
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum PagePart {
    /// A heading, and how deep it is.
    Head(usize, String),
    /// A paragraph, or lines that stand as they are.
    Text(String),
    /// The same with marks.
    Marked(MarkedText),
    /// A script as it is written.
    Code(String),
    /// Rows with a head.
    Table(TextTable),
    /// A picture, with what it shows.
    Picture(String, String),
    /// A chart, with what it shows: as wide as the page.
    Chart(String, String),
}

impl PagePart {
    /// As text.
    fn text(&self) -> String {
        match self {
            Self::Head(_, text) | Self::Text(text) | Self::Code(text) => text.clone(),
            Self::Marked(marked) => marked.text.clone(),
            Self::Table(table) => table.text(),
            Self::Picture(_, shows) => format!("(a picture on the page: {shows})"),
            Self::Chart(_, shows) => format!("(a chart on the page: {shows})"),
        }
    }

    /// As text in colour; see [`Page::painted`].
    fn painted(&self, sides: &[String]) -> String {
        match self {
            Self::Marked(marked) => marked.painted(sides),
            Self::Table(table) => table.marked().painted(sides),
            other => other.text(),
        }
    }
}

impl From<MarkedText> for PagePart {
    fn from(marked: MarkedText) -> Self {
        Self::Marked(marked)
    }
}

impl From<String> for PagePart {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for PagePart {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<TextTable> for PagePart {
    fn from(table: TextTable) -> Self {
        Self::Table(table)
    }
}

/// Blocks with a blank line between them; the parts of a block stand directly below each other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page(Vec<Vec<PagePart>>);

impl Page {
    /// A page that begins with this.
    pub fn of(part: impl Into<PagePart>) -> Self {
        Self(vec![vec![part.into()]])
    }

    /// Lines directly below each other.
    pub fn lines<P: Into<PagePart>>(lines: impl IntoIterator<Item = P>) -> Self {
        let mut page = Self::default();
        lines.into_iter().for_each(|line| page.below(line));
        page
    }

    /// Whether nothing is on it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts a block of its own.
    pub fn put(&mut self, part: impl Into<PagePart>) {
        self.0.push(vec![part.into()]);
    }

    /// Puts a part directly below what is there.
    pub fn below(&mut self, part: impl Into<PagePart>) {
        match self.0.last_mut() {
            Some(block) => block.push(part.into()),
            None => self.put(part),
        }
    }

    /// Puts the blocks of another page.
    pub fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// All parts, in their order.
    fn parts(&self) -> impl Iterator<Item = &PagePart> {
        self.0.iter().flatten()
    }

    /// As text.
    pub fn text(&self) -> String {
        self.joined(PagePart::text)
    }

    /// As text in which what is marked has its colour, where this is how each side's begins.
    pub fn painted(&self, sides: &[String]) -> String {
        self.joined(|part| part.painted(sides))
    }

    fn joined(&self, text: impl Fn(&PagePart) -> String) -> String {
        let block = |block: &Vec<PagePart>| block.iter().map(&text).collect::<Vec<_>>().join("\n");
        self.0.iter().map(block).collect::<Vec<_>>().join("\n\n")
    }
}

impl From<String> for Page {
    fn from(text: String) -> Self {
        Self::of(text)
    }
}

/// Each a block of its own.
impl<P: Into<PagePart>> Extend<P> for Page {
    fn extend<I: IntoIterator<Item = P>>(&mut self, parts: I) {
        parts.into_iter().for_each(|part| self.put(part));
    }
}

impl<P: Into<PagePart>> FromIterator<P> for Page {
    fn from_iter<I: IntoIterator<Item = P>>(parts: I) -> Self {
        let mut page = Self::default();
        page.extend(parts);
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        let mut table = TextTable::headed(["unit", "worth"]);
        table.push(["a|b", "7"]);
        table.push(["`spears`", "-12"]);
        let mut page = Page::of(PagePart::Head(1, "Units & more".to_owned()));
        page.put("what is `life`:");
        page.below(table);
        page.extend([
            PagePart::Code("fn life() { 1 }".to_owned()),
            PagePart::Picture("<svg/>".into(), "a board".into()),
        ]);
        page
    }

    #[test]
    fn a_page_is_text_with_blank_lines_between_its_blocks() {
        assert_eq!(
            page().text(),
            "Units & more\n\nwhat is `life`:\nunit      worth\na|b           7\n`spears`    -12\n\n\
             fn life() { 1 }\n\n(a picture on the page: a board)"
        );
    }

    #[test]
    fn what_is_marked_is_in_colour_where_there_is_colour() {
        let mut table = TextTable::headed(["unit", "worth"]);
        table.push(["red.a1", "7"]);
        table.last_about(0);
        let mut page = Page::of(MarkedText {
            text: "= round\nblue moves".to_owned(),
            marks: vec![(0..7, TextMark::Strong), (8..12, TextMark::Side(1))],
        });
        page.below(table);
        let sides = ["<r>", "<b>"].map(str::to_owned);
        assert_eq!(
            page.painted(&sides).replace('\x1b', "^"),
            "^[1m= round^[0m\n<b>blue^[0m moves\nunit    worth\n<r>red.a1^[0m      7"
        );
        assert_eq!(page.text(), "= round\nblue moves\nunit    worth\nred.a1      7");
    }

    #[test]
    fn a_page_is_markdown() {
        assert_eq!(
            web::markdown(&page()),
            "# Units & more\n\nwhat is `life`:\n\n| unit | worth |\n|---|---|\n| a\\|b | 7 |\n| `spears` | -12 |\n\n\
             ```rhai norun\nfn life() { 1 }\n```\n\n(a picture on the page: a board)\n"
        );
    }

    #[test]
    fn nothing_in_markdown_is_a_tag() {
        let rendered = |text: &str| web::markdown(&Page::of(text));
        assert_eq!(rendered("a <b>, 1 < 2, `<i>`"), "a &lt;b>, 1 < 2, `<i>`\n");
        for no_code in ["`<i>", "```<i>`", "\\`<i>`", "\\<i>", "`a\n\n<i>`"] {
            assert_eq!(rendered(no_code), no_code.replace('<', "&lt;") + "\n");
        }
    }

    #[test]
    fn a_page_is_html_and_nothing_in_it_is_a_tag() {
        let html = web::html(&page());
        for part in [
            "<title>Units &amp; more</title>",
            "<p>what is <code>life</code>:</p>",
            "<tr><th>unit</th><th>worth</th></tr>\n<tr><td>a|b</td><td>7</td></tr>",
            "<pre>fn life() &#123; 1 }</pre>",
            "<figure><svg/><figcaption>a board</figcaption></figure>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(web::html(&Page::of("<b>")).contains("<p>&lt;b&gt;</p>"));
    }
}
