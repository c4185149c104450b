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
        // Unit tests stand at the end of a file and may play a game; so do the example arguments of sentences.
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let code = code.split("every_sentence! {").next().unwrap_or_default();
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
    // The build tool prints for whoever builds, and trials and tests for whoever reads their output.
    let prints = |p: &&PathBuf| {
        let is_named = |names: &[&str]| p.iter().any(|part| names.iter().any(|name| part == *name));
        !is_named(&["screen.rs", "tests.rs", "xtask", "trials"])
    };
    for path in sources.iter().filter(prints) {
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

/// Words with which no doc comment begins, since such a sentence does not say what the item is or does.
const INDIRECT: [&str; 9] = [
    "What", "Who", "Whoever", "Whose", "Whom", "Where", "How", "Which", "So many",
];

/// Finds the doc comments that begin with one of [`INDIRECT`], each with the number of its line.
fn indirect(text: &str) -> Vec<(usize, &str)> {
    let comment = |line: &str| {
        let line = line.trim_start();
        line.starts_with("///") || line.starts_with("//!")
    };
    let mut found = Vec::new();
    let mut before = "";
    for (number, line) in text.lines().enumerate() {
        if comment(line) && !comment(before) {
            let says = line.trim_start()[3..].trim_start();
            let begins = |word: &str| {
                let rest = says.strip_prefix(word);
                rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
            };
            if INDIRECT.iter().any(|word| begins(word)) {
                found.push((number + 1, line));
            }
        }
        before = line;
    }
    found
}

#[test]
fn doc_comments_say_what_an_item_is_or_does() {
    // The text of a broken script, which says so to be found.
    const ALLOWED: [(&str, &str); 1] = [("tests/it/bad_input.rs", "/// What every unit has\",")];
    let mut found = Vec::new();
    for folder in ["src", "crates", "tests", "benches", "fuzz", "examples"] {
        files(&root().join(folder), &mut found);
    }
    found.retain(|path| {
        path.extension().is_some_and(|e| e == "rs") && !path.iter().any(|part| part == "target")
    });
    assert!(found.len() > 200, "{}", found.len());
    let mut wrong = Vec::new();
    for path in found {
        let text = std::fs::read_to_string(&path).expect("a source file");
        let name = path
            .strip_prefix(root())
            .expect("below the root")
            .display()
            .to_string();
        for (number, line) in indirect(&text) {
            let is_allowed = |(file, says): &(&str, &str)| *file == name && line.contains(says);
            if !ALLOWED.iter().any(is_allowed) {
                wrong.push(format!("{name}:{number}: {line}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        indirect("/// How many.\n/// What else.\nfn a() {}\n//! Whatever\n\n  /// So many: 3\n").len(),
        2
    );
}
