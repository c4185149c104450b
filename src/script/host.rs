//! A loaded ruleset: one engine, one compiled set of functions, the declared data, and the table
//! that hooks act on. One thread has one host; nothing is shared between threads.

use super::api::{Api, Dispatch, Fault, HookEntry, Loaded, Members, Target, Way};
use super::conflicts;
use super::declare::{self, Dial, DialValue, Reader};
use super::engine;
use super::interpret::{Function, Interpreter};
use super::lint::{self, Catalogue};
use super::lower::{self, Names};
use super::parse::{At, FnDef, Parsed, Parser, Replacement, here};
use super::value::Value;
use super::workspace::Workspace;
use crate::kernel::ids::{FactionId, PlaceId, Thing, TypeId, UnitId};
use crate::kernel::phase::Work;
use crate::kernel::rules::{HookId, KernelHooks, Rules, UnitType};
use crate::kernel::table::{Halt, Table};
use crate::report::{Problem, Problems, Source, did_you_mean, hint_for};
use rhai::{
    AST, ASTNode, Dynamic, Engine, EvalAltResult, Expr, Module, Position, Scope, ScriptFuncDef, Shared, Stmt,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Functions that declare data; they are read at load and are no hooks.
const DECLARED: [&str; 5] = ["dials", "stats", "slots", "board", "phases"];

/// How many unit types a game can have: phases keep a mask of them.
const MAX_TYPES: usize = 64;

/// Names for the value that names nothing.
const NOTHING_WORDS: [&str; 3] = ["nobody", "nowhere", "nothing"];

/// What a ruleset is loaded with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Dials that are turned, by name.
    pub dials: BTreeMap<String, DialValue>,
    /// Variants that are on.
    pub variants: Vec<String>,
}

/// A loaded ruleset. See the module's comment.
pub struct Host {
    interpreter: Rc<Interpreter>,
    by_compiled_name: HashMap<String, usize>,
    sources: Vec<Rc<Source>>,
    api: Api,
    catalogue: Catalogue,
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

struct Script {
    /// `game`, or the unit type.
    name: String,
    parsed: Parsed,
}

impl Script {
    /// The prefix of its functions' compiled names.
    fn ident(&self) -> String {
        self.name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect()
    }

    fn compiled_name(&self, function: &str) -> String {
        format!("{}__{function}", self.ident())
    }
}

impl Host {
    /// Loads a game: compiles its scripts, reads what they declare, and checks all of it.
    ///
    /// # Errors
    ///
    /// Every problem that could be found at once.
    pub fn load(workspace: &Workspace, game: &str, options: &Options) -> Result<Self, Problems> {
        workspace.check_game(game)?;
        if let Some(variant) = options.variants.first() {
            let known = workspace.list(&format!("scripts/{game}/variants"), ".rhai");
            let known = known
                .iter()
                .filter_map(|p| p.rsplit('/').next()?.strip_suffix(".rhai"));
            return Err(Problem::new(format!("there is no variant `{variant}`"))
                .hint(hint_for(variant, known))
                .into());
        }
        let table = Rc::new(RefCell::new(Table::new(Rc::new(no_rules(game)))));
        let api = Api::new(Rc::clone(&table));
        let mut engine = engine::new();
        api.register(&mut engine);
        let parser = Parser::default();
        parser.attach(&mut engine);

        let scripts = read_scripts(workspace, game, &engine, &parser)?;
        let dials = read_dials(&engine, &scripts, options)?;
        engine.set_strict_variables(true);
        let compiled = compile(&engine, &parser, &scripts, &dials)?;
        engine.set_strict_variables(false);

        let hook_names: Vec<String> = scripts[0]
            .parsed
            .fns
            .iter()
            .map(|f| f.name.clone())
            .filter(|n| !DECLARED.contains(&n.as_str()))
            .collect();
        let functions = list_functions(&scripts, &compiled);
        let by_compiled_name: HashMap<String, usize> = functions
            .iter()
            .enumerate()
            .map(|(i, f)| (f.def.name.to_string(), i))
            .collect();
        let dispatch = dispatch(&scripts, &hook_names, &functions, &by_compiled_name);
        let no_rules = Rc::clone(&table.borrow().rules);
        let lib = compiled.shared_lib().clone();
        let mut host = Self {
            catalogue: Catalogue::of(&engine),
            sources: scripts.iter().map(|s| Rc::clone(&s.parsed.source)).collect(),
            interpreter: Rc::new(Interpreter::new(engine, functions, lib)),
            by_compiled_name,
            api,
            rules: no_rules,
            table: Rc::clone(&table),
            dials,
            options: options.clone(),
        };
        let rules = Rc::new(host.declare(game, &scripts, &hook_names, &dispatch)?);
        host.rules = Rc::clone(&rules);
        let host = host.complete(&scripts, dispatch)?;
        Ok(host)
    }

