//! Looks at everything that can come of a position: every roll takes every value, every choice every
//! option.
//!
//! A step is run once for each of its leaves, each time from its checkpoint, along a path of what
//! its rolls show and its choices take; what lies beyond the path takes its first branch, which
//! makes the path longer. Nothing is unwound, and there is no second way through the rules.
//!
//! Positions between steps are merged: two that look the same to the rules have the same future. What the
//! rules look at of the dice in slots is noted while they run (see [`dice_access`]), and so a position is taken
//! apart: into its ground, which is all but those dice, and the dice. A step that was run from a ground is
//! not run again for other dice of which it sees the same, and what is known to come of a position is what
//! comes of every one on its ground of whose dice all that follows sees the same.

use super::chances::{Chances, Fraction};
use super::classes::Classes;
use super::dice_reads::{DiceReads, DiceReadsId};
use super::fingerprint::of_position;
use super::horizon::Horizon;
use super::problems;
use super::throws::{self, RollTables, Throws};
use super::{Limits, Merging, OddsQuery};
use crate::event_text::step_name;
use crate::kernel::dice::Pool;
use crate::kernel::dice_access::{self, DiceRead, DiceRecorder};
use crate::kernel::ids::FactionId;
use crate::kernel::schedule::Cursor;
use crate::kernel::table::{Answerer, PendingRoll, Question, Reply};
use crate::kernel::world::World;
use crate::play::{Checkpoint, Play, Progress};
use crate::report::Problem;
use crate::rules::rolls;
use crate::work::Task;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Policy that answers the choices within the explored part of the game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Policy {
    /// With what is best for whoever chooses: the mean of its goal is largest, everything looked at;
    /// of equals the first.
    #[default]
    Best,
    /// With the first option.
    First,
    /// With any option, each as likely.
    Random,
    /// As the greedy agent does; only where it is played many times.
    Greedy,
}

impl Policy {
    /// The policies by name; those that agents have too are called as they are.
    pub const NAMES: [(&'static str, Policy); 4] = [
        ("best", Policy::Best),
        ("first", Policy::First),
        ("random", Policy::Random),
        ("greedy", Policy::Greedy),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }
}

/// Rolls of the current step that are kept as they were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptRolls {
    /// Those before this many answers of the step were given.
    Answers(usize),
    /// This many of its first rolls, which the asked faction has seen.
    Rolls(usize),
}

impl KeptRolls {
    /// Whether a roll of the step, the so manieth of its run from 1, stays as it was.
    pub(super) fn holds(self, roll: &PendingRoll<'_>, nth: usize) -> bool {
        match self {
            KeptRolls::Answers(given) => roll.answers < given,
            KeptRolls::Rolls(count) => nth <= count,
        }
    }
}

/// Amount of work done by the exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExploreCost {
    /// Different positions between steps.
    pub positions: usize,
    /// Runs of steps, with those that were known from a like position.
    pub runs: u64,
    /// Number of choices made by the policy.
    pub choices: u64,
    /// Whether more could be answered somewhere than what is proposed: spots of a region, numbers in a range.
    pub proposed: bool,
}

/// Result of a full exploration.
pub struct Exploration {
    /// Chances of the position.
    pub chances: Arc<Chances>,
    /// If the first thing that happens is a choice: what each of its options brings.
    pub fork: Option<ChoicePoint>,
    /// Amount of work done by the exploration.
    pub work: ExploreCost,
    /// Why not all was looked at, if it was not, in words: what was not is a class of its own.
    pub stopped: Option<String>,
}

/// A choice with what each option brings.
#[derive(Debug, Clone)]
pub struct ChoicePoint {
    /// Faction that chooses.
    pub asker: FactionId,
    /// Label of the question.
    pub label: String,
    /// The options' keys.
    pub keys: Vec<String>,
    /// Chances of each option.
    pub chances: Vec<Arc<Chances>>,
    /// Between what the mean of the chooser's goal lies for each; `None` where nothing says it.
    pub goals: Vec<Option<(Fraction, Fraction)>>,
    /// The option that the policy takes; `None` when each is as likely, or that is not known.
    pub taken: Option<usize>,
}

/// Why not everything could be looked at.
#[derive(Debug, Clone)]
pub enum ExploreStop {
    /// There is too much of it: in one sentence, what was reached.
    TooLarge(String),
    /// One step rolls and asks more than [`MOST_BRANCHES`] times, and so may do without end.
    Endless,
    /// A die is thrown, for this: what can come of that is not counted.
    Thrown(String),
    /// Somebody stopped it.
    Asked,
    /// As much was looked at as may be: in one sentence, what was reached.
    Limit(String),
    /// As long was looked as may be: in one sentence, what was reached.
    Time(String),
    /// The rules fail in one of the courses that things can take: with which rolls and answers.
    Failed(Box<Problem>, Vec<String>),
}

