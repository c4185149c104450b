//! Operators between values.

use super::context::Run;
use super::fault::{Fault, FaultKind, NativeResult, rule};
use super::node::Op;
use super::observe::Observer;
use super::value::{Kind, Value};
use crate::kernel::dice::{MAX_DICE, Pool};
use crate::kernel::ids::{PlaceSet, UnitSet};
use std::ops::{BitAnd, BitOr, Sub};

macro_rules! operators {
    ($( $(#[doc = $doc:literal])+ $left:ident $op:ident $right:ident; )*) => {
        /// Operators on the kernel's things: the sign, what stands left and right of it, and what it does,
        /// in the form of [`Native::doc`].
        pub const OPERATORS: &[(Op, Kind, Kind, &str)] = &[$(
            (Op::$op, Kind::$left, Kind::$right, concat!($($doc, "\n"),+))
        ),*];
    };
}

operators! {
    /// The units that are in at least one of the sets.
    /// - gives: units
    /// - `me.allies | me.foes_within(2)` = [red.guards1, blue.scouts1]
    Units Or Units;
    /// The units of the set and one more unit.
    /// - gives: units
    /// - `me.allies | me` = [red.scouts1, red.guards1]
    Units Or Unit;
    /// The units that are in both sets.
    /// - gives: units
    /// - `me.foes & here.units` = [blue.scouts1]
    Units And Units;
    /// The units of the first set that are not in the second.
    /// - gives: units
    /// - `units() - me.foes` = [red.scouts1, red.guards1]
    Units Sub Units;
    /// The units of the set without one unit.
    /// - gives: units
    /// - `me.foes - foe` = [blue.guards1]
    Units Sub Unit;
    /// The places that are in at least one of the sets.
    /// - gives: places
    /// - `me.column | here.column` = [a1, b1, a2, b2, a3, b3]
    Places Or Places;
    /// The places of the set and one more place.
    /// - gives: places
    /// - `me.column | here` = [a1, a2, b2, a3]
    Places Or Place;
    /// The places that are in both sets.
    /// - gives: places
    /// - `me.column & side.home` = [a1]
    Places And Places;
    /// The places of the first set that are not in the second.
    /// - gives: places
    /// - `me.column - side.home` = [a2, a3]
    Places Sub Places;
    /// The places of the set without one place.
    /// - gives: places
    /// - `here.column - here` = [b1, b3]
    Places Sub Place;
    /// The dice of both pools together.
    /// - gives: dice
    /// - `pool + pool` = dice 2 2 3 3 6 6
    Dice Add Dice;
    /// Whether both are the same.
    /// - gives: true or false
    /// - `me == unit("red.scouts1")` = true
    Unit Eq Unit;
    /// Whether both are the same.
    /// - gives: true or false
    /// - `me.place == place("a1")` = true
    Place Eq Place;
    /// Whether both are the same.
    /// - gives: true or false
    /// - `me.owner == side` = true
    Faction Eq Faction;
    /// Whether both are the same.
    /// - gives: true or false
    /// - `me.type == foe.type` = true
    Type Eq Type;
    /// Whether both are the same.
    /// - gives: true or false
    /// - `here.terrains[0] == terrain("mud")` = true
    Terrain Eq Terrain;
    /// Whether both are different.
    /// - gives: true or false
    /// - `here.terrains[0] != terrain("mud")` = false
    Terrain Ne Terrain;
    /// Whether both are the same.
    /// - gives: true or false
    /// - `me.column.units == (no_units() | me)` = true
    Units Eq Units;
    /// Whether both are the same.
    /// - gives: true or false
    /// - `(here.row & here.column) == (no_places() | here)` = true
    Places Eq Places;
    /// Whether both are the same.
    /// - gives: true or false
    /// - `pool == pool` = true
    Dice Eq Dice;
    /// Whether both are different.
    /// - gives: true or false
    /// - `me != unit("red.scouts1")` = false
    Unit Ne Unit;
    /// Whether both are different.
    /// - gives: true or false
    /// - `me.place != place("a1")` = false
    Place Ne Place;
    /// Whether both are different.
    /// - gives: true or false
    /// - `me.owner != side` = false
    Faction Ne Faction;
    /// Whether both are different.
    /// - gives: true or false
    /// - `me.type != foe.type` = false
    Type Ne Type;
    /// Whether both are different.
    /// - gives: true or false
    /// - `me.column.units != (no_units() | me)` = false
    Units Ne Units;
    /// Whether both are different.
    /// - gives: true or false
    /// - `(here.row & here.column) != (no_places() | here)` = false
    Places Ne Places;
    /// Whether both are different.
    /// - gives: true or false
    /// - `pool != pool` = false
    Dice Ne Dice;
}

/// Applies an operator.
///
/// # Errors
///
/// It does not work between these, or the result is no number.
pub fn operate<O: Observer>(run: &mut Run<'_, O>, op: Op, left: Value, right: Value) -> NativeResult {
    let (a, b) = (left.kind(), right.kind());
    if a == Kind::Int && b == Kind::Int {
        return numbers(run, op, left.as_int().unwrap_or(0), right.as_int().unwrap_or(0));
    }
    if matches!(
        (a, b),
        (Kind::Length, Kind::Length | Kind::Int) | (Kind::Int, Kind::Length)
    ) {
        return lengths(op, left, right);
    }
    match op {
        // Whoever compares them forgot to ask for a number of them.
        Op::Eq | Op::Ne if is_several(a) && is_number(b) || is_number(a) && is_several(b) => {
            return Err(FaultKind::Operator(op.sign(), vec![a, b]).into());
        }
        Op::Eq => return Ok(run.same(left, right)?.into()),
        Op::Ne => return Ok((!run.same(left, right)?).into()),
        // What is of different kinds is neither less nor more: to ask is a slip.
        Op::Lt | Op::Le | Op::Gt | Op::Ge if a != b => {
            return Err(FaultKind::Operator(op.sign(), vec![a, b]).into());
        }
        _ => {}
    }
    let result = match (op, a, b) {
        (Op::Or | Op::Sub, Kind::Units, Kind::Units | Kind::Unit) | (Op::And, Kind::Units, Kind::Units) => {
            let one = right.as_unit().map(UnitSet::one);
            let both = run.heap.units(left).zip(one.or_else(|| run.heap.units(right)));
            let joined = joined(op, both.ok_or_else(Fault::mismatch)?);
            Some(run.heap.of_units(joined))
        }
        (Op::Or | Op::Sub, Kind::Places, Kind::Places | Kind::Place)
        | (Op::And, Kind::Places, Kind::Places) => {
            let one = right.as_place().map(PlaceSet::one);
            let both = run.heap.places(left).zip(one.or_else(|| run.heap.places(right)));
            let joined = joined(op, both.ok_or_else(Fault::mismatch)?);
            Some(run.heap.of_places(joined))
        }
        (Op::Add, Kind::Dice, Kind::Dice) => {
            let dice = [left, right].map(|v| run.heap.dice(v).unwrap_or_default());
            let all: Vec<i64> = dice.iter().flat_map(|d| d.values()).collect();
            let pool = Pool::new(&all).ok_or_else(|| {
                rule(format!(
                    "{} dice are too many for one pool: {MAX_DICE} are the most",
                    all.len()
                ))
            })?;
            Some(run.heap.of_dice(pool))
        }
        (_, Kind::Bool, Kind::Bool) => {
            let (a, b) = (left == Value::TRUE, right == Value::TRUE);
            match op {
                Op::And => Some((a & b).into()),
                Op::Or => Some((a | b).into()),
                Op::Xor => Some((a ^ b).into()),
                _ => ordered(op, a.cmp(&b)),
            }
        }
        (Op::Add, Kind::Word, _) | (Op::Add, _, Kind::Word) => {
            let mut text = String::new();
            run.add_text(&mut text, left)?;
            run.add_text(&mut text, right)?;
            Some(run.text(&text)?)
        }
        (_, Kind::Word, Kind::Word) => {
            for word in [left, right].into_iter().filter_map(|v| v.as_word()) {
                run.read(word)?;
            }
            let words = &run.table.words;
            let [a, b] = [left, right].map(|v| v.as_word().map_or("", |w| words.text(w)));
            ordered(op, a.cmp(b))
        }
        (Op::Add, Kind::List, Kind::List) => {
            let mut both = Vec::new();
            for list in [left, right].into_iter().filter_map(|v| v.items()) {
                both.extend(run.items(list)?);
            }
            Some(run.list(both)?)
        }
        (Op::Sub, Kind::List, Kind::List) => {
            let (Some(list), Some(less)) = (left.items(), right.items()) else {
                return Err(FaultKind::Mismatch.into());
            };
            let mut rest = run.items(list)?;
            for item in run.items(less)? {
                for at in 0..rest.len() {
                    if run.same(rest[at], item)? {
                        rest.remove(at);
                        break;
                    }
                }
            }
            Some(run.list(rest)?)
        }
        (Op::Add, Kind::Map, Kind::Map) => {
            let (Some(mut map), Some(more)) = (left.items(), right.items()) else {
                return Err(FaultKind::Mismatch.into());
            };
            for pair in run.items(more)?.chunks_exact(2) {
                map = super::library::with(run, map, pair[0].as_word().unwrap_or_default(), pair[1])?;
            }
            Some(Value::map(map))
        }
        _ => None,
    };
    result.ok_or_else(|| FaultKind::Operator(op.sign(), vec![a, b]).into())
}

/// Returns the result of `|`, `&` or `-` on two sets.
fn joined<S: BitOr<Output = S> + BitAnd<Output = S> + Sub<Output = S>>(op: Op, (a, b): (S, S)) -> S {
    match op {
        Op::Or => a | b,
        Op::And => a & b,
        _ => a - b,
    }
}

/// Whether values of a kind are several things, of which several numbers can be told.
pub fn is_several(kind: Kind) -> bool {
    matches!(kind, Kind::Dice | Kind::Units | Kind::Places)
}

fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Int | Kind::Length)
}

