//! The board as a list, where it is too wide to be drawn, and the legend below it.

use super::Marks;
use super::cells::CellMetrics;
use super::ground::{EntryEdge, laid_edges, terrains_in};
use super::look::{DrawContext, FactionCode};
use crate::kernel::ids::{PlaceId, TerrainId};
use crate::kernel::rules::Terrain;
use crate::lines;
use anstyle::Style as Paint;

impl DrawContext<'_> {
    /// Lists the contents of each place, or only of places where a unit stands or a faction comes in.
    pub(super) fn list(&self, units: bool) -> Vec<String> {
        let board = &self.rules.board;
        let terrain = !self.rules.terrains.is_empty() && !units;
        // A map is worth telling where nobody stands, too.
        let comes_in = |place| self.entries.iter().any(|e| e.place == place);
        let places = self.shown_places();
        let places = places.filter(|&p| terrain || units && comes_in(p) || !self.world.at(p).is_empty());
        let occupied: Vec<PlaceId> = places.collect();
        if occupied.is_empty() && !board.is_empty() {
            let nothing = match terrain {
                true => "no terrain is laid yet",
                false => "no units on the board",
            };
            return vec![nothing.to_owned()];
        }
        let mut lines = self.listed(&occupied, true);
        lines.extend(self.listed_edges());
        lines
    }

    /// A line for each kind of terrain on edges, with the edges where it lies.
    pub(super) fn listed_edges(&self) -> Vec<String> {
        let kinds = self.rules.terrains.iter().enumerate();
        let line = |(index, kind): (usize, &Terrain)| {
            let laid = laid_edges(self.rules, self.world);
            let here = laid.filter(|(edge, _)| self.world.terrain(*edge).contains(TerrainId::new(index)));
            let names: Vec<&str> = here.map(|(edge, _)| self.rules.board.name(edge)).collect();
            (!names.is_empty()).then(|| format!("{}: {}", kind.name.replace('_', " "), names.join(" ")))
        };
        kinds.filter_map(line).collect()
    }

    /// A line a place: who stands there, and with `ground` its terrain and who comes in.
    pub(super) fn listed(&self, places: &[PlaceId], ground: bool) -> Vec<String> {
        let board = &self.rules.board;
        let mut lines = Vec::new();
        let titles: Vec<(String, Paint)> = places
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
        for (place, (title, paint)) in places.iter().zip(&titles) {
            let pad = width - title.chars().count();
            let mut line = self.painted(title, *paint);
            line.push_str(&" ".repeat(pad));
            let kinds = self.world.terrain(*place).into_iter();
            let kinds: Vec<&str> = kinds
                .map(|t| self.rules.terrains[t.index()].name.as_str())
                .collect();
            if ground && !kinds.is_empty() {
                line.push_str(&format!("  {}", kinds.join(" ")));
            }
            for entry in self.entries.iter().filter(|e| ground && e.place == *place) {
                let text = format!("  ({} of {})", entry.slot, self.faction_name(entry.faction));
                line.push_str(&self.painted(&text, self.paint(entry.faction)));
            }
            for (faction, _) in self.groups(*place) {
                let units = self.sorted(self.world.at(*place) & self.world.owned(faction));
                let labels: Vec<String> = units.iter().map(|&u| self.declared_label(u)).collect();
                let text = format!("{} {}", self.faction_name(faction), labels.join(" "));
                line.push_str("  ");
                line.push_str(&self.painted(&text, self.paint(faction)));
            }
            lines.push(line);
        }
        lines
    }

    pub(super) fn legend(&self) -> String {
        let shape = CellMetrics::fitting(self).filter(|_| self.rules.plane().is_none());
        let rows = shape.is_none() && self.rows().is_some();
        let drawn = shape.is_some() || rows || self.rules.plane().is_some();
        let mut entries = Vec::new();
        if drawn {
            let names = self.rules.all_factions().map(|f| {
                let name = self.faction_name(f);
                let text = match &self.code {
                    FactionCode::Colour => name.to_owned(),
                    FactionCode::Case if f.index() == 0 => format!("{} upper case", name.to_uppercase()),
                    FactionCode::Case => format!("{} lower case", name.to_lowercase()),
                    FactionCode::Prefix(letters) => match letters.get(f.index()) {
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
        if drawn {
            let kinds = terrains_in(self.rules, self.world, self.shown_places()).into_iter();
            entries.extend(kinds.map(|t| {
                let (symbol, paint) = self.terrain_symbol(t);
                let name = self.rules.terrains[t.index()].name.replace('_', " ");
                format!("{} {name}", self.painted(&symbol, paint))
            }));
        }
        if let Some(shape) = &shape {
            for alike in self.entries.chunk_by(|a, b| a.slot == b.slot) {
                let head = |e: &EntryEdge| {
                    let name = self.faction_name(e.faction);
                    let head = format!("{}>", self.entry_name(e.faction, shape));
                    let whole = match shape.short {
                        true => format!("{head} {name}"),
                        false => head,
                    };
                    self.painted(&whole, self.paint(e.faction))
                };
                let heads: Vec<String> = alike.iter().map(head).collect();
                entries.push(format!("{} {}", heads.join(", "), alike[0].slot));
            }
        }
        let there = &self.world.on_board();
        if let Some(slot) = self.life.filter(|_| !there.is_empty()) {
            let name = self.rules.slots.unit[slot].name.replace('_', " ");
            entries.push(format!(":n {name}"));
        }
        if let Some(slot) = self.facing.filter(|_| !there.is_empty()) {
            let name = self.rules.slots.unit[slot].name.replace('_', " ");
            entries.push(format!("{} {name}", self.pointing("n")));
        }
        let marks = super::marks_there(self.rules, self.world).into_iter();
        entries.extend(marks.map(|(sign, words)| format!("{sign} {words}")));
        let number = if self.life.is_some() { "n" } else { "" };
        let Marks {
            reach,
            threat,
            targets,
            moved,
            gaps: _,
            offered: offered_places,
            choices,
            spots,
            regions: _,
            ranges: _,
            measured: _,
        } = &self.marks;
        let notes = [
            (!(moved & there).is_empty(), format!("'{number} moved last")),
            (
                !reach.is_empty(),
                format!("{} can be reached", if rows { "*" } else { "[name]" }),
            ),
            (
                !offered_places.is_empty(),
                format!("{} offered", if rows { "*" } else { "[name]" }),
            ),
            (!(choices & there).is_empty(), format!("?{number} offered")),
            (!spots.is_empty(), "+ proposed".to_owned()),
            (
                !threat.is_empty(),
                format!("{} can be aimed at", if rows { "!" } else { "!name!" }),
            ),
            (!(targets & there).is_empty(), format!("!{number} can be hit")),
            (
                drawn && !self.gaps().is_empty(),
                (if rows { ": offered" } else { "dotted: offered" }).to_owned(),
            ),
        ];
        entries.extend(notes.into_iter().filter(|(is, _)| *is).map(|(_, text)| text));
        entries.retain(|e| !e.is_empty());
        lines::packed("", &entries, 3, self.style.width, 0)
    }
}
