//! A scene as SVG.
//!
//! Factions differ by colour, by shape and by being filled or hollow, so that a print in black and white
//! can be read. There are no ids, styles or scripts in the output: several pictures can stand in one page.
//! Groups have classes (`cell`, `token`, `arrow`, `badge`) and `data-` attributes with readable names.

mod legend;

use super::dice::{DieDrawing, DrawnThrow, Flight, TouchPoint};
use super::drawn_plane::DrawnPlane;
use super::ground::PaperPoint;
use super::ink::{
    Colours, FAINT, FONTS, INK, LINE, PAPER, Stroked as _, attribute, circle, colours, ink_on, is_dark, line,
    n, paper, points, polygon, rectangle, text_width, words, wrapped,
};
use super::plane::Overlay;
use super::scene::{Badge, Border, EntryMark, FactionView, Scene, SceneCell, TerrainView, Tint, UnitToken};
use super::story::{Arrow, ArrowKind};
use crate::reports::web::clean;
use legend::each;
use svg::node::Text as TextNode;
use svg::node::element::{Circle, Element, Group, Line, Path, Polygon, Polyline, SVG, Style, Title};
use svg::{Document, Node};

/// The corner where an outline begins, at the left and above, and the one where it ends.
fn bounds(outline: &[PaperPoint]) -> (PaperPoint, PaperPoint) {
    let (all, far) = (outline.iter(), f64::INFINITY);
    let low = (PaperPoint { x: far, y: far }, PaperPoint { x: -far, y: -far });
    all.fold(low, |(low, high), p| {
        let low = PaperPoint {
            x: low.x.min(p.x),
            y: low.y.min(p.y),
        };
        (
            low,
            PaperPoint {
                x: high.x.max(p.x),
                y: high.y.max(p.y),
            },
        )
    })
}

const REACH: &str = "#8a6d00";

const REACH_PALE: &str = "#fff0a8";

const THREAT: &str = "#7a1f5c";

const THREAT_PALE: &str = "#f3dcec";

const STAR: &str = "#ffd84d";

const WOOD: &str = "#f0e9dc";

/// The room around everything, in picture units.
const MARGIN: f64 = 18.0;

/// No page is narrower: titles and legends need some room.
const LEAST_WIDTH: f64 = 420.0;

/// Size of the letters in the labels of dice, in picture units.
const LABEL: f64 = 13.0;
/// The labels of dice are not drawn where their letters would be lower than so many pixels: nobody reads them.
const READABLE: f64 = 7.0;

/// Part of a scene to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureExtent {
    /// A picture that stands by itself: title, caption, board, reserves and legend.
    Whole,
    /// The board alone, for a page that has words of its own.
    Board,
}

/// Whether a faction's shape is filled, rather than hollow.
fn is_filled(faction: usize) -> bool {
    (faction + faction / 4).is_multiple_of(2)
}

/// The scene as an SVG file, ending with a newline, and its size (width, height) in picture units.
pub fn document(scene: &Scene, frame: PictureExtent) -> (String, (f64, f64)) {
    scaled(scene, frame, 1.0)
}

/// The same, shown at `scale` pixels to one picture unit; the size is still in picture units.
pub fn scaled(scene: &Scene, frame: PictureExtent, scale: f64) -> (String, (f64, f64)) {
    sized(scene, frame, |length| n(length * scale))
}

/// The same, with a length of the whole as `shown` says.
fn sized(scene: &Scene, frame: PictureExtent, shown: impl Fn(f64) -> String) -> (String, (f64, f64)) {
    let pen = Pen::new(scene, frame);
    let (parts, (width, height)) = match frame {
        PictureExtent::Whole => pen.whole(),
        PictureExtent::Board => {
            let edge = 3.0;
            let board = pen.board().set("transform", format!("translate({edge} {edge})"));
            (vec![board], (scene.width + 2.0 * edge, scene.height + 2.0 * edge))
        }
    };
    let mut document = Document::new()
        .set("viewBox", format!("0 0 {} {}", n(width), n(height)))
        .set("width", shown(width))
        .set("height", shown(height))
        .set("font-family", FONTS)
        .set("role", "img");
    if !scene.title.is_empty() {
        let title = clean(&scene.title);
        document = document
            .set("aria-label", attribute(&title))
            .add(Title::new(title));
    }
    if frame == PictureExtent::Whole {
        document = document.add(paper(width, height));
    }
    if frame == PictureExtent::Board && scene.tokens.iter().any(|token| token.die.is_some()) {
        let least = n(width * READABLE / LABEL);
        let hidden = format!("@media (max-width: {least}px) {{ .tag {{ display: none }} }}");
        document = document.add(Style::new(hidden));
    }
    for part in parts {
        document = document.add(part);
    }
    (format!("{document}\n"), (width, height))
}

/// The sign of a unit as boards draw it, as SVG: the shape and colours of its faction, by index among these names, and
/// a label.
pub fn sign(factions: &[String], faction: usize, label: &str) -> String {
    let side = |name: &String| FactionView {
        name: name.clone(),
        numbers: Vec::new(),
        home: String::new(),
    };
    let scene = Scene {
        sides: factions.iter().map(side).collect(),
        ..Scene::default()
    };
    let token = UnitToken {
        name: label.to_owned(),
        symbol: label.to_owned(),
        side: faction,
        size: 1.0,
        ..UnitToken::default()
    };
    let drawn = Pen::new(&scene, PictureExtent::Board).token(&token);
    let document = Document::new()
        .set("viewBox", "-19.5 -16 38 28")
        .set("font-family", FONTS);
    document.add(drawn).to_string()
}

/// Layer of a board, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureLayer {
    /// The table, its cells and the lines between them.
    Ground,
    /// Arrows and marks for the events.
    Told,
    /// The names of the cells.
    Names,
    /// The units, and what came of it for them.
    Units,
}

impl PictureLayer {
    /// All of a board.
    pub const ALL: [PictureLayer; 4] = [
        PictureLayer::Ground,
        PictureLayer::Told,
        PictureLayer::Names,
        PictureLayer::Units,
    ];

    /// Whether it is the same on all boards with the same ground; see [`Scene::has_ground_of`].
    pub fn is_of_ground(self) -> bool {
        matches!(self, PictureLayer::Ground | PictureLayer::Names)
    }
}

