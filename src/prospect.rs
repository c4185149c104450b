//! Where a unit could go and what it could hit, if its step came now.
//!
//! Nothing here is a list of legal moves: the unit's steps are begun as the phases have them, on the board
//! as it is, and the options are read that the rules themselves offer, and what comes of them. Then
//! everything is taken back.

use crate::kernel::choice::{Chosen, Opt};
use crate::kernel::effect::Effect;
use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, PlaceSet, Thing, UnitId, UnitSet, Who};
use crate::kernel::phase::{self, Next};
use crate::kernel::table::{Position, Table};
use crate::kernel::world::World;
use crate::play::{Checkpoint, Play, Progress};

/// How many times the steps of one thing are run at most; what lies beyond is not seen.
const MOST_RUNS: usize = 1_500;
/// How many questions of one step are looked into, one after the other.
const DEEPEST: usize = 4;

/// What a unit, or several, could come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Prospect {
    /// Places to which they could go.
    pub reach: PlaceSet,
    /// Other places that they are offered, such as those that they could aim at.
    pub places: PlaceSet,
    /// Other factions' units that they are offered, or that they would hurt.
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
    let now = play.checkpoint();
    let thing = Thing::Unit(unit);
    let asked_about_it = play.asked(|a| {
        let step = a.request.step.about == a.world.who(thing);
        a.request.step.pick == 0 && (step || a.request.subject == thing)
    });
    let owner = play.table().world.unit(unit).owner;
    if asked_about_it == Some(true) {
        return play.suppose(|play| look(play, owner, thing, &now));
    }
    // Where a faction has the step, it is asked which unit does what.
    let mut all = of_steps(play, owner, thing, thing);
    all.and(of_steps(play, owner, thing, Thing::Faction(owner)));
    // Nobody aims at where it stands, though it may come back there.
    if let Some(place) = play.table().world.place(unit) {
        all.places.remove(place);
    }
    all
}

/// The same for all units of a faction together, and for what comes of the places where they stand.
pub fn of_faction(play: &mut Play, faction: FactionId) -> Prospect {
    let world = seen(play);
    let units = world.on_board() & world.owned(faction);
    let mut all = Prospect::default();
    for unit in units {
        all.and(of_unit(play, unit));
    }
    for place in world.places_of(units) {
        let place = Thing::Place(place);
        all.and(of_steps(play, faction, place, place));
    }
    all
}

/// What steps about something would come to now in all phases, for a thing.
fn of_steps(play: &mut Play, faction: FactionId, thing: Thing, about: Thing) -> Prospect {
    let rules = play.host.rules.clone();
    let now = play.checkpoint();
    let world = seen(play);
    play.suppose(|play| {
        let mut all = Prospect::default();
        for phase in 0..rules.phases.len() as u8 {
            let Some(hook) = phase::step_of(&rules, &world, phase, about) else {
                continue;
            };
            let cursor = now.position.cursor.supposed_in(&rules, &world, phase);
            let next = Next::Step { hook, about };
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
            all.and(look(play, faction, thing, &Checkpoint { position, events }));
        }
        all
    })
}

/// The world as whoever is asked may see it.
fn seen(play: &Play) -> World {
    match play.viewer() {
        Some(viewer) => play.view(viewer),
        None => play.table().world.clone(),
    }
}

/// Plays the step of a checkpoint with every answer that it can have, one after the other. Of a unit,
/// only what its faction is asked about it, or before it comes to that; of a place, whatever is asked.
fn look(play: &mut Play, faction: FactionId, thing: Thing, from: &Checkpoint) -> Prospect {
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
        let table = play.table();
        note(&table, faction, thing, &checkpoint, &mut found);
        if progress != Progress::Asks {
            continue;
        }
        let request = &table.request;
        let mut own = None;
        if let Thing::Unit(unit) = thing {
            if request.asker != faction {
                continue;
            }
            let about = request.step.about == table.world.who(thing) || request.subject == thing;
            if about {
                for option in &request.options {
                    offered(&table.world, unit, *option, &mut found);
                }
            } else if request.subject != Thing::Game || !matches!(request.step.about, Who::Faction(_)) {
                continue;
            }
            // Where it is among those that are offered to its own side, it is the one.
            own = request.options.iter().position(|o| *o == Opt::Unit(unit));
        }
        if checkpoint.position.answers.len() - given < DEEPEST {
            // The last first, so that they are looked at in their order.
            for index in (0..request.options.len()).rev() {
                if own.is_some_and(|own| own != index) {
                    continue;
                }
                let mut next = Checkpoint {
                    position: table.position(),
                    events: checkpoint.events,
                };
                next.position.answers.push(table.answer_of(index, false));
                waiting.push(next);
            }
        } else {
            found.cut = true;
        }
    }
    // A place to which it can go is no place to aim at.
    found.places = found.places - found.reach;
    found
}

/// What a run of a step shows: where the unit has come to, what it was offered as the only option, and
/// whom it has hurt, or would when the phase ends.
fn note(table: &Table, faction: FactionId, thing: Thing, from: &Checkpoint, found: &mut Prospect) {
    let world = &table.world;
    let about = world.who(thing);
    if let Thing::Unit(unit) = thing
        && let Some(place) = world.place(unit)
        && Some(place) != from.position.world.place(unit)
    {
        found.reach.insert(place);
    }
    for event in table.events.iter().skip(from.events) {
        match event {
            Event::Chose(answer)
                if answer.only && (answer.step.about == about || answer.subject == about) =>
            {
                let option = match answer.chosen {
                    Chosen::Unit(name) => world.find(name).map(Opt::Unit),
                    Chosen::Other(option) => Some(option),
                };
                if let (Thing::Unit(unit), Some(option)) = (thing, option) {
                    offered(world, unit, option, found);
                }
            }
            Event::Changed {
                who: Who::Unit(name),
                slot,
                from,
                to,
                ..
            } if name.owner != faction && to < from && table.rules.is_vital(*slot as usize) => {
                if let Some(unit) = world.find(*name) {
                    found.targets.insert(unit);
                }
            }
            _ => {}
        }
    }
    // What was gathered before this step is no doing of it.
    for gathered in table.gathered.iter().skip(from.position.gathered.len()) {
        let (unit, slot, loses) = match gathered.effect {
            Effect::Add(Thing::Unit(unit), slot, by) => (unit, slot, by < 0),
            Effect::Set(Thing::Unit(unit), slot, to) => {
                let now = world.slot(&table.rules, Thing::Unit(unit), slot as usize);
                (unit, slot, to < now)
            }
            _ => continue,
        };
        if loses && world.unit(unit).owner != faction && table.rules.is_vital(slot as usize) {
            found.targets.insert(unit);
        }
    }
}

fn offered(world: &World, unit: UnitId, option: Opt, found: &mut Prospect) {
    match option {
        Opt::Place(place) if world.place(unit) != Some(place) => found.places.insert(place),
        Opt::Unit(target) if world.unit(target).owner != world.unit(unit).owner => {
            found.targets.insert(target);
        }
        _ => {}
    }
}
