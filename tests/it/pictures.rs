//! Pictures from the command line and at the prompt: what is written, and what is refused.

use crate::support::{Copy, Small, root, run_in, said, session as session_of};
use rulebench::kernel::spot::Point;
use rulebench::picture::ground::PaperPoint as OnPaper;
use rulebench::picture::of_play;
use rulebench::picture::story::Span;
use rulebench::picture::svg::{PictureExtent, document};
use rulebench::play::Play;
use rulebench::reach_report;
use rulebench::render::{Style, board};
use rulebench::repl::session::Session;
use rulebench::report::Source;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::{Overrides, open};
use std::collections::BTreeSet;

const CHARGE: &str = "game = \"smalltricks\"
title = \"A charge\"
units.red = [\"mounted c2\", \"archers a1\"]
units.blue = [\"spears c4\", \"cannons f6\"]
answers = [\"red.mounted1 c4 blue.spears1\"]
until = \"second turn\"
open = \"first\"
";

fn copy() -> Copy {
    let copy = Copy::of_rules();
    copy.write("charge.toml", CHARGE);
    copy
}

fn read(copy: &Copy, file: &str) -> Vec<u8> {
    std::fs::read(copy.path(file)).expect("the picture was written")
}

#[test]
fn a_picture_has_the_scenarios_name_unless_another_is_given() {
    let copy = copy();
    let ran = copy.run(&["render", "charge.toml"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.page());
    assert!(ran.out.starts_with("wrote charge.svg ("), "{}", ran.page());
    let svg = String::from_utf8(read(&copy, "charge.svg")).expect("SVG is text");
    for part in [
        "<svg",
        "A charge",
        "data-unit=\"red.mounted1\"",
        "round 1, before second turn",
    ] {
        assert!(svg.contains(part), "{part} is missing");
    }
    // What is pointed out has a picture of its own, and what takes another's place says so.
    let reach = copy.run(&[
        "render",
        "charge.toml",
        "--reach",
        "red.archers1",
        "--at",
        "round 1",
    ]);
    assert!(
        reach
            .out
            .starts_with("wrote charge-at-round-1-reach-red.archers1.svg (")
            && !reach.out.contains("in place of"),
        "{}",
        reach.page()
    );
    assert_eq!(read(&copy, "charge.svg"), svg.as_bytes());
    let again = copy.run(&["render", "charge.toml", "--arrows", "none"]);
    assert!(
        again.out.contains("in place of the one that was there"),
        "{}",
        again.page()
    );
    copy.write("charge.html", "somebody's own page");
    let page = copy.run(&["render", "charge.toml", "--html"]);
    assert_eq!(
        page.out.trim_end(),
        "wrote charge.html, in place of the one that was there; -o FILE names another"
    );
    copy.write("deep/er/notes.txt", "a folder that is there");
    let ran = copy.run(&[
        "render",
        "charge.toml",
        "--out",
        "deep/er/one.png",
        "--scale",
        "2",
    ]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(read(&copy, "deep/er/one.png").starts_with(b"\x89PNG"));
}

#[test]
fn the_same_picture_is_the_same_bytes_and_a_transcript_gives_it_too() {
    let copy = copy();
    for name in ["a.svg", "b.svg", "a.png", "b.png"] {
        assert_eq!(copy.run(&["render", "charge.toml", "--out", name]).status, 0);
    }
    assert_eq!(read(&copy, "a.svg"), read(&copy, "b.svg"));
    assert_eq!(read(&copy, "a.png"), read(&copy, "b.png"));
    copy.write("charge.txt", copy.run(&["run", "charge.toml"]).out);
    assert_eq!(copy.run(&["render", "charge.txt", "--out", "c.svg"]).status, 0);
    assert_eq!(read(&copy, "a.svg"), read(&copy, "c.svg"));
}

#[test]
fn a_moment_on_the_way_is_a_phase_or_an_event() {
    let copy = copy();
    let at = |at: &str| copy.run(&["render", "charge.toml", "--out", "-", "--at", at]);
    let start = at("first turn");
    assert_eq!(start.status, 0, "{}", start.page());
    assert!(start.out.contains("before first turn") && !start.out.contains("class=\"arrow"));
    let ride = at("end of first turn");
    assert!(ride.out.contains("class=\"arrow move\""), "{}", ride.page());
    let event = at("5");
    assert_eq!(event.status, 0, "{}", event.page());
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let copy = copy();
    copy.write("file", "no folder");
    let asked: [&[&str]; 6] = [
        &["chrage"],
        &["charge.toml", "--out", "one.jpg"],
        &["charge.toml", "--out", "one"],
        &["charge.toml", "--out", "file/one.svg"],
        &["charge.toml", "--at", "firts turn"],
        &["charge.toml", "--out", "one.png", "--scale", "0"],
    ];
    let mut pages = String::new();
    for args in asked {
        let ran = copy.run(&[&["render"], args].concat());
        assert_eq!(ran.status, 2, "{args:?} {}", ran.page());
        pages.push_str(&format!("$ rulebench render {}\n{}\n", args.join(" "), ran.err));
    }
    insta::assert_snapshot!(pages);
    let end = "the match is a draw: as many games won";
    for (option, value, problem) in [
        ("--at", "round 99", &*format!("unreached-moment(round 99, {end})")),
        ("--at", "9999", "unknown-name(event, 9999)"),
        ("--arrows", "phases", "unknown-name(span of events, phases)"),
    ] {
        let ran = copy.run(&["render", "charge.toml", option, value, "--json"]);
        assert_eq!(ran.problems(), [problem]);
    }
}

#[test]
fn json_tells_what_is_on_the_picture() {
    let copy = copy();
    let ran = copy.run(&["render", "charge.toml", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(json["file"], "charge.svg");
    let tokens = json["scene"]["tokens"].as_array().expect("a list");
    assert!(
        tokens
            .iter()
            .any(|t| t["name"] == "blue.spears1" && t["life"] == 5),
        "{}",
        ran.out
    );
}

#[test]
fn every_scenario_can_be_drawn() {
    // A few of each kind: those whose names begin with these letters.
    let folder = root().join("scenarios/smalltricks");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .flatten()
        .filter_map(|e| e.file_name().into_string().ok())
        .filter(|n| ["the-", "set-", "two-"].iter().any(|s| n.starts_with(s)))
        .collect();
    names.sort();
    let copy = Copy::of_nothing();
    for name in names.iter().step_by(6) {
        let stem = name.trim_end_matches(".toml");
        let out = copy.path("one.svg").display().to_string();
        let ran = run_in(root(), &["render", stem, "--arrows", "all", "--out", &out]);
        assert_eq!(ran.status, 0, "{name}: {}", ran.page());
    }
}

#[test]
fn whoever_becomes_another_type_by_a_hit_has_hit() {
    let game = r##"
fn board() { #{ factions: ["red", "blue"], squares: [4, 4], engaged: "adjacent" } }
fn slots() { #{ unit: #{ life: #{ start: 3, at_zero: "falls" } } } }
fn falls(me) { remove(me, "slain"); }
fn phases() { [#{ phase: "acts", turn: "first", step: "strike" }] }
fn strike(me) {
    move(me, place("a2"));
    hit(me.foes.first, 1, "strike", me);
    change_type(me, unit_type("champions"), "promotion");
}
"##;
    let copy = Copy::of_nothing();
    copy.write("scripts/knights/game.rhai", game)
        .write("units/knights/squires.rhai", "fn stats() { #{ symbol: \"s\" } }")
        .write(
            "units/knights/champions.rhai",
            "fn stats() { #{ symbol: \"c\" } }",
        )
        .write(
            "scenarios/knights/one.toml",
            "game = \"knights\"\nunits.red = [\"squires a1\"]\nunits.blue = [\"squires a4\"]\n",
        );
    let ran = copy.run(&["render", "one", "--arrows", "all", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.page()));
    let kinds: Vec<_> = told["scene"]["arrows"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|arrow| {
            (
                arrow["kind"].as_str().unwrap_or_default(),
                arrow["unit"].as_str().unwrap_or_default(),
            )
        })
        .collect();
    assert_eq!(
        kinds,
        [("move", "red.champions1"), ("hit", "red.champions1")],
        "{}",
        ran.page()
    );
}

#[test]
fn a_flag_is_true_or_false_everywhere() {
    let copy = Copy::of_rules();
    let stats = "#{ move: 1, range: 0, combat: 2, life: 5 }";
    let flagged = "#{ move: 1, range: 0, combat: 2, life: 5, on_foot: true }";
    copy.replace("scripts/smalltricks/game.rhai", stats, flagged);
    copy.replace(
        "units/smalltricks/mounted.rhai",
        "charge_move: 1 }",
        "charge_move: 1, on_foot: false }",
    );
    let ask = |args: &[&str], expect: &str| {
        let scenario = format!(
            "game = \"smalltricks\"\ntitle = \"Who walks\"\nunits.red = [\"mounted c2\", \"spears a1\"]\n\
             units.blue = [\"spears c5\"]\nexpect = ['{expect}']\n"
        );
        copy.write("walk.toml", scenario);
        let ran = copy.run(&[&["run", "walk.toml"], args].concat());
        assert_eq!(ran.status, 0, "{}", ran.page());
    };
    ask(
        &[],
        "unit(\"red.spears1\").on_foot && !unit_type(\"mounted\").on_foot",
    );
    ask(&[], "types_with(\"on_foot\", false) == [unit_type(\"mounted\")]");
    ask(
        &[],
        "types_with(\"on_foot\", 0).len == 0 && units().total(\"on_foot\") == 2",
    );
    ask(&["--set", "mounted.on_foot=1"], "unit(\"red.mounted1\").on_foot");
    let ran = copy.run(&["run", "walk.toml", "--set", "mounted.on_foot=2"]);
    assert!(ran.err.contains("a whole number from 0 to 1"), "{}", ran.page());
    copy.replace("units/smalltricks/mounted.rhai", "on_foot: false", "on_foot: 0");
    let ran = copy.run(&["check"]);
    let told = "the stat `on_foot` is a number here and true or false in another script";
    assert!(ran.page().contains(told), "{}", ran.page());
}

fn session(scenario: &str) -> (Copy, Session) {
    let copy = Copy::of_rules();
    copy.write("one.toml", scenario);
    let workspace = Workspace::at(copy.path(""));
    let start = copy.path("one.toml").display().to_string();
    let session = Session::new(&workspace, Some(&start), Overrides::default(), Style::default());
    let mut session = session.unwrap_or_else(|p| panic!("{p}"));
    session.greeting();
    (copy, session)
}

const STANDING: &str = "game = \"smalltricks\"
units.red = [\"mounted c2\", \"archers b4\", \"cannons a1\"]
units.blue = [\"spears c4\", \"archers d3\", \"battery_ram c2\"]
open = \"stop\"
";

#[test]
fn reach_marks_where_a_unit_can_go_before_and_while_it_is_activated() {
    let (_copy, mut session) = session(STANDING);
    let before = session.board().text();
    let marked = session.line(":reach red.archers1").print();
    assert!(marked.contains("[b5]") && marked.contains("[c4]"), "{marked}");
    assert!(marked.contains("if its turn came now"), "{marked}");
    // Nothing has happened, and the same question waits.
    assert_eq!(session.board().text(), before);
    session.line("red.archers1");
    let now = session.line(":reach red.archers1").print();
    assert!(
        now.contains("[b5]") && now.ends_with("now") && !now.contains("if its"),
        "{now}"
    );
    let options = session.line(":options").print();
    assert!(options.contains("move") && options.contains("b5"), "{options}");
    // Who is engaged goes nowhere.
    let held = session.line(":reach red.mounted1").print();
    assert!(held.contains("can go nowhere") && !held.contains('['), "{held}");
    // Whose turn it is not is looked at all the same.
    let other = session.line(":reach blue.spears1").print();
    assert!(other.contains("[c5]"), "{other}");
}

#[test]
fn in_the_middle_of_a_step_reach_begins_where_the_unit_stands_now() {
    let mut session = crate::support::started("a-fighter-may-stop-early");
    for line in [":back 1", "red.small1", "move", "161.164,161.164", "move"] {
        session.line(line);
    }
    let world = session.play.table().world.clone();
    let name = session
        .play
        .ruleset()
        .rules
        .parse_unit_name("red.small1")
        .expect("a name");
    let now = world.point(world.find(name).expect("it is there"));
    let found =
        reach_report::reach(&mut session.play, &world, "red.small1").unwrap_or_else(|p| panic!("{p}"));
    let regions = &found.marks.regions;
    assert!(
        !regions.is_empty() && regions.iter().all(|region| Some(region.base().at) == now),
        "{regions:?}"
    );
}

#[test]
fn reach_agrees_with_the_options_that_are_asked() {
    let (_copy, mut session) = session(STANDING);
    session.line(":reach red.cannons1");
    let said = session.line(":reach red.cannons1").print();
    session.line("red.cannons1");
    let keys = session.play.with_question(|a| a.keys()).expect("it is asked");
    for key in keys.iter().filter(|k| *k != "stay" && *k != "a1") {
        assert!(
            said.contains(&format!("[{key}]")),
            "{key} of {keys:?} is missing: {said}"
        );
    }
}

#[test]
fn threat_marks_whom_a_faction_could_hit() {
    let (_copy, mut session) = session(STANDING);
    let red = session.line(":threat red").print();
    insta::assert_snapshot!(red);
    let answers = session.line(":options").print();
    assert!(answers.contains("red activates"), "{answers}");
}

#[test]
fn pictures_are_written_at_the_prompt() {
    let (copy, mut session) = session(STANDING);
    let path = |name: &str| copy.path(name).display().to_string();
    for (line, file) in [
        (format!(":board svg {}", path("a.svg")), "a.svg"),
        (format!(":board png {}", path("b")), "b.png"),
        (format!(":reach red.archers1 {}", path("c.svg")), "c.svg"),
        (format!(":threat blue {}", path("d.svg")), "d.svg"),
    ] {
        let reply = session.line(&line);
        assert!(
            !reply.failed() && reply.print().contains("wrote "),
            "{}",
            reply.print()
        );
        assert!(!read(&copy, file).is_empty());
    }
    let mut pages = String::new();
    for line in [
        ":board x",
        ":board png a.svg",
        ":reach",
        ":reach red.archer1",
        ":reach c4",
        ":threat",
        ":threat rde",
    ] {
        let reply = session.line(line);
        assert!(reply.failed(), "{line}: {}", reply.print());
        pages.push_str(&format!("> {line}\n{}\n", reply.print()));
    }
    insta::assert_snapshot!(pages);
}

#[test]
fn who_moved_last_is_marked_on_the_board_at_the_prompt() {
    let (_copy, mut session) = session(STANDING);
    assert!(!session.board().text().contains('\''));
    session.line("red.archers1");
    session.line("b5");
    let board = session.board().text();
    assert!(
        board.contains("AR'5") && board.contains("'n moved last"),
        "{board}"
    );
    session.line("red.cannons1");
    session.line("a2");
    let board = session.board().text();
    assert!(board.contains("CA'5") && board.contains("AR:5"), "{board}");
}

#[test]
fn boards_of_full_hexagons_keep_to_eighty_columns() {
    // Four units in every hexagon of six by six cannot be: there are 64 at most. Sixteen hexagons are full.
    let places = [
        "a1", "b2", "c3", "d4", "e5", "f6", "c4", "d3", "a6", "f1", "b5", "e2", "c1", "d6", "a3", "f4",
    ];
    let line = |kinds: [&str; 2]| -> String {
        let units = places.iter().flat_map(|p| kinds.map(|k| format!("\"{k} {p}\"")));
        units.collect::<Vec<_>>().join(", ")
    };
    let scenario = format!(
        "game = \"smalltricks\"\nunits.red = [{}]\nunits.blue = [{}]\nopen = \"stop\"\n",
        line(["archers", "spears"]),
        line(["cannons", "mounted"])
    );
    let (_copy, mut session) = session(&scenario);
    let board = session.board().text();
    assert!(board.lines().all(|l| l.chars().count() <= 80), "{board}");
    assert!(!board.contains('+'), "somebody is left out: {board}");
    insta::assert_snapshot!(board);
    session.face.style.colour = true;
    session.face.style.ascii = false;
    insta::assert_snapshot!(session.board().text().replace('\u{1b}', "^"));
    session.face.columns = Some(60);
    let narrow = session.board().text();
    session.face.columns = Some(40);
    let list = session.board().text();
    insta::assert_snapshot!(format!("{narrow}\n\n\n{list}").replace('\u{1b}', "^"));
}

#[test]
fn threat_counts_what_steps_do_and_not_only_whom_they_name() {
    // Muskets fire at a whole column and name nobody; in a combat the place has the step.
    let (_copy, mut session) = session(
        "game = \"smalltricks\"
units.red = [\"muskets e1\", \"cannons c2\"]
units.blue = [\"aerial e5\", \"battery_ram c2\", \"spears f5\"]
open = \"stop\"
",
    );
    let red = session.line(":threat red").print();
    let hit = "red can hit blue.aerial1, blue.battery_ram1";
    assert!(red.lines().any(|l| l == hit), "{red}");
    let blue = session.line(":threat blue").print();
    assert!(blue.contains("blue can hit red.cannons1\n"), "{blue}");
}

#[test]
fn nothing_secret_is_reached_or_threatened() {
    let secret = "game = \"smalltricks\"
dials.faction_size = 2
answers = [\"cannons assault_beasts battery_ram archers spears\", \"muskets aerial militia archers militia\", \"a1 b1\"]
open = \"stop\"
";
    let (copy, mut session) = session(secret);
    let before = session.board().text();
    assert!(session.line(":reach red.archers1").failed());
    let told = [
        session.line(":threat red").print(),
        session.line(":threat blue").print(),
    ];
    for told in told {
        assert!(
            told.contains("can hit nobody") && !told.contains("AR:5"),
            "{told}"
        );
    }
    let path = copy.path("secret.svg").display().to_string();
    assert!(!session.line(&format!(":board svg {path}")).failed());
    let svg = String::from_utf8(read(&copy, "secret.svg")).expect("SVG is text");
    assert!(svg.contains("as blue sees it") && !svg.contains("red.archers1"));
    assert_eq!(session.board().text(), before);
}

#[test]
fn looking_ahead_leaves_the_game_as_it_would_have_been() {
    let play = |looks: bool| {
        let (_copy, mut session) = session(STANDING);
        for _ in 0..12 {
            if looks {
                session.line(":threat red");
                session.line(":reach blue.spears1");
            }
            session.line(":auto 3");
        }
        session.line(":undo 2");
        session.line(":threat blue");
        session.line(":auto 2");
        session.events(1_000)
    };
    assert_eq!(play(true), play(false));
}

/// Results of dice are shown as chances, the same for every seed: no seed reveals where a unit can go.
#[test]
fn reach_and_threat_do_not_foresee_dice() {
    let told = |seed: u64, line: &str| {
        let (_copy, mut session) = session(&format!(
            "game = \"pocket-tactics\"\nseed = {seed}\nterrain.field = \"g4 g5 g7\"\nterrain.water = \"g6\"\n\
             units.red = [\"footman g5\"]\nunits.blue = [\"footman g7\"]\nopen = \"stop\"\n"
        ));
        session.line(line).print()
    };
    for line in [":reach red.footman1", ":threat red"] {
        let all: Vec<String> = (1..=8).map(|seed| told(seed, line)).collect();
        assert!(all.iter().all(|one| *one == all[0]), "{all:#?}");
        assert!(all[0].contains("go to g4, g6"), "{}", all[0]);
        assert!(all[0].contains("with a chance of 2/3 (66.67 %)"), "{}", all[0]);
        assert!(!all[0].contains("in g4 the dice"), "{}", all[0]);
    }
}

/// A small game of squares in which red's unit attacks, and what `:reach` and `:threat` say of it.
fn told_of_attacks(act: &str, phases: &str, units: &str) -> [String; 2] {
    let game = format!(
        r#"
fn board() {{ #{{ factions: ["red", "blue"], squares: [5, 2] }} }}
fn slots() {{ #{{ unit: #{{ life: #{{ start: 1, at_zero: "dies" }} }} }} }}
fn dies(me) {{ remove(me, "death"); }}
fn phases() {{ [{phases}] }}
{act}
"#
    );
    let small = Small::new(&game).with("units/men", "fn stats() { #{} }\n").with(
        "scenarios/it",
        &format!("game = \"tiny\"\nopen = \"stop\"\n{units}"),
    );
    let mut session = session_of(&small.workspace(), "it");
    [":reach red.men1", ":threat red"].map(|line| said(&mut session, line))
}

const FIRST: &str = r#"#{ phase: "p", turn: "first", step: "act" }"#;

/// A foe retreats within the step, and the dice decide whether the attacker comes after it.
fn pursuit(retreats: &str) -> String {
    format!(
        r#"fn act(me) {{
    let foe = choose(me, "target", me.foes);
    put(foe, choose(foe, "retreat", {retreats}), "retreat");
    if roll(me, "pursuit", 1, 6).total > 4 && choose(me, "advance", ["stay", "advance"]) == "advance" {{
        put(me, place("c1"), "advance");
    }}
}}"#
    )
}

const MET: &str = "units.red = [\"men b1\", \"men a1\"]\nunits.blue = [\"men c1\"]\n";

#[test]
fn behind_a_foes_answer_there_is_more_to_reach() {
    let [reach, threat] = told_of_attacks(&pursuit(r#"[place("d1"), place("e1")]"#), FIRST, MET);
    for part in [
        "red.men1 can go to c1 if its turn came now",
        "c1 is reached with a chance of 1/3 (33.33 %), as the dice fall",
        "others are asked on the way",
    ] {
        assert!(reach.contains(part), "{part} is missing: {reach}");
    }
    assert!(
        threat.contains("go to c1") && !threat.contains("aim at"),
        "{threat}"
    );
    assert!(threat.contains("others are asked on the way"), "{threat}");
}

#[test]
fn a_foe_that_may_pick_a_unit_may_pick_another() {
    let pinned = r#"fn act(me) {
    if choose(me.owner.foe, "pin", me.owner.units, "nobody") == me { return; }
    put(me, choose(me, "to", [place("d1"), place("e1")]), "march");
}"#;
    let [reach, _] = told_of_attacks(pinned, FIRST, MET);
    assert!(
        reach.contains("d1") && reach.contains("e1") && reach.contains("others are asked on the way"),
        "{reach}"
    );
}

#[test]
fn a_foes_only_way_back_is_no_place_to_aim_at() {
    let [reach, threat] = told_of_attacks(&pursuit(r#"[place("d1")]"#), FIRST, MET);
    for told in [reach, threat] {
        assert!(told.contains("go to c1") && !told.contains("d1\n"), "{told}");
        assert!(!told.contains("aim at") && !told.contains("standing"), "{told}");
        assert!(!told.contains("others are asked"), "{told}");
    }
}

#[test]
fn what_moves_in_steps_of_the_game_is_not_said_to_be_harmless() {
    let act = "fn act(me) { choose(me, \"wait\", [1, 2]); }\n\
               fn prowl() { for me in second().units { put(me, place(\"e1\")); } }";
    let game =
        r#"#{ phase: "p", turn: "second", step: "act" }, #{ phase: "prowl", each: "game", step: "prowl" }"#;
    let [reach, threat] = told_of_attacks(act, game, MET);
    for (told, who) in [(reach, "red.men1"), (threat, "red")] {
        let said =
            format!("{who} has no step of its own now; what steps of the game do with it was not looked at");
        let words: Vec<&str> = told.split_whitespace().collect();
        assert!(words.join(" ").contains(&said), "{told}");
    }
    // Who has steps of its own is looked at in those.
    let [reach, _] = told_of_attacks(act, &game.replace("second", "first"), MET);
    assert!(!reach.contains("steps of the game"), "{reach}");
}

/// The picture of a board of squares with these kinds of terrain, each with its stats.
fn picture_of(board: &str, terrain: &[(&str, &str)]) -> String {
    let game = format!(
        r#"
fn board() {{ #{{ factions: ["red", "blue"], cells: "squares", {board} }} }}
fn phases() {{ [{FIRST}] }}
fn act(me) {{ }}
"#
    );
    let small = Small::new(&game).with("units/men", "fn stats() { #{} }\n").with(
        "scenarios/it",
        &format!("game = \"tiny\"\nopen = \"stop\"\n{MET}"),
    );
    let stats = |stats: &str| format!("fn stats() {{ #{{ {stats} }} }}\n");
    let small = terrain.iter().fold(small, |small, (name, said)| {
        small.with(&format!("terrain/{name}"), &stats(said))
    });
    let mut session = session_of(&small.workspace(), "it");
    let scene = of_play(&mut session.play, Span::None);
    document(&scene, PictureExtent::Whole).0.replace('\n', "")
}

#[test]
fn what_stands_on_dark_ground_is_light() {
    let dark = picture_of(
        r##"map: ["...", "#.."], legend: #{ ".": "floor", "#": "wall" }, zones: #{ lair: "." }"##,
        &[
            ("floor", r##"symbol: ".", colour: "#dddddd""##),
            ("wall", r##"symbol: "#", colour: "#555555""##),
        ],
    );
    let fill = |word: &str| {
        let (before, _) = dark.split_once(&format!(">{word}<")).expect("it is written");
        let (_, tag) = before.rsplit_once('<').expect("in a tag");
        let (_, fill) = tag.split_once("fill=\"").expect("it has a colour");
        fill[..7].to_owned()
    };
    assert_eq!(
        (fill("a1"), fill("b1")),
        ("#ffffff".to_owned(), "#222222".to_owned())
    );
    assert_eq!(fill("wall"), "#ffffff");
}

#[test]
fn a_zone_of_each_side_ends_in_its_colours() {
    let zones = picture_of(
        r##"map: ["...", "...", "..."], legend: #{ ".": "floor" },
            zones: #{ home: #{ red: ["a1"], blue: ["c3"] }, lair: ["b2"] }"##,
        &[("floor", r##"symbol: ".", colour: "#dddddd""##)],
    );
    let inks = |dashes: &str| -> BTreeSet<String> {
        let lines = zones
            .split("<line")
            .filter(|line| line.contains(&format!("stroke-dasharray=\"{dashes}\"")));
        let ink = |line: &str| line.split("stroke=\"").nth(1).map(|ink| ink[..7].to_owned());
        lines.filter_map(ink).collect()
    };
    // Of the one each side has its own, the other is for all.
    assert_eq!((inks("7 4").len(), inks("2 3").len()), (2, 1), "{zones}");
}

#[test]
fn each_zone_has_a_line_of_its_own() {
    let zones = picture_of(
        r#"map: ["x..y", "...."], legend: #{ ".": "floor" }, zones: #{ lair: "x", shrine: "y" }"#,
        &[("floor", "symbol: \".\"")],
    );
    let dashes = |told: &str| zones.matches(&format!("stroke-dasharray=\"{told}\"")).count();
    // Each on the board and in the legend.
    assert!(dashes("7 4") > 1 && dashes("2 3") > 1, "{zones}");
}

#[test]
fn kinds_of_terrain_of_one_colour_show_their_symbols() {
    let belts = |colour: &str| {
        picture_of(
            r#"map: ["><..", "...."], legend: #{ ".": "floor", ">": "belt_e", "<": "belt_w" }"#,
            &[
                ("floor", "symbol: \".\""),
                ("belt_e", r##"symbol: "{", colour: "#cccc55""##),
                ("belt_w", &format!(r#"symbol: "}}", colour: "{colour}""#)),
            ],
        )
    };
    let signs = |svg: &str| [svg.matches(">{<").count(), svg.matches(">}<").count()];
    assert_eq!(signs(&belts("#CCCC55")), [2, 2]);
    // Colours tell them apart otherwise.
    assert_eq!(signs(&belts("#55cccc")), [0, 0]);
}

fn point(x: i32, y: i32) -> Point {
    Point { x, y }
}

/// A game of dice as a scenario leaves it.
fn thrown(scenario: &str) -> Play {
    let opened = open(&Source::new("test.toml", scenario)).expect("it is a scenario");
    let ran = rulebench::stage::run::run(&rulebench::embedded::games(), &opened, &Overrides::default());
    let ran = ran.expect("it can be played");
    assert!(ran.problems.is_empty(), "{:?}", ran.problems);
    ran.play
}

/// One die is thrown hard at another that lies near the edge.
const OVER_THE_EDGE: &str = r#"game = "smashdodes"
title = "Over the edge"
dials = { aim_error = 0, strength_error = 0, hard = 350 }
units.red  = ["d8_ 36,25 shows=8", "d20_ 12,34 shows=20"]
units.blue = ["d8_ 44.5,25 shows=7 angle=20", "d20_ reserve", "d4_ 12,18 shows=4"]
answers = ["die: red.d8_1", "target: blue.d8_1", "strength: hard", "from: middle"]
open = "stop"
"#;

#[test]
fn dice_are_drawn_as_their_solids_on_the_true_outline_of_the_board() {
    let mut play = thrown(&OVER_THE_EDGE.replace("answers = ", "# "));
    let scene = of_play(&mut play, Span::None);
    let table = scene.table.as_ref().expect("it has a size");
    assert_eq!(table.edge.len(), 8, "an octagon");
    assert!(
        table.edge.contains(&table.at(point(50_000, 35_355))),
        "{:?}",
        table.edge
    );
    let names: Vec<&str> = scene.cells.iter().map(|cell| cell.name.as_str()).collect();
    assert_eq!(names, ["bounds", "target"]);
    assert_eq!(scene.cells[0].outline.len(), 8);
    let world = &play.table().world;
    for (unit, faces) in [("red.d8_1", 4), ("red.d20_1", 10), ("blue.d4_1", 3)] {
        let die = scene
            .token(unit)
            .and_then(|token| token.die.as_ref())
            .expect("a die");
        let name = play.ruleset().rules.parse_unit_name(unit).expect("a name");
        let (own, pose) = (
            play.ruleset().rules.die(name.kind).expect("a die"),
            world.find(name).and_then(|id| world.pose(id)).expect("it lies"),
        );
        let view = own.view(pose.turn);
        assert_eq!((die.faces.len(), view.faces.len()), (faces, faces), "{unit}");
        let far = |[x, y]: [i32; 2]| (table.length(x), -table.length(y));
        for (drawn, is) in die.outline.iter().zip(&view.outline) {
            let (x, y) = far(*is);
            assert!((drawn.x - x).abs() < 0.01 && (drawn.y - y).abs() < 0.01, "{unit}");
        }
        assert_eq!(die.outline.len(), view.outline.len(), "{unit}");
        assert_eq!(die.shows, own.shows(pose.turn), "{unit}");
    }
    let (svg, _) = document(&scene, PictureExtent::Whole);
    assert_eq!(svg.matches("class=\"token die\"").count(), 4, "{svg}");
    assert_eq!(svg.matches("class=\"shows\"").count(), 4);
}

#[test]
fn the_last_throw_is_drawn_as_it_flew() {
    let mut play = thrown(OVER_THE_EDGE);
    let scene = of_play(&mut play, Span::Phase);
    let throw = scene.throw.as_ref().expect("a die was thrown");
    let [own, other] = throw.flights.as_slice() else {
        panic!("two dice moved: {:?}", throw.flights);
    };
    assert_eq!(
        (own.unit.as_str(), other.unit.as_str()),
        ("red.d8_1", "blue.d8_1")
    );
    let table = scene.table.as_ref().expect("it has a size");
    let lay = table.at(point(44_500, 25_000));
    assert_eq!(other.before.as_ref().map(|before| before.0), Some(lay));
    assert!(other.line[0].distance(lay) < 1.0, "{:?}", other.line);
    assert!(own.off && other.off && !own.stated && !other.stated);
    let right = table.at(point(50_000, 25_000)).x;
    assert!(
        other.line.last().is_some_and(|end| end.x > right),
        "{:?}",
        other.line
    );
    let on_paper = |at: &OnPaper| at.x < scene.width && at.y < scene.height;
    let ways = [&own.line, &other.line];
    assert!(
        ways.iter().all(|way| way.len() > 2 && way.iter().all(on_paper)),
        "{ways:?}"
    );
    let by = |label: &str, side: usize| Some((label.to_owned(), side));
    assert!(
        throw.touches.iter().any(|touch| touch.by == by("8", 0)),
        "{:?}",
        throw.touches
    );
    assert!(
        scene.arrows.is_empty(),
        "the way stands for them: {:?}",
        scene.arrows
    );
    // A picture that stands by itself need not be played; a page has all that it takes.
    let (whole, board) = (
        document(&scene, PictureExtent::Whole).0,
        document(&scene, PictureExtent::Board).0,
    );
    assert!(!whole.contains("<metadata>") && board.contains("<metadata>"));
    assert_eq!(board.matches("class=\"before\"").count(), 2);
    assert_eq!(board.matches("class=\"flight off\"").count(), 2);
}

#[test]
fn a_throw_of_a_record_is_drawn_anew_and_one_that_is_not_thrown_so_any_more_by_its_ends() {
    let copy = Copy::of_nothing();
    copy.write("edge.toml", OVER_THE_EDGE);
    let record = run_in(root(), &["run", &copy.path("edge.toml").display().to_string()]).out;
    let flights = |record: &str| {
        copy.write("edge.transcript", record);
        let file = copy.path("edge.transcript").display().to_string();
        let out = copy.path("edge.svg").display().to_string();
        let ran = run_in(root(), &["render", &file, "--json", "--out", &out]);
        assert_eq!(ran.status, 0, "{}", ran.page());
        let told: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
        told["scene"]["throw"]["flights"].clone()
    };
    let flown = flights(&record);
    assert_eq!(flown[1]["stated"], false, "{flown}");
    // Somebody else's engine brought about the same a little later.
    let late = record
        .lines()
        .find(|line| line.contains(" threw attack: "))
        .expect("a throw");
    let (before, after) = late.rsplit_once(" after ").expect("it took some time");
    assert!(after.ends_with(" s"), "{late}");
    let other = flights(&record.replace(late, &format!("{before} after 9.999 s")));
    assert_eq!(other[1]["stated"], true, "{other}");
    assert_eq!(other[1]["off"], true, "{other}");
    assert!(
        other[1]["line"].as_array().is_some_and(|line| line.len() < 5),
        "{other}"
    );
}

#[test]
fn an_arena_is_drawn_as_text_to_scale_with_faces_and_owners() {
    let play = thrown(OVER_THE_EDGE);
    let table = play.table();
    let drawn = |low| {
        let style = Style {
            low,
            ..Style::default()
        };
        board(&table.rules, &table.world, &style)
    };
    for (low, lines) in [(false, 36), (true, 18)] {
        let text = drawn(low);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.lines().count() <= lines, "{text}");
        for told in ["r20=20", "b4=4", "bounds", "cm"] {
            assert!(text.contains(told), "{told}\n{text}");
        }
    }
    insta::assert_snapshot!(format!("{}\n\n{}", drawn(false), drawn(true)));
}