/// Whether a list that grows by `+=` stays a list.
///
/// # Errors
///
/// It would become a text.
pub fn keeps_a_list(op: Op, list: Value, more: Value) -> Result<(), FaultKind> {
    match op == Op::Add && list.is(Kind::List) && !more.is(Kind::List) {
        true => Err(FaultKind::Operator(op.sign(), vec![list.kind(), more.kind()])),
        false => Ok(()),
    }
}

/// Returns the result of an operator between numbers, or between values without content in the heap; `None` of anything
/// else.
#[inline(always)]
pub fn at_once(op: Op, left: Value, right: Value) -> Option<Value> {
    if let (Some(a), Some(b)) = (left.as_int(), right.as_int()) {
        return match op {
            Op::Eq => Some((a == b).into()),
            Op::Ne => Some((a != b).into()),
            Op::Lt => Some((a < b).into()),
            Op::Le => Some((a <= b).into()),
            Op::Gt => Some((a > b).into()),
            Op::Ge => Some((a >= b).into()),
            Op::Add => a.checked_add(b).map(Value::from),
            Op::Sub => a.checked_sub(b).map(Value::from),
            Op::Mul => a.checked_mul(b).map(Value::from),
            _ => None,
        };
    }
    match op {
        Op::Eq => left.is_same_word(right).map(Value::from),
        Op::Ne => left.is_same_word(right).map(|same| (!same).into()),
        _ => None,
    }
}

