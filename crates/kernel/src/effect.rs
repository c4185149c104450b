//! Effects: the only ways in which rules change the world.
//!
//! Outside simultaneous phases an effect happens at once; inside one it is gathered, and all
//! are applied together at the end of the phase.

use super::event::{Event, SlotItem};
use super::ids::{
    Cause, FactionId, MAX_UNITS, PlaceId, RecordedThing, TerrainId, Thing, TypeId, UnitId, WordId,
};
use super::pose::Pose;
use super::rules::{Hidden, Item, ItemKind, Items, NOTHING, Rules, SlotKind};
use super::spot::{Form, Spot, length_text};
use super::world::{Outcome, World};
use super::{movement, throws};

/// One change of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Adds to a number slot.
    Add(Thing, u8, i64),
    /// Sets a slot.
    Set(Thing, u8, i64),
    /// Inserts an item into a set or, at an index, into a list; at [`AT_END`] behind its last item.
    Insert(Thing, u8, Item, u16),
    /// Takes an item out of a set or list: the one at this index or, where another is there by now, the first equal one.
    Take(Thing, u8, Item, u16),
    /// Puts a unit where it is to be, from elsewhere or from reserve.
    Put(UnitId, Spot),
    /// Lays a die down so and not otherwise.
    Lie(UnitId, Pose),
    /// Takes a unit off the board into reserve.
    Reserve(UnitId),
    /// Removes a unit from play.
    Remove(UnitId),
    /// Lays a kind of terrain in a place; on a plane a piece with an outline.
    Lay(PlaceId, TerrainId, Option<Form>),
    /// Takes a kind of terrain away from a place.
    Lift(PlaceId, TerrainId),
    /// Makes a new unit, in reserve.
    Enlist(FactionId, TypeId),
    /// Forgets all units of a faction.
    Disband(FactionId),
    /// Brings a unit to a faction.
    Own(UnitId, FactionId),
    /// Makes a unit one of another type.
    Become(UnitId, TypeId),
    /// Makes a faction first in turn order.
    First(FactionId),
    /// Ends the innermost contest.
    Finish(Outcome),
}

/// Index behind the last item of a list, whatever its length.
pub const AT_END: u16 = u16::MAX;

impl Effect {
    /// The unit that comes to stand somewhere, and where.
    #[inline]
    pub fn put(self) -> Option<(UnitId, Spot)> {
        match self {
            Effect::Put(unit, spot) => Some((unit, spot)),
            Effect::Lie(unit, pose) => Some((unit, Spot::Point(pose.point()))),
            _ => None,
        }
    }
}

/// An effect that waits for the end of a simultaneous phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GatheredEffects {
    /// Effect that will be applied.
    pub effect: Effect,
    /// Why.
    pub cause: Cause,
    /// The faction whose step it comes from.
    pub faction: FactionId,
    /// The group it belongs to: all that one step, or one hook that follows from a batch, does.
    pub group: u32,
    /// Subject of the group: that of the step, or of the hook.
    pub about: RecordedThing,
    /// The phase in which it was gathered.
    pub phase: u8,
    /// Effects of different groups with the same word cannot both happen.
    pub exclusive: Option<WordId>,
}

/// Why an effect cannot be, as the world is: nobody stands in a gap. `None` when it can.
#[inline]
pub fn refusal(rules: &Rules, world: &World, effect: Effect) -> Option<String> {
    match effect {
        Effect::Add(thing, slot, by) if world.slot(thing, slot as usize).checked_add(by).is_some() => None,
        Effect::Put(_, Spot::Place(place)) if rules.plane().is_none() && world.ground().contains(place) => {
            None
        }
        Effect::Set(..) | Effect::Lie(..) | Effect::Reserve(_) | Effect::Remove(_) => None,
        other => refusal_of(rules, world, other),
    }
}

