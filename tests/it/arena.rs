//! Arenas: dice that are thrown, what is on record of it, results that scenarios state, and what cannot be.

use crate::support::{Copy, Ran, root, run_in_with};
use rulebench::kernel::event::Event;
use rulebench::play::Play;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::{Overrides, lay, open, run};
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
    let workspace = Workspace::at(copy.path(""));
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
    let workspace = Workspace::at(copy.path(""));
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
        "red.cubes1 threw strike: blue.cubes1 at 15.000,20.000 after 0.000 s, board at 15.000,20.000 after 0.000 s, blue.cubes1 off",
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
    let workspace = Workspace::at(copy.path(""));
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
    page("in the same spot", GAME, &unit("cubes 15,20 shows=3"));
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
        "a die that hits itself",
        GAME,
        &thrown("hits red.cubes1; red.cubes1 15,14 shows 1"),
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
    page(
        "two dice in one spot, both of which move",
        GAME,
        &thrown("hits blue.cubes1; red.cubes1 15,19; blue.cubes1 15,19 shows 2"),
    );
    page(
        "a result that hits the board where none is",
        GAME,
        &thrown("hits board@1,1; red.cubes1 15,14"),
    );
    page(
        "a result that hits the board nowhere",
        GAME,
        &thrown("hits board@1; red.cubes1 15,14"),
    );
    page(
        "a number that is too high",
        GAME,
        &THROWN.replace("220 270", "401 270"),
    );
    page(
        "a number that is none",
        GAME,
        &THROWN.replace("220 270", "hardish 270"),
    );
    page(
        "a number with a fraction",
        GAME,
        &THROWN.replace("how hard: 140", "how hard: 37.5"),
    );
    page("no such unit type", GAME, &unit("spheres 15,12"));
    let aimed = |at: &str| {
        GAME.replace(
            "throw_at(die, \"strike\", foe, how)",
            &format!("throw_at(die, \"strike\", {at}, how)"),
        )
    };
    page("aimed off the world", &aimed("spot(99, 5)"), THROWN);
    page("aimed at nothing", &aimed("7"), THROWN);
    page("a side that is none", &how("#{ hard: 100, side: 361 }"), THROWN);
    page(
        "a height that is no number",
        &how("#{ hard: 100, high: \"low\" }"),
        THROWN,
    );
    page("no strength", &how("#{ high: 4 }"), THROWN);
    page("a strength below nothing", &how("#{ hard: -1 }"), THROWN);
    page("a word that is none", &how("#{ hard: 100, hihg: 4 }"), THROWN);
    let board = |arena: &str| GAME.replace("octagon: 30, zones: #{ ring: #{ circle: 24 } }", arena);
    page(
        "numbers that end before they begin",
        &GAME.replace("0..=400", "400..=0"),
        THROWN,
    );
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
            ":edit red.cubes1 shows=3",
            ":units",
            ":edit red.cubes1 angle=30",
            ":force attack",
            ":card red.cubes1",
            ":edit move red.cubes1 20,15",
            &format!(":save {saved}"),
            "= unit(\"red.cubes1\").face",
            ":measure red.cubes1 blue.cubes1",
        ],
    );
    for told in [
        "red.cubes1 cannot lie at 20,15",
        "red.cubes1 15.000,15.000 shows 3",
        "red.cubes1: 15.000,15.000 shows 3",
        "no roll of this game is known so far",
        "15.000,15.000 shows 3->15.000,15.000 shows 3, angle 30",
    ] {
        assert!(ran.flat().contains(told), "{told}: {}", ran.page());
    }
    let again = copy.run(&["run", &saved]);
    assert_eq!(again.status, 0, "{}", again.page());
}

