//! Lines of text: below each other in columns, broken where a screen ends, shortened.

/// Columns that are aligned at their end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RightAligned {
    /// Those whose cells below the first row all begin with a digit or a sign.
    Numbers,
    /// None.
    Never,
    /// All but the first.
    Rest,
}

/// Rows with aligned columns.
pub fn aligned(rows: &[Vec<String>], right: RightAligned) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cells = |c: usize| rows.iter().filter_map(move |r| r.get(c));
    let width = |c: usize| cells(c).map(|t| t.chars().count()).max().unwrap_or(0);
    let is_number = |c: usize| {
        let mut numbers = cells(c).skip(1).filter(|t| !t.is_empty()).peekable();
        let digits = |t: &String| {
            t.trim_start_matches(['-', '+'])
                .starts_with(|c: char| c.is_ascii_digit())
        };
        numbers.peek().is_some() && numbers.all(|t| digits(t) || t == "-")
    };
    let at_end = |c: usize| match right {
        RightAligned::Numbers => is_number(c),
        RightAligned::Never => false,
        RightAligned::Rest => c > 0,
    };
    let shape: Vec<(usize, bool)> = (0..columns).map(|c| (width(c), at_end(c))).collect();
    let line = |row: &Vec<String>| {
        let cells = row
            .iter()
            .zip(&shape)
            .map(|(text, (width, at_end))| match at_end {
                true => format!("{text:>width$}  "),
                false => format!("{text:width$}  "),
            });
        cells.collect::<String>().trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A text in lines of at most so many columns, broken at blanks; what goes on begins with so many blanks. A longer
/// word stays whole.
pub fn wrapped(text: &str, columns: usize, indent: usize) -> String {
    let fold = |line| folded(line, columns, indent);
    text.lines().flat_map(fold).collect::<Vec<_>>().join("\n")
}

/// The words of a text in lines of at most so many columns, all of them so many blanks to the right.
pub fn indented(text: &str, columns: usize, indent: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = format!("{:indent$}{}", "", words.join(" "));
    folded(&line, columns.max(indent + 20), indent).join("\n")
}

/// A line in lines; the first keeps the blanks that it begins with. What stands in columns, with two blanks or more
/// between, is rather broken before a cell than in it; on further lines there are no columns.
fn folded(line: &str, columns: usize, indent: usize) -> Vec<String> {
    if shown_width(line) <= columns {
        return vec![line.to_owned()];
    }
    let mut used = line.len() - line.trim_start_matches(' ').len();
    let (mut lines, mut now) = (Vec::new(), " ".repeat(used));
    let mut rest = &line[used..];
    let mut gap = 0;
    while !rest.is_empty() {
        let (word, behind) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
        let width = shown_width(word);
        let is_begun = !now.trim().is_empty();
        // A cell that has room in a line of its own is kept whole.
        let cell = (gap > 1).then(|| shown_width(rest.split("  ").next().unwrap_or(rest)));
        let needs = cell.filter(|cell| indent + cell <= columns).unwrap_or(width);
        if is_begun && used + gap + needs > columns {
            lines.push(now);
            (now, used) = (" ".repeat(indent), indent);
        } else if is_begun {
            let gap = if lines.is_empty() { gap } else { gap.min(2) };
            now.push_str(&" ".repeat(gap));
            used += gap;
        }
        now.push_str(word);
        used += width;
        rest = behind.trim_start_matches(' ');
        gap = behind.len() - rest.len();
    }
    lines.push(now);
    lines
}

/// Pieces behind a word, one blank from it and `gap` from each other, in lines of at most so many columns; what goes
/// on begins with so many blanks. A wider piece stays whole.
pub fn packed(word: &str, pieces: &[String], gap: usize, columns: usize, indent: usize) -> String {
    let (mut text, mut used) = (word.to_owned(), shown_width(word));
    for (index, piece) in pieces.iter().enumerate() {
        let gap = match index {
            0 => word.len().min(1),
            _ => gap,
        };
        let width = shown_width(piece);
        if used > 0 && used + gap + width > columns {
            text.push_str(&format!("\n{:indent$}", ""));
            used = indent;
        } else {
            text.push_str(&" ".repeat(gap));
            used += gap;
        }
        text.push_str(piece);
        used += width;
    }
    text
}

/// Pieces below each other in as many columns of one width as a line of so many columns has room for, each line two
/// blanks to the right.
pub fn in_columns(pieces: &[String], columns: usize) -> String {
    let widest = pieces.iter().map(|piece| shown_width(piece)).max().unwrap_or(0) + 2;
    let rows = pieces
        .chunks((columns.saturating_sub(2) / widest).max(1))
        .map(|row| {
            let pad = |piece: &String| " ".repeat(widest - shown_width(piece));
            let row: String = row.iter().map(|piece| format!("{piece}{}", pad(piece))).collect();
            format!("  {}", row.trim_end())
        });
    rows.collect::<Vec<_>>().join("\n")
}

/// A text; of one with more letters than `most` the first `keep`, as far as `end` leaves them, and dots.
pub fn cut_short(text: &str, most: usize, keep: usize, end: fn(&str) -> &str, dots: &str) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    let start = text.char_indices().nth(keep).map_or(text, |(at, _)| &text[..at]);
    format!("{}{dots}", end(start))
}

