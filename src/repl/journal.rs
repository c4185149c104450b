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

use super::branches::{Ahead, Keeping, Tip};
use super::parting::Said;
use super::plays::Plays;
use super::session::{Lain, Output, Piece, Session, lain};
use super::watch::Files;
use crate::files::write_whole;
use crate::kernel::dice::text_hash;
use crate::pages::lines::counted;
use crate::play::{Branch, Play};
use crate::render::Style;
use crate::report::{Problem, Problems, Source};
use crate::scenario::run::{self, Opened, Overrides};
use crate::script::host::{Host, Options};
use crate::script::register::Register;
use crate::script::workspace::Workspace;
use crate::suite;
use crate::transcript::{Line, Transcript};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const INDEX: &str = "session.toml";
const LOCK: &str = "lock";
/// The last line of an index: one without it has lost its end.
const END: &str = "# end\n";
/// How many sessions of a workspace are kept besides those that are open.
const MOST: usize = 8;

/// What a session on disk consists of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Index {
    /// It was left on purpose.
    left: bool,
    present: KeptLine,
    line: Vec<KeptLine>,
    /// Texts that were typed at the prompt and lie over the workspace, by path.
    texts: BTreeMap<String, String>,
    /// Agents that play sides, by side.
    plays: BTreeMap<String, String>,
}

/// A line of play.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct KeptLine {
    /// The file of its transcript.
    file: String,
    /// What it is called; empty for one without a name.
    name: String,
    /// Whether somebody named it.
    named: bool,
    /// Which game on the table it is a line of.
    table: u32,
    /// How many of its answers are taken back.
    back: usize,
    /// The path of the scenario that was opened.
    opened: String,
    at: String,
    stands: String,
    /// The phases of its game in which choices are secret.
    hidden: Vec<String>,
}

/// The sessions of a workspace on disk.
#[derive(Debug, Clone)]
pub struct Journals {
    folder: PathBuf,
}

/// A session on disk that nobody has open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    folder: PathBuf,
    /// Whether it was left on purpose; else it was cut off.
    pub left: bool,
}

impl Journals {
    /// Those in this folder, which need not be there yet.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
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
    pub fn left(&self) -> Vec<Found> {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let mut found: Vec<(SystemTime, Found)> = entries
            .flatten()
            .filter_map(|entry| {
                let folder = entry.path();
                let index = folder.join(INDEX);
                let written = fs::metadata(&index).and_then(|d| d.modified()).ok()?;
                if is_open(&folder) {
                    return None;
                }
                let left = read_index(&index).is_ok_and(|i| i.left);
                Some((written, Found { folder, left }))
            })
            .collect();
        found.sort_by(|a, b| (b.0, &b.1.folder).cmp(&(a.0, &a.1.folder)));
        found.into_iter().map(|(_, found)| found).collect()
    }

    /// A session that begins; its folder is made when something is played.
    fn begin(&self) -> Journal {
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
        let all = self.left();
        let too_many = (all.len() + 1).saturating_sub(MOST);
        let (left, cut_off): (Vec<Found>, Vec<Found>) = all.into_iter().partition(|found| found.left);
        let oldest = left.iter().rev().chain(cut_off.iter().rev());
        let gone = oldest.take(too_many).filter_map(|old| {
            let present = read_index(&old.folder.join(INDEX)).unwrap_or_default().present;
            // One that cannot be removed is there the next time.
            fs::remove_dir_all(&old.folder).ok()?;
            let how = if old.left { "left" } else { "cut off" };
            let stood = [present.at, present.stands]
                .into_iter()
                .filter(|part| !part.is_empty());
            let stood: Vec<String> = stood.collect();
            let stood = if stood.is_empty() {
                String::new()
            } else {
                format!(" ({})", stood.join(", "))
            };
            Some(format!(
                "note: {MOST} sessions of a workspace are kept; the oldest that was {how}{stood} is removed"
            ))
        });
        gone.collect()
    }

    /// Makes the folder of a new session.
    fn make(&self) -> std::io::Result<(PathBuf, File)> {
        fs::create_dir_all(&self.folder)?;
        let process = std::process::id();
        let mut nth = 1;
        loop {
            let folder = self.folder.join(format!("{process}-{nth}"));
            match fs::create_dir(&folder) {
                Ok(()) => {
                    let lock = File::create(folder.join(LOCK))?;
                    // Where files cannot be locked, nobody else is kept out.
                    let _ = lock.lock();
                    return Ok((folder, lock));
                }
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && nth < 1_000 => nth += 1,
                Err(error) => return Err(error),
            }
        }
    }
}

