//! The module for WebAssembly: plays games whose files a message carries. Its interface is messages.
//!
//! A message is a JSON text, and so is the reply ([`reply`]). The module knows no files, no clock and no threads.

mod problems;

use rulebench_lang::report::Problems;
use rulebench_play::scenario::file::ScenarioFile;
use rulebench_play::stage::run::{self, Overrides};
use rulebench_rules::workspace::Workspace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A message to the module.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Message {
    /// Plays a game from its start; the agent answers for all factions. `files` has the texts of the workspace by path.
    Play {
        files: BTreeMap<String, String>,
        game: String,
        seed: u64,
        agents: String,
    },
    /// Fails with this text, as a fault of the program would: callers test with it that they show such a failure.
    Panic(String),
}

/// The reply to a message.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Reply {
    /// The transcript of a game, as `rulebench run` prints it.
    Transcript(String),
    /// The reasons why a message cannot be read or done.
    Problems(Problems),
}

/// Returns the reply to a message, such as `{"play": {"files": {PATH: TEXT}, "game": GAME, "seed": 1, "agents": "random"}}`.
///
/// # Panics
///
/// A fault of the program. In JavaScript it is an error with the text of the panic. After it, the module must be
/// loaded anew.
#[cfg_attr(target_family = "wasm", wasm_bindgen::prelude::wasm_bindgen)]
pub fn reply(message: &str) -> String {
    let message = serde_json::from_str(message).map_err(|error| problems::unreadable_message(error).into());
    let reply = message.and_then(done).unwrap_or_else(Reply::Problems);
    // Names, numbers and texts: nothing in it cannot be written.
    serde_json::to_string(&reply).unwrap_or_default()
}

fn done(message: Message) -> Result<Reply, Problems> {
    match message {
        Message::Play {
            files,
            game,
            seed,
            agents,
        } => {
            let mut file = ScenarioFile::new(game);
            file.seed = seed;
            file.open = agents.into();
            let played = run::run(&Workspace::of_texts(files), &file.into(), &Overrides::default())?;
            Problems::check(played.problems.clone())?;
            Ok(Reply::Transcript(played.transcript().print()))
        }
        Message::Panic(text) => panic!("{text}"),
    }
}

/// Makes panics errors of JavaScript.
#[cfg(target_family = "wasm")]
#[wasm_bindgen::prelude::wasm_bindgen(start)]
fn throw_panics() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn problem_ids(message: &str) -> Vec<String> {
        let reply: Value = serde_json::from_str(&reply(message)).expect("JSON");
        let problems = reply["problems"].as_array().expect("problems").iter();
        problems
            .map(|problem| problem["id"].as_str().expect("an id").to_owned())
            .collect()
    }

    #[test]
    fn a_message_that_cannot_be_read_or_done_says_why() {
        for message in ["", "{}", "{\"play\": {}}", "{\"draw\": {}}"] {
            assert_eq!(problem_ids(message), ["unreadable-message"], "{message}");
        }
        let root = Workspace::at(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let paths = root.files_of("smalltricks").into_iter();
        let files: BTreeMap<String, String> = paths
            .map(|path| (root.read(&path).expect("text").text.clone(), path))
            .map(|(text, path)| (path, text))
            .collect();
        let play = |game: &str, agents: &str| {
            let play = json!({"files": files, "game": game, "seed": 1, "agents": agents});
            problem_ids(&json!({"play": play}).to_string())
        };
        assert_eq!(play("smaltricks", "random"), ["unknown-name"]);
        assert_eq!(play("smalltricks", "rndom"), ["unknown-name"]);
        assert_eq!(play("smalltricks", "mcts:5ms"), ["no-clock"]);
    }
}
