//! Where scripts are found: a designer's folder, or the games embedded in the binary.

use crate::files::leads_out;
use crate::report::{Problem, Source, hint_for};
use rust_embed::RustEmbed;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

#[derive(RustEmbed)]
#[folder = "scripts"]
#[prefix = "scripts/"]
struct Scripts;

#[derive(RustEmbed)]
#[folder = "units"]
#[prefix = "units/"]
struct Units;

#[derive(RustEmbed)]
#[folder = "scenarios"]
#[prefix = "scenarios/"]
struct Scenarios;

#[derive(RustEmbed)]
#[folder = "snapshots"]
#[prefix = "snapshots/"]
#[allow_missing = true]
struct Snapshots;

/// The paths of all embedded files.
fn embedded_paths() -> impl Iterator<Item = std::borrow::Cow<'static, str>> {
    Scripts::iter()
        .chain(Units::iter())
        .chain(Scenarios::iter())
        .chain(Snapshots::iter())
        // What is pending is the builder's, not the games'.
        .filter(|path| !path.ends_with(".new"))
}

/// An embedded file by its path.
fn embedded(path: &str) -> Option<rust_embed::EmbeddedFile> {
    Scripts::get(path)
        .or_else(|| Units::get(path))
        .or_else(|| Scenarios::get(path))
        .or_else(|| Snapshots::get(path))
}

/// The files of one or more games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Workspace {
    /// A folder with `scripts`, `units` and `scenarios` in it.
    Folder(PathBuf),
    /// What the binary brings along.
    Embedded,
    /// Another workspace with some texts put in place of its own, by path.
    Edited(Box<Workspace>, BTreeMap<String, String>),
}

impl Workspace {
    /// The folder itself when it has a `scripts` folder, else the embedded games.
    pub fn find(folder: &Path) -> Self {
        if folder.join("scripts").is_dir() {
            Workspace::Folder(folder.to_owned())
        } else {
            Workspace::Embedded
        }
    }

    /// Files below a folder with this ending, as sorted paths from the workspace's root with `/`.
    pub fn list(&self, folder: &str, ending: &str) -> Vec<String> {
        let mut found = BTreeSet::new();
        match self {
            Workspace::Folder(root) => walk(&root.join(folder), folder, ending, &mut found),
            Workspace::Embedded => found.extend(
                embedded_paths()
                    .map(|p| p.into_owned())
                    .filter(|p| p.starts_with(&format!("{folder}/")) && p.ends_with(ending)),
            ),
            Workspace::Edited(base, texts) => {
                found.extend(base.list(folder, ending));
                let inside = |p: &&String| p.starts_with(&format!("{folder}/")) && p.ends_with(ending);
                found.extend(texts.keys().filter(inside).cloned());
            }
        }
        found.into_iter().collect()
    }

    /// Reads a file by its path from the root.
    pub fn read(&self, path: &str) -> Result<Rc<Source>, Problem> {
        match self {
            Workspace::Folder(root) => {
                let full = root.join(path);
                if leads_out(root, &full) {
                    let problem = Problem::new(format!("`{path}` leads out of the workspace"));
                    return Err(
                        problem.hint("what it is a link to is not read: put the file itself into the folder")
                    );
                }
                let source = Source::read(&full)?;
                Ok(Source::new(path, source.text.clone()))
            }
            Workspace::Embedded => match embedded(path) {
                Some(file) => match std::str::from_utf8(&file.data) {
                    Ok(text) => Ok(Source::new(path, text)),
                    Err(_) => Err(Problem::new(format!("{path} is not text"))),
                },
                None => Err(Problem::new(format!("there is no file {path}"))),
            },
            Workspace::Edited(base, texts) => match texts.get(path) {
                Some(text) => Ok(Source::new(path, text.clone())),
                None => base.read(path),
            },
        }
    }

    /// Whether there is a file of that path.
    pub fn has(&self, path: &str) -> bool {
        match self {
            Workspace::Folder(root) => {
                let parts = Path::new(path).components();
                parts
                    .into_iter()
                    .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
                    && root.join(path).is_file()
            }
            Workspace::Embedded => embedded(path).is_some(),
            Workspace::Edited(base, texts) => texts.contains_key(path) || base.has(path),
        }
    }

    /// The same workspace with these texts in place of its own, by path.
    pub fn with(&self, texts: BTreeMap<String, String>) -> Self {
        Workspace::Edited(Box::new(self.clone()), texts)
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
        let games = self.games();
        if games.iter().any(|g| g == name) {
            return Ok(());
        }
        let problem = Problem::new(format!("there is no game `{name}`"));
        Err(if games.is_empty() {
            problem.hint("a game is a file scripts/<game>/game.rhai")
        } else {
            problem.hint(hint_for(name, games.iter().map(String::as_str)))
        })
    }
}

fn walk(folder: &Path, name: &str, ending: &str, found: &mut BTreeSet<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let Some(last) = entry.file_name().to_str().map(str::to_owned) else {
            continue;
        };
        // Editors keep their own files beside the text.
        if last.starts_with('.') {
            continue;
        }
        let inner = format!("{name}/{last}");
        if path.is_dir() {
            walk(&path, &inner, ending, found);
        } else if inner.ends_with(ending) {
            found.insert(inner);
        }
    }
}
