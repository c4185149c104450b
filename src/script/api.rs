//! The functions that scripts may call: questions about the table, and the verbs that act on it.
//!
//! Every function checks its arguments: a wrong one is an error of the script, never a panic. The
//! verbs go through the kernel's [`Table`], which does nothing any more once a question is pending.

use super::declare;
use super::engine::MAX_OPERATIONS;
use crate::kernel::choice::Opt;
use crate::kernel::dice::Pool;
use crate::kernel::effect::{Cause, Effect};
use crate::kernel::ids::{FactionId, PlaceId, PlaceSet, Thing, TypeId, UnitId, UnitSet, Who};
use crate::kernel::rules::{HookId, NOTHING, Rules, SlotKind};
use crate::kernel::table::{Halt, Table};
use crate::kernel::world::Outcome;
use crate::kernel::{engagement, movement};
use crate::report::hint_for;
use rhai::{Array, Dynamic, Engine, EvalAltResult, INT, ImmutableString, NativeCallContext, Position};
use std::cell::{Cell, OnceCell, RefCell};
use std::ops::RangeInclusive;
use std::rc::Rc;

/// What a native function returns.
type Answer<T> = Result<T, Box<EvalAltResult>>;

/// Where a hook goes for the game and for each unit type.
#[derive(Debug, Clone, Default)]
pub struct HookEntry {
    /// The name as scripts call it.
    pub name: String,
    /// How many parameters it has.
    pub arity: usize,
    /// The game's own function.
    pub game: Target,
    /// By unit type.
    pub by_type: Vec<Target>,
}

/// One function that a hook goes to.
#[derive(Debug, Clone, Default)]
pub struct Target {
    /// Its name in the compiled ruleset.
    pub function: String,
    /// Its index among the ruleset's functions.
    pub index: usize,
    /// It does nothing, or only says `true`: calling it changes nothing.
    pub idle: bool,
}

/// The hooks of a ruleset.
#[derive(Debug, Clone, Default)]
pub struct Dispatch {
    /// By [`HookId`].
    pub hooks: Vec<HookEntry>,
}

impl Dispatch {
    /// The function that a hook about this thing goes to.
    pub fn target(&self, hook: HookId, kind: Option<TypeId>) -> &Target {
        let entry = &self.hooks[hook.0 as usize];
        kind.and_then(|k| entry.by_type.get(k.index()))
            .unwrap_or(&entry.game)
    }
}

/// What the registered functions share.
#[derive(Clone)]
pub struct Api {
    /// The table that they act on.
    pub table: Rc<RefCell<Table>>,
    /// The hooks, known once the ruleset is compiled.
    pub dispatch: Rc<OnceCell<Dispatch>>,
    /// Operations of the running step, over all hooks that call each other in it.
    pub operations: Rc<Cell<u64>>,
}

/// The handle of the game itself, for its slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameHandle;

fn runtime(message: impl Into<String>) -> Box<EvalAltResult> {
    EvalAltResult::ErrorRuntime(message.into().into(), Position::NONE).into()
}

fn halted(halt: Halt) -> Box<EvalAltResult> {
    match halt {
        Halt::Rule(message) => runtime(message),
        Halt::Waiting | Halt::Diverged(_) => {
            EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE).into()
        }
    }
}

fn optional<T: Clone + 'static>(value: Option<T>) -> Dynamic {
    value.map_or(Dynamic::UNIT, Dynamic::from)
}

/// A slot's stored value as scripts see it.
pub fn slot_to_dynamic(kind: SlotKind, value: i64) -> Dynamic {
    match kind {
        SlotKind::Number => value.into(),
        SlotKind::Flag => (value != 0).into(),
        _ if value == NOTHING => Dynamic::UNIT,
        SlotKind::Unit => Dynamic::from(UnitId(value as u8)),
        SlotKind::Place => Dynamic::from(PlaceId(value as u8)),
        SlotKind::Faction => Dynamic::from(FactionId(value as u8)),
    }
}

fn slot_from_dynamic(kind: SlotKind, value: &Dynamic) -> Option<i64> {
    match kind {
        SlotKind::Number => value.as_int().ok(),
        SlotKind::Flag => value.as_bool().ok().map(i64::from),
        _ if value.is_unit() => Some(NOTHING),
        SlotKind::Unit => value.clone().try_cast::<UnitId>().map(|u| u.0.into()),
        SlotKind::Place => value.clone().try_cast::<PlaceId>().map(|p| p.0.into()),
        SlotKind::Faction => value.clone().try_cast::<FactionId>().map(|f| f.0.into()),
    }
}

impl Api {
    /// Registers every function that does not depend on the game's declarations.
    pub fn register(&self, engine: &mut Engine) {
        engine
            .register_type_with_name::<UnitId>("Unit")
            .register_type_with_name::<PlaceId>("Place")
            .register_type_with_name::<FactionId>("Faction")
            .register_type_with_name::<TypeId>("UnitType")
            .register_type_with_name::<UnitSet>("Units")
            .register_type_with_name::<PlaceSet>("Places")
            .register_type_with_name::<Pool>("Dice")
            .register_type_with_name::<GameHandle>("Game");
        // Rhai counts the operations of each nested call by itself; a step has one budget.
        let operations = Rc::clone(&self.operations);
        engine.on_progress(move |_| {
            let count = operations.get() + 1;
            operations.set(count);
            (count > MAX_OPERATIONS).then_some(Dynamic::UNIT)
        });
        declare::register(engine);
        register_values(engine);
        self.register_lookups(engine);
        self.register_unit(engine);
        self.register_sets(engine);
        self.register_place_and_faction(engine);
        self.register_movement(engine);
        self.register_choices(engine);
        self.register_effects(engine);
        self.register_records(engine);
    }