    /// The ruleset is declared: offers scripts what its declarations name, checks the scripts'
    /// calls, and lowers their functions.
    fn complete(mut self, scripts: &[Script], mut dispatch: Dispatch) -> Result<Self, Problems> {
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
        for (index, entry) in dispatch.hooks.iter().enumerate() {
            if entry.redefined() {
                let hook = HookId(index as u16);
                self.api
                    .register_hook(&mut engine, hook, &entry.name, entry.arity);
                hooks.insert(entry.name.clone(), (hook, entry.arity));
            }
        }
        self.catalogue = Catalogue::of(&engine);
        // A new interpreter: nothing that was cached before the engine changed may be used.
        self.interpreter = Rc::new(Interpreter::new(engine, functions, lib));
        self.api.set_interpreter(&self.interpreter);
        self.lint(scripts)?;
        let mut table = Table::new(rules);
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
        let travel = (table.words.intern("move"), table.words.intern("stay"));
        *self.table.borrow_mut() = table;
        self.api.set_loaded(Loaded {
            dispatch,
            members,
            program,
            travel,
        });
        Ok(self)
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
            .map(|(_, f)| format!("{}: {}", self.sources[f.script].name, f.name))
            .collect()
    }

    fn lint(&self, scripts: &[Script]) -> Result<(), Problems> {
        let game = &scripts[0].parsed.fns;
        let mut problems = Vec::new();
        for (index, script) in scripts.iter().enumerate() {
            let base = |used: &super::parse::Use| {
                let inside = function_around(&script.parsed.fns, used.at)?;
                let below = game.iter().find(|f| f.name == inside.name);
                match below {
                    _ if index == 0 => {
                        Some("there is no layer below game.rhai for `base` to call".to_owned())
                    }
                    None => Some(format!("game.rhai has no `{}` for `base` to call", inside.name)),
                    Some(f) if f.params.len() != used.args => Some(format!(
                        "`base` is called with {} here; game.rhai has {}({})",
                        used.args,
                        f.name,
                        f.params.join(", ")
                    )),
                    Some(_) => None,
                }
            };
            problems.extend(lint::calls(&script.parsed, game, &self.catalogue, &base));
            if index > 0 {
                problems.extend(lint::unused(&script.parsed, game, &DECLARED));
            }
        }
        Problems::check(problems)
    }

