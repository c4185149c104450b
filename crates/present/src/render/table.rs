//! A table top as a map to scale: bases with their units, pieces of terrain, and a ruler.

use super::cells::Canvas;
use super::look::DrawContext;
use super::shown_width;
use crate::kernel::ground::Plane;
use crate::kernel::ids::UnitId;
use crate::kernel::plane::Base;
use crate::kernel::scene::base_of;
use crate::kernel::spot::{Point, UNIT, length_text};
use anstyle::Style as Paint;

/// A map is at most so many columns wide and lines high, its frame left out.
const COLUMNS: i64 = 72;
const LINES: i64 = 30;
/// The numbers of the ruler stand at least so many columns apart.
const APART: i64 = 6;

/// Scale of a table top drawing: its number of columns and lines, a line as high as two columns are wide.
pub(super) struct Scale {
    pub(super) size: (i64, i64),
    pub(super) columns: i64,
    pub(super) lines: i64,
}

impl Scale {
    pub(super) fn of(plane: &Plane, width: usize, low: bool) -> Self {
        let size = (i64::from(plane.size.0), i64::from(plane.size.1));
        let room = i64::try_from(width).unwrap_or(COLUMNS).saturating_sub(2);
        let most = if low { LINES / 2 } else { LINES };
        let columns = (2 * most * size.0 / size.1).min(COLUMNS).min(room).max(8);
        let lines = ((columns * size.1 + size.0) / (2 * size.0)).clamp(1, 2 * LINES);
        Self { size, columns, lines }
    }

    /// The point in the middle of a cell.
    pub(super) fn middle(&self, column: i64, line: i64) -> Point {
        let x = self.size.0 * (2 * column + 1) / (2 * self.columns);
        let y = self.size.1 - self.size.1 * (2 * line + 1) / (2 * self.lines);
        Point {
            x: x as i32,
            y: y as i32,
        }
    }

    /// The cell in which a point lies.
    pub(super) fn cell(&self, at: Point) -> (i64, i64) {
        let column = i64::from(at.x) * self.columns / self.size.0;
        let line = (self.size.1 - i64::from(at.y)) * self.lines / self.size.1;
        (column.clamp(0, self.columns - 1), line.clamp(0, self.lines - 1))
    }
}

impl Scale {
    /// All cells, line by line.
    pub(super) fn cells(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        let (lines, columns) = (self.lines, self.columns);
        (0..lines).flat_map(move |line| (0..columns).map(move |column| (column, line)))
    }

    /// The cells whose middles a base covers, or touches with its edge.
    pub(super) fn under(&self, base: &Base) -> impl Iterator<Item = (i64, i64)> {
        self.cells().filter(|(column, line)| {
            base.overlaps(Base {
                at: self.middle(*column, *line),
                diameter: 1,
            })
        })
    }
}

