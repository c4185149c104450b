//! Small copyable names for the things of a game, and sets of them as bit masks.

use std::ops::{BitAnd, BitOr, Sub};

/// How many units can exist at once (a [`UnitSet`] is one `u64`).
pub const MAX_UNITS: usize = 64;
/// How many places a board can have (a [`PlaceSet`] is one `u128`).
pub const MAX_PLACES: usize = 128;
/// How many kinds of terrain a game can have (a [`TerrainSet`] is one `u32`).
pub const MAX_TERRAINS: usize = 32;
/// How many factions can play.
pub const MAX_FACTIONS: usize = 8;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub u8);

        impl $name {
            /// The id as an index into per-thing tables.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A unit: an index into the world's units.
    UnitId
);
id!(
    /// A place: an index into the board's places.
    PlaceId
);
id!(
    /// A faction, in the order in which the game declares them.
    FactionId
);
id!(
    /// A unit type, in the order of the type names.
    TypeId
);
id!(
    /// A kind of terrain, in the order of the terrains' names.
    TerrainId
);

macro_rules! id_set {
    ($(#[$doc:meta])* $name:ident, $bits:ty, $id:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $name(pub $bits);

        impl $name {
            /// The set with nothing in it.
            pub const EMPTY: Self = Self(0);

            /// The set of one thing.
            #[inline]
            pub const fn one(id: $id) -> Self {
                Self(1 << id.0)
            }

            /// How many things are in the set.
            #[inline]
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Whether nothing is in the set.
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Whether `id` is in the set.
            #[inline]
            pub const fn contains(self, id: $id) -> bool {
                self.0 >> id.0 & 1 == 1
            }

            /// The thing with the lowest id.
            #[inline]
            pub const fn first(self) -> Option<$id> {
                if self.0 == 0 { None } else { Some($id(self.0.trailing_zeros() as u8)) }
            }

            /// The thing with the highest id.
            #[inline]
            pub const fn last(self) -> Option<$id> {
                if self.0 == 0 {
                    None
                } else {
                    Some($id((<$bits>::BITS - 1 - self.0.leading_zeros()) as u8))
                }
            }

            /// Puts `id` into the set.
            #[inline]
            pub fn insert(&mut self, id: $id) {
                self.0 |= 1 << id.0;
            }

            /// Takes `id` out of the set.
            #[inline]
            pub fn remove(&mut self, id: $id) {
                self.0 &= !(1 << id.0);
            }
        }

        impl Iterator for $name {
            type Item = $id;

            /// Takes the lowest id out of the set.
            #[inline]
            fn next(&mut self) -> Option<$id> {
                let id = self.first()?;
                self.0 &= self.0 - 1;
                Some(id)
            }
        }

        impl FromIterator<$id> for $name {
            fn from_iter<I: IntoIterator<Item = $id>>(ids: I) -> Self {
                let mut set = Self::EMPTY;
                for id in ids {
                    set.insert(id);
                }
                set
            }
        }

        impl BitOr for $name {
            type Output = Self;
            #[inline]
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl BitAnd for $name {
            type Output = Self;
            #[inline]
            fn bitand(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }
        }

        impl Sub for $name {
            type Output = Self;
            #[inline]
            fn sub(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }
        }
    };
}

id_set!(
    /// A set of units; iterates from the lowest id.
    UnitSet,
    u64,
    UnitId
);
id_set!(
    /// A set of places; iterates from the lowest id.
    PlaceSet,
    u128,
    PlaceId
);
id_set!(
    /// The terrain of a place; iterates from the lowest id.
    TerrainSet,
    u32,
    TerrainId
);

/// What a step, a slot or a choice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Thing {
    /// The game as a whole.
    #[default]
    Game,
    /// A faction.
    Faction(FactionId),
    /// A place on the board.
    Place(PlaceId),
    /// A unit.
    Unit(UnitId),
}

/// A unit as its name says it: faction, type and number. Stays true in records when the id is
/// given to another unit later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitName {
    /// Whose unit it is.
    pub owner: FactionId,
    /// Its type.
    pub kind: TypeId,
    /// Its number among its faction's units of that type, from 1.
    pub nth: u8,
}

/// A [`Thing`] in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Who {
    /// Nobody in particular: the game itself.
    #[default]
    Game,
    /// A faction.
    Faction(FactionId),
    /// A place on the board.
    Place(PlaceId),
    /// A unit, by name.
    Unit(UnitName),
}

impl Who {
    /// The faction that it is or belongs to.
    pub fn faction(self) -> Option<FactionId> {
        match self {
            Who::Faction(faction) => Some(faction),
            Who::Unit(unit) => Some(unit.owner),
            Who::Game | Who::Place(_) => None,
        }
    }
}

/// A word or label, interned in [`rules::Words`](super::rules::Words).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct WordId(pub u16);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_iterate_from_the_lowest_id() {
        let set: UnitSet = [UnitId(5), UnitId(1), UnitId(63)].into_iter().collect();
        assert_eq!(set.collect::<Vec<_>>(), [UnitId(1), UnitId(5), UnitId(63)]);
        assert_eq!((set.first(), set.last()), (Some(UnitId(1)), Some(UnitId(63))));
    }

    #[test]
    fn set_operations_are_those_of_sets() {
        let a = PlaceSet(0b0110);
        let b = PlaceSet(0b0011);
        assert_eq!(a | b, PlaceSet(0b0111));
        assert_eq!(a & b, PlaceSet(0b0010));
        assert_eq!(a - b, PlaceSet(0b0100));
        assert!((a - a).is_empty() && (a - a).last().is_none());
    }
}
