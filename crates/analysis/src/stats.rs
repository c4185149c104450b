//! Numbers with what they may be off by: the one place for intervals, tests and sample sizes.
//!
//! Quantiles are the crate `statrs`'s; formulas name their source.

use crate::reports::Cell;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Confidence level of intervals.
pub const SURE: f64 = 0.95;
/// Probability that a difference is detected (power), for stated numbers of games.
pub const POWER: f64 = 0.8;

/// Returns the quantile of the standard normal distribution: the value with this share below it.
pub fn z(share: f64) -> f64 {
    Normal::standard().inverse_cdf(share)
}

/// Returns the number of standard deviations on either side of the mean that hold 95 %.
pub fn z_sure() -> f64 {
    z(0.5 + SURE / 2.0)
}

/// The same where the deviation is estimated from so many.
fn t_sure(count: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, count - 1.0) {
        Ok(t) if count < 1000.0 => t.inverse_cdf(0.5 + SURE / 2.0),
        _ => z_sure(),
    }
}

/// Returns the two-sided p-value of a value with this standard error, estimated from `count` samples.
fn p_of(value: f64, error: f64, count: f64) -> f64 {
    let far = value.abs() / error;
    let below = match StudentsT::new(0.0, 1.0, count - 1.0) {
        Ok(t) if count < 1000.0 => t.cdf(-far),
        _ => Normal::standard().cdf(-far),
    };
    2.0 * below
}

/// Maximum rounding error of sums of fractions.
const ROUNDING: f64 = 1e-7;

/// A standard error of a number, never without doubt: what was the same in all of so many pairings gets one pairing more
/// each way that differs by as much as the number is, and by one at least. About as far as the rule of three goes for what
/// was never seen (J. A. Hanley and A. Lippman-Hand, JAMA 249, 1983).
fn doubted(error: f64, value: f64, count: f64) -> f64 {
    match error <= value.abs() * ROUNDING {
        true => error.max(value.abs().max(1.0) * (2.0 / (count + 1.0) / (count + 2.0)).sqrt()),
        false => error,
    }
}

/// Returns the half-width of the 95 % interval of a mean with this standard error over `count` samples; never 0.
pub fn reach(mean: f64, error: f64, count: f64) -> f64 {
    t_sure(count) * doubted(error, mean, count)
}

/// From where to where something lies with 95 % certainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// At least.
    pub low: f64,
    /// At most.
    pub high: f64,
}

impl Interval {
    /// So far around a middle.
    pub fn around(middle: f64, half: f64) -> Self {
        Self {
            low: middle - half,
            high: middle + half,
        }
    }

    /// Whether a number lies in it.
    pub fn holds(&self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }
}

impl From<Interval> for Cell {
    fn from(interval: Interval) -> Self {
        Self::Interval(interval.low, interval.high, 2)
    }
}

/// Wilson's interval for a share: `(count + z^2/2 +- z sqrt(count (n - count) / n + z^2/4)) / (n + z^2)`
/// (E. B. Wilson, JASA 22, 1927). Halves count.
pub fn wilson(count: f64, of: f64) -> Interval {
    if of <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (z, share) = (z_sure(), count / of);
    let square = z * z;
    let middle = (share + square / (2.0 * of)) / (1.0 + square / of);
    let half = z / (1.0 + square / of) * (share * (1.0 - share) / of + square / (4.0 * of * of)).sqrt();
    Interval {
        low: if count > 0.0 { middle - half } else { 0.0 },
        high: if count < of { middle + half } else { 1.0 },
    }
}

/// Sums over seeds: for each arm a count and its divisor. Their ratio is the value of a measure in that arm. Memory does
/// not grow with the number of seeds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SeedSums {
    count: f64,
    sums: Vec<f64>,
    /// By rows, as long as the sums.
    products: Vec<f64>,
    /// Number of seeds with a divisor, by arm; other seeds say nothing about the arm.
    held: Vec<f64>,
}

/// A value with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// Number of seeds, or of groups of seeds, that it is estimated from.
    pub count: f64,
    /// Standard error; never 0 for a value that more seeds could change.
    error: f64,
    /// Standard error as the seeds show it.
    spread: f64,
}

/// The values of a measure in two arms, or two weighted sums of arms, with the difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contrast {
    /// Value in the first arm.
    pub base: f64,
    /// Value in the second arm.
    pub with: f64,
    /// Value in the second arm minus the value in the first, paired by seed.
    pub change: Estimate,
}

