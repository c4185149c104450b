//! A loaded ruleset: one engine, one compiled set of functions, the declared data, and the table
//! that hooks act on. One thread has one host; nothing is shared between threads.

use super::api::{Api, Dispatch, Fault, Loaded, Members, Target, Way, Whose};
use super::compile::{self, NOTHING_WORDS};
use super::conflicts;
use super::debug::{self, Places};
use super::declare::{self, Dial, DialValue, StatsDeclared};
use super::engine;
use super::interpret::{Function, Interpreter};
use super::layers::{self, DECLARED, Layers, ScriptOf};
use super::lint::{self, Catalogue};
use super::lower::{self, Names};
use super::natives::{NATIVES, Native};
use super::parse::{At, FnDef, Parsed, Parser, Replacement, here};
use super::trace::{Level, LineOf, Trace};
use super::tweaks::{self, Register};
use super::value::{Kind, Value};
use super::workspace::Workspace;
use super::{failures, syntax};
use crate::kernel::dice::text_hash;
use crate::kernel::ids::Thing;
use crate::kernel::phase::{Next, Work};
use crate::kernel::rules::{HookId, KernelHooks, Rules, Terrain, UnitType};
use crate::kernel::table::{Halt, Table};
use crate::report::{Problem, Problems, Source, hint_for};
use rhai::{
    AST, Dynamic, Engine, EvalAltResult, Module, OptimizationLevel, Position, Scope, ScriptFuncDef, Shared,
};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// How many of the calls around a line that never ends are told.
const CALLS_TOLD: usize = 4;
/// How often a line is met on the way to the deepest call when it is part of a circle of calls.
const ROUNDS: usize = 3;

/// What a ruleset is loaded with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Dials that are turned, by name.
    pub dials: BTreeMap<String, DialValue>,
    /// Variants that are on, besides those that the game has adopted.
    pub variants: Vec<String>,
    /// Variants that are off although the game has adopted them.
    pub without: Vec<String>,
    /// The text of the scratch layer, which lies over everything else; see [`layers::SCRATCH`].
    pub scratch: Option<String>,
    /// An order in which variants are laid in place of the canonical one, innermost first; for those
    /// who study whether it matters.
    pub order: Vec<String>,
    /// Whether runs can be traced; such a ruleset is interpreted, and slow.
    pub traced: bool,
    /// Whether scripts are taken as they are, without looking for calls that cannot be meant.
    pub unlinted: bool,
}

impl Options {
    /// The variants with a script that are on under a register, and every dial that is turned: by
    /// a tweak without a script, or by name, which wins.
    ///
    /// # Errors
    ///
    /// Names that no tweak has.
    fn resolve(&self, register: &Register, scripts: &[String]) -> Result<Resolved, Problems> {
        let known = || scripts.iter().chain(register.entries.keys()).map(String::as_str);
        let mut problems = Vec::new();
        for name in self.variants.iter().chain(&self.without) {
            if !known().any(|k| k == name) {
                let problem = Problem::new(format!("there is no variant `{name}`"));
                problems.push(problem.hint(hint_for(name, known())));
            }
        }
        Problems::check(std::mem::take(&mut problems))?;
        let on: BTreeSet<&str> = register
            .adopted()
            .filter(|name| !self.without.iter().any(|w| w == name))
            .chain(self.variants.iter().map(String::as_str))
            .collect();
        let mut resolved = Resolved::default();
        for name in on {
            match register.dial(name) {
                Some((dial, value)) => {
                    if !self.dials.contains_key(&dial) {
                        resolved.turned_by.insert(dial.clone(), name.to_owned());
                    }
                    let other = resolved.dials.insert(dial.clone(), value.clone());
                    let by_hand = self.dials.contains_key(&dial);
                    if let Some(other) = other.filter(|o| *o != value && !by_hand) {
                        let why = format!("`{name}` turns `{dial}` to {value}, and another tweak to {other}");
                        let problem =
                            Problem::new(why).hint("take one of them off, or turn the dial by name");
                        problems.push(match register.place_of(name) {
                            Some((source, span)) => problem.at(&source, span),
                            None => problem,
                        });
                    }
                }
                None => resolved.variants.push(name.to_owned()),
            }
        }
        Problems::check(problems)?;
        resolved
            .dials
            .extend(self.dials.iter().map(|(n, v)| (n.clone(), v.clone())));
        Ok(resolved)
    }
}

#[derive(Default)]
struct Resolved {
    variants: Vec<String>,
    dials: BTreeMap<String, DialValue>,
    /// The dials that tweaks turn, each with the tweak.
    turned_by: BTreeMap<String, String>,
}

impl Resolved {
    /// What is wrong with a dial that a tweak turns is told at the tweak.
    fn at_tweaks(&self, mut problems: Vec<Problem>, register: &Register) -> Vec<Problem> {
        for problem in problems.iter_mut().filter(|p| p.place.is_none()) {
            let mut tweaks = self.turned_by.iter();
            let tweak = tweaks.find(|(dial, _)| problem.message.contains(&format!("`{dial}`")));
            let place = tweak.and_then(|(_, tweak)| register.place_of(tweak));
            if let Some((source, span)) = place {
                *problem = problem.clone().at(&source, span);
            }
        }
        problems
    }
}

/// A loaded ruleset. See the module's comment.
pub struct Host {
    interpreter: Rc<Interpreter>,
    by_compiled_name: HashMap<String, usize>,
    /// The texts and which of their functions are in force.
    pub layers: Layers,
    api: Api,
    parser: Parser,
    catalogue: Catalogue,
    /// Where statements are, once somebody asks.
    places: OnceCell<Rc<Places>>,
    /// The table that hooks act on.
    pub table: Rc<RefCell<Table>>,
    /// The declared data.
    pub rules: Rc<Rules>,
    /// The dials, by name.
    pub dials: Vec<Dial>,
    /// What it was loaded with.
    pub options: Options,
}

