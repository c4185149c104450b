//! Search for the text of a declared value: it selects the most likely of all the places where a word stands.
//!
//! A declaration may be put together by functions, so nobody knows where a value was written; but a word behind the
//! key that was read, within the phase or zone that was read, is hardly ever another.

use crate::lexer::{self, Token, TokenClass};
use crate::report::Source;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Part of a declaration that has a problem.
#[derive(Debug, Clone, Copy)]
pub enum DeclarationPart<'a> {
    /// All that the function returns.
    All,
    /// A key of a map.
    Key(&'a str),
    /// A text somewhere behind a key: the key, and the text.
    Text(&'a str, &'a str),
}

impl<'a> From<&'a str> for DeclarationPart<'a> {
    fn from(key: &'a str) -> Self {
        DeclarationPart::Key(key)
    }
}

impl<'a> From<&'a String> for DeclarationPart<'a> {
    fn from(key: &'a String) -> Self {
        DeclarationPart::Key(key)
    }
}

impl<'a> From<(&'a str, &'a str)> for DeclarationPart<'a> {
    fn from((key, text): (&'a str, &'a str)) -> Self {
        DeclarationPart::Text(key, text)
    }
}

/// The byte offset of a word that stands by itself in a text.
pub fn find_word(text: &str, word: &str) -> Option<usize> {
    if word.is_empty() {
        return None;
    }
    let inner = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).map(|(at, _)| at).find(|&at| {
        !text[..at].chars().next_back().is_some_and(inner)
            && !text[at + word.len()..].chars().next().is_some_and(inner)
    })
}

/// A word or text of a script, and what it stands in.
struct Mention {
    span: Range<usize>,
    /// It is a key, and not what stands behind one.
    is_key: bool,
    /// It is given with `=`, to a variable or to what stands before a point.
    is_assigned: bool,
    around: Vec<Around>,
}

/// A bracket by where it opens, and the key in it behind which something stands.
type Around = (usize, Option<Range<usize>>);

/// The words of a script in their order. Whoever has much to tell of one looks through it once.
pub(super) struct ScriptWords {
    source: Arc<Source>,
    mentions: Vec<Mention>,
    /// The mentions that are a word, or in whose text it stands by itself.
    by_word: HashMap<String, Vec<usize>>,
    /// By bracket the texts by which what is in it is called.
    names: Vec<(usize, Range<usize>)>,
    /// From the function's name to the end of its body.
    function: Range<usize>,
}

impl ScriptWords {
    /// Of a text in which the function's name stands there.
    pub(super) fn of(source: &Arc<Source>, name: usize) -> Self {
        let text = &source.text;
        let mut script = ScriptWords {
            source: Arc::clone(source),
            mentions: Vec::new(),
            by_word: HashMap::new(),
            names: Vec::new(),
            function: name..text.len(),
        };
        let mut tokens = lexer::tokens(text);
        tokens.retain(|token| !matches!(token.class, TokenClass::Blank | TokenClass::Comment));
        let is = |at: usize, sign: &str| tokens.get(at).is_some_and(|t| &text[t.span()] == sign);
        let mut around: Vec<Around> = Vec::new();
        let mut is_over = false;
        for (at, token) in tokens.iter().enumerate() {
            match token.class {
                TokenClass::Open => around.push((token.from, None)),
                TokenClass::Close => {
                    around.pop();
                    if around.is_empty() && is(at, "}") && token.from > name && !is_over {
                        is_over = true;
                        script.function.end = token.to;
                    }
                }
                TokenClass::Sign if is(at, ",") || is(at, ";") => {
                    if let Some((_, key)) = around.last_mut() {
                        *key = None;
                    }
                }
                TokenClass::Word | TokenClass::Text => script.note(
                    token,
                    (is(at + 1, ":"), is(at + 1, "=") && !is(at + 2, "=")),
                    &mut around,
                ),
                _ => {}
            }
        }
        script
    }

    /// Notes a word or text, which may be a key or assigned.
    fn note(&mut self, token: &Token, (is_key, is_assigned): (bool, bool), around: &mut [Around]) {
        let span = match token.class {
            TokenClass::Text => self.unquoted(token.span()),
            _ => token.span(),
        };
        let is_key = is_key || is_assigned;
        let mut mention = Mention {
            span: span.clone(),
            is_key,
            is_assigned,
            around: around.to_vec(),
        };
        if let Some((bracket, key)) = around.last_mut() {
            if is_key {
                *key = Some(span);
                mention.around.last_mut().into_iter().for_each(|own| own.1 = None);
            } else if token.class == TokenClass::Text {
                // A phase is called by its name, and what a function takes is for what it names.
                let names = match key {
                    Some(key) => self.is(key, "phase"),
                    None => self.source.text[*bracket..].starts_with('('),
                };
                self.names.extend(names.then_some((*bracket, span)));
            }
        }
        let text = &self.source.text[mention.span.clone()];
        let between = |c: char| !c.is_alphanumeric() && c != '_';
        let mut words: Vec<&str> = text.split_whitespace().chain(text.split(between)).collect();
        words.push(text);
        words.sort_unstable();
        words.dedup();
        for word in words {
            let of_word = self.by_word.entry(word.to_owned()).or_default();
            of_word.push(self.mentions.len());
        }
        self.mentions.push(mention);
    }

