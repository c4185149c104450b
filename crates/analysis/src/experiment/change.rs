//! The change of a measure between arms: its size, its certainty, and the words for it.

use super::measure::{Measure, TypeMeasure};
use crate::reports::{Cell, Column};
use crate::stats::{self, Contrast, Interval, SURE};

/// Change of one measure between two arms, or two weighted sums of arms.
#[derive(Debug, Clone)]
pub struct Change {
    /// The measure.
    pub measure: Measure,
    /// The values and their difference.
    pub found: Contrast,
    /// The 95 % interval of the difference.
    pub interval: Interval,
    /// Probability of such a difference by chance.
    pub p: f64,
    /// The same corrected for the number of changes that are judged together.
    pub corrected: f64,
    /// Whether the change is sure among all of them.
    pub changed: bool,
    /// Verdict, in words.
    pub verdict: String,
    /// Number of seeds for each seed that has something to count.
    rare: f64,
    /// Whether the interval holds however often one looks on the way.
    looks: bool,
    /// Whether it is about the effect of two factors together beyond the effects of each.
    together: bool,
}

impl Change {
    /// The change of a measure in a study of so many seeds, not judged yet. `tightest` is the number of seeds at which the
    /// interval is tightest if one looks on the way.
    pub fn new(measure: &Measure, found: Contrast, seeds: f64, tightest: Option<f64>) -> Self {
        let (mut interval, mut p) = (found.change.interval, found.change.p());
        if let Some(tightest) = tightest {
            // A sequence holds where much is counted; of what is in few games only, the wider interval counts.
            let (always, always_p) = found.change.sequential(tightest);
            interval = Interval {
                low: interval.low.min(always.low),
                high: interval.high.max(always.high),
            };
            p = p.max(always_p);
        }
        let mut change = Self {
            measure: measure.clone(),
            found,
            interval,
            p,
            corrected: 1.0,
            changed: false,
            verdict: String::new(),
            rare: seeds / found.change.count,
            looks: tightest.is_some(),
            together: false,
        };
        change.limit(1.0);
        change
    }

    /// The same for the effect of two factors together beyond the effects of each.
    #[must_use]
    pub fn of_both(mut self) -> Self {
        self.interval = self.found.change.interval;
        self.together = true;
        self.limit(2.0);
        self
    }

    /// Limits the interval of a share to what is possible.
    fn limit(&mut self, most: f64) {
        if self.measure.is_share() {
            self.interval.low = self.interval.low.max(-most);
            self.interval.high = self.interval.high.min(most);
        }
    }

    /// Whether the difference surely is smaller than worth seeing.
    pub fn is_too_small(&self) -> bool {
        self.rules_out(self.measure.worth_seeing(self.found.base))
    }

    fn rules_out(&self, size: f64) -> bool {
        self.interval.low > -size && self.interval.high < size
    }

    /// Whether it is one of the measures that are shown first.
    pub fn is_of_note(&self) -> bool {
        match &self.measure {
            Measure::Unit(_, of) => *of == TypeMeasure::WinShare,
            Measure::Decisions => false,
            _ => true,
        }
    }

    /// Returns the columns of a table of changes, with headings for the two values and for the change.
    pub fn columns([base, with, change]: [&str; 3]) -> Vec<Column> {
        vec![
            ("measure", "").into(),
            ("base", base).into(),
            ("with", with).into(),
            ("change", change).into(),
            Column::data("interval"),
            Column::data("p"),
            Column::data("p_corrected"),
            Column::data("changed"),
            ("verdict", "").into(),
        ]
    }

    /// Returns its cells in these columns.
    pub fn cells(&self) -> Vec<Cell> {
        let is_share = self.measure.is_share();
        let signed = |number: f64| {
            let text = short(number * if is_share { 100.0 } else { 1.0 });
            if number > 0.0 { format!("+{text}") } else { text }
        };
        let (low, high, by) = (self.interval.low, self.interval.high, self.found.change.value);
        let change = format!("{} ({} to {})", signed(by), signed(low), signed(high));
        vec![
            self.measure.name().into(),
            level(is_share, self.found.base),
            level(is_share, self.found.with),
            Cell::from(by).shown(change),
            self.interval.into(),
            self.p.into(),
            self.corrected.into(),
            self.changed.into(),
            self.verdict.clone().into(),
        ]
    }
}

