//! The language of the rules as it is written: words, texts, comments and brackets, whole or not.
//!
//! It goes far enough to tell a bracket from one inside a text, for whoever looks at what is half typed, at one line or
//! at what Rhai's parser cannot read; what a text means that parser says.

use std::ops::Range;

/// The words that say something in a script, sorted.
pub const KEYWORDS: [&str; 21] = [
    "break", "catch", "const", "continue", "do", "else", "false", "fn", "for", "if", "in", "let", "loop",
    "private", "return", "switch", "throw", "true", "try", "until", "while",
];

/// Words that say nothing in a script and that Rhai keeps for itself all the same, sorted.
const TAKEN: &str =
    "as call curry debug eval export import is_def_fn is_def_var is_shared nil null print this type_of var";

/// Words that Rhai keeps for itself and that are names in a script like any other, sorted.
const FREED: &str = "async await case default go goto is match module new package protected public shared spawn static \
    super sync thread use void with yield";

/// Maximum depth of texts in the code of one another.
const MAX_DEPTH: usize = 64;

/// Words of other languages with which a function begins there.
pub const FOREIGN_FN: [&str; 5] = ["function", "def", "func", "sub", "fun"];

/// Whether no function, parameter, variable or key of a map can be called so.
pub fn is_reserved(word: &str) -> bool {
    KEYWORDS.contains(&word) || TAKEN.split(' ').any(|taken| taken == word)
}

/// Whether Rhai keeps a word for itself that is a name in a script.
pub fn is_freed(word: &str) -> bool {
    FREED.split(' ').any(|freed| freed == word)
}

/// The words that are no names, sorted.
pub fn reserved() -> Vec<&'static str> {
    let mut words: Vec<_> = KEYWORDS.into_iter().chain(TAKEN.split(' ')).collect();
    words.sort_unstable();
    words
}

/// Kind of a part of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenClass {
    /// Blanks and line ends.
    Blank,
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A text with its quotes.
    Text,
    /// A comment.
    Comment,
    /// A bracket that opens.
    Open,
    /// A bracket that closes.
    Close,
    /// Anything else, one character.
    Sign,
}

/// A part of a line, by its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Start of the token.
    pub from: usize,
    /// End of the token.
    pub to: usize,
    /// Kind of the token.
    pub class: TokenClass,
    /// It is a text or comment that lacks its end.
    pub open: bool,
}

impl Token {
    /// Its bytes.
    pub fn span(&self) -> Range<usize> {
        self.from..self.to
    }

    /// Whether it is a name, a keyword or a number.
    pub fn is_word(&self) -> bool {
        matches!(self.class, TokenClass::Word | TokenClass::Number)
    }
}

/// Modes of reading a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LexMode {
    /// As it is written, by somebody who may write on.
    Written,
    /// As it was most likely meant, by somebody who is done: single quotes hold a text, and what lacks its end ends with
    /// its line. Code in a text may be what lacks it, so that it is not looked at.
    Meant,
}

/// The parts of a text, in order and without gaps.
pub fn tokens(text: &str) -> Vec<Token> {
    read(text, LexMode::Written)
}

/// The parts of a text that cannot be read, as they were most likely meant, in order and without the blanks.
pub fn likely_tokens(text: &str) -> Vec<Token> {
    let mut tokens = read(text, LexMode::Meant);
    tokens.retain(|token| token.class != TokenClass::Blank);
    tokens
}

fn read(text: &str, reading: LexMode) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(token) = token(text, at, reading, 0) {
        at = token.to;
        tokens.push(token);
    }
    tokens
}

