//! A table top on paper: its scale, and where its points lie.

use super::ground::PaperPoint;
use crate::kernel::rules::Rules;
use crate::kernel::spot;
use serde::Serialize;

/// A table top to scale.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DrawnPlane {
    /// Unit of length: the meaning of a length of 1.
    pub unit: String,
    /// Number of picture units in one unit of length.
    pub scale: f64,
    /// Width and depth, in picture units.
    pub size: (f64, f64),
    /// The room for the ruler at the left and below.
    pub beside: f64,
    /// The room around an arena, for dice that fall off.
    #[serde(skip_serializing_if = "is_nothing")]
    pub around: f64,
    /// The outline of an arena; none where the whole table is the board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edge: Vec<PaperPoint>,
}

fn is_nothing(length: &f64) -> bool {
    *length == 0.0
}

impl DrawnPlane {
    /// Length of the longer side in the drawing.
    const LONGEST: f64 = 720.0;
    const RULER: f64 = 24.0;
    const AROUND: f64 = 26.0;

    /// The table top that a game is played on, if it is played on one.
    pub fn of(rules: &Rules) -> Option<Self> {
        let plane = rules.plane()?;
        let (wide, deep) = (f64::from(plane.size.0), f64::from(plane.size.1));
        let part = Self::LONGEST / wide.max(deep);
        let around = if rules.ground.dice().is_some() {
            Self::AROUND
        } else {
            0.0
        };
        let mut table = Self {
            unit: plane.unit.clone(),
            scale: part * spot::UNIT as f64,
            size: (wide * part, deep * part),
            beside: Self::RULER + around,
            around,
            edge: Vec::new(),
        };
        let corners = rules.ground.dice().into_iter().flat_map(|dice| dice.rim());
        table.edge = corners.map(|&[x, y]| table.at(spot::Point { x, y })).collect();
        Some(table)
    }

    /// The room that all of it takes.
    pub fn whole(&self) -> (f64, f64) {
        // The last number of the ruler stands half beyond the edge.
        let (wide, high) = (self.size.0 + 2.0 * self.around, self.size.1 + 2.0 * self.around);
        (wide + 1.5 * Self::RULER, high + Self::RULER)
    }

    /// Its middle on the paper.
    pub fn middle(&self) -> PaperPoint {
        PaperPoint::new(self.beside + self.size.0 / 2.0, self.around + self.size.1 / 2.0)
    }

    /// A length, in thousandths of its unit, in picture units.
    pub fn length(&self, thousandths: i32) -> f64 {
        f64::from(thousandths) * self.scale / spot::UNIT as f64
    }

    /// Returns the position of one of its points on the paper.
    pub fn at(&self, point: spot::Point) -> PaperPoint {
        PaperPoint::new(
            self.beside + self.length(point.x),
            self.around + self.size.1 - self.length(point.y),
        )
    }

    /// Returns the number of millimetres in its unit; `None` for a unit that the program does not know.
    pub fn millimetres(&self) -> Option<f64> {
        millimetres(&self.unit)
    }
}

/// Returns the number of millimetres in a unit of this name; `None` for a unit that the program does not know.
pub fn millimetres(unit: &str) -> Option<f64> {
    match unit {
        "mm" | "millimetre" | "millimetres" => Some(1.0),
        "cm" | "centimetre" | "centimetres" => Some(10.0),
        "inch" | "inches" | "in" | "\"" => Some(25.4),
        _ => None,
    }
}
