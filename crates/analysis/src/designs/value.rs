//! Contribution of a unit of each type to winning, compared with its cost.
//!
//! In every game the armies differ; what a side gets for the game (1, a half or 0) is explained by how many more
//! units of each type it fields than its opponents, by being first, and by which faction it
//! is. That is the adjusted plus-minus of team sports (D. T. Rosenbaum, Measuring how NBA players help their teams
//! win, 2004): least squares, and whoever fields the type often with strong companions gets no credit for them.
//! How sure it is, is told by leaving out groups of seeds.
//!
//! A cost is held against the line through the costs and worths of the other types, and only where that line surely
//! rises. The costs that then fit a unit are an interval (E. C. Fieller, Some problems in interval estimation, 1954):
//! a unit that costs too much still does at any higher cost.

use crate::experiment::Experiment;
use crate::experiment::measure::{Measure, TypeMeasure};
use crate::experiment::problems;
use crate::experiment::record::GameRecord;
use crate::report::{Problems, hint_for};
use crate::reports::{Cell, Column, Report, ReportTable};
use crate::stats::{Estimate, Interval, SURE, least_squares};
use crate::suite::problems::unknown_name;
use crate::{facts, row};

/// Number of groups of seeds that are left out in turn.
const GROUPS: usize = 50;

/// Worth of one unit type.
#[derive(Debug, Clone)]
pub struct UnitWorth {
    /// The type.
    pub unit: String,
    /// Mean number of these units per game.
    pub a_game: f64,
    /// By how much the share of wins grows with one more of it, in place of an average unit where armies are of
    /// one size.
    pub value: f64,
    /// With 95 % certainty.
    pub interval: Interval,
    /// Cost of a unit.
    pub cost: Option<i64>,
    /// Additional worth, compared with what other types give for that cost.
    pub beyond: Option<WorthAboveCost>,
    /// In words.
    pub verdict: String,
}

/// Additional worth of a unit, compared with what its cost buys by the line through the other types' costs and worths.
#[derive(Debug, Clone)]
pub struct WorthAboveCost {
    /// By how much the share of wins grows beyond that.
    pub by: f64,
    /// With 95 % certainty.
    pub interval: Interval,
    /// By how much the share of wins grows with a cost of 1, among the other types.
    pub slope: (f64, Interval),
    /// The greater of two probabilities: of so large a difference, and of so steep a line, by chance. Then the same
    /// times the number of types.
    pub p: (f64, f64),
    /// The cost on the line, where the line surely rises.
    pub fair: Option<f64>,
    /// Types that differ as surely, and without which this one does not.
    pub unless: Vec<String>,
}

/// Worth of all types.
#[derive(Debug, Clone)]
pub struct ValueReport {
    /// Number of games.
    pub games: u64,
    /// By type.
    pub units: Vec<UnitWorth>,
    /// Types that no game tells anything of.
    pub untold: Vec<String>,
    /// By how much the share of wins grows by being first, where that changes hands.
    pub first: Option<(f64, Interval)>,
    /// By how much the share of wins grows with a cost of 1.
    pub a_point: Option<(f64, Interval)>,
    /// Other notes.
    pub notes: Vec<String>,
    /// Warning if too little is left to chance.
    pub warning: Option<String>,
}

/// Normal equations of some games.
#[derive(Clone)]
struct Normal {
    products: Vec<Vec<f64>>,
    right: Vec<f64>,
}

impl Normal {
    fn new(wide: usize) -> Self {
        Self {
            products: vec![vec![0.0; wide]; wide],
            right: vec![0.0; wide],
        }
    }

    fn add(&mut self, row: &[f64], y: f64) {
        for (i, x) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            self.right[i] += x * y;
            self.products[i]
                .iter_mut()
                .zip(row)
                .for_each(|(sum, z)| *sum += x * z);
        }
    }

    fn join(&mut self, other: &Self, sign: f64) {
        let rows = self.products.iter_mut().zip(&other.products);
        rows.for_each(|(a, b)| a.iter_mut().zip(b).for_each(|(x, y)| *x += sign * y));
        self.right
            .iter_mut()
            .zip(&other.right)
            .for_each(|(x, y)| *x += sign * y);
    }
}

