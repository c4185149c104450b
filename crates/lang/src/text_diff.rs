//! Differences between two texts, line by line, with the changed words marked.
//!
//! It knows lines and words only. Which lines are headings, and how deep, the caller says; the
//! headings above a change are always shown, so that a reader knows where the change is.

use serde::Serialize;
use similar::DiffOp;
pub use similar::DiffTag;
use similar::algorithms::{Capture, Compact, Replace, myers, patience};
use std::fmt::Write as _;

/// Blocks of changed lines are paired line by line up to this many pairs of candidates; longer ones are
/// shown as they are.
const MAX_PAIRS: usize = 10_000;
/// Two lines are the same line, changed, when at least this share of their words is equal.
const ALIKE: f32 = 0.5;

/// Function that returns the depth of a line as a heading, from 1 for the outermost; `None` for a line that is none.
pub type HeadingDepth = fn(&str) -> Option<usize>;

/// Options for showing a difference.
#[derive(Debug, Clone, Copy)]
pub struct DiffOptions<'a> {
    /// With ANSI codes.
    pub colour: bool,
    /// Number of equal lines shown before and after each change.
    pub context: usize,
    /// Names of the old and the new text, shown in the first line.
    pub names: (&'a str, &'a str),
    /// Function that recognizes headings and their depth.
    pub heading: HeadingDepth,
    /// After this many changed lines it says how many more there are, and ends.
    pub most: usize,
}

impl Default for DiffOptions<'_> {
    fn default() -> Self {
        Self {
            colour: false,
            context: 3,
            names: ("old", "new"),
            heading: |_| None,
            most: usize::MAX,
        }
    }
}

/// A piece of a changed line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiffPart {
    /// The text.
    pub text: String,
    /// Whether it is what differs from the line on the other side.
    pub changed: bool,
}

/// One row of a difference. Line numbers count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DiffRow {
    /// A line that both texts have.
    Same {
        /// Its number in the old text.
        old: usize,
        /// Its number in the new text.
        new: usize,
        /// The line.
        text: String,
    },
    /// A line that only the old text has.
    Old {
        /// Its number.
        old: usize,
        /// The line; in several parts when the next row is the same line, changed.
        parts: Vec<DiffPart>,
    },
    /// A line that only the new text has.
    New {
        /// Its number.
        new: usize,
        /// The line; in several parts when the row before is the same line, unchanged.
        parts: Vec<DiffPart>,
    },
    /// Equal lines that are not shown.
    LeftOut {
        /// Number of lines left out.
        lines: usize,
    },
}

impl DiffRow {
    fn is_change(&self) -> bool {
        matches!(self, DiffRow::Old { .. } | DiffRow::New { .. })
    }

    fn text(&self) -> String {
        match self {
            DiffRow::Same { text, .. } => text.clone(),
            DiffRow::Old { parts, .. } | DiffRow::New { parts, .. } => {
                parts.iter().map(|p| p.text.as_str()).collect()
            }
            DiffRow::LeftOut { .. } => String::new(),
        }
    }
}

/// The difference as rows; empty for equal texts.
///
/// `context` is how many equal lines are kept around each change. The headings above each change are kept too.
///
/// ```
/// use rulebench_lang::text_diff::{DiffRow, rows};
/// let found = rows("a\nb\nlife 5\n", "a\nb\nlife 4\n", 0, |_| None);
/// assert_eq!(found[0], DiffRow::LeftOut { lines: 2 });
/// assert!(matches!(&found[1], DiffRow::Old { old: 3, parts } if parts[1].text == "5" && parts[1].changed));
/// assert!(matches!(&found[2], DiffRow::New { new: 3, .. }));
/// ```
pub fn rows(old: &str, new: &str, context: usize, heading: HeadingDepth) -> Vec<DiffRow> {
    let all = all_rows(old, new);
    let mut keep = vec![false; all.len()];
    // The headings above the row, outermost first, by depth and row.
    let mut above: Vec<(usize, usize)> = Vec::new();
    for (index, row) in all.iter().enumerate() {
        if let Some(depth) = heading(&row.text()) {
            above.retain(|(d, _)| *d < depth);
            above.push((depth, index));
        }
        if !row.is_change() {
            continue;
        }
        for (_, heading) in &above {
            keep[*heading] = true;
        }
        let end = all.len().min(index.saturating_add(context).saturating_add(1));
        keep[index.saturating_sub(context)..end].fill(true);
    }
    if !keep.contains(&true) {
        return Vec::new();
    }
    let mut shown = Vec::new();
    let mut index = 0;
    while index < all.len() {
        let left_out = keep[index..].iter().take_while(|k| !**k).count();
        if left_out > 1 {
            shown.push(DiffRow::LeftOut { lines: left_out });
            index += left_out;
        } else {
            // A single line takes no more room than saying that it is left out.
            shown.push(all[index].clone());
            index += 1;
        }
    }
    shown
}

