//! Dice as they look from above: outlines, faces, and the numbers on them.

use super::Turn;
use super::solid::{Face, Solid, Vec3, add, hull, less, mean, scaled};
use crate::kernel::ground::{DieView, DrawnFace, Numeral};
use crate::kernel::pose::turned;

/// Returns the view from above of a die of this size.
pub fn view(solid: Solid, size: i32, turn: Turn) -> DieView {
    let (shape, turn) = (solid.shape(), turn.real());
    let scale = f64::from(size) / if solid == Solid::D4 { 4.0 } else { 2.0 };
    let flat = |v: Vec3| {
        let v = turned(turn, v);
        [v[0] * scale, v[1] * scale]
    };
    let whole = |v: Vec3| flat(v).map(|n| n.round() as i32);
    let mut faces: Vec<DrawnFace> = Vec::new();
    for face in &shape.faces {
        let up = turned(turn, face.normal)[2];
        if up < 0.02 {
            continue;
        }
        let broken = shape.broken(face);
        faces.push(DrawnFace {
            outline: broken.iter().map(|v| whole(*v)).collect(),
            up: (up * 1_000.0).round() as i32,
            numerals: numerals(solid, face, &whole),
        });
    }
    faces.sort_by_key(|face| -face.up);
    DieView {
        outline: hull(shape.cut.iter().map(|v| whole(*v)).collect()),
        faces,
    }
}

/// The faces of a die of this size that is not turned, each with its value and its corners, anticlockwise as seen
/// from outside: for whoever turns it.
pub fn outlines(solid: Solid, size: i32) -> Vec<(u8, Vec<[i32; 3]>)> {
    let shape = solid.shape();
    let scale = f64::from(size) / if solid == Solid::D4 { 4.0 } else { 2.0 };
    let whole = |v: &Vec3| v.map(|n| (n * scale).round() as i32);
    let corners = |face: &Face| shape.broken(face).iter().map(whole).collect();
    shape
        .faces
        .iter()
        .map(|face| (face.value, corners(face)))
        .collect()
}

/// Returns the numbers on a face. On a D4 the number along each edge is the value of the face on the other side:
/// when that one is at the bottom, the number stands upright at the base of all three that are seen.
fn numerals(solid: Solid, face: &Face, whole: &dyn Fn(Vec3) -> [i32; 2]) -> Vec<Numeral> {
    let shape = solid.shape();
    let ring: Vec<Vec3> = face.ring.iter().map(|n| shape.corners[*n]).collect();
    let middle = mean(&ring);
    let mark = |number: u8, at: Vec3, top: Vec3| {
        let (at, top) = (whole(at), whole(top));
        Numeral {
            number,
            at,
            top: [top[0] - at[0], top[1] - at[1]],
        }
    };
    let toward = |from: Vec3, to: Vec3, part: f64| add(from, scaled(less(to, from), part));
    if solid != Solid::D4 {
        // The top of the number points to the first corner, or on a cube to an edge.
        let to = match solid {
            Solid::D6 => mean(&ring[..2]),
            _ => ring[0],
        };
        return vec![mark(face.value, middle, toward(middle, to, 0.35))];
    }
    let mut numerals = Vec::new();
    for n in 0..3 {
        let away = ring[n];
        let edge = mean(&[ring[(n + 1) % 3], ring[(n + 2) % 3]]);
        // Beyond the edge that faces a corner is the face which has everything but that corner.
        let other = shape
            .faces
            .iter()
            .find(|other| !other.ring.contains(&face.ring[n]));
        let at = toward(edge, away, 0.2);
        numerals.extend(other.map(|other| mark(other.value, at, toward(at, away, 0.15))));
    }
    numerals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_die_is_seen_from_above() {
        let cube = view(Solid::D6, 1_600, Solid::D6.lying(5, 0).expect("it has a 5"));
        assert_eq!(cube.faces.len(), 1);
        assert_eq!((cube.faces[0].up, cube.faces[0].numerals[0].number), (1_000, 5));
        assert_eq!(cube.faces[0].numerals[0].at, [0, 0]);
        assert_eq!(cube.outline.iter().flatten().map(|n| n.abs()).max(), Some(800));
        // Of a D4 that lies three faces are seen, each with three numbers; what it shows is at every base.
        let d4 = view(Solid::D4, 1_600, Solid::D4.lying(2, 0).expect("it has a 2"));
        assert_eq!(d4.faces.len(), 3);
        let far = |mark: &Numeral| mark.at[0].pow(2) + mark.at[1].pow(2);
        for face in &d4.faces {
            let base = face
                .numerals
                .iter()
                .max_by_key(|mark| far(mark))
                .expect("it has numerals");
            assert_eq!((face.numerals.len(), base.number), (3, 2));
            let inward = base.top[0] * base.at[0] + base.top[1] * base.at[1];
            assert!(inward < 0, "it stands upright on the base");
        }
        let d20 = view(Solid::D20, 2_000, Solid::D20.lying(20, 0).expect("it has a 20"));
        assert_eq!(d20.faces[0].numerals[0].number, 20);
        let ring: Vec<u8> = d20.faces[1..4]
            .iter()
            .map(|face| face.numerals[0].number)
            .collect();
        assert!([2, 8, 14].iter().all(|n| ring.contains(n)), "{ring:?}");
    }
}
