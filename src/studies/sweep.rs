//! A dial turned through its values: how measures follow it.

use super::compare::{agents_of, short};
use super::measure::{Measure, Sums};
use super::pairings::{self, How};
use super::setting::Setting;
use crate::columns::aligned;
use crate::report::Problems;
use crate::script::workspace::Workspace;
use crate::stats::{Interval, z_sure};
use serde::Serialize;

/// How wide a chart is, and how high.
const CHART: (usize, usize) = (6, 12);

/// A measure at one value of the dial.
#[derive(Debug, Clone, Serialize)]
pub struct Point {
    /// The dial's value.
    pub value: String,
    /// The mean.
    pub mean: f64,
    /// With 95 % certainty.
    pub band: Interval,
}

/// A measure over all values.
#[derive(Debug, Clone, Serialize)]
pub struct Curve {
    /// The measure.
    pub measure: String,
    /// Whether it is a share.
    pub is_share: bool,
    /// The points, in the order of the values.
    pub points: Vec<Point>,
}

/// All curves.
#[derive(Debug, Clone, Serialize)]
pub struct Sweep {
    /// The dial.
    pub dial: String,
    /// Who played.
    pub agents: String,
    /// How many games for each value.
    pub games: u64,
    /// By measure.
    pub curves: Vec<Curve>,
}

/// Plays the same seeds at every value.
///
/// # Errors
///
/// Measures that are not there; rules that cannot be loaded or fail.
pub fn sweep(
    workspace: &Workspace,
    dial: &str,
    values: &[(String, Setting)],
    measures: &[String],
    threads: Option<usize>,
) -> Result<Sweep, Problems> {
    let settings: Vec<Setting> = values.iter().map(|(_, s)| s.clone()).collect();
    let Some(first) = settings.first() else {
        return Ok(Sweep {
            dial: dial.to_owned(),
            agents: String::new(),
            games: 0,
            curves: Vec::new(),
        });
    };
    let mut sums = vec![Sums::default(); settings.len()];
    let how = How {
        threads,
        watch: false,
        what: format!("seeds at {} values", settings.len()),
    };
    let take = |pairing: &pairings::Pairing| {
        // Alone, the first stands on the side without a tweak; behind it, the others on the side with one.
        sums[0].add(&pairing.counts[0]);
        for (sum, counts) in sums.iter_mut().skip(1).zip(&pairing.counts) {
            sum.add(counts);
        }
        true
    };
    pairings::play(workspace, &settings, &how, take, String::new)?;
    let named: Vec<String> = match measures {
        [] => vec!["first faction wins".to_owned(), "draws".to_owned()],
        some => some.to_vec(),
    };
    let mut wanted = Vec::new();
    for name in &named {
        wanted.push(Measure::find(name, sums[0].measures())?);
    }
    if measures.is_empty() {
        wanted.extend(
            sums[0]
                .measures()
                .filter(|m| matches!(m, Measure::Length(_)))
                .cloned(),
        );
    }
    let point = |(index, (value, _)): (usize, &(String, Setting)), measure: &Measure| {
        let (mean, error) = sums[index].of(measure)?.ratio(usize::from(index > 0))?;
        Some(Point {
            value: value.clone(),
            mean,
            band: Interval::around(mean, z_sure() * error),
        })
    };
    let curves = wanted.iter().map(|measure| Curve {
        measure: measure.name(),
        is_share: measure.is_share(),
        points: values
            .iter()
            .enumerate()
            .filter_map(|v| point(v, measure))
            .collect(),
    });
    Ok(Sweep {
        dial: dial.to_owned(),
        agents: agents_of(first),
        games: sums[0].pairs as u64 * first.seats(),
        curves: curves.collect(),
    })
}

impl Curve {
    fn told(&self, number: f64) -> String {
        match self.is_share {
            true => format!("{:.1} %", number * 100.0),
            false => short(number),
        }
    }

    /// The curve as a small chart: `o` the means, `|` their bands.
    pub fn chart(&self) -> String {
        let (wide, high) = CHART;
        let low = self
            .points
            .iter()
            .map(|p| p.band.low)
            .fold(f64::INFINITY, f64::min);
        let top = self
            .points
            .iter()
            .map(|p| p.band.high)
            .fold(f64::NEG_INFINITY, f64::max);
        let span = (top - low).max(f64::EPSILON);
        let row_of = |value: f64| (((top - value) / span) * (high - 1) as f64).round() as usize;
        let label = self.told(top).chars().count().max(self.told(low).chars().count());
        let mut lines = Vec::new();
        for row in 0..high {
            let edge = match row {
                0 => self.told(top),
                r if r == high - 1 => self.told(low),
                _ => String::new(),
            };
            let cells = self.points.iter().map(|p| {
                let mark = match row {
                    r if r == row_of(p.mean) => 'o',
                    r if (row_of(p.band.high)..=row_of(p.band.low)).contains(&r) => '|',
                    _ => ' ',
                };
                format!("{mark:^wide$}")
            });
            let line = format!("{edge:>label$} |{}", cells.collect::<String>());
            lines.push(line.trim_end().to_owned());
        }
        let values = self.points.iter().map(|p| format!("{:^wide$.wide$}", p.value));
        lines.push(
            format!("{:>label$}  {}", "", values.collect::<String>())
                .trim_end()
                .to_owned(),
        );
        lines.join("\n")
    }
}

impl Sweep {
    /// The page of it: a table, and a chart for each measure.
    pub fn page(&self) -> String {
        let mut head = vec![self.dial.clone()];
        for curve in &self.curves {
            head.extend([curve.measure.clone(), "95 % band".to_owned()]);
        }
        let mut rows = vec![head];
        let points = self.curves.first().map_or(0, |c| c.points.len());
        for index in 0..points {
            let mut row = Vec::new();
            for curve in &self.curves {
                let Some(point) = curve.points.get(index) else {
                    continue;
                };
                if row.is_empty() {
                    row.push(point.value.clone());
                }
                row.push(curve.told(point.mean));
                row.push(format!(
                    "{} to {}",
                    curve.told(point.band.low),
                    curve.told(point.band.high)
                ));
            }
            rows.push(row);
        }
        let mut parts = vec![aligned(&rows)];
        let charts = self
            .curves
            .iter()
            .map(|c| format!("{} by {}\n{}", c.measure, self.dial, c.chart()));
        parts.extend(charts);
        parts.join("\n\n")
    }
}
