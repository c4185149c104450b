//! Values as lowered code and native functions see them: small and copied, with lists kept aside.
//!
//! A list is a range of a [`Lists`] store. Lists never change: what adds to one makes another, in
//! place where the first ends where the store ends, so that collecting in a loop stays cheap.

use super::engine::MAX_ARRAY;
use crate::kernel::dice::Pool;
use crate::kernel::ids::{FactionId, PlaceId, PlaceSet, TerrainId, TypeId, UnitId, UnitSet, WordId};
use crate::kernel::rules::Words;
use crate::kernel::table::Table;
use rhai::{Array, Dynamic, INT, ImmutableString};
use std::any::TypeId as RustType;
use std::ops::{Range, RangeInclusive};

/// The handle of the game itself, for its slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameHandle;

/// A list, by where it lies in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListId {
    start: u32,
    len: u32,
}

impl ListId {
    /// How many items it has.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether it has none.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// A value of a script.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Value {
    /// Nothing, nobody, nowhere.
    #[default]
    Nothing,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A text, interned.
    Word(WordId),
    /// A unit.
    Unit(UnitId),
    /// A place.
    Place(PlaceId),
    /// A faction.
    Faction(FactionId),
    /// A unit type.
    Type(TypeId),
    /// A kind of terrain.
    Terrain(TerrainId),
    /// A set of units.
    Units(UnitSet),
    /// A set of places.
    Places(PlaceSet),
    /// Dice.
    Dice(Pool),
    /// The game itself.
    Game,
    /// Numbers from the first up to, but not including, the second.
    Range(i64, i64),
    /// Numbers from the first to the second.
    RangeTo(i64, i64),
    /// A list.
    List(ListId),
    /// Something that native functions cannot use, by the name of its type.
    Foreign(&'static str),
}

/// What kind of value a parameter takes or a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Nothing.
    Nothing,
    /// True or false.
    Bool,
    /// A whole number.
    Int,
    /// A text.
    Word,
    /// A unit.
    Unit,
    /// A place.
    Place,
    /// A faction.
    Faction,
    /// A unit type.
    Type,
    /// A kind of terrain.
    Terrain,
    /// Units.
    Units,
    /// Places.
    Places,
    /// Dice.
    Dice,
    /// The game.
    Game,
    /// A range of numbers.
    Range,
    /// A list.
    List,
    /// Anything that native functions cannot use.
    Foreign,
    /// As a parameter: whatever there is.
    Any,
}

/// How many kinds of values there are.
pub const KINDS: usize = Kind::Any as usize;

impl Kind {
    /// The word for it in messages and in the reference.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Nothing => "nothing",
            Kind::Bool => "true or false",
            Kind::Int => "number",
            Kind::Word => "text",
            Kind::Unit => "unit",
            Kind::Place => "place",
            Kind::Faction => "faction",
            Kind::Type => "unit type",
            Kind::Terrain => "terrain",
            Kind::Units => "units",
            Kind::Places => "places",
            Kind::Dice => "dice",
            Kind::Game => "the game",
            Kind::Range => "range",
            Kind::List => "list",
            Kind::Foreign => "something else",
            Kind::Any => "anything",
        }
    }

    /// Every kind of value.
    pub const ALL: [Kind; KINDS] = [
        Kind::Nothing,
        Kind::Bool,
        Kind::Int,
        Kind::Word,
        Kind::Unit,
        Kind::Place,
        Kind::Faction,
        Kind::Type,
        Kind::Terrain,
        Kind::Units,
        Kind::Places,
        Kind::Dice,
        Kind::Game,
        Kind::Range,
        Kind::List,
        Kind::Foreign,
    ];

    /// Whether values of this kind have properties and functions of the kernel's own behind a dot.
    pub const fn has_members(self) -> bool {
        matches!(
            self,
            Kind::Unit
                | Kind::Place
                | Kind::Faction
                | Kind::Type
                | Kind::Terrain
                | Kind::Units
                | Kind::Places
                | Kind::Dice
                | Kind::Game
        )
    }

    /// The Rust type that Rhai knows values of this kind by; `None` for kinds with several.
    pub fn rust_type(self) -> Option<RustType> {
        Some(match self {
            Kind::Nothing => RustType::of::<()>(),
            Kind::Bool => RustType::of::<bool>(),
            Kind::Int => RustType::of::<INT>(),
            Kind::Word => RustType::of::<ImmutableString>(),
            Kind::Unit => RustType::of::<UnitId>(),
            Kind::Place => RustType::of::<PlaceId>(),
            Kind::Faction => RustType::of::<FactionId>(),
            Kind::Type => RustType::of::<TypeId>(),
            Kind::Terrain => RustType::of::<TerrainId>(),
            Kind::Units => RustType::of::<UnitSet>(),
            Kind::Places => RustType::of::<PlaceSet>(),
            Kind::Dice => RustType::of::<Pool>(),
            Kind::Game => RustType::of::<GameHandle>(),
            Kind::List => RustType::of::<Array>(),
            Kind::Any => RustType::of::<Dynamic>(),
            Kind::Range | Kind::Foreign => return None,
        })
    }
}

