//! Events: what happened, typed; spelled as one line each only when someone reads them.

use super::choice::{Answer, Chosen, StepId};
use super::dice::Pool;
use super::effect::Cause;
use super::ground::arena::Pose;
use super::ids::{FactionId, PlaceId, TerrainId, Thing, UnitName, Who, WordId};
use super::phase::Work;
use super::region::Form;
use super::rules::{NOTHING, Rules, Slot, SlotKind, Words};
use super::spot::Spot;
use super::thrown::{self, Record};
use super::world::{Outcome, World};
use std::sync::Arc;

/// Makes the kinds of events from one table: name, what data call it, and its parts.
macro_rules! events {
    ($($(#[$doc:meta])* $name:ident $kind:literal { $($(#[$of:meta])* $part:ident: $type:ty,)* })*) => {
        /// One thing that happened.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Event {
            /// A phase began; `iteration` counts from 1 for repeating phases, else 0.
            Phase {
                /// The phase, by index.
                phase: u8,
                /// How often it has begun.
                iteration: u16,
            },
            /// A step in which something happened began.
            Step(StepId),
            /// A question was answered.
            Chose(Answer),
            /// A slot changed.
            Changed {
                /// Whose slot.
                who: Who,
                /// Its index in the schema.
                slot: u8,
                /// Before.
                from: i64,
                /// After.
                to: i64,
                /// Why.
                cause: Cause,
            },
            $($(#[$doc])* $name { $($(#[$of])* $part: $type),* },)*
        }

        impl Event {
            /// What kind of event it is, in a word.
            pub fn kind(&self) -> &'static str {
                match self {
                    Event::Phase { .. } => "phase",
                    Event::Step(_) => "step",
                    Event::Chose(_) => "choice",
                    Event::Changed { .. } => "change",
                    $(Event::$name { .. } => $kind,)*
                }
            }

            /// What it is about, by name, where its parts say that by themselves.
            pub fn parts(&self) -> Vec<(&'static str, Part<'_>)> {
                match self {
                    Event::Phase { .. } | Event::Step(_) | Event::Chose(_) | Event::Changed { .. } => Vec::new(),
                    $(Event::$name { $($part),* } => vec![$((stringify!($part), Part::from($part))),*],)*
                }
            }
        }
    };
}

/// The table of the kinds of events that say by the types of their parts what they are about: what is done alike with
/// each of them is a macro that is handed the table.
macro_rules! event_kinds {
    ($with:ident) => {
        $with! {
            /// Dice were rolled.
            Rolled "roll" {
                /// For whom.
                who: Who,
                /// What for.
                label: WordId,
                /// The dice.
                dice: Pool,
            }
            /// A roll counts as other dice than it showed.
            Counted "roll replaced" {
                /// For whom it was rolled.
                who: Who,
                /// What for.
                label: WordId,
                /// What it counts as.
                dice: Pool,
            }
            /// A die was thrown. Where dice came to rest is told by what follows.
            Threw "throw" {
                /// The die.
                unit: UnitName,
                /// What for.
                label: WordId,
                /// How, and what came of it.
                record: Arc<Record>,
            }
            /// A die came to lie elsewhere, or otherwise.
            Lay "die moved" {
                /// The die.
                unit: UnitName,
                /// Before; `None` is the reserve.
                from: Option<Pose>,
                /// After.
                to: Pose,
                /// Why.
                cause: Cause,
            }
            /// A unit came to stand elsewhere; `None` is the reserve.
            Moved "move" {
                /// The unit.
                unit: UnitName,
                /// Before.
                from: Option<Spot>,
                /// After.
                to: Option<Spot>,
                /// Why.
                cause: Cause,
            }
            /// A unit was removed from play.
            Removed "removal" {
                /// The unit.
                unit: UnitName,
                /// Where it stood.
                from: Option<Spot>,
                /// Why.
                cause: Cause,
            }
            /// A unit was not removed, for its rules did not allow it.
            Spared "no removal" {
                /// The unit.
                unit: UnitName,
                /// Why not.
                reason: WordId,
                /// Why it would have been.
                cause: Cause,
            }
            /// Terrain was laid in a place.
            Laid "terrain laid" {
                /// The place.
                place: PlaceId,
                /// What was laid.
                terrain: TerrainId,
                /// The outline of a piece on a table top.
                outline: Option<Form>,
                /// Why.
                cause: Cause,
            }
            /// Terrain was taken away from a place.
            Lifted "terrain lifted" {
                /// The place.
                place: PlaceId,
                /// What was taken away.
                terrain: TerrainId,
                /// Why.
                cause: Cause,
            }
            /// A unit joined a faction.
            Enlisted "enlisting" {
                /// The unit.
                unit: UnitName,
                /// Why.
                cause: Cause,
            }
            /// A unit came to another faction or type, and so to another name.
            Renamed "renaming" {
                /// What it was called.
                unit: UnitName,
                /// What it is called.
                to: UnitName,
                /// Why.
                cause: Cause,
            }
            /// A faction's units were forgotten.
            Disbanded "disbanding" {
                /// The faction.
                faction: FactionId,
                /// Why.
                cause: Cause,
            }
            /// A unit was released from its engagement.
            Released "release" {
                /// The unit.
                unit: UnitName,
                /// Why.
                cause: Cause,
            }
            /// A unit did not come to stand elsewhere, or, where it is, to another faction: of those who came at the same
            /// time, others were first.
            Stayed "stay" {
                /// The unit.
                unit: UnitName,
                /// Where it is; `None` is the reserve.
                place: Option<Spot>,
                /// Where there is no room left.
                full: Spot,
                /// Why it would have come.
                cause: Cause,
            }
            /// A faction became first in turn order.
            First "turn order" {
                /// The faction.
                first: FactionId,
                /// Why.
                cause: Cause,
            }
            /// A contest ended.
            Finished "end" {
                /// How.
                outcome: Outcome,
                /// Who brought it about.
                by: Who,
            }
            /// Something that happened under earlier rules and cannot be said in the words of these.
            Told "told" {
                /// Its line as it was.
                line: WordId,
                /// Whether it followed from a step, see [`Event::is_consequence`].
                follows: bool,
            }
        }
    };
}
pub(crate) use event_kinds;

event_kinds!(events);

/// A part of an event: what it says of units, places and dice.
#[derive(Debug, Clone, Copy)]
pub enum Part<'a> {
    /// A unit.
    Unit(UnitName),
    /// Where something is; `None` is the reserve.
    Spot(Option<Spot>),
    /// Whom something is about.
    Who(Who),
    /// A word of the scripts.
    Word(WordId),
    /// A place.
    Place(PlaceId),
    /// A kind of terrain.
    Terrain(TerrainId),
    /// The outline of a piece of terrain.
    Outline(Option<Form>),
    /// A faction.
    Faction(FactionId),
    /// Dice.
    Dice(&'a Pool),
    /// Why it happened.
    Cause(&'a Cause),
    /// What says more than a word.
    Other,
}

/// From a part's type to its kind.
macro_rules! parts {
    ($($type:ty => |$part:ident| $made:expr,)*) => {
        $(impl<'a> From<&'a $type> for Part<'a> {
            fn from($part: &'a $type) -> Self {
                $made
            }
        })*
    };
}

parts! {
    UnitName => |unit| Part::Unit(*unit),
    Option<Spot> => |spot| Part::Spot(*spot),
    Spot => |spot| Part::Spot(Some(*spot)),
    Who => |who| Part::Who(*who),
    WordId => |word| Part::Word(*word),
    PlaceId => |place| Part::Place(*place),
    TerrainId => |terrain| Part::Terrain(*terrain),
    Option<Form> => |outline| Part::Outline(*outline),
    FactionId => |faction| Part::Faction(*faction),
    Pool => |dice| Part::Dice(dice),
    Cause => |cause| Part::Cause(cause),
    Arc<Record> => |_record| Part::Other,
    Option<Pose> => |_pose| Part::Other,
    Pose => |_pose| Part::Other,
    Outcome => |_outcome| Part::Other,
    bool => |_flag| Part::Other,
}

impl Event {
    /// Makes what the event tells happen to a world, which must be the one before it.
    pub fn redo(&self, rules: &Rules, world: &mut World) {
        let thing = |world: &World, who: &Who| match who {
            Who::Game => Some(Thing::Game),
            Who::Faction(f) => Some(Thing::Faction(*f)),
            Who::Place(p) => Some(Thing::Place(*p)),
            Who::Unit(u) => world.find(*u).map(Thing::Unit),
        };
        let unit = |world: &World, name: &UnitName| world.find(*name);
        match self {
            Event::Changed { who, slot, to, .. } => {
                if let Some(thing) = thing(world, who) {
                    world.set_slot(thing, *slot as usize, held(rules, world, thing, *slot, *to));
                }
            }
            Event::Moved { unit: name, to, .. } => {
                if let Some(unit) = unit(world, name) {
                    match to {
                        Some(spot) => world.put(unit, *spot),
                        None => world.reserve(unit),
                    }
                }
            }
            Event::Lay { unit: name, to, .. } => {
                if let Some(unit) = unit(world, name) {
                    world.lay_die(unit, *to);
                }
            }
            Event::Removed { unit: name, .. } => {
                if let Some(unit) = unit(world, name) {
                    world.remove(unit);
                }
            }
            Event::Laid {
                place,
                terrain,
                outline,
                ..
            } => world.lay_as(*place, *terrain, *outline),
            Event::Lifted { place, terrain, .. } => world.lift(*place, *terrain),
            Event::Enlisted { unit: name, .. } => {
                world.enlist(rules, name.owner, name.kind);
            }
            Event::Renamed { unit: name, to, .. } => {
                if let Some(unit) = unit(world, name) {
                    world.rename(unit, *to);
                }
            }
            Event::Disbanded { faction, .. } => world.disband(rules, *faction),
            Event::Released { unit: name, .. } => {
                if let Some(unit) = unit(world, name) {
                    world.release(unit);
                }
            }
            Event::First { first, .. } => world.set_first(*first, rules.factions.len()),
            Event::Finished { outcome, .. } => world.outcome = Some(*outcome),
            Event::Phase { .. }
            | Event::Step(_)
            | Event::Chose(_)
            | Event::Rolled { .. }
            | Event::Threw { .. }
            | Event::Counted { .. }
            | Event::Spared { .. }
            | Event::Stayed { .. }
            | Event::Told { .. } => {}
        }
    }

    /// The unit that came to stand or lie somewhere, from where (`None` is the reserve) and where to.
    pub fn came(&self) -> Option<(UnitName, Option<Spot>, Spot)> {
        match *self {
            Event::Moved {
                unit,
                from,
                to: Some(to),
                ..
            } => Some((unit, from, to)),
            Event::Lay { unit, from, to, .. } => {
                let spot = |pose: Pose| Spot::Point(pose.point());
                Some((unit, from.map(spot), spot(to)))
            }
            _ => None,
        }
    }

    /// Whether the event follows from a step (its line is indented), rather than being the step,
    /// an answer or a roll.
    pub fn is_consequence(&self) -> bool {
        match self {
            Event::Phase { .. }
            | Event::Step(_)
            | Event::Chose(_)
            | Event::Rolled { .. }
            | Event::Threw { .. } => false,
            Event::Told { follows, .. } => *follows,
            _ => true,
        }
    }

    /// The event as one line, without indent. Boards at round starts are drawn by others.
    pub fn line(&self, rules: &Rules, words: &Words) -> String {
        let name = |unit: &UnitName| rules.unit_name(*unit);
        let place = |spot: &Option<Spot>| spot.map_or("reserve".to_owned(), |s| s.name(rules));
        let because = |cause: &Cause| because(rules, words, cause);
        match self {
            Event::Phase { phase, iteration } => heading(rules, *phase, *iteration),
            Event::Step(step) => step_name(rules, *step),
            Event::Chose(answer) => answer_line(rules, words, answer),
            Event::Rolled { who, label, dice } => {
                let who = match who {
                    Who::Game => "game".to_owned(),
                    who => rules.who(*who),
                };
                format!("{who} rolled {}: {dice}", words.text(*label))
            }
            Event::Threw { unit, label, record } => {
                let told = thrown::line(rules, &record.told);
                format!("{} threw {}: {told}", name(unit), words.text(*label))
            }
            Event::Lay {
                unit,
                from,
                to,
                cause,
            } => thrown::rest_line((rules, words), *unit, *from, *to, cause),
            Event::Counted { who, label, dice } => {
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
                let (from, to) = (
                    slot_value(rules, slot.kind, *from),
                    slot_value(rules, slot.kind, *to),
                );
                format!("{owner}  {} {from}->{to}{}", slot.name, because(cause))
            }
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
            Event::Released { unit, cause } => {
                format!("{}  stays out of its engagement{}", name(unit), because(cause))
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
            Event::Told { line, .. } => words.text(*line).to_owned(),
        }
    }
}

/// Whose slot it is, as lines name them, and the slot.
pub fn slot_of(rules: &Rules, who: Who, slot: u8) -> (String, &Slot) {
    let (owner, schema) = match who {
        Who::Game => ("game".to_owned(), &rules.slots.game),
        Who::Faction(_) => (rules.who(who), &rules.slots.faction),
        Who::Place(_) => (rules.who(who), &rules.slots.place),
        Who::Unit(_) => (rules.who(who), &rules.slots.unit),
    };
    (owner, &schema[slot as usize])
}

/// The heading of a phase, marked as deep as it nests; `iteration` is 0 for one that does not repeat.
pub fn heading(rules: &Rules, phase: u8, iteration: u16) -> String {
    let marks = "=".repeat(super::phase::depth(&rules.phases, phase));
    let name = &rules.phases[phase as usize].name;
    match iteration {
        0 => format!("{marks} {name}"),
        n => format!("{marks} {name} {n}"),
    }
}

/// The readable name of a step, such as `red activates red.scouts1` or `ranged: red.scouts1`.
pub fn step_name(rules: &Rules, step: StepId) -> String {
    let phase = &rules.phases[step.phase as usize];
    if step.rejoins {
        return format!("{} is engaged again", rules.who(step.about));
    }
    if let Some(cut) = step.interrupts {
        let declared = super::phase::interrupts_of(&rules.phases, step.phase);
        let name = declared.get(cut.index as usize).map_or("?", |i| i.name.as_str());
        let (who, after) = (rules.who(step.about), rules.unit_name(cut.after));
        return format!("{name}: {who} after {after}{}", once_more(step.again));
    }
    match (&phase.work, step.about) {
        (Work::Turn { .. }, Who::Unit(unit)) => {
            format!(
                "{} activates {}{}",
                rules.factions[unit.owner.index()],
                rules.unit_name(unit),
                once_more(step.again)
            )
        }
        (Work::Turn { .. }, Who::Game) if step.again > 0 => format!("{}, turn {}", phase.name, step.again),
        (_, Who::Game) => phase.name.clone(),
        (_, who) => format!("{}: {}", phase.name, rules.who(who)),
    }
}

/// What stands behind the name of a step that was there so often before.
pub fn once_more(again: u16) -> String {
    match again {
        0 => String::new(),
        n => format!(", time {}", u32::from(n) + 1),
    }
}

/// Where in the repeating phases a step lies, such as `game 1, round 2`; empty outside of any.
pub fn place_of(rules: &Rules, step: StepId) -> String {
    let repeats = super::phase::repeats_around(&rules.phases, step.phase);
    let parts: Vec<String> = repeats
        .iter()
        .zip(step.path)
        .map(|(phase, n)| format!("{} {n}", rules.phases[*phase as usize].name))
        .collect();
    parts.join(", ")
}

/// The word under which the pick of the next unit to activate is asked.
pub const ACTIVATES: &str = "activates";

/// What is answered instead by who passes.
pub const PASS: &str = "pass";
/// How a record says that a faction passes.
pub const PASSES: &str = "passes";

/// What stands behind an answer that nobody had to give.
pub const ONLY: &str = "  (only option)";

fn answer_line(rules: &Rules, words: &Words, answer: &Answer) -> String {
    let asker = &rules.factions[answer.asker.index()];
    let label = words.text(answer.label);
    let key = answer.chosen.key(rules, words);
    let only = if answer.only { ONLY } else { "" };
    if answer.step.pick > 0 {
        return match answer.chosen {
            Chosen::Word(_) => format!("{asker} {PASSES}{only}"),
            _ => format!("{asker} {label} {key}{only}"),
        };
    }
    match answer.subject {
        Who::Game => format!("{asker} chose {label}: {key}{only}"),
        subject => format!("{asker} chose {label} for {}: {key}{only}", rules.who(subject)),
    }
}

/// Why, behind a line.
pub fn because(rules: &Rules, words: &Words, cause: &Cause) -> String {
    match (cause.word, cause.by) {
        (None, Who::Game) => String::new(),
        (Some(word), Who::Game) => format!("  (by {})", words.text(word)),
        (None, by) => format!("  (by {})", rules.who(by)),
        (Some(word), by) => format!("  (by {}, {})", words.text(word), rules.who(by)),
    }
}

/// What a slot held by its record, where units are told by name.
pub fn held(rules: &Rules, world: &World, thing: Thing, slot: u8, recorded: i64) -> i64 {
    match rules.slots.of(thing)[slot as usize].kind {
        SlotKind::Unit if recorded != NOTHING => {
            let unit = world.find(UnitName::from_stored(recorded));
            unit.map_or(NOTHING, |unit| unit.index() as i64)
        }
        _ => recorded,
    }
}

/// How what slots hold is spelled where it is no thing with a name.
#[derive(Clone, Copy)]
pub struct Spelling {
    /// A flag that is not set, and one that is.
    pub flags: [&'static str; 2],
    /// No unit, no place, no faction and no direction.
    pub nothing: [&'static str; 4],
    /// Dice.
    pub dice: fn(&Pool) -> String,
}

impl Spelling {
    /// As lines say it.
    pub const TOLD: Spelling = Spelling {
        flags: ["no", "yes"],
        nothing: ["nobody", "nowhere", "none", "none"],
        dice: Pool::told,
    };

    /// As a user writes it.
    pub const WRITTEN: Spelling = Spelling {
        flags: ["false", "true"],
        nothing: ["none"; 4],
        dice: Pool::word,
    };
}

/// What a slot holds, in words. `unit` tells which unit a number in a slot of units means, if any.
pub fn spelled(
    rules: &Rules,
    kind: SlotKind,
    value: i64,
    unit: impl FnOnce(i64) -> Option<UnitName>,
    how: &Spelling,
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
    };
    name.unwrap_or_else(|| nothing.to_owned())
}

/// What a slot held by its record, as lines say it.
pub fn slot_value(rules: &Rules, kind: SlotKind, value: i64) -> String {
    spelled(
        rules,
        kind,
        value,
        |unit| Some(UnitName::from_stored(unit)),
        &Spelling::TOLD,
    )
}
