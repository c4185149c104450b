//! Reactions to units that moved elsewhere, in a declared order.

use super::Table;
use crate::effect::Effect;
use crate::engagement;
use crate::ids::{Cause, HookId, Thing, UnitId, UnitSet};
use crate::rules::Rules;
use crate::spot::Spot;
use std::sync::Arc;

/// Something that follows from an effect and is run as a hook about a thing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PendingReaction {
    /// The hook.
    pub hook: HookId,
    /// Subject of the hook.
    pub about: Thing,
    /// Second argument of the hook: the place, or the other unit.
    pub with: Option<Thing>,
    /// By how much a slot fell or rose, when that is why.
    pub amount: Option<i64>,
    /// The slot that fell to 0, by its index, when that is why.
    pub slot: Option<u8>,
    /// Why it fell: the last effect, or in a batch all that took from it at once, in the order of the record.
    pub causes: Vec<Cause>,
    /// The group of the effect that it follows from; see [`Gathered::group`].
    pub group: u32,
}

impl PendingReaction {
    /// Whether another one calls the same hook about the same things.
    pub(super) fn is_same_call(&self, other: &PendingReaction) -> bool {
        (self.hook, self.about, self.with) == (other.hook, other.about, other.with)
    }
}

/// A slot that an effect of a batch changed.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChangedSlot {
    pub(super) about: Thing,
    pub(super) slot: u8,
    pub(super) before: i64,
    pub(super) fell: bool,
    pub(super) cause: Cause,
    /// The group of the effect.
    pub(super) group: u32,
}

impl ChangedSlot {
    /// Whether another one is about the same slot.
    pub(super) fn is_same_slot(&self, other: &ChangedSlot) -> bool {
        (self.about, self.slot) == (other.about, other.slot)
    }
}

/// State of a unit before an effect, or a batch, that may move it elsewhere.
#[derive(Debug, Clone)]
pub(super) struct UnitBefore {
    pub(super) unit: UnitId,
    pub(super) spot: Option<Spot>,
    pub(super) alive: bool,
    pub(super) contact: UnitSet,
    /// Why it came elsewhere: the last effect on it.
    pub(super) cause: Cause,
    /// The group of that effect.
    pub(super) group: u32,
}

/// Those who may be engaged or free after what is about to happen, and which of them are engaged before.
#[derive(Debug, Clone)]
pub(super) struct EngagementBefore {
    pub(super) concerned: UnitSet,
    pub(super) engaged: UnitSet,
}

impl Table {
    /// Keeps what somebody wants to know of a unit that an effect may take elsewhere.
    #[inline]
    pub(super) fn note_before(&mut self, effect: Effect, cause: Cause) {
        match effect {
            Effect::Put(unit, _) | Effect::Lie(unit, _) | Effect::Reserve(unit) | Effect::Remove(unit) => {
                self.note_unit_before(unit, false, effect, cause);
            }
            Effect::Own(unit, _) => self.note_unit_before(unit, true, effect, cause),
            Effect::Set(Thing::Unit(unit), slot, _) if self.rules.frees(slot) => {
                self.note_unit_before(unit, true, effect, cause);
            }
            _ => {}
        }
    }

