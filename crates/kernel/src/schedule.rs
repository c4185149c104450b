//! The walk through the phases: where a game stands in them, and which step comes next.

use super::choice::{Interrupts, StepId};
use super::engagement;
use super::ids::{FactionId, HookId, MAX_FACTIONS, PlaceId, PlaceSet, Thing, UnitId, UnitSet};
use super::phase::{
    ActivatedUnits, EachKind, Filter, MAX_DEPTH, MAX_ITERATIONS, MAX_REPEATS, PhaseBody, outwards, sets_up,
};
use super::rules::Rules;
use super::world::World;

mod interrupts;
mod turns;

pub use interrupts::{AskedFaction, Interrupting};
use turns::Turning;
pub use turns::{DeckCard, TurnCandidates};

/// One open phase.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpenPhase {
    /// Index of the phase.
    pub phase: u8,
    /// Number of beginnings of the phase (repeating phases), from 1.
    iteration: u16,
    /// The next child, the next thing in turn order, or how many were picked.
    pub next: u16,
    /// Units that still wait for their step.
    units: UnitSet,
    /// Places that still wait for their step.
    pub places: PlaceSet,
    /// Whether its gathered effects have been applied.
    pub closed: bool,
    /// Whether others may interrupt it.
    interrupted: bool,
    /// The turn order when the phase began: rules that change it within the phase change the next.
    order: [FactionId; MAX_FACTIONS],
    /// Number of beginnings of each repeating phase up to this one, outermost first; 0 where unused.
    path: [u16; MAX_REPEATS],
}

/// Place of a game in its phases. Small and copied with every position.
#[derive(Debug, Eq)]
pub struct Cursor {
    frames: [OpenPhase; MAX_DEPTH],
    at: CursorState,
    /// The turns of the open phase, where the game declares more of them than whose they are.
    turning: Option<Box<Turning>>,
    /// Factions that may interrupt the open phase, where others may.
    interrupting: Option<Box<Interrupting>>,
    /// Whether going on has changed the world.
    pub(super) changed: bool,
}

/// Plain part of a cursor, which can be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct CursorState {
    /// Number of open phases.
    depth: u8,
    /// The depth of the simultaneous phase that is open, if one is.
    gathering: Option<u8>,
    /// The depth of the hidden phase that is open, if one is.
    hidden: Option<u8>,
    /// The unit picked for activation, whose step comes next.
    picked: Option<UnitId>,
    /// Set-up phases are left out until a phase begins again.
    skip_setup: bool,
    /// No phase has begun again yet: slots are as the game or a scenario laid them.
    first_pass: bool,
    over: bool,
}

impl Clone for Cursor {
    fn clone(&self) -> Self {
        let mut copy = Self::start(false);
        copy.clone_from(self);
        copy
    }

    /// Copies the open phases; what others have left behind is nobody's.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        for (frame, from) in self.frames.iter_mut().zip(source.open()) {
            frame.clone_from(from);
        }
        self.at = source.at;
        self.turning.clone_from(&source.turning);
        self.interrupting.clone_from(&source.interrupting);
    }
}

impl PartialEq for Cursor {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at
            && self.open() == other.open()
            && (&self.turning, &self.interrupting) == (&other.turning, &other.interrupting)
    }
}

/// Next action of the scheduler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextStep {
    /// A phase begins; nothing to run.
    Begin {
        /// The phase.
        phase: u8,
        /// From 1 for repeating phases, else 0.
        iteration: u16,
        /// A hidden phase begins with it.
        hides: bool,
    },
    /// A faction picks the unit that it activates.
    Pick {
        /// Faction that picks.
        faction: FactionId,
        /// Among which.
        units: UnitSet,
        /// Whether it may pass instead.
        may_pass: bool,
    },
    /// It is decided whose turn it is.
    Turn,
    /// A step: the hook is called about the thing.
    Step {
        /// The hook.
        hook: HookId,
        /// Subject of the step.
        about: Thing,
    },
    /// The gathered effects of a simultaneous phase are applied.
    Close,
    /// A hidden phase has ended.
    Reveal,
    /// A phase has repeated [`MAX_ITERATIONS`] times, or goes on without an end in another way.
    Endless {
        /// The phase.
        phase: u8,
    },
    /// The game is over.
    Over,
}

