//! Snapshots: the transcript of each scenario, kept beside it and compared when it is played.
//!
//! A snapshot is a transcript in the frame that insta uses: `---`, what it is of, `---`, the body. The one of
//! `scenarios/<game>/<name>.toml` is `snapshots/<game>/<name>.snap`; one that waits for a decision
//! ends with `.snap.new`. This module keeps the files and says how a transcript compares; it may not know how a scenario
//! is played, and asks nobody.

use crate::files;
use crate::report::{Problem, Problems, Source};
use crate::rules::workspace::{Workspace, WorkspaceFiles};
use crate::text_diff::{self, DiffRow};
use crate::transcript::{BOARD, Line, Transcript, line_offset, problems};
use std::collections::BTreeSet;
use std::sync::Arc;

const FENCE: &str = "---";
const SCENARIOS: &str = "scenarios/";
const FOLDER: &str = "snapshots/";
/// Suffix of the path of an accepted snapshot.
pub const ACCEPTED: &str = ".snap";
/// Suffix of the path of a pending snapshot.
pub const PENDING: &str = ".snap.new";
/// Number of equal lines shown around a change.
const CONTEXT: usize = 3;
/// Maximum number of changed lines that `test` shows for each scenario; later ones are mostly consequences of the first
/// ones.
const MOST: usize = 40;

/// The path of a scenario's snapshot, from the workspace's root; none for a file elsewhere.
pub fn path_of(scenario: &str) -> Option<String> {
    let inner = scenario.strip_prefix(SCENARIOS)?.strip_suffix(".toml")?;
    inner.contains('/').then(|| format!("{FOLDER}{inner}{ACCEPTED}"))
}

/// The scenario that a snapshot, accepted or pending, is of.
pub fn scenario_of(snapshot: &str) -> Option<String> {
    let inner = snapshot.strip_prefix(FOLDER)?;
    let inner = inner
        .strip_suffix(PENDING)
        .or_else(|| inner.strip_suffix(ACCEPTED))?;
    Some(format!("{SCENARIOS}{inner}.toml"))
}

/// The text of a snapshot file: the transcript in its frame.
pub fn print(scenario: &str, transcript: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./".contains(c);
    let source = if scenario.chars().all(plain) {
        scenario.to_owned()
    } else {
        // YAML in double quotes escapes as JSON does.
        serde_json::Value::from(scenario).to_string()
    };
    format!(
        "{FENCE}\nsource: {source}\nexpression: transcript\n{FENCE}\n{}\n",
        transcript.trim_end()
    )
}

/// The line, counted from 0, at which the body of a text in a snapshot's frame begins; `None` for a text without a frame.
///
/// # Errors
///
/// A frame that is cut off or has a line that belongs in none.
pub fn first_line(source: &Arc<Source>) -> Result<Option<usize>, Problem> {
    let mut lines = source.text.split('\n').map(str::trim_end);
    if lines.next() != Some(FENCE) {
        return Ok(None);
    }
    let broken =
        |line: usize, problem: Problem| problem.at(source, source.line_at(line_offset(&source.text, line)));
    for (index, line) in lines.enumerate() {
        if line == FENCE {
            return Ok(Some(index + 2));
        }
        let belongs = line.is_empty()
            || line.starts_with([' ', '#', '-'])
            || line.split_once(':').is_some_and(|(key, _)| {
                !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
            });
        if !belongs {
            return Err(broken(index + 1, problems::unknown_head_line()));
        }
    }
    Err(broken(0, problems::cut_off_head()))
}

/// Reads a snapshot file, accepted or pending, and returns its transcript as text.
///
/// # Errors
///
/// A file that cannot be read, is no text, has no frame, or whose body is no whole transcript.
pub fn read(workspace: &Workspace, path: &str) -> Result<String, Problems> {
    let source = workspace.read(path)?;
    let Some(first) = first_line(&source)? else {
        return Err(problems::not_a_snapshot().at(&source, source.line_at(0)).into());
    };
    let mut at = 0;
    for line in source.text.split_inclusive('\n') {
        if ["<<<<<<< ", ">>>>>>> "].iter().any(|mark| line.starts_with(mark)) {
            return Err(problems::merge_conflict().at(&source, source.line_at(at)).into());
        }
        at += line.len();
    }
    Transcript::parse_from(&source, first)?;
    let body: Vec<&str> = source.text.lines().skip(first).collect();
    Ok(without_boards(&format!("{}\n", body.join("\n").trim_end())))
}