/// The folder of a workspace; `None` for the embedded games.
fn base(workspace: &Workspace) -> Option<&Path> {
    match workspace {
        Workspace::Folder(root) => Some(root),
        Workspace::Embedded => None,
        Workspace::Edited(under, _) | Workspace::Listed(under, _) => base(under),
    }
}

fn is_open(folder: &Path) -> bool {
    let lock = File::open(folder.join(LOCK));
    lock.is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
}

fn read_index(path: &Path) -> Result<Index, Problem> {
    let source = Source::read(path)?;
    if !source.text.ends_with(END) {
        return Err(Problem::new(
            "the index of the session is damaged: its end is missing",
        ));
    }
    toml::from_str(&source.text).map_err(|error| {
        let problem = Problem::new(format!(
            "the index of the session is damaged: {}",
            error.message()
        ));
        match error.span() {
            Some(span) => problem.at(&source, span),
            None => problem,
        }
    })
}

/// A session that is kept on disk.
pub(super) struct Journal {
    journals: Journals,
    /// `None` until something is played.
    folder: Option<PathBuf>,
    lock: Option<File>,
    /// By line, the hash of its text and its file; the present line goes by [`PRESENT`].
    files: BTreeMap<u32, (u64, String)>,
    /// The fingerprints of the rules whose texts are written.
    rules: BTreeSet<String>,
    /// The index on disk.
    index: Option<Index>,
    /// How many files were written, for the name of the next.
    written: u64,
    /// That it cannot be written was told.
    told: bool,
    /// What is still to be told.
    notes: Vec<String>,
}

/// The present line among those of a journal.
const PRESENT: u32 = u32::MAX;

impl Journal {
    /// Writes a line's text if it is not what its file holds; the file's name.
    fn line(&mut self, folder: &Path, id: u32, text: &str) -> std::io::Result<String> {
        let known = self.files.get(&id);
        // The text of a line that is not the present one never changes.
        if let Some((_, file)) = known
            && id != PRESENT
        {
            return Ok(file.clone());
        }
        let hash = text_hash(text);
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
                write_whole(&folder.join(&file), text)?;
                (hash, file)
            }
        };
        self.files.insert(id, (hash, file.clone()));
        Ok(file)
    }

    fn write(
        &mut self,
        mut index: Index,
        texts: &[(u32, &str)],
        play: &Play,
        register: impl FnOnce() -> Option<(String, String)>,
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
                rule_texts(&play.host, register()),
            )?;
            self.rules.insert(fingerprint.clone());
            self.forget_rules(&folder, &fingerprint, texts);
        }
        // The present line comes last: what it was may be a line that is kept now, and the newest file
        // is the present line's where the index is lost.
        let mut names = vec![String::new(); texts.len()];
        for (at, (id, text)) in texts.iter().enumerate().rev() {
            names[at] = self.line(&folder, *id, text)?;
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
        let lines = texts.iter().map(|(id, _)| *id).collect::<BTreeSet<u32>>();
        self.files.retain(|id, _| lines.contains(id));
        for file in before {
            if !self.files.values().any(|(_, now)| *now == file) {
                // One that stays is nobody's.
                let _ = fs::remove_file(folder.join(file));
            }
        }
        Ok(())
    }

    /// Removes the texts of rules that no line was played under any more.
    fn forget_rules(&mut self, folder: &Path, present: &str, texts: &[(u32, &str)]) {
        let used = |rules: &str| {
            let mark = format!(", rules {rules}");
            rules == present || texts.iter().any(|(_, text)| text.contains(&mark))
        };
        self.rules.retain(|rules| {
            let used = used(rules);
            if !used {
                // One that stays is nobody's.
                let _ = fs::remove_file(folder.join(rules_file(rules)));
            }
            used
        });
    }
}

fn rules_file(fingerprint: &str) -> String {
    format!("rules-{fingerprint}.toml")
}