/// Returns the ratio of a value's distance from the mean of the others to its distance from the mean of all.
fn apart(factions: usize) -> f64 {
    factions as f64 / factions.saturating_sub(1).max(1) as f64
}

/// A game as rows: of each faction how many more units of each type it has than the others in the mean, how much
/// more it is first, which faction it is, and how much more than its part of the game it gets.
fn rows(record: &GameRecord, factions: &[String], types: &[String]) -> Vec<(Vec<f64>, f64)> {
    let sides = factions.len() as f64;
    let width = types.len() + 1 + factions.len();
    let mut counts = vec![vec![0.0; width]; factions.len()];
    for unit in &record.units {
        let at = factions.iter().position(|f| *f == unit.faction);
        if let (Some(at), Some(kind)) = (at, types.iter().position(|t| *t == unit.unit)) {
            counts[at][kind] += f64::from(unit.fielded);
        }
    }
    for (nth, (count, faction)) in counts.iter_mut().zip(factions).enumerate() {
        count[types.len()] = f64::from(*faction == record.first);
        count[types.len() + 1 + nth] = 1.0;
    }
    let means: Vec<f64> = (0..width)
        .map(|c| counts.iter().map(|r| r[c]).sum::<f64>() / sides)
        .collect();
    let fair = 1.0 / sides;
    let apart = apart(factions.len());
    let differ = |row: &Vec<f64>| {
        row.iter()
            .zip(&means)
            .map(|(x, mean)| (x - mean) * apart)
            .collect()
    };
    counts
        .iter()
        .zip(factions)
        .map(|(row, faction)| (differ(row), record.points(faction, factions.len()) - fair))
        .collect()
}

/// Least squares over all games, and over all but each group of seeds.
struct CostFit {
    whole: Vec<f64>,
    without: Vec<Vec<f64>>,
}

impl CostFit {
    fn of(parts: &[Normal]) -> Self {
        let solved = |normal: &Normal| least_squares(&normal.products, &normal.right);
        let mut whole = Normal::new(parts[0].right.len());
        parts.iter().for_each(|part| whole.join(part, 1.0));
        let without = parts.iter().map(|part| {
            let mut rest = whole.clone();
            rest.join(part, -1.0);
            solved(&rest)
        });
        Self {
            without: without.collect(),
            whole: solved(&whole),
        }
    }

    /// A number that follows from the solution.
    fn estimate(&self, number: impl Fn(&[f64]) -> f64) -> Estimate {
        let without: Vec<f64> = self.without.iter().map(|values| number(values)).collect();
        Estimate::jackknife(number(&self.whole), &without)
    }

    /// Slope of the line through the costs and values of these types.
    fn slope(&self, types: &[PricedType]) -> Estimate {
        self.estimate(|values| CostLine::through(types, values).slope)
    }

    /// Returns the height of a type's value above the line through the others, with its certainty among this many
    /// types.
    fn above(&self, (kind, cost): PricedType, others: &[PricedType], among: usize) -> WorthAboveCost {
        let slope = self.slope(others);
        let off = self.estimate(|values| values[kind] - CostLine::through(others, values).at(cost));
        let p = match slope.value > 0.0 {
            true => off.p().max(slope.p()),
            false => 1.0,
        };
        WorthAboveCost {
            by: off.value,
            interval: off.interval,
            slope: (slope.value, slope.interval),
            // Not Holm's correction: a cost that is surely wrong stays so whatever is found of the others.
            p: (p, (p * among as f64).min(1.0)),
            fair: (slope.interval.low > 0.0).then(|| cost + off.value / slope.value),
            unless: Vec::new(),
        }
    }

