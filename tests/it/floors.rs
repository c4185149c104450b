//! A part of the code knows the parts above it in the table of `docs/architecture.md` and none below.

use crate::support::{code_folders, root};
use std::collections::{BTreeMap, BTreeSet};
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

/// Returns the uses of modules that lie above the part of the file that uses them, each with file, line and module.
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

/// Every file of the code by its path below its crate's `src/`, but those that are tests as a whole, and those that
/// only list a crate's modules.
fn files() -> Vec<(String, String)> {
    let not = ["tests.rs", "plane/testing.rs", "run/oracle.rs", "src/lib.rs"];
    let mut all = Vec::new();
    for src in code_folders() {
        let mut paths = Vec::new();
        sources(&src, &mut paths);
        paths.retain(|path| !not.iter().any(|file| path.ends_with(file)));
        all.extend(paths.into_iter().map(|path| {
            let name = path.strip_prefix(&src).expect("below src").to_string_lossy();
            (
                name.replace('\\', "/"),
                std::fs::read_to_string(&path).expect("readable"),
            )
        }));
    }
    all
}

#[test]
fn no_part_knows_one_that_is_built_on_it() {
    let files = files();
    assert!(files.len() > 150, "{} files", files.len());
    let found = upwards(&floors(), &files);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn only_the_program_knows_terminals_and_signals() {
    let crates = std::fs::read_dir(root().join("crates")).expect("the crates");
    for folder in crates.flatten() {
        let manifest = folder.path().join("Cargo.toml");
        let manifest = std::fs::read_to_string(&manifest).expect("a manifest");
        let manifest: toml::Table = manifest.parse().expect("TOML");
        let needs = manifest["dependencies"].as_table().expect("a table");
        for name in ["ctrlc", "terminal_size", "nix", "rustix", "rustyline", "clap"] {
            assert!(
                !needs.contains_key(name),
                "{} needs {name}",
                folder.path().display()
            );
        }
        assert!(!manifest.contains_key("target"), "{}", folder.path().display());
    }
    for (file, text) in files() {
        let of_program = ["repl", "page", "cli", "screen", "progress", "main"];
        let first = file.split('/').next().unwrap_or_default();
        if of_program.contains(&first.trim_end_matches(".rs")) || first == "trials" {
            continue;
        }
        for word in ["stdout()", "stderr()", "stdin()", "println!", "IsTerminal"] {
            assert!(!without_tests(&text).contains(word), "{file} has {word}");
        }
    }
}

/// The paths that a tree of imports stands for: `a::{b, c::{d, e}}` is `a::b`, `a::c::d`, `a::c::e`.
fn paths(tree: &str) -> Vec<String> {
    let Some((before, inner)) = tree.split_once('{') else {
        return vec![tree.trim().to_owned()];
    };
    let inner = inner.trim_end().strip_suffix('}').unwrap_or(inner);
    let (mut depth, mut from, mut branches) = (0, 0, Vec::new());
    for (at, sign) in inner.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                branches.push(&inner[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    branches.push(&inner[from..]);
    let branches = branches.into_iter().filter(|branch| !branch.trim().is_empty());
    let whole = branches.map(|branch| format!("{}{}", before.trim(), branch.trim()));
    whole.flat_map(|branch| paths(&branch)).collect()
}

/// Returns the paths of other modules in a text: its imports, and the paths in its code.
fn paths_named(text: &str) -> Vec<String> {
    let code: Vec<&str> = without_tests(text)
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect();
    let code = code.join("\n");
    let mut found: Vec<String> = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let tree = code[at + 4..].split(';').next().unwrap_or_default();
        found.extend(paths(tree));
    }
    let part_of_path = |c: char| c.is_alphanumeric() || "_:".contains(c);
    for word in code.split(|c| !part_of_path(c)) {
        if word.starts_with("crate::") || word.starts_with("super::") {
            found.push(word.to_owned());
        }
    }
    found
}

/// Returns the files that each file uses, among these.
fn arrows(files: &[(String, String)]) -> BTreeMap<&str, BTreeSet<&str>> {
    let module = |name: &str| {
        let path = name.trim_end_matches(".rs");
        let path = path.strip_suffix("/mod").unwrap_or(path);
        path.to_owned()
    };
    let by_module: BTreeMap<String, &str> = files
        .iter()
        .map(|(name, _)| (module(name), name.as_str()))
        .collect();
    let target = |own: &str, path: &str| {
        let mut base: Vec<&str> = own.split('/').collect();
        let mut parts = path.split("::").map(str::trim).peekable();
        match parts.peek().copied() {
            Some("crate") => {
                parts.next();
                base.clear();
            }
            Some("super") => {
                while parts.next_if_eq(&"super").is_some() {
                    base.pop();
                }
            }
            _ => {}
        }
        // The innermost module of the path that is a file: what stands behind it is one of its things.
        let mut found = by_module.get(&base.join("/")).copied();
        for part in parts {
            base.push(part);
            match by_module.get(&base.join("/")) {
                Some(file) => found = Some(file),
                None => break,
            }
        }
        found
    };
    let uses = |(name, text): &(String, String)| {
        let own = module(name);
        let named = paths_named(text).into_iter();
        let used = named.filter_map(|path| target(&own, &path));
        used.filter(|file| file != name).collect::<BTreeSet<&str>>()
    };
    files.iter().map(|file| (file.0.as_str(), uses(file))).collect()
}

/// Files that use each other in a circle, but a module and the parts below it.
fn circles<'f>(arrows: &BTreeMap<&'f str, BTreeSet<&'f str>>) -> Vec<Vec<&'f str>> {
    let reach = |from: &'f str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(file) = open.pop() {
            let next = arrows.get(file).into_iter().flatten().copied();
            open.extend(next.filter(|next| seen.insert(*next)));
        }
        seen
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> = arrows.keys().map(|file| (*file, reach(file))).collect();
    let of_one_module = |circle: &[&str]| {
        circle.iter().any(|head| {
            let folder = head.trim_end_matches("mod.rs").trim_end_matches(".rs");
            let folder = format!("{}/", folder.trim_end_matches('/'));
            circle
                .iter()
                .all(|file| file == head || file.starts_with(&folder))
        })
    };
    let circle = |file: &&'f str| -> Vec<&'f str> {
        let both = reached[*file]
            .iter()
            .filter(|other| reached[**other].contains(file));
        both.copied().collect()
    };
    let all: BTreeSet<Vec<&str>> = reached.keys().map(circle).collect();
    all.into_iter()
        .filter(|circle| circle.len() > 1 && !of_one_module(circle))
        .collect()
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let files = files();
    let found = circles(&arrows(&files));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_circle_is_noticed() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let files = [
        file("a/mod.rs", "pub mod one;\nuse one::Thing;\n"),
        file("a/one.rs", "use super::{Other, two::{self, Third}};\n"),
        file("a/two.rs", "// use super::one;\nfn f() { crate::b::g() }\n"),
        file("b.rs", "use crate::c::Far;\n"),
        file(
            "c.rs",
            "fn f() { super::b::g() }\n#[cfg(test)]\nmod tests {\nuse crate::a;\n",
        ),
    ];
    let arrows = arrows(&files);
    assert_eq!(arrows["a/one.rs"], BTreeSet::from(["a/mod.rs", "a/two.rs"]));
    assert_eq!(arrows["a/two.rs"], BTreeSet::from(["b.rs"]));
    assert_eq!(circles(&arrows), [["b.rs", "c.rs"]]);
}

#[test]
fn an_arrow_upwards_is_noticed() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let found = upwards(
        &floors(),
        &[
            file(
                "kernel/dice.rs",
                "//! See crate::play.\nuse crate::rules::ruleset::Ruleset;\n",
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
