//! Chance: where the dice of a roll come from.
//!
//! The sources are a chain, each wrapping the next: dice enumerated by whoever answers (odds, search), dice forced by hand,
//! dice that a scenario states, and dice keyed by the seed. The first source that has dice for a roll decides it.

use super::{Answerer, Forced, Halt, PendingRoll};
use crate::dice::{Pool, RollKey};
use crate::ids::UnitId;
use crate::rules::Rules;
use crate::spot::Point;
use crate::throws::{Landing, ThrowCache};
use crate::world::World;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rolls and throws that a scenario states.
#[derive(Debug, Clone, Default)]
pub struct Stated {
    /// Rolls by label, each a list of dice.
    pub rolls: BTreeMap<String, Vec<Vec<i64>>>,
    /// Results of throws by label.
    pub throws: BTreeMap<String, Vec<StatedThrow>>,
    /// Whether rolls beyond the stated ones come from the seed, rather than being an error: somebody plays on.
    pub rolls_may_end: bool,
}

/// A result of a throw that a scenario states, as it is written and as it happens to a die that is thrown at a spot.
#[derive(Debug, Clone)]
pub struct StatedThrow {
    /// As it is written.
    pub text: String,
    /// Function that gives the result of the text.
    pub happens: LandingOf,
}

/// Function that gives the landing stated by a text for a die thrown in a world at a spot, or the reason why it is
/// impossible, in one sentence.
pub type LandingOf = fn(&str, &Rules, &World, (UnitId, Point)) -> Result<Landing, String>;

/// All that decides the dice of a table, besides the seed and whoever answers.
#[derive(Debug, Default)]
pub struct Chance {
    /// Rolls and throws that the scenario states.
    pub stated: Arc<Stated>,
    /// Whether a roll for which the stated one is missing or does not fit comes from the seed, rather than being an
    /// error: other rules roll otherwise than the scenario foresaw.
    pub may_miss: bool,
    /// Impossible stated roll or throw, if the table has halted for it.
    pub misstated: Option<Misstated>,
    /// Number of stated rolls of each label, then of stated throws, that were used.
    pub(super) used: Vec<u16>,
    /// Dice that wait for their roll.
    pub(super) forced: Vec<Forced>,
    /// Cache of earlier throws.
    pub(super) throws: ThrowCache,
}

/// A stated roll or throw that is missing or impossible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misstated {
    /// The label of the roll or throw.
    pub label: String,
    /// Its index among those stated for the label; for a missing one the index after the last.
    pub nth: usize,
    /// The reason, in one sentence.
    pub why: String,
}

/// A source of dice.
trait Source {
    /// Returns the dice of a roll: its own, or else those of the source that it wraps.
    fn roll(&mut self, roll: &PendingRoll<'_>) -> Result<Pool, Misstated>;
}

/// Dice of the seed, by a key of what is rolled.
struct Keyed<K>(K);

impl<K: Fn() -> RollKey> Source for Keyed<K> {
    fn roll(&mut self, roll: &PendingRoll<'_>) -> Result<Pool, Misstated> {
        Ok(Pool::roll((self.0)(), roll.dice, roll.sides))
    }
}

/// Dice that a scenario states.
struct StatedDice<'a, S> {
    stated: &'a Stated,
    used: &'a mut [u16],
    may_miss: bool,
    next: S,
}

impl<S: Source> Source for StatedDice<'_, S> {
    fn roll(&mut self, roll: &PendingRoll<'_>) -> Result<Pool, Misstated> {
        let mut list = StatedList {
            entries: &self.stated.rolls,
            used: self.used,
            may_miss: self.may_miss,
            may_end: self.stated.rolls_may_end,
            names: ["rolls", "scripted"],
        };
        let Some((values, nth)) = list.next(roll.label)? else {
            return self.next.roll(roll);
        };
        match Pool::new(values).filter(|pool| roll.fits(pool)) {
            Some(pool) => Ok(pool),
            None if self.may_miss => self.next.roll(roll),
            None => Err(Misstated {
                label: roll.label.to_owned(),
                nth,
                why: format!(
                    "the scripted roll {values:?} for `{}` does not fit: {} dice with {} sides are rolled",
                    roll.label, roll.dice, roll.sides
                ),
            }),
        }
    }
}

impl<S> StatedDice<'_, S> {
    /// Passes over the next stated roll of a label: other dice take its place.
    fn skip(&mut self, label: &str) {
        let mut rolls = self.stated.rolls.iter().zip(&mut *self.used);
        if let Some(((_, rolls), used)) = rolls.find(|((l, _), _)| l.as_str() == label)
            && usize::from(*used) < rolls.len()
        {
            *used += 1;
        }
    }
}

/// Dice that are forced by hand; they take the place of stated ones.
struct ForcedDice<'a, S> {
    forced: &'a mut Vec<Forced>,
    next: StatedDice<'a, S>,
}

impl<S: Source> Source for ForcedDice<'_, S> {
    fn roll(&mut self, roll: &PendingRoll<'_>) -> Result<Pool, Misstated> {
        let fits = |forced: &Forced| forced.label == roll.word && roll.fits(&forced.dice);
        match self.forced.iter().position(fits) {
            Some(index) => {
                self.next.skip(roll.label);
                Ok(self.forced.remove(index).dice)
            }
            None => self.next.roll(roll),
        }
    }
}

