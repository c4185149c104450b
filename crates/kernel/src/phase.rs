//! Phases as a game declares them: a tree of what is done, and to whom. [`super::schedule`] walks it.

use super::ids::{HookId, Thing};

/// Maximum nesting depth of phases.
pub const MAX_DEPTH: usize = 8;
/// Maximum number of repeating phases inside each other.
pub const MAX_REPEATS: usize = 4;
/// Maximum number of repetitions of a phase, and of activations of a unit in a phase, before the game is considered
/// endless.
pub const MAX_ITERATIONS: u16 = 1_000;
/// Maximum number of interruptions that set each other off, one within the next.
pub const MAX_CHAIN: usize = 16;
/// Maximum number of interruptions between one step of a phase and the next.
pub const MAX_INTERRUPTS: usize = 256;

/// The words for who comes where in turn order.
pub const ORDINALS: [&str; 8] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
];

/// One phase as the game declares it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// Begins again whenever it ends, until a contest around it is decided.
    pub repeat: bool,
    /// The contest (a game, a match) that is decided in it, by name.
    pub contest: Option<String>,
    /// Left out when a scenario lays the units.
    pub setup: bool,
    /// Effects inside are gathered and applied together at its end.
    pub simultaneous: bool,
    /// Until it ends, a faction does not see what the others answered and did in it.
    pub hidden: bool,
    /// Its steps are told only where something shows for them.
    pub quiet: bool,
    /// Whether queries about a step of it cover the whole phase: odds look to its end.
    pub whole: bool,
    /// Interruptions: questions to other factions after events in a step of it; if empty, those of the enclosing phase
    /// apply.
    pub interrupts: Vec<Interrupt>,
    /// The slots that last as long as it, see [`super::rules::Schema::lasting`].
    pub clears: Vec<(Thing, u8)>,
    /// Work done in the phase.
    pub work: PhaseBody,
}

/// Something after which the other factions are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interrupt {
    /// After what.
    pub on: Trigger,
    /// The hook that asks: about a faction, with the unit that set it off.
    pub hook: HookId,
    /// Its name.
    pub name: String,
}

/// Event that sets off an interruption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// A unit came to stand somewhere.
    Moved,
    /// A slot of a unit changed, by its index.
    Slot(u8),
}

/// The interruptions that hold for a phase: its own, or those of the innermost phase around it that has any.
pub fn interrupts_of(phases: &[Phase], phase: u8) -> &[Interrupt] {
    let of = |p: u8| phases[p as usize].interrupts.as_slice();
    outwards(phases, phase)
        .map(of)
        .find(|i| !i.is_empty())
        .unwrap_or_default()
}

impl Phase {
    /// Whether the slots that last as long as the phase are still there when it is over, for all to see, until
    /// it begins again: it repeats, or somebody wins it.
    pub(super) fn keeps_its_slots(&self) -> bool {
        self.repeat || self.contest.is_some()
    }

    /// Whether it is drawn whose turn it is.
    pub fn draws_cards(&self) -> bool {
        let drawn = |turns: &Turns| matches!(turns.next, TurnOrder::Drawn | TurnOrder::DrawnUnit);
        matches!(&self.work, PhaseBody::Turn { turns: Some(turns), .. } if drawn(turns))
    }
}

/// Work done in a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PhaseBody {
    /// Other phases, by index, one after the other.
    Sequence(Vec<u8>),
    /// One step for each thing that qualifies when its step comes.
    Each {
        /// The kind of thing.
        kind: EachKind,
        /// Conditions that a thing must meet.
        filters: Vec<Filter>,
        /// The hook that is the step.
        hook: HookId,
        /// Unit types whose hook does nothing, by type index: they get no step.
        idle: u64,
    },
    /// Factions activate their units one by one.
    Turn {
        /// Owners of the units.
        whose: ActivatedUnits,
        /// Conditions that a unit must meet to be offered.
        filters: Vec<Filter>,
        /// The hook that is the step.
        hook: HookId,
        /// Rules for taking turns; `None` when one faction activates each of its units once, in the order it likes.
        turns: Option<Box<Turns>>,
    },
}

impl PhaseBody {
    /// The hook that is its step, and what a thing must fulfil to have one; a sequence has none.
    pub fn step(&self) -> Option<(HookId, &[Filter])> {
        match self {
            PhaseBody::Each { hook, filters, .. } | PhaseBody::Turn { hook, filters, .. } => {
                Some((*hook, filters))
            }
            PhaseBody::Sequence(_) => None,
        }
    }
}

