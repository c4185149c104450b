//! One run of rules: what natives and nodes act with. The verbs go through the kernel's [`Table`],
//! which does nothing any more once a question is pending.
//!
//! Every function checks its arguments: a wrong one is an error of the script, never a panic.

use super::eval::Eval;
use super::fault::{Answer, Failure, Fault, Why, rule};
use super::library;
use super::members::{Getter, Members};
use super::memo::{Known, Question};
use super::natives::{NATIVES, Runs};
use super::node::{Function, HookEntry, Spot, Target, Whose};
use super::observe::Observer;
use super::value::{Heap, Kind, ListId, MAX_TOLD, Value, View};
use crate::kernel::choice::{Among, MAX_PARTS, MAX_WAYS, Open, Opt, Part, Takes};
use crate::kernel::dice::{MAX_SLOT_DICE, MAX_SLOT_SIDES, Pool};
use crate::kernel::effect::Effect;
use crate::kernel::ground::lines::Sight;
use crate::kernel::ground::ways::Ways;
use crate::kernel::ids::{
    Cause, FactionId, HookId, PlaceId, PlaceSet, TerrainId, Thing, TypeId, UnitId, UnitSet, Who, WordId,
};
use crate::kernel::region::Region;
use crate::kernel::rules::{NOTHING, SlotKind, WHOLE_PLAY, Words};
use crate::kernel::table::{Due, Table};
use crate::kernel::world::Outcome;
use crate::kernel::{engagement, movement};
use crate::progress;
use crate::report::hint_for;
use crate::script::engine::{self, MAX_ARRAY, MAX_CALL_LEVELS, MAX_MAP, MAX_STRING};
use std::rc::Rc;
use std::sync::Arc;

/// How a watcher hears of the places, of some, that have room for a unit; `:why-not` says it in words.
pub const ROOM: &str = "room";
/// What it costs to change, ask or roll something, besides what is looked through for it.
const ACT: usize = 8;
/// A reaction begins only where so many calls may follow in one another; else they set each other off.
const SPARE_CALLS: usize = 4;
/// So many reactions of those that set each other off are told.
const CHAIN_TOLD: usize = 8;
/// What it costs to spell one line of the record.
pub const LINE: usize = 4;

/// Everything of a ruleset that runs.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// The functions; closures stand behind the named ones.
    pub functions: Vec<Rc<Function>>,
    /// By [`HookId`].
    pub hooks: Rc<Vec<HookEntry>>,
    /// The properties.
    pub members: Rc<Members>,
    /// The label `move` and the option `stay` of [`Run::travel`].
    pub travel: (WordId, WordId),
    /// How far units move, when they have a stat or slot for it.
    pub moves: Option<Getter>,
    /// The slot of units that [`Run::hit`] takes from, by its index.
    pub hit: Option<u8>,
}

/// Evaluation leaves a node without a value; why, the run knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left;

/// Why evaluation left a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// `return`: the value is carried.
    Return,
    /// `break`: the value is carried.
    Break,
    /// `continue`.
    Continue,
    /// Something failed, or the table has halted.
    Failed,
}

/// One run of a step's rules, or of an expression. See the module's comment.
pub struct Run<'r, O: Observer> {
    /// The table that rules act on.
    pub table: &'r mut Table,
    /// What values refer to.
    pub heap: &'r mut Heap,
    /// What runs.
    pub program: &'r Program,
    /// Who watches.
    pub observer: &'r mut O,
    /// How deep calls are nested.
    pub depth: usize,
    /// What `return` or `break` carries.
    pub carried: Value,
    /// Why a node was left.
    pub exit: Exit,
    /// The hooks that are running because something happens, outermost first, and what each is about.
    pub reacting: Vec<(HookId, Thing)>,
    /// What failed.
    pub failure: Option<Box<Failure>>,
    /// How often it has done something, or looked at what is more than the position.
    deeds: u64,
    /// The fuel until somebody looks whether the program is to stop, and what is left behind it.
    fuel: u64,
    reserve: u64,
}

/// So much fuel is spent between two looks.
const LOOK: u64 = 8192;

/// What a run takes along besides the table, where another goes on for it.
#[cfg(test)]
#[derive(Default)]
pub struct Rest {
    reacting: Vec<(HookId, Thing)>,
    failure: Option<Box<Failure>>,
    fuel: (u64, u64),
}

