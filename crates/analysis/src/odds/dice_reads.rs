//! Kinds of looks at the dice of a position: which slots, and what of each.

use super::fingerprint::Fingerprint;
use crate::kernel::dice::Pool;
use crate::kernel::dice_access::DiceRead;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher as _};

/// Number of a look at the dice of a position, among [`DiceReads`]; the first look sees nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DiceReadsId(u32);

/// All kinds of looks of one question. Each is slots by their numbers, sorted, with what is seen of them.
pub struct DiceReads {
    all: Vec<Vec<(u8, DiceRead)>>,
    numbers: HashMap<Vec<(u8, DiceRead)>, DiceReadsId>,
    both: HashMap<(DiceReadsId, DiceReadsId), DiceReadsId, BuildHasherDefault<Fingerprint>>,
    without: HashMap<(DiceReadsId, u128), DiceReadsId, BuildHasherDefault<Fingerprint>>,
}

impl Default for DiceReads {
    fn default() -> Self {
        Self {
            all: vec![Vec::new()],
            numbers: HashMap::from([(Vec::new(), DiceReadsId(0))]),
            both: HashMap::default(),
            without: HashMap::default(),
        }
    }
}

impl DiceReads {
    /// The look at these slots, which are sorted.
    pub fn of(&mut self, slots: Vec<(u8, DiceRead)>) -> DiceReadsId {
        let next = DiceReadsId(self.all.len() as u32);
        let reads = *self.numbers.entry(slots.clone()).or_insert(next);
        if reads == next {
            self.all.push(slots);
        }
        reads
    }

    /// Returns the union of two looks.
    pub fn both(&mut self, one: DiceReadsId, other: DiceReadsId) -> DiceReadsId {
        if one == other || other == DiceReadsId(0) {
            return one;
        }
        if let Some(both) = self.both.get(&(one, other)) {
            return *both;
        }
        let mut slots = self.all[one.0 as usize].clone();
        for &(slot, look) in &self.all[other.0 as usize] {
            match slots.binary_search_by_key(&slot, |s| s.0) {
                Ok(at) => slots[at].1 = slots[at].1.and(look),
                Err(at) => slots.insert(at, (slot, look)),
            }
        }
        let both = self.of(slots);
        self.both.insert((one, other), both);
        both
    }

    /// Returns the part of a later step's look that concerns the dice before a step that has written these slots.
    pub fn without(&mut self, reads: DiceReadsId, written: u128) -> DiceReadsId {
        if reads == DiceReadsId(0) || written == 0 {
            return reads;
        }
        if let Some(rest) = self.without.get(&(reads, written)) {
            return *rest;
        }
        let slots = self.all[reads.0 as usize].iter().copied();
        let rest = self.of(slots.filter(|(slot, _)| written >> slot & 1 == 0).collect());
        self.without.insert((reads, written), rest);
        rest
    }

    /// A number for a ground and what a look sees of dice on it, the same for the same.
    pub fn print(&self, ground: u32, reads: DiceReadsId, dice: &[Pool]) -> u128 {
        let mut print = Fingerprint::default();
        print.write_u64(u64::from(ground) << 32 | u64::from(reads.0));
        for (slot, look) in &self.all[reads.0 as usize] {
            let (reads, ranks) = look.of(&dice[*slot as usize]);
            print.write_u64(reads);
            if ranks != 0 {
                print.write_u128(ranks);
            }
        }
        print.whole()
    }
}
