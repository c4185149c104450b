//! Summary of the games of one arm, added up game by game.

use crate::experiment::Experiment;
use crate::experiment::change::{short, thousands};
use crate::experiment::measure::{GameFacts, Measure, TypeMeasure};
use crate::experiment::record::{GameEnd, GameRecord};
use crate::experiment::tally::Tally;
use crate::lines::counted;
use crate::report::{Problem, Problems};
use crate::reports::{Cell, Column, Facts, Report, ReportTable};
use crate::stats::{Estimate, Interval};
use crate::{facts, row};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The games so far.
#[derive(Debug, Clone)]
pub struct Summary {
    /// Number of games that failed.
    pub failed: u64,
    cut_off: u64,
    failure: Option<(u64, String)>,
    reasons: BTreeMap<String, u64>,
    tally: Tally,
    /// The games of the seed that is being read.
    seed: Vec<GameRecord>,
}

impl Summary {
    /// The summary of no games yet.
    pub fn new(facts: &GameFacts) -> Self {
        Self {
            failed: 0,
            cut_off: 0,
            failure: None,
            reasons: BTreeMap::new(),
            tally: Tally::new([facts]),
            seed: Vec::new(),
        }
    }

    /// Plays these games of an experiment with one arm and adds them, until the user stops it. `keep` gets each record
    /// as well and may refuse it, which ends the games. Returns the problems of the first game that fails.
    ///
    /// # Errors
    ///
    /// A record that was refused; a start that cannot be laid.
    pub fn play(
        &mut self,
        experiment: &Experiment<'_>,
        games: Range<u64>,
        mut keep: impl FnMut(&GameRecord) -> Result<(), Problem>,
    ) -> Result<Option<Problems>, Problems> {
        let summary = RefCell::new(self);
        let (mut failure, mut kept) = (None, Ok(()));
        experiment.play(
            "games",
            games,
            || summary.borrow().so_far(),
            |played| {
                kept = keep(&played.record);
                summary.borrow_mut().add(played.record);
                failure = failure.take().or(played.problems);
                kept.is_ok()
            },
        )?;
        kept?;
        Ok(failure)
    }

    fn facts(&self) -> &GameFacts {
        &self.tally.arms[0].facts
    }

