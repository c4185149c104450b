//! Changed files of a workspace.
//!
//! Whatever the file system reports, the answer comes from comparing texts: a save in place, a save
//! by renaming, a folder that was taken away and put back all end in the same comparison. This module
//! knows no game and no session.

use crate::kernel::dice::text_hash;
use crate::rules::workspace::{Workspace, WorkspaceFiles};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The folders of a workspace that hold rules and scenarios.
pub const FOLDERS: [&str; 3] = ["scripts", "units", "scenarios"];
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
    /// Counts how often files had changed.
    pub count: u64,
}

impl WatchedFiles {
    /// The files as they are now; none for games that cannot be changed.
    pub fn of(workspace: &Workspace) -> Self {
        let mut files = Self::default();
        files.look(workspace);
        files
    }

    /// Takes a file as it is now, so that it is no change: whoever asks has written it.
    pub fn learn(&mut self, workspace: &Workspace, path: &str) {
        if let Some(known) = read(workspace, path, None) {
            self.known.insert(path.to_owned(), known);
            self.count += 1;
        }
    }

    /// Looks again and returns what has changed since, sorted by path.
    pub fn look(&mut self, workspace: &Workspace) -> Vec<FileChange> {
        if !can_change(workspace) {
            return Vec::new();
        }
        let paths = FOLDERS.iter().flat_map(|folder| {
            let rules = workspace.list(folder, ".rhai");
            rules.into_iter().chain(workspace.list(folder, ".toml"))
        });
        let mut now = BTreeMap::new();
        for path in paths {
            if let Some(known) = read(workspace, &path, self.known.get(&path)) {
                now.insert(path, known);
            }
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
        self.count += u64::from(!changes.is_empty());
        changes
    }
}

/// Whether files can change between two looks at a workspace.
fn can_change(workspace: &Workspace) -> bool {
    match &workspace.files {
        WorkspaceFiles::Folder(_) => true,
        WorkspaceFiles::Texts(texts) => !texts.is_fixed(),
        WorkspaceFiles::Edited(..) | WorkspaceFiles::Held(..) => false,
    }
}

fn read(workspace: &Workspace, path: &str, was: Option<&FileStamp>) -> Option<FileStamp> {
    match &workspace.files {
        WorkspaceFiles::Folder(root) => Some(read_file(&root.join(path), was)),
        _ if can_change(workspace) => {
            let text = workspace.read(path).map_or(0, |source| text_hash(&source.text));
            Some(FileStamp {
                modified: None,
                length: 0,
                settled: false,
                text,
            })
        }
        _ => None,
    }
}

fn read_file(path: &Path, was: Option<&FileStamp>) -> FileStamp {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
    }

    #[test]
    fn changes_of_files_in_memory_are_noticed() {
        let game = || "scripts/g/game.rhai".to_owned();
        let workspace = Workspace::of_texts([(game(), "one".to_owned())]);
        let mut files = WatchedFiles::of(&workspace);
        assert_eq!(looked(&mut files, &workspace), []);
        workspace.write(&game(), "two").expect("written");
        assert_eq!(looked(&mut files, &workspace), [(game(), FileEvent::Changed)]);
        workspace.write(&game(), "three").expect("written");
        files.learn(&workspace, &game());
        assert_eq!(looked(&mut files, &workspace), []);
        workspace
            .remove(&game())
            .expect("it may be")
            .expect("it is there");
        assert_eq!(looked(&mut files, &workspace), [(game(), FileEvent::Gone)]);
    }
}