/// Result of storing a transcript that its snapshot does not contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PendingOutcome {
    /// It waits in a `.snap.new` file.
    Pending,
    /// Nothing may be written here, for this reason.
    Nowhere(&'static str),
    /// It could not be written.
    Failed(Box<Problem>),
}

/// Result of comparing a scenario's transcript with its snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SnapshotComparison {
    /// It was not compared, for this reason.
    NotCompared(&'static str),
    /// It is the same.
    Same,
    /// The game has no snapshots at all.
    NoneYet,
    /// The scenario has no snapshot, but others of its game have.
    Missing(PendingOutcome),
    /// It differs.
    Differs {
        /// The snapshot's transcript.
        old: String,
        /// The transcript of now.
        new: String,
        /// Result of storing the new transcript.
        kept: PendingOutcome,
    },
    /// The snapshot cannot be read.
    Broken(Problems, PendingOutcome),
    /// Played again from its own transcript, the scenario did something else.
    Drifts {
        /// Transcript of the first play.
        first: String,
        /// Transcript of the second play, if it could be played.
        second: Result<String, Problems>,
    },
}

impl SnapshotComparison {
    /// Whether nothing is wrong.
    pub fn passed(&self) -> bool {
        matches!(
            self,
            SnapshotComparison::NotCompared(_) | SnapshotComparison::Same | SnapshotComparison::NoneYet
        )
    }

    /// One word for it, for lists and JSON.
    pub fn word(&self) -> &'static str {
        match self {
            SnapshotComparison::NotCompared(_) => "not compared",
            SnapshotComparison::Same => "same",
            SnapshotComparison::NoneYet => "none yet",
            SnapshotComparison::Missing(_) => "missing",
            SnapshotComparison::Differs { .. } => "differs",
            SnapshotComparison::Broken(..) => "broken",
            SnapshotComparison::Drifts { .. } => "drifts",
        }
    }

    /// Returns the result of storing the new transcript; `None` where there was nothing to store.
    pub fn pending(&self) -> Option<&PendingOutcome> {
        match self {
            SnapshotComparison::Missing(outcome)
            | SnapshotComparison::Differs { kept: outcome, .. }
            | SnapshotComparison::Broken(_, outcome) => Some(outcome),
            _ => None,
        }
    }

    /// The rows of the difference, where there is one.
    pub fn rows(&self) -> Vec<DiffRow> {
        match self {
            SnapshotComparison::Differs { old, new, .. } => text_diff::rows(old, new, CONTEXT, Line::heading),
            SnapshotComparison::Drifts {
                first,
                second: Ok(second),
            } => text_diff::rows(first, second, CONTEXT, Line::heading),
            _ => Vec::new(),
        }
    }

    /// Returns the text about a failed comparison for people; empty for the others.
    pub fn page(&self, scenario: &str, colour: bool) -> String {
        let snapshot = path_of(scenario).unwrap_or_default();
        let mut lines = Vec::new();
        match self {
            SnapshotComparison::NotCompared(_) | SnapshotComparison::Same | SnapshotComparison::NoneYet => {
                return String::new();
            }
            SnapshotComparison::Missing(_) => lines.push(format!("there is no snapshot {snapshot}")),
            SnapshotComparison::Differs { old, new, .. } => {
                lines.push(difference(&snapshot, old, new, MOST, colour))
            }
            SnapshotComparison::Broken(problems, _) => lines.push(problems.page(colour)),
            SnapshotComparison::Drifts { first, second } => {
                lines.push(
                    "played again from its own transcript, the scenario did something else: \
                     something outside the game decides in it"
                        .to_owned(),
                );
                lines.push(match second {
                    Ok(second) => {
                        difference_text(first, second, ("the first time", "the second time"), MOST, colour)
                    }
                    Err(problems) => problems.page(colour),
                });
            }
        }
        match self.pending() {
            None => {}
            Some(PendingOutcome::Pending) if matches!(self, SnapshotComparison::Broken(..)) => lines.push(format!(
                "the file is left as it is; to put in its place what was played now: rulebench accept {}",
                typed(scenario)
            )),
            Some(PendingOutcome::Pending) => lines.push(format!(
                "if it is right now: rulebench accept {}   (or step through all that are pending: rulebench review)",
                typed(scenario)
            )),
            Some(PendingOutcome::Nowhere(why)) => lines.push(format!("nothing was written: {why}")),
            Some(PendingOutcome::Failed(problem)) => lines.push(problem.page(colour)),
        }
        lines.join("\n")
    }
}

