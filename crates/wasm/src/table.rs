//! The session of a page without a server: the page keeps what it shows, the files that were changed and the journal.

use crate::host::ScriptHost;
use rulebench_lang::report::Problems;
use rulebench_lang::work::Work;
use rulebench_play::stage::run::Overrides;
use rulebench_present::render::Style;
use rulebench_rules::workspace::{Texts, Workspace, WorkspaceFiles};
use rulebench_session::commands;
use rulebench_session::journal::{JournalSink, JournalText};
use rulebench_session::page::PageRequest;
use rulebench_session::page::page_session::PageHost;
use rulebench_session::session::Session;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// The message that opens a session.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The texts of the workspace by path.
    files: BTreeMap<String, String>,
    /// The game, scenario or transcript to put on the table, by name or path.
    #[serde(default)]
    start: Option<String>,
    /// Variants, dials and seed.
    #[serde(default)]
    overrides: Overrides,
    /// The journal of an earlier session, which goes on.
    #[serde(default)]
    journal: Option<String>,
    /// Whether the page first shows the front door, where one chooses how to begin; not if there is a journal.
    #[serde(default)]
    door: bool,
}

/// The news of a message that the page shows and keeps.
#[derive(Debug, Serialize)]
pub struct Shown {
    /// The state of the page, if it has changed.
    state: Option<Value>,
    /// Time until the agent that is asked may answer, in milliseconds; `None` if a person is asked.
    turn: Option<u64>,
    /// Files that were written, by path, or removed.
    files: BTreeMap<String, Option<String>>,
    /// The new part of the journal.
    journal: Option<JournalPart>,
}

/// A part of the journal.
#[derive(Debug, Serialize)]
struct JournalPart {
    /// Whether it replaces all that was there before, or is appended.
    whole: bool,
    text: String,
}

/// The last state that the page was given to show, until it is taken.
#[derive(Clone, Default)]
struct LastState(Arc<Mutex<Option<Value>>>);

impl LastState {
    fn set(&self, state: Option<Value>) -> Option<Value> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *last, state)
    }
}

/// The page itself.
impl PageHost for LastState {
    fn address(&self) -> String {
        "this page".to_owned()
    }

    fn browse(&self) -> bool {
        false
    }

    fn show(&self, state: &Value) {
        self.set(Some(state.clone()));
    }

    fn can_leave(&self) -> bool {
        false
    }

    fn pages(&self) -> usize {
        1
    }
}

/// A session, and what the page has not been told of it yet.
pub struct Table {
    session: Session,
    files: Texts,
    journal: JournalSink,
    last: LastState,
}

impl Table {
    /// Opens a session.
    ///
    /// # Errors
    ///
    /// As [`Session::new`] and [`Session::of_records`].
    pub fn open(opening: Opening) -> Result<Self, Problems> {
        let files = Texts::new(opening.files);
        let workspace = Workspace::from(WorkspaceFiles::Texts(files.clone()));
        let workspace = workspace.for_work(Work::new(ScriptHost));
        let journal = JournalSink::default();
        let is_new = opening.journal.is_none();
        let mut session = match opening.journal {
            Some(text) => Session::of_records(&workspace, &text, journal.clone(), Style::default())?,
            None => {
                let start = opening.start.as_deref();
                let mut session = Session::new(&workspace, start, opening.overrides, Style::default())?;
                session.record_into(journal.clone());
                session
            }
        };
        let last = LastState::default();
        session.pages.commands = commands::help_texts();
        session.pages.door = is_new && opening.door;
        let host = last.clone();
        session.pages.open = Some(Box::new(move |_, _| Ok(Box::new(host.clone()))));
        // The page shows the board itself.
        session.face.quiet = true;
        let greeting = session.greeting();
        session.open_page()?;
        session.update_pages("", &greeting);
        Ok(Self {
            session,
            files,
            journal,
            last,
        })
    }

    /// Returns the answer to a request of the page.
    pub fn ask(&mut self, request: PageRequest) -> Value {
        self.session.page_asks(request).0
    }

    /// Lets the agent answer that is asked.
    pub fn turn(&mut self) -> Value {
        let _ = self.session.machine_answers();
        Value::Null
    }

    /// Ends the turns of agents: a person plays the side that is asked.
    pub fn stop(&mut self) -> Value {
        self.session.stop.store(true, Ordering::SeqCst);
        self.turn()
    }

    fn written(&self) -> Option<JournalPart> {
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        let JournalText { whole, text } = std::mem::take(&mut *journal);
        (whole || !text.is_empty()).then_some(JournalPart { whole, text })
    }

    /// Returns what the page does not know yet.
    pub fn shown(&mut self) -> Shown {
        let pace = self.session.pace().filter(|_| self.session.is_machine_asked());
        Shown {
            state: self.last.set(None),
            turn: pace.map(|pace| pace.as_millis() as u64),
            files: self.files.take_changes(),
            journal: self.written(),
        }
    }
}
