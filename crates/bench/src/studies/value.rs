//! What a unit of each type contributes to winning, beside what it costs.
//!
//! In every game the armies differ; what a side gets for the game (1, a half or 0) is explained by how many more
//! units of each type it fields than its opponents, by being first, and by which faction it
//! is. That is the adjusted plus-minus of team sports (D. T. Rosenbaum, Measuring how NBA players help their teams
//! win, 2004): least squares, and whoever fields the type often with strong companions gets no credit for them.
//! How sure it is, is told by leaving out groups of seeds.

use super::compare::{Seats, agents_of};
use super::pairings::{self, How};
use super::record::{Distinct, Record};
use super::setting::{Desk, Setting};
use crate::pages::{Page, Table};
use crate::report::{Problem, Problems, hint_for};
use crate::script::workspace::Workspace;
use crate::stats::{Estimate, Interval, SURE, holm, least_squares};
use serde::Serialize;

/// So many groups of seeds are left out in turn.
const GROUPS: usize = 50;

/// What one unit type is worth.
#[derive(Debug, Clone, Serialize)]
pub struct Worth {
    /// The type.
    pub unit: String,
    /// How many a game has of it.
    pub a_game: f64,
    /// By how much the share of wins grows with one more of it, in place of an average unit where armies are of
    /// one size.
    pub value: f64,
    /// With 95 % certainty.
    pub interval: Interval,
    /// What it costs.
    pub cost: Option<i64>,
    /// How much more it is worth than what other types give for that cost.
    pub beyond: Option<Beyond>,
    /// In words.
    pub verdict: String,
}

/// How much more a unit is worth than its cost buys.
#[derive(Debug, Clone, Serialize)]
pub struct Beyond {
    /// By how much the share of wins grows beyond that.
    pub by: f64,
    /// With 95 % certainty.
    pub interval: Interval,
    /// How likely so much is by chance, and when it is corrected for the number of types.
    pub p: (f64, f64),
    /// What it would have to cost, where a higher cost surely buys more.
    pub fair: Option<f64>,
}

