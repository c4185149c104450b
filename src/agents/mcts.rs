//! The MCTS agent: a tree of what can be answered, grown where many playouts found it good.
//!
//! A playout goes on from the position with dice of the agent's own and everybody answering at once, as far as the
//! agent looks; what it comes to is counted for each answer that was given in it. The tree is open: a node is what
//! one faction has seen answered since the question, whatever the dice showed on the way, so nobody in it knows a
//! die before it is rolled, or what is answered in secret. Each faction has a tree of its own, in which it takes
//! what is best for itself; so there may be any number of them, and what one side answers in a row is one line
//! of its tree. Below the tree the answers are drawn, the better ones more often: what an answer came to in other
//! playouts, whatever was answered before it, is remembered for that.

use super::Decision;
use crate::kernel::choice::{Answer, Chosen, Opt, Request, StepId};
use crate::kernel::dice::{Key, Pool, text_hash};
use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, MAX_FACTIONS, Who, WordId};
use crate::kernel::phase::outwards;
use crate::kernel::schedule::Next;
use crate::kernel::table::{Asked, NoSource, Reply, Rolling, Source, who_hash};
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
    /// To the end of the round (the innermost phase that repeats) for the so-many-th time from now.
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
const GLANCE: usize = 8;
/// How much what an answer came to elsewhere weighs, in playouts.
const ELSEWHERE: f64 = 4.0;
/// How eagerly what was seldom tried is tried.
const EAGER: f64 = 0.35;
/// So many options of a node are tried before it was come to often.
const WIDTH: f64 = 12.0;
/// A tree has at most so many nodes; what comes to be below them is drawn.
const NODES: usize = 1 << 19;
/// Below the tree the best of so many that are drawn is taken.
const DRAWN: usize = 3;
/// What the game's `worth` says lies this far around the middle; wins and losses lie beyond.
const JUDGED: f64 = 0.4;

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

/// An option of a node.
struct Edge {
    option: u64,
    tried: Tried,
}

/// A question as one faction knows it.
#[derive(Default)]
struct Node {
    times: f64,
    edges: Vec<Edge>,
}

/// Who answers and throws dice in a playout, and what all of them have come to.
struct Search {
    /// Whether a phase, by index, lies in a hidden one.
    hidden: Vec<bool>,
    nodes: Vec<Node>,
    /// Nodes by faction, what it has seen answered, and the question.
    index: Map<u32>,
    /// What answers came to wherever they were given.
    elsewhere: Map<Tried>,
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
    given: Vec<(u8, u64)>,
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

    /// The option that the faction's tree says, if the question is in it or comes to be.
    fn in_tree(&mut self, asked: &Asked<'_>, faction: usize, question: u64, about: u64) -> Option<usize> {
        if !self.within[faction] {
            return None;
        }
        let place = mix(mix(self.history[faction], question), faction as u64);
        let node = match self.index.get(&place) {
            Some(node) => *node,
            None if self.nodes.len() < NODES => {
                self.within[faction] = false;
                self.index.insert(place, self.nodes.len() as u32);
                self.nodes.push(Node::default());
                self.nodes.len() as u32 - 1
            }
            None => {
                self.within[faction] = false;
                return None;
            }
        };
        let (option, edge) = self.select(asked, node as usize, about);
        self.path.push((faction as u8, node, edge));
        Some(option)
    }