    fn declare(
        &self,
        game: &str,
        scripts: &[Script],
        hook_names: &[String],
        dispatch: &Dispatch,
    ) -> Result<Rules, Problems> {
        let hook = |name: &str| {
            hook_names
                .iter()
                .position(|h| h == name)
                .map(|i| HookId(i as u16))
        };
        let parsed = &scripts[0].parsed;
        for needed in ["board", "phases"] {
            if parsed.function(needed).is_none() {
                return Err(
                    Problem::new(format!("{} has no `{needed}()`", parsed.source.name))
                        .hint("a game declares at least board() and phases()")
                        .into(),
                );
            }
        }
        let mut problems = Vec::new();
        let mut reader = Reader::new(parsed, "board");
        let board = reader.board(self.declared(&scripts[0], "board")?);
        problems.append(&mut reader.problems);

        let (stats, types) = self.read_types(scripts, &mut problems)?;
        let zones: Vec<String> = board.board.zones.iter().map(|z| z.name.clone()).collect();
        let mut reader = Reader::new(parsed, "phases");
        let phases = self.declared(&scripts[0], "phases")?;
        let mut phases = reader.phases(phases, &zones, board.factions.len(), &hook, hook_names);
        problems.append(&mut reader.problems);

        let mut reader = Reader::new(parsed, "slots");
        let slots = match parsed.function("slots") {
            Some(_) => {
                let value = self.declared(&scripts[0], "slots")?;
                reader.slots(value, &stats, &hook, hook_names)
            }
            None => Default::default(),
        };
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
                reader.problem(
                    lasts,
                    format!("no repeating phase is called `{lasts}`"),
                    Some(hint),
                );
            }
        }
        problems.append(&mut reader.problems);
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
                !entry.game.idle || entry.by_type.iter().any(|t| !t.idle)
            })
        };
        Ok(Rules {
            game: game.to_owned(),
            factions: board.factions,
            types,
            stats,
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

    fn read_types(
        &self,
        scripts: &[Script],
        problems: &mut Vec<Problem>,
    ) -> Result<(Vec<String>, Vec<UnitType>), Problems> {
        let mut read = |script: &Script| -> Result<_, Problems> {
            if script.parsed.function("stats").is_none() {
                return Ok((Vec::new(), None));
            }
            let mut reader = Reader::new(&script.parsed, "stats");
            let stats = reader.stats(self.declared(script, "stats")?);
            problems.append(&mut reader.problems);
            Ok(stats)
        };
        let (common, _) = read(&scripts[0])?;
        let mut names: Vec<String> = common.iter().map(|(n, _)| n.clone()).collect();
        let mut types = Vec::new();
        for script in &scripts[1..] {
            let (own, symbol) = read(script)?;
            for (name, _) in &own {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            let mut all: BTreeMap<String, i64> = common.iter().cloned().collect();
            all.extend(own);
            let symbol = symbol.unwrap_or_else(|| script.name.chars().take(2).collect());
            types.push((script.name.clone(), symbol, all));
        }
        names.sort();
        let types = types
            .into_iter()
            .map(|(name, symbol, own)| UnitType {
                stats: names
                    .iter()
                    .map(|stat| {
                        let start = *own.get(stat)?;
                        let dial = self.dials.iter().find(|d| d.name == format!("{name}.{stat}"));
                        match dial.map(|d| &d.value) {
                            Some(DialValue::Number(n)) => Some(*n),
                            _ => Some(start),
                        }
                    })
                    .collect(),
                name,
                symbol,
            })
            .collect();
        Ok((names, types))
    }

    fn declared(&self, script: &Script, function: &str) -> Result<Dynamic, Problems> {
        let index = self.by_compiled_name[&script.compiled_name(function)];
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
        let kind = match about {
            Thing::Unit(u) => Some(self.table.borrow().world.unit(u).kind),
            _ => None,
        };
        let target = self.target(hook, kind);
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
            let args = arg.iter().map(|v| self.api.dynamic(*v)).collect();
            let said = self.interpreter.call(target.index, args, 0);
            said.map(|said| self.api.value(&said)).map_err(Some)
        };
        // A script can swallow the error that unwinds a question; the table remembers.
        match self.table.borrow().halt() {
            Some(Halt::Waiting) => return Err(Stop::Waiting),
            Some(Halt::Diverged(why)) => return Err(Stop::Diverged(why.clone())),
            _ => {}
        }
        result.map_err(|error| {
            let problem = match error {
                Some(error) => self.problem(target.index, *error),
                // Lowered code has no words of its own: the step is run again.
                None => Problem::new("the step was given up"),
            };
            Stop::Failed(Box::new(problem))
        })
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

    fn target(&self, hook: HookId, kind: Option<TypeId>) -> &Target {
        self.api.loaded().dispatch.target(hook, kind)
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
                    table
                        .perform(gathered.effect, gathered.cause)
                        .map_err(|h| self.stopped(h))?;
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
            Halt::Waiting => Stop::Waiting,
            Halt::Diverged(why) => Stop::Diverged(why),
            Halt::Rule(message) => Stop::Failed(Box::new(Problem::new(message))),
        }
    }

    /// Evaluates an expression of a user on the live position, which it can only read.
    pub fn evaluate(&self, source: &Rc<Source>) -> Result<Dynamic, Problem> {
        let engine = &self.interpreter.engine;
        let ast = engine
            .compile(&source.text)
            .map_err(|e| super::parse::syntax_problem(source, &e))?;
        self.table.borrow_mut().read_only = true;
        let functions = AST::new([], self.interpreter.lib.clone());
        let whole = functions.merge(&ast);
        self.api.begin();
        let was = self.api.set_lowering(false);
        let result = engine.eval_ast_with_scope::<Dynamic>(&mut self.names_in_scope(), &whole);
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

    /// The names that an expression can use: functions and properties.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.catalogue
            .function_names()
            .chain(self.catalogue.property_names())
    }

    /// A value as users read it: things by their names, sets as lists.
    pub fn value_text(&self, value: &Dynamic) -> String {
        let table = self.table.borrow();
        let rules = &table.rules;
        if let Some(unit) = value.read_lock::<UnitId>() {
            rules.unit_name(table.world.name(*unit))
        } else if let Some(place) = value.read_lock::<PlaceId>() {
            rules.board.name(*place).to_owned()
        } else if let Some(faction) = value.read_lock::<FactionId>() {
            rules.factions[faction.index()].clone()
        } else if let Some(kind) = value.read_lock::<TypeId>() {
            rules.types[kind.index()].name.clone()
        } else if let Some(set) = value.read_lock::<crate::kernel::ids::UnitSet>() {
            let names: Vec<String> = set.map(|u| rules.unit_name(table.world.name(u))).collect();
            format!("[{}]", names.join(", "))
        } else if let Some(set) = value.read_lock::<crate::kernel::ids::PlaceSet>() {
            let names: Vec<&str> = set.map(|p| rules.board.name(p)).collect();
            format!("[{}]", names.join(", "))
        } else if let Some(pool) = value.read_lock::<crate::kernel::dice::Pool>() {
            format!("dice {}", *pool)
        } else if let Some(array) = value.read_lock::<rhai::Array>() {
            drop(table);
            let items: Vec<String> = array.iter().map(|v| self.value_text(v)).collect();
            format!("[{}]", items.join(", "))
        } else if value.is_unit() {
            "nothing".to_owned()
        } else {
            value.to_string()
        }
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
        let source = &self.sources[self.interpreter.functions[current].script];
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
            let source = &self.sources[function.script];
            let note = Some(format!("in `{}`", function.name));
            problem = problem.called_from(source, source.span_at(at.0, at.1.max(1)), note);
        }
        problem
    }

    /// What an error says, in a designer's words, and what may help.
    fn message(&self, error: &EvalAltResult) -> (String, Option<String>) {
        let unmangle = |text: &str| {
            let mut text = text.to_owned();
            for function in &self.interpreter.functions {
                text = text.replace(function.def.name.as_str(), &function.name);
            }
            text.replace("rulebench::kernel::ids::", "")
                .replace("rulebench::kernel::dice::", "")
        };
        match error {
            EvalAltResult::ErrorTooManyOperations(_) | EvalAltResult::ErrorTerminated(..) => (
                format!("the step takes more than {} operations", engine::MAX_OPERATIONS),
                Some("does a loop never end?".to_owned()),
            ),
            EvalAltResult::ErrorStackOverflow(_) => (
                format!(
                    "functions call each other more than {} deep",
                    engine::MAX_CALL_LEVELS
                ),
                Some("does a function call itself for ever?".to_owned()),
            ),
            EvalAltResult::ErrorDataTooLarge(..) => (
                format!(
                    "a list, map or text becomes too large: at most {} items or {} letters",
                    engine::MAX_ARRAY,
                    engine::MAX_STRING
                ),
                Some("does a loop collect without end?".to_owned()),
            ),
            EvalAltResult::ErrorRuntime(value, _) => (value.to_string(), None),
            EvalAltResult::ErrorFunctionNotFound(signature, _) => {
                let signature = unmangle(signature);
                let name = signature.split([' ', '(']).next().unwrap_or_default().to_owned();
                let near = did_you_mean(&name, self.names());
                let message = if let Some(property) = name.strip_prefix("get$") {
                    format!("nothing here has a property `.{property}`")
                } else if let Some(property) = name.strip_prefix("set$") {
                    format!("the property `.{property}` cannot be changed")
                } else {
                    format!("no function fits `{signature}`")
                };
                (message, near.map(|n| format!("did you mean `{n}`?")))
            }
            EvalAltResult::ErrorVariableNotFound(name, _) => {
                let dials = self.dials.iter().map(|d| d.name.as_str());
                let near = did_you_mean(name, dials.chain(self.names()));
                (
                    format!("there is no `{name}`"),
                    near.map(|n| format!("did you mean `{n}`?")),
                )
            }
            EvalAltResult::ErrorPropertyNotFound(name, _) => {
                (format!("there is no property `.{name}` here"), None)
            }
            EvalAltResult::ErrorDotExpr(why, _) if !why.is_empty() => {
                let why = unmangle(why);
                let near = why
                    .split('\'')
                    .nth(1)
                    .and_then(|name| did_you_mean(name, self.catalogue.property_names()));
                (why, near.map(|n| format!("did you mean `.{n}`?")))
            }
            other => {
                let text = unmangle(&other.to_string());
                let text = text.split(" (line ").next().unwrap_or_default().to_owned();
                (text, None)
            }
        }
    }
}

