//! An arena as a map to scale: the outline of its board, its zones by their names, and dice with what they show.

use super::cells::Canvas;
use super::look::DrawContext;
use super::table::{Scale, ruler, step};
use super::{die_label, shown_width, side_by_side};
use crate::kernel::ids::UnitId;
use crate::kernel::plane::{Base, Shape};
use crate::kernel::spot::{Point, UNIT, length_text};
use crate::kernel::throws;
use anstyle::Style as Paint;
use std::collections::BTreeSet;

/// The room for the ruler at the left.
const LEFT: usize = 4;

impl DrawContext<'_> {
    /// The map with who lies where beside it or below; `None` where the game has no arena.
    pub(super) fn thrown_dice(&self) -> Option<Vec<String>> {
        let ground = self.rules.ground.as_ref();
        let (dice, plane) = (ground.dice()?, ground.plane()?);
        let zones = ground.first_pieces();
        let room = self.style.width.saturating_sub(LEFT);
        let scale = Scale::of(plane, room, self.style.low);
        let (columns, lines) = (scale.columns as usize, scale.lines as usize);
        let mut canvas = Canvas::new(LEFT + columns, lines);
        let faint = self.edge();
        let mut outline = |shape: &Shape, sign: char| {
            let inside = |column, line| shape.contains(scale.middle(column, line));
            let near = |(c, l): (i64, i64)| [(c - 1, l), (c + 1, l), (c, l - 1), (c, l + 1)];
            let within = |(c, l): (i64, i64)| {
                (0..scale.columns).contains(&c) && (0..scale.lines).contains(&l) && inside(c, l)
            };
            for (column, line) in scale.cells().filter(|(c, l)| inside(*c, *l)) {
                if !near((column, line)).into_iter().all(within) {
                    canvas.put(column as usize + LEFT, line as usize, sign, faint);
                }
            }
        };
        for zone in zones {
            outline(zone, '.');
        }
        let corners = dice.rim().iter().map(|&[x, y]| Point { x, y });
        if let Ok(board) = Shape::polygon(&corners.collect::<Vec<_>>()) {
            outline(&board, '#');
        }
        for spot in &self.marks.spots {
            let (column, line) = scale.cell(*spot);
            canvas.put(column as usize + LEFT, line as usize, '+', Paint::new());
        }
        let units = self.sorted(self.world.on_board());
        let taken = self.lay(&mut canvas, &scale, &units);
        // A zone's name stands in its upper edge, or in its lower one where a die lies there.
        for (place, zone) in self.rules.board.places().iter().zip(zones) {
            let name = self.rules.board.name(place);
            let within = || scale.cells().filter(|(c, l)| zone.contains(scale.middle(*c, *l)));
            let edges = within().map(|cell| cell.1).min().into_iter();
            let edges = edges.chain(within().map(|cell| cell.1).max());
            let wide = name.chars().count() as i64;
            let first = (scale.cell(zone.middle()).0 - wide / 2).max(0);
            let is_free = |line: &i64| !(first - 1..=first + wide).any(|at| taken.contains(&(at, *line)));
            if let Some(line) = edges.into_iter().find(is_free) {
                let name: Vec<(char, Paint)> = name.chars().map(|c| (c, faint)).collect();
                canvas.put_all(first as usize + LEFT, line as usize, &name);
            }
        }
        // Lengths along the left edge, each on the line in which it lies.
        let step = step(|length| length * UNIT * scale.lines / scale.size.1, 3);
        for n in (0..).map(|n| n * step).take_while(|n| n * UNIT <= scale.size.1) {
            let (_, line) = scale.cell(Point {
                x: 0,
                y: (n * UNIT) as i32,
            });
            let number: Vec<(char, Paint)> = format!("{n:>3}").chars().map(|c| (c, faint)).collect();
            canvas.put_all(0, line as usize, &number);
        }
        let mut drawn = canvas.lines();
        drawn.push(format!("{}{}", " ".repeat(LEFT - 1), ruler(&scale, &plane.unit)));
        let beside = self.lying(&units, true);
        let widest = |lines: &[String]| lines.iter().map(|line| shown_width(line)).max().unwrap_or(0);
        let fits = widest(&drawn) + 2 + widest(&beside) <= self.style.width && beside.len() <= drawn.len();
        if self.style.low && fits {
            let both = side_by_side(&drawn.join("\n"), &beside.join("\n"), 2);
            return Some(both.lines().map(str::to_owned).collect());
        }
        drawn.extend(self.lying(&units, false));
        Some(drawn)
    }

    /// Draws dice: what they cover, and their labels with what they show, shorter where they are in each other's way.
    /// What they take of the map is told.
    fn lay(&self, canvas: &mut Canvas, scale: &Scale, units: &[UnitId]) -> BTreeSet<(i64, i64)> {
        let bases = self.bases(units);
        for (unit, base) in &bases {
            let paint = self.paint(self.world.unit(*unit).owner);
            for (column, line) in scale.under(base) {
                canvas.put(column as usize + LEFT, line as usize, 'o', paint);
            }
        }
        let middle = |base: &Base| scale.cell(base.at);
        let mut taken: BTreeSet<(i64, i64)> = BTreeSet::new();
        for (unit, base) in &bases {
            let (column, line) = middle(base);
            let paint = self.paint(self.world.unit(*unit).owner);
            let paint = if self.style.colour { paint.bold() } else { paint };
            let (long, short) = self.called(*unit);
            // Around its middle, or to one side of it; and never over the middle of another.
            let mut tries = [&long, &short].into_iter().flat_map(|text| {
                let wide = text.chars().count() as i64;
                [column - wide / 2, column, column - wide + 1].map(|first| (text, first, wide))
            });
            let is_free = |(_, first, wide): &(&String, i64, i64)| {
                let own = *first..first + wide;
                let is_other = |other: &(UnitId, Base)| {
                    let (at, on) = middle(&other.1);
                    other.0 != *unit && on == line && own.contains(&at)
                };
                *first >= 0
                    && own.end <= scale.columns
                    && !own.clone().any(|at| taken.contains(&(at, line)))
                    && !bases.iter().any(is_other)
            };
            if let Some((text, first, wide)) = tries.find(is_free) {
                taken.extend((first..first + wide).map(|at| (at, line)));
                let text: Vec<(char, Paint)> = text.chars().map(|c| (c, paint)).collect();
                canvas.put_all(first as usize + LEFT, line as usize, &text);
            }
        }
        taken
    }

    /// Returns the label of a die on the map, first with the face that it shows, then without it.
    fn called(&self, unit: UnitId) -> (String, String) {
        let label = die_label(self.rules, self.world, self.world.name(unit), self.style.ascii);
        let label = self.coded(self.world.unit(unit).owner, label);
        (format!("{label}={}", self.shown_face(unit)), label)
    }

    fn shown_face(&self, unit: UnitId) -> String {
        let face = throws::face(self.rules, self.world, unit);
        face.map_or_else(|| "?".to_owned(), |face| face.to_string())
    }

    /// Lists the dice with their positions and faces: a line for each die, or as many in a line as fit.
    fn lying(&self, units: &[UnitId], each: bool) -> Vec<String> {
        self.by_faction(units, each, |unit| {
            let label = die_label(self.rules, self.world, self.world.name(unit), self.style.ascii);
            let at = self.world.point(unit).unwrap_or_default();
            let (x, y) = (length_text(at.x.into()), length_text(at.y.into()));
            let face = match self.shown_face(unit).as_str() {
                "?" => "leans".to_owned(),
                face => format!("shows {face}"),
            };
            format!("{label}{} {x},{y} {face}", self.detail(unit))
        })
    }
}
