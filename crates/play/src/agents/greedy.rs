//! The greedy agent: tries each answer to the end of what the turn sets going, and takes the best.

use super::{Decision, worlds};
use crate::kernel::choice::OfferedOption;
use crate::kernel::dice::{Pool, RollKey, text_hash};
use crate::kernel::ids::FactionId;
use crate::kernel::phase::{ActivatedUnits, Phase, PhaseBody};
use crate::kernel::table::{Answerer, PendingRoll, Question, Reply};
use crate::kernel::world::World;
use crate::play::{Checkpoint, Play, Progress};
use crate::report::Problems;
use std::cell::Cell;
use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::Arc;

/// Maximum number of ways examined to answer the rest of a step; each option has an equal share, and at least one.
const WAYS: usize = 48;
/// Number of further questions of a step that are examined.
const DEEPEST: usize = 2;
/// Default number of ways that the agent examines on a table top or in an arena.
pub const LOOKS: u32 = 200;
/// Number of further questions of a step that are examined there.
const PLANNED: usize = 4;
/// One of so many ways is looked at to the end there, and so many at least and at most.
const ONE_OF: usize = 8;
const FEWEST: usize = 4;
const MOST: usize = 24;
/// After each of them has seen so many throws of the dice, the better half goes on to more.
const HEATS: [usize; 4] = [2, 4, 8, THROWS];
/// Number of throws over which a way that involves dice is evaluated. Over all of them each side of a die shows equally
/// often, where the number of sides divides this number.
const THROWS: usize = 12;
/// Number of possible worlds in which it looks, where slots or units are hidden from it.
const WORLDS: usize = 6;
/// Maximum number of steps of a look ahead.
const STEPS: usize = 500;
/// Value of a contest for its winner: more than any position.
const WON: i64 = 1_000_000_000;

/// The option that leads to what is worth most to whoever is asked; the first of equals.
///
/// Looked at is what the answer sets going, up to the end of the round or turn: of the innermost phase that
/// repeats, is a `whole`, or is one side's until it passes. During set-up it is no more than the next question, and
/// where others act in secret no more than the step. Dice are thrown anew, so that nobody foresees them. On the way it
/// answers itself what its step asks next; of what is asked later, in a simultaneous phase everybody takes what is
/// best at a glance, others who react do one thing as often as the other, and elsewhere the first option is taken.
/// Which unit acts first it ponders only where units act again and again for points: then each is worth what it does
/// next.
///
/// # Errors
///
/// The game's `worth` fails.
pub fn choose(play: &mut Play, looks: u32) -> Result<Decision, Problems> {
    let pondered = play.with_question(|a| {
        let request = a.request;
        let work = &a.rules.phases[request.step.phase as usize].work;
        let for_points = matches!(work, PhaseBody::Turn { turns: Some(turns), .. } if turns.points.is_some());
        (
            request.asker,
            request.options.len(),
            request.step.pick > 0 && !for_points,
        )
    });
    let Some((asker, options, false)) = pondered else {
        return Ok(Decision::new(0, "whoever comes first acts first".to_owned()));
    };
    let mut far = GreedyLook::of(play, asker);
    let hides = play.table().view(Some(asker)).has_lasting_secrets();
    let worlds = worlds::possible(play, asker, WORLDS);
    let note = if hides && worlds.is_empty() {
        worlds::NONE_FOUND
    } else {
        ""
    };
    let offered = play.with_question(worlds::options);
    let worths = play.suppose(|play| {
        if worlds.is_empty() {
            let mut now = play.checkpoint();
            // What others do in secret is nothing that its own step may tell.
            now.position = play.table().view(Some(asker)).position();
            play.go_to(&now);
            play.advance();
            if hides {
                far.seen = Arc::new([]);
                if play.with_question(worlds::options) != offered {
                    return Ok(Vec::new());
                }
            }
            return far.options(play, looks, options);
        }
        let record = play.events();
        let mut all: Vec<Option<MeanWorth>> = vec![None; options];
        for world in &worlds {
            play.table_mut().events.clone_from(&world.events);
            play.go_to(&world.checkpoint);
            play.advance();
            far.seen = Arc::clone(&world.seen);
            let worths = far.options(play, looks, options)?;
            for (all, worth) in all.iter_mut().zip(worths) {
                *all = match (*all, worth) {
                    (Some(sum), Some(worth)) => Some(sum.and(worth)),
                    (one, other) => one.or(other.map(MeanWorth::shared)),
                };
            }
        }
        play.table_mut().events = record;
        Ok::<_, Problems>(all)
    })?;
    let best = best_of(&worths, None);
    let Some((index, worth)) = best else {
        return Ok(Decision::new(
            0,
            format!("no answer leads on; the first is as good as any{note}"),
        ));
    };
    let after = far.words(play);
    let next = best_of(&worths, Some(index)).map_or_else(String::new, |(other, less)| {
        let key = play.with_question(|a| a.request.options.get(other).map(|o| a.key(o)));
        format!("; next best {}, {less}", key.flatten().unwrap_or_default())
    });
    Ok(Decision::new(index, format!("worth {worth} {after}{next}{note}")))
}

