//! Pictures of boards: to paste into a rulebook, a forum thread or a page.
//!
//! | part | |
//! |---|---|
//! | [`scene`] | what a picture shows, in plain geometry: cells, units, reserves, marks |
//! | [`story`] | what happened last, as arrows and badges, read from the events |
//! | [`ground`] | where the cells of a board lie, and where units stand in them |
//! | [`dice`] | dice in an arena, as they lie and as they were thrown |
//! | [`plane`] | what is drawn over a table top: reach, ranges, what is measured, spots |
//! | [`svg`] | a scene as SVG |
//! | [`png`] | SVG as PNG, with the fonts that the program brings along |
//! | [`chart`] | numbers with their intervals, as SVG and for the terminal |
//! | [`file`] | a scene as a file, by the ending of its name |
//!
//! A scene is made from rules, a world and events alone; the other parts know scenes only. Nothing here
//! reads a clock, a file or a system font: the same game gives the same bytes everywhere.

pub mod chart;
pub mod dice;
pub mod drawn_plane;
pub mod file;
pub mod ground;
pub mod ink;
pub mod plane;
#[cfg(not(target_family = "wasm"))]
pub mod png;
#[cfg(target_family = "wasm")]
#[path = "no_png.rs"]
pub mod png;
mod problems;
pub mod scene;
pub mod story;
pub mod svg;

use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, PlaceSet, UnitName};
use crate::kernel::rules::Rules;
use crate::kernel::scene::base_of;
use crate::kernel::spot::{self, Spot};
use crate::kernel::table::Table;
use crate::kernel::world::World;
use crate::play::Play;
use crate::render::Marks;
use crate::rules::run::view::ValueView;
use dice::ThrowScene;
use plane::Overlay;
use scene::{Scene, SceneInput, Tint};
use story::{BentLine, Span};

/// The picture of a play as it stands, with so much of its past as arrows, as whoever is asked or acts
/// may see it: within a hidden phase, without what the others did in it. Its caption says where the game
/// stands; it has no title.
pub fn of_play(play: &mut Play, span: Span) -> Scene {
    let (viewer, world) = (play.view().faction(), play.view().world().into_owned());
    let mut scene = of_view(play, viewer, &world, span, PlaceSet::EMPTY);
    scene.offer(play.table());
    scene
}

/// The same as this faction may see it, or with all secrets, in a world that whoever looks has made of it; with
/// room for these places, whatever is there, and without what is offered.
pub fn of_view(
    play: &mut Play,
    viewer: Option<FactionId>,
    world: &World,
    span: Span,
    room: PlaceSet,
) -> Scene {
    let record = play.table().view(viewer).events();
    let record = record.map(|(index, event)| (index, event.into_owned())).collect();
    of_record(play, viewer, world, record, span, room)
}

/// The same with a record of what has happened.
fn of_record(
    play: &mut Play,
    viewer: Option<FactionId>,
    world: &World,
    record: Vec<(usize, Event)>,
    span: Span,
    room: PlaceSet,
) -> Scene {
    let (numbers, events): (Vec<usize>, Vec<Event>) = record.into_iter().unzip();
    let selected = span.of(&play.ruleset().rules, &events);
    // A way around what one may not see would betray it.
    let numbered = numbers[events.len() - selected.len()..]
        .iter()
        .copied()
        .zip(selected);
    let (ways, threw) = match viewer {
        None => (ways(play, numbered.clone()), last_throw(play, numbered)),
        Some(_) => (Vec::new(), None),
    };
    let table = play.table();
    let mut scene = Scene::of(&SceneInput {
        rules: &table.rules,
        words: &table.words,
        world,
        events: selected,
        ways: &ways,
        threw: threw.as_ref(),
        room,
    });
    scene.caption = when(table, &events);
    if let Some(viewer) = viewer {
        let name = &table.rules.factions[viewer.index()];
        scene.caption.push_str(&format!(", as {name} sees it"));
    }
    scene
}

