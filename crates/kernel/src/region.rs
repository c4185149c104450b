//! Regions: more spots of a table top than can be listed. A region refuses a spot with a reason, proposes
//! candidates, and so is offered like any list.

use super::ground::plane::{Base, LeapStop, MoveKind, NoWay, Obstacle, Obstacles, Shape, SpotQuery};
use super::ids::{PlaceId, PlaceSet, UnitId, UnitSet};
use super::ignored_in_eq::IgnoredInEq;
use super::rules::{Rules, Tabletop};
use super::spot::{Point, UNIT, length_text};
use super::world::World;
use std::sync::OnceLock;

/// A table is at most so wide and deep, in thousandths of its unit: ten metres of them.
pub const MAX_SIDE: i64 = 10_000 * UNIT;

/// From so many opponents, the nearest, candidates hide.
const VIEWERS: usize = 2;

/// The finest net in which room is looked for has about so many knots.
const KNOTS: i64 = 16_384;
/// And at most so many lines each way right beside what is there.
const BESIDE: usize = 160;

/// Way in which a unit can reach the spots of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Travel {
    /// In a straight line of at least the first length and at most the second.
    Leap(i64, i64),
    /// By any way around of at most this length.
    Walk(i64),
    /// From anywhere to wherever its base lies within a rectangle: its left, lower, right and upper edge.
    Within([i64; 4]),
    /// Not at all: something is aimed at a spot of a piece or zone, the only one among the region's shapes.
    Aim,
}

/// Spots that a unit can reach, with everything that decides this, as it was when the region was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    pub how: Travel,
    pub mover: UnitId,
    /// The base that moves, where it stands.
    pub base: Base,
    table: (i32, i32),
    bases: Vec<Base>,
    pub units: Vec<UnitId>,
    shapes: Vec<Shape>,
    pub pieces: Vec<PlaceId>,
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

impl Region {
    /// Creates the region of spots that a unit can reach, past the pieces that it cannot move over.
    pub fn new(rules: &Rules, world: &World, mover: UnitId, how: Travel, blocked: PlaceSet) -> Self {
        let base = Base {
            at: world.point(mover).unwrap_or_default(),
            diameter: rules.base(world.unit(mover).kind),
        };
        let (units, bases) = others(rules, world, mover);
        let solid = blocked.filter_map(|place| Some((place, world.piece(place)?.clone())));
        let (pieces, shapes) = solid.unzip();
        let tabletop = rules.tabletop.as_ref();
        let mut region = Self {
            how,
            mover,
            base,
            table: tabletop.map_or((0, 0), |t| t.size),
            bases,
            units,
            shapes,
            pieces,
            wanted: SpotQuery::default(),
            candidates: IgnoredInEq::default(),
        };
        if let Some(tabletop) = tabletop {
            region.wanted = region.wanted_of(rules, world, tabletop);
        }
        region
    }

