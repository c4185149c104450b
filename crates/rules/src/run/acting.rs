//! Common parts of the verbs that change the world: effects, their causes, and the hooks that run because of them.

use super::context::{ACT, Program, Run, value_of_thing};
use super::fault::{Fault, NativeResult, rule, unknown};
use super::heap::Heap;
use super::node::{CallTarget, HookOwner, Loc};
use super::observe::Observer;
use super::value::{ListId, Value};
use crate::engine::MAX_CALL_LEVELS;
use crate::kernel::effect::Effect;
use crate::kernel::ids::{Cause, FactionId, HookId, RecordedThing, Thing, TypeId, UnitId, WordId};
use crate::kernel::rules::{Slot, SlotKind, WHOLE_PLAY};
use crate::kernel::table::PendingReaction;
use crate::kernel::world::Outcome;
use crate::problems::wrong_hook_value;
use std::sync::Arc;

/// A reaction begins only where so many calls may follow in one another; else they set each other off.
const SPARE_CALLS: usize = 4;
/// Maximum number of reactions listed of those that set each other off.
const CHAIN_TOLD: usize = 8;

impl<'r, O: Observer> Run<'r, O> {
    /// Ends the contest that is running.
    pub fn finish(&mut self, winner: Option<FactionId>, reason: WordId) -> NativeResult<()> {
        let rules = Arc::clone(&self.table.rules);
        let contest = self.table.checkpoint.cursor.contest(&rules).unwrap_or(WHOLE_PLAY);
        let contest = self.table.words.intern(contest);
        let by = match self.table.about() {
            Thing::Unit(u) => RecordedThing::Unit(self.table.world.name(u)),
            _ => RecordedThing::Game,
        };
        let outcome = Outcome {
            winner,
            reason,
            contest,
        };
        self.act(Effect::Finish(outcome), Cause { word: None, by })
    }

    /// Takes from the slot that hits take from.
    pub fn hit(&mut self, unit: UnitId, damage: i64, word: WordId, by: Option<Value>) -> NativeResult<()> {
        let Some(slot) = self.program.hit else {
            return Err(rule(
                "`hit` takes from the slot of units that says `hit: true`, and none does",
            ));
        };
        if damage <= 0 {
            return Ok(());
        }
        self.act_by(Effect::Add(Thing::Unit(unit), slot, -damage), word, by)
    }

    /// Adds to a number slot.
    pub fn add_to(
        &mut self,
        to: Value,
        slot: WordId,
        n: i64,
        word: WordId,
        by: Option<Value>,
    ) -> NativeResult<()> {
        let thing = self.thing(to, "add")?;
        let index = {
            let table = &*self.table;
            let slots = table.rules.slots.of(thing);
            let slot = table.words.text(slot);
            let is_number = |s: &&Slot| s.kind == SlotKind::Number;
            let found = slots.iter().position(|s| s.name == slot && is_number(&s));
            found.ok_or_else(|| {
                let known = slots.iter().filter(is_number).map(|s| s.name.as_str());
                unknown("number slot", slot, known)
            })?
        };
        self.act_by(Effect::Add(thing, index as u8, n), word, by)
    }

    /// Why something happens: a word, and who does it; by default the step's subject.
    pub fn cause(&self, word: WordId, by: Option<Value>) -> NativeResult<Cause> {
        let by = match by {
            Some(by) => self.thing(by, "by whom")?,
            None => self.table.about(),
        };
        Ok(Cause {
            word: Some(word),
            by: self.table.world.who(by),
        })
    }

    /// Makes an effect happen, with a word for why and who does it.
    pub fn act_by(&mut self, effect: Effect, word: WordId, by: Option<Value>) -> NativeResult<()> {
        let cause = self.cause(word, by)?;
        self.act(effect, cause)
    }

    /// Makes an effect happen, and then what follows from it.
    pub fn act(&mut self, effect: Effect, cause: Cause) -> NativeResult<()> {
        self.work(ACT)?;
        let effect = match self.table.rules.hooks.weighs {
            false => effect,
            true => {
                // Whoever is asked how much counts may rely on it that something happens.
                self.table.check()?;
                match self.weighed(effect, cause)? {
                    Some(effect) => effect,
                    None => return Ok(()),
                }
            }
        };
        if O::ON {
            self.watch(|w, _| w.act(effect, cause));
        }
        self.changes();
        self.table.perform(effect, cause)?;
        match self.table.due.is_empty() {
            true => Ok(()),
            false => self.react_all(),
        }
    }

