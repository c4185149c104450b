//! Choices: who is asked, what for, among which options, and the answers that were given.
//!
//! An option is a small value; its readable key is spelled only when someone reads it.

use super::ids::{
    FactionId, PlaceId, PlaceSet, TerrainId, Thing, TypeId, UnitId, UnitName, UnitSet, Who, WordId,
};
use super::rules::{Rules, Words};
use super::world::World;
use std::collections::HashSet;

/// The most things that one option can be at once.
pub const MAX_PARTS: usize = 3;

/// One thing that can be chosen; `U` says how units are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice<U> {
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
    /// A number.
    Number(i64),
    /// A word.
    Word(WordId),
    /// Two or three things at once: this unit to there.
    Several([Option<Part<U>>; MAX_PARTS]),
    /// Some of what is offered, or all of it in an order: as an option which of the [`Takes`] it is, from 0; in a
    /// record the hash of its key, which is among the words.
    Many(u64),
}

/// One of several things at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<U> {
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
    /// A number.
    Number(i16),
    /// A word.
    Word(WordId),
}

/// An option as it is offered.
pub type Opt = Choice<UnitId>;
/// An option in a record: units by name, which stays true when ids are given anew.
pub type Chosen = Choice<UnitName>;

impl<U: Copy> Part<U> {
    /// The part as an option of its own.
    #[inline]
    pub fn alone(self) -> Choice<U> {
        match self {
            Part::Unit(u) => Choice::Unit(u),
            Part::Place(p) => Choice::Place(p),
            Part::Faction(f) => Choice::Faction(f),
            Part::Type(t) => Choice::Type(t),
            Part::Terrain(t) => Choice::Terrain(t),
            Part::Number(n) => Choice::Number(n.into()),
            Part::Word(w) => Choice::Word(w),
        }
    }

    fn map<V>(self, unit: &impl Fn(U) -> Option<V>) -> Option<Part<V>> {
        Some(match self {
            Part::Unit(u) => Part::Unit(unit(u)?),
            Part::Place(p) => Part::Place(p),
            Part::Faction(f) => Part::Faction(f),
            Part::Type(t) => Part::Type(t),
            Part::Terrain(t) => Part::Terrain(t),
            Part::Number(n) => Part::Number(n),
            Part::Word(w) => Part::Word(w),
        })
    }
}

impl Part<UnitId> {
    #[inline]
    fn number(self) -> u32 {
        match self {
            Part::Unit(u) => 1 << 16 | u32::from(u.0),
            Part::Place(p) => 2 << 16 | u32::from(p.0),
            Part::Faction(f) => 3 << 16 | u32::from(f.0),
            Part::Type(t) => 4 << 16 | u32::from(t.0),
            Part::Terrain(t) => 5 << 16 | u32::from(t.0),
            Part::Number(n) => 6 << 16 | u32::from(n.cast_unsigned()),
            Part::Word(w) => 7 << 16 | u32::from(w.0),
        }
    }
}

impl Opt {
    /// A number that no other option has.
    #[inline]
    fn number(self) -> u128 {
        match self {
            Opt::Several(parts) => {
                let part = |p: Option<Part<UnitId>>| u128::from(p.map_or(0, Part::number));
                parts.into_iter().fold(1, |all, p| all << 32 | part(p))
            }
            Opt::Number(n) => 2 << 96 | u128::from(n.cast_unsigned()),
            Opt::Many(n) => 3 << 96 | u128::from(n),
            one => u128::from(one.part().map_or(0, Part::number)),
        }
    }
}

impl<U: Copy> Choice<U> {
    /// The option as one of several things at once; `None` for what is several itself, and for numbers that
    /// are too large.
    pub fn part(self) -> Option<Part<U>> {
        Some(match self {
            Choice::Unit(u) => Part::Unit(u),
            Choice::Place(p) => Part::Place(p),
            Choice::Faction(f) => Part::Faction(f),
            Choice::Type(t) => Part::Type(t),
            Choice::Terrain(t) => Part::Terrain(t),
            Choice::Number(n) => Part::Number(n.try_into().ok()?),
            Choice::Word(w) => Part::Word(w),
            Choice::Several(_) | Choice::Many(_) => return None,
        })
    }

