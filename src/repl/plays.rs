//! Sides that agents play at the prompt: `:plays`.
//!
//! A line that goes on with the play sets the agents going; then the front end asks for one answer after the
//! other, each with a reply of its own, until a person is asked.

use super::output::{Output, Piece};
use super::session::{Session, State};
use crate::agents::Agent;
use crate::report::{Problem, Problems, hint_for};

/// The word for the person at the prompt.
const ME: &str = "me";

impl Session {
    /// Gives a side to an agent or back to the person, or lists who plays what.
    ///
    /// # Errors
    ///
    /// A side or an agent that is not there.
    pub(super) fn plays(&mut self, args: &str) -> Result<Output, Problems> {
        let words: Vec<&str> = args.split_whitespace().collect();
        if let Some(side) = words.first() {
            let factions = &self.play.host.rules.factions;
            if !factions.iter().any(|f| f == side) {
                return Err(Problem::new(format!("there is no side `{side}` in this game"))
                    .hint(hint_for(side, factions.iter().map(String::as_str)))
                    .into());
            }
        }
        match words[..] {
            [] => {}
            [side, ME] => {
                self.plays.sides.remove(side);
            }
            [side, agent] => {
                self.plays.sides.insert(side.to_owned(), Agent::find(agent)?);
            }
            _ => {
                return Err(Problem::new("a side and an agent are wanted")
                    .hint("`:plays SIDE mcts`; `:plays SIDE me` gives it back")
                    .into());
            }
        }
        self.plays.going = true;
        let factions = self.play.host.rules.factions.iter();
        let lines = factions.map(|side| match self.plays.sides.get(side) {
            None => format!("{side}: you"),
            Some(agent) if agent.is_timed() => {
                format!("{side}: {agent}; a budget in time cannot be reproduced")
            }
            Some(agent) => format!("{side}: {agent}"),
        });
        let mut reply = Output::text(lines.collect::<Vec<_>>().join("\n"));
        if !words.is_empty() && self.state == State::Asks && !self.is_machine_asked() {
            reply.pieces.extend(self.question().map(Piece::Text));
        }
        Ok(reply)
    }
}

#[cfg(test)]
mod tests {
    use super::super::started;
    use super::*;
    use std::sync::atomic::Ordering;

    fn said(session: &mut Session, line: &str) -> String {
        let reply = session.line(line);
        assert!(!reply.failed(), "{line}: {}", reply.print());
        let mut told = vec![reply.print()];
        while let Some(reply) = session.machine_answers() {
            assert!(!reply.failed(), "{}", reply.print());
            told.push(reply.print());
        }
        told.join("\n")
    }

    fn asked(session: &Session) -> Option<usize> {
        session.play.asked(|a| a.request.asker.index())
    }

    #[test]
    fn an_agent_plays_a_side_until_told_otherwise() {
        let mut session = started("charge-into-spears");
        said(&mut session, ":restart");
        let told = said(&mut session, ":plays blue mcts:20");
        assert!(told.contains("red: you\nblue: mcts:20"), "{told}");
        let mut reasons = 0;
        for _ in 0..6 {
            if asked(&session).is_none() {
                break;
            }
            assert_eq!(asked(&session), Some(0), "only red is left to the person");
            let told = said(&mut session, ":auto");
            reasons += told.matches("playouts").count();
            // What a machine is asked is not told as a question.
            assert!(!told.contains("blue activates:"), "{told}");
        }
        assert!(reasons > 0);
        // Taking back goes to the person's own question, whoever has answered since.
        let given = session.play.given();
        said(&mut session, ":undo");
        assert!(session.play.given() < given);
        assert_eq!(asked(&session), Some(0));
        said(&mut session, ":redo");
        said(&mut session, ":plays blue me");
        let listed = said(&mut session, ":plays");
        assert_eq!(listed, "red: you\nblue: you");
        assert!(session.line(":plays green mcts").failed());
        assert!(session.line(":plays blue mtcs").failed());
        assert!(session.line(":plays blue").failed());
    }

    #[test]
    fn what_a_machine_does_in_secret_is_not_told() {
        let mut session = started("smalltricks");
        let mut told = said(&mut session, ":plays blue random");
        for _ in 0..200 {
            if session.play.hidden_from().is_none() || asked(&session).is_none() {
                break;
            }
            assert_eq!(asked(&session), Some(0));
            told += &said(&mut session, ":auto");
        }
        assert!(told.contains("blue has chosen in secret"), "{told}");
        let own = |line: &&str| line.starts_with("blue:") && line.contains("because");
        let revealed = told.find("= round").unwrap_or(told.len());
        assert_eq!(told[..revealed].lines().filter(own).count(), 0, "{told}");
        assert!(!told.contains("blue's turn to choose in secret"), "{told}");
    }

    #[test]
    fn stopping_gives_the_side_back() {
        let mut session = started("charge-into-spears");
        session.line(":restart");
        session.line(":plays blue mcts:100000000");
        assert!(session.is_machine_asked());
        session.stop.store(true, Ordering::Relaxed);
        let told = session.machine_answers().expect("it was asked").print();
        assert!(
            told.contains("blue is yours again; `:plays blue mcts:100000000` gives it back"),
            "{told}"
        );
        assert!(session.machine_answers().is_none() && asked(&session) == Some(1));
    }
}
