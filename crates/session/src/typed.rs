//! The shape of what is typed: whether it is whole, and which bracket belongs to which.
//!
//! It knows no session and no terminal.

use crate::lexer::{Token, TokenClass, closing, shape, tokens};

/// The longest text that is coloured or completed, in bytes.
pub const MUCH: usize = 4_000;

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 65_536;

/// The partner of the bracket at a place; `None` when there is none.
pub fn partner(text: &str, tokens: &[Token], place: usize) -> Option<usize> {
    let here = tokens.iter().position(|t| t.from == place)?;
    let mut depth = 0usize;
    let count = |token: &Token, depth: &mut usize, deeper: TokenClass, back: TokenClass| {
        if token.class == deeper {
            *depth += 1;
        } else if token.class == back {
            *depth -= 1;
        }
        *depth == 0
    };
    let found = match tokens[here].class {
        TokenClass::Open => tokens[here..]
            .iter()
            .find(|t| count(t, &mut depth, TokenClass::Open, TokenClass::Close)),
        TokenClass::Close => tokens[..=here]
            .iter()
            .rev()
            .find(|t| count(t, &mut depth, TokenClass::Close, TokenClass::Open)),
        _ => None,
    }?;
    let (open, close) = (place.min(found.from), place.max(found.from));
    let at = |place: usize| text[place..].chars().next().unwrap_or(' ');
    (closing(at(open)) == at(close)).then_some(found.from)
}

/// Whether more lines belong to what is typed: a bracket is open, or a text or comment of several
/// lines. `takes_code` says of a command by its name whether its arguments are code; brackets in
/// those of others do not count.
pub fn unfinished(text: &str, takes_code: &dyn Fn(&str) -> bool) -> bool {
    let Some(command) = text.trim_start().strip_prefix(':') else {
        return is_open(text);
    };
    let (name, args) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    takes_code(name) && is_open(args)
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

/// Whether what is open may end at such a character. Most lines have none, and to read all that is open anew with each
/// of many lines takes long.
fn could_close(c: char) -> bool {
    matches!(c, ')' | ']' | '}' | '"' | '\'' | '`' | '/' | '*' | '#' | '\\')
}

/// Splits typed or pasted text into inputs of the session: commands are inputs of their own, and so are answers if
/// there are only commands and words. Other lines stay together. `wants_more` says whether another line belongs to what
/// has come.
pub fn inputs(text: &str, wants_more: &dyn Fn(&str) -> bool) -> Vec<String> {
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
        open = wholes.last().is_some_and(|whole| {
            let stays = open && !whole.trim_start().starts_with(':') && !line.contains(could_close);
            stays || wants_more(whole)
        });
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
        assert!(!more(":patch"));
        assert!(!more(":patch spears fn melee(me) { hit(me, 1, \"x\"); }"));
        assert!(!more(":patch spears\nfn melee(me) {\n}"));
    }

    #[test]
    fn what_is_pasted_is_parted_where_commands_stand() {
        let parts = |text: &str| inputs(text, &more);
        assert_eq!(parts("1\nc4\n:board\n"), ["1", "c4", ":board"]);
        assert_eq!(parts("let x = 1;\nx"), ["let x = 1;\nx"]);
        assert_eq!(parts("f(\n1\n)\n:undo"), ["f(\n1\n)", ":undo"]);
        assert_eq!(
            parts(":patch spears fn melee(me) {\n  base(me);\n}\n1"),
            [":patch spears fn melee(me) {\n  base(me);\n}", "1"]
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
