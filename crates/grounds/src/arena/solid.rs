//! The shapes of dice: their corners, faces and numbers.

use crate::kernel::plane::real::in_quadrant;
use crate::kernel::pose::{Pose, Turn, about_z, product, turned};
use std::fmt;
use std::sync::OnceLock;

/// A die's shape, with the numbers on it: as many as its name says, opposite ones adding up to the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Solid {
    /// A tetrahedron, 1 to 4; it shows the number along its base.
    D4,
    /// A cube, 1 to 6.
    D6,
    /// An octahedron, 1 to 8.
    D8,
    /// A pentagonal trapezohedron, 0 to 9.
    D10,
    /// A dodecahedron, 1 to 12.
    D12,
    /// An icosahedron, 1 to 20, each face with the neighbours that it has on most dice.
    D20,
}

pub type Vec3 = [f64; 3];

/// Geometry of a solid with its faces at distance 1 from its middle.
pub struct SolidShape {
    pub corners: Vec<Vec3>,
    pub faces: Vec<Face>,
    /// The corners of the faces where all edges are broken: the die as it is made.
    pub cut: Vec<Vec3>,
}

pub struct Face {
    /// Value of the throw when this face counts: on top, or for a D4 at the bottom.
    pub value: u8,
    pub normal: Vec3,
    /// Indices of its corners, anticlockwise as seen from outside.
    pub ring: Vec<usize>,
}

/// Share of a face lost to its bevelled edges, on the way from its corner to its middle.
const BROKEN: f64 = 0.1;

/// A die that leans by more than 15° shows nothing; this is the cosine. Two faces of a D20 are 41.8° apart, and
/// so no two are ever near enough.
const FLAT: f64 = 0.965_925_826_289_068_3;

/// Faces whose directions point up by the same, to within this, are equally near to being read: some times what the
/// rounding of a turn can make, and a fiftieth of a degree.
const EQUAL: f64 = 0.000_25;

impl Solid {
    pub const ALL: [Solid; 6] = [
        Solid::D4,
        Solid::D6,
        Solid::D8,
        Solid::D10,
        Solid::D12,
        Solid::D20,
    ];

    /// The solid with so many faces.
    pub fn with_sides(sides: i64) -> Option<Solid> {
        Solid::ALL
            .into_iter()
            .find(|solid| i64::from(solid.sides()) == sides)
    }

    pub fn sides(self) -> u8 {
        match self {
            Solid::D4 => 4,
            Solid::D6 => 6,
            Solid::D8 => 8,
            Solid::D10 => 10,
            Solid::D12 => 12,
            Solid::D20 => 20,
        }
    }

    /// The values that it can show, from the lowest up.
    pub fn values(self) -> std::ops::RangeInclusive<u8> {
        match self {
            Solid::D10 => 0..=9,
            _ => 1..=self.sides(),
        }
    }

    /// Returns the height of the middle of a die of this size above its support.
    pub fn rest(self, size: i32) -> i32 {
        match self {
            Solid::D4 => size / 4,
            _ => size / 2,
        }
    }

    /// Returns the distance of the farthest corner of a die of this size from its middle, rounded up.
    pub fn reach(self, size: i32) -> i32 {
        let far = self.shape().cut.iter().map(|corner| dot(*corner, *corner));
        let far = far.fold(0.0, f64::max).sqrt();
        (far * f64::from(self.rest(size) + 1)).ceil() as i32
    }

    /// The turn of a die that lies and shows a value, turned by whole degrees about the vertical axis; `None`
    /// for a value that it does not have.
    pub fn lying(self, value: u8, degrees: i32) -> Option<Turn> {
        let face = self.shape().faces.iter().find(|face| face.value == value)?;
        let [x, y, z] = face.normal.map(|n| n * self.counts());
        // The shortest way from where it counts now to where it counts when it is on top.
        let upright = match z < -0.999_999 {
            true => [0.0, 1.0, 0.0, 0.0],
            false => {
                let parts = [1.0 + z, y, -x, 0.0];
                let length = parts.iter().map(|n| n * n).sum::<f64>().sqrt();
                parts.map(|n| n / length)
            }
        };
        Some(Turn::nearest(product(about_z(degrees), upright)))
    }

