//! Cards and reference on paper: pages of A4 as SVG, and all of them as one HTML file that prints so.
//!
//! Black on white with thin lines, so that it prints on anything. Lengths are picture units of 1/96 inch.

use super::{Sheet, UnitCard};
use crate::lines::{counted, shortened};
use crate::pages::web::{clean, escaped};
pub(super) use crate::picture::ink::{FONTS, INK, PAPER, Stroked as _};
use crate::picture::ink::{line, n, paper, rectangle, text_width, words, wrapped};
use std::collections::BTreeSet;
use std::ops::Range;
use svg::node::element::{Group, Line, Rectangle};
use svg::{Document, Node};

/// A4.
const PAGE: (f64, f64) = (794.0, 1123.0);
/// The margins of the reference, and where its last line stands.
const LEFT: f64 = 48.0;
const RIGHT: f64 = PAGE.0 - 48.0;
const BOTTOM: f64 = PAGE.1 - 30.0;
/// So wide at least is what is told of a unit beside a row of its numbers, measured by the size of the letters.
const TOLD: f64 = 10.0;
/// A card is 63 by 88 mm, as playing cards are.
const CARD: (f64, f64) = (238.0, 333.0);
const COLUMNS: usize = 3;
const ROWS: usize = 3;
/// At most so many numbers stand side by side on a card, and no letters of a card are smaller than this:
/// 6 points, read at arm's length.
const NUMBERS: usize = 6;
const LEAST: f64 = 8.0;
pub(super) const FAINT: &str = "#666666";
const LINE: &str = "#999999";
pub(super) const SHADE: &str = "#eeeeee";

/// The pages with cards, nine to a page.
pub fn cards(sheet: &Sheet) -> Vec<String> {
    let pages = sheet.cards.chunks(COLUMNS * ROWS).map(|some| {
        let left = (PAGE.0 - CARD.0 * COLUMNS as f64) / 2.0;
        let top = (PAGE.1 - CARD.1 * ROWS as f64) / 2.0;
        let mut page = blank(&format!("{}: unit cards", sheet.game));
        for (index, card) in some.iter().enumerate() {
            let (column, row) = (index % COLUMNS, index / COLUMNS);
            let (x, y) = (left + CARD.0 * column as f64, top + CARD.1 * row as f64);
            let place = format!("translate({} {})", n(x), n(y));
            page = page.add(drawn(sheet, card).set("transform", place));
        }
        format!("{page}\n")
    });
    pages.collect()
}

/// The reference, on one page: unit types in a table, phases, dials, and the clauses that scripts name.
pub fn reference(sheet: &Sheet) -> String {
    // Smaller letters until everything is on the page.
    let mut size = 12.5;
    loop {
        let (page, whole) = reference_in(sheet, size);
        if whole || size < 5.0 {
            return format!("{page}\n");
        }
        size -= 0.25;
    }
}

