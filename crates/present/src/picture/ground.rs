//! Positions of a board's cells on the paper, and of the units in them.
//!
//! Lengths are in picture units: one is one pixel at scale 1. `x` grows to the right, `y` downwards.
//! What cells look like their grid says; here are its measures. All others see outlines.

use crate::kernel::board::Board;
use crate::kernel::grid::{Direction, Grid, GridStep};
use crate::kernel::ids::{PlaceId, PlaceSet};

/// The room that a unit takes at full size, its badge with it.
pub const TOKEN: (f64, f64) = (37.0, 33.0);

/// A point on the paper.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize)]
pub struct PaperPoint {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl PaperPoint {
    /// A point, to a hundredth.
    pub fn new(x: f64, y: f64) -> Self {
        let round = |v: f64| (v * 100.0).round() / 100.0;
        Self {
            x: round(x),
            y: round(y),
        }
    }

    /// The point this far from here.
    pub fn plus(self, x: f64, y: f64) -> Self {
        Self::new(self.x + x, self.y + y)
    }

    /// Returns the distance to another point.
    pub fn distance(self, other: PaperPoint) -> f64 {
        ((self.x - other.x).powi(2) + (self.y - other.y).powi(2)).sqrt()
    }

    /// The point that lies `part` (0 to 1) of the way to another.
    pub fn towards(self, other: PaperPoint, part: f64) -> Self {
        Self::new(
            self.x + (other.x - self.x) * part,
            self.y + (other.y - self.y) * part,
        )
    }
}

/// Shape and position of a place.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceOutline {
    /// The middle.
    pub centre: PaperPoint,
    /// The corners, clockwise.
    pub outline: Vec<PaperPoint>,
}

/// Returns the shape and position of each place of a board, by id, and the size of the whole (width, height) from (0,
/// 0).
pub fn spots(board: &Board) -> (Vec<PlaceOutline>, (f64, f64)) {
    let spots: Vec<PlaceOutline> = board.places().into_iter().map(|p| spot(board, p)).collect();
    let corners = || spots.iter().flat_map(|s| &s.outline);
    let width = corners().map(|p| p.x).fold(0.0, f64::max);
    let height = corners().map(|p| p.y).fold(0.0, f64::max);
    (spots, (width, height))
}

/// Moves all spots so that those of `seen`, with so much room `beside` them, begin at (0, 0); the size
/// (width, height) of the part of the paper that they take with it.
pub fn crop(spots: &mut [PlaceOutline], visible: PlaceSet, beside: f64) -> (f64, f64) {
    let corners = |spots: &[PlaceOutline]| -> Vec<PaperPoint> {
        let visible = visible.iter().filter_map(|p| spots.get(p.index()));
        visible.flat_map(|s| s.outline.clone()).collect()
    };
    let least = |of: fn(&PaperPoint) -> f64, spots: &[PlaceOutline]| {
        corners(spots).iter().map(of).reduce(f64::min).unwrap_or(0.0)
    };
    let (x, y) = (least(|p| p.x, spots) - beside, least(|p| p.y, spots) - beside);
    for spot in spots.iter_mut().filter(|_| x != 0.0 || y != 0.0) {
        spot.centre = spot.centre.plus(-x, -y);
        for corner in &mut spot.outline {
            *corner = corner.plus(-x, -y);
        }
    }
    let most = |of: fn(&PaperPoint) -> f64| corners(spots).iter().map(of).fold(0.0, f64::max);
    (most(|p| p.x) + beside, most(|p| p.y) + beside)
}

/// Returns the measure of [`Grid::middle`] in picture units, to the right and downwards: a hexagon's side is 60 units,
/// and half its height is 60 times half the root of three; a square's side is 104.
fn measure(grid: Grid) -> (f64, f64) {
    match grid {
        Grid::Hexes => (30.0, 51.96),
        Grid::Squares { .. } => (52.0, 52.0),
    }
}

/// The side of a cell across which one comes to a neighbour, as [`Grid::across`] has it.
pub fn side_towards(grid: Grid, spot: &PlaceOutline, (right, down): GridStep) -> (PaperPoint, PaperPoint) {
    let (wide, high) = measure(grid);
    let beyond = spot.centre.plus(right as f64 * wide, down as f64 * high);
    let corners = spot.outline.len();
    let side = |i: usize| (spot.outline[i], spot.outline[(i + 1) % corners]);
    let far = |(a, b): (PaperPoint, PaperPoint)| a.towards(b, 0.5).distance(beyond);
    (1..corners).map(side).fold(
        side(0),
        |best, next| if far(next) < far(best) { next } else { best },
    )
}

/// A direction on paper: to the right and downwards, of length 1.
pub fn pointing(grid: Grid, direction: Direction) -> PaperPoint {
    let (wide, high) = measure(grid);
    let (right, down) = grid.across(direction);
    let (x, y) = (right as f64 * wide, down as f64 * high);
    let length = (x * x + y * y).sqrt();
    PaperPoint::new(x / length, y / length)
}

