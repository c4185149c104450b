//! The board as hexagons: their measures, their outlines, and which unit goes into which line.

use super::look::{Look, Token};
use crate::kernel::board::Cell;
use crate::kernel::ids::FactionId;
use anstyle::Style as Paint;

impl Look<'_> {
    fn edge(&self) -> Paint {
        if self.style.colour {
            Paint::new().dimmed()
        } else {
            Paint::new()
        }
    }

    pub(super) fn hexagons(&self, shape: &Shape) -> Vec<String> {
        let board = &self.rules.board;
        let (mut columns, mut lines) = (0, 0);
        for place in board.places() {
            let (x, y) = shape.corner(board.cell(place), board.rows());
            columns = columns.max(x + shape.width());
            lines = lines.max(y + shape.height() + 1);
        }
        let mut canvas = Canvas::new(columns, lines);
        let (rising, falling) = if self.style.ascii {
            ('/', '\\')
        } else {
            ('╱', '╲')
        };
        for place in board.places() {
            let (x, y) = shape.corner(board.cell(place), board.rows());
            for (dx, dy, edge) in shape.outline() {
                let edge = match edge {
                    '/' => rising,
                    '\\' => falling,
                    other => other,
                };
                canvas.put(x + dx, y + dy, edge, self.edge());
            }
        }
        for place in board.places() {
            let (x, y) = shape.corner(board.cell(place), board.rows());
            let (title, paint) = self.title(place);
            let (start, room) = shape.inside(0);
            let title: Vec<(char, Paint)> = title.chars().take(room).map(|c| (c, paint)).collect();
            // At the left, where it is not taken for a unit; with a space before it where there is room.
            let indent = usize::from(title.len() + 2 <= room);
            canvas.put_all(x + start + indent, y + 1, &title);
            let inside: Vec<(usize, usize)> =
                (1..shape.height() - 1).map(|line| shape.inside(line)).collect();
            let widths: Vec<usize> = inside.iter().map(|(_, room)| *room).collect();
            let rows = self.arrange(self.groups(place), &widths);
            for (nth, (tokens, (start, room))) in rows.iter().zip(&inside).enumerate() {
                let mut text = Vec::new();
                for (i, token) in tokens.iter().enumerate() {
                    if i > 0 {
                        text.push((' ', Paint::new()));
                    }
                    let strong = match (self.style.colour, token.marked) {
                        (true, true) => token.paint.bold().invert(),
                        (true, false) => token.paint.bold(),
                        (false, _) => token.paint,
                    };
                    text.extend(token.label.chars().map(|c| (c, strong)));
                    text.extend(token.detail.chars().map(|c| (c, token.paint)));
                }
                canvas.put_centred(x + start, y + 2 + nth, *room, &text);
            }
        }
        canvas.lines()
    }

    /// Which units go into which line of a hexagon: of two factions, one keeps to the top and one
    /// to the bottom, where there is room.
    fn arrange(&self, groups: Vec<(FactionId, Vec<Token>)>, widths: &[usize]) -> Vec<Vec<Token>> {
        let lines = widths.len();
        let empty = vec![Vec::new(); lines];
        if groups.is_empty() || lines == 0 {
            return empty;
        }
        // Every faction on lines of its own, the lowest at the bottom.
        if self.order.len() == 2 {
            let (mut upper, mut lower) = (Vec::new(), Vec::new());
            for (faction, tokens) in &groups {
                let half = if self.order[0] == *faction {
                    &mut upper
                } else {
                    &mut lower
                };
                half.extend(tokens.iter().cloned());
            }
            for below in 0..=lines {
                let (top, bottom) = widths.split_at(lines - below);
                if let (Some(top), Some(bottom)) = (wrap(&upper, top), wrap(&lower, bottom)) {
                    return top.into_iter().chain(bottom).collect();
                }
            }
        } else {
            let mut rows: Vec<Vec<Token>> = Vec::new();
            let separate = groups.iter().all(|(_, tokens)| {
                let Some(wrapped) = wrap(tokens, widths.get(rows.len()..).unwrap_or_default()) else {
                    return false;
                };
                rows.extend(wrapped.into_iter().filter(|row| !row.is_empty()));
                true
            });
            if separate {
                rows.resize(lines, Vec::new());
                return rows;
            }
        }
        // All of them as they come.
        let all: Vec<Token> = groups.iter().flat_map(|(_, tokens)| tokens.clone()).collect();
        if let Some(rows) = wrap(&all, widths) {
            return rows;
        }
        // Not all of them: every faction its share of the lines, with what is left over as a number.
        if groups.len() <= lines {
            let mut rows = Vec::new();
            let mut from = 0;
            for (nth, (faction, tokens)) in groups.iter().enumerate() {
                let to = lines * (nth + 1) / groups.len();
                rows.extend(wrap_some(tokens, &widths[from..to], self.paint(*faction)));
                from = to;
            }
            return rows;
        }
        wrap_some(&all, widths, Paint::new())
    }
}

/// The tokens in lines of these widths, a space between two; `None` when they do not fit.
fn wrap(tokens: &[Token], widths: &[usize]) -> Option<Vec<Vec<Token>>> {
    let mut rows = vec![Vec::new(); widths.len()];
    let (mut line, mut used) = (0, 0);
    for token in tokens {
        loop {
            let needed = token.width() + if used == 0 { 0 } else { used + 1 };
            if needed <= *widths.get(line)? {
                rows[line].push(token.clone());
                used = needed;
                break;
            }
            (line, used) = (line + 1, 0);
        }
    }
    Some(rows)
}