/// Why a step did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// A question waits for its answer.
    Waiting,
    /// A stored answer does not fit: why.
    Diverged(String),
    /// The rules failed.
    Failed(Box<Problem>),
}

impl Host {
    /// Loads a game: compiles its scripts, reads what they declare, and checks all of it.
    ///
    /// # Errors
    ///
    /// Every problem that could be found at once.
    pub fn load(workspace: &Workspace, game: &str, options: &Options) -> Result<Self, Problems> {
        workspace.check_game(game)?;
        let mut found = Vec::new();
        // What is wrong with one part does not keep the others from being looked at; but nothing is
        // told that only follows from something else.
        let register = Register::read(workspace, game).unwrap_or_else(|problems| {
            found.extend(problems.0);
            Register::default()
        });
        let scripts = tweaks::names(workspace, game);
        let resolved = options.resolve(&register, &scripts).unwrap_or_else(|problems| {
            if found.is_empty() {
                found.extend(problems.0);
            }
            Resolved {
                variants: options
                    .variants
                    .iter()
                    .filter(|v| scripts.contains(v))
                    .cloned()
                    .collect(),
                ..Resolved::default()
            }
        });
        let table = Rc::new(RefCell::new(Table::new(Rc::new(no_rules(game)))));
        let api = Api::new(Rc::clone(&table));
        let mut engine = engine::new();
        api.register(&mut engine);
        if options.traced {
            // A condition on a dial is known at load; its line counts all the same.
            engine.set_optimization_level(OptimizationLevel::None);
        }
        let parser = Parser::default();
        parser.attach(&mut engine);

        let layers = Layers::read(
            workspace,
            game,
            &layers::Wanted {
                variants: &resolved.variants,
                scratch: options.scratch.as_deref(),
                order: &options.order,
                checked: !options.unlinted,
            },
            &engine,
            &parser,
            &mut found,
        );
        let Some(layers) = layers else {
            return Err(in_reading_order(found, &[]));
        };
        let in_order = |found| Err(in_reading_order(found, &layers.texts));
        if layers.declarations_are_broken() {
            lint_all(&layers, &Catalogue::of(&engine), false, &mut found);
            return in_order(found);
        }
        let mut about_dials = Vec::new();
        let dials = compile::read_dials(&engine, &parser, &layers, &resolved.dials, &mut about_dials);
        found.extend(resolved.at_tweaks(about_dials, &register));
        let Some(dials) = dials else {
            lint_all(&layers, &Catalogue::of(&engine), false, &mut found);
            return in_order(found);
        };
        engine.set_strict_variables(true);
        let before = found.len();
        let compiled = compile::compile(&engine, &parser, &layers, &dials, &mut found);
        engine.set_strict_variables(false);
        let in_declarations = found[before..].iter().any(|p| layers.is_in_declaration(p));
        let Some(compiled) = compiled.filter(|_| !in_declarations) else {
            lint_all(&layers, &Catalogue::of(&engine), false, &mut found);
            return in_order(found);
        };

        let hook_names = compile::hook_names(&layers);
        let functions = compile::list_functions(&layers, &compiled);
        let by_compiled_name: HashMap<String, usize> = functions
            .iter()
            .enumerate()
            .map(|(i, f)| (f.def.name.to_string(), i))
            .collect();
        let mut dispatch = compile::dispatch(&layers, &hook_names, &functions, &by_compiled_name);
        if options.traced {
            // What does nothing is called all the same: its lines count.
            dispatch.targets_mut().for_each(|t| t.idle = false);
        }
        let no_rules = Rc::clone(&table.borrow().rules);
        let lib = compiled.shared_lib().clone();
        let mut host = Self {
            catalogue: Catalogue::of(&engine),
            layers,
            interpreter: Rc::new(Interpreter::new(engine, functions, lib)),
            by_compiled_name,
            api,
            parser,
            places: OnceCell::new(),
            rules: no_rules,
            table: Rc::clone(&table),
            dials,
            options: options.clone(),
        };
        let rules = match host.declare(game, &hook_names, &dispatch) {
            Ok(rules) => Some(Rc::new(rules)),
            Err(problems) => {
                found.extend(problems.0);
                None
            }
        };
        match rules {
            Some(rules) if found.is_empty() => {
                host.rules = rules;
                host.complete(dispatch)
            }
            rules => {
                let declared = rules.is_some();
                if let (Some(rules), Some(interpreter)) = (rules, Rc::get_mut(&mut host.interpreter)) {
                    host.api.register_members(&mut interpreter.engine, &rules);
                    host.catalogue = Catalogue::of(&interpreter.engine);
                }
                if !options.unlinted {
                    lint_all(&host.layers, &host.catalogue, declared, &mut found);
                }
                Err(in_reading_order(found, &host.layers.texts))
            }
        }
    }