impl Value {
    /// Its kind.
    #[inline]
    pub fn kind(self) -> Kind {
        match self {
            Value::Nothing => Kind::Nothing,
            Value::Bool(_) => Kind::Bool,
            Value::Int(_) => Kind::Int,
            Value::Word(_) => Kind::Word,
            Value::Unit(_) => Kind::Unit,
            Value::Place(_) => Kind::Place,
            Value::Faction(_) => Kind::Faction,
            Value::Type(_) => Kind::Type,
            Value::Terrain(_) => Kind::Terrain,
            Value::Units(_) => Kind::Units,
            Value::Places(_) => Kind::Places,
            Value::Dice(_) => Kind::Dice,
            Value::Game => Kind::Game,
            Value::Range(..) | Value::RangeTo(..) => Kind::Range,
            Value::List(_) => Kind::List,
            Value::Foreign(_) => Kind::Foreign,
        }
    }

    /// What it is, in a designer's words.
    pub fn describe(self) -> &'static str {
        match self {
            Value::Foreign(name) => name,
            other => other.kind().word(),
        }
    }
}

macro_rules! from {
    ($($type:ty => $kind:ident),*) => {$(
        impl From<$type> for Value {
            #[inline]
            fn from(value: $type) -> Self {
                Value::$kind(value)
            }
        }
    )*};
}
from!(bool => Bool, i64 => Int, WordId => Word, UnitId => Unit, PlaceId => Place, FactionId => Faction,
    TypeId => Type, TerrainId => Terrain, UnitSet => Units, PlaceSet => Places, Pool => Dice, ListId => List);

impl<T: Into<Value>> From<Option<T>> for Value {
    #[inline]
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Nothing, Into::into)
    }
}

/// The most items that all lists of one step have together.
const MAX_ITEMS: usize = 4 * MAX_ARRAY;
/// How many texts a game may come to know; each is kept for the time of the ruleset.
const MAX_WORDS: usize = 60_000;
/// The longest text that a native function takes, in bytes.
const MAX_LETTERS: usize = 256;

/// The store of lists of a running step.
#[derive(Debug, Default)]
pub struct Lists {
    items: Vec<Value>,
}

impl Lists {
    /// Where the store ends now; see [`Self::cut`].
    #[inline]
    pub fn mark(&self) -> usize {
        self.items.len()
    }

    /// Forgets every list made since a mark.
    #[inline]
    pub fn cut(&mut self, mark: usize) {
        self.items.truncate(mark);
    }

    /// A list of these items; `None` when there are too many.
    pub fn add(&mut self, items: impl IntoIterator<Item = Value>) -> Option<ListId> {
        let start = self.items.len();
        self.items.extend(items);
        if self.items.len() > MAX_ITEMS {
            self.items.truncate(start);
            return None;
        }
        Some(ListId {
            start: start as u32,
            len: (self.items.len() - start) as u32,
        })
    }

    /// The list with one item more; `None` when there are too many.
    pub fn push(&mut self, list: ListId, item: Value) -> Option<ListId> {
        let end = (list.start + list.len) as usize;
        if end != self.items.len() {
            let items: Vec<Value> = self.items(list).to_vec();
            let copy = self.add(items)?;
            return self.push(copy, item);
        }
        if list.len() >= MAX_ARRAY || end >= MAX_ITEMS {
            return None;
        }
        self.items.push(item);
        Some(ListId {
            len: list.len + 1,
            ..list
        })
    }

    /// The items of a list.
    #[inline]
    pub fn items(&self, list: ListId) -> &[Value] {
        let start = list.start as usize;
        self.items.get(start..start + list.len()).unwrap_or_default()
    }
}

/// Interns a text of a script, within limits; `None` beyond them.
pub fn intern(words: &mut Words, text: &str) -> Option<WordId> {
    if let Some(id) = words.find(text) {
        return Some(id);
    }
    (text.len() <= MAX_LETTERS && words.len() < MAX_WORDS).then(|| words.intern(text))
}

