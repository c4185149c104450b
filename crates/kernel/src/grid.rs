//! Grids: what the cells of a board are, and so how far apart they lie, in which directions they touch, and
//! what outlines they have when they are drawn. Only this part knows it; all others ask.
//!
//! Columns are straight and named by letters from the left, rows are numbered from the bottom. On hexagons,
//! which lie on a flat side, every second column (b, d, f, ...) lies half a hexagon lower: a row is a zigzag.

/// Maximum radius of a board of [`Grid::around`]; larger boards have too many hexagons.
pub const MAX_RADIUS: usize = 36;

/// A way to go from a cell, or one of its sides: so far to the right and so far up or down. What a step is
/// worth, whoever says so tells.
pub type GridStep = (i64, i64);

/// A direction of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direction {
    /// Its name, such as `ne`.
    pub name: &'static str,
    /// To the right and upwards, in the measure of [`Grid::at`].
    pub step: GridStep,
}

const fn to(name: &'static str, right: i64, up: i64) -> Direction {
    Direction {
        name,
        step: (right, up),
    }
}

/// Clockwise, as all directions are.
const SIX: [Direction; 6] = [
    to("n", 0, 2),
    to("ne", 1, 1),
    to("se", 1, -1),
    to("s", 0, -2),
    to("sw", -1, -1),
    to("nw", -1, 1),
];
const EIGHT: [Direction; 8] = [
    to("n", 0, 1),
    to("ne", 1, 1),
    to("e", 1, 0),
    to("se", 1, -1),
    to("s", 0, -1),
    to("sw", -1, -1),
    to("w", -1, 0),
    to("nw", -1, 1),
];
const FOUR: [Direction; 4] = [to("n", 0, 1), to("e", 1, 0), to("s", 0, -1), to("w", -1, 0)];

/// Shape of the cells of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grid {
    /// Hexagons that lie on a flat side, with six neighbours.
    #[default]
    Hexes,
    /// Squares, with four neighbours or, where those at the corners are some too, eight.
    Squares {
        /// Whether squares touch at their corners.
        diagonals: bool,
    },
}

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

/// Rule for a line that runs along the edge between two places or through a corner: it counts as drawn slightly to one
/// side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EdgeRule {
    /// The place to the left, seen from the start of the line.
    Left,
    /// The place to the right.
    Right,
    /// The places on both sides; each of them alone blocks sight.
    Both,
    /// The places on both sides; only both together block sight.
    #[default]
    Either,
}

impl EdgeRule {
    /// The names that scripts use.
    pub const NAMES: [(&'static str, EdgeRule); 4] = [
        ("left", EdgeRule::Left),
        ("right", EdgeRule::Right),
        ("both", EdgeRule::Both),
        ("either", EdgeRule::Either),
    ];
}

impl Grid {
    /// Returns the word for several cells.
    pub fn cells(self) -> &'static str {
        match self {
            Grid::Hexes => "hexagons",
            Grid::Squares { .. } => "squares",
        }
    }

    /// The directions in which cells touch, clockwise from the top.
    pub fn directions(self) -> &'static [Direction] {
        match self {
            Grid::Hexes => &SIX,
            Grid::Squares { diagonals: true } => &EIGHT,
            Grid::Squares { diagonals: false } => &FOUR,
        }
    }

    /// Returns the coordinates of a column and row (both from 0), to the right and upwards; steps in one direction are
    /// the same everywhere.
    pub fn at(self, (column, row): (usize, usize)) -> GridStep {
        let (column, row) = (column as i64, row as i64);
        match self {
            Grid::Hexes => (column, 2 * row - column % 2),
            Grid::Squares { .. } => (column, row),
        }
    }

    /// The column and row that lie there, if any can.
    pub fn cell_at(self, (right, up): GridStep) -> Option<(usize, usize)> {
        let row = match self {
            Grid::Hexes => (up + right.rem_euclid(2)).div_euclid(2),
            Grid::Squares { .. } => up,
        };
        Some((usize::try_from(right).ok()?, usize::try_from(row).ok()?))
    }

    /// The steps between two cells, whatever of the board lies between them.
    pub fn steps(self, a: (usize, usize), b: (usize, usize)) -> u32 {
        let ((ax, ay), (bx, by)) = (self.at(a), self.at(b));
        let (x, y) = ((ax - bx).unsigned_abs(), (ay - by).unsigned_abs());
        let steps = match self {
            Grid::Hexes => x + y.saturating_sub(x) / 2,
            Grid::Squares { diagonals: true } => x.max(y),
            Grid::Squares { diagonals: false } => x + y,
        };
        u32::try_from(steps).unwrap_or(u32::MAX)
    }

    /// The middle of a cell on paper, to the right and downwards from the upper left end of the board: in
    /// halves of the side of a hexagon and halves of its height, or halves of the side of a square.
    pub fn middle(self, cell: &Cell, rows: usize) -> GridStep {
        let from_top = rows.saturating_sub(cell.row + 1) as i64;
        let column = cell.column as i64;
        match self {
            Grid::Hexes => (2 + 3 * column, 1 + 2 * from_top + column % 2),
            Grid::Squares { .. } => (1 + 2 * column, 1 + 2 * from_top),
        }
    }

    /// From a cell's middle to that of the next one in a direction, in the measure of [`Self::middle`].
    pub fn across(self, direction: Direction) -> GridStep {
        let (right, up) = direction.step;
        match self {
            Grid::Hexes => (3 * right, -up),
            Grid::Squares { .. } => (2 * right, -2 * up),
        }
    }

    /// From a cell's middle to its corners, clockwise from the upper left one, in the measure of [`Self::middle`].
    pub fn corners(self) -> &'static [GridStep] {
        match self {
            Grid::Hexes => &[(-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0)],
            Grid::Squares { .. } => &[(-1, -1), (1, -1), (1, 1), (-1, 1)],
        }
    }

    /// Returns the ratio of the downward to the rightward unit of [`Self::middle`], squared.
    pub fn steepness(self) -> i64 {
        match self {
            Grid::Hexes => 3,
            Grid::Squares { .. } => 1,
        }
    }
}