/// As many tokens as fit, and the number of the others.
fn wrap_some(tokens: &[Token], widths: &[usize], paint: Paint) -> Vec<Vec<Token>> {
    for shown in (0..=tokens.len()).rev() {
        let mut some = tokens[..shown].to_vec();
        if shown < tokens.len() {
            some.push(Token::more(tokens.len() - shown, paint));
        }
        if let Some(rows) = wrap(&some, widths) {
            return rows;
        }
    }
    vec![Vec::new(); widths.len()]
}

/// The measures of a hexagon: its slanted edges are `slant` lines high and wide, its flat ones
/// `flat` wide. A column begins `flat + slant` after the one before, and every second one `slant`
/// lines lower, so that neighbours draw the same characters for the edge between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) slant: usize,
    pub(super) flat: usize,
}

impl Shape {
    /// The shape for these rules in this width: low hexagons with two units to a line where
    /// there is room, else high ones with one. The same for every position of a game.
    pub(super) fn fitting(look: &Look<'_>) -> Option<Self> {
        let board = &look.rules.board;
        let columns = board.columns().max(1);
        let title = board
            .places()
            .map(|p| {
                // Without marks: the same for every position.
                let name = if look.style.names { board.name(p) } else { "" };
                name.chars().count() + usize::from(look.marker(p).is_some())
            })
            .max()
            .unwrap_or(0);
        let token = look.token_width();
        let in_line = |tokens: usize| tokens * (token + 1) - 1;
        // The widest flat edge with which all columns fit.
        let most = |slant: usize| {
            (look.style.width.checked_sub(slant)? / columns)
                .checked_sub(slant)
                .filter(|&w| w > 0)
        };
        let stack = look.rules.stack.clamp(1, 4);
        let (least, good) = (in_line(stack.min(2)), in_line(stack) + 2);
        if let Some(flat) = most(2).filter(|&w| w >= title && w + 2 >= least) {
            let good = good.max(title + 4).max(9) - 2;
            return Some(Self {
                slant: 2,
                flat: flat.min(good),
            });
        }
        let flat = most(3).filter(|&w| w >= title && w + 2 >= token)?;
        let good = (token + 2).max(title + 2);
        Some(Self {
            slant: 3,
            flat: flat.min(good),
        })
    }

    fn width(&self) -> usize {
        self.flat + 2 * self.slant
    }

    fn height(&self) -> usize {
        2 * self.slant
    }

    /// The left and upper end of a hexagon's outline.
    pub(super) fn corner(&self, cell: &Cell, rows: usize) -> (usize, usize) {
        let from_top = rows.saturating_sub(cell.row + 1);
        let lower = if cell.column % 2 == 1 { self.slant } else { 0 };
        (
            cell.column * (self.flat + self.slant),
            from_top * self.height() + lower,
        )
    }

    /// Where the inside of a line begins (from the corner) and how wide it is; lines from 0.
    fn inside(&self, line: usize) -> (usize, usize) {
        let from_flat = line.min((self.height() - 1).saturating_sub(line));
        (self.slant - from_flat, self.flat + 2 * from_flat)
    }

    /// The characters of the edges, from the corner.
    pub(super) fn outline(&self) -> Vec<(usize, usize, char)> {
        let mut edges = Vec::new();
        for x in 0..self.flat {
            edges.push((self.slant + x, 0, '_'));
            edges.push((self.slant + x, self.height(), '_'));
        }
        for line in 0..self.height() {
            let (start, room) = self.inside(line);
            let (left, right) = if line < self.slant {
                ('/', '\\')
            } else {
                ('\\', '/')
            };
            edges.push((start - 1, line + 1, left));
            edges.push((start + room, line + 1, right));
        }
        edges
    }
}
/// Characters with their looks, by line.
struct Canvas {
    lines: Vec<Vec<(char, Paint)>>,
}

impl Canvas {
    fn new(columns: usize, lines: usize) -> Self {
        Self {
            lines: vec![vec![(' ', Paint::new()); columns]; lines],
        }
    }

    fn put(&mut self, x: usize, y: usize, c: char, paint: Paint) {
        if let Some(cell) = self.lines.get_mut(y).and_then(|line| line.get_mut(x)) {
            *cell = (if c.is_control() { '?' } else { c }, paint);
        }
    }

    fn put_all(&mut self, x: usize, y: usize, text: &[(char, Paint)]) {
        for (i, (c, paint)) in text.iter().enumerate() {
            self.put(x + i, y, *c, *paint);
        }
    }

    fn put_centred(&mut self, x: usize, y: usize, room: usize, text: &[(char, Paint)]) {
        self.put_all(x + room.saturating_sub(text.len()) / 2, y, text);
    }

    fn lines(&self) -> Vec<String> {
        self.lines.iter().map(|line| finished(line)).collect()
    }
}

/// A line of the canvas without its trailing spaces, one ANSI code for neighbours that look alike.
fn finished(line: &[(char, Paint)]) -> String {
    let end = line.iter().rposition(|(c, _)| *c != ' ').map_or(0, |i| i + 1);
    let mut text = String::new();
    for run in line[..end].chunk_by(|a, b| a.1 == b.1) {
        let chars: String = run.iter().map(|(c, _)| *c).collect();
        let paint = run[0].1;
        if paint.is_plain() {
            text.push_str(&chars);
        } else {
            text.push_str(&format!("{paint}{chars}{paint:#}"));
        }
    }
    text
}
