//! The effects of the options of a question: each option is tried on the position, as an agent that searches does, and
//! its events are read. There is no second list of what options mean, and nothing is told that dice decide: looking
//! ends where they are rolled.

use crate::kernel::effect::{self, Effect};
use crate::kernel::engagement;
use crate::kernel::event::Event;
use crate::kernel::ids::{Cause, UnitId, UnitSet};
use crate::kernel::rules::SlotKind;
use crate::kernel::table::{NoAnswerer, Table};
use crate::kernel::world::World;
use crate::reports::Report;
use crate::session::{Session, SessionState};
use std::sync::atomic::Ordering;

/// Maximum number of effects to show for an option.
const TOLD: usize = 2;

impl Session {
    /// The open question with its options and what each brings about at once, where that is
    /// anything that others do not bring about too. `None` when nothing is asked.
    pub fn question_with_meanings(&mut self) -> Option<Report> {
        let meanings = self.meanings();
        self.question_told(&meanings, usize::MAX)
    }

    /// For each option what it brings about, or nothing at all when no option tells anything.
    fn meanings(&mut self) -> Vec<String> {
        // In secret even one's own plans are better not written on the screen.
        if self.state != SessionState::Asks || self.is_secret() {
            return Vec::new();
        }
        let Some(options) = self.play.with_question(|a| a.request.options.len()) else {
            return Vec::new();
        };
        let world = self.play.table().world.clone();
        let events = self.play.table().events.len();
        let now = self.play.checkpoint();
        let source = self.play.set_source(Box::new(NoAnswerer));
        let mut all: Vec<Vec<String>> = Vec::new();
        for index in 0..options {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            self.play.answer(index);
            self.play.advance();
            all.push(follows(self.play.table(), &world, events));
            // Whatever looking came to, the table is as it was, and asks again.
            self.play.go_back(&now);
            self.play.advance();
        }
        self.play.set_source(source);
        if options > 1 && all.len() == options {
            let common: Vec<String> = all[0]
                .iter()
                .filter(|meaning| all.iter().all(|a| a.contains(meaning)))
                .cloned()
                .collect();
            for meaning in &mut all {
                meaning.retain(|t| !common.contains(t));
            }
        }
        if all.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        all.into_iter().map(spelled).collect()
    }
}

fn spelled(mut effects: Vec<String>) -> String {
    let more = effects.len() > TOLD;
    effects.truncate(TOLD);
    if more {
        effects.push("...".to_owned());
    }
    effects.join(", ")
}

/// Returns the events from this one on, up to the first roll.
fn follows(table: &Table, before: &World, from: usize) -> Vec<String> {
    let new = table.events.get(from..).unwrap_or_default();
    let certain = new
        .iter()
        .take_while(|e| !matches!(e, Event::Rolled { .. } | Event::Threw { .. }));
    let rules = &table.rules;
    let mut world = before.clone();
    let mut moved = UnitSet::EMPTY;
    let mut others = Vec::new();
    for event in certain {
        let untold = |event: Event| {
            let line = crate::event_text::line(&event, rules, &table.words);
            line.replace("  ", " ")
        };
        let cause = Cause::default();
        if let Some((unit, _, to)) = event.arrival() {
            if let Some(id) = world.find(unit) {
                let put = match *event {
                    Event::Lay { to, .. } => Effect::Lie(id, to),
                    _ => Effect::Put(id, to),
                };
                effect::apply(rules, &mut world, put, cause);
                moved = moved | UnitSet::one(id);
            }
            continue;
        }
        match *event {
            Event::Changed {
                who, slot, from, to, ..
            } => {
                let slots = match who {
                    crate::kernel::ids::RecordedThing::Unit(_) => &rules.slots.unit,
                    crate::kernel::ids::RecordedThing::Faction(_) => &rules.slots.faction,
                    _ => continue,
                };
                if slots
                    .get(slot as usize)
                    .is_some_and(|s| s.kind == SlotKind::Number)
                {
                    others.push(untold(Event::Changed {
                        who,
                        slot,
                        from,
                        to,
                        cause,
                    }));
                }
            }
            Event::Removed { unit, from, .. } => others.push(untold(Event::Removed { unit, from, cause })),
            Event::Enlisted { unit, .. } => others.push(untold(Event::Enlisted { unit, cause })),
            Event::Finished { .. } => others.push(untold(event.clone())),
            _ => {}
        }
    }
    let names = |units: UnitSet| {
        let names: Vec<String> = units.map(|u| rules.unit_name(world.name(u))).collect();
        names.join(", ")
    };
    let contact = |world: &World, unit: UnitId| engagement::contact(rules, world, unit);
    let mut effects = Vec::new();
    for unit in moved {
        let (was, is) = (contact(before, unit), contact(&world, unit));
        if !(&is - &was).is_empty() {
            effects.push(format!("engages {}", names(is - was)));
        } else if !was.is_empty() && is.is_empty() {
            effects.push(format!("leaves {}", names(was)));
        }
    }
    effects.extend(others);
    effects
}
