//! The declared data of a game: what its scripts return when they are loaded.
//!
//! Read once at load, reload and change of layers; never changed during play.

use super::board::Board;
use super::dice::text_hash;
use super::ground::{Die, Ground, Plane};
use super::ids::{
    FactionId, HookId, PlaceId, RecordedThing, TerrainId, Thing, TypeId, UnitId, UnitName, WordId,
};
use super::phase::Phase;
use super::spot::{Point, Spot};
use std::collections::HashMap;
use std::sync::Arc;

/// Kind of a slot's content; every value is stored as one `i64`, and that of a set or list is its number of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlotKind {
    /// A whole number.
    Number,
    /// True or false, as 1 or 0.
    Flag,
    /// A unit's id, or -1 for nobody.
    Unit,
    /// A place's id, or -1 for nowhere.
    Place,
    /// A faction's id, or -1 for none.
    Faction,
    /// A direction of the board, by its index, or -1 for none.
    Direction,
    /// Dice, as [`super::dice::Pool::stored`] packs them; no dice are 0.
    Dice,
    /// A set or list; its items lie in cells behind the slots of its owner.
    Items(Items),
}

/// Kind of an item of a set or list, or of a part of a pair; each is stored as one `i64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// A whole number.
    Number,
    /// A text, by its index in [`Schema::texts`].
    Text,
    /// A unit's id.
    Unit,
    /// A place's id.
    Place,
    /// A faction's id.
    Faction,
}

impl ItemKind {
    /// The words for them in declarations.
    pub const NAMES: [(&'static str, ItemKind); 5] = [
        ("number", ItemKind::Number),
        ("text", ItemKind::Text),
        ("unit", ItemKind::Unit),
        ("place", ItemKind::Place),
        ("faction", ItemKind::Faction),
    ];

    /// The word for it in declarations.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }
}

/// An item of a set or list; the second number is 0 where items are no pairs.
pub type Item = [i64; 2];

/// Format of a set or list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Items {
    /// Kind of its items, or of the first part of pairs.
    pub of: ItemKind,
    /// Kind of the second part of pairs.
    pub second: Option<ItemKind>,
    /// Whether it is a set: kept in order, and nothing is in it twice.
    pub is_set: bool,
    /// Maximum number of items.
    pub at_most: u16,
    /// Index of its first cell behind the slots of its owner.
    pub first: u32,
}

impl Items {
    /// Number of cells of an item.
    #[inline]
    pub fn width(self) -> usize {
        1 + usize::from(self.second.is_some())
    }

    /// Number of cells of all items.
    pub fn cells(self) -> usize {
        usize::from(self.at_most) * self.width()
    }

    /// Kinds of the parts of an item.
    pub fn parts(self) -> impl Iterator<Item = ItemKind> {
        [self.of].into_iter().chain(self.second)
    }

    /// Whether units are among what it holds.
    pub fn names_units(self) -> bool {
        self.parts().any(|kind| kind == ItemKind::Unit)
    }

    /// Whether items of both are of the same kind, in a set or in a list.
    pub fn is_like(self, other: Items) -> bool {
        (self.of, self.second, self.is_set) == (other.of, other.second, other.is_set)
    }

    /// Its name in a sentence, such as `set of units`.
    pub fn name(self) -> String {
        let form = if self.is_set { "set" } else { "list" };
        match self.second {
            None => format!("{form} of {}s", self.of.name()),
            Some(second) => format!("{form} of pairs of a {} and a {}", self.of.name(), second.name()),
        }
    }
}

/// The stored value of a unit, place or faction slot that names nothing.
pub const NOTHING: i64 = -1;

impl SlotKind {
    /// Whether a slot of this kind holds a number, true or false, a unit, a place or a faction.
    pub fn is_word(self) -> bool {
        matches!(
            self,
            SlotKind::Number | SlotKind::Flag | SlotKind::Unit | SlotKind::Place | SlotKind::Faction
        )
    }

