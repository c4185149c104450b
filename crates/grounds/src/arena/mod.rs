//! An arena: a raised board, and dice on it that are bodies: they fall, bounce, push each other, stop and show a
//! face. It knows no units and no rules.
//!
//! | part | |
//! |---|---|
//! | `solid` | [`Solid`]: the shapes, their faces and numbers, how they lie and how they look from above |
//! | `make` | [`Arena`], [`DieProperties`]: sizes, masses, friction, and what they may be |
//! | `aim` | a throw as people say it, made into a [`Throw`] |
//! | `drawing` | dice as they look from above |
//! | `engine` | [`throw`]: what comes of it; the only part that knows the engine |
//!
//! Lengths are hundredths of a millimetre, which are thousandths of a centimetre: a point of a table top whose
//! unit is the centimetre is a point here. `x` goes to the right, `y` up the table, `z` up from the board's top.

mod aim;
mod drawing;
mod engine;
mod make;
pub mod solid;
#[cfg(test)]
mod tests;

use crate::kernel::ground::{
    self, Aim, Die, DieView, Ground, Plane, Region, Scene, Shake, ThrowInput, ThrownDice, Travel,
};
pub use crate::kernel::ground::{BodyPath, BodyTouch, MisfitDie, RestingBody, Throw, Thrown};
use crate::kernel::ids::{PlaceId, PlaceSet, TypeId, UnitId, UnitSet};
use crate::kernel::plane::{Point, Shape};
pub use crate::kernel::pose::{Pose, Turn};
use crate::region;
pub use aim::thrown;
pub use engine::{HAIR, PRESSED, bare, misfits, throw};
pub use make::{Arena, DieProperties, octagon};
pub use solid::Solid;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A die: what it is, where, and how it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Body {
    pub solid: Solid,
    pub pose: Pose,
    pub make: DieProperties,
}

/// Die that represents a unit type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnitDie {
    /// Its shape and its numbers.
    pub solid: Solid,
    /// Physical properties of the die.
    pub make: DieProperties,
}

impl Die for UnitDie {
    fn faces(&self) -> RangeInclusive<u8> {
        self.solid.values()
    }

    fn size(&self) -> i32 {
        self.make.size
    }

    fn height(&self) -> i32 {
        self.solid.rest(self.make.size)
    }

    fn lying(&self, at: Point, face: u8, degrees: i32) -> Option<Pose> {
        self.solid.lay(self.make.size, [at.x, at.y], face, degrees)
    }

    fn shows(&self, turn: Turn) -> Option<u8> {
        self.solid.shows(turn)
    }

    fn nearest(&self, turn: Turn) -> u8 {
        self.solid.nearest(turn)
    }

    fn is_between(&self, turn: Turn) -> bool {
        self.solid.is_between(turn)
    }

    fn foot(&self, turn: Turn, with_edges: bool) -> Vec<[i32; 2]> {
        self.solid.foot(self.make.size, turn, with_edges)
    }

    fn view(&self, turn: Turn) -> DieView {
        drawing::view(self.solid, self.make.size, turn)
    }

    fn outlines(&self) -> Vec<(u8, Vec<[i32; 3]>)> {
        drawing::outlines(self.solid, self.make.size)
    }

    fn counts(&self) -> f64 {
        self.solid.counts()
    }
}

/// Ground of dice that are thrown on a board with zones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArenaGround {
    /// Measures of the board.
    pub plane: Plane,
    /// The board.
    pub board: Arena,
    /// The dice, by unit type.
    pub dice: Vec<UnitDie>,
    /// Area of each zone, by place.
    pub zones: Vec<Shape>,
}

impl ArenaGround {
    fn bodies(&self, dice: &[(TypeId, Pose)]) -> Vec<Body> {
        let body = |(kind, pose): &(TypeId, Pose)| {
            let UnitDie { solid, make } = *self.dice.get(kind.index())?;
            let pose = *pose;
            Some(Body { solid, pose, make })
        };
        dice.iter().filter_map(body).collect()
    }
}

impl Ground for ArenaGround {
    fn plane(&self) -> Option<&Plane> {
        Some(&self.plane)
    }

    fn dice(&self) -> Option<&dyn ThrownDice> {
        Some(self)
    }

    fn base(&self, kind: TypeId) -> i32 {
        self.dice.get(kind.index()).map_or(0, |die| die.make.size)
    }

    fn first_pieces(&self) -> &[Shape] {
        &self.zones
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

impl ThrownDice for ArenaGround {
    fn die(&self, kind: TypeId) -> Option<&dyn Die> {
        self.dice.get(kind.index()).map(|die| die as &dyn Die)
    }

    fn rim(&self) -> &[[i32; 2]] {
        &self.board.corners
    }

    fn holds(&self, at: Point) -> bool {
        self.board.holds([at.x, at.y])
    }

    fn aimed(&self, aim: Aim, shake: Shake) -> Throw {
        thrown(&self.board, aim, 0, shake)
    }

    fn throw(&self, input: &ThrowInput) -> Thrown {
        throw(&self.board, &self.bodies(&input.dice), &input.throw)
    }

    fn misfits(&self, dice: &[(TypeId, Pose)], pressed: bool) -> Vec<MisfitDie> {
        let hair = if pressed { PRESSED } else { HAIR };
        misfits(&self.board, &self.bodies(dice), hair)
    }
}
