//! Layouts to print: reference, cards, tokens, board and measures, each an HTML page of its own for A4 or Letter.
//! `paper.css` lays them out; lengths are in millimetres.

mod pieces;

use super::kit::Kit;
use super::{Sheet, capital, described, numbers, spelled, split_name};
use crate::kernel::ids::TypeId;
use crate::kernel::rules::Rules;
use crate::picture::ink::{self, Colours, n, text_width, wrapped};
use crate::picture::svg;
use crate::render;
use crate::reports::web::escaped;
use std::collections::BTreeMap;

/// Size of a sheet of paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    /// 210 by 297 mm.
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

impl Paper {
    /// The sizes by their names.
    pub const NAMES: [(&'static str, Paper); 2] = [("a4", Paper::A4), ("letter", Paper::Letter)];

    /// Width and height, in millimetres.
    pub fn size(self) -> (f64, f64) {
        match self {
            Paper::A4 => (210.0, 297.0),
            Paper::Letter => (215.9, 279.4),
        }
    }
}

/// Margin of pages, in millimetres: printers leave out less than that.
const MARGIN: f64 = 10.0;

/// Width and height of a card, without its bleed.
pub const CARD: (f64, f64) = (63.0, 88.0);
/// Frame of a card, and the bleed around it.
const BLEED: f64 = 3.0;
/// Room between a card's frame and its text.
const PADDING: f64 = 2.5;
/// Height of a card's head, of a row of its numbers, and of the gaps between them.
const HEAD: f64 = 16.0;
const NUMBERS: f64 = 9.0;
const GAP: f64 = 1.0;
/// Number of cards in a row and in a column of a page.
const CARDS: (usize, usize) = (3, 3);

/// Sizes of letters, in points: the smallest of all, and the largest on a card and on a reference.
pub const SMALLEST: f64 = 6.0;
const LARGEST: f64 = 9.5;
const REFERENCE: f64 = 10.5;
/// Millimetres in a point.
const POINT: f64 = 25.4 / 72.0;
/// Height of a line and of the room behind a paragraph, as parts of the size of the letters.
const LINE: f64 = 1.3;
const PARAGRAPH: f64 = 0.5;
/// Height of a heading on the reference in its letters, of its title, and the room between its columns.
const HEADING: f64 = 3.0;
const TITLE: f64 = 12.0;
const COLUMNS: f64 = 6.0;

/// A page to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Its name, as in `GAME-cards.html`.
    pub name: &'static str,
    /// The page.
    pub html: String,
    /// Texts that are too long for their place even in the smallest letters, in words.
    pub too_long: Vec<String>,
}

/// A game that is printed.
pub struct Printed<'a> {
    /// Content of cards and reference.
    pub sheet: &'a Sheet,
    /// Its rules.
    pub rules: &'a Rules,
    /// The pieces.
    pub kit: &'a Kit,
    /// The designer's pictures of unit types, by the type's index, as addresses that hold their data.
    pub pictures: &'a BTreeMap<usize, String>,
    /// The paper.
    pub paper: Paper,
}

