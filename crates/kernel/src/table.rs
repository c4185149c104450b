//! The table: the world of the running step, what is asked, and every record of it.
//!
//! Rules act on the table only through [`Table::choose`], [`Table::roll`] and [`Table::perform`].
//! Once a question is pending, none of them does anything any more, so a step can be unwound from
//! any depth and run again from its start when the answer is there.

use super::choice::{NamedOption, OfferedOption, OptionSet, Request, StepId};
use super::dice::{MAX_SIDES, RollKey};
use super::dice_access::DiceRead;
use super::effect::{self, Effect, GatheredEffects};
use super::event::{ACTIVATES, CARD, Event, PASS};
use super::ids::{Cause, FactionId, RecordedThing, Thing, TypeId, UnitId, WordId};
use super::phase::{Phase, PhaseBody};
use super::rules::{NameHashes, Rules, Words};
use super::schedule::{DeckCard, NextStep, TurnCandidates};
use super::spot::{Point, Spot};
use super::tally::Tally;
use super::throws;
use super::world::World;
use std::cell::Cell;
use std::sync::Arc;

mod asking;
mod batch;
pub mod chance;
mod position;
mod questions;
mod reactions;
mod rolling;
mod secrets;
mod view;

use chance::Chance;
pub use position::{Forced, Position};
pub use questions::{AnswerError, Answerer, NoAnswerer, PendingRoll, PendingThrow, Question, Reply};
pub use reactions::PendingReaction;
use reactions::{ChangedSlot, EngagementBefore, UnitBefore};
pub use view::View;

/// Why the rules cannot go on within a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// A question waits for its answer.
    Waiting,
    /// A stored answer does not fit, or one is missing: why.
    Diverged(AnswerError),
    /// The stored answer is not offered any more.
    NotOffered(NamedOption),
    /// The rules did something that cannot be: why, in one sentence.
    Rule(String),
}

/// Returns the error for an impossible action, with the reason in one sentence.
fn refused<T>(why: impl Into<String>) -> Result<T, Halt> {
    Err(Halt::Rule(why.into()))
}

/// At most this many lines has the record of a game, and at most this many effects wait for the end of a
/// simultaneous phase: far more than any game that ends.
pub const MAX_EVENTS: usize = 1_000_000;
/// At most this many lines of what scripts print are kept.
pub const MAX_PRINTED: usize = 1_000;

/// Parts of a game, besides its state, that a table keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keeps {
    /// The record: all events.
    pub record: bool,
    /// The start of the running step, with its answers. Without it a step cannot run again.
    pub way_back: bool,
}

impl Keeps {
    /// All, for whoever looks.
    pub const ALL: Self = Self {
        record: true,
        way_back: true,
    };
    /// Nothing: the game goes on to its end, whatever comes.
    pub const NOTHING: Self = Self {
        record: false,
        way_back: false,
    };
}

/// Somebody who hears of events as they happen.
pub type Listener = Box<dyn FnMut(&Event, &Words)>;

/// The state that scripts act on. See the module's comment.
pub struct Table {
    /// The game's declared data.
    pub rules: Arc<Rules>,
    /// The words of labels, causes and options. Lowered code holds their ids.
    pub words: Words,
    hashes: NameHashes,
    /// The live world of the running step.
    pub world: World,
    /// Everything that happened, where it is kept.
    pub events: Vec<Event>,
    /// Number of events that happened and are not kept.
    unkept: usize,
    keeps: Keeps,
    /// Hears of the events that are not kept.
    pub listener: Option<Listener>,
    /// Options offered at each choice, by the index of its event; `None` where they are not kept.
    pub offers: Option<Vec<(usize, Vec<String>)>>,
    /// Lines printed by scripts, for their authors; no part of the transcript. At most [`MAX_PRINTED`] lines.
    pub printed: Vec<String>,
    /// The checkpoint of the running step.
    pub checkpoint: Position,
    /// Effects that wait for the end of the simultaneous phase.
    pub gathered: Vec<GatheredEffects>,
    /// Hooks that follow from what was just done.
    pub due: Vec<PendingReaction>,
    /// Causes of the running hook, in the order of the events; empty outside a hook that follows from effects.
    pub follows: Vec<Cause>,
    /// Source that answers at once.
    pub source: Box<dyn Answerer>,
    /// The question that is pending, or the last one.
    pub request: Request,
    /// All that decides dice, besides the seed and whoever answers.
    pub chance: Chance,
    /// Whether rules may change anything now; expressions of users may not.
    pub read_only: bool,
    /// Set when a script reads the record: then a position alone does not say what follows.
    pub record_read: Cell<bool>,
    /// Whether the world may differ from that at the start of the step.
    altered: bool,
    /// The world at the start of a hidden phase that is over: room for the next one's.
    spare: Option<Arc<World>>,
    run: Running,
    /// By word.
    known_words: Vec<u8>,
    activates: WordId,
    pass: WordId,
    next: WordId,
    card: WordId,
}

