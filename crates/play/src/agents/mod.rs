//! Agents: who answers when no person does.
//!
//! The random and the first agent look at the question alone and are asked at once; those that search
//! look at copied positions, so they are asked between runs of a step.

mod greedy;
mod mcts;
mod problems;
mod random;
mod worlds;

use crate::kernel::table::{Answerer, Reply};
use crate::play::{Play, Progress};
use crate::report::problems::no_clock;
use crate::report::{Problem, Problems, hint_for};
use crate::scenario::problems::unknown_name;
pub use mcts::{Budget, Mind, PlayoutDepth};
pub use random::{First, Random};
use std::collections::BTreeSet;

/// The agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// Any option, each as likely.
    Random,
    /// The first option: to stay and to decline come first where they are offered.
    First,
    /// The option that leads to what is worth most to the one who is asked.
    Greedy {
        /// Number of ways to go on that it examines where there are more than can be listed.
        looks: u32,
    },
    /// The option that many playouts found best; see [`mcts`].
    Mcts {
        /// Limit on its thinking time.
        budget: Budget,
        /// Length of each playout, if given.
        reach: Option<PlayoutDepth>,
    },
}

/// Default number of playouts of the MCTS agent.
const PLAYOUTS: u32 = 1000;

/// Answer of an agent, with the reason.
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

/// Returns a warning if agents look ahead in a game that does not define the worth of positions.
pub fn without_worth(agents: &[Agent], play: &Play) -> Option<String> {
    let mut ahead: Vec<String> = Vec::new();
    for agent in agents.iter().filter(|agent| agent.searches()) {
        let name = agent.to_string();
        if !ahead.contains(&name) {
            ahead.push(name);
        }
    }
    (!ahead.is_empty() && !play.worth_given()).then(|| {
        let go = if ahead.len() == 1 { "goes" } else { "go" };
        format!(
            "the game has no hook `worth`, so {} {go} by who wins, and else by how many units are on the board",
            ahead.join(" and ")
        )
    })
}

/// Returns a note on games of agents of which some choose without looking ahead.
pub fn without_lookahead(agents: &[Agent]) -> Option<String> {
    let names = agents.iter().filter(|agent| !agent.searches());
    let names: BTreeSet<String> = names.map(ToString::to_string).collect();
    let names: Vec<String> = names.into_iter().collect();
    (!names.is_empty()).then(|| {
        format!(
            "{} agents choose without looking ahead, so these games show what the rules allow, not what players would do",
            names.join(" and ")
        )
    })
}

/// Warning about games of agents whose budget is a time.
pub const TIMED: &str = "a budget in time is another on each machine, so these games cannot be reproduced";

impl Agent {
    /// The greedy agent, where nobody says how much it looks at.
    pub const GREEDY: Agent = Agent::Greedy { looks: greedy::LOOKS };