/// The name by which a user calls a scenario.
pub fn stem(scenario: &str) -> &str {
    let last = scenario.rsplit('/').next().unwrap_or(scenario);
    last.strip_suffix(".toml").unwrap_or(last)
}

/// The same as it is typed behind a command in a shell.
fn typed(scenario: &str) -> String {
    let name = stem(scenario);
    // What begins like an option, or is called like the folder that it lies in, means something else.
    let is_other = name.starts_with('-') || scenario.split('/').any(|folder| folder == name);
    files::shell_word(if is_other { scenario } else { name })
}

/// Describes the difference between a transcript and its snapshot: the first place, the end, and at most `most` changed
/// lines.
pub fn difference(snapshot: &str, old: &str, new: &str, most: usize, colour: bool) -> String {
    if played(old) == played(new) {
        return format!(
            "it plays as {snapshot} says; only what stands above the play, the scenario itself, is another\n{}",
            difference_text(old, new, ("the snapshot", "now"), most, colour)
        );
    }
    let mut text = format!("it no longer plays as {snapshot} says");
    if let Some(place) = first_place(old, new) {
        text.push_str(&format!("; the first difference is in {place}"));
    }
    let end = |text: &str| text.lines().last().unwrap_or_default().to_owned();
    let (was, is) = (end(old), end(new));
    if was == is {
        text.push_str(&format!(
            "\nit ends as before: {}",
            is.trim_start_matches("end: ")
        ));
    } else {
        text.push_str(&format!(
            "\nit ended so: {}\nit ends now: {}",
            was.trim_start_matches("end: "),
            is.trim_start_matches("end: ")
        ));
    }
    format!(
        "{text}\n{}",
        difference_text(old, new, ("the snapshot", "now"), most, colour)
    )
}

fn difference_text(old: &str, new: &str, names: (&str, &str), most: usize, colour: bool) -> String {
    let options = text_diff::DiffOptions {
        colour,
        context: CONTEXT,
        names,
        heading: Line::heading,
        most,
    };
    let text = text_diff::diff(old, new, &options);
    text.trim_end().to_owned()
}

/// The play of a transcript, below the scenario that it is of.
fn played(transcript: &str) -> Option<&str> {
    transcript.splitn(3, "\n+++\n").nth(2)
}

/// A transcript without the boards that are drawn in it.
fn without_boards(transcript: &str) -> String {
    let play = played(transcript).unwrap_or_default();
    let lines = play.split_inclusive('\n').filter(|line| !line.starts_with(BOARD));
    let head = &transcript[..transcript.len() - play.len()];
    std::iter::once(head).chain(lines).collect()
}

/// The phases and the step in which two transcripts part.
fn first_place(old: &str, new: &str) -> Option<String> {
    let same = old.lines().zip(new.lines()).take_while(|(o, n)| o == n).count();
    let mut above: Vec<(usize, &str)> = Vec::new();
    let mut fences = 0;
    for (index, line) in new.lines().enumerate().take(same + 1) {
        if line == "+++" {
            fences += 1;
        } else if fences == 2
            && let Some(depth) = Line::heading(line)
            // A step that only one of them takes is the difference itself.
            && (index < same || depth < usize::MAX)
        {
            above.retain(|(d, _)| *d < depth);
            above.push((depth, line.trim_start_matches('=').trim()));
        }
    }
    if fences < 2 {
        return Some("the scenario itself, before the first step".to_owned());
    }
    let names: Vec<&str> = above.iter().map(|(_, name)| *name).collect();
    (!names.is_empty()).then(|| names.join(" > "))
}

/// The snapshots of a workspace.
pub struct SnapshotStore<'a> {
    workspace: &'a Workspace,
    /// Why nothing may be written, if so.
    shut: Option<&'static str>,
    /// Games without any snapshot get their first pending ones.
    begin: bool,
}

