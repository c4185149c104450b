//! Events: what happened, typed; spelled as one line each only when someone reads them.

pub mod data;

use super::choice::{Answer, StepId};
use super::dice::Pool;
use super::ids::{Cause, FactionId, PlaceId, RecordedThing, TerrainId, Thing, UnitId, UnitName, WordId};
use super::pose::Pose;
use super::rules::{Item, ItemKind, NOTHING, Rules, SlotKind};
use super::spot::{Form, Spot};
use super::throws::ThrowRecord;
use super::world::{Outcome, World};
use std::sync::Arc;

/// An item of a set or list, as it was when something happened to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotItem {
    /// Owner of the slot.
    pub who: RecordedThing,
    /// Index of the slot in the schema.
    pub slot: u8,
    /// The item; units are recorded by name.
    pub item: Item,
    /// Its index.
    pub at: u16,
}

/// Makes the kinds of events from one table: name, what data call it, and its parts.
macro_rules! events {
    ($($(#[$doc:meta])* $name:ident $_kind:literal { $($(#[$of:meta])* $part:ident: $type:ty,)* })*) => {
        /// One thing that happened.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Event {
            /// A phase began; `iteration` counts from 1 for repeating phases, else 0.
            Phase {
                /// The phase, by index.
                phase: u8,
                /// Number of beginnings of the phase.
                iteration: u16,
            },
            /// A step in which something happened began.
            Step(StepId),
            /// A question was answered.
            Chose(Answer),
            /// A slot changed.
            Changed {
                /// Owner of the slot.
                who: RecordedThing,
                /// Its index in the schema.
                slot: u8,
                /// Before.
                from: i64,
                /// After.
                to: i64,
                /// Why.
                cause: Cause,
            },
            $($(#[$doc])* $name { $($(#[$of])* $part: $type),* },)*
        }
    };
}

/// The table of the kinds of events that say by the types of their parts what they are about: what is done alike with
/// each of them is a macro that is handed the table.
#[macro_export]
macro_rules! event_kinds {
    ($with:ident) => {
        $with! {
            /// Dice were rolled.
            Rolled "roll" {
                /// For whom.
                who: RecordedThing,
                /// Purpose, in the script's words.
                label: WordId,
                /// The dice.
                dice: Pool,
            }
            /// A roll counts as other dice than it showed.
            Counted "roll replaced" {
                /// For whom it was rolled.
                who: RecordedThing,
                /// Purpose, in the script's words.
                label: WordId,
                /// Dice that the roll counts as.
                dice: Pool,
            }
            /// A die was thrown. Where dice came to rest is told by what follows.
            Threw "throw" {
                /// The die.
                unit: UnitName,
                /// Purpose, in the script's words.
                label: WordId,
                /// Throw and its result.
                record: Arc<ThrowRecord>,
            }
            /// A die came to lie elsewhere, or otherwise.
            Lay "die moved" {
                /// The die.
                unit: UnitName,
                /// Before; `None` is the reserve.
                from: Option<Pose>,
                /// After.
                to: Pose,
                /// Why.
                cause: Cause,
            }
            /// A set or list got an item.
            Inserted "item added" {
                /// The item.
                item: SlotItem,
                /// Why.
                cause: Cause,
            }
            /// An item was taken out of a set or list.
            Taken "item removed" {
                /// The item.
                item: SlotItem,
                /// Why.
                cause: Cause,
            }
            /// A unit came to stand elsewhere; `None` is the reserve.
            Moved "move" {
                /// The unit.
                unit: UnitName,
                /// Before.
                from: Option<Spot>,
                /// After.
                to: Option<Spot>,
                /// Why.
                cause: Cause,
            }
            /// A unit was removed from play.
            Removed "removal" {
                /// The unit.
                unit: UnitName,
                /// Spot from which it was removed.
                from: Option<Spot>,
                /// Why.
                cause: Cause,
            }
            /// A unit was not removed, for its rules did not allow it.
            Spared "no removal" {
                /// The unit.
                unit: UnitName,
                /// Why not.
                reason: WordId,
                /// Why it would have been.
                cause: Cause,
            }
            /// Terrain was laid in a place.
            Laid "terrain laid" {
                /// The place.
                place: PlaceId,
                /// Terrain that was laid.
                terrain: TerrainId,
                /// The outline of a piece on a plane.
                outline: Option<Form>,
                /// Why.
                cause: Cause,
            }
            /// Terrain was taken away from a place.
            Lifted "terrain lifted" {
                /// The place.
                place: PlaceId,
                /// Terrain that was taken away.
                terrain: TerrainId,
                /// Why.
                cause: Cause,
            }
            /// A unit joined a faction.
            Enlisted "enlisting" {
                /// The unit.
                unit: UnitName,
                /// Why.
                cause: Cause,
            }
            /// A unit came to another faction or type, and so to another name.
            Renamed "renaming" {
                /// Old name.
                unit: UnitName,
                /// New name.
                to: UnitName,
                /// Why.
                cause: Cause,
            }
            /// A faction's units were forgotten.
            Disbanded "disbanding" {
                /// The faction.
                faction: FactionId,
                /// Why.
                cause: Cause,
            }
            /// A unit did not come to stand elsewhere, or, where it is, to another faction: of those who came at the same
            /// time, others were first.
            Stayed "stay" {
                /// The unit.
                unit: UnitName,
                /// Spot of the unit; `None` is the reserve.
                place: Option<Spot>,
                /// Spot without room.
                full: Spot,
                /// Why it would have come.
                cause: Cause,
            }
            /// A faction became first in turn order.
            First "turn order" {
                /// The faction.
                first: FactionId,
                /// Why.
                cause: Cause,
            }
            /// A contest ended.
            Finished "end" {
                /// Outcome of the contest.
                outcome: Outcome,
                /// Cause of the end: a unit, place or faction, or the game.
                by: RecordedThing,
            }
            /// Something that happened under earlier rules and cannot be said in the words of these.
            Told "told" {
                /// Its line as it was.
                line: WordId,
                /// Whether it followed from a step, see [`Event::is_consequence`].
                follows: bool,
            }
        }
    };
}

event_kinds!(events);

impl Event {
    /// Makes what the event tells happen to a world, which must be the one before it.
    pub fn redo(&self, rules: &Rules, world: &mut World) {
        let named = match self {
            Event::Moved { unit, .. }
            | Event::Lay { unit, .. }
            | Event::Removed { unit, .. }
            | Event::Renamed { unit, .. } => match world.find(*unit) {
                Some(unit) => unit,
                None => return,
            },
            _ => UnitId::default(),
        };
        match self {
            Event::Changed { who, slot, to, .. } => {
                if let Some(thing) = who.map(|unit| world.find(unit)) {
                    world.set_slot(thing, *slot as usize, slot_value(rules, world, thing, *slot, *to));
                }
            }
            Event::Inserted { item, .. } => item.redo(rules, world, true),
            Event::Taken { item, .. } => item.redo(rules, world, false),
            Event::Moved { to: Some(spot), .. } => world.put(named, *spot),
            Event::Moved { to: None, .. } => world.reserve(named),
            Event::Lay { to, .. } => world.lay_die(named, *to),
            Event::Removed { .. } => world.remove(named),
            Event::Laid {
                place,
                terrain,
                outline,
                ..
            } => world.lay_as(rules, *place, *terrain, *outline),
            Event::Lifted { place, terrain, .. } => world.lift(rules, *place, *terrain),
            Event::Enlisted { unit: name, .. } => {
                world.enlist(rules, name.owner, name.kind);
            }
            Event::Renamed { to, .. } => world.rename(named, *to),
            Event::Disbanded { faction, .. } => world.disband(rules, *faction),
            Event::First { first, .. } => world.set_first(*first, rules.factions.len()),
            Event::Finished { outcome, .. } => world.outcome = Some(*outcome),
            Event::Phase { .. }
            | Event::Step(_)
            | Event::Chose(_)
            | Event::Rolled { .. }
            | Event::Threw { .. }
            | Event::Counted { .. }
            | Event::Spared { .. }
            | Event::Stayed { .. }
            | Event::Told { .. } => {}
        }
    }

    /// The factions that an event within a hidden phase is about: whose thing changed, and who did it.
    pub fn doers(&self) -> [Option<FactionId>; 2] {
        match self {
            Event::Phase { .. }
            | Event::Step(_)
            | Event::Rolled { .. }
            | Event::Threw { .. }
            | Event::Counted { .. }
            | Event::Told { .. } => [None; 2],
            Event::Chose(answer) => [Some(answer.asker), None],
            Event::Changed { who, cause, .. } => [who.faction(), cause.by.faction()],
            Event::Inserted { item, cause } | Event::Taken { item, cause } => {
                [item.who.faction(), cause.by.faction()]
            }
            Event::Moved { unit, cause, .. }
            | Event::Lay { unit, cause, .. }
            | Event::Removed { unit, cause, .. }
            | Event::Stayed { unit, cause, .. }
            | Event::Spared { unit, cause, .. }
            | Event::Enlisted { unit, cause } => [Some(unit.owner), cause.by.faction()],
            Event::Renamed { to, cause, .. } => [Some(to.owner), cause.by.faction()],
            Event::Disbanded { faction, cause } => [Some(*faction), cause.by.faction()],
            // The turn order is nobody's own.
            Event::Laid { cause, .. } | Event::Lifted { cause, .. } | Event::First { cause, .. } => {
                [None, cause.by.faction()]
            }
            Event::Finished { outcome, by } => [outcome.winner, by.faction()],
        }
    }

    /// The unit that came to stand or lie somewhere, from where (`None` is the reserve) and where to.
    pub fn arrival(&self) -> Option<(UnitName, Option<Spot>, Spot)> {
        match *self {
            Event::Moved {
                unit,
                from,
                to: Some(to),
                ..
            } => Some((unit, from, to)),
            Event::Lay { unit, from, to, .. } => {
                let spot = |pose: Pose| Spot::Point(pose.point());
                Some((unit, from.map(spot), spot(to)))
            }
            _ => None,
        }
    }

    /// Whether the event follows from a step (its line is indented), rather than being the step,
    /// an answer or a roll.
    pub fn is_consequence(&self) -> bool {
        match self {
            Event::Phase { .. }
            | Event::Step(_)
            | Event::Chose(_)
            | Event::Rolled { .. }
            | Event::Threw { .. } => false,
            Event::Told { follows, .. } => *follows,
            _ => true,
        }
    }
}

/// The word under which the pick of the next unit to activate is asked.
pub const ACTIVATES: &str = "activates";

/// Answer of a faction that passes instead.
pub const PASS: &str = "pass";
/// The roll that says whose card is drawn, and what is taken by it.
pub const CARD: &str = "card";
/// Returns the value of a slot from its recorded value, where units are recorded by name.
pub fn slot_value(rules: &Rules, world: &World, thing: Thing, slot: u8, recorded: i64) -> i64 {
    match rules.slots.of(thing)[slot as usize].kind {
        SlotKind::Unit if recorded != NOTHING => {
            let unit = world.find(UnitName::from_stored(recorded));
            unit.map_or(NOTHING, |unit| unit.index() as i64)
        }
        _ => recorded,
    }
}

impl SlotItem {
    /// Puts the item in or takes it out again.
    fn redo(&self, rules: &Rules, world: &mut World, is_in: bool) {
        let Some(thing) = self.who.map(|unit| world.find(unit)) else {
            return;
        };
        let Some(items) = rules.slots.of(thing)[self.slot as usize].kind.items() else {
            return;
        };
        let mut item = self.item;
        for (kind, part) in items.parts().zip(&mut item) {
            if kind == ItemKind::Unit {
                let unit = world.find(UnitName::from_stored(*part));
                *part = unit.map_or(NOTHING, |unit| unit.index() as i64);
            }
        }
        let mut all = world.items(rules, thing, self.slot.into(), items);
        let at = usize::from(self.at);
        if is_in {
            all.insert(at.min(all.len()), item);
        } else if at < all.len() {
            all.remove(at);
        }
        world.set_items(rules, thing, self.slot.into(), items, &all);
    }
}
