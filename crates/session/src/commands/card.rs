//! `:card`: what a unit or a unit type is and can do, what is at a place, and what a faction has.

use crate::kernel::ids::{PlaceId, Thing};
use crate::kernel::rules::Rules;
use crate::kernel::world::World;
use crate::problems;
use crate::report::{Problems, hint_for};
use crate::reports::Report;
use crate::session::Session;
use crate::sheet::Sheet;
use crate::sheet::card::{of_faction, of_game, of_terrain, of_type, of_unit, slot_text};
use crate::show::wrapped;

/// `:card UNIT|TYPE|PLACE|FACTION`.
///
/// # Errors
///
/// A name that nothing has that may be seen.
pub fn card(session: &Session, name: &str) -> Result<Report, Problems> {
    let rules = &session.play.ruleset().rules;
    let world = session.world();
    let unit = rules.parse_unit_name(name).and_then(|n| world.find(n));
    let sheet = || Sheet::of(session.play.ruleset(), None);
    let lines = match (unit, rules.unit_type(name), rules.board.place(name)) {
        (Some(unit), ..) => {
            let mut lines = of_unit(rules, &world, unit);
            lines.extend(of_type(&sheet(), world.unit(unit).kind));
            lines
        }
        (_, Some(kind), _) => of_type(&sheet(), kind),
        (.., Some(place)) => of_place(&sheet(), rules, &world, name, place),
        _ if let Some(faction) = rules.faction(name) => {
            let mut lines = of_faction(rules, &world, faction);
            lines.push(match session.plays.agent(name) {
                Some(agent) => format!("{agent} answers for it"),
                None => "whoever sits at the prompt answers for it".to_owned(),
            });
            lines
        }
        _ if let Some(terrain) = rules.terrains.iter().position(|terrain| terrain.name == name) => {
            of_terrain(&sheet().terrains[terrain])
        }
        _ if name == rules.game => match of_game(&sheet()) {
            none if none.is_empty() => {
                vec![format!("{name} has no card text: write `fn card()` in game.rhai")]
            }
            text => text,
        },
        _ => {
            let things = session.things();
            let types = rules.types.iter().map(|t| t.name.as_str());
            let known = things.iter().map(String::as_str).chain(types);
            let unknown = problems::unknown_thing(name);
            return Err(unknown.hint(hint_for(name, known)).into());
        }
    };
    let width = session.face.style.width;
    Ok(Report::lines(lines.iter().map(|line| wrapped(line, width))))
}

fn of_place(sheet: &Sheet, rules: &Rules, world: &World, name: &str, place: PlaceId) -> Vec<String> {
    let mut lines = Vec::new();
    let there: Vec<String> = world.at(place).map(|u| rules.unit_name(world.name(u))).collect();
    let who = if there.is_empty() {
        "nobody".to_owned()
    } else {
        there.join(", ")
    };
    lines.push(format!("{name}: {who}"));
    let slots = rules.slots.place.iter().enumerate();
    let slots = slots.filter_map(|(index, slot)| {
        let thing = Thing::Place(place);
        let changed = world.slot(thing, index) != slot.start;
        changed.then(|| format!("{} {}", slot.name, slot_text(rules, world, thing, index)))
    });
    let slots: Vec<String> = slots.collect();
    if !slots.is_empty() {
        lines.push(slots.join(", "));
    }
    let kinds = world.terrain(place);
    for kind in kinds.filter_map(|kind| sheet.terrains.get(kind.index())) {
        lines.extend(of_terrain(kind));
    }
    lines
}
