//! The greedy agent: tries each answer to the end of what the turn sets going, and takes the best.

use super::Decision;
use crate::kernel::dice::{Key, Pool, text_hash};
use crate::kernel::ids::FactionId;
use crate::kernel::phase::{Phase, Work};
use crate::kernel::table::{Asked, Reply, Rolling, Source};
use crate::kernel::world::World;
use crate::play::{Checkpoint, Play, Progress};
use crate::report::Problems;
use std::cell::Cell;
use std::rc::Rc;

/// How many ways to answer the rest of a step are looked through at most; each option has an equal share,
/// and at least one.
const WAYS: usize = 48;
/// How many further questions of a step are looked into.
const DEEPEST: usize = 2;
/// How often a way is looked through that dice have a part in. Over all of them a die shows each of its sides
/// as often as the others, where the number of sides divides this one.
const THROWS: usize = 12;
/// How many steps are looked ahead at most.
const STEPS: usize = 500;
/// What a contest is worth to its winner: more than any position.
const WON: i64 = 1_000_000_000;

/// The option that leads to what is worth most to whoever is asked; the first of equals.
///
/// Looked at is what the answer sets going, up to the end of the round or turn: of the innermost phase that
/// repeats or is a `whole`. During set-up it is no more than the next question, and where others act in
/// secret no more than the step. Dice are thrown anew, so that nobody foresees them. On the way it answers
/// itself what its step asks next; of what is asked later, in a simultaneous phase everybody takes what is
/// best at a glance, and elsewhere the first option. Which unit acts first it ponders only where units act again
/// and again for points: then each is worth what it does next.
///
/// # Errors
///
/// The game's `worth` fails.
pub fn choose(play: &mut Play) -> Result<Decision, Problems> {
    let pondered = play.asked(|a| {
        let request = a.request;
        let work = &a.rules.phases[request.step.phase as usize].work;
        let for_points = matches!(work, Work::Turn { turns: Some(turns), .. } if turns.points.is_some());
        (
            request.asker,
            request.options.len(),
            request.step.pick > 0 && !for_points,
        )
    });
    let Some((asker, options, false)) = pondered else {
        return Ok(Decision::new(0, "whoever comes first acts first".to_owned()));
    };
    let mut far = Far::of(play, asker);
    let worths = play.suppose(|play| {
        let now = play.checkpoint();
        play.go_to(&now);
        play.advance();
        let ways = (WAYS / options).max(1);
        let worths = answered(play).into_iter();
        let worths = worths.map(|next| far.best(play, &next, ways, DEEPEST));
        worths.collect::<Result<Vec<Option<Worth>>, Problems>>()
    })?;
    let best = best_of(&worths, None);
    let Some((index, worth)) = best else {
        return Ok(Decision::new(
            0,
            "no answer leads on; the first is as good as any".to_owned(),
        ));
    };
    let after = far.words(play);
    let next = best_of(&worths, Some(index)).map_or_else(String::new, |(other, less)| {
        let key = play.asked(|a| a.request.options.get(other).map(|o| a.key(o)));
        format!("; next best {}, {less}", key.flatten().unwrap_or_default())
    });
    Ok(Decision::new(index, format!("worth {worth} {after}{next}")))
}

/// The first of those that are worth most, leaving one out.
fn best_of(worths: &[Option<Worth>], but: Option<usize>) -> Option<(usize, Worth)> {
    let mut best: Option<(usize, Worth)> = None;
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
        position.answers.push(table.answer_of(index, false)?);
        Some(Checkpoint { position, events })
    };
    options.filter_map(with).collect()
}

/// The mean of what several throws of the dice come to.
#[derive(Debug, Clone, Copy)]
struct Worth {
    sum: i64,
    of: i64,
}

impl Worth {
    fn is_above(self, other: Worth) -> bool {
        let times = |sum: i64, of: i64| i128::from(sum) * i128::from(of);
        times(self.sum, other.of) > times(other.sum, self.of)
    }
}

impl std::fmt::Display for Worth {
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

/// How far a greedy agent looks.
#[derive(Debug, Clone, Copy)]
enum Until {
    Question,
    Step,
    End(u8),
}

/// A look ahead.
struct Far {
    asker: FactionId,
    until: Until,
    /// The rolls of the step that were made before the question.
    seen: Rc<[Pool]>,
    seed: u64,
    /// Whether dice were thrown since the look began.
    thrown: Rc<Cell<bool>>,
}

impl Far {
    fn of(play: &Play, asker: FactionId) -> Self {
        let table = play.table();
        let (rules, position) = (&table.rules, &table.checkpoint);
        let innermost = |is: fn(&Phase) -> bool| position.cursor.innermost(|p| is(&rules.phases[p as usize]));
        let until = if innermost(|p| p.setup).is_some() {
            Until::Question
        } else if position.hidden_start.is_some() {
            Until::Step
        } else {
            innermost(|p| p.repeat || p.whole).map_or(Until::Step, Until::End)
        };
        Self {
            asker,
            until,
            seen: play.rolls_seen().into(),
            seed: position.seed,
            thrown: Rc::default(),
        }
    }