/// A value of the interpreter as a small one. What has no small form becomes [`Value::Foreign`].
pub fn from_dynamic(value: &Dynamic, words: &mut Words, lists: &mut Lists) -> Value {
    if let Ok(n) = value.as_int() {
        return Value::Int(n);
    }
    if let Ok(b) = value.as_bool() {
        return Value::Bool(b);
    }
    if value.is_unit() {
        return Value::Nothing;
    }
    macro_rules! handle {
        ($($type:ty => $kind:ident),*) => {$(
            if let Some(value) = value.read_lock::<$type>() {
                return Value::$kind(*value);
            }
        )*};
    }
    handle!(UnitId => Unit, PlaceId => Place, FactionId => Faction, UnitSet => Units, PlaceSet => Places,
        TypeId => Type, TerrainId => Terrain, Pool => Dice);
    if let Some(text) = value.read_lock::<ImmutableString>() {
        return intern(words, &text).map_or(Value::Foreign("a text that is too long"), Value::Word);
    }
    if value.read_lock::<GameHandle>().is_some() {
        return Value::Game;
    }
    if let Some(range) = value.read_lock::<RangeInclusive<INT>>() {
        return Value::RangeTo(*range.start(), *range.end());
    }
    if let Some(range) = value.read_lock::<Range<INT>>() {
        return Value::Range(range.start, range.end);
    }
    if let Some(array) = value.read_lock::<Array>() {
        let items: Vec<Value> = array.iter().map(|v| from_dynamic(v, words, lists)).collect();
        return lists
            .add(items)
            .map_or(Value::Foreign("a list that is too long"), Value::List);
    }
    Value::Foreign(super::declare::plain_type(value.type_name()))
}

/// A small value as the interpreter's.
pub fn to_dynamic(value: Value, words: &Words, lists: &Lists) -> Dynamic {
    match value {
        Value::Nothing | Value::Foreign(_) => Dynamic::UNIT,
        Value::Bool(b) => b.into(),
        Value::Int(n) => n.into(),
        Value::Word(w) => words.text(w).into(),
        Value::Unit(u) => Dynamic::from(u),
        Value::Place(p) => Dynamic::from(p),
        Value::Faction(f) => Dynamic::from(f),
        Value::Type(t) => Dynamic::from(t),
        Value::Terrain(t) => Dynamic::from(t),
        Value::Units(s) => Dynamic::from(s),
        Value::Places(s) => Dynamic::from(s),
        Value::Dice(p) => Dynamic::from(p),
        Value::Game => Dynamic::from(GameHandle),
        Value::Range(from, to) => Dynamic::from(from..to),
        Value::RangeTo(from, to) => Dynamic::from(from..=to),
        Value::List(list) => {
            let items = lists.items(list).iter();
            Dynamic::from_array(items.map(|v| to_dynamic(*v, words, lists)).collect())
        }
    }
}

/// A value as users read it: things by their names, sets as lists.
pub fn text_of(table: &Table, value: &Dynamic) -> String {
    let rules = &table.rules;
    if let Some(unit) = value.read_lock::<UnitId>() {
        rules.unit_name(table.world.name(*unit))
    } else if let Some(place) = value.read_lock::<PlaceId>() {
        rules.board.name(*place).to_owned()
    } else if let Some(faction) = value.read_lock::<FactionId>() {
        rules.factions[faction.index()].clone()
    } else if let Some(kind) = value.read_lock::<TypeId>() {
        rules.types[kind.index()].name.clone()
    } else if let Some(terrain) = value.read_lock::<TerrainId>() {
        rules.terrains[terrain.index()].name.clone()
    } else if let Some(set) = value.read_lock::<UnitSet>() {
        let names: Vec<String> = set.map(|u| rules.unit_name(table.world.name(u))).collect();
        format!("[{}]", names.join(", "))
    } else if let Some(set) = value.read_lock::<PlaceSet>() {
        let names: Vec<&str> = set.map(|p| rules.board.name(p)).collect();
        format!("[{}]", names.join(", "))
    } else if let Some(pool) = value.read_lock::<Pool>() {
        pool.told()
    } else if let Some(array) = value.read_lock::<rhai::Array>() {
        let items: Vec<String> = array.iter().map(|v| text_of(table, v)).collect();
        format!("[{}]", items.join(", "))
    } else if value.is_unit() {
        "nothing".to_owned()
    } else {
        value.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_grows_leaves_the_shorter_one_alone() {
        let mut lists = Lists::default();
        let one = lists.add([Value::Int(1)]).expect("room");
        let two = lists.push(one, Value::Int(2)).expect("room");
        let other = lists.push(one, Value::Int(3)).expect("room");
        assert_eq!(lists.items(one), [Value::Int(1)]);
        assert_eq!(lists.items(two), [Value::Int(1), Value::Int(2)]);
        assert_eq!(lists.items(other), [Value::Int(1), Value::Int(3)]);
    }

    #[test]
    fn lists_are_bounded() {
        let mut lists = Lists::default();
        let mut list = lists.add([]).expect("room");
        let mut made = 0;
        while let Some(longer) = lists.push(list, Value::Nothing) {
            list = longer;
            made += 1;
        }
        assert_eq!(made, MAX_ARRAY);
    }
}
