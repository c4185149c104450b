//! Cards and reference on paper: pages of A4 as SVG, and all of them as one HTML file that prints so.
//!
//! Black on white with thin lines, so that it prints on anything. Lengths are picture units of 1/96 inch.

use super::{Card, Sheet};
use crate::pages::web::{clean, escaped};
pub(super) use crate::picture::ink::{FONTS, INK, PAPER, Stroked as _};
use crate::picture::ink::{line, n, paper, rectangle, text_width, words, wrapped};
use svg::node::element::{Group, Line, Rectangle};
use svg::{Document, Node};

/// A4.
const PAGE: (f64, f64) = (794.0, 1123.0);
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
        let (page, bottom) = reference_in(sheet, size);
        if bottom <= PAGE.1 - 30.0 || size < 5.0 {
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
fn drawn(sheet: &Sheet, card: &Card) -> Group {
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
fn drawn_in(sheet: &Sheet, card: &Card, size: f64) -> (Group, usize) {
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
            let told = format!("... {left_out} more lines: see the reference");
            group.append(words(&told, left, bottom, LEAST).set("fill", FAINT));
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

fn reference_in(sheet: &Sheet, size: f64) -> (Document, f64) {
    let (left, right) = (48.0, PAGE.0 - 48.0);
    let room = right - left;
    let step = size * 1.35;
    let mut page = blank(&format!("{}: reference", sheet.game));
    let mut y = 62.0;
    let title = super::spelled(&sheet.game);
    page = page.add(bold(&title, left, y, 24.0));
    y += 20.0;
    for line in wrapped(&without_title(&sheet.opening, &title), size, false, room) {
        page = page.add(words(&line, left, y, size).set("fill", FAINT));
        y += step;
    }
    if !sheet.variants.is_empty() {
        let with = format!("With {}.", sheet.variants.join(", "));
        for line in wrapped(&with, size, false, room) {
            page = page.add(words(&line, left, y, size));
            y += step;
        }
    }
    let heading = |mut page: Document, y: &mut f64, text: &str| {
        *y += step * 0.9;
        page = page.add(bold(text, left, *y, size * 1.25));
        page = page.add(rule(left, right, *y + size * 0.4, INK));
        *y += step * 1.35;
        page
    };

    page = heading(page, &mut y, "Units");
    let name = widest(sheet.cards.iter().map(|c| text_width(&c.name, size, true))) + size;
    let columns: Vec<f64> = sheet
        .stats
        .iter()
        .map(|s| text_width(s, size * 0.9, false).max(size * 1.6) + size * 0.9)
        .collect();
    let mut x = left + size * 2.4 + name;
    for (stat, wide) in sheet.stats.iter().zip(&columns) {
        page = page.add(
            words(&clean(stat), x + wide / 2.0, y, size * 0.9)
                .set("text-anchor", "middle")
                .set("fill", FAINT),
        );
        x += wide;
    }
    y += step;
    for card in &sheet.cards {
        page = page.add(bold(&card.symbol, left, y, size));
        page = page.add(bold(&card.name, left + size * 2.4, y, size));
        let mut x = left + size * 2.4 + name;
        for (value, wide) in card.stats.iter().zip(&columns) {
            page = page.add(words(&value.to_string(), x + wide / 2.0, y, size).set("text-anchor", "middle"));
            x += wide;
        }
        let told = card.abilities.iter().map(|a| match a.name.as_str() {
            "" => a.text.clone(),
            name => format!("{name}: {}", a.text),
        });
        let told = flags_first(&card.flags, &told.collect::<Vec<_>>().join(" "));
        let own = own_numbers(&card.own);
        let told = format!("{told} {own}").trim().to_owned();
        let lines = wrapped(&told, size * 0.9, false, right - x - size);
        for line in &lines {
            page = page.add(words(line, x + size, y, size * 0.9));
            y += step * 0.92;
        }
        y += if lines.is_empty() { step } else { size * 0.25 };
        page = page.add(rule(left, right, y - size * 0.95, SHADE));
    }

    if !sheet.zeros.is_empty() {
        let zeros = format!("0 for every unit: {}.", sheet.zeros.join(", "));
        for line in wrapped(&zeros, size * 0.9, false, room) {
            page = page.add(words(&line, left, y, size * 0.9).set("fill", FAINT));
            y += step * 0.92;
        }
    }

    if !sheet.terrains.is_empty() {
        page = heading(page, &mut y, "Terrain");
        let names = sheet.terrains.iter().map(|t| text_width(&t.name, size, true));
        let text = left + size * 2.4 + widest(names) + size;
        for terrain in &sheet.terrains {
            page = page.add(bold(&terrain.symbol, left, y, size));
            page = page.add(bold(&terrain.name, left + size * 2.4, y, size));
            let told = flags_first(&terrain.flags, &terrain.text);
            let told = format!("{told} {}", own_numbers(&terrain.own)).trim().to_owned();
            let lines = wrapped(&told, size * 0.9, false, right - text);
            for line in &lines {
                page = page.add(words(line, text, y, size * 0.9));
                y += step * 0.92;
            }
            y += if lines.is_empty() { step } else { size * 0.25 };
        }
    }

    page = heading(page, &mut y, "The course of play");
    for phase in &sheet.phases {
        let x = left + phase.depth as f64 * size * 1.6;
        page = page.add(bold(&phase.name, x, y, size));
        let after = x + text_width(&phase.name, size, true) + size * 0.8;
        let told = match (phase.how.as_str(), phase.text.as_str()) {
            (how, "") => how.to_owned(),
            ("", text) => text.to_owned(),
            (how, text) => format!("({how}) {text}"),
        };
        for line in wrapped(&told, size * 0.9, false, right - after) {
            page = page.add(words(&line, after, y, size * 0.9));
            y += step * 0.95;
        }
        if told.is_empty() {
            y += step;
        }
    }

    if !sheet.dials.is_empty() {
        page = heading(page, &mut y, "What can be set");
        let half = room / 2.0;
        let rows = sheet.dials.len().div_ceil(2);
        for (index, dial) in sheet.dials.iter().enumerate() {
            let x = left + half * (index / rows) as f64;
            let at = y + step * (index % rows) as f64;
            page = page.add(words(&clean(&dial.name), x, at, size * 0.9));
            page = page.add(bold(&dial.value, x + half * 0.36, at, size * 0.9));
            let range = wrapped(&dial.range, size * 0.8, false, half * 0.4);
            let range = match range.as_slice() {
                [one] => one.clone(),
                [first, ..] => format!("{} ...", first.trim_end_matches(',')),
                [] => String::new(),
            };
            page = page.add(words(&range, x + half * 0.58, at, size * 0.8).set("fill", FAINT));
        }
        y += step * rows as f64;
    }
    if !sheet.clauses.is_empty() {
        page = heading(page, &mut y, "Clauses");
        let id = widest(
            sheet
                .clauses
                .iter()
                .map(|(id, _)| text_width(id, size * 0.9, true)),
        ) + size;
        for (name, says) in &sheet.clauses {
            page = page.add(bold(name, left, y, size * 0.9));
            for line in wrapped(says, size * 0.9, false, room - id) {
                page = page.add(words(&line, left + id, y, size * 0.9));
                y += step * 0.95;
            }
        }
    }
    (page, y)
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

fn without_title(text: &str, title: &str) -> String {
    super::without_name(text, title)
}
