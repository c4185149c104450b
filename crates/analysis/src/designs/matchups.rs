//! Armies of one type each against each other: who beats whom, and whether that goes in circles.

use crate::experiment::Experiment;
use crate::experiment::arm::{Arm, ArmyPolicy};
use crate::experiment::measure::Measure;
use crate::experiment::record::one_of_many;
use crate::report::Problems;
use crate::reports::{Cell, Column, Report, ReportTable};
use crate::row;
use crate::rules::workspace::Workspace;
use crate::stats::{Interval, wilson};

/// One type against another.
#[derive(Debug, Clone)]
pub struct Matchup {
    /// The type.
    pub unit: String,
    /// Against whom; the same in a mirror, where it is told how often the first faction wins.
    pub against: String,
    /// Its share of points: 1 for a win, a half for a draw; none where nothing was played.
    pub share: Option<f64>,
    /// With 95 % certainty.
    pub interval: Interval,
    /// Number of games that were drawn or cut off.
    pub undecided: u64,
    /// Number of games.
    pub games: u64,
    /// As many by themselves would tell as much.
    worth: f64,
    /// Whether all of its games were played.
    is_whole: bool,
    /// Whether it is surely outside the band that is wanted.
    pub outside: bool,
    /// Warning if too little is left to chance.
    pub warning: Option<String>,
}

/// Every type against every other.
#[derive(Debug, Clone)]
pub struct Matchups {
    /// Agents that played.
    pub agents: String,
    /// The types.
    pub types: Vec<String>,
    /// Each pair once, the earlier type first.
    pub cells: Vec<Matchup>,
    /// Each type against itself.
    pub mirrors: Vec<Matchup>,
    /// The band that is wanted.
    pub band: (f64, f64),
    /// Of all that shares differ from a half, how much no order of strength can say: 0 is an order, 1 a circle.
    /// The residual of the least-squares ranking on the complete graph (X. Jiang, L.-H. Lim, Y. Yao and Y. Ye,
    /// Mathematical Programming 127, 2011).
    /// None where a pair was not played.
    pub cyclic: Option<f64>,
    /// Cyclic share that chance alone would produce if the types had an order.
    pub by_chance: Option<f64>,
    /// Circles of three in which each surely beats the next.
    pub circles: Vec<[String; 3]>,
}

/// Plays every pair of types in both seats, and every mirror; of two sides with the same agents.
///
/// # Errors
///
/// Rules that cannot be loaded or fail.
pub fn matchups(
    workspace: &Workspace,
    arm: &Arm,
    types: &[String],
    band: (f64, f64),
    threads: Option<usize>,
) -> Result<Matchups, Problems> {
    let (mut cells, mut mirrors) = (Vec::new(), Vec::new());
    let all = types.len() * (types.len() + 1) / 2;
    for (index, unit) in types.iter().enumerate() {
        for against in &types[index..] {
            let mut arm = arm.clone();
            arm.armies = ArmyPolicy::Uniform(vec![unit.clone(), against.clone()]);
            arm.swap = unit != against;
            let planned = arm.seeds() * arm.seats();
            let nth = cells.len() + mirrors.len() + 1;
            let what = format!("pair {nth} of {all}, games of {unit} against {against}");
            let tally = Experiment::new(workspace, vec![arm], threads)?.measure(&what, &[], |_, _| true)?;
            // Of two that are the same, the one that is first is looked at.
            let (measure, all) = match unit == against {
                true => (Measure::FirstPoints, &mut mirrors),
                false => (Measure::Points, &mut cells),
            };
            let level = tally.level(&measure, 0);
            // Where nothing was played it may be anything.
            let interval = level.map_or(wilson(0.0, 0.0), |level| level.interval);
            let games = tally.arms[0].games;
            let decided = tally
                .sums(&Measure::Decided)
                .and_then(|sums| sums.mean(0))
                .unwrap_or(0.0);
            all.push(Matchup {
                unit: unit.clone(),
                against: against.clone(),
                share: level.map(|level| level.value),
                interval,
                undecided: ((1.0 - decided) * games as f64).round() as u64,
                games,
                is_whole: games == planned,
                worth: tally.sums(&measure).map_or(0.0, |sums| sums.worth(0)),
                outside: interval.low > band.1 || interval.high < band.0,
                warning: tally.arms[0].distinct.warning(),
            });
        }
    }
    let cyclic = cyclic(types, &cells);
    Ok(Matchups {
        agents: arm.agents_text(),
        types: types.to_vec(),
        circles: circles(types, &cells),
        cells,
        mirrors,
        band,
        cyclic: cyclic.map(|(cyclic, _)| cyclic),
        by_chance: cyclic.map(|(_, by_chance)| by_chance),
    })
}

/// By how much more than a half a type wins against another.
fn edge(cells: &[Matchup], a: &str, b: &str) -> f64 {
    let found = cells
        .iter()
        .find_map(|c| match (c.unit.as_str(), c.against.as_str()) {
            (u, v) if (u, v) == (a, b) => Some(c.share? - 0.5),
            (u, v) if (u, v) == (b, a) => Some(0.5 - c.share?),
            _ => None,
        });
    found.unwrap_or(0.0)
}

