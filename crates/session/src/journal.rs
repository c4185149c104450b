//! The journal: a session is stored on disk as it is played, so that nothing is lost when it is cut off.
//!
//! A folder holds the sessions of one workspace, a folder each. The journal of a session is the log of its history: what
//! is new is appended in one piece after each line, and nothing in it is ever rewritten. A record that was cut off is
//! ignored. Rules change on disk while a game is on the table, so the log has the files of the rules as well. An open
//! session holds a lock, so that two never share a folder.

use crate::files::{discard, hold, make_held, remove_folder, shell_word, write_whole};
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
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub(crate) const JOURNAL: &str = "journal.jsonl";
pub(crate) const LOCK: &str = "lock";
/// A file that is there once a greeting has told that the session was cut off.
const TOLD: &str = "told";
/// Maximum number of closed sessions that are kept for a workspace.
const MOST: usize = 8;

/// The sessions of a workspace on disk.
#[derive(Debug, Clone)]
pub struct Journals {
    folder: PathBuf,
    /// The options that find them again, each with a blank before it.
    options: String,
}

/// A session on disk that nobody has open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSession {
    pub(crate) folder: PathBuf,
    /// Whether it was left on purpose; else it was cut off.
    pub left: bool,
    /// That it was cut off was told when another began.
    pub(crate) reported: bool,
}

impl FoundSession {
    /// Remembers that it was told of.
    pub(crate) fn set_told(&self) {
        // What cannot be remembered is told again.
        let _ = write_whole(&self.folder.join(TOLD), "");
    }
}

impl Journals {
    /// Those in this folder, which need not be there yet.
    pub fn at(folder: PathBuf) -> Self {
        Self {
            folder,
            options: String::new(),
        }
    }

    /// The same, where these options with their values must be said to find them again.
    #[must_use]
    pub fn found_by<'a>(mut self, options: impl IntoIterator<Item = (&'a str, &'a Path)>) -> Self {
        let texts = options
            .into_iter()
            .map(|(name, value)| format!(" {name} {}", shell_word(&value.to_string_lossy())));
        self.options = texts.collect();
        self
    }

    /// The command that goes on with the session that was left last.
    pub(crate) fn resumed_by(&self) -> String {
        format!("rulebench repl{} --resume", self.options)
    }

    /// Those of a workspace in a user's state folder.
    pub fn of(state: &Path, workspace: &Workspace) -> Self {
        let name = match base(workspace) {
            Some(root) => {
                let full = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
                let plain = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
                let last = full.file_name().map(|n| n.to_string_lossy().into_owned());
                let last: String = last.unwrap_or_default().chars().take(40).map(plain).collect();
                format!("{last}-{:016x}", text_hash(&full.to_string_lossy()))
            }
            None => "embedded".to_owned(),
        };
        Self::at(state.join("sessions").join(name))
    }

    /// The sessions that nobody has open, latest first.
    pub fn abandoned(&self) -> Vec<FoundSession> {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let mut found: Vec<(SystemTime, FoundSession)> = entries
            .flatten()
            .filter_map(|entry| {
                let folder = entry.path();
                let journal = folder.join(JOURNAL);
                let written = fs::metadata(&journal).and_then(|d| d.modified()).ok()?;
                if is_open(&folder) {
                    return None;
                }
                let left = Log::read(&journal).is_ok_and(|log| log.records.last() == Some(&Record::Closed));
                let is_reported = folder.join(TOLD).exists();
                Some((
                    written,
                    FoundSession {
                        folder,
                        left,
                        reported: is_reported,
                    },
                ))
            })
            .collect();
        found.sort_by(|a, b| (b.0, &b.1.folder).cmp(&(a.0, &a.1.folder)));
        found.into_iter().map(|(_, found)| found).collect()
    }

    /// A session that begins; its folder is made when something is played.
    pub(crate) fn begin(&self) -> Journal {
        Journal {
            journals: self.clone(),
            folder: None,
            lock: None,
            file: None,
            logged: Logged::default(),
            session: StoredSession::default(),
            rules: StoredRules::default(),
            told: false,
            notes: Vec::new(),
        }
    }

    /// Removes the oldest sessions that are too many, those that were left on purpose before those that
    /// were cut off; a sentence about each.
    fn bound(&self) -> Vec<String> {
        let all = self.abandoned();
        let too_many = (all.len() + 1).saturating_sub(MOST);
        let (left, cut_off): (Vec<FoundSession>, Vec<FoundSession>) =
            all.into_iter().partition(|found| found.left);
        let oldest = left.iter().rev().chain(cut_off.iter().rev());
        let gone = oldest.take(too_many).filter_map(|old| {
            let log = Log::read(&old.folder.join(JOURNAL)).unwrap_or_default();
            let summary = log.records.into_iter().rev().find_map(|record| match record {
                Record::Present(present) => Some(present.summary),
                _ => None,
            });
            // One that cannot be removed is there the next time.
            remove_folder(&old.folder).ok()?;
            let how = if old.left { "left" } else { "cut off" };
            let summary = summary.unwrap_or_default();
            let summary = [summary.at, summary.stands]
                .into_iter()
                .filter(|part| !part.is_empty());
            let summary: Vec<String> = summary.collect();
            let summary = if summary.is_empty() {
                String::new()
            } else {
                format!(" ({})", summary.join(", "))
            };
            Some(format!(
                "note: {MOST} sessions of a workspace are kept; the oldest that was {how}{summary} is removed"
            ))
        });
        gone.collect()
    }

    /// Forgets that it was told of a session: who goes on with it may be cut off again.
    pub(crate) fn forget_told(folder: &Path) {
        discard(&folder.join(TOLD));
    }

    /// Makes the folder of a new session.
    fn make(&self) -> std::io::Result<(PathBuf, File)> {
        let process = std::process::id();
        make_held(
            &self.folder,
            (1..=1_000).map(|nth| format!("{process}-{nth}")),
            LOCK,
        )
    }
}