/// A layer of a board part by part, lowest first, each as SVG of its own: where many boards are alike, a
/// page need hold each part only once. Drawn as [`PictureExtent::Board`] draws them, without the edge around.
pub fn board_parts(scene: &Scene, layer: PictureLayer) -> Vec<String> {
    let mut board = Group::new();
    Pen::new(scene, PictureExtent::Board).layer(layer, &mut board);
    let parts = board.get_children();
    let parts = parts.iter().flat_map(|parts| parts.iter());
    parts.map(|part| part.to_string().replace('\n', "")).collect()
}

/// The scene as an SVG file that is printed as large as the table top is, and its width and height in
/// millimetres; `None` where there is none, or where nobody knows how long its unit is.
pub fn true_size(scene: &Scene) -> Option<(String, (f64, f64))> {
    let table = scene.table.as_ref()?;
    let part = table.millimetres()? / table.scale;
    let (text, (width, height)) = sized(scene, PictureExtent::Whole, |length| {
        format!("{}mm", n(length * part))
    });
    Some((text, (width * part, height * part)))
}

/// The ground of a table top, with a ruler along its left and its lower edge.
fn empty_plane(table: &DrawnPlane) -> Group {
    /// Numbers stand at least so far apart.
    const APART: f64 = 34.0;
    let (wide, high) = table.size;
    let steps = (0..8u32).flat_map(|power| [1.0, 2.0, 5.0].map(|n: f64| n * 10f64.powi(power as i32)));
    let step = steps
        .into_iter()
        .find(|step| step * table.scale >= APART)
        .unwrap_or(1.0);
    let mut group = Group::new().set("class", "table");
    match table.edge.is_empty() {
        true => group.append(
            rectangle(table.beside, 0.0, wide, high)
                .set("fill", PAPER)
                .stroked(INK, 1.6),
        ),
        false => group.append(polygon(&table.edge).set("fill", WOOD).stroked(INK, 2)),
    }
    // The ruler lies beyond what is around the table.
    let (left, low) = (table.beside - table.around, high + 2.0 * table.around);
    let tick = |x1: f64, y1: f64, x2: f64, y2: f64| line(x1, y1, x2, y2).stroked(LINE, 1);
    let numbers = |length: f64| {
        (0..)
            .map(move |nth| f64::from(nth) * step)
            .take_while(move |at| at * table.scale <= length + 0.01)
    };
    for at in numbers(wide) {
        let x = table.beside + at * table.scale;
        group.append(tick(x, low, x, low + 5.0));
        group.append(
            words(&n(at), x, low + 14.0, 9.0)
                .set("text-anchor", "middle")
                .set("fill", FAINT),
        );
    }
    for at in numbers(high) {
        let y = table.around + high - at * table.scale;
        group.append(tick(left - 5.0, y, left, y));
        group.append(
            words(&n(at), left - 7.0, y + 3.2, 9.0)
                .set("text-anchor", "end")
                .set("fill", FAINT),
        );
    }
    let unit = words(&clean(&table.unit), left - 7.0, low + 14.0, 9.0);
    group.add(unit.set("text-anchor", "end").set("fill", INK))
}

/// Clips a drawing to the tabletop.
fn on_table(table: &DrawnPlane, drawing: Circle) -> SVG {
    let (x, y) = (n(table.beside), n(table.around));
    let (wide, high) = (n(table.size.0), n(table.size.1));
    SVG::new()
        .set("viewBox", format!("{x} {y} {wide} {high}"))
        .set("x", x)
        .set("y", y)
        .set("width", wide)
        .set("height", high)
        .add(drawing)
}

struct Pen<'a> {
    scene: &'a Scene,
    frame: PictureExtent,
    colours: Vec<Colours>,
}

impl<'a> Pen<'a> {
    fn new(scene: &'a Scene, frame: PictureExtent) -> Self {
        let names: Vec<&str> = scene.sides.iter().map(|s| s.name.as_str()).collect();
        Self {
            scene,
            frame,
            colours: colours(&names),
        }
    }

    fn colour(&self, faction: usize) -> Colours {
        self.colours.get(faction).copied().unwrap_or(Colours {
            strong: INK,
            pale: PAPER,
        })
    }

    fn whole(&self) -> (Vec<Group>, (f64, f64)) {
        let scene = self.scene;
        let width = (scene.width + 2.0 * MARGIN).max(LEAST_WIDTH);
        let room = width - 2.0 * MARGIN;
        let mut parts = Vec::new();
        let mut y = MARGIN;
        let mut head = Group::new().set("class", "head");
        for line in wrapped(&scene.title, 18.0, true, room) {
            y += 18.0;
            head.append(words(&line, MARGIN, y, 18.0).set("font-weight", "bold"));
            y += 5.0;
        }
        for line in wrapped(&scene.caption, 12.0, false, room) {
            y += 12.0;
            head.append(words(&line, MARGIN, y, 12.0).set("fill", FAINT));
            y += 4.0;
        }
        if y > MARGIN {
            parts.push(head);
            y += 8.0;
        }
        let left = (width - scene.width) / 2.0;
        let place = format!("translate({} {})", n(left), n(y));
        parts.push(self.board().set("transform", place));
        y += scene.height + 14.0;
        let (foot, height) = self.foot(MARGIN, y, room);
        parts.push(foot);
        (parts, (width, y + height + MARGIN - 4.0))
    }

    /// The cells with all that is in them.
    fn board(&self) -> Group {
        let mut board = Group::new().set("class", "board");
        for layer in PictureLayer::ALL {
            self.layer(layer, &mut board);
        }
        board
    }

    fn layer(&self, layer: PictureLayer, board: &mut Group) {
        match layer {
            PictureLayer::Ground => self.lay_ground(board),
            PictureLayer::Told => self.place_over(board),
            PictureLayer::Names => self.drawn_cells().for_each(|cell| board.append(self.name(cell))),
            PictureLayer::Units => self.place_units(board),
        }
    }

    fn lay_ground(&self, board: &mut Group) {
        let scene = self.scene;
        if let Some(table) = &scene.table {
            board.append(empty_plane(table));
        }
        let mut cells: Vec<&SceneCell> = self.drawn_cells().collect();
        if self.has_thrown_dice() {
            // One zone lies within another: the larger is below.
            cells.sort_by(|a, b| area(&b.outline).total_cmp(&area(&a.outline)));
        }
        for cell in cells {
            board.append(self.cell(cell));
        }
        // Lines that are wider than a cell's own stand above all cells.
        for cell in self.drawn_cells().filter(|c| c.fresh) {
            board.append(fresh_line(cell));
        }
        for entry in &scene.entries {
            board.append(self.entry(entry));
        }
        let dark = scene.terrains.iter().any(|kind| is_dark(&kind.colour));
        for border in &scene.borders {
            let along = || line(border.from.x, border.from.y, border.to.x, border.to.y);
            if dark {
                board.append(along().set("class", "border").stroked(PAPER, 4));
            }
            board.append(self.dashed(border, along().set("class", "border")));
        }
        for edge in &scene.edges {
            for kind in edge.terrain.iter().filter_map(|kind| self.ground(*kind)) {
                let bar = edge_bar((edge.from, edge.to), &kind.colour);
                board.append(bar.set("data-place", attribute(&edge.name)));
            }
        }
    }

