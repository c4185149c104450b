//! Declarations of a game's scripts, as the rules that the kernel plays by.

use super::declare::{
    DeclaredStats, Dial, DialRange, DialValue, MADE_OF, PhaseContext, TakenName, problems as declared,
};
use super::layers::{Layers, ScriptOf};
use super::load::Loading;
use super::problems;
use super::run::context::Program;
use super::run::fault::Failure;
use super::run::members::MemberProperty;
use super::run::natives::PROPERTIES;
use super::run::node::HookEntry;
use super::run::value::Kind;
use super::run::view::ValueView;
use crate::grounds::arena::{ArenaGround, DieProperties, Solid, UnitDie};
use crate::grounds::tabletop::Tabletop;
use crate::kernel::ground::{Ground, Places};
use crate::kernel::ids::HookId;
use crate::kernel::phase::{EachKind, Phase, PhaseBody};
use crate::kernel::rules::{KernelHooks, Rules, Schema, Slot, Terrain, UnitType};
use crate::kernel::spot::UNIT;
use crate::lines::how_many;
use crate::report::{Problem, Problems, did_you_mean};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The rules that the scripts declare.
///
/// # Errors
///
/// What fails in a declaration, and what it says that cannot be.
pub fn declare_rules(
    loading: &mut Loading<'_>,
    game: &str,
    dials: &[Dial],
    to_problem: &dyn Fn(&Failure, &Program) -> Problem,
) -> Result<Rules, Problems> {
    let hook_names = &loading.hook_names.clone();
    let hook = |name: &str| {
        hook_names
            .iter()
            .position(|h| h == name)
            .map(|i| HookId(i as u16))
    };
    let layers = loading.layers;
    for needed in ["board", "phases"] {
        if layers.declaration(0, needed).is_none() {
            let game = &layers.texts[0].parsed;
            let file = &game.source.name;
            let problem = problems::missing_declaration(file, needed);
            let near = did_you_mean(needed, game.fns.iter().map(|f| f.name.as_str()));
            let near = near.and_then(|near| game.fns.iter().find(|f| f.name == near));
            return Err(match near {
                Some(near) => problem
                    .at(&game.source, game.source.span_at(near.at.0, near.at.1))
                    .hint(format!("did you mean `{needed}` by `{}`?", near.name)),
                None => problem
                    .at(&game.source, 0..0)
                    .hint("a game declares at least `board()` and `phases()`"),
            }
            .into());
        }
    }
    let mut problems = Vec::new();
    let mut of_board = layers.reader(0, "board");
    let mut board = of_board.board(declared(loading, to_problem, 0, "board")?);
    problems.append(&mut of_board.problems);

    // What units say of themselves on other grounds alone.
    let free: &[&str] = match (&board.arena, &board.plane) {
        (Some(_), _) => &[],
        (None, Some(_)) => &["face", "nearest_face", "between_faces"],
        (None, None) => &["face", "nearest_face", "between_faces", "spot"],
    };
    let taken = |name: &str, kinds: &[Kind]| {
        let is = |p: &&MemberProperty| p.name == name && kinds.contains(&p.of) && !free.contains(&name);
        PROPERTIES.iter().find(is).map(|p| p.of)
    };
    let Kinds {
        stats,
        flags,
        types,
        terrains,
    } = read_kinds(loading, dials, to_problem, &taken, &mut problems)?;
    let bases = stats.iter().position(|s| *s == board.bases);
    let ground: Arc<dyn Ground> = match (board.plane, board.arena) {
        (Some(plane), Some(arena)) => Arc::new(ArenaGround {
            plane,
            board: arena.board,
            dice: dice_of(layers, &types, &stats, &mut problems),
            zones: arena.zones.into_iter().map(|zone| zone.1).collect(),
        }),
        (Some(plane), None) => {
            let base = |kind: &UnitType| {
                let wide = bases.and_then(|stat| kind.stats[stat]).unwrap_or(0);
                i32::try_from(wide.saturating_mul(UNIT)).unwrap_or(0)
            };
            let bases = types.iter().map(base).collect();
            Arc::new(Tabletop {
                plane,
                base_stat: board.bases.clone(),
                bases,
            })
        }
        (None, _) => board.ground,
    };
    let on_plane = ground.plane().is_some();
    if on_plane && ground.dice().is_none() {
        for kind in &types {
            let name = &kind.name;
            let problem = match bases.and_then(|stat| kind.stats[stat]) {
                Some(1..=1_000) => continue,
                Some(wide) => declared::out_of_range(format_args!("the base of `{name}`"), 1, 1_000, wide),
                None => {
                    let form = format!("add the stat `{}` to its `stats()`", board.bases);
                    declared::missing_part(format_args!("`{name}`"), "base").hint(&form)
                }
            };
            let mut reader = layers.reader(script_of(layers, kind), "stats");
            reader.problem(&board.bases, problem);
            problems.append(&mut reader.problems);
        }
    }
    if terrains.iter().any(|kind| kind.on_edges.is_some()) {
        board.board = board.board.with_edges();
    }
    for kind in terrains.iter().filter(|kind| kind.on_edges.is_some() && on_plane) {
        let script = layers
            .scripts
            .iter()
            .position(|s| s.of == ScriptOf::Terrain && s.name == kind.name);
        let mut reader = layers.reader(script.unwrap_or_default(), "stats");
        reader.problem("blocks", declared::misplaced_key("blocks", "a board of places"));
        problems.append(&mut reader.problems);
    }
    let drawn = of_board.drawn_terrain((&board.board, &board.drawing), &terrains);
    let zones: Vec<String> = board.board.zones.iter().map(|z| z.name.clone()).collect();
    for zone in &zones {
        of_board.hides(zone, &[Kind::Faction], "zone", &taken);
    }
    problems.append(&mut of_board.problems);
    let mut of_slots = layers.reader(0, "slots");
    let slots = match layers.declaration(0, "slots") {
        Some(_) => {
            let value = declared(loading, to_problem, 0, "slots")?;
            let places = (!on_plane).then_some(&board.board);
            of_slots.slots(value, (&stats, &flags), places, hook_names, &taken)
        }
        None => Default::default(),
    };
    for zone in zones
        .iter()
        .filter(|zone| slots.faction.iter().any(|slot| slot.name == **zone))
    {
        of_slots.problem(
            zone,
            declared::repeated_name("a zone and a slot of factions", zone),
        );
    }
    let mut reader = layers.reader(0, "phases");
    let phases = declared(loading, to_problem, 0, "phases")?;
    let context = PhaseContext {
        zones: &zones,
        slots: &slots,
        stats: &stats,
        factions: board.factions.len(),
        hooks: hook_names,
    };
    let mut phases = reader.phases(phases, &context);
    // Where a function is missing, another stands for it.
    if reader.problems.is_empty() && of_slots.problems.is_empty() {
        for named in called_by_name(&phases, &slots) {
            let by_slot = !["step", "interrupts"].contains(&named.key);
            let reader = if by_slot { &mut of_slots } else { &mut reader };
            let entry = &loading.program.hooks[named.hook.0 as usize];
            let (name, params) = (&entry.name, named.params);
            if hook_names.iter().filter(|hook| *hook == name).count() > 1 {
                let problem = problems::ambiguous_function(name).about(name);
                let problem = problem.hint("give the others another name");
                reader.problem((named.key, name.as_str()), problem);
                continue;
            }
            // What a slot calls may leave out the last of it.
            if entry.arity > params.len() || entry.arity < params.len() && !by_slot {
                let count = how_many(entry.arity, "parameter");
                let problem = declared::wrong_parameters(name, count, params.len(), params.join(", "));
                reader.problem((named.key, name.as_str()), problem.about(name));
            }
        }
    }
    problems.append(&mut reader.problems);

    // The root is nobody's to name. Where no phase could be read, none is missed.
    let named = phases.iter().skip(1).map(|p| p.name.as_str());
    for slot in slots.all().filter(|_| phases.len() > 1) {
        if let Some(lasts) = &slot.lasts
            && !named.clone().any(|name| name == lasts)
        {
            of_slots.unknown_name(("lasts", lasts), "phase", named.clone());
        }
    }
    problems.append(&mut of_slots.problems);
    Problems::check(problems)?;

    for phase in &mut phases {
        if let PhaseBody::Each { hook, idle, .. } = &mut phase.work {
            let entry = &loading.program.hooks[hook.0 as usize];
            *idle = entry
                .by_type
                .iter()
                .enumerate()
                .filter(|(_, t)| t.is_idle())
                .fold(0, |mask, (i, _)| mask | 1 << i);
        }
    }
    // The others are told of, whether they do something or not: what they say is traced.
    let acting = |name: &str| {
        hook(name).filter(|h| {
            let entry = &loading.program.hooks[h.0 as usize];
            !entry.game.is_idle() || entry.own().any(|t| !t.is_idle())
        })
    };
    let may_remove = acting("may_remove");
    let asks = |slot: &Slot| slot.falls.is_some() || slot.rises.is_some();
    let slots_weigh = slots.all().any(asks);
    Ok(Rules {
        game: game.to_owned(),
        factions: board.factions,
        types,
        terrains,
        stats,
        flags,
        board: board.board,
        plane: ground.plane().cloned(),
        ground,
        drawn_terrain: drawn,
        stack: board.stack,
        relation: board.relation,
        arbiter: board.arbiter,
        slots,
        phases,
        hooks: KernelHooks {
            may_enter: hook("may_enter"),
            may_join: hook("may_join"),
            may_leave: hook("may_leave"),
            cost_to_enter: hook("cost_to_enter"),
            blocks_sight: hook("blocks_sight"),
            blocks_movement: hook("blocks_movement"),
            becomes_engaged: acting("becomes_engaged"),
            weighs: may_remove.is_some() || slots_weigh,
            leaves: acting("leaves"),
            left: acting("left"),
            arrives: acting("arrives"),
            entered: acting("entered"),
            may_remove,
            removed: acting("removed"),
            loses_contact: acting("loses_contact"),
            comes_into_contact: acting("comes_into_contact"),
            becomes_free: acting("becomes_free"),
            rolled: acting("rolled"),
        },
    })
}

