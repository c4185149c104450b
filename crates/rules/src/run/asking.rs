//! Common parts of the verbs that ask and roll: the faction that is asked, the options, the dice that a roll counts as.

use super::context::{ACT, Run};
use super::fault::{Fault, FaultKind, NativeResult, rule};
use super::library;
use super::observe::Observer;
use super::value::{Kind, Value};
use crate::kernel::choice::{
    MAX_PARTS, MAX_WAYS, OfferedOption, OpenEnd, OptionPart, OptionSet, PickCount, Things, UnitPairs,
};
use crate::kernel::dice::Pool;
use crate::kernel::dice_access::DiceRead;
use crate::kernel::ids::{Cause, FactionId, HookId, Thing, WordId};
use std::sync::Arc;

impl<'r, O: Observer> Run<'r, O> {
    /// Asks `who` (a faction, or a unit's owner) to choose; `word` is offered first.
    pub fn choose(
        &mut self,
        who: Value,
        about: Option<Thing>,
        label: WordId,
        options: Value,
        word: Option<WordId>,
    ) -> NativeResult {
        self.choose_or(who, about, label, (options, word), OpenEnd::No)
    }

    /// The same, with what can be answered besides.
    pub fn choose_or(
        &mut self,
        who: Value,
        about: Option<Thing>,
        label: WordId,
        (options, word): (Value, Option<WordId>),
        open: OpenEnd,
    ) -> NativeResult {
        let (asker, subject) = self.asked_of(who, about)?;
        self.offer(word, options)?;
        self.table.request.options.leave_open(open);
        self.work(ACT + self.table.request.options.len())?;
        self.acts();
        let chosen = self.table.choose(asker, subject, label)?;
        self.offered(chosen)
    }

    /// An option of the question, as scripts get it when it is chosen.
    pub fn offered(&mut self, option: OfferedOption) -> NativeResult {
        match option {
            OfferedOption::Several(parts) => {
                let mut things = [Value::NOTHING; MAX_PARTS];
                let mut count = 0;
                for part in parts.into_iter().flatten() {
                    things[count] = value_of(part.alone());
                    count += 1;
                }
                self.work(1)?;
                let list = self.heap.add_few(&things[..count]);
                list.map(Value::list).ok_or_else(|| FaultKind::Full.into())
            }
            many @ OfferedOption::Many(_) => {
                let things = self.table.request.options.things_of(many);
                self.list(things.into_iter().map(value_of))
            }
            one => Ok(value_of(one)),
        }
    }

