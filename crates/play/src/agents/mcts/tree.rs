//! Parts of a tree of answers: options, their results, and estimates of them in advance.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Value of a won contest in a glance.
pub const WON: f64 = 1e9;
/// Number of throws in a glance at an option that involves dice.
pub const THROWS: u64 = 3;
/// A mean of a few throws lies no further out than this without one, whatever is hinted.
const SEEMS_WON: f64 = WON / (2.0 * THROWS as f64);

/// Keys are hashes already.
#[derive(Default)]
pub struct PrehashedHasher(u64);

impl Hasher for PrehashedHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.0 = mix(self.0, u64::from(*b)));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// By a number that is a hash.
pub type HashedMap<T> = HashMap<u64, T, BuildHasherDefault<PrehashedHasher>>;

/// One number of two.
#[inline]
pub fn mix(one: u64, other: u64) -> u64 {
    let mixed = (one.rotate_left(25) ^ other).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

/// Returns the key of a faction's node for a question, from the answers that it has seen before.
pub fn place(history: u64, question: u64, faction: usize) -> u64 {
    mix(mix(history, question), faction as u64)
}

/// Number of times something was answered, and the sum of its results.
#[derive(Debug, Clone, Copy, Default)]
pub struct ResultSum {
    /// Number of times.
    pub times: f64,
    /// And the sum.
    pub sum: f64,
}

impl ResultSum {
    /// Once more.
    pub fn add(&mut self, value: f64) {
        self.times += 1.0;
        self.sum += value;
    }
}

/// An option: what it came to, and what a glance at it promised.
#[derive(Debug, Clone, Copy)]
pub struct OptionStats {
    /// Identity of the option.
    pub option: u64,
    /// Results of the option.
    pub tried: ResultSum,
    /// Number of won contests among those.
    pub won: f64,
    /// By how much its `worth` lay above the mean of all options, as far as somebody has looked.
    pub hope: Option<f32>,
}

impl OptionStats {
    /// Of this option nothing is known.
    pub fn new(option: u64) -> Self {
        Self {
            option,
            tried: ResultSum::default(),
            won: 0.0,
            hope: None,
        }
    }
}

/// A question: as one faction knows it, in a tree, or wherever it is asked.
#[derive(Default)]
pub struct TreeNode {
    /// Results of all options together.
    pub tried: ResultSum,
    /// The options that were tried or glanced at.
    pub tips: Vec<OptionStats>,
    /// Whether they were glanced at.
    pub glanced: bool,
}

impl TreeNode {
    /// Returns the index of an option among the tips. The tips are mostly in the order of the options, so the search
    /// begins behind the last one found.
    pub fn find(&self, option: u64, behind: &mut usize) -> Option<usize> {
        let is = |tip: &OptionStats| tip.option == option;
        let from = (*behind).min(self.tips.len());
        let found = self.tips[from..].iter().position(is).map(|at| from + at);
        let found = found.or_else(|| self.tips[..from].iter().position(is))?;
        *behind = found + 1;
        Some(found)
    }

    /// The same, where it comes to be one of them.
    pub fn find_or_add(&mut self, option: u64) -> usize {
        self.find(option, &mut 0).unwrap_or_else(|| {
            self.tips.push(OptionStats::new(option));
            self.tips.len() - 1
        })
    }

    /// Sets the estimates of options from a glance.
    pub fn hope(&mut self, worths: &[(u64, f64)]) {
        let middle = middle_of(worths);
        for (option, worth) in worths {
            let tip = self.find_or_add(*option);
            self.tips[tip].hope = Some((worth - middle) as f32);
        }
    }

    /// One of them came to this once more.
    pub fn add(&mut self, tip: u32, value: f64, won: f64) {
        self.tried.add(value);
        if let Some(tip) = self.tips.get_mut(tip as usize) {
            tip.tried.add(value);
            tip.won += won;
        }
    }
}

/// Checks that a value is not decided by a win or a loss in some of the throws, since such values are no measure of the
/// others.
pub fn is_judged(worth: f64) -> bool {
    worth.abs() < SEEMS_WON
}

/// The mean of what options are worth.
pub fn middle_of(worths: &[(u64, f64)]) -> f64 {
    let judged = || worths.iter().map(|w| w.1).filter(|w| is_judged(*w));
    judged().sum::<f64>() / judged().count().max(1) as f64
}
