//! The colours of what is typed: commands, answers, and the language of the rules.
//!
//! It works on a list of the words that mean something now, which the session hands out with every
//! prompt, so that no key waits for the session.

use crate::commands;
use crate::kernel::ids::FactionId;
use crate::lexer::{self, KEYWORDS, TokenClass};
use crate::repl::session::Session;
use crate::repl::typed::{self, MUCH};
use std::collections::{BTreeMap, BTreeSet};

const RESET: &str = "\x1b[0m";
const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
// A faction may be red.
const WRONG: &str = "\x1b[4;31m";
const TEXT: &str = "\x1b[32m";
const NUMBER: &str = "\x1b[33m";
const KEYWORD: &str = "\x1b[35m";
const FUNCTION: &str = "\x1b[36m";
const PARTNER: &str = "\x1b[1;4m";

/// Returns the meaning of words at the prompt now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lexicon {
    /// Whether colour is wanted.
    pub colour: bool,
    /// The functions that an expression can call.
    pub functions: BTreeSet<String>,
    /// The answers that are offered, each with the code of its colour.
    pub answers: BTreeMap<String, String>,
    /// Numbers by which they can be given.
    pub numbers: Vec<usize>,
    /// The prompt, without and with colour.
    pub prompt: (String, String),
}

impl Lexicon {
    /// Returns the meaning of words at the prompt of a session now.
    pub fn of(session: &Session) -> Lexicon {
        let (prompt, faction) = session.prompt();
        let paints = session.paints().unwrap_or_default();
        let paint = |index: Option<usize>| {
            index
                .and_then(|index| paints.get(index))
                .map_or("", String::as_str)
        };
        let styled = match paint(faction.map(FactionId::index)) {
            "" => prompt.clone(),
            paint => format!("{paint}{prompt}{RESET}"),
        };
        let choices = session.play.with_question(|a| {
            let keys = a.keys();
            (session.shown.numbers.borrow().of(a, &keys), keys)
        });
        let (numbers, keys) = choices.unwrap_or_default();
        let factions = &session.play.ruleset().rules.factions;
        let code = |key: &str| {
            let owner = key.split('.').next().unwrap_or_default();
            format!("{BOLD}{}", paint(factions.iter().position(|f| f == owner)))
        };
        Lexicon {
            colour: session.face.style.colour,
            functions: session
                .play
                .ruleset()
                .function_names()
                .map(str::to_owned)
                .collect(),
            answers: keys.into_iter().map(|k| (k.clone(), code(&k))).collect(),
            numbers,
            prompt: (prompt, styled),
        }
    }
}

impl Lexicon {
    /// The text in colour. `cursor` is where the bracket stands or ends whose partner is marked, if any.
    pub fn paint(&self, text: &str, cursor: Option<usize>) -> String {
        if !self.colour || text.len() > MUCH {
            return text.to_owned();
        }
        let bare = text.trim_end();
        if let Some(paint) = self.answer(bare.trim_start()) {
            return format!("{paint}{text}{RESET}");
        }
        let mut painted = String::new();
        let mut code = text;
        if let Some(command) = text.strip_prefix(':') {
            let name = command.split(char::is_whitespace).next().unwrap_or_default();
            let head = name.len() + 1;
            let args = &command[name.len()..];
            painted.push_str(match commands::standing(name) {
                commands::NameMatch::Known => BOLD,
                commands::NameMatch::Begins => "",
                commands::NameMatch::Unknown => WRONG,
            });
            painted.push_str(&text[..head]);
            painted.push_str(RESET);
            if !commands::takes_code(name) {
                painted.push_str(args);
                return painted;
            }
            code = args;
        }
        let before = text.len() - code.len();
        let cursor = cursor.and_then(|c| c.checked_sub(before));
        self.paint_code(code, cursor, &mut painted);
        painted
    }

    /// The colour of an answer that is offered, by key or number.
    fn answer(&self, text: &str) -> Option<&str> {
        if let Some(paint) = self.answers.get(text) {
            return Some(paint);
        }
        let number: usize = text.parse().ok()?;
        self.numbers.contains(&number).then_some(BOLD)
    }

