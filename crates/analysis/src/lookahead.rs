//! Places that a unit could reach and targets that it could hit, if its step came now.
//!
//! Nothing here is a list of legal moves: the unit's steps are begun as the phases have them, on the board
//! as it is, and the options are read that the rules themselves offer, and what comes of them. Dice that are
//! not rolled yet show all that they can: what could be is the same with every seed. Then everything is taken
//! back.

use crate::kernel::choice::OfferedOption;
use crate::kernel::dice::{Pool, RollKey};
use crate::kernel::effect::Effect;
use crate::kernel::event::Event;
use crate::kernel::ground::Region;
use crate::kernel::ids::{FactionId, PlaceId, PlaceSet, RecordedThing, Thing, UnitId, UnitSet};
use crate::kernel::phase::{EachKind, PhaseBody, sets_up};
use crate::kernel::schedule::{self, NextStep};
use crate::kernel::spot::Point;
use crate::kernel::table::{Answerer, PendingRoll, Question, Reply, Table};
use crate::kernel::world::World;
use crate::odds::chances::Fraction;
use crate::odds::throws::{self, RollTables};
use crate::odds::whole::WholePhase;
use crate::play::{Checkpoint, Play, Progress};
use crate::report::Problem;
use crate::work::Task;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// Maximum number of runs of the steps of one thing; results beyond it are not seen.
const MOST_RUNS: usize = 1_500;
/// Maximum number of successive questions of one step that are explored.
const DEEPEST: usize = 4;
/// Maximum number of results of one roll that are explored; of a roll with more, only the lowest and the highest are.
const MOST_RESULTS: u64 = 100;

/// Possible actions of one or several units.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lookahead {
    /// Places to which they could go.
    pub reach: PlaceSet,
    /// For each of those, how likely it is at best that the dice leave whoever goes there standing there.
    pub stands: WeightedPlaces,
    /// Those of them where the dice can let whoever goes there fall.
    pub falls: PlaceSet,
    /// Spots of a table top to which they could go: those that are proposed.
    pub spots: BTreeSet<Point>,
    /// Other places that they are offered, such as those that they could aim at.
    pub places: PlaceSet,
    /// Other factions' units that they are offered, or that they would hurt.
    pub targets: UnitSet,
    /// All the spots to which a unit could go from where it stands.
    pub regions: Vec<Arc<dyn Region>>,
    /// Whether there was too much to look at all of it.
    pub cut: bool,
    /// Whether others are asked on the way: what comes of each of their answers is in here.
    pub answered: bool,
    /// Whether none of them has a step of its own now, while the game has steps that are about no unit.
    pub led: bool,
    /// First problem of rules that failed, if any.
    pub failed: Option<Box<Problem>>,
}

/// Places with chances.
pub type WeightedPlaces = BTreeMap<PlaceId, Fraction>;

impl Lookahead {
    /// The places where dice decide whether whoever goes there stands there in the end, and how likely it is.
    /// Nothing where not everything was looked at.
    pub fn risks(&self) -> impl Iterator<Item = (PlaceId, &Fraction)> {
        let risky = self
            .stands
            .iter()
            .filter(|(_, c)| !self.cut && c.above != c.below);
        risky.map(|(place, chance)| (*place, chance))
    }

    /// Returns the problem if rules failed and nothing was found.
    pub fn why_nothing(&self) -> Option<&Problem> {
        let places = self.reach.is_empty() && self.places.is_empty() && self.spots.is_empty();
        let nothing = places && self.targets.is_empty() && self.regions.is_empty();
        self.failed.as_deref().filter(|_| nothing)
    }

    fn and(&mut self, other: Lookahead) {
        best_of(&mut self.stands, other.stands);
        self.reach = &self.reach | other.reach;
        self.places = &self.places | other.places;
        self.spots.extend(other.spots);
        self.targets = &self.targets | other.targets;
        for region in other.regions {
            self.leads_to(&region);
        }
        self.falls = &self.falls | other.falls;
        self.cut |= other.cut;
        self.answered |= other.answered;
        self.failed = self.failed.take().or(other.failed);
    }

    /// Notes a region, unless another has all of it.
    fn leads_to(&mut self, region: &Arc<dyn Region>) {
        if !self.regions.iter().any(|known| known.covers(region.as_ref())) {
            self.regions.retain(|known| !region.covers(known.as_ref()));
            self.regions.push(Arc::clone(region));
        }
    }
}

