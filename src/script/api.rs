//! What scripts act with: the shared state behind the [`NATIVES`], the calls of hooks, and the
//! adapter that offers all of it to Rhai.
//!
//! Every function checks its arguments: a wrong one is an error of the script, never a panic. The
//! verbs go through the kernel's [`Table`], which does nothing any more once a question is pending.

use super::debug::Watcher;
use super::declare;
use super::engine::MAX_OPERATIONS;
use super::interpret::Interpreter;
use super::lower::Program;
use super::natives::{self, NATIVES, Native, OPERATORS, PROPERTIES};
use super::trace::{Level, LineOf, Trace};
use super::value::{self, GameHandle, KINDS, Kind, Lists, Value, from_dynamic, to_dynamic};
use crate::kernel::choice::Opt;
use crate::kernel::dice::Pool;
use crate::kernel::effect::{Cause, Effect};
use crate::kernel::ids::{
    FactionId, PlaceId, PlaceSet, TerrainId, Thing, TypeId, UnitId, UnitSet, Who, WordId,
};
use crate::kernel::rules::{HookId, NOTHING, Rules, SlotKind};
use crate::kernel::table::{Halt, Table};
use crate::kernel::world::Outcome;
use crate::kernel::{engagement, movement};
use crate::report::hint_for;
use rhai::{Dynamic, Engine, EvalAltResult, INT, NativeCallContext, Position};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};

/// What a native function returns.
pub type Answer<T = Value> = Result<T, Fault>;

/// Why a native function or a hook did not come to its end.
#[derive(Debug)]
pub enum Fault {
    /// The arguments are of other kinds than it takes.
    Mismatch,
    /// The table has halted: everything unwinds.
    Halted,
    /// Lowered code met something that it leaves to the interpreter: the step is run again there.
    Bail,
    /// The rules did something that cannot be: why.
    Rule(Box<str>),
    /// An interpreted function failed.
    Script(Box<EvalAltResult>),
}

/// A rule that cannot be followed, in one sentence.
#[cold]
pub fn rule(why: impl Into<String>) -> Fault {
    Fault::Rule(why.into().into_boxed_str())
}

impl From<Halt> for Fault {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Rule(message) => rule(message),
            Halt::Waiting | Halt::Diverged(_) | Halt::Paused => Fault::Halted,
        }
    }
}

impl From<Fault> for Box<EvalAltResult> {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Script(error) => error,
            Fault::Rule(why) => EvalAltResult::ErrorRuntime(String::from(why).into(), Position::NONE).into(),
            Fault::Mismatch => {
                EvalAltResult::ErrorRuntime("the arguments do not fit".into(), Position::NONE).into()
            }
            Fault::Halted | Fault::Bail => {
                EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE).into()
            }
        }
    }
}

/// Whose script a call of a hook goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The game's.
    Game,
    /// A unit type's.
    Type(TypeId),
    /// A terrain's.
    Terrain(TerrainId),
}

/// Where a hook goes for the game, for each unit type and for each kind of terrain.
#[derive(Clone, Default)]
pub struct HookEntry {
    /// The name as scripts call it.
    pub name: String,
    /// How many parameters it has.
    pub arity: usize,
    /// The game's own function.
    pub game: Target,
    /// By unit type.
    pub by_type: Vec<Target>,
    /// By kind of terrain.
    pub by_terrain: Vec<Target>,
}

impl HookEntry {
    /// Every function that it goes to for things with scripts of their own.
    pub fn own(&self) -> impl Iterator<Item = &Target> {
        self.by_type.iter().chain(&self.by_terrain)
    }

    /// Whether a unit type or a kind of terrain has a function of its own for it.
    pub fn redefined(&self) -> bool {
        self.arity > 0 && self.own().any(|t| t.index != self.game.index)
    }
}

/// One function that a hook goes to.
#[derive(Clone, Default)]
pub struct Target {
    /// Its index among the ruleset's functions.
    pub index: usize,
    /// It does nothing, or only says `true`: calling it changes nothing.
    pub idle: bool,
    /// What calling it comes to.
    pub way: Way,
}