    /// Whether a slot of this kind refers to units.
    pub fn names_units(self) -> bool {
        self == SlotKind::Unit || self.items().is_some_and(Items::names_units)
    }

    /// The stored value of a slot in which there is nothing: 0, or [`NOTHING`].
    #[inline]
    pub fn unset(self) -> i64 {
        match self {
            SlotKind::Number | SlotKind::Flag | SlotKind::Dice | SlotKind::Items(_) => 0,
            SlotKind::Unit | SlotKind::Place | SlotKind::Faction | SlotKind::Direction => NOTHING,
        }
    }

    /// Whether a value is carried over from one to the other when rules change; of sets and lists as many items as the
    /// limit allows.
    pub fn is_like(self, other: SlotKind) -> bool {
        match (self, other) {
            (SlotKind::Items(a), SlotKind::Items(b)) => a.is_like(b),
            _ => self == other,
        }
    }

    /// The format of a set or list.
    #[inline]
    pub fn items(self) -> Option<Items> {
        match self {
            SlotKind::Items(items) => Some(items),
            _ => None,
        }
    }
}

/// Times at which only the faction of a thing sees the value of a slot; of a place or the game nobody does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hidden {
    /// Everybody always sees it.
    #[default]
    Never,
    /// No other faction ever sees it.
    Always,
    /// No other faction sees it while this slot of the same thing, by its index, is set.
    While(u8),
}

/// One declared slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The name that scripts read and write.
    pub name: String,
    /// Kind of its content.
    pub kind: SlotKind,
    /// Its value at the start; a unit slot named like a stat starts at the stat.
    pub start: i64,
    /// The stat that gives the starting value.
    pub from_stat: Option<usize>,
    /// The phase at whose end the slot returns to its starting value; one that repeats or is won, when it
    /// begins again.
    pub lasts: Option<String>,
    /// The hook that is called for a unit whose slot falls to 0 or below.
    pub at_zero: Option<HookId>,
    /// The hook that is asked how much counts of what is about to be taken from it.
    pub falls: Option<HookId>,
    /// The hook that is asked how much counts of what is about to be added to it.
    pub rises: Option<HookId>,
    /// The hook that is called when its number has fallen.
    pub fell: Option<HookId>,
    /// The hook that is called when its number has risen.
    pub rose: Option<HookId>,
    /// Whether a hit takes from it, where it says.
    pub hit: Option<bool>,
    /// Changes of a quiet slot make no event.
    pub quiet: bool,
    /// Words for the mark that units carry on the board while the slot is not at its starting value.
    pub mark: Option<String>,
    /// Keeps its changes from the record that people read; transcripts have them.
    pub inner: bool,
    /// Width in degrees of the arc that is drawn around the direction that it holds, in degrees too; `None` if it holds no
    /// direction on a plane.
    pub arc: Option<u16>,
    /// Text shown when it becomes true, in place of its name and values; its end is not shown then.
    pub says: Option<String>,
    /// Times at which its value is hidden from others.
    pub hidden: Hidden,
    /// Whether no other faction sees a unit that has it set.
    pub hides: bool,
    /// The texts that a set or list of texts may hold, by their indices in [`Schema::texts`].
    pub texts: Vec<u16>,
}

/// The slots of a game, by the kind of thing that has them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schema {
    /// Slots of the game itself.
    pub game: Vec<Slot>,
    /// Slots of each faction.
    pub faction: Vec<Slot>,
    /// Slots of each place.
    pub place: Vec<Slot>,
    /// Slots of each unit.
    pub unit: Vec<Slot>,
    /// The slot of units that keeps whoever has it set from being engaged, by its index.
    pub frees: Option<u8>,
    /// Whether any slot is hidden, or hides a unit.
    pub secrets: bool,
    /// Every text that sets and lists may hold, sorted.
    pub texts: Vec<String>,
}

impl Schema {
    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Slot> {
        [&self.unit, &self.faction, &self.place, &self.game]
            .into_iter()
            .flatten()
    }

