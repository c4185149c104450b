//! A part of the code knows the parts above it in the table of `docs/architecture.md` and none below.

use crate::support::root;
use std::path::{Path, PathBuf};

/// The modules of every part, from the ground up.
fn floors() -> Vec<Vec<String>> {
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).expect("the page is there");
    let mut rows = page.lines().skip_while(|l| !l.starts_with("| part |")).skip(2);
    let floors: Vec<Vec<String>> = rows
        .by_ref()
        .take_while(|l| l.starts_with('|'))
        .map(|l| l.split('|').nth(2).expect("three columns"))
        .map(|modules| modules.split_whitespace().map(str::to_owned).collect())
        .collect();
    assert!(floors.len() > 5, "the table has a row for each part");
    floors
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The part of a text that is no test: tests may use whatever they like.
fn without_tests(text: &str) -> &str {
    let inner = text.find("#[cfg(test)]\nmod tests {");
    &text[..inner.unwrap_or(text.len())]
}

/// The modules of this crate that a line of code names.
fn named(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or_default();
    code.match_indices("crate::").map(|(at, found)| {
        let rest = &code[at + found.len()..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        &rest[..end.unwrap_or(rest.len())]
    })
}

/// What a file uses that lies above its part: file, line and module.
fn upwards(floors: &[Vec<String>], files: &[(String, String)]) -> Vec<String> {
    let floor_of = |module: &str| floors.iter().position(|f| f.iter().any(|m| m == module));
    let mut found = Vec::new();
    for (name, text) in files {
        let first = name.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        let Some(own) = floor_of(first) else {
            found.push(format!("src/{name}: `{first}` is in no row of the table"));
            continue;
        };
        for (number, line) in without_tests(text).lines().enumerate() {
            for module in named(line) {
                if floor_of(module).is_some_and(|floor| floor > own) {
                    found.push(format!("src/{name}:{}: `{first}` knows `{module}`", number + 1));
                }
            }
        }
    }
    found
}

#[test]
fn no_part_knows_one_that_is_built_on_it() {
    let src = root().join("src");
    let mut paths = Vec::new();
    sources(&src, &mut paths);
    let files: Vec<(String, String)> = paths
        .iter()
        // Files that are tests as a whole.
        .filter(|p| {
            let whole = ["tests.rs", "testing.rs", "run/work.rs", "run/games.rs"];
            !whole.iter().any(|file| p.ends_with(file))
        })
        .map(|path| {
            let name = path.strip_prefix(&src).expect("below src").to_string_lossy();
            (
                name.replace('\\', "/"),
                std::fs::read_to_string(path).expect("readable"),
            )
        })
        .collect();
    assert!(files.len() > 150, "{} files", files.len());
    let found = upwards(&floors(), &files);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn an_arrow_upwards_is_noticed() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let found = upwards(
        &floors(),
        &[
            file(
                "kernel/dice.rs",
                "//! See crate::play.\nuse crate::script::host::Host;\n",
            ),
            file(
                "play.rs",
                "use crate::kernel::dice::Pool;\n#[cfg(test)]\nmod tests {\nuse crate::repl;\n",
            ),
            file("nowhere.rs", ""),
        ],
    );
    assert_eq!(
        found,
        [
            "src/kernel/dice.rs:2: `kernel` knows `script`",
            "src/nowhere.rs: `nowhere` is in no row of the table"
        ]
    );
}