/// The texts of a ruleset, by path.
fn rule_texts(rules: &Host, register: Option<(String, String)>) -> String {
    let texts = rules.layers.texts.iter();
    let mut all: BTreeMap<String, String> = texts
        .map(|t| (t.parsed.source.name.clone(), t.parsed.source.text.clone()))
        .collect();
    all.extend(register);
    // A map of texts is always TOML.
    toml::to_string(&all).unwrap_or_default()
}

/// The workspace of the rules of this fingerprint in a session's folder; the present one where they
/// are not there.
fn rules_of(folder: Option<&Path>, workspace: &Workspace, fingerprint: &str) -> Workspace {
    let plain = !fingerprint.is_empty() && fingerprint.chars().all(|c| c.is_ascii_alphanumeric());
    let kept = folder.filter(|_| plain).and_then(|folder| {
        let source = Source::read(folder.join(rules_file(fingerprint))).ok()?;
        let texts: BTreeMap<String, String> = toml::from_str(&source.text).ok()?;
        // Beside these texts there is nothing.
        Some(Workspace::Folder(folder.join("nothing")).with(texts))
    });
    kept.unwrap_or_else(|| workspace.clone())
}

/// Plays a stored line again under the rules that it was played under.
fn play_stored(folder: Option<&Path>, workspace: &Workspace, opened: &Opened) -> Result<Lain, Problems> {
    let overrides = Overrides::default();
    let rules = |fingerprint: &str| rules_of(folder, workspace, fingerprint);
    let ran = run::run_under(&rules, opened, &overrides)?;
    Ok(lain(ran, opened, &overrides))
}

impl Session {
    /// Keeps the session on disk from now on. The greeting tells of one before that was cut off.
    pub fn keep_journal(&mut self, journals: &Journals) {
        if journals.left().first().is_some_and(|last| !last.left) {
            let note = "the session before was cut off; `rulebench repl --resume` goes on with it";
            self.add_notes(vec![(false, Problem::new(note))]);
        }
        self.journal = Some(journals.begin());
    }

