//! A dial turned through its values: how measures follow it.

use crate::experiment::Experiment;
use crate::experiment::change::{Change, judge, level};
use crate::experiment::measure::{Measure, TypeMeasure};
use crate::experiment::problems;
use crate::experiment::tally::{TOO_FEW, Tally};
use crate::picture::chart::{self, ChartPoint};
use crate::report::{Problem, Problems, hint_for};
use crate::reports::{Cell, Column, Report, ReportTable};
use crate::rules::declare::{Dial, DialRange, DialValue};
use crate::stats::Estimate;
use crate::suite::problems::unknown_name;

/// A dial is turned to at most so many values.
const MOST_VALUES: i64 = 100;

/// Values that a dial is turned to.
#[derive(Debug, Clone, PartialEq)]
pub struct DialMoves {
    /// The dial.
    pub dial: String,
    /// Its own value.
    pub own: DialValue,
    /// The values, in the order in which they are named.
    pub values: Vec<DialValue>,
}

/// Reads `DIAL=LOW..HIGH`, `DIAL=LOW..HIGH/STEP` or `DIAL=A,B,C`.
///
/// # Errors
///
/// Another text, no such dial, a value that the dial cannot have, a value twice, too many values.
pub fn moves(dials: &[Dial], text: &str) -> Result<DialMoves, Problem> {
    let Some((name, range)) = text.split_once('=') else {
        return Err(problems::no_dial_values(text));
    };
    let (name, range) = (name.trim(), range.trim());
    let Some(dial) = dials.iter().find(|d| d.name == name) else {
        let known = dials.iter().map(|d| d.name.as_str());
        return Err(unknown_name("dial", name).hint(hint_for(name, known)));
    };
    let values = values(dial, range)?;
    for value in &values {
        dial.clone().set(value)?;
    }
    Ok(DialMoves {
        dial: dial.name.clone(),
        own: dial.value.clone(),
        values,
    })
}

/// The values of a dial that a range or a list names.
fn values(dial: &Dial, range: &str) -> Result<Vec<DialValue>, Problem> {
    let Some((low, rest)) = range.split_once("..") else {
        let all: Vec<DialValue> = range.split(',').map(|v| DialValue::read(v.trim())).collect();
        let mut values = all.iter().enumerate();
        return match values.find(|(nth, value)| all[..*nth].contains(value)) {
            Some((_, value)) => Err(problems::repeated_value(&dial.name, value)),
            None => Ok(all),
        };
    };
    let (high, step) = rest.split_once('/').unwrap_or((rest, "1"));
    let number = |text: &str| text.trim().trim_start_matches('=').parse::<i64>().ok();
    let (Some(low), Some(high), Some(step)) = (number(low), number(high), number(step).filter(|s| *s > 0))
    else {
        return Err(problems::not_a_dial_range(range));
    };
    if let DialRange::Words(words) = &dial.range {
        return Err(problems::dial_of_words(&dial.name, words.join(",")));
    }
    let count = (high.saturating_sub(low) / step).saturating_add(1);
    if low > high || count > MOST_VALUES {
        return Err(problems::wrong_value_count(range, count.max(0), MOST_VALUES));
    }
    let last = low + (count - 1) * step;
    if last < high {
        let next = last.saturating_add(step);
        return Err(problems::missed_end(range, high, step, last, next));
    }
    Ok((0..count).map(|n| DialValue::Number(low + n * step)).collect())
}

/// A measure at one value of the dial.
#[derive(Debug)]
pub struct SweepPoint {
    /// The dial's value.
    pub value: String,
    /// Level of the measure.
    pub level: Estimate,
    /// Change from the reference value; `None` for the reference value itself.
    pub change: Option<Change>,
}

/// A measure over all values.
#[derive(Debug)]
pub struct Curve {
    /// The measure.
    pub measure: Measure,
    /// The points, in the order of the values; none where the measure has nothing to be counted of.
    pub points: Vec<SweepPoint>,
}

/// All curves.
#[derive(Debug)]
pub struct Sweep {
    /// The dial.
    pub dial: String,
    /// Number of games for each value.
    pub games: u64,
    /// The value that the others are compared with: the dial's own, else the first.
    pub base: String,
    /// The values, in their order.
    pub values: Vec<String>,
    /// By measure.
    pub curves: Vec<Curve>,
    notes: Vec<String>,
}

/// Plays the same seeds at every value, and compares the values with the dial's own. Without names of measures, the
/// measures of a dial `TYPE.STAT` are the win share and the uses of that unit type, then the game's draws and length;
/// those of another dial are the first faction's wins, the draws and the length.
///
/// # Errors
///
/// Measures that are not there; rules that cannot be loaded or fail.
pub fn sweep(
    experiment: &Experiment<'_>,
    (dial, own): (&str, &str),
    values: &[String],
    measures: &[String],
) -> Result<Sweep, Problems> {
    let base = values.iter().position(|value| value == own).unwrap_or(0);
    let what = format!("games at {} values", values.len());
    let tally = experiment.measure(&what, measures, |_, _| true)?;
    let mut wanted = tally.wanted(measures)?;
    if measures.is_empty() {
        let unit = dial.split_once('.').map(|(unit, _)| unit);
        let unit = unit.filter(|unit| experiment.starts[0].0.rules.unit_type(unit).is_some());
        let is_about = |measure: &Measure| match measure {
            Measure::Unit(of, TypeMeasure::WinShare | TypeMeasure::Uses(_)) => Some(of.as_str()) == unit,
            Measure::First => unit.is_none(),
            Measure::Draws | Measure::Length(_) => true,
            _ => false,
        };
        wanted.retain(is_about);
        wanted.sort_by_key(|measure| !matches!(measure, Measure::Unit(..)));
    }
    Ok(Sweep::of(&tally, (dial, base), values, &wanted))
}

