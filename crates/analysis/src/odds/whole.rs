//! Whole numbers of any size, quick while they are small.

use num_bigint::BigUint;
use std::fmt;

/// A whole number from 0 on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum WholePhase {
    /// One that fits.
    Small(u128),
    /// One that does not, and so is larger than those that do.
    Big(BigUint),
}

impl WholePhase {
    /// Nothing.
    pub const ZERO: Self = WholePhase::Small(0);
    /// One.
    pub const ONE: Self = WholePhase::Small(1);

    fn big(&self) -> BigUint {
        match self {
            WholePhase::Small(n) => BigUint::from(*n),
            WholePhase::Big(n) => n.clone(),
        }
    }

    fn fitted(number: BigUint) -> Self {
        match u128::try_from(&number) {
            Ok(small) => WholePhase::Small(small),
            Err(_) => WholePhase::Big(number),
        }
    }

    /// Whether it is nothing.
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        if let (WholePhase::Small(a), WholePhase::Small(b)) = (self, other)
            && let Some(sum) = a.checked_add(*b)
        {
            return WholePhase::Small(sum);
        }
        Self::fitted(self.big() + other.big())
    }

    /// The difference; nothing when the other is larger.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        match (self, other) {
            (WholePhase::Small(a), WholePhase::Small(b)) => WholePhase::Small(a.saturating_sub(*b)),
            _ if *self <= *other => Self::ZERO,
            _ => Self::fitted(self.big() - other.big()),
        }
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        if let (WholePhase::Small(a), WholePhase::Small(b)) = (self, other)
            && let Some(product) = a.checked_mul(*b)
        {
            return WholePhase::Small(product);
        }
        Self::fitted(self.big() * other.big())
    }

    /// The quotient, rounded down, and the remainder; the other is not nothing.
    fn divided(&self, other: &Self) -> (Self, Self) {
        if let (WholePhase::Small(a), WholePhase::Small(b)) = (self, other) {
            return (
                WholePhase::Small(a.checked_div(*b).unwrap_or(0)),
                WholePhase::Small(a.checked_rem(*b).unwrap_or(0)),
            );
        }
        let (a, b) = (self.big(), other.big());
        (Self::fitted(&a / &b), Self::fitted(a % b))
    }

    /// The quotient, rounded down; the other is not nothing.
    #[must_use]
    pub fn over(&self, other: &Self) -> Self {
        self.divided(other).0
    }

    /// The largest number that divides both.
    #[must_use]
    pub fn common(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        while !b.is_zero() {
            let rest = a.divided(&b).1;
            a = std::mem::replace(&mut b, rest);
        }
        a
    }

    /// The smallest number that both divide; neither is nothing.
    #[must_use]
    pub fn multiple(&self, other: &Self) -> Self {
        if self.divided(other).1.is_zero() {
            return self.clone();
        }
        self.over(&self.common(other)).times(other)
    }

    /// Roughly this number.
    pub fn approximate(&self) -> f64 {
        match self {
            WholePhase::Small(n) => *n as f64,
            // Digits are read as they are written; what is too large is infinite.
            WholePhase::Big(n) => n.to_string().parse().unwrap_or(f64::INFINITY),
        }
    }

    /// Roughly this number over another, however large both are; 0 over nothing.
    pub fn ratio(&self, other: &Self) -> f64 {
        if other.is_zero() {
            return 0.0;
        }
        if let (WholePhase::Small(a), WholePhase::Small(b)) = (self, other) {
            return *a as f64 / *b as f64;
        }
        // Eighteen digits behind the point are more than a float holds.
        let scale = WholePhase::Small(1_000_000_000_000_000_000);
        self.times(&scale).over(other).approximate() / scale.approximate()
    }
}

impl From<u64> for WholePhase {
    fn from(number: u64) -> Self {
        WholePhase::Small(number.into())
    }
}

impl fmt::Display for WholePhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WholePhase::Small(n) => n.fmt(f),
            WholePhase::Big(n) => n.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_becomes_big_and_small_again() {
        let most = WholePhase::Small(u128::MAX);
        let more = most.plus(&WholePhase::ONE);
        assert_eq!(more.to_string(), "340282366920938463463374607431768211456");
        assert!(matches!(more, WholePhase::Big(_)) && more > most);
        assert_eq!(more.minus(&WholePhase::ONE), most);
        assert_eq!(most.minus(&more), WholePhase::ZERO);
        let square = most.times(&most);
        assert_eq!(square.over(&most), most);
        assert_eq!(square.common(&more.times(&most)), most);
        assert_eq!(square.ratio(&square), 1.0);
        assert_eq!(most.ratio(&square), 0.0);
    }

    #[test]
    fn common_parts_and_multiples() {
        let number = |n: u64| WholePhase::from(n);
        assert_eq!(number(36).common(&number(60)), number(12));
        assert_eq!(number(36).multiple(&number(60)), number(180));
        assert_eq!(number(36).multiple(&number(6)), number(36));
        assert_eq!(number(6).multiple(&number(36)), number(36));
        assert_eq!(number(0).common(&number(6)), number(6));
    }
}
