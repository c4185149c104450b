//! Arrows and badges for the last events: read from typed events, never from their lines.

use super::ground;
use crate::kernel::event::Event;
use crate::kernel::ids::{PlaceSet, RecordedThing, UnitName};
use crate::kernel::rules::Rules;
use crate::kernel::spot::{Point, Spot};
use crate::kernel::world::World;
use std::collections::BTreeMap;

/// Part of the past that a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Span {
    /// Nothing: the position alone.
    None,
    /// The last step in which something moved or was hit.
    Step,
    /// The last phase in which something did.
    #[default]
    Phase,
    /// The last turn of the innermost repeating phase in which something did.
    Round,
    /// Everything.
    All,
}

impl Span {
    /// The words for it, as users write them.
    pub const WORDS: [(&'static str, Span); 5] = [
        ("none", Span::None),
        ("step", Span::Step),
        ("phase", Span::Phase),
        ("round", Span::Round),
        ("all", Span::All),
    ];

    /// The events that are told, at the end of all events so far.
    pub fn of<'e>(self, rules: &Rules, events: &'e [Event]) -> &'e [Event] {
        let last = events.iter().rposition(|e| shows(rules, e));
        let Some(last) = last.filter(|_| self != Span::None) else {
            return &events[events.len()..];
        };
        let starts = |event: &Event| match self {
            Span::Step => begins_step(event),
            Span::Phase => matches!(event, Event::Phase { .. }),
            Span::Round => matches!(event, Event::Phase { iteration, .. } if *iteration > 0),
            Span::None | Span::All => false,
        };
        let first = events[..last].iter().rposition(starts).unwrap_or(0);
        &events[first..]
    }
}

/// Whether a step, or a phase, begins with the event.
pub fn begins_step(event: &Event) -> bool {
    match event {
        Event::Step(_) | Event::Phase { .. } => true,
        Event::Chose(answer) => answer.step.pick > 0,
        _ => false,
    }
}

/// The places in which terrain was laid since the last step or choice of these events began.
pub fn laid_last(events: &[Event]) -> PlaceSet {
    let begins = |e: &Event| begins_step(e) || matches!(e, Event::Chose(_));
    let first = events.iter().rposition(begins).unwrap_or(0);
    let places = events[first..].iter().filter_map(|event| match event {
        Event::Laid { place, .. } => Some(*place),
        _ => None,
    });
    places.collect()
}

/// Whether a picture shows the event.
fn shows(rules: &Rules, event: &Event) -> bool {
    match event {
        Event::Moved { .. } | Event::Lay { .. } => event.arrival().is_some_and(|(_, from, _)| from.is_some()),
        Event::Removed { from, .. } => from.is_some(),
        Event::Threw { .. } => true,
        Event::Changed { .. } => hit(rules, event).is_some() || gain(event).is_some(),
        _ => false,
    }
}

/// A change of what keeps a unit in play: of its life, or of any slot whose fall to 0 calls a hook.
fn hit(rules: &Rules, event: &Event) -> Option<(UnitName, i64, RecordedThing)> {
    match event {
        Event::Changed {
            who: RecordedThing::Unit(unit),
            slot,
            from,
            to,
            cause,
        } => rules
            .is_vital(*slot as usize)
            .then_some((*unit, to.saturating_sub(*from), cause.by)),
        _ => None,
    }
}

/// A change that a unit made of a faction's number.
fn gain(event: &Event) -> Option<(UnitName, usize, i64)> {
    match event {
        Event::Changed {
            who: RecordedThing::Faction(faction),
            from,
            to,
            cause,
            ..
        } => match cause.by {
            RecordedThing::Unit(unit) => Some((unit, faction.index(), to.saturating_sub(*from))),
            _ => None,
        },
        _ => None,
    }
}

/// The way of a move that led around something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BentLine {
    /// The number of the event.
    pub event: usize,
    /// Unit that moved, gained or fell.
    pub unit: UnitName,
    /// From where.
    pub from: Point,
    /// End of the move.
    pub to: Point,
    /// The corners between both.
    pub by: Vec<Point>,
}

