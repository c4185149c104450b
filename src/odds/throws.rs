//! What a roll can show: every pool of dice, with the number of ways in which it comes.

use crate::kernel::dice::Pool;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Every result of one roll.
#[derive(Debug)]
pub struct Throws {
    /// The pools, and in how many of all ways each comes.
    pub all: Vec<(Pool, u64)>,
}

/// How many different pools so many dice of so many sides can show: equal dice are one pool.
pub fn count(dice: usize, sides: i64) -> u128 {
    // Dice times "with repetition": (sides - 1 + dice) over dice, never a fraction on the way.
    (1..=dice as u128).fold(1, |ways, n| ways * (sides as u128 - 1 + n) / n)
}

/// The results of rolls, each worked out once.
#[derive(Debug, Default)]
pub struct Known {
    by_kind: BTreeMap<(usize, i64), Rc<Throws>>,
}

impl Known {
    /// Every result of a roll of so many dice with so many sides, from the lowest to the highest
    /// pool. The caller has looked at [`count`].
    pub fn of(&mut self, dice: usize, sides: i64) -> Rc<Throws> {
        let make = || {
            let mut all = Vec::new();
            let mut values = vec![1; dice];
            let ways_of_all: u64 = (1..=dice as u64).product();
            loop {
                let runs = values.chunk_by(|a, b| a == b);
                let ways = runs.fold(ways_of_all, |ways, run| {
                    ways / (1..=run.len() as u64).product::<u64>()
                });
                all.extend(Pool::new(&values).map(|pool| (pool, ways)));
                // The next pool: the last die that can rise, and those behind it as high.
                let Some(at) = values.iter().rposition(|&v| v < sides) else {
                    return Rc::new(Throws { all });
                };
                let risen = values[at] + 1;
                values[at..].fill(risen);
            }
        };
        Rc::clone(self.by_kind.entry((dice, sides)).or_insert_with(make))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pool_comes_once_and_all_ways_are_counted() {
        for (dice, sides) in [(1, 6), (2, 6), (4, 6), (3, 10), (12, 2), (5, 3)] {
            let throws = Known::default().of(dice, sides);
            assert_eq!(throws.all.len() as u128, count(dice, sides));
            let ways: u64 = throws.all.iter().map(|t| t.1).sum();
            assert_eq!(ways, (sides as u64).pow(dice as u32), "{dice} dice of {sides}");
            assert!(throws.all.is_sorted_by(|a, b| a.0 != b.0));
        }
        // Two sixes come in one way, a five and a six in two.
        let two = Known::default().of(2, 6);
        assert_eq!(two.all.last(), Some(&(Pool::new(&[6, 6]).expect("two"), 1)));
        assert_eq!(two.all[two.all.len() - 2].1, 2);
        assert_eq!(count(12, 31), 11_058_116_888);
    }
}
