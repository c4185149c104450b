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
//! whatever was answered before it; and a glance at what the game's `worth` says of the best that can follow when its
//! step has ended, which is cast once at a question that is come to again. Below the tree answers are drawn, the
//! promising ones more often.
//!
//! What a step asks one side in a row, with nothing rolled in between, is one plan, and has one tree.

mod glance;
mod root;
mod search;
mod tree;

use super::Decision;
use super::problems::unanswered_playout;
use super::worlds::{self, PossibleWorld};
use crate::kernel::choice::OfferedOption;
use crate::kernel::dice::{RollKey, text_hash};
use crate::kernel::ids::FactionId;
use crate::kernel::rules::Rules;
use crate::kernel::schedule::NextStep;
use crate::kernel::table::{NoAnswerer, Question};
use crate::kernel::world::World;
use crate::play::{Checkpoint, Play, Progress};
use crate::report::Problems;
use root::SearchRoot;
use search::{JUDGED, Search, SearchAction, SearchClock, Walker, now};
pub use search::{SearchQuestion, asking};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tree::{OptionStats, mix};

/// Limit on the thinking time of the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// Number of playouts: the same answer on every machine.
    Playouts(u32),
    /// Time in milliseconds; the answer depends on the machine and cannot be reproduced.
    Milliseconds(u32),
}

/// End of a playout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayoutDepth {
    /// To the end of the round (the innermost phase that repeats) for the so-many-th time from where it leaves the
    /// tree.
    Rounds(u16),
    /// To the end of the game (the innermost contest).
    End,
}

/// Budget and reach of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Effort {
    budget: Budget,
    reach: PlayoutDepth,
}

/// Maximum number of playouts in a row that contradict the asker's knowledge; after that the agent omits hidden
/// information.
const MISFITS: u64 = 200;
/// Maximum number of possible worlds in which playouts begin.
const WORLDS: usize = 24;
/// A playout has at most so many steps; it is judged where it is then.
const STEPS: usize = 3_000;
/// The first playouts say what is much and what is little of the game's `worth`.
const TRIES: usize = 24;
/// The clock is looked at after so many playouts.
const CLOCK: usize = 8;
/// A win that comes late is worth so much less than one at once, and a loss so much more.
const LATE: f64 = 0.08;
/// After so many steps half of that.
const SOON: f64 = 60.0;

/// Result of a playout: the value of each faction's `worth`, or the winner.
enum PlayoutResult {
    Judged(Vec<f64>),
    /// After so many steps.
    Won(Option<FactionId>, usize),
}

impl PlayoutResult {
    fn winner(&self) -> Option<FactionId> {
        match self {
            PlayoutResult::Won(winner, _) => *winner,
            PlayoutResult::Judged(_) => None,
        }
    }
}

/// A look ahead.
struct TreeSearch {
    root: Checkpoint,
    /// Worlds in one of which each playout begins, where slots or units are hidden from the asker.
    worlds: Vec<PossibleWorld>,
    rules: Arc<Rules>,
    effort: Effort,
    /// Number of playouts, and the number of those that reached an end of the game.
    playouts: usize,
    decided: usize,
    /// Whether it is known what is much and what is little.
    measured: bool,
    search: Rc<RefCell<Search>>,
    /// The phase whose ends are counted, and how often it had begun; `None` where none repeats.
    round: Option<(u8, u16)>,
    /// Number of beginnings of the round in this playout, the same number at the last answer given in a tree, and the
    /// number of such answers by then.
    begun: u16,
    left: u16,
    given: usize,
    factions: usize,
    /// The world after the last step.
    after: World,
    /// By faction, the middle of what `worth` says.
    middle: Vec<f64>,
}

impl TreeSearch {
    fn new(play: &Play, root: SearchRoot, now: SearchClock, effort: Effort) -> Self {
        let table = play.table();
        let rules = &table.rules;
        let cursor = &table.checkpoint.cursor;
        let round = cursor.innermost(|p| rules.phases[p as usize].repeat);
        let begun = |phase| cursor.begun(phase).map(|times| (phase, times));
        Self {
            search: Rc::new(RefCell::new(Search::new(play, &root, now))),
            root: root.checkpoint,
            worlds: Vec::new(),
            rules: Arc::clone(rules),
            effort,
            playouts: 0,
            decided: 0,
            measured: false,
            round: round.and_then(begun),
            begun: 0,
            left: 0,
            given: 0,
            factions: rules.factions.len(),
            after: table.world.clone(),
            middle: vec![0.0; rules.factions.len()],
        }
    }