    fn read<T>(&self, f: impl FnOnce(&Table) -> T) -> T {
        f(&self.table.borrow())
    }

    fn register_lookups(&self, engine: &mut Engine) {
        let api = self.clone();
        engine.register_fn("unit", move |name: &str| -> Answer<UnitId> {
            api.read(|t| {
                let found = t
                    .rules
                    .parse_unit_name(name)
                    .and_then(|parsed| t.world.find(parsed));
                found.ok_or_else(|| {
                    let names: Vec<String> = t
                        .world
                        .alive()
                        .map(|u| t.rules.unit_name(t.world.name(u)))
                        .collect();
                    let hint = hint_for(name, names.iter().map(String::as_str));
                    runtime(format!("there is no unit `{name}`; {hint}"))
                })
            })
        });
        let api = self.clone();
        engine.register_fn("place", move |name: &str| -> Answer<PlaceId> {
            api.read(|t| t.rules.board.place(name))
                .ok_or_else(|| runtime(format!("there is no place `{name}` on the board")))
        });
        let api = self.clone();
        engine.register_fn("faction", move |name: &str| -> Answer<FactionId> {
            api.read(|t| {
                t.rules.faction(name).ok_or_else(|| {
                    let hint = hint_for(name, t.rules.factions.iter().map(String::as_str));
                    runtime(format!("there is no faction `{name}`; {hint}"))
                })
            })
        });
        let api = self.clone();
        engine.register_fn("unit_type", move |name: &str| -> Answer<TypeId> {
            api.read(|t| {
                t.rules.unit_type(name).ok_or_else(|| {
                    let hint = hint_for(name, t.rules.types.iter().map(|t| t.name.as_str()));
                    runtime(format!("there is no unit type `{name}`; {hint}"))
                })
            })
        });
        let api = self.clone();
        engine.register_fn("unit_types", move || -> Array {
            api.read(|t| {
                (0..t.rules.types.len())
                    .map(|i| Dynamic::from(TypeId(i as u8)))
                    .collect()
            })
        });
        let api = self.clone();
        engine.register_fn("types_with", move |stat: &str, value: INT| -> Array {
            api.read(|t| {
                let Some(stat) = t.rules.stat(stat) else {
                    return Array::new();
                };
                t.rules
                    .types
                    .iter()
                    .enumerate()
                    .filter(|(_, kind)| kind.stats[stat] == Some(value))
                    .map(|(i, _)| Dynamic::from(TypeId(i as u8)))
                    .collect()
            })
        });
        let api = self.clone();
        engine.register_fn("game", move || {
            let _ = &api;
            GameHandle
        });
        for (nth, name) in ["first", "second", "third", "fourth"].into_iter().enumerate() {
            let api = self.clone();
            engine.register_fn(name, move || -> Answer<FactionId> {
                api.read(|t| {
                    if nth < t.rules.factions.len() {
                        Ok(t.world.in_order(nth))
                    } else {
                        Err(runtime(format!("there is no {name} faction in this game")))
                    }
                })
            });
        }
        let api = self.clone();
        engine.register_fn("factions", move || -> Array {
            api.read(|t| {
                (0..t.rules.factions.len())
                    .map(|i| Dynamic::from(t.world.in_order(i)))
                    .collect()
            })
        });
        let api = self.clone();
        engine.register_fn("everyone", move || -> UnitSet {
            api.read(|t| {
                (0..t.rules.factions.len())
                    .fold(UnitSet::EMPTY, |all, f| all | t.world.owned(FactionId(f as u8)))
            })
        });
        let api = self.clone();
        engine.register_fn("units", move || api.read(|t| t.world.on_board()));
        let api = self.clone();
        engine.register_fn("places", move || api.read(|t| t.rules.board.places()));
        engine.register_fn("no_places", || PlaceSet::EMPTY);
        engine.register_fn("no_units", || UnitSet::EMPTY);
        let api = self.clone();
        engine.register_fn("empty_places", move || {
            api.read(|t| {
                t.rules
                    .board
                    .places()
                    .filter(|&p| t.world.at(p).is_empty())
                    .collect::<PlaceSet>()
            })
        });
        let api = self.clone();
        engine.register_fn("count", move |phase: &str| -> Answer<INT> {
            api.read(|t| {
                t.checkpoint
                    .cursor
                    .iteration(&t.rules, phase)
                    .map(INT::from)
                    .ok_or_else(|| runtime(format!("the phase `{phase}` is not running")))
            })
        });
        let api = self.clone();
        engine.register_fn("winner", move || {
            api.read(|t| optional(t.world.outcome.and_then(|o| o.winner)))
        });
    }