    /// Enlists a unit with numbers of its own in slots that start at its type's stats.
    pub fn enlist_with(&mut self, faction: FactionId, kind: TypeId, own: ListId) -> NativeResult<()> {
        let pairs = self.heap.list(own).chunks_exact(2);
        let pairs: Vec<(Value, Value)> = pairs.map(|pair| (pair[0], pair[1])).collect();
        let mut stated = Vec::new();
        for (name, value) in pairs {
            stated.push(self.stated(kind, name.as_word().unwrap_or_default(), value)?);
        }
        let unit = UnitId::new(self.table.world.unit_count());
        self.act(Effect::Enlist(faction, kind), Cause::default())?;
        if unit.index() == self.table.world.unit_count() {
            let why = "the unit comes when the simultaneous phase ends, and has the numbers of its type: give it its own ones then";
            return Err(rule(why));
        }
        for (slot, value) in stated {
            self.act(Effect::Set(Thing::Unit(unit), slot, value), Cause::default())?;
        }
        Ok(())
    }

    /// The slot for a stat of a type, by name, and the number that it shall hold.
    fn stated(&self, kind: TypeId, name: WordId, value: Value) -> NativeResult<(u8, i64)> {
        let (rules, text) = (&self.table.rules, self.table.words.text(name));
        let slots = rules.slots.unit.iter().enumerate();
        let mut stated = slots.filter_map(|(index, slot)| Some((index, slot, slot.from_stat?)));
        let Some((slot, _, stat)) = stated.clone().find(|(_, slot, _)| slot.name == text) else {
            if rules.stat(text).is_some() {
                return Err(rule(format!(
                    "a unit has no `{text}` of its own: add `{text}: 0` to the slots of units, which then starts at the stat"
                )));
            }
            let known: Vec<&str> = stated.by_ref().map(|(_, slot, _)| slot.name.as_str()).collect();
            return Err(unknown("characteristic", text, known));
        };
        let kind = &rules.types[kind.index()];
        let (low, high) = kind.ranges[stat];
        match value.as_int() {
            Some(number) if (low..=high).contains(&number) => Ok((slot as u8, number)),
            _ => {
                let found = value
                    .as_int()
                    .map_or_else(|| value.kind().noun().to_owned(), |n| n.to_string());
                Err(rule(format!(
                    "`{text}` of {} must be a number from {low} to {high}, not {found}",
                    kind.name
                )))
            }
        }
    }

    /// Calls what is due. What follows from a reaction happens before the next one.
    pub fn react_all(&mut self) -> NativeResult<()> {
        for due in std::mem::take(&mut self.table.due) {
            self.react(due)?;
        }
        Ok(())
    }

    /// Calls a hook that follows from an effect, if that is still so.
    pub fn react(&mut self, due: PendingReaction) -> NativeResult<()> {
        if !self.table.still_holds(&due) {
            return Ok(());
        }
        let program: &'r Program = self.program;
        let entry = &program.hooks[due.hook.0 as usize];
        let detail = match (due.amount, due.with) {
            (Some(amount), _) => Some(amount.into()),
            // The game stands for nowhere.
            (None, Some(Thing::Game)) => Some(Value::NOTHING),
            (None, with) => with.map(value_of_thing),
        };
        let args = [value_of_thing(due.about), detail.unwrap_or(Value::NOTHING)];
        let args = &args[..entry.arity.min(1 + usize::from(detail.is_some()))];
        self.changes();
        let outer = std::mem::replace(&mut self.table.follows, due.causes);
        match due.about {
            Thing::Unit(unit) => {
                let target = self.target_of(due.hook, self.table.world.unit(unit).kind);
                self.reaction(due.hook, due.about, target, args)?;
            }
            Thing::Place(place) => {
                let mut own = false;
                for terrain in self.table.world.terrain(place) {
                    let target = entry.target(HookOwner::Terrain(terrain));
                    if target.index != entry.game.index {
                        own = true;
                        self.reaction(due.hook, due.about, target, args)?;
                    }
                }
                if !own {
                    self.reaction(due.hook, due.about, &entry.game, args)?;
                }
            }
            _ => {
                self.reaction(due.hook, due.about, &entry.game, args)?;
            }
        }
        self.table.follows = outer;
        self.changes();
        Ok(())
    }

    /// Calls a function because something happens, and says whose turn it is to react while it runs.
    pub(super) fn reaction(
        &mut self,
        hook: HookId,
        about: Thing,
        target: &CallTarget,
        args: &[Value],
    ) -> NativeResult {
        if target.is_idle() {
            return match O::ON {
                true => self.invoke(target, args),
                false => Ok(target.constant.unwrap_or(Value::NOTHING)),
            };
        }
        self.reacting.push((hook, about));
        if self.depth + SPARE_CALLS > MAX_CALL_LEVELS {
            return Err(self.endless(&self.reacting));
        }
        let result = self.invoke(target, args)?;
        self.reacting.pop();
        Ok(result)
    }

