//! The one list of what scripts can call and read: functions, properties and operators of the
//! kernel's things. Lowered code calls them directly; [`Api::register`] offers the same to Rhai;
//! the script reference is printed from here.

use super::api::{Answer, Api, Fault, number_of, reach_of, rule};
use super::value::{Kind, Value};
use crate::kernel::effect::{Cause, Effect};
use crate::kernel::ids::{FactionId, PlaceSet, Thing, TypeId, UnitSet};
use crate::kernel::table::Halt;
use crate::kernel::{engagement, sight};
use crate::report::hint_for;

/// A function that scripts can call, plainly or as a method of its first argument.
pub struct Native {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub params: &'static [(&'static str, Kind)],
    /// What it does, with an example.
    pub doc: &'static str,
    /// The function itself; [`Fault::Mismatch`] when the arguments are of other kinds.
    pub run: fn(&Api, &[Value]) -> Answer,
}

/// A property that scripts can read.
pub struct Property {
    /// What has it.
    pub of: Kind,
    /// Its name.
    pub name: &'static str,
    /// What it says, with an example.
    pub doc: &'static str,
    /// Reads it.
    pub get: fn(&Api, Value) -> Answer,
}

/// Gives a value's content when it is of the kind, and leaves the function when it is not.
macro_rules! take {
    (Any, $value:expr) => {
        $value
    };
    ($kind:ident, $value:expr) => {
        match $value {
            Value::$kind(it) => it,
            _ => return Err(Fault::Mismatch),
        }
    };
}

