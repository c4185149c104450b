//! Agents that answer for the person at the prompt, and how far they go.

use crate::agents::{Agent, Decision};
use crate::kernel::event::Event;
use crate::kernel::phase::{Phase, PhaseBody};
use crate::lines::how_many;
use crate::output::Output;
use crate::play::Progress;
use crate::problems;
use crate::report::Problems;
use crate::session::{Session, SessionState};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The most steps that one `:auto` plays.
const MAX_STEPS: usize = 200_000;

/// The goal of `:auto`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AutoGoal {
    /// The number of answers.
    Answers(usize),
    /// The number of steps.
    Steps(usize),
    /// Any of these phases has begun so many times more.
    Phases(Vec<u8>, usize),
    /// The last phase has ended.
    End,
}

/// Formats the number of steps and of answers that an agent gave.
fn summary(steps: usize, answers: usize) -> String {
    match (steps, answers) {
        (0, 0) => "0 steps".to_owned(),
        (_, 0) => how_many(steps, "step"),
        (0, _) => how_many(answers, "answer"),
        _ => format!("{} and {}", how_many(steps, "step"), how_many(answers, "answer")),
    }
}

/// The phases from the outermost to this one.
fn path_to(phases: &[Phase], phase: u8) -> Vec<u8> {
    let mut path = vec![phase];
    let around = |inner: u8| {
        let holds = |p: &Phase| matches!(&p.work, PhaseBody::Sequence(all) if all.contains(&inner));
        phases.iter().position(holds)
    };
    while let Some(outer) = around(path[0]) {
        path.insert(0, outer as u8);
    }
    path
}

/// Whether a phase can begin where this one is the innermost that is open: it stands behind it, or begins again.
fn comes(phases: &[Phase], open: Option<u8>, phase: u8) -> bool {
    let (to, now) = (
        path_to(phases, phase),
        open.map_or(Vec::new(), |open| path_to(phases, open)),
    );
    let shared = to.iter().zip(&now).take_while(|(a, b)| a == b).count();
    let repeats = to[..shared].iter().any(|p| phases[usize::from(*p)].repeat);
    let is_behind = || match (to.get(shared), now.get(shared)) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(next), Some(now)) => {
            let around = shared.checked_sub(1).map(|outer| usize::from(to[outer]));
            let all = match around.map(|outer| &phases[outer].work) {
                Some(PhaseBody::Sequence(all)) => &all[..],
                _ => &[],
            };
            let place = |phase| all.iter().position(|p| *p == phase);
            place(*next) > place(*now)
        }
    };
    repeats || is_behind()
}

impl Session {
    /// Lets an agent answer.
    ///
    /// # Errors
    ///
    /// When nothing is asked any more, or the agent's own look ahead fails.
    pub fn auto(&mut self, agent: Agent, goal: &AutoGoal) -> Result<Output, Problems> {
        self.check_begun()?;
        if self.state == SessionState::Over {
            return Err(problems::game_over().into());
        }
        if let AutoGoal::Phases(phases, _) = goal {
            let table = self.play.table();
            let open = table.checkpoint.cursor.innermost(|_| true);
            let comes = |phase: &u8| comes(&table.rules.phases, open, *phase);
            if let Some(phase) = phases.first().filter(|_| !phases.iter().any(comes)) {
                let name = &table.rules.phases[usize::from(*phase)].name;
                return Err(problems::phase_never_begins(name).into());
            }
        }
        self.play_on();
        let seed = self.play.table().checkpoint.seed;
        let mut note = None;
        if let AutoGoal::Answers(times) = goal {
            for _ in 0..*times {
                if self.state != SessionState::Asks {
                    break;
                }
                if self.stop.swap(false, Ordering::Relaxed) {
                    note = Some("stopped".to_owned());
                    break;
                }
                let answered = self.agent_answers(agent);
                self.settle();
                if !answered? {
                    note = Some("stopped".to_owned());
                    break;
                }
            }
        } else {
            let before = agent.source(seed).map(|source| self.play.set_source(source));
            let played = self.play_to(agent, goal);
            match before {
                Some(before) => drop(self.play.set_source(before)),
                None => self.play.clear_source(),
            }
            self.settle();
            note = played?;
        }
        Ok(self.show_new(note))
    }

    /// Returns the answer of an agent, or `None` when it was stopped while it thought.
    pub(crate) fn decided(&mut self, agent: Agent) -> Result<Option<Decision>, Problems> {
        let seed = self.play.table().checkpoint.seed;
        let stop = Arc::clone(&self.stop);
        let course = self.play.work().begin(&format!("{agent} thinks, playouts"), None);
        let decided = agent.choose_until(&mut self.play, &mut self.plays.mind, seed, &|| {
            course.step();
            stop.load(Ordering::Relaxed)
        });
        drop(course);
        let stopped = self.stop.swap(false, Ordering::SeqCst);
        if stopped {
            // Whoever asked says so: nothing was wanted of what it has thought.
            self.rules.workspace.work().take_undone();
        }
        self.rules.workspace.work().resume();
        match stopped {
            true => Ok(None),
            false => decided.map(Some),
        }
    }

    /// Lets an agent answer the question that waits; false when it was stopped while it thought.
    fn agent_answers(&mut self, agent: Agent) -> Result<bool, Problems> {
        let decision = self.decided(agent)?;
        Ok(decision.is_some_and(|decision| self.play.answer(decision.index)))
    }

    fn play_to(&mut self, agent: Agent, goal: &AutoGoal) -> Result<Option<String>, Problems> {
        let mut event_count = self.play.table().events.len();
        let (mut steps, mut answers, mut begun) = (0, 0, 0);
        let stopped = |steps, answers| Ok(Some(format!("stopped after {}", summary(steps, answers))));
        loop {
            if self.stop.swap(false, Ordering::Relaxed) {
                return stopped(steps, answers);
            }
            if steps >= MAX_STEPS {
                return Ok(Some(format!("stopped after {steps} steps; `:auto end` goes on")));
            }
            if self.play.prepare() != Progress::Stepped {
                return Ok(None);
            }
            if let AutoGoal::Phases(phases, times) = goal {
                let table = self.play.table();
                let new = table.events.get(event_count..).unwrap_or_default();
                let begins = |e: &&Event| matches!(e, Event::Phase { phase, .. } if phases.contains(phase));
                begun += new.iter().filter(begins).count();
                event_count = table.events.len();
                if begun >= *times {
                    return Ok(None);
                }
            }
            match self.play.advance() {
                Progress::Stepped => steps += 1,
                // Those that look at the question alone were asked within the step.
                Progress::Asks if agent.searches() => {
                    if !self.agent_answers(agent)? {
                        return stopped(steps, answers);
                    }
                    answers += 1;
                }
                _ => return Ok(None),
            }
            if *goal == AutoGoal::Steps(steps) {
                return Ok(None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_played_is_told_by_steps_and_answers() {
        assert_eq!(summary(0, 0), "0 steps");
        assert_eq!(summary(0, 4), "4 answers");
        assert_eq!(summary(1, 4), "1 step and 4 answers");
        assert_eq!(summary(3, 0), "3 steps");
    }
}
