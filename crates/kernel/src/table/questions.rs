//! A question, a roll and a throw as those see them who answer: players, scenarios, agents, odds.

use crate::choice::{NONE, OfferedOption, Request, StepId};
use crate::dice::Pool;
use crate::ids::{UnitName, WordId};
use crate::rules::{NameHashes, Rules, Words};
use crate::spot::length_text;
use crate::throws::Landing;
use crate::world::World;

/// Reply of an [`Answerer`] to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The option of this index.
    Take(usize),
    /// This spot or number, of those that are offered besides the options.
    Other(OfferedOption),
    /// Nobody answers now: unwind, and run the step again when the answer is there.
    Wait,
    /// A stored answer does not fit the question.
    Stop(AnswerError),
}

/// Why an answer does not fit: the reason, and what is offered instead, where that is told with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AnswerError {
    /// The reason, in one sentence.
    pub why: String,
    /// Options that are offered.
    pub offered: Option<String>,
    /// Suggestion for the intended answer.
    pub hint: Option<String>,
}

impl AnswerError {
    /// The reason, and what may be meant, without what is offered.
    pub fn reason(&self) -> String {
        let hint = self.hint.as_deref();
        format!(
            "{}{}",
            self.why,
            hint.map_or_else(String::new, |hint| format!("; {hint}"))
        )
    }
}

impl std::fmt::Display for AnswerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.why)?;
        if let Some(options) = &self.offered {
            write!(f, "; offered: {options}")?;
        }
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl From<String> for AnswerError {
    fn from(why: String) -> Self {
        Self {
            why,
            ..Self::default()
        }
    }
}

/// A question with all that it takes to read it.
pub struct Question<'a> {
    /// The question.
    pub request: &'a Request,
    /// The game's declared data.
    pub rules: &'a Rules,
    /// The words of labels and options.
    pub words: &'a Words,
    /// Hashes of names, for keys.
    pub hashes: &'a NameHashes,
    /// The half-done world of the step.
    pub world: &'a World,
}

impl Question<'_> {
    /// The readable key of an option.
    pub fn key(&self, option: OfferedOption) -> String {
        match option {
            OfferedOption::Many(_) => {
                let things = self.request.options.things_of(option);
                let keys: Vec<String> = things.into_iter().map(|thing| self.key(thing)).collect();
                match keys.is_empty() {
                    true => NONE.to_owned(),
                    false => keys.join(" "),
                }
            }
            one => one.key(self.rules, self.words, self.world),
        }
    }

    /// The readable keys of all options, in their order.
    pub fn keys(&self) -> Vec<String> {
        self.request.options.iter().map(|o| self.key(o)).collect()
    }

    /// The text of the label.
    pub fn label(&self) -> &str {
        self.words.text(self.request.label)
    }

    /// The numbers that are shown with the question, such as `distance 7.5, range 4`; empty where there are none.
    pub fn beside(&self) -> String {
        let parts = self.request.beside.iter();
        let parts =
            parts.map(|(name, number)| format!("{} {}", self.words.text(*name), length_text(*number)));
        parts.collect::<Vec<_>>().join(", ")
    }

    /// The label's text hash, as keys mix it in.
    #[inline]
    pub fn label_hash(&self) -> u64 {
        self.words.hash(self.request.label)
    }
}

/// A roll that is about to be made.
pub struct PendingRoll<'a> {
    /// Purpose, in the script's words.
    pub label: &'a str,
    /// The same by its id.
    pub word: WordId,
    /// Number of dice.
    pub dice: usize,
    /// Of how many sides.
    pub sides: i64,
    /// Number of answers given in the step before it.
    pub answers: usize,
    /// Whether the dice are not read but decide how a die flies that is thrown.
    pub throw: bool,
}

/// A throw that is about to be made.
pub struct PendingThrow<'a> {
    /// The game's declared data.
    pub rules: &'a Rules,
    /// The step in which it is made.
    pub step: StepId,
    /// The die.
    pub unit: UnitName,
    /// Purpose, in the script's words.
    pub label: &'a str,
    /// Number of earlier throws for the same purpose in the step.
    pub nth: u32,
}

/// Source that answers questions at once, without unwinding.
pub trait Answerer {
    /// Answers, or says that it cannot.
    fn answer(&mut self, question: &Question<'_>) -> Reply;

    /// Hears of a question with a single option, which answers itself.
    ///
    /// # Errors
    ///
    /// A stored answer does not fit the option: why.
    fn answered_itself(&mut self, _asked: &Question<'_>) -> Result<(), AnswerError> {
        Ok(())
    }

    /// Returns the dice of a roll, for sources that decide dice too; `None` leaves it to scripts' and seed's dice. A
    /// pool that does not fit the roll is not taken.
    fn rolls(&mut self, _roll: &PendingRoll<'_>) -> Option<Pool> {
        None
    }

    /// Returns the result of a throw, for sources that have it recorded; `None` leaves it to the engine.
    fn throws(&mut self, _throw: &PendingThrow<'_>) -> Option<Landing> {
        None
    }
}

/// The source that never answers: every question waits.
pub struct NoAnswerer;

impl Answerer for NoAnswerer {
    fn answer(&mut self, _: &Question<'_>) -> Reply {
        Reply::Wait
    }
}
