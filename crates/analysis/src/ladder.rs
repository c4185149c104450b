//! Agents play each other, seats swapped and with the same dice, and are rated by what came of it.

use crate::agents::{self, Agent};
use crate::report::Problems;
use crate::reports::{Report, ReportTable};
use crate::rules::workspace::Workspace;
use crate::scenario::file::ScenarioFile;
use crate::stage::run::Overrides;
use crate::stats::{Paired, z_sure};
use crate::studies::heading::StudyHeading;
use crate::studies::problems;
use crate::studies::record::{DistinctGames, GameEnd, GameRecord, one_of_many};
use crate::studies::setting::{GameRunner, Setting, StudyRequest};
use crate::{parallel, suite};
use serde::Serialize;
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
#[derive(Debug, Clone, PartialEq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ladder {
    /// The game.
    pub game: String,
    /// Description of the games that were played, with all agents.
    pub played: StudyHeading,
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
    /// Its page: how agents rate, and how they did against each other.
    pub fn page(&self) -> Report {
        let how = match self.factions == 1 {
            true => "each agent by itself with the same seeds; the better end counts",
            false => "seats swapped, the same seeds for each pair",
        };
        let mut page = Report::of(format!("{}: {} games, {how}", self.played.what(), self.games));
        let mut standings = vec![["agent", "rating", "95 % within"].map(str::to_owned).to_vec()];
        for AgentRating {
            agent,
            rating,
            within,
        } in &self.standings
        {
            let (low, high) = (rating - within, rating + within);
            let within = match within.is_finite() {
                true => format!("{low:.0} to {high:.0}"),
                false => "not known: not all have met".to_owned(),
            };
            standings.push(vec![agent.clone(), format!("{rating:6.0}"), within]);
        }
        page.put(ReportTable::plain(standings));
        // Of more than two sides every seat of the one is held against every seat of the other.
        let counted = if self.factions > 2 { "seats" } else { "games" };
        let mut pairs = ReportTable::headed([counted, "  won", "drawn", " lost"]);
        for pair in &self.pairs {
            let scores = [pair.won, pair.drawn, pair.lost].map(|n| n.to_string());
            pairs.push(
                [format!("{} : {}", pair.one, pair.other)]
                    .into_iter()
                    .chain(scores),
            );
        }
        page.put(pairs);
        if self.too_long > 0 {
            let games = self.too_long;
            page.put(format!(
                "{games} games were stopped as too long and count as drawn"
            ));
        }
        if !self.timed.is_empty() {
            page.put(format!("{}: {}", self.timed.join(", "), agents::TIMED));
        }
        page.extend(self.note.iter().map(|note| format!("note: {note}")));
        page.extend(self.warning.clone());
        page
    }
}