    /// The same of each of these types, held against all others.
    fn beyond(&self, types: &[PricedType], names: &[String]) -> Vec<WorthAboveCost> {
        let against_all_but = |one: PricedType, left_out: Option<usize>| {
            let others = types
                .iter()
                .filter(|(kind, _)| *kind != one.0 && Some(*kind) != left_out);
            self.above(one, &others.copied().collect::<Vec<_>>(), types.len())
        };
        let mut all: Vec<WorthAboveCost> = types.iter().map(|one| against_all_but(*one, None)).collect();
        // One wrong cost bends the lines of all others.
        let surely = types.iter().zip(&all).filter(|(_, found)| found.is_sure());
        let surely: Vec<PricedType> = surely.map(|(one, _)| *one).collect();
        for (one, found) in types.iter().zip(&mut all).filter(|(_, found)| found.is_sure()) {
            let holds = |other: &PricedType| {
                let again = against_all_but(*one, Some(other.0));
                again.is_sure() && again.by * found.by > 0.0
            };
            let others = surely.iter().filter(|other| other.0 != one.0);
            found.unless = others
                .filter(|other| !holds(other))
                .map(|(kind, _)| names[*kind].clone())
                .collect();
        }
        all
    }
}

/// A type by its number, and its cost.
type PricedType = (usize, f64);

/// The line through costs and values.
struct CostLine {
    slope: f64,
    cost: f64,
    value: f64,
}

impl CostLine {
    fn through(types: &[PricedType], values: &[f64]) -> Self {
        let mean = |of: &dyn Fn(&PricedType) -> f64| types.iter().map(of).sum::<f64>() / types.len() as f64;
        let (cost, value) = (mean(&|(_, cost)| *cost), mean(&|(kind, _)| values[*kind]));
        let spread = mean(&|(_, c)| (c - cost).powi(2));
        let along = mean(&|(kind, c)| (c - cost) * (values[*kind] - value));
        Self {
            slope: if spread > 0.0 { along / spread } else { 0.0 },
            cost,
            value,
        }
    }

    fn at(&self, cost: f64) -> f64 {
        self.value + self.slope * (cost - self.cost)
    }
}

/// Plays, and says what units are worth; with what each costs by a stat of that name.
///
/// # Errors
///
/// A stat that no type has; games in which armies never differ, or too few of them; rules that cannot be loaded or
/// fail.
pub fn value(experiment: &Experiment<'_>, cost: Option<&str>) -> Result<ValueReport, Problems> {
    let (arm, rules) = (&experiment.arms[0], &experiment.starts[0].0.rules);
    let types: Vec<String> = rules.types.iter().map(|t| t.name.clone()).collect();
    let stat = match cost {
        Some(name) => Some(rules.stat(name).ok_or_else(|| {
            unknown_name("stat", name).hint(hint_for(name, rules.stats.iter().map(String::as_str)))
        })?),
        None => None,
    };
    let groups = GROUPS.min(arm.seeds() as usize);
    if groups < 10 {
        return Err(problems::too_few_games(arm.games, 10 * arm.seats()).into());
    }
    let wide = types.len() + 1 + rules.factions.len();
    let mut parts = vec![Normal::new(wide); groups];
    // Of what is the same in every game, no game tells what it is worth.
    let (mut varies, mut begun) = (vec![false; wide], None);
    let tally = experiment.measure("games", &[], |tally, games| {
        for record in &games[0] {
            let made = rows(record, &rules.factions, &types);
            let one = begun.get_or_insert_with(|| made.clone());
            for ((is, _), (was, _)) in made.iter().zip(one) {
                let pairs = varies.iter_mut().zip(is.iter().zip(was.iter()));
                pairs.for_each(|(varies, (is, was))| *varies |= is != was);
            }
            for (row, y) in &made {
                parts[(tally.seeds as usize - 1) % groups].add(row, *y);
            }
        }
        true
    })?;
    let games = tally.arms[0].games;
    let (measured, untold): (Vec<usize>, Vec<usize>) = (0..types.len()).partition(|t| varies[*t]);
    if measured.is_empty() {
        return Err(problems::constant_armies().into());
    }
    let cost_of = |kind: usize| stat.and_then(|stat| rules.types[kind].stats[stat]);
    let costs: Vec<PricedType> = measured
        .iter()
        .filter_map(|t| Some((*t, cost_of(*t)? as f64)))
        .collect();
    let mut notes = tally.arms[0].seat_lines();
    if let (Some(name), 0..=2) = (cost, costs.len()) {
        notes.push(format!(
            "fewer than three of the measured types have the stat `{name}`, so values cannot be compared with costs"
        ));
    }
    let costs = stat.map(|_| &costs[..]).filter(|costs| costs.len() > 2);
    let fit = CostFit::of(&parts);
    let beyond = costs.map_or_else(Vec::new, |costs| fit.beyond(costs, &types));
    let fielded = |kind: usize| {
        let units = Measure::Unit(types[kind].clone(), TypeMeasure::Survival);
        tally.sums(&units).map_or(0.0, |sums| sums.over(0))
    };
    let units = measured.iter().map(|kind| {
        let worth = fit.estimate(|values| values[*kind]);
        let nth = costs.and_then(|costs| costs.iter().position(|(t, _)| t == kind));
        let beyond = nth.map(|nth| beyond[nth].clone());
        UnitWorth {
            unit: types[*kind].clone(),
            a_game: fielded(*kind) / games.max(1) as f64,
            value: worth.value,
            interval: worth.interval,
            cost: cost_of(*kind),
            verdict: beyond.as_ref().map_or_else(String::new, WorthAboveCost::verdict),
            beyond,
        }
    });
    let mut units: Vec<UnitWorth> = units.collect();
    units.sort_by(|a, b| b.value.total_cmp(&a.value));
    let first = fit
        .estimate(|values| values[types.len()])
        .times(apart(rules.factions.len()));
    let slope = costs.map(|costs| fit.slope(costs));
    Ok(ValueReport {
        games,
        units,
        untold: untold.into_iter().map(|t| types[t].clone()).collect(),
        first: varies[types.len()].then_some((first.value, first.interval)),
        a_point: slope.map(|slope| (slope.value, slope.interval)),
        notes,
        warning: tally.arms[0].distinct.warning(),
    })
}

