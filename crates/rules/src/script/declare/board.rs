//! Reader of the result of `board`: factions, and the positions that things can have, as places, a table top or an
//! arena.

use super::{BARE, DeclarationPart, DeclarationReader, GAP, counts_of, present_keys, texts_of};
use crate::kernel::board::Board;
use crate::kernel::ground::arena;
use crate::kernel::ground::grid::{Cell, EdgeRule, Grid, MAX_RADIUS};
use crate::kernel::ground::plane::Shape;
use crate::kernel::ids::{MAX_FACTIONS, MAX_PLACES, PlaceSet};
use crate::kernel::region::MAX_SIDE;
use crate::kernel::rules::{Relation, Tabletop};
use crate::kernel::spot::{Point, UNIT, length_text};
use crate::pages::lines::{counted, listed};
use crate::report::hint_for;
use crate::script::keys;
use crate::script::run::view::{ValueView, ViewMap};
use std::collections::{BTreeMap, BTreeSet};

/// Keys of a table top, and of nothing else.
pub const TABLETOP_KEYS: [&str; 7] = [
    "unit",
    "hair",
    "bases",
    "pieces",
    "candidates",
    "ranges",
    "measures",
];

/// Meaning of the characters of a drawn board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MapDrawing {
    /// Places of each character.
    pub(super) letters: BTreeMap<char, PlaceSet>,
    /// The kinds of terrain that each stands for.
    pub(super) legend: BTreeMap<char, Vec<String>>,
    /// The board cannot be as it is drawn or said: nothing is known of what lies on it.
    pub(super) broken: bool,
}

/// Lines of a map that are wrong alike are told together, so many of them by number.
const LINES_NAMED: usize = 8;

/// Puts a line to those that are wrong alike.
fn note<T: PartialEq>(found: &mut Vec<(T, Vec<usize>)>, what: T, nth: usize) {
    match found.iter_mut().find(|(known, _)| *known == what) {
        Some((_, at)) => at.push(nth),
        None => found.push((what, vec![nth])),
    }
}

/// Lines by their numbers, from 0 here: `line 2`, `lines 2, 3`.
fn lines_of(at: &[usize]) -> String {
    let numbers: Vec<String> = at.iter().map(|nth| (nth + 1).to_string()).collect();
    let s = if at.len() == 1 { "" } else { "s" };
    format!("line{s} {}", listed(&numbers, LINES_NAMED))
}

/// A board whose places are called so, none beside another.
fn pieces_called(names: impl Iterator<Item = String>) -> Board {
    let cell = |(column, name)| Cell { name, column, row: 0 };
    let cells: Vec<Cell> = names.enumerate().map(cell).collect();
    let columns = cells.len();
    Board::new(cells, columns, 1, |a, b| if a == b { 0 } else { 2 })
}

/// Declarations of `arena`.
pub struct DeclaredArena {
    /// The board.
    pub board: arena::Arena,
    /// Width, from flat side to flat side.
    pub width: i32,
    /// Its zones.
    pub zones: Vec<(String, Shape)>,
}

impl DeclaredArena {
    /// The table top around it.
    fn tabletop(&self) -> Tabletop {
        Tabletop {
            size: (self.width, self.width),
            unit: "cm".to_owned(),
            hair: 0,
            candidates: 48,
            ranges: Vec::new(),
            measures: Vec::new(),
            bases: None,
        }
    }
}

/// Declarations of `board()`.
pub struct DeclaredBoard {
    /// Faction names.
    pub factions: Vec<String>,
    /// The board with its zones; on a table top the pieces of terrain are its places.
    pub board: Board,
    /// The table top, in a game that is played on one.
    pub tabletop: Option<Tabletop>,
    /// The arena, in a game that is played on one.
    pub arena: Option<DeclaredArena>,
    /// The stat that says how wide bases are.
    pub bases: String,
    /// Drawing of the board.
    pub drawing: MapDrawing,
    /// Relation of places that engages units.
    pub relation: Relation,
    /// Units of one faction in a place.
    pub stack: usize,
    /// Faction that decides conflicts, by place in turn order.
    pub arbiter: usize,
}

