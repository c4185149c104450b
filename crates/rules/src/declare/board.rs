//! Reader of the result of `board`: factions, and the positions that things can have, as places, a table top or an
//! arena.

use super::{BARE, DeclarationPart, DeclarationReader, GAP, counts_of, present_keys, problems, texts_of};
use crate::grounds::region::MAX_SIDE;
use crate::grounds::{KINDS, arena};
use crate::kernel::board::Board;
use crate::kernel::grid::{Cell, EdgeRule, Grid, MAX_RADIUS};
use crate::kernel::ground::{BoardAndGround, Declaration, Ground, GroundKind, Places, Plane};
use crate::kernel::ids::{MAX_FACTIONS, MAX_PLACES, PlaceId, PlaceSet};
use crate::kernel::plane::Shape;
use crate::kernel::rules::Relation;
use crate::kernel::spot::{Point, UNIT, length_text};
use crate::keys::{self, DeclaredKey};
use crate::lines::listed;
use crate::report::Problem;
use crate::run::view::{ValueView, ViewMap};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

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
    /// The characters drawn between places, with the two places.
    pub(super) between: Vec<([PlaceId; 2], char)>,
    /// The kinds of terrain that each of them stands for.
    pub(super) edges: BTreeMap<char, Vec<String>>,
    /// The board cannot be as it is drawn or said: nothing is known of what lies on it.
    pub(super) broken: bool,
}

impl MapDrawing {
    /// No drawing, on a board that may be wrong.
    fn broken_if(broken: bool) -> Self {
        Self {
            broken,
            ..Self::default()
        }
    }
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
    fn plane(&self) -> Plane {
        Plane {
            size: (self.width, self.width),
            unit: "cm".to_owned(),
            hair: 0,
            candidates: 48,
            ranges: Vec::new(),
            measures: Vec::new(),
        }
    }
}

/// Declarations of `board()`.
pub struct DeclaredBoard {
    /// Faction names.
    pub factions: Vec<String>,
    /// The board with its zones; on a table top the pieces of terrain are its places.
    pub board: Board,
    /// Measures, in a game that is played on a plane.
    pub plane: Option<Plane>,
    /// The arena, in a game that is played on one.
    pub arena: Option<DeclaredArena>,
    /// The ground of one of the listed kinds, or that of places.
    pub ground: Arc<dyn Ground>,
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

/// The keys that declare a ground, of which a board has one.
fn ground_keys() -> impl Iterator<Item = &'static str> {
    let own = ["arena", "tabletop", "map", "hexagon", "hexes", "squares"];
    own.into_iter().chain(KINDS.iter().map(GroundKind::key))
}

/// Those of these keys that a map has beside one of them.
fn other_grounds(map: &ViewMap, key: &str) -> impl Iterator<Item = &'static str> {
    ground_keys().filter(move |other| *other != key && map.contains_key(*other))
}

/// The keys of one kind of ground, as it reads them.
struct DeclaredGround<'r, 'a> {
    reader: &'r mut DeclarationReader<'a>,
    map: &'r ViewMap,
    kind: &'r GroundKind,
}

impl Declaration for DeclaredGround<'_, '_> {
    fn number(&mut self, key: &str, range: RangeInclusive<i64>, default: i64) -> i64 {
        let (low, high) = range.into_inner();
        let before = self.reader.problems.len();
        let number = self.reader.number(self.map, key, (low, high), default);
        self.hint(before, key);
        number
    }

    fn flag(&mut self, key: &str) -> bool {
        self.reader.flag(self.map, key)
    }

    fn text(&mut self, key: &str) -> Option<String> {
        self.reader.text(self.map, key)
    }

    fn wrong_value(&mut self, key: &str, expected: &str) {
        let before = self.reader.problems.len();
        self.reader.wrong_value(key, expected);
        self.hint(before, key);
    }
}

