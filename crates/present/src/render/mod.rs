//! The board as text: cells with outlines for a terminal and for transcripts.
//!
//! Draws what a world says and nothing else: it knows neither games nor play, asks no hook and
//! prints nothing. A caller who must not see everything hands in the world of a view.
//!
//! | part | |
//! |---|---|
//! | [`ground`] | what of a board is drawn, its terrain, the edges where factions come in |
//! | [`look`] | colours and letters of factions, units as tokens, titles of places |
//! | [`cells`] | the hexagons or squares: measures, outlines, lines of units |
//! | [`table`] | a table top to scale |
//! | [`arena`] | an arena to scale, with dice |
//! | [`dice`] | how dice look from above, for pictures |
//! | [`rows`] | rows of letters, for squares that are too many to be drawn so |
//! | [`transcript`] | boards between the lines of a transcript |
//! | [`legend`] | the legend, and the list that stands for a board that is too wide |

mod cells;
mod dice;
pub mod ground;
mod legend;
mod look;
mod rows;
mod table;
#[cfg(test)]
mod tests;
pub mod transcript;

use crate::event_text::EventSpelling;
use crate::kernel::ground::Region;
use crate::kernel::ids::{FactionId, PlaceId, PlaceSet, Thing, TypeId, UnitId, UnitName, UnitSet};
use crate::kernel::plane::Base;
use crate::kernel::rules::{Rules, Slot, SlotKind};
use crate::kernel::spot::Point;
use crate::kernel::world::World;
use crate::lines::{packed, shown_width};
use cells::CellMetrics;
use look::DrawContext;
use std::sync::Arc;

/// Drawing style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether factions are told apart by colour, with ANSI codes; by letters otherwise.
    pub colour: bool,
    /// Whether cells show their names.
    pub names: bool,
    /// Columns at most; a board that needs more is drawn as a list.
    pub width: usize,
    /// Whether to keep to ASCII; otherwise the slanted edges are `╱` and `╲`, which join without gaps.
    pub ascii: bool,
    /// Whether cells are drawn as low as they can be, two lines each, where the width allows it.
    pub low: bool,
    /// Whether squares are drawn as rows of letters, though there is room for their edges: a line each.
    pub letters: bool,
}

impl Default for Style {
    /// Plain ASCII with names, 80 columns.
    fn default() -> Self {
        Self {
            colour: false,
            names: true,
            width: 80,
            ascii: true,
            low: false,
            letters: false,
        }
    }
}

/// Highlights on a board.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    /// Places that can be reached: their names stand in brackets.
    pub reach: PlaceSet,
    /// Places that can be hit: their names stand between exclamation marks.
    pub threat: PlaceSet,
    /// Units that can be hit: an exclamation mark before their number.
    pub targets: UnitSet,
    /// Units that moved last: an apostrophe before their number.
    pub moved: UnitSet,
    /// Gaps that are drawn, with dots around them, because something can be laid there.
    pub gaps: PlaceSet,
    /// Places that the open question offers: their names stand in brackets.
    pub offered: PlaceSet,
    /// Units that it offers: a question mark before their number.
    pub choices: UnitSet,
    /// Spots of a table top that it proposes: a `+` each.
    pub spots: Vec<Point>,
    /// All the spots that can be reached; for pictures.
    pub regions: Vec<Arc<dyn Region>>,
    /// Units around which the game's ranges are shown; for pictures.
    pub ranges: UnitSet,
    /// Measurement on a table top; for pictures.
    pub measured: Option<MeasuredLength>,
}

/// A length between two things on a table top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasuredLength {
    /// From where: a base, or a spot, which is nothing wide.
    pub one: Base,
    /// To where.
    pub other: Base,
    /// Whether the first looks at the second.
    pub looks: bool,
    /// Text of the measurement.
    pub word: String,
}

/// The board with every unit on it, and a legend below; lines without trailing spaces, no newline
/// at the end. A list of the occupied places when the cells are wider than the style allows.
pub fn board(rules: &Rules, world: &World, style: &Style) -> String {
    marked_board(rules, world, style, &Marks::default())
}

