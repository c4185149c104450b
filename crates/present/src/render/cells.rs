//! The board as cells with outlines: their measures, and which unit goes into which line.

use super::ground::{self, CellEdge, EntryEdge};
use super::look::{CellToken, DrawContext, FactionCode};
use crate::kernel::grid::{Cell, Grid};
use crate::kernel::ids::{FactionId, PlaceId, PlaceSet};
use anstyle::Style as Paint;

impl DrawContext<'_> {
    /// Returns the paint of the cell outlines.
    pub(super) fn edge(&self) -> Paint {
        if self.style.colour {
            Paint::new().dimmed()
        } else {
            Paint::new()
        }
    }

    pub(super) fn cells(&self, shape: &CellMetrics) -> Vec<String> {
        let board = &self.rules.board;
        let (shown, gaps) = (self.shown_places(), self.gaps());
        let corner = |place| shape.corner(board.cell(place), board.rows());
        let labels: Vec<Label> = self.entries.iter().map(|e| self.label(e, shape)).collect();
        // The drawing begins where the first thing stands, whatever of the board lies before it.
        let firsts = |x: &mut dyn Iterator<Item = usize>| x.min().unwrap_or(0);
        let top = firsts(&mut (&shown | &gaps).map(|p| corner(p).1));
        let left = firsts(
            &mut (&shown | &gaps)
                .map(|p| corner(p).0 + MARGIN)
                .chain(labels.iter().map(|l| l.x)),
        );
        let at = |place| {
            let (x, y) = corner(place);
            (x + MARGIN - left, y - top)
        };
        let (mut columns, mut lines) = (0, 0);
        for (x, y) in (&shown | &gaps).map(at) {
            columns = columns.max(x + shape.width());
            lines = lines.max(y + shape.height + 1);
        }
        let ends = labels.iter().map(|l| l.x + l.text.len() - left);
        let mut canvas = Canvas::new(ends.fold(columns, usize::max), lines);
        let edge = |c| if self.style.ascii { c } else { joining(c) };
        for (x, y) in gaps.iter().map(at) {
            for (dx, dy, edge) in shape.outline() {
                // Every second character of a flat edge.
                if !matches!(edge, '_' | '-') || !(dx - shape.inside(0).0).is_multiple_of(2) {
                    canvas.put(x + dx, y + dy, '.', self.edge());
                }
            }
        }
        for (x, y) in shown.iter().map(at) {
            for (dx, dy, c) in shape.outline() {
                canvas.put(x + dx, y + dy, edge(c), self.edge());
            }
        }
        if !self.style.ascii {
            canvas.join();
        }
        let in_place = |place: PlaceId| {
            let (x, y) = at(place);
            let outline = shape.outline().into_iter();
            outline
                .map(move |(dx, dy, c)| (x + dx, y + dy, c))
                .collect::<Vec<_>>()
        };
        for (edge, [a, b]) in ground::laid_edges(self.rules, self.world) {
            if !(shown.contains(a) && shown.contains(b)) {
                continue;
            }
            let other = in_place(b);
            let shared: Vec<_> = in_place(a)
                .into_iter()
                .filter(|(x, y, _)| other.iter().any(|(ox, oy, _)| (x, y) == (ox, oy)))
                .collect();
            let alone = shared.len() == 1;
            let drawn = shared.into_iter().filter(|(.., c)| *c != '+' || alone);
            for ((x, y, _), (symbol, paint)) in drawn.zip(self.terrain(edge).into_iter().cycle()) {
                canvas.put(x, y, symbol.chars().next().unwrap_or('#'), paint);
            }
        }
        for entry in self.entries.iter().filter(|_| self.style.colour) {
            let (x, y) = at(entry.place);
            let paint = self.paint(entry.faction).bold();
            for (dx, dy) in shape.edge(entry.edge) {
                canvas.repaint(x + dx, y + dy, paint);
            }
        }
        for label in &labels {
            canvas.put_all(label.x - left, label.y - top, &label.text);
        }
        let mut crowded = Vec::new();
        for place in shown | gaps {
            let (x, y) = at(place);
            let (title, paint) = self.title(place);
            let (start, room) = shape.inside(0);
            let title: Vec<(char, Paint)> = title.chars().take(room).map(|c| (c, paint)).collect();
            // At the left, where it is not taken for a unit; with a space before it where there is room.
            let terrain = match self.terrain_width(place) {
                0 => 0,
                width => width + 1,
            };
            let indent = usize::from(title.len() + terrain + 2 <= room);
            canvas.put_all(x + start + indent, y + 1, &title);
            self.put_terrain(
                &mut canvas,
                place,
                (x + start, y + 1),
                (indent + title.len(), room),
            );
            let taken = indent + title.len() + 1;
            let beside = (0, start + taken, room.saturating_sub(taken + terrain));
            let inside: Vec<(usize, usize, usize)> = match shape.slant {
                // Beside the title, and on the flat edge of a hexagon.
                1 => vec![beside, (1, start, room)],
                0 if shape.height == 2 => vec![beside],
                _ => (1..shape.height - 1)
                    .map(|line| (line, shape.inside(line).0, shape.inside(line).1))
                    .collect(),
            };
            let widths: Vec<usize> = inside.iter().map(|(.., room)| *room).collect();
            let rows = self.arrange(self.groups(place), &widths);
            if rows.iter().flatten().any(CellToken::is_more) {
                crowded.push(place);
            }
            for (tokens, (line, start, room)) in rows.iter().zip(&inside) {
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
                canvas.put_centred(x + start, y + 1 + line, *room, &text);
            }
        }
        let mut lines = canvas.lines();
        if self.style.low && !crowded.is_empty() {
            // Low cells have room for few: whom they do not show is told below.
            lines.push(String::new());
            lines.extend(self.listed(&crowded, false));
        }
        lines
    }

    /// The symbols of a place's terrain at the right of its first line, which begins at `(x, y)` and has
    /// `room` columns of which the title takes `used`; as many as there is room for.
    fn put_terrain(
        &self,
        canvas: &mut Canvas,
        place: PlaceId,
        (x, y): (usize, usize),
        (used, room): (usize, usize),
    ) {
        let mut text: Vec<(char, Paint)> = Vec::new();
        for (symbol, paint) in self.terrain(place) {
            if !text.is_empty() {
                text.push((' ', Paint::new()));
            }
            text.extend(symbol.chars().map(|c| (c, paint)));
        }
        // A blank at the end where a blank before them is left too.
        let after = usize::from(used + text.len() + 2 <= room);
        text.truncate(room.saturating_sub(used));
        canvas.put_all(x + room - text.len() - after, y, &text);
    }

    /// Returns the label at the edge by which a faction comes in: its name with arrows, outside of a slanted edge or on
    /// a flat one.
    fn label(&self, entry: &EntryEdge, shape: &CellMetrics) -> Label {
        let board = &self.rules.board;
        let (x, y) = shape.corner(board.cell(entry.place), board.rows());
        let x = x + MARGIN;
        let name = self.entry_name(entry.faction, shape);
        let (flat, paint) = (shape.flat, self.paint(entry.faction).bold());
        let is_flat = entry.edge.is_top() || entry.edge.is_bottom();
        let text = match entry.edge {
            _ if is_flat => {
                let arrow = if entry.edge.is_top() { 'v' } else { '^' };
                let around = [format!("{arrow} {name} {arrow}"), format!("{arrow}{name}{arrow}")];
                let fits = |t: &&String| t.chars().count() <= flat;
                around.iter().find(fits).unwrap_or(&name).clone()
            }
            edge if edge.is_left() => format!("{name}>"),
            _ => format!("<{name}"),
        };
        let plain = if self.style.colour { paint } else { Paint::new() };
        let text: Vec<(char, Paint)> = text.chars().map(|c| (c, plain)).collect();
        // In the line of a slanted edge that is nobody's flat one.
        let line = match entry.edge {
            edge if edge.is_top() => 0,
            edge if edge.is_bottom() => shape.height,
            _ if shape.slant == 0 => shape.height / 2,
            edge if edge.is_upper() => (shape.slant - 1).max(1),
            _ => (shape.slant + 2).min(shape.height),
        };
        let start = match entry.edge {
            _ if is_flat => shape.inside(0).0 + flat.saturating_sub(text.len()) / 2,
            edge => {
                let (start, room) = shape.inside(line - 1);
                if edge.is_right() {
                    start + room + 1
                } else {
                    start - 1
                }
            }
        };
        let x = match entry.edge.is_left() {
            true => (x + start).saturating_sub(text.len()),
            false => x + start,
        };
        Label { x, y: y + line, text }
    }

    /// Returns the name of a faction at its edge: the full name where there is room, else its first letter.
    pub(super) fn entry_name(&self, faction: FactionId, shape: &CellMetrics) -> String {
        let name = self.faction_name(faction);
        match shape.short {
            false => name.to_owned(),
            true => match &self.code {
                FactionCode::Prefix(letters) => letters[faction.index()].to_string(),
                _ => name.chars().take(1).collect(),
            },
        }
    }

    /// Distributes units over the lines of a hexagon: of two factions, one keeps to the top and one to the bottom,
    /// where there is room.
    fn arrange(&self, groups: Vec<(FactionId, Vec<CellToken>)>, widths: &[usize]) -> Vec<Vec<CellToken>> {
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
            let mut rows: Vec<Vec<CellToken>> = Vec::new();
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
        let all: Vec<CellToken> = groups.iter().flat_map(|(_, tokens)| tokens.clone()).collect();
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
fn wrap(tokens: &[CellToken], widths: &[usize]) -> Option<Vec<Vec<CellToken>>> {
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
fn wrap_some(tokens: &[CellToken], widths: &[usize], paint: Paint) -> Vec<Vec<CellToken>> {
    for shown in (0..=tokens.len()).rev() {
        let mut some = tokens[..shown].to_vec();
        if shown < tokens.len() {
            some.push(CellToken::more(tokens.len() - shown, paint));
        }
        if let Some(rows) = wrap(&some, widths) {
            return rows;
        }
    }
    vec![Vec::new(); widths.len()]
}

/// Room at the left for the names of factions that come in there; what of it is not needed is not drawn.
const MARGIN: usize = 40;

/// The name of a faction at an edge, `x` counted with the [`MARGIN`].
struct Label {
    x: usize,
    y: usize,
    text: Vec<(char, Paint)>,
}

/// The measures of a cell: its flat edges are `flat` wide, the upper one `height` lines above the lower one. A
/// hexagon's slanted edges are `slant` lines high and wide; a column begins `flat + slant` after the one before,
/// and every second one `slant` lines lower. A square has upright edges, and its `slant` is 0. Neighbours draw the
/// same characters for the edge between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellMetrics {
    pub(super) slant: usize,
    pub(super) flat: usize,
    pub(super) height: usize,
    /// Whether factions are named at edges by one letter.
    pub(super) short: bool,
}

impl CellMetrics {
    /// The shape for these rules in this width: cells with two units to a line where there is room,
    /// else higher ones with one; the lowest where the style asks for them. Without terrain, the same for every position of a game.
    pub(super) fn fitting(look: &DrawContext<'_>) -> Option<Self> {
        if look.style.letters && look.rows().is_some() {
            return None;
        }
        let marks = &look.marks;
        let marked = usize::from(!(&marks.reach | &marks.threat).is_empty());
        let signs = if look.rules.terrains.is_empty() {
            vec![0]
        } else {
            vec![2 * marked, 0]
        };
        let longest = look.entries.iter().map(|e| look.faction_name(e.faction));
        let longest = longest.map(|n| n.chars().count()).max().unwrap_or(0);
        let mut ways = signs
            .into_iter()
            .flat_map(|signs| [(signs, false), (signs, true)]);
        let fits = |(signs, short): (usize, bool)| {
            if !short && longest + 2 > MARGIN {
                return None;
            }
            let label = if short { 2 } else { longest + 1 };
            Self::with(look, signs, label, short)
        };
        ways.find_map(fits)
    }

    /// The shape with so much room for signs around names, and so much for labels of slanted edges.
    fn with(look: &DrawContext<'_>, signs: usize, label: usize, short: bool) -> Option<Self> {
        let board = &look.rules.board;
        let shown: PlaceSet = look.shown_places() | look.gaps();
        let in_columns = || shown.iter().map(|p| board.cell(p).column);
        let first = in_columns().min()?;
        let columns = in_columns().max()? + 1 - first;
        let outer = |is: fn(CellEdge) -> bool| usize::from(look.entries.iter().any(|e| is(e.edge)));
        let beside = label * (outer(CellEdge::is_left) + outer(CellEdge::is_right));
        let title = shown
            .map(|p| {
                // Without marks: the same for every position.
                let name = if look.style.names { board.name(p) } else { "" };
                let terrain = match look.terrain_width(p) {
                    0 => 0,
                    width => width + usize::from(look.style.names),
                };
                name.chars().count() + usize::from(look.marker(p).is_some()) + terrain
            })
            .max()
            .unwrap_or(0)
            + signs;
        let token = look.token_width();
        let in_line = |tokens: usize| tokens * (token + 1) - 1;
        let shape = |slant: usize, height: usize, flat: usize| Self {
            slant,
            flat,
            height,
            short,
        };
        // The widest flat edge with which all columns fit.
        let most = |slant: usize| {
            (look.style.width.checked_sub(slant + beside)? / columns)
                .checked_sub(slant)
                .filter(|&w| w > 0)
        };
        let stack = look.rules.stack.clamp(1, 4);
        let (least, good) = (in_line(stack.min(2)), in_line(stack) + 2);
        // Room for the title with its signs and a unit beside it.
        let beside_title = title - signs + 4 + token;
        if let Grid::Squares { .. } = board.grid {
            let flat = (look.style.width.checked_sub(1 + beside)? / columns).checked_sub(1)?;
            return if look.style.low && flat > title + token {
                Some(shape(0, 2, flat.min(beside_title)))
            } else if flat >= title.max(least) {
                Some(shape(0, 3, flat.min(good.max(title + 2).max(7))))
            } else {
                Some(shape(0, 4, flat)).filter(|_| flat >= title.max(token))
            };
        }
        let low = most(1).filter(|&w| look.style.low && w > title && w >= token);
        if let Some(flat) = low {
            return Some(shape(1, 2, flat.min(beside_title.max(least))));
        }
        if let Some(flat) = most(2).filter(|&w| w >= title && w + 2 >= least) {
            let good = good.max(title + 4).max(9) - 2;
            return Some(shape(2, 4, flat.min(good)));
        }
        let flat = most(3).filter(|&w| w >= title && w + 2 >= token)?;
        let good = (token + 2).max(title + 2);
        Some(shape(3, 6, flat.min(good)))
    }

    fn width(&self) -> usize {
        self.flat + 2 * self.slant.max(1)
    }

    /// The left and upper end of a cell's outline.
    pub(super) fn corner(&self, cell: &Cell, rows: usize) -> (usize, usize) {
        let from_top = rows.saturating_sub(cell.row + 1);
        let lower = if cell.column % 2 == 1 { self.slant } else { 0 };
        (
            cell.column * (self.flat + self.slant.max(1)),
            from_top * self.height + lower,
        )
    }

    /// Returns the start (from the corner) and the width of the inside of a line; lines from 0.
    fn inside(&self, line: usize) -> (usize, usize) {
        if self.slant == 0 {
            return (1, self.flat);
        }
        let from_flat = line.min((self.height - 1).saturating_sub(line));
        (self.slant - from_flat, self.flat + 2 * from_flat)
    }

    /// Returns the positions of the characters of one edge, from the corner.
    fn edge(&self, edge: CellEdge) -> Vec<(usize, usize)> {
        let (upper, left) = (1..=self.slant, 0..self.slant.max(1));
        let outline = self.outline().into_iter();
        let on_it = outline.filter(|&(dx, dy, c)| {
            let flat = matches!(c, '_' | '-');
            match edge {
                edge if edge.is_top() => flat && dy == 0,
                edge if edge.is_bottom() => flat && dy == self.height,
                beside => {
                    let half = self.slant == 0 || upper.contains(&dy) == beside.is_upper();
                    !flat && c != '+' && half && left.contains(&dx) == beside.is_left()
                }
            }
        });
        on_it.map(|(dx, dy, _)| (dx, dy)).collect()
    }

    /// The characters of the edges, from the corner.
    pub(super) fn outline(&self) -> Vec<(usize, usize, char)> {
        let mut edges = Vec::new();
        let (first, flat) = (self.inside(0).0, if self.slant == 0 { '-' } else { '_' });
        for x in 0..self.flat {
            edges.push((first + x, 0, flat));
            edges.push((first + x, self.height, flat));
        }
        if self.slant == 0 {
            for x in [0, self.flat + 1] {
                edges.extend((1..self.height).map(|line| (x, line, '|')));
                edges.extend([0, self.height].map(|line| (x, line, '+')));
            }
            return edges;
        }
        for line in 0..self.height {
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

/// The character for an edge that joins its neighbours without a gap.
fn joining(edge: char) -> char {
    match edge {
        '/' => '╱',
        '\\' => '╲',
        '|' => '│',
        '-' => '─',
        other => other,
    }
}

/// Characters with their looks, by line.
pub(super) struct Canvas {
    lines: Vec<Vec<(char, Paint)>>,
}

impl Canvas {
    pub(super) fn new(columns: usize, lines: usize) -> Self {
        Self {
            lines: vec![vec![(' ', Paint::new()); columns]; lines],
        }
    }

    pub(super) fn put(&mut self, x: usize, y: usize, c: char, paint: Paint) {
        if let Some(cell) = self.lines.get_mut(y).and_then(|line| line.get_mut(x)) {
            *cell = (if c.is_control() { '?' } else { c }, paint);
        }
    }

    fn repaint(&mut self, x: usize, y: usize, paint: Paint) {
        if let Some(cell) = self.lines.get_mut(y).and_then(|line| line.get_mut(x)) {
            cell.1 = paint;
        }
    }

    /// Has every corner of squares meet the edges that end there, and no others.
    fn join(&mut self) {
        const MEETING: [char; 16] = [
            '+', '╵', '╶', '└', '╷', '│', '┌', '├', '╴', '┘', '─', '┴', '┐', '┤', '┬', '┼',
        ];
        let at = |x: usize, y: usize| self.lines.get(y).and_then(|line| line.get(x)).map(|(c, _)| *c);
        let meets = |x: usize, y: usize| {
            let edges = [
                (at(x, y.wrapping_sub(1)), '│'),
                (at(x + 1, y), '─'),
                (at(x, y + 1), '│'),
                (at(x.wrapping_sub(1), y), '─'),
            ];
            (0..4)
                .filter(|&i| edges[i].0 == Some(edges[i].1))
                .map(|i| 1 << i)
                .sum::<usize>()
        };
        let places = (0..self.lines.len()).flat_map(|y| (0..self.lines[y].len()).map(move |x| (x, y)));
        let corners = places.filter(|&(x, y)| at(x, y) == Some('+'));
        let joined: Vec<_> = corners.map(|(x, y)| (x, y, MEETING[meets(x, y)])).collect();
        for (x, y, c) in joined {
            self.lines[y][x].0 = c;
        }
    }

    pub(super) fn put_all(&mut self, x: usize, y: usize, text: &[(char, Paint)]) {
        for (i, (c, paint)) in text.iter().enumerate() {
            self.put(x + i, y, *c, *paint);
        }
    }

    fn put_centred(&mut self, x: usize, y: usize, room: usize, text: &[(char, Paint)]) {
        self.put_all(x + room.saturating_sub(text.len()) / 2, y, text);
    }

    pub(super) fn lines(&self) -> Vec<String> {
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
