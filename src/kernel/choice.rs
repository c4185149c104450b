//! Choices: who is asked, what for, among which options, and the answers that were given.
//!
//! An option is a small value; its readable key is spelled only when someone reads it.

use super::ids::{FactionId, PlaceId, TerrainId, Thing, TypeId, UnitId, UnitName, Who, WordId};
use super::rules::{Rules, Words};
use super::world::World;

/// One thing that can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Opt {
    /// A unit.
    Unit(UnitId),
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
}

/// An option in a record: units by name, which stays true when ids are given anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chosen {
    /// A unit.
    Unit(UnitName),
    /// Anything else, as it was offered.
    Other(Opt),
}

impl Opt {
    /// The option as records keep it.
    #[inline]
    pub fn chosen(self, world: &World) -> Chosen {
        match self {
            Opt::Unit(u) => Chosen::Unit(world.name(u)),
            other => Chosen::Other(other),
        }
    }

    /// The readable key, such as `red.scouts1`, `c4` or `stay`; never with spaces in it for
    /// names and numbers.
    pub fn key(self, rules: &Rules, words: &Words, world: &World) -> String {
        self.chosen(world).key(rules, words)
    }
}

impl Chosen {
    /// The readable key.
    pub fn key(self, rules: &Rules, words: &Words) -> String {
        match self {
            Chosen::Unit(name) => rules.unit_name(name),
            Chosen::Other(Opt::Place(p)) => rules.board.name(p).to_owned(),
            Chosen::Other(Opt::Faction(f)) => rules.factions[f.index()].clone(),
            Chosen::Other(Opt::Type(t)) => rules.types[t.index()].name.clone(),
            Chosen::Other(Opt::Terrain(t)) => rules.terrains[t.index()].name.clone(),
            Chosen::Other(Opt::Number(n)) => n.to_string(),
            Chosen::Other(Opt::Word(w)) => words.text(w).to_owned(),
            // Units are recorded by name; an id outside a record has no readable key.
            Chosen::Other(Opt::Unit(u)) => format!("unit {}", u.0),
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
    pub pick: u8,
    /// A released unit is engaged again as the phase begins: no step of the phase's own work.
    pub rejoins: bool,
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
    pub options: Vec<Opt>,
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