    /// Reactions set each other off without end: which ones, from the first.
    #[cold]
    pub fn endless(&self, chain: &[(HookId, Thing)]) -> Fault {
        let reactions = chain.iter().take(CHAIN_TOLD).map(|(hook, about)| {
            let who = match about {
                Thing::Game => "the game".to_owned(),
                other => self.table.rules.who(self.table.world.who(*other)),
            };
            format!("{who} `{}`", self.program.hooks[hook.0 as usize].name)
        });
        let reactions: Vec<String> = reactions.collect();
        let more = match chain.len().saturating_sub(CHAIN_TOLD) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        rule(format!(
            "reactions set each other off again and again: {}{more}",
            reactions.join(", ")
        ))
    }

    /// An effect as much of it counts as hooks say that are asked before it; `None` when nothing does.
    pub(super) fn weighed(&mut self, effect: Effect, cause: Cause) -> NativeResult<Option<Effect>> {
        let table = &*self.table;
        let (thing, slot, by) = match effect {
            Effect::Remove(unit) => return Ok(self.may_remove(unit, cause)?.then_some(effect)),
            Effect::Add(thing, slot, by) => (thing, slot, by),
            Effect::Set(thing, slot, to) => {
                let by = to.checked_sub(table.world.slot(thing, slot as usize));
                (thing, slot, by.unwrap_or(0))
            }
            _ => return Ok(Some(effect)),
        };
        let own = &table.rules.slots.of(thing)[slot as usize];
        let hook = if by < 0 { own.falls } else { own.rises };
        let there = !matches!(thing, Thing::Unit(unit) if !table.world.is_alive(unit));
        let Some(hook) = hook.filter(|_| by != 0 && there) else {
            return Ok(Some(effect));
        };
        let whom = self.whom(cause.by).unwrap_or(Value::NOTHING);
        let args = [value_of_thing(thing), by.saturating_abs().into(), whom];
        let counts = self.asked_before(hook, thing, &args, cause, |answer, _| {
            answer
                .as_int()
                .filter(|n| *n >= 0)
                .ok_or("how much counts: a number from 0")
        })?;
        let by = counts * by.signum();
        let now = self.table.world.slot(thing, slot as usize);
        Ok((counts != 0).then(|| match (effect, now.checked_add(by)) {
            (Effect::Set(..), Some(to)) => Effect::Set(thing, slot, to),
            // What goes beyond a number is refused where it is added.
            _ => Effect::Add(thing, slot, by),
        }))
    }

    /// Whether a unit may be removed; where it may not, why is put on record.
    pub(super) fn may_remove(&mut self, unit: UnitId, cause: Cause) -> NativeResult<bool> {
        let Some(hook) = self.table.rules.hooks.may_remove else {
            return Ok(true);
        };
        if !self.table.world.is_alive(unit) {
            return Ok(true);
        }
        let answer = self.asked_before(hook, Thing::Unit(unit), &[unit.into()], cause, |answer, _| {
            (answer == Value::TRUE || answer.as_word().is_some())
                .then_some(answer)
                .ok_or("true, or why the unit is not removed")
        })?;
        match answer.as_word() {
            Some(reason) => {
                self.changes();
                self.table.spare(unit, reason, cause)?;
                Ok(false)
            }
            None => Ok(true),
        }
    }

    /// Asks a hook before something happens, and reads what it says; what cannot be read is its error.
    pub(super) fn asked_before<T>(
        &mut self,
        hook: HookId,
        about: Thing,
        args: &[Value],
        cause: Cause,
        read: impl Fn(Value, &Heap) -> Result<T, &'static str>,
    ) -> NativeResult<T> {
        let whose = self.whose(hook, args.first().copied())?;
        let program: &'r Program = self.program;
        let entry = &program.hooks[hook.0 as usize];
        let target = entry.target(whose);
        self.changes();
        let outer = std::mem::replace(&mut self.table.follows, vec![cause]);
        let answer = self.reaction(hook, about, target, &args[..args.len().min(entry.arity)])?;
        self.table.follows = outer;
        self.changes();
        match read(answer, self.heap) {
            Ok(answer) => Ok(answer),
            Err(wanted) => Err(self.said_otherwise(hook, target, wanted, answer)?),
        }
    }

    /// Returns the error of a hook that returned another value than expected.
    #[cold]
    pub(super) fn said_otherwise(
        &mut self,
        hook: HookId,
        of: &CallTarget,
        expected: &str,
        value: Value,
    ) -> NativeResult<Fault> {
        let found = self.text_of(value)?;
        let name = &self.program.hooks[hook.0 as usize].name;
        self.fail(
            wrong_hook_value(name, expected, &found).into(),
            of.index,
            Loc::default(),
        );
        Ok(Fault::halted())
    }

    /// Returns the cause of something, as scripts see it; `None` when it is the game itself, or a unit that is gone.
    pub fn whom(&self, by: RecordedThing) -> Option<Value> {
        match by {
            RecordedThing::Game => None,
            RecordedThing::Faction(faction) => Some(faction.into()),
            RecordedThing::Place(place) => Some(place.into()),
            RecordedThing::Unit(name) => self.table.world.find(name).map(Value::from),
        }
    }
}