    /// Texts that were typed at the prompt and lie over the workspace, by path.
    fn texts_over_workspace(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    /// Lays texts over the workspace that were typed at the prompt of a session before.
    fn lay_texts_over_workspace(&mut self, _texts: BTreeMap<String, String>) {}

    /// Writes what has changed to disk. That this cannot be done is told once; play goes on.
    pub(super) fn write_journal(&mut self, reply: &mut Output) {
        let Some(journal) = &self.journal else { return };
        let kept = self.branches.kept.iter().any(|k| !k.untouched);
        if journal.folder.is_none() && !kept && !self.is_touched() {
            return;
        }
        let written = self.write_now(false);
        if let Some(journal) = &mut self.journal {
            let notes = std::mem::take(&mut journal.notes);
            reply.pieces.splice(0..0, notes.into_iter().map(Piece::Text));
        }
        if let Err(error) = written
            && let Some(journal) = &mut self.journal
            && !std::mem::replace(&mut journal.told, true)
        {
            reply.pieces.insert(
                0,
                Piece::Text(format!(
                    "note: the session cannot be kept on disk ({error}); `:save` writes the game elsewhere"
                )),
            );
        }
    }

    fn write_now(&mut self, left: bool) -> std::io::Result<()> {
        let Some(mut journal) = self.journal.take() else {
            return Ok(());
        };
        let text;
        let rules = &self.play.host.rules;
        let hidden = rules.phases.iter().filter(|p| p.hidden).map(|p| p.name.clone());
        let (present_text, back, at, stands) = match &self.branches.ahead {
            Some(Ahead { tip, at, .. }) => {
                let given = tip.branch.as_ref().map_or(0, Branch::given);
                let back = given.saturating_sub(*at);
                (&*tip.text, back, tip.at.clone(), tip.stands.clone())
            }
            None => {
                text = self.transcript().print();
                (text.as_str(), 0, self.whereabouts(), self.stands())
            }
        };
        let (name, named) = self.branches.name.clone().unwrap_or_default();
        let present = KeptLine {
            name,
            named,
            table: self.branches.table,
            back,
            opened: self.opened.file.source.name.clone(),
            at,
            stands,
            hidden: hidden.collect(),
            ..KeptLine::default()
        };
        let kept: Vec<&Keeping> = self.branches.kept.iter().filter(|k| !k.untouched).collect();
        let entry = |k: &&Keeping| KeptLine {
            file: String::new(),
            name: k.name.clone(),
            named: k.named,
            table: k.table,
            back: k.back,
            opened: k.tip.opened.source.name.clone(),
            at: k.tip.at.clone(),
            stands: k.tip.stands.clone(),
            hidden: k.tip.hidden.clone(),
        };
        let index = Index {
            left,
            present,
            line: kept.iter().map(entry).collect(),
            texts: self.texts_over_workspace(),
            plays: self.plays.kept(),
        };
        let mut texts = vec![(PRESENT, present_text)];
        texts.extend(kept.iter().map(|k| (k.id, &*k.tip.text)));
        let register = || {
            let path = Register::path(&self.play.host.rules.game);
            let source = self.workspace.read(&path).ok()?;
            Some((path, source.text.clone()))
        };
        let written = journal.write(index, &texts, &self.play, register);
        self.journal = Some(journal);
        written
    }

    /// The session is left on purpose: what to say last.
    pub fn close(&mut self) -> Option<String> {
        self.journal.as_ref()?.folder.as_ref()?;
        // A disk that is full was told of before.
        self.write_now(true).ok()?;
        Some("the session is kept: `rulebench repl --resume` goes on with it".to_owned())
    }

    /// Plays a kept line again under the rules that it was played under.
    pub(super) fn lay_kept(&self, opened: &Opened) -> Result<Lain, Problems> {
        let folder = self.journal.as_ref().and_then(|j| j.folder.as_deref());
        let (play, file, mut notes) = play_stored(folder, &self.workspace, opened)?;
        if let Some(at) = notes.iter().position(|(wrong, _)| *wrong) {
            let (_, problem) = notes.swap_remove(at);
            return Err(problem.hint("the line stays as it is kept").into());
        }
        Ok((play, file, notes))
    }

    /// Goes on with a session that was kept on disk, the latest for 1, and keeps it on.
    ///
    /// # Errors
    ///
    /// That there is none; what is wrong with it, when nothing of it can be read.
    pub fn resume(
        workspace: &Workspace,
        journals: &Journals,
        nth: usize,
        style: Style,
    ) -> Result<Self, Problems> {
        let found = journals.left();
        let Some(Found { folder, .. }) = nth.checked_sub(1).and_then(|i| found.get(i)) else {
            let problem = match found.len() {
                0 => Problem::new("there is no session here to go on with").hint(
                    "sessions at the terminal are kept as they are played; one that is open elsewhere is not offered",
                ),
                1 => Problem::new(format!("there is no session {nth} here, only one")),
                n => Problem::new(format!("there is no session {nth} here, only {n}")),
            };
            return Err(problem.into());
        };
        let mut journal = journals.begin();
        if let Ok(lock) = File::open(folder.join(LOCK)) {
            if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
                let problem = Problem::new("that session was just opened elsewhere");
                return Err(problem.into());
            }
            journal.lock = Some(lock);
        }
        journal.folder = Some(folder.clone());
        Self::of_folder(workspace, folder, journal, style)
    }