macro_rules! natives {
    ($( #[doc = $doc:literal] $name:literal |$api:ident $(, $param:ident: $kind:ident)*| $body:expr; )*) => {
        /// Every function. Several may share a name, for other numbers or kinds of arguments.
        pub const NATIVES: &[Native] = &[$(
            Native {
                name: $name,
                params: &[$((stringify!($param), Kind::$kind)),*],
                doc: $doc.trim_ascii(),
                run: |$api, args| {
                    let &[$($param),*] = args else { return Err(Fault::Mismatch) };
                    $(let $param = take!($kind, $param);)*
                    $body
                },
            }
        ),*];
    };
}

macro_rules! properties {
    ($( #[doc = $doc:literal] $kind:ident $name:literal |$api:ident, $it:ident| $body:expr; )*) => {
        /// Every property that does not come from the game's declarations.
        pub const PROPERTIES: &[Property] = &[$(
            Property {
                of: Kind::$kind,
                name: $name,
                doc: $doc.trim_ascii(),
                get: |$api, it| {
                    let $it = take!($kind, it);
                    $body
                },
            }
        ),*];
    };
}

fn ok(value: impl Into<Value>) -> Answer {
    Ok(value.into())
}

natives! {
    /// The unit of that name: `unit("red.scouts1")`.
    "unit" |api, name: Word| api.look(|t| {
        let text = t.words.text(name);
        let found = t.rules.parse_unit_name(text).and_then(|parsed| t.world.find(parsed));
        found.map(Value::Unit).ok_or_else(|| {
            let names: Vec<String> = t.world.alive().map(|u| t.rules.unit_name(t.world.name(u))).collect();
            rule(format!("there is no unit `{text}`; {}", hint_for(text, names.iter().map(String::as_str))))
        })
    });
    /// The place of that name: `place("c4")`.
    "place" |api, name: Word| api.look(|t| {
        let text = t.words.text(name);
        let found = t.rules.board.place(text).map(Value::Place);
        found.ok_or_else(|| rule(format!("there is no place `{text}` on the board")))
    });
    /// The faction of that name: `faction("red")`.
    "faction" |api, name: Word| api.look(|t| {
        let text = t.words.text(name);
        t.rules.faction(text).map(Value::Faction).ok_or_else(|| {
            let hint = hint_for(text, t.rules.factions.iter().map(String::as_str));
            rule(format!("there is no faction `{text}`; {hint}"))
        })
    });
    /// The unit type of that name: `unit_type("scouts")`.
    "unit_type" |api, name: Word| api.look(|t| Ok(Value::Type(api.find_type(t, name)?)));
    /// Every unit type, in a list: `unit_types()`.
    "unit_types" |api| {
        let count = api.look(|t| t.rules.types.len());
        api.list((0..count).map(|i| Value::Type(TypeId(i as u8))))
    };
    /// The unit types whose stat has this value, in a list: `types_with("cost", 2)`.
    "types_with" |api, stat: Word, value: Int| {
        let found: Vec<Value> = api.look(|t| {
            let Some(stat) = t.rules.stat(t.words.text(stat)) else { return Vec::new() };
            let types = t.rules.types.iter().enumerate();
            types
                .filter(|(_, kind)| kind.stats[stat] == Some(value))
                .map(|(i, _)| Value::Type(TypeId(i as u8)))
                .collect()
        });
        api.list(found)
    };
    /// The game itself, for its slots: `game().weather`.
    "game" |_api| Ok(Value::Game);
    /// The faction whose turn comes first: `first()`.
    "first" |api| api.in_order(0, "first");
    /// The faction whose turn comes second: `second()`.
    "second" |api| api.in_order(1, "second");
    /// The faction whose turn comes third: `third()`.
    "third" |api| api.in_order(2, "third");
    /// The faction whose turn comes fourth: `fourth()`.
    "fourth" |api| api.in_order(3, "fourth");
    /// Every faction, in turn order, in a list: `for side in factions() { ... }`.
    "factions" |api| {
        let factions: Vec<Value> = api.look(|t| {
            (0..t.rules.factions.len()).map(|i| Value::Faction(t.world.in_order(i))).collect()
        });
        api.list(factions)
    };
    /// Every unit that was ever enlisted, removed ones too: `for unit in everyone() { reserve(unit); }`.
    "everyone" |api| ok(api.look(|t| {
        (0..t.rules.factions.len())
            .fold(UnitSet::EMPTY, |all, f| all | t.world.owned(FactionId(f as u8)))
    }));
    /// The units on the board: `units().engaged`.
    "units" |api| ok(api.look(|t| t.world.on_board()));
    /// Every place: `places().empty`.
    "places" |api| ok(api.look(|t| t.rules.board.places()));
    /// No places at all: `no_places()`.
    "no_places" |_api| ok(PlaceSet::EMPTY);
    /// No units at all: `no_units()`.
    "no_units" |_api| ok(UnitSet::EMPTY);
    /// The places where nobody stands: `empty_places()`.
    "empty_places" |api| ok(api.look(|t| {
        t.rules.board.places() - t.world.occupied()
    }));
    /// How often a repeating phase has begun: `count("round")`.
    "count" |api, phase: Word| api.look(|t| {
        let text = t.words.text(phase);
        let count = t.checkpoint.cursor.iteration(&t.rules, text);
        count
            .map(|n| Value::Int(n.into()))
            .ok_or_else(|| rule(format!("the phase `{text}` is not running")))
    });
    /// The winner of the contest that ended last, or nobody: `winner() != nobody`.
    "winner" |api| ok(api.look(|t| t.world.outcome.and_then(|o| o.winner)));

    /// The places at most so many steps from a unit, its own with them: `me.places_within(2)`.
    "places_within" |api, unit: Unit, steps: Int| ok(api.look(|t| reach_of(t, unit, steps)));
    /// The other units at most so many steps away: `me.units_within(2)`.
    "units_within" |api, unit: Unit, steps: Int| ok(api.look(|t| {
        t.world.in_places(reach_of(t, unit, steps)) - UnitSet::one(unit)
    }));
    /// The opposing units at most so many steps away: `me.foes_within(2)`.
    "foes_within" |api, unit: Unit, steps: Int| ok(api.look(|t| {
        t.world.in_places(reach_of(t, unit, steps)) - t.world.owned(t.world.unit(unit).owner)
    }));
    /// The allied units at most so many steps away, the unit itself left out: `me.allies_within(1)`.
    "allies_within" |api, unit: Unit, steps: Int| ok(api.look(|t| {
        let own = t.world.owned(t.world.unit(unit).owner) - UnitSet::one(unit);
        t.world.in_places(reach_of(t, unit, steps)) & own
    }));
    /// Those of the units that are a faction's: `place.units.of(first())`.
    "of" |api, units: Units, faction: Faction| ok(api.look(|t| units & t.world.owned(faction)));
    /// A faction's units in a place: `place.of(first())`.
    "of" |api, place: Place, faction: Faction| ok(api.look(|t| t.world.at(place) & t.world.owned(faction)));
    /// Those of the units that are of a type: `me.allies.of_type("scouts")`.
    "of_type" |api, units: Units, name: Word| api.look(|t| {
        let kind = api.find_type(t, name)?;
        ok(units.filter(|&u| t.world.unit(u).kind == kind).collect::<UnitSet>())
    });
    /// The sum of a stat or slot over the units: `side.units.total("life")`.
    "total" |api, units: Units, name: Word| api.look(|t| {
        let mut sum = 0i64;
        for unit in units {
            let number = number_of(t, unit, t.words.text(name))?;
            sum = sum.checked_add(number).ok_or_else(|| rule("the total is too large"))?;
        }
        ok(sum)
    });
    /// Whether a unit is among units: `foes.contains(me)`.
    "contains" |_api, units: Units, it: Any| ok(matches!(it, Value::Unit(unit) if units.contains(unit)));
    /// Whether a place is among places: `side.home.contains(me.place)`.
    "contains" |_api, places: Places, it: Any| ok(matches!(it, Value::Place(place) if places.contains(place)));
    /// The units in a place that oppose a unit: `place.foes(me)`.
    "foes" |api, place: Place, me: Unit| ok(api.look(|t| {
        t.world.at(place) - t.world.owned(t.world.unit(me).owner)
    }));
    /// The units in a place on a unit's side, itself with them: `place.allies(me)`.
    "allies" |api, place: Place, me: Unit| ok(api.look(|t| {
        t.world.at(place) & t.world.owned(t.world.unit(me).owner)
    }));
    /// The places at most so many steps away, the place itself with them: `place.within(2)`.
    "within" |api, place: Place, steps: Int| ok(api.look(|t| t.rules.board.within(place, steps.max(0) as usize)));
    /// The steps between two places: `me.place.distance(foe.place)`.
    "distance" |api, from: Place, to: Place| ok(api.look(|t| t.rules.board.distance(from, to) as i64));

    /// Where a unit can end a walk of at most so many steps: `walk(me, 2)`.
    "walk" |api, me: Unit, steps: Int| ok(api.walk(me, steps, false)?);
    /// Where a unit can end a walk of exactly so many steps: `walk_exactly(me, 2)`.
    "walk_exactly" |api, me: Unit, steps: Int| ok(api.walk(me, steps, true)?);
    /// Those of the places where a unit may end its movement: `may_end(me, empty_places())`.
    "may_end" |api, me: Unit, places: Places| ok(api.may_end(me, places)?);
    /// The owner picks where the unit walks to with its stat `move`, or that it stays: `march(me)`.
    "march" |api, me: Unit| {
        let steps = api.look(|t| number_of(t, me, "move"))?;
        let places = api.walk(me, steps, false)?;
        api.travel(me, places)
    };
    /// The owner picks one of the places for the unit to move to, or that it stays: `travel(me, walk(me, 2))`.
    "travel" |api, me: Unit, places: Places| api.travel(me, places);

    /// Asks a unit's owner or a faction to choose: `choose(me, "charge", foes)`.
    "choose" |api, who: Any, label: Word, options: Any| api.choose(who, None, label, options, None);
    /// The same with a word that is offered first: `choose(me, "charge", foes, "decline")`.
    "choose" |api, who: Any, label: Word, options: Any, word: Word| {
        api.choose(who, None, label, options, Some(word))
    };
    /// Asks about a unit: `choose(side, foe, "damage", 0..=3)`.
    "choose" |api, who: Any, about: Unit, label: Word, options: Any| {
        api.choose(who, Some(Thing::Unit(about)), label, options, None)
    };
    /// Asks about a place: `choose(side, place, "fire", ["yes", "no"])`.
    "choose" |api, who: Any, about: Place, label: Word, options: Any| {
        api.choose(who, Some(Thing::Place(about)), label, options, None)
    };
    /// Rolls dice, sorted from low to high: `roll(me, "morale", 2, 6).total`.
    "roll" |api, who: Any, label: Word, dice: Int, sides: Int| {
        let who = api.thing(who, "roll")?;
        let pool = api.table.borrow_mut().roll(who, label, dice, sides);
        ok(pool.map_err(Fault::from)?)
    };

    /// Moves a unit to a place: `move(me, place)`.
    "move" |api, unit: Unit, place: Place| api.act(Effect::Put(unit, place), Cause::default());
    /// The same, with the word for why: `move(foe, place, "retreat")`.
    "move" |api, unit: Unit, place: Place, word: Word| {
        api.act(Effect::Put(unit, place), api.cause(word, None)?)
    };
    /// Puts a unit onto a place, from the reserve too: `put(unit, place)`.
    "put" |api, unit: Unit, place: Place| api.act(Effect::Put(unit, place), Cause::default());
    /// The same, with the word for why: `put(unit, place, "reinforcements")`.
    "put" |api, unit: Unit, place: Place, word: Word| {
        api.act(Effect::Put(unit, place), api.cause(word, None)?)
    };
    /// Takes life away; the step's subject did it: `hit(foe, 2, "volley")`.
    "hit" |api, unit: Unit, damage: Int, word: Word| api.hit(unit, damage, word, None);
    /// The same, and who did it: `hit(foe, 2, "combat", side)`.
    "hit" |api, unit: Unit, damage: Int, word: Word, by: Any| api.hit(unit, damage, word, Some(by));
    /// Adds to a number slot: `add(side, "wins", 1, "game won")`.
    "add" |api, to: Any, slot: Word, n: Int, word: Word| api.add(to, slot, n, word, None);
    /// The same, and who did it: `add(side, "damage", 1, "castle damage", me)`.
    "add" |api, to: Any, slot: Word, n: Int, word: Word, by: Any| api.add(to, slot, n, word, Some(by));
    /// Removes a unit from play: `remove(me)`.
    "remove" |api, unit: Unit| api.act(Effect::Remove(unit), Cause::default());
    /// The same, with the word for why: `remove(me, "rout")`.
    "remove" |api, unit: Unit, word: Word| api.act(Effect::Remove(unit), api.cause(word, None)?);
    /// Takes a unit off the board into reserve; a removed one exists again: `reserve(unit)`.
    "reserve" |api, unit: Unit| api.act(Effect::Reserve(unit), Cause::default());
    /// Lets a unit out of its engagement until the next repeating phase: `release(unit)`.
    "release" |api, unit: Unit| api.act(Effect::Release(unit), Cause::default());
    /// A new unit for a faction, in reserve: `enlist(side, unit_type("scouts"))`.
    "enlist" |api, faction: Faction, kind: Type| api.act(Effect::Enlist(faction, kind), Cause::default());
    /// Forgets every unit of a faction: `disband(side)`.
    "disband" |api, faction: Faction| api.act(Effect::Disband(faction), Cause::default());
    /// Makes a faction first in turn order: `goes_first(second())`.
    "goes_first" |api, faction: Faction| api.act(Effect::First(faction), Cause::default());
    /// This step's effects cannot happen together with those of a step that says the same: `exclusive("gate")`.
    "exclusive" |api, word: Word| {
        api.table.borrow_mut().exclusive(word);
        Ok(Value::Nothing)
    };
    /// A faction wins the contest that is running: `win(side, "last one standing")`.
    "win" |api, faction: Faction, reason: Word| api.finish(Some(faction), reason);
    /// The contest ends without a winner: `draw("out of time")`.
    "draw" |api, reason: Word| api.finish(None, reason);

    /// Whether a line of the record has this text in it: `happened("wins the game")`.
    "happened" |api, text: Word| ok(api.lines_with(text) > 0);
    /// How many lines of the record have this text in it: `times("charge")`.
    "times" |api, text: Word| ok(api.lines_with(text));
    /// Whether a faction may see a line of the record with this text: `sees(faction("blue"), "red chose")`.
    "sees" |api, viewer: Faction, text: Word| ok(api.look(|t| {
        let text = t.words.text(text);
        let seen = sight::record(t, Some(viewer));
        seen.iter().any(|(_, event)| event.line(&t.rules, &t.words).contains(text))
    }));
    /// Whether the open choice has this option: `offers("c4")`.
    "offers" |api, key: Word| ok(api.look(|t| {
        let key = t.words.text(key);
        t.halt() == Some(&Halt::Waiting) && t.asked_now().keys().iter().any(|k| k == key)
    }));
    /// The options of the open choice, in a list: `offered().len`.
    "offered" |api| {
        let keys = api.look(|t| match t.halt() {
            Some(Halt::Waiting) => t.asked_now().keys(),
            _ => Vec::new(),
        });
        let keys: Vec<Value> = keys.iter().map(|k| api.text(k)).collect::<Result<_, _>>()?;
        api.list(keys)
    };
    /// What the open choice is about, in the script's words: `asked() == "move"`.
    "asked" |api| {
        let label = api.look(|t| match t.halt() {
            Some(Halt::Waiting) => t.asked_now().label().to_owned(),
            _ => String::new(),
        });
        api.text(&label)
    };
    /// The faction that the open choice is put to, or nobody: `asks() == first()`.
    "asks" |api| ok(api.look(|t| (t.halt() == Some(&Halt::Waiting)).then_some(t.request.asker)));
    /// The dice without one of them: `dice.without(6)`.
    "without" |_api, dice: Dice, die: Int| match dice.without(die) {
        Some(rest) => ok(rest),
        None => Err(rule(format!("there is no {die} among the dice {dice}"))),
    };
    /// The dice and one more: `dice.plus(6)`.
    "plus" |_api, dice: Dice, die: Int| match dice.with(die) {
        Some(more) => ok(more),
        None => Err(rule(format!("the dice {dice} cannot take a {die}"))),
    };
}

properties! {
    /// Where the unit stands, or nowhere: `me.place`.
    Unit "place" |api, unit| ok(api.look(|t| t.world.place(unit)));
    /// Whose unit it is: `me.owner`.
    Unit "owner" |api, unit| ok(api.look(|t| t.world.unit(unit).owner));
    /// Its type: `me.type`.
    Unit "type" |api, unit| ok(api.look(|t| t.world.unit(unit).kind));
    /// Its name: `me.name`.
    Unit "name" |api, unit| api.text(&api.look(|t| t.rules.unit_name(t.world.name(unit))));
    /// Whether it has not been removed: `me.alive`.
    Unit "alive" |api, unit| ok(api.look(|t| t.world.alive().contains(unit)));
    /// Whether it stands on the board: `me.on_board`.
    Unit "on_board" |api, unit| ok(api.look(|t| t.world.on_board().contains(unit)));
    /// Whether it came from one place to another since the innermost repeating phase began: `me.moved`.
    Unit "moved" |api, unit| ok(api.look(|t| t.world.moved().contains(unit)));
    /// Whether it is engaged, and not released: `me.engaged`.
    Unit "engaged" |api, unit| ok(api.look(|t| engagement::engaged(&t.rules, &t.world, unit)));
    /// The opposing units in contact with it: `me.contact`.
    Unit "contact" |api, unit| ok(api.look(|t| engagement::contact(&t.rules, &t.world, unit)));
    /// The opposing units on the board: `me.foes`.
    Unit "foes" |api, unit| ok(api.look(|t| t.world.on_board() - t.world.owned(t.world.unit(unit).owner)));
    /// The other units of its side on the board: `me.allies`.
    Unit "allies" |api, unit| ok(api.look(|t| {
        (t.world.on_board() & t.world.owned(t.world.unit(unit).owner)) - UnitSet::one(unit)
    }));
    /// The places of its column: `me.column`.
    Unit "column" |api, unit| ok(api.look(|t| {
        let board = &t.rules.board;
        t.world.place(unit).map_or(PlaceSet::EMPTY, |p| board.column(board.cell(p).column))
    }));

    /// How many units: `foes.len`.
    Units "len" |_api, set| ok(set.len() as i64);
    /// Whether there are none: `foes.is_empty`.
    Units "is_empty" |_api, set| ok(set.is_empty());
    /// The first of them, or nobody: `foes.first`.
    Units "first" |_api, set| ok(UnitSet::first(set));
    /// The last of them, or nobody: `foes.last`.
    Units "last" |_api, set| ok(UnitSet::last(set));
    /// Those that are engaged: `side.units.engaged`.
    Units "engaged" |api, set| ok(api.look(|t| {
        set.filter(|&u| engagement::engaged(&t.rules, &t.world, u)).collect::<UnitSet>()
    }));
    /// Those that are not engaged: `side.units.free`.
    Units "free" |api, set| ok(api.look(|t| {
        set.filter(|&u| !engagement::engaged(&t.rules, &t.world, u)).collect::<UnitSet>()
    }));
    /// The places where they stand: `foes.places`.
    Units "places" |api, set| ok(api.look(|t| t.world.places_of(set)));

    /// How many places: `side.home.len`.
    Places "len" |_api, set| ok(set.len() as i64);
    /// Whether there are none: `walk(me, 1).is_empty`.
    Places "is_empty" |_api, set| ok(set.is_empty());
    /// The first of them, or nowhere: `places().first`.
    Places "first" |_api, set| ok(PlaceSet::first(set));
    /// The last of them, or nowhere: `places().last`.
    Places "last" |_api, set| ok(PlaceSet::last(set));
    /// The units that stand in them: `me.column.units`.
    Places "units" |api, set| ok(api.look(|t| t.world.in_places(set)));
    /// Those with somebody in them: `me.places_within(2).occupied`.
    Places "occupied" |api, set| ok(api.look(|t| set & t.world.occupied()));
    /// Those with nobody in them: `side.home.empty`.
    Places "empty" |api, set| ok(api.look(|t| set - t.world.occupied()));

    /// Its name: `place.name`.
    Place "name" |api, place| api.text(&api.look(|t| t.rules.board.name(place).to_owned()));
    /// The units that stand there: `place.units`.
    Place "units" |api, place| ok(api.look(|t| t.world.at(place)));
    /// The places that touch it: `place.adjacent`.
    Place "adjacent" |api, place| ok(api.look(|t| t.rules.board.neighbours(place)));
    /// The places of its column: `place.column`.
    Place "column" |api, place| ok(api.look(|t| t.rules.board.column(t.rules.board.cell(place).column)));
    /// The places of its row: `place.row`.
    Place "row" |api, place| ok(api.look(|t| t.rules.board.row(t.rules.board.cell(place).row)));

    /// Its name: `side.name`.
    Faction "name" |api, faction| api.text(&api.look(|t| t.rules.factions[faction.index()].clone()));
    /// The other faction: `side.foe`.
    Faction "foe" |api, faction| ok(api.look(|t| t.rules.foe(faction)));
    /// Its units that have not been removed: `side.units`.
    Faction "units" |api, faction| ok(api.look(|t| t.world.alive() & t.world.owned(faction)));
    /// Its name: `me.type.name`.
    Type "name" |api, kind| api.text(&api.look(|t| t.rules.types[kind.index()].name.clone()));

    /// How many dice: `dice.len`.
    Dice "len" |_api, dice| ok(dice.len() as i64);
    /// Whether there are none: `dice.is_empty`.
    Dice "is_empty" |_api, dice| ok(dice.is_empty());
    /// Their sum: `roll(me, "morale", 2, 6).total`.
    Dice "total" |_api, dice| ok(dice.values().sum::<i64>());
    /// The highest die, or nothing: `dice.highest`.
    Dice "highest" |_api, dice| ok(dice.values().next_back());
    /// The lowest die, or nothing: `dice.lowest`.
    Dice "lowest" |_api, dice| ok(dice.values().next());
}

/// An operator between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `&`
    And,
    /// `|`
    Or,
    /// `..`
    Range,
    /// `..=`
    RangeTo,
}

impl Op {
    /// Every operator with its sign.
    pub const SIGNS: [(Op, &'static str); 15] = [
        (Op::Add, "+"),
        (Op::Sub, "-"),
        (Op::Mul, "*"),
        (Op::Div, "/"),
        (Op::Rem, "%"),
        (Op::Eq, "=="),
        (Op::Ne, "!="),
        (Op::Lt, "<"),
        (Op::Le, "<="),
        (Op::Gt, ">"),
        (Op::Ge, ">="),
        (Op::And, "&"),
        (Op::Or, "|"),
        (Op::Range, ".."),
        (Op::RangeTo, "..="),
    ];

    /// How scripts write it.
    pub fn sign(self) -> &'static str {
        Self::SIGNS[self as usize].1
    }
}

/// Operators on the kernel's things: the sign, what stands left and right of it, and what it does.
pub const OPERATORS: &[(Op, Kind, Kind, &str)] = &[
    (Op::Or, Kind::Units, Kind::Units, "the units of both"),
    (Op::Or, Kind::Units, Kind::Unit, "the units and one more"),
    (Op::And, Kind::Units, Kind::Units, "the units that are in both"),
    (
        Op::Sub,
        Kind::Units,
        Kind::Units,
        "the units of the first that are not in the second",
    ),
    (Op::Sub, Kind::Units, Kind::Unit, "the units without one"),
    (Op::Or, Kind::Places, Kind::Places, "the places of both"),
    (Op::Or, Kind::Places, Kind::Place, "the places and one more"),
    (Op::And, Kind::Places, Kind::Places, "the places that are in both"),
    (
        Op::Sub,
        Kind::Places,
        Kind::Places,
        "the places of the first that are not in the second",
    ),
    (Op::Sub, Kind::Places, Kind::Place, "the places without one"),
    (Op::Add, Kind::Dice, Kind::Dice, "the dice of both"),
    (Op::Eq, Kind::Unit, Kind::Unit, "whether they are the same"),
    (Op::Eq, Kind::Place, Kind::Place, "whether they are the same"),
    (Op::Eq, Kind::Faction, Kind::Faction, "whether they are the same"),
    (Op::Eq, Kind::Type, Kind::Type, "whether they are the same"),
    (Op::Eq, Kind::Units, Kind::Units, "whether they are the same"),
    (Op::Eq, Kind::Places, Kind::Places, "whether they are the same"),
    (Op::Eq, Kind::Dice, Kind::Dice, "whether they are the same"),
    (Op::Ne, Kind::Unit, Kind::Unit, "whether they differ"),
    (Op::Ne, Kind::Place, Kind::Place, "whether they differ"),
    (Op::Ne, Kind::Faction, Kind::Faction, "whether they differ"),
    (Op::Ne, Kind::Type, Kind::Type, "whether they differ"),
    (Op::Ne, Kind::Units, Kind::Units, "whether they differ"),
    (Op::Ne, Kind::Places, Kind::Places, "whether they differ"),
    (Op::Ne, Kind::Dice, Kind::Dice, "whether they differ"),
];

/// Applies one of [`OPERATORS`]; [`Fault::Mismatch`] when none fits.
#[inline]
pub fn operate(op: Op, left: Value, right: Value) -> Answer {
    use crate::kernel::dice::Pool;
    use Value::{Dice, Place, Places, Unit, Units};
    match (op, left, right) {
        (Op::Or, Units(a), Units(b)) => ok(a | b),
        (Op::Or, Units(a), Unit(b)) => ok(a | UnitSet::one(b)),
        (Op::And, Units(a), Units(b)) => ok(a & b),
        (Op::Sub, Units(a), Units(b)) => ok(a - b),
        (Op::Sub, Units(a), Unit(b)) => ok(a - UnitSet::one(b)),
        (Op::Or, Places(a), Places(b)) => ok(a | b),
        (Op::Or, Places(a), Place(b)) => ok(a | PlaceSet::one(b)),
        (Op::And, Places(a), Places(b)) => ok(a & b),
        (Op::Sub, Places(a), Places(b)) => ok(a - b),
        (Op::Sub, Places(a), Place(b)) => ok(a - PlaceSet::one(b)),
        (Op::Add, Dice(a), Dice(b)) => {
            let all: Vec<i64> = a.values().chain(b.values()).collect();
            ok(Pool::new(&all).ok_or_else(|| rule("too many dice in one pool"))?)
        }
        (Op::Eq, a, b) if a.kind() == b.kind() => ok(a == b),
        (Op::Ne, a, b) if a.kind() == b.kind() => ok(a != b),
        _ => Err(Fault::Mismatch),
    }
}