/// What calling a function comes to, found at load.
#[derive(Clone, Default)]
pub enum Way {
    /// Its script is run.
    #[default]
    Script,
    /// Its body is one value.
    Constant(Value),
    /// Its body is one call of a native function with its own parameters, in order.
    Native(Rc<[&'static Native]>),
}

/// The hooks of a ruleset.
#[derive(Clone, Default)]
pub struct Dispatch {
    /// By [`HookId`].
    pub hooks: Vec<HookEntry>,
}

impl Dispatch {
    /// Every function that a hook goes to.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut Target> {
        let entries = self.hooks.iter_mut();
        entries.flat_map(|entry| {
            let own = entry.by_type.iter_mut().chain(&mut entry.by_terrain);
            own.chain([&mut entry.game])
        })
    }

    /// The function that a hook about this thing goes to.
    #[inline]
    pub fn target(&self, hook: HookId, whose: Whose) -> &Target {
        let entry = &self.hooks[hook.0 as usize];
        let own = match whose {
            Whose::Game => None,
            Whose::Type(kind) => entry.by_type.get(kind.index()),
            Whose::Terrain(terrain) => entry.by_terrain.get(terrain.index()),
        };
        own.unwrap_or(&entry.game)
    }
}

/// How a property is read.
#[derive(Clone, Copy)]
pub enum Getter {
    /// By one of the [`PROPERTIES`].
    Native(fn(&Api, Value) -> Answer),
    /// As a slot, by its index.
    Slot(usize, SlotKind),
    /// As a stat of a unit or a unit type, by its index.
    Stat(usize),
    /// As a faction's zone, by its index.
    Zone(usize),
    /// How many items a list has.
    Len,
}

/// One property name, by the kind of value that has it.
#[derive(Clone, Copy, Default)]
pub struct Member {
    /// How it is read.
    pub get: [Option<Getter>; KINDS],
    /// The slot that is written, by its index.
    pub set: [Option<(usize, SlotKind)>; KINDS],
}

/// Every property: the native ones, and those that the game declares.
#[derive(Default)]
pub struct Members {
    by_name: BTreeMap<&'static str, usize>,
    declared: HashMap<String, usize>,
    all: Vec<Member>,
}

impl Members {
    /// The properties under these rules. A slot hides a stat or native property of the same name.
    pub fn of(rules: &Rules) -> Self {
        let mut members = Self::default();
        for property in PROPERTIES {
            let index = *members.by_name.entry(property.name).or_insert_with(|| {
                members.all.push(Member::default());
                members.all.len() - 1
            });
            members.all[index].get[property.of as usize] = Some(Getter::Native(property.get));
        }
        members.named("len").get[Kind::List as usize] = Some(Getter::Len);
        for (index, stat) in rules.stats.iter().enumerate() {
            let of_terrain = rules.terrains.iter().any(|t| t.stats[index].is_some());
            let of_units = !of_terrain || rules.types.iter().any(|t| t.stats[index].is_some());
            let units = [Kind::Unit, Kind::Type].into_iter().filter(|_| of_units);
            let ground = [Kind::Place, Kind::Terrain].into_iter().filter(|_| of_terrain);
            for kind in units.chain(ground) {
                members.named(stat).get[kind as usize] = Some(Getter::Stat(index));
            }
        }
        for (index, zone) in rules.board.zones.iter().enumerate() {
            members.named(&zone.name).get[Kind::Faction as usize] = Some(Getter::Zone(index));
        }
        for (kind, slots) in [
            (Kind::Unit, &rules.slots.unit),
            (Kind::Faction, &rules.slots.faction),
            (Kind::Place, &rules.slots.place),
            (Kind::Game, &rules.slots.game),
        ] {
            for (index, slot) in slots.iter().enumerate() {
                let member = members.named(&slot.name);
                member.get[kind as usize] = Some(Getter::Slot(index, slot.kind));
                member.set[kind as usize] = Some((index, slot.kind));
            }
        }
        members
    }

    fn named(&mut self, name: &str) -> &mut Member {
        let index = self.find(name).unwrap_or_else(|| {
            self.all.push(Member::default());
            self.declared.insert(name.to_owned(), self.all.len() - 1);
            self.all.len() - 1
        });
        &mut self.all[index]
    }

    /// A property's index by name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name
            .get(name)
            .or_else(|| self.declared.get(name))
            .copied()
    }

    /// A property by its index.
    #[inline]
    pub fn member(&self, index: usize) -> &Member {
        &self.all[index]
    }

    /// Every property with its name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Member)> {
        let native = self.by_name.iter().map(|(name, i)| (*name, *i));
        let declared = self.declared.iter().map(|(name, i)| (name.as_str(), *i));
        native.chain(declared).map(|(name, i)| (name, &self.all[i]))
    }
}

/// What is known once a ruleset is loaded.
#[derive(Default)]
pub struct Loaded {
    /// The hooks.
    pub dispatch: Dispatch,
    /// The properties.
    pub members: Members,
    /// The functions that were lowered.
    pub program: Program,
    /// The label `move` and the option `stay` of [`Api::travel`].
    pub travel: (WordId, WordId),
}

/// What native functions, lowered code and the interpreter share.
#[derive(Clone)]
pub struct Api {
    /// The table that they act on.
    pub table: Rc<RefCell<Table>>,
    shared: Rc<Shared>,
}

struct Shared {
    loaded: OnceCell<Loaded>,
    interpreter: RefCell<Weak<Interpreter>>,
    operations: Cell<u64>,
    depth: Cell<usize>,
    lowering: Cell<bool>,
    bailed: Cell<bool>,
    lists: RefCell<Lists>,
    constants: Cell<usize>,
    tracing: Cell<bool>,
    trace: RefCell<Option<Trace>>,
    watcher: RefCell<Option<Watcher>>,
    /// By function: the text and line where it is declared, in a ruleset that is traced.
    origins: OnceCell<Vec<LineOf>>,
}

impl Api {
    /// The state of a ruleset that is being loaded.
    pub fn new(table: Rc<RefCell<Table>>) -> Self {
        Self {
            table,
            shared: Rc::new(Shared {
                loaded: OnceCell::new(),
                interpreter: RefCell::default(),
                operations: Cell::new(0),
                depth: Cell::new(0),
                lowering: Cell::new(false),
                bailed: Cell::new(false),
                lists: RefCell::default(),
                constants: Cell::new(0),
                tracing: Cell::new(false),
                trace: RefCell::default(),
                watcher: RefCell::default(),
                origins: OnceCell::new(),
            }),
        }
    }

    /// Says who interprets what is not lowered. The interpreter is not kept alive by this.
    pub fn set_interpreter(&self, interpreter: &Rc<Interpreter>) {
        *self.shared.interpreter.borrow_mut() = Rc::downgrade(interpreter);
    }

    /// The ruleset is loaded: from here on hooks can be called, lowered where they can be.
    pub fn set_loaded(&self, loaded: Loaded) {
        let _ = self.shared.loaded.set(loaded);
        self.shared.constants.set(self.shared.lists.borrow().mark());
        self.shared.lowering.set(true);
    }

    /// What is known of the ruleset; nothing while its declarations are read.
    #[inline]
    pub fn loaded(&self) -> &Loaded {
        self.shared.loaded.get_or_init(Loaded::default)
    }

    /// Whether lowered code is used now.
    #[inline]
    pub fn lowering(&self) -> bool {
        self.shared.lowering.get()
    }

    /// Uses lowered code from now on, or not; returns whether it was used before.
    pub fn set_lowering(&self, on: bool) -> bool {
        self.shared.lowering.replace(on)
    }

