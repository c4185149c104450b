//! Measuring tools for a tabletop: a ruler and an arrow for each length that the game declares, at full length, on
//! pages of A4 to cut up.

use super::paper::{FAINT, INK, PAPER, SHADE, bold};
use super::{Sheet, spelled};
use crate::kernel::spot::length_text;
use crate::pages::web::clean;
use crate::picture::drawn_plane::millimetres;
use crate::picture::ink::{self, Stroked as _, n, paper, rectangle, text_width, words, wrapped};
use serde::Serialize;
use svg::node::element::{Group, Line, Polygon, Title};
use svg::{Document, Node};

/// Lengths that are measured in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Measures {
    /// Unit of length: the meaning of a length of 1.
    pub unit: String,
    /// Names and lengths, in thousandths of the unit; the shortest first.
    pub lengths: Vec<(String, i64)>,
}

/// A4, in millimetres and in picture units.
const PAGE: (f64, f64) = (210.0, 297.0);
const UNIT: f64 = 96.0 / 25.4;
/// The room that printers leave out, and the head of a page.
const EDGE: f64 = 9.0 * UNIT;
const HEAD: f64 = 27.0 * UNIT;
/// Width of an arrow, and the distance to the next one.
const WIDE: f64 = 14.0 * UNIT;
const APART: f64 = 20.0 * UNIT;
/// No two ticks of a ruler stand nearer, and no two numbers.
const TICKS: f64 = 6.0;
const NUMBERS: f64 = 30.0;

/// The pages; none without a table top, or where nobody knows how long its unit is.
pub fn pages(sheet: &Sheet) -> Vec<String> {
    let Some(measures) = &sheet.measures else {
        return Vec::new();
    };
    let Some(scale) = millimetres(&measures.unit).map(|one| one * UNIT) else {
        return Vec::new();
    };
    let (wide, high) = (PAGE.0 * UNIT, PAGE.1 * UNIT);
    let room = high - EDGE - HEAD;
    let on_paper = |length: i64| length as f64 / 1_000.0 * scale;
    let (fit, long): (Vec<_>, Vec<_>) = measures
        .lengths
        .iter()
        .partition(|(_, length)| on_paper(*length) <= room);
    let first = EDGE + 24.0 * UNIT;
    let columns = ((wide - EDGE - first) / APART) as usize;
    let mut parts: Vec<&[&(String, i64)]> = fit.chunks(columns).collect();
    if parts.is_empty() {
        parts.push(&[]);
    }
    let page = |(nth, some): (usize, &&[&(String, i64)])| {
        let title = format!("{}: what lengths are measured with", spelled(&sheet.game));
        let mut description = vec![
            "Print it at 100 %, without \"fit to page\": then everything here is as long as it says, from the line at \
             the bottom to the tip. To check, lay a ruler beside this one."
                .to_owned(),
        ];
        if nth == 0 {
            description.extend(long.iter().map(|(name, length)| {
                let length = format!("{} {}", length_text(*length), measures.unit);
                format!(
                    "{}: {length} is longer than this page; lay it out of others.",
                    super::capital(name)
                )
            }));
        }
        let mut page = Document::new()
            .set("viewBox", format!("0 0 {} {}", n(wide), n(high)))
            .set("width", format!("{}mm", n(PAGE.0)))
            .set("height", format!("{}mm", n(PAGE.1)))
            .set("font-family", super::paper::FONTS)
            .set("role", "img")
            .add(Title::new(clean(&title)))
            .add(paper(wide, high))
            .add(bold(&title, EDGE, EDGE + 16.0, 18.0));
        let lines = description
            .iter()
            .flat_map(|text| wrapped(text, 10.5, false, wide - 2.0 * EDGE));
        for (line, text) in lines.enumerate() {
            page.append(words(&text, EDGE, EDGE + 34.0 + 14.0 * line as f64, 10.5).set("fill", FAINT));
        }
        let bottom = high - EDGE;
        page.append(ruler(&measures.unit, scale, (EDGE, bottom), room));
        for (column, (name, length)) in some.iter().enumerate() {
            let description = format!("{name}, {} {}", length_text(*length), measures.unit);
            let x = first + APART * column as f64;
            page.append(arrow(&description, (x, bottom), on_paper(*length)));
        }
        format!("{page}\n")
    };
    parts.iter().enumerate().map(page).collect()
}

fn line(from: (f64, f64), to: (f64, f64), width: f64) -> Line {
    ink::line(from.0, from.1, to.0, to.1).stroked(INK, width)
}

/// A ruler up from its lower left corner, at most so long.
fn ruler(unit: &str, scale: f64, (x, bottom): (f64, f64), room: f64) -> Group {
    let steps = || (-2..4).flat_map(|power| [1.0, 2.0, 5.0].map(|n: f64| n * 10f64.powi(power)));
    let step = |apart: f64| steps().find(|step| step * scale >= apart).unwrap_or(1.0);
    let (small, large) = (step(TICKS), step(NUMBERS).max(1.0));
    let whole = (room / scale / large).floor() * large;
    let wide = 14.0 * UNIT;
    let mut group = Group::new().set("class", "ruler").add(
        rectangle(x, bottom - whole * scale, wide, whole * scale)
            .set("fill", PAPER)
            .stroked(INK, 0.8),
    );
    for nth in 0..=(whole / small).round() as usize {
        let y = bottom - nth as f64 * small * scale;
        group.append(line((x, y), (x + 3.0 * UNIT, y), 0.6));
    }
    for nth in 0..=(whole / large).round() as usize {
        let at = nth as f64 * large;
        let y = bottom - at * scale;
        group.append(line((x, y), (x + 6.0 * UNIT, y), 0.9));
        if nth > 0 {
            group.append(words(&n(at), x + 6.6 * UNIT, y + 11.0, 10.0));
        }
    }
    group.add(words(&clean(unit), x + 6.6 * UNIT, bottom - 4.0, 9.0).set("fill", FAINT))
}

/// An arrow up from the line at its lower left corner, with its name along it.
fn arrow(label: &str, (x, bottom): (f64, f64), long: f64) -> Group {
    let (tip, middle) = (bottom - long, x + WIDE / 2.0);
    let head = (0.45 * long).min(0.9 * WIDE);
    let inner = WIDE * 0.24;
    let corners = [
        (middle, tip),
        (x + WIDE, tip + head),
        (x + WIDE - inner, tip + head),
        (x + WIDE - inner, bottom),
        (x + inner, bottom),
        (x + inner, tip + head),
        (x, tip + head),
    ];
    let corners: Vec<String> = corners
        .iter()
        .map(|(x, y)| format!("{},{}", n(*x), n(*y)))
        .collect();
    let size = ((long - head - 8.0) / text_width(label, 1.0, true)).min(13.0);
    let group = Group::new().set("class", "measure").add(
        Polygon::new()
            .set("points", corners.join(" "))
            .set("fill", SHADE)
            .stroked(INK, 0.8),
    );
    // A short one has its name beside it, from its tip on.
    let (size, from) = match size < 7.0 {
        true => (11.0, tip - 6.0),
        false => (size, bottom - 6.0),
    };
    let place = format!("rotate(-90 {} {})", n(middle), n(from));
    group.add(bold(label, middle, from + size * 0.36, size).set("transform", place))
}