/// Plays all games on all cores; fewer when somebody stops it.
///
/// # Errors
///
/// Fewer than two agents; rules that do not load or fail.
pub fn ladder(workspace: &Workspace, ask: &LadderPlan) -> Result<Ladder, Problems> {
    if ask.agents.len() < 2 || (1..ask.agents.len()).any(|n| ask.agents[..n].contains(&ask.agents[n])) {
        return Err(problems::too_few_agents().into());
    }
    let file = ask.file(workspace)?;
    let wanted = StudyRequest {
        armies: vec!["asked".to_owned()],
        seed: Some(ask.changes.seed.unwrap_or(file.seed)),
        games: ask.games as u64,
        ..StudyRequest::default()
    };
    let mut setting = Setting::new(workspace, &file, &ask.changes, &wanted)?;
    let runner = GameRunner::lay(workspace, &setting)?;
    let factions = runner.ruleset().rules.factions.clone();
    let note = agents::without_worth(&ask.agents, &runner.play);
    drop(runner);
    // Each seed is played from every seat.
    setting.swap = factions.len() > 1;
    let names: Vec<String> = ask.agents.iter().map(ToString::to_string).collect();
    let seatings = seatings(names.len(), factions.len());
    let mut met = meetings(names.len());
    let (mut games, mut too_long) = (0, 0);
    play(
        workspace,
        &setting,
        (&seatings, &ask.agents),
        ask.threads,
        |seed| {
            let played = || seed.iter().flatten();
            games += played().count();
            too_long += played().filter(|record| record.end == GameEnd::CutOff).count();
            for met in &mut met {
                met.add(&seatings, seed, &factions);
            }
        },
    )?;
    let pairs = met.iter().map(|met| AgentPair {
        one: names[met.one].clone(),
        other: names[met.other].clone(),
        won: met.score[0],
        drawn: met.score[1],
        lost: met.score[2],
    });
    let pairs = pairs.collect();
    let mut standings: Vec<AgentRating> = ratings(names.len(), &met)
        .into_iter()
        .zip(&names)
        .map(|((rating, within), agent)| AgentRating {
            agent: agent.clone(),
            rating: tenths(rating),
            within: tenths(within),
        })
        .collect();
    standings.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    let warned = met
        .iter()
        .filter_map(|met| Some((met, met.distinct.variety_note()?)));
    let of = |met: &LadderGame| format!("{} against {}", names[met.one], names[met.other]);
    Ok(Ladder {
        game: ask.game.clone(),
        played: StudyHeading {
            agents: names.clone(),
            ..setting.heading()
        },
        standings,
        pairs,
        games,
        too_long,
        factions: factions.len(),
        note,
        timed: ask
            .agents
            .iter()
            .filter(|a| a.is_timed())
            .map(ToString::to_string)
            .collect(),
        warning: one_of_many(warned.map(|(met, text)| (format!("warning: {}", of(met)), text))),
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

/// Plays each seed in every seating from every seat, and gives away the games of one seed after the other, by seating; of
/// the last one, where somebody stops it, those of the seatings that are whole.
fn play(
    workspace: &Workspace,
    setting: &Setting,
    (seatings, agents): (&[(usize, usize)], &[Agent]),
    threads: Option<usize>,
    mut take: impl FnMut(&[Vec<GameRecord>]),
) -> Result<(), Problems> {
    let seats = setting.seats() as usize;
    // Of more than two sides each of a pair is the single one in turn.
    let ways = if seats > 2 { 2 } else { 1 };
    let seeds = (setting.games as usize).div_ceil(seats * ways);
    let of_a_seed = seatings.len() * seats;
    let lay = || {
        let mut runner = GameRunner::lay(workspace, setting)?;
        runner.weigh = seats == 1;
        Ok(runner)
    };
    let game = |runner: &mut GameRunner, piece: usize| {
        let (single, rest) = seatings[piece % of_a_seed / seats];
        let mut seated = vec![agents[rest]; seats];
        seated[0] = agents[single];
        runner.seat(seated);
        runner.play((piece / of_a_seed * seats + piece % seats) as u64)
    };
    let course = workspace.work().begin("games", Some(seeds * of_a_seed));
    let (mut seed, mut failed) = (Vec::with_capacity(of_a_seed), None);
    let mut tell = |seed: &mut Vec<GameRecord>| {
        let whole: Vec<Vec<GameRecord>> = seed.chunks_exact(seats).map(<[GameRecord]>::to_vec).collect();
        take(&whole);
        seed.clear();
    };
    parallel::stream(
        workspace.work(),
        0..seeds * of_a_seed,
        threads,
        || {
            let mut runner: Result<GameRunner, Problems> = lay();
            move |piece| (piece, runner.as_mut().ok().map(|runner| game(runner, piece)))
        },
        |(piece, played)| {
            course.step();
            match played.filter(|record| record.end != GameEnd::Failed) {
                Some(record) => seed.push(record),
                None => failed = Some(piece),
            }
            if seed.len() == of_a_seed {
                tell(&mut seed);
            }
            failed.is_none()
        },
    );
    // What is wrong belongs to its thread; here it goes wrong again.
    if let Some(piece) = failed {
        let mut runner = lay()?;
        let record = game(&mut runner, piece);
        return Err(setting.failed(record.game, &mut runner, record.reason));
    }
    if !seed.is_empty() {
        tell(&mut seed);
    }
    Ok(())
}

/// Result of the games of two agents against each other.
struct LadderGame {
    one: usize,
    other: usize,
    /// Number of games, or seats of games, won by the first agent, by neither, and by the second.
    score: [usize; 3],
    /// Points of the first seed by seed: 1 for a win, a half for a draw; and games.
    points: Paired,
    distinct: DistinctGames,
}

/// Every agent with every other.
fn meetings(agents: usize) -> Vec<LadderGame> {
    let pairs = seatings(agents, 2).into_iter();
    let meeting = |(one, other)| LadderGame {
        one,
        other,
        score: [0; 3],
        points: Paired::default(),
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
    // What the games tell of the differences, and one row of each for the mean, which they tell nothing of.
    let mut known = vec![vec![1.0 / agents as f64; agents]; agents];
    for met in met() {
        let (one, other) = (met.one, met.other);
        let sum = strength[one] + strength[other];
        let weight = (met.worth() + 1.0) * strength[one] * strength[other] / (sum * sum);
        known[one][one] += weight;
        known[other][other] += weight;
        known[one][other] -= weight;
        known[other][one] -= weight;
    }
    let to_elo = 400.0 / std::f64::consts::LN_10;
    if !are_one_group(agents, met().map(|met| (met.one, met.other))) {
        return strength
            .iter()
            .map(|s| (s.ln() * to_elo, f64::INFINITY))
            .collect();
    }
    let spread = inverse(known);
    let of = |agent: usize| {
        // The row for the mean adds 1 to each.
        let variance = spread[agent][agent] - 1.0 / agents as f64;
        (
            strength[agent].ln() * to_elo,
            z_sure() * to_elo * variance.max(0.0).sqrt(),
        )
    };
    (0..agents).map(of).collect()
}

/// Whether any two of them have met, themselves or by way of others.
fn are_one_group(agents: usize, met: impl Iterator<Item = (usize, usize)>) -> bool {
    let mut group: Vec<usize> = (0..agents).collect();
    for (one, other) in met {
        let (to, from) = (group[one], group[other]);
        group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
    }
    group.iter().all(|g| *g == group[0])
}

/// Rounds to tenths, so that all machines give the same number.
fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// Gauss and Jordan's; the matrix is one that can be inverted.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for (n, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|m| if m == n { 1.0 } else { 0.0 }));
    }
    for column in 0..size {
        let largest = |a: &usize, b: &usize| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs());
        let pivot = (column..size).max_by(largest).unwrap_or(column);
        matrix.swap(column, pivot);
        let lead = matrix[column][column];
        matrix[column].iter_mut().for_each(|x| *x /= lead);
        let pivot = matrix[column].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(n, _)| *n != column) {
            let times = row[column];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= times * p);
        }
    }
    matrix.into_iter().map(|row| row[size..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        twice.points = Paired::default();
        for nth in 0..50 {
            twice.points.add(&[if nth < 30 { 2.0 } else { 0.0 }, 2.0]);
        }
        let (twice, once) = (ratings(2, &[twice]), ratings(2, &[met(0, 1, [30, 0, 20])]));
        assert!((twice[0].1 - once[0].1).abs() < 0.5, "{twice:?} {once:?}");
    }
}
