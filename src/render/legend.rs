//! The board as a list, where it is too wide to be drawn, and the legend below it.

use super::hexes::Shape;
use super::look::{Code, Look};
use super::{Marks, factions, shown_width};
use crate::kernel::ids::PlaceId;
use anstyle::Style as Paint;

impl Look<'_> {
    pub(super) fn list(&self) -> Vec<String> {
        let board = &self.rules.board;
        let mut lines = Vec::new();
        let occupied = board.places().filter(|&p| !self.world.at(p).is_empty());
        let occupied: Vec<PlaceId> = occupied.collect();
        let titles: Vec<(String, Paint)> = occupied
            .iter()
            .map(|&p| {
                let marker = self.marker(p);
                let name = board.name(p).to_owned();
                match marker {
                    Some((marker, faction)) => (format!("{name}{marker}"), self.paint(faction)),
                    None => (name, Paint::new()),
                }
            })
            .collect();
        let width = titles.iter().map(|(t, _)| t.chars().count()).max().unwrap_or(0);
        for (place, (title, paint)) in occupied.iter().zip(&titles) {
            let pad = width - title.chars().count();
            let mut line = self.painted(title, *paint);
            line.push_str(&" ".repeat(pad));
            for (faction, _) in self.groups(*place) {
                let units = self.sorted(self.world.at(*place) & self.world.owned(faction));
                let labels: Vec<String> = units.iter().map(|&u| self.declared_label(u)).collect();
                let text = format!("{} {}", self.faction_name(faction), labels.join(" "));
                line.push_str("  ");
                line.push_str(&self.painted(&text, self.paint(faction)));
            }
            lines.push(line);
        }
        if lines.is_empty() && !board.is_empty() {
            lines.push("no units on the board".to_owned());
        }
        lines
    }

    pub(super) fn legend(&self) -> String {
        let hexagons = Shape::fitting(self).is_some();
        let mut entries = Vec::new();
        if hexagons {
            let names = factions(self.rules).map(|f| {
                let name = self.faction_name(f);
                let text = match &self.code {
                    Code::Colour => name.to_owned(),
                    Code::Case if f.index() == 0 => format!("{} upper case", name.to_uppercase()),
                    Code::Case => format!("{} lower case", name.to_lowercase()),
                    Code::Prefix(letters) => match letters.get(f.index()) {
                        Some(letter) => format!("{letter} {name}"),
                        None => name.to_owned(),
                    },
                };
                self.painted(&text, self.paint(f))
            });
            entries.push(names.collect::<Vec<_>>().join(", "));
        }
        let zones = self.marked_zones();
        entries.extend(zones.iter().filter_map(|&zone| {
            let name = &self.rules.board.zones.get(zone)?.name;
            Some(format!("{} {name}", self.marker_of(zone)))
        }));
        let there = self.world.on_board();
        if self.life.is_some() && !there.is_empty() {
            entries.push(":n life".to_owned());
        }
        let number = if self.life.is_some() { "n" } else { "" };
        let Marks {
            reach,
            threat,
            targets,
            moved,
        } = self.marks;
        let said = [
            (!(moved & there).is_empty(), format!("'{number} moved last")),
            (!reach.is_empty(), "[name] can be reached".to_owned()),
            (!threat.is_empty(), "!name! can be aimed at".to_owned()),
            (!(targets & there).is_empty(), format!("!{number} can be hit")),
        ];
        entries.extend(said.into_iter().filter(|(is, _)| *is).map(|(_, text)| text));
        entries.retain(|e| !e.is_empty());
        let mut legend = String::new();
        let mut used = 0;
        for entry in entries {
            let width = shown_width(&entry);
            if used > 0 && used + 3 + width > self.style.width {
                legend.push('\n');
                used = 0;
            } else if used > 0 {
                legend.push_str("   ");
                used += 3;
            }
            legend.push_str(&entry);
            used += width;
        }
        legend
    }
}