    fn place_over(&self, board: &mut Group) {
        let scene = self.scene;
        for over in &scene.over {
            board.append(self.over(over));
        }
        for arrow in &scene.arrows {
            board.append(self.arrow(arrow));
        }
        for before in scene.throw.iter().flat_map(|throw| &throw.flights) {
            if let Some((at, die)) = &before.before {
                board.append(ghost(die, *at).set("data-unit", attribute(&before.unit)));
            }
        }
        if let Some(throw) = &scene.throw {
            board.append(self.throw(throw));
        }
    }

    fn place_units(&self, board: &mut Group) {
        let scene = self.scene;
        for token in &scene.tokens {
            board.append(self.token(token));
        }
        for touched in scene.throw.iter().flat_map(|throw| &throw.touches) {
            board.append(self.touched(touched));
        }
        // Badges of one unit stand below each other.
        for (index, badge) in scene.badges.iter().enumerate() {
            let before = &scene.badges[..index];
            let nth = before
                .iter()
                .filter(|b| b.unit == badge.unit && is_short(b) == is_short(badge));
            board.append(self.badge(badge, nth.count()));
        }
    }

    fn has_thrown_dice(&self) -> bool {
        self.scene
            .table
            .as_ref()
            .is_some_and(|table| !table.edge.is_empty())
    }

