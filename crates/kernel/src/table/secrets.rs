//! Secrets that outlast a phase: the events in which a hidden slot or a hidden unit would show.

use crate::choice::{Answer, NamedOption};
use crate::event::{Event, SlotItem};
use crate::ids::{FactionId, RecordedThing, UnitId, UnitName};
use crate::phase::outwards;
use crate::rules::{Hidden, ItemKind, NOTHING, Rules, Slot, SlotKind};
use crate::world::{World, starting_value};
use std::borrow::Cow;
use std::collections::HashMap;

/// Reader of a record that knows, event by event, which slots and units a faction does not see.
struct Secrets<'a> {
    rules: &'a Rules,
    viewer: FactionId,
    world: &'a World,
    /// Slots that hide something, by name and index, as they were set when the event that is read happened, where they
    /// are not as in the world.
    set: HashMap<(RecordedThing, u8), bool>,
}

impl Secrets<'_> {
    fn slot(&self, who: RecordedThing, slot: u8) -> &Slot {
        let thing = who.map(|_| Some(UnitId::default())).unwrap_or_default();
        &self.rules.slots.of(thing)[usize::from(slot)]
    }

    /// Whether a slot that hides something was set.
    fn is_set(&self, who: RecordedThing, slot: u8) -> bool {
        self.set
            .get(&(who, slot))
            .copied()
            .unwrap_or_else(|| match who.map(|unit| self.world.find(unit)) {
                Some(thing) => self.world.recorded(thing, slot.into()) != 0,
                None => self.start(who, slot),
            })
    }

    /// Whether it starts set.
    fn start(&self, who: RecordedThing, slot: u8) -> bool {
        let slot = self.slot(who, slot);
        match who {
            RecordedThing::Unit(unit) => {
                starting_value(self.rules, unit.kind, slot.from_stat, slot.start) != 0
            }
            _ => slot.start != 0,
        }
    }

    fn hides_unit(&self, unit: UnitName) -> bool {
        let mut hiding = (0..).zip(&self.rules.slots.unit).filter(|(_, slot)| slot.hides);
        unit.owner != self.viewer && hiding.any(|(slot, _)| self.is_set(RecordedThing::Unit(unit), slot))
    }

    fn hides_thing(&self, who: RecordedThing) -> bool {
        matches!(who, RecordedThing::Unit(unit) if self.hides_unit(unit))
    }

    fn hides_slot(&self, who: RecordedThing, slot: u8) -> bool {
        let hidden = match self.slot(who, slot).hidden {
            Hidden::Never => false,
            Hidden::Always => true,
            Hidden::While(flag) => self.is_set(who, flag),
        };
        hidden && who.faction() != Some(self.viewer)
    }

    /// Whether an item of a set or list names a hidden unit.
    fn hides_item(&self, item: &SlotItem) -> bool {
        let items = self.slot(item.who, item.slot).kind.items();
        let mut parts = items.into_iter().flat_map(|items| items.parts().zip(item.item));
        parts.any(|(kind, unit)| kind == ItemKind::Unit && self.hides_unit(UnitName::from_stored(unit)))
    }

    fn hides_answer(&self, answer: &Answer) -> bool {
        let names = |option: NamedOption| match option {
            NamedOption::Unit(unit) => self.hides_unit(unit),
            // Its key may name units.
            NamedOption::Many(_) => self.rules.slots.unit.iter().any(|slot| slot.hides),
            _ => false,
        };
        answer.asker != self.viewer
            && (self.hides_thing(answer.step.about)
                || self.hides_thing(answer.subject)
                || answer.chosen.things().any(names))
    }

    /// Keeps in mind what an event changes of what hides something.
    fn follow(&mut self, event: &Event) {
        match *event {
            Event::Changed { who, slot, to, .. } => {
                self.set.insert((who, slot), to != 0);
            }
            Event::Enlisted { unit, .. } => {
                let who = RecordedThing::Unit(unit);
                for slot in 0..self.rules.slots.unit.len() as u8 {
                    self.set.insert((who, slot), self.start(who, slot));
                }
            }
            Event::Renamed { unit, to, .. } => {
                for slot in 0..self.rules.slots.unit.len() as u8 {
                    let set = self.is_set(RecordedThing::Unit(unit), slot);
                    self.set.insert((RecordedThing::Unit(to), slot), set);
                }
            }
            _ => {}
        }
    }

    /// Goes back to before an event that the last one read followed.
    fn go_back(&mut self, event: &Event) {
        match *event {
            Event::Changed { who, slot, from, .. } => {
                self.set.insert((who, slot), from != 0);
            }
            Event::Renamed { unit, to, .. } => {
                for slot in 0..self.rules.slots.unit.len() as u8 {
                    let set = self.is_set(RecordedThing::Unit(to), slot);
                    self.set.insert((RecordedThing::Unit(unit), slot), set);
                }
            }
            _ => {}
        }
    }

    /// The event as the faction sees it, which has just been followed; `None` if it is left out.
    fn read<'e>(&mut self, event: &'e Event) -> Option<Cow<'e, Event>> {
        let thing = match *event {
            Event::Changed { who, .. } => Some(who),
            Event::Inserted { item, .. } | Event::Taken { item, .. } => Some(item.who),
            Event::Threw { unit, .. }
            | Event::Lay { unit, .. }
            | Event::Moved { unit, .. }
            | Event::Removed { unit, .. }
            | Event::Spared { unit, .. }
            | Event::Stayed { unit, .. } => Some(RecordedThing::Unit(unit)),
            Event::Step(step) => Some(step.about),
            _ => None,
        };
        let before = thing.is_some_and(|who| self.hides_thing(who));
        let renamed = matches!(*event, Event::Renamed { unit, .. } if self.hides_unit(unit));
        self.follow(event);
        let hidden = match *event {
            // That something hides or is revealed is seen by all.
            Event::Changed { who, slot, .. } => self.hides_slot(who, slot) || before && self.hides_thing(who),
            Event::Inserted { item, .. } | Event::Taken { item, .. } => {
                before || self.hides_slot(item.who, item.slot) || self.hides_item(&item)
            }
            Event::Step(step) => before || step.interrupts.is_some_and(|cut| self.hides_unit(cut.after)),
            Event::Enlisted { unit, .. } => self.hides_unit(unit),
            Event::Renamed { to, .. } => renamed || self.hides_unit(to),
            Event::Chose(ref answer) => self.hides_answer(answer),
            Event::Rolled { who, .. } | Event::Counted { who, .. } => self.hides_thing(who),
            // Nobody can say any more whose secret it was.
            Event::Told { .. } => true,
            _ => before,
        };
        (!hidden).then(|| self.blank(event))
    }

    /// The event without the names of hidden units.
    fn blank<'e>(&self, event: &'e Event) -> Cow<'e, Event> {
        let mut blank = event.clone();
        if let Some(author) = author(&mut blank).filter(|who| self.hides_thing(**who)) {
            *author = RecordedThing::Game;
        }
        if let Event::Changed {
            who, slot, from, to, ..
        } = &mut blank
            && self.slot(*who, *slot).kind == SlotKind::Unit
        {
            for value in [from, to] {
                if *value != NOTHING && self.hides_unit(UnitName::from_stored(*value)) {
                    *value = NOTHING;
                }
            }
        }
        match blank == *event {
            true => Cow::Borrowed(event),
            false => Cow::Owned(blank),
        }
    }
}

