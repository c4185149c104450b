//! Rules and a world as a [`Scene`] for grounds.

use super::ground::Scene;
use super::ids::{PlaceId, PlaceSet, UnitId, UnitSet};
use super::plane::{Base, Point, Shape};
use super::rules::Rules;
use super::world::World;

impl Scene for (&Rules, &World) {
    fn units(&self) -> UnitSet {
        self.1.on_board()
    }

    fn allies(&self, unit: UnitId) -> UnitSet {
        self.1.owned(self.1.unit(unit).owner)
    }

    fn width(&self, unit: UnitId) -> i32 {
        self.0.ground.base(self.1.unit(unit).kind)
    }

    fn point(&self, unit: UnitId) -> Option<Point> {
        self.1.point(unit)
    }

    fn pieces(&self) -> &PlaceSet {
        self.1.ground()
    }

    fn piece(&self, place: PlaceId) -> Option<&Shape> {
        self.1.piece(place)
    }

    fn unit_name(&self, unit: UnitId) -> String {
        self.0.unit_name(self.1.name(unit))
    }

    fn unit_named(&self, name: &str) -> Option<UnitId> {
        self.1.find(self.0.parse_unit_name(name)?)
    }

    fn place_name(&self, place: PlaceId) -> &str {
        self.0.board.name(place)
    }

    fn place_named(&self, name: &str) -> Option<PlaceId> {
        self.0.board.place(name)
    }

    fn terrains(&self, place: PlaceId) -> Vec<&str> {
        let kinds = self.1.terrain(place);
        kinds
            .map(|kind| self.0.terrains[kind.index()].name.as_str())
            .collect()
    }
}

/// Returns the base of a unit at its point; `None` where it stands at none.
pub fn base_of(rules: &Rules, world: &World, unit: UnitId) -> Option<Base> {
    (rules, world).base(unit)
}