    /// The cells that are drawn: all but gaps.
    fn drawn_cells(&self) -> impl Iterator<Item = &'a SceneCell> {
        self.scene.cells.iter().filter(|c| !c.gap)
    }

    fn ground(&self, kind: usize) -> Option<&'a TerrainView> {
        self.scene.terrains.get(kind)
    }

    /// A line where a zone ends: each zone has dashes of its own, in the colour of the side whose it is.
    fn dashed(&self, border: &Border, line: Line) -> Line {
        const DASHES: [&str; 6] = ["7 4", "2 3", "16 4", "10 3 2 3", "16 3 2 3 2 3", "4 8"];
        let zones = each(self.scene.borders.iter().map(|b| b.zone.as_str()));
        let nth = zones.iter().position(|name| *name == border.zone).unwrap_or(0);
        let ink = border.side.map_or(INK, |faction| self.colour(faction).strong);
        line.stroked(ink, 2)
            .set("stroke-dasharray", DASHES[nth % DASHES.len()])
    }

    /// Returns a colour that can be read in the middle of a cell, on the terrain there.
    fn ink(&self, cell: &SceneCell) -> &'static str {
        let upon = cell.terrain.get(1..).unwrap_or_default();
        let kind = upon.get(upon.len() / 2).or(cell.terrain.first());
        kind.and_then(|&kind| self.ground(kind))
            .map_or(INK, |ground| ink_on(&ground.colour))
    }

    /// Returns the areas, with colours, of what stands on the ground of a cell: one in its middle, several side by
    /// side; empty for bare ground.
    fn patches(&self, cell: &SceneCell) -> Vec<Polygon> {
        let upon = cell.terrain.get(1..).unwrap_or_default();
        let inner: Vec<PaperPoint> = cell
            .outline
            .iter()
            // So large that the cell's name and what is written below stand in it.
            .map(|p| cell.centre.towards(*p, 0.92))
            .collect();
        let across = |of: fn(f64, f64) -> f64| inner.iter().map(|p| p.x).reduce(of);
        let (Some(left), Some(right)) = (across(f64::min), across(f64::max)) else {
            return Vec::new();
        };
        let wide = (right - left) / upon.len().max(1) as f64;
        let patch = |(nth, kind): (usize, &usize)| {
            let from = left + wide * nth as f64;
            let slice = between(&inner, from, from + wide);
            Some(
                polygon(&slice)
                    .set("fill", attribute(&self.ground(*kind)?.colour))
                    .stroked(LINE, 0.7),
            )
        };
        upon.iter().enumerate().filter_map(patch).collect()
    }

    fn cell(&self, cell: &SceneCell) -> Group {
        let home = cell.home.map(|faction| self.colour(faction));
        let ground = cell.terrain.first().and_then(|&kind| self.ground(kind));
        let fill = match (cell.mark, ground, home) {
            // Terrain keeps its colour under marks; their lines are enough.
            (_, Some(ground), _) => ground.colour.as_str(),
            (Some(Tint::Reach), ..) => REACH_PALE,
            (Some(Tint::Threat), ..) => THREAT_PALE,
            (None, None, Some(home)) => home.pale,
            (None, None, None) => PAPER,
        };
        let mut group = Group::new()
            .set("class", "cell")
            .set("data-place", attribute(&cell.name))
            .add(
                polygon(&cell.outline)
                    .set("fill", attribute(fill))
                    .stroked(LINE, 1.2),
            );
        let inset = |part: f64| -> Vec<PaperPoint> {
            cell.outline
                .iter()
                .map(|p| cell.centre.towards(*p, part))
                .collect()
        };
        for patch in self.patches(cell) {
            group.append(patch);
        }
        if let Some(home) = home {
            group.append(
                polygon(&inset(0.95))
                    .set("fill", "none")
                    .stroked(home.strong, 1.6),
            );
        }
        if let Some(mark) = cell.mark {
            let part = if home.is_some() { 0.9 } else { 0.93 };
            group.append(mark_line(mark, &inset(part)));
        }
        let (PaperPoint { x: left, y: top }, PaperPoint { y: bottom, .. }) = bounds(&cell.outline);
        let mut features = cell.features.clone();
        let kinds = cell.terrain.iter().filter_map(|&kind| self.ground(kind));
        let named: Vec<&str> = kinds.filter(|g| !g.plain).map(|g| g.name.as_str()).collect();
        // On a low piece there is room for its name alone, or not even that; its colour and the legend tell what it is.
        let low = self.scene.table.is_some() && bottom - top < 34.0 || self.beside(cell).is_some();
        if !named.is_empty() && !low {
            features.insert(0, named.join(", "));
        }
        // More than two lines would lie below whoever stands here: what fits beside one another shares a line.
        let wide = if features.len() > 2 {
            1.7 * (cell.centre.x - left)
        } else {
            0.0
        };
        let mut lines: Vec<String> = Vec::new();
        for feature in features {
            match lines.last_mut().map(|line| (format!("{line}, {feature}"), line)) {
                Some((longer, line)) if text_width(&longer, 9.0, false) <= wide => *line = longer,
                _ => lines.push(feature),
            }
        }
        for (nth, feature) in lines.iter().enumerate() {
            let y = bottom - 5.0 - 9.0 * nth as f64;
            group.append(
                words(&clean(feature), cell.centre.x, y, 9.0)
                    .set("text-anchor", "middle")
                    .set("font-style", "italic")
                    .set("fill", self.ink(cell)),
            );
        }
        group
    }

    /// The edge where a faction comes in.
    fn entry(&self, entry: &EntryMark) -> Group {
        let middle = entry.from.towards(entry.to, 0.5);
        let inwards = self.scene.cells.get(entry.cell).map_or(middle, |c| c.centre);
        let name = self.scene.sides.get(entry.side).map_or("", |s| &s.name);
        self.way_in(entry.side, (entry.from, entry.to), inwards)
            .set("class", "entry")
            .set("data-side", attribute(name))
    }

    /// A thick line along an edge, with an arrow that points from outside to a point inwards.
    fn way_in(&self, faction: usize, (from, to): (PaperPoint, PaperPoint), inwards: PaperPoint) -> Group {
        let colour = self.colour(faction).strong;
        let filled = is_filled(faction);
        let middle = from.towards(to, 0.5);
        let long = middle.distance(inwards).max(1.0);
        let (x, y) = ((inwards.x - middle.x) / long, (inwards.y - middle.y) / long);
        // So far outwards and so far along the edge.
        let at = |(out, along): (f64, f64)| middle.plus(-x * out - y * along, -y * out + x * along);
        let arrow = [
            (4.0, 0.0),
            (14.0, 9.0),
            (14.0, 4.0),
            (21.0, 4.0),
            (21.0, -4.0),
            (14.0, -4.0),
            (14.0, -9.0),
        ];
        let line = |stroke: &str, width: f64| {
            line(from.x, from.y, to.x, to.y)
                .stroked(stroke, n(width))
                .set("stroke-linecap", "round")
        };
        let mut group = Group::new().add(line(colour, 6.0));
        if !filled {
            group.append(line(PAPER, 2.4));
        }
        group.add(
            polygon(&arrow.map(at))
                .set("fill", if filled { colour } else { PAPER })
                .stroked(colour, 1.6)
                .set("stroke-linejoin", "round"),
        )
    }

    /// Returns the start of the name of a piece of terrain that has no room for it: beside it, towards the table.
    fn beside(&self, cell: &SceneCell) -> Option<PaperPoint> {
        let table = self.scene.table.as_ref()?;
        let (low, high) = bounds(&cell.outline);
        let wide = text_width(&clean(&cell.name), 10.0, false);
        let has_room = high.x - low.x >= wide + 4.0 && high.y - low.y >= 20.0;
        let right = high.x + 4.0;
        let x = match right + wide > table.beside + table.around + table.size.0 {
            true => low.x - 4.0 - wide,
            false => right,
        };
        (!has_room).then(|| PaperPoint::new(x, cell.centre.y + 3.5))
    }

    /// A cell's name; drawn above arrows, which would hide it.
    fn name(&self, cell: &SceneCell) -> Group {
        let name = clean(&cell.name);
        let beside = self.beside(cell);
        let ink = if cell.terrain.is_empty() || beside.is_some() {
            FAINT
        } else {
            self.ink(cell)
        };
        let wide = text_width(&name, 10.0, false);
        // The name with the home's shape beside it, centred together.
        let shape = if cell.home.is_some() { 14.0 } else { 0.0 };
        let PaperPoint { x: left, y: base } = beside.unwrap_or_else(|| {
            let left = cell.centre.x - (wide + shape) / 2.0;
            PaperPoint::new(left, bounds(&cell.outline).0.y + 16.0)
        });
        let name = words(&name, left, base, 10.0).set("fill", ink);
        let mut group = Group::new().set("class", "name").add(name);
        let kinds = cell.terrain.iter().filter_map(|&kind| self.ground(kind));
        let signs: Vec<&str> = kinds.map(|g| g.sign.as_str()).filter(|s| !s.is_empty()).collect();
        if !signs.is_empty() {
            let sign = words(
                &clean(&signs.join(" ")),
                left + wide + shape + 5.0,
                base + 1.0,
                15.0,
            );
            group.append(sign.set("font-weight", "bold").set("fill", ink));
        }
        if let Some(faction) = cell.home {
            let at = PaperPoint::new(left + wide + 8.5, base - 3.6);
            group.append(self.body(faction, at, (10.0, 8.0), 1.2));
        }
        group
    }

    /// The shape of a faction, in its colours: round and filled, square and hollow, cut and filled,
    /// pointed and hollow; the next four are filled where these are hollow.
    fn body(&self, faction: usize, at: PaperPoint, (width, height): (f64, f64), line: f64) -> Group {
        let colour = self.colour(faction);
        let (w, h) = (width / 2.0, height / 2.0);
        let filled = is_filled(faction);
        let rectangle = |round: f64| rectangle(at.x - w, at.y - h, width, height).set("rx", n(round));
        let polygon = |corners: &[(f64, f64)]| {
            let corners: Vec<PaperPoint> = corners.iter().map(|(x, y)| at.plus(x * w, y * h)).collect();
            polygon(&corners)
        };
        let group = Group::new()
            .set("fill", if filled { colour.strong } else { PAPER })
            .stroked(colour.strong, n(line));
        match faction % 4 {
            0 => group.add(rectangle(h)),
            1 => group.add(rectangle(0.0)),
            2 => group.add(polygon(&[
                (-0.65, -1.0),
                (0.65, -1.0),
                (1.0, -0.45),
                (1.0, 0.45),
                (0.65, 1.0),
                (-0.65, 1.0),
                (-1.0, 0.45),
                (-1.0, -0.45),
            ])),
            _ => group.add(polygon(&[
                (-0.6, -1.0),
                (0.6, -1.0),
                (1.15, 0.0),
                (0.6, 1.0),
                (-0.6, 1.0),
                (-1.15, 0.0),
            ])),
        }
    }

    fn token(&self, token: &UnitToken) -> Group {
        let colour = self.colour(token.side);
        let mut group = Group::new()
            .set("class", if token.fallen { "token fallen" } else { "token" })
            .set(
                "transform",
                format!(
                    "translate({} {}) scale({})",
                    n(token.at.x),
                    n(token.at.y),
                    n(token.size)
                ),
            );
        if !token.name.is_empty() {
            group = group.set("data-unit", attribute(&token.name));
        }
        if let Some(die) = &token.die {
            return self.die(token, die);
        }
        let middle = PaperPoint::new(-0.5, -2.0);
        let size = (31.0, 25.0);
        if let (Some(facing), Some(width @ 1..)) = (token.facing, token.arc) {
            group.append(arc(facing, width).set("fill", colour.strong));
        }
        if let Some(base) = token.base {
            group = group.set("data-base", n(base));
            // As wide as it is, however small the unit on it is drawn.
            let line = 1.4 / token.size;
            let mut round = Circle::new()
                .set("class", "base")
                .set("r", n((base / token.size - line).max(line) / 2.0))
                .set("fill", if token.fallen { "none" } else { colour.pale })
                .stroked(colour.strong, n(line));
            if token.fallen {
                round = round.set("stroke-dasharray", "3 2");
            }
            group.append(round);
        }
        let label = clean(&format!("{}{}", token.symbol, token.number));
        let letters = (25.0 / text_width(&label, 1.0, true)).min(13.0);
        let text = |fill: &'static str| {
            words(&label, middle.x, middle.y + letters * 0.36, letters)
                .set("text-anchor", "middle")
                .set("font-weight", "bold")
                .set("fill", fill)
        };
        if token.name.is_empty() {
            return group.add(text(colour.strong));
        }
        let filled = is_filled(token.side);
        if token.fallen {
            let cross = [(-11.0, -10.0, 10.0, 7.0), (-11.0, 7.0, 10.0, -10.0)];
            let ghost = self.body(token.side, middle, size, 1.4);
            group.append(
                ghost
                    .set("fill", PAPER)
                    .set("stroke-dasharray", "3 2")
                    .set("opacity", 0.8),
            );
            group.append(text(colour.strong).set("opacity", 0.6));
            for (x1, y1, x2, y2) in cross {
                group.append(
                    Line::new()
                        .set("x1", x1)
                        .set("y1", y1)
                        .set("x2", x2)
                        .set("y2", y2)
                        .stroked(INK, 2),
                );
            }
            return group;
        }
        if let Some(mark) = token.mark {
            let around = [(-19.0, -17.0), (18.0, -17.0), (18.0, 13.5), (-19.0, 13.5)];
            let around: Vec<PaperPoint> = around.iter().map(|(x, y)| PaperPoint::new(*x, *y)).collect();
            group.append(mark_line(mark, &around));
        }
        group.append(self.body(token.side, middle, size, 2.2));
        group.append(text(if filled { PAPER } else { colour.strong }));
        if let Some(facing) = token.facing {
            group.append(pointer(middle, size, facing));
        }
        if let Some(life) = token.life {
            group.append(life_badge(number_at(token), life));
        }
        if !token.marks.is_empty() {
            // As large as it must be to be read, however small the unit is drawn.
            let larger = (0.8 / token.size).max(1.0);
            let plate = mark_plate(PaperPoint::new(0.0, 0.0), &token.marks.join(" "));
            let place = format!("translate(7 -15) scale({})", n(larger));
            group.append(plate.set("transform", place));
        }
        group
    }

    /// A die from above: its silhouette with the faces that are seen, what it shows, and below it the shape of whose
    /// it is with its label.
    fn die(&self, token: &UnitToken, die: &DieDrawing) -> Group {
        let colour = self.colour(token.side);
        let [fill, letters, _] = match token.fallen {
            false => self.die_colours(token.side),
            true => [PAPER, colour.strong, colour.strong],
        };
        let place = format!("translate({} {})", n(token.at.x), n(token.at.y));
        let mut group = Group::new()
            .set(
                "class",
                if token.fallen {
                    "token die fallen"
                } else {
                    "token die"
                },
            )
            .set("transform", place)
            .set("data-unit", attribute(&token.name));
        let mut body = polygon(&die.outline)
            .set("fill", fill)
            .stroked(colour.strong, 1.5)
            .set("stroke-linejoin", "round");
        if token.fallen {
            body = body.set("stroke-dasharray", "3 2").set("fill-opacity", 0.8);
        }
        if let Some(mark) = token.mark {
            let around: Vec<PaperPoint> = die
                .outline
                .iter()
                .map(|p| PaperPoint::new(p.x * 1.35, p.y * 1.35))
                .collect();
            group.append(mark_line(mark, &around));
        }
        group.append(body);
        let edges = die.faces.iter().map(|face| format!("M{}Z", points(face)));
        group.append(
            Path::new()
                .set("d", edges.collect::<String>())
                .set("fill", "none")
                .stroked(letters, 0.5)
                .set("stroke-opacity", 0.6),
        );
        let (wide, low) = die.reach();
        if token.fallen {
            for (x, y) in [(1.0, 1.0), (1.0, -1.0)] {
                let (x, y) = (x * wide * 0.8, y * wide * 0.8);
                group.append(line(-x, -y, x, y).stroked(INK, 1.6));
            }
        } else {
            let size = (wide * 1.1).clamp(6.0, 15.0);
            let shows = die.shows.map_or_else(|| "?".to_owned(), |face| face.to_string());
            group.append(
                words(&shows, 0.0, size * 0.36, size)
                    .set("class", "shows")
                    .set("text-anchor", "middle")
                    .set("font-weight", "bold")
                    .set("fill", letters)
                    .stroked(fill, 2)
                    .set("paint-order", "stroke"),
            );
        }
        if !token.marks.is_empty() {
            group.append(mark_plate(
                PaperPoint::new(wide * 0.5, -low),
                &token.marks.join(" "),
            ));
        }
        group.add(self.tag(token.side, &die.label, PaperPoint::new(0.0, low + LABEL), LABEL))
    }

    /// Returns the colours of a faction's dice: of the filling, of the letters, and of the edges.
    fn die_colours(&self, faction: usize) -> [&'static str; 3] {
        let strong = self.colour(faction).strong;
        match is_filled(faction) {
            true => [strong, PAPER, strong],
            false => [PAPER, strong, strong],
        }
    }

    /// A label on the shape of whose it is.
    fn tag(&self, faction: usize, label: &str, at: PaperPoint, size: f64) -> Group {
        let label = clean(label);
        let wide = text_width(&label, size, true) + size;
        let fill = if is_filled(faction) {
            PAPER
        } else {
            self.colour(faction).strong
        };
        let text = words(&label, at.x, at.y + size * 0.36, size)
            .set("text-anchor", "middle")
            .set("font-weight", "bold")
            .set("fill", fill);
        Group::new()
            .set("class", "tag")
            .add(self.body(faction, at, (wide.max(size * 1.7), size * 1.4), 1.1))
            .add(text)
    }

    /// A throw: the way of each die, and for a page all that it takes to play it.
    fn throw(&self, throw: &DrawnThrow) -> Group {
        let mut group = Group::new().set("class", "throw");
        for flight in &throw.flights {
            group.append(self.flight(flight));
        }
        if let Some(film) = throw.film.as_ref().filter(|_| self.frame == PictureExtent::Board) {
            let mut film = serde_json::json!(film);
            film["colours"] = (0..self.scene.sides.len())
                .map(|faction| self.die_colours(faction))
                .collect();
            let film = film.to_string();
            let mut data = Element::new("metadata");
            data.append(TextNode::new(film));
            group.append(data);
        }
        group
    }

    fn flight(&self, flight: &Flight) -> Group {
        let colour = self.colour(flight.side).strong;
        let mut group = Group::new()
            .set("class", if flight.off { "flight off" } else { "flight" })
            .set("data-unit", attribute(&flight.unit));
        let line = |stroke: &str, width: f64| {
            let line = Polyline::new()
                .set("points", points(&flight.line))
                .set("fill", "none")
                .stroked(stroke, n(width))
                .set("stroke-linejoin", "round");
            match flight.stated {
                true => line.set("stroke-dasharray", "2 4"),
                false => line,
            }
        };
        group.append(line(PAPER, 4.0).set("opacity", 0.7));
        group.append(line(colour, 1.6));
        if let (true, [.., tip]) = (flight.off, flight.line.as_slice()) {
            let from = flight.line.iter().rev().find(|from| from.distance(*tip) > 6.0);
            let from = from.copied().unwrap_or(tip.plus(-1.0, 0.0));
            let far = from.distance(*tip);
            let (x, y) = ((tip.x - from.x) / far, (tip.y - from.y) / far);
            let head = [
                tip.plus(x * 9.0, y * 9.0),
                tip.plus(-x * 3.0 - y * 6.0, -y * 3.0 + x * 6.0),
                tip.plus(-x * 3.0 + y * 6.0, -y * 3.0 - x * 6.0),
            ];
            group.append(polygon(&head).set("fill", colour).stroked(PAPER, 0.8));
        }
        group
    }

    /// Draws a touch: its point, and the unit that touched.
    fn touched(&self, touched: &TouchPoint) -> Group {
        let group = Group::new().set("class", "touched");
        let dot = |radius: f64, fill: &str, stroke: &str| {
            circle(touched.at.x, touched.at.y, radius)
                .set("fill", fill)
                .stroked(stroke, 1.2)
        };
        let Some((by, faction)) = &touched.by else {
            return group.add(dot(2.4, PAPER, INK));
        };
        let group = group.add(dot(3.2, STAR, self.colour(*faction).strong));
        match by.is_empty() {
            true => group,
            false => group.add(self.tag(*faction, by, self.free_beside(touched.at), LABEL)),
        }
    }

    /// Returns a point beside this one where a short label covers neither a token nor the name below it; the first
    /// that is tried if all do.
    fn free_beside(&self, at: PaperPoint) -> PaperPoint {
        const TRIED: [(f64, f64); 8] = [
            (15.0, -13.0),
            (15.0, 13.0),
            (-15.0, -13.0),
            (-15.0, 13.0),
            (30.0, -26.0),
            (30.0, 26.0),
            (-30.0, -26.0),
            (-30.0, 26.0),
        ];
        let mut tried = TRIED.map(|(x, y)| at.plus(x, y)).into_iter();
        let first = at.plus(TRIED[0].0, TRIED[0].1);
        let is_free = |spot: &PaperPoint| {
            let covers = |t: &UnitToken| {
                let room = t.base.map_or(13.0, |base| base / 2.0) + 10.0;
                t.at.distance(*spot) < room || t.at.plus(0.0, room).distance(*spot) < 20.0
            };
            !self.scene.tokens.iter().any(covers)
        };
        tried.find(is_free).unwrap_or(first)
    }

    fn arrow(&self, arrow: &Arrow) -> Group {
        let colour = self.colour(arrow.side).strong;
        let length = arrow.from.distance(arrow.to).max(1.0);
        let (along_x, along_y) = (
            (arrow.to.x - arrow.from.x) / length,
            (arrow.to.y - arrow.from.y) / length,
        );
        let moves = arrow.kind == ArrowKind::Move;
        // A bend to the left, so that an arrow and the one back do not cover each other; on a table top moves are as
        // they were.
        let as_it_was = moves && self.scene.table.is_some();
        let bend = if as_it_was { 0.0 } else { (length * 0.12).min(22.0) };
        let middle = arrow.from.towards(arrow.to, 0.5);
        // The tip stands off from the end along the whole way, of which the last leg may be short.
        let (mut corners, mut end, mut off) = (arrow.by.clone(), arrow.to, 19.0);
        while let Some(last) = corners.pop_if(|last| last.distance(end) <= off) {
            off -= last.distance(end);
            end = last;
        }
        let control = match (corners.last(), arrow.by.is_empty()) {
            (Some(last), _) => *last,
            (None, true) => middle.plus(along_y * bend, -along_x * bend),
            (None, false) => arrow.from,
        };
        let from = arrow
            .from
            .towards(control, if moves { 0.0 } else { 17.0 / length });
        let reach = end.distance(control).max(1.0);
        let tip = end.towards(control, (off / reach).min(0.7));
        let (x, y) = ((tip.x - control.x), (tip.y - control.y));
        let straight = (x * x + y * y).sqrt().max(0.01);
        let (x, y) = (x / straight, y / straight);
        let (long, wide) = if moves { (10.0, 4.5) } else { (12.0, 6.0) };
        let neck = tip.plus(-x * long * 0.8, -y * long * 0.8);
        let head = [
            tip,
            tip.plus(-x * long - y * wide, -y * long + x * wide),
            tip.plus(-x * long + y * wide, -y * long - x * wide),
        ];
        let pair = |at: PaperPoint| format!("{} {}", n(at.x), n(at.y));
        let d = match arrow.by.is_empty() {
            true => format!("M{}Q{} {}", pair(from), pair(control), pair(neck)),
            false => {
                let corners: String = corners.iter().map(|at| format!("L{}", pair(*at))).collect();
                format!("M{}{corners}L{}", pair(arrow.from), pair(neck))
            }
        };
        let path = |stroke: &str, width: f64| {
            Path::new()
                .set("d", d.clone())
                .set("fill", "none")
                .stroked(stroke, n(width))
        };
        let line = if moves {
            path(colour, 2.2).set("stroke-dasharray", "6 4")
        } else {
            path(colour, 2.8)
        };
        let mut group = Group::new()
            .set("class", if moves { "arrow move" } else { "arrow hit" })
            .set("data-unit", attribute(&arrow.unit))
            .add(
                path(PAPER, 6.0)
                    .set("opacity", 0.75)
                    .set("stroke-linecap", "round"),
            )
            .add(line)
            .add(polygon(&head).set("fill", colour).stroked(PAPER, 0.8));
        if moves {
            group.append(circle(from.x, from.y, 3.0).set("fill", colour));
        }
        group
    }

    /// Draws a mark over a tabletop.
    fn over(&self, over: &Overlay) -> Group {
        let group = Group::new().set("class", "over");
        let label = |text: &str, at: PaperPoint| {
            let text = clean(text);
            let wide = text_width(&text, 9.0, false) + 4.0;
            let paper = rectangle(at.x - wide / 2.0, at.y - 6.0, wide, 12.0)
                .set("fill", PAPER)
                .set("opacity", 0.85);
            let text = words(&text, at.x, at.y + 3.2, 9.0).set("text-anchor", "middle");
            Group::new().add(paper).add(text)
        };
        match over {
            Overlay::Area { outlines, .. } => {
                let line = |corners: &Vec<PaperPoint>| format!("M{}Z", points(corners));
                group.add(
                    Path::new()
                        .set("d", outlines.iter().map(line).collect::<String>())
                        .set("fill", REACH_PALE)
                        .set("fill-opacity", 0.55)
                        .set("fill-rule", "evenodd")
                        .stroked(REACH, 1.4),
                )
            }
            Overlay::Ring {
                side: faction,
                at,
                radius,
                word,
            } => {
                let ring = circle(at.x, at.y, *radius)
                    .set("fill", "none")
                    .stroked(self.colour(*faction).strong, 1.2)
                    .set("stroke-dasharray", "5 3");
                let group = match &self.scene.table {
                    Some(table) if !word.is_empty() => group.add(on_table(table, ring)),
                    _ => group.add(ring),
                };
                // Where the table has room for it.
                let (above, below) = (at.plus(0.0, -radius), at.plus(0.0, *radius));
                match word.is_empty() {
                    true => group,
                    false => group.add(label(word, if above.y > 6.0 { above } else { below })),
                }
            }
            Overlay::Line {
                from,
                to,
                edges,
                word,
            } => {
                let line =
                    |from: &PaperPoint, to: &PaperPoint| line(from.x, from.y, to.x, to.y).set("stroke", INK);
                let mut group = group.add(line(from, to).set("stroke-width", 2));
                for ends in edges.windows(2) {
                    group.append(
                        line(&ends[0], &ends[1])
                            .set("stroke-width", 1)
                            .set("stroke-dasharray", "4 3"),
                    );
                }
                match word.is_empty() {
                    true => group,
                    false => group.add(label(word, from.towards(*to, 0.5))),
                }
            }
            Overlay::Spot { at, number } => {
                let spot = Circle::new()
                    .set("cx", n(at.x))
                    .set("cy", n(at.y))
                    .set("r", if number.is_some() { 6.5 } else { 2.2 })
                    .set("fill", REACH_PALE)
                    .stroked(REACH, 0.9);
                let group = group.add(spot);
                match number {
                    None => group,
                    Some(number) => {
                        let text = words(&number.to_string(), at.x, at.y + 2.5, 7.0);
                        group.add(text.set("text-anchor", "middle"))
                    }
                }
            }
        }
    }

    fn badge(&self, badge: &Badge, nth: usize) -> Group {
        let group = Group::new()
            .set("class", "badge")
            .set("data-unit", attribute(&badge.unit));
        let text = clean(&badge.text);
        if is_short(badge) {
            // Off the corner of the unit, so that its letters can be read.
            let aside = 20.0 * nth as f64 - 21.0;
            let at = badge.at.plus(aside * badge.size, -19.0 * badge.size);
            let place = format!("translate({} {}) scale({})", n(at.x), n(at.y), n(badge.size));
            return group.add(star(PaperPoint::new(0.0, 0.0), &text).set("transform", place));
        }
        let width = text_width(&text, 9.0, false) + 8.0;
        // Below the unit with its number, or below the label of a die.
        let unit = self.scene.tokens.iter().find(|token| token.name == badge.unit);
        let low = match unit.and_then(|token| token.die.as_ref()) {
            Some(die) => die.reach().1 + 1.7 * LABEL,
            None => 17.0 * badge.size,
        };
        let at = badge.at.plus(0.0, low + 7.5 + 13.0 * nth as f64);
        group
            .add(
                rectangle(at.x - width / 2.0, at.y - 6.5, width, 13.0)
                    .set("rx", 3)
                    .set("fill", STAR)
                    .stroked(INK, 0.8),
            )
            .add(words(&text, at.x, at.y + 3.2, 9.0).set("text-anchor", "middle"))
    }
}

