//! Sets and lists in slots, as scripts see and change them: a list, which is written back as what came and what went.

use super::context::{Run, slot_from, slot_value};
use super::fault::{Fault, NativeResult};
use super::observe::Observer;
use super::value::{Kind, Value};
use crate::kernel::effect::{AT_END, Effect, over_limit};
use crate::kernel::ids::{Cause, Thing};
use crate::kernel::rules::{Item, ItemKind, Items, Slot, SlotKind};
use crate::problems::rule_failure;

/// Maximum number of texts that an error lists.
const SHOWN: usize = 12;

/// A rule that cannot be followed, and how it can.
#[cold]
fn hinted(why: String, hint: impl Into<String>) -> Fault {
    rule_failure(why).hint(hint).into()
}

/// The kind of a slot that holds one such thing; `None` for texts, which only sets and lists hold.
fn alone(kind: ItemKind) -> Option<SlotKind> {
    match kind {
        ItemKind::Number => Some(SlotKind::Number),
        ItemKind::Unit => Some(SlotKind::Unit),
        ItemKind::Place => Some(SlotKind::Place),
        ItemKind::Faction => Some(SlotKind::Faction),
        ItemKind::Text => None,
    }
}

impl<O: Observer> Run<'_, O> {
    /// Returns the items of a set or list as a list.
    pub(super) fn items_of(&mut self, thing: Thing, slot: usize, items: Items) -> NativeResult {
        let held = self.table.world.items(&self.table.rules, thing, slot, items);
        self.work(1 + held.len() / 8)?;
        let mut values = Vec::with_capacity(held.len());
        for item in held {
            let mut parts = Vec::with_capacity(items.width());
            for (kind, part) in items.parts().zip(item) {
                parts.push(match alone(kind) {
                    Some(kind) => slot_value(kind, part),
                    None => {
                        let texts = &self.table.rules.slots.texts;
                        let text = texts.get(part as usize).cloned().unwrap_or_default();
                        self.text(&text)?
                    }
                });
            }
            values.push(match items.second {
                None => parts[0],
                Some(_) => self.list(parts)?,
            });
        }
        self.list(values)
    }

    /// Writes a set or list: takes out what is there no longer, then inserts what is new.
    pub(super) fn set_items(
        &mut self,
        thing: Thing,
        slot: usize,
        items: Items,
        value: Value,
    ) -> NativeResult<()> {
        let values = match (self.heap.units(value), self.heap.places(value), value.kind()) {
            (Some(units), ..) => units.into_iter().map(Value::from).collect(),
            (_, Some(places), _) => places.iter().map(Value::from).collect(),
            (.., Kind::List) => self.items(value.items().ok_or_else(Fault::mismatch)?)?,
            (.., kind) => {
                let (name, what) = (&self.slot_of(thing, slot).name, items.name());
                let why = format!(
                    "the slot `{name}` holds a {what}, and cannot be set to {}",
                    kind.noun()
                );
                let hint =
                    "write a list in square brackets, or change it with `push`, `+= [..]` and `-= [..]`";
                return Err(hinted(why, hint));
            }
        };
        self.work(1 + values.len() / 4)?;
        let mut new = Vec::with_capacity(values.len());
        for value in values {
            new.push(self.item_of(thing, slot, items, value)?);
        }
        if items.is_set {
            new.sort_unstable();
            new.dedup();
        }
        let old = self.table.world.items(&self.table.rules, thing, slot, items);
        // In a simultaneous phase others may make room.
        if new.len() > items.at_most.into() && !self.table.gathers() {
            let why = over_limit(&self.slot_of(thing, slot).name, items, new.len());
            return Err(hinted(
                why,
                "take something out first, or raise `at_most` in `slots()`",
            ));
        }
        let slot = slot as u8;
        for effect in changes(&old, &new, items.is_set, thing, slot) {
            self.act(effect, Cause::default())?;
        }
        Ok(())
    }

    fn slot_of(&self, thing: Thing, slot: usize) -> &Slot {
        &self.table.rules.slots.of(thing)[slot]
    }

    /// An item as the world holds it.
    fn item_of(&mut self, thing: Thing, slot: usize, items: Items, value: Value) -> NativeResult<Item> {
        let parts = match (items.second, value.items()) {
            (None, _) => vec![value],
            (Some(_), Some(pair)) if value.is(Kind::List) && pair.len() == 2 => self.items(pair)?,
            (Some(_), _) => return Err(self.unfit_item(thing, slot, items, value)),
        };
        let mut item = Item::default();
        for ((kind, part), cell) in items.parts().zip(parts).zip(&mut item) {
            let held = match (alone(kind), part.as_word()) {
                // An item is something.
                _ if part.is_nothing() => None,
                (Some(kind), _) => slot_from(kind, part),
                (None, None) => None,
                (None, Some(word)) => {
                    let slots = &self.table.rules.slots;
                    let index = slots
                        .texts
                        .binary_search_by(|text| text.as_str().cmp(self.table.words.text(word)));
                    let index = index.ok().map(|index| index as u16);
                    index
                        .filter(|index| self.slot_of(thing, slot).texts.contains(index))
                        .map(i64::from)
                }
            };
            match held {
                Some(held) => *cell = held,
                None => return Err(self.unfit_item(thing, slot, items, part)),
            }
        }
        Ok(item)
    }

    #[cold]
    fn unfit_item(&mut self, thing: Thing, slot: usize, items: Items, value: Value) -> Fault {
        let found = match (value.as_word(), value.kind()) {
            (Some(word), _) => format!("the text `{}`", self.table.words.text(word)),
            (None, kind) => kind.noun().to_owned(),
        };
        let declared = self.slot_of(thing, slot);
        let all = &self.table.rules.slots.texts;
        let texts: Vec<&str> = declared
            .texts
            .iter()
            .map(|text| all[usize::from(*text)].as_str())
            .collect();
        let hint = match (items.second, declared.texts.is_empty()) {
            (_, false) => format!("its `texts` are {}", crate::lines::listed(&texts, SHOWN)),
            (Some(_), _) => "`push([a, b])` adds a pair".to_owned(),
            (None, _) => format!("its items are {}s", items.of.name()),
        };
        let (name, what) = (&declared.name, items.name());
        hinted(format!("the slot `{name}` holds a {what}, and not {found}"), hint)
    }
}

/// The effects that make one set or list of another.
fn changes(old: &[Item], new: &[Item], is_set: bool, thing: Thing, slot: u8) -> Vec<Effect> {
    let take = |(at, item): (usize, &Item)| Effect::Take(thing, slot, *item, at as u16);
    let insert = |at: u16, item: &Item| Effect::Insert(thing, slot, *item, at);
    if is_set {
        let gone = old
            .iter()
            .enumerate()
            .filter(|(_, item)| !new.contains(item))
            .map(take);
        let come = new.iter().filter(|item| !old.contains(item));
        return gone.chain(come.map(|item| insert(AT_END, item))).collect();
    }
    // All between what both begin and end with.
    let same = |(a, b): &(&Item, &Item)| a == b;
    let front = old.iter().zip(new).take_while(same).count();
    let (old, new) = (&old[front..], &new[front..]);
    let back = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    let (gone, come) = (&old[..old.len() - back], &new[..new.len() - back]);
    let at = |nth: usize| if back == 0 { AT_END } else { (front + nth) as u16 };
    let gone = gone.iter().map(|item| take((front, item)));
    gone.chain(come.iter().enumerate().map(|(nth, item)| insert(at(nth), item)))
        .collect()
}