    /// Their names, and what each of them means without anything behind it.
    pub const NAMES: [(&'static str, Agent); 4] = [
        ("random", Agent::Random),
        ("first", Agent::First),
        ("greedy", Agent::GREEDY),
        (
            "mcts",
            Agent::Mcts {
                budget: Budget::Playouts(PLAYOUTS),
                reach: None,
            },
        ),
    ];

    /// The agent that a word names, such as `greedy`, `mcts`, `greedy:50`, `mcts:400` or `mcts:500ms`.
    ///
    /// # Errors
    ///
    /// There is none of that name, or what stands behind the name means nothing.
    pub fn find(word: &str) -> Result<Agent, Problem> {
        let (name, more) = match word.split_once(':') {
            Some((name, more)) => (name, Some(more)),
            None => (word, None),
        };
        let named = Self::NAMES.iter().find(|(n, _)| *n == name);
        let agent = named.map(|(_, agent)| *agent).ok_or_else(|| {
            unknown_name("agent", name).hint(hint_for(name, Self::NAMES.iter().map(|(name, _)| *name)))
        })?;
        match (agent, more) {
            (agent, None) => Ok(agent),
            (Agent::Greedy { .. }, Some(more)) => {
                let looks = number(more).map(|looks| Agent::Greedy { looks });
                looks.ok_or_else(|| problems::wrong_looks(word))
            }
            (Agent::Mcts { .. }, Some(more)) => Self::mcts(more).ok_or_else(|| problems::wrong_budget(word)),
            (_, Some(more)) => Err(problems::unexpected_budget(name, more)),
        }
    }

    /// The MCTS agent, from what stands behind its name.
    fn mcts(more: &str) -> Option<Agent> {
        let (budget, reach) = match more.split_once(':') {
            Some((budget, reach)) => (budget, Some(reach)),
            None => (more, None),
        };
        let budget = match (budget.strip_suffix("ms"), budget.strip_suffix('s')) {
            (Some(milliseconds), _) => Budget::Milliseconds(number(milliseconds)?),
            (None, Some(seconds)) => Budget::Milliseconds(number(seconds)?.checked_mul(1000)?),
            (None, None) => Budget::Playouts(number(budget)?),
        };
        let reach = match reach {
            None => None,
            Some("end") => Some(PlayoutDepth::End),
            Some(rounds) => Some(PlayoutDepth::Rounds(rounds.parse().ok().filter(|n| *n > 0)?)),
        };
        Some(Agent::Mcts { budget, reach })
    }

    /// Whether it looks at copied positions, and so is asked between runs of a step.
    pub fn searches(self) -> bool {
        matches!(self, Agent::Greedy { .. } | Agent::Mcts { .. })
    }

    /// Whether its budget is a time: what it answers cannot be reproduced.
    pub fn is_timed(self) -> bool {
        matches!(
            self,
            Agent::Mcts {
                budget: Budget::Milliseconds(_),
                ..
            }
        )
    }

    /// The source that answers at once; `None` for an agent that searches.
    pub fn source(self, seed: u64) -> Option<Box<dyn Answerer>> {
        match self {
            Agent::Random => Some(Box::new(Random::new(seed))),
            Agent::First => Some(Box::new(First)),
            Agent::Greedy { .. } | Agent::Mcts { .. } => None,
        }
    }

    /// Chooses an answer to the question that waits; the first option where none waits. The play is unchanged
    /// afterwards.
    ///
    /// # Errors
    ///
    /// The game's own rules or its `worth` fail while the agent looks ahead.
    pub fn choose(self, play: &mut Play, seed: u64) -> Result<Decision, Problems> {
        let work = play.work().clone();
        self.choose_until(play, &mut Mind::default(), seed, &|| work.is_stopped())
    }

    /// The same; an agent that thinks long asks now and then whether it is to stop, and answers with what it
    /// has found by then. What it has in mind spares it to think again about what it has thought about; the answer is
    /// the same without, but where its budget is a time.
    ///
    /// # Errors
    ///
    /// As [`Self::choose`].
    pub fn choose_until(
        self,
        play: &mut Play,
        mind: &mut Mind,
        seed: u64,
        stops: &dyn Fn() -> bool,
    ) -> Result<Decision, Problems> {
        if self.is_timed() && play.work().now().is_none() {
            return Err(no_clock(format!("the agent `{self}`")).into());
        }
        match self {
            Agent::Greedy { looks } => return greedy::choose(play, looks),
            Agent::Mcts { budget, reach } => return mcts::choose(play, mind, budget, reach, stops),
            Agent::Random | Agent::First => {}
        }
        let taken = self
            .source(seed)
            .and_then(|mut source| play.with_question(|question| source.answer(question)));
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

    /// Answers the question that waits, as [`Self::choose_until`] says.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn answer(self, play: &mut Play, mind: &mut Mind, seed: u64) -> Result<Decision, Problems> {
        let work = play.work().clone();
        let decision = self.choose_until(play, mind, seed, &|| work.is_stopped())?;
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
        let mut mind = Mind::default();
        for _ in 0..steps {
            progress = play.advance();
            match &progress {
                Progress::Stepped => {}
                Progress::Asks if self.searches() => {
                    failed = self.answer(play, &mut mind, seed).err();
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

/// A number, from 1.
fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|n| *n > 0)
}

impl std::fmt::Display for Agent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some((name, _)) = Self::NAMES.iter().find(|(_, agent)| agent == self) {
            return f.write_str(name);
        }
        let (budget, reach) = match self {
            Agent::Greedy { looks } => return write!(f, "greedy:{looks}"),
            Agent::Mcts { budget, reach } => (budget, reach),
            Agent::Random | Agent::First => return Ok(()),
        };
        match budget {
            Budget::Playouts(n) => write!(f, "mcts:{n}")?,
            Budget::Milliseconds(n) => write!(f, "mcts:{n}ms")?,
        }
        match reach {
            None => Ok(()),
            Some(PlayoutDepth::End) => f.write_str(":end"),
            Some(PlayoutDepth::Rounds(n)) => write!(f, ":{n}"),
        }
    }
}
