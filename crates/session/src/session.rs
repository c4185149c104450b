//! The session as values: the play with its trail, the lines of play and the rules that it came from, what has
//! been told of it so far, and how it is shown. Knows no command, no terminal and no page; what is done with it
//! stands in the files around it.

use crate::agents::Agent;
use crate::history::History;
use crate::journal::Journal;
use crate::kernel::event::Event;
use crate::kernel::ids::FactionId;
use crate::kernel::table::View;
use crate::kernel::world::World;
use crate::opening_files::SetupSource;
use crate::play::{Play, Progress};
use crate::players::Players;
use crate::problems;
use crate::render::Style;
use crate::report::Problem;
use crate::rules::workspace::Workspace;
use crate::session_rules::InForce;
use crate::shown::{BoardLayout, ShownState};
use crate::stage::run;
use crate::view_settings::{Pages, ViewSettings};
use crate::watched_files::WatchedFiles;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The state of the play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SessionState {
    /// The answer to a question.
    Asks,
    /// The line that starts the game: until then the empty board is laid by hand.
    Lays,
    /// Nothing: the last phase has ended.
    Over,
    /// Other rules, or fewer answers: the step fails. The page is printed once.
    Failed { problem: Box<Problem>, told: bool },
}

/// A person at a play. See the module's comment.
pub struct Session {
    /// The play, with its trail.
    pub play: Play,
    /// The state: what the play waits for.
    pub(crate) state: SessionState,
    /// The source of its set-up.
    pub set_up: SetupSource,
    /// The rules in force.
    pub rules: InForce,
    /// The tree of what was played, its branches and the cursor.
    pub history: History,
    /// The part of it that was shown.
    pub shown: ShownState,
    /// The journal that it is written to.
    pub(crate) journal: Option<Journal>,
    /// The players of the factions.
    pub(crate) plays: Players,
    /// The view settings.
    pub face: ViewSettings,
    /// The pages in the browser that show the table.
    pub pages: Pages,
    /// Raised from outside to stop a long `:auto`.
    pub stop: Arc<AtomicBool>,
}

impl Session {
    /// A session with this play on the table.
    pub(crate) fn at(
        workspace: &Workspace,
        files: WatchedFiles,
        play: Play,
        setup: SetupSource,
        style: Style,
    ) -> Self {
        let mut session = Self {
            history: History::default(),
            journal: None,
            rules: InForce::of(workspace, files),
            play,
            set_up: setup,
            face: ViewSettings {
                style,
                ..ViewSettings::default()
            },
            stop: Arc::default(),
            state: SessionState::Over,
            shown: ShownState::default(),
            plays: Players::default(),
            pages: Pages::default(),
        };
        session.history.set_laid(&session.play);
        session.keep_options();
        session.shown.shown = Some(session.layout());
        session
    }

    /// The prompt, and the faction in whose colour it is.
    pub fn prompt(&self) -> (String, Option<FactionId>) {
        match &self.state {
            SessionState::Lays => ("lay> ".to_owned(), None),
            SessionState::Over => ("done> ".to_owned(), None),
            SessionState::Failed { .. } => ("error> ".to_owned(), None),
            SessionState::Asks => {
                let asker = self.play.with_question(|a| a.request.asker);
                let name = asker.map_or("", |f| self.play.ruleset().rules.factions[f.index()].as_str());
                (format!("{name}> "), asker)
            }
        }
    }

    /// Whether what is typed now is somebody's secret.
    pub fn is_secret(&self) -> bool {
        self.viewer().is_some()
    }

    /// Refuses what would tell something that is chosen in secret.
    pub(crate) fn check_open(&self) -> Result<(), Problem> {
        match self.is_secret() && (self.is_for_machine() || self.has_secrets()) {
            true => Err(problems::secret_choice()),
            false => Ok(()),
        }
    }

    /// Refuses what is asked of a game that has begun, while an empty board is laid.
    pub(crate) fn check_begun(&self) -> Result<(), Problem> {
        match self.state {
            SessionState::Lays => Err(problems::game_not_begun()),
            _ => Ok(()),
        }
    }