/// Kind of a branch in a path.
#[derive(Debug, Clone)]
enum BranchKind {
    Roll(Arc<Throws>),
    Choice(FactionId),
    /// A choice that chance makes.
    Any,
}

#[derive(Debug)]
struct PathBranch {
    kind: BranchKind,
    at: usize,
    of: usize,
    /// Nodes of the branches that are done.
    done: Vec<u32>,
    /// Of a roll, the dice that are done: what was looked at of them, with the node by what is seen so.
    alike: Vec<(DiceRead, NodesBySight)>,
}

/// Nodes by what is seen of the dice that lead there.
type NodesBySight = HashMap<(u64, u128), u32>;

impl PathBranch {
    /// Goes on behind a branch that has come to this node, and behind those after it of whose dice the same is seen
    /// as of dice that are done. What was looked at in the branch is known only of dice that are watched.
    fn go_on(&mut self, node: u32, look: DiceRead) {
        self.done.push(node);
        self.at += 1;
        let BranchKind::Roll(throws) = &self.kind else {
            return;
        };
        if look == DiceRead::WHOLE {
            return;
        }
        let at = self.alike.iter().position(|(known, _)| *known == look);
        let at = at.unwrap_or_else(|| {
            self.alike.push((look, NodesBySight::new()));
            self.alike.len() - 1
        });
        self.alike[at].1.insert(look.of(&throws.all[self.at - 1].0), node);
        while let Some((dice, _)) = throws.all.get(self.at)
            && let Some(node) = self
                .alike
                .iter()
                .find_map(|(look, nodes)| nodes.get(&look.of(dice)))
        {
            self.done.push(*node);
            self.at += 1;
        }
    }
}

/// Minimum number of positions that are traversed once more when the exploration is stopped.
const MORE: usize = 100_000;

/// Number of runs from which a step is long: a stop within it then says so.
const LONG_STEP: u64 = 10_000;

/// Maximum number of rolls of a long step that are named.
const MOST_LABELS: usize = 6;

/// Maximum number of rolls and questions in one step; a step with more may be endless.
pub const MOST_BRANCHES: usize = 100;

/// The path that the step is run along; shared with whoever answers.
struct StepPath {
    policy: Policy,
    keep: KeptRolls,
    /// The step is the one that is asked about.
    root: bool,
    /// Number of rolls that the run has made.
    rolled: usize,
    branches: Vec<PathBranch>,
    /// Number of branches of the path that the run has passed.
    passed: usize,
    known: RollTables,
    most: u64,
    /// A roll that alone has more results than may be looked at.
    too_large: Option<ExploreStop>,
    /// The options of the first branch, when that is a choice; read only while it is wanted.
    fork: Option<Option<(FactionId, String, Vec<String>)>>,
    /// Answers that the policy gave without looking.
    plain: u64,
    /// Whether more could be answered than the options.
    proposed: bool,
    /// The step lies in a hidden phase.
    hidden: bool,
    /// A choice in a hidden phase was to be made by looking at everything.
    secret: bool,
    /// The step's rolls and answers in words; kept only when they are wanted.
    log: Option<Vec<String>>,
    /// Labels of the step's rolls; kept with the log.
    labels: Vec<String>,
    /// Recorder of the dice that rules read.
    recorder: DiceRecorder,
    /// Whether reads of rolls are recorded.
    watched: bool,
}

impl StepPath {
    /// Whether what is looked at of dice that are rolled as this branch can be noted.
    fn is_seen(&self, number: usize, dice: &Pool) -> bool {
        self.watched && dice.stored().is_some() && number < dice_access::ROLLS
    }

    /// Returns the properties of the dice at this branch that any run along it has read.
    fn look(&self, number: usize) -> DiceRead {
        let branch = &self.branches[number];
        match &branch.kind {
            BranchKind::Roll(throws) if self.is_seen(number, &throws.all[branch.at].0) => {
                self.recorder.take_roll(number)
            }
            _ => DiceRead::WHOLE,
        }
    }

    fn begin(&mut self, ground: &StateClass) {
        self.keep = ground.keep;
        self.root = ground.root;
        self.hidden = ground.checkpoint.position.is_hidden();
        self.rolled = 0;
        self.passed = 0;
    }

    /// Goes one branch on; which of so many it takes.
    fn pass(&mut self, of: usize, kind: impl FnOnce() -> BranchKind) -> usize {
        if self.passed >= MOST_BRANCHES {
            // What is beyond it is never used.
            self.too_large.get_or_insert(ExploreStop::Endless);
            return 0;
        }
        if self.passed == self.branches.len() {
            self.branches.push(PathBranch {
                kind: kind(),
                at: 0,
                of,
                done: Vec::new(),
                alike: Vec::new(),
            });
        }
        let at = self.branches[self.passed].at;
        self.passed += 1;
        at
    }
}

struct Along(Rc<RefCell<StepPath>>);

