//! `rulebench new`: a fresh workspace with one tiny game in it.

use super::{OK, say};
use crate::files;
use crate::report::{Problem, Problems};
use rust_embed::RustEmbed;
use std::path::Path;

#[derive(RustEmbed)]
#[folder = "starter"]
struct Starter;

/// Writes the workspace into a folder that does not exist yet, is empty or holds part of it.
///
/// # Errors
///
/// A folder with something else in it, a file of that name, a folder that cannot be written.
pub fn new(folder: &Path) -> Result<u8, Problems> {
    let name = folder.display();
    let refused = |why: String| Problem::new(why).hint("give a new folder, such as `rulebench new my-game`");
    let mut paths: Vec<String> = Starter::iter().map(|p| p.into_owned()).collect();
    paths.sort();
    let data = |path: &str| Starter::get(path).map(|file| file.data.into_owned());
    if std::fs::symlink_metadata(folder).is_ok() {
        let why = format!("{name} is there already and is no folder that can be read");
        std::fs::read_dir(folder).map_err(|_| refused(why))?;
        // What an earlier run has made before it was cut off is no hindrance.
        if let Some(file) = files::foreign(folder, &data) {
            return Err(refused(format!("{name} is not empty: `{file}` is there")).into());
        }
    }
    let texts: Vec<(&str, Vec<u8>)> = paths
        .iter()
        .filter_map(|path| Some((path.as_str(), data(path)?)))
        .collect();
    files::make_folder(folder, texts.iter().map(|(path, text)| (*path, text.as_slice())))?;
    let mut lines = vec![format!("made {name} with {} files:", paths.len())];
    lines.extend(paths.iter().map(|p| format!("  {p}")));
    let quoted = files::shell_word(&name.to_string());
    lines.push(format!(
        "\nnow: cd {quoted}, then `rulebench` plays it and `rulebench test` checks it"
    ));
    say(&lines.join("\n"));
    Ok(OK)
}
