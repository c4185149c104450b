//! Notices that files of a workspace may have changed.

use crate::parallel;
use crate::repl::watched_files::FOLDERS;
use crate::rules::workspace::{Workspace, WorkspaceFiles};
use notify_debouncer_full::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_full::{DebounceEventResult, Debouncer, RecommendedCache, new_debouncer};
use std::path::PathBuf;
use std::time::Duration;

/// Time for which the file system must be quiet before files are read: most programs that save in several steps are
/// done by then, and a half-written text is read again when the rest is reported.
const QUIET: Duration = Duration::from_millis(25);
/// Interval at which that is checked.
const TICK: Duration = Duration::from_millis(5);
/// Interval at which files are checked if the file system sends no notices.
const POLL: Duration = Duration::from_millis(150);
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
    use crate::repl::watched_files::WatchedFiles;
    use std::fs;
    use std::sync::mpsc;

    fn workspace() -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("scripts/g")).expect("made");
        fs::write(folder.path().join("scripts/g/game.rhai"), "one").expect("written");
        let workspace = Workspace::at(folder.path());
        (folder, workspace)
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
