//! Native functions and properties by their numbers: which of a name takes the arguments, slots read and written.

use super::context::{Run, slot_from, slot_value, stat_of, stat_of_place, stat_of_terrain};
use super::fault::{Eval, Fault, FaultKind, NativeResult, rule};
use super::members::Getter;
use super::natives::{NATIVES, Runs};
use super::node::{MAX_ARGS, Overloads};
use super::observe::Observer;
use super::value::{Kind, Value};
use crate::kernel::dice::{MAX_SLOT_DICE, MAX_SLOT_SIDES};
use crate::kernel::effect::Effect;
use crate::kernel::ids::Cause;
use crate::kernel::rules::SlotKind;

impl<'r, O: Observer> Run<'r, O> {
    /// Calls one of the native functions of a name and number of arguments: the first that takes
    /// such arguments.
    #[inline(always)]
    pub fn native(&mut self, choice: &Overloads, args: &[Value]) -> Eval {
        if !self.spend(1) {
            let spent = self.spent();
            return self.said(Err(spent.into()));
        }
        let which = match choice.all[..] {
            [only] => only,
            _ => match fitting(choice, args) {
                Some(which) => which,
                None => return self.mismatched(),
            },
        };
        let result = Runs::<O>::ALL[which as usize](self, args)?;
        if O::ON {
            let name = NATIVES[which as usize].name;
            self.watch(|w, scene| w.native(scene, name, args, result));
        }
        Ok(result)
    }

    /// Returns the failure of a native function that does not take the given arguments.
    #[cold]
    pub fn unfit(&self, choice: &[u16], args: &[Value]) -> FaultKind {
        let name = choice.first().map_or("it", |n| NATIVES[*n as usize].name);
        FaultKind::Unfit(name, args.iter().map(|v| v.kind()).collect())
    }

    /// Reads a property of a value.
    #[inline]
    pub fn get(&mut self, getter: Getter, of: Value) -> Eval {
        if let Getter::Native(index) = getter {
            return Runs::<O>::GETTERS[index as usize](self, of);
        }
        let result = self.declared(getter, of);
        self.said(result)
    }

    /// Reads a property that the game has declared.
    #[inline(always)]
    fn declared(&mut self, getter: Getter, of: Value) -> NativeResult {
        match getter {
            Getter::Slot(index, kind) => {
                let thing = self.thing(of, "a slot")?;
                let table = &*self.table;
                if kind == SlotKind::Dice {
                    let (dice, mark) = table.world.lend(thing, index);
                    return Ok(self.heap.lent(dice, mark));
                }
                if let SlotKind::Items(items) = kind {
                    return self.items_of(thing, index, items);
                }
                let value = table.world.slot(thing, index);
                if kind == SlotKind::Direction {
                    return self.direction_name(usize::try_from(value).ok());
                }
                Ok(slot_value(kind, value))
            }
            Getter::Stat(index) => {
                let table = &*self.table;
                let number = match of.kind() {
                    Kind::Unit => {
                        let kind = table.world.unit(of.as_unit().unwrap_or_default()).kind;
                        stat_of(table, kind, index)
                    }
                    Kind::Type => stat_of(table, of.as_type().unwrap_or_default(), index),
                    Kind::Terrain => stat_of_terrain(table, of.as_terrain().unwrap_or_default(), index),
                    _ => stat_of_place(table, of.as_place().unwrap_or_default(), index),
                }?;
                Ok(match table.rules.flags[index] {
                    true => (number == 1).into(),
                    false => number.into(),
                })
            }
            Getter::Zone(index) => {
                let zone = self
                    .table
                    .rules
                    .board
                    .zone(index, of.as_faction().unwrap_or_default());
                Ok(self.heap.of_places(zone.clone()))
            }
            Getter::Native(_) => Err(Fault::mismatch()),
        }
    }

