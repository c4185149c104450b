//! Helpers for several tests: workspaces that can be broken, and the command itself.

use rulebench::agents::Agent;
use rulebench::kernel::ids::FactionId;
use rulebench::kernel::table::{Position, Reply};
use rulebench::kernel::world::World;
use rulebench::play::{Play, Progress};
use rulebench::progress::of_session;
use rulebench::render::Style;
use rulebench::repl::session::Session;
use rulebench::report::{Problem, Problems};
use rulebench::rules::ruleset::{LoadOptions, Ruleset};
use rulebench::rules::workspace::Workspace;
use rulebench::scenario::file::{DialValue, ScenarioFile};
use rulebench::stage::run::Overrides;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folders that hold the code: of the faces, and of the crates below them.
pub fn code_folders() -> Vec<PathBuf> {
    let crates = std::fs::read_dir(root().join("crates")).expect("the crates are there");
    let mut folders: Vec<PathBuf> = crates.flatten().map(|entry| entry.path().join("src")).collect();
    folders.push(root().join("src"));
    folders.sort();
    folders
}

/// The file that says what the prompt opens with.
const OPENING: &str = "scripts/workspace.toml";

/// A copy of the scripts, units and scenarios that a test may change.
pub struct Copy {
    folder: tempfile::TempDir,
}

impl Copy {
    /// An empty folder.
    pub fn of_nothing() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self { folder }
    }

    /// Scripts and units, without scenarios.
    pub fn of_rules() -> Self {
        let copied = Self::of_parts(&["scripts", "units"]);
        // What the prompt opens with, and what rulebooks draw, are scenarios.
        std::fs::remove_file(copied.path(OPENING)).expect("it is there");
        for game in std::fs::read_dir(copied.path("scripts"))
            .expect("a folder")
            .flatten()
        {
            let book = game.path().join("rulebook.toml");
            let text = std::fs::read_to_string(&book).expect("a rulebook");
            let lines = text.lines().filter(|line| !line.starts_with("examples = "));
            let text: String = lines.flat_map(|line| [line, "\n"]).collect();
            std::fs::write(book, text).expect("it can be written");
        }
        copied
    }

    /// Scripts, units, scenarios, snapshots and studies.
    pub fn of_all() -> Self {
        Self::of_parts(&["scripts", "units", "scenarios", "snapshots", "studies"])
    }

    /// These folders of the repository.
    fn of_parts(parts: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for part in parts {
            copy(&root().join(part), &folder.path().join(part));
        }
        Self { folder }
    }

    /// Rules that never end once somebody has answered; its scenarios are `it` and `answered`.
    pub fn of_endless_rules() -> Self {
        let copied = Self::of_nothing();
        copy(&root().join("starter"), &copied.path("."));
        let game = "scripts/ford/game.rhai";
        // Each step is short; there is always another one.
        copied.replace(
            game,
            "            #{ phase: \"round\", repeat: true, phases: [",
            "            #{ phase: \"begin\", each: \"faction\", step: \"begin\" },\n            \
             #{ phase: \"spinning\", repeat: true, phases: [\n            \
             #{ phase: \"spin\", each: \"game\", step: \"spin\" } ] },\n            \
             #{ phase: \"round\", repeat: true, phases: [",
        );
        copied.replace(
            game,
            "/// A unit may move",
            "fn begin(side) {\n    choose(side, \"begin\", [\"now\", \"soon\"]);\n}\n\n\
             fn spin() {\n    let n = 0;\n    while n < 150000 { n += 1; }\n}\n\n/// A unit may move",
        );
        copied.write(
            "scenarios/ford/it.toml",
            "game = \"ford\"\nunits.red = [\"slingers c1\"]\nunits.blue = [\"slingers c5\"]\n",
        );
        copied.write(
            "scenarios/ford/answered.toml",
            "game = \"ford\"\ntitle = \"It never ends\"\nunits.red = [\"slingers c1\"]\n\
             units.blue = [\"slingers c5\"]\nanswers = [\"now\", \"soon\"]\n",
        );
        copied
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// Writes a file, making its folder.
    pub fn write(&self, file: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path(file);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("can be made");
        std::fs::write(path, text).expect("can be written");
        self
    }

    /// Replaces a text in a file; it must be there.
    pub fn replace(&self, file: &str, old: &str, new: &str) -> &Self {
        let text = std::fs::read_to_string(self.path(file)).expect("the file is there");
        assert!(text.contains(old), "{file} has no `{old}`");
        self.write(file, text.replacen(old, new, 1))
    }

    /// Runs the command in this folder.
    pub fn run(&self, args: &[&str]) -> Ran {
        run_in(self.folder.path(), args)
    }

    /// Runs the command with `--json`, which must fail with exit status 2, and returns its problems in brief.
    pub fn problems(&self, args: &[&str]) -> Vec<String> {
        let ran = self.run(&[args, &["--json"]].concat());
        assert_eq!(ran.status, 2, "{}", ran.page());
        ran.problems()
    }

    /// Checks that playing a scenario with this text reports these problems and no others: the id of each, and how the
    /// text begins at its place.
    pub fn has_problems(&self, scenario: &str, text: &str, expected: &[(&str, &str)]) {
        self.write(scenario, text);
        let ran = self.run(&["run", scenario, "--json"]);
        assert_eq!(ran.status, 2, "{}", ran.page());
        let reports: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        let problems = reports["scenarios"][0]["problems"].as_array().expect("problems");
        assert_eq!(problems.len(), expected.len(), "{}", ran.page());
        for (problem, (id, at)) in problems.iter().zip(expected) {
            assert_eq!(problem["id"].as_str().unwrap_or_default(), *id, "{problem}");
            assert_eq!(problem["file"], scenario, "{problem}");
            let index = |key: &str| problem[key].as_u64().expect("a number") as usize - 1;
            let line = text.lines().nth(index("line")).unwrap_or_default();
            let rest: String = line.chars().skip(index("column")).collect();
            assert!(rest.starts_with(at), "{at}: {problem}");
        }
    }
}

pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("can be made");
    for entry in std::fs::read_dir(from).expect("is a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("can be copied");
        }
    }
}

/// Exit status and output of a run of the command.
pub struct Ran {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Both outputs and the exit status, as a test snapshots them.
    pub fn page(&self) -> String {
        format!("exit {}\n--- out\n{}--- err\n{}", self.status, self.out, self.err)
    }

    /// The problems in its output in JSON, in brief.
    pub fn problems(&self) -> Vec<String> {
        let value: serde_json::Value =
            serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}", self.page()));
        let mut found = Vec::new();
        problems_in(&value, &mut found);
        found
    }

    /// The same in one line: sentences as they read, wherever the page breaks them.
    pub fn flat(&self) -> String {
        self.page().split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Runs the command in a folder.
pub fn run_in(folder: &Path, args: &[&str]) -> Ran {
    run_in_with(folder, args, "")
}

/// Runs the command in a folder, with this on its standard input.
pub fn run_in_with(folder: &Path, args: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rulebench"))
        .args(args)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        // How fast the machine is says nothing about the rules.
        .env("RULEBENCH_SECONDS", "100000")
        // As on a designer's machine, where snapshots are written.
        .env_remove("CI")
        .env_remove("TF_BUILD")
        .env_remove("INSTA_UPDATE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // One that ends without reading is none the worse for it.
    let _ = child
        .stdin
        .take()
        .map(|mut pipe| pipe.write_all(input.as_bytes()));
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().expect("the command ends");
    let text = |bytes| String::from_utf8(bytes).expect("the command writes text");
    Ran {
        status: status.code().expect("it was not killed"),
        out: text(stdout),
        err: text(stderr),
    }
}

/// A small game that lives in memory alone: its files by their paths, under the name `tiny`.
#[derive(Clone)]
pub struct Small(BTreeMap<String, String>);

impl Small {
    /// A game of this `game.rhai`, without unit types.
    pub fn new(game: &str) -> Self {
        Self(BTreeMap::new()).with("game", game)
    }

    /// With a text in place of what was there: `game`, `tweaks`, `units/NAME`, `terrain/NAME`,
    /// `variants/NAME` or `scenarios/NAME`.
    pub fn with(mut self, name: &str, text: &str) -> Self {
        let path = match name.split_once('/') {
            Some(("variants", name)) => format!("scripts/tiny/variants/{name}.rhai"),
            Some(("terrain", name)) => format!("scripts/tiny/terrain/{name}.rhai"),
            Some(("scenarios", name)) => format!("scenarios/tiny/{name}.toml"),
            Some((folder, name)) => format!("{folder}/tiny/{name}.rhai"),
            None if name == "tweaks" => "scripts/tiny/tweaks.toml".to_owned(),
            None => format!("scripts/tiny/{name}.rhai"),
        };
        self.0.insert(path, text.to_owned());
        self
    }

    /// With a text of one of its files replaced; it must be there.
    pub fn replaced(&self, path: &str, old: &str, new: &str) -> Self {
        let mut changed = self.clone();
        let text = changed.0.get_mut(path).expect("the file is there");
        assert!(text.contains(old), "{path} has no `{old}`");
        *text = text.replacen(old, new, 1);
        changed
    }

    /// Its files, by path.
    pub fn files(&self) -> &BTreeMap<String, String> {
        &self.0
    }

    pub fn workspace(&self) -> Workspace {
        Workspace::at("no such folder").with(self.0.clone())
    }

    /// Loads it with these options.
    pub fn load(&self, options: &LoadOptions) -> Result<Arc<Ruleset>, Problems> {
        Ruleset::load(&self.workspace(), "tiny", options)
    }

    /// Loads it with these variants on.
    pub fn load_with(&self, variants: &[&str]) -> Result<Arc<Ruleset>, Problems> {
        let variants = variants.iter().map(|&v| v.to_owned()).collect();
        self.load(&LoadOptions {
            variants,
            ..LoadOptions::default()
        })
    }

    /// The error page of loading it with these variants on.
    pub fn error(&self, variants: &[&str]) -> String {
        match self.load_with(variants) {
            Ok(_) => panic!("it loads"),
            Err(problems) => problems.page(false),
        }
    }

    /// The problems of loading it with these variants on, in brief.
    pub fn problems(&self, variants: &[&str]) -> Vec<String> {
        match self.load_with(variants) {
            Ok(_) => panic!("it loads"),
            Err(problems) => problems.0.iter().map(brief).collect(),
        }
    }

    /// A play of it from its start with these variants on.
    pub fn play(&self, variants: &[&str]) -> Play {
        let ruleset = self.load_with(variants);
        start(ruleset.unwrap_or_else(|problems| panic!("{problems}")))
    }
}

/// A play from the start of what is loaded.
pub fn start(ruleset: Arc<Ruleset>) -> Play {
    let start = Position::start(World::new(&ruleset.rules), false, 1, 0);
    Play::new(ruleset, &start)
}

/// Plays to the end of the game: one side is greedy, the others answer at random.
pub fn play_greedily(play: &mut Play, side: FactionId, seed: u64) {
    let mut random = Agent::Random.source(seed).expect("it answers at once");
    loop {
        match play.run_on() {
            Progress::Asks => {}
            Progress::Over => break,
            other => panic!("{other:?}"),
        }
        let index = if play.with_question(|a| a.request.asker) == Some(side) {
            let chosen = Agent::GREEDY.choose(play, seed);
            chosen.unwrap_or_else(|p| panic!("{p}")).index
        } else {
            match play.with_question(|a| random.answer(a)) {
                Some(Reply::Take(index)) => index,
                other => panic!("{other:?}"),
            }
        };
        assert!(play.answer(index));
    }
}

/// The record of a play, as text.
pub fn record(play: &Play) -> String {
    play.lines_from(0).iter().map(|l| format!("{l}\n")).collect()
}

/// A whole game that lasts so many rounds of everybody, or as long as its rules say for 0.
pub fn short_game(game: &str, seed: u64, rounds: i64) -> ScenarioFile {
    // The dial that says how long a game lasts, and how much of it is a round.
    let length = match game {
        "smalltricks" => Some(("max_rounds", 1)),
        "pocket-tactics" => Some(("turns", 8)),
        "the-wager" => Some(("last_turn", 1)),
        "very-quick-violence" | "smashdodes" => Some(("turns", 2)),
        _ => None,
    };
    let mut file = ScenarioFile::new(game);
    file.seed = seed;
    if let Some((dial, turns)) = length.filter(|_| rounds > 0) {
        let value = DialValue::Number(turns * rounds);
        file.dials.push((dial.to_owned().into(), value.into()));
        // A force of a dozen figures would be long about it.
        if game == "the-wager" {
            let three = DialValue::Number(3);
            file.dials.push(("most_figures".to_owned().into(), three.into()));
        }
    }
    file
}

/// Time that this thread has run, or that has passed where the system does not tell.
pub fn spent(began: std::time::Instant) -> std::time::Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran = told.and_then(|t| t.split(' ').next()?.parse().ok());
    ran.map_or_else(|| began.elapsed(), std::time::Duration::from_nanos)
}

/// A problem as tests compare it: `ID(ARGUMENT, ...) at FILE:LINE:COLUMN`, without what it does not have.
pub fn brief(problem: &Problem) -> String {
    let value = serde_json::to_value(problem).expect("JSON");
    brief_json(&value)
}

fn brief_json(problem: &serde_json::Value) -> String {
    let text = |key: &str| problem[key].as_str().unwrap_or_default().to_owned();
    let mut brief = text("id");
    if let Some(arguments) = problem["arguments"].as_array() {
        let arguments = arguments.iter().filter_map(|a| a.as_str());
        brief += &format!("({})", arguments.collect::<Vec<_>>().join(", "));
    }
    if !problem["file"].is_null() {
        brief += &format!(" at {}:{}:{}", text("file"), problem["line"], problem["column"]);
    }
    brief
}

/// Finds each list under the key `problems`, at any depth.
fn problems_in(value: &serde_json::Value, found: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (key, field) in fields {
                match field.as_array().filter(|_| key == "problems") {
                    Some(problems) => found.extend(problems.iter().map(brief_json)),
                    None => problems_in(field, found),
                }
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| problems_in(item, found)),
        _ => {}
    }
}

/// A session at the prompt.
pub fn session(workspace: &Workspace, start: &str) -> Session {
    let workspace = workspace.clone().for_work(of_session(false));
    let mut session = Session::new(&workspace, Some(start), Overrides::default(), Style::default())
        .unwrap_or_else(|p| panic!("{p}"));
    session.greeting();
    session
}

/// A session on the games that come along.
pub fn started(start: &str) -> Session {
    session(&rulebench::embedded::games(), start)
}

/// Enters a line at the prompt, which must succeed, and returns the output.
pub fn said(session: &mut Session, line: &str) -> String {
    let reply = session.line(line);
    assert!(!reply.failed(), "{line}: {}", reply.print());
    reply.print()
}

/// Enters a line at the prompt, which must be refused, and returns the output.
pub fn refused(session: &mut Session, line: &str) -> String {
    let reply = session.line(line);
    assert!(reply.failed(), "{line}: {}", reply.print());
    reply.print()
}

/// Enters a line at the prompt, which must be refused, and returns the problems in brief.
pub fn problems(session: &mut Session, line: &str) -> Vec<String> {
    let reply = session.line(line);
    assert!(reply.failed(), "{line}: {}", reply.print());
    reply.problems().map(brief).collect()
}