impl WorthAboveCost {
    /// Whether the cost, or that of a type in `unless`, is wrong: sure among all types.
    pub fn is_sure(&self) -> bool {
        self.p.1 < 1.0 - SURE
    }

    fn verdict(&self) -> String {
        let Some(fair) = self.fair else {
            return "dearer units do not surely win more here, so prices say nothing".to_owned();
        };
        let (low, high) = (self.interval.low * 100.0, self.interval.high * 100.0);
        let (least, most) = (low.abs().min(high.abs()), low.abs().max(high.abs()));
        let way = if self.by > 0.0 {
            "underpriced"
        } else {
            "overpriced"
        };
        match (self.is_sure(), self.p.0 < 1.0 - SURE) {
            (true, _) if !self.unless.is_empty() => {
                format!("{way}, unless the cost of {} is wrong", self.unless.join(" or "))
            }
            (true, _) => format!("{way} by {least:.1} to {most:.1} points; a cost of {fair:.1} would fit"),
            (_, true) => format!("perhaps {way}; among so many types that may be chance"),
            _ => format!("cannot tell yet; more than {most:.1} points are ruled out"),
        }
    }
}

impl ValueReport {
    /// Returns the report of it.
    pub fn report(&self) -> Report {
        let signed = |points: f64| format!("{:+.1}", points * 100.0);
        let range = |i: &Interval| format!("{} to {}", signed(i.low), signed(i.high));
        let mut rows = ReportTable::headed([
            ("unit", "unit").into(),
            ("units_a_game", "a game").into(),
            ("worth", "worth").into(),
            ("interval", "95 % interval").into(),
            ("cost", "cost").into(),
            Column::from("beyond its cost"),
            Column::data("beyond_cost"),
            ("verdict", "").into(),
        ]);
        for unit in &self.units {
            let beyond = unit.beyond.as_ref();
            let shown = beyond.filter(|beyond| beyond.fair.is_some());
            rows.push(row![
                unit.unit.as_str(),
                unit.a_game,
                Cell::from(unit.value).shown(signed(unit.value)),
                Cell::from(unit.interval).shown(range(&unit.interval)),
                unit.cost,
                shown.map(|beyond| format!("{} ({})", signed(beyond.by), range(&beyond.interval))),
                beyond.map(|beyond| {
                    facts! {
                        worth: beyond.by,
                        interval: beyond.interval,
                        p: beyond.p.0,
                        p_corrected: beyond.p.1,
                        fitting_cost: beyond.fair,
                        unless: &beyond.unless,
                    }
                }),
                unit.verdict.as_str(),
            ]);
        }
        let mut notes = vec![
            "worth: by how many points the share of wins grows with one more of it; where armies have one size, in \
             place of an average unit (least squares over all games, as adjusted plus-minus counts players; intervals \
             by leaving out groups of seeds)"
                .to_owned(),
        ];
        if let Some((by, interval)) = &self.a_point {
            notes.push(format!(
                "a cost of 1 buys {} points ({}); beyond its cost: what a unit is worth more than the line through \
                 the costs and worths of the other types says, sure among {} types (Bonferroni)",
                signed(*by),
                range(interval),
                self.units.iter().filter(|u| u.beyond.is_some()).count()
            ));
        }
        if let Some((by, interval)) = &self.first {
            notes.push(format!(
                "being first: {} points ({})",
                signed(*by),
                range(interval)
            ));
        }
        if !self.untold.is_empty() {
            notes.push(format!(
                "never fielded, or the same in every game: {}",
                self.untold.join(", ")
            ));
        }
        notes.extend(self.notes.iter().chain(&self.warning).cloned());
        let estimate = |found: Option<(f64, Interval)>| {
            found.map(|(value, interval)| facts! { value: value, interval: interval })
        };
        let mut report = Report::of(rows.keyed("units"))
            .with("games", self.games)
            .with("being_first", estimate(self.first))
            .with("cost_of_1", estimate(self.a_point))
            .with("not_measured", &self.untold)
            .with(
                "notes",
                Cell::list(self.notes.iter().chain(&self.warning).map(String::as_str)),
            );
        report.put(notes.join("\n"));
        report
    }

