//! Directions and lines on a board: neighbours, rays, rings, arcs, areas, and who sees whom. All in whole
//! numbers, from where the grid says that cells and their corners lie.

use super::grid::{Direction, EdgeRule, GridStep};
use crate::board::Board;
use crate::ids::{MAX_PLACES, PlaceId, PlaceSet};

/// Places and edges that a straight line between two places meets.
pub struct SightLine {
    /// The places and edges that it crosses.
    crossed: Vec<PlaceId>,
    touched: Vec<TouchedPlace>,
    lines: EdgeRule,
    /// Number of places of the board; what has a higher id is an edge.
    places: usize,
}

/// A place, or an edge, that a line touches and does not cross.
struct TouchedPlace {
    place: PlaceId,
    /// Whether it lies to the right of the line.
    right: bool,
    /// Location along the line: places with the same value are opposite each other.
    at: (i64, i64),
}

/// Four for each direction: one for the direction itself, one for what lies nearer to it than to the next
/// one clockwise, one for half-way, one for what lies nearer to the next.
type Bearing = usize;

impl Board {
    fn lies(&self, place: PlaceId) -> GridStep {
        self.grid.middle(self.cell(place), self.rows())
    }

    fn between(&self, from: PlaceId, to: PlaceId) -> GridStep {
        let ((ax, ay), (bx, by)) = (self.lies(from), self.lies(to));
        (bx - ax, by - ay)
    }

    /// The direction of that name, as an index into [`Board::directions`].
    pub fn direction_named(&self, name: &str) -> Option<usize> {
        self.directions().iter().position(|d| d.name == name)
    }

