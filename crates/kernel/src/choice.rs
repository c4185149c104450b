//! Choices: who is asked, what for, among which options, and the answers that were given.
//!
//! An option is a small value; its readable key is spelled only when someone reads it.

use super::ground::Region;
use super::ids::{
    FactionId, PlaceId, PlaceSet, RecordedThing, TerrainId, Thing, TypeId, UnitId, UnitName, UnitSet, WordId,
};
use super::rules::{Rules, Words};
use super::spot::Point;
use super::world::World;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The most things that one option can be at once.
pub const MAX_PARTS: usize = 3;

/// One thing that can be chosen; `U` says how units are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionOf<U> {
    /// A unit.
    Unit(U),
    /// A place.
    Place(PlaceId),
    /// A point of a plane.
    Point(Point),
    /// A faction.
    Faction(FactionId),
    /// A unit type.
    Type(TypeId),
    /// A kind of terrain.
    Terrain(TerrainId),
    /// An edge between two places.
    Edge(PlaceId),
    /// A number.
    Number(i64),
    /// A word.
    Word(WordId),
    /// Two or three things at once: this unit to there.
    Several([Option<OptionPart<U>>; MAX_PARTS]),
    /// Some of what is offered, or all of it in an order: as an option which of the [`PickCount`] it is, from 0; in a
    /// record the hash of its key, which is among the words.
    Many(u64),
}

/// One of several things at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionPart<U> {
    /// A unit.
    Unit(U),
    /// A place.
    Place(PlaceId),
    /// A faction.
    Faction(FactionId),
    /// A unit type.
    Type(TypeId),
    /// A kind of terrain.
    Terrain(TerrainId),
    /// An edge between two places.
    Edge(PlaceId),
    /// A number.
    Number(i16),
    /// A word.
    Word(WordId),
}

/// An option as it is offered.
pub type OfferedOption = OptionOf<UnitId>;
/// An option in a record: units by name, which stays true when ids are given anew.
pub type NamedOption = OptionOf<UnitName>;

impl<U: Copy> OptionPart<U> {
    /// The part as an option of its own.
    #[inline]
    pub fn alone(self) -> OptionOf<U> {
        match self {
            OptionPart::Unit(u) => OptionOf::Unit(u),
            OptionPart::Place(p) => OptionOf::Place(p),
            OptionPart::Faction(f) => OptionOf::Faction(f),
            OptionPart::Type(t) => OptionOf::Type(t),
            OptionPart::Terrain(t) => OptionOf::Terrain(t),
            OptionPart::Edge(e) => OptionOf::Edge(e),
            OptionPart::Number(n) => OptionOf::Number(n.into()),
            OptionPart::Word(w) => OptionOf::Word(w),
        }
    }

    fn map<V>(self, unit: &impl Fn(U) -> Option<V>) -> Option<OptionPart<V>> {
        Some(match self {
            OptionPart::Unit(u) => OptionPart::Unit(unit(u)?),
            OptionPart::Place(p) => OptionPart::Place(p),
            OptionPart::Faction(f) => OptionPart::Faction(f),
            OptionPart::Type(t) => OptionPart::Type(t),
            OptionPart::Terrain(t) => OptionPart::Terrain(t),
            OptionPart::Edge(e) => OptionPart::Edge(e),
            OptionPart::Number(n) => OptionPart::Number(n),
            OptionPart::Word(w) => OptionPart::Word(w),
        })
    }
}

impl OptionPart<UnitId> {
    #[inline]
    fn number(self) -> u32 {
        match self {
            OptionPart::Unit(u) => 1 << 16 | u32::from(u.0),
            OptionPart::Place(p) => 2 << 16 | u32::from(p.0),
            OptionPart::Faction(f) => 3 << 16 | u32::from(f.0),
            OptionPart::Type(t) => 4 << 16 | u32::from(t.0),
            OptionPart::Terrain(t) => 5 << 16 | u32::from(t.0),
            OptionPart::Number(n) => 6 << 16 | u32::from(n.cast_unsigned()),
            OptionPart::Word(w) => 7 << 16 | u32::from(w.0),
            OptionPart::Edge(e) => 8 << 16 | u32::from(e.0),
        }
    }
}

