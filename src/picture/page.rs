//! A page that replays a game: one file of HTML that needs nothing else, with the boards as SVG beside
//! the record. With two games of the same scenario their boards stand side by side.
//!
//! The page holds every part of a board (a cell, a unit, an arrow) once and each moment as a list of
//! parts, so that a whole game stays small. What happens at the keys is in `replay.html`.

use super::scene::{Scene, Shown};
use super::story::begins_step;
use super::svg;
use crate::kernel::event::Event;
use crate::kernel::ids::PlaceSet;
use crate::kernel::spot::{UNIT, length_text};
use crate::play::Play;
use crate::transcript::{Line, numbered_lines_of};
use serde::Serialize;
use similar::{Algorithm, DiffTag, capture_diff_slices};
use std::collections::BTreeMap;

/// The page around the data.
const TEMPLATE: &str = include_str!("replay.html");
/// The colours of pages, light and dark.
pub const LOOK: &str = include_str!("look.css");
/// The room around a board, in picture units.
const EDGE: f64 = 3.0;

/// One game, moment by moment.
pub struct Reel {
    /// What its rules are called, such as `base`; empty where it is the only one.
    pub name: String,
    moments: Vec<Moment>,
    size: (f64, f64),
    end: String,
    /// Symbol and name of every unit type that is seen.
    types: BTreeMap<String, String>,
    number: String,
    /// What the direction is in which units look; empty when they have none.
    facing: String,
    /// Name and colour of every kind of terrain that is seen.
    terrains: BTreeMap<String, String>,
    /// The game's ranges on a table top: how long they are drawn, and how long they are.
    ranges: Vec<(f64, String)>,
}

/// A line of the record and the board after it.
struct Moment {
    text: String,
    kind: &'static str,
    parts: Vec<String>,
    status: Vec<String>,
}

impl Reel {
    /// The moments of a play, which keeps its trail, from its start; a line for each of its record.
    /// What is under way in secret is left out.
    pub fn of(play: &Play, name: &str, end: &str) -> Self {
        let mut events = play.events();
        let all = events.len();
        events.truncate(play.hidden_from().map_or(all, |from| from + 1));
        let events = events.as_slice();
        let ways = super::ways(play, (0..).zip(events));
        let table = play.table();
        let mut reel = Self {
            name: name.to_owned(),
            moments: Vec::new(),
            size: (0.0, 0.0),
            end: end.to_owned(),
            types: BTreeMap::new(),
            number: String::new(),
            facing: String::new(),
            terrains: BTreeMap::new(),
            ranges: Vec::new(),
        };
        // One size for a map that grows: everything that is ground at any time has its room.
        let laid = events.iter().filter_map(|event| match event {
            Event::Laid { place, .. } => Some(*place),
            _ => None,
        });
        let room = laid.collect::<PlaceSet>() | play.world_before(0).ground();
        let scene = |upto: usize, from: usize| {
            let [first, last] = [from, upto].map(|n| ways.partition_point(|way| way.event < n));
            let mut scene = Scene::of(&Shown {
                rules: &table.rules,
                words: &table.words,
                world: &play.world_before(upto),
                events: &events[from..upto],
                ways: &ways[first..last],
                room: room.clone(),
            });
            if upto == all {
                scene.offer(&table);
            }
            scene
        };
        let start = scene(0, 0);
        if let (Some(top), Some(tabletop)) = (&start.table, &table.rules.tabletop) {
            let range = |length: &i64| {
                let told = format!("{} {}", length_text(*length), top.unit);
                (*length as f64 / UNIT as f64 * top.scale, told)
            };
            reel.ranges = tabletop.ranges.iter().map(range).collect();
        }
        reel.add(String::new(), "start", &start);
        for (index, line) in numbered_lines_of(&table.rules, &table.words, events, 0, &|_| None) {
            let after = index + 1;
            let from = events[..after].iter().rposition(begins_step).unwrap_or(0);
            let kind = match (&line, &events[index]) {
                (Line::Phase { .. }, _) => "phase",
                (Line::Consequence(_), _) => "consequence",
                (_, event) if begins_step(event) => "step",
                _ => "choice",
            };
            reel.add(line.text(), kind, &scene(after, from));
        }
        reel
    }

    fn add(&mut self, text: String, kind: &'static str, scene: &Scene) {
        self.size = (scene.width + 2.0 * EDGE, scene.height + 2.0 * EDGE);
        self.types.extend(scene.types.iter().cloned());
        let seen = scene.cells.iter().flat_map(|c| &c.terrain);
        let seen = seen.map(|&t| &scene.terrains[t]);
        self.terrains
            .extend(seen.map(|t| (t.name.clone(), t.colour.clone())));
        if self.number.is_empty() {
            self.number.clone_from(&scene.number);
        }
        if self.facing.is_empty() {
            self.facing.clone_from(&scene.facing);
        }
        self.moments.push(Moment {
            text,
            kind,
            parts: svg::board_parts(scene),
            status: status(scene),
        });
    }

    fn lines(&self) -> Vec<&str> {
        self.moments.iter().map(|m| m.text.as_str()).collect()
    }
}

/// A line for each faction: its numbers, and who waits in reserve.
fn status(scene: &Scene) -> Vec<String> {
    let line = |(index, side): (usize, &super::scene::Side)| {
        let mut parts: Vec<String> = side.numbers.iter().map(|(n, v)| format!("{n} {v}")).collect();
        let waiting = scene.reserves.iter().filter(|r| r.side == index);
        parts.extend(waiting.map(|r| format!("reserve {}", r.units.join(", "))));
        parts.join("; ")
    };
    scene.sides.iter().enumerate().map(line).collect()
}