    /// The spots of a piece of terrain or a zone at which something can be aimed, but for what bases of some units
    /// cover. Lengths are from where the unit stands, or else from the middle. `None` for what lies nowhere.
    pub fn of_aims(
        rules: &Rules,
        world: &World,
        mover: UnitId,
        piece: PlaceId,
        not: &UnitSet,
    ) -> Option<Self> {
        let shape = world.piece(piece)?.clone();
        let at = world.point(mover).unwrap_or_else(|| shape.middle());
        let not = not
            .iter()
            .filter_map(|unit| Some((unit, base_of(rules, world, unit)?)));
        let (units, bases) = not.unzip();
        let tabletop = rules.tabletop.as_ref()?;
        Some(Self {
            how: Travel::Aim,
            mover,
            base: Base { at, diameter: 0 },
            table: tabletop.size,
            bases,
            units,
            shapes: vec![shape],
            pieces: vec![piece],
            wanted: SpotQuery {
                limit: tabletop.candidates,
                ..SpotQuery::default()
            },
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
    pub fn candidates(&self) -> &[Point] {
        self.candidates.0.get_or_init(|| {
            let mut spots = match self.reach() {
                Some((kind, most)) => self.scene().candidates(self.base, most, kind, &self.wanted),
                None => self.spread(self.bounds(), self.wanted.limit),
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

    /// Returns the number of bases and corners of pieces that are checked to judge a spot.
    pub fn bulk(&self) -> usize {
        self.bases.len() + self.shapes.iter().map(Shape::corners).sum::<usize>()
    }

    /// About how many it proposes.
    pub fn proposes(&self) -> usize {
        self.wanted.limit
    }

    /// Whether it begins where the unit stands, rather than anywhere.
    pub fn moves(&self) -> bool {
        self.reach().is_some()
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
    pub fn bounds(&self) -> [i64; 4] {
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
    pub fn holds(&self) -> impl Fn(Point) -> bool + '_ {
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

    /// The corners of the shortest way around to a spot, which is the last of them; none where it is not to be come
    /// to so.
    pub fn way(&self, spot: Point) -> Option<Vec<Point>> {
        let (_, most) = self.reach()?;
        let way = self.scene().walk(self.base, spot, most);
        way.ok().map(|way| way.points)
    }

    /// Whether it has all spots of another one because it is the same for a longer way.
    pub fn covers(&self, other: &Region) -> bool {
        let longer = match (self.how, other.how) {
            (Travel::Leap(a, b), Travel::Leap(c, d)) => a <= c && b >= d,
            (Travel::Walk(a), Travel::Walk(b)) => a >= b,
            (a, b) => a == b,
        };
        let of = |region: &Region| (region.mover, region.base, region.table);
        longer && of(self) == of(other) && (&self.bases, &self.shapes) == (&other.bases, &other.shapes)
    }

    /// Whether a spot is in the region.
    ///
    /// # Errors
    ///
    /// Why it is not.
    pub fn judge(&self, spot: Point) -> Result<(), Refusal> {
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
    pub fn contacts(&self, rules: &Rules, target: Base) -> Option<Point> {
        let hair = rules.tabletop.as_ref().map_or(0, |t| t.hair);
        let (kind, most) = self.reach()?;
        self.scene().contact(self.base, target, most, kind, hair)
    }

    fn wanted_of(&self, rules: &Rules, world: &World, tabletop: &Tabletop) -> SpotQuery {
        let wanted = SpotQuery {
            limit: tabletop.candidates,
            hair: tabletop.hair,
            ..SpotQuery::default()
        };
        if !self.moves() {
            return wanted;
        }
        let own = world.owned(world.unit(self.mover).owner);
        let foes = (world.on_board() - own).filter_map(|unit| base_of(rules, world, unit));
        let mut foes: Vec<Base> = foes.collect();
        foes.sort_by_key(|foe| self.base.gap(*foe));
        let of_foe = |foe: &Base| {
            let foe = *foe;
            tabletop.ranges.iter().map(move |range| (foe, *range))
        };
        // On what it can stand.
        let open = world.ground().iter().filter(|place| !self.pieces.contains(place));
        let screens = world.ground().iter();
        SpotQuery {
            ranges: foes.iter().flat_map(of_foe).collect(),
            near: open
                .filter_map(|place| Some(world.piece(place)?.middle()))
                .collect(),
            screens: screens.filter_map(|place| world.piece(place).cloned()).collect(),
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

/// The base of a unit on the table top.
pub fn base_of(rules: &Rules, world: &World, unit: UnitId) -> Option<Base> {
    let diameter = rules.base(world.unit(unit).kind);
    world.point(unit).map(|at| Base { at, diameter })
}

/// The others on the table top, and their bases.
fn others(rules: &Rules, world: &World, unit: UnitId) -> (Vec<UnitId>, Vec<Base>) {
    let there = world.on_board().iter().filter(|other| *other != unit);
    there
        .filter_map(|other| Some((other, base_of(rules, world, other)?)))
        .unzip()
}

/// Whether a unit's base would lie on the table top, over no other's.
///
/// # Errors
///
/// What is in the way: one sentence.
pub fn check_stand(rules: &Rules, world: &World, unit: UnitId, at: Point) -> Result<(), String> {
    let name = || rules.unit_name(world.name(unit));
    let Some(table) = &rules.tabletop else {
        return Err(format!("{} cannot stand at {at}: this is no table top", name()));
    };
    let (units, bases) = others(rules, world, unit);
    let diameter = rules.base(world.unit(unit).kind);
    let scene = Obstacles {
        table: table.size,
        bases: &bases,
        shapes: &[],
    };
    scene.fits(Base { at, diameter }).map_err(|by| {
        let what = match by {
            Obstacle::Base(index) => format!("{} is there", rules.unit_name(world.name(units[index]))),
            _ => format!(
                "the table reaches from 0,0 to {},{}",
                length_text(table.size.0.into()),
                length_text(table.size.1.into())
            ),
        };
        format!("{} cannot stand at {at}: {what}", name())
    })
}
