//! Arenas: dice that are thrown, what is on record of it, results that scenarios state, and what cannot be.

use crate::support::{Copy, Ran, root, run_in_with};
use rulebench::kernel::event::Event;
use rulebench::play::Play;
use rulebench::scenario::run::{Overrides, lay, open, run};
use rulebench::script::workspace::Workspace;
use rulebench::transcript::Transcript;

const GAME: &str = include_str!("../../examples/ring/scripts/ring/game.rhai");
/// Nobody says what comes of the throws: the dice fly.
const THROWN: &str = r#"game = "ring"
title = "A cube is thrown at a cube near the edge of the ring"
about = "Nobody says what comes of it: the dice fly."

units.red = ["cubes 15,12 shows=3", "twelves 10,15 shows=12 angle=20"]
units.blue = ["cubes 15,20 shows=6", "twelves 20,15"]

answers = [
    "red.cubes1 blue.cubes1 220 270",
    "die: blue.twelves1", "at: red.twelves1", "how hard: 140", "from: 0",
]
open = "stop"
"#;

/// The example with this in place of its game and of its scenario.
fn ring(game: &str, scenario: &str) -> Copy {
    let copy = Copy::of_nothing();
    copy.write("scripts/ring/game.rhai", game);
    for name in ["cubes", "twelves"] {
        let text = std::fs::read_to_string(root().join(format!("examples/ring/units/ring/{name}.rhai")));
        copy.write(
            &format!("units/ring/{name}.rhai"),
            text.expect("the unit is there"),
        );
    }
    copy.write("scenarios/ring/one.toml", scenario);
    copy
}

fn typed(copy: &Copy, lines: &[&str]) -> Ran {
    run_in_with(&copy.path(""), &["repl", "one"], &(lines.join("\n") + "\n"))
}

fn throws(play: &Play) -> usize {
    let table = play.table();
    table
        .events
        .iter()
        .filter(|e| matches!(e, Event::Threw { .. }))
        .count()
}

