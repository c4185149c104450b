//! Journals on disk: a folder holds the sessions of one workspace, a folder each. An open session holds a lock, so that
//! two never share a folder.

use super::{Log, Record, text};
use crate::files::{discard, hold, make_held, remove_folder, shell_word, write_whole};
use crate::kernel::dice::text_hash;
use crate::problems;
use crate::report::Problem;
use crate::rules::workspace::{Workspace, WorkspaceFiles};
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const JOURNAL: &str = "journal.jsonl";
const LOCK: &str = "lock";
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
    folder: PathBuf,
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
                let left = is_closed(&journal).unwrap_or(false);
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

    /// The store of a session that begins; its folder is made when something is played.
    pub(crate) fn begin(&self) -> StoreFolder {
        StoreFolder {
            journals: self.clone(),
            folder: None,
            lock: None,
        }
    }

    /// The store of a session that was left or cut off. It counts as open from now on.
    ///
    /// # Errors
    ///
    /// It was opened elsewhere meanwhile.
    pub(crate) fn reopen(&self, found: &FoundSession) -> Result<StoreFolder, Problem> {
        let lock = match hold(&found.folder.join(LOCK)) {
            Ok(held) => Some(held.ok_or_else(problems::session_elsewhere)?),
            Err(_) => None,
        };
        // Whoever goes on with it may be cut off again.
        discard(&found.folder.join(TOLD));
        Ok(StoreFolder {
            journals: self.clone(),
            folder: Some(found.folder.clone()),
            lock,
        })
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
            let log = Log::read(&fs::read(old.folder.join(JOURNAL)).unwrap_or_default());
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

    /// Makes the folder of a new session.
    fn make(&self) -> io::Result<(PathBuf, File)> {
        let process = std::process::id();
        make_held(
            &self.folder,
            (1..=1_000).map(|nth| format!("{process}-{nth}")),
            LOCK,
        )
    }
}

/// The folder that an open session is stored in.
pub(crate) struct StoreFolder {
    journals: Journals,
    /// `None` until something is played.
    folder: Option<PathBuf>,
    lock: Option<File>,
}

impl StoreFolder {
    /// Whether the folder is there already.
    pub(super) fn is_made(&self) -> bool {
        self.folder.is_some()
    }

    pub(super) fn resumed_by(&self) -> String {
        self.journals.resumed_by()
    }

    /// Reads the journal that was stored.
    ///
    /// # Errors
    ///
    /// There is none, or it cannot be read.
    pub(crate) fn read(&self) -> Result<Vec<u8>, Problem> {
        let folder = self.folder.as_deref().unwrap_or(&self.journals.folder);
        fs::read(folder.join(JOURNAL)).map_err(|error| problems::damaged_session(&error.to_string()))
    }

    /// Appends records, or writes the whole journal. Returns notes about old sessions that a new one has displaced.
    pub(super) fn write(&mut self, text: &str, whole: bool) -> io::Result<Vec<String>> {
        let folder = match &mut self.folder {
            Some(folder) => folder,
            none => {
                let (folder, lock) = self.journals.make()?;
                self.lock = Some(lock);
                none.insert(folder)
            }
        };
        let path = folder.join(JOURNAL);
        if whole {
            write_whole(&path, text)?;
            return Ok(self.journals.bound());
        }
        let mut file = File::options().append(true).open(path)?;
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        Ok(Vec::new())
    }
}

/// Whether the last record of a journal says that its session was closed.
fn is_closed(journal: &Path) -> io::Result<bool> {
    let closed = text(&[Record::Closed])?;
    let mut file = File::open(journal)?;
    file.seek(SeekFrom::End(-(closed.len() as i64)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    Ok(end == closed.as_bytes())
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

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
}
