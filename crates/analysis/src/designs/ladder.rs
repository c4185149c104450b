//! Agents play each other, seats swapped and with the same dice, and are rated by what came of it.

use crate::agents::{self, Agent};
use crate::experiment::Experiment;
use crate::experiment::arm::{Arm, ArmOptions, Look};
use crate::experiment::heading::Heading;
use crate::experiment::problems;
use crate::experiment::record::{DistinctGames, GameEnd, GameRecord, one_of_many};
use crate::report::Problems;
use crate::reports::{Cell, Column, Report, ReportTable};
use crate::row;
use crate::rules::workspace::Workspace;
use crate::scenario::file::ScenarioFile;
use crate::stage::run::Overrides;
use crate::stats::{SeedSums, least_squares, z_sure};
use crate::suite;
use std::cmp::Ordering;

/// Ratings are gone over so often; far fewer times are enough.
const ROUNDS: usize = 20_000;

/// Request for a ladder: the agents, their game and the number of games.
#[derive(Debug, Clone)]
pub struct LadderPlan {
    /// The game.
    pub game: String,
    /// The scenario in whose position the games begin, by its path; its answers are left out.
    pub scenario: Option<String>,
    /// Changes to the scenario or game.
    pub changes: Overrides,
    /// The agents.
    pub agents: Vec<Agent>,
    /// Minimum number of games for each pair: as many seeds as needed, each played from every seat.
    pub games: usize,
    /// Number of threads; one per core if `None`.
    pub threads: Option<usize>,
}

impl LadderPlan {
    fn file(&self, workspace: &Workspace) -> Result<ScenarioFile, Problems> {
        let mut file = match &self.scenario {
            Some(path) => {
                let opened = suite::open(workspace, path)?;
                if opened.lines.is_some() {
                    return Err(problems::transcript_on_ladder(path).into());
                }
                opened.file
            }
            None => ScenarioFile::new(&self.game),
        };
        file.answers.clear();
        Ok(file)
    }
}

/// One agent's place.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentRating {
    /// The agent.
    pub agent: String,
    /// Its rating, as in Elo's: 400 more is to win ten of eleven. All of them are 0 in the mean.
    pub rating: f64,
    /// Half the width of the 95 % interval; infinite where some agents have not met, not even through other agents.
    pub within: f64,
}

/// Result of the games between two agents. With three or more seats, every seat of one agent is compared with every
/// seat of the other.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentPair {
    /// The first of them.
    pub one: String,
    /// The second.
    pub other: String,
    /// Games, or seats, that the first won.
    pub won: usize,
    /// Those that neither won.
    pub drawn: usize,
    /// Those that the second won.
    pub lost: usize,
}

/// Result of all games.
#[derive(Debug, Clone, PartialEq)]
pub struct Ladder {
    /// Description of the games that were played, with all agents.
    pub played: Heading,
    /// The best first.
    pub standings: Vec<AgentRating>,
    /// By pairs.
    pub pairs: Vec<AgentPair>,
    /// Number of games played.
    pub games: usize,
    /// Number of games that were stopped because they were too long.
    pub too_long: usize,
    /// Number of factions. With one faction, each agent plays alone, and the better result counts.
    pub factions: usize,
    /// Agents whose budget is a time: nobody else gets these results.
    pub timed: Vec<String>,
    /// Note about the agents that played, if one is needed.
    pub note: Option<String>,
    /// Warning if too little is left to chance.
    pub warning: Option<String>,
}