impl DeclaredGround<'_, '_> {
    /// Adds the example of a key to the problems with it, from one on.
    fn hint(&mut self, from: usize, key: &str) {
        let known = self.kind.keys.iter().find(|known| known.name == key);
        let example = known.and_then(DeclaredKey::example);
        for problem in self.reader.problems.drain(from..).collect::<Vec<_>>() {
            self.reader.problems.push(match example {
                Some(example) => problem.hint(format!("write `{example}`")),
                None => problem,
            });
        }
    }
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

/// Form of the names of factions and zones.
const ONE_WORD: &str = "use one word of letters, digits, - and _ that begins with a letter";

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
    let key = present_keys(keys, &["rows", "columns", "near", "ring"]).next();
    key.or_else(|| keys.values().find_map(step_key))
}

impl DeclarationReader<'_> {
    /// The board: factions, places, stacking, relation, and who decides conflicts.
    pub fn board(&mut self, value: ValueView) -> DeclaredBoard {
        let map = self.map(DeclarationPart::All, value, "board()");
        let is_map = map.is_some();
        let map = map.unwrap_or_default();
        self.keys(&map, keys::board(), "board()");
        let before = self.problems.len();
        let mut factions = self.texts(&map, "factions");
        if self.problems.len() == before && !(1..=MAX_FACTIONS).contains(&factions.len()) {
            let expected = format!("1 to {MAX_FACTIONS} factions");
            let problem = problems::wrong_count("a game", expected, factions.len());
            if map.contains_key("factions") {
                self.problem("factions", problem);
            } else if Self::lacks(&map, "factions", keys::board()) {
                self.problem(DeclarationPart::All, problem);
            }
            factions.truncate(MAX_FACTIONS);
            if factions.is_empty() {
                factions = vec!["red".to_owned(), "blue".to_owned()];
            }
        }
        let known = self.problems.len() == before;
        for kind in KINDS.iter().filter(|kind| !map.contains_key(kind.key())) {
            for key in present_keys(&map, &keys::names(kind.keys).collect::<Vec<_>>()) {
                let owner = format!("a board with `{}`", kind.key());
                self.problem(key, problems::misplaced_key(key, &owner));
            }
        }
        let arena = self.arena(&map);
        let plane = match &arena {
            Some(arena) => Some(arena.plane()),
            None => self.tabletop(&map),
        };
        let mut ground: Arc<dyn Ground> = Arc::new(Places);
        let (mut board, drawing) = match (&arena, &plane) {
            (Some(arena), _) => (
                pieces_called(arena.zones.iter().map(|z| z.0.clone())),
                MapDrawing::default(),
            ),
            (None, Some(_)) => (self.pieces(&map), MapDrawing::default()),
            (None, None) => match self.ground_kind(&map) {
                Some(kind) => {
                    let before = self.problems.len();
                    let board;
                    (board, ground) = self.ground_of(&map, kind);
                    (board, MapDrawing::broken_if(self.problems.len() > before))
                }
                None => self.ground(&map),
            },
        };
        let on_plane = plane.is_some() || ground.plane().is_some();
        let before = self.problems.len();
        self.faction_names(&factions, &board);
        // A faction with a wrong name may be the one that a zone names.
        let known = known && self.problems.len() == before;
        if let Some(zones) = map.get("zones") {
            for (name, value) in self.map("zones", zones.clone(), "zones").unwrap_or_default() {
                self.inside(&["zones"], |reader| reader.zone_name(&name));
                let zone = self.inside(&["zones", &name], |reader| {
                    reader.zone(&name, value, (&factions, known), (&board, &drawing))
                });
                board.zones.push(zone);
            }
            if board.zones.len() > MAX_ZONES {
                let expected = format!("at most {MAX_ZONES} zones");
                let problem = problems::wrong_count("a board", expected, board.zones.len());
                self.problem("zones", problem);
                board.zones.truncate(MAX_ZONES);
            }
        }
        let relation = self.one_of(&map, "engaged", &Relation::NAMES);
        let relation = relation.unwrap_or(match on_plane {
            true => Relation::Bases,
            false => Relation::SamePlace,
        });
        if on_plane != (relation == Relation::Bases) {
            self.wrong_value(
                "engaged",
                match on_plane {
                    true => "`base contact` on a table top",
                    false => "a relation of places on a board",
                },
            );
        }
        let lines = self.one_of(&map, "lines", &EdgeRule::NAMES);
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
            plane,
            arena,
            ground,
            bases: self.text(&map, "bases").unwrap_or_else(|| "diameter".to_owned()),
            drawing,
            relation,
            stack: stack as usize,
            arbiter,
        }
    }

    /// Returns the listed kind of ground that is declared, and refuses keys of other boards beside it.
    fn ground_kind(&mut self, map: &ViewMap) -> Option<&'static GroundKind> {
        let kind = KINDS.iter().find(|kind| map.contains_key(kind.key()))?;
        if let Some(other) = other_grounds(map, kind.key()).next() {
            self.exclusive_keys(other, kind.key());
        }
        for key in present_keys(map, &["cells", "diagonals", "legend", "lines"]) {
            let owner = format!("a board without `{}`", kind.key());
            self.problem(key, problems::misplaced_key(key, &owner));
        }
        Some(kind)
    }

    /// Reads the keys of a kind of ground.
    fn ground_of(&mut self, map: &ViewMap, kind: &GroundKind) -> BoardAndGround {
        let reader = self;
        (kind.read)(&mut DeclaredGround { reader, map, kind })
    }

    /// Adds a problem with two keys of which a board has one at most.
    fn exclusive_keys(&mut self, key: &'static str, other: &'static str) {
        self.problem(self.outermost([key, other]), problems::exclusive_keys(key, other));
    }

    /// A zone is a property of factions, or an argument of functions: a word.
    fn zone_name(&mut self, name: &str) {
        if !is_one_word(name) {
            self.problem(name, problems::wrong_name("a zone", name).hint(ONE_WORD));
        }
    }

    /// Faction names stand alone in records, before a dot in unit names, and beside place names.
    fn faction_names(&mut self, factions: &[String], board: &Board) {
        for (index, name) in factions.iter().enumerate() {
            let problem = if !is_one_word(name) {
                problems::wrong_name("a faction", name).hint(ONE_WORD)
            } else if NO_FACTIONS.contains(&name.as_str()) {
                let form = "choose another name: this word has a meaning in scenarios";
                problems::wrong_name("a faction", name).hint(form)
            } else if board.place(name).is_some() {
                problems::repeated_name("a faction and a place", name)
            } else if factions[..index].contains(name) {
                problems::repeated_name("two factions", name)
            } else {
                continue;
            };
            self.problem(("factions", name.as_str()), problem);
        }
    }

    /// A table top: how large it is, what its lengths count, and how near bases are in contact.
    fn tabletop(&mut self, map: &ViewMap) -> Option<Plane> {
        let Some(size) = map.get("tabletop") else {
            for key in present_keys(map, &TABLETOP_KEYS) {
                self.problem(key, problems::misplaced_key(key, "a board with `tabletop`"));
            }
            return None;
        };
        if let Some(other) = other_grounds(map, "tabletop").next() {
            self.exclusive_keys(other, "tabletop");
        }
        for key in present_keys(map, &["cells", "diagonals", "legend", "lines", "stack"]) {
            self.problem(key, problems::misplaced_key(key, "a board without `tabletop`"));
        }
        let zones = map.get("zones").and_then(ValueView::as_map);
        if let Some(key) = zones.and_then(|zones| zones.values().find_map(step_key)) {
            self.problem(key, problems::misplaced_key(key, "a board without `tabletop`"));
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
                let most = MAX_SIDE / UNIT;
                self.wrong_value(
                    "tabletop",
                    format_args!("`[width, depth]`, each from 1 to {most}"),
                );
                (UNIT as i32, UNIT as i32)
            }
        };
        let hair = match map.get("hair") {
            None => 0,
            Some(hair) => hair
                .as_length()
                .filter(|h| (0..=UNIT * 10).contains(h))
                .unwrap_or_else(|| {
                    self.wrong_value("hair", "a length from 0 to 10");
                    0
                }),
        };
        let candidates = self.number(map, "candidates", (1, 1_000), 48);
        let mut ranges = Vec::new();
        for range in self.list(map, "ranges").unwrap_or_default() {
            match range.as_length().filter(|r| (0..=MAX_SIDE).contains(r)) {
                Some(range) => ranges.push(range),
                None => self.wrong_value("ranges", "a list of lengths"),
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
                None => self.wrong_value("measures", "a map of lengths above 0, by name"),
            }
            measures.sort_by_key(|(_, length)| *length);
        }
        Some(Plane {
            size: (wide, deep),
            unit: self.text(map, "unit").unwrap_or_else(|| "mm".to_owned()),
            hair,
            candidates: candidates as usize,
            ranges,
            measures,
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
        if let Some(other) = other_grounds(all, "arena").next() {
            self.exclusive_keys(other, "arena");
        }
        self.keys(&map, keys::ARENA, "`arena`");
        let measures = [("flat to flat", false), ("corner to corner", true)];
        let corners = self.one_of(&map, "measured", &measures);
        // The cosine of 22.5°: from corner to corner an octagon is wider than from side to side.
        let flat = |width: i64| match corners {
            Some(true) => (width * 923_880 + 500_000) / 1_000_000,
            _ => width,
        };
        if is_map && Self::lacks(&map, "octagon", keys::ARENA) {
            let form = "write `arena: #{ octagon: 50 }`, in centimetres";
            self.problem("arena", problems::missing_part("`arena`", "`octagon`").hint(form));
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
            let Some(form) = self.map(&name, form, "a zone") else {
                continue;
            };
            let wide = |key: &str| form.get(key).and_then(ValueView::as_length);
            let fits = |n: &i64| (UNIT / 10..=i64::from(width)).contains(n);
            let shape = match (
                wide("octagon").filter(|n| *n <= MAX_SIDE).map(flat).filter(fits),
                wide("circle").filter(fits),
                form.len(),
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
                None => {
                    let expected = "`#{ octagon: WIDTH }` or `#{ circle: WIDTH }`, no wider than the board";
                    self.wrong_value(&name, expected);
                }
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
                self.wrong_value(key, format_args!("a number from {low} to {high}"));
                usual * one
            })
    }

    /// The places: a rectangle of hexagons or squares, a hexagon of hexagons, or what is drawn.
    fn ground(&mut self, map: &ViewMap) -> (Board, MapDrawing) {
        let shapes = present_keys(map, &["map", "hexagon", "hexes", "squares"]);
        if let [one, other, ..] = shapes.collect::<Vec<_>>()[..] {
            self.exclusive_keys(one, other);
        }
        let grid = self.grid(map);
        if map.contains_key("map") {
            return self.drawn(map, grid);
        }
        for key in present_keys(map, &["legend", "edges"]) {
            self.problem(key, problems::misplaced_key(key, "a board with `map`"));
        }
        let before = self.problems.len();
        let board = self.shape(map, grid);
        (board, MapDrawing::broken_if(self.problems.len() > before))
    }

    /// A rectangle of hexagons or squares, or a hexagon of hexagons.
    fn shape(&mut self, map: &ViewMap, grid: Grid) -> Board {
        if map.contains_key("hexagon") {
            let radius = self.number(map, "hexagon", (0, MAX_RADIUS as i64), 0);
            return grid.around(radius as usize);
        }
        let Some(key) = present_keys(map, &["squares", "hexes"]).next() else {
            if ground_keys().all(|key| Self::lacks(map, key, keys::board())) {
                let form = "write `hexes: [columns, rows]`, `squares: [columns, rows]`, `hexagon: radius` or a `map`";
                let problem = problems::missing_part("board()", "shape").hint(form);
                self.problem(DeclarationPart::All, problem);
            }
            return grid.rectangle(1, 1);
        };
        let size = map.get(key).and_then(ValueView::as_list).and_then(counts_of);
        let size = size.unwrap_or_default();
        let fits = 1..=MAX_PLACES;
        match size[..] {
            [columns, rows]
                if fits.contains(&columns) && fits.contains(&rows) && columns * rows <= MAX_PLACES =>
            {
                grid.rectangle(columns, rows)
            }
            _ => {
                let cells = grid.cells();
                let expected =
                    format_args!("`[columns, rows]`, two numbers from 1, at most {MAX_PLACES} {cells}");
                self.wrong_value(key, expected);
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
            self.problem("cells", problems::misplaced_key("cells", "a board with `map`"));
        }
        let grid = match cells.as_deref() {
            _ if map.contains_key("squares") => squares,
            None => Grid::Hexes,
            Some(cells) => {
                let known = [Grid::Hexes, squares].into_iter();
                known.clone().find(|g| g.cells() == cells).unwrap_or_else(|| {
                    self.wrong_word("cells", cells, known.map(Grid::cells));
                    squares
                })
            }
        };
        if grid == Grid::Hexes && map.contains_key("diagonals") {
            self.problem("diagonals", problems::misplaced_key("diagonals", "squares"));
        }
        grid
    }

    /// The board whose lines are drawn, the top one first.
    fn drawn(&mut self, map: &ViewMap, grid: Grid) -> (Board, MapDrawing) {
        let before = self.problems.len();
        let texts = self.texts(map, "map");
        let is_read = self.problems.len() == before;
        let all: Vec<Vec<char>> = texts.iter().map(|l| l.chars().collect()).collect();
        // With edges there is a character between two places, and a line between two rows.
        let apart = if map.contains_key("edges") { 2 } else { 1 };
        let rows = all.iter().step_by(apart);
        let lines: Vec<Vec<char>> = rows.map(|l| l.iter().copied().step_by(apart).collect()).collect();
        let before = self.problems.len();
        let legend = self.legend(map, "legend");
        let edges = self.legend(map, "edges");
        // A broken legend may be the reason for an unknown letter.
        let is_broken = self.problems.len() > before;
        let known: Vec<char> = legend.keys().copied().chain(zone_letters(map)).collect();
        let gaps: Vec<char> = legend
            .iter()
            .filter(|(_, kinds)| kinds.iter().any(|k| k == GAP))
            .map(|(c, _)| *c)
            .collect();
        let is_place = |c: &char| *c != ' ' && !gaps.contains(c);
        let mut wrong: Vec<(usize, Problem)> = Vec::new();
        let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
        // The length that most lines have is the right one.
        let as_long = |long| lines.iter().filter(|line| line.len() == long).count();
        let usual = lines.iter().map(Vec::len).find(|l| 2 * as_long(*l) > lines.len());
        let usual = usual.unwrap_or(columns);
        let (mut unknown, mut odd) = (Vec::new(), Vec::new());
        for (nth, line) in lines.iter().enumerate() {
            let is_known = |c: &char| is_broken || matches!(*c, BARE | ' ') || known.contains(c);
            let strange: BTreeSet<char> = line.iter().copied().filter(|c| !is_known(c)).collect();
            strange
                .into_iter()
                .for_each(|c| note(&mut unknown, c, nth * apart));
            if line.len() != usual {
                note(&mut odd, line.len(), nth * apart);
            }
        }
        let uneven =
            |(length, at): (_, Vec<_>)| (at[0], problems::uneven_lines(lines_of(&at), length, usual));
        wrong.extend(odd.into_iter().map(uneven));
        let unknown = unknown.into_iter();
        wrong.extend(unknown.map(|(c, at)| (at[0], problems::unknown_letter(c, lines_of(&at)))));
        wrong.sort_by_key(|(nth, _)| *nth);
        let has_terrain = legend.values().flatten().any(|kind| kind != GAP);
        if has_terrain && !known.contains(&BARE) && lines.iter().flatten().any(|c| *c == BARE) {
            self.problem("legend", problems::bare_places(BARE));
        }
        let places = lines.iter().flatten().filter(|c| is_place(c)).count();
        if wrong.is_empty() && (places == 0 || places > MAX_PLACES) {
            let expected = format!("1 to {MAX_PLACES} places");
            wrong.push((usize::MAX, problems::wrong_count("`map`", expected, places)));
        }
        if !wrong.is_empty() {
            for (line, problem) in wrong.into_iter().filter(|_| is_read) {
                let part = texts.get(line).map_or(DeclarationPart::Key("map"), |text| {
                    DeclarationPart::Text("map", text)
                });
                self.problem(part, problem);
            }
            return (grid.rectangle(1, 1), MapDrawing::broken_if(true));
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
        let between = match apart {
            1 => Vec::new(),
            _ => self.between(&board, &all, &edges, &texts),
        };
        let drawing = MapDrawing {
            letters,
            legend,
            between,
            edges,
            broken: false,
        };
        (board, drawing)
    }

    /// The characters between places that touch: each stands in the middle between two places.
    fn between(
        &mut self,
        board: &Board,
        lines: &[Vec<char>],
        edges: &BTreeMap<char, Vec<String>>,
        texts: &[String],
    ) -> Vec<([PlaceId; 2], char)> {
        let mut between = Vec::new();
        let mut used = BTreeSet::new();
        for a in board.places() {
            for b in board.neighbours(a).iter().filter(|b| *b > a) {
                let (one, other) = (board.cell(a), board.cell(b));
                let column = one.column + other.column;
                let line = 2 * (board.rows() - 1) - one.row - other.row;
                let letter = lines.get(line).and_then(|line| line.get(column)).copied();
                if let Some(letter) = letter.filter(|c| *c != ' ') {
                    between.push(([a, b], letter));
                    used.insert((line, column));
                }
            }
        }
        for (nth, line) in lines.iter().enumerate() {
            let drawn = line
                .iter()
                .enumerate()
                .filter(|(column, _)| nth % 2 == 1 || column % 2 == 1);
            for (column, letter) in drawn.filter(|(_, letter)| **letter != ' ') {
                let problem = match used.contains(&(nth, column)) {
                    false => problems::misplaced_edge(*letter, nth + 1),
                    true if edges.contains_key(letter) => continue,
                    true => problems::unknown_edge(*letter, nth + 1),
                };
                self.problem(DeclarationPart::Text("map", &texts[nth]), problem);
            }
        }
        between
    }

    /// Reads a legend of a drawn board: kinds of terrain by name, for each character.
    fn legend(&mut self, map: &ViewMap, part: &str) -> BTreeMap<char, Vec<String>> {
        let mut legend = BTreeMap::new();
        let Some(value) = map.get(part) else {
            return legend;
        };
        for (key, value) in self
            .map(part, value.clone(), &format!("`{part}`"))
            .unwrap_or_default()
        {
            let kinds: Vec<String> = match &value {
                ValueView::Text(name) => vec![name.clone()],
                ValueView::List(names) => texts_of(names).unwrap_or_default(),
                _ => Vec::new(),
            };
            let mut letters = key.chars();
            match (letters.next(), letters.next()) {
                (Some(_), None) if kinds.is_empty() => {
                    let expected = format_args!("a terrain, a list of several, or \"{GAP}\"");
                    let what = format_args!("`{key}` in `{part}`");
                    self.problem(part, problems::wrong_value(what, expected));
                }
                (Some(letter), None) if letter != ' ' => {
                    legend.insert(letter, kinds);
                }
                _ => {
                    let what = format_args!("the key `{key}` of `{part}`");
                    let expected = "one character, but not a blank";
                    self.problem(part, problems::wrong_value(what, expected));
                }
            }
        }
        legend
    }
}