/// What all types are worth.
#[derive(Debug, Clone, Serialize)]
pub struct Value {
    /// Who played.
    pub agents: String,
    /// How many games.
    pub games: u64,
    /// By type.
    pub units: Vec<Worth>,
    /// Types that no game tells anything of.
    pub untold: Vec<String>,
    /// By how much the share of wins grows by being first, where that changes hands.
    pub first: Option<(f64, Interval)>,
    /// By how much the share of wins grows with a cost of 1.
    pub a_point: Option<(f64, Interval)>,
    /// What else must be said.
    pub notes: Vec<String>,
    /// Where too little is left to chance.
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

/// How much farther from the mean of the others somebody is than from the mean of all.
fn apart(factions: usize) -> f64 {
    factions as f64 / factions.saturating_sub(1).max(1) as f64
}

/// A game as rows: of each faction how many more units of each type it has than the others in the mean, how much
/// more it is first, which faction it is, and how much more than its part of the game it gets.
fn rows(record: &Record, factions: &[String], types: &[String]) -> Vec<(Vec<f64>, f64)> {
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

/// Values by type; the slope of the price, and how far each value lies off it.
fn solved(normal: &Normal, costs: Option<&[(usize, f64)]>) -> Vec<f64> {
    let mut all = least_squares(&normal.products, &normal.right);
    if let Some(costs) = costs {
        // The line through the types' costs and values.
        let n = costs.len() as f64;
        let (x, y) = (
            costs.iter().map(|(_, c)| c).sum::<f64>() / n,
            costs.iter().map(|(t, _)| all[*t]).sum::<f64>() / n,
        );
        let spread: f64 = costs.iter().map(|(_, c)| (c - x).powi(2)).sum();
        let along: f64 = costs.iter().map(|(t, c)| (c - x) * (all[*t] - y)).sum();
        let slope = if spread > 0.0 { along / spread } else { 0.0 };
        let off: Vec<f64> = costs.iter().map(|(t, c)| all[*t] - y - slope * (c - x)).collect();
        all.push(slope);
        all.extend(off);
    }
    all
}

/// Plays, and says what units are worth; with what each costs by a stat of that name.
///
/// # Errors
///
/// A stat that no type has; games in which armies never differ, or too few of them; rules that cannot be loaded or
/// fail.
pub fn value(
    workspace: &Workspace,
    setting: &Setting,
    cost: Option<&str>,
    threads: Option<usize>,
) -> Result<Value, Problems> {
    let rules = std::rc::Rc::clone(&Desk::lay(workspace, setting)?.host().rules);
    let types: Vec<String> = rules.types.iter().map(|t| t.name.clone()).collect();
    let stat = match cost {
        Some(name) => Some(rules.stat(name).ok_or_else(|| {
            Problem::new(format!("no unit type has a stat `{name}`"))
                .hint(hint_for(name, rules.stats.iter().map(String::as_str)))
        })?),
        None => None,
    };
    let groups = GROUPS.min(pairings::pairs_of(setting) as usize);
    if groups < 10 {
        let most = 10 * setting.seats();
        return Err(
            Problem::new(format!("{} games tell too little of units", setting.games))
                .hint(format!("at least {most}: --games 1000"))
                .into(),
        );
    }
    let wide = types.len() + 1 + rules.factions.len();
    let mut parts = vec![Normal::new(wide); groups];
    // Of what is the same in every game, no game tells what it is worth.
    let (mut varies, mut begun, mut seats) = (vec![false; wide], None, Seats::new(&rules.factions));
    let (mut fielded, mut games, mut seeds) = (vec![0.0; types.len()], 0u64, 0usize);
    let mut distinct = Distinct::default();
    let how = How {
        threads,
        watch: false,
        what: "seeds".to_owned(),
    };
    let take = |pairing: &pairings::Pairing| {
        seats.add(&pairing.games[0]);
        for record in &pairing.games[0] {
            games += 1;
            distinct.add(record);
            for unit in &record.units {
                if let Some(kind) = types.iter().position(|t| *t == unit.unit) {
                    fielded[kind] += f64::from(unit.fielded);
                }
            }
            let made = rows(record, &rules.factions, &types);
            let one = begun.get_or_insert_with(|| made.clone());
            for ((is, _), (was, _)) in made.iter().zip(one) {
                let pairs = varies.iter_mut().zip(is.iter().zip(was.iter()));
                pairs.for_each(|(varies, (is, was))| *varies |= is != was);
            }
            for (row, y) in &made {
                parts[seeds % groups].add(row, *y);
            }
        }
        seeds += 1;
        true
    };
    pairings::play(workspace, std::slice::from_ref(setting), &how, take, String::new)?;
    let mut whole = Normal::new(wide);
    parts.iter().for_each(|part| whole.join(part, 1.0));
    let (told, untold): (Vec<usize>, Vec<usize>) = (0..types.len()).partition(|t| varies[*t]);
    if told.is_empty() {
        return Err(
            Problem::new("armies are the same in every game: nothing tells what a unit is worth")
                .hint("--army drawn and --armies FILE let armies differ, where the game asks for unit types")
                .into(),
        );
    }
    let cost_of = |kind: usize| stat.and_then(|stat| rules.types[kind].stats[stat]);
    let costs: Vec<(usize, f64)> = told
        .iter()
        .filter_map(|t| Some((*t, cost_of(*t)? as f64)))
        .collect();
    let mut notes = seats.told();
    if let (Some(name), 0..=2) = (cost, costs.len()) {
        notes.push(format!(
            "fewer than three types that games tell of have the stat `{name}`: what lies beyond the cost cannot be told"
        ));
    }
    let costs = stat.map(|_| &costs[..]).filter(|costs| costs.len() > 2);
    let all = solved(&whole, costs);
    let without: Vec<Vec<f64>> = parts
        .iter()
        .map(|part| {
            let mut rest = whole.clone();
            rest.join(part, -1.0);
            solved(&rest, costs)
        })
        .collect();
    let estimate = |index: usize| {
        let each: Vec<f64> = without.iter().map(|w| w[index]).collect();
        Estimate::jackknife(all[index], &each)
    };
    let slope = costs.map(|_| estimate(wide));
    let off = |nth: usize| estimate(wide + 1 + nth);
    let corrected = costs.map(|c| holm(&(0..c.len()).map(|n| off(n).p()).collect::<Vec<_>>()));
    let units = told.iter().map(|kind| {
        let worth = estimate(*kind);
        let nth = costs.and_then(|costs| costs.iter().position(|(t, _)| t == kind));
        let beyond = nth.map(|nth| {
            let off = off(nth);
            let sure = slope.filter(|slope| slope.interval().low > 0.0);
            let fair = sure.and_then(|slope| Some(cost_of(*kind)? as f64 + off.value / slope.value));
            Beyond {
                by: off.value,
                interval: off.interval(),
                p: (off.p(), corrected.as_ref().map_or(1.0, |c| c[nth])),
                fair,
            }
        });
        Worth {
            unit: types[*kind].clone(),
            a_game: fielded[*kind] / games.max(1) as f64,
            value: worth.value,
            interval: worth.interval(),
            cost: cost_of(*kind),
            verdict: beyond.as_ref().map_or_else(String::new, Beyond::verdict),
            beyond,
        }
    });
    let mut units: Vec<Worth> = units.collect();
    units.sort_by(|a, b| b.value.total_cmp(&a.value));
    let first = estimate(types.len()).times(apart(rules.factions.len()));
    Ok(Value {
        agents: agents_of(setting),
        games,
        units,
        untold: untold.into_iter().map(|t| types[t].clone()).collect(),
        first: varies[types.len()].then(|| (first.value, first.interval())),
        a_point: slope.map(|slope| (slope.value, slope.interval())),
        notes,
        warning: distinct.warning(),
    })
}

impl Beyond {
    fn verdict(&self) -> String {
        let (low, high) = (self.interval.low * 100.0, self.interval.high * 100.0);
        let (least, most) = (low.abs().min(high.abs()), low.abs().max(high.abs()));
        // A line through costs goes through one that stands alone, whatever it is.
        if most < 1e-6 {
            return "nothing can be told of its cost: no other type costs like it".to_owned();
        }
        let way = if self.by > 0.0 {
            "underpriced"
        } else {
            "overpriced"
        };
        let fair = self
            .fair
            .map_or_else(String::new, |fair| format!("; a cost of {fair:.1} would fit"));
        match (self.p.1 < 1.0 - SURE, self.p.0 < 1.0 - SURE) {
            (true, _) => format!("{way} by {least:.1} to {most:.1} points{fair}"),
            (_, true) => format!("perhaps {way}; among so many types that may be chance"),
            _ => format!("no fault in its cost; more than {most:.1} points are ruled out"),
        }
    }
}

impl Value {
    /// The page of it.
    pub fn page(&self) -> Page {
        let range = |i: &Interval| format!("{:+.1} to {:+.1}", i.low * 100.0, i.high * 100.0);
        let mut rows = Table::headed([
            "unit",
            "a game",
            "worth",
            "95 % interval",
            "cost",
            "beyond its cost",
            "",
        ]);
        for unit in &self.units {
            let beyond = unit.beyond.as_ref();
            rows.push([
                unit.unit.clone(),
                format!("{:.2}", unit.a_game),
                format!("{:+.1}", unit.value * 100.0),
                range(&unit.interval),
                unit.cost.map_or_else(String::new, |c| c.to_string()),
                beyond.map_or_else(String::new, |b| {
                    format!("{:+.1} ({})", b.by * 100.0, range(&b.interval))
                }),
                unit.verdict.clone(),
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
                "a cost of 1 buys {:+.1} points ({}); beyond its cost: what a unit is worth more than that line says, \
                 sure among {} types (Holm)",
                by * 100.0,
                range(interval),
                self.units.iter().filter(|u| u.beyond.is_some()).count()
            ));
        }
        if let Some((by, interval)) = &self.first {
            notes.push(format!(
                "being first: {:+.1} points ({})",
                by * 100.0,
                range(interval)
            ));
        }
        if !self.untold.is_empty() {
            notes.push(format!(
                "never fielded, or the same in every game: {}",
                self.untold.join(", ")
            ));
        }
        notes.extend(self.notes.iter().cloned());
        notes.extend(self.warning.clone());
        let mut page = Page::of(rows);
        page.put(notes.join("\n"));
        page
    }

    /// What is told of a type.
    pub fn of(&self, unit: &str) -> Option<&Worth> {
        self.units.iter().find(|u| u.unit == unit)
    }
}
