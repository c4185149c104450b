//! The part of a play that was shown, and what waits to be shown.

use crate::kernel::ids::{FactionId, MAX_FACTIONS, TerrainSet, TypeId, UnitId, UnitSet};
use crate::kernel::spot::Point;
use crate::option_text::Numbers;
use crate::play::Play;
use crate::report::Problem;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The layout of the board or table top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardLayout {
    pub(crate) places: Vec<(UnitSet, TerrainSet)>,
    pub(crate) spots: Vec<(UnitId, Point)>,
}

/// See the module's comment.
#[derive(Default)]
pub struct ShownState {
    /// Events that everybody has been told.
    pub(crate) all: usize,
    /// The event with which the open hidden phase began.
    pub(crate) hidden_since: Option<usize>,
    /// Events of the hidden phase that each faction has been told.
    pub(crate) each: [usize; MAX_FACTIONS],
    /// The faction that was asked last in it.
    pub(crate) asked_faction: Option<FactionId>,
    /// The board as it was last shown.
    pub shown: Option<BoardLayout>,
    /// That boards are drawn small where they are higher than the terminal was told.
    pub(crate) small: bool,
    /// The rolls of which it was told that the seed goes on where the script ends.
    pub(crate) beyond_script: BTreeSet<String>,
    /// The numbers of the options.
    pub numbers: Rc<RefCell<Numbers>>,
    /// Unit types that questions have offered: after how many given answers each was first.
    pub(crate) introduced: BTreeMap<TypeId, usize>,
    /// The next stop of the tour, while one is under way.
    pub(crate) tour: Option<usize>,
    /// The group of commands with which Enter continues `:help all`, where it did not fit on the screen.
    pub(crate) help: Option<usize>,
    /// Problems of playing the file, each with whether it needs care.
    pub(crate) notes: Vec<(bool, Problem)>,
}

impl ShownState {
    /// Nothing is told yet of the record of the play that is on the table now.
    pub(crate) fn begin_again(&mut self) {
        (self.all, self.hidden_since, self.asked_faction) = (0, None, None);
        self.each = [0; MAX_FACTIONS];
        self.beyond_script.clear();
    }

    /// A hidden phase is open now that began there, or none is. Whether that is another than before.
    pub(crate) fn is_another_secret(&mut self, since: Option<usize>) -> bool {
        let another = self.hidden_since != since;
        if another {
            self.hidden_since = since;
            self.asked_faction = None;
        }
        another
    }

    /// Counts everything that may be seen as told, secrets to the one who is asked.
    pub(crate) fn forget_untold(&mut self, play: &Play) {
        self.all = play.view().public_events();
        self.is_another_secret(play.view().since());
        self.each = [play.table().events.len(); MAX_FACTIONS];
    }

    /// From that event on the record is another than was told.
    pub(crate) fn forget_from(&mut self, event: usize) {
        self.all = self.all.min(event);
        for shown in &mut self.each {
            *shown = (*shown).min(event);
        }
    }
}