impl<'a> SnapshotStore<'a> {
    /// The snapshots of this workspace.
    ///
    /// Without `may_write`, comparing writes nothing and removes nothing. With `begin`, a game that has no snapshots gets its
    /// first pending ones.
    pub fn new(workspace: &'a Workspace, may_write: bool, begin: bool) -> Self {
        let shut = match &workspace.files {
            WorkspaceFiles::Texts(texts) if texts.is_fixed() => {
                Some("the games inside the program cannot be changed")
            }
            WorkspaceFiles::Edited(..) | WorkspaceFiles::Held(..) => Some("these rules are in no file"),
            _ if !may_write => Some("this is an automatic run (CI is set, or INSTA_UPDATE=no)"),
            _ => None,
        };
        Self {
            workspace,
            shut,
            begin,
        }
    }

    /// Compares the transcript of a scenario with its snapshot. One that differs or has none is kept as pending; a
    /// pending one that is no longer needed is removed.
    pub fn compare(&self, scenario: &str, transcript: &str) -> SnapshotComparison {
        let Some(path) = path_of(scenario) else {
            return SnapshotComparison::NotCompared("only files scenarios/<game>/<name>.toml have snapshots");
        };
        let new = format!("{}\n", transcript.trim_end());
        if !self.workspace.has(&path) {
            let game = path
                .strip_prefix(FOLDER)
                .and_then(|p| p.split('/').next())
                .unwrap_or_default();
            if !self.begin && !self.has_folder(&format!("{FOLDER}{game}")) {
                return SnapshotComparison::NoneYet;
            }
            return SnapshotComparison::Missing(self.keep(scenario, &path, &new));
        }
        match read(self.workspace, &path) {
            Ok(old) if old == new => {
                self.discard(scenario);
                SnapshotComparison::Same
            }
            Ok(old) => {
                let outcome = self.keep(scenario, &path, &new);
                SnapshotComparison::Differs {
                    old,
                    new,
                    kept: outcome,
                }
            }
            Err(problems) => SnapshotComparison::Broken(problems, self.keep(scenario, &path, &new)),
        }
    }

    /// Takes away what is pending of a scenario: nobody is to accept what it does not play any more.
    pub fn discard(&self, scenario: &str) {
        if let (None, Some(path)) = (&self.shut, path_of(scenario)) {
            // That it cannot be removed is no fault of the scenario.
            let _ = self.workspace.remove(&format!("{path}.new"));
        }
    }

    fn has_folder(&self, folder: &str) -> bool {
        match &self.workspace.files {
            WorkspaceFiles::Folder(root) => root.join(folder).is_dir(),
            _ => !self.workspace.list(folder, ACCEPTED).is_empty(),
        }
    }

    fn keep(&self, scenario: &str, path: &str, transcript: &str) -> PendingOutcome {
        if let Some(why) = self.shut {
            return PendingOutcome::Nowhere(why);
        }
        let pending = format!("{path}.new");
        let written = self
            .workspace
            .write(&pending, &print(scenario, transcript))
            .map_err(|mut problem| {
                problem.message = format!("the pending snapshot {}", problem.message);
                problem
            });
        match written {
            Ok(()) => PendingOutcome::Pending,
            Err(problem) => PendingOutcome::Failed(Box::new(problem)),
        }
    }

    /// The pending snapshots, as sorted paths from the root.
    pub fn pending(&self) -> Vec<String> {
        self.workspace.list(FOLDER.trim_end_matches('/'), PENDING)
    }

    /// Snapshots, accepted or pending, of which there is no scenario, as sorted paths from the root.
    pub fn unreferenced(&self) -> Vec<String> {
        let scenarios: BTreeSet<String> = self.workspace.list("scenarios", ".toml").into_iter().collect();
        let mut all = self.workspace.list(FOLDER.trim_end_matches('/'), ACCEPTED);
        all.extend(self.pending());
        all.retain(|path| scenario_of(path).is_none_or(|s| !scenarios.contains(&s)));
        all.sort();
        all
    }

    /// Makes a pending snapshot the accepted one. `pending` is its path from the root.
    ///
    /// # Errors
    ///
    /// A pending snapshot that cannot be read as one, or a folder that cannot be written; both files are then
    /// as they were.
    pub fn accept(&self, pending: &str) -> Result<(), Problems> {
        read(self.workspace, pending)?;
        let path = pending.strip_suffix(".new").unwrap_or(pending);
        self.workspace
            .rename(pending, path)?
            .map_err(|error| files::refused(format!("`{pending}`"), "accepted", &error))?;
        Ok(())
    }