/// What the page's script reads.
#[derive(Serialize)]
struct Data<'a> {
    /// Parts of boards, as SVG.
    parts: Vec<&'a str>,
    /// The games.
    reels: Vec<Told<'a>>,
    /// For each place of the slider, which moment of each game is shown.
    steps: Vec<Vec<usize>>,
    /// The first place of the slider at which the games differ.
    first: Option<usize>,
}

#[derive(Serialize)]
struct Told<'a> {
    name: &'a str,
    end: &'a str,
    size: (f64, f64),
    sides: Vec<(String, &'static str)>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    ranges: &'a [(f64, String)],
    lines: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    text: &'a str,
    kind: &'static str,
    /// The board after it, by parts.
    board: Vec<usize>,
    status: &'a [String],
    /// Whether only this game has it.
    own: bool,
}

/// The page of one game, or of two games of the same scenario.
///
/// `title` and `note` are plain text. The same games give the same bytes.
pub fn page(title: &str, note: &str, factions: &[String], reels: &[Reel]) -> String {
    let names: Vec<&str> = factions.iter().map(String::as_str).collect();
    let colours = svg::colours(&names);
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let mut parts = Vec::new();
    let (steps, shared) = aligned(reels);
    let told = reels.iter().enumerate().map(|(nth, reel)| {
        let lines = reel.moments.iter().enumerate().map(|(index, moment)| Row {
            text: &moment.text,
            kind: moment.kind,
            board: moment
                .parts
                .iter()
                .map(|part| {
                    *known.entry(part).or_insert_with(|| {
                        parts.push(part.as_str());
                        parts.len() - 1
                    })
                })
                .collect(),
            status: &moment.status,
            own: !shared[nth][index],
        });
        Told {
            name: &reel.name,
            end: &reel.end,
            size: reel.size,
            sides: factions
                .iter()
                .cloned()
                .zip(colours.iter().map(|c| c.strong))
                .collect(),
            ranges: &reel.ranges,
            lines: lines.collect(),
        }
    });
    let told: Vec<Told<'_>> = told.collect();
    let first = steps.iter().position(|step| {
        step.iter()
            .zip(&told)
            .any(|(&moment, reel)| reel.lines[moment].own)
    });
    let data = Data {
        parts,
        reels: told,
        steps,
        first,
    };
    // Nothing in the data may end the script that it stands in.
    let data = serde_json::to_string(&data)
        .unwrap_or_default()
        .replace('<', "\\u003c");
    let mut types: BTreeMap<&str, &str> = BTreeMap::new();
    for reel in reels {
        types.extend(
            reel.types
                .iter()
                .map(|(symbol, name)| (symbol.as_str(), name.as_str())),
        );
    }
    let mut legend: Vec<String> = types
        .iter()
        .map(|(symbol, name)| format!("{symbol} {name}"))
        .collect();
    if let Some(number) = reels.iter().map(|r| &r.number).find(|n| !n.is_empty()) {
        legend.push(format!("the number below is {number}"));
    }
    if let Some(facing) = reels.iter().map(|r| &r.facing).find(|f| !f.is_empty()) {
        legend.push(format!("the wedge says {facing}"));
    }
    if reels.iter().any(|reel| !reel.ranges.is_empty()) {
        legend.push("click a unit to see its ranges".to_owned());
    }
    let grounds: BTreeMap<&String, &String> = reels.iter().flat_map(|r| &r.terrains).collect();
    let grounds: String = grounds
        .iter()
        .map(|(name, colour)| {
            let (name, colour) = (escaped(name), escaped(colour));
            format!("<i class=\"ground\" style=\"background:{colour}\"></i>{name}, ")
        })
        .collect();
    TEMPLATE
        .replace("{{look}}", LOOK)
        .replace("{{ground}}", &grounds)
        .replace("{{title}}", &escaped(title))
        .replace("{{note}}", &escaped(note))
        .replace("{{legend}}", &escaped(&legend.join(", ")))
        .replace("{{data}}", &data)
}

/// The places of the slider, and for each moment of each game whether the other has it too.
fn aligned(reels: &[Reel]) -> (Vec<Vec<usize>>, Vec<Vec<bool>>) {
    let [base, tweak] = reels else {
        let moments = reels.first().map_or(0, |r| r.moments.len());
        return (
            (0..moments).map(|m| vec![m]).collect(),
            reels.iter().map(|r| vec![true; r.moments.len()]).collect(),
        );
    };
    let mut shared = vec![vec![false; base.moments.len()], vec![false; tweak.moments.len()]];
    let mut steps = Vec::new();
    let (mut a, mut b) = (0, 0);
    for op in capture_diff_slices(Algorithm::Patience, &base.lines(), &tweak.lines()) {
        let (old, new) = (op.old_range(), op.new_range());
        let same = matches!(op.tag(), DiffTag::Equal);
        for nth in 0..old.len().max(new.len()) {
            if nth < old.len() {
                a = old.start + nth;
                shared[0][a] = same;
            }
            if nth < new.len() {
                b = new.start + nth;
                shared[1][b] = same;
            }
            steps.push(vec![a, b]);
        }
    }
    (steps, shared)
}

/// A text as HTML shows it.
pub(crate) fn escaped(text: &str) -> String {
    svg::clean(text)
        .replace('&', "&amp;")
        .replace('{', "&#123;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
