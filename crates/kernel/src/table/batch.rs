//! The end of a simultaneous phase: what was gathered in it happens at once.

use super::reactions::EngagementBefore;
use super::{Halt, PendingReaction, Table};
use crate::effect::{Effect, GatheredEffects};
use crate::engagement;
use crate::ids::{Thing, UnitSet};

impl Table {
    /// Begins to apply what was gathered. Until [`Self::gather_again`], effects happen at once.
    pub fn begin_apply(&mut self) -> Vec<GatheredEffects> {
        self.run.applying = true;
        let moves = |g: &GatheredEffects| match g.effect {
            Effect::Put(..) | Effect::Lie(..) | Effect::Own(..) => true,
            Effect::Reserve(_) | Effect::Remove(_) => self.rules.hooks.becomes_free.is_some(),
            Effect::Set(Thing::Unit(_), slot, _) => self.rules.frees(slot),
            _ => false,
        };
        let hooks = &self.rules.hooks;
        let watched = hooks.becomes_engaged.is_some() || hooks.becomes_free.is_some();
        self.run.engaged_before = (watched && self.gathered.iter().any(moves)).then(|| EngagementBefore {
            concerned: UnitSet::EMPTY,
            engaged: engagement::engaged_of(&self.rules, &self.world, self.world.on_board()),
        });
        let mut batch = std::mem::take(&mut self.gathered);
        // What is taken out of a set or list makes room for what comes in.
        if batch.iter().any(|g| matches!(g.effect, Effect::Insert(..))) {
            batch.sort_by_key(|g| matches!(g.effect, Effect::Insert(..)));
        }
        for gathered in &batch {
            self.note_before(gathered.effect, gathered.cause);
        }
        batch
    }

    /// Applies an effect of a batch.
    ///
    /// # Errors
    ///
    /// It cannot be.
    pub fn apply_gathered(&mut self, gathered: &GatheredEffects) -> Result<(), Halt> {
        self.run.applied_group = gathered.group;
        let done = self.perform(gathered.effect, gathered.cause);
        self.run.applied_group = 0;
        done
    }

    /// The batch has been applied: what follows from it is what holds after all of it, whatever the
    /// order of its effects. What rules do from here on is gathered as one further batch.
    pub fn gather_again(&mut self) {
        self.run.applying = false;
        let mut remaining: Vec<PendingReaction> = Vec::new();
        let changed = std::mem::take(&mut self.run.changed);
        for mut due in std::mem::take(&mut self.due) {
            let holds = due
                .slot
                .is_none_or(|slot| self.exists(due.about) && self.world.slot(due.about, slot as usize) <= 0);
            if holds && !remaining.iter().any(|k| k.is_same_call(&due)) {
                let took = changed
                    .iter()
                    .filter(|c| c.fell && (c.about, Some(c.slot)) == (due.about, due.slot));
                due.causes = took.map(|c| c.cause).collect();
                remaining.push(due);
            }
        }
        self.due = remaining;
        for (index, change) in changed.iter().enumerate() {
            if !changed[..index].iter().any(|c| c.is_same_slot(change)) {
                self.follow_change(*change, &changed[index + 1..]);
            }
        }
        if let Some(before) = &mut self.run.engaged_before {
            before.concerned = self.world.on_board();
        }
        self.follow_units();
    }

    /// The batches are done. The gathered list is empty from the next step on.
    pub fn end_apply(&mut self) {
        self.run.applying = false;
        self.gathered.clear();
        self.run.gathered_mark = 0;
    }
}
