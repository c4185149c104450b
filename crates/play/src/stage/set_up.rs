//! Whether a game may start from a position that a scenario states, and whether the rules let units stand where they do.

use crate::description::lay::LaidUnit;
use crate::description::{Spanned, terrain_of};
use crate::kernel::ids::{PlaceId, PlaceSet, Thing, UnitId, UnitSet};
use crate::kernel::movement;
use crate::kernel::rules::Rules;
use crate::kernel::spot::{Point, Spot};
use crate::kernel::throws;
use crate::kernel::world::World;
use crate::play::Play;
use crate::report::Problem;
use crate::rules::run::view::ValueView;
use crate::rules::runtime::Runtime;
use crate::scenario::file::ScenarioFile;
use crate::scenario::problems::{refused_position, unknown_name};

/// Whether a file lays a position, so that what sets a game up is left out.
pub(super) fn is_laid(rules: &Rules, file: &ScenarioFile, units: &[LaidUnit]) -> bool {
    // On a table top it is the scenario that says what lies there, whoever is deployed.
    file.empty || !units.is_empty() || !file.position.terrain.is_empty() && rules.plane().is_none()
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
    if !ground.is_empty() && file.position.terrain.is_empty() {
        file.position.terrain = terrain_of(rules, &World::new(rules));
    }
    for (place, kind) in ground {
        if rules.board.place(place).is_none() {
            return Err(unknown_name("place", place));
        }
        for (_, places) in &mut file.position.terrain {
            places.retain(|p| p.value != *place);
        }
        let place = Spanned::from(place.clone());
        match file
            .position
            .terrain
            .iter_mut()
            .find(|(name, _)| name.value == *kind)
        {
            Some((_, places)) => places.push(place),
            None => file.position.terrain.push((kind.clone().into(), vec![place])),
        }
    }
    Ok(file)
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
    if file.source.text.is_empty() {
        // What was laid by hand stands in no text.
        return Some(refused_position(why));
    }
    let inner = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let words: Vec<&str> = why.split(|c| !inner(c)).collect();
    let says = |name: &str| words.contains(&name);
    let mut ground: Vec<(&str, &Spanned<String>)> = Vec::new();
    for (kind, places) in &file.position.terrain {
        ground.extend(places.iter().map(|place| (kind.as_str(), place)));
    }
    // A place of a kind that is named says more than the place alone, and what stands later more than
    // what was well before it came.
    let spot = |of_kind: bool| {
        let mut named = ground.iter().rev();
        let found = named.find(|(kind, place)| says(place) && (!of_kind || says(kind)));
        found.map(|(_, place)| place.span.clone())
    };
    let values = file.position.slots.iter().flat_map(|(_, slots)| slots);
    let mut values = values.map(|(_, value)| (value.value.to_string(), value.span.clone()));
    let mut places = file
        .position
        .units
        .iter()
        .flat_map(|(_, lines)| lines)
        .map(|l| &l.place);
    let mut factions = file.position.units.iter().map(|(name, _)| name);
    let span = spot(true)
        .or_else(|| values.find(|(value, _)| says(value)).map(|(_, span)| span))
        .or_else(|| spot(false))
        .or_else(|| places.find(|p| says(p)).map(|p| p.span.clone()))
        .or_else(|| factions.find(|f| says(f)).map(|f| f.span.clone()));
    Some(refused_position(why).at(&file.source, span.unwrap_or(0..0)))
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
            Ok(Some(why)) => match play.on_world(all.clone(), |play| may_not_stand(play, *unit, *spot)) {
                (Ok(None), _) => continue,
                _ => refused(at, why),
            },
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
    may_end(play, unit, place).is_ok_and(|may| may == Some(true))
}

/// Whether the rules let a unit end its movement in a place; `None` if they do not say.
fn may_end(play: &mut Play, unit: UnitId, place: PlaceId) -> Result<Option<bool>, Problem> {
    let here = ValueView::Places(PlaceSet::one(place));
    let values = [("me", ValueView::Unit(unit)), ("here", here)];
    let empty = play
        .runtime
        .evaluate_with("may_end(me, here).is_empty", &values)?;
    Ok(empty.as_bool().map(|empty| !empty))
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
    if may_end(play, unit, place)? != Some(false) {
        return Ok(None);
    }
    let values = [("me", ValueView::Unit(unit)), ("place", ValueView::Place(place))];
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
