//! Sight: what a faction may see of the table.
//!
//! Outside hidden phases that is everything. Until a hidden phase ends, a faction does not see what
//! the others answered and did in it.

use super::{Position, Table};
use crate::event::Event;
use crate::ids::{FactionId, RecordedThing};
use crate::world::World;

impl Table {
    /// The index of the event with which the open hidden phase began; `None` when none is open.
    pub fn hidden_from(&self) -> Option<usize> {
        self.checkpoint.hidden_start.as_ref()?;
        let hidden = |phase: &u8| self.rules.phases[*phase as usize].hidden;
        let outermost = self.checkpoint.cursor.phases().find(hidden)?;
        let begins = |e: &Event| matches!(e, Event::Phase { phase, .. } if *phase == outermost);
        self.events.iter().rposition(begins)
    }

    /// The world as a faction may see it. Of the slots of places and of the game, and of the turn order,
    /// it sees what the record shows it; changes of quiet slots are on no record and are seen by nobody.
    pub fn view(&self, viewer: FactionId) -> World {
        self.view_of(&self.world, self.events.len(), viewer)
    }

    /// The start of the running step as a faction may see it.
    pub fn position_for(&self, viewer: FactionId) -> Position {
        let mut position = self.position();
        if position.hidden_start.is_some() {
            position.gathered.retain(|g| g.faction == viewer);
            position.world = self.view_of(&self.checkpoint.world, self.run.mark, viewer);
        }
        position
    }

    /// The world as it stood when so many events were on record, as a faction may see it.
    fn view_of(&self, world: &World, events: usize, viewer: FactionId) -> World {
        let Some(start) = &self.checkpoint.hidden_start else {
            return world.clone();
        };
        let rules = &self.rules;
        let mut view = world.masked(rules, start, viewer);
        let from = self.hidden_from().unwrap_or(self.events.len());
        let visible = self.visible_record(from, Some(from), Some(viewer)).into_iter();
        for (_, event) in visible.take_while(|(index, _)| *index < events) {
            let shared = match event {
                Event::Changed { who, .. } => matches!(who, RecordedThing::Game | RecordedThing::Place(_)),
                Event::Laid { .. } | Event::Lifted { .. } | Event::First { .. } => true,
                _ => false,
            };
            if shared {
                event.redo(rules, &mut view);
            }
        }
        view
    }

    /// The record with the index of each event; for a viewer without what the others answered and did
    /// in the open hidden phase. Dice in steps that are no faction's own are for all to see.
    pub fn record(&self, viewer: Option<FactionId>) -> Vec<(usize, Event)> {
        self.visible_record(0, self.hidden_from(), viewer)
    }

    /// The same from an event on.
    pub fn record_from(&self, from: usize, viewer: Option<FactionId>) -> Vec<(usize, Event)> {
        if viewer.is_none() {
            return self.visible_record(from.min(self.events.len()), None, None);
        }
        // What is a secret, the steps before it say.
        let mut record = self.record(viewer);
        record.retain(|(index, _)| *index >= from);
        record
    }

    /// The record from an event on, without what is hidden from the viewer.
    fn visible_record(
        &self,
        from: usize,
        hidden_from: Option<usize>,
        viewer: Option<FactionId>,
    ) -> Vec<(usize, Event)> {
        let mut step = None;
        let mut visible = Vec::with_capacity(self.events.len() - from);
        for (index, event) in self.events.iter().enumerate().skip(from) {
            let secret = hidden_from.is_some_and(|from| index > from);
            if let (true, Some(viewer)) = (secret, viewer) {
                match event {
                    Event::Phase { .. } => step = None,
                    Event::Step(id) => step = id.about.faction(),
                    Event::Chose(answer) if answer.step.pick > 0 => step = Some(answer.asker),
                    Event::Chose(answer) => step = answer.step.about.faction(),
                    // Nobody can say any more whose secret it was.
                    Event::Told { .. } => continue,
                    _ => {}
                }
                let others = |who: Option<FactionId>| who.is_some_and(|f| f != viewer);
                if others(step) || event.doers().into_iter().any(others) {
                    continue;
                }
            }
            visible.push((index, event.clone()));
        }
        visible
    }
}
