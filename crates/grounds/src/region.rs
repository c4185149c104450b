//! Regions of a plane: the spots that a base can reach, and why it cannot reach others.

use crate::kernel::ground::{self, Plane, Region, Scene, Travel};
use crate::kernel::ids::{PlaceId, PlaceSet, UnitId, UnitSet};
use crate::kernel::ignored_in_eq::IgnoredInEq;
use crate::kernel::spot::{Point, UNIT, length_text, parse_length};
use crate::plane::{Base, LeapStop, MoveKind, NoWay, Obstacle, Obstacles, Shape, SpotQuery};
use std::any::Any;
use std::sync::OnceLock;

/// A table is at most so wide and deep, in thousandths of its unit: ten metres of them.
pub const MAX_SIDE: i64 = 10_000 * UNIT;

/// From so many opponents, the nearest, candidates hide.
const VIEWERS: usize = 2;

/// The finest net in which room is looked for has about so many knots.
const KNOTS: i64 = 16_384;
/// And at most so many lines each way right beside what is there.
const BESIDE: usize = 160;

/// Spots that a unit can reach, with everything that decides this, as it was when the region was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reachable {
    pub how: Travel,
    pub mover: UnitId,
    /// The base that moves, where it stands.
    pub base: Base,
    table: (i32, i32),
    bases: Vec<Base>,
    pub units: Vec<UnitId>,
    shapes: Vec<Shape>,
    pub pieces: Vec<PlaceId>,
    /// Name of the unit of length.
    unit: String,
    /// Bases with no more between them are in contact.
    hair: i64,
    /// Kinds of spots that it proposes.
    wanted: SpotQuery,
    /// Looked for when somebody asks: whoever plays with stored answers never does.
    candidates: IgnoredInEq<OnceLock<Vec<Point>>>,
}

/// Why a spot is not in a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Something is in the way, after so much of the way.
    Stopped(Obstacle, i64),
    /// There is no room: something is there.
    Taken(Obstacle),
    /// It is further than allowed: so far.
    Far(i64),
    /// It is nearer than allowed: so far.
    Near(i64),
    /// No way leads there.
    Closed,
    /// It lies outside of where the region is.
    Outside,
}

impl Reachable {
    /// Creates the region of spots that a unit can reach, past the pieces that it cannot move over.
    pub fn new(plane: &Plane, scene: &dyn Scene, mover: UnitId, how: Travel, blocked: PlaceSet) -> Self {
        let base = Base {
            at: scene.point(mover).unwrap_or_default(),
            diameter: scene.width(mover),
        };
        let (units, bases) = others(scene, mover);
        let solid = blocked.filter_map(|place| Some((place, scene.piece(place)?.clone())));
        let (pieces, shapes) = solid.unzip();
        let mut region = Self {
            how,
            mover,
            base,
            table: plane.size,
            bases,
            units,
            shapes,
            pieces,
            unit: plane.unit.clone(),
            hair: plane.hair,
            wanted: SpotQuery::default(),
            candidates: IgnoredInEq::default(),
        };
        region.wanted = region.wanted_of(scene, plane);
        region
    }

    /// The spots of a piece of terrain or a zone at which something can be aimed, but for what bases of some units
    /// cover. Lengths are from where the unit stands, or else from the middle. `None` for what lies nowhere.
    pub fn of_aims(
        plane: &Plane,
        scene: &dyn Scene,
        mover: UnitId,
        piece: PlaceId,
        not: &UnitSet,
    ) -> Option<Self> {
        let shape = scene.piece(piece)?.clone();
        let at = scene.point(mover).unwrap_or_else(|| shape.middle());
        let not = not.iter().filter_map(|unit| Some((unit, scene.base(unit)?)));
        let (units, bases) = not.unzip();
        Some(Self {
            how: Travel::Aim,
            mover,
            base: Base { at, diameter: 0 },
            table: plane.size,
            bases,
            units,
            shapes: vec![shape],
            pieces: vec![piece],
            wanted: SpotQuery {
                limit: plane.candidates,
                ..SpotQuery::default()
            },
            unit: plane.unit.clone(),
            hair: plane.hair,
            candidates: IgnoredInEq::default(),
        })
    }