impl NextStep {
    /// Whether it is [`NextStep::Close`].
    #[inline(always)]
    pub fn is_close(&self) -> bool {
        matches!(self, NextStep::Close)
    }

    /// Whether it only says who acts, which the next step then does.
    pub fn leads_on(&self) -> bool {
        matches!(self, NextStep::Pick { .. } | NextStep::Turn)
    }
}

impl Cursor {
    /// Before the first phase; with `skip_setup` the first set-up phases are left out.
    pub fn start(skip_setup: bool) -> Self {
        let mut cursor = Self {
            frames: Default::default(),
            at: CursorState {
                depth: 1,
                skip_setup,
                first_pass: true,
                ..CursorState::default()
            },
            turning: None,
            interrupting: None,
            changed: false,
        };
        cursor.frames[0].iteration = 1;
        cursor
    }

    /// The innermost frame, where a phase is open.
    #[inline]
    fn top(&self) -> &OpenPhase {
        &self.frames[self.at.depth as usize - 1]
    }

    /// The frames of the open phases, outermost first.
    #[inline]
    pub fn open(&self) -> &[OpenPhase] {
        &self.frames[..self.at.depth as usize]
    }

    /// Whether effects are gathered now.
    #[inline]
    pub fn gathers(&self) -> bool {
        self.at.gathering.is_some()
    }

    /// Whether the last phase has ended.
    pub fn is_over(&self) -> bool {
        self.at.over
    }

