//! A value with all that is in it, for whoever looks rather than runs.

use super::heap::Heap;
use super::value::{Kind, Value};
use crate::kernel::dice::Pool;
use crate::kernel::ids::{FactionId, PlaceId, PlaceSet, TerrainId, TypeId, UnitId, UnitSet, WordId};
use crate::kernel::region::Region;
use crate::kernel::rules::Words;
use crate::kernel::spot::{Point, UNIT, length_text};
use crate::kernel::table::Table;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum size of a value that is shown in full, counted as [`Heap::weigh`] does.
pub const MAX_TOLD: usize = 65_536;

/// A map with all that is in it.
pub type Map = BTreeMap<String, View>;

/// A value with all that is in it, for whoever looks rather than runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum View {
    /// Nothing, nobody, nowhere.
    #[default]
    Nothing,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A text.
    Text(String),
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
    /// Units.
    Units(UnitSet),
    /// Places.
    Places(PlaceSet),
    /// Dice.
    Dice(Pool),
    /// The game itself.
    Game,
    /// Numbers from the first to the second, which is left out unless it says so.
    Range(i64, i64, bool),
    /// A list.
    List(Vec<View>),
    /// A map, sorted by key.
    Map(Map),
    /// A function without a name.
    Function,
    /// A length.
    Length(i64),
    /// A point.
    Spot(Point),
    /// Region that a unit can reach.
    Region(Arc<Region>),
}

impl Heap {
    /// A value with all that is in it; dots stand for more than anybody reads.
    pub fn view(&self, words: &Words, value: Value) -> View {
        if self.weigh(words, value, &mut MAX_TOLD.clone()) {
            self.view_all(words, value)
        } else {
            View::Text("...".to_owned())
        }
    }

    fn view_all(&self, words: &Words, value: Value) -> View {
        match value.kind() {
            Kind::Nothing | Kind::Any => View::Nothing,
            Kind::Bool => View::Bool(value.data() != 0),
            Kind::Int => View::Int(value.data().cast_signed()),
            Kind::Word => View::Text(words.text(WordId(value.data() as u16)).to_owned()),
            Kind::Unit => View::Unit(UnitId(value.data() as u16)),
            Kind::Place => View::Place(PlaceId(value.data() as u16)),
            Kind::Faction => View::Faction(FactionId(value.data() as u8)),
            Kind::Type => View::Type(TypeId(value.data() as u8)),
            Kind::Terrain => View::Terrain(TerrainId(value.data() as u8)),
            Kind::Units => View::Units(self.units(value).unwrap_or_default()),
            Kind::Places => View::Places(self.places(value).unwrap_or_default()),
            Kind::Dice => View::Dice(self.dice(value).unwrap_or_default()),
            Kind::Game => View::Game,
            Kind::Range => {
                let (from, to, with_last) = self.range(value).unwrap_or_default();
                View::Range(from, to, with_last)
            }
            Kind::List => {
                let items = self.list(value.stored()).iter();
                View::List(items.map(|v| self.view_all(words, *v)).collect())
            }
            Kind::Map => {
                let pairs = self.list(value.stored()).chunks_exact(2);
                let key = |v: Value| v.as_word().map_or("", |w| words.text(w)).to_owned();
                View::Map(pairs.map(|p| (key(p[0]), self.view_all(words, p[1]))).collect())
            }
            Kind::Function => View::Function,
            Kind::Length => View::Length(value.data().cast_signed()),
            Kind::Spot => View::Spot(value.as_spot().unwrap_or_default()),
            Kind::Region => match self.region(value) {
                Some(region) => View::Region(Arc::clone(region)),
                None => View::Nothing,
            },
        }
    }
}

impl View {
    /// Its number, if it is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            View::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// Its length in thousandths of the game's unit, if it is one or a whole number.
    pub fn as_length(&self) -> Option<i64> {
        match self {
            View::Int(n) => n.checked_mul(UNIT),
            View::Length(length) => Some(*length),
            _ => None,
        }
    }

    /// Whether it is true, if it is true or false.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            View::Bool(it) => Some(*it),
            _ => None,
        }
    }

    /// Its text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            View::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Its items, if it is a list.
    pub fn as_list(&self) -> Option<&[View]> {
        match self {
            View::List(items) => Some(items),
            _ => None,
        }
    }

    /// Its entries, if it is a map.
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            View::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            View::Nothing => Kind::Nothing,
            View::Bool(_) => Kind::Bool,
            View::Int(_) => Kind::Int,
            View::Text(_) => Kind::Word,
            View::Unit(_) => Kind::Unit,
            View::Place(_) => Kind::Place,
            View::Faction(_) => Kind::Faction,
            View::Type(_) => Kind::Type,
            View::Terrain(_) => Kind::Terrain,
            View::Units(_) => Kind::Units,
            View::Places(_) => Kind::Places,
            View::Dice(_) => Kind::Dice,
            View::Game => Kind::Game,
            View::Range(..) => Kind::Range,
            View::List(_) => Kind::List,
            View::Map(_) => Kind::Map,
            View::Function => Kind::Function,
            View::Length(_) => Kind::Length,
            View::Spot(_) => Kind::Spot,
            View::Region(_) => Kind::Region,
        }
    }

    /// The value as users read it: things by their names, sets as lists.
    pub fn text(&self, table: &Table) -> String {
        self.told(table, false)
    }

    /// The same; texts within lists and maps stand in quotes where `quoted`.
    fn told(&self, table: &Table, quoted: bool) -> String {
        let rules = &table.rules;
        match self {
            View::Nothing => "nothing".to_owned(),
            View::Bool(it) => it.to_string(),
            View::Int(n) => n.to_string(),
            View::Text(text) if quoted => format!("{text:?}"),
            View::Text(text) => text.clone(),
            View::Unit(unit) => rules.unit_name(table.world.name(*unit)),
            View::Place(place) => rules.board.name(*place).to_owned(),
            View::Faction(faction) => rules.factions[faction.index()].clone(),
            View::Type(kind) => rules.types[kind.index()].name.clone(),
            View::Terrain(terrain) => rules.terrains[terrain.index()].name.clone(),
            View::Units(set) => {
                let names: Vec<String> = set
                    .clone()
                    .map(|u| rules.unit_name(table.world.name(u)))
                    .collect();
                format!("[{}]", names.join(", "))
            }
            View::Places(set) => {
                let names: Vec<&str> = set.iter().map(|p| rules.board.name(p)).collect();
                format!("[{}]", names.join(", "))
            }
            View::Dice(pool) => pool.told(),
            View::Game => "the game".to_owned(),
            View::Range(from, to, with_last) => format!("{from}..{}{to}", if *with_last { "=" } else { "" }),
            View::List(items) => {
                let items: Vec<String> = items.iter().map(|v| v.told(table, quoted)).collect();
                format!("[{}]", items.join(", "))
            }
            View::Map(entries) => {
                let entries = entries
                    .iter()
                    .map(|(k, v)| format!("{k:?}: {}", v.told(table, true)));
                format!("#{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
            View::Function => "a function".to_owned(),
            View::Length(length) => length_text(*length),
            View::Spot(spot) => spot.to_string(),
            View::Region(_) => "a region".to_owned(),
        }
    }
}
