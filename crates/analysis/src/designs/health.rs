//! The health card of a game: what many games say of its balance, its tension and what in it is never used.

use crate::experiment::Experiment;
use crate::experiment::arm::{Arm, ArmyPolicy, GameRunner, Look};
use crate::experiment::measure::{GameFacts, Measure, TypeMeasure, drama};
use crate::experiment::record::GameRecord;
use crate::experiment::tally::Tally;
use crate::report::Problems;
use crate::reports::{Cell, Column, Report, ReportTable};
use crate::row;
use crate::rules::layers::NO_RULES;
use crate::rules::lint::declaring;
use crate::rules::run::observe::{RunView, Watcher};
use crate::rules::run::value::Value;
use crate::rules::workspace::Workspace;
use crate::stats::{Estimate, Interval};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Maximum number of games that are kept in memory to find a typical one.
const KEPT: usize = 10_000;
/// Functions are watched in so many games at most.
const WATCHED: u64 = 200;

/// One metric of the card.
#[derive(Debug, Clone, Default)]
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
    /// Returns `fine`, `low` or `high`; nothing if no range is wanted.
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
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// Why it is.
    pub what: &'static str,
    /// Its number.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// Number of rounds.
    pub rounds: u32,
    decisions: u32,
    drama: f64,
}

impl Example {
    fn of(record: &GameRecord, facts: &GameFacts) -> Self {
        let winner = facts
            .factions
            .iter()
            .position(|f| record.winner.as_ref() == Some(f));
        let seen = record.seen.as_ref().filter(|_| facts.has_worth);
        let worth = seen.map_or(&[][..], |seen| &seen.worth);
        Self {
            what: "",
            game: record.game,
            seed: record.seed,
            rounds: record.rounds,
            decisions: record.decisions,
            drama: winner.map_or(0.0, |winner| drama(worth, winner)),
        }
    }

    fn length(&self) -> (u32, u32, std::cmp::Reverse<u64>) {
        (self.rounds, self.decisions, std::cmp::Reverse(self.game))
    }
}

/// The games so far that are candidates for examples.
#[derive(Default)]
struct Examples {
    first: Vec<Example>,
    shortest: Option<Example>,
    longest: Option<Example>,
    most_dramatic: Option<Example>,
}

impl Examples {
    fn add(&mut self, game: Example) {
        if self.first.len() < KEPT {
            self.first.push(game);
        }
        let keep = |best: &mut Option<Example>, is_better: &dyn Fn(&Example) -> bool| {
            if best.as_ref().is_none_or(is_better) {
                *best = Some(game);
            }
        };
        keep(&mut self.shortest, &|best| game.length() < best.length());
        keep(&mut self.longest, &|best| game.length() > best.length());
        keep(&mut self.most_dramatic, &|best| game.drama >= best.drama);
    }

    /// Returns the examples, the most typical game first: the one nearest to the means.
    fn chosen(&self) -> Vec<Example> {
        let n = self.first.len().max(1) as f64;
        let measures: [fn(&Example) -> f64; 3] = [|g| g.rounds.into(), |g| g.decisions.into(), |g| g.drama];
        let scales = measures.map(|of| {
            let mean = self.first.iter().map(of).sum::<f64>() / n;
            let squares: f64 = self.first.iter().map(|game| (of(game) - mean).powi(2)).sum();
            (of, mean, (squares / n).sqrt().max(1e-9))
        });
        let odd = |game: &Example| -> f64 {
            let parts = scales.iter();
            parts
                .map(|(of, mean, spread)| ((of(game) - mean) / spread).powi(2))
                .sum()
        };
        let typical = self.first.iter().min_by(|a, b| odd(a).total_cmp(&odd(b)));
        let named = [
            ("most typical", typical.copied()),
            ("shortest", self.shortest),
            ("longest", self.longest),
            (
                "most dramatic",
                self.most_dramatic.filter(|game| game.drama > 0.0),
            ),
        ];
        let named = named.into_iter();
        named
            .filter_map(|(what, game)| Some(Example { what, ..game? }))
            .collect()
    }
}

/// The card.
#[derive(Debug, Clone)]
pub struct HealthCard {
    /// Number of games.
    pub games: u64,
    /// The metrics.
    pub metrics: Vec<Metric>,
    /// Parts of the rules that are never used.
    pub dead: Vec<String>,
    /// Number of games in which functions were watched.
    pub watched: u64,
    /// Games that are worth a look.
    pub examples: Vec<Example>,
    /// Other notes.
    pub notes: Vec<String>,
}

