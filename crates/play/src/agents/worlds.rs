//! Worlds that a faction takes for possible where slots or units are hidden: the same game again, in which what the
//! faction does not see came out otherwise.
//!
//! The game is played again from its start. What the faction has seen answered and rolled is taken from the record;
//! what it has not is drawn. A step that shows something else than was seen is tried again with other draws, and so are
//! steps before it, up to a limit. So a world depends on what the faction sees, and on nothing else.

use super::mcts::{SearchQuestion, asking};
use crate::kernel::choice::{NamedOption, OfferedOption, StepId};
use crate::kernel::dice::{Pool, RollKey, text_hash};
use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, PlaceId, Thing, UnitId, WordId};
use crate::kernel::rules::{Hidden, NOTHING, Rules, Slot};
use crate::kernel::spot::Spot;
use crate::kernel::table::{Answerer, PendingRoll, Question, Reply};
use crate::kernel::world::World;
use crate::play::{Checkpoint, Play, Progress};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Maximum number of draws for the steps that are compared together, and number of those that must fit what is revealed
/// later.
const DRAWS: u64 = 48;
const STRICT: u64 = 32;
/// Maximum number of times that one game goes back to steps before.
const BACK: u64 = 200;
/// Maximum number of games for each world that is wanted.
const GAMES: usize = 8;
/// Maximum number of steps of all games together.
const STEPS: usize = 20_000;

/// Note on an answer that was found without possible worlds.
pub const NONE_FOUND: &str = "; no world was found that fits what it sees, so what is hidden was left out";

/// A world that is possible, at the question that waits.
pub struct PossibleWorld {
    /// Start of the open step, with the answers given in it.
    pub checkpoint: Checkpoint,
    /// Results of its rolls before the question.
    pub seen: Arc<[Pool]>,
    /// The record.
    pub events: Vec<Event>,
}

/// Returns up to so many worlds that fit what the faction has seen, which is asked now. None if nothing is hidden from
/// it whatever the phase, or if no world was found.
pub fn possible(play: &mut Play, asker: FactionId, most: usize) -> Vec<PossibleWorld> {
    let view = play.table().view(Some(asker));
    let question = play.with_question(|a| (asking(a.request, a.world.who(a.request.subject)), options(a)));
    let (Some((root, options)), Some(opening), true) = (question, play.opening(), view.has_lasting_secrets())
    else {
        return Vec::new();
    };
    let rules = Arc::clone(&play.table().rules);
    let since = view.since();
    let mut knowledge = Knowledge {
        events: Vec::new(),
        shown: Vec::new(),
        later: Vec::new(),
        in_phase: usize::MAX,
        asker,
        root,
        options,
    };
    let mut world = opening.position.world.clone();
    let mut seen = view.events().peekable();
    for (index, event) in play.table().events.iter().enumerate() {
        let known = seen.next_if(|(at, _)| *at == index);
        if index < opening.events {
            continue;
        }
        event.redo(&rules, &mut world);
        if let Some((_, event)) = known {
            knowledge.events.push(event.into_owned());
            knowledge.shown.push(shown(&rules, &world, asker));
        }
        if Some(index) == since {
            knowledge.in_phase = knowledge.events.len();
        }
    }
    drop(seen);
    knowledge.look_back();
    const NAME: u64 = text_hash("possible worlds");
    let key = RollKey::new(opening.position.seed ^ NAME).with(knowledge.events.len() as u64);
    let mut search = WorldSearch {
        known: Rc::new(knowledge),
        left: STEPS,
    };
    play.suppose(|play| {
        let record = play.events();
        let mut worlds = Vec::new();
        for game in 0..most * GAMES {
            if worlds.len() == most || search.left == 0 {
                break;
            }
            worlds.extend(search.game(play, &opening, key.with(game as u64)));
        }
        play.table_mut().events = record;
        worlds
    })
}

/// The options of a question, each by its key and its identity.
pub fn options(question: &Question<'_>) -> Vec<(String, u64)> {
    let options = question.request.options.iter();
    options
        .map(|option| (question.key(option), option.identity()))
        .collect()
}