    fn register_unit(&self, engine: &mut Engine) {
        let api = self.clone();
        engine.register_get("place", move |u: &mut UnitId| {
            api.read(|t| optional(t.world.place(*u)))
        });
        let api = self.clone();
        engine.register_get("owner", move |u: &mut UnitId| {
            api.read(|t| t.world.unit(*u).owner)
        });
        let api = self.clone();
        engine.register_get("type", move |u: &mut UnitId| api.read(|t| t.world.unit(*u).kind));
        let api = self.clone();
        engine.register_get("name", move |u: &mut UnitId| {
            api.read(|t| t.rules.unit_name(t.world.name(*u)))
        });
        let api = self.clone();
        engine.register_get("alive", move |u: &mut UnitId| {
            api.read(|t| t.world.alive().contains(*u))
        });
        let api = self.clone();
        engine.register_get("on_board", move |u: &mut UnitId| {
            api.read(|t| t.world.on_board().contains(*u))
        });
        let api = self.clone();
        engine.register_get("engaged", move |u: &mut UnitId| {
            api.read(|t| engagement::engaged(&t.rules, &t.world, *u))
        });
        let api = self.clone();
        engine.register_get("contact", move |u: &mut UnitId| {
            api.read(|t| engagement::contact(&t.rules, &t.world, *u))
        });
        let api = self.clone();
        engine.register_get("foes", move |u: &mut UnitId| {
            api.read(|t| t.world.on_board() - t.world.owned(t.world.unit(*u).owner))
        });
        let api = self.clone();
        engine.register_get("allies", move |u: &mut UnitId| {
            api.read(|t| (t.world.on_board() & t.world.owned(t.world.unit(*u).owner)) - UnitSet::one(*u))
        });
        let api = self.clone();
        engine.register_get("column", move |u: &mut UnitId| {
            api.read(|t| {
                t.world.place(*u).map_or(PlaceSet::EMPTY, |p| {
                    t.rules.board.column(t.rules.board.cell(p).column)
                })
            })
        });
        let api = self.clone();
        engine.register_fn("places_within", move |u: UnitId, steps: INT| {
            api.read(|t| reach_of(t, u, steps))
        });
        let api = self.clone();
        engine.register_fn("units_within", move |u: UnitId, steps: INT| {
            api.read(|t| t.world.in_places(reach_of(t, u, steps)) - UnitSet::one(u))
        });
        let api = self.clone();
        engine.register_fn("foes_within", move |u: UnitId, steps: INT| {
            api.read(|t| t.world.in_places(reach_of(t, u, steps)) - t.world.owned(t.world.unit(u).owner))
        });
        let api = self.clone();
        engine.register_fn("allies_within", move |u: UnitId, steps: INT| {
            api.read(|t| {
                let own = t.world.owned(t.world.unit(u).owner) - UnitSet::one(u);
                t.world.in_places(reach_of(t, u, steps)) & own
            })
        });
    }

    fn register_sets(&self, engine: &mut Engine) {
        let api = self.clone();
        engine.register_get("engaged", move |set: &mut UnitSet| {
            api.read(|t| {
                set.filter(|&u| engagement::engaged(&t.rules, &t.world, u))
                    .collect::<UnitSet>()
            })
        });
        let api = self.clone();
        engine.register_get("free", move |set: &mut UnitSet| {
            api.read(|t| {
                set.filter(|&u| !engagement::engaged(&t.rules, &t.world, u))
                    .collect::<UnitSet>()
            })
        });
        let api = self.clone();
        engine.register_get("places", move |set: &mut UnitSet| {
            api.read(|t| t.world.places_of(*set))
        });
        let api = self.clone();
        engine.register_fn("of", move |set: UnitSet, faction: FactionId| {
            api.read(|t| set & t.world.owned(faction))
        });
        let api = self.clone();
        engine.register_fn("of_type", move |set: UnitSet, name: &str| -> Answer<UnitSet> {
            api.read(|t| {
                let kind = t.rules.unit_type(name).ok_or_else(|| {
                    let hint = hint_for(name, t.rules.types.iter().map(|t| t.name.as_str()));
                    runtime(format!("there is no unit type `{name}`; {hint}"))
                })?;
                Ok(set.filter(|&u| t.world.unit(u).kind == kind).collect())
            })
        });
        let api = self.clone();
        engine.register_fn("total", move |set: &mut UnitSet, name: &str| -> Answer<INT> {
            api.read(|t| set.map(|u| number_of(t, u, name)).sum())
        });
        let api = self.clone();
        engine.register_get("units", move |set: &mut PlaceSet| {
            api.read(|t| t.world.in_places(*set))
        });
        let api = self.clone();
        engine.register_get("occupied", move |set: &mut PlaceSet| {
            api.read(|t| set.filter(|&p| !t.world.at(p).is_empty()).collect::<PlaceSet>())
        });
        let api = self.clone();
        engine.register_get("empty", move |set: &mut PlaceSet| {
            api.read(|t| set.filter(|&p| t.world.at(p).is_empty()).collect::<PlaceSet>())
        });
    }

    fn register_place_and_faction(&self, engine: &mut Engine) {
        let api = self.clone();
        engine.register_get("name", move |p: &mut PlaceId| {
            api.read(|t| t.rules.board.name(*p).to_owned())
        });
        let api = self.clone();
        engine.register_get("units", move |p: &mut PlaceId| api.read(|t| t.world.at(*p)));
        let api = self.clone();
        engine.register_fn("of", move |p: PlaceId, faction: FactionId| {
            api.read(|t| t.world.at(p) & t.world.owned(faction))
        });
        let api = self.clone();
        engine.register_fn("foes", move |p: PlaceId, me: UnitId| {
            api.read(|t| t.world.at(p) - t.world.owned(t.world.unit(me).owner))
        });
        let api = self.clone();
        engine.register_fn("allies", move |p: PlaceId, me: UnitId| {
            api.read(|t| t.world.at(p) & t.world.owned(t.world.unit(me).owner))
        });
        let api = self.clone();
        engine.register_get("adjacent", move |p: &mut PlaceId| {
            api.read(|t| t.rules.board.neighbours(*p))
        });
        let api = self.clone();
        engine.register_get("column", move |p: &mut PlaceId| {
            api.read(|t| t.rules.board.column(t.rules.board.cell(*p).column))
        });
        let api = self.clone();
        engine.register_get("row", move |p: &mut PlaceId| {
            api.read(|t| t.rules.board.row(t.rules.board.cell(*p).row))
        });
        let api = self.clone();
        engine.register_fn("within", move |p: PlaceId, steps: INT| {
            api.read(|t| t.rules.board.within(p, steps.max(0) as usize))
        });
        let api = self.clone();
        engine.register_fn("distance", move |a: PlaceId, b: PlaceId| {
            api.read(|t| t.rules.board.distance(a, b) as INT)
        });
        let api = self.clone();
        engine.register_get("name", move |f: &mut FactionId| {
            api.read(|t| t.rules.factions[f.index()].clone())
        });
        let api = self.clone();
        engine.register_get("foe", move |f: &mut FactionId| api.read(|t| t.rules.foe(*f)));
        let api = self.clone();
        engine.register_get("units", move |f: &mut FactionId| {
            api.read(|t| t.world.alive() & t.world.owned(*f))
        });
        let api = self.clone();
        engine.register_get("name", move |k: &mut TypeId| {
            api.read(|t| t.rules.types[k.index()].name.clone())
        });
    }