/// The one that is said to have caused an event.
fn author(event: &mut Event) -> Option<&mut RecordedThing> {
    match event {
        Event::Changed { cause, .. }
        | Event::Inserted { cause, .. }
        | Event::Taken { cause, .. }
        | Event::Lay { cause, .. }
        | Event::Moved { cause, .. }
        | Event::Removed { cause, .. }
        | Event::Spared { cause, .. }
        | Event::Laid { cause, .. }
        | Event::Lifted { cause, .. }
        | Event::Enlisted { cause, .. }
        | Event::Renamed { cause, .. }
        | Event::Disbanded { cause, .. }
        | Event::Stayed { cause, .. }
        | Event::First { cause, .. } => Some(&mut cause.by),
        Event::Finished { by, .. } => Some(by),
        _ => None,
    }
}

/// The events as a faction sees them, `None` for those that are left out, where the world is the one after them, or,
/// if `before` says so, before them.
///
/// Left out is what happens to a hidden unit or slot. Of a step in which such a thing happens the answers and rolls of
/// others are left out, too: they would tell of it. Names of hidden units are taken out of the rest.
pub(super) fn seen<'e>(
    rules: &Rules,
    world: &World,
    before: bool,
    viewer: FactionId,
    events: &'e [Event],
) -> Vec<Option<Cow<'e, Event>>> {
    let mut secrets = Secrets {
        rules,
        viewer,
        world,
        set: HashMap::new(),
    };
    if !before {
        events.iter().rev().for_each(|event| secrets.go_back(event));
    }
    let mut seen: Vec<Option<Cow<'e, Event>>> = Vec::with_capacity(events.len());
    let mut begun = 0;
    let leave_out = |seen: &mut Vec<Option<Cow<'e, Event>>>, begun: usize| {
        let others = |event: &Event| match event {
            Event::Chose(answer) => answer.asker != viewer,
            Event::Rolled { who, .. } | Event::Counted { who, .. } => who.faction() != Some(viewer),
            Event::Threw { unit, .. } => unit.owner != viewer,
            _ => false,
        };
        let step = &mut seen[begun..];
        let secret = step
            .iter()
            .zip(&events[begun..])
            .any(|(seen, event)| seen.is_none() && !matches!(event, Event::Told { .. }));
        for (seen, event) in step.iter_mut().zip(&events[begun..]) {
            if secret && others(event) {
                *seen = None;
            }
        }
    };
    let gathers = |phase: u8| outwards(&rules.phases, phase).any(|p| rules.phases[p as usize].simultaneous);
    for event in events {
        let begins = match event {
            Event::Phase { phase, .. } => !gathers(*phase),
            Event::Step(step) => !gathers(step.phase),
            Event::Chose(answer) => answer.step.pick > 0 && !gathers(answer.step.phase),
            _ => false,
        };
        if begins {
            leave_out(&mut seen, begun);
            begun = seen.len();
        }
        let event = secrets.read(event);
        seen.push(event);
    }
    leave_out(&mut seen, begun);
    seen
}
