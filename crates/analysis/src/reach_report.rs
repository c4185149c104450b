//! Marks on a board or a picture of it: the reach of a unit, the targets of a faction, and the distance and visibility
//! between two things.

use crate::grounds::plane::{Base, Obstacle, Obstacles, Shape};
use crate::kernel::effect::off_the_table;
use crate::kernel::ids::{FactionId, PlaceId, PlaceSet, Thing, UnitId, UnitSet};
use crate::kernel::rules::Rules;
use crate::kernel::scene::base_of;
use crate::kernel::spot::{Point, length_text};
use crate::kernel::world::World;
use crate::lines::counted;
use crate::lookahead::{self, Lookahead};
use crate::odds::chances::Fraction;
use crate::option_text::piece_name;
use crate::play::Play;
use crate::render::{Marks, MeasuredLength};
use crate::report::{Problem, Problems, hint_for};
use crate::rules::run::view::ValueView;
use crate::suite::problems::unknown_name;
use crate::why::problems;
use std::sync::Arc;

/// Marks on a board, with a sentence about them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReachReport {
    /// On the board.
    pub marks: Marks,
    /// In a sentence.
    pub legend: String,
    /// Short description of a picture with the marks.
    pub what: String,
    /// Whether there was too much to look at all of it.
    pub cut: bool,
}

/// Finds the places that a unit can reach, in a world as a viewer may see it.
///
/// # Errors
///
/// A name that no unit on the board has.
pub fn reach(play: &mut Play, world: &World, name: &str) -> Result<ReachReport, Problem> {
    let rules = play.ruleset().rules.clone();
    let unit = unit_on_board(&rules, world, name)?;
    check_nothing_is_thrown(&rules)?;
    let about_it = play.with_question(|a| {
        let who = a.world.who(Thing::Unit(unit));
        a.request.step.pick == 0 && a.request.step.about == who
    });
    let found = lookahead::of_unit(play, unit);
    let when = match about_it {
        Some(true) => "now",
        _ => "if its turn came now",
    };
    let looked = notes(&found, name);
    let summary = match named_places(&rules, found.reach.clone()) {
        None if !found.spots.is_empty() => {
            let count = found.spots.len();
            format!(
                "{name} can go to {count} spots that are proposed, and to others within its reach, {when}"
            )
        }
        None => match found.why_nothing() {
            Some(problem) => failing(&format!("{name} can go nowhere {when}"), problem),
            None if play.is_asking() => {
                format!("{name} can go nowhere {when}; `:why-not {name} PLACE` says why")
            }
            None => format!("{name} can go nowhere: nothing is asked any more"),
        },
        Some(places) => format!("{name} can go to {places} {when}{}", risks(&rules, &found, "it")),
    };
    Ok(ReachReport {
        marks: Marks {
            reach: found.reach,
            spots: found.spots.into_iter().collect(),
            regions: found.regions,
            ranges: UnitSet::one(unit),
            ..Marks::default()
        },
        legend: format!("{summary}{looked}"),
        what: format!("where {name} can go {when}"),
        cut: found.cut,
    })
}

/// Returns the message for an analysis without a result because rules fail.
fn failing(what: &str, problem: &Problem) -> String {
    format!("{what}: the rules fail\n{}", problem.page(false))
}

/// Checks that no dice are thrown in this game, since the result of a throw is not known beforehand.
fn check_nothing_is_thrown(rules: &Rules) -> Result<(), Problem> {
    match rules.ground.dice().is_some() {
        true => Err(problems::unknown_throw()),
        false => Ok(()),
    }
}

/// Finds the targets that a faction or a unit could hit and the places that it could reach.
///
/// # Errors
///
/// A name that no faction and no unit on the board has.
pub fn threat(play: &mut Play, world: &World, name: &str) -> Result<ReachReport, Problem> {
    let rules = play.ruleset().rules.clone();
    let (found, whose) = match (rules.faction(name), rules.parse_unit_name(name)) {
        (Some(faction), _) => {
            check_nothing_is_thrown(&rules)?;
            let own = world.on_board() & world.owned(faction);
            (lookahead::of_faction(play, faction), own)
        }
        (None, Some(_)) => {
            let unit = unit_on_board(&rules, world, name)?;
            check_nothing_is_thrown(&rules)?;
            (lookahead::of_unit(play, unit), UnitSet::one(unit))
        }
        (None, None) => {
            let units = world.on_board() & world.alive();
            let units = units.iter().map(|unit| rules.unit_name(world.name(unit)));
            let names: Vec<String> = rules.factions.iter().cloned().chain(units).collect();
            let problem = match name {
                "" => problems::missing_name("faction or unit", format!(":threat {}", rules.factions[0])),
                _ => unknown_name("faction or unit", name)
                    .hint(hint_for(name, names.iter().map(String::as_str))),
            };
            return Err(problem);
        }
    };
    let units = found.targets.clone();
    let targets: Vec<String> = units.map(|u| rules.unit_name(world.name(u))).collect();
    let hit = match (targets.is_empty(), found.why_nothing()) {
        (true, Some(problem)) => failing(&format!("{name} can hit nobody now"), problem),
        (true, None) => format!("{name} can hit nobody now"),
        // What was not looked at may be hit as well.
        (false, _) if found.cut => format!("{name} can hit at least {}", targets.join(", ")),
        (false, _) => format!("{name} can hit {}", targets.join(", ")),
    };
    let places = |verb: &str, places: &PlaceSet| {
        named_places(&rules, places.clone()).map_or_else(String::new, |p| format!("\nand {verb} {p}"))
    };
    let (aim, go) = (places("aim at", &found.places), places("go to", &found.reach));
    let risks = risks(&rules, &found, "whoever comes");
    let looked = notes(&found, name);
    Ok(ReachReport {
        legend: format!("{hit}{aim}{go}{risks}{looked}"),
        marks: Marks {
            reach: found.reach,
            threat: found.places,
            spots: found.spots.into_iter().collect(),
            targets: found.targets,
            regions: found.regions,
            ranges: whose,
            ..Marks::default()
        },
        what: format!("what {name} could do now"),
        cut: found.cut,
    })
}

