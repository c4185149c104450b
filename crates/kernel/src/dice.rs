//! Keyed dice: every roll is a pure function of what it is a roll for.
//!
//! The generator is keyed by (seed, game, round, step, faction, label, nth within the step) and
//! never by how many rolls came before, so a tweak that adds a roll does not shift the others.
//! The mixing function is SplitMix64 (Steele, Lea, Flood 2014); golden values pin it.

use rand::{RngExt, TryRng};
use std::convert::Infallible;
use std::sync::Arc;

/// The most dice one pool holds.
pub const MAX_DICE: usize = 100;
/// The most sides a die has.
pub const MAX_SIDES: i64 = 1_000;
/// The most dice that a slot holds.
pub const MAX_SLOT_DICE: usize = 12;
/// The most that a die in a slot shows (5 bits a die).
pub const MAX_SLOT_SIDES: i64 = 31;

/// A key under construction: mix in what the roll is for, then draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RollKey(u64);

impl RollKey {
    /// The key that all rolls of a seed start from.
    #[inline]
    pub const fn new(seed: u64) -> Self {
        Self(mix(seed ^ 0x72_75_6c_65_62_65_6e_63))
    }

    /// This key with a number mixed in.
    #[inline]
    #[must_use]
    pub const fn with(self, value: u64) -> Self {
        Self(mix(self.0.rotate_left(23) ^ mix(value)))
    }

    /// This key with a text mixed in.
    #[must_use]
    pub const fn with_text(self, text: &str) -> Self {
        self.with(text_hash(text))
    }

    /// The generator of this key.
    #[inline]
    pub const fn generator(self) -> Generator {
        Generator(self.0)
    }

    /// A number in `0..n` (`n` at least 1), the first that the generator draws.
    #[inline]
    pub fn below(self, n: usize) -> usize {
        self.generator().random_range(0..n.max(1))
    }

    /// The same for numbers that a `usize` of 32 bits does not hold: the same number on every machine.
    pub fn below_u64(self, n: u64) -> u64 {
        self.generator().random_range(0..n.max(1))
    }
}

/// FNV-1a, 64 bits: names enter keys as this number.
pub const fn text_hash(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash
}

#[inline]
const fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The stream of numbers of one key.
#[derive(Debug, Clone)]
pub struct Generator(u64);

impl TryRng for Generator {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.try_next_u64()? >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let drawn = mix(self.0);
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        Ok(drawn)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            let drawn = self.try_next_u64()?.to_le_bytes();
            chunk.copy_from_slice(&drawn[..chunk.len()]);
        }
        Ok(())
    }
}

/// Dice on the table, sorted from low to high: equal dice cannot be told apart. At most [`MAX_DICE`] dice that show
/// 0 to [`MAX_SIDES`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pool(PoolRepr);

/// Dice of a pool. Dice that fit into a slot are one word: at most [`MAX_SLOT_DICE`] dice of at most
/// [`MAX_SLOT_SIDES`], packed 5 bits each above a 4-bit count. Other dice are a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum PoolRepr {
    Few(u64),
    Many(Arc<Vec<u16>>),
}

impl Default for Pool {
    #[inline]
    fn default() -> Self {
        Self(PoolRepr::Few(0))
    }
}

impl Pool {
    /// A pool of these values, which it sorts; `None` when they are too many or out of range.
    pub fn new(values: &[i64]) -> Option<Self> {
        if values.len() > MAX_SLOT_DICE || values.iter().any(|v| !(0..=MAX_SLOT_SIDES).contains(v)) {
            return Self::many(values);
        }
        let mut sorted = [0i64; MAX_SLOT_DICE];
        let sorted = &mut sorted[..values.len()];
        sorted.copy_from_slice(values);
        sorted.sort_unstable();
        let packed = sorted
            .iter()
            .rev()
            .fold(0u64, |packed, &v| packed << 5 | v as u64);
        Some(Self(PoolRepr::Few(packed << 4 | values.len() as u64)))
    }

    #[cold]
    fn many(values: &[i64]) -> Option<Self> {
        if values.len() > MAX_DICE || values.iter().any(|v| !(0..=MAX_SIDES).contains(v)) {
            return None;
        }
        let mut sorted: Vec<u16> = values.iter().map(|v| *v as u16).collect();
        sorted.sort_unstable();
        Some(Self(PoolRepr::Many(Arc::new(sorted))))
    }

