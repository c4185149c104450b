//! The shape of what is typed: its words, texts, comments and brackets, and whether it is whole.
//!
//! It reads as the language of the rules does, far enough to tell a bracket from one inside a text;
//! it knows no session and no terminal.

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 65_536;

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
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (length, class, open) = if c.is_whitespace() {
            (run(rest, char::is_whitespace), Class::Blank, false)
        } else if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), Class::Comment, false)
        } else if rest.starts_with("/*") {
            let (length, open) = block_comment(rest);
            (length, Class::Comment, open)
        } else if c == '"' {
            (
                quoted(rest, '"').unwrap_or_else(|| line_end(rest)),
                Class::Text,
                false,
            )
        } else if c == '`' {
            let length = quoted(rest, '`');
            (length.unwrap_or(rest.len()), Class::Text, length.is_none())
        } else if let Some(length) = letter(rest) {
            (length, Class::Text, false)
        } else if c.is_ascii_digit() {
            (number(rest), Class::Number, false)
        } else if c.is_alphabetic() || c == '_' {
            (run(rest, |c| c.is_alphanumeric() || c == '_'), Class::Word, false)
        } else {
            let class = match bytes[at] {
                b'(' | b'[' | b'{' => Class::Open,
                b')' | b']' | b'}' => Class::Close,
                _ => Class::Sign,
            };
            (c.len_utf8(), class, false)
        };
        tokens.push(Token {
            from: at,
            to: at + length,
            class,
            open,
        });
        at += length;
    }
    tokens
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c: char| !belongs(c)).unwrap_or(text.len())
}