impl Printed<'_> {
    /// The layouts. Those of which the game needs nothing are left out.
    pub fn layouts(&self) -> Vec<Layout> {
        let mut layouts = vec![reference(self), cards(self)];
        layouts.extend(pieces::tokens(self));
        layouts.extend(pieces::board(self));
        layouts.extend(pieces::measures(self));
        let names: Vec<&str> = layouts.iter().map(|layout| layout.name).collect();
        let links = all(names, |name| {
            format!(
                "<a href=\"{}-{name}.html\">{name}</a> ",
                escaped(&self.sheet.game)
            )
        });
        let links = element("nav", [links]);
        for layout in &mut layouts {
            layout.html = layout.html.replacen("<body>", &format!("<body>\n{links}"), 1);
        }
        layouts
    }

    /// Colours of the factions.
    fn colours(&self) -> Vec<Colours> {
        let names: Vec<&str> = self.rules.factions.iter().map(String::as_str).collect();
        ink::colours(&names)
    }

    /// The picture of a unit type: the designer's own, or the sign that boards show.
    fn picture(&self, faction: usize, kind: usize, number: &str) -> String {
        match self.pictures.get(&kind) {
            Some(data) => {
                let image = format!("<img alt=\"\" src=\"{data}\">");
                element("div class=\"picture\"", [image, text("b", number)])
            }
            None => {
                let symbol = render::symbol(self.rules, TypeId::new(kind), false);
                let sign = svg::sign(&self.rules.factions, faction, &format!("{symbol}{number}"));
                format!("<div class=\"picture\">{sign}</div>")
            }
        }
    }

    /// A page on paper of this size, in millimetres.
    fn layout(&self, name: &'static str, (wide, high): (f64, f64), body: String) -> Layout {
        let title = format!("{}: {name}", spelled(&self.sheet.game));
        let (wide, high) = (n(wide), n(high));
        let size = format!(
            "@page {{ size: {wide}mm {high}mm; margin: {}mm }}\n:root {{ --wide: {wide}mm; --high: {high}mm }}\n",
            if body.contains("class=\"page") {
                0.0
            } else {
                MARGIN
            }
        );
        let head = [
            "<meta charset=\"utf-8\">\n".to_owned(),
            text("title", &title),
            element("style", [size, include_str!("paper.css").to_owned()]),
        ];
        let html = element(
            "html lang=\"en\"",
            [element("head", head), element("body", [body])],
        );
        Layout {
            name,
            html: format!("<!DOCTYPE html>\n{html}"),
            too_long: Vec::new(),
        }
    }
}

/// Custom properties of CSS with the colours of a faction.
fn coloured(colours: Colours) -> String {
    format!("--side: {}; --pale: {}", colours.strong, colours.pale)
}

/// An element with its content, which is HTML; nothing where there is no content.
fn element<const N: usize>(tag: &str, content: [String; N]) -> String {
    let name = tag.split(' ').next().unwrap_or(tag);
    match content.concat().as_str() {
        "" => String::new(),
        content => format!("<{tag}>{content}</{name}>\n"),
    }
}

/// An element with a text.
fn text(tag: &str, text: &str) -> String {
    element(tag, [escaped(text.trim())])
}

fn all<T>(items: impl IntoIterator<Item = T>, write: impl FnMut(T) -> String) -> String {
    items.into_iter().map(write).collect()
}

/// Returns the largest letters up to these, in points, that fit, and whether any do: the smallest may be too large.
fn largest(most: f64, fits: impl Fn(f64) -> bool) -> (f64, bool) {
    let steps = ((most - SMALLEST) / 0.25).round() as usize;
    let mut sizes = (0..=steps).map(|nth| most - 0.25 * nth as f64);
    let size = sizes.find(|size| fits(*size));
    (size.unwrap_or(SMALLEST), size.is_some())
}

/// Height of paragraphs in letters of a size and a column of a width, all in millimetres. A little more than it really
/// is, as the widths of letters are.
fn height(paragraphs: &[String], size: f64, wide: f64) -> f64 {
    // A word that is wider than the column is broken.
    let rows = |line: &String| (text_width(line, size, false) / wide).ceil().max(1.0);
    let lines = |text: &String| wrapped(text, size, false, wide).iter().map(rows).sum::<f64>();
    let heights = paragraphs
        .iter()
        .map(|text| (lines(text) * LINE + PARAGRAPH) * size);
    heights.sum()
}

/// A paragraph, and the name that it begins with; empty without one.
type Named = (String, String);

fn named(paragraph: &str) -> Named {
    let (name, text) = split_name(paragraph);
    (name.to_owned(), text)
}

fn whole((name, text): &Named) -> String {
    format!("{name} {text}")
}

/// A paragraph with its name in bold.
fn paragraph((name, told): &Named) -> String {
    let name = if name.is_empty() {
        String::new()
    } else {
        format!("<b>{}</b> ", escaped(name))
    };
    element("p", [name, escaped(told)])
}

