//! Texts about events and their subjects for people: events as lines, step names and slot values.

use crate::kernel::choice::{Answer, StepId};
use crate::kernel::dice::Pool;
use crate::kernel::event::{Event, SlotItem};
use crate::kernel::ids::{Cause, PlaceId, RecordedThing, Thing, TypeId, UnitId, UnitName, WordId};
use crate::kernel::phase::{self, PhaseBody};
use crate::kernel::pose::Pose;
use crate::kernel::rules::{Item, ItemKind, Items, Rules, Slot, SlotKind, Words};
use crate::kernel::spot::{Point, Spot};
use crate::kernel::throws::{Landing, Touch};
use crate::kernel::world::World;
use std::fmt::Write as _;

mod entry;

pub use entry::Entry;

/// Returns an event as one line, without indent.
pub fn line(event: &Event, rules: &Rules, words: &Words) -> String {
    match Entry::of(rules, words, event) {
        Entry::Consequence(line) => line,
        entry => entry.to_string(),
    }
}

impl Entry {
    /// An event in words for people: nothing of what only rules need, and no poses of dice. It cannot be read back.
    pub fn for_people(rules: &Rules, words: &Words, event: &Event) -> Option<Self> {
        match event {
            Event::Changed { who, slot, .. }
            | Event::Inserted {
                item: SlotItem { who, slot, .. },
                ..
            }
            | Event::Taken {
                item: SlotItem { who, slot, .. },
                ..
            } if slot_of(rules, *who, *slot).1.inner => None,
            Event::Lay {
                unit,
                from,
                to,
                cause,
            } => {
                let line = came_to_rest((rules, words), *unit, *from, *to, cause, false);
                Some(Entry::Consequence(line))
            }
            event => Some(Entry::of(rules, words, event)),
        }
    }

