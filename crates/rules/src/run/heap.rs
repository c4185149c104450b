//! Storage for the values of a step: lists, maps, closures and values that do not fit into two words. It is emptied
//! between steps.
//!
//! Nothing in it ever changes but by growing at its end: what alters a list makes another, in place where the
//! first ends where its store ends, so that collecting in a loop stays cheap.

use super::code::{REGISTERS, Registers};
use super::memo::Memo;
use super::value::{Kind, ListId, Value};
use crate::engine::{MAX_ARRAY, MAX_NESTING};
use crate::kernel::dice::Pool;
use crate::kernel::dice_access::{DiceRead, DiceRecorder, LogMark};
use crate::kernel::ground::Region;
use crate::kernel::ids::{PlaceId, PlaceSet, UnitId, UnitSet, WordId};
use crate::kernel::rules::Words;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::OnceLock;

/// A closure: its code, and what it found around it.
#[derive(Debug, Clone, Copy)]
struct Closure {
    function: u32,
    captured: ListId,
}

/// Pairs with the same first value: that value, the set of second values, and their number.
#[derive(Debug, Clone, Copy)]
pub struct PairRun {
    pub first: Value,
    pub with: Value,
    pub count: usize,
}

/// A list of lists of two that nobody has looked into yet.
#[derive(Debug, Clone, Default)]
struct PairList {
    runs: Vec<PairRun>,
    /// Number of pairs.
    len: u32,
    /// The same written out, once somebody looks.
    written: OnceLock<PairItems>,
}

/// Lists of two, as values and one after the other.
#[derive(Debug, Clone, Default)]
struct PairItems {
    pairs: Vec<Value>,
    items: Vec<Value>,
}

impl PairItems {
    /// Adds the pairs of more runs of the pairing of this number.
    fn write(&mut self, heap: &Heap, pairing: u32, runs: &[PairRun]) {
        for &PairRun { first, with, .. } in runs {
            for other in heap.things(with) {
                let store = PAIR | pairing << PAIR_BITS | self.pairs.len() as u32;
                self.pairs.push(Value::list(ListId { store, len: 2 }));
                self.items.extend([first, other]);
            }
        }
    }
}

/// Marks the store of a list that is a pairing.
const PAIRING: u32 = 1 << 31;
/// Marks the store of a list that is one of the pairs of a pairing, with its number in the lowest bits and the
/// pairing's above them.
const PAIR: u32 = 1 << 30 | PAIRING;
const PAIR_BITS: u32 = 20;
/// Maximum number of pairings that can be distinguished; further ones are written out at once.
const MAX_PAIRINGS: usize = 1 << (30 - PAIR_BITS);
/// Number of items that a pair counts as: two items in a list, and that list in another.
const PAIR_ITEMS: usize = 4;

/// Maximum size of the heap of one step, in items.
pub const MAX_ITEMS: usize = 1_000_000;
/// Number of items that a set counts as when it does not fit into one word.
const MANY: usize = 64;
/// Marks a set of places that is not a word or two.
const MANY_PLACES: u32 = 1 << 31;
/// The lowest bits of dice that lie in the heap; no pool in a word has so many.
const MANY_DICE: u64 = 15;

/// Heap with the contents of a step's values.
#[derive(Debug, Clone, Default)]
pub struct Heap {
    lists: Vec<Vec<Value>>,
    /// Number of lists in use; the others are room.
    used: usize,
    pairings: Vec<PairList>,
    /// Number of pairings in use.
    paired: usize,
    /// The upper halves of sets of places.
    highs: Vec<u64>,
    /// Sets of units and of places in games that are too large for sets of one word.
    unit_sets: Vec<UnitSet>,
    place_sets: Vec<PlaceSet>,
    regions: Vec<Arc<dyn Region>>,
    /// Dice that are too many, or show too much, for one word.
    pools: Vec<Pool>,
    /// Whether any of those was ever there.
    has_many: bool,
    closures: Vec<Closure>,
    /// Variables that closures share with the function around them.
    cells: Vec<Value>,
    items: usize,
    /// Remembered values of functions in this step.
    pub memo: Memo<Value>,
    /// Recorder of the use of dice that a world lent.
    pub recorder: Option<DiceRecorder>,
    /// Registers that no function uses.
    pub spare: Vec<Box<Registers>>,
    /// Values that functions have laid aside.
    pub kept: Vec<Value>,
}

#[cold]
fn more_registers() -> Box<Registers> {
    Box::new([Value::NOTHING; REGISTERS])
}

/// Mark of the end of a heap.
#[derive(Debug, Clone, Copy, Default)]
pub struct HeapEnd {
    lists: usize,
    paired: usize,
    highs: usize,
    unit_sets: usize,
    place_sets: usize,
    regions: usize,
    pools: usize,
    closures: usize,
    cells: usize,
    items: usize,
}

