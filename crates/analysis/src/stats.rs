//! Numbers with what they may be off by: the one place for intervals, tests and sample sizes.
//!
//! Quantiles are the crate `statrs`'s; formulas name their source.

use serde::Serialize;
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
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
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

/// Sums over pairings: games with the same seed, in every seat, under one setting or several; per setting a numerator
/// and a divisor. Memory does not grow with the number of pairings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Paired {
    count: f64,
    sums: Vec<f64>,
    /// By rows, as long as the sums.
    products: Vec<f64>,
    /// Of each setting, how many pairings have a divisor: others say nothing of it.
    held: Vec<f64>,
}

/// Means and their difference, with how sure they are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeanDifference {
    /// Without the tweak.
    pub base: f64,
    /// With it.
    pub tweak: f64,
    /// Amount of the difference: the value with it minus the value without.
    pub by: f64,
    /// The standard error of that.
    pub error: f64,
    /// Over how many pairings.
    pub pairs: f64,
    /// The same without any doubt that was added to it.
    #[serde(skip)]
    spread: f64,
}

impl Paired {
    /// One more pairing: of each setting what is counted, and the divisor.
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
        for ((sum, row), x) in self
            .sums
            .iter_mut()
            .zip(self.products.chunks_mut(entry.len()))
            .zip(entry)
        {
            *sum += x;
            for (product, y) in row.iter_mut().zip(entry) {
                *product += x * y;
            }
        }
    }

    /// The same pairings with the same divisors, in which nothing was counted.
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

    /// The same over so many pairings: those that were not added had nothing to count, and nothing to divide by.
    #[must_use]
    pub fn filled(&self, count: f64) -> Self {
        Self {
            count: self.count.max(count),
            ..self.clone()
        }
    }

    /// In how many pairings a setting has something to be divided by.
    pub fn count_of(&self, arm: usize) -> f64 {
        self.held.get(arm).copied().unwrap_or(0.0)
    }

    /// The same of settings that have a weight: of the one that has the fewest.
    fn held_by(&self, weights: &[f64]) -> f64 {
        let weighty = weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        weighty
            .map(|(arm, _)| self.count_of(arm))
            .fold(self.count, f64::min)
    }

    /// The sum of a setting's divisors.
    pub fn over(&self, arm: usize) -> f64 {
        self.sums.get(2 * arm + 1).copied().unwrap_or(0.0)
    }

    /// The variance of one pairing's share in what the gradient says, on means.
    fn variance(&self, gradient: &[f64]) -> f64 {
        let n = self.count;
        let mut sum = 0.0;
        for ((gi, si), row) in gradient
            .iter()
            .zip(&self.sums)
            .zip(self.products.chunks(gradient.len()))
        {
            for ((gj, sj), product) in gradient.iter().zip(&self.sums).zip(row) {
                sum += gi * gj * (product - si * sj / n);
            }
        }
        sum.max(0.0)
    }

    /// Returns the weighted sum of the settings' values and its gradient, by the delta method for ratios of means (W.
    /// G. Cochran, Sampling Techniques, 1977, chapter 6). None where a setting that has a weight has no divisor.
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

    /// The ratio of one setting, and its standard error.
    pub fn ratio(&self, arm: usize) -> Option<(f64, f64)> {
        let mut weights = vec![0.0; arm + 1];
        weights[arm] = 1.0;
        let (value, gradient) = self.weighted(&weights)?;
        let n = self.count_of(arm);
        let variance = self.variance_over(&gradient, n)? / (n - 1.0);
        Some((value, (variance / n).sqrt()))
    }

    /// The same as if there were only so many pairings, those that say something; none for fewer than two.
    fn variance_over(&self, gradient: &[f64], n: f64) -> Option<f64> {
        let scale = n / self.count;
        (n >= 2.0).then(|| self.variance(gradient) * (scale * scale))
    }

    /// The ratio of one setting; none where nothing is counted.
    pub fn mean(&self, arm: usize) -> Option<f64> {
        let over = self.over(arm);
        Some(self.sums.get(2 * arm).filter(|_| over > 0.0)? / over)
    }

    /// The ratio of one setting with its interval: a share has Wilson's, of as many games as the pairings are
    /// worth (E. L. Korn and B. I. Graubard, Survey Methodology 24, 1998), so that it is never told without
    /// doubt; a number that of the t distribution. None where nothing is counted, or a number has one pairing only.
    pub fn estimate(&self, arm: usize, share: bool) -> Option<(f64, Interval)> {
        self.told_by(arm, share, self.over(arm))
    }

    /// The same where so many games are the most that it can be worth: several units of one game are not as many games.
    pub fn told_by(&self, arm: usize, share: bool, most: f64) -> Option<(f64, Interval)> {
        let value = self.mean(arm)?;
        if !share {
            let n = self.count_of(arm);
            let error = doubted(self.ratio(arm)?.1, value, n);
            return Some((value, Interval::around(value, t_sure(n) * error)));
        }
        let of = self.worth(arm).min(most);
        Some((value, wilson(value * of, of)))
    }

    /// Whether a setting's number was the same in all pairings.
    pub fn is_same(&self, arm: usize) -> bool {
        let ratio = self.ratio(arm);
        ratio.is_some_and(|(value, error)| error <= value.abs() * ROUNDING)
    }

    /// As many games by themselves tell as much of a setting's share as its pairings do: its variance over pairings is
    /// to that of a share of so many (E. L. Korn and B. I. Graubard, Survey Methodology 24, 1998).
    pub fn worth(&self, arm: usize) -> f64 {
        let value = self.mean(arm).unwrap_or(0.0);
        let spread = value * (1.0 - value);
        let n = self.count_of(arm);
        let worth = match self.ratio(arm) {
            Some((_, error)) if spread > 1e-12 => spread / (error * error) * n / (n - 1.0),
            _ => n,
        };
        worth.min(self.over(arm))
    }

    /// The second setting less the first.
    pub fn difference(&self, share: bool) -> Option<MeanDifference> {
        self.contrast(&[1.0, 0.0], &[0.0, 1.0], share)
    }

    /// One weighting of settings less another, pairing by pairing: what pairings have in common drops out. A share
    /// gets one pairing more each way, by half, so that it is never told without doubt (A. Agresti and Y. Min,
    /// Biometrics 61, 2005); where pairings count less than one game for a setting, one game more. A number that was the
    /// same in all of them gets one more each way, too. Only pairings count in which there is something to count: of what
    /// is in fewer than two of them under one of the settings nothing is said.
    pub fn contrast(&self, base: &[f64], variant: &[f64], share: bool) -> Option<MeanDifference> {
        let weights: Vec<f64> = base.iter().zip(variant).map(|(b, t)| t - b).collect();
        let (by, gradient) = self.weighted(&weights)?;
        let n = self.held_by(&weights);
        let squares = self.variance_over(&gradient, n)?;
        let (base, variant) = (self.weighted(base)?.0, self.weighted(variant)?.0);
        let spread = (squares / (n - 1.0) / n).sqrt();
        let error = match share {
            true => {
                let reach = |(arm, weight): (usize, &f64)| weight.abs() / (self.over(arm) / n).min(1.0);
                let far = weights
                    .iter()
                    .enumerate()
                    .filter(|(_, w)| **w != 0.0)
                    .map(reach)
                    .sum::<f64>()
                    / 2.0;
                ((squares + far * far) / (n + 1.0) / (n + 2.0)).sqrt()
            }
            // Where both are as large, sums of them are off by as much as sums of one are.
            false if spread <= base.abs().max(variant.abs()) * ROUNDING => doubted(0.0, by, n).max(spread),
            false => spread,
        };
        Some(MeanDifference {
            base,
            tweak: variant,
            by,
            error,
            pairs: n,
            spread,
        })
    }
}

