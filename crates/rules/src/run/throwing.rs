//! Throws of dice by rules, and the properties of dice that lie in an arena.

use super::context::Run;
use super::fault::{Fault, NativeResult, rule, unknown};
use super::observe::Observer;
use super::value::{ListId, Value};
use crate::kernel::dice::{Pool, RollKey};
use crate::kernel::effect::Effect;
use crate::kernel::ground::{Aim, Die, Shake, ThrownDice};
use crate::kernel::ids::{Cause, PlaceId, UnitId, UnitSet, WordId};
use crate::kernel::plane::{Base, Shape};
use crate::kernel::pose::Pose;
use crate::kernel::rules::Rules;
use crate::kernel::spot::{Point, length_text};
use crate::kernel::throws::{self, ThrowRecord};
use crate::kernel::world::World;
use std::sync::Arc;

/// Fuel cost of throwing a die: about as much as a thousand lines of script.
const THROW: usize = 20_000;
/// Fuel cost of checking whether a die could lie at a spot.
const LOOK: usize = 200;

/// Parameters of a throw, each with its range, in thousandths.
const HOW: [(&str, i64, i64); 6] = [
    ("hard", 0, 1_000_000),
    ("high", 0, 200_000),
    ("side", -360_000, 360_000),
    ("spin", -50_000, 50_000),
    ("miss", 0, 100_000),
    ("slip", 0, 100_000),
];

/// Keys of a throw's result for scripts, in the order of the letters.
pub const THROWN: [&str; 7] = ["direct", "first", "landed", "left", "moved", "settled", "touched"];

/// Default height from which a die is let go: a hand's width.
const HIGH: i64 = 10_000;

