//! A track: numbered spaces, one after another, for races and for movement from point to point.

use crate::kernel::board::Board;
use crate::kernel::declared_key::DeclaredKey;
use crate::kernel::grid::{Cell, Direction, Grid};
use crate::kernel::ground::{BoardAndGround, Declaration, GroundKind, Places};
use crate::kernel::keys;
use std::sync::Arc;

/// The keys of `board()` that declare a track.
pub const KIND: GroundKind = GroundKind { keys: KEYS, read };

keys! {
    KEYS "Keys of a track.":
    /// A track, in place of a board: spaces in a line, named `1`, `2`, `3` and so on. Its directions are `ahead`, to the
    /// next number, and `back`. Boards and pictures draw it in rows.
    /// - takes: number of spaces, from 2 to 1000
    /// - error: the number is not in this range, or there is another board too
    /// - `track: 30`
    "track";
    /// Whether the last space of the track leads to the first one; false if left out.
    /// - takes: true or false
    /// - error: the board has no `track`
    /// - `track: 30, circuit: true`
    "circuit";
}

/// Most spaces of a track.
const MOST: i64 = 1_000;

/// Spaces in a row of the drawing.
const WIDE: usize = 10;

const DIRECTIONS: [Direction; 2] = [
    Direction {
        name: "ahead",
        step: (1, 0),
    },
    Direction {
        name: "back",
        step: (-1, 0),
    },
];

fn read(declared: &mut dyn Declaration) -> BoardAndGround {
    let spaces = declared.number("track", 2..=MOST, 2) as usize;
    (track(spaces, declared.flag("circuit")), Arc::new(Places))
}

/// Returns a track with a number of spaces; the last one of a circuit leads to the first one.
pub fn track(spaces: usize, circuit: bool) -> Board {
    let columns = spaces.min(WIDE);
    let rows = spaces.div_ceil(WIDE);
    let cell = |space: usize| Cell {
        name: (space + 1).to_string(),
        column: space % WIDE,
        row: rows - 1 - space / WIDE,
    };
    let steps = |a: usize, b: usize| {
        let straight = a.abs_diff(b);
        let steps = if circuit {
            straight.min(spaces - straight)
        } else {
            straight
        };
        steps as u32
    };
    let mut board = Board::new((0..spaces).map(cell).collect(), columns, rows, steps);
    board.grid = Grid::Squares { diagonals: false };
    board.with_course(&DIRECTIONS, |direction, space| match direction {
        0 if space + 1 < spaces => Some(space + 1),
        0 => circuit.then_some(0),
        _ if space > 0 => Some(space - 1),
        _ => circuit.then_some(spaces - 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::ids::{PlaceId, PlaceSet};

    fn space(board: &Board, name: &str) -> PlaceId {
        board.place(name).expect("a space of the track")
    }

    fn names(board: &Board, places: PlaceSet) -> Vec<&str> {
        places.map(|p| board.name(p)).collect()
    }

    fn ahead<'b>(board: &'b Board, from: &str, direction: &str, steps: usize) -> Option<&'b str> {
        let direction = board.direction_named(direction).expect("a direction");
        let found = board.ahead(space(board, from), direction, steps);
        found.map(|place| board.name(place))
    }

    #[test]
    fn a_line_ends_at_its_first_and_last_space() {
        let board = track(30, false);
        let near = |name| names(&board, board.neighbours(space(&board, name)).clone());
        assert_eq!(near("1"), ["2"]);
        assert_eq!(near("10"), ["9", "11"]);
        assert_eq!(near("30"), ["29"]);
        assert_eq!(board.distance(space(&board, "1"), space(&board, "30")), 29);
        assert_eq!(names(&board, board.rim().clone()), ["1", "30"]);
        assert!(board.corners().is_empty());
        assert_eq!(ahead(&board, "8", "ahead", 5), Some("13"));
        assert_eq!(ahead(&board, "8", "back", 7), Some("1"));
        assert_eq!(ahead(&board, "8", "back", 8), None);
        assert_eq!(ahead(&board, "28", "ahead", 3), None);
        assert_eq!(ahead(&board, "28", "ahead", 0), Some("28"));
    }

    #[test]
    fn a_circuit_leads_from_its_last_space_to_its_first() {
        let board = track(30, true);
        let near = |name| names(&board, board.neighbours(space(&board, name)).clone());
        assert_eq!(near("1"), ["2", "30"]);
        assert_eq!(board.distance(space(&board, "2"), space(&board, "29")), 3);
        assert_eq!(board.distance(space(&board, "1"), space(&board, "16")), 15);
        assert!(board.rim().is_empty());
        assert_eq!(ahead(&board, "28", "ahead", 3), Some("1"));
        assert_eq!(ahead(&board, "28", "ahead", 63), Some("1"));
        assert_eq!(ahead(&board, "1", "back", 1), Some("30"));
        let ray = board.ray(space(&board, "29"), 0, 100);
        assert_eq!(ray.len(), 29, "every space but the one itself");
    }

    #[test]
    fn a_direction_leads_the_shorter_way_and_a_line_follows_it() {
        let line = track(30, false);
        let circuit = track(30, true);
        let direction = |board: &Board, from, to| {
            let direction = board.direction(space(board, from), space(board, to))?;
            Some(board.directions()[direction].name)
        };
        assert_eq!(direction(&line, "2", "29"), Some("ahead"));
        assert_eq!(direction(&circuit, "2", "29"), Some("back"));
        assert_eq!(direction(&circuit, "5", "5"), None);
        let met = |board: &Board, from, to| {
            let sight = board.sight(space(board, from), space(board, to)).places();
            sight.map(|p| board.name(p).to_owned()).collect::<Vec<String>>()
        };
        assert_eq!(met(&line, "9", "13"), ["10", "11", "12"]);
        assert_eq!(met(&circuit, "2", "29"), ["1", "30"]);
    }

    #[test]
    fn every_size_has_steps_that_agree_with_its_neighbours() {
        for (spaces, circuit) in [
            (2, false),
            (2, true),
            (3, true),
            (9, true),
            (25, false),
            (25, true),
        ] {
            let board = track(spaces, circuit);
            for (a, b) in board
                .places()
                .iter()
                .flat_map(|a| board.places().iter().map(move |b| (a, b)))
            {
                assert_eq!(board.distance(a, b) == 1, board.neighbours(a).contains(b));
                let ways = (0..2).filter_map(|d| (0..spaces).find(|n| board.ahead(a, d, *n) == Some(b)));
                assert_eq!(ways.min(), Some(board.distance(a, b)), "{spaces} {circuit}");
            }
        }
    }
}
