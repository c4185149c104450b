//! Dice that are thrown: throws, their results, and the poses in which dice lie.
//!
//! The ground ([`ThrownDice`](super::ground::ThrownDice)) knows dice by their types and poses; here they are units. A
//! throw is like a roll: a pure function of the position, of how it is thrown and of keyed dice, and its result is on
//! record.

use super::dice::Pool;
use super::ground::{MisfitDie, Throw, ThrowInput, Thrown};
use super::ids::{UnitId, UnitName};
use super::pose::Pose;
use super::rules::Rules;
use super::spot::{Point, length_text};
use super::world::World;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Contact of a thrown die with another die or the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    /// The die; `None` is the board.
    pub what: Option<UnitName>,
    /// Point of the contact, seen from above.
    pub at: Point,
    /// Time after the die was let go, in thousandths of a second.
    pub ms: u32,
}

/// Result of a throw.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Landing {
    /// Contacts of the thrown die, in order: each die once, and the board.
    pub touches: Vec<Touch>,
    /// Units that fell off the board.
    pub left: Vec<UnitName>,
    /// Poses in which the units that moved came to rest; the thrown die, unless it fell off, is always among them.
    pub rests: Vec<(UnitName, Pose)>,
    /// Whether all came to rest before time was up.
    pub settled: bool,
    /// Duration, in thousandths of a second.
    pub ms: u32,
}

impl ThrowInput {
    /// A throw of a die: the others lie as they do in the world.
    pub fn new(rules: &Rules, world: &World, unit: UnitId, throw: Throw) -> Option<Self> {
        rules.die(world.unit(unit).kind)?;
        // What leaned on it where it lay falls.
        let pose = match world.is_on_board(unit) {
            true => world.pose(unit)?,
            false => throw.from,
        };
        let mut dice = vec![(world.unit(unit).kind, pose)];
        let mut units = vec![unit];
        for other in world.on_board().iter().filter(|other| *other != unit) {
            dice.push((world.unit(other).kind, world.pose(other)?));
            units.push(other);
        }
        Some(Self {
            dice,
            units,
            throw: Throw { which: 0, ..throw },
        })
    }

    /// Computes the result of the throw.
    pub fn happen(&self, rules: &Rules, world: &World) -> Option<Landing> {
        let thrown = rules.ground.dice()?.throw(self);
        Some(self.landing(world, &thrown))
    }

    /// The whole of what comes of it, ways with it, if that is what is on record: an old record may tell of what no
    /// throw comes to any more.
    pub fn as_told(&self, rules: &Rules, world: &World, landing: &Landing) -> Option<Thrown> {
        let thrown = rules.ground.dice()?.throw(self);
        (self.landing(world, &thrown) == *landing).then_some(thrown)
    }

    fn landing(&self, world: &World, thrown: &Thrown) -> Landing {
        let name = |body: usize| self.units.get(body).map(|unit| world.name(*unit));
        let own = thrown.touches.iter().filter(|touch| touch.body == 0);
        let touches = own.map(|touch| Touch {
            what: touch.other.and_then(name),
            at: Point {
                x: touch.at[0],
                y: touch.at[1],
            },
            ms: touch.ms,
        });
        let of = |fell: bool| thrown.rests.iter().filter(move |rest| rest.fell == fell);
        Landing {
            touches: touches.collect(),
            left: of(true).filter_map(|rest| name(rest.body)).collect(),
            rests: of(false)
                .filter_map(|rest| Some((name(rest.body)?, rest.pose)))
                .collect(),
            settled: thrown.settled,
            ms: thrown.ms,
        }
    }
}

/// Returns the face that a die shows; `None` off the board, and for one that leans on something.
pub fn face(rules: &Rules, world: &World, unit: UnitId) -> Option<u8> {
    let die = rules.die(world.unit(unit).kind)?;
    die.shows(world.pose(unit)?.turn)
}

/// Whether a die leans so that two of its faces are equally near to being shown.
pub fn is_between_faces(rules: &Rules, world: &World, unit: UnitId) -> bool {
    let die = rules.die(world.unit(unit).kind).zip(world.pose(unit));
    die.is_some_and(|(die, pose)| die.is_between(pose.turn))
}

/// Returns the face that a die shows or, where it leans, the nearest one; of two equally near the lower.
pub fn nearest_face(rules: &Rules, world: &World, unit: UnitId) -> Option<u8> {
    let die = rules.die(world.unit(unit).kind)?;
    Some(die.nearest(world.pose(unit)?.turn))
}