impl OfferedOption {
    /// A number that no other option has.
    #[inline]
    fn number(self) -> u128 {
        match self {
            OfferedOption::Several(parts) => {
                let part = |p: Option<OptionPart<UnitId>>| u128::from(p.map_or(0, OptionPart::number));
                parts.into_iter().fold(1, |all, p| all << 32 | part(p))
            }
            OfferedOption::Number(n) => 2 << 96 | u128::from(n.cast_unsigned()),
            OfferedOption::Many(n) => 3 << 96 | u128::from(n),
            OfferedOption::Point(p) => {
                4 << 96 | u128::from(p.x.cast_unsigned()) << 32 | u128::from(p.y.cast_unsigned())
            }
            one => u128::from(one.part().map_or(0, OptionPart::number)),
        }
    }

    /// A number that stands for the option among others, as long as the table does.
    pub fn identity(self) -> u64 {
        let number = self.number();
        (number as u64) ^ ((number >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl<U: Copy> OptionOf<U> {
    /// The option as one of several things at once; `None` for what is several itself, and for numbers that
    /// are too large.
    pub fn part(self) -> Option<OptionPart<U>> {
        Some(match self {
            OptionOf::Unit(u) => OptionPart::Unit(u),
            OptionOf::Place(p) => OptionPart::Place(p),
            OptionOf::Faction(f) => OptionPart::Faction(f),
            OptionOf::Type(t) => OptionPart::Type(t),
            OptionOf::Terrain(t) => OptionPart::Terrain(t),
            OptionOf::Edge(e) => OptionPart::Edge(e),
            OptionOf::Number(n) => OptionPart::Number(n.try_into().ok()?),
            OptionOf::Word(w) => OptionPart::Word(w),
            OptionOf::Point(_) | OptionOf::Several(_) | OptionOf::Many(_) => return None,
        })
    }

    /// The things that it is: itself, or those that it is at once.
    pub fn things(self) -> impl Iterator<Item = OptionOf<U>> {
        let (alone, several) = match self {
            OptionOf::Several(parts) => (None, parts),
            one => (Some(one), [None; MAX_PARTS]),
        };
        alone
            .into_iter()
            .chain(several.into_iter().flatten().map(OptionPart::alone))
    }

    /// The same with units told otherwise; `None` when one of them cannot be.
    pub fn map<V: Copy>(self, unit: impl Fn(U) -> Option<V>) -> Option<OptionOf<V>> {
        Some(match self {
            OptionOf::Unit(u) => OptionOf::Unit(unit(u)?),
            OptionOf::Place(p) => OptionOf::Place(p),
            OptionOf::Point(p) => OptionOf::Point(p),
            OptionOf::Number(n) => OptionOf::Number(n),
            OptionOf::Many(n) => OptionOf::Many(n),
            OptionOf::Several(parts) => {
                let mut mapped = [None; MAX_PARTS];
                for (new, part) in mapped.iter_mut().zip(parts.into_iter().flatten()) {
                    *new = Some(part.map(&unit)?);
                }
                OptionOf::Several(mapped)
            }
            one => one.part()?.map(&unit)?.alone(),
        })
    }
}

/// Options of a choice: possibly a word, then units, places, numbers or a list. Sets stay sets; an option is made when
/// it is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    word: Option<WordId>,
    among: OptionSet,
    /// Number of options behind the word, where they are neither in the list nor a region.
    count: usize,
    open: OpenEnd,
    /// Options of a list; empty for anything else.
    list: Vec<OfferedOption>,
    /// Pairs offered; empty for anything else.
    pairs: Vec<UnitPairs>,
    /// Room to find out what is there twice.
    seen: Vec<u128>,
    /// The ways to take several of the things in the list.
    ways: Combinations,
}

/// Up to so many options are compared with each other.
const FEW: usize = 64;

/// Options offered behind the word.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum OptionSet {
    /// The options that are in the list.
    #[default]
    List,
    /// Units.
    Units(UnitSet),
    /// Places.
    Places(PlaceSet),
    /// A unit with each of some things, then another with others.
    Pairs,
    /// The numbers from the first to the second, both with it.
    Numbers(i64, i64),
    /// Points of a plane: more than can be listed. Its candidates are the options that are told.
    Region(Arc<dyn Region>),
    /// Some of the things that are in the list, or all of them in an order.
    Takes(PickCount),
}

/// A unit with each of some things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitPairs {
    /// The unit.
    pub unit: UnitId,
    /// Things that the unit is paired with.
    pub with: Things,
    /// Number of those things.
    pub count: usize,
}

/// Things of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Things {
    /// Units.
    Units(UnitSet),
    /// Places.
    Places(PlaceSet),
}