    /// Whether anything was chosen, done or set by hand since the open hidden phase began.
    fn has_secrets(&self) -> bool {
        let Some(from) = self.view().since() else {
            return self.view().has_lasting_secrets();
        };
        let table = self.play.table();
        let mut since = table.events.iter().skip(from);
        let by_hand = self
            .play
            .chapters()
            .iter()
            .any(|c| c.edits.is_some() && c.from_event > from);
        let done = since.any(|event| !matches!(event, Event::Phase { .. } | Event::Step(_)));
        done || by_hand || !table.chance.forced().is_empty()
    }

    /// The first answer of one person who plays all sides, by how many they are.
    pub(crate) fn all_sides(&self) -> &'static str {
        match self.play.ruleset().rules.factions.len() {
            2 => "both",
            _ => "all",
        }
    }

    /// Returns the faction whose secrets may be seen now; none in particular if one person plays all factions.
    pub(crate) fn viewer(&self) -> Option<FactionId> {
        let viewer = self.play.view().faction().filter(|_| !self.plays.alone)?;
        let rules = &self.play.ruleset().rules;
        let is_person = |faction: &FactionId| self.plays.agent(&rules.factions[faction.index()]).is_none();
        if is_person(&viewer) {
            return Some(viewer);
        }
        // What an agent sees is nobody's to read, whether it goes on or waits: a person looks on.
        let mut people = rules.all_factions().filter(is_person);
        // Of several people it is the one who sat here last.
        let last = self
            .shown
            .asked_faction
            .filter(|faction| people.clone().any(|person| person == *faction));
        Some(last.or_else(|| people.next()).unwrap_or(viewer))
    }

    /// Plays on to the next question, or as far as it goes.
    pub(crate) fn settle(&mut self) {
        if self.set_up.file.empty {
            self.state = SessionState::Lays;
            return;
        }
        self.state = match self.play.run_on() {
            Progress::Asks | Progress::Stepped => SessionState::Asks,
            Progress::Over => SessionState::Over,
            Progress::Diverged(why) => SessionState::Failed {
                problem: Box::new(problems::refused_answer(why)),
                told: false,
            },
            Progress::Failed(problem) => SessionState::Failed {
                problem: Box::new(run::unfit_stated_rolls(&self.play, &self.set_up.file, *problem)),
                told: false,
            },
        };
        self.play
            .with_question(|question| self.shown.numbers.borrow_mut().remember(question));
    }

    /// The side that is asked and the agent that plays it, if one does.
    pub(crate) fn machine(&self) -> Option<(String, Agent)> {
        if self.state != SessionState::Asks {
            return None;
        }
        let faction = self
            .play
            .with_question(|a| a.rules.factions[a.request.asker.index()].clone())?;
        let agent = *self.plays.sides.get(&faction)?;
        Some((faction, agent))
    }

    /// Whether an agent answers next.
    pub fn is_machine_asked(&self) -> bool {
        self.plays.going && self.machine().is_some()
    }

    /// Whether what is asked is an agent's alone to know: it answers next, or it is asked in secret.
    pub fn is_for_machine(&self) -> bool {
        self.machine().is_some() && (self.plays.going || self.is_secret())
    }

    /// The table as it may be shown now.
    pub(crate) fn view(&self) -> View<'_> {
        self.play.table().view(self.viewer())
    }

    /// The world as it may be shown now.
    pub fn world(&self) -> World {
        self.view().world().into_owned()
    }

    /// Returns the layout of the board: a board is shown again only if this has changed.
    pub(crate) fn layout(&self) -> BoardLayout {
        let world = self.world();
        let places = self.play.ruleset().rules.board.places();
        let spots = world.on_board().iter().filter_map(|u| Some((u, world.point(u)?)));
        BoardLayout {
            places: places.iter().map(|p| (world.at(p), world.terrain(p))).collect(),
            spots: spots.collect(),
        }
    }

    /// The game's name.
    pub(crate) fn game(&self) -> String {
        self.play.ruleset().rules.game.clone()
    }

    /// Remembers how the rules in force differ from what the scenario says: `:restart` begins under them.
    pub(crate) fn keep_options(&mut self) {
        let ruleset = self.play.ruleset();
        self.rules.learn_register(&ruleset.rules.game);
        self.set_up.keep_options(&ruleset.options);
    }

    /// Somebody plays on.
    pub(crate) fn play_on(&mut self) {
        self.history.play_on();
        self.plays.going = true;
    }
}