#[test]
fn a_throw_is_on_record_and_its_record_plays_again_without_the_engine() {
    let copy = ring(GAME, THROWN);
    let ran = copy.run(&["run", "one"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert_eq!(ran.out.matches(" threw strike: ").count(), 2, "{}", ran.page());
    copy.write("again.transcript", &ran.out);
    assert_eq!(copy.run(&["run", "again.transcript"]).out, ran.out);

    // What is on record is read: a record that says otherwise is played as it says.
    let (before, line) = ran.out.split_once("red.cubes1 threw strike: ").expect("a throw");
    let (line, after) = line.split_once('\n').expect("a line");
    let told = format!(
        "{before}red.cubes1 threw strike: nothing touched, blue.cubes1 off, still after 1.234 s\n{after}"
    );
    assert_ne!(told, ran.out, "{line}");
    let workspace = Workspace::Folder(copy.path(""));
    copy.write("otherwise.transcript", &told);
    let source = workspace.read("otherwise.transcript").expect("it is there");
    let again = run(
        &workspace,
        &open(&source).expect("it is read"),
        &Overrides::default(),
    )
    .expect("it plays");
    assert!(
        again
            .transcript()
            .print()
            .contains("nothing touched, blue.cubes1 off, still after 1.234 s")
    );
    assert_eq!(throws(&again.play), 2);
}

#[test]
fn what_is_printed_of_a_throw_is_read_again() {
    let copy = ring(GAME, THROWN);
    let workspace = Workspace::Folder(copy.path(""));
    let source = workspace.read("scenarios/ring/one.toml").expect("it is there");
    let ran = run(
        &workspace,
        &open(&source).expect("it is read"),
        &Overrides::default(),
    )
    .expect("it plays");
    let transcript = ran.transcript();
    let text = rulebench::report::Source::new("it.transcript", transcript.print());
    assert_eq!(Transcript::parse(&text).expect("it is read"), transcript);
}

#[test]
fn a_throw_is_the_same_however_often_its_step_runs_again() {
    let copy = ring(GAME, THROWN);
    let whole = typed(&copy, &[":undo 10", "red.cubes1", "blue.cubes1", "220", "270"]);
    let steps = typed(
        &copy,
        &[
            ":undo 10",
            "red.cubes1",
            "blue.cubes1",
            "80",
            ":undo",
            "220",
            "270",
        ],
    );
    let line = |ran: &Ran| {
        let line = ran
            .out
            .lines()
            .rev()
            .find(|l| l.contains("threw strike"))
            .map(str::to_owned);
        line.unwrap_or_else(|| panic!("{}", ran.page()))
    };
    assert_eq!(line(&whole), line(&steps));
}

#[test]
fn a_stated_result_is_what_happens_and_nothing_is_simulated() {
    let text = include_str!("../../examples/ring/scenarios/ring/who-is-driven-out-is-gone.toml");
    let copy = ring(GAME, text);
    let ran = copy.run(&["run", "one"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    for told in [
        "red.cubes1 threw strike: blue.cubes1 at 15.000,20.000 after 0.000 s, board at 15.200,19.000 after 0.000 s, blue.cubes1 off",
        "  red.cubes1  15.000,12.000 shows 3->15.200,19.000 shows 5, pose 15200,19000,800/",
        "  blue.cubes1  removed from reserve  (by out of the ring",
    ] {
        assert!(ran.out.contains(told), "{told}\n{}", ran.page());
    }
    copy.write("again.transcript", &ran.out);
    assert_eq!(copy.run(&["run", "again.transcript"]).out, ran.out);
}

#[test]
fn other_rules_tell_anew_what_comes_of_a_throw() {
    let copy = ring(GAME, THROWN);
    let base = copy.run(&["run", "one"]).out;
    let heavy = copy.run(&["run", "one", "--set", "cubes.weight=60"]).out;
    assert_ne!(base, heavy);
    let workspace = Workspace::Folder(copy.path(""));
    let source = workspace.read("scenarios/ring/one.toml").expect("it is there");
    let opened = open(&source).expect("it is read");
    lay(&workspace, &opened.file, &Overrides::default())
        .map(drop)
        .expect("it is laid");
}

#[test]
fn what_cannot_be_says_where_and_why() {
    let unit = |line: &str| THROWN.replace("cubes 15,12 shows=3", line);
    let thrown = |result: &str| {
        let stated = format!("throws.strike = [\"{result}\"]");
        let answers = THROWN.replace(
            "    \"die: blue.twelves1\", \"at: red.twelves1\", \"how hard: 140\", \"from: 0\",\n",
            "",
        );
        format!("{answers}\n{stated}\n")
    };
    let mut pages = String::new();
    let mut page = |what: &str, game: &str, scenario: &str| {
        let ran = ring(game, scenario).run(&["run", "one"]);
        assert_ne!(ran.status, 0, "{what}\n{}", ran.page());
        pages += &format!("--- {what}\n{}\n", ran.err.trim_end());
    };
    page("no such face", GAME, &unit("cubes 15,12 shows=7"));
    page("no angle", GAME, &unit("cubes 15,12 shows=3 angle=360"));
    page("in another die", GAME, &unit("cubes 15,20.5 shows=3"));
    page("off the board", GAME, &unit("cubes 1,1 shows=3"));
    page("off the world", GAME, &unit("cubes 400,12 shows=3"));
    page(
        "in the board",
        GAME,
        &unit("cubes 15,12 pose=15000,12000,100/32767,0,0,0"),
    );
    page(
        "in the air",
        GAME,
        &unit("cubes 15,12 pose=15000,12000,9000/32767,0,0,0"),
    );
    page(
        "no rotation",
        GAME,
        &unit("cubes 15,12 pose=15000,12000,800/32767,32767,0,0"),
    );
    page(
        "pose elsewhere",
        GAME,
        &unit("cubes 15,12 pose=16000,12000,800/32767,0,0,0"),
    );
    page(
        "pose and face",
        GAME,
        &unit("cubes 15,12 shows=3 pose=15000,12000,800/32767,0,0,0"),
    );
    page("a result without hits", GAME, &thrown("red.cubes1 15,12"));
    page(
        "a result with a face that is not there",
        GAME,
        &thrown("hits board; red.cubes1 15,14 shows 9"),
    );
    page(
        "a result with somebody unknown",
        GAME,
        &thrown("hits blue.cubes7; red.cubes1 15,14"),
    );
    page(
        "two dice in one spot",
        GAME,
        &thrown("hits blue.cubes1; red.cubes1 15,19.8 shows 1"),
    );
    page(
        "the thrown die is left out",
        GAME,
        &thrown("hits blue.cubes1; blue.cubes1 off"),
    );
    page(
        "a result off the board",
        GAME,
        &thrown("hits nothing; red.cubes1 0.5,0.5"),
    );
    page(
        "a result that is left over",
        GAME,
        &format!(
            "{}\n",
            thrown("hits board; red.cubes1 15,14\", \"hits nothing; red.cubes1 off")
        ),
    );
    let how = |how: &str| GAME.replace("#{ hard: hard, high: 4, side: from, miss: 0.1 * miss }", how);
    page("no strength", &how("#{ high: 4 }"), THROWN);
    page("a strength below nothing", &how("#{ hard: -1 }"), THROWN);
    page("a word that is none", &how("#{ hard: 100, hihg: 4 }"), THROWN);
    let board = |arena: &str| GAME.replace("octagon: 30, zones: #{ ring: #{ circle: 24 } }", arena);
    page("no width", &board("zones: #{ ring: #{ circle: 24 } }"), THROWN);
    page(
        "a zone wider than the board",
        &board("octagon: 30, zones: #{ ring: #{ circle: 31 } }"),
        THROWN,
    );
    page(
        "friction",
        &board("octagon: 30, friction: -5, zones: #{ ring: #{ circle: 24 } }"),
        THROWN,
    );
    let copy = ring(GAME, THROWN);
    for (what, stats) in [
        ("no die", "#{ symbol: \"C\" }"),
        ("a die with 7 sides", "#{ die: 7 }"),
        ("a weight of nothing", "#{ die: 6, weight: 0 }"),
        ("a friction below nothing", "#{ die: 6, friction: -1 }"),
    ] {
        copy.write(
            "units/ring/cubes.rhai",
            format!("// Cubes.\n\nfn stats() {{ {stats} }}\n"),
        );
        let ran = copy.run(&["run", "one"]);
        assert_ne!(ran.status, 0, "{what}\n{}", ran.page());
        pages += &format!("--- {what}\n{}\n", ran.err.trim_end());
    }
    insta::assert_snapshot!("what_cannot_be_in_an_arena", pages);
}

#[test]
fn a_turn_is_taken_back_and_saved_and_a_die_is_edited() {
    let unanswered = THROWN.split("answers = [").next().unwrap_or_default();
    let copy = ring(GAME, unanswered);
    let saved = copy.path("it.toml").display().to_string();
    let ran = typed(
        &copy,
        &[
            ":edit move red.cubes1 15,15",
            ":edit move red.cubes1 20,15",
            &format!(":save {saved}"),
            "= unit(\"red.cubes1\").face",
            ":measure red.cubes1 blue.cubes1",
        ],
    );
    assert!(
        ran.flat().contains("red.cubes1 cannot lie at 20,15"),
        "{}",
        ran.page()
    );
    let again = copy.run(&["run", &saved]);
    assert_eq!(again.status, 0, "{}", again.page());
}

#[test]
fn odds_say_that_throws_are_not_counted_and_sample_them() {
    let open_throw = THROWN.replace(", \"from: 0\"", "");
    let copy = ring(GAME, &open_throw);
    let ran = copy.run(&["odds", "one", "--policy", "first"]);
    assert!(
        ran.flat()
            .contains("a throw (`strike`) comes out in more ways than can be looked at"),
        "{}",
        ran.page()
    );
    assert!(ran.flat().contains("--sample"), "{}", ran.page());
    let ran = copy.run(&["odds", "one", "--policy", "first", "--sample", "20"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
}
