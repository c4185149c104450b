//! Dice in an arena: how they look from above, and the ways that they went in a throw.
//!
//! What a solid is like is told by the kernel; here it is laid on the paper.

use super::drawn_plane::DrawnPlane;
use super::ground::PaperPoint;
use crate::kernel::event::Event;
use crate::kernel::ground::{BodyPath, BodyTouch, ThrowInput};
use crate::kernel::ids::UnitName;
use crate::kernel::pose::Pose;
use crate::kernel::rules::Rules;
use crate::kernel::spot;
use crate::kernel::throws::ThrowRecord;
use crate::kernel::world::World;
use crate::play::Play;
use crate::render;
use serde::Serialize;
use std::collections::BTreeMap;

/// A die as it looks from above; points are told from its middle.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DieDrawing {
    /// Text beside it.
    pub label: String,
    /// Its silhouette.
    pub outline: Vec<PaperPoint>,
    /// The faces that are seen.
    pub faces: Vec<Vec<PaperPoint>>,
    /// Value that it shows; `None` if it leans.
    pub shows: Option<u8>,
}

impl DieDrawing {
    /// Returns the look of a die in this pose.
    pub fn of(rules: &Rules, world: &World, table: &DrawnPlane, name: UnitName, pose: Pose) -> Option<Self> {
        let die = rules.die(name.kind)?;
        let view = die.view(pose.turn);
        let on_paper = |corners: &Vec<[i32; 2]>| {
            let corners = corners.iter();
            let corners = corners.map(|[x, y]| PaperPoint::new(table.length(*x), -table.length(*y)));
            corners.collect::<Vec<PaperPoint>>()
        };
        Some(Self {
            label: render::die_label(rules, world, name, false),
            outline: on_paper(&view.outline),
            faces: view.faces.iter().map(|face| on_paper(&face.outline)).collect(),
            shows: die.shows(pose.turn),
        })
    }

    /// Returns its extent from its middle: to the side, and down.
    pub fn reach(&self) -> (f64, f64) {
        let most = |of: fn(&PaperPoint) -> f64| self.outline.iter().map(of).fold(0.0, f64::max);
        (most(|p| p.x.abs()), most(|p| p.y.abs()))
    }
}

/// A throw that a picture tells of, before it is laid on the paper.
#[derive(Debug, Clone)]
pub struct ThrowScene {
    /// The number of its event.
    pub event: usize,
    moved: Vec<MovedDie>,
    marks: Vec<TouchMark>,
    ms: u32,
}

/// One of the dice that moved.
#[derive(Debug, Clone)]
struct MovedDie {
    unit: UnitName,
    before: Option<Pose>,
    /// Pose in which it stopped; `None` if it fell off.
    after: Option<Pose>,
    /// The way as it was computed; nothing where only its ends are on record.
    way: Option<BodyPath>,
}

/// One thing touched another.
#[derive(Debug, Clone)]
struct TouchMark {
    at: spot::Point,
    /// Unit that touched; `None` for the board.
    by: Option<UnitName>,
}