    /// The option to look into, and its edge: the best by what it came to, or one that was seldom tried.
    fn select(&mut self, asked: &Asked<'_>, node: usize, about: u64) -> (usize, u32) {
        let start = self.below(asked.request.options.len());
        let Self { nodes, elsewhere, .. } = self;
        let node = &mut nodes[node];
        let bonus = EAGER * node.times.sqrt();
        let mut tried = 0.0;
        let mut best: Option<(f64, usize, usize)> = None;
        let mut fresh: Option<(f64, usize, u64)> = None;
        for (at, option) in asked.request.options.iter().enumerate() {
            let number = option.identity();
            let same = |e: &Edge| e.option == number;
            let edge = match node.edges.get(at) {
                Some(edge) if same(edge) => Some(at),
                _ => node.edges.iter().position(same),
            };
            let before = elsewhere.get(&mix(about, number)).copied().unwrap_or_default();
            let prior = (before.sum + 0.5 * ELSEWHERE) / (before.times + ELSEWHERE);
            match edge {
                Some(edge) => {
                    tried += 1.0;
                    let Tried { times, sum } = node.edges[edge].tried;
                    let mean = (sum + ELSEWHERE * prior) / (times + ELSEWHERE);
                    let score = mean + (bonus / (1.0 + times)).sqrt();
                    if best.is_none_or(|(most, ..)| score > most) {
                        best = Some((score, at, edge));
                    }
                }
                None => {
                    // Of equals one is drawn: the first from a place that is.
                    let late = if at < start { 1e-9 } else { 0.0 };
                    let score = prior + bonus.sqrt() - late;
                    if fresh.is_none_or(|(most, ..)| score > most) {
                        fresh = Some((score, at, number));
                    }
                }
            }
        }
        // What is not tried yet waits until the node was come to often enough.
        let room = tried < WIDTH + 2.0 * node.times.sqrt();
        match (best, fresh) {
            (Some((score, at, edge)), fresh) if !room || fresh.is_none_or(|(new, ..)| score >= new) => {
                (at, edge as u32)
            }
            (_, Some((_, at, option))) => {
                node.edges.push(Edge {
                    option,
                    tried: Tried::default(),
                });
                (at, node.edges.len() as u32 - 1)
            }
            (Some((_, at, edge)), None) => (at, edge as u32),
            (None, None) => (0, 0),
        }
    }

    /// One that is drawn, the better ones more often.
    fn draw(&mut self, asked: &Asked<'_>, about: u64) -> usize {
        let options = &asked.request.options;
        let mut best = (f64::MIN, 0);
        for _ in 0..DRAWN {
            let at = self.below(options.len());
            let number = options.get(at).map_or(0, |o| o.identity());
            let tried = self
                .elsewhere
                .get(&mix(about, number))
                .copied()
                .unwrap_or_default();
            let score = (tried.sum + 1.2) / (tried.times + 2.0);
            if score > best.0 {
                best = (score, at);
            }
        }
        best.1
    }

