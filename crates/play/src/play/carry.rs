//! Carrying a position and its record from one ruleset to another, by names.
//!
//! When rules change while a game is on the table, ids of the old rules (types, places, phases,
//! slots, words) are translated into those of the new ones. Units keep their ids. What the new
//! rules no longer know is dropped where that hurts nobody, and refused in one sentence where the
//! game stands on it. This module decides nothing about the rules themselves.

use crate::description::Description;
use crate::kernel::choice::{Answer, Interrupts, NamedOption, StepId};
use crate::kernel::dice::Pool;
use crate::kernel::effect::{Effect, GatheredEffects};
use crate::kernel::event::{Event, SlotItem};
use crate::kernel::ids::{
    Cause, FactionId, PlaceId, RecordedThing, TerrainId, Thing, TypeId, UnitId, UnitName, WordId,
};
use crate::kernel::phase::{self, MAX_REPEATS, PhaseBody};
use crate::kernel::pose::Pose;
use crate::kernel::rules::{Item, ItemKind, NOTHING, Rules, Slot, SlotKind, Words};
use crate::kernel::schedule::{AskedFaction, Cursor, Interrupting, NextStep, OpenPhase};
use crate::kernel::spot::{Form, Spot};
use crate::kernel::table::Position;
use crate::kernel::throws::{self, ThrowRecord};
use crate::kernel::world::{Outcome, World};
use std::sync::Arc;

/// A translation from one ruleset's ids to another's. See the module's comment.
pub struct Carry<'a> {
    from: &'a Rules,
    from_words: &'a Words,
    to: &'a Rules,
    to_words: &'a mut Words,
    phases: Vec<Option<u8>>,
    words: Vec<WordId>,
}

impl<'a> Carry<'a> {
    /// The translation from one ruleset to another. Words that the new one lacks are added to it.
    ///
    /// # Errors
    ///
    /// A sentence when the factions are not the same.
    pub fn new(
        from: &'a Rules,
        from_words: &'a Words,
        to: &'a Rules,
        to_words: &'a mut Words,
    ) -> Result<Self, String> {
        if from.factions != to.factions {
            return Err(format!(
                "the factions were {} and would be {}",
                from.factions.join(", "),
                to.factions.join(", ")
            ));
        }
        let words = (0..from_words.len())
            .map(|w| to_words.intern(from_words.text(WordId(w as u16))))
            .collect();
        Ok(Self {
            phases: (0..from.phases.len() as u8)
                .map(|p| same_phase(from, to, p))
                .collect(),
            words,
            from,
            from_words,
            to,
            to_words,
        })
    }

    /// A unit type under the new rules; `None` when it is gone.
    fn kind(&self, kind: TypeId) -> Option<TypeId> {
        self.to.unit_type(&self.from.types.get(kind.index())?.name)
    }

    /// A kind of terrain under the new rules; `None` when it is gone.
    fn terrain(&self, terrain: TerrainId) -> Option<TerrainId> {
        self.to.terrain(&self.from.terrains.get(terrain.index())?.name)
    }

    /// A place under the new rules; `None` when it is gone.
    fn place(&self, place: PlaceId) -> Option<PlaceId> {
        self.to.board.place_or_edge(self.from.board.name(place))
    }

    /// A phase under the new rules; `None` when it is gone.
    fn phase(&self, phase: u8) -> Option<u8> {
        self.phases.get(phase as usize).copied().flatten()
    }

    /// A word under the new rules.
    fn word(&self, word: WordId) -> WordId {
        self.words.get(word.0 as usize).copied().unwrap_or(word)
    }

    fn new_slot(&self, thing: Thing, old: u8) -> Option<u8> {
        let slot = self.from.slots.of(thing).get(old as usize)?;
        let same = |s: &Slot| s.name == slot.name && s.kind.is_like(slot.kind);
        let index = self.to.slots.of(thing).iter().position(same);
        index.map(|index| index as u8)
    }