/// Returns the number of lines that differ; a changed line counts once.
pub fn changed_lines(old: &str, new: &str) -> usize {
    let all = all_rows(old, new);
    let runs = all.chunk_by(|a, b| a.is_change() == b.is_change());
    let count = |run: &[DiffRow]| {
        let old = run
            .iter()
            .filter(|row| matches!(row, DiffRow::Old { .. }))
            .count();
        let new = run
            .iter()
            .filter(|row| matches!(row, DiffRow::New { .. }))
            .count();
        old.max(new)
    };
    runs.map(count).sum()
}

/// The difference as text for people; empty for equal texts, else it ends with a newline.
///
/// The first line names both texts. Lines of the old text alone begin with `-`, those of the new with `+`.
/// Without colour, changed words are underlined with `^` in a line of their own.
pub fn diff(old: &str, new: &str, options: &DiffOptions<'_>) -> String {
    let rows = rows(old, new, options.context, options.heading);
    if rows.is_empty() {
        return String::new();
    }
    let ink = LineColour(options.colour);
    let mut text = String::new();
    let (old_name, new_name) = options.names;
    let legend = [
        ink.put("31", &format!("- {old_name}")),
        ink.put("32", &format!("+ {new_name}")),
    ];
    // Writing into a text cannot fail.
    let _ = writeln!(text, "{}", legend.join("   "));
    let mut changed = 0;
    let all = rows.iter().filter(|r| r.is_change()).count();
    for row in &rows {
        changed += usize::from(row.is_change());
        // A few more are shown rather than counted.
        if changed > options.most && all > options.most + options.most / 4 {
            let more = all - options.most;
            let _ = writeln!(
                text,
                "{}",
                ink.put("2", &format!("  ... and {more} more changed lines"))
            );
            break;
        }
        match row {
            DiffRow::Same { text: line, .. } => {
                let _ = writeln!(text, "{}", format!("  {line}").trim_end());
            }
            DiffRow::Old { parts, .. } => write_changed(&mut text, '-', parts, ink),
            DiffRow::New { parts, .. } => write_changed(&mut text, '+', parts, ink),
            DiffRow::LeftOut { lines } => {
                let _ = writeln!(text, "{}", ink.put("2", &format!("  ... {lines} equal lines")));
            }
        }
    }
    text
}

#[derive(Clone, Copy)]
struct LineColour(bool);