/// Dice of whoever answers, such as all dice in turn.
struct Enumerated<'a, S> {
    answerer: &'a mut dyn Answerer,
    next: S,
}

impl<S: Source> Source for Enumerated<'_, S> {
    fn roll(&mut self, roll: &PendingRoll<'_>) -> Result<Pool, Misstated> {
        match self.answerer.rolls(roll).filter(|pool| roll.fits(pool)) {
            Some(pool) => Ok(pool),
            None => self.next.roll(roll),
        }
    }
}

impl PendingRoll<'_> {
    /// Whether dice can be those of the roll.
    fn fits(&self, pool: &Pool) -> bool {
        pool.len() == self.dice && pool.values().all(|value| (1..=self.sides).contains(&value))
    }
}

/// The entries that a scenario states by label, with the number of those that were used.
struct StatedList<'a, T> {
    entries: &'a BTreeMap<String, Vec<T>>,
    used: &'a mut [u16],
    may_miss: bool,
    /// Whether they may run out; those beyond are still counted.
    may_end: bool,
    /// Words for the entries in messages, such as `rolls` that are `scripted`.
    names: [&'static str; 2],
}

impl<'a, T> StatedList<'a, T> {
    /// Returns the next entry under a label, with its index; `None` where there is none, or where they may run out.
    fn next(&mut self, label: &str) -> Result<Option<(&'a T, usize)>, Misstated> {
        let mut labels = self.entries.iter().enumerate();
        let Some((index, (_, entries))) = labels.find(|(_, (known, _))| *known == label) else {
            return Ok(None);
        };
        let used = &mut self.used[index];
        let nth = usize::from(*used);
        match entries.get(nth) {
            Some(next) => {
                *used += 1;
                Ok(Some((next, nth)))
            }
            None if self.may_miss => Ok(None),
            None if self.may_end => {
                *used = used.saturating_add(1);
                Ok(None)
            }
            None => {
                let (nth, [rolls, stated]) = (entries.len(), self.names);
                let why = format!("more {rolls} for `{label}` than the {nth} that are {stated}");
                let label = label.to_owned();
                Err(Misstated { label, nth, why })
            }
        }
    }
}

impl Chance {
    /// Returns the dice of a roll. `key` is computed only where the dice come from the seed.
    pub(super) fn roll(
        &mut self,
        roll: &PendingRoll<'_>,
        answerer: &mut dyn Answerer,
        key: impl Fn() -> RollKey,
    ) -> Result<Pool, Misstated> {
        let stated = StatedDice {
            stated: &self.stated,
            used: &mut self.used,
            may_miss: self.may_miss,
            next: Keyed(key),
        };
        let forced = &mut self.forced;
        let next = ForcedDice { forced, next: stated };
        Enumerated { answerer, next }.roll(roll)
    }

    /// Returns dice that nobody can state or force: those of whoever answers, or else of the seed.
    pub(super) fn hand(
        roll: &PendingRoll<'_>,
        answerer: &mut dyn Answerer,
        key: impl Fn() -> RollKey,
    ) -> Result<Pool, Misstated> {
        let next = Keyed(key);
        Enumerated { answerer, next }.roll(roll)
    }

    /// Returns the throw that the scenario states next for a label, with its index.
    pub(super) fn stated_throw(&mut self, label: &str) -> Result<Option<(StatedThrow, usize)>, Misstated> {
        let rolls = self.stated.rolls.len();
        let mut list = StatedList {
            entries: &self.stated.throws,
            used: self.used.get_mut(rolls..).unwrap_or_default(),
            may_miss: self.may_miss,
            may_end: false,
            names: ["throws", "stated"],
        };
        let next = list.next(label)?;
        Ok(next.map(|(throw, nth)| (throw.clone(), nth)))
    }

    /// Keeps why a stated roll or throw is impossible, for which the table halts.
    pub(super) fn misstate<T>(&mut self, misstated: Misstated) -> Result<T, Halt> {
        let why = misstated.why.clone();
        self.misstated = Some(misstated);
        Err(Halt::Rule(why))
    }

    /// Returns the number of throws stated by the scenario for a label that were already thrown.
    pub fn throws_used(&self, label: &str) -> usize {
        let index = self.stated.throws.keys().position(|known| known == label);
        let used = index.and_then(|index| self.used.get(self.stated.rolls.len() + index));
        used.copied().unwrap_or(0).into()
    }

    /// Returns the dice that still wait for their roll.
    pub fn forced(&self) -> &[Forced] {
        &self.forced
    }

    /// Returns the labels of which more was rolled than is stated, with how many rolls are.
    pub fn beyond_stated(&self) -> impl Iterator<Item = (&str, usize)> {
        let labels = self.stated.rolls.iter().zip(&self.used);
        let beyond = labels.filter(|((_, rolls), used)| usize::from(**used) > rolls.len());
        beyond.map(|((label, rolls), _)| (label.as_str(), rolls.len()))
    }

    /// Returns the number of stated rolls of each label used so far, in the order of the labels, and then of stated
    /// throws; more rolls than there are where the seed went on.
    pub fn used(&self) -> &[u16] {
        &self.used
    }
}