/// Plays the games of the first arm and writes the card; in the second one, if there is one, a strong agent plays against
/// a weak one for the share of luck.
///
/// # Errors
///
/// Rules that cannot be loaded or fail.
pub fn health(
    workspace: &Workspace,
    arm: &Arm,
    duel: Option<Arm>,
    threads: Option<usize>,
) -> Result<HealthCard, Problems> {
    let mut experiment = Experiment::new(workspace, vec![arm.clone()], threads)?;
    experiment.look = Look::Rounds;
    let facts = experiment.facts[0].clone();
    let mut examples = Examples::default();
    let tally = experiment.measure("games", &[], |_, games| {
        games[0]
            .iter()
            .for_each(|record| examples.add(Example::of(record, &facts)));
        true
    })?;
    // Who plays alone has nobody to be better than.
    let several = facts.factions.len() > 1;
    let (mut luck, mut untold, mut notes) = (None, Vec::new(), Vec::new());
    if several && !facts.has_worth {
        untold.extend(["lead changes", "drama", "comebacks"]);
    }
    if let Some(duel) = duel.filter(|_| several) {
        let experiment = Experiment::new(workspace, vec![duel], threads)?;
        // Where nobody is told what to look for, looking ahead is no skill.
        if experiment.facts[0].without_worth.is_some() {
            untold.push("luck share");
        } else {
            let tally = experiment.measure("games of strong against weak", &[], |_, _| true)?;
            luck = tally.level(&Measure::Points, 0);
        }
    }
    if !untold.is_empty() {
        notes.push(format!(
            "note: the game has no hook `worth`, so these are not measured: {}; `fn worth(side)` in game.rhai returns the \
             value of a position for a faction",
            untold.join(", ")
        ));
    }
    let (dead, watched) = dead(workspace, &experiment, &tally)?;
    let arm = &tally.arms[0];
    if several {
        notes.extend(arm.seat_lines());
    }
    notes.extend(arm.distinct.warning());
    Ok(HealthCard {
        games: arm.games,
        metrics: metrics(&tally, luck),
        dead,
        watched,
        examples: examples.chosen(),
        notes,
    })
}