/// The same with something pointed out, and said in the legend.
pub fn marked_board(rules: &Rules, world: &World, style: &Style, marks: &Marks) -> String {
    let (board, legend) = board_and_legend(rules, world, style, marks);
    match legend.is_empty() {
        true => board,
        false => format!("{board}\n\n{legend}"),
    }
}

/// The board and its legend, which is empty where it says nothing.
pub fn board_and_legend(rules: &Rules, world: &World, style: &Style, marks: &Marks) -> (String, String) {
    let mut look = DrawContext::new(rules, world, style);
    look.marks = marks.clone();
    let drawn = look.thrown_dice().or_else(|| look.table());
    let lines = match (CellMetrics::fitting(&look), look.rows()) {
        _ if drawn.is_some() => drawn.unwrap_or_default(),
        (Some(shape), _) => look.cells(&shape),
        (None, Some(mut rows)) => {
            rows.push(String::new());
            rows.extend(look.list(true));
            rows
        }
        (None, None) => look.list(false),
    };
    let has_legend = !rules.board.is_empty() || rules.plane().is_some();
    let legend = has_legend.then(|| look.legend());
    (lines.join("\n"), legend.unwrap_or_default())
}

/// The code that turns a faction's colour on; empty without colour.
pub fn paint(rules: &Rules, style: &Style, faction: FactionId) -> String {
    DrawContext::new(rules, &World::new(rules), style)
        .paint(faction)
        .to_string()
}

