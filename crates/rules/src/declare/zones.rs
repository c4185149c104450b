//! The zones that `board` declares, by columns, letters of a drawing, lists of places or what lies near them; and
//! which kinds of terrain a drawing lays.

use super::{BARE, DeclarationReader, GAP, MapDrawing, counts_of, problems, texts_of};
use crate::kernel::board::{Board, Zone};
use crate::kernel::ids::{MAX_FACTIONS, PlaceId, PlaceSet, TerrainId};
use crate::kernel::rules::Terrain;
use crate::keys;
use crate::lines::how_many;
use crate::report::{did_you_mean, hint_for};
use crate::run::view::{ValueView, ViewMap};
use std::collections::BTreeMap;

/// The parts of a board around which a zone can lie.
const PARTS: [&str; 3] = ["middle", "rim", "corners"];

fn quoted_parts() -> String {
    let [first, second, last] = PARTS.map(|part| format!("\"{part}\""));
    format!("{first}, {second} or {last}")
}

impl DeclarationReader<'_> {
    /// A zone: an area for each faction, or one for all; where not all factions are known, any may be meant.
    pub(super) fn zone(
        &mut self,
        name: &str,
        value: ValueView,
        (factions, known): (&[String], bool),
        on: (&Board, &MapDrawing),
    ) -> Zone {
        let is_area =
            |map: &ViewMap| !map.is_empty() && map.keys().all(|k| keys::names(keys::AREA).any(|n| n == k));
        let mut places: [PlaceSet; MAX_FACTIONS] = Default::default();
        let shared = match &value {
            ValueView::Map(map) => is_area(map) && !map.keys().any(|k| factions.contains(k)),
            ValueView::Text(_) | ValueView::List(_) | ValueView::Places(_) => true,
            _ => false,
        };
        if shared {
            let area = self.area(name, value, on);
            places[..factions.len()].fill(area);
        } else {
            for (faction, area) in self.map(name, value, "a zone").unwrap_or_default() {
                match factions.iter().position(|f| *f == faction) {
                    Some(index) => {
                        places[index] = self.inside(&[&faction], |reader| reader.area(name, area, on));
                    }
                    None if !known => {}
                    None => {
                        let hint = hint_for(&faction, factions.iter().map(String::as_str));
                        self.problem(&faction, problems::unknown_name("faction", &faction).hint(hint));
                    }
                }
            }
        }
        Zone {
            name: name.to_owned(),
            places,
            shared,
        }
    }

    /// The places of a zone: what is drawn with its letters, what a list names, or what the keys of a map say.
    pub(super) fn area(
        &mut self,
        zone: &str,
        area: ValueView,
        (board, drawing): (&Board, &MapDrawing),
    ) -> PlaceSet {
        if drawing.broken {
            return PlaceSet::EMPTY;
        }
        let is_area = |item: &ValueView| matches!(item, ValueView::Map(_));
        let map = match area {
            ValueView::Map(map) => map,
            ValueView::List(items) if items.iter().any(is_area) => {
                let one = |item| match item {
                    ValueView::Text(_) => ValueView::List(vec![item]),
                    area => area,
                };
                let areas = items.into_iter().map(one);
                return areas.fold(PlaceSet::EMPTY, |all, item| {
                    all | self.area(zone, item, (board, drawing))
                });
            }
            ValueView::Text(_) => [("drawn".to_owned(), area)].into(),
            ValueView::List(_) => [("places".to_owned(), area)].into(),
            ValueView::Places(_) => {
                self.problem(zone, problems::early_zone(zone, quoted_parts()));
                return PlaceSet::EMPTY;
            }
            area => {
                self.map(zone, area, "a zone's area");
                return PlaceSet::EMPTY;
            }
        };
        self.keys(&map, keys::AREA, "a zone's area");
        if map.is_empty() {
            let what = format_args!("the zone `{zone}`");
            let form = "write `rows: [1, 3]` with the number of rows for the whole board";
            self.problem(zone, problems::missing_part(what, "area").hint(form));
        }
        let (several, found) = (map.len() > 1, self.problems.len());
        let mut places = board.places().clone();
        for (key, value) in map {
            let meant = match key.as_str() {
                "rows" => self.span(&key, &value, board.rows(), |n| board.row(n)),
                "columns" => self.span(&key, &value, board.columns(), |n| board.column(n)),
                "drawn" => self.lettered(zone, &value, drawing),
                "places" => self.listed(zone, &value, board),
                "near" | "ring" => self.around(zone, &key, &value, board),
                _ => continue,
            };
            places = places & meant;
        }
        if several && places.is_empty() && self.problems.len() == found {
            let why = "its areas have none in common".to_owned();
            self.problem(zone, problems::empty_zone(zone, why));
        }
        places
    }

    /// The places of rows or columns from one to another.
    pub(super) fn span(
        &mut self,
        key: &str,
        value: &ValueView,
        all: usize,
        of: impl Fn(usize) -> PlaceSet,
    ) -> PlaceSet {
        let ends = value.as_list().and_then(counts_of).unwrap_or_default();
        match ends[..] {
            [low, high] if 1 <= low && low <= high && high <= all => {
                (low..=high).fold(PlaceSet::EMPTY, |places, n| places | of(n - 1))
            }
            _ => {
                self.wrong_value(key, format_args!("`[first, last]`, from 1 to {all}"));
                PlaceSet::EMPTY
            }
        }
    }

    /// The places that are drawn with these letters.
    pub(super) fn lettered(&mut self, zone: &str, value: &ValueView, drawing: &MapDrawing) -> PlaceSet {
        let letters = value.as_text().unwrap_or_default();
        if letters.is_empty() {
            let what = format_args!("the zone `{zone}`");
            self.problem(zone, problems::wrong_value(what, "letters of `map`"));
        }
        let mut places = PlaceSet::EMPTY;
        for letter in letters.chars() {
            match drawing.letters.get(&letter) {
                Some(drawn) => places = places | drawn,
                None => {
                    let why = format!("`map` has no `{letter}`");
                    self.problem(zone, problems::empty_zone(zone, why));
                }
            }
        }
        places
    }

    /// The places of these names.
    pub(super) fn listed(&mut self, zone: &str, value: &ValueView, board: &Board) -> PlaceSet {
        let names = value.as_list().and_then(texts_of).unwrap_or_default();
        if names.is_empty() {
            let what = format_args!("the zone `{zone}`");
            let expected = "a list of names of places, such as `[\"a1\", \"b2\"]`";
            self.problem(zone, problems::wrong_value(what, expected));
        }
        names
            .into_iter()
            .filter_map(|name| self.place_named(zone, &name, board))
            .collect()
    }

    /// The places at most so many steps from one, or from a part of the board; of a `ring` those exactly so far.
    pub(super) fn around(&mut self, zone: &str, key: &str, value: &ValueView, board: &Board) -> PlaceSet {
        let steps_of = |steps: &ValueView| steps.as_int().and_then(|n| usize::try_from(n).ok());
        let parts = match value.as_list() {
            Some([from, steps]) => from.as_text().zip(steps_of(steps)),
            _ => None,
        };
        let Some((from, steps)) = parts else {
            let parts = quoted_parts();
            self.wrong_value(key, format_args!("`[place, steps]`; a place is a name, {parts}"));
            return PlaceSet::EMPTY;
        };
        let around = match from {
            "middle" => board.middle().into_iter().collect(),
            "rim" => board.rim().clone(),
            "corners" => board.corners(),
            name => self.place_named(zone, name, board).into_iter().collect(),
        };
        if around.is_empty() && from == "corners" {
            let why = "the board has no corners".to_owned();
            self.problem((zone, from), problems::empty_zone(zone, why));
        }
        let within = |steps| {
            let near = around.clone().map(|from| board.within(from, steps));
            near.fold(PlaceSet::EMPTY, |all, near| all | near)
        };
        match (key, steps) {
            ("ring", 1..) => {
                let ring = within(steps) - within(steps - 1);
                if ring.is_empty() && !around.is_empty() {
                    let why = format!("none is {} from `{from}`", how_many(steps, "step"));
                    self.problem((zone, from), problems::empty_zone(zone, why));
                }
                ring
            }
            _ => within(steps),
        }
    }

    pub(super) fn place_named(&mut self, zone: &str, name: &str, board: &Board) -> Option<PlaceId> {
        let place = board.place(name);
        if place.is_none() {
            let places = board.places().iter().map(|p| board.name(p));
            let hint = match did_you_mean(name, PARTS) {
                Some(part) => format!("did you mean `{part}`?"),
                None => hint_for(name, places),
            };
            self.problem((zone, name), problems::unknown_name("place", name).hint(hint));
        }
        place
    }

    /// The terrain that is drawn, by place.
    pub fn drawn_terrain(
        &mut self,
        (board, drawing): (&Board, &MapDrawing),
        terrains: &[Terrain],
    ) -> Vec<(PlaceId, TerrainId)> {
        let kinds: BTreeMap<char, Vec<TerrainId>> = drawing
            .legend
            .iter()
            .map(|(letter, names)| {
                let kinds = names.iter().filter(|n| *n != GAP);
                let found = kinds.filter_map(|n| self.kind(n, terrains, "legend"));
                (*letter, found.collect())
            })
            .collect();
        let mut terrain = Vec::new();
        for (letter, places) in &drawing.letters {
            // What a zone alone names is as bare as the rest.
            let kinds = kinds.get(letter).or_else(|| kinds.get(&BARE));
            for place in places {
                terrain.extend(kinds.into_iter().flatten().map(|kind| (place, *kind)));
            }
        }
        for ([a, b], letter) in &drawing.between {
            let edge = board.edge_between(*a, *b);
            let kinds = drawing.edges.get(letter).into_iter().flatten();
            for kind in kinds.filter_map(|name| self.kind(name, terrains, "edges")) {
                terrain.extend(edge.map(|edge| (edge, kind)));
            }
        }
        terrain.sort_unstable();
        terrain
    }

    /// The kind of terrain that a legend names, which must lie where the legend draws it.
    fn kind(&mut self, name: &str, terrains: &[Terrain], legend: &str) -> Option<TerrainId> {
        let found = terrains.iter().position(|t| t.name == name);
        if let Some(kind) = found.map(|index| &terrains[index])
            && kind.on_edges.is_some() != (legend == "edges")
        {
            let other = if legend == "edges" { "legend" } else { "edges" };
            self.problem((legend, name), problems::misplaced_terrain(name, other));
            return None;
        }
        if found.is_none() {
            let hint = match terrains {
                [] => "write a script for it in the folder `terrain` beside game.rhai".to_owned(),
                all => hint_for(name, all.iter().map(|t| t.name.as_str()).chain([GAP])),
            };
            self.problem((legend, name), problems::unknown_name("terrain", name).hint(hint));
        }
        found.map(|index| TerrainId(index as u8))
    }
}