    fn of_folder(
        workspace: &Workspace,
        folder: &Path,
        mut journal: Journal,
        style: Style,
    ) -> Result<Self, Problems> {
        let files = Files::of(workspace);
        let mut notes: Vec<(bool, Problem)> = Vec::new();
        let index = match read_index(&folder.join(INDEX)) {
            Ok(index) => index,
            Err(problem) => {
                notes.push((true, problem));
                salvaged(folder)
            }
        };
        journal.written = last_number(folder);
        journal.rules = kept_rules(folder);
        let mut kept: Vec<Keeping> = Vec::new();
        for entry in &index.line {
            match read_line(folder, workspace, entry) {
                Ok((tip, _)) => {
                    let id = kept.len() as u32;
                    journal
                        .files
                        .insert(id, (text_hash(&tip.text), entry.file.clone()));
                    kept.push(Keeping {
                        id,
                        name: entry.name.clone(),
                        named: entry.named,
                        table: entry.table,
                        tip,
                        back: entry.back,
                        untouched: false,
                    });
                }
                Err(problems) => notes.extend(problems.0.into_iter().take(1).map(|p| (true, p))),
            }
        }
        let mut present = index.present.clone();
        let read = read_line(folder, workspace, &present);
        let laid = read.and_then(|(tip, opened)| {
            let (play, file, said) = play_stored(Some(folder), workspace, &opened)?;
            Ok((tip, play, file, said))
        });
        let (tip, play, file, said) = match laid {
            Ok(laid) => {
                let known = (text_hash(&laid.0.text), present.file.clone());
                journal.files.insert(PRESENT, known);
                laid
            }
            Err(problems) => {
                // The present line cannot be read: the one left last that can takes its place.
                let last = (0..kept.len()).rev().find_map(|at| {
                    let source = Source::new("the line", kept[at].tip.text.to_string());
                    let opened = run::open(&source).ok()?;
                    let (play, file, said) = play_stored(Some(folder), workspace, &opened).ok()?;
                    Some((at, play, file, said))
                });
                let Some((at, play, file, said)) = last else {
                    return Err(problems);
                };
                notes.extend(problems.0.into_iter().take(1).map(|p| (true, p)));
                let taken = kept.remove(at);
                present.name.clone_from(&taken.name);
                (present.named, present.table, present.back) = (taken.named, taken.table, taken.back);
                (taken.tip, play, file, said)
            }
        };
        let cut_short = said.iter().any(|(wrong, _)| *wrong);
        notes.extend(said.into_iter().filter(|(wrong, _)| *wrong));
        let seed = file.seed;
        let opened = Opened {
            file: tip.opened.clone(),
            lines: None,
        };
        let overrides = Overrides {
            seed: Some(seed),
            ..Overrides::default()
        };
        let others = kept.len();
        let mut session = Self::at(
            workspace,
            files,
            opened,
            overrides,
            (play, file, Vec::new()),
            style,
        );
        session.journal = Some(journal);
        session.branches.next_id = others as u32 + 1;
        session.branches.kept = kept;
        session.branches.table = present.table;
        if !present.name.is_empty() {
            session.branches.name = Some((present.name.clone(), present.named));
        }
        if cut_short {
            // What was told on is not lost, though it cannot be played.
            session.keep_as_it_was(tip);
        }
        session.branches.set_played();
        session.lay_texts_over_workspace(index.texts);
        session.settle();
        if present.back > 0 && !cut_short {
            session.take_back(present.back);
        }
        let mut parts = vec![counted(session.play.given(), "answer")];
        if others > 0 {
            parts.push(match others {
                1 => "1 other line is kept".to_owned(),
                n => format!("{n} other lines are kept"),
            });
        }
        notes.push((
            false,
            Problem::new(format!("the session goes on where it was: {}", parts.join(", "))),
        ));
        session.take_rules_of_today(&mut notes);
        session.settle();
        session.forget_untold();
        session.told.asked = None;
        session.plays = Plays::of(&index.plays);
        session.add_notes(notes);
        Ok(session)
    }

    /// Files may have been saved since the session was left: they are taken over as if it had been open.
    fn take_rules_of_today(&mut self, notes: &mut Vec<(bool, Problem)>) {
        let (game, options) = (self.play.host.rules.game.clone(), self.play.host.options.clone());
        let loaded = Host::load(&self.workspace, &game, &options);
        let taken = loaded.and_then(|host| {
            if host.fingerprint() == self.play.host.fingerprint() {
                return Ok(None);
            }
            Ok(Some(
                self.play.change_rules(host, "reloaded what was saved since")?,
            ))
        });
        match taken {
            Ok(None) => {}
            Ok(Some(kept)) => {
                let mut reply = Output::text("rules that were saved since are reloaded; board kept");
                self.say_cost(&mut reply, &kept);
                self.settle();
                self.follow(&mut reply);
                for piece in reply.pieces {
                    let (Piece::Text(text) | Piece::Error(text) | Piece::Cover(text)) = piece;
                    notes.push((false, Problem::new(text)));
                }
            }
            Err(problems) => {
                notes.extend(problems.0.into_iter().map(|p| (true, p)));
                let text = "the rules that the session was played under stay in force";
                notes.push((false, Problem::new(text)));
            }
        }
    }
}