    /// An event in words.
    pub fn of(rules: &Rules, words: &Words, event: &Event) -> Self {
        let name = |unit: &UnitName| rules.unit_name(*unit);
        let place = |spot: &Option<Spot>| spot.map_or("reserve".to_owned(), |s| s.name(rules));
        let because = |cause: &Cause| because(rules, words, cause);
        let text = |word: WordId| words.text(word).to_owned();
        Entry::Consequence(match event {
            Event::Phase { phase, iteration } => {
                return Entry::Phase {
                    depth: phase::depth(&rules.phases, *phase),
                    name: rules.phases[*phase as usize].name.clone(),
                    iteration: (*iteration > 0).then_some(*iteration),
                };
            }
            Event::Step(step) => return Entry::Step(step_name(rules, *step)),
            Event::Chose(answer) => return chosen(rules, words, answer),
            Event::Rolled { who, label, dice } => {
                return Entry::Rolled {
                    who: match who {
                        RecordedThing::Game => "game".to_owned(),
                        who => rules.who(*who),
                    },
                    label: text(*label),
                    dice: dice.to_string(),
                };
            }
            Event::Threw { unit, label, record } => {
                return Entry::Threw {
                    unit: name(unit),
                    label: text(*label),
                    told: throw(rules, &record.landing),
                };
            }
            // What cannot be said in the words of these rules is known as its line alone.
            Event::Told { line, follows: false } => {
                let line = text(*line);
                return Entry::parse(&line).unwrap_or(Entry::Step(line));
            }
            Event::Told { line, .. } => text(*line),
            Event::Lay {
                unit,
                from,
                to,
                cause,
            } => came_to_rest((rules, words), *unit, *from, *to, cause, true),
            Event::Counted { who, label, dice } => {
                let dice = if dice.is_empty() {
                    "no dice".to_owned()
                } else {
                    dice.to_string()
                };
                format!("{}  {} counts as {dice}", rules.who(*who), words.text(*label))
            }
            Event::Changed {
                who,
                slot,
                from,
                to,
                cause,
            } => {
                let (owner, slot) = slot_of(rules, *who, *slot);
                let value = |value: i64| slot_value(rules, slot.kind, value);
                let change = match &slot.says {
                    // Rules that did not say so may have told that it ended.
                    Some(says) if *to != 0 => says.clone(),
                    _ => format!("{} {}->{}", slot.name, value(*from), value(*to)),
                };
                format!("{owner}  {change}{}", because(cause))
            }
            Event::Inserted { item, cause } => {
                format!("{}{}", item_told(rules, item, "gains"), because(cause))
            }
            Event::Taken { item, cause } => format!("{}{}", item_told(rules, item, "loses"), because(cause)),
            Event::Moved {
                unit,
                from,
                to,
                cause,
            } => {
                format!("{}  {}->{}{}", name(unit), place(from), place(to), because(cause))
            }
            Event::Removed { unit, from, cause } => {
                format!("{}  removed from {}{}", name(unit), place(from), because(cause))
            }
            Event::Spared { unit, reason, cause } => {
                let (name, reason) = (name(unit), words.text(*reason));
                format!("{name}  is not removed: {reason}{}", because(cause))
            }
            Event::Laid {
                place,
                terrain,
                outline,
                cause,
            } => {
                let terrain = &rules.terrains[terrain.index()].name;
                let form = outline.map_or_else(String::new, |form| format!(": {form}"));
                format!(
                    "{}  {terrain} laid{form}{}",
                    rules.board.name(*place),
                    because(cause)
                )
            }
            Event::Lifted {
                place,
                terrain,
                cause,
            } => {
                let terrain = &rules.terrains[terrain.index()].name;
                format!("{}  {terrain} lifted{}", rules.board.name(*place), because(cause))
            }
            Event::Enlisted { unit, cause } => {
                format!("{}  enlisted{}", name(unit), because(cause))
            }
            Event::Renamed { unit, to, cause } => {
                format!("{}  becomes {}{}", name(unit), name(to), because(cause))
            }
            Event::Disbanded { faction, cause } => {
                format!("{}  disbanded{}", rules.factions[faction.index()], because(cause))
            }
            Event::Stayed {
                unit,
                place: at,
                full,
                cause,
            } => {
                let (because, name) = (because(cause), name(unit));
                match *at == Some(*full) {
                    true => format!("{name}  stays on its side: no room in {}{because}", place(at)),
                    false => {
                        let full = full.name(rules);
                        format!("{name}  stays in {}: no room in {full}{because}", place(at))
                    }
                }
            }
            Event::First { first, cause } => {
                format!("{}  goes first{}", rules.factions[first.index()], because(cause))
            }
            Event::Finished { outcome, by } => {
                let how = match outcome.winner {
                    Some(f) => format!("{}  wins", rules.factions[f.index()]),
                    None => "nobody  wins".to_owned(),
                };
                let by = because(&Cause {
                    word: Some(outcome.reason),
                    by: *by,
                });
                format!("{how} the {}{by}", words.text(outcome.contest))
            }
        })
    }
}

fn chosen(rules: &Rules, words: &Words, answer: &Answer) -> Entry {
    let asker = rules.factions[answer.asker.index()].clone();
    let label = words.text(answer.label).to_owned();
    let (key, only) = (answer.chosen.key(rules, words), answer.only);
    if answer.step.pick > 0 {
        return Entry::Picked {
            asker,
            label,
            key,
            only,
        };
    }
    let subject = Some(answer.subject).filter(|who| *who != RecordedThing::Game);
    Entry::Chose {
        asker,
        label,
        subject: subject.map(|who| rules.who(who)),
        key,
        only,
    }
}

/// Returns the name of a slot's owner, as lines show it, and the slot.
pub fn slot_of(rules: &Rules, who: RecordedThing, slot: u8) -> (String, &Slot) {
    let (owner, schema) = match who {
        RecordedThing::Game => ("game".to_owned(), &rules.slots.game),
        RecordedThing::Faction(_) => (rules.who(who), &rules.slots.faction),
        RecordedThing::Place(_) => (rules.who(who), &rules.slots.place),
        RecordedThing::Unit(_) => (rules.who(who), &rules.slots.unit),
    };
    (owner, &schema[slot as usize])
}

