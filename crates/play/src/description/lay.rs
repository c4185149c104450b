//! Lays a description on an empty table, and says what of it cannot be.

use super::{
    Description, KnownUnit, NONE, NamedEntries, RESERVE, SlotValue, Slots, Spanned, UnitLine, dice, find,
};
use crate::kernel::dice::Pool;
use crate::kernel::effect::{self, Effect, off_the_table};
use crate::kernel::ids::{FactionId, MAX_UNITS, PlaceId, TerrainId, Thing, TypeId, UnitId, UnitName};
use crate::kernel::rules::{Item, ItemKind, Items, NOTHING, Rules, Slot, SlotKind};
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
                    layer.note::<()>(name, Err(unknown));
                }
            }
        }
        layer
    }

    /// Keeps the problem of a word.
    fn note<T>(&mut self, word: &Spanned<impl Sized>, result: Result<T, Problem>) -> Option<T> {
        let result = result.map_err(|problem| match problem.place {
            None => problem.at(self.source, word.span.clone()),
            Some(_) => problem,
        });
        result.map_err(|problem| self.problems.push(problem)).ok()
    }

    fn terrain(&mut self, terrain: &NamedEntries<Vec<Spanned<String>>>) {
        let rules = self.rules;
        for (name, places) in terrain {
            let Some(kind) = self.note(name, find_terrain(rules, name)) else {
                continue;
            };
            for place in places {
                let laid = match rules.plane() {
                    Some(_) => lay_piece(rules, &mut self.world, place, kind, self.from.is_some()).map(drop),
                    None => {
                        let at = find_ground(rules, place, kind, self.source);
                        at.map(|at| self.world.lay(rules, at, kind))
                    }
                };
                self.note(place, laid);
            }
        }
    }

    fn all_units(&mut self, units: &NamedEntries<Vec<Spanned<UnitLine>>>) {
        // Where terrain could not be read, units may stand on what was meant.
        let mapped = self.problems.is_empty();
        let mut lines: Vec<(FactionId, &Spanned<UnitLine>)> = Vec::new();
        for (name, own) in units {
            let faction = self.note(name, find_faction(self.rules, name));
            lines.extend(
                faction
                    .iter()
                    .flat_map(|faction| own.iter().map(|line| (*faction, line))),
            );
        }
        // In play they are numbered as they came, whosever they are.
        lines.sort_by_key(|(_, line)| line.known.map(|known| known.id));
        let mut enlisted = Vec::new();
        for (faction, line) in lines {
            match self.enlist(faction, line) {
                Ok(Some(unit)) => {
                    enlisted.push((unit, &line.slots));
                    let stands = self.stand(unit, line, mapped);
                    self.note(&line.place, stands);
                }
                Ok(None) => {
                    self.note::<()>(line, Err(too_many_units(MAX_UNITS)));
                    return;
                }
                Err(problem) => {
                    self.note::<()>(&line.kind, Err(problem));
                    if line.known.is_some() {
                        // Others cannot keep their ids without it.
                        return;
                    }
                }
            }
        }
        // Slots may name units that come later.
        for (unit, slots) in enlisted {
            self.slots(Thing::Unit(unit), slots);
        }
    }

    /// Makes the unit of a line; `None` when there are too many.
    fn enlist(&mut self, owner: FactionId, line: &UnitLine) -> Result<Option<UnitId>, Problem> {
        let kind = find_type(self.rules, &line.kind);
        let Some(KnownUnit {
            id, nth, forgotten, ..
        }) = line.known
        else {
            return Ok(self.world.enlist(self.rules, owner, kind?));
        };
        if kind.is_err() && line.exists() {
            let faction = &self.rules.factions[owner.index()];
            return Err(lost_type(&format!("{faction}.{}{nth}", line.kind)));
        }
        let forgotten = forgotten || kind.is_err();
        let kind = kind.unwrap_or_default();
        self.world.admit(self.rules, id, UnitName { owner, kind, nth });
        if forgotten {
            self.world.forget(id);
        }
        Ok(Some(id))
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
        let name = self.world.name(unit);
        let spot = Spot::read(rules, place).ok_or_else(|| match self.from {
            Some(_) => lost_place(&rules.unit_name(name), place),
            None => off_board(rules, place, self.source),
        })?;
        if let Some(why) = effect::refusal(rules, &self.world, Effect::Put(unit, spot)) {
            return if mapped {
                Err(refused_unit(why, place))
            } else {
                Ok(())
            };
        }
        let pose = match spot.point() {
            Some(at) => dice::pose(rules, name.kind, at, &line.slots, self.source),
            None => Ok(None),
        };
        match pose {
            Ok(Some(pose)) => self.world.lay_die(unit, pose),
            // A die may be made otherwise under other rules.
            Err(problem) if self.from.is_none() => return Err(problem),
            _ => self.world.put(unit, spot),
        }
        if line.known.is_some_and(|known| known.moved) {
            self.world.mark_moved(unit);
        }
        self.units.push((unit, spot, place.span.clone()));
        let place = spot.place().filter(|_| self.from.is_none());
        let over = place.and_then(|place| over_stack(rules, &self.world, place, name.owner));
        over.map_or(Ok(()), Err)
    }

    fn slots(&mut self, thing: Thing, values: &Slots) {
        let rules = self.rules;
        for (name, value) in values {
            match self.from {
                _ if matches!(thing, Thing::Unit(_)) && dice::is_about_dice(rules, name) => {}
                Some(from) => self.carry_slot(from, thing, name, value),
                None => {
                    let set = set_slot(rules, &mut self.world, thing, name, value, self.source);
                    self.note(name, set);
                }
            }
        }
    }

    /// Sets a slot that has the same name and kind under other rules; what it names and is gone is nothing.
    fn carry_slot(&mut self, from: &Rules, thing: Thing, name: &str, value: &SlotValue) {
        let was = from.slots.of(thing).iter().find(|slot| slot.name == name);
        let slots = self.rules.slots.of(thing).iter();
        let mut same = slots.zip(0..).filter(|(slot, _)| slot.name == name);
        if let Some((slot, index)) = same.find(|(slot, _)| was.is_some_and(|was| was.kind.is_like(slot.kind)))
        {
            if let SlotKind::Items(items) = slot.kind {
                // What names something that is gone is left out, and what is beyond a smaller limit.
                let read = read_items(self.rules, &self.world, slot, items, value);
                let all: Vec<Item> = read.into_iter().flatten().collect();
                self.world.set_items(self.rules, thing, index, items, &all);
                return;
            }
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
    world.lay(rules, place, terrain);
    Ok(place)
}

/// The place or the edge of that name, on which a kind of terrain can lie.
///
/// # Errors
///
/// There is none, or the terrain lies elsewhere.
pub fn find_ground(
    rules: &Rules,
    name: &Spanned<String>,
    terrain: TerrainId,
    source: &Arc<Source>,
) -> Result<PlaceId, Problem> {
    let (board, kind) = (&rules.board, &rules.terrains[terrain.index()]);
    let on_edge = name.contains('|');
    let problem = match (kind.on_edges.is_some(), on_edge) {
        (true, false) => problems::terrain_on_edges(&kind.name),
        (false, true) => problems::terrain_in_places(&kind.name),
        _ => {
            return board.place_or_edge(name).ok_or_else(|| {
                let ends = name.split_once('|').map(|(a, b)| (a.trim(), b.trim()));
                match ends.filter(|(a, b)| board.place(a).is_some() && board.place(b).is_some()) {
                    Some((a, b)) => problems::no_edge(a, b).at(source, name.span.clone()),
                    None => off_board(rules, name, source),
                }
            });
        }
    };
    Err(problem.at(source, name.span.clone()))
}

/// The kind of terrain of that name.
///
/// # Errors
///
/// There is none.
pub fn find_terrain(rules: &Rules, name: &str) -> Result<TerrainId, Problem> {
    rules.terrain(name).ok_or_else(|| {
        let hint = match rules.terrains.as_slice() {
            [] => format!("{} has no terrain", rules.game),
            known => hint_for(name, known.iter().map(|t| t.name.as_str())),
        };
        unknown_name("terrain", name).hint(hint)
    })
}

/// The faction of that name.
///
/// # Errors
///
/// There is none.
pub fn find_faction(rules: &Rules, name: &str) -> Result<FactionId, Problem> {
    let hint = || hint_for(name, rules.factions.iter().map(String::as_str));
    rules
        .faction(name)
        .ok_or_else(|| unknown_name("faction", name).hint(hint()))
}

/// The unit type of that name.
///
/// # Errors
///
/// There is none.
pub fn find_type(rules: &Rules, name: &str) -> Result<TypeId, Problem> {
    let hint = || hint_for(name, rules.types.iter().map(|t| t.name.as_str()));
    rules
        .unit_type(name)
        .ok_or_else(|| unknown_name("unit type", name).hint(hint()))
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
    if let SlotKind::Items(items) = slots[index].kind {
        let read: Result<Vec<Item>, String> = read_items(rules, world, &slots[index], items, value)
            .into_iter()
            .collect();
        let all = read.and_then(|all| {
            let most = items.at_most;
            match all.len() <= most.into() {
                true => Ok(all),
                false => Err(format!("at most {most} items, as `at_most` of the slot says")),
            }
        });
        return match all {
            Ok(all) => {
                world.set_items(rules, thing, index, items, &all);
                Ok(index)
            }
            Err(expected) => Err(problems::wrong_slot_value(name, &value.value)
                .at(source, value.span.clone())
                .expected(expected)),
        };
    }
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

/// The items of a set or list that a user wrote, each as the slot stores it, or what would fit.
fn read_items(
    rules: &Rules,
    world: &World,
    slot: &Slot,
    items: Items,
    value: &SlotValue,
) -> Vec<Result<Item, String>> {
    let text = value.to_string();
    if text == NONE {
        return Vec::new();
    }
    let expected = |kind: ItemKind| match kind {
        ItemKind::Number => "whole numbers".to_owned(),
        ItemKind::Text => {
            let all = slot
                .texts
                .iter()
                .map(|text| rules.slots.texts[usize::from(*text)].as_str());
            format!("texts ({})", all.collect::<Vec<_>>().join(" or "))
        }
        ItemKind::Unit => "names of units".to_owned(),
        ItemKind::Place => "places on the board".to_owned(),
        ItemKind::Faction => "factions".to_owned(),
    };
    let wanted = || {
        let pairs = if items.second.is_some() {
            "pairs such as `a:b` of "
        } else {
            ""
        };
        let kinds: Vec<String> = items.parts().map(expected).collect();
        format!("{pairs}{}, separated by `,`, or none", kinds.join(" and "))
    };
    let read = |text: &str| {
        let parts: Vec<&str> = match items.second {
            None => vec![text],
            Some(_) => text.splitn(2, ':').collect(),
        };
        let mut item = Item::default();
        for ((nth, kind), cell) in items.parts().enumerate().zip(&mut item) {
            let part = parts.get(nth)?.trim();
            *cell = match kind {
                ItemKind::Number => part.parse().ok()?,
                ItemKind::Text => {
                    let index = rules.slots.texts.iter().position(|text| text == part)?;
                    let index = slot.texts.iter().find(|text| usize::from(**text) == index)?;
                    (*index).into()
                }
                ItemKind::Unit => world.find(rules.parse_unit_name(part)?)?.0.into(),
                ItemKind::Place => rules.board.place(part)?.0.into(),
                ItemKind::Faction => rules.faction(part)?.0.into(),
            };
        }
        Some(item)
    };
    let all = text.split(',').map(str::trim);
    all.map(|text| read(text).ok_or_else(wanted)).collect()
}

/// A value that a user wrote as the slot stores it, or what would fit.
pub fn slot_value(rules: &Rules, world: &World, slot: &Slot, value: &SlotValue) -> Result<i64, String> {
    let (number, word) = match value {
        SlotValue::Number(number) => (Some(*number), None),
        SlotValue::Word(word) => (None, Some(word.as_str())),
        SlotValue::Flag(_) => (None, None),
    };
    let (read, expected) = match slot.kind {
        SlotKind::Number => (number, "a whole number"),
        SlotKind::Flag => match value {
            SlotValue::Flag(flag) => (Some(i64::from(*flag)), ""),
            _ => (None, "true or false"),
        },
        SlotKind::Dice => {
            let one = number.and_then(|number| Pool::new(&[number]));
            let dice = one.or_else(|| Pool::parse(word?));
            (dice.and_then(|dice| dice.stored()), DICE)
        }
        _ if word == Some(NONE) => (Some(NOTHING), ""),
        SlotKind::Unit => {
            let unit = word.and_then(|word| world.find(rules.parse_unit_name(word)?));
            let expected = "a unit's name, such as those in `units`, or none";
            (unit.map(|unit| unit.0.into()), expected)
        }
        SlotKind::Place => {
            let place = word.and_then(|word| rules.board.place(word));
            (place.map(|place| place.0.into()), "a place on the board, or none")
        }
        SlotKind::Faction => {
            let faction = word.and_then(|word| rules.faction(word));
            (faction.map(|faction| faction.0.into()), "a faction, or none")
        }
        SlotKind::Direction => {
            let direction = word.and_then(|word| rules.board.direction_named(word));
            let direction = direction.map(|direction| direction as i64);
            return direction.ok_or_else(|| rules.board.direction_names());
        }
        // They are read by items.
        SlotKind::Items(_) => (None, "a list"),
    };
    read.ok_or_else(|| expected.to_owned())
}