    /// The slots that things of this kind have.
    #[inline]
    pub fn of(&self, thing: Thing) -> &[Slot] {
        match thing {
            Thing::Game => &self.game,
            Thing::Faction(_) => &self.faction,
            Thing::Place(_) => &self.place,
            Thing::Unit(_) => &self.unit,
        }
    }

    /// Returns the number of cells of the sets and lists of one thing.
    pub fn cells(slots: &[Slot]) -> usize {
        let items = slots.iter().filter_map(|slot| slot.kind.items());
        items.map(Items::cells).sum()
    }

    /// The slots that last as long as a phase of this name, each by the first of the things that have it and its index.
    pub fn lasting(&self, phase: &str) -> Vec<(Thing, u8)> {
        let kinds = [
            Thing::Game,
            Thing::Faction(FactionId(0)),
            Thing::Place(PlaceId(0)),
            Thing::Unit(UnitId(0)),
        ];
        let of = |kind: Thing| {
            let slots = (0..).zip(self.of(kind));
            let lasting = slots.filter(|(_, slot)| slot.lasts.as_deref() == Some(phase));
            lasting.map(move |(index, _)| (kind, index))
        };
        kinds.into_iter().flat_map(of).collect()
    }

    /// The index of a slot by name among the slots of things of this kind.
    pub fn find(&self, thing: Thing, name: &str) -> Option<usize> {
        self.of(thing).iter().position(|s| s.name == name)
    }
}

/// A unit type as its script declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitType {
    /// The type's name: its script's file name.
    pub name: String,
    /// One or two characters for the board.
    pub symbol: String,
    /// Numbers by stat index; `None` where the type has no such stat.
    pub stats: Vec<Option<i64>>,
    /// The least and the greatest number that each stat can be, by stat index.
    pub ranges: Vec<(i64, i64)>,
}

/// A kind of terrain as its script declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terrain {
    /// Its name: its script's file name.
    pub name: String,
    /// One or two characters for the board.
    pub symbol: String,
    /// Its colour in pictures, `#rrggbb`; `None` leaves it to them.
    pub colour: Option<String>,
    /// Its effect on edges between places; `None` if it lies in places.
    pub on_edges: Option<OnEdges>,
    /// Numbers by stat index; `None` where it has no such stat.
    pub stats: Vec<Option<i64>>,
}

/// The effect of terrain that lies on edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnEdges {
    /// Whether units cannot step across, and do not touch.
    pub blocks_steps: bool,
    /// Whether nobody sees across.
    pub blocks_sight: bool,
}

/// Hooks that the kernel itself asks, where a game defines them. Of those that are called because something happens,
/// only what somebody defines is here, so that a game without them pays nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KernelHooks {
    /// `may_enter(me, place)`: true, or why the unit may not end there.
    pub may_enter: Option<HookId>,
    /// `may_join(me, place)`: the same, asked only about places where other units stand.
    pub may_join: Option<HookId>,
    /// `may_leave(me)`: true, or why an engaged unit may not move away.
    pub may_leave: Option<HookId>,
    /// `cost_to_enter(here, me, from)`: what a step costs, or nothing where none can be made.
    pub cost_to_enter: Option<HookId>,
    /// `blocks_sight(here)`: whether nobody sees through a place.
    pub blocks_sight: Option<HookId>,
    /// `blocks_movement(here, me)`: whether a unit cannot move over a piece of terrain.
    pub blocks_movement: Option<HookId>,
    /// `becomes_engaged(me)`: called when a unit that was free is engaged: when units come together
    /// (in a batch: when it was free before all of it and is engaged after), and when no slot keeps it apart any more.
    pub becomes_engaged: Option<HookId>,
    /// Whether a hook is asked before an effect: [`Self::may_remove`], or one of a slot.
    pub weighs: bool,
    /// `leaves(me, place)`: a unit is no longer in a place.
    pub leaves: Option<HookId>,
    /// `left(here, who)`: the same about the place.
    pub left: Option<HookId>,
    /// `arrives(me, place)`: a unit has come to a place.
    pub arrives: Option<HookId>,
    /// `entered(here, who)`: the same about the place.
    pub entered: Option<HookId>,
    /// `may_remove(me)`: true, or why a unit is not removed.
    pub may_remove: Option<HookId>,
    /// `removed(me, place)`: a unit was removed.
    pub removed: Option<HookId>,
    /// `loses_contact(me, foe)`: two opposing units are no longer in contact.
    pub loses_contact: Option<HookId>,
    /// `comes_into_contact(me, foe)`: two opposing units are in contact.
    pub comes_into_contact: Option<HookId>,
    /// `becomes_free(me)`: a unit on the board is engaged no longer.
    pub becomes_free: Option<HookId>,
    /// `rolled(who, label, dice)`: what a roll counts as.
    pub rolled: Option<HookId>,
}

