//! Flat-top hexagons with integer coordinates: the board of a game that is played on `hexes`.
//!
//! Columns are straight and named by letters from the left; rows are numbered from the bottom.
//! Every second column (b, d, f, ...) lies half a hexagon lower, so a row is a zigzag.

use super::board::{Board, Cell};
use hexx::{Hex, HexOrientation, OffsetHexMode};

/// The most columns a board can have (they are named by single letters).
pub const MAX_COLUMNS: usize = 26;

/// A rectangle of `columns` by `rows` hexagons.
///
/// Both are at least 1 and together at most [`MAX_PLACES`](super::ids::MAX_PLACES) hexagons;
/// the caller checks that.
pub fn rectangle(columns: usize, rows: usize) -> Board {
    let mut cells = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            cells.push(Cell {
                name: name(column, row),
                column,
                row,
            });
        }
    }
    board(cells, columns, rows)
}

/// Those of a rectangle's hexagons that are there: the columns from the left, the lines from the top. At least
/// one and at most [`MAX_PLACES`](super::ids::MAX_PLACES) are; the caller checks that.
pub fn drawn(columns: usize, lines: usize, is_there: impl Fn(usize, usize) -> bool) -> Board {
    let all = (0..lines).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let there = all.filter(|&(column, row)| is_there(column, lines - 1 - row));
    let cells = there.map(|(column, row)| Cell {
        name: name(column, row),
        column,
        row,
    });
    board(cells.collect(), columns, lines)
}

/// How far from its middle a board of [`around`] can reach: larger ones have too many hexagons.
pub const MAX_RADIUS: usize = 6;

/// A hexagon of hexagons: all those at most `radius` steps from a middle one. At most [`MAX_RADIUS`];
/// the caller checks that.
pub fn around(radius: usize) -> Board {
    let across = 2 * radius + 1;
    let middle = axial(radius, radius, across);
    let all = (0..across).flat_map(|row| (0..across).map(move |column| (column, row)));
    let near = |at: &(usize, usize)| axial(at.0, at.1, across).unsigned_distance_to(middle) <= radius as u32;
    let cells = all.filter(near).map(|(column, row)| Cell {
        name: name(column, row),
        column,
        row,
    });
    board(cells.collect(), across, across)
}

fn board(cells: Vec<Cell>, columns: usize, rows: usize) -> Board {
    let at: Vec<Hex> = cells.iter().map(|c| axial(c.column, c.row, rows)).collect();
    let steps = |a: usize, b: usize| at[a].unsigned_distance_to(at[b]);
    Board::new(cells, columns, rows, 6, steps)
}

/// The readable name of a hexagon, such as `c4`; column and row count from 0.
pub fn name(column: usize, row: usize) -> String {
    let letter = char::from(b'a' + (column % MAX_COLUMNS) as u8);
    format!("{letter}{}", row + 1)
}

/// Axial coordinates. Rows are counted from the bottom for people and from the top for hexx.
fn axial(column: usize, row: usize, rows: usize) -> Hex {
    let from_top = (rows - 1 - row) as i32;
    Hex::from_offset_coordinates(
        [column as i32, from_top],
        OffsetHexMode::Odd,
        HexOrientation::Flat,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(board: &Board, centre: &str, steps: usize) -> Vec<String> {
        let centre = board.place(centre).expect("on the board");
        let mut names: Vec<String> = (board.within(centre, steps)
            - board.within(centre, steps.saturating_sub(1)))
        .map(|p| board.name(p).to_owned())
        .collect();
        names.sort();
        names
    }

    #[test]
    fn a_high_column_touches_the_row_above_in_the_lower_columns() {
        // c lies half a hexagon higher than b and d, so c3 touches b3, b4, d3 and d4.
        let board = rectangle(6, 6);
        assert_eq!(names(&board, "c3", 1), ["b3", "b4", "c2", "c4", "d3", "d4"]);
    }

    #[test]
    fn a_low_column_touches_the_row_below_in_the_higher_columns() {
        let board = rectangle(6, 6);
        assert_eq!(names(&board, "d3", 1), ["c2", "c3", "d2", "d4", "e2", "e3"]);
    }

    #[test]
    fn corners_have_two_or_three_neighbours() {
        let board = rectangle(6, 6);
        assert_eq!(names(&board, "a1", 1), ["a2", "b1", "b2"]);
        assert_eq!(names(&board, "a6", 1), ["a5", "b6"]);
        assert_eq!(names(&board, "f1", 1), ["e1", "f2"]);
        assert_eq!(names(&board, "f6", 1), ["e5", "e6", "f5"]);
    }

    #[test]
    fn a_hexagon_reaches_equally_far_from_its_middle() {
        for radius in 0..=MAX_RADIUS {
            let board = around(radius);
            assert_eq!(board.len(), 3 * radius * (radius + 1) + 1);
            let middle = board.middle().expect("it has places");
            assert_eq!(
                board.places().map(|p| board.distance(middle, p)).max(),
                Some(radius)
            );
            let edge = board.places().filter(|&p| board.is_at_the_edge(p));
            assert_eq!(edge.count(), (6 * radius).max(1));
            for place in board.places() {
                assert_eq!(
                    board.is_at_the_edge(place),
                    board.distance(middle, place) == radius
                );
            }
        }
        assert_eq!(around(6).name(around(6).middle().expect("there")), "g7");
    }

    #[test]
    fn distance_counts_steps_and_is_symmetric() {
        let board = rectangle(6, 6);
        for a in board.places() {
            for b in board.places() {
                assert_eq!(board.distance(a, b), board.distance(b, a));
                assert_eq!(board.distance(a, b) == 0, a == b);
                // The same distance again, by walking neighbour by neighbour.
                let mut reached = super::super::ids::PlaceSet::one(a);
                let mut steps = 0;
                while !reached.contains(b) {
                    for place in reached {
                        reached = reached | board.neighbours(place);
                    }
                    steps += 1;
                }
                assert_eq!(board.distance(a, b), steps);
            }
        }
    }

    #[test]
    fn turning_the_board_half_round_keeps_its_shape() {
        let board = rectangle(6, 6);
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
}
