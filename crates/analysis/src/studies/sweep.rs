//! A dial turned through its values: how measures follow it.

use super::compare::{MeasureRow, SOON, TOO_FEW, agents_of, judge, short};
use super::measure::{Measure, MeasureLevel, Sums};
use super::pairings::{self, PairingOptions};
use super::setting::Setting;
use crate::picture::chart::{self, ChartPoint};
use crate::report::Problems;
use crate::reports::{Report, ReportTable};
use crate::rules::workspace::Workspace;
use crate::stats::Interval;
use serde::Serialize;

/// A measure at one value of the dial.
#[derive(Debug, Clone, Serialize)]
pub struct SweepPoint {
    /// The dial's value.
    pub value: String,
    /// The mean.
    pub mean: f64,
    /// With 95 % certainty.
    pub band: Interval,
    /// Comparison with the reference value on the same seeds; `None` for the reference value itself.
    pub against: Option<MeasureRow>,
}

/// A measure over all values.
#[derive(Debug, Clone, Serialize)]
pub struct Curve {
    /// The measure.
    pub measure: String,
    /// Whether it is a share.
    pub is_share: bool,
    /// The points, in the order of the values; none where the measure has nothing to be counted of.
    pub points: Vec<SweepPoint>,
}

/// All curves.
#[derive(Debug, Clone, Default, Serialize)]
pub struct SweepReport {
    /// The dial.
    pub dial: String,
    /// Agents that played.
    pub agents: String,
    /// Number of games for each value.
    pub games: u64,
    /// The value that the others are compared with: the dial's own, else the first.
    pub base: String,
    /// The values, in their order.
    pub values: Vec<String>,
    /// By measure.
    pub curves: Vec<Curve>,
    /// Of which units nothing can be said, and where.
    pub untold: Vec<String>,
}

/// Plays the same seeds at every value, and compares the values with the dial's own.
///
/// # Errors
///
/// Measures that are not there; rules that cannot be loaded or fail.
pub fn sweep(
    workspace: &Workspace,
    (dial, own): (&str, &str),
    values: &[String],
    settings: &[Setting],
    measures: &[String],
    threads: Option<usize>,
) -> Result<SweepReport, Problems> {
    let Some(first) = settings.first() else {
        return Ok(SweepReport {
            dial: dial.to_owned(),
            ..SweepReport::default()
        });
    };
    let base = values.iter().position(|value| value == own).unwrap_or(0);
    let mut sums = vec![Sums::default(); settings.len()];
    let how = PairingOptions {
        threads,
        watch: false,
        what: format!("seeds at {} values", settings.len()),
    };
    let mut unknown = None;
    let take = |pairing: &pairings::Pairing| {
        for (sum, counts) in sums.iter_mut().zip(&pairing.counts) {
            sum.add(&[&pairing.counts[base], counts]);
        }
        if sums[0].pairs as u64 == SOON {
            let all = measures
                .iter()
                .map(|name| Measure::find_or_unused(name, sums[0].measures()));
            unknown = all.filter_map(Result::err).next();
        }
        unknown.is_none()
    };
    pairings::play(workspace, settings, &how, take, String::new)?;
    if let Some(problem) = unknown {
        return Err(problem.into());
    }
    let named: Vec<String> = match measures {
        [] => vec!["first faction wins".to_owned(), "draws".to_owned()],
        some => some.to_vec(),
    };
    let named = named.iter().map(|name| Measure::find(name, sums[0].measures()));
    let mut wanted = named.collect::<Result<Vec<_>, _>>()?;
    if measures.is_empty() {
        wanted.extend(
            sums[0]
                .measures()
                .filter(|m| matches!(m, Measure::Length(_)))
                .cloned(),
        );
    }
    let point = |index: usize, measure: &Measure| {
        let sum = sums[index].of(measure)?;
        let level = MeasureLevel::of(measure, sum, 1)?;
        let found = sum.difference(measure.is_share()).filter(|_| index != base);
        Some(SweepPoint {
            value: values[index].clone(),
            mean: level.mean,
            band: level.interval,
            against: found.map(|found| MeasureRow::new(measure, found, false)),
        })
    };
    let curve = |measure: &Measure| Curve {
        measure: measure.name(),
        is_share: measure.is_share(),
        points: (0..values.len())
            .filter_map(|index| point(index, measure))
            .collect(),
    };
    let mut curves: Vec<Curve> = wanted.iter().map(curve).collect();
    let mut untold = Vec::new();
    for (value, sum) in values.iter().zip(&sums) {
        let few = sum.few(2, |measure| wanted.contains(measure));
        untold.extend(
            few.keys()
                .map(|unit| format!("{unit}: {TOO_FEW} at {dial}={value}")),
        );
    }
    let points = curves.iter_mut().flat_map(|c| &mut c.points);
    let mut rows: Vec<&mut MeasureRow> = points.filter_map(|p| p.against.as_mut()).collect();
    judge(&mut rows, first.seats());
    Ok(SweepReport {
        dial: dial.to_owned(),
        agents: agents_of(first),
        games: sums[0].pairs as u64 * first.seats(),
        base: values[base].clone(),
        values: values.to_vec(),
        curves,
        untold,
    })
}

