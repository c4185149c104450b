//! One run of rules: what natives and nodes act with. The verbs go through the kernel's [`Table`],
//! which does nothing any more once a question is pending.
//!
//! Every function checks its arguments: a wrong one is an error of the script, never a panic.

use super::fault::{Eval, Failure, Fault, FaultKind, NativeResult, Unwinding, rule, unknown};
use super::function::Function;
use super::heap::{Heap, HeapEnd};
use super::members::{Getter, Members};
use super::memo::{CachedResult, CallKey};
use super::node::{CallTarget, HookEntry, HookOwner, Loc};
use super::observe::Observer;
use super::value::{Kind, ListId, Value};
use super::view::{MAX_TOLD, ValueView};
use crate::engine::MAX_CALL_LEVELS;
use crate::engine::{MAX_ARRAY, MAX_MAP, MAX_STRING};
use crate::kernel::ids::{FactionId, HookId, PlaceId, PlaceSet, TerrainId, Thing, TypeId, UnitId, WordId};
use crate::kernel::rules::{NOTHING, SlotKind, Words};
use crate::kernel::table::Table;
use crate::work::Work;
use std::sync::Arc;

/// Name of the check by which a watcher learns the places, out of some, that have room for a unit; `:why-not` says it
/// in words.
pub const ROOM: &str = "room";
/// Fuel cost of a change, question or roll, besides that of the things that are looked through for it.
pub(super) const ACT: usize = 8;
/// Fuel cost of writing one line of the record.
pub const LINE: usize = 4;

/// Everything of a ruleset that runs.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// The functions; closures stand behind the named ones.
    pub functions: Vec<Arc<Function>>,
    /// By [`HookId`].
    pub hooks: Arc<Vec<HookEntry>>,
    /// The properties.
    pub members: Arc<Members>,
    /// The words for the kinds of values, by kind.
    pub kinds: Vec<WordId>,
    /// The label `move` and the option `stay` of [`Run::travel`].
    pub travel: (WordId, WordId),
    /// Property with the distance that units move, when they have a stat or slot for it.
    pub moves: Option<Getter>,
    /// The slot of units that [`Run::hit`] takes from, by its index.
    pub hit: Option<u8>,
    /// Work that runs are part of; interrupting it stops them.
    pub work: Work,
}

/// One run of a step's rules, or of an expression. See the module's comment.
pub struct Run<'r, O: Observer> {
    /// The table that rules act on.
    pub table: &'r mut Table,
    /// Heap that values refer to.
    pub heap: &'r mut Heap,
    /// Program that runs.
    pub program: &'r Program,
    /// Observer of the run.
    pub observer: &'r mut O,
    /// Nesting depth of calls.
    pub depth: usize,
    /// The hooks that are running because something happens, outermost first, and what each is about.
    pub reacting: Vec<(HookId, Thing)>,
    /// Failure of the run.
    pub failure: Option<Box<Failure>>,
    /// Why the native function failed that has just ended.
    fault: Option<Fault>,
    /// Number of times that it has done something, or looked at more than the position.
    deeds: u64,
    /// The fuel until somebody looks whether the program is to stop, and what is left behind it.
    fuel: u64,
    reserve: u64,
}

/// So much fuel is spent between two looks.
const LOOK: u64 = 8192;

/// Data of a run besides the table, passed to another interpreter that continues for it.
#[cfg(any(test, feature = "trials"))]
#[derive(Default)]
pub struct SuspendedRun {
    reacting: Vec<(HookId, Thing)>,
    failure: Option<Box<Failure>>,
    fuel: (u64, u64),
}

#[cfg(any(test, feature = "trials"))]
impl<O: Observer> Run<'_, O> {
    /// Another goes on for this run, or gives back what it took along.
    pub fn swap_rest(&mut self, rest: &mut SuspendedRun) {
        std::mem::swap(&mut self.reacting, &mut rest.reacting);
        std::mem::swap(&mut self.failure, &mut rest.failure);
        std::mem::swap(&mut self.fuel, &mut rest.fuel.0);
        std::mem::swap(&mut self.reserve, &mut rest.fuel.1);
    }
}

impl<'r, O: Observer> Run<'r, O> {
    /// A run with a whole step's fuel.
    pub fn new(table: &'r mut Table, heap: &'r mut Heap, program: &'r Program, observer: &'r mut O) -> Self {
        heap.memo.forget();
        heap.recorder = table.world.dice_recorder().cloned();
        Self {
            table,
            heap,
            program,
            observer,
            depth: 0,
            reacting: Vec::new(),
            failure: None,
            fault: None,
            deeds: 0,
            fuel: 0,
            reserve: super::fuel::step_fuel(),
        }
    }

