//! The one list of what scripts can call and read: functions, properties and operators of the
//! kernel's things, and what rules need of numbers, texts, lists and maps. Nodes call them
//! directly; the script reference is printed from here.

use super::context::{LINE, Run, number_of, reach_of};
use super::fault::{Eval, FaultKind, NativeResult, rule, unknown};
use super::library;
use super::members::MemberProperty;
use super::observe::Observer;
use super::tabletop::{diagonal, whole};
use super::value::{Kind, ListId, Value};
use super::view::ValueView;
use crate::kernel::choice::{OpenEnd, PickCount};
use crate::kernel::dice::Pool;
use crate::kernel::dice_access::DiceRead;
use crate::kernel::effect::Effect;
use crate::kernel::ids::{
    Cause, FactionId, PlaceId, PlaceSet, TerrainId, Thing, TypeId, UnitId, UnitSet, WordId,
};
use crate::kernel::region::Travel;
use crate::kernel::spot::{Form, Point};
use crate::kernel::table::{Halt, Table};
use crate::kernel::{engagement, throws};
use crate::report::hint_for;
use crate::script::declare;
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
    /// The unit of that name.
    /// - name: the faction, a dot, the type and a number
    /// - gives: unit
    /// - error: nobody is called so; the nearest name is told
    /// - `unit("red.scouts1").place` = a1
    /// - `unit("red.scoutts1")` fails: there is no unit `red.scoutts1`
    "unit" |api, name: Word| api.look(|t| {
        let text = t.words.text(name);
        let found = t.rules.parse_unit_name(text).and_then(|parsed| t.world.find(parsed));
        found.ok_or_else(|| {
            // Those that were removed are found, too.
            let names: Vec<String> = t.world.ever_owned().iter().map(|u| t.rules.unit_name(t.world.name(u))).collect();
            unknown(format!("there is no unit `{text}`"), hint_for(text, names.iter().map(String::as_str)))
        })
    });
    /// The place of that name.
    /// - name: as the board shows it: a letter for the column, a number for the row
    /// - gives: place
    /// - error: the board has no such place
    /// - `place("b2").units` = [red.guards1, blue.scouts1]
    /// - `place("z9")` fails: there is no place `z9`
    "place" |api, name: Word| api.look(|t| {
        let text = t.words.text(name);
        let found = t.rules.board.place(text);
        let why = || format!("there is no place `{text}` on the board");
        found.ok_or_else(|| match t.rules.board.is_empty() {
            true => unknown(why(), format!("the board is not there yet: a place is named, `\"{text}\"`")),
            false => rule(why()),
        })
    });
    /// The faction of that name.
    /// - name: as `board()` declares it
    /// - gives: faction
    /// - error: no faction is called so; the nearest name is told
    /// - `faction("red").units` = [red.scouts1, red.guards1]
    /// - `faction("rad")` fails: did you mean `red`?
    "faction" |api, name: Word| api.look(|t| {
        let text = t.words.text(name);
        t.rules.faction(text).ok_or_else(|| {
            let hint = hint_for(text, t.rules.factions.iter().map(String::as_str));
            unknown(format!("there is no faction `{text}`"), hint)
        })
    });
    /// The unit type of that name.
    /// - name: that of the unit's file
    /// - gives: unit type
    /// - error: no unit type is called so; the nearest name is told
    /// - `unit_type("scouts").life` = 3
    /// - `unit_type("scout")` fails: did you mean `scouts`?
    "unit_type" |api, name: Word| api.look(|t| api.find_type(t, name));
    /// Every unit type, in a list.
    /// - gives: list of unit types, sorted by name
    /// - `unit_types()` = [guards, scouts]
    "unit_types" |api| {
        let count = api.look(|t| t.rules.types.len());
        api.list((0..count).map(|i| TypeId(i as u8).into()))
    };
    /// The unit types whose stat has this value, in a list.
    /// - stat: the name of a stat
    /// - value: what it must be: a number; of a flag true or false
    /// - gives: list of unit types; empty when the stat is unknown
    /// - `types_with("cost", 2)` = [guards]
    /// - `types_with("heavy", true)` = [guards]
    "types_with" |api, stat: Word, value: Any| {
        let found = api.look(|t| with_stat(t, t.rules.types.iter().map(|kind| &kind.stats), stat, value));
        api.list(found.into_iter().map(|i| TypeId::new(i).into()))
    };
    /// The kind of terrain of that name.
    /// - name: that of the terrain's file
    /// - gives: terrain
    /// - error: no terrain is called so; the nearest name is told
    /// - `terrain("mud").depth` = 2
    /// - `terrain("mod")` fails: did you mean `mud`?
    "terrain" |api, name: Word| api.look(|t| api.find_terrain(t, name));
    /// Every kind of terrain, in a list.
    /// - gives: list of kinds of terrain, sorted by name
    /// - `terrains()` = [grass, mud]
    "terrains" |api| {
        let count = api.look(|t| t.rules.terrains.len());
        api.list((0..count).map(|i| TerrainId(i as u8).into()))
    };
    /// The kinds of terrain that have a stat with this value, in a list.
    /// - stat: the name of a stat
    /// - value: what it must be: a number; of a flag true or false
    /// - gives: list of kinds of terrain, sorted by name; empty when none has such a stat
    /// - `terrains_with("depth", 2)` = [mud]
    "terrains_with" |api, stat: Word, value: Any| {
        let found = api.look(|t| with_stat(t, t.rules.terrains.iter().map(|kind| &kind.stats), stat, value));
        api.list(found.into_iter().map(|i| TerrainId::new(i).into()))
    };
    /// The game itself, for its slots.
    /// - gives: the game
    /// - `game().wind` = 0
    /// - `let g = game(); g.wind = 3;` -> game  wind 0->3
    "game" |_api| Ok(Value::GAME);
    /// The faction whose turn comes first.
    /// - gives: faction
    /// - `first()` = red
    "first" |api| api.in_order(0, "first");
    /// The faction whose turn comes second.
    /// - gives: faction
    /// - `second()` = blue
    "second" |api| api.in_order(1, "second");
    /// The faction whose turn comes third.
    /// - gives: faction
    /// - error: the game has fewer factions
    /// - `third()` fails: there is no third faction in this game
    "third" |api| api.in_order(2, "third");
    /// The faction whose turn comes fourth.
    /// - gives: faction
    /// - error: the game has fewer factions
    /// - `fourth()` fails: there is no fourth faction in this game
    "fourth" |api| api.in_order(3, "fourth");
    /// The faction that has its turn as the first, second, third and so on.
    /// - n: which, from 1
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
    /// Every faction, in turn order, in a list.
    /// - gives: list of factions
    /// - `factions()` = [red, blue]
    "factions" |api| {
        let factions: Vec<Value> = api.look(|t| {
            (0..t.rules.factions.len()).map(|i| t.world.in_order(i).into()).collect()
        });
        api.list(factions)
    };
    /// Every unit that was ever enlisted, removed ones too, but those that were disbanded.
    /// - gives: units
    /// - `everyone().len` = 4
    /// - `remove(me); everyone().len` = 4
    "everyone" |api| ok(api.look(|t| {
        let factions = t.rules.all_factions();
        factions.fold(UnitSet::EMPTY, |all, f| all | t.world.owned(f))
    }));
    /// The units on the board.
    /// - gives: units
    /// - `units().engaged` = [red.guards1, blue.scouts1]
    "units" |api| ok(api.look(|t| t.world.on_board().clone()));
    /// Every place; in a game with terrain, every place that has some.
    /// - gives: places
    /// - `places().len` = 12
    "places" |api| ok(api.look(|t| t.world.ground().clone()));
    /// The places of the board without terrain, where nobody can stand.
    /// - gives: places; none in a game without terrain
    /// - `gaps().len` = 0
    /// - `lift(place("d1"), terrain("grass")); gaps()` = [d1]
    "gaps" |api| ok(api.look(|t| t.rules.board.places() - t.world.ground()));
    /// The places that touch the outside: the edge of the board, or a gap that is not enclosed.
    /// - gives: places
    /// - `places() - rim()` = [b2, c2]
    "rim" |api| { api.on_a_board()?; api.work(api.table.rules.board.places().len() / 4)?; ok(api.look(|t| t.world.rim(&t.rules))) };
    /// The place in the middle of the board.
    /// - gives: place
    /// - error: the game is played on a table top, where places do not touch
    /// - `middle()` = b2
    "middle" |api| { api.on_a_board()?; ok(api.look(|t| t.rules.board.middle())) };
    /// No places at all.
    /// - gives: places
    /// - `no_places().is_empty` = true
    "no_places" |_api| ok(PlaceSet::EMPTY);
    /// No units at all.
    /// - gives: units
    /// - `no_units() | me` = [red.scouts1]
    "no_units" |_api| ok(UnitSet::EMPTY);
    /// The places of a zone, of all factions together.
    /// - name: as `board()` has it
    /// - gives: places
    /// - error: the board has no such zone; the nearest name is told
    /// - `zone("home") - side.home` = [a3, b3, c3, d3]
    /// - `zone("hone")` fails: did you mean `home`?
    "zone" |api, name: Word| api.look(|t| {
        let (zones, text) = (&t.rules.board.zones, t.words.text(name));
        let found = zones.iter().find(|zone| zone.name == text);
        let places = found.map(|zone| zone.places.iter().fold(PlaceSet::EMPTY, |all, p| all | p));
        places.ok_or_else(|| {
            let hint = hint_for(text, zones.iter().map(|zone| zone.name.as_str()));
            unknown(format!("there is no zone `{text}`"), hint)
        })
    });
    /// The places where nobody stands.
    /// - gives: places
    /// - `empty_places().len` = 9
    "empty_places" |api| ok(api.look(|t| {
        t.world.ground() - t.world.occupied()
    }));

    "The course of play":
    /// The number of times that a repeating phase has begun.
    /// - phase: the name of a repeating phase
    /// - gives: number, from 1
    /// - error: no such phase is running, or the game has none of that name; the nearest name is told
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
                false => unknown(format!("there is no phase `{text}`"), hint_for(text, names())),
            }
        })
    });
    /// The winner of the contest that ended last, or nobody.
    /// - gives: faction, or nobody after a draw and while no contest has ended
    /// - `winner() == nobody` = true
    "winner" |api| ok(api.look(|t| t.world.outcome.and_then(|o| o.winner)));

    "Units and places":
    /// The places at most so many steps from a unit, its own with them.
    /// - unit: who it is about
    /// - steps: how many at most
    /// - gives: places; none for a unit in reserve, and none for steps below 0
    /// - error: the game is played on a table top, where places do not touch
    /// - `me.places_within(1)` = [a1, b1, a2, b2]
    "places_within" |api, unit: Unit, steps: Int| {
        api.on_a_board()?;
        ok(api.look(|t| reach_of(t, unit, steps)))
    };
    /// The other units at most so many steps away.
    /// - unit: who it is about
    /// - steps: how many at most
    /// - gives: units of every faction
    /// - `me.units_within(2)` = [red.guards1, blue.scouts1]
    "units_within" |api, unit: Unit, steps: Int| { let near = api.near(unit, steps.into())?; ok(near - UnitSet::one(unit)) };
    /// The opposing units at most so many steps away.
    /// - unit: who it is about
    /// - steps: how many at most
    /// - gives: units
    /// - `me.foes_within(2)` = [blue.scouts1]
    "foes_within" |api, unit: Unit, steps: Int| {
        let near = api.near(unit, steps.into())?;
        ok(api.look(|t| near - t.world.owned(t.world.unit(unit).owner)))
    };
    /// The allied units at most so many steps away, the unit itself left out.
    /// - unit: who it is about
    /// - steps: how many at most
    /// - gives: units
    /// - `me.allies_within(2)` = [red.guards1]
    "allies_within" |api, unit: Unit, steps: Int| {
        let near = api.near(unit, steps.into())?;
        ok(api.look(|t| (near & t.world.owned(t.world.unit(unit).owner)) - UnitSet::one(unit)))
    };
    /// Those of the units that are a faction's.
    /// - units: any units
    /// - faction: whose
    /// - gives: units
    /// - `units().of(second())` = [blue.scouts1, blue.guards1]
    "of" |api, units: Units, faction: Faction| ok(api.look(|t| units & t.world.owned(faction)));
    /// A faction's units in a place.
    /// - place: where
    /// - faction: whose
    /// - gives: units
    /// - `here.of(side)` = [red.guards1]
    "of" |api, place: Place, faction: Faction| ok(api.look(|t| t.world.at(place) & t.world.owned(faction)));
    /// Those of the units that are of a type.
    /// - units: any units
    /// - name: a unit type
    /// - gives: units
    /// - error: no unit type is called so; the nearest name is told
    /// - `units().of_type("guards")` = [red.guards1, blue.guards1]
    "of_type" |api, units: Units, name: Word| api.look(|t| {
        let kind = api.find_type(t, name)?;
        ok(units.filter(|&u| t.world.unit(u).kind == kind).collect::<UnitSet>())
    });
    /// The sum of a stat or slot over the units. A flag that is true counts as 1.
    /// - units: any units
    /// - name: a stat, or a number slot of units
    /// - gives: number; 0 for no units
    /// - error: there is no such stat or slot, one of the units has no such stat, or the sum is too large
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
    /// Whether a unit is among units.
    /// - units: any units
    /// - it: whatever there is
    /// - gives: true or false
    /// - `me.foes.contains(foe)` = true
    "contains" |_api, units: Units, it: Any| ok(it.as_unit().is_some_and(|unit| units.contains(unit)));
    /// Whether a place is among places.
    /// - places: any places
    /// - it: whatever there is; `nowhere` is in no places
    /// - gives: true or false
    /// - `side.home.contains(me.place)` = true
    "contains" |_api, places: Places, it: Any| ok(it.as_place().is_some_and(|place| places.contains(place)));
    /// Whether one of the dice shows a number.
    /// - dice: any dice
    /// - die: the number
    /// - gives: true or false
    /// - `pool.contains(6)` = true
    "contains" |api, dice: Lent, die: Int| {
        ok(api.heap.dice_seen(dice, DiceRead::shows(die)).values().any(|shown| shown == die))
    };
    /// The units in a place that oppose a unit.
    /// - place: where
    /// - me: whom they oppose
    /// - gives: units
    /// - `here.foes(me)` = [blue.scouts1]
    "foes" |api, place: Place, me: Unit| ok(api.look(|t| {
        t.world.at(place) - t.world.owned(t.world.unit(me).owner)
    }));
    /// The units in a place on a unit's side, itself with them.
    /// - place: where
    /// - me: whose side
    /// - gives: units
    /// - `here.allies(me)` = [red.guards1]
    "allies" |api, place: Place, me: Unit| ok(api.look(|t| {
        t.world.at(place) & t.world.owned(t.world.unit(me).owner)
    }));
    /// The places at most so many steps away, the place itself with them.
    /// - place: from where
    /// - steps: how many at most; below 0 counts as 0
    /// - gives: places
    /// - error: the game is played on a table top, where places do not touch
    /// - `place("a1").within(1)` = [a1, b1, a2, b2]
    "within" |api, place: Place, steps: Int| {
        api.on_a_board()?;
        ok(api.look(|t| t.rules.board.within(place, steps.max(0) as usize)))
    };
    /// Whether the places hang together: from each of them one comes to each other one by way of these
    /// places alone.
    /// - places: any places
    /// - gives: true or false; true for none
    /// - error: the game is played on a table top, where places do not touch
    /// - `hang_together(places())` = true
    /// - `hang_together(no_places() | place("a1") | place("c3"))` = false
    "hang_together" |api, places: Places| {
        api.work(places.len())?;
        api.on_a_board()?;
        ok(api.look(|t| places.first().is_none_or(|first| t.rules.board.connected(first, places.clone()) == places)))
    };
    /// Whether a place has a kind of terrain.
    /// - place: where
    /// - name: that of the terrain
    /// - gives: true or false
    /// - error: no terrain is called so; the nearest name is told
    /// - `here.has("mud")` = true
    /// - `here.has("mut")` fails: did you mean `mud`?
    "has" |api, place: Place, name: Word| api.look(|t| {
        ok(t.world.terrain(place).contains(api.find_terrain(t, name)?))
    });
    /// Those of the places that have a kind of terrain.
    /// - places: any places
    /// - name: that of the terrain
    /// - gives: places
    /// - error: no terrain is called so; the nearest name is told
    /// - `places().of_terrain("mud")` = [b2]
    "of_terrain" |api, places: Places, name: Word| api.look(|t| {
        let terrain = api.find_terrain(t, name)?;
        ok(places.filter(|&p| t.world.terrain(p).contains(terrain)).collect::<PlaceSet>())
    });
    /// The steps between two places.
    /// - from: a place
    /// - to: a place
    /// - gives: number of steps, whoever stands between, also across gaps of a drawn board
    /// - error: the game is played on a table top, where places do not touch
    /// - `place("a1").distance(place("a3"))` = 2
    "distance" |api, from: Place, to: Place| {
        api.on_a_board()?;
        ok(api.look(|t| t.rules.board.distance(from, to) as i64))
    };
    /// The steps to the nearest of several places.
    /// - from: a place
    /// - to: any places
    /// - gives: number of steps, whoever stands between; nothing when there are no places
    /// - error: the game is played on a table top, where places do not touch
    /// - `place("a1").distance(places().of_terrain("mud"))` = 1
    "distance" |api, from: Place, to: Places| { api.on_a_board()?; api.work(to.len())?; ok(api.look(|t| {
        to.iter().map(|to| t.rules.board.distance(from, to) as i64).min()
    })) };

    "Directions, lines and sight":
    /// The directions in which places touch, in a list, clockwise from the top.
    /// - gives: list of texts: on hexagons `n`, `ne`, `se`, `s`, `sw`, `nw`; on squares `n`, `e`, `s`, `w`, and between them `ne`, `se`, `sw`, `nw` where squares touch at their corners
    /// - `directions()` = [n, ne, se, s, sw, nw]
    "directions" |api| {
        api.on_a_board()?;
        let names: Vec<&str> = api.look(|t| t.rules.board.directions().iter().map(|d| d.name).collect());
        let names: Vec<Value> = names.into_iter().map(|n| api.text(n)).collect::<Result<_, _>>()?;
        api.list(names)
    };
    /// The direction that leads from one place straight to another, however far.
    /// - from: a place
    /// - to: a place
    /// - gives: text: the direction; nothing when none leads straight there
    /// - `direction(place("a1"), place("a3"))` = n
    /// - `direction(place("a1"), place("c3")) == nothing` = true
    "direction" |api, from: Place, to: Place| {
        api.on_a_board()?;
        let direction = api.look(|t| t.rules.board.direction(from, to));
        api.direction_name(direction)
    };
    /// The direction that comes nearest to leading from one place to another; of two that are as near, the one
    /// farther clockwise.
    /// - from: a place
    /// - to: a place
    /// - gives: text: the direction; nothing from a place to itself
    /// - error: the game is played on a table top, where places do not touch
    /// - `nearest_direction(place("a1"), place("c3"))` = ne
    "nearest_direction" |api, from: Place, to: Place| {
        api.on_a_board()?;
        let direction = api.look(|t| t.rules.board.nearest_direction(from, to));
        api.direction_name(direction)
    };
    /// A direction so many turns further round.
    /// - direction: one of `directions()`
    /// - turns: how many, clockwise; below 0 the other way round
    /// - gives: text: the direction
    /// - error: the board has no such direction; the nearest name is told
    /// - `turned("n", 1)` = ne
    /// - `turned("n", -2)` = sw
    /// - `turned("up", 1)` fails: there is no direction `up` on hexagons
    "turned" |api, direction: Word, turns: Int| {
        api.on_a_board()?;
        let turned: NativeResult<_> = api.look(|t| Ok(t.rules.board.turned(api.direction(t, direction)?, turns)));
        api.direction_name(Some(turned?))
    };
    /// The place that touches another in a direction.
    /// - place: beside which
    /// - direction: one of `directions()`
    /// - gives: place; nowhere beyond the board
    /// - error: the game is played on a table top, where places do not touch
    /// - error: the board has no such direction; the nearest name is told
    /// - `neighbour(here, "n")` = b3
    /// - `neighbour(place("a3"), "n") == nowhere` = true
    "neighbour" |api, place: Place, direction: Word| { api.on_a_board()?; api.look(|t| {
        Ok(t.rules.board.neighbour(place, api.direction(t, direction)?))
    }) };
    /// The places straight ahead in a direction, at most so many steps. Where a drawn map has no place it is passed over;
    /// a place without terrain is among them.
    /// - place: from where; it is not among them
    /// - direction: one of `directions()`
    /// - steps: how many at most
    /// - gives: places
    /// - error: the game is played on a table top, where places do not touch
    /// - error: the board has no such direction; the nearest name is told
    /// - `ray(place("a1"), "n", 5)` = [a2, a3]
    "ray" |api, place: Place, direction: Word, steps: Int| {
        api.on_a_board()?;
        let board = &api.table.rules.board;
        api.work(board.columns().max(board.rows()).min(steps.max(0) as usize))?;
        api.look(|t| Ok(t.rules.board.ray(place, api.direction(t, direction)?, steps.max(0) as usize)))
    };
    /// The places exactly so many steps away.
    /// - place: from where
    /// - steps: how many
    /// - gives: places
    /// - error: the game is played on a table top, where places do not touch
    /// - `ring(place("a1"), 1)` = [b1, a2, b2]
    "ring" |api, place: Place, steps: Int| api.on_a_board().and_then(|()| ok(api.look(|t| match usize::try_from(steps) {
        Ok(steps) => t.rules.board.ring(place, steps),
        Err(_) => PlaceSet::EMPTY,
    })));
    /// The places at most so many steps away in a direction and around it. What lies just on its border belongs to it.
    /// - place: from where; it is not among them
    /// - direction: one of `directions()`, the middle of the arc
    /// - width: how many turns it spans: 0 is what lies straight ahead, 2 all from one turn to the left to one turn to the right
    /// - steps: how many at most
    /// - gives: places
    /// - error: the game is played on a table top, where places do not touch
    /// - error: the board has no such direction; the nearest name is told
    /// - error: the width is below 0
    /// - `arc(here, "n", 2, 1)` = [a2, c2, b3]
    /// - `arc(here, "n", 0, 5)` = [b3]
    "arc" |api, place: Place, direction: Word, width: Int, steps: Int| {
        api.on_a_board()?;
        if width < 0 {
            return Err(rule(format!("an arc spans 0 turns or more, not {width}")));
        }
        let (width, steps) = (width.min(64) as usize, steps.max(0) as usize);
        api.work(api.look(|t| t.rules.board.within(place, steps).len()))?;
        api.look(|t| Ok(t.rules.board.arc(place, api.direction(t, direction)?, width, steps)))
    };
    /// Those of the places that one comes to from a place, step by step, without leaving them.
    /// - place: from where
    /// - places: any places
    /// - gives: places, the first with them; none when it is not one of them
    /// - error: the game is played on a table top, where places do not touch
    /// - `connected(place("a1"), side.home)` = [a1, b1, c1, d1]
    /// - `connected(place("a1"), no_places() | place("a1") | place("c1"))` = [a1]
    "connected" |api, place: Place, places: Places| {
        api.on_a_board()?;
        api.work(places.len())?;
        ok(api.look(|t| t.rules.board.connected(place, places)))
    };
    /// The places on the straight line between the middles of two others. Where it runs along an edge or through a
    /// corner, `lines` in `board()` says what it meets.
    /// - from: a place
    /// - to: a place
    /// - gives: places, those two left out
    /// - `line(place("a1"), place("a3"))` = [a2]
    /// - `line(place("a1"), place("c1"))` = [b1, b2]
    "line" |api, from: Place, to: Place| ok(api.sight(from, to)?.places());
    /// Whether one sees from one place to another past these places, whoever looks. What stands in the two places
    /// themselves bars nothing.
    /// - from: a place
    /// - to: a place
    /// - blockers: the places through which nobody sees
    /// - gives: true or false
    /// - `in_sight(place("a1"), place("a3"), no_places() | place("a2"))` = false
    /// - `in_sight(place("a1"), place("c1"), no_places() | place("b2"))` = true
    "in_sight" |api, from: Place, to: Place, blockers: Places| ok(api.sight(from, to)?.is_free(&blockers));
    /// Whether one sees from one place to another, past what `blocks_sight` says of the places between.
    /// - from: a place
    /// - to: a place
    /// - gives: true or false
    /// - error: game.rhai has no `blocks_sight`
    /// - `in_sight(place("a1"), place("a3"))` fails: nothing says what blocks sight
    "in_sight" |api, from: Place, to: Place| api.in_sight(from, to);

    "Movement":
    /// The places where a unit can end a walk of a limited number of steps.
    /// - me: who walks
    /// - steps: how many at most: as many as there are places, and 64, are enough for any way; where `cost_to_enter` says what steps cost, what they may cost together
    /// - gives: places: those with room that `may_enter` and `may_join` allow; none when `may_leave` holds the unit back
    /// - error: `cost_to_enter` gives something else than a cost
    /// - `walk(me, 1)` = [b1, a2, b2]
    "walk" |api, me: Unit, steps: Int| match api.table.rules.tabletop {
        None => { let places = api.walk(me, steps, false)?; Ok(api.heap.of_places(places)) }
        Some(_) => { let most = api.length(steps.into())?; api.region(me, Travel::Walk(most)) }
    };
    /// The places where a unit can end a walk of exactly this number of steps.
    /// - me: who walks
    /// - steps: how many: at most 64, or as many as there are places where these are more
    /// - gives: places, as `walk` does
    /// - error: the game is played on a table top, where places do not touch
    /// - error: more steps than that
    /// - error: steps have costs (`cost_to_enter`)
    /// - `walk_exactly(me, 2).len` = 5
    /// - `walk_exactly(me, 65)` fails: walk_exactly counts at most 64 steps on this board, not 65
    "walk_exactly" |api, me: Unit, steps: Int| { api.on_a_board()?; ok(api.walk(me, steps, true)?) };
    /// The places of a unit's cheapest way to a place: over ground, past units of its own faction, and not past any others.
    /// Of ways as cheap it is one with the fewest steps.
    /// - me: who goes
    /// - place: where to, whether the unit may end there or not
    /// - gives: list of places, from the first step to the last; empty when no way leads there
    /// - error: `cost_to_enter` gives something else than a cost
    /// - `way(me, place("a3"))` = [a2, a3]
    "way" |api, me: Unit, place: Place| {
        api.on_a_board()?;
        let way = api.ways(me, u64::MAX)?.map(|ways| ways.way(place));
        api.list(way.unwrap_or_default().into_iter().map(Value::from))
    };
    /// The cost of a unit's cheapest way to a place; without `cost_to_enter`, its number of steps.
    /// - me: who goes
    /// - place: where to, whether the unit may end there or not
    /// - gives: number; nothing when no way leads there
    /// - error: `cost_to_enter` gives something else than a cost
    /// - `way_cost(me, place("a3"))` = 2
    "way_cost" |api, me: Unit, place: Place| {
        api.on_a_board()?;
        let cost = api.ways(me, u64::MAX)?.and_then(|ways| ways.cost(place));
        ok(cost.map(|cost| i64::try_from(cost).unwrap_or(i64::MAX)))
    };
    /// Those of the places where a unit may end its movement.
    /// - me: who moves, however it comes there
    /// - places: which to look at
    /// - gives: places: those of them with room that `may_enter` and `may_join` allow
    /// - `may_end(me, side.home)` = [a1, b1, c1, d1]
    "may_end" |api, me: Unit, places: Places| { api.on_a_board()?; ok(api.may_end(me, places)?) };
    /// The owner picks where the unit walks to with its stat `move`, or that it stays; asked as `move`. On a table top
    /// that is any spot of `walk(me, me.move)`.
    /// - me: who moves
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
        let offered = match api.table.rules.tabletop {
            None => {
                let places = api.walk(me, said.as_int().ok_or_else(kind)?, false)?;
                api.heap.of_places(places)
            }
            Some(_) => { let most = api.length(said)?; api.region(me, Travel::Walk(most))? }
        };
        api.travel(me, offered)
    };
    /// The owner picks one of the places for the unit to move to, or that it stays; asked as `move`.
    /// - me: who moves
    /// - places: where it may go
    /// - gives: nothing
    /// - `travel(me, walk(me, 1))` asks: stay, b1, a2, b2
    "travel" |api, me: Unit, places: Places| { let places = api.heap.of_places(places); api.travel(me, places) };

    "The table top":
    /// The spot at these distances on the table top, for the middle of a unit's base.
    /// - x: how far from the left edge
    /// - y: how far from the lower edge
    /// - gives: spot
    /// - `spot(12, 7.5)` = 12.000,7.500
    "spot" |api, x: Any, y: Any| api.spot(x, y);
    /// The spot so far from another in a direction. It may lie beyond the table.
    /// - from: a spot
    /// - degrees: whole degrees from the right, anticlockwise, as `angle` says them
    /// - length: how far
    /// - gives: spot, never farther away than that
    /// - error: it lies beyond every table
    /// - `spot(spot(2, 2), 90, 3)` = 2.000,5.000
    /// - `spot(spot(2, 2), -90, 1.5)` = 2.000,0.500
    "spot" |api, from: Spot, degrees: Int, length: Any| api.spot_toward(from, degrees, length);
    /// In which direction one spot lies from another, to the nearest degree.
    /// - from: a spot
    /// - to: a spot
    /// - gives: number: whole degrees from the right, anticlockwise, 0 to 359; 0 from a spot to itself
    /// - `angle(spot(2, 2), spot(5, 5))` = 45
    /// - `angle(spot(2, 2), spot(2, 0))` = 270
    "angle" |_api, from: Spot, to: Spot| ok(from.angle(to));
    /// The distance between two units, from the edge of one base to that of the other; on a board the steps between
    /// them.
    /// - me: a unit
    /// - other: a unit
    /// - gives: length, 0 where they touch, rounded up to a thousandth; nothing when one of them does not stand there
    /// - `distance(me, foe)` = 2
    "distance" |api, me: Unit, other: Unit| api.apart(me.into(), other.into());
    /// The distance to the nearest of several units, measured in the same way.
    /// - me: a unit
    /// - others: any units; those that do not stand there are left out
    /// - gives: length, 0 where they touch; nothing when nobody is left or the unit does not stand there
    /// - `distance(me, me.foes)` = 2
    "distance" |api, me: Unit, others: Units| api.apart_from(me, others);
    /// The distance from a spot to the edge of a unit's base.
    /// - me: a unit
    /// - other: a spot
    /// - gives: length; 0 on the base
    /// - `distance(me, spot(12, 2))` = 6.5
    "distance" |api, me: Unit, other: Spot| api.apart(me.into(), other.into());
    /// The distance from a piece of terrain to the edge of a unit's base; on a board the steps to a place.
    /// - me: a unit
    /// - piece: a piece of terrain, or a place of the board
    /// - gives: length, 0 where they touch; nothing when one of them is not there
    /// - `distance(me, place("piece1"))` = 1
    "distance" |api, me: Unit, piece: Place| api.apart(me.into(), piece.into());
    /// The distance between two spots.
    /// - from: a spot
    /// - to: a spot
    /// - gives: length, rounded up to a thousandth
    /// - `distance(spot(0, 0), spot(3, 4))` = 5
    "distance" |api, from: Spot, to: Spot| api.apart(from.into(), to.into());
    /// The other units at most so far away, from base to base.
    /// - unit: who it is about
    /// - length: how far at most
    /// - gives: units of every faction
    /// - `me.units_within(2.5)` = [blue.scouts1]
    "units_within" |api, unit: Unit, length: Length| { let near = api.near(unit, length)?; ok(near - UnitSet::one(unit)) };
    /// The opposing units at most so far away, from base to base.
    /// - unit: who it is about
    /// - length: how far at most
    /// - gives: units
    /// - `me.foes_within(2.5)` = [blue.scouts1]
    "foes_within" |api, unit: Unit, length: Length| {
        let near = api.near(unit, length)?;
        ok(api.look(|t| near - t.world.owned(t.world.unit(unit).owner)))
    };
    /// The region that a unit can reach in a straight line, touching nothing on its way: no base, and no piece of
    /// terrain that `blocks_movement`.
    /// - me: who moves
    /// - most: how long the line is at most
    /// - gives: region
    /// - error: the unit does not stand on the table
    /// - `leap(me, 2)` = a region
    "leap" |api, me: Unit, most: Any| { let most = api.length(most)?; api.region(me, Travel::Leap(0, most)) };
    /// The same in a straight line that is not too short either.
    /// - me: who moves
    /// - least: how long the line is at least
    /// - most: how long it is at most
    /// - gives: region
    /// - `leap(me, 2, 2).has(spot(3.5, 2))` = false
    "leap" |api, me: Unit, least: Any, most: Any| {
        let (least, most) = (api.length(least)?, api.length(most)?);
        api.region(me, Travel::Leap(least, most))
    };
    /// The region that a unit can reach by any way around bases and the pieces of terrain that block movement.
    /// - me: who moves
    /// - most: how long the way is at most
    /// - gives: region
    /// - error: the unit does not stand on the table
    /// - `walk(me, 2.5)` = a region
    "walk" |api, me: Unit, most: Length| { let most = api.length(most)?; api.region(me, Travel::Walk(most)) };
    /// The region within a rectangle that has room for a unit's whole base, such as where it is deployed.
    /// - me: who is put down
    /// - left: where the rectangle begins, from the left edge
    /// - low: from the lower edge
    /// - right: where it ends
    /// - high: where it ends above
    /// - gives: region
    /// - `room(me, 0, 0, 3, 3)` = a region
    "room" |api, me: Unit, left: Any, low: Any, right: Any, high: Any| {
        let edges = [api.length(left)?, api.length(low)?, api.length(right)?, api.length(high)?];
        api.region(me, Travel::Within(edges))
    };
    /// The spots of a piece of terrain, or of a zone, that somebody can aim at. As a region it is read like any other:
    /// `12.4,7`, or `3 toward NAME` from where the one stands who aims, or from its middle.
    /// - me: who aims
    /// - piece: a piece of terrain, or a zone
    /// - not: units; what they cover cannot be aimed at
    /// - gives: region
    /// - error: the piece does not lie on the table
    /// - `aims(me, place("piece1"), no_units())` = a region
    "aims" |api, me: Unit, piece: Place, not: Units| api.aims(me, piece, &not);
    /// Asks a unit's owner or a faction to choose, or to say a spot. Whoever looks through options sees those that are
    /// told alone.
    /// - who: a unit, whose owner is asked, or a faction
    /// - label: what is chosen
    /// - options: units, words or whatever stands for what most people want
    /// - region: what can be said besides
    /// - gives: one of the options or a spot
    /// - error: there is no option
    /// - `choose(me, "at", ["hold"], aims(me, place("piece1"), no_units()))` asks: hold
    "choose" |api, who: Any, label: Word, options: Any, region: Region| {
        api.choose_or(who, None, label, (options, None), OpenEnd::Spots(region))
    };
    /// Whether a spot is in a region.
    /// - region: where a unit can come to
    /// - spot: any spot
    /// - gives: true or false
    /// - `leap(me, 2).has(spot(3.5, 2))` = true
    /// - `leap(me, 2).has(spot(7.5, 2))` = false
    "has" |api, region: Region, spot: Spot| api.has(&region, spot);
    /// The visible part of a unit's base, seen from the middle of another's, past the pieces of terrain that
    /// `blocks_sight` says block it.
    /// - me: who looks
    /// - other: whom it looks at
    /// - gives: text: `"free"`, `"partly"` or `"hidden"`; nothing when one of them is not on the table
    /// - `sight(me, foe)` = free
    "sight" |api, me: Unit, other: Unit| api.visible_part(me, other, false);
    /// The same, past the bases of others too.
    /// - me: who looks
    /// - other: whom it looks at
    /// - with_bases: whether bases hide what lies behind them
    /// - gives: text: `"free"`, `"partly"` or `"hidden"`
    /// - `sight(me, foe, true)` = free
    "sight" |api, me: Unit, other: Unit, with_bases: Bool| api.visible_part(me, other, with_bases);
    /// The same past these pieces of terrain alone, whatever `blocks_sight` says: such as all woods but those in which
    /// one of both stands.
    /// - me: who looks
    /// - other: whom it looks at
    /// - pieces: what blocks sight
    /// - gives: text: `"free"`, `"partly"` or `"hidden"`; nothing when one of them is not on the table
    /// - `sight(me, foe, no_places())` = free
    "sight" |api, me: Unit, other: Unit, pieces: Places| api.visible_part_past(me, other, &pieces, false);
    /// The pieces of terrain that the straight line between the middles of two bases crosses, or that leave no room for
    /// it between them.
    /// - me: a unit
    /// - other: a unit
    /// - gives: places
    /// - `between(me, foe)` = []
    "between" |api, me: Unit, other: Unit| ok(api.crossed(me, other)?);
    /// The diagonal of a rectangle.
    /// - wide: one side
    /// - deep: the other
    /// - gives: length, rounded down to thousandths
    /// - `diagonal(3, 4)` = 5
    /// - `diagonal(1, 1)` = 1.414
    "diagonal" |api, wide: Any, deep: Any| {
        let (wide, deep) = (api.length(wide)?, api.length(deep)?);
        diagonal(wide, deep).map(Value::of_length).ok_or_else(|| rule("the diagonal is longer than any length"))
    };
    /// The number of the game's units of length in a length, rounded down.
    /// - length: a length
    /// - gives: number, rounded down
    /// - `rounded_down(7.9)` = 7
    "rounded_down" |api, length: Any| ok(whole(api.length(length)?, false));
    /// The number of the game's units of length in a length, rounded up.
    /// - length: a length
    /// - gives: number, rounded up
    /// - `rounded_up(7.1)` = 8
    "rounded_up" |api, length: Any| ok(whole(api.length(length)?, true));
    /// Moves a unit to a spot.
    /// - unit: who moves
    /// - to: where to; what lies on the way is not asked for: `leap` and `walk` do that
    /// - gives: nothing
    /// - error: another base is there, or the edge of the table
    /// - `move(me, spot(12, 2))` -> red.scouts1  5.000,2.000->12.000,2.000
    "move" |api, unit: Unit, to: Spot| api.act(Effect::Put(unit, to.into()), Cause::default());
    /// Moves a unit to a spot, with the word for why.
    /// - unit: who moves
    /// - to: where to
    /// - word: why
    /// - gives: nothing
    /// - `move(me, spot(12, 2), "retreat")` -> red.scouts1  5.000,2.000->12.000,2.000  (by retreat)
    "move" |api, unit: Unit, to: Spot, word: Word| api.act_by(Effect::Put(unit, to.into()), word, None);
    /// Puts a unit onto a spot, from the reserve too.
    /// - unit: who is put down
    /// - at: where
    /// - gives: nothing
    /// - error: another base is there, or the edge of the table
    /// - `put(me, spot(12, 2))` -> red.scouts1  5.000,2.000->12.000,2.000
    "put" |api, unit: Unit, at: Spot| api.act(Effect::Put(unit, at.into()), Cause::default());

    /// Lays a round piece of terrain on the table top: the first of its pieces that does not lie there yet.
    /// - terrain: what
    /// - at: its middle
    /// - diameter: how wide it is
    /// - gives: place: the piece
    /// - error: all pieces lie there, or it has no width
    /// - `lay_disc(terrain("mud"), spot(12, 12), 3)` -> piece2  mud laid: disc(12,12,3)
    "lay_disc" |api, terrain: Terrain, at: Spot, diameter: Any| {
        let diameter = i32::try_from(api.length(diameter)?).unwrap_or(i32::MAX);
        api.lay_piece(terrain, Form::Disc(at, diameter))
    };
    /// Lays a rectangular piece of terrain on the table top.
    /// - terrain: what
    /// - low: its lower left corner
    /// - high: its upper right corner
    /// - gives: place: the piece
    /// - error: all pieces lie there, or it has no area
    /// - `lay_box(terrain("mud"), spot(12, 12), spot(15, 13.5))` -> piece2  mud laid: box(12,12,15,13.5)
    /// - `lay_box(terrain("mud"), spot(12, 12), spot(12, 13))` fails: it has no area
    "lay_box" |api, terrain: Terrain, low: Spot, high: Spot| api.lay_piece(terrain, Form::Box(low, high));

    "The arena":
    /// Throws a die: from the board, or from the hand (the reserve). It flies, bounces and pushes others; where all lie
    /// then, and who fell off (into the reserve), is so when it is told.
    /// - die: who is thrown
    /// - label: what for, in a word or two; scenarios state results by it
    /// - target: a die, a zone or a spot that its middle would come through
    /// - how: map: `hard`, how fast it flies along the board, in cm a second, 0 drops it; `high`, from how high, in cm (10 if left out); `side`, from which side it comes, in degrees, from the right, anticlockwise (270); `spin`, turns a second that it rolls forward (0); `miss`, by how many cm the hand misses to each side at most, `slip`, by how many per cent it throws harder or less hard at most (0)
    /// - gives: map: `first`, the die that it touched first, or nothing; `touched`, a list of all in order; `direct`, whether it touched a die before the board; `landed`, the spot where it first touched the board, or nothing; `left`, units that fell off; `moved`, units that lie otherwise than before, itself among them unless it fell off; `settled`, whether all came to rest
    /// - error: what is aimed at is not on the board, `hard` is left out, a number is out of range, or the phase is simultaneous
    /// - `throw_at(me, "attack", foe, #{ hard: 120, high: 6 }).touched` = [blue.scouts1]
    /// - `throw_at(me, "attack", foe, #{ high: 6 })` fails: the throw does not say how hard
    /// - `throw_at(me, "attack", spot(60, 3), #{ hard: 100 })` fails: lies beyond the board
    "throw_at" |api, die: Unit, label: Word, target: Any, how: Map| api.throw(die, label, target, how);
    /// All that the last throw of the step moved lies again as it lay before.
    /// - word: why
    /// - gives: nothing
    /// - error: nothing was thrown in the step
    /// - `take_back_throw("missed")` fails: nothing was thrown in this step
    "take_back_throw" |api, word: Word| { let cause = api.cause(word, None)?; api.take_back(cause) };
    /// Lays a die flat at a spot, with this face up (a D4: down).
    /// - die: who is laid down
    /// - at: where its middle is
    /// - face: what it shows
    /// - word: why
    /// - gives: nothing
    /// - error: it has no such face, another die is there, or no board
    /// - `lay_die(me, spot(12, 20), 6, "placed"); me.face` = 6
    /// - `lay_die(me, spot(12, 20), 7, "placed")` fails: red.scouts1 has no face 7; its faces are 1 to 6
    "lay_die" |api, die: Unit, at: Spot, face: Int, word: Word| {
        let cause = api.cause(word, None)?;
        api.lay_die(die, at, face, cause)
    };
    /// A spot near another where a die can lie: there, or on the first of rings about it that has one. The rings are
    /// half a die apart and reach as far as the board is wide, so that a nearer spot between two of them is not found.
    /// - die: who is to lie there
    /// - at: where it had best lie
    /// - gives: spot, or nothing where there is none
    /// - `free_spot(me, spot(12, 20))` = 12.000,20.000
    "free_spot" |api, die: Unit, at: Spot| ok(api.free_spot(die, at)?);
    /// Whether the face on which a die lies is wholly within a zone: its line is not.
    /// - die: who it is about
    /// - zone: a zone of the arena
    /// - gives: true or false; false for a die that is not on the board
    /// - `me.lies_in(place("bounds"))` = true
    "lies_in" |api, die: Unit, zone: Place| ok(api.zoned(die, zone, false)?.0);
    /// Whether the face on which a die lies is wholly within a zone, its broken edges with it or not.
    /// - die: who it is about
    /// - zone: a zone of the arena
    /// - with_edges: true: the face reaches as far as if its edges were not broken
    /// - gives: true or false; false for a die that is not on the board
    /// - `me.lies_in(place("bounds"), true)` = true
    "lies_in" |api, die: Unit, zone: Place, with_edges: Bool| ok(api.zoned(die, zone, with_edges)?.0);
    /// Whether any of the face on which a die lies is within a zone or touches its line.
    /// - die: who it is about
    /// - zone: a zone of the arena
    /// - gives: true or false; false for a die that is not on the board
    /// - `me.lies_on(place("target"))` = false
    "lies_on" |api, die: Unit, zone: Place| ok(api.zoned(die, zone, false)?.1);

    "Choices and dice":
    /// Asks a unit's owner or a faction to choose.
    /// - who: a unit, whose owner is asked, or a faction
    /// - label: what is chosen, in a word or two; answers are found again by it
    /// - options: units, places, dice, numbers `0..=3`, or a list of units, places, spots, factions, unit types, numbers and words; a list of two or three of these in it is one option
    /// - gives: one of the options; a single one is taken without asking
    /// - error: there is no option, the label has a `:` in it or is not one line, or a word reads like another option; the same option twice counts once
    /// - `choose(side, "wind", ["north", "south"])` asks: north, south
    /// - `choose(me, "target", me.foes)` asks: blue.scouts1, blue.guards1
    /// - `choose(side, "march", [[me, place("a2")], [me, place("b2")]])` asks: red.scouts1 a2, red.scouts1 b2
    /// - `choose(side, "wind", [])` fails: nothing to choose for `wind`
    "choose" |api, who: Any, label: Word, options: Any| api.choose(who, None, label, options, None);
    /// Asks a unit's owner or a faction to choose, with a word that is offered first.
    /// - who: a unit, whose owner is asked, or a faction
    /// - label: what is chosen
    /// - options: units, places, dice, numbers or a list; there may be none
    /// - word: such as `decline`
    /// - gives: one of the options or the word
    /// - `choose(me, "target", me.foes, "decline")` asks: decline, blue.scouts1, blue.guards1
    "choose" |api, who: Any, label: Word, options: Any, word: Word| {
        api.choose(who, None, label, options, Some(word))
    };
    /// Asks a unit's owner or a faction to choose, or to say a number. Whoever looks through options, agents and odds
    /// among them, sees those that are told alone.
    /// - who: a unit, whose owner is asked, or a faction
    /// - label: what is chosen
    /// - options: words, units or whatever stands for what most people want
    /// - numbers: what can be said besides, from one number to another
    /// - gives: one of the options or a number
    /// - error: there is no option, or no number
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
    /// - about: the unit that the question is about; it stands in the record
    /// - label: what is chosen
    /// - options: units, places, dice, numbers or a list
    /// - gives: one of the options
    /// - `choose(side, foe, "damage", 0..=2)` asks: 0, 1, 2
    "choose" |api, who: Any, about: Unit, label: Word, options: Any| {
        api.choose(who, Some(Thing::Unit(about)), label, options, None)
    };
    /// Asks a unit's owner or a faction to choose something about a place.
    /// - who: a unit, whose owner is asked, or a faction
    /// - about: the place that the question is about; it stands in the record
    /// - label: what is chosen
    /// - options: units, places, dice, numbers or a list
    /// - gives: one of the options
    /// - `choose(side, here, "fire", ["yes", "no"])` asks: yes, no
    "choose" |api, who: Any, about: Place, label: Word, options: Any| {
        api.choose(who, Some(Thing::Place(about)), label, options, None)
    };
    /// Shows a number with the next question of the step, for whoever answers it: at the prompt and on the page it stands
    /// behind what is asked. It changes nothing and stands in no record.
    /// - name: what the number is, in a word or two
    /// - number: a number or a length
    /// - gives: nothing
    /// - error: the name is no line of words
    /// - `beside("points left", 3); choose(side, "wind", ["north", "south"])` asks: north, south
    /// - `beside("", 3)` fails: is no line of words
    "beside" |api, name: Word, number: Any| api.beside(name, number);
    /// Asks for so many of the things at once: one question with one answer.
    /// - who: a unit, whose owner is asked, or a faction
    /// - label: what is chosen, in a word or two; answers are found again by it
    /// - things: units, places, dice, numbers or a list of units, places, factions, types, numbers and single words;
    ///   what is there several times can be taken as often
    /// - n: how many are taken
    /// - gives: list of what was taken, in the order in which it was offered; its key lists the same, one blank apart
    /// - error: there are not so many, or there are more than 10,000 ways to take them
    /// - `choose_several(side, "guards", ["a", "b", "c"], 2)` asks: a b, a c, b c
    /// - `choose_several(side, "dice", [6, 6, 3], 2)` asks: 6 6, 6 3
    /// - `choose_several(side, "guards", me.foes, 2)` = [blue.scouts1, blue.guards1]
    /// - `choose_several(side, "guards", me.foes, 3)` fails: cannot take 3 of 2
    /// - `choose_several(side, "guards", 1..=40, 10)` fails: 10000 are the most
    "choose_several" |api, who: Any, label: Word, things: Any, n: Int| {
        let n = usize::try_from(n).map_err(|_| rule(format!("`choose_several` cannot take {n}")))?;
        api.choose_ways(who, label, things, PickCount::Some(n, n))
    };
    /// Asks for at least and at most so many of the things at once.
    /// - who: a unit, whose owner is asked, or a faction
    /// - label: what is chosen
    /// - things: units, places, dice, numbers or a list
    /// - least: how many are taken at least
    /// - most: how many are taken at most; there may be fewer things
    /// - gives: list of what was taken; the key of taking nothing is `none`
    /// - error: there are not so many, or there are more than 10,000 ways to take them
    /// - `choose_several(side, "scouts", me.foes, 0, 1)` asks: none, blue.scouts1, blue.guards1
    "choose_several" |api, who: Any, label: Word, things: Any, least: Int, most: Int| {
        let number = |n: i64| {
            usize::try_from(n).map_err(|_| rule(format!("`choose_several` cannot take {n}")))
        };
        let ways = PickCount::Some(number(least)?, number(most)?);
        api.choose_ways(who, label, things, ways)
    };
    /// Asks in which order things come: one question with one answer.
    /// - who: a unit, whose owner is asked, or a faction
    /// - label: what is put in order
    /// - things: units, places, dice, numbers or a list
    /// - gives: list of all of them in that order; its key lists the same, one blank apart
    /// - error: there are more than 10,000 orders: of 8 things and more
    /// - `choose_order(side, "march", side.units)` asks: red.scouts1 red.guards1, red.guards1 red.scouts1
    /// - `choose_order(side, "march", 1..=8)` fails: `march` can be answered in 40320 ways
    "choose_order" |api, who: Any, label: Word, things: Any| {
        api.choose_ways(who, label, things, PickCount::Order)
    };
    /// Rolls dice, sorted from low to high.
    /// - who: a unit, a faction or a place; it stands in the record
    /// - label: what is rolled for; scenarios script rolls by it
    /// - dice: how many, 1 to 100
    /// - sides: of each die, 2 to 1,000
    /// - gives: dice, sorted from low to high
    /// - error: too many dice or sides, a label that is not one line, or a scripted roll that does not fit
    /// - `roll(me, "morale", 2, 6).len` = 2
    /// - `roll(me, "morale", 0, 6)` fails: a roll is of 1 to
    "roll" |api, who: Any, label: Word, dice: Int, sides: Int| {
        api.roll(who, label, dice, sides)
    };

    "Effects":
    /// Moves a unit to a place.
    /// - unit: who moves
    /// - place: where to; leave is not asked for: `walk` and `may_end` do that. On a table top the middle of that piece
    /// - gives: nothing; in a simultaneous phase it moves at the end, if there is room then (`stack`). A unit that was removed stays where it is
    /// - error: the place is full
    /// - `move(me, place("c2"))` -> red.scouts1  a1->c2
    "move" |api, unit: Unit, place: Place| api.act(Effect::Put(unit, place.into()), Cause::default());
    /// Moves a unit to a place, with the word for why.
    /// - unit: who moves
    /// - place: where to
    /// - word: why
    /// - gives: nothing
    /// - `move(foe, place("c3"), "retreat")` -> blue.scouts1  b2->c3  (by retreat)
    "move" |api, unit: Unit, place: Place, word: Word| api.act_by(Effect::Put(unit, place.into()), word, None);
    /// Puts a unit onto a place, from the reserve too.
    /// - unit: who is put down
    /// - place: where; on a table top in the middle of that piece
    /// - gives: nothing; in a simultaneous phase it is put there at the end, if there is room then (`stack`). A unit that was removed stays where it is
    /// - error: the place is full
    /// - `put(me, here); enlist(side, unit_type("scouts")); put(side.units.last, here)` fails: cannot come to b2
    /// - `put(me, place("d1"))` -> red.scouts1  a1->d1
    "put" |api, unit: Unit, place: Place| api.act(Effect::Put(unit, place.into()), Cause::default());
    /// Puts a unit onto a place, from the reserve too, with the word for why.
    /// - unit: who is put down
    /// - place: where
    /// - word: why
    /// - gives: nothing
    /// - `put(me, place("d1"), "reinforcements")` -> red.scouts1  a1->d1  (by reinforcements)
    "put" |api, unit: Unit, place: Place, word: Word| api.act_by(Effect::Put(unit, place.into()), word, None);
    /// Puts a unit onto a place, and says who did it.
    /// - unit: who is put down
    /// - place: where
    /// - word: why
    /// - by: a unit, a faction or a place
    /// - gives: nothing
    /// - `put(foe, place("d1"), "push", me)` -> blue.scouts1  b2->d1  (by push, red.scouts1)
    "put" |api, unit: Unit, place: Place, word: Word, by: Any| api.act_by(Effect::Put(unit, place.into()), word, Some(by));
    /// Takes from the slot that says `hit: true`, or from the only one that has `at_zero`; the step's subject did it.
    /// - unit: who is hit
    /// - damage: what the slot loses; 0 and less does nothing
    /// - word: why, such as the ability's name
    /// - gives: nothing
    /// - error: units have no such slot
    /// - `hit(foe, 2, "volley")` -> blue.scouts1  life 3->1  (by volley)
    "hit" |api, unit: Unit, damage: Int, word: Word| api.hit(unit, damage, word, None);
    /// Takes from the slot that hits take from, and says who did it.
    /// - unit: who is hit
    /// - damage: what the slot loses
    /// - word: why
    /// - by: a unit, a faction or a place
    /// - gives: nothing
    /// - error: units have no such slot
    /// - `hit(foe, 2, "volley", me)` -> blue.scouts1  life 3->1  (by volley, red.scouts1)
    "hit" |api, unit: Unit, damage: Int, word: Word, by: Any| api.hit(unit, damage, word, Some(by));
    /// Adds to a number slot.
    /// - to: a unit, a faction, a place or `game()`
    /// - slot: the name of a number slot of it
    /// - n: how much, below 0 takes away
    /// - word: why
    /// - gives: nothing
    /// - error: it has no number slot of that name; the nearest is told
    /// - `add(side, "score", 1, "gate held")` -> red  score 0->1  (by gate held)
    /// - `add(side, "scare", 1, "gate held")` fails: did you mean `score`?
    "add" |api, to: Any, slot: Word, n: Int, word: Word| api.add_to(to, slot, n, word, None);
    /// Adds to a number slot, and says who did it.
    /// - to: a unit, a faction, a place or `game()`
    /// - slot: the name of a number slot of it
    /// - n: how much, below 0 takes away
    /// - word: why
    /// - by: a unit, a faction or a place
    /// - gives: nothing
    /// - error: it has no number slot of that name; the nearest is told
    /// - `add(side, "score", 1, "gate held", me)` -> red  score 0->1  (by gate held, red.scouts1)
    "add" |api, to: Any, slot: Word, n: Int, word: Word, by: Any| api.add_to(to, slot, n, word, Some(by));
    /// Removes a unit from play.
    /// - unit: who is removed
    /// - gives: nothing
    /// - `remove(foe)` -> blue.scouts1  removed from b2
    "remove" |api, unit: Unit| api.act(Effect::Remove(unit), Cause::default());
    /// Removes a unit from play, with the word for why.
    /// - unit: who is removed
    /// - word: why
    /// - gives: nothing
    /// - `remove(foe, "rout")` -> blue.scouts1  removed from b2  (by rout)
    "remove" |api, unit: Unit, word: Word| api.act_by(Effect::Remove(unit), word, None);
    /// Removes a unit from play, and says who did it.
    /// - unit: who is removed
    /// - word: why
    /// - by: a unit, a faction or a place
    /// - gives: nothing
    /// - `remove(foe, "rout", me)` -> blue.scouts1  removed from b2  (by rout, red.scouts1)
    "remove" |api, unit: Unit, word: Word, by: Any| api.act_by(Effect::Remove(unit), word, Some(by));
    /// The units, factions and places that caused the running hook: in the hook of a slot's `falls` or `rises`, whoever
    /// takes or adds; in that of its `at_zero`, whoever took the last of it; in that of its `fell` or `rose`, whoever
    /// took or added; in a simultaneous phase all that took from it or added to it at once, in the order of the record,
    /// each once. In reactions, whoever moved or removed the unit: who was said behind the word, and otherwise whose
    /// step it is. Without a word, or at the end of a simultaneous phase where nobody was said, that is nobody.
    /// - gives: list of units, factions and places; empty in other functions, in `becomes_free`, `becomes_engaged` and `rolled`, and when the game itself did it
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
    /// The reasons of the running hook: the words that `add`, `hit` or `remove` gave as reason, as [`by_whom`] gives
    /// who acted.
    /// - gives: list of texts; empty in other functions, in `becomes_free`, `becomes_engaged` and `rolled`, and where no word was given
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
    /// Takes a unit off the board into reserve; a removed one exists again.
    /// - unit: who is taken off
    /// - gives: nothing
    /// - `reserve(me)` -> red.scouts1  a1->reserve
    "reserve" |api, unit: Unit| api.act(Effect::Reserve(unit), Cause::default());
    /// Lays terrain in a place, besides what lies there.
    /// - place: where
    /// - terrain: what
    /// - gives: nothing
    /// - `lay(place("c1"), terrain("mud"))` -> c1  mud laid
    "lay" |api, place: Place, terrain: Terrain| api.act(Effect::Lay(place, terrain, None), Cause::default());
    /// Takes terrain away from a place. One without any is a gap.
    /// - place: where
    /// - terrain: what
    /// - gives: nothing
    /// - error: units stand there and nothing else is there
    /// - `lift(here, terrain("mud"))` fails: mud cannot be taken from b2
    /// - `lift(place("d1"), terrain("grass"))` -> d1  grass lifted
    "lift" |api, place: Place, terrain: Terrain| api.act(Effect::Lift(place, terrain), Cause::default());
    /// A new unit for a faction, in reserve.
    /// - faction: whose it will be
    /// - kind: of which type
    /// - gives: nothing; the new unit is `side.units.last`, in a simultaneous phase once that is over
    /// - error: the game has as many units as there can be
    /// - `enlist(side, unit_type("scouts")); side.units.last` = red.scouts2
    "enlist" |api, faction: Faction, kind: Type| api.act(Effect::Enlist(faction, kind), Cause::default());
    /// Forgets every unit of a faction.
    /// - faction: whose units
    /// - gives: nothing
    /// - `disband(side); side.units.len` = 0
    "disband" |api, faction: Faction| api.act(Effect::Disband(faction), Cause::default());
    /// A unit comes to another faction, in its place and with all that is remembered of it; it gets that
    /// faction's next name, and its old one is nobody else's. A faction that is acting does not get it for this turn.
    /// - unit: who changes sides
    /// - faction: whose it will be
    /// - gives: nothing
    /// - error: its place has no room for another unit of that faction
    /// - `change_owner(foe, side); foe.owner` = red
    "change_owner" |api, unit: Unit, faction: Faction| api.act(Effect::Own(unit, faction), Cause::default());
    /// A unit comes to another faction, with the word for why.
    /// - unit: who changes sides
    /// - faction: whose it will be
    /// - word: why
    /// - gives: nothing
    /// - error: its place has no room for another unit of that faction
    /// - `change_owner(foe, side, "charm")` -> blue.scouts1  becomes red.scouts2  (by charm)
    /// - `change_owner(foe, side); unit("blue.scouts1")` = red.scouts2
    "change_owner" |api, unit: Unit, faction: Faction, word: Word| api.act_by(Effect::Own(unit, faction), word, None);
    /// A unit becomes one of another type, in its place and with all that is remembered of it: slots that began
    /// with a stat stay as they are. It gets the next name of that type. A die lies flat then.
    /// - unit: who changes
    /// - kind: of which type it will be
    /// - gives: nothing
    /// - error: there is no room for its base on the table top
    /// - `change_type(me, unit_type("guards")); me.life` = 3
    "change_type" |api, unit: Unit, kind: Type| api.act(Effect::Become(unit, kind), Cause::default());
    /// A unit becomes one of another type, with the word for why.
    /// - unit: who changes
    /// - kind: of which type it will be
    /// - word: why
    /// - gives: nothing
    /// - `change_type(me, unit_type("guards"), "promotion")` -> red.scouts1  becomes red.guards2  (by promotion)
    "change_type" |api, unit: Unit, kind: Type, word: Word| api.act_by(Effect::Become(unit, kind), word, None);
    /// Makes a faction first in turn order.
    /// - faction: who is first from now on; the others keep their order
    /// - gives: nothing
    /// - `goes_first(second()); first()` = blue
    "goes_first" |api, faction: Faction| api.act(Effect::First(faction), Cause::default());
    /// Makes the rest of this step exclude the rest of any other step that says the same word. Of such steps in one
    /// simultaneous phase one comes first, as the faction that `conflicts` names chooses; what the others did after
    /// this word does not happen. Those that do just the same are not asked about: it happens once.
    /// - word: what only one can have
    /// - gives: nothing; outside of a simultaneous phase it changes nothing
    /// - `exclusive("gate")` = nothing
    "exclusive" |api, word: Word| {
        api.changes();
        api.table.exclusive(word);
        ok(())
    };
    /// A faction wins the contest that is running.
    /// - faction: who wins
    /// - reason: why
    /// - gives: nothing; the contest ends with the step
    /// - `win(side, "last one standing")` -> red  wins the game  (by last one standing)
    "win" |api, faction: Faction, reason: Word| api.finish(Some(faction), reason);
    /// The contest ends without a winner.
    /// - reason: why
    /// - gives: nothing; the contest ends with the step
    /// - `draw("out of time")` -> nobody  wins the game  (by out of time)
    "draw" |api, reason: Word| api.finish(None, reason);

    "Looking back, and at the open choice":
    /// Whether a line of the record has this text in it.
    /// - text: part of a line, as the transcript has it
    /// - gives: true or false; meant for expectations of scenarios
    /// - `happened("red wins")` = false
    "happened" |api, text: Word| ok(api.lines_with(text)? > 0);
    /// The number of lines of the record that contain this text.
    /// - text: part of a line
    /// - gives: number of lines
    /// - `times("red wins")` = 0
    "times" |api, text: Word| api.lines_with(text);
    /// Whether a faction may see a line of the record with this text.
    /// - viewer: who looks
    /// - text: part of a line
    /// - gives: true or false; others' lines of a hidden phase are not seen until it ends
    /// - `sees(faction("blue"), "red wins")` = false
    "sees" |api, viewer: Faction, text: Word| {
        api.reads_record()?;
        ok(api.look(|t| {
            let text = t.words.text(text);
            let seen = t.record(Some(viewer));
            seen.iter().any(|(_, event)| event.line(&t.rules, &t.words).contains(text))
        }))
    };
    /// Whether the open choice has this option.
    /// - key: an option as it is answered
    /// - gives: true or false; false when nothing is asked
    /// - `offers("red.scouts1")` = true
    "offers" |api, key: Word| {
        api.work(LINE * api.table.request.options.len())?;
        ok(api.look(|t| {
            let key = t.words.text(key);
            t.halt() == Some(&Halt::Waiting) && t.current_question().keys().iter().any(|k| k == key)
        }))
    };
    /// The options of the open choice, in a list.
    /// - gives: list of texts; empty when nothing is asked
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
    /// The subject of the open choice, in the script's words.
    /// - gives: text, the label of the choice; empty when nothing is asked
    /// - `asked()` = activates
    "asked" |api| {
        let label = api.look(|t| match t.halt() {
            Some(Halt::Waiting) => t.current_question().label().to_owned(),
            _ => String::new(),
        });
        api.text(&label)
    };
    /// The faction that the open choice is put to, or nobody.
    /// - gives: faction, or nobody when nothing is asked
    /// - `asks()` = red
    "asks" |api| ok(api.look(|t| (t.halt() == Some(&Halt::Waiting)).then_some(t.request.asker)));

    "Dice":
    /// The dice without one of them.
    /// - dice: a roll
    /// - die: the number that one of them shows
    /// - gives: dice
    /// - error: none of them shows that number
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
    /// No dice at all.
    /// - gives: dice
    /// - `no_dice().plus(4)` = dice 4
    "no_dice" |_api| ok(Pool::default());
    /// The dice with one of them raised.
    /// - dice: a roll
    /// - die: the number that one of them shows
    /// - by: how much is added to it; below 0 lowers it
    /// - most: what it can show at most; a die that shows more already stays
    /// - gives: dice
    /// - error: none of them shows that number, or no die can show what it would be
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
    /// The dice and one more.
    /// - dice: a roll
    /// - die: a number
    /// - gives: dice
    /// - error: there are too many, or the number is none of a die
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
    /// The higher of two numbers.
    /// - a: a number
    /// - b: a number
    /// - gives: number
    /// - `max(2, 5)` = 5
    "max" |_api, a: Int, b: Int| ok(a.max(b));
    /// The longer of two lengths.
    /// - a: a length
    /// - b: a length
    /// - gives: length
    /// - `max(2.5, 1.5)` = 2.5
    "max" |_api, a: Length, b: Length| library::max_length(a, b);
    /// The longer of a length and a number.
    /// - a: a length
    /// - b: a number
    /// - gives: length
    /// - `max(2.5, 2)` = 2.5
    "max" |_api, a: Length, b: Int| library::max_length(a, b.into());
    /// The longer of a number and a length.
    /// - a: a number
    /// - b: a length
    /// - gives: length
    /// - `max(2, 2.5)` = 2.5
    "max" |_api, a: Int, b: Length| library::max_length(a.into(), b);
    /// The lower of two numbers.
    /// - a: a number
    /// - b: a number
    /// - gives: number
    /// - `min(2, 5)` = 2
    "min" |_api, a: Int, b: Int| ok(a.min(b));
    /// The shorter of two lengths.
    /// - a: a length
    /// - b: a length
    /// - gives: length
    /// - `min(2.5, 1.5)` = 1.5
    "min" |_api, a: Length, b: Length| library::min_length(a, b);
    /// The shorter of a length and a number.
    /// - a: a length
    /// - b: a number
    /// - gives: length
    /// - `min(2.5, 2)` = 2
    "min" |_api, a: Length, b: Int| library::min_length(a, b.into());
    /// The shorter of a number and a length.
    /// - a: a number
    /// - b: a length
    /// - gives: length
    /// - `min(2, 2.5)` = 2
    "min" |_api, a: Int, b: Length| library::min_length(a.into(), b);
    /// The absolute value of a number.
    /// - n: a number
    /// - gives: number
    /// - `abs(-3)` = 3
    "abs" |_api, n: Int| n.checked_abs().ok_or_else(|| FaultKind::TooLarge(format!("-({n})")).into());
    /// The absolute value of a length.
    /// - length: a length
    /// - gives: length
    /// - `abs(1.5 - 4)` = 2.5
    "abs" |_api, length: Length| ok(Value::of_length(length.as_length().unwrap_or(0).saturating_abs()));
    /// Whether a number is below, at or above 0, as -1, 0 or 1.
    /// - n: a number
    /// - gives: number
    /// - `sign(-3)` = -1
    "sign" |_api, n: Int| ok(n.signum());
    /// The number that a text writes.
    /// - text: digits, with a sign or without
    /// - gives: number
    /// - error: it is no number
    /// - `parse_int("12")` = 12
    /// - `parse_int("x")` fails: `x` is no number
    "parse_int" |api, text: Word| {
        api.read(text)?;
        let text = api.table.words.text(text);
        text.trim().parse::<i64>().map_err(|_| rule(format!("`{text}` is no number")))
    };

    "Texts":
    /// Says something to whoever looks for it; it changes nothing. `rulebench run` prints it below the transcript,
    /// the prompt where it comes.
    /// - it: whatever there is
    /// - gives: nothing
    /// - `print("here")` = nothing
    "print" |api, it: Any| { api.say(it)?; ok(()) };
    /// Says something to whoever looks for it; it changes nothing. `rulebench run` prints it below the transcript,
    /// the prompt where it comes.
    /// - it: whatever there is
    /// - gives: nothing
    /// - `debug("here")` = nothing
    "debug" |api, it: Any| { api.say(it)?; ok(()) };
    /// Whatever there is, as a text.
    /// - it: whatever there is
    /// - gives: text
    /// - `to_string(me)` = red.scouts1
    "to_string" |api, it: Any| { let text = api.text_of(it)?; api.text(&text) };
    /// The kind of a value.
    /// - it: whatever there is
    /// - gives: text
    /// - `type_of(3)` = number
    "type_of" |api, it: Any| api.text(it.kind().word());
    /// The number of letters in a text.
    /// - text: a text
    /// - gives: number
    /// - `"volley".len()` = 6
    "len" |api, text: Word| { api.read(text)?; ok(api.table.words.text(text).chars().count() as i64) };
    /// Whether a text has no letters.
    /// - text: a text
    /// - gives: true or false
    /// - `"".is_empty()` = true
    "is_empty" |api, text: Word| ok(api.table.words.text(text).is_empty());
    /// Whether a text has another in it.
    /// - text: a text
    /// - part: a text
    /// - gives: true or false
    /// - `"volley".contains("all")` = false
    "contains" |api, text: Word, part: Word| both(api, text, part).map(|(text, part)| text.contains(part));
    /// Whether a text begins with another.
    /// - text: a text
    /// - part: a text
    /// - gives: true or false
    /// - `"volley".starts_with("vol")` = true
    "starts_with" |api, text: Word, part: Word| both(api, text, part).map(|(text, part)| text.starts_with(part));
    /// Whether a text ends with another.
    /// - text: a text
    /// - part: a text
    /// - gives: true or false
    /// - `"volley".ends_with("ley")` = true
    "ends_with" |api, text: Word, part: Word| both(api, text, part).map(|(text, part)| text.ends_with(part));
    /// The position of one text in another.
    /// - text: a text
    /// - part: a text
    /// - gives: number of letters before it, or -1
    /// - `"volley".index_of("ll")` = 2
    "index_of" |api, text: Word, part: Word| {
        let (text, part) = both(api, text, part)?;
        ok(text.find(part).map_or(-1, |at| text[..at].chars().count() as i64))
    };
    /// A text in capital letters.
    /// - text: a text
    /// - gives: text
    /// - `"volley".to_upper()` = VOLLEY
    "to_upper" |api, text: Word| { api.read(text)?; let text = api.table.words.text(text).to_uppercase(); api.text(&text) };
    /// A text in small letters.
    /// - text: a text
    /// - gives: text
    /// - `"Volley".to_lower()` = volley
    "to_lower" |api, text: Word| { api.read(text)?; let text = api.table.words.text(text).to_lowercase(); api.text(&text) };
    /// A part of a text.
    /// - text: a text
    /// - start: how many letters are left out before it; below 0 counts from the end
    /// - count: how many letters it has at most
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
    /// The parts of a text between others, in a list.
    /// - text: a text
    /// - between: what stands between the parts
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

    "Lists and maps":
    /// The number of items in a list.
    /// - list: a list
    /// - gives: number
    /// - `[4, 5].len()` = 2
    "len" |_api, list: List| ok(list.len() as i64);
    /// The number of keys in a map.
    /// - map: a map
    /// - gives: number
    /// - `#{ a: 1 }.len()` = 1
    "len" |_api, map: Map| ok((map.len() / 2) as i64);
    /// Whether a list has no items.
    /// - list: a list
    /// - gives: true or false
    /// - `[].is_empty()` = true
    "is_empty" |_api, list: List| ok(list.is_empty());
    /// Whether a map has no keys.
    /// - map: a map
    /// - gives: true or false
    /// - `#{}.is_empty()` = true
    "is_empty" |_api, map: Map| ok(map.is_empty());
    /// Whether something is in a list.
    /// - list: a list
    /// - it: whatever there is
    /// - gives: true or false
    /// - `[4, 5].contains(5)` = true
    "contains" |api, list: List, it: Any| {
        ok(library::position(api, list, it)?.is_some())
    };
    /// Whether a map has a key.
    /// - map: a map
    /// - key: a text
    /// - gives: true or false
    /// - `#{ a: 1 }.contains("a")` = true
    "contains" |api, map: Map, key: Word| { api.read(key)?; ok(api.heap.get(map, &api.table.words, key).is_some()) };
    /// Whether a number is one of a range; `n in 1..=6` is the same.
    /// - numbers: the range; what stands behind `..` is no more in it, what stands behind `..=` is
    /// - n: what is looked for
    /// - gives: true or false
    /// - `contains(1..=6, 6)` = true
    /// - `6 in 1..6` = false
    "contains" |_api, numbers: Range, n: Int| ok((numbers.0..=numbers.1).contains(&n));
    /// The position in a list of the first item for which a function returns true.
    /// - list: a list
    /// - test: a function of an item
    /// - gives: number of items before it, or -1
    /// - `[4, 5].index_of(|n| n > 4)` = 1
    "index_of" |api, list: List, test: Function| {
        let mut at = -1;
        for (nth, item) in api.items(list)?.into_iter().enumerate() {
            if library::holds(api, test, item, nth)? { at = nth as i64; break; }
        }
        ok(at)
    };
    /// The position of a value in a list.
    /// - list: a list
    /// - it: whatever there is
    /// - gives: number of items before it, or -1
    /// - `[4, 5].index_of(5)` = 1
    "index_of" |api, list: List, it: Any| {
        ok(library::position(api, list, it)?.map_or(-1, |at| at as i64))
    };
    /// A thing with each of some units, as a list of lists of two: options that say both at once, such as whom a unit
    /// strikes.
    /// - it: whatever there is
    /// - each: any units
    /// - gives: list
    /// - `pairs(me, me.foes_within(2))` = [[red.scouts1, blue.scouts1]]
    "pairs" |api, it: Any, each: Units| {
        let (count, each) = (each.len(), each.give(api));
        library::pairs(api, count, |heap| heap.pairs_with(it, each, count))
    };
    /// A thing with each of some places, as a list of lists of two: options that say both at once, such as where a
    /// unit goes.
    /// - it: whatever there is
    /// - each: any places
    /// - gives: list
    /// - `pairs(me, places().filter(|p| p.units.len > 1))` = [[red.scouts1, b2]]
    "pairs" |api, it: Any, each: Places| {
        let (count, each) = (each.len(), each.give(api));
        library::pairs(api, count, |heap| heap.pairs_with(it, each, count))
    };
    /// A thing with each item of a list, as a list of lists of two.
    /// - it: whatever there is
    /// - each: a list
    /// - gives: list
    /// - `pairs(1, [4, 5])` = [[1, 4], [1, 5]]
    "pairs" |api, it: Any, each: List| {
        let items = api.items(each)?;
        library::pairs(api, items.len(), |heap| heap.pairs(it, items.into_iter()))
    };
    /// The items of a list of which a function says true.
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
    /// The units of a set of which a function says true.
    /// - units: any units
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
    /// The places of a set of which a function says true.
    /// - places: any places
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
    /// The results of a function for each of many things, in a list.
    /// - many: a list, units, places, dice or a range
    /// - of: a function of one of them
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
    /// Whether a function says true of one of many things. The same as `some`.
    /// - many: a list, units, places, dice or a range
    /// - test: a function of one of them
    /// - gives: true or false
    /// - `me.foes.any(|foe| foe.life > 4)` = true
    /// - `[].any(|n| n > 4)` = false
    "any" |api, many: Any, test: Function| {
        ok(library::first(api, "any", many, test)?.is_some())
    };
    /// Whether a function says true of one of many things. The same as `any`.
    /// - many: a list, units, places, dice or a range
    /// - test: a function of one of them
    /// - gives: true or false
    /// - `[4, 5].some(|n| n > 4)` = true
    "some" |api, many: Any, test: Function| {
        ok(library::first(api, "some", many, test)?.is_some())
    };
    /// Whether a function says true of every one of many things.
    /// - many: a list, units, places, dice or a range
    /// - test: a function of one of them
    /// - gives: true or false; true where there are none
    /// - `[4, 5].all(|n| n > 4)` = false
    /// - `side.units.all(|unit| unit.alive)` = true
    "all" |api, many: Any, test: Function| {
        for (nth, item) in library::through(api, "all", many)?.into_iter().enumerate() {
            if !library::holds(api, test, item, nth)? { return Ok(Value::FALSE); }
        }
        ok(true)
    };
    /// The first of many things of which a function says true, or nothing.
    /// - many: a list, units, places, dice or a range
    /// - test: a function of one of them
    /// - gives: the thing, or nothing
    /// - `[4, 5].find(|n| n > 4)` = 5
    /// - `units().find(|unit| unit.life > 4)` = red.guards1
    "find" |api, many: Any, test: Function| {
        Ok(library::first(api, "find", many, test)?.unwrap_or(Value::NOTHING))
    };
    /// Of how many of many things a function says true.
    /// - many: a list, units, places, dice or a range
    /// - test: a function of one of them
    /// - gives: number
    /// - `pool.count(|die| die > 2)` = 2
    "count" |api, many: Any, test: Function| {
        let mut count = 0;
        for (nth, item) in library::through(api, "count", many)?.into_iter().enumerate() {
            count += i64::from(library::holds(api, test, item, nth)?);
        }
        ok(count)
    };
    /// The sum of the numbers of a list, or of lengths.
    /// - list: a list of numbers or lengths
    /// - gives: number, or length; 0 for none
    /// - error: one of them is no number, or the sum is too large
    /// - `[4, 5].sum()` = 9
    /// - `[4, "x"].sum()` fails: must be a number
    "sum" |api, list: List| {
        let numbers = api.items(list)?;
        library::sum(numbers)
    };
    /// The sum of what a function says of many things.
    /// - many: a list, units, places, dice or a range
    /// - of: a function of one of them that gives a number or a length
    /// - gives: number, or length; 0 for none
    /// - error: it gives neither, or the sum is too large
    /// - `me.foes.sum(|foe| foe.life * 2)` = 16
    "sum" |api, many: Any, of: Function| {
        let numbers = library::said_of(api, "sum", many, of)?;
        library::sum(numbers.into_iter().map(|(_, said)| said))
    };
    /// Many things in the order of what a function says of each, from low to high; equal ones stay as they were.
    /// - many: a list, units, places, dice or a range
    /// - by: a function of one of them that gives a number or a text
    /// - gives: list
    /// - error: what it gives cannot be compared
    /// - `units().sort_by(|unit| unit.life)` = [red.scouts1, blue.scouts1, red.guards1, blue.guards1]
    /// - `[3, 1, 2].sort_by(|n| -n)` = [3, 2, 1]
    "sort_by" |api, many: Any, by: Function| {
        let said = library::said_of(api, "sort_by", many, by)?;
        let sorted = library::by_what_is_said(api, said)?;
        api.list(sorted.into_iter().map(|(item, _)| item))
    };
    /// The one of many things of which a function says the least; of equal ones the first.
    /// - many: a list, units, places, dice or a range
    /// - by: a function of one of them that gives a number or a text
    /// - gives: the thing, or nothing where there are none
    /// - `units().min_by(|unit| unit.life)` = red.scouts1
    /// - `[].min_by(|n| n) == nothing` = true
    "min_by" |api, many: Any, by: Function| {
        let said = library::said_of(api, "min_by", many, by)?;
        let sorted = library::by_what_is_said(api, said)?;
        Ok(sorted.first().map_or(Value::NOTHING, |(item, _)| *item))
    };
    /// The one of many things of which a function says the most; of equal ones the first.
    /// - many: a list, units, places, dice or a range
    /// - by: a function of one of them that gives a number or a text
    /// - gives: the thing, or nothing where there are none
    /// - `units().max_by(|unit| unit.life)` = red.guards1
    "max_by" |api, many: Any, by: Function| {
        let mut said = library::said_of(api, "max_by", many, by)?;
        said.reverse();
        let sorted = library::by_what_is_said(api, said)?;
        Ok(sorted.last().map_or(Value::NOTHING, |(item, _)| *item))
    };
    /// One value of all items of a list: a function joins what came of those before with the next.
    /// - list: a list
    /// - join: a function of what came before and an item
    /// - start: what comes before the first
    /// - gives: what the function said last
    /// - `[4, 5].reduce(|sum, n| sum + n, 0)` = 9
    "reduce" |api, list: List, join: Function, start: Any| {
        let mut sum = start;
        for item in api.items(list)? { sum = api.apply(join, &[sum, item])?; }
        ok(sum)
    };
    /// The keys of a map, in a list, sorted.
    /// - map: a map
    /// - gives: list of texts
    /// - `#{ b: 1, a: 2 }.keys()` = [a, b]
    "keys" |api, map: Map| {
        let keys: Vec<Value> = api.heap.list(map).iter().copied().step_by(2).collect();
        api.list(keys)
    };
    /// The values of a map, in a list, in the order of the keys.
    /// - map: a map
    /// - gives: list
    /// - `#{ b: 1, a: 2 }.values()` = [2, 1]
    "values" |api, map: Map| {
        let values: Vec<Value> = api.heap.list(map).iter().copied().skip(1).step_by(2).collect();
        api.list(values)
    };
    /// The value under a key of a map, or nothing.
    /// - map: a map
    /// - key: a text
    /// - gives: whatever is there, or nothing
    /// - `#{ a: 1 }.get("b") == nothing` = true
    "get" |api, map: Map, key: Word| {
        api.read(key)?;
        ok(api.heap.get(map, &api.table.words, key).unwrap_or(Value::NOTHING))
    };

    "Helpers for declarations":
    /// A dial that is a whole number, or a stat that is one with a range of its own.
    /// - start: what it is unless somebody turns it
    /// - low: the least it can be
    /// - high: the most it can be
    /// - gives: a dial
    /// - error: it starts outside its range
    /// - `fn dials() { #{ max_rounds: number(12, 1, 99) } }`
    "number" |api, start: Int, low: Int, high: Int| {
        let form = [("start", start), ("low", low), ("high", high)];
        api.of_view(&ValueView::Map(form.map(|(key, n)| (key.to_owned(), ValueView::Int(n))).into()))
    };
    /// A dial that is one of several words.
    /// - start: the word that it is unless somebody turns it
    /// - words: what it can be
    /// - gives: a dial
    /// - error: it starts as none of its words
    /// - `fn dials() { #{ weather: one_of("fair", ["fair", "fog"]) } }`
    "one_of" |api, start: Word, words: List| {
        let (start, words) = (api.view(start.into())?, api.view(Value::list(words))?);
        api.of_view(&ValueView::Map([("start".to_owned(), start), ("words".to_owned(), words)].into()))
    };
    /// The places of some rows, for a zone.
    /// - low: the first row, from 1
    /// - high: the last row
    /// - gives: an area
    /// - error: a row is not on the board
    /// - `rows(1, 2).rows` = [1, 2]
    "rows" |api, low: Int, high: Int| api.of_view(&area("rows", low, high));
    /// The places of some columns, for a zone.
    /// - low: the first column, from 1
    /// - high: the last column
    /// - gives: an area
    /// - error: a column is not on the board
    /// - `columns(1, 2).columns` = [1, 2]
    "columns" |api, low: Int, high: Int| api.of_view(&area("columns", low, high));
    /// Moves a phase behind another one: `base().phase_after("combats", "melee")` in a variant's `phases()`.
    /// - list: what `phases()` gives
    /// - name: the phase that is moved
    /// - other: the phase behind which it goes
    /// - gives: the changed list
    /// - error: there is no phase of one of the names
    /// - `[#{ phase: "move" }, #{ phase: "fight" }].phase_after("move", "fight")[1].phase` = move
    /// - `[#{ phase: "move" }].phase_after("more", "move")` fails: there is no phase `more`
    "phase_after" |api, list: List, name: Word, other: Word| moved(api, list, (name, other), 1);
    /// Puts a new phase behind another one.
    /// - list: what `phases()` gives
    /// - phase: a map with the keys of a phase
    /// - other: the phase behind which it goes
    /// - gives: the changed list
    /// - error: there is no phase of that name
    /// - `[#{ phase: "move" }].phase_after(#{ phase: "rally" }, "move")[1].phase` = rally
    "phase_after" |api, list: List, phase: Map, other: Word| put(api, list, (phase, other), 1);
    /// Moves a phase before another one.
    /// - list: what `phases()` gives
    /// - name: the phase that is moved
    /// - other: the phase before which it goes
    /// - gives: the changed list
    /// - error: there is no phase of one of the names
    /// - `[#{ phase: "move" }, #{ phase: "fight" }].phase_before("fight", "move")[0].phase` = fight
    "phase_before" |api, list: List, name: Word, other: Word| moved(api, list, (name, other), 0);
    /// Puts a new phase before another one.
    /// - list: what `phases()` gives
    /// - phase: a map with the keys of a phase
    /// - other: the phase before which it goes
    /// - gives: the changed list
    /// - error: there is no phase of that name
    /// - `[#{ phase: "move" }].phase_before(#{ phase: "rally" }, "move")[0].phase` = rally
    "phase_before" |api, list: List, phase: Map, other: Word| put(api, list, (phase, other), 0);
    /// Leaves a phase out, with all that is in it.
    /// - list: what `phases()` gives
    /// - name: the phase that is left out
    /// - gives: the changed list
    /// - error: there is no phase of that name
    /// - `[#{ phase: "move" }, #{ phase: "fight" }].without_phase("fight").len` = 1
    "without_phase" |api, list: List, name: Word| {
        let views = api.views(list)?;
        let name = api.word(name);
        let edited = declare::without_phase(views, &name);
        api.of_view(&ValueView::List(edited?))
    };
    /// Changes keys of a phase and leaves its others as they are.
    /// - list: what `phases()` gives
    /// - name: the phase that is changed
    /// - changes: a map with the keys of a phase; one that is given as nothing is taken off
    /// - gives: the changed list
    /// - error: there is no phase of that name
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
    /// - gives: whatever it is, or nothing
    /// - `[4, 5].first` = 4
    List "first" |api, list| Ok(api.heap.item(list, 0).unwrap_or(Value::NOTHING));
    /// The last item, or nothing.
    /// - gives: whatever it is, or nothing
    /// - `[4, 5].last` = 5
    List "last" |api, list| Ok(api.heap.list(list).last().copied().unwrap_or(Value::NOTHING));
    /// Whether it has no items.
    /// - gives: true or false
    /// - `[4, 5].is_empty` = false
    List "is_empty" |_api, list| ok(list.is_empty());
    /// Whether it has no letters.
    /// - gives: true or false
    /// - `"volley".is_empty` = false
    Word "is_empty" |api, text| ok(api.table.words.text(text).is_empty());
    /// The number of letters.
    /// - gives: number
    /// - `"volley".len` = 6
    Word "len" |api, text| { api.read(text)?; ok(api.table.words.text(text).chars().count() as i64) };
    /// The place of the unit, or nowhere.
    /// - gives: place, or nowhere
    /// - `me.place` = a1
    Unit "place" |api, unit| ok(api.look(|t| t.world.place(unit)));
    /// The middle of its base on the table top, or nothing.
    /// - gives: spot, or nothing
    /// - `me.spot` = 5.000,2.000
    Unit "spot" |api, unit| ok(api.look(|t| t.world.point(unit)));
    /// The face that the die shows; nothing off the board, and for one that leans by more than 15 degrees.
    /// - gives: number, or nothing
    /// - `me.face` = 1
    Unit "face" |api, unit| ok(api.look(|t| throws::face(&t.rules, &t.world, unit).map(i64::from)));
    /// Whether the die leans so that two of its faces are equally near to being shown.
    /// - gives: true or false; false for a die that is not on the board
    /// - `me.between_faces` = false
    Unit "between_faces" |api, unit| ok(api.look(|t| throws::is_between_faces(&t.rules, &t.world, unit)));
    /// The face that the die shows or, where it leans, the face nearest to being shown, of two that are equally near
    /// the lower; nothing off the board.
    /// - gives: number, or nothing
    /// - `me.nearest_face` = 1
    Unit "nearest_face" |api, unit| ok(api.look(|t| throws::nearest_face(&t.rules, &t.world, unit).map(i64::from)));
    /// The spots that stand for it where it has to be listed: into contact with whom it can be reached, and all around.
    /// - gives: list of spots; each is in the region, and there are more
    /// - `leap(me, 0.5).spots.len > 0` = true
    Region "spots" |api, region| {
        let spots: Vec<Value> = region.candidates().iter().map(|p| (*p).into()).collect();
        api.list(spots)
    };
    /// Itself: of a unit, a piece of terrain or a spot alike, `.spot` is where it is.
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
    /// Its type.
    /// - gives: unit type
    /// - `me.type` = scouts
    Unit "type" |api, unit| ok(api.look(|t| t.world.unit(unit).kind));
    /// Its name.
    /// - gives: text
    /// - `me.name` = red.scouts1
    Unit "name" |api, unit| { let name = api.look(|t| t.rules.unit_name(t.world.name(unit))); api.text(&name) };
    /// Whether it has not been removed.
    /// - gives: true or false
    /// - `me.alive` = true
    Unit "alive" |api, unit| ok(api.look(|t| t.world.is_alive(unit)));
    /// Whether it stands on the board.
    /// - gives: true or false
    /// - `me.on_board` = true
    Unit "on_board" |api, unit| ok(api.look(|t| t.world.is_on_board(unit)));
    /// Whether it came from one place to another since the innermost repeating phase began.
    /// - gives: true or false
    /// - `me.moved` = false
    Unit "moved" |api, unit| ok(api.look(|t| t.world.has_moved(unit)));
    /// Whether it is engaged: in contact with an opposing unit, and no slot keeps it apart (`frees`).
    /// - gives: true or false
    /// - `me.engaged` = false
    Unit "engaged" |api, unit| ok(api.look(|t| engagement::engaged(&t.rules, &t.world, unit)));
    /// The opposing units in contact with it.
    /// - gives: units
    /// - `side.units.last.contact` = [blue.scouts1]
    Unit "contact" |api, unit| ok(api.look(|t| engagement::contact(&t.rules, &t.world, unit)));
    /// The opposing units on the board.
    /// - gives: units
    /// - `me.foes` = [blue.scouts1, blue.guards1]
    Unit "foes" |api, unit| ok(api.look(|t| t.world.on_board() - t.world.owned(t.world.unit(unit).owner)));
    /// The other units of its side on the board.
    /// - gives: units
    /// - `me.allies` = [red.guards1]
    Unit "allies" |api, unit| ok(api.look(|t| {
        (t.world.on_board() & t.world.owned(t.world.unit(unit).owner)) - UnitSet::one(unit)
    }));
    /// The places of its column.
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
    /// Whether there are none.
    /// - gives: true or false
    /// - `me.foes.is_empty` = false
    Units "is_empty" |_api, set| ok(set.is_empty());
    /// The first of them, or nobody.
    /// - gives: unit, or nobody
    /// - `me.foes.first` = blue.scouts1
    Units "first" |_api, set| ok(set.first());
    /// The last of them, or nobody.
    /// - gives: unit, or nobody
    /// - `me.foes.last` = blue.guards1
    Units "last" |_api, set| ok(set.last());
    /// Those that are engaged.
    /// - gives: units
    /// - `side.units.engaged` = [red.guards1]
    Units "engaged" |api, set| { api.work(set.len() / 4)?; ok(api.look(|t| {
        set.filter(|&u| engagement::engaged(&t.rules, &t.world, u)).collect::<UnitSet>()
    })) };
    /// Those that are not engaged.
    /// - gives: units
    /// - `side.units.free` = [red.scouts1]
    Units "free" |api, set| { api.work(set.len() / 4)?; ok(api.look(|t| {
        set.filter(|&u| !engagement::engaged(&t.rules, &t.world, u)).collect::<UnitSet>()
    })) };
    /// The places where they stand.
    /// - gives: places
    /// - `me.foes.places` = [b2, d3]
    Units "places" |api, set| { api.work(set.len() / 4)?; ok(api.look(|t| t.world.places_of(set))) };

    /// The number of places.
    /// - gives: number
    /// - `side.home.len` = 4
    Places "len" |_api, set| ok(set.len() as i64);
    /// Whether there are none.
    /// - gives: true or false
    /// - `walk(me, 1).is_empty` = false
    Places "is_empty" |_api, set| ok(set.is_empty());
    /// The first of them, or nowhere.
    /// - gives: place, or nowhere
    /// - `places().first` = a1
    Places "first" |_api, set| ok(set.first());
    /// The last of them, or nowhere.
    /// - gives: place, or nowhere
    /// - `places().last` = d3
    Places "last" |_api, set| ok(set.last());
    /// The places that touch any of them; those among them that touch each other, too.
    /// - gives: places
    /// - `places().of_terrain("mud").adjacent` = [a1, b1, c1, a2, c2, b3]
    Places "adjacent" |api, set| { api.work(set.len() / 4)?; ok(api.look(|t| t.rules.board.around(set))) };
    /// The units that stand in them.
    /// - gives: units
    /// - `me.column.units` = [red.scouts1]
    Places "units" |api, set| { api.work(set.len() / 8)?; ok(api.look(|t| t.world.in_places(set))) };
    /// Those with somebody in them.
    /// - gives: places
    /// - `me.places_within(2).occupied` = [a1, b2]
    Places "occupied" |api, set| ok(api.look(|t| set & t.world.occupied()));
    /// Those with nobody in them.
    /// - gives: places
    /// - `side.home.empty` = [b1, c1, d1]
    Places "empty" |api, set| ok(api.look(|t| set - t.world.occupied()));

    /// Its name.
    /// - gives: text
    /// - `here.name` = b2
    Place "name" |api, place| { let name = api.look(|t| t.rules.board.name(place).to_owned()); api.text(&name) };
    /// The middle of a piece of terrain or a zone, or nothing where none lies.
    /// - gives: spot, or nothing
    /// - `place("piece1").spot.x` = 5
    Place "spot" |api, place| ok(api.look(|t| t.world.piece(place).map(|shape| shape.middle())));
    /// The units that stand there.
    /// - gives: units
    /// - `here.units` = [red.guards1, blue.scouts1]
    Place "units" |api, place| ok(api.look(|t| t.world.at(place)));
    /// The places that touch it.
    /// - gives: places
    /// - `here.adjacent` = [a1, b1, c1, a2, c2, b3]
    Place "adjacent" |api, place| ok(api.look(|t| t.rules.board.neighbours(place).clone()));
    /// The kinds of terrain that lie there, in a list.
    /// - gives: list of kinds of terrain, sorted by name; empty in a gap
    /// - `here.terrains` = [mud]
    Place "terrains" |api, place| {
        let here = api.look(|t| t.world.terrain(place));
        api.list(here.map(Value::from))
    };
    /// The places of its column.
    /// - gives: places
    /// - `here.column` = [b1, b2, b3]
    Place "column" |api, place| ok(api.look(|t| t.rules.board.column(t.rules.board.cell(place).column)));
    /// The places of its row.
    /// - gives: places
    /// - `here.row` = [a2, b2, c2, d2]
    Place "row" |api, place| ok(api.look(|t| t.rules.board.row(t.rules.board.cell(place).row)));

    /// Its name.
    /// - gives: text
    /// - `side.name` = red
    Faction "name" |api, faction| { let name = api.look(|t| t.rules.factions[faction.index()].clone()); api.text(&name) };
    /// The other of two factions.
    /// - gives: faction
    /// - error: there are more than two, or one alone; `foes` are the others
    /// - `side.foe` = blue
    Faction "foe" |api, faction| api.look(|t| {
        t.rules.foe(faction).map(Value::from).ok_or_else(|| {
            let factions = t.rules.factions.len();
            let are = if factions == 1 { "is" } else { "are" };
            rule(format!("`foe` is the other of two factions, and there {are} {factions}; `foes` are all others"))
        })
    });
    /// The other factions, in a list.
    /// - gives: list of factions, as the board names them, from the next on
    /// - `side.foes` = [blue]
    Faction "foes" |api, faction| {
        let foes: Vec<FactionId> = api.look(|t| t.rules.foes(faction).collect());
        api.list(foes.into_iter().map(Value::from))
    };
    /// Its units that have not been removed.
    /// - gives: units
    /// - `side.units` = [red.scouts1, red.guards1]
    Faction "units" |api, faction| ok(api.look(|t| t.world.alive() & t.world.owned(faction)));
    /// Its units in reserve: those that have not been removed and are not on the board.
    /// - gives: units
    /// - `side.reserve.is_empty` = true
    /// - `reserve(me); side.reserve` = [red.scouts1]
    Faction "reserve" |api, faction| ok(api.look(|t| {
        (t.world.alive() & t.world.owned(faction)) - t.world.on_board()
    }));
    /// Its name.
    /// - gives: text
    /// - `terrain("mud").name` = mud
    Terrain "name" |api, terrain| { let name = api.look(|t| t.rules.terrains[terrain.index()].name.clone()); api.text(&name) };
    /// Its name.
    /// - gives: text
    /// - `me.type.name` = scouts
    Type "name" |api, kind| { let name = api.look(|t| t.rules.types[kind.index()].name.clone()); api.text(&name) };

    /// The number of dice.
    /// - gives: number
    /// - `pool.len` = 3
    Lent "len" |api, dice| ok(api.heap.dice_seen(dice, DiceRead::LEN).len() as i64);
    /// Whether there are none.
    /// - gives: true or false
    /// - `pool.is_empty` = false
    Lent "is_empty" |api, dice| ok(api.heap.dice_seen(dice, DiceRead::EMPTY).is_empty());
    /// Their sum.
    /// - gives: number
    /// - `pool.total` = 11
    Lent "total" |api, dice| ok(api.heap.dice_seen(dice, DiceRead::TOTAL).values().sum::<i64>());
    /// The highest die, or nothing.
    /// - gives: number, or nothing when there are none
    /// - `pool.highest` = 6
    Lent "highest" |api, dice| ok(api.heap.dice_seen(dice, DiceRead::HIGHEST).values().next_back());
    /// The lowest die, or nothing.
    /// - gives: number, or nothing when there are none
    /// - `pool.lowest` = 2
    Lent "lowest" |api, dice| ok(api.heap.dice_seen(dice, DiceRead::LOWEST).values().next());
}
