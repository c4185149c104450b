//! Measures of games, and their sums over several games.

use super::record::{GameEnd, GameRecord};
use crate::report::{Problem, hint_for};
use crate::stats::{Interval, Paired};
use crate::suite::problems::unknown_name;
use std::collections::BTreeMap;

/// One thing that is measured.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// Share of games won by the first faction in turn order.
    First,
    /// Share of games that are drawn.
    Draws,
    /// Share of games that are cut off.
    CutOff,
    /// Number of times that the innermost repeating phase begins, by the phase's name.
    Length(String),
    /// Number of questions with several options after set-up.
    Decisions,
    /// Number with a name given by the game's hook `measures`, of a faction.
    Declared(String),
    /// Something of the units of a type.
    Unit(String, TypeMeasure),
}

/// Measure of a unit type.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypeMeasure {
    /// The share of wins of those who field it, by how many they field; a draw is shared by all.
    WinShare,
    /// Share of its units that are in play at the end.
    Survival,
    /// Damage dealt by one of its units.
    Dealt,
    /// Damage taken by one of its units.
    Taken,
    /// Number of units removed by one of its units.
    Removed,
    /// Number of times that one of its units does the action of this word.
    Uses(String),
}

impl Measure {
    /// Whether it is a share, which is told in per cent.
    pub fn is_share(&self) -> bool {
        use Measure::{CutOff, Draws, First, Unit};
        matches!(
            self,
            First | Draws | CutOff | Unit(_, TypeMeasure::WinShare | TypeMeasure::Survival)
        )
    }

    /// As users read and write it.
    pub fn name(&self) -> String {
        match self {
            Measure::First => "first faction wins".to_owned(),
            Measure::Draws => "draws".to_owned(),
            Measure::CutOff => "cut off".to_owned(),
            // A phase may be called by what there are many of.
            Measure::Length(phase) if phase.ends_with('s') => phase.clone(),
            Measure::Length(phase) => format!("{phase}s"),
            Measure::Decisions => "decisions".to_owned(),
            Measure::Declared(name) => name.clone(),
            Measure::Unit(unit, of) => format!("{unit}: {}", of.name()),
        }
    }

    /// The measure that a user names, of those there are.
    ///
    /// # Errors
    ///
    /// There is none of that name.
    pub fn find<'a>(name: &str, all: impl Iterator<Item = &'a Measure> + Clone) -> Result<Measure, Problem> {
        let found = all.clone().find(|m| m.name() == name.trim());
        found.cloned().ok_or_else(|| {
            let names: Vec<String> = all.map(Measure::name).collect();
            unknown_name("measure", name).hint(hint_for(name, names.iter().map(String::as_str)))
        })
    }

    /// The same, and also what a type that is there could be doing and does in no game: with other agents it may.
    ///
    /// # Errors
    ///
    /// There is no measure of that name, nor a type of which it would be one.
    pub fn find_or_unused<'a>(
        name: &str,
        all: impl Iterator<Item = &'a Measure> + Clone,
    ) -> Result<Measure, Problem> {
        let of_known = |unit: &str| {
            all.clone()
                .any(|m| matches!(m, Measure::Unit(known, _) if known == unit))
        };
        match name.trim().split_once(": uses of ") {
            Some((unit, word)) if of_known(unit) => {
                Ok(Measure::Unit(unit.to_owned(), TypeMeasure::Uses(word.to_owned())))
            }
            _ => Self::find(name, all),
        }
    }

    /// The measure by whose divisor it is divided, where that is not its own: a word that was not used in a game
    /// could have been, by all of the type.
    fn divided_by(&self) -> Option<Measure> {
        match self {
            Measure::Unit(unit, TypeMeasure::Uses(_)) => {
                Some(Measure::Unit(unit.clone(), TypeMeasure::Survival))
            }
            _ => None,
        }
    }

    /// Returns the default for the smallest difference worth seeing: 3 points of a share, a twentieth of a number.
    pub fn worth_seeing(&self, base: f64) -> f64 {
        if self.is_share() {
            0.03
        } else {
            (base.abs() * 0.05).max(0.001)
        }
    }
}

impl TypeMeasure {
    fn name(&self) -> String {
        match self {
            TypeMeasure::WinShare => "win share".to_owned(),
            TypeMeasure::Survival => "survival".to_owned(),
            TypeMeasure::Dealt => "damage dealt".to_owned(),
            TypeMeasure::Taken => "damage taken".to_owned(),
            TypeMeasure::Removed => "removals".to_owned(),
            TypeMeasure::Uses(word) => format!("uses of {word}"),
        }
    }
}

/// Level of a measure: its mean and interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasureLevel {
    /// Its mean.
    pub mean: f64,
    /// With 95 % certainty.
    pub interval: Interval,
    /// Whether it is a number that was the same in all pairings.
    pub is_same: bool,
}

impl MeasureLevel {
    /// That of a measure under one of the settings; none where nothing is counted.
    pub fn of(measure: &Measure, sum: &Paired, arm: usize) -> Option<Self> {
        // A game in which many units of a type win or fall is one game.
        let most = match measure {
            Measure::Unit(..) => sum.count_of(arm),
            _ => sum.over(arm),
        };
        let (mean, bounds) = sum.told_by(arm, measure.is_share(), most)?;
        // What is counted is never less than nothing; what a game declares may be.
        let least = match measure {
            Measure::Declared(_) => f64::NEG_INFINITY,
            _ => 0.0,
        };
        Some(Self {
            mean,
            interval: Interval {
                low: bounds.low.max(least),
                ..bounds
            },
            is_same: !measure.is_share() && sum.is_same(arm),
        })
    }
}

