//! Chances: what could come of something, each weighted, over one common denominator.

use super::whole::WholePhase;
use std::cmp::Ordering;
use std::sync::Arc;

/// Chances of outcomes: classes of outcomes by their numbers, each with its weight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chances {
    /// The sum of all weights; never 0.
    pub total: WholePhase,
    /// Each class that can come, by its number, with its weight; sorted by class.
    pub parts: Vec<(u32, WholePhase)>,
    /// Range of the mean of each faction's goal, if not everything is explored.
    pub bounds: Option<Bounds>,
}

/// For each faction the least and the most of the sum of weight times goal, each goal counted from the least that it
/// can be.
pub type Bounds = Box<[(WholePhase, WholePhase)]>;

/// Past so large a total, weights are reduced when they are mixed.
const LARGE: u128 = 1 << 80;

impl Chances {
    /// One class, for sure.
    pub fn sure(class: u32) -> Self {
        Self {
            total: WholePhase::ONE,
            parts: vec![(class, WholePhase::ONE)],
            bounds: None,
        }
    }

    /// Returns the chances of one of these taken at random, in proportion to the weights; there must be at least one.
    /// All have bounds or none.
    pub fn mixed<'a>(of: impl Iterator<Item = (u64, &'a Chances)> + Clone) -> Self {
        let mut common = WholePhase::ONE;
        let mut weights = WholePhase::ZERO;
        for (weight, chances) in of.clone() {
            if chances.total != common {
                common = common.multiple(&chances.total);
            }
            weights = weights.plus(&weight.into());
        }
        let mut parts: Vec<(u32, WholePhase)> = Vec::new();
        let mut bounds: Option<Bounds> = None;
        for (weight, chances) in of {
            let mut factor = WholePhase::from(weight);
            if chances.total != common {
                factor = factor.times(&common.over(&chances.total));
            }
            for (class, part) in &chances.parts {
                let part = part.times(&factor);
                match parts.binary_search_by_key(class, |p| p.0) {
                    Ok(at) => parts[at].1 = parts[at].1.plus(&part),
                    Err(at) => parts.insert(at, (*class, part)),
                }
            }
            if let Some(more) = &chances.bounds {
                let none = || vec![(WholePhase::ZERO, WholePhase::ZERO); more.len()].into();
                for (sum, (low, high)) in bounds.get_or_insert_with(none).iter_mut().zip(more) {
                    sum.0 = sum.0.plus(&low.times(&factor));
                    sum.1 = sum.1.plus(&high.times(&factor));
                }
            }
        }
        let mut mixed = Self {
            total: common.times(&weights),
            parts,
            bounds,
        };
        if mixed.total > WholePhase::Small(LARGE) {
            mixed.reduce();
        }
        mixed
    }

    /// The weight of a class, if it can come.
    pub fn part(&self, class: u32) -> Option<&WholePhase> {
        let at = self.parts.binary_search_by_key(&class, |p| p.0).ok()?;
        Some(&self.parts[at].1)
    }

    /// Returns the minimum chance of each class over these; there must be at least one. The rest is of the class
    /// `left`.
    pub fn at_least(of: &[Arc<Self>], left: u32) -> Self {
        let total = of
            .iter()
            .fold(WholePhase::ONE, |total, c| total.multiple(&c.total));
        let weight = |chances: &Self, class: u32| {
            let part = chances.part(class).cloned().unwrap_or(WholePhase::ZERO);
            part.times(&total.over(&chances.total))
        };
        let classes = of[0].parts.iter().map(|p| p.0).filter(|class| *class != left);
        let least = classes.filter_map(|class| {
            let least = of.iter().map(|chances| weight(chances, class)).min()?;
            (least > WholePhase::ZERO).then_some((class, least))
        });
        let mut parts: Vec<(u32, WholePhase)> = least.collect();
        let known = parts
            .iter()
            .fold(WholePhase::ZERO, |sum, (_, part)| sum.plus(part));
        if known < total {
            parts.push((left, total.minus(&known)));
            parts.sort_by_key(|p| p.0);
        }
        Self {
            total,
            parts,
            bounds: None,
        }
    }

    /// Divides all weights by what divides all of them.
    pub fn reduce(&mut self) {
        let parts = self.parts.iter().map(|(_, part)| part);
        let bounds = self.bounds.iter().flatten().flat_map(|(low, high)| [low, high]);
        let common = parts
            .chain(bounds)
            .fold(self.total.clone(), |common, part| common.common(part));
        if common > WholePhase::ONE {
            self.total = self.total.over(&common);
            let parts = self.parts.iter_mut().map(|(_, part)| part);
            let bounds = self.bounds.iter_mut().flatten();
            for part in parts.chain(bounds.flat_map(|(low, high)| [low, high])) {
                *part = part.over(&common);
            }
        }
    }

    /// The sum over all classes of weight times value, as what is above and what is below 0.
    pub fn sum(&self, value: impl Fn(u32) -> i64) -> (WholePhase, WholePhase) {
        let mut sums = (WholePhase::ZERO, WholePhase::ZERO);
        for (class, part) in &self.parts {
            let value = value(*class);
            let product = part.times(&value.unsigned_abs().into());
            if value < 0 {
                sums.1 = sums.1.plus(&product);
            } else {
                sums.0 = sums.0.plus(&product);
            }
        }
        sums
    }

    /// The first of these of which the mean of a value is largest; there is at least one.
    pub fn best<'a>(of: impl Iterator<Item = &'a Arc<Self>>, value: impl Fn(u32) -> i64) -> usize {
        let mut best: Option<(usize, &Arc<Self>)> = None;
        for (at, this) in of.enumerate() {
            let better = |(_, most): (usize, &Arc<Self>)| {
                !Arc::ptr_eq(this, most) && this.compare(most, &value).is_gt()
            };
            if best.is_none_or(better) {
                best = Some((at, this));
            }
        }
        best.map_or(0, |(at, _)| at)
    }

    /// Compares the means that a value has under two distributions.
    pub fn compare(&self, other: &Self, value: impl Fn(u32) -> i64) -> Ordering {
        let (above, below) = self.sum(&value);
        let (others_above, others_below) = other.sum(&value);
        let left = above.times(&other.total).plus(&others_below.times(&self.total));
        let right = others_above.times(&self.total).plus(&below.times(&other.total));
        left.cmp(&right)
    }
}