/// Before a game is declared there is nothing.
fn no_rules(game: &str) -> Rules {
    Rules {
        game: game.to_owned(),
        factions: vec!["red".to_owned(), "blue".to_owned()],
        types: Vec::new(),
        stats: Vec::new(),
        board: crate::kernel::hex::rectangle(1, 1),
        stack: 1,
        relation: crate::kernel::engagement::Relation::SamePlace,
        arbiter: 0,
        slots: Default::default(),
        phases: vec![Default::default()],
        hooks: KernelHooks::default(),
    }
}

fn read_scripts(
    workspace: &Workspace,
    game: &str,
    engine: &Engine,
    parser: &Parser,
) -> Result<Vec<Script>, Problems> {
    let mut paths = vec![("game".to_owned(), format!("scripts/{game}/game.rhai"))];
    for path in workspace.list(&format!("units/{game}"), ".rhai") {
        let name = path.rsplit('/').next().and_then(|n| n.strip_suffix(".rhai"));
        paths.push((name.unwrap_or_default().to_owned(), path.clone()));
    }
    paths[1..].sort();
    if paths.len() > 1 + MAX_TYPES {
        let found = paths.len() - 1;
        return Err(Problem::new(format!("{game} has {found} unit types; {MAX_TYPES} is the most")).into());
    }
    Problems::collect(paths.into_iter().map(|(name, path)| {
        let source = workspace.read(&path)?;
        if source.text.trim().is_empty() {
            return Err(Problem::new(format!("{path} is empty")).into());
        }
        let plain = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-');
        if !plain || name.ends_with(|c: char| c.is_ascii_digit()) {
            return Err(Problem::new(format!(
                "a unit type's file is named in small letters, digits, - and _, without a digit at its end, not `{name}`"
            ))
            .into());
        }
        let parsed = parser.parse(engine, &source)?;
        Ok(Script { name, parsed })
    }))
}

