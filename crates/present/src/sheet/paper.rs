//! Cards and reference as one HTML page that prints on A4. `paper.css` lays it out.

use super::{Ability, Sheet, UnitCard, capital, spelled, without_name};
use crate::kernel::spot::length_text;
use crate::picture::drawn_plane::millimetres;
use crate::picture::ink::n;
use crate::reports::web::escaped;

/// Greatest length that is printed, in millimetres: the height of a page below its heading.
const ROOM: f64 = 245.0;

/// Smallest distances between two ticks of the ruler and between two of its numbers, in millimetres.
const TICKS: f64 = 1.6;
const NUMBERS: f64 = 8.0;

/// The page: the reference, the cards and the measuring tools.
pub fn html(sheet: &Sheet) -> String {
    let title = format!("{}: cards and reference", sheet.game);
    let head = [
        "<meta charset=\"utf-8\">\n".to_owned(),
        text("title", &title),
        element("style", [include_str!("paper.css").to_owned()]),
    ];
    let cards = all(&sheet.cards, |unit| card(sheet, unit));
    let body = [
        element("section class=\"reference\"", reference(sheet)),
        element("section class=\"cards\"", [cards]),
        element("section class=\"measures\"", measures(sheet).unwrap_or_default()),
    ];
    let page = element("html lang=\"en\"", [element("head", head), element("body", body)]);
    format!("<!DOCTYPE html>\n{page}")
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

/// A headed table; nothing without rows.
fn table(heading: &str, rows: String) -> String {
    match element("table", [rows]).as_str() {
        "" => String::new(),
        table => text("h2", heading) + table,
    }
}

fn reference(sheet: &Sheet) -> [String; 10] {
    let title = spelled(&sheet.game);
    let names = all(&sheet.stats, |name| {
        element("th class=\"number\"", [text("span", name)])
    });
    let units = all(&sheet.cards, |card| {
        let numbers = all(&card.stats, |n| text("td class=\"number\"", &n.to_string()));
        let abilities: Vec<String> = card.abilities.iter().map(Ability::line).collect();
        let description = described(&card.flags, &abilities.join(" "), &card.own);
        row(&card.symbol, &card.name, numbers, &description)
    });
    let terrains = all(&sheet.terrains, |terrain| {
        let description = described(&terrain.flags, &terrain.text, &terrain.own);
        row(&terrain.symbol, &terrain.name, String::new(), &description)
    });
    let phases = all(&sheet.phases, |phase| {
        let how = match phase.how.as_str() {
            how if how.is_empty() || phase.text.is_empty() => how.to_owned(),
            how => format!("({how})"),
        };
        let indent = format!("p style=\"margin-left: {}em\"", 2 * phase.depth);
        let description = escaped(&format!("{how} {}", phase.text));
        element(&indent, [text("b", &phase.name), description])
    });
    let dials = all(&sheet.dials, |dial| {
        let value = element("td", [text("b", &dial.value)]);
        let range = text("td class=\"faint\"", &dial.range);
        element("tr", [text("td", &dial.name), value, range])
    });
    let clauses = all(&sheet.clauses, |(id, says)| {
        element("tr", [element("td", [text("b", id)]), text("td", says)])
    });
    let listed = |before: &str, list: &str| match list {
        "" => String::new(),
        _ => text("p class=\"faint\"", &format!("{before} {list}.")),
    };
    [
        text("h1", &title),
        text("p class=\"faint\"", &without_name(&sheet.opening, &title)),
        listed("With", &[&sheet.variants[..], &sheet.turned].concat().join(", ")),
        table("Units", format!("<tr><th><th>{names}<th></tr>\n{units}")),
        listed("0 for every unit:", &sheet.zeros.join(", ")),
        table("Terrain", terrains),
        text("h2", "The course of play"),
        phases,
        element("div class=\"dials\"", [table("What can be set", dials)]),
        table("Clauses", clauses),
    ]
}

/// A row of a table about a unit type or a kind of terrain.
fn row(symbol: &str, name: &str, numbers: String, description: &str) -> String {
    let bold = |content: &str| element("td", [text("b", content)]);
    // The last cell is there even when it is empty.
    let description = format!("<td>{}</td>", escaped(description));
    element("tr", [bold(symbol), bold(name), numbers, description])
}

/// Flags, a text, and numbers in brackets: `Human, infantry. Strikes first. (patience 7)`
fn described(flags: &[String], text: &str, own: &[(String, i64)]) -> String {
    let flags = match flags {
        [] => String::new(),
        _ => format!("{}. ", capital(&flags.join(", "))),
    };
    let own = match own {
        [] => String::new(),
        _ => format!(" ({})", numbers(own)),
    };
    format!("{flags}{text}{own}")
}

fn numbers(own: &[(String, i64)]) -> String {
    let own = own.iter().map(|(name, value)| format!("{name} {value}"));
    own.collect::<Vec<_>>().join(", ")
}

/// A card as large as a playing card. The more it says, the smaller its letters; where the smallest are too large, it
/// becomes higher.
fn card(sheet: &Sheet, card: &UnitCard) -> String {
    let stats = all(sheet.stats.iter().zip(&card.stats), |(name, value)| {
        element("div", [text("dt", name), text("dd", &value.to_string())])
    });
    let abilities = all(&card.abilities, |ability| {
        let name = all(Some(&ability.name).filter(|name| !name.is_empty()), |name| {
            text("b", name) + "<br>"
        });
        element("p", [name, escaped(&ability.text)])
    });
    let own = numbers(&card.own);
    let abilities_text = card.abilities.iter().map(Ability::line).collect::<String>();
    let letters = [&card.opening, &own, &abilities_text].map(|text| text.chars().count());
    // A stat takes as much room as some letters.
    let letters = letters.iter().sum::<usize>() + 15 * card.stats.len();
    let symbol = text("span class=\"symbol\"", &card.symbol);
    let parts = [
        element("header", [text("h2", &card.name), symbol]),
        element("p", [text("b", &capital(&card.flags.join(", ")))]),
        text("p class=\"opening\"", &card.opening),
        element("dl", [stats]),
        abilities,
        text("p class=\"own\"", &own),
    ];
    let tag = format!("article class=\"card\" style=\"--letters: {}\"", letters.max(1));
    element(&tag, parts)
}

/// A ruler and an arrow for each length that the game measures, at full length; `None` without a table top, or where its
/// unit is not known.
fn measures(sheet: &Sheet) -> Option<[String; 4]> {
    let measures = sheet.measures.as_ref()?;
    let unit = millimetres(&measures.unit)?;
    let arrows = all(&measures.lengths, |(name, length)| {
        let size = *length as f64 / 1_000.0 * unit;
        let length = format!("{} {}", length_text(*length), measures.unit);
        if size > ROOM {
            let name = capital(name);
            return text(
                "p",
                &format!("{name}: {length} is longer than this page; lay it out of others."),
            );
        }
        let arrow = format!("<div style=\"height: {}mm\"></div>", n(size));
        element(
            "figure",
            [arrow, text("figcaption", &format!("{name}, {length}"))],
        )
    });
    let heading = format!("{}: what lengths are measured with", spelled(&sheet.game));
    let help = "Print it at 100 %, without \"fit to page\": then everything here is as long as it says, from its lower \
                end to its tip. To check, lay a ruler beside this one.";
    Some([
        text("h2", &heading),
        text("p", help),
        ruler(&measures.unit, unit),
        arrows,
    ])
}

/// A ruler whose unit has so many millimetres.
fn ruler(name: &str, unit: f64) -> String {
    let steps = || (-2..4).flat_map(|power| [1.0, 2.0, 5.0].map(|n: f64| n * 10f64.powi(power)));
    let step = |apart: f64| steps().find(|step| step * unit >= apart).unwrap_or(1.0);
    let (small, large) = (step(TICKS), step(NUMBERS).max(1.0));
    let ticks = (large / small).round() as usize;
    let whole = (ROOM / unit / large).floor() as usize;
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