impl Ladder {
    /// Returns the report: how agents rate, and how they did against each other.
    pub fn report(&self) -> Report {
        let how = match self.factions == 1 {
            true => "each agent by itself with the same seeds; the better end counts",
            false => "seats swapped, the same seeds for each pair",
        };
        let mut report = Report::of(format!("{}: {} games, {how}", self.played.what(), self.games));
        let mut rows = ReportTable::plain(vec![row!["agent", "rating", "95 % within"].to_vec()]);
        let mut standings = ReportTable::headed(["agent", "rating", "within"].map(Column::data));
        for AgentRating {
            agent,
            rating,
            within,
        } in &self.standings
        {
            let is_known = within.is_finite();
            let range = match is_known {
                true => format!("{:.0} to {:.0}", rating - within, rating + within),
                false => "not known: not all have met".to_owned(),
            };
            rows.push([agent.clone(), format!("{rating:6.0}"), range]);
            standings.push(row![agent.as_str(), *rating, is_known.then_some(*within)]);
        }
        report.put(rows);
        // Of more than two sides every seat of the one is held against every seat of the other.
        let counted = if self.factions > 2 { "seats" } else { "games" };
        let columns = [
            ("", counted),
            ("won", "  won"),
            ("drawn", "drawn"),
            ("lost", " lost"),
        ];
        let data = ["one", "other"].map(Column::data);
        let mut pairs = ReportTable::headed(columns.map(Column::from).into_iter().chain(data)).keyed("pairs");
        for pair in &self.pairs {
            let name = format!("{} : {}", pair.one, pair.other);
            pairs.push(row![
                name,
                pair.won,
                pair.drawn,
                pair.lost,
                pair.one.as_str(),
                pair.other.as_str()
            ]);
        }
        report.put(pairs);
        if self.too_long > 0 {
            report.put(format!(
                "{} games were stopped as too long and count as drawn",
                self.too_long
            ));
        }
        if !self.timed.is_empty() {
            report.put(format!("{}: {}", self.timed.join(", "), agents::TIMED));
        }
        report.extend(self.note.iter().map(|note| format!("note: {note}")));
        report.extend(self.warning.clone());
        report
            .with("played", Cell::data(&self.played))
            .with("standings", &standings)
            .with("games", self.games)
            .with("too_long", self.too_long)
            .with("timed", &self.timed)
            .with(
                "notes",
                Cell::list(self.note.iter().chain(&self.warning).map(String::as_str)),
            )
    }
}

/// Plays all games on all cores; fewer when the user stops it.
///
/// # Errors
///
/// Fewer than two agents; rules that do not load or fail.
pub fn ladder(workspace: &Workspace, plan: &LadderPlan) -> Result<Ladder, Problems> {
    let agents = &plan.agents;
    if agents.len() < 2 || (1..agents.len()).any(|n| agents[..n].contains(&agents[n])) {
        return Err(problems::too_few_agents().into());
    }
    let file = plan.file(workspace)?;
    let wanted = ArmOptions {
        armies: vec!["asked".to_owned()],
        seed: Some(plan.changes.seed.unwrap_or(file.seed)),
        games: plan.games as u64,
        ..ArmOptions::default()
    };
    let arm = Arm::new(workspace, &file, &plan.changes, &wanted)?;
    let seats = arm.agents.len();
    // With three or more seats, each agent of a pair has the single seat in turn.
    let seeds = plan.games.div_ceil(if seats > 2 { 2 * seats } else { seats });
    let names: Vec<String> = agents.iter().map(ToString::to_string).collect();
    let seatings = seatings(names.len(), seats);
    let seated = seatings.iter().map(|(single, rest)| {
        let mut arm = arm.clone();
        arm.agents.fill(names[*rest].clone());
        arm.agents[0].clone_from(&names[*single]);
        arm.swap = seats > 1;
        arm.games = (seeds * seats) as u64;
        arm
    });
    let mut experiment = Experiment::new(workspace, seated.collect(), plan.threads)?;
    experiment.look = if seats == 1 { Look::End } else { Look::Nothing };
    let mut met = meetings(names.len());
    let (mut games, mut too_long) = (0, 0);
    experiment.seeds("games", |seed| {
        let played = || seed.iter().flatten();
        games += played().count();
        too_long += played().filter(|record| record.end == GameEnd::CutOff).count();
        let factions = &experiment.facts[0].factions;
        met.iter_mut().for_each(|met| met.add(&seatings, seed, factions));
        true
    })?;
    let pairs = met.iter().map(|met| AgentPair {
        one: names[met.one].clone(),
        other: names[met.other].clone(),
        won: met.score[0],
        drawn: met.score[1],
        lost: met.score[2],
    });
    let rated = ratings(names.len(), &met).into_iter().zip(&names);
    let mut standings: Vec<AgentRating> = rated
        .map(|((rating, within), agent)| AgentRating {
            agent: agent.clone(),
            rating: tenths(rating),
            within: tenths(within),
        })
        .collect();
    standings.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    let warned = met.iter().filter_map(|met| {
        let of = format!("warning: {} against {}", names[met.one], names[met.other]);
        Some((of, met.distinct.variety_note()?))
    });
    let timed = agents.iter().filter(|agent| agent.is_timed());
    Ok(Ladder {
        played: Heading {
            agents: names.clone(),
            ..arm.heading()
        },
        standings,
        pairs: pairs.collect(),
        games,
        too_long,
        factions: seats,
        note: agents::without_worth(agents, &experiment.runner(0)?.play),
        timed: timed.map(ToString::to_string).collect(),
        warning: one_of_many(warned),
    })
}

