//! The values of a debugged game: what was stopped, where, and what is done when play goes on. How play comes
//! to a stop is [`super::walk`]'s.

use super::breaks::Breaks;
use super::problems;
use crate::kernel::event::Event;
use crate::kernel::ids::FactionId;
use crate::kernel::world::World;
use crate::play::{Checkpoint, Play};
use crate::report::{Problem, Problems};
use crate::rules::debug::{BreakStop, RunLimit};
use crate::rules::ruleset::Ruleset;
use crate::rules::runtime::Runtime;
use crate::stage::run::PlayedScenario;
use crate::transcript::Line;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The position from which play continued.
pub(super) struct ContinuedFrom {
    pub(super) checkpoint: Checkpoint,
    pub(super) viewer: Option<FactionId>,
}

/// Action after the walk.
pub(super) enum AfterWalk {
    /// Show the events.
    Tell {
        /// The note before the question.
        note: Option<String>,
    },
    /// The past was told again: the retelling, and the lines of the game on the table.
    Retold(Box<PlayedScenario>, Vec<Line>),
}

/// The steps that are walked.
pub(super) struct StepWalk {
    pub(super) steps: Vec<Checkpoint>,
    pub(super) index: usize,
    pub(super) then: AfterWalk,
    /// The faction whose secret choice was open when they were played.
    pub(super) viewer: Option<FactionId>,
    /// One person plays all sides: nothing is covered.
    pub(super) alone: bool,
}

impl StepWalk {
    /// The play that is walked, where the one on the table is this.
    pub(super) fn play<'p>(&'p self, table: &'p Play) -> &'p Play {
        match &self.then {
            AfterWalk::Retold(ran, _) => &ran.play,
            AfterWalk::Tell { .. } => table,
        }
    }

    /// Returns the faction whose secrets may be seen in one of the steps.
    pub(super) fn viewer(&self, play: &Play, step: &Checkpoint) -> Option<FactionId> {
        let now = play.view();
        let hidden = now.since().is_some_and(|since| step.events > since);
        self.viewer.or(now.faction()).filter(|_| hidden && !self.alone)
    }
}

/// A stop within a step.
pub(super) struct StepStopState {
    pub(super) walk: StepWalk,
    pub(super) at: BreakStop,
    pub(super) twin: Twin,
    /// The command that an empty line repeats.
    pub(super) last: Option<String>,
}

/// The break points, and the stop if the game is stopped.
#[derive(Default)]
pub(super) struct Debugging {
    pub(super) breaks: Breaks,
    /// The watched twin of the rules that it was made for.
    pub(super) twin: RefCell<Option<Twin>>,
    /// The goal of a walk that came to a question.
    pub(super) moving: Option<RunLimit>,
    pub(super) stop: Option<Box<StepStopState>>,
}

impl Debugging {
    /// Whether play may stop within a step.
    pub(super) fn walks(&self) -> bool {
        !self.breaks.is_empty() || self.moving.is_some()
    }

    pub(super) fn at_stop(&self) -> Result<&StepStopState, Problem> {
        self.stop.as_deref().ok_or_else(problems::not_stopped)
    }

    /// The world as it stands where the game is stopped.
    pub(super) fn world(&self) -> Option<World> {
        let stop = self.stop.as_ref()?;
        let world = stop.twin.borrow().table.world.clone();
        Some(world)
    }

    /// The record up to where the game is stopped, as far as it may be seen; `table` is the play on the table.
    pub(super) fn record(&self, table: &Play) -> Option<Vec<(usize, Event)>> {
        let stop = self.stop.as_ref()?;
        let play = stop.walk.play(table);
        let step = &stop.walk.steps[stop.walk.index];
        let runtime = stop.twin.borrow();
        let visible = runtime.table.view(stop.walk.viewer(play, step)).events();
        Some(visible.map(|(index, event)| (index, event.clone())).collect())
    }

    /// The names of local variables where the game is stopped.
    pub(super) fn names(&self) -> Vec<String> {
        let stop = self.stop.iter();
        let locals = stop.flat_map(|s| s.at.locals.iter().map(|(name, ..)| name.clone()));
        locals.collect()
    }

    /// Returns the command that an empty line repeats at a breakpoint.
    pub(super) fn again(&self) -> Option<String> {
        self.stop.as_ref()?.last.clone()
    }

    /// The watched twin of these rules.
    pub(super) fn twin_of(&self, ruleset: &Arc<Ruleset>) -> Result<Twin, Problems> {
        if let Some(runtime) = &*self.twin.borrow()
            && Arc::ptr_eq(&runtime.borrow().ruleset, ruleset)
        {
            return Ok(Rc::clone(runtime));
        }
        let runtime = Rc::new(RefCell::new(Runtime::new(Arc::clone(ruleset))));
        *self.twin.borrow_mut() = Some(Rc::clone(&runtime));
        Ok(runtime)
    }
}

/// A second table under the same rules, on which steps are watched.
pub(super) type Twin = Rc<RefCell<Runtime>>;

impl StepStopState {
    /// The ruleset of the watched step.
    pub(super) fn ruleset(&self) -> Arc<Ruleset> {
        Arc::clone(&self.twin.borrow().ruleset)
    }
}
