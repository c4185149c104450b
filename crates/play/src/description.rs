//! A position written by names: what lies and stands where, and what is in the slots, independent of any ruleset's ids.
//!
//! Set-up, records, changes of rules and differences all go by it: a [`Description`] is read from a world
//! ([`Description::of`]) or from a scenario's text ([`UnitLine::parse`] and the scenario file), laid on an empty table
//! ([`Description::lay`]), and compared with another ([`Description::difference`]).

pub mod change;
pub mod dice;
pub mod lay;
mod line;
pub mod problems;

pub use change::Change;
pub use line::{NamedEntries, SlotValue, Spanned, UnitLine, slots, words, write_slots};

use crate::event_text::{EventSpelling, spelled, spelled_items};
use crate::kernel::dice::Pool;
use crate::kernel::ids::{FactionId, PlaceId, TerrainId, Thing, UnitId, UnitName};
use crate::kernel::rules::{ItemKind, Items, Rules, Slot, SlotKind, Words};
use crate::kernel::world::{World, starting_value};
use crate::scenario::outlines;
use std::collections::{BTreeMap, BTreeSet};

/// Name of the game itself as an owner of slots.
pub const GAME: &str = "game";

/// Name of the place of a unit that is not on the board.
pub const RESERVE: &str = "reserve";

/// The slots of one thing, by name.
pub type Slots = NamedEntries<Spanned<SlotValue>>;

/// A position by names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The places of each kind of terrain; on a table top the pieces with their outlines.
    pub terrain: NamedEntries<Vec<Spanned<String>>>,
    /// The units of each faction.
    pub units: NamedEntries<Vec<Spanned<UnitLine>>>,
    /// The slots of factions and places, and under `game` those of the game.
    pub slots: NamedEntries<Slots>,
    /// The rest of a position in play; none of it can be written in a scenario.
    pub in_play: Option<InPlay>,
}

/// Parts of a position that only play brings about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InPlay {
    /// First faction in turn order.
    first: String,
    /// Last winner, the contest that was won, and why.
    winner: Option<String>,
    /// Names that units had before, oldest first.
    former: Vec<(String, UnitId)>,
}

/// A unit in play: its names and its past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownUnit {
    /// Its number among all units of the game.
    pub id: UnitId,
    /// Its number among its faction's units of that type.
    pub nth: u16,
    /// Whether it has moved since the innermost repeating phase began.
    pub moved: bool,
    /// Whether it was forgotten: its id is free for another.
    pub forgotten: bool,
}

/// Finds the owner of slots with a name, units excluded: the game, a faction or a place.
pub fn find(rules: &Rules, name: &str) -> Option<Thing> {
    if name == GAME {
        return Some(Thing::Game);
    }
    let faction = rules.faction(name).map(Thing::Faction);
    faction.or_else(|| rules.board.place(name).map(Thing::Place))
}

impl Description {
    /// The whole position of a world.
    pub fn of(rules: &Rules, words: &Words, world: &World) -> Self {
        let slots = |thing: Thing| -> Slots {
            let slots = rules.slots.of(thing).iter().enumerate();
            let described = slots.map(|(index, slot)| {
                let unit = |value: i64| {
                    let id = usize::try_from(value).ok().filter(|id| *id < world.unit_count());
                    Some(world.name(UnitId::new(id?)))
                };
                let value = match slot.kind {
                    SlotKind::Items(items) => {
                        let all = world.items(rules, thing, index, items);
                        SlotValue::Word(spelled_items(rules, items, &all, unit))
                    }
                    _ => value_of(rules, slot, world.slot(thing, index), unit),
                };
                (Spanned::from(slot.name.clone()), Spanned::from(value))
            });
            described.collect()
        };
        let unit = |id: UnitId| {
            let name = world.name(id);
            Spanned::from(UnitLine {
                kind: rules.types[name.kind.index()].name.clone().into(),
                place: world.whereabouts(rules, id).into(),
                slots: [dice::written(rules, world, id), slots(Thing::Unit(id))].concat(),
                known: Some(KnownUnit {
                    id,
                    nth: name.nth,
                    moved: world.has_moved(id),
                    forgotten: !world.owned(name.owner).contains(id),
                }),
            })
        };
        let called = |faction: FactionId| rules.factions[faction.index()].clone();
        let units = rules.all_factions().map(|faction| {
            let all = (0..world.unit_count()).map(UnitId::new);
            let own = all.filter(|id| world.unit(*id).owner == faction);
            (Spanned::from(called(faction)), own.map(unit).collect())
        });
        let places = rules.board.places().into_iter().map(Thing::Place);
        let factions = rules.all_factions().map(Thing::Faction);
        let owners = factions.chain(places).chain([Thing::Game]);
        let owners = owners.filter(|owner| !rules.slots.of(*owner).is_empty());
        let name = |owner: Thing| match owner {
            Thing::Game => GAME.to_owned(),
            owner => rules.who(world.who(owner)),
        };
        let winner = world.outcome.map(|outcome| {
            let winner = outcome.winner.map_or_else(|| "nobody".to_owned(), called);
            let (contest, reason) = (words.text(outcome.contest), words.text(outcome.reason));
            format!("{winner}, the {contest}: {reason}")
        });
        let former = world.former().iter();
        Self {
            terrain: terrain_of(rules, world),
            units: units.collect(),
            slots: owners.map(|owner| (name(owner).into(), slots(owner))).collect(),
            in_play: Some(InPlay {
                first: called(world.in_order(0)),
                winner,
                former: former.map(|(name, id)| (rules.unit_name(*name), *id)).collect(),
            }),
        }
    }