/// A measure of the card: the range that is commonly wanted, advice for low and high values, and the formula.
type MetricOf = (Measure, Option<(f64, f64)>, [&'static str; 2], &'static str);

fn metrics(tally: &Tally, luck: Option<Estimate>) -> Vec<Metric> {
    let arm = &tally.arms[0];
    let sides = arm.facts.factions.len() as f64;
    let worth_tells = "leads that are worth more; or `worth`, should it not tell who leads";
    let measured: [MetricOf; 7] = [
        (
            Measure::FirstOfDecided,
            (sides > 1.0).then_some((0.9 / sides, 1.1 / sides)),
            [
                "give the first side something: a reroll, a unit, the choice of ground; or let who is first change",
                "give the second side something: a reroll, a unit, the choice of ground; or let who is first change",
            ],
            "wins of the first faction / decided games; Wilson's interval, by seeds",
        ),
        (
            Measure::Decided,
            Some((0.8, 1.0)),
            ["a score that breaks ties, a shorter way to win"; 2],
            "games with a winner / games (C. Browne, Automatic Generation and Evaluation of Recombination Games, \
             2008: completion)",
        ),
        (
            Measure::Draws,
            Some((0.0, 0.2)),
            ["a tie-break"; 2],
            "drawn games / games",
        ),
        (
            Measure::CutOff,
            Some((0.0, 0.01)),
            ["a rule that ends every game"; 2],
            "games that are not over at the limit of steps / games",
        ),
        (
            Measure::LeadChanges,
            Some((0.5, f64::INFINITY)),
            ["ways to catch up; less that grows by itself"; 2],
            "changes of who has most by the hook `worth` from round to round (Browne 2008: lead change)",
        ),
        (
            Measure::Drama,
            Some((0.05, 0.5)),
            ["ways to catch up", worth_tells],
            "the mean of each game's share of rounds at whose beginning the later winner is behind by `worth` (after \
             Browne 2008: drama)",
        ),
        (
            Measure::Comebacks,
            Some((0.1, 0.5)),
            ["ways to catch up; a later climax", worth_tells],
            "decided games whose winner is behind at half-time, by `worth` / decided games",
        ),
    ];
    let mut all: Vec<Metric> = Vec::new();
    let mean = |measure: &Measure| tally.sums(measure).and_then(|sums| sums.mean(0));
    for (measure, wanted, to_try, formula) in measured {
        if measure == Measure::LeadChanges {
            all.extend(length(&arm.rounds));
        }
        let is_tension = matches!(
            measure,
            Measure::LeadChanges | Measure::Drama | Measure::Comebacks
        );
        // What no game tells of is no number; one seed has no interval of a number.
        let Some(value) = mean(&measure).filter(|_| sides > 1.0 || !is_tension) else {
            continue;
        };
        let interval = tally.level(&measure, 0).map(|level| level.interval);
        let Interval { low, high } = interval.unwrap_or(Interval::around(value, 0.0));
        let range = format!("{:.0} to {:.0}", low * 100.0, high * 100.0);
        all.push(Metric {
            name: measure.name(),
            value,
            interval,
            is_share: measure.is_share(),
            wanted,
            says: match measure {
                Measure::FirstOfDecided => format!("The first faction wins {range} % of the decided games."),
                Measure::LeadChanges => format!("The lead changes {value:.1} times a game on average."),
                Measure::Drama => {
                    format!(
                        "The winner is behind in {:.0} % of the rounds on average.",
                        value * 100.0
                    )
                }
                Measure::Comebacks => {
                    format!("In {range} % of the decided games, the winner is behind at half-time.")
                }
                _ => format!("{range} of 100 games."),
            },
            to_try,
            formula,
        });
    }
    if let Some(Estimate { value, interval, .. }) = luck {
        let of_luck = |share: f64| ((1.0 - share) / (1.0 - 1.0 / sides)).clamp(0.0, 1.0);
        all.push(Metric {
            name: "luck share".to_owned(),
            value: of_luck(value),
            interval: Some(Interval {
                low: of_luck(interval.high),
                high: of_luck(interval.low),
            }),
            is_share: true,
            wanted: Some((0.05, 0.6)),
            says: format!(
                "An agent that looks ahead takes {:.0} of 100 points from one that answers at random.",
                value * 100.0
            ),
            to_try: [
                "more dice, or fewer choices that decide alone",
                "more choices that matter, or fewer dice",
            ],
            formula: "(1 - points of the greedy against the random agent) / (1 - 1 / factions), seats swapped: 0 \
                      where skill always wins, 1 where it never helps (our own)",
        });
    }
    let decisions = mean(&Measure::Decisions).unwrap_or(0.0);
    all.push(Metric {
        name: "decisions".to_owned(),
        value: decisions,
        says: format!("A game asks {decisions:.0} questions with several options after set-up."),
        to_try: ["let questions with an obvious answer answer themselves"; 2],
        formula: "questions with several options / games",
        ..Metric::default()
    });
    let options = mean(&Measure::Options).unwrap_or(0.0);
    all.push(Metric {
        name: "branching".to_owned(),
        value: options,
        says: format!("Each offers {options:.1} options in the mean."),
        to_try: ["fewer places to go, or fewer units"; 2],
        formula: "options / questions with several options (the branching factor of game trees)",
        ..Metric::default()
    });
    all
}

/// The length of games, by their number of rounds.
fn length(rounds: &BTreeMap<u32, u64>) -> Option<Metric> {
    let ((least, _), (most, _)) = (rounds.first_key_value()?, rounds.last_key_value()?);
    let games = rounds.values().sum::<u64>() as f64;
    // The game of that rank, from 0, rounded down.
    let at = |rank: f64| {
        let mut left = rank as u64;
        let found = rounds.iter().find(|(_, many)| {
            let is_here = left < **many;
            left = left.saturating_sub(**many);
            is_here
        });
        found.map_or(*most, |(rounds, _)| *rounds)
    };
    let middle = f64::from(at((games - 1.0) * 0.5));
    Some(Metric {
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
    })
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
fn dead(
    workspace: &Workspace,
    experiment: &Experiment<'_>,
    tally: &Tally,
) -> Result<(Vec<String>, u64), Problems> {
    let arm = &experiment.arms[0];
    // Agents that look ahead call rules that are never played.
    let mut weak = arm.clone();
    weak.agents.fill("random".to_owned());
    let (ruleset, file) = &experiment.starts[0];
    let mut runner = GameRunner::again(ruleset, file, &weak)?;
    let functions = runner.ruleset().functions().to_vec();
    let called = Rc::new(RefCell::new(CallRecorder(vec![false; functions.len()])));
    // What only the advice to agents calls is called too.
    runner.look = Look::Rounds;
    runner.play.runtime.watch_with(Box::new(Rc::clone(&called)));
    let wanted = arm.games.min(WATCHED);
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
    let fielded = |name: &String| {
        let units = Measure::Unit(name.clone(), TypeMeasure::Survival);
        tally.sums(&units).is_some_and(|sums| sums.over(0) > 0.0)
    };
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

/// Returns the arm in which the stronger of two agents plays against the weaker in every seat.
pub fn duel(arm: &Arm, strong: &str, weak: &str, games: u64) -> Arm {
    let mut duel = arm.clone();
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
    /// Returns the report of it.
    pub fn report(&self) -> Report {
        let mut rows = ReportTable::headed([
            ("metric", "").into(),
            ("value", "").into(),
            ("interval", "95 % interval").into(),
            ("meaning", "").into(),
            Column::from(""),
            Column::data("mark"),
            Column::data("wanted"),
            Column::data("formula"),
        ]);
        for m in &self.metrics {
            let cell = |value: f64| {
                if m.is_share {
                    Cell::Share(value)
                } else {
                    Cell::from(value)
                }
            };
            let interval = m.interval.map(|interval| {
                let text = format!("{} to {}", cell(interval.low).text(), cell(interval.high).text());
                Cell::from(interval).shown(text)
            });
            let to_try = match m.mark() {
                mark @ "low" => format!("{mark}: try {}", m.to_try[0]),
                mark @ "high" => format!("{mark}: try {}", m.to_try[1]),
                mark => mark.to_owned(),
            };
            let wanted = m.wanted.map(|(low, high)| Interval { low, high });
            rows.push(row![
                m.name.as_str(),
                cell(m.value),
                interval,
                m.says.as_str(),
                to_try,
                m.mark(),
                wanted,
                m.formula,
            ]);
        }
        let mut report = Report::of(rows.keyed("metrics"));
        let mut examples = ReportTable::headed(["what", "game", "seed", "rounds"].map(Column::data));
        for e in &self.examples {
            examples.push(row![e.what, e.game, e.seed, e.rounds]);
        }
        let games = self
            .examples
            .iter()
            .map(|e| format!("{}: game {}, {} rounds", e.what, e.game, e.rounds));
        report.put(games.collect::<Vec<_>>().join("\n"));
        report.put(match self.dead.is_empty() {
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
        report.extend(self.notes.iter().cloned());
        let formulas = self
            .metrics
            .iter()
            .map(|m| format!("\n  {}: {}", m.name, m.formula));
        report.put(format!("how it is counted:{}", formulas.collect::<String>()));
        report
            .with("games", self.games)
            .with("examples", &examples)
            .with("never_used", &self.dead)
            .with("watched_games", self.watched)
            .with("notes", &self.notes)
    }

    /// The metric of that name.
    pub fn metric(&self, name: &str) -> Option<&Metric> {
        self.metrics.iter().find(|m| m.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> GameFacts {
        GameFacts {
            factions: ["red", "blue"].map(str::to_owned).to_vec(),
            seats: 1,
            ..GameFacts::default()
        }
    }

    fn played(games: impl Iterator<Item = GameRecord>) -> Tally {
        let mut tally = Tally::new([&facts()]);
        games.for_each(|record| tally.add(&[vec![record]]));
        tally
    }

    #[test]
    fn the_faction_that_wins_less_is_given_something() {
        // Of 400 games, the first faction wins so many.
        let advice = |first_wins: u64| {
            let tally = played((0..400).map(|game| GameRecord {
                game,
                first: "red".to_owned(),
                winner: Some(if game < first_wins { "red" } else { "blue" }.to_owned()),
                ..GameRecord::default()
            }));
            let metrics = metrics(&tally, None);
            let first = metrics.into_iter().find(|m| m.name == "first-mover advantage");
            first
                .map(|metric| (metric.mark(), metric.to_try))
                .expect("it is measured")
        };
        let (mark, [to_try, _]) = advice(60);
        assert!(mark == "low" && to_try.starts_with("give the first side something"));
        let (mark, [_, to_try]) = advice(340);
        assert!(mark == "high" && to_try.starts_with("give the second side something"));
    }

    #[test]
    fn games_beyond_those_that_are_kept_are_counted_too() {
        let record = |game: u64| GameRecord {
            game,
            rounds: if game < KEPT as u64 { 5 } else { 9 },
            ..GameRecord::default()
        };
        let games = || (0..=KEPT as u64).map(record);
        let mut examples = Examples::default();
        games().for_each(|record| examples.add(Example::of(&record, &facts())));
        let longest = examples.chosen().into_iter().find(|e| e.what == "longest");
        assert!(longest.is_some_and(|e| e.rounds == 9 && e.game == KEPT as u64));
        let length = length(&played(games()).arms[0].rounds);
        assert!(length.is_some_and(|m| m.value == 5.0 && m.says.ends_with("all 5 to 9.")));
    }
}