/// Knowledge of the faction that is asked.
struct Knowledge {
    /// The events that it sees, and what it could read after each of them of all that can be hidden.
    events: Vec<Event>,
    shown: Vec<Vec<Option<Vec<i64>>>>,
    /// Its next reading of each of these.
    later: Vec<Vec<Option<Vec<i64>>>>,
    /// Number of events before the open hidden phase.
    in_phase: usize,
    asker: FactionId,
    root: SearchQuestion,
    options: Vec<(String, u64)>,
}

impl Knowledge {
    /// Finds out what is revealed later.
    fn look_back(&mut self) {
        let mut later: Vec<Option<Vec<i64>>> = Vec::new();
        for shown in self.shown.iter().rev() {
            later.resize(later.len().max(shown.len()), None);
            for (later, now) in later.iter_mut().zip(shown) {
                *later = now.clone().or(later.take());
            }
            self.later.push(later.clone());
        }
        self.later.reverse();
    }

    /// Whether a world after so many events shows the faction what it knows.
    fn shows(&self, rules: &Rules, world: &World, events: usize) -> bool {
        let known = events.checked_sub(1).map(|last| &self.shown[last]);
        known.is_none_or(|known| shown(rules, world, self.asker) == *known)
    }

    /// Whether what is set in a world after so many events is also what the faction reads when it is revealed.
    fn foresees(&self, rules: &Rules, world: &World, events: usize) -> bool {
        let Some(later) = self.later.get(events.saturating_sub(1)) else {
            return true;
        };
        values(rules, world)
            .zip(later)
            .all(|((thing, slot, value), later)| {
                let start = |slot: usize| vec![world.start_of(rules, thing, &rules.slots.of(thing)[slot])];
                let unset = slot.is_none_or(|slot| value == start(slot));
                unset || later.as_ref().is_none_or(|later| *later == value)
            })
    }
}

/// Content of a slot: its value, and the items of a set or list behind their number.
fn content(rules: &Rules, world: &World, thing: Thing, slot: usize) -> Vec<i64> {
    let mut content = vec![world.slot(thing, slot)];
    if let Some(items) = rules.slots.of(thing)[slot].kind.items() {
        content.extend(world.items(rules, thing, slot, items).into_iter().flatten());
    }
    content
}

/// All that can be hidden, with its value: slots, and the places of units.
fn values<'a>(
    rules: &'a Rules,
    world: &'a World,
) -> impl Iterator<Item = (Thing, Option<usize>, Vec<i64>)> + 'a {
    world.things(rules).flat_map(move |thing| {
        let slots = rules.slots.of(thing).iter().enumerate();
        // That a phase has reset a slot is on no record.
        let can_be = |(_, slot): &(usize, &Slot)| slot.hidden != Hidden::Never && slot.lasts.is_none();
        let slots = slots.filter(can_be);
        let slots = slots.map(move |(slot, _)| (thing, Some(slot), content(rules, world, thing, slot)));
        let spot = match thing {
            Thing::Unit(unit) => Some(match world.spot(unit) {
                Some(Spot::Place(place)) => i64::from(place.0),
                Some(Spot::Point(point)) => i64::from(point.x) << 32 ^ i64::from(point.y),
                None => NOTHING,
            }),
            _ => None,
        };
        slots.chain(spot.map(|spot| (thing, None, vec![spot])))
    })
}

/// The values that a faction reads of all that can be hidden; `None` for what is hidden now.
fn shown(rules: &Rules, world: &World, viewer: FactionId) -> Vec<Option<Vec<i64>>> {
    let values = values(rules, world).map(|(thing, slot, value)| {
        let unseen = matches!(thing, Thing::Unit(unit) if world.hides_unit(rules, unit, viewer));
        let hidden = unseen || slot.is_some_and(|slot| world.hides_slot(rules, thing, slot, viewer));
        (!hidden).then_some(value)
    });
    values.collect()
}