    /// The open phases, outermost first.
    pub fn phases(&self) -> impl Iterator<Item = u8> + '_ {
        self.open().iter().map(|f| f.phase)
    }

    /// Returns the number of beginnings of the named repeating phase, if it is open.
    pub fn iteration(&self, rules: &Rules, name: &str) -> Option<u16> {
        self.open()
            .iter()
            .skip(1) // the root is nobody's to name
            .find(|f| rules.phases[f.phase as usize].name == name)
            .map(|f| f.iteration)
    }

    /// The cursor as it was when the open hidden phase had just begun, on the world as it was then; `None`
    /// where no such phase is open, or one around it gathers effects.
    pub(crate) fn at_opening(&self, rules: &Rules, world: &mut World) -> Option<Cursor> {
        let depth = self.at.hidden?;
        if self.at.gathering.is_some_and(|gathering| gathering < depth) {
            return None;
        }
        let mut cursor = self.clone();
        cursor.at = CursorState {
            depth,
            hidden: None,
            gathering: None,
            picked: None,
            ..self.at
        };
        cursor.begin(rules, world, depth as usize - 1);
        Some(cursor)
    }

    /// Returns the number of beginnings of an open phase.
    pub fn begun(&self, phase: u8) -> Option<u16> {
        let found = self.open().iter().rev().find(|f| f.phase == phase);
        found.map(|f| f.iteration)
    }

    /// The innermost contest that is open, by name.
    pub fn contest<'r>(&self, rules: &'r Rules) -> Option<&'r str> {
        self.open()
            .iter()
            .rev()
            .find_map(|f| rules.phases[f.phase as usize].contest.as_deref())
    }

    /// The id of the step that [`Self::next`] yielded.
    #[inline]
    pub fn step_id(&self, next: &NextStep, world: &World) -> StepId {
        let Some(top) = self.open().last() else {
            return StepId::default();
        };
        let (about, pick) = match next {
            NextStep::Step { about, .. } => (world.who(*about), 0),
            NextStep::Pick { .. } => (super::ids::RecordedThing::Game, self.picks().saturating_add(1)),
            _ => (super::ids::RecordedThing::Game, 0),
        };
        let (again, interrupts) = match (&self.turning, &self.interrupting) {
            (None, None) => (0, None),
            _ => self.ordinal(next, world),
        };
        StepId {
            path: top.path,
            phase: top.phase,
            about,
            pick,
            again,
            interrupts,
        }
    }

    /// Returns the number of activations and passes so far in the open phase.
    fn picks(&self) -> u16 {
        self.turning.as_deref().map_or(self.top().next, |t| t.picks)
    }

    /// Returns the number of like steps before it, and the interruption that it belongs to, where several steps can be
    /// alike.
    fn ordinal(&self, next: &NextStep, world: &World) -> (u16, Option<Interrupts>) {
        if let Some((again, interrupts)) = self.interrupting.as_deref().and_then(|all| all.step(world)) {
            return (again, Some(interrupts));
        }
        let Some(turning) = self.turning.as_deref() else {
            return (0, None);
        };
        let again = match *next {
            NextStep::Turn => turning.decided.saturating_add(1),
            NextStep::Step {
                about: Thing::Unit(unit),
                ..
            } => turning.acted(world.name(unit)).saturating_sub(1),
            _ => 0,
        };
        (again, None)
    }

    /// Adds to a hash all that decides what comes next from here; what earlier phases left behind
    /// does not.
    pub fn hash_open(&self, state: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        for frame in self.open() {
            (frame.phase, frame.iteration, frame.next, frame.closed).hash(state);
            (&frame.units, &frame.places, frame.order).hash(state);
        }
        (self.at, &self.turning, &self.interrupting).hash(state);
    }

    /// Whether it refers to a unit from an id on, or may do so.
    pub fn refers_to_units_from(&self, first: usize) -> bool {
        let refers = |unit: UnitId| unit.index() >= first;
        let mut frames = self.open().iter();
        frames.any(|frame| frame.units.iter().any(refers))
            || self.at.picked.is_some_and(refers)
            || self.turning.is_some()
            || self.interrupting.is_some()
    }

    /// The innermost open phase that fulfils something.
    pub fn innermost(&self, mut fulfils: impl FnMut(u8) -> bool) -> Option<u8> {
        let mut open = self.open().iter().rev();
        open.find(|f| fulfils(f.phase)).map(|f| f.phase)
    }

    /// Whether a phase that is open here is not open any more there, or has begun again since.
    pub fn has_left(&self, phase: u8, there: &Cursor) -> bool {
        let open = self.open();
        let Some(depth) = open.iter().position(|f| f.phase == phase) else {
            return false;
        };
        let same = |(here, there): (&OpenPhase, &OpenPhase)| {
            (here.phase, here.iteration) == (there.phase, there.iteration)
        };
        there.at.over
            || there.at.depth as usize <= depth
            || !open.iter().zip(&there.frames).take(depth + 1).all(same)
    }

    /// Takes back what [`Self::next`] took for a step, so that it finds the step anew on a world that
    /// was changed since.
    pub fn take_back(&mut self, rules: &Rules, next: &NextStep) {
        if self.interrupting.as_mut().is_some_and(|all| all.take_back()) {
            return;
        }
        let Some(frame) = self.frames[..self.at.depth as usize].last_mut() else {
            return;
        };
        match (next, &rules.phases[frame.phase as usize].work) {
            (NextStep::Close, _) => frame.closed = false,
            (NextStep::Step { about, .. }, work) => match (*about, work) {
                (Thing::Unit(unit), PhaseBody::Turn { .. }) => self.at.picked = Some(unit),
                (Thing::Unit(unit), _) => frame.units.insert(unit),
                (Thing::Place(place), _) => frame.places.insert(place),
                (Thing::Faction(_) | Thing::Game, _) => frame.next = frame.next.saturating_sub(1),
            },
            _ => {}
        }
    }

    /// A unit comes onto the board while a phase is under way: it gets its step in it, if its
    /// faction or its type has one.
    pub fn join(&mut self, rules: &Rules, world: &World, unit: UnitId) {
        let Some(frame) = self.frames[..self.at.depth as usize].last_mut() else {
            return;
        };
        let work = &rules.phases[frame.phase as usize].work;
        if !frame.closed && work.is_for(world, &frame.order, unit) {
            frame.units.insert(unit);
            if let Some(turning) = &mut self.turning {
                turning.own.insert(unit);
            }
        }
    }

    /// The same place in the phases with effects that happen at once, be a simultaneous phase open
    /// or not.
    #[must_use]
    pub fn at_once(mut self) -> Self {
        self.at.gathering = None;
        self
    }

    /// A cursor that stands in this phase, the repeating phases around it begun as often as they are here:
    /// for what a step of it would come to now. Once that step is over the phase has nothing more to do.
    pub fn supposed_in(&self, rules: &Rules, world: &World, phase: u8) -> Cursor {
        let mut around: Vec<u8> = outwards(&rules.phases, phase).take(MAX_DEPTH).collect();
        around.reverse();
        let mut cursor = Self::start(self.at.skip_setup);
        (cursor.at.depth, cursor.at.first_pass) = (around.len() as u8, self.at.first_pass);
        for (depth, &index) in around.iter().enumerate() {
            let declared = &rules.phases[index as usize];
            let open = depth < self.at.depth as usize && self.frames[depth].phase == index;
            cursor.frames[depth] = OpenPhase {
                phase: index,
                iteration: if open { self.frames[depth].iteration } else { 1 },
                next: u16::MAX,
                order: world.order(),
                ..OpenPhase::default()
            };
            cursor.find_path(rules, depth);
            if declared.simultaneous && cursor.at.gathering.is_none() {
                cursor.at.gathering = Some(depth as u8 + 1);
            }
        }
        cursor
    }

    /// The cursor that stands in as many phases, which are these, outermost first; and who waits to interrupt the
    /// innermost, if others may.
    #[must_use]
    pub fn with_open(mut self, rules: &Rules, open: Vec<OpenPhase>, interrupting: Interrupting) -> Self {
        let mut interrupted = false;
        for (depth, frame) in open.into_iter().enumerate() {
            interrupted |= !rules.phases[frame.phase as usize].interrupts.is_empty();
            self.frames[depth] = OpenPhase { interrupted, ..frame };
            self.find_path(rules, depth);
        }
        self.interrupting = interrupted.then(|| Box::new(interrupting));
        self
    }

    /// Finds how often the repeating phases up to this frame have begun.
    fn find_path(&mut self, rules: &Rules, depth: usize) {
        let around = depth.checked_sub(1).map(|d| self.frames[d].path);
        let frame = &mut self.frames[depth];
        frame.path = around.unwrap_or_default();
        if rules.phases[frame.phase as usize].repeat
            && let Some(free) = frame.path.iter_mut().find(|n| **n == 0)
        {
            *free = frame.iteration;
        }
    }

    /// Moves on to what comes next. Slots that last as long as a phase start anew when it ends, or when it
    /// begins again if it repeats.
    pub fn next(&mut self, rules: &Rules, world: &mut World) -> NextStep {
        if self.interrupting.is_some()
            && let Some(next) = self.next_interruption(rules, world)
        {
            return next;
        }
        while self.at.depth > 0 {
            if world.decided && !self.gathers() {
                if self.leave_contest(rules, world) {
                    return NextStep::Reveal;
                }
                continue;
            }
            let top = self.at.depth as usize - 1;
            let index = self.frames[top].phase;
            let phase = &rules.phases[index as usize];
            // What its gathered effects have brought about is no more work for the phase.
            if !self.frames[top].closed {
                match &phase.work {
                    PhaseBody::Sequence(children) => {
                        let frame = &mut self.frames[top];
                        if let Some(&child) = children.get(frame.next as usize) {
                            frame.next += 1;
                            if self.at.skip_setup && rules.phases[child as usize].setup {
                                continue;
                            }
                            // All else is said as it begins.
                            (self.frames[top + 1].phase, self.frames[top + 1].iteration) = (child, 1);
                            self.at.depth += 1;
                            return self.begin(rules, world, top + 1);
                        }
                    }
                    PhaseBody::Each {
                        kind, filters, hook, ..
                    } => {
                        if let Some(about) = self.frames[top].take(rules, world, *kind, filters) {
                            return NextStep::Step { hook: *hook, about };
                        }
                    }
                    PhaseBody::Turn { .. } => {
                        if let Some(next) = self.activation(rules, world, &phase.work) {
                            return next;
                        }
                    }
                }
            }
            // The phase has nothing more to do: apply what it gathered, then leave or repeat it.
            if self.at.gathering == Some(self.at.depth) {
                if !self.frames[top].closed {
                    self.frames[top].closed = true;
                    return NextStep::Close;
                }
                self.at.gathering = None;
                if world.decided {
                    continue;
                }
            }
            let reveals = self.at.hidden == Some(self.at.depth);
            if reveals {
                self.at.hidden = None;
            }
            if phase.repeat {
                if self.frames[top].iteration >= MAX_ITERATIONS {
                    return NextStep::Endless { phase: index };
                }
                self.frames[top].iteration += 1;
                self.at.skip_setup = false;
                self.at.first_pass = false;
                return self.begin(rules, world, top);
            }
            self.leave(rules, world);
            if reveals {
                return NextStep::Reveal;
            }
        }
        self.at.over = true;
        NextStep::Over
    }

    /// The activation of the unit that was picked, or what decides the next one; `None` when the turns are over.
    #[inline(never)]
    fn activation(&mut self, rules: &Rules, world: &World, work: &PhaseBody) -> Option<NextStep> {
        let PhaseBody::Turn {
            whose,
            filters,
            hook,
            turns,
        } = work
        else {
            return None;
        };
        if let Some(unit) = self.at.picked.take().filter(|unit| world.is_on_board(*unit)) {
            return Some(NextStep::Step {
                hook: *hook,
                about: Thing::Unit(unit),
            });
        }
        let begins = self.picks() == 0;
        let next = match (turns, *whose) {
            (Some(turns), _) => self.next_turn(rules, world, (*whose, filters, turns)),
            (None, ActivatedUnits::Nth(nth)) => self.own_pick(rules, world, nth, filters),
            // Everybody's turn is declared with how they take turns.
            (None, ActivatedUnits::Each) => None,
        };
        // A faction whose turn it is passes where it has nobody to activate.
        match *whose {
            ActivatedUnits::Nth(nth) if begins => next.or_else(|| {
                Some(NextStep::Pick {
                    faction: self.top().order[nth],
                    units: UnitSet::EMPTY,
                    may_pass: true,
                })
            }),
            _ => next,
        }
    }

    fn begin(&mut self, rules: &Rules, world: &mut World, top: usize) -> NextStep {
        self.find_path(rules, top);
        let frame = &mut self.frames[top];
        let phase = &rules.phases[frame.phase as usize];
        frame.next = 0;
        frame.closed = false;
        frame.order = world.order();
        let (units, places) = match &phase.work {
            PhaseBody::Each { kind, idle, .. } => match kind {
                EachKind::Place => (UnitSet::EMPTY, world.ground().clone()),
                EachKind::Unit if *idle == 0 => (world.on_board(), PlaceSet::EMPTY),
                EachKind::Unit => {
                    let has_step = |u| phase.work.is_for(world, &frame.order, u);
                    (world.on_board().only(has_step), PlaceSet::EMPTY)
                }
                EachKind::Game | EachKind::Faction => (UnitSet::EMPTY, PlaceSet::EMPTY),
            },
            PhaseBody::Turn { whose, .. } => match whose {
                ActivatedUnits::Nth(nth) => {
                    (world.owned(frame.order[*nth]) & world.on_board(), PlaceSet::EMPTY)
                }
                ActivatedUnits::Each => (world.on_board(), PlaceSet::EMPTY),
            },
            PhaseBody::Sequence(_) => (UnitSet::EMPTY, PlaceSet::EMPTY),
        };
        (frame.units, frame.places) = (units, places);
        self.turning = None;
        let within = top
            .checked_sub(1)
            .is_some_and(|around| self.frames[around].interrupted);
        self.frames[top].interrupted = within || !phase.interrupts.is_empty();
        self.interrupting = self.frames[top].interrupted.then(Box::default);
        if phase.repeat {
            world.begin_anew();
            self.changed = true;
        }
        if !phase.clears.is_empty() && phase.keeps_its_slots() && !self.at.first_pass {
            world.reset(rules, &phase.clears);
            self.changed = true;
        }
        if phase.simultaneous && self.at.gathering.is_none() {
            self.at.gathering = Some(self.at.depth);
        }
        let hides = phase.hidden && self.at.hidden.is_none();
        if hides {
            self.at.hidden = Some(self.at.depth);
        }
        let frame = &self.frames[top];
        NextStep::Begin {
            phase: frame.phase,
            iteration: if phase.repeat { frame.iteration } else { 0 },
            hides,
        }
    }

    /// Leaves the top phase.
    fn leave(&mut self, rules: &Rules, world: &mut World) {
        let top = self.at.depth as usize - 1;
        let phase = &rules.phases[self.frames[top].phase as usize];
        if phase.contest.is_some() {
            world.decided = false;
            self.changed = true;
        }
        if !phase.clears.is_empty() && !phase.keeps_its_slots() && top > 0 {
            world.reset(rules, &phase.clears);
            self.changed = true;
        }
        if self.at.hidden == Some(self.at.depth) {
            self.at.hidden = None;
        }
        self.at.picked = None;
        self.at.depth -= 1;
    }

    /// Leaves every phase up to the innermost contest, which is decided. True when a hidden
    /// phase ended with it.
    fn leave_contest(&mut self, rules: &Rules, world: &mut World) -> bool {
        let hid = self.at.hidden.is_some();
        while self.at.depth > 0 {
            let phase = self.top().phase;
            let ends = rules.phases[phase as usize].contest.is_some();
            self.leave(rules, world);
            if ends {
                break;
            }
        }
        world.decided = false;
        self.changed = true;
        hid && self.at.hidden.is_none()
    }
}