/// The first of those that are worth most, leaving one out.
fn best_of(worths: &[Option<MeanWorth>], but: Option<usize>) -> Option<(usize, MeanWorth)> {
    let mut best: Option<(usize, MeanWorth)> = None;
    for (index, worth) in worths.iter().enumerate() {
        if let Some(worth) = *worth
            && but != Some(index)
            && best.is_none_or(|(_, most)| worth.is_above(most))
        {
            best = Some((index, worth));
        }
    }
    best
}

/// The positions after each answer to the question that waits.
fn answered(play: &Play) -> Vec<Checkpoint> {
    let events = play.checkpoint().events;
    let table = play.table();
    let options = 0..table.request.options.len();
    let with = |index| {
        let mut position = table.position();
        position.answers.push(table.answer_by(&Reply::Take(index))?);
        Some(Checkpoint::new(position, events))
    };
    options.filter_map(with).collect()
}

/// The mean of what several throws of the dice come to.
#[derive(Debug, Clone, Copy)]
struct MeanWorth {
    sum: i64,
    of: i64,
}

/// A number that every number of throws divides.
const SHARES: i64 = 27_720;

impl MeanWorth {
    /// The same in shares, so that several means can be added.
    fn shared(self) -> Self {
        Self {
            sum: self.sum * (SHARES / self.of),
            of: SHARES,
        }
    }

    /// The mean of this one, in shares, and another.
    fn and(self, other: MeanWorth) -> Self {
        let other = other.shared();
        Self {
            sum: self.sum + other.sum,
            of: self.of + other.of,
        }
    }

    fn compare(self, other: MeanWorth) -> Ordering {
        let times = |sum: i64, of: i64| i128::from(sum) * i128::from(of);
        times(self.sum, other.of).cmp(&times(other.sum, self.of))
    }

    fn is_above(self, other: MeanWorth) -> bool {
        self.compare(other).is_gt()
    }
}

impl std::fmt::Display for MeanWorth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mean = self.sum / self.of;
        match mean {
            WON => write!(f, "a win"),
            mean if mean == -WON => write!(f, "a loss"),
            // A win or a loss among the throws outweighs all that the game's own numbers say.
            mean if mean.abs() > WON / (2 * THROWS as i64) => {
                let chance = mean.unsigned_abs() * 100 / WON.unsigned_abs();
                write!(
                    f,
                    "{chance} % more of {}",
                    if mean > 0 { "wins" } else { "losses" }
                )
            }
            _ if self.sum % self.of == 0 => write!(f, "{mean}"),
            _ => write!(f, "{:.1}", self.sum as f64 / self.of as f64),
        }
    }
}

/// A way to go on.
struct Plan {
    /// The answer that it begins with, and its answers so far.
    option: usize,
    from: Checkpoint,
    /// Value of the plan at a glance.
    glance: i64,
    /// And to the end, over the throws that it has seen.
    worth: MeanWorth,
    thrown: bool,
}

