//! The health card of a game: what many games say of its balance, its tension and what in it is never used.

use super::compare::{SeatWins, agents_of};
use super::measure::Sums;
use super::pairings::{self, Pairing, PairingOptions};
use super::record::{DistinctGames, GameEnd, GameRecord};
use super::setting::{ArmyPolicy, GameRunner, Setting};
use crate::report::Problems;
use crate::reports::{Report, ReportTable};
use crate::rules::layers::NO_RULES;
use crate::rules::lint::declaring;
use crate::rules::run::observe::{RunView, Watcher};
use crate::rules::run::value::Value;
use crate::rules::workspace::Workspace;
use crate::stats::{Interval, Paired, wilson};
use serde::Serialize;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Maximum number of games that are kept in memory to find a typical one.
const KEPT: usize = 10_000;
/// Functions are watched in so many games at most.
const WATCHED: u64 = 200;

/// One metric of the card.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// Value of the metric.
    pub value: f64,
    /// With 95 % certainty, where it is known.
    pub interval: Option<Interval>,
    /// Whether it is a share.
    pub is_share: bool,
    /// From where to where it is commonly wanted.
    pub wanted: Option<(f64, f64)>,
    /// Statement of the value, in a sentence.
    pub says: String,
    /// Advice for a low value, and for a high value.
    pub to_try: [&'static str; 2],
    /// Formula of the metric, and its source.
    pub formula: &'static str,
}

impl Metric {
    /// `fine`, `low`, `high`, or nothing where nobody wants anything or it cannot be told yet.
    pub fn mark(&self) -> &'static str {
        let Some((low, high)) = self.wanted else { return "" };
        let known = self.interval.unwrap_or(Interval::around(self.value, 0.0));
        match known {
            i if i.high < low => "low",
            i if i.low > high => "high",
            i if i.low >= low && i.high <= high => "fine",
            _ => "cannot tell yet",
        }
    }
}

/// A game that is worth a look.
#[derive(Debug, Clone, Serialize)]
pub struct ExampleGame {
    /// Why it is.
    pub what: String,
    /// Its number.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// Number of rounds.
    pub rounds: u32,
}

/// The card.
#[derive(Debug, Clone, Serialize)]
pub struct HealthCard {
    /// Agents that played.
    pub agents: String,
    /// Number of games.
    pub games: u64,
    /// The metrics.
    pub metrics: Vec<Metric>,
    /// Parts of the rules that are never used.
    pub dead: Vec<String>,
    /// In how many games functions were watched.
    pub watched: u64,
    /// Games that are worth a look.
    pub examples: Vec<ExampleGame>,
    /// Other notes.
    pub notes: Vec<String>,
}

#[derive(Clone, Copy)]
struct NotableGame {
    game: u64,
    seed: u64,
    rounds: u32,
    decisions: u32,
    drama: f64,
}

impl NotableGame {
    fn length(&self) -> (u32, u32, std::cmp::Reverse<u64>) {
        (self.rounds, self.decisions, std::cmp::Reverse(self.game))
    }
}

/// Figure reported with an interval.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Figure {
    First,
    Decided,
    Draws,
    CutOff,
    Changes,
    Drama,
    Comebacks,
}

#[derive(Default)]
struct WeightedSum {
    /// The factions, in their order.
    factions: Vec<String>,
    /// The game does not say what positions are worth: who leads is not known.
    is_blind: bool,
    games: f64,
    pairings: f64,
    figures: BTreeMap<Figure, Paired>,
    /// Number of games by number of rounds.
    rounds: BTreeMap<u32, u64>,
    decisions: f64,
    options: f64,
    examples: Vec<NotableGame>,
    shortest: Option<NotableGame>,
    longest: Option<NotableGame>,
    most_dramatic: Option<NotableGame>,
    seats: SeatWins,
    distinct: DistinctGames,
    fielded: BTreeMap<String, u64>,
    uses: BTreeSet<(String, String)>,
}

/// Returns the faction that leads, by the worth of a position to each; `None` if two have the highest worth.
fn leader(worth: &[i64]) -> Option<usize> {
    let most = worth.iter().max()?;
    let mut leaders = (0..worth.len()).filter(|who| worth[*who] == *most);
    leaders.next().filter(|_| leaders.next().is_none())
}

