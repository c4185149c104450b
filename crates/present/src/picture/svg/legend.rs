//! Area below a board: reserves, and the meaning of the signs in the picture.

use super::{Pen, edge_bar, ghost, is_filled, is_short, life_badge, mark_line, mark_plate, pointer, star};
use crate::picture::dice::{DieDrawing, DrawnThrow, Flight, ThrowSign, TouchPoint};
use crate::picture::ground::PaperPoint;
use crate::picture::ink::{
    LINE, PAPER, Stroked as _, attribute, ink_on, n, polygon, rectangle, text_width, words,
};
use crate::picture::plane::Overlay;
use crate::picture::scene::{Border, Tint};
use crate::picture::story::{Arrow, ArrowKind};
use crate::reports::web::clean;
use svg::Node;
use svg::node::element::{Group, Line};

/// Each of these names once, in the order in which they come; an empty one is none.
pub(super) fn each<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut each: Vec<&str> = Vec::new();
    for name in names {
        if !name.is_empty() && !each.contains(&name) {
            each.push(name);
        }
    }
    each
}

impl Pen<'_> {
    /// Reserves and legend, and how high they are.
    pub(super) fn foot(&self, left: f64, top: f64, room: f64) -> (Group, f64) {
        let scene = self.scene;
        let mut flow = Flow::new(left, top, room);
        for reserve in &scene.reserves {
            let name = &scene.sides[reserve.side].name;
            flow.icon(self.sample(reserve.side), 26.0);
            flow.text(&format!("{name} reserve:"), true);
            for (nth, unit) in reserve.units.iter().enumerate() {
                if let Some((symbol, _)) = reserve.chips.get(nth) {
                    flow.icon(self.chip(reserve.side, symbol), 27.0);
                    flow.text(unit, false);
                    flow.gap();
                } else {
                    flow.text(unit, false);
                }
            }
            flow.row();
        }
        for (index, faction) in scene.sides.iter().enumerate() {
            flow.icon(self.sample(index), 26.0);
            flow.text(&faction.name, true);
            for (name, value) in &faction.numbers {
                flow.text(&format!("{} {value}", name.replace('_', " ")), false);
            }
            flow.gap();
        }
        if !scene.number.is_empty() {
            flow.icon(
                life_badge(PaperPoint::new(8.0, 0.0), 5).set("class", "sample"),
                18.0,
            );
            flow.text(&scene.number.replace('_', " "), false);
            flow.gap();
        }
        if !scene.facing.is_empty() {
            let wedge = pointer(PaperPoint::new(4.0, 0.0), (0.0, 0.0), PaperPoint::new(1.0, 0.0));
            flow.icon(Group::new().set("class", "sample").add(wedge), 16.0);
            flow.text(&scene.facing, false);
            flow.gap();
        }
        for (sign, meaning) in &scene.marks {
            flow.icon(
                mark_plate(PaperPoint::new(2.0, 0.0), sign).set("class", "sample"),
                22.0,
            );
            flow.text(meaning, false);
            flow.gap();
        }
        for home in each(scene.sides.iter().map(|s| s.home.as_str())) {
            flow.icon(self.home_sample(), 26.0);
            flow.text(home, false);
            flow.gap();
        }
        for way in each(scene.entries.iter().map(|e| e.name.as_str())) {
            for entry in scene.entries.iter().filter(|e| e.name == way) {
                let edge = (PaperPoint::new(23.0, 9.0), PaperPoint::new(23.0, -9.0));
                let sample = self.way_in(entry.side, edge, PaperPoint::new(50.0, 0.0));
                flow.icon(sample, 29.0);
            }
            flow.text(way, false);
            flow.gap();
        }
        for zone in each(scene.borders.iter().map(|b| b.zone.as_str())) {
            let mut of_sides: Vec<&Border> = scene.borders.iter().filter(|b| b.zone == zone).collect();
            of_sides.sort_by_key(|border| border.side);
            of_sides.dedup_by_key(|border| border.side);
            for border in of_sides {
                let line = self.dashed(border, Line::new().set("x1", 0).set("x2", 22));
                flow.icon(Group::new().add(line), 28.0);
            }
            flow.text(&format!("end of a {}", zone.replace('_', " ")), false);
            flow.gap();
        }
        for (kind, what) in [(ArrowKind::Move, "moves"), (ArrowKind::Hit, "hits")] {
            if let Some(arrow) = scene.arrows.iter().find(|a| a.kind == kind) {
                let sample = Arrow {
                    from: PaperPoint::new(if kind == ArrowKind::Move { 3.0 } else { -14.0 }, 4.0),
                    to: PaperPoint::new(45.0, 4.0),
                    by: Vec::new(),
                    ..arrow.clone()
                };
                flow.icon(self.arrow(&sample).set("class", "sample"), 34.0);
                flow.text(what, false);
                flow.gap();
            }
        }
        if let Some(throw) = &scene.throw {
            self.throw_legend(throw, &mut flow);
        }
        if let Some(badge) = scene.badges.iter().find(|b| is_short(b)) {
            flow.icon(
                star(PaperPoint::new(9.0, 0.0), &clean(&badge.text)).set("class", "sample"),
                22.0,
            );
            let number = scene.number.replace('_', " ");
            flow.text(format!("{number} changed").trim_start(), false);
            flow.gap();
        }
        let marked = |mark: Tint| {
            scene.cells.iter().any(|c| c.mark == Some(mark))
                || scene.tokens.iter().any(|t| t.mark == Some(mark))
                || mark == Tint::Reach && scene.over.iter().any(|o| matches!(o, Overlay::Area { .. }))
        };
        for (mark, what) in [(Tint::Reach, "can be reached"), (Tint::Threat, "can be hit")] {
            if marked(mark) {
                let corners = [(1.0, -7.0), (21.0, -7.0), (21.0, 7.0), (1.0, 7.0)];
                let corners: Vec<PaperPoint> = corners.iter().map(|(x, y)| PaperPoint::new(*x, *y)).collect();
                flow.icon(Group::new().add(mark_line(mark, &corners)), 27.0);
                flow.text(what, false);
                flow.gap();
            }
        }
        let caption = |over: &Overlay| match over {
            Overlay::Area { .. } => "",
            Overlay::Ring { .. } => "so far from its edge",
            Overlay::Line { .. } => "measured",
            Overlay::Spot { number: Some(_), .. } => "offered, among others",
            Overlay::Spot { number: None, .. } => "reached later",
        };
        let mut listed: Vec<&str> = vec![""];
        for over in &scene.over {
            let what = caption(over);
            if listed.contains(&what) {
                continue;
            }
            listed.push(what);
            let at = PaperPoint::new(10.0, 0.0);
            let sample = match over {
                Overlay::Ring { side: faction, .. } => Overlay::Ring {
                    side: *faction,
                    at,
                    radius: 7.0,
                    word: String::new(),
                },
                Overlay::Line { .. } => Overlay::Line {
                    from: PaperPoint::new(0.0, 0.0),
                    to: PaperPoint::new(21.0, 0.0),
                    edges: Vec::new(),
                    word: String::new(),
                },
                Overlay::Spot { number, .. } => Overlay::Spot {
                    at,
                    number: number.map(|_| 1),
                },
                Overlay::Area { .. } => continue,
            };
            flow.icon(self.over(&sample).set("class", "sample"), 27.0);
            flow.text(what, false);
            flow.gap();
        }
        flow.row();
        let mut lying: Vec<usize> = self
            .drawn_cells()
            .flat_map(|c| c.terrain.iter().copied())
            .collect();
        lying.sort_unstable();
        lying.dedup();
        for kind in lying.into_iter().filter_map(|kind| self.ground(kind)) {
            let corners: &[(f64, f64)] = match scene.cells.first().map(|c| c.outline.len()) {
                Some(4) => &[(3.0, -8.0), (19.0, -8.0), (19.0, 8.0), (3.0, 8.0)],
                _ => &[
                    (1.0, 0.0),
                    (6.0, -8.0),
                    (16.0, -8.0),
                    (21.0, 0.0),
                    (16.0, 8.0),
                    (6.0, 8.0),
                ],
            };
            let corners: Vec<PaperPoint> = corners.iter().map(|(x, y)| PaperPoint::new(*x, *y)).collect();
            let sample = polygon(&corners)
                .set("fill", attribute(&kind.colour))
                .stroked(LINE, 1.2);
            let sign = words(&clean(&kind.sign), 11.0, 4.5, 13.0)
                .set("text-anchor", "middle")
                .set("font-weight", "bold")
                .set("fill", ink_on(&kind.colour));
            let mut sample = Group::new().add(sample);
            if !kind.sign.is_empty() {
                sample.append(sign);
            }
            flow.icon(sample, 26.0);
            flow.text(&kind.name, false);
            flow.gap();
        }
        let mut on_edges: Vec<usize> = scene
            .edges
            .iter()
            .flat_map(|e| e.terrain.iter().copied())
            .collect();
        on_edges.sort_unstable();
        on_edges.dedup();
        for kind in on_edges.into_iter().filter_map(|kind| self.ground(kind)) {
            let ends = (PaperPoint::new(4.0, 0.0), PaperPoint::new(20.0, 0.0));
            flow.icon(edge_bar(ends, &kind.colour).set("class", "sample"), 26.0);
            flow.text(&kind.name, false);
            flow.gap();
        }
        flow.row();
        for (symbol, name) in &scene.types {
            flow.text(symbol, true);
            flow.text(name, false);
            flow.gap();
        }
        flow.row();
        let height = flow.y - top;
        (flow.group, height)
    }

    /// Adds the meanings of the signs of a throw, as far as they occur.
    fn throw_legend(&self, throw: &DrawnThrow, flow: &mut Flow) {
        let at = PaperPoint::new(10.0, 0.0);
        let faction = throw.flights.first().map_or(0, |flight| flight.side);
        let way = |stated: bool, off: bool| Flight {
            unit: String::new(),
            side: faction,
            before: None,
            line: vec![
                PaperPoint::new(1.0, 0.0),
                PaperPoint::new(if off { 15.0 } else { 25.0 }, 0.0),
            ],
            stated,
            off,
        };
        let fell_stated = throw.flights.iter().any(|f| f.off && f.stated);
        let met = throw.touches.iter().find_map(|touch| touch.by.as_ref());
        for sign in throw.signs() {
            let (sample, wide) = match sign {
                ThrowSign::Way => (self.flight(&way(false, false)).set("class", "sample"), 31.0),
                ThrowSign::Ends => (self.flight(&way(true, false)).set("class", "sample"), 31.0),
                ThrowSign::Off => (self.flight(&way(fell_stated, true)).set("class", "sample"), 31.0),
                ThrowSign::Lay => {
                    let corners = [(4.0, -6.0), (16.0, -6.0), (16.0, 6.0), (4.0, 6.0)];
                    let die = DieDrawing {
                        label: String::new(),
                        outline: corners.iter().map(|(x, y)| PaperPoint::new(*x, *y)).collect(),
                        faces: Vec::new(),
                        shows: None,
                    };
                    let sample = ghost(&die, PaperPoint::new(0.0, 0.0)).set("class", "sample");
                    (Group::new().add(sample), 24.0)
                }
                ThrowSign::Met | ThrowSign::Board => {
                    let by = met.filter(|_| sign == ThrowSign::Met);
                    let by = by.map(|(_, faction)| (String::new(), *faction));
                    (self.touched(&TouchPoint { at, by }).set("class", "sample"), 20.0)
                }
            };
            flow.icon(sample, wide);
            flow.text(sign.means(), false);
            flow.gap();
        }
    }

    /// A unit that waits, as small as a word.
    fn chip(&self, faction: usize, symbol: &str) -> Group {
        let symbol = clean(symbol);
        let letters = (15.0 / text_width(&symbol, 1.0, true)).min(10.0);
        let filled = is_filled(faction);
        let fill = if filled {
            PAPER
        } else {
            self.colour(faction).strong
        };
        let text = words(&symbol, 11.0, letters * 0.36, letters)
            .set("text-anchor", "middle")
            .set("font-weight", "bold")
            .set("fill", fill);
        Group::new()
            .set("class", "waits")
            .add(self.body(faction, PaperPoint::new(11.0, 0.0), (22.0, 16.0), 1.6))
            .add(text)
    }

    fn sample(&self, faction: usize) -> Group {
        let body = self.body(faction, PaperPoint::new(11.0, 0.0), (20.0, 14.0), 1.8);
        Group::new().add(body)
    }

    /// A piece of a home's outline, in the colours of all that have one.
    fn home_sample(&self) -> Group {
        let with: Vec<usize> = (0..self.scene.sides.len())
            .filter(|s| !self.scene.sides[*s].home.is_empty())
            .collect();
        let mut group = Group::new();
        let wide = 22.0 / with.len().max(1) as f64;
        for (nth, faction) in with.iter().enumerate() {
            let colour = self.colour(*faction);
            group.append(
                rectangle(1.0 + wide * nth as f64, -6.0, wide - 1.5, 12.0)
                    .set("fill", colour.pale)
                    .stroked(colour.strong, 1.6),
            );
        }
        group
    }
}