fn line_end(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// Up to and with the quote that ends the text; `None` when it does not end, or not in its line.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' if quote != '`' => escaped = true,
            '\n' if quote != '`' => return None,
            c if c == quote => return Some(at + c.len_utf8()),
            _ => {}
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

/// The partner of the bracket at a place; `None` when there is none.
pub fn partner(text: &str, tokens: &[Token], place: usize) -> Option<usize> {
    let here = tokens.iter().position(|t| t.from == place)?;
    let mut depth = 0usize;
    let count = |token: &Token, depth: &mut usize, deeper: Class, back: Class| {
        if token.class == deeper {
            *depth += 1;
        } else if token.class == back {
            *depth -= 1;
        }
        *depth == 0
    };
    let found = match tokens[here].class {
        Class::Open => tokens[here..]
            .iter()
            .find(|t| count(t, &mut depth, Class::Open, Class::Close)),
        Class::Close => tokens[..=here]
            .iter()
            .rev()
            .find(|t| count(t, &mut depth, Class::Close, Class::Open)),
        _ => None,
    }?;
    let (open, close) = (place.min(found.from), place.max(found.from));
    let at = |place: usize| text[place..].chars().next().unwrap_or(' ');
    (closing(at(open)) == at(close)).then_some(found.from)
}

/// Whether more lines belong to what is typed: a bracket is open, or a text or comment of several
/// lines. `takes_code` says of a command by its name whether its arguments are code; brackets in
/// those of others do not count, and code may begin in the line after such a command's first word.
pub fn unfinished(text: &str, takes_code: &dyn Fn(&str) -> bool) -> bool {
    let Some(command) = text.trim_start().strip_prefix(':') else {
        return is_open(text);
    };
    let (name, args) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    if !takes_code(name) {
        return false;
    }
    let args = args.trim();
    let (first, code) = args.split_once(char::is_whitespace).unwrap_or((args, ""));
    let begins = code.trim_start();
    // A function's brace may stand in the next line.
    let headless = begins.starts_with("fn ") && !begins.contains('{');
    is_open(args) || headless || (!first.is_empty() && code.is_empty() && is_name(first))
}

fn is_name(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.'))
}

/// Whether a bracket, a text or a comment is open at the end of a text and could still be closed.
pub fn is_open(text: &str) -> bool {
    let shape = shape(text, &tokens(text));
    !shape.crossed && (shape.inside || !shape.brackets.is_empty())
}

/// Whether the last line is blank, and there is another before it.
pub fn ends_blank(text: &str) -> bool {
    text.rsplit_once('\n')
        .is_some_and(|(_, last)| last.trim().is_empty())
}

/// What was typed or pasted, parted into what the session takes one by one: commands stand for
/// themselves, and so do answers when there is nothing but commands and words. Other lines stay together.
pub fn inputs(text: &str, takes_code: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut wholes: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.split('\n') {
        let line = line.trim_end_matches('\r');
        match wholes.last_mut() {
            Some(whole) if open && !line.starts_with(':') => {
                whole.push('\n');
                whole.push_str(line);
            }
            _ => wholes.push(line.to_owned()),
        }
        open = wholes.last().is_some_and(|whole| unfinished(whole, takes_code));
    }
    wholes.retain(|whole| !whole.trim().is_empty());
    let command = |whole: &String| whole.trim_start().starts_with(':');
    let key = |whole: &String| {
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        whole.trim().chars().all(word)
    };
    if wholes.iter().any(command) || wholes.iter().all(key) {
        return wholes;
    }
    vec![text.to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(name: &str) -> bool {
        name == "patch"
    }

    fn more(text: &str) -> bool {
        unfinished(text, &code)
    }

    #[test]
    fn tokens_cover_the_text_without_gaps() {
        for text in [
            "",
            "unit(\"red.a1\").life + 0x1f..=12 // end",
            "let s = `a ${b}\nc`; /* x /* y */ z */ 'c' it's",
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
    fn a_line_goes_on_while_a_bracket_is_open() {
        assert!(more("unit(\"a\""));
        assert!(more("let f = #{ a: 1,"));
        assert!(more("`two"));
        assert!(more("/* a"));
        assert!(!more("unit(\"(\")"));
        assert!(!more("1 // ("));
        assert!(!more("'('"));
        assert!(!more("\"open (") && !more("a)") && !more("(]"));
        assert!(!more(""));
    }

    #[test]
    fn brackets_count_in_commands_that_take_code_alone() {
        assert!(!more(":save a(b") && !more(":undo"));
        assert!(more(":patch spears fn melee(me) {"));
        assert!(more(":patch spears fn melee(me)"));
        assert!(more(":patch spears"));
        assert!(!more(":patch"));
        assert!(!more(":patch spears fn melee(me) { hit(me, 1, \"x\"); }"));
        assert!(!more(":patch spears\nfn melee(me) {\n}"));
    }

    #[test]
    fn what_is_pasted_is_parted_where_commands_stand() {
        let parts = |text: &str| inputs(text, &code);
        assert_eq!(parts("1\nc4\n:board\n"), ["1", "c4", ":board"]);
        assert_eq!(parts("let x = 1;\nx"), ["let x = 1;\nx"]);
        assert_eq!(parts("f(\n1\n)\n:undo"), ["f(\n1\n)", ":undo"]);
        assert_eq!(
            parts(":patch spears\nfn melee(me) {\n  base(me);\n}\n1"),
            [":patch spears\nfn melee(me) {\n  base(me);\n}", "1"]
        );
        // What lacks its bracket does not swallow the commands behind it.
        assert_eq!(parts("f(1\n:undo"), ["f(1", ":undo"]);
        assert!(parts("").is_empty() && parts("\n\n").is_empty());
    }

    #[test]
    fn brackets_find_their_partners() {
        let text = "a([\"(\"], {b})";
        let tokens = tokens(text);
        assert_eq!(partner(text, &tokens, 1), Some(text.len() - 1));
        assert_eq!(partner(text, &tokens, text.len() - 1), Some(1));
        assert_eq!(partner(text, &tokens, 2), Some(6));
        assert_eq!(partner(text, &tokens, 3), None);
        assert_eq!(partner("(]", &super::tokens("(]"), 0), None);
        assert_eq!(partner(")", &super::tokens(")"), 0), None);
        assert_eq!(partner("(", &super::tokens("("), 0), None);
    }
}