impl OpenPhase {
    /// Takes the next thing that has a step; `None` when there is none left.
    #[inline(never)] // so that what goes on to the next phase stays short
    fn take(&mut self, rules: &Rules, world: &World, kind: EachKind, filters: &[Filter]) -> Option<Thing> {
        match kind {
            EachKind::Game => {
                let first = self.next == 0;
                self.next = 1;
                first.then_some(Thing::Game)
            }
            EachKind::Place => {
                let crowded = |f: &Filter| matches!(f, Filter::Contested | Filter::Engaged);
                if filters.iter().any(crowded) {
                    self.places = &self.places & world.occupied();
                }
                let mut there = self.places.clone();
                if filters.contains(&Filter::Contested) {
                    there = there & world.contested();
                }
                match there.find(|p| place_passes(rules, world, *p, filters)) {
                    Some(found) => {
                        while self.places.next() != Some(found) {}
                        Some(Thing::Place(found))
                    }
                    None => {
                        self.places = PlaceSet::EMPTY;
                        None
                    }
                }
            }
            EachKind::Faction => {
                while (self.next as usize) < rules.factions.len() {
                    let faction = Thing::Faction(self.order[self.next as usize]);
                    self.next += 1;
                    // The other conditions are about what stands on the board.
                    let passes = |filter: &Filter| match *filter {
                        Filter::Set(slot) => world.is_set(rules, faction, slot as usize),
                        _ => true,
                    };
                    if filters.iter().all(passes) {
                        return Some(faction);
                    }
                }
                None
            }
            EachKind::Unit => {
                // Who is not there now may be when its turn comes.
                let there = &self.units & world.on_board();
                match passing(rules, world, there, filters).first() {
                    Some(found) => {
                        while self.units.next() != Some(found) {}
                        Some(Thing::Unit(found))
                    }
                    None => {
                        self.units = UnitSet::EMPTY;
                        None
                    }
                }
            }
        }
    }
}

