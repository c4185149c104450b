//! Record of a step's use of dice: the properties that it looks at of dice in slots and of its own rolls, and the slots
//! that it writes.
//!
//! To know what a step depends on, a caller gives a [`DiceRecorder`] to a [`World`](super::world::World) while the step
//! runs. Dice that were not written in the run are lent out of their slot: the value remembers its slot, and only the
//! property that is read (its highest die, say) is recorded. Dice that are used in any other way count as read whole, so
//! nothing is missed. In ordinary play there is no recorder.

use super::dice::{MAX_SLOT_DICE, Pool};
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of watched slots.
pub const MOST: usize = 128;
/// Maximum number of watched rolls of a run.
pub const ROLLS: usize = 100;

/// Set of properties of dice that are looked at, a bit each: the lowest 32 bits are single numbers, then come the dice
/// by rank from the top and from the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct DiceRead(u64);

/// Dice have so many ranks: as many as a slot holds.
const RANKS: u32 = MAX_SLOT_DICE as u32;

impl DiceRead {
    /// Nothing.
    pub const NOTHING: DiceRead = DiceRead(0);
    /// The highest die.
    pub const HIGHEST: DiceRead = DiceRead::from_top(0);
    /// The lowest die.
    pub const LOWEST: DiceRead = DiceRead::from_bottom(0);
    /// The sum.
    pub const TOTAL: DiceRead = DiceRead(1 << 56);
    /// Number of dice.
    pub const LEN: DiceRead = DiceRead(1 << 57);
    /// Whether there are none.
    pub const EMPTY: DiceRead = DiceRead(1 << 58);
    /// Everything.
    pub const WHOLE: DiceRead = DiceRead(1 << 63);
    /// All ranks but the highest and the lowest.
    const OTHER_RANKS: DiceRead = {
        let ranks = (1 << (RANKS - 1)) - 1;
        DiceRead(ranks << 33 | ranks << (33 + RANKS))
    };

    /// Whether one of them shows this number.
    pub const fn shows(number: i64) -> DiceRead {
        match number {
            0..32 => DiceRead(1 << number),
            _ => DiceRead::NOTHING,
        }
    }

    /// The highest die but for so many; no slot holds one of a higher rank.
    const fn from_top(but_for: u32) -> DiceRead {
        match but_for {
            0..RANKS => DiceRead(1 << (32 + but_for)),
            _ => DiceRead::NOTHING,
        }
    }

    /// The lowest die but for so many.
    const fn from_bottom(but_for: u32) -> DiceRead {
        match but_for {
            0..RANKS => DiceRead(1 << (32 + RANKS + but_for)),
            _ => DiceRead::NOTHING,
        }
    }

    const fn has(self, look: DiceRead) -> bool {
        self.0 & look.0 != 0
    }

    /// Both, without what follows from the rest.
    #[must_use]
    pub const fn and(self, other: DiceRead) -> DiceRead {
        let both = DiceRead(self.0 | other.0);
        if both.has(DiceRead::WHOLE) {
            DiceRead::WHOLE
        } else if both.has(DiceRead(
            DiceRead::HIGHEST.0 | DiceRead::LOWEST.0 | DiceRead::LEN.0,
        )) {
            DiceRead(both.0 & !DiceRead::EMPTY.0)
        } else {
            both
        }
    }

    /// Returns the visible properties of these dice as numbers; they are equal for all dice that look the same.
    pub fn of(self, dice: &Pool) -> (u64, u128) {
        if self.has(DiceRead::WHOLE) {
            return (dice.stored().unwrap_or_default().cast_unsigned(), 0);
        }
        let shown = dice.values().fold(0, |shown, die| shown | 1 << die);
        let mut bits = self.0 & shown & u64::from(u32::MAX);
        let mut add = |look: DiceRead, number: i64, at: u32| {
            if self.has(look) {
                bits |= number.cast_unsigned() << at;
            }
        };
        // None are told from the rest by their number, highest and lowest.
        add(
            DiceRead::HIGHEST,
            dice.values().next_back().map_or(0, |d| d + 1),
            32,
        );
        add(DiceRead::LOWEST, dice.values().next().map_or(0, |d| d + 1), 38);
        add(DiceRead::TOTAL, dice.values().sum(), 44);
        add(DiceRead::LEN, dice.len() as i64, 54);
        add(DiceRead::EMPTY, dice.is_empty().into(), 58);
        let mut ranks = 0;
        // Whoever looks at other ranks looks at how many there are, too.
        if self.has(DiceRead::OTHER_RANKS) {
            for rank in 1..RANKS {
                let mut put = |look: DiceRead, die: Option<i64>, at: u32| {
                    let die = die.filter(|_| self.has(look)).unwrap_or_default();
                    ranks |= u128::from(die.cast_unsigned()) << (5 * (at + rank));
                };
                let nth = rank as usize;
                put(DiceRead::from_top(rank), dice.values().rev().nth(nth), 0);
                put(DiceRead::from_bottom(rank), dice.values().nth(nth), RANKS);
            }
        }
        (bits, ranks)
    }
}