    fn scene(&self) -> Obstacles<'_> {
        Obstacles {
            table: self.table,
            bases: &self.bases,
            shapes: &self.shapes,
        }
    }

    /// The spots that stand for it where it has to be listed: each of them is in it.
    fn spots(&self) -> &[Point] {
        self.candidates.0.get_or_init(|| {
            let mut spots = match self.reach() {
                Some((kind, most)) => self.scene().candidates(self.base, most, kind, &self.wanted),
                None => self.spread(self.edges(), self.wanted.limit),
            };
            if let Travel::Leap(least @ 1.., most) = self.how {
                spots.retain(|spot| self.judge(*spot).is_ok());
                if spots.is_empty() {
                    spots = self.all_around([most, least]);
                }
            }
            spots
        })
    }

    /// Spots so far away in any direction of whole degrees, where the others are barred.
    fn all_around(&self, lengths: [i64; 2]) -> Vec<Point> {
        let goals = lengths
            .into_iter()
            .flat_map(|length| (0..360).map(move |degrees| self.base.at.at_angle(degrees, length)));
        let free = goals.filter(|spot| self.judge(*spot).is_ok());
        free.take(self.wanted.limit).collect()
    }

    /// Returns the kind of move to its spots, with its maximum length; `None` where the move begins anywhere.
    fn reach(&self) -> Option<(MoveKind, i64)> {
        match self.how {
            Travel::Leap(_, most) => Some((MoveKind::Leap, most)),
            Travel::Walk(most) => Some((MoveKind::Walk, most)),
            Travel::Within(_) | Travel::Aim => None,
        }
    }

    /// The left, lower, right and upper edge of a rectangle that all its spots lie in.
    fn edges(&self) -> [i64; 4] {
        let (wide, deep) = (i64::from(self.table.0), i64::from(self.table.1));
        let [left, low, right, high] = match self.how {
            Travel::Within(edges) => edges,
            Travel::Aim => [0, 0, wide, deep],
            Travel::Leap(_, most) | Travel::Walk(most) => {
                let (x, y) = (i64::from(self.base.at.x), i64::from(self.base.at.y));
                [x - most, y - most, x + most, y + most]
            }
        };
        [
            left.clamp(0, wide),
            low.clamp(0, deep),
            right.clamp(0, wide),
            high.clamp(0, deep),
        ]
    }

    /// Whether spots are in it, for whoever asks about many: ways are planned once.
    fn tester(&self) -> impl Fn(Point) -> bool + '_ {
        let reach = self
            .reach()
            .map(|(kind, most)| self.scene().reach(self.base, most, kind));
        let least = match self.how {
            Travel::Leap(least, _) => least,
            _ => 0,
        };
        move |spot| match &reach {
            Some(reach) => self.base.at.distance(spot) >= least && reach.way(spot).is_some(),
            None => self.judge(spot).is_ok(),
        }
    }

    /// Whether it has all spots of another one because it is the same for a longer way.
    fn has_all_of(&self, other: &Reachable) -> bool {
        let longer = match (self.how, other.how) {
            (Travel::Leap(a, b), Travel::Leap(c, d)) => a <= c && b >= d,
            (Travel::Walk(a), Travel::Walk(b)) => a >= b,
            (a, b) => a == b,
        };
        let of = |region: &Reachable| (region.mover, region.base, region.table);
        longer && of(self) == of(other) && (&self.bases, &self.shapes) == (&other.bases, &other.shapes)
    }

    /// Whether a spot is in the region.
    ///
    /// # Errors
    ///
    /// Why it is not.
    fn judge(&self, spot: Point) -> Result<(), Refusal> {
        let scene = self.scene();
        let there = Base {
            at: spot,
            ..self.base
        };
        match self.how {
            Travel::Leap(least, most) => {
                let far = self.base.at.distance(spot);
                if far > most {
                    return Err(Refusal::Far(far));
                }
                if far < least {
                    return Err(Refusal::Near(far));
                }
                let stopped = |s: LeapStop| Refusal::Stopped(s.by, s.after);
                scene.leap(self.base, spot).map_err(stopped)
            }
            Travel::Walk(most) => {
                scene.fits(there).map_err(Refusal::Taken)?;
                match scene.walk(self.base, spot, most) {
                    Ok(_) => Ok(()),
                    Err(NoWay::Longer(far)) => Err(Refusal::Far(far)),
                    Err(NoWay::Closed) => Err(Refusal::Closed),
                }
            }
            Travel::Within([left, low, right, high]) => {
                let (x, y, half) = (
                    i64::from(spot.x),
                    i64::from(spot.y),
                    i64::from(self.base.diameter),
                );
                let inside = 2 * x - half >= 2 * left
                    && 2 * x + half <= 2 * right
                    && 2 * y - half >= 2 * low
                    && 2 * y + half <= 2 * high;
                if !inside {
                    return Err(Refusal::Outside);
                }
                scene.fits(there).map_err(Refusal::Taken)
            }
            Travel::Aim => {
                if !self.shapes.iter().any(|shape| shape.contains(spot)) {
                    return Err(Refusal::Outside);
                }
                let covered = self.bases.iter().position(|base| base.overlaps(there));
                covered.map_or(Ok(()), |by| Err(Refusal::Taken(Obstacle::Base(by))))
            }
        }
    }

    /// The spot of the region where the unit touches a base, if there is one.
    fn contacts(&self, target: Base) -> Option<Point> {
        let (kind, most) = self.reach()?;
        self.scene().contact(self.base, target, most, kind, self.hair)
    }

    fn wanted_of(&self, scene: &dyn Scene, plane: &Plane) -> SpotQuery {
        let wanted = SpotQuery {
            limit: plane.candidates,
            hair: plane.hair,
            ..SpotQuery::default()
        };
        if !self.moves() {
            return wanted;
        }
        let own = scene.allies(self.mover);
        let foes = (scene.units() - own).filter_map(|unit| scene.base(unit));
        let mut foes: Vec<Base> = foes.collect();
        foes.sort_by_key(|foe| self.base.gap(*foe));
        let of_foe = |foe: &Base| {
            let foe = *foe;
            plane.ranges.iter().map(move |range| (foe, *range))
        };
        // On what it can stand.
        let open = scene.pieces().iter().filter(|place| !self.pieces.contains(place));
        let screens = scene.pieces().iter();
        SpotQuery {
            ranges: foes.iter().flat_map(of_foe).collect(),
            near: open
                .filter_map(|place| Some(scene.piece(place)?.middle()))
                .collect(),
            screens: screens.filter_map(|place| scene.piece(place).cloned()).collect(),
            // Whom it is hidden from.
            viewers: foes.iter().take(VIEWERS).map(|foe| foe.at).collect(),
            ..wanted
        }
    }

    /// Spots spread evenly over a rectangle, where there is room; where there is none in a wide net, in finer ones, and
    /// right beside what is there.
    fn spread(&self, bounds: [i64; 4], most: usize) -> Vec<Point> {
        let most = most.max(1) as i64;
        let half = i64::from(self.base.diameter).div_euclid(2) + 1;
        if let Some([x, y]) = within(bounds, half) {
            let step = step_of(x, y, most).max(half);
            let spots = self.free(&knots(x, step), &knots(y, step));
            if !spots.is_empty() {
                return spots;
            }
        }
        let half = i64::from(self.base.diameter + 1).div_euclid(2);
        let Some([x, y]) = within(bounds, half) else {
            return Vec::new();
        };
        let beside = [self.beside(x, half, |at| at.x), self.beside(y, half, |at| at.y)];
        let mut finer = [KNOTS / 16, KNOTS / 4, KNOTS].into_iter().map(|count| {
            let step = step_of(x, y, count).max(1);
            let [xs, ys] = [(x, 0), (y, 1)].map(|(axis, nth)| {
                let mut lines = [&beside[nth][..], &knots(axis, step)].concat();
                lines.sort_unstable();
                lines.dedup();
                lines
            });
            self.free(&xs, &ys)
        });
        let found = finer.find(|spots| !spots.is_empty());
        thinned(found.unwrap_or_default(), most as usize)
    }

    /// Of the points of a net those that there is room at.
    fn free(&self, xs: &[i64], ys: &[i64]) -> Vec<Point> {
        let spots = ys
            .iter()
            .flat_map(|y| xs.iter().map(move |x| (i32::try_from(*x), i32::try_from(*y))));
        let spots = spots.filter_map(|(x, y)| {
            Some(Point {
                x: x.ok()?,
                y: y.ok()?,
            })
        });
        spots.filter(|spot| self.judge(*spot).is_ok()).collect()
    }

    /// Returns the coordinates within a stretch of an axis at which the base would lie right beside a corner of a piece
    /// or a base.
    fn beside(&self, (from, length): (i64, i64), half: i64, along: impl Fn(Point) -> i32) -> Vec<i64> {
        let corners = self.shapes.iter().flat_map(Shape::ends);
        let round = |&Base { at, diameter }: &Base| Shape::Disc { at, diameter }.ends();
        let bases = self.bases.iter().flat_map(round);
        let at = corners.chain(bases).map(|corner| i64::from(along(corner)));
        let both = at.flat_map(|at| [at - half, at + half]);
        let mut places: Vec<i64> = both.filter(|at| (from..=from + length).contains(at)).collect();
        places.extend([from, from + length]);
        places.sort_unstable();
        places.dedup();
        thinned(places, BESIDE)
    }
}

