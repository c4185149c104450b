//! Reports as values: a caller builds a report from parts and facts, and this module renders it as text, Markdown, HTML or
//! JSON, in one place each. Every command of the command line shows a report; the lines of the prompt are aligned,
//! wrapped, shortened and counted in [`crate::lines`] as well.
//!
//! People read the parts; programs read the facts, which are values with keys ([`Cell`]). A table is both: a column with a
//! key is a value of each row in JSON.

mod cell;
pub mod web;

pub use crate::facts;
use crate::lines::{RightAligned, aligned};
pub use cell::{Cell, Facts};
use serde::ser::{Serialize, Serializer};
use std::ops::Range;

/// Column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Key in JSON; empty if the column is only for people.
    key: &'static str,
    heading: String,
    /// Whether people see it.
    shown: bool,
}

impl Column {
    /// Returns a column that only programs get.
    pub fn data(key: &'static str) -> Self {
        Self {
            shown: false,
            ..(key, "").into()
        }
    }
}

/// Column that only people get.
impl From<&str> for Column {
    fn from(heading: &str) -> Self {
        heading.to_owned().into()
    }
}

/// Column that only people get.
impl From<String> for Column {
    fn from(heading: String) -> Self {
        Self {
            key: "",
            heading,
            shown: true,
        }
    }
}

/// Column with a key and a heading.
impl From<(&'static str, &str)> for Column {
    fn from((key, heading): (&'static str, &str)) -> Self {
        Self {
            key,
            ..heading.into()
        }
    }
}

/// Rows with aligned columns.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportTable {
    /// Key in JSON; empty if the table is only for people.
    key: &'static str,
    /// Empty if all cells are shown and none has a key.
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    right: RightAligned,
    /// Whether the headings are shown.
    headed: bool,
    /// Number of blanks in front of each row of text.
    indent: usize,
    /// The factions that rows are about.
    about: Vec<(usize, usize)>,
}

/// Makes a row of cells from values of several types.
#[macro_export]
macro_rules! row {
    ($($cell:expr),* $(,)?) => { [$($crate::reports::Cell::from($cell)),*] };
}

impl ReportTable {
    /// Makes a table with headings; its columns of numbers are aligned at their end.
    pub fn headed<C: Into<Column>>(columns: impl IntoIterator<Item = C>) -> Self {
        Self {
            right: RightAligned::Numbers,
            headed: true,
            columns: columns.into_iter().map(Into::into).collect(),
            ..Self::plain(Vec::<Vec<Cell>>::new())
        }
    }

    /// Makes a table without headings, whose columns all begin at their left.
    pub fn plain<C: Into<Cell>>(rows: Vec<Vec<C>>) -> Self {
        let cells = |row: Vec<C>| row.into_iter().map(Into::into).collect();
        Self {
            key: "",
            columns: Vec::new(),
            rows: rows.into_iter().map(cells).collect(),
            right: RightAligned::Never,
            headed: false,
            indent: 0,
            about: Vec::new(),
        }
    }

