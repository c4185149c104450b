//! Odds by playing many times, for what is too large to look at; never exact, and marked so.

use super::classes::{Classes, Goal};
use super::explore::{KeptRolls, Policy};
use super::horizon::Horizon;
use super::problems;
use super::root::{OddsRoot, RootPlay};
use super::{Merging, OddsQuery, classes_of};
use crate::agents::Agent;
use crate::kernel::dice::{Pool, RollKey};
use crate::kernel::dice_access::DiceRecorder;
use crate::kernel::rules::MAX_WORDS;
use crate::kernel::table::{Answerer, Keeps, PendingRoll, Question, Reply};
use crate::kernel::world::World;
use crate::parallel;
use crate::play::{Play, Progress};
use crate::report::{Problem, Problems};
use crate::stats;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Result of sampling many games.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// Number of samples.
    pub games: u64,
    /// Outcomes with how often they came, and what half of the interval of 95 % is, from 0 to 1.
    pub outcomes: Vec<(String, u64, f64)>,
    /// The mean when every outcome of several is a number, and half of its interval.
    pub mean: Option<(f64, f64)>,
    /// Horizon in words, to be put after "to".
    pub horizon: String,
    /// Policy that answered.
    pub policy: Policy,
}

impl Sampled {
    /// Returns the share of the samples with an outcome that came this often.
    pub fn share(&self, count: u64) -> f64 {
        count as f64 / self.games.max(1) as f64
    }
}

/// As many steps as one sample has at most.
const STEPS: usize = 100_000;

struct SampleDice {
    policy: Policy,
    keep: Cell<KeptRolls>,
    rolled: Cell<usize>,
    key: Cell<RollKey>,
    drawn: Cell<u64>,
}

impl SampleDice {
    fn next(&self) -> RollKey {
        self.drawn.set(self.drawn.get() + 1);
        self.key.get().with(self.drawn.get())
    }
}

struct SampleSeed(Rc<SampleDice>);

impl Answerer for SampleSeed {
    fn answer(&mut self, question: &Question<'_>) -> Reply {
        match self.0.policy {
            Policy::Random => Reply::Take(self.0.next().below(question.request.options.len())),
            Policy::Greedy => Reply::Wait,
            _ => Reply::Take(0),
        }
    }

    fn rolls(&mut self, roll: &PendingRoll<'_>) -> Option<Pool> {
        self.0.rolled.set(self.0.rolled.get() + 1);
        let is_kept = self.0.keep.get().holds(roll, self.0.rolled.get());
        (!is_kept).then(|| Pool::roll(self.0.next(), roll.dice, roll.sides))
    }
}

/// A position that is played many times, each with dice of its own.
struct Sampling {
    horizon: Horizon,
    classes: Classes,
    dice: Rc<SampleDice>,
    after: World,
    /// Text of the event that is asked about.
    chance: Option<String>,
    /// Number of texts before sampling.
    words: usize,
}

/// Samples that made so many texts of their own forget them.
const TEXTS: usize = MAX_WORDS / 4;

impl Sampling {
    /// Makes ready; the play has another source of answers and dice from here on.
    fn new(play: &mut Play, root: &OddsRoot, question: &OddsQuery) -> Result<Self, Problems> {
        if question.policy == Policy::Best {
            return Err(problems::policy_without_samples().into());
        }
        let horizon = match &question.until {
            Some(text) => Horizon::parse(text, &play.ruleset().rules)?,
            None => Horizon::of(&play.ruleset().rules, &root.checkpoint.position),
        };
        // Nobody here takes what is best.
        let classes = classes_of(play, root, question, Goal::Units)?;
        let dice = Rc::new(SampleDice {
            policy: question.policy,
            keep: Cell::new(root.keep),
            rolled: Cell::new(0),
            key: Cell::new(RollKey::new(0)),
            drawn: Cell::new(0),
        });
        // Nobody goes back to a sample.
        play.drop_trail();
        play.set_source(Box::new(SampleSeed(Rc::clone(&dice))));
        play.table().record_read.set(false);
        // Nor does a step run again, unless somebody looks ahead.
        play.table_mut().keep(Keeps {
            record: true,
            way_back: question.policy == Policy::Greedy,
        });
        let (after, words) = (play.table().world.clone(), play.table().words.len());
        Ok(Self {
            horizon,
            classes,
            dice,
            after,
            chance: question.chance.clone(),
            words,
        })
    }