fn ordered(op: Op, order: std::cmp::Ordering) -> Option<Value> {
    Some(match op {
        Op::Lt => order.is_lt().into(),
        Op::Le => order.is_le().into(),
        Op::Gt => order.is_gt().into(),
        Op::Ge => order.is_ge().into(),
        _ => return None,
    })
}

fn numbers<O: Observer>(run: &mut Run<'_, O>, op: Op, a: i64, b: i64) -> NativeResult {
    let sum = || format!("{a} {} {b}", op.sign());
    let number = match op {
        Op::Add => a.checked_add(b),
        Op::Sub => a.checked_sub(b),
        Op::Mul => a.checked_mul(b),
        Op::Div | Op::Rem if b == 0 => return Err(FaultKind::ByZero(sum()).into()),
        Op::Div => a.checked_div(b),
        Op::Rem => a.checked_rem(b),
        Op::Pow if b < 0 => return Err(rule(format!("{}: a power below 0 is no whole number", sum()))),
        Op::Pow => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
        Op::And => Some(a & b),
        Op::Or => Some(a | b),
        Op::Xor => Some(a ^ b),
        Op::Shl => Some(shifted(a, b)),
        Op::Shr => Some(shifted(a, b.saturating_neg())),
        Op::Range | Op::RangeTo => {
            let range = run.heap.of_range(a, b, op == Op::RangeTo);
            return range.ok_or_else(|| FaultKind::Full.into());
        }
        Op::Eq => return Ok((a == b).into()),
        Op::Ne => return Ok((a != b).into()),
        Op::Lt | Op::Le | Op::Gt | Op::Ge => return Ok(ordered(op, a.cmp(&b)).unwrap_or(Value::FALSE)),
    };
    number
        .map(Value::from)
        .ok_or_else(|| FaultKind::TooLarge(sum()).into())
}

