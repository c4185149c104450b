//! Drawing tools for all pictures: fonts and colours, lines and words, and the format of numbers.

use super::ground::PaperPoint;
use crate::reports::web::clean;
use svg::Node;
use svg::node::Value;
use svg::node::element::{Circle, Line, Polygon, Rectangle, Text};

/// The fonts of a picture: the first is the one that PNGs are made with, the others are about as wide.
pub const FONTS: &str = "'DejaVu Sans Condensed', Arial, Helvetica, 'Liberation Sans', sans-serif";

/// Colour for drawing on any ground.
pub const INK: &str = "#222222";

pub(super) const FAINT: &str = "#6b6b6b";

pub(super) const LINE: &str = "#8a8a8a";

/// Colour of the paper.
pub const PAPER: &str = "#ffffff";

/// Returns a colour that can be read on a ground of this colour, `#rrggbb`.
pub(super) fn ink_on(colour: &str) -> &'static str {
    if is_dark(colour) { PAPER } else { INK }
}

/// Whether white is read better than black on a colour, `#rrggbb`, as eyes weigh red, green and blue.
pub(super) fn is_dark(colour: &str) -> bool {
    let part = |at: usize| {
        colour
            .get(at..at + 2)
            .and_then(|two| u32::from_str_radix(two, 16).ok())
    };
    match (part(1), part(3), part(5)) {
        (Some(red), Some(green), Some(blue)) => 299 * red + 587 * green + 114 * blue < 128_000,
        _ => false,
    }
}

/// A faction's colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colours {
    /// For lines and filled shapes; white can be read on it.
    pub strong: &'static str,
    /// For areas; black can be read on it.
    pub pale: &'static str,
}

/// The colours by the factions' names, and otherwise the first that nobody has. People who cannot
/// tell red from green tell these apart.
pub fn colours(names: &[&str]) -> Vec<Colours> {
    let pair = |strong, pale| Some(Colours { strong, pale });
    let named = |name: &str| match name {
        "red" => pair("#c22f12", "#fbe4dd"),
        "blue" => pair("#0069a8", "#dcecf7"),
        "green" => pair("#117733", "#dff0e2"),
        "yellow" => pair("#8f6f00", "#fdf3cf"),
        "purple" | "magenta" => pair("#882255", "#f3dde9"),
        "cyan" => pair("#00707c", "#d9f0f2"),
        "black" | "grey" | "gray" => pair("#444444", "#e9e9e9"),
        "orange" | "brown" => pair("#8a4b08", "#f6e6d2"),
        _ => None,
    };
    let by_name: Vec<Option<Colours>> = names.iter().map(|n| named(n)).collect();
    let all = [
        "red", "blue", "green", "yellow", "purple", "cyan", "black", "brown",
    ];
    let mut free = all
        .into_iter()
        .filter_map(named)
        .filter(|c| !by_name.contains(&Some(*c)));
    let any = Colours {
        strong: INK,
        pale: PAPER,
    };
    by_name
        .iter()
        .map(|c| c.or_else(|| free.next()).unwrap_or(any))
        .collect()
}

/// A number with two digits at most.
pub fn n(value: f64) -> String {
    let text = format!("{value:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" {
        "0".to_owned()
    } else {
        short.to_owned()
    }
}

/// Shapes that can be drawn with a line around them.
pub trait Stroked: Node + Sized {
    /// The same with a line of this colour and width.
    #[must_use]
    fn stroked(mut self, colour: impl Into<Value>, width: impl Into<Value>) -> Self {
        self.assign("stroke", colour.into());
        self.assign("stroke-width", width.into());
        self
    }
}

impl<T: Node> Stroked for T {}

/// A line between two points.
pub fn line(x1: f64, y1: f64, x2: f64, y2: f64) -> Line {
    let line = Line::new().set("x1", n(x1)).set("y1", n(y1));
    line.set("x2", n(x2)).set("y2", n(y2))
}

/// A rectangle by its upper left corner and its size.
pub fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Rectangle {
    let corner = Rectangle::new().set("x", n(x)).set("y", n(y));
    corner.set("width", n(width)).set("height", n(height))
}

/// Returns the paper: a rectangle below everything else.
pub fn paper(width: f64, height: f64) -> Rectangle {
    let paper = Rectangle::new().set("fill", PAPER);
    paper.set("width", n(width)).set("height", n(height))
}

pub(super) fn circle(x: f64, y: f64, r: f64) -> Circle {
    Circle::new().set("cx", n(x)).set("cy", n(y)).set("r", n(r))
}

pub(super) fn polygon(corners: &[PaperPoint]) -> Polygon {
    Polygon::new().set("points", points(corners))
}

/// A text between the quotes of an attribute.
pub(super) fn attribute(text: &str) -> String {
    clean(text).replace('"', "'")
}

/// About how wide a text is, in picture units, at a size; a little more than it really is.
pub fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    let width = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.31,
        'f' | 't' | 'r' | '(' | ')' | '/' | '-' => 0.39,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.88,
        'A'..='Z' => 0.66,
        '0'..='9' => 0.58,
        c if c.is_ascii() => 0.57,
        _ => 0.8,
    };
    let sum: f64 = text.chars().map(width).sum();
    sum * size * if bold { 1.1 } else { 1.0 }
}

/// The words of a text in lines that are at most so wide.
pub fn wrapped(text: &str, size: f64, bold: bool, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in clean(text).split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size, bold) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

pub(super) fn points(corners: &[PaperPoint]) -> String {
    let pair = |p: &PaperPoint| format!("{},{}", n(p.x), n(p.y));
    corners.iter().map(pair).collect::<Vec<_>>().join(" ")
}

/// A text with its left end, or its `text-anchor`, on a point of its base line.
pub fn words(text: &str, x: f64, y: f64, size: f64) -> Text {
    Text::new(text)
        .set("x", n(x))
        .set("y", n(y))
        .set("font-size", n(size))
        .set("fill", INK)
}