/// Names that factions cannot have: records, scenarios and answers use them for something else.
const NO_FACTIONS: [&str; 4] = ["game", "nobody", "none", "reserve"];

/// Maximum number of zones of a board.
const MAX_ZONES: usize = 255;

/// The letters that zones are drawn with.
fn zone_letters(map: &ViewMap) -> Vec<char> {
    fn letters(area: &ValueView, found: &mut Vec<char>) {
        match area {
            ValueView::Text(letters) => found.extend(letters.chars()),
            ValueView::Map(map) => map.values().for_each(|a| letters(a, found)),
            // Texts in a list are places by name.
            ValueView::List(areas) => areas
                .iter()
                .filter(|a| matches!(a, ValueView::Map(_)))
                .for_each(|a| letters(a, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    if let Some(zones) = map.get("zones") {
        letters(zones, &mut found);
    }
    found
}

fn is_one_word(name: &str) -> bool {
    let inner = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    name.starts_with(char::is_alphabetic) && name.chars().all(inner)
}

/// Returns the key in a zone's definition that only makes sense for places beside each other.
fn step_key(zone: &ValueView) -> Option<&'static str> {
    if let ValueView::List(areas) = zone {
        return areas.iter().find_map(step_key);
    }
    let keys = zone.as_map()?;
    let said = present_keys(keys, &["rows", "columns", "near", "ring"]).next();
    said.or_else(|| keys.values().find_map(step_key))
}

impl DeclarationReader<'_> {
    /// The board: factions, places, stacking, relation, and who decides conflicts.
    pub fn board(&mut self, value: ValueView) -> DeclaredBoard {
        let map = self.map(DeclarationPart::All, value, "board()");
        let is_map = map.is_some();
        let map = map.unwrap_or_default();
        self.keys(&map, keys::BOARD, "board()");
        let told = self.problems.len();
        let mut factions = self.texts(&map, "factions");
        if self.problems.len() == told && !(1..=MAX_FACTIONS).contains(&factions.len()) {
            let why = format!("a game has 1 to {MAX_FACTIONS} factions, not {}", factions.len());
            if map.contains_key("factions") {
                self.problem("factions", why, "");
            } else if Self::lacks(&map, "factions", keys::BOARD) {
                self.problem(DeclarationPart::All, why, "`factions: [\"red\", \"blue\"]`");
            }
            factions.truncate(MAX_FACTIONS);
            if factions.is_empty() {
                factions = vec!["red".to_owned(), "blue".to_owned()];
            }
        }
        let known = self.problems.len() == told;
        let arena = self.arena(&map);
        let tabletop = match &arena {
            Some(arena) => Some(arena.tabletop()),
            None => self.tabletop(&map),
        };
        let (mut board, drawing) = match (&arena, &tabletop) {
            (Some(arena), _) => (
                pieces_called(arena.zones.iter().map(|z| z.0.clone())),
                MapDrawing::default(),
            ),
            (None, Some(_)) => (self.pieces(&map), MapDrawing::default()),
            (None, None) => self.ground(&map),
        };
        let told = self.problems.len();
        self.faction_names(&factions, &board);
        // Where a faction has no good name, no other one is missed.
        let known = known && self.problems.len() == told;
        if let Some(zones) = map.get("zones") {
            for (name, value) in self.map("zones", zones.clone(), "zones").unwrap_or_default() {
                self.inside(&["zones"], |reader| reader.zone_name(&name));
                let zone = self.inside(&["zones", &name], |reader| {
                    reader.zone(&name, value, (&factions, known), (&board, &drawing))
                });
                board.zones.push(zone);
            }
            if board.zones.len() > MAX_ZONES {
                let why = format!(
                    "a board has at most {MAX_ZONES} zones, and these are {}",
                    board.zones.len()
                );
                self.problem("zones", why, "a slot of places can part them, too");
                board.zones.truncate(MAX_ZONES);
            }
        }
        let relation = self.one_of(&map, "engaged", &Relation::NAMES, "no engagement is called");
        let relation = relation.unwrap_or(match tabletop {
            Some(_) => Relation::Bases,
            None => Relation::SamePlace,
        });
        if tabletop.is_some() != (relation == Relation::Bases) {
            let hint = "on a table top bases touch: `engaged: \"base contact\"`; on a board units share a place or stand beside each other";
            self.problem("engaged", "bases touch on a table top, and nowhere else", hint);
        }
        let lines = self.one_of(&map, "lines", &EdgeRule::NAMES, "lines cannot meet");
        board.lines = lines.unwrap_or_default();
        let stack = self.number(&map, "stack", (1, 32), 1);
        let arbiter = match self.text(&map, "conflicts") {
            None => 0,
            Some(whose) => self.whose("conflicts", &whose, factions.len(), None),
        };
        if !is_map {
            // All else only follows from that.
            self.problems.truncate(1);
        }
        DeclaredBoard {
            factions,
            board,
            tabletop,
            arena,
            bases: self.text(&map, "bases").unwrap_or_else(|| "diameter".to_owned()),
            drawing,
            relation,
            stack: stack as usize,
            arbiter,
        }
    }

    /// A zone is a property of factions, or an argument of functions: a word.
    fn zone_name(&mut self, name: &str) {
        if !is_one_word(name) {
            let hint = "a zone's name is one word of letters, digits, - and _ that begins with a letter";
            self.problem(name, format!("a zone cannot be called `{name}`"), hint);
        }
    }

    /// Faction names stand alone in records, before a dot in unit names, and beside place names.
    fn faction_names(&mut self, factions: &[String], board: &Board) {
        for (index, name) in factions.iter().enumerate() {
            let another = "call it by another name";
            let (why, hint) = if !is_one_word(name) {
                let hint =
                    "a faction's name is one word of letters, digits, - and _ that begins with a letter";
                (format!("a faction cannot be called `{name}`"), hint)
            } else if NO_FACTIONS.contains(&name.as_str()) {
                let why = format!("a faction cannot be called `{name}`: the word means something else");
                (why, another)
            } else if board.place(name).is_some() {
                let why = format!("the faction `{name}` is called like a place of the board");
                (why, another)
            } else if factions[..index].contains(name) {
                let hint = "answers are found again by name: give each one of its own";
                (format!("two factions are called `{name}`"), hint)
            } else {
                continue;
            };
            self.problem(("factions", name.as_str()), why, hint);
        }
    }

    /// A table top: how large it is, what its lengths count, and how near bases are in contact.
    fn tabletop(&mut self, map: &ViewMap) -> Option<Tabletop> {
        let Some(size) = map.get("tabletop") else {
            for key in present_keys(map, &TABLETOP_KEYS) {
                let why = format!("`{key}` is said of a table top");
                self.problem(key, why, "play on one: `tabletop: [24, 24], unit: \"inch\"`");
            }
            return None;
        };
        if let Some(other) = present_keys(map, &["map", "hexagon", "hexes", "squares"]).next() {
            let why = format!("a game is played on a `tabletop` or on `{other}`, not on both");
            self.problem(self.outermost([other, "tabletop"]), why, "leave one of them out");
        }
        for key in present_keys(map, &["cells", "diagonals", "legend", "lines", "stack"]) {
            let why = format!("`{key}` is said of a board, and this is a table top");
            self.problem(key, why, "leave it out");
        }
        let zones = map.get("zones").and_then(ValueView::as_map);
        if let Some(key) = zones.and_then(|zones| zones.values().find_map(step_key)) {
            let why = format!("`{key}` counts the places of a board, and this is a table top");
            self.problem(
                key,
                why,
                "a zone of a table top lists pieces: `[\"piece1\", \"piece2\"]`",
            );
        }
        let sides: Vec<i64> = size
            .as_list()
            .unwrap_or_default()
            .iter()
            .filter_map(ValueView::as_length)
            .collect();
        let fits = |n: &i64| (UNIT..=MAX_SIDE).contains(n);
        let (wide, deep) = match sides[..] {
            [wide, deep] if fits(&wide) && fits(&deep) => (wide as i32, deep as i32),
            _ => {
                let why = format!(
                    "`tabletop` must be [width, depth], each from 1 to {}",
                    MAX_SIDE / UNIT
                );
                self.problem("tabletop", why, "`tabletop: [900, 900], unit: \"mm\"`");
                (UNIT as i32, UNIT as i32)
            }
        };
        let hair = match map.get("hair") {
            None => 0,
            Some(hair) => hair
                .as_length()
                .filter(|h| (0..=UNIT * 10).contains(h))
                .unwrap_or_else(|| {
                    self.problem("hair", "`hair` must be a length from 0 to 10", "`hair: 0.02`");
                    0
                }),
        };
        let candidates = self.number(map, "candidates", (1, 1_000), 48);
        let mut ranges = Vec::new();
        for range in self.list(map, "ranges").unwrap_or_default() {
            match range.as_length().filter(|r| (0..=MAX_SIDE).contains(r)) {
                Some(range) => ranges.push(range),
                None => self.problem(
                    "ranges",
                    "`ranges` must be a list of lengths",
                    "`ranges: [6, 7.5]`",
                ),
            }
        }
        let mut measures = Vec::new();
        if let Some(declared) = map.get("measures") {
            let named = declared.as_map();
            let lengths = named.into_iter().flatten().map(|(name, length)| {
                let length = length.as_length().filter(|l| (1..=MAX_SIDE).contains(l))?;
                Some((name.clone(), length))
            });
            match lengths
                .collect::<Option<Vec<(String, i64)>>>()
                .filter(|_| named.is_some())
            {
                Some(lengths) => measures = lengths,
                None => self.problem(
                    "measures",
                    "`measures` must be a map from what is measured to a length above 0",
                    "`measures: #{ move: 6, \"long shot\": 24 }`",
                ),
            }
            measures.sort_by_key(|(_, length)| *length);
        }
        Some(Tabletop {
            size: (wide, deep),
            unit: self.text(map, "unit").unwrap_or_else(|| "mm".to_owned()),
            hair,
            candidates: candidates as usize,
            ranges,
            measures,
            bases: None,
        })
    }

    /// The places of a table top: pieces of terrain, as many as may lie there.
    fn pieces(&mut self, map: &ViewMap) -> Board {
        let most = self.number(map, "pieces", (0, 200), 24);
        pieces_called((0..most as usize).map(|n| format!("piece{}", n + 1)))
    }

    /// An arena: how wide its board is, what it is made of, and its zones.
    fn arena(&mut self, map: &ViewMap) -> Option<DeclaredArena> {
        let all = map;
        let map = self.map("arena", all.get("arena")?.clone(), "`arena`");
        let is_map = map.is_some();
        let map = map.unwrap_or_default();
        let others = ["tabletop", "map", "hexagon", "hexes", "squares"];
        if let Some(other) = present_keys(all, &others).next() {
            let why = format!("a game is played in an `arena` or on `{other}`, not both");
            self.problem(self.outermost([other, "arena"]), why, "leave one of them out");
        }
        self.keys(&map, keys::ARENA, "`arena`");
        let measures = [("flat to flat", false), ("corner to corner", true)];
        let corners = self.one_of(&map, "measured", &measures, "octagons are not measured");
        // The cosine of 22.5°: from corner to corner an octagon is wider than from side to side.
        let flat = |width: i64| match corners {
            Some(true) => (width * 923_880 + 500_000) / 1_000_000,
            _ => width,
        };
        if is_map && Self::lacks(&map, "octagon", keys::ARENA) {
            let hint = "`arena: #{ octagon: 50 }`, in centimetres";
            self.problem("arena", "`arena` does not say how wide it is", hint);
        }
        let width = flat(self.range(&map, "octagon", (10, 1_000), UNIT, 50));
        let mut board = arena::Arena::default();
        let width = i32::try_from(width).unwrap_or(i32::MAX);
        let middle = Point {
            x: width / 2,
            y: width / 2,
        };
        let octagon = |width: i64| {
            let width = i32::try_from(width).unwrap_or(i32::MAX);
            arena::octagon([middle.x, middle.y], width)
        };
        board.corners = octagon(width.into()).to_vec();
        let usual = |n: i32| i64::from(n);
        let whole = |n: i64| i32::try_from(n).unwrap_or(i32::MAX);
        board.thickness = whole(self.range(
            &map,
            "thickness",
            (1, 200),
            UNIT / 10,
            usual(board.thickness) / 100,
        ));
        board.friction = whole(self.range(&map, "friction", (0, 200), 10, usual(board.friction) / 10));
        board.restitution = whole(self.range(&map, "bounce", (0, 100), 10, usual(board.restitution) / 10));
        board.limit = whole(self.range(&map, "limit", (1, 600), UNIT / 10, usual(board.limit) / 100));
        let mut zones = Vec::new();
        let declared = map
            .get("zones")
            .and_then(|z| self.map("zones", z.clone(), "zones"));
        for (name, form) in declared.unwrap_or_default() {
            let Some(said) = self.map(&name, form, "a zone") else {
                continue;
            };
            let wide = |key: &str| said.get(key).and_then(ValueView::as_length);
            let fits = |n: &i64| (UNIT / 10..=i64::from(width)).contains(n);
            let shape = match (
                wide("octagon").filter(|n| *n <= MAX_SIDE).map(flat).filter(fits),
                wide("circle").filter(fits),
                said.len(),
            ) {
                (Some(wide), None, 1) => {
                    let corners = octagon(wide).map(|[x, y]| Point { x, y });
                    Shape::polygon(&corners).ok()
                }
                (None, Some(wide), 1) => Some(Shape::Disc {
                    at: middle,
                    diameter: whole(wide),
                }),
                _ => None,
            };
            self.zone_name(&name);
            match shape {
                Some(shape) => zones.push((name, shape)),
                None => self.problem(
                    &name,
                    format!("the zone `{name}` must be an octagon or a circle, no wider than the board"),
                    &format!("`{name}: #{{ octagon: 42 }}` or `{name}: #{{ circle: 6 }}`"),
                ),
            }
        }
        Some(DeclaredArena { board, width, zones })
    }

    /// A number of an arena: in its own range, times what stands for 1 in it; if left out what is usual.
    fn range(&mut self, map: &ViewMap, key: &str, (low, high): (i64, i64), one: i64, usual: i64) -> i64 {
        let given = match map.get(key) {
            None => return usual * one,
            // Of lengths there are tenths.
            Some(value) if one >= UNIT / 10 => value.as_length(),
            Some(value) => value.as_int().and_then(|n| n.checked_mul(one)),
        };
        given
            .filter(|n| (low * one..=high * one).contains(n))
            .unwrap_or_else(|| {
                let (low, high) = match one >= UNIT / 10 {
                    true => (length_text(low * one), length_text(high * one)),
                    false => (low.to_string(), high.to_string()),
                };
                self.problem(key, format!("`{key}` must be from {low} to {high}"), "");
                usual * one
            })
    }

    /// The places: a rectangle of hexagons or squares, a hexagon of hexagons, or what is drawn.
    fn ground(&mut self, map: &ViewMap) -> (Board, MapDrawing) {
        let shapes = present_keys(map, &["map", "hexagon", "hexes", "squares"]);
        if let [one, other, ..] = shapes.collect::<Vec<_>>()[..] {
            let why = format!("a board has `{one}` or `{other}`, not both");
            self.problem(self.outermost([one, other]), why, "leave one of them out");
        }
        let grid = self.grid(map);
        if map.contains_key("map") {
            return self.drawn(map, grid);
        }
        if map.contains_key("legend") {
            let hint = "draw the board: map: [\"...\", \"...\"]";
            self.problem("legend", "`legend` says what the letters of a `map` are", hint);
        }
        let told = self.problems.len();
        let board = self.shape(map, grid);
        let drawing = MapDrawing {
            broken: self.problems.len() > told,
            ..MapDrawing::default()
        };
        (board, drawing)
    }

    /// A rectangle of hexagons or squares, or a hexagon of hexagons.
    fn shape(&mut self, map: &ViewMap, grid: Grid) -> Board {
        if map.contains_key("hexagon") {
            let radius = self.number(map, "hexagon", (0, MAX_RADIUS as i64), 0);
            return grid.around(radius as usize);
        }
        let Some(key) = present_keys(map, &["squares", "hexes"]).next() else {
            let grounds = ["hexes", "squares", "hexagon", "map", "tabletop", "arena"];
            if grounds.iter().all(|key| Self::lacks(map, key, keys::BOARD)) {
                let hint =
                    "`hexes: [columns, rows]`, `squares: [columns, rows]`, `hexagon: radius`, or a `map`";
                self.problem(
                    DeclarationPart::All,
                    "board() does not say what is played on",
                    hint,
                );
            }
            return grid.rectangle(1, 1);
        };
        let size = self.list(map, key).unwrap_or_default();
        let size = counts_of(&size).unwrap_or_default();
        let fits = 1..=MAX_PLACES;
        match size[..] {
            [columns, rows]
                if fits.contains(&columns) && fits.contains(&rows) && columns * rows <= MAX_PLACES =>
            {
                grid.rectangle(columns, rows)
            }
            _ => {
                let cells = grid.cells();
                let why = format!(
                    "`{key}` must be [columns, rows], two numbers from 1, at most {MAX_PLACES} {cells}"
                );
                self.problem(key, why, "");
                grid.rectangle(1, 1)
            }
        }
    }

    /// Reads the shape of the board's cells.
    fn grid(&mut self, map: &ViewMap) -> Grid {
        let diagonals = self.flag(map, "diagonals");
        let squares = Grid::Squares { diagonals };
        let cells = self.text(map, "cells");
        if cells.is_some() && !map.contains_key("map") {
            let hint = "leave it out: `hexes`, `hexagon` and `squares` say it themselves";
            self.problem("cells", "`cells` says what a `map` is drawn of", hint);
        }
        let grid = match cells.as_deref() {
            _ if map.contains_key("squares") => squares,
            None => Grid::Hexes,
            Some(cells) => {
                let known = [Grid::Hexes, squares].into_iter();
                known.clone().find(|g| g.cells() == cells).unwrap_or_else(|| {
                    let hint = hint_for(cells, known.map(Grid::cells));
                    self.problem(("cells", cells), format!("no board is made of `{cells}`"), &hint);
                    squares
                })
            }
        };
        if grid == Grid::Hexes && map.contains_key("diagonals") {
            let hint = "leave it out, or say `squares: [columns, rows]` or `cells: \"squares\"`";
            self.problem("diagonals", "only squares touch at their corners", hint);
        }
        grid
    }

    /// The board whose lines are drawn, the top one first.
    fn drawn(&mut self, map: &ViewMap, grid: Grid) -> (Board, MapDrawing) {
        let told = self.problems.len();
        let texts = self.texts(map, "map");
        let is_read = self.problems.len() == told;
        let lines: Vec<Vec<char>> = texts.iter().map(|l| l.chars().collect()).collect();
        let told = self.problems.len();
        let legend = self.legend(map);
        // What is wrong with the legend may be why a letter is not known.
        let is_told = self.problems.len() > told;
        let known: Vec<char> = legend.keys().copied().chain(zone_letters(map)).collect();
        let gaps: Vec<char> = legend
            .iter()
            .filter(|(_, kinds)| kinds.iter().any(|k| k == GAP))
            .map(|(c, _)| *c)
            .collect();
        let is_place = |c: &char| *c != ' ' && !gaps.contains(c);
        let mut wrong: Vec<(usize, String)> = Vec::new();
        let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
        // Where most agree, the odd ones are wrong.
        let as_long = |long| lines.iter().filter(|line| line.len() == long).count();
        let (usual, others) = match lines.iter().map(Vec::len).find(|l| 2 * as_long(*l) > lines.len()) {
            Some(usual) if 1 + as_long(usual) == lines.len() => (usual, "the others have"),
            Some(usual) => (usual, "most have"),
            None => (columns, "the longest has"),
        };
        let (mut unknown, mut odd) = (Vec::new(), Vec::new());
        for (nth, line) in lines.iter().enumerate() {
            let is_known = |c: &char| is_told || matches!(*c, BARE | ' ') || known.contains(c);
            let strange: BTreeSet<char> = line.iter().copied().filter(|c| !is_known(c)).collect();
            strange.into_iter().for_each(|c| note(&mut unknown, c, nth));
            if line.len() != usual {
                note(&mut odd, line.len(), nth);
            }
        }
        wrong.extend(odd.into_iter().map(|(long, at)| {
            let has = if at.len() == 1 { "has" } else { "have" };
            let long = counted(long, "character");
            (
                at[0],
                format!("{} of `map` {has} {long}, {others} {usual}", lines_of(&at)),
            )
        }));
        wrong.extend(unknown.into_iter().map(|(c, at)| {
            (
                at[0],
                format!("`{c}` in {} of `map` means nothing", lines_of(&at)),
            )
        }));
        wrong.sort_by_key(|(nth, _)| *nth);
        let has_terrain = legend.values().flatten().any(|kind| kind != GAP);
        if has_terrain && !known.contains(&BARE) && lines.iter().flatten().any(|c| *c == BARE) {
            let hint = format!("`legend: #{{ \"{BARE}\": KIND }}` says what lies there; a blank is a gap");
            let why = format!("`{BARE}` in `map` has no terrain, so nobody could stand there");
            self.problem("legend", why, &hint);
        }
        let places = lines.iter().flatten().filter(|c| is_place(c)).count();
        if wrong.is_empty() && (places == 0 || places > MAX_PLACES) {
            let why = format!("`map` must have 1 to {MAX_PLACES} places, not {places} in {columns} columns");
            wrong.push((usize::MAX, why));
        }
        if !wrong.is_empty() {
            let mut hint = "each character is a place, `.`, a gap, a blank, or one that `legend` or a zone names; all \
                            lines are as long";
            for (line, why) in wrong.into_iter().filter(|_| is_read) {
                let said = texts.get(line).map_or(DeclarationPart::Key("map"), |text| {
                    DeclarationPart::Text("map", text)
                });
                // It holds for all of them.
                self.problem(said, why, std::mem::take(&mut hint));
            }
            let drawing = MapDrawing {
                broken: true,
                ..MapDrawing::default()
            };
            return (grid.rectangle(1, 1), drawing);
        }
        let board = grid.drawn(columns, lines.len(), |column, row| {
            lines[row].get(column).is_some_and(is_place)
        });
        let mut letters: BTreeMap<char, PlaceSet> = BTreeMap::new();
        for place in board.places() {
            let cell = board.cell(place);
            let letter = lines[lines.len() - 1 - cell.row][cell.column];
            letters.entry(letter).or_default().insert(place);
        }
        let drawing = MapDrawing {
            letters,
            legend,
            broken: false,
        };
        (board, drawing)
    }

    /// Reads the legend of a drawn board: kinds of terrain by name, for each character.
    fn legend(&mut self, map: &ViewMap) -> BTreeMap<char, Vec<String>> {
        let mut legend = BTreeMap::new();
        let Some(value) = map.get("legend") else {
            return legend;
        };
        for (key, value) in self.map("legend", value.clone(), "`legend`").unwrap_or_default() {
            let kinds: Vec<String> = match &value {
                ValueView::Text(name) => vec![name.clone()],
                ValueView::List(names) => texts_of(names).unwrap_or_default(),
                _ => Vec::new(),
            };
            let mut letters = key.chars();
            match (letters.next(), letters.next()) {
                (Some(' '), None) => {
                    self.problem("legend", "a blank in `map` is a gap, and nothing else", "")
                }
                (Some(_), None) if kinds.is_empty() => {
                    let why =
                        format!("`{key}` in `legend` must be a terrain, a list of several, or \"{GAP}\"");
                    self.problem("legend", why, "");
                }
                (Some(letter), None) => {
                    legend.insert(letter, kinds);
                }
                _ => {
                    let why = format!("`{key}` in `legend` must be one character");
                    self.problem("legend", why, "");
                }
            }
        }
        legend
    }
}
