//! Interruptions: questions to other factions after events in a step of a phase, before it goes on.

use super::{Cursor, NextStep};
use crate::choice::Interrupts;
use crate::event::Event;
use crate::ids::{FactionId, HookId, RecordedThing, Thing, UnitId};
use crate::phase::{MAX_CHAIN, MAX_INTERRUPTS, Trigger, interrupts_of};
use crate::rules::Rules;
use crate::world::World;
use std::collections::BTreeMap;

/// A faction that is asked after something that a unit did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AskedFaction {
    /// Faction asked.
    pub faction: FactionId,
    /// Unit that set it off.
    pub after: UnitId,
    /// Index of the interruption among those of the phase.
    pub index: u8,
    /// Number of interruptions that it lies within.
    pub depth: usize,
}

/// Questions that wait to interrupt the open phase.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Interrupting {
    /// Waiting questions; the next one is the last.
    pub waiting: Vec<AskedFaction>,
    /// The step under way with those within which it lies, outermost first.
    pub chain: Vec<AskedFaction>,
    under_way: bool,
    /// Number of interruptions since the last step of the phase's own work.
    count: usize,
    /// Number of times that each was asked in the phase, at any depth.
    pub before: BTreeMap<AskedFaction, u16>,
}

impl Interrupting {
    fn again(&self, interrupt: AskedFaction) -> u16 {
        let same = AskedFaction {
            depth: 0,
            ..interrupt
        };
        self.before.get(&same).copied().unwrap_or(0)
    }

    /// Counts, or takes back, that it was asked.
    fn count(&mut self, interrupt: AskedFaction, times: u16) {
        self.before.insert(
            AskedFaction {
                depth: 0,
                ..interrupt
            },
            times,
        );
    }

    /// Returns the number of earlier runs of the current step, and the interruption that it belongs to.
    pub(super) fn step(&self, world: &World) -> Option<(u16, Interrupts)> {
        let interrupt = self.now()?;
        let interrupts = Interrupts {
            index: interrupt.index,
            after: world.name(interrupt.after),
        };
        Some((self.again(interrupt).saturating_sub(1), interrupts))
    }

    /// The step that is under way waits again, if there is one.
    pub(super) fn take_back(&mut self) -> bool {
        let Some(interrupt) = self.now() else { return false };
        self.count(interrupt, self.again(interrupt).saturating_sub(1));
        self.waiting.push(interrupt);
        self.count -= 1;
        self.under_way = false;
        true
    }

    fn now(&self) -> Option<AskedFaction> {
        self.chain.last().copied().filter(|_| self.under_way)
    }
}

impl Cursor {
    /// Returns the questions that wait to interrupt the open phase; none where no faction may interrupt it.
    pub fn interrupting(&self) -> Interrupting {
        self.interrupting.as_deref().cloned().unwrap_or_default()
    }

    /// Whether others may interrupt the open phase.
    #[inline]
    pub fn is_interrupted(&self) -> bool {
        self.interrupting.is_some()
    }

    /// The unit that set off the interruption that is the current step, and the hook that it calls.
    #[inline]
    pub fn set_off(&self, rules: &Rules) -> Option<(HookId, UnitId)> {
        let interrupt = self.interrupting.as_deref()?.now()?;
        let phase = self.top().phase;
        let declared = interrupts_of(&rules.phases, phase).get(interrupt.index as usize)?;
        Some((declared.hook, interrupt.after))
    }

    /// Asks the other factions after what happened in a step, before the phase goes on.
    pub fn interrupt(&mut self, rules: &Rules, world: &World, happened: &[Event]) {
        let top = self.open().last().map(|frame| frame.phase);
        let (Some(phase), Some(interrupting)) = (top, &mut self.interrupting) else {
            return;
        };
        let declared = interrupts_of(&rules.phases, phase);
        let depth = if interrupting.under_way {
            interrupting.chain.len()
        } else {
            0
        };
        let mut pending: Vec<AskedFaction> = Vec::new();
        for event in happened {
            let (name, on) = match (event.arrival(), event) {
                (Some((unit, ..)), _) => (unit, Trigger::Moved),
                (
                    None,
                    Event::Changed {
                        who: RecordedThing::Unit(unit),
                        slot,
                        ..
                    },
                ) => (*unit, Trigger::Slot(*slot)),
                _ => continue,
            };
            let Some(after) = world.find(name).filter(|u| world.is_on_board(*u)) else {
                continue;
            };
            for set_off in declared.iter().filter(|i| i.on == on) {
                // The same hook is asked once, whatever it hears of.
                let index = declared.iter().position(|i| i.name == set_off.name).unwrap_or(0);
                let order = world.order();
                let order = &order[..rules.factions.len()];
                let own = order.iter().position(|f| *f == name.owner).unwrap_or(0);
                for faction in order.iter().cycle().skip(own + 1).take(order.len() - 1) {
                    let new = AskedFaction {
                        faction: *faction,
                        after,
                        index: index as u8,
                        depth,
                    };
                    if !pending.contains(&new) {
                        pending.push(new);
                    }
                }
            }
        }
        interrupting.waiting.extend(pending.into_iter().rev());
    }