    /// Writes what a slot comes to when it grows or shrinks, `+=` and `-=`: of those that do so at the same time each
    /// counts, since all read it as it was before.
    pub fn grow(&mut self, of: Value, slot: (usize, SlotKind), from: Value, to: Value) -> NativeResult<()> {
        match (slot.1, from.as_int(), to.as_int()) {
            (SlotKind::Number, Some(from), Some(to)) if self.table.gathers() => {
                let thing = self.thing(of, "a slot")?;
                let by = to.saturating_sub(from);
                self.act(Effect::Add(thing, slot.0 as u8, by), Cause::default())
            }
            _ => self.set(of, slot, to),
        }
    }

    /// Writes a slot.
    pub fn set(&mut self, of: Value, (slot, kind): (usize, SlotKind), value: Value) -> NativeResult<()> {
        let thing = self.thing(of, "a slot")?;
        if let SlotKind::Items(items) = kind {
            return self.set_items(thing, slot, items, value);
        }
        let held = match (kind, value.as_word()) {
            (SlotKind::Direction, Some(name)) => {
                let board = &self.table.rules.board;
                let direction = board.direction_named(self.table.words.text(name));
                direction.map(|d| d as i64)
            }
            (SlotKind::Dice, _) => self.heap.dice(value).and_then(|dice| dice.stored()),
            _ => slot_from(kind, value),
        };
        let Some(value) = held else {
            let name = &self.table.rules.slots.of(thing)[slot].name;
            let description = match (kind, value.as_word()) {
                (SlotKind::Direction, Some(word)) => {
                    let (text, board) = (self.table.words.text(word), &self.table.rules.board);
                    format!(
                        "`{text}`: on {} it can be {}",
                        board.grid.cells(),
                        board.direction_names()
                    )
                }
                (SlotKind::Dice, _) if value.is(Kind::Dice) => {
                    let dice = self.heap.dice(value).unwrap_or_default();
                    format!(
                        "the dice {dice}: in a slot there are at most {MAX_SLOT_DICE}, and they show at most \
                         {MAX_SLOT_SIDES}"
                    )
                }
                _ => value.kind().word().to_owned(),
            };
            return Err(rule(format!("the slot `{name}` cannot hold {description}")));
        };
        self.act(Effect::Set(thing, slot as u8, value), Cause::default())
    }
}

/// The first of the functions that takes such arguments.
#[inline(always)]
fn fitting(choice: &Overloads, args: &[Value]) -> Option<u16> {
    let given = match args {
        [only] => only.kind_byte().into(),
        [first, second] => u64::from(first.kind_byte()) | u64::from(second.kind_byte()) << 8,
        _ => {
            let nth = |(nth, arg): (usize, &Value)| u64::from(arg.kind_byte()) << (8 * nth);
            args.iter().take(MAX_ARGS).enumerate().map(nth).sum()
        }
    };
    // What is called here is mostly called with the same again.
    if let Some(which) = choice.remembered(given) {
        return Some(which);
    }
    let which = first_that_takes(&choice.all, given)?;
    choice.remember(given, which);
    Some(which)
}

fn first_that_takes(choice: &[u16], given: u64) -> Option<u16> {
    let takes = |native: &u16| {
        let (kinds, which) = SHAPES[*native as usize];
        (given ^ kinds) & which == 0
    };
    choice.iter().copied().find(takes)
}

/// Of each native function the kinds of its parameters, a byte each, and which of them it minds: those of `Any` it
/// does not.
static SHAPES: [(u64, u64); NATIVES.len()] = {
    let mut shapes = [(0, 0); NATIVES.len()];
    let mut native = 0;
    while native < NATIVES.len() {
        let params = NATIVES[native].params;
        let mut nth = 0;
        while nth < params.len() {
            let kind = params[nth].1;
            if !matches!(kind, Kind::Any) {
                shapes[native].0 |= (Value::byte_of(kind) as u64) << (8 * nth);
                shapes[native].1 |= 0xff << (8 * nth);
            }
            nth += 1;
        }
        native += 1;
    }
    shapes
};
