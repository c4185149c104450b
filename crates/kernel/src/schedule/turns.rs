//! Turns of factions in a phase: the next faction, the units that can be activated, the cost, and the end of a turn.

use super::{Cursor, NextStep, passing};
use crate::ids::{FactionId, MAX_FACTIONS, Thing, UnitId, UnitName, UnitSet};
use crate::phase::{
    ActivatedUnits, Filter, MAX_ITERATIONS, PassScope, PhaseBody, TurnOrder, Turns, UnitMeasure,
};
use crate::rules::Rules;
use crate::world::World;
use std::collections::BTreeMap;

/// State of a phase in which factions take turns as the game declares.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Turning {
    /// Faction whose turn it is.
    faction: Option<FactionId>,
    /// The unit whose card was drawn for it.
    card: Option<UnitId>,
    /// Number of units activated in the turn.
    taken: u16,
    /// Number of picks in the phase, and number of turns for which a faction was decided.
    pub(super) picks: u16,
    pub(super) decided: u16,
    /// Factions that had a turn since all had one, and factions for which the phase is over.
    had: [bool; MAX_FACTIONS],
    out: [bool; MAX_FACTIONS],
    /// Factions that passed since the last activation.
    passed: [bool; MAX_FACTIONS],
    over: bool,
    /// The units of the faction as its turn began: those that come to it later wait for another.
    pub(super) own: UnitSet,
    /// Number of activations of each unit, where more than one is possible; by name, as in events.
    pub(super) acted: BTreeMap<UnitName, u16>,
}

impl Turning {
    pub(super) fn acted(&self, unit: UnitName) -> u16 {
        self.acted.get(&unit).copied().unwrap_or(0)
    }

    /// A faction has its turn, perhaps with a unit's card.
    fn begin_turn(&mut self, world: &World, faction: FactionId, card: Option<UnitId>) {
        (self.faction, self.card) = (Some(faction), card);
        self.own = world.owned(faction);
    }

    /// The turn is over.
    fn end_turn(&mut self) {
        if let Some(faction) = self.faction.take() {
            self.had[faction.index()] = true;
        }
        (self.card, self.taken) = (None, 0);
        self.own = UnitSet::EMPTY;
    }

    /// Returns the faction that picks now and its candidates among the `ready` units; `None` when the turn is over or
    /// nobody's.
    fn pick(&self, world: &World, turns: &Turns, ready: &UnitSet) -> Option<NextStep> {
        let faction = self.faction?;
        let mut units = ready & world.owned(faction) & &self.own;
        if let Some(card) = self.card {
            units = units & UnitSet::one(card);
        }
        let (least, most) = turns.quota;
        (!units.is_empty() && self.taken < most).then(|| NextStep::Pick {
            faction,
            units,
            may_pass: turns.pass.is_some() || least < most && self.taken >= least,
        })
    }

    /// Returns the count by which the phase is considered endless, in words; `None` if it is not.
    fn too_much(&self) -> Option<String> {
        let times = |what: &str| format!("{what} {} times, the most there can be", u16::MAX);
        if self.acted.values().any(|times| *times >= MAX_ITERATIONS) {
            Some(format!(
                "one unit has been activated {MAX_ITERATIONS} times, the most there can be"
            ))
        } else if self.picks == u16::MAX {
            Some(times("units have been activated, or factions have passed,"))
        } else {
            (self.decided == u16::MAX).then(|| times("it has been decided whose turn it is"))
        }
    }
}

/// Candidates for the next turn, where a step decides it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnCandidates {
    /// One of these is chosen.
    Ask(Vec<FactionId>),
    /// One of these cards is drawn.
    Draw(Vec<DeckCard>),
}

/// Cards that are alike in a deck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeckCard {
    /// Faction that owns the cards.
    pub faction: FactionId,
    /// The unit that acts, where the card says so.
    pub unit: Option<UnitId>,
    /// Number of the cards.
    pub count: i64,
    /// The slot that counts them, from which the drawn one is taken.
    pub from: Option<(Thing, u8)>,
}