    /// Rolls `dice` dice of `sides` sides under a key; the caller has checked both limits.
    pub fn roll(key: RollKey, dice: usize, sides: i64) -> Self {
        let mut generator = key.generator();
        let mut values = [0i64; MAX_DICE];
        let values = &mut values[..dice.min(MAX_DICE)];
        for value in values.iter_mut() {
            *value = generator.random_range(1..=sides.clamp(1, MAX_SIDES));
        }
        Self::new(values).unwrap_or_default()
    }

    /// The pool as a slot stores it, no dice are 0; `None` when no slot can hold it.
    #[inline]
    pub const fn stored(&self) -> Option<i64> {
        match self.0 {
            PoolRepr::Few(packed) => Some(packed.cast_signed()),
            PoolRepr::Many(_) => None,
        }
    }

    /// The pool that a slot stores; what is none holds no dice.
    #[inline]
    pub const fn from_stored(value: i64) -> Self {
        let packed = value.cast_unsigned();
        let none = (packed & 15) as usize > MAX_SLOT_DICE;
        Self(PoolRepr::Few(if none { 0 } else { packed }))
    }

    /// Returns the number of dice.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            PoolRepr::Few(packed) => (packed & 15) as usize,
            PoolRepr::Many(values) => values.len(),
        }
    }

    /// Whether there are no dice.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The `index`-th lowest die, from 0.
    #[inline]
    pub fn get(&self, index: usize) -> Option<i64> {
        match &self.0 {
            PoolRepr::Few(packed) => {
                (index < (packed & 15) as usize).then(|| (packed >> (4 + 5 * index) & 31) as i64)
            }
            PoolRepr::Many(values) => values.get(index).map(|&value| value.into()),
        }
    }

    /// The dice from low to high.
    #[inline]
    pub fn values(&self) -> impl DoubleEndedIterator<Item = i64> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The pool without one die of that value, if it has one.
    pub fn without(&self, value: i64) -> Option<Self> {
        let mut values: Vec<i64> = self.values().collect();
        let at = values.iter().position(|&v| v == value)?;
        values.remove(at);
        Self::new(&values)
    }

    /// The pool with one die of that value raised by so much, to `most` at most; `None` when no die
    /// shows the value, or none can show what it would be. A die above `most` stays as it is.
    pub fn raised(&self, value: i64, by: i64, most: i64) -> Option<Self> {
        let raised = value.saturating_add(by).min(most.max(value));
        self.without(value)?.with(raised)
    }

    /// The pool with one more die, if there is room for it.
    pub fn with(&self, value: i64) -> Option<Self> {
        let values: Vec<i64> = self.values().chain([value]).collect();
        Self::new(&values)
    }
}

