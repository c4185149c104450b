//! A script that Rhai cannot read, taken apart: Rhai stops at the first error, but functions stand
//! only at the top level of a script, so each can be read by itself and say what is wrong with it.
//!
//! Knows the text alone, and of the language what the lexer says, which takes each part for what it most
//! likely was meant to be.

use super::lexer::{FOREIGN_FN, Token, TokenClass, closing, is_reserved, likely_tokens, tokens};
use std::ops::Range;

/// One function of a text, with what stands between it and the next; or what stands before the
/// first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Its bytes.
    pub span: Range<usize>,
    /// The function's head, if it can be told.
    pub head: Option<FunctionHead>,
    /// Its pieces without comments.
    pub pieces: Vec<Token>,
}

/// The head of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionHead {
    /// The bytes of its name.
    pub name: Range<usize>,
    /// Start of its body: the byte after the parameters.
    pub body: usize,
}

/// Takes a text apart into its functions.
pub fn chunks(text: &str) -> Vec<Chunk> {
    let mut all = likely_tokens(text);
    all.retain(|p| p.class != TokenClass::Comment);
    let word = |index: usize| all.get(index).map_or("", |p| &text[p.span()]);
    let begins = |index: usize| {
        let opens_line = || text[..all[index].from].ends_with('\n') || all[index].from == 0;
        // What ends a sentence above is no dot before a method.
        let behind_dot = text[..all[index].from].ends_with('.');
        (word(index) == "fn" && !behind_dot)
            || (FOREIGN_FN.contains(&word(index)) && opens_line() && word(index + 2) == "(")
    };
    let mut starts: Vec<usize> = (0..all.len())
        .filter(|i| begins(*i))
        .map(|i| {
            if i > 0 && word(i - 1) == "private" {
                i - 1
            } else {
                i
            }
        })
        .collect();
    if starts.first() != Some(&0) && !all.is_empty() {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([all.len()]);
    let ranges: Vec<Range<usize>> = starts.iter().copied().zip(ends).map(|(a, b)| a..b).collect();
    ranges
        .into_iter()
        .map(|range| {
            let end = all.get(range.end).map_or(text.len(), |p| p.from);
            let pieces = all[range].to_vec();
            Chunk {
                span: pieces[0].from..end,
                head: head(text, &pieces),
                pieces,
            }
        })
        .collect()
}

fn head(text: &str, pieces: &[Token]) -> Option<FunctionHead> {
    let word = |index: usize| pieces.get(index).map_or("", |p| &text[p.span()]);
    let is_name = |index: usize| pieces.get(index).is_some_and(Token::is_word);
    let mut at = usize::from(word(0) == "private");
    if word(at) != "fn" {
        return None;
    }
    at += 1;
    if word(at + 1) == "." {
        at += 2;
    }
    if !is_name(at) || word(at + 1) != "(" {
        return None;
    }
    let close = (at + 2..pieces.len()).find(|i| !is_name(*i) && word(*i) != ",")?;
    (word(close) == ")").then(|| FunctionHead {
        name: pieces[at].span(),
        body: pieces[close].to,
    })
}

fn comments(text: &str) -> Vec<Token> {
    let mut comments = likely_tokens(text);
    comments.retain(|token| token.class == TokenClass::Comment);
    comments
}

/// The text of this span with blanks in place of the comments in it, byte for byte.
pub fn alone(text: &str, span: &Range<usize>) -> String {
    let text = &text[span.clone()];
    let mut left = String::with_capacity(text.len());
    let mut comments = comments(text).into_iter().peekable();
    for (at, c) in text.char_indices() {
        comments.next_if(|comment| comment.to <= at);
        match comments
            .peek()
            .is_some_and(|comment| comment.span().contains(&at))
            && c != '\n'
        {
            true => left.extend(std::iter::repeat_n(' ', c.len_utf8())),
            false => left.push(c),
        }
    }
    left
}

/// A chunk whose head can be read without its body: parameters that are reserved words begin with a capital
/// letter in the text, and a function of such a name is known by no head.
pub fn readable_head(text: &mut String, chunk: &Chunk) -> Chunk {
    let mut chunk = chunk.clone();
    let Some(head) = &chunk.head else { return chunk };
    let reserved = |text: &str, span: &Range<usize>| is_reserved(&text[span.clone()]);
    if reserved(text, &head.name) {
        chunk.head = None;
        return chunk;
    }
    let params = chunk.pieces.iter().map(Token::span);
    for span in params.filter(|s| (head.name.end..head.body).contains(&s.start)) {
        if reserved(text, &span) {
            let capital = text[span.start..=span.start].to_ascii_uppercase();
            text.replace_range(span.start..=span.start, &capital);
        }
    }
    chunk
}

/// The text with some functions' bodies taken out, or the whole chunk where its head cannot be
/// told; comments are blank, and what is left stands on the line and column where it stood.
pub fn without(text: &str, broken: &[&Chunk]) -> String {
    let mut comments = comments(text).into_iter().peekable();
    let mut left = String::with_capacity(text.len());
    let mut braces = "".chars();
    let mut chunk = 0;
    for (at, c) in text.char_indices() {
        comments.next_if(|comment| comment.to <= at);
        while broken.get(chunk).is_some_and(|b| b.span.end <= at) {
            left.extend(braces.by_ref());
            chunk += 1;
        }
        let blank = comments
            .peek()
            .is_some_and(|comment| comment.span().contains(&at))
            || match broken.get(chunk) {
                Some(Chunk {
                    span,
                    head: Some(head),
                    ..
                }) => {
                    if at == head.body {
                        braces = "{}".chars();
                    }
                    span.contains(&at) && at >= head.body
                }
                Some(Chunk { span, head: None, .. }) => span.contains(&at),
                None => false,
            };
        left.push(match (c, blank) {
            ('\n', _) | (_, false) => c,
            _ => braces.next().unwrap_or(' '),
        });
    }
    if let Some(Chunk { head: Some(head), .. }) = broken.last()
        && head.body == text.len()
    {
        braces = "{}".chars();
    }
    left.extend(braces);
    left
}

/// The comment in `/* */` that is never closed, however the texts before it are taken: what looks like one within a
/// text is none.
pub fn open_comment(text: &str) -> Option<Range<usize>> {
    let is_open = |last: &Token| last.class == TokenClass::Comment && last.open;
    let last = likely_tokens(text).pop().filter(is_open)?;
    tokens(text).last().is_some_and(is_open).then(|| last.span())
}

/// Whether a function stands further right than the one before it begins, as one does that was
/// written inside the other.
pub fn is_inside(text: &str, before: &Chunk, chunk: &Chunk) -> bool {
    let (from, to) = (before.span.start, chunk.span.start);
    let column = |at: usize| at - text[..at].rfind('\n').map_or(0, |n| n + 1);
    from < to && !text[from..to].contains('\n') || column(to) > column(from)
}

/// Faults in the brackets of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BracketFault {
    /// One is never closed; the byte before which its partner belongs at the latest.
    Open(Range<usize>, usize),
    /// One closes what another kind opened: the one that opened, the one that closes.
    Crossed(Range<usize>, Range<usize>),
    /// One closes nothing.
    Extra(Range<usize>),
}

