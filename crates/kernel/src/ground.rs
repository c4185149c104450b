//! The interface of grounds: everything about where things are that the graph of places does not say.
//!
//! A ground is a board of places, a plane on which things stand at points, a plane of dice that are thrown, or another
//! one. The kernel and everything above ask a [`Ground`] what it can do ([`Ground::plane`], [`Ground::dice`]), never which
//! one it is. The methods that a ground does not have are those of a ground of places.

use super::board::Board;
use super::declared_key::DeclaredKey;
use super::ids::{PlaceId, PlaceSet, TypeId, UnitId, UnitSet};
use super::plane::{Base, Point, Shape};
use super::pose::{Pose, Turn};
use std::any::Any;
use std::fmt::Debug;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Units and pieces of a game, as a ground needs them.
pub trait Scene {
    /// The units that stand somewhere.
    fn units(&self) -> UnitSet;

    /// The units of a unit's faction, wherever they are.
    fn allies(&self, unit: UnitId) -> UnitSet;

    /// Width of a unit's base, wherever it is.
    fn width(&self, unit: UnitId) -> i32;

    /// The point at which a unit stands.
    fn point(&self, unit: UnitId) -> Option<Point>;

    /// The base of a unit at its point; `None` where it stands at none.
    fn base(&self, unit: UnitId) -> Option<Base> {
        let diameter = self.width(unit);
        self.point(unit).map(|at| Base { at, diameter })
    }

    /// The places on which something can stand: on a plane the pieces that lie somewhere.
    fn pieces(&self) -> &PlaceSet;

    /// The outline of a piece; `None` if it lies nowhere.
    fn piece(&self, place: PlaceId) -> Option<&Shape>;

    /// The name of a unit, such as `red.scouts1`.
    fn unit_name(&self, unit: UnitId) -> String;

    /// The unit of a name.
    fn unit_named(&self, name: &str) -> Option<UnitId>;

    /// The name of a place.
    fn place_name(&self, place: PlaceId) -> &str;

    /// The place of a name.
    fn place_named(&self, name: &str) -> Option<PlaceId>;

    /// The names of the kinds of terrain of a place.
    fn terrains(&self, place: PlaceId) -> Vec<&str>;
}

/// Ground on which a game is played.
pub trait Ground: Any + Debug + Send + Sync {
    /// Measures of a plane on which things stand at points; `None` where they stand in places.
    fn plane(&self) -> Option<&Plane> {
        None
    }

    /// Dice that represent unit types and are thrown; `None` where none are.
    fn dice(&self) -> Option<&dyn ThrownDice> {
        None
    }

    /// Width of the base of a unit type, in thousandths of the game's unit; 0 in places.
    fn base(&self, _kind: TypeId) -> i32 {
        0
    }

    /// The stat that says how wide bases are, if rules name it.
    fn base_stat(&self) -> Option<&str> {
        None
    }

    /// Pieces that lie on a plane from the start, by place.
    fn first_pieces(&self) -> &[Shape] {
        &[]
    }

    /// Returns the other units whose bases a unit touches when it stands at a point.
    fn touching(&self, _scene: &dyn Scene, _unit: UnitId, _at: Point) -> UnitSet {
        UnitSet::EMPTY
    }

    /// Checks that a unit can stand at a point.
    ///
    /// # Errors
    ///
    /// What is in the way, in a sentence.
    fn check_stand(&self, scene: &dyn Scene, unit: UnitId, at: Point) -> Result<(), String> {
        let name = scene.unit_name(unit);
        Err(format!("{name} cannot stand at {at}: units stand in places here"))
    }

    /// Returns the points that a unit can reach, past the pieces that it cannot move over; `None` in places.
    fn region(
        &self,
        _scene: &dyn Scene,
        _mover: UnitId,
        _how: Travel,
        _blocked: PlaceSet,
    ) -> Option<Arc<dyn Region>> {
        None
    }

    /// Returns the points of a piece of terrain or a zone at which a unit can aim something, but for what the bases of
    /// some units cover; `None` for a piece that lies nowhere, and in places.
    fn aims(
        &self,
        _scene: &dyn Scene,
        _unit: UnitId,
        _piece: PlaceId,
        _not: &UnitSet,
    ) -> Option<Arc<dyn Region>> {
        None
    }

