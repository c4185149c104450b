//! The journal: a session is kept on disk as it is played, so that nothing is lost when it is cut off.
//!
//! A folder holds the sessions of one workspace, a folder each. In it every line of play is a
//! transcript, as `:save` writes it; an index says which is the present one, what the others are
//! called and how many answers were taken back. Rules change on disk while a game is on the table,
//! so the texts of the rules that lines were played under are kept as well: what was played is told
//! again under them, and what is saved by then is taken over as in a running session.
//!
//! A file is never rewritten: a line that has changed is written anew, then the index that names it
//! takes the old one's place, then the old file goes. Whatever is cut off, the index on disk is whole
//! and all its files are there. An open session holds a lock, so that two never share a folder.

use super::branch_text::{BranchSummary, LineHead};
use super::opening_files::{SetupResult, expect_also, setup_result};
use super::problems;
use crate::description::Spanned;
use crate::files::{discard, hold, make_held, remove_folder, shell_word, write_whole};
use crate::kernel::dice::text_hash;
use crate::play::Play;
use crate::report::{Problem, Problems, Source};
use crate::rules::ruleset::Ruleset;
use crate::rules::workspace::{Workspace, WorkspaceFiles};
use crate::stage::run::{self, OpenedFile, Overrides};
use crate::suite;
use crate::transcript::{Line, Transcript};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub(super) const INDEX: &str = "session.toml";
pub(super) const LOCK: &str = "lock";
/// Is there where it was told that the session was cut off.
const TOLD: &str = "told";
/// The last line of an index: one without it has lost its end.
const END: &str = "# end\n";
/// Maximum number of closed sessions that are kept for a workspace.
const MOST: usize = 8;

/// The index of a session on disk.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SessionIndex {
    /// It was left on purpose.
    pub(super) left: bool,
    /// One person plays all sides.
    pub(super) alone: bool,
    /// The line that `:redo` puts on the table again; empty where it does not.
    pub(super) forth: String,
    pub(super) present: StoredBranch,
    pub(super) line: Vec<StoredBranch>,
    /// Agents that play sides, by side.
    pub(super) plays: BTreeMap<String, String>,
}

/// A line of play.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct StoredBranch {
    /// The file of its transcript.
    pub(super) file: String,
    /// The name; empty if it has none.
    pub(super) name: String,
    /// Whether somebody named it.
    pub(super) named: bool,
    /// The number of the game on the table that it belongs to.
    pub(super) table: u32,
    /// The number of its answers that are undone.
    pub(super) back: usize,
    /// The path of the scenario that was opened.
    pub(super) opened: String,
    /// The expectations of its end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) expect: Vec<String>,
    #[serde(flatten)]
    pub(super) stand: BranchSummary,
}

impl StoredBranch {
    /// A line that is called so, and is one of that game on the table; so many of its answers are taken back.
    pub(super) fn of(tip: &LineHead, (name, named): (String, bool), table: u32, back: usize) -> Self {
        Self {
            file: String::new(),
            name,
            named,
            table,
            back,
            opened: tip.opened.source.name.clone(),
            expect: tip.file.expect.iter().map(|e| e.value.clone()).collect(),
            stand: tip.stand.clone(),
        }
    }
}

/// The sessions of a workspace on disk.
#[derive(Debug, Clone)]
pub struct Journals {
    folder: PathBuf,
    /// The options that find them again, each with a blank before it.
    options: String,
}

/// A session on disk that nobody has open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSession {
    pub(super) folder: PathBuf,
    /// Whether it was left on purpose; else it was cut off.
    pub left: bool,
    /// That it was cut off was told when another began.
    pub(super) reported: bool,
}