    fn register_movement(&self, engine: &mut Engine) {
        let api = self.clone();
        engine.register_fn("walk", move |ctx: NativeCallContext, me: UnitId, steps: INT| {
            api.walk(&ctx, me, steps, false)
        });
        let api = self.clone();
        engine.register_fn(
            "walk_exactly",
            move |ctx: NativeCallContext, me: UnitId, steps: INT| api.walk(&ctx, me, steps, true),
        );
        let api = self.clone();
        engine.register_fn(
            "may_end",
            move |ctx: NativeCallContext, me: UnitId, places: PlaceSet| api.may_end(&ctx, me, places),
        );
    }

    fn walk(&self, ctx: &NativeCallContext<'_>, me: UnitId, steps: INT, exactly: bool) -> Answer<PlaceSet> {
        let steps = steps.clamp(0, 64) as usize;
        if self.refusal_to_leave(ctx, me)?.is_some() {
            return Ok(PlaceSet::EMPTY);
        }
        let candidates = self.read(|t| {
            if exactly {
                movement::reach_exactly(&t.rules, &t.world, me, steps)
            } else {
                movement::reach(&t.rules, &t.world, me, steps)
            }
        });
        self.may_end(ctx, me, candidates)
    }

    /// Why an engaged unit may not move away; `None` for one that may, or is not engaged.
    pub fn refusal_to_leave(&self, ctx: &NativeCallContext<'_>, me: UnitId) -> Answer<Option<String>> {
        let (engaged, hook, kind) = self.read(|t| {
            let engaged = !engagement::contact(&t.rules, &t.world, me).is_empty();
            (engaged, t.rules.hooks.may_leave, t.world.unit(me).kind)
        });
        match hook {
            Some(hook) if engaged => self.ask(ctx, hook, kind, [Dynamic::from(me)]),
            _ => Ok(None),
        }
    }

    /// The places where a unit may end its movement.
    fn may_end(&self, ctx: &NativeCallContext<'_>, me: UnitId, places: PlaceSet) -> Answer<PlaceSet> {
        let (room, hook, kind): (PlaceSet, _, _) = self.read(|t| {
            let room = places
                .filter(|&p| movement::has_room(&t.rules, &t.world, me, p))
                .collect();
            (room, t.rules.hooks.may_enter, t.world.unit(me).kind)
        });
        let Some(hook) = hook else { return Ok(room) };
        if self.dispatch().target(hook, Some(kind)).idle {
            return Ok(room);
        }
        let mut open = PlaceSet::EMPTY;
        for place in room {
            if self
                .ask(ctx, hook, kind, [Dynamic::from(me), Dynamic::from(place)])?
                .is_none()
            {
                open.insert(place);
            }
        }
        Ok(open)
    }

    /// Asks a hook that returns true or a reason; `None` for true.
    fn ask<const N: usize>(
        &self,
        ctx: &NativeCallContext<'_>,
        hook: HookId,
        kind: TypeId,
        args: [Dynamic; N],
    ) -> Answer<Option<String>> {
        let target = self.dispatch().target(hook, Some(kind));
        if target.idle {
            return Ok(None);
        }
        let said = self.call(ctx, target, args)?;
        Ok(match said.as_bool() {
            Ok(true) => None,
            Ok(false) => Some("refused".to_owned()),
            Err(_) => Some(said.to_string()),
        })
    }

    fn call<const N: usize>(
        &self,
        ctx: &NativeCallContext<'_>,
        target: &Target,
        mut args: [Dynamic; N],
    ) -> Answer<Dynamic> {
        self.table.borrow_mut().hook_calls += 1;
        let mut args = args.each_mut();
        ctx.call_fn_raw(&target.function, false, false, &mut args)
    }

    /// The hooks; empty while the declarations are read.
    fn dispatch(&self) -> &Dispatch {
        self.dispatch.get_or_init(Dispatch::default)
    }

