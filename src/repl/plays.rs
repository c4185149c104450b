//! Sides that agents play at the prompt: `:plays`.
//!
//! A line that goes on with the play sets the agents going; then the front end asks for one answer after the
//! other, each with a reply of its own, until a person is asked.

use super::session::{Output, Piece, Session, State};
use crate::agents::{Agent, Mind};
use crate::progress;
use crate::report::{Problem, Problems, hint_for};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The word for the person at the prompt.
const ME: &str = "me";

/// Who plays which side.
#[derive(Default)]
pub(crate) struct Plays {
    /// Agents by the names of their sides.
    sides: BTreeMap<String, Agent>,
    /// What they have thought about.
    pub(super) mind: Mind,
    /// Whether they answer when they are asked: not after answers were taken back.
    pub(super) going: bool,
}

impl Plays {
    /// As the journal keeps it.
    pub(super) fn kept(&self) -> BTreeMap<String, String> {
        let sides = self.sides.iter();
        sides
            .map(|(side, agent)| (side.clone(), agent.to_string()))
            .collect()
    }

    /// Who plays a side, if an agent does.
    pub(crate) fn agent(&self, side: &str) -> Option<Agent> {
        self.sides.get(side).copied()
    }

    /// As the journal has kept it; an agent that is not there any more plays no more.
    pub(super) fn of(kept: &BTreeMap<String, String>) -> Self {
        let sides = kept.iter();
        let sides = sides.filter_map(|(side, agent)| Some((side.clone(), Agent::find(agent).ok()?)));
        Self {
            sides: sides.collect(),
            mind: Mind::default(),
            going: true,
        }
    }
}

impl Session {
    /// The side that is asked and the agent that plays it, if one does.
    pub(super) fn machine(&self) -> Option<(String, Agent)> {
        if self.state != State::Asks || self.is_stopped() {
            return None;
        }
        let side = self
            .play
            .asked(|a| a.rules.factions[a.request.asker.index()].clone())?;
        let agent = *self.plays.sides.get(&side)?;
        Some((side, agent))
    }

    /// Whether an agent answers next.
    pub fn is_machine_asked(&self) -> bool {
        self.plays.going && self.machine().is_some()
    }

    /// Lets the agent whose side is asked give one answer, and tells it; `None` when a person is asked. A front
    /// end calls it after each line until there is nothing more.
    pub fn machine_answers(&mut self) -> Option<Output> {
        let (side, agent) = self.machine().filter(|_| self.plays.going)?;
        let secret = self.is_secret();
        let seed = self.play.table().checkpoint.seed;
        let stop = Arc::clone(&self.stop);
        let decided = agent.choose_until(&mut self.play, &mut self.plays.mind, seed, &|| {
            stop.load(Ordering::Relaxed)
        });
        let stopped = self.stop.swap(false, Ordering::SeqCst);
        progress::resume();
        let mut reply = Output::default();
        let decision = match decided {
            Ok(decision) if !stopped => decision,
            decided => {
                // Rules may have been stopped on the way.
                self.plays.sides.remove(&side);
                self.settle();
                if let (Err(problems), false) = (decided, stopped) {
                    reply.pieces.push(Piece::Error(problems.page(self.style.colour)));
                }
                reply.say(format!(
                    "{side} is yours again; `:plays {side} {agent}` gives it back"
                ));
                self.tell(&mut reply);
                self.after(&mut reply);
                self.tell_pages("", &reply);
                return Some(reply);
            }
        };
        let key = self.play.asked(|a| {
            let option = a.request.options.get(decision.index);
            format!("{} {}", a.label(), option.map_or_else(String::new, |o| a.key(o)))
        });
        let line = match secret {
            true => format!("{side} has chosen in secret"),
            false => format!("{side}: {}, because: {}", key.unwrap_or_default(), decision.why),
        };
        reply.say(super::show::wrapped(&line, self.style.width));
        match self.answer(decision.index) {
            Ok(told) => reply.pieces.extend(told.pieces),
            Err(problems) => reply.pieces.push(Piece::Error(problems.page(self.style.colour))),
        }
        self.after(&mut reply);
        self.tell_pages("", &reply);
        Some(reply)
    }

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
