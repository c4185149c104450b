//! The session as values: the play with its trail, the lines of play and the rules that it came from, what has
//! been told of it so far, and how it is shown. Knows no command, no terminal and no page; what is done with it
//! stands in the files around it.

use super::journal::Journal;
use super::kept::Branches;
use super::laying::Lain;
use super::sides::Plays;
use super::stops::{Debugging, Then};
use super::watch::Files;
use crate::agents::Agent;
use crate::kernel::ids::{FactionId, MAX_FACTIONS, TerrainSet, UnitId, UnitSet};
use crate::kernel::spot::Point;
use crate::kernel::world::World;
use crate::page::desk::Desk;
use crate::page::server::Ask;
use crate::play::{Play, Progress};
use crate::render::Style;
use crate::report::Problem;
use crate::scenario::file::ScenarioFile;
use crate::script::declare::DialValue;
use crate::script::host::Options;
use crate::script::register::Register;
use crate::script::workspace::Workspace;
use crate::stage::run::{self, Opened, Overrides};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What the play waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    /// The answer to a question.
    Asks,
    /// Nothing: the last phase has ended.
    Over,
    /// Other rules, or fewer answers: the step fails. The page is printed once.
    Failed { problem: Box<Problem>, told: bool },
}

/// What has been printed of the record.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ToldSoFar {
    /// Events that everybody has been told.
    pub(super) all: usize,
    /// Where the open hidden phase began.
    pub(super) hidden_from: Option<usize>,
    /// Events of the hidden phase that each faction has been told.
    pub(super) each: [usize; MAX_FACTIONS],
    /// Who was asked last in it.
    pub(super) asked: Option<FactionId>,
}

/// The rules as they were before they changed.
pub struct Before {
    /// Their texts, in place of what the files say now.
    pub(super) workspace: Workspace,
    /// What they were loaded with.
    pub(super) options: Options,
    /// What changed them.
    pub(super) why: String,
}

/// Where what stands on the board or table top is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    places: Vec<(UnitSet, TerrainSet)>,
    spots: Vec<(UnitId, Point)>,
}

/// A person at a play. See the module's comment.
pub struct Session {
    /// Where games and scenarios are found.
    pub workspace: Workspace,
    /// The play, with its trail.
    pub play: Play,
    /// The scenario of the play as its first chapter began, with what the command line has changed in it.
    pub file: ScenarioFile,
    /// How boards are drawn, and whether there is colour.
    pub style: Style,
    /// How wide the terminal is; boards may use all of it. `None` without one.
    pub columns: Option<usize>,
    /// How many lines it has. Boards that would not fit are drawn lower; without one all fit.
    pub rows: Option<usize>,
    /// Whether the front end completes words.
    pub completes: bool,
    /// Raised from outside to stop a long `:auto`.
    pub stop: Arc<AtomicBool>,
    pub(super) opened: Opened,
    pub(super) overrides: Overrides,
    pub(crate) state: State,
    /// The files of the workspace as the session knows them.
    pub(super) files: Files,
    /// The lines of play that are kept besides the one on the table.
    pub(super) branches: Branches,
    /// Where the session is kept as it is played.
    pub(super) journal: Option<Journal>,
    pub(super) told: ToldSoFar,
    /// The next stop of the tour, while one is under way.
    pub(super) tour: Option<usize>,
    /// Break points, and where the game is stopped within a step.
    pub(super) debug: Debugging,
    /// One person plays all sides: nothing is covered.
    pub(super) alone: bool,
    /// Sides that agents play.
    pub(crate) plays: Plays,
    /// Pages in the browser that show the table, and how what they ask comes to the session; neither where the
    /// front end has no ear for it.
    pub(crate) desk: Option<Desk>,
    pub(crate) ear: Option<Ask>,
    /// Boards are shown only when they are asked for.
    pub(super) quiet: bool,
    /// The board as it was last shown.
    pub(super) shown: Option<Layout>,
    /// The rules before the last change of them.
    pub(super) before: Option<Before>,
    /// The game's register of tweaks, as the rules in force were loaded with it.
    pub(super) register: Option<String>,
    /// What went wrong when the file was played: whether that needs care, and what.
    pub(super) notes: Vec<(bool, Problem)>,
}

impl Session {
    /// A session with this play on the table.
    pub(super) fn at(
        workspace: &Workspace,
        files: Files,
        opened: Opened,
        overrides: Overrides,
        (play, file, notes): Lain,
        style: Style,
    ) -> Self {
        let mut session = Self {
            files,
            branches: Branches::new(&play),
            journal: None,
            workspace: workspace.clone(),
            play,
            file,
            style,
            columns: None,
            rows: None,
            completes: false,
            stop: Arc::default(),
            opened,
            overrides,
            state: State::Over,
            told: ToldSoFar::default(),
            tour: None,
            debug: Debugging::default(),
            alone: false,
            plays: Plays::default(),
            desk: None,
            ear: None,
            quiet: false,
            shown: None,
            before: None,
            register: None,
            notes,
        };
        session.keep_options();
        session.shown = Some(session.layout());
        session
    }

    /// Adds to what the greeting says: whether each needs care, and what it is.
    pub(super) fn add_notes(&mut self, notes: Vec<(bool, Problem)>) {
        self.notes.extend(notes);
    }