fn read_kinds(
    loading: &mut Loading<'_>,
    dials: &[Dial],
    to_problem: &dyn Fn(&Failure, &Program) -> Problem,
    taken: &TakenName<'_>,
    problems: &mut Vec<Problem>,
) -> Result<Kinds, Problems> {
    let layers = loading.layers;
    // What each stat is where it is first declared: a flag or a number; so it is everywhere.
    let mut is_flag: BTreeMap<String, bool> = BTreeMap::new();
    let mut symbols = Symbols::default();
    let mut read = |loading: &mut Loading<'_>, script: usize| -> Result<_, Problems> {
        if layers.declaration(script, "stats").is_none() {
            return Ok(DeclaredStats::default());
        }
        let mut reader = layers.reader(script, "stats");
        let stats = reader.stats(declared(loading, to_problem, script, "stats")?);
        let kinds = match layers.scripts[script].of {
            ScriptOf::Terrain => [Kind::Place, Kind::Terrain],
            _ => [Kind::Unit, Kind::Type],
        };
        for (name, _) in &stats.numbers {
            reader.hides(name, &kinds, "stat", taken);
            let flag = stats.flags.contains(name);
            if *is_flag.entry(name.clone()).or_insert(flag) != flag {
                let (here, there) = match flag {
                    true => ("true or false", "a number"),
                    false => ("a number", "true or false"),
                };
                reader.problem(name, declared::mixed_stat(name, here, there));
            }
        }
        let (of, name) = (layers.scripts[script].of, &layers.scripts[script].name);
        if let Some(symbol) = stats.symbol.as_ref().filter(|_| of == ScriptOf::Unit)
            && let Some(other) = symbols.take(symbol, name)
        {
            reader.problem("symbol", declared::repeated_symbol(symbol, &other));
        }
        if stats.on_edges.is_some() && of != ScriptOf::Terrain {
            reader.problem("blocks", declared::misplaced_key("blocks", "a terrain's script"));
        }
        problems.append(&mut reader.problems);
        Ok(stats)
    };
    let common = read(loading, 0)?.numbers;
    let mut names: Vec<String> = common.iter().map(|(n, _)| n.clone()).collect();
    let mut kinds = Vec::new();
    for (index, script) in layers.scripts.iter().enumerate().skip(1) {
        let own = read(loading, index)?;
        for (name, _) in &own.numbers {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        let mut all = layers.common_stats(index, &common);
        all.extend(own.numbers);
        kinds.push((script, own.symbol, (own.colour, own.on_edges), all));
    }
    names.sort();
    let mut found = Kinds::default();
    for (script, symbol, (colour, on_edges), own) in kinds {
        let name = script.name.clone();
        let symbol = symbol.unwrap_or_else(|| match script.of {
            ScriptOf::Unit => symbols.of(&name),
            _ => name.chars().take(2).collect(),
        });
        let stat = |stat: &String| {
            let start = *own.get(stat)?;
            let turned = format!("{name}.{stat}");
            let dial = dials.binary_search_by(|d| d.name.cmp(&turned));
            match dial.map(|index| &dials[index].value) {
                Ok(DialValue::Number(n)) => Some(*n),
                _ => Some(start),
            }
        };
        let stats = names.iter().map(stat).collect();
        let range = |stat: &String| {
            let turned = format!("{name}.{stat}");
            let dial = dials.binary_search_by(|d| d.name.cmp(&turned));
            match dial.map(|index| &dials[index].range) {
                Ok(DialRange::Number(low, high)) => (*low, *high),
                _ => (i64::MIN, i64::MAX),
            }
        };
        let ranges = names.iter().map(range).collect();
        match script.of {
            ScriptOf::Terrain => found.terrains.push(Terrain {
                name,
                symbol,
                colour,
                on_edges,
                stats,
            }),
            _ => found.types.push(UnitType {
                name,
                symbol,
                stats,
                ranges,
            }),
        }
    }
    found.flags = names.iter().map(|name| is_flag[name]).collect();
    found.stats = names;
    Ok(found)
}