impl SeedSums {
    /// Adds one seed: for each arm the count and its divisor.
    pub fn add(&mut self, entry: &[f64]) {
        if self.sums.len() < entry.len() {
            self.sums = vec![0.0; entry.len()];
            self.products = vec![0.0; entry.len() * entry.len()];
        }
        self.count += 1.0;
        self.held.resize(self.sums.len() / 2, 0.0);
        for (held, of) in self.held.iter_mut().zip(entry.chunks(2)) {
            *held += f64::from(of.get(1).is_some_and(|divisor| *divisor != 0.0));
        }
        let rows = self.products.chunks_mut(entry.len());
        for ((sum, row), x) in self.sums.iter_mut().zip(rows).zip(entry) {
            *sum += x;
            if *x != 0.0 {
                row.iter_mut()
                    .zip(entry)
                    .for_each(|(product, y)| *product += x * y);
            }
        }
    }

    /// Returns the same seeds with the same divisors, in which nothing was counted.
    #[must_use]
    pub fn with_nothing_counted(&self) -> Self {
        let mut new = self.clone();
        let wide = self.sums.len();
        new.sums.iter_mut().step_by(2).for_each(|sum| *sum = 0.0);
        for (index, product) in new.products.iter_mut().enumerate() {
            if (index / wide).is_multiple_of(2) || (index % wide).is_multiple_of(2) {
                *product = 0.0;
            }
        }
        new
    }

    /// Returns the number of seeds in which an arm has a divisor.
    pub fn count_of(&self, arm: usize) -> f64 {
        self.held.get(arm).copied().unwrap_or(0.0)
    }

    /// Returns the sum of an arm's divisors.
    pub fn over(&self, arm: usize) -> f64 {
        self.sums.get(2 * arm + 1).copied().unwrap_or(0.0)
    }

    /// Returns the value of an arm; `None` if nothing is counted.
    pub fn mean(&self, arm: usize) -> Option<f64> {
        let over = self.over(arm);
        Some(self.sums.get(2 * arm).filter(|_| over > 0.0)? / over)
    }

    /// Returns the weighted sum of the arms' values and its gradient, by the delta method for ratios of means (W. G.
    /// Cochran, Sampling Techniques, 1977, chapter 6). `None` if an arm with a weight has no divisor.
    fn weighted(&self, weights: &[f64]) -> Option<(f64, Vec<f64>)> {
        let mut gradient = vec![0.0; self.sums.len()];
        let mut value = 0.0;
        for (arm, weight) in weights.iter().enumerate().filter(|(_, w)| **w != 0.0) {
            let (a, b) = (*self.sums.get(2 * arm)?, self.over(arm));
            if b <= 0.0 || self.count < 2.0 {
                return None;
            }
            let mean = b / self.count;
            value += weight * a / b;
            gradient[2 * arm] = weight / mean;
            gradient[2 * arm + 1] = -weight * a / b / mean;
        }
        Some((value, gradient))
    }

    /// Returns the sum of squares of the seeds' shares in what the gradient says, as if there were only `n` seeds: those
    /// that say something. `None` for fewer than two.
    fn squares(&self, gradient: &[f64], n: f64) -> Option<f64> {
        if n < 2.0 {
            return None;
        }
        let rows = self.products.chunks(gradient.len());
        let rows = gradient.iter().zip(&self.sums).zip(rows);
        let mut sum = 0.0;
        for ((gi, si), row) in rows.filter(|((gi, _), _)| **gi != 0.0) {
            for ((gj, sj), product) in gradient.iter().zip(&self.sums).zip(row) {
                sum += gi * gj * (product - si * sj / self.count);
            }
        }
        let scale = n / self.count;
        Some(sum.max(0.0) * (scale * scale))
    }

    /// Returns the standard error of an arm's value.
    fn spread(&self, arm: usize) -> Option<f64> {
        let mut weights = vec![0.0; arm + 1];
        weights[arm] = 1.0;
        let (_, gradient) = self.weighted(&weights)?;
        let n = self.count_of(arm);
        Some((self.squares(&gradient, n)? / (n - 1.0) / n).sqrt())
    }