    /// Begins anew for another step, from this end of the heap.
    #[inline]
    pub fn renew(&mut self, constants: HeapEnd) {
        self.heap.cut(constants);
        self.heap.memo.forget();
        self.depth = 0;
        self.reacting.clear();
        (self.fuel, self.reserve) = (0, super::fuel::step_fuel());
    }

    /// Takes fuel; false when there is not enough left.
    #[inline]
    pub fn spend(&mut self, cost: u32) -> bool {
        match self.fuel.checked_sub(u64::from(cost)) {
            Some(left) => {
                self.fuel = left;
                true
            }
            None => self.refill(u64::from(cost)),
        }
    }

    /// Whether fuel can be taken at once.
    #[inline]
    pub fn may_spend(&self, cost: u64) -> bool {
        cost <= self.fuel
    }

    #[cold]
    fn refill(&mut self, cost: u64) -> bool {
        let all = self.fuel + self.reserve;
        if cost > all || self.program.work.is_interrupted() || self.heap.is_full() {
            return false;
        }
        self.fuel = (all - cost).min(LOOK);
        self.reserve = all - cost - self.fuel;
        true
    }

    /// Why fuel was refused.
    #[cold]
    pub fn spent(&self) -> FaultKind {
        match self.program.work.is_interrupted() {
            true => FaultKind::Interrupted,
            false if self.heap.is_full() => FaultKind::Full,
            false => FaultKind::Fuel,
        }
    }

    /// Returns the number of things that can be gone through with the fuel that is left.
    pub(super) fn room(&self) -> usize {
        usize::try_from(self.fuel + self.reserve).unwrap_or(usize::MAX)
    }

    /// Takes fuel for work on so many things.
    pub fn work(&mut self, things: usize) -> NativeResult<()> {
        if self.spend(u32::try_from(things).unwrap_or(u32::MAX)) {
            Ok(())
        } else {
            Err(self.spent().into())
        }
    }

    // --- remembering -----------------------------------------------------------------------------

    /// It does something that changes nothing which a function could see: what does that is not remembered.
    #[inline]
    pub fn acts(&mut self) {
        self.deeds += 1;
    }

    /// It changes something: what functions said before need not be so any more.
    #[inline]
    pub fn changes(&mut self) {
        self.deeds += 1;
        self.heap.memo.forget();
    }

    /// A variable that is shared with closures, by its number. Whoever makes it makes another each time.
    #[inline]
    pub fn share(&mut self, value: Value) -> Value {
        self.acts();
        self.heap.share(value)
    }

    /// Returns a function's value: the remembered one if nothing has changed since, for the same fuel; else a computed
    /// one, which is remembered if the function did nothing.
    #[inline]
    pub fn remembered(&mut self, question: CallKey, work_out: impl FnOnce(&mut Self) -> Eval) -> Eval {
        if let Some(known) = self.heap.memo.find(&question)
            // Where calls are nested deeper, or fuel runs out, it fails as it would.
            && self.depth <= known.depth as usize
            && self.fuel + self.reserve >= u64::from(known.fuel)
            && self.spend(known.fuel)
        {
            self.heap.grow(known.items);
            return Ok(known.value);
        }
        let (deeds, room, items) = (self.deeds, self.fuel + self.reserve, self.heap.items());
        let result = work_out(self)?;
        if deeds == self.deeds {
            let known = CachedResult {
                value: result,
                fuel: u32::try_from(room - self.fuel - self.reserve).unwrap_or(u32::MAX),
                items: (self.heap.items() - items) as u32,
                depth: self.depth as u32,
            };
            self.heap.memo.keep(question, known);
        }
        Ok(result)
    }

    // --- failing ---------------------------------------------------------------------------------

    /// Something failed in a function.
    #[cold]
    pub fn fail(&mut self, why: FaultKind, function: usize, spot: Loc) -> Unwinding {
        if why == FaultKind::Halted && self.failure.is_some() {
            self.called_from(function, spot);
            return Unwinding;
        }
        self.failure = Some(Box::new(Failure {
            why,
            function,
            spot,
            calls: Vec::new(),
        }));
        Unwinding
    }