    /// A slot's value under the new rules; places that are gone become nowhere, directions that are gone none.
    fn value(&self, kind: SlotKind, value: i64) -> i64 {
        match kind {
            SlotKind::Place if value != NOTHING => {
                let place = u16::try_from(value).ok().and_then(|p| self.place(PlaceId(p)));
                place.map_or(NOTHING, |p| i64::from(p.0))
            }
            SlotKind::Direction => {
                let name = self.from.board.direction_stored(value);
                let direction = name.and_then(|name| self.to.board.direction_named(name));
                direction.map_or(NOTHING, |d| d as i64)
            }
            _ => value,
        }
    }

    /// A slot of something under the new rules, and what a record says that it held; `None` when one of them is gone.
    fn change(&self, who: RecordedThing, slot: u8, held: [i64; 2]) -> Option<(u8, [i64; 2])> {
        let thing = who.map(|_| Some(UnitId(0)))?;
        let kind = self.from.slots.of(thing).get(slot as usize)?.kind;
        let value = |value: i64| match kind {
            SlotKind::Unit if value != NOTHING => Some(UnitName::from_stored(value).carried(self)?.stored()),
            _ => Some(self.value(kind, value)),
        };
        Some((self.new_slot(thing, slot)?, [value(held[0])?, value(held[1])?]))
    }

    /// An item of a set or list under the new rules, with its units as `unit` says; `None` when one of its parts is gone.
    fn item(&self, of: Thing, slot: u8, mut item: Item, unit: impl Fn(i64) -> Option<i64>) -> Option<Item> {
        let declared = self.from.slots.of(of).get(slot as usize)?;
        for (kind, part) in declared.kind.items()?.parts().zip(&mut item) {
            *part = match kind {
                ItemKind::Number | ItemKind::Faction => *part,
                ItemKind::Unit => unit(*part)?,
                ItemKind::Place => self.place(PlaceId(u16::try_from(*part).ok()?))?.0.into(),
                ItemKind::Text => {
                    let text = self.from.slots.texts.get(usize::try_from(*part).ok()?)?;
                    self.to.slots.texts.binary_search(text).ok()? as i64
                }
            };
        }
        Some(item)
    }

    fn thing(&self, thing: Thing) -> Option<Thing> {
        Some(match thing {
            Thing::Place(place) => Thing::Place(self.place(place)?),
            other => other,
        })
    }

    /// The interruption of the same name; `None` when it is gone.
    fn interrupt(&self, phase: u8, index: u8) -> Option<u8> {
        let was = phase::interrupts_of(&self.from.phases, phase).get(index as usize)?;
        let is = phase::interrupts_of(&self.to.phases, self.phase(phase)?);
        is.iter().position(|i| i.name == was.name).map(|i| i as u8)
    }

    /// Keeps those who wait to interrupt a phase with an interruption that the new rules have.
    fn keep(&self, interrupting: &mut Interrupting, phase: u8) {
        let carried = |faction: &AskedFaction| {
            let index = self.interrupt(phase, faction.index)?;
            Some(AskedFaction { index, ..*faction })
        };
        for list in [&mut interrupting.waiting, &mut interrupting.chain] {
            *list = list.iter().filter_map(carried).collect();
        }
        let before = interrupting.before.iter();
        interrupting.before = before
            .filter_map(|(faction, n)| Some((carried(faction)?, *n)))
            .collect();
    }