    /// A new run of a step begins: counts start anew, lists are forgotten.
    #[inline]
    pub fn begin(&self) {
        self.shared.operations.set(0);
        self.shared.depth.set(0);
        self.shared.bailed.set(false);
        self.shared.lists.borrow_mut().cut(self.shared.constants.get());
    }

    /// Whether lowered code left something to the interpreter since [`Self::begin`].
    pub fn bailed(&self) -> bool {
        self.shared.bailed.get()
    }

    /// Counts an operation; false when the step has taken too many.
    #[inline]
    pub fn tick(&self) -> bool {
        let count = self.shared.operations.get() + 1;
        self.shared.operations.set(count);
        count <= MAX_OPERATIONS
    }

    /// How deep calls are nested.
    #[inline]
    pub fn depth(&self) -> &Cell<usize> {
        &self.shared.depth
    }

    /// The lists of the running step.
    #[inline]
    pub fn lists(&self) -> &RefCell<Lists> {
        &self.shared.lists
    }

    /// Reads the table.
    #[inline]
    pub fn look<T>(&self, f: impl FnOnce(&Table) -> T) -> T {
        f(&self.table.borrow())
    }

    /// A list of these items.
    pub fn list(&self, items: impl IntoIterator<Item = Value>) -> Answer {
        let list = self.lists().borrow_mut().add(items);
        list.map(Value::List)
            .ok_or_else(|| rule("a list becomes too long"))
    }

    /// A text as a value.
    pub fn text(&self, text: &str) -> Answer {
        let word = value::intern(&mut self.table.borrow_mut().words, text);
        word.map(Value::Word)
            .ok_or_else(|| rule("a text is too long, or there are too many"))
    }

    /// A small value as the interpreter's.
    pub fn dynamic(&self, value: Value) -> Dynamic {
        to_dynamic(value, &self.table.borrow().words, &self.lists().borrow())
    }

    /// The interpreter's value as a small one.
    pub fn value(&self, value: &Dynamic) -> Value {
        from_dynamic(
            value,
            &mut self.table.borrow_mut().words,
            &mut self.lists().borrow_mut(),
        )
    }

    // --- tracing ---------------------------------------------------------------------------------

    /// This ruleset is traced: where each function is declared.
    pub fn set_origins(&self, origins: Vec<LineOf>) {
        let _ = self.shared.origins.set(origins);
    }

    /// Notes what happens from here on, until [`Self::take_trace`].
    pub fn start_trace(&self, level: Level) {
        *self.shared.trace.borrow_mut() = Some(Trace::new(level));
        self.shared.tracing.set(true);
    }

    /// What was noted since [`Self::start_trace`].
    pub fn take_trace(&self) -> Option<Trace> {
        self.shared.tracing.set(false);
        self.shared.trace.borrow_mut().take()
    }

    /// Who watches the run that is under way, if somebody does; see [`super::debug`].
    pub fn watcher(&self) -> &RefCell<Option<Watcher>> {
        &self.shared.watcher
    }

    /// Calls of script functions are told to the trace and to the watcher from now on, or not.
    pub fn set_tracing(&self, on: bool) {
        self.shared.tracing.set(on);
    }

    fn watch(&self, tell: impl FnOnce(&mut Watcher)) {
        if let Some(watcher) = self.shared.watcher.borrow_mut().as_mut() {
            tell(watcher);
        }
    }

    /// Writes to the trace, if there is one.
    #[inline]
    pub fn trace(&self, write: impl FnOnce(&mut Trace)) {
        if self.shared.tracing.get()
            && let Some(trace) = self.shared.trace.borrow_mut().as_mut()
        {
            write(trace);
        }
    }

    /// Whether calls are noted.
    fn notes_calls(&self) -> bool {
        let trace = self.shared.trace.borrow();
        self.shared.tracing.get() && trace.as_ref().is_some_and(|t| t.level == Level::Calls)
    }

    /// A value as users read it.
    fn told(&self, value: &Dynamic) -> String {
        self.look(|t| value::text_of(t, value))
    }

    /// Runs a call of a script function and notes it.
    pub fn traced<E>(
        &self,
        function: usize,
        args: &[Dynamic],
        run: impl FnOnce() -> Result<Dynamic, E>,
    ) -> Result<Dynamic, E> {
        let Some(origins) = self.shared.origins.get().filter(|_| self.shared.tracing.get()) else {
            return run();
        };
        let calls = self.notes_calls();
        let events = || self.look(|t| t.events.len());
        let (values, told) = if calls {
            (
                args.iter().map(|a| self.value(a)).collect(),
                args.iter().map(|a| self.told(a)).collect(),
            )
        } else {
            (Vec::new(), Vec::new())
        };
        let of = origins.get(function).copied().unwrap_or_default();
        let before = events();
        self.trace(|t| t.enter(function, of, values, told, before));
        self.watch(|w| w.enter(function, args));
        let said = run();
        self.watch(|w| w.leave(said.as_ref().ok()));
        if said.is_err() {
            self.trace(Trace::fail);
        }
        let answer = said.as_ref().ok().filter(|_| calls);
        let answer = answer.map(|said| (self.value(said), self.told(said)));
        let after = events();
        self.trace(|t| t.leave(answer, after));
        said
    }

    /// Notes what a native function said, when it names places or units or judges.
    fn trace_native(&self, name: &str, args: &[Value], said: Value) {
        if !self.shared.tracing.get() {
            return;
        }
        let telling = matches!(said, Value::Places(_) | Value::Units(_) | Value::Bool(_));
        if telling && self.notes_calls() {
            let told = args.iter().map(|a| self.told(&self.dynamic(*a))).collect();
            self.trace(|t| t.native(name, args.to_vec(), told, said));
        }
    }