/// An exact fraction, below 0 or not; kept in lowest terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fraction {
    /// Whether it is below 0.
    pub negative: bool,
    /// Numerator.
    pub above: WholePhase,
    /// Denominator; never 0.
    pub below: WholePhase,
}

impl Fraction {
    /// `above / below`; `below` is not 0.
    pub fn new(above: &WholePhase, below: &WholePhase) -> Self {
        Self::of_sums((above.clone(), WholePhase::ZERO), below)
    }

    /// Returns the first sum minus the second, divided by `below`, which must not be 0.
    pub fn of_sums((plus, minus): (WholePhase, WholePhase), below: &WholePhase) -> Self {
        let negative = minus > plus;
        let above = if negative {
            minus.minus(&plus)
        } else {
            plus.minus(&minus)
        };
        let common = above.common(below);
        Self {
            negative,
            above: above.over(&common),
            below: below.over(&common),
        }
    }

    /// The sum with another that is not below 0, if this one is not.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let above = self
            .above
            .times(&other.below)
            .plus(&other.above.times(&self.below));
        Self::new(&above, &self.below.times(&other.below))
    }

    /// Roughly this number.
    pub fn approximate(&self) -> f64 {
        let size = self.above.ratio(&self.below);
        if self.negative { -size } else { size }
    }

    /// With four digits behind the point, rounded up or down.
    pub fn rounded(&self, up: bool) -> String {
        let scale = WholePhase::from(10_000);
        let scaled = self.above.times(&scale);
        let mut size = scaled.over(&self.below);
        if up != self.negative && size.times(&self.below) != scaled {
            size = size.plus(&WholePhase::ONE);
        }
        let (whole, rest) = (size.over(&scale), size.minus(&size.over(&scale).times(&scale)));
        let sign = if self.negative && !size.is_zero() { "-" } else { "" };
        format!("{sign}{whole}.{:0>4}", rest.to_string())
    }

    /// In per cent, with two digits behind the point where it is not whole; what is not 0 or 100 is
    /// not written so.
    pub fn per_cent(&self) -> String {
        let hundred = self.above.times(&WholePhase::from(100));
        let whole = hundred.over(&self.below);
        let sign = if self.negative { "-" } else { "" };
        if whole.times(&self.below) == hundred {
            return format!("{sign}{whole} %");
        }
        per_cent(self.approximate() * 100.0)
    }
}

