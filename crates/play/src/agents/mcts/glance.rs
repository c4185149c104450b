//! Glances: what each option of a question can come to by the end of its step, as the game's `worth` says.
//!
//! What the step asks its side next, and what whoever was picked does then, belongs to the look: an option promises
//! what the best of a few ways to go on from it comes to.

use super::search::{Search, question};
use super::tree::{THROWS, WON, is_judged, middle_of, mix, place};
use crate::kernel::choice::Answer;
use crate::kernel::dice::RollKey;
use crate::kernel::ids::FactionId;
use crate::kernel::table::Reply;
use crate::play::{Checkpoint, Play, Progress};
use crate::report::Problems;
use std::cell::RefCell;

/// Maximum number of ways to go on that a glance examines; of more options it examines that many, evenly spread.
const GLANCES: usize = 96;
/// `hint` is asked about so many answers that are drawn, and one of so many is any instead.
const HINTED: usize = 12;
const ANY: usize = 20;
/// Maximum number of throws that lead to another question; after more, the glance gives up.
const MISSES: u64 = 3;

/// A way to go on to the end of a step, of several that were looked at.
struct StepOutlook {
    /// Value after one throw of the dice.
    worth: f64,
    /// Its last step, with all answers, where dice were thrown in it.
    thrown: Option<Box<Checkpoint>>,
    /// Whether it is the best of several.
    best: bool,
    /// Whether it ends in the step after, of whoever was picked.
    picked: bool,
}

/// An option with its best way, and what the game's `hint` says of it.
struct GlancedOption {
    option: u64,
    hint: f64,
    way: StepOutlook,
}

/// A look at what can be answered.
pub struct Glance<'s> {
    search: &'s RefCell<Search>,
    /// Faction that looks.
    faction: FactionId,
    /// Key of its dice.
    key: RollKey,
}

/// Looks what each option of the question that waits can come to, and lays the step down again as it was when it
/// asked.
///
/// # Errors
///
/// Rules, or the game's `worth` or `hint`, fail.
pub fn glance(
    search: &RefCell<Search>,
    play: &mut Play,
    node: Option<u32>,
    known: u32,
) -> Result<(), Problems> {
    let ways = search.borrow().may_look(node, known).min(GLANCES);
    let faction = play.table().request.asker;
    let here = play.checkpoint();
    let look = Glance {
        search,
        faction,
        key: search.borrow().key.with(u64::MAX - u64::from(known)),
    };
    let history = node.map(|_| search.borrow().history[faction.index()]);
    let mut worths = Vec::new();
    for found in look.options(play, GLANCES, ways, history)? {
        let worth = look.thrown_again(play, &found.way)?;
        worths.push((found.option, worth + found.hint));
    }
    play.go_to(&here);
    let mut search = search.borrow_mut();
    search.come = 0;
    search.glance = None;
    let middle = middle_of(&worths);
    for (_, worth) in worths.iter().filter(|w| is_judged(w.1)) {
        search.hoped[faction.index()].add((worth - middle) * (worth - middle));
    }
    let search = &mut *search;
    let node = node.map(|node| &mut search.nodes[node as usize]);
    for node in node.into_iter().chain([&mut search.anywhere[known as usize]]) {
        node.hope(&worths);
        node.glanced = true;
    }
    Ok(())
}

/// Finds what the game's `hint` likes best of the answers to the question that waits, of equals one that is drawn. Of so
/// many answers in a row one is any, since a hint is no rule. A node in the tree keeps all hints; below it a few
/// answers are drawn.
///
/// # Errors
///
/// `hint` fails.
pub fn hint(search: &RefCell<Search>, play: &mut Play, node: Option<u32>) -> Result<(), Problems> {
    let here = play.checkpoint();
    let all = play.table().request.options.len();
    let mut search = search.borrow_mut();
    let any = search.below(ANY) == 0;
    let mut looked: Vec<usize> = match node {
        Some(_) => evenly(all, GLANCES).collect(),
        None if any => vec![search.below(all)],
        None if all <= HINTED => (0..all).collect(),
        None => (0..HINTED).map(|_| search.below(all)).collect(),
    };
    let hints = match (node, any) {
        (None, true) => Vec::new(),
        _ => play.hints(&looked)?,
    };
    if let Some(node) = node {
        let option = |at: &usize| play.table().request.options.get(*at).map(|o| o.identity());
        let hinted = looked
            .iter()
            .filter_map(option)
            .zip(hints.iter().map(|hint| *hint as f64));
        search.nodes[node as usize].hope(&hinted.collect::<Vec<_>>());
    }
    if !any {
        let most = hints.iter().max().copied();
        let mut hints = hints.iter();
        looked.retain(|_| hints.next().copied() == most);
    }
    let best = looked[search.below(looked.len())];
    (search.come, search.hinted) = (0, Some(best));
    play.go_to(&here);
    Ok(())
}

/// Returns at most `most` of all indices, evenly spread.
fn evenly(all: usize, most: usize) -> impl Iterator<Item = usize> {
    let some = all.min(most);
    (0..some).map(move |nth| nth * all / some)
}

