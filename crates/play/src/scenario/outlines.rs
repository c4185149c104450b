//! Pieces of terrain on a table top as scenarios write them: `disc(450,450,60)` by its middle and how wide it is,
//! `box(100,100,200,150)` by two opposite corners, `polygon(100,100,200,100,150,180)` by its corners in turn; each
//! perhaps behind its name, `piece3:disc(450,450,60)`.

use super::problems::{
    corner_too_far, crossing_outline, not_a_length, not_an_outline, piece_without_area, repeated_corner,
    wrong_corner_count,
};
use crate::kernel::plane::{FARTHEST, OutlineError, Shape};
use crate::kernel::spot::{Point, length_text, parse_length};
use crate::report::Problem;

/// Reads a piece: its name, where it is said, and its outline.
///
/// # Errors
///
/// What is wrong, without its place.
pub fn read(text: &str) -> Result<(Option<&str>, Shape), Problem> {
    let (name, outline) = match text.split_once(':') {
        Some((name, outline)) => (Some(name), outline),
        None => (None, text),
    };
    let parts = outline.strip_suffix(')').and_then(|o| o.split_once('('));
    let Some((form, numbers)) = parts else {
        return Err(not_an_outline(outline));
    };
    let mut lengths = Vec::new();
    for number in numbers.split(',') {
        let length = parse_length(number).filter(|l| l.abs() <= i64::from(FARTHEST));
        let Some(length) = length.and_then(|l| i32::try_from(l).ok()) else {
            return Err(not_a_length(number, length_text(FARTHEST.into())));
        };
        lengths.push(length);
    }
    let shape = match (form, &lengths[..]) {
        ("disc", &[x, y, diameter]) if diameter > 0 => Shape::Disc {
            at: Point { x, y },
            diameter,
        },
        ("disc", [_, _, _]) => return Err(piece_without_area()),
        ("box", &[x, y, other_x, other_y]) => polygon(&[x, y, other_x, y, other_x, other_y, x, other_y])?,
        ("polygon", corners) if corners.len() % 2 == 0 => polygon(corners)?,
        _ => return Err(not_an_outline(outline)),
    };
    Ok((name, shape))
}

fn polygon(numbers: &[i32]) -> Result<Shape, Problem> {
    let corners: Vec<Point> = numbers
        .chunks_exact(2)
        .map(|c| Point { x: c[0], y: c[1] })
        .collect();
    let at = |index: usize| corners.get(index).map_or(String::new(), |p| plain(*p));
    Shape::polygon(&corners).map_err(|why| match why {
        OutlineError::Few(n) | OutlineError::Many(n) => wrong_corner_count(n, Shape::CORNERS),
        OutlineError::Far(index) => corner_too_far(at(index)),
        OutlineError::Twice(index, _) => repeated_corner(at(index)),
        OutlineError::Flat => piece_without_area(),
        OutlineError::Crossing(a, b) => {
            let edge = |i: usize| format!("{} to {}", at(i), at((i + 1) % corners.len()));
            crossing_outline(edge(a), edge(b))
        }
    })
}

/// A point as people write it, without zeros at the end.
fn plain(point: Point) -> String {
    format!("{},{}", length_text(point.x.into()), length_text(point.y.into()))
}

/// A piece as [`read`] reads it.
pub fn written(name: &str, shape: &Shape) -> String {
    match shape {
        Shape::Disc { at, diameter } => {
            format!("{name}:disc({},{})", plain(*at), length_text((*diameter).into()))
        }
        Shape::Polygon(corners) => {
            let corners: Vec<String> = corners.iter().map(|p| plain(*p)).collect();
            format!("{name}:polygon({})", corners.join(","))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            "piece1:disc(450,450.5,60)",
            "piece2:polygon(100,100,200,100,150,180)",
        ] {
            let (name, shape) = read(text).expect(text);
            assert_eq!(written(name.unwrap_or(""), &shape), text);
        }
        let (_, shape) = read("box(1,2,3,4)").expect("a box");
        assert_eq!(written("b", &shape), "b:polygon(1,2,3,2,3,4,1,4)");
    }

    #[test]
    fn what_is_no_piece_says_why() {
        for (text, id) in [
            ("wall", "not-an-outline"),
            ("disc(1,2)", "not-an-outline"),
            ("disc(1,2,0)", "piece-without-area"),
            ("disc(1,2,x)", "not-a-length"),
            ("disc(1,2,99999999999)", "not-a-length"),
            ("star(1,2,3)", "not-an-outline"),
            ("polygon(1,2,3)", "not-an-outline"),
            ("polygon(1,2,3,4)", "wrong-corner-count"),
            ("polygon(0,0,4,4,4,0,0,4)", "crossing-outline"),
            ("polygon(0,0,4,4,8,8)", "piece-without-area"),
            ("box(0,0,0,4)", "repeated-corner"),
        ] {
            assert_eq!(read(text).expect_err(text).id(), id, "{text}");
        }
    }
}