/// The hook that is the step of a unit, a place or a faction in a phase; `None` where it has none as the world is
/// now: the phase is of other things or for set-up, it is another faction's turn, or it does not qualify.
pub fn step_of(rules: &Rules, world: &World, phase: u8, thing: Thing) -> Option<HookId> {
    if sets_up(&rules.phases, phase) {
        return None;
    }
    let work = &rules.phases[phase as usize].work;
    let (hook, filters) = work.step()?;
    let of = |wanted| matches!(work, PhaseBody::Each { kind, .. } if *kind == wanted);
    let has_one = match thing {
        Thing::Unit(unit) => {
            world.is_on_board(unit)
                && work.is_for(world, &world.order(), unit)
                && !passing(rules, world, UnitSet::one(unit), filters).is_empty()
        }
        Thing::Place(place) => of(EachKind::Place) && place_passes(rules, world, place, filters),
        // Whether it is a faction's turn now is no matter of what it could do in it.
        Thing::Faction(_) => of(EachKind::Faction),
        Thing::Game => false,
    };
    has_one.then_some(hook)
}

impl PhaseBody {
    /// Whether units such as this one have steps in it, in this turn order.
    fn is_for(&self, world: &World, order: &[FactionId; MAX_FACTIONS], unit: UnitId) -> bool {
        match self {
            PhaseBody::Turn {
                whose: ActivatedUnits::Nth(nth),
                ..
            } => order[*nth] == world.unit(unit).owner,
            PhaseBody::Turn { .. } => true,
            PhaseBody::Each {
                kind: EachKind::Unit,
                idle,
                ..
            } => idle >> world.unit(unit).kind.0 & 1 == 0,
            _ => false,
        }
    }
}

