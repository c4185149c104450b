//! Targets: the range in which a measure of a game should be, as designers write it, and verdicts on it.

use crate::description::Spanned;
use crate::experiment::change::thousands;
use crate::experiment::measure::Measure;
use crate::experiment::problems;
use crate::experiment::tally::Tally;
use crate::report::Problem;
use crate::stats::{Estimate, Interval, POWER, z, z_sure};

/// A level that is nearer to a limit than this part of its interval's half-width lies at the limit: hundreds of times as
/// many games would be needed.
const NEAR: f64 = 10.0;

/// Target as it is written: `first faction wins at most 54 %`, `rounds 8 to 12`, `draws at least 5 %`. `<=`, `>=` and
/// `8..12` say the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// Text as written.
    pub text: Spanned<String>,
    /// Name of the measure.
    pub measure: String,
    low: f64,
    high: f64,
}

/// Verdict on a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It surely is met.
    Met,
    /// Its interval does not decide.
    Open,
    /// It surely is missed.
    Missed,
}

impl Verdict {
    /// Returns its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Open => "cannot_tell_yet",
            Self::Missed => "missed",
        }
    }
}

/// Target with what games say about it.
#[derive(Debug, Clone)]
pub struct JudgedTarget {
    /// The measure.
    pub measure: Measure,
    /// Its level.
    pub level: Estimate,
    /// Verdict.
    pub verdict: Verdict,
    /// Verdict in words, with the interval.
    pub says: String,
    /// Estimated number of further games that could decide; `None` if the verdict is sure, or if the level lies at the
    /// limit.
    pub more_games: Option<f64>,
}

impl Target {
    /// Reads `MEASURE at most X`, `MEASURE at least X` or `MEASURE X to Y`, with `%` behind shares. From 1 on `%` may be
    /// left out.
    ///
    /// # Errors
    ///
    /// Another text; a range that no share can be in.
    pub fn read(text: &Spanned<String>) -> Result<Self, Problem> {
        let (measure, low, high) = range(text).ok_or_else(|| problems::not_a_target(text))?;
        Ok(Self {
            text: text.clone(),
            measure,
            low,
            high,
        })
    }

    /// Returns its measure among those of some games.
    ///
    /// # Errors
    ///
    /// There is no such measure, or it is in another unit.
    pub fn find<'a>(&self, all: impl Iterator<Item = &'a Measure> + Clone) -> Result<Measure, Problem> {
        let measure = Measure::find(&self.measure, all)?;
        match (measure.is_share(), is_share(&self.text)) {
            (true, false) if !self.is_in_per_cent() => Err(problems::wrong_target_unit(
                &self.measure,
                "write `%` behind the numbers",
            )),
            (false, true) => Err(problems::wrong_target_unit(&self.measure, "leave out `%`")),
            _ => Ok(measure),
        }
    }

    /// Returns what the games of an arm say about it.
    ///
    /// # Errors
    ///
    /// As [`Self::find`]; the measure is in too few games.
    pub fn judge(&self, tally: &Tally, arm: usize) -> Result<JudgedTarget, Problem> {
        let measure = self.find(tally.measures())?;
        let level = tally.level(&measure, arm);
        let level = level.ok_or_else(|| problems::rarely_measured(&self.measure))?;
        Ok(self.verdict_on(measure, level, tally.arms[arm].games))
    }

    /// Whether the numbers can only be meant in per cent if they are those of a share.
    fn is_in_per_cent(&self) -> bool {
        let mut ends = [self.low, self.high].into_iter().filter(|end| end.is_finite());
        ends.all(|end| (1.0..=100.0).contains(&end))
    }

    /// Returns the range in units of a measure.
    fn range_of(&self, measure: &Measure) -> (f64, f64) {
        match measure.is_share() && !is_share(&self.text) {
            true => (self.low / 100.0, self.high / 100.0),
            false => (self.low, self.high),
        }
    }

    /// Returns how far a level is outside of the range, in units of the measure; 0 inside.
    pub fn miss(&self, measure: &Measure, level: f64) -> f64 {
        let (low, high) = self.range_of(measure);
        (level - high).max(low - level).max(0.0)
    }

    /// Returns how far a level is outside of the range, in half-widths of its interval; 0 inside.
    pub fn evidence_against(&self, measure: &Measure, level: &Estimate) -> f64 {
        let miss = self.miss(measure, level.value);
        let half = match level.value > self.range_of(measure).1 {
            true => level.value - level.interval.low,
            false => level.interval.high - level.value,
        };
        if miss > 0.0 { miss / half } else { 0.0 }
    }

    fn verdict_on(&self, measure: Measure, level: Estimate, games: u64) -> JudgedTarget {
        let (mean, Interval { low, high }) = (level.value, level.interval);
        let (least, most) = self.range_of(&measure);
        let is_same = !measure.is_share() && level.is_same();
        let text = |n: f64| number(&measure, n);
        let range = format!("{} to {}", text(low), text(high));
        let (verdict, says, more_games);
        // No number of games shows more of a number that is at the limit in each of them.
        if is_same && (mean == least || mean == most) || low >= least && high <= most {
            says = match is_same {
                true => format!("met ({} in every game)", text(mean)),
                false => format!("met ({range})"),
            };
            (verdict, more_games) = (Verdict::Met, None);
        } else if high < least || low > most {
            (verdict, says, more_games) = (Verdict::Missed, format!("missed ({range})"), None);
        } else {
            let edge = (mean - least).abs().min((mean - most).abs());
            let half = (high - low) / 2.0;
            // As far as the mean is right: the interval must become as narrow as the edge is near, and narrower where
            // that is to be seen in 80 of 100 cases.
            let factor = (half / edge).powi(2) * (1.0 + z(POWER) / z_sure()).powi(2);
            more_games = (edge > half / NEAR).then(|| (games as f64 * (factor - 1.0)).max(1.0).ceil());
            let hope = match more_games {
                Some(more) => format!("about {} more games could say", thousands(more)),
                None => "it lies at the limit, so more games may not decide".to_owned(),
            };
            (verdict, says) = (Verdict::Open, format!("cannot tell yet ({range}); {hope}"));
        }
        JudgedTarget {
            measure,
            level,
            verdict,
            says,
            more_games,
        }
    }
}

