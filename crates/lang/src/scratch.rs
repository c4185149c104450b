//! The text of the scratch layer: functions that were typed one after the other, each for a script,
//! and where in what was typed a place of that text is. Knows texts; loads and plays nothing.

use super::lexer::{self, TokenClass};
use super::parse::problems;
use super::parse::{Parser, TextPosition};
use crate::report::{Passage, Problems, Source};
use rhai::Token;
use std::ops::Range;
use std::sync::Arc;

/// The name under which the text of the scratch layer is known.
pub const SCRATCH_SOURCE: &str = "<scratch>";

/// The name of the game's own script.
const GAME: &str = "game";

/// One function of the layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// The script that it is for: `game`, or a unit type.
    pub script: String,
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<String>,
    /// The comments above it and the function, as a variant would have it.
    pub text: String,
    /// Position in the typed text, when that is known.
    typed: Option<TypedPatch>,
}

/// Position of a patch's text in the typed text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TypedPatch {
    source: Arc<Source>,
    /// The byte at which it begins there.
    start: usize,
    /// The byte of the patch's text before which the script's name was put, and its length.
    put_in: (usize, usize),
}

impl Patch {
    /// `script.function`, as variants are listed.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.script, self.name)
    }

    /// The text with the lines after the first moved left as far as they stand to the right of it.
    pub fn flush_left(&self) -> String {
        let rest = self.text.lines().skip(1).filter(|l| !l.trim().is_empty());
        let indent = rest.map(|l| l.len() - l.trim_start().len()).min().unwrap_or(0);
        let lines = self.text.lines().enumerate().map(|(nth, line)| match nth {
            0 => line,
            _ => line.get(indent..).unwrap_or_default(),
        });
        lines.map(str::trim_end).collect::<Vec<_>>().join("\n")
    }
}

/// The functions of the layer, in the order in which they were first typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scratch {
    /// One for each script, name and number of parameters.
    pub patches: Vec<Patch>,
}

impl Scratch {
    /// Reads the layer's own text.
    ///
    /// # Errors
    ///
    /// A text that cannot be read.
    pub fn read(text: &str) -> Result<Self, Problems> {
        let mut patches = functions(&Source::new(SCRATCH_SOURCE, text), None)?;
        for patch in &mut patches {
            patch.typed = None;
        }
        Ok(Self { patches })
    }

    /// Puts in the functions that were typed for a script, in place of those of the same name and
    /// number of parameters. What
    /// stands before the byte `from` is not looked at.
    ///
    /// # Errors
    ///
    /// What cannot be read, and what is no function of that script, at its place.
    pub fn put(&mut self, typed: &Arc<Source>, from: usize, script: &str) -> Result<Vec<Patch>, Problems> {
        // Places stay what they are when what stands before is blank.
        let blank = " ".repeat(from);
        let text = format!("{blank}{}", &typed.text[from..]);
        let read = functions(&Source::new(typed.name.clone(), text), Some(script));
        let mut new = read.map_err(|mut problems| {
            for problem in &mut problems.0 {
                if let Some(place) = &mut problem.place {
                    place.source = Arc::clone(typed);
                }
            }
            problems
        })?;
        for patch in &mut new {
            if let Some(own) = &mut patch.typed {
                own.source = Arc::clone(typed);
            }
            let key = |p: &Patch| (p.script.clone(), p.name.clone(), p.params.len());
            let same = |p: &&mut Patch| key(p) == key(patch);
            match self.patches.iter_mut().find(same) {
                Some(old) => *old = patch.clone(),
                None => self.patches.push(patch.clone()),
            }
        }
        Ok(new)
    }

    /// The layer's text; `None` when there is no function in it.
    pub fn print(&self) -> Option<String> {
        let texts: Vec<&str> = self.patches.iter().map(|p| p.text.as_str()).collect();
        (!texts.is_empty()).then(|| texts.join("\n\n") + "\n")
    }

    /// Problems with the layer's text, at the places where it was typed.
    pub fn as_typed(&self, mut problems: Problems) -> Problems {
        for problem in &mut problems.0 {
            let calls = problem.chain.iter_mut().map(|c| &mut c.place);
            for place in problem.place.iter_mut().chain(calls) {
                if let Some(typed) = self.place_as_typed(place) {
                    *place = typed;
                }
            }
        }
        problems
    }