    /// The ruleset is declared: offers scripts what its declarations name, checks the scripts'
    /// calls, and lowers their functions.
    fn complete(mut self, mut dispatch: Dispatch) -> Result<Self, Problems> {
        let rules = Rc::clone(&self.rules);
        let interpreter = Rc::into_inner(self.interpreter);
        // Nobody else holds the interpreter before it is complete.
        let Some(Interpreter {
            mut engine,
            functions,
            lib,
            ..
        }) = interpreter
        else {
            return Err(Problem::new("the rules are in use while they are loaded").into());
        };
        self.api.register_members(&mut engine, &rules);
        let mut hooks = HashMap::new();
        let lib = if self.options.traced {
            trace_calls(&self.api, &self.layers, &mut engine, &functions, &lib)
        } else {
            lib
        };
        for (index, entry) in dispatch.hooks.iter().enumerate() {
            if entry.redefined() {
                let hook = HookId(index as u16);
                self.api
                    .register_hook(&mut engine, hook, &entry.name, entry.arity);
                hooks.insert(entry.name.clone(), (hook, entry.arity));
            }
        }
        self.catalogue = Catalogue::of(&engine);
        // Scripts reach the game's other functions by their compiled names; users say the plain ones.
        for (index, entry) in dispatch.hooks.iter().enumerate() {
            if !hooks.contains_key(&entry.name) {
                let hook = HookId(index as u16);
                self.api
                    .register_hook(&mut engine, hook, &entry.name, entry.arity);
            }
        }
        // A new interpreter: nothing that was cached before the engine changed may be used.
        self.interpreter = Rc::new(Interpreter::new(engine, functions, lib));
        self.api.set_interpreter(&self.interpreter);
        if !self.options.unlinted {
            let mut found = Vec::new();
            lint_all(&self.layers, &self.catalogue, true, &mut found);
            if !found.is_empty() {
                return Err(in_reading_order(found, &self.layers.texts));
            }
        }
        let mut table = Table::new(rules);
        // First of all, so that they are the same in a traced twin, which knows fewer constants.
        let travel = (table.words.intern("move"), table.words.intern("stay"));
        let members = Members::of(&self.rules);
        let names = Names {
            functions: &self.by_compiled_name,
            bodies: &self.interpreter.functions,
            hooks: &hooks,
            members: &members,
        };
        for target in dispatch.targets_mut() {
            let function = &self.interpreter.functions[target.index];
            target.way = match names.constant(function, &mut table.words) {
                Some(value) => Way::Constant(value),
                None => names.forwards(function).map_or(Way::Script, Way::Native),
            };
        }
        let program = lower::lower(&names, &mut table.words, &mut self.api.lists().borrow_mut());
        *self.table.borrow_mut() = table;
        self.api.set_loaded(Loaded {
            dispatch,
            members,
            program,
            travel,
        });
        if self.options.traced {
            self.api.set_lowering(false);
        }
        Ok(self)
    }

    /// The name of a hook, as scripts define it.
    pub fn hook_name(&self, hook: HookId) -> String {
        let entry = self.api.loaded().dispatch.hooks.get(hook.0 as usize);
        entry.map_or_else(String::new, |e| e.name.clone())
    }

    /// The ruleset's functions.
    pub fn functions(&self) -> &[Function] {
        &self.interpreter.functions
    }

    /// Notes what happens from here on, in a ruleset that was loaded to be traced.
    pub fn start_trace(&self, level: Level) {
        self.api.start_trace(level);
    }

    /// What was noted since [`Self::start_trace`].
    pub fn take_trace(&self) -> Option<Trace> {
        self.api.take_trace()
    }

    /// A stable number over the texts of the ruleset and its dials, as 8 hexadecimal digits: rules with
    /// the same fingerprint are the same.
    pub fn fingerprint(&self) -> String {
        let texts = self.layers.texts.iter().map(|text| {
            let source = &text.parsed.source;
            format!("{} {:016x}\n", source.name, text_hash(&source.text))
        });
        let dials = self.dials.iter().map(|d| format!("{} = {}\n", d.name, d.value));
        let all: String = texts.chain(dials).collect();
        let hash = text_hash(&all);
        format!("{:08x}", (hash >> 32) as u32 ^ hash as u32)
    }

    /// Whether rules run as lowered code (the default) or in the interpreter alone. Both do the same.
    pub fn set_lowering(&self, on: bool) {
        self.api.set_lowering(on);
    }

    /// The functions that are not lowered, as `script: function`.
    pub fn interpreted(&self) -> Vec<String> {
        let program = &self.api.loaded().program;
        let functions = self.interpreter.functions.iter().enumerate();
        functions
            .filter(|(index, f)| !program.is_lowered(*index) && !DECLARED.contains(&f.name.as_str()))
            .map(|(_, f)| format!("{}: {}", self.source_of(f).name, f.name))
            .collect()
    }

    fn declare(&self, game: &str, hook_names: &[String], dispatch: &Dispatch) -> Result<Rules, Problems> {
        let hook = |name: &str| {
            hook_names
                .iter()
                .position(|h| h == name)
                .map(|i| HookId(i as u16))
        };
        let layers = &self.layers;
        for needed in ["board", "phases"] {
            if layers.top(0, needed).is_none() {
                let file = &layers.texts[0].parsed.source.name;
                return Err(Problem::new(format!("{file} has no `{needed}()`"))
                    .hint("a game declares at least board() and phases()")
                    .into());
            }
        }
        let mut problems = Vec::new();
        let mut reader = layers.reader(0, "board");
        let board = reader.board(self.declared(0, "board")?);
        problems.append(&mut reader.problems);

        let Kinds {
            stats,
            flags,
            types,
            terrains,
        } = self.read_kinds(&mut problems)?;
        let zones: Vec<String> = board.board.zones.iter().map(|z| z.name.clone()).collect();
        let mut of_slots = layers.reader(0, "slots");
        let slots = match layers.top(0, "slots") {
            Some(_) => {
                let value = self.declared(0, "slots")?;
                of_slots.slots(value, &stats, &hook, hook_names)
            }
            None => Default::default(),
        };
        let mut reader = layers.reader(0, "phases");
        let phases = self.declared(0, "phases")?;
        let mut phases = reader.phases(phases, &zones, &slots, board.factions.len(), &hook, hook_names);
        problems.append(&mut reader.problems);

        for slot in slots
            .unit
            .iter()
            .chain(&slots.faction)
            .chain(&slots.place)
            .chain(&slots.game)
        {
            if let Some(lasts) = &slot.lasts
                && !phases.iter().any(|p| p.repeat && p.name == *lasts)
            {
                let repeating = phases.iter().filter(|p| p.repeat).map(|p| p.name.as_str());
                let hint = hint_for(lasts, repeating);
                of_slots.problem(
                    lasts,
                    format!("no repeating phase is called `{lasts}`"),
                    Some(hint),
                );
            }
        }
        problems.append(&mut of_slots.problems);
        declare::done(problems)?;

        for phase in &mut phases {
            if let Work::Each { hook, idle, .. } = &mut phase.work {
                let entry = &dispatch.hooks[hook.0 as usize];
                *idle = entry
                    .by_type
                    .iter()
                    .enumerate()
                    .filter(|(_, t)| t.idle)
                    .fold(0, |mask, (i, _)| mask | 1 << i);
            }
        }
        let kernel_hook = |name: &str| {
            hook(name).filter(|h| {
                let entry = &dispatch.hooks[h.0 as usize];
                !entry.game.idle || entry.own().any(|t| !t.idle)
            })
        };
        Ok(Rules {
            game: game.to_owned(),
            factions: board.factions,
            types,
            terrains,
            stats,
            flags,
            board: board.board,
            stack: board.stack,
            relation: board.relation,
            arbiter: board.arbiter,
            slots,
            phases,
            hooks: KernelHooks {
                may_enter: kernel_hook("may_enter"),
                may_join: kernel_hook("may_join"),
                may_leave: kernel_hook("may_leave"),
                becomes_engaged: kernel_hook("becomes_engaged"),
            },
        })
    }