impl Cursor {
    /// The unit picked: its activation is the next step.
    pub fn pick(&mut self, rules: &Rules, world: &World, unit: UnitId) {
        let top = &mut self.frames[self.at.depth as usize - 1];
        self.at.picked = Some(unit);
        let Some(turning) = &mut self.turning else {
            top.units.remove(unit);
            top.next = top.next.saturating_add(1);
            return;
        };
        let again = turns_of(rules, top.phase).is_some_and(|turns| turns.points.is_some());
        if !again {
            top.units.remove(unit);
        }
        turning.taken = turning.taken.saturating_add(1);
        turning.picks = turning.picks.saturating_add(1);
        turning.passed = Default::default();
        if again {
            let times = turning.acted.entry(world.name(unit)).or_default();
            *times = times.saturating_add(1);
        }
    }

    /// The faction whose turn it is passes.
    pub fn pass(&mut self, rules: &Rules, faction: FactionId) {
        let top = &mut self.frames[self.at.depth as usize - 1];
        let (Some(turning), Some(turns)) = (&mut self.turning, turns_of(rules, top.phase)) else {
            top.next = top.next.saturating_add(1);
            return;
        };
        turning.picks = turning.picks.saturating_add(1);
        // Who has done what a turn takes only ends it.
        let pass = turns
            .pass
            .filter(|_| turning.taken == 0 || turning.taken < turns.quota.0);
        turning.out[faction.index()] |= pass == Some(PassScope::Phase);
        turning.over |= pass == Some(PassScope::All);
        match turning.taken {
            // Who is out of it is not waited for.
            0 if pass != Some(PassScope::Phase) => turning.passed[faction.index()] = true,
            _ => turning.passed = Default::default(),
        }
        turning.end_turn();
    }

    /// It was decided whose turn it is.
    pub fn begin_turn(&mut self, world: &World, faction: FactionId, card: Option<UnitId>) {
        if let Some(turning) = &mut self.turning {
            turning.decided = turning.decided.saturating_add(1);
            turning.begin_turn(world, faction, card);
        }
    }

    /// From which slot of whom the activation of a unit takes how much; `None` when it takes nothing, or when
    /// its card was taken already.
    pub fn price(&self, rules: &Rules, world: &World, unit: UnitId) -> Option<(Thing, u8, i64)> {
        self.turning.as_ref()?;
        let turns = turns_of(rules, self.top().phase)?;
        let (of, slot) = match turns.points? {
            _ if turns.pays_by_card() => return None,
            UnitMeasure::Faction(slot) => (Thing::Faction(world.unit(unit).owner), slot),
            UnitMeasure::Unit(slot) => (Thing::Unit(unit), slot),
            UnitMeasure::Stat(_) => return None,
        };
        Some((of, slot, cost(rules, world, turns, unit)))
    }

    /// Returns the candidates for the next turn; for the step that decides it.
    pub fn who_may(&self, rules: &Rules, world: &World) -> TurnCandidates {
        let phase = self.top().phase;
        let PhaseBody::Turn {
            filters,
            turns: Some(turns),
            ..
        } = &rules.phases[phase as usize].work
        else {
            return TurnCandidates::Ask(Vec::new());
        };
        let ready = self.ready(rules, world, filters, turns);
        let factions = self.eligible(rules, world, turns, &ready);
        let own = |faction: FactionId| &ready & world.owned(faction);
        let cards = |faction: FactionId| -> Vec<DeckCard> {
            let many = |count| DeckCard {
                count,
                ..DeckCard::turn(faction)
            };
            let slot = |thing, slot: u8| DeckCard {
                from: Some((thing, slot)),
                ..many(world.slot(thing, slot.into()).max(0))
            };
            match (turns.next, turns.points) {
                (TurnOrder::DrawnUnit, points) => {
                    let card = |unit| {
                        let card = match points {
                            Some(UnitMeasure::Unit(index)) => slot(Thing::Unit(unit), index),
                            _ => DeckCard::turn(faction),
                        };
                        DeckCard {
                            unit: Some(unit),
                            ..card
                        }
                    };
                    own(faction).map(card).collect()
                }
                (_, Some(UnitMeasure::Faction(index))) => vec![slot(Thing::Faction(faction), index)],
                (_, Some(UnitMeasure::Unit(index))) => {
                    let all = own(faction).map(|u| world.slot(Thing::Unit(u), index.into()).max(0));
                    vec![many(all.fold(0, i64::saturating_add))]
                }
                _ => vec![many(own(faction).len() as i64)],
            }
        };
        match turns.next {
            TurnOrder::Order | TurnOrder::Asked => TurnCandidates::Ask(factions),
            TurnOrder::Drawn | TurnOrder::DrawnUnit => {
                TurnCandidates::Draw(factions.into_iter().flat_map(cards).collect())
            }
        }
    }

