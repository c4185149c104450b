//! Dice that are thrown: what an arena has, how a throw is told, and where dice lie.
//!
//! The engine ([`super::ground::arena`]) knows bodies; here they are units. A throw is like a roll: a pure function
//! of the position, of how it is thrown and of keyed dice, and its result is on record.

use super::dice::Pool;
use super::ground::arena::{self, Body, Misfit, Pose, Throw, Thrown};
use super::ground::plane::{Base, Shape};
use super::ids::{UnitId, UnitName};
use super::rules::Rules;
use super::spot::{Point, length_text};
use super::world::World;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// What a thrown die touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    /// The die; `None` is the board.
    pub what: Option<UnitName>,
    /// Where, seen from above.
    pub at: Point,
    /// How many thousandths of a second after it was let go.
    pub ms: u32,
}

/// What came of a throw.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Told {
    /// What the thrown die touched, in order: each die once, and the board.
    pub touches: Vec<Touch>,
    /// Who fell off the board.
    pub left: Vec<UnitName>,
    /// Where the others came to rest that moved; the thrown die, unless it fell off, is always among them.
    pub rests: Vec<(UnitName, Pose)>,
    /// Whether all came to rest before time was up.
    pub settled: bool,
    /// How long it took, in thousandths of a second.
    pub ms: u32,
}

/// What a throw comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The thrown die, and then those on the board.
    pub bodies: Vec<Body>,
    /// Whose bodies they are.
    pub units: Vec<UnitId>,
    /// How the first of them is thrown.
    pub throw: Throw,
}

impl Given {
    /// A throw of a die: the others lie as they do in the world.
    pub fn new(rules: &Rules, world: &World, unit: UnitId, throw: Throw) -> Option<Self> {
        let own = rules.die(world.unit(unit).kind)?;
        let mut bodies = vec![Body {
            solid: own.solid,
            pose: throw.from,
            make: own.make,
        }];
        let mut units = vec![unit];
        for other in world.on_board().iter().filter(|other| *other != unit) {
            bodies.push(body_of(rules, world, other)?);
            units.push(other);
        }
        Some(Self {
            bodies,
            units,
            throw: Throw { which: 0, ..throw },
        })
    }

    /// What comes of it.
    pub fn happen(&self, rules: &Rules, world: &World) -> Option<Told> {
        Some(self.told(
            world,
            &arena::throw(&rules.arena.as_ref()?.board, &self.bodies, &self.throw),
        ))
    }

    /// The whole of what comes of it, ways with it, if that is what is on record: an old record may tell of what no
    /// throw comes to any more.
    pub fn as_told(&self, rules: &Rules, world: &World, told: &Told) -> Option<Thrown> {
        let thrown = arena::throw(&rules.arena.as_ref()?.board, &self.bodies, &self.throw);
        (self.told(world, &thrown) == *told).then_some(thrown)
    }

    fn told(&self, world: &World, thrown: &Thrown) -> Told {
        let name = |body: usize| self.units.get(body).map(|unit| world.name(*unit));
        let own = thrown.touches.iter().filter(|touch| touch.body == 0);
        let touches = own.map(|touch| Touch {
            what: touch.other.and_then(name),
            at: Point {
                x: touch.at[0],
                y: touch.at[1],
            },
            ms: touch.ms,
        });
        let of = |fell: bool| thrown.rests.iter().filter(move |rest| rest.fell == fell);
        Told {
            touches: touches.collect(),
            left: of(true).filter_map(|rest| name(rest.body)).collect(),
            rests: of(false)
                .filter_map(|rest| Some((name(rest.body)?, rest.pose)))
                .collect(),
            settled: thrown.settled,
            ms: thrown.ms,
        }
    }
}

/// A die on the board as the engine knows it.
pub fn body_of(rules: &Rules, world: &World, unit: UnitId) -> Option<Body> {
    let die = rules.die(world.unit(unit).kind)?;
    Some(Body {
        solid: die.solid,
        pose: world.pose(unit)?,
        make: die.make,
    })
}

