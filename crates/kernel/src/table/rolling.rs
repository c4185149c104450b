//! Dice: rolled, thrown, set by hand, and stated by a scenario.

use super::chance::{Chance, Misstated};
use super::{Halt, PendingRoll, PendingThrow, Table, refused, step_key, who_hash};
use crate::dice::{MAX_DICE, MAX_SIDES, Pool, RollKey};
use crate::dice_access::{DiceRecorder, LogMark};
use crate::effect::Effect;
use crate::event::Event;
use crate::ground::{Throw, ThrowInput};
use crate::ids::{Cause, RecordedThing, Thing, UnitId, UnitName, WordId};
use crate::pose::Pose;
use crate::spot::Point;
use crate::throws::{Landing, ThrowRecord};
use std::sync::Arc;

/// Number and sides of the dice that decide the chance deviations of a throw.
const HAND: (usize, i64) = (6, MAX_SIDES);

impl Table {
    /// Rolls dice; the result is sorted. The roll is keyed by the step, who rolls, the label and
    /// how often it was rolled before in the step. The dice are lent: with the mark by which is noted what is asked of
    /// them.
    pub fn roll(
        &mut self,
        who: Thing,
        label: WordId,
        dice: i64,
        sides: i64,
    ) -> Result<(Pool, LogMark), Halt> {
        self.check()?;
        if !(1..=MAX_DICE as i64).contains(&dice) || !(2..=MAX_SIDES).contains(&sides) {
            return refused(format!(
                "a roll is of 1 to {MAX_DICE} dice with 2 to {MAX_SIDES} sides, not {dice} with {sides}"
            ));
        }
        self.check_label(label)?;
        let who = self.world.who(who);
        let nth = self.run.rolls.add((who, label));
        self.chance.misstated = None;
        let pool = self.dice_of(who, (label, nth), (dice as usize, sides), false)?;
        let mark = self
            .world
            .dice_recorder()
            .map_or(LogMark(0), DiceRecorder::rolled);
        self.log(Event::Rolled {
            who,
            label,
            dice: pool.clone(),
        });
        Ok((pool, mark))
    }

    /// The dice that decide what no hand can: how a die is held, and by how much it misses. Keyed like a roll, and
    /// drawn anew by whoever draws rolls anew; a record does not show them.
    ///
    /// # Errors
    ///
    /// The table has halted, or the label cannot be one.
    pub fn hand(&mut self, unit: UnitId, label: WordId) -> Result<(Pool, u32), Halt> {
        self.check()?;
        if self.checkpoint.cursor.gathers() {
            return refused("a throw happens at once, and what happens in this phase happens at its end");
        }
        self.check_label(label)?;
        let who = self.world.who(Thing::Unit(unit));
        let nth = self.run.rolls.add((who, label));
        let pool = self.dice_of(who, (label, nth), HAND, true)?;
        Ok((pool, nth as u32))
    }

    /// A die is thrown: what came of it is recorded, and all that moved lies where it stopped. The hand is what
    /// [`Self::hand`] said, and how often it was thrown for that before in the step.
    ///
    /// # Errors
    ///
    /// The table has halted; the throw that is stated cannot be.
    pub fn throw(
        &mut self,
        unit: UnitId,
        label: WordId,
        (throw, aimed): (Throw, Point),
        (hand, nth): (Pool, u32),
    ) -> Result<Arc<ThrowRecord>, Halt> {
        self.check()?;
        self.chance.misstated = None;
        let rules = Arc::clone(&self.rules);
        let name = self.world.name(unit);
        let throwing = PendingThrow {
            rules: &rules,
            step: self.checkpoint.step,
            unit: name,
            label: self.words.text(label),
            nth,
        };
        let mut as_thrown = Some(throw);
        let recorded = self.source.throws(&throwing);
        let stated = self.chance.stated_throw(throwing.label);
        let stated = stated.or_else(|misstated| self.chance.misstate(misstated))?;
        let landing = match (recorded, stated) {
            (Some(landing), _) => landing,
            (None, Some((stated, nth))) => {
                as_thrown = None;
                let landing = (stated.happens)(&stated.text, &rules, &self.world, (unit, aimed));
                landing.or_else(|why| {
                    let label = throwing.label.to_owned();
                    let why = format!("the stated throw for `{label}` cannot be: {why}");
                    self.chance.misstate(Misstated { label, nth, why })
                })?
            }
            (None, None) => {
                let input = ThrowInput::new(&rules, &self.world, unit, throw);
                let landing = input.and_then(|input| self.chance.throws.of(input, &rules, &self.world));
                let Some(landing) = landing else {
                    return refused(format!("{} is no die", rules.unit_name(name)));
                };
                Landing::clone(&landing)
            }
        };
        let record = Arc::new(ThrowRecord {
            hand,
            throw: as_thrown,
            landing,
        });
        self.log(Event::Threw {
            unit: name,
            label,
            record: Arc::clone(&record),
        });
        let cause = Cause {
            word: Some(label),
            by: RecordedThing::Unit(name),
        };
        for gone in &record.landing.left {
            if let Some(unit) = self.world.find(*gone) {
                self.apply(Effect::Reserve(unit), cause);
            }
        }
        for (who, pose) in &record.landing.rests {
            if let Some(unit) = self.world.find(*who) {
                self.apply(Effect::Lie(unit, *pose), cause);
            }
        }
        Ok(record)
    }