impl Answerer for Along {
    fn answer(&mut self, question: &Question<'_>) -> Reply {
        let mut path = self.0.borrow_mut();
        let options = question.request.options.len();
        let asker = question.request.asker;
        if path.root && path.branches.is_empty() && path.fork == Some(None) {
            path.fork = Some(Some((asker, question.label().to_owned(), question.keys())));
        }
        let forks = path.root && path.passed == 0 && path.fork.is_some();
        path.proposed |=
            question.request.options.region().is_some() || question.request.options.numbers().is_some();
        let take = match path.policy {
            // What each option of the very first choice brings is always looked at.
            Policy::First | Policy::Greedy if !forks => {
                path.plain += 1;
                0
            }
            Policy::Best | Policy::First | Policy::Greedy => {
                path.secret |= path.hidden && path.policy == Policy::Best;
                path.pass(options, || BranchKind::Choice(asker))
            }
            Policy::Random => path.pass(options, || BranchKind::Any),
        };
        if let Some(log) = &mut path.log {
            let key = question.request.options.get(take).map(|o| question.key(o));
            log.push(format!("{} {}", question.label(), key.unwrap_or_default()));
        }
        Reply::Take(take)
    }

    fn rolls(&mut self, roll: &PendingRoll<'_>) -> Option<crate::kernel::dice::Pool> {
        let mut path = self.0.borrow_mut();
        path.recorder.roll_is(None);
        path.rolled += 1;
        if path.keep.holds(roll, path.rolled) {
            return None;
        }
        if roll.throw {
            path.too_large = Some(ExploreStop::Thrown(roll.label.to_owned()));
            return None;
        }
        let count = throws::count(roll.dice, roll.sides);
        if count.is_none_or(|count| count > path.most) {
            let (dice, sides) = (roll.dice, roll.sides);
            let many = match count {
                Some(count) => format!("shows {count} different results"),
                None => "comes in more ways than can be counted one by one".to_owned(),
            };
            path.too_large = Some(ExploreStop::TooLarge(format!(
                "the roll of `{}` alone, {dice} dice with {sides} sides, {many}",
                roll.label
            )));
            return None;
        }
        // Nobody chooses first what chance decides first.
        if path.root && path.fork == Some(None) {
            path.fork = None;
        }
        if path.too_large.is_some() {
            return None;
        }
        let throws = path.known.of(roll.dice, roll.sides);
        let at = path.pass(throws.all.len(), || BranchKind::Roll(Arc::clone(&throws)));
        let pool = throws.all[at].0.clone();
        let number = path.passed - 1;
        path.recorder
            .roll_is(path.is_seen(number, &pool).then_some(number));
        if let Some(log) = &mut path.log {
            log.push(format!("{} rolled {pool}", roll.label));
            path.labels.push(roll.label.to_owned());
        }
        Some(pool)
    }
}

/// Possible result of a run of a step.
enum StepNode {
    /// End of the explored part, with the class of its outcome.
    End(u32),
    /// The step is over: where play stands after it.
    Goes(Leaf),
    Roll(Arc<Throws>, Vec<u32>),
    Choice(FactionId, Vec<u32>),
    Any(Vec<u32>),
}

/// State of the game after a step: its ground, and the contents of the slots that the step has written.
struct Leaf {
    ground: u32,
    /// The slots that it has written, by their numbers.
    written: u128,
    dice: Vec<(u8, Pool)>,
}

/// A step from all of whose dice it sees the same: what it comes to, the whole of it last.
struct ExploredStep {
    nodes: Vec<StepNode>,
    /// Properties of the dice that the step reads.
    seen: DiceReadsId,
    /// Number of ends of its paths.
    leaves: u64,
    /// Answers that the policy gave without looking.
    plain: u64,
}

/// A position but for the dice in its slots.
struct StateClass {
    checkpoint: Checkpoint,
    /// The record since the root; kept only where positions are not merged.
    record: Vec<crate::kernel::event::Event>,
    keep: KeptRolls,
    root: bool,
    /// Properties of the dice that the steps run from it have read, each set once.
    steps: Vec<DiceReadsId>,
    /// And what was seen in all that followed, where that is known.
    values: Vec<DiceReadsId>,
}

/// A position that is being looked at.
struct OpenPosition {
    ground: u32,
    dice: Vec<Pool>,
    step: Arc<ExploredStep>,
    /// Chances of its nodes, as far as they are known.
    values: Vec<Arc<Chances>>,
    /// Properties of the dice that it and all later steps read, as far as they are known.
    seen: DiceReadsId,
}

/// Keys are mixed already.
#[derive(Default)]
struct PremixedHasher(u64);

impl Hasher for PremixedHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u128(&mut self, n: u128) {
        self.0 = n as u64;
    }
}

type Digest<T> = HashMap<u128, T, BuildHasherDefault<PremixedHasher>>;

