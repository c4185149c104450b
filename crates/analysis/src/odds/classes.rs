//! Classes of outcomes, and their values to the choosing factions.

use super::Merging;
use super::fingerprint::of_world;
use super::problems::not_a_number;
use crate::kernel::dice_access::{DiceRead, DiceRecorder};
use crate::kernel::ids::{FactionId, MAX_FACTIONS, Thing, UnitSet};
use crate::kernel::rules::Rules;
use crate::kernel::world::World;
use crate::play::Play;
use crate::report::{Problem, Source};
use crate::rules::run::view::ValueView;
use std::collections::HashMap;
use std::sync::Arc;

/// Outcomes that count as one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OutcomeClass {
    /// In words.
    pub text: String,
    /// As a number, when it is one.
    pub number: Option<i64>,
    /// Value to each faction.
    pub goals: [i64; MAX_FACTIONS],
}

/// Text for outcomes that were not explored.
const LEFT: &str = "not looked at";

/// Text of the outcomes in which the event happens that is asked about.
pub const HAPPENS: &str = "it happens";
/// Text of the other outcomes.
const NEVER: &str = "it does not";

/// The number that each faction maximises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// Units that the others lose, minus its own.
    Units,
    /// The game's `worth`.
    Worth,
    /// An expression, which may contain `side`.
    Expression(Arc<Source>),
}

/// The class of a world, with what its expressions look at of the world's dice.
type JudgedWorld = (u32, Vec<(u8, DiceRead)>);

/// The classes of one question, found while looking.
pub struct Classes {
    by: Option<Arc<Source>>,
    goal: Goal,
    alive: UnitSet,
    /// The number of each of these units that hits take from, where the game has such a slot.
    unhurt: Vec<i64>,
    /// The least and the most that each faction's goal can be, where that is known.
    ranges: Option<Vec<(i64, i64)>>,
    /// Whether what one of two factions gets the other loses.
    even: bool,
    all: Vec<OutcomeClass>,
    /// The number of each.
    known: HashMap<OutcomeClass, u32>,
    left: Option<u32>,
    /// By what the units' fates alone decide: who is there, and with which numbers that hits take from.
    fates: HashMap<(UnitSet, Vec<i64>, Option<bool>), u32>,
    /// By the world, where expressions decide; with what they look at of its dice.
    worlds: HashMap<(u128, Option<bool>), JudgedWorld>,
}

/// Name by which a goal refers to the faction that has it.
pub(super) const SIDE: &str = "side";

impl Classes {
    /// The classes of what comes of a world. Without `by`, outcomes differ by who was defeated and by the damage of the
    /// others. Units stay whose they are where `loyal`.
    pub fn new(rules: &Rules, root: &World, by: Option<&str>, goal: Goal, loyal: bool) -> Self {
        let range = |faction: FactionId| {
            let all = root.alive().len() as i64;
            let own = (root.alive() & root.owned(faction)).len() as i64;
            match loyal {
                true => (-own, all - own),
                false => (-all, all),
            }
        };
        let ranges: Vec<(i64, i64)> = rules.all_factions().map(range).collect();
        // All units are one's or the other's, and stay so.
        let even = loyal && matches!(ranges[..], [one, other] if one == (-other.1, -other.0));
        Self {
            by: by.map(|by| Source::new("by", by)),
            even: even && goal == Goal::Units,
            ranges: (goal == Goal::Units).then_some(ranges),
            goal,
            alive: root.alive().clone(),
            unhurt: health(rules, root, &root.alive()),
            all: Vec::new(),
            known: HashMap::new(),
            left: None,
            fates: HashMap::new(),
            worlds: HashMap::new(),
        }
    }

    /// Forgets which world is of which class, where texts in them are forgotten.
    pub fn forget_worlds(&mut self) {
        self.worlds.clear();
    }

    /// One of them, by its number.
    pub fn class(&self, number: u32) -> &OutcomeClass {
        &self.all[number as usize]
    }

    /// The class of what nobody has looked at.
    pub fn unexplored(&mut self) -> u32 {
        if let Some(left) = self.left {
            return left;
        }
        let left = self.number_of(OutcomeClass {
            text: LEFT.to_owned(),
            number: None,
            goals: [0; MAX_FACTIONS],
        });
        *self.left.insert(left)
    }

    fn number_of(&mut self, class: OutcomeClass) -> u32 {
        let next = self.all.len() as u32;
        *self.known.entry(class).or_insert_with_key(|class| {
            self.all.push(class.clone());
            next
        })
    }

    /// That class, if there is such.
    pub fn unexplored_if_any(&self) -> Option<u32> {
        self.left
    }

    /// The least and the most that each faction's goal can be, where that is known.
    pub fn ranges(&self) -> Option<&[(i64, i64)]> {
        self.ranges.as_deref()
    }

    /// Whether what one of two factions gets the other loses.
    pub fn is_even(&self) -> bool {
        self.even
    }