    /// The things that it is: itself, or those that it is at once.
    pub fn things(self) -> impl Iterator<Item = Choice<U>> {
        let (alone, several) = match self {
            Choice::Several(parts) => (None, parts),
            one => (Some(one), [None; MAX_PARTS]),
        };
        alone
            .into_iter()
            .chain(several.into_iter().flatten().map(Part::alone))
    }

    /// The same with units told otherwise; `None` when one of them cannot be.
    pub fn map<V: Copy>(self, unit: impl Fn(U) -> Option<V>) -> Option<Choice<V>> {
        Some(match self {
            Choice::Unit(u) => Choice::Unit(unit(u)?),
            Choice::Place(p) => Choice::Place(p),
            Choice::Faction(f) => Choice::Faction(f),
            Choice::Type(t) => Choice::Type(t),
            Choice::Terrain(t) => Choice::Terrain(t),
            Choice::Number(n) => Choice::Number(n),
            Choice::Word(w) => Choice::Word(w),
            Choice::Many(n) => Choice::Many(n),
            Choice::Several(parts) => {
                let mut mapped = [None; MAX_PARTS];
                for (new, part) in mapped.iter_mut().zip(parts) {
                    *new = match part {
                        Some(part) => Some(part.map(&unit)?),
                        None => None,
                    };
                }
                Choice::Several(mapped)
            }
        })
    }
}

/// What can be chosen: perhaps a word, then units, places, numbers or a list. What is a set stays one, and
/// an option is made of it when somebody looks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    word: Option<WordId>,
    among: Among,
    /// What a list offers; empty for anything else.
    list: Vec<Opt>,
    /// Room to find out what is there twice.
    seen: Vec<u128>,
}

/// Up to so many options are compared with each other.
const FEW: usize = 64;

/// What is offered behind the word.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Among {
    /// The options that are in the list.
    #[default]
    List,
    /// Units.
    Units(UnitSet),
    /// Places.
    Places(PlaceSet),
    /// The numbers from the first to the second, both with it.
    Numbers(i64, i64),
    /// Some of the things that are in the list, or all of them in an order.
    Takes(Takes),
}

/// In how many ways a choice of several things can be answered at most.
pub const MAX_WAYS: usize = 10_000;

/// The key of taking none of what is offered.
pub const NONE: &str = "none";

/// How several things are chosen at once: at least and at most so many, or all of them in an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// So many of them at least and at most.
    Some(usize, usize),
    /// All of them, in an order.
    Order,
}

impl Takes {
    /// How many there are for so many things; far too many are [`usize::MAX`].
    fn count(self, things: usize) -> usize {
        match self {
            Takes::Some(least, most) => (least..=most.min(things))
                .map(|taken| combinations(things, taken))
                .fold(0, usize::saturating_add),
            Takes::Order => (1..=things).fold(1, usize::saturating_mul),
        }
    }

    /// Which of so many things one of them takes, by their indices: few things before many, then in the order in
    /// which the things are offered.
    fn taken(self, things: usize, mut nth: usize) -> Vec<usize> {
        let mut left: Vec<usize> = (0..things).collect();
        let Takes::Some(least, most) = self else {
            let mut taken = Vec::with_capacity(things);
            while !left.is_empty() {
                let behind = Takes::Order.count(left.len() - 1);
                taken.push(left.remove((nth / behind).min(left.len() - 1)));
                nth %= behind;
            }
            return taken;
        };
        let mut wanted = least;
        while wanted < most && nth >= combinations(things, wanted) {
            nth -= combinations(things, wanted);
            wanted += 1;
        }
        let mut taken = Vec::with_capacity(wanted);
        for thing in 0..things {
            let with = match wanted - taken.len() {
                0 => break,
                more => combinations(things - thing - 1, more - 1),
            };
            if nth < with {
                taken.push(thing);
            } else {
                nth -= with;
            }
        }
        taken
    }
}

/// In how many ways some of so many things can be taken.
fn combinations(of: usize, taken: usize) -> usize {
    if taken > of {
        return 0;
    }
    (0..taken).fold(1usize, |ways, n| match ways.checked_mul(of - n) {
        Some(ways) => ways / (n + 1),
        None => usize::MAX,
    })
}