    /// Returns the worth of a type.
    pub fn of(&self, unit: &str) -> Option<&UnitWorth> {
        self.units.iter().find(|u| u.unit == unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::record::FieldedUnits;
    use crate::kernel::dice::RollKey;

    const TYPES: [&str; 5] = ["a", "b", "c", "d", "e"];

    /// Games between two sides of three units drawn by chance; what the units are worth adds up.
    fn played(seed: u64, games: u64, worth: &[f64; 5]) -> CostFit {
        let (factions, types) = (["red", "blue"].map(str::to_owned), TYPES.map(str::to_owned));
        let mut parts = vec![Normal::new(types.len() + 1 + factions.len()); GROUPS];
        for game in 0..games {
            let key = RollKey::new(seed).with(game);
            let mut record = GameRecord {
                first: factions[key.with(99).below(2)].clone(),
                ..GameRecord::default()
            };
            let mut chance = 0.5;
            for nth in 0..6 {
                let (kind, owner) = (key.with(nth).below(types.len()), nth as usize % 2);
                chance += if owner == 0 { worth[kind] } else { -worth[kind] };
                record.units.push(FieldedUnits {
                    faction: factions[owner].clone(),
                    unit: types[kind].clone(),
                    fielded: 1,
                    ..FieldedUnits::default()
                });
            }
            let red = (key.with(100).below(100_000) as f64) < chance * 100_000.0;
            record.winner = Some(factions[usize::from(!red)].clone());
            for (row, y) in rows(&record, &factions, &types) {
                parts[game as usize % GROUPS].add(&row, y);
            }
        }
        CostFit::of(&parts)
    }

    fn judged(fit: &CostFit, costs: &[f64; 5]) -> Vec<WorthAboveCost> {
        let priced: Vec<PricedType> = costs.iter().copied().enumerate().collect();
        fit.beyond(&priced, &TYPES.map(str::to_owned))
    }

    #[test]
    fn right_costs_are_called_wrong_in_at_most_5_of_100_studies() {
        let sure = (0..200).filter(|seed| {
            let fit = played(*seed, 600, &[0.0, 0.03, 0.06, 0.09, 0.12]);
            judged(&fit, &[1.0, 2.0, 3.0, 4.0, 5.0])
                .iter()
                .any(WorthAboveCost::is_sure)
        });
        // 10 are expected at most, and more than 20 in one of 1,000 such tests.
        let sure = sure.count();
        assert!(sure <= 20, "{sure} of 200");
    }

    #[test]
    fn where_no_unit_wins_more_its_cost_says_nothing() {
        let studies = (0..200).map(|seed| {
            let found = judged(&played(seed, 600, &[0.0; 5]), &[1.0, 2.0, 3.0, 4.0, 5.0]);
            let fair = found.iter().filter(|unit| unit.fair.is_some()).count();
            (fair, found.iter().any(WorthAboveCost::is_sure))
        });
        let studies: Vec<(usize, bool)> = studies.collect();
        // Each line surely rises by chance in 2.5 of 100 studies: 25 of 1,000 are expected.
        let rising: usize = studies.iter().map(|(fair, _)| fair).sum();
        assert!(rising <= 60, "{rising} of 1000");
        let sure = studies.iter().filter(|(_, sure)| *sure).count();
        assert!(sure <= 3, "{sure} of 200");
    }

    #[test]
    fn a_unit_that_costs_too_much_is_found() {
        let (mut found, mut others) = (0, 0);
        let alone = |unit: &WorthAboveCost| unit.is_sure() && unit.unless.is_empty();
        for seed in 0..100 {
            let units = judged(
                &played(seed, 800, &[0.0, 0.03, 0.06, 0.09, 0.0]),
                &[1.0, 2.0, 3.0, 4.0, 4.0],
            );
            found += usize::from(alone(&units[4]) && units[4].by < 0.0);
            others += units[..4].iter().filter(|unit| alone(unit)).count();
        }

        assert!(found >= 80, "found in {found} of 100");
        assert!(
            others <= 10,
            "another was called wrong by itself in {others} of 100"
        );
    }

    #[test]
    fn no_higher_cost_clears_a_unit_that_costs_too_much() {
        let mut dear = 0;
        for seed in 0..200 {
            // So few games that lines hardly rise.
            let fit = played(seed, 250, &[0.0, 0.03, 0.06, 0.09, 0.0]);
            let of = |cost: f64| judged(&fit, &[1.0, 2.0, 3.0, 4.0, cost]).swap_remove(4);
            let first = of(4.0);
            if first.is_sure() && first.by < 0.0 {
                dear += 1;
                for cost in [4.5, 6.0, 8.0, 16.0, 1000.0] {
                    let dearer = of(cost);
                    assert!(
                        dearer.is_sure() && dearer.by < first.by,
                        "{seed}, {cost}: {dearer:?}"
                    );
                    assert_eq!(dearer.slope, first.slope, "its own cost bends no line");
                }
            }
            if let Some(fair) = first.fair {
                assert!(of(fair).by.abs() < 1e-9, "{fair} fits");
            }
        }

        assert!(dear >= 20, "{dear} of 200");
    }

    #[test]
    fn one_wrong_cost_leaves_the_others_in_doubt_only() {
        let fit = played(1, 50_000, &[0.0, 0.02, 0.04, 0.06, 0.08]);
        let found = judged(&fit, &[1.0, 2.0, 3.0, 4.0, 2.0]);
        let e = &found[4];
        assert!(e.is_sure() && e.unless.is_empty() && e.by > 0.0, "{e:?}");
        assert!(found[0].is_sure(), "the line bends: {:?}", found[0]);
        for unit in found[..4].iter().filter(|unit| unit.is_sure()) {
            assert!(unit.unless.iter().any(|name| name == "e"), "{unit:?}");
        }
    }
}