impl Heap {
    /// Registers, with whatever lies in them.
    #[inline]
    pub fn registers(&mut self) -> Box<Registers> {
        self.spare.pop().unwrap_or_else(more_registers)
    }

    /// Returns the current end.
    pub fn mark(&self) -> HeapEnd {
        HeapEnd {
            lists: self.used,
            paired: self.paired,
            highs: self.highs.len(),
            unit_sets: self.unit_sets.len(),
            place_sets: self.place_sets.len(),
            regions: self.regions.len(),
            pools: self.pools.len(),
            closures: self.closures.len(),
            cells: self.cells.len(),
            items: self.items,
        }
    }

    /// Forgets everything since a mark.
    #[inline(always)]
    pub fn cut(&mut self, mark: HeapEnd) {
        self.used = mark.lists;
        self.paired = mark.paired;
        self.highs.truncate(mark.highs);
        if self.has_many {
            self.cut_many(mark);
        }
        self.closures.truncate(mark.closures);
        self.cells.truncate(mark.cells);
        self.items = mark.items;
    }

    #[cold]
    fn cut_many(&mut self, mark: HeapEnd) {
        self.unit_sets.truncate(mark.unit_sets);
        self.place_sets.truncate(mark.place_sets);
        self.regions.truncate(mark.regions);
        self.pools.truncate(mark.pools);
    }

    /// Whether more lies in it than may.
    pub fn is_full(&self) -> bool {
        self.items > MAX_ITEMS
    }

    /// Returns the number of items.
    pub fn items(&self) -> usize {
        self.items
    }

    /// Counts items that are there already once more.
    pub fn grow(&mut self, items: u32) {
        self.items += items as usize;
    }

    /// A list without items that has a store for itself.
    #[inline(always)]
    fn open(&mut self) -> (ListId, &mut Vec<Value>) {
        if self.used == self.lists.len() {
            self.add_store();
        }
        // A list costs something even when there is nothing in it.
        self.items += 1;
        self.used += 1;
        let store = &mut self.lists[self.used - 1];
        store.clear();
        let list = ListId {
            store: self.used as u32 - 1,
            len: 0,
        };
        (list, store)
    }

    #[cold]
    fn add_store(&mut self) {
        self.lists.push(Vec::new());
    }

    /// A list of a few items; `None` when the heap is full.
    #[inline(always)]
    pub fn add_few(&mut self, items: &[Value]) -> Option<ListId> {
        if items.len() > MAX_ITEMS.saturating_sub(self.items) {
            return None;
        }
        let (list, store) = self.open();
        store.extend_from_slice(items);
        self.items += items.len();
        Some(ListId {
            len: items.len() as u32,
            ..list
        })
    }

    /// A list of lists of two: the first with each of the others; `None` when the heap is full.
    pub fn pairs(&mut self, first: Value, others: impl Iterator<Item = Value>) -> Option<ListId> {
        let (mut all, _) = self.open();
        for other in others {
            let pair = self.add_few(&[first, other])?;
            self.items += 1;
            self.lists[all.store as usize].push(Value::list(pair));
            all.len += 1;
        }
        Some(all)
    }

    /// The same of a set of so many, written out when somebody looks: mostly they are only offered.
    pub fn pairs_with(&mut self, first: Value, with: Value, count: usize) -> Option<ListId> {
        if count == 0 {
            return self.add_few(&[]);
        }
        if self.paired == MAX_PAIRINGS {
            let others = self.things(with);
            return self.pairs(first, others);
        }
        self.items += 1 + PAIR_ITEMS * count;
        if self.is_full() {
            return None;
        }
        if self.paired == self.pairings.len() {
            self.pairings.push(PairList::default());
        }
        let pairing = &mut self.pairings[self.paired];
        pairing.runs.clear();
        pairing.runs.push(PairRun { first, with, count });
        pairing.len = count as u32;
        pairing.written.take();
        self.paired += 1;
        Some(ListId {
            store: PAIRING | (self.paired as u32 - 1),
            len: pairing.len,
        })
    }

    /// A list of pairs with those of a thing with each of a set of so many at its end; `None` of a list that is written
    /// out, and where there is no room.
    #[inline]
    pub fn append_pairs(&mut self, list: ListId, first: Value, with: Value, count: usize) -> Option<ListId> {
        let (len, items) = (list.len() + count, 1 + (PAIR_ITEMS + 1) * count);
        if len > MAX_ARRAY || self.items + items >= MAX_ITEMS {
            return None;
        }
        if count == 0 {
            self.items += 1;
            return Some(list);
        }
        if list.is_empty() {
            if self.paired == MAX_PAIRINGS {
                return None;
            }
            self.items += count;
            return self.pairs_with(first, with, count);
        }
        if list.store & PAIR != PAIRING {
            return None;
        }
        let pairing = self.pairings.get_mut((list.store ^ PAIRING) as usize)?;
        if pairing.len != list.len || pairing.written.get().is_some() {
            return None;
        }
        pairing.runs.push(PairRun { first, with, count });
        pairing.len = len as u32;
        self.items += items;
        Some(ListId {
            len: len as u32,
            ..list
        })
    }