impl ThrowScene {
    /// The throw of this event of a play, if it is one.
    pub fn of(play: &Play, number: usize, event: &Event) -> Option<Self> {
        let Event::Threw { unit, record, .. } = event else {
            return None;
        };
        let (rules, world) = (&play.ruleset().rules, play.world_before(number));
        let thrown = world.find(*unit)?;
        let given = record
            .throw
            .and_then(|throw| ThrowInput::new(rules, &world, thrown, throw));
        let flown = given.as_ref().and_then(|given| {
            let flown = given.as_told(rules, &world, &record.landing)?;
            Some((given, flown))
        });
        let before = |name: UnitName| world.pose(world.find(name)?);
        let landing = &record.landing;
        let stopped = |name: UnitName| {
            landing
                .rests
                .iter()
                .find(|rest| rest.0 == name)
                .map(|rest| rest.1)
        };
        let Some((given, flown)) = flown else {
            return Some(Self::as_stated(number, *unit, record, &before));
        };
        let name = |body: usize| world.name(given.units[body]);
        let moved = flown.paths.iter().map(|path| MovedDie {
            unit: name(path.body),
            before: before(name(path.body)),
            after: stopped(name(path.body)),
            way: Some(path.clone()),
        });
        // Each die is marked where it was touched first; of the thrown one all is told that it met.
        let first = |body: usize| {
            let touch = flown
                .touches
                .iter()
                .find(|t| t.body == body || t.other == Some(body));
            touch.filter(|touch| touch.body != 0).map(|touch| {
                let by = if touch.body == body {
                    touch.other
                } else {
                    Some(touch.body)
                };
                (touch, by)
            })
        };
        let own = flown.touches.iter().filter(|touch| touch.body == 0);
        let own = own.map(|touch| (touch, touch.other.map(|_| 0)));
        let others = flown.paths.iter().filter_map(|path| first(path.body));
        let mark = |(touch, by): (&BodyTouch, Option<usize>)| TouchMark {
            at: spot::Point {
                x: touch.at[0],
                y: touch.at[1],
            },
            by: by.map(name),
        };
        Some(Self {
            event: number,
            moved: moved.collect(),
            marks: own.chain(others).map(mark).collect(),
            ms: flown.ms,
        })
    }

    /// Builds a throw whose paths are not known, from the poses where it began and ended.
    fn as_stated(
        number: usize,
        unit: UnitName,
        record: &ThrowRecord,
        before: &dyn Fn(UnitName) -> Option<Pose>,
    ) -> Self {
        let landing = &record.landing;
        let moved = |unit: UnitName, after: Option<Pose>| MovedDie {
            unit,
            before: before(unit),
            after,
            way: None,
        };
        let rests = landing.rests.iter().map(|(unit, pose)| moved(*unit, Some(*pose)));
        let left = landing.left.iter().map(|unit| moved(*unit, None));
        let marks = landing.touches.iter().map(|touch| TouchMark {
            at: touch.at,
            by: touch.what.map(|_| unit),
        });
        Self {
            event: number,
            moved: rests.chain(left).collect(),
            marks: marks.collect(),
            ms: landing.ms,
        }
    }

    /// Whether a die went so in it.
    pub fn depicts(&self, unit: UnitName, from: spot::Point, to: spot::Point) -> bool {
        let point = |pose: Option<Pose>| pose.map(Pose::point);
        let mut moved = self.moved.iter();
        moved.any(|m| m.unit == unit && point(m.before) == Some(from) && point(m.after) == Some(to))
    }
}

/// A throw on the paper.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DrawnThrow {
    /// The dice that moved, the thrown one first.
    pub flights: Vec<Flight>,
    /// Points where things touched.
    pub touches: Vec<TouchPoint>,
    /// Film of the whole throw, for a page to play.
    #[serde(skip)]
    pub film: Option<Film>,
}

rulebench_lang::named! {
    /// A sign of a throw on a picture.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ThrowSign {
        /// A line.
        Way ("way of a die", "a line");
        /// A line of dashes.
        Ends ("moved: only the ends are known", "a line of dashes");
        /// An arrow.
        Off ("fell off", "an arrow");
        /// An outline.
        Lay ("lay there", "a pale outline");
        /// A dot in the colours of who touched.
        Met ("touched first, and by whom", "a dot with a name");
        /// A dot.
        Board ("came down on the board", "a small dot");
    }
    /// Returns the meaning of the sign.
    fn means -> &'static str = 0;
    /// Describes the look of the sign, for readers of a text.
    fn looks -> &'static str = 1;
}

