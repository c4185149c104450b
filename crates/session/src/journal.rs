//! The journal: a session is stored as it is played, so that nothing is lost when it is cut off.
//!
//! The journal of a session is the log of its history: new records are appended in one piece after each line, and nothing
//! in it is rewritten as long as it can be read. A record that was cut off is ignored. Rules change while a game is on the
//! table, so the log has the files of the rules as well. The text goes to a [`Store`]: a folder on disk, or a host that
//! keeps it elsewhere.

mod folders;

pub use folders::{FoundSession, Journals};

use crate::history::History;
use crate::history::log::{Logged, Record, StoredSession};
use crate::kernel::dice::text_hash;
use crate::opening_files::{SetupResult, setup_result};
use crate::play::Play;
use crate::problems;
use crate::report::{Problem, Problems};
use crate::rules::ruleset::Ruleset;
use crate::rules::workspace::{Texts, Workspace, WorkspaceFiles};
use crate::scenario::file::ScenarioFile;
use crate::stage::run::{self, OpenedFile, Overrides};
use crate::suite;
use crate::transcript::Transcript;
use folders::StoreFolder;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// The part of a journal that was written since its host took the last part away, to store it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JournalText {
    /// Whether the text replaces everything that the host has stored; otherwise the host appends it.
    pub whole: bool,
    /// Records, one a line.
    pub text: String,
}

/// The place where a session without a disk writes its journal. The host takes the text from it after each request.
pub type JournalSink = Arc<Mutex<JournalText>>;

/// The place where a journal is written.
pub(crate) enum Store {
    Folder(StoreFolder),
    Sink(JournalSink),
}

impl Store {
    /// Appends records, or replaces all earlier ones if they are the whole journal. Returns notes for the person.
    fn write(&mut self, text: &str, whole: bool) -> io::Result<Vec<String>> {
        match self {
            Self::Folder(folder) => folder.write(text, whole),
            Self::Sink(sink) => {
                let mut sink = sink.lock().unwrap_or_else(PoisonError::into_inner);
                if whole {
                    sink.whole = true;
                    sink.text.clear();
                }
                sink.text.push_str(text);
                Ok(Vec::new())
            }
        }
    }

    /// Whether a session in which nothing was played leaves nothing there.
    pub(crate) fn waits_for_play(&self) -> bool {
        matches!(self, Self::Folder(folder) if !folder.is_made())
    }

    /// Returns the command that resumes the session, if a command does.
    pub(crate) fn resumed_by(&self) -> Option<String> {
        match self {
            Self::Folder(folder) => Some(folder.resumed_by()),
            Self::Sink(_) => None,
        }
    }
}

/// A log as it was stored.
#[derive(Default)]
struct Log {
    records: Vec<Record>,
    /// Number of the first line that cannot be read. A line that was cut off is none.
    damaged: Option<usize>,
    /// Whether its last line was cut off.
    is_cut_off: bool,
}

impl Log {
    fn read(text: &[u8]) -> Self {
        let mut log = Self::default();
        for (number, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
            if !line.ends_with(b"\n") {
                log.is_cut_off = true;
                break;
            }
            match serde_json::from_slice(line) {
                Ok(record) => log.records.push(record),
                Err(_) => {
                    log.damaged = Some(number + 1);
                    break;
                }
            }
        }
        log
    }
}

/// The rules that a session was played under: their files by the hash of the text, and the hashes by the fingerprint of
/// the rules.
#[derive(Default)]
pub(crate) struct StoredRules {
    texts: BTreeMap<String, String>,
    rules: BTreeMap<String, BTreeMap<String, String>>,
}

impl StoredRules {
    fn take(&mut self, record: &Record) {
        match record {
            Record::File { hash, text } => {
                self.texts.insert(hash.clone(), text.clone());
            }
            Record::Rules { fingerprint, files } => {
                self.rules.insert(fingerprint.clone(), files.clone());
            }
            _ => {}
        }
    }

    /// Returns the records of a ruleset and of the files beside it, as far as they are not stored yet.
    fn add(&mut self, ruleset: &Ruleset, beside: impl FnOnce() -> Vec<(String, String)>) -> Vec<Record> {
        let fingerprint = ruleset.fingerprint().to_owned();
        if self.rules.contains_key(&fingerprint) {
            return Vec::new();
        }
        let mut all: BTreeMap<String, String> = beside().into_iter().collect();
        let texts = ruleset.layers.texts.iter();
        all.extend(texts.map(|t| (t.parsed.source.name.clone(), t.parsed.source.text.clone())));
        let mut records = Vec::new();
        let mut files = BTreeMap::new();
        for (path, text) in all {
            let hash = format!("{:016x}", text_hash(&text));
            if !self.texts.contains_key(&hash) {
                let hash = hash.clone();
                records.push(Record::File { hash, text });
            }
            files.insert(path, hash);
        }
        records.push(Record::Rules { fingerprint, files });
        records.iter().for_each(|record| self.take(record));
        records
    }

    /// Returns the records of everything that is stored.
    fn all(&self) -> Vec<Record> {
        let texts = self.texts.iter().map(|(hash, text)| Record::File {
            hash: hash.clone(),
            text: text.clone(),
        });
        let rules = self.rules.iter().map(|(fingerprint, files)| Record::Rules {
            fingerprint: fingerprint.clone(),
            files: files.clone(),
        });
        texts.chain(rules).collect()
    }

    /// Returns the workspace of the rules with this fingerprint; `None` if they are not stored.
    fn workspace(&self, fingerprint: &str) -> Option<Workspace> {
        let files = self.rules.get(fingerprint)?.iter();
        let texts = files.map(|(path, hash)| Some((path.clone(), self.texts.get(hash)?.clone())));
        let texts = Texts::fixed(texts.collect::<Option<Vec<_>>>()?);
        Some(WorkspaceFiles::Texts(texts).into())
    }

