//! A value with all that is in it, for whoever looks rather than runs.

use super::heap::Heap;
use super::value::{Kind, Value};
use crate::kernel::dice::Pool;
use crate::kernel::ground::Region;
use crate::kernel::ids::{FactionId, PlaceId, PlaceSet, TerrainId, TypeId, UnitId, UnitSet, WordId};
use crate::kernel::rules::Words;
use crate::kernel::spot::{Point, UNIT, length_text};
use crate::kernel::table::Table;
use rhai::Expr;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum size of a value that is shown in full, counted as [`Heap::weigh`] does.
pub const MAX_TOLD: usize = 65_536;

/// A map with all that is in it.
pub type ViewMap = BTreeMap<String, ValueView>;

/// A value with all that is in it, for whoever looks rather than runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ValueView {
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
    List(Vec<ValueView>),
    /// A map, sorted by key.
    Map(ViewMap),
    /// A function without a name.
    Function,
    /// A length.
    Length(i64),
    /// A point.
    Spot(Point),
    /// Region that a unit can reach.
    Region(Arc<dyn Region>),
    /// An edge between two places.
    Edge(PlaceId),
}

impl Heap {
    /// A value with all that is in it; dots stand for more than anybody reads.
    pub fn view(&self, words: &Words, value: Value) -> ValueView {
        if self.weigh(words, value, &mut MAX_TOLD.clone()) {
            self.view_all(words, value)
        } else {
            ValueView::Text("...".to_owned())
        }
    }

    fn view_all(&self, words: &Words, value: Value) -> ValueView {
        match value.kind() {
            Kind::Nothing | Kind::Any => ValueView::Nothing,
            Kind::Bool => ValueView::Bool(value.data() != 0),
            Kind::Int => ValueView::Int(value.data().cast_signed()),
            Kind::Word => ValueView::Text(words.text(WordId(value.data() as u16)).to_owned()),
            Kind::Unit => ValueView::Unit(UnitId(value.data() as u16)),
            Kind::Place => ValueView::Place(PlaceId(value.data() as u16)),
            Kind::Faction => ValueView::Faction(FactionId(value.data() as u8)),
            Kind::Type => ValueView::Type(TypeId(value.data() as u8)),
            Kind::Terrain => ValueView::Terrain(TerrainId(value.data() as u8)),
            Kind::Units => ValueView::Units(self.units(value).unwrap_or_default()),
            Kind::Places => ValueView::Places(self.places(value).unwrap_or_default()),
            Kind::Dice => ValueView::Dice(self.dice(value).unwrap_or_default()),
            Kind::Game => ValueView::Game,
            Kind::Range => {
                let (from, to, with_last) = self.range(value).unwrap_or_default();
                ValueView::Range(from, to, with_last)
            }
            Kind::List => {
                let items = self.list(value.stored()).iter();
                ValueView::List(items.map(|v| self.view_all(words, *v)).collect())
            }
            Kind::Map => {
                let pairs = self.list(value.stored()).chunks_exact(2);
                let key = |v: Value| v.as_word().map_or("", |w| words.text(w)).to_owned();
                ValueView::Map(pairs.map(|p| (key(p[0]), self.view_all(words, p[1]))).collect())
            }
            Kind::Function => ValueView::Function,
            Kind::Length => ValueView::Length(value.data().cast_signed()),
            Kind::Spot => ValueView::Spot(value.as_spot().unwrap_or_default()),
            Kind::Region => match self.region(value) {
                Some(region) => ValueView::Region(Arc::clone(region)),
                None => ValueView::Nothing,
            },
            Kind::Edge => ValueView::Edge(value.as_edge().unwrap_or_default()),
        }
    }
}

