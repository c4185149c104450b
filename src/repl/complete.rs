//! What could stand at the end of an unfinished line.

use super::commands;
use super::session::Session;
use crate::kernel::ids::FactionId;

impl Session {
    /// What could stand at the end of an unfinished line, and where that begins.
    pub fn complete(&self, line: &str) -> (usize, Vec<String>) {
        if let Some(command) = line.strip_prefix(':') {
            let Some((name, _)) = command.split_once(' ') else {
                let names = commands::meant(command, self.is_stopped());
                return (1, starting(names.into_iter(), command));
            };
            let start = line.rfind([' ', '=']).map_or(0, |i| i + 1);
            return (
                start,
                starting(commands::arguments(self, name).into_iter(), &line[start..]),
            );
        }
        let keys = match self.is_stopped() {
            true => self.stopped_names(),
            false => self.play.asked(|a| a.keys()).unwrap_or_default(),
        };
        let answers = starting(keys.into_iter(), line);
        let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let start = line.rfind(|c: char| !inside(c)).map_or(0, |i| i + 1);
        if start == 0 {
            if line.is_empty() || !answers.is_empty() {
                return (0, answers);
            }
            return (0, starting(self.play.host.names().map(str::to_owned), line));
        }
        if !answers.is_empty() {
            return (0, answers);
        }
        if let Some(quote) = line.rfind('"').filter(|_| line.matches('"').count() % 2 == 1) {
            return (quote + 1, starting(self.things().into_iter(), &line[quote + 1..]));
        }
        (
            start,
            starting(self.play.host.names().map(str::to_owned), &line[start..]),
        )
    }

    /// The names of units that may be seen, places and factions.
    pub fn things(&self) -> Vec<String> {
        let rules = &self.play.host.rules;
        let world = self.view();
        let units = (0..rules.factions.len()).flat_map(|f| world.owned(FactionId(f as u8)));
        let mut names: Vec<String> = units.map(|u| rules.unit_name(world.name(u))).collect();
        names.extend(rules.board.places().map(|p| rules.board.name(p).to_owned()));
        names.extend(rules.factions.iter().cloned());
        names
    }
}

/// The names that begin so, sorted, each once.
fn starting(names: impl Iterator<Item = String>, with: &str) -> Vec<String> {
    let mut names: Vec<String> = names.filter(|n| n.starts_with(with)).collect();
    names.sort();
    names.dedup();
    names
}
