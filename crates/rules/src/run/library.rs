//! Operations on texts, lists and maps for rules: reading and changing their parts.

use super::context::Run;
use super::fault::{Fault, FaultKind, NativeResult};
use super::heap::Heap;
use super::node::Growth;
use super::observe::Observer;
use super::value::{Kind, ListId, Value};
use crate::engine::{MAX_ARRAY, MAX_MAP};
use crate::kernel::ids::WordId;
use crate::kernel::rules::Words;
use std::cmp::Ordering;

/// A function that changes a list or map in place: `list.push(x)`.
pub struct Mutator {
    /// Its name.
    pub name: &'static str,
    /// Kind of value that it changes.
    pub of: Kind,
    /// Its parameters, what it changes left out.
    pub params: &'static [(&'static str, Kind)],
    /// Description of its effect, in the form of [`super::natives::Native::doc`].
    pub doc: &'static str,
}

impl Mutator {
    /// Whether a call of it says nothing: all that it does is the change.
    pub fn is_silent(&self) -> bool {
        self.doc.lines().any(|line| line.trim() == "- gives: nothing")
    }
}

macro_rules! mutators {
    ($( $(#[doc = $doc:literal])+ $name:literal $of:ident ($($param:ident: $kind:ident),*); )*) => {
        /// Every function that changes a list or map in place.
        pub const MUTATORS: &[Mutator] = &[$(
            Mutator {
                name: $name,
                of: Kind::$of,
                params: &[$((stringify!($param), Kind::$kind)),*],
                doc: concat!($($doc, "\n"),+),
            }
        ),*];
    };
}

mutators! {
    /// Adds an item to the end of a list.
    /// - list: the list to change
    /// - item: any value
    /// - gives: nothing
    /// - `let all = [1]; all.push(2); all` = [1, 2]
    "push" List (item: Any);
    /// Inserts an item into a list.
    /// - list: the list to change
    /// - at: index of the item that will follow it, from 0; a number below 0 counts from the end
    /// - item: any value
    /// - gives: nothing
    /// - `let all = [1, 2]; all.insert(0, 3); all` = [3, 1, 2]
    "insert" List (at: Int, item: Any);
    /// Removes the last item of a list and returns it.
    /// - list: the list to change
    /// - gives: the item, or nothing
    /// - `let all = [1, 2]; all.pop()` = 2
    "pop" List ();
    /// Removes the first item of a list and returns it.
    /// - list: the list to change
    /// - gives: the item, or nothing
    /// - `let all = [1, 2]; all.shift()` = 1
    "shift" List ();
    /// Removes an item of a list and returns it.
    /// - list: the list to change
    /// - at: index of the item, from 0; a number below 0 counts from the end
    /// - gives: the item, or nothing
    /// - `let all = [1, 2]; all.remove(0)` = 1
    "remove" List (at: Int);
    /// Removes all items of a list.
    /// - list: the list to change
    /// - gives: nothing
    /// - `let all = [1, 2]; all.clear(); all.len` = 0
    "clear" List ();
    /// Reverses the order of a list.
    /// - list: the list to change
    /// - gives: nothing
    /// - `let all = [1, 2]; all.reverse(); all` = [2, 1]
    "reverse" List ();
    /// Adds the items of another list to the end of a list.
    /// - list: the list to change
    /// - more: the list to add
    /// - gives: nothing
    /// - `let all = [1]; all.append([2, 3]); all` = [1, 2, 3]
    "append" List (more: List);
    /// Removes all but the first items of a list.
    /// - list: the list to change
    /// - count: number of items to keep
    /// - gives: nothing
    /// - `let all = [1, 2, 3]; all.truncate(1); all` = [1]
    "truncate" List (count: Int);
    /// Sorts a list of numbers or texts from low to high.
    /// - list: the list to change
    /// - gives: nothing
    /// - error: the items cannot be compared
    /// - `let all = [3, 1]; all.sort(); all` = [1, 3]
    "sort" List ();
    /// Sorts a list with a function that compares two items.
    /// - list: the list to change
    /// - compare: a function of two items that returns a number: below 0 if the first item comes first, above 0 if the second does
    /// - gives: nothing
    /// - error: the function does not return a number
    /// - `let all = [1, 3, 2]; all.sort(|a, b| b - a); all` = [3, 2, 1]
    "sort" List (compare: Function);
    /// Sets the value of a key of a map.
    /// - map: the map to change
    /// - key: a text
    /// - value: any value
    /// - gives: nothing
    /// - `let m = #{}; m.set("a", 1); m.a` = 1
    "set" Map (key: Word, value: Any);
    /// Removes a key of a map and returns its value.
    /// - map: the map to change
    /// - key: a text
    /// - gives: the value, or nothing
    /// - `let m = #{ a: 1 }; m.remove("a")` = 1
    "remove" Map (key: Word);
    /// Removes all keys of a map.
    /// - map: the map to change
    /// - gives: nothing
    /// - `let m = #{ a: 1 }; m.clear(); m.len()` = 0
    "clear" Map ();
}

/// The mutators of a name that take so many arguments.
pub fn mutators(name: &str, args: usize) -> Vec<u16> {
    let all = MUTATORS.iter().enumerate();
    let fits = all.filter(|(_, m)| m.name == name && m.params.len() == args);
    fits.map(|(i, _)| i as u16).collect()
}

/// The index that a script says, from the front; below 0 counts from the end.
fn place(len: usize, index: i64) -> Option<usize> {
    let at = if index < 0 { index + len as i64 } else { index };
    usize::try_from(at).ok().filter(|at| *at < len)
}

/// Returns the number of items to leave out in front for a start given by a script; below 0 counts from the end.
pub fn from_front(start: i64, len: impl Fn() -> usize) -> usize {
    match usize::try_from(start) {
        Ok(start) => start,
        Err(_) => len().saturating_sub(usize::try_from(start.unsigned_abs()).unwrap_or(usize::MAX)),
    }
}

/// An item of something.
///
/// # Errors
///
/// It has no items, or not this one.
pub fn index<O: Observer>(run: &mut Run<'_, O>, of: Value, at: Value) -> NativeResult {
    match of.kind() {
        Kind::List => {
            let list = of.items().ok_or_else(Fault::mismatch)?;
            let n = number(at)?;
            let item = place(list.len(), n).and_then(|i| run.heap.item(list, i));
            item.ok_or_else(|| FaultKind::OutOf(Kind::List, list.len(), n).into())
        }
        Kind::Map => {
            let map = of.items().ok_or_else(Fault::mismatch)?;
            let key = key(at)?;
            run.read(key)?;
            let found = run.heap.get(map, &run.table.words, key);
            found.ok_or_else(|| FaultKind::NothingUnder(run.table.words.text(key).to_owned()).into())
        }
        Kind::Word if at.is(Kind::Range) => slice(run, of, at),
        Kind::Word => {
            let n = number(at)?;
            let text = run.text_of(of)?;
            let count = text.chars().count();
            let letter = place(count, n).and_then(|i| text.chars().nth(i));
            let letter = letter.ok_or_else(|| Fault::from(FaultKind::OutOf(Kind::Word, count, n)))?;
            run.text(letter.encode_utf8(&mut [0; 4]))
        }
        Kind::Dice => {
            let (pool, n) = (run.heap.dice(of).unwrap_or_default(), number(at)?);
            let die = usize::try_from(n).ok().and_then(|i| pool.get(i));
            let none = || super::fault::rule(format!("there is no die {n} among {} dice", pool.len()));
            die.map(Value::from).ok_or_else(none)
        }
        other => Err(FaultKind::NoItems(other).into()),
    }
}

/// The letters of a text in a range of positions; those below 0 count from the end.
fn slice<O: Observer>(run: &mut Run<'_, O>, text: Value, range: Value) -> NativeResult {
    let text = run.text_of(text)?;
    let count = text.chars().count();
    let (first, last, with_last) = run.heap.range(range).unwrap_or_default();
    let end = |n: i64| match usize::try_from(n) {
        Ok(n) => Some(n),
        Err(_) => place(count, n),
    };
    let start = match end(first) {
        Some(start) => start,
        None if count == 0 => 0,
        None => return Err(FaultKind::OutOf(Kind::Word, count, first).into()),
    };
    let end = end(last).map_or(0, |last| last.saturating_add(usize::from(with_last)));
    let part: String = text.chars().skip(start).take(end.saturating_sub(start)).collect();
    run.text(&part)
}

fn number(at: Value) -> NativeResult<i64> {
    at.as_int()
        .ok_or_else(|| FaultKind::NotA(Kind::Int, at.kind()).into())
}

fn key(at: Value) -> NativeResult<WordId> {
    at.as_word()
        .ok_or_else(|| FaultKind::NotA(Kind::Word, at.kind()).into())
}

/// Returns the list or map with one of its items replaced.
///
/// # Errors
///
/// It has no such item, or none at all.
pub fn set_index<O: Observer>(run: &mut Run<'_, O>, of: Value, at: Value, value: Value) -> NativeResult {
    match of.kind() {
        Kind::List => {
            let list = of.items().ok_or_else(Fault::mismatch)?;
            let n = number(at)?;
            let mut items = run.items(list)?;
            let there = place(items.len(), n)
                .ok_or_else(|| Fault::from(FaultKind::OutOf(Kind::List, list.len(), n)))?;
            items[there] = value;
            run.list(items)
        }
        Kind::Map => {
            let map = of.items().ok_or_else(Fault::mismatch)?;
            let key = key(at)?;
            put(run, map, key, value)
        }
        kind @ (Kind::Word | Kind::Dice) => Err(FaultKind::Kept(kind).into()),
        other => Err(FaultKind::NoItems(other).into()),
    }
}

/// The map with something under a key.
///
/// # Errors
///
/// It becomes too large.
pub fn put<O: Observer>(run: &mut Run<'_, O>, map: ListId, key: WordId, value: Value) -> NativeResult {
    with(run, map, key, value).map(Value::map)
}

/// The same as what it lies in.
pub fn with<O: Observer>(
    run: &mut Run<'_, O>,
    map: ListId,
    key: WordId,
    value: Value,
) -> NativeResult<ListId> {
    run.work(1 + map.len() / 8)?;
    run.read(key)?;
    let map = run
        .heap
        .with(map, &run.table.words, key, value)
        .ok_or_else(|| Fault::from(FaultKind::Full))?;
    if map.len() > 2 * MAX_MAP {
        Err(FaultKind::Large.into())
    } else {
        Ok(map)
    }
}

/// The letters of a text, as a list of texts.
///
/// # Errors
///
/// The text is too long.
pub fn letters<O: Observer>(run: &mut Run<'_, O>, text: Value) -> NativeResult {
    let text = run.text_of(text)?;
    let letters = text.chars().map(|c| run.text(c.encode_utf8(&mut [0; 4])));
    let letters: Vec<Value> = letters.collect::<Result<_, _>>()?;
    run.list(letters)
}

/// A list with one item more.
///
/// # Errors
///
/// It becomes too large.
#[inline]
pub fn push<O: Observer>(run: &mut Run<'_, O>, list: ListId, item: Value) -> NativeResult {
    if list.len() >= MAX_ARRAY {
        return Err(FaultKind::Large.into());
    }
    let longer = run.heap.push(list, item);
    run.work(1)?;
    longer.map(Value::list).ok_or_else(|| FaultKind::Full.into())
}

/// The list with the items of another behind its own.
///
/// # Errors
///
/// It becomes too large.
pub fn append<O: Observer>(run: &mut Run<'_, O>, list: ListId, more: ListId) -> NativeResult {
    run.work(1 + more.len() / 8)?;
    if list.len() + more.len() > MAX_ARRAY {
        return Err(FaultKind::Large.into());
    }
    let longer = run.heap.append(list, more);
    longer.map(Value::list).ok_or_else(|| FaultKind::Full.into())
}

/// The first items of a list, so many at most.
fn front<O: Observer>(run: &mut Run<'_, O>, list: ListId, most: usize) -> NativeResult {
    run.work(1)?;
    Ok(Value::list(list.front(most)))
}

fn last<O: Observer>(run: &Run<'_, O>, list: ListId) -> Value {
    let at = list.len().checked_sub(1);
    at.and_then(|at| run.heap.item(list, at))
        .unwrap_or(Value::NOTHING)
}

/// A thing with each of so many others: a list of lists of two.
///
/// # Errors
///
/// There are too many.
pub fn pairs<O: Observer>(
    run: &mut Run<'_, O>,
    count: usize,
    make: impl FnOnce(&mut Heap) -> Option<ListId>,
) -> NativeResult {
    if count > MAX_ARRAY {
        return Err(FaultKind::Large.into());
    }
    run.work(1 + count)?;
    let all = make(run.heap);
    all.map(Value::list).ok_or_else(|| FaultKind::Full.into())
}

/// Changes a list or map by one of the [`MUTATORS`]: what stands in its place, and what the call says.
///
/// # Errors
///
/// The arguments do not fit, or it becomes too large.
pub fn mutate<O: Observer>(
    run: &mut Run<'_, O>,
    which: u16,
    old: Value,
    args: &[Value],
) -> NativeResult<(Value, Value)> {
    let named = &MUTATORS[which as usize];
    // Lists and maps share some names.
    let fits = |m: &&Mutator| {
        m.name == named.name
            && old.is(m.of)
            && m.params.len() == args.len()
            && m.params
                .iter()
                .zip(args)
                .all(|((_, kind), arg)| *kind == Kind::Any || arg.is(*kind))
    };
    let mutator = MUTATORS.iter().find(fits).ok_or_else(Fault::mismatch)?;
    let items = old.items().ok_or_else(Fault::mismatch)?;
    if mutator.of == Kind::Map {
        let key = args.first().and_then(|a| a.as_word()).unwrap_or_default();
        return match mutator.name {
            "set" => Ok((put(run, items, key, args[1])?, Value::NOTHING)),
            "remove" => {
                run.work(1 + items.len() / 8)?;
                run.read(key)?;
                let was = run
                    .heap
                    .get(items, &run.table.words, key)
                    .unwrap_or(Value::NOTHING);
                let less = run
                    .heap
                    .without(items, &run.table.words, key)
                    .ok_or_else(|| Fault::from(FaultKind::Full))?;
                Ok((Value::map(less), was))
            }
            _ => Ok((Value::map(run.add([])?), Value::NOTHING)),
        };
    }
    let first = args.first().and_then(|a| a.as_int()).unwrap_or(0);
    // The first items of a list lie where they are.
    match mutator.name {
        "pop" => {
            let (less, result) = (items.len().saturating_sub(1), last(run, items));
            return Ok((front(run, items, less)?, result));
        }
        "truncate" => {
            let length = usize::try_from(first).unwrap_or(0);
            return Ok((front(run, items, length)?, Value::NOTHING));
        }
        _ => {}
    }
    match (Growth::of(mutator.name, args.len()), args) {
        (Some(Growth::Push), [item]) => return Ok((push(run, items, *item)?, Value::NOTHING)),
        (Some(Growth::Append), [more]) => {
            let more = more.items().ok_or_else(Fault::mismatch)?;
            return Ok((append(run, items, more)?, Value::NOTHING));
        }
        _ => {}
    }
    let mut list = run.items(items)?;
    let mut result = Value::NOTHING;
    match mutator.name {
        "insert" => {
            let at = if first < 0 {
                first.saturating_add(list.len() as i64).max(0)
            } else {
                first
            };
            let at = usize::try_from(at).map_or(list.len(), |at| at.min(list.len()));
            list.insert(at, args[1]);
        }
        "shift" if !list.is_empty() => result = list.remove(0),
        "remove" => {
            if let Some(at) = place(list.len(), first) {
                result = list.remove(at);
            }
        }
        "clear" => list.clear(),
        "reverse" => list.reverse(),
        "sort" => list = sorted(run, list, args.first().copied())?,
        _ => {}
    }
    Ok((run.list(list)?, result))
}

/// Two items of a list without a function that compares them: numbers, texts, true and false.
fn compare(words: &Words, a: Value, b: Value) -> NativeResult<Ordering> {
    match (
        a.as_int(),
        b.as_int(),
        a.as_word(),
        b.as_word(),
        a.as_bool(),
        b.as_bool(),
    ) {
        (Some(a), Some(b), ..) => Ok(a.cmp(&b)),
        (_, _, Some(a), Some(b), ..) => Ok(words.text(a).cmp(words.text(b))),
        (.., Some(a), Some(b)) => Ok(a.cmp(&b)),
        _ if let (Some(a), Some(b)) = (a.as_length(), b.as_length()) => Ok(a.cmp(&b)),
        _ => Err(super::fault::rule(format!(
            "{} and {} cannot be put in order; say what counts: `list.sort_by(|unit| unit.life)`",
            a.kind().noun(),
            b.kind().noun()
        ))),
    }
}

/// A list in order, equal items as they were: a merge sort that takes whatever the comparison says.
pub fn sorted<O: Observer>(
    run: &mut Run<'_, O>,
    list: Vec<Value>,
    by: Option<Value>,
) -> NativeResult<Vec<Value>> {
    if list.len() < 2 {
        return Ok(list);
    }
    let mut right = list;
    let mut left = right;
    right = left.split_off(left.len() / 2);
    let left = sorted(run, left, by)?;
    let right = sorted(run, right, by)?;
    let mut all = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(&a), Some(&b)) = (left.peek(), right.peek()) {
        run.work(1)?;
        let order = match by {
            None => {
                for word in [a, b].into_iter().filter_map(|v| v.as_word()) {
                    run.read(word)?;
                }
                compare(&run.table.words, a, b)?
            }
            Some(by) => {
                let result = run.apply(by, &[a, b])?;
                match (result.as_int(), result.as_bool()) {
                    (Some(n), _) => n.cmp(&0),
                    (_, Some(first)) => {
                        if first {
                            Ordering::Less
                        } else {
                            Ordering::Greater
                        }
                    }
                    _ => return Err(FaultKind::NotA(Kind::Int, result.kind()).into()),
                }
            }
        };
        all.extend(if order == Ordering::Greater {
            right.next()
        } else {
            left.next()
        });
    }
    all.extend(left);
    all.extend(right);
    Ok(all)
}

/// Returns the index of a value in a list, `from` or later.
///
/// # Errors
///
/// It takes too long.
pub fn position<O: Observer>(
    run: &mut Run<'_, O>,
    list: ListId,
    from: usize,
    it: Value,
) -> NativeResult<Option<usize>> {
    run.work(list.len() / 4)?;
    if !matches!(it.kind(), Kind::List | Kind::Map) {
        let mut items = run.heap.list(list).iter().enumerate().skip(from);
        let found = items.find(|(_, item)| run.heap.same_plain(**item, it));
        return Ok(found.map(|(nth, _)| nth));
    }
    for nth in from..list.len() {
        let item = run.heap.item(list, nth).unwrap_or(Value::NOTHING);
        if run.same(item, it)? {
            return Ok(Some(nth));
        }
    }
    Ok(None)
}

/// Returns the index, `from` or later, of the first item of a list of which a function says true; else -1.
///
/// # Errors
///
/// The function fails or says something else.
pub fn first_that_holds<O: Observer>(
    run: &mut Run<'_, O>,
    list: ListId,
    from: usize,
    test: Value,
) -> NativeResult {
    for (nth, item) in run.items(list)?.into_iter().enumerate().skip(from) {
        if holds(run, test, item, nth)? {
            return Ok((nth as i64).into());
        }
    }
    Ok((-1).into())
}

/// The items of a list joined into one value by a function of the result so far, an item and its number.
///
/// # Errors
///
/// The function fails.
pub fn joined<O: Observer>(run: &mut Run<'_, O>, list: ListId, join: Value, start: Value) -> NativeResult {
    let mut result = start;
    for (nth, item) in run.items(list)?.into_iter().enumerate() {
        result = run.apply(join, &[result, item, (nth as i64).into()])?;
    }
    Ok(result)
}

/// Whether a function says true of an item and its number.
///
/// # Errors
///
/// It says something else.
pub fn holds<O: Observer>(run: &mut Run<'_, O>, test: Value, item: Value, nth: usize) -> NativeResult<bool> {
    let result = run.apply(test, &[item, (nth as i64).into()])?;
    result
        .as_bool()
        .ok_or_else(|| Fault::from(FaultKind::NotA(Kind::Bool, result.kind())))
}

/// The name of a parameter that is whatever [`through`] goes through.
pub const MANY: &str = "many";

/// Returns the items of a value that can be gone through.
///
/// # Errors
///
/// It is nothing that has items.
pub fn through<O: Observer>(run: &mut Run<'_, O>, verb: &str, many: Value) -> NativeResult<Vec<Value>> {
    let items: Vec<Value> = match many.kind() {
        Kind::List => return run.items(many.items().ok_or_else(Fault::mismatch)?),
        Kind::Units | Kind::Places => run.heap.things(many).collect(),
        Kind::Dice => run
            .heap
            .dice(many)
            .unwrap_or_default()
            .values()
            .map(Value::from)
            .collect(),
        Kind::Range => {
            let numbers = run.heap.numbers(many);
            if numbers.end().saturating_sub(*numbers.start()) >= MAX_ARRAY as i64 {
                return Err(FaultKind::Large.into());
            }
            numbers.map(Value::from).collect()
        }
        other => {
            return Err(super::fault::rule(format!(
                "`{verb}` goes through a list, units, places, dice or a range, not {}",
                other.noun()
            )));
        }
    };
    run.work(items.len() / 8)?;
    Ok(items)
}

/// The first of many things of which a function says true.
///
/// # Errors
///
/// It says something else, or there is nothing to go through.
pub fn first<O: Observer>(
    run: &mut Run<'_, O>,
    verb: &str,
    many: Value,
    test: Value,
) -> NativeResult<Option<Value>> {
    for (nth, item) in through(run, verb, many)?.into_iter().enumerate() {
        if holds(run, test, item, nth)? {
            return Ok(Some(item));
        }
    }
    Ok(None)
}

/// Many things, each with what a function says of it.
///
/// # Errors
///
/// There is nothing to go through, or the function fails.
pub fn said_of<O: Observer>(
    run: &mut Run<'_, O>,
    verb: &str,
    many: Value,
    of: Value,
) -> NativeResult<Vec<(Value, Value)>> {
    let items = through(run, verb, many)?.into_iter().enumerate();
    items
        .map(|(nth, item)| Ok((item, run.apply(of, &[item, (nth as i64).into()])?)))
        .collect()
}

/// Things in the order of what was said of them, from low to high; equal ones stay as they were.
///
/// # Errors
///
/// What was said cannot be compared.
pub fn by_what_is_said<O: Observer>(
    run: &mut Run<'_, O>,
    mut pairs: Vec<(Value, Value)>,
) -> NativeResult<Vec<(Value, Value)>> {
    let steps = pairs.len().checked_ilog2().unwrap_or(0) as usize;
    run.work(pairs.len() * (1 + steps))?;
    if let Some((_, first)) = pairs.first().copied() {
        // What is compared with the first can be compared with each other, but for lengths and what is beyond any.
        let length = pairs.iter().find(|(_, a)| a.is(Kind::Length));
        let beyond = pairs
            .iter()
            .find(|(_, a)| a.as_int().is_some() && a.as_length().is_none());
        if let (Some((_, length)), Some((_, beyond))) = (length, beyond) {
            compare(&run.table.words, *length, *beyond)?;
        }
        for (_, other) in &pairs {
            if let Some(word) = other.as_word() {
                run.read(word)?;
            }
            compare(&run.table.words, first, *other)?;
        }
    }
    let words = &run.table.words;
    pairs.sort_by(|(_, a), (_, b)| compare(words, *a, *b).unwrap_or(Ordering::Equal));
    Ok(pairs)
}

/// The sum of numbers.
///
/// # Errors
///
/// One of them is no number, or it is too large.
pub fn sum(numbers: impl IntoIterator<Item = Value>) -> NativeResult {
    let mut sum = Value::from(0);
    for value in numbers {
        let large = || {
            Fault::from(FaultKind::TooLarge(format!(
                "{} + {}",
                sum.written(),
                value.written()
            )))
        };
        sum = match (sum.as_int(), value.as_int()) {
            (Some(a), Some(b)) => a.checked_add(b).map(Value::from),
            _ => {
                let (a, b) = both_lengths(sum, value)?;
                a.checked_add(b).map(Value::of_length)
            }
        }
        .ok_or_else(large)?;
    }
    Ok(sum)
}

/// Two lengths; whole numbers count as lengths, too.
///
/// # Errors
///
/// One of them is no number, or too large for a length.
pub fn both_lengths(a: Value, b: Value) -> NativeResult<(i64, i64)> {
    let length = |value: Value| match (value.as_length(), value.as_int()) {
        (Some(length), _) => Ok(length),
        (None, Some(number)) => Err(Fault::from(FaultKind::TooLarge(number.to_string()))),
        (None, None) => Err(FaultKind::NotA(Kind::Int, value.kind()).into()),
    };
    Ok((length(a)?, length(b)?))
}

/// The longer of two lengths.
pub fn max_length(a: Value, b: Value) -> NativeResult {
    let (a, b) = both_lengths(a, b)?;
    Ok(Value::of_length(a.max(b)))
}

/// The shorter of two lengths.
pub fn min_length(a: Value, b: Value) -> NativeResult {
    let (a, b) = both_lengths(a, b)?;
    Ok(Value::of_length(a.min(b)))
}