/// All pages in one HTML file, those to measure with behind the others.
pub fn html(sheet: &Sheet, measures: &[String]) -> String {
    let title = escaped(&format!("{}: cards and reference", sheet.game));
    let mut pages = cards(sheet);
    pages.insert(0, reference(sheet));
    pages.extend_from_slice(measures);
    let pages: Vec<String> = pages
        .iter()
        .map(|p| format!("<section>\n{}</section>\n", p.trim_start()))
        .collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>\n\
         @page {{ size: A4; margin: 0 }}\n\
         body {{ margin: 0; background: #ddd }}\n\
         section {{ width: 210mm; margin: 8mm auto; background: #fff; box-shadow: 0 1mm 3mm #888 }}\n\
         section svg {{ display: block; width: 100%; height: auto }}\n\
         @media print {{ body {{ background: none }} section {{ margin: 0; box-shadow: none; break-after: page }}\n\
         section:last-child {{ break-after: auto }} }}\n\
         </style>\n</head>\n<body>\n{}</body>\n</html>\n",
        pages.concat()
    )
}

fn blank(title: &str) -> Document {
    Document::new()
        .set("viewBox", format!("0 0 {} {}", n(PAGE.0), n(PAGE.1)))
        .set("width", n(PAGE.0))
        .set("height", n(PAGE.1))
        .set("font-family", FONTS)
        .set("role", "img")
        .add(svg::node::element::Title::new(clean(title)))
        .add(paper(PAGE.0, PAGE.1))
}

fn rule(x1: f64, x2: f64, y: f64, stroke: &str) -> Line {
    line(x1, y, x2, y).stroked(stroke, 0.8)
}

pub(super) fn bold(text: &str, x: f64, y: f64, size: f64) -> svg::node::element::Text {
    words(&clean(text), x, y, size).set("font-weight", "bold")
}

/// One card, its corner at (0, 0).
fn drawn(sheet: &Sheet, card: &UnitCard) -> Group {
    // Smaller letters until everything is on the card.
    let mut size = 13.0;
    loop {
        let (group, left_out) = drawn_in(sheet, card, size);
        if left_out == 0 || size <= LEAST {
            return group;
        }
        size -= 0.25;
    }
}

/// A card in letters of that size, and how many lines did not fit: the card says so in their place.
fn drawn_in(sheet: &Sheet, card: &UnitCard, size: f64) -> (Group, usize) {
    let (left, right) = (14.0, CARD.0 - 14.0);
    let room = right - left;
    let mut group = Group::new().set("class", "card").add(
        Rectangle::new()
            .set("width", n(CARD.0))
            .set("height", n(CARD.1))
            .set("fill", "none")
            .stroked(LINE, 0.8)
            .set("stroke-dasharray", "4 3"),
    );
    // The symbol as on the board, and the name as large as it fits.
    let symbol = (30.0, 24.0);
    group.append(
        rectangle(right - symbol.0, 14.0, symbol.0, symbol.1)
            .set("rx", 4)
            .set("fill", INK),
    );
    group.append(
        bold(&card.symbol, right - symbol.0 / 2.0, 31.0, 13.0)
            .set("text-anchor", "middle")
            .set("fill", "#ffffff"),
    );
    let large = ((room - symbol.0 - 8.0) / text_width(&card.name, 1.0, true)).min(18.0);
    group.append(bold(&card.name, left, 32.0, large));
    let mut y = 48.0;
    for line in wrapped(&super::capital(&card.flags.join(", ")), 10.5, true, room) {
        group.append(bold(&line, left, y, 10.5));
        y += 13.0;
    }
    for line in wrapped(&card.opening, 10.0, false, room) {
        group.append(
            words(&line, left, y, 10.0)
                .set("fill", FAINT)
                .set("font-style", "italic"),
        );
        y += 12.5;
    }
    y += 3.0;
    // The stats in boxes side by side, in as many rows as their names need.
    let widest = widest(sheet.stats.iter().map(|stat| text_width(stat, LEAST, false)));
    let fit = ((room / (widest + 4.0)) as usize).clamp(1, NUMBERS);
    let rows = card.stats.len().div_ceil(fit);
    let across = card.stats.len().div_ceil(rows.max(1));
    let wide = room / across.max(1) as f64;
    for (nth, (name, value)) in sheet.stats.iter().zip(&card.stats).enumerate() {
        let x = left + wide * (nth % across) as f64;
        let top = y - 5.0 + 35.0 * (nth / across) as f64;
        group.append(rectangle(x + 1.0, top, wide - 2.0, 32.0).set("fill", SHADE));
        let small = (wide - 4.0) / text_width(name, 1.0, false);
        group.append(
            words(&clean(name), x + wide / 2.0, top + 11.0, small.clamp(LEAST, 9.5))
                .set("text-anchor", "middle"),
        );
        group.append(bold(&value.to_string(), x + wide / 2.0, top + 27.0, 14.0).set("text-anchor", "middle"));
    }
    y += 35.0 * rows as f64 + size + 2.0;
    // What is to be read: each line bold or plain, and the room after it.
    let small = (size * 0.9).max(LEAST);
    let mut lines: Vec<(String, f64, bool, f64)> = Vec::new();
    for ability in &card.abilities {
        if !ability.name.is_empty() {
            lines.push((clean(&ability.name), size, true, size * 1.25));
        }
        let text = wrapped(&ability.text, size, false, room);
        lines.extend(text.into_iter().map(|line| (line, size, false, size * 1.25)));
        if let Some(last) = lines.last_mut() {
            last.3 += size * 0.45;
        }
    }
    let own = card.own.iter().map(|(name, value)| format!("{name} {value}"));
    let own = wrapped(&own.collect::<Vec<_>>().join(", "), small, false, room);
    let ruled = lines.len();
    lines.extend(own.into_iter().map(|line| (line, small, false, small * 1.25)));
    let bottom = CARD.1 - 10.0;
    for (nth, (line, size, heavy, after)) in lines.iter().enumerate() {
        if nth == ruled {
            group.append(rule(left, right, y - size * 0.6, LINE));
            y += size * 0.6;
        }
        let left_out = lines.len() - nth;
        if y > bottom || (left_out > 1 && y + after > bottom) {
            let message = format!("... {left_out} more lines: see the reference");
            group.append(words(&message, left, bottom, LEAST).set("fill", FAINT));
            return (group, left_out);
        }
        group.append(match heavy {
            true => bold(line, left, y, *size),
            false => words(line, left, y, *size),
        });
        y += after;
    }
    (group, 0)
}

fn widest(widths: impl Iterator<Item = f64>) -> f64 {
    widths.fold(0.0, f64::max)
}

/// The reference while it is written. What would stand below the page is left out and counted, what would reach beyond
/// its right margin is cut.
struct ReferenceWriter {
    page: Document,
    /// Position to the right that the widest line would have reached.
    end: f64,
    /// Heights of the lines that are left out.
    left_out: BTreeSet<u64>,
}

/// Look of a text in the reference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextStyle {
    Plain,
    Bold,
    Faint,
}

impl ReferenceWriter {
    /// A text with its left end here.
    fn put(&mut self, text: &str, at: (f64, f64), size: f64, look: TextStyle) {
        self.write(text, at, size, look, false);
    }

    /// A text with its middle here.
    fn put_amid(&mut self, text: &str, at: (f64, f64), size: f64, look: TextStyle) {
        self.write(text, at, size, look, true);
    }

    fn write(&mut self, text: &str, (x, y): (f64, f64), size: f64, look: TextStyle, amid: bool) {
        if y > BOTTOM {
            self.left_out.insert(y.to_bits());
            return;
        }
        let mut text = clean(text);
        let part = if amid { 0.5 } else { 1.0 };
        let end = |text: &str| x + text_width(text, size, look == TextStyle::Bold) * part;
        self.end = self.end.max(end(&text));
        if end(&text) > RIGHT {
            let whole = std::mem::take(&mut text);
            let cuts = (0..whole.chars().count())
                .rev()
                .map(|keep| shortened(&whole, keep));
            text = cuts.into_iter().find(|cut| end(cut) <= RIGHT).unwrap_or_default();
        }
        let mut drawn = match look {
            TextStyle::Plain => words(&text, x, y, size),
            TextStyle::Bold => bold(&text, x, y, size),
            TextStyle::Faint => words(&text, x, y, size).set("fill", FAINT),
        };
        if amid {
            drawn = drawn.set("text-anchor", "middle");
        }
        self.page.append(drawn);
    }

    /// A line from margin to margin.
    fn rule(&mut self, y: f64, stroke: &str) {
        if y <= BOTTOM {
            self.page.append(rule(LEFT, RIGHT, y, stroke));
        }
    }
}

/// The reference in letters of that size, and whether all of it is on the page; what is not the page says so in its
/// place.
fn reference_in(sheet: &Sheet, size: f64) -> (Document, bool) {
    let room = RIGHT - LEFT;
    let step = size * 1.35;
    let mut page = ReferenceWriter {
        page: blank(&format!("{}: reference", sheet.game)),
        end: 0.0,
        left_out: BTreeSet::new(),
    };
    let mut y = 62.0;
    let title = super::spelled(&sheet.game);
    page.put(&title, (LEFT, y), 24.0, TextStyle::Bold);
    y += 20.0;
    for line in wrapped(&super::without_name(&sheet.opening, &title), size, false, room) {
        page.put(&line, (LEFT, y), size, TextStyle::Faint);
        y += step;
    }
    let changes: Vec<&str> = sheet
        .variants
        .iter()
        .chain(&sheet.turned)
        .map(String::as_str)
        .collect();
    if !changes.is_empty() {
        let with = format!("With {}.", changes.join(", "));
        for line in wrapped(&with, size, false, room) {
            page.put(&line, (LEFT, y), size, TextStyle::Plain);
            y += step;
        }
    }
    let heading = |page: &mut ReferenceWriter, y: &mut f64, text: &str| {
        *y += step * 0.9;
        page.put(text, (LEFT, *y), size * 1.25, TextStyle::Bold);
        page.rule(*y + size * 0.4, INK);
        *y += step * 1.35;
    };

    heading(&mut page, &mut y, "Units");
    let name = widest(sheet.cards.iter().map(|c| text_width(&c.name, size, true))) + size;
    let columns: Vec<f64> = sheet
        .stats
        .iter()
        .map(|s| text_width(s, size * 0.9, false).max(size * 1.6) + size * 0.9)
        .collect();
    let numbers = LEFT + size * 2.4 + name;
    let beside = |description: f64| RIGHT - numbers - size * (1.0 + description);
    let mut rows = in_rows(&columns, beside(TOLD));
    if rows.len() > 1 {
        // Where there is a further row anyway, what is told has more room.
        rows = in_rows(&columns, beside(2.0 * TOLD));
    }
    let mut text = numbers;
    for row in &rows {
        let mut x = numbers;
        for stat in row.clone() {
            let at = (x + columns[stat] / 2.0, y);
            page.put_amid(&sheet.stats[stat], at, size * 0.9, TextStyle::Faint);
            x += columns[stat];
        }
        text = text.max(x);
        y += step;
    }
    if rows.is_empty() {
        y += step;
    }
    for card in &sheet.cards {
        page.put(&card.symbol, (LEFT, y), size, TextStyle::Bold);
        page.put(&card.name, (LEFT + size * 2.4, y), size, TextStyle::Bold);
        for (nth, row) in rows.iter().enumerate() {
            let mut x = numbers;
            for stat in row.clone() {
                let at = (x + columns[stat] / 2.0, y + step * nth as f64);
                page.put_amid(&card.stats[stat].to_string(), at, size, TextStyle::Plain);
                x += columns[stat];
            }
        }
        let description = card.abilities.iter().map(|a| match a.name.as_str() {
            "" => a.text.clone(),
            name => format!("{name}: {}", a.text),
        });
        let description = flags_first(&card.flags, &description.collect::<Vec<_>>().join(" "));
        let own = own_numbers(&card.own);
        let description = format!("{description} {own}").trim().to_owned();
        let lines = wrapped(&description, size * 0.9, false, RIGHT - text - size);
        let below = y + step * rows.len().saturating_sub(1) as f64;
        for line in &lines {
            page.put(line, (text + size, y), size * 0.9, TextStyle::Plain);
            y += step * 0.92;
        }
        y += if lines.is_empty() { step } else { size * 0.25 };
        // Its numbers may be higher than its text.
        if rows.len() > 1 {
            y = y.max(below + step);
        }
        page.rule(y - size * 0.95, SHADE);
    }

    if !sheet.zeros.is_empty() {
        let zeros = format!("0 for every unit: {}.", sheet.zeros.join(", "));
        for line in wrapped(&zeros, size * 0.9, false, room) {
            page.put(&line, (LEFT, y), size * 0.9, TextStyle::Faint);
            y += step * 0.92;
        }
    }

    if !sheet.terrains.is_empty() {
        heading(&mut page, &mut y, "Terrain");
        let names = sheet.terrains.iter().map(|t| text_width(&t.name, size, true));
        let text = LEFT + size * 2.4 + widest(names) + size;
        for terrain in &sheet.terrains {
            page.put(&terrain.symbol, (LEFT, y), size, TextStyle::Bold);
            page.put(&terrain.name, (LEFT + size * 2.4, y), size, TextStyle::Bold);
            let description = flags_first(&terrain.flags, &terrain.text);
            let description = format!("{description} {}", own_numbers(&terrain.own))
                .trim()
                .to_owned();
            let lines = wrapped(&description, size * 0.9, false, RIGHT - text);
            for line in &lines {
                page.put(line, (text, y), size * 0.9, TextStyle::Plain);
                y += step * 0.92;
            }
            y += if lines.is_empty() { step } else { size * 0.25 };
        }
    }

    heading(&mut page, &mut y, "The course of play");
    for phase in &sheet.phases {
        let x = LEFT + phase.depth as f64 * size * 1.6;
        page.put(&phase.name, (x, y), size, TextStyle::Bold);
        let after = x + text_width(&phase.name, size, true) + size * 0.8;
        let description = match (phase.how.as_str(), phase.text.as_str()) {
            (how, "") => how.to_owned(),
            ("", text) => text.to_owned(),
            (how, text) => format!("({how}) {text}"),
        };
        for line in wrapped(&description, size * 0.9, false, RIGHT - after) {
            page.put(&line, (after, y), size * 0.9, TextStyle::Plain);
            y += step * 0.95;
        }
        if description.is_empty() {
            y += step;
        }
    }

    if !sheet.dials.is_empty() {
        heading(&mut page, &mut y, "What can be set");
        let half = room / 2.0;
        let rows = sheet.dials.len().div_ceil(2);
        for (index, dial) in sheet.dials.iter().enumerate() {
            let x = LEFT + half * (index / rows) as f64;
            let at = y + step * (index % rows) as f64;
            page.put(&dial.name, (x, at), size * 0.9, TextStyle::Plain);
            page.put(&dial.value, (x + half * 0.36, at), size * 0.9, TextStyle::Bold);
            let range = wrapped(&dial.range, size * 0.8, false, half * 0.4);
            let range = match range.as_slice() {
                [one] => one.clone(),
                [first, ..] => format!("{} ...", first.trim_end_matches(',')),
                [] => String::new(),
            };
            page.put(&range, (x + half * 0.58, at), size * 0.8, TextStyle::Faint);
        }
        y += step * rows as f64;
    }
    if !sheet.clauses.is_empty() {
        heading(&mut page, &mut y, "Clauses");
        let id = widest(
            sheet
                .clauses
                .iter()
                .map(|(id, _)| text_width(id, size * 0.9, true)),
        ) + size;
        for (name, says) in &sheet.clauses {
            page.put(name, (LEFT, y), size * 0.9, TextStyle::Bold);
            for line in wrapped(says, size * 0.9, false, room - id) {
                page.put(&line, (LEFT + id, y), size * 0.9, TextStyle::Plain);
                y += step * 0.95;
            }
        }
    }
    let whole = y <= BOTTOM && page.end <= RIGHT;
    if !page.left_out.is_empty() {
        let description = format!("... {}", counted(page.left_out.len(), "more line"));
        page.page
            .append(words(&description, LEFT, PAGE.1 - 16.0, LEAST).set("fill", FAINT));
    }
    (page.page, whole)
}

/// Columns of these widths in rows of at most that width, each with one column at least; one row where they fit.
fn in_rows(columns: &[f64], room: f64) -> Vec<Range<usize>> {
    let mut rows: Vec<Range<usize>> = Vec::new();
    let mut wide = 0.0;
    for (nth, column) in columns.iter().enumerate() {
        wide += column;
        match rows.last_mut() {
            Some(row) if wide <= room => row.end = nth + 1,
            _ => {
                rows.push(nth..nth + 1);
                wide = *column;
            }
        }
    }
    rows
}

/// A text after the words for what something is: `Human, infantry. Strikes first.`
fn flags_first(flags: &[String], text: &str) -> String {
    match flags {
        [] => text.to_owned(),
        _ => format!("{}. {text}", super::capital(&flags.join(", "))),
    }
}

/// Numbers of its own, in brackets; empty without any.
fn own_numbers(own: &[(String, i64)]) -> String {
    let own: Vec<String> = own
        .iter()
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    match own.as_slice() {
        [] => String::new(),
        own => format!("({})", own.join(", ")),
    }
}