impl UnitPairs {
    fn iter(&self) -> impl Iterator<Item = OfferedOption> + '_ {
        let (units, places) = match &self.with {
            Things::Units(units) => (Some(units), None),
            Things::Places(places) => (None, Some(places)),
        };
        let units = units
            .into_iter()
            .flat_map(|units| units.iter().map(OptionPart::Unit));
        let places = places
            .into_iter()
            .flat_map(|places| places.iter().map(OptionPart::Place));
        let pair = |with| OfferedOption::Several([Some(OptionPart::Unit(self.unit)), Some(with), None]);
        units.chain(places).map(pair)
    }

    fn get(&self, index: usize) -> Option<OfferedOption> {
        let with = match &self.with {
            Things::Units(units) => OptionPart::Unit(units.iter().nth(index)?),
            Things::Places(places) => OptionPart::Place(places.iter().nth(index)?),
        };
        Some(OfferedOption::Several([
            Some(OptionPart::Unit(self.unit)),
            Some(with),
            None,
        ]))
    }
}

/// Answers that are possible besides the listed options; the listed ones represent them where options are examined.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum OpenEnd {
    /// Nothing.
    #[default]
    No,
    /// Any number from the first to the second, both with it.
    Numbers(i64, i64),
    /// Any spot of a region.
    Spots(Arc<dyn Region>),
}

/// In how many ways a choice of several things can be answered at most.
pub const MAX_WAYS: usize = 10_000;

/// The key of taking none of what is offered.
pub const NONE: &str = "none";

/// Way to choose several things at once: a minimum and maximum number of them, or all of them in an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PickCount {
    /// At least the first and at most the second number of them.
    Some(usize, usize),
    /// All of them, in an order.
    Order,
}

/// The ways to choose several of some things.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Combinations {
    /// Number of copies of each thing.
    times: Vec<usize>,
    /// The most that one way takes.
    most: usize,
    /// In how many ways from none to the most can be taken of the things from the first on, of those from the second
    /// on, and so to those behind the last; what does not fit is [`usize::MAX`].
    counts: Vec<usize>,
}

impl Combinations {
    /// Counts what can be taken of things that are there so often.
    fn count_some(&mut self, most: usize) {
        self.most = most.min(self.times.iter().sum());
        let row = self.most + 1;
        let behind = self.times.len() * row;
        self.counts.resize(behind + row, 0);
        self.counts[behind] = 1;
        for (thing, &times) in self.times.iter().enumerate().rev() {
            let (own, rest) = self.counts[thing * row..].split_at_mut(row);
            for (taken, ways) in own.iter_mut().enumerate() {
                let left = rest[taken.saturating_sub(times)..=taken].iter().copied();
                *ways = left.fold(0, usize::saturating_add);
            }
        }
    }

