//! Common parts of the verbs of movement: ways, the cost of a step, sight, the places where a walk may end.

use super::context::{ROOM, Run, whose_place};
use super::fault::{Fault, NativeResult, rule, unknown};
use super::node::Loc;
use super::observe::Observer;
use super::value::Value;
use crate::grounds::ways::PathSearch;
use crate::kernel::effect::Effect;
use crate::kernel::ids::{Cause, HookId, PlaceId, PlaceSet, TypeId, UnitId, UnitSet, WordId};
use crate::kernel::lines::SightLine;
use crate::kernel::table::Table;
use crate::kernel::{engagement, movement};
use crate::problems::wrong_hook_value;

/// Maximum cost of a step.
const MAX_COST: u64 = 1_000_000_000;

impl<'r, O: Observer> Run<'r, O> {
    /// Tells the watcher of places that the kernel found on the way.
    pub(super) fn report_places(&mut self, name: &str, args: &[Value], places: &PlaceSet) {
        if O::ON {
            let value = self.heap.of_places(places.clone());
            self.watch(|w, scene| w.native(scene, name, args, value));
        }
    }

    /// Returns the places where a unit can end a walk.
    pub fn walk(&mut self, me: UnitId, steps: i64, exactly: bool) -> NativeResult<PlaceSet> {
        if self.table.rules.hooks.cost_to_enter.is_some() {
            return self.walk_at_cost(me, steps, exactly);
        }
        // No way that visits no place twice is longer than there are places: more need not be tried, and what goes to
        // and fro exactly so often is not.
        let longest = self.table.rules.board.len().max(64);
        let steps = usize::try_from(steps).unwrap_or(0);
        if exactly && steps > longest {
            let why = format!("walk_exactly counts at most {longest} steps on this board, not {steps}");
            return Err(rule(why));
        }
        let steps = steps.min(longest);
        self.work(steps)?;
        if self.refusal_to_leave(me)?.is_some() {
            return Ok(PlaceSet::EMPTY);
        }
        let table = &*self.table;
        let candidates = if exactly {
            movement::reach_exactly(&table.world, me, steps)
        } else {
            movement::reach(&table.world, me, steps)
        };
        let name = if exactly { "walk_exactly" } else { "walk" };
        self.report_places(name, &[me.into(), Value::from(steps as i64)], &candidates);
        self.may_end(me, candidates)
    }

    /// Returns the places where a unit can end a walk within a budget.
    pub(super) fn walk_at_cost(&mut self, me: UnitId, budget: i64, exactly: bool) -> NativeResult<PlaceSet> {
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
        self.report_places("walk", &[me.into(), Value::from(budget as i64)], &candidates);
        self.may_end(me, candidates)
    }

    /// The cheapest ways of a unit with so much to spend: over ground, through allied units, and ending where
    /// an opposing one stands. None for a unit that is not on the board.
    pub fn ways(&mut self, me: UnitId, budget: u64) -> NativeResult<Option<PathSearch>> {
        let Some(start) = self.table.world.place(me) else {
            return Ok(None);
        };
        let cost = self.table.rules.hooks.cost_to_enter;
        let mut ways = PathSearch::from(&self.table.rules.board, start, budget);
        while let Some(place) = ways.settle() {
            let world = &self.table.world;
            if place != start && movement::ends(world, me, place) {
                continue;
            }
            let near = world.adjacency().neighbours(place) & world.ground();
            self.work(1 + near.len())?;
            for to in near {
                if ways.is_known(to) {
                    continue;
                }
                let result = match cost {
                    None => Some(1),
                    Some(hook) => self.cost_to_enter(hook, to, me, place)?,
                };
                if let Some(cost) = result {
                    ways.step(place, to, cost);
                }
            }
        }
        Ok(Some(ways))
    }

    /// Returns the cost of a step; `None` where none can be made.
    pub(super) fn cost_to_enter(
        &mut self,
        hook: HookId,
        to: PlaceId,
        me: UnitId,
        from: PlaceId,
    ) -> NativeResult<Option<u64>> {
        let value = self.reading(|run| run.hook(hook, &[to.into(), me.into(), from.into()]))?;
        let cost = value.as_int().and_then(|n| u64::try_from(n).ok());
        let cost = cost.filter(|n| *n <= MAX_COST);
        if cost.is_none() && !value.is_nothing() {
            let what = match value.as_int() {
                Some(1..) => "at most 1,000,000,000, or nothing where no step leads",
                _ => "a whole number from 0 up, or nothing where no step leads",
            };
            return Err(self.misspoken(hook, to, what, value));
        }
        Ok(cost)
    }

    /// Returns the result of a straight line between two places: what it meets on its way.
    pub fn sight(&mut self, from: PlaceId, to: PlaceId) -> NativeResult<SightLine> {
        self.on_a_board()?;
        self.work(self.table.rules.board.distance(from, to).pow(2))?;
        Ok(self.table.rules.board.sight(from, to))
    }