impl MeanDifference {
    /// Whether there is none at all, pairing by pairing and not in the mean alone; as far as sums of fractions tell.
    pub fn is_nothing(&self) -> bool {
        let rounding = self.base.abs().max(self.tweak.abs()) * ROUNDING;
        self.spread <= rounding && self.by.abs() <= rounding
    }

    /// Returns the standard deviation of the difference between pairings.
    fn deviation(&self) -> f64 {
        self.error * self.pairs.sqrt()
    }

    /// The interval of the difference.
    pub fn interval(&self) -> Interval {
        Interval::around(self.by, t_sure(self.pairs) * self.error)
    }

    /// Returns the probability of so large a difference by chance (p-value).
    pub fn p(&self) -> f64 {
        p_of(self.by, self.error, self.pairs)
    }

    /// The interval that holds however often one looks on the way: an asymptotic confidence sequence
    /// (I. Waudby-Smith et al., Annals of Statistics 52, 2024, theorem 2.2), tightest at about so many pairings.
    pub fn always(&self, tightest: f64) -> Interval {
        let half = self.deviation() * sequence(self.pairs, rho_squared(tightest), 1.0 - SURE);
        Interval::around(self.by, half)
    }

    /// Returns the p-value that holds under repeated looks: 1 minus the highest confidence of a sequence that excludes
    /// 0.
    pub fn always_p(&self, tightest: f64) -> f64 {
        let n = self.pairs;
        let far = self.by / self.deviation();
        let rho = rho_squared(tightest);
        let grown = n * rho + 1.0;
        (grown.sqrt() * (-far * far * n * n * rho / (2.0 * grown)).exp()).min(1.0)
    }