fn is_behind(worth: &[i64], who: usize) -> bool {
    worth.iter().any(|other| *other > worth[who])
}

/// Counts the changes of the leader, by the worth of positions to each faction; a tie in between changes nothing.
pub fn lead_changes(worth: &[Vec<i64>]) -> usize {
    let leads: Vec<usize> = worth.iter().filter_map(|w| leader(w)).collect();
    leads.windows(2).filter(|w| w[0] != w[1]).count()
}

/// The share of rounds at whose beginning the one who wins was behind.
pub fn drama(worth: &[Vec<i64>], winner: usize) -> f64 {
    let behind = worth.iter().filter(|w| is_behind(w, winner)).count();
    behind as f64 / worth.len().max(1) as f64
}

impl WeightedSum {
    /// One more pairing.
    fn add(&mut self, games: &[GameRecord]) {
        let mut counts = BTreeMap::new();
        self.seats.add(games);
        for record in games {
            self.add_game(record, |figure, count, of| {
                let entry: &mut [f64; 2] = counts.entry(figure).or_default();
                entry[0] += count;
                entry[1] += of;
            });
        }
        self.pairings += 1.0;
        for (figure, entry) in counts {
            self.figures.entry(figure).or_default().add(&entry);
        }
    }

    fn add_game(&mut self, record: &GameRecord, mut count: impl FnMut(Figure, f64, f64)) {
        self.games += 1.0;
        self.distinct.add(record);
        self.decisions += f64::from(record.decisions);
        self.options += record.options as f64;
        for row in &record.units {
            *self.fielded.entry(row.unit.clone()).or_default() += u64::from(row.fielded);
            let uses = row.uses.keys().map(|word| (row.unit.clone(), word.clone()));
            self.uses.extend(uses);
        }
        *self.rounds.entry(record.rounds).or_default() += 1;
        let winner = record.winner.as_ref();
        count(Figure::Decided, f64::from(winner.is_some()), 1.0);
        count(
            Figure::Draws,
            f64::from(winner.is_none() && record.end == GameEnd::Over),
            1.0,
        );
        count(Figure::CutOff, f64::from(record.end == GameEnd::CutOff), 1.0);
        let observations = record.seen.as_ref().filter(|_| !self.is_blind);
        let worth = observations.map_or(&[][..], |observations| &observations.worth);
        if !worth.is_empty() {
            count(Figure::Changes, lead_changes(worth) as f64, 1.0);
        }
        let mut tension = 0.0;
        if let Some(winner) = winner {
            count(Figure::First, f64::from(*winner == record.first), 1.0);
            let winner = self.factions.iter().position(|f| f == winner);
            if let (Some(winner), Some(half)) = (winner, worth.get(worth.len() / 2)) {
                tension = drama(worth, winner);
                count(Figure::Drama, tension, 1.0);
                count(Figure::Comebacks, f64::from(is_behind(half, winner)), 1.0);
            }
        }
        let notable = NotableGame {
            game: record.game,
            seed: record.seed,
            rounds: record.rounds,
            decisions: record.decisions,
            drama: tension,
        };
        if self.examples.len() < KEPT {
            self.examples.push(notable);
        }
        let keep = |best: &mut Option<NotableGame>, is_better: &dyn Fn(&NotableGame) -> bool| {
            if best.as_ref().is_none_or(is_better) {
                *best = Some(notable);
            }
        };
        keep(&mut self.shortest, &|so_far| notable.length() < so_far.length());
        keep(&mut self.longest, &|so_far| notable.length() > so_far.length());
        keep(&mut self.most_dramatic, &|so_far| notable.drama >= so_far.drama);
    }

    /// A metric with its interval; nothing where no game tells of it.
    fn metric(&self, what: Figure, is_share: bool) -> Option<(f64, Option<Interval>)> {
        let sum = self.figures.get(&what)?.filled(self.pairings);
        match sum.estimate(0, is_share) {
            // All of them are counts and shares: never less than nothing.
            Some((value, interval)) => {
                let low = interval.low.max(0.0);
                Some((value, Some(Interval { low, ..interval })))
            }
            // A number that one pairing tells of.
            None => Some((sum.mean(0)?, None)),
        }
    }
}