/// Without the last word, which may be cut.
fn whole_words(text: &str) -> &str {
    text.rsplit_once(' ').map_or(text, |(words, _)| words).trim_end()
}

/// A text of at most so many letters, with dots where it was cut.
pub fn shortened(text: &str, room: usize) -> String {
    cut_short(text, room, room.saturating_sub(3), |start| start, "...")
}

/// The beginning of a text, up to the end of a word, with dots where it was cut.
pub fn begun(text: &str, room: usize) -> String {
    cut_short(text, room, room.saturating_sub(3), whole_words, "...")
}

/// The first 70 letters or so of a sentence.
pub fn short(text: &str) -> String {
    cut_short(text, 72, 70, whole_words, " ...")
}

/// Formats a count of something: `1 line of answers`, `2 lines of answers`.
pub fn counted(n: usize, what: &str) -> String {
    let (of, rest) = what.split_at(what.find(" of ").unwrap_or(what.len()));
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {of}{s}{rest}")
}

/// Formats a count of something, with `no` for 0.
pub fn how_many(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}s"),
        n => counted(n, what),
    }
}

/// Names with commas between; of more than `most` the first, and how many there are besides.
pub fn listed<S: AsRef<str>>(names: &[S], most: usize) -> String {
    let list: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    let list = list.join(", ");
    match names.len().saturating_sub(most) {
        0 => list,
        more => format!("{list} and {more} more"),
    }
}

/// The first of many lines, and one about how many there are besides.
pub fn first_of(
    lines: impl ExactSizeIterator<Item = String>,
    most: usize,
    besides: impl FnOnce(usize) -> String,
) -> impl Iterator<Item = String> {
    let more = lines.len().saturating_sub(most);
    lines.take(most).chain((more > 0).then(|| besides(more)))
}

/// Returns the width of a line in columns: its characters without ANSI codes.
pub fn shown_width(line: &str) -> usize {
    shown_chars(line).count()
}

/// The characters of a line with where they begin, without ANSI codes.
fn shown_chars(line: &str) -> impl Iterator<Item = (usize, char)> {
    let mut chars = line.char_indices().peekable();
    std::iter::from_fn(move || {
        loop {
            let (at, c) = chars.next()?;
            if c != '\u{1b}' || chars.next_if(|(_, c)| *c == '[').is_none() {
                return Some((at, c));
            }
            // A code ends with its first character from `@` to `~`.
            while chars.next().is_some_and(|(_, c)| !('@'..='~').contains(&c)) {}
        }
    })
}

/// A text for a screen of so many columns. A line that is longer goes on below, broken between words;
/// the rows of a board, which stands behind `| ` in transcripts, lose that and what is still too much.
pub fn fitted(text: &str, columns: usize) -> String {
    let plain = |line: &str| -> String { shown_chars(line).map(|(_, c)| c).collect() };
    let is_row = |line: &&str| plain(line).trim_start_matches(['+', '-', ' ']).starts_with('|');
    let all: Vec<&str> = text.split('\n').collect();
    let blocks = all.chunk_by(|a, b| is_row(a) && is_row(b));
    let blocks = blocks.flat_map(|block| fitted_block(block, is_row(&block[0]), columns));
    blocks.collect::<Vec<_>>().join("\n")
}

