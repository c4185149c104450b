//! Small copyable names for the things of a game, and sets of them as bit masks.

use std::ops::{BitAnd, BitOr, Sub};
use std::sync::Arc;

/// Maximum number of units that exist at once.
pub const MAX_UNITS: usize = 1_024;
/// Maximum number of places of a board.
pub const MAX_PLACES: usize = 4_096;
/// Maximum number of kinds of terrain in a game (a [`TerrainSet`] is one `u32`).
pub const MAX_TERRAINS: usize = 32;
/// Maximum number of factions.
pub const MAX_FACTIONS: usize = 8;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $number:ty) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub $number);

        impl $name {
            /// The id of an index into per-thing tables. There are never more things than ids.
            #[inline]
            pub const fn new(index: usize) -> Self {
                debug_assert!(index <= <$number>::MAX as usize);
                Self(index as $number)
            }

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
    UnitId,
    u16
);
id!(
    /// A place: an index into the board's places.
    PlaceId,
    u16
);
id!(
    /// A faction, in the order in which the game declares them.
    FactionId,
    u8
);
id!(
    /// A unit type, in the order of the type names.
    TypeId,
    u8
);
id!(
    /// A kind of terrain, in the order of the terrains' names.
    TerrainId,
    u8
);

/// The words of a set that is more than one word, the last of them not 0; nothing of a set that is one. What is
/// done with them is done out of line and by value, so that a small game has its sets in registers.
type LargeSet = Option<Arc<Vec<u64>>>;

/// The word that sets of a small game are, and how many ids have a bit in it.
trait Word: Copy + Into<u128> + TryFrom<u128> + Default {
    const BITS: usize = 8 * size_of::<Self>();
}

impl Word for u64 {}
impl Word for u128 {}

/// A set of these words, in the one form that it has.
fn of_words<W: Word>(mut words: Vec<u64>) -> (W, LargeSet) {
    while words.last() == Some(&0) {
        words.pop();
    }
    if words.len() * 64 <= W::BITS {
        let few = words
            .iter()
            .rev()
            .fold(0, |all, &word| all << 64 | u128::from(word));
        (W::try_from(few).unwrap_or_default(), None)
    } else {
        (W::default(), Some(Arc::new(words)))
    }
}

/// A set as words of 64, at least so many.
fn words_of<W: Word>((few, many): (W, LargeSet), least: usize) -> Vec<u64> {
    match many {
        None => {
            let mut words = vec![0; least.max(W::BITS / 64)];
            let few: u128 = few.into();
            for (word, shift) in words.iter_mut().zip([0, 64]) {
                *word = (few >> shift) as u64;
            }
            words
        }
        Some(many) => {
            let mut words = Arc::unwrap_or_clone(many);
            words.resize(least.max(words.len()), 0);
            words
        }
    }
}

/// Both sets word by word, where they are not both few.
#[cold]
#[inline(never)]
fn merged<W: Word>(a: (W, LargeSet), b: (W, LargeSet), merge: fn(u64, u64) -> u64) -> (W, LargeSet) {
    let mut words = words_of(a, 0);
    let others = words_of(b, words.len());
    words.resize(others.len(), 0);
    for (word, other) in words.iter_mut().zip(others) {
        *word = merge(*word, other);
    }
    of_words(words)
}

/// Takes the lowest out of these words. That leaves the highest where it is, or nothing.
#[cold]
#[inline(never)]
fn take_first(many: &mut LargeSet) -> Option<usize> {
    let words = Arc::make_mut(many.as_mut()?);
    let index = first_of(words)?;
    words[index / 64] &= words[index / 64] - 1;
    if words.last() == Some(&0) {
        *many = None;
    }
    Some(index)
}

/// The set with an index in it or not.
#[cold]
#[inline(never)]
fn changed<W: Word>(set: (W, LargeSet), index: usize, is_in: bool) -> (W, LargeSet) {
    let mut words = words_of(set, index / 64 + 1);
    if is_in {
        words[index / 64] |= 1 << (index % 64);
    } else {
        words[index / 64] &= !(1 << (index % 64));
    }
    of_words(words)
}

/// Forgets words that nobody has any more.
#[cold]
#[inline(never)]
fn forget(words: Arc<Vec<u64>>) {
    drop(words);
}

