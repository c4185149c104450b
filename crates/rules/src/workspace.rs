//! Sources of scripts: a designer's folder, or files in memory, such as the games that the program carries.

use super::declare::problems::unknown_name;
use super::problems;
use crate::files::{self, leads_out};
use crate::kernel::ignored_in_eq::IgnoredInEq;
use crate::parse::{ParsedTexts, Parser};
use crate::report::{Problem, Source, hint_for};
use crate::work::Work;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

mod texts;

pub use texts::Texts;

/// From where to where the paths of a folder lie among others: `0` is what comes after `/`.
fn inside(folder: &str) -> Range<String> {
    format!("{folder}/")..format!("{folder}0")
}

/// The folders of a workspace.
const FOLDERS: [&str; 5] = ["scripts", "units", "scenarios", SNAPSHOTS, "studies"];
/// The one of them in which nothing says how anything is played.
const SNAPSHOTS: &str = "snapshots";

/// Source of the files of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkspaceFiles {
    /// A folder with `scripts`, `units` and `scenarios` in it.
    Folder(PathBuf),
    /// Files in memory.
    Texts(Texts),
    /// Another workspace with some texts put in place of its own, by path.
    Edited(Box<Workspace>, BTreeMap<String, String>),
    /// Another workspace as it was when it was taken in hand ([`Workspace::held`]): the files of its folders by path,
    /// each with its text where that says how something is played and could be read.
    Held(Box<Workspace>, Arc<BTreeMap<String, Option<String>>>),
}

/// The files of one or more games, and the [`Work`] that is done with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// Source of the files.
    pub files: WorkspaceFiles,
    /// Returns the games that come with the program, which hints name.
    bundled: IgnoredInEq<Option<fn() -> Workspace>>,
    work: IgnoredInEq<Work>,
    parsed: IgnoredInEq<ParsedTexts>,
}

impl From<WorkspaceFiles> for Workspace {
    fn from(files: WorkspaceFiles) -> Self {
        Self {
            files,
            bundled: IgnoredInEq::default(),
            work: IgnoredInEq::default(),
            parsed: IgnoredInEq::default(),
        }
    }
}