    /// Registers a script function as a native one of its compiled name, so that every call of it
    /// is noted.
    pub fn register_traced(&self, engine: &mut Engine, function: usize, name: &str, arity: usize) {
        let api = self.clone();
        let types = vec![std::any::TypeId::of::<Dynamic>(); arity];
        engine.register_raw_fn(name, types, move |ctx: NativeCallContext, args| {
            let args = args.iter().map(|a| (**a).clone()).collect();
            let depth = api.depth().replace(ctx.call_level());
            let said = api.interpret(function, args);
            api.depth().set(depth);
            said.map_err(Into::into)
        });
    }

    // --- calling ---------------------------------------------------------------------------------

    /// Calls one of the native functions of a name and number of arguments: the one that fits.
    #[inline]
    pub fn native(&self, choice: &[&'static Native], args: &[Value]) -> Answer {
        for native in choice {
            match (native.run)(self, args) {
                Err(Fault::Mismatch) => {}
                answer => return answer,
            }
        }
        Err(Fault::Mismatch)
    }

    /// Calls a hook about its first argument.
    pub fn hook(&self, hook: HookId, args: &[Value]) -> Answer {
        let whose = self.whose(hook, args.first().copied())?;
        self.invoke(self.loaded().dispatch.target(hook, whose), args)
    }

    /// Whose script a call of a hook goes to: a unit's is its type's, a place's its terrain's.
    ///
    /// # Errors
    ///
    /// Several kinds of terrain of one place have a function of their own for it.
    #[inline]
    pub fn whose(&self, hook: HookId, first: Option<Value>) -> Answer<Whose> {
        match first {
            Some(Value::Unit(unit)) => Ok(Whose::Type(self.look(|t| t.world.unit(unit).kind))),
            Some(Value::Terrain(terrain)) => Ok(Whose::Terrain(terrain)),
            Some(Value::Place(place)) => self.whose_place(hook, place),
            _ => Ok(Whose::Game),
        }
    }

    fn whose_place(&self, hook: HookId, place: PlaceId) -> Answer<Whose> {
        let entry = &self.loaded().dispatch.hooks[hook.0 as usize];
        let own = |t: &TerrainId| {
            let target = entry.by_terrain.get(t.index());
            target.is_some_and(|t| t.index != entry.game.index)
        };
        let mut saying = self.look(|t| t.world.terrain(place)).filter(own);
        match (saying.next(), saying.next()) {
            (None, _) => Ok(Whose::Game),
            (Some(terrain), None) => Ok(Whose::Terrain(terrain)),
            (Some(one), Some(other)) => Err(self.look(|t| {
                let name = |id: TerrainId| &t.rules.terrains[id.index()].name;
                rule(format!(
                    "{} has {} and {}, which both have their own `{}`: ask each of its `terrains`",
                    t.rules.board.name(place),
                    name(one),
                    name(other),
                    entry.name
                ))
            })),
        }
    }

    /// Calls a function that a hook goes to.
    #[inline]
    pub fn invoke(&self, target: &Target, args: &[Value]) -> Answer {
        if self.lowering() {
            match &target.way {
                Way::Script => {}
                Way::Constant(value) => return Ok(*value),
                Way::Native(choice) => {
                    // Its failure is told by the script that it stands for.
                    return self.native(choice, args).map_err(|fault| match fault {
                        Fault::Halted => fault,
                        _ => {
                            self.shared.bailed.set(true);
                            Fault::Bail
                        }
                    });
                }
            }
        }
        self.table.borrow_mut().hook_calls += 1;
        self.call(target.index, args)
    }

    /// Calls a script function, lowered where it is.
    #[inline]
    pub fn call(&self, function: usize, args: &[Value]) -> Answer {
        if self.lowering()
            && let Some(code) = self.loaded().program.function(function)
        {
            let answer = code.call(self, args);
            if let Err(Fault::Bail) = answer {
                self.shared.bailed.set(true);
            }
            return answer;
        }
        let args: Vec<Dynamic> = args.iter().map(|v| self.dynamic(*v)).collect();
        let said = self.interpret(function, args)?;
        match self.value(&said) {
            Value::Foreign(_) if self.lowering() => {
                self.shared.bailed.set(true);
                Err(Fault::Bail)
            }
            value => Ok(value),
        }
    }

    /// Calls a script function in the interpreter from within a native function or lowered code.
    fn interpret(&self, function: usize, args: Vec<Dynamic>) -> Answer<Dynamic> {
        let interpreter = self.shared.interpreter.borrow().upgrade();
        let Some(interpreter) = interpreter else {
            return Err(rule("no rules are loaded"));
        };
        let depth = self.depth().get();
        let result = if self.shared.tracing.get() {
            let told = args.clone();
            self.traced(function, &told, || interpreter.call(function, args, depth + 1))
        } else {
            interpreter.call(function, args, depth + 1)
        };
        self.depth().set(depth);
        result.map_err(|error| {
            if self.look(|t| t.halt().is_some()) {
                return Fault::Halted;
            }
            Fault::Script(interpreter.inside(function, error))
        })
    }

    // --- what verbs share ------------------------------------------------------------------------

    /// The `nth` faction in turn order.
    pub fn in_order(&self, nth: usize, name: &str) -> Answer {
        self.look(|t| {
            if nth < t.rules.factions.len() {
                Ok(Value::Faction(t.world.in_order(nth)))
            } else {
                Err(rule(format!("there is no {name} faction in this game")))
            }
        })
    }

    /// The kind of terrain of that name.
    pub fn find_terrain(&self, table: &Table, name: WordId) -> Answer<TerrainId> {
        let text = table.words.text(name);
        table.rules.terrain(text).ok_or_else(|| {
            let hint = hint_for(text, table.rules.terrains.iter().map(|t| t.name.as_str()));
            rule(format!("there is no terrain `{text}`; {hint}"))
        })
    }

    /// The unit type of that name.
    pub fn find_type(&self, table: &Table, name: WordId) -> Answer<TypeId> {
        let text = table.words.text(name);
        table.rules.unit_type(text).ok_or_else(|| {
            let hint = hint_for(text, table.rules.types.iter().map(|t| t.name.as_str()));
            rule(format!("there is no unit type `{text}`; {hint}"))
        })
    }

    /// What a value is about, for a verb that needs to know.
    pub fn thing(&self, value: Value, verb: &str) -> Answer<Thing> {
        match value {
            Value::Unit(unit) => Ok(Thing::Unit(unit)),
            Value::Faction(faction) => Ok(Thing::Faction(faction)),
            Value::Place(place) => Ok(Thing::Place(place)),
            Value::Game => Ok(Thing::Game),
            other => Err(rule(format!(
                "`{verb}` needs a unit, a faction or a place, not {}",
                other.describe()
            ))),
        }
    }

    /// Where a unit can end a walk.
    pub fn walk(&self, me: UnitId, steps: i64, exactly: bool) -> Answer<PlaceSet> {
        let steps = steps.clamp(0, 64) as usize;
        if self.refusal_to_leave(me)?.is_some() {
            return Ok(PlaceSet::EMPTY);
        }
        let candidates = self.look(|t| {
            if exactly {
                movement::reach_exactly(&t.rules, &t.world, me, steps)
            } else {
                movement::reach(&t.rules, &t.world, me, steps)
            }
        });
        let asked = [Value::Unit(me), Value::Int(steps as i64)];
        self.trace_native("steps_reach", &asked, Value::Places(candidates));
        self.may_end(me, candidates)
    }

    /// Why an engaged unit may not move away; `None` for one that may, or is not engaged.
    fn refusal_to_leave(&self, me: UnitId) -> Answer<Option<Value>> {
        let (engaged, hook, kind) = self.look(|t| {
            let engaged = !engagement::contact(&t.rules, &t.world, me).is_empty();
            (engaged, t.rules.hooks.may_leave, t.world.unit(me).kind)
        });
        match hook {
            Some(hook) if engaged => self.refusal(hook, kind, &[Value::Unit(me)]),
            _ => Ok(None),
        }
    }

    /// The places where a unit may end its movement: those with room that no hook refuses.
    pub fn may_end(&self, me: UnitId, places: PlaceSet) -> Answer<PlaceSet> {
        let (room, shared, enter, join, kind) = self.look(|t| {
            let rules = &t.rules;
            let places = places & t.world.ground();
            let stood_on = places & t.world.occupied();
            let full = stood_on.filter(|&p| !movement::has_room(rules, &t.world, me, p));
            let room = if rules.stack == 0 {
                PlaceSet::EMPTY
            } else {
                places - full.collect()
            };
            let mut shared = room & t.world.occupied();
            if let Some(own) = t.world.place(me)
                && t.world.at(own) == UnitSet::one(me)
            {
                shared.remove(own);
            }
            let (enter, join) = (rules.hooks.may_enter, rules.hooks.may_join);
            (room, shared, enter, join, t.world.unit(me).kind)
        });
        self.trace_native("room_for", &[Value::Unit(me)], Value::Places(room));
        let mut open = room;
        for (hook, asked) in [(enter, room), (join, shared)] {
            let Some(hook) = hook else { continue };
            if self.loaded().dispatch.target(hook, Whose::Type(kind)).idle {
                continue;
            }
            for place in asked & open {
                let args = [Value::Unit(me), Value::Place(place)];
                if self.refusal(hook, kind, &args)?.is_some() {
                    open.remove(place);
                }
            }
        }
        Ok(open)
    }

    /// Asks a hook that says true or a reason; `None` for true.
    fn refusal(&self, hook: HookId, kind: TypeId, args: &[Value]) -> Answer<Option<Value>> {
        let target = self.loaded().dispatch.target(hook, Whose::Type(kind));
        if target.idle {
            return Ok(None);
        }
        Ok(match self.invoke(target, args)? {
            Value::Bool(true) => None,
            reason => Some(reason),
        })
    }

    /// The unit's owner chooses a place for it to move to, or that it stays.
    pub fn travel(&self, me: UnitId, places: PlaceSet) -> Answer {
        let (label, stay) = self.loaded().travel;
        let places = Value::Places(places);
        match self.choose(Value::Unit(me), None, label, places, Some(stay))? {
            Value::Place(place) => self.act(Effect::Put(me, place), Cause::default()),
            _ => Ok(Value::Nothing),
        }
    }

    /// Asks `who` (a faction, or a unit's owner) to choose; `word` is offered first.
    pub fn choose(
        &self,
        who: Value,
        about: Option<Thing>,
        label: WordId,
        options: Value,
        word: Option<WordId>,
    ) -> Answer {
        let thing = self.thing(who, "choose")?;
        let mut table = self.table.borrow_mut();
        let table = &mut *table;
        let (asker, subject) = match thing {
            Thing::Faction(f) => (f, about.unwrap_or(Thing::Faction(f))),
            Thing::Unit(u) => (table.world.unit(u).owner, about.unwrap_or(thing)),
            _ => return Err(rule("`choose` asks a unit's owner or a faction: give one first")),
        };
        let subject = if subject == Thing::Faction(asker) {
            Thing::Game
        } else {
            subject
        };
        let list = &mut table.request.options;
        list.clear();
        list.extend(word.map(Opt::Word));
        match options {
            Value::Units(set) => list.extend(set.map(Opt::Unit)),
            Value::Places(set) => list.extend(set.map(Opt::Place)),
            Value::Dice(pool) => list.extend(pool.values().map(Opt::Number)),
            Value::RangeTo(from, to) => {
                if to.saturating_sub(from) > 256 {
                    return Err(rule("a choice among more than 256 numbers"));
                }
                list.extend((from..=to).map(Opt::Number));
            }
            Value::List(items) => {
                for &item in self.lists().borrow().items(items) {
                    list.push(match item {
                        Value::Int(n) => Opt::Number(n),
                        Value::Word(word) => Opt::Word(word),
                        Value::Type(kind) => Opt::Type(kind),
                        Value::Terrain(terrain) => Opt::Terrain(terrain),
                        other => match self.thing(other, "choose")? {
                            Thing::Unit(u) => Opt::Unit(u),
                            Thing::Place(p) => Opt::Place(p),
                            Thing::Faction(f) => Opt::Faction(f),
                            Thing::Game => return Err(rule("the game is no option")),
                        },
                    });
                }
            }
            other => {
                return Err(rule(format!(
                    "`choose` takes its options as units, places, a list, dice or a range of numbers, not {}",
                    other.describe()
                )));
            }
        }
        let distinct = matches!(options, Value::Units(_) | Value::Places(_) | Value::RangeTo(..));
        Ok(match table.choose_among(asker, subject, label, distinct)? {
            Opt::Unit(u) => Value::Unit(u),
            Opt::Place(p) => Value::Place(p),
            Opt::Faction(f) => Value::Faction(f),
            Opt::Type(k) => Value::Type(k),
            Opt::Terrain(t) => Value::Terrain(t),
            Opt::Number(n) => Value::Int(n),
            Opt::Word(w) => Value::Word(w),
        })
    }

    /// Ends the contest that is running.
    pub fn finish(&self, winner: Option<FactionId>, reason: WordId) -> Answer {
        let (effect, cause) = {
            let mut table = self.table.borrow_mut();
            let rules = Rc::clone(&table.rules);
            let contest = table.checkpoint.cursor.contest(&rules).unwrap_or("play");
            let contest = table.words.intern(contest);
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
        self.act(effect, cause)
    }

    /// Takes life away.
    pub fn hit(&self, unit: UnitId, damage: i64, word: WordId, by: Option<Value>) -> Answer {
        let slot = self.look(|t| t.rules.slots.find(Thing::Unit(unit), "life"));
        let Some(slot) = slot else {
            return Err(rule("`hit` takes away `life`, but units have no slot `life`"));
        };
        if damage <= 0 {
            return Ok(Value::Nothing);
        }
        let cause = self.cause(word, by)?;
        self.act(Effect::Add(Thing::Unit(unit), slot as u8, -damage), cause)
    }

    /// Adds to a number slot.
    pub fn add(&self, to: Value, slot: WordId, n: i64, word: WordId, by: Option<Value>) -> Answer {
        let thing = self.thing(to, "add")?;
        let index = self.look(|t| {
            let slots = t.rules.slots.of(thing);
            let slot = t.words.text(slot);
            let found = slots
                .iter()
                .position(|s| s.name == slot && s.kind == SlotKind::Number);
            found.ok_or_else(|| {
                let hint = hint_for(slot, slots.iter().map(|s| s.name.as_str()));
                rule(format!("there is no number slot `{slot}` here; {hint}"))
            })
        })?;
        let cause = self.cause(word, by)?;
        self.act(Effect::Add(thing, index as u8, n), cause)
    }

    /// Why something happens: a word, and who does it; by default the step's subject.
    pub fn cause(&self, word: WordId, by: Option<Value>) -> Answer<Cause> {
        let by = match by {
            Some(by) => self.thing(by, "by whom")?,
            None => self.look(Table::about),
        };
        let by = self.look(|t| t.world.who(by));
        Ok(Cause { word: Some(word), by })
    }

    /// Makes an effect happen, and then what follows from it.
    pub fn act(&self, effect: Effect, cause: Cause) -> Answer {
        self.trace(|t| t.act(effect, cause));
        let any_due = {
            let mut table = self.table.borrow_mut();
            table.perform(effect, cause)?;
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
                let target = self.loaded().dispatch.target(due.hook, Whose::Type(kind));
                if !target.idle {
                    self.invoke(target, &[Value::Unit(due.unit)])?;
                }
            }
        }
        Ok(Value::Nothing)
    }

    /// How many lines of the record have a text in them.
    pub fn lines_with(&self, text: WordId) -> i64 {
        self.look(|t| {
            t.record_read.set(true);
            let text = t.words.text(text);
            let lines = t.events.iter().map(|e| e.line(&t.rules, &t.words));
            lines.filter(|line| line.contains(text)).count() as i64
        })
    }

    /// Reads a property of a value.
    #[inline]
    pub fn get(&self, getter: Getter, of: Value) -> Answer {
        match getter {
            Getter::Native(get) => get(self, of),
            Getter::Slot(index, kind) => self.look(|t| {
                let thing = self.thing(of, "a slot")?;
                Ok(slot_value(kind, t.world.slot(&t.rules, thing, index)))
            }),
            Getter::Stat(index) => self.look(|t| {
                let number = match of {
                    Value::Unit(unit) => stat_of(t, t.world.unit(unit).kind, index),
                    Value::Type(kind) => stat_of(t, kind, index),
                    Value::Terrain(terrain) => stat_of_terrain(t, terrain, index),
                    Value::Place(place) => stat_of_place(t, place, index),
                    _ => return Err(Fault::Mismatch),
                }?;
                Ok(match t.rules.flags[index] {
                    true => Value::Bool(number == 1),
                    false => Value::Int(number),
                })
            }),
            Getter::Zone(index) => match of {
                Value::Faction(faction) => self.look(|t| Ok(t.rules.board.zone(index, faction).into())),
                _ => Err(Fault::Mismatch),
            },
            Getter::Len => match of {
                Value::List(list) => Ok(Value::Int(list.len() as i64)),
                _ => Err(Fault::Mismatch),
            },
        }
    }

    /// Writes a slot.
    pub fn set(&self, of: Value, (slot, kind): (usize, SlotKind), value: Value) -> Answer {
        let thing = self.thing(of, "a slot")?;
        let Some(value) = slot_from(kind, value) else {
            return Err(self.look(|t| {
                rule(format!(
                    "the slot `{}` cannot hold {}",
                    t.rules.slots.of(thing)[slot].name,
                    value.describe()
                ))
            }));
        };
        self.act(Effect::Set(thing, slot as u8, value), Cause::default())
    }

    // --- Rhai ------------------------------------------------------------------------------------

    /// Runs a native function for the interpreter: values in, a value out, lists forgotten.
    fn adapt(
        &self,
        ctx: &NativeCallContext<'_>,
        args: &[&mut Dynamic],
        run: impl FnOnce(&[Value]) -> Answer,
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        let mark = self.lists().borrow().mark();
        let depth = self.depth().replace(ctx.call_level());
        let mut values = [Value::Nothing; 8];
        let values = &mut values[..args.len().min(8)];
        for (value, arg) in values.iter_mut().zip(args) {
            *value = self.value(arg);
        }
        let answer = run(values).map(|value| self.dynamic(value));
        self.depth().set(depth);
        self.lists().borrow_mut().cut(mark);
        answer.map_err(Into::into)
    }

    /// Registers every function that does not depend on the game's declarations.
    pub fn register(&self, engine: &mut Engine) {
        engine
            .register_type_with_name::<UnitId>("Unit")
            .register_type_with_name::<PlaceId>("Place")
            .register_type_with_name::<FactionId>("Faction")
            .register_type_with_name::<TypeId>("UnitType")
            .register_type_with_name::<TerrainId>("Terrain")
            .register_type_with_name::<UnitSet>("Units")
            .register_type_with_name::<PlaceSet>("Places")
            .register_type_with_name::<Pool>("Dice")
            .register_type_with_name::<GameHandle>("Game");
        // Rhai counts the operations of each nested call by itself; a step has one budget.
        let api = self.clone();
        engine.on_progress(move |_| (!api.tick()).then_some(Dynamic::UNIT));
        declare::register(engine);
        self.register_values(engine);
        let mut by_name: BTreeMap<(&str, usize), Vec<&'static Native>> = BTreeMap::new();
        for native in NATIVES {
            by_name
                .entry((native.name, native.params.len()))
                .or_default()
                .push(native);
        }
        for ((name, arity), choice) in by_name {
            let api = self.clone();
            let types = vec![std::any::TypeId::of::<Dynamic>(); arity];
            engine.register_raw_fn(name, types, move |ctx: NativeCallContext, args| {
                api.adapt(&ctx, args, |values| match api.native(&choice, values) {
                    Err(Fault::Mismatch) => Err(rule(unfit(&choice, values))),
                    Ok(said) => {
                        api.trace_native(name, values, said);
                        Ok(said)
                    }
                    answer => answer,
                })
            });
        }
        let rules = Rc::clone(&self.table.borrow().rules);
        self.register_members(engine, &rules);
    }

    /// Registers the properties, those that the game declares with them.
    pub fn register_members(&self, engine: &mut Engine, rules: &Rules) {
        for (name, member) in Members::of(rules).iter() {
            for kind in NATIVE_KINDS {
                let Some(rust_type) = kind.rust_type() else {
                    continue;
                };
                if let Some(getter) = member.get[kind as usize] {
                    let api = self.clone();
                    let property = format!(".{name}");
                    engine.register_raw_fn(
                        format!("get${name}"),
                        [rust_type],
                        move |ctx: NativeCallContext, args| {
                            api.adapt(&ctx, args, |values| {
                                let said = api.get(getter, values[0])?;
                                api.trace_native(&property, values, said);
                                Ok(said)
                            })
                        },
                    );
                }
                if let Some(slot) = member.set[kind as usize] {
                    let api = self.clone();
                    let types = [rust_type, std::any::TypeId::of::<Dynamic>()];
                    engine.register_raw_fn(
                        format!("set${name}"),
                        types,
                        move |ctx: NativeCallContext, args| {
                            api.adapt(&ctx, args, |values| api.set(values[0], slot, values[1]))
                        },
                    );
                }
            }
        }
    }

    /// Registers a function under a hook's plain name that goes to the script of its first argument.
    pub fn register_hook(&self, engine: &mut Engine, hook: HookId, name: &str, arity: usize) {
        let api = self.clone();
        let types = vec![std::any::TypeId::of::<Dynamic>(); arity];
        engine.register_raw_fn(name, types, move |ctx: NativeCallContext, args| {
            let mark = api.lists().borrow().mark();
            let values: Vec<Value> = args.iter().map(|a| api.value(a)).collect();
            let foreign = |v: &Value| match v {
                Value::List(list) => {
                    let lists = api.lists().borrow();
                    let nested = |v: &Value| matches!(v, Value::Foreign(_) | Value::List(_));
                    lists.items(*list).iter().any(nested)
                }
                other => matches!(other, Value::Foreign(_)),
            };
            if !values.iter().any(foreign) {
                api.lists().borrow_mut().cut(mark);
                return api.adapt(&ctx, args, |values| api.hook(hook, values));
            }
            // Maps, functions and the like only the interpreter can hand on.
            let whose = api.whose(hook, values.first().copied())?;
            api.table.borrow_mut().hook_calls += 1;
            let target = api.loaded().dispatch.target(hook, whose);
            let args = args.iter().map(|a| (**a).clone()).collect();
            let depth = api.depth().replace(ctx.call_level());
            let said = api.interpret(target.index, args);
            api.depth().set(depth);
            said.map_err(Into::into)
        });
    }

    /// Registers what values can do by themselves: operators, iteration, dice.
    fn register_values(&self, engine: &mut Engine) {
        for &(op, left, right, _) in OPERATORS {
            let (Some(a), Some(b)) = (left.rust_type(), right.rust_type()) else {
                continue;
            };
            let api = self.clone();
            engine.register_raw_fn(op.sign(), [a, b], move |ctx: NativeCallContext, args| {
                api.adapt(&ctx, args, |values| natives::operate(op, values[0], values[1]))
            });
        }
        engine.register_iterator::<UnitSet>();
        engine.register_iterator::<PlaceSet>();
        engine.register_indexer_get(|p: &mut Pool, index: INT| -> Result<INT, Box<EvalAltResult>> {
            die(*p, index).map_err(Into::into)
        });
        let mut module = rhai::Module::new();
        module.set_iter(std::any::TypeId::of::<Pool>(), |value| {
            let pool = value.try_cast::<Pool>().unwrap_or_default();
            let dice: Vec<INT> = pool.values().collect();
            Box::new(dice.into_iter().map(Dynamic::from))
        });
        engine.register_global_module(module.into());
        engine.register_fn("to_string", |p: &mut Pool| p.to_string());
    }
}

/// The kinds whose properties are the kernel's to answer; lists have Rhai's own.
const NATIVE_KINDS: [Kind; 9] = [
    Kind::Unit,
    Kind::Place,
    Kind::Faction,
    Kind::Type,
    Kind::Terrain,
    Kind::Units,
    Kind::Places,
    Kind::Dice,
    Kind::Game,
];

/// Says what a native function takes and what it was given.
fn unfit(choice: &[&'static Native], args: &[Value]) -> String {
    let list = |words: Vec<&str>| format!("({})", words.join(", "));
    let takes: Vec<String> = choice
        .iter()
        .map(|native| list(native.params.iter().map(|(_, kind)| kind.word()).collect()))
        .collect();
    let given = list(args.iter().map(|v| v.describe()).collect());
    format!("`{}` takes {}, not {given}", choice[0].name, takes.join(" or "))
}

/// A die of a pool by its index.
pub fn die(pool: Pool, index: i64) -> Answer<i64> {
    usize::try_from(index)
        .ok()
        .and_then(|i| pool.get(i))
        .ok_or_else(|| rule(format!("there is no die {index} among {} dice", pool.len())))
}

/// A slot's stored value as scripts see it.
#[inline]
pub fn slot_value(kind: SlotKind, value: i64) -> Value {
    match kind {
        SlotKind::Number => Value::Int(value),
        SlotKind::Flag => Value::Bool(value != 0),
        SlotKind::Dice => Value::Dice(Pool::from_stored(value)),
        _ if value == NOTHING => Value::Nothing,
        SlotKind::Unit => Value::Unit(UnitId(value as u8)),
        SlotKind::Place => Value::Place(PlaceId(value as u8)),
        SlotKind::Faction => Value::Faction(FactionId(value as u8)),
    }
}

fn slot_from(kind: SlotKind, value: Value) -> Option<i64> {
    match (kind, value) {
        (SlotKind::Number, Value::Int(n)) => Some(n),
        (SlotKind::Flag, Value::Bool(b)) => Some(b.into()),
        (SlotKind::Dice, Value::Dice(dice)) => Some(dice.stored()),
        (SlotKind::Number | SlotKind::Flag | SlotKind::Dice, _) => None,
        (_, Value::Nothing) => Some(NOTHING),
        (SlotKind::Unit, Value::Unit(u)) => Some(u.0.into()),
        (SlotKind::Place, Value::Place(p)) => Some(p.0.into()),
        (SlotKind::Faction, Value::Faction(f)) => Some(f.0.into()),
        _ => None,
    }
}

/// The places at most so many steps from where a unit stands.
pub fn reach_of(table: &Table, unit: UnitId, steps: i64) -> PlaceSet {
    match table.world.place(unit) {
        Some(place) if steps >= 0 => table.rules.board.within(place, steps as usize),
        _ => PlaceSet::EMPTY,
    }
}

fn stat_of(table: &Table, kind: TypeId, stat: usize) -> Answer<i64> {
    let rules = &table.rules;
    let kind = &rules.types[kind.index()];
    kind.stats[stat].ok_or_else(|| rule(format!("{} has no stat `{}`", kind.name, rules.stats[stat])))
}

fn stat_of_terrain(table: &Table, terrain: TerrainId, stat: usize) -> Answer<i64> {
    let rules = &table.rules;
    let terrain = &rules.terrains[terrain.index()];
    let value = terrain.stats[stat];
    value.ok_or_else(|| rule(format!("{} has no stat `{}`", terrain.name, rules.stats[stat])))
}

/// A stat of the only kind of terrain in a place that has it.
fn stat_of_place(table: &Table, place: PlaceId, stat: usize) -> Answer<i64> {
    let rules = &table.rules;
    let mut here = table.world.terrain(place);
    let mut having = here
        .by_ref()
        .filter_map(|t| rules.terrains[t.index()].stats[stat]);
    match (having.next(), having.next()) {
        (Some(value), None) => Ok(value),
        (first, _) => {
            let (place, stat) = (rules.board.name(place), &rules.stats[stat]);
            let how_many = if first.is_none() {
                "no"
            } else {
                "more than one kind of"
            };
            Err(rule(format!(
                "{place} has {how_many} terrain with a stat `{stat}`"
            )))
        }
    }
}

/// A unit's slot or stat by name.
pub fn number_of(table: &Table, unit: UnitId, name: &str) -> Answer<i64> {
    if let Some(slot) = table.rules.slots.find(Thing::Unit(unit), name) {
        return Ok(table.world.slot(&table.rules, Thing::Unit(unit), slot));
    }
    match table.rules.stat(name) {
        Some(stat) => stat_of(table, table.world.unit(unit).kind, stat),
        None => {
            let names = table.rules.stats.iter().map(String::as_str);
            Err(rule(format!(
                "there is no stat or slot `{name}`; {}",
                hint_for(name, names)
            )))
        }
    }
}