impl Plan {
    /// Looks at it to the end, with one throw of the dice.
    fn look(&mut self, far: &mut GreedyLook, play: &mut Play, throw: usize) -> Result<(), Problems> {
        far.thrown.set(false);
        play.go_to(&self.from);
        let begun = LookaheadAnswers::new(far, play, throw, true).run(play);
        if let Some(came) = far.through(play, throw, begun)? {
            self.worth = MeanWorth {
                sum: self.worth.sum + came,
                of: self.worth.of + 1,
            };
        }
        self.thrown |= far.thrown.get();
        Ok(())
    }
}

/// End of a greedy agent's look ahead.
#[derive(Debug, Clone, Copy)]
enum LookDepth {
    Question,
    Step,
    End(u8),
}

/// A look ahead.
struct GreedyLook {
    asker: FactionId,
    until: LookDepth,
    /// The rolls of the step that were made before the question.
    seen: Arc<[Pool]>,
    seed: u64,
    /// Whether dice were thrown since the look began.
    thrown: Rc<Cell<bool>>,
    /// Whether there are too many ways to look at each to the end.
    plans: bool,
    /// Whether it looks at a turn that is one side's: then the others act no more.
    alone: bool,
}

impl GreedyLook {
    fn of(play: &Play, asker: FactionId) -> Self {
        let table = play.table();
        let (rules, position) = (&table.rules, &table.checkpoint);
        let innermost = |is: fn(&Phase) -> bool| position.cursor.innermost(|p| is(&rules.phases[p as usize]));
        let until = if innermost(|p| p.setup).is_some() {
            LookDepth::Question
        } else if position.is_hidden() {
            LookDepth::Step
        } else {
            innermost(|p| p.repeat || p.whole || is_a_sides(p)).map_or(LookDepth::Step, LookDepth::End)
        };
        let alone = matches!(until, LookDepth::End(phase) if is_a_sides(&rules.phases[phase as usize]));
        Self {
            asker,
            until,
            seen: play.rolls_seen().into(),
            seed: position.seed,
            thrown: Rc::default(),
            plans: rules.plane().is_some(),
            alone,
        }
    }

    /// Returns the value of each answer to the question that waits.
    fn options(
        &mut self,
        play: &mut Play,
        looks: u32,
        options: usize,
    ) -> Result<Vec<Option<MeanWorth>>, Problems> {
        let nexts = answered(play);
        if self.plans && !matches!(self.until, LookDepth::Question) {
            return self.race(play, &nexts, looks as usize);
        }
        let ways = (WAYS / options).max(1);
        nexts
            .iter()
            .map(|next| self.best(play, next, ways, DEEPEST))
            .collect()
    }

    /// Until when it looks.
    fn words(&self, play: &Play) -> String {
        match self.until {
            LookDepth::Question => "at the next question".to_owned(),
            LookDepth::Step => "after the step".to_owned(),
            LookDepth::End(phase) => match play.ruleset().rules.phases[phase as usize].name.as_str() {
                "" => "in the end".to_owned(),
                name => format!("at the end of the {name}"),
            },
        }
    }

    /// The most that a position can come to by what the asker is asked next in its step; `None` where the
    /// rules do not go on from it.
    fn best(
        &mut self,
        play: &mut Play,
        from: &Checkpoint,
        ways: usize,
        deep: usize,
    ) -> Result<Option<MeanWorth>, Problems> {
        let ponders = ways > 1 && deep > 0 || matches!(self.until, LookDepth::Question);
        self.thrown.set(false);
        play.go_to(from);
        let mut ahead = LookaheadAnswers::new(self, play, 0, true);
        ahead.ponders = ponders.then_some(self.asker);
        let progress = ahead.run(play);
        if deep > 0
            && let Some(then) = self.picked(play, &progress)
        {
            return self.best(play, &then, ways, deep - 1);
        }
        if progress != Progress::Asks || matches!(self.until, LookDepth::Question) {
            return self.mean(play, from, progress);
        }
        let options = answered(play);
        let count = options.len();
        let looked = ways.min(count);
        let mut best: Option<MeanWorth> = None;
        for nth in 0..looked {
            // Where there are too many, those that are looked at lie evenly among them.
            let worth = self.best(play, &options[nth * count / looked], ways / looked, deep - 1)?;
            if let Some(worth) = worth
                && best.is_none_or(|most| worth.is_above(most))
            {
                best = Some(worth);
            }
        }
        Ok(best)
    }