/// Returns the seatings as pairs of agents: the first has one seat, the second the rest. With three or more seats, each
/// agent of a pair has the single seat once; with one seat, each agent plays alone.
fn seatings(agents: usize, factions: usize) -> Vec<(usize, usize)> {
    let pairs = || (0..agents).flat_map(|one| (one + 1..agents).map(move |other| (one, other)));
    match factions {
        0 | 1 => (0..agents).map(|one| (one, one)).collect(),
        2 => pairs().collect(),
        _ => pairs()
            .flat_map(|(one, other)| [(one, other), (other, one)])
            .collect(),
    }
}

/// Result of the games of two agents against each other.
struct LadderGame {
    one: usize,
    other: usize,
    /// Number of games, or seats of games, won by the first agent, by neither, and by the second.
    score: [usize; 3],
    /// Points of the first seed by seed: 1 for a win, a half for a draw; and games.
    points: SeedSums,
    distinct: DistinctGames,
}

/// Every agent with every other.
fn meetings(agents: usize) -> Vec<LadderGame> {
    let pairs = seatings(agents, 2).into_iter();
    let meeting = |(one, other)| LadderGame {
        one,
        other,
        score: [0; 3],
        points: SeedSums::default(),
        distinct: DistinctGames::default(),
    };
    pairs.map(meeting).collect()
}

impl LadderGame {
    /// One more seed, whose games are given by who sits where, and then by the seat of who sits alone.
    fn add(&mut self, seatings: &[(usize, usize)], games: &[Vec<GameRecord>], factions: &[String]) {
        let before = self.score;
        let mut met = 0;
        if let ([_], Some(own), Some(its)) = (factions, games.get(self.one), games.get(self.other)) {
            let (own, its) = (&own[0], &its[0]);
            self.count(how_good(own).cmp(&how_good(its)));
            self.distinct.add_alike(format!("{} {}", own.digest, its.digest));
            met = 1;
        }
        for ((single, rest), games) in seatings.iter().zip(games).filter(|((s, r), _)| s != r) {
            let is_own = [self.one, self.other].contains(single) && [self.one, self.other].contains(rest);
            for (seat, record) in games.iter().enumerate().filter(|_| is_own) {
                self.distinct.add(record);
                met += 1;
                let winner = factions.iter().position(|f| record.winner.as_ref() == Some(f));
                // Every seat of the one against every seat of the other: whoever wins has beaten them all.
                for against in (0..factions.len()).filter(|other| *other != seat) {
                    let made = (winner == Some(seat)).cmp(&(winner == Some(against)));
                    self.count(if *single == self.one { made } else { made.reverse() });
                }
            }
        }
        let [won, drawn, lost] = [0, 1, 2].map(|n| (self.score[n] - before[n]) as f64);
        let total = (won + drawn + lost).max(1.0);
        self.points
            .add(&[(won + drawn / 2.0) / total * f64::from(met), f64::from(met)]);
    }