impl Options {
    /// Offers something else, a word in front of it; a list is empty and waits to be filled.
    #[inline]
    pub fn offer(&mut self, word: Option<WordId>, among: Among) -> &mut Vec<Opt> {
        (self.word, self.among) = (word, among);
        self.list.clear();
        &mut self.list
    }

    /// Whether no option can be there twice, and no word but in front.
    #[inline]
    pub(super) fn are_distinct(&self) -> bool {
        !matches!(self.among, Among::List | Among::Takes(_))
    }

    /// How several of the things in the list are chosen at once, if they are.
    pub fn takes(&self) -> Option<Takes> {
        match self.among {
            Among::Takes(ways) => Some(ways),
            _ => None,
        }
    }

    /// The things of which several are chosen at once, or the options of a list.
    pub fn list(&self) -> &[Opt] {
        &self.list
    }

    /// What one of the ways to choose several things takes, in its order; of other options the option itself.
    pub fn things_of(&self, option: Opt) -> Vec<Opt> {
        match (option, &self.among) {
            (Opt::Many(nth), Among::Takes(ways)) => {
                let taken = ways.taken(self.list.len(), usize::try_from(nth).unwrap_or(usize::MAX));
                taken
                    .into_iter()
                    .filter_map(|i| self.list.get(i).copied())
                    .collect()
            }
            (one, _) => vec![one],
        }
    }

    /// Leaves what is there twice once. Only a list can hold the same twice, or the word in front.
    pub(super) fn make_distinct(&mut self) {
        self.seen.clear();
        self.seen.extend(self.word.map(|word| Opt::Word(word).number()));
        let seen = &mut self.seen;
        // Few are compared with each other; many are looked up.
        if self.list.len() <= FEW {
            self.list.retain(|option| {
                let number = option.number();
                let new = !seen.contains(&number);
                if new {
                    seen.push(number);
                }
                new
            });
        } else {
            let mut seen: HashSet<u128> = seen.iter().copied().collect();
            self.list.retain(|option| seen.insert(option.number()));
        }
        self.seen.clear();
    }

    /// How many there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        let behind = match &self.among {
            Among::List => self.list.len(),
            Among::Units(units) => units.len(),
            Among::Places(places) => places.len(),
            Among::Numbers(from, to) => {
                usize::try_from(to.saturating_sub(*from).saturating_add(1)).unwrap_or(0)
            }
            Among::Takes(ways) => ways.count(self.list.len()),
        };
        usize::from(self.word.is_some()) + behind
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The option of an index.
    #[inline]
    pub fn get(&self, index: usize) -> Option<Opt> {
        let index = match self.word {
            Some(word) if index == 0 => return Some(Opt::Word(word)),
            word => index - usize::from(word.is_some()),
        };
        match &self.among {
            Among::List => self.list.get(index).copied(),
            Among::Units(units) => units.iter().nth(index).map(Opt::Unit),
            Among::Places(places) => places.iter().nth(index).map(Opt::Place),
            Among::Numbers(from, to) => {
                let number = from.checked_add(i64::try_from(index).ok()?)?;
                (number <= *to).then_some(Opt::Number(number))
            }
            Among::Takes(ways) => (index < ways.count(self.list.len())).then_some(Opt::Many(index as u64)),
        }
    }

    /// All of them, in the order in which they are offered.
    pub fn iter(&self) -> impl Iterator<Item = Opt> + '_ {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The words among them.
    pub(super) fn words(&self) -> impl Iterator<Item = WordId> + '_ {
        let listed = self.list.iter().filter_map(|option| match option {
            Opt::Word(word) => Some(*word),
            _ => None,
        });
        self.word.into_iter().chain(listed)
    }

    /// Whether one of them is several things at once.
    pub(super) fn has_several(&self) -> bool {
        self.list.iter().any(|option| matches!(option, Opt::Several(_)))
    }
}

impl Opt {
    /// The option as records keep it.
    #[inline]
    pub fn chosen(self, world: &World) -> Chosen {
        self.map(|u| Some(world.name(u))).unwrap_or(Choice::Number(0))
    }