    /// In how many ways so many can be taken of the things from this one on.
    fn some(&self, from: usize, taken: usize) -> usize {
        let row = self.most + 1;
        self.counts
            .get(from * row..)
            .and_then(|c| c[..row].get(taken))
            .copied()
            .unwrap_or(0)
    }

    /// Returns the number of orders of all of them.
    fn orders(&self) -> usize {
        let (mut orders, mut placed) = (1u128, 0);
        for &times in &self.times {
            for nth in 1..=times {
                placed += 1;
                orders = orders * placed / nth as u128;
                if orders > usize::MAX as u128 {
                    return usize::MAX;
                }
            }
        }
        orders as usize
    }

    fn count(&self, takes: PickCount) -> usize {
        match takes {
            PickCount::Some(least, _) => (least..=self.most)
                .map(|taken| self.some(0, taken))
                .fold(0, usize::saturating_add),
            PickCount::Order => self.orders(),
        }
    }

    /// Returns the indices of the things that one of the ways takes: few things before many, then in the order in which
    /// the things are offered.
    fn taken(&self, takes: PickCount, nth: usize) -> Vec<usize> {
        match takes {
            PickCount::Some(least, _) => self.taken_some(least, nth),
            PickCount::Order => self.taken_in_order(nth),
        }
    }

    fn taken_some(&self, least: usize, mut nth: usize) -> Vec<usize> {
        let mut left = least;
        while left < self.most && nth >= self.some(0, left) {
            nth -= self.some(0, left);
            left += 1;
        }
        let mut taken = Vec::with_capacity(left);
        for (thing, &times) in self.times.iter().enumerate() {
            for many in (0..=times.min(left)).rev() {
                let ways = self.some(thing + 1, left - many);
                if nth < ways {
                    taken.extend(std::iter::repeat_n(thing, many));
                    left -= many;
                    break;
                }
                nth -= ways;
            }
        }
        taken
    }

    fn taken_in_order(&self, mut nth: usize) -> Vec<usize> {
        let mut left = self.times.clone();
        let all: usize = left.iter().sum();
        let mut orders = self.orders() as u128;
        let mut taken = Vec::with_capacity(all);
        for behind in (1..=all).rev() {
            for (thing, times) in left.iter_mut().enumerate() {
                // The orders of which this thing is the first.
                let ways = orders * *times as u128 / behind as u128;
                if (nth as u128) < ways {
                    taken.push(thing);
                    *times -= 1;
                    orders = ways;
                    break;
                }
                nth -= ways as usize;
            }
        }
        taken
    }
}

impl Options {
    /// Offers something else, a word in front of it; a list is empty and waits to be filled.
    #[inline]
    pub fn offer(&mut self, word: Option<WordId>, among: OptionSet) -> &mut Vec<OfferedOption> {
        self.count = match &among {
            OptionSet::Units(units) => units.len(),
            OptionSet::Places(places) => places.len(),
            OptionSet::Numbers(from, to) => {
                usize::try_from(to.saturating_sub(*from).saturating_add(1)).unwrap_or(0)
            }
            OptionSet::List | OptionSet::Pairs | OptionSet::Region(_) | OptionSet::Takes(_) => 0,
        };
        (self.word, self.among, self.open) = (word, among, OpenEnd::No);
        self.ways.times.clear();
        self.ways.counts.clear();
        self.list.clear();
        self.pairs.clear();
        &mut self.list
    }

    /// Offers pairs, none of them twice: false, and nothing offered, where units come again with the same kind of
    /// things.
    pub fn offer_pairs(&mut self, pairs: impl Iterator<Item = UnitPairs>) -> bool {
        self.offer(None, OptionSet::List);
        // The units that are there with units, and those with places.
        let (mut units, mut places) = (UnitSet::EMPTY, UnitSet::EMPTY);
        for pair in pairs {
            let known = match &pair.with {
                Things::Units(_) => &mut units,
                Things::Places(_) => &mut places,
            };
            if known.contains(pair.unit) {
                self.pairs.clear();
                self.count = 0;
                return false;
            }
            known.insert(pair.unit);
            self.count += pair.count;
            self.pairs.push(pair);
        }
        self.among = OptionSet::Pairs;
        true
    }

