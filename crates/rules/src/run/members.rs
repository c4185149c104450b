//! Every property: the native ones, and those that the game declares.

use super::value::{KINDS, Kind};
use crate::kernel::ids::WordId;
use crate::kernel::rules::{Rules, SlotKind, Words};
use std::collections::BTreeMap;

/// A property that scripts can read.
pub struct MemberProperty {
    /// Kind of value that has it.
    pub of: Kind,
    /// Its name.
    pub name: &'static str,
    /// Description, in the form of a native function's.
    pub doc: &'static str,
}

/// Ways to read a property.
#[derive(Debug, Clone, Copy)]
pub enum Getter {
    /// By one of the native properties, by its index.
    Native(u16),
    /// As a slot, by its index.
    Slot(usize, SlotKind),
    /// As a stat of a unit or a unit type, by its index.
    Stat(usize),
    /// As a faction's zone, by its index.
    Zone(usize),
}

/// One property name, by the kind of value that has it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Member {
    /// Ways to read it, by kind of value.
    pub get: [Option<Getter>; KINDS],
    /// The slot that is written, by its index.
    pub set: [Option<(usize, SlotKind)>; KINDS],
}

/// See the module's comment.
#[derive(Debug, Clone, Default)]
pub struct Members {
    by_name: BTreeMap<String, usize>,
    /// Index of the property by its name as a word, for words known at load.
    by_word: Vec<Option<usize>>,
    all: Vec<Member>,
}

impl Members {
    /// The properties under these rules. A slot hides a stat or native property of the same name.
    pub fn of(rules: &Rules, native: &[MemberProperty]) -> Self {
        let mut members = Self::default();
        members.fill(rules, native);
        members
    }

    /// Learns what the properties mean under these rules.
    pub fn fill(&mut self, rules: &Rules, native: &[MemberProperty]) {
        let members = self;
        for (index, property) in native.iter().enumerate() {
            members.named(property.name).get[property.of as usize] = Some(Getter::Native(index as u16));
        }
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
    }

    fn named(&mut self, name: &str) -> &mut Member {
        let index = self.index(name);
        &mut self.all[index]
    }

    /// A property's index by name; one that nobody has yet may come to be known.
    pub fn index(&mut self, name: &str) -> usize {
        self.find(name).unwrap_or_else(|| {
            self.all.push(Member::default());
            self.by_name.insert(name.to_owned(), self.all.len() - 1);
            self.all.len() - 1
        })
    }

    /// A property's index by name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Whether a property is a set or list in a slot of something.
    pub fn holds_items(&self, name: &str) -> bool {
        let member = self.find(name).map(|index| self.member(index));
        let mut slots = member
            .into_iter()
            .flat_map(|member| member.set.into_iter().flatten());
        slots.any(|(_, kind)| kind.items().is_some())
    }

    /// Finds the properties that words name.
    pub fn know(&mut self, words: &Words) {
        self.by_word = words.texts().map(|text| self.find(text)).collect();
    }

    /// Index of a property whose name is a word.
    #[inline]
    pub fn of_word(&self, name: WordId, words: &Words) -> Option<usize> {
        let known = self.by_word.get(name.0 as usize).copied().flatten();
        known.or_else(|| self.find(words.text(name)))
    }

    /// A property by its index; behind the last one there is what nothing has.
    #[inline]
    pub fn member(&self, index: usize) -> &Member {
        const NONE: &Member = &Member {
            get: [None; KINDS],
            set: [None; KINDS],
        };
        self.all.get(index).unwrap_or(NONE)
    }

    /// Every property with its name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Member)> {
        self.by_name
            .iter()
            .map(|(name, i)| (name.as_str(), &self.all[*i]))
    }
}
