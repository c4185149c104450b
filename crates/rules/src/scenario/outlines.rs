//! Pieces of terrain on a table top as scenarios write them: `disc(450,450,60)` by its middle and how wide it is,
//! `box(100,100,200,150)` by two opposite corners, `polygon(100,100,200,100,150,180)` by its corners in turn; each
//! perhaps behind its name, `piece3:disc(450,450,60)`.

use crate::kernel::ground::plane::{FARTHEST, OutlineError, Shape};
use crate::kernel::spot::{Point, length_text, parse_length};

/// Format of a piece in a scenario.
pub const FORM: &str =
    "a piece is written `disc(x,y,diameter)`, `box(x,y,x,y)` or `polygon(x,y,x,y,x,y)`, without blanks";

/// Reads a piece: its name, where it is said, and its outline.
///
/// # Errors
///
/// What is wrong, in one sentence.
pub fn read(text: &str) -> Result<(Option<&str>, Shape), String> {
    let (name, outline) = match text.split_once(':') {
        Some((name, outline)) => (Some(name), outline),
        None => (None, text),
    };
    let parts = outline.strip_suffix(')').and_then(|o| o.split_once('('));
    let Some((form, numbers)) = parts else {
        return Err(format!("`{outline}` is no outline of a piece"));
    };
    let mut lengths = Vec::new();
    for number in numbers.split(',') {
        let length = parse_length(number).filter(|l| l.abs() <= i64::from(FARTHEST));
        let Some(length) = length.and_then(|l| i32::try_from(l).ok()) else {
            let far = length_text(FARTHEST.into());
            return Err(format!(
                "`{number}` is no length of at most three decimals up to {far}"
            ));
        };
        lengths.push(length);
    }
    let shape = match (form, &lengths[..]) {
        ("disc", &[x, y, diameter]) if diameter > 0 => Shape::Disc {
            at: Point { x, y },
            diameter,
        },
        ("disc", [_, _, _]) => return Err("a disc is wider than 0".to_owned()),
        ("box", &[x, y, other_x, other_y]) => polygon(&[x, y, other_x, y, other_x, other_y, x, other_y])?,
        ("polygon", corners) => polygon(corners)?,
        ("disc" | "box", _) => return Err(format!("`{form}` takes other numbers than {}", lengths.len())),
        _ => return Err(format!("there is no outline `{form}`")),
    };
    Ok((name, shape))
}

fn polygon(numbers: &[i32]) -> Result<Shape, String> {
    if numbers.len() % 2 == 1 {
        return Err("each corner has two numbers: one is missing".to_owned());
    }
    let corners: Vec<Point> = numbers
        .chunks_exact(2)
        .map(|c| Point { x: c[0], y: c[1] })
        .collect();
    let at = |index: usize| corners.get(index).map_or(String::new(), |p| plain(*p));
    Shape::polygon(&corners).map_err(|why| match why {
        OutlineError::Few(n) => format!("a polygon has 3 corners or more, not {n}"),
        OutlineError::Many(n) => format!("a polygon has at most {} corners, not {n}", Shape::CORNERS),
        OutlineError::Far(index) => format!("the corner {} lies beyond every table", at(index)),
        OutlineError::Twice(index, _) => format!("the corner {} is there twice in a row", at(index)),
        OutlineError::Flat => "all corners lie on one line: the piece has no area".to_owned(),
        OutlineError::Crossing(a, b) => {
            let edge = |i: usize| format!("{} to {}", at(i), at((i + 1) % corners.len()));
            format!(
                "the outline crosses itself: the edge {} meets {}",
                edge(a),
                edge(b)
            )
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
        for (text, why) in [
            ("wall", "is no outline"),
            ("disc(1,2)", "takes other numbers than 2"),
            ("disc(1,2,0)", "wider than 0"),
            ("disc(1,2,x)", "`x` is no length"),
            ("disc(1,2,99999999999)", "is no length"),
            ("star(1,2,3)", "no outline `star`"),
            ("polygon(1,2,3)", "one is missing"),
            ("polygon(1,2,3,4)", "3 corners or more, not 2"),
            ("polygon(0,0,4,4,4,0,0,4)", "crosses itself"),
            ("polygon(0,0,4,4,8,8)", "no area"),
            ("box(0,0,0,4)", "twice in a row"),
        ] {
            let said = read(text).expect_err(text);
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
