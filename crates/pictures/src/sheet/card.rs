//! A unit or a unit type in a few lines.

use super::{Card, Sheet};
use crate::kernel::ids::{Thing, TypeId, UnitId};
use crate::kernel::rules::{Rules, SlotKind};
use crate::kernel::world::World;
use crate::told::Spelling;

/// Where a unit is, and its slots.
pub fn of_unit(rules: &Rules, world: &World, unit: UnitId) -> Vec<String> {
    let name = rules.unit_name(world.name(unit));
    let mut lines = vec![format!("{name}: {}", world.lies_told(rules, unit))];
    let slots = rules.slots.unit.iter().enumerate();
    let slots = slots.map(|(index, slot)| {
        let value = world.slot(Thing::Unit(unit), index);
        format!("{} {}", slot.name, slot_text(rules, world, slot.kind, value))
    });
    let slots: Vec<String> = slots.collect();
    if !slots.is_empty() {
        lines.push(slots.join(", "));
    }
    lines
}

/// What units of a type are and can do.
pub fn of_type(sheet: &Sheet, kind: TypeId) -> Vec<String> {
    let card = sheet.cards.get(kind.index());
    card.map_or_else(Vec::new, |card| told(sheet, card))
}

/// A card in lines.
fn told(sheet: &Sheet, card: &Card) -> Vec<String> {
    let common = sheet
        .stats
        .iter()
        .zip(&card.stats)
        .map(|(name, n)| format!("{name} {n}"));
    let own = card.own.iter().map(|(name, n)| format!("{name} {n}"));
    let numbers: Vec<String> = common.chain(own).chain(card.flags.iter().cloned()).collect();
    let mut lines = vec![format!("{} ({}): {}", card.name, card.symbol, card.opening)];
    if !numbers.is_empty() {
        lines.push(numbers.join(", "));
    }
    lines.extend(card.abilities.iter().map(|ability| match ability.name.as_str() {
        "" => ability.text.clone(),
        name => format!("{name}: {}", ability.text),
    }));
    lines
}

/// Slots in tables: a dash where there is nothing.
const SHOWN: Spelling = Spelling {
    nothing: ["-"; 4],
    dice: |dice| match dice.is_empty() {
        true => "-".to_owned(),
        false => dice.to_string(),
    },
    ..Spelling::TOLD
};

/// A slot's value, as tables show it.
pub fn slot_text(rules: &Rules, world: &World, kind: SlotKind, value: i64) -> String {
    world.spelled(rules, kind, value, &SHOWN)
}