/// The part of a text that begins at a byte, which stands in so many texts around it; `None` at its end.
fn token(text: &str, from: usize, reading: LexMode, depth: usize) -> Option<Token> {
    let rest = &text[from..];
    let c = rest.chars().next()?;
    let belongs = |c: char| c.is_alphanumeric() || c == '_';
    let ended = |class, end: Option<usize>, otherwise: fn(&str) -> usize| {
        (end.unwrap_or_else(|| otherwise(rest)), class, end.is_none())
    };
    let (length, class, open) = if c.is_whitespace() {
        (run(rest, char::is_whitespace), TokenClass::Blank, false)
    } else if rest.starts_with("//") {
        (run(rest, |c| c != '\n'), TokenClass::Comment, false)
    } else if rest.starts_with("/*") {
        ended(TokenClass::Comment, block_comment(rest), str::len)
    } else if c == '"' {
        ended(TokenClass::Text, quoted(rest, c), line_end)
    } else if let Some(length) = raw(rest) {
        (length, TokenClass::Text, false)
    } else if c == '`' {
        match reading {
            LexMode::Written => ended(TokenClass::Text, backticked(rest, depth), str::len),
            LexMode::Meant => ended(TokenClass::Text, rest[1..].find(c).map(|at| at + 2), line_end),
        }
    } else if let Some(length) = single_quoted(rest, reading) {
        (length, TokenClass::Text, false)
    } else if c.is_ascii_digit() {
        (run(rest, belongs), TokenClass::Number, false)
    } else if belongs(c) {
        (run(rest, belongs), TokenClass::Word, false)
    } else {
        let class = match c {
            '(' | '[' | '{' => TokenClass::Open,
            ')' | ']' | '}' => TokenClass::Close,
            _ => TokenClass::Sign,
        };
        (c.len_utf8(), class, false)
    };
    Some(Token {
        from,
        to: from + length,
        class,
        open,
    })
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c: char| !belongs(c)).unwrap_or(text.len())
}

fn line_end(text: &str) -> usize {
    run(text, |c| !matches!(c, '\n' | '\r'))
}

/// Up to and with the quote that ends the text; `None` when it does not end in its line.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            // A backslash at a line's end joins the next line.
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' | '\r' => return None,
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Maximum number of `#` that delimit a text; a longer run is not counted again from each of its signs.
const MAX_SIGNS: usize = 255;

/// A text between as many `#` on both sides, in which nothing stands for anything else: `#"a "quoted" word"#`.
fn raw(text: &str) -> Option<usize> {
    let signs = text
        .bytes()
        .take(MAX_SIGNS + 1)
        .take_while(|c| *c == b'#')
        .count();
    let inside = text
        .get(signs..)?
        .strip_prefix('"')
        .filter(|_| (1..=MAX_SIGNS).contains(&signs))?;
    let end = format!("\"{}", &text[..signs]);
    let length = inside.find(&end)?;
    Some(signs + 1 + length + end.len())
}

/// Up to and with the backtick that ends the text, none of those in the code in it; `None` when it does not end, or
/// stands in more texts than anybody writes.
fn backticked(text: &str, depth: usize) -> Option<usize> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut at = 1;
    loop {
        let rest = &text[at..];
        if rest.starts_with("${") {
            at = code_end(text, at + 1, depth + 1)?;
            continue;
        }
        match rest.chars().next()? {
            '`' => return Some(at + 1),
            c => at += c.len_utf8(),
        }
    }
}

/// Behind the bracket that closes the one at a byte.
fn code_end(text: &str, from: usize, depth: usize) -> Option<usize> {
    let (mut at, mut open) = (from, 0usize);
    while let Some(token) = token(text, at, LexMode::Written, depth) {
        match token.class {
            TokenClass::Open => open += 1,
            TokenClass::Close => open -= 1,
            _ => {}
        }
        at = token.to;
        if open == 0 {
            return Some(at);
        }
    }
    None
}

/// A single character in quotes, or what was meant to be a text. An apostrophe of a sentence is none.
fn single_quoted(text: &str, reading: LexMode) -> Option<usize> {
    let mut chars = text.char_indices();
    if chars.next()?.1 != '\'' {
        return None;
    }
    if reading == LexMode::Meant {
        return quoted(text, '\'');
    }
    let (_, c) = chars.next()?;
    if c == '\\' {
        chars.next()?;
    }
    let (at, quote) = chars.next()?;
    (quote == '\'' && c != '\n' && c != '\'').then_some(at + 1)
}

/// Up to and with the end of a comment that may hold others; `None` when it does not end.
fn block_comment(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += 1;
        }
    }
    None
}