    fn unquoted(&self, span: Range<usize>) -> Range<usize> {
        let text = &self.source.text[span.clone()];
        let quote = |c: char| matches!(c, '"' | '`' | '\'' | '#');
        let start = span.end - text.trim_start_matches(quote).len();
        start..(span.start + text.trim_end_matches(quote).len()).max(start)
    }

    fn is(&self, span: &Range<usize>, word: &str) -> bool {
        self.source.text[span.clone()] == *word
    }

    /// Returns the number of brackets between a word and the part around it with this name; `None` where there is no
    /// such part.
    fn below(&self, mention: &Mention, name: &str) -> Option<usize> {
        let is_it = |(bracket, key): &Around| {
            let mut called = self.names.iter().filter(|(of, _)| of == bracket);
            key.as_ref().is_some_and(|key| self.is(key, name)) || called.any(|(_, it)| self.is(it, name))
        };
        mention.around.iter().rev().position(is_it)
    }

    /// The best mention of what is said within things of these names, and how it is to be weighed against those of
    /// other layers: the least is the best, and the first tells whether it is none that is certain.
    fn best(
        &self,
        part: DeclarationPart<'_>,
        within: &[String],
        layer: usize,
    ) -> Option<(Weight, Range<usize>)> {
        let (key, word) = match part {
            DeclarationPart::All => return None,
            DeclarationPart::Key(word) => (None, word),
            DeclarationPart::Text(key, word) => (Some(key), word),
        };
        let of_word = self.by_word.get(word).into_iter().flatten();
        let weighed = of_word.filter_map(|mention| {
            let mention = &self.mentions[*mention];
            let whole = self.is(&mention.span, word);
            let from = match whole {
                true => 0,
                false => find_word(&self.source.text[mention.span.clone()], word)?,
            };
            let start = mention.span.start + from;
            let is_inside = self.function.contains(&start);
            let fits = match key {
                Some(key) => !mention.is_key && self.below(mention, key).is_some(),
                None => whole && mention.is_key && (is_inside || !mention.is_assigned),
            };
            // Elsewhere in the file a word may be anything.
            if !fits && !is_inside {
                return None;
            }
            let inner = within.last().map(|name| self.below(mention, name));
            let met = within.iter().filter(|name| self.below(mention, name).is_some());
            // What stands behind another key is hardly what is meant.
            let elsewhere = !fits && mention.around.last().is_some_and(|(_, key)| key.is_some());
            let weight = (
                (!fits, elsewhere, !whole),
                matches!(inner, Some(None)),
                layer,
                !is_inside,
                Reverse(met.count()),
                inner.flatten().unwrap_or(mention.around.len()),
            );
            Some((weight, start..start + word.len()))
        });
        weighed.min_by_key(|(weight, span)| (*weight, span.start))
    }
}

type Weight = ((bool, bool, bool), bool, usize, bool, Reverse<usize>, usize);

/// Finds the place where something is said in a function's layers, outermost first, and the layer. `None` where it is
/// not written out.
pub(super) fn find(
    layers: &[ScriptWords],
    part: DeclarationPart<'_>,
    within: &[String],
) -> Option<(usize, Range<usize>)> {
    let best = |part| {
        let found = layers.iter().enumerate();
        let found = found.filter_map(|(layer, script)| {
            let (weight, span) = script.best(part, within, layer)?;
            Some((weight, layer, span))
        });
        found.min_by_key(|(weight, ..)| *weight)
    };
    let found = best(part);
    let is_certain = |found: &(Weight, usize, Range<usize>)| !found.0.0.0;
    // A function or a list may have taken it.
    let is_likely = |found: &(Weight, usize, Range<usize>)| found.0.0 <= (true, false, false);
    let found = match part {
        // What stands behind the key is worked out.
        DeclarationPart::Text(key, _) if !found.as_ref().is_some_and(is_likely) => {
            best(DeclarationPart::Key(key)).filter(is_certain).or(found)
        }
        _ => found,
    };
    found.map(|(_, layer, span)| (layer, span))
}
