//! What a session says of its rules and of what was done by hand, in a few words.

use super::output::Output;
use super::session::Session;
use crate::pages::lines::counted;
use crate::play::Kept;
use crate::script::host::Options;

impl Session {
    /// What is on and turned under these options, in a few words.
    pub(super) fn told_options(&self, options: &Options) -> String {
        self.rules.told(&self.play.host.rules.game, options)
    }

    /// Says what a change of rules has cost.
    pub(super) fn say_cost(&self, reply: &mut Output, kept: &Kept) {
        if let Some(why) = &kept.taken_back {
            reply.say(format!("an answer of the open step is taken back: {why}"));
        }
        if kept.beyond_undo > 0 {
            reply.say(format!(
                "`:undo` does not reach back over {} earlier steps any more",
                kept.beyond_undo
            ));
        }
    }

    /// What was changed by hand in this play, each change as typed.
    pub(super) fn made_by_hand(&self) -> Vec<String> {
        let edits = self.play.chapters().iter().filter_map(|c| c.edits.as_ref());
        edits.map(|e| e.texts.join("; ")).collect()
    }

    /// The sentence about what `:undo` took back: so many things, of which those that are missing
    /// now were changes by hand.
    pub(super) fn took_back(&self, undone: usize, made: &[String]) -> String {
        let gone = made.get(self.made_by_hand().len()..).unwrap_or_default();
        format!("took back {}", self.deeds_told(undone, gone))
    }

    /// So many answers and changes by hand, in words; `made` are the changes among them.
    pub(super) fn deeds_told(&self, count: usize, made: &[String]) -> String {
        let mut parts = Vec::new();
        if count > made.len() || made.is_empty() {
            parts.push(counted(count.saturating_sub(made.len()), "answer"));
        }
        let texts: Vec<String> = made.iter().map(|t| format!("`{t}`")).collect();
        match texts.join(", ") {
            none if none.is_empty() => {}
            // What another did in secret is not named, and many are too many.
            long if self.is_secret() || made.len() > 1 && long.len() > 60 => {
                parts.push(counted(made.len(), "change"));
            }
            texts => parts.push(texts),
        }
        parts.join(" and ")
    }
}