impl DrawnThrow {
    /// The signs of it that are there.
    pub fn signs(&self) -> impl Iterator<Item = ThrowSign> {
        let has = |is: &dyn Fn(&Flight) -> bool| self.flights.iter().any(is);
        let touched = |by: bool| self.touches.iter().any(|touch| touch.by.is_some() == by);
        ThrowSign::ALL.into_iter().filter(move |sign| match sign {
            ThrowSign::Way => has(&|f| !f.stated),
            ThrowSign::Ends => has(&|f| f.stated),
            ThrowSign::Off => has(&|f| f.off),
            ThrowSign::Lay => has(&|f| f.before.is_some()),
            ThrowSign::Met => touched(true),
            ThrowSign::Board => touched(false),
        })
    }
}

/// The way of a die.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Flight {
    /// The die's name.
    pub unit: String,
    /// Owner, by faction index.
    pub side: usize,
    /// Position and look of the die before the throw.
    pub before: Option<(PaperPoint, DieDrawing)>,
    /// Its way, as it is seen from above.
    pub line: Vec<PaperPoint>,
    /// Whether only the ends of its way are known.
    pub stated: bool,
    /// It fell off the board.
    pub off: bool,
}

/// Touch of a die by something, or of the board by the thrown die.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TouchPoint {
    /// Point of the touch.
    pub at: PaperPoint,
    /// Unit that touched, and its owner; `None` where the thrown die came down on the board.
    pub by: Option<(String, usize)>,
}

/// Data with which a page plays a throw, in hundredths of a millimetre: bodies with their poses (`x, y, z`, and the
/// four numbers of the turn), and the shapes of their solids.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Film {
    /// Number of poses per second.
    a_second: u32,
    /// Duration, in thousandths of a second.
    ms: u32,
    /// Picture units to a hundredth of a millimetre.
    scale: f64,
    /// Position of 0,0 on the paper.
    zero: PaperPoint,
    bodies: Vec<ReplayedDie>,
    /// The faces of each die that is in it, each with its value and its corners, and whether the one on top counts (1)
    /// or the lowest (-1).
    dice: BTreeMap<String, (Vec<FaceCorners>, f64)>,
}

/// A face's value and its corners.
type FaceCorners = (u8, Vec<[i32; 3]>);

#[derive(Debug, Clone, PartialEq, Serialize)]
struct ReplayedDie {
    unit: String,
    label: String,
    die: String,
    side: usize,
    /// The number of its first pose.
    first: u32,
    poses: Vec<[i32; 7]>,
    off: bool,
}

/// Points of a line lie at least so far apart, in picture units.
const APART: f64 = 1.5;
/// A line whose way is not known leads so far beyond the board.
const BEYOND: f64 = 16.0;

impl DrawnThrow {
    /// A throw as a picture of this world shows it.
    pub fn of(rules: &Rules, world: &World, table: &DrawnPlane, threw: &ThrowScene) -> Self {
        let label = |name: UnitName| render::die_label(rules, world, name, false);
        let flight = |moved: &MovedDie| Flight {
            unit: rules.unit_name(moved.unit),
            side: moved.unit.owner.index(),
            before: moved.before.and_then(|pose| {
                let drawing = DieDrawing::of(rules, world, table, moved.unit, pose)?;
                Some((table.at(pose.point()), drawing))
            }),
            line: line(table, moved, threw),
            stated: moved.way.is_none(),
            off: moved.after.is_none(),
        };
        let touches = threw.marks.iter().map(|met| TouchPoint {
            at: table.at(met.at),
            by: met.by.map(|name| (label(name), name.owner.index())),
        });
        Self {
            flights: threw.moved.iter().map(flight).collect(),
            touches: touches.collect(),
            film: Film::of(rules, world, table, threw),
        }
    }
}

