//! The commands that draw: the board as text or as a file, where a unit could go, what a faction could hit.

use super::session::{Reply, Session};
use crate::kernel::choice::Opt;
use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, PlaceId, PlaceSet, UnitId, UnitName, UnitSet};
use crate::kernel::table::Asked;
use crate::odds::chances::Fraction;
use crate::picture;
use crate::picture::file::{self, Format};
use crate::picture::scene::Mark;
use crate::picture::story::Span;
use crate::prospect::{self, Prospect};
use crate::render::Marks;
use crate::report::{Problem, Problems, hint_for};

/// How large pictures are drawn as PNG: large enough to be read on any screen.
const PNG_SCALE: f64 = 2.0;

impl Session {
    /// What is pointed out on a board that only shows the position: who moved last.
    pub(super) fn marks(&self) -> Marks {
        let viewer = self.viewer();
        let events: Vec<Event> = self.play.record(viewer).into_iter().map(|(_, e)| e).collect();
        let rules = &self.play.host.rules;
        let world = self.view();
        let moved = Span::Step
            .of(rules, &events)
            .iter()
            .filter_map(|event| match event {
                Event::Moved {
                    unit,
                    from: Some(_),
                    to: Some(_),
                    ..
                } => world.find(*unit),
                _ => None,
            });
        let mut marks = Marks {
            moved: moved.collect(),
            ..Marks::default()
        };
        // Where the game is stopped within a step, its question is yet to come.
        let read = |asked: &Asked<'_>| {
            let (mut places, mut units) = (PlaceSet::EMPTY, UnitSet::EMPTY);
            let options = &asked.request.options;
            let many = options.takes().map_or(&[][..], |_| options.list());
            let each = options.iter().filter(|_| many.is_empty());
            for option in each.chain(many.iter().copied()) {
                for thing in option.things() {
                    match thing {
                        Opt::Place(place) => places.insert(place),
                        Opt::Unit(unit) => units.insert(unit),
                        _ => {}
                    }
                }
            }
            let spots = options.region().map_or(&[][..], |region| region.candidates());
            (places, units, asked.world.ground().clone(), spots.to_vec())
        };
        if !self.is_stopped()
            && let Some((places, units, ground, spots)) = self.play.asked(read)
        {
            marks.spots = spots;
            marks.offered = &places & &ground;
            marks.choices = units;
            // Only tiles can be laid in gaps: whatever is asked, an offered gap is worth seeing.
            marks.gaps = places - ground;
        }
        marks
    }

    /// Writes the board as a picture, with these places and units pointed out; `what` says why.
    fn save_picture(&self, path: &str, marks: &Marks, what: &str) -> Result<String, Problem> {
        let scale = match Format::of(path)? {
            Format::Png => PNG_SCALE,
            Format::Svg => 1.0,
        };
        let mut scene = picture::of_play(&self.play, Span::Phase);
        if let Some(title) = &self.file.title {
            scene.title.clone_from(&title.value);
        }
        let world = self.view();
        let rules = &self.play.host.rules;
        let names = |units: UnitSet| -> Vec<String> {
            units
                .map(|u| world.name(u))
                .map(|n: UnitName| rules.unit_name(n))
                .collect()
        };
        scene.mark(Mark::Reach, marks.reach.clone(), &[]);
        scene.mark(Mark::Threat, marks.threat.clone(), &names(marks.targets.clone()));
        if !marks.reach.is_empty() || !marks.threat.is_empty() || !marks.targets.is_empty() {
            // Arrows of what was would be taken for what could be.
            scene.arrows.clear();
            scene.badges.clear();
        }
        if !what.is_empty() {
            scene.caption.push_str(&format!("; {what}"));
        }
        let (width, height) = file::save(&scene, path, scale)?;
        Ok(format!("wrote {path} ({width} by {height})"))
    }
}

/// `:board [svg|png] [FILE]`.
///
/// # Errors
///
/// A file that is no picture or cannot be written.
pub fn board(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    if args.is_empty() {
        return Ok(Reply::text(session.board()));
    }
    let (word, rest) = args.split_once(' ').unwrap_or((args, ""));
    let rest = rest.trim();
    let path = match [Format::Svg, Format::Png]
        .into_iter()
        .find(|f| f.ending() == word)
    {
        Some(_) if rest.is_empty() => format!("{}.{word}", default_name(session)),
        Some(format) => match Format::of(rest) {
            Ok(other) if other == format => rest.to_owned(),
            Ok(_) => {
                return Err(
                    Problem::new(format!("`{rest}` is not the name of a .{word} file"))
                        .hint(format!("leave out the `{word}`, or end the name in .{word}"))
                        .into(),
                );
            }
            // The format is said already.
            Err(_) => format!("{rest}.{word}"),
        },
        None if args.contains('.') => args.to_owned(),
        None => {
            return Err(Problem::new(format!("`:board {args}` is not understood"))
                .hint("`:board` draws it here; `:board png FILE` and `:board svg FILE` write a picture")
                .into());
        }
    };
    Ok(Reply::text(session.save_picture(&path, &Marks::default(), "")?))
}

/// The name of a picture for which none was given.
fn default_name(session: &Session) -> String {
    let source = &session.file.source.name;
    let stem = source.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    match stem.is_empty() {
        true => session.file.game.value.clone(),
        false => stem.to_owned(),
    }
}