    /// The same of this unit, which stays where it is or may come elsewhere.
    fn note_unit_before(&mut self, unit: UnitId, stays: bool, effect: Effect, cause: Cause) {
        let rules = &*self.rules;
        let hooks = &rules.hooks;
        let (follows, contact) = (hooks.follow_units(), hooks.follow_contact());
        if follows || contact {
            let group = self.run.applied_group;
            match self.run.before.iter_mut().find(|b| b.unit == unit) {
                // Whatever else becomes of it, it came elsewhere for its own reason.
                Some(_) if stays => {}
                Some(before) => (before.cause, before.group) = (cause, group),
                None => self.run.before.push(UnitBefore {
                    unit,
                    spot: self.world.spot(unit),
                    alive: self.world.is_alive(unit),
                    contact: match contact {
                        true => engagement::contact(rules, &self.world, unit),
                        false => UnitSet::EMPTY,
                    },
                    cause,
                    group,
                }),
            }
        }
        if self.run.applying {
            return;
        }
        let frees = hooks.becomes_free.is_some();
        if !frees && hooks.becomes_engaged.is_none() {
            return;
        }
        let mut concerned = match (effect.put(), effect) {
            // Where no foe is near nobody comes to be engaged.
            (Some((_, spot)), _) if !frees && !engagement::meets_foes(rules, &self.world, unit, spot) => {
                return;
            }
            (Some((_, spot)), _) => engagement::concerned(rules, &self.world, unit, spot),
            (_, Effect::Set(..)) => UnitSet::one(unit),
            (_, Effect::Own(..)) => match self.world.spot(unit) {
                Some(spot) => engagement::concerned(rules, &self.world, unit, spot),
                None => return,
            },
            _ if frees => UnitSet::one(unit),
            _ => return,
        };
        if frees {
            concerned = concerned | engagement::contact(rules, &self.world, unit);
        }
        let mut engaged = engagement::engaged_of(rules, &self.world, concerned.clone());
        if !frees {
            concerned = concerned - std::mem::take(&mut engaged);
        }
        self.run.engaged_before = Some(EngagementBefore { concerned, engaged });
    }

    /// Queues the hooks that follow from a change of a slot's number by an effect; in a batch the change is kept until
    /// its end.
    pub(super) fn follow_slot(&mut self, about: Thing, slot: u8, before: i64, cause: Cause) {
        let now = self.world.recorded(about, slot as usize);
        let (applying, fell, group) = (self.run.applying, now < before, self.run.applied_group);
        if now == before {
            return;
        }
        let changed = ChangedSlot {
            about,
            slot,
            before,
            fell,
            cause,
            group,
        };
        let at_zero = self.rules.slots.of(about)[slot as usize].at_zero;
        if let Some(hook) = at_zero.filter(|_| fell && now <= 0) {
            let due = PendingReaction {
                hook,
                about,
                slot: Some(slot),
                causes: if applying { Vec::new() } else { vec![cause] },
                group,
                ..PendingReaction::default()
            };
            // Within a batch every slot that may come to it counts, to be looked at when all is done.
            let there = |d: &PendingReaction| d.is_same_call(&due) && (!applying || d.slot == due.slot);
            if !self.due.iter().any(there) {
                self.due.push(due);
            }
        }
        match applying {
            true => self.run.changed.push(changed),
            false => self.follow_change(changed, &[]),
        }
    }

    /// Queues the hook that follows from the fall or rise of a slot since a change, by the total amount including later
    /// changes of the same batch.
    pub(super) fn follow_change(&mut self, first: ChangedSlot, later: &[ChangedSlot]) {
        let ChangedSlot { about, slot, .. } = first;
        let own = &self.rules.slots.of(about)[slot as usize];
        let by = self
            .world
            .recorded(about, slot as usize)
            .saturating_sub(first.before);
        let hook = if by < 0 { own.fell } else { own.rose };
        let Some(hook) = hook.filter(|_| by != 0 && self.exists(about)) else {
            return;
        };
        let same = |c: &&ChangedSlot| c.is_same_slot(&first) && c.fell == (by < 0);
        let all = std::iter::once(&first).chain(later);
        self.due.push(PendingReaction {
            hook,
            about,
            amount: Some(by.saturating_abs()),
            causes: all.filter(same).map(|c| c.cause).collect(),
            group: first.group,
            ..PendingReaction::default()
        });
    }

    /// Queues the hooks that follow from units that moved elsewhere: first those about each unit and its places, then
    /// those about lost and new contact, then those about free and engaged units; always in the order of the units'
    /// ids.
    pub(super) fn follow_units(&mut self) {
        let rules = Arc::clone(&self.rules);
        if !self.run.before.is_empty() {
            self.follow_each(&rules);
        }
        let Some(EngagementBefore { concerned, engaged }) = self.run.engaged_before.take() else {
            return;
        };
        let now = engagement::engaged_of(&rules, &self.world, concerned);
        let mut due = |hook: Option<HookId>, units: UnitSet| {
            let Some(hook) = hook else { return };
            self.due.extend(units.map(|unit| PendingReaction {
                hook,
                about: Thing::Unit(unit),
                ..PendingReaction::default()
            }));
        };
        let frees = rules.hooks.becomes_free;
        if frees.is_some() {
            // In a batch units may be engaged that were not there before.
            due(frees, (&engaged - &now) & self.world.on_board());
        }
        due(rules.hooks.becomes_engaged, now - engaged);
    }

