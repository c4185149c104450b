//! Syntax errors of Rhai in a designer's words: the missing part and its place, and the likely meaning for somebody who
//! knows another language.
//!
//! Knows texts and Rhai's errors; no ruleset.

use super::lexer::{self, FOREIGN_FN, Token, TokenClass, closing, is_reserved, opening, reserved};
use super::recover::{self, BracketFault, Chunk};
use super::run::rhai_differences::{EXPORT, IMPORT, POINTER, THIS};
use crate::report::{Problem, Source};
use rhai::{LexError, ParseError, ParseErrorType, Position};
use std::num::IntErrorKind;
use std::ops::Range;
use std::rc::Rc;

const NOBODY: &str = "what is not there is called `nobody`, `nowhere` or `nothing`";
const QUOTES: &str = "texts stand in straight double quotes: \"...\"";

/// A position as Rhai counts it: line and column from 1, columns in characters; 0 where there is none.
pub fn here(at: Position) -> (usize, usize) {
    (at.line().unwrap_or(0), at.position().unwrap_or(0))
}

/// The problem of a text that Rhai cannot read.
pub fn problem(source: &Rc<Source>, error: &ParseError) -> Problem {
    let at = offset(&source.text, error);
    let chunks = recover::chunks(&source.text);
    let chunk = chunks
        .iter()
        .rfind(|c| c.span.start <= at)
        .or(chunks.first())
        .cloned();
    match chunk {
        Some(chunk) => problem_at(source, error, at, &chunk),
        None => ParseStop::new(source, &[], at, 0..source.text.len()).by_type(error.err_type()),
    }
}

/// The problem of one function that Rhai cannot read, compiled by itself as this text.
pub fn problem_in(source: &Rc<Source>, error: &ParseError, chunk: &Chunk, alone: &str) -> Problem {
    problem_at(source, error, chunk.span.start + offset(alone, error), chunk)
}

fn problem_at(source: &Rc<Source>, error: &ParseError, at: usize, chunk: &Chunk) -> Problem {
    let spot = ParseStop::new(source, &chunk.pieces, at, chunk.span.clone());
    let meant = spot.stray_character().or_else(|| spot.diff());
    if let Some(problem) = meant.or_else(|| spot.foreign_comment()).or_else(|| spot.habit()) {
        return problem;
    }
    if let Some(comment) = recover::open_comment(source.slice(chunk.span.clone())) {
        let start = chunk.span.start;
        return open_comment(source, &(start + comment.start..start + comment.end));
    }
    let fault = recover::bracket_fault(&source.text, chunk);
    if let Some(BracketFault::Crossed(open, _)) = &fault
        && (spot.word(0), spot.word(-2)) == (":", ",")
        && open.start < spot.at
        && source.slice(open.clone()) == "["
    {
        // The next key of a map: the list before it should have ended.
        let behind = spot.span(-3).end;
        let problem = spot
            .problem("`]` is missing", behind..behind)
            .expected("expected `]` here");
        return problem.hint(format!(
            "it closes the `[` of line {}",
            source.line_col(open.start).0
        ));
    }
    let about_brackets = match error.err_type() {
        ParseErrorType::UnexpectedEOF => true,
        _ => {
            matches!(spot.word(0), "" | ")" | "]" | "}")
                || matches!(spot.word(0), ";" | ":") && spot.closer_is_missing(error)
        }
    };
    match fault {
        Some(fault) if about_brackets && fault.start() <= spot.at => spot.brackets(&fault),
        _ => spot.by_type(error.err_type()),
    }
}

fn open_comment(source: &Rc<Source>, comment: &Range<usize>) -> Problem {
    Problem::new("this comment is never closed")
        .at(source, comment.start..comment.start + 2)
        .hint("it ends with `*/`; a comment of one line begins with `//`")
}

/// Returns the problems of text that Rhai reads without an error, but otherwise than it is written: a comment without
/// an end takes the rest of the text with it, a number beyond 64 bits becomes another or a fraction.
pub fn misread(source: &Rc<Source>) -> Vec<Problem> {
    let pieces = lexer::tokens(&source.text).into_iter();
    let numbers =
        pieces.filter(|piece| piece.class == TokenClass::Number && is_too_large(source.slice(piece.span())));
    let too_large = numbers.map(|piece| {
        let number = source.slice(piece.span());
        let problem = Problem::new(format!("the number `{number}` is too large"));
        let hint = format!("a number is {0} at most, and the least is -{0} - 1", i64::MAX);
        problem.at(source, piece.span()).hint(hint)
    });
    let comment = recover::open_comment(&source.text);
    let comment = comment.map(|comment| open_comment(source, &comment));
    too_large.chain(comment).collect()
}

fn is_too_large(word: &str) -> bool {
    let digits = word.replace('_', "").to_ascii_lowercase();
    let (digits, radix) = match digits.split_at_checked(2) {
        Some(("0x", digits)) => (digits, 16),
        Some(("0o", digits)) => (digits, 8),
        Some(("0b", digits)) => (digits, 2),
        _ => (digits.as_str(), 10),
    };
    let number = i64::from_str_radix(digits, radix);
    number.is_err_and(|why| *why.kind() == IntErrorKind::PosOverflow)
}