impl Curve {
    /// The curve between the lines of its band, for a terminal of so many columns.
    fn chart(&self, dial: &str, columns: Option<usize>) -> String {
        let is_share = self.measure.is_share();
        let scale = if is_share { 100.0 } else { 1.0 };
        let point = |point: &SweepPoint| ChartPoint {
            label: point.value.clone(),
            group: 0,
            value: point.level.value * scale,
            range: (
                point.level.interval.low * scale,
                point.level.interval.high * scale,
            ),
        };
        let points: Vec<ChartPoint> = self.points.iter().map(point).collect();
        let unit = if is_share { ", in per cent" } else { "" };
        format!(
            "{} by {dial}{unit}\n{}",
            self.measure.name(),
            chart::curve(&points, columns)
        )
    }
}

impl Sweep {
    /// Returns these measures of all arms of a tally, one for each value, and their changes from the arm `base`.
    pub fn of(tally: &Tally, (dial, base): (&str, usize), values: &[String], wanted: &[Measure]) -> Self {
        let curve = |measure: &Measure| {
            let point = |arm: usize| {
                let change = tally.difference(measure, base, arm).filter(|_| arm != base);
                Some(SweepPoint {
                    value: values[arm].clone(),
                    level: tally.level(measure, arm)?,
                    change: change.map(|found| Change::new(measure, found, tally.seeds, None)),
                })
            };
            Curve {
                measure: measure.clone(),
                points: (0..values.len()).filter_map(point).collect(),
            }
        };
        let mut curves: Vec<Curve> = wanted.iter().map(curve).collect();
        let points = curves.iter_mut().flat_map(|curve| &mut curve.points);
        judge(points.filter_map(|point| point.change.as_mut()), tally.seats());
        let mut notes = Vec::new();
        for (arm, value) in values.iter().enumerate() {
            let few = tally.few(&[base, arm], wanted);
            notes.extend(
                few.keys()
                    .map(|unit| format!("{unit}: {TOO_FEW} at {dial}={value}")),
            );
        }
        Sweep {
            dial: dial.to_owned(),
            games: tally.arms[0].games,
            base: values[base].clone(),
            values: values.to_vec(),
            curves,
            notes,
        }
    }

    /// Returns the report of it for a terminal of so many columns: two tables, and a chart for each measure.
    pub fn report(&self, columns: Option<usize>) -> Report {
        let mut head = vec![Column::from(self.dial.as_str())];
        for curve in &self.curves {
            head.extend([curve.measure.name().into(), "95 % band".into()]);
        }
        let mut rows = ReportTable::headed(head);
        let columns_of = [("measure", ""), ("value", ""), ("level", ""), ("interval", "")];
        let mut levels = ReportTable::headed(columns_of);
        for value in &self.values {
            let mut row = vec![Cell::from(value.as_str())];
            for curve in &self.curves {
                let point = curve.points.iter().find(|p| p.value == *value);
                let Some(SweepPoint { level: found, .. }) = point else {
                    row.extend([Cell::Nothing, Cell::Nothing]);
                    continue;
                };
                let cell = |number: f64| level(curve.measure.is_share(), number);
                let [low, high] = [found.interval.low, found.interval.high].map(cell);
                let band = Cell::from(found.interval).shown(format!("{} to {}", low.text(), high.text()));
                let cells = [cell(found.value), band];
                row.extend(cells.clone());
                levels.push(
                    [
                        vec![curve.measure.name().into(), value.as_str().into()],
                        cells.to_vec(),
                    ]
                    .concat(),
                );
            }
            rows.push(row);
        }
        let mut report = Report::of(rows)
            .with("dial", self.dial.as_str())
            .with("base", self.base.as_str())
            .with("games", self.games)
            .with("levels", &levels);
        let change = format!("change from {}", self.base);
        let mut head = Change::columns(["", "", &change]);
        head.insert(0, ("value", self.dial.as_str()).into());
        // The levels are in the table above.
        for at in [2, 3] {
            head[at] = Column::data(if at == 2 { "base" } else { "with" });
        }
        let mut rows = ReportTable::headed(head).keyed("changes");
        for point in self.curves.iter().flat_map(|c| c.points.iter()) {
            if let Some(change) = &point.change {
                rows.push([vec![point.value.as_str().into()], change.cells()].concat());
            }
        }
        if !rows.is_empty() {
            report.put(rows);
        }
        // Between words lies nothing that a line could lead through.
        let numbers = self.values.iter().all(|value| value.parse::<f64>().is_ok());
        let drawn = self
            .curves
            .iter()
            .filter(|curve| numbers && curve.points.len() > 1);
        report.extend(drawn.map(|curve| curve.chart(&self.dial, columns)));
        if !self.notes.is_empty() {
            report.put(self.notes.join("\n"));
        }
        report.with("notes", &self.notes)
    }
}
