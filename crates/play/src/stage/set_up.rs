//! Lays what a scenario says of the table: terrain, units, slots; and says what of it cannot be.

use super::dice;
use crate::kernel::dice::Pool;
use crate::kernel::effect::{self, Effect, off_the_table};
use crate::kernel::ids::{FactionId, MAX_UNITS, PlaceId, PlaceSet, TerrainId, Thing, UnitId, UnitSet};
use crate::kernel::movement;
use crate::kernel::rules::{NOTHING, Rules, Slot, SlotKind};
use crate::kernel::spot::{Point, Spot};
use crate::kernel::throws;
use crate::kernel::world::World;
use crate::play::{Play, names};
use crate::report::{Problem, Source, hint_for};
use crate::rules::run::view::ValueView;
use crate::rules::runtime::Runtime;
use crate::scenario::file::{ScenarioFile, SlotValue, Spanned};
use crate::scenario::outlines;
use crate::scenario::problems::{
    self, refused_position, refused_unit, second_outline, too_many_pieces, too_many_units, unknown_name,
};
use std::ops::Range;
use std::sync::Arc;

/// A unit, where it is laid, and where the file says so.
pub(super) type LaidUnit = (UnitId, Spot, Range<usize>);

/// Whether a file lays a position, so that what sets a game up is left out.
pub(super) fn is_laid(rules: &Rules, file: &ScenarioFile, units: &[LaidUnit]) -> bool {
    // On a table top it is the scenario that says what lies there, whoever is deployed.
    !units.is_empty() || !file.terrain.is_empty() && rules.plane().is_none()
}

/// The terrain that lies on the board, by kind, as scenarios have it.
pub fn lying(rules: &Rules, world: &World) -> Vec<(Spanned<String>, Vec<Spanned<String>>)> {
    let written = |place: PlaceId| {
        let name = rules.board.name(place);
        let piece = world.piece(place).map(|shape| outlines::written(name, shape));
        Spanned::from(piece.unwrap_or_else(|| name.to_owned()))
    };
    let kinds = rules.terrains.iter().enumerate().map(|(index, terrain)| {
        let lies = |place: &PlaceId| world.terrain(*place).contains(TerrainId(index as u8));
        let places: Vec<_> = rules.board.places().iter().filter(lies).map(written).collect();
        (Spanned::from(terrain.name.clone()), places)
    });
    kinds.filter(|(_, places)| !places.is_empty()).collect()
}

/// Lays terrain, units and slots; returns the units on the board and where the file has their places.
pub(super) fn lay_all(
    rules: &Rules,
    world: &mut World,
    file: &ScenarioFile,
    problems: &mut Vec<Problem>,
) -> Vec<LaidUnit> {
    lay_terrain(rules, world, file, problems);
    let units = lay_units(rules, world, file, problems);
    problems.extend(dice::check_throws(rules, file));
    lay_slots(rules, world, file, problems);
    units
}

/// The world that a file lays its position on: with the terrain that the board is drawn with, unless it has some
/// of its own.
pub(super) fn unlaid(rules: &Rules, file: &ScenarioFile) -> World {
    match file.terrain.is_empty() {
        true => World::new(rules),
        false => World::bare(rules),
    }
}

/// The file with these kinds of terrain in these places, in place of what lies there. What the board is drawn with is
/// left out where a file has ground of its own, and so it is written down with it.
///
/// # Errors
///
/// There is no such place.
pub(super) fn on_ground(
    rules: &Rules,
    mut file: ScenarioFile,
    ground: &[(String, String)],
) -> Result<ScenarioFile, Problem> {
    if !ground.is_empty() && file.terrain.is_empty() {
        file.terrain = lying(rules, &World::new(rules));
    }
    for (place, kind) in ground {
        if rules.board.place(place).is_none() {
            return Err(unknown_name("place", place));
        }
        for (_, places) in &mut file.terrain {
            places.retain(|p| p.value != *place);
        }
        let place = Spanned::from(place.clone());
        match file.terrain.iter_mut().find(|(name, _)| name.value == *kind) {
            Some((_, places)) => places.push(place),
            None => file.terrain.push((kind.clone().into(), vec![place])),
        }
    }
    Ok(file)
}

