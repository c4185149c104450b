//! Text about changes of rules and changes by hand, in a few words.

use crate::lines::counted;
use crate::output::Output;
use crate::play::{Play, RulesChangeCost};

/// Says what a change of rules has cost.
pub(crate) fn add_cost(reply: &mut Output, cost: &RulesChangeCost) {
    if let Some(why) = &cost.taken_back {
        reply.add(format!("an answer of the open step is taken back: {why}"));
    }
    if cost.beyond_undo > 0 {
        reply.add(format!(
            "`:undo` does not reach back over {} earlier steps any more",
            cost.beyond_undo
        ));
    }
}

/// Returns the changes by hand in a play, each as typed.
pub(crate) fn made_by_hand(play: &Play) -> Vec<String> {
    let edits = play.chapters().iter().filter_map(|c| c.edits.as_ref());
    edits.map(|e| e.texts.join("; ")).collect()
}

/// Formats a number of answers and changes by hand; `made` are the changes among them, which are not named in secret.
pub(crate) fn deeds(count: usize, made: &[String], secret: bool) -> String {
    let mut parts = Vec::new();
    if count > made.len() || made.is_empty() {
        parts.push(counted(count.saturating_sub(made.len()), "answer"));
    }
    let texts: Vec<String> = made.iter().map(|t| format!("`{t}`")).collect();
    match texts.join(", ") {
        none if none.is_empty() => {}
        // Many are too many.
        long if secret || made.len() > 1 && long.len() > 60 => parts.push(counted(made.len(), "change")),
        texts => parts.push(texts),
    }
    parts.join(" and ")
}