/// Returns the cell of a level of a measure: a share, or a number.
pub fn level(is_share: bool, number: f64) -> Cell {
    match is_share {
        true => Cell::Share(number),
        false => Cell::from(number).shown(short(number)),
    }
}

/// Decides of each change whether it is sure among all of them (Holm), and words its verdict.
pub fn judge<'a>(changes: impl Iterator<Item = &'a mut Change>, seats: u64) {
    let mut changes: Vec<&mut Change> = changes.collect();
    let among = changes.len();
    let corrected = stats::holm(&changes.iter().map(|change| change.p).collect::<Vec<_>>());
    for (change, corrected) in changes.iter_mut().zip(corrected) {
        change.corrected = corrected;
        change.changed = corrected < 1.0 - SURE;
        change.verdict = verdict(change, seats, among);
    }
}

/// From one size to another, in the words of a measure: points of a share, or numbers as they are.
fn sizes(is_share: bool, a: f64, b: f64) -> String {
    let (low, high) = if a.abs() < b.abs() {
        (a.abs(), b.abs())
    } else {
        (b.abs(), a.abs())
    };
    match is_share {
        true => format!("{} to {} points", short(low * 100.0), short(high * 100.0)),
        false => format!("{} to {}", short(low), short(high)),
    }
}

/// A number with as many digits as it is worth.
pub fn short(number: f64) -> String {
    match number.abs() {
        n if n >= 100.0 => format!("{number:.0}"),
        n if n >= 10.0 => format!("{number:.1}"),
        n if n >= 0.1 => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

/// Returns the verdict on a change, in words.
fn verdict(change: &Change, seats: u64, among: usize) -> String {
    let (found, is_share) = (&change.found, change.measure.is_share());
    let is_more = found.change.value > 0.0;
    let Interval { low, high } = change.interval;
    if change.changed || change.p < 1.0 - SURE {
        let (sizes, way) = (sizes(is_share, low, high), if is_more { "more" } else { "less" });
        let says = match &change.measure {
            _ if change.together => format!("together {sizes} {way} than by themselves"),
            Measure::First => format!("the first faction wins {sizes} {way} often"),
            Measure::Unit(unit, TypeMeasure::WinShare) => {
                format!(
                    "{unit} {} {sizes} of win share",
                    if is_more { "gain" } else { "lose" }
                )
            }
            other => format!("{}: {sizes} {way}", other.name()),
        };
        return match change.changed {
            true => says,
            false => format!("perhaps {says}; among so many measures that may be chance"),
        };
    }
    if found.is_nothing() {
        return "no detectable change; it was the same in every pair of games".to_owned();
    }
    let size = change.measure.worth_seeing(found.base);
    let seeds = found.change.seeds_to_see(size, among, change.looks) - found.change.count;
    if seeds > 0.0 && !(change.looks && change.rules_out(size)) {
        let amount = match is_share {
            true => format!("{:.0} points", size * 100.0),
            false => short(size),
        };
        let games = thousands(seeds * change.rare * seats as f64);
        return format!("no detectable change; about {games} more games would be needed to see {amount}");
    }
    let most = low.abs().max(high.abs());
    match is_share {
        true => format!(
            "no detectable change; more than {} points are ruled out",
            short(most * 100.0)
        ),
        false => format!("no detectable change; more than {} is ruled out", short(most)),
    }
}

/// A number of games, to two digits, in groups of three.
pub fn thousands(number: f64) -> String {
    let scale = 10f64.powf(number.log10().floor() - 1.0).max(1.0);
    let digits = format!("{:.0}", (number / scale).ceil() * scale);
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
