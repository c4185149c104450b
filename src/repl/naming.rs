//! What words at the prompt may name: phases, units, places, sides, what is patched.

use super::session::Session;
use crate::kernel::ids::FactionId;
use crate::kernel::phase::Work;
use crate::report::{Problem, Problems, hint_for};
use crate::script::scratch::{Patch, Scratch};

impl Session {
    /// What phases `:auto` may mean by a word: by name, in the singular or plural, or all turns.
    ///
    /// # Errors
    ///
    /// A word that is no phase.
    pub fn phases(&self, word: &str) -> Result<Vec<u8>, Problem> {
        let phases = &self.play.host.rules.phases;
        let singular = word.strip_suffix('s').unwrap_or(word);
        for name in [word, singular] {
            let named: Vec<u8> = indices(phases.iter().map(|p| p.name == name));
            if !named.is_empty() {
                return Ok(named);
            }
        }
        if singular == "turn" {
            return Ok(indices(
                phases.iter().map(|p| matches!(p.work, Work::Turn { .. })),
            ));
        }
        let names = phases.iter().skip(1).map(|p| p.name.as_str());
        Err(
            Problem::new(format!("`{word}` is neither an agent nor a phase of this game")).hint(hint_for(
                word,
                names.chain(["steps", "turns", "end", "random", "greedy", "first"]),
            )),
        )
    }

    /// The names of units that may be seen, places and factions.
    pub fn things(&self) -> Vec<String> {
        let rules = &self.play.host.rules;
        let mut names = self.units_seen();
        names.extend(
            rules
                .board
                .places()
                .iter()
                .map(|p| rules.board.name(p).to_owned()),
        );
        names.extend(rules.factions.iter().cloned());
        names
    }

    /// The names of units that may be seen.
    pub(super) fn units_seen(&self) -> Vec<String> {
        let rules = &self.play.host.rules;
        let world = self.view();
        let units = (0..rules.factions.len()).flat_map(|f| world.owned(FactionId(f as u8)));
        units.map(|u| rules.unit_name(world.name(u))).collect()
    }

    /// Whether a line is a number or a name that questions offer, now or at other times.
    pub(super) fn names_something(&self, line: &str) -> bool {
        let rules = &self.play.host.rules;
        line.parse::<i64>().is_ok()
            || rules.board.place(line).is_some()
            || rules.parse_unit_name(line).is_some()
            || rules.faction(line).is_some()
            || rules.unit_type(line).is_some()
    }

    pub(super) fn scratch(&self) -> Result<Scratch, Problems> {
        let text = self.play.host.options.scratch.as_deref();
        text.map_or_else(|| Ok(Scratch::default()), Scratch::read)
    }

    /// What `:drop` may name.
    pub fn patched(&self) -> Vec<String> {
        let patches = self.scratch().unwrap_or_default().patches;
        patches.iter().map(Patch::full_name).collect()
    }
}

fn indices(marks: impl Iterator<Item = bool>) -> Vec<u8> {
    marks
        .enumerate()
        .filter(|(_, mark)| *mark)
        .map(|(i, _)| i as u8)
        .collect()
}