impl Pose {
    /// Returns its location, seen from above.
    pub fn point(self) -> Point {
        Point {
            x: self.at[0],
            y: self.at[1],
        }
    }
}

/// Returns the pose of a die put down at a point: flat, with the face that it showed, or else its first face.
pub fn put_down(rules: &Rules, world: &World, unit: UnitId, at: Point) -> Option<Pose> {
    let die = rules.die(world.unit(unit).kind)?;
    let face = face(rules, world, unit).unwrap_or(*die.faces().start());
    die.lying(at, face, 0)
}

/// Why a die cannot be laid so: something is there, or there is no board under it.
///
/// # Errors
///
/// What is in the way: one sentence.
pub fn check_rest(rules: &Rules, world: &World, unit: UnitId, pose: Pose) -> Result<(), String> {
    fits(rules, world, unit, pose, false)
}

/// Why a die cannot lie as it does, where a throw may have left it so.
///
/// # Errors
///
/// As [`lies`].
pub fn may_lie(rules: &Rules, world: &World, unit: UnitId) -> Result<(), String> {
    world
        .pose(unit)
        .map_or(Ok(()), |pose| fits(rules, world, unit, pose, true))
}

fn fits(rules: &Rules, world: &World, unit: UnitId, pose: Pose, pressed: bool) -> Result<(), String> {
    let name = |unit: UnitId| rules.unit_name(world.name(unit));
    let kind = |unit: UnitId| world.unit(unit).kind;
    let Some(board) = rules
        .ground
        .dice()
        .filter(|board| board.die(kind(unit)).is_some())
    else {
        return Err(format!("{} is no die", name(unit)));
    };
    let others: Vec<UnitId> = world.on_board().iter().filter(|other| *other != unit).collect();
    let mut dice = vec![(kind(unit), pose)];
    dice.extend(
        others
            .iter()
            .filter_map(|other| Some((kind(*other), world.pose(*other)?))),
    );
    let name_of = |die: usize| others.get(die - 1).map_or(String::new(), |unit| name(*unit));
    let reason = |misfit: MisfitDie| match misfit {
        MisfitDie::Inside(0, other) | MisfitDie::Inside(other, 0) => {
            Some(format!("it would be inside {}", name_of(other)))
        }
        MisfitDie::InBoard(0) => Some("it would be inside the board".to_owned()),
        MisfitDie::OffBoard(0) => Some("the board does not reach there".to_owned()),
        MisfitDie::InTheAir(0) => Some("it would hang in the air".to_owned()),
        // It is about others.
        _ => None,
    };
    let why = board.misfits(&dice, pressed).into_iter().find_map(reason);
    why.map_or(Ok(()), |why| {
        let at = plain(pose.point());
        Err(format!("{} cannot lie at {at}: {why}", name(unit)))
    })
}

/// The faces of a die in a sentence.
pub fn faces_text(faces: &RangeInclusive<u8>) -> String {
    format!("its faces are {} to {}", faces.start(), faces.end())
}

/// A point as people write it.
pub fn plain(at: Point) -> String {
    format!("{},{}", length_text(at.x.into()), length_text(at.y.into()))
}

/// A throw as its event keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThrowRecord {
    /// The dice that decided what no hand can; a transcript does not tell them.
    pub hand: Pool,
    /// Throw of the die; `None` where a scenario states the result.
    pub throw: Option<Throw>,
    /// Result of the throw.
    pub landing: Landing,
}

/// Cache of a table's throws and their results: a throw is computed once, even if its step runs again. It does not
/// influence any result.
#[derive(Debug, Default)]
pub struct ThrowCache(Vec<(ThrowInput, Arc<Landing>)>);

/// Maximum number of cached throws.
const KEPT: usize = 8;

impl ThrowCache {
    /// Returns the result of a throw, computed only if it is not in the cache.
    pub fn of(&mut self, given: ThrowInput, rules: &Rules, world: &World) -> Option<Arc<Landing>> {
        if let Some((_, landing)) = self.0.iter().find(|(known, _)| *known == given) {
            return Some(Arc::clone(landing));
        }
        let landing = Arc::new(given.happen(rules, world)?);
        if self.0.len() == KEPT {
            self.0.remove(0);
        }
        self.0.push((given, Arc::clone(&landing)));
        Some(landing)
    }
}
