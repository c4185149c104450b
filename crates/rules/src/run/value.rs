//! Values of a running script: two machine words, copied freely. What does not fit into them lies in a
//! [`heap`](super::heap).

use crate::kernel::dice_access::LogMark;
use crate::kernel::ids::{FactionId, PlaceId, TerrainId, TypeId, UnitId, WordId};
use crate::kernel::spot::{Point, UNIT, length_text};
use std::num::NonZeroU64;

/// Names for the value that names nothing.
pub const NOTHING_WORDS: [&str; 3] = ["nobody", "nowhere", "nothing"];

rulebench_lang::named! {
    /// Kind of a value, or of the values that a parameter takes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(u8)]
    pub enum Kind {
        /// Nothing, nobody, nowhere.
        Nothing ("nothing", "nothing");
        /// True or false.
        Bool ("true or false", "true or false");
        /// A whole number.
        Int ("number", "a number");
        /// A text.
        Word ("text", "a text");
        /// A unit.
        Unit ("unit", "a unit");
        /// A place.
        Place ("place", "a place");
        /// A faction.
        Faction ("faction", "a faction");
        /// A unit type.
        Type ("unit type", "a unit type");
        /// A kind of terrain.
        Terrain ("terrain", "a terrain");
        /// Units.
        Units ("units", "units");
        /// Places.
        Places ("places", "places");
        /// Dice.
        Dice ("dice", "dice");
        /// The game.
        Game ("the game", "the game");
        /// Numbers from one to another, the last left out or not.
        Range ("range", "a range of numbers");
        /// A list.
        List ("list", "a list");
        /// A map.
        Map ("map", "a map");
        /// A function without a name.
        Function ("function", "a function");
        /// A length on a table top.
        Length ("length", "a length");
        /// A point of a table top.
        Spot ("spot", "a spot");
        /// The spots to which a unit can come.
        Region ("region", "a region");
        /// An edge between two places that touch.
        Edge ("edge", "an edge");
        /// As a parameter: whatever there is.
        Any ("anything", "anything");
    }
    /// The word for it in the reference and in signatures.
    fn word -> &'static str = 0;
    /// Name of a value of this kind in a sentence.
    fn noun -> &'static str = 1;
}

/// Number of kinds of values.
pub const KINDS: usize = Kind::Any as usize;

impl Kind {
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
                | Kind::Spot
                | Kind::Region
                | Kind::Edge
        )
    }
}

/// A value. The head says its kind; what else is in it, the kind knows.
#[derive(Debug, Clone, Copy)]
pub struct Value {
    /// The kind and 1 in the low byte; in the upper half what the kind needs besides its data: of dice
    /// that are lent the mark of their slot.
    head: NonZeroU64,
    data: u64,
}

/// Dice are equal whether they are lent or not. Scripts compare values by [`Heap::same_plain`](super::heap::Heap), which
/// records that dice are read.
impl PartialEq for Value {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.data == other.data && (self.head == other.head || self.is(Kind::Dice) && other.is(Kind::Dice))
    }
}

impl Eq for Value {}

impl Default for Value {
    fn default() -> Self {
        Self::NOTHING
    }
}

const fn head(kind: Kind, more: u32) -> NonZeroU64 {
    match NonZeroU64::new((kind as u64 + 1) | (more as u64) << 32) {
        Some(head) => head,
        None => NonZeroU64::MIN,
    }
}

/// A list or map, by where it lies in the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListId {
    /// Index of the heap's store.
    pub(super) store: u32,
    /// Number of the store's items that belong to the list.
    pub(super) len: u32,
}

impl ListId {
    /// Returns the number of items.
    #[inline]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Its first items, so many at most.
    pub fn front(self, most: usize) -> ListId {
        match most < self.len() {
            true => ListId {
                len: most as u32,
                ..self
            },
            false => self,
        }
    }

    /// Whether it has none.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl Value {
    /// Nothing, nobody, nowhere.
    pub const NOTHING: Value = Value::new(Kind::Nothing, 0);
    /// True.
    pub const TRUE: Value = Value::new(Kind::Bool, 1);
    /// False.
    pub const FALSE: Value = Value::new(Kind::Bool, 0);
    /// The game itself, for its slots.
    pub const GAME: Value = Value::new(Kind::Game, 0);

    #[inline]
    pub(super) const fn new(kind: Kind, data: u64) -> Value {
        Value::with(kind, 0, data)
    }

    /// A value of a kind that needs this besides its data.
    #[inline]
    pub(super) const fn with(kind: Kind, more: u32, data: u64) -> Value {
        Value {
            head: head(kind, more),
            data,
        }
    }

    /// A list.
    #[inline]
    pub const fn list(list: ListId) -> Value {
        Value::of_items(Kind::List, list)
    }

    /// A map: keys and values in turn, sorted by key.
    pub const fn map(list: ListId) -> Value {
        Value::of_items(Kind::Map, list)
    }

    #[inline]
    const fn of_items(kind: Kind, list: ListId) -> Value {
        Value::with(kind, list.store, list.len as u64)
    }

    /// Both of its words, which are all that it is: what they refer to does not change within a step.
    #[inline]
    pub fn bits(self) -> (u64, u64) {
        (self.head.get(), self.data)
    }

    /// Its kind.
    #[inline]
    pub fn kind(self) -> Kind {
        Kind::ALL.get(self.kind_index()).copied().unwrap_or(Kind::Nothing)
    }

    /// The index of its kind in a list of what there is for each.
    #[inline]
    pub fn kind_index(self) -> usize {
        self.kind_byte().wrapping_sub(1).into()
    }

    /// A number for its kind: [`Value::byte_of`].
    #[inline]
    pub fn kind_byte(self) -> u8 {
        self.head.get() as u8
    }

