//! Changed files of a workspace, and notices that it is time to look.
//!
//! Whatever the file system reports, the answer comes from comparing texts: a save in place, a save
//! by renaming, a folder that was taken away and put back all end in the same comparison. This module
//! knows no game and no session.

use crate::kernel::dice::text_hash;
use crate::parallel;
use crate::rules::workspace::{Workspace, WorkspaceFiles};
use notify_debouncer_full::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, RecommendedCache, new_debouncer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The folders of a workspace that hold rules and scenarios.
const FOLDERS: [&str; 3] = ["scripts", "units", "scenarios"];
/// Time for which the file system must be quiet before files are read: most programs that save in several steps are
/// done by then, and a half-written text is read again when the rest is reported.
const QUIET: Duration = Duration::from_millis(25);
/// Interval at which that is checked.
const TICK: Duration = Duration::from_millis(5);
/// Interval at which files are checked if the file system sends no notices.
const POLL: Duration = Duration::from_millis(150);
/// A file that was written longer ago than this when it was read is read again only if its time or
/// size changes; file systems keep times coarsely.
const COARSE: Duration = Duration::from_secs(2);

/// The change of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileEvent {
    /// It was not there.
    New,
    /// Its text is another.
    Changed,
    /// It is not there any more.
    Gone,
}

/// A file whose text has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Its path from the workspace's root.
    pub path: String,
    /// The change.
    pub became: FileEvent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileStamp {
    modified: Option<SystemTime>,
    length: u64,
    /// Its time and size are enough to know that it has not changed.
    settled: bool,
    /// The hash of its text; of nothing when it cannot be read.
    text: u64,
}

/// The scripts and scenarios of a workspace as they were when last looked at.
#[derive(Debug, Clone, Default)]
pub struct WatchedFiles {
    known: BTreeMap<String, FileStamp>,
}

impl WatchedFiles {
    /// The files as they are now; none for the embedded games, which never change.
    pub fn of(workspace: &Workspace) -> Self {
        let mut files = Self::default();
        files.look(workspace);
        files
    }

    /// Takes a file as it is now, so that it is no change: whoever asks has written it.
    pub fn learn(&mut self, workspace: &Workspace, path: &str) {
        if let WorkspaceFiles::Folder(root) = &workspace.files {
            let known = read(&root.join(path), None);
            self.known.insert(path.to_owned(), known);
        }
    }

    /// Looks again and returns what has changed since, sorted by path.
    pub fn look(&mut self, workspace: &Workspace) -> Vec<FileChange> {
        let WorkspaceFiles::Folder(root) = &workspace.files else {
            return Vec::new();
        };
        let paths = FOLDERS.iter().flat_map(|folder| {
            let rules = workspace.list(folder, ".rhai");
            rules.into_iter().chain(workspace.list(folder, ".toml"))
        });
        let mut now = BTreeMap::new();
        for path in paths {
            let known = read(&root.join(&path), self.known.get(&path));
            now.insert(path, known);
        }
        let before = std::mem::replace(&mut self.known, now);
        let mut changes: Vec<FileChange> = self
            .known
            .iter()
            .filter_map(|(path, known)| {
                let became = match before.get(path) {
                    None => FileEvent::New,
                    Some(was) if was.text != known.text => FileEvent::Changed,
                    Some(_) => return None,
                };
                Some((path, became))
            })
            .chain(
                before
                    .keys()
                    .filter(|path| !self.known.contains_key(*path))
                    .map(|path| (path, FileEvent::Gone)),
            )
            .map(|(path, became)| FileChange {
                path: path.clone(),
                became,
            })
            .collect();
        changes.sort_by(|a, b| a.path.cmp(&b.path));
        changes
    }
}

fn read(path: &Path, was: Option<&FileStamp>) -> FileStamp {
    let data = std::fs::metadata(path).ok();
    let modified = data.as_ref().and_then(|d| d.modified().ok());
    let length = data.map_or(0, |d| d.len());
    if let Some(was) = was
        && was.settled
        && (was.modified, was.length) == (modified, length)
    {
        return *was;
    }
    let age = modified.and_then(|m| SystemTime::now().duration_since(m).ok());
    let bytes = crate::files::read(path).unwrap_or_default();
    FileStamp {
        modified,
        length,
        settled: age.is_some_and(|age| age > COARSE),
        text: text_hash(&String::from_utf8_lossy(&bytes)),
    }
}

/// Calls back whenever files of a workspace may have changed, from a thread of its own.
pub struct FileWatcher {
    root: PathBuf,
    /// `None` where the file system does not report: a thread looks from time to time.
    debouncer: Option<Debouncer<RecommendedWatcher, RecommendedCache>>,
}