    /// Removes a pending or an unreferenced snapshot. `path` is from the root.
    ///
    /// # Errors
    ///
    /// A folder that cannot be written.
    pub fn remove(&self, path: &str) -> Result<(), Problems> {
        self.workspace
            .remove(path)?
            .map_err(|error| files::refused(format!("`{path}`"), "removed", &error))?;
        Ok(())
    }

    /// A pending snapshot and what it replaces, as a person compares them.
    ///
    /// # Errors
    ///
    /// A pending snapshot that cannot be read as one.
    pub fn page(&self, pending: &str, colour: bool) -> Result<String, Problems> {
        let new = read(self.workspace, pending)?;
        let path = pending.strip_suffix(".new").unwrap_or(pending);
        if !self.workspace.has(path) {
            return Ok(format!("a first snapshot\n{}", new.trim_end()));
        }
        Ok(match read(self.workspace, path) {
            Ok(old) if old == new => "it is the same as the snapshot".to_owned(),
            Ok(old) => difference(path, &old, &new, usize::MAX, colour),
            Err(problems) => format!(
                "{}\nit would be replaced by:\n{}",
                problems.page(colour),
                new.trim_end()
            ),
        })
    }
}

/// Whether `test` may write pending snapshots, from what `INSTA_UPDATE`, `CI` and `TF_BUILD` are set to.
///
/// `INSTA_UPDATE=no` forbids, any other word but `auto` allows, and without one an automatic build forbids.
pub fn may_write(insta_update: Option<&str>, ci: Option<&str>, tf_build: Option<&str>) -> bool {
    match insta_update {
        Some("no") => false,
        None | Some("" | "auto") => match ci {
            Some("" | "0" | "false") => true,
            Some(_) => false,
            None => tf_build.is_none(),
        },
        Some(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_lies_where_its_scenario_does() {
        let path = path_of("scenarios/skirmish/part/one.toml").expect("it is a scenario's path");
        assert_eq!(path, "snapshots/skirmish/part/one.snap");
        let scenario = Some("scenarios/skirmish/part/one.toml".to_owned());
        assert_eq!(scenario_of(&path), scenario);
        assert_eq!(scenario_of(&format!("{path}.new")), scenario);
        assert_eq!(path_of("one.toml"), None);
        assert_eq!(path_of("scenarios/one.toml"), None);
    }

    #[test]
    fn a_frame_is_skipped_and_other_texts_have_none() {
        let text = print("scenarios/a/b c.toml", "body\n");
        assert!(text.contains("source: \"scenarios/a/b c.toml\"\n"), "{text}");
        assert_eq!(first_line(&Source::new("x", text)), Ok(Some(4)));
        assert_eq!(first_line(&Source::new("x", "game = \"a\"\n")), Ok(None));
        assert_eq!(first_line(&Source::new("x", "")), Ok(None));
    }

    #[test]
    fn a_cut_or_strange_head_is_said_so() {
        for text in ["---", "---\nsource: x\n", "---\nrulebench transcript\n---\n"] {
            assert!(first_line(&Source::new("x", text)).is_err(), "{text:?}");
        }
    }

    #[test]
    fn an_automatic_run_writes_nothing() {
        assert!(may_write(None, None, None));
        assert!(may_write(None, Some("false"), None));
        assert!(!may_write(None, Some("true"), None));
        assert!(!may_write(None, None, Some("1")));
        assert!(!may_write(Some("no"), None, None));
        assert!(may_write(Some("new"), Some("true"), None));
    }

    #[test]
    fn the_first_difference_is_named_by_phase_and_step() {
        let head = "rulebench transcript\n+++\ngame = \"x\"\n+++\n= round 1\n== moves\nred moves\n";
        let old = format!("{head}  a\nend: over\n");
        let new = format!("{head}  b\nend: over\n");
        assert_eq!(
            first_place(&old, &new).as_deref(),
            Some("round 1 > moves > red moves")
        );
        assert!(
            first_place(&old, &old.replace("\"x\"", "\"y\"")).is_some_and(|p| p.contains("scenario itself"))
        );
    }
}