/// The readable name of a cell, such as `c4`; column and row count from 0. Behind `z` columns are `aa`, `ab`
/// and so on.
pub fn name(column: usize, row: usize) -> String {
    let mut letters = Vec::new();
    let mut left = column + 1;
    while left > 0 {
        letters.insert(0, char::from(b'a' + ((left - 1) % 26) as u8));
        left = (left - 1) / 26;
    }
    let letters: String = letters.into_iter().collect();
    format!("{letters}{}", row + 1)
}

impl Grid {
    /// From a cell's middle across each of its sides to the middle of the cell beyond, in the measure of
    /// [`Self::middle`]: top and bottom first, then those at the left before those at the right.
    pub fn sides(self) -> &'static [GridStep] {
        match self {
            Grid::Hexes => &[(0, -2), (0, 2), (-3, -1), (3, -1), (-3, 1), (3, 1)],
            Grid::Squares { .. } => &[(0, -2), (0, 2), (-2, 0), (2, 0)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::ids::{PlaceId, PlaceSet};

    const HEXES: Grid = Grid::Hexes;
    const TOUCHING: Grid = Grid::Squares { diagonals: true };
    const PLAIN: Grid = Grid::Squares { diagonals: false };
    const ALL: [Grid; 3] = [HEXES, TOUCHING, PLAIN];

    fn names(board: &Board, centre: &str) -> Vec<String> {
        let centre = board.place(centre).expect("on the board");
        let near = board.neighbours(centre).into_iter();
        let mut names: Vec<String> = near.map(|p| board.name(p).to_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_high_column_touches_the_row_above_in_the_lower_columns() {
        // c lies half a hexagon higher than b and d, so c3 touches b3, b4, d3 and d4.
        let board = HEXES.rectangle(6, 6);
        assert_eq!(names(&board, "c3"), ["b3", "b4", "c2", "c4", "d3", "d4"]);
    }

    #[test]
    fn a_low_column_touches_the_row_below_in_the_higher_columns() {
        let board = HEXES.rectangle(6, 6);
        assert_eq!(names(&board, "d3"), ["c2", "c3", "d2", "d4", "e2", "e3"]);
    }

    #[test]
    fn corners_of_hexagons_have_two_or_three_neighbours() {
        let board = HEXES.rectangle(6, 6);
        assert_eq!(names(&board, "a1"), ["a2", "b1", "b2"]);
        assert_eq!(names(&board, "a6"), ["a5", "b6"]);
        assert_eq!(names(&board, "f1"), ["e1", "f2"]);
        assert_eq!(names(&board, "f6"), ["e5", "e6", "f5"]);
    }

    #[test]
    fn squares_touch_by_their_sides_and_where_the_game_says_so_at_their_corners() {
        assert_eq!(names(&PLAIN.rectangle(4, 4), "b2"), ["a2", "b1", "b3", "c2"]);
        assert_eq!(names(&PLAIN.rectangle(4, 4), "a4"), ["a3", "b4"]);
        let board = TOUCHING.rectangle(4, 4);
        assert_eq!(
            names(&board, "b2"),
            ["a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3"]
        );
        assert_eq!(names(&board, "d1"), ["c1", "c2", "d2"]);
        let edge: Vec<&str> = (board.places() - board.rim()).map(|p| board.name(p)).collect();
        assert_eq!(edge, ["b2", "c2", "b3", "c3"]);
    }

    #[test]
    fn what_a_board_encloses_is_not_beyond_it() {
        // A hole in the middle, and a bay that leads in from the right.
        let drawn = |grid: Grid, missing: &[(usize, usize)]| {
            grid.drawn(7, 7, |column, line| !missing.contains(&(column, line)))
        };
        for grid in [PLAIN, TOUCHING, HEXES] {
            let whole = grid.rectangle(7, 7).rim().len();
            let hole = drawn(grid, &[(3, 3)]);
            assert_eq!(hole.rim().len(), whole, "{grid:?}");
            let bay = drawn(grid, &[(3, 3), (4, 3), (5, 3), (6, 3)]);
            let beside = bay.place("c4").expect("it is there");
            assert!(
                !hole.rim().contains(beside) && bay.rim().contains(beside),
                "{grid:?}"
            );
            // From one side of a hole one looks to the other.
            let one = || PlaceSet::one(beside);
            let across = hole.place("e4").expect("it is there");
            assert!(!hole.adjacency.around(one()).contains(across));
            assert!(hole.around_with_holes(one()).contains(across), "{grid:?}");
            assert!(
                !bay.around_with_holes(one())
                    .contains(bay.place("e3").expect("it is there"))
            );
        }
    }

    #[test]
    fn a_hexagon_reaches_equally_far_from_its_middle() {
        for radius in (0..=6).chain([MAX_RADIUS]) {
            let board = HEXES.around(radius);
            assert_eq!(board.len(), 3 * radius * (radius + 1) + 1);
            let middle = board.middle().expect("it has places");
            let places = || board.places().into_iter();
            assert_eq!(places().map(|p| board.distance(middle, p)).max(), Some(radius));
            let edge = places().filter(|&p| board.rim().contains(p));
            assert_eq!(edge.count(), (6 * radius).max(1));
            for place in board.places() {
                assert_eq!(
                    board.rim().contains(place),
                    board.distance(middle, place) == radius
                );
            }
        }
        let board = HEXES.around(6);
        assert_eq!(board.name(board.middle().expect("there")), "g7");
    }

    #[test]
    fn distance_counts_steps_and_is_symmetric() {
        for grid in ALL {
            let board = grid.rectangle(6, 6);
            let all: Vec<PlaceId> = board.places().into_iter().collect();
            for (&a, &b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
                assert_eq!(board.distance(a, b), board.distance(b, a));
                assert_eq!(board.distance(a, b) == 0, a == b);
                // The same distance again, by walking neighbour by neighbour.
                let mut reached = PlaceSet::one(a);
                let mut steps = 0;
                while !reached.contains(b) {
                    reached = &reached | board.adjacency.around(reached.clone());
                    steps += 1;
                }
                assert_eq!(board.distance(a, b), steps);
            }
        }
    }

    #[test]
    fn a_step_in_each_direction_leads_to_each_neighbour() {
        for grid in ALL {
            let board = grid.rectangle(5, 5);
            for place in board.places() {
                let cell = board.cell(place);
                let (x, y) = grid.at((cell.column, cell.row));
                assert_eq!(grid.cell_at((x, y)), Some((cell.column, cell.row)));
                let steps = grid.directions().iter().map(|d| (x + d.step.0, y + d.step.1));
                let beside = steps.filter_map(|at| grid.cell_at(at));
                let beside: PlaceSet = beside.filter_map(|(column, row)| board.at(column, row)).collect();
                assert_eq!(&beside, board.neighbours(place), "{grid:?} {}", cell.name);
            }
        }
    }

    #[test]
    fn what_touches_by_a_side_shares_two_corners() {
        for grid in ALL {
            let board = grid.rectangle(4, 4);
            let corners = |p: PlaceId| {
                let (x, y) = grid.middle(board.cell(p), board.rows());
                let corners = grid.corners().iter();
                corners
                    .map(move |c| (x + c.0, y + c.1))
                    .collect::<Vec<GridStep>>()
            };
            for (a, b) in board.places().into_iter().zip(board.places().into_iter().skip(1)) {
                let shared = corners(a).into_iter().filter(|c| corners(b).contains(c)).count();
                let ((ax, ay), (bx, by)) = (grid.middle(board.cell(a), 4), grid.middle(board.cell(b), 4));
                let by_a_side = grid.sides().contains(&(bx - ax, by - ay));
                assert_eq!(
                    shared == 2,
                    by_a_side,
                    "{grid:?} {} {}",
                    board.name(a),
                    board.name(b)
                );
            }
        }
    }

    #[test]
    fn turning_the_board_half_round_keeps_its_shape() {
        let board = HEXES.rectangle(6, 6);
        let turn = |p| {
            let (column, row) = (board.cell(p).column, board.cell(p).row);
            board.place(&name(5 - column, 5 - row)).expect("on the board")
        };
        for a in board.places() {
            for b in board.places() {
                assert_eq!(board.distance(a, b), board.distance(turn(a), turn(b)));
            }
        }
    }

    #[test]
    fn columns_behind_z_have_two_letters() {
        let named = |column| name(column, 0);
        assert_eq!(
            [0, 25, 26, 51, 52, 701, 702].map(named),
            ["a1", "z1", "aa1", "az1", "ba1", "zz1", "aaa1"]
        );
    }
}