/// The units that exist and are not on the board, one line for each faction that has some; `None`
/// when none has.
pub fn reserve(rules: &Rules, world: &World, style: &Style) -> Option<String> {
    let look = DrawContext::new(rules, world, style);
    let waiting = world.alive() - world.on_board();
    let mut lines = Vec::new();
    for faction in rules.all_factions() {
        let units = look.sorted(&waiting & world.owned(faction));
        if units.is_empty() {
            continue;
        }
        let head = format!("{}  reserve", look.padded(faction));
        let full: Vec<String> = match rules.terrains.is_empty() {
            true => units.iter().map(|&u| look.long_name(u)).collect(),
            // Armies that come in from outside wait in numbers.
            false => look.counted(&units),
        };
        let fits = head.len() + full.iter().map(|n| n.len() + 2).sum::<usize>() <= style.width;
        let names = if fits {
            full
        } else {
            units.iter().map(|&u| look.declared_label(u)).collect()
        };
        lines.push(format!(
            "{}  {}",
            look.painted(&head, look.paint(faction)),
            names.join("  ")
        ));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Describes the values of a place's slots in words; leaves out slots that are quiet, not set or at their start.
pub fn place_slots(rules: &Rules, world: &World, place: PlaceId) -> Vec<String> {
    let description = |(index, slot): (usize, &Slot)| {
        let value = world.slot(Thing::Place(place), index);
        if slot.quiet || value == slot.start {
            return None;
        }
        match slot.kind {
            SlotKind::Flag => (value != 0).then(|| slot.name.clone()),
            SlotKind::Number => Some(format!("{} {value}", slot.name)),
            _ => {
                let thing = Thing::Place(place);
                let held = crate::event_text::slot_text(world, rules, thing, index, &EventSpelling::WRITTEN);
                Some(format!("{} {held}", slot.name))
            }
        }
    };
    rules
        .slots
        .place
        .iter()
        .enumerate()
        .filter_map(description)
        .collect()
}

/// One line for each faction in turn order, with its numbers, and one with what the slots of places hold.
pub fn status(rules: &Rules, world: &World, style: &Style) -> String {
    let look = DrawContext::new(rules, world, style);
    let mut lines = Vec::new();
    for nth in 0..rules.factions.len() {
        let faction = world.in_order(nth);
        let mut line = look.padded(faction);
        for (index, slot) in rules.slots.faction.iter().enumerate() {
            let of = Thing::Faction(faction);
            let value = match world.knows_slot(rules, of, index) {
                true => world.slot(of, index).to_string(),
                false => "?".to_owned(),
            };
            if slot.kind == SlotKind::Number && !slot.quiet {
                line.push_str(&format!("  {} {value}", slot.name));
            }
        }
        lines.push(look.painted(line.trim_end(), look.paint(faction)));
    }
    let mut places = Vec::new();
    if !rules.slots.place.is_empty() {
        for place in rules.board.places().iter() {
            let held = place_slots(rules, world, place);
            if !held.is_empty() {
                places.push(format!("{} {}", rules.board.name(place), held.join(", ")));
            }
        }
    }
    if !places.is_empty() {
        lines.push(packed("places", &places, 2, style.width, 2));
    }
    lines.join("\n")
}

/// Two texts next to each other, the right one `gap` columns from the left one's longest line.
/// ANSI codes take no room.
pub fn side_by_side(left: &str, right: &str, gap: usize) -> String {
    let room = left.lines().map(shown_width).max().unwrap_or(0) + gap;
    let (mut lefts, mut rights) = (left.lines(), right.lines());
    let mut lines = Vec::new();
    loop {
        let (left, right) = match (lefts.next(), rights.next()) {
            (None, None) => break,
            (left, right) => (left.unwrap_or_default(), right.unwrap_or_default()),
        };
        if right.is_empty() {
            lines.push(left.to_owned());
        } else {
            let pad = room.saturating_sub(shown_width(left));
            lines.push(format!("{left}{:pad$}{right}", ""));
        }
    }
    lines.join("\n")
}

/// A unit's number where its faction has had others of its type; nothing otherwise.
pub fn number(world: &World, name: UnitName) -> String {
    let same = world
        .owned(name.owner)
        .iter()
        .filter(|&u| world.unit(u).kind == name.kind);
    if name.nth > 1 || same.count() > 1 {
        name.nth.to_string()
    } else {
        String::new()
    }
}

/// Returns the label beside a die: its type's symbol and its number, apart where both are digits.
pub fn die_label(rules: &Rules, world: &World, name: UnitName, ascii: bool) -> String {
    let (symbol, number) = (symbol(rules, name.kind, ascii), number(world, name));
    let apart = symbol.ends_with(|c: char| c.is_ascii_digit()) && !number.is_empty();
    format!("{symbol}{}{number}", if apart { "_" } else { "" })
}

/// A unit type's symbol, or the first letters of its name where that cannot be drawn.
pub fn symbol(rules: &Rules, kind: TypeId, ascii: bool) -> String {
    let declared = rules.types.get(kind.index());
    drawable_symbol(declared.map(|t| (t.symbol.as_str(), t.name.as_str())), ascii)
}

/// A declared symbol, or the first letters of the name where that cannot be drawn.
fn drawable_symbol(declared: Option<(&str, &str)>, ascii: bool) -> String {
    let Some((symbol, name)) = declared else {
        return "?".to_owned();
    };
    let drawable = |c: char| !c.is_control() && (c.is_ascii() || !ascii);
    if !symbol.is_empty() && symbol.chars().all(drawable) {
        return symbol.to_owned();
    }
    let short: String = name.chars().filter(|&c| drawable(c)).take(2).collect();
    if short.is_empty() { "?".to_owned() } else { short }
}

/// A mark that a unit carries because a slot of it is not at its starting value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardMark<'a> {
    /// The sign that stands for the slot.
    pub sign: char,
    /// Meaning of the sign, in words.
    pub words: &'a str,
    /// Value of the slot, where it is a number.
    pub number: Option<i64>,
}

impl BoardMark<'_> {
    /// The sign with its number.
    pub fn text(&self) -> String {
        let number = self.number.map_or_else(String::new, |n| n.to_string());
        format!("{}{number}", self.sign)
    }
}

/// Signs of marks; none of them means something else on a board.
const SIGNS: [char; 9] = ['~', '%', '&', '$', '@', ';', '"', '=', '_'];