    /// Plays one sample with the dice of a key and returns its outcome: in words, and as a number if it is one. `None`
    /// when the rules were stopped.
    fn once(
        &mut self,
        play: &mut Play,
        root: &OddsRoot,
        seed: u64,
    ) -> Result<Option<SampleOutcome>, Problem> {
        let Self {
            horizon,
            classes,
            dice,
            after,
            chance,
            words,
        } = self;
        dice.key.set(
            RollKey::new(seed)
                .with_text("odds")
                .with(root.checkpoint.position.seed),
        );
        dice.drawn.set(0);
        dice.rolled.set(0);
        dice.keep.set(root.keep);
        play.go_to(&root.checkpoint);
        if play.table().words.len() - *words > TEXTS {
            play.forget_words(*words);
            classes.forget_worlds();
        }
        let (mut drawn, mut steps) = (0, 0);
        let mut unread = play.table().events.len();
        let mut happens = chance.as_ref().map(|_| false);
        loop {
            steps += 1;
            let was = play.table().checkpoint.cursor.clone();
            match play.advance() {
                Progress::Stepped if steps <= STEPS => {}
                Progress::Asks if steps <= STEPS && dice.policy == Policy::Greedy => {
                    let decision = Agent::GREEDY.choose(play, seed);
                    let decision = decision.map_err(first_of)?;
                    let again = || {
                        dice.drawn.set(drawn);
                        dice.rolled.set(0);
                    };
                    // Looking ahead has left the question as the seed's own dice have it.
                    again();
                    let now = play.checkpoint();
                    play.go_to(&now);
                    play.advance();
                    play.answer(decision.index);
                    // The step runs again, with the same dice.
                    again();
                    continue;
                }
                Progress::Stepped => {
                    return Err(problems::endless_sample(STEPS));
                }
                Progress::Failed(_) if play.work().is_interrupted() => return Ok(None),
                Progress::Failed(problem) => return Err(*problem),
                Progress::Diverged(why) => return Err(problems::refused_answer(why)),
                _ => break,
            }
            dice.keep.set(KeptRolls::Answers(0));
            drawn = dice.drawn.get();
            after.clone_from(&play.table().world);
            let picked = play.table().checkpoint.next.leads_on();
            let events = play.table().events.len();
            let prepared = play.prepare();
            if let Some(text) = chance {
                let found = play
                    .lines_from(unread)
                    .iter()
                    .any(|line| line.contains(text.as_str()));
                unread = play.table().events.len();
                happens = Some(found);
                if found {
                    break;
                }
            }
            match prepared {
                Progress::Stepped if !horizon.reached(&was, play.table(), events, picked) => {}
                Progress::Failed(_) if play.work().is_interrupted() => return Ok(None),
                Progress::Failed(problem) => return Err(*problem),
                _ => break,
            }
        }
        let merging = match play.table().record_read.get() {
            true => Merging::Never,
            false => Merging::Same,
        };
        let class = classes.of(play, after, happens, merging, &DiceRecorder::default())?;
        let class = classes.class(class);
        Ok(Some((class.text.clone(), class.number)))
    }
}

/// Outcome of one sample: in words, and as a number if it is one.
type SampleOutcome = (String, Option<i64>);

/// Number of times that each outcome came.
#[derive(Default)]
struct OutcomeCounts(BTreeMap<String, (Option<i64>, u64)>);

impl OutcomeCounts {
    fn add(&mut self, (text, number): SampleOutcome) {
        self.0.entry(text).or_insert((number, 0)).1 += 1;
    }

    fn finish(self, horizon: String, policy: Policy) -> Sampled {
        // Fewer than were wanted, when somebody stopped it.
        let games = self.0.values().map(|(_, n)| n).sum();
        let all = self.0.into_iter();
        let mut outcomes: Vec<(String, Option<i64>, u64)> =
            all.map(|(text, (n, count))| (text, n, count)).collect();
        let numbers = outcomes.iter().all(|o| o.1.is_some());
        outcomes.sort_by(|a, b| {
            let likely = || b.2.cmp(&a.2).then_with(|| a.0.cmp(&b.0));
            if numbers { a.1.cmp(&b.1) } else { likely() }
        });
        // One sample alone says nothing of how far it may be off.
        let mean = (numbers && games > 1).then(|| mean_of(&outcomes, games));
        Sampled {
            games,
            outcomes: outcomes
                .into_iter()
                .map(|(text, _, n)| (text, n, wilson(n, games)))
                .collect(),
            mean,
            horizon,
            policy,
        }
    }
}

