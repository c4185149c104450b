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

use crate::event_text::{EventSpelling, spelled};
use crate::kernel::dice::Pool;
use crate::kernel::ids::{FactionId, PlaceId, TerrainId, Thing, UnitId, UnitName};
use crate::kernel::rules::{Rules, Slot, SlotKind, Words};
use crate::kernel::world::{World, starting_value};
use crate::scenario::outlines;
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

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
                let value = value_of(rules, slot, world.slot(thing, index), unit);
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

    /// The position as a scenario writes it: units that exist, numbered anew, and slots that are not at their starting
    /// values; and what a scenario cannot express.
    pub fn for_scenario(&self, rules: &Rules) -> (Self, Vec<Note>) {
        let mut notes = Vec::new();
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        let mut renamed: Vec<(Option<KnownUnit>, Note)> = Vec::new();
        for (faction, lines) in &self.units {
            let mut counts: BTreeMap<&str, u16> = BTreeMap::new();
            for line in lines.iter().filter(|line| line.exists()) {
                let nth = counts.entry(&line.kind).or_default();
                *nth += 1;
                let (old, name) = (line.name(faction), format!("{faction}.{}{nth}", line.kind));
                if old != name {
                    renamed.push((
                        line.known,
                        Note::Renamed {
                            old: old.clone(),
                            name: name.clone(),
                        },
                    ));
                }
                names.insert(old, name);
            }
        }
        renamed.sort_by_key(|(known, _)| known.map(|known| known.id));
        notes.extend(renamed.into_iter().map(|(_, note)| note));
        let mut set = |owner: &str, thing: Thing, line: Option<&UnitLine>, slots: &Slots| -> Slots {
            let mut kept = Slots::new();
            for (name, value) in slots {
                let Some(slot) = rules.slots.of(thing).iter().find(|slot| slot.name == name.value) else {
                    kept.push((name.clone(), value.clone()));
                    continue;
                };
                let mut value = value.clone();
                if value.value == start_of(rules, slot, line) {
                    continue;
                }
                if let (SlotKind::Unit, SlotValue::Word(word)) = (slot.kind, &mut value.value) {
                    match names.get(word) {
                        Some(name) => word.clone_from(name),
                        None if word == "none" => {}
                        None => {
                            let (slot, of) = (name.value.clone(), owner.to_owned());
                            notes.push(Note::Gone { slot, of });
                            continue;
                        }
                    }
                }
                kept.push((name.clone(), value));
            }
            kept
        };
        let units = self.units.iter().map(|(faction, lines)| {
            let lines = lines.iter().filter(|line| line.exists()).map(|line| {
                let (owner, thing) = (line.name(faction), Thing::Unit(UnitId(0)));
                Spanned::from(UnitLine {
                    slots: set(&owner, thing, Some(line), &line.slots),
                    known: None,
                    ..line.value.clone()
                })
            });
            (faction.clone(), lines.collect::<Vec<_>>())
        });
        let units = units.filter(|(_, lines)| !lines.is_empty()).collect();
        let slots = self.slots.iter().filter_map(|(owner, slots)| {
            let thing = find(rules, owner)?;
            let who = if thing == Thing::Game { "" } else { owner.as_str() };
            let slots = set(who, thing, None, slots);
            (!slots.is_empty()).then(|| (owner.clone(), slots))
        });
        let described = Self {
            terrain: self.terrain.clone(),
            units,
            slots: slots.collect(),
            in_play: None,
        };
        (described, notes)
    }

    /// Returns the changes from this position under these rules to another under others. A slot that only one of the
    /// rulesets has counts when it is not at its starting value, unless it is quiet: variants keep their books in quiet
    /// slots.
    pub fn difference(&self, rules: &Rules, other: &Self, others: &Rules) -> Vec<PositionChange> {
        let (base, tweak) = (self.facts(rules), other.facts(others));
        let keys: BTreeSet<_> = base.keys().chain(tweak.keys()).collect();
        let differs = |key: &&(String, Aspect)| match (base.get(*key), tweak.get(*key)) {
            (Some(a), Some(b)) => a.value != b.value,
            (Some(only), None) | (None, Some(only)) => only.counts,
            (None, None) => false,
        };
        let value = |facts: &Facts, key| facts.get(key).map(|fact| fact.value.clone());
        let changes = keys.into_iter().filter(differs).map(|key| PositionChange {
            who: key.0.clone(),
            slot: key.1.clone(),
            base: value(&base, key),
            tweak: value(&tweak, key),
        });
        changes.collect()
    }

    /// The position in words: by unit, place, faction or `game`, then by the word for what is known of it.
    pub fn by_name(&self, rules: &Rules) -> BTreeMap<String, BTreeMap<String, String>> {
        let mut position: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for ((who, aspect), fact) in self.facts(rules) {
            let known = position.entry(who).or_default();
            known.insert(aspect.word().to_owned(), fact.value);
        }
        position
    }

    fn facts(&self, rules: &Rules) -> Facts {
        let mut facts = Facts::new();
        let mut put = |who: &str, aspect: Aspect, value: String, counts: bool| {
            facts.insert((who.to_owned(), aspect), Fact { value, counts });
        };
        let slots = |who: &str,
                     thing: Thing,
                     line: Option<&UnitLine>,
                     slots: &Slots,
                     put: &mut dyn FnMut(&str, Aspect, String, bool)| {
            for slot in rules.slots.of(thing) {
                if let Some((_, value)) = slots.iter().find(|(name, _)| name.value == slot.name) {
                    let counts = !slot.quiet && value.value != start_of(rules, slot, line);
                    put(
                        who,
                        Aspect::Slot(slot.name.clone()),
                        told(slot.kind, value),
                        counts,
                    );
                }
            }
        };
        for (owner, values) in &self.slots {
            if let Some(thing) = find(rules, owner) {
                slots(owner, thing, None, values, &mut put);
            }
        }
        for (faction, lines) in &self.units {
            for line in lines
                .iter()
                .filter(|line| line.known.is_none_or(|known| !known.forgotten))
            {
                let who = line.name(faction);
                put(&who, Aspect::Place, line.place.value.clone(), true);
                if line.exists() {
                    slots(&who, Thing::Unit(UnitId(0)), Some(line), &line.slots, &mut put);
                }
            }
        }
        let mut terrain: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (kind, places) in &self.terrain {
            for place in places {
                let name = place.split(':').next().unwrap_or(place);
                terrain.entry(name).or_default().push(kind);
            }
        }
        for (place, kinds) in terrain {
            put(place, Aspect::Terrain, kinds.join(", "), true);
        }
        if let Some(in_play) = &self.in_play {
            let first = in_play.first != rules.factions[0];
            put(GAME, Aspect::First, in_play.first.clone(), first);
            if let Some(winner) = &in_play.winner {
                put(GAME, Aspect::Winner, winner.clone(), true);
            }
        }
        facts
    }
}

