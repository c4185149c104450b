//! Pieces at true size: tokens and standees, tiles, the board, and what lengths are measured with.

use super::{Layout, MARGIN, Printed, all, capital, coloured, element, spelled, text};
use crate::kernel::ids::TypeId;
use crate::kernel::rules::Relation;
use crate::kernel::spot::{UNIT, length_text};
use crate::picture::drawn_plane::millimetres;
use crate::picture::ground::PaperPoint;
use crate::picture::ink::n;
use crate::picture::scene::Scene;
use crate::picture::svg::{self, PictureExtent};
use crate::reports::web::escaped;

/// Width of a token of a game on places, in millimetres. On a table top it is as wide as the unit's base.
pub const TOKEN: f64 = 15.0;
/// Least and greatest width of a standee.
const STANDEE: (f64, f64) = (15.0, 30.0);
/// Number of tokens for which a cell has room, at most.
const MOST_IN_CELL: usize = 8;
/// Distance from a cell's middle to the nearest point of its edge, in picture units.
const INRADIUS: f64 = 52.0;
/// Room around the tokens in a cell, as a part of what they take.
const ROOMY: f64 = 1.08;
/// Width of the strip that two neighbouring sheets of a board share.
pub const OVERLAP: f64 = 10.0;
/// Height of a page that headings and captions of measures take.
const HEADINGS: f64 = 32.0;
/// Smallest distances between two ticks of the ruler and between two of its numbers.
const TICKS: f64 = 1.6;
const NUMBERS: f64 = 8.0;

/// Width of a unit's token.
fn token_width(printed: &Printed<'_>, kind: usize) -> f64 {
    let base = f64::from(printed.rules.ground.base(TypeId::new(kind))) / UNIT as f64;
    let unit = printed.rules.plane().and_then(|plane| millimetres(&plane.unit));
    match unit {
        Some(unit) if base > 0.0 => base * unit,
        _ => TOKEN,
    }
}

/// Tokens, standees and tiles to cut out; `None` for dice that are thrown, and without units.
pub(super) fn tokens(printed: &Printed<'_>) -> Option<Layout> {
    if printed.rules.ground.dice().is_some() {
        return None;
    }
    let figures = |faction: usize, figure: &dyn Fn(usize, &str) -> String| {
        let kinds = printed.kit.units[faction].iter().enumerate();
        all(kinds, |(kind, count)| {
            all(1..=*count, |nth| match count {
                1 => figure(kind, ""),
                _ => figure(kind, &nth.to_string()),
            })
        })
    };
    let caption = |kind: usize, number: &str| format!("{} {number}", printed.sheet.cards[kind].name);
    let (mut tokens, mut standees) = (String::new(), String::new());
    for (faction, colours) in printed.colours().into_iter().enumerate() {
        let disc = |kind: usize, number: &str| {
            let size = n(token_width(printed, kind));
            let tag = format!("div class=\"disc\" style=\"--size: {size}mm\"");
            let disc = element(&tag, [printed.picture(faction, kind, number)]);
            element("figure", [disc, text("figcaption", &caption(kind, number))])
        };
        let standee = |kind: usize, number: &str| {
            let wide = n(token_width(printed, kind).clamp(STANDEE.0, STANDEE.1));
            let picture = printed.picture(faction, kind, number);
            let face = [picture, text("b", &caption(kind, number))].concat();
            let foot = "<div class=\"foot\"></div>";
            let parts = [
                foot.to_owned(),
                element("div class=\"face behind\"", [face.clone()]),
                element("div class=\"face\"", [face]),
                foot.to_owned(),
            ];
            let tag = format!("div class=\"standee\" style=\"--size: {wide}mm\"");
            element("figure", [element(&tag, parts)])
        };
        let section = |kind: &str, figures: String| match figures.as_str() {
            "" => String::new(),
            _ => {
                let heading = format!("{}: {kind}", capital(&printed.rules.factions[faction]));
                let tag = format!("div style=\"{}\"", coloured(colours));
                element(&tag, [text("h2", &heading), figures])
            }
        };
        tokens += &section("tokens", figures(faction, &disc));
        standees += &section("standees", figures(faction, &standee));
    }
    let help = "Fold each standee at its middle line, glue the halves together and bend the feet outwards.";
    let parts = [
        ("tokens", tokens),
        ("standees", standees),
        ("tiles", tiles(printed)),
    ];
    let body = all(parts, |(class, figures)| match (class, figures.as_str()) {
        (_, "") => String::new(),
        ("standees", _) => element("section class=\"cut standees\"", [text("p", help), figures]),
        _ => element(&format!("section class=\"cut {class}\""), [figures]),
    });
    (!body.is_empty()).then(|| printed.layout("tokens", printed.paper.size(), body))
}