    /// Number of things in a set of units or places.
    #[inline(always)]
    pub fn number_of(&self, set: Value) -> Option<usize> {
        match (set.kind(), set.more()) {
            (Kind::Units | Kind::Places, 0) => Some(set.data().count_ones() as usize),
            _ => self.number_of_many(set),
        }
    }

    #[inline(never)]
    fn number_of_many(&self, set: Value) -> Option<usize> {
        let units = self.units(set).map(|set| set.len());
        units.or_else(|| self.places(set).map(|set| set.len()))
    }

    /// Returns the contents of a set of units or of places.
    pub fn things(&self, set: Value) -> impl Iterator<Item = Value> + use<> {
        let (units, places) = (self.units(set), self.places(set));
        let units = units.into_iter().flatten().map(Value::from);
        units.chain(places.into_iter().flatten().map(Value::from))
    }

    /// The pairing that a list is the whole of.
    #[inline]
    fn pairing(&self, list: ListId) -> Option<&PairList> {
        if list.store & PAIR != PAIRING {
            return None;
        }
        let pairing = self.pairings.get((list.store ^ PAIRING) as usize)?;
        (pairing.len == list.len).then_some(pairing)
    }

    /// The pairs that a list is; `None` of lists that are written out.
    #[inline]
    pub fn runs(&self, list: ListId) -> Option<&[PairRun]> {
        self.pairing(list).map(|pairing| &pairing.runs[..])
    }

    /// Two lists of pairs put together without writing them out; `None` where either is written out already.
    fn join(&mut self, list: ListId, more: ListId) -> Option<ListId> {
        let added = self.pairing(more)?.len;
        // Growing leaves the shorter list alone.
        if list.is_empty() {
            return Some(more);
        }
        self.pairing(list)?;
        let (own, other) = (list.store ^ PAIRING, more.store ^ PAIRING);
        let Ok([to, from]) = self.pairings.get_disjoint_mut([own as usize, other as usize]) else {
            return None;
        };
        to.runs.extend_from_slice(&from.runs);
        to.len += added;
        if let Some(mut written) = to.written.take() {
            written.write(self, own, &self.pairings[other as usize].runs);
            let _ = self.pairings[own as usize].written.set(written);
        }
        Some(ListId {
            len: list.len + added,
            ..list
        })
    }

    /// The items of a list that is a pairing, or of one of its pairs.
    #[cold]
    fn written(&self, list: ListId) -> Option<&[Value]> {
        let is_pair = list.store & PAIR == PAIR;
        let index = match is_pair {
            true => (list.store ^ PAIR) >> PAIR_BITS,
            false => list.store ^ PAIRING,
        };
        let pairing = self.pairings.get(index as usize)?;
        let written = pairing.written.get_or_init(|| {
            let mut written = PairItems::default();
            written.write(self, index, &pairing.runs);
            written
        });
        if !is_pair {
            return written.pairs.get(..list.len());
        }
        let at = 2 * (list.store & ((1 << PAIR_BITS) - 1)) as usize;
        written.items.get(at..at + list.len())
    }

    /// A list of these items; `None` when the heap is full.
    pub fn add(&mut self, items: impl IntoIterator<Item = Value>) -> Option<ListId> {
        let room = MAX_ITEMS.saturating_sub(self.items);
        let (list, store) = self.open();
        store.extend(items.into_iter().take(room + 1));
        let len = store.len();
        self.items += len;
        (len <= room).then_some(ListId {
            len: len as u32,
            ..list
        })
    }

    /// The list where it can grow: where its store ends with it, or in a store of its own; `None` when there is no
    /// room for so many more at once.
    #[inline(always)]
    fn growing(&mut self, list: ListId, more: usize) -> Option<ListId> {
        let store = self.lists.get(list.store as usize);
        let list = match store.is_some_and(|s| s.len() == list.len as usize) {
            true => list,
            false => self.again(list),
        };
        (self.items + more < MAX_ITEMS).then_some(list)
    }

    /// The same list in a store of its own.
    fn again(&mut self, list: ListId) -> ListId {
        let (own, _) = self.open();
        let stores = [own.store as usize, list.store as usize];
        match self.lists.get_disjoint_mut(stores) {
            Ok([store, others]) => store.extend_from_slice(others.get(..list.len()).unwrap_or_default()),
            Err(_) => {
                let items = self.list(list).to_vec();
                self.lists[own.store as usize].extend(items);
            }
        }
        self.items += list.len();
        ListId { len: list.len, ..own }
    }