    fn effect(&self, effect: Effect) -> Option<Effect> {
        let value = |thing: Thing, slot: u8, value: i64| {
            let kind = self.from.slots.of(thing).get(slot as usize).map(|s| s.kind);
            kind.map_or(value, |kind| self.value(kind, value))
        };
        Some(match effect {
            Effect::Add(thing, slot, by) => Effect::Add(self.thing(thing)?, self.new_slot(thing, slot)?, by),
            Effect::Set(thing, slot, to) => Effect::Set(
                self.thing(thing)?,
                self.new_slot(thing, slot)?,
                value(thing, slot, to),
            ),
            Effect::Insert(thing, slot, item, at) => {
                let item = self.item(thing, slot, item, Some)?;
                Effect::Insert(self.thing(thing)?, self.new_slot(thing, slot)?, item, at)
            }
            Effect::Take(thing, slot, item, at) => {
                let item = self.item(thing, slot, item, Some)?;
                Effect::Take(self.thing(thing)?, self.new_slot(thing, slot)?, item, at)
            }
            Effect::Put(unit, spot) => Effect::Put(unit, spot.carried(self)?),
            Effect::Lay(place, terrain, form) => {
                Effect::Lay(self.place(place)?, self.terrain(terrain)?, form)
            }
            Effect::Lift(place, terrain) => Effect::Lift(self.place(place)?, self.terrain(terrain)?),
            Effect::Enlist(faction, kind) => Effect::Enlist(faction, self.kind(kind)?),
            Effect::Become(unit, kind) => Effect::Become(unit, self.kind(kind)?),
            Effect::Finish(outcome) => Effect::Finish(outcome.carried(self)?),
            Effect::Lie(..)
            | Effect::Reserve(_)
            | Effect::Remove(_)
            | Effect::Disband(_)
            | Effect::Own(..)
            | Effect::First(_) => effect,
        })
    }

    /// An effect that waits; `None` when what it would change is gone.
    fn gathered(&self, gathered: &GatheredEffects) -> Option<GatheredEffects> {
        let word = gathered.cause.word.map(|w| self.word(w));
        Some(GatheredEffects {
            effect: self.effect(gathered.effect)?,
            // Whoever did it may be gone; that it was done is not.
            cause: Cause {
                word,
                by: gathered.cause.by.carried(self).unwrap_or_default(),
            },
            faction: gathered.faction,
            group: gathered.group,
            about: gathered.about.carried(self).unwrap_or_default(),
            phase: self.phase(gathered.phase)?,
            exclusive: gathered.exclusive.map(|w| self.word(w)),
        })
    }

    /// A world under the new rules, as its [`Description`] says it.
    ///
    /// # Errors
    ///
    /// One sentence when a unit that exists has no type any more, or stands on a place that is gone.
    fn world(&self, old: &World) -> Result<World, String> {
        let (from, to) = (self.from, self.to);
        let described = Description::of(from, self.from_words, old);
        let laid = described.lay_from(from, to);
        let mut world = laid.map_err(|problems| problems.0[0].message.clone())?;
        if to.ground.dice().is_some() {
            place_dice(from, to, old, &mut world)?;
        } else {
            for unit in world.on_board() {
                if let Some(point) = world.point(unit) {
                    to.ground.check_stand(&(to, &world), unit, point)?;
                }
            }
        }
        world.outcome = old.outcome.and_then(|o| o.carried(self));
        world.decided = old.decided;
        Ok(world)
    }