impl UnitLine {
    /// The unit's name.
    fn name(&self, faction: &str) -> String {
        let nth = self.known.map_or(0, |known| known.nth);
        format!("{faction}.{}{nth}", self.kind)
    }

    /// Whether the unit exists, on the board or in reserve.
    fn exists(&self) -> bool {
        self.place.value != REMOVED
    }
}

/// Name of the place of a unit that is out of play.
const REMOVED: &str = "removed";

/// The terrain that lies on the board, by kind, as scenarios have it.
pub fn terrain_of(rules: &Rules, world: &World) -> NamedEntries<Vec<Spanned<String>>> {
    let written = |place: PlaceId| {
        let name = rules.board.name(place);
        let piece = world.piece(place).map(|shape| outlines::written(name, shape));
        Spanned::from(piece.unwrap_or_else(|| name.to_owned()))
    };
    let kinds = rules.terrains.iter().enumerate().map(|(index, terrain)| {
        let lies = |place: &PlaceId| world.terrain(*place).contains(TerrainId(index as u8));
        let places: Vec<_> = rules.board.places().iter().filter(lies).map(written).collect();
        (Spanned::from(terrain.name.clone()), places)
    });
    kinds.filter(|(_, places)| !places.is_empty()).collect()
}

/// A slot's value as a user writes it.
fn value_of(rules: &Rules, slot: &Slot, value: i64, unit: impl FnOnce(i64) -> Option<UnitName>) -> SlotValue {
    match slot.kind {
        SlotKind::Number => SlotValue::Number(value),
        SlotKind::Flag => SlotValue::Flag(value != 0),
        kind => SlotValue::Word(spelled(rules, kind, value, unit, &EventSpelling::WRITTEN)),
    }
}

/// The value with which a slot of a unit, or of something else, starts.
fn start_of(rules: &Rules, slot: &Slot, line: Option<&UnitLine>) -> SlotValue {
    let kind = line.and_then(|line| rules.unit_type(&line.kind));
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
        (SlotKind::Unit, SlotValue::Word(word)) if word == "none" => nobody.to_owned(),
        (SlotKind::Place, SlotValue::Word(word)) if word == "none" => nowhere.to_owned(),
        (_, value) => value.to_string(),
    }
}

/// Parts of a position that a scenario cannot express.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// A unit is called otherwise there.
    Renamed {
        /// Its name here.
        old: String,
        /// Its name there.
        name: String,
    },
    /// A slot names a unit that is gone.
    Gone {
        /// The slot.
        slot: String,
        /// Owner of the slot.
        of: String,
    },
    /// The game is over.
    Over,
    /// It stands within these phases, from outside in.
    Within(Vec<String>),
    /// Something is decided and has not happened yet.
    Undone,
    /// Somebody has moved.
    Moved,
    /// This faction goes first.
    First(String),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Renamed { old, name } => write!(f, "{old} is called {name} there"),
            Note::Gone { slot, of } => write!(f, "`{slot}` of {of} names a unit that is gone"),
            Note::Over => f.write_str("the game is over here; there it begins"),
            Note::Within(phases) => write!(
                f,
                "here it is {}; there the first step of the game comes next",
                phases.join(", ")
            ),
            Note::Undone => f.write_str("what is decided and has not happened yet is left out"),
            Note::Moved => f.write_str("nobody has moved yet there"),
            Note::First(faction) => {
                write!(f, "{faction} goes first here, unless the rules say so there too")
            }
        }
    }
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
struct Fact {
    value: String,
    /// Whether it is a difference to a position that has nothing of the kind.
    counts: bool,
}

type Facts = BTreeMap<(String, Aspect), Fact>;

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