impl Reachable {
    /// Why a spot is not in the region, as a sentence without its end.
    fn refusal_text(&self, scene: &dyn Scene, why: Refusal) -> String {
        let unit = &self.unit;
        let what = |by: Obstacle| match by {
            Obstacle::Base(index) => scene.unit_name(self.units[index]),
            Obstacle::Shape(index) => piece_name(scene, self.pieces[index]),
            Obstacle::Edge => "the edge of the table".to_owned(),
        };
        let length = |length: i64| format!("{} {unit}", length_text(length));
        match why {
            Refusal::Stopped(by, after) => format!("{} is in the way after {}", what(by), length(after)),
            Refusal::Taken(by) if self.how == Travel::Aim => format!("{} lies there", what(by)),
            Refusal::Taken(by) => format!("there is no room: {}", what(by)),
            Refusal::Far(far) => {
                let most = match self.how {
                    Travel::Leap(_, most) | Travel::Walk(most) => most,
                    Travel::Within(_) | Travel::Aim => 0,
                };
                format!("it is {} away, and {} is the most", length(far), length(most))
            }
            Refusal::Near(far) => {
                let least = match self.how {
                    Travel::Leap(least, _) => least,
                    Travel::Walk(_) | Travel::Within(_) | Travel::Aim => 0,
                };
                format!("it is {} away, and {} is the least", length(far), length(least))
            }
            Refusal::Closed => "no way leads there".to_owned(),
            Refusal::Outside => match self.how {
                Travel::Within([left, low, right, high]) => {
                    let [left, low, right, high] = [left, low, right, high].map(length_text);
                    format!("its base must lie within {left},{low} and {right},{high}")
                }
                Travel::Aim => format!("it is not in {}", piece_name(scene, self.pieces[0])),
                _ => "it is outside".to_owned(),
            },
        }
    }
}