    /// A die of this size that lies on the board there and shows a value.
    pub fn lay(self, size: i32, at: [i32; 2], value: u8, degrees: i32) -> Option<Pose> {
        Some(Pose {
            at: [at[0], at[1], self.rest(size)],
            turn: self.lying(value, degrees)?,
        })
    }

    /// The value that is read, if the die stands straight enough that everybody reads the same: it leans by at
    /// most 15°. A die that leans on another by more is cocked.
    pub fn shows(self, turn: Turn) -> Option<u8> {
        let (up, value) = self.uppermost(turn);
        (up >= FLAT).then_some(value)
    }

    /// The value that is read of a die however it leans: that of the face which is nearest, of equally near ones the
    /// lowest.
    pub fn nearest(self, turn: Turn) -> u8 {
        let nearest = self.all_nearest(turn).next();
        nearest.unwrap_or(*self.values().start())
    }

    /// Whether two faces or more are equally near to being read.
    pub fn is_between(self, turn: Turn) -> bool {
        self.all_nearest(turn).count() > 1
    }

    /// The values of all faces that are nearest to being read, from low to high.
    fn all_nearest(self, turn: Turn) -> impl Iterator<Item = u8> {
        let most = self.uppermost(turn).0;
        let up = move |face: &Face| turned(turn.real(), face.normal)[2] * self.counts();
        let faces = self.shape().faces.iter();
        faces
            .filter(move |face| up(face) >= most - EQUAL)
            .map(|face| face.value)
    }

    fn uppermost(self, turn: Turn) -> (f64, u8) {
        let (upright, value) = self.nearest_upright(turn);
        (upright[2], value)
    }

    /// The direction that points up once the die lies so that the value is read which is nearest now; and that
    /// value.
    pub(super) fn nearest_upright(self, turn: Turn) -> (Vec3, u8) {
        let turn = turn.real();
        let mut best = ([0.0, 0.0, f64::MIN], 0);
        for face in &self.shape().faces {
            let upright = scaled(turned(turn, face.normal), self.counts());
            if upright[2] > best.0[2] {
                best = (upright, face.value);
            }
        }
        best
    }

    /// Whether the face that counts is on top (1) or at the bottom (-1).
    pub fn counts(self) -> f64 {
        if self == Solid::D4 { -1.0 } else { 1.0 }
    }

    /// The corners of a die of this size on which it stands, anticlockwise, from its middle: those of the face at the
    /// bottom, or of one that leans the lowest. With its edges, the face reaches as far as if they were not broken.
    pub fn foot(self, size: i32, turn: Turn, with_edges: bool) -> Vec<[i32; 2]> {
        let (shape, turn) = (self.shape(), turn.real());
        let scale = f64::from(size) / if self == Solid::D4 { 4.0 } else { 2.0 };
        let lowest = |corners: &[Vec3]| {
            let corners: Vec<Vec3> = corners.iter().map(|v| turned(turn, *v)).collect();
            let low = corners.iter().map(|v| v[2]).fold(f64::MAX, f64::min);
            // What a quantised turn lifts off the ground is less than a fiftieth of the way to the middle.
            let down = corners.into_iter().filter(move |v| v[2] < low + 0.02);
            down.map(|v| [v[0], v[1]].map(|n| (n * scale).round() as i32))
        };
        let edges = with_edges.then(|| lowest(&shape.corners));
        hull(lowest(&shape.cut).chain(edges.into_iter().flatten()).collect())
    }

    /// Computed once, in numbers that are the same on every machine: nothing but sums, products and roots.
    pub fn shape(self) -> &'static SolidShape {
        static SHAPES: [OnceLock<SolidShape>; 6] = [const { OnceLock::new() }; 6];
        SHAPES[self as usize].get_or_init(|| SolidShape::of(self))
    }
}

impl fmt::Display for Solid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "d{}", self.sides())
    }
}

