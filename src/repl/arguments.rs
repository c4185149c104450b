//! The arguments of commands, as the command table writes them: which word may stand where.
//!
//! A command's arguments are told once, in its row, in the form that help shows: `[AGENT] [N]`,
//! `DIAL=VALUE`, `VARIANT...`, `on | off`, `[N | FUNCTION]`. What completes them, hints at them and
//! asks whether they are code reads them here; so a new command is a row and nothing more.

/// Arguments that are code of the rules' language.
const CODE: [&str; 4] = ["EXPR", "EXPRESSION", "CODE", "fn"];

/// A piece of what may be written.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece<'a> {
    /// One word: in capitals a kind, else itself.
    Word(&'a str),
    All(Vec<Piece<'a>>),
    Either(Vec<Piece<'a>>),
    Maybe(Box<Piece<'a>>),
    Many(Box<Piece<'a>>),
}

/// The words that may stand behind those that are written already, in the order of the table.
/// `fits` says whether a written word can be one of a kind.
pub fn expected<'a>(args: &'a str, written: &[&str], fits: &dyn Fn(&str, &str) -> bool) -> Vec<&'a str> {
    let mut reader = Reader { text: args };
    let piece = reader.either();
    let mut next = Vec::new();
    let mut walk = Walk {
        written,
        fits,
        next: &mut next,
    };
    walk.through(&piece, &[0]);
    let mut seen: Vec<&str> = Vec::new();
    next.retain(|word| {
        let new = !seen.contains(word);
        seen.push(word);
        new
    });
    next
}

/// The words of the table, whatever stands before them.
pub fn words(args: &str) -> impl Iterator<Item = &str> {
    let words = args.split([' ', '[', ']', '|']);
    words
        .map(|word| word.trim_end_matches("..."))
        .filter(|word| !word.is_empty())
}

/// Whether some argument is code.
pub fn take_code(args: &str) -> bool {
    args.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| CODE.contains(&word))
}

/// Whether a word of the table is a kind, and not itself what is written.
pub fn is_kind(word: &str) -> bool {
    word.chars().any(char::is_uppercase) && !word.starts_with('-')
}

struct Reader<'a> {
    text: &'a str,
}

impl<'a> Reader<'a> {
    /// Sequences with `|` between them.
    fn either(&mut self) -> Piece<'a> {
        let mut all = vec![self.sequence()];
        while let Some(rest) = self.text.trim_start().strip_prefix('|') {
            self.text = rest;
            all.push(self.sequence());
        }
        match all.len() {
            1 => all.remove(0),
            _ => Piece::Either(all),
        }
    }

    fn sequence(&mut self) -> Piece<'a> {
        let mut all = Vec::new();
        loop {
            self.text = self.text.trim_start();
            let mut piece = if let Some(rest) = self.text.strip_prefix('[') {
                self.text = rest;
                let inside = self.either();
                self.text = self.text.trim_start();
                self.text = self.text.strip_prefix(']').unwrap_or(self.text);
                Piece::Maybe(Box::new(inside))
            } else {
                let end = self.text.find([' ', '[', ']', '|']).unwrap_or(self.text.len());
                if end == 0 {
                    break;
                }
                let (word, rest) = self.text.split_at(end);
                self.text = rest;
                match word.strip_suffix("...") {
                    Some("") => continue,
                    Some(word) => Piece::Many(Box::new(Piece::Word(word))),
                    None => Piece::Word(word),
                }
            };
            if let Some(rest) = self.text.strip_prefix("...") {
                self.text = rest;
                piece = Piece::Many(Box::new(piece));
            }
            all.push(piece);
        }
        Piece::All(all)
    }
}

struct Walk<'a, 'w> {
    written: &'w [&'w str],
    fits: &'w dyn Fn(&str, &str) -> bool,
    next: &'w mut Vec<&'a str>,
}

impl<'a> Walk<'a, '_> {
    /// How many written words can lie behind a piece that begins behind so many; notes what could
    /// stand where the words end.
    fn through(&mut self, piece: &Piece<'a>, from: &[usize]) -> Vec<usize> {
        let mut to = Vec::new();
        match piece {
            Piece::Word(word) => {
                for &count in from {
                    match self.written.get(count) {
                        None => self.next.push(word),
                        Some(written) if self.is(word, written) => to.push(count + 1),
                        Some(_) => {}
                    }
                }
            }
            Piece::All(all) => {
                to = from.to_vec();
                for piece in all {
                    to = self.through(piece, &to);
                }
            }
            Piece::Either(all) => {
                for piece in all {
                    to.extend(self.through(piece, from));
                }
            }
            Piece::Maybe(inside) => {
                to = from.to_vec();
                to.extend(self.through(inside, from));
            }
            Piece::Many(inside) => {
                let mut more = from.to_vec();
                // Every round takes a word: there are no more rounds than words.
                for _ in 0..=self.written.len() {
                    more = self.through(inside, &more);
                    to.extend(&more);
                }
            }
        }
        to.sort_unstable();
        to.dedup();
        to
    }

    fn is(&self, word: &str, written: &str) -> bool {
        if is_kind(word) {
            (self.fits)(word, written)
        } else {
            word == written
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(args: &'static str, written: &str) -> Vec<&'static str> {
        let written: Vec<&str> = written.split_whitespace().collect();
        expected(args, &written, &|kind, word| match kind {
            "N" => word.parse::<u32>().is_ok(),
            "AGENT" => word == "greedy",
            "DIAL=VALUE" => word.contains('='),
            _ => true,
        })
    }

    #[test]
    fn what_may_be_left_out_is_left_out() {
        assert_eq!(next("[AGENT] [N] [PHASE]", ""), ["AGENT", "N", "PHASE"]);
        assert_eq!(next("[AGENT] [N] [PHASE]", "greedy"), ["N", "PHASE"]);
        assert_eq!(next("[AGENT] [N] [PHASE]", "5"), ["PHASE"]);
        assert!(next("[AGENT] [N] [PHASE]", "5 round").is_empty());
        assert_eq!(next("[UNIT] OPTION", "x"), ["OPTION"]);
        assert!(next("", "").is_empty());
    }

    #[test]
    fn alternatives_repeats_and_words_that_stand_for_themselves() {
        assert_eq!(next("VARIANT...", "a b"), ["VARIANT"]);
        assert_eq!(next("[N | FUNCTION]", ""), ["N", "FUNCTION"]);
        assert_eq!(
            next("place UNIT PLACE | move UNIT PLACE | N", ""),
            ["place", "move", "N"]
        );
        assert_eq!(next("place UNIT PLACE | move UNIT PLACE", "move u"), ["PLACE"]);
        assert_eq!(next("[SCRIPT [FUNCTION]]", "s"), ["FUNCTION"]);
        assert_eq!(next("NAME [--clause ID] [TEXT...]", "n"), ["--clause", "TEXT"]);
        assert_eq!(next("[DIAL=VALUE]...", "a=1 b=2"), ["DIAL=VALUE"]);
        // Odd rows are read as far as they can be.
        for odd in ["[", "]", "|", "[[A]", "...", "A | | B", "[A]...]"] {
            next(odd, "a b c");
        }
    }

    #[test]
    fn code_is_known_by_its_word() {
        assert!(take_code("EXPR") && take_code("[SCRIPT fn NAME(...) {...}]"));
        assert!(!take_code("FUNCTION") && !take_code("FILE"));
    }
}