/// The symbols of unit types that are taken, in small letters, and by whom.
#[derive(Default)]
struct Symbols(BTreeMap<String, String>);

impl Symbols {
    /// Takes a symbol; who has it already.
    fn take(&mut self, symbol: &str, name: &str) -> Option<String> {
        let taken = self.0.insert(symbol.to_lowercase(), name.to_owned());
        taken.filter(|other| other != name)
    }

    /// The symbol of a type that says none: the first letter of its name and the next that nobody has.
    fn of(&mut self, name: &str) -> String {
        let mut letters = name.chars();
        let first: String = letters.by_ref().take(1).collect();
        let alone = (name.chars().count() == 1).then(String::new);
        let others = (2..10).map(|n| n.to_string());
        let second = alone.into_iter().chain(letters.map(String::from)).chain(others);
        let mut free = second.map(|second| format!("{first}{second}"));
        let free = free.find(|symbol| !self.0.contains_key(&symbol.to_lowercase()));
        let symbol = free.unwrap_or_else(|| name.chars().take(2).collect());
        self.take(&symbol, name);
        symbol
    }
}

/// The script of a unit type, by index.
fn script_of(layers: &Layers, kind: &UnitType) -> usize {
    let mut scripts = layers.scripts_of(ScriptOf::Unit);
    let found = scripts.find(|script| layers.scripts[*script].name == kind.name);
    found.unwrap_or(0)
}

