//! Answers and dice in playouts, and the trees with the results of all playouts.

use super::root::SearchRoot;
use super::tree::{HashedMap, ResultSum, TreeNode, mix, place};
use crate::kernel::choice::{Answer, NamedOption, OfferedOption, Request, StepId};
use crate::kernel::dice::{Pool, RollKey, text_hash};
use crate::kernel::ids::{FactionId, MAX_FACTIONS, RecordedThing, WordId};
use crate::kernel::phase::outwards;
use crate::kernel::table::{Answerer, PendingRoll, Question, Reply, who_hash};
use crate::play::Play;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A tree has at most so many nodes; what comes to be below them is drawn.
const NODES: usize = 1 << 19;
/// A node is glanced at when there are at most so many options for each visit to it; a question that is asked below
/// the tree, for each time that it was asked.
const PER_VISIT: f64 = 16.0;
const PER_MEETING: f64 = 4.0;
/// Weight of a glance, in playouts, relative to the results of the same answer elsewhere.
const HEED: f64 = 4.0;
/// And how much both weigh beside what it came to here.
const TRUST: f64 = 4.0;
/// Exploration factor: preference for options that were seldom tried.
const EAGER: f64 = 0.5;
/// This part of the eagerness is for all options alike, however little they promise.
const EVEN: f64 = 0.25;
/// An option that is less promising by so much is tried about a third as eagerly.
const WARMTH: f64 = 0.1;
/// Below the tree the best of so many that are drawn is taken.
const DRAWN: usize = 3;
/// Maximum distance of a value given by `worth` from the middle; wins and losses lie beyond it.
pub const JUDGED: f64 = 0.4;

/// Returns the hash of a question: its step, subject and label.
pub fn question(current_question: &Question<'_>) -> u64 {
    let request = current_question.request;
    let step = request.step;
    let path = step.path.iter().fold(0u64, |path, &n| path << 16 | u64::from(n));
    let phase = u64::from(step.phase) << 40 | u64::from(step.pick) << 20 | u64::from(step.again) << 4;
    let cut = step.interrupts.map_or(0, |cut| {
        mix(
            u64::from(cut.index) + 1,
            who_hash(current_question.hashes, RecordedThing::Unit(cut.after)),
        )
    });
    let about = who_hash(current_question.hashes, step.about);
    let subject = who_hash(
        current_question.hashes,
        current_question.world.who(request.subject),
    );
    let label = u64::from(request.label.0) << 24 | u64::from(request.nth) << 8;
    let step = mix(mix(path, phase), mix(about, cut));
    mix(mix(step, mix(subject, label)), u64::from(request.asker.0))
}

/// Identity of a question: its step, the faction asked, its subject, its label, and the number of earlier questions
/// like it.
pub type SearchQuestion = (StepId, FactionId, RecordedThing, WordId, u16);

/// That of a question that waits.
pub fn asking(request: &Request, subject: RecordedThing) -> SearchQuestion {
    (request.step, request.asker, subject, request.label, request.nth)
}

/// The same, and as a number.
pub type SearchClock = (SearchQuestion, u64);

/// The question that waits.
pub fn now(play: &Play) -> Option<SearchClock> {
    play.with_question(|a| (asking(a.request, a.world.who(a.request.subject)), question(a)))
}

/// An option of the question, while one is taken: how promising it is, how often it was tried here, and what
/// that came to in sum.
#[derive(Debug, Clone, Copy)]
struct ChanceKey {
    promise: f64,
    /// Its part of the eagerness, beside those of the others.
    share: f64,
    tried: ResultSum,
    tip: Option<u32>,
}

/// Action that a question waits for.
#[derive(Debug, Clone, Copy)]
pub enum SearchAction {
    /// A glance at its options, for its node, if it is in a tree, and wherever it is asked.
    Glance(Option<u32>, u32),
    /// The option with the best `hint` of the game; with the question's node, if it is in a tree.
    Hint(Option<u32>),
}