    /// The next interruption; `None` when the phase goes on.
    pub(super) fn next_interruption(&mut self, rules: &Rules, world: &World) -> Option<NextStep> {
        let phase = self.open().last()?.phase;
        let interrupting = self.interrupting.as_deref_mut()?;
        interrupting.under_way = false;
        if world.decided {
            interrupting.waiting.clear();
        }
        while let Some(interrupt) = interrupting.waiting.pop() {
            let declared = interrupts_of(&rules.phases, phase).get(interrupt.index as usize);
            let Some(declared) = declared.filter(|_| world.is_on_board(interrupt.after)) else {
                continue;
            };
            interrupting.chain.truncate(interrupt.depth);
            interrupting.chain.push(interrupt);
            interrupting.count += 1;
            if interrupting.chain.len() > MAX_CHAIN || interrupting.count > MAX_INTERRUPTS {
                return Some(NextStep::Endless { phase });
            }
            interrupting.under_way = true;
            let again = interrupting.again(interrupt);
            interrupting.count(interrupt, again.saturating_add(1));
            return Some(NextStep::Step {
                hook: declared.hook,
                about: Thing::Faction(interrupt.faction),
            });
        }
        interrupting.chain.clear();
        interrupting.count = 0;
        None
    }

    /// The interruptions that set each other off, when there are too many: each as its step is called.
    pub fn chain(&self, rules: &Rules, world: &World) -> Option<String> {
        let all = self.interrupting.as_deref()?;
        if all.under_way || all.chain.len() <= MAX_CHAIN && all.count <= MAX_INTERRUPTS {
            return None;
        }
        let declared = interrupts_of(&rules.phases, self.open().last()?.phase);
        let descriptions = all.chain.iter().take(4).map(|interrupt| {
            let name = declared
                .get(interrupt.index as usize)
                .map_or("?", |i| i.name.as_str());
            let (who, after) = (
                &rules.factions[interrupt.faction.index()],
                world.name(interrupt.after),
            );
            format!("{name}: {who} after {}", rules.unit_name(after))
        });
        let descriptions: Vec<String> = descriptions.collect();
        Some(format!(
            "{} ({} of them since the last step)",
            descriptions.join("; "),
            all.count - 1
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{TypeId, UnitName};

    /// In whatever order units acted and others were asked, the same is ahead.
    #[test]
    fn what_happened_in_another_order_is_the_same_position() {
        let interrupt = |unit: usize| AskedFaction {
            faction: FactionId(0),
            after: UnitId::new(unit),
            index: 0,
            depth: unit,
        };
        let named = |unit: usize| UnitName {
            owner: FactionId(0),
            kind: TypeId(0),
            nth: unit as u16,
        };
        let cursor = |units: [usize; 3]| {
            let mut cursor = Cursor::start(false);
            let mut interrupting = Interrupting::default();
            for unit in units {
                cursor
                    .turning
                    .get_or_insert_default()
                    .acted
                    .insert(named(unit), 1);
                interrupting.count(interrupt(unit), 1);
            }
            cursor.interrupting = Some(Box::new(interrupting));
            cursor
        };
        let hash = |cursor: &Cursor| {
            let mut state = std::hash::DefaultHasher::new();
            cursor.hash_open(&mut state);
            std::hash::Hasher::finish(&state)
        };
        let (one, other) = (cursor([1, 2, 3]), cursor([3, 1, 2]));
        assert_eq!(one, other);
        assert_eq!(hash(&one), hash(&other));
        assert_ne!(hash(&one), hash(&cursor([1, 2, 4])));
    }
}