    /// The same place in the phases of the new rules.
    ///
    /// # Errors
    ///
    /// One sentence about a phase that is under way and is gone, or is not what it was.
    fn cursor(&self, cursor: &Cursor) -> Result<Cursor, String> {
        let open = cursor.open();
        let mut carried: Vec<OpenPhase> = Vec::new();
        for (depth, frame) in open.iter().enumerate() {
            let old = &self.from.phases[frame.phase as usize];
            let refuse = |why: &str| Err(format!("the phase `{}` is under way and {why}", old.name));
            let Some(index) = self.phase(frame.phase) else {
                return refuse("is gone");
            };
            let new = &self.to.phases[index as usize];
            if phase::parent(&self.to.phases, index) != carried.last().map(|f| f.phase) {
                return refuse("lies inside another phase now");
            }
            for (was, is, what) in [
                (old.simultaneous, new.simultaneous, "simultaneous"),
                (old.hidden, new.hidden, "hidden"),
            ] {
                match (was, is) {
                    (false, true) => return refuse(&format!("would be {what} now")),
                    (true, false) => return refuse(&format!("would no longer be {what}")),
                    _ => {}
                }
            }
            let next = match (&old.work, &new.work) {
                (PhaseBody::Sequence(were), PhaseBody::Sequence(are)) => {
                    // After the open phase, or the last one that is done and is still there.
                    let done = were.get(..frame.next as usize).unwrap_or(were);
                    let find = |child: &u8| {
                        let now = self.phase(*child)?;
                        are.iter().position(|a| *a == now)
                    };
                    let next = match open.get(depth + 1) {
                        // A child that is not there any more is refused when its turn comes.
                        Some(child) => find(&child.phase).map_or(0, |at| at + 1),
                        // What it gathered is applied already: nothing can be added to it.
                        None if frame.closed => are.len(),
                        None => done.iter().rev().find_map(find).map_or(0, |at| at + 1),
                    };
                    next as u16
                }
                (PhaseBody::Each { kind: was, .. }, PhaseBody::Each { kind: is, .. }) if was == is => {
                    frame.next
                }
                (
                    PhaseBody::Turn {
                        whose: was,
                        turns: before,
                        ..
                    },
                    PhaseBody::Turn {
                        whose: is,
                        turns: now,
                        ..
                    },
                ) if was == is && before.is_some() == now.is_some() => frame.next,
                _ => return refuse("has become another kind of phase"),
            };
            let mut frame = frame.clone();
            frame.places = frame.places.iter().filter_map(|p| self.place(p)).collect();
            (frame.phase, frame.next) = (index, next);
            carried.push(frame);
        }
        let mut interrupting = cursor.interrupting();
        if let Some(phase) = open.last().map(|frame| frame.phase) {
            self.keep(&mut interrupting, phase);
        }
        Ok(cursor.clone().with_open(self.to, carried, interrupting))
    }

    /// A position under the new rules. Answers of its step from the first on that cannot be meant
    /// any more are left out.
    ///
    /// # Errors
    ///
    /// One sentence: what the game stands on and the new rules do not have.
    pub fn position(&self, position: &Position) -> Result<Position, String> {
        let mut carried = position.with_worlds(|world| self.world(world))?;
        let cursor = self.cursor(&position.cursor)?;
        let step = position
            .step
            .carried(self)
            .ok_or_else(|| "the step under way is about something that is gone".to_owned())?;
        let next = match position.next.clone() {
            NextStep::Step { about, .. } => {
                let about = self.thing(about).ok_or_else(|| {
                    let place = self.from.who(position.world.who(about));
                    format!("the step under way is about {place}, which is gone")
                })?;
                let work = &self.to.phases[step.phase as usize].work;
                let cut = step
                    .interrupts
                    .map(|cut| phase::interrupts_of(&self.to.phases, step.phase)[cut.index as usize].hook);
                let hook = cut.or_else(|| Some(work.step()?.0));
                NextStep::Step {
                    hook: hook.ok_or("the step under way is gone")?,
                    about,
                }
            }
            pick @ NextStep::Pick { .. } => cursor.pick_now(self.to, &carried.world).unwrap_or(pick),
            NextStep::Endless { phase } => NextStep::Endless {
                phase: self.phase(phase).unwrap_or_default(),
            },
            next @ (NextStep::Begin { .. }
            | NextStep::Turn
            | NextStep::Close
            | NextStep::Reveal
            | NextStep::Over) => next,
        };
        (carried.cursor, carried.next, carried.step) = (cursor, next, step);
        carried.gathered = position
            .gathered
            .iter()
            .filter_map(|g| self.gathered(g))
            .collect();
        carried.answers = self.answers(&position.answers);
        for forced in &mut carried.forced {
            forced.label = self.word(forced.label);
        }
        Ok(carried)
    }

    /// Answers of a step under the new rules, up to the first that cannot be meant any more.
    pub fn answers(&self, answers: &[Answer]) -> Vec<Answer> {
        answers.iter().map_while(|a| a.carried(self)).collect()
    }

    /// An event under the new rules; one that they cannot say is told in its old words.
    pub fn event(&mut self, event: &Event) -> Event {
        match event.carried(self) {
            Some(event) => event,
            None => Event::Told {
                line: self
                    .to_words
                    .intern(&crate::event_text::line(event, self.from, self.from_words)),
                follows: event.is_consequence(),
            },
        }
    }
}

