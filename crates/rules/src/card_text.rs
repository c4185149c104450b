//! Card text: the sentences of `card()` that players read, with the numbers in braces worked out.

use super::declare::problems as declared;
use super::declare::{Dial, DialValue, find_word};
use super::layers::{Layers, ScriptOf};
use super::load::Loading;
use super::problems;
use super::run::context::Program;
use super::run::fault::Failure;
use super::run::view::ValueView;
use crate::kernel::rules::Rules;
use crate::parse::UsedName;
use crate::report::{Problem, hint_for};
use rhai::Expr;
use std::collections::BTreeSet;

/// Name of the function that returns the card text of a script.
pub const CARD: &str = "card";

/// Card text of a script.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CardText {
    /// The paragraphs: the lines of the text that are not empty.
    pub paragraphs: Vec<String>,
    /// Names of the stats and dials that it writes in braces.
    names: BTreeSet<String>,
}

/// The card texts of a ruleset.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CardTexts {
    /// By script, in the order of [`Layers::scripts`]; `None` for a script without `card()`.
    by_script: Vec<Option<CardText>>,
    /// Names of the stats that cards leave out.
    pub unprinted: BTreeSet<String>,
}

/// Reads the card texts of all scripts. Problems of the texts are added to `found`.
pub(super) fn read(
    loading: &mut Loading<'_>,
    rules: &Rules,
    dials: &[Dial],
    to_problem: &dyn Fn(&Failure, &Program) -> Problem,
    found: &mut Vec<Problem>,
) -> CardTexts {
    let layers = loading.layers;
    let mut cards = CardTexts::default();
    for script in 0..layers.scripts.len() {
        if let Some(Ok(stats)) = loading.declared(script, "stats") {
            let mut reader = layers.reader(script, "stats");
            for stat in reader.stats(stats).unprinted {
                match rules.stats.contains(&stat) {
                    true => drop(cards.unprinted.insert(stat)),
                    false => reader.unknown_name(
                        ("unprinted", &stat),
                        "stat",
                        rules.stats.iter().map(String::as_str),
                    ),
                }
            }
            found.append(&mut reader.problems);
        }
        let written = match loading.declared(script, CARD) {
            None => None,
            Some(Ok(ValueView::Text(text))) => Some(text),
            Some(Ok(other)) => {
                let problem = declared::wrong_kind("card()", "a text", other.kind().noun());
                found.push(at_text(layers, script, CARD, problem));
                None
            }
            Some(Err(failure)) => {
                found.push(to_problem(&failure, &loading.program));
                None
            }
        };
        let card = written.map(|text| filled(layers, script, &text, dials, found));
        cards.by_script.push(card);
    }
    cards
}

/// The text with its braces worked out.
fn filled(layers: &Layers, script: usize, text: &str, dials: &[Dial], found: &mut Vec<Problem>) -> CardText {
    let mut card = CardText::default();
    let prefix = match layers.scripts[script].of {
        ScriptOf::Game => None,
        _ => Some(layers.scripts[script].name.as_str()),
    };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let mut paragraph = String::new();
        let mut rest = line;
        while let Some((before, braced)) = rest.split_once('{') {
            paragraph.push_str(before);
            let Some((inside, after)) = braced.split_once('}') else {
                found.push(at_text(layers, script, braced, problems::open_card_brace()));
                rest = "";
                break;
            };
            let mut reader = NumberReader {
                all: inside,
                rest: inside,
                dials,
                prefix,
                names: &mut card.names,
            };
            match reader.whole() {
                Ok(value) => paragraph.push_str(&value),
                Err(wrong) => found.push(at_text(layers, script, wrong.0, wrong.1)),
            }
            rest = after;
        }
        paragraph.push_str(rest);
        card.paragraphs.push(paragraph);
    }
    card
}

/// The problem at the place of a part of the card text: in the outermost layer that has it within braces.
fn at_text(layers: &Layers, script: usize, part: &str, problem: Problem) -> Problem {
    let stack = layers.scripts[script].declaration(CARD).iter().rev();
    let mut origins: Vec<_> = stack.map(|layer| layers.origin(*layer)).collect();
    let found = origins.iter().find_map(|(source, name)| {
        let text = &source.text[name.end..];
        let end = text.find("\n}").unwrap_or(text.len());
        let braces = text[..end].match_indices('{').skip(1);
        let mut braces =
            braces.map(|(open, _)| (open, text[open..end].find('}').map_or(end, |to| open + to)));
        braces.find_map(|(open, close)| {
            let at = find_word(&text[open..close], part).or_else(|| text[open..close].find(part))?;
            let start = name.end + open + at;
            Some((source.clone(), start..start + part.len()))
        })
    });
    match found.or_else(|| (!origins.is_empty()).then(|| origins.swap_remove(0))) {
        Some((source, span)) => problem.at(&source, span),
        None => problem,
    }
}

