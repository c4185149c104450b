//! Sums of what the games of an experiment measure, seed by seed.

use super::measure::{self, GameFacts, Measure, MeasureCounts, TypeMeasure};
use super::record::{DistinctGames, GameRecord};
use crate::report::Problem;
use crate::stats::{Contrast, Estimate, Interval, SeedSums};
use std::collections::BTreeMap;

/// Note for a unit type found in few games.
pub const TOO_FEW: &str = "fielded in too few games to say anything of it";

/// Sums of all measures over seeds. Memory does not grow with their number.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// The arms.
    pub arms: Vec<ArmTally>,
    /// Number of seeds.
    pub seeds: f64,
    sums: BTreeMap<Measure, SeedSums>,
    /// Room for the counts of a seed, by arm.
    counts: Vec<MeasureCounts>,
}

/// Counts of one arm besides its measures.
#[derive(Debug, Clone, Default)]
pub struct ArmTally {
    /// Properties of its game.
    pub facts: GameFacts,
    /// Number of games.
    pub games: u64,
    /// Number of games by number of rounds.
    pub rounds: BTreeMap<u32, u64>,
    /// Number of different games.
    pub distinct: DistinctGames,
    /// For each faction in alphabetical order, its wins when it is first, then its wins when another is.
    seats: SeedSums,
}

impl ArmTally {
    fn add(&mut self, games: &[GameRecord]) {
        let factions = self.factions();
        let mut entry = vec![0.0; 4 * factions.len()];
        for record in games {
            for (nth, faction) in factions.iter().enumerate() {
                let at = 4 * nth + 2 * usize::from(record.first != **faction);
                entry[at] += f64::from(record.winner.as_ref() == Some(*faction));
                entry[at + 1] += 1.0;
            }
        }
        self.seats.add(&entry);
        self.games += games.len() as u64;
        for record in games {
            self.distinct.add(record);
            *self.rounds.entry(record.rounds).or_default() += 1;
        }
    }

    /// Returns the factions in alphabetical order.
    fn factions(&self) -> Vec<&String> {
        let mut factions: Vec<&String> = self.facts.factions.iter().collect();
        factions.sort();
        factions
    }

    /// Returns the factions that were first in some game, with the share of these games that they won.
    pub fn wins_when_first(&self) -> Vec<(&String, Option<Estimate>, f64)> {
        let all = self.factions().into_iter().enumerate();
        let first = all.filter(|(nth, _)| self.seats.over(2 * nth) > 0.0);
        first
            .map(|(nth, faction)| {
                let of = self.seats.over(2 * nth);
                (faction, self.seats.level(2 * nth, true, of), of)
            })
            .collect()
    }

    /// Describes the value of the seat and the value of the faction.
    pub fn seat_lines(&self) -> Vec<String> {
        if let ([(only, ..)], 2..) = (&self.wins_when_first()[..], self.facts.factions.len()) {
            return vec![format!(
                "{only} is first in every game, so the advantages of seat and faction are not separate"
            )];
        }
        let [a, b] = self.factions()[..] else {
            return Vec::new();
        };
        let points = |less: usize, of: usize| {
            let Interval { low, high } = self.seats.difference(less, of, true)?.change.interval;
            let signed = |share: f64| format!("{:+.1}", share.clamp(-1.0, 1.0) * 100.0);
            Some(format!("{} to {} points", signed(low), signed(high)))
        };
        // A faction's wins when it is first, less those when the other is: what the seat gives it. The wins of the one
        // when first, less those of the other when first: what the faction gives.
        let (Some(of_a), Some(of_b), Some(faction)) = (points(1, 0), points(3, 2), points(2, 0)) else {
            return Vec::new();
        };
        vec![
            format!("seat: being first gives {a} {of_a}, {b} {of_b}"),
            format!("faction: when first, {a} wins {faction} more than {b} when first"),
        ]
    }
}