fn read_dials(engine: &Engine, scripts: &[Script], options: &Options) -> Result<Vec<Dial>, Problems> {
    let mut dials: Vec<Dial> = Vec::new();
    let mut common: Vec<(String, i64)> = Vec::new();
    for (index, script) in scripts.iter().enumerate() {
        let prefix = if index == 0 {
            String::new()
        } else {
            format!("{}.", script.name)
        };
        // Functions are run as written here; they can only use what declarations may.
        let run = |function: &str| -> Result<Option<Dynamic>, Problems> {
            if script.parsed.function(function).is_none() {
                return Ok(None);
            }
            let result = engine.call_fn::<Dynamic>(&mut Scope::new(), &script.parsed.ast, function, ());
            result.map(Some).map_err(|error| {
                let source = &script.parsed.source;
                let mut inner = &*error;
                while let EvalAltResult::ErrorInFunctionCall(_, _, next, _) = inner {
                    inner = next;
                }
                let at = here(inner.position());
                let text = inner.to_string();
                let text = text.split(" (line ").next().unwrap_or_default().to_owned();
                Problem::new(text)
                    .at(source, source.span_at(at.0.max(1), at.1.max(1)))
                    .hint(format!(
                        "{function}() is read first: it can only use numbers, texts and other declarations"
                    ))
                    .into()
            })
        };
        if let Some(value) = run("dials")? {
            let mut reader = Reader::new(&script.parsed, "dials");
            dials.extend(reader.dials(value, &prefix));
            declare::done(reader.problems)?;
        }
        let own = match run("stats")? {
            Some(value) => {
                let mut reader = Reader::new(&script.parsed, "stats");
                let (own, _) = reader.stats(value);
                declare::done(reader.problems)?;
                own
            }
            None => Vec::new(),
        };
        if index == 0 {
            common = own;
        } else {
            let mut all: BTreeMap<String, i64> = common.iter().cloned().collect();
            all.extend(own);
            dials.extend(
                all.iter()
                    .map(|(stat, n)| declare::stat_dial(&script.name, stat, *n)),
            );
        }
    }
    dials.sort_by(|a, b| a.name.cmp(&b.name));
    let mut problems = Vec::new();
    for (name, value) in &options.dials {
        match dials.iter_mut().find(|d| d.name == *name) {
            Some(dial) => {
                if let Err(why) = dial.set(value) {
                    problems.push(Problem::new(why));
                }
            }
            None => {
                let hint = hint_for(name, dials.iter().map(|d| d.name.as_str()));
                problems.push(Problem::new(format!("there is no dial `{name}`")).hint(hint));
            }
        }
    }
    declare::done(problems)?;
    Ok(dials)
}

