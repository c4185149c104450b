//! Syntax errors of Rhai in a designer's words: the missing part and its place, and the likely meaning for somebody who
//! knows another language.
//!
//! Knows texts and Rhai's errors; no ruleset.

mod problems;

use super::lexer::{self, FOREIGN_FN, Token, TokenClass, closing, is_reserved, opening};
use super::recover::{self, BracketFault, Chunk};
use super::rhai_differences::{EXPORT, IMPORT, POINTER, THIS};
use crate::report::problems::unknown_name;
use crate::report::{Problem, Source};
use rhai::{LexError, ParseError, ParseErrorType, Position};
use std::num::IntErrorKind;
use std::ops::Range;
use std::sync::Arc;

const NOBODY: &str = "write `nobody`, `nowhere` or `nothing`";

/// A position as Rhai counts it: line and column from 1, columns in characters; 0 where there is none.
pub fn here(at: Position) -> (usize, usize) {
    (at.line().unwrap_or(0), at.position().unwrap_or(0))
}

/// The problem of a text that Rhai cannot read.
pub fn problem(source: &Arc<Source>, error: &ParseError) -> Problem {
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
pub fn problem_in(source: &Arc<Source>, error: &ParseError, chunk: &Chunk, alone: &str) -> Problem {
    problem_at(source, error, chunk.span.start + offset(alone, error), chunk)
}

fn problem_at(source: &Arc<Source>, error: &ParseError, at: usize, chunk: &Chunk) -> Problem {
    let spot = ParseStop::new(source, &chunk.pieces, at, chunk.span.clone());
    if let Some(problem) = spot.stray_character().or_else(|| spot.habit()) {
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
        return problems::missing(']').at(source, behind..behind);
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

fn open_comment(source: &Arc<Source>, comment: &Range<usize>) -> Problem {
    problems::unclosed("comment")
        .at(source, comment.start..comment.start + 2)
        .hint("write `*/` at its end, or begin it with `//`")
}

/// Returns the problems of text that Rhai reads without an error, but otherwise than it is written: a comment without
/// an end takes the rest of the text with it, a number beyond 64 bits becomes another or a fraction.
pub fn misread(source: &Arc<Source>) -> Vec<Problem> {
    let pieces = lexer::tokens(&source.text).into_iter();
    let numbers =
        pieces.filter(|piece| piece.class == TokenClass::Number && is_too_large(source.slice(piece.span())));
    let too_large = numbers.map(|piece| {
        let number = source.slice(piece.span());
        problems::number_too_large(number, i64::MAX).at(source, piece.span())
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
    source: &'a Arc<Source>,
    pieces: &'a [Token],
    at: usize,
    index: usize,
}

impl<'a> ParseStop<'a> {
    fn new(source: &'a Arc<Source>, pieces: &'a [Token], at: usize, within: Range<usize>) -> Self {
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
            let span = self.at..self.at + c.len_utf8();
            return Some(problems::invisible_character(name).at(self.source, span));
        }
        if c.is_alphabetic() && !c.is_ascii() {
            return Some(problems::foreign_letters(self.word(0)).at(self.source, self.span(0)));
        }
        let plain = straight(c)?;
        if plain != "\"" {
            let span = self.at..self.at + c.len_utf8();
            return Some(problems::printed_sign(c, plain).at(self.source, span));
        }
        let inside = rest[c.len_utf8()..].char_indices();
        let close = inside
            .clone()
            .find(|(_, c)| straight(*c) == Some("\"") || *c == '"');
        let end = close.map_or(c.len_utf8(), |(at, close)| c.len_utf8() + at + close.len_utf8());
        let text = close.map_or("...", |(at, _)| &rest[c.len_utf8()..c.len_utf8() + at]);
        let problem = problems::printed_sign(c, &format!("\"{text}\""));
        Some(problem.at(self.source, self.at..self.at + end))
    }

    /// Whether what stands before a `{` wants a block: `switch x {`, `if x {`.
    fn opens_a_block(&self, brace: isize) -> bool {
        let before = (1..40).map(|back| self.word(brace - back));
        let mut statement = before.take_while(|word| !matches!(*word, ";" | "{" | "}" | ""));
        statement.any(|word| matches!(word, "switch" | "if" | "else" | "while" | "for" | "loop"))
    }

    /// Returns a problem if the text is right in another language.
    fn habit(&self) -> Option<Problem> {
        let word = self.word(0);
        if self.span(0).start < self.at && word.starts_with(|c: char| c.is_ascii_digit()) {
            // Rhai reads a number, and then a name.
            return Some(self.no_number(word));
        }
        let foreign = |step: isize, instead: &str| {
            let problem = problems::foreign(self.word(step)).hint(instead);
            Some(problem.at(self.source, self.span(step)))
        };
        for step in [0, -1] {
            let instead = match self.word(step) {
                "and" | "AND" => "write `&&` between two conditions",
                "or" | "OR" => "write `||` between two conditions",
                "not" | "NOT" => "write `!` before a condition",
                "elif" | "elsif" | "elseif" => "write `else if`",
                "If" | "IF" | "Else" | "ELSE" | "For" | "FOR" | "While" | "WHILE" | "Let" | "LET"
                | "Return" | "RETURN" => "write the word in lower case: `if`, `else`, `for`, `let`",
                "then" => "write `if x { ... }`",
                "var" | "local" | "auto" | "int" if step == -1 || self.word(0) == "var" => {
                    "begin a variable with `let`: `let n = 1;`"
                }
                "foreach" => "write `for unit in units() { ... }`",
                "until" | "unless" if step == -1 => "write `while !x { ... }` or `if !x { ... }`",
                word @ ("match" | "case" | "default" | "new" | "goto")
                    if step == -1 && self.is_operand(0)
                        || word == "default" && self.word(step + 1) == "=" =>
                {
                    sign_hint(word).unwrap_or_default()
                }
                word if step == -1 && FOREIGN_FN.contains(&word) => {
                    "begin a function with `fn`: `fn name(me) { ... }`"
                }
                _ => continue,
            };
            return foreign(step, instead);
        }
        let (step, instead) = match (self.word(-1), self.word(0)) {
            (_, ":") if self.word(-2) == "{" && self.word(-3) != "#" && !self.opens_a_block(-2) => {
                return Some(
                    problems::missing("#")
                        .hint("a map is `#{ key: value }`")
                        .at(self.source, self.span(-2)),
                );
            }
            (_, word) if FOREIGN_FN.contains(&word) && self.word(2) == "(" => {
                return foreign(0, "begin a function with `fn`: `fn name(me) { ... }`");
            }
            ("+", "+") | ("-", "-") => return no_sign(self, -1),
            (_, "+" | "-") if self.word(1) == self.word(0) && self.touches(0) => return no_sign(self, 0),
            (_, "?") if self.word(1) != "." && self.word(1) != "?" && self.word(1) != "[" => (
                0,
                "write `if condition { this } else { that }`, which has a value",
            ),
            (_, "#") if self.word(1) != "{" => (0, "write `//` for a comment, `#{ key: value }` for a map"),
            ("for", "(") | ("(", "let" | "var") if self.word(-1) == "for" || self.word(-2) == "for" => (
                0,
                "write `for unit in units() { ... }` or `for n in 1..=3 { ... }`",
            ),
            _ => return None,
        };
        foreign(step, instead)
    }

    /// Whether a piece is a name, a number or a text.
    fn is_operand(&self, step: isize) -> bool {
        let piece = self.piece(step);
        piece.is_some_and(|p| p.is_word() || p.class == TokenClass::Text)
    }

    /// Whether the piece and the next stand side by side.
    fn touches(&self, step: isize) -> bool {
        self.span(step).end == self.span(step + 1).start
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
                    true => format!("add a `{close}` in line {} or before", line(*before)),
                    false => format!("add a `{close}` before line {}", line(*before)),
                };
                let problem = problems::unclosed(format_args!("`{open}`")).hint(hint);
                problem.at(self.source, span.clone())
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
                    problems::missing(wanted).at(self.source, behind..behind)
                } else {
                    let problem = problems::crossed(closer, opener, at).at(self.source, close.clone());
                    problem.expected(format!("expected `{wanted}`"))
                }
            }
            BracketFault::Extra(span) => {
                let hint = format!("delete it, or add a `{}` before", opening(sign(span)));
                let problem = problems::unexpected(self.source.slice(span.clone())).hint(hint);
                problem.at(self.source, span.clone())
            }
        }
    }

    /// A word that cannot be a name; the others too, where it stands for one.
    fn reserved(&self, word: &str) -> Problem {
        if let Some(problem) = self.refused(word) {
            return problem;
        }
        let instead = sign_hint(word).unwrap_or("choose another name");
        let problem = problems::reserved_word(word).hint(instead).about(word);
        problem.at(self.source, self.span(0))
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
        let problem = super::parse::problems::refused_form(it.what)
            .hint(it.instead)
            .about(word);
        (!is_name).then(|| problem.at(self.source, self.span(0)))
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
        let problem = match kind {
            ParseErrorType::UnexpectedEOF
                if self.word(0).is_empty() && self.word(-1).ends_with(|c| "=+-*/%<>&|!,.".contains(c)) =>
            {
                return self.no_value();
            }
            ParseErrorType::UnexpectedEOF => {
                return problems::early_end().at(self.source, self.behind());
            }
            ParseErrorType::BadInput(error) => return self.bad_input(error),
            ParseErrorType::UnknownOperator(sign) | ParseErrorType::Reserved(sign) => {
                let is_word = sign.chars().all(|c| c.is_alphanumeric() || c == '_');
                match sign_hint(sign) {
                    _ if is_word => return self.reserved(sign),
                    Some(instead) => problems::foreign(sign).hint(instead),
                    None => problems::unexpected(sign),
                }
            }
            ParseErrorType::MissingToken(token, _) => return self.missing(token),
            ParseErrorType::MissingSymbol(_) | ParseErrorType::ExprExpected(_) => return self.no_value(),
            ParseErrorType::MalformedIndexExpr(_) => problems::wrong_index(),
            ParseErrorType::MalformedCapture(_) => problems::unexpected(self.word(0)),
            ParseErrorType::DuplicatedProperty(name)
            | ParseErrorType::DuplicatedVariable(name)
            | ParseErrorType::FnDuplicatedDefinition(name, _)
            | ParseErrorType::FnDuplicatedParam(_, name) => problems::repeated(name),
            ParseErrorType::WrongSwitchDefaultCase => problems::wrong_case("must be the last one"),
            ParseErrorType::WrongSwitchIntegerCase => problems::wrong_case("must be before the ranges"),
            ParseErrorType::WrongSwitchCaseCondition => problems::wrong_case("cannot have a condition"),
            ParseErrorType::PropertyExpected if self.word(-1) == "." => {
                problems::missing_part("a name after `.`").hint("write such as `me.life`")
            }
            ParseErrorType::PropertyExpected => {
                problems::missing_part("a key").hint("write a map as `#{ key: value, \"a key\": value }`")
            }
            ParseErrorType::VariableExpected => {
                problems::missing_part(format_args!("a name after `{}`", self.word(-1)))
                    .hint("a name is a letter, then letters, digits and _")
            }
            ParseErrorType::ForbiddenVariable(name) => {
                problems::reserved_word(name).hint("choose another name")
            }
            ParseErrorType::MismatchedType(wanted, given) => {
                let wanted = match wanted.as_str() {
                    "a boolean expression" => "true or false",
                    "an iterable value" => "a list or set to go through",
                    other => other,
                };
                problems::wrong_type(wanted, plain_type(given))
            }
            ParseErrorType::WrongDocComment => problems::misplaced_comment(),
            ParseErrorType::WrongFnDefinition => super::parse::problems::nested_function(),
            ParseErrorType::FnMissingName => {
                problems::missing_part("a name after `fn`").hint("write `fn name(me) { ... }`")
            }
            ParseErrorType::FnMissingParams(name) => {
                let form = format!("write `fn {name}(me) {{ ... }}`");
                let problem = problems::missing_part(format_args!("the `(` of `{name}`")).hint(&form);
                return problem.at(self.source, self.behind());
            }
            ParseErrorType::FnMissingBody(name) => {
                let form = format!("write `fn {name}(me) {{ ... }}`");
                let problem = problems::missing_part(format_args!("the `{{` of `{name}`")).hint(&form);
                return problem.at(self.source, self.behind());
            }
            ParseErrorType::AssignmentToConstant(name) => {
                let name = if name.is_empty() { self.word(0) } else { name };
                problems::unchangeable(&format!("`{name}`"))
            }
            ParseErrorType::AssignmentToInvalidLHS(_) => problems::unchangeable("this"),
            ParseErrorType::VariableUndefined(name) => {
                unknown_name("variable or dial", name).hint(undefined(name))
            }
            ParseErrorType::ModuleUndefined(_) => {
                problems::foreign("::").hint("a property or method follows a dot: `me.life`")
            }
            ParseErrorType::ExprTooDeep | ParseErrorType::LiteralTooLarge(..) => problems::too_large("this"),
            ParseErrorType::TooManyFunctions => problems::too_large("this file"),
            ParseErrorType::LoopBreak => {
                problems::unexpected(self.word(0)).hint("to leave a function, write `return`")
            }
            other => problems::unreadable(other.to_string()),
        };
        problem.at(self.source, self.span(0))
    }

    fn bad_input(&self, error: &LexError) -> Problem {
        let mut span = self.span(0);
        let problem = match error {
            LexError::UnterminatedString => problems::unclosed("text")
                .hint("close it on the same line, or write a text of several lines in backticks"),
            LexError::MalformedChar(_) => {
                problems::single_quotes(self.source.slice(span.clone()).trim_matches('\''))
            }
            LexError::MalformedEscapeSequence(escape) => problems::wrong_escape(escape),
            LexError::MalformedNumber(text) | LexError::MalformedIdentifier(text) => {
                let word = self.word(0);
                return self.no_number(if word.is_empty() { text } else { word });
            }
            LexError::StringTooLong(_) => problems::too_large("this text"),
            LexError::ImproperSymbol(sign, _) => {
                if let Some(problem) = self.refused(sign) {
                    return problem;
                }
                let end = if sign.is_empty() {
                    span.end
                } else {
                    (span.start + sign.len()).max(span.end)
                };
                span = span.start..end;
                const ALONE: &str = "scripts only see the table: no files, no clock, no other code";
                match sign_hint(sign) {
                    Some(instead) => problems::foreign(sign).hint(instead),
                    None if sign.starts_with(char::is_alphabetic) => problems::foreign(sign).hint(ALONE),
                    None => problems::unexpected(sign),
                }
            }
            LexError::UnexpectedInput(_) => return self.no_value(),
            other => problems::unreadable(other.to_string()),
        };
        problem.at(self.source, span)
    }

    /// A word that begins as a number does.
    fn no_number(&self, word: &str) -> Problem {
        let problem = problems::neither_number_nor_name(word).at(self.source, self.span(0));
        problem.hint("begin a name with a letter; write a number with digits")
    }

    /// Returns the problem of something else in the place of a value.
    fn no_value(&self) -> Problem {
        let word = self.word(0);
        let problem = match word {
            "" => return problems::early_end().at(self.source, self.behind()),
            "else" => problems::unexpected(word).hint("write `if x { ... } else { ... }`"),
            "=" => {
                problems::unexpected(word).hint("write `==` to compare; `name = value;` changes a variable")
            }
            _ => match sign_hint(word) {
                Some(hint) => problems::unexpected(word).hint(hint),
                None => problems::unexpected(word).expected("expected a value"),
            },
        };
        problem.at(self.source, self.span(0))
    }

    fn missing(&self, token: &str) -> Problem {
        let word = self.word(0);
        let here = || problems::missing(token).at(self.source, self.behind());
        let two_words = self.same_line() && self.is_operand(-1) && self.is_operand(0);
        match token {
            ";" if two_words && !matches!(word, "let" | "if" | "for" | "while" | "return") => {
                let span = self.span(-1).start..self.span(0).end;
                problems::missing_between(self.word(-1), word).at(self.source, span)
            }
            ";" if matches!(word, "}" | ")" | "]") => {
                problems::unexpected(word).at(self.source, self.span(0))
            }
            "," | ")" | "]" | "}" if word == "=" => {
                let problem = problems::unexpected(word).at(self.source, self.span(0));
                problem.hint("write `==` to compare, or `:` after a key of a map")
            }
            "{" => here().hint("put a block into braces: `{ ... }`"),
            ":" => here().hint("a map is `#{ key: value }`"),
            "=>" => here().hint("a case of a `switch` is `value => result,`"),
            "in" => here().hint("write `for unit in units() { ... }`"),
            _ => here(),
        }
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
    let sign = spot.source.slice(span.clone());
    let instead = sign_hint(sign).unwrap_or("write `n += 1`");
    Some(problems::foreign(sign).hint(instead).at(spot.source, span))
}

/// Returns the hint for a word or sign of another language.
fn sign_hint(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "++" => "write `n += 1`",
        "--" => "write `n -= 1`, or begin a comment with `//`",
        "print" | "debug" => "write `print(\"hello\")`",
        "?" => "write `if condition { this } else { that }`, which has a value",
        "===" => "write `==`",
        "!==" | "<>" | "=!" | "~=" => "write `!=`",
        ":=" => "write `=`",
        "=<" => "write `<=`",
        "=" => "write `==` to compare, `=` to change",
        "=>" | "->" => "an arrow is only in a `switch`: `value => result,`",
        "<-" => "write `=` to change, `<` to compare",
        "match" => "write `switch`, or choose another name",
        "case" => "write a case of a `switch` as `value => result,`",
        "default" => "write the last case of a `switch` as `_ => result`, or choose another name",
        "var" => "begin a variable with `let`",
        "Fn" => "write `fn` in lower case",
        "null" | "nil" => NOBODY,
        "new" => "a map is `#{ key: value }`, a unit comes with `enlist`; else choose another name",
        "goto" | "exit" => "to leave a function, write `return`",
        "eval" => POINTER.instead,
        "#" => "write `//` for a comment, `#{ key: value }` for a map",
        "# {" => "write `#{` without a blank",
        "(*" | "*)" => "begin a comment with `//`",
        "::<" | ":;" => "a property or method follows a dot: `me.life`",
        _ => return None,
    })
}