    /// Returns the name of the direction stored in a slot; `None` where none is stored.
    pub fn direction_stored(&self, value: i64) -> Option<&'static str> {
        let direction = self.directions().get(usize::try_from(value).ok()?)?;
        Some(direction.name)
    }

    /// The directions: the board's own, or those of its grid, clockwise from the top.
    pub fn directions(&self) -> &'static [Direction] {
        match &self.course {
            Some(course) => course.directions,
            None => self.grid.directions(),
        }
    }

    /// The names of the directions, and the word for none, as a list in words.
    pub fn direction_names(&self) -> String {
        let names: Vec<&str> = self.directions().iter().map(|d| d.name).collect();
        format!("{} or none", names.join(", "))
    }

    /// A direction so many turns clockwise from another.
    pub fn turned(&self, direction: usize, turns: i64) -> usize {
        let all = self.directions().len() as i64;
        (direction as i64 + turns.rem_euclid(all)).rem_euclid(all) as usize
    }

    /// The direction from a place straight to another; `None` when none leads there, or to itself.
    pub fn direction(&self, from: PlaceId, to: PlaceId) -> Option<usize> {
        let bearing = self.bearing(from, to)?;
        bearing.is_multiple_of(4).then_some(bearing / 4)
    }

    /// The direction that comes nearest to leading from a place to another; of two as near the one farther
    /// clockwise. `None` from a place to itself.
    pub fn nearest_direction(&self, from: PlaceId, to: PlaceId) -> Option<usize> {
        let bearing = self.bearing(from, to)?;
        Some((bearing + 2) / 4 % self.directions().len())
    }

    fn bearing(&self, from: PlaceId, to: PlaceId) -> Option<Bearing> {
        if let Some(course) = &self.course {
            let all = (0..course.directions.len()).filter(|_| from != to);
            let ways = all.filter_map(|d| Some((self.along(from, d).position(|p| p == to)?, d)));
            return ways.min().map(|(_, direction)| 4 * direction);
        }
        let way = self.between(from, to);
        if way == (0, 0) {
            return None;
        }
        let steepness = self.grid.steepness();
        let dot = |a: GridStep, b: GridStep| a.0 * b.0 + steepness * a.1 * b.1;
        let steps: Vec<GridStep> = self.directions().iter().map(|d| self.grid.across(*d)).collect();
        for (nth, &step) in steps.iter().enumerate() {
            let next = steps[(nth + 1) % steps.len()];
            if turn(step, way) == 0 && dot(step, way) > 0 {
                return Some(4 * nth);
            }
            if turn(step, way) > 0 && turn(next, way) < 0 {
                // Whose angle is smaller: squares of the cosines, none of which is below 0 here.
                let here = dot(step, way).pow(2) * dot(next, next);
                let there = dot(next, way).pow(2) * dot(step, step);
                return Some(4 * nth + [3, 2, 1][(here.cmp(&there) as i8 + 1) as usize]);
            }
        }
        None
    }

    /// The place beside one in a direction.
    pub fn neighbour(&self, place: PlaceId, direction: usize) -> Option<PlaceId> {
        self.ahead(place, direction, 1)
    }

    /// The places along one of the board's own directions, the nearest first, at most once around.
    fn along(&self, from: PlaceId, direction: usize) -> impl Iterator<Item = PlaceId> {
        let next = self.course.as_ref().and_then(|course| course.next.get(direction));
        let beside = move |place: &PlaceId| next?[place.index()];
        std::iter::successors(beside(&from), beside).take(self.len())
    }

    /// The place a number of steps ahead in a direction.
    pub fn ahead(&self, place: PlaceId, direction: usize, steps: usize) -> Option<PlaceId> {
        if self.course.is_some() {
            // After a whole round it is the same place again.
            let round = self
                .along(place, direction)
                .position(|p| p == place)
                .map(|n| n + 1);
            return match round.map_or(steps, |round| steps % round) {
                0 => Some(place),
                steps => self.along(place, direction).nth(steps - 1),
            };
        }
        let steps = i64::try_from(steps).ok().filter(|n| *n <= MAX_PLACES as i64)?;
        let cell = self.cell(place);
        let (x, y) = self.grid.at((cell.column, cell.row));
        let (right, up) = self.directions().get(direction)?.step;
        let (column, row) = self.grid.cell_at((x + right * steps, y + up * steps))?;
        self.at(column, row)
    }

    /// The places straight ahead in a direction, at most so many steps, gaps passed over.
    pub fn ray(&self, place: PlaceId, direction: usize, steps: usize) -> PlaceSet {
        if self.course.is_some() {
            let ahead = self.along(place, direction).take(steps);
            return ahead.filter(|p| *p != place).collect();
        }
        let ahead = (1..=steps.min(self.longest_line())).filter_map(|n| self.ahead(place, direction, n));
        ahead.collect()
    }

    /// The places exactly so many steps away.
    pub fn ring(&self, place: PlaceId, steps: usize) -> PlaceSet {
        match steps {
            0 => PlaceSet::one(place),
            _ => self.within(place, steps) - self.within(place, steps - 1),
        }
    }

    /// The places at most so many steps away that lie in a direction, or at most half so many turns as `width` says
    /// beside it. What lies just on the border belongs to it; the place itself does not.
    pub fn arc(&self, place: PlaceId, direction: usize, width: usize, steps: usize) -> PlaceSet {
        let all = 4 * self.directions().len();
        let near = self.within(place, steps);
        let inside = near.filter(|&p| {
            self.bearing(place, p).is_some_and(|bearing| {
                let beside = bearing.abs_diff(4 * direction % all);
                beside.min(all - beside) <= 2 * width
            })
        });
        inside.collect()
    }

    /// Returns the places and edges between two places that the straight line between their middles meets.
    pub fn sight(&self, from: PlaceId, to: PlaceId) -> SightLine {
        let mut line = SightLine {
            crossed: Vec::new(),
            touched: Vec::new(),
            lines: self.lines,
            places: self.len(),
        };
        if self.course.is_some() {
            let mut last = from;
            for place in self
                .direction(from, to)
                .into_iter()
                .flat_map(|d| self.along(from, d))
            {
                line.crossed.extend(self.edge_between(last, place));
                if place == to {
                    break;
                }
                line.crossed.push(place);
                last = place;
            }
            return line;
        }
        let way = self.between(from, to);
        // How far along the line, as a part of its whole length.
        let along = |v: GridStep| v.0 * way.0 + v.1 * way.1;
        let whole = along(way);
        let far = self.distance(from, to);
        let near = self.within(from, far) & self.within(to, far);
        let corners = |place: PlaceId| {
            let (x, y) = self.between(from, place);
            self.grid.corners().iter().map(move |c| (x + c.0, y + c.1))
        };
        let on_line = |corner: GridStep| (turn(way, corner), along(corner));
        // Whether the line meets the side of a cell between two of its corners: that is between the two places, or none
        // of it is.
        let meets = |a: (i64, i64), b: (i64, i64)| {
            let at = a.1 * b.0.abs() + b.1 * a.0.abs();
            a.0.signum() != b.0.signum() && 0 < at && at < whole * (a.0.abs() + b.0.abs())
        };
        for place in near.iter().filter(|p| *p != from && *p != to) {
            let corners: Vec<(i64, i64)> = corners(place).map(on_line).collect();
            let right = corners.iter().any(|(side, _)| *side > 0);
            let left = corners.iter().any(|(side, _)| *side < 0);
            if right && left {
                let mut sides = (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
                let met = sides.any(|(a, b)| meets(a, b));
                line.crossed.extend(met.then_some(place));
                continue;
            }
            let on = || corners.iter().filter(|(side, _)| *side == 0).map(|(_, at)| *at);
            if let (Some(first), Some(last)) = (on().min(), on().max())
                && 0 < first
                && last < whole
            {
                let at = (first, last);
                line.touched.push(TouchedPlace { place, right, at });
            }
        }
        for edge in self.edges() {
            let Some([a, b]) = self
                .ends(edge)
                .filter(|ends| ends.iter().all(|end| near.contains(*end)))
            else {
                continue;
            };
            // Two corners, or one between places that touch there alone.
            let shared: Vec<(i64, i64)> = corners(a)
                .filter(|corner| corners(b).any(|other| other == *corner))
                .map(on_line)
                .collect();
            let (Some(&first), Some(&last)) = (shared.first(), shared.last()) else {
                continue;
            };
            let inside = |at: i64| 0 < at && at < whole;
            match (first.0, last.0) {
                // Along the edge, or through the one corner.
                (0, 0) if inside(first.1) || inside(last.1) => line.crossed.push(edge),
                (0, side) | (side, 0) => {
                    let at = if first.0 == 0 { first.1 } else { last.1 };
                    if side != 0 && inside(at) {
                        line.touched.push(TouchedPlace {
                            place: edge,
                            right: side > 0,
                            at: (at, at),
                        });
                    }
                }
                _ => line.crossed.extend(meets(first, last).then_some(edge)),
            }
        }
        line
    }
}