/// The tiles that are laid in a game, each as large as a cell of its board.
fn tiles(printed: &Printed<'_>) -> String {
    let scene = &printed.kit.board;
    let Some(cell) = scene.cells.first() else {
        return String::new();
    };
    let scale = cell_scale(printed);
    let (least, most) = (corner(&cell.outline, f64::min), corner(&cell.outline, f64::max));
    let (wide, high) = (most.x - least.x, most.y - least.y);
    let outline: Vec<String> = cell
        .outline
        .iter()
        .map(|p| format!("{},{}", n(p.x - least.x), n(p.y - least.y)))
        .collect();
    all(
        printed.kit.tiles.iter().zip(&scene.terrains),
        |(count, terrain)| {
            let name = capital(&terrain.name);
            let colour = escaped(&terrain.colour);
            let tile = format!(
                "<figure><svg viewBox=\"0 0 {0} {1}\" style=\"width: {2}mm; height: {3}mm\"><polygon points=\"{4}\" \
             fill=\"{colour}\" stroke=\"#222\" stroke-width=\"0.6\"/><text x=\"{5}\" y=\"{6}\" font-size=\"12\" \
             text-anchor=\"middle\">{7}</text></svg></figure>\n",
                n(wide),
                n(high),
                n(wide * scale),
                n(high * scale),
                outline.join(" "),
                n(wide / 2.0),
                n(high - 8.0),
                escaped(&name),
            );
            tile.repeat(*count)
        },
    )
}

/// The corner of a box around an outline: the left upper one of the least, the right lower one of the greatest.
fn corner(outline: &[PaperPoint], of: fn(f64, f64) -> f64) -> PaperPoint {
    let x = outline.iter().map(|p| p.x).reduce(of).unwrap_or(0.0);
    let y = outline.iter().map(|p| p.y).reduce(of).unwrap_or(0.0);
    PaperPoint { x, y }
}

/// Number of millimetres in a picture unit, so that the tokens that may stand in a cell fit into it.
fn cell_scale(printed: &Printed<'_>) -> f64 {
    let rules = printed.rules;
    let factions = match rules.relation {
        Relation::SamePlace => rules.factions.len(),
        _ => 1,
    };
    let tokens = rules
        .stack
        .clamp(1, MOST_IN_CELL)
        .saturating_mul(factions)
        .min(MOST_IN_CELL);
    let columns = (tokens as f64).sqrt().ceil();
    let rows = (tokens as f64 / columns).ceil();
    let half = TOKEN / 2.0 * columns.hypot(rows);
    half * ROOMY / INRADIUS
}

/// The board at true size, on as many sheets as it takes; `None` where there is none to print: on table tops, and where
/// the players lay the map.
pub(super) fn board(printed: &Printed<'_>) -> Option<Layout> {
    let scene = &printed.kit.board;
    let (scale, least, most) = drawn(printed, scene)?;
    let (wide, high) = ((most.x - least.x) * scale, (most.y - least.y) * scale);
    let (across, down) = printed.paper.size();
    let sheets = |(across, down): (f64, f64)| {
        let needed = |long: f64, room: f64| {
            ((long - OVERLAP) / (room - 2.0 * MARGIN - OVERLAP))
                .ceil()
                .max(1.0)
        };
        (needed(wide, across) as usize, needed(high, down) as usize)
    };
    // Whichever way the paper lies, it is the one that needs fewer sheets.
    let papers = [(across, down), (down, across)];
    let paper = papers.into_iter().min_by_key(|paper| {
        let (columns, rows) = sheets(*paper);
        columns * rows
    })?;
    let (columns, rows) = sheets(paper);
    let part = |long: f64, count: usize| (long + (count - 1) as f64 * OVERLAP) / count as f64;
    let (part_wide, part_high) = (part(wide, columns), part(high, rows));
    let mut pages = String::new();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let (x, y) = (
            column as f64 * (part_wide - OVERLAP),
            row as f64 * (part_high - OVERLAP),
        );
        let drawing = match (row, column) {
            (0, 0) => format!(
                "<g id=\"board\">{}</g>",
                svg::document(scene, PictureExtent::Board).0
            ),
            _ => "<use href=\"#board\"/>".to_owned(),
        };
        let view = [
            least.x + x / scale,
            least.y + y / scale,
            part_wide / scale,
            part_high / scale,
        ]
        .map(n)
        .join(" ");
        let window = format!(
            "svg viewBox=\"{view}\" style=\"width: {}mm; height: {}mm\"",
            n(part_wide),
            n(part_high)
        );
        let cuts = [
            ("left", column > 0),
            ("right", column + 1 < columns),
            ("above", row > 0),
            ("below", row + 1 < rows),
        ];
        let cuts = all(cuts.into_iter().filter(|(_, there)| *there), |(place, _)| {
            format!("<i class=\"{place}\"></i>")
        });
        let whole = columns * rows == 1;
        let caption = match whole {
            true => spelled(&printed.sheet.game),
            false => format!(
                "{}: row {} of {rows}, column {} of {columns}. Cut off one sheet at the dashed line and lay it on the other.",
                spelled(&printed.sheet.game),
                row + 1,
                column + 1,
            ),
        };
        let board = element("div class=\"window\"", [element(&window, [drawing]), cuts]);
        let control = if (row, column) == (0, 0) {
            control()
        } else {
            String::new()
        };
        pages += &element(
            "section class=\"page board\"",
            [text("p", &caption), board, control],
        );
    }
    Some(printed.layout("board", paper, pages))
}