/// Progress of the running step.
#[derive(Default)]
struct Running {
    /// Event count at the start of the step.
    mark: usize,
    gathered_mark: usize,
    printed_mark: usize,
    asked: usize,
    /// Number of times that each of the step's questions was answered, and each of its rolls made.
    questions: Tally<(FactionId, RecordedThing, WordId)>,
    /// Numbers to be shown with the step's next question, in thousandths, each with its name.
    beside: Vec<(WordId, i64)>,
    rolls: Tally<(RecordedThing, WordId)>,
    step_logged: bool,
    /// The same for a question or roll while gathered effects are applied.
    close_logged: bool,
    halt: Option<Halt>,
    exclusive: Option<WordId>,
    /// The group that effects are gathered in, and what it is about.
    group: (u32, Thing),
    applying: bool,
    /// The group of the effect that is being applied at the end of a phase.
    applied_group: u32,
    /// Changes that the current batch made to slots with a waiting hook.
    changed: Vec<ChangedSlot>,
    /// Units as they were before the batch that is applied, as far as it moves them or somebody wants to know
    /// their contact.
    before: Vec<UnitBefore>,
    /// The units that were engaged before the batch that is applied; `None` when nobody wants to
    /// know, or nobody comes to stand elsewhere in it.
    engaged_before: Option<EngagementBefore>,
}

impl Table {
    /// An empty table of a game.
    pub fn new(rules: Arc<Rules>) -> Self {
        let world = World::new(&rules);
        let mut words = Words::default();
        let activates = words.intern(ACTIVATES);
        let [pass, next, card] = [PASS, "next", CARD].map(|word| words.intern(word));
        Self {
            checkpoint: Position::start(world.clone(), false, 0, 0),
            hashes: NameHashes::of(&rules),
            rules,
            words,
            world,
            events: Vec::new(),
            unkept: 0,
            keeps: Keeps::ALL,
            listener: None,
            offers: None,
            printed: Vec::new(),
            gathered: Vec::new(),
            due: Vec::new(),
            follows: Vec::new(),
            source: Box::new(NoAnswerer),
            request: Request::default(),
            chance: Chance::default(),
            read_only: false,
            record_read: Cell::new(false),
            altered: true,
            spare: None,
            run: Running::default(),
            known_words: Vec::new(),
            activates,
            pass,
            next,
            card,
        }
    }

    /// Lays a position on the table; its step begins anew with the answers that it holds. Events
    /// so far stay.
    pub fn load(&mut self, position: &Position) {
        self.checkpoint.clone_from(position);
        self.unkept = 0;
        self.chance.misstated = None;
        self.gathered.clone_from(&position.gathered);
        self.run.mark = self.events.len();
        self.run.gathered_mark = self.gathered.len();
        self.run.printed_mark = self.printed.len();
        self.restart();
    }

    /// Keeps this of the games that begin from here on, and what their rules need.
    pub fn keep(&mut self, keeps: Keeps) {
        let throws = self.rules.ground.dice().is_some();
        let mut phases = self.rules.phases.iter();
        // On a plane it matters who sees whom.
        let reads =
            |phase: &Phase| !phase.interrupts.is_empty() || phase.hidden && self.rules.plane().is_some();
        self.keeps = Keeps {
            record: keeps.record || throws || phases.any(reads),
            way_back: keeps.way_back || throws,
        };
    }

    /// Returns what is kept of the game.
    pub fn keeps(&self) -> Keeps {
        self.keeps
    }

    /// Returns the number of events so far, be they kept or not.
    pub fn event_count(&self) -> usize {
        self.events.len() + self.unkept
    }