/// Compiles every script under its own names, with dials folded to their values.
fn compile(engine: &Engine, parser: &Parser, scripts: &[Script], dials: &[Dial]) -> Result<AST, Problems> {
    let game = &scripts[0];
    let redefined = |name: &str| scripts[1..].iter().any(|s| s.parsed.function(name).is_some());
    let mut whole = AST::empty();
    let mut problems = Vec::new();
    for script in scripts {
        let parsed = &script.parsed;
        let mut replace: HashMap<At, Replacement> = HashMap::new();
        for function in &parsed.fns {
            replace.insert(
                function.at,
                Replacement::Name(script.compiled_name(&function.name)),
            );
        }
        for used in &parsed.calls {
            let target = if used.name == "base" {
                function_around(&parsed.fns, used.at).map(|f| game.compiled_name(&f.name))
            } else if game.parsed.function(&used.name).is_some() {
                // A hook that unit types redefine keeps its plain name: a native function sends
                // the call to the right script.
                (!redefined(&used.name)).then(|| game.compiled_name(&used.name))
            } else {
                parsed
                    .function(&used.name)
                    .map(|_| script.compiled_name(&used.name))
            };
            if let Some(target) = target {
                replace.insert(used.at, Replacement::Name(target));
            }
        }
        for used in &parsed.free_names {
            if NOTHING_WORDS.contains(&used.name.as_str()) {
                replace.insert(used.at, Replacement::Nothing);
                continue;
            }
            let own = format!("{}.{}", script.name, used.name);
            let dial = dials.iter().find(|d| d.name == own).or_else(|| {
                dials.iter().find(|d| {
                    !scripts[1..]
                        .iter()
                        .any(|s| d.name.starts_with(&format!("{}.", s.name)))
                        && d.name.replace('.', "_") == used.name
                })
            });
            match dial.map(|d| &d.value) {
                Some(DialValue::Number(n)) => replace.insert(used.at, Replacement::Number(*n)),
                Some(DialValue::Word(w)) => replace.insert(used.at, Replacement::Text(w.clone())),
                None => continue,
            };
        }
        match parser.compile(engine, &parsed.source, replace) {
            Ok(ast) => whole = whole.merge(&ast),
            Err(mut found) => {
                for problem in &mut found.0 {
                    suggest_dial(problem, dials);
                }
                problems.extend(found.0);
            }
        }
    }
    declare::done(problems)?;
    Ok(whole)
}