/// The same where more is to be looked at.
fn refusal_of(rules: &Rules, world: &World, effect: Effect) -> Option<String> {
    match effect {
        Effect::Put(unit, Spot::Place(place)) if is_absent(rules, world, place) => {
            let (unit, place) = (rules.unit_name(world.name(unit)), rules.board.name(place));
            Some(format!("{unit} cannot be put on {place}: it lies nowhere"))
        }
        Effect::Put(_, Spot::Place(place)) if !world.ground().contains(place) => {
            let place = rules.board.name(place);
            Some(format!("nobody can stand in {place}: there is no terrain"))
        }
        Effect::Own(unit, owner) => nameless(rules, world, unit, owner, world.unit(unit).kind),
        Effect::Become(unit, kind) => nameless(rules, world, unit, world.unit(unit).owner, kind),
        Effect::Enlist(faction, kind) => {
            let why = if world.next_name(faction, kind).is_none() {
                no_name(rules, kind)
            } else if world.ever_owned().len() >= MAX_UNITS {
                format!("{MAX_UNITS} is the most there can be")
            } else {
                return None;
            };
            let name = &rules.factions[faction.index()];
            Some(format!("{name} cannot get another unit: {why}"))
        }
        Effect::Lay(place, terrain, Some(form)) => {
            if world.piece(place).is_some() {
                return Some(format!("{} lies there already", rules.board.name(place)));
            }
            let why = match (form.shape(), rules.plane()) {
                (None, _) => "it has no area, or lies beyond every table".to_owned(),
                (Some(shape), Some(table)) if !shape.is_on_table(table.size) => off_the_table(table.size),
                _ => return None,
            };
            let name = &rules.terrains[terrain.index()].name;
            Some(format!("{name} cannot be laid as {form}: {why}"))
        }
        Effect::Lay(place, terrain, None)
            if rules.terrains[terrain.index()].on_edges.is_some() != rules.board.ends(place).is_some() =>
        {
            let why = match rules.board.ends(place) {
                Some(_) => "it lies in places",
                None => "it lies on edges between places, as in `lay(edge(a, b), terrain)`",
            };
            let (name, place) = (&rules.terrains[terrain.index()].name, rules.board.name(place));
            Some(format!("{name} cannot be laid on {place}: {why}"))
        }
        Effect::Lay(place, terrain, None) if is_absent(rules, world, place) => {
            let (name, place) = (&rules.terrains[terrain.index()].name, rules.board.name(place));
            let instead = "`lay_disc` and `lay_box` lay a piece";
            Some(format!(
                "{name} cannot be laid on {place}: it lies nowhere; {instead}"
            ))
        }
        Effect::Add(thing, slot, by) => {
            let now = world.slot(thing, slot as usize);
            now.checked_add(by).is_none().then(|| {
                let slot = &rules.slots.of(thing)[slot as usize].name;
                format!("`{slot}` is {now}, and {by:+} makes it larger than a number can be")
            })
        }
        Effect::Insert(thing, slot, item, _) => {
            let declared = &rules.slots.of(thing)[slot as usize];
            let items = declared.kind.items()?;
            let now = world.items(rules, thing, slot as usize, items);
            let is_full = now.len() >= items.at_most.into() && !(items.is_set && now.contains(&item));
            is_full.then(|| over_limit(&declared.name, items, now.len() + 1))
        }
        Effect::Lift(place, terrain) if rules.board.ends(place).is_none() => {
            let left = world.terrain(place).without(terrain);
            let (name, at) = (&rules.terrains[terrain.index()].name, rules.board.name(place));
            (left.is_empty() && !world.at(place).is_empty()).then(|| {
                format!("{name} cannot be taken from {at}: units stand on it and nothing else is there")
            })
        }
        _ => None,
    }
}

/// That a set or list would hold more than its limit.
pub fn over_limit(slot: &str, items: Items, count: usize) -> String {
    let (name, most) = (items.name(), items.at_most);
    format!("`{slot}` would hold {count} items: this {name} holds at most {most}")
}

/// Whether a piece of terrain of a plane is not there.
fn is_absent(rules: &Rules, world: &World, place: PlaceId) -> bool {
    rules.plane().is_some() && world.piece(place).is_none()
}

/// That a piece of terrain would lie off a table of this size.
pub fn off_the_table((wide, deep): (i32, i32)) -> String {
    let [wide, deep] = [wide, deep].map(|n| length_text(n.into()));
    format!("it lies off the table, which is {wide} by {deep}")
}

/// Why a unit cannot come to another faction or type: no name is left for it there.
fn nameless(rules: &Rules, world: &World, unit: UnitId, owner: FactionId, kind: TypeId) -> Option<String> {
    let from = world.name(unit);
    let comes = world.alive().contains(unit) && (from.owner, from.kind) != (owner, kind);
    (comes && world.next_name(owner, kind).is_none()).then(|| {
        format!(
            "{} cannot become one of {}'s {}: {}",
            rules.unit_name(from),
            rules.factions[owner.index()],
            rules.types[kind.index()].name,
            no_name(rules, kind)
        )
    })
}

fn no_name(rules: &Rules, kind: TypeId) -> String {
    format!(
        "no {} of it can have a number above {}",
        rules.types[kind.index()].name,
        u16::MAX
    )
}

