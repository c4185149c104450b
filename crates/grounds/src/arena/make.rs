//! Physical properties of boards and dice, in whole numbers.

use super::solid::Solid;

/// The board, and the world around it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Arena {
    /// The corners of the board's top, anticlockwise and convex; see [`octagon`] and [`Arena::is_board`].
    pub corners: Vec<[i32; 2]>,
    /// Thickness of the board, in hundredths of a millimetre.
    pub thickness: i32,
    /// Thousandths; between two bodies the mean of both counts.
    pub friction: i32,
    /// Thousandths of the speed that are left after a bounce; the mean of both bodies counts.
    pub restitution: i32,
    /// Hundredths of a millimetre a second, each second.
    pub gravity: i32,
    /// Number of computed steps per second.
    pub steps: i32,
    /// After so many thousandths of a second a throw is stopped, settled or not.
    pub limit: i32,
}

/// Physical properties of a die.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DieProperties {
    /// From the face on which it lies to the face on top (of a D4: to the corner on top), in hundredths of a
    /// millimetre.
    pub size: i32,
    /// Milligrams.
    pub mass: i32,
    /// Thousandths; see [`Arena::friction`].
    pub friction: i32,
    /// Thousandths; see [`Arena::restitution`].
    pub restitution: i32,
    /// Offset of its weight from its middle, towards the face of the lowest value, in thousandths of the way to that
    /// face; 0 for a fair die.
    pub load: i32,
}

/// The ranges of the numbers of one of the two.
macro_rules! numbers {
    ($type:ty: $($name:ident $least:literal ..= $most:literal),+ $(,)?) => {
        impl $type {
            /// The nearest that is in range.
            pub(super) fn in_range(mut self) -> Self {
                $(self.$name = self.$name.clamp($least, $most);)+
                self
            }
        }
    };
}

numbers!(Arena:
    thickness 100..=20_000,
    friction 0..=2_000,
    restitution 0..=1_000,
    gravity 1_000..=10_000_000,
    steps 60..=1_000,
    limit 100..=60_000,
);
numbers!(DieProperties:
    size 300..=10_000,
    mass 50..=1_000_000,
    friction 0..=2_000,
    restitution 0..=1_000,
    load 0..=900,
);

impl Default for Arena {
    /// A board of wood half a metre wide, an octagon.
    fn default() -> Self {
        Arena {
            corners: octagon([25_000, 25_000], 50_000).to_vec(),
            thickness: 2_000,
            friction: 400,
            restitution: 350,
            gravity: 981_000,
            steps: 240,
            limit: 10_000,
        }
    }
}

/// No corner of a board is farther out than 10 m, and no side is shorter than 1 mm.
const FARTHEST_CORNER: i32 = 1_000_000;
const SHORTEST_SIDE: f64 = 100.0;

impl Arena {
    /// Whether the corners are those of a board: 3 to 64, anticlockwise and convex, all sides at least 1 mm long,
    /// within 10 m. What is no board holds nothing, and all dice fall.
    pub fn is_board(&self) -> bool {
        let corners = &self.corners;
        let count = corners.len();
        let near = |corner: &[i32; 2]| {
            corner
                .iter()
                .all(|n| (-FARTHEST_CORNER..=FARTHEST_CORNER).contains(n))
        };
        let turns = |n: usize| {
            let [a, b, c] = [0, 1, 2].map(|next| corners[(n + next) % count]);
            let [first, second] = [(a, b), (b, c)].map(|(from, to)| {
                let [x, y] = way(from, to).map(|n| n as f64);
                (x, y, (x * x + y * y).sqrt())
            });
            first.2 >= SHORTEST_SIDE && first.0 * second.1 - first.1 * second.0 > 0.001 * first.2 * second.2
        };
        (3..=64).contains(&count)
            && corners.iter().all(near)
            && (0..count).all(turns)
            && corners.iter().all(|corner| self.holds(*corner))
    }

    /// Whether a point is over the board.
    pub fn holds(&self, at: [i32; 2]) -> bool {
        let corners = &self.corners;
        corners.len() > 2
            && (0..corners.len()).all(|n| {
                let (from, to) = (corners[n], corners[(n + 1) % corners.len()]);
                let ([ax, ay], [bx, by]) = (way(from, to), way(from, at));
                ax * by - ay * bx >= 0
            })
    }
}

fn way(from: [i32; 2], to: [i32; 2]) -> [i128; 2] {
    [0, 1].map(|n| i128::from(to[n]) - i128::from(from[n]))
}

impl DieProperties {
    /// As such dice are sold: of acrylic, with sharp edges that are broken a little.
    pub fn usual(solid: Solid) -> DieProperties {
        let (size, mass) = match solid {
            Solid::D4 => (1_700, 1_250),
            Solid::D6 => (1_600, 4_700),
            Solid::D8 => (1_500, 3_300),
            Solid::D10 => (1_600, 3_600),
            Solid::D12 => (1_800, 4_700),
            Solid::D20 => (2_000, 5_900),
        };
        DieProperties {
            size,
            mass,
            friction: 300,
            restitution: 450,
            load: 0,
        }
    }
}

/// The corners of a regular octagon so wide from flat side to flat side, two of them level. Whoever measures
/// from corner to corner multiplies by 0.92388 (cos 22.5°) first.
pub fn octagon(middle: [i32; 2], width: i32) -> [[i32; 2]; 8] {
    let width = width.clamp(2, 1 << 24);
    let half = width / 2;
    // Half of a side: half of the width, times the square root of 2 less 1.
    let part = (f64::from(half) * (2f64.sqrt() - 1.0)).round() as i32;
    [
        [part, -half],
        [half, -part],
        [half, part],
        [part, half],
        [-part, half],
        [-half, part],
        [-half, -part],
        [-part, -half],
    ]
    .map(|[x, y]| [middle[0].saturating_add(x), middle[1].saturating_add(y)])
}