    /// Something happened.
    #[inline]
    fn record(&mut self, event: Event) {
        match self.keeps.record {
            true => self.events.push(event),
            false => self.tell(&event),
        }
    }

    /// Something happened that is not kept.
    fn tell(&mut self, event: &Event) {
        self.unkept += 1;
        if let Some(listener) = &mut self.listener {
            listener(event, &self.words);
        }
    }

    /// Whether it is a game of unit types in which nobody has a unit.
    pub fn nobody_has_units(&self) -> bool {
        self.world.unit_count() == 0 && !self.rules.types.is_empty()
    }

    /// Forgets the texts that came to be known behind the first so many, which nobody may hold any more.
    pub fn forget_words(&mut self, known: usize) {
        self.words.cut(known);
        self.known_words.truncate(known);
    }

    /// Takes the running step back to its start; its answers stay.
    pub fn restart(&mut self) {
        self.world.clone_from(&self.checkpoint.world);
        self.altered = false;
        self.events.truncate(self.run.mark);
        self.printed.truncate(self.run.printed_mark);
        if self.checkpoint.next.is_close() {
            self.gathered.clone_from(&self.checkpoint.gathered);
        } else {
            self.gathered.truncate(self.run.gathered_mark);
        }
        self.due.clear();
        self.follows.clear();
        self.run.changed.clear();
        self.chance.used.clone_from(&self.checkpoint.rolls_used);
        self.chance.forced.clone_from(&self.checkpoint.forced);
        self.run.halt = None;
        self.run.applying = false;
        self.run.before.clear();
        self.run.engaged_before = None;
        self.begin_step();
    }

    /// Nothing was asked, rolled or recorded yet in the step.
    fn begin_step(&mut self) {
        self.run.asked = 0;
        self.run.questions.clear();
        self.run.beside.clear();
        self.run.rolls.clear();
        (self.run.step_logged, self.run.close_logged) = (false, false);
        self.start_group(self.checkpoint.ordinal, self.about());
    }

    /// Returns the number of the step's stored answers that were used in this run of it.
    pub fn answers_asked(&self) -> usize {
        self.run.asked
    }

    /// The position of the running step.
    pub fn position(&self) -> Position {
        let mut position = self.checkpoint.clone();
        if !self.checkpoint.next.is_close() {
            position.gathered.clear();
            position.gathered.extend_from_slice(self.gathered_before());
        }
        position
    }

    /// Returns the effects that were gathered before the running step.
    pub fn gathered_before(&self) -> &[GatheredEffects] {
        match self.checkpoint.next.is_close() {
            true => &self.checkpoint.gathered,
            false => &self.gathered[..self.run.gathered_mark],
        }
    }

    /// Returns the number of events before the running step.
    pub fn step_mark(&self) -> usize {
        self.run.mark
    }

    /// Moves on to the next step and makes it the checkpoint.
    pub fn next_step(&mut self) -> &NextStep {
        if self.checkpoint.cursor.is_interrupted() {
            let happened = self.events.get(self.run.mark..).unwrap_or_default();
            let cursor = &mut self.checkpoint.cursor;
            cursor.interrupt(&self.rules, &self.world, happened);
        }
        loop {
            let next = self.checkpoint.cursor.next(&self.rules, &mut self.world);
            self.altered |= std::mem::take(&mut self.checkpoint.cursor.changed);
            match next {
                NextStep::Begin {
                    phase,
                    iteration,
                    hides,
                } => {
                    if self.is_full() {
                        self.checkpoint.next = NextStep::Endless { phase };
                        return &self.checkpoint.next;
                    }
                    self.record(Event::Phase { phase, iteration });
                    if hides && self.keeps.record {
                        self.hide();
                    }
                }
                NextStep::Reveal => {
                    self.spare = self.checkpoint.hidden_start.take();
                }
                _ => {
                    let checkpoint = &mut self.checkpoint;
                    // Many a step changes nothing: the next one starts from the same world.
                    let same = !self.altered && matches!(next, NextStep::Pick { .. } | NextStep::Step { .. });
                    self.altered = false;
                    checkpoint.step = checkpoint.cursor.step_id(&next, &self.world);
                    let closes = next.is_close();
                    checkpoint.next = next;
                    if !same && self.keeps.way_back {
                        checkpoint.world.clone_from(&self.world);
                    }
                    debug_assert!(!self.keeps.way_back || checkpoint.world == self.world);
                    if !self.chance.used.is_empty() {
                        checkpoint.rolls_used.clone_from(&self.chance.used);
                    }
                    if !checkpoint.forced.is_empty() || !self.chance.forced.is_empty() {
                        checkpoint.forced.clone_from(&self.chance.forced);
                    }
                    checkpoint.ordinal = checkpoint.ordinal.wrapping_add(1);
                    checkpoint.answers.clear();
                    checkpoint.gathered.clear();
                    if closes {
                        checkpoint.gathered.extend_from_slice(&self.gathered);
                    }
                    self.run.mark = self.events.len();
                    self.run.gathered_mark = self.gathered.len();
                    self.run.printed_mark = self.printed.len();
                    self.begin_step();
                    return &self.checkpoint.next;
                }
            }
        }
    }

