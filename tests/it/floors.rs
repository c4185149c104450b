//! The order of the crates is the table of `docs/architecture.md`; files of a crate do not use each other in a circle;
//! terminals and signals are the program's. The package of a crate contains what its code embeds.

use crate::support::{code_folders, root};
use rulebench::grounds::KINDS;
use rulebench::kernel::ground::GroundKind;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The names of the crates in the table, each of which may use those above it.
fn crates_in_order() -> Vec<String> {
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).expect("the page is there");
    let rows = page.lines().skip_while(|l| !l.starts_with("| crate |")).skip(2);
    let rows = rows.take_while(|l| l.starts_with('|'));
    let names = rows.map(|l| {
        l.split('|')
            .nth(1)
            .expect("a column")
            .trim()
            .trim_matches('`')
            .to_owned()
    });
    names.collect()
}

/// The tables of a crate's dependencies, those of some systems among them, without those of tests.
fn dependencies(folder: &Path) -> toml::Table {
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    let manifest: toml::Value = manifest.parse::<toml::Table>().expect("TOML").into();
    let systems = manifest.get("target").and_then(toml::Value::as_table);
    let tables = systems
        .into_iter()
        .flat_map(toml::Table::values)
        .chain([&manifest]);
    let of_one = |table: &toml::Value| table["dependencies"].as_table().expect("a table").clone();
    tables.flat_map(of_one).collect()
}

#[test]
fn a_crate_uses_only_those_above_it_in_the_table() {
    let order = crates_in_order();
    let mut found: Vec<String> = std::fs::read_dir(root().join("crates"))
        .expect("the crates")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    found.sort();
    let mut listed = order.clone();
    listed.sort();
    assert_eq!(found, listed, "the table lists the crates");
    for (place, name) in order.iter().enumerate() {
        for used in dependencies(&root().join("crates").join(name)).keys() {
            let Some(used) = used.strip_prefix("rulebench-") else {
                continue;
            };
            let above = order[..place].iter().any(|other| other == used);
            assert!(above, "{name} uses {used}, which is not above it");
        }
    }
}

#[test]
fn only_the_view_of_a_position_knows_what_is_hidden() {
    let gateway = ["table.rs", "table/position.rs", "table/view.rs", "world.rs"];
    let kernel = root().join("crates/kernel/src");
    let mut paths = Vec::new();
    for src in code_folders() {
        sources(&src, &mut paths);
    }
    let allowed = |path: &Path| gateway.iter().any(|file| *path == kernel.join(file));
    assert_eq!(paths.iter().filter(|path| allowed(path)).count(), gateway.len());
    paths.retain(|path| !allowed(path) && *path != kernel.join("tests.rs"));
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("readable");
        for word in ["hidden_start", ".masked("] {
            assert!(!text.contains(word), "{} knows `{word}`", path.display());
        }
    }
}

#[test]
fn only_the_program_knows_terminals_and_signals() {
    for name in crates_in_order() {
        let needs = dependencies(&root().join("crates").join(&name));
        for library in ["ctrlc", "terminal_size", "nix", "rustix", "rustyline", "clap"] {
            assert!(!needs.contains_key(library), "{name} needs {library}");
        }
    }
    for (file, text) in files() {
        if file.starts_with("rulebench/") || file.starts_with("play/trials") {
            continue;
        }
        for word in ["stdout()", "stderr()", "stdin()", "println!", "IsTerminal"] {
            assert!(!without_tests(&text).contains(word), "{file} has {word}");
        }
    }
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

/// Every file of the code by its crate and its path below `src/`, but those that are tests as a whole, and those that
/// only list a crate's modules.
fn files() -> Vec<(String, String)> {
    let not = ["tests.rs", "plane/testing.rs", "run/oracle.rs", "src/lib.rs"];
    let mut all = Vec::new();
    for src in code_folders() {
        let owner = src.parent().expect("a package");
        let owner = match owner == root() {
            true => "rulebench".into(),
            false => owner.file_name().expect("a name").to_string_lossy(),
        };
        let mut paths = Vec::new();
        sources(&src, &mut paths);
        paths.retain(|path| !not.iter().any(|file| path.ends_with(file)));
        all.extend(paths.into_iter().map(|path| {
            let name = path.strip_prefix(&src).expect("below src").to_string_lossy();
            (
                format!("{owner}/{}", name.replace('\\', "/")),
                std::fs::read_to_string(&path).expect("readable"),
            )
        }));
    }
    assert!(all.len() > 150, "{} files", all.len());
    all
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
                base.truncate(1);
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
        file("k/a/mod.rs", "pub mod one;\nuse one::Thing;\n"),
        file("k/a/one.rs", "use super::{Other, two::{self, Third}};\n"),
        file("k/a/two.rs", "// use super::one;\nfn f() { crate::b::g() }\n"),
        file("k/b.rs", "use crate::c::Far;\n"),
        file(
            "k/c.rs",
            "fn f() { super::b::g() }\n#[cfg(test)]\nmod tests {\nuse crate::a;\n",
        ),
    ];
    let arrows = arrows(&files);
    assert_eq!(arrows["k/a/one.rs"], BTreeSet::from(["k/a/mod.rs", "k/a/two.rs"]));
    assert_eq!(arrows["k/a/two.rs"], BTreeSet::from(["k/b.rs"]));
    assert_eq!(circles(&arrows), [["k/b.rs", "k/c.rs"]]);
}

/// Returns the paths that the code of a file embeds, from the root of its package or from the folder of the file.
fn embedded<'t>(text: &'t str, package: &'t Path, folder: &'t Path) -> impl Iterator<Item = PathBuf> {
    let markers = [
        ("#[folder = \"", package),
        ("#[path = \"", folder),
        ("include_str!(\"", folder),
        ("include_bytes!(\"", folder),
    ];
    markers.into_iter().flat_map(move |(marker, base)| {
        let starts = text.match_indices(marker).map(|(at, _)| at + marker.len());
        starts.map(move |start| base.join(text[start..].split('"').next().unwrap_or_default()))
    })
}