    /// What the playout came to, by faction.
    fn learn(&mut self, values: &[f64]) {
        for &(faction, node, edge) in &self.path {
            let node = &mut self.nodes[node as usize];
            node.times += 1.0;
            if let Some(edge) = node.edges.get_mut(edge as usize) {
                edge.tried.add(values[faction as usize]);
            }
        }
        for &(faction, what) in &self.given {
            self.elsewhere
                .entry(what)
                .or_default()
                .add(values[faction as usize]);
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

impl Source for Walker {
    fn answer(&mut self, asked: &Asked<'_>) -> Reply {
        let search = &mut *self.0.borrow_mut();
        let request = asked.request;
        let faction = request.asker.index();
        let hidden = search.hidden[request.step.phase as usize];
        if !hidden && search.secret != [0; MAX_FACTIONS] {
            for f in 0..MAX_FACTIONS {
                search.history[f] = mix(search.history[f], search.secret[f]);
            }
            search.secret = [0; MAX_FACTIONS];
        }
        let question = question(asked);
        if search.before && request.asker == search.asker {
            match search.as_answered(asked) {
                Ok(Some(index)) => return Reply::Take(index),
                Ok(None) => search.before = false,
                Err(why) => return Reply::Stop(why),
            }
        }
        let index = match search.in_tree(asked, faction, question, question) {
            Some(index) => index,
            None => search.draw(asked, question),
        };
        let option = request.options.get(index).map_or(0, |o| o.identity());
        let answer = mix(question, option);
        search.given.push((faction as u8, answer));
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
        if !search.unseen
            && let Some(seen) = search.seen.get(search.rolled)
        {
            search.rolled += 1;
            return Some(seen.clone());
        }
        search.drawn += 1;
        Some(Pool::roll(search.key.with(search.drawn), roll.dice, roll.sides))
    }
}

/// What a playout came to: what each faction's `worth` says of it, or who won.
enum Came {
    Judged(Vec<f64>),
    Won(Option<FactionId>),
}

/// A look ahead.
struct Look {
    root: Checkpoint,
    search: Rc<RefCell<Search>>,
    reach: Reach,
    /// The phase whose ends are counted, and how often it had begun; `None` where none repeats.
    round: Option<(u8, u16)>,
    factions: usize,
    /// The world after the last step.
    after: World,
    /// By faction, the middle of what `worth` says, and how far it lies around that.
    middle: Vec<f64>,
    spread: Vec<f64>,
}

impl Look {
    /// Plays one playout; `None` when what was answered in it in secret does not fit what the asker knows.
    fn playout(&mut self, play: &mut Play, key: Key) -> Result<Option<Came>, Problems> {
        self.search.borrow_mut().begin(key);
        play.go_to(&self.root);
        for _ in 0..STEPS {
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
                Progress::Asks => return Err(Problem::new("a playout was left without an answer").into()),
            }
            let table = play.table();
            if table.world.decided {
                return Ok(Some(Came::Won(table.world.outcome.and_then(|o| o.winner))));
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

    /// Whether it looks no further than here.
    fn is_far(&self, play: &Play) -> bool {
        let (Reach::Rounds(rounds), Some((phase, begun))) = (self.reach, self.round) else {
            return false;
        };
        let now = play.table().checkpoint.cursor.begun(phase);
        now.is_none_or(|now| now >= begun.saturating_add(rounds) || now < begun)
    }

    /// What it is for each faction, from 0 to 1.
    fn values(&self, came: &Came) -> Vec<f64> {
        let value = |faction: usize| match came {
            Came::Won(None) => 0.5,
            Came::Won(Some(winner)) => f64::from(u8::from(winner.index() == faction)),
            Came::Judged(worth) => {
                let off = (worth[faction] - self.middle[faction]) / self.spread[faction];
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
                    Came::Won(_) => None,
                })
            };
            let count = worths().count().max(1) as f64;
            let middle = worths().sum::<f64>() / count;
            let square = worths().map(|w| (w - middle) * (w - middle)).sum::<f64>() / count;
            self.middle[faction] = middle;
            self.spread[faction] = 0.5 + square.sqrt();
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
        elsewhere: Map::default(),
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
            factions,
            after: play.table().world.clone(),
            middle: vec![0.0; factions],
            spread: vec![1.0; factions],
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
        play.set_source(Box::new(NoSource));
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
                playouts % GLANCE == 0
                    && playouts > 0
                    && began.elapsed() >= Duration::from_millis(most.into())
            }
        };
        if over || playouts > 0 && playouts % GLANCE == 0 && stops() {
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
        decided += usize::from(matches!(came, Came::Won(_)));
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
                search.learn(&values);
            }
            continue;
        }
        let values = look.values(&came);
        look.search.borrow_mut().learn(&values);
    }
}

/// The option that was looked into most, and why.
fn told(asked: &Asked<'_>, search: &Search, asker: FactionId, playouts: usize, decided: usize) -> Decision {
    let question = question(asked);
    let place = mix(mix(asker.index() as u64, question), asker.index() as u64);
    let node = search.index.get(&place).map(|&n| &search.nodes[n as usize]);
    let mut options: Vec<(usize, Tried)> = Vec::new();
    for (at, option) in asked.request.options.iter().enumerate() {
        let number = option.identity();
        let edge = node.and_then(|n| n.edges.iter().find(|e| e.option == number));
        options.push((at, edge.map_or_else(Tried::default, |e| e.tried)));
    }
    // The first of equals stays in front.
    options.sort_by(|a, b| b.1.times.total_cmp(&a.1.times));
    let share = |tried: Tried| (100.0 * tried.sum / tried.times.max(1.0)).round();
    let (index, tried) = options[0];
    let what = match decided == playouts {
        true => "wins",
        false => "comes to",
    };
    let mut why = format!(
        "{what} {} % in {} of {playouts} playouts",
        share(tried),
        tried.times
    );
    if let Some((next, tried)) = options.get(1).filter(|(_, t)| t.times > 0.0) {
        let key = asked
            .request
            .options
            .get(*next)
            .map_or_else(String::new, |o| asked.key(o));
        why += &format!("; next best {key}, {} %", share(*tried));
    }
    if asked.request.options.region().is_some() {
        why += &format!("; of all spots only {} candidates were looked at", options.len());
    }
    Decision::new(index, why)
}