impl Region for Reachable {
    fn mover(&self) -> UnitId {
        self.mover
    }

    fn base(&self) -> Base {
        self.base
    }

    fn travel(&self) -> Travel {
        self.how
    }

    fn candidates(&self) -> &[Point] {
        self.spots()
    }

    fn proposes(&self) -> usize {
        self.wanted.limit
    }

    fn bulk(&self) -> usize {
        self.bases.len() + self.shapes.iter().map(Shape::corners).sum::<usize>()
    }

    fn bounds(&self) -> [i64; 4] {
        self.edges()
    }

    fn holds(&self, at: Point) -> bool {
        self.judge(at).is_ok()
    }

    fn check(&self) -> Box<dyn Fn(Point) -> bool + '_> {
        Box::new(self.tester())
    }

    fn way(&self, at: Point) -> Option<Vec<Point>> {
        let (_, most) = self.reach()?;
        let way = self.scene().walk(self.base, at, most);
        way.ok().map(|way| way.points)
    }

    fn covers(&self, other: &dyn Region) -> bool {
        let other: &dyn Any = other;
        other
            .downcast_ref::<Self>()
            .is_some_and(|other| self.has_all_of(other))
    }

    fn is_same(&self, other: &dyn Region) -> bool {
        ground::is_same(self, other)
    }

    fn refusal(&self, scene: &dyn Scene, at: Point) -> Option<String> {
        let why = self.judge(at).err()?;
        Some(self.refusal_text(scene, why))
    }

    fn forms(&self) -> &'static str {
        match self.how {
            Travel::Leap(..) | Travel::Walk(_) => "`12.4,7`, `3 at 90`, `6 toward NAME`, `contact NAME`",
            Travel::Within(_) => "any spot such as `12.4,7`",
            Travel::Aim => "any spot: `12.4,7`, `3 at 90`, `6 toward NAME`",
        }
    }

    fn read(
        &self,
        scene: &dyn Scene,
        text: &str,
        near: &dyn Fn(&str, &[String]) -> Option<String>,
    ) -> Result<Point, String> {
        let spot = spot_of(self, scene, text, near)?;
        match self.refusal(scene, spot) {
            Some(why) => Err(format!("`{text}` is not offered: {why}")),
            None => Ok(spot),
        }
    }
}