    /// Whether it is the same ground.
    fn is_same(&self, other: &dyn Ground) -> bool;
}

/// The graph of places of a game, and its ground.
pub type BoardAndGround = (Board, Arc<dyn Ground>);

/// A kind of ground that games can declare.
pub struct GroundKind {
    /// The keys of `board()` that belong to it. The first one declares it; the others need that one.
    pub keys: &'static [DeclaredKey],
    /// Reads its keys, and returns the places of the game and the ground. After a problem it returns any ground.
    pub read: fn(&mut dyn Declaration) -> BoardAndGround,
}

impl GroundKind {
    /// Returns the key that declares it.
    pub fn key(&self) -> &'static str {
        self.keys[0].name
    }
}

/// Values that a game declares for a ground, by key. A value that does not fit is a problem, which the implementation
/// reports at the place where the key is written.
pub trait Declaration {
    /// Returns a whole number in a range, or the default for a key that is left out or wrong.
    fn number(&mut self, key: &str, range: RangeInclusive<i64>, default: i64) -> i64;

    /// Returns a flag; false for a key that is left out or wrong.
    fn flag(&mut self, key: &str) -> bool;

    /// Returns a text; `None` for a key that is left out or wrong.
    fn text(&mut self, key: &str) -> Option<String>;

    /// Reports a key whose value must be something else; `expected` completes "must be".
    fn wrong_value(&mut self, key: &str, expected: &str);
}

impl PartialEq for dyn Ground {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other)
    }
}

impl Eq for dyn Ground {}

/// Whether another value is the same one of the same type, for [`Ground::is_same`] and [`Region::is_same`].
pub fn is_same<T: Any + PartialEq>(one: &T, other: &dyn Any) -> bool {
    other.downcast_ref::<T>() == Some(one)
}

/// Ground of places and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places;

impl Ground for Places {
    fn is_same(&self, other: &dyn Ground) -> bool {
        is_same(self, other)
    }
}

/// Measures of a plane. Lengths are in thousandths of its unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plane {
    /// Width and depth.
    pub size: (i32, i32),
    /// Name of the unit of length, such as `mm` or `inch`.
    pub unit: String,
    /// Bases with no more between them are in contact.
    pub hair: i64,
    /// About how many candidates a region proposes.
    pub candidates: usize,
    /// Lengths just within and just out of which of an opponent it may be worth to stand.
    pub ranges: Vec<i64>,
    /// Lengths that are measured in the game, with their names, the shortest first.
    pub measures: Vec<(String, i64)>,
}

/// Way in which a unit can reach the points of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Travel {
    /// In a straight line of at least the first length and at most the second.
    Leap(i64, i64),
    /// By any way around of at most this length.
    Walk(i64),
    /// From anywhere to wherever its base lies within a rectangle: its left, lower, right and upper edge.
    Within([i64; 4]),
    /// Not at all: something is aimed at a point of a piece or zone.
    Aim,
}

/// Points that a unit can reach: more than can be listed. A region refuses a point with a reason, proposes candidates,
/// and so is offered like any list. It holds everything that decides this, as it was when the region was made.
pub trait Region: Any + Debug + Send + Sync {
    /// The unit whose points they are.
    fn mover(&self) -> UnitId;

    /// The base that moves, where it stands.
    fn base(&self) -> Base;

    /// The way in which its points are reached.
    fn travel(&self) -> Travel;

    /// Whether it begins where the unit stands, rather than anywhere.
    fn moves(&self) -> bool {
        matches!(self.travel(), Travel::Leap(..) | Travel::Walk(_))
    }

    /// The points that stand for it where it has to be listed: each of them is in it.
    fn candidates(&self) -> &[Point];

    /// About how many candidates it proposes.
    fn proposes(&self) -> usize;

    /// Number of bases and corners of pieces that are checked to judge a point.
    fn bulk(&self) -> usize;

    /// The left, lower, right and upper edge of a rectangle in which all its points lie.
    fn bounds(&self) -> [i64; 4];

    /// Whether a point is in it.
    fn holds(&self, at: Point) -> bool;

