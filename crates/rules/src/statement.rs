//! The text of a statement as a trace shows it: its head, the range of its whole text, and the names in its head.

use crate::lexer::{self, TokenClass};
use crate::parse::TextPosition;
use crate::report::Source;
use std::ops::Range;

/// A name in the head of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameInStatement {
    /// The name.
    pub name: String,
    /// Whether it stands behind a dot or before a bracket: a property or a function, no variable.
    pub is_member: bool,
    /// Whether the statement declares it as a variable.
    pub is_declared: bool,
}

/// A statement of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementCode {
    /// Its line, from 1.
    pub line: usize,
    /// The whole statement with its blocks, in bytes of the text.
    pub span: Range<usize>,
    /// The statement in one line, without the blocks of `if`, `for` and the like.
    pub head: String,
    /// The names in the head.
    pub names: Vec<NameInStatement>,
    /// The keyword with which it begins, if it has a block.
    pub keyword: Option<&'static str>,
}

/// The keywords of statements with a block.
const WITH_BLOCK: [&str; 6] = ["if", "for", "while", "loop", "switch", "do"];
/// The keywords that continue a statement behind one of its blocks.
const CONTINUES: [&str; 3] = ["else", "while", "until"];

impl StatementCode {
    /// The statement that begins at a position.
    pub fn at(source: &Source, at: TextPosition) -> Self {
        let start = source.span_at(at.0, at.1).start;
        let text = &source.text[start..];
        let mut tokens = lexer::tokens(text);
        tokens.retain(|token| !matches!(token.class, TokenClass::Blank | TokenClass::Comment));
        let word = |nth: usize| tokens.get(nth).map_or("", |token| &text[token.span()]);
        let keyword = WITH_BLOCK.into_iter().find(|keyword| *keyword == word(0));
        let (mut depth, mut nth, mut head) = (0_usize, 0, None);
        let end = loop {
            let Some(token) = tokens.get(nth) else {
                break text.len();
            };
            match token.class {
                TokenClass::Open => {
                    if depth == 0
                        && keyword.is_some()
                        && word(nth) == "{"
                        && (nth == 0 || word(nth - 1) != "#")
                    {
                        head.get_or_insert(nth);
                    }
                    depth += 1;
                }
                TokenClass::Close if depth == 0 => break token.from,
                TokenClass::Close => {
                    depth -= 1;
                    let ends = depth == 0 && word(nth) == "}" && head.is_some();
                    if ends && !CONTINUES.contains(&word(nth + 1)) {
                        break token.to;
                    }
                }
                TokenClass::Sign if depth == 0 && matches!(word(nth), ";" | ",") => break token.from,
                _ => {}
            }
            nth += 1;
        };
        let count = head.unwrap_or(nth);
        let head = tokens.get(count).map_or(end, |token| token.from.min(end));
        let is_word = |nth: &usize| tokens[*nth].class == TokenClass::Word;
        let names = (usize::from(keyword.is_some())..count)
            .filter(is_word)
            .map(|nth| NameInStatement {
                name: word(nth).to_owned(),
                is_member: nth > 0 && word(nth - 1) == "." || word(nth + 1) == "(",
                is_declared: nth > 0 && matches!(word(nth - 1), "let" | "const")
                    || keyword == Some("for") && !(0..=nth).any(|before| word(before) == "in"),
            });
        Self {
            line: at.0,
            span: start..start + end,
            head: text[..head].split_whitespace().collect::<Vec<_>>().join(" "),
            names: names.collect(),
            keyword,
        }
    }

    /// Whether a statement is part of this one.
    pub fn holds(&self, other: &Self) -> bool {
        other.span.start > self.span.start && other.span.end <= self.span.end
    }

    /// Whether its block may run several times.
    pub fn is_loop(&self) -> bool {
        matches!(self.keyword, Some("for" | "while" | "loop" | "do"))
    }

    /// Whether a name stands in its head.
    pub fn mentions(&self, name: &str) -> bool {
        self.names.iter().any(|known| known.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> (String, String) {
        let source = Source::new("x.rhai", text);
        let start = text.len() - text.trim_start().len();
        let code = StatementCode::at(&source, (1, start + 1));
        (code.head, source.slice(code.span).to_owned())
    }

    #[test]
    fn a_statement_ends_where_the_next_one_begins() {
        for (text, whole) in [
            ("  let a = f(b); g(a);", "let a = f(b)"),
            ("a + b }", "a + b "),
            ("say(\"a; b\"); c", "say(\"a; b\")"),
            (
                "foes.filter(|u| { u.life > 1 });",
                "foes.filter(|u| { u.life > 1 })",
            ),
            ("", ""),
            ("}", ""),
            ("\"never closed", "\"never closed"),
        ] {
            assert_eq!(code(text).1, whole);
        }
        assert_eq!(code("let m = #{\n  a: 1 };").0, "let m = #{ a: 1 }");
    }

    #[test]
    fn the_head_of_a_statement_with_blocks_is_without_them() {
        let both = |head: &str, whole: &str| (head.to_owned(), whole.to_owned());
        assert_eq!(
            code("if a > #{ b: 1 }.b { c(); } else { d } e"),
            both("if a > #{ b: 1 }.b", "if a > #{ b: 1 }.b { c(); } else { d }")
        );
        assert_eq!(
            code("if f(|x| { x }) { c(); }"),
            both("if f(|x| { x })", "if f(|x| { x }) { c(); }")
        );
        assert_eq!(code("do { a(); } while b; c"), both("do", "do { a(); } while b"));
        assert_eq!(code("iffy { c(); }").0, "iffy { c(); }");
    }

    #[test]
    fn names_are_variables_unless_they_are_members() {
        let source = Source::new("x.rhai", "for (foe, nth) in near(me).foes { foe.life }");
        let code = StatementCode::at(&source, (1, 1));
        let names = |which: fn(&NameInStatement) -> bool| -> Vec<&str> {
            let all = code.names.iter().filter(|name| which(name));
            all.map(|name| name.name.as_str()).collect()
        };
        assert_eq!(names(|n| n.is_member), ["near", "foes"]);
        assert_eq!(names(|n| n.is_declared), ["foe", "nth"]);
        assert!(code.is_loop() && code.mentions("me") && !code.mentions("life"));
    }
}