/// The byte of a text at which Rhai stopped.
fn offset(text: &str, error: &ParseError) -> usize {
    let (line, column) = here(error.position());
    let start = match line {
        0 => None,
        1 => Some(0),
        _ => text.match_indices('\n').nth(line - 2).map(|(at, _)| at + 1),
    };
    let Some(start) = start else {
        return text.len();
    };
    // Not the token around it: Rhai points at the first character.
    let line = text[start..].lines().next().unwrap_or_default();
    let within = line.char_indices().nth(column.max(1) - 1);
    start + within.map_or(line.len(), |(byte, _)| byte)
}

/// Returns the sign that a character outside the language most likely stands for.
fn straight(c: char) -> Option<&'static str> {
    Some(match c {
        '“' | '”' | '„' | '‟' | '«' | '»' | '‘' | '’' | '‚' | '‛' | '´' => "\"",
        '–' | '—' | '−' | '‐' | '‑' => "-",
        '×' | '·' => "*",
        '÷' => "/",
        '≤' => "<=",
        '≥' => ">=",
        '≠' => "!=",
        '…' => "..",
        '→' | '⇒' => "=>",
        '；' => ";",
        '，' => ",",
        '（' => "(",
        '）' => ")",
        _ => return None,
    })
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{ad}' | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{2060}'..='\u{2064}' | '\u{3000}' | '\u{feff}')
        || c.is_control() && !c.is_whitespace()
}

/// The place where Rhai stopped, among the pieces around it.
struct ParseStop<'a> {
    source: &'a Rc<Source>,
    pieces: &'a [Token],
    at: usize,
    index: usize,
}

impl<'a> ParseStop<'a> {
    fn new(source: &'a Rc<Source>, pieces: &'a [Token], at: usize, within: Range<usize>) -> Self {
        let at = at.clamp(within.start, within.end.max(within.start));
        let index = pieces.iter().position(|p| p.to > at).unwrap_or(pieces.len());
        Self {
            source,
            pieces,
            at,
            index,
        }
    }

    fn piece(&self, step: isize) -> Option<&Token> {
        self.pieces.get(self.index.checked_add_signed(step)?)
    }

    /// The piece so many further on, as written; nothing where there is none.
    fn word(&self, step: isize) -> &str {
        self.piece(step).map_or("", |p| &self.source.text[p.span()])
    }

    fn span(&self, step: isize) -> Range<usize> {
        let end = self.pieces.last().map_or(self.at, |p| p.to);
        self.piece(step).map_or(end..end, |p| p.span())
    }

    /// The point right behind the piece before.
    fn behind(&self) -> Range<usize> {
        let end = self.piece(-1).map_or(self.span(0).start, |p| p.to);
        end..end
    }

    /// Whether the piece before is on the same line.
    fn same_line(&self) -> bool {
        let before = self.piece(-1).map_or(0, |p| p.to);
        !self.source.slice(before..self.span(0).start).contains('\n')
    }

    fn problem(&self, message: impl Into<String>, span: Range<usize>) -> Problem {
        Problem::new(message).at(self.source, span)
    }

    /// Whether something must be closed here that is not.
    fn closer_is_missing(&self, error: &ParseError) -> bool {
        matches!(error.err_type(), ParseErrorType::MissingToken(token, _) if matches!(token.as_str(), ")" | "]" | "}" | ","))
    }

    /// A character that was pasted from a page of text.
    fn stray_character(&self) -> Option<Problem> {
        let line = self.source.line_at(self.at);
        let rest = &self.source.text[self.at..line.end.max(self.at)];
        let c = rest.chars().next()?;
        if is_invisible(c) {
            let name = match c {
                '\u{a0}' | '\u{202f}' | '\u{2007}' => "a non-breaking blank".to_owned(),
                '\u{feff}' => "a byte order mark".to_owned(),
                c => format!("U+{:04X}", u32::from(c)),
            };
            let problem = self.problem(
                format!("there is a character here that cannot be seen: {name}"),
                self.at..self.at + c.len_utf8(),
            );
            return Some(
                problem
                    .expected("expected a plain blank, or nothing")
                    .hint("delete it and type a blank"),
            );
        }
        if c.is_alphabetic() && !c.is_ascii() {
            let word = self.word(0).to_owned();
            let problem = self.problem(
                format!("`{word}` has letters that no name can have"),
                self.span(0),
            );
            return Some(
                problem.hint("a name has the letters a to z and A to Z, digits and _; texts may have any"),
            );
        }
        let plain = straight(c)?;
        if plain != "\"" {
            let problem = self.problem(
                format!("`{c}` is a sign of printed text, not of a script"),
                self.at..self.at + c.len_utf8(),
            );
            return Some(problem.hint(format!("write `{plain}`")));
        }
        let inside = rest[c.len_utf8()..].char_indices();
        let close = inside
            .clone()
            .find(|(_, c)| straight(*c) == Some("\"") || *c == '"');
        let end = close.map_or(c.len_utf8(), |(at, close)| c.len_utf8() + at + close.len_utf8());
        let problem = self.problem(
            format!("`{c}` is a quote of printed text, not of a script"),
            self.at..self.at + end,
        );
        Some(problem.hint(match close {
            Some((at, _)) => format!("write \"{}\"", &rest[c.len_utf8()..c.len_utf8() + at]),
            None => QUOTES.to_owned(),
        }))
    }