    /// Returns a check of whether points are in it, for callers with many points: ways are planned once.
    fn check(&self) -> Box<dyn Fn(Point) -> bool + '_>;

    /// Returns the corners of the shortest way around to a point, which is the last of them; `None` where no way leads.
    fn way(&self, at: Point) -> Option<Vec<Point>>;

    /// Whether it has all points of another one because it is the same for a longer way.
    fn covers(&self, other: &dyn Region) -> bool;

    /// Whether it is the same region.
    fn is_same(&self, other: &dyn Region) -> bool;

    /// Returns the reason why a point is not in it, as a sentence without its end.
    fn refusal(&self, scene: &dyn Scene, at: Point) -> Option<String>;

    /// Returns the ways to write its points, as they follow an "or".
    fn forms(&self) -> &'static str;

    /// Returns the point that a text names. `near` finds the one of some names that a wrong name may mean.
    ///
    /// # Errors
    ///
    /// A text that names none, or one that is not in the region: one sentence.
    fn read(
        &self,
        scene: &dyn Scene,
        text: &str,
        near: &dyn Fn(&str, &[String]) -> Option<String>,
    ) -> Result<Point, String>;
}

impl PartialEq for dyn Region {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other)
    }
}

impl Eq for dyn Region {}

/// Dice that represent unit types and are thrown.
pub trait ThrownDice {
    /// Returns the die of a unit type.
    fn die(&self, kind: TypeId) -> Option<&dyn Die>;

    /// The corners of the board that they lie on, anticlockwise.
    fn rim(&self) -> &[[i32; 2]];

    /// Whether a point is over the board.
    fn holds(&self, at: Point) -> bool;

    /// Returns the throw of a die that is aimed so.
    fn aimed(&self, aim: Aim, shake: Shake) -> Throw;

    /// Computes what comes of a throw: the same on every machine.
    fn throw(&self, input: &ThrowInput) -> Thrown;

    /// Returns the reasons why some dice cannot lie so. Dice that a throw left may be `pressed` into each other a little
    /// more than dice that are laid.
    fn misfits(&self, dice: &[(TypeId, Pose)], pressed: bool) -> Vec<MisfitDie>;
}

/// A die: its shape and its size.
pub trait Die: Send + Sync {
    /// The numbers of its faces.
    fn faces(&self) -> RangeInclusive<u8>;

    /// From the face on which it lies to the face on top (of a D4: to the corner on top), in hundredths of a millimetre.
    fn size(&self) -> i32;

    /// Height of its middle when it lies on a face.
    fn height(&self) -> i32;

    /// Returns the pose in which it lies flat with a face up, its edges turned by `degrees`; `None` for a face that it does
    /// not have.
    fn lying(&self, at: Point, face: u8, degrees: i32) -> Option<Pose>;

    /// Returns the face that it shows; `None` if it leans.
    fn shows(&self, turn: Turn) -> Option<u8>;

    /// Returns the face that it shows or, where it leans, the nearest one; of two equally near the lower.
    fn nearest(&self, turn: Turn) -> u8;

    /// Whether it leans so that two of its faces are equally near to being shown.
    fn is_between(&self, turn: Turn) -> bool;

    /// Returns the corners of the face on which it lies, from its middle; with its broken edges, or without.
    fn foot(&self, turn: Turn, with_edges: bool) -> Vec<[i32; 2]>;

    /// Returns its look from above.
    fn view(&self, turn: Turn) -> DieView;

    /// Returns its faces when it is not turned, each with its number and its corners, anticlockwise as seen from outside.
    fn outlines(&self) -> Vec<(u8, Vec<[i32; 3]>)>;

    /// Least part of a face's way to the top, as a cosine, from which the face counts as shown.
    fn counts(&self) -> f64;
}

/// Look of a die from above, in hundredths of a millimetre from its middle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DieView {
    /// Its silhouette.
    pub outline: Vec<[i32; 2]>,
    /// The faces that are seen, the uppermost first.
    pub faces: Vec<DrawnFace>,
}

/// A face of a die that is seen from above.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnFace {
    /// Its corners.
    pub outline: Vec<[i32; 2]>,
    /// Cosine of its angle to the top, in thousandths.
    pub up: i32,
    /// The numbers on it.
    pub numerals: Vec<Numeral>,
}

