//! The players of the factions of a session.

use crate::agents::{Agent, Mind};
use crate::kernel::choice::StepId;
use std::collections::BTreeMap;

/// The players of the factions.
#[derive(Default)]
pub(crate) struct Players {
    /// Agents by the names of their sides.
    pub(crate) sides: BTreeMap<String, Agent>,
    /// One person plays all others: nothing is covered.
    pub(crate) alone: bool,
    /// The memory of the agents that search.
    pub(crate) mind: Mind,
    /// Whether they answer when they are asked: not after answers were taken back.
    pub(crate) going: bool,
    /// The step of which it was last said why an agent answered as it did.
    pub(crate) explained: Option<StepId>,
}

impl Players {
    /// As the journal keeps it.
    pub(crate) fn journal_form(&self) -> BTreeMap<String, String> {
        let sides = self.sides.iter();
        sides
            .map(|(faction, agent)| (faction.clone(), agent.to_string()))
            .collect()
    }

    /// Returns the agent that plays a faction, if there is one.
    pub(crate) fn agent(&self, faction: &str) -> Option<Agent> {
        self.sides.get(faction).copied()
    }

    /// Whether a question is the first of an activation, of which it is said why an agent answered so. Who is picked to
    /// act, and what the picked one does, is one activation.
    pub(crate) fn begins_activation(&mut self, step: StepId) -> bool {
        let before = self.explained.replace(step);
        before.is_none_or(|before| {
            let follows = before.pick > 0 && step.pick == 0 && step.interrupts.is_none();
            let alike = |s: StepId| (s.path, s.phase);
            before != step && !(follows && alike(before) == alike(step))
        })
    }

    /// As the journal has kept it; an agent that is not there any more plays no more.
    pub(crate) fn of(stored: &BTreeMap<String, String>) -> Self {
        let sides = stored.iter();
        let sides = sides.filter_map(|(faction, agent)| Some((faction.clone(), Agent::find(agent).ok()?)));
        Self {
            sides: sides.collect(),
            going: true,
            ..Self::default()
        }
    }
}