#[test]
fn odds_say_that_throws_are_not_counted_and_sample_them() {
    let open_throw = THROWN.replace(", \"from: 0\"", "");
    let copy = ring(GAME, &open_throw);
    assert_eq!(
        copy.problems(&["odds", "one", "--policy", "first"]),
        ["uncounted-throw(strike)"]
    );
    // As it is typed, under no policy in particular, it is said who answered.
    let ran = copy.run(&["odds", "one", "--sample", "20"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(
        ran.flat().contains("20 samples, choices by `first`"),
        "{}",
        ran.page()
    );
    assert_eq!(copy.run(&["odds", "one", "--sample", "20"]).out, ran.out);
    assert_ne!(
        copy.run(&["odds", "one", "--sample", "20", "--policy", "best"])
            .status,
        0
    );
    let asked = typed(&copy, &[":odds", ":odds --sample 20"]);
    assert!(
        asked.flat().contains("too many results for exact odds"),
        "{}",
        asked.page()
    );
    assert!(
        asked.flat().contains("20 samples, choices by `first`"),
        "{}",
        asked.page()
    );
}

#[test]
fn a_stated_throw_that_no_rule_makes_is_told_by_a_check() {
    let stated =
        |label: &str| format!("{THROWN}throws.{label} = [\"hits board; red.cubes1 15,12 shows 3\"]\n");
    let ran = ring(GAME, &stated("strike")).run(&["check"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    let ran = ring(GAME, &stated("strik")).run(&["check"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    assert!(
        ran.page().contains("there is no throw of `strik`"),
        "{}",
        ran.page()
    );
    assert!(ran.page().contains("did you mean `strike`?"), "{}", ran.page());
}

#[test]
fn what_makes_no_sense_of_thrown_dice_says_so() {
    let unanswered = THROWN.split("answers = [").next().unwrap_or_default();
    let copy = ring(GAME, unanswered);
    let ran = typed(
        &copy,
        &[
            ":reach red.cubes1",
            ":threat red",
            "red.cubes1",
            "blue.cubes1",
            "220",
            ":options",
            ":diff cubes.weight=60",
            "270",
            ":board",
            ":diff cubes.weight=60",
            ":events",
        ],
    );
    let text = ran.flat();
    let unknown = "the result of a throw is not known in advance";
    assert_eq!(text.matches(unknown).count(), 2, "{}", ran.page());
    // What comes of a throw is not told before it is thrown.
    let options = text.split("red chooses from: ").nth(2).unwrap_or_default();
    assert!(
        options.starts_with("0 90 180 270 (or any whole number from 0 to 359)"),
        "{options}"
    );
    // Whoever was moved by a throw has moved last.
    assert!(text.contains("' moved last"), "{}", ran.page());
    let diff = copy.run(&["diff", "one", "--set", "cubes.weight=60"]);
    assert!(diff.status <= 1, "{}", diff.page());
}

#[test]
fn a_number_is_said_and_a_bad_one_is_refused_with_the_range() {
    let copy = ring(
        GAME,
        &THROWN.replace("220 270", "").replace(
            "    \"die: blue.twelves1\", \"at: red.twelves1\", \"how hard: 140\", \"from: 0\",\n",
            "",
        ),
    );
    let ran = typed(
        &copy,
        &[
            "401",
            ":why-not 401",
            ":why-not 37",
            "37.5",
            "-1",
            "how hard 37",
            "from: 359",
        ],
    );
    let text = ran.flat();
    assert!(
        text.contains("(or any whole number from 0 to 400)"),
        "{}",
        ran.page()
    );
    for bad in ["401", "37.5", "-1"] {
        let why = format!("`{bad}` is not offered; offered is any whole number from 0 to 400");
        assert!(text.contains(&why), "{why}\n{}", ran.page());
    }
    assert!(text.contains("37 is offered"), "{}", ran.page());
    assert!(
        text.contains("red chose how hard: 37") && text.contains("red chose from: 359"),
        "{}",
        ran.page()
    );

    // What was said is replayed, and an agent knows of the options alone.
    let said = copy.path("said.toml").display().to_string();
    let played = typed(&copy, &["37", "359", &format!(":save {said}")]);
    let again = copy.run(&["run", &said]);
    assert_eq!(again.status, 0, "{}\n{}", played.page(), again.page());
    assert!(again.out.contains("red chose how hard: 37\n"), "{}", again.page());
    let random = ring(GAME, &THROWN.replace("open = \"stop\"", "open = \"random\"")).run(&["run", "one"]);
    let hard = random
        .out
        .lines()
        .filter_map(|l| l.split_once(" chose how hard: "));
    let hard: Vec<&str> = hard.map(|(_, hard)| hard).collect();
    assert!(
        hard.len() > 2 && hard.iter().all(|h| ["80", "140", "220"].contains(h)),
        "{hard:?}"
    );
}

#[test]
fn a_throw_is_aimed_at_any_spot_of_a_zone() {
    let at = "let foe = choose(side, \"at\", side.foe.units & units(), aims(die, place(\"ring\"), side.units & units()));";
    let game = GAME.replace("let foe = choose(side, \"at\", side.foe.units & units());", at);
    assert_ne!(game, GAME);
    let spot = |spot: &str| {
        THROWN.replace(
            "red.cubes1 blue.cubes1 220 270",
            &format!("die: red.cubes1\", \"at: {spot}\", \"220 270"),
        )
    };
    for (said, told) in [
        ("12.4,7", "red chose at: 12.400,7.000"),
        ("3 toward blue.cubes1", "red chose at: 15.000,15.000"),
        ("2 at 180", "red chose at: 13.000,12.000"),
    ] {
        let copy = ring(&game, &spot(said));
        let ran = copy.run(&["run", "one"]);
        assert_eq!(ran.status, 0, "{}", ran.page());
        assert!(ran.out.contains(told), "{}", ran.page());
        copy.write("again.transcript", &ran.out);
        assert_eq!(copy.run(&["run", "again.transcript"]).out, ran.out);
    }
    for (said, why) in [
        ("10,15.2", "`10,15.2` is not offered: red.twelves1 lies there"),
        ("1,1", "`1,1` is not offered: it is not in ring"),
        (
            "1",
            "offered: blue.cubes1, blue.twelves1, or any spot: `12.4,7`, `3 at 90`, `6 toward NAME`",
        ),
    ] {
        let ran = ring(&game, &spot(said)).run(&["run", "one"]);
        assert_ne!(ran.status, 0, "{}", ran.page());
        assert!(ran.flat().contains(why), "{}", ran.page());
    }
    let copy = ring(
        &game,
        &THROWN
            .replace("red.cubes1 blue.cubes1 220 270", "red.cubes1")
            .replace(
                "    \"die: blue.twelves1\", \"at: red.twelves1\", \"how hard: 140\", \"from: 0\",\n",
                "",
            ),
    );
    let ran = typed(&copy, &[":why-not 10,15.2", ":why-not 9,9", "9,9"]);
    assert!(ran.flat().contains("red.twelves1 lies there"), "{}", ran.page());
    assert!(ran.flat().contains("9,9 is offered"), "{}", ran.page());
    assert!(ran.flat().contains("red chose at: 9.000,9.000"), "{}", ran.page());
}

#[test]
fn a_page_says_what_the_signs_of_a_throw_mean() {
    let text = include_str!("../../examples/ring/scenarios/ring/who-is-driven-out-is-gone.toml");
    let copy = ring(GAME, text);
    let ran = copy.run(&["render", "one", "--html", "--out", "one.html"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    let page = std::fs::read_to_string(copy.path("one.html")).expect("it is written");
    for sign in [
        "a line of dashes (moved: only the ends are known)",
        "an arrow (fell off)",
        "a pale outline (lay there)",
        "a dot with a name (touched first, and by whom)",
        "a small dot (came down on the board)",
    ] {
        assert!(page.contains(sign), "{sign}");
    }
    assert!(!page.contains("a line (way of a die)"));
}

#[test]
fn a_die_that_becomes_another_lies_flat() {
    let act = GAME.find("fn turn(").expect("the game has it");
    let body = act + GAME[act..].find('{').expect("it has a body") + 1;
    let deed = "\n    change_type(unit(\"red.cubes1\"), unit_type(\"twelves\")); print(unit(\"red.twelves2\").face);";
    let game = format!("{}{deed}{}", &GAME[..body], &GAME[body..]);
    let copy = ring(&game, &THROWN[..THROWN.find("answers").expect("it has answers")]);
    let ran = copy.run(&["run", "one", "--boards"]);
    assert!(ran.out.contains("T2 15,12 shows 1"), "{}", ran.page());
}
