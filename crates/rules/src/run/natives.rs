//! The one list of what scripts can call and read: functions, properties and operators of the
//! kernel's things, and what rules need of numbers, texts, lists and maps. Nodes call them
//! directly; the script reference is printed from here.

use super::context::{LINE, Run, board_steps, number_of, reach_of};
use super::fault::{Eval, FaultKind, NativeResult, rule, unknown};
use super::library;
use super::measuring::{diagonal, whole};
use super::members::MemberProperty;
use super::observe::Observer;
use super::value::{Kind, ListId, Value};
use super::view::ValueView;
use crate::declare;
use crate::declare::problems::unknown_name;
use crate::kernel::choice::{OpenEnd, PickCount};
use crate::kernel::dice::Pool;
use crate::kernel::dice_access::DiceRead;
use crate::kernel::effect::Effect;
use crate::kernel::ground::Travel;
use crate::kernel::ids::{
    Cause, FactionId, PlaceId, PlaceSet, TerrainId, Thing, TypeId, UnitId, UnitSet, WordId,
};
use crate::kernel::spot::{Form, Point};
use crate::kernel::table::{Halt, Table};
use crate::kernel::{engagement, throws};
use std::marker::PhantomData;

/// A function that scripts can call, plainly or as a method of its first argument.
pub struct Native {
    /// The heading under which the reference lists it.
    pub group: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub params: &'static [(&'static str, Kind)],
    /// Description, as [`crate::reference`] reads it: a sentence, then a list of its parameters, the value it gives,
    /// its errors and examples with their results.
    pub doc: &'static str,
}

impl Native {
    /// Whether it asks, rolls or changes something, so that it fails where a position is only read.
    pub fn acts(&self) -> bool {
        match self.group {
            "Choices and dice" => true,
            "Effects" => !["by_whom", "by_what", "exclusive"].contains(&self.name),
            _ => ACTS.contains(&self.name),
        }
    }
}

/// The natives of other groups that do so.
const ACTS: [&str; 9] = [
    "march",
    "travel",
    "move",
    "put",
    "lay_disc",
    "lay_box",
    "lay_die",
    "throw_at",
    "take_back_throw",
];

/// A native function as a run of some observer calls it.
pub type Native1<O> = for<'a, 'r> fn(&'a mut Run<'r, O>, &'a [Value]) -> Eval;
/// A property as a run of some observer reads it.
pub type Getter1<O> = for<'a, 'r> fn(&'a mut Run<'r, O>, Value) -> Eval;

/// Implementations of the natives for the runs of an observer, in the order of [`NATIVES`] and [`PROPERTIES`].
pub struct Runs<O: Observer>(PhantomData<O>);

/// Conversion of a native function's result into a value.
trait IntoValue {
    fn give<O: Observer>(self, run: &mut Run<'_, O>) -> Value;
}

macro_rules! give {
    ($($type:ty)*) => {$(
        impl IntoValue for $type {
            #[inline]
            fn give<O: Observer>(self, _: &mut Run<'_, O>) -> Value {
                self.into()
            }
        }
    )*};
}
give!(bool i64 Point WordId UnitId PlaceId FactionId TypeId TerrainId Value);

impl IntoValue for () {
    #[inline]
    fn give<O: Observer>(self, _: &mut Run<'_, O>) -> Value {
        Value::NOTHING
    }
}

impl IntoValue for Pool {
    #[inline]
    fn give<O: Observer>(self, run: &mut Run<'_, O>) -> Value {
        run.heap.of_dice(self)
    }
}

impl IntoValue for UnitSet {
    #[inline]
    fn give<O: Observer>(self, run: &mut Run<'_, O>) -> Value {
        run.heap.of_units(self)
    }
}

impl IntoValue for PlaceSet {
    #[inline]
    fn give<O: Observer>(self, run: &mut Run<'_, O>) -> Value {
        run.heap.of_places(self)
    }
}

impl<T: IntoValue> IntoValue for Option<T> {
    #[inline]
    fn give<O: Observer>(self, run: &mut Run<'_, O>) -> Value {
        match self {
            Some(it) => it.give(run),
            None => Value::NOTHING,
        }
    }
}

/// Gives a value's content when it is of the kind.
macro_rules! take {
    ($run:ident, Any, $value:expr) => {
        Some($value)
    };
    ($run:ident, Function, $value:expr) => {
        of_kind($value, Kind::Function)
    };
    ($run:ident, List, $value:expr) => {
        of_kind($value, Kind::List).and_then(|list| list.items())
    };
    ($run:ident, Map, $value:expr) => {
        of_kind($value, Kind::Map).and_then(|map| map.items())
    };
    ($run:ident, Places, $value:expr) => {
        $run.heap.places($value)
    };
    ($run:ident, Bool, $value:expr) => {
        $value.as_bool()
    };
    ($run:ident, Int, $value:expr) => {
        $value.as_int()
    };
    ($run:ident, Word, $value:expr) => {
        $value.as_word()
    };
    ($run:ident, Unit, $value:expr) => {
        $value.as_unit()
    };
    ($run:ident, Place, $value:expr) => {
        $value.as_place()
    };
    ($run:ident, Faction, $value:expr) => {
        $value.as_faction()
    };
    ($run:ident, Type, $value:expr) => {
        $value.as_type()
    };
    ($run:ident, Terrain, $value:expr) => {
        $value.as_terrain()
    };
    ($run:ident, Edge, $value:expr) => {
        $value.as_edge()
    };
    ($run:ident, Spot, $value:expr) => {
        $value.as_spot()
    };
    ($run:ident, Range, $value:expr) => {
        of_kind($value, Kind::Range).map(|range| $run.heap.numbers(range).into_inner())
    };
    ($run:ident, Region, $value:expr) => {
        $run.heap.region($value).cloned()
    };
    ($run:ident, Length, $value:expr) => {
        of_kind($value, Kind::Length)
    };
    ($run:ident, Units, $value:expr) => {
        $run.heap.units($value)
    };
    ($run:ident, Lent, $value:expr) => {
        of_kind($value, Kind::Dice)
    };
    ($run:ident, Dice, $value:expr) => {
        $run.heap.dice($value)
    };
}

/// The kind of what a parameter takes. `Lent` is dice of which no more is seen than is asked.
macro_rules! kind {
    (Lent) => {
        Kind::Dice
    };
    ($kind:ident) => {
        Kind::$kind
    };
}

#[inline]
fn of_kind(value: Value, kind: Kind) -> Option<Value> {
    value.is(kind).then_some(value)
}

/// Gives what a body says; it may leave early with a fault.
macro_rules! say {
    ($run:ident, $api:ident, $body:expr) => {{
        let say = |$api: &mut Run<'_, O>| -> NativeResult {
            let said: NativeResult<_> = $body;
            match said {
                Ok(it) => Ok(it.give($api)),
                Err(fault) => Err(fault),
            }
        };
        let said = say($run);
        $run.said(said)
    }};
}

macro_rules! natives {
    ($( $group:literal: $(
        $(#[doc = $doc:literal])+ $name:literal |$api:ident $(, $param:ident: $kind:ident)*| $body:expr;
    )* )*) => {
        /// Every function. Several may share a name, for other numbers or kinds of arguments.
        pub const NATIVES: &[Native] = &[$($(
            Native {
                group: $group,
                name: $name,
                params: &[$((stringify!($param), kind!($kind))),*],
                doc: concat!($($doc, "\n"),+),
            },
        )*)*];

        impl<O: Observer> Runs<O> {
            /// The functions, in the order of [`NATIVES`].
            pub const ALL: &'static [Native1<O>] = &[$($(
                |run, args| {
                    let &[$($param),*] = args else { return run.mismatched() };
                    $(let Some($param) = take!(run, $kind, $param) else { return run.mismatched() };)*
                    say!(run, $api, $body)
                },
            )*)*];
        }
    };
}

macro_rules! properties {
    ($( $(#[doc = $doc:literal])+ $kind:ident $name:literal |$api:ident, $it:ident| $body:expr; )*) => {
        /// Every property that does not come from the game's declarations.
        pub const PROPERTIES: &[MemberProperty] = &[$(
            MemberProperty {
                of: kind!($kind),
                name: $name,
                doc: concat!($($doc, "\n"),+),
            }
        ),*];

        impl<O: Observer> Runs<O> {
            /// Readers of the properties, in the order of [`PROPERTIES`].
            pub const GETTERS: &'static [Getter1<O>] = &[$(
                |run, it| {
                    let Some($it) = take!(run, $kind, it) else { return run.mismatched() };
                    say!(run, $api, $body)
                }
            ),*];
        }
    };
}

fn among(dice: &Pool) -> String {
    match dice.is_empty() {
        true => "no dice".to_owned(),
        false => format!("the dice {dice}"),
    }
}

/// A stat by name, and the number that stands for a value of it; `None` where it cannot have that value.
fn stat_as(table: &Table, stat: WordId, value: Value) -> Option<(usize, i64)> {
    let stat = table.rules.stat(table.words.text(stat))?;
    let number = match table.rules.flags[stat] {
        true => value.as_bool()?.into(),
        false => value.as_int()?,
    };
    Some((stat, number))
}

/// Those of some kinds, each told by its stats, whose stat has this value, by their indices.
fn with_stat<'t>(
    table: &Table,
    kinds: impl Iterator<Item = &'t Vec<Option<i64>>>,
    stat: WordId,
    value: Value,
) -> Vec<usize> {
    let Some((stat, value)) = stat_as(table, stat, value) else {
        return Vec::new();
    };
    let fits = kinds.enumerate().filter(|(_, stats)| stats[stat] == Some(value));
    fits.map(|(index, _)| index).collect()
}

/// Two texts that are read.
fn both<'a, O: Observer>(
    api: &'a mut Run<'_, O>,
    one: WordId,
    other: WordId,
) -> NativeResult<(&'a str, &'a str)> {
    api.read(one)?;
    api.read(other)?;
    Ok((api.table.words.text(one), api.table.words.text(other)))
}

fn ok<T>(value: T) -> NativeResult<T> {
    Ok(value)
}