    /// Returns the number of independent games that would tell as much about an arm's share as its seeds do (E. L. Korn
    /// and B. I. Graubard, Survey Methodology 24, 1998).
    pub fn worth(&self, arm: usize) -> f64 {
        let value = self.mean(arm).unwrap_or(0.0);
        let (spread, n) = (value * (1.0 - value), self.count_of(arm));
        let worth = match self.spread(arm) {
            Some(error) if spread > 1e-12 => spread / (error * error) * n / (n - 1.0),
            _ => n,
        };
        worth.min(self.over(arm))
    }

    /// Returns the value of an arm with its interval. A share has Wilson's, for as many games as the seeds are worth, but
    /// `most` at most; a number that of the t distribution. `None` if nothing is counted, or a number is known from one
    /// seed only.
    pub fn level(&self, arm: usize, is_share: bool, most: f64) -> Option<Estimate> {
        let (value, count, spread) = (self.mean(arm)?, self.count_of(arm), self.spread(arm));
        if !is_share {
            return Some(Estimate::new(value, spread?, count));
        }
        let of = self.worth(arm).min(most);
        Some(Estimate {
            interval: wilson(value * of, of),
            ..Estimate::new(value, spread.unwrap_or(0.0), count)
        })
    }

    /// Compares two weighted sums of arms, seed by seed: what seeds have in common drops out. The difference of shares
    /// gets one more seed each way, by half, so that it is never certain (A. Agresti and Y. Min, Biometrics 61, 2005);
    /// where seeds count less than one game for an arm, one game more. Only seeds count that have a divisor; `None` if
    /// an arm has fewer than two of them.
    pub fn contrast(&self, base: &[f64], with: &[f64], is_share: bool) -> Option<Contrast> {
        let weights: Vec<f64> = base.iter().zip(with).map(|(b, w)| w - b).collect();
        let (by, gradient) = self.weighted(&weights)?;
        let weighty = || weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        let n = weighty()
            .map(|(arm, _)| self.count_of(arm))
            .fold(self.count, f64::min);
        let squares = self.squares(&gradient, n)?;
        let (base, with) = (self.weighted(base)?.0, self.weighted(with)?.0);
        let spread = (squares / (n - 1.0) / n).sqrt();
        let error = match is_share {
            true => {
                let reach = |(arm, weight): (usize, &f64)| weight.abs() / (self.over(arm) / n).min(1.0);
                let far = weighty().map(reach).sum::<f64>() / 2.0;
                ((squares + far * far) / (n + 1.0) / (n + 2.0)).sqrt()
            }
            // Where both are as large, sums of them are off by as much as sums of one are.
            false if spread <= base.abs().max(with.abs()) * ROUNDING => doubted(0.0, by, n).max(spread),
            false => spread,
        };
        Some(Contrast {
            base,
            with,
            change: Estimate {
                spread,
                ..Estimate::with_error(by, error, n)
            },
        })
    }

    /// Compares two arms, seed by seed.
    pub fn difference(&self, base: usize, with: usize, is_share: bool) -> Option<Contrast> {
        let only = |arm: usize| {
            (0..self.held.len())
                .map(|n| f64::from(n == arm))
                .collect::<Vec<_>>()
        };
        self.contrast(&only(base), &only(with), is_share)
    }
}

impl Contrast {
    /// Whether there is no difference at all, in any seed; as far as sums of fractions tell.
    pub fn is_nothing(&self) -> bool {
        let rounding = self.base.abs().max(self.with.abs()) * ROUNDING;
        self.change.spread <= rounding && self.change.value.abs() <= rounding
    }
}

impl Estimate {
    /// A mean with this standard error over `count` seeds; a mean without any spread is not certain either.
    pub fn new(value: f64, spread: f64, count: f64) -> Self {
        Self {
            spread,
            ..Self::with_error(value, doubted(spread, value, count), count)
        }
    }

    fn with_error(value: f64, error: f64, count: f64) -> Self {
        Self {
            value,
            interval: Interval::around(value, t_sure(count) * error),
            count,
            error,
            spread: error,
        }
    }

    /// Estimates the error from the values without each of several equal groups of seeds: the delete-a-group jackknife
    /// (P. S. Kott, Journal of Official Statistics 17, 2001).
    pub fn jackknife(value: f64, without: &[f64]) -> Self {
        let groups = without.len() as f64;
        let squares: f64 = without.iter().map(|w| (w - value).powi(2)).sum();
        Self::with_error(value, ((groups - 1.0) / groups * squares).sqrt(), groups)
    }