/// Finds the options of a unit: those of the waiting question if it concerns the unit, else those of its steps in all
/// phases as if they came now. Uses nothing hidden from the asked faction.
pub fn of_unit(play: &mut Play, unit: UnitId) -> Lookahead {
    let now = play.checkpoint();
    let thing = Thing::Unit(unit);
    let asked_about_it = play.with_question(|a| {
        let step = a.request.step.about == a.world.who(thing);
        a.request.step.pick == 0 && (step || a.request.subject == thing)
    });
    let owner = play.table().world.unit(unit).owner;
    if asked_about_it == Some(true) {
        let rolls = play.rolls_seen();
        let start = LookaheadStart::of_now(play);
        return play.suppose(|play| look(play, owner, thing, &now, start, &rolls));
    }
    // Where a faction has the step, it is asked which unit does what.
    let mut all = of_steps(play, owner, thing, thing);
    all.and(of_steps(play, owner, thing, Thing::Faction(owner)));
    // Nobody aims at where it stands, though it may come back there.
    if let Some(place) = play.table().world.place(unit) {
        all.places.remove(place);
    }
    let own = [thing, Thing::Faction(owner)];
    all.led = has_steps_of_the_game(play) && own.iter().all(|about| steps_supposed(play, *about).is_empty());
    all
}

/// The same for all units of a faction together, and for what comes of the places where they stand.
pub fn of_faction(play: &mut Play, faction: FactionId) -> Lookahead {
    let world = play.view().world().into_owned();
    let units = world.on_board() & world.owned(faction);
    let mut all = Lookahead::default();
    let mut led = !units.is_empty();
    for unit in &units {
        let one = of_unit(play, unit);
        led &= one.led;
        all.and(one);
    }
    all.led = led;
    for place in world.places_of(units) {
        let place = Thing::Place(place);
        all.and(of_steps(play, faction, place, place));
    }
    all
}

/// Whether the game itself has steps once it is set up: what they do with units, nobody else is asked.
fn has_steps_of_the_game(play: &Play) -> bool {
    let phases = &play.ruleset().rules.phases;
    let of_game = |work: &PhaseBody| {
        matches!(
            work,
            PhaseBody::Each {
                kind: EachKind::Game,
                ..
            }
        )
    };
    (0..phases.len()).any(|phase| of_game(&phases[phase].work) && !sets_up(phases, phase as u8))
}

/// Returns the prospect of a thing from all steps about `about`, in all phases as if they came now.
fn of_steps(play: &mut Play, faction: FactionId, thing: Thing, about: Thing) -> Lookahead {
    let steps = steps_supposed(play, about);
    play.suppose(|play| {
        let mut all = Lookahead::default();
        for step in steps {
            let start = LookaheadStart {
                world: step.position.world.clone(),
                events: step.events,
                gathered: 0,
            };
            all.and(look(play, faction, thing, &step, start, &[]));
        }
        all
    })
}

/// The steps about something as the phases have them, at their beginning, as if they came now.
pub(crate) fn steps_supposed(play: &Play, about: Thing) -> Vec<Checkpoint> {
    let rules = &play.ruleset().rules;
    let now = play.checkpoint();
    let world = play.view().world().into_owned();
    let step = |phase| {
        let hook = schedule::step_of(rules, &world, phase, about)?;
        let cursor = now.position.cursor.supposed_in(rules, &world, phase);
        let next = NextStep::Step { hook, about };
        let position = now.position.supposed(world.clone(), cursor, next);
        Some(Checkpoint::new(position, now.events))
    };
    (0..rules.phases.len() as u8).filter_map(step).collect()
}

/// Plays the step of a checkpoint with every answer that it can have, one after the other, and with all that its
/// dice can show after those that were `seen`. Of what a unit's faction is asked, only what is about the unit, or comes
/// before that; of a place, whatever is asked.
fn look(
    play: &mut Play,
    faction: FactionId,
    thing: Thing,
    from: &Checkpoint,
    start: LookaheadStart,
    rolls: &[Pool],
) -> Lookahead {
    let mut looking = LookaheadContext {
        course: play.work().begin("steps tried", None),
        play,
        faction,
        thing,
        given: from.position.answers.len(),
        start,
        runs: MOST_RUNS,
        known: RollTables::default(),
        found: Lookahead::default(),
    };
    let destinations = looking.after(from.clone(), &mut rolls.to_vec());
    let mut found = looking.found;
    for place in destinations.keys() {
        found.reach.insert(*place);
    }
    found.stands = destinations;
    // A place to which it can go is no place to aim at.
    found.places = &found.places - &found.reach;
    found
}

/// From where somebody looks ahead: what has happened by then is no prospect.
struct LookaheadStart {
    world: World,
    /// Number of recorded events.
    events: usize,
    /// Number of effects that wait for the end of a simultaneous phase.
    gathered: usize,
}

