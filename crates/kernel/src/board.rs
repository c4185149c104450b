//! A board: named places, which of them touch, and how many steps lie between them.
//!
//! Whatever the ground is made of, rules see places by id; a [`Grid`] builds boards of its cells.

use super::adjacency::Adjacency;
use super::grid::{Cell, Direction, EdgeRule, Grid, GridStep, name};
use super::ids::{FactionId, MAX_FACTIONS, MAX_PLACES, PlaceId, PlaceSet};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A named set of places: of each faction its own, such as its home half, or one for all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone {
    /// The name that scripts use as a property of a faction.
    pub name: String,
    /// The places, by faction.
    pub places: [PlaceSet; MAX_FACTIONS],
    /// Whether it is nobody's own: the same places for each.
    pub shared: bool,
}

/// The places of a game and the steps between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    cells: Vec<Cell>,
    by_name: HashMap<String, PlaceId>,
    columns: usize,
    rows: usize,
    /// `distance[a * cells + b]`, in steps.
    distance: Vec<u16>,
    /// `within[place * (reach + 1) + steps]`; empty on a large board, where it is found when asked for.
    within: Vec<PlaceSet>,
    /// The places that touch by the shape of the board.
    pub adjacency: Arc<Adjacency>,
    /// The edges between places that touch, in their order; none in a game that lays nothing on them.
    edges: Vec<Edge>,
    reach: usize,
    all: PlaceSet,
    /// The places that touch what lies beyond the board.
    rim: PlaceSet,
    /// The places around each hole that is no place and that places enclose.
    holes: Vec<PlaceSet>,
    middle: Option<PlaceId>,
    /// `at[row * columns + column]`.
    at: Vec<Option<PlaceId>>,
    column_sets: Vec<PlaceSet>,
    row_sets: Vec<PlaceSet>,
    /// Shape of the cells.
    pub grid: Grid,
    /// The board's own directions, in place of those of its grid.
    pub(super) course: Option<Course>,
    /// Rule for lines that run along edges or through corners.
    pub lines: EdgeRule,
    /// The zones that the game declares.
    pub zones: Vec<Zone>,
}

/// An edge between two places that touch. Its id is a [`PlaceId`] above those of all places: terrain, events and records
/// name both alike.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edge {
    /// The two places, the lower one first.
    ends: [PlaceId; 2],
    /// The names of both with a bar between: `c4|c5`.
    name: String,
}

/// Directions that lead along the places of a board, wherever those are drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Course {
    pub(super) directions: &'static [Direction],
    /// `next[direction][place]`: the place beside it in that direction.
    pub(super) next: Vec<Vec<Option<PlaceId>>>,
}

/// On a board of so many places sets by distance are kept ready; they would fill the memory on larger ones.
const KEPT: usize = 128;

impl Grid {
    /// A rectangle of so many columns and rows, both at least 1; the caller bounds them.
    pub fn rectangle(self, columns: usize, rows: usize) -> Board {
        self.drawn(columns, rows, |_, _| true)
    }

    /// Those of a rectangle's cells that are there: the columns from the left, the lines from the top.
    pub fn drawn(self, columns: usize, lines: usize, is_there: impl Fn(usize, usize) -> bool) -> Board {
        self.board(columns, lines, |column, row| is_there(column, lines - 1 - row))
    }

    /// All cells at most `radius` steps from a middle one; at most [`MAX_RADIUS`], which the caller checks.
    pub fn around(self, radius: usize) -> Board {
        let across = 2 * radius + 1;
        let near = |column, row| self.steps((radius, radius), (column, row)) <= radius as u32;
        self.board(across, across, near)
    }

    fn board(self, columns: usize, rows: usize, is_there: impl Fn(usize, usize) -> bool) -> Board {
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let cells = all.filter(|&(column, row)| is_there(column, row));
        let cells: Vec<Cell> = cells
            .map(|(column, row)| Cell {
                name: name(column, row),
                column,
                row,
            })
            .collect();
        let at: Vec<(usize, usize)> = cells.iter().map(|c| (c.column, c.row)).collect();
        let steps = |a: usize, b: usize| self.steps(at[a], at[b]);
        let mut board = Board::new(cells, columns, rows, steps);
        board.grid = self;
        (board.rim, board.holes) = self.rim_and_holes(&at, (columns as i64, rows as i64));
        board
    }

