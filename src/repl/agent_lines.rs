//! The next thing that a front end handles: a message, or an agent's turn to answer. Agents play as long as nobody says
//! anything; between two of their answers everybody is heard, so that a game of theirs can be looked at, taken over and
//! stopped.

use crate::repl::output::Output;
use crate::repl::session::Session;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// While an agent waits for its turn it is looked so often whether somebody stops it.
const GLANCE: Duration = Duration::from_millis(50);

/// The next thing to handle.
pub(super) enum AgentLines<M> {
    /// Somebody wants something.
    Message(M),
    /// An agent may answer.
    Turn,
    /// Nobody is there any more who could want anything.
    Gone,
}

/// When the next agent may answer.
pub(super) struct AgentPace {
    due: Instant,
}

impl AgentPace {
    /// An agent that is asked may answer at once.
    pub(super) fn new() -> Self {
        Self { due: Instant::now() }
    }

    /// Waits for what comes next.
    pub(super) fn hear<M>(&self, session: &Session, messages: &Receiver<M>) -> AgentLines<M> {
        if !session.is_machine_asked() {
            return messages.recv().map_or(AgentLines::Gone, AgentLines::Message);
        }
        loop {
            let left = self.due.saturating_duration_since(Instant::now());
            match messages.recv_timeout(left.min(GLANCE)) {
                Ok(message) => return AgentLines::Message(message),
                Err(RecvTimeoutError::Disconnected) => return AgentLines::Gone,
                // Whoever stops the agent does not wait until it may answer.
                Err(RecvTimeoutError::Timeout) if left <= GLANCE || session.stop.load(Ordering::SeqCst) => {
                    return AgentLines::Turn;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Lets the agent that is asked answer; the next one waits until somebody can have followed it.
    pub(super) fn answer(&mut self, session: &mut Session, pace: Duration) -> Option<Output> {
        let began = Instant::now();
        let reply = session.machine_answers();
        self.due = began + session.pace().unwrap_or(pace);
        reply
    }
}