impl LookaheadStart {
    /// From the question that waits.
    fn of_now(play: &Play) -> Self {
        let table = play.table();
        Self {
            world: table.world.clone(),
            events: table.events.len(),
            gathered: table.gathered.len(),
        }
    }
}

struct LookaheadContext<'a> {
    play: &'a mut Play,
    faction: FactionId,
    thing: Thing,
    /// Number of answers given earlier in the step.
    given: usize,
    start: LookaheadStart,
    runs: usize,
    known: RollTables,
    found: Lookahead,
    course: Task,
}

impl LookaheadContext<'_> {
    /// Runs the step with these answers and these throws of its dice, and on from there; where the unit can come
    /// to stand by it.
    fn after(&mut self, checkpoint: Checkpoint, thrown: &mut Vec<Pool>) -> WeightedPlaces {
        if self.runs == 0 || self.course.is_stopped() {
            self.found.cut = true;
            return WeightedPlaces::new();
        }
        self.runs -= 1;
        self.course.step();
        self.play.go_to(&checkpoint);
        let cup = Rc::new(RefCell::new(LookaheadDice {
            thrown: thrown.clone(),
            rolled: 0,
            next: None,
        }));
        self.play.set_source(Box::new(ThrowAnswers(Rc::clone(&cup))));
        let progress = self.play.advance();
        self.play.clear_source();
        let next = cup.borrow().next;
        if let Some((dice, sides)) = next {
            return self.throw(&checkpoint, thrown, dice, sides);
        }
        let table = self.play.table();
        let thing = self.thing;
        note(table, self.faction, thing, &self.start, &mut self.found);
        let mut destinations = standing_places(table, thing, &self.start);
        let falls = destinations
            .iter()
            .filter(|(_, chance)| chance.above == WholePhase::ZERO);
        falls.for_each(|(place, _)| self.found.falls.insert(*place));
        match progress {
            Progress::Asks => {}
            Progress::Failed(problem) => {
                self.found.failed.get_or_insert(problem);
                return destinations;
            }
            _ => return destinations,
        }
        let request = &table.request;
        let mut own = None;
        if let Thing::Unit(unit) = thing {
            let about = request.step.about == table.world.who(thing) || request.subject == thing;
            if request.asker != self.faction {
                self.found.answered = true;
            } else if about {
                if let Some(region) = request.options.region()
                    && region.moves()
                    && Some(region.base().at) == self.start.world.point(unit)
                {
                    self.found.leads_to(region);
                }
                for option in request.options.iter() {
                    let things = request.options.things_of(option);
                    let things: Vec<OfferedOption> =
                        things.into_iter().flat_map(OfferedOption::things).collect();
                    note_option(&table.world, unit, &things, &mut self.found);
                }
            } else if request.subject != Thing::Game
                || !matches!(request.step.about, RecordedThing::Faction(_))
            {
                return destinations;
            }
            // Where it is among those that are offered to its own side, it is the one.
            if request.asker == self.faction {
                own = request
                    .options
                    .iter()
                    .position(|o| o == OfferedOption::Unit(unit));
            }
        }
        if checkpoint.position.answers.len() - self.given >= DEEPEST {
            self.found.cut = true;
            return destinations;
        }
        let answered: Vec<Checkpoint> = (0..request.options.len())
            .filter(|index| own.is_none_or(|own| own == *index))
            .filter_map(|index| {
                let mut position = table.position();
                position.answers.push(table.answer_by(&Reply::Take(index))?);
                let events = checkpoint.events;
                Some(Checkpoint::new(position, events))
            })
            .collect();
        for next in answered {
            best_of(&mut destinations, self.after(next, thrown));
        }
        destinations
    }

    /// The same with every result that the next roll can have.
    fn throw(
        &mut self,
        from: &Checkpoint,
        thrown: &mut Vec<Pool>,
        dice: usize,
        sides: i64,
    ) -> WeightedPlaces {
        let all = if throws::count(dice, sides).is_some_and(|all| all <= MOST_RESULTS) {
            self.known.of(dice, sides).all.clone()
        } else {
            self.found.cut = true;
            let alike = |value| Pool::new(&vec![value; dice]).map(|pool| (pool, 1));
            [alike(1), alike(sides)].into_iter().flatten().collect()
        };
        let of = WholePhase::from(all.iter().map(|(_, ways)| ways).sum::<u64>());
        let mut destinations = WeightedPlaces::new();
        for (pool, ways) in all {
            thrown.push(pool);
            for (place, chance) in self.after(from.clone(), thrown) {
                let above = chance.above.times(&WholePhase::from(ways));
                let part = Fraction::new(&above, &chance.below.times(&of));
                let sum = destinations
                    .get(&place)
                    .map_or_else(|| part.clone(), |sum: &Fraction| sum.plus(&part));
                destinations.insert(place, sum);
            }
            thrown.pop();
        }
        destinations
    }
}