/// A share in per cent that is not whole.
pub fn per_cent(share: f64) -> String {
    let text = format!("{share:.2}");
    match text.as_str() {
        "0.00" | "-0.00" => "<0.01 %".to_owned(),
        "100.00" if share < 100.0 => ">99.99 %".to_owned(),
        _ => format!("{text} %"),
    }
}

impl std::fmt::Display for Fraction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.negative {
            f.write_str("-")?;
        }
        self.above.fmt(f)?;
        if self.below != WholePhase::ONE {
            write!(f, "/{}", self.below)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_keeps_one_denominator() {
        let (a, b) = (Chances::sure(0), Chances::sure(1));
        let half = Chances::mixed([(1, &a), (1, &b)].into_iter());
        let mut third = Chances::mixed([(2, &half), (1, &b)].into_iter());
        third.reduce();
        assert_eq!(third.total, WholePhase::from(3));
        assert_eq!(third.parts, [(0, WholePhase::from(1)), (1, WholePhase::from(2))]);
    }

    #[test]
    fn what_comes_at_least_comes_of_each() {
        let sure: Vec<Arc<Chances>> = (0..4).map(|class| Arc::new(Chances::sure(class))).collect();
        let mix = |parts: [u64; 3]| {
            let parts = parts.into_iter().zip(&sure).filter(|(weight, _)| *weight > 0);
            Arc::new(Chances::mixed(
                parts.map(|(weight, chances)| (weight, chances.as_ref())),
            ))
        };
        // Class 3 is what is left: a quarter of the first at least, a sixth of the second, none of the third.
        let least = Chances::at_least(&[mix([1, 3, 0]), mix([4, 1, 1])], 3);
        let part = |class: u32| {
            Fraction::new(least.part(class).unwrap_or(&WholePhase::ZERO), &least.total).to_string()
        };
        assert_eq!([0, 1, 2, 3].map(part), ["1/4", "1/6", "0", "7/12"]);
        // Where something is left in one, that is no chance of its own.
        let left = Chances::at_least(&[Arc::clone(&sure[3]), mix([1, 1, 0])], 3);
        assert_eq!(left.part(3), Some(&left.total));
        let same = Chances::at_least(&[mix([1, 1, 0]), mix([1, 1, 0])], 3);
        assert_eq!((same.part(3), same.parts.len()), (None, 2));
    }

    #[test]
    fn means_are_compared_exactly() {
        let (a, b) = (Chances::sure(0), Chances::sure(1));
        let half = Chances::mixed([(1, &a), (1, &b)].into_iter());
        let value = |class: u32| [-3, 5][class as usize];
        assert_eq!(half.compare(&a, value), Ordering::Greater);
        assert_eq!(half.compare(&half, value), Ordering::Equal);
        assert_eq!(Fraction::of_sums(half.sum(value), &half.total).to_string(), "1");
        assert_eq!(Fraction::of_sums(a.sum(value), &a.total).to_string(), "-3");
    }

    #[test]
    fn shares_are_not_rounded_to_what_they_are_not() {
        let share = |above: u64, below: u64| Fraction::new(&above.into(), &below.into()).per_cent();
        assert_eq!(share(1, 3), "33.33 %");
        assert_eq!(share(1, 2), "50 %");
        assert_eq!(share(1, 1_000_000), "<0.01 %");
        assert_eq!(share(999_999, 1_000_000), ">99.99 %");
        assert_eq!((share(0, 7), share(7, 7)), ("0 %".to_owned(), "100 %".to_owned()));
    }
}
