//! Agents play each other, seats swapped and with the same dice, and are rated by what came of it.

use crate::agents::{self, Agent, Mind};
use crate::hosts::Hosts;
use crate::kernel::ids::FactionId;
use crate::pages::{Page, Table};
use crate::play::{Play, Progress};
use crate::progress::{is_interrupted, is_stopped};
use crate::report::{Problem, Problems};
use crate::scenario::file::ScenarioFile;
use crate::script::workspace::Workspace;
use crate::stage::run::{self, Overrides};
use crate::stats::z_sure;
use crate::studies::setting::peopled;
use crate::{parallel, suite};
use serde::Serialize;
use std::cmp::Ordering;

/// A game that has as many steps counts as drawn, and is told of.
const STEPS: usize = 100_000;
/// Ratings are gone over so often; far fewer times are enough.
const ROUNDS: usize = 20_000;

/// Who plays whom, and how often.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The game.
    pub game: String,
    /// The scenario in whose position the games begin, by its path; its answers are left out.
    pub scenario: Option<String>,
    /// What is changed about it.
    pub changes: Overrides,
    /// The agents.
    pub agents: Vec<Agent>,
    /// How many games each pair plays at least: as many seeds as it takes, each from every seat.
    pub games: usize,
}

impl Ask {
    fn file(&self, workspace: &Workspace) -> Result<ScenarioFile, Problems> {
        let mut file = match &self.scenario {
            Some(path) => suite::open(workspace, path)?.file,
            None => ScenarioFile::new(&self.game),
        };
        file.answers.clear();
        Ok(file)
    }
}

/// One agent's place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// The agent.
    pub agent: String,
    /// Its rating, as in Elo's: 400 more is to win ten of eleven. All of them are 0 in the mean.
    pub rating: f64,
    /// How far the interval of 95 % reaches to each side; without an end where some have not met, not even by others.
    pub within: f64,
}

/// What two agents made of their games. Of three seats and more every seat of the one is held against every
/// seat of the other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
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

/// What came of all games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ladder {
    /// The game.
    pub game: String,
    /// The best first.
    pub standings: Vec<Standing>,
    /// By pairs.
    pub pairs: Vec<Pair>,
    /// How many games were played.
    pub games: usize,
    /// How many of them were stopped as too long.
    pub too_long: usize,
    /// How many sides play. Where it is one, each agent plays by itself, and the better end counts.
    pub factions: usize,
    /// Agents whose budget is a time: nobody else gets these results.
    pub timed: Vec<String>,
    /// What must be said of who played.
    pub note: Option<String>,
}

/// One game: which agent has which seat, and the seed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Match {
    seats: Vec<usize>,
    seed: u64,
}

/// How a game ended.
#[derive(Debug, Clone, Copy)]
struct End {
    winner: Option<FactionId>,
    over: bool,
    /// What the first side has in the end, where it plays alone.
    worth: i64,
}

impl Ladder {
    /// Its page: how agents rate, and how they did against each other.
    pub fn page(&self) -> Page {
        let how = match self.factions == 1 {
            true => "each agent by itself with the same seeds; the better end counts",
            false => "seats swapped, the same seeds for each pair",
        };
        let mut page = Page::of(format!("{}: {} games, {how}", self.game, self.games));
        let widths = self.standings.iter().map(|s| s.agent.len());
        let width = widths.max().unwrap_or(0).max(5);
        page.put(format!("{:width$}  rating  95 % within", "agent"));
        for Standing {
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
            page.below(format!("{agent:width$}  {rating:6.0}  {within}"));
        }
        // Of more than two sides every seat of the one is held against every seat of the other.
        let counted = if self.factions > 2 { "seats" } else { "games" };
        let mut pairs = Table::headed([counted, "  won", "drawn", " lost"]);
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
            page.put(format!(
                "{}: a budget in time is another on each machine, so these games cannot be reproduced",
                self.timed.join(", ")
            ));
        }
        page.extend(self.note.iter().map(|note| format!("note: {note}")));
        page
    }
}