/// Returns the line of an item that came into a set or list, or left it.
fn item_told(rules: &Rules, item: &SlotItem, verb: &str) -> String {
    let (owner, slot) = slot_of(rules, item.who, item.slot);
    let name = |unit| Some(UnitName::from_stored(unit));
    let told = slot
        .kind
        .items()
        .map(|items| spelled_item(rules, items, item.item, name));
    format!("{owner}  {} {verb} {}", slot.name, told.unwrap_or_default())
}

/// The readable name of a step, such as `red activates red.scouts1` or `ranged: red.scouts1`.
pub fn step_name(rules: &Rules, step: StepId) -> String {
    let phase = &rules.phases[step.phase as usize];
    if let Some(cut) = step.interrupts {
        let declared = phase::interrupts_of(&rules.phases, step.phase);
        let name = declared.get(cut.index as usize).map_or("?", |i| i.name.as_str());
        let (who, after) = (rules.who(step.about), rules.unit_name(cut.after));
        return format!("{name}: {who} after {after}{}", once_more(step.again));
    }
    match (&phase.work, step.about) {
        (PhaseBody::Turn { .. }, RecordedThing::Unit(unit)) => {
            format!(
                "{} activates {}{}",
                rules.factions[unit.owner.index()],
                rules.unit_name(unit),
                once_more(step.again)
            )
        }
        (PhaseBody::Turn { .. }, RecordedThing::Game) if step.again > 0 => {
            format!("{}, turn {}", phase.name, step.again)
        }
        (_, RecordedThing::Game) => phase.name.clone(),
        (_, who) => format!("{}: {}", phase.name, rules.who(who)),
    }
}

/// Returns the suffix of a step's name when the same step occurred `again` times before.
pub fn once_more(again: u16) -> String {
    match again {
        0 => String::new(),
        n => format!(", time {}", u32::from(n) + 1),
    }
}

/// Returns the place of a step in the repeating phases, such as `game 1, round 2`; empty outside of any.
pub fn place_of(rules: &Rules, step: StepId) -> String {
    let repeats = phase::repeats_around(&rules.phases, step.phase);
    let parts: Vec<String> = repeats
        .iter()
        .zip(step.path)
        .map(|(phase, n)| format!("{} {n}", rules.phases[*phase as usize].name))
        .collect();
    parts.join(", ")
}

/// Why, behind a line.
pub fn because(rules: &Rules, words: &Words, cause: &Cause) -> String {
    match (cause.word, cause.by) {
        (None, RecordedThing::Game) => String::new(),
        (Some(word), RecordedThing::Game) => format!("  (by {})", words.text(word)),
        (None, by) => format!("  (by {})", rules.who(by)),
        (Some(word), by) => format!("  (by {}, {})", words.text(word), rules.who(by)),
    }
}

/// Returns the location and the shown face of a die, as lines of the transcript show them.
pub fn pose(rules: &Rules, kind: TypeId, pose: Option<Pose>) -> String {
    let Some(pose) = pose else {
        return "reserve".to_owned();
    };
    let at = pose.point();
    match rules.die(kind).and_then(|die| die.shows(pose.turn)) {
        Some(face) => format!("{at} shows {face}"),
        None => format!("{at} leans"),
    }
}

/// The line of a throw, behind who threw and what for.
pub fn throw(rules: &Rules, landing: &Landing) -> String {
    let mut text = String::new();
    for touch in &landing.touches {
        let what = touch
            .what
            .map_or("board".to_owned(), |name| rules.unit_name(name));
        let _ = write!(text, "{what} at {} after {}, ", touch.at, seconds(touch.ms));
    }
    if landing.touches.is_empty() {
        text.push_str("nothing touched, ");
    }
    for name in &landing.left {
        let _ = write!(text, "{} off, ", rules.unit_name(*name));
    }
    let end = if landing.settled { "still" } else { "stopped" };
    let _ = write!(text, "{end} after {}", seconds(landing.ms));
    text
}

