//! Ways whose steps cost what a game says: the cheapest to every place that so much to spend leads to.

use crate::kernel::board::Board;
use crate::kernel::ids::{PlaceId, PlaceSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cheapest way found to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ReachedPlace {
    spent: u64,
    steps: usize,
    from: PlaceId,
}

/// A search for the cheapest ways from a place. Whoever asks says what each step costs: [`Self::settle`] gives a
/// place, and [`Self::step`] takes the steps that one can go on from there, until no place is left.
#[derive(Debug, Clone)]
pub struct PathSearch {
    start: PlaceId,
    budget: u64,
    /// By what is spent, then by steps, then by place: of ways as cheap the shorter one, else the one by the
    /// first place.
    open: BinaryHeap<Reverse<(u64, usize, PlaceId, PlaceId)>>,
    found: Vec<Option<ReachedPlace>>,
}

impl PathSearch {
    /// A search that has not begun.
    pub fn from(board: &Board, start: PlaceId, budget: u64) -> Self {
        Self {
            start,
            budget,
            open: [Reverse((0, 0, start, start))].into(),
            found: vec![None; board.len()],
        }
    }

    /// The next place that is reached, the cheapest of those that are left; the start first.
    pub fn settle(&mut self) -> Option<PlaceId> {
        while let Some(Reverse((spent, steps, place, from))) = self.open.pop() {
            let found = &mut self.found[place.index()];
            if found.is_none() {
                *found = Some(ReachedPlace { spent, steps, from });
                return Some(place);
            }
        }
        None
    }

    /// Whether the cheapest way to a place is known.
    pub fn is_known(&self, place: PlaceId) -> bool {
        self.found[place.index()].is_some()
    }

    /// A step from a place that [`Self::settle`] gave to one beside it, and what it costs.
    pub fn step(&mut self, from: PlaceId, to: PlaceId, cost: u64) {
        let Some(ReachedPlace { spent, steps, .. }) = self.found[from.index()] else {
            return;
        };
        let spent = spent.saturating_add(cost);
        if spent <= self.budget && !self.is_known(to) {
            self.open.push(Reverse((spent, steps + 1, to, from)));
        }
    }

    /// The places that were reached, without the start.
    pub fn reached(&self) -> PlaceSet {
        let all = self.found.iter().enumerate().filter(|(_, found)| found.is_some());
        let mut places: PlaceSet = all.map(|(index, _)| PlaceId::new(index)).collect();
        places.remove(self.start);
        places
    }

    /// Returns the cost of the cheapest way to a place; `None` where none leads there.
    pub fn cost(&self, place: PlaceId) -> Option<u64> {
        Some(self.found.get(place.index())?.as_ref()?.spent)
    }

    /// The places of the cheapest way to a place, from the first step to its end; none where none leads there.
    pub fn way(&self, place: PlaceId) -> Vec<PlaceId> {
        let mut way = Vec::new();
        let mut at = place;
        while at != self.start {
            let Some(found) = self.found[at.index()] else {
                return Vec::new();
            };
            way.push(at);
            at = found.from;
        }
        way.reverse();
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::grid::Grid;

    /// Every way on a board where each step costs what the place says that it leads to.
    fn search(
        board: &Board,
        start: PlaceId,
        budget: u64,
        cost: impl Fn(PlaceId) -> Option<u64>,
    ) -> PathSearch {
        let mut ways = PathSearch::from(board, start, budget);
        while let Some(place) = ways.settle() {
            for to in board.neighbours(place) {
                if let Some(cost) = cost(to) {
                    ways.step(place, to, cost);
                }
            }
        }
        ways
    }

    #[test]
    fn steps_that_cost_one_lead_as_far_as_steps_do() {
        for grid in [
            Grid::Hexes,
            Grid::Squares { diagonals: true },
            Grid::Squares { diagonals: false },
        ] {
            let board = grid.rectangle(6, 5);
            let start = board.place("b2").expect("there");
            for budget in 0..6 {
                let ways = search(&board, start, budget, |_| Some(1));
                let mut within = board.within(start, budget as usize);
                within.remove(start);
                assert_eq!(ways.reached(), within);
                for place in within {
                    let way = ways.way(place);
                    assert_eq!(way.len(), board.distance(start, place));
                    assert_eq!(
                        (way.last(), ways.cost(place)),
                        (Some(&place), Some(way.len() as u64))
                    );
                }
            }
        }
    }

    #[test]
    fn the_cheapest_way_goes_round_what_is_dear_and_never_over_what_bars_it() {
        let board = Grid::Squares { diagonals: false }.rectangle(3, 3);
        let at = |name: &str| board.place(name).expect("there");
        let cost = |place: PlaceId| match board.name(place) {
            "b1" => Some(5),
            "b2" => None,
            "c1" => Some(0),
            _ => Some(1),
        };
        let result = |ways: &PathSearch, name: &str| {
            let way: Vec<&str> = ways.way(at(name)).into_iter().map(|p| board.name(p)).collect();
            (way.join(" "), ways.cost(at(name)))
        };
        let ways = search(&board, at("a1"), 9, cost);
        assert_eq!(result(&ways, "c1"), ("b1 c1".to_owned(), Some(5)));
        assert_eq!(result(&ways, "c2"), ("a2 a3 b3 c3 c2".to_owned(), Some(5)));
        assert_eq!(result(&ways, "b2"), (String::new(), None));
        // The way round is as dear, and longer.
        assert_eq!(
            result(&search(&board, at("a1"), 4, cost), "c1"),
            (String::new(), None)
        );
    }
}