    /// A line of a diff: its sign is the first of the line, and so is one of a line beside it.
    fn diff(&self) -> Option<Problem> {
        let at = match self.word(0) {
            "" => self.behind().start,
            _ => self.at,
        };
        let line = self.source.line_at(at);
        let sign = |from: usize| {
            self.source.text[from..]
                .chars()
                .next()
                .filter(|c| "+-".contains(*c))
        };
        let first = sign(line.start)?;
        let before = self.source.text[..line.start].strip_suffix('\n');
        let before = before.map(|text| text.rfind('\n').map_or(0, |at| at + 1));
        let next = self.source.text[line.end..]
            .find('\n')
            .map(|at| line.end + at + 1);
        if !before.into_iter().chain(next).any(|from| sign(from).is_some()) {
            return None;
        }
        let problem = self.problem(
            format!("the `{first}` at the beginning of this line is one of a diff"),
            line.start..line.start + 1,
        );
        Some(problem.hint("leave out the lines with `-`, and of the others the `+`"))
    }

    /// Whether what stands before a `{` wants a block: `switch x {`, `if x {`.
    fn opens_a_block(&self, brace: isize) -> bool {
        let before = (1..40).map(|back| self.word(brace - back));
        let mut statement = before.take_while(|word| !matches!(*word, ";" | "{" | "}" | ""));
        statement.any(|word| matches!(word, "switch" | "if" | "else" | "while" | "for" | "loop"))
    }

