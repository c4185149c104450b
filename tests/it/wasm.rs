//! The module for WebAssembly (`cargo xtask wasm`), in Node: it plays the same games as the command, byte for byte.
//!
//! Where Node or the module is missing, or the module is older than what it is built from, these tests say that they
//! were skipped.

use crate::support::{Copy, root};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::SystemTime;

/// The script that Node runs: a reply or an error for each message.
const REPLIES: &str = "tests/it/wasm/replies.mjs";
/// Number of games that are played of each game.
const GAMES: u64 = 100;

/// Returns the time of the newest file in a folder, and its path.
fn newest(path: &Path) -> Option<(SystemTime, PathBuf)> {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().filter_map(|entry| newest(&entry.path())).max(),
        Err(_) => Some((path.metadata().ok()?.modified().ok()?, path.to_owned())),
    }
}

/// Returns the folder of the module, if it can be tested.
pub fn module() -> Option<PathBuf> {
    let node = Command::new("node").arg("--version").output();
    if !node.is_ok_and(|out| out.status.success()) {
        eprintln!("skipped: there is no Node here");
        return None;
    }
    let folder = root().join("target/wasm");
    let Some((built, _)) = newest(&folder.join("rulebench_bg.wasm")) else {
        eprintln!("skipped: there is no module here; `cargo xtask wasm` builds it");
        return None;
    };
    let parts = ["crates", "Cargo.lock"];
    let newest = parts.iter().filter_map(|part| newest(&root().join(part))).max();
    match newest.filter(|(changed, _)| *changed > built) {
        None => Some(folder),
        Some((_, path)) => {
            eprintln!(
                "skipped: the module is older than {}; `cargo xtask wasm` builds it",
                path.display()
            );
            None
        }
    }
}

/// Starts Node with messages for the module.
fn send(module: &Path, messages: impl IntoIterator<Item = Value>) -> Child {
    let mut node = Command::new("node")
        .arg(root().join(REPLIES))
        .arg(module)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Node starts");
    let lines: String = messages
        .into_iter()
        .map(|message| format!("{message}\n"))
        .collect();
    let mut input = node.stdin.take().expect("it is piped");
    input.write_all(lines.as_bytes()).expect("Node reads");
    node
}

fn replies(node: Child) -> Vec<Value> {
    let output = node.wait_with_output().expect("Node ends");
    assert!(output.status.success(), "Node fails");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// Returns a function that makes the message of a game by its seed.
fn play(game: &str, agents: &str) -> impl Fn(u64) -> Value {
    let games = rulebench::embedded::games();
    let paths = games.files_of(game).into_iter();
    let paths = paths.filter(|path| path.starts_with("scripts/") || path.starts_with("units/"));
    let files = paths.map(|path| (games.read(&path).expect("a text").text.clone(), path));
    let files: BTreeMap<String, String> = files.map(|(text, path)| (path, text)).collect();
    move |seed| json!({"play": {"files": files, "game": game, "seed": seed, "agents": agents}})
}

/// Checks that the module plays these games as `rulebench run` does.
fn plays_as_the_command(module: &Path, game: &str, seeds: impl Iterator<Item = u64> + Clone, agents: &str) {
    let node = send(module, seeds.clone().map(play(game, agents)));
    let folder = Copy::of_nothing();
    let files = seeds.map(|seed| {
        // The command plays files in the order of their names.
        let file = format!("{seed:05}.toml");
        folder.write(
            &file,
            format!("game = \"{game}\"\nseed = {seed}\nopen = \"{agents}\"\n"),
        );
        file
    });
    let files: Vec<String> = files.collect();
    let args: Vec<&str> = std::iter::once("run")
        .chain(files.iter().map(String::as_str))
        .collect();
    let native = folder.run(&args);
    assert_eq!(native.status, 0, "{}", native.page());
    let transcripts = replies(node).into_iter().map(|reply| {
        let transcript = reply["transcript"].as_str();
        format!(
            "{}\n",
            transcript.unwrap_or_else(|| panic!("{game}: {reply}")).trim_end()
        )
    });
    let transcripts: String = transcripts.collect();
    let mut pairs = native.out.lines().zip(transcripts.lines());
    if let Some((native, module)) = pairs.find(|(native, module)| native != module) {
        panic!("{game}, {agents}: `{native}` is played as `{module}` in the module");
    }
    assert_eq!(native.out.len(), transcripts.len(), "{game}, {agents}");
}

#[test]
fn the_module_plays_the_games_of_the_command() {
    let Some(module) = module() else { return };
    let games = rulebench::embedded::games().games();
    assert!(games.len() >= 5, "{games:?}");
    std::thread::scope(|scope| {
        for game in &games {
            scope.spawn(|| plays_as_the_command(&module, game, 1..=GAMES, "random"));
        }
    });
}

/// Agents that search compute with fractions and sort by them.
#[test]
fn agents_that_search_decide_alike_in_the_module() {
    let Some(module) = module() else { return };
    plays_as_the_command(&module, "smalltricks", 1..=1, "greedy");
    plays_as_the_command(&module, "smalltricks", 1..=1, "mcts:20");
}

#[test]
fn panics_and_problems_come_back_as_text() {
    let Some(module) = module() else { return };
    let timed = play("smalltricks", "mcts:5ms")(1);
    let found = replies(send(&module, [timed, json!({"panic": "a fault"})]));
    assert_eq!(found[0]["problems"][0]["id"], "no-clock");
    let thrown = found[1]["thrown"].as_str().expect("an error");
    assert!(
        thrown.starts_with("Error: panicked at ") && thrown.ends_with("\na fault"),
        "{thrown}"
    );
}