/// Event with the place where it happened, as it was at the time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DepictedAct {
    /// A unit went from one spot to another.
    Went {
        /// Unit that moved, gained or fell.
        unit: UnitName,
        /// From where.
        from: Spot,
        /// End of the move.
        to: Spot,
    },
    /// A unit's life changed.
    Hit {
        /// Unit whose life changed.
        unit: UnitName,
        /// Spot where it stood.
        at: Spot,
        /// Unit that caused it and its spot, if a unit did.
        by: Option<(UnitName, Spot)>,
        /// By how much.
        by_how_much: i64,
        /// For what, in the rules' word.
        word: Option<crate::kernel::ids::WordId>,
    },
    /// A unit changed a faction's number.
    Gained {
        /// Unit that moved, gained or fell.
        unit: UnitName,
        /// Spot where it stood.
        at: Spot,
        /// Faction that has the number, by index.
        faction: usize,
        /// The slot.
        slot: u8,
        /// By how much.
        by_how_much: i64,
    },
    /// A unit was removed.
    Fell {
        /// Unit that moved, gained or fell.
        unit: UnitName,
        /// Spot where it stood.
        at: Spot,
    },
}

/// Returns the deeds in these events, in order. They end at this world, which says where everybody stands now and what
/// it is called; where they stood before is found by going back through them.
pub fn deeds(rules: &Rules, world: &World, events: &[Event]) -> Vec<DepictedAct> {
    let mut places: BTreeMap<UnitName, Spot> = world
        .on_board()
        .iter()
        .filter_map(|u| Some((world.name(u), world.spot(u)?)))
        .collect();
    let mut deeds = Vec::new();
    // What is called otherwise in the end, by its name at the time.
    let mut renamed: BTreeMap<UnitName, UnitName> = BTreeMap::new();
    for event in events.iter().rev() {
        let called = |unit: UnitName| renamed.get(&unit).copied().unwrap_or(unit);
        match event {
            Event::Renamed { unit, to, .. } => {
                renamed.insert(*unit, called(*to));
            }
            Event::Moved {
                unit, from, to: None, ..
            } => {
                match from {
                    Some(spot) => places.insert(called(*unit), *spot),
                    None => places.remove(&called(*unit)),
                };
            }
            Event::Moved { .. } | Event::Lay { .. } => {
                let Some((unit, from, to)) = event.arrival() else {
                    continue;
                };
                let unit = called(unit);
                match from {
                    Some(from) => {
                        places.insert(unit, from);
                        deeds.push(DepictedAct::Went { unit, from, to });
                    }
                    None => {
                        places.remove(&unit);
                    }
                }
            }
            Event::Removed {
                unit,
                from: Some(from),
                ..
            } => {
                let unit = called(*unit);
                places.insert(unit, *from);
                deeds.push(DepictedAct::Fell { unit, at: *from });
            }
            Event::Changed { slot, cause, .. } => {
                if let Some((unit, by_how_much, by)) = hit(rules, event)
                    && let unit = called(unit)
                    && let Some(at) = places.get(&unit)
                {
                    let by = match by {
                        RecordedThing::Unit(by) => places.get(&called(by)).map(|p| (called(by), *p)),
                        _ => None,
                    };
                    deeds.push(DepictedAct::Hit {
                        unit,
                        at: *at,
                        by: by.filter(|(who, _)| *who != unit),
                        by_how_much,
                        word: cause.word,
                    });
                } else if let Some((unit, faction, by_how_much)) = gain(event)
                    && let unit = called(unit)
                    && let Some(at) = places.get(&unit)
                {
                    deeds.push(DepictedAct::Gained {
                        unit,
                        at: *at,
                        faction,
                        slot: *slot,
                        by_how_much,
                    });
                }
            }
            _ => {}
        }
    }
    deeds.reverse();
    deeds
}

/// Meaning of an arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ArrowKind {
    /// Somebody went there.
    Move,
    /// Somebody was hit from there.
    Hit,
}

/// A move or an attack.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Arrow {
    /// Meaning of the arrow.
    pub kind: ArrowKind,
    /// Owner, by faction index.
    pub side: usize,
    /// The unit's name.
    pub unit: String,
    /// Start of the arrow.
    pub from: ground::PaperPoint,
    /// End of the arrow.
    pub to: ground::PaperPoint,
    /// The corners of its way; none where it leads straight there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by: Vec<ground::PaperPoint>,
    /// The ability or the like; empty for moves.
    pub word: String,
}