    /// The name of each unit under a faction: those in play are numbered already, others as they come.
    pub fn names(&self) -> Vec<Vec<String>> {
        let of_faction = |(faction, lines): &(Spanned<String>, Vec<Spanned<UnitLine>>)| {
            let mut counts: BTreeMap<&str, u16> = BTreeMap::new();
            let names = lines.iter().map(|line| {
                let count = counts.entry(&line.kind).or_default();
                *count += 1;
                let nth = line.known.map_or(*count, |known| known.nth);
                format!("{faction}.{}{nth}", line.kind)
            });
            names.collect()
        };
        self.units.iter().map(of_faction).collect()
    }

    /// The position as a scenario writes it: units that exist, numbered anew, and slots that are not at their starting
    /// values; and what a scenario cannot express.
    pub fn for_scenario(&self, rules: &Rules) -> (Self, Vec<String>) {
        let mut described = Self {
            in_play: None,
            ..self.clone()
        };
        for (_, lines) in &mut described.units {
            lines.retain(|line| line.exists());
        }
        described.units.retain(|(_, lines)| !lines.is_empty());
        let old = described.names();
        for line in described.units.iter_mut().flat_map(|(_, lines)| lines) {
            line.value.known = None;
        }
        let names: Vec<_> = old.concat().into_iter().zip(described.names().concat()).collect();
        let renamed = names.iter().filter(|(old, name)| old != name);
        let renamed = renamed.map(|(old, name)| format!("{old} is called {name} there"));
        let mut notes: Vec<String> = renamed.collect();
        let mut keep = |owner: &str, thing: Thing, kind: Option<&str>, slots: &mut Slots| {
            slots.retain_mut(|(name, value)| {
                let Some(slot) = rules.slots.of(thing).iter().find(|slot| slot.name == name.value) else {
                    // How a die lies.
                    return true;
                };
                if value.value == start_of(rules, slot, kind) {
                    return false;
                }
                match (slot.kind, &mut value.value) {
                    (SlotKind::Items(items), SlotValue::Word(word)) if items.names_units() => {
                        let (text, gone) = renamed_items(items, word, &names);
                        let gone = gone.into_iter();
                        notes.extend(
                            gone.map(|unit| format!("`{name}` of {owner} has {unit}, which is gone")),
                        );
                        *word = text;
                    }
                    (SlotKind::Unit, SlotValue::Word(word)) if word != NONE => {
                        match names.iter().find(|(old, _)| old == word) {
                            Some((_, name)) => word.clone_from(name),
                            None => {
                                notes.push(format!("`{name}` of {owner} names a unit that is gone"));
                                return false;
                            }
                        }
                    }
                    _ => {}
                }
                true
            });
        };
        for ((_, lines), names) in described.units.iter_mut().zip(&old) {
            for (line, name) in lines.iter_mut().zip(names) {
                let UnitLine { kind, slots, .. } = &mut line.value;
                keep(name, ANY_UNIT, Some(kind), slots);
            }
        }
        for (owner, slots) in &mut described.slots {
            if let Some(thing) = find(rules, owner) {
                keep(owner, thing, None, slots);
            }
        }
        described.slots.retain(|(_, slots)| !slots.is_empty());
        (described, notes)
    }

