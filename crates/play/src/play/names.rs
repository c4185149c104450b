//! A position by names: what has slots and what it is called, what is in them, and in what two positions differ,
//! be they of the same rules or not.
//!
//! Differences, records, laid scenarios and the carrying over of a reload ([`super::carry`]) go by it.

use crate::event_text::EventSpelling;
use crate::kernel::ids::{FactionId, Thing};
use crate::kernel::rules::{Rules, Slot};
use crate::kernel::table::Table;
use crate::kernel::world::World;
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Name of the game itself as an owner of slots.
pub const GAME: &str = "game";

/// Finds the owner of slots with a name, units excluded: the game, a faction or a place.
pub fn find(rules: &Rules, name: &str) -> Option<Thing> {
    if name == GAME {
        return Some(Thing::Game);
    }
    let faction = rules.faction(name).map(Thing::Faction);
    faction.or_else(|| rules.board.place(name).map(Thing::Place))
}

/// Returns the name of an owner of slots.
pub fn name(rules: &Rules, world: &World, thing: Thing) -> String {
    match thing {
        Thing::Game => GAME.to_owned(),
        thing => rules.who(world.who(thing)),
    }
}

/// Returns the owners of slots other than units: factions, places and the game.
pub fn fixtures(rules: &Rules) -> impl Iterator<Item = Thing> {
    let places = rules.board.places().into_iter().map(Thing::Place);
    rules
        .all_factions()
        .map(Thing::Faction)
        .chain(places)
        .chain([Thing::Game])
}

/// A slot of something, with what is in it.
#[derive(Debug, Clone, Copy)]
pub struct SlotContent<'a> {
    /// The slot.
    pub slot: &'a Slot,
    /// Value in the slot.
    pub value: i64,
    /// Whether that is what it starts with.
    pub start: bool,
}

/// Returns the slots of a thing, with their values.
pub fn slots_of<'a>(
    rules: &'a Rules,
    world: &'a World,
    thing: Thing,
) -> impl Iterator<Item = SlotContent<'a>> {
    let slots = rules.slots.of(thing).iter().enumerate();
    slots.map(move |(index, slot)| {
        let value = world.slot(thing, index);
        let start = value == world.start_of(rules, thing, slot);
        SlotContent { slot, value, start }
    })
}

/// The slot of the same name and kind under other rules, both by index among those of things of this kind.
pub fn same_slot(from: &Rules, to: &Rules, thing: Thing, index: usize) -> Option<usize> {
    let slot = from.slots.of(thing).get(index)?;
    let same = |s: &Slot| s.name == slot.name && s.kind == slot.kind;
    to.slots.of(thing).iter().position(same)
}

/// Aspect of a thing that can differ between positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aspect {
    /// Spot of a unit.
    Place,
    /// Value of the slot with this name.
    Slot(String),
    /// Terrain in a place.
    Terrain,
    /// First faction in turn order.
    First,
    /// Last winner, and the contest that was won.
    Winner,
}