    fn register_choices(&self, engine: &mut Engine) {
        let api = self.clone();
        engine.register_fn(
            "choose",
            move |who: Dynamic, label: ImmutableString, options: Dynamic| -> Answer<Dynamic> {
                api.choose(&who, None, &label, &options, None)
            },
        );
        let api = self.clone();
        engine.register_fn(
            "choose",
            move |who: Dynamic, label: ImmutableString, options: Dynamic, word: ImmutableString| {
                api.choose(&who, None, &label, &options, Some(&word))
            },
        );
        let api = self.clone();
        engine.register_fn(
            "choose",
            move |who: Dynamic, about: UnitId, label: ImmutableString, options: Dynamic| {
                api.choose(&who, Some(Thing::Unit(about)), &label, &options, None)
            },
        );
        let api = self.clone();
        engine.register_fn(
            "choose",
            move |who: Dynamic, about: PlaceId, label: ImmutableString, options: Dynamic| {
                api.choose(&who, Some(Thing::Place(about)), &label, &options, None)
            },
        );
        let api = self.clone();
        engine.register_fn(
            "roll",
            move |who: Dynamic, label: ImmutableString, dice: INT, sides: INT| -> Answer<Pool> {
                let mut table = api.table.borrow_mut();
                let thing = thing(&who, "roll")?;
                let label = table.words.intern(&label);
                table.roll(thing, label, dice, sides).map_err(halted)
            },
        );
    }

    fn choose(
        &self,
        who: &Dynamic,
        about: Option<Thing>,
        label: &str,
        options: &Dynamic,
        word: Option<&str>,
    ) -> Answer<Dynamic> {
        let mut table = self.table.borrow_mut();
        let table = &mut *table;
        let thing = thing(who, "choose")?;
        let (asker, subject) = match thing {
            Thing::Faction(f) => (f, about.unwrap_or(Thing::Faction(f))),
            Thing::Unit(u) => (table.world.unit(u).owner, about.unwrap_or(thing)),
            _ => {
                return Err(runtime(
                    "`choose` asks a unit's owner or a faction: give one first",
                ));
            }
        };
        let subject = if subject == Thing::Faction(asker) {
            Thing::Game
        } else {
            subject
        };
        let label = table.words.intern(label);
        let list = &mut table.request.options;
        list.clear();
        if let Some(word) = word {
            list.push(Opt::Word(table.words.intern(word)));
        }
        if let Some(set) = options.read_lock::<UnitSet>() {
            list.extend(set.map(Opt::Unit));
        } else if let Some(set) = options.read_lock::<PlaceSet>() {
            list.extend(set.map(Opt::Place));
        } else if let Some(pool) = options.read_lock::<Pool>() {
            list.extend(pool.values().map(Opt::Number));
        } else if let Some(range) = options.read_lock::<RangeInclusive<INT>>() {
            if range.end().saturating_sub(*range.start()) > 256 {
                return Err(runtime("a choice among more than 256 numbers"));
            }
            list.extend(range.clone().map(Opt::Number));
        } else if let Some(array) = options.read_lock::<Array>() {
            for value in array.iter() {
                let option = if let Ok(n) = value.as_int() {
                    Opt::Number(n)
                } else if let Some(text) = value.read_lock::<ImmutableString>() {
                    Opt::Word(table.words.intern(&text))
                } else if let Some(kind) = value.read_lock::<TypeId>() {
                    Opt::Type(*kind)
                } else {
                    match self::thing(value, "choose")? {
                        Thing::Unit(u) => Opt::Unit(u),
                        Thing::Place(p) => Opt::Place(p),
                        Thing::Faction(f) => Opt::Faction(f),
                        Thing::Game => return Err(runtime("the game is no option")),
                    }
                };
                list.push(option);
            }
        } else {
            return Err(runtime(format!(
                "`choose` takes its options as units, places, a list, dice or a range of numbers, not {}",
                declare::plain_type(options.type_name())
            )));
        }
        let chosen = table.choose(asker, subject, label).map_err(halted)?;
        Ok(match chosen {
            Opt::Unit(u) => Dynamic::from(u),
            Opt::Place(p) => Dynamic::from(p),
            Opt::Faction(f) => Dynamic::from(f),
            Opt::Type(k) => Dynamic::from(k),
            Opt::Number(n) => n.into(),
            Opt::Word(w) => table.words.text(w).into(),
        })
    }

    fn register_effects(&self, engine: &mut Engine) {
        for name in ["move", "put"] {
            let api = self.clone();
            engine.register_fn(
                name,
                move |ctx: NativeCallContext, unit: UnitId, place: PlaceId| {
                    api.act(&ctx, Effect::Put(unit, place), Cause::default())
                },
            );
            let api = self.clone();
            engine.register_fn(
                name,
                move |ctx: NativeCallContext, unit: UnitId, place: PlaceId, word: &str| {
                    let cause = api.cause(word, None)?;
                    api.act(&ctx, Effect::Put(unit, place), cause)
                },
            );
        }
        let api = self.clone();
        engine.register_fn(
            "hit",
            move |ctx: NativeCallContext, unit: UnitId, damage: INT, word: &str| {
                api.hit(&ctx, unit, damage, word, None)
            },
        );
        let api = self.clone();
        engine.register_fn(
            "hit",
            move |ctx: NativeCallContext, unit: UnitId, damage: INT, word: &str, by: Dynamic| {
                api.hit(&ctx, unit, damage, word, Some(&by))
            },
        );
        let api = self.clone();
        engine.register_fn(
            "add",
            move |ctx: NativeCallContext, to: Dynamic, slot: &str, n: INT, word: &str| {
                api.add(&ctx, &to, slot, n, word, None)
            },
        );
        let api = self.clone();
        engine.register_fn(
            "add",
            move |ctx: NativeCallContext, to: Dynamic, slot: &str, n: INT, word: &str, by: Dynamic| {
                api.add(&ctx, &to, slot, n, word, Some(&by))
            },
        );
        let api = self.clone();
        engine.register_fn("remove", move |ctx: NativeCallContext, unit: UnitId| {
            api.act(&ctx, Effect::Remove(unit), Cause::default())
        });
        let api = self.clone();
        engine.register_fn(
            "remove",
            move |ctx: NativeCallContext, unit: UnitId, word: &str| {
                let cause = api.cause(word, None)?;
                api.act(&ctx, Effect::Remove(unit), cause)
            },
        );
        let api = self.clone();
        engine.register_fn("reserve", move |ctx: NativeCallContext, unit: UnitId| {
            api.act(&ctx, Effect::Reserve(unit), Cause::default())
        });
        let api = self.clone();
        engine.register_fn("release", move |ctx: NativeCallContext, unit: UnitId| {
            api.act(&ctx, Effect::Release(unit), Cause::default())
        });
        let api = self.clone();
        engine.register_fn(
            "enlist",
            move |ctx: NativeCallContext, faction: FactionId, kind: TypeId| {
                api.act(&ctx, Effect::Enlist(faction, kind), Cause::default())
            },
        );
        let api = self.clone();
        engine.register_fn("disband", move |ctx: NativeCallContext, faction: FactionId| {
            api.act(&ctx, Effect::Disband(faction), Cause::default())
        });
        let api = self.clone();
        engine.register_fn("goes_first", move |ctx: NativeCallContext, faction: FactionId| {
            api.act(&ctx, Effect::First(faction), Cause::default())
        });
        let api = self.clone();
        engine.register_fn("exclusive", move |word: &str| {
            let mut table = api.table.borrow_mut();
            let word = table.words.intern(word);
            table.exclusive(word);
        });
        let api = self.clone();
        engine.register_fn(
            "win",
            move |ctx: NativeCallContext, faction: FactionId, reason: &str| {
                api.finish(&ctx, Some(faction), reason)
            },
        );
        let api = self.clone();
        engine.register_fn("draw", move |ctx: NativeCallContext, reason: &str| {
            api.finish(&ctx, None, reason)
        });
    }