    /// A function that begins with its name: that name, where this `{` opens its body.
    fn headless(&self) -> Option<Range<usize>> {
        if (self.word(-1), self.word(0)) != (")", "{") {
            return None;
        }
        let mut depth = 0;
        let mut step = -1;
        loop {
            match self.word(step) {
                ")" => depth += 1,
                "(" => depth -= 1,
                "" => return None,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            step -= 1;
        }
        let mut name = step - 1;
        let end = self.span(name).end;
        if self.word(name - 1) == "." {
            name -= 2;
        }
        let is_name = self.piece(name).is_some_and(Token::is_word) && !is_reserved(self.word(name));
        let before = self
            .pieces
            .iter()
            .filter(|piece| piece.from < self.span(name).start);
        let outside = before.fold(0, |depth, piece| match self.source.slice(piece.span()) {
            "{" => depth + 1,
            "}" => depth - 1,
            _ => depth,
        });
        let begins = matches!(self.word(name - 1), "" | "}" | ";");
        (is_name && begins && outside == 0).then(|| self.span(name).start..end)
    }

    /// A line that begins as comments of another language do.
    fn foreign_comment(&self) -> Option<Problem> {
        let line = self.source.line_at(self.at);
        let text = self.source.slice(line.clone());
        let start = line.start + (text.len() - text.trim_start().len());
        let begins = |sign: &&str| text.trim_start().starts_with(sign);
        let sign = ["-- ", "; ", "' ", "<!--", "REM "]
            .into_iter()
            .find(begins)?
            .trim_end();
        let problem = self.problem(format!("`{sign}` begins no comment"), start..start + sign.len());
        Some(problem.hint("a comment begins with `//`"))
    }

    /// Returns a problem if the text is right in another language.
    fn habit(&self) -> Option<Problem> {
        let word = self.word(0);
        if self.span(0).start < self.at && word.starts_with(|c: char| c.is_ascii_digit()) {
            // Rhai reads a number, and then a name.
            return Some(self.no_number(word));
        }
        let told =
            |step: isize, message: &str, hint: &str| Some(self.problem(message, self.span(step)).hint(hint));
        let no_word = |step: isize, hint: &str| {
            let message = format!("`{}` is no word of a script", self.word(step));
            told(step, &message, hint)
        };
        for step in [0, -1] {
            let hint = match self.word(step) {
                "and" | "AND" => "write `&&` between two conditions",
                "or" | "OR" => "write `||` between two conditions",
                "not" | "NOT" => "write `!` before a condition",
                "elif" | "elsif" | "elseif" => "write `else if`",
                "If" | "IF" | "Else" | "ELSE" | "For" | "FOR" | "While" | "WHILE" | "Let" | "LET"
                | "Return" | "RETURN" => {
                    "the words of scripts have small letters alone: `if`, `else`, `for`, `let`"
                }
                "then" => "leave it out: a block stands in braces, `if x { ... }`",
                "var" | "local" | "auto" | "int" if step == -1 || self.word(0) == "var" => {
                    "a local variable begins with `let`: `let n = 1;`"
                }
                "foreach" => "write `for unit in units() { ... }`",
                "until" | "unless" if step == -1 => "write `while !x { ... }` or `if !x { ... }`",
                word if step == -1 && FOREIGN_FN.contains(&word) => {
                    "a function begins with `fn`: `fn name(me) { ... }`"
                }
                _ => continue,
            };
            return no_word(step, hint);
        }
        if let Some(name) = self.headless() {
            let head = self.source.slice(name.start..self.span(-1).end);
            let head = head.split_whitespace().collect::<Vec<_>>().join(" ");
            let message = format!("`fn` is missing before `{}`", self.source.slice(name.clone()));
            let problem = self.problem(message, name.start..name.start);
            return Some(
                problem
                    .expected("expected `fn` here")
                    .hint(format!("a function begins with it: `fn {head} {{ ... }}`")),
            );
        }
        let (step, message, hint) = match (self.word(-1), self.word(0)) {
            (_, ":") if self.word(-2) == "{" && self.word(-3) != "#" && !self.opens_a_block(-2) => (
                -2,
                "this `{` opens a block and no map",
                "a map is `#{ key: value }`",
            ),
            (_, word) if FOREIGN_FN.contains(&word) && self.word(2) == "(" => {
                return no_word(0, "a function begins with `fn`: `fn name(me) { ... }`");
            }
            ("+", "+") | ("-", "-") => return no_sign(self, -1),
            (_, "+" | "-") if self.word(1) == self.word(0) && self.touches(0) => return no_sign(self, 0),
            (_, "?") if self.word(1) != "." && self.word(1) != "?" && self.word(1) != "[" => (
                0,
                "`?` is no sign of a script",
                "write `if condition { this } else { that }`, which has a value",
            ),
            (_, "#") if self.word(1) != "{" => (
                0,
                "`#` begins nothing here",
                "a comment begins with `//`, a map is `#{ key: value }`",
            ),
            (_, "$") => {
                return no_word(
                    0,
                    "a text with values in it stands in backticks: `life ${me.life}`",
                );
            }
            (_, ":") if self.opens_block() => (
                0,
                "`:` opens no block",
                "a block stands in braces: `if x { ... }`",
            ),
            (_, ":") if matches!(self.word(-2), "let" | "const") => {
                (0, "a variable has no type", "leave it out: `let n = 1;`")
            }
            ("for", "(") | ("(", "let" | "var") if self.word(-1) == "for" || self.word(-2) == "for" => (
                0,
                "`for` goes through what there is, without parentheses",
                "write `for unit in units() { ... }` or `for n in 1..=3 { ... }`",
            ),
            (_, "else") if self.word(-1) == ";" && self.word(-2) == "}" => (
                -1,
                "`;` parts the `else` from its `if`",
                "leave the `;` out: `} else {`",
            ),
            _ => return None,
        };
        told(step, message, hint)
    }

    /// Whether the piece and the next stand side by side.
    fn touches(&self, step: isize) -> bool {
        self.span(step).end == self.span(step + 1).start
    }

    /// Returns the tokens on the line before the place.
    fn line_before(&self) -> Vec<&str> {
        let line = self.source.line_at(self.at);
        let pieces = self
            .pieces
            .iter()
            .filter(|p| (line.start..self.at).contains(&p.from));
        pieces.map(|p| &self.source.text[p.span()]).collect()
    }

    /// Whether the line begins with a word that has a block, which is not open yet.
    fn opens_block(&self) -> bool {
        let line = self.line_before();
        let first = line
            .iter()
            .rposition(|w| matches!(*w, "{" | "}" | ";"))
            .map_or(0, |i| i + 1);
        let opens = |w: &&str| {
            matches!(*w, "if" | "else" | "while" | "for" | "fn" | "loop") || FOREIGN_FN.contains(w)
        };
        line.get(first).is_some_and(opens)
    }

    fn brackets(&self, fault: &BracketFault) -> Problem {
        let sign = |span: &Range<usize>| self.source.text[span.start..].chars().next().unwrap_or(' ');
        let line = |at: usize| self.source.line_col(at).0;
        match fault {
            BracketFault::Open(span, before) => {
                let open = sign(span);
                let close = closing(open);
                let last = self.pieces.last().is_some_and(|p| p.to == *before);
                let hint = match last {
                    true if line(self.source.text.len()) == 1 => format!("a `{close}` is missing"),
                    true => format!(
                        "a `{close}` is missing, at the latest behind line {}",
                        line(*before)
                    ),
                    false => format!("a `{close}` is missing before line {}", line(*before)),
                };
                self.problem(format!("this `{open}` is never closed"), span.clone())
                    .hint(hint)
            }
            BracketFault::Crossed(open, close) => {
                let (opener, closer) = (sign(open), sign(close));
                let wanted = closing(opener);
                // Something before the closing one should have closed the first.
                let behind = self
                    .pieces
                    .iter()
                    .rfind(|p| p.from < close.start && self.source.slice(p.span()) != ";")
                    .map_or(close.start, |p| p.to);
                let at = line(open.start);
                if line(close.start) == at || line(behind) < line(close.start) {
                    self.problem(format!("`{wanted}` is missing"), behind..behind)
                        .expected(format!("expected `{wanted}` at the latest here"))
                        .hint(format!("it closes the `{opener}` of line {at}"))
                } else {
                    self.problem(
                        format!("`{closer}` cannot close the `{opener}` of line {at}"),
                        close.clone(),
                    )
                    .expected(format!("expected `{wanted}`"))
                }
            }
            BracketFault::Extra(span) => {
                let closer = sign(span);
                self.problem(format!("this `{closer}` closes nothing"), span.clone())
                    .hint(format!("delete it, or open it with `{}` before", opening(closer)))
            }
        }
    }

    /// A word that cannot be a name; the others too, where it stands for one.
    fn reserved(&self, word: &str) -> Problem {
        if let Some(problem) = self.refused(word) {
            return problem;
        }
        let own = sign_hint(word).unwrap_or("choose another name");
        let hint = match self.is_name() {
            true => format!("{own}; reserved are {}", reserved().join(", ")),
            false => own.to_owned(),
        };
        self.problem(format!("`{word}` is a reserved word"), self.span(0))
            .hint(hint)
            .about(word)
    }

    /// A word of what rules do not say, unless it stands for a name.
    fn refused(&self, word: &str) -> Option<Problem> {
        let it = match word {
            "import" => IMPORT,
            "export" => EXPORT,
            "this" => THIS,
            _ => return None,
        };
        let is_name = self.index > 0 && self.is_name();
        (!is_name).then(|| self.problem(it.what, self.span(0)).hint(it.instead).about(word))
    }

    /// Whether a word stands where a name does: of a variable, a function or property, a key, a parameter.
    fn is_name(&self) -> bool {
        let in_head = || {
            let before = &self.pieces[..self.index];
            !before.iter().any(|p| self.source.slice(p.span()) == "{")
        };
        // A text is taken apart where a `fn` stands, also as in `let fn`.
        self.index == 0
            || matches!(self.word(-1), "let" | "const" | "fn" | "for" | ".")
            || matches!(self.word(1), "(" | ":")
            || matches!(self.word(-1), "(" | ",") && in_head()
    }

    fn by_type(&self, kind: &ParseErrorType) -> Problem {
        let is_key = |token: &str| token == "}" && self.word(1) == ":";
        let is_name = match kind {
            ParseErrorType::MissingToken(token, _) if is_key(token) => true,
            ParseErrorType::VariableExpected if self.word(-1) == "|" => true,
            kind => self.is_name() && is_about_a_name(kind),
        };
        if is_name && is_reserved(self.word(0)) {
            return self.reserved(self.word(0));
        }
        let told = |message: String, hint: &str| self.problem(message, self.span(0)).hint(hint);
        let plain = |message: String| self.problem(message, self.span(0));
        match kind {
            ParseErrorType::UnexpectedEOF
                if self.word(0).is_empty() && self.word(-1).ends_with(|c| "=+-*/%<>&|!,.".contains(c)) =>
            {
                self.no_value()
            }
            ParseErrorType::UnexpectedEOF => self
                .problem("the text ends in the middle of something", self.behind())
                .hint("is a closing bracket missing?"),
            ParseErrorType::BadInput(error) => self.bad_input(error),
            ParseErrorType::UnknownOperator(sign) | ParseErrorType::Reserved(sign) => {
                let is_word = sign.chars().all(|c| c.is_alphanumeric() || c == '_');
                match sign_hint(sign) {
                    _ if is_word => self.reserved(sign),
                    Some(hint) => told(format!("`{sign}` is no sign of a script"), hint),
                    None => plain(format!("`{sign}` cannot stand here")),
                }
            }
            ParseErrorType::MissingToken(token, _) => self.missing(token),
            ParseErrorType::MissingSymbol(_) | ParseErrorType::ExprExpected(_) => self.no_value(),
            ParseErrorType::MalformedIndexExpr(_) => told(
                "this cannot stand between `[` and `]`".to_owned(),
                "a list takes a number, from 0 on; a map takes a text",
            ),
            ParseErrorType::MalformedCapture(_) => plain("a function cannot be called so".to_owned()),
            ParseErrorType::DuplicatedProperty(name) => told(
                format!("the key `{name}` stands twice in this map"),
                "keep one of the two",
            ),
            ParseErrorType::DuplicatedVariable(name) => {
                told(format!("the name `{name}` stands twice"), "keep one of the two")
            }
            ParseErrorType::WrongSwitchDefaultCase => told(
                "`_` must be the last case of a `switch`".to_owned(),
                "it stands for all that no other case names",
            ),
            ParseErrorType::WrongSwitchIntegerCase => {
                plain("a number cannot follow a range in a `switch`".to_owned())
                    .hint("put the single numbers first")
            }
            ParseErrorType::WrongSwitchCaseCondition => {
                plain("this case of a `switch` cannot have a condition".to_owned())
            }
            ParseErrorType::PropertyExpected => match self.word(-1) {
                "." => told("a name is missing behind `.`".to_owned(), "such as `me.life`"),
                _ => told(
                    "a key of this map is missing".to_owned(),
                    "a map is `#{ key: value, \"a key\": value }`",
                ),
            },
            ParseErrorType::VariableExpected => {
                let before = self.word(-1).to_owned();
                told(
                    format!("a name is missing behind `{before}`"),
                    "a name is a letter, then letters, digits and _",
                )
            }
            ParseErrorType::ForbiddenVariable(name) => told(
                format!("`{name}` cannot be a variable's name"),
                "choose another name",
            ),
            ParseErrorType::MismatchedType(wanted, given) => {
                let wanted = match wanted.as_str() {
                    "a boolean expression" => "true or false",
                    "an iterable value" => "a list or set to go through",
                    other => other,
                };
                plain(format!("this must be {wanted}, not {}", plain_type(given)))
            }
            ParseErrorType::WrongDocComment => told(
                "`///` stands right above a function".to_owned(),
                "elsewhere a comment begins with `//`",
            ),
            ParseErrorType::WrongFnDefinition => told(
                "a function stands inside another".to_owned(),
                "is a `}` missing above?",
            ),
            ParseErrorType::FnDuplicatedDefinition(name, _) => {
                told(format!("`{name}` is defined twice"), "keep one of the two")
            }
            ParseErrorType::FnMissingName => told(
                "a function's name is missing behind `fn`".to_owned(),
                "write `fn name(me) { ... }`",
            ),
            ParseErrorType::FnMissingParams(name) => self
                .problem(format!("the parameters of `{name}` are missing"), self.behind())
                .expected("expected `(`")
                .hint(format!(
                    "write `fn {name}(me) {{ ... }}`, or `fn {name}() {{ ... }}` without any"
                )),
            ParseErrorType::FnDuplicatedParam(name, param) => told(
                format!("two parameters of `{name}` are called `{param}`"),
                "give each a name of its own",
            ),
            ParseErrorType::FnMissingBody(name) => self
                .problem(format!("the body of `{name}` is missing"), self.behind())
                .expected("expected `{`")
                .hint("what a function does stands in braces: `{ ... }`"),
            ParseErrorType::AssignmentToConstant(name) => self.constant(name),
            ParseErrorType::AssignmentToInvalidLHS(_) => told(
                "this cannot be changed".to_owned(),
                "left of `=` stands a variable, or a slot of one, such as `me.fired`; what a function says is kept \
                 in one first: `let it = game();`; to compare, write `==`",
            ),
            ParseErrorType::VariableUndefined(name) => undefined(
                self.problem(format!("there is no variable or dial `{name}`"), self.span(0)),
                name,
            ),
            ParseErrorType::ModuleUndefined(name) => told(
                format!("there is no `{name}::`"),
                "a property or method follows a dot: `me.life`",
            ),
            ParseErrorType::ExprTooDeep => told(
                "this is nested too deeply".to_owned(),
                "put parts of it into variables (`let`) or functions of their own",
            ),
            ParseErrorType::TooManyFunctions => {
                told("too many functions for one script".to_owned(), "at most 512")
            }
            ParseErrorType::LiteralTooLarge(..) => {
                plain("this is too long for a script".to_owned()).hint(format!(
                    "a text has at most {} letters, a list {} items, a map {}",
                    super::engine::MAX_STRING,
                    super::engine::MAX_ARRAY,
                    super::engine::MAX_MAP
                ))
            }
            ParseErrorType::LoopBreak => {
                let word = self.word(0).to_owned();
                told(
                    format!("`{word}` stands outside a loop"),
                    "to leave a function, write `return`",
                )
            }
            other => plain(other.to_string()),
        }
    }

    fn bad_input(&self, error: &LexError) -> Problem {
        let span = self.span(0);
        match error {
            LexError::UnterminatedString => self
                .problem("this text is never closed", span.clone())
                .expected(match self.source.slice(span).starts_with('`') {
                    true => "expected a backtick at its end",
                    false => "expected `\"` at its end",
                })
                .hint("a text stands on one line, in double quotes; one of several lines in backticks"),
            LexError::MalformedChar(_) => {
                let inner = self.source.slice(span.clone()).trim_matches('\'').to_owned();
                let problem = self.problem("single quotes hold no text", span);
                problem.hint(if inner.is_empty() {
                    QUOTES.to_owned()
                } else {
                    format!("write \"{inner}\"")
                })
            }
            LexError::MalformedEscapeSequence(what) => self
                .problem(format!("`{what}` means nothing in a text"), span)
                .hint("a backslash itself is written `\\\\`"),
            LexError::MalformedNumber(what) | LexError::MalformedIdentifier(what) => {
                let word = self.word(0).to_owned();
                self.no_number(if word.is_empty() { what } else { &word })
            }
            LexError::StringTooLong(_) => self.problem("this text is too long", span),
            LexError::ImproperSymbol(sign, _) => {
                if let Some(problem) = self.refused(sign) {
                    return problem;
                }
                if sign == "=" {
                    return self
                        .problem("`=` does not compare", span)
                        .expected("expected `==`")
                        .hint("write `==` to compare, `=` to change");
                }
                let end = if sign.is_empty() {
                    span.end
                } else {
                    (span.start + sign.len()).max(span.end)
                };
                let span = span.start..end;
                const ALONE: &str = "scripts reach the table alone: no files, no clock, no other code";
                match sign_hint(sign) {
                    hint if sign.starts_with(char::is_alphabetic) => self
                        .problem(format!("`{sign}` cannot be used in a script"), span)
                        .hint(hint.unwrap_or(ALONE)),
                    Some(hint) => self
                        .problem(format!("`{sign}` is no sign of a script"), span)
                        .hint(hint),
                    None => self.problem(format!("`{sign}` cannot stand here"), span),
                }
            }
            LexError::UnexpectedInput(_) => self.no_value(),
            other => self.problem(other.to_string(), span),
        }
    }

    /// A word that begins as a number does.
    fn no_number(&self, word: &str) -> Problem {
        let parts = word.split_once(['d', 'D', 'w', 'W']);
        let dice = parts.filter(|(n, sides)| n.parse::<u8>().is_ok() && sides.parse::<u8>().is_ok());
        let problem = self.problem(format!("`{word}` is neither a number nor a name"), self.span(0));
        problem.hint(match dice {
            Some((n, sides)) => format!("dice are rolled with `roll(me, \"what for\", {n}, {sides})`"),
            None => "a name begins with a letter; a number has digits alone".to_owned(),
        })
    }

    /// Returns the problem of something else in the place of a value.
    fn no_value(&self) -> Problem {
        let (before, word) = (self.word(-1).to_owned(), self.word(0).to_owned());
        match word.as_str() {
            "" => self
                .problem("the text ends where a value should stand", self.behind())
                .expected("expected a value"),
            ";" | ")" | "]" | "}" | "," => self
                .problem(format!("a value is missing before `{word}`"), self.span(0))
                .expected(if before.is_empty() {
                    "expected a value".to_owned()
                } else {
                    format!("expected a value behind `{before}`")
                }),
            "else" => self
                .problem("this `else` has no `if`", self.span(0))
                .hint("write `if x { ... } else { ... }`"),
            "=" => self
                .problem("`=` cannot stand here", self.span(0))
                .hint("write `==` to compare; to change a variable: `name = value;`"),
            _ => {
                let problem = self.problem(format!("`{word}` cannot stand here"), self.span(0));
                match sign_hint(&word) {
                    Some(hint) => problem.hint(hint),
                    None => problem.expected("expected a value"),
                }
            }
        }
    }

    fn missing(&self, token: &str) -> Problem {
        let (before, word) = (self.word(-1).to_owned(), self.word(0).to_owned());
        let here = || {
            self.problem(format!("`{token}` is missing"), self.behind())
                .expected(format!("expected `{token}` here"))
        };
        let two_words = self.same_line()
            && [-1, 0].iter().all(|step| {
                self.piece(*step)
                    .is_some_and(|p| p.is_word() || p.class == TokenClass::Text)
            });
        match token {
            ";" if two_words && !matches!(word.as_str(), "let" | "if" | "for" | "while" | "return") => {
                let (from, to) = (self.span(-1).start, self.span(0).end);
                self.problem(
                    format!("something is missing between `{before}` and `{word}`"),
                    from..to,
                )
                .hint("an operator, a comma, or a `;` between two statements")
            }
            ";" if matches!(word.as_str(), "}" | ")" | "]") => {
                self.problem(format!("this `{word}` closes nothing"), self.span(0))
            }
            ";" => here().hint("a statement ends with `;`; only the last one of a block may go without"),
            "{" => here().hint("what depends on it stands in braces: `{ ... }`"),
            "," | ")" | "]" | "}" if word == "=" => self
                .problem("`=` cannot stand here", self.span(0))
                .hint("to compare, write `==`; a key of a map is followed by `:`"),
            "," => here().hint("a comma stands between two items"),
            ":" => here().hint("a map is `#{ key: value }`"),
            "=>" => here().hint("a case of a `switch` is `value => result,`"),
            "in" => here().hint("write `for unit in units() { ... }`"),
            ")" | "]" | "}" => here().hint("is a bracket or a comma left out?"),
            _ => here(),
        }
    }

    fn constant(&self, name: &str) -> Problem {
        let name = if name.is_empty() {
            self.source.slice(self.span(0)).to_owned()
        } else {
            name.to_owned()
        };
        self.problem(format!("`{name}` cannot be changed here"), self.span(0))
            .hint("dials are turned before a game begins; what changes in play is a slot, declared in `slots()`")
    }
}

/// Whether Rhai expected a name where it stopped.
fn is_about_a_name(kind: &ParseErrorType) -> bool {
    match kind {
        ParseErrorType::VariableExpected
        | ParseErrorType::PropertyExpected
        | ParseErrorType::ForbiddenVariable(_)
        | ParseErrorType::FnMissingName => true,
        ParseErrorType::MissingToken(token, _) => token == ")",
        _ => false,
    }
}

/// Two signs in a row that are one in another language.
fn no_sign(spot: &ParseStop<'_>, step: isize) -> Option<Problem> {
    let span = spot.span(step).start..spot.span(step + 1).end;
    let sign = spot.source.slice(span.clone()).to_owned();
    Some(
        spot.problem(format!("`{sign}` is no sign of a script"), span)
            .hint(sign_hint(&sign).unwrap_or("write `n += 1`")),
    )
}

/// Returns the hint for a word or sign of another language.
fn sign_hint(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "++" => "write `n += 1`",
        "--" => "write `n -= 1`",
        "print" | "debug" => {
            "what it tells stands in brackets: `print(\"hello\")`; as a name it is taken, choose another"
        }
        "?" => "write `if condition { this } else { that }`, which has a value",
        "===" => "write `==`",
        "!==" | "<>" | "=!" | "~=" => "write `!=`",
        ":=" => "write `=`",
        "=<" => "write `<=`",
        "=>" | "->" => "an arrow stands in a `switch` alone: `value => result,`",
        "<-" => "write `=` to change, `<` to compare",
        "match" => "write `switch`; as a name it is taken, choose another",
        "case" => "a case of a `switch` is written `value => result,` without that word",
        "default" => {
            "the last case of a `switch` is written `_ => result`; as a name it is taken, choose another"
        }
        "var" => "a local variable begins with `let`",
        "Fn" => "a function begins with `fn`, in small letters",
        "null" | "nil" => NOBODY,
        "new" => "there is nothing to make anew: a map is `#{ key: value }`, a unit comes with `enlist`",
        "goto" | "exit" => "to leave a function, write `return`",
        "eval" => POINTER.instead,
        "#" => "a comment begins with `//`, a map is `#{ key: value }`",
        "# {" => "write `#{` without a blank",
        "@" | "$" | "~" | "\\" => "no script has this sign",
        "(*" | "*)" => "a comment begins with `//`",
        "::<" | ":;" => "a property or method follows a dot: `me.life`",
        _ => return None,
    })
}