    /// The units that could be activated now: the filters let them, what they take is there, they come first.
    fn ready(&self, rules: &Rules, world: &World, filters: &[Filter], turns: &Turns) -> UnitSet {
        let top = self.top();
        let mut left = &top.units & world.on_board();
        if let Some(turning) = &self.turning {
            for (faction, _) in turning.out.iter().enumerate().filter(|(_, out)| **out) {
                left = left - world.owned(FactionId(faction as u8));
            }
        }
        let mut able = passing(rules, world, left, filters);
        if let Some(points) = turns.points {
            // Whose card was drawn has paid with it.
            let by_card = |u: UnitId| {
                self.turning.as_deref().is_some_and(|t| {
                    t.faction == Some(world.unit(u).owner) && t.card.is_none_or(|card| card == u)
                }) && turns.pays_by_card()
            };
            let can_pay =
                |u: &UnitId| by_card(*u) || points.of(rules, world, *u) >= cost(rules, world, turns, *u);
            able = able.filter(can_pay).collect();
        }
        match turns.initiative {
            None | Some(UnitMeasure::Faction(_)) => able,
            Some(measure) => {
                let most = able.iter().map(|u| measure.of(rules, world, u)).max();
                able.filter(|u| Some(measure.of(rules, world, *u)) == most)
                    .collect()
            }
        }
    }

    /// The factions with ready units that could have the next turn, in turn order.
    fn eligible(&self, rules: &Rules, world: &World, turns: &Turns, ready: &UnitSet) -> Vec<FactionId> {
        let top = self.top();
        let order = &top.order[..rules.factions.len()];
        let with = |f: &FactionId| !(ready & world.owned(*f)).is_empty();
        let mut may: Vec<FactionId> = order.iter().copied().filter(with).collect();
        let rounds = matches!(turns.next, TurnOrder::Order | TurnOrder::Asked);
        if rounds && let Some(turning) = &self.turning {
            let waits = |f: &FactionId| !turning.had[f.index()];
            if may.iter().any(waits) {
                may.retain(waits);
            }
        }
        if let Some(UnitMeasure::Faction(slot)) = turns.initiative {
            let value = |f: &FactionId| world.slot(Thing::Faction(*f), slot.into());
            let most = may.iter().map(value).max();
            may.retain(|f| Some(value(f)) == most);
        }
        may
    }

    /// Returns the next action in a phase in which factions take turns; `None` when it is over.
    pub(super) fn next_turn(
        &mut self,
        rules: &Rules,
        world: &World,
        work: (ActivatedUnits, &[Filter], &Turns),
    ) -> Option<NextStep> {
        let (whose, filters, turns) = work;
        let phase = self.top().phase;
        if self.tireless().is_some() {
            return Some(NextStep::Endless { phase });
        }
        let ready = self.ready(rules, world, filters, turns);
        let turning = self.turning.get_or_insert_default();
        if turning.over {
            return None;
        }
        if turning.faction.is_some() {
            if let Some(next) = turning.pick(world, turns, &ready) {
                return Some(next);
            }
            turning.end_turn();
        }
        let had_any = turning.had.contains(&true);
        let passed = turning.passed;
        let may = match whose {
            ActivatedUnits::Nth(_) if had_any => return None,
            ActivatedUnits::Nth(nth) => vec![self.top().order[nth]],
            ActivatedUnits::Each => self.eligible(rules, world, turns, &ready),
        };
        let here = |f: &FactionId| !(&ready & world.owned(*f)).is_empty();
        let mut left = self.top().order[..rules.factions.len()].iter();
        if !may.iter().any(here) || left.all(|f| passed[f.index()] || !here(f)) {
            return None;
        }
        let turning = self.turning.get_or_insert_default();
        if may.iter().all(|f| turning.had[f.index()]) {
            turning.had = [false; MAX_FACTIONS];
        }
        match (turns.next, whose) {
            (TurnOrder::Drawn | TurnOrder::DrawnUnit, ActivatedUnits::Each) => Some(NextStep::Turn),
            (TurnOrder::Asked, ActivatedUnits::Each) if may.len() > 1 => Some(NextStep::Turn),
            _ => {
                turning.begin_turn(world, *may.first()?, None);
                self.next_turn(rules, world, work)
            }
        }
    }

