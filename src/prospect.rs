//! Where a unit could go and what it could hit, if its step came now.
//!
//! Nothing here is a list of legal moves: the unit's steps are begun as the phases have them, on the board
//! as it is, and the options are read that the rules themselves offer. Then everything is taken back.

use crate::kernel::choice::{Chosen, Opt};
use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, PlaceSet, Thing, UnitId, UnitSet, Who};
use crate::kernel::phase::{self, Next};
use crate::kernel::table::Position;
use crate::kernel::world::World;
use crate::play::{Checkpoint, Play, Progress};

/// How many times the steps of one unit are run at most; what lies beyond is not seen.
const MOST_RUNS: usize = 1_500;
/// How many questions of one step are looked into, one after the other.
const DEEPEST: usize = 3;

/// What a unit, or several, could come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Prospect {
    /// Places to which they could go.
    pub reach: PlaceSet,
    /// Other places that they are offered, such as those that they could aim at.
    pub places: PlaceSet,
    /// Other factions' units that they are offered.
    pub targets: UnitSet,
    /// Whether there was too much to look at all of it.
    pub cut: bool,
}

impl Prospect {
    fn and(&mut self, other: Prospect) {
        self.reach = self.reach | other.reach;
        self.places = self.places | other.places;
        self.targets = self.targets | other.targets;
        self.cut |= other.cut;
    }
}

/// What is offered to a unit: by the question that waits if that is about it, else by its steps in all
/// phases if they came now. Of what is hidden from whoever is asked, nothing is used.
pub fn of_unit(play: &mut Play, unit: UnitId) -> Prospect {
    let rules = play.host.rules.clone();
    let now = play.checkpoint();
    let asked_about_it = play.asked(|a| {
        let step = a.request.step.about == a.world.who(Thing::Unit(unit));
        a.request.step.pick == 0 && (step || a.request.subject == Thing::Unit(unit))
    });
    if asked_about_it == Some(true) {
        return play.suppose(|play| look(play, unit, &now));
    }
    let world = seen(play);
    play.suppose(|play| {
        let mut all = Prospect::default();
        for phase in 0..rules.phases.len() as u8 {
            let Some(hook) = phase::step_of_unit(&rules, &world, phase, unit) else {
                continue;
            };
            let cursor = now.position.cursor.supposed_in(&rules, &world, phase);
            let next = Next::Step {
                hook,
                about: Thing::Unit(unit),
            };
            let position = Position {
                world: world.clone(),
                cursor,
                next,
                step: cursor.step_id(&rules, next, &world),
                gathered: Vec::new(),
                hidden_start: None,
                answers: Vec::new(),
                ..now.position.clone()
            };
            let events = now.events;
            all.and(look(play, unit, &Checkpoint { position, events }));
        }
        all
    })
}

/// The same for all units of a faction together.
pub fn of_faction(play: &mut Play, faction: FactionId) -> Prospect {
    let world = seen(play);
    let mut all = Prospect::default();
    for unit in world.on_board() & world.owned(faction) {
        all.and(of_unit(play, unit));
    }
    all
}

/// The world as whoever is asked may see it.
fn seen(play: &Play) -> World {
    match play.viewer() {
        Some(viewer) => play.view(viewer),
        None => play.table().world.clone(),
    }
}

/// Plays the step of a checkpoint with every answer that it can have, one after the other.
fn look(play: &mut Play, unit: UnitId, from: &Checkpoint) -> Prospect {
    let mut found = Prospect::default();
    let mut runs = MOST_RUNS;
    let given = from.position.answers.len();
    let mut waiting = vec![from.clone()];
    while let Some(checkpoint) = waiting.pop() {
        if runs == 0 {
            found.cut = true;
            break;
        }
        runs -= 1;
        play.go_to(&checkpoint);
        let progress = play.advance();
        note(play, unit, &checkpoint, &mut found);
        if progress != Progress::Asks {
            continue;
        }
        let owner = play.table().world.unit(unit).owner;
        let asked = play.asked(|a| {
            let step = a.request.step.about == a.world.who(Thing::Unit(unit));
            let own = a.request.asker == owner && (step || a.request.subject == Thing::Unit(unit));
            own.then(|| a.request.options.clone())
        });
        let Some(Some(options)) = asked else { continue };
        for option in &options {
            offered(play, unit, *option, &mut found);
        }
        if checkpoint.position.answers.len() - given < DEEPEST {
            let table = play.table();
            // The last first, so that they are looked at in their order.
            for index in (0..options.len()).rev() {
                let mut next = Checkpoint {
                    position: table.position(),
                    events: checkpoint.events,
                };
                next.position.answers.push(table.answer_of(index, false));
                waiting.push(next);
            }
        }
    }
    // A place to which it can go is no place to aim at.
    found.places = found.places - found.reach;
    found
}

/// What a run of a step shows: where the unit has come to, and what it was offered as the only option.
fn note(play: &Play, unit: UnitId, from: &Checkpoint, found: &mut Prospect) {
    let table = play.table();
    let before = from.position.world.place(unit);
    if let Some(place) = table.world.place(unit)
        && Some(place) != before
    {
        found.reach.insert(place);
    }
    let about = table.world.who(Thing::Unit(unit));
    for event in table.events.iter().skip(from.events) {
        let Event::Chose(answer) = event else { continue };
        let own = answer.only && (answer.step.about == about || answer.subject == about);
        let option = match answer.chosen {
            Chosen::Unit(name) => table.world.find(name).map(Opt::Unit),
            Chosen::Other(option) => Some(option),
        };
        if let (true, Some(option)) = (own && about != Who::Game, option) {
            offered_in(&table.world, unit, option, found);
        }
    }
}

fn offered(play: &Play, unit: UnitId, option: Opt, found: &mut Prospect) {
    offered_in(&play.table().world, unit, option, found);
}

fn offered_in(world: &World, unit: UnitId, option: Opt, found: &mut Prospect) {
    match option {
        Opt::Place(place) if world.place(unit) != Some(place) => found.places.insert(place),
        Opt::Unit(target) if world.unit(target).owner != world.unit(unit).owner => {
            found.targets.insert(target);
        }
        _ => {}
    }
}