/// Plays and writes the card; the strong agent plays against the weak one for the share of luck.
///
/// # Errors
///
/// Rules that cannot be loaded or fail.
pub fn health(
    workspace: &Workspace,
    setting: &Setting,
    duel: Option<&Setting>,
    threads: Option<usize>,
) -> Result<HealthCard, Problems> {
    let runner = GameRunner::lay(workspace, setting)?;
    let factions = runner.ruleset().rules.factions.clone();
    let mut sum = WeightedSum {
        seats: SeatWins::new(&factions),
        factions,
        is_blind: !runner.play.worth_given(),
        ..WeightedSum::default()
    };
    let several = sum.factions.len() > 1;
    let how = |what: &str, watch: bool| PairingOptions {
        threads,
        watch,
        what: what.to_owned(),
    };
    let take = |pairing: &Pairing| {
        sum.add(&pairing.games[0]);
        true
    };
    pairings::play(
        workspace,
        std::slice::from_ref(setting),
        &how("seeds", true),
        take,
        String::new,
    )?;
    // Who plays alone has nobody to be better than.
    let mut duel = duel.filter(|_| several);
    let mut untold = Vec::new();
    if several && sum.is_blind {
        untold.extend(["lead changes", "drama", "comebacks"]);
        // Where nobody is told what to look for, looking ahead is no skill.
        if let Some(blind) = duel
            && GameRunner::lay(workspace, blind)?.note().is_some()
        {
            untold.push("luck share");
            duel = None;
        }
    }
    let how = how("seeds of strong against weak", false);
    let luck = duel.map(|duel| luck(workspace, duel, &sum.factions, &how));
    let (dead, watched) = dead(workspace, setting, &sum)?;
    let mut notes = Vec::new();
    if !untold.is_empty() {
        notes.push(format!(
            "note: the game has no hook `worth`, so these are not measured: {}; `fn worth(side)` in game.rhai returns the \
             value of a position for a faction",
            untold.join(", ")
        ));
    }
    if several {
        notes.extend(sum.seats.lines());
    }
    notes.extend(sum.distinct.warning());
    Ok(HealthCard {
        agents: agents_of(setting),
        games: sum.games as u64,
        metrics: metrics(&sum, luck.transpose()?.flatten()),
        dead,
        watched,
        examples: examples(&sum),
        notes,
    })
}

/// The share of points of the strong side against the weak ones: 1 for a win, its part where nobody wins.
fn luck(
    workspace: &Workspace,
    duel: &Setting,
    factions: &[String],
    how: &PairingOptions,
) -> Result<Option<(f64, Interval)>, Problems> {
    let mut sum = Paired::default();
    let take = |pairing: &Pairing| {
        let games = &pairing.games[0];
        let points = games
            .iter()
            .zip(factions)
            .map(|(record, own)| match &record.winner {
                Some(winner) => f64::from(winner == own),
                None => 1.0 / factions.len() as f64,
            });
        sum.add(&[points.sum(), games.len() as f64]);
        true
    };
    pairings::play(workspace, std::slice::from_ref(duel), how, take, String::new)?;
    Ok(sum.estimate(0, true))
}

