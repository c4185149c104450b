//! Numbers with what they may be off by: the one place for intervals, tests and sample sizes.
//!
//! Quantiles are the crate `statrs`'s; formulas name their source.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// How sure intervals are.
pub const SURE: f64 = 0.95;
/// How likely a difference is to be seen for which a number of games is told.
pub const POWER: f64 = 0.8;

/// Where the standard normal distribution has this share below.
pub fn z(share: f64) -> f64 {
    Normal::standard().inverse_cdf(share)
}

/// So many standard deviations on either side of the mean hold 95 %.
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

/// How likely something at least so far from nothing is by chance, told by so many.
fn p_of(value: f64, error: f64, count: f64) -> f64 {
    let far = value.abs() / error;
    let below = match StudentsT::new(0.0, 1.0, count - 1.0) {
        Ok(t) if count < 1000.0 => t.cdf(-far),
        _ => Normal::standard().cdf(-far),
    };
    2.0 * below
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

/// The interval of the first share less the second, each as count and number: Newcombe's from Wilson's
/// (R. G. Newcombe, Statistics in Medicine 17, 1998, method 10).
pub fn share_difference(one: (f64, f64), other: (f64, f64)) -> Interval {
    let (a, b) = (wilson(one.0, one.1), wilson(other.0, other.1));
    let (p, q) = (one.0 / one.1.max(1.0), other.0 / other.1.max(1.0));
    let far = |x: f64, y: f64| (x * x + y * y).sqrt();
    Interval {
        low: p - q - far(p - a.low, b.high - q),
        high: p - q + far(a.high - p, q - b.low),
    }
}

/// What is added up of things that come in fours: what is counted and by how much it is divided, without and
/// with a tweak. One entry is one pairing: games with the same seed, in every seat. Its memory does not grow.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Paired {
    count: f64,
    sums: [f64; 4],
    products: [[f64; 4]; 4],
}

/// Means and their difference, with how sure they are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Difference {
    /// Without the tweak.
    pub base: f64,
    /// With it.
    pub tweak: f64,
    /// How much more with it.
    pub by: f64,
    /// The standard error of that.
    pub error: f64,
    /// Over how many pairings.
    pub pairs: f64,
}

impl Paired {
    /// One more pairing: counted and divisor without the tweak, and with it.
    pub fn add(&mut self, entry: [f64; 4]) {
        self.count += 1.0;
        for (i, x) in entry.iter().enumerate() {
            self.sums[i] += x;
            for (j, y) in entry.iter().enumerate() {
                self.products[i][j] += x * y;
            }
        }
    }

    /// How many pairings there are.
    pub fn count(&self) -> f64 {
        self.count
    }

    /// So many pairings more in which nothing was counted.
    pub fn fill(&mut self, count: f64) {
        self.count = self.count.max(count);
    }

    /// The divisors' sums.
    pub fn over(&self) -> (f64, f64) {
        (self.sums[1], self.sums[3])
    }

    /// The variance of one pairing's share in what the gradient says, on means.
    fn variance(&self, gradient: [f64; 4]) -> f64 {
        let n = self.count;
        let mut sum = 0.0;
        for (i, gi) in gradient.iter().enumerate() {
            for (j, gj) in gradient.iter().enumerate() {
                let mean = self.sums[i] * self.sums[j] / n;
                sum += gi * gj * (self.products[i][j] - mean);
            }
        }
        sum.max(0.0)
    }

    /// The ratio without the tweak (side 0) or with it (side 1), and its standard error: the delta method for
    /// ratios of means (W. G. Cochran, Sampling Techniques, 1977, chapter 6).
    pub fn ratio(&self, side: usize) -> Option<(f64, f64)> {
        let (a, b) = (self.sums[2 * side], self.sums[2 * side + 1]);
        if b <= 0.0 || self.count < 2.0 {
            return None;
        }
        let (n, mean) = (self.count, b / self.count);
        let mut gradient = [0.0; 4];
        gradient[2 * side] = 1.0 / mean;
        gradient[2 * side + 1] = -a / b / mean;
        let variance = self.variance(gradient) / (n - 1.0);
        Some((a / b, (variance / n).sqrt()))
    }