/// Source of answers and dice in a playout, with the results of all playouts.
#[derive(Default)]
pub struct Search {
    /// Whether a phase, by index, lies in a hidden one.
    hidden: Vec<bool>,
    pub nodes: Vec<TreeNode>,
    /// Nodes by faction, what it has seen answered, and the question.
    index: HashedMap<u32>,
    /// Questions wherever they are asked, and where they are.
    pub anywhere: Vec<TreeNode>,
    questions: HashedMap<u32>,
    /// By faction, how far what `worth` says lies around its middle; and how far it did at a glance, squared.
    pub spread: [f64; MAX_FACTIONS],
    pub hoped: [ResultSum; MAX_FACTIONS],
    /// The rolls of the step under way, and how many of them it has come to.
    pub step: Vec<Pool>,
    pub come: usize,
    /// Somebody glances at an option: what the dice are thrown by, and whose questions wait.
    pub glance: Option<(RollKey, Option<FactionId>)>,
    /// Whether dice were thrown for it, and whether anything was answered without waiting.
    pub thrown: bool,
    pub others: bool,
    /// Action needed before the question is answered.
    pub wants: Option<SearchAction>,
    /// Whether the game hints; and what it liked best at the question that waited for that.
    hints: bool,
    pub hinted: Option<usize>,
    /// Room for the options of a question.
    chances: Vec<ChanceKey>,
    /// The playout's key, and how much was drawn from it.
    pub key: RollKey,
    drawn: u64,
    /// Results of the first rolls: those that the asker has seen.
    pub seen: Arc<[Pool]>,
    rolled: usize,
    /// Answers that the asker has given in secret so far, and the question that it is asked now.
    pub mine: Arc<[Answer]>,
    pub root: SearchQuestion,
    pub question: u64,
    pub asker: FactionId,
    /// The question has not come yet: what was played in secret is played again.
    pub before: bool,
    /// The step under way is one of those that the asker does not see.
    pub unseen: bool,
    /// Hash of the answers that each faction has seen before the question, since the first of its step.
    pub begun: [u64; MAX_FACTIONS],
    /// By faction: what it has seen answered, what it will see when it is revealed, and whether it is in its tree.
    pub history: [u64; MAX_FACTIONS],
    secret: [u64; MAX_FACTIONS],
    within: [bool; MAX_FACTIONS],
    /// The playout's answers in the trees, and all of them.
    pub path: Vec<(u8, u32, u32)>,
    pub given: Vec<(u8, u32, u32)>,
}

impl Search {
    /// A tree for the question that waits.
    pub fn new(play: &Play, root: &SearchRoot, (now, question): SearchClock) -> Self {
        let rules = &play.table().rules;
        let hidden = |phase| outwards(&rules.phases, phase).any(|p| rules.phases[p as usize].hidden);
        Self {
            hidden: (0..rules.phases.len()).map(|p| hidden(p as u8)).collect(),
            spread: [1.0; MAX_FACTIONS],
            hints: play.hints_given(),
            key: RollKey::new(0),
            seen: root.seen.clone().into(),
            mine: root.mine.clone().into(),
            root: now,
            question,
            asker: now.1,
            before: true,
            begun: std::array::from_fn(|f| f as u64),
            within: [true; MAX_FACTIONS],
            ..Self::default()
        }
    }

    /// The asker's node of the question, once it was answered in a playout.
    pub fn root(&self) -> Option<u32> {
        let asker = self.asker.index();
        let place = place(self.begun[asker], self.question, asker);
        self.index.get(&place).copied()
    }

    /// Returns the maximum number of ways to go on examined in a glance at a question; no limit at the first question.
    pub fn may_look(&self, node: Option<u32>, known: u32) -> usize {
        let visits = match node {
            Some(node) if self.root() == Some(node) => return usize::MAX,
            Some(node) => self.nodes[node as usize].tried.times * PER_VISIT,
            None => self.anywhere[known as usize].tried.times * PER_MEETING,
        };
        visits as usize
    }

    /// A playout begins.
    pub fn begin(&mut self, key: RollKey) {
        (self.key, self.drawn, self.rolled) = (key, 0, 0);
        (self.before, self.unseen) = (true, false);
        self.history = self.begun;
        self.secret = [0; MAX_FACTIONS];
        self.within = [true; MAX_FACTIONS];
        self.path.clear();
        self.given.clear();
        self.begin_step();
    }

    /// A step begins that was not run before in this playout.
    pub fn begin_step(&mut self) {
        self.step.clear();
        self.come = 0;
    }