natives! {
    "Finding things":
    /// Returns the unit with this name.
    /// - name: the faction, a dot, the unit type and a number, such as `red.scouts1`
    /// - gives: unit
    /// - error: no unit has this name; the message suggests the closest name
    /// - `unit("red.scouts1").place` = a1
    /// - `unit("red.scoutts1")` fails: there is no unit `red.scoutts1`
    "unit" |api, name: Word| api.look(|t| {
        let text = t.words.text(name);
        let found = t.rules.parse_unit_name(text).and_then(|parsed| t.world.find(parsed));
        found.ok_or_else(|| {
            // Those that were removed are found, too.
            let names: Vec<String> = t.world.ever_owned().iter().map(|u| t.rules.unit_name(t.world.name(u))).collect();
            unknown("unit", text, names.iter().map(String::as_str))
        })
    });
    /// Returns the place with this name.
    /// - name: the name on the board: a letter for the column and a number for the row
    /// - gives: place
    /// - error: no place has this name
    /// - `place("b2").units` = [red.guards1, blue.scouts1]
    /// - `place("z9")` fails: there is no place `z9`
    "place" |api, name: Word| api.look(|t| {
        let text = t.words.text(name);
        let found = t.rules.board.place(text);
        found.ok_or_else(|| unknown_name("place", text).into())
    });
    /// Returns the edge between two places that touch. Terrain that declares `blocks` lies on edges.
    /// - a: a place
    /// - b: a place that touches it
    /// - gives: edge
    /// - error: the places do not touch, or no terrain of the game lies on edges
    /// - `edge(place("a1"), place("a2"))` = a1|a2
    /// - `edge(place("a1"), place("a3"))` fails: a1 and a3 do not touch
    "edge" |api, a: Place, b: Place| api.look(|t| {
        let board = &t.rules.board;
        board.edge_between(a, b).map(Value::of_edge).ok_or_else(|| {
            rule(match board.neighbours(a).contains(b) {
                true => "no terrain of this game lies on edges: add `blocks` to the `stats()` of a terrain".to_owned(),
                false => format!("{} and {} do not touch, so there is no edge between them", board.name(a), board.name(b)),
            })
        })
    });
    /// Returns a list of all edges between places that touch.
    /// - gives: list of edges; empty if no terrain of the game lies on edges
    /// - `edges().filter(|edge| edge.has("wall"))` = [c2|c3]
    "edges" |api| {
        api.work(api.table.rules.board.len())?;
        let edges = api.look(|t| t.rules.board.edges());
        api.list(edges.map(Value::of_edge))
    };
    /// Returns the faction with this name.
    /// - name: the name from `board()`
    /// - gives: faction
    /// - error: no faction has this name; the message suggests the closest name
    /// - `faction("red").units` = [red.scouts1, red.guards1]
    /// - `faction("rad")` fails: did you mean `red`?
    "faction" |api, name: Word| api.look(|t| {
        let text = t.words.text(name);
        let known = || t.rules.factions.iter().map(String::as_str);
        t.rules.faction(text).ok_or_else(|| unknown("faction", text, known()))
    });
    /// Returns the unit type with this name.
    /// - name: the name of the unit type's file
    /// - gives: unit type
    /// - error: no unit type has this name; the message suggests the closest name
    /// - `unit_type("scouts").life` = 3
    /// - `unit_type("scout")` fails: did you mean `scouts`?
    "unit_type" |api, name: Word| api.look(|t| api.find_type(t, name));
    /// Returns a list of all unit types.
    /// - gives: list of unit types, sorted by name
    /// - `unit_types()` = [guards, scouts]
    "unit_types" |api| {
        let count = api.look(|t| t.rules.types.len());
        api.list((0..count).map(|i| TypeId(i as u8).into()))
    };
    /// Returns a list of the unit types that have this value for a stat.
    /// - stat: the name of a stat
    /// - value: the value to look for: a number, or true or false for a flag
    /// - gives: list of unit types; empty if no stat has this name
    /// - `types_with("cost", 2)` = [guards]
    /// - `types_with("heavy", true)` = [guards]
    "types_with" |api, stat: Word, value: Any| {
        let found = api.look(|t| with_stat(t, t.rules.types.iter().map(|kind| &kind.stats), stat, value));
        api.list(found.into_iter().map(|i| TypeId::new(i).into()))
    };
    /// Returns the kind of terrain with this name.
    /// - name: the name of the terrain's file
    /// - gives: terrain
    /// - error: no terrain has this name; the message suggests the closest name
    /// - `terrain("mud").depth` = 2
    /// - `terrain("mod")` fails: did you mean `mud`?
    "terrain" |api, name: Word| api.look(|t| api.find_terrain(t, name));
    /// Returns a list of all kinds of terrain.
    /// - gives: list of kinds of terrain, sorted by name
    /// - `terrains()` = [grass, mud, wall]
    "terrains" |api| {
        let count = api.look(|t| t.rules.terrains.len());
        api.list((0..count).map(|i| TerrainId(i as u8).into()))
    };
    /// Returns a list of the kinds of terrain that have this value for a stat.
    /// - stat: the name of a stat
    /// - value: the value to look for: a number, or true or false for a flag
    /// - gives: list of kinds of terrain, sorted by name; empty if none has such a stat
    /// - `terrains_with("depth", 2)` = [mud]
    "terrains_with" |api, stat: Word, value: Any| {
        let found = api.look(|t| with_stat(t, t.rules.terrains.iter().map(|kind| &kind.stats), stat, value));
        api.list(found.into_iter().map(|i| TerrainId::new(i).into()))
    };
    /// Returns the game itself, for access to its slots.
    /// - gives: the game
    /// - `game().wind` = 0
    /// - `let g = game(); g.wind = 3;` -> game  wind 0->3
    "game" |_api| Ok(Value::GAME);
    /// Returns the faction that is first in turn order.
    /// - gives: faction
    /// - `first()` = red
    "first" |api| api.in_order(0, "first");
    /// Returns the faction that is second in turn order.
    /// - gives: faction
    /// - `second()` = blue
    "second" |api| api.in_order(1, "second");
    /// Returns the faction that is third in turn order.
    /// - gives: faction
    /// - error: the game has fewer factions
    /// - `third()` fails: there is no third faction in this game
    "third" |api| api.in_order(2, "third");
    /// Returns the faction that is fourth in turn order.
    /// - gives: faction
    /// - error: the game has fewer factions
    /// - `fourth()` fails: there is no fourth faction in this game
    "fourth" |api| api.in_order(3, "fourth");
    /// Returns the faction at a position in turn order.
    /// - n: position in turn order, from 1
    /// - gives: faction
    /// - error: the game has fewer factions
    /// - `in_order(2)` = blue
    /// - `in_order(3)` fails: there is no 3rd faction in this game
    "in_order" |api, n: Int| {
        let nth = usize::try_from(n).ok().and_then(|n| n.checked_sub(1)).unwrap_or(usize::MAX);
        let ending = match (n % 100, n % 10) {
            (11..=13, _) => "th",
            (_, 1) => "st",
            (_, 2) => "nd",
            (_, 3) => "rd",
            _ => "th",
        };
        api.in_order(nth, &format!("{n}{ending}"))
    };
    /// Returns a list of all factions, in turn order.
    /// - gives: list of factions
    /// - `factions()` = [red, blue]
    "factions" |api| {
        let factions: Vec<Value> = api.look(|t| {
            (0..t.rules.factions.len()).map(|i| t.world.in_order(i).into()).collect()
        });
        api.list(factions)
    };
    /// Returns every unit enlisted so far, including removed units. Disbanded units are not included.
    /// - gives: units
    /// - `everyone().len` = 4
    /// - `remove(me); everyone().len` = 4
    "everyone" |api| ok(api.look(|t| {
        let factions = t.rules.all_factions();
        factions.fold(UnitSet::EMPTY, |all, f| all | t.world.owned(f))
    }));
    /// Returns the units on the board.
    /// - gives: units
    /// - `units().engaged` = [red.guards1, blue.scouts1]
    "units" |api| ok(api.look(|t| t.world.on_board().clone()));
    /// Returns every place. In a game with terrain, returns only the places that have terrain.
    /// - gives: places
    /// - `places().len` = 12
    "places" |api| ok(api.look(|t| t.world.ground().clone()));
    /// Returns the places of the board that have no terrain. Units cannot stand there.
    /// - gives: places; empty in a game without terrain
    /// - `gaps().len` = 0
    /// - `lift(place("d1"), terrain("grass")); gaps()` = [d1]
    "gaps" |api| ok(api.look(|t| t.rules.board.places() - t.world.ground()));
    /// Returns the places at the edge of the board, and those beside a gap that is connected to the outside.
    /// - gives: places
    /// - `places() - rim()` = [b2, c2]
    "rim" |api| { api.on_a_board()?; api.work(api.table.rules.board.places().len() / 4)?; ok(api.look(|t| t.world.rim(&t.rules))) };
    /// Returns the place in the middle of the board.
    /// - gives: place
    /// - error: the game is played on a table top; places do not touch there
    /// - `middle()` = b2
    "middle" |api| { api.on_a_board()?; ok(api.look(|t| t.rules.board.middle())) };
    /// Returns an empty set of places.
    /// - gives: places
    /// - `no_places().is_empty` = true
    "no_places" |_api| ok(PlaceSet::EMPTY);
    /// Returns an empty set of units.
    /// - gives: units
    /// - `no_units() | me` = [red.scouts1]
    "no_units" |_api| ok(UnitSet::EMPTY);
    /// Returns the places of a zone, for all factions together.
    /// - name: the name from `board()`
    /// - gives: places
    /// - error: the board has no zone with this name; the message suggests the closest name
    /// - `zone("home") - side.home` = [a3, b3, c3, d3]
    /// - `zone("hone")` fails: did you mean `home`?
    "zone" |api, name: Word| api.look(|t| {
        let (zones, text) = (&t.rules.board.zones, t.words.text(name));
        let found = zones.iter().find(|zone| zone.name == text);
        let places = found.map(|zone| zone.places.iter().fold(PlaceSet::EMPTY, |all, p| all | p));
        places.ok_or_else(|| unknown("zone", text, zones.iter().map(|zone| zone.name.as_str())))
    });
    /// Returns the places where no unit stands.
    /// - gives: places
    /// - `empty_places().len` = 9
    "empty_places" |api| ok(api.look(|t| {
        t.world.ground() - t.world.occupied()
    }));

    "The course of play":
    /// Returns how often a repeating phase has begun.
    /// - phase: the name of a repeating phase
    /// - gives: number, from 1
    /// - error: no phase has this name, or the phase is not running; the message suggests the closest name
    /// - `count("round")` = 1
    /// - `count("rond")` fails: did you mean `round`?
    "count" |api, phase: Word| api.look(|t| {
        let text = t.words.text(phase);
        let count = t.checkpoint.cursor.iteration(&t.rules, text);
        count.map(i64::from).ok_or_else(|| {
            // The root is nobody's to name.
            let names = || t.rules.phases.iter().skip(1).map(|phase| phase.name.as_str());
            match names().any(|name| name == text) {
                true => rule(format!("the phase `{text}` is not running")),
                false => unknown("phase", text, names()),
            }
        })
    });
    /// Returns the winner of the contest that ended last.
    /// - gives: faction, or nobody after a draw, or if no contest has ended yet
    /// - `winner() == nobody` = true
    "winner" |api| ok(api.look(|t| t.world.outcome.and_then(|o| o.winner)));

    "Units and places":
    /// Returns the places within a number of steps of a unit, including its own place.
    /// - unit: a unit
    /// - steps: maximum number of steps
    /// - gives: places; empty for a unit in reserve, or if `steps` is below 0
    /// - error: the game is played on a table top; places do not touch there
    /// - `me.places_within(1)` = [a1, b1, a2, b2]
    "places_within" |api, unit: Unit, steps: Int| {
        api.on_a_board()?;
        ok(api.look(|t| reach_of(t, unit, steps)))
    };
    /// Returns the other units within a number of steps.
    /// - unit: a unit
    /// - steps: maximum number of steps
    /// - gives: units of every faction
    /// - `me.units_within(2)` = [red.guards1, blue.scouts1]
    "units_within" |api, unit: Unit, steps: Int| { let near = api.near(unit, steps.into())?; ok(near - UnitSet::one(unit)) };
    /// Returns the opposing units within a number of steps.
    /// - unit: a unit
    /// - steps: maximum number of steps
    /// - gives: units
    /// - `me.foes_within(2)` = [blue.scouts1]
    "foes_within" |api, unit: Unit, steps: Int| {
        let near = api.near(unit, steps.into())?;
        ok(api.look(|t| near - t.world.owned(t.world.unit(unit).owner)))
    };
    /// Returns the allied units within a number of steps, without the unit itself.
    /// - unit: a unit
    /// - steps: maximum number of steps
    /// - gives: units
    /// - `me.allies_within(2)` = [red.guards1]
    "allies_within" |api, unit: Unit, steps: Int| {
        let near = api.near(unit, steps.into())?;
        ok(api.look(|t| (near & t.world.owned(t.world.unit(unit).owner)) - UnitSet::one(unit)))
    };
    /// Returns the units of a set that belong to a faction.
    /// - units: a set of units
    /// - faction: a faction
    /// - gives: units
    /// - `units().of(second())` = [blue.scouts1, blue.guards1]
    "of" |api, units: Units, faction: Faction| ok(api.look(|t| units & t.world.owned(faction)));
    /// Returns the units of a faction in a place.
    /// - place: a place
    /// - faction: a faction
    /// - gives: units
    /// - `here.of(side)` = [red.guards1]
    "of" |api, place: Place, faction: Faction| ok(api.look(|t| t.world.at(place) & t.world.owned(faction)));
    /// Returns the units of a set that have a unit type.
    /// - units: a set of units
    /// - name: the name of a unit type
    /// - gives: units
    /// - error: no unit type has this name; the message suggests the closest name
    /// - `units().of_type("guards")` = [red.guards1, blue.guards1]
    "of_type" |api, units: Units, name: Word| api.look(|t| {
        let kind = api.find_type(t, name)?;
        ok(units.filter(|&u| t.world.unit(u).kind == kind).collect::<UnitSet>())
    });
    /// Returns the sum of a stat or slot over a set of units. A true flag counts as 1.
    /// - units: a set of units
    /// - name: a stat, or a slot of units that is a number
    /// - gives: number; 0 for an empty set
    /// - error: no stat or slot has this name, a unit does not have the stat, or the sum is too large
    /// - `side.units.total("life")` = 8
    /// - `side.units.total("lift")` fails: there is no stat or slot `lift`
    "total" |api, units: Units, name: Word| { api.work(units.len())?; api.look(|t| {
        let mut sum = 0i64;
        for unit in units {
            let number = number_of(t, unit, t.words.text(name))?;
            sum = sum.checked_add(number).ok_or_else(|| rule("the total is too large"))?;
        }
        ok(sum)
    }) };
    /// Returns true if a unit is in a set of units.
    /// - units: a set of units
    /// - it: any value
    /// - gives: true or false
    /// - `me.foes.contains(foe)` = true
    "contains" |_api, units: Units, it: Any| ok(it.as_unit().is_some_and(|unit| units.contains(unit)));
    /// Returns true if a place is in a set of places.
    /// - places: a set of places
    /// - it: any value; `nowhere` is never in a set
    /// - gives: true or false
    /// - `side.home.contains(me.place)` = true
    "contains" |_api, places: Places, it: Any| ok(it.as_place().is_some_and(|place| places.contains(place)));
    /// Returns true if at least one die shows a number.
    /// - dice: a pool of dice
    /// - die: the number to look for
    /// - gives: true or false
    /// - `pool.contains(6)` = true
    "contains" |api, dice: Lent, die: Int| {
        ok(api.heap.dice_seen(dice, DiceRead::shows(die)).values().any(|shown| shown == die))
    };
    /// Returns the units in a place that oppose a unit.
    /// - place: a place
    /// - me: the unit whose foes are returned
    /// - gives: units
    /// - `here.foes(me)` = [blue.scouts1]
    "foes" |api, place: Place, me: Unit| ok(api.look(|t| {
        t.world.at(place) - t.world.owned(t.world.unit(me).owner)
    }));
    /// Returns the units in a place that belong to the faction of a unit, including the unit itself.
    /// - place: a place
    /// - me: the unit whose allies are returned
    /// - gives: units
    /// - `here.allies(me)` = [red.guards1]
    "allies" |api, place: Place, me: Unit| ok(api.look(|t| {
        t.world.at(place) & t.world.owned(t.world.unit(me).owner)
    }));
    /// Returns the places within a number of steps of a place, including the place itself.
    /// - place: the place to start from
    /// - steps: maximum number of steps; a number below 0 counts as 0
    /// - gives: places
    /// - error: the game is played on a table top; places do not touch there
    /// - `place("a1").within(1)` = [a1, b1, a2, b2]
    "within" |api, place: Place, steps: Int| {
        api.on_a_board()?;
        ok(api.look(|t| t.rules.board.within(place, board_steps(steps))))
    };
    /// Returns true if the places form one connected group. Every place must be reachable from every other
    /// one by steps through the group.
    /// - places: a set of places
    /// - gives: true or false; true for an empty set
    /// - error: the game is played on a table top; places do not touch there
    /// - `hang_together(places())` = true
    /// - `hang_together(no_places() | place("a1") | place("c3"))` = false
    "hang_together" |api, places: Places| {
        api.work(places.len())?;
        api.on_a_board()?;
        ok(api.look(|t| places.first().is_none_or(|first| t.world.adjacency().connected(first, places.clone()) == places)))
    };
    /// Returns true if a place has a kind of terrain.
    /// - place: a place
    /// - name: the name of a kind of terrain
    /// - gives: true or false
    /// - error: no terrain has this name; the message suggests the closest name
    /// - `here.has("mud")` = true
    /// - `here.has("mut")` fails: did you mean `mud`?
    "has" |api, place: Place, name: Word| api.look(|t| {
        ok(t.world.terrain(place).contains(api.find_terrain(t, name)?))
    });
    /// Returns true if an edge has a kind of terrain.
    /// - edge: an edge
    /// - name: the name of a kind of terrain
    /// - gives: true or false
    /// - error: no terrain has this name; the message suggests the closest name
    /// - `edge(place("c2"), place("c3")).has("wall")` = true
    "has" |api, edge: Edge, name: Word| api.look(|t| {
        ok(t.world.terrain(edge).contains(api.find_terrain(t, name)?))
    });
    /// Returns the places of a set that have a kind of terrain.
    /// - places: a set of places
    /// - name: the name of a kind of terrain
    /// - gives: places
    /// - error: no terrain has this name; the message suggests the closest name
    /// - `places().of_terrain("mud")` = [b2]
    "of_terrain" |api, places: Places, name: Word| api.look(|t| {
        let terrain = api.find_terrain(t, name)?;
        ok(places.filter(|&p| t.world.terrain(p).contains(terrain)).collect::<PlaceSet>())
    });
    /// Returns the number of steps between two places.
    /// - from: a place
    /// - to: a place
    /// - gives: number of steps; units in between do not block, and steps may cross gaps of a drawn board
    /// - error: the game is played on a table top; places do not touch there
    /// - `place("a1").distance(place("a3"))` = 2
    "distance" |api, from: Place, to: Place| {
        api.on_a_board()?;
        ok(api.look(|t| t.rules.board.distance(from, to) as i64))
    };
    /// Returns the number of steps to the nearest of several places.
    /// - from: a place
    /// - to: a set of places
    /// - gives: number of steps; units in between do not block; nothing if the set is empty
    /// - error: the game is played on a table top; places do not touch there
    /// - `place("a1").distance(places().of_terrain("mud"))` = 1
    "distance" |api, from: Place, to: Places| { api.on_a_board()?; api.work(to.len())?; ok(api.look(|t| {
        to.iter().map(|to| t.rules.board.distance(from, to) as i64).min()
    })) };

    "Directions, lines and sight":
    /// Returns a list of the directions in which places touch, clockwise from the top.
    /// - gives: list of texts: on hexagons `n`, `ne`, `se`, `s`, `sw`, `nw`; on squares `n`, `e`, `s`, `w`, and also `ne`, `se`, `sw`, `nw` if squares touch at their corners
    /// - `directions()` = [n, ne, se, s, sw, nw]
    "directions" |api| {
        api.on_a_board()?;
        let names: Vec<&str> = api.look(|t| t.rules.board.directions().iter().map(|d| d.name).collect());
        let names: Vec<Value> = names.into_iter().map(|n| api.text(n)).collect::<Result<_, _>>()?;
        api.list(names)
    };
    /// Returns the direction that leads in a straight line from one place to another, at any distance.
    /// - from: a place
    /// - to: a place
    /// - gives: text: the direction; nothing if no direction leads straight there
    /// - `direction(place("a1"), place("a3"))` = n
    /// - `direction(place("a1"), place("c3")) == nothing` = true
    "direction" |api, from: Place, to: Place| {
        api.on_a_board()?;
        let direction = api.look(|t| t.rules.board.direction(from, to));
        api.direction_name(direction)
    };
    /// Returns the direction that leads most nearly from one place to another. If two are equally near,
    /// returns the one further clockwise.
    /// - from: a place
    /// - to: a place
    /// - gives: text: the direction; nothing if both places are the same
    /// - error: the game is played on a table top; places do not touch there
    /// - `nearest_direction(place("a1"), place("c3"))` = ne
    "nearest_direction" |api, from: Place, to: Place| {
        api.on_a_board()?;
        let direction = api.look(|t| t.rules.board.nearest_direction(from, to));
        api.direction_name(direction)
    };
    /// Returns the direction after a number of turns.
    /// - direction: one of `directions()`
    /// - turns: number of turns clockwise; a number below 0 turns the other way
    /// - gives: text: the direction
    /// - error: the board has no such direction; the message suggests the closest name
    /// - `turned("n", 1)` = ne
    /// - `turned("n", -2)` = sw
    /// - `turned("up", 1)` fails: there is no direction `up`
    "turned" |api, direction: Word, turns: Int| {
        api.on_a_board()?;
        let turned: NativeResult<_> = api.look(|t| Ok(t.rules.board.turned(api.direction(t, direction)?, turns)));
        api.direction_name(Some(turned?))
    };
    /// Returns the place beside another place, in a direction.
    /// - place: the place to start from
    /// - direction: one of `directions()`
    /// - gives: place; nowhere if it would be off the board, or terrain on the edge between blocks steps
    /// - error: the game is played on a table top; places do not touch there
    /// - error: the board has no such direction; the message suggests the closest name
    /// - `neighbour(here, "n")` = b3
    /// - `neighbour(place("a3"), "n") == nowhere` = true
    /// - `neighbour(place("c2"), "n") == nowhere` = true
    "neighbour" |api, place: Place, direction: Word| { api.on_a_board()?; api.look(|t| {
        let beside = t.rules.board.neighbour(place, api.direction(t, direction)?);
        Ok(beside.filter(|beside| t.world.adjacency().touch(place, *beside)))
    }) };
    /// Returns the place straight ahead in a direction, at a number of steps. Positions on the way where a drawn map has
    /// no place count too, and nothing on edges stops the line.
    /// - place: the place to start from
    /// - direction: one of `directions()`
    /// - steps: number of steps; 0 gives the place itself
    /// - gives: place; nowhere if it would be off the board, or if `steps` is below 0
    /// - error: the game is played on a table top; places do not touch there
    /// - error: the board has no such direction; the message suggests the closest name
    /// - `neighbour(place("a1"), "n", 2)` = a3
    /// - `neighbour(place("a1"), "n", 5) == nowhere` = true
    "neighbour" |api, place: Place, direction: Word, steps: Int| {
        api.on_a_board()?;
        api.work(api.table.rules.board.longest_line().min(steps.max(0) as usize))?;
        api.look(|t| {
            let direction = api.direction(t, direction)?;
            Ok(usize::try_from(steps).ok().and_then(|steps| t.rules.board.ahead(place, direction, steps)))
        })
    };
    /// Returns the places straight ahead in a direction, up to a number of steps. The line passes over
    /// positions where a drawn map has no place, and over edges that block steps. Places without terrain are included.
    /// - place: the place to start from; it is not in the result
    /// - direction: one of `directions()`
    /// - steps: maximum number of steps
    /// - gives: places
    /// - error: the game is played on a table top; places do not touch there
    /// - error: the board has no such direction; the message suggests the closest name
    /// - `ray(place("a1"), "n", 5)` = [a2, a3]
    "ray" |api, place: Place, direction: Word, steps: Int| {
        api.on_a_board()?;
        let board = &api.table.rules.board;
        api.work(board.longest_line().min(board_steps(steps)))?;
        api.look(|t| Ok(t.rules.board.ray(place, api.direction(t, direction)?, board_steps(steps))))
    };
    /// Returns the places at exactly a number of steps.
    /// - place: the place to start from
    /// - steps: number of steps
    /// - gives: places
    /// - error: the game is played on a table top; places do not touch there
    /// - `ring(place("a1"), 1)` = [b1, a2, b2]
    "ring" |api, place: Place, steps: Int| api.on_a_board().and_then(|()| ok(api.look(|t| match usize::try_from(steps) {
        Ok(steps) => t.rules.board.ring(place, steps),
        Err(_) => PlaceSet::EMPTY,
    })));
    /// Returns the places within a number of steps that lie in an arc around a direction. Places on the
    /// border of the arc are included.
    /// - place: the place to start from; it is not in the result
    /// - direction: one of `directions()`: the middle of the arc
    /// - width: number of turns that the arc spans: 0 is straight ahead only, 2 goes from one turn left to one turn right
    /// - steps: maximum number of steps
    /// - gives: places
    /// - error: the game is played on a table top; places do not touch there
    /// - error: the board has no such direction; the message suggests the closest name
    /// - error: the width is below 0
    /// - `arc(here, "n", 2, 1)` = [a2, c2, b3]
    /// - `arc(here, "n", 0, 5)` = [b3]
    "arc" |api, place: Place, direction: Word, width: Int, steps: Int| {
        api.on_a_board()?;
        if width < 0 {
            return Err(rule(format!("an arc spans 0 turns or more, not {width}")));
        }
        let (width, steps) = (width.min(64) as usize, board_steps(steps));
        api.work(api.look(|t| t.rules.board.within(place, steps).len()))?;
        api.look(|t| Ok(t.rules.board.arc(place, api.direction(t, direction)?, width, steps)))
    };
    /// Returns the places of a set that can be reached from a place by steps that stay inside the set.
    /// - place: the place to start from
    /// - places: a set of places
    /// - gives: places, including the first; empty if the first is not in the set
    /// - error: the game is played on a table top; places do not touch there
    /// - `connected(place("a1"), side.home)` = [a1, b1, c1, d1]
    /// - `connected(place("a1"), no_places() | place("a1") | place("c1"))` = [a1]
    "connected" |api, place: Place, places: Places| {
        api.on_a_board()?;
        api.work(places.len())?;
        ok(api.look(|t| t.world.adjacency().connected(place, places)))
    };
    /// Returns the places on the straight line between the middles of two places. Where the line follows an
    /// edge or goes through a corner, `lines` in `board()` decides which places it meets.
    /// - from: a place
    /// - to: a place
    /// - gives: places, without the two ends
    /// - `line(place("a1"), place("a3"))` = [a2]
    /// - `line(place("a1"), place("c1"))` = [b1, b2]
    "line" |api, from: Place, to: Place| ok(api.sight(from, to)?.places());
    /// Returns true if nothing blocks sight from one place to another. Only the given places block it, and edges with
    /// terrain that blocks sight. The two ends never block sight, and the result is the same for every unit.
    /// - from: a place
    /// - to: a place
    /// - blockers: the places that block sight
    /// - gives: true or false
    /// - `in_sight(place("a1"), place("a3"), no_places() | place("a2"))` = false
    /// - `in_sight(place("a1"), place("c1"), no_places() | place("b2"))` = true
    "in_sight" |api, from: Place, to: Place, blockers: Places| {
        let sight = api.sight(from, to)?;
        ok(sight.is_free(&(blockers | api.look(|t| t.world.opaque_edges(&t.rules)))))
    };
    /// Returns true if nothing blocks sight from one place to another. `blocks_sight` decides for each place
    /// in between.
    /// - from: a place
    /// - to: a place
    /// - gives: true or false
    /// - error: game.rhai does not define `blocks_sight`
    /// - `in_sight(place("a1"), place("a3"))` fails: nothing says what blocks sight
    "in_sight" |api, from: Place, to: Place| api.in_sight(from, to);

    "Movement":
    /// Returns the places where a unit can end a walk of at most a number of steps.
    /// - me: the unit that walks
    /// - steps: maximum number of steps, or maximum total cost if the game defines `cost_to_enter`. A limit on steps never has to be larger than the number of places
    /// - gives: places: those with room that `may_enter` and `may_join` allow; empty if `may_leave` does not let the unit go
    /// - error: `cost_to_enter` returns something that is not a cost
    /// - `walk(me, 1)` = [b1, a2, b2]
    "walk" |api, me: Unit, steps: Int| match api.table.rules.plane() {
        None => { let places = api.walk(me, steps, false)?; Ok(api.heap.of_places(places)) }
        Some(_) => { let most = api.length(steps.into())?; api.region(me, Travel::Walk(most)) }
    };
    /// Returns the places where a unit can end a walk of exactly a number of steps.
    /// - me: the unit that walks
    /// - steps: number of steps: at most 64, or at most the number of places if there are more than 64
    /// - gives: places, chosen as by `walk`
    /// - error: the game is played on a table top; places do not touch there
    /// - error: `steps` is larger than that
    /// - error: steps have costs (`cost_to_enter`)
    /// - `walk_exactly(me, 2).len` = 5
    /// - `walk_exactly(me, 65)` fails: walk_exactly counts at most 64 steps on this board, not 65
    "walk_exactly" |api, me: Unit, steps: Int| { api.on_a_board()?; ok(api.walk(me, steps, true)?) };
    /// Returns the places on a unit's cheapest path to a place. The path goes over ground and past units of
    /// the unit's own faction only. If several paths cost the same, returns one with the fewest steps.
    /// - me: the unit that moves
    /// - place: the goal; the unit does not need to be allowed to end there
    /// - gives: list of places, from the first step to the last; empty if no path leads there
    /// - error: `cost_to_enter` returns something that is not a cost
    /// - `way(me, place("a3"))` = [a2, a3]
    "way" |api, me: Unit, place: Place| {
        api.on_a_board()?;
        let way = api.ways(me, u64::MAX)?.map(|ways| ways.way(place));
        api.list(way.unwrap_or_default().into_iter().map(Value::from))
    };
    /// Returns the cost of a unit's cheapest path to a place. Without `cost_to_enter`, this is the number of
    /// steps.
    /// - me: the unit that moves
    /// - place: the goal; the unit does not need to be allowed to end there
    /// - gives: number; nothing if no path leads there
    /// - error: `cost_to_enter` returns something that is not a cost
    /// - `way_cost(me, place("a3"))` = 2
    "way_cost" |api, me: Unit, place: Place| {
        api.on_a_board()?;
        let cost = api.ways(me, u64::MAX)?.and_then(|ways| ways.cost(place));
        ok(cost.map(|cost| i64::try_from(cost).unwrap_or(i64::MAX)))
    };
    /// Returns the places of a set where a unit may end its movement.
    /// - me: the unit that moves, by any kind of movement
    /// - places: the places to check
    /// - gives: places: those with room that `may_enter` and `may_join` allow
    /// - `may_end(me, side.home)` = [a1, b1, c1, d1]
    "may_end" |api, me: Unit, places: Places| { api.on_a_board()?; ok(api.may_end(me, places)?) };
    /// Lets the owner choose where the unit walks with its stat `move`, or that it stays. The label of the
    /// choice is `move`. On a table top the unit can go to any spot of `walk(me, me.move)`.
    /// - me: the unit that moves
    /// - gives: nothing
    /// - error: units have no stat `move`
    /// - `march(me)` asks: stay, b1, c1, a2, b2, a3, b3
    "march" |api, me: Unit| {
        let said = match api.program.moves {
            Some(moves) => {
                let said = api.get(moves, me.into());
                api.answer(said)?
            }
            None => number_of(api.table, me, "move")?.into(),
        };
        let kind = || rule(format!("`march` goes as far as `move` says: a number, not {}", said.kind().noun()));
        let offered = match api.table.rules.plane() {
            None => {
                let places = api.walk(me, said.as_int().ok_or_else(kind)?, false)?;
                api.heap.of_places(places)
            }
            Some(_) => { let most = api.length(said)?; api.region(me, Travel::Walk(most))? }
        };
        api.travel(me, offered)
    };
    /// Lets the owner choose one of the places for the unit to move to, or that it stays. The label of the
    /// choice is `move`.
    /// - me: the unit that moves
    /// - places: the places that the owner can choose from
    /// - gives: nothing
    /// - `travel(me, walk(me, 1))` asks: stay, b1, a2, b2
    "travel" |api, me: Unit, places: Places| { let places = api.heap.of_places(places); api.travel(me, places) };

    "The table top":
    /// Returns the spot at these distances on the table top. Spots are used for the middle of a unit's base.
    /// - x: distance from the left edge
    /// - y: distance from the lower edge
    /// - gives: spot
    /// - `spot(12, 7.5)` = 12.000,7.500
    "spot" |api, x: Any, y: Any| api.spot(x, y);
    /// Returns the spot at a distance from another spot, in a direction. It may lie beyond the table.
    /// - from: a spot
    /// - degrees: whole degrees, counted anticlockwise from the right, as in `angle`
    /// - length: the distance
    /// - gives: spot, never farther away than that
    /// - error: the spot lies beyond the largest possible table
    /// - `spot(spot(2, 2), 90, 3)` = 2.000,5.000
    /// - `spot(spot(2, 2), -90, 1.5)` = 2.000,0.500
    "spot" |api, from: Spot, degrees: Int, length: Any| api.spot_toward(from, degrees, length);
    /// Returns the direction from one spot to another, to the nearest degree.
    /// - from: a spot
    /// - to: a spot
    /// - gives: number: whole degrees from 0 to 359, counted anticlockwise from the right; 0 if both spots are the same
    /// - `angle(spot(2, 2), spot(5, 5))` = 45
    /// - `angle(spot(2, 2), spot(2, 0))` = 270
    "angle" |_api, from: Spot, to: Spot| ok(from.angle(to));
    /// Returns the distance between two units, from the edge of one base to the edge of the other. On a
    /// board, returns the number of steps between them.
    /// - me: a unit
    /// - other: a unit
    /// - gives: length, 0 if they touch, rounded up to a thousandth; nothing if one of them is not on the table or board
    /// - `distance(me, foe)` = 2
    "distance" |api, me: Unit, other: Unit| api.apart(me.into(), other.into());
    /// Returns the distance from a unit to the nearest of several units, measured in the same way.
    /// - me: a unit
    /// - others: a set of units; those that are not on the table or board are ignored
    /// - gives: length, 0 if they touch; nothing if no unit is left to measure to, or if the unit itself is not there
    /// - `distance(me, me.foes)` = 2
    "distance" |api, me: Unit, others: Units| api.apart_from(me, others);
    /// Returns the distance from a spot to the edge of a unit's base.
    /// - me: a unit
    /// - other: a spot
    /// - gives: length; 0 if the spot is on the base
    /// - `distance(me, spot(12, 2))` = 6.5
    "distance" |api, me: Unit, other: Spot| api.apart(me.into(), other.into());
    /// Returns the distance from a piece of terrain to the edge of a unit's base. On a board, returns the
    /// number of steps to a place.
    /// - me: a unit
    /// - piece: a piece of terrain, or a place of the board
    /// - gives: length, 0 if they touch; nothing if one of them is not on the table or board
    /// - `distance(me, place("piece1"))` = 1
    "distance" |api, me: Unit, piece: Place| api.apart(me.into(), piece.into());
    /// Returns the distance between two spots.
    /// - from: a spot
    /// - to: a spot
    /// - gives: length, rounded up to a thousandth
    /// - `distance(spot(0, 0), spot(3, 4))` = 5
    "distance" |api, from: Spot, to: Spot| api.apart(from.into(), to.into());
    /// Returns the other units within a distance, measured from base to base.
    /// - unit: a unit
    /// - length: maximum distance
    /// - gives: units of every faction
    /// - `me.units_within(2.5)` = [blue.scouts1]
    "units_within" |api, unit: Unit, length: Length| { let near = api.near(unit, length)?; ok(near - UnitSet::one(unit)) };
    /// Returns the opposing units within a distance, measured from base to base.
    /// - unit: a unit
    /// - length: maximum distance
    /// - gives: units
    /// - `me.foes_within(2.5)` = [blue.scouts1]
    "foes_within" |api, unit: Unit, length: Length| {
        let near = api.near(unit, length)?;
        ok(api.look(|t| near - t.world.owned(t.world.unit(unit).owner)))
    };
    /// Returns the region that a unit can reach in a straight line without touching anything on the way. A
    /// base or a piece of terrain for which `blocks_movement` is true stops it.
    /// - me: the unit that moves
    /// - most: maximum length of the line
    /// - gives: region
    /// - error: the unit is not on the table
    /// - `leap(me, 2)` = a region
    "leap" |api, me: Unit, most: Any| { let most = api.length(most)?; api.region(me, Travel::Leap(0, most)) };
    /// Returns the same region for a line that also has a minimum length.
    /// - me: the unit that moves
    /// - least: minimum length of the line
    /// - most: maximum length of the line
    /// - gives: region
    /// - `leap(me, 2, 2).has(spot(3.5, 2))` = false
    "leap" |api, me: Unit, least: Any, most: Any| {
        let (least, most) = (api.length(least)?, api.length(most)?);
        api.region(me, Travel::Leap(least, most))
    };
    /// Returns the last spot on the straight line from a unit to a spot that the unit can reach without touching anything,
    /// for a charge that stops where something is in its way.
    /// - me: the unit that moves
    /// - to: the end of the line
    /// - gives: spot; the unit's own one if it cannot move at all
    /// - error: the unit is not on the table
    /// - `last_free(me, spot(3.5, 2))` = 3.500,2.000
    "last_free" |api, me: Unit, to: Spot| api.last_free(me, to);
    /// Returns the region that a unit can reach on any path around bases and around pieces of terrain that
    /// block movement.
    /// - me: the unit that moves
    /// - most: maximum length of the path
    /// - gives: region
    /// - error: the unit is not on the table
    /// - `walk(me, 2.5)` = a region
    "walk" |api, me: Unit, most: Length| { let most = api.length(most)?; api.region(me, Travel::Walk(most)) };
    /// Returns the region inside a rectangle where a unit's whole base fits, for example a deployment zone.
    /// - me: the unit that is placed
    /// - left: left side of the rectangle, measured from the left edge of the table
    /// - low: lower side, measured from the lower edge of the table
    /// - right: right side, measured from the left edge of the table
    /// - high: upper side, measured from the lower edge of the table
    /// - gives: region
    /// - `room(me, 0, 0, 3, 3)` = a region
    "room" |api, me: Unit, left: Any, low: Any, right: Any, high: Any| {
        let edges = [api.length(left)?, api.length(low)?, api.length(right)?, api.length(high)?];
        api.region(me, Travel::Within(edges))
    };
    /// Returns the spots of a piece of terrain, or of a zone, that a unit can aim at. A player answers with a
    /// spot: `12.4,7`, or `3 toward NAME`, measured from the unit that aims, or from the middle of the region
    /// if the unit is not there.
    /// - me: the unit that aims
    /// - piece: a piece of terrain, or a zone
    /// - not: units; spots that they cover cannot be aimed at
    /// - gives: region
    /// - error: the piece is not on the table
    /// - `aims(me, place("piece1"), no_units())` = a region
    "aims" |api, me: Unit, piece: Place, not: Units| api.aims(me, piece, &not);
    /// Asks a unit's owner or a faction to choose an option or to name a spot. Agents and odds look only at
    /// the listed options.
    /// - who: a unit, whose owner is asked, or a faction
    /// - label: a name for the choice
    /// - options: units, words or other values that most players will want
    /// - region: the spots that can be named besides
    /// - gives: one of the options or a spot
    /// - error: there is no option
    /// - `choose(me, "at", ["hold"], aims(me, place("piece1"), no_units()))` asks: hold
    "choose" |api, who: Any, label: Word, options: Any, region: Region| {
        api.choose_or(who, None, label, (options, None), OpenEnd::Spots(region))
    };
    /// Returns true if a spot is in a region.
    /// - region: a region
    /// - spot: a spot
    /// - gives: true or false
    /// - `leap(me, 2).has(spot(3.5, 2))` = true
    /// - `leap(me, 2).has(spot(7.5, 2))` = false
    "has" |api, region: Region, spot: Spot| api.has(region.as_ref(), spot);
    /// Returns how much of a unit's base can be seen from the middle of another base. Pieces of terrain block
    /// sight if `blocks_sight` says so.
    /// - me: the unit that looks
    /// - other: the unit that it looks at
    /// - gives: text: `"free"`, `"partly"` or `"hidden"`; nothing if one of them is not on the table
    /// - `sight(me, foe)` = free
    "sight" |api, me: Unit, other: Unit| api.visible_part(me, other, false);
    /// Returns the same, but bases of other units can block sight too.
    /// - me: the unit that looks
    /// - other: the unit that it looks at
    /// - with_bases: true if bases block sight
    /// - gives: text: `"free"`, `"partly"` or `"hidden"`
    /// - `sight(me, foe, true)` = free
    "sight" |api, me: Unit, other: Unit, with_bases: Bool| api.visible_part(me, other, with_bases);
    /// Returns the same, but only these pieces of terrain block sight; `blocks_sight` is ignored. Use it, for
    /// example, for all woods except those in which one of the two units stands.
    /// - me: the unit that looks
    /// - other: the unit that it looks at
    /// - pieces: the pieces that block sight
    /// - gives: text: `"free"`, `"partly"` or `"hidden"`; nothing if one of them is not on the table
    /// - `sight(me, foe, no_places())` = free
    "sight" |api, me: Unit, other: Unit, pieces: Places| api.visible_part_past(me, other, &pieces, false);
    /// Returns the pieces of terrain between two bases: those that the straight line between the middles
    /// crosses, and those that leave no room for the line.
    /// - me: a unit
    /// - other: a unit
    /// - gives: places
    /// - `between(me, foe)` = []
    "between" |api, me: Unit, other: Unit| ok(api.crossed(me, other)?);
    /// Returns the diagonal of a rectangle.
    /// - wide: length of one side
    /// - deep: length of the other side
    /// - gives: length, rounded down to a thousandth
    /// - `diagonal(3, 4)` = 5
    /// - `diagonal(1, 1)` = 1.414
    "diagonal" |api, wide: Any, deep: Any| {
        let (wide, deep) = (api.length(wide)?, api.length(deep)?);
        diagonal(wide, deep).map(Value::of_length).ok_or_else(|| rule("the diagonal is longer than any length"))
    };
    /// Returns a length as a whole number of the game's units of length, rounded down.
    /// - length: a length
    /// - gives: number, rounded down
    /// - `rounded_down(7.9)` = 7
    "rounded_down" |api, length: Any| ok(whole(api.length(length)?, false));
    /// Returns a length as a whole number of the game's units of length, rounded up.
    /// - length: a length
    /// - gives: number, rounded up
    /// - `rounded_up(7.1)` = 8
    "rounded_up" |api, length: Any| ok(whole(api.length(length)?, true));
    /// Moves a unit to a spot.
    /// - unit: the unit that moves
    /// - to: the new spot. The path is not checked; `leap` and `walk` check it
    /// - gives: nothing
    /// - error: the base would overlap another base or the edge of the table
    /// - `move(me, spot(12, 2))` -> red.scouts1  5.000,2.000->12.000,2.000
    "move" |api, unit: Unit, to: Spot| api.act(Effect::Put(unit, to.into()), Cause::default());
    /// Moves a unit to a spot and gives a reason.
    /// - unit: the unit that moves
    /// - to: the new spot
    /// - word: the reason
    /// - gives: nothing
    /// - `move(me, spot(12, 2), "retreat")` -> red.scouts1  5.000,2.000->12.000,2.000  (by retreat)
    "move" |api, unit: Unit, to: Spot, word: Word| api.act_by(Effect::Put(unit, to.into()), word, None);
    /// Puts a unit on a spot, also from the reserve.
    /// - unit: the unit that is placed
    /// - at: the spot
    /// - gives: nothing
    /// - error: the base would overlap another base or the edge of the table
    /// - `put(me, spot(12, 2))` -> red.scouts1  5.000,2.000->12.000,2.000
    "put" |api, unit: Unit, at: Spot| api.act(Effect::Put(unit, at.into()), Cause::default());

    /// Lays a round piece of terrain on the table top. It uses the first piece that is not on the table yet.
    /// - terrain: the kind of terrain
    /// - at: the middle of the piece
    /// - diameter: width of the piece
    /// - gives: place: the piece
    /// - error: all pieces are on the table already, or the width is 0
    /// - `lay_disc(terrain("mud"), spot(12, 12), 3)` -> piece2  mud laid: disc(12,12,3)
    "lay_disc" |api, terrain: Terrain, at: Spot, diameter: Any| {
        let diameter = i32::try_from(api.length(diameter)?).unwrap_or(i32::MAX);
        api.lay_piece(terrain, Form::Disc(at, diameter))
    };
    /// Lays a rectangular piece of terrain on the table top.
    /// - terrain: the kind of terrain
    /// - low: its lower left corner
    /// - high: its upper right corner
    /// - gives: place: the piece
    /// - error: all pieces are on the table already, or the rectangle has no area
    /// - `lay_box(terrain("mud"), spot(12, 12), spot(15, 13.5))` -> piece2  mud laid: box(12,12,15,13.5)
    /// - `lay_box(terrain("mud"), spot(12, 12), spot(12, 13))` fails: it has no area
    "lay_box" |api, terrain: Terrain, low: Spot, high: Spot| api.lay_piece(terrain, Form::Box(low, high));

    "The arena":
    /// Throws a die from the board, or from the hand (the reserve). The die flies, bounces and pushes other
    /// dice. When the call returns, all dice lie in their new positions, and dice that fell off are in
    /// reserve.
    /// - die: the die that is thrown
    /// - label: a name for the throw, in a word or two; scenarios use it to state results
    /// - target: a die, a zone or a spot; the middle of the die is aimed at it
    /// - how: map: `hard`, the speed along the board in cm a second, 0 drops the die; `high`, the height of the start in cm (10 if left out); `side`, the side from which the die comes, in degrees anticlockwise from the right (270); `spin`, forward turns a second (0); `miss`, the largest aiming error to each side in cm (0); `slip`, the largest error of the speed in per cent (0)
    /// - gives: map: `first`, the die that was touched first, or nothing; `touched`, a list of all touched dice in order; `direct`, true if the throw touched a die before the board; `landed`, the spot where the die first touched the board, or nothing; `left`, the units that fell off; `moved`, the units that lie differently now, including the thrown die unless it fell off; `settled`, true if all dice came to rest
    /// - error: the target is not on the board, `hard` is missing, a number is out of range, or the phase is simultaneous
    /// - `throw_at(me, "attack", foe, #{ hard: 120, high: 6 }).touched` = [blue.scouts1]
    /// - `throw_at(me, "attack", foe, #{ high: 6 })` fails: the throw does not say how hard
    /// - `throw_at(me, "attack", spot(60, 3), #{ hard: 100 })` fails: lies beyond the board
    "throw_at" |api, die: Unit, label: Word, target: Any, how: Map| api.throw(die, label, target, how);
    /// Puts everything that the last throw of the step moved back to where it lay before.
    /// - word: the reason
    /// - gives: nothing
    /// - error: nothing was thrown in the step
    /// - `take_back_throw("missed")` fails: nothing was thrown in this step
    "take_back_throw" |api, word: Word| { let cause = api.cause(word, None)?; api.take_back(cause) };
    /// Lays a die flat at a spot, with this face up (for a D4: down).
    /// - die: the die that is laid down
    /// - at: the spot for its middle
    /// - face: the number that it shows
    /// - word: the reason
    /// - gives: nothing
    /// - error: the die has no such face, or the spot is taken by another die or off the board
    /// - `lay_die(me, spot(12, 20), 6, "placed"); me.face` = 6
    /// - `lay_die(me, spot(12, 20), 7, "placed")` fails: red.scouts1 has no face 7; its faces are 1 to 6
    "lay_die" |api, die: Unit, at: Spot, face: Int, word: Word| {
        let cause = api.cause(word, None)?;
        api.lay_die(die, at, face, cause)
    };
    /// Returns a free spot for a die at a spot or near it. If the spot is taken, the search goes outward in
    /// rings that are half a die apart, as far as the board is wide. A nearer free spot between two rings is
    /// not found.
    /// - die: the die that needs room
    /// - at: the preferred spot
    /// - gives: spot, or nothing if there is no free spot
    /// - `free_spot(me, spot(12, 20))` = 12.000,20.000
    "free_spot" |api, die: Unit, at: Spot| ok(api.free_spot(die, at)?);
    /// Returns true if the face on which a die lies is completely inside a zone. A face that touches the
    /// zone's line is not inside.
    /// - die: a die
    /// - zone: a zone of the arena
    /// - gives: true or false; false if the die is not on the board
    /// - `me.lies_in(place("bounds"))` = true
    "lies_in" |api, die: Unit, zone: Place| ok(api.zoned(die, zone, false)?.0);
    /// Returns the same, and `with_edges` decides if the bevelled edges of the face count.
    /// - die: a die
    /// - zone: a zone of the arena
    /// - with_edges: true to measure the face as if its edges were sharp
    /// - gives: true or false; false if the die is not on the board
    /// - `me.lies_in(place("bounds"), true)` = true
    "lies_in" |api, die: Unit, zone: Place, with_edges: Bool| ok(api.zoned(die, zone, with_edges)?.0);
    /// Returns true if any part of the face on which a die lies is inside a zone or touches its line.
    /// - die: a die
    /// - zone: a zone of the arena
    /// - gives: true or false; false if the die is not on the board
    /// - `me.lies_on(place("target"))` = false
    "lies_on" |api, die: Unit, zone: Place| ok(api.zoned(die, zone, false)?.1);

    "Choices and dice":
    /// Asks a unit's owner or a faction to choose.
    /// - who: a unit, whose owner is asked, or a faction
    /// - label: a name for the choice, in a word or two; stored answers are matched by it
    /// - options: units, places, dice, a range of numbers such as `0..=3`, or a list of units, places, spots, factions, unit types, numbers and words. A list of two or three of these inside the list is one option
    /// - gives: one of the options; a single option is chosen without asking
    /// - error: there is no option, the label contains `:` or a line break, or a word reads like another option. An option that is listed twice counts once
    /// - `choose(side, "wind", ["north", "south"])` asks: north, south
    /// - `choose(me, "target", me.foes)` asks: blue.scouts1, blue.guards1
    /// - `choose(side, "march", [[me, place("a2")], [me, place("b2")]])` asks: red.scouts1 a2, red.scouts1 b2
    /// - `choose(side, "wind", [])` fails: nothing to choose for `wind`
    "choose" |api, who: Any, label: Word, options: Any| api.choose(who, None, label, options, None);
    /// Asks a unit's owner or a faction to choose. A word is offered as the first option.
    /// - who: a unit, whose owner is asked, or a faction
    /// - label: a name for the choice
    /// - options: units, places, dice, numbers or a list; may be empty
    /// - word: the first option, such as `decline`
    /// - gives: one of the options or the word
    /// - `choose(me, "target", me.foes, "decline")` asks: decline, blue.scouts1, blue.guards1
    "choose" |api, who: Any, label: Word, options: Any, word: Word| {
        api.choose(who, None, label, options, Some(word))
    };
    /// Asks a unit's owner or a faction to choose an option or to name a number. Agents and odds look only at
    /// the listed options.
    /// - who: a unit, whose owner is asked, or a faction
    /// - label: a name for the choice
    /// - options: words, units or other values that most players will want
    /// - numbers: the range of numbers that can be named besides
    /// - gives: one of the options or a number
    /// - error: there is no option, or the range is empty
    /// - `choose(side, "strength", ["weak", "hard"], 0..=400)` asks: weak, hard
    "choose" |api, who: Any, label: Word, options: Any, numbers: Range| {
        let (from, to) = numbers;
        if from > to {
            return Err(rule(format!("the numbers from {from} to {to} are none: `choose` takes the least first")));
        }
        api.choose_or(who, None, label, (options, None), OpenEnd::Numbers(from, to))
    };
    /// Asks a unit's owner or a faction to choose something about a unit.
    /// - who: a unit, whose owner is asked, or a faction
    /// - about: the unit that the question is about; it is recorded
    /// - label: a name for the choice
    /// - options: units, places, dice, numbers or a list
    /// - gives: one of the options
    /// - `choose(side, foe, "damage", 0..=2)` asks: 0, 1, 2
    "choose" |api, who: Any, about: Unit, label: Word, options: Any| {
        api.choose(who, Some(Thing::Unit(about)), label, options, None)
    };
    /// Asks a unit's owner or a faction to choose something about a place.
    /// - who: a unit, whose owner is asked, or a faction
    /// - about: the place that the question is about; it is recorded
    /// - label: a name for the choice
    /// - options: units, places, dice, numbers or a list
    /// - gives: one of the options
    /// - `choose(side, here, "fire", ["yes", "no"])` asks: yes, no
    "choose" |api, who: Any, about: Place, label: Word, options: Any| {
        api.choose(who, Some(Thing::Place(about)), label, options, None)
    };
    /// Shows a number with the next question of the step. The prompt and the page show it beside the
    /// question. It changes nothing and is not recorded.
    /// - name: a name for the number, in a word or two
    /// - number: a number or a length
    /// - gives: nothing
    /// - error: the name is empty or contains a line break
    /// - `beside("points left", 3); choose(side, "wind", ["north", "south"])` asks: north, south
    /// - `beside("", 3)` fails: is no line of words
    "beside" |api, name: Word, number: Any| api.beside(name, number);
    /// Asks for a fixed number of things at once, as one question with one answer.
    /// - who: a unit, whose owner is asked, or a faction
    /// - label: a name for the choice, in a word or two; stored answers are matched by it
    /// - things: units, places, dice, numbers or a list of units, places, factions, types, numbers and single words; a thing that is listed several times can be taken several times
    /// - n: how many things to take
    /// - gives: list of the things taken, in the order in which they were offered; the key of the answer lists them with spaces in between
    /// - error: there are too few things, or more than 10,000 ways to take them
    /// - `choose_several(side, "guards", ["a", "b", "c"], 2)` asks: a b, a c, b c
    /// - `choose_several(side, "dice", [6, 6, 3], 2)` asks: 6 6, 6 3
    /// - `choose_several(side, "guards", me.foes, 2)` = [blue.scouts1, blue.guards1]
    /// - `choose_several(side, "guards", me.foes, 3)` fails: cannot take 3 of 2
    /// - `choose_several(side, "guards", 1..=40, 10)` fails: 10000 are the most
    "choose_several" |api, who: Any, label: Word, things: Any, n: Int| {
        let n = usize::try_from(n).map_err(|_| rule(format!("`choose_several` cannot take {n}")))?;
        api.choose_ways(who, label, things, PickCount::Some(n, n))
    };
    /// Asks for several things at once, with a minimum and a maximum number.
    /// - who: a unit, whose owner is asked, or a faction
    /// - label: a name for the choice
    /// - things: units, places, dice, numbers or a list
    /// - least: minimum number of things to take
    /// - most: maximum number of things to take; may be larger than the number of things
    /// - gives: list of the things taken; the key of the answer is `none` if nothing is taken
    /// - error: there are too few things, or more than 10,000 ways to take them
    /// - `choose_several(side, "scouts", me.foes, 0, 1)` asks: none, blue.scouts1, blue.guards1
    "choose_several" |api, who: Any, label: Word, things: Any, least: Int, most: Int| {
        let number = |n: i64| {
            usize::try_from(n).map_err(|_| rule(format!("`choose_several` cannot take {n}")))
        };
        let ways = PickCount::Some(number(least)?, number(most)?);
        api.choose_ways(who, label, things, ways)
    };
    /// Asks for an order of things, as one question with one answer.
    /// - who: a unit, whose owner is asked, or a faction
    /// - label: a name for the choice
    /// - things: units, places, dice, numbers or a list
    /// - gives: list of all the things in the chosen order; the key of the answer lists them with spaces in between
    /// - error: there are more than 10,000 possible orders, as with 8 things or more
    /// - `choose_order(side, "march", side.units)` asks: red.scouts1 red.guards1, red.guards1 red.scouts1
    /// - `choose_order(side, "march", 1..=8)` fails: `march` can be answered in 40320 ways
    "choose_order" |api, who: Any, label: Word, things: Any| {
        api.choose_ways(who, label, things, PickCount::Order)
    };
    /// Rolls dice and sorts them from low to high.
    /// - who: a unit, a faction or a place; it is recorded
    /// - label: a name for the roll; scenarios use it to state results
    /// - dice: number of dice, 1 to 100
    /// - sides: number of sides of each die, 2 to 1,000
    /// - gives: dice, sorted from low to high
    /// - error: there are too many dice or sides, the label is not one line, or a roll stated by the scenario does not fit
    /// - `roll(me, "morale", 2, 6).len` = 2
    /// - `roll(me, "morale", 0, 6)` fails: a roll is of 1 to
    "roll" |api, who: Any, label: Word, dice: Int, sides: Int| {
        api.roll(who, label, dice, sides)
    };

    "Effects":
    /// Moves a unit to a place.
    /// - unit: the unit that moves
    /// - place: the new place. `may_leave` and `may_enter` are not checked; `walk` and `may_end` check them. On a table top the unit goes to the middle of that piece
    /// - gives: nothing; in a simultaneous phase the unit moves at the end, if there is room then (`stack`). A removed unit does not move
    /// - error: the place is full
    /// - `move(me, place("c2"))` -> red.scouts1  a1->c2
    "move" |api, unit: Unit, place: Place| api.act(Effect::Put(unit, place.into()), Cause::default());
    /// Moves a unit to a place and gives a reason.
    /// - unit: the unit that moves
    /// - place: the new place
    /// - word: the reason
    /// - gives: nothing
    /// - `move(foe, place("c3"), "retreat")` -> blue.scouts1  b2->c3  (by retreat)
    "move" |api, unit: Unit, place: Place, word: Word| api.act_by(Effect::Put(unit, place.into()), word, None);
    /// Puts a unit on a place, also from the reserve.
    /// - unit: the unit that is placed
    /// - place: the new place; on a table top the unit goes to the middle of that piece
    /// - gives: nothing; in a simultaneous phase the unit is placed at the end, if there is room then (`stack`). A removed unit is not placed
    /// - error: the place is full
    /// - `put(me, here); enlist(side, unit_type("scouts")); put(side.units.last, here)` fails: cannot come to b2
    /// - `put(me, place("d1"))` -> red.scouts1  a1->d1
    "put" |api, unit: Unit, place: Place| api.act(Effect::Put(unit, place.into()), Cause::default());
    /// Puts a unit on a place, also from the reserve, and gives a reason.
    /// - unit: the unit that is placed
    /// - place: a place
    /// - word: the reason
    /// - gives: nothing
    /// - `put(me, place("d1"), "reinforcements")` -> red.scouts1  a1->d1  (by reinforcements)
    "put" |api, unit: Unit, place: Place, word: Word| api.act_by(Effect::Put(unit, place.into()), word, None);
    /// Puts a unit on a place and states who did it.
    /// - unit: the unit that is placed
    /// - place: a place
    /// - word: the reason
    /// - by: a unit, a faction or a place
    /// - gives: nothing
    /// - `put(foe, place("d1"), "push", me)` -> blue.scouts1  b2->d1  (by push, red.scouts1)
    "put" |api, unit: Unit, place: Place, word: Word, by: Any| api.act_by(Effect::Put(unit, place.into()), word, Some(by));
    /// Subtracts damage from the slot with `hit: true`, or from the only slot with `at_zero`. The unit, place
    /// or faction of the step counts as the cause.
    /// - unit: the unit that is hit
    /// - damage: the amount to subtract; 0 or less does nothing
    /// - word: the reason, such as the name of an ability
    /// - gives: nothing
    /// - error: units have no such slot
    /// - `hit(foe, 2, "volley")` -> blue.scouts1  life 3->1  (by volley)
    "hit" |api, unit: Unit, damage: Int, word: Word| api.hit(unit, damage, word, None);
    /// Subtracts damage from the same slot and states who did it.
    /// - unit: the unit that is hit
    /// - damage: the amount to subtract
    /// - word: the reason
    /// - by: a unit, a faction or a place
    /// - gives: nothing
    /// - error: units have no such slot
    /// - `hit(foe, 2, "volley", me)` -> blue.scouts1  life 3->1  (by volley, red.scouts1)
    "hit" |api, unit: Unit, damage: Int, word: Word, by: Any| api.hit(unit, damage, word, Some(by));
    /// Adds a number to a slot.
    /// - to: a unit, a faction, a place or `game()`
    /// - slot: the name of one of its slots that is a number
    /// - n: the amount to add; a number below 0 subtracts
    /// - word: the reason
    /// - gives: nothing
    /// - error: it has no number slot with this name; the message suggests the closest name
    /// - `add(side, "score", 1, "gate held")` -> red  score 0->1  (by gate held)
    /// - `add(side, "scare", 1, "gate held")` fails: did you mean `score`?
    "add" |api, to: Any, slot: Word, n: Int, word: Word| api.add_to(to, slot, n, word, None);
    /// Adds a number to a slot and states who did it.
    /// - to: a unit, a faction, a place or `game()`
    /// - slot: the name of one of its slots that is a number
    /// - n: the amount to add; a number below 0 subtracts
    /// - word: the reason
    /// - by: a unit, a faction or a place
    /// - gives: nothing
    /// - error: it has no number slot with this name; the message suggests the closest name
    /// - `add(side, "score", 1, "gate held", me)` -> red  score 0->1  (by gate held, red.scouts1)
    "add" |api, to: Any, slot: Word, n: Int, word: Word, by: Any| api.add_to(to, slot, n, word, Some(by));
    /// Removes a unit from play.
    /// - unit: the unit that is removed
    /// - gives: nothing
    /// - `remove(foe)` -> blue.scouts1  removed from b2
    "remove" |api, unit: Unit| api.act(Effect::Remove(unit), Cause::default());
    /// Removes a unit from play and gives a reason.
    /// - unit: the unit that is removed
    /// - word: the reason
    /// - gives: nothing
    /// - `remove(foe, "rout")` -> blue.scouts1  removed from b2  (by rout)
    "remove" |api, unit: Unit, word: Word| api.act_by(Effect::Remove(unit), word, None);
    /// Removes a unit from play and states who did it.
    /// - unit: the unit that is removed
    /// - word: the reason
    /// - by: a unit, a faction or a place
    /// - gives: nothing
    /// - `remove(foe, "rout", me)` -> blue.scouts1  removed from b2  (by rout, red.scouts1)
    "remove" |api, unit: Unit, word: Word, by: Any| api.act_by(Effect::Remove(unit), word, Some(by));
    /// Returns the units, factions and places that caused the running hook. In `falls` and `rises` of a slot,
    /// that is the one who takes or adds. In `at_zero`, it is the one who took the last of the slot. In
    /// `fell` and `rose`, it is the one who took or added; in a simultaneous phase, all who did so, each
    /// once, in the order of the record. In reactions, it is the one who moved or removed the unit: the one
    /// stated in the call after the word, otherwise the one whose step it is. It is nobody if the call had no
    /// word, or at the end of a simultaneous phase if the call stated nobody.
    /// - gives: list of units, factions and places; empty in other functions, in `becomes_free`, `becomes_engaged` and `rolled`, and if the game itself is the cause
    /// - `by_whom().len` = 0
    /// - `fn death(me) { for who in by_whom() { add(who, "score", 1, "kill"); } remove(me); }`
    "by_whom" |api| {
        api.work(api.table.follows.len() * LINE)?;
        let mut who: Vec<Value> = Vec::new();
        api.look(|t| {
            for cause in &t.follows {
                who.extend(api.whom(cause.by).filter(|it| !who.contains(it)));
            }
        });
        api.list(who)
    };
    /// Returns the reasons for the running hook: the words given to `add`, `hit` or `remove`. They belong to
    /// the causes that `by_whom` returns.
    /// - gives: list of texts; empty in other functions, in `becomes_free`, `becomes_engaged` and `rolled`, and if no word was given
    /// - `by_what().len` = 0
    /// - `fn death(me) { remove(me, if by_what().contains("fire") { "ashes" } else { "death" }); }`
    "by_what" |api| {
        // Each is looked for among those before it.
        api.work(api.table.follows.len().saturating_pow(2) / 16)?;
        let mut words: Vec<Value> = Vec::new();
        api.look(|t| {
            for word in t.follows.iter().filter_map(|cause| cause.word).map(Value::from) {
                if !words.contains(&word) { words.push(word); }
            }
        });
        api.list(words)
    };
    /// Moves a unit from the board into reserve. A removed unit comes back into the game.
    /// - unit: the unit that goes into reserve
    /// - gives: nothing
    /// - `reserve(me)` -> red.scouts1  a1->reserve
    "reserve" |api, unit: Unit| api.act(Effect::Reserve(unit), Cause::default());
    /// Lays terrain in a place. Other terrain there stays.
    /// - place: a place
    /// - terrain: the kind of terrain
    /// - gives: nothing
    /// - `lay(place("c1"), terrain("mud"))` -> c1  mud laid
    "lay" |api, place: Place, terrain: Terrain| api.act(Effect::Lay(place, terrain, None), Cause::default());
    /// Takes terrain away from a place. A place without terrain is a gap.
    /// - place: a place
    /// - terrain: the kind of terrain
    /// - gives: nothing
    /// - error: units stand there and no other terrain would be left
    /// - `lift(here, terrain("mud"))` fails: mud cannot be taken from b2
    /// - `lift(place("d1"), terrain("grass"))` -> d1  grass lifted
    "lift" |api, place: Place, terrain: Terrain| api.act(Effect::Lift(place, terrain), Cause::default());
    /// Lays terrain on an edge between two places: a wall, a door. Its `blocks` says what it blocks.
    /// - edge: the edge
    /// - terrain: the kind of terrain
    /// - gives: nothing
    /// - error: the terrain does not declare `blocks`
    /// - `lay(edge(place("a1"), place("a2")), terrain("wall"))` -> a1|a2  wall laid
    /// - `lay(edge(place("a1"), place("a2")), terrain("mud"))` fails: it lies in places
    "lay" |api, edge: Edge, terrain: Terrain| api.act(Effect::Lay(edge, terrain, None), Cause::default());
    /// Takes terrain away from an edge. To open a door, lift it and lay terrain that blocks nothing.
    /// - edge: the edge
    /// - terrain: the kind of terrain
    /// - gives: nothing
    /// - `lift(edge(place("c2"), place("c3")), terrain("wall"))` -> c2|c3  wall lifted
    "lift" |api, edge: Edge, terrain: Terrain| api.act(Effect::Lift(edge, terrain), Cause::default());
    /// Adds a new unit of a faction, in reserve.
    /// - faction: the owner
    /// - kind: the unit type
    /// - gives: nothing; the new unit is `side.units.last`, in a simultaneous phase only after the phase has ended
    /// - error: the game already has the maximum number of units
    /// - `enlist(side, unit_type("scouts")); side.units.last` = red.scouts2
    "enlist" |api, faction: Faction, kind: Type| api.act(Effect::Enlist(faction, kind), Cause::default());
    /// Adds a new unit with numbers of its own in place of those of its type.
    /// - faction: the owner
    /// - kind: the unit type
    /// - own: a map from names of stats to numbers, each within the range of the stat; units must have a slot of the same name
    /// - gives: nothing; the new unit is `side.units.last`
    /// - error: units have no such slot, a number is outside of its range, or a simultaneous phase is open
    /// - `enlist(side, unit_type("scouts"), #{ life: 5 }); side.units.last.life` = 5
    /// - `enlist(side, unit_type("scouts"), #{ lfie: 5 })` fails: there is no characteristic `lfie`
    "enlist" |api, faction: Faction, kind: Type, own: Map| api.enlist_with(faction, kind, own);
    /// Deletes all units of a faction, including removed units. Slots that held one of them become empty.
    /// - faction: the owner of the units
    /// - gives: nothing
    /// - `disband(side); side.units.len` = 0
    "disband" |api, faction: Faction| api.act(Effect::Disband(faction), Cause::default());
    /// Gives a unit to another faction. It keeps its place and its slots, and gets the next free name of the
    /// new faction. Its old name is not used again. If the new faction is acting, it cannot use the unit in
    /// this turn.
    /// - unit: the unit that changes faction
    /// - faction: the owner
    /// - gives: nothing
    /// - error: the place has no room for another unit of that faction
    /// - `change_owner(foe, side); foe.owner` = red
    "change_owner" |api, unit: Unit, faction: Faction| api.act(Effect::Own(unit, faction), Cause::default());
    /// Gives a unit to another faction, with a reason.
    /// - unit: the unit that changes faction
    /// - faction: the owner
    /// - word: the reason
    /// - gives: nothing
    /// - error: the place has no room for another unit of that faction
    /// - `change_owner(foe, side, "charm")` -> blue.scouts1  becomes red.scouts2  (by charm)
    /// - `change_owner(foe, side); unit("blue.scouts1")` = red.scouts2
    "change_owner" |api, unit: Unit, faction: Faction, word: Word| api.act_by(Effect::Own(unit, faction), word, None);
    /// Changes the type of a unit. It keeps its place and its slots; slots that started from a stat keep
    /// their values. It gets the next free name of the new type. In an arena the die then lies flat.
    /// - unit: the unit that changes
    /// - kind: the new type
    /// - gives: nothing
    /// - error: its base has no room on the table top
    /// - `change_type(me, unit_type("guards")); me.life` = 3
    "change_type" |api, unit: Unit, kind: Type| api.act(Effect::Become(unit, kind), Cause::default());
    /// Changes the type of a unit, with a reason.
    /// - unit: the unit that changes
    /// - kind: the new type
    /// - word: the reason
    /// - gives: nothing
    /// - `change_type(me, unit_type("guards"), "promotion")` -> red.scouts1  becomes red.guards2  (by promotion)
    "change_type" |api, unit: Unit, kind: Type, word: Word| api.act_by(Effect::Become(unit, kind), word, None);
    /// Makes a faction first in turn order.
    /// - faction: the faction that is first from now on; the others keep their order
    /// - gives: nothing
    /// - `goes_first(second()); first()` = blue
    "goes_first" |api, faction: Faction| api.act(Effect::First(faction), Cause::default());
    /// Marks the rest of this step as exclusive. In a simultaneous phase, only one step with the same word
    /// takes effect; what the others did after the word does not happen. The faction named by `conflicts`
    /// chooses which one. If the steps do exactly the same, nobody is asked and it happens once.
    /// - word: a name for what only one step can have
    /// - gives: nothing; has no effect outside a simultaneous phase
    /// - `exclusive("gate")` = nothing
    "exclusive" |api, word: Word| {
        api.changes();
        api.table.exclusive(word);
        ok(())
    };
    /// Ends the running contest with a winner.
    /// - faction: the winner
    /// - reason: the reason
    /// - gives: nothing; the contest ends with the step
    /// - `win(side, "last one standing")` -> red  wins the game  (by last one standing)
    "win" |api, faction: Faction, reason: Word| api.finish(Some(faction), reason);
    /// Ends the running contest without a winner.
    /// - reason: the reason
    /// - gives: nothing; the contest ends with the step
    /// - `draw("out of time")` -> nobody  wins the game  (by out of time)
    "draw" |api, reason: Word| api.finish(None, reason);

    "Looking back, and at the open choice":
    /// Returns true if a line of the record contains this text.
    /// - text: part of a line, as written in the transcript
    /// - gives: true or false; meant for expectations in scenarios
    /// - `happened("red wins")` = false
    "happened" |api, text: Word| ok(api.lines_with(text)? > 0);
    /// Returns the number of lines of the record that contain this text.
    /// - text: part of a line
    /// - gives: number of lines
    /// - `times("red wins")` = 0
    "times" |api, text: Word| api.lines_with(text);
    /// Returns true if a faction may see a line of the record that contains this text.
    /// - viewer: the faction that looks
    /// - text: part of a line
    /// - gives: true or false; lines of other factions in a hidden phase cannot be seen until it ends, and those about hidden slots and units cannot be seen
    /// - `sees(faction("blue"), "red wins")` = false
    "sees" |api, viewer: Faction, text: Word| {
        api.reads_record()?;
        ok(api.look(|t| {
            let text = t.words.text(text);
            let mut seen = t.view(Some(viewer)).events();
            seen.any(|(_, event)| crate::event_text::line(&event, &t.rules, &t.words).contains(text))
        }))
    };
    /// Returns true if the open choice has this option.
    /// - key: an option, written as in an answer
    /// - gives: true or false; false if no choice is open
    /// - `offers("red.scouts1")` = true
    "offers" |api, key: Word| {
        api.work(LINE * api.table.request.options.len())?;
        ok(api.look(|t| {
            let key = t.words.text(key);
            t.halt() == Some(&Halt::Waiting) && t.current_question().keys().iter().any(|k| k == key)
        }))
    };
    /// Returns a list of the options of the open choice.
    /// - gives: list of texts; empty if no choice is open
    /// - `offered()` = [red.scouts1, red.guards1]
    "offered" |api| {
        api.work(LINE * api.table.request.options.len())?;
        let keys = api.look(|t| match t.halt() {
            Some(Halt::Waiting) => t.current_question().keys(),
            _ => Vec::new(),
        });
        let keys: Vec<Value> = keys.iter().map(|k| api.text(k)).collect::<Result<_, _>>()?;
        api.list(keys)
    };
    /// Returns the label of the open choice, as the script states it.
    /// - gives: text, the label of the choice; empty if no choice is open
    /// - `asked()` = activates
    "asked" |api| {
        let label = api.look(|t| match t.halt() {
            Some(Halt::Waiting) => t.current_question().label().to_owned(),
            _ => String::new(),
        });
        api.text(&label)
    };
    /// Returns the faction that has to answer the open choice.
    /// - gives: faction, or nobody if no choice is open
    /// - `asks()` = red
    "asks" |api| ok(api.look(|t| (t.halt() == Some(&Halt::Waiting)).then_some(t.request.asker)));

    "Dice":
    /// Returns the dice without one of them.
    /// - dice: a pool of dice
    /// - die: the number on the die to leave out
    /// - gives: dice
    /// - error: no die shows this number
    /// - `roll(side, "luck", 3, 6).len` = 3
    /// - `pool.without(6)` = dice 2 3
    /// - `pool.without(1)` fails: there is no 1 among the dice
    "without" |api, dice: Lent, die: Int| match api.heap.dice_without(dice, die) {
        Some(rest) => ok(rest),
        None => {
            let dice = among(&api.heap.dice_seen(dice, DiceRead::WHOLE));
            Err(rule(format!("there is no {die} among {dice}")))
        }
    };
    /// Returns an empty pool of dice.
    /// - gives: dice
    /// - `no_dice().plus(4)` = dice 4
    "no_dice" |_api| ok(Pool::default());
    /// Returns the dice with one of them raised.
    /// - dice: a pool of dice
    /// - die: the number on the die to leave out
    /// - by: the amount to add to the die; a number below 0 lowers it
    /// - most: the highest number that the die can reach; a die that shows more stays as it is
    /// - gives: dice
    /// - error: no die shows this number, or the new number is not possible on a die
    /// - `pool.raised(3, 1, 6)` = dice 2 4 6
    /// - `pool.raised(3, 9, 6)` = dice 2 6 6
    /// - `pool.raised(5, 1, 6)` fails: there is no 5 among the dice
    "raised" |_api, dice: Dice, die: Int, by: Int, most: Int| {
        if dice.without(die).is_none() {
            return Err(rule(format!("there is no {die} among {}", among(&dice))));
        }
        match dice.raised(die, by, most) {
            Some(raised) => ok(raised),
            None => Err(rule(format!("no die can show {}", die.saturating_add(by)))),
        }
    };
    /// Returns the dice with one more die.
    /// - dice: a pool of dice
    /// - die: the number on the new die
    /// - gives: dice
    /// - error: there are too many dice, or the number is not possible on a die
    /// - `pool.plus(4)` = dice 2 3 4 6
    "plus" |api, dice: Lent, die: Int| match api.heap.dice_seen(dice, DiceRead::LEN).with(die) {
        // What is asked of more dice follows from what is asked of the others and the one.
        Some(more) => ok(api.heap.lent(more, dice.mark())),
        None => {
            let dice = among(&api.heap.dice_seen(dice, DiceRead::WHOLE));
            Err(rule(format!("{dice} cannot take a {die}")))
        }
    };

    "Numbers":
    /// Returns the higher of two numbers.
    /// - a: a number
    /// - b: a number
    /// - gives: number
    /// - `max(2, 5)` = 5
    "max" |_api, a: Int, b: Int| ok(a.max(b));
    /// Returns the longer of two lengths.
    /// - a: a length
    /// - b: a length
    /// - gives: length
    /// - `max(2.5, 1.5)` = 2.5
    "max" |_api, a: Length, b: Length| library::max_length(a, b);
    /// Returns the longer of a length and a number.
    /// - a: a length
    /// - b: a number
    /// - gives: length
    /// - `max(2.5, 2)` = 2.5
    "max" |_api, a: Length, b: Int| library::max_length(a, b.into());
    /// Returns the longer of a number and a length.
    /// - a: a number
    /// - b: a length
    /// - gives: length
    /// - `max(2, 2.5)` = 2.5
    "max" |_api, a: Int, b: Length| library::max_length(a.into(), b);
    /// Returns the lower of two numbers.
    /// - a: a number
    /// - b: a number
    /// - gives: number
    /// - `min(2, 5)` = 2
    "min" |_api, a: Int, b: Int| ok(a.min(b));
    /// Returns the shorter of two lengths.
    /// - a: a length
    /// - b: a length
    /// - gives: length
    /// - `min(2.5, 1.5)` = 1.5
    "min" |_api, a: Length, b: Length| library::min_length(a, b);
    /// Returns the shorter of a length and a number.
    /// - a: a length
    /// - b: a number
    /// - gives: length
    /// - `min(2.5, 2)` = 2
    "min" |_api, a: Length, b: Int| library::min_length(a, b.into());
    /// Returns the shorter of a number and a length.
    /// - a: a number
    /// - b: a length
    /// - gives: length
    /// - `min(2, 2.5)` = 2
    "min" |_api, a: Int, b: Length| library::min_length(a.into(), b);
    /// Returns the absolute value of a number.
    /// - n: a number
    /// - gives: number
    /// - `abs(-3)` = 3
    "abs" |_api, n: Int| n.checked_abs().ok_or_else(|| FaultKind::TooLarge(format!("-({n})")).into());
    /// Returns the absolute value of a length.
    /// - length: a length
    /// - gives: length
    /// - `abs(1.5 - 4)` = 2.5
    "abs" |_api, length: Length| ok(Value::of_length(length.as_length().unwrap_or(0).saturating_abs()));
    /// Returns the sign of a number: -1 below 0, 0 at 0, 1 above 0.
    /// - n: a number
    /// - gives: number
    /// - `sign(-3)` = -1
    "sign" |_api, n: Int| ok(n.signum());
    /// Converts a text to a whole number.
    /// - text: digits, with or without a sign
    /// - gives: number
    /// - error: the text is not a whole number
    /// - `parse_int("12")` = 12
    /// - `parse_int("x")` fails: `x` is no number
    "parse_int" |api, text: Word| {
        api.read(text)?;
        let text = api.table.words.text(text);
        text.trim().parse::<i64>().map_err(|_| rule(format!("`{text}` is no number")))
    };

    "Texts":
    /// Prints a value and changes nothing. `rulebench run` prints it below the transcript. The prompt prints
    /// it at once.
    /// - it: any value
    /// - gives: nothing
    /// - `print("here")` = nothing
    "print" |api, it: Any| { api.say(it)?; ok(()) };
    /// Prints a value and changes nothing. `rulebench run` prints it below the transcript. The prompt prints
    /// it at once.
    /// - it: any value
    /// - gives: nothing
    /// - `debug("here")` = nothing
    "debug" |api, it: Any| { api.say(it)?; ok(()) };
    /// Converts any value to a text.
    /// - it: any value
    /// - gives: text
    /// - `to_string(me)` = red.scouts1
    "to_string" |api, it: Any| { let text = api.text_of(it)?; api.text(&text) };
    /// Returns the kind of a value.
    /// - it: any value
    /// - gives: text
    /// - `type_of(3)` = number
    "type_of" |api, it: Any| {
        let text = it.kind().word();
        // While declarations are read, the words are not known yet.
        let Some(word) = api.program.kinds.get(it.kind() as usize) else {
            return api.text(text);
        };
        api.work(1 + text.len() / 16)?;
        ok(Value::from(*word))
    };
    /// Returns the number of letters in a text.
    /// - text: a text
    /// - gives: number
    /// - `"volley".len()` = 6
    "len" |api, text: Word| { api.read(text)?; ok(api.table.words.text(text).chars().count() as i64) };
    /// Returns true if a text has no letters.
    /// - text: a text
    /// - gives: true or false
    /// - `"".is_empty()` = true
    "is_empty" |api, text: Word| ok(api.table.words.text(text).is_empty());
    /// Returns true if a text contains another text.
    /// - text: a text
    /// - part: the text to look for
    /// - gives: true or false
    /// - `"volley".contains("all")` = false
    "contains" |api, text: Word, part: Word| both(api, text, part).map(|(text, part)| text.contains(part));
    /// Returns true if a text begins with another text.
    /// - text: a text
    /// - part: the text to look for
    /// - gives: true or false
    /// - `"volley".starts_with("vol")` = true
    "starts_with" |api, text: Word, part: Word| both(api, text, part).map(|(text, part)| text.starts_with(part));
    /// Returns true if a text ends with another text.
    /// - text: a text
    /// - part: the text to look for
    /// - gives: true or false
    /// - `"volley".ends_with("ley")` = true
    "ends_with" |api, text: Word, part: Word| both(api, text, part).map(|(text, part)| text.ends_with(part));
    /// Returns the position of a text in another text.
    /// - text: a text
    /// - part: the text to look for
    /// - gives: number of letters before it, or -1 if it is not there
    /// - `"volley".index_of("ll")` = 2
    "index_of" |api, text: Word, part: Word| {
        let (text, part) = both(api, text, part)?;
        ok(text.find(part).map_or(-1, |at| text[..at].chars().count() as i64))
    };
    /// Returns the position of a text in another text, from a position on.
    /// - text: a text
    /// - part: the text to look for
    /// - from: number of letters to skip; a number below 0 counts from the end
    /// - gives: number of letters before it, or -1 if it is not there
    /// - `"banana".index_of("an", 2)` = 3
    "index_of" |api, text: Word, part: Word, from: Int| {
        let (text, part) = both(api, text, part)?;
        let from = library::from_front(from, || text.chars().count());
        let mut starts = text.char_indices().map(|(at, _)| at).enumerate().skip(from);
        ok(starts.find(|(_, at)| text[*at..].starts_with(part)).map_or(-1, |(nth, _)| nth as i64))
    };
    /// Returns a text in capital letters.
    /// - text: a text
    /// - gives: text
    /// - `"volley".to_upper()` = VOLLEY
    "to_upper" |api, text: Word| { api.read(text)?; let text = api.table.words.text(text).to_uppercase(); api.text(&text) };
    /// Returns a text in small letters.
    /// - text: a text
    /// - gives: text
    /// - `"Volley".to_lower()` = volley
    "to_lower" |api, text: Word| { api.read(text)?; let text = api.table.words.text(text).to_lowercase(); api.text(&text) };
    /// Returns a part of a text.
    /// - text: a text
    /// - start: number of letters to skip; a number below 0 counts from the end
    /// - count: maximum number of letters
    /// - gives: text
    /// - `"volley".sub_string(1, 3)` = oll
    /// - `"volley".sub_string(-3, 2)` = le
    "sub_string" |api, text: Word, start: Int, count: Int| {
        api.read(text)?;
        let text = api.table.words.text(text);
        let start = library::from_front(start, || text.chars().count());
        let part: String = text.chars().skip(start).take(usize::try_from(count).unwrap_or(0)).collect();
        api.text(&part)
    };
    /// Returns the rest of a text.
    /// - text: a text
    /// - start: number of letters to skip; a number below 0 counts from the end
    /// - gives: text
    /// - `"volley".sub_string(2)` = lley
    /// - `"volley".sub_string(-2)` = ey
    "sub_string" |api, text: Word, start: Int| {
        api.read(text)?;
        let text = api.table.words.text(text);
        let start = library::from_front(start, || text.chars().count());
        let part: String = text.chars().skip(start).collect();
        api.text(&part)
    };
    /// Returns a part of a text. `text[1..3]` means the same for positions from 0 on.
    /// - text: a text
    /// - part: a range of positions from 0 on
    /// - gives: text
    /// - `"volley".sub_string(1..3)` = ol
    /// - `"volley"[1..=3]` = oll
    "sub_string" |api, text: Word, part: Range| {
        api.read(text)?;
        let start = usize::try_from(part.0.max(0)).unwrap_or(0);
        let end = usize::try_from(part.1.saturating_add(1)).unwrap_or(0);
        let letters = api.table.words.text(text).chars();
        let part: String = letters.skip(start).take(end.saturating_sub(start)).collect();
        api.text(&part)
    };
    /// Splits a text at a separator and returns a list of the parts.
    /// - text: a text
    /// - between: the separator
    /// - gives: list of texts
    /// - `"a-b".split("-")` = [a, b]
    "split" |api, text: Word, between: Word| {
        let (text, between) = both(api, text, between)?;
        let parts: Vec<String> = match text.is_empty() {
            true => vec![String::new()],
            false => text.split(between).map(str::to_owned).collect(),
        };
        let parts: Vec<Value> = parts.iter().map(|p| api.text(p)).collect::<Result<_, _>>()?;
        api.list(parts)
    };
    /// Splits a text at its blanks and returns a list of the words.
    /// - text: a text
    /// - gives: list of texts
    /// - `"hold the line".split()` = [hold, the, line]
    "split" |api, text: Word| {
        api.read(text)?;
        let text = api.table.words.text(text);
        let words: Vec<String> = match text.is_empty() {
            true => vec![String::new()],
            false => text.split_whitespace().map(str::to_owned).collect(),
        };
        let words: Vec<Value> = words.iter().map(|word| api.text(word)).collect::<Result<_, _>>()?;
        api.list(words)
    };

    "Lists and maps":
    /// Returns the number of items in a list.
    /// - list: a list
    /// - gives: number
    /// - `[4, 5].len()` = 2
    "len" |_api, list: List| ok(list.len() as i64);
    /// Returns the number of keys in a map.
    /// - map: a map
    /// - gives: number
    /// - `#{ a: 1 }.len()` = 1
    "len" |_api, map: Map| ok((map.len() / 2) as i64);
    /// Returns true if a list has no items.
    /// - list: a list
    /// - gives: true or false
    /// - `[].is_empty()` = true
    "is_empty" |_api, list: List| ok(list.is_empty());
    /// Returns true if a map has no keys.
    /// - map: a map
    /// - gives: true or false
    /// - `#{}.is_empty()` = true
    "is_empty" |_api, map: Map| ok(map.is_empty());
    /// Returns true if a list contains a value.
    /// - list: a list
    /// - it: any value
    /// - gives: true or false
    /// - `[4, 5].contains(5)` = true
    "contains" |api, list: List, it: Any| {
        ok(library::position(api, list, 0, it)?.is_some())
    };
    /// Returns true if a map has a key.
    /// - map: a map
    /// - key: a text
    /// - gives: true or false
    /// - `#{ a: 1 }.contains("a")` = true
    "contains" |api, map: Map, key: Word| { api.read(key)?; ok(api.heap.get(map, &api.table.words, key).is_some()) };
    /// Returns true if a number is in a range. `n in 1..=6` means the same.
    /// - numbers: a range; `a..b` does not include `b`, and `a..=b` does
    /// - n: the number to look for
    /// - gives: true or false
    /// - `contains(1..=6, 6)` = true
    /// - `6 in 1..6` = false
    "contains" |_api, numbers: Range, n: Int| ok((numbers.0..=numbers.1).contains(&n));
    /// Returns the position of the first item for which a function returns true.
    /// - list: a list
    /// - test: a function of an item
    /// - gives: number of items before it, or -1 if there is none
    /// - `[4, 5].index_of(|n| n > 4)` = 1
    "index_of" |api, list: List, test: Function| library::first_that_holds(api, list, 0, test);
    /// Returns the position of a value in a list.
    /// - list: a list
    /// - it: any value
    /// - gives: number of items before it, or -1 if there is none
    /// - `[4, 5].index_of(5)` = 1
    "index_of" |api, list: List, it: Any| ok(library::position(api, list, 0, it)?.map_or(-1, |at| at as i64));
    /// Returns the position of the first item for which a function returns true, from a position on.
    /// - list: a list
    /// - test: a function of an item
    /// - from: number of items to skip; a number below 0 counts from the end
    /// - gives: number of items before it, or -1 if there is none
    /// - `[4, 5, 6].index_of(|n| n > 3, 1)` = 1
    "index_of" |api, list: List, test: Function, from: Int| {
        let from = library::from_front(from, || list.len());
        library::first_that_holds(api, list, from, test)
    };
    /// Returns the position of a value in a list, from a position on.
    /// - list: a list
    /// - it: any value
    /// - from: number of items to skip; a number below 0 counts from the end
    /// - gives: number of items before it, or -1 if there is none
    /// - `[4, 5, 4].index_of(4, 1)` = 2
    "index_of" |api, list: List, it: Any, from: Int| {
        let from = library::from_front(from, || list.len());
        ok(library::position(api, list, from, it)?.map_or(-1, |at| at as i64))
    };
    /// Returns a value paired with each of some units, as a list of lists of two. Use the pairs as options
    /// that answer two questions at once, such as which unit strikes which foe.
    /// - it: any value
    /// - each: a set of units
    /// - gives: list
    /// - `pairs(me, me.foes_within(2))` = [[red.scouts1, blue.scouts1]]
    "pairs" |api, it: Any, each: Units| {
        let (count, each) = (each.len(), each.give(api));
        library::pairs(api, count, |heap| heap.pairs_with(it, each, count))
    };
    /// Returns a value paired with each of some places, as a list of lists of two. Use the pairs as options
    /// that answer two questions at once, such as which unit goes to which place.
    /// - it: any value
    /// - each: a set of places
    /// - gives: list
    /// - `pairs(me, places().filter(|p| p.units.len > 1))` = [[red.scouts1, b2]]
    "pairs" |api, it: Any, each: Places| {
        let (count, each) = (each.len(), each.give(api));
        library::pairs(api, count, |heap| heap.pairs_with(it, each, count))
    };
    /// Returns a value paired with each item of a list, as a list of lists of two.
    /// - it: any value
    /// - each: a list
    /// - gives: list
    /// - `pairs(1, [4, 5])` = [[1, 4], [1, 5]]
    "pairs" |api, it: Any, each: List| {
        let items = api.items(each)?;
        library::pairs(api, items.len(), |heap| heap.pairs(it, items.into_iter()))
    };
    /// Returns the items of a list for which a function returns true.
    /// - list: a list
    /// - test: a function of an item
    /// - gives: list
    /// - `[4, 5].filter(|n| n > 4)` = [5]
    "filter" |api, list: List, test: Function| {
        let mut kept = Vec::new();
        for (nth, item) in api.items(list)?.into_iter().enumerate() {
            if library::holds(api, test, item, nth)? { kept.push(item); }
        }
        api.list(kept)
    };
    /// Returns the units of a set for which a function returns true.
    /// - units: a set of units
    /// - test: a function of a unit
    /// - gives: units
    /// - `units().filter(|u| u.life > 3).len` = 2
    "filter" |api, units: Units, test: Function| {
        let mut kept = UnitSet::EMPTY;
        for (nth, unit) in units.enumerate() {
            if library::holds(api, test, unit.into(), nth)? { kept.insert(unit); }
        }
        ok(kept)
    };
    /// Returns the places of a set for which a function returns true.
    /// - places: a set of places
    /// - test: a function of a place
    /// - gives: places
    /// - `places().filter(|p| p.units.len > 1)` = [b2]
    "filter" |api, places: Places, test: Function| {
        let mut kept = PlaceSet::EMPTY;
        for (nth, place) in places.enumerate() {
            if library::holds(api, test, place.into(), nth)? { kept.insert(place); }
        }
        ok(kept)
    };
    /// Calls a function for each item and returns a list of the results.
    /// - many: a list, units, places, dice or a range
    /// - of: a function of one item
    /// - gives: list
    /// - `[4, 5].map(|n| n * 2)` = [8, 10]
    /// - `me.foes.map(|foe| foe.life)` = [3, 5]
    /// - `5.map(|n| n)` fails: `map` goes through a list, units, places, dice or a range, not a number
    "map" |api, many: Any, of: Function| {
        let mut all = Vec::new();
        for (nth, item) in library::through(api, "map", many)?.into_iter().enumerate() {
            all.push(api.apply(of, &[item, (nth as i64).into()])?);
        }
        api.list(all)
    };
    /// Returns true if a function returns true for at least one item. `some` is the same.
    /// - many: a list, units, places, dice or a range
    /// - test: a function of one item
    /// - gives: true or false
    /// - `me.foes.any(|foe| foe.life > 4)` = true
    /// - `[].any(|n| n > 4)` = false
    "any" |api, many: Any, test: Function| {
        ok(library::first(api, "any", many, test)?.is_some())
    };
    /// Returns true if a function returns true for at least one item. `any` is the same.
    /// - many: a list, units, places, dice or a range
    /// - test: a function of one item
    /// - gives: true or false
    /// - `[4, 5].some(|n| n > 4)` = true
    "some" |api, many: Any, test: Function| {
        ok(library::first(api, "some", many, test)?.is_some())
    };
    /// Returns true if a function returns true for every item.
    /// - many: a list, units, places, dice or a range
    /// - test: a function of one item
    /// - gives: true or false; true if there are no items
    /// - `[4, 5].all(|n| n > 4)` = false
    /// - `side.units.all(|unit| unit.alive)` = true
    "all" |api, many: Any, test: Function| {
        for (nth, item) in library::through(api, "all", many)?.into_iter().enumerate() {
            if !library::holds(api, test, item, nth)? { return Ok(Value::FALSE); }
        }
        ok(true)
    };
    /// Returns the first item for which a function returns true, or nothing.
    /// - many: a list, units, places, dice or a range
    /// - test: a function of one item
    /// - gives: the item, or nothing
    /// - `[4, 5].find(|n| n > 4)` = 5
    /// - `units().find(|unit| unit.life > 4)` = red.guards1
    "find" |api, many: Any, test: Function| {
        Ok(library::first(api, "find", many, test)?.unwrap_or(Value::NOTHING))
    };
    /// Returns the number of items for which a function returns true.
    /// - many: a list, units, places, dice or a range
    /// - test: a function of one item
    /// - gives: number
    /// - `pool.count(|die| die > 2)` = 2
    "count" |api, many: Any, test: Function| {
        let mut count = 0;
        for (nth, item) in library::through(api, "count", many)?.into_iter().enumerate() {
            count += i64::from(library::holds(api, test, item, nth)?);
        }
        ok(count)
    };
    /// Returns the sum of the numbers or lengths in a list.
    /// - list: a list of numbers or lengths
    /// - gives: number, or length; 0 for an empty list
    /// - error: an item is not a number or a length, or the sum is too large
    /// - `[4, 5].sum()` = 9
    /// - `[4, "x"].sum()` fails: must be a number
    "sum" |api, list: List| {
        let numbers = api.items(list)?;
        library::sum(numbers)
    };
    /// Returns the sum of the results of a function for each item.
    /// - many: a list, units, places, dice or a range
    /// - of: a function of one item that returns a number or a length
    /// - gives: number, or length; 0 for an empty list
    /// - error: a result is not a number or a length, or the sum is too large
    /// - `me.foes.sum(|foe| foe.life * 2)` = 16
    "sum" |api, many: Any, of: Function| {
        let numbers = library::said_of(api, "sum", many, of)?;
        library::sum(numbers.into_iter().map(|(_, said)| said))
    };
    /// Sorts items by the result of a function, from low to high. Items with equal results keep their order.
    /// - many: a list, units, places, dice or a range
    /// - by: a function of one item that returns a number or a text
    /// - gives: list
    /// - error: the results cannot be compared
    /// - `units().sort_by(|unit| unit.life)` = [red.scouts1, blue.scouts1, red.guards1, blue.guards1]
    /// - `[3, 1, 2].sort_by(|n| -n)` = [3, 2, 1]
    "sort_by" |api, many: Any, by: Function| {
        let said = library::said_of(api, "sort_by", many, by)?;
        let sorted = library::by_what_is_said(api, said)?;
        api.list(sorted.into_iter().map(|(item, _)| item))
    };
    /// Returns the item for which a function returns the lowest value. If several are equal, returns the
    /// first.
    /// - many: a list, units, places, dice or a range
    /// - by: a function of one item that returns a number or a text
    /// - gives: the item, or nothing if there are none
    /// - `units().min_by(|unit| unit.life)` = red.scouts1
    /// - `[].min_by(|n| n) == nothing` = true
    "min_by" |api, many: Any, by: Function| {
        let said = library::said_of(api, "min_by", many, by)?;
        let sorted = library::by_what_is_said(api, said)?;
        Ok(sorted.first().map_or(Value::NOTHING, |(item, _)| *item))
    };
    /// Returns the item for which a function returns the highest value. If several are equal, returns the
    /// first.
    /// - many: a list, units, places, dice or a range
    /// - by: a function of one item that returns a number or a text
    /// - gives: the item, or nothing if there are none
    /// - `units().max_by(|unit| unit.life)` = red.guards1
    "max_by" |api, many: Any, by: Function| {
        let mut said = library::said_of(api, "max_by", many, by)?;
        said.reverse();
        let sorted = library::by_what_is_said(api, said)?;
        Ok(sorted.last().map_or(Value::NOTHING, |(item, _)| *item))
    };
    /// Combines all items of a list into one value. A function joins the result so far with the next item.
    /// - list: a list
    /// - join: a function of the result so far, an item and its number from 0, which it may leave out
    /// - start: the value before the first item
    /// - gives: the last result of the function
    /// - `[4, 5].reduce(|sum, n| sum + n, 0)` = 9
    "reduce" |api, list: List, join: Function, start: Any| {
        library::joined(api, list, join, start)
    };
    /// Combines all items of a list into one value. The result so far is nothing for the first item.
    /// - list: a list
    /// - join: a function of the result so far, an item and its number from 0, which it may leave out
    /// - gives: the last result of the function, or nothing if there are no items
    /// - `[4, 5].reduce(|most, n| if most == nothing || n > most { n } else { most })` = 5
    "reduce" |api, list: List, join: Function| {
        library::joined(api, list, join, Value::NOTHING)
    };
    /// Returns a sorted list of the keys of a map.
    /// - map: a map
    /// - gives: list of texts
    /// - `#{ b: 1, a: 2 }.keys()` = [a, b]
    "keys" |api, map: Map| {
        let keys: Vec<Value> = api.heap.list(map).iter().copied().step_by(2).collect();
        api.list(keys)
    };
    /// Returns a list of the values of a map, in the order of the keys.
    /// - map: a map
    /// - gives: list
    /// - `#{ b: 1, a: 2 }.values()` = [2, 1]
    "values" |api, map: Map| {
        let values: Vec<Value> = api.heap.list(map).iter().copied().skip(1).step_by(2).collect();
        api.list(values)
    };
    /// Returns the value of a key of a map, or nothing.
    /// - map: a map
    /// - key: a text
    /// - gives: the value, or nothing if the map has no such key
    /// - `#{ a: 1 }.get("b") == nothing` = true
    "get" |api, map: Map, key: Word| {
        api.read(key)?;
        ok(api.heap.get(map, &api.table.words, key).unwrap_or(Value::NOTHING))
    };

    "Helpers for declarations":
    /// Declares a dial that is a whole number, or a stat that has its own range.
    /// - start: the value if nobody changes the dial
    /// - low: the lowest possible value
    /// - high: the highest possible value
    /// - gives: a dial
    /// - error: `start` is outside the range
    /// - `fn dials() { #{ max_rounds: number(12, 1, 99) } }`
    "number" |api, start: Int, low: Int, high: Int| {
        let form = [("start", start), ("low", low), ("high", high)];
        api.of_view(&ValueView::Map(form.map(|(key, n)| (key.to_owned(), ValueView::Int(n))).into()))
    };
    /// Declares a dial that is one of several words.
    /// - start: the word if nobody changes the dial
    /// - words: the possible words
    /// - gives: a dial
    /// - error: `start` is not one of the words
    /// - `fn dials() { #{ weather: one_of("fair", ["fair", "fog"]) } }`
    "one_of" |api, start: Word, words: List| {
        let (start, words) = (api.view(start.into())?, api.view(Value::list(words))?);
        api.of_view(&ValueView::Map([("start".to_owned(), start), ("words".to_owned(), words)].into()))
    };
    /// Returns the places of some rows, for a zone.
    /// - low: the first row, from 1
    /// - high: the last row
    /// - gives: an area
    /// - error: a row is not on the board
    /// - `rows(1, 2).rows` = [1, 2]
    "rows" |api, low: Int, high: Int| api.of_view(&area("rows", low, high));
    /// Returns the places of some columns, for a zone.
    /// - low: the first column, from 1
    /// - high: the last column
    /// - gives: an area
    /// - error: a column is not on the board
    /// - `columns(1, 2).columns` = [1, 2]
    "columns" |api, low: Int, high: Int| api.of_view(&area("columns", low, high));
    /// Moves a phase so that it follows another phase. Use it in a variant's `phases()`:
    /// `base().phase_after("combats", "melee")`.
    /// - list: the result of `phases()`
    /// - name: the phase that is moved
    /// - other: the phase that will come before it
    /// - gives: the changed list
    /// - error: no phase has one of the names
    /// - `[#{ phase: "move" }, #{ phase: "fight" }].phase_after("move", "fight")[1].phase` = move
    /// - `[#{ phase: "move" }].phase_after("more", "move")` fails: there is no phase `more`
    "phase_after" |api, list: List, name: Word, other: Word| moved(api, list, (name, other), 1);
    /// Inserts a new phase after another phase.
    /// - list: the result of `phases()`
    /// - phase: a map with the keys of a phase
    /// - other: the phase that will come before it
    /// - gives: the changed list
    /// - error: no phase has this name
    /// - `[#{ phase: "move" }].phase_after(#{ phase: "rally" }, "move")[1].phase` = rally
    "phase_after" |api, list: List, phase: Map, other: Word| put(api, list, (phase, other), 1);
    /// Moves a phase so that it comes before another phase.
    /// - list: the result of `phases()`
    /// - name: the phase that is moved
    /// - other: the phase that will follow it
    /// - gives: the changed list
    /// - error: no phase has one of the names
    /// - `[#{ phase: "move" }, #{ phase: "fight" }].phase_before("fight", "move")[0].phase` = fight
    "phase_before" |api, list: List, name: Word, other: Word| moved(api, list, (name, other), 0);
    /// Inserts a new phase before another phase.
    /// - list: the result of `phases()`
    /// - phase: a map with the keys of a phase
    /// - other: the phase that will follow it
    /// - gives: the changed list
    /// - error: no phase has this name
    /// - `[#{ phase: "move" }].phase_before(#{ phase: "rally" }, "move")[0].phase` = rally
    "phase_before" |api, list: List, phase: Map, other: Word| put(api, list, (phase, other), 0);
    /// Removes a phase, with all phases inside it.
    /// - list: the result of `phases()`
    /// - name: the phase that is removed
    /// - gives: the changed list
    /// - error: no phase has this name
    /// - `[#{ phase: "move" }, #{ phase: "fight" }].without_phase("fight").len` = 1
    "without_phase" |api, list: List, name: Word| {
        let views = api.views(list)?;
        let name = api.word(name);
        let edited = declare::without_phase(views, &name);
        api.of_view(&ValueView::List(edited?))
    };
    /// Changes some keys of a phase. Its other keys stay as they are.
    /// - list: the result of `phases()`
    /// - name: the phase that is changed
    /// - changes: a map with the keys of a phase; a key with the value `nothing` is removed
    /// - gives: the changed list
    /// - error: no phase has this name
    /// - `[#{ phase: "fight" }].phase_with("fight", #{ hidden: true })[0].hidden` = true
    "phase_with" |api, list: List, name: Word, changes: Map| {
        let views = api.views(list)?;
        let (name, changes) = (api.word(name), api.view(Value::map(changes))?);
        let changes = changes.as_map().cloned().unwrap_or_default();
        let edited = declare::phase_with(views, &name, &changes);
        api.of_view(&ValueView::List(edited?))
    };
}

