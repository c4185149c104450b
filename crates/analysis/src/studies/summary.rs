//! Summary of the games of one study, added up line by line.

use super::measure::{self, Measure, MeasureCounts, MeasureLevel, Sums, TypeMeasure};
use super::record::{DistinctGames, GameEnd, GameRecord};
use super::setting;
use crate::lines::counted;
use crate::reports::{Report, ReportTable};
use crate::stats::{Interval, Paired, wilson};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The sums so far.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// The phase whose beginnings are the length.
    pub round: Option<String>,
    /// Notes about the agents that played and the start of the games.
    pub said: Vec<String>,
    /// The factions, in their order.
    factions: Vec<String>,
    /// The agents by side, where they differ and change seats.
    agents: Vec<String>,
    /// Number of games in a pairing.
    seats: u64,
    /// Number of games.
    pub games: u64,
    cut_off: u64,
    failed: u64,
    draws: u64,
    /// Wins by who was first and who won.
    wins: BTreeMap<(String, String), u64>,
    first: BTreeMap<String, u64>,
    reasons: BTreeMap<String, u64>,
    rounds: BTreeMap<u32, u64>,
    failure: Option<(u64, String)>,
    distinct: DistinctGames,
    sums: Sums,
    /// Shares of games by what they are of.
    shares: BTreeMap<ShareOf, Paired>,
    /// The pairing that is being read, by its number, and what is counted of it.
    pair: u64,
    pairing: MeasureCounts,
    of_pairing: BTreeMap<ShareOf, [f64; 2]>,
}

/// Kind of games that a share counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum ShareOf {
    First,
    Wins(String),
    /// By the name of an agent.
    WinsBy(String),
    Draws,
    CutOff,
    WinsFirst(String),
}

impl ShareOf {
    fn name(&self) -> String {
        match self {
            ShareOf::First => "first faction wins".to_owned(),
            ShareOf::Wins(name) | ShareOf::WinsBy(name) => format!("{name} wins"),
            ShareOf::Draws => "draws".to_owned(),
            ShareOf::CutOff => "cut off".to_owned(),
            ShareOf::WinsFirst(faction) => format!("{faction} wins when it is first"),
        }
    }
}

/// A share of games.
#[derive(Debug, Clone, Serialize)]
pub struct Share {
    /// Of what.
    pub name: String,
    /// Number of games in the share.
    pub games: u64,
    /// Of how many.
    pub of: u64,
    /// With 95 % certainty.
    pub interval: Interval,
}

/// A number's mean.
#[derive(Debug, Clone, Serialize)]
pub struct Mean {
    /// Of what.
    pub name: String,
    /// The mean.
    pub mean: f64,
    /// With 95 % certainty.
    pub interval: Interval,
}

/// A summary to be told.
#[derive(Debug, Clone, Serialize)]
pub struct Figures {
    /// Number of games.
    pub games: u64,
    /// Number of games that were cut off.
    pub cut_off: u64,
    /// Number of games that failed.
    pub failed: u64,
    /// The first that did, and why.
    pub failure: Option<(u64, String)>,
    /// Shares of all games.
    pub shares: Vec<Share>,
    /// Why games ended, most frequent first.
    pub reasons: Vec<(String, u64)>,
    /// Means over games.
    pub means: Vec<Mean>,
    /// The lengths of games: least, middle and most.
    pub lengths: Option<(u32, u32, u32)>,
    /// By unit type: win share, survival, and what one of them deals and takes.
    pub units: Vec<UnitSummary>,
    /// Notes, such as effects that cannot be told apart.
    pub notes: Vec<String>,
}

/// Results for the units of one type.
#[derive(Debug, Clone, Serialize)]
pub struct UnitSummary {
    /// The type.
    pub unit: String,
    /// Mean number of units fielded per game.
    pub a_game: f64,
    /// The share of wins of those who field it.
    pub win_share: Mean,
    /// Share of the units that are in play at the end.
    pub survival: Mean,
    /// Damage that one unit deals, and damage that it takes.
    pub damage: (f64, f64),
    /// Mean number of times that one unit does the action of each word.
    pub uses: BTreeMap<String, f64>,
}

impl Summary {
    /// Nothing yet of a study in which a pairing has so many games; with the agents that change seats, by side.
    pub fn new(round: Option<String>, factions: &[String], seats: u64, agents: &[String]) -> Self {
        Self {
            round,
            factions: factions.to_vec(),
            agents: agents.to_vec(),
            seats: seats.max(1),
            ..Self::default()
        }
    }