/// `:reach UNIT [FILE]`.
///
/// # Errors
///
/// A name that no unit on the board has; a file that cannot be written.
pub fn reach(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    let (name, path) = args.split_once(' ').unwrap_or((args, ""));
    let unit = unit_on_board(session, name)?;
    let about_it = session.play.asked(|a| {
        let who = a.world.who(crate::kernel::ids::Thing::Unit(unit));
        a.request.step.pick == 0 && a.request.step.about == who
    });
    let found = prospect::of_unit(&mut session.play, unit);
    let marks = Marks {
        reach: found.reach.clone(),
        spots: found.spots.iter().copied().collect(),
        ..Marks::default()
    };
    let when = match about_it {
        Some(true) => "now",
        _ => "if its turn came now",
    };
    let said = match named_places(session, found.reach.clone()) {
        None if !found.spots.is_empty() => {
            let count = found.spots.len();
            format!(
                "{name} can go to {count} spots that are proposed, and to others within its reach, {when}"
            )
        }
        None => format!("{name} can go nowhere {when}; `:why-not {name} PLACE` says why"),
        Some(places) => format!("{name} can go to {places} {when}{}", risks(session, &found, "it")),
    };
    let what = format!("where {name} can go {when}");
    shown(session, (path.trim(), &what), &marks, &said, &found)
}

/// `:threat FACTION [FILE]`.
///
/// # Errors
///
/// A name that no faction has; a file that cannot be written.
pub fn threat(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    let (name, path) = args.split_once(' ').unwrap_or((args, ""));
    let rules = session.play.host.rules.clone();
    let Some(faction) = rules.faction(name) else {
        let names = || rules.factions.iter().map(String::as_str);
        let problem = match name {
            "" => Problem::new("name a faction").hint(format!("such as `:threat {}`", rules.factions[0])),
            _ => Problem::new(format!("there is no faction `{name}`")).hint(hint_for(name, names())),
        };
        return Err(problem.into());
    };
    let found = prospect::of_faction(&mut session.play, faction);
    let marks = Marks {
        reach: found.reach.clone(),
        threat: found.places.clone(),
        spots: found.spots.iter().copied().collect(),
        targets: found.targets.clone(),
        ..Marks::default()
    };
    let world = session.view();
    let targets: Vec<String> = found
        .targets
        .clone()
        .map(|u| rules.unit_name(world.name(u)))
        .collect();
    let hit = match targets.is_empty() {
        true => format!("{name} can hit nobody now"),
        false => format!("{name} can hit {}", targets.join(", ")),
    };
    let aim =
        named_places(session, found.places.clone()).map_or_else(String::new, |p| format!("\nand aim at {p}"));
    let go =
        named_places(session, found.reach.clone()).map_or_else(String::new, |p| format!("\nand go to {p}"));
    let what = format!("what {name} could do now");
    let risks = risks(session, &found, "whoever comes");
    let said = format!("{hit}{aim}{go}{risks}");
    shown(session, (path.trim(), &what), &marks, &said, &found)
}

/// The marked board with a sentence, or the picture of it.
fn shown(
    session: &Session,
    (path, what): (&str, &str),
    marks: &Marks,
    said: &str,
    found: &Prospect,
) -> Result<Reply, Problems> {
    let mut reply = Reply::default();
    match path {
        "" => reply.say(session.draw_marked(marks)),
        path => reply.say(session.save_picture(path, marks, what)?),
    }
    reply.say(crate::repl::show::wrapped(said, session.style.width));
    if found.cut {
        reply.say("(there was too much to look at all of it)");
    }
    Ok(reply)
}

/// A line for each place where dice decide whether who comes there stands there.
fn risks(session: &Session, found: &Prospect, who: &str) -> String {
    let board = &session.play.host.rules.board;
    let line = |(place, chance): (PlaceId, &Fraction)| {
        let (place, cent) = (board.name(place), chance.per_cent());
        format!("\nin {place} the dice leave {who} standing with a chance of {chance} ({cent})")
    };
    found.risks().map(line).collect()
}

fn named_places(session: &Session, places: PlaceSet) -> Option<String> {
    let board = &session.play.host.rules.board;
    let names: Vec<&str> = places.map(|p| board.name(p)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The unit of that name, where it may be seen on the board.
fn unit_on_board(session: &Session, name: &str) -> Result<UnitId, Problem> {
    let rules = &session.play.host.rules;
    let world = session.view();
    let found = rules.parse_unit_name(name).and_then(|n| world.find(n));
    let factions = (0..rules.factions.len()).map(|f| FactionId(f as u8));
    let known: Vec<String> = factions
        .flat_map(|f| world.owned(f) & world.on_board())
        .map(|u| rules.unit_name(world.name(u)))
        .collect();
    match found {
        Some(unit) if world.is_on_board(unit) => Ok(unit),
        Some(_) => Err(Problem::new(format!("{name} is not on the board"))
            .hint(hint_for(name, known.iter().map(String::as_str)))),
        None if name.is_empty() => Err(Problem::new("name a unit").hint(match known.first() {
            Some(unit) => format!("such as `:reach {unit}`"),
            None => "there is none on the board yet".to_owned(),
        })),
        None => Err(Problem::new(format!("there is no unit `{name}`"))
            .hint(hint_for(name, known.iter().map(String::as_str)))),
    }
}