    /// Gives the table a key in JSON.
    #[must_use]
    pub fn keyed(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    /// Hides the headings.
    #[must_use]
    pub fn headless(self) -> Self {
        Self {
            headed: false,
            ..self
        }
    }

    /// Indents the table a little; all columns but the first are aligned at their end.
    #[must_use]
    pub fn set_in(self) -> Self {
        Self {
            right: RightAligned::Rest,
            indent: 2,
            ..self
        }
    }

    /// Returns the rows as people see them, headings first.
    pub fn texts(&self) -> Vec<Vec<String>> {
        let is_shown = |at: usize| self.columns.get(at).is_none_or(|column| column.shown);
        let shown = |row: &Vec<Cell>| -> Vec<String> {
            let cells = row.iter().enumerate().filter(|(at, _)| is_shown(*at));
            cells.map(|(_, cell)| cell.text().into_owned()).collect()
        };
        let headings = self.columns.iter().filter(|column| column.shown);
        let headings: Vec<String> = headings.map(|column| column.heading.clone()).collect();
        let head = self.headed.then_some(headings);
        head.into_iter().chain(self.rows.iter().map(shown)).collect()
    }

    /// Whether the first of the rows that people see has the headings.
    pub fn is_headed(&self) -> bool {
        self.headed
    }

    /// Returns the rows as programs get them.
    fn data(&self) -> Cell {
        let row = |row: &Vec<Cell>| -> Facts {
            let cells = self
                .columns
                .iter()
                .zip(row)
                .filter(|(column, _)| !column.key.is_empty());
            cells.map(|(column, cell)| (column.key, cell)).collect()
        };
        Cell::list(self.rows.iter().map(row))
    }

    /// As text.
    fn text(&self) -> String {
        let mut lines = String::new();
        for line in aligned(&self.texts(), self.right).lines() {
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
    pub fn push<C: Into<Cell>>(&mut self, row: impl IntoIterator<Item = C>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }

    /// The last row is about a faction: its first cell is in the faction's colour.
    pub fn last_about(&mut self, faction: usize) {
        self.about.push((self.rows.len() - 1, faction));
    }

    /// As text whose marks say which factions the rows are about.
    fn marked(&self) -> MarkedText {
        let mut marked = MarkedText::from(self.text());
        let rows = self.texts();
        let mut from = 0;
        for (index, (line, row)) in marked.text.split('\n').zip(&rows).enumerate() {
            let about = self
                .about
                .iter()
                .find(|(row, _)| row + usize::from(self.headed) == index);
            let cell = row.first().map_or("", String::as_str);
            if let (Some((_, faction)), Some(at)) = (about, line.find(cell)) {
                let span = from + at..from + at + cell.len();
                marked.marks.push((span, TextMark::Side(*faction)));
            }
            from += line.len() + 1;
        }
        marked
    }

    /// Returns the number of rows below the headings.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is nothing below the headings.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// The rows as programs get them.
impl From<ReportTable> for Cell {
    fn from(table: ReportTable) -> Self {
        table.data()
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

/// Part of a report, for people.
#[derive(Debug, Clone, PartialEq)]
pub enum ReportPart {
    /// A heading, and how deep it is.
    Head(usize, String),
    /// A paragraph, or lines that stand as they are.
    Text(String),
    /// The same with marks.
    Marked(MarkedText),
    /// A script as it is written.
    Code(String),
    /// Parts below a line that a page can fold, in text further to the right.
    Fold {
        /// The line.
        head: String,
        /// Whether a page shows the parts at first.
        open: bool,
        /// The parts below it.
        parts: Vec<ReportPart>,
    },
    /// Rows with a head.
    Table(ReportTable),
    /// A picture, with what it shows.
    Picture(String, String),
    /// A chart, with what it shows: as wide as the report.
    Chart(String, String),
}

impl ReportPart {
    /// As text.
    pub fn text(&self) -> String {
        match self {
            Self::Head(_, text) | Self::Text(text) | Self::Code(text) => text.clone(),
            Self::Marked(marked) => marked.text.clone(),
            Self::Fold { head, parts, .. } => {
                let below = parts.iter().map(Self::text).collect::<Vec<_>>().join("\n");
                let below = below.lines().map(|line| format!("\n    {line}"));
                std::iter::once(head.clone()).chain(below).collect()
            }
            Self::Table(table) => table.text(),
            Self::Picture(_, shows) => format!("(a picture on the page: {shows})"),
            Self::Chart(_, shows) => format!("(a chart on the page: {shows})"),
        }
    }

    /// As text in colour; see [`Report::painted`].
    fn painted(&self, sides: &[String]) -> String {
        match self {
            Self::Marked(marked) => marked.painted(sides),
            Self::Table(table) => table.marked().painted(sides),
            other => other.text(),
        }
    }
}

impl From<MarkedText> for ReportPart {
    fn from(marked: MarkedText) -> Self {
        Self::Marked(marked)
    }
}

impl From<String> for ReportPart {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for ReportPart {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<ReportTable> for ReportPart {
    fn from(table: ReportTable) -> Self {
        Self::Table(table)
    }
}

/// Answer of a command: blocks of parts for people, with a blank line between them, and facts for programs. The parts of
/// a block stand directly below each other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    blocks: Vec<Vec<ReportPart>>,
    facts: Facts,
}

/// JSON: the facts.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.facts.serialize(to)
    }
}

impl Report {
    /// Makes a report that begins with this part.
    pub fn of(part: impl Into<ReportPart>) -> Self {
        let mut report = Self::default();
        report.put(part);
        report
    }

    /// Makes a report of lines directly below each other.
    pub fn lines<P: Into<ReportPart>>(lines: impl IntoIterator<Item = P>) -> Self {
        let mut report = Self::default();
        lines.into_iter().for_each(|line| report.below(line));
        report
    }

    /// Whether people see nothing of it.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Puts a block of its own.
    pub fn put(&mut self, part: impl Into<ReportPart>) {
        self.blocks.push(Vec::new());
        self.below(part);
    }

    /// Puts a part directly below what is there.
    pub fn below(&mut self, part: impl Into<ReportPart>) {
        let part = part.into();
        if let ReportPart::Table(table) = &part
            && !table.key.is_empty()
        {
            self.fact(table.key, table.data());
        }
        match self.blocks.last_mut() {
            Some(block) => block.push(part),
            None => self.blocks.push(vec![part]),
        }
    }

    /// Adds the value of a key.
    pub fn fact(&mut self, key: &'static str, cell: impl Into<Cell>) {
        self.facts.put(key, cell);
    }

    /// Adds the value of a key, and returns the report.
    #[must_use]
    pub fn with(mut self, key: &'static str, cell: impl Into<Cell>) -> Self {
        self.fact(key, cell);
        self
    }

    /// Puts the blocks of another report, and its facts.
    pub fn append(&mut self, other: Self) {
        self.blocks.extend(other.blocks);
        self.facts.append(other.facts);
    }

    /// Puts the blocks of another report, and its facts as an entry in the list of a key.
    pub fn entry(&mut self, key: &'static str, other: Self) {
        self.blocks.extend(other.blocks);
        self.facts.push(key, other.facts);
    }

    /// All parts, in their order.
    pub fn parts(&self) -> impl Iterator<Item = &ReportPart> {
        self.blocks.iter().flatten()
    }

    /// As text.
    pub fn text(&self) -> String {
        self.joined(ReportPart::text)
    }

    /// As text in which what is marked has its colour, where this is how each side's begins.
    pub fn painted(&self, sides: &[String]) -> String {
        self.joined(|part| part.painted(sides))
    }

    fn joined(&self, text: impl Fn(&ReportPart) -> String) -> String {
        let block = |block: &Vec<ReportPart>| block.iter().map(&text).collect::<Vec<_>>().join("\n");
        self.blocks.iter().map(block).collect::<Vec<_>>().join("\n\n")
    }
}

/// Report of which people see nothing.
impl From<Facts> for Report {
    fn from(facts: Facts) -> Self {
        Self {
            facts,
            ..Self::default()
        }
    }
}

impl From<String> for Report {
    fn from(text: String) -> Self {
        Self::of(text)
    }
}

/// Each a block of its own.
impl<P: Into<ReportPart>> Extend<P> for Report {
    fn extend<I: IntoIterator<Item = P>>(&mut self, parts: I) {
        parts.into_iter().for_each(|part| self.put(part));
    }
}

impl<P: Into<ReportPart>> FromIterator<P> for Report {
    fn from_iter<I: IntoIterator<Item = P>>(parts: I) -> Self {
        let mut page = Self::default();
        page.extend(parts);
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Report {
        let mut table = ReportTable::headed(["unit", "worth"]);
        table.push(["a|b", "7"]);
        table.push(["`spears`", "-12"]);
        let mut page = Report::of(ReportPart::Head(1, "Units & more".to_owned()));
        page.put("what is `life`:");
        page.below(table);
        page.extend([
            ReportPart::Code("fn life() { 1 }".to_owned()),
            ReportPart::Picture("<svg/>".into(), "a board".into()),
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
    fn json_is_made_of_the_cells_that_people_read() {
        let share = Column::from(("share", "in 10 games"));
        let mut table = ReportTable::headed([
            ("outcome", "").into(),
            share,
            Column::data("count"),
            "note".into(),
        ]);
        table.push(row!["won", Cell::Share(0.25), 5, "few"]);
        table.push(row!["lost", Cell::Nothing, 7, Cell::Nothing]);
        let mut report = Report::of(table.keyed("outcomes")).with("is_whole", true);
        let arm = |name: &str| Report::of(name).with("arm", name);
        ["one", "two"]
            .into_iter()
            .for_each(|name| report.entry("arms", arm(name)));
        report.fact("mean", Cell::Fraction("7/2".to_owned(), 3.5));
        report.fact("between", Cell::Interval(0.5, 1.0, 1));
        assert_eq!(
            report.text(),
            "      in 10 games  note\nwon        25.0 %  few\nlost\n\none\n\ntwo"
        );
        assert_eq!(
            serde_json::to_value(&report).expect("JSON"),
            serde_json::json!({
                "outcomes": [
                    { "outcome": "won", "share": 0.25, "count": 5 }, { "outcome": "lost", "share": null, "count": 7 },
                ],
                "is_whole": true, "arms": [{ "arm": "one" }, { "arm": "two" }],
                "mean": { "exact": "7/2", "value": 3.5 }, "between": { "low": 0.5, "high": 1.0 },
            })
        );
    }

    #[test]
    fn what_is_marked_is_in_colour_where_there_is_colour() {
        let mut table = ReportTable::headed(["unit", "worth"]);
        table.push(["red.a1", "7"]);
        table.last_about(0);
        let mut page = Report::of(MarkedText {
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
    fn parts_that_can_be_folded_are_further_to_the_right_in_text() {
        let fold = |head: &str, open, parts| ReportPart::Fold {
            head: head.to_owned(),
            open,
            parts,
        };
        let inner = fold("inner", false, vec!["<c>".into()]);
        let report = Report::of(fold("outer", true, vec!["a\nb".into(), inner]));
        assert_eq!(report.text(), "outer\n    a\n    b\n    inner\n        <c>");
        assert!(web::html(&report).contains(
            "<details open><summary>outer</summary><pre>a\nb</pre>\
             <details><summary>inner</summary><pre>&lt;c&gt;</pre></details></details>"
        ));
    }

    #[test]
    fn nothing_in_markdown_is_a_tag() {
        let rendered = |text: &str| web::markdown(&Report::of(text));
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
        assert!(web::html(&Report::of("<b>")).contains("<p>&lt;b&gt;</p>"));
    }
}
