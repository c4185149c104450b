//! Pictures of the choices in a game on a table top: where a unit could go, and what it saw of the units that it could
//! choose. Its questions are asked once more, and nothing is answered.

use crate::kernel::choice::{Answer, NamedOption, OfferedOption};
use crate::kernel::event::Event;
use crate::kernel::ids::{RecordedThing, UnitId};
use crate::picture::drawn_plane::DrawnPlane;
use crate::picture::plane::Overlay;
use crate::picture::scene::Scene;
use crate::picture::{self, scene::SceneInput};
use crate::play::{Play, Progress};
use crate::reach_report;
use crate::render::Marks;
use std::collections::BTreeMap;

/// Returns what is drawn over the board at the choices of a play, by the numbers of their events.
pub fn of(play: &mut Play) -> BTreeMap<usize, Vec<Overlay>> {
    if DrawnPlane::of(&play.ruleset().rules).is_none_or(|table| !table.edge.is_empty()) {
        return BTreeMap::new();
    }
    // What was asked under other rules than now cannot be asked again.
    let first = play.chapters().last().map_or(0, |chapter| chapter.from_event);
    let events = play.events();
    let chosen = events
        .iter()
        .enumerate()
        .skip(first)
        .filter_map(|(number, event)| match event {
            Event::Chose(answer) if matches!(answer.chosen, NamedOption::Point(_) | NamedOption::Unit(_)) => {
                Some((number, *answer))
            }
            _ => None,
        });
    let drawn = chosen.filter_map(|(number, answer)| Some((number, at(play, number, &answer)?)));
    drawn.collect()
}

/// Returns what is drawn for this answer; nothing if the question is not asked again.
fn at(play: &mut Play, number: usize, answer: &Answer) -> Option<Vec<Overlay>> {
    let mut checkpoint = play.checkpoint_before(number)?;
    let answers = &mut checkpoint.position.answers;
    let given = answers.iter().position(|given| given == answer);
    answers.truncate(given?);
    play.suppose(|play| {
        play.go_to(&checkpoint);
        let asks = matches!(play.advance(), Progress::Asks);
        asks.then(|| marked(play, answer)).flatten()
    })
}

/// Returns the drawing of the question that waits, if it is the one of this answer.
fn marked(play: &mut Play, answer: &Answer) -> Option<Vec<Overlay>> {
    let (region, units) = play.with_question(|a| {
        let request = a.request;
        let same = (request.asker, request.label, request.nth) == (answer.asker, answer.label, answer.nth);
        let units = request.options.iter().filter_map(|option| match option {
            OfferedOption::Unit(unit) => Some(unit),
            _ => None,
        });
        same.then(|| (request.options.region().cloned(), units.collect::<Vec<_>>()))
    })??;
    let rules = play.ruleset().rules.clone();
    let world = play.table().world.clone();
    let mut all = vec![Marks {
        ranges: region.iter().map(|region| region.mover()).collect(),
        regions: region.iter().cloned().collect(),
        ..Marks::default()
    }];
    // What is said of nobody is about whom the step is about.
    let about = match answer.subject {
        RecordedThing::Game => answer.step.about,
        subject => subject,
    };
    if let (None, RecordedThing::Unit(subject)) = (region, about) {
        let there = |unit: &UnitId| world.is_on_board(*unit);
        let own = world.find(subject).filter(there)?;
        let name = |unit| rules.unit_name(world.name(unit));
        let visible = units.into_iter().filter(|unit| *unit != own && there(unit));
        all = visible
            .filter_map(|unit| reach_report::measure(play, None, &world, [&name(own), &name(unit)]).ok())
            .map(|found| found.marks)
            .collect();
    }
    let mut scene = Scene::of(&SceneInput::position(&rules, &play.table().words, &world));
    let mut drawn = Vec::new();
    for marks in &all {
        picture::point_out(&mut scene, &rules, &world, marks);
        drawn.append(&mut scene.over);
    }
    Some(drawn).filter(|drawn| !drawn.is_empty())
}