    /// Returns the winner or first faction of a record if this study has no such faction.
    pub fn stranger<'a>(&self, record: &'a GameRecord) -> Option<&'a str> {
        let mut named = record.winner.iter().chain([&record.first]);
        let is_stranger = |name: &&String| !name.is_empty() && !self.facts().factions.contains(name);
        named.find(is_stranger).map(String::as_str)
    }

    /// Adds one game.
    pub fn add(&mut self, record: GameRecord) {
        match record.end {
            GameEnd::Failed => {
                self.failed += 1;
                self.failure.get_or_insert((record.game, record.reason));
                return;
            }
            GameEnd::CutOff => self.cut_off += 1,
            GameEnd::Over => *self.reasons.entry(record.reason.clone()).or_default() += 1,
        }
        let seats = self.facts().seats;
        if self
            .seed
            .first()
            .is_some_and(|first| first.game / seats != record.game / seats)
        {
            self.close();
        }
        self.seed.push(record);
    }

    /// The seed that is being read is whole, or all that there is of it.
    fn close(&mut self) {
        if !self.seed.is_empty() {
            self.tally.add(&[std::mem::take(&mut self.seed)]);
        }
    }

    /// Describes the results so far in a few words.
    pub fn so_far(&self) -> String {
        let level = |measure| self.tally.level(&measure, 0);
        let (Some(first), Some(draws)) = (level(Measure::First), level(Measure::Draws)) else {
            return String::new();
        };
        format!(
            "; first faction wins {:.0} to {:.0} %, draws {:.0} %",
            first.interval.low * 100.0,
            first.interval.high * 100.0,
            draws.value * 100.0
        )
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.tally.arms[0].games + self.seed.len() as u64 + self.failed
    }

    /// Returns the number of the first game that failed.
    pub fn first_failed(&self) -> Option<u64> {
        self.failure.as_ref().map(|(game, _)| *game)
    }

    /// Returns the report on all games.
    pub fn report(mut self) -> Report {
        self.close();
        let mut report = Report::of(self.shares().keyed("shares"));
        let means = self.means();
        if !means.is_empty() {
            report.put(means);
        }
        let rounds = &self.tally.arms[0].rounds;
        if let Some((least, middle, most)) = quantiles(rounds) {
            report.fact("rounds", facts! { least: least, middle: middle, most: most });
            report.put(format!(
                "lengths: {least} at least, {middle} in the middle, {most} at most"
            ));
        }
        let mut reasons: Vec<(&String, &u64)> = self.reasons.iter().collect();
        reasons.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        report.fact(
            "ends",
            reasons.iter().map(|(why, n)| (*why, **n)).collect::<Facts>(),
        );
        if !reasons.is_empty() {
            let reasons = reasons.iter().map(|(why, n)| format!("{why} {n}"));
            report.put(format!("ends: {}", reasons.collect::<Vec<_>>().join(", ")));
        }
        let units = self.units();
        if !units.is_empty() {
            report.put(units);
        }
        let notes = self.limits();
        if !notes.is_empty() {
            let lines: Vec<String> = notes.iter().map(|note| format!("note: {note}")).collect();
            report.put(lines.join("\n"));
        }
        if let Some((game, why)) = &self.failure {
            report.put(format!(
                "{} failed; the first is game {game}: {why}",
                counted(self.failed as usize, "game")
            ));
        }
        let failure = self.failure.as_ref();
        report
            .with("games", self.games())
            .with("cut_off", self.cut_off)
            .with("failed", self.failed)
            .with(
                "failure",
                failure.map(|(game, why)| facts! { game: *game, reason: why.as_str() }),
            )
            .with("notes", Cell::list(notes))
    }

    /// Returns notes on what limits the numbers of the report.
    fn limits(&self) -> Vec<String> {
        let arm = &self.tally.arms[0];
        let mut notes = Vec::from_iter(arm.distinct.warning());
        notes.extend(self.facts().without_worth.clone());
        notes.extend(self.facts().notes.iter().cloned());
        if self.tally.seeds == 1.0 {
            notes.push("one seed gives no intervals".to_owned());
        } else if arm.distinct.warning().is_none() {
            // More games of the same few tell nothing new.
            notes.extend(self.too_few());
        }
        if self.cut_off > 0 {
            notes.push(format!(
                "{} of {} were cut off, so nobody won them",
                self.cut_off,
                counted(arm.games as usize, "game")
            ));
        }
        if arm.wins_when_first().len() == 1 {
            notes.extend(arm.seat_lines());
        }
        notes
    }

    /// Returns the number of games that are missing to know the wins of the first faction to within the smallest
    /// difference worth seeing, if some are.
    fn too_few(&self) -> Option<String> {
        let level = self.tally.level(&Measure::First, 0)?;
        let (games, size) = (self.tally.arms[0].games, Measure::First.worth_seeing(level.value));
        let half = (level.interval.high - level.interval.low) / 2.0;
        let more = games as f64 * ((half / size).powi(2) - 1.0);
        (more > 0.0).then(|| {
            format!(
                "{} give the wins of the first faction to within {} points; about {} more would give them to within {:.0}",
                counted(games as usize, "game"),
                short(half * 100.0),
                thousands(more),
                size * 100.0
            )
        })
    }

    fn shares(&self) -> ReportTable {
        let arm = &self.tally.arms[0];
        let mut factions = arm.facts.factions.clone();
        factions.sort();
        let agents: BTreeSet<String> = arm.facts.agents.iter().cloned().collect();
        let measures = [Measure::First].into_iter();
        let measures = measures.chain(factions.into_iter().map(Measure::Wins));
        let measures = measures.chain(agents.into_iter().map(Measure::AgentWins));
        let measures = measures.chain([Measure::Draws, Measure::CutOff]).map(|measure| {
            let of = self.tally.sums(&measure).map_or(0.0, |sums| sums.over(0));
            (measure.name(), self.tally.level(&measure, 0), of)
        });
        let when_first = arm.wins_when_first();
        let when_first = if when_first.len() > 1 {
            when_first
        } else {
            Vec::new()
        };
        let when_first = when_first
            .into_iter()
            .map(|(faction, level, of)| (format!("{faction} wins when it is first"), level, of));
        let mut table = ReportTable::headed([
            ("measure", "").into(),
            ("games", "games").into(),
            Column::data("of"),
            ("share", "share").into(),
            ("interval", "95 % interval").into(),
        ]);
        for (name, level, of) in measures.chain(when_first) {
            // Of no game there is no share.
            let none = || Cell::Nothing.shown("-");
            table.push(row![
                name,
                level.map_or(0, |level| (level.value * of).round() as u64),
                of as u64,
                level.map_or_else(none, |level| Cell::Share(level.value)),
                level.map_or_else(none, |level| per_cent(level.interval)),
            ]);
        }
        table
    }

    fn means(&self) -> ReportTable {
        let columns = [("measure", ""), ("mean", "mean"), ("interval", "95 % interval")];
        let mut table = ReportTable::headed(columns).keyed("means");
        let numbers = self.tally.measures().filter(|m| m.is_shown() && !m.is_share());
        for measure in numbers.filter(|m| !matches!(m, Measure::Unit(..))) {
            if let Some(Estimate { value, interval, .. }) = self.tally.level(measure, 0) {
                table.push(row![measure.name(), value, interval]);
            }
        }
        table
    }

    fn units(&self) -> ReportTable {
        let mut table = ReportTable::headed([
            ("unit", "unit").into(),
            ("units_a_game", "a game").into(),
            ("win_share", "win share").into(),
            ("win_share_interval", "95 % interval").into(),
            ("survival", "survival").into(),
            ("dealt", "dealt").into(),
            ("taken", "taken").into(),
            Column::from("uses of each"),
            Column::data("uses"),
        ]);
        let games = self.tally.arms[0].games as f64;
        let types = self.tally.measures().filter_map(|m| match m {
            Measure::Unit(unit, TypeMeasure::WinShare) => Some(unit),
            _ => None,
        });
        for unit in types.filter(|_| self.tally.seeds >= 2.0) {
            let of = |of: TypeMeasure| Measure::Unit(unit.clone(), of);
            // Of a type that one seed fields there is a mean, though nothing says how far it may be off.
            let mean = |measure: &Measure| self.tally.sums(measure)?.mean(0);
            let wins = self.tally.level(&of(TypeMeasure::WinShare), 0);
            let (Some(wins), Some(survival)) = (wins, mean(&of(TypeMeasure::Survival))) else {
                continue;
            };
            let fielded = self
                .tally
                .sums(&of(TypeMeasure::Survival))
                .map_or(0.0, |sums| sums.over(0));
            let uses = self.tally.measures().filter_map(|m| match m {
                Measure::Unit(of, TypeMeasure::Uses(word)) if of == unit => Some((word, mean(m)?)),
                _ => None,
            });
            let uses: Vec<(&String, f64)> = uses.collect();
            let texts: Vec<String> = uses.iter().map(|(word, n)| format!("{word} {n:.2}")).collect();
            table.push(row![
                unit.as_str(),
                fielded / games,
                Cell::Share(wins.value),
                per_cent(wins.interval),
                Cell::Share(survival),
                mean(&of(TypeMeasure::Dealt)),
                mean(&of(TypeMeasure::Taken)),
                texts.join(", "),
                uses.into_iter().collect::<Facts>(),
            ]);
        }
        table.keyed("units")
    }
}

