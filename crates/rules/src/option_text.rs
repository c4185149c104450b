//! Options of a question as people write and read them (keys, numbers, spots and the ways to them), and the reasons why
//! an answer is not offered.

pub use crate::grounds::region::{is_spot, piece_name, pieces};
use crate::kernel::choice::{OfferedOption, PickCount};
use crate::kernel::ground::Region;
use crate::kernel::ids::{FactionId, PlaceSet, RecordedThing, Thing, WordId};
use crate::kernel::rules::Rules;
use crate::kernel::spot::Point;
use crate::kernel::table::{AnswerError, Question, Reply};
use crate::kernel::world::World;
use crate::report::did_you_mean;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Maximum number of options listed in an error message when an answer does not exist.
const KEYS_TOLD: usize = 200;
/// And so many spots of a region.
const SPOTS_TOLD: usize = 6;

/// The numbers by which a player may answer. An option keeps its number while the same question is asked again in a
/// phase; one that comes later gets a number behind the others. Words, such as `done`, come last.
#[derive(Debug, Clone, Default)]
pub struct Numbers {
    /// The phase of the remembered questions.
    phase: Option<([u16; 4], u8)>,
    /// By asker, label and subject, the keys that were offered so far, by number.
    known: BTreeMap<(FactionId, WordId, RecordedThing), Vec<String>>,
}

impl Numbers {
    /// Returns the number of each option, from 1; none where options are numbers themselves, or others can be typed.
    pub fn of(&self, question: &Question<'_>, keys: &[String]) -> Vec<usize> {
        match question.have_numbers(keys) {
            // The spots of a region are proposals, and a word before them would be lost behind them.
            true if question.request.options.is_region() => (1..=keys.len()).collect(),
            true => {
                let list = self.list(question, keys);
                let nth: HashMap<&String, usize> = list.iter().zip(1..).collect();
                keys.iter().map(|key| nth[key]).collect()
            }
            false => Vec::new(),
        }
    }

    /// Returns the index of the option that a text names by its number.
    pub fn find(&self, question: &Question<'_>, keys: &[String], text: &str) -> Option<usize> {
        let number: usize = text.parse().ok()?;
        self.of(question, keys).iter().position(|&n| n == number)
    }

    /// Remembers the options of a question.
    pub fn remember(&mut self, question: &Question<'_>) {
        let options = &question.request.options;
        let keys = question.keys();
        if options.is_region() || !question.have_numbers(&keys) {
            return;
        }
        let list = self.list(question, &keys);
        let phase = phase_of(question);
        if self.phase.replace(phase) != Some(phase) {
            self.known.clear();
        }
        self.known.insert(question_of(question), list);
    }

    /// The keys by number: the known ones, then what is offered besides.
    fn list(&self, question: &Question<'_>, keys: &[String]) -> Vec<String> {
        let same_phase = self.phase == Some(phase_of(question));
        let known = self.known.get(&question_of(question)).filter(|_| same_phase);
        let mut list = known.cloned().unwrap_or_default();
        let there: HashSet<&String> = list.iter().collect();
        let new = |is_word: bool| {
            let options = question.request.options.iter().zip(keys);
            let new = options.filter(|(option, key)| {
                matches!(option, OfferedOption::Word(_)) == is_word && !there.contains(key)
            });
            new.map(|(_, key)| key.clone()).collect::<Vec<_>>()
        };
        let new = [new(false), new(true)].concat();
        list.extend(new);
        list
    }
}

/// The type in the name of a unit, without the `_` before its number.
fn type_of(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
        .trim_end_matches('_')
}

fn phase_of(question: &Question<'_>) -> ([u16; 4], u8) {
    let step = question.request.step;
    (step.path, step.phase)
}

fn question_of(question: &Question<'_>) -> (FactionId, WordId, RecordedThing) {
    let request = question.request;
    let about = match request.subject {
        Thing::Game => request.step.about,
        thing => question.world.who(thing),
    };
    (request.asker, request.label, about)
}

/// A question in words, and answers to it as people write them.
pub trait QuestionWords {
    /// Returns the options as messages list them; of many only the first, followed by the number of the others.
    fn option_list(&self) -> String;

    /// An answer that does not fit, for this reason, with what is offered.
    fn no_fit(&self, why: String) -> AnswerError;

    /// Finds the option that a text names, by these keys; several things that are taken together can be named in any
    /// order.
    fn find(&self, keys: &[String], text: &str) -> Option<usize>;

    /// Returns the options that a short name may mean: `scouts1` or `scouts` for `red.scouts1`.
    fn shortened(&self, keys: &[String], text: &str) -> Vec<usize>;

    /// Whether the options with these keys may be answered by their number.
    fn have_numbers(&self, keys: &[String]) -> bool;

    /// Reads an answer to a question from a text: an option by its key, a spot of the region, or a number.
    ///
    /// # Errors
    ///
    /// It is none.
    fn read(&self, text: &str) -> Result<Reply, AnswerError>;