    /// Offers the ways to take several of these things. What is there several times can be taken as often, and ways
    /// that take the same are one.
    pub fn offer_ways(&mut self, takes: PickCount, things: impl IntoIterator<Item = OfferedOption>) {
        self.offer(None, OptionSet::Takes(takes));
        let mut known: HashMap<u128, usize> = HashMap::new();
        for thing in things {
            let index = *known.entry(thing.number()).or_insert(self.list.len());
            if index == self.list.len() {
                self.list.push(thing);
                self.ways.times.push(0);
            }
            self.ways.times[index] += 1;
        }
        if let PickCount::Some(_, most) = takes {
            self.ways.count_some(most);
        }
        self.count = self.ways.count(takes);
    }

    /// Offers something besides.
    #[inline]
    pub fn leave_open(&mut self, open: OpenEnd) {
        self.open = open;
    }

    /// The region that is offered, if one is.
    pub fn region(&self) -> Option<&Arc<dyn Region>> {
        match (&self.among, &self.open) {
            (OptionSet::Region(region), _) | (_, OpenEnd::Spots(region)) => Some(region),
            _ => None,
        }
    }

    /// The lowest and the highest of the numbers that can be answered besides, if any can.
    pub fn numbers(&self) -> Option<(i64, i64)> {
        match self.open {
            OpenEnd::Numbers(from, to) => Some((from, to)),
            _ => None,
        }
    }

    /// Whether all that is offered besides the options that are told, or instead of them, is a region.
    pub fn is_region(&self) -> bool {
        matches!(self.among, OptionSet::Region(_))
    }

    /// Whether more can be answered than the options that are told.
    pub fn is_open(&self) -> bool {
        self.is_region() || self.open != OpenEnd::No
    }

    /// Whether this can be answered though it need not be told: a spot of the region, or one of the numbers.
    pub fn allows(&self, option: OfferedOption) -> bool {
        match option {
            OfferedOption::Point(spot) => self.region().is_some_and(|region| region.holds(spot)),
            OfferedOption::Number(n) => self.numbers().is_some_and(|(from, to)| (from..=to).contains(&n)),
            _ => false,
        }
    }

    /// Returns the way to choose several of the things in the list at once; `None` for other choices.
    pub fn takes(&self) -> Option<PickCount> {
        match self.among {
            OptionSet::Takes(ways) => Some(ways),
            _ => None,
        }
    }

    /// The word in front of all others.
    pub(super) fn word(&self) -> Option<WordId> {
        self.word
    }

    /// The things of which several are chosen at once, each once, or the options of a list.
    pub fn list(&self) -> &[OfferedOption] {
        &self.list
    }