/// Plays all games on all cores; fewer when somebody stops it.
///
/// # Errors
///
/// Fewer than two agents; rules that do not load or fail.
pub fn ladder(workspace: &Workspace, ask: &Ask) -> Result<Ladder, Problems> {
    if ask.agents.len() < 2 || (1..ask.agents.len()).any(|n| ask.agents[..n].contains(&ask.agents[n])) {
        return Err(Problem::new("a ladder is of two different agents or more")
            .hint("such as --agents random,greedy,mcts:400")
            .into());
    }
    let file = ask.file(workspace)?;
    let laid = run::lay(workspace, &file, &ask.changes)?.playable()?;
    let (factions, first) = (laid.play.host.rules.factions.len(), laid.file.seed);
    let note = agents::without_worth(&ask.agents, &laid.play);
    drop(laid);
    let matches = matches(
        ask.agents.len(),
        factions,
        ask.games.div_ceil(of_a_seed(factions)),
        first,
    );
    let ends = parallel::each_whole("games", matches.len(), || {
        let mut hosts = Hosts::new(workspace);
        let (file, matches) = (ask.file(workspace), &matches);
        move |n| {
            let file = file.as_ref().ok()?;
            let end = one_game(&mut hosts, file, ask, &matches[n]);
            end.transpose().map(Result::ok)
        }
    });
    let mut played: Vec<(&Match, End)> = Vec::new();
    for (one, end) in matches.iter().zip(ends) {
        match end {
            Some(Some(end)) => played.push((one, end)),
            // Why rules fail stays within its thread; here they fail again.
            Some(None) => {
                let end = one_game(&mut Hosts::new(workspace), &file, ask, one);
                end.map_err(|why| why.within(&format!("the game of seed {} fails", one.seed)))?;
            }
            None => {}
        }
    }
    let names: Vec<String> = ask.agents.iter().map(ToString::to_string).collect();
    let scores = scores(&played, factions, names.len());
    let pairs = scores.iter().map(|(one, other, score)| Pair {
        one: names[*one].clone(),
        other: names[*other].clone(),
        won: score[0],
        drawn: score[1],
        lost: score[2],
    });
    let pairs = pairs.collect();
    let mut standings: Vec<Standing> = ratings(names.len(), factions, &scores)
        .into_iter()
        .zip(&names)
        .map(|((rating, within), agent)| Standing {
            agent: agent.clone(),
            rating: tenths(rating),
            within: tenths(within),
        })
        .collect();
    standings.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    Ok(Ladder {
        game: ask.game.clone(),
        standings,
        pairs,
        games: played.len(),
        too_long: played.iter().filter(|(_, end)| !end.over).count(),
        factions,
        note,
        timed: ask
            .agents
            .iter()
            .filter(|a| a.is_timed())
            .map(ToString::to_string)
            .collect(),
    })
}

/// How many games a pair plays with one seed.
fn of_a_seed(factions: usize) -> usize {
    match factions {
        0..=2 => factions.max(1),
        more => 2 * more,
    }
}

/// Each pair plays each seed from every seat; of three seats and more, one of the two has one and the other
/// the rest, in all ways. Where there is one seat, each agent has it once.
fn matches(agents: usize, factions: usize, seeds: usize, first: u64) -> Vec<Match> {
    let mut matches: Vec<Match> = Vec::new();
    for seed in (0..seeds as u64).map(|n| first.wrapping_add(n)) {
        for one in 0..agents {
            if factions == 1 {
                matches.push(Match {
                    seats: vec![one],
                    seed,
                });
            }
            for other in (one + 1..agents).filter(|_| factions > 1) {
                for (single, rest) in [(one, other), (other, one)] {
                    for seat in 0..factions {
                        let seats = (0..factions).map(|s| if s == seat { single } else { rest });
                        let new = Match {
                            seats: seats.collect(),
                            seed,
                        };
                        // With two seats both ways to fill them come twice.
                        if factions > 2 || single == one {
                            matches.push(new);
                        }
                    }
                }
            }
        }
    }
    matches
}