/// What a die shows; `None` off the board, and for one that leans on something.
pub fn face(rules: &Rules, world: &World, unit: UnitId) -> Option<u8> {
    let die = rules.die(world.unit(unit).kind)?;
    die.solid.shows(world.pose(unit)?.turn)
}

/// What a die shows or, where it leans, what it is nearest to showing.
pub fn nearest_face(rules: &Rules, world: &World, unit: UnitId) -> Option<u8> {
    let die = rules.die(world.unit(unit).kind)?;
    Some(die.solid.nearest(world.pose(unit)?.turn))
}

/// The corners of the face on which a die lies; of one that leans, those that touch what is below.
pub fn foot(rules: &Rules, world: &World, unit: UnitId) -> Option<Vec<Point>> {
    let body = body_of(rules, world, unit)?;
    let [x, y, _] = body.pose.at;
    let corners = body.solid.foot(body.make.size, body.pose.turn).into_iter();
    let placed = corners.map(|corner| Point {
        x: x.saturating_add(corner[0]),
        y: y.saturating_add(corner[1]),
    });
    Some(placed.collect())
}

/// Whether all of a face is within a zone, which has no dents.
pub fn is_within(foot: &[Point], zone: &Shape) -> bool {
    foot.iter().all(|corner| zone.contains(*corner))
}

/// Whether some of a face is within a zone or on its line.
pub fn touches(foot: &[Point], zone: &Shape) -> bool {
    let at = |at: Point| Base { at, diameter: 0 };
    let edges = || foot.iter().zip(foot.iter().cycle().skip(1));
    foot.iter().any(|corner| zone.gap(at(*corner)) <= 0)
        || edges().any(|(a, b)| zone.is_crossed(*a, *b))
        || Shape::polygon(foot).is_ok_and(|foot| foot.contains(zone.middle()))
}

impl Pose {
    /// Where it is, seen from above.
    pub fn point(self) -> Point {
        Point {
            x: self.at[0],
            y: self.at[1],
        }
    }
}

/// What is wrong with how the first of some bodies is placed, in words; `None` where it is about others.
fn misfit_told(misfit: Misfit, name: &dyn Fn(usize) -> String) -> Option<String> {
    match misfit {
        Misfit::Inside(0, other) | Misfit::Inside(other, 0) => {
            Some(format!("it would be inside {}", name(other)))
        }
        Misfit::InBoard(0) => Some("it would be inside the board".to_owned()),
        Misfit::OffBoard(0) => Some("the board does not reach there".to_owned()),
        Misfit::InTheAir(0) => Some("it would hang in the air".to_owned()),
        _ => None,
    }
}

/// How a die is put down at a point: flat, with the face that it showed, or else the first that it has.
pub fn put_down(rules: &Rules, world: &World, unit: UnitId, at: Point) -> Option<Pose> {
    let die = rules.die(world.unit(unit).kind)?;
    let face = face(rules, world, unit).unwrap_or(*die.solid.values().start());
    die.lying(at, face, 0)
}

/// Why a die cannot lie so: something is there, or there is no board under it.
///
/// # Errors
///
/// What is in the way: one sentence.
pub fn lies(rules: &Rules, world: &World, unit: UnitId, pose: Pose) -> Result<(), String> {
    let name = |unit: UnitId| rules.unit_name(world.name(unit));
    let (Some(arena), Some(own)) = (&rules.arena, rules.die(world.unit(unit).kind)) else {
        return Err(format!("{} is no die", name(unit)));
    };
    let others: Vec<UnitId> = world.on_board().iter().filter(|other| *other != unit).collect();
    let mut bodies = vec![Body {
        solid: own.solid,
        pose,
        make: own.make,
    }];
    bodies.extend(others.iter().filter_map(|other| body_of(rules, world, *other)));
    let name_of = |body: usize| others.get(body - 1).map_or(String::new(), |unit| name(*unit));
    let wrong = arena::misfits(&arena.board, &bodies).into_iter();
    match wrong.filter_map(|misfit| misfit_told(misfit, &name_of)).next() {
        None => Ok(()),
        Some(why) => Err(format!(
            "{} cannot lie at {}: {why}",
            name(unit),
            plain(pose.point())
        )),
    }
}

