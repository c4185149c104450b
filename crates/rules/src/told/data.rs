//! Events as data: what each kind is called, and what its parts are by their types.

use crate::kernel::dice::Pool;
use crate::kernel::event::{Event, event_kinds};
use crate::kernel::ground::arena::Pose;
use crate::kernel::ids::{Cause, FactionId, PlaceId, TerrainId, UnitName, Who, WordId};
use crate::kernel::spot::{Form, Spot};
use crate::kernel::thrown::Record;
use crate::kernel::world::Outcome;
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
            pub fn parts(&self) -> Vec<(&'static str, Part<'_>)> {
                match self {
                    Event::Phase { .. } | Event::Step(_) | Event::Chose(_) | Event::Changed { .. } => Vec::new(),
                    $(Event::$name { $($part),* } => vec![$((stringify!($part), Part::from($part))),*],)*
                }
            }
        }
    };
}
event_kinds!(events_as_data);

/// A part of an event: what it says of units, places and dice.
#[derive(Debug, Clone, Copy)]
pub enum Part<'a> {
    /// A unit.
    Unit(UnitName),
    /// Spot of something; `None` is the reserve.
    Spot(Option<Spot>),
    /// Subject of something.
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
    /// Content that is more than a word.
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
