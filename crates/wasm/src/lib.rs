//! The module for WebAssembly: a session of a page without a server, and games that are played to their end. Files come
//! in messages, and so do requests of the page; its interface is messages.
//!
//! A message is a JSON text, and so is the reply ([`reply`]). The module knows no files and no threads. Its host shows
//! the progress of long work and has a clock ([`host`]).

mod host;
mod problems;
mod table;

use rulebench_lang::report::Problems;
use rulebench_play::scenario::file::ScenarioFile;
use rulebench_play::stage::run::{self, Overrides};
use rulebench_rules::workspace::Workspace;
use rulebench_session::page::PageRequest;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;
use table::{Opening, Shown, Table};

/// A message to the module.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Message {
    /// Opens a session. It takes the place of the one before.
    Open(Opening),
    /// A request of the page to the session.
    Ask(PageRequest),
    /// Lets the agent answer that is asked.
    Turn {},
    /// Ends the turns of agents: a person plays the side that is asked.
    Stop {},
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
    /// The answer to a request, and what the page shows and keeps from now on.
    Answer(Value, Shown),
    /// The transcript of a game, as `rulebench run` prints it.
    Transcript(String),
    /// The reasons why a message cannot be read or done.
    Problems(Problems),
}

thread_local! {
    /// The session that is open.
    static TABLE: RefCell<Option<Table>> = const { RefCell::new(None) };
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
        Message::Open(opening) => TABLE.with(|table| {
            let mut opened = Table::open(opening)?;
            let shown = opened.shown();
            *table.borrow_mut() = Some(opened);
            Ok(Reply::Answer(Value::Null, shown))
        }),
        Message::Ask(request) => at_table(|table| table.ask(request)),
        Message::Turn {} => at_table(Table::turn),
        Message::Stop {} => at_table(Table::stop),
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

/// Does something with the session that is open.
fn at_table(act: impl FnOnce(&mut Table) -> Value) -> Result<Reply, Problems> {
    TABLE.with(|table| {
        let mut table = table.borrow_mut();
        let table = table.as_mut().ok_or_else(problems::no_session)?;
        let answer = act(table);
        Ok(Reply::Answer(answer, table.shown()))
    })
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
    use serde_json::json;

    fn sent(message: &Value) -> Value {
        serde_json::from_str(&reply(&message.to_string())).expect("JSON")
    }

    fn problem_ids(reply: &Value) -> Vec<&str> {
        let problems = reply["problems"].as_array().expect("problems").iter();
        problems
            .map(|problem| problem["id"].as_str().expect("an id"))
            .collect()
    }

    fn files() -> BTreeMap<String, String> {
        let root = Workspace::at(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let paths = root.files_of("smalltricks").into_iter();
        paths
            .map(|path| (root.read(&path).expect("text").text.clone(), path))
            .map(|(text, path)| (path, text))
            .collect()
    }

    /// Returns the answer to a request of the page, and what is shown then.
    fn ask(kind: &str, mut body: Value) -> (Value, Value) {
        body["kind"] = kind.into();
        let reply = sent(&json!({ "ask": body }));
        (reply["answer"][0].clone(), reply["answer"][1].clone())
    }

    #[test]
    fn a_message_that_cannot_be_read_or_done_says_why() {
        for message in ["", "{}", "{\"play\": {}}", "{\"draw\": {}}"] {
            let reply = serde_json::from_str(&reply(message)).expect("JSON");
            assert_eq!(problem_ids(&reply), ["unreadable-message"], "{message}");
        }
        let files = files();
        for (game, agents, id) in [
            ("smaltricks", "random", "unknown-name"),
            ("smalltricks", "rndom", "unknown-name"),
            ("smalltricks", "mcts:5ms", "no-clock"),
        ] {
            let play = json!({ "files": files, "game": game, "seed": 1, "agents": agents });
            assert_eq!(problem_ids(&sent(&json!({ "play": play }))), [id]);
        }
        let asked = sent(&json!({ "ask": { "kind": "sources" } }));
        assert_eq!(problem_ids(&asked), ["no-session"]);
        let open = json!({ "open": { "files": files, "start": "charge-into-spaers" } });
        assert_eq!(problem_ids(&sent(&open)), ["unknown-name"]);
    }

    #[test]
    fn a_session_goes_on_from_its_journal() {
        let files = files();
        let text = files["units/smalltricks/spears.rhai"].replacen("symbol: \"Sp\"", "symbol: \"Sx\"", 1);
        sent(&json!({ "open": { "files": files, "start": "charge-into-spears" } }));
        let mut journal = String::new();
        let mut keep = |shown: &Value| {
            let part = &shown["journal"];
            if part["whole"] == true {
                journal.clear();
            }
            journal.push_str(part["text"].as_str().unwrap_or_default());
        };
        let path = "units/smalltricks/spears.rhai";
        for (kind, body) in [
            ("line", json!({ "line": "1", "seen": null })),
            ("write", json!({ "path": path, "text": text, "version": null })),
            ("line", json!({ "line": ":plays blue greedy", "seen": null })),
        ] {
            let (answer, shown) = ask(kind, body);
            assert_eq!(answer["refused"], Value::Null);
            keep(&shown);
        }
        let of = |state: &Value| ["record", "line", "sides", "question"].map(|key| state[key].clone());
        let (_, shown) = ask("line", json!({ "line": ":quiet", "seen": null }));
        let before = of(&shown["state"]);
        let mut files = files.clone();
        files.insert(path.to_owned(), text);
        let open = json!({ "files": files, "start": "charge-into-spears", "journal": journal });
        let again = sent(&json!({ "open": open }));
        assert_eq!(of(&again["answer"][1]["state"]), before, "{again}");
        let open = json!({ "files": files, "start": "charge-into-spears", "journal": "odd" });
        assert_eq!(problem_ids(&sent(&json!({ "open": open }))), ["damaged-session"]);
    }

    #[test]
    fn a_session_is_opened_played_and_changed() {
        let overrides = json!({ "variants": ["trample-damage"], "seed": 4, "dials": [["max_rounds", 2]] });
        let open = json!({ "files": files(), "start": "charge-into-spears", "overrides": overrides });
        let opening = sent(&json!({ "open": open }));
        let opened = &opening["answer"][1];
        let state = &opened["state"];
        assert_ne!(*state, Value::Null, "{opening}");
        assert_eq!(
            (&state["game"], &state["number"]),
            (&json!("smalltricks"), &json!(2))
        );
        assert_eq!((&opened["turn"], &opened["files"]), (&Value::Null, &json!({})));
        let asked = &state["question"];
        let (answer, shown) = ask("line", json!({ "line": "1", "seen": 2 }));
        assert_eq!(answer["played"], true, "{answer}");
        assert_ne!(&shown["state"]["question"], asked);
        // Looking changes nothing, so nothing is shown.
        let (answer, shown) = ask("look", json!({ "line": ":units" }));
        assert_eq!(answer["pieces"][0]["kind"], "text");
        assert_eq!(shown["state"], Value::Null);
        let (answer, _) = ask("line", json!({ "line": ":quit", "seen": null }));
        assert_eq!(answer["pieces"][0]["kind"], "error", "{answer}");
        // An agent has its turn when the page says so.
        let (_, shown) = ask("line", json!({ "line": ":plays red random", "seen": null }));
        let (_, shown) = match &shown["turn"] {
            Value::Null => ask("line", json!({ "line": ":plays blue random", "seen": null })),
            _ => (Value::Null, shown),
        };
        assert_eq!(shown["turn"], 900);
        let given = |shown: &Value| shown["state"]["line"]["given"].as_u64();
        let after = sent(&json!({ "turn": {} }))["answer"][1].clone();
        assert!(given(&after) > given(&shown), "{after}");
        // A script that is written is live, and the page is told its text to keep it.
        let path = "units/smalltricks/spears.rhai";
        let text = files()[path].replacen("symbol: \"Sp\"", "symbol: \"Sx\"", 1);
        let (answer, shown) = ask("write", json!({ "path": path, "text": text, "version": null }));
        assert_eq!(answer["problems"], json!([]), "{answer}");
        assert_eq!(shown["files"], json!({ path: text }));
        let legend = shown["state"]["board"]["legend"].to_string();
        assert!(legend.contains("Sx = spears"), "{legend}");
        let stopped = sent(&json!({ "stop": {} }))["answer"][1].clone();
        assert_eq!((&stopped["files"], &stopped["turn"]), (&json!({}), &Value::Null));
    }
}
