//! Answers that are given, and what stands behind every reply.

use super::output::{Output, Piece};
use super::session::Session;
use super::stops::Then;
use crate::kernel::table::Reply;
use crate::pages::lines::counted;
use crate::progress;
use crate::report::{Problems, Source};
use crate::scenario::answers;
use crate::scenario::file::{ScenarioFile, Spanned};

impl Session {
    pub(super) fn answer(&mut self, index: usize) -> Result<Output, Problems> {
        self.answer_by(&Reply::Take(index))
    }

    pub(super) fn answer_by(&mut self, said: &Reply) -> Result<Output, Problems> {
        self.branches.play_on();
        self.plays.going = true;
        let from = self.walk_from();
        self.play.answer_by(said);
        self.settle();
        self.walk_then(from, Then::Tell { note: None })
    }

    /// Gives several answers, one after the other, as far as they fit.
    pub(super) fn answer_in_turn(
        &mut self,
        line: &str,
        typed: Vec<Spanned<String>>,
    ) -> Result<Output, Problems> {
        let mut file = ScenarioFile::new(self.game());
        file.source = Source::new("input", line);
        file.answers = typed;
        let written = answers::read(&file, None)?;
        let progress = written.progress();
        self.branches.play_on();
        self.plays.going = true;
        let from = self.walk_from();
        let given = self.play.given();
        let (answers, why) = answers::AsFarAsOffered::new(written);
        let before = self.play.set_source(Box::new(answers));
        self.play.run_on();
        drop(self.play.set_source(before));
        self.settle();
        let given = self.play.given().saturating_sub(given);
        let mut left = progress.borrow().problems(&file, why.borrow().as_deref());
        // One sentence is enough: what stands behind it waits for it.
        left.truncate(1);
        let asked = self.play.asked(|a| a.label().to_owned());
        for problem in &mut left {
            let asked = asked.as_ref().filter(|_| why.borrow().is_none());
            let asked = asked.map(|label| format!("`{label}` is asked now"));
            let stays = (given > 0).then(|| {
                let count = counted(given, "answer");
                format!("the {count} before it stand; `:undo {given}` takes them back")
            });
            let hint: Vec<String> = asked.into_iter().chain(stays).collect();
            if !hint.is_empty() {
                *problem = problem.clone().hint(hint.join("; "));
            }
        }
        if given == 0 {
            Problems::check(std::mem::take(&mut left))?;
        }
        let mut reply = self.walk_then(from, Then::Tell { note: None })?;
        let pages = left.into_iter().map(|p| Piece::Error(p.page(self.style.colour)));
        reply.pieces.extend(pages);
        Ok(reply)
    }

    /// What stands behind every reply.
    pub(super) fn after(&mut self, reply: &mut Output) {
        self.show_moved(reply);
        let left = progress::left_undone();
        if !left.is_empty() {
            reply.say(format!("stopped before the end; done were {}", left.join(", ")));
        }
        self.follow(reply);
        self.write_journal(reply);
    }
}