    /// With minus without, pairing by pairing: what pairings have in common drops out. A share gets one pairing
    /// up and one down in addition, by half each, so that it is never told without doubt (A. Agresti and
    /// Y. Min, Biometrics 61, 2005).
    pub fn difference(&self, share: bool) -> Option<Difference> {
        let [a, b, c, d] = self.sums;
        if b <= 0.0 || d <= 0.0 || self.count < 2.0 {
            return None;
        }
        let (n, mean, other) = (self.count, b / self.count, d / self.count);
        let gradient = [-1.0 / mean, a / b / mean, 1.0 / other, -c / d / other];
        let squares = self.variance(gradient);
        let error = match share {
            true => ((squares + 1.0) / (n + 1.0) / (n + 2.0)).sqrt(),
            false => (squares / (n - 1.0) / n).sqrt(),
        };
        Some(Difference {
            base: a / b,
            tweak: c / d,
            by: c / d - a / b,
            error,
            pairs: n,
        })
    }
}

impl Difference {
    /// The interval of the difference.
    pub fn interval(&self) -> Interval {
        Interval::around(self.by, t_sure(self.pairs) * self.error)
    }

    /// How likely so large a difference is by chance.
    pub fn p(&self) -> f64 {
        if self.error == 0.0 {
            return if self.by == 0.0 { 1.0 } else { 0.0 };
        }
        p_of(self.by, self.error, self.pairs)
    }

    /// The interval that holds however often one looks on the way: an asymptotic confidence sequence
    /// (I. Waudby-Smith et al., Annals of Statistics 52, 2024, theorem 2.2), tightest at about so many pairings.
    pub fn always(&self, tightest: f64) -> Interval {
        let n = self.pairs;
        let deviation = self.error * n.sqrt();
        let rho = rho_squared(tightest);
        let alpha = 1.0 - SURE;
        let grown = n * rho + 1.0;
        let half = deviation * (2.0 * grown / (n * n * rho) * (grown.sqrt() / alpha).ln()).sqrt();
        Interval::around(self.by, half)
    }

    /// How likely that is by chance, however often one looks on the way: 1 minus the surest sequence that leaves
    /// nothing out.
    pub fn always_p(&self, tightest: f64) -> f64 {
        if self.error == 0.0 {
            return self.p();
        }
        let n = self.pairs;
        let far = self.by / (self.error * n.sqrt());
        let rho = rho_squared(tightest);
        let grown = n * rho + 1.0;
        (grown.sqrt() * (-far * far * n * n * rho / (2.0 * grown)).exp()).min(1.0)
    }

    /// How many pairings it takes to see a difference of this size in 80 of 100 cases, told by how much pairings
    /// differ so far: `((z(0.975) + z(0.8)) s / size)^2`.
    pub fn pairs_to_see(&self, size: f64) -> f64 {
        let deviation = self.error * self.pairs.sqrt();
        ((z_sure() + z(POWER)) * deviation / size).powi(2).ceil()
    }
}

/// What the sequence is tuned by: the width at so many pairings is about the least (the same source, appendix B).
fn rho_squared(tightest: f64) -> f64 {
    let alpha = 1.0 - SURE;
    let log = -2.0 * alpha.ln();
    (log + (log + 1.0).ln()) / tightest.max(1.0)
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
        // Newcombe's example (a): 56 of 70 against 48 of 80.
        let by = share_difference((56.0, 70.0), (48.0, 80.0));
        near(by.low, 0.052_44);
        near(by.high, 0.333_88);
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
            paired.add([a, 1.0, b, 1.0]);
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
            paired.add([n, 2.0 * n, 3.0 * n, 4.0 * n]);
        }
        let found = paired.difference(false).expect("there are pairings");
        near(found.by, 0.25);
        near(found.error, 0.0);
        near(paired.ratio(0).expect("it has one").0, 0.5);
    }

    #[test]
    fn a_share_is_never_told_without_doubt() {
        let mut paired = Paired::default();
        for _ in 0..100 {
            paired.add([1.0, 1.0, 1.0, 1.0]);
        }
        let found = paired.difference(true).expect("there are pairings");
        assert!(found.interval().high > 0.01 && found.p() > 0.99, "{found:?}");
    }

    #[test]
    fn what_holds_at_any_time_is_wider_and_less_sure() {
        let found = Difference {
            base: 0.5,
            tweak: 0.6,
            by: 0.1,
            error: 0.03,
            pairs: 500.0,
        };
        let (once, always) = (found.interval(), found.always(500.0));
        assert!(always.low < once.low && always.high > once.high);
        assert!(found.always_p(500.0) > found.p());
        // Where the interval just leaves 0 out, it is 5 % likely by chance.
        let half = (always.high - always.low) / 2.0;
        near(Difference { by: half, ..found }.always_p(500.0), 0.05);
    }
}