/// Returns the files at a path: the file itself, or those of a folder that are not ignored.
fn files_at(path: &Path) -> Vec<PathBuf> {
    let is_ignored = |path: &Path| path.extension().is_some_and(|ending| ending == "new");
    match std::fs::read_dir(path) {
        Ok(entries) => entries
            .flatten()
            .flat_map(|entry| files_at(&entry.path()))
            .collect(),
        Err(_) if is_ignored(path) => Vec::new(),
        Err(_) => vec![path.canonicalize().unwrap_or_else(|_| path.to_owned())],
    }
}

/// Returns the files that cargo puts into the package of a folder.
fn packaged(package: &Path) -> BTreeSet<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let listed = Command::new(cargo)
        .args([
            "package",
            "--list",
            "--allow-dirty",
            "--offline",
            "--manifest-path",
        ])
        .arg(package.join("Cargo.toml"))
        .output()
        .expect("cargo starts");
    assert!(
        listed.status.success(),
        "{}",
        String::from_utf8_lossy(&listed.stderr)
    );
    let listed = String::from_utf8(listed.stdout).expect("text");
    let package = package.canonicalize().expect("it is there");
    listed.lines().map(|path| package.join(path)).collect()
}

#[test]
fn the_package_of_a_crate_contains_what_its_code_embeds() {
    let mut packages: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
    let mut found = 0;
    for (file, text) in files() {
        let (owner, inner) = file.split_once('/').expect("a crate and a path");
        let package = match owner {
            "rulebench" => root().to_owned(),
            name => root().join("crates").join(name),
        };
        let path = package.join("src").join(inner);
        let folder = path.parent().expect("a folder");
        for file in embedded(without_tests(&text), &package, folder).flat_map(|path| files_at(&path)) {
            let listed = packages
                .entry(package.clone())
                .or_insert_with(|| packaged(&package));
            assert!(
                listed.contains(&file),
                "{} embeds {}, which its package lacks",
                path.display(),
                file.display()
            );
            found += 1;
        }
    }
    let games = rulebench::embedded::games();
    let folders = ["scripts", "units", "scenarios", "snapshots"];
    let carried: usize = folders.iter().map(|folder| games.list(folder, "").len()).sum();
    assert!(
        carried > 1000 && found > carried,
        "{found} files, {carried} of games"
    );
}

/// The names of grounds, each in words: those of the list, and those that are declared beside it.
fn grounds() -> Vec<&'static str> {
    let listed = KINDS.iter().map(GroundKind::key);
    listed.chain(["tabletop", "table_top", "arena"]).collect()
}

/// Returns the identifiers of a text, as `_drawn_plane_`: not those in its comments and quoted texts.
fn identifiers(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let hashes = rest
            .strip_prefix('r')
            .map_or("", |raw| &raw[..raw.len() - raw.trim_start_matches('#').len()]);
        let raw_end = format!("\"{hashes}");
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("'\"'") {
            3
        } else if let Some(inner) = rest.strip_prefix(&format!("r{hashes}\"")) {
            inner
                .find(&raw_end)
                .map_or(rest.len(), |end| rest.len() - inner.len() + end + raw_end.len())
        } else if c == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        } else if c.is_alphanumeric() || c == '_' {
            let end = rest
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len());
            let mut word = "_".to_owned();
            for c in rest[..end].chars() {
                if c.is_uppercase() && !word.ends_with('_') && word.ends_with(char::is_lowercase) {
                    word.push('_');
                }
                word.extend(c.to_lowercase());
            }
            found.insert(word + "_");
            end
        } else {
            c.len_utf8()
        };
        rest = &rest[skipped..];
    }
    found
}

/// Returns the names of grounds among the identifiers of a text.
fn named_grounds(text: &str) -> Vec<String> {
    let names = |word: &&String| {
        grounds()
            .iter()
            .any(|ground| word.contains(&format!("_{ground}_")))
    };
    identifiers(without_tests(text))
        .iter()
        .filter(names)
        .cloned()
        .collect()
}

#[test]
fn only_grounds_and_their_declaration_know_which_ground_it_is() {
    let declaration = [
        "rules/declare/",
        "rules/declare.rs",
        "rules/declared_rules.rs",
        "rules/keys.rs",
    ];
    for (file, text) in files() {
        if file.starts_with("kernel/") {
            let text = text.to_lowercase().replace("table top", "tabletop");
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            let word = words.find(|word| grounds().contains(word));
            assert_eq!(word, None, "{file}");
        }
        if !file.starts_with("grounds/") && !declaration.iter().any(|part| file.starts_with(part)) {
            assert!(
                named_grounds(&text).is_empty(),
                "{file} has {:?}",
                named_grounds(&text)
            );
            let name = named_grounds(&file.replace(['/', '.'], " "));
            assert!(name.is_empty(), "{file}");
        }
    }
}

#[test]
fn the_name_of_a_ground_is_found_when_it_is_there() {
    for code in [
        "self.is_arena()",
        "pub enum Kind { TableTop }",
        "\"x\\\"\"; '\"'; Tabletop",
        "r#\"\"\"#; rules.track",
    ] {
        assert_eq!(named_grounds(code).len(), 1, "{code}");
    }
    for code in [
        "// an arena",
        "\"no arena\"",
        "r#\"\"track\"#",
        "backtrack()",
        "stretching_arenaceous",
    ] {
        assert!(named_grounds(code).is_empty(), "{code}");
    }
}