    /// The step of whoever was picked in the one that has been run: a pick is worth what is done then.
    fn picked(&self, play: &mut Play, progress: &Progress) -> Option<Checkpoint> {
        let picked = *progress == Progress::Stepped && play.table().checkpoint.next.leads_on();
        let goes_on = picked && play.prepare() == Progress::Stepped && play.table().acting() == self.asker;
        goes_on.then(|| play.checkpoint())
    }

    /// Returns the value of each answer, where there are too many ways to go on. First it examines each way to the end
    /// of its immediate effects, with one throw of the dice. Then it plays the best ones to the end, and repeats this
    /// the more often the fewer are left. `None` for answers dropped on the way.
    fn race(
        &mut self,
        play: &mut Play,
        nexts: &[Checkpoint],
        looks: usize,
    ) -> Result<Vec<Option<MeanWorth>>, Problems> {
        let most = (looks / ONE_OF).clamp(FEWEST, MOST);
        let looked = looks.clamp(1, nexts.len());
        let mut plans: Vec<Plan> = Vec::new();
        for nth in 0..looked {
            let option = nth * nexts.len() / looked;
            let mut found = Vec::new();
            self.ways(
                play,
                &nexts[option],
                (option, looks / looked),
                PLANNED,
                &mut found,
            )?;
            found.sort_by_key(|plan| std::cmp::Reverse(plan.glance));
            plans.extend(found.into_iter().take((most / looked).max(1)));
        }
        plans.sort_by_key(|plan| std::cmp::Reverse(plan.glance));
        plans.truncate(most);
        let mut done = 0;
        for throws in HEATS {
            for plan in &mut plans {
                for throw in done..throws {
                    if throw == 0 || plan.thrown {
                        plan.look(self, play, throw)?;
                    }
                }
            }
            plans.retain(|plan| plan.worth.of > 0);
            plans.sort_by(|a, b| b.worth.compare(a.worth));
            plans.truncate(plans.len().div_ceil(2).max(FEWEST));
            done = throws;
        }
        let mut worths = vec![None; nexts.len()];
        for plan in plans.iter().rev() {
            worths[plan.option] = Some(plan.worth);
        }
        Ok(worths)
    }