impl LineColour {
    fn put(self, code: &str, text: &str) -> String {
        if self.0 {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

fn write_changed(text: &mut String, sign: char, parts: &[DiffPart], ink: LineColour) {
    let (plain, strong) = if sign == '-' {
        ("31", "31;1;7")
    } else {
        ("32", "32;1;7")
    };
    let mut line = ink.put(plain, &format!("{sign} "));
    for part in parts {
        line.push_str(&ink.put(if part.changed { strong } else { plain }, &part.text));
    }
    let _ = writeln!(text, "{}", line.trim_end());
    let marks: String = parts
        .iter()
        .flat_map(|part| part.text.chars().map(|_| if part.changed { '^' } else { ' ' }))
        .collect();
    if !ink.0 && marks.contains('^') {
        let _ = writeln!(text, "  {}", marks.trim_end());
    }
}

/// Collector of the differences between two sequences of texts, shared by the two functions below so that the
/// algorithms are compiled only once.
type DiffBuilder<'a> = Compact<'a, 'a, [&'a str], [&'a str], Replace<Capture>>;

/// Returns the equal, removed and added lines of two texts; lines that occur once in each align the rest (patience
/// diff).
pub fn line_ops(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let mut found = DiffBuilder::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = patience::diff(&mut found, old, 0..old.len(), new, 0..new.len());
    found.into_inner().into_inner().into_ops()
}

/// Returns the equal, removed and added words of two lines, with as few changes as possible.
fn word_ops(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let mut found = DiffBuilder::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff(&mut found, old, 0..old.len(), new, 0..new.len());
    found.into_inner().into_inner().into_ops()
}

fn all_rows(old: &str, new: &str) -> Vec<DiffRow> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut rows = Vec::new();
    for op in line_ops(&old, &new) {
        let (tag, o, n) = op.as_tag_tuple();
        match tag {
            DiffTag::Equal => rows.extend(o.zip(n).map(|(o, n)| DiffRow::Same {
                old: o + 1,
                new: n + 1,
                text: old[o].to_owned(),
            })),
            _ => {
                let (mut i, mut j) = (o.start, n.start);
                for (a, b) in pairs(&old[o.clone()], &new[n.clone()]) {
                    rows.extend((i..o.start + a).map(|i| gone(&old, i)));
                    rows.extend((j..n.start + b).map(|j| come(&new, j)));
                    (i, j) = (o.start + a + 1, n.start + b + 1);
                    let (left, right) = word_parts(old[i - 1], new[j - 1]);
                    rows.push(DiffRow::Old { old: i, parts: left });
                    rows.push(DiffRow::New { new: j, parts: right });
                }
                rows.extend((i..o.end).map(|i| gone(&old, i)));
                rows.extend((j..n.end).map(|j| come(&new, j)));
            }
        }
    }
    rows
}

fn whole(text: &str) -> Vec<DiffPart> {
    vec![DiffPart {
        text: text.to_owned(),
        changed: false,
    }]
}

fn gone(old: &[&str], index: usize) -> DiffRow {
    DiffRow::Old {
        old: index + 1,
        parts: whole(old[index]),
    }
}

fn come(new: &[&str], index: usize) -> DiffRow {
    DiffRow::New {
        new: index + 1,
        parts: whole(new[index]),
    }
}

/// Pairs the old lines of a changed block with their changed new lines: index pairs that rise on both sides, with the
/// highest total similarity.
fn pairs(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let (rows, columns) = (old.len(), new.len());
    if rows == 0 || columns == 0 || rows.saturating_mul(columns) > MAX_PAIRS {
        return Vec::new();
    }
    let likeness: Vec<Vec<f32>> = old
        .iter()
        .map(|o| new.iter().map(|n| alike(o, n)).collect())
        .collect();
    let mut best = vec![vec![0.0f32; columns + 1]; rows + 1];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            let together = likeness[i][j];
            let pair = if together >= ALIKE {
                together + best[i + 1][j + 1]
            } else {
                0.0
            };
            best[i][j] = pair.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut i, mut j, mut found) = (0, 0, Vec::new());
    while i < rows && j < columns {
        if likeness[i][j] >= ALIKE && best[i][j] == likeness[i][j] + best[i + 1][j + 1] {
            found.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if best[i][j] == best[i + 1][j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

/// The share of equal words of two lines, 0 to 1. Blanks do not count, signs only where there is nothing else.
fn alike(old: &str, new: &str) -> f32 {
    let wordless = |word: &&str| !word.contains(|c: char| c.is_alphanumeric() || c == '_');
    let (mut old, mut new) = (words(old), words(new));
    if !old.iter().all(wordless) && !new.iter().all(wordless) {
        old.retain(|w| !wordless(w));
        new.retain(|w| !wordless(w));
    }
    let equal: usize = word_ops(&old, &new)
        .iter()
        .map(|op| match op {
            DiffOp::Equal { len, .. } => *len,
            _ => 0,
        })
        .sum();
    2.0 * equal as f32 / (old.len() + new.len()).max(1) as f32
}

/// A line as words (names with dots in them are one), runs of blanks, and single signs.
fn words(line: &str) -> Vec<&str> {
    let class = |c: char| {
        if c.is_alphanumeric() || c == '_' || c == '.' {
            0
        } else if c.is_whitespace() {
            1
        } else {
            2
        }
    };
    let mut found = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in line.char_indices() {
        if before.is_some_and(|b| b != class(c) || b == 2) {
            found.push(&line[start..at]);
            start = at;
        }
        before = Some(class(c));
    }
    if start < line.len() {
        found.push(&line[start..]);
    }
    found
}

fn word_parts(old: &str, new: &str) -> (Vec<DiffPart>, Vec<DiffPart>) {
    let (old, new) = (words(old), words(new));
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let add = |parts: &mut Vec<DiffPart>, words: &[&str], changed: bool| {
        if !words.is_empty() {
            parts.push(DiffPart {
                text: words.concat(),
                changed,
            });
        }
    };
    for op in word_ops(&old, &new) {
        let changed = op.tag() != DiffTag::Equal;
        add(&mut left, &old[op.old_range()], changed);
        add(&mut right, &new[op.new_range()], changed);
    }
    (left, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(old: &str, new: &str, context: usize) -> String {
        let options = DiffOptions {
            context,
            ..DiffOptions::default()
        };
        diff(old, new, &options)
    }

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(plain("a\nb\n", "a\nb\n", 3), "");
        assert_eq!(plain("", "", 3), "");
        // A missing last newline is none either.
        assert_eq!(plain("a\n", "a", 3), "");
    }

    #[test]
    fn a_changed_word_is_underlined_and_equal_lines_are_left_out() {
        let old = "a\nb\nc\nspears  life 5->3  (by charge)\nd\ne\nf\n";
        let new = "a\nb\nc\nspears  life 5->2  (by charge)\nd\ne\nf\n";
        insta::assert_snapshot!(plain(old, new, 1), @r"
        - old   + new
          ... 2 equal lines
          c
        - spears  life 5->3  (by charge)
                          ^
        + spears  life 5->2  (by charge)
                          ^
          d
          ... 2 equal lines
        ");
    }

    #[test]
    fn lines_that_are_gone_or_come_stand_beside_those_that_changed() {
        let old = "one\nred hits 3\nred goes home\nend\n";
        let new = "one\nblue sings\nred hits 4\nend\n";
        insta::assert_snapshot!(plain(old, new, 3), @r"
        - old   + new
          one
        + blue sings
        - red hits 3
                   ^
        + red hits 4
                   ^
        - red goes home
          end
        ");
    }

    #[test]
    fn headings_above_a_change_are_shown() {
        let body = "= one\nstep a\nx\nx\nx\n= two\nstep b\nx\nx\nx\nstep c\nx\nx\ny\n";
        let options = DiffOptions {
            context: 0,
            heading: |line| match line {
                l if l.starts_with('=') => Some(1),
                l if l.starts_with("step") => Some(2),
                _ => None,
            },
            ..DiffOptions::default()
        };
        insta::assert_snapshot!(diff(body, &body.replace('y', "z"), &options), @r"
        - old   + new
          ... 5 equal lines
          = two
          ... 4 equal lines
          step c
          ... 2 equal lines
        - y
        + z
        ");
    }

    #[test]
    fn colour_marks_words_instead_of_a_line_of_signs() {
        let options = DiffOptions {
            colour: true,
            ..DiffOptions::default()
        };
        let text = diff("life is 5\n", "life is 4\n", &options);
        assert!(
            text.contains("\x1b[31;1;7m5\x1b[0m") && !text.contains('^'),
            "{text:?}"
        );
    }

    #[test]
    fn rows_carry_line_numbers_of_both_texts() {
        let found = rows("a\nb\n", "z\na\nb\n", 1, |_| None);
        assert!(
            matches!(
                &found[..],
                [
                    DiffRow::New { new: 1, .. },
                    DiffRow::Same { old: 1, new: 2, .. },
                    _
                ]
            ),
            "{found:?}"
        );
        let json = serde_json::to_value(&found).expect("rows are plain data");
        assert_eq!(json[0]["kind"], "new");
    }

    #[test]
    fn a_long_difference_may_be_cut_short() {
        let old: String = (0..40).map(|n| format!("{n}\n")).collect();
        let options = DiffOptions {
            most: 4,
            ..DiffOptions::default()
        };
        let text = diff(&old, "", &options);
        assert!(text.ends_with("- 3\n  ... and 36 more changed lines\n"), "{text}");
        assert!(diff("a\nb\nc\nd\ne\n", "", &options).ends_with("- e\n"));
    }

    #[test]
    fn a_long_strange_block_is_shown_as_it_is() {
        let old: String = (0..200).map(|n| format!("old {n}\n")).collect();
        let new: String = (0..200).map(|n| format!("new {n}\n")).collect();
        assert_eq!(plain(&old, &new, 3).lines().count(), 401);
    }
}