    /// Keeps the world as it is when a hidden phase begins.
    fn hide(&mut self) {
        let mut start = self.spare.take().unwrap_or_else(|| Arc::new(self.world.clone()));
        match Arc::get_mut(&mut start) {
            Some(room) => room.clone_from(&self.world),
            None => start = Arc::new(self.world.clone()),
        }
        self.checkpoint.hidden_start = Some(start);
    }

    /// The faction that acts in the running step: the owner of its subject, or the first faction.
    pub fn acting(&self) -> FactionId {
        if let NextStep::Pick { faction, .. } = self.checkpoint.next {
            return faction;
        }
        let about = self.world.who(self.about());
        about.faction().unwrap_or(self.world.in_order(0))
    }

    /// Returns the subject of the running step.
    pub fn about(&self) -> Thing {
        match self.checkpoint.next {
            NextStep::Step { about, .. } => about,
            _ => Thing::Game,
        }
    }

    /// Why the running step cannot go on, if it cannot.
    pub fn halt(&self) -> Option<&Halt> {
        self.run.halt.as_ref()
    }

    /// Stops the running step: nothing changes, rolls or asks any more until it is restarted.
    pub fn stop(&mut self, halt: Halt) -> Halt {
        self.run.halt.get_or_insert(halt).clone()
    }

    /// Puts another reason to halt, or none, in the place of the present one, which it returns; for
    /// those who only look.
    pub fn set_halt(&mut self, halt: Option<Halt>) -> Option<Halt> {
        std::mem::replace(&mut self.run.halt, halt)
    }

    fn start_group(&mut self, group: u32, about: Thing) {
        self.run.group = (group, about);
        self.run.exclusive = None;
    }

    /// Starts a new group of gathered effects about this thing, for a hook that follows from a batch; returns the
    /// group.
    pub fn next_group(&mut self, about: Thing) -> u32 {
        self.start_group(self.run.group.0.wrapping_add(1), about);
        self.run.group.0
    }

    /// That something can be done now: the position is not only read, nothing is asked, and the record has room.
    ///
    /// # Errors
    ///
    /// Why nothing can.
    #[inline]
    pub fn check(&self) -> Result<(), Halt> {
        match self.read_only || self.run.halt.is_some() || self.is_full() {
            true => self.refuse(),
            false => Ok(()),
        }
    }

    /// Why nothing can be done.
    #[cold]
    fn refuse(&self) -> Result<(), Halt> {
        if self.read_only {
            return refused("the position can only be read here, not changed".to_owned());
        }
        match &self.run.halt {
            Some(halt) => Err(halt.clone()),
            None => refused(format!(
                "the record of the game is full: it has at most {MAX_EVENTS} lines"
            )),
        }
    }