    /// Those of the cells that touch what lies beyond the board: past its rectangle, or where one comes from there over
    /// cells that are missing. And those around each hole that cells enclose.
    fn rim_and_holes(
        self,
        cells: &[(usize, usize)],
        (columns, rows): (i64, i64),
    ) -> (PlaceSet, Vec<PlaceSet>) {
        let there: HashMap<GridStep, usize> = (0..).zip(cells).map(|(n, cell)| (self.at(*cell), n)).collect();
        let within =
            |(right, up): GridStep| (-2..columns + 2).contains(&right) && (-4..2 * rows + 4).contains(&up);
        let mut known: HashSet<GridStep> = HashSet::new();
        let beside = |start: GridStep, known: &mut HashSet<GridStep>| {
            let (mut new, mut beside) = (vec![start], PlaceSet::EMPTY);
            known.insert(start);
            while let Some((right, up)) = new.pop() {
                for direction in self.directions() {
                    let next = (right + direction.step.0, up + direction.step.1);
                    match there.get(&next) {
                        Some(place) => beside.insert(PlaceId::new(*place)),
                        None if within(next) && known.insert(next) => new.push(next),
                        None => {}
                    }
                }
            }
            beside
        };
        // Below the lower left corner, in a column that is as high as the first.
        let rim = beside((-2, -2), &mut known);
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (column as usize, row as usize)));
        let missing = all
            .map(|cell| self.at(cell))
            .filter(|step| !there.contains_key(step));
        let mut holes = Vec::new();
        for step in missing {
            if !known.contains(&step) {
                holes.push(beside(step, &mut known));
            }
        }
        (rim, holes)
    }
}

impl Board {
    /// A board of these cells, at most [`MAX_PLACES`]; `steps(a, b)` is the distance between
    /// two cells by index, symmetric and 0 only for a cell to itself. Nothing lies beyond it.
    pub fn new(cells: Vec<Cell>, columns: usize, rows: usize, steps: impl Fn(usize, usize) -> u32) -> Self {
        debug_assert!(cells.len() <= MAX_PLACES);
        let n = cells.len();
        let mut distance = vec![0; n * n];
        for a in 0..n {
            for b in 0..n {
                distance[a * n + b] = steps(a, b).min(u16::MAX.into()) as u16;
            }
        }
        let row = |a: usize| &distance[a * n..(a + 1) * n];
        let far = |a: usize| row(a).iter().map(|steps| u32::from(*steps));
        let middle = (0..n).min_by_key(|&a| (far(a).max(), far(a).sum::<u32>()));
        let middle = middle.map(PlaceId::new);
        let reach = distance.iter().copied().max().unwrap_or(0) as usize;
        let near = |a: usize, steps: usize| -> PlaceSet { within(row(a), steps).collect() };
        let mut column_sets = vec![PlaceSet::EMPTY; columns];
        let mut row_sets = vec![PlaceSet::EMPTY; rows];
        let mut at = vec![None; columns * rows];
        for (a, cell) in cells.iter().enumerate() {
            at[cell.row * columns + cell.column] = Some(PlaceId::new(a));
            column_sets[cell.column].insert(PlaceId::new(a));
            row_sets[cell.row].insert(PlaceId::new(a));
        }
        let stored = if n <= KEPT { n } else { 0 };
        let all_steps = (0..stored).flat_map(|a| (0..=reach).map(move |steps| (a, steps)));
        let neighbours: Vec<PlaceSet> = (0..n)
            .map(|a| near(a, 1) - PlaceSet::one(PlaceId::new(a)))
            .collect();
        let names = cells.iter().map(|cell| cell.name.clone());
        Self {
            by_name: names.zip((0..n).map(PlaceId::new)).rev().collect(),
            columns,
            rows,
            within: all_steps.map(|(a, steps)| near(a, steps)).collect(),
            reach,
            all: (0..n).map(PlaceId::new).collect(),
            rim: PlaceSet::EMPTY,
            holes: Vec::new(),
            adjacency: Arc::new(Adjacency::new(neighbours)),
            edges: Vec::new(),
            middle,
            at,
            column_sets,
            row_sets,
            grid: Grid::default(),
            course: None,
            lines: EdgeRule::default(),
            zones: Vec::new(),
            cells,
            distance,
        }
    }