/// Owners of the units that are activated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActivatedUnits {
    /// One faction's, by its place in turn order (from 0) as it was when the phase began.
    Nth(usize),
    /// Everybody's.
    Each,
}

/// Rules by which factions take turns in a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turns {
    /// Minimum and maximum number of activations in a turn.
    pub quota: (u16, u16),
    /// Rule that selects the next faction among the possible ones.
    pub next: TurnOrder,
    /// Only who has the most of this may be next.
    pub initiative: Option<UnitMeasure>,
    /// Slot from which an activation takes its cost. Units are activated again while there is enough of it.
    pub points: Option<UnitMeasure>,
    /// Cost of an activation, at least 1; `None` is 1.
    pub cost: Option<UnitMeasure>,
    /// Part of the phase that ends when a faction passes; `None` when it must activate.
    pub pass: Option<PassScope>,
}

impl Turns {
    /// Whether the points are cards: what is drawn is taken from them, and not what is activated.
    pub fn pays_by_card(&self) -> bool {
        matches!(
            (self.points, self.next),
            (Some(UnitMeasure::Faction(_)), TurnOrder::Drawn)
                | (Some(UnitMeasure::Unit(_)), TurnOrder::DrawnUnit)
        )
    }
}

/// Rule that selects the faction with the next turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnOrder {
    /// The first in turn order of those who have not had one since all had one.
    Order,
    /// One of those, as the faction says that decides conflicts.
    Asked,
    /// The faction whose card is drawn.
    Drawn,
    /// The unit whose card is drawn.
    DrawnUnit,
}

/// A number of a unit or of its faction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitMeasure {
    /// A stat of the unit, by index.
    Stat(usize),
    /// A slot of the unit, by index.
    Unit(u8),
    /// A slot of its faction, by index.
    Faction(u8),
}

/// Part of a phase that ends when a faction passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassScope {
    /// Its turn; when all have passed one after the other, the phase.
    Turn,
    /// Its part in the phase.
    Phase,
    /// The phase, for all.
    All,
}

impl Default for PhaseBody {
    fn default() -> Self {
        PhaseBody::Sequence(Vec::new())
    }
}

/// Things for each of which a phase has one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EachKind {
    /// One step for the game.
    Game,
    /// A step for each faction, in turn order as it was when the phase began.
    Faction,
    /// A step for each place.
    Place,
    /// A step for each unit on the board.
    Unit,
}

/// A condition on the units or places that get a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// The unit is not engaged.
    Free,
    /// The unit is engaged.
    Engaged,
    /// The place holds units of more than one faction.
    Contested,
    /// The unit stands in its own faction's zone, by the zone's index.
    In(u8),
    /// The unit stands in the zone of its faction's foe.
    InFoes(u8),
    /// A slot of the unit or place, by its index, is set: it holds a thing, dice, true or a number
    /// other than 0.
    Set(u8),
}

/// The phase in whose sequence a phase lies; `None` for the root.
#[inline]
pub fn parent(phases: &[Phase], phase: u8) -> Option<u8> {
    let holds = |p: &Phase| matches!(&p.work, PhaseBody::Sequence(children) if children.contains(&phase));
    phases.iter().position(holds).map(|index| index as u8)
}

/// A phase and the phases around it, innermost first.
pub fn outwards(phases: &[Phase], phase: u8) -> impl Iterator<Item = u8> {
    std::iter::successors(Some(phase), |p| parent(phases, *p))
}

/// Whether a phase is set-up, or lies in one that is.
pub fn sets_up(phases: &[Phase], phase: u8) -> bool {
    outwards(phases, phase).any(|p| phases[p as usize].setup)
}

/// Returns the nesting depth of a phase, from 0 for the root.
pub fn depth(phases: &[Phase], phase: u8) -> usize {
    outwards(phases, phase).count() - 1
}

/// The repeating phases that lie around a phase, outermost first, the phase itself with them.
pub fn repeats_around(phases: &[Phase], phase: u8) -> Vec<u8> {
    let mut around: Vec<u8> = outwards(phases, phase)
        .filter(|p| phases[*p as usize].repeat)
        .collect();
    around.reverse();
    around
}

/// Whether a phase repeats and no phase inside it does.
pub fn is_innermost_repeat(phases: &[Phase], phase: u8) -> bool {
    let repeats = |p: &u8| phases[*p as usize].repeat;
    let lies_inside = |p: u8| outwards(phases, p).skip(1).any(|around| around == phase);
    repeats(&phase)
        && !(0..phases.len())
            .map(|p| p as u8)
            .any(|p| repeats(&p) && lies_inside(p))
}
