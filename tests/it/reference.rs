//! The script reference: complete, true, and what lies in `docs`.

use crate::examples;
use crate::support::{root, run_in};
use rulebench::grounds::KINDS;
use rulebench::kernel::ground::GroundKind;
use rulebench::kernel::ids::Thing;
use rulebench::kernel::schedule::NextStep;
use rulebench::play::{Play, Progress};
use rulebench::reference::{self, Article, ArticleKind, DocExample, ExampleResult, example, schema};
use rulebench::render::Style;
use rulebench::repl::session::Session;
use rulebench::report::Source;
use rulebench::rules::ruleset::{LoadOptions, Ruleset};
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::Overrides;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

// --- complete ---------------------------------------------------------------------------------------

/// Returns the faults in the description of an entry.
fn gaps(entry: &Article) -> Vec<&'static str> {
    let mut gaps = Vec::new();
    let mut must = |well: bool, what| {
        if !well {
            gaps.push(what);
        }
    };
    must(entry.purpose.ends_with('.'), "its purpose is no sentence");
    must(!entry.examples.is_empty(), "it has no example");
    must(!entry.group.is_empty(), "it has no group");
    must(
        entry
            .params
            .iter()
            .all(|(_, kind, what)| !kind.is_empty() && !what.is_empty()),
        "a parameter is not explained, or something is explained that is no parameter",
    );
    let gives = match entry.sort {
        ArticleKind::Type | ArticleKind::Statement => true,
        _ => !entry.gives.is_empty(),
    };
    must(gives, "it does not say what it gives or takes");
    gaps
}

