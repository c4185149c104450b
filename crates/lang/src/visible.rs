//! Texts as they may be shown to people.
//!
//! Titles, names, notes, errors of rules and whatever else is printed were written by anybody. Characters
//! that would make a terminal do something, or show a text otherwise than it is, are spelled out here:
//! control characters and those that change the direction of writing. Of escape sequences only
//! colours pass, and only where colours are wanted. Files hold what they hold.

/// Ends all colours.
const RESET: &str = "\x1b[0m";

/// A text with its odd characters spelled out; colours pass where they are wanted.
pub fn visible(text: &str, colour: bool) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut rest = text;
    let mut now = ColourMode::Plain;
    while let Some(c) = rest.chars().next() {
        if let Some((length, look)) = look(rest, now).filter(|_| colour) {
            shown.push_str(&rest[..length]);
            (now, rest) = (look, &rest[length..]);
            continue;
        }
        rest = &rest[c.len_utf8()..];
        if !is_odd(c) {
            shown.push(c);
        } else if c != '\r' || !rest.starts_with('\n') {
            // A line end of two characters is one.
            shown.extend(c.escape_unicode());
        }
    }
    if now != ColourMode::Plain {
        shown.push_str(RESET);
    }
    shown
}

/// A text without its colours, its other odd characters spelled out.
pub fn bare(text: &str) -> String {
    let mut left = String::with_capacity(text.len());
    let mut rest = text;
    let mut now = ColourMode::Plain;
    while let Some(c) = rest.chars().next() {
        match look(rest, now) {
            Some((length, look)) => (now, rest) = (look, &rest[length..]),
            None => {
                left.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    visible(&left, false)
}

/// Whether a text has no odd characters.
pub fn is_plain(text: &str) -> bool {
    !text.contains(is_odd)
}

/// Whether a terminal would do something else with a character than show it where it stands.
pub fn is_odd(c: char) -> bool {
    let turns =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}');
    let unseen = matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    turns || unseen || c.is_control() && c != '\n' && c != '\t'
}

/// Text style from some position on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColourMode {
    Plain,
    Letters,
    /// Black on a colour: other letters might be of the same one.
    Ground,
}

/// The length of the escape sequence that a text begins with, and the look behind it; of those
/// that the program itself writes, and none that hides a text.
fn look(text: &str, now: ColourMode) -> Option<(usize, ColourMode)> {
    const BLACK: &str = "\x1b[30m\x1b[48;5;";
    let until = |head: &str| {
        let (codes, _) = text.strip_prefix(head)?.split_once('m')?;
        codes
            .bytes()
            .all(|b| b.is_ascii_digit() || b == b';')
            .then_some((codes, head.len() + codes.len() + 1))
    };
    if let Some((colour, length)) = until(BLACK) {
        let light = colour.parse().is_ok_and(|n: u8| (17..232).contains(&n));
        return light.then_some((length, ColourMode::Ground));
    }
    let (codes, length) = until("\x1b[")?;
    match codes {
        "0" => Some((length, ColourMode::Plain)),
        _ if now == ColourMode::Ground => None,
        _ => {
            let known = |code: &str| {
                matches!(code, "1" | "2" | "4" | "7" | "90")
                    || code.len() == 2
                        && code.starts_with(['3', '9'])
                        && matches!(code.as_bytes()[1], b'1'..=b'6')
            };
            codes
                .split(';')
                .all(known)
                .then_some((length, ColourMode::Letters))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_spelled_out() {
        for (text, shown) in [
            ("plain \u{e9} \u{1f600}\ttext\n", "plain \u{e9} \u{1f600}\ttext\n"),
            ("a\x1b[2Jb", "a\\u{1b}[2Jb"),
            ("\x1b]0;title\x07", "\\u{1b}]0;title\\u{7}"),
            ("\u{9b}31m\u{85}", "\\u{9b}31m\\u{85}"),
            ("\u{202e}abc\u{2066}", "\\u{202e}abc\\u{2066}"),
            ("over\rwritten\r\n\x7f\x08", "over\\u{d}written\n\\u{7f}\\u{8}"),
        ] {
            assert_eq!(visible(text, false), shown);
            assert_eq!(visible(text, true), shown);
        }
    }

    #[test]
    fn what_cannot_be_seen_is_spelled_out() {
        for odd in [
            '\u{200b}',
            '\u{200d}',
            '\u{ad}',
            '\u{feff}',
            '\u{2069}',
            '\u{e0041}',
            '\u{61c}',
        ] {
            assert_eq!(
                visible(&format!("a{odd}b"), true),
                format!("a{}b", odd.escape_unicode())
            );
        }
    }

    #[test]
    fn colours_pass_where_they_are_wanted_and_nothing_that_hides() {
        for code in [
            "\x1b[0m",
            "\x1b[1;31mx\x1b[0m",
            "\x1b[31;1;7mx\x1b[0m",
            "\x1b[30m\x1b[48;5;28mx\x1b[0m",
            "\x1b[1m\x1b[94mx\x1b[0m",
        ] {
            assert_eq!(visible(code, true), code);
            assert_eq!(visible(code, false), code.replace('\x1b', "\\u{1b}"));
        }
        for code in [
            "\x1b[8m",
            "\x1b[1;8m",
            "\x1b[5m",
            "\x1b[30m",
            "\x1b[37m",
            "\x1b[38;5;16m",
            "\x1b[48;5;16m",
            "\x1b[30m\x1b[48;5;16m",
            "\x1b[m",
            "\x1b[+1m",
            "\x1b[?25l",
            "\x1b[31",
        ] {
            assert_eq!(visible(code, true), code.replace('\x1b', "\\u{1b}"));
        }
        // What is left on ends with the text; on a ground nothing else is painted.
        assert_eq!(visible("\x1b[31mx", true), "\x1b[31mx\x1b[0m");
        let ground = "\x1b[30m\x1b[48;5;28m";
        assert_eq!(
            visible(&format!("{ground}\x1b[32mx"), true),
            format!("{ground}\\u{{1b}}[32mx\x1b[0m")
        );
    }
}