impl SightLine {
    /// The places on the line.
    pub fn places(&self) -> PlaceSet {
        let counts = |t: &&TouchedPlace| match self.lines {
            EdgeRule::Left => !t.right,
            EdgeRule::Right => t.right,
            EdgeRule::Both | EdgeRule::Either => true,
        };
        let beside = self.touched.iter().filter(counts).map(|t| t.place);
        let met = self.crossed.iter().copied().chain(beside);
        met.filter(|place| place.index() < self.places).collect()
    }

    /// Whether none of these places and edges blocks it.
    pub fn is_free(&self, blockers: &PlaceSet) -> bool {
        let blocks = |t: &&TouchedPlace| blockers.contains(t.place);
        let mut beside = self.touched.iter().filter(blocks);
        let blocked = match self.lines {
            EdgeRule::Left => beside.any(|t| !t.right),
            EdgeRule::Right => beside.any(|t| t.right),
            EdgeRule::Both => beside.next().is_some(),
            EdgeRule::Either => beside.any(|t| {
                let mut blocking = self.touched.iter().filter(blocks);
                blocking.any(|o| o.at == t.at && o.right != t.right)
            }),
        };
        !blocked && !self.crossed.iter().any(|p| blockers.contains(*p))
    }
}

/// Above 0 where one comes from the first to the second by turning clockwise, less than half round.
fn turn(a: GridStep, b: GridStep) -> i64 {
    a.0 * b.1 - a.1 * b.0
}

#[cfg(test)]
mod tests {
    use super::super::grid::Grid;
    use super::*;

    const ALL: [Grid; 3] = [
        Grid::Hexes,
        Grid::Squares { diagonals: true },
        Grid::Squares { diagonals: false },
    ];