    /// Queues the hooks about each unit that moved elsewhere and about its places, and about the units that it met or
    /// left.
    pub(super) fn follow_each(&mut self, rules: &Rules) {
        let hooks = &rules.hooks;
        let mut before = std::mem::take(&mut self.run.before);
        before.sort_by_key(|b| b.unit);
        let mut due = |hook: Option<HookId>, about: Thing, with: Thing, b: &UnitBefore| {
            self.due.extend(hook.map(|hook| PendingReaction {
                hook,
                about,
                with: Some(with),
                causes: vec![b.cause],
                group: b.group,
                ..PendingReaction::default()
            }));
        };
        let place = |spot: Spot| spot.place().map(Thing::Place);
        for b in &before {
            let (unit, now) = (Thing::Unit(b.unit), self.world.spot(b.unit));
            let moved = b.spot != now;
            for (spot, of_unit, of_place) in [
                (b.spot, hooks.leaves, hooks.left),
                (now, hooks.arrives, hooks.entered),
            ] {
                let Some(spot) = spot.filter(|_| moved) else {
                    continue;
                };
                // At a point of a plane it is in no place: the game stands for that.
                due(of_unit, unit, place(spot).unwrap_or_default(), b);
                if let Some(there) = place(spot) {
                    due(of_place, there, unit, b);
                }
            }
            if b.alive && !self.world.is_alive(b.unit) {
                // The game stands for nowhere.
                due(hooks.removed, unit, b.spot.and_then(place).unwrap_or_default(), b);
            }
        }
        if hooks.follow_contact() {
            let mut lost: Vec<(UnitId, UnitId, &UnitBefore)> = Vec::new();
            let mut met = Vec::new();
            for b in &before {
                let now = engagement::contact(rules, &self.world, b.unit);
                let pairs = |foe: UnitId| [(b.unit, foe, b), (foe, b.unit, b)];
                lost.extend((&b.contact - &now).flat_map(pairs));
                met.extend((now - &b.contact).flat_map(pairs));
            }
            for (hook, mut pairs) in [(hooks.loses_contact, lost), (hooks.comes_into_contact, met)] {
                pairs.sort_by_key(|(me, foe, _)| (*me, *foe));
                pairs.dedup_by_key(|(me, foe, _)| (*me, *foe));
                for (me, foe, b) in pairs {
                    due(hook, Thing::Unit(me), Thing::Unit(foe), b);
                }
            }
        }
        before.clear();
        self.run.before = before;
    }

    /// Whether what a hook is to be told is still so: what came before it may have taken the unit elsewhere. A unit
    /// that was removed takes no further part: of its hooks only `removed` is called.
    pub fn still_holds(&self, due: &PendingReaction) -> bool {
        let hooks = &self.rules.hooks;
        let is = |hook: Option<HookId>| hook == Some(due.hook);
        if !self.exists(due.about) && !is(hooks.removed) {
            return false;
        }
        match (due.about, due.with) {
            (Thing::Unit(unit), Some(Thing::Place(place)))
            | (Thing::Place(place), Some(Thing::Unit(unit))) => {
                !(is(hooks.arrives) || is(hooks.entered)) || self.world.place(unit) == Some(place)
            }
            (Thing::Unit(me), Some(Thing::Unit(foe))) => {
                let contact = engagement::contact(&self.rules, &self.world, me).contains(foe);
                contact == is(hooks.comes_into_contact)
            }
            (Thing::Unit(unit), None) if is(hooks.becomes_free) => {
                self.world.is_on_board(unit) && !engagement::engaged(&self.rules, &self.world, unit)
            }
            _ => true,
        }
    }
}
