//! The arguments of commands, as the command table declares them: which word may stand where. A row says once what
//! stands behind its command, in the form that help shows: `[AGENT] [N]`, `DIAL=VALUE`, `VARIANT...`, `all | N`. What
//! reads a line, refuses it, completes it and hints at it asks here; so a new command is a row and nothing more.
//!
//! A word in capitals is a kind ([`takes`]), another stands for itself; what stands in brackets may be left out, `|`
//! stands between alternatives (first within a word: `on|off`), and `...` behind what may be said again.

use crate::description;
use std::ops::Range;

/// The number of words that an argument of a kind takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ArgumentSpan {
    /// A word.
    Word,
    /// A word that is a whole number, and no less than this.
    Number(u64),
    /// A word or more, as few as fit, up to the next that begins with `--`.
    Words,
    /// All the rest of the line, as it is typed.
    Rest,
}

/// Returns the number of words that an argument of this kind takes.
fn takes(kind: &str) -> ArgumentSpan {
    match kind {
        "N" | "-N" | "NTH" | "RUNS" | "SAMPLES" | "SECONDS" => ArgumentSpan::Number(1),
        "EVENT" | "SEED" => ArgumentSpan::Number(0),
        "LABEL" | "PHASE" | "PHASES" | "PLACE" | "EXPR" => ArgumentSpan::Words,
        "OPTION" | "FILE" | "SCENARIO" | "TEXT" | "NOTE" | "TITLE" | "DICE" | "CODE" | "EXPRESSION"
        | "CHANGE;" | "DIAL=VALUE" | "SCRIPT.FUNCTION" => ArgumentSpan::Rest,
        _ => ArgumentSpan::Word,
    }
}

/// Returns the phrase for a word of the usage text, for use in a sentence.
pub fn called(word: &str) -> String {
    let called = match word {
        "N" | "-N" => "a number from 1",
        "RUNS" => "a number of runs",
        "SAMPLES" => "a number of samples",
        "SECONDS" => "a number of seconds",
        "TYPE" => "a unit type",
        "LINE" => "a line of play",
        "PHASES" => "a phase",
        "LABEL" => "a label of a roll",
        "DIAL=VALUE" => "a dial and its value",
        kind if is_kind(kind) => return format!("a {}", kind.to_lowercase()),
        itself => return format!("`{itself}`"),
    };
    called.to_owned()
}

/// Arguments that are code of the rules' language and may go on in the next line.
const CODE: [&str; 2] = ["EXPRESSION", "CODE"];

/// Says of a kind how much of a text, in bytes, can be one at its beginning: nothing, so much, or [`ANY`]. The last
/// argument tells whether it could be left out there; what must stand there may be wrong, and the command says so.
pub type ArgumentMatcher<'f> = &'f dyn Fn(&str, &str, bool) -> usize;

/// As much as the kind takes.
pub const ANY: usize = usize::MAX;

/// The arguments of a command, by the words of its usage text.
#[derive(Debug)]
pub struct Args<'l> {
    /// All of it.
    pub typed: &'l str,
    read: Vec<(&'static str, Range<usize>)>,
}

impl<'l> Args<'l> {
    /// Returns the position of the argument of a kind; the last one if there are several.
    pub fn span(&self, kind: &str) -> Option<Range<usize>> {
        let found = self.read.iter().rfind(|(word, _)| *word == kind);
        found.map(|(_, span)| span.clone())
    }

    /// The argument of a kind; of several the last.
    pub fn get(&self, kind: &str) -> Option<&'l str> {
        self.span(kind).map(|span| &self.typed[span])
    }

    /// The same, nothing where it is left out.
    pub fn text(&self, kind: &str) -> &'l str {
        self.get(kind).unwrap_or_default()
    }

    /// The first argument, of whatever kind; nothing where none is.
    pub fn first(&self) -> &'l str {
        let first = self.read.first();
        first.map_or("", |(_, span)| &self.typed[span.clone()])
    }

    /// The argument behind an option.
    pub fn behind(&self, option: &str) -> Option<&'l str> {
        let at = self.read.iter().rposition(|(word, _)| *word == option)?;
        let (_, span) = self.read.get(at + 1)?;
        Some(&self.typed[span.clone()])
    }

    /// Whether a word that stands for itself is there.
    pub fn has(&self, word: &str) -> bool {
        self.span(word).is_some()
    }

    /// All arguments of a kind.
    pub fn all(&self, kind: &str) -> impl Iterator<Item = &'l str> {
        let all = self.read.iter().filter(move |(word, _)| *word == kind);
        all.map(|(_, span)| &self.typed[span.clone()])
    }

    /// The names of a kind; in an argument there may be several with commas between them.
    pub fn names(&self, kind: &str) -> Vec<&'l str> {
        let names = self.all(kind).flat_map(|all| all.split([' ', ',', '\t', '\n']));
        names.filter(|name| !name.is_empty()).collect()
    }

    /// The number of a kind.
    pub fn number<T: std::str::FromStr>(&self, kind: &str) -> Option<T> {
        self.get(kind)?.trim_start_matches('-').parse().ok()
    }

    /// A name and a value with `=` between them.
    pub fn pair(&self, kind: &str) -> (&'l str, &'l str) {
        let (name, value) = self.text(kind).split_once('=').unwrap_or_default();
        (name.trim(), value.trim())
    }
}