/// Returns the position of a place and its outline.
fn spot(board: &Board, place: PlaceId) -> PlaceOutline {
    let grid = board.grid;
    let (wide, high) = measure(grid);
    let (x, y) = grid.middle(board.cell(place), board.rows());
    let centre = PaperPoint::new(x as f64 * wide, y as f64 * high);
    let corners = grid.corners().iter();
    let outline = corners.map(|&(x, y)| centre.plus(x as f64 * wide, y as f64 * high));
    PlaceOutline {
        centre,
        outline: outline.collect(),
    }
}

/// The side that two cells with these outlines share, if they share one.
pub fn shared_side(a: &[PaperPoint], b: &[PaperPoint]) -> Option<(PaperPoint, PaperPoint)> {
    shared_edge(a, b).filter(|(from, to)| from != to)
}

/// The same; of cells that share a corner alone, that corner twice.
pub fn shared_edge(a: &[PaperPoint], b: &[PaperPoint]) -> Option<(PaperPoint, PaperPoint)> {
    let mut shared = a.iter().filter(|p| b.iter().any(|q| p.distance(*q) < 1.0));
    let first = *shared.next()?;
    Some((first, *shared.next().unwrap_or(&first)))
}

/// Returns the width of a cell at a height: from its left side to its right one there.
fn width_at(spot: &PlaceOutline, y: f64) -> f64 {
    let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
    for (index, a) in spot.outline.iter().enumerate() {
        let b = spot.outline[(index + 1) % spot.outline.len()];
        if (a.y - y) * (b.y - y) > 0.0 || a.y == b.y {
            continue;
        }
        let x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
        left = left.min(x);
        right = right.max(x);
    }
    (right - left).max(0.0)
}

/// Returns the points at which units stand in a cell, and the size at which they are drawn there (1 is full size):
/// `groups` says how many there are of each faction, the uppermost first. Each faction has rows of its own where that
/// does not make them much smaller.
pub fn stand(spot: &PlaceOutline, groups: &[usize]) -> (Vec<PaperPoint>, f64) {
    let total: usize = groups.iter().sum();
    let mut best: Option<(f64, Vec<usize>)> = None;
    for columns in 1..=total {
        let rows_of = |n: usize| {
            let rows = n.div_ceil(columns);
            (0..rows).map(move |r| (n - r * columns).min(columns))
        };
        let apart: Vec<usize> = groups.iter().flat_map(|n| rows_of(*n)).collect();
        let mixed: Vec<usize> = rows_of(total).collect();
        for (rows, handicap) in [(apart, 1.0), (mixed, 0.8)] {
            let size = size_of(spot, &rows) * handicap;
            if best.as_ref().is_none_or(|(s, _)| size > *s + 0.001) {
                best = Some((size, rows));
            }
        }
    }
    let Some((_, rows)) = best else {
        return (Vec::new(), 1.0);
    };
    let size = size_of(spot, &rows);
    let (width, height) = (TOKEN.0 * size, TOKEN.1 * size);
    let top = middle(spot) - height * rows.len() as f64 / 2.0;
    let mut points = Vec::with_capacity(total);
    for (row, count) in rows.iter().enumerate() {
        let y = top + height * (row as f64 + 0.5);
        let left = spot.centre.x - width * *count as f64 / 2.0;
        points.extend((0..*count).map(|n| PaperPoint::new(left + width * (n as f64 + 0.5), y)));
    }
    (points, size)
}

/// The height around which units stand: below the cell's name.
fn middle(spot: &PlaceOutline) -> f64 {
    spot.centre.y + 8.0
}

