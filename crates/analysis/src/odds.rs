//! Exact odds: what can come of a position, every roll over all its values, every choice by a named
//! policy.
//!
//! The same rules are played as ever, from the same checkpoints; only who answers and what the dice
//! show is decided by [`explore`]. Knows the kernel, scripts, play and scenarios; how it is shown is
//! [`report`]'s.

mod bounds;
pub mod chances;
pub mod classes;
mod dice_reads;
pub mod explore;
mod fingerprint;
pub mod grid;
pub mod horizon;
mod problems;
pub mod replace;
pub mod report;
pub mod root;
pub mod sample;
pub mod throws;
pub mod whole;

use crate::kernel::ids::FactionId;
use crate::play::Play;
use crate::report::{Problem, Problems, Source, hint_for};
use crate::suite::problems::unknown_name;
use chances::{Chances, Fraction};
use classes::{Classes, Goal};
use explore::{ChoicePoint, ExploreCost, ExploreStop, MOST_BRANCHES, Policy};
use horizon::Horizon;
use root::OddsRoot;
pub use sample::Sampled;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use whole::WholePhase;

/// Default maximum number of runs of steps.
pub const RUNS: u64 = 10_000_000;
/// Maximum number of successive steps that are explored.
const DEPTH: usize = 5_000;

/// Limits of the exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Runs of steps.
    pub runs: u64,
    /// Steps one after the other.
    pub depth: usize,
    /// Positions that are merged; affects the time taken, never the odds.
    pub merging: Merging,
}

/// Positions that are merged, so that they are explored only once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merging {
    /// None: each is looked at as often as it comes about.
    Never,
    /// Those that are the same.
    Same,
    /// Those, and those that differ only in what nobody looks at of dice any more.
    Alike,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            runs: RUNS,
            depth: DEPTH,
            merging: Merging::Alike,
        }
    }
}

/// Question about the odds of a position.
#[derive(Debug, Clone, Default)]
pub struct OddsQuery {
    /// Expression that distinguishes outcomes; without one, outcomes differ by the units defeated and by the damage of
    /// the others.
    pub by: Option<String>,
    /// Text of an event: outcomes are whether a line of the record contains it, and nothing is explored after one.
    pub chance: Option<String>,
    /// Expression that the choosing faction maximizes; may contain `side`. Without one it is the game's `worth`, or the
    /// units that the others lose minus its own.
    pub goal: Option<String>,
    /// Policy that answers choices.
    pub policy: Policy,
    /// Horizon, as [`Horizon::parse`] reads it.
    pub until: Option<String>,
    /// Limits of the exploration.
    pub limits: Limits,
    /// Time limit, by the clock of the play's work; unlimited if `None`, or without a clock.
    pub time: Option<Duration>,
    /// Raised from outside to stop looking.
    pub stop: Option<Arc<AtomicBool>>,
    /// Number of threads, where several can be used; one per core if `None`.
    pub threads: Option<usize>,
}

/// Default time limit, in seconds.
pub const SECONDS: u64 = 5;

/// The options of `odds`, the same on the command line and at the prompt.
#[derive(Debug, Clone, Default)]
pub struct OddsOptions {
    /// See [`OddsQuery::by`].
    pub by: Option<String>,
    /// See [`OddsQuery::chance`].
    pub chance: Option<String>,
    /// See [`OddsQuery::goal`].
    pub goal: Option<String>,
    /// See [`OddsQuery::until`].
    pub until: Option<String>,
    /// The name of a policy.
    pub policy: Option<String>,
    /// Maximum number of runs of steps.
    pub limit: Option<u64>,
    /// Time limit in seconds.
    pub seconds: Option<u64>,
    /// Number of samples, instead of the exact odds.
    pub sample: Option<u64>,
}

impl OddsOptions {
    /// Returns the question. Without a limit it takes `seconds` at most, [`SECONDS`] if that is `None`.
    ///
    /// # Errors
    ///
    /// An unknown policy; a chance of nothing, or with `by`.
    pub fn question(&self, seconds: Option<u64>) -> Result<OddsQuery, Problem> {
        let policy = self.policy.as_deref();
        if self.chance.as_ref().is_some_and(|text| text.trim().is_empty()) {
            return Err(problems::empty_chance());
        }
        if self.by.is_some() && self.chance.is_some() {
            return Err(problems::chance_and_by());
        }
        let usual = self.limit.is_none().then(|| seconds.unwrap_or(SECONDS));
        let seconds = self.seconds.or(usual);
        Ok(OddsQuery {
            by: self.by.clone(),
            chance: self.chance.clone(),
            goal: self.goal.clone(),
            policy: policy.map_or(Ok(usual_policy(self.sample.is_some())), self::policy)?,
            until: self.until.clone(),
            limits: Limits {
                runs: self.limit.unwrap_or(RUNS),
                ..Limits::default()
            },
            time: seconds.map(Duration::from_secs),
            ..OddsQuery::default()
        })
    }
}