    fn finish(&self, ctx: &NativeCallContext<'_>, winner: Option<FactionId>, reason: &str) -> Answer<()> {
        let (effect, cause) = {
            let mut table = self.table.borrow_mut();
            let rules = Rc::clone(&table.rules);
            let contest = table.checkpoint.cursor.contest(&rules).unwrap_or("play");
            let (contest, reason) = (table.words.intern(contest), table.words.intern(reason));
            let by = match table.about() {
                Thing::Unit(u) => Who::Unit(table.world.name(u)),
                _ => Who::Game,
            };
            let outcome = Outcome {
                winner,
                reason,
                contest,
            };
            (Effect::Finish(outcome), Cause { word: None, by })
        };
        self.act(ctx, effect, cause)
    }

    fn hit(
        &self,
        ctx: &NativeCallContext<'_>,
        unit: UnitId,
        damage: INT,
        word: &str,
        by: Option<&Dynamic>,
    ) -> Answer<()> {
        let slot = self.read(|t| t.rules.slots.find(Thing::Unit(unit), "life"));
        let Some(slot) = slot else {
            return Err(runtime("`hit` takes away `life`, but units have no slot `life`"));
        };
        if damage <= 0 {
            return Ok(());
        }
        let cause = self.cause(word, by)?;
        self.act(ctx, Effect::Add(Thing::Unit(unit), slot as u8, -damage), cause)
    }

    fn add(
        &self,
        ctx: &NativeCallContext<'_>,
        to: &Dynamic,
        slot: &str,
        n: INT,
        word: &str,
        by: Option<&Dynamic>,
    ) -> Answer<()> {
        let thing = thing(to, "add")?;
        let index = self.read(|t| {
            let slots = t.rules.slots.of(thing);
            let found = slots
                .iter()
                .position(|s| s.name == slot && s.kind == SlotKind::Number);
            found.ok_or_else(|| {
                let hint = hint_for(slot, slots.iter().map(|s| s.name.as_str()));
                runtime(format!("there is no number slot `{slot}` here; {hint}"))
            })
        })?;
        let cause = self.cause(word, by)?;
        self.act(ctx, Effect::Add(thing, index as u8, n), cause)
    }

    fn cause(&self, word: &str, by: Option<&Dynamic>) -> Answer<Cause> {
        let mut table = self.table.borrow_mut();
        let by = match by {
            Some(by) => thing(by, "by whom")?,
            None => table.about(),
        };
        let by = table.world.who(by);
        let word = Some(table.words.intern(word));
        Ok(Cause { word, by })
    }

    /// Makes an effect happen, and then what follows from it.
    fn act(&self, ctx: &NativeCallContext<'_>, effect: Effect, cause: Cause) -> Answer<()> {
        let any_due = {
            let mut table = self.table.borrow_mut();
            table.perform(effect, cause).map_err(halted)?;
            !table.due.is_empty()
        };
        if any_due {
            loop {
                let (due, kind) = {
                    let mut table = self.table.borrow_mut();
                    if table.due.is_empty() {
                        break;
                    }
                    let due = table.due.remove(0);
                    (due, table.world.unit(due.unit).kind)
                };
                let target = self.dispatch().target(due.hook, Some(kind));
                if !target.idle {
                    let _ = self.call(ctx, target, [Dynamic::from(due.unit)])?;
                }
            }
        }
        Ok(())
    }

