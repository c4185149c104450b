//! A unit or a unit type in a few lines.

use super::{Sheet, TerrainLine, UnitCard};
use crate::event_text::EventSpelling;
use crate::kernel::ids::{FactionId, Thing, TypeId, UnitId};
use crate::kernel::rules::{Rules, Slot};
use crate::kernel::world::World;

/// Returns the location of a unit, and its slots.
pub fn of_unit(rules: &Rules, world: &World, unit: UnitId) -> Vec<String> {
    let name = rules.unit_name(world.name(unit));
    let mut lines = vec![format!(
        "{name}: {}",
        crate::event_text::lies_told(world, rules, unit)
    )];
    lines.extend(slots_told(rules, world, Thing::Unit(unit), &rules.slots.unit));
    lines
}

/// A faction's units, its slots, and the zones that are its own.
pub fn of_faction(rules: &Rules, world: &World, faction: FactionId) -> Vec<String> {
    let listed = |names: Vec<String>| match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(", "),
    };
    let units = world.owned(faction) & world.alive();
    let units = units.iter().map(|unit| rules.unit_name(world.name(unit)));
    let name = &rules.factions[faction.index()];
    let mut lines = vec![format!("{name}: {}", listed(units.collect()))];
    lines.extend(slots_told(
        rules,
        world,
        Thing::Faction(faction),
        &rules.slots.faction,
    ));
    for zone in &rules.board.zones {
        let own = &zone.places[faction.index()];
        let mut all = zone.places.iter().take(rules.factions.len());
        if all.any(|places| places != own) {
            let places = own.iter().map(|place| rules.board.name(place).to_owned());
            lines.push(format!("{}: {}", zone.name, listed(places.collect())));
        }
    }
    lines
}

/// The slots of a thing with what they hold, in a line; none where it has none.
fn slots_told(rules: &Rules, world: &World, thing: Thing, slots: &[Slot]) -> Option<String> {
    let slots = slots.iter().enumerate();
    let slots = slots.map(|(index, slot)| format!("{} {}", slot.name, held_text(rules, world, thing, index)));
    let slots: Vec<String> = slots.collect();
    (!slots.is_empty()).then(|| slots.join(", "))
}

/// Returns the properties and abilities of units of a type.
pub fn of_type(sheet: &Sheet, kind: TypeId) -> Vec<String> {
    let card = sheet.cards.get(kind.index());
    card.map_or_else(Vec::new, |card| lines(sheet, card))
}

/// The card text of the game, in paragraphs, with its phases.
pub fn of_game(sheet: &Sheet) -> Vec<String> {
    let told = sheet.phases.iter().filter(|phase| !phase.text.is_empty());
    let told = told.map(|phase| format!("{}: {}", super::capital(&phase.name), phase.text));
    sheet.text.iter().cloned().chain(told).collect()
}

/// A kind of terrain in lines.
pub fn of_terrain(terrain: &TerrainLine) -> Vec<String> {
    let own = terrain.own.iter().map(|(name, n)| format!("{name} {n}"));
    let numbers: Vec<String> = own.chain(terrain.flags.iter().cloned()).collect();
    let mut lines = vec![format!("{} ({})", terrain.name, terrain.symbol)];
    lines.extend(Some(numbers.join(", ")).filter(|numbers| !numbers.is_empty()));
    lines.extend(terrain.text.iter().cloned());
    lines
}

/// A unit type in one line: its name, its numbers, the first paragraph of its card text.
pub fn line_of_type(sheet: &Sheet, kind: TypeId) -> String {
    let card = sheet.cards.get(kind.index());
    card.map_or_else(String::new, |card| {
        let text = card
            .text
            .first()
            .map_or_else(String::new, |text| format!(": {text}"));
        match numbers(sheet, card) {
            none if none.is_empty() => head(card) + text.as_str(),
            numbers => format!("{}{text} ({numbers})", head(card)),
        }
    })
}

fn head(card: &UnitCard) -> String {
    format!("{} ({})", card.name, card.symbol)
}

/// The stats and flags of a card.
fn numbers(sheet: &Sheet, card: &UnitCard) -> String {
    let common = sheet
        .stats
        .iter()
        .zip(&card.stats)
        .map(|(name, n)| format!("{name} {n}"));
    let own = card.own.iter().map(|(name, n)| format!("{name} {n}"));
    let numbers: Vec<String> = common.chain(own).chain(card.flags.iter().cloned()).collect();
    numbers.join(", ")
}

/// A card in lines.
fn lines(sheet: &Sheet, card: &UnitCard) -> Vec<String> {
    let mut lines = vec![head(card)];
    lines.extend(Some(numbers(sheet, card)).filter(|numbers| !numbers.is_empty()));
    lines.extend(card.text.iter().cloned());
    lines
}

/// Slots in tables: a dash where there is nothing.
const SHOWN: EventSpelling = EventSpelling {
    nothing: ["-"; 4],
    dice: |dice| match dice.is_empty() {
        true => "-".to_owned(),
        false => dice.to_string(),
    },
    ..EventSpelling::TOLD
};

/// The value of a thing's slot, as tables show it; `?` if it is hidden from whoever sees the world so.
pub fn held_text(rules: &Rules, world: &World, thing: Thing, slot: usize) -> String {
    match world.knows_slot(rules, thing, slot) {
        true => slot_text(rules, world, thing, slot),
        false => "?".to_owned(),
    }
}

/// A slot's value, as tables show it.
pub fn slot_text(rules: &Rules, world: &World, thing: Thing, index: usize) -> String {
    crate::event_text::slot_text(world, rules, thing, index, &SHOWN)
}