/// Rest of the game, not explored any more.
struct SettledPosition {
    /// Chances of the rest.
    chances: Arc<Chances>,
    /// Number of positions with known steps that may still be traversed.
    more: usize,
}

/// Looks at all that can come of the position that lies on the table; see [`explore`].
struct Explorer<'a> {
    play: &'a mut Play,
    path: Rc<RefCell<StepPath>>,
    horizon: &'a Horizon,
    classes: &'a mut Classes,
    policy: Policy,
    limits: Limits,
    stop: Option<&'a AtomicBool>,
    /// Time limit, and the time when the exploration began.
    time: Option<(Duration, Option<Duration>)>,
    course: &'a Task,
    /// Events before the root's step.
    mark: usize,
    /// The slots whose dice are told apart by what is seen of them.
    slots: Vec<usize>,
    /// Recorder of the dice that rules read.
    recorder: DiceRecorder,
    grounds: Vec<StateClass>,
    numbers: Digest<u32>,
    looks: DiceReads,
    /// By ground and what is seen of the dice.
    steps: Digest<Arc<ExploredStep>>,
    values: Digest<Arc<Chances>>,
    /// By class, what it is alone.
    sure: Vec<Arc<Chances>>,
    work: ExploreCost,
    fork: Option<ChoicePoint>,
    /// It was stopped: what is not known by now is left.
    left: Option<SettledPosition>,
    /// The world as the step left it.
    after: World,
    /// First id of the units that came into play since the root, if no slot refers to units.
    newcomers: Option<usize>,
    /// Text of the event that is asked about.
    chance: Option<&'a str>,
    /// Number of events before the run.
    events: usize,
}

/// Everything that can come of a position. The table is left where it ended up: callers wrap this in
/// [`Play::suppose`].
///
/// # Errors
///
/// Too much to look at; rules that fail; an expression that cannot be read.
pub fn explore(
    play: &mut Play,
    root: &Checkpoint,
    keep: KeptRolls,
    horizon: &Horizon,
    classes: &mut Classes,
    question: &OddsQuery,
) -> Result<Exploration, ExploreStop> {
    let policy = question.policy;
    let mut limits = question.limits;
    let progress = play.work().begin("odds, runs of steps", None);
    let stop = question.stop.as_deref();
    let time = question.time.map(|most| (most, play.work().now()));
    loop {
        play.table().record_read.set(false);
        let recorder = DiceRecorder::default();
        let path = StepPath {
            policy,
            keep,
            root: true,
            rolled: 0,
            branches: Vec::new(),
            passed: 0,
            known: RollTables::default(),
            most: limits.runs,
            too_large: None,
            fork: Some(None),
            plain: 0,
            proposed: false,
            hidden: false,
            secret: false,
            log: None,
            labels: Vec::new(),
            recorder: recorder.clone(),
            watched: limits.merging == Merging::Alike,
        };
        let path = Rc::new(RefCell::new(path));
        play.go_to(root);
        play.set_source(Box::new(Along(Rc::clone(&path))));
        let mut slots = match limits.merging {
            Merging::Alike => root.position.world.dice_slots(&play.ruleset().rules),
            Merging::Same | Merging::Never => Vec::new(),
        };
        slots.truncate(dice_access::MOST);
        recorder.watch(&slots);
        let after = play.table().world.clone();
        let refers = play
            .ruleset()
            .rules
            .slots
            .all()
            .any(|slot| slot.kind.names_units());
        let newcomers = (!refers).then(|| root.position.world.unit_count());
        let watched = (limits.merging == Merging::Alike).then(|| recorder.clone());
        play.table_mut().world.record_dice(watched);
        let explorer = Explorer {
            play: &mut *play,
            path,
            horizon,
            classes: &mut *classes,
            policy,
            limits,
            stop,
            time,
            course: &progress,
            mark: root.events,
            slots,
            recorder,
            grounds: Vec::new(),
            numbers: HashMap::default(),
            looks: DiceReads::default(),
            steps: HashMap::default(),
            values: HashMap::default(),
            sure: Vec::new(),
            work: ExploreCost::default(),
            fork: None,
            left: None,
            after,
            newcomers,
            chance: question.chance.as_deref(),
            events: 0,
        };
        let found = explorer.all(root, keep);
        play.clear_source();
        play.table_mut().world.record_dice(None);
        if limits.merging != Merging::Never && play.table().record_read.get() {
            // Two positions that look the same may have come about differently, and the rules care.
            limits.merging = Merging::Never;
            continue;
        }
        return found;
    }
}

impl OpenPosition {
    /// Takes what comes of the position to which its next node goes, and what is seen of dice behind it.
    fn take(&mut self, value: Arc<Chances>, reads: DiceReadsId, looks: &mut DiceReads) {
        if let Some(StepNode::Goes(leaf)) = self.step.nodes.get(self.values.len()) {
            let reads = looks.without(reads, leaf.written);
            self.seen = looks.both(self.seen, reads);
        }
        self.values.push(value);
    }
}