    fn set(board: &Board, names: &str) -> PlaceSet {
        let place = |n: &str| board.place(n).unwrap_or_else(|| panic!("{n}"));
        names.split_whitespace().map(place).collect()
    }

    fn names(board: &Board, places: PlaceSet) -> String {
        let names: Vec<&str> = places.into_iter().map(|p| board.name(p)).collect();
        names.join(" ")
    }

    fn pairs(board: &Board) -> Vec<(PlaceId, PlaceId)> {
        let all: Vec<PlaceId> = board.places().into_iter().collect();
        all.iter()
            .flat_map(|&a| all.iter().map(move |&b| (a, b)))
            .collect()
    }

    #[test]
    fn a_neighbour_lies_in_its_direction_and_back() {
        for grid in ALL {
            let board = grid.rectangle(5, 5);
            let half = board.directions().len() as i64 / 2;
            for place in board.places() {
                for direction in 0..board.directions().len() {
                    let Some(beside) = board.neighbour(place, direction) else {
                        continue;
                    };
                    assert_eq!(board.distance(place, beside), 1);
                    assert_eq!(board.direction(place, beside), Some(direction));
                    assert_eq!(
                        board.direction(beside, place),
                        Some(board.turned(direction, half))
                    );
                }
            }
        }
    }

    #[test]
    fn straight_is_what_a_ray_meets() {
        for grid in ALL {
            let board = grid.rectangle(7, 6);
            for (a, b) in pairs(&board) {
                let rays = (0..board.directions().len()).find(|&d| board.ray(a, d, 9).contains(b));
                assert_eq!(
                    board.direction(a, b),
                    rays,
                    "{grid:?} {} {}",
                    board.name(a),
                    board.name(b)
                );
                let nearest = board.nearest_direction(a, b);
                assert_eq!(nearest.is_some(), a != b);
                assert!(rays.is_none() || nearest == rays);
            }
        }
    }

    #[test]
    fn every_place_lies_in_an_arc_of_half_a_turn_to_each_side_and_few_in_two() {
        for grid in ALL {
            let board = grid.rectangle(7, 7);
            let middle = board.place("d4").expect("there");
            let count = board.directions().len();
            let arcs = |width| (0..count).map(move |d| (d, width));
            let all =
                |width| arcs(width).fold(PlaceSet::EMPTY, |all, (d, w)| all | board.arc(middle, d, w, 9));
            let mut others = board.places().clone();
            others.remove(middle);
            assert_eq!(all(1), others);
            for (direction, place) in (0..count).flat_map(|d| others.iter().map(move |p| (d, p))) {
                let nearest = board.nearest_direction(middle, place);
                let inside = board.arc(middle, direction, 1, 9).contains(place);
                assert!(inside || nearest != Some(direction));
                assert_eq!(
                    board.arc(middle, direction, 0, 9).contains(place),
                    board.direction(middle, place) == Some(direction)
                );
                assert!(board.arc(middle, direction, count, 9).contains(place));
            }
        }
    }

    #[test]
    fn arcs_as_they_are_drawn_on_paper() {
        let board = Grid::Hexes.rectangle(7, 7);
        let arc = |board: &Board, name: &str, direction: &str, width, steps| {
            let direction = board.direction_named(direction).expect("it has it");
            names(
                board,
                board.arc(board.place(name).expect("there"), direction, width, steps),
            )
        };
        assert_eq!(arc(&board, "d4", "n", 2, 1), "c4 e4 d5");
        assert_eq!(arc(&board, "d4", "n", 2, 2), "c4 e4 b5 c5 d5 e5 f5 d6");
        assert_eq!(arc(&board, "d4", "n", 1, 2), "c5 d5 e5 d6");
        let board = Grid::Squares { diagonals: false }.rectangle(7, 7);
        assert_eq!(arc(&board, "d4", "n", 1, 2), "c5 d5 e5 d6");
        let board = Grid::Squares { diagonals: true }.rectangle(7, 7);
        assert_eq!(arc(&board, "d4", "ne", 2, 2), "e4 f4 d5 e5 f5 d6 e6 f6");
        assert_eq!(arc(&board, "d4", "ne", 1, 2), "e5 f5 e6 f6");
    }

