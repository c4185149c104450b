//! The board as rows of letters, where cells are too many to be drawn with edges: a letter or a few for each. Of
//! hexagons every second column stands a line lower.

use super::ground;
use super::look::DrawContext;
use crate::kernel::grid::Grid;
use crate::kernel::ids::PlaceId;
use anstyle::Style as Paint;

/// Maximum number of hexagons to draw where there is terrain; more are better shown in a list, with a line for each.
const FEW: usize = 100;
/// The most letters that a cell takes, the blank behind them with it.
const WIDEST: usize = 4;

impl DrawContext<'_> {
    /// The rows with the columns' letters above them; `None` where there is no room for them either, and for
    /// hexagons of which a list has few lines.
    pub(super) fn rows(&self) -> Option<Vec<String>> {
        let board = &self.rules.board;
        let shown = self.shown_places() | self.gaps();
        // Which columns stand in each line of a row.
        let halves: &[&dyn Fn(usize) -> bool] = match board.grid {
            Grid::Hexes if shown.len() <= FEW || self.rules.terrains.is_empty() => return None,
            Grid::Hexes => &[&|column| column.is_multiple_of(2), &|column| column % 2 == 1],
            Grid::Squares { .. } => &[&|_| true],
        };
        let cells = || shown.iter().map(|p| board.cell(p));
        let (left, right) = (cells().map(|c| c.column).min()?, cells().map(|c| c.column).max()?);
        let (low, high) = (cells().map(|c| c.row).min()?, cells().map(|c| c.row).max()?);
        let margin = self.label_of(high).len().max(self.label_of(low).len()) + 1;
        let wide = self.style.width.checked_sub(margin)? / (right + 1 - left);
        let wide = wide.min(WIDEST);
        if wide == 0 {
            return None;
        }
        let letters: Vec<Vec<char>> = (left..=right).map(|column| self.letters_of(column)).collect();
        let most = letters.iter().map(Vec::len).max().unwrap_or(0);
        let head = |line: usize| {
            let letter = |name: &Vec<char>| {
                (line + name.len())
                    .checked_sub(most)
                    .and_then(|i| name.get(i).copied())
            };
            let cells = letters
                .iter()
                .map(|name| format!("{:<wide$}", letter(name).unwrap_or(' ')));
            format!("{:margin$}{}", "", cells.collect::<String>())
        };
        let line = |row: usize, half: usize| {
            let cells = (left..=right).map(|column| match board.at(column, row) {
                Some(place) if shown.contains(place) && halves[half](column) => self.cell(place, wide),
                _ => " ".repeat(wide),
            });
            let label = if half == 0 {
                self.label_of(row)
            } else {
                String::new()
            };
            format!("{label:<margin$}{}", cells.collect::<String>())
        };
        let rows = (low..=high).rev();
        let rows = rows.flat_map(|row| (0..halves.len()).map(move |half| (row, half)));
        let lines = (0..most).map(head).chain(rows.map(|(row, half)| line(row, half)));
        let lines = lines.map(|line| line.trim_end().to_owned());
        Some(lines.chain(self.listed_edges()).collect())
    }

    /// Returns the text before a row: its number, or its first place where rows have no meaning for the game.
    fn label_of(&self, row: usize) -> String {
        let board = &self.rules.board;
        match board.row(row).first().filter(|_| board.has_course()) {
            Some(place) => board.name(place).to_owned(),
            None => (row + 1).to_string(),
        }
    }

    /// The letters that a column is called by.
    fn letters_of(&self, column: usize) -> Vec<char> {
        let board = &self.rules.board;
        let place = board.column(column).next();
        let name = place.map_or("", |p| board.name(p));
        name.chars().take_while(|c| !c.is_ascii_digit()).collect()
    }

    /// A cell in so many letters: who stands there, else how it is marked, else its terrain.
    fn cell(&self, place: PlaceId, wide: usize) -> String {
        let groups = self.groups(place);
        let units: Vec<_> = groups.iter().flat_map(|(_, tokens)| tokens).collect();
        let terrain = || {
            let topmost = ground::shown_terrain(self.rules, self.world, place)
                .into_iter()
                .next_back();
            topmost.map_or((".".to_owned(), Paint::new()), |t| self.terrain_symbol(t))
        };
        let (text, paint) = match units.first() {
            Some(first) if units.len() > 1 => {
                let room = (wide - 1).max(2) - 1;
                let label: String = first.label.chars().take(room).collect();
                (format!("{label}+"), first.paint)
            }
            Some(only) => (only.label.clone(), only.paint),
            None if (&self.marks.reach | &self.marks.offered).contains(place) => {
                ("*".to_owned(), Paint::new())
            }
            None if self.marks.threat.contains(place) => ("!".to_owned(), Paint::new()),
            None if self.gaps().contains(place) => (":".to_owned(), Paint::new()),
            None => terrain(),
        };
        // A blank between two cells, where there is room for it.
        let text: String = text.chars().take((wide - 1).max(1)).collect();
        let blank = " ".repeat(wide - text.chars().count());
        self.painted(&text, paint) + blank.as_str()
    }
}
