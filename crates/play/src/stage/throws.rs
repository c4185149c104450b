//! Results of throws that a scenario states: read, and made to happen.

use crate::description::Spanned;
use crate::kernel::ids::{UnitId, UnitName};
use crate::kernel::pose::Pose;
use crate::kernel::rules::Rules;
use crate::kernel::spot::Point;
use crate::kernel::throws::{Landing, Touch, check_rest, face, faces_text};
use crate::kernel::world::World;
use crate::report::{Problem, Source};
use crate::scenario::file::ScenarioFile;
use crate::scenario::problems::{no_thrown_dice, wrong_throw};
use std::ops::Range;

/// A throw's result as a scenario states it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StatedThrowText {
    /// Units that the die touches, in order; `None` is the board, with where if that is said.
    pub touches: Vec<(Option<UnitName>, Option<Point>)>,
    /// Units that fall off.
    pub left: Vec<UnitName>,
    /// Units that come to rest, each with its point and how it lies there.
    pub rests: Vec<(UnitName, Point, RestingDie)>,
}

/// Position of a die that lies still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestingDie {
    /// Flat, showing what it showed or this, its edges turned by so many degrees.
    Flat { shows: Option<u8>, angle: i32 },
    /// In a pose, flat or not.
    As(Pose),
}

/// Returns the landing that a stated result gives for a die that is thrown in this world at a spot.
///
/// # Errors
///
/// It cannot be: one sentence.
pub fn happen(text: &str, rules: &Rules, world: &World, thrown: (UnitId, Point)) -> Result<Landing, String> {
    let stated = StatedThrowText::read(rules, text).map_err(|(why, _)| why)?;
    stated.happen(rules, world, thrown)
}

impl StatedThrowText {
    /// Format of a stated result.
    pub const FORM: &str = "a throw's result is written `hits board NAME NAME; NAME 12.4,7 shows 6; NAME off`: what \
                            the die touches in order (or `hits nothing`; `board@12.4,7` says where, `board` alone \
                            is where the throw was aimed), then where each die that moves stops";

    /// Reads a result.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and the part that is.
    pub fn read(rules: &Rules, text: &str) -> Result<Self, (String, String)> {
        let mut stated = StatedThrowText::default();
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
                    let on_board = |at: &Point| rules.ground.dice().is_some_and(|dice| dice.holds(*at));
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
            let (mut shows, mut angle, mut pose) = (None, 0, None);
            for pair in words[2..].chunks(2) {
                match *pair {
                    ["shows", number] => {
                        let faces = rules.die(who.kind).map_or(0..=0, |die| die.faces());
                        let face = number.parse().ok().filter(|face| faces.contains(face));
                        shows = Some(face.ok_or_else(|| {
                            wrong(
                                number,
                                format!("{} has no face `{number}`; {}", words[0], faces_text(&faces)),
                            )
                        })?);
                    }
                    ["angle", number] => {
                        let degrees = number.parse().ok().filter(|n| (0..360).contains(n));
                        angle = degrees
                            .ok_or_else(|| wrong(number, format!("`{number}` is no angle from 0 to 359")))?;
                    }
                    ["pose", text] => {
                        let read = text.parse::<Pose>().ok().filter(|pose| pose.point() == point);
                        pose = Some(read.ok_or_else(|| wrong(text, format!("`{text}` is no pose at {at}")))?);
                    }
                    _ => return Err(wrong(part, format!("`{}` says nothing of a die", pair.join(" ")))),
                }
            }
            let has_face = shows.is_some() || angle != 0;
            let lying = match pose {
                Some(_) if has_face => {
                    return Err(wrong(part, "the pose says already what the die shows".to_owned()));
                }
                Some(pose) => RestingDie::As(pose),
                None => RestingDie::Flat { shows, angle },
            };
            stated.rests.push((who, point, lying));
        }
        Ok(stated)
    }

    fn happen(
        &self,
        rules: &Rules,
        world: &World,
        (thrown, aimed): (UnitId, Point),
    ) -> Result<Landing, String> {
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
        for &(name, at, lying) in &self.rests {
            let unit = unit(name)?;
            let Some(die) = rules.die(name.kind) else { continue };
            let pose = match lying {
                RestingDie::As(pose) => Some(pose),
                RestingDie::Flat { shows, angle } => {
                    let face = shows.or_else(|| face(rules, world, unit));
                    let face = face.ok_or_else(|| format!("it does not say what {} shows", text(name)))?;
                    die.lying(at, face, angle)
                }
            };
            let Some(pose) = pose else { continue };
            after.lay_die(unit, pose);
            poses.push((unit, name, pose));
        }
        for &(unit, _, pose) in &poses {
            check_rest(rules, &after, unit, pose)?;
        }
        let point = |name: UnitName| world.find(name).and_then(|unit| world.point(unit));
        let mut touches = Vec::new();
        for (what, there) in &self.touches {
            let at = match what {
                Some(name) if *name == own => return Err(format!("{} cannot hit itself", text(own))),
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
        Ok(Landing {
            touches,
            left: self.left.clone(),
            rests: poses.into_iter().map(|(_, name, pose)| (name, pose)).collect(),
            settled: true,
            ms: 0,
        })
    }
}

/// Returns the problems with the results of throws that a file states.
pub fn check(rules: &Rules, file: &ScenarioFile) -> Vec<Problem> {
    let mut found = Vec::new();
    for (label, throws) in &file.throws {
        if rules.ground.dice().is_none() {
            found.push(no_thrown_dice(&rules.game).at(&file.source, label.span.clone()));
            continue;
        }
        for throw in throws {
            let Err((why, part)) = StatedThrowText::read(rules, throw) else {
                continue;
            };
            found.push(
                wrong_throw(why, StatedThrowText::FORM).at(&file.source, part_of(&file.source, throw, &part)),
            );
        }
    }
    found
}

/// Returns the position of a part of a text in its file, if it is written there unchanged; else that of the whole text.
fn part_of(source: &Source, text: &Spanned<String>, part: &str) -> Range<usize> {
    let written = source.text.get(text.span.clone()).unwrap_or_default();
    match written.find(part).filter(|_| !part.is_empty()) {
        Some(at) => text.span.start + at..text.span.start + at + part.len(),
        None => text.span.clone(),
    }
}
