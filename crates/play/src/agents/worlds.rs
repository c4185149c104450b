//! Worlds that a faction takes for possible where slots or units are hidden: the same game again, in which what the
//! faction does not see came out otherwise.
//!
//! The game is played again from its start. What the faction has seen answered and rolled is taken from the record;
//! what it has not is drawn. A step whose visible events differ from the record is tried again with other draws, and
//! the game is given up where none fits. So a world depends on what the faction sees, and on nothing else.

use super::mcts::{SearchQuestion, asking};
use crate::kernel::choice::{NamedOption, OfferedOption, StepId};
use crate::kernel::dice::{Pool, RollKey, text_hash};
use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, PlaceId, Thing, UnitId, WordId};
use crate::kernel::rules::Rules;
use crate::kernel::table::{Answerer, PendingRoll, Question, Reply};
use crate::kernel::world::World;
use crate::play::{Checkpoint, Play, Progress};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Maximum number of draws for the steps that are compared together.
const DRAWS: u64 = 32;
/// Maximum number of games for each world that is wanted.
const GAMES: usize = 8;
/// Maximum number of steps of all games together.
const STEPS: usize = 40_000;

/// Note on an answer that was found without possible worlds.
pub const NONE_FOUND: &str = "; no world was found that fits what it sees, so what is hidden was left out";

/// A world that is possible, at the question that waits.
pub struct PossibleWorld {
    /// Start of the open step, with the answers given in it.
    pub checkpoint: Checkpoint,
    /// Results of its rolls before the question.
    pub seen: Arc<[Pool]>,
    /// The record.
    pub events: Vec<Event>,
}

/// Returns up to so many worlds that fit what the faction has seen, which is asked now. None if nothing is hidden from
/// it whatever the phase, or if no world was found.
pub fn possible(play: &mut Play, asker: FactionId, most: usize) -> Vec<PossibleWorld> {
    let view = play.table().view(Some(asker));
    let question = play.with_question(|a| (asking(a.request, a.world.who(a.request.subject)), options(a)));
    let (Some((root, options)), Some(opening), true) = (question, play.opening(), view.has_lasting_secrets())
    else {
        return Vec::new();
    };
    let events = || view.events().filter(|(index, _)| *index >= opening.events);
    let since = view.since();
    let in_phase = since.map_or(usize::MAX, |since| {
        events().take_while(|(index, _)| *index <= since).count()
    });
    let known: Vec<Event> = events().map(|(_, event)| event.into_owned()).collect();
    const NAME: u64 = text_hash("possible worlds");
    let key = RollKey::new(opening.position.seed ^ NAME).with(known.len() as u64);
    let mut search = WorldSearch {
        known: Rc::new(known),
        in_phase,
        asker,
        root,
        options,
        left: STEPS,
    };
    play.suppose(|play| {
        let record = play.events();
        let mut worlds = Vec::new();
        for game in 0..most * GAMES {
            if worlds.len() == most || search.left == 0 {
                break;
            }
            worlds.extend(search.game(play, &opening, key.with(game as u64)));
        }
        play.table_mut().events = record;
        worlds
    })
}

/// The options of a question, each by its key and its identity.
fn options(question: &Question<'_>) -> Vec<(String, u64)> {
    let options = question.request.options.iter();
    options
        .map(|option| (question.key(option), option.identity()))
        .collect()
}

/// Knowledge of the faction that is asked.
struct WorldSearch {
    /// The events that it sees, and how many of them came before the open hidden phase.
    known: Rc<Vec<Event>>,
    in_phase: usize,
    asker: FactionId,
    root: SearchQuestion,
    options: Vec<(String, u64)>,
    /// Number of steps that may still be played.
    left: usize,
}