impl<O: Observer> Run<'_, O> {
    fn dice(&self) -> NativeResult<&dyn ThrownDice> {
        self.table
            .rules
            .ground
            .dice()
            .ok_or_else(|| rule("no dice are thrown in this game: it has no `arena`"))
    }

    fn die(&self, unit: UnitId) -> NativeResult<&dyn Die> {
        let table = &*self.table;
        let die = table.rules.die(table.world.unit(unit).kind);
        die.ok_or_else(|| rule("no dice are thrown in this game: it has no `arena`"))
    }

    /// Returns the target of a throw: a die's middle, or a point over a spot, as high as the thrown die lies.
    fn target(&self, height: i32, target: Value) -> NativeResult<[i32; 3]> {
        let table = &*self.table;
        if let Some(unit) = target.as_unit() {
            let name = || table.rules.unit_name(table.world.name(unit));
            let pose = table.world.pose(unit);
            return pose.map(|pose| pose.at).ok_or_else(|| {
                rule(format!(
                    "{} does not lie on the board: nothing can be thrown at it",
                    name()
                ))
            });
        }
        let at = match (target.as_place(), target.as_spot()) {
            (Some(place), _) => table.world.piece(place).map(|shape| shape.middle()),
            (_, spot) => spot,
        };
        let Some(at) = at else {
            return Err(rule(format!(
                "a die is thrown at a die, a zone or a spot, not at {}",
                target.kind().noun()
            )));
        };
        let size = table.rules.plane().map_or((0, 0), |plane| plane.size);
        if !(0..=size.0).contains(&at.x) || !(0..=size.1).contains(&at.y) {
            return Err(rule(format!(
                "{} lies beyond the board, which reaches from 0,0 to {},{}",
                throws::plain(at),
                length_text(size.0.into()),
                length_text(size.1.into())
            )));
        }
        Ok([at.x, at.y, height])
    }

    /// Reads the parameters of a throw from a map: in thousandths, in the order of [`HOW`].
    fn how(&mut self, how: ListId) -> NativeResult<[Option<i64>; HOW.len()]> {
        let mut values = [None; HOW.len()];
        for pair in self.items(how)?.chunks(2) {
            let &[key, value] = pair else { continue };
            let key = key.as_word().map(|word| self.word(word)).unwrap_or_default();
            let Some(index) = HOW.iter().position(|(name, ..)| *name == key) else {
                return Err(unknown(
                    "parameter of a throw",
                    &key,
                    HOW.iter().map(|(name, ..)| *name),
                ));
            };
            let (name, least, most) = HOW[index];
            let number = self.length(value)?;
            if !(least..=most).contains(&number) {
                return Err(rule(format!(
                    "`{name}` is from {} to {}, not {}",
                    length_text(least),
                    length_text(most),
                    length_text(number)
                )));
            }
            values[index] = Some(number);
        }
        if values[0].is_none() {
            return Err(rule(
                "the throw does not say how hard: `#{ hard: 100 }`, in centimetres a second",
            ));
        }
        Ok(values)
    }

    /// Throws a die; what came of it is a map.
    pub fn throw(&mut self, unit: UnitId, label: WordId, target: Value, how: ListId) -> NativeResult {
        self.work(THROW)?;
        self.dice()?;
        let height = self.die(unit)?.height();
        if !self.table.world.is_alive(unit) {
            let name = self.table.rules.unit_name(self.table.world.name(unit));
            return Err(rule(format!("{name} is out of the game: it cannot be thrown")));
        }
        let at = self.target(height, target)?;
        let [hard, high, side, spin, miss, slip] = self.how(how)?;
        self.changes();
        let (hand, nth) = self.table.hand(unit, label)?;
        let number = |n: Option<i64>, usual: i64| n.unwrap_or(usual) as i32;
        let aim = Aim {
            at,
            strength: number(hard, 0),
            height: number(high, HIGH),
            side: number(side, 270_000) / 1_000,
            spin: number(spin, 0),
        };
        let shake = shaken(&hand, miss.unwrap_or(0), slip.unwrap_or(0));
        let throw = self.dice()?.aimed(aim, shake);
        let record = self
            .table
            .throw(unit, label, (throw, Point { x: at[0], y: at[1] }), (hand, nth))?;
        self.react_all()?;
        self.thrown(&record)
    }

    /// Returns the result of a throw, as scripts read it.
    fn thrown(&mut self, record: &Arc<ThrowRecord>) -> NativeResult {
        let table = &*self.table;
        let landing = &record.landing;
        let unit = |name| table.world.find(name);
        let touched: Vec<UnitId> = landing
            .touches
            .iter()
            .filter_map(|touch| touch.what.and_then(unit))
            .collect();
        let board = landing.touches.iter().find(|touch| touch.what.is_none());
        let direct = landing.touches.first().is_some_and(|touch| touch.what.is_some());
        let left: UnitSet = landing.left.iter().filter_map(|name| unit(*name)).collect();
        let moved: UnitSet = landing.rests.iter().filter_map(|rest| unit(rest.0)).collect();
        let (landed, settled) = (board.map(|touch| touch.at), landing.settled);
        let first = touched.first().copied();
        let touched = self.list(touched.into_iter().map(Value::from))?;
        let values = [
            direct.into(),
            first.map_or(Value::NOTHING, Value::from),
            landed.map_or(Value::NOTHING, Value::from),
            self.heap.of_units(left),
            self.heap.of_units(moved),
            settled.into(),
            touched,
        ];
        let mut items = Vec::new();
        for (key, value) in THROWN.into_iter().zip(values) {
            items.extend([self.text(key)?, value]);
        }
        Ok(Value::map(self.add(items)?))
    }

    /// Puts back what the last throw of the step moved.
    pub fn take_back(&mut self, cause: Cause) -> NativeResult<()> {
        self.work(LOOK)?;
        self.changes();
        self.table.take_back_throw(cause)?;
        self.react_all()
    }

    /// Lays a die flat at a spot, a face up.
    pub fn lay_die(&mut self, unit: UnitId, at: Point, face: i64, cause: Cause) -> NativeResult<()> {
        let die = self.die(unit)?;
        let pose = u8::try_from(face).ok().and_then(|face| die.lying(at, face, 0));
        let Some(pose) = pose else {
            let name = self.table.rules.unit_name(self.table.world.name(unit));
            let faces = throws::faces_text(&die.faces());
            return Err(rule(format!("{name} has no face {face}; {faces}")));
        };
        self.act(Effect::Lie(unit, pose), cause)
    }

    /// The spot nearest to another where a die could lie flat.
    pub fn free_spot(&mut self, unit: UnitId, at: Point) -> NativeResult<Option<Point>> {
        let step = i64::from(self.die(unit)?.size()) / 2;
        let far = i64::from(self.table.rules.plane().map_or(0, |plane| plane.size.0)) / step.max(1);
        for ring in 0..=far {
            // As many spots on each ring as are a step apart, and never fewer than six.
            let spots = (6 * ring).clamp(1, 72);
            for n in 0..spots {
                self.work(LOOK)?;
                let spot = at.at_angle(90 - 360 * n / spots, ring * step);
                let table = &*self.table;
                let pose = throws::put_down(&table.rules, &table.world, unit, spot);
                let fits = |pose: Pose| throws::check_rest(&table.rules, &table.world, unit, pose).is_ok();
                if pose.is_some_and(fits) {
                    return Ok(Some(spot));
                }
            }
        }
        Ok(None)
    }

    /// Returns whether the face on which a die lies, with its broken edges or without, is wholly in a zone, and whether it
    /// is in it in part or touches its line.
    pub fn zoned(&mut self, unit: UnitId, zone: PlaceId, with_edges: bool) -> NativeResult<(bool, bool)> {
        self.work(LOOK / 10)?;
        self.dice()?;
        let table = &*self.table;
        let Some(shape) = table.world.piece(zone) else {
            return Err(Fault::mismatch());
        };
        let Some(foot) = foot(&table.rules, &table.world, unit, with_edges) else {
            return Ok((false, false));
        };
        Ok((is_within(&foot, shape), touches(&foot, shape)))
    }
}