    /// The dice that the last throw of the step moved lie again as they lay before it.
    ///
    /// # Errors
    ///
    /// The table has halted, or nothing was thrown in the step.
    pub fn take_back_throw(&mut self, cause: Cause) -> Result<(), Halt> {
        self.check()?;
        let step = self.events.get(self.run.mark..).unwrap_or_default();
        let Some(at) = step.iter().rposition(|e| matches!(e, Event::Threw { .. })) else {
            return refused("nothing was thrown in this step".to_owned());
        };
        // Each as it lay first, whatever became of it since.
        let mut before: Vec<(UnitName, Option<Pose>)> = Vec::new();
        for event in &step[at..] {
            let was = match *event {
                Event::Lay { unit, from, .. } => (unit, from),
                // Who fell off lay where it did when the step began, or was put since.
                Event::Moved {
                    unit,
                    from: Some(_),
                    to: None,
                    ..
                } => (unit, self.pose_before(unit, self.run.mark + at)),
                _ => continue,
            };
            if !before.iter().any(|(name, _)| *name == was.0) {
                before.push(was);
            }
        }
        for (name, pose) in before {
            match (self.world.find(name), pose) {
                (Some(unit), Some(pose)) => self.apply(Effect::Lie(unit, pose), cause),
                (Some(unit), None) => self.apply(Effect::Reserve(unit), cause),
                (None, _) => {}
            }
        }
        Ok(())
    }

    /// Returns the pose of a die before an event of the running step.
    fn pose_before(&self, name: UnitName, event: usize) -> Option<Pose> {
        let earlier = self.events[self.run.mark..event].iter().rev();
        let moved = earlier.into_iter().find_map(|e| match *e {
            Event::Lay { unit, to, .. } if unit == name => Some(Some(to)),
            Event::Moved { unit, to: None, .. } if unit == name => Some(None),
            _ => None,
        });
        let at_start = || {
            let unit = self.checkpoint.world.find(name)?;
            self.checkpoint.world.pose(unit)
        };
        moved.unwrap_or_else(at_start)
    }

    /// Returns the dice of a roll of somebody for a label, which was rolled that often before in the step; with `throw`
    /// they decide how a die flies.
    fn dice_of(
        &mut self,
        who: RecordedThing,
        (word, nth): (WordId, usize),
        (dice, sides): (usize, i64),
        throw: bool,
    ) -> Result<Pool, Halt> {
        let roll = PendingRoll {
            label: self.words.text(word),
            word,
            dice,
            sides,
            answers: self.run.asked,
            throw,
        };
        let (hashes, checkpoint, words) = (&self.hashes, &self.checkpoint, &self.words);
        let key = || {
            let key = step_key(hashes, RollKey::new(checkpoint.seed), checkpoint.step);
            key.with(who_hash(hashes, who))
                .with(words.hash(word))
                .with(nth as u64)
        };
        let pool = match throw {
            true => Chance::hand(&roll, self.source.as_mut(), key),
            false => self.chance.roll(&roll, self.source.as_mut(), key),
        };
        pool.or_else(|misstated| self.chance.misstate(misstated))
    }

    /// On record: a roll counts as other dice than it showed.
    ///
    /// # Errors
    ///
    /// The table has halted.
    pub fn count_roll(&mut self, who: Thing, label: WordId, dice: Pool) -> Result<(), Halt> {
        self.check()?;
        let who = self.world.who(who);
        self.log(Event::Counted { who, label, dice });
        Ok(())
    }
}