    /// Whether the record has no room for more.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.event_count() >= MAX_EVENTS || self.gathered.len() >= MAX_EVENTS
    }

    /// Returns the cost that the running activation takes before it begins, with its cause; `None` when it takes
    /// nothing.
    #[inline]
    pub fn price(&self) -> Option<(Effect, Cause)> {
        let Thing::Unit(unit) = self.about() else {
            return None;
        };
        let price = self.checkpoint.cursor.price(&self.rules, &self.world, unit);
        let (of, slot, cost) = price?;
        Some(taken(of, slot, cost, self.activates))
    }

    /// Returns the effect that takes away the card that decided whose turn it is, with its cause.
    pub fn price_of(&self, card: DeckCard) -> Option<(Effect, Cause)> {
        card.from.map(|(of, slot)| taken(of, slot, 1, self.card))
    }

    /// Decides whose turn it is: a card is drawn, a die with a side for each, or somebody is asked. `None` when
    /// there is nobody.
    pub fn decide_turn(&mut self) -> Result<Option<DeckCard>, Halt> {
        let rules = Arc::clone(&self.rules);
        let who = self.checkpoint.cursor.who_may(&rules, &self.world);
        Ok(match who {
            TurnCandidates::Ask(factions) => {
                let list = self.request.options.offer(None, OptionSet::List);
                list.extend(factions.into_iter().map(OfferedOption::Faction));
                match self.choose(self.arbiter(), Thing::Game, self.next)? {
                    OfferedOption::Faction(faction) => Some(DeckCard::turn(faction)),
                    _ => None,
                }
            }
            TurnCandidates::Draw(cards) => {
                let all = cards
                    .iter()
                    .fold(0, |all: i64, card| all.saturating_add(card.count));
                if all > MAX_SIDES {
                    return refused(format!(
                        "a card is drawn from at most {MAX_SIDES}, and there are {all}"
                    ));
                }
                let mut drawn = match all {
                    ..=1 => 1,
                    _ => {
                        let (dice, mark) = self.roll(Thing::Game, self.card, 1, all)?;
                        if let Some(recorder) = self.world.dice_recorder() {
                            recorder.look_at(mark, DiceRead::WHOLE);
                        }
                        dice.get(0).unwrap_or(1)
                    }
                };
                cards.into_iter().find(|card| {
                    drawn -= card.count;
                    drawn <= 0
                })
            }
        })
    }

    /// On record: a unit is not removed, and why.
    ///
    /// # Errors
    ///
    /// The table has halted, or the reason is no one line.
    pub fn spare(&mut self, unit: UnitId, reason: WordId, cause: Cause) -> Result<(), Halt> {
        self.check()?;
        self.check_line(reason)?;
        let unit = self.world.name(unit);
        self.log(Event::Spared { unit, reason, cause });
        Ok(())
    }

    /// Whether what is done now waits for the end of a simultaneous phase.
    #[inline]
    pub fn gathers(&self) -> bool {
        self.checkpoint.cursor.gathers() && !self.run.applying
    }

    /// Makes an effect happen now, or gathers it in a simultaneous phase. What follows from it
    /// is put into [`Self::due`].
    pub fn perform(&mut self, mut effect: Effect, cause: Cause) -> Result<(), Halt> {
        self.check()?;
        if let Some(word) = cause.word {
            self.check_line(word)?;
        }
        if let Effect::Finish(outcome) = effect {
            self.check_line(outcome.reason)?;
        }
        if self.rules.plane().is_some()
            && let Some(ordered) = effect::with_terrain_order(&self.rules, &self.world, effect)
        {
            effect = ordered;
        }
        let gathers = self.gathers();
        // Others may make room in a set or list in the same phase.
        let waits = gathers && matches!(effect, Effect::Insert(..));
        if !waits && let Some(why) = effect::refusal(&self.rules, &self.world, effect) {
            return refused(why);
        }
        match effect {
            _ if gathers => self.gather(effect, cause),
            Effect::Put(unit, Spot::Point(_)) | Effect::Lie(unit, _) if self.world.is_alive(unit) => {
                return self.come_to_rest(unit, effect, cause);
            }
            Effect::Become(unit, kind) => return self.change_kind(unit, kind, cause),
            Effect::Put(..) | Effect::Own(..) if !self.run.applying => {
                if let Some(why) = effect::crowding(&self.rules, &self.world, effect) {
                    return refused(why);
                }
                self.apply(effect, cause);
            }
            _ => self.apply(effect, cause),
        }
        Ok(())
    }

    /// Keeps an effect until the end of the simultaneous phase.
    fn gather(&mut self, effect: Effect, cause: Cause) {
        let (group, about) = self.run.group;
        let about = self.world.who(about);
        let faction = cause.by.faction().or(about.faction());
        self.gathered.push(GatheredEffects {
            effect,
            cause,
            faction: faction.unwrap_or_else(|| self.acting()),
            group,
            about,
            phase: self.checkpoint.step.phase,
            exclusive: match effect {
                Effect::Finish(outcome) => Some(outcome.contest),
                _ => self.run.exclusive,
            },
        });
    }

    /// Puts a unit to a point of a plane, or lays a die down, where it has room there.
    fn come_to_rest(&mut self, unit: UnitId, effect: Effect, cause: Cause) -> Result<(), Halt> {
        let applying = self.run.applying;
        let (full, why) = match effect {
            Effect::Lie(unit, pose) => {
                let why = throws::check_rest(&self.rules, &self.world, unit, pose);
                (pose.point(), why)
            }
            Effect::Put(unit, Spot::Point(point)) => (point, self.check_stand(&self.world, unit, point)),
            _ => return Ok(()),
        };
        let Err(why) = why else {
            self.apply(effect, cause);
            return Ok(());
        };
        // Whoever could not see who is there could not know better.
        let unseen = !applying && matches!(effect, Effect::Put(..)) && {
            let view = self.view(Some(self.world.unit(unit).owner));
            !view.is_whole() && self.check_stand(&view.world(), unit, full).is_ok()
        };
        if unseen {
            self.log_step();
        }
        match applying || unseen {
            true => self.stays(unit, full.into(), cause),
            false => return refused(why),
        }
        Ok(())
    }

    /// A unit becomes one of another type, which needs room where it is; a die lies flat there.
    fn change_kind(&mut self, unit: UnitId, kind: TypeId, cause: Cause) -> Result<(), Halt> {
        let mut pose = None;
        if let (Some(_), Some(at)) = (self.rules.plane(), self.world.point(unit))
            && let Some(name) = self.world.next_name(self.world.unit(unit).owner, kind)
            && self.world.unit(unit).kind != kind
        {
            let mut world = self.world.clone();
            world.rename(unit, name);
            pose = throws::put_down(&self.rules, &world, unit, at);
            let fits = match pose {
                Some(pose) => throws::check_rest(&self.rules, &world, unit, pose),
                None => self.check_stand(&world, unit, at),
            };
            fits.or_else(refused)?;
        }
        self.apply(Effect::Become(unit, kind), cause);
        if let Some(pose) = pose {
            self.apply(Effect::Lie(unit, pose), cause);
        }
        Ok(())
    }

    fn check_stand(&self, world: &World, unit: UnitId, at: Point) -> Result<(), String> {
        self.rules.ground.check_stand(&(&*self.rules, world), unit, at)
    }

    /// On record: a unit stays where it is, since there is no room left where it would have come.
    pub fn stays(&mut self, unit: UnitId, full: Spot, cause: Cause) {
        self.log(Event::Stayed {
            unit: self.world.name(unit),
            place: self.world.spot(unit),
            full,
            cause,
        });
    }

    /// From now on, this step's effects cannot happen together with those of another step that
    /// says the same word. In a hook that follows from a batch: this hook's, with another's.
    pub fn exclusive(&mut self, word: WordId) {
        self.run.exclusive = Some(word);
    }

    fn apply(&mut self, effect: Effect, cause: Cause) {
        self.altered = true;
        let mut slot = None;
        match effect {
            Effect::Add(thing, index, _) | Effect::Set(thing, index, _) => {
                let own = &self.rules.slots.of(thing)[index as usize];
                if own.at_zero.or(own.fell).or(own.rose).is_some() {
                    slot = Some((thing, index, self.world.recorded(thing, index as usize)));
                }
            }
            Effect::Disband(faction) => {
                let gone = self.world.owned(faction);
                self.run.before.retain(|b| !gone.contains(b.unit));
                if let Some(before) = &mut self.run.engaged_before {
                    before.engaged = &before.engaged - &gone;
                }
            }
            _ => {}
        }
        self.note_before(effect, cause);
        let event = effect::apply(&self.rules, &mut self.world, effect, cause);
        if event.is_some() || !self.rules.phases[self.checkpoint.step.phase as usize].quiet {
            self.log_step();
        }
        if let Some(event) = event {
            self.record(event);
        }
        if let Some((about, slot, before)) = slot
            && self.exists(about)
        {
            self.follow_slot(about, slot, before, cause);
        }
        if !self.run.applying && (!self.run.before.is_empty() || self.run.engaged_before.is_some()) {
            self.follow_units();
        }
    }

    /// Whether a thing is there for hooks to be about it: units that are removed are not.
    pub(super) fn exists(&self, thing: Thing) -> bool {
        !matches!(thing, Thing::Unit(unit) if !self.world.is_alive(unit))
    }

    /// The faction that decides the order of what cannot happen together.
    pub fn arbiter(&self) -> FactionId {
        self.world.in_order(self.rules.arbiter)
    }

    /// Whether there is room for another line that a script prints.
    pub fn is_printed(&self) -> bool {
        self.printed.len() <= MAX_PRINTED
    }

    /// Keeps a line that a script prints.
    pub fn print(&mut self, line: String) {
        match self.printed.len() {
            MAX_PRINTED => self.printed.push(format!(
                "({MAX_PRINTED} lines were printed; what follows is left out)"
            )),
            n if n < MAX_PRINTED => self.printed.push(line),
            _ => {}
        }
    }

    /// Records what is no effect: a roll, say.
    fn log(&mut self, event: Event) {
        self.log_own_step();
        self.record(event);
    }

    /// Records the step before an answer or a roll in it.
    #[inline]
    fn log_own_step(&mut self) {
        self.log_step();
        // What is applied at the end of a phase follows from its steps; what is asked then is a
        // step of its own, by which the answer is found again.
        if self.checkpoint.next.is_close() && !self.run.close_logged {
            self.run.close_logged = true;
            self.record(Event::Step(self.checkpoint.step));
        }
    }

    /// Records the step itself before the first thing that happens in it. Picks and activations
    /// are recorded by the pick.
    fn log_step(&mut self) {
        if self.run.step_logged {
            return;
        }
        self.run.step_logged = true;
        if self.is_step_told() {
            self.record(Event::Step(self.checkpoint.step));
        }
    }

    /// Whether the step has a line of its own before what happens in it.
    fn is_step_told(&self) -> bool {
        let step = &self.checkpoint.step;
        let turn = matches!(
            self.rules.phases[step.phase as usize].work,
            PhaseBody::Turn { .. }
        );
        let own = step.interrupts.is_some() || matches!(self.checkpoint.next, NextStep::Turn);
        own || !turn && !self.checkpoint.next.is_close()
    }

    /// The answers of the step as they are recorded, where they are not: a step whose rules fail is
    /// taken back, and its answers stay.
    pub fn answers_of_failed_step(&self) -> Vec<Event> {
        let checkpoint = &self.checkpoint;
        if checkpoint.answers.is_empty() || self.events.len() > self.run.mark {
            return Vec::new();
        }
        let step_recorded = self.is_step_told() || checkpoint.next.is_close();
        let step = step_recorded.then_some(Event::Step(checkpoint.step));
        let answers = checkpoint.answers.iter().copied().map(Event::Chose);
        step.into_iter().chain(answers).collect()
    }
}