/// Returns the hint for a name that nothing has; another language may have the word.
pub fn undefined(name: &str) -> String {
    let hint = match name {
        "None" | "none" | "nil" | "null" | "NULL" | "Nil" | "undefined" | "void" => NOBODY,
        "True" | "TRUE" => "write `true`",
        "False" | "FALSE" => "write `false`",
        "self" => "use the first parameter of the function, such as `me`",
        "and" | "or" | "not" => "write `&&`, `||` or `!`",
        _ if name.starts_with(char::is_uppercase) => {
            return format!("put a text into quotes: `\"{name}\"`");
        }
        _ => "define a variable with `let`, or a dial in `dials()`",
    };
    hint.to_owned()
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
    use crate::engine;

    /// The problem in brief, its underlined text and its line.
    fn read(text: &str) -> (String, String, usize) {
        let source = Source::new("test", text);
        let error = engine::new().compile(text).expect_err("it cannot be read");
        let problem = problem(&source, &error);
        let place = problem.place.clone().expect("it is somewhere");
        let line = place.line_col().0;
        (problem.brief(), source.slice(place.span).to_owned(), line)
    }

    fn at(brief: &str, under: &str, line: usize) -> (String, String, usize) {
        (brief.to_owned(), under.to_owned(), line)
    }

    #[test]
    fn what_is_missing_is_told_where_it_is_missing() {
        assert_eq!(read("fn a() {\n    let x = 1\n    x\n}"), at("missing(;)", "", 2));
        assert_eq!(
            read("fn a(b) {\n    if b\n        c();\n    }\n}"),
            at("missing({)", "", 2)
        );
        assert_eq!(
            read("fn a(b) {\n    if b {\n        c();\n}\n"),
            at("unclosed(`{`)", "{", 2)
        );
        assert_eq!(read("fn a(b) {\n    c(b, 1;\n}\n"), at("missing())", "", 2));
        assert_eq!(read("fn a(b) {\n    c(b 1);\n}\n"), at("missing(,)", "", 2));
        assert_eq!(read("fn a() {\n}\n}\n"), at("unexpected(})", "}", 3));
        assert_eq!(read("fn a() { let x = ; }"), at("unexpected(;)", ";", 1));
        assert_eq!(read("fn a() { c(\"b); }\n"), at("unclosed(text)", "\"b); }", 1));
    }

    #[test]
    fn what_looks_like_a_comment_in_a_text_is_none() {
        for text in ["`a ${`/*`} b`", "#\"one \" /* quote\"#"] {
            let (brief, ..) = read(&format!("fn a() {{ let s = {text}; let x = ; }}"));
            assert_ne!(brief, "unclosed(comment)", "{text}");
        }
        let (brief, under, _) = read("fn a() { let s = 'b'; /* c");
        assert_eq!((&*brief, &*under), ("unclosed(comment)", "/*"));
    }

    #[test]
    fn no_reserved_word_is_a_name() {
        assert!(lexer::KEYWORDS.is_sorted() && lexer::reserved().is_sorted());
        for word in lexer::reserved() {
            let (brief, under, _) = read(&format!("fn a() {{ let {word} = 1; }}"));
            assert_eq!(under, word);
            // Other words of other languages have a sentence of their own.
            let reserved = brief == format!("reserved-word({word})");
            assert!(reserved || ["eval", "var"].contains(&word), "{brief}");
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
            ("fn a(b) { b++; }", "++"),
            ("fn a(b) { hit(b, 'volley'); }", "'volley'"),
            ("fn a(b) { match b { 1 => 2 } }", "match"),
            ("fn a(b) { let c = new unit(b); }", "new"),
            ("fn a(b) { switch b { 1 => 2, default => 3 } }", "default"),
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
        ] {
            let (brief, found, _) = read(text);
            assert_eq!(found, under, "{text}: {brief}");
        }
    }
}