impl FileWatcher {
    /// Watches a workspace; `None` for the embedded games. `changed` returns false when nobody
    /// listens any more.
    pub fn new(workspace: &Workspace, changed: impl Fn() -> bool + Send + Clone + 'static) -> Option<Self> {
        let WorkspaceFiles::Folder(root) = &workspace.files else {
            return None;
        };
        let report = changed.clone();
        // What happened does not matter, but reading files must not count: it would never end.
        let handler = move |events: DebounceEventResult| match events {
            Ok(events) if events.iter().all(|e| e.kind.is_access()) => {}
            _ => {
                report();
            }
        };
        // It and its watcher have a thread each, without which they panic.
        let can_watch = parallel::can_start(2);
        let mut debouncer = can_watch
            .then(|| new_debouncer(QUIET, Some(TICK), handler).ok())
            .flatten();
        let watched = debouncer
            .as_mut()
            .is_some_and(|d| d.watch(root, RecursiveMode::NonRecursive).is_ok());
        if !watched {
            debouncer = None;
            // Without its thread nothing is noticed at once; `:reload` still works.
            let _ = std::thread::Builder::new()
                .name("poll".to_owned())
                .spawn(move || {
                    while changed() {
                        std::thread::sleep(POLL);
                    }
                });
        }
        let mut watcher = Self {
            root: root.clone(),
            debouncer,
        };
        watcher.renew();
        Some(watcher)
    }

    /// Watches the folders anew: one that was taken away and put back is another one.
    pub fn renew(&mut self) {
        let Some(debouncer) = &mut self.debouncer else {
            return;
        };
        for folder in FOLDERS {
            let path = self.root.join(folder);
            // A folder that is not there is noticed by its parent when it comes.
            let _ = debouncer.unwatch(&path);
            if path.is_dir() {
                let _ = debouncer.watch(&path, RecursiveMode::Recursive);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::sync::mpsc;

    fn workspace() -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("scripts/g")).expect("made");
        fs::write(folder.path().join("scripts/g/game.rhai"), "one").expect("written");
        let workspace = Workspace::at(folder.path());
        (folder, workspace)
    }

    fn looked(files: &mut WatchedFiles, workspace: &Workspace) -> Vec<(String, FileEvent)> {
        let changes = files.look(workspace).into_iter();
        changes.map(|c| (c.path, c.became)).collect()
    }

    #[test]
    fn only_texts_that_differ_are_changes() {
        let (folder, workspace) = workspace();
        let file = folder.path().join("scripts/g/game.rhai");
        let mut files = WatchedFiles::of(&workspace);
        assert_eq!(looked(&mut files, &workspace), []);
        fs::write(&file, "one").expect("written");
        assert_eq!(looked(&mut files, &workspace), []);
        fs::write(&file, "two").expect("written");
        let game = || "scripts/g/game.rhai".to_owned();
        assert_eq!(looked(&mut files, &workspace), [(game(), FileEvent::Changed)]);
        assert_eq!(looked(&mut files, &workspace), []);
        fs::write(folder.path().join("scripts/g/other"), "three").expect("written");
        fs::rename(folder.path().join("scripts/g/other"), &file).expect("renamed");
        assert_eq!(looked(&mut files, &workspace), [(game(), FileEvent::Changed)]);
        fs::remove_dir_all(folder.path().join("scripts")).expect("removed");
        assert_eq!(looked(&mut files, &workspace), [(game(), FileEvent::Gone)]);
        assert_eq!(
            looked(
                &mut WatchedFiles::of(&Workspace::embedded()),
                &Workspace::embedded()
            ),
            []
        );
    }

    #[test]
    fn a_save_is_noticed_within_50_milliseconds_and_its_second_half_too() {
        let (folder, workspace) = workspace();
        let (sender, messages) = mpsc::channel();
        let _watcher = FileWatcher::new(&workspace, move || sender.send(()).is_ok()).expect("it watches");
        let file = folder.path().join("scripts/g/game.rhai");
        let mut files = WatchedFiles::of(&workspace);
        let mut soonest = Duration::MAX;
        // One of several: the machine may be busy with something else.
        for save in 0..20 {
            for half in ["first", "second"] {
                let began = std::time::Instant::now();
                fs::write(&file, format!("{half} {save}")).expect("written");
                loop {
                    messages
                        .recv_timeout(Duration::from_secs(5))
                        .expect("a save is reported");
                    if !files.look(&workspace).is_empty() {
                        break;
                    }
                }
                soonest = soonest.min(began.elapsed());
            }
        }
        assert!(soonest < Duration::from_millis(50), "{soonest:?}");
    }

    #[test]
    fn saves_and_new_folders_are_reported_and_reading_is_not() {
        let (folder, workspace) = workspace();
        let (sender, messages) = mpsc::channel();
        let mut watcher = FileWatcher::new(&workspace, move || sender.send(()).is_ok()).expect("it watches");
        let wait = Duration::from_secs(5);
        let file = folder.path().join("scripts/g/game.rhai");
        fs::write(&file, "two").expect("written");
        messages.recv_timeout(wait).expect("a save is reported");
        while messages.recv_timeout(Duration::from_millis(400)).is_ok() {}
        fs::read(&file).expect("read");
        assert!(messages.recv_timeout(Duration::from_millis(400)).is_err());
        fs::remove_dir_all(folder.path().join("scripts")).expect("removed");
        messages
            .recv_timeout(wait)
            .expect("that a folder goes is reported");
        while messages.recv_timeout(Duration::from_millis(400)).is_ok() {}
        fs::create_dir_all(folder.path().join("scripts/g")).expect("made");
        messages
            .recv_timeout(wait)
            .expect("that it comes back is reported");
        while messages.recv_timeout(Duration::from_millis(400)).is_ok() {}
        watcher.renew();
        // Watching anew is no change: it would never end.
        assert!(messages.recv_timeout(Duration::from_millis(400)).is_err());
        fs::write(&file, "three").expect("written");
        messages
            .recv_timeout(wait)
            .expect("a save in the new folder is reported");
    }
}