/// Scale of a board in millimetres to a picture unit, and the corners of the part that is printed.
fn drawn(printed: &Printed<'_>, scene: &Scene) -> Option<(f64, PaperPoint, PaperPoint)> {
    // Lines have half their width outside, and a board is drawn with an edge around.
    let line = 2.0;
    let edge = 3.0;
    match &scene.table {
        None => {
            let there = scene.cells.iter().any(|cell| !cell.gap);
            let far = PaperPoint::new(scene.width + 2.0 * edge, scene.height + 2.0 * edge);
            there.then(|| (cell_scale(printed), PaperPoint::default(), far))
        }
        Some(table) if !table.edge.is_empty() => {
            let begin = corner(&table.edge, f64::min).plus(edge - line, edge - line);
            let end = corner(&table.edge, f64::max).plus(edge + line, edge + line);
            Some((table.millimetres()? / table.scale, begin, end))
        }
        Some(_) => None,
    }
}

/// A line of 100 mm, to check the size of a print.
fn control() -> String {
    element(
        "p class=\"control\"",
        [
            "<span></span>".to_owned(),
            escaped("This line is 100 mm long if the page is printed at 100 %, without \"fit to page\"."),
        ],
    )
}

/// A ruler and an arrow for each length that the game measures, at full length; `None` without a table top, or where its
/// unit is not known.
pub(super) fn measures(printed: &Printed<'_>) -> Option<Layout> {
    let measures = printed.sheet.measures.as_ref()?;
    let unit = millimetres(&measures.unit)?;
    let room = printed.paper.size().1 - 2.0 * MARGIN - HEADINGS;
    let arrows = all(&measures.lengths, |(name, length)| {
        let size = *length as f64 / UNIT as f64 * unit;
        let told = format!("{name}, {} {}", length_text(*length), measures.unit);
        // A longer one comes in parts to be glued, and the last has the tip.
        let parts = (size / room).ceil().max(1.0) as usize;
        all(1..=parts, |part| {
            let class = if part < parts { " class=\"shaft\"" } else { "" };
            let arrow = format!(
                "<div{class} style=\"height: {}mm\"></div>",
                n(size / parts as f64)
            );
            let caption = match parts {
                1 => told.clone(),
                _ => format!("{told}: part {part} of {parts}"),
            };
            element("figure", [arrow, text("figcaption", &caption)])
        })
    });
    let heading = format!("{}: measures", spelled(&printed.sheet.game));
    let body = [
        text("h2", &heading),
        control(),
        ruler(&measures.unit, unit, room),
        arrows,
    ];
    let body = element("section class=\"measures\"", body);
    Some(printed.layout("measures", printed.paper.size(), body))
}

/// A ruler whose unit has so many millimetres, at most this long.
fn ruler(name: &str, unit: f64, room: f64) -> String {
    let steps = || (-2..4).flat_map(|power| [1.0, 2.0, 5.0].map(|n: f64| n * 10f64.powi(power)));
    let step = |apart: f64| steps().find(|step| step * unit >= apart).unwrap_or(1.0);
    let (small, large) = (step(TICKS), step(NUMBERS).max(1.0));
    let ticks = (large / small).round() as usize;
    let whole = (room / unit / large).floor() as usize;
    let height = format!("style=\"height: {}mm\"", n(small * unit));
    let marks = all((1..=whole * ticks).rev(), |nth| match nth % ticks {
        0 => format!(
            "<li class=\"whole\" {height}><span>{}</span>",
            n((nth / ticks) as f64 * large)
        ),
        _ => format!("<li {height}>"),
    });
    element("figure", [element("ol", [marks]), text("figcaption", name)])
}
