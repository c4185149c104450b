//! The sets of units that a world keeps: who exists, who stands where. In a small game they are words side
//! by side, so that a copy is one move of memory and a look is one load; a game with more units than a word
//! has bits keeps them elsewhere.

use super::ids::{MAX_FACTIONS, PlaceId, PlaceSet, UnitId, UnitSet};

/// Units that exist: enlisted and not removed.
pub const ALIVE: usize = 0;
/// Units that stand on the board.
pub const ON_BOARD: usize = 1;
/// Units that came from one place to another since the innermost repeating phase began.
pub const MOVED: usize = 2;
/// The units of the first faction; those of the others follow.
pub const OWNED: usize = 3;
/// Number of rows before those of the places.
pub const AT: usize = OWNED + MAX_FACTIONS;

/// Number of units in a word.
const WORD: u16 = u64::BITS as u16;

/// Sets of units by row: the named ones, then a row for each place.
#[derive(Debug, Eq)]
pub struct Ranks {
    /// The rows while no unit is beyond a word.
    few: Vec<u64>,
    /// All rows, from the first unit on that is beyond a word.
    many: Option<Vec<UnitSet>>,
}

impl Ranks {
    /// Nobody, on so many places.
    pub fn new(places: usize) -> Self {
        Self {
            few: vec![0; AT + places],
            many: None,
        }
    }

    /// Returns the number of places.
    pub fn places(&self) -> usize {
        self.few.len() - AT
    }

    /// The set of a row.
    #[inline(always)]
    pub fn of(&self, row: usize) -> UnitSet {
        match &self.many {
            None => UnitSet::few(self.few[row]),
            Some(sets) => sets[row].clone(),
        }
    }

    /// All that is in the sets of these rows.
    #[inline]
    pub fn of_all(&self, rows: impl Iterator<Item = usize>) -> UnitSet {
        match &self.many {
            None => UnitSet::few(rows.fold(0, |units, row| units | self.few[row])),
            Some(sets) => rows.fold(UnitSet::EMPTY, |units, row| units | &sets[row]),
        }
    }

    /// Whether a unit is in the set of a row.
    #[inline(always)]
    pub fn contains(&self, row: usize, unit: UnitId) -> bool {
        match &self.many {
            None => self.few[row] >> (unit.0 % WORD) & 1 == 1 && unit.0 < WORD,
            Some(sets) => sets[row].contains(unit),
        }
    }

    /// Whether all of the set of a row is in that of another.
    #[inline(always)]
    pub fn is_within(&self, row: usize, other: usize) -> bool {
        match &self.many {
            None => self.few[row] & !self.few[other] == 0,
            Some(sets) => sets[row].is_within(&sets[other]),
        }
    }

    /// Those of some places where at least so many units stand that are in the set of a row, 1 or more.
    pub fn with_so_many(&self, places: PlaceSet, row: usize, least: usize) -> PlaceSet {
        match &self.many {
            None => {
                let own = self.few[row];
                let less = |units: u64, _| units & units.wrapping_sub(1);
                places.only(|p| (1..least).fold(self.few[AT + p.index()] & own, less) != 0)
            }
            Some(sets) => {
                let own = |p: PlaceId| &sets[AT + p.index()] & &sets[row];
                places.only(|p| own(p).len() >= least)
            }
        }
    }

    /// Those of some places where units stand that are not in the set of a row.
    pub fn with_others(&self, places: PlaceSet, row: usize) -> PlaceSet {
        match &self.many {
            None => {
                let own = self.few[row];
                places.only(|p| self.few[AT + p.index()] & !own != 0)
            }
            Some(sets) => places.only(|p| !sets[AT + p.index()].is_within(&sets[row])),
        }
    }

    /// Returns the number of units that are in the sets of both rows.
    #[inline(always)]
    pub fn in_both(&self, row: usize, other: usize) -> usize {
        match &self.many {
            None => match self.few[row] & self.few[other] {
                0 => 0,
                both => both.count_ones() as usize,
            },
            Some(sets) => (&sets[row] & &sets[other]).len(),
        }
    }

    /// Changes the set of a row.
    #[inline]
    pub fn set(&mut self, row: usize, units: UnitSet) {
        match (&mut self.many, units.as_few()) {
            (None, Some(bits)) => self.few[row] = bits,
            (Some(sets), _) => sets[row] = units,
            _ => self.grown()[row] = units,
        }
    }

    /// Puts a unit into the set of a row.
    #[inline(always)]
    pub fn insert(&mut self, row: usize, unit: UnitId) {
        if self.many.is_none() && unit.0 < WORD {
            self.few[row] |= 1 << unit.0;
        } else {
            self.grown()[row].insert(unit);
        }
    }

