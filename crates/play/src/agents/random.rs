//! The agents that look at the question alone.

use crate::kernel::dice::{RollKey, text_hash};
use crate::kernel::table::{Answerer, Question, Reply, step_key, who_hash};

/// Draws under a key of its own: the seed, the question's step, asker, subject and label.
pub struct Random(RollKey);

impl Random {
    /// The agent of a seed.
    pub fn new(seed: u64) -> Self {
        const NAME: u64 = text_hash("random agent");
        Self(RollKey::new(seed ^ NAME))
    }
}

impl Answerer for Random {
    fn answer(&mut self, question: &Question<'_>) -> Reply {
        let request = question.request;
        let key = step_key(question.hashes, self.0, request.step);
        let subject = who_hash(question.hashes, question.world.who(request.subject));
        let asker = u64::from(request.asker.0) << 8 | u64::from(request.nth);
        let key = key.with(subject ^ question.label_hash().rotate_left(11) ^ asker << 20);
        Reply::Take(key.below(request.options.len()))
    }
}

/// Always takes the first option.
pub struct First;

impl Answerer for First {
    fn answer(&mut self, _: &Question<'_>) -> Reply {
        Reply::Take(0)
    }
}