/// Search for worlds.
struct WorldSearch {
    known: Rc<Knowledge>,
    /// Number of steps that may still be played.
    left: usize,
}

/// Outcome of steps that are compared together.
enum Steps {
    /// Number of events that are known by then, and whether anything was drawn.
    Fit(usize, bool),
    /// The question is asked.
    Asked,
    Unfit,
}

impl WorldSearch {
    /// Plays a game up to the question; `None` if it comes out otherwise than what is known.
    fn game(&mut self, play: &mut Play, opening: &Checkpoint, key: RollKey) -> Option<PossibleWorld> {
        let rules = Arc::clone(&play.table().rules);
        let deal = |world: &World| {
            let mut deals = (0..DRAWS).map(|n| dealt(&rules, world, self.known.asker, key.with(n)));
            let fitting = deals
                .by_ref()
                .take(STRICT as usize)
                .find(|world| self.known.foresees(&rules, world, 0));
            fitting.or_else(|| deals.next()).ok_or(())
        };
        let opening = Checkpoint::new(opening.position.with_worlds(deal).ok()?, opening.events);
        play.go_to(&opening);
        let (mut at, mut back) = (0, 0u64);
        // The steps in which something was drawn, and what was known before them.
        let mut drawn: Vec<(Checkpoint, usize)> = Vec::new();
        loop {
            let from = play.table().events.len();
            let goes_on = play.prepare() == Progress::Stepped;
            let begun = play.table().events.get(from..)?;
            let fits = goes_on && self.known.events.get(at..)?.starts_with(begun);
            at += begun.len();
            let start = play.checkpoint();
            let steps = match fits {
                true => self.fit(play, &start, at, key.with(back)),
                false => Steps::Unfit,
            };
            match steps {
                Steps::Fit(end, drew) => {
                    if drew {
                        drawn.push((start, at));
                    }
                    at = end;
                }
                Steps::Asked => {
                    return Some(PossibleWorld {
                        checkpoint: play.checkpoint(),
                        seen: play.rolls_seen().into(),
                        events: play.events(),
                    });
                }
                Steps::Unfit => {
                    back += 1;
                    // One step back, sometimes two, seldom four, and so on.
                    let steps = 1 << back.trailing_zeros();
                    let to = drawn.len().saturating_sub(steps);
                    let (start, known) = drawn
                        .drain(to..)
                        .next()
                        .filter(|_| back < BACK && self.left > 0)?;
                    play.go_to(&start);
                    at = known;
                }
            }
        }
    }

    /// Plays the steps that are compared together until they fit what is known.
    fn fit(&mut self, play: &mut Play, start: &Checkpoint, at: usize, key: RollKey) -> Steps {
        let known = Rc::clone(&self.known);
        let rules = Arc::clone(&play.table().rules);
        for draws in 0..DRAWS {
            let draw = Rc::new(RefCell::new(Draw {
                known: Rc::clone(&known),
                at,
                key: key
                    .with(at as u64)
                    .with(start.position.ordinal.into())
                    .with(draws),
                drawn: 0,
                step: start.position.step,
                labels: Vec::new(),
            }));
            let progress = self.steps(play, &draw);
            let drew = draw.borrow().drawn > 0;
            let table = play.table();
            let view = table.view(Some(known.asker));
            let seen = view.events_after(&start.position.world, start.events, at >= known.in_phase);
            let end = at + seen.len();
            let strict = drew && draws < STRICT;
            let fits = known
                .events
                .get(at..end)
                .is_some_and(|known| seen.iter().zip(known).all(|(one, other)| **one == *other))
                && known.shows(&rules, &table.world, end)
                && (!strict || known.foresees(&rules, &table.world, end));
            match progress {
                Progress::Stepped if fits => return Steps::Fit(end, drew),
                Progress::Asks if fits && end == known.events.len() && self.is_asked(play) => {
                    return Steps::Asked;
                }
                _ if !drew || self.left == 0 => break,
                _ => play.go_to(start),
            }
        }
        Steps::Unfit
    }