    /// Whether it was about an earlier question of a plan that has come to this one.
    fn leads_to(&self, play: &Play, root: &SearchRoot, effort: Effort) -> bool {
        let answers = &root.checkpoint.position.answers;
        let had = self.root.position.answers.len();
        self.effort == effort
            && Arc::ptr_eq(&self.rules, &play.table().rules)
            && (answers.len() - root.run..answers.len()).contains(&had)
            && self.root == root.before(had)
    }

    /// Goes on to the next question of the plan, with what was found out about it; false where the answer that
    /// led there was not among those that were looked at.
    fn go_on(&mut self, play: &mut Play, next: Checkpoint, (now, question): SearchClock) -> bool {
        let Some(answer) = next.position.answers.last() else {
            return false;
        };
        play.go_to(&self.root);
        play.advance();
        let option = play.with_question(|root_question| {
            let is = |option: &OfferedOption| option.chosen(root_question.world) == answer.chosen;
            root_question
                .request
                .options
                .iter()
                .find(is)
                .map(|option| option.identity())
        });
        let Some(option) = option.flatten() else {
            return false;
        };
        let mut search = self.search.borrow_mut();
        let root_question = search.question;
        for f in 0..self.factions {
            search.begun[f] = mix(search.begun[f], mix(root_question, option));
        }
        (search.root, search.question) = (now, question);
        drop(search);
        self.root = next;
        true
    }

    /// Returns the number of visits of the question.
    fn visits(&self) -> usize {
        let search = self.search.borrow();
        let node = search.root().map(|node| &search.nodes[node as usize]);
        node.map_or(0, |node| node.tried.times as usize)
    }

    /// Plays one playout; `None` when what was answered in it in secret does not fit what the asker knows.
    fn playout(&mut self, play: &mut Play, key: RollKey) -> Result<Option<PlayoutResult>, Problems> {
        self.search.borrow_mut().begin(key);
        let (_, begun) = self.round.unwrap_or_default();
        (self.begun, self.left, self.given) = (begun, begun, 0);
        match self.worlds.get(key.below(self.worlds.len().max(1))) {
            None => play.go_to(&self.root),
            Some(world) => {
                play.table_mut().events.clone_from(&world.events);
                play.go_to(&world.checkpoint);
                self.search.borrow_mut().seen = Arc::clone(&world.seen);
            }
        }
        let mut steps = 0;
        while steps < STEPS {
            if self.worlds.is_empty() && self.search.borrow().before && play.prepare() == Progress::Stepped {
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
                    let wants = self.search.borrow_mut().wants.take();
                    match wants {
                        Some(SearchAction::Glance(node, known)) => {
                            glance::glance(&self.search, play, node, known)?
                        }
                        Some(SearchAction::Hint(node)) => glance::hint(&self.search, play, node)?,
                        None => return Err(unanswered_playout().into()),
                    }
                    continue;
                }
            }
            steps += 1;
            self.search.borrow_mut().begin_step();
            let table = play.table();
            if table.world.decided {
                let winner = table.world.outcome.and_then(|o| o.winner);
                return Ok(Some(PlayoutResult::Won(winner, steps)));
            }
            // What begins after a round may clear away what it came to.
            self.after.clone_from(&table.world);
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
        Ok(Some(PlayoutResult::Judged(judged)))
    }

