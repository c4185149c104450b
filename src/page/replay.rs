//! The table's page without a session: a game that was played, moment by moment, with all that the page is made
//! of in one file. Nothing is served and nothing fetched. With two games of the same scenario their boards
//! stand side by side.
//!
//! The page holds every part of a board (a cell, a unit, an arrow) once and each moment as a list of
//! parts, so that a whole game stays small.

use super::alone::{self, DataBlock, Permits};
use super::board::{EDGE, cells, clean, told_legend, units};
use super::{WITH_SESSION, choices};
use crate::event_text::Entry;
use crate::kernel::event::Event;
use crate::kernel::ids::{PlaceSet, TypeId};
use crate::kernel::spot::{UNIT, length_text};
use crate::picture;
use crate::picture::dice::ThrowScene;
use crate::picture::drawn_plane::DrawnPlane;
use crate::picture::scene::{Scene, SceneInput};
use crate::picture::story::begins_step;
use crate::picture::svg::PictureLayer;
use crate::picture::{ink, svg};
use crate::play::Play;
use crate::report::Source;
use crate::rules::runtime::Runtime;
use crate::rules::trace::TraceLevel;
use crate::scenario::file::ScenarioFile;
use crate::sheet::Sheet;
use crate::sheet::card;
use crate::text_diff::{DiffTag, line_ops};
use crate::transcript::{Line, lines_for_people};
use crate::why;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// One game, moment by moment.
#[derive(Default)]
pub struct Reel {
    /// The name of its rules, such as `base`; empty if there are no others.
    pub name: String,
    moments: Vec<ReplayMoment>,
    /// The last board: on most the ground is as on the one before, and is not drawn again.
    before: Option<PreviousBoard>,
    /// Parts of boards, as SVG, and what lies on boards, as JSON: most moments have what others have.
    parts: UniqueTexts,
    things: UniqueTexts,
    size: (f64, f64),
    end: String,
    table: Option<DrawnPlane>,
    /// The legend of the signs on the board.
    legend: BTreeSet<String>,
    /// Name and colour of every kind of terrain that is seen.
    terrains: BTreeMap<String, String>,
    /// The game's ranges on a table top: how long they are drawn, and how long they are.
    ranges: Vec<(f64, String)>,
    /// The card lines of the unit types.
    cards: Vec<String>,
    /// The expectations at the end, and whether each is true.
    expected: Vec<(String, String)>,
}

/// A line of the record and the board after it.
struct ReplayMoment {
    text: String,
    kind: &'static str,
    /// Why it happened, where it followed from a rule.
    why: Option<String>,
    /// By their numbers among the game's parts and things.
    parts: Vec<usize>,
    cells: usize,
    units: Vec<usize>,
    sides: Vec<Value>,
    caption: String,
}

/// A board that was drawn: by their numbers the parts of each layer, and its cells.
struct PreviousBoard {
    scene: Scene,
    layers: [Vec<usize>; PictureLayer::ALL.len()],
    cells: usize,
}