/// The words with these indices, too.
#[cold]
#[inline(never)]
fn with_all(mut words: Vec<u64>, indices: impl Iterator<Item = usize>) -> Vec<u64> {
    // Not one by one: many are gone through at one blow.
    indices.for_each(|index| {
        if index / 64 >= words.len() {
            words.resize(index / 64 + 1, 0);
        }
        words[index / 64] |= 1 << (index % 64);
    });
    words
}

/// The indices that are in these words, from the lowest.
#[cold]
#[inline(never)]
fn indices(words: Arc<Vec<u64>>) -> Vec<usize> {
    let mut all = Vec::new();
    for (index, &word) in words.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            all.push(index * 64 + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
    all
}

/// Whether an index is in these words.
#[cold]
#[inline(never)]
fn has(words: &[u64], index: usize) -> bool {
    words
        .get(index / 64)
        .is_some_and(|word| word >> (index % 64) & 1 == 1)
}

#[cold]
#[inline(never)]
fn first_of(words: &[u64]) -> Option<usize> {
    let word = words.iter().position(|&word| word != 0)?;
    Some(word * 64 + words[word].trailing_zeros() as usize)
}

/// A set that is one word in small games and grows with the game.
macro_rules! id_set {
    ($(#[$doc:meta])* $name:ident, $bits:ty, $id:ident) => {
        $(#[$doc])*
        #[derive(Debug, PartialEq, Eq, Hash, Default)]
        pub struct $name {
            few: $bits,
            many: LargeSet,
        }

        impl Clone for $name {
            #[inline(always)]
            fn clone(&self) -> Self {
                Self {
                    few: self.few,
                    many: match &self.many {
                        None => None,
                        Some(words) => Some(Arc::clone(words)),
                    },
                }
            }

            #[inline(always)]
            fn clone_from(&mut self, source: &Self) {
                self.few = source.few;
                if self.many.is_some() || source.many.is_some() {
                    *self = source.clone();
                }
            }
        }

        impl Drop for $name {
            #[inline(always)]
            fn drop(&mut self) {
                if let Some(words) = self.many.take() {
                    forget(words);
                }
            }
        }

        impl $name {
            /// The set with nothing in it.
            pub const EMPTY: Self = Self::few(0);
            const WORD: usize = <$bits>::BITS as usize;

            /// The set of these bits, the lowest for the lowest id.
            #[inline(always)]
            pub const fn few(bits: $bits) -> Self {
                Self { few: bits, many: None }
            }

            /// The bits of a set that has no id beyond them, the lowest for the lowest id.
            #[inline(always)]
            pub fn as_few(&self) -> Option<$bits> {
                match self.many {
                    None => Some(self.few),
                    Some(_) => None,
                }
            }

            fn of((few, many): ($bits, LargeSet)) -> Self {
                Self { few, many }
            }

            #[inline(always)]
            fn parts(mut self) -> ($bits, LargeSet) {
                (self.few, self.many.take())
            }

            /// The set of one thing.
            #[inline]
            pub fn one(id: $id) -> Self {
                if id.index() < Self::WORD {
                    Self::few(1 << id.0)
                } else {
                    Self::of(changed((0, None), id.index(), true))
                }
            }

            /// The things in the set, from the lowest id.
            #[inline(always)]
            pub fn iter(&self) -> Self {
                self.clone()
            }

            /// Returns the number of things in the set.
            #[inline]
            pub fn len(&self) -> usize {
                match &self.many {
                    None => {
                        let few = u128::from(self.few);
                        // On a small board nothing is in the second word.
                        let high = match (few >> 64) as u64 {
                            0 => 0,
                            word => word.count_ones(),
                        };
                        ((few as u64).count_ones() + high) as usize
                    }
                    Some(words) => words.iter().map(|word| word.count_ones() as usize).sum(),
                }
            }

            /// Whether nothing is in the set.
            #[inline(always)]
            pub fn is_empty(&self) -> bool {
                self.few == 0 && self.many.is_none()
            }

            /// Whether `id` is in the set.
            #[inline(always)]
            pub fn contains(&self, id: $id) -> bool {
                match &self.many {
                    None => id.index() < Self::WORD && self.few >> id.0 & 1 == 1,
                    Some(words) => has(words, id.index()),
                }
            }

            /// Whether all of the set is in the other.
            #[inline]
            pub fn is_within(&self, other: &Self) -> bool {
                if self.many.is_none() && other.many.is_none() {
                    return self.few & !other.few == 0;
                }
                (self - other).is_empty()
            }

            /// Those of the things that are so.
            #[inline]
            pub fn only(self, mut is_so: impl FnMut($id) -> bool) -> Self {
                let (few, many) = self.parts();
                if let Some(words) = many {
                    let all = indices(words).into_iter().map($id::new);
                    return all.filter(|id| is_so(*id)).collect();
                }
                // The lowest of 64 bits is found faster than that of 128.
                let mut half = |mut left: u64, first: usize| {
                    let mut only = left;
                    while left != 0 {
                        let lowest = left & left.wrapping_neg();
                        if !is_so($id::new(first + left.trailing_zeros() as usize)) {
                            only ^= lowest;
                        }
                        left ^= lowest;
                    }
                    u128::from(only)
                };
                let few = u128::from(few);
                Self::few((half(few as u64, 0) | half((few >> 64) as u64, 64) << 64) as $bits)
            }

            /// The thing with the lowest id.
            #[inline]
            pub fn first(&self) -> Option<$id> {
                match &self.many {
                    None if self.few == 0 => None,
                    None => Some($id::new(self.few.trailing_zeros() as usize)),
                    Some(words) => first_of(words).map($id::new),
                }
            }

            /// The thing with the lowest id from this index on.
            pub fn first_from(&self, index: usize) -> Option<$id> {
                let Some(words) = &self.many else {
                    let rest = self.few.checked_shr(index as u32).unwrap_or(0);
                    return (rest != 0).then(|| $id::new(index + rest.trailing_zeros() as usize));
                };
                let (at, bit) = (index / 64, index % 64);
                let own = words.get(at)? >> bit << bit;
                match own {
                    0 => first_of(&words[at + 1..]).map(|next| $id::new((at + 1) * 64 + next)),
                    _ => Some($id::new(at * 64 + own.trailing_zeros() as usize)),
                }
            }

            /// Puts `id` into the set.
            #[inline(always)]
            pub fn insert(&mut self, id: $id) {
                if self.many.is_none() && id.index() < Self::WORD {
                    self.few |= 1 << id.0;
                } else {
                    *self = Self::of(changed(std::mem::take(self).parts(), id.index(), true));
                }
            }

            /// Takes `id` out of the set.
            #[inline(always)]
            pub fn remove(&mut self, id: $id) {
                if self.many.is_some() {
                    *self = Self::of(changed(std::mem::take(self).parts(), id.index(), false));
                } else if id.index() < Self::WORD {
                    self.few &= !(1 << id.0);
                }
            }
        }

        impl Iterator for $name {
            type Item = $id;

            /// Takes the lowest id out of the set.
            #[inline(always)]
            fn next(&mut self) -> Option<$id> {
                if self.many.is_some() {
                    return take_first(&mut self.many).map($id::new);
                }
                if self.few == 0 {
                    return None;
                }
                let id = $id::new(self.few.trailing_zeros() as usize);
                self.few &= self.few - 1;
                Some(id)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.len(), Some(self.len()))
            }

            #[inline]
            fn nth(&mut self, n: usize) -> Option<$id> {
                if self.many.is_none() {
                    for _ in 0..n.min(Self::WORD) {
                        self.few &= self.few.wrapping_sub(1);
                    }
                } else {
                    for _ in 0..n {
                        self.next()?;
                    }
                }
                self.next()
            }

            /// The same without taking one after the other out of many.
            #[inline(always)]
            fn fold<B, F: FnMut(B, $id) -> B>(self, start: B, mut f: F) -> B {
                let mut all = start;
                let (few, many) = self.parts();
                if let Some(words) = many {
                    for index in indices(words) {
                        all = f(all, $id::new(index));
                    }
                    return all;
                }
                // The lowest of 64 bits is found faster than that of 128.
                let few = u128::from(few);
                for (mut left, first) in [(few as u64, 0), ((few >> 64) as u64, 64)] {
                    while left != 0 {
                        all = f(all, $id::new(first + left.trailing_zeros() as usize));
                        left &= left - 1;
                    }
                }
                all
            }
        }

        impl IntoIterator for &$name {
            type Item = $id;
            type IntoIter = $name;

            #[inline(always)]
            fn into_iter(self) -> $name {
                self.clone()
            }
        }

        impl FromIterator<$id> for $name {
            #[inline]
            fn from_iter<I: IntoIterator<Item = $id>>(ids: I) -> Self {
                let mut few = 0;
                let mut ids = ids.into_iter();
                for id in ids.by_ref() {
                    if id.index() >= Self::WORD {
                        let words = words_of((few, None), id.index() / 64 + 1);
                        let all = std::iter::once(id).chain(ids).map($id::index);
                        return Self::of(of_words(with_all(words, all)));
                    }
                    few |= 1 << id.0;
                }
                Self::few(few)
            }
        }

        id_set!(@operator $name, BitOr, bitor, |a, b| a | b);
        id_set!(@operator $name, BitAnd, bitand, |a, b| a & b);
        id_set!(@operator $name, Sub, sub, |a, b| a & !b);
    };
    (@operator $name:ident, $operator:ident, $call:ident, |$a:ident, $b:ident| $merge:expr) => {
        id_set!(@operator $name, $operator, $call, |$a, $b| $merge, &$name, &$name, [.clone()], [.clone()]);
        id_set!(@operator $name, $operator, $call, |$a, $b| $merge, &$name, $name, [.clone()], []);
        id_set!(@operator $name, $operator, $call, |$a, $b| $merge, $name, &$name, [], [.clone()]);
        id_set!(@operator $name, $operator, $call, |$a, $b| $merge, $name, $name, [], []);
    };
    (
        @operator $name:ident, $operator:ident, $call:ident, |$a:ident, $b:ident| $merge:expr,
        $left:ty, $right:ty, [$($owned:tt)*], [$($other:tt)*]
    ) => {
        impl $operator<$right> for $left {
            type Output = $name;
            #[inline(always)]
            fn $call(self, other: $right) -> $name {
                if self.many.is_none() && other.many.is_none() {
                    let ($a, $b) = (self.few, other.few);
                    return $name::few($merge);
                }
                let (a, b) = (self$($owned)*.parts(), other$($other)*.parts());
                $name::of(merged(a, b, |$a, $b| $merge))
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

/// The terrain of a place; iterates from the lowest id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TerrainSet(pub u32);

impl TerrainSet {
    /// Whether nothing is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a kind of terrain is in the set.
    #[inline]
    pub const fn contains(self, id: TerrainId) -> bool {
        self.0 >> id.0 & 1 == 1
    }

    /// The set with a kind of terrain in it.
    #[inline]
    #[must_use]
    pub const fn with(self, id: TerrainId) -> Self {
        Self(self.0 | 1 << id.0)
    }

    /// The set without a kind of terrain.
    #[inline]
    #[must_use]
    pub const fn without(self, id: TerrainId) -> Self {
        Self(self.0 & !(1 << id.0))
    }
}

impl Iterator for TerrainSet {
    type Item = TerrainId;

    /// Takes the lowest id out of the set.
    #[inline]
    fn next(&mut self) -> Option<TerrainId> {
        let id = (self.0 != 0).then(|| TerrainId::new(self.0.trailing_zeros() as usize))?;
        self.0 &= self.0 - 1;
        Some(id)
    }
}

/// Subject of a step, a slot or a choice; `U` is the type by which units are identified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Subject<U> {
    /// The game as a whole, or nobody in particular.
    #[default]
    Game,
    /// A faction.
    Faction(FactionId),
    /// A place on the board.
    Place(PlaceId),
    /// A unit.
    Unit(U),
}

impl<U> Subject<U> {
    /// The same with units told otherwise; `None` when they cannot be.
    #[inline]
    pub fn map<V>(self, unit: impl FnOnce(U) -> Option<V>) -> Option<Subject<V>> {
        Some(match self {
            Subject::Game => Subject::Game,
            Subject::Faction(faction) => Subject::Faction(faction),
            Subject::Place(place) => Subject::Place(place),
            Subject::Unit(one) => Subject::Unit(unit(one)?),
        })
    }
}

/// Subject in the current world, with units by id.
pub type Thing = Subject<UnitId>;
/// A [`Thing`] in a record.
pub type RecordedThing = Subject<UnitName>;

/// A unit as its name says it: faction, type and number. Stays true in records when the id is
/// given to another unit later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitName {
    /// Faction that owns the unit.
    pub owner: FactionId,
    /// Its type.
    pub kind: TypeId,
    /// Its number among its faction's units of that type, from 1.
    pub nth: u16,
}

impl UnitName {
    /// The name as one number above 0, as records of slots keep it.
    pub fn stored(self) -> i64 {
        1 << 40 | i64::from(self.owner.0) << 32 | i64::from(self.kind.0) << 16 | i64::from(self.nth)
    }

    /// The name that [`Self::stored`] gave.
    pub fn from_stored(stored: i64) -> Self {
        Self {
            owner: FactionId((stored >> 32) as u8),
            kind: TypeId((stored >> 16) as u8),
            nth: stored as u16,
        }
    }
}

impl RecordedThing {
    /// The faction that it is or belongs to.
    pub fn faction(self) -> Option<FactionId> {
        match self {
            RecordedThing::Faction(faction) => Some(faction),
            RecordedThing::Unit(unit) => Some(unit.owner),
            RecordedThing::Game | RecordedThing::Place(_) => None,
        }
    }
}

/// A word or label, interned in [`rules::Words`](super::rules::Words).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct WordId(pub u16);

/// A hook by its index among the ruleset's hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct HookId(pub u16);

/// Why something happened: a word such as the ability's name, and the thing that did it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cause {
    /// The script's word for it, if it gave one.
    pub word: Option<WordId>,
    /// Author of the effect: a unit, place or faction, or the game.
    pub by: RecordedThing,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_iterate_from_the_lowest_id() {
        let set: UnitSet = [UnitId(5), UnitId(1), UnitId(63)].into_iter().collect();
        assert_eq!(set.first(), Some(UnitId(1)));
        assert_eq!(set.collect::<Vec<_>>(), [UnitId(1), UnitId(5), UnitId(63)]);
    }

    #[test]
    fn set_operations_are_those_of_sets() {
        let a = PlaceSet::few(0b0110);
        let b = PlaceSet::few(0b0011);
        assert_eq!(&a | &b, PlaceSet::few(0b0111));
        assert_eq!(&a & &b, PlaceSet::few(0b0010));
        assert_eq!(&a - &b, PlaceSet::few(0b0100));
        assert!((&a - &a).is_empty() && (&a - &a).last().is_none());
    }

    /// Sets of any size against the standard library's, the small ones and the large in one form each.
    #[test]
    fn large_sets_are_sets_too() {
        use std::collections::BTreeSet;
        let mut generator = super::super::dice::RollKey::new(7).generator();
        for round in 0..200 {
            let most = [60, 64, 65, 128, 129, 1_000, 4_096][round % 7];
            let mut some = || -> BTreeSet<usize> {
                let count = rand::RngExt::random_range(&mut generator, 0..40);
                (0..count)
                    .map(|_| rand::RngExt::random_range(&mut generator, 0..most))
                    .collect()
            };
            let (a, b) = (some(), some());
            let set = |ids: &BTreeSet<usize>| ids.iter().map(|&i| PlaceId::new(i)).collect::<PlaceSet>();
            let list = |set: PlaceSet| set.map(PlaceId::index).collect::<Vec<_>>();
            let (x, y) = (set(&a), set(&b));
            let is = |got: PlaceSet, want: BTreeSet<usize>| {
                assert_eq!(got, set(&want), "one form");
                assert_eq!(got.len(), want.len());
                assert_eq!(got.is_empty(), want.is_empty());
                assert_eq!(got.first(), want.first().map(|&i| PlaceId::new(i)));
                for from in [0, 1, 59, 63, 64, 65, 128, 999, 5_000] {
                    let next = want.range(from..).next().map(|&i| PlaceId::new(i));
                    assert_eq!(got.first_from(from), next);
                }
                let mut one_by_one = Vec::new();
                for id in got.clone() {
                    one_by_one.push(id.index());
                }
                assert_eq!(one_by_one, want.iter().copied().collect::<Vec<_>>());
                assert_eq!(list(got), one_by_one);
            };
            is(&x | &y, a.union(&b).copied().collect());
            is(&x & &y, a.intersection(&b).copied().collect());
            is(&x - &y, a.difference(&b).copied().collect());
            let mut less = x.clone();
            for &id in &b {
                less.remove(PlaceId::new(id));
                assert!(!less.contains(PlaceId::new(id)));
            }
            is(less, a.difference(&b).copied().collect());
            assert!(a.iter().all(|&id| x.contains(PlaceId::new(id))));
        }
    }
}