    /// Returns the number of pairings needed to detect a difference of `size` with power 0.8 among `among` measures:
    /// `((far + z(0.8)) s / size)^2`, with the deviation `s` so far. `far` is `z(1 - 0.025 / among)`, or with repeated
    /// looks (`looks`) the value of a confidence sequence for that level.
    pub fn pairs_to_see(&self, size: f64, among: usize, looks: bool) -> f64 {
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

/// A number with how sure it is, told by so many groups.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    groups: f64,
}

impl Estimate {
    /// Told by what comes out when each of several equal groups is left out: the delete-a-group jackknife
    /// (P. S. Kott, Journal of Official Statistics 17, 2001).
    pub fn jackknife(value: f64, without: &[f64]) -> Self {
        let groups = without.len() as f64;
        let squares: f64 = without.iter().map(|w| (w - value).powi(2)).sum();
        Self {
            value,
            error: ((groups - 1.0) / groups * squares).sqrt(),
            groups,
        }
    }

    /// Returns the estimate multiplied by a factor.
    pub fn times(self, factor: f64) -> Self {
        Self {
            value: self.value * factor,
            error: self.error * factor.abs(),
            ..self
        }
    }

    /// With 95 % certainty.
    pub fn interval(&self) -> Interval {
        Interval::around(self.value, t_sure(self.groups) * self.error)
    }

    /// Returns the probability of a value at least so far from 0 by chance (p-value).
    pub fn p(&self) -> f64 {
        match self.error == 0.0 {
            true => f64::from(self.value == 0.0),
            false => p_of(self.value, self.error, self.groups),
        }
    }
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
    fn seeds_that_say_nothing_make_nothing_surer() {
        let mut paired = Paired::default();
        (0..12).for_each(|_| paired.add(&[2.0, 2.0]));
        let among_many = paired.filled(200.0).estimate(0, true).expect("a share");
        near(among_many.0, 1.0);
        near(among_many.1.low, wilson(12.0, 12.0).low);
    }