    /// Something failed where nobody knows the place: whoever called says it.
    #[cold]
    pub fn fail_here(&mut self, why: FaultKind) -> Unwinding {
        self.fail(why, usize::MAX, Loc::default())
    }

    /// Adds a call site to the failure: the function that failed was called from here.
    #[cold]
    pub fn called_from(&mut self, function: usize, spot: Loc) {
        if let Some(failure) = &mut self.failure {
            if failure.function == usize::MAX {
                (failure.function, failure.spot) = (function, spot);
            } else {
                failure.calls.push((function, spot));
            }
        }
    }

    /// Converts the result of an evaluation or a native function for a native function that called it.
    pub(super) fn answer(&mut self, result: Eval) -> NativeResult {
        result.map_err(|Unwinding| self.fault())
    }

    /// Converts the result of a native function; the cause of its failure is kept aside, so that the result fits into
    /// registers.
    #[inline(always)]
    pub(super) fn said(&mut self, answer: NativeResult) -> Eval {
        answer.map_err(|fault| self.failed(fault))
    }

    #[cold]
    #[inline(never)]
    fn failed(&mut self, fault: Fault) -> Unwinding {
        self.fault = Some(fault);
        Unwinding
    }

    /// The arguments of a native function do not fit.
    #[cold]
    #[inline(never)]
    pub(super) fn mismatched(&mut self) -> Eval {
        Err(self.failed(Fault::mismatch()))
    }

    /// Why a native function failed, or else a function that was called.
    #[cold]
    pub(super) fn fault(&mut self) -> Fault {
        self.fault.take().unwrap_or_else(Fault::halted)
    }

    // --- values ----------------------------------------------------------------------------------

    /// Reads the table.
    #[inline]
    pub fn look<T>(&self, f: impl FnOnce(&Table) -> T) -> T {
        f(self.table)
    }

    /// Items in the heap.
    pub fn add(&mut self, items: impl IntoIterator<Item = Value>) -> NativeResult<ListId> {
        let list = self.heap.add(items).ok_or_else(|| Fault::from(FaultKind::Full))?;
        if list.len() > MAX_ARRAY.max(2 * MAX_MAP) {
            return Err(FaultKind::Large.into());
        }
        self.work(1 + list.len() / 8)?;
        Ok(list)
    }

    /// A list of these items.
    pub fn list(&mut self, items: impl IntoIterator<Item = Value>) -> NativeResult {
        let list = self.add(items)?;
        if list.len() > MAX_ARRAY {
            Err(FaultKind::Large.into())
        } else {
            Ok(Value::list(list))
        }
    }

    /// The items of a list.
    pub fn items(&mut self, list: ListId) -> NativeResult<Vec<Value>> {
        self.work(list.len() / 8)?;
        Ok(self.heap.list(list).to_vec())
    }

    /// Takes the fuel for going through the letters of a text.
    #[inline]
    pub fn read(&mut self, word: WordId) -> NativeResult<()> {
        let letters = self.table.words.text(word).len();
        self.work(letters / 16)
    }

    /// Takes the fuel for going through a value with all that is in it.
    pub(super) fn weigh(&mut self, value: Value) -> NativeResult<()> {
        let room = self.room().min(MAX_TOLD);
        let mut left = room;
        let whole = self.heap.weigh(&self.table.words, value, &mut left);
        self.work(room - left)?;
        match whole {
            true => Ok(()),
            false if room < MAX_TOLD => Err(FaultKind::Fuel.into()),
            false => Err(FaultKind::Nested.into()),
        }
    }

    /// Whether two values are the same.
    pub fn same(&mut self, a: Value, b: Value) -> NativeResult<bool> {
        if a == b || !matches!(a.kind(), Kind::List | Kind::Map) {
            return Ok(self.heap.same_plain(a, b));
        }
        let room = self.room();
        let mut left = room;
        let result = self.heap.same(a, b, &mut left);
        self.work(room - left)?;
        match result {
            Some(result) => Ok(result),
            None if left == 0 => Err(FaultKind::Fuel.into()),
            None => Err(FaultKind::Nested.into()),
        }
    }

    /// A text as a value.
    pub fn text(&mut self, text: &str) -> NativeResult {
        self.work(1 + text.len() / 16)?;
        intern(&mut self.table.words, text)
            .map(Value::from)
            .ok_or_else(|| match text.len() > MAX_STRING {
                true => FaultKind::Large.into(),
                false => FaultKind::Texts.into(),
            })
    }

