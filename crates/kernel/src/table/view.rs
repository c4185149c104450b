//! Views: what a faction may see of a position. No other code knows what is hidden.

use super::{Position, Table, secrets};
use crate::effect::GatheredEffects;
use crate::event::Event;
use crate::ids::{FactionId, RecordedThing, Thing, UnitId};
use crate::rules::Rules;
use crate::schedule::NextStep;
use crate::world::World;
use std::borrow::Cow;
use std::ops::Range;

/// A position and its record as a faction may see them: without hidden slots and units of others, and, until a hidden
/// phase ends, without what the other factions answered and did in it. Everything for no faction, and where nothing is
/// hidden.
#[derive(Clone, Copy)]
pub struct View<'t> {
    rules: &'t Rules,
    position: &'t Position,
    /// The world now, which the running step may have changed.
    world: &'t World,
    events: &'t [Event],
    /// Number of events before the running step.
    mark: usize,
    gathered: &'t [GatheredEffects],
    /// The faction, if anything may be hidden from it.
    viewer: Option<FactionId>,
    hidden: Option<OpenHiddenPhase<'t>>,
}

/// The open hidden phase, for a faction that must not see all of it.
#[derive(Clone, Copy)]
struct OpenHiddenPhase<'t> {
    start: &'t World,
    /// The index of the event with which it began, if that is on record.
    since: Option<usize>,
}

impl Table {
    /// The table as a faction may see it; everything for no faction.
    pub fn view(&self, viewer: Option<FactionId>) -> View<'_> {
        let mut view = View {
            world: &self.world,
            events: &self.events,
            mark: self.run.mark,
            gathered: self.gathered_before(),
            ..self.checkpoint.view(&self.rules, viewer)
        };
        if let Some(hidden) = &mut view.hidden {
            let hides = |phase: &u8| self.rules.phases[*phase as usize].hidden;
            let outermost = self.checkpoint.cursor.phases().find(hides);
            let begins = |e: &Event| matches!(e, Event::Phase { phase, .. } if Some(*phase) == outermost);
            hidden.since = self.events.iter().rposition(begins);
        }
        view
    }
}

impl Position {
    /// The position without a record, as a faction may see it; everything for no faction.
    pub fn view<'t>(&'t self, rules: &'t Rules, viewer: Option<FactionId>) -> View<'t> {
        let hidden = viewer.and(self.hidden_start.as_deref());
        View {
            rules,
            position: self,
            world: &self.world,
            events: &[],
            mark: 0,
            gathered: &self.gathered,
            viewer: viewer.filter(|_| hidden.is_some() || rules.slots.secrets),
            hidden: hidden.map(|start| OpenHiddenPhase { start, since: None }),
        }
    }
}

impl<'t> View<'t> {
    /// The faction whose view it is; `None` if the view is everything.
    pub fn faction(&self) -> Option<FactionId> {
        self.viewer
    }

    /// Whether the view is everything.
    pub fn is_whole(&self) -> bool {
        self.viewer.is_none()
    }

    /// The faction, if slots or units may be hidden from it, whatever the phase.
    fn lasting(&self) -> Option<FactionId> {
        self.viewer.filter(|_| self.rules.slots.secrets)
    }

    /// Whether slots or units may be hidden from the faction, whatever the phase.
    pub fn has_lasting_secrets(&self) -> bool {
        self.lasting().is_some()
    }

    /// Whether the faction may see and change what another faction has, and read what it answers, but for hidden
    /// slots and units.
    pub fn shows(&self, owner: FactionId) -> bool {
        self.hidden.is_none() || self.viewer == Some(owner)
    }

    /// Whether the faction may see that a unit is there.
    pub fn shows_unit(&self, unit: UnitId) -> bool {
        let hides = |viewer| self.world.hides_unit(self.rules, unit, viewer);
        self.shows(self.world.unit(unit).owner) && !self.lasting().is_some_and(hides)
    }

    /// Whether the faction may see the value of a slot, by its index.
    pub fn shows_slot(&self, thing: Thing, slot: usize) -> bool {
        let hides = |viewer| self.world.hides_slot(self.rules, thing, slot, viewer);
        let unit = matches!(thing, Thing::Unit(unit) if !self.shows_unit(unit));
        !unit && !self.lasting().is_some_and(hides)
    }

    /// The index of the event that began the open hidden phase, after which events may be left out.
    pub fn since(&self) -> Option<usize> {
        self.hidden?.since
    }

    /// Number of events at the beginning of the record that every faction may see: none where slots or units may be
    /// hidden.
    pub fn public_events(&self) -> usize {
        match self.lasting() {
            Some(_) => 0,
            None => self.since().map_or(self.events.len(), |since| since + 1),
        }
    }

    /// Whether a hidden phase is open, in which the faction does not see all.
    pub fn in_hidden_phase(&self) -> bool {
        self.hidden.is_some()
    }