/// Plays a position so many times, with dice of keys from 1 on under the scenario's seed. The table is afterwards
/// as it was.
///
/// # Errors
///
/// A question that does not fit the game; a policy that has to look at everything; rules that fail.
pub fn sample(
    play: &mut Play,
    root: &OddsRoot,
    question: &OddsQuery,
    games: u64,
) -> Result<Sampled, Problems> {
    check(games)?;
    let rules = play.ruleset().rules.clone();
    let (counts, horizon) = play.suppose(|play| {
        let mut sampling = Sampling::new(play, root, question)?;
        let mut counts = OutcomeCounts::default();
        let progress = play.work().begin("samples", usize::try_from(games).ok());
        for seed in 1..=games {
            if progress.is_stopped() {
                break;
            }
            let Some(came) = sampling.once(play, root, seed)? else {
                break;
            };
            counts.add(came);
            progress.step();
        }
        let horizon = sampling.horizon.words(&rules, &root.checkpoint.position);
        play.clear_source();
        Ok::<_, Problems>((counts, horizon))
    })?;
    Ok(counts.finish(horizon, question.policy))
}

/// The same on all cores: each lays the position for itself. It is the same however many there are.
///
/// # Errors
///
/// As [`sample`], and what is wrong with the position.
pub fn sample_on_all_cores(
    lay: impl Fn() -> Result<RootPlay, Problems> + Sync,
    question: &OddsQuery,
    games: u64,
) -> Result<Sampled, Problems> {
    check(games)?;
    let mut own = lay()?;
    let rules = own.play.ruleset().rules.clone();
    let mut sampling = Sampling::new(&mut own.play, &own.root, question)?;
    let query = OddsQuery {
        stop: None,
        ..question.clone()
    };
    let (mut counts, mut failed) = (OutcomeCounts::default(), None);
    // There is a number behind the last.
    let all = usize::try_from(games).unwrap_or(usize::MAX).min(usize::MAX - 1);
    let work = own.play.work().clone();
    let progress = work.begin("samples", Some(all));
    parallel::stream(
        &work,
        1..all + 1,
        question.threads,
        || {
            let mut ready = lay().ok().and_then(|mut root_play| {
                let sampling = Sampling::new(&mut root_play.play, &root_play.root, &query).ok()?;
                Some((root_play, sampling))
            });
            move |seed: usize| {
                let failed = |why: String| (seed, why);
                let (root_play, sampling) = ready.as_mut().ok_or_else(|| failed(String::new()))?;
                let came = sampling.once(&mut root_play.play, &root_play.root, seed as u64);
                let came = came.map_err(|problem| failed(problem.message))?;
                came.ok_or_else(|| failed(String::new()))
            }
        },
        |came: Result<SampleOutcome, (usize, String)>| match came {
            Ok(came) => {
                counts.add(came);
                progress.step();
                true
            }
            Err(why) => {
                failed = Some(why);
                false
            }
        },
    );
    // What is wrong belongs to its thread: it is met once more here.
    if let Some((seed, why)) = failed.filter(|_| !progress.is_stopped()) {
        sampling.once(&mut own.play, &own.root, seed as u64)?;
        return Err(problems::failed_sample(seed, &why).into());
    }
    let horizon = sampling.horizon.words(&rules, &own.root.checkpoint.position);
    Ok(counts.finish(horizon, question.policy))
}

fn check(games: u64) -> Result<(), Problem> {
    match games {
        0 => Err(problems::no_samples()),
        _ => Ok(()),
    }
}

fn first_of(problems: Problems) -> Problem {
    problems.0.into_iter().next().unwrap_or_default()
}

/// Returns the largest distance from a share to an end of Wilson's 95 % interval; the share is not exactly in its
/// middle.
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
    let variance = each(&|x| (x - mean) * (x - mean)) * n / (n - 1.0).max(1.0);
    (mean, stats::reach(mean, (variance / n).sqrt(), n))
}