    /// A value as users read it.
    pub fn text_of(&mut self, value: Value) -> NativeResult<String> {
        let mut text = String::new();
        self.add_text(&mut text, value)?;
        Ok(text)
    }

    /// Adds a value as users read it to a text.
    pub fn add_text(&mut self, text: &mut String, value: Value) -> NativeResult<()> {
        self.weigh(value)?;
        match value.as_word() {
            Some(word) => text.push_str(self.table.words.text(word)),
            None => text.push_str(&self.heap.view(&self.table.words, value).text(self.table)),
        }
        Ok(())
    }

    /// A value with all that is in it.
    pub fn view(&mut self, value: Value) -> NativeResult<ValueView> {
        self.weigh(value)?;
        Ok(self.heap.view(&self.table.words, value))
    }

    /// The items of a list, each with all that is in it.
    pub fn views(&mut self, list: ListId) -> NativeResult<Vec<ValueView>> {
        self.items(list)?.iter().map(|v| self.view(*v)).collect()
    }

    /// The letters of a text.
    pub fn word(&self, word: WordId) -> String {
        self.table.words.text(word).to_owned()
    }

    /// Converts a view back into a value.
    ///
    /// # Errors
    ///
    /// There is no room for it.
    pub fn of_view(&mut self, view: &ValueView) -> NativeResult {
        Ok(match view {
            ValueView::Nothing | ValueView::Function => Value::NOTHING,
            ValueView::Bool(it) => (*it).into(),
            ValueView::Int(n) => (*n).into(),
            ValueView::Text(text) => self.text(text)?,
            ValueView::Unit(unit) => (*unit).into(),
            ValueView::Place(place) => (*place).into(),
            ValueView::Edge(edge) => Value::of_edge(*edge),
            ValueView::Faction(faction) => (*faction).into(),
            ValueView::Type(kind) => (*kind).into(),
            ValueView::Terrain(terrain) => (*terrain).into(),
            ValueView::Units(set) => self.heap.of_units(set.clone()),
            ValueView::Places(set) => self.heap.of_places(set.clone()),
            ValueView::Length(length) => Value::of_length(*length),
            ValueView::Spot(spot) => (*spot).into(),
            ValueView::Region(region) => self.heap.of_region(Arc::clone(region)),
            ValueView::Dice(dice) => self.heap.of_dice(dice.clone()),
            ValueView::Game => Value::GAME,
            ValueView::Range(from, to, with_last) => self
                .heap
                .of_range(*from, *to, *with_last)
                .ok_or_else(|| Fault::from(FaultKind::Full))?,
            ValueView::List(items) => {
                let items: Vec<Value> = items.iter().map(|v| self.of_view(v)).collect::<Result<_, _>>()?;
                self.list(items)?
            }
            ValueView::Map(entries) => {
                let mut items = Vec::with_capacity(2 * entries.len());
                for (key, value) in entries {
                    items.extend([self.text(key)?, self.of_view(value)?]);
                }
                Value::map(self.add(items)?)
            }
        })
    }

    /// Keeps what a script says of itself, and tells whoever watches.
    ///
    /// # Errors
    ///
    /// It is too much to be told.
    pub fn say(&mut self, it: Value) -> NativeResult<()> {
        // It costs the same whether somebody hears it or not.
        self.weigh(it)?;
        if O::ON || self.table.is_printed() {
            let text = self.heap.view(&self.table.words, it).text(self.table);
            self.acts();
            self.watch(|w, _| w.say(&text));
            self.table.print(text);
        }
        Ok(())
    }

    // --- calling ---------------------------------------------------------------------------------

    /// Calls a closure, which need not take all of these.
    pub fn apply(&mut self, function: Value, args: &[Value]) -> NativeResult {
        let result = self.call_value(function, args, true);
        self.answer(result)
    }

    /// Calls a hook about its first argument.
    #[inline]
    pub fn hook(&mut self, hook: HookId, args: &[Value]) -> NativeResult {
        let whose = self.whose(hook, args.first().copied())?;
        let target = self.program.hooks[hook.0 as usize].target(whose);
        self.invoke(target, args)
    }

