//! A table top: a plane with the bases of units and pieces of terrain on it.

use crate::kernel::ground::{self, Ground, Plane, Region, Scene, Travel};
use crate::kernel::ids::{PlaceId, PlaceSet, TypeId, UnitId, UnitSet};
use crate::kernel::plane::Point;
use crate::region;
use std::sync::Arc;

/// Ground of units with bases that stand at points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tabletop {
    /// Its measures.
    pub plane: Plane,
    /// The stat that says how wide bases are.
    pub base_stat: String,
    /// Widths of the bases, by unit type, in thousandths of the game's unit.
    pub bases: Vec<i32>,
}

impl Ground for Tabletop {
    fn plane(&self) -> Option<&Plane> {
        Some(&self.plane)
    }

    fn base(&self, kind: TypeId) -> i32 {
        self.bases.get(kind.index()).copied().unwrap_or(0)
    }

    fn base_stat(&self) -> Option<&str> {
        Some(&self.base_stat)
    }

    fn touching(&self, scene: &dyn Scene, unit: UnitId, at: Point) -> UnitSet {
        region::touching(&self.plane, scene, unit, at)
    }

    fn check_stand(&self, scene: &dyn Scene, unit: UnitId, at: Point) -> Result<(), String> {
        region::check_stand(&self.plane, scene, unit, at)
    }

    fn region(
        &self,
        scene: &dyn Scene,
        mover: UnitId,
        how: Travel,
        blocked: PlaceSet,
    ) -> Option<Arc<dyn Region>> {
        Some(Arc::new(region::Reachable::new(
            &self.plane,
            scene,
            mover,
            how,
            blocked,
        )))
    }

    fn aims(
        &self,
        scene: &dyn Scene,
        unit: UnitId,
        piece: PlaceId,
        not: &UnitSet,
    ) -> Option<Arc<dyn Region>> {
        let aims = region::Reachable::of_aims(&self.plane, scene, unit, piece, not)?;
        Some(Arc::new(aims))
    }

    fn is_same(&self, other: &dyn Ground) -> bool {
        ground::is_same(self, other)
    }
}
