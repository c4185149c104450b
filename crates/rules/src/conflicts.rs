//! Conflicts: effects that were gathered at the same time and cannot both happen.
//!
//! Knows the kernel alone. A *rival* is a group of gathered effects (one step's, or one hook's that
//! follows from a batch) with a word that another group says too. Units that come to a place at the
//! same time are rivals for its room, and so are units that come to points of a plane where not all can stand.

use crate::kernel::choice::{OfferedOption, OptionSet};
use crate::kernel::effect::{self, Effect, GatheredEffects};
use crate::kernel::ids::{Cause, FactionId, PlaceId, RecordedThing, Thing, UnitId, UnitSet, WordId};
use crate::kernel::spot::{Point, Spot};
use crate::kernel::table::{Halt, Table};
use crate::kernel::world::World;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// Label of the question to the arbiter.
const RESOLVES_FIRST: &str = "resolves first";

/// Leaves one of several rivals in a batch: the arbiter chooses which comes first, and the others
/// then cannot happen any more. Rivals that do the same need no choice. Of the units that come to a
/// place without room for all, leaves as many as it has room for; of those that come to points of a plane so near to
/// each other that not all can stand there, the one that is chosen.
///
/// # Errors
///
/// The choice waits for its answer, or a stored one does not fit.
pub fn settle(table: &mut Table, mut batch: Vec<GatheredEffects>) -> Result<Vec<GatheredEffects>, Halt> {
    // By word, in the order in which they are first said, which effects of the batch say it.
    let indexed = batch.iter().enumerate();
    let words: Vec<(WordId, Vec<usize>)> = by_key(indexed.filter_map(|(i, g)| Some((g.exclusive?, i))));
    let mut retained = vec![true; batch.len()];
    for (_, indexed) in words {
        let rivals = rivals(&batch, &indexed);
        let first = match rivals[..] {
            [] => continue,
            [(group, _)] => group,
            _ => {
                let options = options(table, &rivals);
                table
                    .request
                    .options
                    .offer(None, OptionSet::List)
                    .extend_from_slice(&options);
                let label = table.words.intern(RESOLVES_FIRST);
                let arbiter = table.arbiter();
                let chosen = table.choose(arbiter, Thing::Game, label)?;
                let index = options.iter().position(|o| *o == chosen).unwrap_or_default();
                rivals[index].0
            }
        };
        for index in indexed {
            retained[index] = batch[index].group == first;
        }
    }
    let mut keeps = retained.into_iter();
    batch.retain(|_| keeps.next().unwrap_or(true));
    agree(table, &batch)?;
    // Who stays may stand where another would have come, so this goes on until all have room.
    while let Some(crowd) = crowded(table, &batch) {
        let mut waiting = crowd.newcomers;
        for _ in 0..crowd.room {
            table
                .request
                .options
                .offer(None, OptionSet::Units(waiting.clone()));
            let label = table.words.intern(RESOLVES_FIRST);
            let arbiter = table.arbiter();
            if let OfferedOption::Unit(first) = table.choose(arbiter, Thing::Place(crowd.place), label)? {
                waiting.remove(first);
            }
        }
        batch.retain(|g| {
            let (unit, comes) = match g.effect {
                Effect::Put(unit, spot) => (unit, spot == Spot::Place(crowd.place)),
                Effect::Own(unit, faction) => (
                    unit,
                    faction == crowd.faction && table.world.place(unit) == Some(crowd.place),
                ),
                _ => return true,
            };
            let stays = comes && waiting.contains(unit);
            if stays {
                table.stays(unit, crowd.place.into(), g.cause);
            }
            !stays
        });
    }
    while let Some(rivals) = rivals_for_a_spot(table, &batch) {
        table
            .request
            .options
            .offer(None, OptionSet::Units(rivals.clone()));
        let label = table.words.intern(RESOLVES_FIRST);
        let arbiter = table.arbiter();
        let OfferedOption::Unit(first) = table.choose(arbiter, Thing::Game, label)? else {
            break;
        };
        let Some(taken) = newcomers(table, &batch).get(&first).copied() else {
            break;
        };
        batch.retain(|g| {
            let Effect::Put(unit, Spot::Point(at)) = g.effect else {
                return true;
            };
            let stays = unit != first
                && rivals.contains(unit)
                && exclude_each_other(table, (first, taken), (unit, at));
            if stays {
                table.stays(unit, at.into(), g.cause);
            }
            !stays
        });
    }
    Ok(batch)
}

/// The units that a batch puts to other points of a plane, with the point where each is put last.
fn newcomers(table: &Table, batch: &[GatheredEffects]) -> BTreeMap<UnitId, Point> {
    let put = batch.iter().filter_map(|g| match g.effect {
        Effect::Put(unit, Spot::Point(at)) if table.world.point(unit) != Some(at) => Some((unit, at)),
        _ => None,
    });
    put.collect()
}