    fn place_as_typed(&self, place: &Passage) -> Option<Passage> {
        if place.source.name != SCRATCH_SOURCE {
            return None;
        }
        let mut begin = 0;
        for patch in &self.patches {
            let end = begin + patch.text.len();
            if (begin..=end).contains(&place.span.start) {
                let typed = patch.typed.as_ref()?;
                let (at, length) = typed.put_in;
                let back = |offset: usize| {
                    let inside = offset.saturating_sub(begin);
                    let before = match inside {
                        i if i >= at + length => i - length,
                        i => i.min(at),
                    };
                    (typed.start + before).min(typed.source.text.len())
                };
                return Some(Passage::new(
                    &typed.source,
                    back(place.span.start)..back(place.span.end),
                ));
            }
            begin = end + 2;
        }
        None
    }
}

/// The functions of a text, for a script or for those that they name.
fn functions(source: &Arc<Source>, script: Option<&str>) -> Result<Vec<Patch>, Problems> {
    let parser = Parser::default();
    let parsed = parser.parse(source)?;
    let tokens = parser.tokens(source)?;
    let byte = |at: TextPosition| source.span_at(at.0, at.1).start;
    let mut found = Vec::new();
    let mut wrong = Vec::new();
    let mut from = 0;
    let mut bodies = bodies(&tokens).into_iter();
    for def in &parsed.fns {
        let Some((_, close)) = bodies.next() else { break };
        let (whole, name_at) = (from..byte(close) + 1, byte(def.at));
        from = whole.end;
        let start = whole.start + blank_before(&source.text[whole.clone()]);
        let mut text = source.text[start..whole.end].to_owned();
        let mut put_in = (name_at - start, 0);
        let owner = match (&def.of, script) {
            (Some((own, at)), Some(script)) if own != script => {
                let problem = problems::wrong_owner(own, script, &def.name);
                wrong.push(problem.at(source, source.span_at(at.0, at.1)));
                continue;
            }
            (Some((own, _)), _) => own.clone(),
            (None, Some(script)) => {
                if script != GAME {
                    put_in.1 = script.len() + 1;
                    text.insert_str(put_in.0, &format!("{script}."));
                }
                script.to_owned()
            }
            (None, None) => GAME.to_owned(),
        };
        found.push(Patch {
            script: owner,
            name: def.name.clone(),
            params: def.params.clone(),
            text,
            typed: Some(TypedPatch {
                source: Arc::clone(source),
                start,
                put_in,
            }),
        });
    }
    let loose = |at: TextPosition| problems::outside_function().at(source, source.span_at(at.0, at.1));
    wrong.extend(outside(&tokens).map(loose));
    Problems::check(wrong)?;
    Ok(found)
}

/// Returns the number of bytes of blank lines at the start of a text, and of blanks before its first word.
fn blank_before(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Returns the opening and closing positions of the body of each outermost function.
fn bodies(tokens: &[(Token, TextPosition)]) -> Vec<(TextPosition, TextPosition)> {
    let mut found = Vec::new();
    let (mut depth, mut open, mut head) = (0usize, (0, 0), false);
    for (token, at) in tokens {
        match token {
            Token::Fn if depth == 0 => head = true,
            Token::LeftBrace | Token::MapStart => {
                if depth == 0 {
                    open = *at;
                }
                depth += 1;
            }
            Token::RightBrace => {
                depth = depth.saturating_sub(1);
                if depth == 0 && std::mem::take(&mut head) {
                    found.push((open, *at));
                }
            }
            _ => {}
        }
    }
    found
}

/// The first token that belongs to no function.
fn outside(tokens: &[(Token, TextPosition)]) -> Option<TextPosition> {
    let bodies = bodies(tokens);
    let mut next = bodies.iter();
    let mut end: Option<TextPosition> = None;
    let mut in_head = false;
    for (token, at) in tokens {
        if end.is_some_and(|end| *at <= end) {
            continue;
        }
        match token {
            Token::Fn if !in_head => in_head = true,
            Token::LeftBrace if in_head => {
                in_head = false;
                end = next.next().map(|(_, close)| *close);
            }
            Token::Private | Token::Comment(_) | Token::EOF => {}
            _ if in_head => {}
            _ => return Some(*at),
        }
    }
    None
}

/// State of a text that is being typed: whether brackets, a comment or a text in backticks are open at its end, and
/// whether it has code in it, and a bracket that opened a body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextProgress {
    /// Something is open at the end.
    pub open: bool,
    /// There is more than comments.
    pub code: bool,
    /// A `{` has been opened.
    pub body: bool,
}

/// Looks at the brackets of a text; those in comments and in quotes do not count.
pub fn how_far(text: &str) -> TextProgress {
    let tokens = lexer::tokens(text);
    let shape = lexer::shape(text, &tokens);
    TextProgress {
        open: shape.inside || !shape.brackets.is_empty(),
        code: tokens
            .iter()
            .any(|token| !matches!(token.class, TokenClass::Blank | TokenClass::Comment)),
        body: tokens
            .iter()
            .any(|token| token.class == TokenClass::Open && text[token.from..].starts_with('{')),
    }
}