/// The folder of a workspace; `None` for files in memory.
fn base(workspace: &Workspace) -> Option<&Path> {
    match &workspace.files {
        WorkspaceFiles::Folder(root) => Some(root),
        WorkspaceFiles::Texts(_) => None,
        WorkspaceFiles::Edited(under, _) | WorkspaceFiles::Held(under, _) => base(under),
    }
}

fn is_open(folder: &Path) -> bool {
    matches!(hold(&folder.join(LOCK)), Ok(None))
}

/// A log as it is on disk.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) records: Vec<Record>,
    /// Number of bytes that these take.
    whole: u64,
    /// Number of the first line that cannot be read. The end of a line that was cut off is none.
    pub(crate) damaged: Option<usize>,
}

impl Log {
    pub(crate) fn read(path: &Path) -> Result<Self, Problem> {
        let bytes = fs::read(path).map_err(|error| problems::damaged_session(&error.to_string()))?;
        let mut log = Self::default();
        for (number, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
            if !line.ends_with(b"\n") {
                break;
            }
            match serde_json::from_slice(line) {
                Ok(record) => log.records.push(record),
                Err(_) => {
                    log.damaged = Some(number + 1);
                    break;
                }
            }
            log.whole += line.len() as u64;
        }
        Ok(log)
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
    pub(crate) journals: Journals,
    /// `None` until something is played.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) lock: Option<File>,
    file: Option<File>,
    logged: Logged,
    session: StoredSession,
    pub(crate) rules: StoredRules,
    /// Whether it was told that it cannot be written.
    pub(crate) told: bool,
    /// Notes that are not shown yet.
    pub(crate) notes: Vec<String>,
}

impl Journal {
    /// Reads the journal of a folder, to continue it: its history and the session besides.
    ///
    /// # Errors
    ///
    /// Nothing in it can be read.
    pub(crate) fn open(
        &mut self,
        folder: &Path,
        workspace: &Workspace,
        notes: &mut Vec<(bool, Problem)>,
    ) -> Result<(History, StoredSession), Problem> {
        let path = folder.join(JOURNAL);
        let mut log = Log::read(&path)?;
        let mut history = History::default();
        let opened = |path: &str| suite::open(workspace, path).ok().map(|opened| opened.file);
        for (index, record) in log.records.iter().enumerate() {
            if !history.take(record, &opened) {
                log.damaged = Some(index + 1);
                break;
            }
            self.rules.take(record);
            if let Record::Session(session) = record {
                self.session = session.clone();
            }
        }
        if let Some(line) = log.damaged {
            let why = format!("line {line} cannot be read, and what follows is left out");
            notes.push((true, problems::damaged_session(&why)));
        }
        if history.transcript(&history.present).lines.len() < 2 {
            return Err(problems::damaged_session("it has no game"));
        }
        self.folder = Some(folder.to_owned());
        let session = self.session.clone();
        let file = File::options().append(true).open(&path);
        match file.and_then(|file| file.set_len(log.whole).map(|()| file)) {
            Ok(file) if log.damaged.is_none() => {
                self.logged.add(&history);
                self.file = Some(file);
            }
            _ => self.begin_anew(),
        }
        Ok((history, session))
    }