/// The first unit of a batch that comes to a spot where another one comes as well, and all those others.
fn rivals_for_a_spot(table: &Table, batch: &[GatheredEffects]) -> Option<UnitSet> {
    let coming: Vec<(UnitId, Point)> = newcomers(table, batch).into_iter().collect();
    coming.iter().enumerate().find_map(|(nth, one)| {
        let others = coming[nth + 1..].iter();
        let rivals: UnitSet = others
            .filter(|other| exclude_each_other(table, *one, **other))
            .map(|(unit, _)| *unit)
            .collect();
        (!rivals.is_empty()).then(|| rivals | UnitSet::one(one.0))
    })
}

/// Whether a unit can stand at its point only if another one does not stand at its own.
fn exclude_each_other(table: &Table, one: (UnitId, Point), other: (UnitId, Point)) -> bool {
    let rules = &table.rules;
    let stands = |world: &World| rules.ground.check_stand(&(&**rules, world), one.0, one.1).is_ok();
    let mut world = table.world.clone();
    effect::apply(rules, &mut world, Effect::Reserve(other.0), Cause::default());
    if !stands(&world) {
        return false;
    }
    effect::apply(
        rules,
        &mut world,
        Effect::Put(other.0, other.1.into()),
        Cause::default(),
    );
    !stands(&world)
}

/// In a batch of so many effects each is compared with each.
const SMALL: usize = 64;

/// Refuses a batch of which it hangs on the order what a slot comes to, or who goes first: one step sets it, and
/// another sets it to something else or adds to it. All read it as it was before, and none of them is the last.
///
/// # Errors
///
/// There is such a slot.
fn agree(table: &Table, batch: &[GatheredEffects]) -> Result<(), Halt> {
    // What each step says last counts.
    let claims = batch.iter().filter_map(|g| match g.effect {
        Effect::First(faction) => Some((g.group, (faction, g.about))),
        _ => None,
    });
    let claims: BTreeMap<u32, (FactionId, RecordedThing)> = claims.collect();
    let mut claims = claims.into_values();
    if let Some((first, one)) = claims.next()
        && let Some((_, other)) = claims.find(|(faction, _)| *faction != first)
    {
        let [one, other] = [one, other].map(|who| name_of(table, who));
        return Err(Halt::Rule(format!(
            "who goes first is said by one step (of {one}) and said otherwise by another (of {other}) at the same time, \
             and which of them is the last nobody says"
        )));
    }
    let slot_of = |g: &GatheredEffects| match g.effect {
        Effect::Set(thing, slot, _) | Effect::Add(thing, slot, _) => Some((thing, slot)),
        _ => None,
    };
    let is_shared = |set: &GatheredEffects| {
        let is_it = |g: &GatheredEffects| g.group != set.group && slot_of(g) == slot_of(set);
        matches!(set.effect, Effect::Set(..)) && batch.iter().any(is_it)
    };
    // In most batches, which are small, no two steps change one slot.
    if batch.len() <= SMALL && !batch.iter().any(is_shared) {
        return Ok(());
    }
    // What each step comes to in its own order; nothing where it only adds.
    let mut comes_to: BTreeMap<(Thing, u8), BTreeMap<u32, Option<i64>>> = BTreeMap::new();
    for gathered in batch {
        let Some(slot) = slot_of(gathered) else { continue };
        let own = comes_to.entry(slot).or_default();
        let own = own.entry(gathered.group).or_default();
        match gathered.effect {
            Effect::Set(.., to) => *own = Some(to),
            Effect::Add(.., by) => *own = own.map(|n| n.saturating_add(by)),
            _ => {}
        }
    }
    comes_to.retain(|_, steps| {
        let mut steps = steps.values();
        let first = steps.next();
        steps.any(|other| Some(other) != first)
    });
    for gathered in batch {
        if let Effect::Set(thing, slot, _) = gathered.effect
            && comes_to.contains_key(&(thing, slot))
        {
            return Err(differently(table, gathered, (thing, slot)));
        }
    }
    Ok(())
}

/// Why what a step did cannot happen when all of it does: no line of a script runs then, so that it says whose step.
#[cold]
pub fn at_the_end(table: &Table, gathered: &GatheredEffects, halt: Halt) -> Halt {
    match halt {
        Halt::Rule(why) => Halt::Rule(format!(
            "{why} (at the end of the phase, from the step of {})",
            name_of(table, gathered.about)
        )),
        other => other,
    }
}

#[cold]
fn differently(table: &Table, gathered: &GatheredEffects, (thing, slot): (Thing, u8)) -> Halt {
    Halt::Rule(format!(
        "`{}` of {} is set by one step (of {}) and set otherwise or added to by another at the same time, and which of \
         them is the last nobody says: `+=`, `-=`, `add` and `hit` add up, and `exclusive` has one step come first",
        table.rules.slots.of(thing)[slot as usize].name,
        name_of(table, table.world.who(thing)),
        name_of(table, gathered.about)
    ))
}