    /// The list with one item more; `None` when the heap is full.
    pub fn push(&mut self, list: ListId, item: Value) -> Option<ListId> {
        let list = self.growing(list, 0)?;
        self.items += 1;
        self.lists[list.store as usize].push(item);
        Some(ListId {
            len: list.len + 1,
            ..list
        })
    }

    /// The list with the items of another behind its own; `None` when the heap is full.
    pub fn append(&mut self, list: ListId, more: ListId) -> Option<ListId> {
        if more.is_empty() {
            return Some(list);
        }
        if more.store & PAIRING != 0
            && let Some(joined) = self.join(list, more)
        {
            self.items += more.len();
            return (self.items < MAX_ITEMS).then_some(joined);
        }
        let list = self.growing(list, more.len())?;
        let stores = [list.store as usize, more.store as usize];
        match self.lists.get_disjoint_mut(stores) {
            Ok([own, others]) => own.extend_from_slice(others.get(..more.len()).unwrap_or_default()),
            Err(_) if stores[0] == stores[1] => self.lists[stores[0]].extend_from_within(..more.len()),
            Err(_) => {
                let items = self.list(more).to_vec();
                self.lists[stores[0]].extend(items);
            }
        }
        self.items += more.len();
        Some(ListId {
            len: list.len + more.len,
            ..list
        })
    }

    /// The items of a list.
    #[inline]
    pub fn list(&self, list: ListId) -> &[Value] {
        let items = match self.lists.get(list.store as usize) {
            Some(store) => store.get(..list.len()),
            None => self.written(list),
        };
        items.unwrap_or_default()
    }

    /// The item of a list by its index.
    #[inline]
    pub fn item(&self, list: ListId, index: usize) -> Option<Value> {
        self.list(list).get(index).copied()
    }