/// A line for each thing that one must know of how it was looked at.
fn notes(found: &Lookahead, name: &str) -> String {
    let mut text = String::new();
    if found.answered {
        text += "\nothers are asked on the way: this is with the answers that suit it best";
    }
    if found.led {
        text += &format!(
            "\n{name} has no step of its own now; what steps of the game do with it was not looked at"
        );
    }
    text
}

/// A line for each place where dice decide whether who comes there stands there.
fn risks(rules: &Rules, found: &Lookahead, who: &str) -> String {
    let line = |(at, chance): (PlaceId, &Fraction)| {
        let (place, cent) = (rules.board.name(at), chance.per_cent());
        match found.falls.contains(at) {
            true => format!("\nin {place} the dice leave {who} standing with a chance of {chance} ({cent})"),
            false => format!("\n{place} is reached with a chance of {chance} ({cent}), as the dice fall"),
        }
    };
    found.risks().map(line).collect()
}

fn named_places(rules: &Rules, places: PlaceSet) -> Option<String> {
    let names: Vec<&str> = places.map(|p| rules.board.name(p)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The unit of that name, where it may be seen on the board.
fn unit_on_board(rules: &Rules, world: &World, name: &str) -> Result<UnitId, Problem> {
    let found = rules.parse_unit_name(name).and_then(|n| world.find(n));
    let known: Vec<String> = rules
        .all_factions()
        .flat_map(|f| world.owned(f) & world.on_board())
        .map(|u| rules.unit_name(world.name(u)))
        .collect();
    match found {
        Some(unit) if world.is_on_board(unit) => Ok(unit),
        Some(_) => Err(problems::off_the_board(name).hint(hint_for(name, known.iter().map(String::as_str)))),
        None if name.is_empty() => {
            let unit = known.first().map_or("UNIT", |unit| unit);
            Err(problems::missing_name("unit", format!(":reach {unit}")))
        }
        None => Err(unknown_name("unit", name).hint(hint_for(name, known.iter().map(String::as_str)))),
    }
}

/// End of a measured distance.
enum MeasureEnd {
    Unit(String),
    Spot(Point),
    Place(String),
}

impl MeasureEnd {
    fn of(rules: &Rules, world: &World, name: &str) -> Result<Self, Problem> {
        let unit = rules.parse_unit_name(name).and_then(|n| world.find(n));
        if unit.is_some_and(|unit| world.is_on_board(unit)) {
            return Ok(MeasureEnd::Unit(name.to_owned()));
        }
        if let (Some(at), Some(table)) = (Point::parse(name), rules.plane()) {
            if !at.is_on_table(table.size) {
                let why = off_the_table(table.size);
                return Err(problems::off_the_table(name, why));
            }
            return Ok(MeasureEnd::Spot(at));
        }
        let there = rules
            .board
            .place(name)
            .filter(|place| world.ground().contains(*place));
        if there.is_some() {
            return Ok(MeasureEnd::Place(name.to_owned()));
        }
        let mut names: Vec<String> = world.on_board().map(|u| rules.unit_name(world.name(u))).collect();
        names.extend(world.ground().iter().map(|p| rules.board.name(p).to_owned()));
        let hint = crate::report::hint_for(name, names.iter().map(String::as_str));
        Err(unknown_name("unit or place", name).hint(hint))
    }

    /// Returns its base on a tabletop; for a piece of terrain the middle.
    fn base(&self, rules: &Rules, world: &World) -> Option<Base> {
        let spot = |at| Base { at, diameter: 0 };
        match self {
            MeasureEnd::Unit(name) => {
                let unit = rules.parse_unit_name(name).and_then(|n| world.find(n))?;
                base_of(rules, world, unit)
            }
            MeasureEnd::Spot(at) => Some(spot(*at)),
            MeasureEnd::Place(name) => Some(spot(world.piece(rules.board.place(name)?)?.middle())),
        }
    }

    /// Returns its place on a board.
    fn place(&self, rules: &Rules, world: &World) -> Option<PlaceId> {
        match self {
            MeasureEnd::Unit(name) => world.place(rules.parse_unit_name(name).and_then(|n| world.find(n))?),
            MeasureEnd::Place(name) => rules.board.place(name),
            MeasureEnd::Spot(_) => None,
        }
    }

    /// Returns the distance to another end: steps on a board, thousandths of the game's unit on a tabletop; `None`
    /// between two pieces of terrain, and where one of them is not there.
    fn distance(&self, other: &MeasureEnd, rules: &Rules, world: &World) -> Option<i64> {
        if rules.plane().is_none() {
            let (from, to) = (self.place(rules, world)?, other.place(rules, world)?);
            return Some(rules.board.distance(from, to) as i64);
        }
        let base = |end: &MeasureEnd| end.base(rules, world);
        let piece = |name: &str| world.piece(rules.board.place(name)?);
        let gap = match (self, other) {
            (MeasureEnd::Place(_), MeasureEnd::Place(_)) => return None,
            (MeasureEnd::Place(name), end) | (end, MeasureEnd::Place(name)) => piece(name)?.gap(base(end)?),
            _ => base(self)?.gap(base(other)?),
        };
        Some(gap.max(0))
    }
}

/// Measures the distance between two things, and finds whether one sees the other and what is between them.
///
/// # Errors
///
/// A name that is nowhere.
pub fn measure(
    play: &mut Play,
    viewer: Option<FactionId>,
    world: &World,
    [one, other]: [&str; 2],
) -> Result<ReachReport, Problems> {
    let rules = &Arc::clone(&play.ruleset().rules);
    let ends = (
        MeasureEnd::of(rules, world, one)?,
        MeasureEnd::of(rules, world, other)?,
    );
    let far = ends.0.distance(&ends.1, rules, world);
    let length = far.map(|far| match rules.plane() {
        Some(table) => format!("{} {}", length_text(far), table.unit),
        None => counted(far as usize, "step"),
    });
    let mut text = match &length {
        Some(length) => format!("{one} to {other}: {length}"),
        None => format!("{one} and {other} cannot be measured"),
    };
    let mut word = length.unwrap_or_default();
    let find = |name: &str| rules.parse_unit_name(name).and_then(|n| world.find(n));
    let units = match ends {
        (MeasureEnd::Unit(_), MeasureEnd::Unit(_)) if rules.plane().is_some() => find(one).zip(find(other)),
        _ => None,
    };
    let looks = units.is_some();
    if let Some((a, b)) = units {
        let values = [("one", ValueView::Unit(a)), ("other", ValueView::Unit(b))];
        let sight = play.on_view(viewer, |runtime| {
            runtime.evaluate_with("sight(one, other)", &values)
        })?;
        let sight = match sight {
            ValueView::Text(sight) => sight,
            _ => String::new(),
        };
        let sight = match sight.as_str() {
            "partly" => "partly hidden",
            "hidden" => "wholly hidden",
            _ => "in free sight",
        };
        // What a game's own rule makes of it is its own affair.
        text += &format!("; by lines of sight alone {other} is {sight} to {one}");
        word += &format!(", {sight}");
        let without = UnitSet::one(a) | UnitSet::one(b);
        let between = between(rules, world, (a, b), &without);
        if !between.is_empty() {
            text += &format!("; in between: {}", between.join(", "));
        }
    }
    let bases = (ends.0.base(rules, world), ends.1.base(rules, world));
    let measured = match bases {
        (Some(one), Some(other)) => Some(MeasuredLength {
            one,
            other,
            looks,
            word,
        }),
        _ => None,
    };
    Ok(ReachReport {
        marks: Marks {
            measured,
            ..Marks::default()
        },
        what: text.clone(),
        legend: text,
        cut: false,
    })
}

/// Returns the names of what the straight line between the middles of two bases crosses: first bases, then pieces of
/// terrain.
fn between(rules: &Rules, world: &World, (a, b): (UnitId, UnitId), without: &UnitSet) -> Vec<String> {
    let (Some(from), Some(to)) = (world.point(a), world.point(b)) else {
        return Vec::new();
    };
    let units: Vec<UnitId> = (world.on_board() - without).collect();
    let bases: Vec<Base> = units.iter().filter_map(|u| base_of(rules, world, *u)).collect();
    let pieces: Vec<PlaceId> = world
        .ground()
        .iter()
        .filter(|p| world.piece(*p).is_some())
        .collect();
    let shapes: Vec<Shape> = pieces.iter().filter_map(|p| world.piece(*p).cloned()).collect();
    let scene = Obstacles {
        table: rules.plane().map_or((0, 0), |plane| plane.size),
        bases: &bases,
        shapes: &shapes,
    };
    let named = |by: Obstacle| match by {
        Obstacle::Base(index) => Some(rules.unit_name(world.name(units[index]))),
        Obstacle::Shape(index) => Some(piece_name(&(rules, world), pieces[index])),
        Obstacle::Edge => None,
    };
    scene.between(from, to).into_iter().filter_map(named).collect()
}