    /// Asks `who` for several of the things at once, or for an order of all of them.
    pub fn choose_ways(
        &mut self,
        who: Value,
        label: WordId,
        things: Value,
        takes: PickCount,
    ) -> NativeResult {
        let (asker, subject) = self.asked_of(who, None)?;
        let verb = match takes {
            PickCount::Order => "choose_order",
            PickCount::Some(..) => "choose_several",
        };
        let items = library::through(self, verb, things)?;
        if let PickCount::Some(least, most) = takes
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
            if matches!(option, OfferedOption::Several(_))
                || matches!(option, OfferedOption::Word(word) if blank(word))
            {
                return Err(rule(format!(
                    "`{verb}` takes units, places, factions, types, terrains, numbers and single words, not {}",
                    item.kind().noun()
                )));
            }
            list.push(option);
        }
        if let PickCount::Some(_, most) = takes {
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

    /// Returns the faction that is asked, and the subject of the question.
    #[inline(always)]
    pub(super) fn asked_of(&self, who: Value, about: Option<Thing>) -> NativeResult<(FactionId, Thing)> {
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
    pub(super) fn offer(&mut self, word: Option<WordId>, options: Value) -> NativeResult<()> {
        let among = match options.kind() {
            Kind::Units => OptionSet::Units(self.heap.units(options).unwrap_or_default()),
            Kind::Places => OptionSet::Places(self.heap.places(options).unwrap_or_default()),
            Kind::Region => match self.heap.region(options) {
                Some(region) => OptionSet::Region(Arc::clone(region)),
                None => return Err(Fault::mismatch()),
            },
            Kind::Range => {
                let (from, to) = self.heap.numbers(options).into_inner();
                if to.saturating_sub(from) >= 256 {
                    return Err(rule("a choice among more than 256 numbers"));
                }
                OptionSet::Numbers(from, to)
            }
            Kind::List if word.is_none() && self.offer_pairs(options) => return Ok(()),
            _ => return self.offer_list(word, options),
        };
        self.table.request.options.offer(word, among);
        Ok(())
    }

    /// Lays pairs that nobody has looked into before whoever is asked; false if that is not what they are.
    fn offer_pairs(&mut self, options: Value) -> bool {
        let Some(runs) = options.items().and_then(|list| self.heap.runs(list)) else {
            return false;
        };
        if !runs.iter().all(|run| run.first.is(Kind::Unit)) {
            return false;
        }
        let pairs = runs.iter().map(|run| UnitPairs {
            unit: run.first.as_unit().unwrap_or_default(),
            with: match self.heap.units(run.with) {
                Some(units) => Things::Units(units),
                None => Things::Places(self.heap.places(run.with).unwrap_or_default()),
            },
            count: run.count,
        });
        self.table.request.options.offer_pairs(pairs)
    }

    pub(super) fn offer_list(&mut self, word: Option<WordId>, options: Value) -> NativeResult<()> {
        // The room of the last list is used again.
        let mut list = std::mem::take(self.table.request.options.offer(word, OptionSet::List));
        let mut answer = Ok(());
        match (options.kind(), options.items()) {
            (Kind::Dice, _) => list.extend(
                self.heap
                    .dice(options)
                    .unwrap_or_default()
                    .values()
                    .map(OfferedOption::Number),
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
        *self.table.request.options.offer(word, OptionSet::List) = list;
        answer
    }

    pub(super) fn option(&self, item: Value) -> NativeResult<OfferedOption> {
        Ok(match item.kind() {
            Kind::Int => OfferedOption::Number(item.as_int().unwrap_or(0)),
            Kind::Word => OfferedOption::Word(item.as_word().unwrap_or_default()),
            Kind::Type => OfferedOption::Type(item.as_type().unwrap_or_default()),
            Kind::Terrain => OfferedOption::Terrain(item.as_terrain().unwrap_or_default()),
            Kind::Spot => OfferedOption::Point(item.as_spot().unwrap_or_default()),
            Kind::List => self.several(item)?,
            Kind::Unit => OfferedOption::Unit(item.as_unit().unwrap_or_default()),
            Kind::Place => OfferedOption::Place(item.as_place().unwrap_or_default()),
            Kind::Edge => OfferedOption::Edge(item.as_edge().unwrap_or_default()),
            Kind::Faction => OfferedOption::Faction(item.as_faction().unwrap_or_default()),
            other => {
                return Err(rule(format!(
                    "`choose` offers units, places, edges, factions, types, terrains, numbers, spots and texts, not {}",
                    other.noun()
                )));
            }
        })
    }

    /// Two or three things at once as one option.
    pub(super) fn several(&self, list: Value) -> NativeResult<OfferedOption> {
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
                (Some(unit), _) => Some(OptionPart::Unit(unit)),
                (_, Some(place)) => Some(OptionPart::Place(place)),
                _ if item.is(Kind::List) => None,
                _ => self.option(item)?.part(),
            };
            let blank =
                matches!(option, Some(OptionPart::Word(word)) if self.table.words.text(word).contains(' '));
            if option.is_none() || blank {
                return Err(rule(
                    "an option of several things has units, places, factions, types, terrains, numbers up to \
                     32,767 and single words in it",
                ));
            }
            *part = option;
        }
        Ok(OfferedOption::Several(parts))
    }

    /// Shows a number with the next question.
    pub fn beside(&mut self, name: WordId, number: Value) -> NativeResult {
        let text = self.word(name);
        if text.trim().is_empty() || text.contains(char::is_control) {
            return Err(rule(format!("`{}` is no line of words", text.escape_debug())));
        }
        let number = self.length(number)?;
        self.acts();
        self.table.show_beside(name, number)?;
        Ok(Value::NOTHING)
    }

    /// Rolls dice.
    pub fn roll(&mut self, who: Value, label: WordId, dice: i64, sides: i64) -> NativeResult<Value> {
        self.work(ACT + self.table.chance.stated.rolls.len() / 8)?;
        let thing = self.thing(who, "roll")?;
        self.changes();
        let (pool, mark) = self.table.roll(thing, label, dice, sides)?;
        match self.table.rules.hooks.rolled {
            Some(hook) if !self.reacting.iter().any(|(reacting, _)| *reacting == hook) => {
                if let Some(recorder) = self.table.world.dice_recorder() {
                    recorder.look_at(mark, DiceRead::WHOLE);
                }
                let counts = self.counted(hook, who, thing, label, pool)?;
                Ok(self.heap.of_dice(counts))
            }
            _ => Ok(self.heap.lent(pool, mark)),
        }
    }

    /// Returns the dice that a roll counts as.
    pub(super) fn counted(
        &mut self,
        hook: HookId,
        who: Value,
        thing: Thing,
        label: WordId,
        pool: Pool,
    ) -> NativeResult<Pool> {
        let args = [who, label.into(), self.heap.of_dice(pool.clone())];
        let counts = self.asked_before(hook, thing, &args, Cause::default(), |value, heap| {
            heap.dice(value).ok_or("what the roll counts as: dice")
        })?;
        if counts != pool {
            self.changes();
            self.table.count_roll(thing, label, counts.clone())?;
        }
        Ok(counts)
    }
}

/// Returns the chosen option, as scripts see it; of several things the first.
pub(super) fn value_of(option: OfferedOption) -> Value {
    match option {
        OfferedOption::Unit(u) => u.into(),
        OfferedOption::Place(p) => p.into(),
        OfferedOption::Point(p) => p.into(),
        OfferedOption::Faction(f) => f.into(),
        OfferedOption::Type(k) => k.into(),
        OfferedOption::Terrain(t) => t.into(),
        OfferedOption::Edge(e) => Value::of_edge(e),
        OfferedOption::Number(n) => n.into(),
        OfferedOption::Word(w) => w.into(),
        several @ OfferedOption::Several(_) => several.things().next().map_or(Value::NOTHING, value_of),
        OfferedOption::Many(_) => Value::NOTHING,
    }
}