/// Those of the units that fulfil all filters.
#[inline]
fn passing(rules: &Rules, world: &World, mut units: UnitSet, filters: &[Filter]) -> UnitSet {
    for filter in filters {
        if units.is_empty() {
            break;
        }
        units = match *filter {
            Filter::Set(slot) => world.with_set(rules, units, slot.into()),
            standing => pass(rules, world, units, standing),
        };
    }
    units
}

/// Those of the units that fulfil a filter.
#[inline(never)] // most filters are slots
fn pass(rules: &Rules, world: &World, units: UnitSet, filter: Filter) -> UnitSet {
    let zones = |zone: u8, take: fn(UnitSet, UnitSet) -> UnitSet| {
        let there = |faction| {
            let there = world.in_places(rules.board.zone(zone.into(), faction).clone());
            take(there, world.owned(faction))
        };
        let all = rules.all_factions().map(there);
        all.fold(UnitSet::EMPTY, |all, there| all | there)
    };
    match filter {
        Filter::Free => &units - engagement::engaged_of(rules, world, units.clone()),
        Filter::Engaged => engagement::engaged_of(rules, world, units),
        Filter::Contested => units.only(|u| !engagement::contact(rules, world, u).is_empty()),
        Filter::In(zone) => units & zones(zone, |there, own| there & own),
        Filter::InFoes(zone) => units & zones(zone, |there, own| there - own),
        Filter::Set(slot) => world.with_set(rules, units, slot.into()),
    }
}

fn place_passes(rules: &Rules, world: &World, place: PlaceId, filters: &[Filter]) -> bool {
    let here = world.at(place);
    filters.iter().all(|filter| match *filter {
        Filter::Contested => world.contested().contains(place),
        Filter::Free => !here.iter().any(|u| engagement::engaged(rules, world, u)),
        Filter::Engaged => here.iter().any(|u| engagement::engaged(rules, world, u)),
        Filter::In(zone) | Filter::InFoes(zone) => {
            let own = &rules.board.zones[zone as usize].places[..rules.factions.len()];
            own.iter().any(|places| places.contains(place))
        }
        Filter::Set(slot) => world.is_set(rules, Thing::Place(place), slot as usize),
    })
}
