//! Counters for keys: efficient for few keys, and never slow with many.

use std::collections::HashMap;
use std::hash::Hash;

/// As many keys are looked through one by one.
const FEW: usize = 16;

/// See the module's comment.
#[derive(Debug, Default)]
pub struct Tally<K> {
    few: Vec<(K, usize)>,
    many: HashMap<K, usize>,
}

impl<K: Copy + Eq + Hash> Tally<K> {
    /// Nothing has come up yet.
    #[inline]
    pub fn clear(&mut self) {
        self.few.clear();
        if !self.many.is_empty() {
            self.many.clear();
        }
    }

    /// A key comes up; how often it has before.
    #[inline]
    pub fn add(&mut self, key: K) -> usize {
        let count = match self.few.iter().position(|(known, _)| *known == key) {
            Some(at) => &mut self.few[at].1,
            None if self.few.len() < FEW => {
                self.few.push((key, 1));
                return 0;
            }
            None => self.many.entry(key).or_insert(0),
        };
        *count += 1;
        *count - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_keys_are_counted_alike() {
        let mut tally = Tally::default();
        for round in 0..3 {
            for key in 0..100 {
                assert_eq!(tally.add(key), round, "{key}");
            }
        }
        tally.clear();
        assert_eq!((tally.add(5), tally.add(50)), (0, 0));
    }
}
