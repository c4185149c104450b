//! Lays a description on an empty table, and says what of it cannot be.

use super::{Description, NamedEntries, RESERVE, SlotValue, Slots, Spanned, UnitLine, dice, find};
use crate::kernel::dice::Pool;
use crate::kernel::effect::{self, Effect, off_the_table};
use crate::kernel::ids::{FactionId, MAX_UNITS, PlaceId, TerrainId, Thing, UnitId, UnitName};
use crate::kernel::rules::{NOTHING, Rules, Slot, SlotKind};
use crate::kernel::spot::Spot;
use crate::kernel::world::World;
use crate::report::{Problem, Problems, Source, hint_for};
use crate::scenario::outlines;
use crate::scenario::problems::{
    self, lost_place, lost_type, refused_position, refused_unit, second_outline, too_many_pieces,
    too_many_units, unknown_name,
};
use std::ops::Range;
use std::sync::Arc;

/// A unit, where it is laid, and where that is written.
pub type LaidUnit = (UnitId, Spot, Range<usize>);

/// A description on its way to a table.
struct Layer<'a> {
    rules: &'a Rules,
    source: &'a Arc<Source>,
    /// The rules that the position is from, if it comes from play: slots that the new rules do not have are left out.
    from: Option<&'a Rules>,
    world: World,
    units: Vec<LaidUnit>,
    problems: Vec<Problem>,
}

impl Description {
    /// Lays the position as a scenario writes it, in the text that its places point into. Without terrain of its own it
    /// has that which the board is drawn with. Returns the units on the board, and every problem.
    pub fn lay(&self, rules: &Rules, source: &Arc<Source>) -> (World, Vec<LaidUnit>, Vec<Problem>) {
        let world = match self.terrain.is_empty() {
            true => World::new(rules),
            false => World::bare(rules),
        };
        let layer = Layer::lay(self, rules, source, None, world);
        (layer.world, layer.units, layer.problems)
    }

    /// Lays a position of other rules with the same factions: units keep their ids, slots go by name and kind, new ones
    /// have their starting values.
    ///
    /// # Errors
    ///
    /// What stands or lies there and does not exist under these rules.
    pub fn lay_from(&self, from: &Rules, rules: &Rules) -> Result<World, Problems> {
        let nowhere = Source::new("", "");
        let layer = Layer::lay(self, rules, &nowhere, Some(from), World::bare(rules));
        Problems::check(layer.problems)?;
        let mut world = layer.world;
        if let Some(in_play) = &self.in_play {
            for (name, unit) in &in_play.former {
                if let Some(name) = rules.parse_unit_name(name) {
                    world.remember(name, *unit);
                }
            }
            let first = rules.faction(&in_play.first).unwrap_or_default();
            world.set_first(first, rules.factions.len());
        }
        Ok(world)
    }
}

impl<'a> Layer<'a> {
    fn lay(
        described: &Description,
        rules: &'a Rules,
        source: &'a Arc<Source>,
        from: Option<&'a Rules>,
        world: World,
    ) -> Self {
        let mut layer = Self {
            rules,
            source,
            from,
            world,
            units: Vec::new(),
            problems: Vec::new(),
        };
        layer.terrain(&described.terrain);
        layer.all_units(&described.units);
        for (name, values) in &described.slots {
            match find(rules, name) {
                Some(thing) => layer.slots(thing, values),
                None if from.is_some() => {}
                None => {
                    let known = rules.factions.iter().map(String::as_str).chain([super::GAME]);
                    let unknown = unknown_name("faction or place", name).hint(hint_for(name, known));
                    layer.problems.push(unknown.at(source, name.span.clone()));
                }
            }
        }
        layer
    }

    fn terrain(&mut self, terrain: &NamedEntries<Vec<Spanned<String>>>) {
        for (name, places) in terrain {
            let terrain = match find_terrain(self.rules, name, self.source) {
                Ok(terrain) => terrain,
                Err(problem) => {
                    self.problems.push(problem);
                    continue;
                }
            };
            for place in places {
                let laid = match self.rules.board.place(place) {
                    Some(place) if self.rules.plane().is_none() => {
                        self.world.lay(place, terrain);
                        Ok(())
                    }
                    None if self.rules.plane().is_none() => Err(off_board(self.rules, place, self.source)),
                    _ => {
                        let laid =
                            lay_piece(self.rules, &mut self.world, place, terrain, self.from.is_some());
                        laid.map(|_| ())
                            .map_err(|problem| problem.at(self.source, place.span.clone()))
                    }
                };
                self.problems.extend(laid.err());
            }
        }
    }