/// The reference: one page of numbers in a table and texts in two columns.
fn reference(printed: &Printed<'_>) -> Layout {
    let sheet = printed.sheet;
    let title = spelled(&sheet.game);
    let game = sheet.text.iter().map(|text| named(text));
    let units = sheet
        .cards
        .iter()
        .map(|card| (card.name.clone(), described(&card.flags, &card.text, &card.own)));
    let terrains = sheet.terrains.iter().map(|terrain| {
        let text = described(&terrain.flags, &terrain.text, &terrain.own);
        (terrain.name.clone(), text)
    });
    let phases = sheet.phases_told().map(|phase| {
        let told = if phase.text.is_empty() {
            &phase.how
        } else {
            &phase.text
        };
        (capital(&phase.name), told.clone())
    });
    let options = sheet.options.iter().map(|says| (String::new(), says.clone()));
    let parts: [(&str, Vec<Named>); 5] = [
        ("Rules", game.collect()),
        ("Turn order", phases.collect()),
        ("Units", units.filter(|(_, text)| !text.is_empty()).collect()),
        ("Terrain", terrains.collect()),
        ("Options", options.collect()),
    ];
    let (wide, high) = printed.paper.size();
    let (wide, high) = (wide - 2.0 * MARGIN, high - 2.0 * MARGIN);
    let column = (wide - COLUMNS) / 2.0;
    let fits = |points: f64| {
        let size = points * POINT;
        let head = sheet.stats.iter().map(|name| text_width(name, size, false));
        let table = head.fold(0.0, f64::max) + (sheet.cards.len() as f64 + 1.0) * (LINE * size + 1.0);
        let texts = parts
            .iter()
            .filter(|(_, texts)| !texts.is_empty())
            .map(|(_, texts)| {
                let texts: Vec<String> = texts.iter().map(whole).collect();
                HEADING * size + height(&texts, size, column)
            });
        // The columns end a few lines apart.
        TITLE + table + texts.sum::<f64>() / 2.0 + 5.0 * LINE * size <= high
    };
    let (points, fitted) = largest(REFERENCE, fits);
    let names = all(&sheet.stats, |name| element("th", [text("span", name)]));
    let rows = all(&sheet.cards, |card| {
        let numbers = all(&card.stats, |number| text("td", &number.to_string()));
        element("tr", [text("td", &card.symbol), text("th", &card.name), numbers])
    });
    let table = match names.as_str() {
        "" => String::new(),
        names => element("table", [format!("<tr><td><td>{names}</tr>\n{rows}")]),
    };
    let texts = all(&parts, |(heading, texts)| match &texts[..] {
        [] => String::new(),
        texts => [text("h2", heading), all(texts, paragraph)].concat(),
    });
    let used = sheet.changes_told().join(", ");
    let used = match used.as_str() {
        "" => String::new(),
        used => text("p class=\"faint\"", &format!("With {used}.")),
    };
    let page = [
        text("h1", &title),
        used,
        table,
        element("div class=\"columns\"", [texts]),
    ];
    let page = element(
        &format!("section class=\"page\" style=\"font-size: {}pt\"", n(points)),
        page,
    );
    let mut layout = printed.layout("reference", printed.paper.size(), page);
    if !fitted {
        let told = format!(
            "the reference needs more than one page in letters of {} pt",
            n(SMALLEST)
        );
        layout.too_long.push(told);
    }
    layout
}

/// The cards: of each faction the fronts, nine on a page, and behind each page its backs.
fn cards(printed: &Printed<'_>) -> Layout {
    let mut too_long = Vec::new();
    let colours = printed.colours();
    let kinds: Vec<usize> = (0..printed.sheet.cards.len()).collect();
    let mut pages = String::new();
    for (faction, colours) in colours.iter().enumerate() {
        let name = &printed.rules.factions[faction];
        for kinds in kinds.chunks(CARDS.0 * CARDS.1) {
            let fronts = all(kinds, |kind| {
                let (card, fits) = front(printed, faction, *kind);
                if !fits && faction == 0 {
                    too_long.push(format!("the card {}", printed.sheet.cards[*kind].name));
                }
                card
            });
            let back = [
                text("h2", &spelled(&printed.sheet.game)),
                text("p", &capital(name)),
            ];
            let back = element("article class=\"card back\"", back);
            for (side, cards) in [("fronts", fronts), ("backs", back.repeat(kinds.len()))] {
                let tag = format!("div class=\"block {side}\" style=\"{}\"", coloured(*colours));
                let page = [cut_marks(printed.paper), element(&tag, [cards])];
                pages += &element("section class=\"page cards\"", page);
            }
        }
    }
    let mut layout = printed.layout("cards", printed.paper.size(), pages);
    let told = too_long.iter().map(|card| {
        format!(
            "{card} has more text than fits in letters of {} pt, and its end is cut off",
            n(SMALLEST)
        )
    });
    layout.too_long = told.collect();
    layout
}

