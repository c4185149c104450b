//! Terrain: kinds with scripts of their own, maps with gaps, and what rules and hands may do with them.

use crate::support::Small;
use rulebench::description::change;
use rulebench::kernel::ids::FactionId;
use rulebench::play::Play;
use rulebench::report::Source;
use rulebench::rules::ruleset::LoadOptions;
use rulebench::stage::edit;
use rulebench::stage::run::{self, Overrides};

const GAME: &str = r##"
    fn board() { #{ factions: ["red", "blue"], hexagon: 1, stack: 2 } }
    fn slots() { #{ place: #{ mark: 0 }, unit: #{ tired: false }, faction: #{ ready: false } } }
    fn stats() { #{ move: 3 } }
    fn phases() { [#{ phase: "play", contest: "play", phases: [
        #{ phase: "plan", each: "faction", step: "plan", hidden: true },
        #{ phase: "round", repeat: true, phases: [
            #{ phase: "weather", each: "place", step: "weather" },
            #{ phase: "rest", each: "unit", filters: ["tired"], step: "rest" },
            #{ phase: "orders", each: "faction", filters: ["ready"], step: "order" },
            #{ phase: "moves", turn: "first", step: "activate" },
            #{ phase: "night", each: "game", step: "night" },
        ] },
    ] }] }
    fn plan(side) {}
    fn weather(place) { add(place, "mark", 1, "rain"); }
    fn rest(me) { me.tired = false; }
    fn order(side) { side.ready = false; }
    fn activate(me) { march(me); }
    fn night() { draw("night"); }
"##;