/// Origin of lent dice: the number of their slot, from 1, or of their roll after the slots, and the numbers of the
/// highest and the lowest dice taken away; 0 for dice that are not lent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogMark(pub u32);

impl LogMark {
    /// The slot's number, from 1.
    const fn number(self) -> u8 {
        self.0 as u8
    }

    /// Returns the number of the highest dice that were taken away.
    const fn top(self) -> u32 {
        self.0 >> 8 & 0xff
    }

    /// Returns the number of the lowest dice that were taken away.
    const fn bottom(self) -> u32 {
        self.0 >> 16 & 0xff
    }

    /// The mark of these dice without the highest, which has been looked at.
    #[must_use]
    pub const fn without_highest(self) -> Self {
        self.without_one(8)
    }

    /// The mark of these dice without the lowest, which has been looked at.
    #[must_use]
    pub const fn without_lowest(self) -> Self {
        self.without_one(16)
    }

    const fn without_one(self, shift: u32) -> Self {
        match self.number() {
            0 => self,
            _ => Self(self.0 + (1 << shift)),
        }
    }

    /// Returns the look at the slot that corresponds to this look at the rest of its dice. Those that were taken away
    /// are known, as each was looked at.
    const fn in_slot(self, look: DiceRead) -> DiceRead {
        let (top, bottom) = (self.top(), self.bottom());
        if top + bottom == 0 || look.has(DiceRead::WHOLE) {
            return look;
        }
        if look.0 as u32 != 0 {
            return DiceRead::WHOLE;
        }
        let mut bits = DiceRead::LEN.0 | look.0 & DiceRead::TOTAL.0;
        if look.has(DiceRead::HIGHEST) {
            bits |= DiceRead::from_top(top).0;
        }
        if look.has(DiceRead::LOWEST) {
            bits |= DiceRead::from_bottom(bottom).0;
        }
        DiceRead(bits)
    }
}

#[derive(Debug, Default)]
struct AccessLog {
    /// The number of a watched slot by its place among the world's slots, from 1; 0 for others.
    numbers: Vec<u8>,
    /// By the number of a slot, and behind [`MOST`] of a roll.
    looks: Vec<DiceRead>,
    written: u128,
    /// The mark of the last roll.
    rolled: u8,
    /// Whether all that is watched is one, of which only the first slot that is read counts.
    guards: bool,
    first_read: Option<usize>,
}

impl AccessLog {
    /// The number of a watched slot, from 1, unless the run has written it.
    fn number(&self, slot: usize) -> u8 {
        match self.numbers.get(slot) {
            Some(&number) if number > 0 && self.written >> (number - 1) & 1 == 0 => number,
            _ => 0,
        }
    }
}

/// Recorder of a step's use of dice. Copies share one record: the world under record has one, and the memory of the
/// interpreter, whose values may be dice that the world lent.
#[derive(Debug, Clone, Default)]
pub struct DiceRecorder(Arc<Mutex<AccessLog>>);