/// The corners of the face on which a die lies; of one that leans, those that touch what is below.
fn foot(rules: &Rules, world: &World, unit: UnitId, with_edges: bool) -> Option<Vec<Point>> {
    let (die, pose) = (rules.die(world.unit(unit).kind)?, world.pose(unit)?);
    let [x, y, _] = pose.at;
    let corners = die.foot(pose.turn, with_edges);
    let placed = corners.into_iter().map(|corner| Point {
        x: x.saturating_add(corner[0]),
        y: y.saturating_add(corner[1]),
    });
    Some(placed.collect())
}

/// Whether all of a face is within a zone, which has no dents.
fn is_within(foot: &[Point], zone: &Shape) -> bool {
    foot.iter().all(|corner| zone.contains(*corner))
}

/// Whether some of a face is within a zone or on its line.
fn touches(foot: &[Point], zone: &Shape) -> bool {
    let at = |at: Point| Base { at, diameter: 0 };
    let edges = || foot.iter().zip(foot.iter().cycle().skip(1));
    foot.iter().any(|corner| zone.gap(at(*corner)) <= 0)
        || edges().any(|(a, b)| zone.is_crossed(*a, *b))
        || Shape::polygon(foot).is_ok_and(|foot| foot.contains(zone.middle()))
}

/// Returns the random deviations of a throw. It misses by at most so much to each side, seldom by the most; slips are
/// thousandths of per cent.
fn shaken(hand: &Pool, miss: i64, slip: i64) -> Shake {
    let key = hand
        .values()
        .fold(RollKey::new(0), |key, value| key.with(value as u64));
    let mut drawn = 0;
    let mut below = |n: i64| {
        drawn += 1;
        key.with(drawn).below(n as usize) as i64
    };
    let mut off = |most: i64| below(most + 1) + below(most + 1) - most;
    let (x, y, strength) = (off(miss), off(miss), off(slip / 100));
    Shake {
        at: [x as i32, y as i32],
        strength: strength as i32,
        turn: [0; 3].map(|_| below(1_000) as u16),
    }
}