impl Curve {
    fn format(&self, number: f64) -> String {
        match self.is_share {
            true => format!("{:.1} %", number * 100.0),
            false => short(number),
        }
    }

    /// The curve between the lines of its band, for a terminal of so many columns.
    fn chart(&self, columns: Option<usize>) -> String {
        let scale = if self.is_share { 100.0 } else { 1.0 };
        let points = self.points.iter().map(|p| ChartPoint {
            label: p.value.clone(),
            group: 0,
            value: p.mean * scale,
            range: (p.band.low * scale, p.band.high * scale),
        });
        chart::curve(&points.collect::<Vec<_>>(), columns)
    }
}

impl SweepReport {
    /// The page of it for a terminal of so many columns: a table, and a chart for each measure.
    pub fn page(&self, columns: Option<usize>) -> Report {
        let mut head = vec![self.dial.clone()];
        for curve in &self.curves {
            head.extend([curve.measure.clone(), "95 % band".to_owned()]);
        }
        let mut rows = ReportTable::headed(head);
        for value in &self.values {
            let mut row = vec![value.clone()];
            for curve in &self.curves {
                let point = curve.points.iter().find(|p| p.value == *value);
                row.extend(point.map_or_else(Default::default, |point| {
                    let (low, high) = (curve.format(point.band.low), curve.format(point.band.high));
                    [curve.format(point.mean), format!("{low} to {high}")]
                }));
            }
            rows.push(row);
        }
        let mut page = Report::of(rows);
        let change = format!("change from {}", self.base);
        let mut rows = ReportTable::headed([self.dial.as_str(), "", &change, ""]);
        for point in self.curves.iter().flat_map(|c| c.points.iter()) {
            let cells = point.against.as_ref().map(MeasureRow::cells).unwrap_or_default();
            if let [measure, _, _, change, verdict] = &cells[..] {
                rows.push([&point.value, measure, change, verdict]);
            }
        }
        if !rows.is_empty() {
            page.put(rows);
        }
        // Between words lies nothing that a line could lead through.
        let numbers = self.values.iter().all(|value| value.parse::<f64>().is_ok());
        let drawn = |c: &&Curve| numbers && c.points.len() > 1;
        let charts = self.curves.iter().filter(drawn).map(|c| {
            format!(
                "{} by {}{}\n{}",
                c.measure,
                self.dial,
                if c.is_share { ", in per cent" } else { "" },
                c.chart(columns)
            )
        });
        page.extend(charts);
        if !self.untold.is_empty() {
            page.put(self.untold.join("\n"));
        }
        page
    }
}