/// Returns the spot that a text names: `12.4,7`, `6 toward blue.scouts1` or a piece's middle, `3 at 90` (degrees, from the
/// right, anticlockwise), `contact blue.scouts1`.
fn spot_of(
    region: &Reachable,
    scene: &dyn Scene,
    text: &str,
    near: &dyn Fn(&str, &[String]) -> Option<String>,
) -> Result<Point, String> {
    let plain = plain(text);
    if let Some(point) = Point::parse(&plain) {
        return Ok(point);
    }
    let words: Vec<&str> = plain.split_whitespace().collect();
    // What its owner may not see a region does not know; what is aimed at nobody hides.
    let is_seen = |unit: UnitId| matches!(region.how, Travel::Aim) || region.units.contains(&unit);
    let unit = |name: &str| {
        let unit = scene.unit_named(name);
        let other = unit.filter(|unit| *unit != region.mover && is_seen(*unit));
        other.and_then(|unit| scene.base(unit))
    };
    let mover = || scene.unit_name(region.mover);
    // Lengths are from where somebody stands.
    let from = || match region.how {
        Travel::Within(_) if scene.point(region.mover).is_none() => Err(format!(
            "`{text}` is no spot here, as {} does not stand yet: write one such as `12.4,7`",
            mover()
        )),
        _ => Ok(region.base.at),
    };
    let piece = |name: &str| scene.place_named(name).and_then(|place| scene.piece(place));
    let nowhere = |name: &str| {
        let units = scene.units().iter().filter(|unit| is_seen(*unit));
        let units = units.map(|unit| scene.unit_name(unit));
        let named: Vec<String> = units.chain(pieces(scene)).collect();
        let near = near(name, &named);
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        match name == mover() {
            true => format!("`{name}` is who moves: name another"),
            false => format!("`{name}` stands nowhere on the table{near}"),
        }
    };
    let length_of = |length: &str| match parse_length(length) {
        Some(length) if length >= 0 => Ok(length),
        _ => Err(format!(
            "`{length}` is no length: write one such as `6` or `2.5`, with 3 decimals at most"
        )),
    };
    match words[..] {
        ["contact", name] => {
            let target = unit(name).ok_or_else(|| match piece(name) {
                Some(_) => format!(
                    "`{name}` is a piece of terrain, and contact is with units: write `3 toward {name}`"
                ),
                None => nowhere(name),
            })?;
            if !region.moves() {
                return Err(format!(
                    "`{text}` is no spot here, where nobody moves: write one such as `12.4,7`"
                ));
            }
            let touching = region.contacts(target);
            touching.ok_or_else(|| format!("`{text}` is not offered: it cannot be reached"))
        }
        [length, "toward" | "towards", name] => {
            let length = length_of(length)?;
            let point = Point::parse(name).or_else(|| unit(name).map(|base| base.at));
            let goal = point.or_else(|| piece(name).map(Shape::middle));
            let goal = goal.ok_or_else(|| nowhere(name))?;
            Ok(from()?.toward(goal, length))
        }
        [length, "at", degrees] => {
            let length = length_of(length)?;
            let degrees: i64 = degrees
                .parse()
                .map_err(|_| format!("`{degrees}` are no whole degrees"))?;
            Ok(from()?.at_angle(degrees, length))
        }
        [x, y] if parse_length(x).is_some() && parse_length(y).is_some() => {
            Err(format!("`{text}` is no spot: there is a comma in one, `{x},{y}`"))
        }
        _ => Err(format!(
            "`{text}` is no spot: write `12.4,7` (three decimals at most), `6 toward NAME`, `3 at 90` or `contact NAME`"
        )),
    }
}