    fn all_units(&mut self, units: &NamedEntries<Vec<Spanned<UnitLine>>>) {
        // Where terrain could not be read, units may stand on what was meant.
        let mapped = self.problems.is_empty();
        let mut lines: Vec<(FactionId, &Spanned<UnitLine>)> = Vec::new();
        for (name, own) in units {
            match self.rules.faction(name) {
                Some(faction) => lines.extend(own.iter().map(|line| (faction, line))),
                None => {
                    let hint = hint_for(name, self.rules.factions.iter().map(String::as_str));
                    let unknown = unknown_name("faction", name).hint(hint);
                    self.problems.push(unknown.at(self.source, name.span.clone()));
                }
            }
        }
        // In play they are numbered as they came, whosever they are.
        lines.sort_by_key(|(_, line)| line.known.map(|known| known.id));
        let mut enlisted = Vec::new();
        for (faction, line) in lines {
            let unit = match self.enlist(faction, line) {
                Ok(Some(unit)) => unit,
                Ok(None) => {
                    let full = too_many_units(MAX_UNITS).at(self.source, line.span.clone());
                    return self.problems.push(full);
                }
                Err(problem) => {
                    self.problems.push(problem);
                    if line.known.is_some() {
                        // Others cannot keep their ids without it.
                        return;
                    }
                    continue;
                }
            };
            enlisted.push((unit, &line.slots));
            if let Err(problem) = self.stand(unit, line, mapped) {
                self.problems.push(problem);
            }
        }
        // Slots may name units that come later.
        for (unit, slots) in enlisted {
            self.slots(Thing::Unit(unit), slots);
        }
    }

    /// Makes the unit of a line; `None` when there are too many.
    fn enlist(&mut self, owner: FactionId, line: &UnitLine) -> Result<Option<UnitId>, Problem> {
        let kind = self.rules.unit_type(&line.kind);
        let Some(known) = line.known else {
            let kind = kind.ok_or_else(|| {
                let hint = hint_for(&line.kind, self.rules.types.iter().map(|t| t.name.as_str()));
                let unknown = unknown_name("unit type", &line.kind).hint(hint);
                unknown.at(self.source, line.kind.span.clone())
            })?;
            return Ok(self.world.enlist(self.rules, owner, kind));
        };
        let name = UnitName {
            owner,
            kind: kind.unwrap_or_default(),
            nth: known.nth,
        };
        if kind.is_none() && line.exists() {
            return Err(lost_type(&line.name(&self.rules.factions[owner.index()])));
        }
        self.world.admit(self.rules, known.id, name);
        if known.forgotten || kind.is_none() {
            self.world.forget(known.id);
        }
        Ok(Some(known.id))
    }

    fn stand(&mut self, unit: UnitId, line: &UnitLine, mapped: bool) -> Result<(), Problem> {
        let (rules, place) = (self.rules, &line.place);
        if place.value == RESERVE {
            return Ok(());
        }
        if line.known.is_some() && !line.exists() {
            self.world.remove(unit);
            return Ok(());
        }
        let name = rules.unit_name(self.world.name(unit));
        let spot = Spot::read(rules, place).ok_or_else(|| match self.from {
            Some(_) => lost_place(&name, place),
            None => off_board(rules, place, self.source),
        })?;
        if let Some(why) = effect::refusal(rules, &self.world, Effect::Put(unit, spot)) {
            let refused = refused_unit(why, place).at(self.source, place.span.clone());
            return if mapped { Err(refused) } else { Ok(()) };
        }
        let kind = self.world.unit(unit).kind;
        let pose = match spot.point() {
            Some(at) => dice::pose(rules, kind, at, &line.slots, self.source),
            None => Ok(None),
        };
        match pose {
            Ok(Some(pose)) => self.world.lay_die(unit, pose),
            Ok(None) => self.world.put(unit, spot),
            // A die that is made otherwise now.
            Err(_) if self.from.is_some() => self.world.put(unit, spot),
            Err(problem) => return Err(problem),
        }
        if line.known.is_some_and(|known| known.moved) {
            self.world.mark_moved(unit);
        }
        self.units.push((unit, spot, place.span.clone()));
        let owner = self.world.unit(unit).owner;
        let place_id = spot.place().filter(|_| self.from.is_none());
        let crowded = place_id.and_then(|place| over_stack(rules, &self.world, place, owner));
        crowded.map_or(Ok(()), |problem| Err(problem.at(self.source, place.span.clone())))
    }