impl BracketFault {
    /// Returns the start of the fault.
    pub fn start(&self) -> usize {
        match self {
            BracketFault::Open(span, _) | BracketFault::Crossed(span, _) | BracketFault::Extra(span) => {
                span.start
            }
        }
    }
}

/// The first fault of a chunk's brackets. Which brace of several is the one that was forgotten is
/// told by how lines are indented.
pub fn bracket_fault(text: &str, chunk: &Chunk) -> Option<BracketFault> {
    let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |n| n + 1);
    let indent = |at: usize| {
        let line = &text[line_start(at)..];
        line.len() - line.trim_start_matches([' ', '\t']).len()
    };
    let opens_line = |at: usize| text[line_start(at)..at].trim().is_empty();
    let mut open: Vec<Range<usize>> = Vec::new();
    // A brace whose partner stands further left than its own line begins.
    let mut askew: Option<Range<usize>> = None;
    let sign = |span: &Range<usize>| text[span.start..].chars().next().unwrap_or(' ');
    for piece in &chunk.pieces {
        let span = piece.span();
        match piece.class {
            TokenClass::Open => open.push(span),
            TokenClass::Close => {
                let fits = |opener: &Range<usize>| closing(sign(opener)) == sign(&span);
                if !open.iter().any(fits) {
                    return Some(BracketFault::Extra(span));
                }
                let Some(opener) = open.pop() else { continue };
                if !fits(&opener) {
                    return Some(BracketFault::Crossed(opener, span));
                }
                let at = span.start;
                if sign(&span) == '}'
                    && askew.is_none()
                    && opens_line(at)
                    && indent(at) < indent(opener.start)
                {
                    askew = Some(opener);
                }
            }
            _ => {}
        }
    }
    let opener = askew.filter(|_| !open.is_empty()).or_else(|| open.pop())?;
    let own = indent(opener.start);
    let before = chunk
        .pieces
        .iter()
        .map(|p| p.from)
        .find(|&at| at > opener.start && opens_line(at) && indent(at) <= own)
        .unwrap_or_else(|| chunk.pieces.last().map_or(chunk.span.end, |p| p.to));
    Some(BracketFault::Open(opener, before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fault(text: &str) -> Option<(String, String)> {
        let chunk = chunks(text).remove(0);
        let line = |at: usize| text[..at].matches('\n').count() + 1;
        bracket_fault(text, &chunk).map(|fault| match fault {
            BracketFault::Open(span, before) => {
                (format!("open {}", line(span.start)), format!("{}", line(before)))
            }
            BracketFault::Crossed(a, b) => (format!("crossed {}", &text[a]), text[b].to_owned()),
            BracketFault::Extra(span) => ("extra".to_owned(), format!("{}", line(span.start))),
        })
    }

    fn told(what: &str, line: &str) -> Option<(String, String)> {
        Some((what.to_owned(), line.to_owned()))
    }

    #[test]
    fn a_text_falls_into_its_functions() {
        let text = "// a\nlet x = 1;\nfn a(b) { \"fn c\" }\n/* fn d */ fn e.f() {}\nprivate fn g(";
        let heads: Vec<Option<&str>> = chunks(text)
            .iter()
            .map(|c| c.head.as_ref().map(|h| &text[h.name.clone()]))
            .collect();
        assert_eq!(heads, [None, Some("a"), Some("f"), None]);
        assert!(chunks("").is_empty() && chunks("// only\n").is_empty());
    }

    #[test]
    fn what_is_left_stands_where_it_stood() {
        let text = "fn a() { é( }\nfn b(x)\n{ // no\n 1 + }\nfn c() { 2 }\n";
        let all = chunks(text);
        assert_eq!(alone(text, &all[1].span), "fn b(x)\n{      \n 1 + }\n");
        assert_eq!(
            without(text, &[&all[0], &all[1]]),
            "fn a(){}     \nfn b(x)\n{}     \n      \nfn c() { 2 }\n"
        );
        assert_eq!(without("fn a()", &[&chunks("fn a()")[0]]), "fn a(){}");
        assert_eq!(without("fn a\n", &[&chunks("fn a\n")[0]]), "    \n");
    }

    #[test]
    fn the_bracket_that_was_forgotten_is_told_by_the_lines() {
        assert_eq!(
            fault("fn a() {\n    if b {\n        c();\n}\n"),
            told("open 2", "4")
        );
        assert_eq!(
            fault("fn a() {\n    if b {\n        c();\n    }\n"),
            told("open 1", "4")
        );
        assert_eq!(fault("fn a() {\n    c(1;\n}\n"), told("crossed (", "}"));
        assert_eq!(fault("fn a() {\n    c();\n}\n}\n"), told("extra", "4"));
        assert_eq!(fault("fn a() {\n    c(1));\n}\n"), told("extra", "2"));
        assert_eq!(fault("fn a() {\n    c([1, 2);\n}\n"), told("crossed [", ")"));
    }

    #[test]
    fn brackets_that_fit_are_no_fault() {
        assert_eq!(fault("fn a() {\n  #{ b: [1, (2)], c: \"{\" } // {\n}\n"), None);
        assert_eq!(fault("fn a() { if b {\n c() } }"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_taken_apart_and_keeps_its_lines(text in "(fn |[a(){}\\[\\]\"'`/*.,é \n\r])*") {
            let all = chunks(&text);
            let broken: Vec<&Chunk> = all.iter().collect();
            let left = without(&text, &broken);
            prop_assert_eq!(left.matches('\n').count(), text.matches('\n').count());
            for chunk in &all {
                bracket_fault(&text, chunk);
                prop_assert_eq!(alone(&text, &chunk.span).len(), chunk.span.len());
            }
        }
    }
}