    #[test]
    fn a_line_is_the_same_both_ways_but_for_left_and_right() {
        for grid in ALL {
            let mut board = grid.rectangle(6, 6);
            for (a, b) in pairs(&board) {
                board.lines = EdgeRule::Left;
                let left = board.sight(a, b).places();
                let back = board.sight(b, a).places();
                board.lines = EdgeRule::Right;
                assert_eq!(back, board.sight(a, b).places());
                board.lines = EdgeRule::Both;
                assert_eq!(board.sight(a, b).places(), &left | &back);
                // What is next to each other has nothing between, but for what lies at a corner.
                let corner = grid != Grid::Hexes
                    && board
                        .direction(a, b)
                        .is_none_or(|d| board.directions()[d].name.len() > 1);
                assert!(board.distance(a, b) > 1 || corner || left.is_empty());
                // A line leads step by step from one end to the other.
                board.lines = EdgeRule::Both;
                let mut way = board.sight(a, b).places();
                way.insert(a);
                way.insert(b);
                assert_eq!(
                    board.adjacency.connected(a, way.clone()),
                    way,
                    "{grid:?} {} {}",
                    board.name(a),
                    board.name(b)
                );
            }
        }
    }

    #[test]
    fn a_line_along_edges_meets_what_the_game_says() {
        let mut board = Grid::Hexes.rectangle(6, 6);
        let line = |board: &Board, a: &str, b: &str| {
            let at = |n: &str| board.place(n).expect("there");
            names(board, board.sight(at(a), at(b)).places())
        };
        // From a1 to c1 between b1 and b2.
        for (lines, met) in [
            (EdgeRule::Left, "b2"),
            (EdgeRule::Right, "b1"),
            (EdgeRule::Both, "b1 b2"),
            (EdgeRule::Either, "b1 b2"),
        ] {
            board.lines = lines;
            assert_eq!(line(&board, "a1", "c1"), met);
            assert_eq!(line(&board, "a1", "a4"), "a2 a3");
        }
        let sees = |board: &Board, blockers: &str| {
            let at = |n: &str| board.place(n).expect("there");
            board.sight(at("a1"), at("c1")).is_free(&set(board, blockers))
        };
        for (lines, expected) in [
            (EdgeRule::Left, [true, false, false]),
            (EdgeRule::Right, [false, true, false]),
            (EdgeRule::Both, [false, false, false]),
            (EdgeRule::Either, [true, true, false]),
        ] {
            board.lines = lines;
            assert_eq!(
                ["b1", "b2", "b1 b2"].map(|b| sees(&board, b)),
                expected,
                "{lines:?}"
            );
        }
    }

    #[test]
    fn whoever_is_seen_sees_back_and_more_walls_never_show_more() {
        for grid in ALL {
            let mut board = grid.rectangle(6, 5);
            let all: Vec<PlaceId> = board.places().into_iter().collect();
            // Every third place, every fourth, and both.
            let every =
                |n: usize| -> PlaceSet { all.iter().copied().filter(|p| p.index() % n == 1).collect() };
            for lines in [EdgeRule::Left, EdgeRule::Right, EdgeRule::Both, EdgeRule::Either] {
                board.lines = lines;
                for (a, b) in pairs(&board) {
                    let sees = |from, to, walls: PlaceSet| board.sight(from, to).is_free(&walls);
                    if matches!(lines, EdgeRule::Both | EdgeRule::Either) {
                        assert_eq!(sees(a, b, every(3)), sees(b, a, every(3)));
                    }
                    let both = sees(a, b, every(3) | every(4));
                    assert!(!both || sees(a, b, every(3)) && sees(a, b, every(4)));
                    assert!(sees(a, b, PlaceSet::EMPTY));
                    // What is not on the line bars nothing; all that is on it bars sight.
                    assert!(sees(a, b, board.places() - board.sight(a, b).places()));
                    let met = board.sight(a, b).places();
                    let alone = lines == EdgeRule::Either && board.distance(a, b) > 1;
                    assert!(met.is_empty() || alone || !sees(a, b, met));
                }
            }
        }
    }