/// Why a line cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub enum ArgumentError {
    /// It ends where one of these must stand.
    Missing(Vec<&'static str>),
    /// The text at this byte is none of these.
    Wrong(usize, Vec<&'static str>),
    /// The text from this byte on is too much.
    More(usize),
}

/// Reads what stands behind a command, where its row declares that.
///
/// # Errors
///
/// What does not fit.
pub fn read<'l>(
    declared: &'static str,
    typed: &'l str,
    fits: ArgumentMatcher<'_>,
) -> Result<Args<'l>, ArgumentError> {
    let (walk, ends) = UsageWalk::over(declared, typed, fits);
    let all = walk.words.len();
    if let Some(end) = ends.iter().find(|end| end.at == all) {
        let mut read = Vec::new();
        let mut last = end.last;
        while let Some(index) = last {
            let (before, word, span) = &walk.read[index];
            read.push((*word, span.clone()));
            last = *before;
        }
        read.reverse();
        return Ok(Args { typed, read });
    }
    let (at, wanted) = walk.wanted;
    Err(match ends.iter().map(|end| end.at).max() {
        Some(end) if wanted.is_empty() || end > at => ArgumentError::More(walk.words[end].start),
        _ if at == all => ArgumentError::Missing(wanted),
        _ => ArgumentError::Wrong(walk.words[at].start, wanted),
    })
}

/// The words of the table that may stand behind what is written, in its order.
pub fn expected(declared: &'static str, written: &str, fits: ArgumentMatcher<'_>) -> Vec<&'static str> {
    let (walk, _) = UsageWalk::over(declared, written, fits);
    match walk.wanted {
        (at, wanted) if at == walk.words.len() => wanted,
        _ => Vec::new(),
    }
}

/// Returns the usage text for lists: without options, which begin with `-`, and their values.
pub fn short(declared: &'static str) -> String {
    let mut reader = UsageParser { text: declared };
    reader.either().short().unwrap_or_default()
}

/// The words of the table, whatever stands before them.
pub fn words(declared: &str) -> impl Iterator<Item = &str> {
    let words = declared.split([' ', '[', ']', '|']);
    words
        .map(|word| word.trim_end_matches("..."))
        .filter(|word| !word.is_empty())
}

/// Whether a word is an option that is declared.
fn is_option(declared: &str, word: &str) -> bool {
    word.starts_with("--") && words(declared).any(|w| w == word)
}

/// Whether some argument is code that may go on in the next line.
pub fn take_code(declared: &str) -> bool {
    words(declared).any(|word| CODE.contains(&word))
}

/// Whether a word of the table stands for a number.
pub fn is_number(word: &str) -> bool {
    matches!(takes(word), ArgumentSpan::Number(_))
}

/// Returns the error for a number outside of its range.
pub fn out_of_range(word: &str, wanted: &[&str]) -> Option<String> {
    let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    if !digits || !wanted.iter().any(|kind| takes(kind) == ArgumentSpan::Number(1)) {
        return None;
    }
    Some(match word.parse::<u64>() {
        Ok(_) => format!("`{word}` is too small: a whole number from 1 stands there"),
        Err(_) => format!("`{word}` is too large a number"),
    })
}

/// Whether a word of the table stands for code of the rules' language.
pub fn is_code(word: &str) -> bool {
    word == "EXPR" || CODE.contains(&word)
}

/// Whether a word of the table is a kind, and not itself what is written.
pub fn is_kind(word: &str) -> bool {
    word.chars().any(char::is_uppercase)
}