    /// The prompt, and the faction in whose colour it is.
    pub fn prompt(&self) -> (String, Option<FactionId>) {
        if self.is_stopped() {
            return ("debug> ".to_owned(), None);
        }
        match &self.state {
            State::Over => ("done> ".to_owned(), None),
            State::Failed { .. } => ("error> ".to_owned(), None),
            State::Asks => {
                let asker = self.play.asked(|a| a.request.asker);
                let name = asker.map_or("", |f| self.play.host.rules.factions[f.index()].as_str());
                (format!("{name}> "), asker)
            }
        }
    }

    /// Whether somebody can type lines here, besides what pages send.
    pub(crate) fn has_prompt(&self) -> bool {
        self.completes
    }

    /// Boards are not printed from now on but when they are asked for.
    pub fn quiet(&mut self) {
        self.quiet = true;
    }

    /// The name of the scenario on the table; empty for a game that was begun without one.
    pub(crate) fn scenario_name(&self) -> &str {
        let file = self.opened.file.source.name.rsplit(['/', '\\']).next();
        file.map_or("", |file| file.rsplit_once('.').map_or(file, |(stem, _)| stem))
    }

    /// Whether what is typed now is somebody's secret.
    pub fn is_secret(&self) -> bool {
        self.viewer().is_some()
    }

    /// Whose secrets alone may be seen now; nobody's in particular when one person plays all sides.
    pub(crate) fn viewer(&self) -> Option<FactionId> {
        self.play.viewer().filter(|_| !self.alone)
    }

    /// Plays on to the next question, or as far as it goes.
    pub(super) fn settle(&mut self) {
        self.state = match self.play.run_on() {
            Progress::Asks | Progress::Stepped => State::Asks,
            Progress::Over => State::Over,
            Progress::Diverged(why) => State::Failed {
                problem: Box::new(Problem::new(why.to_string())),
                told: false,
            },
            Progress::Failed(problem) => State::Failed {
                problem: Box::new(run::misstated(&self.play, &self.file, *problem)),
                told: false,
            },
        };
    }

    /// Counts everything that may be seen as told, secrets to the one who is asked.
    pub(super) fn forget_untold(&mut self) {
        let events = self.play.table().events.len();
        let hidden_from = self.play.hidden_from();
        self.told.all = hidden_from.map_or(events, |from| from + 1);
        if self.told.hidden_from != hidden_from {
            self.told.hidden_from = hidden_from;
            self.told.asked = None;
        }
        self.told.each = [events; MAX_FACTIONS];
    }

    /// Whether the game is stopped within a step.
    pub(crate) fn is_stopped(&self) -> bool {
        self.debug.stop.is_some()
    }

    /// The side that is asked and the agent that plays it, if one does.
    pub(super) fn machine(&self) -> Option<(String, Agent)> {
        if self.state != State::Asks || self.is_stopped() {
            return None;
        }
        let side = self
            .play
            .asked(|a| a.rules.factions[a.request.asker.index()].clone())?;
        let agent = *self.plays.sides.get(&side)?;
        Some((side, agent))
    }

    /// Whether an agent answers next.
    pub fn is_machine_asked(&self) -> bool {
        self.plays.going && self.machine().is_some()
    }

    /// The world as it may be shown now.
    pub fn view(&self) -> World {
        if let Some(world) = self.debug.world() {
            return world;
        }
        match self.viewer() {
            Some(viewer) => self.play.view(viewer),
            None => self.play.table().world.clone(),
        }
    }

    /// Where what stands on the board is: what a board that is shown again must differ in.
    pub(super) fn layout(&self) -> Layout {
        let world = self.view();
        let places = self.play.host.rules.board.places();
        let spots = world.on_board().iter().filter_map(|u| Some((u, world.point(u)?)));
        Layout {
            places: places.iter().map(|p| (world.at(p), world.terrain(p))).collect(),
            spots: spots.collect(),
        }
    }

    /// The game's name.
    pub(super) fn game(&self) -> String {
        self.play.host.rules.game.clone()
    }

    /// Remembers how the rules in force differ from what the scenario says: `:restart` begins under them.
    pub(super) fn keep_options(&mut self) {
        let register = self.workspace.read(&Register::path(&self.game()));
        self.register = register.ok().map(|source| source.text.clone());
        let options = &self.play.host.options;
        let file = &self.opened.file;
        let named = |name: &String| file.variants.iter().any(|v| v.value == *name);
        let set = |name: &String, value: &DialValue| {
            let mut dials = file.dials.iter();
            dials.any(|(n, v)| n.value == *name && v.value == *value)
        };
        let left_out = file.variants.iter().map(|v| v.value.clone());
        let mut without: Vec<String> = left_out.filter(|v| !options.variants.contains(v)).collect();
        without.extend(options.without.iter().cloned());
        let variants = options.variants.iter().filter(|v| !named(v)).cloned();
        let dials = options.dials.iter().filter(|(n, v)| !set(n, v));
        self.overrides.variants = variants.collect();
        self.overrides.dials = dials.map(|(n, v)| (n.clone(), v.clone())).collect();
        self.overrides.without = without;
        self.overrides.scratch.clone_from(&options.scratch);
    }

    /// Before answers are taken back: leaves the stop, with play taken back to its step.
    pub(super) fn unstop(&mut self) {
        self.debug.moving = None;
        let Some(stop) = self.debug.stop.take() else {
            return;
        };
        if let (Then::Tell { .. }, Some(step)) = (&stop.walk.then, stop.walk.steps.get(stop.walk.index)) {
            self.play.go_back(step);
            self.settle();
        }
    }
}