    /// Returns the answer that the asker has given before its question; `None` for the question itself.
    ///
    /// # Errors
    ///
    /// It would not have been asked so: what the others have answered in this playout does not fit.
    pub fn as_answered(&self, question: &Question<'_>) -> Result<Option<usize>, String> {
        let now = asking(question.request, question.world.who(question.request.subject));
        if now == self.root {
            return Ok(None);
        }
        let of = |a: &&Answer| (a.step, a.asker, a.subject, a.label, a.nth) == now;
        let answer = self.mine.iter().find(of).ok_or("another question")?;
        let is = |option: OfferedOption| match answer.chosen {
            NamedOption::Many(hash) => text_hash(&question.key(option)) == hash,
            chosen => option.chosen(question.world) == chosen,
        };
        let index = question.request.options.iter().position(is);
        Ok(Some(index.ok_or("other options")?))
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.drawn += 1;
        self.key.with(self.drawn).below(n)
    }

    /// The faction's node of the question, if it is in its tree or comes to be.
    pub fn node(&mut self, faction: usize, question: u64) -> Option<u32> {
        if !self.within[faction] {
            return None;
        }
        let place = place(self.history[faction], question, faction);
        self.within[faction] = self.index.contains_key(&place);
        self.node_at(place)
    }

    /// The node of this place, which may come to be.
    pub fn node_at(&mut self, place: u64) -> Option<u32> {
        if let Some(node) = self.index.get(&place) {
            return Some(*node);
        }
        if self.nodes.len() >= NODES {
            return None;
        }
        self.index.insert(place, self.nodes.len() as u32);
        self.nodes.push(TreeNode::default());
        Some(self.nodes.len() as u32 - 1)
    }

    /// The question wherever it is asked.
    pub fn anywhere(&mut self, question: u64) -> u32 {
        let next = self.anywhere.len() as u32;
        let at = *self.questions.entry(question).or_insert(next);
        if at == next {
            self.anywhere.push(TreeNode::default());
        }
        at
    }

    /// Computes the promise of each option, around 0, from its results elsewhere and from a glance at it.
    pub fn weigh(
        &mut self,
        current_question: &Question<'_>,
        faction: usize,
        node: Option<u32>,
        question: u32,
    ) {
        let known = &self.anywhere[question as usize];
        let node = node.map(|node| &self.nodes[node as usize]);
        let middle = known.tried.sum / known.tried.times.max(1.0);
        let (mut behind, mut behind_here) = (0, 0);
        let ResultSum { times, sum } = self.hoped[faction];
        let usual = (sum / times.max(1.0)).sqrt();
        self.chances.clear();
        for option in current_question.request.options.iter() {
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
            let ResultSum { times, sum } = elsewhere.map_or_else(ResultSum::default, |t| t.tried);
            self.chances.push(ChanceKey {
                promise: (sum - times * middle + HEED * hope) / (times + HEED),
                share: 0.0,
                tried: tip.map_or_else(ResultSum::default, |t| t.tried),
                tip: here.map(|at| at as u32),
            });
        }
    }

    /// The option to look into: what it came to and how promising it is, and how seldom it was tried beside that.
    pub fn select(&mut self, node: u32) -> usize {
        let ResultSum { times, sum } = self.nodes[node as usize].tried;
        let middle = if times > 0.0 { sum / times } else { 0.5 };
        let most = self.chances.iter().map(|c| c.promise).fold(f64::MIN, f64::max);
        let share = |chance: &ChanceKey| {
            // Nearly an exponential, of which machines do not all have the same.
            let less = (most - chance.promise) / WARMTH;
            1.0 / (1.0 + less * (1.0 + less * (0.5 + less / 6.0)))
        };
        for chance in &mut self.chances {
            chance.share = share(chance);
        }
        let all: f64 = self.chances.iter().map(|chance| chance.share).sum();
        let eager = EAGER * (times + 1.0).sqrt();
        let even = EVEN / self.chances.len() as f64;
        let first = self.below(self.chances.len());
        let mut best = (f64::MIN, 0);
        // Of equals one is drawn: the first from a place that is.
        let (front, back) = self.chances.split_at(first);
        for (at, chance) in (first..).zip(back).chain(front.iter().enumerate()) {
            let ResultSum { times, sum } = chance.tried;
            let mean = (sum + TRUST * (middle + chance.promise)) / (times + TRUST);
            let share = even + (1.0 - EVEN) * chance.share / all;
            let score = mean + eager * share / (1.0 + times);
            if score > best.0 {
                best = (score, at);
            }
        }
        best.1
    }