    /// Ways to go on from an answer, which lie evenly among all where there are too many.
    fn ways(
        &mut self,
        play: &mut Play,
        from: &Checkpoint,
        (option, looks): (usize, usize),
        deep: usize,
        found: &mut Vec<Plan>,
    ) -> Result<(), Problems> {
        play.go_to(from);
        let mut ahead = LookaheadAnswers::new(self, play, 0, true);
        ahead.ponders = (looks > 1 && deep > 0).then_some(self.asker);
        let progress = ahead.run(play);
        if deep > 0
            && let Some(then) = self.picked(play, &progress)
        {
            return self.ways(play, &then, (option, looks), deep - 1, found);
        }
        match progress {
            Progress::Asks => {
                let options = answered(play);
                let looked = looks.min(options.len());
                for nth in 0..looked {
                    let next = &options[nth * options.len() / looked];
                    self.ways(play, next, (option, looks / looked), deep - 1, found)?;
                }
            }
            Progress::Stepped => {
                if let Some(glance) = self.at_once(play)? {
                    found.push(Plan {
                        option,
                        glance,
                        from: from.clone(),
                        worth: MeanWorth { sum: 0, of: 0 },
                        thrown: false,
                    });
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the value of a step that has been run, after all interruptions of the phase that it causes.
    fn at_once(&mut self, play: &mut Play) -> Result<Option<i64>, Problems> {
        loop {
            let world = play.preview(self.asker);
            let goes_on = play.prepare() == Progress::Stepped;
            if !goes_on || play.table().checkpoint.step.interrupts.is_none() {
                return self.worth_of(play, self.asker, world).map(Some);
            }
            if LookaheadAnswers::new(self, play, 0, false).run(play) != Progress::Stepped {
                return Ok(None);
            }
        }
    }

    /// Returns the mean value of a position whose step has been run, over further throws of the dice.
    fn mean(
        &mut self,
        play: &mut Play,
        from: &Checkpoint,
        begun: Progress,
    ) -> Result<Option<MeanWorth>, Problems> {
        let Some(first) = self.through(play, 0, begun)? else {
            return Ok(None);
        };
        let mut worth = MeanWorth { sum: first, of: 1 };
        if self.thrown.get() {
            for throw in 1..THROWS {
                play.go_to(from);
                let begun = LookaheadAnswers::new(self, play, throw, true).run(play);
                if let Some(other) = self.through(play, throw, begun)? {
                    worth = MeanWorth {
                        sum: worth.sum + other,
                        of: worth.of + 1,
                    };
                }
            }
        }
        Ok(Some(worth))
    }

    /// Plays on from a step that has been run, as far as is looked.
    fn through(
        &mut self,
        play: &mut Play,
        throw: usize,
        mut progress: Progress,
    ) -> Result<Option<i64>, Problems> {
        let mut steps = 0;
        loop {
            match (&progress, self.until) {
                (Progress::Asks, LookDepth::Question) => {
                    let world = play.preview(self.asker);
                    // While a question waits no rule is asked for advice.
                    let now = play.checkpoint();
                    play.go_to(&now);
                    return self.worth_of(play, self.asker, world).map(Some);
                }
                (Progress::Asks, _) => {
                    let Some(best) = self.at_a_glance(play, throw)? else {
                        return Ok(None);
                    };
                    play.go_to(&best);
                }
                (Progress::Stepped, LookDepth::End(phase)) if steps < STEPS => {
                    let world = play.table().world.clone();
                    let was = play.table().checkpoint.cursor.clone();
                    // What begins after it may clear away what it came to.
                    let goes_on = play.prepare() == Progress::Stepped
                        && !was.has_left(phase, &play.table().checkpoint.cursor);
                    if !goes_on {
                        return self.worth_of(play, self.asker, world).map(Some);
                    }
                    steps += 1;
                }
                (Progress::Stepped, _) => return self.worth(play, self.asker).map(Some),
                _ => return Ok(None),
            }
            let mut ahead = LookaheadAnswers::new(self, play, throw, false);
            ahead.glances = play.table().checkpoint.cursor.gathers();
            progress = ahead.run(play);
        }
    }

    /// The position after the answer whose step is worth most to whoever is asked as soon as it has ended.
    fn at_a_glance(&mut self, play: &mut Play, throw: usize) -> Result<Option<Checkpoint>, Problems> {
        let asker = play.table().request.asker;
        let mut best: Option<(i64, Checkpoint)> = None;
        for next in answered(play) {
            play.go_to(&next);
            if LookaheadAnswers::new(self, play, throw, false).run(play) != Progress::Stepped {
                continue;
            }
            let worth = self.worth(play, asker)?;
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, next));
            }
        }
        Ok(best.map(|(_, next)| next))
    }

    /// Returns the value of the table for a faction, with its gathered effects applied.
    fn worth(&self, play: &mut Play, faction: FactionId) -> Result<i64, Problems> {
        play.on_preview(faction, |play| self.worth_here(play, faction))
    }

    /// Returns the value of a world for a faction.
    fn worth_of(&self, play: &mut Play, faction: FactionId, world: World) -> Result<i64, Problems> {
        play.on_world(world, |play| self.worth_here(play, faction)).0
    }

    fn worth_here(&self, play: &mut Play, faction: FactionId) -> Result<i64, Problems> {
        let world = &play.table().world;
        match world.outcome.filter(|_| world.decided).map(|o| o.winner) {
            Some(Some(winner)) => Ok(if winner == faction { WON } else { -WON }),
            Some(None) => Ok(0),
            None => Ok(play.worth_here(faction)?.clamp(-WON, WON)),
        }
    }
}

/// Whether one side's units act in a phase until it passes.
fn is_a_sides(phase: &Phase) -> bool {
    let passes = |turns: &crate::kernel::phase::Turns| turns.pass.is_some();
    matches!(&phase.work, PhaseBody::Turn { whose: ActivatedUnits::Nth(_), turns: Some(turns), .. } if passes(turns))
}

/// Returns the side, from 0, that one of the throws shows, in an order given by the key. Each throw has its share of
/// the sides, and shows any of them where the share has several.
fn spread(key: RollKey, throw: usize, sides: usize) -> usize {
    let mut order: [usize; THROWS] = std::array::from_fn(|n| n);
    for last in (1..THROWS).rev() {
        order.swap(last, key.with(last as u64).below(last + 1));
    }
    let within = key.with((THROWS + throw) as u64).below(sides);
    (order[throw] * sides + within) / THROWS
}

/// Answers with first options and throws dice of its own while somebody looks ahead.
struct LookaheadAnswers {
    /// Faction whose questions wait, because the agent examines them.
    ponders: Option<FactionId>,
    /// Everybody's questions wait: they are answered at a glance.
    glances: bool,
    /// Faction that does nothing more than needed.
    asker: FactionId,
    /// Nobody else does, either.
    alone: bool,
    /// Results of the first rolls.
    seen: Arc<[Pool]>,
    rolled: usize,
    key: RollKey,
    throw: usize,
    thrown: Rc<Cell<bool>>,
}

impl LookaheadAnswers {
    fn new(far: &GreedyLook, play: &Play, throw: usize, now: bool) -> Self {
        const NAME: u64 = text_hash("greedy agent");
        let step = u64::from(play.table().checkpoint.ordinal);
        Self {
            ponders: None,
            glances: false,
            asker: far.asker,
            alone: far.alone,
            seen: if now { Arc::clone(&far.seen) } else { Arc::new([]) },
            rolled: 0,
            key: RollKey::new(far.seed ^ NAME).with(step),
            throw,
            thrown: Rc::clone(&far.thrown),
        }
    }