/// Plays one game; `None` when somebody stops it.
fn one_game(
    hosts: &mut Hosts<'_>,
    file: &ScenarioFile,
    ask: &Ask,
    one: &Match,
) -> Result<Option<End>, Problems> {
    let changes = Overrides {
        seed: Some(one.seed),
        ..ask.changes.clone()
    };
    let file = run::changed(file, &changes);
    let host = hosts.take(&file, &run::options_of(&file, &changes.without))?;
    let mut play = run::lay_on(host, file)?.play;
    let end = to_the_end(&mut play, &one.seats, &ask.agents, one.seed).and_then(|end| {
        // Where somebody stopped it, nobody may have been enlisted yet.
        if end.is_some() {
            peopled(&play)?;
        }
        Ok(end)
    });
    hosts.give(play.host);
    end
}

fn to_the_end(
    play: &mut Play,
    seats: &[usize],
    agents: &[Agent],
    seed: u64,
) -> Result<Option<End>, Problems> {
    let (mut over, mut mind) = (false, Mind::default());
    for _ in 0..STEPS {
        if is_stopped() {
            return Ok(None);
        }
        match play.advance() {
            Progress::Stepped => {}
            Progress::Over => {
                over = true;
                break;
            }
            Progress::Asks => {
                let asker = play.asked(|a| a.request.asker.index()).unwrap_or(0);
                agents[seats[asker]].answer(play, &mut mind, seed)?;
            }
            Progress::Failed(_) if is_interrupted() => return Ok(None),
            Progress::Failed(_) if play.is_endless() => break,
            Progress::Failed(problem) => return Err((*problem).into()),
            Progress::Diverged(why) => return Err(Problem::new(why.to_string()).into()),
        }
    }
    let world = play.table().world.clone();
    let winner = world.outcome.filter(|_| over).and_then(|o| o.winner);
    let worth = match seats.len() {
        1 => play.worth(FactionId(0), world)?,
        _ => 0,
    };
    Ok(Some(End { winner, over, worth }))
}

/// By pair: how many games, or seats of them, the first won, neither, the second.
type Scores = Vec<(usize, usize, [usize; 3])>;

fn scores(played: &[(&Match, End)], factions: usize, agents: usize) -> Scores {
    let mut scores: Scores = Vec::new();
    for one in 0..agents {
        for other in one + 1..agents {
            let mut score = [0; 3];
            let mut count = |ordering: Ordering| match ordering {
                Ordering::Greater => score[0] += 1,
                Ordering::Equal => score[1] += 1,
                Ordering::Less => score[2] += 1,
            };
            if factions == 1 {
                let of = |agent: usize| played.iter().filter(move |(m, _)| m.seats[0] == agent);
                for (with, end) in of(one) {
                    if let Some((_, its)) = of(other).find(|(m, _)| m.seed == with.seed) {
                        count(how_good(end).cmp(&how_good(its)));
                    }
                }
            } else {
                let of_both = |m: &Match| m.seats.contains(&one) && m.seats.contains(&other);
                for (m, end) in played.iter().filter(|(m, _)| of_both(m)) {
                    // Every seat of the one against every seat of the other: whoever wins has beaten them all.
                    let seats = |agent: usize| (0..factions).filter(move |s| m.seats[*s] == agent);
                    for mine in seats(one) {
                        for its in seats(other) {
                            let won = |seat: usize| end.winner.is_some_and(|w| w.index() == seat);
                            count(won(mine).cmp(&won(its)));
                        }
                    }
                }
            }
            scores.push((one, other, score));
        }
    }
    scores
}

/// Whether a game for one was won, then what it ended with.
fn how_good(end: &End) -> (bool, i64) {
    (end.winner.is_some(), end.worth)
}