impl Workspace {
    /// The workspace in a folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        WorkspaceFiles::Folder(folder.into()).into()
    }

    /// A workspace of these texts by path, in memory. It can be written to.
    pub fn of_texts(texts: impl IntoIterator<Item = (String, String)>) -> Self {
        WorkspaceFiles::Texts(Texts::new(texts)).into()
    }

    /// The same files, used by a program that comes with these games.
    pub fn with_bundled(self, games: fn() -> Workspace) -> Self {
        let bundled = IgnoredInEq(Some(games));
        Self { bundled, ..self }
    }

    /// The games that come with the program, if it has any.
    pub fn bundled(&self) -> Option<Workspace> {
        self.bundled.0.map(|games| games())
    }

    /// The same files, for other work.
    pub fn for_work(self, work: Work) -> Self {
        let work = IgnoredInEq(work);
        Self { work, ..self }
    }

    /// Progress and interruption of what is played, compared or measured with the files.
    pub fn work(&self) -> &Work {
        &self.work.0
    }

    /// Returns a parser of its scripts, which reads each text once.
    pub fn parser(&self) -> Parser {
        Parser::with_cache(self.parsed.0.clone())
    }

    fn with_files(&self, files: WorkspaceFiles) -> Self {
        Self {
            files,
            ..self.clone()
        }
    }

    /// The folder itself when it has a `scripts` folder, else the nearest around it that has games in one, else the
    /// games that come with the program. Farther up many have a folder `scripts` of quite another kind.
    pub fn find(folder: &Path, bundled: fn() -> Workspace) -> Self {
        if folder.join("scripts").is_dir() {
            return Workspace::at(folder).with_bundled(bundled);
        }
        let is_current = |part: &Component<'_>| *part == Component::CurDir;
        let mut around: PathBuf = folder.components().filter(|part| !is_current(part)).collect();
        let farther = std::fs::canonicalize(folder).map_or(0, |full| full.ancestors().skip(1).count());
        for _ in 0..farther {
            around.push("..");
            if has_games(&around) {
                return Workspace::at(around).with_bundled(bundled);
            }
        }
        bundled()
    }

    /// The folder that the files are in and are written to; `None` for files in memory.
    pub fn folder(&self) -> Option<&Path> {
        match self.storage() {
            Ok(Storage::Folder(root)) => Some(root),
            _ => None,
        }
    }

    fn storage(&self) -> Result<Storage<'_>, Problem> {
        match &self.files {
            WorkspaceFiles::Folder(root) => Ok(Storage::Folder(root)),
            WorkspaceFiles::Texts(texts) if !texts.is_fixed() => Ok(Storage::Memory(texts)),
            WorkspaceFiles::Held(base, _) => base.storage(),
            _ => Err(problems::embedded_workspace()),
        }
    }

    /// Checks that files can be written.
    ///
    /// # Errors
    ///
    /// Files that cannot be changed, such as the games inside the program.
    pub fn check_writable(&self) -> Result<(), Problem> {
        self.storage().map(drop)
    }

    /// Writes a file whole, by its path from the root.
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::check_writable`] and [`files::write_within`].
    pub fn write(&self, path: &str, text: &str) -> Result<(), Problem> {
        match self.storage()? {
            Storage::Folder(root) => files::write_within(root, path, text),
            Storage::Memory(texts) => {
                texts.write(path, text.to_owned());
                Ok(())
            }
        }
    }

    /// Writes a file that a person has changed, with the line ends that it has.
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::write`].
    pub fn write_alike(&self, path: &str, text: &str) -> Result<(), Problem> {
        match self.storage()? {
            Storage::Folder(root) => files::write_alike(root, path, text),
            Storage::Memory(texts) => {
                let before = texts.get(path).unwrap_or_default();
                texts.write(path, files::alike(before.as_bytes(), text));
                Ok(())
            }
        }
    }

    /// Moves a file in place of another, by their paths from the root.
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::check_writable`] and [`files::move_within`].
    pub fn rename(&self, from: &str, to: &str) -> Result<io::Result<()>, Problem> {
        match self.storage()? {
            Storage::Folder(root) => files::move_within(root, from, to),
            Storage::Memory(texts) => Ok(texts.rename(from, to)),
        }
    }

    /// Removes a file, by its path from the root.
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::check_writable`] and [`files::remove_within`].
    pub fn remove(&self, path: &str) -> Result<io::Result<()>, Problem> {
        match self.storage()? {
            Storage::Folder(root) => files::remove_within(root, path),
            Storage::Memory(texts) => Ok(texts.remove(path)),
        }
    }

    /// Keeps other processes from locking the scripts of a game until what is returned is dropped. Files in memory
    /// are in one process alone and need no lock.
    ///
    /// # Errors
    ///
    /// Files that cannot be changed, and a folder that is not there.
    pub fn lock(&self, game: &str) -> Result<Option<File>, Problem> {
        match self.storage()? {
            Storage::Folder(root) => {
                let folder = root.join(format!("scripts/{game}"));
                let locked = files::lock(&folder);
                let locked = locked.map_err(|error| files::refused(folder.display(), "opened", &error));
                Ok(Some(locked?))
            }
            Storage::Memory(_) => Ok(None),
        }
    }

    /// Files below a folder with this ending, as sorted paths from the workspace's root with `/`.
    pub fn list(&self, folder: &str, ending: &str) -> Vec<String> {
        let mut found = BTreeSet::new();
        match &self.files {
            WorkspaceFiles::Folder(root) => {
                let mut walk = FolderWalk::of(root);
                walk.go_into(&root.join(folder), folder, false);
                found = walk.files;
            }
            WorkspaceFiles::Texts(texts) => found.extend(texts.paths(inside(folder))),
            WorkspaceFiles::Edited(base, texts) => {
                found.extend(base.list(folder, ending));
                found.extend(texts.range(inside(folder)).map(|(path, _)| path.clone()));
            }
            WorkspaceFiles::Held(_, files) => {
                found.extend(files.range(inside(folder)).map(|(path, _)| path.clone()));
            }
        }
        found.into_iter().filter(|path| path.ends_with(ending)).collect()
    }

    /// The same as it is now: whoever reads the same files again and again reads them as they are now, whatever is
    /// saved meanwhile, and need not go through the folders each time.
    pub fn held(&self) -> Self {
        let paths = FOLDERS.iter().flat_map(|folder| self.list(folder, ""));
        let is_played = |path: &str| {
            let ours = path.ends_with(".rhai") || path.ends_with(".toml");
            ours && !path.starts_with(SNAPSHOTS)
        };
        let text = |path: &str| Some(self.read(path).ok()?.text.clone());
        let files = paths.map(|path| {
            let text = is_played(&path).then(|| text(&path)).flatten();
            (path, text)
        });
        self.with_files(WorkspaceFiles::Held(
            Box::new(self.clone()),
            Arc::new(files.collect()),
        ))
    }

    /// Whether a file of that path came into the folders after the workspace was taken in hand.
    fn is_new(path: &str, base: &Workspace, files: &BTreeMap<String, Option<String>>) -> bool {
        let mut folders = FOLDERS.iter();
        // What cannot be read was passed over, and reading it says why.
        !files.contains_key(path)
            && folders.any(|f| Path::new(path).starts_with(f))
            && base.read(path).is_ok()
    }

    /// Links to folders that are not followed, and files whose names cannot be read.
    pub fn astray(&self) -> Vec<Problem> {
        self.walked(|walk| walk.astray)
    }

    /// Folders that are there and cannot be read, so that nobody knows what is in them.
    pub fn closed(&self) -> Vec<Problem> {
        self.walked(|walk| walk.closed)
    }

    fn walked(&self, found: impl FnOnce(FolderWalk) -> Vec<Problem>) -> Vec<Problem> {
        let root = match &self.files {
            WorkspaceFiles::Folder(root) => root,
            WorkspaceFiles::Held(base, _) => return base.walked(found),
            _ => return Vec::new(),
        };
        let mut walk = FolderWalk::of(root);
        for folder in FOLDERS {
            walk.go_into(&root.join(folder), folder, false);
        }
        let mut found = found(walk);
        found.sort_by(|a, b| a.message.cmp(&b.message));
        found
    }

    /// Scripts, settings and scenarios of which nobody knows what they are for: those of games that are not there by
    /// their game, and those whose names end otherwise than what is read.
    pub fn unread(&self) -> Vec<Problem> {
        let games = self.games();
        let is_game = |game: &str| games.iter().any(|g| g == game);
        let mut of_no_game: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut astray = Vec::new();
        for path in FOLDERS.iter().flat_map(|folder| self.list(folder, "")) {
            let game = match path.split('/').collect::<Vec<_>>()[..] {
                ["scripts", "workspace.toml"] | ["snapshots", ..] => continue,
                ["scenarios" | "studies", ..] if path.ends_with(".toml") => continue,
                ["scripts", game, "rulebook.toml" | "tweaks.toml"] => Some(game),
                ["scripts", game, name]
                | ["scripts", game, "variants" | "terrain", name]
                | ["units", game, name] => name.ends_with(".rhai").then_some(game),
                _ => None,
            };
            match game {
                Some(game) if is_game(game) => {}
                Some(game) => of_no_game.entry(game.to_owned()).or_default().push(path),
                None => astray.push(path),
            }
        }
        let games = of_no_game.into_iter();
        let games = games.map(|(game, files)| problems::incomplete_game(&game, files.join(", ")));
        // Some programs put `.txt` behind the name that is typed.
        let is_ours = |path: &String| {
            let path = path.to_ascii_lowercase();
            let name = path.strip_suffix(".txt").unwrap_or(&path);
            [".rhai", ".toml"].iter().any(|ending| name.ends_with(ending))
        };
        let files = astray.into_iter().filter(is_ours);
        games
            .chain(files.map(|path| problems::unread_file(&path)))
            .collect()
    }

    /// Reads a file by its path from the root.
    pub fn read(&self, path: &str) -> Result<Arc<Source>, Problem> {
        match &self.files {
            WorkspaceFiles::Folder(root) => {
                let full = root.join(path);
                if leads_out(root, &full) {
                    return Err(problems::unread_link(path, LEADS_OUT));
                }
                let source = Source::read(&full)?;
                Ok(Source::new(path, source.text.clone()))
            }
            WorkspaceFiles::Texts(texts) => {
                let text = texts.get(path).ok_or_else(|| problems::missing_file(path))?;
                files::check_size(path, text.len())?;
                Ok(Source::new(path, text))
            }
            WorkspaceFiles::Edited(base, texts) => match texts.get(path) {
                Some(text) => Ok(Source::new(path, text.clone())),
                None => base.read(path),
            },
            WorkspaceFiles::Held(base, files) => match files.get(path) {
                Some(Some(text)) => Ok(Source::new(path, text.clone())),
                _ => base.read(path),
            },
        }
    }

    /// The bytes of a file, which need not be a text.
    ///
    /// # Errors
    ///
    /// Those of [`Self::read`].
    pub fn bytes(&self, path: &str) -> Result<Vec<u8>, Problem> {
        match self.folder() {
            Some(root) if leads_out(root, &root.join(path)) => Err(problems::unread_link(path, LEADS_OUT)),
            Some(root) => files::read_named(&root.join(path)),
            None => Ok(self.read(path)?.text.clone().into_bytes()),
        }
    }

    /// Whether there is a file of that path.
    pub fn has(&self, path: &str) -> bool {
        match &self.files {
            WorkspaceFiles::Folder(root) => {
                let parts = Path::new(path).components();
                parts
                    .into_iter()
                    .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
                    // What is no file is there all the same: reading it says what it is.
                    && root.join(path).metadata().is_ok_and(|there| !there.is_dir())
            }
            WorkspaceFiles::Texts(texts) => texts.has(path),
            WorkspaceFiles::Edited(base, texts) => texts.contains_key(path) || base.has(path),
            WorkspaceFiles::Held(base, files) => {
                files.contains_key(path) || base.has(path) && !Self::is_new(path, base, files)
            }
        }
    }

    /// The same workspace with these texts in place of its own, by path.
    pub fn with(&self, texts: BTreeMap<String, String>) -> Self {
        self.with_files(WorkspaceFiles::Edited(Box::new(self.clone()), texts))
    }

    /// The games: folders of `scripts` with a `game.rhai` in them, sorted.
    pub fn games(&self) -> Vec<String> {
        self.list("scripts", "/game.rhai")
            .iter()
            .filter_map(|p| {
                p.strip_prefix("scripts/")?
                    .strip_suffix("/game.rhai")
                    .map(str::to_owned)
            })
            .filter(|name| !name.contains('/'))
            .collect()
    }

    /// Checks that there is a game of that name.
    pub fn check_game(&self, name: &str) -> Result<(), Problem> {
        if !name.contains('/') && self.has(&format!("scripts/{name}/game.rhai")) {
            return Ok(());
        }
        let games = self.games();
        let is_bundled = |bundled: Workspace| bundled.games().iter().any(|game| game == name);
        let hint = if self.bundled().is_some_and(is_bundled) {
            comes_along(name)
        } else if games.is_empty() {
            "a game is a file scripts/GAME/game.rhai".to_owned()
        } else {
            hint_for(name, games.iter().map(String::as_str))
        };
        Err(unknown_name("game", name).hint(hint))
    }

    /// All files of a game, as paths from the workspace's root.
    pub fn files_of(&self, game: &str) -> Vec<String> {
        let all = FOLDERS
            .iter()
            .map(|folder| self.list(&format!("{folder}/{game}"), ""));
        all.flatten().collect()
    }
}

