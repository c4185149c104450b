//! The past told again under the rules in force: where it differs, and what stands on the table then.

use crate::output::Output;
use crate::session::Session;
use crate::stage::transcribe;

use crate::play::Play;
use crate::report::Problems;
use crate::stage::run::{self, PlayStop};
use crate::transcript::Line;

impl Session {
    /// Tells what came of playing the past again.
    pub(crate) fn retold(&mut self, ran: run::PlayedScenario, old: &[Line]) -> Result<Output, Problems> {
        let difference = transcribe::first_difference(&ran.play, old);
        let count = old.iter().filter(|l| matches!(l, Line::Entry(_))).count();
        let asks = |play: &Play| play.with_question(|a| (a.label().to_owned(), a.keys()));
        let asks_else = asks(&self.play) != asks(&ran.play);
        let mut reply = Output::default();
        match &difference {
            None if asks_else => reply.add(format!(
                "told again: the same {count} lines, and then something else is asked"
            )),
            None => reply.add(format!("told again: the same {count} lines")),
            Some(difference) => {
                let step = difference.event.map(|event| {
                    let end = event + 1;
                    let table = ran.play.table();
                    let events = table.events.get(..end).unwrap_or_default();
                    let heads = events.iter().rev().filter(|e| !e.is_consequence());
                    heads
                        .map(|e| crate::event_text::line(e, &table.rules, &table.words))
                        .next()
                });
                let gone = "(nothing more)";
                let or = |line: &str| {
                    if line.is_empty() {
                        gone.to_owned()
                    } else {
                        line.to_owned()
                    }
                };
                reply.add(format!(
                    "told again, the first difference{}:\n- {}\n+ {}",
                    match step.flatten() {
                        Some(step) if step != difference.is => format!(" is at `{step}`"),
                        _ => String::new(),
                    },
                    or(&difference.was),
                    or(&difference.is),
                ));
            }
        }
        match &ran.stopped {
            PlayStop::Diverged(why) => {
                reply.add(format!("{why}; the game on the table stays as it is"));
                return Ok(reply);
            }
            PlayStop::Failed(problem) => {
                reply.fail((**problem).clone(), self.face.style.colour);
                reply.add("the game on the table stays as it is");
                return Ok(reply);
            }
            _ => {}
        }
        self.replace(ran.play, "the game is as it was before `:retell`");
        self.history.set_played();
        self.set_up.replace_file(ran.file);
        self.settle();
        self.shown.forget_untold(&self.play);
        if difference.is_none() && asks_else {
            self.show_events(&mut reply);
        }
        if difference.is_some() {
            reply.add("the game goes on from its new end; `:undo` brings the old one back");
            self.show_events(&mut reply);
            self.add_board(&mut reply);
        }
        Ok(reply)
    }
}
