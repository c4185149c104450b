//! Armies of one type each against each other: who beats whom, and whether that goes in circles.

use super::compare::agents_of;
use super::pairings::{self, PairingOptions};
use super::record::{DistinctGames, one_of_many};
use super::setting::{ArmyPolicy, GameRunner, Setting};
use crate::report::Problems;
use crate::reports::{Report, ReportTable};
use crate::rules::workspace::Workspace;
use crate::stats::{Interval, Paired, wilson};
use serde::Serialize;

/// One type against another.
#[derive(Debug, Clone, Serialize)]
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
    #[serde(skip)]
    worth: f64,
    /// Whether all of its games were played.
    #[serde(skip)]
    is_whole: bool,
    /// Whether it is surely outside the band that is wanted.
    pub outside: bool,
    /// Warning if too little is left to chance.
    pub warning: Option<String>,
}

/// Every type against every other.
#[derive(Debug, Clone, Serialize)]
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
    setting: &Setting,
    types: &[String],
    band: (f64, f64),
    threads: Option<usize>,
) -> Result<Matchups, Problems> {
    let factions = GameRunner::lay(workspace, setting)?
        .ruleset()
        .rules
        .factions
        .clone();
    let (mut cells, mut mirrors) = (Vec::new(), Vec::new());
    for (index, unit) in types.iter().enumerate() {
        for against in &types[index..] {
            let mirror = unit == against;
            let (nth, all) = (
                cells.len() + mirrors.len() + 1,
                types.len() * (types.len() + 1) / 2,
            );
            let how = PairingOptions {
                threads,
                watch: false,
                what: format!("pair {nth} of {all}, seeds of {unit} against {against}"),
            };
            let cell = cell(workspace, setting, &factions, (unit, against), band, &how)?;
            if mirror { &mut mirrors } else { &mut cells }.push(cell);
        }
    }
    let cyclic = cyclic(types, &cells);
    Ok(Matchups {
        agents: agents_of(setting),
        types: types.to_vec(),
        circles: circles(types, &cells),
        cells,
        mirrors,
        band,
        cyclic: cyclic.map(|(cyclic, _)| cyclic),
        by_chance: cyclic.map(|(_, by_chance)| by_chance),
    })
}

fn cell(
    workspace: &Workspace,
    setting: &Setting,
    factions: &[String],
    (unit, against): (&str, &str),
    band: (f64, f64),
    how: &PairingOptions,
) -> Result<Matchup, Problems> {
    let mut setting = setting.clone();
    let mut armies = vec![against.to_owned(); setting.agents.len()];
    unit.clone_into(&mut armies[0]);
    setting.armies = ArmyPolicy::Uniform(armies);
    setting.swap = unit != against;
    let planned = pairings::pairs_of(&setting) * setting.seats();
    let mut distinct = DistinctGames::default();
    let (mut sum, mut undecided, mut games) = (Paired::default(), 0, 0);
    let take = |pairing: &pairings::Pairing| {
        let mut points = 0.0;
        for (seat, record) in pairing.games[0].iter().enumerate() {
            games += 1;
            distinct.add(record);
            let own = match unit == against {
                // Of two that are the same, the one that is first is looked at.
                true => record.winner.as_ref().map(|w| *w == record.first),
                // In each game of a pairing the first side sits one faction farther.
                false => record.winner.as_ref().map(|w| *w == factions[seat]),
            };
            match own {
                Some(won) => points += f64::from(won),
                None => {
                    points += 0.5;
                    undecided += 1;
                }
            }
        }
        sum.add(&[points, pairing.games[0].len() as f64]);
        true
    };
    pairings::play(workspace, &[setting], how, take, String::new)?;
    // Where nothing was played it may be anything.
    let estimate = sum.estimate(0, true);
    let interval = estimate.map_or(wilson(0.0, 0.0), |(_, interval)| interval);
    Ok(Matchup {
        unit: unit.to_owned(),
        against: against.to_owned(),
        share: estimate.map(|(share, _)| share),
        interval,
        undecided,
        games,
        is_whole: games == planned,
        worth: sum.worth(0),
        outside: interval.low > band.1 || interval.high < band.0,
        warning: distinct.warning(),
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

    /// The page of it.
    pub fn page(&self) -> Report {
        let mut rows = ReportTable::headed(std::iter::once(String::new()).chain(self.types.clone()));
        for unit in &self.types {
            let mut row = vec![unit.clone()];
            row.extend(
                self.types
                    .iter()
                    .map(|against| self.pair_text(unit, against).unwrap_or_default()),
            );
            rows.push(row);
        }
        let mut page = Report::of(rows);
        page.put(format!(
            "how often the row wins against the column, draws by half, in per cent, with its 95 % interval; ! is surely \
             outside {:.0} to {:.0}",
            self.band.0 * 100.0,
            self.band.1 * 100.0
        ));
        let mut rows = ReportTable::headed(["mirror", "first wins", "undecided"]);
        for (mirror, share) in self.mirrors.iter().filter_map(|m| Some((m, m.share?))) {
            let (low, high) = (mirror.interval.low * 100.0, mirror.interval.high * 100.0);
            rows.push([
                mirror.unit.clone(),
                format!("{:.0} ({low:.0}-{high:.0})", share * 100.0),
                format!(
                    "{:.0} %",
                    mirror.undecided as f64 * 100.0 / mirror.games.max(1) as f64
                ),
            ]);
        }
        if !rows.is_empty() {
            page.put(rows);
        }
        let cut = self.all().filter(|c| !c.is_whole).count();
        if cut > 0 {
            page.put(format!(
                "{cut} of {} pairs were not played to the end",
                self.all().count()
            ));
        }
        let undecided: u64 = self.cells.iter().map(|c| c.undecided).sum();
        let games: u64 = self.cells.iter().map(|c| c.games).sum();
        if games > 0 {
            page.put(format!(
                "{:.0} % of the games between types are drawn or cut off",
                undecided as f64 * 100.0 / games as f64
            ));
        }
        let circles: Vec<String> = self
            .circles
            .iter()
            .map(|[a, b, c]| format!("{a} > {b} > {c} > {a}"))
            .collect();
        let circles = match circles.is_empty() {
            true => "no circle of three is sure".to_owned(),
            false => format!("circles: {}", circles.join("; ")),
        };
        page.put(match (self.cyclic, self.by_chance) {
            (Some(cyclic), Some(by_chance)) => format!(
                "cyclic share {cyclic:.2}: 0 is an order in which strengths add up, 1 all circles; an order that holds \
                 in every game leaves 0.1 (three types) to 0.3 (many), and chance alone about {by_chance:.2}; {circles}"
            ),
            _ => format!("not every pair was played, so there is no cyclic share; {circles}"),
        });
        page.extend(one_of_many(self.all().filter_map(|c| {
            let of = format!("{} against {}", c.unit, c.against);
            Some((of, c.warning.clone()?))
        })));
        page
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