/// Why there is no room for an effect that happens at once: of those that happen together, as many come as there is
/// room for. `None` when there is.
pub fn crowding(rules: &Rules, world: &World, effect: Effect) -> Option<String> {
    let message = |unit: UnitId, to: &str, there: &str| {
        format!(
            "{} cannot come to {to}: {there}, and the board's `stack` is {}",
            rules.unit_name(world.name(unit)),
            rules.stack
        )
    };
    match effect {
        Effect::Put(unit, Spot::Place(place))
            if world.is_alive(unit)
                && world.place(unit) != Some(place)
                && !movement::has_room(rules, world, unit, place) =>
        {
            let there = world.at(place) & world.owned(world.unit(unit).owner);
            let names: Vec<String> = there.map(|u| rules.unit_name(world.name(u))).collect();
            let there = format!("{} stand there", names.join(", "));
            Some(message(unit, rules.board.name(place), &there))
        }
        Effect::Own(unit, owner) if world.is_alive(unit) && world.unit(unit).owner != owner => {
            let place = world.place(unit)?;
            let own = world.own_in(place, owner);
            let there = format!("{own} of its units stand in {}", rules.board.name(place));
            (own >= rules.stack).then(|| message(unit, &rules.factions[owner.index()], &there))
        }
        _ => None,
    }
}

/// Makes an effect happen; what is recorded of it. Effects on units that are gone, and changes that change
/// nothing, happen silently or not at all: nobody hits the dead, and a disbanded unit is nobody's.
pub fn apply(rules: &Rules, world: &mut World, effect: Effect, cause: Cause) -> Option<Event> {
    match effect {
        Effect::Add(Thing::Unit(unit), ..)
        | Effect::Set(Thing::Unit(unit), ..)
        | Effect::Insert(Thing::Unit(unit), ..)
        | Effect::Take(Thing::Unit(unit), ..)
            if is_disbanded(world, unit) =>
        {
            None
        }
        // What a unit dies of cannot be taken from it once it is gone.
        Effect::Add(Thing::Unit(unit), slot, _)
            if !world.is_alive(unit) && rules.slots.unit[slot as usize].at_zero.is_some() =>
        {
            None
        }
        Effect::Add(thing, slot, by) => {
            let from = world.slot(thing, slot as usize);
            let to = from.saturating_add(by);
            change(rules, world, (thing, slot), (from, to), cause)
        }
        Effect::Set(thing, slot, to) => {
            let from = world.recorded(thing, slot as usize);
            change(rules, world, (thing, slot), (from, to), cause)
        }
        Effect::Insert(thing, slot, item, at) => insert(rules, world, (thing, slot), item, at, cause),
        Effect::Take(thing, slot, item, at) => take(rules, world, (thing, slot), item, at, cause),
        Effect::Lie(unit, to) => {
            let from = world.pose(unit);
            let lies = world.is_alive(unit) && from != Some(to);
            lies.then(|| {
                world.lay_die(unit, to);
                let unit = world.name(unit);
                Event::Lay {
                    unit,
                    from,
                    to,
                    cause,
                }
            })
        }
        Effect::Put(unit, spot) => {
            let moves = world.is_alive(unit) && world.spot(unit) != Some(spot);
            moves.then(|| moved(world, unit, Some(spot), cause))
        }
        // A disbanded unit is nobody's and does not come back.
        Effect::Reserve(unit) if is_disbanded(world, unit) => None,
        Effect::Reserve(unit) => {
            let was_on_board = world.spot(unit).is_some();
            let event = moved(world, unit, None, cause);
            was_on_board.then_some(event)
        }
        Effect::Remove(unit) => world.is_alive(unit).then(|| {
            let from = world.spot(unit);
            world.remove(unit);
            let unit = world.name(unit);
            Event::Removed { unit, from, cause }
        }),
        Effect::Lay(place, terrain, outline) => (!world.terrain(place).contains(terrain)).then(|| {
            world.lay_as(rules, place, terrain, outline);
            Event::Laid {
                place,
                terrain,
                outline,
                cause,
            }
        }),
        Effect::Lift(place, terrain) => world.terrain(place).contains(terrain).then(|| {
            world.lift(rules, place, terrain);
            Event::Lifted {
                place,
                terrain,
                cause,
            }
        }),
        Effect::Enlist(faction, kind) => {
            let unit = world.enlist(rules, faction, kind)?;
            let unit = world.name(unit);
            Some(Event::Enlisted { unit, cause })
        }
        Effect::Disband(faction) => (!world.owned(faction).is_empty()).then(|| {
            world.disband(rules, faction);
            Event::Disbanded { faction, cause }
        }),
        Effect::Own(unit, owner) => rename(world, unit, owner, world.unit(unit).kind, cause),
        Effect::Become(unit, kind) => rename(world, unit, world.unit(unit).owner, kind, cause),
        Effect::First(first) => {
            world.set_first(first, rules.factions.len());
            Some(Event::First { first, cause })
        }
        Effect::Finish(outcome) => (!world.decided).then(|| {
            (world.outcome, world.decided) = (Some(outcome), true);
            let by = cause.by;
            Event::Finished { outcome, by }
        }),
    }
}