fn seconds(ms: u32) -> String {
    format!("{}.{:03} s", ms / 1_000, ms % 1_000)
}

fn parse_seconds(text: &str) -> Option<u32> {
    let (whole, rest) = text.strip_suffix(" s")?.split_once('.')?;
    let ms = whole
        .parse::<u32>()
        .ok()?
        .checked_mul(1_000)?
        .checked_add(rest.parse().ok()?)?;
    (seconds(ms) == text).then_some(ms)
}

/// Reads what [`throw`] wrote, and where who moved came to rest from the lines below it ([`came_to_rest`]).
pub fn read_throw(rules: &Rules, text: &str, below: &[String], by: &str) -> Option<Landing> {
    let mut landing = Landing::default();
    let mut parts: Vec<&str> = text.split(", ").collect();
    let (end, after) = parts.pop()?.split_once(" after ")?;
    landing.settled = match end {
        "still" => true,
        "stopped" => false,
        _ => return None,
    };
    landing.ms = parse_seconds(after)?;
    for part in parts.into_iter().filter(|part| *part != "nothing touched") {
        if let Some(name) = part.strip_suffix(" off") {
            landing.left.push(rules.parse_unit_name(name)?);
            continue;
        }
        let (what, rest) = part.split_once(" at ")?;
        let (at, after) = rest.split_once(" after ")?;
        landing.touches.push(Touch {
            what: match what {
                "board" => None,
                name => Some(rules.parse_unit_name(name)?),
            },
            at: Point::parse(at)?,
            ms: parse_seconds(after)?,
        });
    }
    let rests = below.iter().filter_map(|line| read_rest(rules, line, by));
    landing.rests = rests.collect();
    Some(landing)
}

/// Returns the line of the transcript about a die that came to lie elsewhere.
fn came_to_rest(
    (rules, words): (&Rules, &Words),
    unit: UnitName,
    from: Option<Pose>,
    to: Pose,
    cause: &Cause,
    exactly: bool,
) -> String {
    let exact = if exactly {
        format!(", pose {to}")
    } else {
        String::new()
    };
    format!(
        "{}  {}->{}{exact}{}",
        rules.unit_name(unit),
        pose(rules, unit.kind, from),
        pose(rules, unit.kind, Some(to)),
        because(rules, words, cause)
    )
}

/// Reads what [`came_to_rest`] wrote, if it has this cause.
fn read_rest(rules: &Rules, line: &str, by: &str) -> Option<(UnitName, Pose)> {
    let line = line.strip_suffix(by)?;
    let (name, _) = line.split_once("  ")?;
    let (_, pose) = line.rsplit_once(", pose ")?;
    Some((rules.parse_unit_name(name)?, pose.parse().ok()?))
}