impl Aspect {
    /// Its name in pages and data.
    pub fn word(&self) -> &str {
        match self {
            Aspect::Place => "place",
            Aspect::Slot(name) => name,
            Aspect::Terrain => "terrain",
            Aspect::First => "goes first",
            Aspect::Winner => "last winner",
        }
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Serialize for Aspect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// In the order of the words.
impl Ord for Aspect {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let is_slot = |aspect: &Self| matches!(aspect, Aspect::Slot(_));
        let by_word = self.word().cmp(other.word());
        by_word.then_with(|| is_slot(self).cmp(&is_slot(other)))
    }
}

impl PartialOrd for Aspect {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Value of one aspect.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Fact {
    value: String,
    /// It is what such a thing starts with.
    start: bool,
    /// Whether it is a slot whose changes are not told: the bookkeeping of a rule.
    quiet: bool,
}

/// A position in words: by what it is about, then by aspect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts(BTreeMap<(String, Aspect), Fact>);

/// Something that differs between two positions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PositionChange {
    /// A unit, place or faction, or `game`.
    pub who: String,
    /// Aspect that differs.
    pub slot: Aspect,
    /// Its value under the base; `None` where there is no such thing.
    pub base: Option<String>,
    /// Its value under the tweak.
    pub tweak: Option<String>,
}

impl Facts {
    /// Returns the facts about the current state of a table.
    pub fn of(table: &Table) -> Self {
        let (rules, world) = (&*table.rules, &table.world);
        let mut facts = BTreeMap::new();
        let mut put = |who: &str, aspect: Aspect, value: String, start: bool, quiet: bool| {
            facts.insert((who.to_owned(), aspect), Fact { value, start, quiet });
        };
        let units = rules.all_factions().flat_map(|faction| world.owned(faction));
        let alive = units
            .clone()
            .filter(|unit| world.is_alive(*unit))
            .map(Thing::Unit);
        for thing in fixtures(rules).chain(alive) {
            let who = name(rules, world, thing);
            for SlotContent { slot, value, start } in slots_of(rules, world, thing) {
                let text = crate::event_text::slot_text(world, rules, slot.kind, value, &EventSpelling::TOLD);
                put(&who, Aspect::Slot(slot.name.clone()), text, start, slot.quiet);
            }
        }
        for unit in units {
            let who = name(rules, world, Thing::Unit(unit));
            put(&who, Aspect::Place, world.whereabouts(rules, unit), false, false);
        }
        for place in rules.board.places() {
            let terrain_names: Vec<&str> = world
                .terrain(place)
                .map(|t| rules.terrains[t.index()].name.as_str())
                .collect();
            if !terrain_names.is_empty() {
                put(
                    rules.board.name(place),
                    Aspect::Terrain,
                    terrain_names.join(", "),
                    false,
                    false,
                );
            }
        }
        let first = world.in_order(0);
        let called = |faction: FactionId| rules.factions[faction.index()].clone();
        put(GAME, Aspect::First, called(first), first == FactionId(0), false);
        if let Some(outcome) = world.outcome {
            let winner = outcome.winner.map_or_else(|| "nobody".to_owned(), called);
            let (contest, reason) = (
                table.words.text(outcome.contest),
                table.words.text(outcome.reason),
            );
            let description = format!("{winner}, the {contest}: {reason}");
            put(GAME, Aspect::Winner, description, false, false);
        }
        Self(facts)
    }

    /// Returns the differences to another position. A slot that only one of the rulesets has counts when it is not at
    /// its start value, unless it is quiet: variants keep their books in quiet slots.
    pub fn changes(&self, variant: &Facts) -> Vec<PositionChange> {
        let keys: BTreeSet<_> = self.0.keys().chain(variant.0.keys()).collect();
        let differs = |key: &&(String, Aspect)| match (self.0.get(*key), variant.0.get(*key)) {
            (Some(a), Some(b)) => a.value != b.value,
            (Some(only), None) | (None, Some(only)) => !only.start && !only.quiet,
            (None, None) => false,
        };
        let value = |facts: &Facts, key| facts.0.get(key).map(|f| f.value.clone());
        let changes = keys.into_iter().filter(differs).map(|key| PositionChange {
            who: key.0.clone(),
            slot: key.1.clone(),
            base: value(self, key),
            tweak: value(variant, key),
        });
        changes.collect()
    }

    /// The position by unit, place, faction or `game`, then by the word for what is known of it.
    pub fn by_name(&self) -> BTreeMap<&str, BTreeMap<&str, &str>> {
        let mut position: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
        for ((who, aspect), fact) in &self.0 {
            position
                .entry(who)
                .or_default()
                .insert(aspect.word(), &fact.value);
        }
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_that_only_one_side_has_counts_when_it_is_not_as_it_starts() {
        let facts = |start: bool| {
            let fact = Fact {
                value: "4".to_owned(),
                start,
                quiet: false,
            };
            Facts([((GAME.to_owned(), Aspect::Slot("tide".to_owned())), fact)].into())
        };
        assert!(facts(true).changes(&Facts::default()).is_empty());
        assert!(!facts(false).changes(&Facts::default()).is_empty());
        assert!(!Facts::default().changes(&facts(false)).is_empty());
    }
}
