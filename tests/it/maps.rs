//! Maps of tiles: a small game in which two sides lay a map, choose where they come in and walk, drawn
//! at the prompt, in transcripts, as pictures and on the replay page.

use crate::browser::Browser;
use crate::support::Copy;
use rulebench::render::Style;
use rulebench::repl::session::Session;
use rulebench::report::Source;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::Overrides;
use rulebench::transcript::Transcript;

const GAME: &str = r##"
fn board() { #{ factions: ["red", "blue"], hexagon: 3, engaged: "same place", stack: 2 } }
fn stats() { #{ life: 2, move: 2 } }
fn slots() { #{
    unit: #{ life: #{ start: 0, at_zero: "death" } },
    faction: #{ gate: #{ holds: "place", quiet: false } },
} }
fn phases() { [
    #{ phase: "play", contest: "game", phases: [
        #{ phase: "map", setup: true, each: "game", step: "lay_map" },
        #{ phase: "muster", setup: true, each: "faction", step: "muster" },
        #{ phase: "round", repeat: true, phases: [
            #{ phase: "arrival", each: "faction", step: "arrive" },
            #{ phase: "march", turn: "first", step: "walk_on" },
        ] },
    ] },
] }
fn lay_map() {
    lay(middle(), terrain("land"));
    let side = first();
    for nth in 0..9 {
        let near = no_places();
        for laid in places() - gaps() { near = near | laid.adjacent; }
        let here = choose(side, "lays land", near & gaps());
        lay(here, terrain("land"));
        if nth == 2 { lay(here, terrain("wood")); }
        if nth == 5 { lay(here, terrain("fort")); }
        if nth == 7 { lay(here, terrain("fort")); lay(here, terrain("wood")); }
        side = side.foe;
    }
}
fn muster(side) {
    side.gate = choose(side, "gate", rim());
    for nth in 0..3 { enlist(side, unit_type("guards")); }
    enlist(side, unit_type("riders"));
}
fn arrive(side) {
    let waiting = side.reserve;
    if !waiting.is_empty { put(waiting.first, side.gate); }
}
fn walk_on(me) { march(me); }
fn death(me) { remove(me, "death"); }
fn becomes_engaged(me) {}
"##;

/// A workspace with the game.
fn islands() -> Copy {
    let copy = Copy::of_nothing();
    copy.write("scripts/islands/game.rhai", GAME)
        .write(
            "scripts/islands/terrain/land.rhai",
            "fn stats() { #{ symbol: \".\" } }",
        )
        .write(
            "scripts/islands/terrain/wood.rhai",
            "fn stats() { #{ symbol: \"W\", cover: 1 } }\nfn card() { \"Hides who stands in it.\" }",
        )
        .write(
            "scripts/islands/terrain/fort.rhai",
            "fn stats() { #{ symbol: \"F\", colour: \"#d8c8b0\" } }",
        )
        .write("units/islands/guards.rhai", "fn stats() { #{ symbol: \"Gu\" } }")
        .write("units/islands/riders.rhai", "fn stats() { #{ symbol: \"Ri\" } }")
        .write("grow.toml", GROW)
        .write("stand.toml", STAND);
    copy
}

/// A map that grows, tile by tile.
const GROW: &str = "game = \"islands\"\nopen = \"first\"\nuntil = \"round 3\"\n";