/// The picture of a play as it stood when the step of the event of this index was over; `None` where that
/// is no longer known. What was secret then may be seen now only if it is secret no longer.
pub fn of_past(play: &mut Play, event: usize, span: Span) -> Option<Scene> {
    let Some(checkpoint) = play.checkpoint_after(event) else {
        // No step has begun since.
        let last_known = play.trail().last().is_some_and(|c| c.events <= event);
        return last_known.then(|| of_play(play, span));
    };
    if play.view().since().is_some_and(|since| since < checkpoint.events) {
        return None;
    }
    let view = play.view();
    let record = view.events().take_while(|(index, _)| *index < checkpoint.events);
    let record = record.map(|(index, event)| (index, event.into_owned())).collect();
    let viewer = view.faction().filter(|_| view.has_lasting_secrets());
    let world = checkpoint
        .position
        .view(&play.table().rules, viewer)
        .world()
        .into_owned();
    Some(of_record(play, viewer, &world, record, span, PlaceSet::EMPTY))
}

/// The ways of those of these moves, with their numbers in the record, that led around something: on a table top.
pub fn ways<'e>(play: &mut Play, events: impl Iterator<Item = (usize, &'e Event)>) -> Vec<BentLine> {
    let bent = |(number, event): (usize, &Event)| match event {
        Event::Moved {
            unit,
            from: Some(Spot::Point(from)),
            to: Some(Spot::Point(to)),
            ..
        } => Some(BentLine {
            event: number,
            unit: *unit,
            from: *from,
            to: *to,
            by: around(play, play.world_before(number), *unit, *to)?,
        }),
        _ => None,
    };
    events.filter_map(bent).collect()
}

/// The last throw among these events, with their numbers in the record.
fn last_throw<'e>(play: &Play, events: impl Iterator<Item = (usize, &'e Event)>) -> Option<ThrowScene> {
    let thrown = events.filter(|(_, event)| matches!(event, Event::Threw { .. }));
    let (number, event) = thrown.last()?;
    ThrowScene::of(play, number, event)
}

/// The corners of a unit's way to a spot where no straight line leads there, as the game says what is in its way.
fn around(play: &mut Play, world: World, unit: UnitName, to: spot::Point) -> Option<Vec<spot::Point>> {
    let rules = play.ruleset().rules.clone();
    let base = base_of(&rules, &world, world.find(unit)?)?;
    let far = 4 * base.at.distance(to).max(i64::from(base.diameter));
    let values = [
        ("me", ValueView::Unit(world.find(unit)?)),
        ("far", ValueView::Length(far)),
    ];
    let (walk, _) = play.on_world(world, |play| play.runtime.evaluate_with("walk(me, far)", &values));
    let Ok(ValueView::Region(region)) = walk else {
        return None;
    };
    let way = region.way(to)?;
    (way.len() > 1).then(|| way[..way.len() - 1].to_vec())
}

/// Points out on a picture what marks say.
pub fn point_out(scene: &mut Scene, rules: &Rules, world: &World, marks: &Marks) {
    if *marks != Marks::default() {
        // What was would be taken for what could be.
        scene.arrows.clear();
        scene.badges.clear();
        scene.over.clear();
    }
    let names: Vec<String> = marks
        .targets
        .iter()
        .map(|u| rules.unit_name(world.name(u)))
        .collect();
    scene.mark(Tint::Reach, marks.reach.clone(), &[]);
    scene.mark(Tint::Threat, marks.threat.clone(), &names);
    if let (Some(table), Some(plane)) = (scene.table.clone(), rules.plane()) {
        let owner = |unit| world.unit(unit).owner;
        let areas = marks
            .regions
            .iter()
            .map(|region| Overlay::area(&table, owner(region.mover()), region.as_ref()));
        scene.over.extend(areas);
        for unit in &marks.ranges {
            let base = base_of(rules, world, unit);
            let rings = base
                .into_iter()
                .flat_map(|base| plane.ranges.iter().map(move |range| (base, *range)));
            scene
                .over
                .extend(rings.map(|(base, range)| Overlay::ring(&table, owner(unit), base, range)));
        }
        if let Some(measured) = &marks.measured {
            let ends = (measured.one, measured.other);
            let line = Overlay::line(&table, ends, measured.looks, measured.word.clone());
            scene.over.push(line);
        }
        let is_shown = |at: &spot::Point| marks.regions.iter().any(|region| region.holds(*at));
        let beyond = marks.spots.iter().filter(|at| !is_shown(at));
        scene.over.extend(beyond.map(|at| Overlay::Spot {
            at: table.at(*at),
            number: None,
        }));
    }
}