    /// Makes the next writing write everything: a record in the journal is damaged, or could not be written.
    fn begin_anew(&mut self) {
        self.file = None;
        self.logged = Logged::default();
        self.session = StoredSession::default();
    }

    /// Appends what is new.
    pub(crate) fn write(
        &mut self,
        history: &History,
        session: StoredSession,
        play: &Play,
        beside: impl FnOnce() -> Vec<(String, String)>,
        closed: bool,
    ) -> std::io::Result<()> {
        let folder = match &self.folder {
            Some(folder) => folder.clone(),
            None => {
                let (folder, lock) = self.journals.make()?;
                self.notes = self.journals.bound();
                (self.folder, self.lock) = (Some(folder.clone()), Some(lock));
                folder
            }
        };
        let mut records = self.rules.add(play.ruleset(), beside);
        if self.file.is_none() {
            records = self.rules.all();
        }
        records.extend(self.logged.add(history));
        if self.session != session {
            records.push(Record::Session(session.clone()));
            self.session = session;
        }
        records.extend(closed.then_some(Record::Closed));
        let written = self.append(&folder.join(JOURNAL), &records);
        if written.is_err() {
            self.begin_anew();
        }
        written
    }

    fn append(&mut self, path: &Path, records: &[Record]) -> std::io::Result<()> {
        let mut text = String::new();
        for record in records {
            text += &serde_json::to_string(record).map_err(std::io::Error::other)?;
            text.push('\n');
        }
        match &mut self.file {
            Some(_) if records.is_empty() => Ok(()),
            Some(file) => file.write_all(text.as_bytes()).and_then(|()| file.sync_data()),
            None => {
                write_whole(path, text)?;
                self.file = Some(File::options().append(true).open(path)?);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workspace_has_its_own_sessions() {
        let state = Path::new("/state");
        let of = |workspace: &Workspace| Journals::of(state, workspace).folder;
        let (one, other) = (
            tempfile::tempdir().expect("a folder"),
            tempfile::tempdir().expect("a folder"),
        );
        let one = Workspace::at(one.path());
        let other = Workspace::at(other.path());
        assert_ne!(of(&one), of(&other));
        assert_eq!(of(&one), of(&one.with(BTreeMap::new())));
        assert_eq!(
            of(&Workspace::of_texts([])),
            Path::new("/state/sessions/embedded")
        );
    }

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
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(JOURNAL);
        let read = |text: &str| {
            fs::write(&path, text).expect("written");
            let log = Log::read(&path).expect("read");
            (log.records.len(), log.whole, log.damaged)
        };
        let record = "{\"forget\":3}\n";
        assert_eq!(read(&record.repeat(2)), (2, 26, None));
        assert_eq!(read(&format!("{record}{{\"forg")), (1, 13, None));
        assert_eq!(read(&format!("{record}odd\n{record}")), (1, 13, Some(2)));
        assert_eq!(read(""), (0, 0, None));
    }
}