/// Returns the message about a variable that is called like a function, and the hint.
pub fn called_variable(name: &str) -> [String; 2] {
    [
        format!("`{name}` is a variable and no function"),
        format!("a function in a variable is called by `{name}.call(...)`"),
    ]
}

/// The hint for a name that nothing has, where another language has a word for it.
pub fn undefined(problem: Problem, name: &str) -> Problem {
    match name {
        "None" | "none" | "nil" | "null" | "NULL" | "Nil" | "undefined" | "void" => problem.hint(NOBODY),
        "True" | "TRUE" => problem.hint("write `true`"),
        "False" | "FALSE" => problem.hint("write `false`"),
        "self" => problem.hint("the unit that a function is about is its first parameter, such as `me`"),
        "and" | "or" | "not" => problem.hint("write `&&`, `||` or `!`"),
        _ if name.starts_with(char::is_uppercase) => {
            problem.hint(format!("a text stands in quotes: `\"{name}\"`"))
        }
        _ => problem.hint("a local variable begins with `let`; a dial is declared in `dials()`"),
    }
}

/// One of Rhai's types in a designer's words.
fn plain_type(name: &str) -> &str {
    match name.rsplit("::").next().unwrap_or(name) {
        "i64" => "a number",
        "f64" => "a number with a fraction",
        "bool" => "true or false",
        "string" | "&str" | "ImmutableString" | "String" => "a text",
        "char" => "a letter",
        "array" => "a list",
        "map" | "object map" | "an object map" => "a map",
        "()" => "nothing",
        "Fn" => "a function",
        "range" | "range=" => "a range of numbers",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::engine;

    /// Sentence, what is underlined and the line of it.
    fn told(text: &str) -> (String, String, usize) {
        let source = Source::new("test", text);
        let error = engine::new().compile(text).expect_err("it cannot be read");
        let problem = problem(&source, &error);
        let place = problem.place.clone().expect("it is somewhere");
        let line = place.line_col().0;
        (problem.message, source.slice(place.span).to_owned(), line)
    }

    fn says(message: &str, under: &str, line: usize) -> (String, String, usize) {
        (message.to_owned(), under.to_owned(), line)
    }

    #[test]
    fn what_is_missing_is_told_where_it_is_missing() {
        assert_eq!(
            told("fn a() {\n    let x = 1\n    x\n}"),
            says("`;` is missing", "", 2)
        );
        assert_eq!(
            told("fn a(b) {\n    if b\n        c();\n    }\n}"),
            says("`{` is missing", "", 2)
        );
        assert_eq!(
            told("fn a(b) {\n    if b {\n        c();\n}\n"),
            says("this `{` is never closed", "{", 2)
        );
        assert_eq!(told("fn a(b) {\n    c(b, 1;\n}\n"), says("`)` is missing", "", 2));
        assert_eq!(told("fn a(b) {\n    c(b 1);\n}\n"), says("`,` is missing", "", 2));
        assert_eq!(
            told("// It is.\na(b, c(1)) {\n    d(b)\n}\n"),
            says("`fn` is missing before `a`", "", 2)
        );
        assert_eq!(
            told("fn a() {\n}\n\nd.b() {\n}\n"),
            says("`fn` is missing before `d.b`", "", 4)
        );
        assert_eq!(told("fn a() {\n}\n}\n"), says("this `}` closes nothing", "}", 3));
        assert_eq!(
            told("fn a() { let x = ; }"),
            says("a value is missing before `;`", ";", 1)
        );
        assert_eq!(
            told("fn a() { c(\"b); }\n"),
            says("this text is never closed", "\"b); }", 1)
        );
    }

    #[test]
    fn what_looks_like_a_comment_in_a_text_is_none() {
        for text in ["`a ${`/*`} b`", "#\"one \" /* quote\"#"] {
            let (message, ..) = told(&format!("fn a() {{ let s = {text}; let x = ; }}"));
            assert_ne!(message, "this comment is never closed", "{text}");
        }
        let (message, under, _) = told("fn a() { let s = 'b'; /* c");
        assert_eq!((&*message, &*under), ("this comment is never closed", "/*"));
    }

    #[test]
    fn no_reserved_word_is_a_name() {
        assert!(lexer::KEYWORDS.is_sorted() && reserved().is_sorted());
        for word in reserved() {
            let (message, under, _) = told(&format!("fn a() {{ let {word} = 1; }}"));
            assert_eq!(under, word);
            // Other words of other languages have a sentence of their own.
            let reserved = message == format!("`{word}` is a reserved word");
            assert!(reserved || ["eval", "var"].contains(&word), "{message}");
            for text in [
                format!("fn a({word}) {{ }}"),
                format!("fn a() {{ #{{ {word}: 1 }} }}"),
            ] {
                assert!(engine::new().compile(&text).is_err(), "{text}");
            }
        }
    }

    #[test]
    fn what_other_languages_write_is_told_as_what_it_is() {
        for (text, under) in [
            ("fn a(b, c) { if b and c { } }", "and"),
            ("fn a(b) { if not b { } }", "not"),
            ("fn a(b) { if b { } elif b { } }", "elif"),
            ("fn a(b) { if b = 1 { } }", "="),
            ("fn a(b) { if b: { } }", ":"),
            ("fn a(b) { b++; }", "++"),
            ("fn a(b) { hit(b, 'volley'); }", "'volley'"),
            ("fn a(b) { let match = 1; }", "match"),
            ("fn a(b) { switch b { case 1 => 2 } }", "case"),
            ("fn a(b) { b ? 1 : 2 }", "?"),
            ("fn a(b) { var x = 1; }", "var"),
            ("fn a(b) { hit(b, “volley”); }", "“volley”"),
            ("fn a(b) { b ≥ 2 }", "≥"),
            ("fn a(b) { let x = null; }", "null"),
            ("function a(b) { }", "function"),
            ("fn a(b) { let x = 2d6; }", "2d6"),
            ("fn a(b) { # note\n }", "#"),
            ("fn a(b) { if b === 1 { } }", "==="),
            ("fn a() { { b: 1, c: 2 } }", "{"),
            ("Fn a(b) { }", "Fn"),
            ("fn a(b) { }\n-fn c(b) { d(b); }\n+fn c(b) { e(b); }", "-"),
        ] {
            let (message, found, _) = told(text);
            assert_eq!(found, under, "{text}: {message}");
        }
    }
}