impl KernelHooks {
    /// Whether somebody wants to know who comes, goes or is removed.
    #[inline]
    pub fn follow_units(&self) -> bool {
        self.leaves.is_some()
            || self.left.is_some()
            || self.arrives.is_some()
            || self.entered.is_some()
            || self.removed.is_some()
    }

    /// Whether somebody wants to know who comes into contact with whom.
    #[inline]
    pub fn follow_contact(&self) -> bool {
        self.loses_contact.is_some() || self.comes_into_contact.is_some()
    }
}

/// The [`text_hash`]es of names, which enter every key of dice and agents.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NameHashes {
    /// By faction.
    pub factions: Vec<u64>,
    /// By unit type.
    pub types: Vec<u64>,
    /// By place.
    pub places: Vec<u64>,
    /// By phase.
    pub phases: Vec<u64>,
}

impl NameHashes {
    /// The hashes of these rules' names.
    pub fn of(rules: &Rules) -> Self {
        let places = rules.board.places();
        Self {
            factions: rules.factions.iter().map(|f| text_hash(f)).collect(),
            types: rules.types.iter().map(|t| text_hash(&t.name)).collect(),
            places: places.iter().map(|p| text_hash(rules.board.name(p))).collect(),
            phases: rules.phases.iter().map(|p| text_hash(&p.name)).collect(),
        }
    }
}

/// When two opposing units are in contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// They stand in the same place.
    SamePlace,
    /// They stand in the same place or in places that touch.
    Adjacent,
    /// Their bases touch.
    Bases,
}

impl Relation {
    /// The names that scripts use.
    pub const NAMES: [(&'static str, Relation); 3] = [
        ("same place", Relation::SamePlace),
        ("adjacent", Relation::Adjacent),
        ("base contact", Relation::Bases),
    ];
}

/// Everything that a game declares.
#[derive(Debug, Clone)]
pub struct Rules {
    /// The game's name: its folder.
    pub game: String,
    /// Faction names, in the order of their ids.
    pub factions: Vec<String>,
    /// Unit types, sorted by name.
    pub types: Vec<UnitType>,
    /// Kinds of terrain, sorted by name. In a game that has any, a place without terrain is a gap:
    /// nobody can stand there.
    pub terrains: Vec<Terrain>,
    /// Names of stats.
    pub stats: Vec<String>,
    /// Marks of the stats that are flags: 1 is true, 0 is false.
    pub flags: Vec<bool>,
    /// The board.
    pub board: Board,
    /// The ground: everything about where things are that places do not say. On a plane the places are pieces of terrain or zones.
    pub ground: Arc<dyn Ground>,
    /// Measures of the ground, see [`Ground::plane`]: rules ask for them often.
    pub plane: Option<Plane>,
    /// The terrain that lies there when nobody has laid any.
    pub drawn_terrain: Vec<(PlaceId, TerrainId)>,
    /// Maximum number of units of one faction in a place.
    pub stack: usize,
    /// Relation in which two opposing units are engaged.
    pub relation: Relation,
    /// Faction, by turn order from 0, that resolves conflicts between effects that cannot happen together.
    pub arbiter: usize,
    /// The slots.
    pub slots: Schema,
    /// The phases; the first is the root.
    pub phases: Vec<Phase>,
    /// The hooks that the kernel asks.
    pub hooks: KernelHooks,
}

impl Rules {
    /// The faction of that name.
    pub fn faction(&self, name: &str) -> Option<FactionId> {
        self.factions.iter().position(|f| f == name).map(FactionId::new)
    }