    fn read_kinds(&self, problems: &mut Vec<Problem>) -> Result<Kinds, Problems> {
        // What each stat is where it is first declared: a flag or a number; so it is everywhere.
        let mut is_flag: BTreeMap<String, bool> = BTreeMap::new();
        let mut read = |script: usize| -> Result<_, Problems> {
            if self.layers.top(script, "stats").is_none() {
                return Ok(StatsDeclared::default());
            }
            let mut reader = self.layers.reader(script, "stats");
            let stats = reader.stats(self.declared(script, "stats")?);
            for (name, _) in &stats.numbers {
                let flag = stats.flags.contains(name);
                if *is_flag.entry(name.clone()).or_insert(flag) != flag {
                    let (here, there) = match flag {
                        true => ("true or false", "a number"),
                        false => ("a number", "true or false"),
                    };
                    let hint = "the same stat is of the same kind everywhere, so that rules can read it";
                    let message = format!("the stat `{name}` is {here} here and {there} in another script");
                    reader.problem(name, message, Some(hint.into()));
                }
            }
            problems.append(&mut reader.problems);
            Ok(stats)
        };
        let common = read(0)?.numbers;
        let mut names: Vec<String> = common.iter().map(|(n, _)| n.clone()).collect();
        let mut kinds = Vec::new();
        for (index, script) in self.layers.scripts.iter().enumerate().skip(1) {
            let own = read(index)?;
            for (name, _) in &own.numbers {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            let mut all = self.layers.common_stats(index, &common);
            all.extend(own.numbers);
            let symbol = own.symbol;
            let symbol = symbol.unwrap_or_else(|| script.name.chars().take(2).collect());
            kinds.push((script, symbol, own.colour, all));
        }
        names.sort();
        let mut found = Kinds::default();
        for (script, symbol, colour, own) in kinds {
            let name = script.name.clone();
            let stat = |stat: &String| {
                let start = *own.get(stat)?;
                let dial = self.dials.iter().find(|d| d.name == format!("{name}.{stat}"));
                match dial.map(|d| &d.value) {
                    Some(DialValue::Number(n)) => Some(*n),
                    _ => Some(start),
                }
            };
            let stats = names.iter().map(stat).collect();
            match script.of {
                ScriptOf::Terrain => found.terrains.push(Terrain {
                    name,
                    symbol,
                    colour,
                    stats,
                }),
                _ => found.types.push(UnitType { name, symbol, stats }),
            }
        }
        found.flags = names.iter().map(|name| is_flag[name]).collect();
        found.stats = names;
        Ok(found)
    }

    /// What the outermost definition of a declaration returns; callers know that there is one.
    fn declared(&self, script: usize, function: &str) -> Result<Dynamic, Problems> {
        let place = self.layers.top(script, function).map(|(place, _)| place);
        let index = place.and_then(|p| self.by_compiled_name.get(&Layers::compiled_name(p, function)));
        let Some(&index) = index else {
            return Ok(Dynamic::UNIT);
        };
        self.table.borrow_mut().read_only = true;
        let value = self.interpreter.call(index, Vec::new(), 0);
        self.table.borrow_mut().read_only = false;
        value.map_err(|error| self.problem(index, *error).into())
    }

    /// Calls a hook about a thing, and what follows from it. Belongs at the start of a step: where
    /// lowered code gives up, the step is taken back and run by the interpreter.
    pub fn call_hook(&self, hook: HookId, about: Thing) -> Result<Dynamic, Stop> {
        let said = self.with_fallback(|| self.table.borrow_mut().restart(), || self.hook(hook, about))?;
        Ok(match said {
            Value::Nothing => Dynamic::UNIT,
            said => self.api.dynamic(said),
        })
    }

    /// Runs rules; if lowered code gave up in it, makes it undone and runs it again interpreted.
    fn with_fallback<T>(&self, undo: impl FnOnce(), run: impl Fn() -> Result<T, Stop>) -> Result<T, Stop> {
        self.api.begin();
        let result = run();
        if !self.api.bailed() {
            return result;
        }
        undo();
        let hooks = self.table.borrow().hook_calls;
        self.api.begin();
        let was = self.api.set_lowering(false);
        let result = run();
        self.api.set_lowering(was);
        self.table.borrow_mut().hook_calls = hooks;
        // What fails in both is worth telling fast again; what only the interpreter can do is its own.
        let program = &self.api.loaded().program;
        if result.is_ok() {
            program.retire_bailed();
        }
        program.forget_bailed();
        result
    }

    fn hook(&self, hook: HookId, about: Thing) -> Result<Value, Stop> {
        let arg = match about {
            Thing::Game => None,
            Thing::Faction(f) => Some(Value::Faction(f)),
            Thing::Place(p) => Some(Value::Place(p)),
            Thing::Unit(u) => Some(Value::Unit(u)),
        };
        let whose = match about {
            Thing::Unit(u) => Whose::Type(self.table.borrow().world.unit(u).kind),
            Thing::Place(p) => self.api.whose(hook, Some(Value::Place(p))).map_err(|fault| {
                let why = match fault {
                    Fault::Rule(why) => String::from(why),
                    _ => "a place has terrain that cannot be asked".to_owned(),
                };
                Stop::Failed(Box::new(Problem::new(why)))
            })?,
            _ => Whose::Game,
        };
        let target = self.target(hook, whose);
        if target.idle {
            return Ok(match target.way {
                Way::Constant(value) => value,
                _ => Value::Nothing,
            });
        }
        let result = if self.api.lowering() {
            self.api
                .invoke(target, arg.as_slice())
                .map_err(|fault| match fault {
                    Fault::Script(error) => Some(error),
                    _ => None,
                })
        } else {
            self.table.borrow_mut().hook_calls += 1;
            let args: Vec<Dynamic> = arg.iter().map(|v| self.api.dynamic(*v)).collect();
            let said = self.api.traced(target.index, &args.clone(), || {
                self.interpreter.call(target.index, args, 0)
            });
            said.map(|said| self.api.value(&said)).map_err(Some)
        };
        // A script can swallow the error that unwinds a question; the table remembers.
        match self.table.borrow().halt() {
            Some(Halt::Waiting | Halt::Paused) => return Err(Stop::Waiting),
            Some(Halt::Diverged(why)) => return Err(Stop::Diverged(why.clone())),
            _ => {}
        }
        result.map_err(|error| {
            let problem = match error {
                Some(error) if runs_away(&error) => {
                    let recursion = matches!(*error, EvalAltResult::ErrorStackOverflow(_));
                    self.run_away(self.problem(target.index, *error), recursion)
                }
                Some(error) => self.problem(target.index, *error),
                // Lowered code has no words of its own: the step is run again.
                None => Problem::new("the step was given up"),
            };
            Stop::Failed(Box::new(problem))
        })
    }

    /// The problem of a step that never ends, at the line where it was stopped: Rhai tells only the
    /// outermost call, so the step is run once more, traced.
    fn run_away(&self, mut problem: Problem, recursion: bool) -> Problem {
        let mut lines = self.stopped_at().unwrap_or_default();
        if recursion {
            // Where it was stopped is chance; the lines that come again and again are the circle.
            let all = std::mem::take(&mut lines);
            for line in &all {
                let times = all.iter().filter(|l| *l == line).count();
                if times >= ROUNDS && !lines.contains(line) {
                    lines.push(*line);
                }
            }
        }
        let place = |(text, line): &LineOf| {
            let source = &self.layers.texts[*text].parsed.source;
            let whole = source.line_at(source.span_at(*line, 1).start);
            let blank = source.slice(whole.clone());
            let blank = blank.len() - blank.trim_start().len();
            let end = whole.start + source.slice(whole.clone()).trim_end().len();
            (Rc::clone(source), whole.start + blank..end)
        };
        let Some(innermost) = lines.first() else {
            return problem;
        };
        let (source, span) = place(innermost);
        let told = problem.place.as_ref();
        if told.is_some_and(|p| p.source.name == source.name && p.line_col().0 == innermost.1) {
            return problem;
        }
        problem.chain.clear();
        problem = problem.at(&source, span);
        let mut calls: Vec<&LineOf> = lines[1..].iter().collect();
        calls.dedup();
        for call in calls.into_iter().take(CALLS_TOLD) {
            let (source, span) = place(call);
            problem = problem.called_from(&source, span, None);
        }
        problem
    }

    /// The same ruleset, to be traced: from the texts as they were loaded and no other file, with
    /// the words and scripted rolls of this one's table, so that its positions can be laid on it.
    ///
    /// # Errors
    ///
    /// None that is known: what was loaded once loads again.
    pub fn traced_twin(&self) -> Result<Self, Problems> {
        let texts = self.layers.texts.iter().map(|t| &t.parsed.source);
        let texts = texts.map(|s| (s.name.clone(), s.text.clone())).collect();
        let nowhere = Workspace::Folder("\0".into()).with(texts);
        let dials = self.dials.iter();
        let options = Options {
            dials: dials.map(|d| (d.name.clone(), d.value.clone())).collect(),
            variants: self
                .layers
                .variants()
                .map(|(name, _)| name.to_owned())
                .filter(|name| name != layers::SCRATCH)
                .collect(),
            without: Vec::new(),
            scratch: self.options.scratch.clone(),
            order: self.options.order.clone(),
            traced: true,
            unlinted: true,
        };
        let twin = Self::load(&nowhere, &self.rules.game, &options)?;
        if let Ok(own) = self.table.try_borrow() {
            // Words that were met in play come after those that both met at load.
            let mut table = twin.table.borrow_mut();
            table.words = own.words.clone();
            table.scripted_rolls = Rc::clone(&own.scripted_rolls);
        }
        Ok(twin)
    }

    /// The lines that run when the current step is stopped, innermost first; `None` when it is not
    /// stopped once more.
    fn stopped_at(&self) -> Option<Vec<LineOf>> {
        if self.options.traced {
            return None;
        }
        let twin = self.traced_twin().ok()?;
        let position = self.table.try_borrow().ok()?.position();
        twin.table.borrow_mut().load(&position);
        twin.start_trace(Level::Lines);
        let stop = match position.next {
            Next::Step { hook, about } => twin.call_hook(hook, about).err()?,
            Next::Close => twin.close().err()?,
            _ => return None,
        };
        let trace = twin.take_trace()?;
        matches!(stop, Stop::Failed(_)).then_some(trace.failed)
    }

    /// Asks a hook by name about a thing, reading only; `None` when the game has no such hook.
    pub fn ask(&self, name: &str, about: Thing) -> Option<Result<Dynamic, Problem>> {
        let hooks = &self.api.loaded().dispatch.hooks;
        let hook = HookId(hooks.iter().position(|h| h.name == name)? as u16);
        let was = std::mem::replace(&mut self.table.borrow_mut().read_only, true);
        // It changes nothing, so there is nothing to undo; the world may be another than the step's.
        let answer = self.with_fallback(|| {}, || self.hook(hook, about));
        self.table.borrow_mut().read_only = was;
        let answer = answer.map(|said| self.api.dynamic(said));
        Some(answer.map_err(|stop| match stop {
            Stop::Failed(problem) => *problem,
            Stop::Waiting => Problem::new(format!("`{name}` asks a question; it may only look")),
            Stop::Diverged(why) => Problem::new(why),
        }))
    }

    fn target(&self, hook: HookId, whose: Whose) -> &Target {
        self.api.loaded().dispatch.target(hook, whose)
    }

    /// Applies what a simultaneous phase gathered, then what follows from it as further batches.
    /// What cannot both happen is asked of the faction that the game names.
    pub fn close(&self) -> Result<(), Stop> {
        self.with_fallback(|| self.table.borrow_mut().restart(), || self.close_once())
    }

    fn close_once(&self) -> Result<(), Stop> {
        loop {
            let batch = {
                let mut table = self.table.borrow_mut();
                let batch = table.begin_apply();
                let batch = conflicts::settle(&mut table, batch).map_err(|h| self.stopped(h))?;
                for gathered in &batch {
                    let before = table.events.len();
                    table
                        .perform(gathered.effect, gathered.cause)
                        .map_err(|h| self.stopped(h))?;
                    let made = before..table.events.len();
                    self.api
                        .trace(|t| t.applied(gathered.effect, gathered.cause, gathered.group, made));
                }
                table.gather_again();
                std::mem::take(&mut table.due)
            };
            if batch.is_empty() {
                break;
            }
            for due in batch {
                self.table.borrow_mut().next_group(Thing::Unit(due.unit));
                self.hook(due.hook, Thing::Unit(due.unit))?;
            }
        }
        self.table.borrow_mut().end_apply();
        Ok(())
    }

    /// A halt of the kernel as the reason why a step stopped.
    pub fn stopped(&self, halt: Halt) -> Stop {
        match halt {
            Halt::Waiting | Halt::Paused => Stop::Waiting,
            Halt::Diverged(why) => Stop::Diverged(why),
            Halt::Rule(message) => Stop::Failed(Box::new(Problem::new(message))),
        }
    }

    /// Evaluates an expression of a user on the live position, which it can only read.
    pub fn evaluate(&self, source: &Rc<Source>) -> Result<Dynamic, Problem> {
        self.evaluate_with(source, HashMap::new(), |_| {})
    }

    /// The same with tokens replaced, and with further variables.
    ///
    /// # Errors
    ///
    /// What is wrong with the expression, at its place.
    pub(super) fn evaluate_with(
        &self,
        source: &Rc<Source>,
        replace: HashMap<At, Replacement>,
        add: impl FnOnce(&mut Scope<'static>),
    ) -> Result<Dynamic, Problem> {
        let engine = &self.interpreter.engine;
        let ast = self
            .parser
            .compile(engine, &source.text, replace)
            .map_err(|e| syntax::problem(source, &e))?;
        let mut scope = self.names_in_scope();
        add(&mut scope);
        self.table.borrow_mut().read_only = true;
        let functions = AST::new([], self.interpreter.lib.clone());
        let whole = functions.merge(&ast);
        self.api.begin();
        let was = self.api.set_lowering(false);
        let result = engine.eval_ast_with_scope::<Dynamic>(&mut scope, &whole);
        self.api.set_lowering(was);
        self.table.borrow_mut().read_only = false;
        result.map_err(|error| {
            let at = here(error.position());
            let span = source.span_at(at.0, at.1.max(1));
            let (message, hint) = self.message(&error);
            let problem = Problem::new(message).at(source, span);
            match hint {
                Some(hint) => problem.hint(hint),
                None => problem,
            }
        })
    }

    /// What is wrong with an expression of a user, as far as it can be told without a position.
    pub fn check_expression(&self, source: &Rc<Source>) -> Vec<Problem> {
        let engine = &self.interpreter.engine;
        let ast = match engine.compile(&source.text) {
            Ok(ast) => ast,
            Err(error) => return vec![syntax::problem(source, &error)],
        };
        let parsed = Parsed::expression(source, ast);
        let keys = self.layers.texts.iter().flat_map(|t| &t.parsed.map_keys);
        let keys: BTreeSet<&str> = keys.chain(&parsed.map_keys).map(String::as_str).collect();
        let visible = |_: At| self.layers.functions(0).collect();
        let nothing = BTreeSet::new();
        let mut found = lint::calls(&parsed, Some(&keys), &nothing, &visible, &self.catalogue, &|_| {
            None
        });
        let scope = self.names_in_scope();
        let own: Vec<&str> = parsed.let_names((1, 1)).collect();
        for used in &parsed.free_names {
            if scope.contains(&used.name) || own.contains(&used.name.as_str()) {
                continue;
            }
            let name = used.name.clone();
            let (message, hint) = self.message(&EvalAltResult::ErrorVariableNotFound(name, Position::NONE));
            let problem = Problem::new(message).at(source, source.span_at(used.at.0, used.at.1));
            found.push(match hint {
                Some(hint) => problem.hint(hint),
                None => problem,
            });
        }
        found
    }

    /// An expression as it was read.
    pub(super) fn parse(&self, source: &Rc<Source>) -> Result<Parsed, Problem> {
        let ast = self.interpreter.engine.compile(&source.text);
        ast.map(|ast| Parsed::expression(source, ast))
            .map_err(|e| syntax::problem(source, &e))
    }

    pub(super) fn api(&self) -> &Api {
        &self.api
    }

    /// Where the statements of the ruleset's functions are.
    pub fn places(&self) -> &Rc<Places> {
        let of = || Rc::new(Places::of(self.functions(), &self.interpreter.lib));
        self.places.get_or_init(of)
    }

    fn source_of(&self, function: &Function) -> &Rc<Source> {
        &self.layers.texts[function.text].parsed.source
    }

    /// What scripts may say without declaring it: the words for nothing, and the game's dials.
    fn names_in_scope(&self) -> Scope<'static> {
        let mut scope = Scope::new();
        for word in NOTHING_WORDS {
            scope.push_constant(word, ());
        }
        let types: Vec<&str> = self.rules.types.iter().map(|t| t.name.as_str()).collect();
        for dial in &self.dials {
            if dial
                .name
                .split_once('.')
                .is_some_and(|(of, _)| types.contains(&of))
            {
                continue;
            }
            let name = dial.name.replace('.', "_");
            match &dial.value {
                DialValue::Number(n) => scope.push_constant(name, *n),
                DialValue::Word(w) => scope.push_constant(name, w.clone()),
            };
        }
        scope
    }

    /// The functions that an expression can call, by name; some may stand there twice.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        let hooks = self.api.loaded().dispatch.hooks.iter();
        self.catalogue
            .function_names()
            .chain(hooks.map(|h| h.name.as_str()))
    }

