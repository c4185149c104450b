//! Walking: which places a unit can reach step by step.
//!
//! These are candidates; what forbids an end of the movement (stacking, `may_enter`) is taken
//! away by the caller, so that legality has one source.

use super::ids::{PlaceId, PlaceSet, UnitId, UnitSet};
use super::rules::Rules;
use super::world::World;

/// The places that a unit reaches over ground in at most `steps` steps, its own place left out. A step into a
/// place with an opposing unit ends the walk; allied units are walked through.
pub fn reach(rules: &Rules, world: &World, unit: UnitId, steps: usize) -> PlaceSet {
    let Some(start) = world.place(unit) else {
        return PlaceSet::EMPTY;
    };
    let foes = foes(world, unit);
    let mut reached = PlaceSet::one(start);
    let mut edge = reached;
    for _ in 0..steps {
        let next = (rules.board.around(edge) & world.ground()) - reached;
        reached = reached | next;
        edge = open(world, foes, next);
        if edge.is_empty() {
            break;
        }
    }
    reached - PlaceSet::one(start)
}

/// The places where a walk of exactly `steps` steps can end, coming back over the same places
/// allowed. A step into a place with an opposing unit ends the walk.
pub fn reach_exactly(rules: &Rules, world: &World, unit: UnitId, steps: usize) -> PlaceSet {
    let Some(start) = world.place(unit) else {
        return PlaceSet::EMPTY;
    };
    let foes = foes(world, unit);
    let mut edge = PlaceSet::one(start);
    for step in 0..steps {
        let from = if step == 0 { edge } else { open(world, foes, edge) };
        edge = rules.board.around(from) & world.ground();
    }
    edge
}

/// Whether a place is ground with room for one more unit of a unit's faction, the unit itself not
/// counted.
pub fn has_room(rules: &Rules, world: &World, unit: UnitId, place: PlaceId) -> bool {
    if !world.ground().contains(place) {
        return false;
    }
    let own = world.at(place) & world.owned(world.unit(unit).owner);
    (own - UnitSet::one(unit)).len() < rules.stack
}

/// Whether a walk of the unit ends in a place: an opposing unit stands there.
pub fn ends(world: &World, unit: UnitId, place: PlaceId) -> bool {
    !(world.at(place) - world.owned(world.unit(unit).owner)).is_empty()
}

fn foes(world: &World, unit: UnitId) -> UnitSet {
    world.on_board() - world.owned(world.unit(unit).owner)
}

/// The places where none of these units stand.
fn open(world: &World, foes: UnitSet, places: PlaceSet) -> PlaceSet {
    let mut open = places;
    for place in places & world.occupied() {
        if !(world.at(place) & foes).is_empty() {
            open.remove(place);
        }
    }
    open
}