    /// The options of a list, or all pairs.
    pub fn listed(&self) -> impl Iterator<Item = OfferedOption> + '_ {
        let pairs = self.pairs.iter();
        let pairs = pairs.flat_map(|pairs| (0..pairs.count).filter_map(|index| pairs.get(index)));
        self.list.iter().copied().chain(pairs)
    }

    /// Returns the number of copies of each thing in the list, where several are chosen at once.
    pub fn times(&self) -> &[usize] {
        &self.ways.times
    }

    /// Returns the number of things from which several are chosen at once.
    pub(super) fn things(&self) -> usize {
        self.ways.times.iter().sum()
    }

    /// Returns the things that one of the ways to choose several takes, in its order; for other options the option
    /// itself.
    pub fn things_of(&self, option: OfferedOption) -> Vec<OfferedOption> {
        match (option, &self.among) {
            (OfferedOption::Many(nth), OptionSet::Takes(ways)) => {
                let taken = self.ways.taken(*ways, usize::try_from(nth).unwrap_or(usize::MAX));
                taken
                    .into_iter()
                    .filter_map(|i| self.list.get(i).copied())
                    .collect()
            }
            (one, _) => vec![one],
        }
    }

    /// Leaves what is there twice once. Only a list can hold the same twice, or the word in front.
    #[inline]
    pub(super) fn make_distinct(&mut self) {
        if matches!(self.among, OptionSet::List) {
            self.leave_each_once();
        }
    }

    fn leave_each_once(&mut self) {
        self.seen.clear();
        self.seen
            .extend(self.word.map(|word| OfferedOption::Word(word).number()));
        let numbers = &mut self.seen;
        // Few are compared with each other; many are looked up.
        if self.list.len() <= FEW {
            // What comes in order cannot have come before.
            let mut most = numbers.first().copied().unwrap_or_default();
            self.list.retain(|option| {
                let number = option.number();
                let new = number > most || !numbers.contains(&number);
                if new {
                    most = most.max(number);
                    numbers.push(number);
                }
                new
            });
        } else {
            let mut numbers: HashSet<u128> = numbers.iter().copied().collect();
            self.list.retain(|option| numbers.insert(option.number()));
        }
        self.seen.clear();
    }

    /// Returns the number of options.
    #[inline(always)]
    pub fn len(&self) -> usize {
        let behind = match &self.among {
            OptionSet::List => self.list.len(),
            OptionSet::Region(region) => region.candidates().len(),
            _ => self.count,
        };
        usize::from(self.word.is_some()) + behind
    }

    /// Whether they are places and nothing else could be among them.
    pub fn is_of_places(&self) -> bool {
        matches!(self.among, OptionSet::Places(_))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.word.is_none() && self.len() == 0
    }

    /// The option of an index.
    #[inline]
    pub fn get(&self, index: usize) -> Option<OfferedOption> {
        let index = match self.word {
            Some(word) if index == 0 => return Some(OfferedOption::Word(word)),
            word => index - usize::from(word.is_some()),
        };
        match &self.among {
            OptionSet::List => self.list.get(index).copied(),
            OptionSet::Units(units) => units.iter().nth(index).map(OfferedOption::Unit),
            OptionSet::Places(places) => places.iter().nth(index).map(OfferedOption::Place),
            OptionSet::Pairs => {
                let mut left = index;
                for pairs in &self.pairs {
                    if left < pairs.count {
                        return pairs.get(left);
                    }
                    left -= pairs.count;
                }
                None
            }
            OptionSet::Numbers(from, to) => {
                let number = from.checked_add(i64::try_from(index).ok()?)?;
                (number <= *to).then_some(OfferedOption::Number(number))
            }
            OptionSet::Region(region) => region.candidates().get(index).copied().map(OfferedOption::Point),
            OptionSet::Takes(_) => (index < self.count).then_some(OfferedOption::Many(index as u64)),
        }
    }

    /// All of them, in the order in which they are offered.
    pub fn iter(&self) -> impl Iterator<Item = OfferedOption> + '_ {
        // Sets are gone through once: to look for each by its number takes the longer the more there are.
        let (units, places, pairs) = match &self.among {
            OptionSet::Units(units) => (Some(units), None, &[][..]),
            OptionSet::Places(places) => (None, Some(places), &[][..]),
            OptionSet::Pairs => (None, None, &self.pairs[..]),
            _ => (None, None, &[][..]),
        };
        let units = units
            .into_iter()
            .flat_map(|units| units.iter().map(OfferedOption::Unit));
        let places = places
            .into_iter()
            .flat_map(|places| places.iter().map(OfferedOption::Place));
        let sets = units.chain(places).chain(pairs.iter().flat_map(UnitPairs::iter));
        let first = usize::from(self.word.is_some());
        let others = match &self.among {
            OptionSet::Units(_) | OptionSet::Places(_) | OptionSet::Pairs => first..first,
            _ => first..self.len(),
        };
        let word = self.word.map(OfferedOption::Word).into_iter();
        word.chain(sets).chain(others.filter_map(|index| self.get(index)))
    }

    /// The words among them.
    pub(super) fn words(&self) -> impl Iterator<Item = WordId> + '_ {
        let listed = self.list.iter().filter_map(|option| match option {
            OfferedOption::Word(word) => Some(*word),
            _ => None,
        });
        self.word.into_iter().chain(listed)
    }

    /// Whether one of them is several things at once.
    pub(super) fn has_several(&self) -> bool {
        matches!(self.among, OptionSet::Pairs)
            || self
                .list
                .iter()
                .any(|option| matches!(option, OfferedOption::Several(_)))
    }
}