    /// The unit type of that name.
    pub fn unit_type(&self, name: &str) -> Option<TypeId> {
        self.types.iter().position(|t| t.name == name).map(TypeId::new)
    }

    /// The kind of terrain of that name.
    pub fn terrain(&self, name: &str) -> Option<TerrainId> {
        self.terrains
            .iter()
            .position(|t| t.name == name)
            .map(TerrainId::new)
    }

    /// Whether a unit's slot is a number that keeps it in play: hits take from it, or its fall to 0 calls a hook.
    pub fn is_vital(&self, slot: usize) -> bool {
        let own = self.slots.unit.get(slot);
        own.is_some_and(|s| s.kind == SlotKind::Number && s.at_zero.is_some())
            || self.hit_slot() == Some(slot)
    }

    /// The slot of units that a hit takes from, and whose number they are shown with: the one that says so, else
    /// the only number whose fall to 0 calls a hook and that does not say that it is not.
    pub fn hit_slot(&self) -> Option<usize> {
        let slots = &self.slots.unit;
        let vital = |s: &Slot| s.kind == SlotKind::Number && s.at_zero.is_some() && s.hit.is_none();
        let mut vital = (0..slots.len()).filter(|i| vital(&slots[*i]));
        let only = vital.next().filter(|_| vital.next().is_none());
        slots.iter().position(|s| s.hit == Some(true)).or(only)
    }

    /// Whether a slot of units keeps them from being engaged.
    #[inline]
    pub fn frees(&self, slot: u8) -> bool {
        self.slots.frees == Some(slot)
    }

    /// A stat's index by name.
    pub fn stat(&self, name: &str) -> Option<usize> {
        self.stats.iter().position(|s| s == name)
    }

    /// A unit's readable name, such as `red.scouts1`.
    pub fn unit_name(&self, name: UnitName) -> String {
        format!(
            "{}.{}{}",
            self.factions[name.owner.index()],
            self.types[name.kind.index()].name,
            name.nth
        )
    }

    /// The parts of a readable unit name; `None` when no faction or type is so called.
    pub fn parse_unit_name(&self, text: &str) -> Option<UnitName> {
        let (faction, rest) = text.split_once('.')?;
        let digits = rest.len() - rest.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (kind, nth) = rest.split_at(rest.len() - digits);
        Some(UnitName {
            owner: self.faction(faction)?,
            kind: self.unit_type(kind)?,
            nth: nth.parse().ok()?,
        })
    }

    /// The readable name of what a record is about; empty for the game itself.
    pub fn who(&self, who: RecordedThing) -> String {
        match who {
            RecordedThing::Game => String::new(),
            RecordedThing::Faction(f) => self.factions[f.index()].clone(),
            RecordedThing::Place(p) => self.board.name(p).to_owned(),
            RecordedThing::Unit(u) => self.unit_name(u),
        }
    }

    /// Measures of a plane on which things stand at points; `None` where they stand in places.
    #[inline]
    pub fn plane(&self) -> Option<&Plane> {
        self.plane.as_ref()
    }

    /// Returns the die that represents a unit type, on a ground where dice are thrown.
    pub fn die(&self, kind: TypeId) -> Option<&dyn Die> {
        self.ground.dice()?.die(kind)
    }

    /// All factions, as the game names them.
    pub fn all_factions(&self) -> impl Iterator<Item = FactionId> + Clone + use<> {
        (0..self.factions.len()).map(FactionId::new)
    }