    /// Returns the index of a key in a map, or the index at which it would be inserted.
    fn find(&self, map: ListId, words: &Words, key: WordId) -> Result<usize, usize> {
        let items = self.list(map);
        let text = words.text(key);
        let (mut low, mut high) = (0, items.len() / 2);
        while low < high {
            let middle = (low + high) / 2;
            let here = items[2 * middle].as_word().map_or("", |w| words.text(w));
            match here.cmp(text) {
                std::cmp::Ordering::Equal => return Ok(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }

    /// Returns the value under a key of a map.
    pub fn get(&self, map: ListId, words: &Words, key: WordId) -> Option<Value> {
        let at = self.find(map, words, key).ok()?;
        self.item(map, 2 * at + 1)
    }

    /// The map with something else under a key; `None` when the heap is full.
    pub fn with(&mut self, map: ListId, words: &Words, key: WordId, value: Value) -> Option<ListId> {
        let found = self.find(map, words, key);
        if found == Err(map.len() / 2) {
            let longer = self.push(map, key.into())?;
            return self.push(longer, value);
        }
        let mut items = self.list(map).to_vec();
        match found {
            Ok(at) => items[2 * at + 1] = value,
            Err(at) => {
                items.splice(2 * at..2 * at, [key.into(), value]);
            }
        }
        self.add(items)
    }

    /// The map without a key.
    pub fn without(&mut self, map: ListId, words: &Words, key: WordId) -> Option<ListId> {
        let mut items = self.list(map).to_vec();
        if let Ok(at) = self.find(map, words, key) {
            items.drain(2 * at..2 * at + 2);
        }
        self.add(items)
    }

    /// A list that every run has; what is added to it makes another.
    pub fn constant(&mut self, items: &[Value]) -> Option<ListId> {
        let list = self.add(items.iter().copied().chain([Value::NOTHING]))?;
        Some(ListId {
            len: items.len() as u32,
            ..list
        })
    }

    /// A set of units as a value.
    #[inline(always)]
    pub fn of_units(&mut self, set: UnitSet) -> Value {
        match set.as_few() {
            Some(bits) => Value::new(Kind::Units, bits),
            None => self.of_many_units(set),
        }
    }

    #[cold]
    fn of_many_units(&mut self, set: UnitSet) -> Value {
        self.items += MANY;
        self.has_many = true;
        self.unit_sets.push(set);
        Value::with(Kind::Units, self.unit_sets.len() as u32, 0)
    }

    /// Dice as a value.
    #[inline]
    pub fn of_dice(&mut self, dice: Pool) -> Value {
        self.lent(dice, LogMark(0))
    }

    /// Dice that bear a mark: that of the slot from which they are lent, with nothing added or taken away but what
    /// is known. What is asked of such dice is the same for all dice in the slot of which the same is seen.
    #[inline]
    pub fn lent(&mut self, dice: Pool, mark: LogMark) -> Value {
        let data = match dice.stored() {
            Some(packed) => packed.cast_unsigned(),
            None => self.of_many_dice(dice),
        };
        Value::with(Kind::Dice, mark.0, data)
    }

    #[cold]
    fn of_many_dice(&mut self, dice: Pool) -> u64 {
        self.items += MANY;
        self.has_many = true;
        // The same dice are the same value.
        let known = self.pools.iter().position(|known| *known == dice);
        let index = known.unwrap_or_else(|| {
            self.pools.push(dice);
            self.pools.len() - 1
        });
        (index as u64) << 4 | MANY_DICE
    }

    /// Records a look at dice, if they are lent.
    #[inline]
    fn look_at(&self, dice: Value, look: DiceRead) {
        let mark = dice.mark();
        if mark != LogMark(0)
            && let Some(recorder) = &self.recorder
        {
            recorder.look_at(mark, look);
        }
    }

    /// The dice that a value is; if they are lent, they are seen whole.
    #[inline]
    pub fn dice(&self, value: Value) -> Option<Pool> {
        value
            .is(Kind::Dice)
            .then(|| self.dice_seen(value, DiceRead::WHOLE))
    }

    /// The dice of a value that is dice, of which no more is asked than this.
    #[inline]
    pub fn dice_seen(&self, value: Value, look: DiceRead) -> Pool {
        self.look_at(value, look);
        match value.data() & 15 {
            MANY_DICE => self
                .pools
                .get((value.data() >> 4) as usize)
                .cloned()
                .unwrap_or_default(),
            _ => Pool::from_stored(value.data().cast_signed()),
        }
    }

    /// Dice without one that shows this number; `None` where none does. Of lent dice the highest or the lowest is
    /// looked at where that is the one, else all of them.
    pub fn dice_without(&mut self, dice: Value, die: i64) -> Option<Value> {
        let (pool, mark) = (self.dice_seen(dice, DiceRead::NOTHING), dice.mark());
        let rest = pool.without(die);
        let (look, left) = match &rest {
            Some(_) if pool.values().next_back() == Some(die) => (DiceRead::HIGHEST, mark.without_highest()),
            Some(_) if pool.values().next() == Some(die) => (DiceRead::LOWEST, mark.without_lowest()),
            _ => (DiceRead::WHOLE, LogMark(0)),
        };
        self.look_at(dice, look);
        rest.map(|rest| self.lent(rest, left))
    }

    /// The units that a value is.
    #[inline]
    pub fn units(&self, value: Value) -> Option<UnitSet> {
        if !value.is(Kind::Units) {
            return None;
        }
        match value.more() {
            0 => Some(UnitSet::few(value.data())),
            more => self.unit_sets.get(more as usize - 1).cloned(),
        }
    }

    /// A set of places as a value.
    #[inline(always)]
    pub fn of_places(&mut self, set: PlaceSet) -> Value {
        let Some(bits) = set.as_few() else {
            return self.of_many_places(set);
        };
        let (low, high) = (bits as u64, (bits >> 64) as u64);
        if high == 0 {
            return Value::new(Kind::Places, low);
        }
        self.highs.push(high);
        Value::with(Kind::Places, self.highs.len() as u32, low)
    }

    #[cold]
    fn of_many_places(&mut self, set: PlaceSet) -> Value {
        self.items += MANY;
        self.has_many = true;
        self.place_sets.push(set);
        Value::with(Kind::Places, MANY_PLACES | self.place_sets.len() as u32, 0)
    }

    /// The places that a value is.
    #[inline]
    pub fn places(&self, value: Value) -> Option<PlaceSet> {
        if !value.is(Kind::Places) {
            return None;
        }
        let high = match value.more() {
            0 => 0,
            many if many & MANY_PLACES != 0 => {
                return self.place_sets.get((many ^ MANY_PLACES) as usize - 1).cloned();
            }
            more => self.highs.get(more as usize - 1).copied().unwrap_or_default(),
        };
        Some(PlaceSet::few(u128::from(value.data()) | u128::from(high) << 64))
    }

    /// The bits of a set that is one word, or of places two; of a single unit or place, as a set of it.
    #[inline]
    fn few(&self, value: Value) -> Option<(Kind, u64, u64)> {
        let (more, data) = (value.more(), value.data());
        match value.kind() {
            Kind::Units if more == 0 => Some((Kind::Units, data, 0)),
            Kind::Places if more == 0 => Some((Kind::Places, data, 0)),
            Kind::Places if more & MANY_PLACES == 0 => {
                let high = *self.highs.get(more as usize - 1)?;
                Some((Kind::Places, data, high))
            }
            Kind::Unit if data < 64 => Some((Kind::Units, 1 << data, 0)),
            Kind::Place if data < 64 => Some((Kind::Places, 1 << data, 0)),
            Kind::Place if data < 128 => Some((Kind::Places, 0, 1 << (data - 64))),
            _ => None,
        }
    }

    /// Two sets of the same things put together bit by bit, the second of which may be a single thing; `None` of
    /// anything else, and of sets that are many words.
    #[inline]
    pub fn merged(&mut self, a: Value, b: Value, merge: impl Fn(u64, u64) -> u64) -> Option<Value> {
        if !matches!(a.kind(), Kind::Units | Kind::Places) {
            return None;
        }
        let ((of, low, high), (others, low_too, high_too)) = (self.few(a)?, self.few(b)?);
        if of != others {
            return None;
        }
        let (low, high) = (merge(low, low_too), merge(high, high_too));
        if high == 0 {
            return Some(Value::new(of, low));
        }
        self.highs.push(high);
        Some(Value::with(Kind::Places, self.highs.len() as u32, low))
    }

    /// Begins to go through units or places: two values know how far. Of sets of a word or two these are the bits that
    /// are left, of larger ones the set and the lowest id that may come next.
    pub fn begin(&self, set: Value) -> (Value, Value) {
        match self.few(set) {
            Some((of, low, high)) => (Value::new(of, low), Value::new(Kind::Int, high)),
            None => (set, Value::new(Kind::Int, 0)),
        }
    }

    /// Takes the next unit, place or die.
    #[inline]
    pub fn next(&self, state: &mut (Value, Value)) -> Option<Value> {
        let (low, more) = (state.0.data(), state.1.data());
        let is_few = state.0.more() == 0;
        match state.0.kind() {
            Kind::Units if is_few && low != 0 => {
                state.0 = Value::new(Kind::Units, low & (low - 1));
                Some(UnitId::new(low.trailing_zeros() as usize).into())
            }
            Kind::Places if is_few && low != 0 => {
                state.0 = Value::new(Kind::Places, low & (low - 1));
                Some(PlaceId::new(low.trailing_zeros() as usize).into())
            }
            Kind::Places if is_few && more != 0 => {
                state.1 = Value::new(Kind::Int, more & (more - 1));
                Some(PlaceId::new(64 + more.trailing_zeros() as usize).into())
            }
            _ if is_few && !state.0.is(Kind::Dice) => None,
            _ => self.next_of_many(state),
        }
    }

    #[inline(never)]
    fn next_of_many(&self, state: &mut (Value, Value)) -> Option<Value> {
        let from = state.1.data() as usize;
        let (value, at) = match state.0.kind() {
            Kind::Units => {
                let unit = self.units(state.0)?.first_from(from)?;
                (unit.into(), unit.index())
            }
            Kind::Places => {
                let place = self.places(state.0)?.first_from(from)?;
                (place.into(), place.index())
            }
            Kind::Dice => {
                let dice = self.dice_seen(state.0, DiceRead::NOTHING);
                (dice.values().nth(from)?.into(), from)
            }
            _ => return None,
        };
        state.1 = (at as i64 + 1).into();
        Some(value)
    }

    /// A region as a value.
    pub fn of_region(&mut self, region: Arc<dyn Region>) -> Value {
        self.items += MANY + region.proposes();
        self.has_many = true;
        self.regions.push(region);
        Value::new(Kind::Region, self.regions.len() as u64 - 1)
    }

    /// The region that a value is.
    pub fn region(&self, value: Value) -> Option<&Arc<dyn Region>> {
        match value.is(Kind::Region) {
            true => self.regions.get(value.data() as usize),
            false => None,
        }
    }

    /// A range of numbers as a value; `None` when the heap is full.
    pub fn of_range(&mut self, from: i64, to: i64, with_last: bool) -> Option<Value> {
        let ends = self.add([from.into(), to.into()])?;
        Some(Value::with(Kind::Range, ends.store, u64::from(with_last)))
    }

    /// The ends of a range, and whether the last is in it.
    pub fn range(&self, value: Value) -> Option<(i64, i64, bool)> {
        if !value.is(Kind::Range) {
            return None;
        }
        let ends = self.lists.get(value.more() as usize)?;
        Some((ends.first()?.as_int()?, ends.get(1)?.as_int()?, value.data() != 0))
    }

    /// The whole numbers of a range.
    pub fn numbers(&self, value: Value) -> RangeInclusive<i64> {
        let (from, to, with_last) = self.range(value).unwrap_or((1, 0, true));
        match (with_last, to.checked_sub(1)) {
            (true, _) => from..=to,
            (false, Some(last)) => from..=last,
            (false, None) => RangeInclusive::new(1, 0),
        }
    }

    /// A closure as a value.
    pub fn of_closure(&mut self, function: u32, captured: ListId) -> Value {
        self.closures.push(Closure { function, captured });
        Value::new(Kind::Function, self.closures.len() as u64 - 1)
    }

    /// The code of a closure and what it found around it.
    #[inline]
    pub fn closure(&self, value: Value) -> Option<(u32, ListId)> {
        if !value.is(Kind::Function) {
            return None;
        }
        let closure = self.closures.get(value.data() as usize)?;
        Some((closure.function, closure.captured))
    }

    /// A variable that is shared with closures, as the number under which it is known.
    pub fn share(&mut self, value: Value) -> Value {
        self.cells.push(value);
        Value::from(self.cells.len() as i64 - 1)
    }

    /// Returns the value of a shared variable.
    pub fn cell(&self, cell: Value) -> Value {
        let index = cell.as_int().and_then(|n| usize::try_from(n).ok());
        index
            .and_then(|n| self.cells.get(n))
            .copied()
            .unwrap_or(Value::NOTHING)
    }

    /// A shared variable.
    pub fn shared(&mut self, cell: Value) -> Option<&mut Value> {
        self.cells.get_mut(cell.as_int()? as usize)
    }

    /// Whether two values are the same, neither of which is a list or map.
    pub fn same_plain(&self, a: Value, b: Value) -> bool {
        match (a.kind(), b.kind()) {
            (Kind::Places, Kind::Places) => self.places(a) == self.places(b),
            (Kind::Units, Kind::Units) => self.units(a) == self.units(b),
            (Kind::Range, Kind::Range) => self.range(a) == self.range(b),
            // Whole numbers stand for lengths, too.
            (Kind::Length, Kind::Int) | (Kind::Int, Kind::Length) => a.as_length() == b.as_length(),
            (Kind::Dice, Kind::Dice) => {
                self.look_at(a, DiceRead::WHOLE);
                self.look_at(b, DiceRead::WHOLE);
                a == b
            }
            _ => a == b,
        }
    }

    /// Whether two values are the same, with as much work as is left, which is taken; `None` where that is
    /// not enough, or lists lie too deep in each other.
    pub fn same(&self, a: Value, b: Value, left: &mut usize) -> Option<bool> {
        self.same_at(a, b, left, MAX_NESTING)
    }

    fn same_at(&self, a: Value, b: Value, left: &mut usize, depth: usize) -> Option<bool> {
        match (a.kind(), b.kind()) {
            _ if a == b && !a.is(Kind::Dice) => Some(true),
            (Kind::List, Kind::List) | (Kind::Map, Kind::Map) => {
                let (a, b) = (self.list(a.stored()), self.list(b.stored()));
                if a.len() != b.len() {
                    return Some(false);
                }
                let depth = depth.checked_sub(1)?;
                for (a, b) in a.iter().zip(b) {
                    *left = left.checked_sub(1)?;
                    if !self.same_at(*a, *b, left, depth)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            _ => Some(self.same_plain(a, b)),
        }
    }

    /// Takes what it costs to look through a value with all that is in it; false where there is not so
    /// much left, or lists lie too deep in each other.
    pub fn weigh(&self, words: &Words, value: Value, left: &mut usize) -> bool {
        self.weigh_at(words, value, left, MAX_NESTING)
    }

    fn weigh_at(&self, words: &Words, value: Value, left: &mut usize, depth: usize) -> bool {
        let own = match value.kind() {
            Kind::Word => value.as_word().map_or(0, |w| words.text(w).len() / 16),
            Kind::Units | Kind::Places => 16,
            _ => 0,
        };
        let Some(less) = left.checked_sub(1 + own) else {
            return false;
        };
        *left = less;
        if !matches!(value.kind(), Kind::List | Kind::Map) {
            return true;
        }
        let items = self.list(value.stored());
        match depth.checked_sub(1) {
            Some(depth) => items.iter().all(|item| self.weigh_at(words, *item, left, depth)),
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::view::ValueView;

    #[test]
    fn a_list_that_grows_leaves_the_shorter_one_alone() {
        let mut heap = Heap::default();
        let one = heap.add([Value::from(1)]).expect("room");
        let two = heap.push(one, Value::from(2)).expect("room");
        let other = heap.push(one, Value::from(3)).expect("room");
        assert_eq!(heap.list(one), [Value::from(1)]);
        assert_eq!(heap.list(two), [Value::from(1), Value::from(2)]);
        assert_eq!(heap.list(other), [Value::from(1), Value::from(3)]);
    }

    #[test]
    fn pairs_read_as_if_they_were_written_out() {
        let mut heap = Heap::default();
        let units = |bits| Value::new(Kind::Units, bits);
        let unit = |n: i64| Value::from(UnitId(n as u16));
        let read = |heap: &Heap, list: ListId| -> Vec<Vec<Value>> {
            let pairs = heap.list(list).iter();
            pairs.map(|pair| heap.list(pair.stored()).to_vec()).collect()
        };
        let a = heap.pairs_with(unit(9), units(0b101), 2).expect("room");
        let b = heap.pairs_with(Value::TRUE, units(0b10), 1).expect("room");
        let none = heap.pairs_with(unit(9), units(0), 0).expect("room");
        let empty = heap.add([]).expect("room");
        let list = heap.append(empty, a).expect("room");
        // Somebody looks before it grows, and after.
        let first = [vec![unit(9), unit(0)], vec![unit(9), unit(2)]];
        assert_eq!(read(&heap, list), first);
        let longer = heap.append(list, b).expect("room");
        let longer = heap.append(longer, none).expect("room");
        let all = [&first[..], &[vec![Value::TRUE, unit(1)]]].concat();
        assert!(heap.runs(longer).is_some_and(|runs| runs.len() == 2));
        assert_eq!(read(&heap, longer), all);
        // What is shorter stays as it was, and grows by itself.
        assert_eq!(read(&heap, a), first);
        assert_eq!(read(&heap, list.front(1)), first[..1]);
        assert!(heap.runs(a).is_none());
        let other = heap.append(a, b).expect("room");
        assert_eq!(read(&heap, other), all);
        let twice = heap.append(b, b).expect("room");
        assert_eq!(read(&heap, twice), [&all[2..], &all[2..]].concat());
        // What is no pair stands among them, and pairs among what is none.
        let pair = Value::list(heap.add_few(&[unit(4), unit(5)]).expect("room"));
        let pushed = heap.push(longer, pair).expect("room");
        let pushed = heap.append(pushed, b).expect("room");
        let five = [&all[..], &[vec![unit(4), unit(5)]], &all[2..]].concat();
        assert_eq!(read(&heap, pushed), five);
        assert!(heap.runs(pushed).is_none());
        // A pair is a list like others.
        let pair = heap.item(longer, 1).expect("there").stored();
        let three = heap.push(pair, Value::FALSE).expect("room");
        assert_eq!(heap.list(three), [unit(9), unit(2), Value::FALSE]);
        assert_eq!(read(&heap, longer), all);
        // And so many that they are written out at once.
        let many: Vec<ListId> = (0..2 * MAX_PAIRINGS)
            .map(|n| heap.pairs_with(unit(n as i64), units(1), 1).expect("room"))
            .collect();
        for (n, list) in many.into_iter().enumerate() {
            assert_eq!(read(&heap, list), [[unit(n as i64), unit(0)]]);
        }
    }

    #[test]
    fn the_heap_is_bounded() {
        let mut heap = Heap::default();
        let mut list = heap.add([]).expect("room");
        let mut made = 0;
        while let Some(longer) = heap.push(list, Value::NOTHING) {
            list = longer;
            made += 1;
        }
        assert!(made < MAX_ITEMS);
        let mut heap = Heap::default();
        let endless = std::iter::repeat(Value::NOTHING);
        assert!(heap.add(endless).is_none());
    }

    #[test]
    fn sets_of_many_places_come_back() {
        let mut heap = Heap::default();
        let few = [0, 1, 1 << 63, 1 << 64, 1 << 127 | 1, u128::MAX].map(PlaceSet::few);
        let many = [129, 300, 4_096].map(|many| (0..many).map(PlaceId::new).collect());
        for set in few.into_iter().chain(many) {
            let value = heap.of_places(set.clone());
            assert_eq!(heap.places(value), Some(set.clone()));
            let again = heap.of_places(set);
            assert_eq!(heap.same(value, again, &mut 1), Some(true));
        }
        for many in [0, 1, 64, 65, 1_024] {
            let set: UnitSet = (0..many).map(UnitId::new).collect();
            let value = heap.of_units(set.clone());
            assert_eq!(heap.units(value), Some(set.clone()));
            let again = heap.of_units(set);
            assert_eq!(heap.same(value, again, &mut 1), Some(true));
        }
        assert_eq!(heap.places(Value::TRUE), None);
    }

    #[test]
    fn maps_are_sorted_by_key() {
        let mut heap = Heap::default();
        let mut words = Words::default();
        let mut map = heap.add([]).expect("room");
        for (key, n) in [("b", 1), ("a", 2), ("c", 3), ("b", 4)] {
            let key = words.intern(key);
            map = heap.with(map, &words, key, n.into()).expect("room");
        }
        assert_eq!(
            heap.view(&words, Value::map(map)),
            ValueView::Map(
                [("a", 2), ("b", 4), ("c", 3)]
                    .map(|(k, n)| (k.to_owned(), ValueView::Int(n)))
                    .into()
            )
        );
        let a = words.intern("a");
        let less = heap.without(map, &words, a).expect("room");
        assert_eq!(heap.get(less, &words, a), None);
        assert_eq!(heap.get(map, &words, a), Some(2.into()));
    }
}