    fn count(&mut self, made: Ordering) {
        self.score[match made {
            Ordering::Greater => 0,
            Ordering::Equal => 1,
            Ordering::Less => 2,
        }] += 1;
    }

    /// As many games by themselves tell as much. Of games that one of them won all, none says that a seed makes them alike.
    fn worth(&self) -> f64 {
        match self.points.mean(0) {
            Some(0.0 | 1.0) => self.points.over(0),
            _ => self.points.worth(0),
        }
    }

    fn points(&self) -> f64 {
        self.score.iter().sum::<usize>() as f64
    }
}

/// Whether a game for one was won, then what it ended with.
fn how_good(record: &GameRecord) -> (bool, i64) {
    (record.winner.is_some(), record.worth)
}

/// Ratings by the model of Bradley and Terry, with half of the interval of 95 %; a draw is half a win for each.
/// Each pair that has met has one game more in it, drawn: so whoever has won all has a rating, too. Games tell as much
/// as their seeds do, and those of a seed that come out alike no more than one.
fn ratings(agents: usize, all: &[LadderGame]) -> Vec<(f64, f64)> {
    let met = || all.iter().filter(|met| met.points() > 0.0);
    let mut won = vec![0.0; agents];
    for met in met() {
        let half = (met.score[1] as f64 + 1.0) / 2.0;
        won[met.one] += met.score[0] as f64 + half;
        won[met.other] += met.score[2] as f64 + half;
    }
    let mut strength = vec![1.0f64; agents];
    for _ in 0..ROUNDS {
        let mut against = vec![0.0; agents];
        for met in met() {
            let share = (met.points() + 1.0) / (strength[met.one] + strength[met.other]);
            against[met.one] += share;
            against[met.other] += share;
        }
        let mut logs = 0.0;
        for agent in (0..agents).filter(|a| against[*a] > 0.0) {
            strength[agent] = won[agent] / against[agent];
        }
        for one in &strength {
            logs += one.ln();
        }
        let middle = (logs / agents as f64).exp();
        strength.iter_mut().for_each(|s| *s /= middle);
    }
    let to_elo = 400.0 / std::f64::consts::LN_10;
    // Agents that have not met cannot be told apart.
    let all_met = all.iter().all(|met| met.points() > 0.0);
    // What the games tell of the differences; they tell nothing of the mean.
    let mut known = vec![vec![0.0; agents]; agents];
    for met in met() {
        let (one, other) = (met.one, met.other);
        let sum = strength[one] + strength[other];
        let weight = (met.worth() + 1.0) * strength[one] * strength[other] / (sum * sum);
        known[one][one] += weight;
        known[other][other] += weight;
        known[one][other] -= weight;
        known[other][one] -= weight;
    }
    let within = |agent: usize| {
        let unit: Vec<f64> = (0..agents).map(|n| f64::from(n == agent)).collect();
        let variance = least_squares(&known, &unit)[agent];
        z_sure() * to_elo * variance.max(0.0).sqrt()
    };
    let rating = |agent: usize| {
        let within = if all_met { within(agent) } else { f64::INFINITY };
        (strength[agent].ln() * to_elo, within)
    };
    (0..agents).map(rating).collect()
}