impl Glance<'_> {
    /// Returns the best value found for each option of the waiting question, over `ways` ways to go on in all. Of more
    /// than `most` options only that many are examined. `history` is the hash of the answers that the faction has seen
    /// in its tree.
    fn options(
        &self,
        play: &mut Play,
        most: usize,
        ways: usize,
        history: Option<u64>,
    ) -> Result<Vec<GlancedOption>, Problems> {
        let options: Vec<(usize, u64, Answer)> = {
            let table = play.table();
            let option = |at: usize| {
                let option = table.request.options.get(at)?.identity();
                Some((at, option, table.answer_by(&Reply::Take(at))?))
            };
            evenly(table.request.options.len(), most)
                .filter_map(option)
                .collect()
        };
        let question_id = play.with_question(question).unwrap_or_default();
        let looked: Vec<usize> = options.iter().map(|option| option.0).collect();
        let mut hints = play.hints(&looked)?.into_iter();
        let mut here = play.checkpoint();
        let share = ways / options.len().max(1);
        let mut found = Vec::with_capacity(options.len());
        for (_, option, answer) in options {
            let hint = hints.next().unwrap_or_default() as f64;
            here.position.answers.push(answer);
            let history = history.map(|history| mix(history, mix(question_id, option)));
            let way = self.way(play, &here, share, self.key, history);
            here.position.answers.pop();
            if let Some(way) = way? {
                found.push(GlancedOption { option, hint, way });
            }
        }
        Ok(found)
    }

    /// The best of so many ways to go on from a position to the end of its step; `None` where the rules do not go on
    /// from it.
    fn way(
        &self,
        play: &mut Play,
        from: &Checkpoint,
        ways: usize,
        key: RollKey,
        history: Option<u64>,
    ) -> Result<Option<StepOutlook>, Problems> {
        let asks = (ways > 1).then_some(self.faction);
        match self.run(play, from, key.with(0), asks)? {
            Progress::Stepped => {}
            Progress::Asks if ways > 1 => return self.best(play, ways, history),
            _ => return Ok(None),
        }
        let thrown = self.search.borrow().thrown;
        let leads_on = ways > 1 && play.table().checkpoint.next.leads_on();
        let world = leads_on.then(|| play.preview(self.faction));
        if leads_on && play.prepare() == Progress::Stepped && play.table().acting() == self.faction {
            let then = play.checkpoint();
            let step = std::mem::take(&mut self.search.borrow_mut().step);
            let way = self.way(play, &then, ways, key.with(1), history);
            self.search.borrow_mut().step = step;
            return Ok(way?.map(|way| StepOutlook { picked: true, ..way }));
        }
        Ok(Some(StepOutlook {
            worth: match world {
                Some(world) => play.on_world(world, |play| self.worth(play)).0?,
                None => play.on_preview(self.faction, |play| self.worth(play))?,
            },
            thrown: thrown.then(|| Box::new(from.clone())),
            best: false,
            picked: false,
        }))
    }

    /// The best of so many ways to answer the question that waits. Where all its options were looked at, its node in
    /// the tree learns of them. (Where some were, they would be tried before the others for no good reason.)
    fn best(
        &self,
        play: &mut Play,
        ways: usize,
        history: Option<u64>,
    ) -> Result<Option<StepOutlook>, Problems> {
        // What others answer on the way is theirs to say in a playout.
        let history = history.filter(|_| !self.search.borrow().others);
        let question_id = play.with_question(question).unwrap_or_default();
        let all = play.table().request.options.len() <= ways;
        let found = self.options(play, ways, ways, history)?;
        if let Some(history) = history.filter(|_| all) {
            let mut search = self.search.borrow_mut();
            let node = search.node_at(place(history, question_id, self.faction.index()));
            if let Some(node) = node.map(|node| &mut search.nodes[node as usize])
                && !node.glanced
            {
                let worths = found.iter().map(|f| (f.option, f.way.worth + f.hint));
                node.hope(&worths.collect::<Vec<_>>());
                node.glanced = true;
            }
        }
        // The first of equals.
        let best = found.into_iter().reduce(|best, other| {
            let is_more = other.way.worth + other.hint > best.way.worth + best.hint;
            if is_more { other } else { best }
        });
        Ok(best.map(|found| StepOutlook {
            best: true,
            ..found.way
        }))
    }

    /// Runs a step, with dice that are thrown by this key. What a faction is asked then waits, if it is said which;
    /// whatever else is asked is answered with the first option.
    fn run(
        &self,
        play: &mut Play,
        from: &Checkpoint,
        key: RollKey,
        asks: Option<FactionId>,
    ) -> Result<Progress, Problems> {
        {
            let mut search = self.search.borrow_mut();
            (search.come, search.thrown, search.others) = (0, false, false);
            search.glance = Some((key, asks));
        }
        play.go_to(from);
        match play.advance() {
            Progress::Failed(problem) => Err((*problem).into()),
            progress => Ok(progress),
        }
    }

    /// Returns the value of a way: the mean over a few throws, where dice are thrown. The throw that made it the best
    /// of several is not counted.
    fn thrown_again(&self, play: &mut Play, way: &StepOutlook) -> Result<f64, Problems> {
        let Some(from) = &way.thrown else {
            return Ok(way.worth);
        };
        let step = way
            .picked
            .then(|| std::mem::take(&mut self.search.borrow_mut().step));
        let (mut sum, mut of) = if way.best { (0.0, 0) } else { (way.worth, 1) };
        for throw in 1..=THROWS + MISSES {
            if of == THROWS {
                break;
            }
            // Other dice may ask something else.
            if self.run(play, from, self.key.with(throw), None)? == Progress::Stepped {
                sum += play.on_preview(self.faction, |play| self.worth(play))?;
                of += 1;
            }
        }
        if let Some(step) = step {
            self.search.borrow_mut().step = step;
        }
        Ok(if of == 0 { way.worth } else { sum / of as f64 })
    }

    /// Returns the value of the world that lies on the table.
    fn worth(&self, play: &mut Play) -> Result<f64, Problems> {
        let world = &play.table().world;
        Ok(match world.outcome.filter(|_| world.decided).map(|o| o.winner) {
            Some(Some(winner)) if winner == self.faction => WON,
            Some(Some(_)) => -WON,
            Some(None) => 0.0,
            None => play.worth_here(self.faction)? as f64,
        })
    }
}
