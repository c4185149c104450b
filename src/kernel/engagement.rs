//! Engagement: the relation between opposing units that a game picks and the kernel tracks.

use super::ids::{PlaceId, UnitId, UnitSet};
use super::rules::Rules;
use super::world::World;

/// When two opposing units are in contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// They stand in the same place.
    SamePlace,
    /// They stand in the same place or in places that touch.
    Adjacent,
}

impl Relation {
    /// The names that scripts use.
    pub const NAMES: [(&'static str, Relation); 2] = [
        ("same place", Relation::SamePlace),
        ("adjacent", Relation::Adjacent),
    ];
}

/// The opposing units in contact with a unit; none for a unit that is not on the board.
#[inline]
pub fn contact(rules: &Rules, world: &World, unit: UnitId) -> UnitSet {
    let Some(place) = world.place(unit) else {
        return UnitSet::EMPTY;
    };
    near(rules, world, place) - world.owned(world.unit(unit).owner)
}

/// The units near enough to a place to be in contact with who stands there.
#[inline]
fn near(rules: &Rules, world: &World, place: PlaceId) -> UnitSet {
    match rules.relation {
        Relation::SamePlace => world.at(place),
        Relation::Adjacent => world.in_places(rules.board.within(place, 1)),
    }
}

/// Whether a unit is engaged: in contact, and not released from its engagement.
#[inline]
pub fn engaged(rules: &Rules, world: &World, unit: UnitId) -> bool {
    let Some(place) = world.place(unit) else {
        return false;
    };
    meets_foes(rules, world, unit, place) && !world.is_released(unit)
}

/// Whether an opposing unit is near enough to a place to be in contact with a unit that stands there.
#[inline]
pub fn meets_foes(rules: &Rules, world: &World, unit: UnitId, place: PlaceId) -> bool {
    let owner = world.unit(unit).owner;
    match rules.relation {
        Relation::SamePlace => world.has_others(place, owner),
        Relation::Adjacent => rules.board.within(place, 1).any(|p| world.has_others(p, owner)),
    }
}

/// Those who can become engaged when a unit comes to a place: whoever is near it, and the unit.
pub fn concerned(rules: &Rules, world: &World, unit: UnitId, place: PlaceId) -> UnitSet {
    near(rules, world, place) | UnitSet::one(unit)
}

/// Those of the units that are engaged.
pub fn engaged_of(rules: &Rules, world: &World, units: UnitSet) -> UnitSet {
    units.filter(|&u| engaged(rules, world, u)).collect()
}

/// Every engaged unit.
pub fn engaged_units(rules: &Rules, world: &World) -> UnitSet {
    (world.on_board() - world.released())
        .filter(|&u| !contact(rules, world, u).is_empty())
        .collect()
}