impl Reel {
    /// The moments of a play, which keeps its trail, from its start; a line for each of its record.
    /// What is under way in secret is left out.
    pub fn of(play: &mut Play, file: &ScenarioFile, name: &str, end: &str) -> Self {
        let mut look = |expected: &crate::description::Spanned<String>| {
            let source = Source::new("expectation", expected.value.as_str());
            let value = play.look(&source, None, Runtime::value_text);
            let holds = match value.as_deref() {
                Ok("true") => "true now".to_owned(),
                Ok(value) => format!("{value} now"),
                Err(problem) => format!("cannot be read: {}", problem.message),
            };
            (expected.value.clone(), holds)
        };
        let expected: Vec<_> = file.expect.iter().map(&mut look).collect();
        let since = play.view().since();
        let expected = match since.is_none() {
            true => expected,
            false => Vec::new(),
        };
        let mut events = play.events();
        events.truncate(since.map_or(events.len(), |since| since + 1));
        let events = events.as_slice();
        let choices = choices::of(play);
        let ways = picture::ways(play, (0..).zip(events));
        let thrown = (0..).zip(events);
        let thrown: Vec<ThrowScene> = thrown
            .filter_map(|(n, event)| ThrowScene::of(play, n, event))
            .collect();
        let table = play.table();
        let sheet = Sheet::of(play.ruleset(), None);
        let types = 0..table.rules.types.len();
        let mut reel = Self {
            name: name.to_owned(),
            end: end.to_owned(),
            cards: types
                .map(|kind| card::of_type(&sheet, TypeId(kind as u8)).join("\n"))
                .collect(),
            expected,
            ..Self::default()
        };
        // One size for a map that grows: everything that is ground at any time has its room.
        let placed = events.iter().filter_map(|event| match event {
            Event::Laid { place, .. } => Some(*place),
            _ => None,
        });
        let room = placed.collect::<PlaceSet>() | play.world_before(0).ground();
        let shown = |upto: usize, from: usize| {
            let world = play.world_before(upto);
            let [first, last] = [from, upto].map(|n| ways.partition_point(|way| way.event < n));
            let mut scene = Scene::of(&SceneInput {
                rules: &table.rules,
                words: &table.words,
                world: &world,
                events: &events[from..upto],
                ways: &ways[first..last],
                threw: thrown.iter().rfind(|threw| (from..upto).contains(&threw.event)),
                room: room.clone(),
            });
            let chosen = upto.checked_sub(1).and_then(|number| choices.get(&number));
            scene.over.extend(chosen.into_iter().flatten().cloned());
            if upto == table.events.len() {
                scene.offer(table);
            }
            scene.caption = picture::when(table, &events[..upto]);
            let mut units = units(&scene);
            for unit in &mut units {
                let name = unit["name"].as_str().and_then(|n| table.rules.parse_unit_name(n));
                if let Some(id) = name.and_then(|n| world.find(n)) {
                    unit["told"] = json!(card::of_unit(&play.ruleset().rules, &world, id).join("\n"));
                    unit["type"] = json!(world.unit(id).kind.index());
                }
            }
            (scene, units)
        };
        let start = shown(0, 0);
        reel.table.clone_from(&start.0.table);
        if let (Some(top), Some(plane)) = (&start.0.table, table.rules.plane()) {
            let range = |length: &i64| {
                let text = format!("{} {}", length_text(*length), top.unit);
                (*length as f64 / UNIT as f64 * top.scale, text)
            };
            reel.ranges = plane.ranges.iter().map(range).collect();
        }
        reel.add(String::new(), "start", None, start);
        for (index, line) in lines_for_people(&table.rules, &table.words, events) {
            let after = index + 1;
            let from = events[..after].iter().rposition(begins_step).unwrap_or(0);
            let kind = match (&line, &events[index]) {
                (Line::Entry(Entry::Phase { .. }), _) => "phase",
                (Line::Entry(Entry::Consequence(_)), _) => "consequence",
                (_, event) if begins_step(event) => "step",
                _ => "choice",
            };
            // What cannot be explained, such as in other rules than now, is told without.
            let why = (kind == "consequence")
                .then(|| why::event(play, play.view(), Some(index), TraceLevel::Calls).ok());
            let why = why.flatten().map(|page| page.text());
            reel.add(line.text(), kind, why, shown(after, from));
        }
        reel
    }

    fn add(
        &mut self,
        text: String,
        kind: &'static str,
        why: Option<String>,
        (scene, units): (Scene, Vec<Value>),
    ) {
        self.size = (scene.width + 2.0 * EDGE, scene.height + 2.0 * EDGE);
        self.legend.extend(told_legend(&scene));
        let same = self.before.take().filter(|b| b.scene.has_ground_of(&scene));
        if same.is_none() {
            let kinds = scene.cells.iter().flat_map(|c| &c.terrain);
            let kinds = kinds.map(|&t| &scene.terrains[t]);
            self.terrains
                .extend(kinds.map(|t| (t.name.clone(), t.colour.clone())));
        }
        let layers = PictureLayer::ALL.map(|layer| match &same {
            Some(before) if layer.is_of_ground() => before.layers[layer as usize].clone(),
            _ => {
                let parts = svg::board_parts(&scene, layer).into_iter();
                parts.map(|part| self.parts.at(part)).collect()
            }
        });
        let cells = match &same {
            Some(before) => before.cells,
            None => self.things.at(json!(cells(&scene, |_| false)).to_string()),
        };
        self.moments.push(ReplayMoment {
            text,
            kind,
            why,
            parts: layers.concat(),
            cells,
            units: units
                .iter()
                .map(|unit| self.things.at(unit.to_string()))
                .collect(),
            sides: sides(&scene),
            caption: scene.caption.clone(),
        });
        self.before = Some(PreviousBoard { scene, layers, cells });
    }

    fn lines(&self) -> Vec<&str> {
        self.moments.iter().map(|m| m.text.as_str()).collect()
    }
}

/// For each faction its numbers, and who waits in reserve.
fn sides(scene: &Scene) -> Vec<Value> {
    let faction = |(index, faction): (usize, &picture::scene::FactionView)| {
        let waiting = scene.reserves.iter().filter(|r| r.side == index);
        let waiting: Vec<&String> = waiting.flat_map(|r| &r.units).collect();
        json!({ "numbers": faction.numbers, "reserve": waiting })
    };
    scene.sides.iter().enumerate().map(faction).collect()
}

/// The data that the script of the page reads.
#[derive(Serialize)]
struct Data<'a> {
    game: &'a str,
    title: &'a str,
    note: &'a str,
    fonts: &'a str,
    edge: f64,
    sides: Vec<Value>,
    /// Parts of boards, as SVG.
    parts: Vec<&'a str>,
    /// Everything on boards: lists of cells, and units.
    things: Vec<Value>,
    /// The games.
    reels: Vec<GameData<'a>>,
    /// For each place of the slider, which moment of each game is shown.
    steps: Vec<Vec<usize>>,
    /// The first place of the slider at which the games differ.
    first: Option<usize>,
}