#[test]
fn every_entry_is_described_whole() {
    let mut wrong = Vec::new();
    for entry in reference::entries() {
        wrong.extend(
            gaps(entry)
                .iter()
                .map(|gap| format!("{} ({}): {gap}", entry.name, entry.what())),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_entry_with_gaps_is_noticed() {
    let mut entry = reference::find("total")[0].clone();
    assert_eq!(gaps(&entry), [""; 0]);
    entry.purpose = "The sum";
    entry.examples.clear();
    entry.gives = "";
    entry.params[0].2 = "";
    assert_eq!(gaps(&entry).len(), 4);
}

#[test]
fn nothing_is_offered_that_the_reference_does_not_know() {
    let ruleset = load(example::GAME);
    let offered: BTreeSet<String> = ruleset
        .function_names()
        .map(str::to_owned)
        .chain(ruleset.members(None))
        .collect();
    assert!(
        offered.contains("places_within") && offered.contains("number") && offered.contains("push"),
        "{offered:?}"
    );
    let declared = [
        "life", "move", "cost", "home", "score", "fire", "wind", "target", "stunned", "depth", "heavy",
    ];
    for name in offered {
        let hook = ruleset.functions().iter().any(|f| f.name == name);
        let known = declared.contains(&name.as_str()) || hook || !reference::find(&name).is_empty();
        assert!(known, "the reference does not know `{name}`");
    }
}

#[test]
fn a_name_is_found_with_what_users_type_around_it() {
    for asked in ["choose", "choose()", ":choose", " .choose "] {
        assert_eq!(reference::find(asked).len(), 6, "{asked}");
    }
    let sorts: Vec<ArticleKind> = reference::find("place").iter().map(|e| e.sort).collect();
    assert_eq!(
        sorts,
        [
            ArticleKind::Function,
            ArticleKind::Property,
            ArticleKind::Type,
            ArticleKind::Key
        ]
    );
    assert!(reference::find("").is_empty() && reference::find("no such").is_empty());
}

#[test]
fn what_functions_are_made_of_is_found_by_its_word_or_sign() {
    for word in [
        "fn",
        "let",
        "const",
        "if",
        "switch",
        "for",
        "while",
        "loop",
        "do",
        "break",
        "continue",
        "return",
        "throw",
        "closure",
        "call",
        "??",
        "?.",
        "[]",
        "interpolation",
    ] {
        let sorts: Vec<ArticleKind> = reference::find(word).iter().map(|e| e.sort).collect();
        assert_eq!(sorts, [ArticleKind::Statement], "{word}");
    }
    let mut session = session(&examples::workspace(example::GAME)).expect("the game is sound");
    let told = session.line(":help closure").print();
    assert!(
        told.contains("A function without a name") && told.contains("next.call()"),
        "{told}"
    );
}

#[test]
fn its_text_keeps_to_80_columns() {
    for entry in reference::entries() {
        let text = entry.text();
        assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    }
    let pages: Vec<String> = ["total", "choose", "moved", "lasts", "may_enter", "units", "until"]
        .iter()
        .flat_map(|name| reference::find(name))
        .map(Article::text)
        .collect();
    insta::assert_snapshot!(pages.join("\n\n"));
}

// --- true -------------------------------------------------------------------------------------------

fn load(game: &str) -> Arc<Ruleset> {
    try_load(&examples::workspace(game)).unwrap_or_else(|page| panic!("{page}"))
}

fn try_load(workspace: &Workspace) -> Result<Arc<Ruleset>, String> {
    Ruleset::load(workspace, "example", &LoadOptions::default()).map_err(|p| p.page(false))
}

/// A session at the position of the examples.
fn session(workspace: &Workspace) -> Result<Session, String> {
    let changes = Overrides::default();
    let mut session =
        Session::new(workspace, Some("position"), changes, Style::default()).map_err(|p| p.page(false))?;
    session.greeting();
    Ok(session)
}

/// Plays an example in the step that is there for it: what it says, what is on record, what it asks.
struct Step {
    said: Result<String, String>,
    lines: Vec<String>,
    asks: Vec<String>,
}

fn step(game: &str, code: &str) -> Result<Step, String> {
    let workspace = examples::workspace(&examples::game_with(game, code));
    let source = workspace
        .read("scenarios/example/position.toml")
        .map_err(|p| p.page(false))?;
    let opened = rulebench::stage::run::open(&source).map_err(|p| p.page(false))?;
    let laid = rulebench::stage::run::lay(&workspace, &opened.file, &Overrides::default());
    let mut play: Play = laid.map_err(|p| p.page(false))?.play;
    assert_eq!(play.prepare(), Progress::Stepped);
    let next = play.checkpoint().position.next;
    let NextStep::Step {
        hook,
        about: Thing::Game,
    } = next
    else {
        return Err(format!("the example has no step: {next:?}"));
    };
    let said = match play.runtime.call_hook(hook, Thing::Game) {
        Ok(said) => Ok(play.runtime.value_text(&said)),
        Err(rulebench::rules::runtime::StepStop::Failed(problem)) => Err(problem.page(false)),
        Err(_) => Err("it asks".to_owned()),
    };
    let asks = play.with_question(|a| a.keys()).unwrap_or_default();
    let lines = play.lines_from(0);
    Ok(Step { said, lines, asks })
}

/// Checks an example of the rules' language, and returns the fault if it has one.
fn wrong(game: &str, example: &DocExample) -> Option<String> {
    let code = example.code;
    let told = |found: &str| Some(format!("`{code}`: {found}"));
    match example.outcome {
        ExampleResult::Is(value) => {
            let mut session = session(&examples::workspace(game)).expect("the game is sound");
            let reply = session.line(&format!("= {}{code}", examples::lets(code)));
            // What it prints is not what it comes to.
            let text = reply.print();
            let lines: Vec<&str> = text.lines().filter(|l| !l.starts_with("printed: ")).collect();
            let mut said = lines.join("\n");
            // What changes something is for rules alone.
            if said.contains("can only be read here") {
                said = match step(game, code) {
                    Ok(step) => step.said.unwrap_or_else(|why| why),
                    Err(why) => why,
                };
            }
            if said.trim() == value { None } else { told(&said) }
        }
        ExampleResult::Fails(why) => match step(game, code) {
            Ok(Step { said: Err(page), .. }) if page.contains(why) => None,
            Ok(step) => told(&format!("{:?}", step.said)),
            Err(page) if page.contains(why) => None,
            Err(page) => told(&page),
        },
        ExampleResult::Records(line) => match step(game, code) {
            Ok(step) if step.lines.iter().any(|l| l.trim() == line) => None,
            Ok(step) => told(&format!("{:?} {:#?}", step.said, step.lines)),
            Err(page) => told(&page),
        },
        ExampleResult::Asks(options) => match step(game, code) {
            Ok(step) if step.asks.join(", ") == options => None,
            Ok(step) => told(&format!("asks {:?}", step.asks)),
            Err(page) => told(&page),
        },
        ExampleResult::Stands => told("it has no result"),
    }
}

#[test]
fn every_example_comes_to_what_is_said() {
    let mut found = Vec::new();
    for entry in reference::entries() {
        if matches!(
            entry.sort,
            ArticleKind::Key | ArticleKind::File | ArticleKind::Hook | ArticleKind::Declaration
        ) {
            continue;
        }
        for example in &entry.examples {
            // A definition is a declaration's.
            if !example.code.starts_with("fn ") {
                found.extend(wrong(examples::game_of(entry), example));
            }
        }
    }
    assert!(
        found.is_empty(),
        "{} are wrong:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn an_example_that_is_wrong_is_noticed() {
    for (code, outcome) in [
        ("me.life", ExampleResult::Is("4")),
        ("me.lief", ExampleResult::Is("3")),
        (
            "hit(foe, 1, \"x\")",
            ExampleResult::Records("blue.scouts1  life 3->1  (by x)"),
        ),
        ("travel(me, walk(me, 1))", ExampleResult::Asks("stay")),
        ("me.life", ExampleResult::Fails("there is no")),
        ("me.life", ExampleResult::Stands),
    ] {
        assert!(
            wrong(example::GAME, &DocExample { code, outcome }).is_some(),
            "{code}"
        );
    }
}

/// The game with a definition in place of its own of that name.
fn redefined(game: &str, definition: &str) -> String {
    let name = definition.split('(').next().unwrap_or_default();
    let mut out = String::new();
    let mut inside = false;
    for line in game.lines() {
        let begins = line.starts_with(&format!("{name}("));
        inside |= begins;
        if !inside {
            out += line;
            out.push('\n');
        }
        if inside && (line == "}" || begins && line.ends_with('}')) {
            inside = false;
        }
    }
    out + definition + "\n"
}

/// The game with a declaration's example in it, as the files of a workspace, with the variants that
/// have to be on.
fn laid(entry: &Article, code: &str) -> (Workspace, Vec<&'static str>) {
    let game = examples::game_of(entry);
    let change = |of: &str, with: String| {
        let base = game.replace(&format!("fn {of}() {{"), &format!("fn plain_{of}() {{"));
        format!("{base}\nfn {of}() {{ let it = plain_{of}(); {with}; it }}\n")
    };
    let text = match (entry.sort, entry.of) {
        (ArticleKind::Key, "board()" | "a zone" | "an arena")
            if ["hexagon", "map", "squares"]
                .into_iter()
                .chain(KINDS.iter().map(GroundKind::key))
                .any(|k| code.contains(&format!("{k}: "))) =>
        {
            change("board", format!("it.remove(\"hexes\"); it += #{{ {code} }}"))
        }
        (ArticleKind::Key, "board()" | "a zone" | "an arena") => {
            change("board", format!("it += #{{ {code} }}"))
        }
        (ArticleKind::Key, "slots()") => change("slots", format!("it += #{{ {code} }}")),
        (ArticleKind::Key, "a slot") if entry.name == "entry" => {
            change("slots", format!("it[\"faction\"] += #{{ {code} }}"))
        }
        (ArticleKind::Key, "a slot") => change("slots", format!("it[\"unit\"] += #{{ {code} }}")),
        (ArticleKind::Key, "stats()") if entry.name == "blocks" => {
            let path = "scripts/example/terrain/fence.rhai".to_owned();
            let fence = BTreeMap::from([(path, format!("fn stats() {{ #{{ {code} }} }}"))]);
            return (examples::workspace(game).with(fence), Vec::new());
        }
        (ArticleKind::Key, "stats()") => change("stats", format!("it += #{{ {code} }}")),
        (ArticleKind::Key, "a phase") => change("phases", format!("it.push({code})")),
        (ArticleKind::Key, "variant()") => return variant(&format!("fn variant() {{ #{{ {code} }} }}")),
        _ if entry.name == "variant" => return variant(code),
        _ if entry.name == "base" => return variant(code),
        _ => redefined(game, code),
    };
    (examples::workspace(&text), Vec::new())
}

/// A variant with this text beside another one, `fog`.
fn variant(text: &str) -> (Workspace, Vec<&'static str>) {
    let mut files = BTreeMap::new();
    let path = |name: &str| format!("scripts/example/variants/{name}.rhai");
    let fog = "// Fog.\nfn rally(me) {}\n";
    files.insert(path("fog"), fog.to_owned());
    // One that overrides has something to override.
    let own = if text.contains("overrides") {
        "fn rally(me) { me.stunned = true; }"
    } else {
        ""
    };
    files.insert(path("drought"), "// Dry.\nfn blow() {}\n".to_owned());
    files.insert(path("trial"), format!("// A trial.\n{text}\n{own}\n"));
    let game = format!("{}\nfn may_leave(me) {{ true }}\n", example::GAME);
    (examples::workspace(&game).with(files), vec!["trial", "fog"])
}

#[test]
fn every_example_of_a_declaration_is_accepted() {
    let mut found = Vec::new();
    for entry in reference::entries() {
        for example in &entry.examples {
            let declares = matches!(
                entry.sort,
                ArticleKind::Key | ArticleKind::Hook | ArticleKind::Declaration
            ) || example.code.starts_with("fn ");
            if !declares {
                continue;
            }
            if example.outcome != ExampleResult::Stands {
                found.push(format!("{}: a declaration has no result", entry.name));
            }
            let (workspace, variants) = laid(entry, example.code);
            let options = LoadOptions {
                variants: variants.into_iter().map(str::to_owned).collect(),
                ..LoadOptions::default()
            };
            if let Err(problems) = Ruleset::load(&workspace, "example", &options) {
                found.push(format!("{}: {}", entry.name, problems.page(false)));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_declaration_that_is_wrong_is_noticed() {
    let entry = |name: &str, of: &str| {
        let found = reference::find(name).into_iter().find(|e| e.of == of);
        found.unwrap_or_else(|| panic!("{name} of {of}"))
    };
    for (name, of, code) in [
        ("stack", "board()", "stck: 2"),
        ("lasts", "a slot", "x: #{ start: 0, lasts: \"siege\" }"),
        (
            "each",
            "a phase",
            "#{ phase: \"x\", each: \"gme\", step: \"blow\" }",
        ),
        ("after", "variant()", "afer: []"),
        ("may_enter", "", "fn may_enter(me) { tru }"),
    ] {
        let (workspace, variants) = laid(entry(name, of), code);
        let variants = variants.into_iter().map(str::to_owned).collect();
        let options = LoadOptions {
            variants,
            ..LoadOptions::default()
        };
        assert!(Ruleset::load(&workspace, "example", &options).is_err(), "{code}");
    }
}

#[test]
fn every_example_of_a_file_is_read() {
    for entry in reference::entries()
        .iter()
        .filter(|e| e.sort == ArticleKind::File)
    {
        for example in &entry.examples {
            let result = if entry.of == "a tweak" {
                toml::from_str::<rulebench::rules::register::Registered>(example.code)
                    .map(drop)
                    .map_err(|e| e.to_string())
            } else {
                let besides = |name: &str, line: &'static str| if entry.name == name { "" } else { line };
                let game = besides("game", "game = \"example\"\n");
                if entry.of == "a study" {
                    let targets = besides("targets", "targets = []\n");
                    let source = Source::new("it.toml", format!("{game}{targets}{}", example.code));
                    let read = rulebench::designs::study::read(&source);
                    assert_eq!(
                        read.map(drop).map_err(|p| p.page(false)),
                        Ok(()),
                        "{}",
                        example.code
                    );
                    continue;
                }
                let source = Source::new("it.toml", format!("{game}{}", example.code));
                let file = rulebench::scenario::file::ScenarioFile::parse(source);
                file.map(drop).map_err(|p| p.page(false))
            };
            assert_eq!(result, Ok(()), "{}", example.code);
        }
    }
}

// --- what lies in docs ------------------------------------------------------------------------------

#[test]
fn the_pages_in_docs_are_what_doc_writes() {
    let ran = run_in(root(), &["doc", "--check"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
}

#[test]
fn pages_are_written_and_one_that_is_old_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let doc = |args: &[&str]| run_in(folder.path(), &[&["doc"], args].concat());
    let missing = doc(&["--check"]);
    assert!(
        missing.status == 1 && missing.out.contains("missing"),
        "{}",
        missing.page()
    );
    assert_eq!(doc(&["--out", "pages"]).status, 0);
    assert_eq!(doc(&["--out", "pages", "--check"]).status, 0);
    std::fs::write(folder.path().join("pages/reference.md"), "old").expect("written");
    let old = doc(&["--out", "pages", "--check", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&old.out).expect("json");
    assert_eq!(
        (old.status, &report["up_to_date"]),
        (1, &serde_json::json!(false))
    );
    assert_eq!(report["files"][1]["state"], "out of date");
}

// --- schemas ----------------------------------------------------------------------------------------

fn problems(schema: &serde_json::Value, text: &str) -> Vec<String> {
    let validator = jsonschema::draft202012::new(schema).expect("the schema is one");
    let table: toml::Value = toml::from_str(text).expect("it is TOML");
    let value = schema::json_of(&table).expect("it is JSON too");
    validator.iter_errors(&value).map(|e| e.to_string()).collect()
}

/// Runs a command in a folder with `--json` and returns what does not fit its schema.
fn misfits(folder: &std::path::Path, shape: &str, args: &str) -> Vec<String> {
    let args: Vec<&str> = args.split_whitespace().chain(["--json"]).collect();
    let ran = run_in(folder, &args);
    let report: serde_json::Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{args:?}: {e}: {}", ran.page()));
    let mut schema = schema::reports();
    schema["$ref"] = format!("#/$defs/{shape}").into();
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is one");
    let errors = validator.iter_errors(&report);
    errors
        .map(|e| format!("{args:?}: {e} at {}", e.instance_path()))
        .collect()
}

#[test]
fn each_report_fits_its_schema() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(run_in(folder.path(), &["new", "."]).status, 0);
    let at = folder.path();
    let far = "game = \"ford\"\nvariants = [\"nothing\"]\n";
    std::fs::write(at.join("scenarios/ford/broken.toml"), far).expect("written");
    assert!(
        misfits(at, "test_studies", "test --studies").is_empty(),
        "no studies"
    );
    let study = "game = \"ford\"\ngames = 4\ntargets = [\"red wins at most 60 %\"]\n";
    std::fs::create_dir_all(at.join("studies/ford")).expect("a folder");
    std::fs::write(at.join("studies/ford/a.toml"), study).expect("written");
    let misfits: Vec<String> = [
        ("run", "run scenarios"),
        ("test", "test"),
        ("accept", "accept --all"),
        ("reject", "reject --all"),
        ("check", "check --combos"),
        ("coverage", "coverage"),
        ("variants_new", "variants new other --game ford"),
        ("variants_decision", "variants try other"),
        ("variants_decision", "variants undo other"),
        ("variants", "variants --changes"),
        ("diff", "diff two-warbands-meet --set max_rounds=1"),
        ("diff", "diff two-warbands-meet --set max_rounds=8"),
        (
            "diff_bisect",
            "diff two-warbands-meet --set max_rounds=1 --bisect",
        ),
        ("diff_all", "diff --all ford --set max_rounds=1"),
        ("diff_scenario", "diff --all two-warbands-meet --set max_rounds=1"),
        ("perft", "perft stones-and-shields 2 --divide"),
        ("odds", "odds stones-and-shields --set max_rounds=1"),
        ("odds", "odds stones-and-shields --sample 20"),
        ("odds_grid", "odds stones-and-shields --grid"),
        ("render", "render two-warbands-meet --out a.svg"),
        ("render", "render two-warbands-meet --out a.html"),
        ("sheet", "sheet ford"),
        ("rulebook", "rulebook ford"),
        ("doc", "doc --check"),
        ("mutate", "mutate ford --only slingers"),
        ("profile", "profile ford --games 1"),
        ("log", "log --winner draw"),
        ("sim", "sim ford --games 4"),
        ("compare", "compare ford --set max_rounds=2 --games 4"),
        ("sweep", "sweep ford max_rounds=2,3 --games 4"),
        (
            "tune",
            "tune ford --dials max_rounds=3..5 --games 20 --target draws<=99%",
        ),
        ("health", "health ford --games 4"),
        ("test_studies", "test --studies"),
        ("report", "report ford --out report"),
        ("report_study", "report a"),
        ("failure", "odds nowhere"),
    ]
    .iter()
    .flat_map(|(shape, args)| misfits(at, shape, args))
    .collect();
    assert!(misfits.is_empty(), "{misfits:#?}");
    // The negative control: the report of another command does not fit.
    assert!(!self::misfits(at, "coverage", "doc --check").is_empty());
}

/// Events of games on every ground have the declared keys alone.
#[test]
fn events_fit_the_schema_of_a_run() {
    for scenario in [
        "charge-into-spears",
        "an-attack-from-above",
        "a-shot-is-measured-from-the-middle",
        "a-full-table-ends-the-laying",
    ] {
        let misfits = misfits(root(), "run", &format!("run {scenario}"));
        assert!(misfits.is_empty(), "{misfits:#?}");
    }
}

#[test]
fn every_declared_key_of_reports_is_in_a_shape() {
    let keys = std::fs::read_to_string(root().join("crates/present/src/reports/keys.toml")).expect("there");
    let keys: toml::Table = toml::from_str(&keys).expect("TOML");
    let shapes = schema::reports().to_string();
    for key in keys["keys"].as_table().expect("a table").keys() {
        assert!(shapes.contains(&format!("\"{key}\":")), "{key} is in no shape");
    }
}

fn files(folder: &std::path::Path, ending: &str, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
}

#[test]
fn every_file_of_the_repository_fits_its_schema() {
    for (folder, ending, schema) in [
        ("scenarios", ".toml", schema::scenario()),
        ("scripts", "tweaks.toml", schema::tweaks()),
    ] {
        let mut found = Vec::new();
        files(&root().join(folder), ending, &mut found);
        assert!(!found.is_empty(), "{folder} has none");
        for path in found {
            let text = std::fs::read_to_string(&path).expect("a file is text");
            let wrong = problems(&schema, &text);
            assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
        }
    }
}

#[test]
fn what_the_reader_refuses_the_schema_refuses() {
    let scenario = schema::scenario();
    let game = "game = \"g\"\n";
    for wrong in [
        "titel = \"x\"",
        "seed = -1",
        "seed = \"x\"",
        "units.red = [\"scouts\"]",
        "units = [\"scouts a1\"]",
        "slots.red = 3",
        "slots.red = { x = [1] }",
        "dials.x = [1]",
        "dials.a.b = true",
        "rolls.x = [[1, \"a\"]]",
        "answers = \"x\"",
        "expect = [\"\"]",
        "title = \"\"\"a\nb\"\"\"",
    ] {
        let text = format!("{game}{wrong}\n");
        let source = Source::new("it.toml", text.clone());
        assert!(
            rulebench::scenario::file::ScenarioFile::parse(source).is_err(),
            "{wrong}"
        );
        assert!(!problems(&scenario, &text).is_empty(), "{wrong}");
    }
    assert!(!problems(&scenario, "seed = 1").is_empty());
    assert_eq!(problems(&scenario, game), [""; 0]);
    let study = schema::study();
    let target = |target: &str| format!("{game}\ntargets = [\"{target}\"]\n");
    for wrong in [
        "targets = [\"rounds 8 to 12\"]".to_owned(),
        target("rounds about 7"),
        target("rounds 8 to 12") + "games = 0",
        target("rounds 8 to 12") + "agent = [\"greedy\"]",
        format!("{game}\ntargets = []\n"),
        format!("{game}\n[arms.long]\ngames = 4\n"),
    ] {
        assert!(!problems(&study, &wrong).is_empty(), "{wrong}");
    }
    for right in [
        "rounds 8 to 12",
        "first faction wins at most 54 %",
        "scouts: uses of climb at least 0.1",
        "draws <= 12 %",
        "scouts: win share 45..55 %",
    ] {
        assert_eq!(problems(&study, &target(right)), [""; 0], "{right}");
    }
    let tweaks = schema::tweaks();
    assert!(!problems(&tweaks, "[x]\nstate = \"tried\"").is_empty());
    assert!(!problems(&tweaks, "[x]\nstat = \"idea\"").is_empty());
    assert_eq!(
        problems(&tweaks, "[x]\nstate = \"idea\"\ndate = 2026-01-31"),
        [""; 0]
    );
}

#[test]
fn the_schema_has_the_keys_of_the_reader() {
    let schema = schema::scenario();
    let keys: BTreeSet<&str> = schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(k, _)| k.as_str())
        .collect();
    assert_eq!(keys, rulebench::scenario::file::KEYS.iter().copied().collect());
    for (key, about) in schema["properties"].as_object().into_iter().flatten() {
        assert!(
            about["description"].as_str().is_some_and(|d| d.len() > 3),
            "{key}"
        );
        assert!(
            about["examples"].as_array().is_some_and(|e| !e.is_empty()),
            "{key}"
        );
    }
}