    /// The readable key, such as `red.scouts1`, `c4` or `stay`; the keys of several things at once stand one
    /// blank apart.
    pub fn key(self, rules: &Rules, words: &Words, world: &World) -> String {
        self.chosen(world).key(rules, words)
    }
}

impl Chosen {
    /// The readable key.
    pub fn key(self, rules: &Rules, words: &Words) -> String {
        match self {
            Choice::Unit(name) => rules.unit_name(name),
            Choice::Place(p) => rules.board.name(p).to_owned(),
            Choice::Faction(f) => rules.factions[f.index()].clone(),
            Choice::Type(t) => rules.types[t.index()].name.clone(),
            Choice::Terrain(t) => rules.terrains[t.index()].name.clone(),
            Choice::Number(n) => n.to_string(),
            Choice::Word(w) => words.text(w).to_owned(),
            Choice::Many(hash) => words.with_hash(hash).to_owned(),
            several => {
                let keys: Vec<String> = several.things().map(|thing| thing.key(rules, words)).collect();
                keys.join(" ")
            }
        }
    }
}

/// Which step of a game: stable over replays, tweaks and reloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct StepId {
    /// How often each enclosing repeating phase has begun, outermost first; 0 where unused.
    pub path: [u16; 4],
    /// The phase, by index.
    pub phase: u8,
    /// What the step is about.
    pub about: Who,
    /// Which of the phase's picks it is, from 1; 0 for steps that are not picks.
    pub pick: u16,
    /// A released unit is engaged again as the phase begins: no step of the phase's own work.
    pub rejoins: bool,
    /// How often there was one alike in the phase before; of a step that decides whose turn it is, which it is, from 1.
    pub again: u16,
    /// What interrupts the phase, if anything does: no step of the phase's own work either.
    pub interrupts: Option<Interrupts>,
}

/// An interruption of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Interrupts {
    /// Which of those that hold for the phase.
    pub index: u8,
    /// The unit that set it off.
    pub after: UnitName,
}

/// A question to a faction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The step in which it is asked.
    pub step: StepId,
    /// Who is asked.
    pub asker: FactionId,
    /// What the choice is about, when that is not the step's own subject.
    pub subject: Thing,
    /// What is asked, in the script's words.
    pub label: WordId,
    /// How often this faction was asked this before in the step, from 0.
    pub nth: u16,
    /// What can be answered; never empty, no option twice.
    pub options: Options,
}

/// An answer that was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The step in which it was asked.
    pub step: StepId,
    /// Who was asked.
    pub asker: FactionId,
    /// What the choice was about.
    pub subject: Who,
    /// What was asked.
    pub label: WordId,
    /// How often this faction was asked this before in the step, from 0.
    pub nth: u16,
    /// What was answered.
    pub chosen: Chosen,
    /// Whether it was the only option.
    pub only: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_choose_several_is_there_once() {
        for things in 0..6 {
            for least in 0..=things {
                for most in least..=things {
                    let ways = Takes::Some(least, most);
                    let all: Vec<Vec<usize>> = (0..ways.count(things))
                        .map(|nth| ways.taken(things, nth))
                        .collect();
                    let fits = |taken: &Vec<usize>| {
                        (least..=most).contains(&taken.len()) && taken.is_sorted_by(|a, b| a < b)
                    };
                    assert!(all.iter().all(fits), "{all:?}");
                    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
                    let masks =
                        (0u32..1 << things).filter(|m| (least..=most).contains(&(m.count_ones() as usize)));
                    assert_eq!(masks.count(), all.len());
                }
            }
            let all: HashSet<Vec<usize>> = (0..Takes::Order.count(things))
                .map(|nth| Takes::Order.taken(things, nth))
                .collect();
            assert_eq!(all.len(), (1..=things).product::<usize>());
        }
        assert_eq!(Takes::Some(2, 2).taken(3, 1), [0, 2]);
        assert_eq!(Takes::Order.taken(3, 3), [1, 2, 0]);
        assert_eq!(Takes::Order.count(40), usize::MAX);
        assert!(Takes::Some(0, 200).count(200) > MAX_WAYS);
    }
}