fn metrics(sum: &WeightedSum, luck: Option<(f64, Interval)>) -> Vec<Metric> {
    let mut all = Vec::new();
    let sides = sum.factions.len() as f64;
    let share = |name: &str,
                 figure: Figure,
                 wanted: Option<(f64, f64)>,
                 to_try: [&'static str; 2],
                 formula: &'static str| {
        // What no game tells of is no number.
        let (value, interval) = sum.metric(figure, true)?;
        let interval = interval.unwrap_or(wilson(0.0, 0.0));
        Some(Metric {
            name: name.to_owned(),
            value,
            interval: Some(interval),
            is_share: true,
            wanted,
            says: format!(
                "{:.0} to {:.0} of 100 games.",
                interval.low * 100.0,
                interval.high * 100.0
            ),
            to_try,
            formula,
        })
    };
    let games = sum.games;
    let balance = share(
        "first-mover advantage",
        Figure::First,
        (sides > 1.0).then_some((0.9 / sides, 1.1 / sides)),
        [
            "give the first side something: a reroll, a unit, the choice of ground; or let who is first change",
            "give the second side something: a reroll, a unit, the choice of ground; or let who is first change",
        ],
        "wins of the first faction / decided games; Wilson's interval, by seeds",
    );
    all.extend(balance.map(|mut balance| {
        balance.says = format!(
            "The first faction wins {:.0} to {:.0} % of the decided games.",
            balance.interval.map_or(0.0, |i| i.low * 100.0),
            balance.interval.map_or(0.0, |i| i.high * 100.0)
        );
        balance
    }));
    all.extend(share(
        "decisiveness",
        Figure::Decided,
        Some((0.8, 1.0)),
        ["a score that breaks ties, a shorter way to win"; 2],
        "games with a winner / games (C. Browne, Automatic Generation and Evaluation of Recombination Games, \
         2008: completion)",
    ));
    all.extend(share(
        "draws",
        Figure::Draws,
        Some((0.0, 0.2)),
        ["a tie-break"; 2],
        "drawn games / games",
    ));
    all.extend(share(
        "cut off",
        Figure::CutOff,
        Some((0.0, 0.01)),
        ["a rule that ends every game"; 2],
        "games that are not over at the limit of steps / games",
    ));
    if let (Some((least, _)), Some((most, _))) = (sum.rounds.first_key_value(), sum.rounds.last_key_value()) {
        // The game of that rank, from 0, rounded down.
        let at = |rank: f64| {
            let mut left = rank as u64;
            let found = sum.rounds.iter().find(|(_, many)| {
                let is_here = left < **many;
                left = left.saturating_sub(**many);
                is_here
            });
            *found.map_or(most, |(rounds, _)| rounds)
        };
        let middle = f64::from(at((games - 1.0) * 0.5));
        all.push(Metric {
            name: "length".to_owned(),
            value: middle,
            says: format!(
                "Half of the games have {middle} rounds or fewer, at least 8 of 10 have {} to {}, all {least} to {most}.",
                at((games - 1.0) * 0.1),
                at(((games - 1.0) * 0.9).ceil())
            ),
            to_try: ["the dials that end a game"; 2],
            formula: "quantiles of how often the innermost repeating phase begins",
            ..Metric::default()
        });
    }
    let tense = |figure: Figure, is_share: bool| sum.metric(figure, is_share).filter(|_| sides > 1.0);
    if let Some((changes, interval)) = tense(Figure::Changes, false) {
        all.push(Metric {
        name: "lead changes".to_owned(),
        value: changes,
        interval,
        is_share: false,
        wanted: Some((0.5, f64::INFINITY)),
        says: format!("The lead changes {changes:.1} times a game on average."),
        to_try: ["ways to catch up; less that grows by itself"; 2],
        formula: "changes of who has most by the hook `worth` from round to round (Browne 2008: lead change)",
    });
    }
    if let Some((drama, interval)) = tense(Figure::Drama, true) {
        all.push(Metric {
            name: "drama".to_owned(),
            value: drama,
            interval,
            is_share: true,
            wanted: Some((0.05, 0.5)),
            says: format!(
                "The winner is behind in {:.0} % of the rounds on average.",
                drama * 100.0
            ),
            to_try: [
                "ways to catch up",
                "leads that are worth more; or `worth`, should it not tell who leads",
            ],
            formula: "the mean of each game's share of rounds at whose beginning the later winner is behind by \
                      `worth` (after Browne 2008: drama)",
        });
        let comebacks = share(
            "comebacks",
            Figure::Comebacks,
            Some((0.1, 0.5)),
            [
                "ways to catch up; a later climax",
                "leads that are worth more; or `worth`, should it not tell who leads",
            ],
            "decided games whose winner is behind at half-time, by `worth` / decided games",
        );
        all.extend(comebacks.map(|mut comebacks| {
            let known = comebacks.interval.unwrap_or(Interval::around(0.0, 0.0));
            comebacks.says = format!(
                "In {:.0} to {:.0} % of the decided games, the winner is behind at half-time.",
                known.low * 100.0,
                known.high * 100.0
            );
            comebacks
        }));
    }
    if let Some((points, strong)) = luck {
        let of_luck = |share: f64| ((1.0 - share) / (1.0 - 1.0 / sides)).clamp(0.0, 1.0);
        all.push(Metric {
            name: "luck share".to_owned(),
            value: of_luck(points),
            interval: Some(Interval {
                low: of_luck(strong.high),
                high: of_luck(strong.low),
            }),
            is_share: true,
            wanted: Some((0.05, 0.6)),
            says: format!(
                "An agent that looks ahead takes {:.0} of 100 points from one that answers at random.",
                points * 100.0
            ),
            to_try: [
                "more dice, or fewer choices that decide alone",
                "more choices that matter, or fewer dice",
            ],
            formula: "(1 - points of the greedy against the random agent) / (1 - 1 / factions), seats swapped: 0 \
                      where skill always wins, 1 where it never helps (our own)",
        });
    }
    all.push(Metric {
        name: "decisions".to_owned(),
        value: sum.decisions / games.max(1.0),
        says: format!(
            "A game asks {:.0} questions with several options after set-up.",
            sum.decisions / games.max(1.0)
        ),
        to_try: ["let questions with an obvious answer answer themselves"; 2],
        formula: "questions with several options / games",
        ..Metric::default()
    });
    all.push(Metric {
        name: "branching".to_owned(),
        value: sum.options / sum.decisions.max(1.0),
        says: format!(
            "Each offers {:.1} options in the mean.",
            sum.options / sum.decisions.max(1.0)
        ),
        to_try: ["fewer places to go, or fewer units"; 2],
        formula: "options / questions with several options (the branching factor of game trees)",
        ..Metric::default()
    });
    all
}