impl OfferedOption {
    /// The option as records keep it.
    #[inline]
    pub fn chosen(self, world: &World) -> NamedOption {
        self.map(|u| Some(world.name(u))).unwrap_or(OptionOf::Number(0))
    }

    /// The readable key, such as `red.scouts1`, `c4` or `stay`; the keys of several things at once stand one
    /// blank apart.
    pub fn key(self, rules: &Rules, words: &Words, world: &World) -> String {
        self.chosen(world).key(rules, words)
    }
}

impl NamedOption {
    /// The readable key.
    pub fn key(self, rules: &Rules, words: &Words) -> String {
        match self {
            OptionOf::Unit(name) => rules.unit_name(name),
            OptionOf::Place(p) | OptionOf::Edge(p) => rules.board.name(p).to_owned(),
            OptionOf::Point(p) => p.to_string(),
            OptionOf::Faction(f) => rules.factions[f.index()].clone(),
            OptionOf::Type(t) => rules.types[t.index()].name.clone(),
            OptionOf::Terrain(t) => rules.terrains[t.index()].name.clone(),
            OptionOf::Number(n) => n.to_string(),
            OptionOf::Word(w) => words.text(w).to_owned(),
            OptionOf::Many(hash) => words.with_hash(hash).to_owned(),
            several => {
                let keys: Vec<String> = several.things().map(|thing| thing.key(rules, words)).collect();
                keys.join(" ")
            }
        }
    }
}

/// Identity of a step in a game: stable over replays, variants and reloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct StepId {
    /// Number of beginnings of each enclosing repeating phase, outermost first; 0 where unused.
    pub path: [u16; 4],
    /// The phase, by index.
    pub phase: u8,
    /// Subject of the step.
    pub about: RecordedThing,
    /// Number of the pick in the phase, from 1; 0 for steps that are not picks.
    pub pick: u16,
    /// Number of like steps before it in the phase; for a step that decides whose turn it is, its number from 1.
    pub again: u16,
    /// Interruption that the step belongs to; `None` for steps of the phase's own work.
    pub interrupts: Option<Interrupts>,
}

/// An interruption of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Interrupts {
    /// Index of the interruption among those of the phase.
    pub index: u8,
    /// The unit that set it off.
    pub after: UnitName,
}

/// A question to a faction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// The step in which it is asked.
    pub step: StepId,
    /// Faction asked.
    pub asker: FactionId,
    /// Subject of the choice, where it is not the step's own subject.
    pub subject: Thing,
    /// Label of the question, in the script's words.
    pub label: WordId,
    /// Number of times that this faction was asked the same before in the step, from 0.
    pub nth: u16,
    /// Possible answers; never empty, no option twice.
    pub options: Options,
    /// Numbers that are shown with the question, in thousandths, each with its name.
    pub beside: Vec<(WordId, i64)>,
}

