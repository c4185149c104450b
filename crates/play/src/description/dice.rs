//! Dice in an arena as unit lines write them: how one lies, behind its point (`shows=6 angle=30`, or its whole `pose`).

use super::{SlotValue, Slots, Spanned};
use crate::kernel::ids::{TypeId, UnitId};
use crate::kernel::pose::Pose;
use crate::kernel::rules::Rules;
use crate::kernel::spot::Point;
use crate::kernel::throws;
use crate::kernel::world::World;
use crate::report::{Problem, Source};
use crate::scenario::problems::{pose_and_face, pose_elsewhere, wrong_die};
use std::sync::Arc;

/// Properties of a die in a unit line, besides its slots.
const SAID: [&str; 3] = ["shows", "angle", "pose"];

/// Whether a word of a unit line says how a die lies.
pub fn is_about_dice(rules: &Rules, name: &str) -> bool {
    rules.ground.dice().is_some() && SAID.contains(&name)
}

/// Returns the pose of a die that a unit line puts at a point.
///
/// # Errors
///
/// What is wrong, at its word.
pub fn pose(
    rules: &Rules,
    kind: TypeId,
    at: Point,
    slots: &Slots,
    source: &Arc<Source>,
) -> Result<Option<Pose>, Problem> {
    let Some(die) = rules.die(kind) else {
        return Ok(None);
    };
    let find = |name: &str| {
        let found = slots.iter().find(|(known, _)| known.value == name);
        found.map(|(_, value)| value)
    };
    let wrong = |value: &Spanned<SlotValue>, problem: Problem| problem.at(source, value.span.clone());
    let name = &rules.types[kind.index()].name;
    if let Some(value) = find("pose") {
        let text = value.value.to_string();
        if let Some(other) = find("shows").or(find("angle")) {
            return Err(wrong(other, pose_and_face()));
        }
        let pose: Pose = text
            .parse()
            .map_err(|why: &str| wrong(value, wrong_die(&text, "a pose", why)))?;
        if pose.point() != at {
            let elsewhere = pose_elsewhere(throws::plain(pose.point()), throws::plain(at));
            return Err(wrong(value, elsewhere));
        }
        return Ok(Some(pose));
    }
    let number = |name: &str, from: i64, to: i64, what: &str, help: &str| {
        let Some(value) = find(name) else { return Ok(from) };
        match value.value {
            SlotValue::Number(number) if (from..=to).contains(&number) => Ok(number),
            _ => Err(wrong(value, wrong_die(&value.value, what, help))),
        }
    };
    let (values, what) = (die.faces(), format!("a face of {name}"));
    let (first, last) = ((*values.start()).into(), (*values.end()).into());
    let face = number("shows", first, last, &what, &throws::faces_text(&values))? as u8;
    let degrees = "an angle is whole degrees from 0 to 359";
    let angle = number("angle", 0, 359, "an angle", degrees)? as i32;
    Ok(die.lying(at, face, angle))
}

/// Writes the pose of a die, as [`pose`] reads it.
pub fn written(rules: &Rules, world: &World, unit: UnitId) -> Slots {
    let (Some(die), Some(pose)) = (rules.die(world.unit(unit).kind), world.pose(unit)) else {
        return Vec::new();
    };
    let flat =
        throws::face(rules, world, unit).filter(|face| die.lying(pose.point(), *face, 0) == Some(pose));
    let (name, value) = match flat {
        Some(face) => ("shows", SlotValue::Number(face.into())),
        None => ("pose", SlotValue::Word(pose.to_string())),
    };
    vec![(name.to_owned().into(), value.into())]
}