    /// Returns the estimate multiplied by a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self::with_error(self.value * factor, self.error * factor.abs(), self.count)
    }

    /// Whether the value is the same in all seeds.
    pub fn is_same(&self) -> bool {
        self.spread <= self.value.abs() * ROUNDING
    }

    /// Returns the probability of a value at least so far from 0 by chance (p-value).
    pub fn p(&self) -> f64 {
        match self.error == 0.0 {
            true => f64::from(self.value == 0.0),
            false => p_of(self.value, self.error, self.count),
        }
    }

    /// Returns the standard deviation between seeds.
    fn deviation(&self) -> f64 {
        self.error * self.count.sqrt()
    }

    /// Returns the interval and the p-value that hold however often one looks on the way: an asymptotic confidence
    /// sequence, tightest at about `tightest` seeds (I. Waudby-Smith et al., Annals of Statistics 52, 2024, theorem 2.2);
    /// and 1 minus the highest confidence of a sequence that excludes 0.
    pub fn sequential(&self, tightest: f64) -> (Interval, f64) {
        let (n, rho) = (self.count, rho_squared(tightest));
        let half = self.deviation() * sequence(n, rho, 1.0 - SURE);
        let (far, grown) = (self.value / self.deviation(), n * rho + 1.0);
        let p = grown.sqrt() * (-far * far * n * n * rho / (2.0 * grown)).exp();
        (Interval::around(self.value, half), p.min(1.0))
    }

    /// Returns the number of seeds needed to detect a difference of `size` with power 0.8 among `among` measures:
    /// `((far + z(0.8)) s / size)^2`, with the deviation `s` so far. `far` is `z(1 - 0.025 / among)`, or with repeated
    /// looks (`looks`) the value of a confidence sequence for that level.
    pub fn seeds_to_see(&self, size: f64, among: usize, looks: bool) -> f64 {
        let by_chance = (1.0 - SURE) / among.max(1) as f64;
        let far = match looks {
            // It is the same for any number, as the sequence is made for it.
            true => sequence(1.0, rho_squared(0.5), by_chance),
            false => z(1.0 - by_chance / 2.0),
        };
        ((far + z(POWER)) * self.deviation() / size).powi(2).ceil()
    }
}

/// Returns the half-width of a confidence sequence around a mean of `n` values, in their standard deviations.
fn sequence(n: f64, rho: f64, by_chance: f64) -> f64 {
    let grown = n * rho + 1.0;
    (2.0 * grown / (n * n * rho) * (grown.sqrt() / by_chance).ln()).sqrt()
}

/// The solution of least squares with the least norm, from the normal equations: eigenvalues by Jacobi's method,
/// of which those are left out that are nothing but rounding (G. H. Golub and C. F. Van Loan, Matrix
/// Computations, 2013, chapters 5.5 and 8.5).
pub fn least_squares(normal: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    const SWEEPS: usize = 60;
    let n = right.len();
    let mut a = normal.to_vec();
    let mut vectors: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| f64::from(i == j)).collect())
        .collect();
    for _ in 0..SWEEPS {
        let off: f64 = (0..n)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| a[i][j] * a[i][j])
            .sum();
        let on: f64 = (0..n).map(|i| a[i][i] * a[i][i]).sum();
        if off <= on * 1e-30 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] == 0.0 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let t = if theta == 0.0 { 1.0 } else { t };
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                let turn = |x: &mut [f64]| (x[p], x[q]) = (c * x[p] - s * x[q], s * x[p] + c * x[q]);
                a.iter_mut().for_each(|row| turn(row));
                vectors.iter_mut().for_each(|row| turn(row));
                let (above, below) = a.split_at_mut(q);
                for (x, y) in above[p].iter_mut().zip(&mut below[0]) {
                    (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
                }
            }
        }
    }
    let least = (0..n).map(|i| a[i][i]).fold(0.0, f64::max) * 1e-9;
    let mut found = vec![0.0; n];
    for k in (0..n).filter(|k| a[*k][*k] > least) {
        let along = (0..n).map(|i| vectors[i][k] * right[i]).sum::<f64>() / a[k][k];
        found
            .iter_mut()
            .enumerate()
            .for_each(|(i, x)| *x += along * vectors[i][k]);
    }
    found
}

