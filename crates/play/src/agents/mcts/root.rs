//! Start of playouts: the position as the asker sees it, or the beginning of the hidden phase.

use crate::agents::worlds::PossibleWorld;
use crate::kernel::choice::Answer;
use crate::kernel::dice::Pool;
use crate::kernel::event::Event;
use crate::kernel::ids::FactionId;
use crate::play::{Checkpoint, Play};

/// Start of playouts.
#[derive(Clone)]
pub struct SearchRoot {
    /// The position.
    pub checkpoint: Checkpoint,
    /// Results of the first rolls from there that the asker has seen.
    pub seen: Vec<Pool>,
    /// Answers that the asker has given in secret since then.
    pub mine: Vec<Answer>,
    /// Number of answers in a row that the asker gave in the step before it, with nothing rolled in between and nothing
    /// secret.
    pub run: usize,
}

impl SearchRoot {
    /// The position as the asker sees it.
    pub fn as_seen(play: &Play, asker: FactionId) -> Self {
        let view = play.table().view(Some(asker));
        let here = view.position();
        Self {
            run: match view.is_whole() {
                true => play.answers_in_a_row(asker).min(here.answers.len()),
                false => 0,
            },
            checkpoint: Checkpoint::new(here, play.table().step_mark()),
            seen: play.rolls_seen(),
            mine: Vec::new(),
        }
    }

    /// The question in a possible world.
    pub fn in_world(world: &PossibleWorld) -> Self {
        Self {
            checkpoint: world.checkpoint.clone(),
            seen: world.seen.to_vec(),
            mine: Vec::new(),
            run: 0,
        }
    }

    /// The position with no more answers than this.
    pub fn before(&self, answers: usize) -> Checkpoint {
        let mut before = self.checkpoint.clone();
        before.position.answers.truncate(answers);
        before
    }

    /// Returns the start of the hidden phase, with the rolls that the asker has seen and its answers since then; the
    /// actions of the others are played anew. `None` where nothing is secret.
    pub fn in_secret(play: &Play, asker: FactionId) -> Option<Self> {
        let view = play.table().view(Some(asker));
        let from = view.since()?;
        let position = view.opening()?;
        let known = || view.events().filter(|(index, _)| *index > from).map(|(_, e)| e);
        let rolls = known().filter_map(|e| match &*e {
            Event::Rolled { dice, .. } => Some(dice.clone()),
            Event::Threw { record, .. } => Some(record.hand.clone()),
            _ => None,
        });
        let mine = known().filter_map(|e| match &*e {
            Event::Chose(answer) if answer.asker == asker && !answer.only => Some(*answer),
            _ => None,
        });
        Some(Self {
            seen: rolls.collect(),
            mine: mine.collect(),
            checkpoint: Checkpoint::new(position, from + 1),
            run: 0,
        })
    }
}