    /// The number for a kind, which is never 0.
    pub const fn byte_of(kind: Kind) -> u8 {
        kind as u8 + 1
    }

    /// Whether it is of a kind.
    #[inline]
    pub fn is(self, kind: Kind) -> bool {
        self.kind_byte() == Value::byte_of(kind)
    }

    /// Returns the data that its kind needs besides the main data.
    #[inline]
    pub(super) fn more(self) -> u32 {
        (self.head.get() >> 32) as u32
    }

    /// Whether both are the same, where both are all that they say; `None` of what refers to something.
    #[inline]
    pub fn is_same_word(self, other: Value) -> Option<bool> {
        let is_plain = |value: Value| {
            const TOLD: u64 = 1 << Kind::Nothing as u8
                | 1 << Kind::Bool as u8
                | 1 << Kind::Int as u8
                | 1 << Kind::Word as u8
                | 1 << Kind::Unit as u8
                | 1 << Kind::Place as u8
                | 1 << Kind::Faction as u8
                | 1 << Kind::Type as u8
                | 1 << Kind::Terrain as u8
                | 1 << Kind::Edge as u8;
            TOLD << 1 >> value.kind_byte() & 1 == 1
        };
        (is_plain(self) && is_plain(other)).then_some(self.bits() == other.bits())
    }

    /// Whether it is nothing.
    #[inline]
    pub fn is_nothing(self) -> bool {
        self.is(Kind::Nothing)
    }

    /// The list or map, or the two ends of the range, that it is.
    #[inline]
    pub fn items(self) -> Option<ListId> {
        (self.is(Kind::List) || self.is(Kind::Map)).then(|| self.stored())
    }

    /// Returns the location of the contents of a value that is known to be a list or map.
    #[inline]
    pub(super) fn stored(self) -> ListId {
        ListId {
            store: self.more(),
            len: self.data as u32,
        }
    }

    /// Its data, which its kind knows to read.
    #[inline]
    pub(super) fn data(self) -> u64 {
        self.data
    }

    /// Its number, if it is one.
    #[inline]
    pub fn as_int(self) -> Option<i64> {
        self.is(Kind::Int).then_some(self.data.cast_signed())
    }

    /// A length, in thousandths of the game's unit.
    pub fn of_length(length: i64) -> Value {
        Value::new(Kind::Length, length.cast_unsigned())
    }

    /// The length that it is, or that a whole number stands for, in thousandths of the game's unit.
    #[inline]
    pub fn as_length(self) -> Option<i64> {
        match self.kind() {
            Kind::Length => Some(self.data.cast_signed()),
            Kind::Int => self.data.cast_signed().checked_mul(UNIT),
            _ => None,
        }
    }

    /// A number or a length as it is written.
    pub fn written(self) -> String {
        match (self.as_int(), self.as_length()) {
            (Some(n), _) => n.to_string(),
            (None, length) => length_text(length.unwrap_or(0)),
        }
    }

    /// The point that it is.
    pub fn as_spot(self) -> Option<Point> {
        let half = |bits: u64| (bits as u32).cast_signed();
        self.is(Kind::Spot).then(|| Point {
            x: half(self.data >> 32),
            y: half(self.data),
        })
    }

    /// An edge, by its id.
    pub fn of_edge(edge: PlaceId) -> Value {
        Value::new(Kind::Edge, edge.0.into())
    }

    /// The edge that it is.
    pub fn as_edge(self) -> Option<PlaceId> {
        self.is(Kind::Edge).then_some(PlaceId(self.data as u16))
    }

    /// Whether it is true, if it is true or false.
    #[inline]
    pub fn as_bool(self) -> Option<bool> {
        self.is(Kind::Bool).then_some(self.data != 0)
    }

    /// The text that it is.
    #[inline]
    pub fn as_word(self) -> Option<WordId> {
        self.is(Kind::Word).then_some(WordId(self.data as u16))
    }
}

macro_rules! ids {
    ($($as:ident $kind:ident $id:ident;)*) => {
        impl Value {$(
            #[doc = concat!("The ", stringify!($kind), " that it is.")]
            #[inline]
            pub fn $as(self) -> Option<$id> {
                if self.is(Kind::$kind) { Some($id::new(self.data as usize)) } else { None }
            }
        )*}
        $(impl From<$id> for Value {
            #[inline]
            fn from(id: $id) -> Self {
                Value::new(Kind::$kind, u64::from(id.0))
            }
        })*
    };
}
ids! {
    as_unit Unit UnitId;
    as_place Place PlaceId;
    as_faction Faction FactionId;
    as_type Type TypeId;
    as_terrain Terrain TerrainId;
}

impl From<bool> for Value {
    #[inline]
    fn from(it: bool) -> Self {
        Value::new(Kind::Bool, it.into())
    }
}

impl From<i64> for Value {
    #[inline]
    fn from(n: i64) -> Self {
        Value::new(Kind::Int, n.cast_unsigned())
    }
}

impl From<Point> for Value {
    #[inline]
    fn from(point: Point) -> Self {
        let half = |n: i32| u64::from(n.cast_unsigned());
        Value::new(Kind::Spot, half(point.x) << 32 | half(point.y))
    }
}

impl From<WordId> for Value {
    #[inline]
    fn from(word: WordId) -> Self {
        Value::new(Kind::Word, word.0.into())
    }
}

impl Value {
    /// The mark of dice that are lent.
    pub fn mark(self) -> LogMark {
        LogMark(self.more())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_two_words() {
        assert_eq!(size_of::<Value>(), 16);
        assert_eq!(size_of::<Result<Value, ()>>(), 16);
    }
}