    fn slots(&mut self, thing: Thing, values: &Slots) {
        let rules = self.rules;
        for (name, value) in values
            .iter()
            .filter(|(name, _)| !dice::is_about_dice(rules, name))
        {
            let set = match self.from {
                None => set_slot(rules, &mut self.world, thing, name, value, self.source).map(|_| ()),
                Some(from) => {
                    self.carry_slot(from, thing, name, value);
                    Ok(())
                }
            };
            self.problems.extend(set.err());
        }
    }

    /// Sets a slot that has the same name and kind under other rules; what it names and is gone is nothing.
    fn carry_slot(&mut self, from: &Rules, thing: Thing, name: &str, value: &SlotValue) {
        let was = from.slots.of(thing).iter().find(|slot| slot.name == name);
        let slots = self.rules.slots.of(thing).iter();
        let mut same = slots.zip(0..).filter(|(slot, _)| slot.name == name);
        if let Some((slot, index)) = same.find(|(slot, _)| was.is_some_and(|was| was.kind == slot.kind)) {
            let value = slot_value(self.rules, &self.world, slot, value).unwrap_or(NOTHING);
            self.world.set_slot(thing, index, value);
        }
    }
}

/// Lays a piece of terrain on the table top: the one of its name, or the first that is not there yet. One that
/// `replaces` lies as it says, whatever the rules have in its place.
pub fn lay_piece(
    rules: &Rules,
    world: &mut World,
    text: &str,
    terrain: TerrainId,
    replaces: bool,
) -> Result<PlaceId, Problem> {
    let (name, shape) = outlines::read(text)?;
    let size = rules.plane().map_or((0, 0), |plane| plane.size);
    if !replaces && !shape.is_on_table(size) {
        return Err(refused_position(off_the_table(size)));
    }
    let there = world.ground().clone();
    let place = match name {
        Some(name) => {
            let place = rules.board.place(name);
            place.ok_or_else(|| unknown_name("piece", name).hint(extent(rules)))?
        }
        None => {
            let free = (rules.board.places() - &there).first();
            free.ok_or_else(|| too_many_pieces(rules.board.len()))?
        }
    };
    if !replaces && world.piece(place).is_some_and(|known| *known != shape) {
        return Err(second_outline(rules.board.name(place)));
    }
    world.set_piece(place, Some(shape));
    world.lay(place, terrain);
    Ok(place)
}

/// The kind of terrain of that name.
pub fn find_terrain(
    rules: &Rules,
    name: &Spanned<String>,
    source: &Arc<Source>,
) -> Result<TerrainId, Problem> {
    rules.terrain(name).ok_or_else(|| {
        let hint = match rules.terrains.as_slice() {
            [] => format!("{} has no terrain", rules.game),
            known => hint_for(name, known.iter().map(|t| t.name.as_str())),
        };
        unknown_name("terrain", name)
            .at(source, name.span.clone())
            .hint(hint)
    })
}

/// Returns a problem if a place holds too many units of a faction.
pub fn over_stack(rules: &Rules, world: &World, place: PlaceId, faction: FactionId) -> Option<Problem> {
    let own = world.at(place) & world.owned(faction);
    (own.len() > rules.stack).then(|| {
        let faction = &rules.factions[faction.index()];
        problems::over_stack(rules.board.name(place), own.len(), faction, rules.stack)
    })
}

/// The problem of a place that the board does not have.
pub fn off_board(rules: &Rules, place: &Spanned<String>, source: &Arc<Source>) -> Problem {
    if rules.plane().is_some() {
        return problems::not_a_point(place).at(source, place.span.clone());
    }
    problems::off_board(place)
        .at(source, place.span.clone())
        .hint(extent(rules))
}