    /// Returns the places at the edge of the ground if an offered place is a gap, where the board cuts off the options;
    /// otherwise none.
    fn cut_off_at(&self) -> PlaceSet;
}

impl QuestionWords for Question<'_> {
    fn option_list(&self) -> String {
        let options = &self.request.options;
        let keys = options.iter().map(|o| self.key(o));
        if options.is_region() {
            let listed: Vec<String> = keys.take(SPOTS_TOLD).collect();
            return format!("{}, or another spot that can be reached", listed.join(", "));
        }
        let mut listed: Vec<String> = keys.take(KEYS_TOLD).collect();
        if options.len() > listed.len() {
            listed.push(format!("and {} more", options.len() - listed.len()));
        }
        listed.extend(options.numbers().map(|range| format!("or {}", any_number(range))));
        listed.extend(options.region().map(|region| format!("or {}", region.forms())));
        listed.join(", ")
    }

    fn no_fit(&self, why: String) -> AnswerError {
        AnswerError {
            why,
            offered: Some(self.option_list()),
            hint: None,
        }
    }

    fn find(&self, keys: &[String], text: &str) -> Option<usize> {
        let found = keys.iter().position(|key| key == text);
        let Some(PickCount::Some(..)) = self.request.options.takes().filter(|_| found.is_none()) else {
            return found;
        };
        let words = |text: &str| {
            let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            words.sort();
            words
        };
        let wanted = words(text);
        keys.iter()
            .position(|key| key.len() == text.len() && words(key) == wanted)
    }

    fn shortened(&self, keys: &[String], text: &str) -> Vec<usize> {
        let named = |key: &String| key.split_once('.').map(|(_, name)| name.to_owned());
        let which = |means: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let named = keys.iter().map(named).enumerate();
            named
                .filter_map(|(index, name)| means(&name?).then_some(index))
                .collect()
        };
        let whole = which(&|name| name == text);
        match whole.is_empty() {
            true => which(&|name| type_of(name) == text),
            false => whole,
        }
    }

    fn have_numbers(&self, keys: &[String]) -> bool {
        self.request.options.numbers().is_none() && keys.iter().all(|k| k.parse::<i64>().is_err())
    }

    fn read(&self, text: &str) -> Result<Reply, AnswerError> {
        if let Some(index) = self.find(&self.keys(), text) {
            return Ok(Reply::Take(index));
        }
        let options = &self.request.options;
        match (options.region(), options.numbers()) {
            (Some(region), _) if options.is_region() || is_spot(text) => {
                let spot = read_spot(region.as_ref(), self.rules, self.world, text)?;
                Ok(Reply::Other(OfferedOption::Point(spot)))
            }
            (_, Some(range)) if is_number(text) => {
                let number = text.parse().ok().map(OfferedOption::Number);
                let number = number.filter(|number| options.allows(*number));
                number.map(Reply::Other).ok_or_else(|| {
                    format!("`{text}` is not offered; offered is {}", any_number(range)).into()
                })
            }
            _ => Err(self.no_fit(format!("`{text}` is not offered"))),
        }
    }

    fn cut_off_at(&self) -> PlaceSet {
        let ground = self.world.ground();
        let gap = |o: OfferedOption| matches!(o, OfferedOption::Place(place) if !ground.contains(place));
        match self.request.options.iter().any(gap) {
            true => ground
                .iter()
                .filter(|&p| self.rules.board.rim().contains(p))
                .collect(),
            false => PlaceSet::EMPTY,
        }
    }
}

/// The option that a word may be meant for, of which these are the keys: one that is spelled alike, or the first of
/// which it is a part.
pub fn near(word: &str, keys: &[String]) -> Option<String> {
    let is_part = |key: &&String| {
        let mut parts = key.split([' ', '.']);
        parts.any(|part| part.trim_end_matches(|c: char| c.is_ascii_digit()) == word)
    };
    let alike = did_you_mean(word, keys.iter().map(String::as_str));
    alike.or_else(|| keys.iter().find(is_part).filter(|_| !word.is_empty()).cloned())
}

/// Reads a spot of a region.
///
/// # Errors
///
/// A text that names none, or one that is not in the region: one sentence.
pub fn read_spot(region: &dyn Region, rules: &Rules, world: &World, text: &str) -> Result<Point, String> {
    region.read(&(rules, world), text, &|name, named| {
        did_you_mean(name, named.iter().map(String::as_str))
    })
}

/// Numbers that can be answered, in words.
pub fn any_number((from, to): (i64, i64)) -> String {
    format!("any whole number from {from} to {to}")
}

/// Whether a text is meant as a number, though perhaps as one that nobody can answer.
pub fn is_number(text: &str) -> bool {
    let digits = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    digits(text.trim_start_matches(['-', '+'])) && text.parse::<f64>().is_ok()
}