impl StoredSession {
    /// Remembers that it was told of.
    pub(super) fn set_told(&self) {
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
    pub(super) fn resumed_by(&self) -> String {
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
    pub fn abandoned(&self) -> Vec<StoredSession> {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let mut found: Vec<(SystemTime, StoredSession)> = entries
            .flatten()
            .filter_map(|entry| {
                let folder = entry.path();
                let index = folder.join(INDEX);
                let written = fs::metadata(&index).and_then(|d| d.modified()).ok()?;
                if is_open(&folder) {
                    return None;
                }
                let left = read_index(&index).is_ok_and(|i| i.left);
                let is_reported = folder.join(TOLD).exists();
                Some((
                    written,
                    StoredSession {
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
    pub(super) fn begin(&self) -> Journal {
        Journal {
            journals: self.clone(),
            folder: None,
            lock: None,
            files: BTreeMap::new(),
            rules: BTreeSet::new(),
            index: None,
            written: 0,
            told: false,
            notes: Vec::new(),
        }
    }

    /// Removes the oldest sessions that are too many, those that were left on purpose before those that
    /// were cut off; a sentence about each.
    fn bound(&self) -> Vec<String> {
        let all = self.abandoned();
        let too_many = (all.len() + 1).saturating_sub(MOST);
        let (left, cut_off): (Vec<StoredSession>, Vec<StoredSession>) =
            all.into_iter().partition(|found| found.left);
        let oldest = left.iter().rev().chain(cut_off.iter().rev());
        let gone = oldest.take(too_many).filter_map(|old| {
            let present = read_index(&old.folder.join(INDEX)).unwrap_or_default().present;
            // One that cannot be removed is there the next time.
            remove_folder(&old.folder).ok()?;
            let how = if old.left { "left" } else { "cut off" };
            let summary = [present.stand.at, present.stand.stands]
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
    pub(super) fn forget_told(folder: &Path) {
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

/// The folder of a workspace; `None` for the embedded games.
fn base(workspace: &Workspace) -> Option<&Path> {
    match &workspace.files {
        WorkspaceFiles::Folder(root) => Some(root),
        WorkspaceFiles::Embedded => None,
        WorkspaceFiles::Edited(under, _) | WorkspaceFiles::Held(under, _) => base(under),
    }
}

fn is_open(folder: &Path) -> bool {
    matches!(hold(&folder.join(LOCK)), Ok(None))
}

pub(super) fn read_index(path: &Path) -> Result<SessionIndex, Problem> {
    let source = Source::read(path)?;
    if !source.text.ends_with(END) {
        return Err(problems::damaged_session("its end is missing"));
    }
    toml::from_str(&source.text).map_err(|error| {
        problems::damaged_session(error.message()).at_some(error.span().map(|span| (&source, span)))
    })
}

/// A session that is kept on disk.
pub(super) struct Journal {
    pub(super) journals: Journals,
    /// `None` until something is played.
    pub(super) folder: Option<PathBuf>,
    pub(super) lock: Option<File>,
    /// By line, the hash of its text and its file; the present line goes by [`PRESENT`].
    pub(super) files: BTreeMap<u32, (u64, String)>,
    /// The fingerprints of the rules whose texts are written.
    pub(super) rules: BTreeSet<String>,
    /// The index on disk.
    index: Option<SessionIndex>,
    /// The number of files written so far, for the name of the next.
    pub(super) written: u64,
    /// That it cannot be written was told.
    pub(super) told: bool,
    /// Notes that are not shown yet.
    pub(super) notes: Vec<String>,
}

/// The present line among those of a journal.
pub(super) const PRESENT: u32 = u32::MAX;

impl Journal {
    /// Writes a line if it is not what its file holds; the file's name.
    fn line(&mut self, folder: &Path, id: u32, line: &Transcript) -> std::io::Result<String> {
        let known = self.files.get(&id);
        // A line that is not the present one never changes.
        if let Some((_, file)) = known
            && id != PRESENT
        {
            return Ok(file.clone());
        }
        let text = line.print();
        let hash = text_hash(&text);
        if let Some((was, file)) = known
            && *was == hash
        {
            return Ok(file.clone());
        }
        // A line that was the present one may be kept as it is.
        let same = self.files.values().find(|(was, _)| *was == hash).cloned();
        let (_, file) = match same {
            Some(same) => same,
            None => {
                self.written += 1;
                let file = format!("line-{}.txt", self.written);
                write_whole(&folder.join(&file), &text)?;
                (hash, file)
            }
        };
        self.files.insert(id, (hash, file.clone()));
        Ok(file)
    }

    pub(super) fn write(
        &mut self,
        mut index: SessionIndex,
        lines: &[(u32, &Transcript)],
        play: &Play,
        beside: impl FnOnce() -> Vec<(String, String)>,
    ) -> std::io::Result<()> {
        let folder = match &self.folder {
            Some(folder) => folder.clone(),
            None => {
                let (folder, lock) = self.journals.make()?;
                self.notes = self.journals.bound();
                self.lock = Some(lock);
                self.folder = Some(folder.clone());
                folder
            }
        };
        let before: BTreeSet<String> = self.files.values().map(|(_, file)| file.clone()).collect();
        // The last chapter's rules are those in force.
        let fingerprint = play
            .chapters()
            .last()
            .map_or_else(String::new, |c| c.fingerprint.clone());
        if !self.rules.contains(&fingerprint) {
            write_whole(
                &folder.join(rules_file(&fingerprint)),
                rule_texts(play.ruleset(), beside()),
            )?;
            self.rules.insert(fingerprint.clone());
            self.forget_rules(&folder, &fingerprint, lines);
        }
        // The present line comes last: what it was may be a line that is kept now, and the newest file
        // is the present line's where the index is lost.
        let mut names = vec![String::new(); lines.len()];
        for (at, (id, line)) in lines.iter().enumerate().rev() {
            names[at] = self.line(&folder, *id, line)?;
        }
        index.present.file.clone_from(&names[0]);
        for (entry, name) in index.line.iter_mut().zip(&names[1..]) {
            entry.file.clone_from(name);
        }
        if self.index.as_ref() != Some(&index) {
            let text = toml::to_string(&index).map_err(std::io::Error::other)? + END;
            write_whole(&folder.join(INDEX), &text)?;
            self.index = Some(index);
        }
        self.files
            .retain(|known, _| lines.iter().any(|(id, _)| id == known));
        for file in before {
            if !self.files.values().any(|(_, now)| *now == file) {
                // One that stays is nobody's.
                discard(&folder.join(file));
            }
        }
        Ok(())
    }

    /// Removes the texts of rules that no line was played under any more.
    fn forget_rules(&mut self, folder: &Path, present: &str, lines: &[(u32, &Transcript)]) {
        let used = |rules: &str| {
            let of_it = |line: &Line| matches!(line, Line::Chapter { rules: of, .. } if of == rules);
            rules == present || lines.iter().any(|(_, line)| line.lines.iter().any(of_it))
        };
        self.rules.retain(|rules| {
            let used = used(rules);
            if !used {
                // One that stays is nobody's.
                discard(&folder.join(rules_file(rules)));
            }
            used
        });
    }
}

fn rules_file(fingerprint: &str) -> String {
    format!("rules-{fingerprint}.toml")
}

/// The texts of a ruleset and of what lies beside it, by path.
fn rule_texts(rules: &Ruleset, beside: Vec<(String, String)>) -> String {
    let mut all: BTreeMap<String, String> = beside.into_iter().collect();
    let texts = rules.layers.texts.iter();
    all.extend(texts.map(|t| (t.parsed.source.name.clone(), t.parsed.source.text.clone())));
    // A map of texts is always TOML.
    toml::to_string(&all).unwrap_or_default()
}

/// The workspace of the rules of this fingerprint in a session's folder; the present one where they
/// are not there.
fn rules_of(folder: Option<&Path>, workspace: &Workspace, fingerprint: &str) -> Workspace {
    let plain = !fingerprint.is_empty() && fingerprint.chars().all(|c| c.is_ascii_alphanumeric());
    let stored = folder.filter(|_| plain).and_then(|folder| {
        let source = Source::read(folder.join(rules_file(fingerprint))).ok()?;
        let texts: BTreeMap<String, String> = toml::from_str(&source.text).ok()?;
        // Beside these texts there is nothing.
        Some(Workspace::at(folder.join("nothing")).with(texts))
    });
    stored.unwrap_or_else(|| workspace.clone())
}

/// Plays a stored line again under the rules that it was played under.
pub(super) fn play_stored(
    folder: Option<&Path>,
    workspace: &Workspace,
    opened: &OpenedFile,
) -> Result<SetupResult, Problems> {
    let overrides = Overrides::default();
    let rules = |fingerprint: &str| rules_of(folder, workspace, fingerprint);
    let ran = run::run_under(&rules, opened, &overrides)?;
    Ok(setup_result(ran, opened, &overrides))
}

/// Reads a line.
pub(super) fn read_line(
    folder: &Path,
    workspace: &Workspace,
    entry: &StoredBranch,
) -> Result<LineHead, Problems> {
    let name = &entry.file;
    if name.is_empty() || name.contains(['/', '\\']) {
        return Err(problems::damaged_session("a branch has no file").into());
    }
    let transcript = Transcript::parse(&Source::read(folder.join(name))?)?;
    let opened = suite::open(workspace, &entry.opened).map(|opened| opened.file);
    let opened = opened.unwrap_or_else(|_| {
        // Not by the name of its copy here, which goes when play goes on.
        let mut opened = transcript.scenario.clone();
        opened.source = Source::new(entry.opened.clone(), opened.source.text.clone());
        opened
    });
    let mut file = transcript.scenario.clone();
    let in_file = opened.expect.iter().filter(|e| entry.expect.contains(&e.value));
    file.expect = in_file.cloned().collect();
    expect_also(
        &mut file,
        entry.expect.iter().cloned().map(Spanned::from).collect(),
    );
    Ok(LineHead {
        file,
        opened,
        transcript: transcript.into(),
        stand: entry.stand.clone(),
        branch: None,
        answer_texts: OnceCell::new(),
    })
}

/// The number of the newest file of a line.
pub(super) fn last_number(folder: &Path) -> u64 {
    line_files(folder).last().map_or(0, |(number, _)| *number)
}

/// The files of lines, each with its number, oldest first.
fn line_files(folder: &Path) -> Vec<(u64, String)> {
    let numbered = |name: String| {
        let number = name.strip_prefix("line-")?.strip_suffix(".txt")?;
        Some((number.parse().ok()?, name))
    };
    let mut files: Vec<_> = names_in(folder).into_iter().filter_map(numbered).collect();
    files.sort();
    files
}

pub(super) fn stored_rules(folder: &Path) -> BTreeSet<String> {
    let names = names_in(folder).into_iter();
    names
        .filter_map(|n| Some(n.strip_prefix("rules-")?.strip_suffix(".toml")?.to_owned()))
        .collect()
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect()
}

/// Returns the index of a session whose index file cannot be read: its newest branch is the present one.
pub(super) fn salvaged(folder: &Path) -> SessionIndex {
    let mut files = line_files(folder);
    let entry = |file: String, name: String| StoredBranch {
        file,
        name,
        ..StoredBranch::default()
    };
    let present = files
        .pop()
        .map_or_else(StoredBranch::default, |(_, f)| entry(f, String::new()));
    let line = files.into_iter().map(|(n, f)| entry(f, format!("line-{n}")));
    SessionIndex {
        present,
        line: line.collect(),
        ..SessionIndex::default()
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
        assert_eq!(of(&Workspace::embedded()), Path::new("/state/sessions/embedded"));
    }

    #[test]
    fn an_index_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let entry = |name: &str| StoredBranch {
            file: "line-1.txt".to_owned(),
            name: name.to_owned(),
            back: 3,
            stand: BranchSummary {
                stands: "red wins: \"so\" \u{e9}\n".to_owned(),
                hidden: vec!["setup".to_owned()],
                ..BranchSummary::default()
            },
            ..StoredBranch::default()
        };
        let index = SessionIndex {
            left: true,
            alone: true,
            forth: "two".to_owned(),
            present: entry(""),
            line: vec![entry("one"), entry("two")],
            plays: [("red".to_owned(), "mcts:400".to_owned())].into(),
        };
        let path = folder.path().join(INDEX);
        fs::write(&path, toml::to_string(&index).expect("it is TOML") + END).expect("written");
        assert_eq!(read_index(&path), Ok(index));
        // What is not there has its default; what is none is said.
        fs::write(&path, format!("left = true\n{END}")).expect("written");
        assert!(read_index(&path).is_ok_and(|i| i.left && i.line.is_empty()));
        fs::write(&path, format!("left = 3\n{END}")).expect("written");
        assert!(read_index(&path).is_err());
        // Cut off where what is left is well by itself.
        fs::write(&path, "left = true\n").expect("written");
        assert!(read_index(&path).is_err());
    }

    #[test]
    fn rules_are_those_that_were_kept_or_else_those_of_the_workspace() {
        let folder = tempfile::tempdir().expect("a folder");
        let here = Workspace::embedded();
        let of = |fingerprint: &str| rules_of(Some(folder.path()), &here, fingerprint);
        assert_eq!(of("0123abcd"), here);
        fs::write(
            folder.path().join("rules-0123abcd.toml"),
            "\"scripts/g/game.rhai\" = \"text\"\n",
        )
        .expect("written");
        let stored = of("0123abcd");
        assert_eq!(stored.games(), ["g"]);
        assert_eq!(
            stored.read("scripts/g/game.rhai").map(|s| s.text.clone()),
            Ok("text".to_owned())
        );
        fs::write(folder.path().join("rules-0123abcd.toml"), "broken").expect("written");
        assert_eq!(of("0123abcd"), here);
        assert_eq!(of(""), here);
        assert_eq!(of("../0123abcd"), here);
    }
}