    fn register_records(&self, engine: &mut Engine) {
        let api = self.clone();
        engine.register_fn("happened", move |text: &str| api.lines_with(text) > 0);
        let api = self.clone();
        engine.register_fn("times", move |text: &str| api.lines_with(text));
        let api = self.clone();
        engine.register_fn("offers", move |key: &str| {
            api.read(|t| t.halt() == Some(&Halt::Waiting) && t.asked_now().keys().iter().any(|k| k == key))
        });
        let api = self.clone();
        engine.register_fn("offered", move || -> Array {
            api.read(|t| {
                if t.halt() == Some(&Halt::Waiting) {
                    t.asked_now().keys().into_iter().map(Dynamic::from).collect()
                } else {
                    Array::new()
                }
            })
        });
        let api = self.clone();
        engine.register_fn("asked", move || {
            api.read(|t| {
                if t.halt() == Some(&Halt::Waiting) {
                    t.asked_now().label().to_owned()
                } else {
                    String::new()
                }
            })
        });
        let api = self.clone();
        engine.register_fn("asks", move || {
            api.read(|t| optional((t.halt() == Some(&Halt::Waiting)).then_some(t.request.asker)))
        });
    }

    fn lines_with(&self, text: &str) -> INT {
        self.read(|t| {
            t.events
                .iter()
                .filter(|e| e.line(&t.rules, &t.words).contains(text))
                .count() as INT
        })
    }

    /// Registers what depends on the declarations: stats, slots and zones as properties, and the
    /// hooks that unit types redefine as functions that go to the right script.
    pub fn register_declared(&self, engine: &mut Engine, rules: &Rules) {
        for (index, slot) in rules.slots.unit.iter().enumerate() {
            let (api, kind) = (self.clone(), slot.kind);
            engine.register_get(slot.name.as_str(), move |u: &mut UnitId| {
                api.read(|t| slot_to_dynamic(kind, t.world.slot(&t.rules, Thing::Unit(*u), index)))
            });
            self.setter::<UnitId>(engine, &slot.name, kind, index, Thing::Unit);
        }
        for (index, stat) in rules.stats.iter().enumerate() {
            if rules.slots.unit.iter().all(|s| s.name != *stat) {
                let (api, name) = (self.clone(), stat.clone());
                engine.register_get(stat.as_str(), move |u: &mut UnitId| -> Answer<INT> {
                    api.read(|t| stat_of(t, t.world.unit(*u).kind, index, &name))
                });
            }
            let (api, name) = (self.clone(), stat.clone());
            engine.register_get(stat.as_str(), move |k: &mut TypeId| -> Answer<INT> {
                api.read(|t| stat_of(t, *k, index, &name))
            });
        }
        for (index, slot) in rules.slots.faction.iter().enumerate() {
            let (api, kind) = (self.clone(), slot.kind);
            engine.register_get(slot.name.as_str(), move |f: &mut FactionId| {
                api.read(|t| slot_to_dynamic(kind, t.world.slot(&t.rules, Thing::Faction(*f), index)))
            });
            self.setter::<FactionId>(engine, &slot.name, kind, index, Thing::Faction);
        }
        for (index, slot) in rules.slots.place.iter().enumerate() {
            let (api, kind) = (self.clone(), slot.kind);
            engine.register_get(slot.name.as_str(), move |p: &mut PlaceId| {
                api.read(|t| slot_to_dynamic(kind, t.world.slot(&t.rules, Thing::Place(*p), index)))
            });
            self.setter::<PlaceId>(engine, &slot.name, kind, index, Thing::Place);
        }
        for (index, slot) in rules.slots.game.iter().enumerate() {
            let (api, kind) = (self.clone(), slot.kind);
            engine.register_get(slot.name.as_str(), move |_: &mut GameHandle| {
                api.read(|t| slot_to_dynamic(kind, t.world.slot(&t.rules, Thing::Game, index)))
            });
            self.setter::<GameHandle>(engine, &slot.name, kind, index, |_| Thing::Game);
        }
        for (index, zone) in rules.board.zones.iter().enumerate() {
            let api = self.clone();
            engine.register_get(zone.name.as_str(), move |f: &mut FactionId| {
                api.read(|t| t.rules.board.zone(index, *f))
            });
        }
    }

    fn setter<T: Copy + Clone + 'static>(
        &self,
        engine: &mut Engine,
        name: &str,
        kind: SlotKind,
        index: usize,
        thing: fn(T) -> Thing,
    ) {
        let (api, text) = (self.clone(), name.to_owned());
        engine.register_set(
            name,
            move |ctx: NativeCallContext, it: &mut T, value: Dynamic| -> Answer<()> {
                let Some(value) = slot_from_dynamic(kind, &value) else {
                    return Err(runtime(format!(
                        "the slot `{text}` cannot hold {}",
                        declare::plain_type(value.type_name())
                    )));
                };
                api.act(
                    &ctx,
                    Effect::Set(thing(*it), index as u8, value),
                    Cause::default(),
                )
            },
        );
    }

    /// Registers a function under a hook's plain name that goes to the script of its first argument.
    pub fn register_hook(&self, engine: &mut Engine, hook: HookId, name: &str, arity: usize) {
        let api = self.clone();
        let types = vec![std::any::TypeId::of::<Dynamic>(); arity];
        engine.register_raw_fn(name, types, move |ctx: NativeCallContext, args| {
            let kind = args.first().and_then(|a| a.read_lock::<UnitId>().map(|u| *u));
            let kind = kind.map(|u| api.read(|t| t.world.unit(u).kind));
            let target = api.dispatch().target(hook, kind);
            api.table.borrow_mut().hook_calls += 1;
            let mut values: Vec<Dynamic> = args.iter().map(|a| (**a).clone()).collect();
            let mut refs: Vec<&mut Dynamic> = values.iter_mut().collect();
            ctx.call_fn_raw(&target.function, false, false, &mut refs)
        });
    }
}

fn reach_of(table: &Table, unit: UnitId, steps: INT) -> PlaceSet {
    match table.world.place(unit) {
        Some(place) if steps >= 0 => table.rules.board.within(place, steps as usize),
        _ => PlaceSet::EMPTY,
    }
}