    /// Runs the current step with it, and then nobody answers again.
    fn run(self, play: &mut Play) -> Progress {
        play.set_source(Box::new(self));
        let progress = play.advance();
        play.clear_source();
        progress
    }
}

impl Answerer for LookaheadAnswers {
    fn answer(&mut self, question: &Question<'_>) -> Reply {
        let pick = question.request.step.pick > 0;
        let waits = self.glances || self.ponders == Some(question.request.asker) && !pick;
        let options = &question.request.options;
        // Whoever may pass need do nothing more; what the others may do shows what is to be feared.
        let its = question.request.asker == self.asker;
        let pass = || options.iter().position(|o| matches!(o, OfferedOption::Word(_)));
        if waits {
            Reply::Wait
        } else if pick && (its || self.alone) {
            Reply::Take(pass().unwrap_or(0))
        } else if question.request.step.interrupts.is_some() && !its {
            self.thrown.set(true);
            let key = self
                .key
                .with(question.label_hash())
                .with(question.request.nth.into());
            Reply::Take(spread(key, self.throw, options.len()))
        } else {
            Reply::Take(0)
        }
    }

    fn rolls(&mut self, roll: &PendingRoll<'_>) -> Option<Pool> {
        self.rolled += 1;
        if let Some(pool) = self.seen.get(self.rolled - 1) {
            return Some(pool.clone());
        }
        self.thrown.set(true);
        let key = self.key.with_text(roll.label).with(self.rolled as u64);
        let sides = roll.sides as usize;
        let dice = (0..roll.dice).map(|die| 1 + spread(key.with(die as u64), self.throw, sides) as i64);
        Pool::new(&dice.collect::<Vec<i64>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn throws_show_each_side_as_often_whatever_the_sides() {
        for sides in [2, 5, 6, 8, 10, 12, 20, 100] {
            let mut sum = 0;
            for seed in 0..500 {
                let shown: Vec<usize> = (0..THROWS)
                    .map(|throw| spread(RollKey::new(seed), throw, sides))
                    .collect();
                assert!(shown.iter().all(|side| *side < sides));
                sum += shown.iter().sum::<usize>();
            }
            let mean = sum as f64 / (500 * THROWS) as f64;
            let wanted = (sides - 1) as f64 / 2.0;
            assert!((mean - wanted).abs() < 0.01 * sides as f64, "{sides}: {mean}");
        }
    }
}