/// The policy of that name.
///
/// # Errors
///
/// No policy is called so.
pub fn policy(name: &str) -> Result<Policy, Problem> {
    let names = || Policy::NAMES.iter().map(|(name, _)| *name);
    let found = Policy::NAMES.iter().find(|(known, _)| *known == name);
    found
        .map(|(_, policy)| *policy)
        .ok_or_else(|| unknown_name("policy", name).hint(hint_for(name, names())))
}

/// Returns the default policy: the best option, or the first option when the odds are sampled.
pub fn usual_policy(samples: bool) -> Policy {
    match samples {
        true => Policy::First,
        false => Policy::Best,
    }
}

/// One outcome with its chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightedOutcome {
    /// In words.
    pub text: String,
    /// As a number, when it is one.
    pub number: Option<i64>,
    /// Probability of the outcome.
    pub chance: Fraction,
}

/// Distribution of outcomes: the likeliest first, or numbers in ascending order.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// The outcomes.
    pub outcomes: Vec<WeightedOutcome>,
    /// The mean and the standard deviation, when every outcome is a number.
    pub mean: Option<(Fraction, f64)>,
    /// The sum of all weights over which it was counted.
    pub total: WholePhase,
}

/// Odds after one option of the choice at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionOdds {
    /// Its key.
    pub key: String,
    /// Distribution of outcomes after this option.
    pub spread: Spread,
    /// The mean of the chooser's goal; `None` when not all of it is looked at.
    pub goal: Option<Fraction>,
    /// Between what it lies then, where that is known.
    pub goal_between: Option<(Fraction, Fraction)>,
    /// Whether the policy takes it.
    pub taken: bool,
}

/// The choice at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct OddsChoice {
    /// Faction that chooses.
    pub asker: String,
    /// Label of the question.
    pub label: String,
    /// Name of the number that the asker maximises: `worth` where it is the game's.
    pub measure: &'static str,
    /// Odds of each option, in the order of the options.
    pub options: Vec<OptionOdds>,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Odds {
    /// Distribution of all outcomes, with the policy answering choices.
    pub spread: Spread,
    /// The choice at the start, if what is asked about begins with one.
    pub choice: Option<OddsChoice>,
    /// Horizon in words, to be put after "to".
    pub horizon: String,
    /// Policy that answered.
    pub policy: Policy,
    /// Text of the event that was asked about, if no line contains it.
    pub unseen: Option<String>,
    /// Amount of work done by the exploration.
    pub work: ExploreCost,
    /// Why not all was looked at, if it was not, in words: what was not is an outcome of its own, of which any part
    /// may belong to any other.
    pub stopped: Option<String>,
}

/// Asks about a position. The table is afterwards as it was.
///
/// # Errors
///
/// A question that does not fit the game; too much to look at; rules that fail.
pub fn ask(play: &mut Play, root: &OddsRoot, question: &OddsQuery) -> Result<Odds, Problems> {
    if question.policy == Policy::Greedy {
        return Err(problems::inexact_policy().into());
    }
    let rules = play.ruleset().rules.clone();
    let position = &root.checkpoint.position;
    let horizon = match &question.until {
        Some(text) => Horizon::parse(text, &rules)?,
        None => Horizon::of(&rules, position),
    };
    let goal = match &question.goal {
        Some(goal) => Goal::Expression(Source::new("goal", goal.as_str())),
        None if play.worth_given() => Goal::Worth,
        None => Goal::Units,
    };
    let mut classes = classes_of(play, root, question, goal)?;
    let found = play.suppose(|play| {
        explore::explore(
            play,
            &root.checkpoint,
            root.keep,
            &horizon,
            &mut classes,
            question,
        )
    });
    let found = found.map_err(|stop| problem(&stop))?;
    let choice = found
        .fork
        .as_ref()
        .map(|fork| choice(&rules.factions, fork, &classes));
    let spread = spread(&found.chances, &classes);
    let is_seen = spread
        .outcomes
        .iter()
        .any(|outcome| outcome.text == classes::HAPPENS);
    let unseen = question
        .chance
        .clone()
        .filter(|_| !is_seen && found.stopped.is_none());
    Ok(Odds {
        spread,
        unseen,
        choice,
        horizon: horizon.words(&rules, position),
        policy: question.policy,
        work: found.work,
        stopped: found.stopped,
    })
}

fn classes_of(play: &Play, root: &OddsRoot, question: &OddsQuery, goal: Goal) -> Result<Classes, Problems> {
    check_expressions(play, question)?;
    let world = &root.checkpoint.position.world;
    // Whose units are is known of rules that do not know how to change it.
    let texts = &play.ruleset().layers.texts;
    let says = |word: &str| texts.iter().any(|t| t.parsed.source.text.contains(word));
    let loyal = !says("change_owner") && !says("disband");
    let by = question.by.as_deref();
    Ok(Classes::new(&play.ruleset().rules, world, by, goal, loyal))
}

