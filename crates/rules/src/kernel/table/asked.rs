//! A question, a roll and a throw as those see them who answer: players, scenarios, agents, odds.

use crate::kernel::choice::{NONE, Opt, Request, StepId};
use crate::kernel::dice::Pool;
use crate::kernel::ids::{PlaceSet, UnitName};
use crate::kernel::region;
use crate::kernel::rules::{NameHashes, Rules, Words};
use crate::kernel::thrown::Told;
use crate::kernel::world::World;

/// So many options are told where one that is not there was wanted.
const KEYS_TOLD: usize = 200;
/// And so many spots of a region.
const SPOTS_TOLD: usize = 6;

/// What an [`Answerer`] says to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The option of this index.
    Take(usize),
    /// This spot or number, of those that are offered besides the options.
    Other(Opt),
    /// Nobody answers now: unwind, and run the step again when the answer is there.
    Wait,
    /// A stored answer does not fit the question.
    Stop(NoFit),
}

/// Why an answer does not fit: the reason, and what is offered instead, where that is told with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NoFit {
    /// The reason, in one sentence.
    pub why: String,
    /// What is offered.
    pub offered: Option<String>,
    /// What may be meant.
    pub hint: Option<String>,
}

impl NoFit {
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

impl From<String> for NoFit {
    fn from(why: String) -> Self {
        Self {
            why,
            ..Self::default()
        }
    }
}

impl std::fmt::Display for NoFit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.why)?;
        if let Some(offered) = &self.offered {
            write!(f, "; offered: {offered}")?;
        }
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

/// A question with all that it takes to read it.
pub struct Asked<'a> {
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

impl Asked<'_> {
    /// The readable key of an option.
    pub fn key(&self, option: Opt) -> String {
        match option {
            Opt::Many(_) => {
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

    /// What is offered, as messages tell it; of many only the first, and how many more there are.
    pub fn offered(&self) -> String {
        let options = &self.request.options;
        let keys = options.iter().map(|o| self.key(o));
        if options.is_region() {
            let told: Vec<String> = keys.take(SPOTS_TOLD).collect();
            return format!("{}, or another spot that can be reached", told.join(", "));
        }
        let mut told: Vec<String> = keys.take(KEYS_TOLD).collect();
        if options.len() > told.len() {
            told.push(format!("and {} more", options.len() - told.len()));
        }
        told.extend(options.numbers().map(|range| format!("or {}", any_number(range))));
        told.extend(options.region().map(|region| format!("or {}", region.forms())));
        told.join(", ")
    }

    /// An answer that does not fit, for this reason, with what is offered.
    pub fn no_fit(&self, why: String) -> NoFit {
        NoFit {
            why,
            offered: Some(self.offered()),
            hint: None,
        }
    }

    /// What a text says of what is offered: an option by its key, a spot of the region, or a number.
    ///
    /// # Errors
    ///
    /// It is none.
    pub fn read(&self, text: &str) -> Result<Reply, NoFit> {
        if let Some(index) = self.request.options.iter().position(|o| self.key(o) == text) {
            return Ok(Reply::Take(index));
        }
        let options = &self.request.options;
        match (options.region(), options.numbers()) {
            (Some(region), _) if options.is_region() || region::is_spot(text) => {
                let spot = region.read(self.rules, self.world, text)?;
                Ok(Reply::Other(Opt::Point(spot)))
            }
            (_, Some(range)) if is_number(text) => {
                let number = text.parse().ok().map(Opt::Number);
                let number = number.filter(|number| options.allows(*number));
                number.map(Reply::Other).ok_or_else(|| {
                    format!("`{text}` is not offered; offered is {}", any_number(range)).into()
                })
            }
            _ => Err(self.no_fit(format!("`{text}` is not offered"))),
        }
    }

    /// The readable keys of all options, in their order.
    pub fn keys(&self) -> Vec<String> {
        self.request.options.iter().map(|o| self.key(o)).collect()
    }

    /// Where the board cuts off what is offered: gaps are, and this ground lies at its edge.
    pub fn cut_off_at(&self) -> PlaceSet {
        let ground = self.world.ground();
        let gap = |o: Opt| matches!(o, Opt::Place(place) if !ground.contains(place));
        match self.request.options.iter().any(gap) {
            true => ground
                .iter()
                .filter(|&p| self.rules.board.is_at_the_edge(p))
                .collect(),
            false => PlaceSet::EMPTY,
        }
    }

    /// The text of the label.
    pub fn label(&self) -> &str {
        self.words.text(self.request.label)
    }

    /// The label's text hash, as keys mix it in.
    #[inline]
    pub fn label_hash(&self) -> u64 {
        self.words.hash(self.request.label)
    }
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

/// A roll that is about to be made.
pub struct Rolling<'a> {
    /// What for.
    pub label: &'a str,
    /// How many dice.
    pub dice: usize,
    /// Of how many sides.
    pub sides: i64,
    /// How many answers were given in the step before it.
    pub answers: usize,
    /// Whether the dice are not read but decide how a die flies that is thrown.
    pub throw: bool,
}

/// A throw that is about to be made.
pub struct Throwing<'a> {
    /// The game's declared data.
    pub rules: &'a Rules,
    /// The step in which it is made.
    pub step: StepId,
    /// The die.
    pub unit: UnitName,
    /// What for.
    pub label: &'a str,
    /// How often it was thrown for that before in the step.
    pub nth: u32,
}

/// Whoever answers questions at once, without unwinding.
pub trait Answerer {
    /// Answers, or says that it cannot.
    fn answer(&mut self, asked: &Asked<'_>) -> Reply;

    /// Hears of a question with a single option, which answers itself.
    ///
    /// # Errors
    ///
    /// A stored answer does not fit the option: why.
    fn answered_itself(&mut self, _asked: &Asked<'_>) -> Result<(), NoFit> {
        Ok(())
    }

    /// What a roll shows, for those who decide dice too; `None` leaves it to scripts' and seed's
    /// dice. A pool that does not fit the roll is not taken.
    fn rolls(&mut self, _roll: &Rolling<'_>) -> Option<Pool> {
        None
    }

    /// What came of a throw, for those who have it on record; `None` leaves it to the engine.
    fn throws(&mut self, _throw: &Throwing<'_>) -> Option<Told> {
        None
    }
}

/// The source that never answers: every question waits.
pub struct NoAnswerer;

impl Answerer for NoAnswerer {
    fn answer(&mut self, _: &Asked<'_>) -> Reply {
        Reply::Wait
    }
}