    /// Gives the board directions of its own, in place of those of its grid: `next(direction, place)` is the place beside
    /// one, by index. Places that have none in some direction are the rim.
    #[must_use]
    pub fn with_course(
        mut self,
        directions: &'static [Direction],
        next: impl Fn(usize, usize) -> Option<usize>,
    ) -> Self {
        let beside = |direction: usize| {
            (0..self.len())
                .map(|p| next(direction, p).map(PlaceId::new))
                .collect()
        };
        let next: Vec<Vec<Option<PlaceId>>> = (0..directions.len()).map(beside).collect();
        let ends = |p: &PlaceId| next.iter().any(|beside| beside[p.index()].is_none());
        self.rim = self.all.iter().filter(ends).collect();
        self.course = Some(Course { directions, next });
        self
    }

    /// Returns the number of places.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether the board has no place at all.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Whether the board has directions of its own: its columns and rows are only where its places are drawn.
    pub fn has_course(&self) -> bool {
        self.course.is_some()
    }

    /// Returns the number of steps of the longest line in a direction, at most.
    pub fn longest_line(&self) -> usize {
        match self.course {
            Some(_) => self.len(),
            None => self.columns.max(self.rows),
        }
    }

    /// Every place.
    pub fn places(&self) -> &PlaceSet {
        &self.all
    }

    /// The place as the board lists it.
    #[inline]
    pub fn cell(&self, place: PlaceId) -> &Cell {
        &self.cells[place.index()]
    }

    /// The readable name of a place or an edge.
    pub fn name(&self, place: PlaceId) -> &str {
        match (self.cells.get(place.index()), self.edge(place)) {
            (Some(cell), _) => &cell.name,
            (None, Some(edge)) => &edge.name,
            (None, None) => "nowhere",
        }
    }

    /// The place of that name.
    pub fn place(&self, name: &str) -> Option<PlaceId> {
        self.by_name.get(name).copied()
    }

    /// The place of that name, or the edge, whose two places may stand in any order: `c4|c5`.
    pub fn place_or_edge(&self, name: &str) -> Option<PlaceId> {
        match name.split_once('|') {
            Some((a, b)) => self.edge_between(self.place(a)?, self.place(b)?),
            None => self.place(name),
        }
    }

    /// Gives an id to each edge between places that touch.
    #[must_use]
    pub fn with_edges(mut self) -> Self {
        for a in &self.all {
            for b in self.neighbours(a).iter().filter(|b| *b > a) {
                let name = format!("{}|{}", self.name(a), self.name(b));
                self.edges.push(Edge { ends: [a, b], name });
            }
        }
        self
    }

    /// The edges, if the game lays something on them.
    pub fn edges(&self) -> impl Iterator<Item = PlaceId> + use<> {
        (self.len()..self.len() + self.edges.len()).map(PlaceId::new)
    }

    fn edge(&self, place: PlaceId) -> Option<&Edge> {
        self.edges.get(place.index().checked_sub(self.len())?)
    }

    /// The two places that an edge separates, the lower one first; `None` for a place.
    pub fn ends(&self, edge: PlaceId) -> Option<[PlaceId; 2]> {
        Some(self.edge(edge)?.ends)
    }

    /// The edge between two places; `None` if they do not touch.
    pub fn edge_between(&self, a: PlaceId, b: PlaceId) -> Option<PlaceId> {
        let ends = [a.min(b), a.max(b)];
        let index = self.edges.binary_search_by_key(&ends, |edge| edge.ends).ok()?;
        Some(PlaceId::new(self.len() + index))
    }