/// The rows of one board, or one other line.
fn fitted_block(block: &[&str], rows: bool, columns: usize) -> Vec<String> {
    let fits = block.iter().all(|line| shown_width(line) <= columns);
    let fit = |line: &&str| {
        if rows && !fits {
            let bare = match line.contains("| ") {
                true => line.replacen("| ", "", 1),
                false => line.replacen('|', "", 1),
            };
            return vec![cut(&bare, columns)];
        }
        let depth = line.len() - line.trim_start_matches(' ').len() + 2;
        folded(line, columns, if depth * 2 > columns { 2 } else { depth })
    };
    block.iter().flat_map(fit).collect()
}

/// The first columns of a line, with all its ANSI codes.
fn cut(line: &str, columns: usize) -> String {
    let gone: Vec<usize> = shown_chars(line).skip(columns).map(|(at, _)| at).collect();
    let remaining = line
        .char_indices()
        .filter(|(at, _)| gone.binary_search(at).is_err());
    remaining.map(|(_, c)| c).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(wrapped("a bc def", 4, 0), "a bc\ndef");
        assert_eq!(wrapped("abcdefgh i\njk", 4, 0), "abcdefgh\ni\njk");
        assert_eq!(
            wrapped("  one two three\n  so", 9, 4),
            "  one two\n    three\n  so"
        );
        assert_eq!(indented("one  two\nthree", 4, 2), "  one two three");
        assert_eq!(
            indented("one two three four five six", 0, 1),
            " one two three four\n five six"
        );
    }

    #[test]
    fn rows_are_broken_between_their_cells() {
        let row = "draws   16.7 %   8.3 %  (-59.4 to +42.7)    no change that is sure    yet";
        assert_eq!(
            fitted(row, 26),
            "draws   16.7 %   8.3 %\n  (-59.4 to +42.7)\n  no change that is sure\n  yet"
        );
        assert_eq!(
            fitted(row, 48),
            "draws   16.7 %   8.3 %  (-59.4 to +42.7)\n  no change that is sure  yet"
        );
        // A head begins far to the right.
        assert_eq!(
            fitted("                  one    and two", 24),
            "                  one\n  and two"
        );
        // A cell that is too long for any line is broken where the line is full.
        assert_eq!(fitted("a  b c d e f g h", 8), "a  b c d\n  e f g\n  h");
    }

    #[test]
    fn what_is_too_long_ends_with_dots() {
        assert_eq!(shortened("one two three", 13), "one two three");
        assert_eq!(shortened("one two three", 12), "one two t...");
        assert_eq!(begun("one two three", 12), "one two...");
        let (fits, longer) = ("word ".repeat(14) + "xy", "word ".repeat(14) + "xyz");
        assert_eq!(short(&fits), fits);
        assert_eq!(short(&longer), "word ".repeat(14) + "...");
        assert_eq!(cut_short("one two", 4, 4, str::trim_end, " ..."), "one ...");
    }

    #[test]
    fn what_is_counted_has_its_plural_and_many_names_their_number() {
        assert_eq!(counted(1, "line of answers"), "1 line of answers");
        assert_eq!(counted(0, "line of answers"), "0 lines of answers");
        assert_eq!(how_many(0, "roll"), "no rolls");
        assert_eq!(how_many(2, "roll"), "2 rolls");
        assert_eq!(listed(&["a", "b"], 2), "a, b");
        assert_eq!(listed(&["a", "b", "c"], 2), "a, b and 1 more");
        let first = |most| {
            let all = ["a", "b", "c"].map(str::to_owned).into_iter();
            first_of(all, most, |n| format!("and {n}")).collect::<Vec<_>>()
        };
        assert_eq!(first(3), ["a", "b", "c"]);
        assert_eq!(first(1), ["a", "and 2"]);
    }

    #[test]
    fn columns_are_aligned_at_their_beginning_or_end() {
        let rows = [["", "n"], ["a", "7"], ["bc", "-12"]].map(|r| r.map(str::to_owned).to_vec());
        assert_eq!(aligned(&rows, RightAligned::Numbers), "      n\na     7\nbc  -12");
        assert_eq!(aligned(&rows, RightAligned::Never), "    n\na   7\nbc  -12");
        assert_eq!(
            aligned(&rows, RightAligned::Rest),
            aligned(&rows, RightAligned::Numbers)
        );
    }
}