    /// Whether nothing between two places blocks sight, as the game's hook says of each.
    pub fn in_sight(&mut self, from: PlaceId, to: PlaceId) -> NativeResult<bool> {
        let Some(hook) = self.table.rules.hooks.blocks_sight else {
            let why =
                "nothing says what blocks sight: give the places that do, or define `blocks_sight(here)`";
            return Err(rule(why));
        };
        let sight = self.sight(from, to)?;
        let mut blockers = self.table.world.opaque_edges(&self.table.rules);
        for place in sight.places() {
            let value = self.reading(|run| run.hook(hook, &[place.into()]))?;
            match value.as_bool() {
                Some(true) => blockers.insert(place),
                Some(false) => {}
                None => return Err(self.misspoken(hook, place, "true or false", value)),
            }
        }
        Ok(sight.is_free(&blockers))
    }

    /// Returns the error of a hook about a place that returned another value than expected.
    pub(super) fn misspoken(&mut self, hook: HookId, place: PlaceId, expected: &str, value: Value) -> Fault {
        let entry = &self.program.hooks[hook.0 as usize];
        let index = match whose_place(self.program, self.table, hook, place) {
            Ok(whose) => entry.target(whose).index,
            Err(fault) => return fault,
        };
        let found = match self.text_of(value) {
            Ok(found) => found,
            Err(fault) => return fault,
        };
        let at = self.program.functions[index].at;
        self.fail(
            wrong_hook_value(&entry.name, expected, &found).into(),
            index,
            Loc::new(at),
        );
        Fault::halted()
    }

    /// The direction of that name.
    pub fn direction(&self, table: &Table, name: WordId) -> NativeResult<usize> {
        let (board, text) = (&table.rules.board, table.words.text(name));
        board
            .direction_named(text)
            .ok_or_else(|| unknown("direction", text, board.directions().iter().map(|d| d.name)))
    }

    /// A direction's name as a value; nothing for none.
    pub fn direction_name(&mut self, direction: Option<usize>) -> NativeResult {
        match direction {
            Some(index) if index < self.table.rules.board.directions().len() => {
                self.text(self.table.rules.board.directions()[index].name)
            }
            _ => Ok(Value::NOTHING),
        }
    }

    /// Why an engaged unit may not move away; `None` for one that may, or is not engaged.
    pub(super) fn refusal_to_leave(&mut self, me: UnitId) -> NativeResult<Option<Value>> {
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
    pub fn may_end(&mut self, me: UnitId, places: PlaceSet) -> NativeResult<PlaceSet> {
        let (rules, world) = (&self.table.rules, &self.table.world);
        let room = movement::with_room(rules, world, me, &places);
        let (hooks, kind) = (&rules.hooks, world.unit(me).kind);
        let relevant =
            |hook: Option<HookId>| hook.filter(|hook| O::ON || !self.target_of(*hook, kind).is_idle());
        let mut shared = PlaceSet::EMPTY;
        let (enter, join) = (relevant(hooks.may_enter), relevant(hooks.may_join));
        if join.is_some() {
            shared = &room & world.occupied();
            if let Some(own) = world.place(me)
                && world.at(own) == UnitSet::one(me)
            {
                shared.remove(own);
            }
        }
        if O::ON {
            let given = self.heap.of_places(places);
            self.report_places(ROOM, &[me.into(), given], &room);
        }
        let mut open = room;
        for (hook, shared) in [(enter, None), (join, Some(&shared))] {
            let Some(hook) = hook else { continue };
            let relevant = match shared {
                Some(shared) => shared & &open,
                None => open.clone(),
            };
            for place in relevant {
                if self.refusal(hook, kind, &[me.into(), place.into()])?.is_some() {
                    open.remove(place);
                }
            }
        }
        Ok(open)
    }

    /// Asks what is only to say something: it is asked as often as somebody looks, and so changes, rolls and asks nothing.
    pub(super) fn reading<T>(&mut self, ask: impl FnOnce(&mut Self) -> NativeResult<T>) -> NativeResult<T> {
        let before = std::mem::replace(&mut self.table.read_only, true);
        let result = ask(self);
        self.table.read_only = before;
        result
    }

    /// Asks a hook that says true, or false or a reason; `None` for true.
    pub(super) fn refusal(
        &mut self,
        hook: HookId,
        kind: TypeId,
        args: &[Value],
    ) -> NativeResult<Option<Value>> {
        let target = self.target_of(hook, kind);
        if target.is_idle() && !O::ON {
            return Ok(None);
        }
        let value = self.reading(|run| run.invoke(target, args))?;
        if value == Value::TRUE || target.is_idle() {
            return Ok(None);
        }
        if value != Value::FALSE && value.as_word().is_none() {
            return Err(self.said_otherwise(hook, target, "true, or why not", value)?);
        }
        Ok(Some(value))
    }

    /// The unit's owner chooses one of the places, or a spot of the region, for it to move to, or that it stays.
    pub fn travel(&mut self, me: UnitId, options: Value) -> NativeResult<()> {
        let (label, stay) = self.program.travel;
        let chosen = self.choose(me.into(), None, label, options, Some(stay))?;
        let to = match (chosen.as_place(), chosen.as_spot()) {
            (Some(place), _) => place.into(),
            (_, Some(spot)) => spot.into(),
            _ => return Ok(()),
        };
        self.act(Effect::Put(me, to), Cause::default())
    }
}