/// Lays icons and words out in rows.
struct Flow {
    group: Group,
    left: f64,
    room: f64,
    /// Icons that wait for their word.
    icons: Vec<(Group, f64)>,
    x: f64,
    y: f64,
}

impl Flow {
    const ROW: f64 = 21.0;
    const LETTERS: f64 = 12.0;

    fn new(left: f64, top: f64, room: f64) -> Self {
        Self {
            group: Group::new().set("class", "legend"),
            left,
            room,
            icons: Vec::new(),
            x: left,
            y: top,
        }
    }

    fn fit(&mut self, width: f64) {
        if self.x > self.left && self.x + width > self.left + self.room {
            self.row();
        }
    }

    /// An icon that is drawn around height 0, from 0 to the right. It is never parted from the word after it, and
    /// waits for that.
    fn icon(&mut self, icon: Group, width: f64) {
        self.icons.push((icon, width));
    }

    fn text(&mut self, text: &str, bold: bool) {
        let text = clean(text);
        let width = text_width(&text, Self::LETTERS, bold);
        let before: f64 = self.icons.iter().map(|(_, width)| width).sum();
        self.fit(match self.icons.is_empty() {
            true => width,
            false => before + width.max(50.0),
        });
        for (icon, width) in std::mem::take(&mut self.icons) {
            let place = format!("translate({} {})", n(self.x), n(self.y + Self::ROW / 2.0));
            self.group.append(icon.set("transform", place));
            self.x += width;
        }
        let mut words = words(&text, self.x, self.y + Self::ROW / 2.0 + 4.2, Self::LETTERS);
        if bold {
            words = words.set("font-weight", "bold");
        }
        self.group.append(words);
        self.x += width + 5.0;
    }

    fn gap(&mut self) {
        self.x += 9.0;
    }

    fn row(&mut self) {
        if self.x > self.left {
            self.x = self.left;
            self.y += Self::ROW;
        }
    }
}