/// Destination of files that are written.
enum Storage<'a> {
    Folder(&'a Path),
    Memory(&'a Texts),
}

/// Whether there are games in the folder `scripts` of a folder, as far as one can see.
fn has_games(folder: &Path) -> bool {
    let scripts = folder.join("scripts");
    let Ok(entries) = std::fs::read_dir(&scripts) else {
        return scripts.is_dir();
    };
    let mut games = entries.flatten();
    games.any(|game| game.path().join("game.rhai").is_file())
}

/// Goes through the folders of a workspace.
struct FolderWalk {
    root: Option<PathBuf>,
    files: BTreeSet<String>,
    astray: Vec<Problem>,
    /// Folders that are there and cannot be read.
    closed: Vec<Problem>,
}

impl FolderWalk {
    fn of(root: &Path) -> Self {
        Self {
            root: std::fs::canonicalize(root).ok(),
            files: BTreeSet::new(),
            astray: Vec::new(),
            closed: Vec::new(),
        }
    }

    /// A folder that is a link is gone into if it lies inside the workspace, and links in it are not:
    /// links that lead back would go on for ever.
    fn go_into(&mut self, folder: &Path, name: &str, linked: bool) {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                if error.kind() != ErrorKind::NotFound && folder.is_dir() {
                    self.closed.push(problems::unreadable_folder(name, error));
                }
                return;
            }
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let last = entry.file_name();
            let Some(last) = last.to_str().map(str::to_owned) else {
                let inner = format!("{name}/{}", last.to_string_lossy());
                if inner.ends_with(".rhai") || inner.ends_with(".toml") {
                    self.astray.push(problems::wrong_file_name(&inner));
                }
                continue;
            };
            // Editors keep their own files beside the text.
            if last.starts_with('.') {
                continue;
            }
            let inner = format!("{name}/{last}");
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            if !path.is_dir() {
                self.files.insert(inner);
            } else if !is_link {
                self.go_into(&path, &inner, linked);
            } else if let Some(why) = self.leads(&path, linked) {
                self.astray.push(problems::unread_link(&inner, why));
            } else {
                self.go_into(&path, &inner, true);
            }
        }
    }

    /// Returns why a link to a folder is not followed.
    fn leads(&self, link: &Path, linked: bool) -> Option<&'static str> {
        let (Some(root), Ok(goal)) = (&self.root, std::fs::canonicalize(link)) else {
            return Some("leads nowhere");
        };
        let from = link
            .parent()
            .and_then(|folder| std::fs::canonicalize(folder).ok());
        if !goal.starts_with(root) {
            Some(LEADS_OUT)
        } else if from.is_some_and(|from| from.starts_with(&goal)) {
            Some("leads back to a folder that it lies in")
        } else {
            linked.then_some("lies behind another link")
        }
    }
}