/// A list of phases with one of them moved behind another (1) or before it (0).
fn moved<O: Observer>(
    api: &mut Run<'_, O>,
    list: ListId,
    (name, other): (WordId, WordId),
    behind: usize,
) -> NativeResult {
    let views = api.views(list)?;
    let (name, other) = (api.word(name), api.word(other));
    api.of_view(&ValueView::List(declare::moved_phase(
        views, &name, &other, behind,
    )?))
}

/// A list of phases with a new one behind another (1) or before it (0).
fn put<O: Observer>(
    api: &mut Run<'_, O>,
    list: ListId,
    (phase, other): (ListId, WordId),
    behind: usize,
) -> NativeResult {
    let views = api.views(list)?;
    let (phase, other) = (api.view(Value::map(phase))?, api.word(other));
    api.of_view(&ValueView::List(declare::put_beside(
        views, phase, &other, behind,
    )?))
}

/// A zone's area: the rows or columns from one to another.
fn area(of: &str, low: i64, high: i64) -> ValueView {
    let ends = vec![ValueView::Int(low), ValueView::Int(high)];
    ValueView::Map([(of.to_owned(), ValueView::List(ends))].into())
}

properties! {
    /// The number of items.
    /// - gives: number
    /// - `[4, 5].len` = 2
    List "len" |_api, list| ok(list.len() as i64);
    /// The first item, or nothing.
    /// - gives: the item, or nothing
    /// - `[4, 5].first` = 4
    List "first" |api, list| Ok(api.heap.item(list, 0).unwrap_or(Value::NOTHING));
    /// The last item, or nothing.
    /// - gives: the item, or nothing
    /// - `[4, 5].last` = 5
    List "last" |api, list| Ok(api.heap.list(list).last().copied().unwrap_or(Value::NOTHING));
    /// Whether the list has no items.
    /// - gives: true or false
    /// - `[4, 5].is_empty` = false
    List "is_empty" |_api, list| ok(list.is_empty());
    /// Whether the text has no letters.
    /// - gives: true or false
    /// - `"volley".is_empty` = false
    Word "is_empty" |api, text| ok(api.table.words.text(text).is_empty());
    /// The number of letters.
    /// - gives: number
    /// - `"volley".len` = 6
    Word "len" |api, text| { api.read(text)?; ok(api.table.words.text(text).chars().count() as i64) };
    /// The unit's place, or nowhere.
    /// - gives: place, or nowhere
    /// - `me.place` = a1
    Unit "place" |api, unit| ok(api.look(|t| t.world.place(unit)));
    /// The middle of the unit's base on the table top, or nothing.
    /// - gives: spot, or nothing
    /// - `me.spot` = 5.000,2.000
    Unit "spot" |api, unit| ok(api.look(|t| t.world.point(unit)));
    /// The face that the die shows. It is nothing for a die that is off the board or leans by more than 15
    /// degrees.
    /// - gives: number, or nothing
    /// - `me.face` = 1
    Unit "face" |api, unit| ok(api.look(|t| throws::face(&t.rules, &t.world, unit).map(i64::from)));
    /// Whether the die leans between two faces so that both are equally near to being shown.
    /// - gives: true or false; false if the die is not on the board
    /// - `me.between_faces` = false
    Unit "between_faces" |api, unit| ok(api.look(|t| throws::is_between_faces(&t.rules, &t.world, unit)));
    /// The face that the die shows, or the face nearest to being shown if the die leans. If two are equally
    /// near, it is the lower one. It is nothing for a die off the board.
    /// - gives: number, or nothing
    /// - `me.nearest_face` = 1
    Unit "nearest_face" |api, unit| ok(api.look(|t| throws::nearest_face(&t.rules, &t.world, unit).map(i64::from)));
    /// A sample of spots that stands for the region where it must be listed. It has spots in contact with
    /// each unit that can be reached, and spots all around.
    /// - gives: list of spots; all are in the region, which has more spots than these
    /// - `leap(me, 0.5).spots.len > 0` = true
    Region "spots" |api, region| {
        let spots: Vec<Value> = region.candidates().iter().map(|p| (*p).into()).collect();
        api.list(spots)
    };
    /// The spot itself. Units, pieces of terrain and spots all have `.spot` for their location.
    /// - gives: spot
    /// - `spot(12, 7.5).spot` = 12.000,7.500
    Spot "spot" |_api, spot| ok(spot);
    /// The distance from the left edge.
    /// - gives: length
    /// - `spot(12, 7.5).x` = 12
    Spot "x" |_api, spot| ok(Value::of_length(spot.x.into()));
    /// The distance from the lower edge.
    /// - gives: length
    /// - `spot(12, 7.5).y` = 7.5
    Spot "y" |_api, spot| ok(Value::of_length(spot.y.into()));
    /// The owner of the unit.
    /// - gives: faction
    /// - `me.owner` = red
    Unit "owner" |api, unit| ok(api.look(|t| t.world.unit(unit).owner));
    /// The unit's type.
    /// - gives: unit type
    /// - `me.type` = scouts
    Unit "type" |api, unit| ok(api.look(|t| t.world.unit(unit).kind));
    /// The name.
    /// - gives: text
    /// - `me.name` = red.scouts1
    Unit "name" |api, unit| { let name = api.look(|t| t.rules.unit_name(t.world.name(unit))); api.text(&name) };
    /// Whether the unit has not been removed.
    /// - gives: true or false
    /// - `me.alive` = true
    Unit "alive" |api, unit| ok(api.look(|t| t.world.is_alive(unit)));
    /// Whether the unit is on the board.
    /// - gives: true or false
    /// - `me.on_board` = true
    Unit "on_board" |api, unit| ok(api.look(|t| t.world.is_on_board(unit)));
    /// Whether the unit has moved from one place to another since the innermost repeating phase began.
    /// - gives: true or false
    /// - `me.moved` = false
    Unit "moved" |api, unit| ok(api.look(|t| t.world.has_moved(unit)));
    /// Whether the unit is engaged: it is in contact with an opposing unit, and no slot with `frees` is true.
    /// - gives: true or false
    /// - `me.engaged` = false
    Unit "engaged" |api, unit| ok(api.look(|t| engagement::engaged(&t.rules, &t.world, unit)));
    /// The opposing units in contact with the unit.
    /// - gives: units
    /// - `side.units.last.contact` = [blue.scouts1]
    Unit "contact" |api, unit| ok(api.look(|t| engagement::contact(&t.rules, &t.world, unit)));
    /// The opposing units on the board.
    /// - gives: units
    /// - `me.foes` = [blue.scouts1, blue.guards1]
    Unit "foes" |api, unit| ok(api.look(|t| t.world.on_board() - t.world.owned(t.world.unit(unit).owner)));
    /// The other units of the same faction on the board.
    /// - gives: units
    /// - `me.allies` = [red.guards1]
    Unit "allies" |api, unit| ok(api.look(|t| {
        (t.world.on_board() & t.world.owned(t.world.unit(unit).owner)) - UnitSet::one(unit)
    }));
    /// The places in the same column.
    /// - gives: places
    /// - `me.column` = [a1, a2, a3]
    Unit "column" |api, unit| ok(api.look(|t| {
        let board = &t.rules.board;
        t.world.place(unit).map_or(PlaceSet::EMPTY, |p| board.column(board.cell(p).column))
    }));

    /// The number of units.
    /// - gives: number
    /// - `me.foes.len` = 2
    Units "len" |_api, set| ok(set.len() as i64);
    /// Whether the set is empty.
    /// - gives: true or false
    /// - `me.foes.is_empty` = false
    Units "is_empty" |_api, set| ok(set.is_empty());
    /// The first unit of the set, or nobody.
    /// - gives: unit, or nobody
    /// - `me.foes.first` = blue.scouts1
    Units "first" |_api, set| ok(set.first());
    /// The last unit of the set, or nobody.
    /// - gives: unit, or nobody
    /// - `me.foes.last` = blue.guards1
    Units "last" |_api, set| ok(set.last());
    /// The units of the set that are engaged.
    /// - gives: units
    /// - `side.units.engaged` = [red.guards1]
    Units "engaged" |api, set| { api.work(set.len() / 4)?; ok(api.look(|t| {
        engagement::engaged_of(&t.rules, &t.world, set)
    })) };
    /// The units of the set that are not engaged.
    /// - gives: units
    /// - `side.units.free` = [red.scouts1]
    Units "free" |api, set| { api.work(set.len() / 4)?; ok(api.look(|t| {
        &set - engagement::engaged_of(&t.rules, &t.world, set.clone())
    })) };
    /// The places where the units stand.
    /// - gives: places
    /// - `me.foes.places` = [b2, d3]
    Units "places" |api, set| { api.work(set.len() / 4)?; ok(api.look(|t| t.world.places_of(set))) };

    /// The number of places.
    /// - gives: number
    /// - `side.home.len` = 4
    Places "len" |_api, set| ok(set.len() as i64);
    /// Whether the set is empty.
    /// - gives: true or false
    /// - `walk(me, 1).is_empty` = false
    Places "is_empty" |_api, set| ok(set.is_empty());
    /// The first place of the set, or nowhere.
    /// - gives: place, or nowhere
    /// - `places().first` = a1
    Places "first" |_api, set| ok(set.first());
    /// The last place of the set, or nowhere.
    /// - gives: place, or nowhere
    /// - `places().last` = d3
    Places "last" |_api, set| ok(set.last());
    /// The places that touch a place of the set. Places of the set that touch each other are included.
    /// - gives: places
    /// - `places().of_terrain("mud").adjacent` = [a1, b1, c1, a2, c2, b3]
    Places "adjacent" |api, set| { api.work(set.len() / 4)?; ok(api.look(|t| t.world.adjacency().around(set))) };
    /// The units that stand in these places.
    /// - gives: units
    /// - `me.column.units` = [red.scouts1]
    Places "units" |api, set| { api.work(set.len() / 8)?; ok(api.look(|t| t.world.in_places(set))) };
    /// The places of the set where units stand.
    /// - gives: places
    /// - `me.places_within(2).occupied` = [a1, b2]
    Places "occupied" |api, set| ok(api.look(|t| set & t.world.occupied()));
    /// The places of the set where no unit stands.
    /// - gives: places
    /// - `side.home.empty` = [b1, c1, d1]
    Places "empty" |api, set| ok(api.look(|t| set - t.world.occupied()));

    /// The name.
    /// - gives: text
    /// - `here.name` = b2
    Place "name" |api, place| { let name = api.look(|t| t.rules.board.name(place).to_owned()); api.text(&name) };
    /// The middle of the piece of terrain or zone, or nothing if it is not on the table.
    /// - gives: spot, or nothing
    /// - `place("piece1").spot.x` = 5
    Place "spot" |api, place| ok(api.look(|t| t.world.piece(place).map(|shape| shape.middle())));
    /// The units that stand in the place.
    /// - gives: units
    /// - `here.units` = [red.guards1, blue.scouts1]
    Place "units" |api, place| ok(api.look(|t| t.world.at(place)));
    /// The places that touch the place, without those behind an edge that blocks steps.
    /// - gives: places
    /// - `here.adjacent` = [a1, b1, c1, a2, c2, b3]
    Place "adjacent" |api, place| ok(api.look(|t| t.world.adjacency().neighbours(place).clone()));
    /// The edges of the place towards the places that touch it, in a list.
    /// - gives: list of edges; empty if no terrain of the game lies on edges
    /// - `place("a1").edges` = [a1|b1, a1|a2, a1|b2]
    Place "edges" |api, place| {
        let edges = api.look(|t| {
            let board = &t.rules.board;
            board.neighbours(place).iter().filter_map(|near| board.edge_between(place, near)).collect::<Vec<_>>()
        });
        api.list(edges.into_iter().map(Value::of_edge))
    };
    /// The kinds of terrain in the place, in a list.
    /// - gives: list of kinds of terrain, sorted by name; empty in a gap
    /// - `here.terrains` = [mud]
    Place "terrains" |api, place| {
        let here = api.look(|t| t.world.terrain(place));
        api.list(here.map(Value::from))
    };
    /// The places in the same column.
    /// - gives: places
    /// - `here.column` = [b1, b2, b3]
    Place "column" |api, place| ok(api.look(|t| t.rules.board.column(t.rules.board.cell(place).column)));
    /// The places in the same row.
    /// - gives: places
    /// - `here.row` = [a2, b2, c2, d2]
    Place "row" |api, place| ok(api.look(|t| t.rules.board.row(t.rules.board.cell(place).row)));

    /// The name: those of its two places.
    /// - gives: text
    /// - `edge(place("a2"), place("a1")).name` = a1|a2
    Edge "name" |api, edge| { let name = api.look(|t| t.rules.board.name(edge).to_owned()); api.text(&name) };
    /// The two places that it separates.
    /// - gives: places
    /// - `edge(place("a1"), place("a2")).places` = [a1, a2]
    Edge "places" |api, edge| ok(api.look(|t| {
        t.rules.board.ends(edge).into_iter().flatten().collect::<PlaceSet>()
    }));
    /// The kinds of terrain on the edge, in a list.
    /// - gives: list of kinds of terrain, sorted by name
    /// - `edge(place("c2"), place("c3")).terrains` = [wall]
    Edge "terrains" |api, edge| {
        let here = api.look(|t| t.world.terrain(edge));
        api.list(here.map(Value::from))
    };

    /// The name.
    /// - gives: text
    /// - `side.name` = red
    Faction "name" |api, faction| { let name = api.look(|t| t.rules.factions[faction.index()].clone()); api.text(&name) };
    /// The opposing faction, in a game of two factions.
    /// - gives: faction
    /// - error: the game does not have exactly two factions; use `foes`
    /// - `side.foe` = blue
    Faction "foe" |api, faction| api.look(|t| {
        t.rules.foe(faction).map(Value::from).ok_or_else(|| {
            let factions = t.rules.factions.len();
            let are = if factions == 1 { "is" } else { "are" };
            rule(format!("`foe` is the other of two factions, and there {are} {factions}; `foes` are all others"))
        })
    });
    /// The other factions, in a list.
    /// - gives: list of factions, in the order of `board()`, starting after this one
    /// - `side.foes` = [blue]
    Faction "foes" |api, faction| {
        let foes: Vec<FactionId> = api.look(|t| t.rules.foes(faction).collect());
        api.list(foes.into_iter().map(Value::from))
    };
    /// The faction's units that have not been removed.
    /// - gives: units
    /// - `side.units` = [red.scouts1, red.guards1]
    Faction "units" |api, faction| ok(api.look(|t| t.world.alive() & t.world.owned(faction)));
    /// The faction's units in reserve: those that are not on the board and have not been removed.
    /// - gives: units
    /// - `side.reserve.is_empty` = true
    /// - `reserve(me); side.reserve` = [red.scouts1]
    Faction "reserve" |api, faction| ok(api.look(|t| {
        (t.world.alive() & t.world.owned(faction)) - t.world.on_board()
    }));
    /// The name.
    /// - gives: text
    /// - `terrain("mud").name` = mud
    Terrain "name" |api, terrain| { let name = api.look(|t| t.rules.terrains[terrain.index()].name.clone()); api.text(&name) };
    /// The name.
    /// - gives: text
    /// - `me.type.name` = scouts
    Type "name" |api, kind| { let name = api.look(|t| t.rules.types[kind.index()].name.clone()); api.text(&name) };

    /// The number of dice.
    /// - gives: number
    /// - `pool.len` = 3
    Lent "len" |api, dice| ok(api.heap.dice_seen(dice, DiceRead::LEN).len() as i64);
    /// Whether there are no dice.
    /// - gives: true or false
    /// - `pool.is_empty` = false
    Lent "is_empty" |api, dice| ok(api.heap.dice_seen(dice, DiceRead::EMPTY).is_empty());
    /// The sum of the dice.
    /// - gives: number
    /// - `pool.total` = 11
    Lent "total" |api, dice| ok(api.heap.dice_seen(dice, DiceRead::TOTAL).values().sum::<i64>());
    /// The highest die, or nothing.
    /// - gives: number, or nothing if there are no dice
    /// - `pool.highest` = 6
    Lent "highest" |api, dice| ok(api.heap.dice_seen(dice, DiceRead::HIGHEST).values().next_back());
    /// The lowest die, or nothing.
    /// - gives: number, or nothing if there are no dice
    /// - `pool.lowest` = 2
    Lent "lowest" |api, dice| ok(api.heap.dice_seen(dice, DiceRead::LOWEST).values().next());
}
