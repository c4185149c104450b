//! The MCTS agent: a tree of what can be answered, grown where many playouts found it good.
//!
//! A playout goes on from the position with dice of the agent's own and everybody answering at once, as far as the
//! agent looks; what it comes to is counted for each answer that was given in it. The tree is open: a node is what
//! one faction has seen answered since the question, whatever the dice showed on the way, so nobody in it knows a
//! die before it is rolled, or what is answered in secret. Each faction has a tree of its own, in which it takes
//! what is best for itself; so there may be any number of them, and what one side answers in a row is one line
//! of its tree.
//!
//! Which option is tried first, and how eagerly, two things say: what the same answer came to in other playouts,
//! whatever was answered before it; and a glance at what the game's `worth` says of it when its step has ended,
//! which is cast once at a question that is come to again. Below the tree answers are drawn, the promising ones
//! more often.

use super::Decision;
use crate::kernel::choice::{Answer, Chosen, Opt, Request, StepId};
use crate::kernel::dice::{Key, Pool, text_hash};
use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, MAX_FACTIONS, Who, WordId};
use crate::kernel::phase::outwards;
use crate::kernel::schedule::Next;
use crate::kernel::table::{Answerer, Asked, NoAnswerer, Reply, Rolling, who_hash};
use crate::kernel::world::World;
use crate::play::{Checkpoint, Play, Progress};
use crate::report::{Problem, Problems};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How long it thinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// So many playouts: the same answer on every machine.
    Playouts(u32),
    /// So many milliseconds; what it answers depends on the machine, and cannot be reproduced.
    Milliseconds(u32),
}

/// How far a playout goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// To the end of the round (the innermost phase that repeats) for the so-many-th time from where it leaves the
    /// tree.
    Rounds(u16),
    /// To the end of the game (the innermost contest).
    End,
}

/// So many playouts in a row may not fit what the asker knows, before it leaves what it does not see out.
const MISFITS: u64 = 200;
/// A playout has at most so many steps; it is judged where it is then.
const STEPS: usize = 3_000;
/// The first playouts say what is much and what is little of the game's `worth`.
const TRIES: usize = 24;
/// The clock is looked at after so many playouts.
const CLOCK: usize = 8;
/// A tree has at most so many nodes; what comes to be below them is drawn.
const NODES: usize = 1 << 19;
/// Of many options so many are tried for a glance at what comes of them, evenly among them.
const GLANCES: usize = 96;
/// How often an option is tried for a glance that dice have a part in.
const THROWS: u64 = 3;
/// A node is glanced at when there are at most so many options for each visit to it; a question that is asked below
/// the tree, for each time that it was asked.
const PER_VISIT: f64 = 16.0;
const PER_MEETING: f64 = 4.0;
/// How much a glance weighs, in playouts, beside what the same answer came to elsewhere.
const HEED: f64 = 4.0;
/// And how much both weigh beside what it came to here.
const TRUST: f64 = 4.0;
/// How eagerly what was seldom tried is tried.
const EAGER: f64 = 0.5;
/// This part of the eagerness is for all options alike, however little they promise.
const EVEN: f64 = 0.25;
/// An option that is less promising by so much is tried about a third as eagerly.
const WARMTH: f64 = 0.1;
/// Below the tree the best of so many that are drawn is taken.
const DRAWN: usize = 3;
/// What the game's `worth` says lies this far around the middle; wins and losses lie beyond.
const JUDGED: f64 = 0.4;
/// What a glance counts a contest as that is won.
const WON: f64 = 1e9;
/// No more than this without one, whatever is hinted.
const SEEMS_WON: f64 = WON / (2.0 * THROWS as f64);
/// A win that comes late is worth so much less than one at once, and a loss so much more.
const LATE: f64 = 0.08;
/// After so many steps half of that.
const SOON: f64 = 60.0;

/// Keys are hashes already.
#[derive(Default)]
struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.0 = mix(self.0, u64::from(*b)));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

type Map<T> = HashMap<u64, T, BuildHasherDefault<Same>>;

