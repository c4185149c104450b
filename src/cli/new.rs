//! `rulebench new`: a fresh workspace with one tiny game in it.

use super::{OK, print, problems};
use crate::embedded;
use crate::files;
use crate::report::{Problem, Problems};
use crate::work::Work;
use rust_embed::RustEmbed;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(RustEmbed)]
#[folder = "starter"]
struct Starter;

/// Writes the workspace, or a game that the program brings along, into a folder that does not exist yet, is empty or
/// holds part of it.
///
/// # Errors
///
/// A game that is not brought along, a folder with something else in it, a file of that name, a folder that cannot be
/// written.
pub fn new(folder: &Path, game: Option<&str>, work: &Work) -> Result<u8, Problems> {
    let name = folder.display();
    let texts: BTreeMap<String, Vec<u8>> = match game {
        None => Starter::iter()
            .filter_map(|path| Some((path.to_string(), Starter::get(&path)?.data.into_owned())))
            .collect(),
        Some(game) => {
            embedded::games().check_game(game)?;
            let text = |path: String| {
                Ok((
                    path.clone(),
                    embedded::games().read(&path)?.text.clone().into_bytes(),
                ))
            };
            let paths = embedded::games().files_of(game).into_iter();
            paths.map(text).collect::<Result<_, Problem>>()?
        }
    };
    let data = |path: &str| texts.get(path).cloned();
    if std::fs::symlink_metadata(folder).is_ok() {
        std::fs::read_dir(folder).map_err(|_| problems::not_a_folder(folder.display()))?;
        // What an earlier run has made before it was cut off is no hindrance.
        if let Some(file) = files::foreign(folder, &data) {
            return Err(problems::filled_folder(folder.display(), file).into());
        }
    }
    // Whoever stops it finds all of it, or nothing.
    let task = work.begin("files", None);
    files::make_folder(
        folder,
        texts.iter().map(|(path, text)| (path.as_str(), text.as_slice())),
    )?;
    drop(task);
    // Whoever stopped it meanwhile has all of it.
    work.take_undone();
    let mut lines = vec![format!("made {name} with {} files:", texts.len())];
    match game {
        None => lines.extend(texts.keys().map(|path| format!("  {path}"))),
        // A game has hundreds of scenarios.
        Some(game) => {
            let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
            for path in texts.keys() {
                *folders.entry(path.split('/').next().unwrap_or(path)).or_default() += 1;
            }
            lines.extend(folders.iter().map(|(top, n)| format!("  {top}/{game}: {n}")));
        }
    }
    let quoted = files::shell_word(&name.to_string());
    let go = match folder.canonicalize().ok() == Path::new(".").canonicalize().ok() {
        true => "now:".to_owned(),
        false => format!("now: cd {quoted}, then"),
    };
    lines.push(format!(
        "\n{go} `rulebench` plays it and `rulebench test` checks it"
    ));
    print(&lines.join("\n"));
    Ok(OK)
}