/// The part of a convex area from left to right between two heights of `x`.
fn between(area: &[PaperPoint], left: f64, right: f64) -> Vec<PaperPoint> {
    let cut = |area: &[PaperPoint], inside: &dyn Fn(f64) -> bool, at: f64| -> Vec<PaperPoint> {
        let mut clipped = Vec::new();
        for (index, a) in area.iter().enumerate() {
            let b = area[(index + 1) % area.len()];
            if inside(a.x) {
                clipped.push(*a);
            }
            if inside(a.x) != inside(b.x) {
                clipped.push(a.towards(b, (at - a.x) / (b.x - a.x)));
            }
        }
        clipped
    };
    // A little tolerance, so that no corner is cut off by rounding.
    let clipped = cut(area, &|x| x > left - 0.05, left);
    cut(&clipped, &|x| x < right + 0.05, right)
}

/// The line around a cell that was just laid.
fn fresh_line(cell: &SceneCell) -> Polygon {
    Polygon::new()
        .set("class", "fresh")
        .set("points", points(&cell.outline))
        .set("fill", "none")
        .stroked(INK, 3)
}

/// Draws what lies on an edge: a bar in its colour with dark lines.
fn edge_bar((from, to): (PaperPoint, PaperPoint), colour: &str) -> Group {
    let bar = || line(from.x, from.y, to.x, to.y).set("stroke-linecap", "round");
    Group::new()
        .set("class", "edge")
        .add(bar().stroked(INK, 8))
        .add(bar().stroked(attribute(colour), 5))
}