/// Describes the places of the board, in one sentence.
pub fn extent(rules: &Rules) -> String {
    let board = &rules.board;
    let last = rules
        .board
        .places()
        .iter()
        .last()
        .map_or("", |p| rules.board.name(p));
    if board.has_course() || board.len() == board.columns() * board.rows() {
        format!("places are {} to {last}", board.name(PlaceId(0)))
    } else {
        let column = |index: usize| board.column(index).first().map_or("", |p| board.name(p));
        let letter = |index| column(index).trim_end_matches(|c: char| c.is_ascii_digit());
        format!(
            "the board has places in the columns {} to {} and the rows 1 to {}, but not in all of their cells",
            letter(0),
            letter(board.columns() - 1),
            board.rows()
        )
    }
}

/// Sets a slot as a user wrote it; returns its index in the schema.
///
/// # Errors
///
/// A slot that things of this kind do not have, a value that it cannot hold.
pub fn set_slot(
    rules: &Rules,
    world: &mut World,
    thing: Thing,
    name: &Spanned<String>,
    value: &Spanned<SlotValue>,
    source: &Arc<Source>,
) -> Result<usize, Problem> {
    let slots = rules.slots.of(thing);
    let Some(index) = slots.iter().position(|s| s.name == name.value) else {
        let hint = hint_for(name, slots.iter().map(|s| s.name.as_str()));
        return Err(unknown_name("slot", name)
            .at(source, name.span.clone())
            .hint(hint));
    };
    match slot_value(rules, world, &slots[index], value) {
        Ok(stored) => world.set_slot(thing, index, stored),
        Err(expected) => {
            return Err(problems::wrong_slot_value(name, &value.value)
                .at(source, value.span.clone())
                .expected(expected));
        }
    }
    Ok(index)
}

/// Format of a value for a slot of dice.
const DICE: &str =
    "the numbers of at most 12 dice, each up to 31, such as \"2 3 6\" (`2,3,6` in one word), or none";

/// A value that a user wrote as the slot stores it, or what would fit.
pub fn slot_value(rules: &Rules, world: &World, slot: &Slot, value: &SlotValue) -> Result<i64, String> {
    let read = match (slot.kind, value) {
        (SlotKind::Number, SlotValue::Number(n)) => Ok(*n),
        (SlotKind::Flag, SlotValue::Flag(flag)) => Ok(i64::from(*flag)),
        (SlotKind::Unit | SlotKind::Place | SlotKind::Faction | SlotKind::Direction, SlotValue::Word(w))
            if w == "none" =>
        {
            Ok(NOTHING)
        }
        (SlotKind::Direction, value) => match value {
            SlotValue::Word(w) => rules.board.direction_named(w).map(|d| d as i64),
            _ => None,
        }
        .ok_or("the name of a direction"),
        (SlotKind::Unit, SlotValue::Word(w)) => rules
            .parse_unit_name(w)
            .and_then(|name| world.find(name))
            .map(|u| i64::from(u.0))
            .ok_or("a unit's name, such as those in `units`, or none"),
        (SlotKind::Place, SlotValue::Word(w)) => rules
            .board
            .place(w)
            .map(|p| i64::from(p.0))
            .ok_or("a place on the board, or none"),
        (SlotKind::Faction, SlotValue::Word(w)) => rules
            .faction(w)
            .map(|f| i64::from(f.0))
            .ok_or("a faction, or none"),
        (SlotKind::Dice, SlotValue::Number(n)) => Pool::new(&[*n]).and_then(|dice| dice.stored()).ok_or(DICE),
        (SlotKind::Dice, SlotValue::Word(w)) => Pool::parse(w).and_then(|dice| dice.stored()).ok_or(DICE),
        (SlotKind::Dice, _) => Err(DICE),
        (SlotKind::Number, _) => Err("a whole number"),
        (SlotKind::Flag, _) => Err("true or false"),
        (SlotKind::Unit, _) => Err("a unit's name, or none"),
        (SlotKind::Place, _) => Err("a place on the board, or none"),
        (SlotKind::Faction, _) => Err("a faction, or none"),
    };
    read.map_err(|wanted| match slot.kind {
        SlotKind::Direction => rules.board.direction_names(),
        _ => wanted.to_owned(),
    })
}
