//! The language of the rules as it is written: words, texts, comments and brackets, whole or not.
//!
//! It goes far enough to tell a bracket from one inside a text, for whoever looks at what is half typed or at one line;
//! what a text means Rhai's parser says.

/// What a part of a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Blanks and line ends.
    Blank,
    /// A name or a keyword.
    Word,
    /// A number.
    Number,
    /// A text with its quotes; it may lack the last one.
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
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What it is.
    pub class: Class,
    /// It is a text or comment that goes on in the next line.
    pub open: bool,
}

/// The parts of a text, in order and without gaps.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(token) = token(text, at) {
        at = token.to;
        tokens.push(token);
    }
    tokens
}

/// The part of a text that begins at a byte; `None` at its end.
fn token(text: &str, from: usize) -> Option<Token> {
    let rest = &text[from..];
    let c = rest.chars().next()?;
    let (length, class, open) = if c.is_whitespace() {
        (run(rest, char::is_whitespace), Class::Blank, false)
    } else if rest.starts_with("//") {
        (line_end(rest), Class::Comment, false)
    } else if rest.starts_with("/*") {
        let (length, open) = block_comment(rest);
        (length, Class::Comment, open)
    } else if c == '"' {
        (quoted(rest).unwrap_or_else(|| line_end(rest)), Class::Text, false)
    } else if c == '`' {
        let length = backticked(rest);
        (length.unwrap_or(rest.len()), Class::Text, length.is_none())
    } else if let Some(length) = letter(rest) {
        (length, Class::Text, false)
    } else if c.is_ascii_digit() {
        (number(rest), Class::Number, false)
    } else if c.is_alphabetic() || c == '_' {
        (run(rest, |c| c.is_alphanumeric() || c == '_'), Class::Word, false)
    } else {
        let class = match c {
            '(' | '[' | '{' => Class::Open,
            ')' | ']' | '}' => Class::Close,
            _ => Class::Sign,
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
    text.find('\n').unwrap_or(text.len())
}

/// Up to and with the quote that ends the text; `None` when it does not end in its line.
fn quoted(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return None,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Up to and with the backtick that ends the text, none of those in the code in it; `None` when it does not end.
fn backticked(text: &str) -> Option<usize> {
    let mut at = 1;
    loop {
        let rest = &text[at..];
        if rest.starts_with("${") {
            at = code_end(text, at + 1)?;
            continue;
        }
        match rest.chars().next()? {
            '`' => return Some(at + 1),
            c => at += c.len_utf8(),
        }
    }
}

/// Behind the bracket that closes the one at a byte.
fn code_end(text: &str, from: usize) -> Option<usize> {
    let (mut at, mut depth) = (from, 0usize);
    while let Some(token) = token(text, at) {
        match token.class {
            Class::Open => depth += 1,
            Class::Close => depth -= 1,
            _ => {}
        }
        at = token.to;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// A single character in quotes. An apostrophe of a sentence is none.
fn letter(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    if chars.next()?.1 != '\'' {
        return None;
    }
    let (_, c) = chars.next()?;
    if c == '\\' {
        chars.next()?;
    }
    let (at, quote) = chars.next()?;
    (quote == '\'' && c != '\n' && c != '\'').then_some(at + 1)
}

/// A number; the dots of a range behind it are none of it.
fn number(text: &str) -> usize {
    run(text, |c| c.is_ascii_alphanumeric() || c == '_')
}

/// The length of a comment that may hold others, and whether it does not end.
fn block_comment(text: &str) -> (usize, bool) {
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
                return (at, false);
            }
        } else {
            at += 1;
        }
    }
    (text.len(), true)
}

/// What is open at the end of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shape {
    /// The brackets that are open, with their places, outermost first.
    pub brackets: Vec<(char, usize)>,
    /// A text of several lines or a comment is open.
    pub inside: bool,
    /// A bracket closes that none has opened, or another one.
    pub crossed: bool,
}

/// What is open at the end of these tokens.
pub fn shape(text: &str, tokens: &[Token]) -> Shape {
    let mut shape = Shape::default();
    for token in tokens {
        let c = text[token.from..].chars().next().unwrap_or(' ');
        match token.class {
            Class::Open => shape.brackets.push((c, token.from)),
            Class::Close => {
                let opened = shape.brackets.pop().map(|(c, _)| closing(c));
                shape.crossed |= opened != Some(c);
            }
            _ => shape.inside |= token.open,
        }
    }
    shape
}

/// The bracket that closes what this one opens.
pub fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
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
            let mut at = 0;
            for token in tokens(text) {
                assert_eq!(token.from, at, "{text}");
                assert!(token.to > at, "{text}");
                at = token.to;
            }
            assert_eq!(at, text.len());
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
