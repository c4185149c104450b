//! Sides that agents play at the prompt: `:plays`.
//!
//! A line that goes on with the play sets the agents going; then the front end asks for one answer after the
//! other, each with a reply of its own, until a person is asked.

use crate::agents::Agent;
use crate::arguments::Args;
use crate::output::{Output, OutputPiece};
use crate::report::Problems;
use crate::reports::Report;
use crate::session::{Session, SessionState};

impl Session {
    /// Gives a side to an agent or back to the person, or lists who plays what.
    ///
    /// # Errors
    ///
    /// A side or an agent that is not there.
    pub(crate) fn plays(&mut self, args: &Args<'_>) -> Result<Output, Problems> {
        if let Some(faction) = args.get("FACTION") {
            match args.get("AGENT") {
                Some(agent) => self.plays.sides.insert(faction.to_owned(), Agent::find(agent)?),
                None => self.plays.sides.remove(faction),
            };
            // Who only asks sets nobody going.
            self.plays.going = true;
        }
        let factions = self.play.ruleset().rules.factions.iter();
        let lines = factions.map(|faction| match self.plays.sides.get(faction) {
            None => format!("{faction}: you"),
            Some(agent) if agent.is_timed() => {
                format!("{faction}: {agent}; a budget in time cannot be reproduced")
            }
            Some(agent) => format!("{faction}: {agent}"),
        });
        let mut reply = Output::from(Report::lines(lines));
        if !args.typed.is_empty() && self.state == SessionState::Asks && !self.is_for_machine() {
            reply.pieces.extend(self.question().map(OutputPiece::Report));
        }
        Ok(reply)
    }
}
