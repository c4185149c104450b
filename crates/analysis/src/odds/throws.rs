//! Possible results of a roll: every pool of dice, with the number of ways to roll it.

use crate::kernel::dice::Pool;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Every result of one roll.
#[derive(Debug)]
pub struct Throws {
    /// The pools, and in how many of all ways each comes.
    pub all: Vec<(Pool, u64)>,
}

/// Returns the number of different pools that this many dice with this many sides can show; equal dice make one pool.
/// `None` where they come in more ways than can be counted one by one.
pub fn count(dice: usize, sides: i64) -> Option<u64> {
    u64::try_from(sides)
        .ok()?
        .checked_pow(u32::try_from(dice).ok()?)?;
    // Dice times "with repetition": (sides - 1 + dice) over dice, never a fraction on the way.
    let all = (1..=dice as u128).try_fold(1u128, |ways, n| {
        Some(ways.checked_mul(sides as u128 - 1 + n)? / n)
    });
    u64::try_from(all?).ok()
}

/// In how many orders dice can lie, of which so many each show the same; they are no more than what [`count`] counts.
fn orders(alike: impl Iterator<Item = usize>) -> u64 {
    let (mut ways, mut count) = (1u128, 0);
    for same in alike {
        for nth in 1..=same as u128 {
            count += 1;
            ways = ways * count / nth;
        }
    }
    ways as u64
}

/// The results of rolls, each worked out once.
#[derive(Debug, Default)]
pub struct RollTables {
    by_kind: BTreeMap<(usize, i64), Arc<Throws>>,
}

impl RollTables {
    /// Every result of a roll of so many dice with so many sides, from the lowest to the highest
    /// pool. The caller has looked at [`count`].
    pub fn of(&mut self, dice: usize, sides: i64) -> Arc<Throws> {
        let make = || {
            let mut all = Vec::new();
            let mut values = vec![1; dice];
            loop {
                let ways = orders(values.chunk_by(|a, b| a == b).map(<[i64]>::len));
                all.extend(Pool::new(&values).map(|pool| (pool, ways)));
                // The next pool: the last die that can rise, and those behind it as high.
                let Some(at) = values.iter().rposition(|&v| v < sides) else {
                    return Arc::new(Throws { all });
                };
                let risen = values[at] + 1;
                values[at..].fill(risen);
            }
        };
        Arc::clone(self.by_kind.entry((dice, sides)).or_insert_with(make))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pool_comes_once_and_all_ways_are_counted() {
        for (dice, sides) in [
            (1, 6),
            (2, 6),
            (4, 6),
            (3, 10),
            (12, 2),
            (5, 3),
            (63, 2),
            (1, 1_000),
        ] {
            let throws = RollTables::default().of(dice, sides);
            assert_eq!(Some(throws.all.len() as u64), count(dice, sides));
            let ways: u64 = throws.all.iter().map(|t| t.1).sum();
            assert_eq!(ways, (sides as u64).pow(dice as u32), "{dice} dice of {sides}");
            assert!(throws.all.is_sorted_by(|a, b| a.0 != b.0));
        }
        // Two sixes come in one way, a five and a six in two.
        let two = RollTables::default().of(2, 6);
        assert_eq!(two.all.last(), Some(&(Pool::new(&[6, 6]).expect("two"), 1)));
        assert_eq!(two.all[two.all.len() - 2].1, 2);
        assert_eq!(count(12, 31), Some(11_058_116_888));
        assert_eq!((count(64, 2), count(100, 1_000)), (None, None));
    }
}
