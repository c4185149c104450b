//! The names that words at the prompt may mean: phases, units, places, factions, patches.

use crate::agents::Agent;
use crate::arguments::ANY;
use crate::description::problems::not_a_seed;
use crate::description::words;
use crate::kernel::choice::MAX_PARTS;
use crate::kernel::event::Event;
use crate::kernel::phase::PhaseBody;
use crate::problems;
use crate::report::{Problem, Problems, hint_for};
use crate::rules::rolls::{Roll, rolls};
use crate::scratch::{Patch, Scratch};
use crate::session::Session;
use std::collections::BTreeSet;

impl Session {
    /// Returns the phases that a word of `:auto` may mean: by name, in the singular or plural, or all turns.
    ///
    /// # Errors
    ///
    /// A word that is no phase.
    pub fn phases(&self, word: &str) -> Result<Vec<u8>, Problem> {
        let phases = &self.play.ruleset().rules.phases;
        let singular = word.strip_suffix('s').unwrap_or(word);
        for name in [word, singular] {
            let named: Vec<u8> = indices(phases.iter().map(|p| p.name == name));
            if !named.is_empty() {
                return Ok(named);
            }
        }
        if singular == "turn" {
            return Ok(indices(
                phases.iter().map(|p| matches!(p.work, PhaseBody::Turn { .. })),
            ));
        }
        if word.parse::<i64>().is_ok() {
            return Err(problems::wrong_argument(word, "a whole number from 1"));
        }
        let names = phases.iter().skip(1).map(|p| p.name.as_str());
        Err(
            problems::wrong_argument(word, "an agent or a phase of this game").hint(hint_for(
                word,
                names
                    .chain(["steps", "turns", "end"])
                    .chain(Agent::NAMES.map(|(name, _)| name)),
            )),
        )
    }

    /// The names of units that may be seen, places and factions.
    pub fn things(&self) -> Vec<String> {
        let rules = &self.play.ruleset().rules;
        let mut names = self.units_seen();
        let places = rules.board.places().iter();
        names.extend(places.map(|p| rules.board.name(p).to_owned()));
        names.extend(rules.factions.iter().cloned());
        names
    }

    /// The names of units that may be seen.
    pub(crate) fn units_seen(&self) -> Vec<String> {
        let rules = &self.play.ruleset().rules;
        let world = self.world();
        let units = rules.all_factions().flat_map(|f| world.owned(f));
        units.map(|u| rules.unit_name(world.name(u))).collect()
    }

    /// The labels of rolls that are known: from the scripts, and from what was rolled.
    pub(crate) fn roll_labels(&self, rolls: &[Roll]) -> BTreeSet<String> {
        let table = self.play.table();
        let rolled = self.view().events().filter_map(|(_, event)| match &*event {
            Event::Rolled { label, .. } => Some(table.words.text(*label).to_owned()),
            _ => None,
        });
        let written = rolls.iter().filter_map(|r| r.label.clone());
        let scripted = table.chance.stated.rolls.keys().cloned();
        written.chain(scripted).chain(rolled).collect()
    }

    /// Whether a line is a number or a name that questions offer, now or at other times; with others behind it as one
    /// option, which need not be there: no script reads so.
    pub(crate) fn names_something(&self, line: &str) -> bool {
        let rules = &self.play.ruleset().rules;
        let names = |word: &str| {
            word.parse::<i64>().is_ok()
                || rules.board.place(word).is_some()
                || rules.parse_unit_name(word).is_some()
                || rules.faction(word).is_some()
                || rules.unit_type(word).is_some()
        };
        let is_word = |word: &str| {
            let plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
            word.starts_with(char::is_alphanumeric) && word.chars().all(plain)
        };
        match line.split_once(' ') {
            None => names(line),
            Some((first, _)) => {
                names(first) && line.split(' ').count() <= MAX_PARTS && line.split(' ').all(is_word)
            }
        }
    }

    pub(crate) fn scratch(&self) -> Result<Scratch, Problems> {
        let text = self.play.ruleset().options.scratch.as_deref();
        text.map_or_else(|| Ok(Scratch::default()), Scratch::read)
    }

    /// Returns the names that `:drop` takes.
    pub fn patched(&self) -> Vec<String> {
        let patches = self.scratch().unwrap_or_default().patches;
        patches.iter().map(Patch::full_name).collect()
    }
}

/// Returns the length of the text that is an argument of a kind, by the names of the game; see
/// [`crate::arguments::ArgumentMatcher`].
pub(crate) fn fit(session: &Session, kind: &str, text: &str, optional: bool) -> usize {
    let word = text.split_whitespace().next().unwrap_or_default();
    let fits = match kind {
        // A phase may be called `first turn`.
        "AGENT" => Agent::find(word).is_ok() && !(text.contains(' ') && session.phases(text).is_ok()),
        // A number that is none of times is no phase either.
        "PHASE" | "PHASES" => word.is_empty() || !word.bytes().all(|b| b.is_ascii_digit()),
        "FACTION" if optional => session.play.ruleset().rules.faction(word).is_some(),
        "UNIT" if optional => word.contains('.') || session.things().iter().any(|t| t == word),
        "DIAL=VALUE" => text.contains('='),
        "LABEL" => return label(text, &session.roll_labels(&rolls(session.play.ruleset()))),
        _ => true,
    };
    if fits { ANY } else { 0 }
}

/// Returns the error for a word that is none of a kind, if there is a special one.
pub(crate) fn unfit(session: &Session, kind: &str, word: &str) -> Option<Problem> {
    Some(match kind {
        "AGENT" => Agent::find(word).err()?,
        "FACTION" => {
            let factions = session.play.ruleset().rules.factions.iter().map(String::as_str);
            problems::unknown_name("faction", word).hint(hint_for(word, factions))
        }
        "DIAL=VALUE" => problems::wrong_argument(word, "DIAL=VALUE").hint("`:dials` lists the dials"),
        "SEED" => not_a_seed(word),
        _ => return None,
    })
}

/// Returns the length of the roll's label at the beginning of a text: the text before a colon, a known label, or
/// everything before the first die.
fn label(text: &str, known: &BTreeSet<String>) -> usize {
    if let Some((label, _)) = text.rsplit_once(':') {
        return label.trim().len();
    }
    let begins = |label: &&String| {
        let rest = text.strip_prefix(label.as_str());
        rest.is_some_and(|r| r.is_empty() || r.starts_with(char::is_whitespace))
    };
    if let Some(label) = known.iter().filter(begins).max_by_key(|l| l.len()) {
        return label.len();
    }
    let is_die = |(_, word): &(usize, &str)| *word == "-" || word.parse::<i64>().is_ok();
    let die = words(text).into_iter().find(is_die);
    die.map_or(text, |(at, _)| &text[..at]).trim().len()
}

fn indices(marks: impl Iterator<Item = bool>) -> Vec<u8> {
    marks
        .enumerate()
        .filter(|(_, mark)| *mark)
        .map(|(i, _)| i as u8)
        .collect()
}