    /// The names that an expression can use: functions and properties.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.function_names().chain(self.catalogue.property_names())
    }

    /// The dials that an expression can read, by the names that it reads them by.
    pub fn names_of_dials(&self) -> Vec<String> {
        let scope = self.names_in_scope();
        scope.iter().map(|(name, _, _)| name.to_owned()).collect()
    }

    /// What can stand behind the dot after a value of this kind: properties, and functions that take
    /// such a value first; of every kind without one. Sorted, each once.
    pub fn members(&self, kind: Option<Kind>) -> Vec<String> {
        let fits = Kind::has_members;
        let all = self.api.loaded().members.iter();
        let properties = all.filter(|(_, member)| match kind {
            Some(kind) => member.get[kind as usize].is_some(),
            None => member.get.iter().any(Option::is_some),
        });
        let mut names: BTreeSet<String> = properties.map(|(name, _)| name.to_owned()).collect();
        match kind {
            // Rhai's own types.
            Some(kind) if !fits(kind) => {
                let wanted = kind.rust_type();
                names.extend(self.interpreter.engine.collect_fn_metadata(
                    None,
                    |info| {
                        let first = info.metadata.param_types.first().copied();
                        (first.is_some() && first == wanted).then(|| info.metadata.name.to_string())
                    },
                    true,
                ));
                names.retain(|n| n.starts_with(char::is_alphabetic) && !n.contains('$'));
            }
            _ => {
                let takes = |native: &&Native| {
                    let first = native.params.first().map(|(_, first)| *first);
                    first.is_some_and(|first| match kind {
                        Some(kind) => first == kind,
                        None => Kind::has_members(first),
                    })
                };
                names.extend(NATIVES.iter().filter(takes).map(|n| n.name.to_owned()));
            }
        }
        names.into_iter().collect()
    }

    /// The kind of a value that an expression came to.
    pub fn kind_of(&self, value: &Dynamic) -> Kind {
        let known = |kind: &Kind| *kind != Kind::Any && kind.rust_type() == Some(value.type_id());
        Kind::ALL.into_iter().find(known).unwrap_or(Kind::Foreign)
    }

    /// Whether a function of that name is the kernel's own.
    pub fn is_native(&self, name: &str) -> bool {
        NATIVES.iter().any(|n| n.name == name)
    }

    /// The names of the parameters of each function of that name: the script's, or the kernel's.
    pub fn parameters(&self, name: &str) -> Vec<Vec<String>> {
        let scripted = self.functions().iter().filter(|f| f.name == name);
        let scripted: BTreeSet<Vec<String>> = scripted
            .map(|f| f.def.params.iter().map(ToString::to_string).collect())
            .collect();
        let natives = NATIVES.iter().filter(|n| n.name == name);
        let natives = natives.map(|n| n.params.iter().map(|(name, _)| (*name).to_owned()).collect());
        scripted.into_iter().chain(natives).collect()
    }

    /// A value as users read it: things by their names, sets as lists.
    pub fn value_text(&self, value: &Dynamic) -> String {
        super::value::text_of(&self.table.borrow(), value)
    }

    /// Turns an error of a script into a problem at its place, with the calls that led there.
    fn problem(&self, function: usize, error: EvalAltResult) -> Problem {
        let mut current = function;
        let mut calls: Vec<(usize, Position)> = Vec::new();
        let mut error = error;
        loop {
            match error {
                EvalAltResult::ErrorInFunctionCall(name, _, inner, at) => {
                    calls.push((current, at));
                    if let Some(&index) = self.by_compiled_name.get(name.as_str()) {
                        current = index;
                    }
                    error = *inner;
                }
                other => {
                    error = other;
                    break;
                }
            }
        }
        let (message, hint) = self.message(&error);
        let at = here(error.position());
        let mut problem = Problem::new(message);
        let source = self.source_of(&self.interpreter.functions[current]);
        if at.0 > 0 {
            problem = problem.at(source, source.span_at(at.0, at.1.max(1)));
        } else if let Some(def) = body_position(&self.interpreter.functions[current].def) {
            problem = problem.at(source, source.span_at(def.0, def.1.max(1)));
        }
        if let Some(hint) = hint {
            problem = problem.hint(hint);
        }
        for (index, at) in calls.into_iter().rev() {
            let at = here(at);
            if at.0 == 0 {
                continue;
            }
            let function = &self.interpreter.functions[index];
            let source = self.source_of(function);
            let note = Some(format!("in `{}`", function.name));
            problem = problem.called_from(source, source.span_at(at.0, at.1.max(1)), note);
        }
        problem
    }

    /// What an error says, in a designer's words, and what may help.
    fn message(&self, error: &EvalAltResult) -> (String, Option<String>) {
        let functions = self.interpreter.functions.iter();
        let known = failures::Known {
            catalogue: Some(&self.catalogue),
            names: self
                .dials
                .iter()
                .map(|d| d.name.as_str())
                .chain(self.names())
                .collect(),
            functions: functions
                .map(|f| {
                    let params: Vec<&str> = f.def.params.iter().map(|p| p.as_str()).collect();
                    (f.def.name.as_str(), format!("{}({})", f.name, params.join(", ")))
                })
                .collect(),
        };
        failures::told(error, &known)
    }
}

