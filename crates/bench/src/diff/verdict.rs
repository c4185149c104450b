//! What came of a comparison, in full and in one sign.

use super::side::{Divergence, Side};
use crate::report::Problem;
use crate::stage::run::Stopped;

/// Which side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The scenario without the tweak.
    Base,
    /// The scenario with it.
    Tweak,
}

/// What came of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Every event is the same, and so is the outcome.
    Same,
    /// Events differ on the way; the outcome is the same.
    Events,
    /// The outcome differs.
    Outcome,
    /// A stored answer is no longer offered, or a question has none: on which side, and where.
    Diverged(Which, Divergence),
    /// The rules of a side failed in play.
    Failed(Which, Box<Problem>),
}

impl Verdict {
    /// One word for it.
    pub fn word(&self) -> &'static str {
        self.mark().word()
    }

    /// Its mark in the map.
    pub fn mark(&self) -> Sign {
        match self {
            Verdict::Same => Sign::Same,
            Verdict::Events => Sign::Events,
            Verdict::Outcome => Sign::Outcome,
            Verdict::Diverged(..) => Sign::Diverged,
            Verdict::Failed(..) => Sign::Failed,
        }
    }
}

pub(super) fn first_difference(base: &Side, tweak: &Side) -> Option<usize> {
    let same = base.told.iter().zip(&tweak.told);
    let same = same.take_while(|(a, b)| a.text == b.text).count();
    (same < base.told.len() || same < tweak.told.len()).then_some(same)
}

pub(super) fn judge(base: &Side, tweak: &Side) -> Verdict {
    for (which, side) in [(Which::Base, base), (Which::Tweak, tweak)] {
        if let Some(divergence) = &side.divergence {
            return Verdict::Diverged(which, divergence.clone());
        }
        match &side.stopped {
            Stopped::Failed(problem) => return Verdict::Failed(which, problem.clone()),
            Stopped::Diverged(why) => {
                let problem = Problem::new(format!("the scenario's own answers do not fit: {why}"));
                return Verdict::Failed(which, Box::new(problem));
            }
            _ => {}
        }
    }
    if !base.outcome.is_same(&tweak.outcome) {
        Verdict::Outcome
    } else if first_difference(base, tweak).is_some() {
        Verdict::Events
    } else {
        Verdict::Same
    }
}

/// What a tweak does to a scenario, in one sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// Nothing.
    Same,
    /// Other events, the same outcome.
    Events,
    /// Another outcome.
    Outcome,
    /// The scenario's answers no longer fit.
    Diverged,
    /// The rules fail, or cannot be combined with what the scenario has on.
    Failed,
}

impl Sign {
    /// All of them.
    pub const ALL: [Sign; 5] = [
        Sign::Same,
        Sign::Events,
        Sign::Outcome,
        Sign::Diverged,
        Sign::Failed,
    ];

    /// The sign in the table.
    pub fn sign(self) -> char {
        match self {
            Sign::Same => '.',
            Sign::Events => '~',
            Sign::Outcome => 'X',
            Sign::Diverged => '?',
            Sign::Failed => '!',
        }
    }

    /// One word for it.
    pub fn word(self) -> &'static str {
        match self {
            Sign::Same => "same",
            Sign::Events => "events",
            Sign::Outcome => "outcome",
            Sign::Diverged => "diverged",
            Sign::Failed => "failed",
        }
    }

    /// What it means.
    pub fn meaning(self) -> &'static str {
        match self {
            Sign::Same => "no difference",
            Sign::Events => "other events, same outcome",
            Sign::Outcome => "another outcome",
            Sign::Diverged => "an answer is no longer offered, or a question is new",
            Sign::Failed => "the rules fail or cannot be combined",
        }
    }
}