/// A point as people write it.
pub fn plain(at: Point) -> String {
    format!("{},{}", length_text(at.x.into()), length_text(at.y.into()))
}

/// A throw's result as a scenario states it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stated {
    /// What the die touches, in order; `None` is the board, with where if that is said.
    pub touches: Vec<(Option<UnitName>, Option<Point>)>,
    /// Who falls off.
    pub left: Vec<UnitName>,
    /// Who comes to rest where, showing what, its edges turned by so many degrees.
    pub rests: Vec<(UnitName, Point, Option<u8>, i32)>,
}

impl Stated {
    /// What a stated result looks like.
    pub const FORM: &str = "a throw's result is written `hits board NAME NAME; NAME 12.4,7 shows 6; NAME off`: what \
                            the die touches in order (or `hits nothing`; `board@12.4,7` says where, `board` alone \
                            is where the throw was aimed), then where each die that moves stops";

    /// Reads a result.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and the part that is.
    pub fn read(rules: &Rules, text: &str) -> Result<Self, (String, String)> {
        let mut stated = Stated::default();
        let mut parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
        let first = parts.next().unwrap_or_default();
        let wrong = |part: &str, why: String| (why, part.to_owned());
        let name = |word: &str| {
            let name = rules.parse_unit_name(word);
            name.ok_or_else(|| wrong(word, format!("there is no die `{word}`")))
        };
        let Some(hits) = first.strip_prefix("hits ") else {
            return Err(wrong(first, format!("`{first}` does not say what the die hits")));
        };
        for word in hits.split_whitespace() {
            match word {
                "nothing" => {}
                "board" => stated.touches.push((None, None)),
                word if let Some(spot) = word.strip_prefix("board@") => {
                    let on_board = |at: &Point| {
                        let arena = rules.arena.as_ref();
                        arena.is_some_and(|arena| arena.board.holds([at.x, at.y]))
                    };
                    let at = Point::parse(spot).ok_or_else(|| wrong(word, format!("`{spot}` is no spot")))?;
                    if !on_board(&at) {
                        return Err(wrong(word, format!("the board does not reach to {spot}")));
                    }
                    stated.touches.push((None, Some(at)));
                }
                word => stated.touches.push((Some(name(word)?), None)),
            }
        }
        for part in parts {
            let words: Vec<&str> = part.split_whitespace().collect();
            let who = name(words.first().copied().unwrap_or_default())?;
            let again = stated.left.contains(&who) || stated.rests.iter().any(|rest| rest.0 == who);
            if again {
                return Err(wrong(part, format!("where {} stops is said twice", words[0])));
            }
            if words[1..] == ["off"] {
                stated.left.push(who);
                continue;
            }
            let at = words.get(1).copied().unwrap_or_default();
            let Some(point) = Point::parse(at) else {
                return Err(wrong(
                    part,
                    format!("`{part}` does not say where {} stops", words[0]),
                ));
            };
            let (mut shows, mut angle) = (None, 0);
            for pair in words[2..].chunks(2) {
                match *pair {
                    ["shows", number] => {
                        let faces = rules.die(who.kind).map_or(0..=0, |die| die.solid.values());
                        let face = number.parse().ok().filter(|face| faces.contains(face));
                        shows = Some(face.ok_or_else(|| {
                            wrong(
                                number,
                                format!("{} has no face `{number}`; {}", words[0], faces_told(&faces)),
                            )
                        })?);
                    }
                    ["angle", number] => {
                        let degrees = number.parse().ok().filter(|n| (0..360).contains(n));
                        angle = degrees
                            .ok_or_else(|| wrong(number, format!("`{number}` is no angle from 0 to 359")))?;
                    }
                    _ => return Err(wrong(part, format!("`{}` says nothing of a die", pair.join(" ")))),
                }
            }
            stated.rests.push((who, point, shows, angle));
        }
        Ok(stated)
    }