/// Draws the outline of a die where it lay before.
fn ghost(die: &DieDrawing, at: PaperPoint) -> Polygon {
    Polygon::new()
        .set("class", "before")
        .set("transform", format!("translate({} {})", n(at.x), n(at.y)))
        .set("points", points(&die.outline))
        .set("fill", "none")
        .stroked(FAINT, 1)
        .set("stroke-dasharray", "2 2")
}

/// Returns twice the area of an outline, to compare sizes.
fn area(outline: &[PaperPoint]) -> f64 {
    let corners = outline.iter().zip(outline.iter().cycle().skip(1));
    corners.map(|(a, b)| a.x * b.y - b.x * a.y).sum::<f64>().abs()
}

/// Whether a badge is a change in a few letters, for the star.
fn is_short(badge: &Badge) -> bool {
    badge.text.chars().count() <= 3
}

/// A line around what is marked: drawn through where it can be reached, broken where it can be hit.
fn mark_line(mark: Tint, around: &[PaperPoint]) -> Polygon {
    let line = polygon(around).set("fill", "none").set("stroke-width", 2.6);
    match mark {
        Tint::Reach => line.set("stroke", REACH),
        Tint::Threat => line.set("stroke", THREAT).set("stroke-dasharray", "5 3"),
    }
}