    /// Whether it looks no further than here: the deeper the tree, the further it looks.
    fn is_far(&mut self, play: &Play) -> bool {
        let (PlayoutDepth::Rounds(rounds), Some((phase, first))) = (self.effort.reach, self.round) else {
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

    /// Returns the value of a result for each faction, from 0 to 1.
    fn values(&self, came: &PlayoutResult) -> Vec<f64> {
        let value = |faction: usize| match came {
            PlayoutResult::Won(None, _) => 0.5,
            PlayoutResult::Won(Some(winner), steps) => {
                let late = LATE * *steps as f64 / (*steps as f64 + SOON);
                if winner.index() == faction {
                    1.0 - late
                } else {
                    late
                }
            }
            PlayoutResult::Judged(worth) => {
                let off = (worth[faction] - self.middle[faction]) / self.search.borrow().spread[faction];
                0.5 + JUDGED * off / (1.0 + off.abs())
            }
        };
        (0..self.factions).map(value).collect()
    }

    /// Measures the middle and spread of `worth` from the first playouts, to tell large values from small ones.
    fn measure(&mut self, tries: &[PlayoutResult]) {
        self.measured = true;
        for faction in 0..self.factions {
            let worths = || {
                tries.iter().filter_map(|came| match came {
                    PlayoutResult::Judged(worth) => Some(worth[faction]),
                    PlayoutResult::Won(..) => None,
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

/// Returns the faction that owns the next step, if it is one faction's.
fn owner(play: &Play) -> Option<FactionId> {
    let table = play.table();
    match table.checkpoint.next {
        NextStep::Pick { faction, .. } => Some(faction),
        _ => table.checkpoint.step.about.faction(),
    }
}

/// State that the agent keeps between the questions of a step.
#[derive(Default)]
pub struct Mind(Option<TreeSearch>);

/// Chooses an answer to the question that waits. The function `stops` is called now and then and returns whether to
/// stop.
///
/// Questions that a step asks in a row, with nothing rolled in between, are one plan: the tree of the first serves
/// the next, too. Whoever comes without it (a game was resumed, or somebody else gave the answers before) thinks about
/// the first of them again, and so comes to the same answer; but where the budget is a time.
///
/// # Errors
///
/// Rules, or the game's `worth`, fail.
pub fn choose(
    play: &mut Play,
    mind: &mut Mind,
    budget: Budget,
    reach: Option<PlayoutDepth>,
    stops: &dyn Fn() -> bool,
) -> Result<Decision, Problems> {
    let Some(now) = now(play) else {
        return Ok(Decision::new(0, "nothing is asked".to_owned()));
    };
    let visible_root = SearchRoot::as_seen(play, now.0.1);
    let secret = SearchRoot::in_secret(play, now.0.1);
    let hides = play.table().view(Some(now.0.1)).has_lasting_secrets();
    let worlds = worlds::possible(play, now.0.1, WORLDS);
    let previous = mind.0.take().filter(|_| !hides);
    let reach = reach.unwrap_or(PlayoutDepth::Rounds(2));
    let effort = Effort { budget, reach };
    let look = play.suppose(|play| {
        // Going back to where secrets began forgets what is on record since.
        let record = play.events();
        let look = match secret {
            _ if !worlds.is_empty() => {
                let root = SearchRoot::in_world(&worlds[0]);
                let mut look = TreeSearch::new(play, root, now, effort);
                look.worlds = worlds;
                think(play, &mut look, stops).map(|()| look)
            }
            _ if hides => plan(play, None, visible_root, now, effort, stops),
            None => plan(play, previous, visible_root, now, effort, stops),
            Some(root) => {
                let mut look = TreeSearch::new(play, root, now, effort);
                let done = think(play, &mut look, stops);
                if done.is_ok() && look.playouts == 0 {
                    // Whatever the others have answered, the asker would not have been asked so.
                    plan(play, None, visible_root, now, effort, stops)
                } else {
                    done.map(|()| look)
                }
            }
        };
        play.table_mut().events = record;
        look
    })?;
    let mut decision = play.with_question(|question| decision(question, &look));
    if let Some(decision) = decision.as_mut().filter(|_| hides && look.worlds.is_empty()) {
        decision.why += worlds::NONE_FOUND;
    }
    // Who was stopped has thought less than it would have without a mind.
    mind.0 = (!stops()).then_some(look);
    Ok(decision.unwrap_or_else(|| Decision::new(0, String::new())))
}

/// Thinks about a question, and before it about those that led to it, as far as nobody has.
fn plan(
    play: &mut Play,
    previous: Option<TreeSearch>,
    root: SearchRoot,
    last: SearchClock,
    effort: Effort,
    stops: &dyn Fn() -> bool,
) -> Result<TreeSearch, Problems> {
    let answer_count = root.checkpoint.position.answers.len();
    let mut look = previous.filter(|look| look.leads_to(play, &root, effort));
    let first = match (&look, effort.budget) {
        (Some(look), _) => look.root.position.answers.len() + 1,
        (None, Budget::Playouts(_)) => answer_count - root.run,
        (None, Budget::Milliseconds(_)) => answer_count,
    };
    for answers in first..answer_count {
        let before = root.before(answers);
        play.go_to(&before);
        play.advance();
        let Some(now) = now(play) else {
            continue;
        };
        look = Some(plan_on(play, look, before, &root, now, effort));
        if let Some(look) = &mut look {
            think(play, look, stops)?;
        }
    }
    let here = root.checkpoint.clone();
    let mut look = plan_on(play, look, here, &root, last, effort);
    think(play, &mut look, stops)?;
    Ok(look)
}

/// Returns the search for the question here, continued from the questions before it, or a new one.
fn plan_on(
    play: &mut Play,
    look: Option<TreeSearch>,
    here: Checkpoint,
    root: &SearchRoot,
    now: SearchClock,
    effort: Effort,
) -> TreeSearch {
    if let Some(mut look) = look
        && look.go_on(play, here.clone(), now)
    {
        return look;
    }
    let root = SearchRoot {
        checkpoint: here,
        ..root.clone()
    };
    TreeSearch::new(play, root, now, effort)
}

/// Plays as many playouts as it may.
fn think(play: &mut Play, look: &mut TreeSearch, stops: &dyn Fn() -> bool) -> Result<(), Problems> {
    play.set_source(Box::new(Walker(Rc::clone(&look.search))));
    let done = play_out(play, look, stops);
    play.set_source(Box::new(NoAnswerer));
    done
}

fn play_out(play: &mut Play, look: &mut TreeSearch, stops: &dyn Fn() -> bool) -> Result<(), Problems> {
    let work = play.work().clone();
    let began = work.now();
    const NAME: u64 = text_hash("mcts agent");
    let position = &look.root.position;
    let key = RollKey::new(position.seed ^ NAME).with(u64::from(position.ordinal));
    let key = key.with(position.answers.len() as u64);
    let before = look.visits();
    let (mut playouts, mut misfits) = (0, 0);
    let mut tries = Vec::new();
    loop {
        let over = match look.effort.budget {
            Budget::Playouts(most) => before + playouts + (misfits / 8) as usize >= most.max(1) as usize,
            Budget::Milliseconds(most) => {
                let most = Duration::from_millis(most.into());
                let is_over = || work.since(began).is_none_or(|thought| thought >= most);
                playouts % CLOCK == 0 && playouts > 0 && is_over()
            }
        };
        if over || playouts > 0 && playouts % CLOCK == 0 && stops() {
            return Ok(());
        }
        let came = look.playout(play, key.with(playouts as u64).with(misfits))?;
        let Some(came) = came else {
            misfits += 1;
            if playouts == 0 && misfits >= MISFITS {
                return Ok(());
            }
            continue;
        };
        playouts += 1;
        look.playouts += 1;
        look.decided += usize::from(matches!(came, PlayoutResult::Won(..)));
        if !look.measured {
            // The first are judged when there are enough of them to judge by.
            tries.push((
                came,
                look.search.borrow().path.clone(),
                look.search.borrow().given.clone(),
            ));
            let enough = matches!(look.effort.budget, Budget::Playouts(most) if playouts >= most as usize);
            if !enough && playouts + 1 < TRIES {
                continue;
            }
            let (all, paths): (Vec<PlayoutResult>, Vec<_>) = std::mem::take(&mut tries)
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
fn decision(question: &Question<'_>, look: &TreeSearch) -> Decision {
    let search = look.search.borrow();
    let node = search.root().map(|node| &search.nodes[node as usize]);
    let playouts = node.map_or(0, |node| node.tried.times as usize);
    let mut options: Vec<(usize, OptionStats)> = Vec::new();
    for (at, option) in question.request.options.iter().enumerate() {
        let option = option.identity();
        let tip = node.and_then(|n| n.tips.iter().find(|t| t.option == option));
        options.push((at, tip.copied().unwrap_or(OptionStats::new(option))));
    }
    // The first of equals stays in front.
    options.sort_by(|a, b| b.1.tried.times.total_cmp(&a.1.tried.times));
    // Where all playouts were played to the end, it tells how many were won: what it counts says how soon, too.
    let ended = look.decided == look.playouts;
    let share = |tip: &OptionStats| {
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
        let key = question
            .request
            .options
            .get(*next)
            .map_or_else(String::new, |o| question.key(o));
        why += &format!("; next best {key}, {} %", share(tip));
    }
    if question.request.options.is_open() {
        why += &format!(
            "; of all that can be said only {} candidates were looked at",
            options.len()
        );
    }
    Decision::new(*index, why)
}