fn name_of(table: &Table, who: RecordedThing) -> String {
    match who {
        RecordedThing::Game => "the game".to_owned(),
        who => table.rules.who(who),
    }
}

/// A place in which more units come to a faction at the same time than it has room for.
struct OverrideGroup {
    place: PlaceId,
    faction: FactionId,
    newcomers: UnitSet,
    /// Number of them that can come.
    room: usize,
}

/// The first place that would hold too many units of a faction after the batch, some of them newly come there or to
/// the faction.
fn crowded(table: &Table, batch: &[GatheredEffects]) -> Option<OverrideGroup> {
    let (rules, world) = (&table.rules, &table.world);
    let comes = |g: &&GatheredEffects| matches!(g.effect, Effect::Put(..) | Effect::Own(..));
    batch.iter().find(comes)?;
    let mut after = world.clone();
    for gathered in batch {
        effect::apply(rules, &mut after, gathered.effect, gathered.cause);
    }
    let goal = |g: &GatheredEffects| match g.effect {
        Effect::Put(_, spot) => spot.place(),
        Effect::Own(unit, _) => after.place(unit),
        _ => None,
    };
    batch.iter().filter_map(goal).find_map(|place| {
        rules.all_factions().find_map(|faction| {
            let there = after.at(place) & after.owned(faction);
            let newcomers = &there - &(world.at(place) & world.owned(faction));
            let room = rules.stack.saturating_sub((there - &newcomers).len());
            (newcomers.len() > room).then_some(OverrideGroup {
                place,
                faction,
                newcomers,
                room,
            })
        })
    })
}

/// The groups of these effects, each with the first of its own; of those that do the same only the first.
fn rivals(batch: &[GatheredEffects], indices: &[usize]) -> Vec<(u32, GatheredEffects)> {
    let effect = |index: &usize| batch[*index].effect;
    let mut rivals: Vec<(u32, Vec<usize>)> = Vec::new();
    for (group, own) in by_key(indices.iter().map(|index| (batch[*index].group, *index))) {
        let same = |(_, other): &(u32, Vec<usize>)| other.iter().map(effect).eq(own.iter().map(effect));
        if !rivals.iter().any(same) {
            rivals.push((group, own));
        }
    }
    let first = |(group, own): (u32, Vec<usize>)| (group, batch[own[0]]);
    rivals.into_iter().map(first).collect()
}

/// Groups the values by key, in the order in which the keys first appear.
fn by_key<K: Copy + Eq + Hash>(all: impl Iterator<Item = (K, usize)>) -> Vec<(K, Vec<usize>)> {
    let mut groups: Vec<(K, Vec<usize>)> = Vec::new();
    let mut places: HashMap<K, usize> = HashMap::new();
    for (key, index) in all {
        let place = *places.entry(key).or_insert(groups.len());
        if place == groups.len() {
            groups.push((key, Vec::new()));
        }
        groups[place].1.push(index);
    }
    groups
}

/// One option for each rival: what it is about. Rivals about the same thing are told apart by the
/// phase that they come from, and by a number where that is the same too.
fn options(table: &mut Table, rivals: &[(u32, GatheredEffects)]) -> Vec<OfferedOption> {
    let plain: Vec<OfferedOption> = rivals.iter().map(|(_, g)| option(table, g)).collect();
    let mut options: Vec<OfferedOption> = Vec::new();
    for (index, &option) in plain.iter().enumerate() {
        let shared = plain.iter().filter(|o| **o == option).count() > 1;
        if !shared {
            options.push(option);
            continue;
        }
        let key = option.key(&table.rules, &table.words, &table.world);
        let phase = &table.rules.phases[rivals[index].1.phase as usize].name;
        let name = format!("{key} in {phase}");
        let mut word = OfferedOption::Word(table.words.intern(&name));
        let mut nth = 1;
        while options.contains(&word) {
            nth += 1;
            word = OfferedOption::Word(table.words.intern(&format!("{name} ({nth})")));
        }
        options.push(word);
    }
    options
}

/// Returns the option that stands for a rival: the thing that it is about; a step of the game itself is known by its
/// phase.
fn option(table: &mut Table, rival: &GatheredEffects) -> OfferedOption {
    let text = match rival.about {
        RecordedThing::Place(place) => return OfferedOption::Place(place),
        RecordedThing::Faction(faction) => return OfferedOption::Faction(faction),
        RecordedThing::Unit(name) => match table.world.find(name) {
            Some(unit) => return OfferedOption::Unit(unit),
            None => table.rules.unit_name(name),
        },
        RecordedThing::Game => table.rules.phases[rival.phase as usize].name.clone(),
    };
    OfferedOption::Word(table.words.intern(&text))
}