/// Returns a value that is written out: numbers, texts, lists and maps.
pub fn literal(expr: &Expr) -> Option<ValueView> {
    Some(match expr {
        Expr::Unit(_) => ValueView::Nothing,
        Expr::BoolConstant(it, _) => ValueView::Bool(*it),
        Expr::IntegerConstant(n, _) => ValueView::Int(*n),
        Expr::StringConstant(text, _) => ValueView::Text(text.to_string()),
        Expr::Array(items, _) => ValueView::List(items.iter().map(literal).collect::<Option<_>>()?),
        Expr::Map(map, _) => {
            let entries = map
                .0
                .iter()
                .map(|(key, v)| Some((key.name.to_string(), literal(v)?)));
            ValueView::Map(entries.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

impl ValueView {
    /// Its number, if it is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            ValueView::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// Its length in thousandths of the game's unit, if it is one or a whole number.
    pub fn as_length(&self) -> Option<i64> {
        match self {
            ValueView::Int(n) => n.checked_mul(UNIT),
            ValueView::Length(length) => Some(*length),
            _ => None,
        }
    }

    /// Whether it is true, if it is true or false.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            ValueView::Bool(it) => Some(*it),
            _ => None,
        }
    }

    /// Its text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            ValueView::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Its items, if it is a list.
    pub fn as_list(&self) -> Option<&[ValueView]> {
        match self {
            ValueView::List(items) => Some(items),
            _ => None,
        }
    }

    /// Its entries, if it is a map.
    pub fn as_map(&self) -> Option<&ViewMap> {
        match self {
            ValueView::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            ValueView::Nothing => Kind::Nothing,
            ValueView::Bool(_) => Kind::Bool,
            ValueView::Int(_) => Kind::Int,
            ValueView::Text(_) => Kind::Word,
            ValueView::Unit(_) => Kind::Unit,
            ValueView::Place(_) => Kind::Place,
            ValueView::Faction(_) => Kind::Faction,
            ValueView::Type(_) => Kind::Type,
            ValueView::Terrain(_) => Kind::Terrain,
            ValueView::Units(_) => Kind::Units,
            ValueView::Places(_) => Kind::Places,
            ValueView::Dice(_) => Kind::Dice,
            ValueView::Game => Kind::Game,
            ValueView::Range(..) => Kind::Range,
            ValueView::List(_) => Kind::List,
            ValueView::Map(_) => Kind::Map,
            ValueView::Function => Kind::Function,
            ValueView::Length(_) => Kind::Length,
            ValueView::Spot(_) => Kind::Spot,
            ValueView::Region(_) => Kind::Region,
            ValueView::Edge(_) => Kind::Edge,
        }
    }

    /// The value as users read it: things by their names, sets as lists.
    pub fn text(&self, table: &Table) -> String {
        self.written(table, false)
    }

    /// The same; texts within lists and maps stand in quotes where `quoted`.
    fn written(&self, table: &Table, quoted: bool) -> String {
        let rules = &table.rules;
        match self {
            ValueView::Nothing => "nothing".to_owned(),
            ValueView::Bool(it) => it.to_string(),
            ValueView::Int(n) => n.to_string(),
            ValueView::Text(text) if quoted => format!("{text:?}"),
            ValueView::Text(text) => text.clone(),
            ValueView::Unit(unit) => rules.unit_name(table.world.name(*unit)),
            ValueView::Place(place) | ValueView::Edge(place) => rules.board.name(*place).to_owned(),
            ValueView::Faction(faction) => rules.factions[faction.index()].clone(),
            ValueView::Type(kind) => rules.types[kind.index()].name.clone(),
            ValueView::Terrain(terrain) => rules.terrains[terrain.index()].name.clone(),
            ValueView::Units(set) => {
                let names: Vec<String> = set
                    .clone()
                    .map(|u| rules.unit_name(table.world.name(u)))
                    .collect();
                format!("[{}]", names.join(", "))
            }
            ValueView::Places(set) => {
                let names: Vec<&str> = set.iter().map(|p| rules.board.name(p)).collect();
                format!("[{}]", names.join(", "))
            }
            ValueView::Dice(pool) => pool.sentence(),
            ValueView::Game => "the game".to_owned(),
            ValueView::Range(from, to, with_last) => {
                format!("{from}..{}{to}", if *with_last { "=" } else { "" })
            }
            ValueView::List(items) => {
                let items: Vec<String> = items.iter().map(|v| v.written(table, quoted)).collect();
                format!("[{}]", items.join(", "))
            }
            ValueView::Map(entries) => {
                let entries = entries
                    .iter()
                    .map(|(k, v)| format!("{k:?}: {}", v.written(table, true)));
                format!("#{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
            ValueView::Function => "a function".to_owned(),
            ValueView::Length(length) => length_text(*length),
            ValueView::Spot(spot) => spot.to_string(),
            ValueView::Region(_) => "a region".to_owned(),
        }
    }
}