    /// The place in that column and row, both from 0.
    pub fn at(&self, column: usize, row: usize) -> Option<PlaceId> {
        let index = (column < self.columns).then_some(row * self.columns + column)?;
        self.at.get(index).copied().flatten()
    }

    /// The steps between two places.
    #[inline]
    pub fn distance(&self, a: PlaceId, b: PlaceId) -> usize {
        self.distance[a.index() * self.len() + b.index()] as usize
    }

    /// The places at most `steps` away, the place itself with them.
    #[inline]
    pub fn within(&self, place: PlaceId, steps: usize) -> PlaceSet {
        match self
            .within
            .get(place.index() * (self.reach + 1) + steps.min(self.reach))
        {
            Some(stored) => stored.clone(),
            None if steps == 1 => self.neighbours(place) | PlaceSet::one(place),
            None => within(&self.distance[place.index() * self.len()..][..self.len()], steps).collect(),
        }
    }

    /// The places that touch this one by the shape of the board.
    #[inline]
    pub fn neighbours(&self, place: PlaceId) -> &PlaceSet {
        self.adjacency.neighbours(place)
    }

    /// The places that touch what lies beyond the board.
    #[inline]
    pub fn rim(&self) -> &PlaceSet {
        &self.rim
    }

    /// The places in the corners of a rectangle or a hexagon; none on a board of another shape.
    pub fn corners(&self) -> PlaceSet {
        let ends = |column: usize| {
            let mut rows = (0..self.rows).filter_map(move |row| self.at(column, row));
            let first = rows.next();
            first.into_iter().chain(rows.next_back())
        };
        let (last, top) = (self.columns.saturating_sub(1), self.rows.saturating_sub(1));
        let outer: PlaceSet = [(0, 0), (last, 0), (0, top), (last, top)]
            .into_iter()
            .filter_map(|(column, row)| self.at(column, row))
            .collect();
        let is_rectangle = self.len() == self.columns * self.rows;
        let reach = self.columns / 2;
        let is_hexagon = self.grid == Grid::Hexes
            && self.len() == 3 * reach * (reach + 1) + 1
            && self
                .middle
                .is_some_and(|middle| self.within(middle, reach) == self.all);
        match (is_rectangle, is_hexagon) {
            _ if self.course.is_some() => PlaceSet::EMPTY,
            (true, _) => outer,
            (_, true) => [0, reach, last].into_iter().flat_map(ends).collect(),
            _ => PlaceSet::EMPTY,
        }
    }

    /// The places that touch any of these, and those that lie around the same hole.
    pub fn around_with_holes(&self, places: PlaceSet) -> PlaceSet {
        let beside = self.holes.iter().filter(|hole| !(*hole & &places).is_empty());
        let beside = beside.fold(PlaceSet::EMPTY, |all, hole| all | hole);
        beside | self.adjacency.around(places)
    }

    /// The place with the shortest way to the farthest other one; of several the one that all others are nearest to together,
    /// then the first.
    pub fn middle(&self) -> Option<PlaceId> {
        self.middle
    }

    /// The places of a column, from 0; empty off the board.
    pub fn column(&self, column: usize) -> PlaceSet {
        self.column_sets.get(column).cloned().unwrap_or_default()
    }

    /// The places of a row, from 0 at the bottom; empty off the board.
    pub fn row(&self, row: usize) -> PlaceSet {
        self.row_sets.get(row).cloned().unwrap_or_default()
    }

    /// A faction's places in a zone, by the zone's index.
    #[inline]
    pub fn zone(&self, zone: usize, faction: FactionId) -> &PlaceSet {
        &self.zones[zone].places[faction.index()]
    }
}

/// The places at most so many steps away, given how far each is.
fn within(distance: &[u16], steps: usize) -> impl Iterator<Item = PlaceId> {
    let near = distance
        .iter()
        .enumerate()
        .filter(move |(_, d)| usize::from(**d) <= steps);
    near.map(|(b, _)| PlaceId::new(b))
}