/// The share of what no ranking explains, and what chance alone would leave of it; none where a pair was not played.
fn cyclic(types: &[String], cells: &[Matchup]) -> Option<(f64, f64)> {
    let n = types.len() as f64;
    // On the complete graph the least-squares strengths are the means of the rows.
    let strength = |a: &String| types.iter().map(|b| edge(cells, a, b)).sum::<f64>() / n;
    let (mut whole, mut rest, mut chance) = (0.0, 0.0, 0.0);
    for cell in cells {
        let is = cell.share? - 0.5;
        let ranked = strength(&cell.unit) - strength(&cell.against);
        whole += is * is;
        rest += (is - ranked).powi(2);
        chance += (0.25 - is * is) / cell.worth.max(1.0);
    }
    if whole == 0.0 {
        return Some((0.0, 0.0));
    }
    // Of as many numbers as there are pairs, a ranking takes one less than there are types.
    let left = (cells.len() as f64 - (n - 1.0)) / (cells.len() as f64).max(1.0);
    Some((rest / whole, (chance * left / whole).min(1.0)))
}

fn circles(types: &[String], cells: &[Matchup]) -> Vec<[String; 3]> {
    let beats = |a: &String, b: &String| {
        cells.iter().any(|c| {
            c.unit == *a && c.against == *b && c.interval.low > 0.5
                || c.unit == *b && c.against == *a && c.interval.high < 0.5
        })
    };
    let mut found = Vec::new();
    for (i, a) in types.iter().enumerate() {
        for b in &types[i + 1..] {
            for c in &types[i + 1..] {
                if beats(a, b) && beats(b, c) && beats(c, a) {
                    found.push([a.clone(), b.clone(), c.clone()]);
                }
            }
        }
    }
    found
}

impl Matchups {
    /// All pairs and mirrors.
    fn all(&self) -> impl Iterator<Item = &Matchup> {
        self.cells.iter().chain(&self.mirrors)
    }

    /// Returns the number of games played.
    pub fn games(&self) -> u64 {
        self.all().map(|c| c.games).sum()
    }

    /// Returns the number of games that each pair of types played; `None` if a pair was stopped on the way.
    pub fn games_each(&self) -> Option<u64> {
        let first = self.all().next()?;
        self.all().all(|c| c.is_whole).then_some(first.games)
    }

    /// A pair as somebody reads it who asks how often one wins against another.
    pub fn pair_text(&self, unit: &str, against: &str) -> Option<String> {
        self.cells.iter().find_map(|c| {
            let turned = c.unit == against && c.against == unit;
            let share = c.share?;
            let (share, low, high) = match turned {
                true => (1.0 - share, 1.0 - c.interval.high, 1.0 - c.interval.low),
                false => (share, c.interval.low, c.interval.high),
            };
            let own = turned || c.unit == unit && c.against == against;
            own.then(|| {
                let mark = if c.outside { "!" } else { "" };
                format!(
                    "{:.0} ({:.0}-{:.0}){mark}",
                    share * 100.0,
                    low * 100.0,
                    high * 100.0
                )
            })
        })
    }

    /// Describes the strength of a circle: the result of each type against the next, and whether all of them surely
    /// win.
    pub fn circle(&self, types: &[String]) -> (Vec<String>, Option<bool>) {
        let next = |index: usize| &types[(index + 1) % types.len()];
        let mut lines = Vec::new();
        let (mut all, mut none) = (true, false);
        for (index, unit) in types.iter().enumerate() {
            let against = next(index);
            lines.push(format!(
                "{unit} against {against} {}",
                self.pair_text(unit, against)
                    .unwrap_or_else(|| "not played".to_owned())
            ));
            let cell = self.cells.iter().find(|c| {
                c.unit == *unit && c.against == *against || c.unit == *against && c.against == *unit
            });
            let Some(c) = cell else {
                all = false;
                continue;
            };
            let (low, high) = match c.unit == *unit {
                true => (c.interval.low, c.interval.high),
                false => (1.0 - c.interval.high, 1.0 - c.interval.low),
            };
            all &= low > 0.5;
            none |= high < 0.5;
        }
        (lines, if none { Some(false) } else { all.then_some(true) })
    }

    /// Returns the facts of it, as tables for programs.
    fn facts(&self) -> Report {
        let table = |cells: &[Matchup]| {
            let columns = [
                "unit",
                "against",
                "share",
                "interval",
                "undecided",
                "games",
                "outside",
            ];
            let mut table = ReportTable::headed(columns.map(Column::data));
            for cell in cells {
                table.push(row![
                    cell.unit.as_str(),
                    cell.against.as_str(),
                    cell.share,
                    cell.interval,
                    cell.undecided,
                    cell.games,
                    cell.outside,
                ]);
            }
            table
        };
        let circles = self.circles.iter().map(Cell::list);
        Report::default()
            .with("agents", self.agents.as_str())
            .with("pairs", table(&self.cells))
            .with("mirrors", table(&self.mirrors))
            .with("cyclic_share", self.cyclic)
            .with("cyclic_share_by_chance", self.by_chance)
            .with("circles", Cell::list(circles))
    }