impl SolidShape {
    fn of(solid: Solid) -> SolidShape {
        let golden = (1.0 + 5f64.sqrt()) / 2.0;
        let cube: Vec<Vec3> = signs([1.0, 1.0, 1.0]);
        let axes = || rounds(signs([0.0, 0.0, 1.0]));
        let icosahedron = || rounds(signs([0.0, 1.0, golden]));
        let dodecahedron = || [cube.clone(), rounds(signs([0.0, golden, 1.0 / golden]))].concat();
        let tetrahedron = || {
            let even = |v: &Vec3| v[0] * v[1] * v[2] > 0.0;
            cube.iter().copied().filter(even).collect::<Vec<_>>()
        };
        match solid {
            Solid::D4 => {
                let corners = tetrahedron();
                let normals = corners.iter().map(|v| scaled(*v, -1.0)).collect();
                SolidShape::new(corners, normals, |faces| {
                    (1..).zip(faces).for_each(|(value, face)| face.value = value);
                })
            }
            Solid::D6 => SolidShape::new(cube.clone(), axes(), |faces| {
                // 1, 2 and 3 run anticlockwise about the corner where they meet.
                give(
                    faces,
                    7,
                    &[([1.0, 0.0, 0.0], 1), ([0.0, 1.0, 0.0], 2), ([0.0, 0.0, 1.0], 3)],
                );
            }),
            Solid::D8 => SolidShape::new(axes(), cube.clone(), |faces| {
                let around = [([1.0, 1.0, 1.0], 1), ([-1.0, 1.0, 1.0], 7)];
                give(faces, 9, &around);
                give(faces, 9, &[([-1.0, -1.0, 1.0], 3), ([1.0, -1.0, 1.0], 5)]);
            }),
            Solid::D10 => {
                let (corners, upper) = trapezohedron();
                let lower = upper.iter().map(|v| scaled(*v, -1.0));
                let normals = upper.iter().copied().chain(lower).collect();
                SolidShape::new(corners, normals, |faces| {
                    let values = [1, 7, 3, 9, 5];
                    let around: Vec<(Vec3, u8)> = upper.iter().copied().zip(values).collect();
                    give(faces, 9, &around);
                })
            }
            Solid::D12 => SolidShape::new(dodecahedron(), icosahedron(), |faces| {
                let neighbours = around(faces, 0);
                let mut values = vec![(faces[0].normal, 1)];
                let ring = neighbours.iter().map(|n| faces[*n].normal);
                values.extend(ring.zip([2, 4, 6, 3, 5]));
                give(faces, 13, &values);
            }),
            Solid::D20 => SolidShape::new(icosahedron(), dodecahedron(), |faces| {
                let neighbours: Vec<Vec<usize>> = (0..20).map(|n| around(faces, n)).collect();
                let mut values = [0; 20];
                values[0] = 20;
                if let [a, b, c] = neighbours[0][..] {
                    (values[a], values[b], values[c]) = (2, 8, 14);
                }
                let found = spread(&neighbours, &mut values);
                debug_assert!(found, "the numbers of a D20 fit on it");
                faces
                    .iter_mut()
                    .zip(values)
                    .for_each(|(face, value)| face.value = value);
            }),
        }
    }

    /// The solid with these corners and faces in these directions, of any size; `number` gives the values.
    fn new(corners: Vec<Vec3>, normals: Vec<Vec3>, number: impl FnOnce(&mut Vec<Face>)) -> SolidShape {
        let unit = |v: Vec3| scaled(v, 1.0 / dot(v, v).sqrt());
        let normals: Vec<Vec3> = normals.into_iter().map(unit).collect();
        let far = corners
            .iter()
            .map(|v| dot(*v, normals[0]))
            .fold(f64::MIN, f64::max);
        let corners: Vec<Vec3> = corners.into_iter().map(|v| scaled(v, 1.0 / far)).collect();
        let mut faces: Vec<Face> = Vec::new();
        for normal in normals {
            let on = (0..corners.len()).filter(|n| dot(corners[*n], normal) > 1.0 - 1e-6);
            let mut ring: Vec<usize> = on.collect();
            let start = less(corners[ring[0]], normal);
            let side = cross(normal, start);
            ring.sort_by(|a, b| {
                let turn = |n: usize| turn_of(dot(corners[n], start), dot(corners[n], side));
                turn(*a).total_cmp(&turn(*b))
            });
            faces.push(Face {
                value: 0,
                normal,
                ring,
            });
        }
        number(&mut faces);
        faces.sort_by_key(|face| face.value);
        let mut shape = SolidShape {
            corners,
            faces,
            cut: Vec::new(),
        };
        shape.cut = shape.faces.iter().flat_map(|face| shape.broken(face)).collect();
        shape
    }