/// Draws the direction in which a unit of this size around a point looks: a wedge just outside of it.
fn pointer(at: PaperPoint, (wide, high): (f64, f64), facing: PaperPoint) -> Polygon {
    let reach = |half: f64, part: f64| {
        if part == 0.0 {
            f64::INFINITY
        } else {
            half / part.abs()
        }
    };
    let out = reach(wide / 2.0, facing.x).min(reach(high / 2.0, facing.y));
    let to = |ahead: f64, aside: f64| {
        at.plus(
            facing.x * ahead - facing.y * aside,
            facing.y * ahead + facing.x * aside,
        )
    };
    Polygon::new()
        .set("class", "facing")
        .set(
            "points",
            points(&[to(out + 8.0, 0.0), to(out + 0.5, 6.0), to(out + 0.5, -6.0)]),
        )
        .set("fill", INK)
        .stroked(PAPER, 1)
        .set("stroke-linejoin", "round")
}

/// Draws the arc of this width, in degrees, around the direction in which a unit looks: a faint sector around its middle.
fn arc(facing: PaperPoint, width: u16) -> Polygon {
    const REACH: f64 = 70.0;
    const STEP: f64 = 5.0;
    let steps = (f64::from(width) / STEP).ceil().max(1.0) as u16;
    let corner = |nth: u16| {
        let turned = f64::from(width) * (f64::from(nth) / f64::from(steps) - 0.5);
        let (sin, cos) = turned.to_radians().sin_cos();
        PaperPoint::new(
            REACH * (facing.x * cos - facing.y * sin),
            REACH * (facing.y * cos + facing.x * sin),
        )
    };
    let corners: Vec<PaperPoint> = std::iter::once(PaperPoint::new(0.0, 0.0))
        .chain((0..=steps).map(corner))
        .collect();
    polygon(&corners).set("class", "arc").set("fill-opacity", 0.15)
}