/// The largest size, at most 1, at which rows of so many units fit into a cell.
fn size_of(spot: &PlaceOutline, rows: &[usize]) -> f64 {
    const ROOM: f64 = 80.0;
    let mut size = (ROOM / (TOKEN.1 * rows.len() as f64)).min(1.0);
    // Smaller rows lie nearer to the middle, where there is more room: step down until all fit.
    while size > 0.2 {
        let height = TOKEN.1 * size;
        let top = middle(spot) - height * rows.len() as f64 / 2.0;
        let fits = rows.iter().enumerate().all(|(row, count)| {
            let (y1, y2) = (top + height * row as f64, top + height * (row as f64 + 1.0));
            let narrowest = width_at(spot, y1 + 3.0).min(width_at(spot, y2 - 3.0));
            TOKEN.0 * size * *count as f64 <= narrowest
        });
        if fits {
            break;
        }
        size -= 0.02;
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARES: Grid = Grid::Squares { diagonals: false };

    #[test]
    fn neighbours_and_only_they_share_a_side() {
        for grid in [Grid::Hexes, SQUARES] {
            let board = grid.rectangle(5, 4);
            let (spots, _) = spots(&board);
            let all = || board.places().into_iter();
            for (a, b) in all()
                .flat_map(|a| all().map(move |b| (a, b)))
                .filter(|(a, b)| a != b)
            {
                let shared = shared_side(&spots[a.index()].outline, &spots[b.index()].outline).is_some();
                let names = (board.name(a), board.name(b));
                assert_eq!(shared, board.distance(a, b) == 1, "{names:?}");
            }
        }
    }

    #[test]
    fn the_size_holds_every_corner() {
        for (columns, rows) in [(1, 1), (2, 3), (6, 6), (26, 4)] {
            for grid in [Grid::Hexes, SQUARES] {
                let (spots, (width, height)) = spots(&grid.rectangle(columns, rows));
                let inside = |p: &PaperPoint| (0.0..=width).contains(&p.x) && (0.0..=height).contains(&p.y);
                assert!(spots.iter().flat_map(|s| &s.outline).all(inside));
            }
        }
    }

    #[test]
    fn a_cropped_map_begins_at_its_first_cell() {
        let board = Grid::Hexes.around(3);
        let (uncropped, whole) = spots(&board);
        let visible: PlaceSet = ["d4", "e4", "d5"].iter().filter_map(|n| board.place(n)).collect();
        for beside in [0.0, 20.0] {
            let mut cropped = uncropped.clone();
            let (width, height) = crop(&mut cropped, visible.clone(), beside);
            assert!(width < whole.0 && height < whole.1);
            let corners = || visible.clone().flat_map(|p| cropped[p.index()].outline.clone());
            let left = corners().map(|p| p.x).fold(f64::INFINITY, f64::min);
            let bottom = corners().map(|p| p.y).fold(0.0, f64::max);
            assert!((left - beside).abs() < 0.1 && (bottom + beside - height).abs() < 0.1);
        }
        // What is seen whole stays where it is, to the last digit.
        let rectangle = Grid::Hexes.rectangle(4, 3);
        let (before, size) = spots(&rectangle);
        let mut after = before.clone();
        assert_eq!(crop(&mut after, rectangle.places().iter(), 0.0), size);
        assert_eq!(after, before);
    }

    #[test]
    fn a_side_faces_the_neighbour_beyond_it() {
        let board = Grid::Hexes.around(1);
        let (spots, _) = spots(&board);
        let middle = board.place("b2").expect("the middle");
        let towards = [(0, -2), (0, 2), (3, -1), (3, 1), (-3, -1), (-3, 1)];
        let names = ["b3", "b1", "c2", "c1", "a2", "a1"];
        for (direction, name) in towards.into_iter().zip(names) {
            let beyond = board.place(name).expect("a neighbour");
            let (a, b) = side_towards(board.grid, &spots[middle.index()], direction);
            let (c, d) = shared_side(&spots[middle.index()].outline, &spots[beyond.index()].outline)
                .expect("they touch");
            let same = |p: PaperPoint, q: PaperPoint| p.distance(q) < 1.0;
            assert!((same(a, c) && same(b, d)) || (same(a, d) && same(b, c)), "{name}");
        }
    }

    #[test]
    fn up_to_four_units_stand_at_full_size() {
        let (spots, _) = spots(&Grid::Hexes.rectangle(1, 1));
        for groups in [&[1][..], &[2], &[1, 1], &[2, 1], &[2, 2], &[4]] {
            assert_eq!(stand(&spots[0], groups).1, 1.0, "{groups:?}");
        }
        let crowd = stand(&spots[0], &[6, 6]).1;
        assert!((0.45..1.0).contains(&crowd), "{crowd}");
    }

    #[test]
    fn units_never_cover_each_other_and_never_leave_their_cell() {
        let spots = [Grid::Hexes, SQUARES].map(|grid| spots(&grid.rectangle(1, 1)).0);
        for (spot, upper) in spots
            .iter()
            .flatten()
            .flat_map(|s| (0..=6).map(move |upper| (s, upper)))
        {
            for lower in 0..=6 {
                let (points, size) = stand(spot, &[upper, lower]);
                assert_eq!(points.len(), upper + lower);
                let (w, h) = (TOKEN.0 * size, TOKEN.1 * size);
                for (i, p) in points.iter().enumerate() {
                    for q in &points[..i] {
                        let apart = (p.x - q.x).abs() >= w - 0.1 || (p.y - q.y).abs() >= h - 0.1;
                        assert!(apart, "{upper}+{lower}: {p:?} {q:?}");
                    }
                    // What is drawn is a little smaller than the room.
                    let edge = (h / 2.0 - 3.0).max(0.0);
                    for y in [p.y - edge, p.y + edge] {
                        let half = width_at(spot, y) / 2.0;
                        let right = (p.x - spot.centre.x).abs() + w / 2.0;
                        assert!(right <= half + 0.1, "{upper}+{lower}: {right} of {half}");
                    }
                }
            }
        }
        assert!(stand(&spots[0][0], &[]).0.is_empty());
    }
}