    /// Returns the changes from this position under these rules to another under others. A slot that only one of the
    /// rulesets has counts when it is not at its starting value, unless it is quiet: variants keep their books in quiet
    /// slots.
    pub fn difference(&self, rules: &Rules, other: &Self, others: &Rules) -> Vec<PositionChange> {
        let (base, tweak) = (self.facts(rules), other.facts(others));
        let keys: BTreeSet<_> = base.keys().chain(tweak.keys()).collect();
        let differs = |key: &&FactKey| match (base.get(*key), tweak.get(*key)) {
            (Some(a), Some(b)) => a.value != b.value,
            (Some(only), None) | (None, Some(only)) => only.counts,
            (None, None) => false,
        };
        let value = |facts: &Facts, key| facts.get(key).map(|fact| fact.value.clone());
        let changes = keys.into_iter().filter(differs).map(|key| PositionChange {
            who: key.0.clone(),
            slot: key.1.clone(),
            is_slot: key.2,
            base: value(&base, key),
            tweak: value(&tweak, key),
        });
        changes.collect()
    }

    /// The position in words: by unit, place, faction or `game`, then by the word for what is known of it.
    pub fn by_name(&self, rules: &Rules) -> BTreeMap<String, BTreeMap<String, String>> {
        let mut position: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for ((who, word, _), fact) in self.facts(rules) {
            position.entry(who).or_default().insert(word, fact.value);
        }
        position
    }

    fn facts(&self, rules: &Rules) -> Facts {
        let mut facts = Facts::new();
        let mut put = |who: &str, word: &str, is_slot: bool, value: &str, counts: bool| {
            let value = value.to_owned();
            facts.insert((who.to_owned(), word.to_owned(), is_slot), Fact { value, counts });
        };
        let mut owners: Vec<(&str, Thing, Option<&str>, &Slots)> = Vec::new();
        for (owner, slots) in &self.slots {
            owners.extend(find(rules, owner).map(|thing| (owner.as_str(), thing, None, slots)));
        }
        let names = self.names().concat();
        let lines = self.units.iter().flat_map(|(_, lines)| lines);
        for (line, name) in lines.zip(&names) {
            if line.known.is_none_or(|known| !known.forgotten) {
                put(name, "place", false, &line.place, true);
            }
            if line.exists() {
                owners.push((name, ANY_UNIT, Some(&line.kind), &line.slots));
            }
        }
        for (owner, thing, kind, slots) in owners {
            for (name, value) in slots {
                let slots = rules.slots.of(thing).iter();
                for slot in slots.filter(|slot| slot.name == name.value) {
                    let counts = !slot.quiet && value.value != start_of(rules, slot, kind);
                    put(owner, name, true, &told(slot.kind, value), counts);
                }
            }
        }
        let mut terrain: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (kind, places) in &self.terrain {
            for place in places {
                // A piece has its outline behind its name.
                let name = place.split(':').next().unwrap_or_default();
                terrain.entry(name).or_default().push(kind);
            }
        }
        for (place, kinds) in terrain {
            put(place, "terrain", false, &kinds.join(", "), true);
        }
        if let Some(InPlay { first, winner, .. }) = &self.in_play {
            put(GAME, "goes first", false, first, *first != rules.factions[0]);
            if let Some(winner) = winner {
                put(GAME, "last winner", false, winner, true);
            }
        }
        facts
    }
}

impl UnitLine {
    /// Whether the unit exists, on the board or in reserve.
    fn exists(&self) -> bool {
        self.place.value != REMOVED
    }
}

/// Name of the place of a unit that is out of play.
const REMOVED: &str = "removed";

/// The word of a slot that holds nothing.
const NONE: &str = "none";

/// Stands for the units: all have the same slots.
const ANY_UNIT: Thing = Thing::Unit(UnitId(0));