fn stat_of(table: &Table, kind: TypeId, stat: usize, name: &str) -> Answer<INT> {
    let kind = &table.rules.types[kind.index()];
    kind.stats[stat].ok_or_else(|| runtime(format!("{} has no stat `{name}`", kind.name)))
}

fn number_of(table: &Table, unit: UnitId, name: &str) -> Answer<INT> {
    if let Some(slot) = table.rules.slots.find(Thing::Unit(unit), name) {
        return Ok(table.world.slot(&table.rules, Thing::Unit(unit), slot));
    }
    match table.rules.stat(name) {
        Some(stat) => stat_of(table, table.world.unit(unit).kind, stat, name),
        None => {
            let names = table.rules.stats.iter().map(String::as_str);
            Err(runtime(format!(
                "there is no stat or slot `{name}`; {}",
                hint_for(name, names)
            )))
        }
    }
}

fn thing(value: &Dynamic, verb: &str) -> Answer<Thing> {
    if let Some(unit) = value.read_lock::<UnitId>() {
        Ok(Thing::Unit(*unit))
    } else if let Some(faction) = value.read_lock::<FactionId>() {
        Ok(Thing::Faction(*faction))
    } else if let Some(place) = value.read_lock::<PlaceId>() {
        Ok(Thing::Place(*place))
    } else if value.read_lock::<GameHandle>().is_some() {
        Ok(Thing::Game)
    } else {
        Err(runtime(format!(
            "`{verb}` needs a unit, a faction or a place, not {}",
            declare::plain_type(value.type_name())
        )))
    }
}

/// Registers what values can do by themselves: comparison, set arithmetic, iteration, dice.
fn register_values(engine: &mut Engine) {
    macro_rules! comparable {
        ($($type:ty),*) => {$(
            engine.register_fn("==", |a: $type, b: $type| a == b);
            engine.register_fn("!=", |a: $type, b: $type| a != b);
        )*};
    }
    comparable!(UnitId, PlaceId, FactionId, TypeId, UnitSet, PlaceSet, Pool);
    macro_rules! set {
        ($set:ty, $id:ty) => {
            engine.register_get("len", |s: &mut $set| s.len() as INT);
            engine.register_get("is_empty", |s: &mut $set| s.is_empty());
            engine.register_get("first", |s: &mut $set| optional(<$set>::first(*s)));
            engine.register_get("last", |s: &mut $set| optional(<$set>::last(*s)));
            engine.register_fn("contains", |s: &mut $set, id: Dynamic| {
                id.read_lock::<$id>()
                    .is_some_and(|id| <$set>::contains(*s, *id))
            });
            engine.register_fn("|", |a: $set, b: $set| a | b);
            engine.register_fn("&", |a: $set, b: $set| a & b);
            engine.register_fn("-", |a: $set, b: $set| a - b);
            engine.register_fn("-", |a: $set, b: $id| a - <$set>::one(b));
            engine.register_fn("|", |a: $set, b: $id| a | <$set>::one(b));
            engine.register_iterator::<$set>();
        };
    }
    set!(UnitSet, UnitId);
    set!(PlaceSet, PlaceId);
    engine.register_get("len", |p: &mut Pool| p.len() as INT);
    engine.register_get("is_empty", |p: &mut Pool| p.is_empty());
    engine.register_get("total", |p: &mut Pool| p.values().sum::<INT>());
    engine.register_get("highest", |p: &mut Pool| optional(p.values().next_back()));
    engine.register_get("lowest", |p: &mut Pool| optional(p.values().next()));
    engine.register_indexer_get(|p: &mut Pool, index: INT| -> Answer<INT> {
        usize::try_from(index)
            .ok()
            .and_then(|i| p.get(i))
            .ok_or_else(|| runtime(format!("there is no die {index} among {} dice", p.len())))
    });
    engine.register_fn("without", |p: Pool, die: INT| -> Answer<Pool> {
        p.without(die)
            .ok_or_else(|| runtime(format!("there is no {die} among the dice {p}")))
    });
    engine.register_fn("plus", |p: Pool, die: INT| -> Answer<Pool> {
        p.with(die)
            .ok_or_else(|| runtime(format!("the dice {p} cannot take a {die}")))
    });
    engine.register_fn("+", |a: Pool, b: Pool| -> Answer<Pool> {
        let all: Vec<INT> = a.values().chain(b.values()).collect();
        Pool::new(&all).ok_or_else(|| runtime("too many dice in one pool"))
    });
    engine.register_type_with_name::<PoolIter>("DiceIterator");
    engine.register_iterator::<PoolIter>();
    engine.register_iterator_for_pool();
    engine.register_fn("to_string", |p: &mut Pool| p.to_string());
}

/// Iterates over the dice of a pool from low to high.
#[derive(Clone)]
pub struct PoolIter(Pool, usize);

impl Iterator for PoolIter {
    type Item = INT;

    fn next(&mut self) -> Option<INT> {
        let value = self.0.get(self.1)?;
        self.1 += 1;
        Some(value)
    }
}

trait PoolIteration {
    fn register_iterator_for_pool(&mut self);
}

impl PoolIteration for Engine {
    fn register_iterator_for_pool(&mut self) {
        let mut module = rhai::Module::new();
        module.set_iter(std::any::TypeId::of::<Pool>(), |value| {
            let pool = value.try_cast::<Pool>().unwrap_or_default();
            Box::new(PoolIter(pool, 0).map(Dynamic::from))
        });
        self.register_global_module(module.into());
    }
}