impl WorldSearch {
    /// Plays a game up to the question; `None` if it comes out otherwise than what is known.
    fn game(&mut self, play: &mut Play, opening: &Checkpoint, key: RollKey) -> Option<PossibleWorld> {
        let rules = Arc::clone(&play.table().rules);
        let dealt = |world: &World| Ok::<_, ()>(dealt(&rules, world, self.asker, key));
        let opening = Checkpoint::new(opening.position.with_worlds(dealt).ok()?, opening.events);
        play.go_to(&opening);
        let mut at = 0;
        loop {
            let from = play.table().events.len();
            if play.prepare() != Progress::Stepped {
                return None;
            }
            let begun = play.table().events.get(from..)?;
            if !self.known.get(at..)?.starts_with(begun) {
                return None;
            }
            at += begun.len();
            let start = play.checkpoint();
            let mut draws = 0;
            at = loop {
                let draw = Rc::new(RefCell::new(Draw {
                    known: Rc::clone(&self.known),
                    at,
                    asker: self.asker,
                    root: self.root,
                    key: key
                        .with(at as u64)
                        .with(start.position.ordinal.into())
                        .with(draws),
                    drawn: 0,
                    step: start.position.step,
                    labels: Vec::new(),
                }));
                let progress = self.steps(play, &draw);
                let view = play.table().view(Some(self.asker));
                let seen = view.events_after(&start.position.world, start.events, at >= self.in_phase);
                let end = at + seen.len();
                let fits = self
                    .known
                    .get(at..end)
                    .is_some_and(|known| seen.iter().zip(known).all(|(a, b)| **a == *b));
                match progress {
                    Progress::Stepped if fits => break end,
                    Progress::Asks if fits && end == self.known.len() && self.is_asked(play) => {
                        return Some(PossibleWorld {
                            checkpoint: play.checkpoint(),
                            seen: play.rolls_seen().into(),
                            events: play.events(),
                        });
                    }
                    _ => {}
                }
                draws += 1;
                if draw.borrow().drawn == 0 || draws == DRAWS || self.left == 0 {
                    return None;
                }
                play.go_to(&start);
            };
        }
    }

    /// Plays the steps that are compared together: one, but a pick with what it leads to, and all of a phase that
    /// gathers effects.
    fn steps(&mut self, play: &mut Play, draw: &Rc<RefCell<Draw>>) -> Progress {
        loop {
            {
                let mut draw = draw.borrow_mut();
                draw.step = play.table().checkpoint.step;
                draw.labels.clear();
            }
            self.left = self.left.saturating_sub(1);
            play.set_source(Box::new(Drawn(Rc::clone(draw))));
            let progress = play.advance();
            play.clear_source();
            let checkpoint = &play.table().checkpoint;
            let goes_on = checkpoint.next.leads_on() || checkpoint.cursor.gathers();
            if progress != Progress::Stepped || !goes_on || self.left == 0 {
                return progress;
            }
            match play.prepare() {
                Progress::Stepped => {}
                other => return other,
            }
        }
    }

    /// Whether the question is asked, with the same options.
    fn is_asked(&self, play: &Play) -> bool {
        let now = play.with_question(|a| {
            asking(a.request, a.world.who(a.request.subject)) == self.root && options(a) == self.options
        });
        now == Some(true)
    }
}

/// Source of the answers and rolls of some steps: what is known, and draws for the rest.
struct Draw {
    known: Rc<Vec<Event>>,
    at: usize,
    asker: FactionId,
    root: SearchQuestion,
    key: RollKey,
    drawn: u64,
    /// The step that runs, and the labels of its rolls so far.
    step: StepId,
    labels: Vec<WordId>,
}

struct Drawn(Rc<RefCell<Draw>>);

impl Draw {
    fn key(&mut self) -> RollKey {
        self.drawn += 1;
        self.key.with(self.drawn)
    }

    /// The events of the step that runs which are known.
    fn of_step(&self) -> impl Iterator<Item = &Event> {
        let (mut within, mut picks) = (true, 0);
        let phase = |event: &&Event| !matches!(event, Event::Phase { .. });
        self.known[self.at..]
            .iter()
            .take_while(phase)
            .filter(move |event| {
                match event {
                    Event::Step(step) => within = *step == self.step,
                    Event::Chose(answer) if answer.step.pick > 0 => {
                        picks += 1;
                        within &= picks == 1;
                    }
                    _ => {}
                }
                within
            })
    }
}