/// Whether a text is meant as a spot of a region, whether it is one or not.
pub fn is_spot(text: &str) -> bool {
    let plain = plain(text);
    let words: Vec<&str> = plain.split_whitespace().collect();
    let number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    match words[..] {
        [one] => number(one.trim_start_matches('(')) && one.contains(','),
        ["contact", _] => true,
        [length, "toward" | "towards" | "at", _] => number(length),
        _ => false,
    }
}

/// The pieces of terrain that lie on a plane, by name.
pub fn pieces(scene: &dyn Scene) -> Vec<String> {
    let lie = scene
        .pieces()
        .iter()
        .filter(|place| scene.piece(*place).is_some());
    lie.map(|place| scene.place_name(place).to_owned()).collect()
}

/// A spot as people type it: its own words in any case, with blanks behind commas. Names stay as they are.
fn plain(text: &str) -> String {
    let together = text.replace(", ", ",");
    let words = together.split_whitespace().map(|word| {
        let own = ["contact", "toward", "towards", "at"];
        let own = own.into_iter().find(|own| word.eq_ignore_ascii_case(own));
        own.unwrap_or(word)
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A piece of terrain as messages name it.
pub fn piece_name(scene: &dyn Scene, place: PlaceId) -> String {
    let kinds = scene.terrains(place);
    match kinds.is_empty() {
        true => scene.place_name(place).to_owned(),
        false => format!("{} ({})", scene.place_name(place), kinds.join(", ")),
    }
}

/// Returns at most `most` of these, evenly spread from the first to the last.
fn thinned<T: Copy>(all: Vec<T>, most: usize) -> Vec<T> {
    if all.len() <= most {
        return all;
    }
    let last = all.len() - 1;
    (0..most).map(|nth| all[nth * last / (most - 1).max(1)]).collect()
}

/// Returns the ranges along both axes in which the middle of a base can lie within a rectangle: the start and the
/// length of each.
fn within([left, low, right, high]: [i64; 4], half: i64) -> Option<[(i64, i64); 2]> {
    let axes = [(left, right), (low, high)].map(|(from, to)| (from + half, to - from - 2 * half));
    axes.iter().all(|(_, length)| *length >= 0).then_some(axes)
}

/// Returns the distance between neighbouring knots of a square grid of about `count` knots; on a thin strip the grid is
/// one row.
fn step_of((_, wide): (i64, i64), (_, deep): (i64, i64), count: i64) -> i64 {
    ((wide.max(1) * deep.max(1)) / count)
        .isqrt()
        .max(wide.max(deep) / count)
}

/// Evenly spread places along an axis.
fn knots((from, length): (i64, i64), step: i64) -> Vec<i64> {
    let count = length / step;
    let first = from + (length - count * step) / 2;
    (0..=count).map(|n| first + n * step).collect()
}

/// The others on the table top, and their bases.
fn others(scene: &dyn Scene, unit: UnitId) -> (Vec<UnitId>, Vec<Base>) {
    let there = scene.units().iter().filter(|other| *other != unit);
    there
        .filter_map(|other| Some((other, scene.base(other)?)))
        .unzip()
}

/// Whether a unit's base would lie on the table top, over no other's.
///
/// # Errors
///
/// What is in the way: one sentence.
pub fn check_stand(plane: &Plane, scene: &dyn Scene, unit: UnitId, at: Point) -> Result<(), String> {
    let name = || scene.unit_name(unit);
    let (units, bases) = others(scene, unit);
    let diameter = scene.width(unit);
    let obstacles = Obstacles {
        table: plane.size,
        bases: &bases,
        shapes: &[],
    };
    obstacles.fits(Base { at, diameter }).map_err(|by| {
        let what = match by {
            Obstacle::Base(index) => format!("{} is there", scene.unit_name(units[index])),
            _ => format!(
                "the table reaches from 0,0 to {},{}",
                length_text(plane.size.0.into()),
                length_text(plane.size.1.into())
            ),
        };
        format!("{} cannot stand at {at}: {what}", name())
    })
}

/// Returns the other units whose bases a unit touches when it stands at a point.
#[cold]
#[inline(never)]
pub fn touching(plane: &Plane, scene: &dyn Scene, unit: UnitId, at: Point) -> UnitSet {
    let diameter = scene.width(unit);
    let own = Base { at, diameter };
    let touches = |other: &UnitId| {
        *other != unit
            && scene
                .base(*other)
                .is_some_and(|base| own.is_within(base, plane.hair))
    };
    scene.units().filter(touches).collect()
}