    /// Plays a transcript again, with the scenario that it began from, under the rules that it was played under, or
    /// those of the workspace if they are not stored.
    pub(crate) fn play(
        stored: Option<&Self>,
        workspace: &Workspace,
        file: &ScenarioFile,
        transcript: Transcript,
    ) -> Result<SetupResult, Problems> {
        let opened = OpenedFile {
            file: file.clone(),
            lines: Some(transcript.lines),
        };
        let overrides = Overrides::default();
        let rules = |fingerprint: &str| {
            let stored = stored.and_then(|stored| stored.workspace(fingerprint));
            stored.unwrap_or_else(|| workspace.clone())
        };
        let ran = run::run_under(&rules, &opened, &overrides)?;
        Ok(setup_result(ran, &opened, &overrides))
    }
}

/// The journal of an open session.
pub(crate) struct Journal {
    pub(crate) store: Store,
    /// Whether the store has all records so far; otherwise the next writing replaces what it has.
    is_stored: bool,
    logged: Logged,
    session: StoredSession,
    pub(crate) rules: StoredRules,
    /// Whether the person was told that it cannot be written.
    pub(crate) told: bool,
}

impl Journal {
    /// The journal of a session that begins.
    pub(crate) fn new(store: Store) -> Self {
        Self {
            store,
            is_stored: false,
            logged: Logged::default(),
            session: StoredSession::default(),
            rules: StoredRules::default(),
            told: false,
        }
    }

    /// Reads a journal that was stored, to continue it: the journal, its history and the session besides.
    ///
    /// # Errors
    ///
    /// Nothing in it can be read.
    pub(crate) fn open(
        store: Store,
        text: &[u8],
        workspace: &Workspace,
        notes: &mut Vec<(bool, Problem)>,
    ) -> Result<(Self, History, StoredSession), Problem> {
        let mut journal = Self::new(store);
        let mut log = Log::read(text);
        let mut history = History::default();
        let mut session = StoredSession::default();
        let opened = |path: &str| suite::open(workspace, path).ok().map(|opened| opened.file);
        for (index, record) in log.records.into_iter().enumerate() {
            if !history.take(&record, &opened) {
                log.damaged = Some(index + 1);
                break;
            }
            journal.rules.take(&record);
            if let Record::Session(stored) = record {
                session = stored;
            }
        }
        if let Some(line) = log.damaged {
            let why = format!("line {line} cannot be read, and what follows is left out");
            notes.push((true, problems::damaged_session(&why)));
        }
        if history.transcript(&history.present).lines.len() < 2 {
            return Err(problems::damaged_session("it has no game"));
        }
        journal.is_stored = log.damaged.is_none() && !log.is_cut_off;
        if journal.is_stored {
            journal.logged.add(&history);
            journal.session = session.clone();
        }
        Ok((journal, history, session))
    }

    /// Writes what is new. Returns notes for the person.
    pub(crate) fn write(
        &mut self,
        history: &History,
        session: StoredSession,
        play: &Play,
        beside: impl FnOnce() -> Vec<(String, String)>,
        closed: bool,
    ) -> io::Result<Vec<String>> {
        let mut records = self.rules.add(play.ruleset(), beside);
        if !self.is_stored {
            (self.logged, self.session) = (Logged::default(), StoredSession::default());
            records = self.rules.all();
        }
        records.extend(self.logged.add(history));
        if self.session != session {
            records.push(Record::Session(session.clone()));
            self.session = session;
        }
        records.extend(closed.then_some(Record::Closed));
        if records.is_empty() {
            return Ok(Vec::new());
        }
        let whole = !std::mem::take(&mut self.is_stored);
        let notes = self.store.write(&text(&records)?, whole)?;
        self.is_stored = true;
        Ok(notes)
    }
}

/// Returns the text of records, one a line.
fn text(records: &[Record]) -> io::Result<String> {
    let mut text = String::new();
    for record in records {
        text += &serde_json::to_string(record).map_err(io::Error::other)?;
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_stored_by_their_texts() {
        let mut stored = StoredRules::default();
        assert!(stored.workspace("0123abcd").is_none());
        stored.take(&Record::File {
            hash: "1".to_owned(),
            text: "text".to_owned(),
        });
        let rules = |path: &str, hash: &str| Record::Rules {
            fingerprint: "0123abcd".to_owned(),
            files: [(path.to_owned(), hash.to_owned())].into(),
        };
        stored.take(&rules("scripts/g/game.rhai", "1"));
        let workspace = stored.workspace("0123abcd").expect("it is stored");
        assert_eq!(workspace.games(), ["g"]);
        let text = workspace.read("scripts/g/game.rhai").map(|s| s.text.clone());
        assert_eq!(text, Ok("text".to_owned()));
        // A text is missing.
        stored.take(&rules("scripts/g/game.rhai", "2"));
        assert!(stored.workspace("0123abcd").is_none());
    }

    #[test]
    fn a_log_is_read_up_to_what_was_cut_off_or_damaged() {
        let read = |text: &str| {
            let log = Log::read(text.as_bytes());
            (log.records.len(), log.damaged, log.is_cut_off)
        };
        let record = "{\"forget\":3}\n";
        assert_eq!(read(&record.repeat(2)), (2, None, false));
        assert_eq!(read(&format!("{record}{{\"forg")), (1, None, true));
        assert_eq!(read(&format!("{record}odd\n{record}")), (1, Some(2), false));
        assert_eq!(read(""), (0, None, false));
    }
}