impl Answerer for Drawn {
    fn answer(&mut self, question: &Question<'_>) -> Reply {
        let draw = &mut *self.0.borrow_mut();
        let now = asking(question.request, question.world.who(question.request.subject));
        if now == draw.root {
            return Reply::Wait;
        }
        let known = draw.known[draw.at..].iter().find_map(|event| match event {
            Event::Chose(a) if (a.step, a.asker, a.subject, a.label, a.nth) == now => Some(a.chosen),
            _ => None,
        });
        let options = &question.request.options;
        match known {
            Some(chosen) => {
                let is = |option: OfferedOption| match chosen {
                    NamedOption::Many(hash) => text_hash(&question.key(option)) == hash,
                    chosen => option.chosen(question.world) == chosen,
                };
                match options.iter().position(is) {
                    Some(index) => Reply::Take(index),
                    None => Reply::Stop("another answer was given".to_owned().into()),
                }
            }
            None if question.request.asker == draw.asker => {
                Reply::Stop("another question was asked".to_owned().into())
            }
            None => Reply::Take(draw.key().below(options.len())),
        }
    }

    fn rolls(&mut self, roll: &PendingRoll<'_>) -> Option<Pool> {
        let draw = &mut *self.0.borrow_mut();
        let before = draw.labels.iter().filter(|label| **label == roll.word).count();
        draw.labels.push(roll.word);
        let known = draw.of_step().filter_map(|event| match event {
            Event::Rolled { label, dice, .. } if *label == roll.word => Some(dice.clone()),
            _ => None,
        });
        let known = known.into_iter().nth(before);
        known.or_else(|| Some(Pool::roll(draw.key(), roll.dice, roll.sides)))
    }
}

/// A world at the start of the game, in which what is hidden from a faction is dealt anew: the values of a slot among
/// the things of one faction, and the places of units among those that are free. A value that nothing else could have
/// is the starting value.
fn dealt(rules: &Rules, world: &World, viewer: FactionId, key: RollKey) -> World {
    let mut dealt = world.clone();
    let mut groups: BTreeMap<(u8, usize, Option<FactionId>), Vec<Thing>> = BTreeMap::new();
    for thing in world.things(rules) {
        let (kind, owner) = match thing {
            Thing::Game => (0, None),
            Thing::Faction(_) => (1, None),
            Thing::Place(_) => (2, None),
            Thing::Unit(unit) => (3, Some(world.unit(unit).owner)),
        };
        for slot in 0..rules.slots.of(thing).len() {
            if world.hides_slot(rules, thing, slot, viewer) {
                groups.entry((kind, slot, owner)).or_default().push(thing);
            }
        }
    }
    let mut drawn = 0;
    let mut below = |n: usize| {
        drawn += 1;
        key.with(drawn).below(n)
    };
    for ((_, slot, _), things) in groups {
        let mut values: Vec<i64> = things.iter().map(|thing| world.slot(*thing, slot)).collect();
        if let [only] = things[..] {
            values = vec![world.start_of(rules, only, &rules.slots.of(only)[slot])];
        }
        values.sort_unstable();
        for thing in things {
            let value = values.swap_remove(below(values.len()));
            dealt.set_slot(thing, slot, value);
        }
    }
    let on_board = world.on_board();
    let hidden = on_board
        .iter()
        .filter(|unit| world.hides_unit(rules, *unit, viewer));
    let hidden: Vec<UnitId> = hidden.collect();
    hidden.iter().for_each(|unit| dealt.reserve(*unit));
    if rules.plane().is_none() {
        let mut free: Vec<PlaceId> = dealt
            .ground()
            .iter()
            .filter(|place| dealt.at(*place).is_empty())
            .collect();
        for unit in hidden.into_iter().take(free.len()) {
            let place = free.swap_remove(below(free.len()));
            dealt.put(unit, place);
        }
    }
    dealt
}
