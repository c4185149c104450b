//! Table tops: spots as people say them, what is refused and why, records that play again, and nobody in anybody's way.

use crate::support::{Copy, Ran, refused as refused_at, run_in_with, said, started};
use rulebench::kernel::scene::base_of;
use rulebench::play::{Play, Progress};
use rulebench::render::Style;
use rulebench::repl::session::Session;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::{Overrides, lay, open};

const BOARD: &str = "tabletop: [24, 24], unit: \"inch\", hair: 0.02, pieces: 4, ranges: [2.5]";

const GAME: &str = r##"
    fn stats() { #{ diameter: 1, move: 6 } }
    fn slots() { #{ unit: #{ life: #{ start: 2, at_zero: "dies" } } } }
    fn dies(me) { remove(me, "killed"); }
    fn phases() { [#{ phase: "game", contest: "game", phases: [
        #{ phase: "round", repeat: true, phases: [#{ phase: "acts", turn: "each", step: "act" }] } ] }] }
    fn blocks_movement(here, me) { true }
    fn blocks_sight(here) { true }
    fn act(me) {
        let to = choose(me, "move", walk(me, me.move + 0.5), "stay");
        if to != "stay" { move(me, to); }
        let near = me.foes_within(2.5);
        if !near.is_empty {
            let foe = choose(me, "target", near, "decline");
            if foe != "decline" { hit(foe, if sight(me, foe) == "free" { 2 } else { 1 }, "shot"); }
        }
        if me.owner.foe.units.is_empty { win(me.owner, "nobody is left"); }
    }
"##;

const POSITION: &str = r#"
game = "duel"
title = "Past a wall"
terrain.walls = ["box(10,10,14,11)", "disc(5,5,3)"]
units.red = ["fighters 12,8", "fighters 3,3"]
units.blue = ["fighters 12,13", "fighters 20,20"]
"#;

/// A workspace of two bands on such a table.
fn game(board: &str, position: &str) -> Copy {
    let copy = Copy::of_nothing();
    let board = format!("fn board() {{ #{{ factions: [\"red\", \"blue\"], {board} }} }}");
    copy.write("scripts/duel/game.rhai", format!("{board}\n{GAME}"))
        .write(
            "scripts/duel/terrain/walls.rhai",
            "fn stats() { #{ symbol: \"#\" } }",
        )
        .write("units/duel/fighters.rhai", "fn stats() { #{ symbol: \"F\" } }")
        .write("scenarios/duel/one.toml", position);
    copy
}

fn typed(copy: &Copy, lines: &[&str]) -> Ran {
    run_in_with(&copy.path(""), &["repl", "one"], &(lines.join("\n") + "\n"))
}

#[test]
fn a_spot_is_said_as_people_say_it_and_recorded_in_one_way() {
    let answers = r#"
answers = [
    "red.fighters1", "move: 6 toward 18,8",
    "blue.fighters1", "move: 3 towards 12,23",
    "red.fighters2", "move: !contact blue.fighters1", "move: !24 at 0", "move: 3.5,2",
    "blue.fighters2", "move: stay",
    "red.fighters1", "move: !12,10.5", "move: contact red.fighters2",
]
open = "stop"
"#;
    let copy = game(BOARD, &(POSITION.to_owned() + answers));
    let ran = copy.run(&["run", "one"]);
    assert_ne!(ran.status, 0, "{}", ran.page());
    // It is 13 inches away: told with what would be needed.
    assert!(
        ran.flat()
            .contains("`contact red.fighters2` is not offered: it cannot be reached"),
        "{}",
        ran.page()
    );
    copy.replace(
        "scenarios/duel/one.toml",
        "\"move: contact red.fighters2\"",
        "\"move: 17.5,9\"",
    );
    let ran = copy.run(&["run", "one"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    for line in [
        "red chose move: 18.000,8.000",
        "  red.fighters1  12.000,8.000->18.000,8.000",
        "blue chose move: 12.000,16.000",
        "  red.fighters2  3.000,3.000->3.500,2.000",
        "  red.fighters1  18.000,8.000->17.500,9.000",
    ] {
        assert!(ran.out.lines().any(|l| l == line), "{line}\n{}", ran.page());
    }
    copy.write("again.transcript", &ran.out);
    assert_eq!(copy.run(&["run", "again.transcript"]).out, ran.out);
}

/// Of several who come to one spot at the same time the arbiter says who comes, and those who are not in its way come too.
#[test]
fn who_comes_to_a_spot_that_several_want_is_asked() {
    let copy = Copy::of_nothing();
    copy.write(
        "scripts/rush/game.rhai",
        r#"
        fn board() { #{ factions: ["red", "blue"], tabletop: [24, 24], conflicts: "second" } }
        fn stats() { #{ goal: 12 } }
        fn phases() { [#{ phase: "game", contest: "game", phases: [
            #{ phase: "rush", simultaneous: true, each: "unit", step: "rush" },
            #{ phase: "after", each: "faction", step: "wait" } ] }] }
        fn rush(me) { move(me, spot(me.goal, 12)); }
        fn wait(side) { choose(side, "wait", ["on", "off"]); }
        "#,
    )
    .write(
        "units/rush/runners.rhai",
        "fn stats() { #{ symbol: \"R\", diameter: 1 } }",
    )
    .write(
        "units/rush/strollers.rhai",
        "fn stats() { #{ symbol: \"S\", diameter: 1, goal: 20 } }",
    );
    let position = |first: &str| {
        format!(
            "game = \"rush\"\nunits.red = [\"runners 3,3\", \"strollers 5,20\"]\nunits.blue = [\"runners 20,3\"]\n\
             answers = [\"resolves first: {first}\"]\nopen = \"stop\"\n"
        )
    };
    for (first, moved, stays) in [
        (
            "red.runners1",
            "red.runners1  3.000,3.000->12.000,12.000",
            "blue.runners1  stays in 20.000,3.000",
        ),
        (
            "blue.runners1",
            "blue.runners1  20.000,3.000->12.000,12.000",
            "red.runners1  stays in 3.000,3.000",
        ),
    ] {
        copy.write("scenarios/rush/one.toml", position(first));
        let ran = copy.run(&["run", "one"]);
        assert_eq!(ran.status, 0, "{}", ran.page());
        for line in [
            &format!("blue chose resolves first: {first}"),
            moved,
            stays,
            "red.strollers1  5.000,20.000->20.000,12.000",
        ] {
            assert!(ran.out.contains(line), "{line}\n{}", ran.page());
        }
    }
}

#[test]
fn a_march_goes_to_any_spot_that_is_near_enough() {
    let copy = game(
        BOARD,
        &format!("{POSITION}answers = [\"red.fighters2\", \"move: 2 at 180\"]\nopen = \"stop\"\n"),
    );
    copy.replace(
        "scripts/duel/game.rhai",
        "        let to = choose(me, \"move\", walk(me, me.move + 0.5), \"stay\");\n        if to != \"stay\" { move(me, to); }",
        "        march(me);",
    );
    let ran = copy.run(&["run", "one"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(
        ran.out.contains("red.fighters2  3.000,3.000->1.000,3.000"),
        "{}",
        ran.page()
    );
    let ran = typed(&copy, &[":auto first 2"]);
    assert!(
        ran.out.contains("red chooses move for red.fighters1: 1 stay"),
        "{}",
        ran.page()
    );
}

#[test]
fn a_walk_leads_around_what_a_line_runs_into() {
    let copy = game(BOARD, POSITION);
    let ran = typed(
        &copy,
        &[
            "1",
            "= leap(unit(\"red.fighters1\"), 6).has(spot(12, 12))",
            "= walk(unit(\"red.fighters1\"), 6).has(spot(12, 12))",
            "= walk(unit(\"red.fighters1\"), 9).has(spot(12, 12))",
            ":why-not 12,12",
            ":why-not 12,10.5",
            ":why-not 6 toward blue.fighters1",
        ],
    );
    let flat = ran.flat();
    for told in [
        "false",
        "true",
        "`12,12` is not offered: it is 7.",
        "`12,10.5` is not offered: there is no room: piece1 (walls)",
        "6.5 inch is the most",
    ] {
        assert!(flat.contains(told), "{told}\n{}", ran.page());
    }
}

#[test]
fn a_question_for_a_spot_lists_some_and_says_how_to_say_others() {
    let copy = game(BOARD, POSITION);
    let ran = typed(&copy, &["1", ":options"]);
    let (asked, all) = ran
        .out
        .split_once(" more: `:options`; or `12.4,7`, `3 at 90`, ")
        .unwrap_or_else(|| panic!("{}", ran.page()));
    let more = asked.rsplit('(').next().and_then(|n| n.parse::<usize>().ok());
    let count = 12 + more.expect("a number");
    assert!(asked.contains(" 12 ") && !asked.contains(" 13 "), "{asked}");
    assert!(all.contains(&format!(" {count} ")), "{count}: {all}");
    // The last of all can be taken by its number.
    let taken = typed(&copy, &["1", &count.to_string()]);
    assert!(taken.out.contains("red chose move: "), "{}", taken.page());
}

#[test]
fn a_spot_that_is_mistyped_is_refused_as_a_whole() {
    let copy = game(BOARD, POSITION);
    for (line, why) in [
        ("3 inch toward 8,16", "`3 inch toward 8,16` is no spot: write"),
        ("3 away 8,16", "`3 away 8,16` is no spot"),
        ("3 from blue.fighters1", "`3 from blue.fighters1` is no spot"),
        ("8 11", "`8 11` is no spot: there is a comma in one, `8,11`"),
        ("move: 3 inch toward 8,16", "`3 inch toward 8,16` is no spot"),
    ] {
        let ran = typed(&copy, &["red.fighters1", line, ":options"]);
        assert!(ran.flat().contains(why), "{line}\n{}", ran.page());
        assert!(!ran.out.contains("red chose move"), "{line}\n{}", ran.page());
        assert!(!ran.flat().contains("takes it back"), "{line}\n{}", ran.page());
    }
    // What stands before the spot was meant.
    let ran = typed(&copy, &["red.fighters1 3 inch toward 8,16", ":options"]);
    assert!(ran.flat().contains("is no spot"), "{}", ran.page());
    assert!(
        ran.flat().contains("the answer before it stands"),
        "{}",
        ran.page()
    );
    assert!(ran.out.contains("red> :options"), "{}", ran.page());
    // A number and what is asked next are two answers, as ever.
    let ran = typed(&copy, &["red.fighters1 3 blue.fighters2"]);
    assert!(
        ran.out.contains("blue activates blue.fighters2"),
        "{}",
        ran.page()
    );
}

#[test]
fn a_piece_is_gone_toward_and_a_name_that_nobody_has_leads_to_one() {
    let copy = game(BOARD, POSITION);
    let ran = typed(
        &copy,
        &[
            "red.fighters2",
            "contact piece2",
            "1 toward piece3",
            "1 toward blue.fighter1",
            "0.5 toward piece2",
        ],
    );
    for told in [
        "`piece2` is a piece of terrain, and contact is with units: write `3 toward piece2`",
        "`piece3` stands nowhere on the table; did you mean `piece1`?",
        "`blue.fighter1` stands nowhere on the table; did you mean `blue.fighters1`?",
        // To the right and up as far, toward its middle.
        "red chose move: 3.35",
    ] {
        assert!(ran.flat().contains(told), "{told}\n{}", ran.page());
    }
}

fn opened(copy: &Copy) -> Session {
    let workspace = Workspace::at(copy.path(""));
    let opened = Session::new(&workspace, Some("one"), Overrides::default(), Style::default());
    let mut session = opened.map_err(|p| p.page(false)).expect("it opens");
    session.greeting();
    session
}

#[test]
fn why_a_spot_is_not_offered_is_told_before_its_unit_is_activated_too() {
    let copy = game(BOARD, POSITION);
    let mut session = opened(&copy);
    let asked = |session: &mut Session, what: &str| session.line(&format!(":why-not {what}")).print();
    let spots = ["red.fighters1 1,23", "red.fighters1 12,9.5"];
    let before = spots.map(|spot| asked(&mut session, spot));
    assert!(before[0].contains("is not offered"), "{before:?}");
    session.line("red.fighters1");
    assert_eq!(spots.map(|spot| asked(&mut session, spot)), before);
    // One that is not asked has no spots to be told of.
    let told = asked(&mut session, "blue.fighters1 1,23");
    assert!(!told.contains("nothing is called"), "{told}");
}

#[test]
fn a_spot_that_is_begun_is_completed() {
    let copy = game(BOARD, POSITION);
    let mut session = opened(&copy);
    session.line("red.fighters1");
    let mut words = |line: &str| session.completions(line).words;
    assert!(words("cont").contains(&"contact blue.fighters1".to_owned()));
    assert!(words("6 to").contains(&"6 toward blue.fighters2".to_owned()));
    assert!(words("6 toward pi").contains(&"6 toward piece2".to_owned()));
    assert!(words("6 at 2").contains(&"6 at 270".to_owned()));
    assert!(!words("").iter().any(|word| word.starts_with("contact")));
    // Nobody goes into contact with itself.
    assert!(!words("cont").contains(&"contact red.fighters1".to_owned()));
}

#[test]
fn what_blocks_sight_can_be_named() {
    let sees = |past: &str| format!("sight(unit(\"red.fighters1\"), unit(\"blue.fighters1\"){past})");
    let expect = format!(
        "expect = ['{} == \"hidden\"', '{} == \"free\"', '{} == \"free\"', '{} == \"hidden\"']",
        sees(""),
        sees(", no_places()"),
        sees(", places() - place(\"piece1\")"),
        sees(", no_places() | place(\"piece1\")"),
    );
    let copy = game(BOARD, &format!("{POSITION}\n{expect}"));
    let ran = run_in_with(&copy.path(""), &["run", "one"], "");
    assert_eq!(ran.status, 0, "{}", ran.page());
}

#[test]
fn a_piece_lies_on_the_table_if_only_in_part() {
    let units = "units.red = [\"fighters 20,20\"]\nunits.blue = [\"fighters 12,22\"]";
    for (piece, status) in [("disc(50,50,4)", 2), ("disc(-1,5,4)", 0), ("box(-9,-9,40,2)", 0)] {
        let text = format!("game = \"duel\"\nterrain.walls = [\"{piece}\"]\n{units}\n");
        let copy = game(BOARD, &text);
        let ran = run_in_with(&copy.path(""), &["run", "one"], "");
        assert_eq!(ran.status, status, "{}", ran.page());
        let refused = ran.flat().contains("it lies off the table");
        assert_eq!(status == 2, refused, "{}", ran.page());
    }
}

#[test]
fn distances_sight_and_what_lies_between_are_measured() {
    let copy = game(BOARD, POSITION);
    let ran = typed(
        &copy,
        &[
            ":measure red.fighters1 blue.fighters1",
            ":measure red.fighters1 12,9.5",
            ":measure 8,8 16,8",
            ":measure 0,0 3,4",
            ":measure red.fighters2 piece2",
            ":measure piece2 red.fighters2",
            ":measure 12,9.5 red.fighters1",
            ":measure 12,9.5 piece2",
            ":measure piece2 12,9.5",
            ":measure piece1 piece2",
            ":measure red.fighters1 nobody",
            ":measure -5,0 9,9",
            ":measure red.fighters1",
            ":reach red.fighters1",
            ":threat red",
        ],
    );
    for told in [
        "red.fighters1 to blue.fighters1: 4 inch; by lines of sight alone blue.fighters1 is wholly hidden to red.fighters1; in between: piece1 (walls)",
        "red.fighters1 to 12,9.5: 1 inch",
        "8,8 to 16,8: 8 inch",
        "0,0 to 3,4: 5 inch",
        "red.fighters2 to piece2: 0.829 inch",
        "piece2 to red.fighters2: 0.829 inch",
        "12,9.5 to red.fighters1: 1 inch",
        "12,9.5 to piece2: 6.822 inch",
        "piece2 to 12,9.5: 6.822 inch",
        "piece1 and piece2 cannot be measured",
        "there is no unit or place `nobody`",
        "`-5,0` cannot be measured from: it lies off the table, which is 24 by 24",
        "this command needs two things to measure between",
        "spots that are proposed, and to others within its reach, if its turn came now",
        "red can hit blue.fighters1",
    ] {
        assert!(ran.flat().contains(told), "{told}\n{}", ran.page());
    }
}

#[test]
fn what_is_taken_back_saved_and_edited_stands_where_it_stood() {
    let copy = game(BOARD, POSITION);
    let saved = copy.path("it.toml").display().to_string();
    let save = format!(":save {saved}");
    let ran = typed(
        &copy,
        &[
            "1",
            "3 at 0",
            ":undo",
            "3 at 180",
            ":edit move red.fighters2 3,8.5",
            ":edit move red.fighters2 30,8",
            ":edit move red.fighters2 12,13",
            &save,
            ":units",
        ],
    );
    for told in [
        "red.fighters1 9.000,8.000",
        "red.fighters2 3.000,8.500",
        "red.fighters2 cannot stand at 12.000,13.000: there is no room: blue.fighters1",
        "red.fighters2 cannot stand at 30.000,8.000: its base must lie within 0,0 and 24,24",
    ] {
        assert!(ran.flat().contains(told), "{told}\n{}", ran.page());
    }
    let again = copy.run(&["run", &saved]);
    assert!(again.page().contains("9.000,8.000"), "{}", again.page());
}

#[test]
fn what_cannot_stand_or_lie_there_is_told_where_it_is_written() {
    let copy = game(BOARD, POSITION);
    for (old, new, id, at) in [
        ("fighters 3,3", "fighters 12,10.2", "refused-position", "12,10.2"),
        ("fighters 3,3", "fighters 0.3,3", "refused-position", "0.3,3"),
        ("fighters 3,3", "fighters 99999999,3", "not-a-point", "99999999,3"),
        ("fighters 3,3", "fighters a1", "not-a-point", "a1"),
        ("fighters 3,3", "fighters 3.0001,3", "not-a-point", "3.0001,3"),
        ("disc(5,5,3)", "disc(5,5,-3)", "piece-without-area", "disc(5"),
        (
            "disc(5,5,3)",
            "polygon(1,1,4,4,4,1,1,4)",
            "crossing-outline",
            "polygon",
        ),
        ("disc(5,5,3)", "polygon(1,1,4,4)", "wrong-corner-count", "polygon"),
        (
            "disc(5,5,3)",
            "polygon(1,1,4,4,8,8)",
            "piece-without-area",
            "polygon",
        ),
        ("disc(5,5,3)", "piece9:disc(5,5,3)", "unknown-name", "piece9"),
        ("disc(5,5,3)", "piece1:disc(5,5,3)", "second-outline", "piece1"),
        ("disc(5,5,3)", "a1", "not-an-outline", "a1"),
    ] {
        let position = POSITION.replace(old, new);
        copy.has_problems("scenarios/duel/one.toml", &position, &[(id, at)]);
    }
    let crowded = POSITION.replace("fighters 3,3", "fighters 12.5,8.5");
    let both = [("refused-position", "12,8"), ("refused-position", "12.5,8.5")];
    copy.has_problems("scenarios/duel/one.toml", &crowded, &both);
}

#[test]
fn pieces_are_laid_and_lifted_by_hand() {
    let mut session = started("a-move-may-bend-around-obstacles");
    let told = said(
        &mut session,
        ":edit lay obstacle box(480,480,520,520); lay obstacle disc(600,600,40)",
    );
    assert!(
        told.contains("piece2  obstacle laid\npiece3  obstacle laid"),
        "{told}"
    );
    said(&mut session, ":edit lift obstacle piece2");
    for (change, why) in [
        ("lay obstacle 500,500", "write `disc(x,y,diameter)`"),
        (
            "lay obstacle disc(5000,5000,10)",
            "off the table, which is 900 by 900",
        ),
        ("lay obstacle disc(450,450,5000)", "red.small1 cannot stand at "),
        ("lift obstacle 500,500", "there is no piece `500,500`"),
        (
            "move red.small1 blue.small1",
            "`blue.small1` is a unit, not a place",
        ),
    ] {
        let told = refused_at(&mut session, &format!(":edit {change}"));
        assert!(told.contains(why), "{change}: {told}");
    }
    said(&mut session, "move");
    for spot in ["2.0001,3", "(2,2)"] {
        assert!(refused_at(&mut session, spot).contains("three decimals at most"));
    }
    // What is known of the row is told of its spot.
    assert!(refused_at(&mut session, "800,800 stop").contains("`800,800` is not offered: it is"));
}

#[test]
fn a_table_that_cannot_be_is_told() {
    for (board, problem) in [
        ("tabletop: [24]", "wrong-value(`tabletop`"),
        ("tabletop: [24, 0]", "wrong-value(`tabletop`"),
        ("tabletop: [24, 99999]", "wrong-value(`tabletop`"),
        (
            "tabletop: [24, 24], hexes: [3, 3]",
            "exclusive-keys(hexes, tabletop)",
        ),
        ("tabletop: [24, 24], hair: -1", "wrong-value(`hair`"),
        (
            "tabletop: [24, 24], engaged: \"adjacent\"",
            "wrong-value(`engaged`",
        ),
        ("tabletop: [24, 24], ranges: [-1]", "wrong-value(`ranges`"),
        ("tabletop: [24, 24], measures: [6]", "wrong-value(`measures`"),
        (
            "tabletop: [24, 24], measures: #{ move: 0 }",
            "wrong-value(`measures`",
        ),
        (
            "tabletop: [24, 24], pieces: 999",
            "wrong-value(`pieces`, a number from 0 to 200)",
        ),
        ("tabletop: [24, 24], bases: \"width\"", "missing-part("),
        (
            "hexes: [3, 3], hair: 1",
            "misplaced-key(hair, a board with `tabletop`)",
        ),
        (
            "hexes: [3, 3], engaged: \"base contact\"",
            "wrong-value(`engaged`",
        ),
    ] {
        let copy = game(board, "game = \"duel\"\ntitle = \"x\"\n");
        let problems = copy.run(&["check", "--json"]).problems();
        assert!(problems[0].starts_with(problem), "{board}: {problems:?}");
    }
}

#[test]
fn lengths_are_exact_and_told_as_people_write_them() {
    let copy = game(BOARD, POSITION);
    for (code, said) in [
        ("7.5 + 2", "9.5"),
        ("7.5 * 2", "15"),
        ("2 * 7.5 - 0.001", "14.999"),
        ("7.5 / 2", "3.75"),
        ("7.5 > 7", "true"),
        ("7 <= 6.999", "false"),
        ("3.0 == 3", "true"),
        ("-1.5 < 0", "true"),
        ("999999999999.0 * 9223372036854775", "too large"),
        ("7.5 / 0", "by zero"),
        ("7.5 % 2", "%"),
        ("spot(1, 99999999999)", "beyond every table"),
        ("spot(-16777.216, 2)", "beyond every table"),
        (
            "room(unit(\"red.fighters1\"), -9000000000000000, -9000000000000000, 9000000000000000, 9000000000000000)\
             .has(spot(20, 14))",
            "true",
        ),
        ("walk(unit(\"red.fighters1\"), -3).has(spot(12, 8))", "true"),
        (
            "leap(unit(\"red.fighters1\"), 1000000000000000).spots.len > 4",
            "true",
        ),
        ("leap(unit(\"red.fighters1\"), \"far\")", "a length is a number"),
    ] {
        let ran = typed(&copy, &[&format!("= {code}")]);
        assert!(ran.flat().contains(said), "{code}: {said}\n{}", ran.page());
        assert!(!ran.err.contains("panicked"), "{}", ran.page());
    }
}

/// Whether somebody lies on somebody else, or over the edge.
fn somebody_is_in_the_way(play: &Play) -> bool {
    let table = play.table();
    let (rules, world) = (&table.rules, &table.world);
    let bases: Vec<_> = world
        .on_board()
        .filter_map(|u| base_of(rules, world, u))
        .collect();
    let size = rules.plane().map_or((0, 0), |plane| plane.size);
    let overlapping = |i: usize| bases[..i].iter().any(|other| bases[i].overlaps(*other));
    (0..bases.len()).any(|i| overlapping(i) || !bases[i].is_on_table(size))
}

#[test]
fn however_a_game_goes_nobody_is_in_anybodys_way() {
    for seed in 0..4 {
        let crowded: Vec<String> = (0..8).map(|n| format!("\"fighters {},4\"", 2 * n + 2)).collect();
        let units = format!("units.red = [{}]\n", crowded.join(", "));
        let others = units.replace("red", "blue").replace(",4\"", ",19\"");
        let position = format!(
            "game = \"duel\"\nterrain.walls = [\"box(8,9,16,11)\"]\nseed = {seed}\nopen = \"random\"\n{units}{others}"
        );
        let copy = game(BOARD, &position);
        let workspace = Workspace::at(copy.path(""));
        let opened = open(&workspace.read("scenarios/duel/one.toml").expect("the file"));
        let file = opened.map_err(|p| p.page(false)).expect("a scenario").file;
        let laid = lay(&workspace, &file, &Overrides::default());
        let mut play = laid.map_err(|p| p.page(false)).expect("it is laid").play;
        let source = rulebench::agents::Agent::find("random")
            .expect("the agent")
            .source(seed)
            .expect("it answers at once");
        play.set_source(source);
        let mut steps = 0;
        while play.advance() == Progress::Stepped && steps < 200 {
            steps += 1;
            assert!(!somebody_is_in_the_way(&play), "seed {seed}, step {steps}");
        }
        assert!(steps > 20, "{steps}");
    }
}

#[test]
fn a_table_top_is_drawn_to_scale_and_printed_as_large_as_it_is() {
    let answers = "answers = [\"red.fighters1\", \"move: 6 toward 18,8\"]\nopen = \"stop\"\n";
    let copy = game(BOARD, &(POSITION.to_owned() + answers));
    let ran = copy.run(&["render", "one", "--out", "-"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.page());
    // 720 by 24 inches are 30 to one; a base of one inch is 30 wide, its line inside of it.
    let ruler = 24.0;
    let at = |x: f64, y: f64| format!("translate({} {})", ruler + 30.0 * x, 720.0 - 30.0 * y);
    for (x, y) in [(18.0, 8.0), (3.0, 3.0), (12.0, 13.0), (20.0, 20.0)] {
        assert!(ran.out.contains(&at(x, y)), "{x},{y} {}", ran.out);
    }
    let base = ran
        .out
        .lines()
        .find(|line| line.contains("class=\"base\""))
        .expect("a base");
    let number = |name: &str| -> f64 {
        let value = base
            .split(&format!(" {name}=\""))
            .nth(1)
            .and_then(|v| v.split('"').next());
        value
            .and_then(|v| v.parse().ok())
            .unwrap_or_else(|| panic!("{name} in {base}"))
    };
    // It is drawn in a group that is as small as the unit on it.
    let size = 30.0 / 46.0;
    let across = (2.0 * number("r") + number("stroke-width")) * size;
    assert!((across - 30.0).abs() < 0.05, "{across}");
    for part in ["class=\"arrow move\"", "class=\"table\"", "\ninch\n", "\nwalls\n"] {
        assert!(ran.out.contains(part), "{part} is missing");
    }
    let same = copy.run(&["render", "one", "--out", "-"]);
    assert_eq!(ran.out, same.out);

    let ran = copy.run(&["render", "one", "--true-size", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let wide = json["millimetres"][0].as_f64().expect("a number");
    // 24 inches, the ruler with room for its last number, and the room around both.
    assert_eq!(wide, ((720.0 + 36.0 + 36.0) / 30.0 * 25.4_f64).ceil());
    let svg = std::fs::read_to_string(copy.path("one.svg")).expect("it was written");
    assert!(svg.contains("width=\"670.56mm\""), "{}", &svg[..300]);
}

#[test]
fn the_name_of_a_piece_without_room_for_it_stands_beside_it() {
    let walls = "terrain.walls = [\"box(4,4,9,8)\", \"box(11,14,11.3,19)\", \"box(23.5,10,23.8,13)\"]";
    let position = POSITION.replace("terrain.walls = [\"box(10,10,14,11)\", \"disc(5,5,3)\"]", walls);
    let ran = game(BOARD, &position).run(&["render", "one", "--out", "-"]);
    let name = |piece: &str| {
        let (before, _) = ran
            .out
            .split_once(&format!("\n{piece}\n</text>"))
            .expect("its name");
        let (_, tag) = before.rsplit_once("<text").expect("in a tag");
        let x = tag.split(" x=\"").nth(1).and_then(|x| x.split('"').next());
        let x: f64 = x.and_then(|x| x.parse().ok()).expect("a number");
        ((x - 24.0) / 30.0, tag.contains("#6b6b6b"))
    };
    let [(wide, own_ink), (right, _), (left, faint)] = ["piece1", "piece2", "piece3"].map(name);
    assert!((4.0..9.0).contains(&wide) && !own_ink, "{wide}");
    assert!(right > 11.3 && right < 12.0, "{right}");
    assert!(left > 22.0 && left < 23.0 && faint, "{left}");
}

/// A picture of the position after these answers.
fn drawn(answers: &str, more: &[&str]) -> (Copy, String) {
    let copy = game(
        BOARD,
        &format!("{POSITION}answers = [{answers}]\nopen = \"stop\"\n"),
    );
    let ran = copy.run(&[&["render", "one", "--out", "-"], more].concat());
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.page());
    (copy, ran.out)
}

/// The points of all paths of a picture that are in a group of such a class, in inches from the lower left corner.
fn points(svg: &str, class: &str) -> Vec<(f64, f64)> {
    let group = svg
        .split(&format!("class=\"{class}\""))
        .nth(1)
        .expect("the group");
    let path = group
        .split(" d=\"")
        .nth(1)
        .and_then(|d| d.split('"').next())
        .expect("a path");
    let numbers: Vec<f64> = path
        .split(|c: char| c.is_alphabetic() || c == ' ' || c == ',')
        .filter_map(|n| n.parse().ok())
        .collect();
    numbers
        .chunks(2)
        .map(|p| ((p[0] - 24.0) / 30.0, (720.0 - p[1]) / 30.0))
        .collect()
}

#[test]
fn a_move_is_an_arrow_along_its_way() {
    let far = ["--set", "fighters.move=9"];
    let (_, around) = drawn("\"red.fighters1\", \"move: 12,12\"", &far);
    let way = points(&around, "arrow move");
    assert_eq!(way[0], (12.0, 8.0));
    // The wall is from 10,10 to 14,11, and the base half an inch wide on each side.
    assert!(way.iter().any(|(x, _)| *x < 9.6 || *x > 14.4), "{way:?}");
    let off = |n: f64, low: f64, high: f64| (low - n).max(n - high).max(0.0);
    let beside = |(x, y): &(f64, f64)| off(*x, 10.0, 14.0).hypot(off(*y, 10.0, 11.0)) > 0.49;
    assert!(way.iter().all(beside), "{way:?}");
    let (_, straight) = drawn("\"red.fighters1\", \"move: 18,8\"", &far);
    assert!(
        points(&straight, "arrow move").iter().all(|(_, y)| *y == 8.0),
        "{straight}"
    );
}

#[test]
fn reach_and_ranges_are_shapes_to_scale() {
    let (copy, svg) = drawn("", &["--reach", "red.fighters2"]);
    let area = points(&svg, "over");
    let far = |(x, y): &(f64, f64), at: (f64, f64)| (x - at.0).hypot(y - at.1);
    let reached = area.iter().filter(|p| far(p, (3.0, 3.0)) > 6.4).count();
    assert!(
        reached > 10 && area.iter().all(|p| far(p, (3.0, 3.0)) < 6.52),
        "{area:?}"
    );
    // No base stands where the round piece is, or over the edge: both are left out.
    let beside = area
        .iter()
        .filter(|p| (far(p, (5.0, 5.0)) - 2.0).abs() < 0.03)
        .count();
    assert!(beside > 10, "{area:?}");
    assert!(
        area.iter()
            .all(|p| far(p, (5.0, 5.0)) > 1.98 && p.0 >= 0.49 && p.1 >= 0.49),
        "{area:?}"
    );
    // A base of an inch and 2.5 inches from its edge are 3 from its middle.
    assert!(svg.contains("r=\"90\"") && svg.contains("\n2.5 inch\n"), "{svg}");
    assert!(
        svg.contains("can be reached") && svg.contains("where red.fighters2 can go"),
        "{svg}"
    );
    for part in ["--threat", "--reach"] {
        let ran = copy.run(&["render", "one", part, "nobody"]);
        assert!(
            ran.status == 2 && ran.flat().contains("`nobody`"),
            "{}",
            ran.page()
        );
    }
    let page = copy.run(&[
        "render",
        "one",
        "--reach",
        "red.fighters2",
        "--out",
        "x.html",
        "--json",
    ]);
    assert!(page.problems()[0].starts_with("conflict("), "{}", page.page());
    let event = copy.run(&["render", "one", "--reach", "red.fighters2", "--at", "1", "--json"]);
    assert!(event.problems()[0].starts_with("conflict("), "{}", event.page());
    let threat = copy.run(&["render", "one", "--threat", "red", "--out", "-"]);
    assert_eq!(threat.out.matches("\n2.5 inch\n").count(), 2, "{}", threat.page());
}

#[test]
fn spots_that_are_offered_have_their_numbers_and_what_is_measured_is_drawn() {
    let (copy, svg) = drawn("\"red.fighters1\"", &[]);
    let spots = svg.matches("r=\"6.5\"").count();
    let asked = typed(
        &copy,
        &[
            ":options",
            ":reach red.fighters1 reach.svg",
            ":measure red.fighters1 blue.fighters1 sight.svg",
        ],
    );
    // One of the circles is that of the legend; to stay is no spot.
    assert!(
        asked.out.contains(&format!(" {spots} ")) && !asked.out.contains(&format!(" {} ", spots + 1)),
        "{spots} {}",
        asked.page()
    );
    let svg = |name: &str| std::fs::read_to_string(copy.path(name)).expect("it was written");
    assert!(svg("reach.svg").contains("fill-rule=\"evenodd\"") && !svg("reach.svg").contains("r=\"6.5\""));
    assert!(
        svg("sight.svg").contains("\n4 inch, wholly hidden\n"),
        "{}",
        svg("sight.svg")
    );
    assert!(svg("sight.svg").contains("stroke-dasharray=\"4 3\""));
    let ran = copy.run(&[
        "render",
        "one",
        "--measure",
        "red.fighters2",
        "piece2",
        "--out",
        "-",
    ]);
    assert!(ran.out.contains("\n0.829 inch\n"), "{}", ran.page());
}

#[test]
fn what_is_measured_is_printed_as_long_as_it_is() {
    let measures = "measures: #{ move: 6, \"long shot\": 12 }";
    let copy = game(&format!("{BOARD}, {measures}"), POSITION);
    let ran = copy.run(&["sheet", "duel", "--out", "print"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    let page = std::fs::read_to_string(copy.path("print/duel-measures.html")).expect("it was written");
    assert!(page.contains("<figure><div style=\"height: 152.4mm\"></div><figcaption>move, 6 inch"));
    // The ruler has nine inches of ten ticks.
    assert_eq!(page.matches("style=\"height: 2.54mm\"").count(), 90);
    // What is longer than the page comes in parts.
    for part in ["1 of 2", "2 of 2"] {
        assert!(
            page.contains(&format!("long shot, 12 inch: part {part}")),
            "{page}"
        );
    }
    assert_eq!(page.matches("style=\"height: 152.4mm\"").count(), 3);
    let odd = game(&BOARD.replace("inch", "ell"), POSITION);
    let ran = odd.run(&["sheet", "duel", "--out", "print"]);
    assert!(ran.out.contains("`ell` is no unit"), "{}", ran.page());
}

#[test]
fn a_region_tells_nothing_of_bases_that_one_may_not_see() {
    let answers = r#"
game = "duel"
title = "In secret"
answers = ["deploy: 12,12", "deploy: 12.5,12"]
open = "stop"
"#;
    let copy = game(BOARD, answers);
    copy.replace(
        "scripts/duel/game.rhai",
        "#{ phase: \"round\",",
        "#{ phase: \"set-up\", setup: true, hidden: true, each: \"faction\", step: \"deploy\" }, #{ phase: \"round\",",
    );
    let deploy = "fn deploy(side) {
        for kind in unit_types() { enlist(side, kind); }
        for me in side.reserve { put(me, choose(side, me, \"deploy\", room(me, 0, 0, 24, 24))); }
    }
    fn act(me) {";
    copy.replace("scripts/duel/game.rhai", "fn act(me) {", deploy);
    let ran = copy.run(&["run", "one"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    let flat = ran.flat();
    assert!(
        flat.contains("blue chose deploy for blue.fighters1: 12.500,12.000"),
        "{}",
        ran.page()
    );
    assert!(
        flat.contains("red.fighters1 reserve->12.000,12.000"),
        "{}",
        ran.page()
    );
    assert!(flat.contains("blue.fighters1 stays"), "{}", ran.page());
    // What stands there for all to see is refused.
    copy.replace(
        "scenarios/duel/one.toml",
        "\"deploy: 12,12\", \"deploy: 12.5,12\"",
        "\"deploy: 0,12\"",
    );
    let ran = copy.run(&["run", "one"]);
    assert!(ran.status != 0 && ran.flat().contains("0,12"), "{}", ran.page());
    // From where somebody stands who does not stand yet nothing is far or near.
    for (said, why) in [
        (
            "3 at 45",
            "`3 at 45` is no spot here, as red.fighters1 does not stand yet",
        ),
        (
            "3 toward 12,12",
            "is no spot here, as red.fighters1 does not stand yet",
        ),
        (
            "contact red.fighters1",
            "`red.fighters1` is who moves: name another",
        ),
    ] {
        copy.replace(
            "scenarios/duel/one.toml",
            "\"deploy: 0,12\"",
            &format!("\"deploy: {said}\""),
        );
        let ran = copy.run(&["run", "one"]);
        assert!(ran.status != 0 && ran.flat().contains(why), "{}", ran.page());
        copy.replace(
            "scenarios/duel/one.toml",
            &format!("\"deploy: {said}\""),
            "\"deploy: 0,12\"",
        );
    }
}

#[test]
fn what_has_no_true_size_is_said() {
    let copy = game(BOARD, POSITION);
    let pixels = copy.run(&["render", "one", "--true-size", "--out", "one.png", "--json"]);
    assert!(
        pixels.problems()[0].starts_with("wrong-value(one.png"),
        "{}",
        pixels.page()
    );
    let odd = game(&BOARD.replace("inch", "ell"), POSITION);
    let unit = odd.run(&["render", "one", "--true-size", "--json"]);
    assert_eq!(unit.problems(), ["board-without-size"]);
    let rules = Copy::of_rules();
    rules.write(
        "charge.toml",
        "game = \"smalltricks\"
units.red = [\"mounted c2\"]
units.blue = [\"spears c4\"]
until = \"first turn\"
",
    );
    let board = rules.run(&["render", "charge.toml", "--true-size", "--json"]);
    assert_eq!(board.problems(), ["board-without-size"]);
}

#[test]
fn lengths_are_put_in_order_summed_and_told_apart() {
    let copy = game(BOARD, POSITION);
    let me = "unit(\"red.fighters1\")";
    for (typed_in, says) in [
        (
            &format!("{me}.foes.min_by(|foe| distance({me}, foe))")[..],
            "blue.fighters1",
        ),
        ("[2.5, 1.5, 2].sort_by(|length| length)", "[1.5, 2, 2.5]"),
        ("[1.5, 2, 2.5].sum()", "6"),
        ("max(1.5, 2) + abs(1 - 2.5)", "3.5"),
        ("switch 1.5 + 0.5 { 2 => \"two\", _ => \"else\" }", "two"),
        (
            "switch 7.5 { 0..7 => \"low\", 7..=12 => \"high\", _ => \"else\" }",
            "high",
        ),
        (&format!("room({me}, -5, -5, 99, 99).spots.len > 20")[..], "true"),
    ] {
        let ran = typed(&copy, &[&format!("={typed_in}")]);
        assert!(
            ran.out.lines().any(|line| line == says),
            "{typed_in}: {}",
            ran.out
        );
    }
    for steps in [
        "distance(place(\"piece1\"), place(\"piece2\"))",
        "place(\"piece1\").within(2)",
        "middle()",
    ] {
        let ran = typed(&copy, &[&format!("={steps}")]);
        assert!(
            ran.out.contains("places of a table top do not touch"),
            "{steps}: {}",
            ran.out
        );
    }
}

/// Plays a round in which a unit does this before anything else, and returns the first lines of its activation.
fn done(deed: &str) -> String {
    let first = "open = \"first\"\nuntil = \"end of round 1\"\n";
    let copy = game(BOARD, &(POSITION.replace("20,20", "13,13") + first));
    let big = "fn stats() { #{ symbol: \"B\", diameter: 3 } }";
    copy.write("units/duel/giants.rhai", big);
    let act = "        let to = choose(me, \"move\"";
    copy.replace("scripts/duel/game.rhai", act, &format!("        {deed}\n{act}"));
    let ran = copy.run(&["run", "one"]);
    let page = ran.page();
    let told = page.lines().skip_while(|line| !line.contains(" activates "));
    let told = told.filter(|line| !line.starts_with("---"));
    format!("### {deed}\n{}\n", told.take(4).collect::<Vec<_>>().join("\n"))
}

#[test]
fn nobody_comes_where_no_base_could_be() {
    let deeds = [
        "put(me, place(\"piece2\"));",
        "put(me, place(\"piece4\"));",
        "put(me, place(\"piece1\"), \"x\"); put(me.owner.units.last, place(\"piece1\"));",
        "change_type(me.foes.first, unit_type(\"giants\"));",
        "lay_disc(terrain(\"walls\"), spot(100, 100), 3);",
        "lay(place(\"piece4\"), terrain(\"walls\"));",
        "print(direction(place(\"piece1\"), place(\"piece2\")));",
        "print(directions());",
        "print(in_sight(place(\"piece1\"), place(\"piece2\"), no_places()));",
        "print(way(me, place(\"piece1\")));",
    ];
    insta::assert_snapshot!(deeds.map(done).concat());
    let board = format!("{BOARD}, stack: 2, lines: \"left\", zones: #{{ home: #{{ rows: [1, 1] }} }}");
    let ran = game(&board, POSITION).run(&["check"]);
    insta::assert_snapshot!(ran.page());
}

#[test]
fn a_table_top_has_degrees_and_no_directions() {
    let copy = game(BOARD, POSITION);
    copy.replace(
        "scripts/duel/game.rhai",
        "unit: #{ life",
        "unit: #{ heading: #{ holds: \"direction\" }, life",
    );
    let ran = copy.run(&["check"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    let page = ran.page();
    assert!(page.contains("a table top has no directions"), "{page}");
    let expect = "expect = ['distance(spot(spot(10, 10), 37, 5), spot(10, 10)) <= 5', \
                  'angle(spot(10, 10), spot(spot(10, 10), 37, 5)) == 37', \
                  'spot(spot(2, 2), 450, 1.5) == spot(2, 3.5)']";
    let copy = game(BOARD, &format!("{POSITION}\n{expect}"));
    let ran = run_in_with(&copy.path(""), &["run", "one"], "");
    assert_eq!(ran.status, 0, "{}", ran.page());
}