/// Rounds to tenths, so that all machines give the same number.
fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::dice::RollKey;

    /// Returns the meeting of two agents with this score, from games that are not paired by seed.
    fn met(one: usize, other: usize, score: [usize; 3]) -> LadderGame {
        let mut all = meetings(3);
        let met = all.iter().position(|met| (met.one, met.other) == (one, other));
        let mut met = all.swap_remove(met.expect("they are a pair"));
        met.score = score;
        for (made, times) in [1.0, 0.5, 0.0].into_iter().zip(score) {
            (0..times).for_each(|_| met.points.add(&[made, 1.0]));
        }
        met
    }

    #[test]
    fn everybody_has_every_seat_as_often() {
        for (agents, factions, seats) in [(2, 2, 1), (3, 2, 3), (2, 3, 2), (3, 3, 6), (3, 1, 3)] {
            let all = seatings(agents, factions);
            assert_eq!(all.len(), seats, "{agents} agents, {factions} seats");
            let of = |agent: usize| all.iter().filter(|(s, r)| *s == agent || *r == agent).count();
            assert!((1..agents).all(|agent| of(agent) == of(0)), "{all:?}");
        }
    }

    #[test]
    fn ratings_are_those_of_the_model() {
        // Ten of eleven games, the drawn one among them, are 400 points.
        let two = ratings(2, &[met(0, 1, [99, 0, 11])]);
        let share = 99.5 / 111.0;
        let apart = 400.0 * (share / (1.0f64 - share)).log10();
        assert!((two[0].0 - two[1].0 - apart).abs() < 1e-6, "{two:?}");
        // The difference of two is as uncertain as a share of so many games.
        let wide = z_sure() * 400.0 / std::f64::consts::LN_10 / (111.0 * share * (1.0 - share)).sqrt();
        assert!((two[0].1 + two[1].1 - wide).abs() < 1e-6, "{two:?} {wide}");
        let three = [
            met(0, 1, [30, 0, 10]),
            met(1, 2, [30, 0, 10]),
            met(0, 2, [36, 0, 4]),
        ];
        let three = ratings(3, &three);
        assert!(three[0].0 > three[1].0 && three[1].0 > three[2].0);
        assert!(three.iter().map(|r| r.0).sum::<f64>().abs() < 1e-6);
        // Whoever has not met the others cannot be told from them.
        let apart = ratings(3, &[met(0, 1, [2, 0, 0]), met(0, 2, [0, 0, 0])]);
        assert!(
            apart.iter().all(|r| r.0.is_finite() && r.1.is_infinite()),
            "{apart:?}"
        );
        let all = ratings(2, &[met(0, 1, [40, 0, 0])]);
        assert!(all[0].0 - all[0].1 > all[1].0 + all[1].1 && all[0].0.is_finite());
    }

    /// Tests that two games of a seed with the same result count as one game.
    #[test]
    fn games_of_a_seed_that_are_alike_tell_as_much_as_one() {
        let mut twice = met(0, 1, [60, 0, 40]);
        twice.points = SeedSums::default();
        for nth in 0..50 {
            twice.points.add(&[if nth < 30 { 2.0 } else { 0.0 }, 2.0]);
        }
        let (twice, once) = (ratings(2, &[twice]), ratings(2, &[met(0, 1, [30, 0, 20])]));
        assert!((twice[0].1 - once[0].1).abs() < 0.5, "{twice:?} {once:?}");
    }

    #[test]
    fn planted_strengths_are_put_in_order_within_their_intervals() {
        // Elo 150, 0 and -150: agents meet in 120 games each.
        let planted = [150.0, 0.0, -150.0f64];
        let (mut ordered, mut held) = (0, 0);
        for nth in 0..100 {
            let key = RollKey::new(nth);
            let pair = |one: usize, other: usize| {
                let chance = 1.0 / (1.0 + 10f64.powf((planted[other] - planted[one]) / 400.0));
                let mut score = [0; 3];
                for game in 0..120 {
                    let draw = key.with((one * 3 + other) as u64).with(game).below(100_000) as f64;
                    score[if draw < chance * 100_000.0 { 0 } else { 2 }] += 1;
                }
                met(one, other, score)
            };
            let found = ratings(3, &[pair(0, 1), pair(1, 2), pair(0, 2)]);
            ordered += usize::from(found[0].0 > found[1].0 && found[1].0 > found[2].0);
            let holds =
                |(planted, (rating, within)): &(&f64, &(f64, f64))| (rating - **planted).abs() <= *within;
            held += planted.iter().zip(&found).filter(holds).count();
        }
        assert!(ordered >= 99 && (276..=297).contains(&held), "{ordered} {held}");
    }
}