impl DiceRecorder {
    fn with<T>(&self, f: impl FnOnce(&mut AccessLog) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// From now on these slots are watched, by their places among the world's slots; their numbers are their
    /// places in this list, of [`MOST`] at most. Nothing is seen yet.
    pub fn watch(&self, slots: &[usize]) {
        self.with(|log| {
            let last = slots.iter().max().map_or(0, |s| s + 1);
            log.numbers.clear();
            log.numbers.resize(last, 0);
            for (number, &slot) in slots.iter().take(MOST).enumerate() {
                log.numbers[slot] = number as u8 + 1;
            }
            log.looks = vec![DiceRead::NOTHING; MOST + ROLLS];
            log.written = 0;
            log.rolled = 0;
        });
    }

    /// From now on it only notes the first of these slots that is read, by their places among the world's slots.
    pub fn guard(&self, slots: &[usize]) {
        self.with(|log| {
            let last = slots.iter().max().map_or(0, |s| s + 1);
            log.numbers = vec![0; last];
            slots.iter().for_each(|slot| log.numbers[*slot] = 1);
            log.looks = vec![DiceRead::NOTHING; MOST + ROLLS];
            log.guards = true;
        });
    }

    /// Returns the first slot that was read of those that it guards, by its place among the world's slots.
    pub fn first_read(&self) -> Option<usize> {
        self.with(|log| log.first_read)
    }

    /// A run begins, or goes back: these are the slots that it has written so far.
    pub fn set_written(&self, written: u128) {
        self.with(|log| log.written = written);
    }

    /// The slots that the run has written, by their numbers.
    pub fn written(&self) -> u128 {
        self.with(|log| log.written)
    }

    /// Takes the looks at slots since the last call, by the slots' numbers.
    pub fn take(&self) -> Vec<(u8, DiceRead)> {
        self.with(|log| {
            let looks = log.looks.iter_mut().take(MOST).enumerate();
            let looks = looks.map(|(number, look)| (number as u8, std::mem::take(look)));
            looks.filter(|(_, look)| *look != DiceRead::NOTHING).collect()
        })
    }

    /// All watched slots that are not written are looked at, whole.
    pub fn all(&self) {
        self.with(|log| {
            for slot in 0..log.numbers.len() {
                if let Some(number) = log.number(slot).checked_sub(1) {
                    log.looks[number as usize] = DiceRead::WHOLE;
                }
            }
        });
    }

    /// Dice are taken out of a slot: the mark that they bear, 0 when nobody wants to know.
    #[cold]
    pub(super) fn lend(&self, slot: usize) -> LogMark {
        LogMark(self.with(|log| {
            let number = log.number(slot);
            if log.guards && number > 0 {
                log.first_read.get_or_insert(slot);
            }
            number.into()
        }))
    }

    /// The dice that are rolled next are those of this number among the rolls of the run; of others nobody wants to know.
    pub fn roll_is(&self, number: Option<usize>) {
        let number = number.filter(|number| *number < ROLLS);
        self.with(|log| log.rolled = number.map_or(0, |number| (MOST + number + 1) as u8));
    }

    /// The mark of the dice that were just rolled, 0 when nobody wants to know.
    #[cold]
    pub(super) fn rolled(&self) -> LogMark {
        LogMark(self.with(|log| std::mem::take(&mut log.rolled)).into())
    }

    /// Takes the looks at a roll since the last call.
    pub fn take_roll(&self, number: usize) -> DiceRead {
        self.with(|log| {
            let look = log.looks.get_mut(MOST + number);
            look.map(std::mem::take).unwrap_or(DiceRead::WHOLE)
        })
    }

    /// A slot is read.
    #[cold]
    pub(super) fn read(&self, slot: usize, look: DiceRead) {
        self.look_at(self.lend(slot), look);
    }

    /// A slot is written.
    #[cold]
    pub(super) fn write(&self, slot: usize) {
        self.with(|log| {
            if let Some(number) = log.number(slot).checked_sub(1) {
                log.written |= 1 << number;
            }
        });
    }

    /// Dice that bear this mark are looked at.
    #[cold]
    pub fn look_at(&self, mark: LogMark, look: DiceRead) {
        let Some(number) = mark.number().checked_sub(1) else {
            return;
        };
        self.with(|log| {
            if let Some(looks) = log.looks.get_mut(number as usize) {
                *looks = looks.and(mark.in_slot(look));
            }
        });
    }

    /// These slots, by their numbers, are looked at, but for those that the run has written.
    pub fn look_again(&self, slots: &[(u8, DiceRead)]) {
        self.with(|log| {
            for &(number, look) in slots {
                if log.written >> number & 1 == 0 {
                    let looks = &mut log.looks[number as usize];
                    *looks = looks.and(look);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_tells_what_was_asked_and_no_more() {
        let pool = |values: &[i64]| Pool::new(values).expect("a pool");
        let pools = [
            &[][..],
            &[1],
            &[6],
            &[1, 6],
            &[2, 5],
            &[1, 1, 6],
            &[3, 4],
            &[1, 2, 4],
            &[31; 12],
        ];
        type Ask = fn(&Pool) -> i64;
        let second = LogMark(1).without_highest().in_slot(DiceRead::HIGHEST);
        let rest = LogMark(1).without_lowest().in_slot(DiceRead::LOWEST);
        let asks: [(DiceRead, Ask); 8] = [
            (second, |p| {
                100 * p.len() as i64 + p.values().rev().nth(1).unwrap_or(-1)
            }),
            (rest, |p| 100 * p.len() as i64 + p.values().nth(1).unwrap_or(-1)),
            (DiceRead::HIGHEST, |p| p.values().next_back().unwrap_or(-1)),
            (DiceRead::LOWEST, |p| p.values().next().unwrap_or(-1)),
            (DiceRead::TOTAL, |p| p.values().sum()),
            (DiceRead::LEN, |p| p.len() as i64),
            (DiceRead::EMPTY, |p| p.is_empty().into()),
            (DiceRead::shows(1), |p| p.values().any(|v| v == 1).into()),
        ];
        for (one, ask) in asks {
            for (other, also) in asks {
                for (a, b) in pools.iter().flat_map(|a| pools.map(|b| (pool(a), pool(b)))) {
                    let same = (ask(&a), also(&a)) == (ask(&b), also(&b));
                    let both = one.and(other);
                    assert_eq!(both.of(&a) == both.of(&b), same, "{a} and {b}: {both:?}");
                }
            }
        }
        let whole = DiceRead::HIGHEST.and(DiceRead::WHOLE);
        assert_ne!(whole.of(&pool(&[1, 6])), whole.of(&pool(&[2, 6])));
    }
}
