//! Odds by playing many times, for what is too large to look at; never exact, and marked so.

use super::explore::{Keep, Policy};
use super::horizon::Horizon;
use super::root::Root;
use super::{Merging, Question, classes_of};
use crate::agents::Agent;
use crate::kernel::dice::{Key, Pool};
use crate::kernel::table::{Asked, Reply, Rolling, Source};
use crate::play::{Play, Progress};
use crate::progress::{Course, is_interrupted};
use crate::report::{Problem, Problems};
use crate::stats;
use std::cell::Cell;
use std::rc::Rc;

/// What came of playing many times.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// How many times.
    pub games: u64,
    /// Outcomes with how often they came, and what half of the interval of 95 % is, from 0 to 1.
    pub outcomes: Vec<(String, u64, f64)>,
    /// The mean when every outcome of several is a number, and half of its interval.
    pub mean: Option<(f64, f64)>,
    /// How far was played, behind "to".
    pub horizon: String,
    /// Who answered.
    pub policy: Policy,
}

/// As many steps as one sample has at most.
const STEPS: usize = 100_000;

struct Dice {
    policy: Policy,
    keep: Cell<Keep>,
    rolled: Cell<usize>,
    key: Cell<Key>,
    drawn: Cell<u64>,
}

impl Dice {
    fn next(&self) -> Key {
        self.drawn.set(self.drawn.get() + 1);
        self.key.get().with(self.drawn.get())
    }
}

struct Keyed(Rc<Dice>);

impl Source for Keyed {
    fn answer(&mut self, asked: &Asked<'_>) -> Reply {
        match self.0.policy {
            Policy::Random => Reply::Take(self.0.next().below(asked.request.options.len())),
            Policy::Greedy => Reply::Wait,
            _ => Reply::Take(0),
        }
    }

    fn rolls(&mut self, roll: &Rolling<'_>) -> Option<Pool> {
        self.0.rolled.set(self.0.rolled.get() + 1);
        let kept = self.0.keep.get().holds(roll, self.0.rolled.get());
        (!kept).then(|| Pool::roll(self.0.next(), roll.dice, roll.sides))
    }
}