    /// The other faction of two; with more there are [`Self::foes`].
    #[inline]
    pub fn foe(&self, faction: FactionId) -> Option<FactionId> {
        (self.factions.len() == 2).then(|| FactionId(1 - faction.0))
    }

    /// The other factions, as the board names them, from the next on.
    pub fn foes(&self, faction: FactionId) -> impl Iterator<Item = FactionId> {
        let all = self.factions.len();
        (1..all).map(move |n| FactionId(((faction.index() + n) % all) as u8))
    }

    /// The names of all contests; what ends outside of any is the whole play.
    pub fn contests(&self) -> impl Iterator<Item = &str> {
        let declared = self.phases.iter().filter_map(|p| p.contest.as_deref());
        declared.chain([WHOLE_PLAY])
    }
}

/// Name of the contest that ends when somebody wins outside of any contest.
pub const WHOLE_PLAY: &str = "play";

/// Maximum number of texts that a game may add; each is kept for the lifetime of the ruleset.
pub const MAX_WORDS: usize = 60_000;
/// Maximum size of all texts together, in bytes.
pub const MAX_TEXTS: usize = 64 << 20;

/// Interned words: labels, causes and option words, so that records stay small.
#[derive(Debug, Clone, Default)]
pub struct Words {
    texts: Vec<String>,
    hashes: Vec<u64>,
    index: HashMap<String, WordId>,
    /// Size of all texts together, in bytes.
    bytes: usize,
}

impl Words {
    /// The id of a text, which is remembered when new. Past 65,535 texts all share the last id;
    /// callers bound what they intern.
    pub fn intern(&mut self, text: &str) -> WordId {
        if let Some(&id) = self.index.get(text) {
            return id;
        }
        let id = WordId(self.texts.len().min(u16::MAX as usize - 1) as u16);
        self.bytes += text.len();
        self.texts.push(text.to_owned());
        self.hashes.push(text_hash(text));
        self.index.insert(text.to_owned(), id);
        id
    }

    /// The id of a text, which is remembered when new; `None` where there is no room for another.
    pub fn keep(&mut self, text: &str) -> Option<WordId> {
        let room = self.len() < MAX_WORDS && self.bytes + text.len() <= MAX_TEXTS;
        (room || self.index.contains_key(text)).then(|| self.intern(text))
    }

    /// Forgets the texts behind the first so many, which nobody may hold any more.
    pub fn cut(&mut self, len: usize) {
        for text in self.texts.drain(len.min(self.texts.len())..) {
            self.index.remove(&text);
            self.bytes -= text.len();
        }
        self.hashes.truncate(len);
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether nothing is interned yet.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The id of a text that is interned already.
    pub fn find(&self, text: &str) -> Option<WordId> {
        self.index.get(text).copied()
    }

    /// Every text that is known.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }

    /// The text of this [`text_hash`].
    pub fn with_hash(&self, hash: u64) -> &str {
        let found = self.hashes.iter().position(|known| *known == hash);
        found.map_or("?", |at| self.texts[at].as_str())
    }

    /// The text's [`text_hash`], for keys.
    #[inline]
    pub fn hash(&self, id: WordId) -> u64 {
        self.hashes.get(id.0 as usize).copied().unwrap_or_default()
    }

    /// The text of an id.
    #[inline]
    pub fn text(&self, id: WordId) -> &str {
        self.texts.get(id.0 as usize).map_or("?", String::as_str)
    }
}

impl Spot {
    /// Reads what names where a unit can be: a place of the board, or a point of the plane.
    pub fn read(rules: &Rules, text: &str) -> Option<Spot> {
        match rules.plane() {
            None => rules.board.place(text).map(Spot::Place),
            Some(_) => Point::parse(text).map(Spot::Point),
        }
    }

    /// As records and prompts spell it: `c4`, or `12.400,7.000`.
    pub fn name(self, rules: &Rules) -> String {
        match self {
            Spot::Place(place) => rules.board.name(place).to_owned(),
            Spot::Point(point) => point.to_string(),
        }
    }
}
