//! Engagement: the relation between opposing units that a game picks and the kernel tracks.

use super::ids::{Thing, UnitId, UnitSet};
use super::rules::{Relation, Rules};
use super::spot::Spot;
use super::world::World;

/// The opposing units in contact with a unit; none for a unit that is not on the board.
#[inline]
pub fn contact(rules: &Rules, world: &World, unit: UnitId) -> UnitSet {
    let Some(spot) = world.spot(unit) else {
        return UnitSet::EMPTY;
    };
    near(rules, world, unit, spot) - world.owned(world.unit(unit).owner)
}

/// The units near enough to a spot to be in contact with a unit that stands there.
#[inline]
fn near(rules: &Rules, world: &World, unit: UnitId, spot: Spot) -> UnitSet {
    match (spot, rules.relation) {
        (Spot::Place(place), Relation::Adjacent) => world.in_places(world.adjacency().near(place).clone()),
        (Spot::Place(place), _) => world.at(place),
        (Spot::Point(point), _) => rules.ground.touching(&(rules, world), unit, point),
    }
}

/// Whether a unit is engaged: in contact, and nothing that it remembers keeps it out of that.
#[inline]
pub fn engaged(rules: &Rules, world: &World, unit: UnitId) -> bool {
    let Some(spot) = world.spot(unit) else {
        return false;
    };
    let keeps_out = |slot: u8| world.slot(Thing::Unit(unit), slot as usize) != 0;
    meets_foes(rules, world, unit, spot) && !rules.slots.frees.is_some_and(keeps_out)
}

/// Whether an opposing unit is near enough to a spot to be in contact with a unit that stands there.
#[inline]
pub fn meets_foes(rules: &Rules, world: &World, unit: UnitId, spot: Spot) -> bool {
    let owner = world.unit(unit).owner;
    match (spot, rules.relation) {
        (Spot::Place(place), Relation::Adjacent) => world
            .adjacency()
            .near(place)
            .iter()
            .any(|p| world.has_others(p, owner)),
        (Spot::Place(place), _) => world.has_others(place, owner),
        (Spot::Point(point), _) => !rules
            .ground
            .touching(&(rules, world), unit, point)
            .is_within(&world.owned(owner)),
    }
}

/// Those who can become engaged when a unit comes to a spot: whoever is near it, and the unit.
pub fn concerned(rules: &Rules, world: &World, unit: UnitId, spot: Spot) -> UnitSet {
    near(rules, world, unit, spot) | UnitSet::one(unit)
}

/// Those of the units that are engaged.
pub fn engaged_of(rules: &Rules, world: &World, units: UnitSet) -> UnitSet {
    if rules.relation != Relation::SamePlace {
        return units.only(|u| engaged(rules, world, u));
    }
    let met = units & world.in_places(world.contested().clone());
    match rules.slots.frees {
        None => met,
        Some(slot) => met.only(|u| world.slot(Thing::Unit(u), slot.into()) == 0),
    }
}