/// Returns the position of a unit's number, from the unit's middle, at full size.
fn number_at(token: &UnitToken) -> PaperPoint {
    // Where it does not hide in which direction the unit looks.
    let aside = token.facing.is_some_and(|f| f.x > 0.0 && f.y > 0.0);
    PaperPoint::new(if aside { -13.0 } else { 12.0 }, 9.0)
}

/// The middle of the number or the label that stands beside a unit, and how far it reaches from there; nothing where
/// there is none.
pub fn beside(token: &UnitToken) -> Option<(PaperPoint, f64)> {
    if let Some(die) = &token.die {
        return Some((token.at.plus(0.0, die.reach().1 + LABEL), LABEL * 0.8));
    }
    token.life?;
    let PaperPoint { x, y } = number_at(token);
    Some((token.at.plus(x * token.size, y * token.size), 8.0 * token.size))
}

fn life_badge(at: PaperPoint, life: i64) -> Group {
    let text = life.to_string();
    let width = (text_width(&text, 10.0, true) + 6.0).max(14.0);
    Group::new()
        .add(
            rectangle(at.x - width / 2.0, at.y - 7.0, width, 14.0)
                .set("rx", 7)
                .set("fill", PAPER)
                .stroked(INK, 1),
        )
        .add(
            words(&text, at.x, at.y + 3.7, 10.0)
                .set("text-anchor", "middle")
                .set("font-weight", "bold"),
        )
}

/// A plate with the signs of a unit's marks, to the right of a point.
fn mark_plate(at: PaperPoint, signs: &str) -> Group {
    let signs = clean(signs);
    let width = (text_width(&signs, 9.0, true) + 6.0).max(12.0);
    Group::new()
        .set("class", "marks")
        .add(
            rectangle(at.x, at.y - 6.0, width, 12.0)
                .set("rx", 2)
                .set("fill", REACH_PALE)
                .stroked(INK, 0.8),
        )
        .add(
            words(&signs, at.x + width / 2.0, at.y + 3.3, 9.0)
                .set("text-anchor", "middle")
                .set("font-weight", "bold"),
        )
}

/// A star with a text in it.
fn star(at: PaperPoint, text: &str) -> Group {
    // Sixteen directions, in thousandths, so that no sine is computed: the same on every machine.
    const AROUND: [(f64, f64); 16] = [
        (1.0, 0.0),
        (0.924, 0.383),
        (0.707, 0.707),
        (0.383, 0.924),
        (0.0, 1.0),
        (-0.383, 0.924),
        (-0.707, 0.707),
        (-0.924, 0.383),
        (-1.0, 0.0),
        (-0.924, -0.383),
        (-0.707, -0.707),
        (-0.383, -0.924),
        (0.0, -1.0),
        (0.383, -0.924),
        (0.707, -0.707),
        (0.924, -0.383),
    ];
    let corners: Vec<PaperPoint> = AROUND
        .iter()
        .enumerate()
        .map(|(i, (x, y))| {
            let far = if i % 2 == 0 { 11.0 } else { 8.0 };
            at.plus(x * far, y * far)
        })
        .collect();
    Group::new()
        .add(polygon(&corners).set("fill", STAR).stroked(INK, 0.9))
        .add(
            words(text, at.x, at.y + 3.3, 9.5)
                .set("text-anchor", "middle")
                .set("font-weight", "bold"),
        )
}
