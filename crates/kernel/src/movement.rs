//! Walking: which places a unit can reach step by step.
//!
//! These are candidates; what forbids an end of the movement (stacking, `may_enter`) is taken
//! away by the caller, so that legality has one source.

use super::ids::{FactionId, PlaceId, PlaceSet, UnitId};
use super::rules::Rules;
use super::world::World;

/// The places that a unit reaches over ground in at most `steps` steps, its own place left out. A step into a
/// place with an opposing unit ends the walk; allied units are walked through.
pub fn reach(world: &World, unit: UnitId, steps: usize) -> PlaceSet {
    let Some(start) = world.place(unit) else {
        return PlaceSet::EMPTY;
    };
    let own = world.unit(unit).owner;
    let mut reached = PlaceSet::one(start);
    let mut edge = reached.clone();
    for _ in 0..steps {
        let next = (world.adjacency().around(edge) & world.ground()) - &reached;
        reached = reached | &next;
        edge = open(world, own, next);
        if edge.is_empty() {
            break;
        }
    }
    reached - PlaceSet::one(start)
}

/// The places where a walk of exactly `steps` steps can end, coming back over the same places
/// allowed. A step into a place with an opposing unit ends the walk.
pub fn reach_exactly(world: &World, unit: UnitId, steps: usize) -> PlaceSet {
    let Some(start) = world.place(unit) else {
        return PlaceSet::EMPTY;
    };
    let own = world.unit(unit).owner;
    let mut edge = PlaceSet::one(start);
    for step in 0..steps {
        let from = if step == 0 { edge } else { open(world, own, edge) };
        edge = world.adjacency().around(from) & world.ground();
    }
    edge
}

/// Those of some places that are ground with room for one more unit of a unit's faction, the unit itself not counted.
pub fn with_room(rules: &Rules, world: &World, unit: UnitId, places: &PlaceSet) -> PlaceSet {
    if rules.stack == 0 {
        return PlaceSet::EMPTY;
    }
    let mut full = world.with_so_many(places, world.unit(unit).owner, rules.stack);
    if let Some(here) = world.place(unit)
        && !is_crowded(rules, world, unit, here)
    {
        full.remove(here);
    }
    (places & world.ground()) - full
}

/// Whether a place is ground with room for one more unit of a unit's faction, the unit itself not
/// counted.
pub fn has_room(rules: &Rules, world: &World, unit: UnitId, place: PlaceId) -> bool {
    world.ground().contains(place) && !is_crowded(rules, world, unit, place)
}

/// Whether so many units of a unit's faction stand in a place that there is no room for it, itself not counted.
#[inline]
pub fn is_crowded(rules: &Rules, world: &World, unit: UnitId, place: PlaceId) -> bool {
    let own = world.own_in(place, world.unit(unit).owner);
    own >= rules.stack && own.saturating_sub(usize::from(world.place(unit) == Some(place))) >= rules.stack
}

/// Whether a walk of the unit ends in a place: an opposing unit stands there.
pub fn ends(world: &World, unit: UnitId, place: PlaceId) -> bool {
    world.has_others(place, world.unit(unit).owner)
}

/// The places where no unit stands that opposes a faction's.
fn open(world: &World, own: FactionId, places: PlaceSet) -> PlaceSet {
    let closed = world.with_others(&places, own);
    places - closed
}