/// One number of two.
#[inline]
fn mix(one: u64, other: u64) -> u64 {
    let mixed = (one.rotate_left(25) ^ other).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

/// How often something was answered, and what it came to in sum.
#[derive(Debug, Clone, Copy, Default)]
struct Tried {
    times: f64,
    sum: f64,
}

impl Tried {
    fn add(&mut self, value: f64) {
        self.times += 1.0;
        self.sum += value;
    }
}

/// An option: what it came to, and what a glance at it promised.
#[derive(Debug, Clone, Copy)]
struct Tip {
    option: u64,
    tried: Tried,
    /// How many of those were won.
    won: f64,
    /// By how much its `worth` lay above the mean of all options, as far as somebody has looked.
    hope: Option<f32>,
}

impl Tip {
    fn new(option: u64) -> Self {
        Self {
            option,
            tried: Tried::default(),
            won: 0.0,
            hope: None,
        }
    }
}

/// A question: as one faction knows it, in a tree, or wherever it is asked.
#[derive(Default)]
struct Node {
    tried: Tried,
    /// The options that were tried or glanced at.
    tips: Vec<Tip>,
    /// Whether they were glanced at.
    glanced: bool,
}

impl Node {
    /// Where an option is among the tips. They stand mostly in the order of the options: one looks behind the last.
    fn find(&self, option: u64, behind: &mut usize) -> Option<usize> {
        let is = |tip: &Tip| tip.option == option;
        let from = (*behind).min(self.tips.len());
        let found = self.tips[from..].iter().position(is).map(|at| from + at);
        let found = found.or_else(|| self.tips[..from].iter().position(is))?;
        *behind = found + 1;
        Some(found)
    }

    fn find_or_add(&mut self, option: u64) -> usize {
        self.find(option, &mut 0).unwrap_or_else(|| {
            self.tips.push(Tip::new(option));
            self.tips.len() - 1
        })
    }

    fn add(&mut self, tip: u32, value: f64, won: f64) {
        self.tried.add(value);
        if let Some(tip) = self.tips.get_mut(tip as usize) {
            tip.tried.add(value);
            tip.won += won;
        }
    }
}

/// An option of the question, while one is taken: how promising it is, how often it was tried here, and what
/// that came to in sum.
#[derive(Debug, Clone, Copy)]
struct Chance {
    promise: f64,
    tried: Tried,
    tip: Option<u32>,
}

/// Who answers and throws dice in a playout, and what all of them have come to.
struct Search {
    /// Whether a phase, by index, lies in a hidden one.
    hidden: Vec<bool>,
    nodes: Vec<Node>,
    /// Nodes by faction, what it has seen answered, and the question.
    index: Map<u32>,
    /// Questions wherever they are asked, and where they are.
    anywhere: Vec<Node>,
    questions: Map<u32>,
    /// By faction, how far what `worth` says lies around its middle; and how far it did at a glance, squared.
    spread: [f64; MAX_FACTIONS],
    hoped: [Tried; MAX_FACTIONS],
    /// The rolls of the step under way, and how many of them it has come to.
    step: Vec<Pool>,
    come: usize,
    /// Somebody glances at an option; under this key, and whether dice were thrown.
    glance: Option<Key>,
    thrown: bool,
    /// The node, if it is in a tree, and the question to glance at before it is answered.
    wants: Option<(Option<u32>, u32)>,
    /// Room for the options of a question.
    chances: Vec<Chance>,
    /// The playout's key, and how much was drawn from it.
    key: Key,
    drawn: u64,
    /// What the first rolls show: those that the asker has seen.
    seen: Rc<[Pool]>,
    rolled: usize,
    /// What the asker has answered in secret so far, and what it is asked now.
    mine: Rc<[Answer]>,
    root: Asking,
    asker: FactionId,
    /// The question has not come yet: what was played in secret is played again.
    before: bool,
    /// The step under way is one of those that the asker does not see.
    unseen: bool,
    /// By faction: what it has seen answered, what it will see when it is revealed, and whether it is in its tree.
    history: [u64; MAX_FACTIONS],
    secret: [u64; MAX_FACTIONS],
    within: [bool; MAX_FACTIONS],
    /// The playout's answers in the trees, and all of them.
    path: Vec<(u8, u32, u32)>,
    given: Vec<(u8, u32, u32)>,
}

impl Search {
    fn begin(&mut self, key: Key) {
        (self.key, self.drawn, self.rolled) = (key, 0, 0);
        (self.before, self.unseen) = (true, false);
        self.history = std::array::from_fn(|f| f as u64);
        self.secret = [0; MAX_FACTIONS];
        self.within = [true; MAX_FACTIONS];
        self.path.clear();
        self.given.clear();
        self.begin_step();
    }

    /// A step begins that was not run before in this playout.
    fn begin_step(&mut self) {
        self.step.clear();
        self.come = 0;
    }

    /// What the asker has answered before its question; `None` for the question itself.
    ///
    /// # Errors
    ///
    /// It would not have been asked so: what the others have answered in this playout does not fit.
    fn as_answered(&self, asked: &Asked<'_>) -> Result<Option<usize>, String> {
        let now = asking(asked.request, asked.world.who(asked.request.subject));
        if now == self.root {
            return Ok(None);
        }
        let of = |a: &&Answer| (a.step, a.asker, a.subject, a.label, a.nth) == now;
        let answer = self.mine.iter().find(of).ok_or("another question")?;
        let is = |option: Opt| match answer.chosen {
            Chosen::Many(hash) => text_hash(&asked.key(option)) == hash,
            chosen => option.chosen(asked.world) == chosen,
        };
        let index = asked.request.options.iter().position(is);
        Ok(Some(index.ok_or("other options")?))
    }

    fn below(&mut self, n: usize) -> usize {
        self.drawn += 1;
        self.key.with(self.drawn).below(n)
    }

    /// The faction's node of the question, if it is in its tree or comes to be.
    fn node(&mut self, faction: usize, question: u64) -> Option<u32> {
        if !self.within[faction] {
            return None;
        }
        let place = mix(mix(self.history[faction], question), faction as u64);
        if let Some(node) = self.index.get(&place) {
            return Some(*node);
        }
        self.within[faction] = false;
        if self.nodes.len() >= NODES {
            return None;
        }
        self.index.insert(place, self.nodes.len() as u32);
        self.nodes.push(Node::default());
        Some(self.nodes.len() as u32 - 1)
    }

    /// The question wherever it is asked.
    fn anywhere(&mut self, question: u64) -> u32 {
        let next = self.anywhere.len() as u32;
        let at = *self.questions.entry(question).or_insert(next);
        if at == next {
            self.anywhere.push(Node::default());
        }
        at
    }

    /// How promising each option is, from what it came to elsewhere and from a glance at it: around 0.
    fn weigh(&mut self, asked: &Asked<'_>, faction: usize, node: Option<u32>, question: u32) {
        let known = &self.anywhere[question as usize];
        let node = node.map(|node| &self.nodes[node as usize]);
        let middle = known.tried.sum / known.tried.times.max(1.0);
        let (mut behind, mut behind_here) = (0, 0);
        let Tried { times, sum } = self.hoped[faction];
        let usual = (sum / times.max(1.0)).sqrt();
        self.chances.clear();
        for option in asked.request.options.iter() {
            let option = option.identity();
            let elsewhere = known.find(option, &mut behind).map(|at| &known.tips[at]);
            let here = node.and_then(|node| node.find(option, &mut behind_here));
            let tip = here.and_then(|at| node.map(|node| &node.tips[at]));
            let hope = tip
                .and_then(|t| t.hope)
                .or_else(|| elsewhere.and_then(|t| t.hope));
            let hope = hope.map_or(0.0, |hope| {
                let off = f64::from(hope) / self.spread[faction].max(usual);
                JUDGED * off / (1.0 + off.abs())
            });
            let Tried { times, sum } = elsewhere.map_or_else(Tried::default, |t| t.tried);
            self.chances.push(Chance {
                promise: (sum - times * middle + HEED * hope) / (times + HEED),
                tried: tip.map_or_else(Tried::default, |t| t.tried),
                tip: here.map(|at| at as u32),
            });
        }
    }

    /// The option to look into: what it came to and how promising it is, and how seldom it was tried beside that.
    fn select(&mut self, node: u32) -> usize {
        let Tried { times, sum } = self.nodes[node as usize].tried;
        let middle = if times > 0.0 { sum / times } else { 0.5 };
        let most = self.chances.iter().map(|c| c.promise).fold(f64::MIN, f64::max);
        let share = |chance: &Chance| {
            // Nearly an exponential, of which machines do not all have the same.
            let less = (most - chance.promise) / WARMTH;
            1.0 / (1.0 + less * (1.0 + less * (0.5 + less / 6.0)))
        };
        let all: f64 = self.chances.iter().map(share).sum();
        let eager = EAGER * (times + 1.0).sqrt();
        let even = EVEN / self.chances.len() as f64;
        let first = self.below(self.chances.len());
        let mut best = (f64::MIN, 0);
        // Of equals one is drawn: the first from a place that is.
        let (front, back) = self.chances.split_at(first);
        for (at, chance) in (first..).zip(back).chain(front.iter().enumerate()) {
            let Tried { times, sum } = chance.tried;
            let mean = (sum + TRUST * (middle + chance.promise)) / (times + TRUST);
            let share = even + (1.0 - EVEN) * share(chance) / all;
            let score = mean + eager * share / (1.0 + times);
            if score > best.0 {
                best = (score, at);
            }
        }
        best.1
    }

    /// One that is drawn, the better ones more often.
    fn draw(&mut self) -> usize {
        let count = self.chances.len();
        let mut best = (f64::MIN, 0);
        for _ in 0..DRAWN {
            let at = self.below(count);
            let score = self.chances[at].promise;
            if score > best.0 {
                best = (score, at);
            }
        }
        best.1
    }

    /// What the playout came to, by faction, and who won it.
    fn learn(&mut self, values: &[f64], winner: Option<FactionId>) {
        let won = |faction: u8| f64::from(u8::from(winner == Some(FactionId(faction))));
        for &(faction, node, tip) in &self.path {
            self.nodes[node as usize].add(tip, values[faction as usize], won(faction));
        }
        for &(faction, question, tip) in &self.given {
            self.anywhere[question as usize].add(tip, values[faction as usize], won(faction));
        }
    }
}

/// What is asked, as a number: the step, about whom, what.
fn question(asked: &Asked<'_>) -> u64 {
    let request = asked.request;
    let step = request.step;
    let path = step.path.iter().fold(0u64, |path, &n| path << 16 | u64::from(n));
    let phase = u64::from(step.phase) << 40 | u64::from(step.pick) << 20 | u64::from(step.again) << 4;
    let cut = step.interrupts.map_or(0, |cut| {
        mix(
            u64::from(cut.index) + 1,
            who_hash(asked.hashes, Who::Unit(cut.after)),
        )
    });
    let about = who_hash(asked.hashes, step.about);
    let subject = who_hash(asked.hashes, asked.world.who(request.subject));
    let label = u64::from(request.label.0) << 24 | u64::from(request.nth) << 8 | u64::from(step.rejoins);
    let step = mix(mix(path, phase), mix(about, cut));
    mix(mix(step, mix(subject, label)), u64::from(request.asker.0))
}

/// Which question it is: the step, who is asked, about whom, what for, and how often before.
type Asking = (StepId, FactionId, Who, WordId, u16);

fn asking(request: &Request, subject: Who) -> Asking {
    (request.step, request.asker, subject, request.label, request.nth)
}

struct Walker(Rc<RefCell<Search>>);

impl Answerer for Walker {
    fn answer(&mut self, asked: &Asked<'_>) -> Reply {
        let search = &mut *self.0.borrow_mut();
        let request = asked.request;
        if search.glance.is_some() {
            return Reply::Take(0);
        }
        let faction = request.asker.index();
        let hidden = search.hidden[request.step.phase as usize];
        if !hidden && search.secret != [0; MAX_FACTIONS] {
            for f in 0..MAX_FACTIONS {
                search.history[f] = mix(search.history[f], search.secret[f]);
            }
            search.secret = [0; MAX_FACTIONS];
        }
        let question = question(asked);
        let mut first = false;
        if search.before && request.asker == search.asker {
            match search.as_answered(asked) {
                Ok(Some(index)) => return Reply::Take(index),
                Ok(None) => (search.before, first) = (false, true),
                Err(why) => return Reply::Stop(why),
            }
        }
        let options = request.options.len();
        let known = search.anywhere(question);
        let within = search.within[faction];
        let node = search.node(faction, question);
        let fresh =
            |node: &Node, per: f64| !node.glanced && (first || node.tried.times * per >= options as f64);
        let wants = match node {
            Some(node) => fresh(&search.nodes[node as usize], PER_VISIT),
            None => fresh(&search.anywhere[known as usize], PER_MEETING),
        };
        if wants {
            // It is asked again when somebody has looked.
            search.within[faction] = within;
            search.wants = Some((node, known));
            return Reply::Wait;
        }
        search.weigh(asked, faction, node, known);
        let index = match node {
            Some(node) => search.select(node),
            None => search.draw(),
        };
        let option = request.options.get(index).map_or(0, |o| o.identity());
        if let Some(node) = node {
            let tip = search.chances[index].tip;
            let tip = tip.unwrap_or_else(|| search.nodes[node as usize].find_or_add(option) as u32);
            search.path.push((faction as u8, node, tip));
        }
        let tip = search.anywhere[known as usize].find_or_add(option) as u32;
        search.given.push((faction as u8, known, tip));
        let answer = mix(question, option);
        for f in 0..asked.rules.factions.len() {
            match hidden && f != faction {
                true => search.secret[f] = mix(search.secret[f], answer),
                false => search.history[f] = mix(search.history[f], answer),
            }
        }
        Reply::Take(index)
    }

    fn rolls(&mut self, roll: &Rolling<'_>) -> Option<Pool> {
        let search = &mut *self.0.borrow_mut();
        search.come += 1;
        if let Some(pool) = search.step.get(search.come - 1) {
            return Some(pool.clone());
        }
        if let Some(key) = search.glance {
            search.thrown = true;
            return Some(Pool::roll(key.with(search.come as u64), roll.dice, roll.sides));
        }
        let seen = search.seen.get(search.rolled).filter(|_| !search.unseen).cloned();
        let pool = match seen {
            Some(seen) => {
                search.rolled += 1;
                seen
            }
            None => {
                search.drawn += 1;
                Pool::roll(search.key.with(search.drawn), roll.dice, roll.sides)
            }
        };
        search.step.push(pool.clone());
        Some(pool)
    }
}

/// What a playout came to: what each faction's `worth` says of it, or who won.
enum Came {
    Judged(Vec<f64>),
    /// After so many steps.
    Won(Option<FactionId>, usize),
}

impl Came {
    fn winner(&self) -> Option<FactionId> {
        match self {
            Came::Won(winner, _) => *winner,
            Came::Judged(_) => None,
        }
    }
}

/// A look ahead.
struct Look {
    root: Checkpoint,
    search: Rc<RefCell<Search>>,
    reach: Reach,
    /// The phase whose ends are counted, and how often it had begun; `None` where none repeats.
    round: Option<(u8, u16)>,
    /// How often it has begun in this playout, how often it had when the last answer was given in a tree, and how many
    /// of those there were by then.
    begun: u16,
    left: u16,
    given: usize,
    factions: usize,
    /// The world after the last step.
    after: World,
    /// By faction, the middle of what `worth` says.
    middle: Vec<f64>,
}

impl Look {
    /// Plays one playout; `None` when what was answered in it in secret does not fit what the asker knows.
    fn playout(&mut self, play: &mut Play, key: Key) -> Result<Option<Came>, Problems> {
        self.search.borrow_mut().begin(key);
        let (_, begun) = self.round.unwrap_or_default();
        (self.begun, self.left, self.given) = (begun, begun, 0);
        play.go_to(&self.root);
        let mut steps = 0;
        while steps < STEPS {
            if self.search.borrow().before && play.prepare() == Progress::Stepped {
                let owner = owner(play);
                let mut search = self.search.borrow_mut();
                search.unseen = owner.is_some_and(|owner| owner != search.asker);
            }
            match play.advance() {
                Progress::Stepped => {}
                Progress::Over => break,
                Progress::Failed(problem) => return Err((*problem).into()),
                Progress::Diverged(_) => return Ok(None),
                Progress::Asks => {
                    self.glance(play)?;
                    continue;
                }
            }
            steps += 1;
            self.search.borrow_mut().begin_step();
            let table = play.table();
            if table.world.decided {
                let winner = table.world.outcome.and_then(|o| o.winner);
                return Ok(Some(Came::Won(winner, steps)));
            }
            // What begins after a round may clear away what it came to.
            self.after.clone_from(&table.world);
            drop(table);
            match play.prepare() {
                Progress::Stepped if self.is_far(play) => break,
                Progress::Stepped => {}
                Progress::Failed(problem) => return Err((*problem).into()),
                _ => break,
            }
        }
        let mut judged = Vec::with_capacity(self.factions);
        for faction in 0..self.factions {
            let worth = play.worth(FactionId(faction as u8), self.after.clone())?;
            judged.push(worth as f64);
        }
        Ok(Some(Came::Judged(judged)))
    }

    /// Looks what each option of the question comes to at the end of its step, and lays the step down again as it
    /// was when it asked.
    fn glance(&self, play: &mut Play) -> Result<(), Problems> {
        let wants = self.search.borrow_mut().wants.take();
        let Some((node, question)) = wants else {
            return Err(Problem::new("a playout was left without an answer").into());
        };
        let (asker, options) = {
            let table = play.table();
            let all = table.request.options.len();
            let some = all.min(GLANCES);
            let option = |nth: usize| {
                let at = nth * all / some;
                let option = table.request.options.get(at)?.identity();
                Some((at, option, table.answer_of(at, false)?))
            };
            let options: Vec<(usize, u64, Answer)> = (0..some).filter_map(option).collect();
            (table.request.asker, options)
        };
        let looked: Vec<usize> = options.iter().map(|option| option.0).collect();
        let mut hints = play.hints(&looked)?.into_iter();
        let mut here = play.checkpoint();
        let key = self.search.borrow().key.with(u64::MAX - u64::from(question));
        let mut worths = Vec::with_capacity(options.len());
        for (_, option, answer) in options {
            let hint = hints.next().unwrap_or_default() as f64;
            here.position.answers.push(answer);
            let worth = self.at_a_glance(play, &here, asker, key);
            here.position.answers.pop();
            if let Some(worth) = worth? {
                worths.push((option, worth + hint));
            }
        }
        play.go_to(&here);
        let mut search = self.search.borrow_mut();
        search.come = 0;
        search.glance = None;
        // What some of the throws decide is no measure of the rest.
        let judged = || worths.iter().map(|w| w.1).filter(|w| w.abs() < SEEMS_WON);
        let middle = judged().sum::<f64>() / judged().count().max(1) as f64;
        let search = &mut *search;
        for worth in judged() {
            search.hoped[asker.index()].add((worth - middle) * (worth - middle));
        }
        let nodes = node.map(|node| &mut search.nodes[node as usize]);
        for node in nodes
            .into_iter()
            .chain(Some(&mut search.anywhere[question as usize]))
        {
            node.glanced = true;
            for (option, worth) in &worths {
                let tip = node.find_or_add(*option);
                node.tips[tip].hope = Some((worth - middle) as f32);
            }
        }
        Ok(())
    }

    /// What a position comes to for a faction at the end of its step, over a few throws of the dice; `None` where
    /// the rules do not go on from it.
    fn at_a_glance(
        &self,
        play: &mut Play,
        from: &Checkpoint,
        faction: FactionId,
        key: Key,
    ) -> Result<Option<f64>, Problems> {
        let mut sum = 0.0;
        for throw in 0..THROWS {
            {
                let mut search = self.search.borrow_mut();
                (search.come, search.thrown) = (0, false);
                search.glance = Some(key.with(throw));
            }
            play.go_to(from);
            match play.advance() {
                Progress::Stepped => {}
                Progress::Failed(problem) => return Err((*problem).into()),
                _ => return Ok(None),
            }
            let world = play.preview(faction);
            sum += match world.outcome.filter(|_| world.decided).map(|o| o.winner) {
                Some(Some(winner)) if winner == faction => WON,
                Some(Some(_)) => -WON,
                Some(None) => 0.0,
                None => play.worth(faction, world)? as f64,
            };
            if !self.search.borrow().thrown {
                return Ok(Some(sum));
            }
        }
        Ok(Some(sum / THROWS as f64))
    }

    /// Whether it looks no further than here: the deeper the tree, the further it looks.
    fn is_far(&mut self, play: &Play) -> bool {
        let (Reach::Rounds(rounds), Some((phase, first))) = (self.reach, self.round) else {
            return false;
        };
        let given = self.search.borrow().path.len();
        if given > self.given {
            (self.given, self.left) = (given, self.begun);
        }
        let Some(now) = play.table().checkpoint.cursor.begun(phase) else {
            return true;
        };
        self.begun = now;
        now >= self.left.saturating_add(rounds) || now < first
    }

    /// What it is for each faction, from 0 to 1.
    fn values(&self, came: &Came) -> Vec<f64> {
        let value = |faction: usize| match came {
            Came::Won(None, _) => 0.5,
            Came::Won(Some(winner), steps) => {
                let late = LATE * *steps as f64 / (*steps as f64 + SOON);
                if winner.index() == faction {
                    1.0 - late
                } else {
                    late
                }
            }
            Came::Judged(worth) => {
                let off = (worth[faction] - self.middle[faction]) / self.search.borrow().spread[faction];
                0.5 + JUDGED * off / (1.0 + off.abs())
            }
        };
        (0..self.factions).map(value).collect()
    }

    /// What is much and what is little, from the first playouts.
    fn measure(&mut self, tries: &[Came]) {
        for faction in 0..self.factions {
            let worths = || {
                tries.iter().filter_map(|came| match came {
                    Came::Judged(worth) => Some(worth[faction]),
                    Came::Won(..) => None,
                })
            };
            let count = worths().count().max(1) as f64;
            let middle = worths().sum::<f64>() / count;
            let square = worths().map(|w| (w - middle) * (w - middle)).sum::<f64>() / count;
            self.middle[faction] = middle;
            self.search.borrow_mut().spread[faction] = 0.5 + square.sqrt();
        }
    }
}

/// Whose step it is that comes next, if it is one faction's.
fn owner(play: &Play) -> Option<FactionId> {
    let table = play.table();
    match table.checkpoint.next {
        Next::Pick { faction, .. } => Some(faction),
        _ => table.checkpoint.step.about.faction(),
    }
}

/// Where playouts begin.
#[derive(Clone)]
struct Root {
    checkpoint: Checkpoint,
    seen: Vec<Pool>,
    mine: Vec<Answer>,
    sampled: bool,
}

impl Root {
    /// The position as the asker sees it.
    fn as_seen(play: &Play, asker: FactionId) -> Self {
        let mut here = play.checkpoint();
        if here.position.hidden_start.is_some() {
            let own = |g: &crate::kernel::effect::Gathered| g.faction == asker;
            here.position.gathered.retain(own);
            here.position.world = play.view(asker);
        }
        Self {
            checkpoint: here,
            seen: play.rolls_seen(),
            mine: Vec::new(),
            sampled: false,
        }
    }

    /// Where the hidden phase began, with what the asker has seen and answered since; what others did in it is
    /// played anew. `None` where nothing is secret.
    fn in_secret(play: &Play, asker: FactionId) -> Option<Self> {
        let from = play.hidden_from()?;
        let here = play.checkpoint();
        let record = play.record(Some(asker));
        let table = play.table();
        let start = here.position.hidden_start.as_ref()?;
        let mut position = here.position.clone();
        position.world.clone_from(start);
        position.cursor = here
            .position
            .cursor
            .at_hidden_start(&table.rules, &mut position.world)?;
        position.next = Next::Over;
        position.gathered.clear();
        position.answers.clear();
        let known = || record.iter().filter(|(index, _)| *index > from).map(|(_, e)| e);
        let seen = known().filter_map(|e| match e {
            Event::Rolled { dice, .. } => Some(dice.clone()),
            Event::Threw { record, .. } => Some(record.hand.clone()),
            _ => None,
        });
        let mine = known().filter_map(|e| match e {
            Event::Chose(answer) if answer.asker == asker && !answer.only => Some(*answer),
            _ => None,
        });
        Some(Self {
            seen: seen.collect(),
            mine: mine.collect(),
            checkpoint: Checkpoint {
                position,
                events: from + 1,
            },
            sampled: true,
        })
    }
}

/// What it answers to the question that waits. `stops` is asked now and then whether to stop.
///
/// # Errors
///
/// Rules, or the game's `worth`, fail.
pub fn choose(
    play: &mut Play,
    budget: Budget,
    reach: Option<Reach>,
    stops: &dyn Fn() -> bool,
) -> Result<Decision, Problems> {
    let now = play.asked(|a| asking(a.request, a.world.who(a.request.subject)));
    let Some(now) = now else {
        return Ok(Decision::new(0, "nothing is asked".to_owned()));
    };
    let asker = now.1;
    let seen = Root::as_seen(play, asker);
    let root = Root::in_secret(play, asker).unwrap_or_else(|| seen.clone());
    let (hidden, factions, round, seed) = {
        let table = play.table();
        let rules = &table.rules;
        let hidden = |phase| outwards(&rules.phases, phase).any(|p| rules.phases[p as usize].hidden);
        let hidden: Vec<bool> = (0..rules.phases.len()).map(|p| hidden(p as u8)).collect();
        let cursor = &table.checkpoint.cursor;
        let round = cursor.innermost(|p| rules.phases[p as usize].repeat);
        let round = round.and_then(|phase| cursor.begun(phase).map(|times| (phase, times)));
        (hidden, rules.factions.len(), round, table.checkpoint.seed)
    };
    let reach = reach.unwrap_or(Reach::Rounds(2));
    let search = Rc::new(RefCell::new(Search {
        hidden,
        nodes: Vec::new(),
        index: Map::default(),
        anywhere: Vec::new(),
        questions: Map::default(),
        spread: [1.0; MAX_FACTIONS],
        hoped: [Tried::default(); MAX_FACTIONS],
        step: Vec::new(),
        come: 0,
        glance: None,
        thrown: false,
        wants: None,
        chances: Vec::new(),
        key: Key::new(0),
        drawn: 0,
        seen: root.seen.clone().into(),
        rolled: 0,
        mine: root.mine.clone().into(),
        root: now,
        asker,
        before: true,
        unseen: false,
        history: [0; MAX_FACTIONS],
        secret: [0; MAX_FACTIONS],
        within: [true; MAX_FACTIONS],
        path: Vec::new(),
        given: Vec::new(),
    }));
    let (playouts, decided) = play.suppose(|play| {
        // Going back to where secrets began forgets what is on record since.
        let record = play.events();
        let mut look = Look {
            root: root.checkpoint.clone(),
            search: Rc::clone(&search),
            reach,
            round,
            begun: 0,
            left: 0,
            given: 0,
            factions,
            after: play.table().world.clone(),
            middle: vec![0.0; factions],
        };
        play.set_source(Box::new(Walker(Rc::clone(&search))));
        let mut done = think(play, &mut look, seed, budget, stops);
        if root.sampled && matches!(done, Ok((0, _))) {
            // Whatever the others have answered, the asker would not have been asked so.
            look.root = seen.checkpoint;
            let mut search = search.borrow_mut();
            (search.seen, search.mine) = (seen.seen.into(), Rc::new([]));
            drop(search);
            done = think(play, &mut look, seed, budget, stops);
        }
        play.set_source(Box::new(NoAnswerer));
        play.host.table.borrow_mut().events = record;
        done
    })?;
    let search = search.borrow();
    Ok(play
        .asked(|asked| told(asked, &search, asker, playouts, decided))
        .unwrap_or_else(|| Decision::new(0, String::new())))
}

/// Plays as many playouts as it may; how many there were, and how many of them came to an end of the game.
fn think(
    play: &mut Play,
    look: &mut Look,
    seed: u64,
    budget: Budget,
    stops: &dyn Fn() -> bool,
) -> Result<(usize, usize), Problems> {
    let began = Instant::now();
    const NAME: u64 = text_hash("mcts agent");
    let key = Key::new(seed ^ NAME).with(u64::from(look.root.position.ordinal));
    let key = key.with(look.root.position.answers.len() as u64);
    let (mut playouts, mut decided, mut misfits) = (0, 0, 0);
    let mut tries = Vec::new();
    loop {
        let over = match budget {
            Budget::Playouts(most) => playouts + (misfits / 8) as usize >= most.max(1) as usize,
            Budget::Milliseconds(most) => {
                playouts % CLOCK == 0 && playouts > 0 && began.elapsed() >= Duration::from_millis(most.into())
            }
        };
        if over || playouts > 0 && playouts % CLOCK == 0 && stops() {
            return Ok((playouts, decided));
        }
        let came = look.playout(play, key.with(playouts as u64).with(misfits))?;
        let Some(came) = came else {
            misfits += 1;
            if playouts == 0 && misfits >= MISFITS {
                return Ok((0, 0));
            }
            continue;
        };
        playouts += 1;
        decided += usize::from(matches!(came, Came::Won(..)));
        if playouts < TRIES {
            // The first are judged when there are enough of them to judge by.
            tries.push((
                came,
                look.search.borrow().path.clone(),
                look.search.borrow().given.clone(),
            ));
            let enough = matches!(budget, Budget::Playouts(most) if playouts >= most as usize);
            if !enough && playouts + 1 < TRIES {
                continue;
            }
            let (all, paths): (Vec<Came>, Vec<_>) = std::mem::take(&mut tries)
                .into_iter()
                .map(|(came, path, given)| (came, (path, given)))
                .unzip();
            look.measure(&all);
            for (came, (path, given)) in all.iter().zip(paths) {
                let values = look.values(came);
                let mut search = look.search.borrow_mut();
                (search.path, search.given) = (path, given);
                search.learn(&values, came.winner());
            }
            continue;
        }
        let values = look.values(&came);
        look.search.borrow_mut().learn(&values, came.winner());
    }
}

/// The option that was looked into most, and why.
fn told(asked: &Asked<'_>, search: &Search, asker: FactionId, playouts: usize, decided: usize) -> Decision {
    let question = question(asked);
    let place = mix(mix(asker.index() as u64, question), asker.index() as u64);
    let node = search.index.get(&place).map(|&n| &search.nodes[n as usize]);
    let mut options: Vec<(usize, Tip)> = Vec::new();
    for (at, option) in asked.request.options.iter().enumerate() {
        let option = option.identity();
        let tip = node.and_then(|n| n.tips.iter().find(|t| t.option == option));
        options.push((at, tip.copied().unwrap_or(Tip::new(option))));
    }
    // The first of equals stays in front.
    options.sort_by(|a, b| b.1.tried.times.total_cmp(&a.1.tried.times));
    // Where all playouts were played to the end, it tells how many were won: what it counts says how soon, too.
    let ended = decided == playouts;
    let share = |tip: &Tip| {
        let sum = if ended { tip.won } else { tip.tried.sum };
        (100.0 * sum / tip.tried.times.max(1.0)).round()
    };
    let (index, tip) = &options[0];
    let what = if ended { "wins" } else { "comes to" };
    let mut why = format!(
        "{what} {} % in {} of {playouts} playouts",
        share(tip),
        tip.tried.times
    );
    if let Some((next, tip)) = options.get(1).filter(|(_, t)| t.tried.times > 0.0) {
        let key = asked
            .request
            .options
            .get(*next)
            .map_or_else(String::new, |o| asked.key(o));
        why += &format!("; next best {key}, {} %", share(tip));
    }
    if asked.request.options.is_open() {
        why += &format!(
            "; of all that can be said only {} candidates were looked at",
            options.len()
        );
    }
    Decision::new(*index, why)
}