    /// Until when it looks.
    fn words(&self, play: &Play) -> String {
        match self.until {
            Until::Question => "at the next question".to_owned(),
            Until::Step => "after the step".to_owned(),
            Until::End(phase) => match play.host.rules.phases[phase as usize].name.as_str() {
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
    ) -> Result<Option<Worth>, Problems> {
        let ponders = ways > 1 && deep > 0 || matches!(self.until, Until::Question);
        self.thrown.set(false);
        play.go_to(from);
        let mut ahead = Ahead::new(self, play, 0, true);
        ahead.ponders = ponders.then_some(self.asker);
        let progress = ahead.run(play);
        // Who is picked is worth what it does then.
        let picked = progress == Progress::Stepped && play.table().checkpoint.next.leads_on();
        if picked && deep > 0 && play.prepare() == Progress::Stepped && play.table().acting() == self.asker {
            let then = play.checkpoint();
            return self.best(play, &then, ways, deep - 1);
        }
        if progress != Progress::Asks || matches!(self.until, Until::Question) {
            return self.mean(play, from, progress);
        }
        let options = answered(play);
        let count = options.len();
        let looked = ways.min(count);
        let mut best: Option<Worth> = None;
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

    /// What a position comes to whose step has been run, with other throws of the dice too.
    fn mean(
        &mut self,
        play: &mut Play,
        from: &Checkpoint,
        begun: Progress,
    ) -> Result<Option<Worth>, Problems> {
        let Some(first) = self.through(play, 0, begun)? else {
            return Ok(None);
        };
        let mut worth = Worth { sum: first, of: 1 };
        if self.thrown.get() {
            for throw in 1..THROWS {
                play.go_to(from);
                let begun = Ahead::new(self, play, throw, true).run(play);
                if let Some(other) = self.through(play, throw, begun)? {
                    worth = Worth {
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
                (Progress::Asks, Until::Question) => {
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
                (Progress::Stepped, Until::End(phase)) if steps < STEPS => {
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
            let mut ahead = Ahead::new(self, play, throw, false);
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
            if Ahead::new(self, play, throw, false).run(play) != Progress::Stepped {
                continue;
            }
            let worth = self.worth(play, asker)?;
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, next));
            }
        }
        Ok(best.map(|(_, next)| next))
    }

    /// What the table is worth to a faction, with what it has gathered done.
    fn worth(&self, play: &Play, faction: FactionId) -> Result<i64, Problems> {
        self.worth_of(play, faction, play.preview(faction))
    }

    fn worth_of(&self, play: &Play, faction: FactionId, world: World) -> Result<i64, Problems> {
        match world.outcome.filter(|_| world.decided).map(|o| o.winner) {
            Some(Some(winner)) => Ok(if winner == faction { WON } else { -WON }),
            Some(None) => Ok(0),
            None => Ok(play.worth(faction, world)?.clamp(-WON, WON)),
        }
    }
}

/// What one of the throws shows of a die: the sides in an order of the key's own.
fn spread(key: Key, throw: usize, sides: i64) -> i64 {
    let mut order: [usize; THROWS] = std::array::from_fn(|n| n);
    for last in (1..THROWS).rev() {
        order.swap(last, key.with(last as u64).below(last + 1));
    }
    1 + order[throw] as i64 * sides / THROWS as i64
}

/// Answers with first options and throws dice of its own while somebody looks ahead.
struct Ahead {
    /// Whose questions wait, because it looks into them.
    ponders: Option<FactionId>,
    /// Everybody's questions wait: they are answered at a glance.
    glances: bool,
    /// What the first rolls show.
    seen: Rc<[Pool]>,
    rolled: usize,
    key: Key,
    throw: usize,
    thrown: Rc<Cell<bool>>,
}

impl Ahead {
    fn new(far: &Far, play: &Play, throw: usize, now: bool) -> Self {
        const NAME: u64 = text_hash("greedy agent");
        let step = u64::from(play.table().checkpoint.ordinal);
        Self {
            ponders: None,
            glances: false,
            seen: if now { Rc::clone(&far.seen) } else { Rc::new([]) },
            rolled: 0,
            key: Key::new(far.seed ^ NAME).with(step),
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

impl Source for Ahead {
    fn answer(&mut self, asked: &Asked<'_>) -> Reply {
        let pick = asked.request.step.pick > 0;
        let waits = self.glances || self.ponders == Some(asked.request.asker) && !pick;
        if waits { Reply::Wait } else { Reply::Take(0) }
    }

    fn rolls(&mut self, roll: &Rolling<'_>) -> Option<Pool> {
        self.rolled += 1;
        if let Some(seen) = self.seen.get(self.rolled - 1) {
            return Some(seen.clone());
        }
        self.thrown.set(true);
        let key = self.key.with_text(roll.label).with(self.rolled as u64);
        let dice = (0..roll.dice).map(|die| spread(key.with(die as u64), self.throw, roll.sides));
        Pool::new(&dice.collect::<Vec<i64>>())
    }
}