/// Counts over some games under one setting: for each measure a count and its divisor.
pub type MeasureCounts = BTreeMap<Measure, [f64; 2]>;

/// Counts a game of so many factions.
pub fn count(counts: &mut MeasureCounts, record: &GameRecord, factions: usize, round: Option<&str>) {
    let mut add = |measure: Measure, count: f64, of: f64| {
        let entry = counts.entry(measure).or_default();
        entry[0] += count;
        entry[1] += of;
    };
    add(
        Measure::First,
        f64::from(record.winner.as_ref() == Some(&record.first)),
        1.0,
    );
    add(
        Measure::Draws,
        f64::from(record.winner.is_none() && record.end == GameEnd::Over),
        1.0,
    );
    add(Measure::CutOff, f64::from(record.end == GameEnd::CutOff), 1.0);
    if let Some(round) = round {
        add(Measure::Length(round.to_owned()), record.rounds.into(), 1.0);
    }
    add(Measure::Decisions, record.decisions.into(), 1.0);
    for (name, all) in &record.measures {
        let sum: i128 = all.iter().map(|n| i128::from(*n)).sum();
        add(Measure::Declared(name.clone()), sum as f64, all.len() as f64);
    }
    for row in &record.units {
        let many = f64::from(row.fielded);
        let mut of = |of: TypeMeasure, count: f64| add(Measure::Unit(row.unit.clone(), of), count, many);
        of(
            TypeMeasure::WinShare,
            record.points(&row.faction, factions) * many,
        );
        of(TypeMeasure::Survival, row.survived.into());
        of(TypeMeasure::Dealt, row.dealt as f64);
        of(TypeMeasure::Taken, row.taken as f64);
        of(TypeMeasure::Removed, row.removed.into());
        for (word, uses) in &row.uses {
            add(
                Measure::Unit(row.unit.clone(), TypeMeasure::Uses(word.clone())),
                (*uses).into(),
                0.0,
            );
        }
    }
}

/// Everything that is measured of pairings of games, added up; its memory does not grow with their number.
#[derive(Debug, Clone, Default)]
pub struct Sums {
    /// Number of pairings.
    pub pairs: f64,
    sums: BTreeMap<Measure, Paired>,
}

impl Sums {
    /// One more pairing, as it was under each setting.
    pub fn add(&mut self, settings: &[&MeasureCounts]) {
        for measure in settings.iter().flat_map(|counts| counts.keys()) {
            if !self.sums.contains_key(measure) {
                // A word that nobody used so far could have been used by all of the type.
                let before = measure.divided_by().and_then(|all| self.sums.get(&all));
                let before = before.map_or_else(Paired::default, Paired::with_nothing_counted);
                self.sums.insert(measure.clone(), before);
            }
        }
        self.pairs += 1.0;
        let mut entry = Vec::with_capacity(2 * settings.len());
        for (measure, sum) in &mut self.sums {
            let all = measure.divided_by();
            entry.clear();
            for counts in settings {
                let [count, over] = counts.get(measure).copied().unwrap_or_default();
                let over = all
                    .as_ref()
                    .map_or(over, |all| counts.get(all).map_or(0.0, |of| of[1]));
                entry.extend([count, over]);
            }
            if entry.iter().any(|x| *x != 0.0) {
                sum.add(&entry);
            }
        }
    }

    /// Returns the sums of all measures in order, each over the pairings that have a value for it.
    pub fn all(&self) -> impl Iterator<Item = (&Measure, &Paired)> {
        self.sums.iter()
    }

    /// The measures there are.
    pub fn measures(&self) -> impl Iterator<Item = &Measure> + Clone {
        self.sums.keys()
    }

    /// The unit types that one of so many settings fields in fewer than two pairings, and another fields: nothing can
    /// be said of what settings do to them. With how many pairings of each setting field them.
    pub fn few(&self, settings: usize, is_wanted: impl Fn(&Measure) -> bool) -> BTreeMap<&str, Vec<f64>> {
        let wanted = self.all().filter(|(m, _)| self.pairs > 1.0 && is_wanted(m));
        let held = wanted.filter_map(|(measure, sum)| match measure {
            Measure::Unit(unit, _) => Some((
                unit.as_str(),
                (0..settings).map(|arm| sum.count_of(arm)).collect(),
            )),
            _ => None,
        });
        let is_few =
            |(_, held): &(&str, Vec<f64>)| held.iter().any(|n| *n < 2.0) && held.iter().any(|n| *n > 0.0);
        held.filter(is_few).collect()
    }

    /// The sums of one.
    pub fn of(&self, measure: &Measure) -> Option<&Paired> {
        self.sums.get(measure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_told_by_how_many_phases_they_are() {
        let names = ["round", "turns"].map(|phase| Measure::Length(phase.to_owned()).name());
        assert_eq!(names, ["rounds", "turns"]);
    }
}