/// Ratings by the model of Bradley and Terry, with half of the interval of 95 %; a draw is half a win for each.
/// Each pair that has met has one game more in it, drawn: so whoever has won all has a rating, too. Where a game
/// is told of by several seats, these tell no more than the one game does.
fn ratings(agents: usize, factions: usize, scores: &Scores) -> Vec<(f64, f64)> {
    let of_a_game = (factions.max(2) - 1) as f64;
    let games = |of: &[usize; 3]| of.iter().sum::<usize>() as f64 + 1.0;
    let met = || scores.iter().filter(|(.., s)| s.iter().sum::<usize>() > 0);
    let mut won = vec![0.0; agents];
    for (one, other, score) in met() {
        let half = (score[1] as f64 + 1.0) / 2.0;
        won[*one] += score[0] as f64 + half;
        won[*other] += score[2] as f64 + half;
    }
    let mut strength = vec![1.0f64; agents];
    for _ in 0..ROUNDS {
        let mut against = vec![0.0; agents];
        for (one, other, score) in met() {
            let share = games(score) / (strength[*one] + strength[*other]);
            against[*one] += share;
            against[*other] += share;
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
    for (one, other, score) in met() {
        let sum = strength[*one] + strength[*other];
        let told = games(score) / of_a_game * strength[*one] * strength[*other] / (sum * sum);
        known[*one][*one] += told;
        known[*other][*other] += told;
        known[*one][*other] -= told;
        known[*other][*one] -= told;
    }
    let to_elo = 400.0 / std::f64::consts::LN_10;
    if !are_one_group(agents, met().map(|(one, other, _)| (*one, *other))) {
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

/// What machines agree on.
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

    #[test]
    fn everybody_has_every_seat_as_often() {
        for (agents, factions, games) in [(2, 2, 2), (3, 2, 6), (2, 3, 6), (3, 3, 18), (3, 1, 3)] {
            let all = matches(agents, factions, 1, 7);
            assert_eq!(all.len(), games, "{agents} agents, {factions} seats");
            for seat in 0..factions {
                let of = |agent: usize| all.iter().filter(|m| m.seats[seat] == agent).count();
                assert!((1..agents).all(|agent| of(agent) == of(0)), "{all:?}");
            }
        }
    }

    #[test]
    fn ratings_are_those_of_the_model() {
        // Ten of eleven games, the drawn one among them, are 400 points.
        let two = ratings(2, 2, &vec![(0, 1, [99, 11, 0])]);
        let share = (99.0 + 6.0) / 111.0;
        let apart = 400.0 * (share / (1.0f64 - share)).log10();
        assert!((two[0].0 - two[1].0 - apart).abs() < 1e-6, "{two:?}");
        // The difference of two is as uncertain as a share of so many games.
        let wide = z_sure() * 400.0 / std::f64::consts::LN_10 / (111.0 * share * (1.0 - share)).sqrt();
        assert!((two[0].1 + two[1].1 - wide).abs() < 1e-6, "{two:?} {wide}");
        let three = ratings(
            3,
            2,
            &vec![(0, 1, [30, 0, 10]), (1, 2, [30, 0, 10]), (0, 2, [36, 0, 4])],
        );
        assert!(three[0].0 > three[1].0 && three[1].0 > three[2].0);
        assert!(three.iter().map(|r| r.0).sum::<f64>().abs() < 1e-6);
        // Whoever has not met the others cannot be told from them.
        let apart = ratings(3, 2, &vec![(0, 1, [2, 0, 0]), (0, 2, [0, 0, 0])]);
        assert!(
            apart.iter().all(|r| r.0.is_finite() && r.1.is_infinite()),
            "{apart:?}"
        );
        let all = ratings(2, 2, &vec![(0, 1, [40, 0, 0])]);
        assert!(all[0].0 - all[0].1 > all[1].0 + all[1].1 && all[0].0.is_finite());
        // With three seats a game is told twice, and is one game all the same.
        let (once, twice) = (
            ratings(2, 2, &vec![(0, 1, [60, 0, 39])]),
            ratings(2, 3, &vec![(0, 1, [120, 0, 79])]),
        );
        assert!((once[0].1 - twice[0].1).abs() < 0.05, "{once:?} {twice:?}");
    }
}