/// Plays a position so many times, with dice of keys from 1 on under the scenario's seed. The table is afterwards
/// as it was.
///
/// # Errors
///
/// A question that does not fit the game; a policy that has to look at everything; rules that fail.
pub fn sample(play: &mut Play, root: &Root, question: &Question, games: u64) -> Result<Sampled, Problems> {
    if question.policy == Policy::Best {
        return Err(
            Problem::new("the policy `best` has to look at everything and cannot be sampled")
                .hint("--policy first or random answers without looking, greedy by looking ahead")
                .into(),
        );
    }
    if games == 0 {
        return Err(Problem::new("no samples tell nothing")
            .hint("such as --sample 100000")
            .into());
    }
    let rules = play.host.rules.clone();
    let horizon = match &question.until {
        Some(text) => Horizon::parse(text, &rules)?,
        None => Horizon::of(&rules, &root.checkpoint.position),
    };
    let mut classes = classes_of(play, root, question)?;
    let counts = play.suppose(|play| {
        let dice = Rc::new(Dice {
            policy: question.policy,
            keep: Cell::new(root.keep),
            rolled: Cell::new(0),
            key: Cell::new(Key::new(0)),
            drawn: Cell::new(0),
        });
        play.set_source(Box::new(Keyed(Rc::clone(&dice))));
        play.table().record_read.set(false);
        let mut counts: Vec<u64> = Vec::new();
        let mut after = play.table().world.clone();
        let progress = Course::of("samples", usize::try_from(games).ok());
        'games: for seed in 1..=games {
            if progress.is_stopped() {
                break;
            }
            dice.key.set(
                Key::new(seed)
                    .with_text("odds")
                    .with(root.checkpoint.position.seed),
            );
            dice.drawn.set(0);
            dice.rolled.set(0);
            dice.keep.set(root.keep);
            play.go_to(&root.checkpoint);
            let mut drawn = 0;
            let mut steps = 0;
            loop {
                steps += 1;
                let was = play.table().checkpoint.cursor.clone();
                match play.advance() {
                    Progress::Stepped if steps <= STEPS => {}
                    Progress::Asks if steps <= STEPS && dice.policy == Policy::Greedy => {
                        Agent::GREEDY.answer(play, seed).map_err(first_of)?;
                        // The step runs again, with the same dice.
                        dice.drawn.set(drawn);
                        dice.rolled.set(0);
                        continue;
                    }
                    Progress::Stepped => {
                        let message = format!("a sample is not over after {STEPS} steps");
                        return Err(Problem::new(message).hint("look less far with --until"));
                    }
                    Progress::Failed(_) if is_interrupted() => break 'games,
                    Progress::Failed(problem) => return Err(*problem),
                    Progress::Diverged(why) => return Err(Problem::new(why)),
                    _ => break,
                }
                dice.keep.set(Keep::Answers(0));
                drawn = dice.drawn.get();
                after.clone_from(&play.table().world);
                let picked = play.table().checkpoint.next.leads_on();
                let events = play.table().events.len();
                match play.prepare() {
                    Progress::Stepped if !horizon.reached(&was, &play.table(), events, picked) => {}
                    Progress::Failed(_) if is_interrupted() => break 'games,
                    Progress::Failed(problem) => return Err(*problem),
                    _ => break,
                }
            }
            let merging = match play.table().record_read.get() {
                true => Merging::Never,
                false => Merging::Same,
            };
            let class = classes.of(play, &after, merging)? as usize;
            if counts.len() <= class {
                counts.resize(class + 1, 0);
            }
            counts[class] += 1;
            progress.step();
        }
        play.clear_source();
        Ok(counts)
    })?;
    // Fewer than were wanted, when somebody stopped it.
    let games: u64 = counts.iter().sum();
    let mut outcomes: Vec<(String, Option<i64>, u64)> = Vec::new();
    for (class, count) in counts.iter().enumerate().filter(|(_, n)| **n > 0) {
        let class = classes.class(class as u32);
        match outcomes.iter_mut().find(|o| o.0 == class.text) {
            Some(known) => known.2 += count,
            None => outcomes.push((class.text.clone(), class.number, *count)),
        }
    }
    let numbers = outcomes.iter().all(|o| o.1.is_some());
    outcomes.sort_by(|a, b| {
        let likely = || b.2.cmp(&a.2).then_with(|| a.0.cmp(&b.0));
        if numbers { a.1.cmp(&b.1) } else { likely() }
    });
    // One sample alone says nothing of how far it may be off.
    let mean = (numbers && games > 1).then(|| mean_of(&outcomes, games));
    Ok(Sampled {
        games,
        outcomes: outcomes
            .into_iter()
            .map(|(text, _, n)| (text, n, wilson(n, games)))
            .collect(),
        mean,
        horizon: horizon.words(&rules, &root.checkpoint.position),
        policy: question.policy,
    })
}

fn first_of(problems: Problems) -> Problem {
    let first = problems.0.into_iter().next();
    first.unwrap_or_else(|| Problem::new("the agent cannot look ahead"))
}

/// How far Wilson's interval of 95 % reaches from a share at most; it is not quite in the middle of it.
fn wilson(count: u64, of: u64) -> f64 {
    let (share, found) = (count as f64 / of as f64, stats::wilson(count as f64, of as f64));
    (found.high - share).max(share - found.low)
}

fn mean_of(outcomes: &[(String, Option<i64>, u64)], games: u64) -> (f64, f64) {
    let n = games as f64;
    let each = |f: &dyn Fn(f64) -> f64| -> f64 {
        let terms = outcomes.iter().map(|o| f(o.1.unwrap_or(0) as f64) * o.2 as f64);
        terms.sum::<f64>() / n
    };
    let mean = each(&|x| x);
    let variance = each(&|x| (x - mean) * (x - mean)) * n / (n - 1.0);
    (mean, stats::z_sure() * (variance / n).sqrt())
}
