//! Verdict of a comparison, in full and as one sign.

use super::side::{DiffArm, Divergence};
use crate::report::Problem;
use crate::stage::run::PlayStop;
use crate::suite::problems::unfit_answers;

/// Side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DifferenceScope {
    /// The scenario without the tweak.
    Base,
    /// The scenario with it.
    Tweak,
}

/// Verdict of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Every event is the same, and so is the outcome.
    Same,
    /// Events differ on the way; the outcome is the same.
    Events,
    /// The outcome differs.
    Outcome,
    /// A stored answer is no longer offered, or a question has none: on which side, and where.
    Diverged(DifferenceScope, Divergence),
    /// The rules of a side failed in play.
    Failed(DifferenceScope, Box<Problem>),
}

impl Verdict {
    /// One word for it.
    pub fn word(&self) -> &'static str {
        self.mark().word()
    }

    /// Its mark in the map.
    pub fn mark(&self) -> VerdictSign {
        match self {
            Verdict::Same => VerdictSign::Same,
            Verdict::Events => VerdictSign::Events,
            Verdict::Outcome => VerdictSign::Outcome,
            Verdict::Diverged(..) => VerdictSign::Diverged,
            Verdict::Failed(..) => VerdictSign::Failed,
        }
    }
}

pub(super) fn first_difference(base: &DiffArm, variant: &DiffArm) -> Option<usize> {
    let same = base.record.iter().zip(&variant.record);
    let same = same.take_while(|(a, b)| a.text == b.text).count();
    (same < base.record.len() || same < variant.record.len()).then_some(same)
}

pub(super) fn judge(base: &DiffArm, variant: &DiffArm) -> Verdict {
    for (which, arm) in [(DifferenceScope::Base, base), (DifferenceScope::Tweak, variant)] {
        if let Some(divergence) = &arm.divergence {
            return Verdict::Diverged(which, divergence.clone());
        }
        match &arm.stopped {
            PlayStop::Failed(problem) => return Verdict::Failed(which, problem.clone()),
            PlayStop::Diverged(why) => {
                return Verdict::Failed(which, Box::new(unfit_answers(why)));
            }
            _ => {}
        }
    }
    if !base.outcome.is_same(&variant.outcome) {
        Verdict::Outcome
    } else if first_difference(base, variant).is_some() {
        Verdict::Events
    } else {
        Verdict::Same
    }
}

rulebench_lang::named! {
    /// Sign for the effect of a variant or dial on a scenario.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum VerdictSign {
        /// Nothing.
        Same ('.', "same", "no difference");
        /// Other events, the same outcome.
        Events ('~', "events", "other events, same outcome");
        /// Another outcome.
        Outcome ('X', "outcome", "another outcome");
        /// The scenario's answers no longer fit.
        Diverged ('?', "diverged", "an answer is no longer offered, or a question is new");
        /// The rules fail, or cannot be combined with what the scenario has on.
        Failed ('!', "failed", "the rules fail or cannot be combined");
    }
    /// The sign in the table.
    fn sign -> char = 0;
    /// One word for it.
    fn word -> &'static str = 1;
    /// Returns the meaning of the sign.
    fn meaning -> &'static str = 2;
}