    fn paint_code(&self, code: &str, cursor: Option<usize>, painted: &mut String) {
        let tokens = lexer::tokens(code);
        let pair = cursor.and_then(|cursor| {
            // Under the cursor, or else just before it.
            [Some(cursor), cursor.checked_sub(1)]
                .into_iter()
                .flatten()
                .find_map(|place| typed::partner(code, &tokens, place))
        });
        for (index, token) in tokens.iter().enumerate() {
            let text = &code[token.from..token.to];
            let after_dot = || index > 0 && &code[tokens[index - 1].from..tokens[index - 1].to] == ".";
            let called = || {
                tokens
                    .get(index + 1)
                    .is_some_and(|t| code[t.from..].starts_with('('))
            };
            let style = match token.class {
                TokenClass::Comment => DIM,
                TokenClass::Text => TEXT,
                TokenClass::Number => NUMBER,
                TokenClass::Word if KEYWORDS.contains(&text) && !after_dot() => KEYWORD,
                TokenClass::Word if self.functions.contains(text) && (called() || !after_dot()) => FUNCTION,
                TokenClass::Open | TokenClass::Close if pair == Some(token.from) => PARTNER,
                _ => "",
            };
            painted.push_str(style);
            painted.push_str(text);
            if !style.is_empty() {
                painted.push_str(RESET);
            }
        }
    }
}

/// A hint: grey behind the cursor.
pub fn hint(text: &str) -> String {
    format!("{DIM}{text}{RESET}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon() -> Lexicon {
        Lexicon {
            colour: true,
            functions: ["unit".to_owned()].into(),
            answers: [("red.a1".to_owned(), "\x1b[1m\x1b[31m".to_owned())].into(),
            numbers: vec![1, 2, 3],
            prompt: ("red> ".to_owned(), "red> ".to_owned()),
        }
    }

    /// The text with its codes spelled.
    fn shown(text: &str) -> String {
        lexicon().paint(text, None).replace('\x1b', "^")
    }

    #[test]
    fn answers_commands_and_code_have_their_colours() {
        assert_eq!(shown("red.a1"), "^[1m^[31mred.a1^[0m");
        assert_eq!(shown("3"), "^[1m3^[0m");
        assert_eq!(shown("4"), "^[33m4^[0m");
        assert_eq!(shown(":board"), "^[1m:board^[0m");
        assert_eq!(shown(":bo"), ":bo^[0m");
        assert_eq!(shown(":bord x"), "^[4;31m:bord^[0m x");
        assert_eq!(
            shown("if unit(\"a\").unit > 1"),
            "^[35mif^[0m ^[36munit^[0m(^[32m\"a\"^[0m).unit > ^[33m1^[0m"
        );
    }

    #[test]
    fn the_partner_of_a_bracket_is_marked() {
        let painted = lexicon().paint("(1)", Some(3));
        assert!(painted.starts_with("\x1b[1;4m(\x1b[0m"), "{painted:?}");
        let far = lexicon().paint("(1) ", Some(4));
        assert!(!far.contains("1;4m"), "{far:?}");
    }

    #[test]
    fn colours_change_no_letter_and_are_left_out_where_they_are_not_wanted() {
        let plain = |text: &str| {
            let mut left = String::new();
            let mut inside = false;
            for c in lexicon().paint(text, Some(text.len())).chars() {
                match c {
                    '\x1b' => inside = true,
                    'm' if inside => inside = false,
                    c if !inside => left.push(c),
                    _ => {}
                }
            }
            left
        };
        for text in [
            ":auto  2 rounds",
            "unit(\"é\").life // ü",
            ":",
            " 1",
            "a\n  b(",
            "`x",
            "\t",
        ] {
            assert_eq!(plain(text), text);
        }
        let none = Lexicon {
            colour: false,
            ..lexicon()
        };
        assert_eq!(none.paint("unit(1)", Some(7)), "unit(1)");
    }
}