/// What can be said of the calls of all texts without running them; of properties only when what
/// the game declares is known.
fn lint_all(layers: &Layers, catalogue: &Catalogue, declared: bool, found: &mut Vec<Problem>) {
    let keys = layers.texts.iter().flat_map(|t| &t.parsed.map_keys);
    let keys: BTreeSet<&str> = keys.map(String::as_str).collect();
    let lost: BTreeSet<&str> = layers.lost().collect();
    for (index, text) in layers.texts.iter().enumerate() {
        let base = |used: &super::parse::Use| {
            let (layer, place) = layers.around(index, used.at)?;
            let name = &layers.def(layer).name;
            match layers.below(place, name) {
                None if place.script == 0 && text.about.is_none() => {
                    Some("there is no layer below game.rhai for `base` to call".to_owned())
                }
                None => Some(format!("there is no `{name}` below for `base` to call")),
                Some((_, below)) => {
                    let (file, below) = (&layers.texts[below.text].parsed.source.name, layers.def(below));
                    (below.params.len() != used.args).then(|| {
                        format!(
                            "`base` is called with {} here; {file} has {}({})",
                            used.args,
                            below.name,
                            below.params.join(", ")
                        )
                    })
                }
            }
        };
        let visible = |at: At| -> Vec<&FnDef> {
            let script = layers.around(index, at).map_or(0, |(_, place)| place.script);
            let own = (script > 0).then(|| layers.functions(script));
            own.into_iter().flatten().chain(layers.functions(0)).collect()
        };
        let keys = declared.then_some(&keys);
        found.extend(lint::calls(&text.parsed, keys, &lost, &visible, catalogue, &base));
        if index > 0 && text.about.is_none() {
            let game: Vec<&FnDef> = layers.functions(0).collect();
            let called = layers.texts.iter().flat_map(|t| &t.parsed.calls);
            let called: BTreeSet<&str> = called
                .map(|c| c.name.as_str())
                .chain(lost.iter().copied())
                .collect();
            found.extend(lint::unused(&text.parsed, &game, &called, &DECLARED));
        }
    }
}