fn moved(world: &mut World, unit: UnitId, to: Option<Spot>, cause: Cause) -> Event {
    let from = world.spot(unit);
    match to {
        Some(spot) => world.put(unit, spot),
        None => world.reserve(unit),
    }
    let unit = world.name(unit);
    Event::Moved {
        unit,
        from,
        to,
        cause,
    }
}

/// A unit comes to another faction or type, and so gets another name. Its place and its slots stay.
fn rename(world: &mut World, unit: UnitId, owner: FactionId, kind: TypeId, cause: Cause) -> Option<Event> {
    let from = world.name(unit);
    let there = world.alive().contains(unit) && (from.owner, from.kind) != (owner, kind);
    let to = world.next_name(owner, kind).filter(|_| there)?;
    world.rename(unit, to);
    let unit = from;
    Some(Event::Renamed { unit, to, cause })
}

/// Whether a unit's faction has forgotten it. Its id may be given to another later.
fn is_disbanded(world: &World, unit: UnitId) -> bool {
    !world.owned(world.unit(unit).owner).contains(unit)
}

fn insert(
    rules: &Rules,
    world: &mut World,
    (thing, slot): (Thing, u8),
    item: Item,
    at: u16,
    cause: Cause,
) -> Option<Event> {
    let items = rules.slots.of(thing)[slot as usize].kind.items()?;
    let mut all = world.items(rules, thing, slot as usize, items);
    let is_in = items.is_set && all.contains(&item);
    if is_in || all.len() >= items.at_most.into() {
        return None;
    }
    let at = if items.is_set { AT_END } else { at };
    let place = usize::from(at).min(all.len());
    all.insert(place, item);
    world.set_items(rules, thing, slot as usize, items, &all);
    let item = recorded_item(rules, world, (thing, slot), item, place as u16)?;
    Some(Event::Inserted { item, cause })
}

fn take(
    rules: &Rules,
    world: &mut World,
    (thing, slot): (Thing, u8),
    item: Item,
    at: u16,
    cause: Cause,
) -> Option<Event> {
    let items = rules.slots.of(thing)[slot as usize].kind.items()?;
    let mut all = world.items(rules, thing, slot as usize, items);
    let at = match all.get(usize::from(at)) {
        Some(there) if *there == item => at.into(),
        _ => all.iter().position(|other| *other == item)?,
    };
    all.remove(at);
    world.set_items(rules, thing, slot as usize, items, &all);
    let item = recorded_item(rules, world, (thing, slot), item, at as u16)?;
    Some(Event::Taken { item, cause })
}

/// An item as events record it; `None` where the slot is quiet.
fn recorded_item(
    rules: &Rules,
    world: &World,
    (thing, slot): (Thing, u8),
    mut item: Item,
    at: u16,
) -> Option<SlotItem> {
    let declared = &rules.slots.of(thing)[slot as usize];
    for (kind, part) in declared.kind.items()?.parts().zip(&mut item) {
        if kind == ItemKind::Unit {
            *part = world.name(UnitId::new(*part as usize)).stored();
        }
    }
    let who = world.who(thing);
    (!declared.quiet).then_some(SlotItem { who, slot, item, at })
}

fn change(
    rules: &Rules,
    world: &mut World,
    (thing, slot): (Thing, u8),
    (from, to): (i64, i64),
    cause: Cause,
) -> Option<Event> {
    // It is written even if nothing changes: whoever watches wants to know.
    world.set_slot(thing, slot as usize, to);
    let declared = &rules.slots.of(thing)[slot as usize];
    let is_news = !declared.quiet && (to != 0 || declared.says.is_none());
    // That a hidden slot stays as it is must not show in what is left out.
    let counts = from != to || declared.hidden != Hidden::Never;
    (counts && is_news).then(|| {
        // Units are recorded by name.
        let recorded = |value: i64| match declared.kind {
            SlotKind::Unit if value != NOTHING => world.name(UnitId::new(value as usize)).stored(),
            _ => value,
        };
        let (from, to, who) = (recorded(from), recorded(to), world.who(thing));
        Event::Changed {
            who,
            slot,
            from,
            to,
            cause,
        }
    })
}

/// Returns the effect that puts a unit at a point of a plane; for a piece of terrain the point is its middle. A die
/// lies flat there.
pub fn with_terrain_order(rules: &Rules, world: &World, effect: Effect) -> Option<Effect> {
    let Effect::Put(unit, spot) = effect else {
        return None;
    };
    rules.plane()?;
    let at = match spot {
        Spot::Point(at) => at,
        Spot::Place(place) => world.piece(place)?.middle(),
    };
    Some(match rules.ground.dice() {
        Some(_) => Effect::Lie(unit, throws::put_down(rules, world, unit, at)?),
        None => Effect::Put(unit, at.into()),
    })
}
