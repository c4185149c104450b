//! The kernel and its tools name no game: every game, unit type, terrain and variant is a file.

use crate::support::{code_folders, root};
use std::path::{Path, PathBuf};

/// Everyday words that are also names of files under `scripts` or `units`, and why the code may say them.
const EXEMPT: [(&str, &str); 5] = [
    ("keep", "what one does not give away is kept"),
    ("field", "structs have them, and so has every trade"),
    ("small", "pictures, files and numbers are"),
    ("large", "the same"),
    ("obstacle", "whatever is in the way on a table top"),
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        if entry.path().is_dir() {
            files(&entry.path(), found);
        } else {
            found.push(entry.path());
        }
    }
}

/// Names of games, unit types, terrains and variants.
fn names() -> Vec<String> {
    let mut found = Vec::new();
    files(&root().join("units"), &mut found);
    let scripts = root().join("scripts");
    for game in std::fs::read_dir(&scripts)
        .expect("scripts is a folder")
        .flatten()
        .filter(|entry| entry.path().is_dir())
    {
        found.push(game.path());
        files(&game.path().join("variants"), &mut found);
        files(&game.path().join("terrain"), &mut found);
    }
    let stem = |p: &PathBuf| Some(p.file_stem()?.to_str()?.to_owned());
    let mut names: Vec<String> = found.iter().filter_map(stem).collect();
    names.sort();
    names.dedup();
    names.retain(|n| !EXEMPT.iter().any(|(word, _)| n == word));
    names
}

/// Finds the names that occur in a text as whole words, with their lines; digits behind a name do not hide it.
fn mentions(text: &str, names: &[String]) -> Vec<(usize, String)> {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let lower = line.to_lowercase();
        for name in names {
            for (at, _) in lower.match_indices(name.as_str()) {
                let before = lower[..at].chars().next_back().is_some_and(inside);
                let rest = lower[at + name.len()..].trim_start_matches(|c: char| c.is_ascii_digit());
                if !before && !rest.chars().next().is_some_and(inside) {
                    found.push((number + 1, name.clone()));
                }
            }
        }
    }
    found
}

#[test]
fn the_code_names_no_game_unit_terrain_or_variant() {
    let names = names();
    assert!(names.len() >= 10, "the games are missing: {names:?}");
    let mut sources = Vec::new();
    for folder in code_folders() {
        files(&folder, &mut sources);
    }
    let mut found = Vec::new();
    for path in sources
        .iter()
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
    {
        let text = std::fs::read_to_string(path).expect("a source file is text");
        // Unit tests stand at the end of a file and may play a game.
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for (line, name) in mentions(code, &names) {
            found.push(format!("{}:{line}: {name}", path.display()));
        }
    }
    assert!(
        found.is_empty(),
        "the code names what only scripts may:\n{}",
        found.join("\n")
    );
}

#[test]
fn a_name_is_found_when_it_is_there() {
    let names = ["archers".to_owned()];
    assert_eq!(
        mentions("let x = 1;\n// the Archers shoot", &names),
        [(2, "archers".to_owned())]
    );
    assert_eq!(mentions("unit(\"red.archers1\")", &names).len(), 1);
    assert!(mentions("searchers, archers_like, my_archers", &names).is_empty());
}

#[test]
fn one_place_writes_to_terminals() {
    let mut sources = Vec::new();
    for folder in code_folders() {
        files(&folder, &mut sources);
    }
    assert!(sources.len() > 50);
    let writes = [
        "print!(",
        "println!(",
        "stdout().lock",
        "stderr().lock",
        "stdout().write",
        "dbg!(",
    ];
    for path in sources.iter().filter(|p| !p.ends_with("screen.rs")) {
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        for what in writes {
            assert!(
                !text.contains(what),
                "{} has `{what}`: screen.rs prints",
                path.display()
            );
        }
    }
}