    /// The corners of a face where all edges are broken.
    pub fn broken(&self, face: &Face) -> Vec<Vec3> {
        let ring: Vec<Vec3> = face.ring.iter().map(|n| self.corners[*n]).collect();
        let middle = mean(&ring);
        let cut = |v: &Vec3| add(*v, scaled(less(middle, *v), BROKEN));
        ring.iter().map(cut).collect()
    }
}

/// As high as it is wide, as such dice are: two tips, and a ring of ten that goes up and down. With it the
/// directions of the five upper faces.
fn trapezohedron() -> (Vec<Vec3>, Vec<Vec3>) {
    let root = 5f64.sqrt();
    // Cosines and sines of 0°, 36° and so on; the ring goes up and down by the square of the tangent of 18°.
    let (c36, s36) = ((root + 1.0) / 4.0, (10.0 - 2.0 * root).sqrt() / 4.0);
    let (c72, s72) = ((root - 1.0) / 4.0, (10.0 + 2.0 * root).sqrt() / 4.0);
    let circle = [
        (1.0, 0.0),
        (c36, s36),
        (c72, s72),
        (-c72, s72),
        (-c36, s36),
        (-1.0, 0.0),
        (-c36, -s36),
        (-c72, -s72),
        (c72, -s72),
        (c36, -s36),
    ];
    let rise = (1.0 - c36) / (1.0 + c36);
    let mut corners = vec![[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
    let mut upper = Vec::new();
    for (n, (x, y)) in circle.into_iter().enumerate() {
        let low = n % 2 == 0;
        corners.push([x, y, if low { -rise } else { rise }]);
        if low {
            // A face runs from the tip over the low corner: its normal leans that way. The tip and the corner
            // are equally far along it.
            let (out, up) = (1.0 + rise, 1.0);
            upper.push([x * out, y * out, up]);
        }
    }
    (corners, upper)
}

/// Gives values to the faces in these directions, and to the opposite ones what is left of the sum.
fn give(faces: &mut [Face], sum: u8, values: &[(Vec3, u8)]) {
    for (direction, value) in values {
        let length = dot(*direction, *direction).sqrt();
        for face in &mut *faces {
            let along = dot(face.normal, *direction) / length;
            if along > 1.0 - 1e-6 {
                face.value = *value;
            } else if along < 1e-6 - 1.0 {
                face.value = sum - value;
            }
        }
    }
}

/// The faces that share an edge with one, anticlockwise.
fn around(faces: &[Face], of: usize) -> Vec<usize> {
    let ring = &faces[of].ring;
    let beyond = |n: usize| {
        let edge = [ring[n], ring[(n + 1) % ring.len()]];
        (0..faces.len()).find(|other| *other != of && edge.iter().all(|c| faces[*other].ring.contains(c)))
    };
    (0..ring.len()).filter_map(beyond).collect()
}

/// Values of the faces that share an edge with each face of a D20, from the face of value 1 up.
const BESIDE: [[u8; 3]; 20] = [
    [7, 13, 19],
    [12, 18, 20],
    [16, 17, 19],
    [11, 14, 18],
    [13, 15, 18],
    [9, 14, 16],
    [1, 15, 17],
    [10, 16, 20],
    [6, 11, 19],
    [8, 12, 17],
    [4, 9, 13],
    [2, 10, 15],
    [1, 5, 11],
    [4, 6, 20],
    [5, 7, 12],
    [3, 6, 8],
    [3, 7, 10],
    [2, 4, 5],
    [1, 3, 9],
    [2, 8, 14],
];

/// Fills in the values that are still 0, so that neighbours are those that they should be. There is one way.
fn spread(neighbours: &[Vec<usize>], values: &mut [u8; 20]) -> bool {
    let beside = |value: u8| &BESIDE[usize::from(value) - 1];
    let fits = |values: &[u8; 20], face: usize| {
        let given = neighbours[face].iter().map(|n| values[*n]).filter(|v| *v != 0);
        given
            .into_iter()
            .all(|value| beside(values[face]).contains(&value))
    };
    let known = |face: &usize| values[*face] == 0 && neighbours[*face].iter().any(|n| values[*n] != 0);
    let Some(face) = (0..20).find(known) else {
        return values.iter().all(|value| *value != 0);
    };
    for value in 1..=20 {
        if !values.contains(&value) {
            values[face] = value;
            if fits(values, face) && spread(neighbours, values) {
                return true;
            }
            values[face] = 0;
        }
    }
    false
}

/// All ways to give these lengths a sign, each once.
fn signs(v: Vec3) -> Vec<Vec3> {
    let mut all = vec![[0.0; 3]];
    for n in 0..3 {
        let with = |sign: f64| {
            move |mut at: Vec3| {
                at[n] = v[n] * sign;
                at
            }
        };
        let more: Vec<Vec3> = match v[n] == 0.0 {
            true => Vec::new(),
            false => all.iter().copied().map(with(-1.0)).collect(),
        };
        all = all.into_iter().map(with(1.0)).chain(more).collect();
    }
    all
}

/// Each with its coordinates in all three cyclic orders.
fn rounds(all: Vec<Vec3>) -> Vec<Vec3> {
    let each = |[x, y, z]: Vec3| [[x, y, z], [y, z, x], [z, x, y]];
    all.into_iter().flat_map(each).collect()
}

/// Grows with the angle of a direction from the right, anticlockwise, from 0 to 4.
fn turn_of(x: f64, y: f64) -> f64 {
    in_quadrant(x, y >= -1e-9, y.abs() / (x.abs() + y.abs()), 2.0)
}

/// The corners of the hull of points, anticlockwise.
pub fn hull(mut points: Vec<[i32; 2]>) -> Vec<[i32; 2]> {
    points.sort();
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = [i32; 2]>| {
        let mut chain: Vec<[i32; 2]> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..] {
                let way =
                    |from: [i32; 2], to: [i32; 2]| [0, 1].map(|n| i64::from(to[n]) - i64::from(from[n]));
                let ([ax, ay], [bx, by]) = (way(a, b), way(a, point));
                if ax * by - ay * bx > 0 {
                    break;
                }
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let lower = half(&mut points.iter().copied());
    let upper = half(&mut points.iter().rev().copied());
    [lower, upper].concat()
}

pub(super) fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub fn scaled(v: Vec3, by: f64) -> Vec3 {
    v.map(|n| n * by)
}

pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn less(a: Vec3, b: Vec3) -> Vec3 {
    add(a, scaled(b, -1.0))
}

pub fn mean(points: &[Vec3]) -> Vec3 {
    let sum = points.iter().fold([0.0; 3], |sum, v| add(sum, *v));
    scaled(sum, 1.0 / points.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_faces_add_up_as_on_real_dice() {
        let sums = [
            (Solid::D6, 7),
            (Solid::D8, 9),
            (Solid::D10, 9),
            (Solid::D12, 13),
            (Solid::D20, 21),
        ];
        for (solid, sum) in sums {
            for face in &solid.shape().faces {
                let opposite = |other: &&Face| dot(other.normal, face.normal) < 1e-6 - 1.0;
                let other = solid.shape().faces.iter().find(opposite).expect("it has one");
                assert_eq!(face.value + other.value, sum, "{solid}");
            }
        }
    }

    #[test]
    fn each_solid_has_its_faces_corners_and_values() {
        // Corners, and corners of a face.
        let known = [(4, 3), (8, 4), (6, 3), (12, 4), (20, 5), (12, 3)];
        for (solid, (corners, ring)) in Solid::ALL.into_iter().zip(known) {
            let shape = solid.shape();
            assert_eq!(shape.corners.len(), corners, "{solid}");
            assert!(shape.faces.iter().all(|face| face.ring.len() == ring), "{solid}");
            let values: Vec<u8> = shape.faces.iter().map(|face| face.value).collect();
            assert_eq!(
                values,
                solid.values().collect::<Vec<u8>>(),
                "{solid}: each value once"
            );
            assert_eq!(Solid::with_sides(values.len() as i64), Some(solid));
            for face in &shape.faces {
                let outside = shape
                    .corners
                    .iter()
                    .all(|corner| dot(*corner, face.normal) < 1.0 + 1e-9);
                assert!(outside, "{solid}: every face is outside");
                let corner = |n: usize| shape.corners[face.ring[n % ring]];
                for n in 0..ring {
                    let turn = cross(less(corner(n + 1), corner(n)), less(corner(n + 2), corner(n + 1)));
                    assert!(dot(turn, face.normal) > 0.0, "{solid}: corners run anticlockwise");
                }
            }
        }
        assert_eq!(Solid::with_sides(7), None);
    }

    #[test]
    fn the_faces_of_a_d20_have_the_neighbours_that_they_have_on_most_dice() {
        let faces = &Solid::D20.shape().faces;
        for (n, face) in faces.iter().enumerate() {
            let mut beside: Vec<u8> = around(faces, n).iter().map(|n| faces[*n].value).collect();
            beside.sort();
            assert_eq!(beside, BESIDE[usize::from(face.value) - 1], "{}", face.value);
        }
    }

    #[test]
    fn a_die_that_lies_shows_what_it_is_laid_to_show() {
        for solid in Solid::ALL {
            for value in solid.values() {
                for degrees in [0, 33, 180, 359] {
                    let turn = solid.lying(value, degrees).expect("it has that face");
                    assert_eq!(solid.shows(turn), Some(value), "{solid}");
                    let lowest = solid.shape().cut.iter().map(|v| turned(turn.real(), *v)[2]);
                    let lowest = lowest.fold(f64::MAX, f64::min);
                    assert!((lowest + 1.0).abs() < 1e-3, "{solid}: it lies on a face");
                }
            }
            assert_eq!(solid.lying(21, 0), None);
        }
        assert_eq!(Solid::D6.lying(0, 0), None);
        assert!(Solid::D10.lying(0, 0).is_some());
    }

    #[test]
    fn a_die_exactly_between_two_faces_is_told_and_counts_by_the_lower() {
        let half = 0.5f64.sqrt();
        let (cos, sin) = (((1.0 + half) / 2.0).sqrt(), ((1.0 - half) / 2.0).sqrt());
        // A D6 that is tipped by 45 degrees, and some more or less, over an edge.
        let d6 = |more: f64, first: u8| {
            let lying = Solid::D6.lying(first, 0).expect("it has that value").real();
            Turn::nearest(product([cos, sin + more, 0.0, 0.0], lying))
        };
        for first in Solid::D6.values() {
            let turn = d6(0.0, first);
            assert!(Solid::D6.is_between(turn));
            let both = [d6(-0.001, first), d6(0.001, first)].map(|turn| {
                assert!(!Solid::D6.is_between(turn));
                Solid::D6.nearest(turn)
            });
            assert_ne!(both[0], both[1]);
            assert_eq!(Solid::D6.nearest(turn), both[0].min(both[1]));
        }
        for solid in Solid::ALL {
            for value in solid.values() {
                assert!(!solid.is_between(solid.lying(value, 17).expect("it has that value")));
            }
        }
    }

    #[test]
    fn a_die_that_leans_too_far_shows_nothing() {
        for solid in Solid::ALL {
            let lying = solid.lying(3, 20).expect("it has a 3").real();
            let leaning = |degrees: i64| {
                let (cos, sin) = crate::kernel::pose::direction(degrees * 500);
                Turn::nearest(product([cos, sin, 0.0, 0.0], lying))
            };
            assert_eq!(solid.shows(leaning(14)), Some(3), "{solid}");
            assert_eq!(solid.shows(leaning(16)), None, "{solid}");
            assert_eq!(solid.nearest(leaning(16)), 3, "{solid}");
        }
    }
}