    #[test]
    fn holm_multiplies_the_least_most_and_keeps_the_order() {
        assert_eq!(holm(&[0.01, 0.04, 0.03]), [0.03, 0.06, 0.06]);
        assert_eq!(holm(&[0.9, 0.6]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn a_difference_of_numbers_is_that_of_a_paired_t_test() {
        let mut paired = Paired::default();
        // Differences 1, 2, 3: mean 2, deviation 1.
        for (a, b) in [(5.0, 6.0), (1.0, 3.0), (4.0, 7.0)] {
            paired.add(&[a, 1.0, b, 1.0]);
        }
        let found = paired.difference(false).expect("there are pairings");
        near(found.by, 2.0);
        near(found.error, 1.0 / 3f64.sqrt());
        // t = 3.4641 with 2 degrees of freedom.
        near(found.p(), 0.074_18);
        near(found.interval().low, 2.0 - 4.302_65 / 3f64.sqrt());
    }

    #[test]
    fn a_ratio_of_means_does_not_care_how_much_it_is_divided_by() {
        let mut paired = Paired::default();
        for n in 1..=10 {
            let n = f64::from(n);
            paired.add(&[n, 2.0 * n, 3.0 * n, 4.0 * n]);
        }
        let found = paired.difference(false).expect("there are pairings");
        near(found.by, 0.25);
        near(found.spread, 0.0);
        near(paired.ratio(0).expect("it has one").0, 0.5);
    }

    #[test]
    fn of_four_settings_what_each_does_and_what_both_do_more() {
        let mut paired = Paired::default();
        // Nothing, one, the other, both: 1 and 2 by themselves, 7 together.
        for n in 1..=5 {
            let n = f64::from(n);
            paired.add(&[n, 1.0, n + 1.0, 1.0, n + 2.0, 1.0, n + 7.0, 1.0]);
        }
        let of = |base: [f64; 4], variant: [f64; 4]| {
            paired
                .contrast(&base, &variant, false)
                .expect("there are pairings")
        };
        let one = of([0.5, 0.0, 0.5, 0.0], [0.0, 0.5, 0.0, 0.5]);
        near(one.by, 3.0);
        near(one.spread, 0.0);
        let both = of([-1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]);
        near(both.by, 4.0);
        near(both.tweak, 10.0);
        // The same pairings, in which nothing was counted.
        let none = paired.with_nothing_counted();
        assert_eq!((none.ratio(3), none.over(3)), (Some((0.0, 0.0)), 5.0));
    }

    #[test]
    fn what_few_pairings_hold_is_told_by_those_alone() {
        // What two settings come to in three pairings.
        let three = [[4.0, 2.0, 5.0, 2.0], [3.0, 2.0, 3.0, 2.0], [6.0, 2.0, 4.0, 2.0]];
        let mut few = Paired::default();
        three.iter().for_each(|entry| few.add(entry));
        // The same among many in which there is nothing to count, under one setting or both.
        let mut many = few.clone();
        (0..50).for_each(|_| many.add(&[0.0; 4]));
        for share in [false, true] {
            let [own, among] = [&few, &many].map(|sum| sum.difference(share).expect("three pairings"));
            near(among.error, own.error);
            near(among.pairs, 3.0);
            near(among.interval().high, own.interval().high);
            let [own, among] = [&few, &many].map(|sum| sum.estimate(0, share).expect("three pairings"));
            near(among.1.high, own.1.high);
        }
        let mut one = Paired::default();
        one.add(&three[0]);
        (0..50).for_each(|_| one.add(&[0.0; 4]));
        assert!(one.difference(false).is_none() && one.estimate(0, false).is_none());
        // Six units of one game are one game.
        let mut won = Paired::default();
        won.add(&[6.0, 6.0]);
        near(
            won.estimate(0, true).expect("a share").1.low,
            wilson(1.0, 1.0).low,
        );
        near(
            won.told_by(0, true, 1.0).expect("a share").1.low,
            wilson(1.0, 1.0).low,
        );
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
        near(mean.interval().low, 2.0 - 4.302_65 / 3f64.sqrt());
    }

    #[test]
    fn a_share_is_never_told_without_doubt() {
        let mut paired = Paired::default();
        for _ in 0..100 {
            paired.add(&[1.0, 1.0, 1.0, 1.0]);
        }
        let found = paired.difference(true).expect("there are pairings");
        assert!(found.interval().high > 0.01 && found.p() > 0.99, "{found:?}");
    }

    #[test]
    fn a_level_is_worth_as_many_games_as_its_pairings_are() {
        let estimated = |pairings: &[[f64; 2]], share: bool| {
            let mut sum = Paired::default();
            pairings.iter().for_each(|p| sum.add(p));
            sum.estimate(0, share)
        };
        // Nothing in 4 pairings of two games is nothing in 4, and says little.
        let (value, none) = estimated(&[[0.0, 2.0]; 4], true).expect("it is counted");
        assert!(
            value == 0.0 && none == wilson(0.0, 4.0) && none.high > 0.4,
            "{none:?}"
        );
        // Where both games of a pairing are the same they are worth one.
        let same: Vec<[f64; 2]> = (0..100).map(|n| [f64::from(n % 2) * 2.0, 2.0]).collect();
        let (_, same) = estimated(&same, true).expect("it is counted");
        near(same.low, wilson(50.0, 100.0).low);
        // Games by themselves have Wilson's interval.
        let alone: Vec<[f64; 2]> = (0..20).map(|n| [f64::from(n % 2), 1.0]).collect();
        near(
            estimated(&alone, true).expect("it is counted").1.low,
            wilson(10.0, 20.0).low,
        );
        // Where one of each pairing is won there is no more doubt than in so many games by themselves.
        let halves = estimated(&[[1.0, 2.0]; 50], true).expect("it is counted").1;
        assert_eq!(halves, wilson(50.0, 100.0));
        // A number of few pairings has the wide tails of the t distribution.
        let (mean, few) = estimated(&[[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]], false).expect("it is counted");
        near(mean, 2.0);
        near(few.low, 2.0 - 4.302_65 / 3f64.sqrt());
        assert_eq!(estimated(&[[1.0, 1.0]], false), None);
        assert_eq!(
            estimated(&[[1.0, 1.0]], true).map(|t| t.1),
            Some(wilson(1.0, 1.0))
        );
    }

    #[test]
    fn more_is_needed_to_see_something_among_many() {
        let found = MeanDifference {
            base: 0.5,
            tweak: 0.5,
            by: 0.0,
            error: 0.07,
            pairs: 100.0,
            spread: 0.07,
        };
        near(
            found.pairs_to_see(0.03, 1, false),
            ((1.959_963_98 + 0.841_621_23) * 0.7f64 / 0.03).powi(2).ceil(),
        );
        near(
            found.pairs_to_see(0.03, 10, false),
            ((2.807_033_77 + 0.841_621_23) * 0.7f64 / 0.03).powi(2).ceil(),
        );
    }

    #[test]
    fn what_holds_at_any_time_is_wider_and_less_sure() {
        let found = MeanDifference {
            base: 0.5,
            tweak: 0.6,
            by: 0.1,
            error: 0.03,
            pairs: 500.0,
            spread: 0.03,
        };
        let (once, always) = (found.interval(), found.always(500.0));
        assert!(always.low < once.low && always.high > once.high);
        assert!(found.always_p(500.0) > found.p());
        // Where the interval just leaves 0 out, it is 5 % likely by chance.
        let half = (always.high - always.low) / 2.0;
        near(MeanDifference { by: half, ..found }.always_p(500.0), 0.05);
    }
}