/// Reads a line: what belongs to it, and its transcript.
fn read_line(folder: &Path, workspace: &Workspace, entry: &KeptLine) -> Result<(Tip, Opened), Problems> {
    let name = &entry.file;
    if name.is_empty() || name.contains(['/', '\\']) {
        return Err(Problem::new("a line of the session has no file").into());
    }
    let source = Source::read(folder.join(name))?;
    let transcript = Transcript::parse(&source)?;
    let opened = suite::open(workspace, &entry.opened)
        .ok()
        .map(|opened| opened.file);
    let tip = Tip {
        branch: None,
        text: source.text.as_str().into(),
        file: transcript.scenario.clone(),
        opened: opened.unwrap_or_else(|| transcript.scenario.clone()),
        said: Said::of(&transcript.lines, &entry.hidden).into(),
        hidden: entry.hidden.clone(),
        at: entry.at.clone(),
        stands: entry.stands.clone(),
        options: last_options(&transcript),
    };
    let opened = Opened {
        file: transcript.scenario,
        lines: Some(transcript.lines),
    };
    Ok((tip, opened))
}

/// What the rules of the last chapter are loaded with.
fn last_options(transcript: &Transcript) -> Options {
    let mut chapters = transcript.lines.iter().rev();
    let last = chapters.find_map(|line| match line {
        // Where something was changed by hand, the rules are those of the chapter before.
        Line::Chapter {
            number,
            options,
            edits,
            ..
        } if edits.is_empty() => Some((*number, options)),
        _ => None,
    });
    match last {
        Some((number, options)) if number > 1 => options.clone(),
        // Of the first chapter it says only what the scenario cannot.
        Some((_, options)) => run::options_of(&transcript.scenario, &options.without),
        None => run::options_of(&transcript.scenario, &[]),
    }
}

/// The number of the newest file of a line.
fn last_number(folder: &Path) -> u64 {
    let names = names_in(folder).into_iter();
    let numbers = names.filter_map(|n| n.strip_prefix("line-")?.strip_suffix(".txt")?.parse().ok());
    numbers.max().unwrap_or(0)
}

fn kept_rules(folder: &Path) -> BTreeSet<String> {
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

/// What can be said of a session whose index cannot be read: its newest line is the present one.
fn salvaged(folder: &Path) -> Index {
    let mut files: Vec<(u64, String)> = names_in(folder)
        .into_iter()
        .filter_map(|n| {
            Some((
                n.strip_prefix("line-")?.strip_suffix(".txt")?.parse().ok()?,
                n.clone(),
            ))
        })
        .collect();
    files.sort();
    let entry = |file: String, name: String| KeptLine {
        file,
        name,
        ..KeptLine::default()
    };
    let present = files
        .pop()
        .map_or_else(KeptLine::default, |(_, f)| entry(f, String::new()));
    let line = files.into_iter().map(|(n, f)| entry(f, format!("line-{n}")));
    Index {
        present,
        line: line.collect(),
        ..Index::default()
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
        let one = Workspace::Folder(one.path().to_owned());
        let other = Workspace::Folder(other.path().to_owned());
        assert_ne!(of(&one), of(&other));
        assert_eq!(of(&one), of(&one.with(BTreeMap::new())));
        assert_eq!(of(&Workspace::Embedded), Path::new("/state/sessions/embedded"));
    }

    #[test]
    fn an_index_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let entry = |name: &str| KeptLine {
            file: "line-1.txt".to_owned(),
            name: name.to_owned(),
            back: 3,
            stands: "red wins: \"so\" \u{e9}\n".to_owned(),
            hidden: vec!["setup".to_owned()],
            ..KeptLine::default()
        };
        let index = Index {
            left: true,
            present: entry(""),
            line: vec![entry("one"), entry("two")],
            texts: [("scripts/g/variants/x.rhai".to_owned(), "fn a() {}\n".to_owned())].into(),
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
        let here = Workspace::Embedded;
        let of = |fingerprint: &str| rules_of(Some(folder.path()), &here, fingerprint);
        assert_eq!(of("0123abcd"), here);
        fs::write(
            folder.path().join("rules-0123abcd.toml"),
            "\"scripts/g/game.rhai\" = \"text\"\n",
        )
        .expect("written");
        let kept = of("0123abcd");
        assert_eq!(kept.games(), ["g"]);
        assert_eq!(
            kept.read("scripts/g/game.rhai").map(|s| s.text.clone()),
            Ok("text".to_owned())
        );
        fs::write(folder.path().join("rules-0123abcd.toml"), "broken").expect("written");
        assert_eq!(of("0123abcd"), here);
        assert_eq!(of(""), here);
        assert_eq!(of("../0123abcd"), here);
    }
}