/// Spelling of slot values that are not named things.
#[derive(Clone, Copy)]
pub struct EventSpelling {
    /// A flag that is not set, and one that is.
    pub flags: [&'static str; 2],
    /// No unit, no place, no faction and no direction.
    pub nothing: [&'static str; 4],
    /// Dice.
    pub dice: fn(&Pool) -> String,
}

impl EventSpelling {
    /// As lines say it.
    pub const TOLD: EventSpelling = EventSpelling {
        flags: ["no", "yes"],
        nothing: ["nobody", "nowhere", "none", "none"],
        dice: Pool::sentence,
    };

    /// As a user writes it.
    pub const WRITTEN: EventSpelling = EventSpelling {
        flags: ["false", "true"],
        nothing: ["none"; 4],
        dice: Pool::word,
    };
}

/// Returns the value of a slot in words. `unit` tells which unit a number in a slot of units means, if any.
pub fn spelled(
    rules: &Rules,
    kind: SlotKind,
    value: i64,
    unit: impl FnOnce(i64) -> Option<UnitName>,
    how: &EventSpelling,
) -> String {
    let index = usize::try_from(value).ok();
    let [nobody, nowhere, no_faction, no_direction] = how.nothing;
    let (name, nothing) = match kind {
        SlotKind::Number => return value.to_string(),
        SlotKind::Flag => return how.flags[usize::from(value != 0)].to_owned(),
        SlotKind::Dice => return (how.dice)(&Pool::from_stored(value)),
        SlotKind::Unit => (index.and_then(|_| Some(rules.unit_name(unit(value)?))), nobody),
        SlotKind::Place => {
            let place = index.filter(|i| *i < rules.board.len());
            (
                place.map(|i| rules.board.name(PlaceId(i as u16)).to_owned()),
                nowhere,
            )
        }
        SlotKind::Faction => (index.and_then(|i| rules.factions.get(i).cloned()), no_faction),
        SlotKind::Direction => (
            rules.board.direction_stored(value).map(str::to_owned),
            no_direction,
        ),
        // Only its world knows the items.
        SlotKind::Items(_) => return value.to_string(),
    };
    name.unwrap_or_else(|| nothing.to_owned())
}

/// Returns an item of a set or list in words: `c4`, or `c4:d5` for a pair.
pub fn spelled_item(
    rules: &Rules,
    items: Items,
    item: Item,
    unit: impl Fn(i64) -> Option<UnitName>,
) -> String {
    let part = |(kind, value): (ItemKind, i64)| {
        let kind = match kind {
            ItemKind::Number => SlotKind::Number,
            ItemKind::Unit => SlotKind::Unit,
            ItemKind::Place => SlotKind::Place,
            ItemKind::Faction => SlotKind::Faction,
            ItemKind::Text => {
                let text = usize::try_from(value)
                    .ok()
                    .and_then(|index| rules.slots.texts.get(index));
                return text.cloned().unwrap_or_default();
            }
        };
        spelled(rules, kind, value, &unit, &EventSpelling::TOLD)
    };
    let parts: Vec<String> = items.parts().zip(item).map(part).collect();
    parts.join(":")
}

/// Returns the content of a set or list in words: `c4, d5`, or `none`.
pub fn spelled_items(
    rules: &Rules,
    items: Items,
    all: &[Item],
    unit: impl Fn(i64) -> Option<UnitName>,
) -> String {
    let all: Vec<String> = all
        .iter()
        .map(|item| spelled_item(rules, items, *item, &unit))
        .collect();
    match all.is_empty() {
        true => "none".to_owned(),
        false => all.join(", "),
    }
}

/// Returns the recorded value of a slot, as lines of the transcript show it.
pub fn slot_value(rules: &Rules, kind: SlotKind, value: i64) -> String {
    spelled(
        rules,
        kind,
        value,
        |unit| Some(UnitName::from_stored(unit)),
        &EventSpelling::TOLD,
    )
}

/// Returns the value of a slot in words.
pub fn slot_text(world: &World, rules: &Rules, thing: Thing, index: usize, how: &EventSpelling) -> String {
    let kind = rules.slots.of(thing)[index].kind;
    let name = |value: i64| {
        let id = usize::try_from(value)
            .ok()
            .filter(|id| *id < world.unit_count())?;
        Some(world.name(UnitId::new(id)))
    };
    if let SlotKind::Items(items) = kind {
        return spelled_items(rules, items, &world.items(rules, thing, index, items), name);
    }
    spelled(rules, kind, world.slot(thing, index), name, how)
}

/// Returns the location of a unit in one word, and its pose if it is a die that lies there.
pub fn lies_told(world: &World, rules: &Rules, unit: UnitId) -> String {
    let kind = world.unit(unit).kind;
    match world.pose(unit).filter(|_| rules.die(kind).is_some()) {
        lying @ Some(_) => pose(rules, kind, lying),
        None => world.whereabouts(rules, unit),
    }
}

/// Returns the end of lines that follow from a throw.
pub fn by_throw(rules: &Rules, label: &str, who: UnitName) -> String {
    format!("  (by {label}, {})", rules.unit_name(who))
}