/// Notes which functions are called.
struct CallRecorder(Vec<bool>);

impl Watcher for CallRecorder {
    fn enter(&mut self, _: &RunView<'_>, function: usize, _: &[Value]) {
        if let Some(called) = self.0.get_mut(function) {
            *called = true;
        }
    }
}

/// Unit types, and functions of the rules, that no game uses; in how many games functions were watched.
fn dead(workspace: &Workspace, setting: &Setting, sum: &WeightedSum) -> Result<(Vec<String>, u64), Problems> {
    let mut weak = setting.clone();
    // Whoever looks ahead calls rules that are never played.
    weak.agents.fill("random".to_owned());
    let mut runner = GameRunner::lay(workspace, &weak)?;
    let functions = runner.ruleset().functions().to_vec();
    let called = Rc::new(RefCell::new(CallRecorder(vec![false; functions.len()])));
    // What only the advice to agents calls is called too.
    runner.watch = true;
    runner.play.runtime.watch_with(Box::new(Rc::clone(&called)));
    let wanted = setting.games.min(WATCHED);
    let course = workspace
        .work()
        .begin("games that are watched for dead rules", Some(wanted as usize));
    let mut watched = 0;
    while watched < wanted && !course.is_stopped() {
        runner.play(watched);
        course.step();
        watched += 1;
    }
    drop(course);
    runner.play.runtime.unwatch();
    let mut dead = Vec::new();
    let types = runner.ruleset().rules.types.iter().map(|t| t.name.clone());
    let fielded = |name: &String| sum.fielded.get(name).is_some_and(|n| *n > 0);
    dead.extend(
        types
            .filter(|name| !fielded(name))
            .map(|name| format!("unit type {name}: never fielded")),
    );
    let phases = runner.ruleset().rules.phases.iter();
    let steps: BTreeSet<String> = phases
        .filter_map(|phase| Some(runner.ruleset().hook_name(phase.work.step()?.0)))
        .collect();
    let texts = &runner.ruleset().layers.texts;
    let declaring: Vec<BTreeSet<String>> = texts.iter().map(|text| declaring(&text.parsed)).collect();
    for (function, called) in functions.iter().zip(&called.borrow().0) {
        let name = function.name.as_str();
        let is_rule = |declaring: &BTreeSet<String>| {
            function.within.is_none() && !declaring.contains(name) && !NO_RULES.contains(&name)
        };
        // A step that does nothing is passed over, and nothing is wrong with it.
        let is_idle = function.does_nothing() && steps.contains(name);
        let may_be_dead = watched > 0 && !called && !name.is_empty() && !is_idle;
        if may_be_dead && declaring.get(function.text).is_some_and(is_rule) {
            let file = &texts[function.text].parsed.source.name;
            dead.push(format!("rule {name} ({file}:{}): never called", function.at.0));
        }
    }
    Ok((dead, watched))
}