    /// Returns the winner or first faction of a record if this study has no such faction.
    pub fn stranger<'a>(&self, record: &'a GameRecord) -> Option<&'a str> {
        let mut named = record.winner.iter().chain([&record.first]);
        let is_stranger = |name: &&String| !name.is_empty() && !self.factions.contains(name);
        named.find(is_stranger).map(String::as_str)
    }

    /// One more game.
    pub fn add(&mut self, record: &GameRecord) {
        self.games += 1;
        match record.end {
            GameEnd::CutOff => self.cut_off += 1,
            GameEnd::Failed => {
                self.failed += 1;
                self.failure
                    .get_or_insert_with(|| (record.game, record.reason.clone()));
                return;
            }
            GameEnd::Over => {
                *self.reasons.entry(record.reason.clone()).or_default() += 1;
            }
        }
        self.distinct.add(record);
        *self.first.entry(record.first.clone()).or_default() += 1;
        *self.rounds.entry(record.rounds).or_default() += 1;
        match &record.winner {
            Some(winner) => {
                *self
                    .wins
                    .entry((record.first.clone(), winner.clone()))
                    .or_default() += 1
            }
            None => self.draws += u64::from(record.end == GameEnd::Over),
        }
        let pair = record.game / self.seats;
        if pair != self.pair {
            self.close();
        }
        self.pair = pair;
        let (factions, round) = (self.factions.len(), self.round.as_deref());
        measure::count(&mut self.pairing, record, factions, round);
        let mut count = |of: ShareOf, is: bool| {
            let entry = self.of_pairing.entry(of).or_default();
            entry[0] += f64::from(is);
            entry[1] += 1.0;
        };
        let won = |faction: &String| record.winner.as_ref() == Some(faction);
        count(ShareOf::First, won(&record.first));
        for faction in &self.factions {
            count(ShareOf::Wins(faction.clone()), won(faction));
        }
        let winner = self.factions.iter().position(won);
        let by = winner.map(|seat| setting::side_in(seat, record.game, self.factions.len()));
        for agent in self.agents.iter().collect::<BTreeSet<_>>() {
            let is = by.is_some_and(|player| self.agents[player] == *agent);
            count(ShareOf::WinsBy(agent.clone()), is);
        }
        count(
            ShareOf::Draws,
            record.winner.is_none() && record.end == GameEnd::Over,
        );
        count(ShareOf::CutOff, record.end == GameEnd::CutOff);
        count(ShareOf::WinsFirst(record.first.clone()), won(&record.first));
    }

    /// The pairing that was being read is whole, or all that there is of it.
    fn close(&mut self) {
        if !self.pairing.is_empty() {
            self.sums.add(&[&std::mem::take(&mut self.pairing)]);
        }
        for (of, entry) in std::mem::take(&mut self.of_pairing) {
            self.shares.entry(of).or_default().add(&entry);
        }
    }

    /// Some words about what there is so far, behind how many games are done.
    pub fn so_far(&self) -> String {
        let played = self.games - self.failed;
        let won: u64 = self.first_wins();
        if played == 0 {
            return String::new();
        }
        let share = wilson(won as f64, played as f64);
        format!(
            "; first faction wins {:.0} to {:.0} %, draws {:.0} %",
            share.low * 100.0,
            share.high * 100.0,
            self.draws as f64 * 100.0 / played as f64
        )
    }

    fn first_wins(&self) -> u64 {
        let own = self.wins.iter().filter(|((first, winner), _)| first == winner);
        own.map(|(_, n)| n).sum()
    }

    /// Returns the figures of the summary.
    pub fn figures_closed(&self) -> Figures {
        let mut whole = self.clone();
        whole.close();
        whole.figures()
    }

    fn figures(&self) -> Figures {
        let share = |what: ShareOf| {
            let sum = self.shares.get(&what).map(|sum| sum.filled(self.sums.pairs));
            let of = sum.as_ref().map_or(0.0, |sum| sum.over(0));
            let estimate = sum.and_then(|sum| sum.estimate(0, true));
            let (value, interval) = estimate.unwrap_or((0.0, wilson(0.0, 0.0)));
            Share {
                name: what.name(),
                games: (value * of).round() as u64,
                of: of as u64,
                interval,
            }
        };
        let mut factions: Vec<&String> = self.factions.iter().collect();
        factions.sort();
        let mut shares = vec![share(ShareOf::First)];
        shares.extend(factions.iter().map(|f| share(ShareOf::Wins((*f).clone()))));
        let agents: BTreeSet<&String> = self.agents.iter().collect();
        shares.extend(agents.into_iter().map(|a| share(ShareOf::WinsBy(a.clone()))));
        shares.extend([share(ShareOf::Draws), share(ShareOf::CutOff)]);
        let mut notes = Vec::from_iter(self.distinct.warning());
        notes.extend(self.said.iter().cloned());
        if self.sums.pairs == 1.0 {
            notes.push("one seed gives no intervals".to_owned());
        }
        match (&self.first.keys().collect::<Vec<_>>()[..], factions.len()) {
            ([only], 2..) => notes.push(format!(
                "{only} is first in every game, so the advantages of seat and faction are not separate"
            )),
            ([_, _, ..], 2..) => {
                shares.extend(
                    self.first
                        .keys()
                        .map(|first| share(ShareOf::WinsFirst(first.clone()))),
                );
            }
            _ => {}
        }
        let mut reasons: Vec<(String, u64)> = self.reasons.clone().into_iter().collect();
        reasons.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        Figures {
            games: self.games,
            cut_off: self.cut_off,
            failed: self.failed,
            failure: self.failure.clone(),
            shares,
            reasons,
            means: self.means(),
            lengths: self.lengths(),
            units: self.units(),
            notes,
        }
    }

    fn mean(&self, measure: &Measure) -> Option<Mean> {
        let level = MeasureLevel::of(measure, self.sums.of(measure)?, 0)?;
        Some(Mean {
            name: measure.name(),
            mean: level.mean,
            interval: level.interval,
        })
    }

    fn means(&self) -> Vec<Mean> {
        let numbers = self.sums.measures().filter(|m| !m.is_share());
        let numbers = numbers.filter(|m| !matches!(m, Measure::Unit(..)));
        numbers.filter_map(|m| self.mean(m)).collect()
    }

    fn lengths(&self) -> Option<(u32, u32, u32)> {
        let all: u64 = self.rounds.values().sum();
        let mut below = 0;
        let middle = self.rounds.iter().find(|(_, n)| {
            below += **n;
            2 * below >= all
        })?;
        Some((
            *self.rounds.keys().next()?,
            *middle.0,
            *self.rounds.keys().last()?,
        ))
    }

    fn units(&self) -> Vec<UnitSummary> {
        if self.sums.pairs < 2.0 {
            return Vec::new();
        }
        let types = self.sums.measures().filter_map(|m| match m {
            Measure::Unit(unit, TypeMeasure::WinShare) => Some(unit.clone()),
            _ => None,
        });
        let of = |unit: &String, of: TypeMeasure| self.mean(&Measure::Unit(unit.clone(), of));
        // Of a type that one seed fields there is a mean, though nothing says how far it may be off.
        let mean = |measure: &Measure| self.sums.of(measure)?.mean(0);
        let damage = |unit: &String, of: TypeMeasure| mean(&Measure::Unit(unit.clone(), of));
        types
            .filter_map(|unit| {
                let fielded = self
                    .sums
                    .of(&Measure::Unit(unit.clone(), TypeMeasure::Survival))?
                    .over(0);
                let uses = self.sums.measures().filter_map(|m| match m {
                    Measure::Unit(of, TypeMeasure::Uses(word)) if *of == unit => {
                        Some((word.clone(), mean(m)?))
                    }
                    _ => None,
                });
                Some(UnitSummary {
                    a_game: fielded / (self.games - self.failed) as f64,
                    win_share: of(&unit, TypeMeasure::WinShare)?,
                    survival: of(&unit, TypeMeasure::Survival)?,
                    damage: (
                        damage(&unit, TypeMeasure::Dealt)?,
                        damage(&unit, TypeMeasure::Taken)?,
                    ),
                    uses: uses.collect(),
                    unit,
                })
            })
            .collect()
    }
}