    /// What comes of it, for a die that is thrown in this world at a spot.
    ///
    /// # Errors
    ///
    /// It cannot be: one sentence.
    pub fn happen(
        &self,
        rules: &Rules,
        world: &World,
        (thrown, aimed): (UnitId, Point),
    ) -> Result<Told, String> {
        let text = |name: UnitName| rules.unit_name(name);
        let own = world.name(thrown);
        if !self.left.contains(&own) && !self.rests.iter().any(|rest| rest.0 == own) {
            return Err(format!("it does not say where {} stops", text(own)));
        }
        let unit = |name: UnitName| {
            let there = |unit: &UnitId| *unit == thrown || world.is_on_board(*unit);
            let unit = world.find(name).filter(there);
            unit.ok_or_else(|| format!("{} does not lie on the board", text(name)))
        };
        let mut after = world.clone();
        for name in &self.left {
            after.reserve(unit(*name)?);
        }
        let mut poses = Vec::new();
        for &(name, at, shows, angle) in &self.rests {
            let unit = unit(name)?;
            let Some(die) = rules.die(name.kind) else { continue };
            let face = shows
                .or_else(|| face(rules, world, unit))
                .ok_or_else(|| format!("it does not say what {} shows", text(name)))?;
            let Some(pose) = die.lying(at, face, angle) else {
                continue;
            };
            after.lay_die(unit, pose);
            poses.push((unit, name, pose));
        }
        for &(unit, _, pose) in &poses {
            lies(rules, &after, unit, pose)?;
        }
        let point = |name: UnitName| world.find(name).and_then(|unit| world.point(unit));
        let mut touches = Vec::new();
        for (what, there) in &self.touches {
            let at = match what {
                Some(name) => {
                    unit(*name)?;
                    point(*name)
                }
                None => there.or(Some(aimed)),
            };
            touches.push(Touch {
                what: *what,
                at: at.unwrap_or_default(),
                ms: 0,
            });
        }
        Ok(Told {
            touches,
            left: self.left.clone(),
            rests: poses.into_iter().map(|(_, name, pose)| (name, pose)).collect(),
            settled: true,
            ms: 0,
        })
    }
}

/// The faces of a die in a sentence.
pub fn faces_told(faces: &RangeInclusive<u8>) -> String {
    format!("its faces are {} to {}", faces.start(), faces.end())
}

/// A throw as its event keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The dice that decided what no hand can; a transcript does not tell them.
    pub hand: Pool,
    /// How it was thrown; `None` where a scenario states what came of it.
    pub throw: Option<Throw>,
    /// What came of it.
    pub told: Told,
}

/// What was thrown before in a table's life and what came of it: a throw is computed once, however often its step is
/// run again. It decides nothing.
#[derive(Debug, Default)]
pub struct Known(Vec<(Given, Arc<Told>)>);

/// So many throws are kept.
const KEPT: usize = 8;

impl Known {
    /// What comes of a throw.
    pub fn of(&mut self, given: Given, rules: &Rules, world: &World) -> Option<Arc<Told>> {
        if let Some((_, told)) = self.0.iter().find(|(known, _)| *known == given) {
            return Some(Arc::clone(told));
        }
        let told = Arc::new(given.happen(rules, world)?);
        if self.0.len() == KEPT {
            self.0.remove(0);
        }
        self.0.push((given, Arc::clone(&told)));
        Some(told)
    }
}

/// How the lines end that follow from a throw.
pub fn by(rules: &Rules, label: &str, who: UnitName) -> String {
    format!("  (by {label}, {})", rules.unit_name(who))
}