fn examples(sum: &WeightedSum) -> Vec<ExampleGame> {
    let notable = &sum.examples;
    let n = notable.len().max(1) as f64;
    let mean = |of: &dyn Fn(&NotableGame) -> f64| notable.iter().map(of).sum::<f64>() / n;
    let spread = |of: &dyn Fn(&NotableGame) -> f64, mean: f64| {
        (notable.iter().map(|k| (of(k) - mean).powi(2)).sum::<f64>() / n)
            .sqrt()
            .max(1e-9)
    };
    let measures: [&dyn Fn(&NotableGame) -> f64; 3] =
        [&|k| f64::from(k.rounds), &|k| f64::from(k.decisions), &|k| {
            k.drama
        }];
    let scales = measures.map(|of| {
        let middle = mean(of);
        (middle, spread(of, middle))
    });
    let odd = |k: &NotableGame| {
        let parts = measures.iter().zip(&scales);
        parts
            .map(|(of, (middle, spread))| ((of(k) - middle) / spread).powi(2))
            .sum::<f64>()
    };
    let found: Vec<(&str, Option<&NotableGame>)> = vec![
        (
            "most typical",
            notable.iter().min_by(|a, b| odd(a).total_cmp(&odd(b))),
        ),
        ("shortest", sum.shortest.as_ref()),
        ("longest", sum.longest.as_ref()),
        (
            "most dramatic",
            sum.most_dramatic.as_ref().filter(|k| k.drama > 0.0),
        ),
    ];
    let example = |(what, notable): (&str, Option<&NotableGame>)| {
        notable.map(|k| ExampleGame {
            what: what.to_owned(),
            game: k.game,
            seed: k.seed,
            rounds: k.rounds,
        })
    };
    found.into_iter().filter_map(example).collect()
}

/// The setting in which the stronger of two agents plays against the weaker in every seat.
pub fn duel(setting: &Setting, strong: &str, weak: &str, games: u64) -> Setting {
    let mut duel = setting.clone();
    duel.agents.fill(weak.to_owned());
    if let Some(first) = duel.agents.first_mut() {
        strong.clone_into(first);
    }
    duel.swap = true;
    duel.games = games;
    if duel.armies == ArmyPolicy::Asked {
        duel.armies = ArmyPolicy::Drawn;
    }
    duel
}

impl HealthCard {
    /// The page of it.
    pub fn page(&self) -> Report {
        let mut rows = ReportTable::headed(["", "", "95 % interval", "", ""]);
        let formatted = |m: &Metric, v: f64| match m.is_share {
            true => format!("{:.1} %", v * 100.0),
            false => format!("{v:.2}"),
        };
        for m in &self.metrics {
            let interval = m.interval.map_or_else(String::new, |i| {
                format!("{} to {}", formatted(m, i.low), formatted(m, i.high))
            });
            let to_try = match m.mark() {
                mark @ "low" => format!("{mark}: try {}", m.to_try[0]),
                mark @ "high" => format!("{mark}: try {}", m.to_try[1]),
                mark => mark.to_owned(),
            };
            rows.push([
                m.name.clone(),
                formatted(m, m.value),
                interval,
                m.says.clone(),
                to_try,
            ]);
        }
        let mut page = Report::of(rows);
        let games = self
            .examples
            .iter()
            .map(|e| format!("{}: game {}, {} rounds", e.what, e.game, e.rounds));
        page.put(games.collect::<Vec<_>>().join("\n"));
        page.put(match self.dead.is_empty() {
            true if self.watched == 0 => "whether rules are dead was not looked at".to_owned(),
            true => format!(
                "nothing is dead: {} games used every type and every rule",
                self.watched
            ),
            false => format!(
                "never used in {} games (rules: in {}):\n  {}",
                self.games,
                self.watched,
                self.dead.join("\n  ")
            ),
        });
        page.extend(self.notes.iter().cloned());
        let formulas = self
            .metrics
            .iter()
            .map(|m| format!("  {}: {}", m.name, m.formula));
        page.put(format!(
            "how it is counted:\n{}",
            formulas.collect::<Vec<_>>().join("\n")
        ));
        page
    }