/// Returns the least, the middle and the most number of rounds.
fn quantiles(rounds: &BTreeMap<u32, u64>) -> Option<(u32, u32, u32)> {
    let all: u64 = rounds.values().sum();
    let mut below = 0;
    let middle = rounds.iter().find(|(_, n)| {
        below += **n;
        2 * below >= all
    })?;
    Some((*rounds.keys().next()?, *middle.0, *rounds.keys().last()?))
}

/// Returns the cell of the interval of a share, in per cent.
fn per_cent(interval: Interval) -> Cell {
    let text = format!("{:.1} to {:.1}", interval.low * 100.0, interval.high * 100.0);
    Cell::from(interval).shown(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::wilson;

    #[test]
    fn more_games_are_asked_for_until_the_wins_are_known_to_within_3_points() {
        let factions = ["red", "blue"].map(str::to_owned);
        let note = |games: u64| {
            let mut summary = Summary::new(&GameFacts {
                factions: factions.to_vec(),
                seats: 1,
                ..GameFacts::default()
            });
            for game in 0..games {
                summary.add(GameRecord {
                    game,
                    first: factions[0].clone(),
                    winner: Some(factions[game as usize % 2].clone()),
                    digest: game.to_string(),
                    ..GameRecord::default()
                });
            }
            summary.close();
            summary.too_few()
        };
        let few = note(200).expect("a note");
        assert!(few.contains("200 games") && few.contains(" 6.86 points"), "{few}");
        assert!(few.contains("about 850 more"), "{few}");
        // 3 points need z^2 / 4 / 0.03^2 = 1067 games.
        assert!(note(1040).is_some());
        assert_eq!(note(1090), None);
    }

    #[test]
    fn two_games_with_one_seed_that_are_the_same_tell_as_much_as_one() {
        let factions = ["red", "blue"].map(str::to_owned);
        let json = |seats: u64| {
            let agents = if seats > 1 { &["greedy", "random"][..] } else { &[] };
            let mut summary = Summary::new(&GameFacts {
                factions: factions.to_vec(),
                round: Some("round".to_owned()),
                agents: agents.iter().map(|agent| (*agent).to_owned()).collect(),
                seats,
                ..GameFacts::default()
            });
            for game in 0..200 {
                let pair = game / 2;
                summary.add(GameRecord {
                    game,
                    first: factions[0].clone(),
                    winner: Some(factions[pair as usize % 2].clone()),
                    rounds: 5 + pair as u32 % 2,
                    digest: pair.to_string(),
                    ..GameRecord::default()
                });
            }
            serde_json::to_value(summary.report()).expect("JSON")
        };
        let (pairs, alone) = (json(2), json(1));
        for (report, of) in [(&pairs, 100.0), (&alone, 200.0)] {
            let shares = report["shares"].as_array().expect("shares");
            let mut wanted = vec![
                ("first faction wins", 100),
                ("blue wins", 100),
                ("red wins", 100),
                ("draws", 0),
                ("cut off", 0),
            ];
            if of == 100.0 {
                // The agent that has red has blue next: each wins one of the two.
                wanted.splice(3..3, [("greedy wins", 100), ("random wins", 100)]);
            }
            assert_eq!(shares.len(), wanted.len());
            for (share, (name, games)) in shares.iter().zip(wanted) {
                assert!(
                    share["measure"] == name && share["games"] == games && share["of"] == 200,
                    "{share}"
                );
                let interval = match name {
                    "greedy wins" | "random wins" => continue,
                    _ if games > 0 => wilson(of / 2.0, of),
                    _ => wilson(0.0, of),
                };
                let is_near = |key: &str, wanted: f64| {
                    share["interval"][key]
                        .as_f64()
                        .is_some_and(|is| (is - wanted).abs() < 1e-9)
                };
                assert!(
                    is_near("low", interval.low) && is_near("high", interval.high),
                    "{share}"
                );
            }
        }
        let number = |report: &serde_json::Value, key: &str| report["means"][0]["interval"][key].as_f64();
        let wide = |report| {
            number(report, "high")
                .zip(number(report, "low"))
                .map(|(high, low)| high - low)
        };
        assert!(
            wide(&pairs)
                .zip(wide(&alone))
                .is_some_and(|(pairs, alone)| pairs > 1.4 * alone)
        );
        // Each is there twice.
        assert!(
            pairs["notes"].to_string().contains("only 100 are different"),
            "{}",
            pairs["notes"]
        );
    }
}