#[cfg(test)]
impl<O: Observer> Run<'_, O> {
    /// Another goes on for this run, or gives back what it took along.
    pub fn swap_rest(&mut self, rest: &mut Rest) {
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
        Self {
            table,
            heap,
            program,
            observer,
            depth: 0,
            carried: Value::NOTHING,
            exit: Exit::Failed,
            reacting: Vec::new(),
            failure: None,
            deeds: 0,
            fuel: 0,
            reserve: engine::step_fuel(),
        }
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

    #[cold]
    fn refill(&mut self, cost: u64) -> bool {
        let all = self.fuel + self.reserve;
        if cost > all || progress::is_interrupted() || self.heap.is_full() {
            return false;
        }
        self.fuel = (all - cost).min(LOOK);
        self.reserve = all - cost - self.fuel;
        true
    }

    /// Why fuel was refused.
    #[cold]
    pub fn spent(&self) -> Why {
        match progress::is_interrupted() {
            true => Why::Interrupted,
            false if self.heap.is_full() => Why::Full,
            false => Why::Fuel,
        }
    }

    /// How many things can be gone through with what is left.
    fn room(&self) -> usize {
        usize::try_from(self.fuel + self.reserve).unwrap_or(usize::MAX)
    }

    /// Takes fuel for work on so many things.
    pub fn work(&mut self, things: usize) -> Answer<()> {
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

    /// What a function says: what it said to the same before if nothing has changed since, for the same fuel; else
    /// what it says now, which is remembered if it did nothing.
    #[inline]
    pub fn remembered(&mut self, question: Question, work_out: impl FnOnce(&mut Self) -> Eval) -> Eval {
        if let Some(known) = self.heap.memo.find(&question)
            // Where calls are nested deeper, or fuel runs out, it fails as it would.
            && self.depth <= known.depth as usize
            && self.fuel + self.reserve >= u64::from(known.fuel)
            && self.spend(known.fuel)
        {
            self.heap.grow(known.items);
            return Ok(known.said);
        }
        let (deeds, room, items) = (self.deeds, self.fuel + self.reserve, self.heap.items());
        let said = work_out(self)?;
        if deeds == self.deeds {
            let known = Known {
                said,
                fuel: u32::try_from(room - self.fuel - self.reserve).unwrap_or(u32::MAX),
                items: (self.heap.items() - items) as u32,
                depth: self.depth as u32,
            };
            self.heap.memo.keep(question, known);
        }
        Ok(said)
    }

    // --- failing ---------------------------------------------------------------------------------

    /// Something failed in a function.
    #[cold]
    pub fn fail(&mut self, why: Why, function: usize, spot: Spot) -> Left {
        self.exit = Exit::Failed;
        if why == Why::Halted && self.failure.is_some() {
            self.called_from(function, spot);
            return Left;
        }
        self.failure = Some(Box::new(Failure {
            why,
            function,
            spot,
            calls: Vec::new(),
        }));
        Left
    }

    /// Something failed where nobody knows the place: whoever called says it.
    #[cold]
    pub fn fail_here(&mut self, why: Why) -> Left {
        self.fail(why, usize::MAX, Spot::default())
    }

    /// There is not enough fuel.
    #[cold]
    pub fn out_of_fuel(&mut self, function: usize, spot: Spot) -> Left {
        self.fail(self.spent(), function, spot)
    }

    /// What failed was called from here.
    #[cold]
    pub fn called_from(&mut self, function: usize, spot: Spot) {
        if self.exit == Exit::Failed
            && let Some(failure) = &mut self.failure
        {
            if failure.function == usize::MAX {
                (failure.function, failure.spot) = (function, spot);
            } else {
                failure.calls.push((function, spot));
            }
        }
    }

    /// What evaluation came to, for a native function that called it.
    fn answer(&mut self, said: Eval) -> Answer {
        said.map_err(|_| Fault::halted())
    }

    /// What a native function was given, and that it does not take it.
    #[cold]
    pub fn unfit(&self, choice: &[u16], args: &[Value]) -> Why {
        let name = choice.first().map_or("it", |n| NATIVES[*n as usize].name);
        Why::Unfit(name, args.iter().map(|v| v.kind()).collect())
    }

    // --- values ----------------------------------------------------------------------------------

    /// Reads the table.
    #[inline]
    pub fn look<T>(&self, f: impl FnOnce(&Table) -> T) -> T {
        f(self.table)
    }

    /// Items in the heap.
    pub fn add(&mut self, items: impl IntoIterator<Item = Value>) -> Answer<ListId> {
        let list = self.heap.add(items).ok_or_else(|| Fault::from(Why::Full))?;
        if list.len() > MAX_ARRAY.max(2 * MAX_MAP) {
            return Err(Why::Large.into());
        }
        self.work(1 + list.len() / 8)?;
        Ok(list)
    }

    /// A list of these items.
    pub fn list(&mut self, items: impl IntoIterator<Item = Value>) -> Answer {
        let list = self.add(items)?;
        if list.len() > MAX_ARRAY {
            Err(Why::Large.into())
        } else {
            Ok(Value::list(list))
        }
    }

    /// The items of a list.
    pub fn items(&mut self, list: ListId) -> Answer<Vec<Value>> {
        self.work(list.len() / 8)?;
        Ok(self.heap.list(list).to_vec())
    }

    /// Takes the fuel for going through the letters of a text.
    #[inline]
    pub fn read(&mut self, word: WordId) -> Answer<()> {
        let letters = self.table.words.text(word).len();
        self.work(letters / 16)
    }

    /// Takes the fuel for going through a value with all that is in it.
    fn weigh(&mut self, value: Value) -> Answer<()> {
        let room = self.room().min(MAX_TOLD);
        let mut left = room;
        let whole = self.heap.weigh(&self.table.words, value, &mut left);
        self.work(room - left)?;
        match whole {
            true => Ok(()),
            false if room < MAX_TOLD => Err(Why::Fuel.into()),
            false => Err(Why::Nested.into()),
        }
    }

    /// Whether two values are the same.
    pub fn same(&mut self, a: Value, b: Value) -> Answer<bool> {
        if a == b || !matches!(a.kind(), Kind::List | Kind::Map) {
            return Ok(self.heap.same_plain(a, b));
        }
        let room = self.room();
        let mut left = room;
        let said = self.heap.same(a, b, &mut left);
        self.work(room - left)?;
        match said {
            Some(said) => Ok(said),
            None if left == 0 => Err(Why::Fuel.into()),
            None => Err(Why::Nested.into()),
        }
    }

    /// A text as a value.
    pub fn text(&mut self, text: &str) -> Answer {
        self.work(1 + text.len() / 16)?;
        intern(&mut self.table.words, text)
            .map(Value::from)
            .ok_or_else(|| match text.len() > MAX_STRING {
                true => Why::Large.into(),
                false => Why::Texts.into(),
            })
    }

    /// A value as users read it.
    pub fn text_of(&mut self, value: Value) -> Answer<String> {
        Ok(self.view(value)?.text(self.table))
    }

    /// A value with all that is in it.
    pub fn view(&mut self, value: Value) -> Answer<View> {
        self.weigh(value)?;
        Ok(self.heap.view(&self.table.words, value))
    }

    /// The items of a list, each with all that is in it.
    pub fn views(&mut self, list: ListId) -> Answer<Vec<View>> {
        self.items(list)?.iter().map(|v| self.view(*v)).collect()
    }

    /// The letters of a text.
    pub fn word(&self, word: WordId) -> String {
        self.table.words.text(word).to_owned()
    }

    /// What was viewed, as a value again.
    ///
    /// # Errors
    ///
    /// There is no room for it.
    pub fn of_view(&mut self, view: &View) -> Answer {
        Ok(match view {
            View::Nothing | View::Function => Value::NOTHING,
            View::Bool(it) => (*it).into(),
            View::Int(n) => (*n).into(),
            View::Text(text) => self.text(text)?,
            View::Unit(unit) => (*unit).into(),
            View::Place(place) => (*place).into(),
            View::Faction(faction) => (*faction).into(),
            View::Type(kind) => (*kind).into(),
            View::Terrain(terrain) => (*terrain).into(),
            View::Units(set) => self.heap.of_units(set.clone()),
            View::Places(set) => self.heap.of_places(set.clone()),
            View::Length(length) => Value::of_length(*length),
            View::Spot(spot) => (*spot).into(),
            View::Region(region) => self.heap.of_region(Region::clone(region)),
            View::Dice(dice) => self.heap.of_dice(dice.clone()),
            View::Game => Value::GAME,
            View::Range(from, to, with_last) => self
                .heap
                .of_range(*from, *to, *with_last)
                .ok_or_else(|| Fault::from(Why::Full))?,
            View::List(items) => {
                let items: Vec<Value> = items.iter().map(|v| self.of_view(v)).collect::<Result<_, _>>()?;
                self.list(items)?
            }
            View::Map(entries) => {
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
    pub fn say(&mut self, it: Value) -> Answer<()> {
        if O::ON || self.table.is_printed() {
            let text = self.text_of(it)?;
            self.acts();
            self.watch(|w, _| w.say(&text));
            self.table.print(text);
        }
        Ok(())
    }

    // --- calling ---------------------------------------------------------------------------------

    /// Calls one of the native functions of a name and number of arguments: the first that takes
    /// such arguments.
    #[inline(always)]
    pub fn native(&mut self, choice: &[u16], args: &[Value]) -> Answer {
        if !self.spend(1) {
            return Err(self.spent().into());
        }
        let which = match choice {
            [only] => *only,
            _ => fitting(choice, args)?,
        };
        let said = Runs::<O>::ALL[which as usize](self, args)?;
        if O::ON {
            let name = NATIVES[which as usize].name;
            self.watch(|w, scene| w.native(scene, name, args, said));
        }
        Ok(said)
    }

    /// Calls a closure.
    pub fn apply(&mut self, function: Value, args: &[Value]) -> Answer {
        let said = self.call_value(function, args);
        self.answer(said)
    }

    /// Calls a hook about its first argument.
    #[inline]
    pub fn hook(&mut self, hook: HookId, args: &[Value]) -> Answer {
        let whose = self.whose(hook, args.first().copied())?;
        let target = self.program.hooks[hook.0 as usize].target(whose);
        self.invoke(target, args)
    }

    /// Whose script a call of a hook goes to: a unit's is its type's, a place's its terrain's.
    ///
    /// # Errors
    ///
    /// Several kinds of terrain of one place have a function of their own for it.
    #[inline]
    pub fn whose(&self, hook: HookId, first: Option<Value>) -> Answer<Whose> {
        let Some(first) = first else {
            return Ok(Whose::Game);
        };
        if let Some(unit) = first.as_unit() {
            return Ok(Whose::Type(self.table.world.unit(unit).kind));
        }
        match (first.as_terrain(), first.as_place()) {
            (Some(terrain), _) => Ok(Whose::Terrain(terrain)),
            (_, Some(place)) => whose_place(self.program, self.table, hook, place),
            _ => Ok(Whose::Game),
        }
    }

    /// Calls a function that a hook goes to.
    #[inline]
    pub fn invoke(&mut self, target: &Target, args: &[Value]) -> Answer {
        #[cfg(test)]
        if super::oracle::is_on() {
            let said = self.call(target.index, args);
            return self.answer(said);
        }
        let Some(value) = target.constant else {
            let said = self.call(target.index, args);
            return self.answer(said);
        };
        if O::ON {
            // Whoever watches hears of the call, which costs nothing where nobody does.
            let kept = (self.fuel, self.reserve);
            (self.fuel, self.reserve) = (LOOK, 0);
            let said = self.call(target.index, args);
            (self.fuel, self.reserve) = kept;
            return self.answer(said);
        }
        Ok(value)
    }

    fn target_of(&self, hook: HookId, kind: TypeId) -> &'r Target {
        let program: &'r Program = self.program;
        program.hooks[hook.0 as usize].target(Whose::Type(kind))
    }

    // --- what verbs share ------------------------------------------------------------------------

    /// The `nth` faction in turn order.
    pub fn in_order(&self, nth: usize, name: &str) -> Answer<FactionId> {
        if nth < self.table.rules.factions.len() {
            Ok(self.table.world.in_order(nth))
        } else {
            Err(rule(format!("there is no {name} faction in this game")))
        }
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
    #[inline]
    pub fn thing(&self, value: Value, verb: &str) -> Answer<Thing> {
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

    /// Tells the watcher of places that the kernel found on the way.
    fn tell_places(&mut self, name: &str, args: &[Value], places: &PlaceSet) {
        if O::ON {
            let said = self.heap.of_places(places.clone());
            self.watch(|w, scene| w.native(scene, name, args, said));
        }
    }

    /// Where a unit can end a walk.
    pub fn walk(&mut self, me: UnitId, steps: i64, exactly: bool) -> Answer<PlaceSet> {
        if self.table.rules.hooks.cost_to_enter.is_some() {
            return self.walk_at_cost(me, steps, exactly);
        }
        // No way that visits no place twice is longer than there are places.
        let longest = self.table.rules.board.len().max(64);
        let steps = usize::try_from(steps).unwrap_or(0).min(longest);
        self.work(steps)?;
        if self.refusal_to_leave(me)?.is_some() {
            return Ok(PlaceSet::EMPTY);
        }
        let table = &*self.table;
        let candidates = if exactly {
            movement::reach_exactly(&table.rules, &table.world, me, steps)
        } else {
            movement::reach(&table.rules, &table.world, me, steps)
        };
        let name = if exactly { "walk_exactly" } else { "walk" };
        self.tell_places(name, &[me.into(), Value::from(steps as i64)], &candidates);
        self.may_end(me, candidates)
    }

    /// Where a unit can end a walk for which it has so much to spend.
    fn walk_at_cost(&mut self, me: UnitId, budget: i64, exactly: bool) -> Answer<PlaceSet> {
        if exactly {
            let why = "`walk_exactly` counts steps, and here they have costs (`cost_to_enter`): use `walk`";
            return Err(rule(why));
        }
        if self.refusal_to_leave(me)?.is_some() {
            return Ok(PlaceSet::EMPTY);
        }
        let budget = u64::try_from(budget).unwrap_or(0);
        let candidates = self
            .ways(me, budget)?
            .map_or(PlaceSet::EMPTY, |ways| ways.reached());
        self.tell_places("walk", &[me.into(), Value::from(budget as i64)], &candidates);
        self.may_end(me, candidates)
    }

    /// The cheapest ways of a unit with so much to spend: over ground, through allied units, and ending where
    /// an opposing one stands. None for a unit that is not on the board.
    pub fn ways(&mut self, me: UnitId, budget: u64) -> Answer<Option<Ways>> {
        let Some(start) = self.table.world.place(me) else {
            return Ok(None);
        };
        let cost = self.table.rules.hooks.cost_to_enter;
        let mut ways = Ways::from(&self.table.rules.board, start, budget);
        while let Some(place) = ways.settle() {
            let world = &self.table.world;
            if place != start && movement::ends(world, me, place) {
                continue;
            }
            let near = self.table.rules.board.neighbours(place) & world.ground();
            self.work(1 + near.len())?;
            for to in near {
                if ways.is_known(to) {
                    continue;
                }
                let said = match cost {
                    None => Some(1),
                    Some(hook) => self.cost_to_enter(hook, to, me, place)?,
                };
                if let Some(cost) = said {
                    ways.step(place, to, cost);
                }
            }
        }
        Ok(Some(ways))
    }

    /// What a step costs; `None` where none can be made.
    fn cost_to_enter(&mut self, hook: HookId, to: PlaceId, me: UnitId, from: PlaceId) -> Answer<Option<u64>> {
        let said = self.hook(hook, &[to.into(), me.into(), from.into()])?;
        let cost = said.as_int().and_then(|n| u64::try_from(n).ok());
        if cost.is_none() && !said.is_nothing() {
            let what = "a whole number from 0 up, or nothing where no step leads";
            return Err(self.misspoken(hook, to, what, said));
        }
        Ok(cost)
    }

    /// What a straight line between two places meets.
    pub fn sight(&mut self, from: PlaceId, to: PlaceId) -> Answer<Sight> {
        self.work(self.table.rules.board.distance(from, to).pow(2))?;
        Ok(self.table.rules.board.sight(from, to))
    }

    /// Whether nothing between two places blocks sight, as the game's hook says of each.
    pub fn in_sight(&mut self, from: PlaceId, to: PlaceId) -> Answer<bool> {
        let Some(hook) = self.table.rules.hooks.blocks_sight else {
            let why =
                "nothing says what blocks sight: give the places that do, or define `blocks_sight(here)`";
            return Err(rule(why));
        };
        let sight = self.sight(from, to)?;
        let mut blockers = PlaceSet::EMPTY;
        for place in sight.places() {
            let said = self.hook(hook, &[place.into()])?;
            match said.as_bool() {
                Some(true) => blockers.insert(place),
                Some(false) => {}
                None => return Err(self.misspoken(hook, place, "true or false", said)),
            }
        }
        Ok(sight.is_free(&blockers))
    }

    /// A hook about a place said what it cannot mean: told where the function stands.
    pub(super) fn misspoken(&mut self, hook: HookId, place: PlaceId, what: &str, said: Value) -> Fault {
        let entry = &self.program.hooks[hook.0 as usize];
        let index = match whose_place(self.program, self.table, hook, place) {
            Ok(whose) => entry.target(whose).index,
            Err(fault) => return fault,
        };
        let said = match self.text_of(said) {
            Ok(said) => said,
            Err(fault) => return fault,
        };
        let name = self.table.rules.board.name(place);
        let why = format!("`{}` says of {name} `{said}`, not {what}", entry.name);
        let at = self.program.functions[index].at;
        self.fail(Why::Rule(why), index, Spot::new(at));
        Fault::halted()
    }

    /// The direction of that name.
    pub fn direction(&self, table: &Table, name: WordId) -> Answer<usize> {
        let (board, text) = (&table.rules.board, table.words.text(name));
        board.direction_named(text).ok_or_else(|| {
            let hint = hint_for(text, board.directions().iter().map(|d| d.name));
            let cells = board.grid.cells();
            rule(format!("there is no direction `{text}` on {cells}; {hint}"))
        })
    }

    /// A direction's name as a value; nothing for none.
    pub fn direction_name(&mut self, direction: Option<usize>) -> Answer {
        match direction {
            Some(index) if index < self.table.rules.board.directions().len() => {
                self.text(self.table.rules.board.directions()[index].name)
            }
            _ => Ok(Value::NOTHING),
        }
    }

    /// Why an engaged unit may not move away; `None` for one that may, or is not engaged.
    fn refusal_to_leave(&mut self, me: UnitId) -> Answer<Option<Value>> {
        let table = &*self.table;
        let Some(hook) = table.rules.hooks.may_leave else {
            return Ok(None);
        };
        if engagement::contact(&table.rules, &table.world, me).is_empty() {
            return Ok(None);
        }
        let kind = table.world.unit(me).kind;
        self.refusal(hook, kind, &[me.into()])
    }

    /// The places where a unit may end its movement: those with room that no hook refuses.
    pub fn may_end(&mut self, me: UnitId, places: PlaceSet) -> Answer<PlaceSet> {
        let (room, shared, enter, join, kind) = {
            let table = &*self.table;
            let (rules, world) = (&table.rules, &table.world);
            let places = &places & world.ground();
            let own = world.with_own(&places, world.unit(me).owner);
            let mut room = if rules.stack == 0 { PlaceSet::EMPTY } else { places };
            for place in own {
                if movement::is_crowded(rules, world, me, place) {
                    room.remove(place);
                }
            }
            let mut shared = &room & world.occupied();
            if let Some(own) = world.place(me)
                && world.at(own) == UnitSet::one(me)
            {
                shared.remove(own);
            }
            let (enter, join) = (rules.hooks.may_enter, rules.hooks.may_join);
            (room, shared, enter, join, world.unit(me).kind)
        };
        if O::ON {
            let given = self.heap.of_places(places);
            self.tell_places(ROOM, &[me.into(), given], &room);
        }
        let mut open = room;
        for (hook, shared) in [(enter, None), (join, Some(shared))] {
            let Some(hook) = hook else { continue };
            if !O::ON && self.target_of(hook, kind).is_idle() {
                continue;
            }
            let asked = match shared {
                Some(shared) => shared & &open,
                None => open.clone(),
            };
            for place in asked {
                if self.refusal(hook, kind, &[me.into(), place.into()])?.is_some() {
                    open.remove(place);
                }
            }
        }
        Ok(open)
    }

    /// Asks a hook that says true or a reason; `None` for true.
    fn refusal(&mut self, hook: HookId, kind: TypeId, args: &[Value]) -> Answer<Option<Value>> {
        let target = self.target_of(hook, kind);
        if target.is_idle() && !O::ON {
            return Ok(None);
        }
        let said = self.invoke(target, args)?;
        let allowed = said == Value::TRUE || target.is_idle();
        Ok((!allowed).then_some(said))
    }

    /// The unit's owner chooses a place for it to move to, or that it stays.
    pub fn travel(&mut self, me: UnitId, places: PlaceSet) -> Answer<()> {
        let (label, stay) = self.program.travel;
        let places = self.heap.of_places(places);
        let chosen = self.choose(me.into(), None, label, places, Some(stay))?;
        match chosen.as_place() {
            Some(place) => self.act(Effect::Put(me, place.into()), Cause::default()),
            None => Ok(()),
        }
    }

    /// Asks `who` (a faction, or a unit's owner) to choose; `word` is offered first.
    pub fn choose(
        &mut self,
        who: Value,
        about: Option<Thing>,
        label: WordId,
        options: Value,
        word: Option<WordId>,
    ) -> Answer {
        self.choose_or(who, about, label, (options, word), Open::No)
    }

    /// The same, with what can be answered besides.
    pub fn choose_or(
        &mut self,
        who: Value,
        about: Option<Thing>,
        label: WordId,
        (options, word): (Value, Option<WordId>),
        open: Open,
    ) -> Answer {
        let (asker, subject) = self.asked_of(who, about)?;
        self.offer(word, options)?;
        self.table.request.options.leave_open(open);
        self.work(ACT + self.table.request.options.len())?;
        self.acts();
        let chosen = self.table.choose(asker, subject, label)?;
        self.offered(chosen)
    }

    /// An option of the question, as scripts get it when it is chosen.
    pub fn offered(&mut self, option: Opt) -> Answer {
        match option {
            several @ Opt::Several(_) => self.list(several.things().map(value_of)),
            many @ Opt::Many(_) => {
                let things = self.table.request.options.things_of(many);
                self.list(things.into_iter().map(value_of))
            }
            one => Ok(value_of(one)),
        }
    }

    /// Asks `who` for several of the things at once, or for an order of all of them.
    pub fn choose_ways(&mut self, who: Value, label: WordId, things: Value, takes: Takes) -> Answer {
        let (asker, subject) = self.asked_of(who, None)?;
        let verb = match takes {
            Takes::Order => "choose_order",
            Takes::Some(..) => "choose_several",
        };
        let items = library::through(self, verb, things)?;
        if let Takes::Some(least, most) = takes
            && (least > most || least > items.len())
        {
            let what = match least == most {
                true => least.to_string(),
                false => format!("{least} to {most}"),
            };
            return Err(rule(format!("`{verb}` cannot take {what} of {}", items.len())));
        }
        let mut list = Vec::with_capacity(items.len());
        for item in items {
            let option = self.option(item)?;
            let blank = |w: WordId| self.table.words.text(w).contains(' ');
            if matches!(option, Opt::Several(_)) || matches!(option, Opt::Word(word) if blank(word)) {
                return Err(rule(format!(
                    "`{verb}` takes units, places, factions, types, terrains, numbers and single words, not {}",
                    item.kind().told()
                )));
            }
            list.push(option);
        }
        if let Takes::Some(_, most) = takes {
            // The ways are counted for each thing, and for each number of them.
            self.work((list.len() + 1) * (most.min(list.len()) + 1))?;
        }
        self.table.request.options.offer_ways(takes, list);
        self.work(ACT + self.table.request.options.len().min(MAX_WAYS))?;
        self.acts();
        let chosen = self.table.choose(asker, subject, label)?;
        let things = self.table.request.options.things_of(chosen);
        self.list(things.into_iter().map(value_of))
    }

    /// Who is asked, and what about.
    #[inline(always)]
    fn asked_of(&self, who: Value, about: Option<Thing>) -> Answer<(FactionId, Thing)> {
        let thing = self.thing(who, "choose")?;
        let (asker, subject) = match thing {
            Thing::Faction(f) => (f, about.unwrap_or(Thing::Faction(f))),
            Thing::Unit(u) => (self.table.world.unit(u).owner, about.unwrap_or(thing)),
            _ => return Err(rule("`choose` asks a unit's owner or a faction: give one first")),
        };
        let own = subject == Thing::Faction(asker);
        Ok((asker, if own { Thing::Game } else { subject }))
    }

    /// Lays what can be chosen before whoever is asked.
    #[inline]
    fn offer(&mut self, word: Option<WordId>, options: Value) -> Answer<()> {
        let among = match options.kind() {
            Kind::Units => Among::Units(self.heap.units(options).unwrap_or_default()),
            Kind::Places => Among::Places(self.heap.places(options).unwrap_or_default()),
            Kind::Region => match self.heap.region(options) {
                Some(region) => Among::Region(Arc::clone(region)),
                None => return Err(Fault::mismatch()),
            },
            Kind::Range => {
                let (from, to) = self.heap.numbers(options).into_inner();
                if to.saturating_sub(from) >= 256 {
                    return Err(rule("a choice among more than 256 numbers"));
                }
                Among::Numbers(from, to)
            }
            _ => return self.offer_list(word, options),
        };
        self.table.request.options.offer(word, among);
        Ok(())
    }

    fn offer_list(&mut self, word: Option<WordId>, options: Value) -> Answer<()> {
        // The room of the last list is used again.
        let mut list = std::mem::take(self.table.request.options.offer(word, Among::List));
        let mut answer = Ok(());
        match (options.kind(), options.items()) {
            (Kind::Dice, _) => list.extend(
                self.heap
                    .dice(options)
                    .unwrap_or_default()
                    .values()
                    .map(Opt::Number),
            ),
            (Kind::List, Some(items)) => {
                for &item in self.heap.list(items) {
                    match self.option(item) {
                        Ok(option) => list.push(option),
                        Err(fault) => answer = Err(fault),
                    }
                }
            }
            (other, _) => {
                answer = Err(rule(format!(
                    "`choose` takes its options as units, places, a list, dice or a range of numbers, not {}",
                    other.word()
                )));
            }
        }
        *self.table.request.options.offer(word, Among::List) = list;
        answer
    }

    fn option(&self, item: Value) -> Answer<Opt> {
        Ok(match item.kind() {
            Kind::Int => Opt::Number(item.as_int().unwrap_or(0)),
            Kind::Word => Opt::Word(item.as_word().unwrap_or_default()),
            Kind::Type => Opt::Type(item.as_type().unwrap_or_default()),
            Kind::Terrain => Opt::Terrain(item.as_terrain().unwrap_or_default()),
            Kind::Spot => Opt::Point(item.as_spot().unwrap_or_default()),
            Kind::List => self.several(item)?,
            _ => match self.thing(item, "choose")? {
                Thing::Unit(u) => Opt::Unit(u),
                Thing::Place(p) => Opt::Place(p),
                Thing::Faction(f) => Opt::Faction(f),
                Thing::Game => return Err(rule("the game is no option")),
            },
        })
    }

    /// Two or three things at once as one option.
    fn several(&self, list: Value) -> Answer<Opt> {
        let items = list.items().map_or(&[][..], |l| self.heap.list(l));
        if !(2..=MAX_PARTS).contains(&items.len()) {
            let why = format!(
                "an option that is a list has 2 or {MAX_PARTS} things, not {}",
                items.len()
            );
            return Err(rule(why));
        }
        let mut parts = [None; MAX_PARTS];
        for (part, &item) in parts.iter_mut().zip(items) {
            let option = match (item.as_unit(), item.as_place()) {
                (Some(unit), _) => Some(Part::Unit(unit)),
                (_, Some(place)) => Some(Part::Place(place)),
                _ if item.is(Kind::List) => None,
                _ => self.option(item)?.part(),
            };
            let blank = matches!(option, Some(Part::Word(word)) if self.table.words.text(word).contains(' '));
            if option.is_none() || blank {
                return Err(rule(
                    "an option of several things has units, places, factions, types, terrains, numbers up to \
                     32,767 and single words in it",
                ));
            }
            *part = option;
        }
        Ok(Opt::Several(parts))
    }

    /// Rolls dice.
    pub fn roll(&mut self, who: Value, label: WordId, dice: i64, sides: i64) -> Answer<Pool> {
        self.work(ACT + self.table.scripted_rolls.len() / 8)?;
        let thing = self.thing(who, "roll")?;
        self.changes();
        let pool = self.table.roll(thing, label, dice, sides)?;
        match self.table.rules.hooks.reactions.rolled {
            Some(hook) if !self.reacting.iter().any(|(reacting, _)| *reacting == hook) => {
                self.counted(hook, who, thing, label, pool)
            }
            _ => Ok(pool),
        }
    }

    /// What a roll counts as.
    fn counted(&mut self, hook: HookId, who: Value, thing: Thing, label: WordId, pool: Pool) -> Answer<Pool> {
        let args = [who, label.into(), self.heap.of_dice(pool.clone())];
        let counts = self.asked_before(hook, thing, &args, Cause::default(), |said, heap| {
            heap.dice(said).ok_or("what the roll counts as: dice")
        })?;
        if counts != pool {
            self.changes();
            self.table.count_roll(thing, label, counts.clone())?;
        }
        Ok(counts)
    }

    /// Ends the contest that is running.
    pub fn finish(&mut self, winner: Option<FactionId>, reason: WordId) -> Answer<()> {
        let rules = Rc::clone(&self.table.rules);
        let contest = self.table.checkpoint.cursor.contest(&rules).unwrap_or(WHOLE_PLAY);
        let contest = self.table.words.intern(contest);
        let by = match self.table.about() {
            Thing::Unit(u) => Who::Unit(self.table.world.name(u)),
            _ => Who::Game,
        };
        let outcome = Outcome {
            winner,
            reason,
            contest,
        };
        self.act(Effect::Finish(outcome), Cause { word: None, by })
    }

    /// Takes from the slot that hits take from.
    pub fn hit(&mut self, unit: UnitId, damage: i64, word: WordId, by: Option<Value>) -> Answer<()> {
        let Some(slot) = self.program.hit else {
            return Err(rule(
                "`hit` takes from the slot of units that says `hit: true`, and none does",
            ));
        };
        if damage <= 0 {
            return Ok(());
        }
        let cause = self.cause(word, by)?;
        self.act(Effect::Add(Thing::Unit(unit), slot, -damage), cause)
    }

    /// Adds to a number slot.
    pub fn add_to(&mut self, to: Value, slot: WordId, n: i64, word: WordId, by: Option<Value>) -> Answer<()> {
        let thing = self.thing(to, "add")?;
        let index = {
            let table = &*self.table;
            let slots = table.rules.slots.of(thing);
            let slot = table.words.text(slot);
            let found = slots
                .iter()
                .position(|s| s.name == slot && s.kind == SlotKind::Number);
            found.ok_or_else(|| {
                let hint = hint_for(slot, slots.iter().map(|s| s.name.as_str()));
                rule(format!("there is no number slot `{slot}` here; {hint}"))
            })?
        };
        let cause = self.cause(word, by)?;
        self.act(Effect::Add(thing, index as u8, n), cause)
    }

    /// Why something happens: a word, and who does it; by default the step's subject.
    pub fn cause(&self, word: WordId, by: Option<Value>) -> Answer<Cause> {
        let by = match by {
            Some(by) => self.thing(by, "by whom")?,
            None => self.table.about(),
        };
        Ok(Cause {
            word: Some(word),
            by: self.table.world.who(by),
        })
    }

    /// Makes an effect happen, and then what follows from it.
    pub fn act(&mut self, effect: Effect, cause: Cause) -> Answer<()> {
        self.work(ACT)?;
        let effect = match self.table.rules.hooks.weighs {
            false => effect,
            true => match self.weighed(effect, cause)? {
                Some(effect) => effect,
                None => return Ok(()),
            },
        };
        if O::ON {
            self.watch(|w, _| w.act(effect, cause));
        }
        self.changes();
        self.table.perform(effect, cause)?;
        if !self.table.due.is_empty() {
            // What follows from a reaction happens before the next one.
            for due in std::mem::take(&mut self.table.due) {
                self.react(due)?;
            }
        }
        Ok(())
    }

    /// Calls a hook that follows from an effect, if that is still so.
    pub fn react(&mut self, due: Due) -> Answer<()> {
        if !self.table.still_holds(&due) {
            return Ok(());
        }
        let program: &'r Program = self.program;
        let entry = &program.hooks[due.hook.0 as usize];
        let args = [
            value_of_thing(due.about),
            value_of_thing(due.with.unwrap_or(Thing::Game)),
        ];
        let args = match due.with {
            // The game stands for nowhere.
            Some(Thing::Game) => [args[0], Value::NOTHING],
            _ => args,
        };
        let args = &args[..entry.arity.min(1 + usize::from(due.with.is_some()))];
        self.changes();
        let outer = std::mem::replace(&mut self.table.follows, due.causes);
        match due.about {
            Thing::Unit(unit) => {
                let target = self.target_of(due.hook, self.table.world.unit(unit).kind);
                self.reaction(due.hook, due.about, target, args)?;
            }
            Thing::Place(place) => {
                let mut own = false;
                for terrain in self.table.world.terrain(place) {
                    let target = entry.target(Whose::Terrain(terrain));
                    if target.index != entry.game.index {
                        own = true;
                        self.reaction(due.hook, due.about, target, args)?;
                    }
                }
                if !own {
                    self.reaction(due.hook, due.about, &entry.game, args)?;
                }
            }
            _ => {
                self.reaction(due.hook, due.about, &entry.game, args)?;
            }
        }
        self.table.follows = outer;
        self.changes();
        Ok(())
    }

    /// Calls a function because something happens, and says whose turn it is to react while it runs.
    fn reaction(&mut self, hook: HookId, about: Thing, target: &Target, args: &[Value]) -> Answer {
        if target.is_idle() && !O::ON {
            return Ok(target.constant.unwrap_or(Value::NOTHING));
        }
        self.reacting.push((hook, about));
        if self.depth + SPARE_CALLS > MAX_CALL_LEVELS {
            return Err(self.endless(&self.reacting));
        }
        let said = self.invoke(target, args)?;
        self.reacting.pop();
        Ok(said)
    }

    /// Reactions set each other off without end: which ones, from the first.
    #[cold]
    pub fn endless(&self, chain: &[(HookId, Thing)]) -> Fault {
        let told = chain.iter().take(CHAIN_TOLD).map(|(hook, about)| {
            let who = match about {
                Thing::Game => "the game".to_owned(),
                other => self.table.rules.who(self.table.world.who(*other)),
            };
            format!("{who} `{}`", self.program.hooks[hook.0 as usize].name)
        });
        let told: Vec<String> = told.collect();
        let more = match chain.len().saturating_sub(CHAIN_TOLD) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        rule(format!(
            "reactions set each other off again and again: {}{more}",
            told.join(", ")
        ))
    }

    /// An effect as much of it counts as hooks say that are asked before it; `None` when nothing does.
    fn weighed(&mut self, effect: Effect, cause: Cause) -> Answer<Option<Effect>> {
        let table = &*self.table;
        let (thing, slot, by) = match effect {
            Effect::Remove(unit) => return Ok(self.may_remove(unit, cause)?.then_some(effect)),
            Effect::Add(thing, slot, by) => (thing, slot, by),
            Effect::Set(thing, slot, to) => {
                let by = to.checked_sub(table.world.slot(thing, slot as usize));
                (thing, slot, by.unwrap_or(0))
            }
            _ => return Ok(Some(effect)),
        };
        let own = &table.rules.slots.of(thing)[slot as usize];
        let hook = if by < 0 { own.falls } else { own.rises };
        let there = !matches!(thing, Thing::Unit(unit) if !table.world.is_alive(unit));
        let Some(hook) = hook.filter(|_| by != 0 && there) else {
            return Ok(Some(effect));
        };
        let whom = self.whom(cause.by).unwrap_or(Value::NOTHING);
        let args = [value_of_thing(thing), by.saturating_abs().into(), whom];
        let counts = self.asked_before(hook, thing, &args, cause, |said, _| {
            said.as_int()
                .filter(|n| *n >= 0)
                .ok_or("how much counts: a number from 0")
        })?;
        let by = counts * by.signum();
        Ok((counts != 0).then(|| match effect {
            Effect::Set(..) => {
                let now = self.table.world.slot(thing, slot as usize);
                Effect::Set(thing, slot, now.saturating_add(by))
            }
            _ => Effect::Add(thing, slot, by),
        }))
    }

    /// Whether a unit may be removed; where it may not, why is put on record.
    fn may_remove(&mut self, unit: UnitId, cause: Cause) -> Answer<bool> {
        let Some(hook) = self.table.rules.hooks.reactions.may_remove else {
            return Ok(true);
        };
        if !self.table.world.is_alive(unit) {
            return Ok(true);
        }
        let said = self.asked_before(hook, Thing::Unit(unit), &[unit.into()], cause, |said, _| {
            (said == Value::TRUE || said.as_word().is_some())
                .then_some(said)
                .ok_or("true, or why the unit is not removed")
        })?;
        match said.as_word() {
            Some(reason) => {
                self.changes();
                self.table.spare(unit, reason, cause)?;
                Ok(false)
            }
            None => Ok(true),
        }
    }

    /// Asks a hook before something happens, and reads what it says; what cannot be read is its error.
    fn asked_before<T>(
        &mut self,
        hook: HookId,
        about: Thing,
        args: &[Value],
        cause: Cause,
        read: impl Fn(Value, &Heap) -> Result<T, &'static str>,
    ) -> Answer<T> {
        let whose = self.whose(hook, args.first().copied())?;
        let program: &'r Program = self.program;
        let entry = &program.hooks[hook.0 as usize];
        let target = entry.target(whose);
        self.changes();
        let outer = std::mem::replace(&mut self.table.follows, vec![cause]);
        let said = self.reaction(hook, about, target, &args[..args.len().min(entry.arity)])?;
        self.table.follows = outer;
        self.changes();
        read(said, self.heap).map_err(|wanted| {
            let why = format!("`{}` must say {wanted}; it says {}", entry.name, said.describe());
            self.fail(Why::Rule(why), target.index, Spot::default());
            Fault::halted()
        })
    }

    /// Who did something, as scripts see it; nobody when that is the game itself, or a unit that is gone.
    pub fn whom(&self, by: Who) -> Option<Value> {
        match by {
            Who::Game => None,
            Who::Faction(faction) => Some(faction.into()),
            Who::Place(place) => Some(place.into()),
            Who::Unit(name) => self.table.world.find(name).map(Value::from),
        }
    }

    /// Somebody goes through the record, which is more than the position: answers are in it, too.
    pub fn reads_record(&mut self) -> Answer<()> {
        self.acts();
        self.table.record_read.set(true);
        self.work(LINE * self.table.events.len())
    }

    /// How many lines of the record have a text in them.
    pub fn lines_with(&mut self, text: WordId) -> Answer<i64> {
        self.reads_record()?;
        let table = &*self.table;
        let wanted = table.words.text(text);
        let lines = table.events.iter().map(|e| e.line(&table.rules, &table.words));
        Ok(lines.filter(|line| line.contains(wanted)).count() as i64)
    }

    /// Reads a property of a value.
    #[inline]
    pub fn get(&mut self, getter: Getter, of: Value) -> Answer {
        match getter {
            Getter::Slot(index, kind) => {
                let thing = self.thing(of, "a slot")?;
                let table = &*self.table;
                if kind == SlotKind::Dice {
                    let (dice, mark) = table.world.lend(thing, index);
                    return Ok(self.heap.lent(dice, mark));
                }
                let value = table.world.slot(thing, index);
                if kind == SlotKind::Direction {
                    return self.direction_name(usize::try_from(value).ok());
                }
                Ok(slot_value(kind, value))
            }
            Getter::Stat(index) => {
                let table = &*self.table;
                let number = match of.kind() {
                    Kind::Unit => {
                        let kind = table.world.unit(of.as_unit().unwrap_or_default()).kind;
                        stat_of(table, kind, index)
                    }
                    Kind::Type => stat_of(table, of.as_type().unwrap_or_default(), index),
                    Kind::Terrain => stat_of_terrain(table, of.as_terrain().unwrap_or_default(), index),
                    _ => stat_of_place(table, of.as_place().unwrap_or_default(), index),
                }?;
                Ok(match table.rules.flags[index] {
                    true => (number == 1).into(),
                    false => number.into(),
                })
            }
            Getter::Zone(index) => {
                let zone = self
                    .table
                    .rules
                    .board
                    .zone(index, of.as_faction().unwrap_or_default());
                Ok(self.heap.of_places(zone.clone()))
            }
            Getter::Native(index) => Runs::<O>::GETTERS[index as usize](self, of),
        }
    }

    /// Writes a slot.
    pub fn set(&mut self, of: Value, (slot, kind): (usize, SlotKind), value: Value) -> Answer<()> {
        let thing = self.thing(of, "a slot")?;
        let held = match (kind, value.as_word()) {
            (SlotKind::Direction, Some(name)) => {
                let board = &self.table.rules.board;
                let direction = board.direction_named(self.table.words.text(name));
                direction.map(|d| d as i64)
            }
            (SlotKind::Dice, _) => self.heap.dice(value).and_then(|dice| dice.stored()),
            _ => slot_from(kind, value),
        };
        let Some(value) = held else {
            let name = &self.table.rules.slots.of(thing)[slot].name;
            let told = match (kind, value.as_word()) {
                (SlotKind::Direction, Some(word)) => {
                    let (text, grid) = (self.table.words.text(word), self.table.rules.board.grid);
                    format!(
                        "`{text}`: on {} it can be {}",
                        grid.cells(),
                        grid.directions_told()
                    )
                }
                (SlotKind::Dice, _) if value.is(Kind::Dice) => {
                    let dice = self.heap.dice(value).unwrap_or_default();
                    format!(
                        "the dice {dice}: in a slot there are at most {MAX_SLOT_DICE}, and they show at most \
                         {MAX_SLOT_SIDES}"
                    )
                }
                _ => value.describe().to_owned(),
            };
            return Err(rule(format!("the slot `{name}` cannot hold {told}")));
        };
        self.act(Effect::Set(thing, slot as u8, value), Cause::default())
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

/// What was chosen, as scripts see it; of several things the first.
fn value_of(option: Opt) -> Value {
    match option {
        Opt::Unit(u) => u.into(),
        Opt::Place(p) => p.into(),
        Opt::Point(p) => p.into(),
        Opt::Faction(f) => f.into(),
        Opt::Type(k) => k.into(),
        Opt::Terrain(t) => t.into(),
        Opt::Number(n) => n.into(),
        Opt::Word(w) => w.into(),
        several @ Opt::Several(_) => several.things().next().map_or(Value::NOTHING, value_of),
        Opt::Many(_) => Value::NOTHING,
    }
}

/// The first of the functions that takes such arguments.
fn fitting(choice: &[u16], args: &[Value]) -> Answer<u16> {
    let mut all = choice.iter().copied();
    let found = all.find(|n| takes(&NATIVES[*n as usize], args));
    found.ok_or_else(Fault::mismatch)
}

/// Whether a native function takes such arguments.
fn takes(native: &super::natives::Native, args: &[Value]) -> bool {
    let fits = |((_, kind), arg): (&(&str, Kind), &Value)| *kind == Kind::Any || arg.is(*kind);
    native.params.iter().zip(args).all(fits)
}

/// Interns a text of a script, within limits; `None` beyond them.
pub fn intern(words: &mut Words, text: &str) -> Option<WordId> {
    match text.len() <= MAX_STRING {
        true => words.keep(text),
        false => words.find(text),
    }
}

/// Whose script a call of a hook about a place goes to.
pub fn whose_place(program: &Program, table: &Table, hook: HookId, place: PlaceId) -> Answer<Whose> {
    let entry = &program.hooks[hook.0 as usize];
    let own = |t: &TerrainId| {
        let target = entry.by_terrain.get(t.index());
        target.is_some_and(|t| t.index != entry.game.index)
    };
    let mut saying = table.world.terrain(place).filter(own);
    match (saying.next(), saying.next()) {
        (None, _) => Ok(Whose::Game),
        (Some(terrain), None) => Ok(Whose::Terrain(terrain)),
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
        // Dice lie in the heap and a name is a text, which whoever reads the slot knows to find.
        SlotKind::Dice | SlotKind::Direction => Value::NOTHING,
    }
}

fn slot_from(kind: SlotKind, value: Value) -> Option<i64> {
    match kind {
        SlotKind::Number => value.as_int(),
        SlotKind::Flag => value.as_bool().map(i64::from),
        _ if value.is_nothing() => Some(NOTHING),
        SlotKind::Unit => value.as_unit().map(|u| u.0.into()),
        SlotKind::Place => value.as_place().map(|p| p.0.into()),
        SlotKind::Faction => value.as_faction().map(|f| f.0.into()),
        SlotKind::Dice | SlotKind::Direction => None,
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
        return Ok(table.world.slot(Thing::Unit(unit), slot));
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