/// A share in per cent.
pub fn per_cent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// From where to where, in per cent.
pub fn range(interval: Interval) -> String {
    format!("{:.1} to {:.1}", interval.low * 100.0, interval.high * 100.0)
}

impl Figures {
    /// The page of it.
    pub fn page(&self) -> Report {
        let mut rows = ReportTable::headed(["", "games", "share", "95 % interval"]);
        for share in &self.shares {
            // Of no game there is no share.
            let known = |text: String| if share.of > 0 { text } else { "-".to_owned() };
            rows.push([
                share.name.clone(),
                share.games.to_string(),
                known(per_cent(share.games as f64 / share.of as f64)),
                known(range(share.interval)),
            ]);
        }
        let mut page = Report::of(rows);
        if !self.means.is_empty() {
            let mut rows = ReportTable::headed(["", "mean", "95 % interval"]);
            for mean in &self.means {
                let (low, high) = (mean.interval.low, mean.interval.high);
                rows.push([
                    mean.name.clone(),
                    format!("{:.2}", mean.mean),
                    format!("{low:.2} to {high:.2}"),
                ]);
            }
            page.put(rows);
        }
        if let Some((least, middle, most)) = self.lengths {
            page.put(format!(
                "lengths: {least} at least, {middle} in the middle, {most} at most"
            ));
        }
        if !self.reasons.is_empty() {
            let reasons = self.reasons.iter().map(|(why, n)| format!("{why} {n}"));
            page.put(format!("ends: {}", reasons.collect::<Vec<_>>().join(", ")));
        }
        if !self.units.is_empty() {
            let mut rows = ReportTable::headed([
                "unit",
                "a game",
                "win share",
                "95 % interval",
                "survival",
                "dealt",
                "taken",
                "uses of each",
            ]);
            for unit in &self.units {
                let uses = unit.uses.iter().map(|(word, n)| format!("{word} {n:.2}"));
                rows.push([
                    unit.unit.clone(),
                    format!("{:.2}", unit.a_game),
                    per_cent(unit.win_share.mean),
                    range(unit.win_share.interval),
                    per_cent(unit.survival.mean),
                    format!("{:.2}", unit.damage.0),
                    format!("{:.2}", unit.damage.1),
                    uses.collect::<Vec<_>>().join(", "),
                ]);
            }
            page.put(rows);
        }
        page.extend(self.notes.iter().map(|note| format!("note: {note}")));
        if let Some((game, why)) = &self.failure {
            page.put(format!(
                "{} failed; the first is game {game}: {why} (with `--out FILE`, `rulebench sim replay FILE \
                 {game}` shows how it came there)",
                counted(self.failed as usize, "game")
            ));
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_games_with_one_seed_that_are_the_same_tell_as_much_as_one() {
        let factions = ["red", "blue"].map(str::to_owned);
        let agents = ["greedy", "random"].map(str::to_owned);
        let figures_with = |seats: u64| {
            let agents = if seats > 1 { &agents[..] } else { &[] };
            let mut summary = Summary::new(Some("round".to_owned()), &factions, seats, agents);
            for game in 0..200 {
                let pair = game / 2;
                summary.add(&GameRecord {
                    game,
                    first: factions[0].clone(),
                    winner: Some(factions[pair as usize % 2].clone()),
                    rounds: 5 + pair as u32 % 2,
                    digest: pair.to_string(),
                    ..GameRecord::default()
                });
            }
            summary.figures_closed()
        };
        let (pairs, alone) = (figures_with(2), figures_with(1));
        let near = |is: Interval, wanted: Interval| {
            assert!(
                (is.low - wanted.low).abs() < 1e-9 && (is.high - wanted.high).abs() < 1e-9,
                "{is:?}"
            );
        };
        for (figures, of) in [(&pairs, 100.0), (&alone, 200.0)] {
            let shares: Vec<(&str, u64, u64)> = figures
                .shares
                .iter()
                .map(|s| (s.name.as_str(), s.games, s.of))
                .collect();
            let mut wanted = vec![
                ("first faction wins", 100, 200),
                ("blue wins", 100, 200),
                ("red wins", 100, 200),
                ("draws", 0, 200),
                ("cut off", 0, 200),
            ];
            if of == 100.0 {
                // Who has red has blue next: each wins one of the two.
                wanted.splice(3..3, [("greedy wins", 100, 200), ("random wins", 100, 200)]);
            }
            assert_eq!(shares, wanted);
            for share in &figures.shares[..3] {
                near(share.interval, wilson(of / 2.0, of));
            }
            near(figures.shares[wanted.len() - 2].interval, wilson(0.0, of));
        }
        let wide = |figures: &Figures| figures.means[0].interval.high - figures.means[0].interval.low;
        assert!(wide(&pairs) > 1.4 * wide(&alone) && pairs.means[0].mean == 5.5);
        // Each is there twice.
        assert!(
            pairs.notes.iter().any(|n| n.contains("only 100 are different")),
            "{:?}",
            pairs.notes
        );
    }
}
