//! Events as data: what each kind is called, and what its parts are by their types.

use crate::dice::Pool;
use crate::event::{Event, SlotItem};
use crate::ids::{Cause, FactionId, PlaceId, RecordedThing, TerrainId, UnitName, WordId};
use crate::pose::Pose;
use crate::spot::{Form, Spot};
use crate::throws::ThrowRecord;
use crate::world::Outcome;
use std::sync::Arc;

/// Says of each kind of event what data call it and what its parts are, from the table of the kinds.
macro_rules! events_as_data {
    ($($(#[$_doc:meta])* $name:ident $kind:literal { $($(#[$_of:meta])* $part:ident: $_type:ty,)* })*) => {
        impl Event {
            /// Returns the kind of the event, in a word.
            pub fn kind(&self) -> &'static str {
                match self {
                    Event::Phase { .. } => "phase",
                    Event::Step(_) => "step",
                    Event::Chose(_) => "choice",
                    Event::Changed { .. } => "change",
                    $(Event::$name { .. } => $kind,)*
                }
            }

            /// Returns the parts of the event, by name, where its parts say that by themselves.
            pub fn parts(&self) -> Vec<(&'static str, EventPart<'_>)> {
                match self {
                    Event::Phase { .. } | Event::Step(_) | Event::Chose(_) | Event::Changed { .. } => Vec::new(),
                    $(Event::$name { $($part),* } => vec![$((stringify!($part), EventPart::from($part))),*],)*
                }
            }
        }
    };
}
crate::event_kinds!(events_as_data);

/// A part of an event: what it says of units, places and dice.
#[derive(Debug, Clone, Copy)]
pub enum EventPart<'a> {
    /// A unit.
    Unit(UnitName),
    /// Spot of something; `None` is the reserve.
    Spot(Option<Spot>),
    /// Subject of something.
    Who(RecordedThing),
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
    /// Content that is more than a word.
    Other,
}

/// From a part's type to its kind.
macro_rules! parts {
    ($($type:ty => |$part:ident| $made:expr,)*) => {
        $(impl<'a> From<&'a $type> for EventPart<'a> {
            fn from($part: &'a $type) -> Self {
                $made
            }
        })*
    };
}

parts! {
    UnitName => |unit| EventPart::Unit(*unit),
    Option<Spot> => |spot| EventPart::Spot(*spot),
    Spot => |spot| EventPart::Spot(Some(*spot)),
    RecordedThing => |who| EventPart::Who(*who),
    WordId => |word| EventPart::Word(*word),
    PlaceId => |place| EventPart::Place(*place),
    TerrainId => |terrain| EventPart::Terrain(*terrain),
    Option<Form> => |outline| EventPart::Outline(*outline),
    FactionId => |faction| EventPart::Faction(*faction),
    Pool => |dice| EventPart::Dice(dice),
    Cause => |cause| EventPart::Cause(cause),
    Arc<ThrowRecord> => |_record| EventPart::Other,
    Option<Pose> => |_pose| EventPart::Other,
    Pose => |_pose| EventPart::Other,
    Outcome => |_outcome| EventPart::Other,
    SlotItem => |_item| EventPart::Other,
    bool => |_flag| EventPart::Other,
}