/// Value that can be expressed in terms of other rules.
trait Carried: Sized {
    /// The same under the new rules; `None` when something that it names is gone.
    fn carried(&self, carry: &Carry<'_>) -> Option<Self>;
}

/// Implements `Carried` for the parts of events, by their type.
macro_rules! carried {
    ($($type:ty => |$it:ident, $carry:ident| $made:expr,)*) => {
        $(impl Carried for $type {
            fn carried(&self, $carry: &Carry<'_>) -> Option<Self> {
                let $it = self;
                $made
            }
        })*
    };
}

carried! {
    bool => |it, _carry| Some(*it),
    FactionId => |it, _carry| Some(*it),
    Pool => |it, _carry| Some(it.clone()),
    Pose => |it, _carry| Some(*it),
    Form => |it, _carry| Some(*it),
    WordId => |word, carry| Some(carry.word(*word)),
    PlaceId => |place, carry| carry.place(*place),
    TerrainId => |terrain, carry| carry.terrain(*terrain),
    UnitName => |name, carry| Some(UnitName { kind: carry.kind(name.kind)?, ..*name }),
    RecordedThing => |who, carry| Some(match who {
        RecordedThing::Game | RecordedThing::Faction(_) => *who,
        RecordedThing::Place(place) => RecordedThing::Place(place.carried(carry)?),
        RecordedThing::Unit(name) => RecordedThing::Unit(name.carried(carry)?),
    }),
    Spot => |spot, carry| Some(match spot {
        Spot::Place(place) => Spot::Place(place.carried(carry)?),
        point => *point,
    }),
    Cause => |cause, carry| Some(Cause {
        word: cause.word.carried(carry)?,
        by: cause.by.carried(carry)?,
    }),
    Outcome => |outcome, carry| Some(Outcome {
        winner: outcome.winner,
        reason: carry.word(outcome.reason),
        contest: carry.word(outcome.contest),
    }),
    NamedOption => |chosen, carry| Some(match *chosen {
        NamedOption::Unit(name) => NamedOption::Unit(name.carried(carry)?),
        NamedOption::Place(place) => NamedOption::Place(place.carried(carry)?),
        NamedOption::Type(kind) => NamedOption::Type(carry.kind(kind)?),
        NamedOption::Terrain(terrain) => NamedOption::Terrain(terrain.carried(carry)?),
        NamedOption::Edge(edge) => NamedOption::Edge(edge.carried(carry)?),
        NamedOption::Word(word) => NamedOption::Word(carry.word(word)),
        NamedOption::Faction(_) | NamedOption::Number(_) | NamedOption::Many(_) | NamedOption::Point(_) => *chosen,
        NamedOption::Several(mut parts) => {
            for part in parts.iter_mut().flatten() {
                *part = part.alone().carried(carry)?.part()?;
            }
            NamedOption::Several(parts)
        }
    }),
    Answer => |answer, carry| Some(Answer {
        step: answer.step.carried(carry)?,
        subject: answer.subject.carried(carry)?,
        label: carry.word(answer.label),
        chosen: answer.chosen.carried(carry)?,
        ..*answer
    }),
}

impl<T: Carried> Carried for Option<T> {
    fn carried(&self, carry: &Carry<'_>) -> Option<Self> {
        match self {
            None => Some(None),
            Some(it) => it.carried(carry).map(Some),
        }
    }
}

/// A throw's record is carried where all that it names is called what it was.
impl Carried for SlotItem {
    fn carried(&self, carry: &Carry<'_>) -> Option<Self> {
        let thing = self.who.map(|_| Some(UnitId(0)))?;
        let unit = |unit| Some(UnitName::from_stored(unit).carried(carry)?.stored());
        Some(Self {
            who: self.who.carried(carry)?,
            slot: carry.new_slot(thing, self.slot)?,
            item: carry.item(thing, self.slot, self.item, unit)?,
            at: self.at,
        })
    }
}

impl Carried for Arc<ThrowRecord> {
    fn carried(&self, carry: &Carry<'_>) -> Option<Self> {
        let touched = self.landing.touches.iter().filter_map(|touch| touch.what);
        let mut all = touched.chain(self.landing.left.iter().copied());
        all.all(|name| name.carried(carry) == Some(name))
            .then(|| Arc::clone(self))
    }
}

/// A step's path has an entry for each repeating phase around it; a phase that repeats now and did not has begun once.
impl Carried for StepId {
    fn carried(&self, carry: &Carry<'_>) -> Option<Self> {
        let step = self;
        let phase = carry.phase(step.phase)?;
        let old: Vec<Option<u8>> = phase::repeats_around(&carry.from.phases, step.phase)
            .into_iter()
            .map(|p| carry.phase(p))
            .collect();
        let mut path = [0; MAX_REPEATS];
        let new = phase::repeats_around(&carry.to.phases, phase);
        for (entry, repeat) in path.iter_mut().zip(new) {
            let was = old.iter().position(|p| *p == Some(repeat));
            *entry = was.and_then(|w| step.path.get(w)).copied().unwrap_or(1);
        }
        if step.path == [0; MAX_REPEATS] {
            path = step.path;
        }
        Some(StepId {
            path,
            phase,
            about: step.about.carried(carry)?,
            pick: step.pick,
            again: step.again,
            interrupts: match step.interrupts {
                None => None,
                Some(cut) => Some(Interrupts {
                    index: carry.interrupt(step.phase, cut.index)?,
                    after: cut.after.carried(carry)?,
                }),
            },
        })
    }
}

/// The phase of the same name.
fn same_phase(from: &Rules, to: &Rules, phase: u8) -> Option<u8> {
    if phase == 0 {
        return (!to.phases.is_empty()).then_some(0);
    }
    // No two phases of a game have one name.
    let name = &from.phases[phase as usize].name;
    let found = to.phases.iter().skip(1).position(|p| p.name == *name)?;
    Some(found as u8 + 1)
}

/// An event is carried when all its parts are.
macro_rules! carried_events {
    ($($(#[$doc:meta])* $name:ident $kind:literal { $($(#[$of:meta])* $part:ident: $type:ty,)* })*) => {
        impl Carried for Event {
            fn carried(&self, carry: &Carry<'_>) -> Option<Self> {
                Some(match self {
                    Event::Phase { phase, iteration } => Event::Phase {
                        phase: carry.phase(*phase)?,
                        iteration: *iteration,
                    },
                    Event::Step(step) => Event::Step(step.carried(carry)?),
                    Event::Chose(answer) => Event::Chose(answer.carried(carry)?),
                    Event::Changed { who, slot, from, to, cause } => {
                        let change = carry.change(*who, *slot, [*from, *to])?;
                        let (slot, [from, to]) = change;
                        Event::Changed {
                            who: who.carried(carry)?,
                            slot,
                            from,
                            to,
                            cause: cause.carried(carry)?,
                        }
                    }
                    $(Event::$name { $($part),* } => Event::$name { $($part: $part.carried(carry)?),* },)*
                })
            }
        }
    };
}
rulebench_kernel::event_kinds!(carried_events);

/// Dice that are made otherwise than before lie flat where they lay, on the face that they showed.
///
/// # Errors
///
/// One of them cannot lie there: one sentence.
fn place_dice(from: &Rules, to: &Rules, before: &World, world: &mut World) -> Result<(), String> {
    let on_board = world.on_board();
    for unit in &on_board {
        let (was, is) = (from.die(before.unit(unit).kind), to.die(world.unit(unit).kind));
        let (Some(at), Some(die)) = (world.point(unit), is) else {
            continue;
        };
        let same = was.is_some_and(|was| (was.faces(), was.size()) == (die.faces(), die.size()));
        if !same {
            let face = throws::face(from, before, unit).filter(|face| die.faces().contains(face));
            let pose = die.lying(at, face.unwrap_or(*die.faces().start()), 0);
            pose.into_iter().for_each(|pose| world.lay_die(unit, pose));
        }
    }
    (on_board.iter()).try_for_each(|unit| throws::may_lie(to, world, unit))
}