/// Reader of an expression in braces: stats, dials and whole numbers, with `+ - * /` and brackets.
struct NumberReader<'a> {
    all: &'a str,
    rest: &'a str,
    dials: &'a [Dial],
    /// The unit type or terrain whose stats need no prefix.
    prefix: Option<&'a str>,
    names: &'a mut BTreeSet<String>,
}

/// A part of the expression, and what is wrong with it.
type WrongPart<'a> = Box<(&'a str, Problem)>;

impl<'a> NumberReader<'a> {
    /// The value of the whole expression, as players read it.
    fn whole(&mut self) -> Result<String, WrongPart<'a>> {
        let name = self.all.trim();
        if name.starts_with(is_letter) && name.chars().all(is_inner) {
            // Words of dials are names; players read them with spaces.
            return Ok(self.value_of(name)?.to_string().replace('_', " "));
        }
        let number = self.sum()?;
        self.skip_blanks();
        if !self.rest.is_empty() {
            return Err(self.no_number());
        }
        let unworkable = || Box::new((self.all, problems::unworkable_card_number(self.all)));
        Ok(number.ok_or_else(unworkable)?.to_string())
    }

    fn no_number(&self) -> WrongPart<'a> {
        Box::new((self.all, problems::wrong_card_number(self.all)))
    }

    /// The value; `None` where it divides by 0 or is too large.
    fn sum(&mut self) -> Result<Option<i64>, WrongPart<'a>> {
        let mut sum = self.product()?;
        while let Some(sign) = self.takes(['+', '-']) {
            let other = self.product()?;
            sum = sum.zip(other).and_then(|(a, b)| match sign {
                '+' => a.checked_add(b),
                _ => a.checked_sub(b),
            });
        }
        Ok(sum)
    }

    fn product(&mut self) -> Result<Option<i64>, WrongPart<'a>> {
        let mut product = self.factor()?;
        while let Some(sign) = self.takes(['*', '/']) {
            let other = self.factor()?;
            product = product.zip(other).and_then(|(a, b)| match sign {
                '*' => a.checked_mul(b),
                _ => a.checked_div(b),
            });
        }
        Ok(product)
    }

    fn factor(&mut self) -> Result<Option<i64>, WrongPart<'a>> {
        if self.takes(['(']).is_some() {
            // Deep brackets are no text that people write.
            let is_deep = self.all.matches('(').count() > 16;
            let inside = if is_deep { None } else { self.sum()? };
            let is_closed = self.takes([')']).is_some();
            return if is_closed {
                Ok(inside)
            } else {
                Err(self.no_number())
            };
        }
        self.skip_blanks();
        let word = self.rest.split(|c| !is_inner(c)).next().unwrap_or_default();
        self.rest = &self.rest[word.len()..];
        if word.starts_with(is_letter) {
            return match self.value_of(word)? {
                DialValue::Number(number) => Ok(Some(number)),
                DialValue::Word(_) => Err(self.no_number()),
            };
        }
        word.parse().map(Some).map_err(|_| self.no_number())
    }

    /// The value of a stat or dial. A stat of this script goes before a dial of the game.
    fn value_of(&mut self, name: &'a str) -> Result<DialValue, WrongPart<'a>> {
        let own = self.prefix.map(|prefix| format!("{prefix}.{name}"));
        let is = |dial: &&Dial, name: &str| dial.name == name || dial.name.replace('.', "_") == name;
        let mut dials = self.dials.iter();
        let found = own.and_then(|own| dials.find(|dial| dial.name == own));
        let found = found.or_else(|| self.dials.iter().find(|dial| is(dial, name)));
        if let Some(dial) = found {
            self.names.insert(name.to_owned());
            return Ok(dial.value.clone());
        }
        let known = self.dials.iter().map(|dial| {
            let own = self
                .prefix
                .and_then(|prefix| dial.name.strip_prefix(prefix)?.strip_prefix('.'));
            own.unwrap_or(&dial.name)
        });
        Err(Box::new((
            name,
            declared::unknown_name("stat or dial", name).hint(hint_for(name, known)),
        )))
    }

    fn takes<const N: usize>(&mut self, signs: [char; N]) -> Option<char> {
        self.skip_blanks();
        let sign = self.rest.chars().next().filter(|c| signs.contains(c))?;
        self.rest = &self.rest[sign.len_utf8()..];
        Some(sign)
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_inner(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.')
}

impl CardTexts {
    /// The paragraphs of a script's card text; none for a script without `card()`.
    pub fn paragraphs(&self, layers: &Layers, of: ScriptOf, name: &str) -> Vec<String> {
        let mut scripts = layers.scripts.iter().zip(&self.by_script);
        let card =
            scripts.find(|(script, _)| script.of == of && (of == ScriptOf::Game || script.name == name));
        card.and_then(|(_, card)| card.as_ref())
            .map_or_else(Vec::new, |card| card.paragraphs.clone())
    }

    /// Sentences about what players need and no card tells: scripts with rules and without `card()`, stats that no text
    /// explains, and questions of unit types and terrain that no text names. Empty for a game without any card text.
    pub(super) fn untold(&self, layers: &Layers, rules: &Rules) -> Vec<String> {
        let written: Vec<&CardText> = self.by_script.iter().flatten().collect();
        if written.is_empty() {
            return Vec::new();
        }
        let all = written.iter().flat_map(|card| &card.paragraphs);
        let all: String = all.map(|text| text.to_lowercase() + "\n").collect();
        let is_told = |words: &str| find_word(&all, &words.to_lowercase()).is_some();
        let mut found = Vec::new();
        for text in layers.texts.iter().filter(|text| text.about.is_none()) {
            let mut scripts = layers.scripts.iter().zip(&self.by_script);
            let script = scripts.find(|(script, _)| script.of == text.of && script.name == text.name);
            let acts = || text.parsed.fns.iter().any(|f| !text.of.declares(&f.name));
            if text.of != ScriptOf::Game && script.is_some_and(|(_, card)| card.is_none()) && acts() {
                found.push(format!("{} has rules and no `card()`", text.parsed.source.name));
            }
        }
        for (index, stat) in rules.stats.iter().enumerate() {
            let units = rules.types.iter().map(|kind| kind.stats[index]);
            let terrains = rules.terrains.iter().map(|kind| kind.stats[index]);
            let is_shown = units.chain(terrains).flatten().any(|value| value != 0)
                && !rules.flags[index]
                && !self.unprinted.contains(stat);
            let names = || written.iter().flat_map(|card| &card.names);
            let is_named = || names().any(|name| name.rsplit('.').next() == Some(stat));
            if is_shown && !is_named() && !is_told(&stat.replace('_', " ")) {
                found.push(format!("no card text explains the stat `{stat}`"));
            }
        }
        let takers = label_takers(layers);
        let mut asked = BTreeSet::new();
        for (index, text) in layers.texts.iter().enumerate() {
            for quoted in text.parsed.quoted() {
                let UsedName::Taken(function, nth, _) = &quoted.used else {
                    continue;
                };
                let script = layers.around(index, quoted.at);
                let script = script.map_or(ScriptOf::Game, |(_, place)| layers.scripts[place.script].of);
                if script != ScriptOf::Game
                    && takers.contains(&(function.clone(), *nth))
                    && !is_told(&quoted.name)
                    && asked.insert(&quoted.name)
                {
                    let file = &text.parsed.source.name;
                    found.push(format!(
                        "no card text names `{}`, which {file} asks about",
                        quoted.name
                    ));
                }
            }
        }
        found
    }
}

/// The functions to which a label of a question is passed, each with the argument that is the label: `choose`, and
/// those that pass a parameter of theirs on.
fn label_takers(layers: &Layers) -> BTreeSet<(String, usize)> {
    let mut takers: BTreeSet<(String, usize)> = [1, 2].map(|nth| ("choose".to_owned(), nth)).into();
    loop {
        let before = takers.len();
        for text in &layers.texts {
            let mut more = Vec::new();
            text.parsed.each_call(&mut |call, method, at| {
                let Some(function) = text.parsed.around(at) else {
                    return;
                };
                for (nth, arg) in call.args.iter().enumerate() {
                    let Expr::Variable(variable, ..) = arg else {
                        continue;
                    };
                    let params = &text.parsed.fns[function].params;
                    let param = params.iter().position(|param| *param == variable.1.as_str());
                    if let Some(param) = param
                        && takers.contains(&(call.name.to_string(), nth + usize::from(method)))
                    {
                        more.push((text.parsed.fns[function].name.clone(), param));
                    }
                }
            });
            takers.extend(more);
        }
        if takers.len() == before {
            return takers;
        }
    }
}