    /// Returns the name of the number that each faction maximises.
    pub fn measure(&self) -> &'static str {
        match self.goal {
            Goal::Worth => "worth",
            Goal::Units | Goal::Expression(_) => "goal",
        }
    }

    /// Returns the value of a class to a faction.
    pub fn goal(&self, number: u32, faction: FactionId) -> i64 {
        self.all[number as usize].goals[faction.index()]
    }

    /// The number of the class to which an outcome belongs. `happens` says of the event that is asked about, if one is,
    /// whether it happened.
    ///
    /// # Errors
    ///
    /// An expression that cannot be read, a goal that is no number.
    pub(super) fn of(
        &mut self,
        play: &mut Play,
        outcome: &World,
        happens: Option<bool>,
        merging: Merging,
        recorder: &DiceRecorder,
    ) -> Result<u32, Problem> {
        if self.by.is_none() && self.goal == Goal::Units {
            let health = health(&play.ruleset().rules, outcome, &self.alive);
            let fate = (outcome.alive(), health, happens);
            if let Some(class) = self.fates.get(&fate) {
                return Ok(*class);
            }
            let class = self.made(play, outcome, happens, None)?;
            self.fates.insert(fate, class);
            return Ok(class);
        }
        // What the record says is part of an outcome that is judged by it.
        if merging == Merging::Never {
            return self.made(play, outcome, happens, None);
        }
        let print = (of_world(outcome), happens);
        if let Some((class, looks)) = self.worlds.get(&print) {
            recorder.look_again(looks);
            return Ok(*class);
        }
        // What is looked at in slots that the run has written is noted as well: another run may not have.
        let (before, written) = (recorder.take(), recorder.written());
        recorder.set_written(0);
        let class = self.made(
            play,
            outcome,
            happens,
            (merging == Merging::Alike).then_some(recorder),
        );
        let looks = recorder.take();
        recorder.look_again(&before);
        recorder.set_written(written);
        recorder.look_again(&looks);
        let class = class?;
        self.worlds.insert(print, (class, looks));
        Ok(class)
    }

    fn made(
        &mut self,
        play: &mut Play,
        outcome: &World,
        happens: Option<bool>,
        recorder: Option<&DiceRecorder>,
    ) -> Result<u32, Problem> {
        let mut outcome = outcome.clone();
        outcome.record_dice(recorder.cloned());
        let own = std::mem::replace(&mut play.table_mut().world, outcome);
        let made = self.judged(play, happens);
        play.table_mut().world = own;
        Ok(self.number_of(made?))
    }

    /// The class of the outcome that lies on the table.
    fn judged(&self, play: &mut Play, happens: Option<bool>) -> Result<OutcomeClass, Problem> {
        let rules = &Arc::clone(&play.ruleset().rules);
        let outcome = &play.table().world.clone();
        let mut goals = [0; MAX_FACTIONS];
        let gone = &self.alive - outcome.alive();
        for (index, _) in rules.factions.iter().enumerate() {
            let faction = FactionId(index as u8);
            goals[index] = match &self.goal {
                Goal::Units => {
                    let own = (&gone & outcome.owned(faction)).len() as i64;
                    gone.len() as i64 - 2 * own
                }
                Goal::Worth => play
                    .worth(faction, outcome.clone())
                    .map_err(|problems| problems.0.into_iter().next().unwrap_or_default())?,
                Goal::Expression(source) => {
                    let binding = (SIDE.to_owned(), ValueView::Faction(faction));
                    let value = play.runtime.evaluate_in(source, 0, &[binding])?;
                    value
                        .as_int()
                        .ok_or_else(|| not_a_number(&play.runtime.value_text(&value)))?
                }
            };
        }
        let (text, number) = match (&self.by, happens) {
            (_, Some(happens)) => ((if happens { HAPPENS } else { NEVER }).to_owned(), None),
            (None, None) => {
                let mut fates = self.fates_in(rules, outcome);
                fates.sort();
                let text = if fates.is_empty() {
                    "nobody".to_owned()
                } else {
                    fates.join(", ")
                };
                (text, None)
            }
            (Some(source), None) => {
                let value = play.runtime.evaluate(source)?;
                (play.runtime.value_text(&value), value.as_int())
            }
        };
        Ok(OutcomeClass { text, number, goals })
    }

    /// Returns the units that are gone, by name, and those that are hurt, as in `red.scouts1 life 3->1`.
    fn fates_in(&self, rules: &Rules, outcome: &World) -> Vec<String> {
        let now = health(rules, outcome, &self.alive);
        let changes = self
            .unhurt
            .iter()
            .zip(now)
            .map(Some)
            .chain(std::iter::repeat(None));
        let slot = rules.hit_slot().map_or("", |slot| &rules.slots.unit[slot].name);
        let fates = self.alive.clone().zip(changes).filter_map(|(unit, change)| {
            let name = rules.unit_name(outcome.name(unit));
            match change {
                _ if !outcome.alive().contains(unit) => Some(name),
                Some((before, now)) if *before != now => Some(format!("{name} {slot} {before}->{now}")),
                _ => None,
            }
        });
        fates.collect()
    }
}

/// The numbers of these units that hits take from; none where the game has no such slot.
fn health(rules: &Rules, world: &World, units: &UnitSet) -> Vec<i64> {
    rules.hit_slot().map_or_else(Vec::new, |slot| {
        let number = |unit| world.slot(Thing::Unit(unit), slot);
        units.clone().map(number).collect()
    })
}