    /// Returns the count by which the open phase is considered endless, in words; `None` if it is not.
    pub fn tireless(&self) -> Option<String> {
        self.turning.as_deref()?.too_much()
    }

    /// Returns the faction that picks now and its candidates; `None` outside a turn, or when there are none.
    pub fn pick_now(&self, rules: &Rules, world: &World) -> Option<NextStep> {
        let top = self.open().last()?;
        let PhaseBody::Turn {
            whose,
            filters,
            turns,
            ..
        } = &rules.phases[top.phase as usize].work
        else {
            return None;
        };
        match (turns, whose) {
            (Some(turns), _) => {
                let ready = self.ready(rules, world, filters, turns);
                self.turning.as_deref()?.pick(world, turns, &ready)
            }
            (None, ActivatedUnits::Nth(nth)) => self.own_pick(rules, world, *nth, filters),
            (None, ActivatedUnits::Each) => None,
        }
    }

    /// Lets one faction, by its place in turn order, pick among its units that still wait; `None` when there are none.
    pub(super) fn own_pick(
        &self,
        rules: &Rules,
        world: &World,
        nth: usize,
        filters: &[Filter],
    ) -> Option<NextStep> {
        let top = self.top();
        let faction = top.order[nth];
        let left = &top.units & world.on_board() & world.owned(faction);
        let units = passing(rules, world, left, filters);
        (!units.is_empty()).then_some(NextStep::Pick {
            faction,
            units,
            may_pass: false,
        })
    }
}

/// Returns the rules for turns in a phase, where the game declares more than the owners of the units.
fn turns_of(rules: &Rules, phase: u8) -> Option<&Turns> {
    match &rules.phases[phase as usize].work {
        PhaseBody::Turn { turns, .. } => turns.as_deref(),
        _ => None,
    }
}

/// Returns the cost of an activation of a unit.
fn cost(rules: &Rules, world: &World, turns: &Turns, unit: UnitId) -> i64 {
    turns.cost.map_or(1, |cost| cost.of(rules, world, unit).max(1))
}

impl UnitMeasure {
    /// Returns the value for a unit.
    fn of(self, rules: &Rules, world: &World, unit: UnitId) -> i64 {
        let known = world.unit(unit);
        match self {
            UnitMeasure::Stat(stat) => rules.types[known.kind.index()].stats[stat].unwrap_or(0),
            UnitMeasure::Unit(slot) => world.slot(Thing::Unit(unit), slot.into()),
            UnitMeasure::Faction(slot) => world.slot(Thing::Faction(known.owner), slot.into()),
        }
    }
}

impl DeckCard {
    /// A turn for which no card is drawn.
    pub(crate) fn turn(faction: FactionId) -> Self {
        Self {
            faction,
            unit: None,
            count: 1,
            from: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TypeId;

    #[test]
    fn what_there_is_too_much_of_is_told_as_it_is() {
        let mut turning = Turning::default();
        assert_eq!(turning.too_much(), None);
        turning.decided = u16::MAX;
        let decided = "it has been decided whose turn it is 65535 times, the most there can be";
        assert_eq!(turning.too_much().as_deref(), Some(decided));
        turning.picks = u16::MAX;
        let picks = "units have been activated, or factions have passed, 65535 times, the most there can be";
        assert_eq!(turning.too_much().as_deref(), Some(picks));
        let unit = UnitName {
            owner: FactionId(0),
            kind: TypeId(0),
            nth: 1,
        };
        turning.acted.insert(unit, MAX_ITERATIONS);
        let acted = "one unit has been activated 1000 times, the most there can be";
        assert_eq!(turning.too_much().as_deref(), Some(acted));
    }
}
