//! Start of playouts: the position as the asker sees it, or the beginning of the hidden phase.

use crate::kernel::choice::Answer;
use crate::kernel::dice::Pool;
use crate::kernel::event::Event;
use crate::kernel::ids::FactionId;
use crate::kernel::schedule::NextStep;
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
        let mut here = play.checkpoint();
        let secret = here.position.hidden_start.is_some();
        if secret {
            here.position = play.table().position_for(asker);
        }
        Self {
            run: match secret {
                true => 0,
                false => play.answers_in_a_row(asker).min(here.position.answers.len()),
            },
            checkpoint: here,
            seen: play.rolls_seen(),
            mine: Vec::new(),
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
        let from = play.hidden_from()?;
        let here = play.checkpoint();
        let record = play.record(Some(asker));
        let table = play.table();
        let start = here.position.hidden_start.as_ref()?;
        let mut position = here.position.clone();
        position.world.clone_from(start);
        position.cursor = here
            .position
            .cursor
            .at_hidden_start(&table.rules, &mut position.world)?;
        position.next = NextStep::Over;
        position.gathered.clear();
        position.answers.clear();
        let known = || record.iter().filter(|(index, _)| *index > from).map(|(_, e)| e);
        let rolls = known().filter_map(|e| match e {
            Event::Rolled { dice, .. } => Some(dice.clone()),
            Event::Threw { record, .. } => Some(record.hand.clone()),
            _ => None,
        });
        let mine = known().filter_map(|e| match e {
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