/// The terrain that lies on the board, by kind, as scenarios have it.
pub fn terrain_of(rules: &Rules, world: &World) -> NamedEntries<Vec<Spanned<String>>> {
    let written = |place: PlaceId| {
        let name = rules.board.name(place);
        let piece = world.piece(place).map(|shape| outlines::written(name, shape));
        Spanned::from(piece.unwrap_or_else(|| name.to_owned()))
    };
    let kinds = rules.terrains.iter().enumerate().map(|(index, terrain)| {
        let lies = |place: &PlaceId| world.terrain(*place).contains(TerrainId(index as u8));
        let ground = rules.board.places().iter().chain(rules.board.edges());
        let places: Vec<_> = ground.filter(lies).map(written).collect();
        (Spanned::from(terrain.name.clone()), places)
    });
    kinds.filter(|(_, places)| !places.is_empty()).collect()
}

/// A slot's value as a user writes it.
fn value_of(rules: &Rules, slot: &Slot, value: i64, unit: impl FnOnce(i64) -> Option<UnitName>) -> SlotValue {
    match slot.kind {
        SlotKind::Number => SlotValue::Number(value),
        SlotKind::Flag => SlotValue::Flag(value != 0),
        // They start empty.
        SlotKind::Items(_) => SlotValue::Word(NONE.to_owned()),
        kind => SlotValue::Word(spelled(rules, kind, value, unit, &EventSpelling::WRITTEN)),
    }
}

/// Renames the units in a set or list; returns it without those that are gone, and those.
fn renamed_items(items: Items, all: &str, names: &[(String, String)]) -> (String, Vec<String>) {
    let (mut left, mut gone) = (Vec::new(), Vec::new());
    for item in all.split(',').map(str::trim) {
        let renamed = items.parts().zip(item.split(':')).map(|(kind, part)| match kind {
            ItemKind::Unit => {
                let name = names.iter().find(|(old, _)| old == part);
                name.map(|(_, name)| name.as_str()).ok_or(part)
            }
            _ => Ok(part),
        });
        match renamed.collect::<Result<Vec<&str>, &str>>() {
            Ok(parts) => left.push(parts.join(":")),
            Err(unit) if unit != NONE => gone.push(unit.to_owned()),
            Err(_) => {}
        }
    }
    let left = Some(left.join(", ")).filter(|left| !left.is_empty());
    (left.unwrap_or_else(|| NONE.to_owned()), gone)
}

/// The value with which a slot starts: of a unit of this type, or of something else.
fn start_of(rules: &Rules, slot: &Slot, kind: Option<&str>) -> SlotValue {
    let kind = kind.and_then(|kind| rules.unit_type(kind));
    let start = kind.map_or(slot.start, |kind| {
        starting_value(rules, kind, slot.from_stat, slot.start)
    });
    value_of(rules, slot, start, |_| None)
}

/// A value of a slot of this kind as lines of a transcript show it.
fn told(kind: SlotKind, value: &SlotValue) -> String {
    let [nobody, nowhere, ..] = EventSpelling::TOLD.nothing;
    match (kind, value) {
        (_, SlotValue::Flag(flag)) => EventSpelling::TOLD.flags[usize::from(*flag)].to_owned(),
        (SlotKind::Dice, SlotValue::Word(dice)) => Pool::parse(dice).unwrap_or_default().sentence(),
        (SlotKind::Unit, SlotValue::Word(word)) if word == NONE => nobody.to_owned(),
        (SlotKind::Place, SlotValue::Word(word)) if word == NONE => nowhere.to_owned(),
        (_, value) => value.to_string(),
    }
}

/// Something known of a thing: what it is about, the word for it, and whether that is the name of a slot.
type FactKey = (String, String, bool);

/// Value of a fact.
struct Fact {
    value: String,
    /// Whether it is a difference to a position that has nothing of the kind.
    counts: bool,
}

type Facts = BTreeMap<FactKey, Fact>;

/// Something that differs between two positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionChange {
    /// A unit, place or faction, or `game`.
    pub who: String,
    /// The slot that differs; or `place`, `terrain`, `goes first`, `last winner`.
    pub slot: String,
    /// Whether it is a slot.
    pub is_slot: bool,
    /// Its value under the base; `None` where there is no such thing.
    pub base: Option<String>,
    /// Its value under the tweak.
    pub tweak: Option<String>,
}