    /// Returns the script that a call of a hook goes to: a unit's is its type's, a place's its terrain's.
    ///
    /// # Errors
    ///
    /// Several kinds of terrain of one place have a function of their own for it.
    #[inline]
    pub fn whose(&self, hook: HookId, first: Option<Value>) -> NativeResult<HookOwner> {
        let Some(first) = first else {
            return Ok(HookOwner::Game);
        };
        if let Some(unit) = first.as_unit() {
            return Ok(HookOwner::Type(self.table.world.unit(unit).kind));
        }
        match (first.as_terrain(), first.as_place()) {
            (Some(terrain), _) => Ok(HookOwner::Terrain(terrain)),
            (_, Some(place)) => whose_place(self.program, self.table, hook, place),
            _ => Ok(HookOwner::Game),
        }
    }

    /// Calls a function that a hook goes to.
    #[inline]
    pub fn invoke(&mut self, target: &CallTarget, args: &[Value]) -> NativeResult {
        #[cfg(any(test, feature = "trials"))]
        if super::oracle::is_on() {
            let result = self.call(target.index, args);
            return self.answer(result);
        }
        let Some(value) = target.constant else {
            let result = self.call(target.index, args);
            return self.answer(result);
        };
        if O::ON {
            // Whoever watches hears of the call, which costs nothing where nobody does.
            let saved = (self.fuel, self.reserve, self.depth);
            (self.fuel, self.reserve) = (LOOK, 0);
            self.depth = self.depth.min(MAX_CALL_LEVELS - 1);
            let result = self.call(target.index, args);
            (self.fuel, self.reserve, self.depth) = saved;
            return self.answer(result);
        }
        Ok(value)
    }

    pub(super) fn target_of(&self, hook: HookId, kind: TypeId) -> &'r CallTarget {
        let program: &'r Program = self.program;
        program.hooks[hook.0 as usize].target(HookOwner::Type(kind))
    }

    // --- what verbs share ------------------------------------------------------------------------

    /// The `nth` faction in turn order.
    pub fn in_order(&self, nth: usize, name: &str) -> NativeResult<FactionId> {
        if nth < self.table.rules.factions.len() {
            Ok(self.table.world.in_order(nth))
        } else {
            Err(rule(format!("there is no {name} faction in this game")))
        }
    }

    /// The kind of terrain of that name.
    pub fn find_terrain(&self, table: &Table, name: WordId) -> NativeResult<TerrainId> {
        let text = table.words.text(name);
        let known = || table.rules.terrains.iter().map(|t| t.name.as_str());
        let found = table.rules.terrain(text);
        found.ok_or_else(|| unknown("terrain", text, known()))
    }

    /// The unit type of that name.
    pub fn find_type(&self, table: &Table, name: WordId) -> NativeResult<TypeId> {
        let text = table.words.text(name);
        let known = || table.rules.types.iter().map(|t| t.name.as_str());
        let found = table.rules.unit_type(text);
        found.ok_or_else(|| unknown("unit type", text, known()))
    }

    /// Returns the thing that a value stands for, for a verb that needs it.
    #[inline]
    pub fn thing(&self, value: Value, verb: &str) -> NativeResult<Thing> {
        match value.kind() {
            Kind::Unit => Ok(value.as_unit().map_or(Thing::Game, Thing::Unit)),
            Kind::Faction => Ok(value.as_faction().map_or(Thing::Game, Thing::Faction)),
            Kind::Place => Ok(value.as_place().map_or(Thing::Game, Thing::Place)),
            Kind::Game => Ok(Thing::Game),
            other => Err(rule(format!(
                "`{verb}` needs a unit, a faction or a place, not {}",
                other.word()
            ))),
        }
    }

    /// Somebody goes through the record, which is more than the position: answers are in it, too.
    pub fn reads_record(&mut self) -> NativeResult<()> {
        self.acts();
        self.table.record_read.set(true);
        if !self.table.keeps().record {
            return Err(rule("the record is not kept"));
        }
        self.work(LINE * self.table.events.len())
    }

    /// Returns the number of lines of the record that contain a text.
    pub fn lines_with(&mut self, text: WordId) -> NativeResult<i64> {
        self.reads_record()?;
        let table = &*self.table;
        let wanted = table.words.text(text);
        let lines = table
            .events
            .iter()
            .map(|e| crate::event_text::line(e, &table.rules, &table.words));
        Ok(lines.filter(|line| line.contains(wanted)).count() as i64)
    }
}

/// A thing as scripts see it.
pub fn value_of_thing(thing: Thing) -> Value {
    match thing {
        Thing::Game => Value::GAME,
        Thing::Faction(f) => f.into(),
        Thing::Place(p) => p.into(),
        Thing::Unit(u) => u.into(),
    }
}

