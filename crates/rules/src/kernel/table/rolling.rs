//! Dice: rolled, thrown, set by hand, and stated by a scenario.

use super::{Forced, Halt, PendingRoll, PendingThrow, Table, refused, step_key, who_hash};
use crate::kernel::dice::{MAX_DICE, MAX_SIDES, Pool, RollKey};
use crate::kernel::dice_access::{self, LogMark};
use crate::kernel::effect::Effect;
use crate::kernel::event::Event;
use crate::kernel::ground::arena::{Pose, Throw};
use crate::kernel::ids::{Cause, RecordedThing, Thing, UnitId, UnitName, WordId};
use crate::kernel::spot::Point;
use crate::kernel::throws::{Landing, ThrowInput, ThrowRecord};
use std::collections::BTreeMap;
use std::rc::Rc;
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
        self.misstated = None;
        let fits =
            |values: &[i64]| values.len() == dice as usize && values.iter().all(|v| (1..=sides).contains(v));
        let forced = self.decided_roll(label, dice, sides, false);
        let mark = match self.world.is_watched() {
            true => dice_access::rolled(),
            false => LogMark(0),
        };
        let forced = forced.or_else(|| self.take_forced(label, dice, sides));
        let scripted = match forced {
            Some(_) => None,
            None => {
                let all = Rc::clone(&self.scripted_rolls);
                self.next_of(&all.by_label, all.may_end, 0, label, ["rolls", "scripted"])?
            }
        };
        let pool = match (forced, scripted.filter(|(v, _)| !self.rolls_may_miss || fits(v))) {
            (Some(pool), _) => pool,
            (None, Some((values, nth))) => {
                if !fits(&values) {
                    let text = self.words.text(label);
                    let why = format!(
                        "the scripted roll {values:?} for `{text}` does not fit: {dice} dice with {sides} sides are rolled"
                    );
                    self.misstated = Some((text.to_owned(), nth));
                    return refused(why);
                }
                Pool::new(&values).unwrap_or_default()
            }
            (None, None) => {
                let key = self.key_of(who, label).with(nth as u64);
                Pool::roll(key, dice as usize, sides)
            }
        };
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
        let (dice, sides) = (HAND.0 as i64, HAND.1);
        let decided = self.decided_roll(label, dice, sides, true);
        let pool = decided.unwrap_or_else(|| {
            let key = self.key_of(who, label).with(nth as u64);
            Pool::roll(key, HAND.0, HAND.1)
        });
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
        self.misstated = None;
        let rules = Rc::clone(&self.rules);
        let name = self.world.name(unit);
        let throwing = PendingThrow {
            rules: &rules,
            step: self.checkpoint.step,
            unit: name,
            label: self.words.text(label),
            nth,
        };
        let mut as_thrown = Some(throw);
        let thrown = self.source.throws(&throwing);
        let (all, used) = (Rc::clone(&self.stated_throws), self.scripted_rolls.by_label.len());
        let told = match (
            thrown,
            self.next_of(&all, false, used, label, ["throws", "stated"])?,
        ) {
            (Some(told), _) => told,
            (None, Some((stated, nth))) => {
                as_thrown = None;
                let told = (stated.happens)(&stated.text, &rules, &self.world, (unit, aimed));
                told.map_err(|why| {
                    let text = self.words.text(label);
                    let why = format!("the stated throw for `{text}` cannot be: {why}");
                    self.misstated = Some((text.to_owned(), nth));
                    Halt::Rule(why)
                })?
            }
            (None, None) => {
                let told = ThrowInput::new(&rules, &self.world, unit, throw)
                    .and_then(|given| self.thrown.of(given, &rules, &self.world));
                let Some(told) = told else {
                    return refused(format!("{} is no die", rules.unit_name(name)));
                };
                Landing::clone(&told)
            }
        };
        let record = Arc::new(ThrowRecord {
            hand,
            throw: as_thrown,
            landing: told,
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

    /// Returns the number of throws stated by the scenario for a label that were already thrown.
    pub fn stated_so_far(&self, label: &str) -> usize {
        let index = self.stated_throws.keys().position(|known| known == label);
        let used = index.and_then(|index| {
            self.run
                .rolls_used
                .get(self.scripted_rolls.by_label.len() + index)
        });
        used.copied().unwrap_or(0).into()
    }

    /// Returns the next entry of the scenario under a label, with its index; `None` where it has none, or where the
    /// entries may run out (with `may_end` those beyond are still counted). `used` is the start of their counters, and
    /// `[throws, stated]` are their names in messages.
    fn next_of<T: Clone>(
        &mut self,
        all: &BTreeMap<String, Vec<T>>,
        may_end: bool,
        used: usize,
        label: WordId,
        [throws, stated]: [&str; 2],
    ) -> Result<Option<(T, usize)>, Halt> {
        let text = self.words.text(label);
        let Some((index, (_, its))) = all.iter().enumerate().find(|(_, (known, _))| *known == text) else {
            return Ok(None);
        };
        let used = &mut self.run.rolls_used[used + index];
        let nth = usize::from(*used);
        match its.get(nth) {
            Some(next) => {
                *used += 1;
                Ok(Some((next.clone(), nth)))
            }
            None if self.rolls_may_miss => Ok(None),
            None if may_end => {
                *used = used.saturating_add(1);
                Ok(None)
            }
            None => {
                let count = its.len();
                let why = format!("more {throws} for `{text}` than the {count} that are {stated}");
                self.misstated = Some((text.to_owned(), count));
                refused(why)
            }
        }
    }

    /// The key of the dice that are rolled for somebody under a label, the first time in the step.
    fn key_of(&self, who: RecordedThing, label: WordId) -> RollKey {
        let key = step_key(
            &self.hashes,
            RollKey::new(self.checkpoint.seed),
            self.checkpoint.step,
        );
        key.with(who_hash(&self.hashes, who)).with(self.words.hash(label))
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

    fn decided_roll(&mut self, label: WordId, dice: i64, sides: i64, throw: bool) -> Option<Pool> {
        let roll = PendingRoll {
            label: self.words.text(label),
            dice: dice as usize,
            sides,
            answers: self.run.asked,
            throw,
        };
        let pool = self.source.rolls(&roll)?;
        let fits = pool.len() == roll.dice && pool.values().all(|v| (1..=sides).contains(&v));
        fits.then_some(pool)
    }

    /// The dice that are forced for a roll; they take the place of a scripted one.
    fn take_forced(&mut self, label: WordId, dice: i64, sides: i64) -> Option<Pool> {
        let fits = |f: &Forced| {
            f.label == label && f.dice.len() == dice as usize && f.dice.values().all(|v| v <= sides)
        };
        let index = self.run.forced.iter().position(fits)?;
        let text = self.words.text(label);
        let mut scripted = self.scripted_rolls.by_label.iter().zip(&mut self.run.rolls_used);
        if let Some(((_, rolls), used)) = scripted.find(|((l, _), _)| l.as_str() == text)
            && (*used as usize) < rolls.len()
        {
            *used += 1;
        }
        Some(self.run.forced.remove(index).dice)
    }

    /// The dice that still wait for their roll.
    pub fn forced(&self) -> &[Forced] {
        &self.run.forced
    }

    /// The labels of which more was rolled than is scripted, with how many rolls are.
    pub fn beyond_script(&self) -> impl Iterator<Item = (&str, usize)> {
        let labels = self.scripted_rolls.by_label.iter().zip(&self.run.rolls_used);
        let beyond = labels.filter(|((_, rolls), used)| usize::from(**used) > rolls.len());
        beyond.map(|((label, rolls), _)| (label.as_str(), rolls.len()))
    }

    /// Returns the number of scripted rolls of each label used so far, in the order of the labels; more than there are
    /// where the seed went on.
    pub fn rolls_used(&self) -> &[u16] {
        &self.run.rolls_used
    }
}