    /// One that is drawn, the better ones more often.
    pub fn draw(&mut self) -> usize {
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

    /// Adds the result of the playout, by faction, and its winner to the trees.
    pub fn learn(&mut self, values: &[f64], winner: Option<FactionId>) {
        let won = |faction: u8| f64::from(winner == Some(FactionId(faction)));
        for &(faction, node, tip) in &self.path {
            self.nodes[node as usize].add(tip, values[faction as usize], won(faction));
        }
        for &(faction, question, tip) in &self.given {
            self.anywhere[question as usize].add(tip, values[faction as usize], won(faction));
        }
    }
}

pub struct Walker(pub Rc<RefCell<Search>>);

impl Answerer for Walker {
    fn answer(&mut self, current_question: &Question<'_>) -> Reply {
        let search = &mut *self.0.borrow_mut();
        let request = current_question.request;
        if let Some((_, asks)) = search.glance {
            if asks == Some(request.asker) {
                return Reply::Wait;
            }
            search.others = true;
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
        let question = question(current_question);
        let mut first = false;
        if search.before && request.asker == search.asker {
            match search.as_answered(current_question) {
                Ok(Some(index)) => return Reply::Take(index),
                Ok(None) => (search.before, first) = (false, true),
                Err(why) => return Reply::Stop(why.into()),
            }
        }
        let options = request.options.len();
        let known = search.anywhere(question);
        let within = search.within[faction];
        let node = search.node(faction, question);
        let fresh =
            |node: &TreeNode, per: f64| !node.glanced && (first || node.tried.times * per >= options as f64);
        let hinted = search.hinted.take();
        let here = node.map(|node| &search.nodes[node as usize]);
        let glances = match here {
            Some(here) => fresh(here, PER_VISIT),
            None => !search.hints && fresh(&search.anywhere[known as usize], PER_MEETING),
        };
        let unknown = here.is_none_or(|here| !here.glanced && here.tried.times == 0.0);
        let wants = match hinted {
            Some(_) => None,
            None if glances => Some(SearchAction::Glance(node, known)),
            None => (search.hints && unknown).then_some(SearchAction::Hint(node)),
        };
        if wants.is_some() {
            // It is asked again when somebody has looked.
            search.within[faction] = within;
            search.wants = wants;
            return Reply::Wait;
        }
        let index = hinted.unwrap_or_else(|| {
            search.weigh(current_question, faction, node, known);
            match node {
                Some(node) => search.select(node),
                None => search.draw(),
            }
        });
        let option = request.options.get(index).map_or(0, |o| o.identity());
        if let Some(node) = node {
            let tip = search.chances.get(index).filter(|_| hinted.is_none());
            let tip = tip.and_then(|chance| chance.tip);
            let tip = tip.unwrap_or_else(|| search.nodes[node as usize].find_or_add(option) as u32);
            search.path.push((faction as u8, node, tip));
        }
        let tip = search.anywhere[known as usize].find_or_add(option) as u32;
        search.given.push((faction as u8, known, tip));
        let answer = mix(question, option);
        for f in 0..current_question.rules.factions.len() {
            match hidden && f != faction {
                true => search.secret[f] = mix(search.secret[f], answer),
                false => search.history[f] = mix(search.history[f], answer),
            }
        }
        Reply::Take(index)
    }

    fn rolls(&mut self, roll: &PendingRoll<'_>) -> Option<Pool> {
        let search = &mut *self.0.borrow_mut();
        search.come += 1;
        if let Some(pool) = search.step.get(search.come - 1) {
            return Some(pool.clone());
        }
        if let Some((key, _)) = search.glance {
            search.thrown = true;
            return Some(Pool::roll(key.with(search.come as u64), roll.dice, roll.sides));
        }
        let known = search.seen.get(search.rolled).filter(|_| !search.unseen).cloned();
        let pool = match known {
            Some(known) => {
                search.rolled += 1;
                known
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