/// The front of a card, and whether its text fits.
fn front(printed: &Printed<'_>, faction: usize, kind: usize) -> (String, bool) {
    let (sheet, card) = (printed.sheet, &printed.sheet.cards[kind]);
    let (wide, high) = (CARD.0 - 2.0 * (BLEED + PADDING), CARD.1 - 2.0 * (BLEED + PADDING));
    let stats = sheet.stats.iter().zip(&card.stats);
    let rows = sheet.stats.len().div_ceil(5);
    let columns = sheet.stats.len().div_ceil(rows.max(1));
    let stats = all(stats, |(name, value)| {
        element("div", [text("dt", name), text("dd", &value.to_string())])
    });
    let mut texts = card.text.clone();
    texts.extend(Some(numbers(&card.own)).filter(|own| !own.is_empty()));
    let high = high - HEAD - rows as f64 * (NUMBERS + GAP) - GAP;
    let (points, fits) = largest(LARGEST, |points| height(&texts, points * POINT, wide) <= high);
    let name = Some(card.name.clone());
    let (head, _) = largest(13.0, |points| {
        height(name.as_slice(), points * POINT * 1.1, wide - HEAD - PADDING) <= HEAD - 4.0
    });
    let name = [
        text(&format!("h2 style=\"font-size: {}pt\"", n(head)), &card.name),
        text("p", &capital(&card.flags.join(", "))),
    ];
    let parts = [
        element(
            "header",
            [element("div", name), printed.picture(faction, kind, "")],
        ),
        element(&format!("dl style=\"--columns: {columns}\""), [stats]),
        element(
            &format!("div class=\"text\" style=\"font-size: {}pt\"", n(points)),
            [all(&texts, |text| paragraph(&named(text)))],
        ),
        match fits {
            true => String::new(),
            false => text("footer", "This text is too long for the card."),
        },
    ];
    let face = element("div class=\"face\"", parts);
    (element("article class=\"card\"", [face]), fits)
}

/// Lines outside of the bleed that lead along the edges of the cards.
fn cut_marks(paper: Paper) -> String {
    const LONG: f64 = 5.0;
    let (wide, high) = paper.size();
    let (across, down) = (CARDS.0 as f64 * CARD.0, CARDS.1 as f64 * CARD.1);
    let (left, top) = ((wide - across) / 2.0, (high - down) / 2.0);
    let line = |x1: f64, y1: f64, x2: f64, y2: f64| ink::line(x1, y1, x2, y2).to_string();
    let columns = all(0..=CARDS.0, |nth| {
        let x = left + nth as f64 * CARD.0;
        let low = top + down + BLEED;
        [
            line(x, top - BLEED - LONG, x, top - BLEED),
            line(x, low, x, low + LONG),
        ]
        .concat()
    });
    let rows = all(0..=CARDS.1, |nth| {
        let y = top + nth as f64 * CARD.1;
        let right = left + across + BLEED;
        [
            line(left - BLEED - LONG, y, left - BLEED, y),
            line(right, y, right + LONG, y),
        ]
        .concat()
    });
    let tag = format!("svg class=\"cuts\" viewBox=\"0 0 {} {}\"", n(wide), n(high));
    element(&tag, [columns, rows])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_cards_with_their_bleed_fit_on_either_paper() {
        for (_, paper) in Paper::NAMES {
            let (wide, high) = paper.size();
            assert!(CARDS.0 as f64 * CARD.0 + 2.0 * BLEED <= wide);
            assert!(CARDS.1 as f64 * CARD.1 + 2.0 * BLEED <= high);
        }
    }

    #[test]
    fn more_text_has_smaller_letters_down_to_the_smallest() {
        let fit = |words: usize| {
            let text = vec!["word ".repeat(words)];
            largest(LARGEST, |points| height(&text, points * POINT, 52.0) <= 50.0)
        };
        assert_eq!(fit(20), (LARGEST, true));
        let (some, fits) = fit(120);
        assert!(fits && (SMALLEST..LARGEST).contains(&some), "{some}");
        assert_eq!(fit(2_000), (SMALLEST, false));
    }
}