/// Describes the point in the game after these events, such as `round 2, first turn`.
pub fn when(table: &Table, events: &[Event]) -> String {
    let rules = &table.rules;
    let begun = |event: &Event| match event {
        Event::Phase { phase, iteration } => Some((*phase, *iteration)),
        _ => None,
    };
    let mut parts = Vec::new();
    let name = |phase: u8| rules.phases[phase as usize].name.clone();
    if let Some((phase, iteration)) = events.iter().rev().filter_map(begun).find(|(_, i)| *i > 0) {
        parts.push(format!("{} {iteration}", name(phase)));
    }
    if let Some((phase, 0)) = events.iter().rev().find_map(begun) {
        let nothing_yet = events.last().is_some_and(|e| begun(e).is_some());
        parts.push(match nothing_yet {
            true => format!("before {}", name(phase)),
            false => name(phase),
        });
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::ink;
    use super::scene::Tint;
    use super::story::ArrowKind;
    use super::svg::{PictureExtent, document};
    use super::*;
    use crate::report::Source;
    use crate::rules::workspace::Workspace;
    use crate::stage::run::{self, Overrides, PlayedScenario};

    fn played(text: &str) -> PlayedScenario {
        let opened = run::open(&Source::new("test.toml", text)).expect("it is a scenario");
        let workspace = Workspace::at(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let ran = run::run(&workspace, &opened, &Overrides::default()).expect("it can be played");
        assert!(ran.problems.is_empty(), "{:?}", ran.problems);
        ran
    }

    const CHARGE: &str = "game = \"smalltricks\"
units.red = [\"mounted c2\", \"archers a1\"]
units.blue = [\"spears c4\", \"cannons f6\"]
answers = [\"red.mounted1 c4 blue.spears1\"]
open = \"first\"
";

    #[test]
    fn moves_are_arrows_and_losses_are_badges() {
        let mut ran = played(&format!("{CHARGE}until = \"second turn\""));
        let scene = of_play(&mut ran.play, Span::Phase);
        let ride = scene
            .arrows
            .iter()
            .find(|a| a.unit == "red.mounted1")
            .expect("it rode");
        assert_eq!(ride.kind, ArrowKind::Move);
        let spot = |name: &str| {
            scene
                .cells
                .iter()
                .find(|c| c.name == name)
                .expect("a cell")
                .centre
        };
        assert_eq!(ride.from, spot("c2"));
        assert!(ride.to.distance(spot("c4")) < 60.0);
        let hurt = scene
            .badges
            .iter()
            .find(|b| b.unit == "red.mounted1")
            .expect("it was hurt");
        assert_eq!(hurt.text, "\u{2212}2");
        assert_eq!(scene.caption, "round 1, before second turn");
    }

    #[test]
    fn shots_are_arrows_from_the_shooter_and_the_fallen_stay_where_they_fell() {
        let mut ran = played(
            "game = \"smalltricks\"
units.red = [\"archers a1\"]
units.blue = [\"archers a3 life=1\"]
dials = { \"archers.new_target_penalty\" = 0 }
answers = [\"red.archers1 stay\", \"blue.archers1 stay\", \"volley: blue.archers1\", \"volley: red.archers1\"]
until = \"castle damage\"
",
        );
        let scene = of_play(&mut ran.play, Span::Phase);
        let shots: Vec<&str> = scene.arrows.iter().map(|a| a.word.as_str()).collect();
        assert_eq!(shots, ["volley", "volley"]);
        let fallen: Vec<&str> = scene
            .tokens
            .iter()
            .filter(|t| t.fallen)
            .map(|t| t.name.as_str())
            .collect();
        assert_eq!(fallen, ["blue.archers1"]);
        // Of the position alone, nothing of it is told.
        let alone = of_play(&mut ran.play, Span::None);
        assert!(alone.arrows.is_empty() && alone.badges.is_empty());
        assert!(alone.token("blue.archers1").is_none());
    }

    #[test]
    fn places_are_those_of_the_time_when_it_happened() {
        // Everything is told: the rider was hurt in c4 and has gone on since.
        let mut ran = played(&format!("{CHARGE}until = \"round 3\""));
        let scene = of_play(&mut ran.play, Span::All);
        let ride = scene
            .arrows
            .iter()
            .find(|a| a.unit == "red.mounted1")
            .expect("it rode");
        let c2 = scene
            .cells
            .iter()
            .find(|c| c.name == "c2")
            .expect("a cell")
            .centre;
        assert_eq!(ride.from, c2);
    }

    #[test]
    fn a_hidden_phase_shows_what_the_viewer_may_see() {
        let secret = "game = \"smalltricks\"
dials.faction_size = 2
answers = [\"cannons assault_beasts battery_ram archers spears\", \"muskets aerial militia archers militia\", \"a1 b1\"]
";
        let mut ran = played(secret);
        let viewer = ran.play.view().faction().expect("the set-up is hidden");
        assert_eq!(ran.play.ruleset().rules.factions[viewer.index()], "blue");
        let scene = of_play(&mut ran.play, Span::All);
        assert!(scene.caption.ends_with("as blue sees it"), "{}", scene.caption);
        let (text, _) = document(&scene, PictureExtent::Whole);
        assert!(!text.contains("red.archers1"), "{text}");
        assert!(scene.tokens.is_empty());
        // The detector detects: on the whole table, red stand there.
        let table = ran.play.table();
        let all = Scene::of(&SceneInput::position(&table.rules, &table.words, &table.world));
        assert!(all.token("red.archers1").is_some());
    }

    #[test]
    fn the_same_scene_is_the_same_text_and_can_be_read_as_svg() {
        let mut ran = played(&format!("{CHARGE}until = \"round 2\""));
        let scene = of_play(&mut ran.play, Span::Round);
        let (text, size) = document(&scene, PictureExtent::Whole);
        assert_eq!(
            document(&of_play(&mut ran.play, Span::Round), PictureExtent::Whole),
            (text.clone(), size)
        );
        assert!(png::encode(&text).is_ok());
        let (board, _) = document(&scene, PictureExtent::Board);
        assert!(png::encode(&board).is_ok());
        assert!(board.len() < text.len());
    }

    #[test]
    fn no_name_breaks_a_picture() {
        let mut ran = played(&format!("{CHARGE}until = \"round 2\""));
        let mut scene = of_play(&mut ran.play, Span::Round);
        for odd in [
            "\"><script>",
            "a\u{0}b\u{1b}[31m",
            "]]>&amp;&",
            "\u{fffe}",
            "\u{202e}x",
            "",
        ] {
            scene.title = odd.to_owned();
            scene.caption = odd.to_owned();
            scene.sides[0].name = odd.to_owned();
            scene.tokens[0].name = odd.to_owned();
            scene.tokens[0].symbol = odd.to_owned();
            scene.cells[0].name = odd.to_owned();
            scene.cells[0].features = vec![odd.to_owned()];
            scene.arrows[0].unit = odd.to_owned();
            let (text, _) = document(&scene, PictureExtent::Whole);
            assert!(!text.contains("<script"), "{text}");
            assert!(png::encode(&text).is_ok(), "{odd:?}: {text}");
        }
    }

    #[test]
    fn marks_are_drawn_and_named_in_the_legend() {
        let mut ran = played(&format!("{CHARGE}until = \"second turn\""));
        let mut scene = of_play(&mut ran.play, Span::None);
        let (plain, _) = document(&scene, PictureExtent::Whole);
        assert!(!plain.contains("can be"));
        let board = ran.play.ruleset().rules.board.clone();
        scene.mark(Tint::Reach, board.row(2), &[]);
        scene.mark(Tint::Threat, Default::default(), &["blue.cannons1".to_owned()]);
        let (marked, _) = document(&scene, PictureExtent::Whole);
        assert!(marked.contains("can be reached") && marked.contains("can be hit"));
    }

    #[test]
    fn factions_differ_by_shape_as_well_as_by_colour() {
        let names = [
            "red", "blue", "ravens", "bears", "owls", "hares", "stoats", "eels",
        ];
        let colours = ink::colours(&names);
        for (i, a) in colours.iter().enumerate() {
            assert!(colours[..i].iter().all(|b| a != b));
        }
    }
}
