//! A board as a page shows it: where everything on its picture lies, and what its signs mean.

use crate::picture::dice::DrawnThrow;
use crate::picture::ground;
use crate::picture::scene::Scene;
use crate::picture::svg::beside;
use crate::visible::{bare, is_plain};
use serde_json::{Value, json};

/// The room around a board in its picture.
pub const EDGE: f64 = 3.0;

/// Spells out the odd characters of all texts, whoever wrote them; pictures have none.
pub fn clean(value: &mut Value) {
    match value {
        Value::String(text) if !is_plain(text) => *text = bare(text),
        Value::Array(list) => list.iter_mut().for_each(clean),
        Value::Object(map) => map.values_mut().for_each(clean),
        _ => {}
    }
}

/// Returns the positions of the cells and units of a board in its picture; of gaps only those in which terrain can be
/// set.
pub fn cells(scene: &Scene, is_room: impl Fn(usize) -> bool) -> Vec<Value> {
    let cells = scene.cells.iter().enumerate();
    let cells = cells.filter(|(nth, cell)| !cell.outline.is_empty() && (!cell.gap || is_room(*nth)));
    let cells = cells.map(
        |(_, cell)| json!({ "name": cell.name, "gap": cell.gap, "at": cell.centre, "outline": cell.outline }),
    );
    cells.collect()
}

/// Returns the area around an edge between two cells, as [`cells`] does of a cell.
pub fn edge_cell(scene: &Scene, name: &str, (a, b): (usize, usize)) -> Option<Value> {
    const HALF: f64 = 7.0;
    let (from, to) = scene.side_between(a, b)?;
    let length = from.distance(to).max(1.0);
    // Across and along the edge.
    let (right, down) = ((to.y - from.y) / length * HALF, (from.x - to.x) / length * HALF);
    let (x, y) = if from == to { (HALF, HALF) } else { (0.0, 0.0) };
    let outline = [
        from.plus(right - x, down - y),
        to.plus(right + x, down - y),
        to.plus(x - right, y - down),
        from.plus(-right - x, y - down),
    ];
    let at = from.towards(to, 0.5);
    Some(json!({ "name": name, "gap": false, "at": at, "outline": outline }))
}

/// Returns the positions of units on it.
pub fn units(scene: &Scene) -> Vec<Value> {
    let units = scene.tokens.iter().filter(|t| !t.name.is_empty() && !t.fallen);
    let units = units.map(|token| {
        let (wide, high) = ground::TOKEN;
        let full = token.size * wide.max(high) / 2.0;
        let cell = token.cell.and_then(|cell| scene.cells.get(cell));
        json!({
            "name": token.name, "at": token.at, "life": token.life,
            "radius": token.base.map_or(full, |base| full.max(base / 2.0)), "base": token.base,
            "cell": cell.map(|cell| &cell.name),
            // What a ring around it must not cross.
            "beside": beside(token).map(|(at, radius)| json!({ "at": at, "radius": radius })),
        })
    });
    units.collect()
}

/// Returns the legend of the signs on the board.
pub fn told_legend(scene: &Scene) -> Vec<String> {
    let mut legend: Vec<String> = scene
        .types
        .iter()
        .map(|(symbol, name)| format!("{symbol} = {name}"))
        .collect();
    if !scene.number.is_empty() {
        legend.push(format!("the number below is {}", scene.number.replace('_', " ")));
    }
    if !scene.facing.is_empty() {
        legend.push(format!("the wedge says {}", scene.facing));
    }
    legend.extend(
        scene
            .marks
            .iter()
            .map(|(sign, meaning)| format!("{sign} {meaning}")),
    );
    let signs = scene.throw.iter().flat_map(DrawnThrow::signs);
    legend.extend(signs.map(|sign| format!("{} ({})", sign.looks(), sign.means())));
    legend
}