impl DrawContext<'_> {
    /// The bases of units, as far as they have any.
    pub(super) fn bases(&self, units: &[UnitId]) -> Vec<(UnitId, Base)> {
        let bases = units.iter();
        bases
            .filter_map(|&u| Some((u, base_of(self.rules, self.world, u)?)))
            .collect()
    }

    /// The map, and below it who stands where; `None` where the game has no table top.
    pub(super) fn table(&self) -> Option<Vec<String>> {
        let plane = self.rules.plane()?;
        let scale = Scale::of(plane, self.style.width, self.style.low);
        let (columns, lines) = (scale.columns as usize, scale.lines as usize);
        let mut canvas = Canvas::new(columns + 2, lines + 2);
        let frame = self.edge();
        for x in 0..columns + 2 {
            let corner = x == 0 || x == columns + 1;
            for y in [0, lines + 1] {
                canvas.put(x, y, if corner { '+' } else { '-' }, frame);
            }
        }
        for y in 1..=lines {
            canvas.put(0, y, '|', frame);
            canvas.put(columns + 1, y, '|', frame);
        }
        for place in self.world.ground().iter() {
            let Some(shape) = self.world.piece(place) else {
                continue;
            };
            let Some(terrain) = self.world.terrain(place).next() else {
                continue;
            };
            let (symbol, paint) = self.terrain_symbol(terrain);
            let symbol = symbol.chars().next().unwrap_or('#');
            for (column, line) in scale
                .cells()
                .filter(|(c, l)| shape.contains(scale.middle(*c, *l)))
            {
                canvas.put(column as usize + 1, line as usize + 1, symbol, paint);
            }
        }
        for spot in &self.marks.spots {
            let (column, line) = scale.cell(*spot);
            canvas.put(column as usize + 1, line as usize + 1, '+', Paint::new());
        }
        let units = self.sorted(self.world.on_board());
        let bases = self.bases(&units);
        for (unit, base) in &bases {
            let paint = self.paint(self.world.unit(*unit).owner);
            for (column, line) in scale.under(base) {
                canvas.put(column as usize + 1, line as usize + 1, 'o', paint);
            }
        }
        for (unit, base) in &bases {
            let token = self.token(*unit);
            let paint = token.paint;
            let paint = if self.style.colour { paint.bold() } else { paint };
            let label = format!("{}{}", token.label, self.marked(*unit, false));
            let label: Vec<(char, Paint)> = label.chars().map(|c| (c, paint)).collect();
            let (column, line) = scale.cell(base.at);
            let first = (column as usize + 1).saturating_sub(label.len() / 2).max(1);
            let first = first.min((columns + 1).saturating_sub(label.len()).max(1));
            canvas.put_all(first, line as usize + 1, &label);
        }
        let mut lines = canvas.lines();
        lines.push(ruler(&scale, &plane.unit));
        lines.extend(self.by_faction(&units, false, |unit| self.standing(unit)));
        Some(lines)
    }

    /// Lists descriptions of units, behind the names of their factions: a line for each, or as many in a line as fit.
    pub(super) fn by_faction(
        &self,
        units: &[UnitId],
        each: bool,
        tell: impl Fn(UnitId) -> String,
    ) -> Vec<String> {
        let mut lines = Vec::new();
        for faction in self.rules.all_factions() {
            let own = units.iter().filter(|&&u| self.world.unit(u).owner == faction);
            let texts: Vec<String> = own.map(|&u| tell(u)).collect();
            let mut head = self.padded(faction);
            let texts = match each {
                true => texts,
                false => in_lines(&texts, self.style.width.saturating_sub(head.len() + 2)),
            };
            for line in texts {
                lines.push(self.painted(&format!("{head}  {line}"), self.paint(faction)));
                head = " ".repeat(head.chars().count());
            }
        }
        lines
    }

    /// A unit and where it stands.
    fn standing(&self, unit: UnitId) -> String {
        let at = self.world.point(unit).unwrap_or_default();
        let label = self.declared_label(unit);
        format!(
            "{label} {},{}",
            length_text(at.x.into()),
            length_text(at.y.into())
        )
    }
}

/// Texts in lines of at most so many columns, two blanks between them.
fn in_lines(texts: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for text in texts {
        match lines.last_mut() {
            Some(line) if shown_width(line) + 2 + shown_width(text) <= width => {
                line.push_str("  ");
                line.push_str(text);
            }
            _ => lines.push(text.clone()),
        }
    }
    lines
}

/// Lengths along the lower edge, from its left end.
pub(super) fn ruler(scale: &Scale, unit: &str) -> String {
    let columns = |length: i64| length * UNIT * scale.columns / scale.size.0;
    let step = step(columns, APART);
    let mut line = String::new();
    for n in (0..)
        .map(|n| n * step)
        .take_while(|n| columns(*n) <= scale.columns)
    {
        let at = columns(n) as usize + 1;
        while line.len() < at {
            line.push(' ');
        }
        line += &n.to_string();
    }
    format!("{line} {unit}")
}

/// Returns the interval between the marks of a ruler: the shortest round length that takes at least `apart` characters.
pub(super) fn step(characters: impl Fn(i64) -> i64, apart: i64) -> i64 {
    let mut steps = (0..6u32).flat_map(|power| [1, 2, 5].map(|n| n * 10i64.pow(power)));
    steps.find(|step| characters(*step) >= apart).unwrap_or(1)
}