fn lay_terrain(rules: &Rules, world: &mut World, file: &ScenarioFile, problems: &mut Vec<Problem>) {
    for (name, places) in &file.terrain {
        let terrain = match find_terrain(rules, name, &file.source) {
            Ok(terrain) => terrain,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        for place in places {
            if rules.plane().is_some() {
                if let Err(problem) = lay_piece(rules, world, place, terrain) {
                    problems.push(problem.at(&file.source, place.span.clone()));
                }
                continue;
            }
            match rules.board.place(place) {
                Some(place) => world.lay(place, terrain),
                None => problems.push(off_board(rules, place, &file.source)),
            }
        }
    }
}

/// Lays a piece of terrain on the table top: the one of its name, or the first that is not there yet.
pub(super) fn lay_piece(
    rules: &Rules,
    world: &mut World,
    text: &str,
    terrain: TerrainId,
) -> Result<PlaceId, Problem> {
    let (name, shape) = outlines::read(text)?;
    let size = rules.plane().map_or((0, 0), |plane| plane.size);
    if !shape.is_on_table(size) {
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
    if world.piece(place).is_some_and(|known| *known != shape) {
        return Err(second_outline(rules.board.name(place)));
    }
    world.set_piece(place, Some(shape));
    world.lay(place, terrain);
    Ok(place)
}

/// The kind of terrain of that name.
pub(super) fn find_terrain(
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

/// Why the game may not start from what is laid, if its rules say so.
///
/// # Errors
///
/// The rules fail, or say something else.
pub(super) fn may_not_start(runtime: &mut Runtime) -> Result<Option<String>, Problem> {
    const NAME: &str = "may_start";
    match runtime.ask(NAME, Thing::Game).transpose()? {
        None | Some(ValueView::Bool(true)) => Ok(None),
        Some(ValueView::Bool(false)) => Ok(Some("the rules do not let the game start so".to_owned())),
        Some(ValueView::Text(why)) => Ok(Some(why)),
        Some(other) => Err(runtime.wrong_hook_value(NAME, "true, or a text with the reason", &other)),
    }
}

/// Returns the problem that keeps the game from starting from this set-up, at the word that the reason names.
pub(super) fn check_start(play: &mut Play, file: &ScenarioFile) -> Option<Problem> {
    let why = match may_not_start(&mut play.runtime) {
        Ok(why) => why?,
        Err(problem) => return Some(problem),
    };
    let inner = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let words: Vec<&str> = why.split(|c| !inner(c)).collect();
    let says = |name: &str| words.contains(&name);
    let mut ground: Vec<(&str, &Spanned<String>)> = Vec::new();
    for (kind, places) in &file.terrain {
        ground.extend(places.iter().map(|place| (kind.as_str(), place)));
    }
    // A place of a kind that is named says more than the place alone, and what stands later more than
    // what was well before it came.
    let spot = |of_kind: bool| {
        let mut named = ground.iter().rev();
        let found = named.find(|(kind, place)| says(place) && (!of_kind || says(kind)));
        found.map(|(_, place)| place.span.clone())
    };
    let values = file.slots.iter().flat_map(|(_, slots)| slots);
    let mut values = values.map(|(_, value)| (value.value.to_string(), value.span.clone()));
    let mut places = file.units.iter().flat_map(|(_, lines)| lines).map(|l| &l.place);
    let mut factions = file.units.iter().map(|(name, _)| name);
    let span = spot(true)
        .or_else(|| values.find(|(value, _)| says(value)).map(|(_, span)| span))
        .or_else(|| spot(false))
        .or_else(|| places.find(|p| says(p)).map(|p| p.span.clone()))
        .or_else(|| factions.find(|f| says(f)).map(|f| f.span.clone()));
    Some(refused_position(why).at(&file.source, span.unwrap_or(0..0)))
}

fn lay_units(
    rules: &Rules,
    world: &mut World,
    file: &ScenarioFile,
    problems: &mut Vec<Problem>,
) -> Vec<LaidUnit> {
    let mut placed = Vec::new();
    let mut slots = Vec::new();
    // Where terrain could not be read, units may stand on what was meant.
    let mapped = problems.is_empty();
    for (name, lines) in &file.units {
        let Some(faction) = rules.faction(name) else {
            let hint = hint_for(name, rules.factions.iter().map(String::as_str));
            problems.push(
                unknown_name("faction", name)
                    .at(&file.source, name.span.clone())
                    .hint(hint),
            );
            continue;
        };
        for line in lines {
            let Some(kind) = rules.unit_type(&line.kind) else {
                let hint = hint_for(&line.kind, rules.types.iter().map(|t| t.name.as_str()));
                let unknown = unknown_name("unit type", &line.kind).hint(hint);
                problems.push(unknown.at(&file.source, line.kind.span.clone()));
                continue;
            };
            let Some(unit) = world.enlist(rules, faction, kind) else {
                problems.push(too_many_units(MAX_UNITS).at(&file.source, line.span.clone()));
                return placed;
            };
            slots.push((unit, &line.value.slots));
            if line.place.value == "reserve" {
                continue;
            }
            match Spot::read(rules, &line.place) {
                Some(spot) => {
                    if let Some(why) = effect::refusal(rules, world, Effect::Put(unit, spot)) {
                        if mapped {
                            let refused = refused_unit(why, &line.place);
                            problems.push(refused.at(&file.source, line.place.span.clone()));
                        }
                        continue;
                    }
                    let pose = match spot.point() {
                        Some(at) => dice::pose(rules, kind, at, &line.value.slots, &file.source),
                        None => Ok(None),
                    };
                    match pose {
                        Ok(Some(pose)) => world.lay_die(unit, pose),
                        Ok(None) => world.put(unit, spot),
                        Err(problem) => {
                            problems.push(problem);
                            continue;
                        }
                    }
                    placed.push((unit, spot, line.place.span.clone()));
                    let crowded = spot
                        .place()
                        .and_then(|place| over_stack(rules, world, place, faction));
                    problems.extend(crowded.map(|p| p.at(&file.source, line.place.span.clone())));
                }
                None => problems.push(off_board(rules, &line.place, &file.source)),
            }
        }
    }
    for (unit, values) in slots {
        for (slot, value) in values
            .iter()
            .filter(|entry| !dice::is_about_dice(rules, &entry.0))
        {
            let set = set_slot(rules, world, Thing::Unit(unit), slot, value, &file.source);
            problems.extend(set.err());
        }
    }
    placed
}

/// Returns a problem if a place holds too many units of a faction.
pub(super) fn over_stack(
    rules: &Rules,
    world: &World,
    place: PlaceId,
    faction: FactionId,
) -> Option<Problem> {
    let own = world.at(place) & world.owned(faction);
    (own.len() > rules.stack).then(|| {
        let faction = &rules.factions[faction.index()];
        problems::over_stack(rules.board.name(place), own.len(), faction, rules.stack)
    })
}

/// The problem of a place that the board does not have.
pub(super) fn off_board(rules: &Rules, place: &Spanned<String>, source: &Arc<Source>) -> Problem {
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

fn lay_slots(rules: &Rules, world: &mut World, file: &ScenarioFile, problems: &mut Vec<Problem>) {
    for (name, values) in &file.slots {
        let Some(thing) = names::find(rules, name) else {
            let known = rules.factions.iter().map(String::as_str).chain([names::GAME]);
            let hint = hint_for(name, known);
            let unknown = unknown_name("faction or place", name).hint(hint);
            problems.push(unknown.at(&file.source, name.span.clone()));
            continue;
        };
        for (slot, value) in values {
            let set = set_slot(rules, world, thing, slot, value, &file.source);
            problems.extend(set.err());
        }
    }
}

/// Sets a slot as a user wrote it; returns its index in the schema.
///
/// # Errors
///
/// A slot that things of this kind do not have, a value that it cannot hold.
pub(super) fn set_slot(
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

/// Units that stand where the rules would let no unit end its movement.
pub(super) fn check_places(play: &mut Play, file: &ScenarioFile, units: &[LaidUnit]) -> Vec<Problem> {
    let world = play.table().world.clone();
    misplaced(play, world, units, |span, why| {
        refused_position(why).at(&file.source, span.clone())
    })
}

/// Those of some units that the rules would not let stand where they stand in a world. They come one after the other,
/// as in play; who may not come then may still stand there together with all. `refused` says a refusal at what is kept with the unit.
pub(super) fn misplaced<T>(
    play: &mut Play,
    mut world: World,
    units: &[(UnitId, Spot, T)],
    refused: impl Fn(&T, String) -> Problem,
) -> Vec<Problem> {
    let in_place = |spot: &Spot| spot.place().is_some();
    let all = world.clone();
    for (unit, ..) in units.iter().filter(|(_, spot, _)| in_place(spot)) {
        world.reserve(*unit);
    }
    let mut problems = Vec::new();
    for (unit, spot, at) in units {
        let before = world.clone();
        if in_place(spot) {
            world.stand(*unit, *spot, None);
        }
        let (why, _) = play.on_world(world.clone(), |play| may_not_stand(play, *unit, *spot));
        let problem = match why {
            Ok(None) => continue,
            Ok(Some(_)) if play.on_world(before, |play| may_come(play, *unit, *spot)).0 => continue,
            // What it needs may have come after it, and what brought it there may have gone.
            Ok(Some(_))
                if play
                    .on_world(all.clone(), |play| may_not_stand(play, *unit, *spot))
                    .0
                    == Ok(None) =>
            {
                continue;
            }
            Ok(Some(why)) => refused(at, why),
            Err(problem) => problem,
        };
        // What fails for one often fails for others alike.
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    problems
}

/// Whether the rules let a unit that is not on the board come to a place; rules that count who is there already
/// count it with them once it stands there. Rules that need to know where it comes from say nothing here.
fn may_come(play: &mut Play, unit: UnitId, spot: Spot) -> bool {
    let Some(place) = spot.place() else { return false };
    let values = [
        ("me", ValueView::Unit(unit)),
        ("here", ValueView::Places(PlaceSet::one(place))),
    ];
    let empty = play.runtime.evaluate_with("may_end(me, here).is_empty", &values);
    empty.is_ok_and(|value| value.as_bool() == Some(false))
}

/// That the rules would not let a unit end its movement where it stands on the table, if so.
///
/// # Errors
///
/// Rules that fail.
fn may_not_stand(play: &mut Play, unit: UnitId, spot: Spot) -> Result<Option<String>, Problem> {
    let place = match spot {
        Spot::Place(place) => place,
        Spot::Point(point) => return has_no_room(play, unit, point),
    };
    let values = [
        ("me", ValueView::Unit(unit)),
        ("here", ValueView::Places(PlaceSet::one(place))),
        ("place", ValueView::Place(place)),
    ];
    let refused = play
        .runtime
        .evaluate_with("may_end(me, here).is_empty", &values)?;
    if refused.as_bool() != Some(true) {
        return Ok(None);
    }
    let (has_room, shared) = {
        let (table, here) = (play.table(), PlaceSet::one(place));
        let room = movement::with_room(&table.rules, &table.world, unit, &here);
        (!room.is_empty(), table.world.at(place) != UnitSet::one(unit))
    };
    let hooks = &play.ruleset().rules.hooks;
    let mut why = None;
    for (declared, hook) in [
        (hooks.may_enter.is_some(), "may_enter(me, place)"),
        (hooks.may_join.is_some() && shared, "may_join(me, place)"),
    ] {
        if declared && has_room && why.is_none() {
            let answer = play.runtime.evaluate_with(hook, &values)?;
            why = answer.as_text().map(str::to_owned);
        }
    }
    let table = play.table();
    let (name, place) = (table.world.name(unit), table.rules.board.name(place));
    let refused = format!("{} may not stand in {place}", table.rules.unit_name(name));
    Ok(Some(match why {
        Some(why) => format!("{refused}: {why}"),
        None => refused,
    }))
}

/// That there is no room for a unit's base where it stands on the table top, and why, if so.
fn has_no_room(play: &mut Play, unit: UnitId, point: Point) -> Result<Option<String>, Problem> {
    if play.ruleset().rules.ground.dice().is_some() {
        let table = play.table();
        return Ok(throws::may_lie(&table.rules, &table.world, unit).err());
    }
    let (name, size) = {
        let table = play.table();
        let size = table.rules.plane().map_or((0, 0), |plane| plane.size);
        (table.rules.unit_name(table.world.name(unit)), size)
    };
    let [wide, deep] = [size.0, size.1].map(|side| ValueView::Length(side.into()));
    let values = [("me", ValueView::Unit(unit)), ("wide", wide), ("deep", deep)];
    let ValueView::Region(region) = play
        .runtime
        .evaluate_with("room(me, 0, 0, wide, deep)", &values)?
    else {
        return Ok(None);
    };
    let table = play.table();
    let refused = region.refusal(&(&*table.rules, &table.world), point);
    Ok(refused.map(|why| format!("{name} cannot stand at {point}: {why}")))
}
