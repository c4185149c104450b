//! Agents: who answers when no person does.
//!
//! The random and the first agent look at the question alone and are asked at once; those that search
//! look at copied positions, so they are asked between runs of a step.

mod greedy;
mod random;

use crate::kernel::table::{Reply, Source};
use crate::play::{Play, Progress};
use crate::report::{Problem, Problems, hint_for};
pub use random::{First, Random};

/// The agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// Any option, each as likely.
    Random,
    /// The first option: to stay and to decline come first where they are offered.
    First,
    /// The option that leads to what is worth most to the one who is asked.
    Greedy,
}

/// What an agent answers, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The option, by its index.
    pub index: usize,
    /// Why it is this one, in a few words.
    pub why: String,
}

impl Decision {
    fn new(index: usize, why: String) -> Self {
        Self { index, why }
    }
}

impl Agent {
    /// Their names.
    pub const NAMES: [(&'static str, Agent); 3] = [
        ("random", Agent::Random),
        ("first", Agent::First),
        ("greedy", Agent::Greedy),
    ];

    /// The agent that a word names, such as `greedy`.
    ///
    /// # Errors
    ///
    /// There is none of that name.
    pub fn find(word: &str) -> Result<Agent, Problem> {
        let named = Self::NAMES.iter().find(|(name, _)| *name == word);
        named.map(|(_, agent)| *agent).ok_or_else(|| {
            Problem::new(format!("there is no agent `{word}`"))
                .hint(hint_for(word, Self::NAMES.iter().map(|(name, _)| *name)))
        })
    }

    /// Whether it looks at copied positions, and so is asked between runs of a step.
    pub fn searches(self) -> bool {
        self == Agent::Greedy
    }

    /// The source that answers at once; `None` for an agent that searches.
    pub fn source(self, seed: u64) -> Option<Box<dyn Source>> {
        match self {
            Agent::Random => Some(Box::new(Random { seed })),
            Agent::First => Some(Box::new(First)),
            Agent::Greedy => None,
        }
    }

    /// What it answers to the question that waits; the first option where none does. The play is afterwards
    /// as it was.
    ///
    /// # Errors
    ///
    /// The game's own rules or its `worth` fail while the agent looks ahead.
    pub fn choose(self, play: &mut Play, seed: u64) -> Result<Decision, Problems> {
        if self == Agent::Greedy {
            return greedy::choose(play);
        }
        let taken = self
            .source(seed)
            .and_then(|mut source| play.asked(|asked| source.answer(asked)));
        let index = match taken {
            Some(Reply::Take(index)) => index,
            _ => 0,
        };
        let why = match self {
            Agent::Random => "each option is as likely",
            _ => "it is the first option",
        };
        Ok(Decision::new(index, why.to_owned()))
    }

    /// Answers the question that waits, as [`Self::choose`] says.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn answer(self, play: &mut Play, seed: u64) -> Result<Decision, Problems> {
        let decision = self.choose(play, seed)?;
        play.answer(decision.index);
        Ok(decision)
    }

    /// Plays on with this agent answering every question, for at most `steps` steps.
    ///
    /// # Errors
    ///
    /// As [`Self::choose`].
    pub fn play(self, play: &mut Play, seed: u64, steps: usize) -> Result<Progress, Problems> {
        let before = self.source(seed).map(|source| play.set_source(source));
        let mut progress = Progress::Stepped;
        let mut failed = None;
        for _ in 0..steps {
            progress = play.advance();
            match &progress {
                Progress::Stepped => {}
                Progress::Asks if self.searches() => {
                    failed = self.answer(play, seed).err();
                    if failed.is_some() {
                        break;
                    }
                }
                _ => break,
            }
        }
        if let Some(before) = before {
            play.set_source(before);
        }
        failed.map_or(Ok(progress), Err)
    }
}

impl std::fmt::Display for Agent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named = Self::NAMES.iter().find(|(_, agent)| agent == self);
        f.write_str(named.map_or("", |(name, _)| name))
    }
}