/// Takes the better chance of each place.
fn best_of(destinations: &mut WeightedPlaces, others: WeightedPlaces) {
    for (place, chance) in others {
        let better = |known: &Fraction| known.above.times(&chance.below) >= chance.above.times(&known.below);
        if !destinations.get(&place).is_some_and(better) {
            destinations.insert(place, chance);
        }
    }
}

/// Returns the place that the unit has reached for sure in a run of the step; empty if the unit came there only to
/// fall.
fn standing_places(table: &Table, thing: Thing, from: &LookaheadStart) -> WeightedPlaces {
    let Thing::Unit(unit) = thing else {
        return WeightedPlaces::new();
    };
    let (place, chance) = match table.world.place(unit) {
        Some(place) => (Some(place), WholePhase::ONE),
        None => {
            let name = from.world.name(unit);
            let new = table.events.iter().skip(from.events).rev();
            let came = new.filter_map(Event::arrival).find(|(unit, ..)| *unit == name);
            let came = came.and_then(|(_, _, to)| to.place());
            (came, WholePhase::ZERO)
        }
    };
    let place = place.filter(|place| Some(*place) != from.world.place(unit));
    let destinations = place.map(|place| (place, Fraction::new(&chance, &WholePhase::ONE)));
    destinations.into_iter().collect()
}

/// The dice of a run: those that were seen or are thrown here, then none.
struct LookaheadDice {
    thrown: Vec<Pool>,
    rolled: usize,
    /// The first roll of which nobody has said what it shows: how many dice of how many sides.
    next: Option<(usize, i64)>,
}

struct ThrowAnswers(Rc<RefCell<LookaheadDice>>);

impl Answerer for ThrowAnswers {
    fn answer(&mut self, _: &Question<'_>) -> Reply {
        Reply::Wait
    }

    fn rolls(&mut self, roll: &PendingRoll<'_>) -> Option<Pool> {
        if roll.throw {
            // One of all: nobody can look at each, and the seed's own is not to be told.
            let key = RollKey::new(0).with_text(roll.label);
            return Some(Pool::roll(key, roll.dice, roll.sides));
        }
        let mut cup = self.0.borrow_mut();
        let thrown = cup.thrown.get(cup.rolled).cloned();
        cup.rolled += 1;
        if thrown.is_none() && cup.next.is_none() {
            cup.next = Some((roll.dice, roll.sides));
        }
        thrown
    }
}

/// Adds the results of one run of a step: the only option that the unit was offered, and the units that it has hurt or
/// would hurt when the phase ends.
fn note(table: &Table, faction: FactionId, thing: Thing, from: &LookaheadStart, found: &mut Lookahead) {
    let world = &table.world;
    let about = world.who(thing);
    for event in table.events.iter().skip(from.events) {
        match event {
            Event::Chose(answer)
                if answer.only
                    && answer.asker == faction
                    && (answer.step.about == about || answer.subject == about) =>
            {
                let option = answer.chosen.map(|name| world.find(name));
                if let (Thing::Unit(unit), Some(option)) = (thing, option) {
                    let things: Vec<OfferedOption> = option.things().collect();
                    note_option(world, unit, &things, found);
                }
            }
            Event::Changed {
                who: RecordedThing::Unit(name),
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
    for gathered in table.gathered.iter().skip(from.gathered) {
        let (unit, slot, loses) = match gathered.effect {
            Effect::Add(Thing::Unit(unit), slot, by) => (unit, slot, by < 0),
            Effect::Set(Thing::Unit(unit), slot, to) => {
                let now = world.slot(Thing::Unit(unit), slot as usize);
                (unit, slot, to < now)
            }
            _ => continue,
        };
        if loses && world.unit(unit).owner != faction && table.rules.is_vital(slot as usize) {
            found.targets.insert(unit);
        }
    }
}

/// Notes where a unit can go and on whom it can act by an option, if that is one of the unit's.
fn note_option(world: &World, unit: UnitId, things: &[OfferedOption], found: &mut Lookahead) {
    let own = |thing: &OfferedOption| matches!(*thing, OfferedOption::Unit(one) if world.unit(one).owner == world.unit(unit).owner);
    let several = things.len() > 1;
    if several && things.iter().any(own) && !things.contains(&OfferedOption::Unit(unit)) {
        return;
    }
    for &thing in things {
        match thing {
            OfferedOption::Place(place) if world.place(unit) != Some(place) => found.places.insert(place),
            OfferedOption::Point(spot) => drop(found.spots.insert(spot)),
            OfferedOption::Unit(target) if !own(&thing) => found.targets.insert(target),
            _ => {}
        }
    }
}