    /// Plays the steps that are compared together: one, but a pick with what it leads to, and all of a phase that
    /// gathers effects.
    fn steps(&mut self, play: &mut Play, draw: &Rc<RefCell<Draw>>) -> Progress {
        loop {
            {
                let mut draw = draw.borrow_mut();
                draw.step = play.table().checkpoint.step;
                draw.labels.clear();
            }
            self.left = self.left.saturating_sub(1);
            play.set_source(Box::new(Drawn(Rc::clone(draw))));
            let progress = play.advance();
            play.clear_source();
            let checkpoint = &play.table().checkpoint;
            let goes_on = checkpoint.next.leads_on() || checkpoint.cursor.gathers();
            if progress != Progress::Stepped || !goes_on || self.left == 0 {
                return progress;
            }
            match play.prepare() {
                Progress::Stepped => {}
                other => return other,
            }
        }
    }

    /// Whether the question is asked, with the same options.
    fn is_asked(&self, play: &Play) -> bool {
        let now = play.with_question(|a| {
            asking(a.request, a.world.who(a.request.subject)) == self.known.root
                && options(a) == self.known.options
        });
        now == Some(true)
    }
}

/// Source of the answers and rolls of some steps: what is known, and draws for the rest.
struct Draw {
    known: Rc<Knowledge>,
    at: usize,
    key: RollKey,
    drawn: u64,
    /// The step that runs, and the labels of its rolls so far.
    step: StepId,
    labels: Vec<WordId>,
}

struct Drawn(Rc<RefCell<Draw>>);

impl Draw {
    fn key(&mut self) -> RollKey {
        self.drawn += 1;
        self.key.with(self.drawn)
    }

    /// The events of the step that runs which are known.
    fn of_step(&self) -> impl Iterator<Item = &Event> {
        let (mut within, mut picks) = (true, 0);
        let phase = |event: &&Event| !matches!(event, Event::Phase { .. });
        self.known.events[self.at..]
            .iter()
            .take_while(phase)
            .filter(move |event| {
                match event {
                    Event::Step(step) => within = *step == self.step,
                    Event::Chose(answer) if answer.step.pick > 0 => {
                        picks += 1;
                        within &= picks == 1;
                    }
                    _ => {}
                }
                within
            })
    }
}

impl Answerer for Drawn {
    fn answer(&mut self, question: &Question<'_>) -> Reply {
        let draw = &mut *self.0.borrow_mut();
        let now = asking(question.request, question.world.who(question.request.subject));
        if now == draw.known.root {
            return Reply::Wait;
        }
        let known = draw.known.events[draw.at..].iter().find_map(|event| match event {
            Event::Chose(a) if (a.step, a.asker, a.subject, a.label, a.nth) == now => Some(a.chosen),
            _ => None,
        });
        let options = &question.request.options;
        match known {
            Some(chosen) => {
                let is = |option: OfferedOption| match chosen {
                    NamedOption::Many(hash) => text_hash(&question.key(option)) == hash,
                    chosen => option.chosen(question.world) == chosen,
                };
                match options.iter().position(is) {
                    Some(index) => Reply::Take(index),
                    None => Reply::Stop("another answer was given".to_owned().into()),
                }
            }
            None if question.request.asker == draw.known.asker => {
                Reply::Stop("another question was asked".to_owned().into())
            }
            None => Reply::Take(draw.key().below(options.len())),
        }
    }

    fn rolls(&mut self, roll: &PendingRoll<'_>) -> Option<Pool> {
        let draw = &mut *self.0.borrow_mut();
        let before = draw.labels.iter().filter(|label| **label == roll.word).count();
        draw.labels.push(roll.word);
        let known = draw.of_step().filter_map(|event| match event {
            Event::Rolled { label, dice, .. } if *label == roll.word => Some(dice.clone()),
            _ => None,
        });
        let known = known.into_iter().nth(before);
        known.or_else(|| Some(Pool::roll(draw.key(), roll.dice, roll.sides)))
    }
}