impl Explorer<'_> {
    fn all(mut self, root: &Checkpoint, keep: KeptRolls) -> Result<Exploration, ExploreStop> {
        let world = &root.position.world;
        let dice: Vec<Pool> = self.slots.iter().map(|slot| world.dice_at(*slot)).collect();
        self.grounds.push(StateClass {
            checkpoint: root.clone(),
            record: Vec::new(),
            keep,
            root: true,
            steps: Vec::new(),
            values: Vec::new(),
        });
        match self.explore_roll(dice.clone()) {
            Ok(chances) => Ok(self.exploration(chances, None)),
            Err(stop @ (ExploreStop::Asked | ExploreStop::Limit(_) | ExploreStop::Time(_)))
                if !self.steps.is_empty() =>
            {
                self.bounded(dice, stop)
            }
            Err(stop) => Err(stop),
        }
    }

    /// Returns the result for a partly known root, by traversing the known steps once more.
    fn bounded(mut self, dice: Vec<Pool>, stop: ExploreStop) -> Result<Exploration, ExploreStop> {
        let chances = Arc::new(self.classes.unknown());
        self.left = Some(SettledPosition {
            chances: Arc::clone(&chances),
            more: self.work.positions.max(MORE),
        });
        let found = self.explore_roll(dice)?;
        let reason = match &stop {
            ExploreStop::Limit(_) => format!(
                "stopped before more runs than `--limit` allows, {}",
                self.limits.runs
            ),
            ExploreStop::Time(_) => {
                let most = self.time.map_or(Duration::ZERO, |(most, _)| most);
                format!(
                    "stopped after {} s, the time that `--seconds` allows",
                    most.as_secs()
                )
            }
            _ => "stopped".to_owned(),
        };
        Ok(self.exploration(found, Some(reason)))
    }

    /// With bounds, as all has that may be mixed with what is left.
    fn bounded_where_left(&self, chances: Arc<Chances>) -> Arc<Chances> {
        match self.left {
            None => chances,
            Some(_) => self.classes.bounded(&chances),
        }
    }

    fn exploration(mut self, chances: Arc<Chances>, stopped: Option<String>) -> Exploration {
        if let Some(fork) = &mut self.fork {
            let goal = |of: &Arc<Chances>| self.classes.goal_between(of, fork.asker);
            fork.goals = fork.chances.iter().map(goal).collect();
            fork.chances = fork.chances.iter().map(plain).collect();
        }
        Exploration {
            chances: plain(&chances),
            fork: self.fork,
            work: self.work,
            stopped,
        }
    }

    /// Returns the chances of the root with these dice.
    fn explore_roll(&mut self, dice: Vec<Pool>) -> Result<Arc<Chances>, ExploreStop> {
        let mut levels = vec![self.level(0, dice)?];
        let mut dice = Vec::new();
        let mut chances = Arc::new(Chances::sure(0));
        loop {
            let depth = levels.len();
            let Some(level) = levels.last_mut() else { break };
            let Some(node) = level.step.nodes.get(level.values.len()) else {
                let Some(done) = levels.pop() else { break };
                self.keep_value(&done);
                let value = done.values.last().cloned();
                chances = value.unwrap_or_else(|| Arc::clone(&chances));
                if let Some(level) = levels.last_mut() {
                    level.take(Arc::clone(&chances), done.seen, &mut self.looks);
                }
                continue;
            };
            let StepNode::Goes(leaf) = node else {
                let value = self.evaluate(level, node);
                level.values.push(value);
                continue;
            };
            dice.clone_from(&level.dice);
            for (number, pool) in &leaf.dice {
                dice[*number as usize] = pool.clone();
            }
            if let Some((value, reads)) = self.value(leaf.ground, &dice) {
                let value = self.bounded_where_left(value);
                level.take(value, reads, &mut self.looks);
                continue;
            }
            let next = match depth > self.limits.depth {
                true => Err(ExploreStop::TooLarge(format!(
                    "after {depth} steps one after the other it is not over"
                ))),
                false => self.level(leaf.ground, dice.clone()),
            };
            match (next, &self.left) {
                (Ok(next), _) => levels.push(next),
                (Err(_), Some(left)) => level.values.push(Arc::clone(&left.chances)),
                (Err(stop), None) => return Err(stop),
            }
        }
        // The root's level was the last to be left, with its value.
        Ok(chances)
    }

    /// A position begins to be looked at.
    fn level(&mut self, ground: u32, dice: Vec<Pool>) -> Result<OpenPosition, ExploreStop> {
        let known = self.grounds[ground as usize].steps.iter().find_map(|reads| {
            let print = self.looks.print(ground, *reads, &dice);
            self.steps.get(&print).cloned()
        });
        let step = match (known, &mut self.left) {
            (Some(step), None) => step,
            (None, None) => self.expand(ground, &dice)?,
            (Some(step), Some(left)) if left.more > 0 => {
                left.more -= 1;
                step
            }
            (_, Some(_)) => return Err(ExploreStop::Asked),
        };
        if self.left.is_none() {
            self.work.positions += 1;
            self.work.runs += step.leaves;
            self.work.choices += step.plain;
            self.course.step();
            self.check(0)?;
        }
        Ok(OpenPosition {
            ground,
            dice,
            seen: step.seen,
            values: Vec::with_capacity(step.nodes.len()),
            step,
        })
    }

    /// Whether to go on, with so many runs more.
    fn check(&self, runs: u64) -> Result<(), ExploreStop> {
        if self.work.runs + runs > self.limits.runs {
            return Err(ExploreStop::Limit(format!(
                "after {} runs of steps, {} positions are known and more wait",
                self.limits.runs, self.work.positions
            )));
        }
        if let Some((most, began)) = self.time
            && self.course.work().since(began) > Some(most)
        {
            return Err(ExploreStop::Time(format!(
                "after {} s and {} runs of steps, {} positions are known and more wait",
                most.as_secs(),
                self.work.runs + runs,
                self.work.positions
            )));
        }
        let stopped = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if stopped || self.course.is_stopped() {
            return Err(ExploreStop::Asked);
        }
        Ok(())
    }

    /// Returns the chances of a position, if known, and the properties of its dice read on the way. After a stop, a
    /// position may be known in part, for all dice with these properties; the rest may have any outcome.
    fn value(&mut self, ground: u32, dice: &[Pool]) -> Option<(Arc<Chances>, DiceReadsId)> {
        let values = &mut self.grounds[ground as usize].values;
        for at in 0..values.len() {
            let reads = values[at];
            if let Some(value) = self.values.get(&self.looks.print(ground, reads, dice)) {
                // What was found last is likely to be found next.
                values.swap(at, 0);
                return Some((Arc::clone(value), reads));
            }
        }
        None
    }

    /// Keeps what comes of a position.
    fn keep_value(&mut self, level: &OpenPosition) {
        let Some(value) = level.values.last() else {
            return;
        };
        let ground = &mut self.grounds[level.ground as usize];
        if !ground.values.contains(&level.seen) {
            ground.values.push(level.seen);
        }
        let print = self.looks.print(level.ground, level.seen, &level.dice);
        self.values.insert(print, Arc::clone(value));
    }

    /// Lays a position on the table.
    fn lay(&mut self, ground: u32, dice: &[Pool]) {
        let ground = &mut self.grounds[ground as usize];
        for (slot, pool) in self.slots.iter().zip(dice) {
            ground.checkpoint.position.world.set_dice_at(*slot, pool.clone());
        }
        if self.limits.merging == Merging::Never {
            let table = self.play.table_mut();
            table.events.truncate(self.mark);
            table.events.extend_from_slice(&ground.record);
        }
        self.recorder.set_written(0);
        self.play.go_to(&ground.checkpoint);
        self.events = self.play.table().events.len();
        self.path.borrow_mut().begin(ground);
    }

    /// Runs a position's step along all its paths.
    fn expand(&mut self, number: u32, dice: &[Pool]) -> Result<Arc<ExploredStep>, ExploreStop> {
        let mut step = ExploredStep {
            nodes: Vec::new(),
            seen: DiceReadsId::default(),
            leaves: 0,
            plain: 0,
        };
        let was = self.grounds[number as usize].checkpoint.position.cursor.clone();
        loop {
            step.leaves += 1;
            if let Err(stop) = self.check(step.leaves) {
                return Err(self.in_a_long_step(stop, step.leaves, number, dice));
            }
            self.course.step();
            self.lay(number, dice);
            let leaf = match self.play.advance() {
                Progress::Stepped => self.leaf(number, &was)?,
                failed => return Err(self.failed(failed, number, dice)),
            };
            if let Some(stop) = self.path.borrow_mut().too_large.take() {
                return Err(stop);
            }
            if self.path.borrow().secret {
                return Err(ExploreStop::Failed(
                    Box::new(problems::secret_choice()),
                    Vec::new(),
                ));
            }
            step.nodes.push(leaf);
            if self.fold(&mut step) {
                break;
            }
        }
        step.plain = std::mem::take(&mut self.path.borrow_mut().plain);
        self.work.proposed |= self.path.borrow().proposed;
        step.seen = self.looks.of(self.recorder.take());
        let step = Arc::new(step);
        let ground = &mut self.grounds[number as usize];
        if !ground.steps.contains(&step.seen) {
            ground.steps.push(step.seen);
        }
        let print = self.looks.print(number, step.seen, dice);
        self.steps.insert(print, Arc::clone(&step));
        Ok(step)
    }

    /// Returns the result of the run: an outcome or a position.
    fn leaf(&mut self, from: u32, was: &Cursor) -> Result<StepNode, ExploreStop> {
        self.after.clone_from(&self.play.table().world);
        let written = self.recorder.written();
        let picked = self.play.table().checkpoint.next.leads_on();
        let before = self.play.table().events.len();
        let over = match self.play.prepare() {
            Progress::Stepped => self.horizon.reached(was, self.play.table(), before, picked),
            Progress::Over => true,
            Progress::Failed(problem) => return Err(ExploreStop::Failed(problem, Vec::new())),
            _ => true,
        };
        let events = self.events;
        let happens = self.chance.map(|text| {
            self.play
                .lines_from(events)
                .iter()
                .any(|line| line.contains(text))
        });
        if over || happens == Some(true) {
            self.recorder.set_written(written);
            // Whether expressions look at dice is seen only where they are read.
            let merging = match self.limits.merging {
                Merging::Alike if !self.slots.is_empty() => Merging::Alike,
                Merging::Alike => Merging::Same,
                other => other,
            };
            let class = self
                .classes
                .of(self.play, &self.after, happens, merging, &self.recorder);
            let class = class.map_err(|problem| ExploreStop::Failed(Box::new(problem), Vec::new()))?;
            return Ok(StepNode::End(class));
        }
        let next = self.grounds.len() as u32;
        let (number, dice) = {
            let table = self.play.table();
            let position = &table.checkpoint;
            if position.is_hidden() {
                // It remembers the dice as they lie now.
                self.recorder.all();
            }
            let number = match self.limits.merging {
                Merging::Never => next,
                _ => *self
                    .numbers
                    .entry(of_position(table, &self.slots, self.newcomers))
                    .or_insert(next),
            };
            let written = self.recorder.written();
            let slots = self.slots.iter().enumerate();
            let slots = slots.filter(|(number, _)| written >> number & 1 == 1);
            let dice = slots.map(|(number, slot)| (number as u8, position.world.dice_at(*slot)));
            (number, dice.collect())
        };
        if number == next {
            let mut checkpoint = self.play.checkpoint();
            let record = match self.limits.merging {
                Merging::Never => self.play.table().events[self.mark..].to_vec(),
                _ => Vec::new(),
            };
            if self.limits.merging != Merging::Never {
                checkpoint.events = self.mark;
            }
            self.grounds.push(StateClass {
                checkpoint,
                record,
                keep: KeptRolls::Answers(0),
                root: false,
                steps: Vec::new(),
                values: Vec::new(),
            });
        }
        debug_assert!(number != from, "a step leads on");
        Ok(StepNode::Goes(Leaf {
            ground: number,
            written: self.recorder.written(),
            dice,
        }))
    }

    /// Goes on to the next path, closing what is done; true when all is.
    fn fold(&mut self, step: &mut ExploredStep) -> bool {
        let mut path = self.path.borrow_mut();
        let mut node = step.nodes.len() as u32 - 1;
        while let Some(number) = path.branches.len().checked_sub(1) {
            let look = path.look(number);
            let branch = &mut path.branches[number];
            branch.go_on(node, look);
            if branch.at < branch.of {
                return false;
            }
            let Some(done) = path.branches.pop() else { break };
            step.nodes.push(match done.kind {
                BranchKind::Roll(throws) => StepNode::Roll(throws, done.done),
                BranchKind::Choice(asker) => StepNode::Choice(asker, done.done),
                BranchKind::Any => StepNode::Any(done.done),
            });
            node = step.nodes.len() as u32 - 1;
        }
        true
    }

    /// Returns the chances of a node; all nodes before it must be known.
    fn evaluate(&mut self, level: &OpenPosition, node: &StepNode) -> Arc<Chances> {
        let values = &level.values;
        let of = |nodes: &[u32]| -> Vec<Arc<Chances>> {
            nodes.iter().map(|n| Arc::clone(&values[*n as usize])).collect()
        };
        let forks = level.ground == 0 && values.len() + 1 == level.step.nodes.len();
        match node {
            StepNode::End(class) => {
                while self.sure.len() <= *class as usize {
                    self.sure.push(Arc::new(Chances::sure(self.sure.len() as u32)));
                }
                self.bounded_where_left(Arc::clone(&self.sure[*class as usize]))
            }
            StepNode::Roll(throws, nodes) => mixed(
                nodes
                    .iter()
                    .zip(&throws.all)
                    .map(|(n, t)| (t.1, &values[*n as usize])),
            ),
            StepNode::Choice(asker, nodes) => {
                self.work.choices += u64::from(self.left.is_none());
                if self.policy == Policy::Best && self.left.is_some() {
                    let all: Vec<Arc<Chances>> = of(nodes);
                    let (chosen, taken) = self.classes.chosen(&all, *asker);
                    if forks {
                        self.keep_fork(all, taken);
                    }
                    return chosen;
                }
                let best = match self.policy {
                    Policy::Best => {
                        let values = nodes.iter().map(|n| &values[*n as usize]);
                        Chances::best(values, |class| self.classes.goal(class, *asker))
                    }
                    _ => 0,
                };
                if forks {
                    self.keep_fork(of(nodes), Some(best));
                }
                Arc::clone(&values[nodes[best] as usize])
            }
            // Where play goes on is looked up where its dice are known.
            StepNode::Any(nodes) => {
                self.work.choices += u64::from(self.left.is_none());
                if forks {
                    self.keep_fork(of(nodes), None);
                }
                mixed(nodes.iter().map(|n| (1, &values[*n as usize])))
            }
            StepNode::Goes(_) => Arc::new(Chances::sure(0)),
        }
    }

    fn keep_fork(&mut self, chances: Vec<Arc<Chances>>, taken: Option<usize>) {
        let fork = self.path.borrow_mut().fork.take().flatten();
        self.fork = fork.map(|(asker, label, keys)| ChoicePoint {
            asker,
            label,
            keys,
            chances,
            goals: Vec::new(),
            taken,
        });
    }

    /// The reason of a stop with the step in which it stopped, if that step alone has very many runs: such a step has many
    /// rolls in a row, whose results are told apart to its end.
    fn in_a_long_step(&mut self, stop: ExploreStop, runs: u64, number: u32, dice: &[Pool]) -> ExploreStop {
        let advise = |why: String, advice: &str| format!("{why}; {advice}");
        let advice = match &stop {
            ExploreStop::Limit(_) | ExploreStop::Time(_) if runs >= LONG_STEP => {
                self.rolls_in_a_row(runs, number, dice)
            }
            _ => None,
        };
        match (stop, advice) {
            (ExploreStop::Limit(why), Some(advice)) => ExploreStop::Limit(advise(why, &advice)),
            (ExploreStop::Time(why), Some(advice)) => ExploreStop::Time(advise(why, &advice)),
            (stop, _) => stop,
        }
    }

    /// Advice for a step that alone has so many runs: its rolls in one run, which is made again, and the place of the first.
    fn rolls_in_a_row(&mut self, runs: u64, number: u32, dice: &[Pool]) -> Option<String> {
        self.path.borrow_mut().log = Some(Vec::new());
        self.lay(number, dice);
        let step = step_name(&self.play.ruleset().rules, self.play.table().checkpoint.step);
        self.play.advance();
        let mut path = self.path.borrow_mut();
        path.log = None;
        let labels = std::mem::take(&mut path.labels);
        drop(path);
        let first = labels.first().filter(|_| labels.len() > 1)?;
        let place = rolls::place_of(self.play.ruleset(), first);
        let place = place.map_or_else(String::new, |place| format!(" ({place})"));
        let most = labels.len().min(MOST_LABELS);
        let mut named = labels[..most]
            .iter()
            .map(|label| format!("`{label}`"))
            .collect::<Vec<_>>()
            .join(", ");
        if most < labels.len() {
            named.push_str(&format!(" and {} more", labels.len() - most));
        }
        Some(format!(
            "the step `{step}` alone has over {} runs, with the rolls {named}{place}: cut it into steps, with the dice in \
             slots, as in \"A duel of dice, and its odds\" of docs/cookbook.md",
            runs.saturating_sub(1)
        ))
    }

    /// Why a run came to no end; the run is made again to tell what led there.
    fn failed(&mut self, progress: Progress, number: u32, dice: &[Pool]) -> ExploreStop {
        if let Some(stop) = self.path.borrow_mut().too_large.take() {
            return stop;
        }
        let problem = match progress {
            Progress::Failed(problem) => problem,
            Progress::Diverged(why) => Box::new(problems::refused_answer(why)),
            _ => Box::new(problems::game_over()),
        };
        self.path.borrow_mut().log = Some(Vec::new());
        self.lay(number, dice);
        self.play.advance();
        let log = self.path.borrow_mut().log.take().unwrap_or_default();
        ExploreStop::Failed(problem, log)
    }
}

/// Without what bounds the goals.
fn plain(chances: &Arc<Chances>) -> Arc<Chances> {
    match chances.bounds {
        None => Arc::clone(chances),
        Some(_) => Arc::new(Chances {
            bounds: None,
            ..Chances::clone(chances)
        }),
    }
}

/// One of these, each as likely as its weight says; nothing is mixed that is all the same.
fn mixed<'a>(of: impl Iterator<Item = (u64, &'a Arc<Chances>)> + Clone) -> Arc<Chances> {
    let mut all = of.clone().map(|(_, chances)| chances);
    if let Some(first) = all.next()
        && all.all(|chances| Arc::ptr_eq(chances, first))
    {
        return Arc::clone(first);
    }
    Arc::new(Chances::mixed(
        of.map(|(weight, chances)| (weight, chances.as_ref())),
    ))
}