/// Returns the result of an operator where at least one operand is a length: whole numbers count as lengths, too.
fn lengths(op: Op, left: Value, right: Value) -> NativeResult {
    let sum = || format!("{} {} {}", left.written(), op.sign(), right.written());
    let large = || Fault::from(FaultKind::TooLarge(sum()));
    let (Some(a), Some(b)) = (left.as_length(), right.as_length()) else {
        return Err(large());
    };
    let length = match (op, left.as_int(), right.as_int()) {
        (Op::Add, ..) => a.checked_add(b),
        (Op::Sub, ..) => a.checked_sub(b),
        (Op::Mul, None, Some(times)) => a.checked_mul(times),
        (Op::Mul, Some(times), None) => b.checked_mul(times),
        (Op::Div, _, _) if b == 0 => return Err(FaultKind::ByZero(sum()).into()),
        (Op::Div, None, Some(parts)) => rounded_down(a, parts),
        (Op::Eq, ..) => return Ok((a == b).into()),
        (Op::Ne, ..) => return Ok((a != b).into()),
        _ => {
            let result = ordered(op, a.cmp(&b));
            return result
                .ok_or_else(|| FaultKind::Operator(op.sign(), vec![left.kind(), right.kind()]).into());
        }
    };
    length.map(Value::of_length).ok_or_else(large)
}

/// A number divided by one that is not 0, rounded down; `None` when that is too large.
fn rounded_down(a: i64, parts: i64) -> Option<i64> {
    let (whole, rest) = (a.checked_div(parts)?, a.checked_rem(parts)?);
    let below = rest != 0 && (rest < 0) != (parts < 0);
    Some(whole - i64::from(below))
}

/// Returns the result of a sign before a number or a length.
///
/// # Errors
///
/// It works on nothing else, or the result is no number.
pub fn signed(sign: &'static str, value: Value) -> Result<Value, FaultKind> {
    let known = value.is(Kind::Int) || value.is(Kind::Length);
    if known && sign == "+" {
        return Ok(value);
    }
    let less = match (value.as_int(), value.as_length()) {
        _ if !known => return Err(FaultKind::Operator(sign, vec![value.kind()])),
        (Some(number), _) => number.checked_neg().map(Value::from),
        (None, length) => length.and_then(i64::checked_neg).map(Value::of_length),
    };
    less.ok_or_else(|| FaultKind::TooLarge(format!("{sign}{}", value.written())))
}

/// A number shifted left by so many bits, right by those below 0.
fn shifted(a: i64, by: i64) -> i64 {
    match by {
        64.. => 0,
        0.. => a << by,
        -63.. => a >> -by,
        _ => {
            if a < 0 {
                -1
            } else {
                0
            }
        }
    }
}