/// Open brackets and texts at the end of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenBrackets {
    /// The brackets that are open, with their places, outermost first.
    pub brackets: Vec<(char, usize)>,
    /// A text or comment is open that can go on in the next line.
    pub inside: bool,
    /// A bracket closes that none has opened, or another one.
    pub crossed: bool,
}

/// Returns the brackets and texts that are open at the end of these tokens.
pub fn shape(text: &str, tokens: &[Token]) -> OpenBrackets {
    let mut shape = OpenBrackets::default();
    for token in tokens {
        let c = text[token.from..].chars().next().unwrap_or(' ');
        match token.class {
            TokenClass::Open => shape.brackets.push((c, token.from)),
            TokenClass::Close => {
                let opened = shape.brackets.pop().map(|(c, _)| closing(c));
                shape.crossed |= opened != Some(c);
            }
            _ => shape.inside |= token.open && c != '"',
        }
    }
    shape
}

const BRACKETS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];

/// The bracket that closes what this one opens.
pub fn closing(open: char) -> char {
    let pair = BRACKETS.iter().find(|pair| pair.0 == open);
    pair.map_or('}', |pair| pair.1)
}

/// The bracket that opens what this one closes.
pub fn opening(close: char) -> char {
    let pair = BRACKETS.iter().find(|pair| pair.1 == close);
    pair.map_or('{', |pair| pair.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_cover_the_text_without_gaps() {
        for text in [
            "",
            "unit(\"red.a1\").life + 0x1f..=12 // end",
            "let s = `a ${b}\nc`; /* x /* y */ z */ 'c' it's",
            "`${`${x}` + #{ a: \"}\" }.a}` + `${",
            "\"open\nnext",
            "éß ∆ \u{0} \\ \"\\",
            "/* /* */",
            "'",
            "'\\",
        ] {
            for reading in [LexMode::Written, LexMode::Meant] {
                let mut at = 0;
                for token in read(text, reading) {
                    assert_eq!(token.from, at, "{text}");
                    assert!(token.to > at, "{text}");
                    at = token.to;
                }
                assert_eq!(at, text.len());
            }
        }
    }

    #[test]
    fn what_cannot_be_read_is_taken_as_it_was_meant() {
        let classes = |text: &str| {
            likely_tokens(text)
                .iter()
                .map(|t| (t.class, t.open))
                .collect::<Vec<_>>()
        };
        assert_eq!(classes("'two words'"), [(TokenClass::Text, false)]);
        assert_eq!(
            classes("it's"),
            [
                (TokenClass::Word, false),
                (TokenClass::Sign, false),
                (TokenClass::Word, false)
            ]
        );
        assert_eq!(
            classes("\"open\nx"),
            [(TokenClass::Text, true), (TokenClass::Word, false)]
        );
        assert_eq!(
            classes("`open ${\nx"),
            [(TokenClass::Text, true), (TokenClass::Word, false)]
        );
        assert_eq!(classes("/* /* */ x"), [(TokenClass::Comment, true)]);
    }

    #[test]
    fn texts_in_texts_without_end_are_read_to_the_end() {
        let deep = "`${".repeat(50_000);
        for tokens in [tokens(&deep), likely_tokens(&deep)] {
            assert_eq!(tokens.last().map(|last| last.to), Some(deep.len()));
        }
    }

    #[test]
    fn a_raw_text_ends_with_as_many_signs_as_it_begins() {
        for (text, first) in [
            ("#\"one \" /* quote\"# + 1", "#\"one \" /* quote\"#"),
            ("##\"a\"# b\"## + 1", "##\"a\"# b\"##"),
            ("#\"open", "#"),
            ("#{ a: \"b\"}", "#"),
        ] {
            for tokens in [tokens(text), likely_tokens(text)] {
                assert_eq!(&text[..tokens[0].to], first);
            }
        }
    }

    #[test]
    fn code_in_a_text_ends_where_its_bracket_does() {
        let text = "`a ${ if x { `}` } } b` + 1";
        let first = tokens(text)[0];
        assert_eq!(&text[..first.to], "`a ${ if x { `}` } } b`");
        assert!(tokens("`${ `x` ")[0].open && tokens("`${ /* ")[0].open);
    }
}