    /// Returns the report of it.
    pub fn report(&self) -> Report {
        let columns = std::iter::once(String::new()).chain(self.types.clone());
        let mut rows = ReportTable::headed(columns.map(Column::from));
        for unit in &self.types {
            let cells = self.types.iter().map(|against| self.pair_text(unit, against));
            rows.push(std::iter::once(unit.clone()).chain(cells.map(Option::unwrap_or_default)));
        }
        let mut report = self.facts();
        report.put(rows);
        report.put(format!(
            "how often the row wins against the column, draws by half, in per cent, with its 95 % interval; ! is surely \
             outside {:.0} to {:.0}",
            self.band.0 * 100.0,
            self.band.1 * 100.0
        ));
        let mut rows = ReportTable::headed(["mirror", "first wins", "undecided"]);
        for (mirror, share) in self.mirrors.iter().filter_map(|m| Some((m, m.share?))) {
            let (low, high) = (mirror.interval.low * 100.0, mirror.interval.high * 100.0);
            let undecided = mirror.undecided as f64 * 100.0 / mirror.games.max(1) as f64;
            rows.push([
                mirror.unit.clone(),
                format!("{:.0} ({low:.0}-{high:.0})", share * 100.0),
                format!("{undecided:.0} %"),
            ]);
        }
        if !rows.is_empty() {
            report.put(rows);
        }
        let cut = self.all().filter(|c| !c.is_whole).count();
        if cut > 0 {
            let all = self.all().count();
            report.put(format!("{cut} of {all} pairs were not played to the end"));
        }
        let undecided: u64 = self.cells.iter().map(|c| c.undecided).sum();
        let games: u64 = self.cells.iter().map(|c| c.games).sum();
        if games > 0 {
            report.put(format!(
                "{:.0} % of the games between types are drawn or cut off",
                undecided as f64 * 100.0 / games as f64
            ));
        }
        let circles = self
            .circles
            .iter()
            .map(|[a, b, c]| format!("{a} > {b} > {c} > {a}"));
        let circles = match self.circles.is_empty() {
            true => "no circle of three is sure".to_owned(),
            false => format!("circles: {}", circles.collect::<Vec<_>>().join("; ")),
        };
        report.put(match (self.cyclic, self.by_chance) {
            (Some(cyclic), Some(by_chance)) => format!(
                "cyclic share {cyclic:.2}: 0 is an order in which strengths add up, 1 all circles; an order that holds \
                 in every game leaves 0.1 (three types) to 0.3 (many), and chance alone about {by_chance:.2}; {circles}"
            ),
            _ => format!("not every pair was played, so there is no cyclic share; {circles}"),
        });
        report.extend(one_of_many(self.all().filter_map(|c| {
            let of = format!("{} against {}", c.unit, c.against);
            Some((of, c.warning.clone()?))
        })));
        report
    }

    /// Returns whether each of the types surely beats the next and the last the first, as a line and as facts.
    pub fn circle_report(&self, types: &[String], variant: &str) -> (String, Report) {
        let (edges, holds) = self.circle(types);
        let verdict = match holds {
            Some(true) => "holds",
            Some(false) => "does not hold",
            None => "cannot tell yet",
        };
        let with = match variant {
            "" => "as it is".to_owned(),
            _ => format!("with {variant}"),
        };
        let line = format!(
            "{verdict:15} {with}, {} agents: {}",
            self.agents,
            edges.join(", ")
        );
        (line, self.facts().with("circle_holds", holds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(shares: &[(&str, &str, f64)]) -> (Vec<String>, Vec<Matchup>) {
        let types = ["a", "b", "c"].map(str::to_owned).to_vec();
        let cell = |(unit, against, share): &(&str, &str, f64)| Matchup {
            unit: (*unit).to_owned(),
            against: (*against).to_owned(),
            share: Some(*share),
            interval: wilson(share * 400.0, 400.0),
            undecided: 0,
            games: 400,
            worth: 400.0,
            is_whole: true,
            outside: false,
            warning: None,
        };
        (types, shares.iter().map(cell).collect())
    }

    #[test]
    fn a_circle_is_all_cyclic_and_an_order_not_at_all() {
        let (types, cells) = matrix(&[("a", "b", 0.7), ("b", "c", 0.7), ("a", "c", 0.3)]);
        let of = |cells: &[Matchup]| cyclic(&types, cells).expect("all were played").0;
        assert!((of(&cells) - 1.0).abs() < 1e-9);
        assert_eq!(circles(&types, &cells), [["a", "b", "c"].map(str::to_owned)]);
        let (_, cells) = matrix(&[("a", "b", 0.6), ("b", "c", 0.6), ("a", "c", 0.7)]);
        assert!(of(&cells) < 1e-9);
        assert!(circles(&types, &cells).is_empty());
    }
}