/// Returns the hint about a game that comes with the program and is missing in the workspace.
pub fn comes_along(game: &str) -> String {
    format!("it comes with the program: `rulebench new DIR --game {game}` copies it to a folder")
}

/// Reason against a link.
const LEADS_OUT: &str = "leads out of the workspace";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_in_hand_stays_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |file: &str| {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, "").expect("written");
        };
        for file in [
            "scripts/a/game.rhai",
            "scripts/a/variants/b.rhai",
            "scripts/ab/game.rhai",
            "units/a/c.rhai",
        ] {
            write(file);
        }
        let workspace = Workspace::at(folder.path());
        let held = workspace.held();
        let all = |workspace: &Workspace| {
            let lists = [
                ("scripts", ".rhai"),
                ("scripts/a", ".rhai"),
                ("scripts/a/variants", ""),
                ("units", ".toml"),
            ];
            lists.map(|(folder, ending)| workspace.list(folder, ending))
        };
        let before = all(&workspace);
        assert_eq!(before[1], ["scripts/a/game.rhai", "scripts/a/variants/b.rhai"]);
        assert_eq!(all(&held), before);
        assert_eq!(held.games(), ["a", "ab"]);
        // What is saved, made or removed meanwhile is not noticed.
        write("scripts/a/variants/d.rhai");
        write("scripts/a/tweaks.toml");
        std::fs::write(folder.path().join("units/a/c.rhai"), "fn half_").expect("written");
        std::fs::remove_file(folder.path().join("scripts/ab/game.rhai")).expect("removed");
        assert_eq!(all(&held), before);
        assert_ne!(all(&workspace), before);
        let text = |workspace: &Workspace, path: &str| workspace.read(path).map(|source| source.text.clone());
        assert_eq!(text(&held, "units/a/c.rhai"), Ok(String::new()));
        assert_eq!(text(&workspace, "units/a/c.rhai"), Ok("fn half_".to_owned()));
        assert_eq!(text(&held, "scripts/ab/game.rhai"), Ok(String::new()));
        assert!(held.has("scripts/ab/game.rhai") && !held.has("scripts/a/tweaks.toml"));
        assert!(workspace.has("scripts/a/tweaks.toml"));
        // What is written is written where it lies.
        assert_eq!(held.folder(), Some(folder.path()));
    }

    #[test]
    fn files_in_memory_are_written_as_files_in_a_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let in_folder = Workspace::at(folder.path());
        let in_memory = Workspace::of_texts([]);
        for workspace in [&in_folder, &in_memory] {
            // Clones, also ones in hand, write to the same files.
            let (clone, held) = (workspace.clone(), workspace.held());
            let text = |path: &str| workspace.read(path).map(|source| source.text.clone());
            clone.write("scripts/a/game.rhai", "one\r\n").expect("written");
            held.write("units/a/b.rhai", "two").expect("written");
            assert_eq!(workspace.games(), ["a"]);
            workspace.check_game("a").expect("it is there");
            assert_eq!(workspace.list("units", ".rhai"), ["units/a/b.rhai"]);
            // Line ends stay as they are.
            workspace
                .write_alike("scripts/a/game.rhai", "one\nmore\n")
                .expect("written");
            assert_eq!(text("scripts/a/game.rhai"), Ok("one\r\nmore\r\n".to_owned()));
            let moved = workspace
                .rename("units/a/b.rhai", "units/a/c.rhai")
                .expect("it may be");
            moved.expect("it is there");
            assert_eq!(text("units/a/c.rhai"), Ok("two".to_owned()));
            assert!(!workspace.has("units/a/b.rhai"));
            let gone = workspace
                .rename("units/a/b.rhai", "units/a/c.rhai")
                .expect("it may be");
            assert_eq!(gone.map_err(|error| error.kind()), Err(ErrorKind::NotFound));
            workspace
                .remove("units/a/c.rhai")
                .expect("it may be")
                .expect("it is there");
            let gone = workspace.remove("units/a/c.rhai").expect("it may be");
            assert_eq!(gone.map_err(|error| error.kind()), Err(ErrorKind::NotFound));
            assert_eq!(
                text("units/a/c.rhai").map_err(|problem| problem.id()),
                Err("missing-file")
            );
            assert!(workspace.lock("a").is_ok() && workspace.check_writable().is_ok());
        }
        assert_eq!(in_folder.folder(), Some(folder.path()));
        assert_eq!(in_memory.folder(), None);
    }

    #[test]
    fn files_that_are_fixed_or_edited_in_memory_cannot_be_written() {
        let path = "scripts/a/game.rhai";
        let fixed = Workspace::from(WorkspaceFiles::Texts(Texts::fixed([(path, "one")])));
        let edited = Workspace::of_texts([]).with([(path.to_owned(), "one".to_owned())].into());
        for workspace in [&fixed, &fixed.held(), &edited] {
            let refused = [
                workspace.check_writable(),
                workspace.write(path, "two"),
                workspace.write_alike(path, "two"),
                workspace.rename(path, "scripts/b/game.rhai").map(drop),
                workspace.remove(path).map(drop),
                workspace.lock("a").map(drop),
            ];
            for result in refused {
                assert_eq!(result.map_err(|problem| problem.id()), Err("embedded-workspace"));
            }
            assert_eq!(
                workspace.read(path).map(|source| source.text.clone()),
                Ok("one".to_owned())
            );
        }
    }

    #[test]
    fn texts_in_memory_have_the_limits_of_files() {
        let long = " ".repeat(files::MAX_SCRIPT as usize + 1);
        let workspace = Workspace::of_texts([("scripts/a/game.rhai".to_owned(), long)]);
        let read = workspace.read("scripts/a/game.rhai");
        assert_eq!(read.map_err(|problem| problem.id()).err(), Some("too-large"));
    }
}