/// Returns a level or a difference of a measure as text.
pub fn number(measure: &Measure, number: f64) -> String {
    match measure.is_share() {
        true => format!("{:.1} %", number * 100.0),
        false => format!("{number:.2}"),
    }
}

fn is_share(text: &str) -> bool {
    text.trim_end().ends_with('%')
}

/// The name of the measure and the range that a target names.
fn range(text: &str) -> Option<(String, f64, f64)> {
    let is_share = is_share(text);
    let number = |word: &str| {
        let word = word.trim().trim_end_matches('%').trim();
        let number = word.parse::<f64>().ok().filter(|n| n.is_finite())?;
        Some(if is_share { number / 100.0 } else { number })
    };
    // A bound that no share can pass is none.
    let may_be = |n: &f64| !is_share || n.is_infinite() || (0.0..=1.0).contains(n);
    let made = |measure: &str, low: f64, high: f64| {
        let is_range = low <= high && [low, high].iter().all(may_be) && !measure.trim().is_empty();
        is_range.then(|| (measure.trim().to_owned(), low, high))
    };
    let split = |words: [&str; 2]| words.iter().find_map(|word| text.split_once(word));
    if let Some((measure, most)) = split([" at most ", "<="]) {
        return made(measure, f64::NEG_INFINITY, number(most)?);
    }
    if let Some((measure, least)) = split([" at least ", ">="]) {
        return made(measure, number(least)?, f64::INFINITY);
    }
    let (before, high) = text.rsplit_once(" to ").or_else(|| text.rsplit_once(".."))?;
    let before = before.trim_end().trim_end_matches('%').trim_end();
    let (measure, low) = before.rsplit_once(' ')?;
    made(measure, number(low)?, number(high)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_as_they_are_said() {
        let read = |text: &str| range(text);
        let first = "first faction wins".to_owned();
        assert_eq!(
            read("first faction wins at most 54 %"),
            Some((first.clone(), f64::NEG_INFINITY, 0.54))
        );
        assert_eq!(
            read("first faction wins 45 % to 55 %"),
            Some((first.clone(), 0.45, 0.55))
        );
        assert_eq!(read("first faction wins 45..55 %"), Some((first, 0.45, 0.55)));
        assert_eq!(read("rounds 8 to 12"), Some(("rounds".to_owned(), 8.0, 12.0)));
        assert_eq!(
            read("scouts: win share 45..55%"),
            Some(("scouts: win share".to_owned(), 0.45, 0.55))
        );
        for least in ["rounds at least 3", "rounds >= 3", "rounds >=3"] {
            assert_eq!(read(least), Some(("rounds".to_owned(), 3.0, f64::INFINITY)));
        }
        assert_eq!(read("rounds 12 to 8"), None);
        assert_eq!(read("rounds: many"), None);
        assert_eq!(read("draws at most 200 %"), None);
        assert_eq!(read("<= 3"), None);
    }

    #[test]
    fn the_sign_of_a_share_may_be_left_out_from_1_on() {
        let read = |text: &str| Target::read(&Spanned::from(text.to_owned())).expect("a target");
        let measures = [Measure::Draws];
        let range = |text: &str| {
            let measure = read(text).find(measures.iter()).ok()?;
            Some(read(text).range_of(&measure))
        };
        assert_eq!(range("draws 5..12"), range("draws 5..12 %"));
        assert_eq!(range("draws 5..12"), Some((0.05, 0.12)));
        assert_eq!(range("draws 0.05..0.12"), None);
    }
}