#[derive(Serialize)]
struct GameData<'a> {
    name: &'a str,
    end: &'a str,
    size: (f64, f64),
    table: &'a Option<DrawnPlane>,
    legend: &'a BTreeSet<String>,
    grounds: Vec<(&'a String, &'a String)>,
    ranges: &'a [(f64, String)],
    cards: &'a [String],
    expected: &'a [(String, String)],
    lines: Vec<MomentData<'a>>,
}

#[derive(Serialize)]
struct MomentData<'a> {
    text: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    /// The board after it, by parts.
    board: Vec<usize>,
    /// The cells, by index into `things`.
    cells: usize,
    units: Vec<usize>,
    sides: &'a [Value],
    caption: &'a str,
    /// Whether only this game has it.
    own: bool,
}

/// A table in which each repeated text has one number.
#[derive(Default)]
struct UniqueTexts {
    known: BTreeMap<Arc<str>, usize>,
    all: Vec<Arc<str>>,
}

impl UniqueTexts {
    fn at(&mut self, text: impl Into<Arc<str>>) -> usize {
        let text = text.into();
        let next = self.all.len();
        let at = *self.known.entry(Arc::clone(&text)).or_insert(next);
        if at == next {
            self.all.push(text);
        }
        at
    }
}

/// The numbers of one game's texts in the table of all games.
struct PartNumbers<'o> {
    own: &'o UniqueTexts,
    numbers: Vec<Option<usize>>,
}

impl<'o> PartNumbers<'o> {
    fn new(own: &'o UniqueTexts) -> Self {
        Self {
            own,
            numbers: vec![None; own.all.len()],
        }
    }

    fn at(&mut self, all: &mut UniqueTexts, at: usize) -> usize {
        *self.numbers[at].get_or_insert_with(|| all.at(Arc::clone(&self.own.all[at])))
    }
}

/// The page of one game, or of two games of the same scenario.
///
/// `title` and `note` are plain text. The same games give the same bytes.
pub fn page(game: &str, title: &str, note: &str, factions: &[String], reels: &[Reel]) -> String {
    let names: Vec<&str> = factions.iter().map(String::as_str).collect();
    let colours = ink::colours(&names);
    let (mut parts, mut things) = (UniqueTexts::default(), UniqueTexts::default());
    let (steps, shared) = aligned(reels);
    let games = reels.iter().enumerate().map(|(nth, reel)| {
        let (mut own_parts, mut own_things) = (PartNumbers::new(&reel.parts), PartNumbers::new(&reel.things));
        let lines = reel.moments.iter().enumerate().map(|(index, moment)| MomentData {
            text: &moment.text,
            kind: moment.kind,
            why: moment.why.as_deref(),
            board: moment
                .parts
                .iter()
                .map(|part| own_parts.at(&mut parts, *part))
                .collect(),
            cells: own_things.at(&mut things, moment.cells),
            units: moment
                .units
                .iter()
                .map(|unit| own_things.at(&mut things, *unit))
                .collect(),
            sides: &moment.sides,
            caption: &moment.caption,
            own: !shared[nth][index],
        });
        GameData {
            name: &reel.name,
            end: &reel.end,
            size: reel.size,
            table: &reel.table,
            legend: &reel.legend,
            grounds: reel.terrains.iter().collect(),
            ranges: &reel.ranges,
            cards: &reel.cards,
            expected: &reel.expected,
            lines: lines.collect(),
        }
    });
    let games: Vec<GameData<'_>> = games.collect();
    let first = steps.iter().position(|step| {
        step.iter()
            .zip(&games)
            .any(|(&moment, reel)| reel.lines[moment].own)
    });
    let faction = |(index, name): (usize, &&str)| json!({ "name": name, "colour": colours[index].strong, "shape": index % 4 });
    let data = Data {
        game,
        title,
        note,
        fonts: ink::FONTS,
        edge: EDGE,
        sides: names.iter().enumerate().map(faction).collect(),
        parts: parts.all.iter().map(|part| &**part).collect(),
        things: things
            .all
            .iter()
            .map(|text| serde_json::from_str(text).unwrap_or_default())
            .collect(),
        reels: games,
        steps,
        first,
    };
    let mut data = json!(data);
    clean(&mut data);
    let permits = Permits {
        scripts: "",
        others: "trusted-types 'none'",
    };
    let block = DataBlock {
        id: "data",
        kind: "application/json",
        text: &data.to_string(),
    };
    let in_place = |name| Some(name).filter(|name| !WITH_SESSION.contains(name));
    alone::page(title, in_place, permits, &[block])
}

/// The places of the slider, and for each moment of each game whether the other has it too.
fn aligned(reels: &[Reel]) -> (Vec<Vec<usize>>, Vec<Vec<bool>>) {
    let [base, variant] = reels else {
        let moments = reels.first().map_or(0, |r| r.moments.len());
        return (
            (0..moments).map(|m| vec![m]).collect(),
            reels.iter().map(|r| vec![true; r.moments.len()]).collect(),
        );
    };
    let mut shared = vec![
        vec![false; base.moments.len()],
        vec![false; variant.moments.len()],
    ];
    let mut steps = Vec::new();
    let (mut a, mut b) = (0, 0);
    for op in line_ops(&base.lines(), &variant.lines()) {
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