/// An answer that was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The step in which it was asked.
    pub step: StepId,
    /// Faction asked.
    pub asker: FactionId,
    /// Subject of the choice.
    pub subject: RecordedThing,
    /// Label of the question.
    pub label: WordId,
    /// Number of times that this faction was asked the same before in the step, from 0.
    pub nth: u16,
    /// Answer that was chosen.
    pub chosen: NamedOption,
    /// Whether it was the only option.
    pub only: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the options where each thing, by its index, has this number of copies.
    fn offered(takes: PickCount, times: &[usize]) -> Options {
        let mut options = Options::default();
        let things = times.iter().enumerate();
        let things = things
            .flat_map(|(thing, &times)| std::iter::repeat_n(OfferedOption::Number(thing as i64), times));
        options.offer_ways(takes, things);
        options
    }

    /// Returns the things that each of the ways takes.
    fn all(takes: PickCount, times: &[usize]) -> Vec<Vec<usize>> {
        let options = offered(takes, times);
        let ways = (0..options.len()).map(|nth| options.ways.taken(takes, nth));
        ways.collect()
    }

    #[test]
    fn each_way_to_choose_several_is_there_once() {
        for times in [&[][..], &[1], &[3], &[1; 5], &[2, 1], &[1, 3, 2], &[2, 2, 1, 1]] {
            let things: Vec<usize> = (0..times.len())
                .flat_map(|thing| std::iter::repeat_n(thing, times[thing]))
                .collect();
            // Every way with all of them told apart, and what it reads.
            let subsets: HashSet<Vec<usize>> = (0u32..1 << things.len())
                .map(|mask| {
                    (0..things.len())
                        .filter(|i| mask >> i & 1 == 1)
                        .map(|i| things[i])
                        .collect()
                })
                .collect();
            for least in 0..=things.len() {
                for most in least..=things.len() {
                    let ways = all(PickCount::Some(least, most), times);
                    let fitting = subsets
                        .iter()
                        .filter(|taken| (least..=most).contains(&taken.len()));
                    assert_eq!(ways.len(), fitting.count(), "{times:?}");
                    assert!(ways.iter().all(|taken| subsets.contains(taken)), "{ways:?}");
                    assert_eq!(ways.iter().collect::<HashSet<_>>().len(), ways.len());
                }
            }
            let orders = all(PickCount::Order, times);
            assert_eq!(orders.iter().collect::<HashSet<_>>().len(), orders.len());
            assert!(
                orders.is_sorted()
                    && orders.iter().all(|order| {
                        let mut order = order.clone();
                        order.sort_unstable();
                        order == things
                    })
            );
            let product = |n: &usize| (1..=*n).product::<usize>();
            let alike: usize = times.iter().map(product).product();
            assert_eq!(orders.len(), product(&things.len()) / alike);
        }
        assert_eq!(all(PickCount::Some(2, 2), &[1, 1, 1])[1], [0, 2]);
        assert_eq!(all(PickCount::Order, &[1, 1, 1])[3], [1, 2, 0]);
    }

    #[test]
    fn ways_that_are_many_are_counted_as_they_are() {
        let count = |takes, times: &[usize]| offered(takes, times).len();
        assert_eq!(count(PickCount::Some(63, 63), &[1; 64]), 64);
        assert_eq!(count(PickCount::Some(62, 62), &[1; 63]), 63);
        assert_eq!(
            count(PickCount::Some(32, 32), &[1; 64]),
            1_832_624_140_942_590_534
        );
        assert_eq!(count(PickCount::Some(0, 200), &[1; 200]), usize::MAX);
        assert_eq!(count(PickCount::Some(50, 50), &[100]), 1);
        assert_eq!(count(PickCount::Order, &[1; 40]), usize::MAX);
        assert_eq!(count(PickCount::Order, &[99, 1]), 100);
        let options = offered(PickCount::Some(63, 63), &[1; 64]);
        let taken = options
            .get(63)
            .map(|last| options.things_of(last))
            .unwrap_or_default();
        assert_eq!((taken.len(), taken[0]), (63, OfferedOption::Number(1)));
    }
}