const MUD: &str = r##"
    fn stats() { #{ symbol: "~", depth: 2 } }
    fn weather(here) { base(here); add(here, "mark", here.depth, "mud"); }
"##;

fn game() -> Small {
    Small::new(GAME)
        .with("units/scouts", "fn stats() { #{ symbol: \"Sc\" } }")
        .with("terrain/grass", "fn stats() { #{ symbol: \".\" } }")
        .with("terrain/mud", MUD)
}

/// Two patches of grass, mud between them, and a gap; the hexagon has seven places around b2.
const MAP: &str = r#"
    game = "tiny"
    terrain.grass = "b1 b3"
    terrain.mud = "b2"
    units.red = ["scouts b1"]
    units.blue = ["scouts b3"]
    open = "first"
"#;

fn opened(game: &Small, scenario: &str) -> Result<Play, String> {
    let page = |p: rulebench::report::Problems| p.page(false);
    let workspace = game.workspace();
    let opened = run::open_in(&workspace, &Source::new("it.toml", scenario)).map_err(page)?;
    let ran = run::run(&workspace, &opened, &Overrides::default()).map_err(page)?;
    match ran.problems.into_iter().chain(ran.unmet).next() {
        Some(problem) => Err(page(problem.into())),
        None => Ok(ran.play),
    }
}

/// The lines of the record.
fn played(game: &Small, scenario: &str) -> Result<String, String> {
    let play = opened(game, scenario)?;
    let table = play.table();
    let events = table.events.iter();
    let lines: Vec<String> = events
        .map(|e| rulebench::event_text::line(e, &table.rules, &table.words))
        .collect();
    Ok(lines.join("\n"))
}

fn with_step(body: &str) -> Small {
    game().replaced(
        "scripts/tiny/game.rhai",
        "fn plan(side) {}",
        &format!("fn plan(side) {{ {body} }}"),
    )
}

fn told(result: Result<String, String>) -> String {
    result.err().unwrap_or_else(|| panic!("it is well"))
}

#[test]
fn a_hook_about_a_place_goes_to_its_terrain_and_base_to_the_game() {
    let record = played(&game(), MAP).unwrap_or_else(|page| panic!("{page}"));
    assert!(record.contains("b1  mark 0->1  (by rain, b1)"), "{record}");
    assert!(
        record.contains("b2  mark 0->1  (by rain, b2)\nb2  mark 1->3  (by mud, b2)"),
        "{record}"
    );
    // Places that are gaps have no step.
    assert!(!record.contains("a1") && !record.contains("c2"), "{record}");
}

#[test]
fn stats_of_terrain_are_dials_and_its_script_can_be_patched() {
    let deeper = format!("{MAP}dials.mud.depth = 5");
    let record = played(&game(), &deeper).unwrap_or_else(|page| panic!("{page}"));
    assert!(record.contains("b2  mark 1->6"), "{record}");
    let dry = game().with("variants/drought", "fn mud.weather(here) {}");
    let record = played(&dry, MAP);
    assert!(record.is_ok_and(|r| r.contains("(by mud")));
    let record = played(&dry, &MAP.replace("open =", "variants = [\"drought\"]\nopen ="))
        .unwrap_or_else(|page| panic!("{page}"));
    assert!(
        record.contains("(by rain, b1)") && !record.contains("b2  mark"),
        "{record}"
    );
}

#[test]
fn two_kinds_in_one_place_that_both_have_a_word_must_be_asked_one_by_one() {
    let bog = game().with("terrain/bog", "fn weather(here) {}");
    let both = MAP.replace("open =", "terrain.bog = \"b2\"\nopen =");
    insta::assert_snapshot!(told(played(&bog, &both)));
    // One that says nothing about it is in nobody's way.
    let flowers = game().with("terrain/flowers", "fn stats() { #{ symbol: \"f\" } }");
    let both = MAP.replace("open =", "terrain.flowers = \"b2\"\nopen =");
    assert!(played(&flowers, &both).is_ok_and(|r| r.contains("b2  mark 1->3")));
}

#[test]
fn each_kind_of_a_place_can_be_asked_by_itself() {
    let asks = with_step(
        "for kind in place(\"b2\").terrains { roll(side, \"deep \" + kind.name + \" \" + deep(kind), 1, 6); }",
    );
    let asks = asks.replaced(
        "scripts/tiny/game.rhai",
        "fn night()",
        "fn deep(kind) { 0 } fn night()",
    );
    let asks = asks.replaced(
        "scripts/tiny/terrain/mud.rhai",
        "fn weather",
        "fn deep(kind) { kind.depth } fn weather",
    );
    let both = MAP.replace("\"b1 b3\"", "\"b1 b2 b3\"");
    let record = played(&asks, &both).unwrap_or_else(|page| panic!("{page}"));
    assert!(
        record.contains("deep grass 0") && record.contains("deep mud 2"),
        "{record}"
    );
}

#[test]
fn nobody_walks_over_a_gap_or_comes_to_stand_in_one() {
    let offered = played(
        &game(),
        &MAP.replace(
            "open = \"first\"",
            "answers = [\"!a1\", \"!c1\", \"b2\"]\nopen = \"first\"",
        ),
    );
    assert!(
        offered.as_ref().is_ok_and(|r| r.contains("red.scouts1  b1->b2")),
        "{offered:?}"
    );
    // Without the mud there is no way to the other grass.
    let split = MAP.replace("terrain.mud = \"b2\"", "");
    let stays = played(&game(), &split).unwrap_or_else(|page| panic!("{page}"));
    assert!(stays.contains("stay  (only option)"), "{stays}");
    let page = told(played(
        &with_step("put(unit(\"red.scouts1\"), place(\"a1\"));"),
        MAP,
    ));
    assert!(
        page.contains("nobody can stand in a1: there is no terrain"),
        "{page}"
    );
    let page = told(played(
        &with_step("lift(place(\"b1\"), terrain(\"grass\"));"),
        MAP,
    ));
    assert!(
        page.contains("grass cannot be taken from b1: units stand on it and nothing else is"),
        "{page}"
    );
}

#[test]
fn what_is_laid_in_a_hidden_phase_is_seen_by_its_side_alone() {
    let lays = with_step(
        "if side == first() { lay(place(\"a1\"), terrain(\"grass\")); choose(side, \"x\", [\"a\", \"b\"]); } else { choose(side, \"y\", [\"a\", \"b\"]); }",
    );
    let stop = MAP.replace("open = \"first\"", "answers = [\"a\"]");
    let play = opened(&lays, &stop).unwrap_or_else(|page| panic!("{page}"));
    let at = play.table().rules.board.place("a1").expect("on the board");
    let sees = |faction| {
        !play
            .table()
            .view(Some(FactionId(faction)))
            .world()
            .terrain(at)
            .is_empty()
    };
    assert!(sees(0) && !sees(1));
}

#[test]
fn steps_are_for_those_whose_slot_is_set() {
    let set = MAP
        .replace("scouts b1\"", "scouts b1 tired\", \"scouts b1\"")
        .replace("open =", "slots.blue = { ready = true }\nopen =");
    let record = played(&game(), &set).unwrap_or_else(|page| panic!("{page}"));
    assert!(
        record.contains("rest: red.scouts1") && !record.contains("rest: red.scouts2"),
        "{record}"
    );
    assert!(
        record.contains("orders: blue") && !record.contains("orders: red"),
        "{record}"
    );
    let wrong = GAME.replace("[\"ready\"]", "[\"free\"]");
    assert_eq!(
        game().with("game", &wrong).problems(&[]),
        ["unknown-name(filter, free) at scripts/tiny/game.rhai:10:61"]
    );
}

#[test]
fn a_map_is_carried_to_other_rules_by_the_names_of_its_terrain() {
    let mut play =
        opened(&game(), &MAP.replace("open = \"first\"", "")).unwrap_or_else(|page| panic!("{page}"));
    let more = game().with("terrain/ash", "fn stats() { #{ symbol: \"a\" } }");
    let ruleset = more
        .load(&LoadOptions::default())
        .unwrap_or_else(|p| panic!("{}", p.page(false)));
    play.change_rules(ruleset, "test")
        .unwrap_or_else(|p| panic!("{p:?}"));
    {
        let table = play.table();
        let at = table.rules.board.place("b2").expect("on the board");
        let kinds: Vec<&str> = table
            .world
            .terrain(at)
            .map(|t| table.rules.terrains[t.index()].name.as_str())
            .collect();
        assert_eq!(kinds, ["mud"]);
        assert_eq!(table.world.ground().len(), 3);
    }
    let without = Small::new(GAME)
        .with("units/scouts", "fn stats() { #{} }")
        .with("terrain/grass", "fn stats() { #{} }");
    let ruleset = without
        .load(&LoadOptions::default())
        .unwrap_or_else(|p| panic!("{}", p.page(false)));
    let refused = play.change_rules(ruleset, "test").expect_err("mud lies there");
    assert!(
        refused.message.contains("there is no terrain `mud`"),
        "{refused:?}"
    );
}

#[test]
fn terrain_is_laid_and_lifted_by_hand() {
    let mut play =
        opened(&game(), &MAP.replace("open = \"first\"", "")).unwrap_or_else(|page| panic!("{page}"));
    let mut change = |text: &str| {
        let source = Source::new("input", text);
        let edits = change::parse(&source, ';').map_err(|p| p.page(false))?;
        let done = edit::make(&mut play, &source, &edits, None).map_err(|p| p.page(false))?;
        Ok::<String, String>(done.changes.join("\n"))
    };
    assert_eq!(
        change("lay grass a1; move red.scouts1 a1"),
        Ok("a1  grass laid\nred.scouts1  b1->a1".to_owned())
    );
    assert_eq!(change("lift grass b1"), Ok("b1  grass lifted".to_owned()));
    let pages = [
        "lay grass a1",
        "lift grass a1",
        "lay gras a1",
        "lay grass z9",
        "lay grass",
        "move red.scouts1 b1",
    ];
    let pages: Vec<String> = pages.iter().map(|text| told(change(text))).collect();
    insta::assert_snapshot!(pages.join("\n"));
}

#[test]
fn ground_on_which_a_unit_may_not_stand_is_not_laid_below_it() {
    let deep = game().replaced(
        "scripts/tiny/game.rhai",
        "fn plan(side) {}",
        "fn plan(side) {} fn may_enter(me, place) { \
         for kind in place.terrains { if kind.name == \"mud\" { return \"it is too deep\"; } } true }",
    );
    let mut play =
        opened(&deep, &MAP.replace("open = \"first\"", "")).unwrap_or_else(|page| panic!("{page}"));
    let mut change = |text: &str| {
        let source = Source::new("input", text);
        let edits = change::parse(&source, ';').map_err(|p| p.page(false))?;
        edit::make(&mut play, &source, &edits, None).map_err(|p| p.page(false))
    };
    for text in ["lay mud b1", "lay mud b1; red ready"] {
        let page = change(text).expect_err("somebody stands there");
        assert!(
            page.contains("red.scouts1 may not stand in b1: it is too deep"),
            "{page}"
        );
        assert!(page.contains("move who stands there first"), "{page}");
    }
    // Whoever is moved away in the same breath is in nobody's way.
    assert!(change("lay mud b1; reserve red.scouts1").is_ok());
    assert!(change("lay mud c2").is_ok());
}

#[test]
fn a_terrain_is_not_called_like_a_unit_type() {
    let twice = game().with("terrain/scouts", "fn stats() { #{} }");
    assert_eq!(
        twice.problems(&[]),
        ["repeated-file(scripts/tiny/terrain/scouts.rhai, units/tiny/scouts.rhai)"]
    );
    let colour = game().with("terrain/mud", "fn stats() { #{ colour: \"brown\" } }");
    assert_eq!(
        colour.problems(&[]),
        [
            "wrong-value(`colour`, red, green and blue, such as \"#8fbf6a\") at scripts/tiny/terrain/mud.rhai:1:17"
        ]
    );
}