    /// The metric of that name.
    pub fn metric(&self, name: &str) -> Option<&Metric> {
        self.metrics.iter().find(|m| m.name == name)
    }
}

/// Sums of one setting, for those who ask for single measures.
///
/// # Errors
///
/// Rules that cannot be loaded or fail.
pub fn sums(workspace: &Workspace, setting: &Setting, threads: Option<usize>) -> Result<Sums, Problems> {
    let mut sums = Sums::default();
    let how = PairingOptions {
        threads,
        watch: false,
        what: "seeds".to_owned(),
    };
    let take = |pairing: &Pairing| {
        sums.add(&[&pairing.counts[0]]);
        true
    };
    pairings::play(workspace, std::slice::from_ref(setting), &how, take, String::new)?;
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_change_where_somebody_else_has_most() {
        let worth = |red: &[i64]| red.iter().map(|w| vec![*w, -w]).collect::<Vec<_>>();
        assert_eq!(lead_changes(&worth(&[0, 3, 0, 2, -1, 0, -4, 5])), 2);
        assert_eq!(lead_changes(&[]), 0);
        assert_eq!(drama(&worth(&[-1, 2, -3, 0]), 0), 0.5);
        assert_eq!(drama(&worth(&[-1, 2, -3, 0]), 1), 0.25);
        // All below nothing, of three sides, and with two who lead together.
        let three = [
            vec![-9, -5, -7],
            vec![-1, -5, -7],
            vec![-1, -1, -7],
            vec![-4, -9, -3],
        ];
        assert_eq!(lead_changes(&three), 2);
        assert_eq!((drama(&three, 0), drama(&three, 2)), (0.5, 0.75));
    }

    /// The page of 400 games of which whoever is first wins so many.
    fn advice(first_wins: u64) -> String {
        let mut sum = WeightedSum {
            factions: vec!["red".to_owned(), "blue".to_owned()],
            games: 400.0,
            ..WeightedSum::default()
        };
        for game in 0..400 {
            let first = if game < first_wins { 1.0 } else { 0.0 };
            let figure = sum.figures.entry(Figure::First).or_default();
            figure.add(&[first, 1.0]);
        }
        let card = HealthCard {
            agents: String::new(),
            games: 400,
            metrics: metrics(&sum, None),
            dead: Vec::new(),
            watched: 0,
            examples: Vec::new(),
            notes: Vec::new(),
        };
        card.page().text()
    }

    #[test]
    fn who_is_worse_off_is_given_something() {
        assert!(advice(60).contains("low: try give the first side something"));
        assert!(advice(340).contains("high: try give the second side something"));
    }

    #[test]
    fn games_beyond_those_that_are_kept_are_counted_too() {
        let mut sum = WeightedSum {
            factions: vec!["red".to_owned(), "blue".to_owned()],
            ..WeightedSum::default()
        };
        for game in 0..=KEPT as u64 {
            let record = GameRecord {
                game,
                rounds: if game < KEPT as u64 { 5 } else { 9 },
                ..GameRecord::default()
            };
            sum.add(&[record]);
        }
        let longest = examples(&sum).into_iter().find(|e| e.what == "longest");
        assert!(longest.is_some_and(|e| e.rounds == 9 && e.game == KEPT as u64));
        let length = metrics(&sum, None).into_iter().find(|m| m.name == "length");
        assert!(length.is_some_and(|m| m.value == 5.0 && m.says.ends_with("all 5 to 9.")));
    }
}