/// Interns a text of a script, within limits; `None` beyond them.
pub fn intern(words: &mut Words, text: &str) -> Option<WordId> {
    match text.len() <= MAX_STRING {
        true => words.keep(text),
        false => words.find(text),
    }
}

/// Returns the script that a call of a hook about a place goes to.
pub fn whose_place(
    program: &Program,
    table: &Table,
    hook: HookId,
    place: PlaceId,
) -> NativeResult<HookOwner> {
    let entry = &program.hooks[hook.0 as usize];
    let own = |t: &TerrainId| {
        let target = entry.by_terrain.get(t.index());
        target.is_some_and(|t| t.index != entry.game.index)
    };
    let mut saying = table.world.terrain(place).filter(own);
    match (saying.next(), saying.next()) {
        (None, _) => Ok(HookOwner::Game),
        (Some(terrain), None) => Ok(HookOwner::Terrain(terrain)),
        (Some(one), Some(other)) => {
            let name = |id: TerrainId| &table.rules.terrains[id.index()].name;
            Err(rule(format!(
                "{} has {} and {}, which both have their own `{}`: ask each of its `terrains`",
                table.rules.board.name(place),
                name(one),
                name(other),
                entry.name
            )))
        }
    }
}

/// A slot's stored value as scripts see it.
#[inline]
pub fn slot_value(kind: SlotKind, value: i64) -> Value {
    match kind {
        SlotKind::Number => value.into(),
        SlotKind::Flag => (value != 0).into(),
        _ if value == NOTHING => Value::NOTHING,
        SlotKind::Unit => UnitId(value as u16).into(),
        SlotKind::Place => PlaceId(value as u16).into(),
        SlotKind::Faction => FactionId(value as u8).into(),
        // Dice, sets and lists lie in the heap and a name is a text, which whoever reads the slot knows to find.
        SlotKind::Dice | SlotKind::Direction | SlotKind::Items(_) => Value::NOTHING,
    }
}

pub(super) fn slot_from(kind: SlotKind, value: Value) -> Option<i64> {
    match kind {
        SlotKind::Number => value.as_int(),
        SlotKind::Flag => value.as_bool().map(i64::from),
        _ if value.is_nothing() => Some(NOTHING),
        SlotKind::Unit => value.as_unit().map(|u| u.0.into()),
        SlotKind::Place => value.as_place().map(|p| p.0.into()),
        SlotKind::Faction => value.as_faction().map(|f| f.0.into()),
        SlotKind::Dice | SlotKind::Direction | SlotKind::Items(_) => None,
    }
}

/// A number of steps on a board; no board is so large that more than these make a difference.
pub fn board_steps(steps: i64) -> usize {
    steps.clamp(0, i32::MAX.into()) as usize
}

/// The places at most so many steps from where a unit stands.
pub fn reach_of(table: &Table, unit: UnitId, steps: i64) -> PlaceSet {
    match table.world.place(unit) {
        Some(place) if steps >= 0 => table.rules.board.within(place, board_steps(steps)),
        _ => PlaceSet::EMPTY,
    }
}

pub(super) fn stat_of(table: &Table, kind: TypeId, stat: usize) -> NativeResult<i64> {
    let rules = &table.rules;
    let kind = &rules.types[kind.index()];
    kind.stats[stat].ok_or_else(|| rule(format!("{} has no stat `{}`", kind.name, rules.stats[stat])))
}

pub(super) fn stat_of_terrain(table: &Table, terrain: TerrainId, stat: usize) -> NativeResult<i64> {
    let rules = &table.rules;
    let terrain = &rules.terrains[terrain.index()];
    let value = terrain.stats[stat];
    value.ok_or_else(|| rule(format!("{} has no stat `{}`", terrain.name, rules.stats[stat])))
}

/// A stat of the only kind of terrain in a place that has it.
pub(super) fn stat_of_place(table: &Table, place: PlaceId, stat: usize) -> NativeResult<i64> {
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
pub fn number_of(table: &Table, unit: UnitId, name: &str) -> NativeResult<i64> {
    if let Some(slot) = table.rules.slots.find(Thing::Unit(unit), name) {
        return Ok(table.world.slot(Thing::Unit(unit), slot));
    }
    match table.rules.stat(name) {
        Some(stat) => stat_of(table, table.world.unit(unit).kind, stat),
        None => {
            let names = table.rules.stats.iter().map(String::as_str);
            Err(unknown("stat or slot", name, names))
        }
    }
}
