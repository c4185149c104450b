//! `rulebench new`: a fresh workspace with one tiny game in it.

use super::{OK, say};
use crate::report::{Problem, Problems};
use rust_embed::RustEmbed;
use std::path::Path;

#[derive(RustEmbed)]
#[folder = "starter"]
struct Starter;

/// Writes the workspace into a folder that does not exist yet or is empty.
///
/// # Errors
///
/// A folder with something in it, a file of that name, a folder that cannot be written.
pub fn new(folder: &Path) -> Result<u8, Problems> {
    let name = folder.display();
    let refused = |why: String| Problem::new(why).hint("give a new folder, such as `rulebench new my-game`");
    if folder.exists() {
        let mut entries = std::fs::read_dir(folder).map_err(|_| {
            refused(format!(
                "{name} is there already and is no folder that can be read"
            ))
        })?;
        if entries.next().is_some() {
            return Err(refused(format!("{name} is not empty")).into());
        }
    }
    let mut paths: Vec<String> = Starter::iter().map(|p| p.into_owned()).collect();
    paths.sort();
    for path in &paths {
        let Some(file) = Starter::get(path) else { continue };
        let target = folder.join(path);
        let parent = target.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&target, &file.data))
            .map_err(|e| Problem::new(format!("{} cannot be written: {e}", target.display())))?;
    }
    let mut lines = vec![format!("made {name} with {} files:", paths.len())];
    lines.extend(paths.iter().map(|p| format!("  {p}")));
    let quoted = if folder.to_string_lossy().contains(char::is_whitespace) {
        format!("\"{name}\"")
    } else {
        name.to_string()
    };
    lines.push(format!(
        "\nnow: cd {quoted}, then `rulebench` plays it and `rulebench test` checks it"
    ));
    say(&lines.join("\n"));
    Ok(OK)
}