fn suggest_dial(problem: &mut Problem, dials: &[Dial]) {
    let Some(place) = &problem.place else { return };
    let word = place.source.slice(place.span.clone()).to_owned();
    if let Some(near) = did_you_mean(&word, dials.iter().map(|d| d.name.as_str())) {
        problem.hint = Some(format!("did you mean the dial `{near}`?"));
    }
}

/// The function whose text a position lies in: the last that begins before it.
fn function_around(fns: &[FnDef], at: At) -> Option<&FnDef> {
    fns.iter().rev().find(|f| f.at <= at)
}

fn list_functions(scripts: &[Script], compiled: &AST) -> Vec<Function> {
    let mut functions = Vec::new();
    for def in compiled.iter_fn_def() {
        let owner = scripts.iter().enumerate().find_map(|(index, script)| {
            let name = script
                .parsed
                .fns
                .iter()
                .find(|f| script.compiled_name(&f.name) == def.name.as_str())?;
            Some((index, name.name.clone()))
        });
        if let Some((script, name)) = owner {
            let body = body_of(def);
            functions.push(Function {
                script,
                name,
                def: def.clone(),
                body,
            });
        }
    }
    functions.sort_by(|a, b| a.def.name.cmp(&b.def.name));
    functions
}

fn dispatch(
    scripts: &[Script],
    hooks: &[String],
    functions: &[Function],
    by_compiled_name: &HashMap<String, usize>,
) -> Dispatch {
    let target = |script: &Script, name: &str| {
        let function = script.compiled_name(name);
        let index = by_compiled_name[&function];
        Target {
            idle: is_idle(&functions[index].body),
            index,
            way: Way::Script,
        }
    };
    let entries = hooks.iter().map(|name| {
        let game = target(&scripts[0], name);
        HookEntry {
            name: name.clone(),
            arity: scripts[0].parsed.function(name).map_or(0, |f| f.params.len()),
            by_type: scripts[1..]
                .iter()
                .map(|s| match s.parsed.function(name) {
                    Some(_) => target(s, name),
                    None => game.clone(),
                })
                .collect(),
            game,
        }
    });
    Dispatch {
        hooks: entries.collect(),
    }
}

/// Whether a function has no statement, or only says `true`.
fn is_idle(body: &[Stmt]) -> bool {
    match body {
        [] => true,
        [Stmt::Expr(expr)] => matches!(**expr, Expr::BoolConstant(true, _)),
        _ => false,
    }
}

/// The statements of a function. Rhai keeps them in a type without a public name, so they are
/// collected by walking a script that has this function alone.
fn body_of(def: &Shared<ScriptFuncDef>) -> Vec<Stmt> {
    let mut module = Module::new();
    module.set_script_fn(def.clone());
    let mut body = Vec::new();
    AST::new([], module).walk(&mut |path: &[ASTNode]| {
        if let [ASTNode::Stmt(statement)] = path {
            body.push((*statement).clone());
        }
        true
    });
    body
}

fn body_position(def: &ScriptFuncDef) -> Option<At> {
    let at = here(def.body.start_position());
    (at.0 > 0).then_some(at)
}