/// The range of the words of a text, for splitting a command's line.
pub fn word(text: &str) -> (&str, Range<usize>) {
    let start = blank_before(text);
    let end = text[start..]
        .find(char::is_whitespace)
        .map_or(text.len(), |at| start + at);
    (&text[start..end], start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Problem;

    fn put(scratch: &mut Scratch, script: &str, text: &str) -> Result<Vec<Patch>, Problems> {
        let typed = Source::new("input", format!(":patch {script} {text}"));
        scratch.put(&typed, 8 + script.len(), script)
    }

    #[test]
    fn functions_are_laid_on_and_replaced_by_script_and_name() {
        let mut scratch = Scratch::default();
        put(&mut scratch, "scouts", "fn act(me) { base(me); }").expect("one");
        put(&mut scratch, "game", "/// Why.\nfn act(me) { `${me}}` }").expect("two");
        put(
            &mut scratch,
            "scouts",
            "fn act(me) { 1 }\n\nfn aim(a, b) { #{ x: { 2 } } }",
        )
        .expect("three");
        let text = scratch.print().expect("a text");
        assert_eq!(
            text,
            "fn scouts.act(me) { 1 }\n\n/// Why.\nfn act(me) { `${me}}` }\n\nfn scouts.aim(a, b) { #{ x: { 2 } } }\n"
        );
        let names: Vec<String> = scratch.patches.iter().map(Patch::full_name).collect();
        assert_eq!(names, ["scouts.act", "game.act", "scouts.aim"]);
        let again = Scratch::read(&text).expect("it reads");
        assert_eq!(again.print(), Some(text));
        assert_eq!(again.patches[2].script, "scouts");
    }

    #[test]
    fn what_is_no_function_is_told_at_its_place() {
        for (text, at, id) in [
            ("fn a() {} let x = 1;", "let", "outside-function"),
            ("1 + 1", "+", "outside-function"),
            ("fn wagons.a() {}", "wagons", "wrong-owner"),
            ("fn a() { }  fn a() {}", "fn", "repeated"),
        ] {
            let mut scratch = Scratch::default();
            let problems = put(&mut scratch, "scouts", text).expect_err(text);
            let problem = &problems.0[0];
            assert_eq!(problem.id(), id, "{text}");
            let place = problem.place.as_ref().expect("a place");
            assert!(place.source.text.starts_with(":patch scouts "), "{text}");
            assert_eq!(place.source.slice(place.span.clone()), at, "{text}");
            assert!(scratch.patches.is_empty(), "{text}");
        }
    }

    #[test]
    fn places_are_those_of_what_was_typed() {
        let mut scratch = Scratch::default();
        put(&mut scratch, "game", "fn one(me) { 1 }").expect("one");
        put(&mut scratch, "scouts", "fn two(me) {\n    three(me)\n}").expect("two");
        let source = Source::new(SCRATCH_SOURCE, scratch.print().expect("a text"));
        for word in ["fn", "two", "three", "one", "}"] {
            let at = source.text.rfind(word).expect("it is there");
            let problems = Problem::new("x").at(&source, at..at + word.len()).into();
            let place = scratch.as_typed(problems).0[0].place.clone().expect("a place");
            assert_eq!(place.source.slice(place.span.clone()), word);
            assert!(place.source.text.starts_with(":patch "), "{word}");
        }
        let elsewhere = Source::new("game.rhai", "fn one() {}");
        let problems = Problem::new("x").at(&elsewhere, 0..2).into();
        let place = scratch.as_typed(problems).0[0].place.clone().expect("a place");
        assert_eq!(place.source.name, "game.rhai");
    }

    #[test]
    fn brackets_in_comments_and_quotes_do_not_count() {
        for (text, open) in [
            ("fn a() {", true),
            ("fn a() { } // {", false),
            ("fn a() { \"}\" ", true),
            ("fn a() { '}' }", false),
            ("fn a() { `}` + `${ if x { `}` } }` }", false),
            ("fn a() { `${", true),
            ("a /* { /* } */ ", true),
            ("a /* { /* } */ */", false),
            ("f(1, [", true),
            ("\"\\\"(\"", false),
            (")))", false),
            ("", false),
        ] {
            assert_eq!(how_far(text).open, open, "{text}");
        }
        assert!(!how_far("// only words {").code);
        assert!(how_far("fn a(me)").code && !how_far("fn a(me)").body);
    }

    #[test]
    fn lines_that_were_pasted_far_to_the_right_are_moved_left() {
        let mut scratch = Scratch::default();
        put(&mut scratch, "game", "fn a(me) {\n        1\n    }").expect("one");
        assert_eq!(scratch.patches[0].flush_left(), "fn a(me) {\n    1\n}");
    }
}
