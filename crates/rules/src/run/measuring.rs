//! Measurements of rules on a table top, and the regions that units can reach there.

use super::context::{Run, reach_of};
use super::fault::{Fault, NativeResult, rule};
use super::observe::Observer;
use super::value::Value;
use crate::grounds::plane::{self, Obstacle, Sight};
use crate::kernel::effect::Effect;
use crate::kernel::ground::{Plane, Region, Travel};
use crate::kernel::ids::{Cause, HookId, PlaceId, PlaceSet, TerrainId, UnitId, UnitSet};
use crate::kernel::plane::{Base, Shape};
use crate::kernel::scene::base_of;
use crate::kernel::spot::{Form, Point, UNIT, length_text};

/// Fuel cost of looking at one base or piece on the table.
const LOOK: usize = 4;

impl<O: Observer> Run<'_, O> {
    /// A length as scripts give it, in thousandths: a whole number or a length.
    pub fn length(&self, value: Value) -> NativeResult<i64> {
        let length = value.as_length();
        length.ok_or_else(|| match value.as_int() {
            Some(n) => rule(format!("{n} is more than any length")),
            None => rule(format!(
                "a length is a number such as 6 or 7.5, not {}",
                value.kind().noun()
            )),
        })
    }

    /// Refuses steps between places where places are pieces of terrain, or zones.
    pub fn on_a_board(&self) -> NativeResult<()> {
        match self.table.rules.plane().is_none() {
            true => Ok(()),
            false => Err(rule(
                "places of a table top do not touch, so there are no steps and no directions between them: \
                 `distance(me, piece)` measures from a unit, and `angle(from, to)` between spots",
            )),
        }
    }

    /// The measures of the plane on which things stand at points.
    pub fn plane(&self) -> NativeResult<&Plane> {
        let plane = self.table.rules.plane();
        plane.ok_or_else(|| rule("this game is played on a board, not on a table top"))
    }

    /// The spot of so many of the game's unit to the right of and above the lower left corner.
    pub fn spot(&self, x: Value, y: Value) -> NativeResult<Point> {
        let read = |value| {
            let length = self.length(value)?;
            let near = i32::try_from(length).ok();
            near.filter(|n| n.abs() <= plane::FARTHEST)
                .ok_or_else(|| rule(format!("{} lies beyond every table", length_text(length))))
        };
        Ok(Point {
            x: read(x)?,
            y: read(y)?,
        })
    }

    /// The spot so far from another in a direction.
    pub fn spot_toward(&self, from: Point, degrees: i64, length: Value) -> NativeResult<Point> {
        let length = self.length(length)?;
        let spot = from.at_angle(degrees, length);
        match [spot.x, spot.y].iter().all(|n| n.abs() <= plane::FARTHEST)
            && length.abs() <= plane::FARTHEST.into()
        {
            true => Ok(spot),
            false => Err(rule(format!(
                "{} from {from} lies beyond every table",
                length_text(length)
            ))),
        }
    }

    /// Returns the outline of a value: a unit's base, or a spot, which has no width.
    fn base(&self, value: Value) -> NativeResult<Option<Base>> {
        let table = &*self.table;
        Ok(match (value.as_unit(), value.as_spot()) {
            (Some(unit), _) => base_of(&table.rules, &table.world, unit),
            (_, Some(at)) => Some(Base { at, diameter: 0 }),
            _ => return Err(Fault::mismatch()),
        })
    }

    /// Returns the distance between two things: between their edges, 0 where they meet; on a board the steps between
    /// the places of two units; nothing where one of them is not there.
    pub fn apart(&mut self, one: Value, other: Value) -> NativeResult {
        if let (Some(one), Some(other)) = (one.as_unit(), other.as_unit()) {
            return Ok(self.length_value(self.between(one, other)));
        }
        let table = &*self.table;
        if table.rules.plane().is_none() {
            let place = |value: Value| match value.as_unit() {
                Some(unit) => Ok(table.world.place(unit)),
                None => value.as_place().map(Some).ok_or_else(|| {
                    rule("a board has places and no spots: `distance(me, place)` is in steps")
                }),
            };
            let steps = place(one)?.zip(place(other)?);
            return Ok(self.length_value(steps.map(|(from, to)| table.rules.board.distance(from, to) as i64)));
        }
        if let (Some(from), Some(to)) = (one.as_spot(), other.as_spot()) {
            return Ok(Value::of_length(from.distance(to)));
        }
        let gap = match (one.as_place(), other.as_place()) {
            (None, None) => match (self.base(one)?, self.base(other)?) {
                (Some(a), Some(b)) => Some(a.gap(b)),
                _ => None,
            },
            (Some(_), Some(_)) => return Err(Fault::mismatch()),
            (piece, other_piece) => {
                let base = self.base(if piece.is_some() { other } else { one })?;
                let shape = piece.or(other_piece).and_then(|p| table.world.piece(p));
                match (base, shape) {
                    (Some(base), Some(shape)) => Some(shape.gap(base)),
                    _ => None,
                }
            }
        };
        Ok(gap.map_or(Value::NOTHING, |gap| Value::of_length(gap.max(0))))
    }

    /// Returns the distance to the nearest of several units, as [`Self::apart`] measures; nothing where nobody is
    /// there.
    pub fn apart_from(&mut self, me: UnitId, others: UnitSet) -> NativeResult {
        self.work(LOOK * others.len())?;
        let far = others.iter().filter_map(|other| self.between(me, other)).min();
        Ok(self.length_value(far))
    }

    /// Returns the distance between two units: steps on a board, a length on a table top; `None` where one of them is
    /// not there.
    fn between(&self, one: UnitId, other: UnitId) -> Option<i64> {
        let (rules, world) = (&self.table.rules, &self.table.world);
        if rules.plane().is_none() {
            let (from, to) = (world.place(one)?, world.place(other)?);
            return Some(rules.board.distance(from, to) as i64);
        }
        let base = |unit| base_of(rules, world, unit);
        Some(base(one)?.gap(base(other)?).max(0))
    }

    fn length_value(&self, far: Option<i64>) -> Value {
        let value = match self.table.rules.plane() {
            None => Value::from,
            Some(_) => Value::of_length,
        };
        far.map_or(Value::NOTHING, value)
    }

    /// The units at most so far from another, itself among them: on a board in steps, on a table top from edge
    /// to edge.
    pub fn near(&mut self, me: UnitId, far: Value) -> NativeResult<UnitSet> {
        let table = &*self.table;
        if table.rules.plane().is_none() {
            let steps = far
                .as_int()
                .unwrap_or_else(|| whole(far.as_length().unwrap_or(0), false));
            return Ok(table.world.in_places(reach_of(table, me, steps)));
        }
        let length = self.length(far)?;
        let Some(own) = base_of(&table.rules, &table.world, me) else {
            return Ok(UnitSet::EMPTY);
        };
        self.work(LOOK * table.world.on_board().len())?;
        let table = &*self.table;
        let is_near = |unit: &UnitId| {
            let other = base_of(&table.rules, &table.world, *unit);
            *unit == me || other.is_some_and(|other| own.gap(other) <= length)
        };
        Ok(table.world.on_board().filter(is_near).collect())
    }

    /// The pieces of terrain of which the game's hook says that they do it to a unit.
    fn pieces_that(&mut self, hook: Option<HookId>, more: &[Value]) -> NativeResult<PlaceSet> {
        let mut pieces = PlaceSet::EMPTY;
        let Some(hook) = hook else { return Ok(pieces) };
        for piece in self.table.world.ground().clone() {
            let mut args = vec![piece.into()];
            args.extend_from_slice(more);
            let value = self.reading(|run| run.hook(hook, &args))?;
            match value.as_bool() {
                Some(true) => pieces.insert(piece),
                Some(false) => {}
                None => return Err(self.misspoken(hook, piece, "true or false", value)),
            }
        }
        Ok(pieces)
    }

    /// Returns the region that a unit can reach.
    pub fn region(&mut self, me: UnitId, how: Travel) -> NativeResult {
        let &Plane { size, candidates, .. } = self.plane()?;
        // All that lies farther is off the table.
        let far = 4 * i64::from(size.0.max(size.1));
        let how = match how {
            Travel::Leap(least, most) => Travel::Leap(least.clamp(0, far), most.clamp(0, far)),
            Travel::Walk(most) => Travel::Walk(most.clamp(0, far)),
            Travel::Within(edges) => Travel::Within(edges.map(|edge| edge.clamp(-far, far))),
            Travel::Aim => Travel::Aim,
        };
        if !matches!(how, Travel::Within(_)) && self.table.world.point(me).is_none() {
            let name = self.table.rules.unit_name(self.table.world.name(me));
            return Err(rule(format!(
                "{name} does not stand on the table: it can move nowhere"
            )));
        }
        let blocked = self.pieces_that(self.table.rules.hooks.blocks_movement, &[me.into()])?;
        let table = &*self.table;
        let corners = blocked
            .iter()
            .filter_map(|piece| Some(table.world.piece(piece)?.corners()));
        // What has four corners is one thing.
        let things = table.world.on_board().len() + corners.map(|corners| corners.div_ceil(4)).sum::<usize>();
        self.work(LOOK * candidates * (1 + things))?;
        let table = &*self.table;
        // What its owner may not see is nothing that a region tells.
        let owner = table.world.unit(me).owner;
        let world = table.view(Some(owner)).world();
        let region = table
            .rules
            .ground
            .region(&(&*table.rules, &*world), me, how, blocked);
        Ok(region.map_or(Value::NOTHING, |region| self.heap.of_region(region)))
    }

    /// Whether a spot is in a region. Where that takes a way to be found, each corner may lead to each other.
    pub fn has(&mut self, region: &dyn Region, spot: Point) -> NativeResult {
        let bulk = region.bulk();
        let ways = match region.travel() {
            Travel::Walk(_) => bulk * bulk / 64,
            _ => 0,
        };
        self.work(1 + bulk / 2 + ways)?;
        Ok(region.holds(spot).into())
    }

    /// Returns the last spot on the straight line from a unit to a point that it can reach without touching anything.
    pub fn last_free(&mut self, me: UnitId, to: Point) -> NativeResult<Point> {
        let from = self.table.world.point(me).unwrap_or(to);
        let length = from.distance(to);
        let region = self.region(me, Travel::Leap(0, length))?;
        let Some(region) = self.heap.region(region).cloned() else {
            return Ok(from);
        };
        self.work(1 + region.bulk() * (64 - length.leading_zeros() as usize))?;
        let at = |n: i64| if n == length { to } else { from.toward(to, n) };
        // Behind a spot that cannot be reached there is none that can.
        let is_reached = region.check();
        let (mut reached, mut beyond) = (0, length + 1);
        while reached + 1 < beyond {
            let middle = reached + (beyond - reached) / 2;
            match is_reached(at(middle)) {
                true => reached = middle,
                false => beyond = middle,
            }
        }
        Ok(if reached == 0 { from } else { at(reached) })
    }

    /// The spots of a piece of terrain or a zone at which something can be aimed.
    pub fn aims(&mut self, me: UnitId, piece: PlaceId, not: &UnitSet) -> NativeResult {
        self.plane()?;
        self.work(LOOK * (1 + not.len()))?;
        let table = &*self.table;
        let Some(region) = table
            .rules
            .ground
            .aims(&(&*table.rules, &table.world), me, piece, not)
        else {
            let name = table.rules.board.name(piece);
            return Err(rule(format!("{name} lies nowhere: nothing can be aimed at it")));
        };
        Ok(self.heap.of_region(region))
    }

    /// Lays a piece of terrain: the first that does not lie there yet.
    pub fn lay_piece(&mut self, terrain: TerrainId, form: Form) -> NativeResult<PlaceId> {
        self.plane()?;
        let table = &*self.table;
        let free = (table.rules.board.places() - table.world.ground()).first();
        let Some(piece) = free else {
            let most = table.rules.board.len();
            return Err(rule(format!(
                "all {most} pieces of terrain lie on the table: `pieces` in board() is {most}"
            )));
        };
        self.act(Effect::Lay(piece, terrain, Some(form)), Cause::default())?;
        Ok(piece)
    }

    /// Returns the visible part of a unit's base, seen from the middle of another's, past the pieces that block sight.
    pub fn visible_part(&mut self, me: UnitId, other: UnitId, with_bases: bool) -> NativeResult {
        let blockers = self.pieces_that(self.table.rules.hooks.blocks_sight, &[])?;
        self.visible_part_past(me, other, &blockers, with_bases)
    }

    /// The same past these pieces of terrain.
    pub fn visible_part_past(
        &mut self,
        me: UnitId,
        other: UnitId,
        blockers: &PlaceSet,
        with_bases: bool,
    ) -> NativeResult {
        self.plane()?;
        let table = &*self.table;
        let (Some(from), Some(to)) = (table.world.point(me), base_of(&table.rules, &table.world, other))
        else {
            return Ok(Value::NOTHING);
        };
        let shapes: Vec<_> = blockers
            .iter()
            .filter_map(|p| table.world.piece(p).cloned())
            .collect();
        let between = table
            .world
            .on_board()
            .filter(|u| with_bases && *u != me && *u != other);
        let bases: Vec<Base> = between
            .filter_map(|u| base_of(&table.rules, &table.world, u))
            .collect();
        let things = shapes.len() + bases.len();
        self.work(LOOK * (1 + things))?;
        let word = match plane::sight(from, to, &shapes, &bases) {
            Sight::Free => "free",
            Sight::Partly => "partly",
            Sight::Hidden => "hidden",
        };
        self.text(word)
    }

    /// The pieces of terrain that the straight line between the middles of two bases crosses.
    pub fn crossed(&mut self, me: UnitId, other: UnitId) -> NativeResult<PlaceSet> {
        self.plane()?;
        self.work(LOOK * self.table.world.ground().len())?;
        let world = &self.table.world;
        let (Some(from), Some(to)) = (world.point(me), world.point(other)) else {
            return Ok(PlaceSet::EMPTY);
        };
        let pieces = || {
            world
                .ground()
                .iter()
                .filter_map(|place| Some((place, world.piece(place)?)))
        };
        let crossed = pieces().filter(|(_, piece)| piece.is_crossed(from, to));
        let crossed: PlaceSet = crossed.map(|(place, _)| place).collect();
        if !crossed.is_empty() {
            return Ok(crossed);
        }
        // Nothing leads through where two pieces touch.
        let (places, shapes): (Vec<PlaceId>, Vec<Shape>) =
            pieces().map(|(p, piece)| (p, piece.clone())).unzip();
        let end = Base { at: to, diameter: 0 };
        let (sight, by) = plane::sight_by(from, end, &shapes, &[]);
        let by = by.into_iter().filter(|_| sight == Sight::Hidden);
        Ok(by
            .filter_map(|by| match by {
                Obstacle::Shape(nth) => places.get(nth).copied(),
                _ => None,
            })
            .collect())
    }
}

/// The whole of the game's units that a length has, rounded up or down.
pub fn whole(length: i64, up: bool) -> i64 {
    match up {
        true => length.div_euclid(UNIT) + i64::from(length.rem_euclid(UNIT) != 0),
        false => length.div_euclid(UNIT),
    }
}

/// The diagonal of a rectangle, in thousandths, rounded down.
pub fn diagonal(wide: i64, deep: i64) -> Option<i64> {
    let square = |n: i64| i128::from(n).checked_mul(i128::from(n));
    i64::try_from(square(wide)?.checked_add(square(deep)?)?.isqrt()).ok()
}