/// A piece of what may be written.
#[derive(Debug, Clone, PartialEq, Eq)]
enum UsagePiece {
    /// One word: in capitals a kind, else itself.
    Word(&'static str),
    All(Vec<UsagePiece>),
    /// These, and what stands between them as it is shown.
    Either(&'static str, Vec<UsagePiece>),
    Maybe(Box<UsagePiece>),
    /// Once or more.
    Many(Box<UsagePiece>),
}

impl UsagePiece {
    fn of(mut all: Vec<Self>, many: impl Fn(Vec<Self>) -> Self) -> Self {
        if all.len() == 1 { all.remove(0) } else { many(all) }
    }

    fn short(&self) -> Option<String> {
        match self {
            Self::Word(word) => (!word.starts_with('-')).then(|| (*word).to_owned()),
            Self::All(all) => {
                let shown: Vec<String> = all.iter().map_while(Self::short).collect();
                (!shown.is_empty()).then(|| shown.join(" "))
            }
            Self::Either(between, all) => {
                let shown: Vec<String> = all.iter().filter_map(Self::short).collect();
                (!shown.is_empty()).then(|| shown.join(between))
            }
            Self::Maybe(inside) => inside.short().map(|shown| format!("[{shown}]")),
            Self::Many(inside) => inside.short().map(|shown| format!("{shown}...")),
        }
    }
}

struct UsageParser {
    text: &'static str,
}

impl UsageParser {
    /// Sequences with `|` between them.
    fn either(&mut self) -> UsagePiece {
        let mut all = vec![self.sequence()];
        while let Some(rest) = self.text.trim_start().strip_prefix('|') {
            self.text = rest;
            all.push(self.sequence());
        }
        UsagePiece::of(all, |all| UsagePiece::Either(" | ", all))
    }

    fn sequence(&mut self) -> UsagePiece {
        let mut all = Vec::new();
        loop {
            self.text = self.text.trim_start();
            let mut piece = if let Some(rest) = self.text.strip_prefix('[') {
                self.text = rest;
                let inside = self.either();
                self.text = self.text.trim_start();
                self.text = self.text.strip_prefix(']').unwrap_or(self.text);
                UsagePiece::Maybe(Box::new(inside))
            } else {
                let end = self.text.find([' ', '[', ']']).unwrap_or(self.text.len());
                if end == 0 || self.text.starts_with('|') {
                    return UsagePiece::of(all, UsagePiece::All);
                }
                let word = self.text[..end].trim_end_matches("...");
                self.text = &self.text[word.len()..];
                let words = word.split('|').map(UsagePiece::Word).collect();
                UsagePiece::of(words, |words| UsagePiece::Either("|", words))
            };
            if let Some(rest) = self.text.strip_prefix("...") {
                self.text = rest;
                piece = UsagePiece::Many(Box::new(piece));
            }
            all.push(piece);
        }
    }
}

/// A way to read the line so far: the number of words read, and the last of them.
#[derive(Clone, Copy)]
struct UsageProgress {
    at: usize,
    last: Option<usize>,
}

/// A walk through what is written and what is declared, side by side; of two ways to read so many words the one that
/// is declared first counts.
struct UsageWalk<'w> {
    declared: &'static str,
    line: &'w str,
    words: Vec<Range<usize>>,
    fits: ArgumentMatcher<'w>,
    /// Whether what is looked at may be left out.
    optional: bool,
    /// Arguments, each with the one before it.
    read: Vec<(Option<usize>, &'static str, Range<usize>)>,
    /// The kinds that were expected behind the most words that could be read.
    wanted: (usize, Vec<&'static str>),
}

impl<'w> UsageWalk<'w> {
    fn over(declared: &'static str, line: &'w str, fits: ArgumentMatcher<'w>) -> (Self, Vec<UsageProgress>) {
        let mut walk = UsageWalk {
            declared,
            line,
            words: spans(declared, line),
            fits,
            optional: false,
            read: Vec::new(),
            wanted: (0, Vec::new()),
        };
        let piece = UsageParser { text: declared }.either();
        let ends = walk.through(&piece, &[UsageProgress { at: 0, last: None }]);
        (walk, ends)
    }

    /// Reads a piece of the usage text from each of these places on.
    fn through(&mut self, piece: &UsagePiece, from: &[UsageProgress]) -> Vec<UsageProgress> {
        let mut to = Vec::new();
        match piece {
            UsagePiece::Word(word) => {
                for come in from {
                    self.take(word, *come, &mut to);
                }
            }
            UsagePiece::All(all) => {
                to = from.to_vec();
                for piece in all {
                    to = self.through(piece, &to);
                }
            }
            UsagePiece::Either(_, all) => {
                for piece in all {
                    to.extend(self.through(piece, from));
                }
            }
            UsagePiece::Maybe(inside) => {
                let within = std::mem::replace(&mut self.optional, true);
                for come in from {
                    to.extend(self.through(inside, &[*come]));
                    to.push(*come);
                }
                self.optional = within;
            }
            UsagePiece::Many(inside) => {
                let (mut more, mut visited) = (from.to_vec(), vec![false; self.words.len() + 1]);
                // Every round takes a word, or comes to nothing new.
                while !more.is_empty() {
                    more = self.through(inside, &more);
                    more.retain(|come| !std::mem::replace(&mut visited[come.at], true));
                    to.extend(&more);
                }
            }
        }
        // Of each number of words the first way to read them.
        if to.len() > 1 {
            let mut visited = vec![false; self.words.len() + 1];
            to.retain(|come| !std::mem::replace(&mut visited[come.at], true));
        }
        to
    }

    /// Reads the words that can be of a kind, or the word itself.
    fn take(&mut self, word: &'static str, come: UsageProgress, to: &mut Vec<UsageProgress>) {
        let (at, known) = (come.at, to.len());
        if let Some(span) = self.words.get(at) {
            let (written, rest) = (&self.line[span.clone()], &self.line[span.start..]);
            let option = |span: &Range<usize>| self.line[span.clone()].starts_with("--");
            let fits = match is_kind(word) {
                true => (self.fits)(word, rest, self.optional),
                false => usize::from(word == written),
            };
            // How many words it takes.
            let counts = match takes(word) {
                _ if fits == 0 => 0..0,
                _ if fits < ANY => {
                    let words = &self.words[at..];
                    let count = words.partition_point(|word| word.start < span.start + fits);
                    count..count + 1
                }
                ArgumentSpan::Word if option(span) => 0..0,
                ArgumentSpan::Word => 1..2,
                ArgumentSpan::Number(least) => {
                    let number = written.strip_prefix(if word == "-N" { "-" } else { "" });
                    let number = number.and_then(|number| number.parse::<u64>().ok());
                    1..1 + usize::from(number.is_some_and(|n| n >= least))
                }
                ArgumentSpan::Words => {
                    1..1 + self.words[at..].iter().take_while(|span| !option(span)).count()
                }
                ArgumentSpan::Rest if is_option(self.declared, written) => 0..0,
                ArgumentSpan::Rest => self.words.len() - at..self.words.len() - at + 1,
            };
            for end in counts.map(|count| at + count) {
                let last = Some(self.read.len());
                let typed = span.start..self.words[end - 1].end;
                self.read.push((come.last, word, typed));
                to.push(UsageProgress { at: end, last });
            }
        }
        if to.len() == known && at >= self.wanted.0 {
            if at > self.wanted.0 {
                self.wanted = (at, Vec::new());
            }
            if !self.wanted.1.contains(&word) {
                self.wanted.1.push(word);
            }
        }
    }
}

/// The words of a line; an option that is declared and what stands behind its `=` are two.
fn spans(declared: &str, line: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    for (start, word) in description::words(line) {
        let end = start + word.len();
        match word.split_once('=') {
            Some((option, _)) if is_option(declared, option) => {
                let between = start + option.len();
                spans.extend([start..between, between + 1..end]);
            }
            _ => spans.push(start..end),
        }
    }
    spans.retain(|span| !span.is_empty());
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(kind: &str, text: &str, _: bool) -> usize {
        let word = text.split_whitespace().next().unwrap_or_default();
        let fits = match kind {
            "AGENT" => word == "greedy",
            "UNIT" => word.contains('.'),
            "DIAL=VALUE" => text.contains('='),
            "LABEL" if text.starts_with("more luck") => return 9,
            _ => true,
        };
        if fits { ANY } else { 0 }
    }

    fn next(declared: &'static str, written: &str) -> Vec<&'static str> {
        expected(declared, written, &fits)
    }

    /// Reads a line and returns the arguments as `KIND:text`.
    fn read(declared: &'static str, typed: &str) -> Result<Vec<String>, ArgumentError> {
        let args = super::read(declared, typed, &fits)?;
        let result = args
            .read
            .iter()
            .map(|(word, span)| format!("{word}:{}", &typed[span.clone()]));
        Ok(result.collect())
    }

    #[test]
    fn what_may_be_left_out_is_left_out() {
        assert_eq!(next("[AGENT] [N] [PHASE]", ""), ["AGENT", "N", "PHASE"]);
        assert_eq!(next("[AGENT] [N] [PHASE]", "greedy"), ["N", "PHASE"]);
        assert_eq!(next("[AGENT] [N] [PHASE]", "5"), ["PHASE"]);
        assert!(next("[AGENT] [N] [PHASE]", "5 round").is_empty());
        assert_eq!(next("[UNIT] OPTION", "x.1"), ["OPTION"]);
        assert!(next("", "").is_empty());
    }

    #[test]
    fn alternatives_repeats_and_words_that_stand_for_themselves() {
        assert_eq!(next("VARIANT...", "a b"), ["VARIANT"]);
        assert_eq!(next("[N | FUNCTION]", ""), ["N", "FUNCTION"]);
        assert_eq!(
            next("place UNIT TYPE | move UNIT TYPE | N", ""),
            ["place", "move", "N"]
        );
        assert_eq!(next("place UNIT TYPE | move UNIT TYPE", "move u.1"), ["TYPE"]);
        assert_eq!(next("on|off FILE", ""), ["on", "off"]);
        assert_eq!(next("on|off FILE", "off"), ["FILE"]);
        assert_eq!(next("[SCRIPT [FUNCTION]]", "s"), ["FUNCTION"]);
        assert_eq!(next("NAME [--clause ID] [TEXT...]", "n"), ["--clause", "TEXT"]);
        assert_eq!(next("[DIAL=VALUE]...", "a=1 b=2"), ["DIAL=VALUE"]);
        // Odd rows are read as far as they can be.
        for odd in ["[", "]", "|", "[[A]", "...", "A | | B", "[A]...]"] {
            next(odd, "a b c");
        }
    }

    #[test]
    fn a_line_is_read_by_what_is_declared() {
        let ok = |all: &[&str]| Ok(all.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>());
        let auto = "[AGENT] [N] [PHASE]";
        assert_eq!(
            read(auto, "greedy 2 second  turn"),
            ok(&["AGENT:greedy", "N:2", "PHASE:second  turn"])
        );
        assert_eq!(
            read("[N] [PHASE] [NTH]", "round 2"),
            ok(&["PHASE:round", "NTH:2"])
        );
        assert_eq!(read("[UNIT] OPTION", "5 at 90"), ok(&["OPTION:5 at 90"]));
        assert_eq!(
            read("[LABEL [DICE]]", "more luck 1 2"),
            ok(&["LABEL:more luck", "DICE:1 2"])
        );
        let odds = "[ANSWER]... [--by EXPR | --with TWEAK...]...";
        assert_eq!(
            read(odds, "a b --by c - 1 --with x y=2"),
            ok(&[
                "ANSWER:a",
                "ANSWER:b",
                "--by:--by",
                "EXPR:c - 1",
                "--with:--with",
                "TWEAK:x",
                "TWEAK:y=2"
            ])
        );
        assert_eq!(
            read("NAME [--clause ID] [NOTE]", "n --clause=R-1 as it -- is"),
            ok(&["NAME:n", "--clause:--clause", "ID:R-1", "NOTE:as it -- is"])
        );
    }

    #[test]
    fn what_does_not_fit_is_told_at_its_place() {
        assert_eq!(read("A B", "a"), Err(ArgumentError::Missing(vec!["B"])));
        assert_eq!(read("N | all", ""), Err(ArgumentError::Missing(vec!["N", "all"])));
        assert_eq!(
            read("N | all", "0"),
            Err(ArgumentError::Wrong(0, vec!["N", "all"]))
        );
        assert_eq!(read("[N]", "3 4"), Err(ArgumentError::More(2)));
        assert_eq!(read("", "x"), Err(ArgumentError::More(0)));
        let options = "NAME [--clause ID] [NOTE]";
        assert_eq!(
            read(options, "n --clause"),
            Err(ArgumentError::Missing(vec!["ID"]))
        );
        let odds = "[ANSWER]... [--by EXPR]...";
        assert!(matches!(read(odds, "a --bye 3"), Err(ArgumentError::Wrong(2, _))));
        // A line as long as one may be is read in no time.
        let long = "a ".repeat(30_000);
        assert!(read("[ANSWER]... [--by EXPR]...", long.trim()).is_ok());
    }

    #[test]
    fn lists_show_no_options() {
        assert_eq!(short("[svg|png] [FILE]"), "[svg|png] [FILE]");
        assert_eq!(short("NAME [--clause ID] [NOTE]"), "NAME");
        assert_eq!(short("[--save | -N | EXPRESSION]"), "[EXPRESSION]");
        assert_eq!(short("[ANSWER]... [--by EXPR | --sample N]..."), "[ANSWER]...");
        assert_eq!(short("UNIT | TYPE"), "UNIT | TYPE");
    }

    #[test]
    fn code_is_known_by_its_word() {
        assert!(take_code("[--save | EXPRESSION]") && take_code("[SCRIPT [CODE]]"));
        assert!(!take_code("FUNCTION") && !take_code("FILE") && !take_code("--by EXPR"));
    }
}