/// The slots of units that are shown as marks, with their signs: what is true or false before numbers. The number that
/// hits take from is shown otherwise.
fn marked_slots(rules: &Rules) -> impl Iterator<Item = (usize, &Slot, char)> {
    let hit = rules.hit_slot();
    let slots = || rules.slots.unit.iter().enumerate();
    let of = move |is_number: bool| {
        let alike =
            slots().filter(move |(_, s)| s.mark.is_some() && (s.kind == SlotKind::Number) == is_number);
        alike.filter(move |(index, _)| hit != Some(*index))
    };
    let signs = SIGNS.into_iter().chain('a'..='z').cycle();
    of(false)
        .chain(of(true))
        .zip(signs)
        .map(|((index, slot), sign)| (index, slot, sign))
}

/// The marks that a unit carries.
pub fn marks_of<'a>(rules: &'a Rules, world: &World, unit: UnitId) -> Vec<BoardMark<'a>> {
    let unit = Thing::Unit(unit);
    let marks = marked_slots(rules).filter_map(|(index, slot, sign)| {
        let value = world.slot(unit, index);
        (value != world.start_of(rules, unit, slot)).then_some(BoardMark {
            sign,
            words: slot.mark.as_deref()?,
            number: (slot.kind == SlotKind::Number).then_some(value),
        })
    });
    marks.collect()
}

/// The marks that units of the board carry: the sign of each, as the legend shows it, and its words.
pub fn marks_there(rules: &Rules, world: &World) -> Vec<(String, String)> {
    let there = world.on_board();
    let is_carried = |(index, slot): (usize, &Slot)| {
        let differs = |unit| world.slot(unit, index) != world.start_of(rules, unit, slot);
        there.iter().any(|unit| differs(Thing::Unit(unit)))
    };
    let marks = marked_slots(rules).filter(|(index, slot, _)| is_carried((*index, slot)));
    let marks = marks.filter_map(|(_, slot, sign)| {
        let number = if slot.kind == SlotKind::Number { "n" } else { "" };
        Some((format!("{sign}{number}"), slot.mark.clone()?))
    });
    marks.collect()
}

/// The slot with the direction that units are shown to face.
pub fn facing_slot(rules: &Rules) -> Option<usize> {
    rules
        .slots
        .unit
        .iter()
        .position(|s| s.kind == SlotKind::Direction || s.arc.is_some())
}

/// Each faction's smallest zone, by index, where that is smaller than another of its zones.
pub fn homes(rules: &Rules) -> Vec<Option<usize>> {
    rules.all_factions().map(|f| smallest_zone(rules, f)).collect()
}

/// Factions by where they belong on the screen, the uppermost first.
pub fn factions_from_top(rules: &Rules) -> Vec<FactionId> {
    screen_order(rules, &homes(rules))
}

fn smallest_zone(rules: &Rules, faction: FactionId) -> Option<usize> {
    let size = |zone: usize| {
        let zone = rules.board.zones.get(zone).filter(|zone| !zone.shared)?;
        let places = zone.places.get(faction.index())?;
        (!places.is_empty()).then_some(places.len())
    };
    let sizes = (0..rules.board.zones.len()).filter_map(|zone| Some((size(zone)?, zone)));
    let (smallest, zone) = sizes.clone().min()?;
    let (largest, _) = sizes.max()?;
    (smallest < largest).then_some(zone)
}

/// Factions by how high their smallest zones lie; the last one on top where they have none.
fn screen_order(rules: &Rules, homes: &[Option<usize>]) -> Vec<FactionId> {
    let height = |faction: FactionId| {
        let zone = rules.board.zones.get(homes.get(faction.index()).copied()??)?;
        let places = zone.places[faction.index()].clone();
        let rows: usize = places.iter().map(|p| rules.board.cell(p).row).sum();
        // In hundredths of a row, so that whole numbers do.
        (rows * 100).checked_div(places.len())
    };
    let mut order: Vec<FactionId> = rules.all_factions().collect();
    order.reverse();
    if order.iter().all(|&f| height(f).is_some()) {
        order.sort_by_key(|&f| std::cmp::Reverse(height(f)));
    }
    order
}