/// Problems in the order of the texts, those of one text from top to bottom, each once; those that
/// are nowhere come first.
fn in_reading_order(mut found: Vec<Problem>, texts: &[super::layers::Text]) -> Problems {
    found.sort_by_key(|problem| {
        let place = problem.place.as_ref()?;
        let name = &place.source.name;
        let text = texts.iter().position(|t| t.parsed.source.name == *name);
        // The register, and what else is no script, comes before the scripts.
        Some((text, name.clone(), place.span.start))
    });
    let mut told: Vec<Problem> = Vec::new();
    for problem in found {
        if !told.contains(&problem) {
            told.push(problem);
        }
    }
    Problems(told)
}

/// Whether an error stops what would never end.
fn runs_away(error: &EvalAltResult) -> bool {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => runs_away(inner),
        EvalAltResult::ErrorTooManyOperations(_)
        | EvalAltResult::ErrorTerminated(..)
        | EvalAltResult::ErrorStackOverflow(_)
        | EvalAltResult::ErrorDataTooLarge(..) => true,
        _ => false,
    }
}

/// Makes every call of a script function, and every line that runs, known to the trace. Returns
/// what Rhai itself still has to find: closures.
fn trace_calls(
    api: &Api,
    layers: &Layers,
    engine: &mut Engine,
    functions: &[Function],
    lib: &Shared<Module>,
) -> Shared<Module> {
    let mut closures = Module::new();
    for def in AST::new([], lib.clone()).iter_fn_def() {
        if !functions.iter().any(|f| f.def.name == def.name) {
            closures.set_script_fn(def.clone());
        }
    }
    for (index, function) in functions.iter().enumerate() {
        api.register_traced(engine, index, &function.def.name, function.def.params.len());
    }
    let origins = functions
        .iter()
        .map(|f| (f.text, layers.declared_at(f.place, &f.name).0));
    api.set_origins(origins.collect());
    let api = api.clone();
    #[allow(deprecated)] // marked so only because it may change; the rhai version is pinned
    engine.register_debugger(
        |_, debugger| debugger,
        move |context, event, node, _, at| {
            api.trace(|t| t.reach(here(at).0));
            debug::reach(&api, &context, event, &node)?;
            Ok(rhai::debugger::DebuggerCommand::StepInto)
        },
    );
    closures.into()
}

/// What a game's pieces and ground are made of.
#[derive(Default)]
struct Kinds {
    stats: Vec<String>,
    flags: Vec<bool>,
    types: Vec<UnitType>,
    terrains: Vec<Terrain>,
}

/// Before a game is declared there is nothing.
fn no_rules(game: &str) -> Rules {
    Rules {
        game: game.to_owned(),
        factions: vec!["red".to_owned(), "blue".to_owned()],
        types: Vec::new(),
        terrains: Vec::new(),
        stats: Vec::new(),
        flags: Vec::new(),
        board: crate::kernel::hex::rectangle(1, 1),
        stack: 1,
        relation: crate::kernel::engagement::Relation::SamePlace,
        arbiter: 0,
        slots: Default::default(),
        phases: vec![Default::default()],
        hooks: KernelHooks::default(),
    }
}

fn body_position(def: &ScriptFuncDef) -> Option<At> {
    let at = here(def.body.start_position());
    (at.0 > 0).then_some(at)
}