/// Returns the effect that takes the cost of an activation or a card, with its cause.
fn taken(of: Thing, slot: u8, cost: i64, word: WordId) -> (Effect, Cause) {
    let cause = Cause {
        word: Some(word),
        by: RecordedThing::Game,
    };
    (Effect::Add(of, slot, -cost), cause)
}

/// A key with a step mixed in, by names and counts alone.
pub fn step_key(hashes: &NameHashes, key: RollKey, step: StepId) -> RollKey {
    let path = step.path.iter().fold(0u64, |path, &n| path << 16 | u64::from(n));
    let phase = hashes.phases[step.phase as usize].rotate_left(17);
    let key = key
        .with(path)
        .with(phase ^ who_hash(hashes, step.about) ^ u64::from(step.pick) << 40);
    match (step.again, step.interrupts) {
        (0, None) => key,
        (again, None) => key.with(again.into()),
        (again, Some(cut)) => {
            let which = u64::from(again) << 8 | u64::from(cut.index);
            key.with(who_hash(hashes, RecordedThing::Unit(cut.after)))
                .with(which)
        }
    }
}

/// A number for a thing, by name: hashes of its parts, turned so that equal parts do not cancel out.
pub fn who_hash(hashes: &NameHashes, who: RecordedThing) -> u64 {
    match who {
        RecordedThing::Game => 0,
        RecordedThing::Faction(f) => hashes.factions[f.index()] ^ 1,
        RecordedThing::Place(p) => hashes.places[p.index()] ^ 2,
        RecordedThing::Unit(u) => {
            let kind = hashes.types[u.kind.index()].rotate_left(29);
            hashes.factions[u.owner.index()] ^ kind ^ u64::from(u.nth) << 8 ^ 3
        }
    }
}