    #[test]
    fn walls_on_all_edges_of_a_place_let_nobody_see_out_or_in() {
        for grid in ALL {
            for lines in [EdgeRule::Left, EdgeRule::Right, EdgeRule::Both, EdgeRule::Either] {
                let mut board = grid.rectangle(5, 5).with_edges();
                board.lines = lines;
                let inside = board.place("c3").expect("there");
                let own = |edge: &PlaceId| board.ends(*edge).is_some_and(|ends| ends.contains(&inside));
                let walls: PlaceSet = board.edges().filter(own).collect();
                assert_eq!(walls.len(), board.neighbours(inside).len());
                for (a, b) in pairs(&board).into_iter().filter(|(a, b)| a != b) {
                    let sees = board.sight(a, b).is_free(&walls);
                    assert!(!sees || a != inside && b != inside, "{grid:?} {lines:?}");
                    assert!(board.sight(a, b).places().is_within(board.places()));
                }
            }
        }
    }

    #[test]
    fn a_wall_stops_the_lines_that_cross_it() {
        let mut board = Grid::Squares { diagonals: false }.rectangle(4, 4).with_edges();
        let sees = |board: &Board, from: &str, to: &str, wall: &str| {
            let at = |n: &str| board.place(n).expect("there");
            let wall = board.place_or_edge(wall).expect("there");
            board.sight(at(from), at(to)).is_free(&PlaceSet::one(wall))
        };
        assert_eq!(board.place_or_edge("c1|b1"), board.place_or_edge("b1|c1"));
        assert_eq!(board.place_or_edge("a1|c1"), None);
        assert_eq!(board.name(board.place_or_edge("c1|b1").expect("there")), "b1|c1");
        for (from, to, wall, free) in [
            ("a1", "d1", "b1|c1", false),
            ("a1", "d1", "b2|c2", true),
            ("a1", "d1", "b1|b2", true),
            ("a1", "b3", "a1|a2", false),
            ("a1", "b3", "b2|b3", false),
            ("a1", "b3", "a2|b2", false),
            ("a1", "b3", "a1|b1", true),
        ] {
            for lines in [EdgeRule::Left, EdgeRule::Right, EdgeRule::Both, EdgeRule::Either] {
                board.lines = lines;
                assert_eq!(sees(&board, from, to, wall), free, "{from} {to} {wall} {lines:?}");
            }
        }
        // Through the end of a wall: from a1 to b2, the wall a2|b2 is on the left, and a1|b1 on the right.
        for (lines, left, right) in [
            (EdgeRule::Left, false, true),
            (EdgeRule::Right, true, false),
            (EdgeRule::Both, false, false),
            (EdgeRule::Either, true, true),
        ] {
            board.lines = lines;
            assert_eq!(sees(&board, "a1", "b2", "a1|a2"), left, "{lines:?}");
            assert_eq!(sees(&board, "a1", "b2", "a1|b1"), right, "{lines:?}");
        }
    }

    #[test]
    fn a_line_on_squares_crosses_what_lies_below_it() {
        let board = Grid::Squares { diagonals: true }.rectangle(6, 6);
        let line = |a: &str, b: &str| {
            let at = |n: &str| board.place(n).expect("there");
            names(&board, board.sight(at(a), at(b)).places())
        };
        assert_eq!(line("a1", "d1"), "b1 c1");
        assert_eq!(line("a1", "d3"), "b1 b2 c2 c3");
        // Through corners: what lies at both sides of each.
        assert_eq!(line("a1", "c3"), "b1 a2 b2 c2 b3");
        assert_eq!(line("a1", "a1"), "");
    }

    #[test]
    fn an_area_ends_where_its_places_end() {
        for grid in ALL {
            let board = grid.rectangle(5, 5);
            let wall = set(&board, "c1 c2 c3 c4 c5");
            let place = board.place("a3").expect("there");
            let beside = board.adjacency.connected(place, board.places() - &wall);
            assert_eq!(beside, set(&board, "a1 a2 a3 a4 a5 b1 b2 b3 b4 b5"));
            assert!(board.adjacency.connected(place, wall).is_empty());
        }
    }
}