/// A number that is written on a face. A D4 has three on each face, one along each edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numeral {
    /// The number.
    pub number: u8,
    /// Its middle.
    pub at: [i32; 2],
    /// Direction of its top, from its middle; its length says how high a digit may be.
    pub top: [i32; 2],
}

/// Aim of a throw: target, strength, height, direction and spin.
///
/// It is let go level, as far off as it flies while it falls: unspoiled, and with nothing in its way, its middle
/// comes through the spot that it is aimed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Aim {
    /// Target of the die's middle: the middle of a body to hit it, or a point as high over the board as the middle of a
    /// lying die.
    pub at: [i32; 3],
    /// Speed along the board, in hundredths of a millimetre per second; 0 drops the die.
    pub strength: i32,
    /// Height of its middle over the board when it is let go, in hundredths of a millimetre.
    pub height: i32,
    /// From which side it comes: whole degrees from the right, anticlockwise.
    pub side: i32,
    /// Forward roll, or backward roll if negative, in thousandths of a turn per second.
    pub spin: i32,
}

/// Random deviation of a throw; drawn by the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Shake {
    /// Distance from the target spot, in hundredths of a millimetre.
    pub at: [i32; 2],
    /// Increase of the strength over the intended one, in thousandths.
    pub strength: i32,
    /// Orientation of the die in the hand: see [`Turn::any`].
    pub turn: [u16; 3],
}

/// One die leaves a hand. There is no chance in it: whoever throws badly says so in these numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Throw {
    /// Index of the thrown body.
    pub which: usize,
    /// Pose in which it is let go.
    pub from: Pose,
    /// Hundredths of a millimetre a second.
    pub velocity: [i32; 3],
    /// About each axis, in thousandths of a radian a second.
    pub spin: [i32; 3],
}

/// Result of a throw.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Thrown {
    /// Each two bodies that touched, once, in the order in which they first did; and where the thrown one
    /// first touched the board.
    pub touches: Vec<BodyTouch>,
    /// The thrown body first, then every other that is not where it was, in the order of the bodies.
    pub rests: Vec<RestingBody>,
    /// The ways that they went, in the same order.
    pub paths: Vec<BodyPath>,
    /// Whether all came to rest. If not, they were stopped in the middle of it.
    pub settled: bool,
    /// Duration, in thousandths of a second.
    pub ms: u32,
}

/// Two bodies touch, or the thrown one touches the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyTouch {
    /// The thrown body if it is one of the two; otherwise the one that comes first among the bodies.
    pub body: usize,
    /// The other body, or the board.
    pub other: Option<usize>,
    /// When, in thousandths of a second after it was let go.
    pub ms: u32,
    /// Point of the contact.
    pub at: [i32; 3],
}

/// Place where a body stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RestingBody {
    pub body: usize,
    pub pose: Pose,
    /// The value that it shows; `None` where it fell off, or leans so far that nobody can say.
    pub shows: Option<u8>,
    /// Whether it fell past the edge. Its pose is where it was taken out, below the board.
    pub fell: bool,
}

/// The way of a body, at [`BodyPath::A_SECOND`] poses a second.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BodyPath {
    pub body: usize,
    /// Index of the moment of the first pose; before it, the body is at its old pose.
    pub first: u32,
    /// After the last one it stays there.
    pub poses: Vec<Pose>,
}

impl BodyPath {
    /// Number of poses per second.
    pub const A_SECOND: u32 = 60;
}

/// Reason why a die, by its index, cannot lie as it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MisfitDie {
    /// One is inside another.
    Inside(usize, usize),
    /// It is inside the board.
    InBoard(usize),
    /// It is beside the board, or so far over its edge that it would fall.
    OffBoard(usize),
    /// There is nothing under it.
    InTheAir(usize),
}

/// Input of a throw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThrowInput {
    /// The thrown die, and then those on the board: their types and poses.
    pub dice: Vec<(TypeId, Pose)>,
    /// Their units.
    pub units: Vec<UnitId>,
    /// Throw of the first one.
    pub throw: Throw,
}