/// Returns the tuning parameter of the sequence: its width is about the least at `tightest` pairings (the same source,
/// appendix B).
fn rho_squared(tightest: f64) -> f64 {
    let alpha = 1.0 - SURE;
    let log = -2.0 * alpha.ln();
    (log + (log + 1.0).ln()) / tightest
}

/// Holm's correction: as likely by chance as each is when all are looked at (S. Holm, Scandinavian Journal of
/// Statistics 6, 1979).
pub fn holm(found: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|a, b| found[*a].total_cmp(&found[*b]));
    let mut corrected = vec![1.0; found.len()];
    let mut most = 0.0f64;
    for (rank, index) in order.into_iter().enumerate() {
        most = most.max(found[index] * (found.len() - rank) as f64).min(1.0);
        corrected[index] = most;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(is: f64, wanted: f64) {
        assert!((is - wanted).abs() < 1e-4, "{is} and not {wanted}");
    }

    #[test]
    fn known_quantiles_and_intervals() {
        near(z_sure(), 1.959_96);
        near(t_sure(5.0), 2.776_45);
        // Wilson's interval of 10 of 20, and of none of 20, by the book.
        let half = wilson(10.0, 20.0);
        near(half.low, 0.299_30);
        near(half.high, 0.700_70);
        near(wilson(0.0, 20.0).high, 0.161_13);
        assert_eq!(wilson(0.0, 20.0).low, 0.0);
    }

    #[test]
    fn holm_multiplies_the_least_most_and_keeps_the_order() {
        assert_eq!(holm(&[0.01, 0.04, 0.03]), [0.03, 0.06, 0.06]);
        assert_eq!(holm(&[0.9, 0.6]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    fn sums(seeds: &[&[f64]]) -> SeedSums {
        let mut sums = SeedSums::default();
        seeds.iter().for_each(|seed| sums.add(seed));
        sums
    }

    #[test]
    fn a_difference_of_numbers_is_that_of_a_paired_t_test() {
        // Differences 1, 2, 3: mean 2, deviation 1.
        let sums = sums(&[
            &[5.0, 1.0, 6.0, 1.0],
            &[1.0, 1.0, 3.0, 1.0],
            &[4.0, 1.0, 7.0, 1.0],
        ]);
        let found = sums.difference(0, 1, false).expect("there are seeds").change;
        near(found.value, 2.0);
        near(found.error, 1.0 / 3f64.sqrt());
        // t = 3.4641 with 2 degrees of freedom.
        near(found.p(), 0.074_18);
        near(found.interval.low, 2.0 - 4.302_65 / 3f64.sqrt());
    }

    #[test]
    fn a_ratio_of_means_does_not_depend_on_the_size_of_its_divisor() {
        let mut sums = SeedSums::default();
        for n in 1..=10 {
            let n = f64::from(n);
            sums.add(&[n, 2.0 * n, 3.0 * n, 4.0 * n]);
        }
        let found = sums.difference(0, 1, false).expect("there are seeds").change;
        near(found.value, 0.25);
        near(found.spread, 0.0);
        near(sums.mean(0).expect("it has one"), 0.5);
    }

    #[test]
    fn seeds_in_which_nothing_was_counted_have_the_same_divisors() {
        let none = sums(&[&[1.0, 1.0, 7.0, 2.0], &[2.0, 1.0, 8.0, 3.0]]).with_nothing_counted();
        assert_eq!(none, sums(&[&[0.0, 1.0, 0.0, 2.0], &[0.0, 1.0, 0.0, 3.0]]));
    }

    #[test]
    fn seeds_without_a_divisor_change_nothing() {
        // Two arms in three seeds, then the same among many in which there is nothing to count.
        let three: [&[f64]; 3] = [
            &[4.0, 5.0, 5.0, 5.0],
            &[3.0, 5.0, 3.0, 5.0],
            &[5.0, 5.0, 4.0, 5.0],
        ];
        let few = sums(&three);
        let mut many = few.clone();
        (0..50).for_each(|_| many.add(&[0.0; 4]));
        for is_share in [false, true] {
            let [own, among] =
                [&few, &many].map(|sums| sums.difference(0, 1, is_share).expect("seeds").change);
            near(among.error, own.error);
            near(among.count, 3.0);
            near(among.interval.high, own.interval.high);
            let [own, among] = [&few, &many].map(|sums| sums.level(0, is_share, 15.0).expect("seeds"));
            near(among.interval.high, own.interval.high);
        }
        let mut one = sums(&three[..1]);
        (0..50).for_each(|_| one.add(&[0.0; 4]));
        assert!(one.difference(0, 1, false).is_none() && one.level(0, false, 5.0).is_none());
    }

    #[test]
    fn least_squares_are_found_where_columns_depend_on_each_other_too() {
        let found = least_squares(&[vec![2.0, 1.0], vec![1.0, 3.0]], &[4.0, 7.0]);
        near(found[0], 1.0);
        near(found[1], 2.0);
        // x + y = 2 alone: of all solutions the shortest.
        let found = least_squares(&[vec![1.0, 1.0], vec![1.0, 1.0]], &[2.0, 2.0]);
        near(found[0], 1.0);
        near(found[1], 1.0);
        // Mean 2 of 1, 2, 3: leaving one out each time gives 2.5, 2, 1.5, and the error of a mean.
        let mean = Estimate::jackknife(2.0, &[2.5, 2.0, 1.5]);
        near(mean.error, 1.0 / 3f64.sqrt());
        near(mean.interval.low, 2.0 - 4.302_65 / 3f64.sqrt());
    }

    #[test]
    fn a_share_is_never_certain() {
        let same = sums(&[&[1.0, 1.0, 1.0, 1.0][..]; 100]);
        let found = same.difference(0, 1, true).expect("there are seeds").change;
        assert!(found.interval.high > 0.01 && found.p() > 0.99, "{found:?}");
    }

    #[test]
    fn a_share_is_worth_as_many_games_as_its_seeds_are() {
        let interval = |seeds: &[&[f64]], most: f64| {
            let level = sums(seeds).level(0, true, most);
            level.expect("it is counted").interval
        };
        // Nothing in 4 seeds of two games is nothing in 4, and says little.
        assert_eq!(interval(&[&[0.0, 2.0][..]; 4], 8.0), wilson(0.0, 4.0));
        // Where both games of a seed are the same they are worth one.
        let same: Vec<&[f64]> = [&[2.0, 2.0][..], &[0.0, 2.0]].repeat(50);
        near(interval(&same, 200.0).low, wilson(50.0, 100.0).low);
        // Independent games have Wilson's interval.
        let alone: Vec<&[f64]> = [&[1.0, 1.0][..], &[0.0, 1.0]].repeat(10);
        near(interval(&alone, 20.0).low, wilson(10.0, 20.0).low);
        // Where one of each seed is won there is no more doubt than in as many independent games.
        assert_eq!(interval(&[&[1.0, 2.0][..]; 50], 100.0), wilson(50.0, 100.0));
        assert_eq!(interval(&[&[1.0, 1.0]], 1.0), wilson(1.0, 1.0));
        // Six units of one game are one game.
        assert_eq!(interval(&[&[6.0, 6.0]], 1.0), wilson(1.0, 1.0));
        // A number of few seeds has the wide tails of the t distribution.
        let few = sums(&[&[1.0, 1.0], &[2.0, 1.0], &[3.0, 1.0]])
            .level(0, false, 3.0)
            .expect("it is counted");
        near(few.value, 2.0);
        near(few.interval.low, 2.0 - 4.302_65 / 3f64.sqrt());
    }

    #[test]
    fn more_is_needed_to_see_something_among_many() {
        let found = Estimate::with_error(0.0, 0.07, 100.0);
        let seeds = |far: f64| ((far + 0.841_621_23) * 0.7 / 0.03).powi(2).ceil();
        near(found.seeds_to_see(0.03, 1, false), seeds(1.959_963_98));
        near(found.seeds_to_see(0.03, 10, false), seeds(2.807_033_77));
    }

    #[test]
    fn what_holds_at_any_time_is_wider_and_less_sure() {
        let found = Estimate::with_error(0.1, 0.03, 500.0);
        let (always, p) = found.sequential(500.0);
        assert!(always.low < found.interval.low && always.high > found.interval.high);
        assert!(p > found.p());
        // Where the interval just leaves 0 out, it is 5 % likely by chance.
        let half = (always.high - always.low) / 2.0;
        near(Estimate::with_error(half, 0.03, 500.0).sequential(500.0).1, 0.05);
    }
}