    /// The events that the faction may see, with their indices in the record. Dice in steps that are no faction's own
    /// are for all to see.
    pub fn events(&self) -> impl Iterator<Item = (usize, Cow<'t, Event>)> + use<'t> {
        let read = |viewer| secrets::seen(self.rules, self.world, false, viewer, self.events);
        let mut seen = self.lasting().map(read);
        self.events_from(0).filter_map(move |(index, event)| {
            let event = match &mut seen {
                None => Cow::Borrowed(event),
                Some(seen) => seen.get_mut(index)?.take()?,
            };
            Some((index, event))
        })
    }

    /// The events from this one on that the faction may see, where the world was this before it and a step begins with
    /// it; what is hidden in the open hidden phase is left out if `in_phase` says so.
    pub fn events_after(&self, before: &World, from: usize, in_phase: bool) -> Vec<Cow<'t, Event>> {
        match self.lasting().filter(|_| !in_phase) {
            Some(viewer) => {
                let events = self.events.get(from..).unwrap_or_default();
                let seen = secrets::seen(self.rules, before, true, viewer, events);
                seen.into_iter().flatten().collect()
            }
            None => {
                let events = self.events().filter(|(index, _)| *index >= from);
                events.map(|(_, event)| event).collect()
            }
        }
    }

    /// The events from this one on, which must not lie within the open hidden phase, with hidden slots and units.
    fn events_from(&self, from: usize) -> impl Iterator<Item = (usize, &'t Event)> + use<'t> {
        let secret = self.faction().zip(self.since());
        let mut step = None;
        let visible = move |(index, event): &(usize, &Event)| {
            let Some((viewer, _)) = secret.filter(|(_, since)| index > since) else {
                return true;
            };
            match event {
                Event::Phase { .. } => step = None,
                Event::Step(id) => step = id.about.faction(),
                Event::Chose(answer) if answer.step.pick > 0 => step = Some(answer.asker),
                Event::Chose(answer) => step = answer.step.about.faction(),
                // Nobody can say any more whose secret it was.
                Event::Told { .. } => return false,
                _ => {}
            }
            let others = |who: Option<FactionId>| who.is_some_and(|f| f != viewer);
            !others(step) && !event.doers().into_iter().any(others)
        };
        self.events.iter().enumerate().skip(from).filter(visible)
    }

    /// Whether some of these events, by index, are not in the view.
    pub fn leaves_out(&self, events: Range<usize>) -> bool {
        let whole = |event: &Cow<'_, Event>| matches!(event, Cow::Borrowed(_));
        let visible = self.events();
        let visible = visible.filter(|(index, event)| events.contains(index) && whole(event));
        visible.count() < events.len()
    }

    /// The world. Of the slots of places and of the game, and of the turn order, a faction sees what the events of
    /// its view show; changes of quiet slots are on no record and are seen by no faction.
    pub fn world(&self) -> Cow<'t, World> {
        self.redacted(self.world, self.events.len())
    }

    /// The position at the start of the running step.
    pub fn position(&self) -> Position {
        let lasting = self.lasting();
        let own = |g: &&GatheredEffects| self.shows(g.faction) && lasting.is_none_or(|f| f == g.faction);
        let gathered = self.gathered.iter().filter(own);
        let gathered = gathered.copied().collect();
        let world = self.redacted(&self.position.world, self.mark).into_owned();
        self.position.with(world, gathered)
    }

    /// The position when the open hidden phase had just begun, which every faction has seen; `None` if the view is
    /// everything, or if a phase around the hidden one gathers effects.
    pub fn opening(&self) -> Option<Position> {
        let mut world = self.hidden?.start.clone();
        if let Some(viewer) = self.lasting() {
            world.leave_out_secrets(self.rules, viewer);
        }
        let cursor = self.position.cursor.at_opening(self.rules, &mut world)?;
        let mut position = self.position.with(world, Vec::new());
        (position.cursor, position.next) = (cursor, NextStep::Over);
        position.answers.clear();
        Some(position)
    }

    /// The world as it stood when this number of events was on record, as the faction may see it.
    fn redacted(&self, world: &'t World, events: usize) -> Cow<'t, World> {
        let world = self.redacted_phase(world, events);
        let Some(viewer) = self.lasting() else {
            return world;
        };
        let mut view = world.into_owned();
        view.leave_out_secrets(self.rules, viewer);
        Cow::Owned(view)
    }

    /// The same with hidden slots and units.
    fn redacted_phase(&self, world: &'t World, events: usize) -> Cow<'t, World> {
        let Some((viewer, hidden)) = self.viewer.zip(self.hidden) else {
            return Cow::Borrowed(world);
        };
        let mut view = world.masked(self.rules, hidden.start, viewer);
        let since = hidden.since.unwrap_or(self.events.len());
        for (_, event) in self.events_from(since).take_while(|(index, _)| *index < events) {
            let shared = match event {
                Event::Changed { who, .. } => matches!(who, RecordedThing::Game | RecordedThing::Place(_)),
                Event::Inserted { item, .. } | Event::Taken { item, .. } => {
                    matches!(item.who, RecordedThing::Game | RecordedThing::Place(_))
                }
                Event::Laid { .. } | Event::Lifted { .. } | Event::First { .. } => true,
                _ => false,
            };
            if shared {
                event.redo(self.rules, &mut view);
            }
        }
        Cow::Owned(view)
    }
}