    /// Takes a unit out of the set of a row; whether nobody is left in it.
    #[inline(always)]
    pub fn remove(&mut self, row: usize, unit: UnitId) -> bool {
        if self.many.is_none() && unit.0 < WORD {
            self.few[row] &= !(1 << unit.0);
            self.few[row] == 0
        } else {
            let set = &mut self.grown()[row];
            set.remove(unit);
            set.is_empty()
        }
    }

    /// The rows as sets of any units, which they are from now on.
    #[cold]
    fn grown(&mut self) -> &mut Vec<UnitSet> {
        let few = &self.few;
        let all = || few.iter().map(|&bits| UnitSet::few(bits)).collect();
        self.many.get_or_insert_with(all)
    }

    /// Takes over the named rows and those of some places from others with as many places.
    #[inline]
    pub fn copy(&mut self, from: &Self, places: impl Iterator<Item = usize>) {
        match (&mut self.many, &from.many) {
            (None, None) => {
                self.few[..AT].copy_from_slice(&from.few[..AT]);
                for place in places {
                    self.few[AT + place] = from.few[AT + place];
                }
            }
            (Some(own), Some(sets)) => {
                for row in (0..AT).chain(places.map(|place| AT + place)) {
                    own[row].clone_from(&sets[row]);
                }
            }
            _ => self.clone_from(from),
        }
    }
}

impl PartialEq for Ranks {
    fn eq(&self, other: &Self) -> bool {
        if self.many.is_none() && other.many.is_none() {
            return self.few == other.few;
        }
        self.places() == other.places() && (0..AT + self.places()).all(|row| self.of(row) == other.of(row))
    }
}

impl Clone for Ranks {
    fn clone(&self) -> Self {
        Self {
            few: self.few.clone(),
            many: self.many.clone(),
        }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.few.clone_from(&source.few);
        if self.many.is_some() || source.many.is_some() {
            self.many.clone_from(&source.many);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that nothing is copied for places without units before and after, for any number of units.
    #[test]
    fn only_places_that_are_named_are_copied() {
        for far in [3, 100] {
            let mut one = Ranks::new(3);
            let mut other = Ranks::new(3);
            for ranks in [&mut one, &mut other] {
                ranks.insert(ALIVE, UnitId::new(far));
            }
            for place in 0..3 {
                other.insert(AT + place, UnitId::new(far));
            }
            one.copy(&other, [1].into_iter());
            let there = |place: usize| one.contains(AT + place, UnitId::new(far));
            assert_eq!([0, 1, 2].map(there), [false, true, false]);
        }
    }

    /// The same deeds on ranks and on plain sets, with units within a word and beyond it.
    #[test]
    fn ranks_are_sets_however_many_units_there_are() {
        let mut generator = crate::dice::RollKey::new(3).generator();
        let mut below = |n: usize| rand::RngExt::random_range(&mut generator, 0..n);
        for most in [10, 64, 65, 1_000] {
            let places = 5;
            let mut ranks = Ranks::new(places);
            let mut plain = vec![std::collections::BTreeSet::new(); AT + places];
            let mut saved = ranks.clone();
            for round in 0..500 {
                let (row, unit) = (below(AT + places), UnitId::new(below(most)));
                match below(4) {
                    0 => {
                        ranks.remove(row, unit);
                        plain[row].remove(&unit);
                    }
                    1 => {
                        let other = below(AT + places);
                        ranks.set(row, ranks.of(other));
                        plain[row] = plain[other].clone();
                    }
                    _ => {
                        ranks.insert(row, unit);
                        plain[row].insert(unit);
                    }
                }
                let other = below(AT + places);
                assert!(ranks.of(row).eq(plain[row].iter().copied()));
                assert_eq!(ranks.contains(row, unit), plain[row].contains(&unit));
                let others = ranks.with_others((0..places).map(PlaceId::new).collect(), row);
                let differ = |p: &usize| !plain[AT + p].is_subset(&plain[row]);
                assert!(others.map(|p| p.index()).eq((0..places).filter(differ)));
                assert_eq!(ranks.is_within(row, other), plain[row].is_subset(&plain[other]));
                assert_eq!(
                    ranks.in_both(row, other),
                    plain[row].intersection(&plain[other]).count()
                );
                let both: std::collections::BTreeSet<_> = plain[row].union(&plain[other]).copied().collect();
                assert!(ranks.of_all([row, other].into_iter()).eq(both));
                if round % 50 == 0 {
                    saved.copy(&ranks, 0..places);
                    assert_eq!(saved, ranks);
                    saved.clone_from(&ranks);
                    assert_eq!(saved, ranks);
                }
            }
        }
    }
}
