//! A board: named places, which of them touch, and how many steps lie between them.
//!
//! Whatever the ground is made of, rules see places by id; a [`Grid`] builds boards of its cells.

use super::ground::grid::Grid;
use super::ground::lines::Lines;
use super::ids::{FactionId, MAX_FACTIONS, MAX_PLACES, PlaceId, PlaceSet};

/// One place as the board lists it; columns and rows count from 0, rows from the bottom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The readable name, such as `c4`.
    pub name: String,
    /// The column, from the left.
    pub column: usize,
    /// The row, from the bottom.
    pub row: usize,
}

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
    columns: usize,
    rows: usize,
    /// `distance[a * cells + b]`, in steps.
    distance: Vec<u8>,
    /// `within[place * (reach + 1) + steps]`.
    within: Vec<PlaceSet>,
    reach: usize,
    /// The places that touch fewer others than one does that has others all around.
    edge: PlaceSet,
    middle: Option<PlaceId>,
    column_sets: Vec<PlaceSet>,
    row_sets: Vec<PlaceSet>,
    /// What its cells are.
    pub grid: Grid,
    /// What lines along edges and through corners meet.
    pub lines: Lines,
    /// The zones that the game declares.
    pub zones: Vec<Zone>,
}

impl Board {
    /// A board of these cells, at most [`MAX_PLACES`]; `steps(a, b)` is the distance between
    /// two cells by index, symmetric and 0 only for a cell to itself. A place with others all around it
    /// touches `touching` of them.
    pub fn new(
        cells: Vec<Cell>,
        columns: usize,
        rows: usize,
        touching: usize,
        steps: impl Fn(usize, usize) -> u32,
    ) -> Self {
        debug_assert!(cells.len() <= MAX_PLACES);
        let n = cells.len();
        let mut distance = vec![0u8; n * n];
        for a in 0..n {
            for b in 0..n {
                distance[a * n + b] = steps(a, b).min(u8::MAX as u32) as u8;
            }
        }
        let farthest = |a: &usize| distance[a * n..(a + 1) * n].iter().max();
        let middle = (0..n).min_by_key(farthest).map(|a| PlaceId(a as u8));
        let reach = distance.iter().copied().max().unwrap_or(0) as usize;
        let mut within = vec![PlaceSet::EMPTY; n * (reach + 1)];
        let mut column_sets = vec![PlaceSet::EMPTY; columns];
        let mut row_sets = vec![PlaceSet::EMPTY; rows];
        for (a, cell) in cells.iter().enumerate() {
            column_sets[cell.column].insert(PlaceId(a as u8));
            row_sets[cell.row].insert(PlaceId(a as u8));
            for steps in 0..=reach {
                within[a * (reach + 1) + steps] = (0..n)
                    .filter(|b| distance[a * n + b] as usize <= steps)
                    .map(|b| PlaceId(b as u8))
                    .collect();
            }
        }
        let few = |a: &usize| distance[a * n..(a + 1) * n].iter().filter(|d| **d == 1).count() < touching;
        let edge = (0..n).filter(few).map(|a| PlaceId(a as u8)).collect();
        Self {
            cells,
            columns,
            rows,
            distance,
            within,
            reach,
            edge,
            middle,
            column_sets,
            row_sets,
            grid: Grid::default(),
            lines: Lines::default(),
            zones: Vec::new(),
        }
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether the board has no place at all.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Every place.
    pub fn places(&self) -> PlaceSet {
        (0..self.len()).map(|p| PlaceId(p as u8)).collect()
    }

    /// The place as the board lists it.
    #[inline]
    pub fn cell(&self, place: PlaceId) -> &Cell {
        &self.cells[place.index()]
    }

    /// The readable name of a place.
    pub fn name(&self, place: PlaceId) -> &str {
        self.cells.get(place.index()).map_or("nowhere", |c| &c.name)
    }

    /// The place of that name.
    pub fn place(&self, name: &str) -> Option<PlaceId> {
        let index = self.cells.iter().position(|c| c.name == name)?;
        Some(PlaceId(index as u8))
    }

    /// The place in that column and row, both from 0.
    pub fn at(&self, column: usize, row: usize) -> Option<PlaceId> {
        // Cells come row by row.
        let at = |c: &Cell| (c.row, c.column);
        let index = self.cells.binary_search_by_key(&(row, column), at).ok()?;
        Some(PlaceId(index as u8))
    }

    /// The steps between two places.
    #[inline]
    pub fn distance(&self, a: PlaceId, b: PlaceId) -> usize {
        self.distance[a.index() * self.len() + b.index()] as usize
    }

    /// The places at most `steps` away, the place itself with them.
    #[inline]
    pub fn within(&self, place: PlaceId, steps: usize) -> PlaceSet {
        self.within[place.index() * (self.reach + 1) + steps.min(self.reach)]
    }

    /// The places that touch this one.
    #[inline]
    pub fn neighbours(&self, place: PlaceId) -> PlaceSet {
        self.within(place, 1) - PlaceSet::one(place)
    }

    /// Whether a place touches what lies beyond the board.
    #[inline]
    pub fn is_at_the_edge(&self, place: PlaceId) -> bool {
        self.edge.contains(place)
    }

    /// The places that touch what lies beyond the board.
    #[inline]
    pub fn edge(&self) -> PlaceSet {
        self.edge
    }

    /// The places that touch any of these; some of these may be among them.
    #[inline]
    pub fn around(&self, places: PlaceSet) -> PlaceSet {
        places.fold(PlaceSet::EMPTY, |all, p| all | self.neighbours(p))
    }

    /// The place with the shortest way to the farthest other one; of several, the first.
    pub fn middle(&self) -> Option<PlaceId> {
        self.middle
    }

    /// The places of a column, from 0; empty off the board.
    pub fn column(&self, column: usize) -> PlaceSet {
        self.column_sets.get(column).copied().unwrap_or_default()
    }

    /// The places of a row, from 0 at the bottom; empty off the board.
    pub fn row(&self, row: usize) -> PlaceSet {
        self.row_sets.get(row).copied().unwrap_or_default()
    }

    /// A faction's places in a zone, by the zone's index.
    #[inline]
    pub fn zone(&self, zone: usize, faction: FactionId) -> PlaceSet {
        self.zones[zone].places[faction.index()]
    }
}
