//! `:measure`: how far two things are apart, whether one sees the other, and who is in between.

use super::session::{Reply, Session};
use crate::kernel::ids::UnitSet;
use crate::kernel::region;
use crate::kernel::spot::{Point, length_text};
use crate::kernel::world::World;
use crate::report::{Problem, Problems, Source};
use crate::script::run::value::View;

/// What is measured from or to.
enum End {
    Unit(String),
    Spot(Point),
    Place(String),
}

impl End {
    fn of(session: &Session, world: &World, name: &str) -> Result<Self, Problem> {
        let rules = &session.play.host.rules;
        let unit = rules.parse_unit_name(name).and_then(|n| world.find(n));
        if unit.is_some_and(|unit| world.is_on_board(unit)) {
            return Ok(End::Unit(name.to_owned()));
        }
        if let Some(spot) = Point::parse(name).filter(|_| rules.tabletop.is_some()) {
            return Ok(End::Spot(spot));
        }
        let there = rules
            .board
            .place(name)
            .filter(|place| world.ground().contains(*place));
        if there.is_some() {
            return Ok(End::Place(name.to_owned()));
        }
        let mut names: Vec<String> = world.on_board().map(|u| rules.unit_name(world.name(u))).collect();
        names.extend(world.ground().iter().map(|p| rules.board.name(p).to_owned()));
        let hint = crate::report::hint_for(name, names.iter().map(String::as_str));
        Err(Problem::new(format!("`{name}` is nowhere to be measured from")).hint(hint))
    }

    /// As scripts say it.
    fn said(&self) -> String {
        match self {
            End::Unit(name) => format!("unit(\"{name}\")"),
            End::Spot(spot) => format!(
                "spot({}, {})",
                length_text(spot.x.into()),
                length_text(spot.y.into())
            ),
            End::Place(name) => format!("place(\"{name}\")"),
        }
    }
}

/// `:measure A B`.
///
/// # Errors
///
/// Not two names, or one that is nowhere.
pub fn measure(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    let names: Vec<&str> = args.split_whitespace().collect();
    let [one, other] = names[..] else {
        let problem = Problem::new("name two things to measure between");
        return Err(problem.hint("such as `:measure red.scouts1 blue.guards1`").into());
    };
    let world = session.view();
    let ends = (End::of(session, &world, one)?, End::of(session, &world, other)?);
    let said = (ends.0.said(), ends.1.said());
    let viewer = session.viewer();
    let look = |text: String| {
        session
            .play
            .look_as(&Source::new("input", text), viewer, |_, view| view.clone())
    };
    let rules = &session.play.host.rules;
    let on_table = rules.tabletop.is_some();
    // On a board distances lie between places.
    let place = |end: &End, said: &str| match end {
        End::Unit(_) if !on_table => format!("{said}.place"),
        _ => said.to_owned(),
    };
    let said = (place(&ends.0, &said.0), place(&ends.1, &said.1));
    let apart = match ends {
        (End::Place(_), End::Unit(_) | End::Spot(_)) if on_table => {
            format!("distance({}, {})", said.1, said.0)
        }
        _ => format!("distance({}, {})", said.0, said.1),
    };
    let unit = rules.tabletop.as_ref().map_or("steps", |t| t.unit.as_str());
    let mut told = match look(apart)? {
        View::Length(length) => format!("{one} to {other}: {} {unit}", length_text(length)),
        View::Int(steps) => format!("{one} to {other}: {steps} {unit}"),
        _ => format!("{one} and {other} cannot be measured"),
    };
    if let (true, End::Unit(_), End::Unit(_)) = (on_table, &ends.0, &ends.1) {
        let find = |name: &str| rules.parse_unit_name(name).and_then(|n| world.find(n));
        let sight = match look(format!("sight({}, {})", said.0, said.1))? {
            View::Text(sight) => sight,
            _ => String::new(),
        };
        told += &format!(
            "; {other} is {} to {one}",
            match sight.as_str() {
                "partly" => "partly hidden",
                "hidden" => "wholly hidden",
                _ => "in free sight",
            }
        );
        if let (Some(a), Some(b)) = (find(one), find(other)) {
            let without = UnitSet::one(a) | UnitSet::one(b);
            let between = region::between(rules, &world, (a, b), &without);
            if !between.is_empty() {
                told += &format!("; in between: {}", between.join(", "));
            }
        }
    }
    Ok(Reply::text(told))
}