/// Returns the part of a line that lies on the paper around an arena, with room for the head of an arrow.
fn on_paper(table: &DrawnPlane, line: &[PaperPoint]) -> Vec<PaperPoint> {
    const HEAD: f64 = 12.0;
    const HALVED: usize = 10;
    let out = table.around - HEAD;
    let (wide, high) = (table.size.0 / 2.0 + out, table.size.1 / 2.0 + out);
    let middle = table.middle();
    let is_on = |at: &PaperPoint| (at.x - middle.x).abs() <= wide && (at.y - middle.y).abs() <= high;
    // Where a way from a point on the paper to one beyond it leads over its edge.
    let edge = |mut within: PaperPoint, mut beyond: PaperPoint| {
        for _ in 0..HALVED {
            let half = within.towards(beyond, 0.5);
            if is_on(&half) {
                within = half;
            } else {
                beyond = half;
            }
        }
        within
    };
    let mut clipped = Vec::new();
    for (nth, at) in line.iter().enumerate() {
        let before = nth.checked_sub(1).map(|nth| line[nth]);
        match (before.filter(|before| is_on(before) != is_on(at)), is_on(at)) {
            (Some(before), true) => clipped.extend([edge(*at, before), *at]),
            (Some(before), false) => clipped.push(edge(before, *at)),
            (None, true) => clipped.push(*at),
            (None, false) => {}
        }
    }
    clipped
}

/// The way of a die on the paper.
fn line(table: &DrawnPlane, moved: &MovedDie, threw: &ThrowScene) -> Vec<PaperPoint> {
    let at = |pose: &Pose| table.at(pose.point());
    let before = moved.before.as_ref().map(at);
    if let Some(path) = &moved.way {
        let mut line: Vec<PaperPoint> = Vec::new();
        for point in path.poses.iter().map(at) {
            if line.last().is_none_or(|last| last.distance(point) >= APART) {
                line.push(point);
            }
        }
        let end = path.poses.last().map(at);
        line.extend(end.filter(|end| line.last() != Some(end)));
        return on_paper(table, &line);
    }
    // The thrown die met what it touched on its way.
    let is_thrown = threw.moved.first().is_some_and(|first| first.unit == moved.unit);
    let met = threw
        .marks
        .iter()
        .filter(|_| is_thrown)
        .map(|met| table.at(met.at));
    let mut line: Vec<PaperPoint> = before.into_iter().chain(met).collect();
    match (&moved.after, line.last().copied()) {
        (Some(after), _) => line.push(at(after)),
        // Nobody says where it fell off: away from the middle.
        (None, Some(last)) => {
            let middle = table.middle();
            let far = middle.distance(last).max(1.0);
            let out = table.size.0 / 2.0 + BEYOND;
            line.push(middle.plus((last.x - middle.x) / far * out, (last.y - middle.y) / far * out));
        }
        (None, None) => {}
    }
    line.dedup();
    on_paper(table, &line)
}

impl Film {
    /// Builds the film of a throw; `None` if its paths are not known.
    fn of(rules: &Rules, world: &World, table: &DrawnPlane, threw: &ThrowScene) -> Option<Self> {
        let mut dice = BTreeMap::new();
        let mut bodies = Vec::new();
        for moved in &threw.moved {
            let die = rules.die(moved.unit.kind)?;
            let path = moved.way.as_ref()?;
            let kind = &rules.types[moved.unit.kind.index()].name;
            dice.entry(kind.clone())
                .or_insert_with(|| (die.outlines(), die.counts()));
            let pose = |pose: &Pose| {
                let ([x, y, z], [a, b, c, d]) = (pose.at, pose.turn.parts().map(i32::from));
                [x, y, z, a, b, c, d]
            };
            bodies.push(ReplayedDie {
                unit: rules.unit_name(moved.unit),
                label: render::die_label(rules, world, moved.unit, false),
                die: kind.clone(),
                side: moved.unit.owner.index(),
                first: path.first,
                poses: path.poses.iter().map(pose).collect(),
                off: moved.after.is_none(),
            });
        }
        Some(Self {
            a_second: BodyPath::A_SECOND,
            ms: threw.ms,
            scale: table.scale / spot::UNIT as f64,
            zero: table.at(spot::Point::default()),
            bodies,
            dice,
        })
    }
}