/// A world at the start of the game, in which what is hidden from a faction is dealt anew: the values of a slot among
/// the things of one faction, and the places of units among those that are free. A value that nothing else could have
/// is the starting value.
fn dealt(rules: &Rules, world: &World, viewer: FactionId, key: RollKey) -> World {
    let mut dealt = world.clone();
    let mut groups: BTreeMap<(u8, usize, Option<FactionId>), Vec<Thing>> = BTreeMap::new();
    for thing in world.things(rules) {
        let (kind, owner) = match thing {
            Thing::Game => (0, None),
            Thing::Faction(_) => (1, None),
            Thing::Place(_) => (2, None),
            Thing::Unit(unit) => (3, Some(world.unit(unit).owner)),
        };
        for slot in 0..rules.slots.of(thing).len() {
            if world.hides_slot(rules, thing, slot, viewer) {
                groups.entry((kind, slot, owner)).or_default().push(thing);
            }
        }
    }
    let mut drawn = 0;
    let mut below = |n: usize| {
        drawn += 1;
        key.with(drawn).below(n)
    };
    for ((_, slot, _), things) in groups {
        let mut values: Vec<Vec<i64>> = things
            .iter()
            .map(|thing| content(rules, world, *thing, slot))
            .collect();
        if let [only] = things[..] {
            values = vec![vec![world.start_of(rules, only, &rules.slots.of(only)[slot])]];
        }
        values.sort_unstable();
        for thing in things {
            let value = values.swap_remove(below(values.len()));
            match rules.slots.of(thing)[slot].kind.items() {
                Some(items) => {
                    let (all, _) = value[1..].as_chunks::<2>();
                    dealt.set_items(rules, thing, slot, items, all);
                }
                None => dealt.set_slot(thing, slot, value[0]),
            }
        }
    }
    let on_board = world.on_board();
    let hidden = on_board
        .iter()
        .filter(|unit| world.hides_unit(rules, *unit, viewer));
    let hidden: Vec<UnitId> = hidden.collect();
    hidden.iter().for_each(|unit| dealt.reserve(*unit));
    if rules.plane().is_none() {
        let mut free: Vec<PlaceId> = dealt
            .ground()
            .iter()
            .filter(|place| dealt.at(*place).is_empty())
            .collect();
        for unit in hidden.into_iter().take(free.len()) {
            let place = free.swap_remove(below(free.len()));
            dealt.put(unit, place);
        }
    }
    dealt
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Random;
    use crate::kernel::table::NoAnswerer;
    use crate::rules::ruleset::{LoadOptions, Ruleset};
    use crate::rules::workspace::Workspace;

    /// Cards are drawn and played from hidden hands, and a thief sneaks about unseen.
    const GAME: &str = r#"
        fn board() { #{ factions: ["red", "blue"], squares: [3, 3] } }
        fn slots() { #{
            faction: #{ one: #{ start: 0, hidden: true }, two: #{ start: 0, hidden: true }, played: 0, points: 0 },
            unit: #{ lurks: #{ start: false, hides: true } },
        } }
        fn phases() { [
            #{ phase: "deal", setup: true, each: "faction", step: "deal" },
            #{ phase: "round", repeat: true, phases: [
                #{ phase: "cards", simultaneous: true, each: "faction", step: "play_card" },
                #{ phase: "thieves", turn: "each", step: "sneak" },
                #{ phase: "pay", each: "game", step: "pay" },
            ] },
        ] }
        fn deal(side) {
            side.one = roll(side, "card", 1, 6).total;
            side.two = roll(side, "card", 1, 6).total;
            enlist(side, unit_type("thieves"));
            let thief = side.units.last;
            thief.lurks = true;
            put(thief, choose(side, "place", empty_places()));
        }
        fn play_card(side) {
            let first = choose(side, "card", ["first", "second"]) == "first";
            if first {
                side.played = side.one;
                side.one = roll(side, "card", 1, 6).total;
            } else {
                side.played = side.two;
                side.two = roll(side, "card", 1, 6).total;
            }
        }
        fn sneak(me) {
            put(me, choose(me, "way", me.place.adjacent.empty));
            me.lurks = roll(me, "seen", 1, 6).total > 2;
        }
        fn pay() {
            for side in factions() { if side.played > side.foe.played { side.points += 1; } }
            if count("round") == 4 { draw("enough"); }
        }
    "#;

    fn start(game: &str, files: &[(&str, &str)], seed: u64) -> Play {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        let workspace = Workspace::at("no such folder").with(files.collect());
        let ruleset =
            Ruleset::load(&workspace, game, &LoadOptions::default()).unwrap_or_else(|p| panic!("{p}"));
        let world = World::new(&ruleset.rules);
        Play::new(
            ruleset,
            &crate::kernel::table::Position::start(world, false, seed, 0),
        )
    }

    /// Number of questions for which worlds were looked for, and for which some were found.
    fn look(play: &mut Play, seed: u64) -> (usize, usize) {
        let (mut asked, mut found) = (0, 0);
        let mut random = Random::new(seed);
        loop {
            match play.advance() {
                Progress::Stepped => continue,
                Progress::Over => return (asked, found),
                Progress::Asks => {}
                other => panic!("{other:?}"),
            }
            let asker = play.table().request.asker;
            let before = (play.position(), play.events());
            let worlds = possible(play, asker, 4);
            assert_eq!((play.position(), play.events()), before);
            asked += 1;
            found += usize::from(!worlds.is_empty());
            let view = play.table().view(Some(asker));
            let (seen, events) = (
                view.world().into_owned(),
                view.events().map(|(_, e)| e.into_owned()),
            );
            let events: Vec<Event> = events.collect();
            for world in worlds {
                let (seen, events) = (&seen, &events);
                play.suppose(|play| {
                    let record = play.events();
                    play.table_mut().events.clone_from(&world.events);
                    play.go_to(&world.checkpoint);
                    let rolls = world.seen.iter().cloned().collect();
                    play.set_source(Box::new(Rolls(rolls)));
                    assert_eq!(play.advance(), Progress::Asks);
                    let view = play.table().view(Some(asker));
                    assert_eq!(view.world().on_board(), seen.on_board());
                    let rules = &play.table().rules;
                    assert_eq!(shown(rules, &view.world(), asker), shown(rules, seen, asker));
                    assert!(
                        view.events()
                            .map(|(_, e)| e.into_owned())
                            .eq(events.iter().cloned())
                    );
                    play.set_source(Box::new(NoAnswerer));
                    play.table_mut().events = record;
                });
            }
            let reply = play
                .with_question(|question| random.answer(question))
                .expect("it asks");
            assert!(play.answer_by(&reply));
        }
    }

    struct Rolls(std::collections::VecDeque<Pool>);

    impl Answerer for Rolls {
        fn answer(&mut self, _: &Question<'_>) -> Reply {
            Reply::Wait
        }

        fn rolls(&mut self, _: &PendingRoll<'_>) -> Option<Pool> {
            self.0.pop_front()
        }
    }

    #[test]
    fn possible_worlds_look_alike_to_the_faction() {
        let ambush = [
            (
                "scripts/ambush/game.rhai",
                include_str!("../../../../examples/ambush/scripts/ambush/game.rhai"),
            ),
            ("units/ambush/tokens.rhai", "fn stats() { #{ symbol: \"T\" } }"),
            ("units/ambush/scouts.rhai", "fn stats() { #{ symbol: \"S\" } }"),
        ];
        let tiny = [
            ("scripts/tiny/game.rhai", GAME),
            ("units/tiny/thieves.rhai", "fn stats() { #{ symbol: \"T\" } }"),
        ];
        for seed in 1..=2 {
            let (asked, found) = look(&mut start("ambush", &ambush, seed), seed);
            assert!(asked > 30 && found == asked, "{found} of {asked}");
            // Each card that is played shows one of those that were drawn: that is hard to hit.
            let (asked, found) = look(&mut start("tiny", &tiny, seed), seed);
            assert!(asked > 10 && 2 * found > asked, "{found} of {asked}");
        }
    }
}