/// Returns the dice that the unit types of an arena are: their stat `die` gives the number of sides, and other stats
/// that they may have give the material.
fn dice_of(
    layers: &Layers,
    types: &[UnitType],
    stats: &[String],
    problems: &mut Vec<Problem>,
) -> Vec<UnitDie> {
    let mut dice = Vec::new();
    for kind in types {
        let mut reader = layers.reader(script_of(layers, kind), "stats");
        let stat = |name: &str| kind.stats[stats.iter().position(|s| s == name)?];
        let solid = stat("die").and_then(Solid::with_sides);
        if solid.is_none() {
            let what = format_args!("the stat `die` of `{}`", kind.name);
            reader.problem("die", declared::wrong_value(what, "4, 6, 8, 10, 12 or 20"));
        }
        let solid = solid.unwrap_or(Solid::D6);
        let mut make = DieProperties::usual(solid);
        let made = [
            &mut make.size,
            &mut make.mass,
            &mut make.friction,
            &mut make.restitution,
            &mut make.load,
        ];
        for ((name, one, low, high), number) in MADE_OF.into_iter().zip(made) {
            let Some(given) = stat(name) else { continue };
            match i32::try_from(given).ok().filter(|n| (low..=high).contains(n)) {
                Some(given) => *number = given * one,
                None => {
                    let what = format_args!("the `{name}` of `{}`", kind.name);
                    reader.problem(name, declared::out_of_range(what, low.into(), high.into(), given));
                }
            }
        }
        dice.push(UnitDie { solid, make });
        problems.append(&mut reader.problems);
    }
    dice
}