impl Tally {
    /// Nothing yet of arms with these games.
    pub fn new<'a>(facts: impl IntoIterator<Item = &'a GameFacts>) -> Self {
        let arm = |facts: &GameFacts| ArmTally {
            facts: facts.clone(),
            ..ArmTally::default()
        };
        Self {
            arms: facts.into_iter().map(arm).collect(),
            ..Self::default()
        }
    }

    /// Adds the games of one seed, by arm.
    pub fn add(&mut self, games: &[Vec<GameRecord>]) {
        let mut counts = std::mem::take(&mut self.counts);
        counts.resize_with(games.len(), MeasureCounts::default);
        for ((arm, games), counts) in self.arms.iter_mut().zip(games).zip(&mut counts) {
            arm.add(games);
            counts.clear();
            for record in games {
                measure::count(counts, record, &arm.facts);
            }
        }
        self.add_counts(&mut counts);
        self.counts = counts;
    }

    /// Adds what is counted in the games of one seed, by arm.
    pub fn add_counts(&mut self, arms: &mut [MeasureCounts]) {
        for counts in arms.iter_mut() {
            let grew = counts.has_grown();
            for (measure, _) in counts.iter().filter(|_| grew) {
                if !self.sums.contains_key(measure) {
                    let before = measure.divided_by().and_then(|all| self.sums.get(&all));
                    let before = before.map_or_else(SeedSums::default, SeedSums::with_nothing_counted);
                    self.sums.insert(measure.clone(), before);
                }
            }
        }
        self.seeds += 1.0;
        let mut arms: Vec<_> = arms.iter().map(|counts| counts.iter().peekable()).collect();
        let mut entry = Vec::with_capacity(2 * arms.len());
        // The units of one type, by arm: the uses of words are divided by them, and come after.
        let (mut unit, mut fielded) = ("", vec![0.0; arms.len()]);
        for (measure, sum) in &mut self.sums {
            if let Measure::Unit(of, _) = measure
                && of != unit
            {
                unit = of;
                fielded.fill(0.0);
            }
            entry.clear();
            for (counts, fielded) in arms.iter_mut().zip(&mut fielded) {
                let counted = counts.next_if(|(counted, _)| counted == measure);
                let [count, over] = counted.map_or([0.0; 2], |(_, counts)| *counts);
                let over = match measure {
                    Measure::Unit(_, TypeMeasure::Uses(_)) => *fielded,
                    _ => over,
                };
                if matches!(measure, Measure::Unit(_, TypeMeasure::Survival)) {
                    *fielded = over;
                }
                entry.extend([count, over]);
            }
            if entry.iter().any(|x| *x != 0.0) {
                sum.add(&entry);
            }
        }
    }

    /// Returns the number of games of a seed.
    pub fn seats(&self) -> u64 {
        self.arms.first().map_or(1, |arm| arm.facts.seats)
    }

    /// Returns the measures there are, in order.
    pub fn measures(&self) -> impl Iterator<Item = &Measure> + Clone {
        self.sums.keys()
    }

    /// Returns the measures of these names, in order; without a name those that are shown by default.
    ///
    /// # Errors
    ///
    /// A name that no measure has.
    pub fn wanted(&self, names: &[String]) -> Result<Vec<Measure>, Problem> {
        match names {
            [] => Ok(self.measures().filter(|m| m.is_shown()).cloned().collect()),
            _ => names
                .iter()
                .map(|name| Measure::find(name, self.measures()))
                .collect(),
        }
    }

    /// Returns the sums of a measure.
    pub fn sums(&self, measure: &Measure) -> Option<&SeedSums> {
        self.sums.get(measure)
    }

    /// Returns the value of a measure in an arm.
    pub fn level(&self, measure: &Measure, arm: usize) -> Option<Estimate> {
        let sums = self.sums(measure)?;
        // A game in which many units of a type win or fall is one game.
        let most = match measure {
            Measure::Unit(..) => sums.count_of(arm),
            _ => sums.over(arm),
        };
        let mut level = sums.level(arm, measure.is_share(), most)?;
        // What is counted is never less than nothing; what a game declares may be.
        if !matches!(measure, Measure::Declared(_)) {
            level.interval.low = level.interval.low.max(0.0);
        }
        Some(level)
    }

    /// Compares a measure between two weighted sums of arms.
    pub fn contrast(&self, measure: &Measure, base: &[f64], with: &[f64]) -> Option<Contrast> {
        self.sums(measure)?.contrast(base, with, measure.is_share())
    }

    /// Compares a measure between two arms.
    pub fn difference(&self, measure: &Measure, base: usize, with: usize) -> Option<Contrast> {
        self.sums(measure)?.difference(base, with, measure.is_share())
    }

    /// Returns the unit types among these measures that one of these arms fields in fewer than two seeds, and another
    /// fields: nothing can be said about them. With the number of seeds of each arm that field them.
    pub fn few(&self, arms: &[usize], measures: &[Measure]) -> BTreeMap<&str, Vec<f64>> {
        let known = self
            .sums
            .iter()
            .filter(|(m, _)| self.seeds > 1.0 && measures.contains(m));
        let held = known.filter_map(|(measure, sum)| match measure {
            Measure::Unit(unit, _) => Some((
                unit.as_str(),
                arms.iter().map(|arm| sum.count_of(*arm)).collect::<Vec<_>>(),
            )),
            _ => None,
        });
        let is_few =
            |(_, held): &(&str, Vec<f64>)| held.iter().any(|n| *n < 2.0) && held.iter().any(|n| *n > 0.0);
        held.filter(is_few).collect()
    }
}