/// Expressions are read once, by themselves, so that what is wrong with them is told at their place.
fn check_expressions(play: &Play, question: &OddsQuery) -> Result<(), Problems> {
    let (by, goal) = (question.by.as_ref(), question.goal.as_ref());
    let by = by.map(|by| (Source::new("by", by.as_str()), &[][..]));
    let goal = goal.map(|goal| (Source::new("goal", goal.as_str()), &[classes::SIDE][..]));
    let all = by.into_iter().chain(goal);
    let wrong = all.flat_map(|(source, given)| play.ruleset().check_expression(&source, given));
    Problems::check(wrong.collect())
}

fn problem(stop: &ExploreStop) -> Problem {
    match stop {
        ExploreStop::TooLarge(why) | ExploreStop::Limit(why) => problems::too_large(why, "--limit"),
        ExploreStop::Time(why) => problems::too_large(why, "--seconds"),
        ExploreStop::Endless => problems::endless_step(MOST_BRANCHES),
        ExploreStop::Thrown(label) => problems::uncounted_throw(label),
        ExploreStop::Asked => problems::stopped_early(),
        ExploreStop::Failed(problem, history) => {
            let mut problem = (**problem).clone();
            if !history.is_empty() {
                problem.message = format!("{} (after {})", problem.message, history.join("; "));
            }
            problem
        }
    }
}

fn choice(factions: &[String], fork: &ChoicePoint, classes: &Classes) -> OddsChoice {
    let options = fork.keys.iter().zip(&fork.chances).zip(&fork.goals).enumerate();
    let options = options.map(|(at, ((key, chances), between))| OptionOdds {
        key: key.clone(),
        spread: spread(chances, classes),
        goal: goal(chances, classes, fork.asker),
        goal_between: between.clone(),
        taken: fork.taken == Some(at),
    });
    OddsChoice {
        asker: factions[fork.asker.index()].clone(),
        label: fork.label.clone(),
        measure: classes.measure(),
        options: options.collect(),
    }
}

fn goal(chances: &Chances, classes: &Classes, faction: FactionId) -> Option<Fraction> {
    if classes
        .unexplored_if_any()
        .is_some_and(|left| chances.part(left).is_some())
    {
        return None;
    }
    let sum = chances.sum(|class| classes.goal(class, faction));
    Some(Fraction::of_sums(sum, &chances.total))
}

/// Outcomes that read the same are one, whatever they are worth.
fn spread(chances: &Chances, classes: &Classes) -> Spread {
    let mut sums: Vec<(&classes::OutcomeClass, WholePhase)> = Vec::new();
    for (class, part) in &chances.parts {
        let class = classes.class(*class);
        match sums.iter_mut().find(|(known, _)| known.text == class.text) {
            Some((_, sum)) => *sum = sum.plus(part),
            None => sums.push((class, part.clone())),
        }
    }
    let numbers = sums.iter().all(|(class, _)| class.number.is_some());
    sums.sort_by(|(a, more), (b, less)| {
        let likely = || less.cmp(more).then_with(|| a.text.cmp(&b.text));
        if numbers {
            a.number.cmp(&b.number)
        } else {
            likely()
        }
    });
    let mean = numbers.then(|| moments(chances, classes));
    let outcomes = sums.into_iter().map(|(class, sum)| WeightedOutcome {
        text: class.text.clone(),
        number: class.number,
        chance: Fraction::new(&sum, &chances.total),
    });
    Spread {
        outcomes: outcomes.collect(),
        mean,
        total: chances.total.clone(),
    }
}

/// The mean, and the root of the variance, which is exact up to the root.
fn moments(chances: &Chances, classes: &Classes) -> (Fraction, f64) {
    let number = |class: u32| classes.class(class).number.unwrap_or(0);
    let mean = Fraction::of_sums(chances.sum(number), &chances.total);
    let least = chances
        .parts
        .iter()
        .map(|(class, _)| number(*class))
        .min()
        .unwrap_or(0);
    // Of numbers from 0 on, all sums are whole: total x (sum of squares) - (sum) squared.
    let mut sums = (WholePhase::ZERO, WholePhase::ZERO);
    for (class, part) in &chances.parts {
        let size = WholePhase::from(number(*class).abs_diff(least));
        let once = part.times(&size);
        sums.1 = sums.1.plus(&once.times(&size));
        sums.0 = sums.0.plus(&once);
    }
    let above = sums.1.times(&chances.total).minus(&sums.0.times(&sums.0));
    let variance = above.ratio(&chances.total.times(&chances.total));
    (mean, variance.sqrt())
}