impl std::fmt::Display for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, value) in self.values().enumerate() {
            write!(f, "{}{value}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl Pool {
    /// A pool as users write it: numbers between blanks or commas, or `none`.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "none" {
            return Some(Self::default());
        }
        let numbers = text
            .split([' ', ',', '\t'])
            .filter(|number| !number.is_empty())
            .map(str::parse);
        let values: Vec<i64> = numbers.collect::<Result<_, _>>().ok()?;
        if values.is_empty() {
            None
        } else {
            Self::new(&values)
        }
    }

    /// The pool in one word of text, as [`Self::parse`] reads it: `2,3,6`, or `none`.
    pub fn word(&self) -> String {
        match self.is_empty() {
            true => "none".to_owned(),
            false => self.to_string().replace(' ', ","),
        }
    }

    /// The pool in a sentence: `dice 2 3 6`, or `no dice`.
    pub fn sentence(&self) -> String {
        match self.is_empty() {
            true => "no dice".to_owned(),
            false => format!("dice {self}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_values_pin_the_generator() {
        let key = RollKey::new(7)
            .with(1)
            .with(3)
            .with_text("red activates red.scouts1");
        let pool = Pool::roll(key, 6, 6);
        let mut generator = key.generator();
        let drawn: Vec<u64> = (0..3).map(|_| rand::Rng::next_u64(&mut generator)).collect();
        let d6: Vec<usize> = (0..12).map(|n| key.with(n).below(6)).collect();
        insta::assert_snapshot!(format!("{drawn:?}\n{pool}\n{d6:?}"));
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn wide_numbers_are_those_of_a_wide_usize() {
        for n in 0..1000 {
            let (key, most) = (RollKey::new(5).with(n), (1 << 53) + n);
            assert_eq!(key.below_u64(most), key.below(most as usize) as u64);
            assert_eq!(key.below_u64(u64::MAX), key.below(usize::MAX) as u64);
        }
    }

    #[test]
    fn every_face_comes_up_about_as_often() {
        let mut counts = [0u32; 6];
        for n in 0..60_000 {
            counts[RollKey::new(1).with(n).below(6)] += 1;
        }
        assert!(counts.iter().all(|c| (9_600..10_400).contains(c)), "{counts:?}");
    }

    #[test]
    fn pools_are_sorted_and_bounded() {
        let pool = Pool::new(&[6, 1, 3]).expect("in range");
        assert_eq!(pool.values().collect::<Vec<_>>(), [1, 3, 6]);
        assert_eq!(pool.without(3).expect("there").to_string(), "1 6");
        assert_eq!(pool.with(2).expect("room").to_string(), "1 2 3 6");
        assert!(pool.without(5).is_none() && Pool::new(&[MAX_SIDES + 1]).is_none());
        assert!(Pool::new(&[1; MAX_DICE + 1]).is_none() && Pool::new(&[-1]).is_none());
    }

    /// A pool has one form, whatever it came from.
    #[test]
    fn many_dice_are_a_pool_like_few() {
        let most = Pool::new(&[MAX_SIDES; MAX_DICE]).expect("in range");
        assert_eq!((most.len(), most.stored()), (MAX_DICE, None));
        assert!(most.with(1).is_none());
        let thirteen = Pool::new(&[3; MAX_SLOT_DICE + 1]).expect("in range");
        assert_eq!(thirteen.without(3), Pool::new(&[3; MAX_SLOT_DICE]));
        assert_eq!(
            Pool::new(&[3; MAX_SLOT_DICE]).and_then(|dice| dice.with(3)),
            Some(thirteen)
        );
        let high = Pool::new(&[32, 4, 900]).expect("in range");
        assert_eq!((high.to_string().as_str(), high.get(2)), ("4 32 900", Some(900)));
        assert_eq!(
            high.raised(900, -890, 6).and_then(|d| d.raised(32, -30, 6)),
            Pool::new(&[2, 4, 10])
        );
        let rolled = Pool::roll(RollKey::new(3), MAX_DICE, MAX_SIDES);
        assert!(rolled.len() == MAX_DICE && rolled.values().is_sorted());
        assert!(rolled.values().all(|die| (1..=MAX_SIDES).contains(&die)));
    }

    #[test]
    fn a_raised_die_stops_at_the_most() {
        let pool = Pool::new(&[2, 5, 5]).expect("in range");
        let raised = |die, by, most| pool.raised(die, by, most).map(|p| p.to_string());
        assert_eq!(raised(5, 1, 6).as_deref(), Some("2 5 6"));
        assert_eq!(raised(5, 3, 6).as_deref(), Some("2 5 6"));
        assert_eq!(raised(5, 1, 4).as_deref(), Some("2 5 5"));
        assert_eq!(raised(2, -1, 6).as_deref(), Some("1 5 5"));
        assert_eq!(raised(3, 1, 6), None);
        assert_eq!(raised(5, i64::MAX, i64::MAX), None);
        assert_eq!(raised(2, i64::MIN, 6), None);
    }

    #[test]
    fn pools_are_stored_without_loss() {
        let most = [MAX_SLOT_SIDES; MAX_SLOT_DICE];
        for values in [&[][..], &[4], &[1, 2, 6], &most] {
            let pool = Pool::new(values).expect("in range");
            assert_eq!(pool.stored().map(Pool::from_stored), Some(pool));
        }
        assert_eq!(Pool::from_stored(-1), Pool::default());
    }

    #[test]
    fn pools_are_written_without_loss() {
        let most = Pool::new(&[MAX_SIDES; MAX_DICE]);
        for pool in [
            Some(Pool::default()),
            Pool::new(&[4]),
            Pool::new(&[1, 2, 6]),
            most,
        ] {
            let pool = pool.expect("in range");
            assert_eq!(Pool::parse(&pool.word()), Some(pool));
        }
        assert_eq!(Pool::parse("6 2  3"), Pool::new(&[2, 3, 6]));
        for wrong in ["", ",", "2;3", "1001", "-1", "six"] {
            assert_eq!(Pool::parse(wrong), None, "{wrong}");
        }
    }
}
