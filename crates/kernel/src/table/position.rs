//! A position: the world at the start of a step, and the answers given in it.

use crate::choice::{Answer, StepId};
use crate::dice::Pool;
use crate::effect::GatheredEffects;
use crate::ids::WordId;
use crate::schedule::{Cursor, NextStep};
use crate::world::World;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The world at the start of the current step, what is gathered in a running simultaneous phase,
/// and the answers given in the step so far.
#[derive(Debug, PartialEq, Eq)]
pub struct Position {
    /// The world at the start of the step.
    pub world: World,
    /// Place of the game in its phases.
    pub cursor: Cursor,
    /// Kind of the current step, as the scheduler gave it.
    pub next: NextStep,
    /// The current step's id.
    pub step: StepId,
    /// Effects that wait for the end of the simultaneous phase.
    pub gathered: Vec<GatheredEffects>,
    /// The ordinal of the current step in the game; groups gathered effects.
    pub ordinal: u32,
    /// The world at the start of the open hidden phase.
    pub(super) hidden_start: Option<Arc<World>>,
    /// Answers given in the step so far.
    pub answers: Vec<Answer>,
    /// Number of scripted rolls of each label that are used up.
    pub rolls_used: Vec<u16>,
    /// Dice that wait for their roll, in the order in which they are taken.
    pub forced: Vec<Forced>,
    /// The seed of the dice.
    pub seed: u64,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        self.with(self.world.clone(), self.gathered.clone())
    }

    /// Copies without allocating where the room is there: whoever looks ahead does it all the time.
    fn clone_from(&mut self, source: &Self) {
        let Self {
            world,
            cursor,
            next,
            step,
            gathered,
            ordinal,
            hidden_start,
            answers,
            rolls_used,
            forced,
            seed,
        } = source;
        self.world.clone_from(world);
        self.cursor.clone_from(cursor);
        self.next.clone_from(next);
        self.step = *step;
        (self.ordinal, self.seed) = (*ordinal, *seed);
        self.gathered.clone_from(gathered);
        self.hidden_start.clone_from(hidden_start);
        self.answers.clone_from(answers);
        self.rolls_used.clone_from(rolls_used);
        self.forced.clone_from(forced);
    }
}

/// Dice set by hand: the next roll of that label shows them, if it is one of so many dice and none
/// of them has more than its sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forced {
    /// Purpose of the roll.
    pub label: WordId,
    /// Dice that the roll shows.
    pub dice: Pool,
}

impl Position {
    /// The start of a game on this world.
    pub fn start(world: World, skip_setup: bool, seed: u64, scripted: usize) -> Self {
        Self {
            world,
            cursor: Cursor::start(skip_setup),
            next: NextStep::Over,
            step: StepId::default(),
            gathered: Vec::new(),
            ordinal: 0,
            hidden_start: None,
            answers: Vec::new(),
            rolls_used: vec![0; scripted],
            forced: Vec::new(),
            seed,
        }
    }

    /// Whether a hidden phase is open.
    pub fn is_hidden(&self) -> bool {
        self.hidden_start.is_some()
    }

    /// Returns a copy with another world and other effects that wait.
    pub(super) fn with(&self, world: World, gathered: Vec<GatheredEffects>) -> Self {
        Self {
            world,
            cursor: self.cursor.clone(),
            next: self.next.clone(),
            gathered,
            hidden_start: self.hidden_start.clone(),
            answers: self.answers.clone(),
            rolls_used: self.rolls_used.clone(),
            forced: self.forced.clone(),
            ..*self
        }
    }

    /// Returns the position in which a step begins on this world, as if it came now; nothing is hidden in it.
    pub fn supposed(&self, world: World, cursor: Cursor, next: NextStep) -> Self {
        Self {
            step: cursor.step_id(&next, &world),
            cursor,
            next,
            hidden_start: None,
            answers: Vec::new(),
            ..self.with(world, Vec::new())
        }
    }

    /// Returns a copy with each of its worlds converted.
    ///
    /// # Errors
    ///
    /// The first error of the conversion.
    pub fn with_worlds<E>(&self, convert: impl Fn(&World) -> Result<World, E>) -> Result<Self, E> {
        let world = convert(&self.world)?;
        let hidden_start = self.hidden_start.as_deref().map(convert).transpose()?;
        Ok(Self {
            hidden_start: hidden_start.map(Arc::new),
            ..self.with(world, self.gathered.clone())
        })
    }

    /// Changes what is no faction's own, here and in what every faction sees of it in a hidden phase.
    ///
    /// # Errors
    ///
    /// The first error of the change.
    pub fn change_shared<T, E>(
        &mut self,
        mut change: impl FnMut(&mut World) -> Result<T, E>,
    ) -> Result<T, E> {
        if let Some(start) = &mut self.hidden_start {
            change(Arc::make_mut(start))?;
        }
        change(&mut self.world)
    }

    /// Hashes all that decides what follows, with this world for its own, but waiting effects, answers and dice.
    pub fn hash_with(&self, world: &World, state: &mut impl Hasher) {
        world.hash(state);
        self.cursor.hash_open(state);
        self.step.hash(state);
        self.hidden_start.hash(state);
    }
}