/// A function that phases or slots name as what they call.
struct NamedFunction {
    /// The key that names it.
    key: &'static str,
    hook: HookId,
    /// Parameters of the call.
    params: &'static [&'static str],
    /// Kind of script that may have its own.
    of: ScriptOf,
}

/// Every function that phases and slots name.
fn called_by_name(phases: &[Phase], slots: &Schema) -> Vec<NamedFunction> {
    use ScriptOf::{Game, Terrain, Unit};
    let mut all = Vec::new();
    let mut named = |key, hook, params, of| {
        all.push(NamedFunction {
            key,
            hook,
            params,
            of,
        });
    };
    for phase in phases {
        match &phase.work {
            PhaseBody::Each { kind, hook, .. } => match kind {
                EachKind::Game => named("step", *hook, &[], Game),
                EachKind::Faction => named("step", *hook, &["side"], Game),
                EachKind::Place => named("step", *hook, &["here"], Terrain),
                EachKind::Unit => named("step", *hook, &["me"], Unit),
            },
            PhaseBody::Turn { hook, .. } => named("step", *hook, &["me"], Unit),
            PhaseBody::Sequence(_) => {}
        }
        for interrupt in &phase.interrupts {
            named("interrupts", interrupt.hook, &["side", "mover"], Game);
        }
    }
    for (slots, params, of) in [
        (&slots.game, &["it", "amount", "by"], Game),
        (&slots.faction, &["side", "amount", "by"], Game),
        (&slots.place, &["here", "amount", "by"], Terrain),
        (&slots.unit, &["me", "amount", "by"], Unit),
    ] {
        for slot in slots {
            for (key, hook, count) in [
                ("at_zero", slot.at_zero, 1),
                ("falls", slot.falls, 3),
                ("rises", slot.rises, 3),
                ("fell", slot.fell, 2),
                ("rose", slot.rose, 2),
            ] {
                if let Some(hook) = hook {
                    named(key, hook, &params[..count], of);
                }
            }
        }
    }
    all
}

/// Of each function that phases and slots name, whose scripts may have their own, by name.
pub fn whose<'a>(rules: &Rules, hooks: &'a [HookEntry]) -> BTreeMap<&'a str, BTreeSet<ScriptOf>> {
    let mut whose: BTreeMap<&str, BTreeSet<ScriptOf>> = BTreeMap::new();
    for named in called_by_name(&rules.phases, &rules.slots) {
        let name = &hooks[named.hook.0 as usize].name;
        whose.entry(name).or_default().insert(named.of);
    }
    whose
}

/// Returns the value of the outermost definition of a declaration; callers know that there is one.
fn declared(
    loading: &mut Loading<'_>,
    told: &dyn Fn(&Failure, &Program) -> Problem,
    script: usize,
    function: &str,
) -> Result<ValueView, Problems> {
    match loading.declared(script, function) {
        None => Ok(ValueView::Nothing),
        Some(Ok(view)) => Ok(view),
        Some(Err(failure)) => Err(told(&failure, &loading.program).into()),
    }
}

/// Stats and types of a game's pieces, and its kinds of terrain.
#[derive(Default)]
struct Kinds {
    stats: Vec<String>,
    flags: Vec<bool>,
    types: Vec<UnitType>,
    terrains: Vec<Terrain>,
}

/// Before a game is declared there is nothing.
pub fn no_rules(game: &str) -> Rules {
    Rules {
        game: game.to_owned(),
        factions: vec!["red".to_owned(), "blue".to_owned()],
        types: Vec::new(),
        terrains: Vec::new(),
        stats: Vec::new(),
        flags: Vec::new(),
        board: crate::kernel::grid::Grid::Hexes.rectangle(1, 1),
        ground: Arc::new(Places),
        plane: None,
        drawn_terrain: Vec::new(),
        stack: 1,
        relation: crate::kernel::rules::Relation::SamePlace,
        arbiter: 0,
        slots: Default::default(),
        phases: vec![Default::default()],
        hooks: KernelHooks::default(),
    }
}
