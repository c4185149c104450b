//! Agents: who answers when no person does.
//!
//! The random and the first agent look at the question alone and are asked at once; the greedy one
//! looks at copied positions, so it is asked between runs of a step.

use crate::kernel::dice::{Key, text_hash};
use crate::kernel::table::{Asked, Reply, Source, step_key, who_hash};
use crate::play::{Play, Progress};
use crate::report::{Problem, Problems, hint_for};

/// The agents by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// Any option, each as likely.
    Random,
    /// The first option: to stay and to decline come first where they are offered.
    First,
    /// The option after whose step the position is worth most to the one who is asked.
    Greedy,
}

impl Agent {
    /// Their names.
    pub const NAMES: [(&'static str, Agent); 3] = [
        ("random", Agent::Random),
        ("first", Agent::First),
        ("greedy", Agent::Greedy),
    ];

    /// The agent of that name.
    pub fn find(name: &str) -> Result<Agent, Problem> {
        Self::NAMES
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, a)| *a)
            .ok_or_else(|| {
                Problem::new(format!("there is no agent `{name}`"))
                    .hint(hint_for(name, Self::NAMES.iter().map(|(n, _)| *n)))
            })
    }

    /// The source that answers at once; `None` for an agent that searches.
    pub fn source(self, seed: u64) -> Option<Box<dyn Source>> {
        match self {
            Agent::Random => Some(Box::new(Random { seed })),
            Agent::First => Some(Box::new(First)),
            Agent::Greedy => None,
        }
    }

    /// Plays on with this agent answering every question, for at most `steps` steps.
    pub fn play(self, play: &mut Play, seed: u64, steps: usize) -> Result<Progress, Problems> {
        let before = self.source(seed).map(|source| play.set_source(source));
        let mut progress = Progress::Stepped;
        for _ in 0..steps {
            progress = play.advance();
            match &progress {
                Progress::Stepped => {}
                Progress::Asks if self == Agent::Greedy => {
                    let index = greedy(play)?;
                    play.answer(index);
                }
                _ => break,
            }
        }
        if let Some(before) = before {
            play.set_source(before);
        }
        Ok(progress)
    }
}

/// Draws under a key of its own: the seed, the question's step, asker, subject and label.
pub struct Random {
    /// The agent's seed.
    pub seed: u64,
}

impl Source for Random {
    fn answer(&mut self, asked: &Asked<'_>) -> Reply {
        let request = asked.request;
        const NAME: u64 = text_hash("random agent");
        let key = Key::new(self.seed ^ NAME);
        let key = step_key(asked.hashes, key, request.step);
        let subject = who_hash(asked.hashes, asked.world.who(request.subject));
        let asker = u64::from(request.asker.0) << 8 | u64::from(request.nth);
        let key = key.with(subject ^ asked.label_hash().rotate_left(11) ^ asker << 20);
        Reply::Take(key.below(request.options.len()))
    }
}

/// Always takes the first option.
pub struct First;

impl Source for First {
    fn answer(&mut self, _: &Asked<'_>) -> Reply {
        Reply::Take(0)
    }
}

/// The option after whose step the position is worth most to whoever is asked; the first of
/// equals. Further questions of the same step are answered with their first options while looking.
pub fn greedy(play: &mut Play) -> Result<usize, Problems> {
    let Some((asker, options)) = play.asked(|a| (a.request.asker, a.request.options.len())) else {
        return Ok(0);
    };
    let now = play.checkpoint();
    let mut best: Option<(i64, usize)> = None;
    for index in 0..options {
        play.answer(index);
        let source = play.set_source(Box::new(First));
        let progress = play.advance();
        play.set_source(source);
        let worth = matches!(progress, Progress::Stepped).then(|| play.worth(asker, play.preview(asker)));
        // Whatever looking came to, the table is as it was, and asks again.
        play.go_back(&now);
        play.advance();
        if let Some(worth) = worth {
            let worth = worth?;
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, index));
            }
        }
    }
    Ok(best.map_or(0, |(_, index)| index))
}