/// A finished map.
const STAND: &str = "game = \"islands\"
title = \"Two gates\"
terrain.land = \"d4 d5 d3 c4 c5 e4 e5 d6 c3 e3 d2 b4 f4 f5 b5\"
terrain.wood = \"d5 c3 f5\"
terrain.fort = \"d4 f5 b5\"
units.red = [\"guards b4\", \"riders d4\", \"guards reserve\", \"guards reserve\"]
units.blue = [\"guards f4\", \"riders d4\", \"riders reserve\"]
slots.red.gate = \"b4\"
slots.blue.gate = \"d6\"
open = \"first\"
until = \"round 1\"
";

fn at_the_prompt(copy: &Copy, scenario: &str) -> Session {
    let workspace = Workspace::at(copy.path(""));
    let start = copy.path(scenario).display().to_string();
    let session = Session::new(&workspace, Some(&start), Overrides::default(), Style::default());
    let mut session = session.unwrap_or_else(|p| panic!("{p}"));
    session.greeting();
    session
}

fn written(copy: &Copy, args: &[&str], file: &str) -> String {
    let ran = copy.run(args);
    assert_eq!(ran.status, 0, "{}", ran.page());
    std::fs::read_to_string(copy.path(file)).expect("it was written")
}

#[test]
fn a_transcript_of_a_growing_map_draws_it_and_can_be_read_again() {
    let copy = islands();
    let run = |args: &[&str]| {
        let ran = copy.run(args);
        assert_eq!(ran.status, 0, "{}", ran.page());
        ran.out
    };
    let (plain, drawn) = (run(&["run", "grow.toml"]), run(&["run", "grow.toml", "--boards"]));
    for text in [&plain, &drawn] {
        let read = Transcript::parse(&Source::new("grow.txt", text)).unwrap_or_else(|p| panic!("{p}"));
        assert_eq!(read.print(), plain, "boards are not read");
    }
    insta::assert_snapshot!(drawn);
}

#[test]
fn the_prompt_shows_the_gaps_that_are_offered() {
    let copy = islands();
    copy.write("ask.toml", "game = \"islands\"\n");
    let mut session = at_the_prompt(&copy, "ask.toml");
    session.line("d5");
    let before = session.board().text();
    assert!(
        before.contains("dotted: offered") && before.contains("d3"),
        "{before}"
    );
    session.line("e4");
    insta::assert_snapshot!(session.board().text());
}

#[test]
fn where_the_board_cuts_off_what_could_be_laid_it_says_so() {
    let copy = islands();
    copy.write("ask.toml", "game = \"islands\"\n");
    let mut session = at_the_prompt(&copy, "ask.toml");
    for line in ["d5", "d6"] {
        session.line(line);
        let question = session.question().expect("a site is asked for").text();
        assert!(!question.contains("the board ends"), "{question}");
    }
    session.line("d7");
    insta::assert_snapshot!(session.question().expect("a site is asked for").text());
    let why = session.line(":why-not d8").print();
    assert!(why.contains("`d8` is off the board"), "{why}");
    assert!(why.contains("the columns a to g and the rows 1 to 7"), "{why}");
    // Whoever is asked for ground and not for gaps hears nothing of it.
    for line in ["c6", "e6", "c5", "e5", "c4", "e4"] {
        session.line(line);
    }
    let question = session.question().expect("a gate is asked for").text();
    assert!(
        question.contains("gate") && !question.contains("the board ends"),
        "{question}"
    );
}

#[test]
fn a_board_that_is_full_says_so_where_more_is_to_be_laid() {
    let copy = islands();
    copy.replace("scripts/islands/game.rhai", "hexagon: 3", "hexagon: 1");
    copy.write(
        "fill.toml",
        "game = \"islands\"\nopen = \"first\"\nuntil = \"round 1\"\n",
    );
    let ran = copy.run(&["run", "fill.toml"]);
    let said = "nothing to choose for `lays land`; the board is full, terrain lies in all its 7 places";
    assert!(ran.status == 2 && ran.out.contains(said), "{}", ran.page());
}

#[test]
fn reach_is_marked_on_a_map_and_stays_on_its_ground() {
    let copy = islands();
    let mut session = at_the_prompt(&copy, "stand.toml");
    let marked = session.line(":reach red.guards1").print();
    assert!(marked.contains("[b5]") && marked.contains("[c4]"), "{marked}");
    assert!(!marked.contains("[b3]"), "{marked}");
    insta::assert_snapshot!(marked);
}

#[test]
fn a_picture_has_terrain_gates_and_the_reserve_and_no_gap() {
    let copy = islands();
    let svg = written(&copy, &["render", "stand.toml"], "stand.svg");
    for part in [
        "data-place=\"b4\"",
        "class=\"entry\"",
        "data-side=\"blue\"",
        "class=\"waits\"",
        "guards \u{d7}2",
        "#d8c8b0",
        "fort, wood",
    ] {
        assert!(svg.contains(part), "{part} is missing");
    }
    assert!(!svg.contains("data-place=\"a1\"") && !svg.contains("data-place=\"g4\""));
    // The negative control: without slots there are no gates, without terrain there is no such place.
    copy.write("bare.toml", STAND.replace("slots.", "# slots."));
    let bare = written(&copy, &["render", "bare.toml"], "bare.svg");
    assert!(!bare.contains("class=\"entry\""));
    insta::assert_snapshot!(svg);
}

/// Returns the number of parts of the board that contain this text, for each line of a replay page.
fn lines_with(data: &serde_json::Value, text: &str) -> Vec<usize> {
    let parts = data["parts"].as_array().expect("parts");
    let holds = |nth: &&serde_json::Value| {
        let part = nth.as_u64().and_then(|n| parts.get(n as usize));
        part.and_then(|p| p.as_str()).is_some_and(|p| p.contains(text))
    };
    let lines = data["reels"][0]["lines"].as_array().expect("lines");
    let boards = lines
        .iter()
        .map(|line| line["board"].as_array().expect("a board"));
    boards.map(|board| board.iter().filter(holds).count()).collect()
}

#[test]
fn the_replay_page_grows_the_map_step_by_step() {
    let copy = islands();
    let page = written(&copy, &["render", "grow.toml", "--html"], "grow.html");
    let data = page
        .split_once("id=\"data\">")
        .and_then(|(_, rest)| rest.split_once("</script>"))
        .map(|(json, _)| json.to_owned())
        .expect("the page has data");
    let data: serde_json::Value = serde_json::from_str(&data).expect("it is JSON");
    let cells = lines_with(&data, "data-place");
    assert_eq!((cells.first(), cells.last()), (Some(&0), Some(&10)), "{cells:?}");
    assert!(cells.is_sorted(), "{cells:?}");
    // What was laid last is outlined: after `c2  land laid`, that place alone.
    let fresh: Vec<usize> = lines_with(&data, "class=\"fresh\"");
    assert_eq!(fresh.iter().max(), Some(&1), "{fresh:?}");
    assert_eq!(
        data["reels"][0]["grounds"][2][0], "wood",
        "{}",
        data["reels"][0]["grounds"]
    );
}

#[test]
fn the_page_shows_the_map_as_it_was_at_each_step() {
    let Some(browser) = Browser::start() else { return };
    let copy = islands();
    written(&copy, &["render", "grow.toml", "--html"], "grow.html");
    browser.open(&copy.path("grow.html"));
    let seen = browser.eval(
        r#"(() => {
const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const seen = [];
const board = () => decodeURIComponent(document.getElementById("picture").wanted);
const note = () => seen.push(["cell", "fresh", "entry"].map((c) => board().split(`class="${c}"`).length - 1).join(" "));
note();
for (let i = 0; i < 4; i++) press("ArrowRight");
note();
press("End");
note();
press("Home");
note();
return seen.join(", ");
})()"#,
    );
    assert_eq!(seen, "0 0 0, 1 1 0, 10 0 2, 0 0 0");
}

#[test]
fn the_reference_tells_what_each_kind_of_terrain_does() {
    let copy = islands();
    let sheets = &["sheet", "islands", "--out", "sheets"];
    let reference = written(&copy, sheets, "sheets/islands-reference.html");
    for part in ["Terrain", "Wood", "Hides who stands in it. (cover 1)"] {
        assert!(reference.contains(part), "{part} is missing");
    }
    let cards = written(&copy, sheets, "sheets/islands-cards.html");
    assert!(cards.contains("Riders") && !cards.contains("Wood"));
}
