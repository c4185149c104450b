//! Grounds: boards of squares, what rules ask about directions, lines and ways, and what is told of boards that
//! cannot be.

use crate::support::{Copy, Ran, root, run_in_with};

/// A game of scouts that walk two steps, and of a wall and mud where the board has them.
const GAME: &str = r##"
    fn stats() { #{ move: 2 } }
    fn phases() { [#{ phase: "round", repeat: true, phases: [
        #{ phase: "first turn", turn: "first", step: "act" },
        #{ phase: "second turn", turn: "second", step: "act" } ] }] }
    fn act(me) { march(me); }
"##;

/// A workspace of that game with this in `board()`, and more functions.
fn game(board: &str, more: &str) -> Copy {
    let copy = Copy::of_nothing();
    let board = format!("fn board() {{ #{{ factions: [\"red\", \"blue\"], {board} }} }}");
    copy.write("scripts/tiny/game.rhai", format!("{board}\n{GAME}\n{more}"))
        .write("units/tiny/scouts.rhai", "fn stats() { #{ symbol: \"Sc\" } }");
    copy
}

/// The same with a scenario of a red scout and a blue one.
fn laid(copy: &Copy) -> &Copy {
    copy.write(
        "scenarios/tiny/it.toml",
        "game = \"tiny\"\ntitle = \"It\"\nunits.red = [\"scouts a1\"]\nunits.blue = [\"scouts c3\"]\n",
    )
}

/// Lays a red scout and a blue one, and asks what these expressions say.
fn says(copy: &Copy, red: &str, blue: &str, expressions: &[(&str, &str)]) {
    let mut scenario = format!("game = \"tiny\"\ntitle = \"It\"\nunits.red = [\"scouts {red}\"]\n");
    scenario += &format!("units.blue = [\"scouts {blue}\"]\nuntil = \"round 1\"\nexpect = [\n");
    for (code, said) in expressions {
        scenario += &format!("'''`${{{code}}}` == \"{said}\"''',\n");
    }
    copy.write("scenarios/tiny/it.toml", scenario + "]\n");
    well(copy.run(&["test", "--first-snapshots"]));
}

fn well(ran: Ran) {
    assert!(
        !ran.page().contains("FAILED") && !ran.page().contains("error"),
        "{}",
        ran.page()
    );
}

/// Checks that `check` refuses such a board, and returns the output.
fn problems(board: &str, more: &str) -> Vec<String> {
    game(board, more).run(&["check", "--json"]).problems()
}

#[test]
fn the_examples_are_well() {
    for entry in std::fs::read_dir(root().join("examples"))
        .expect("a folder")
        .flatten()
        .filter(|entry| entry.path().join("scripts").is_dir())
    {
        let copy = Copy::of_nothing();
        crate::support::copy(&entry.path(), &copy.path("."));
        for command in ["check", "test"] {
            let ran = copy.run(&[command]);
            assert_eq!(ran.status, 0, "{:?}: {}", entry.path(), ran.page());
        }
    }
}

#[test]
fn squares_have_four_neighbours_or_eight() {
    let said = |code, said| (code, said);
    says(
        &game("squares: [9, 5]", ""),
        "c3",
        "i5",
        &[
            said("directions()", "[n, e, s, w]"),
            said("place(\"c3\").adjacent", "[c2, b3, d3, c4]"),
            said("place(\"a1\").distance(place(\"c3\"))", "4"),
            said("walk(unit(\"red.scouts1\"), 1)", "[c2, b3, d3, c4]"),
            said("rim().len", "24"),
            said("direction(place(\"a1\"), place(\"b2\")) == nothing", "true"),
            said("nearest_direction(place(\"a1\"), place(\"b2\"))", "e"),
        ],
    );
    says(
        &game("squares: [9, 5], diagonals: true", ""),
        "c3",
        "i5",
        &[
            said("directions()", "[n, ne, e, se, s, sw, w, nw]"),
            said("place(\"c3\").adjacent", "[b2, c2, d2, b3, d3, b4, c4, d4]"),
            said("place(\"a1\").distance(place(\"c3\"))", "2"),
            said("direction(place(\"a1\"), place(\"b2\"))", "ne"),
            said("turned(\"nw\", 1)", "n"),
            said("middle()", "e3"),
        ],
    );
}

#[test]
fn columns_behind_z_are_named_and_played() {
    says(
        &game("squares: [30, 3]", ""),
        "ab2",
        "z1",
        &[("unit(\"red.scouts1\").place.column", "[ab1, ab2, ab3]")],
    );
    says(
        &game("hexes: [30, 3]", ""),
        "ab2",
        "z1",
        &[("neighbour(place(\"z2\"), \"ne\")", "aa2")],
    );
}

#[test]
fn boards_that_cannot_be_are_told() {
    for (board, problem) in [
        (
            "squares: [0, 3]",
            "wrong-value(`squares`, `[columns, rows]`, two numbers from 1, at most 4096 squares) at scripts/tiny/game.rhai:1:44",
        ),
        (
            "squares: 3",
            "wrong-value(`squares`, `[columns, rows]`, two numbers from 1, at most 4096 squares) at scripts/tiny/game.rhai:1:44",
        ),
        (
            "squares: [3, 3], hexes: [3, 3]",
            "exclusive-keys(hexes, squares) at scripts/tiny/game.rhai:1:61",
        ),
        (
            "hexes: [3, 3], diagonals: true",
            "misplaced-key(diagonals, squares) at scripts/tiny/game.rhai:1:59",
        ),
        (
            "squares: [3, 3], diagonals: \"yes\"",
            "wrong-value(`diagonals`, true or false) at scripts/tiny/game.rhai:1:61",
        ),
        (
            "squares: [3, 3], cells: \"squares\"",
            "misplaced-key(cells, a board with `map`) at scripts/tiny/game.rhai:1:61",
        ),
        (
            "map: [\"..\"], cells: \"square\"",
            "wrong-word(cells, square) at scripts/tiny/game.rhai:1:65",
        ),
        (
            "squares: [3, 3], lines: \"inside\"",
            "wrong-word(lines, inside) at scripts/tiny/game.rhai:1:69",
        ),
    ] {
        assert_eq!(problems(board, ""), [problem], "{board}");
    }
}

/// A game on this board with grass, walls and mud.
fn lands(board: &str) -> Copy {
    let copy = game(board, "");
    for (name, symbol) in [("grass", "."), ("wall", "#"), ("mud", "~")] {
        let text = format!("// {name}.\nfn stats() {{ #{{ symbol: \"{symbol}\" }} }}");
        copy.write(&format!("scripts/tiny/terrain/{name}.rhai"), text);
    }
    copy
}

const DRAWN: &str = r##"
    cells: "squares",
    map: [
        "bb.x ",
        "..~hh",
        "rr#hh",
    ],
    legend: #{ ".": "grass", "#": "wall", "~": ["grass", "mud"], "x": "gap" },
    zones: #{
        home: #{ red: "r", blue: "b" },
        hill: "h",
        wet: ["c2", "b2"],
        heart: #{ near: ["middle", 1], columns: [3, 5] },
        far: #{ ring: ["a1", 4] },
        rim: #{ near: ["rim", 0] },
    },
"##;

#[test]
fn what_is_drawn_lies_on_the_board_and_zones_are_where_their_letters_are() {
    let all = [
        ("places()", "[a1, b1, c1, d1, e1, a2, b2, c2, d2, e2, a3, b3, c3]"),
        ("places().of_terrain(\"wall\")", "[c1]"),
        ("place(\"c2\").terrains", "[grass, mud]"),
        ("place(\"d1\").terrains", "[grass]"),
        ("faction(\"red\").home", "[a1, b1]"),
        ("faction(\"blue\").home", "[a3, b3]"),
        ("faction(\"blue\").hill", "[d1, e1, d2, e2]"),
        ("zone(\"hill\")", "[d1, e1, d2, e2]"),
        ("zone(\"home\")", "[a1, b1, a3, b3]"),
        ("zone(\"wet\")", "[b2, c2]"),
        ("zone(\"heart\")", "[c1, c2, d2, c3]"),
        ("zone(\"far\")", "[e1, d2, c3]"),
        ("zone(\"rim\") == rim()", "true"),
    ];
    says(&lands(DRAWN), "a1", "a3", &all);
}

#[test]
fn zones_lie_around_the_rim_and_the_corners_of_a_board() {
    let zones = "zones: #{ rim: #{ near: [\"rim\", 0] }, inner: #{ ring: [\"rim\", 1] }, \
        nooks: #{ near: [\"corners\", 0] }, wide: #{ near: [\"corners\", 1] }, \
        both: [#{ near: [\"corners\", 0] }, \"c3\", #{ ring: [\"rim\", 1] }] }";
    for (board, nooks, wide) in [
        (
            "hexes: [5, 4]",
            "[a1, e1, a4, e4]",
            "[a1, b1, d1, e1, a2, b2, d2, e2, a3, e3, a4, b4, d4, e4]",
        ),
        (
            "squares: [4, 4]",
            "[a1, d1, a4, d4]",
            "[a1, b1, c1, d1, a2, d2, a3, d3, a4, b4, c4, d4]",
        ),
        (
            "hexagon: 2",
            "[c1, a2, e2, a4, e4, c5]",
            "[c1, a2, b2, c2, d2, e2, a3, b3, d3, e3, a4, b4, c4, d4, e4, b5, c5, d5]",
        ),
    ] {
        let all = [
            ("zone(\"rim\") == rim()", "true"),
            ("zone(\"inner\") == rim().adjacent - rim()", "true"),
            ("zone(\"nooks\")", nooks),
            ("zone(\"wide\")", wide),
            (
                "zone(\"both\") == (zone(\"nooks\") | zone(\"inner\") | place(\"c3\"))",
                "true",
            ),
        ];
        says(&game(&format!("{board}, {zones}"), ""), "c2", "c3", &all);
    }
}

/// A zone may be called as a key of an area is, and its letters may stand among other areas.
#[test]
fn letters_of_zones_are_found_wherever_they_are_said() {
    let board = "cells: \"squares\", map: [\"o..q\", \".o..\", \"q...\"], zones: #{ ring: \"o\", near: #{ red: \"q\" }, \
        mix: [#{ drawn: \"q\" }, \"b1\"] }";
    let all = [
        ("zone(\"ring\")", "[b2, a3]"),
        ("first().near", "[a1, d3]"),
        ("zone(\"mix\")", "[a1, b1, d3]"),
    ];
    says(&game(board, ""), "c2", "c3", &all);
}

#[test]
fn a_scenario_that_lays_terrain_has_only_its_own() {
    let copy = lands(DRAWN);
    copy.write(
        "scenarios/tiny/it.toml",
        "game = \"tiny\"\ntitle = \"It\"\nterrain.mud = \"a1 a2\"\nunits.red = [\"scouts a1\"]\n\
         until = \"round 1\"\nexpect = ['places().len == 2', 'place(\"a1\").terrains.len == 1']\n",
    );
    well(copy.run(&["test", "--first-snapshots"]));
    // A whole game begins on what is drawn.
    let ran = copy.run(&["repl", "tiny"]);
    assert!(
        ran.out.contains("c1") && ran.out.contains("# wall"),
        "{}",
        ran.page()
    );
}

#[test]
fn maps_that_are_drawn_wrongly_are_told_where_they_are_written() {
    let drawn = |old: &str, new: &str| {
        assert!(DRAWN.contains(old), "{old}");
        lands(&DRAWN.replace(old, new))
            .run(&["check", "--json"])
            .problems()
    };
    for (old, new, problem) in [
        (
            "..~hh",
            "..?hh",
            "unknown-letter(?, line 2) at scripts/tiny/game.rhai:5:10",
        ),
        (
            "..~hh",
            "..~h",
            "uneven-lines(line 2, 4, 5) at scripts/tiny/game.rhai:5:10",
        ),
        (
            "\"wall\"",
            "\"wal\"",
            "unknown-name(terrain, wal) at scripts/tiny/game.rhai:8:36",
        ),
        (
            "[\"grass\", \"mud\"]",
            "[\"grass\", \"mudd\"]",
            "unknown-name(terrain, mudd) at scripts/tiny/game.rhai:8:59",
        ),
        (
            "\"x\": \"gap\"",
            "\"xx\": \"gap\"",
            "wrong-value(the key `xx` of `legend`, one character, but not a blank) at scripts/tiny/game.rhai:8:5",
        ),
        (
            "\"x\": \"gap\"",
            "\"x\": 3",
            "wrong-value(`x` in `legend`, a terrain, a list of several, or \"gap\") at scripts/tiny/game.rhai:8:5",
        ),
        (
            "\"x\": \"gap\"",
            "\" \": \"grass\", \"x\": \"gap\"",
            "wrong-value(the key ` ` of `legend`, one character, but not a blank) at scripts/tiny/game.rhai:8:5",
        ),
        (
            "hill: \"h\"",
            "hill: \"hk\"",
            "empty-zone(hill, `map` has no `k`) at scripts/tiny/game.rhai:11:9",
        ),
        (
            "[\"c2\", \"b2\"]",
            "[\"c2\", \"b9\"]",
            "unknown-name(place, b9) at scripts/tiny/game.rhai:12:22",
        ),
        (
            "\"middle\", 1",
            "\"muddle\", 1",
            "unknown-name(place, muddle) at scripts/tiny/game.rhai:13:27",
        ),
        (
            "\"middle\", 1",
            "\"middle\"",
            "wrong-value(`near`, `[place, steps]`; a place is a name, \"middle\", \"rim\" or \"corners\") at scripts/tiny/game.rhai:13:19",
        ),
        (
            "[3, 5]",
            "[3, 9]",
            "wrong-value(`columns`, `[first, last]`, from 1 to 5) at scripts/tiny/game.rhai:13:40",
        ),
        (
            "[\"a1\", 4]",
            "[\"a1\", -1]",
            "wrong-value(`ring`, `[place, steps]`; a place is a name, \"middle\", \"rim\" or \"corners\") at scripts/tiny/game.rhai:14:17",
        ),
        (
            "[\"a1\", 4]",
            "[\"a1\", 6]",
            "empty-zone(far, none is 6 steps from `a1`) at scripts/tiny/game.rhai:14:25",
        ),
        (
            "[\"rim\", 0]",
            "[\"rimm\", 0]",
            "unknown-name(place, rimm) at scripts/tiny/game.rhai:15:25",
        ),
        (
            "[\"rim\", 0]",
            "[\"corners\", 0]",
            "empty-zone(rim, the board has no corners) at scripts/tiny/game.rhai:15:25",
        ),
        (
            "#{ near: [\"rim\", 0] }",
            "rim()",
            "early-zone(rim, \"middle\", \"rim\" or \"corners\") at scripts/tiny/game.rhai:15:9",
        ),
        (
            "[3, 5]",
            "3",
            "wrong-value(`columns`, `[first, last]`, from 1 to 5) at scripts/tiny/game.rhai:13:40",
        ),
        (
            "[3, 5]",
            "[5, 5]",
            "empty-zone(heart, its areas have none in common) at scripts/tiny/game.rhai:13:9",
        ),
        (
            "near: [\"middle\", 1], columns: [3, 5]",
            "red: #{}",
            "missing-part(the zone `heart`, area) at scripts/tiny/game.rhai:13:9",
        ),
        (
            "red: \"r\"",
            "rad: \"r\"",
            "unknown-name(faction, rad) at scripts/tiny/game.rhai:10:18",
        ),
    ] {
        assert_eq!(drawn(old, new), [problem], "{new}");
    }
    // All that is odd in a map is told at once, lines that are wrong alike together.
    let map = "map: [\"....\", \"..\", \".?!.\", \"..\", \".?..\", \"....\", \"....\", \"...\"]";
    assert_eq!(
        problems(map, ""),
        [
            "uneven-lines(lines 2, 4, 2, 4) at scripts/tiny/game.rhai:1:59",
            "unknown-letter(!, line 3) at scripts/tiny/game.rhai:1:65",
            "unknown-letter(?, lines 3, 5) at scripts/tiny/game.rhai:1:65",
            "uneven-lines(line 8, 3, 4) at scripts/tiny/game.rhai:1:103"
        ]
    );
    assert_eq!(
        problems("squares: [3, 3], legend: #{ \".\": \"grass\" }", ""),
        ["misplaced-key(legend, a board with `map`) at scripts/tiny/game.rhai:1:61"]
    );
    assert_eq!(
        problems("map: [\"..\"], legend: #{ \".\": \"grass\" }", ""),
        ["unknown-name(terrain, grass) at scripts/tiny/game.rhai:1:74"]
    );
}

#[test]
fn a_direction_that_a_board_does_not_have_is_refused_with_those_it_has() {
    for (board, direction) in [("squares: [3, 3]", "ne"), ("hexes: [3, 3]", "e")] {
        let act = format!("fn may_enter(me, place) {{ neighbour(place, \"{direction}\") == nowhere }}");
        let copy = game(board, &act);
        let ran = laid(&copy).run(&["run", "it"]);
        assert_eq!(ran.status, 2, "{}", ran.page());
        let problem = format!("there is no direction `{direction}`");
        assert!(ran.flat().contains(&problem), "{}", ran.page());
    }
}

/// Of the places from which the farthest is as near, the one in the middle of the board is nearest to all.
#[test]
fn the_middle_is_in_the_middle_of_boards_that_are_longer_than_wide() {
    for (board, middle) in [
        ("squares: [3, 9], diagonals: true", "b5"),
        ("squares: [9, 3], diagonals: true", "e2"),
        ("squares: [6, 8], diagonals: true", "c4"),
        ("hexes: [7, 5]", "d3"),
        ("hexes: [12, 3]", "f2"),
    ] {
        says(&game(board, ""), "a1", "a2", &[("middle()", middle)]);
    }
}

/// Hooks about ways run any number of times, so they can neither change the position nor roll nor ask.
#[test]
fn what_is_asked_of_a_way_changes_and_rolls_and_asks_nothing() {
    for (hook, verb) in [
        ("cost_to_enter(here, me, from)", "put(me, from);"),
        ("cost_to_enter(here, me, from)", "roll(me, \"thorn\", 1, 6);"),
        ("may_join(me, place)", "choose(me, \"join\", [1, 2]);"),
        ("may_leave(me)", "remove(me);"),
    ] {
        let said = if hook.starts_with("cost") { "1" } else { "true" };
        let copy = game(
            "squares: [4, 3], diagonals: true, engaged: \"adjacent\"",
            &format!("fn {hook} {{ {verb} {said} }}"),
        );
        copy.write(
            "scenarios/tiny/it.toml",
            "game = \"tiny\"\ntitle = \"It\"\nunits.red = [\"scouts a1\"]\nunits.blue = [\"scouts b1\"]\n",
        );
        let ran = copy.run(&["run", "it"]);
        let why = "the position can only be read here, not changed";
        assert!(
            ran.flat().contains(why) && ran.flat().contains(verb),
            "{hook}: {}",
            ran.page()
        );
    }
}

#[test]
fn steps_cost_what_the_game_says() {
    let costs = r##"fn cost_to_enter(here, me, from) {
        if here.column.contains(place("c1")) { nothing } else if from.row.contains(here) { 2 } else { 1 }
    }"##;
    says(
        &game("squares: [4, 3]", costs),
        "a1",
        "d3",
        &[
            ("walk(unit(\"red.scouts1\"), 2)", "[b1, a2, a3]"),
            ("walk(unit(\"red.scouts1\"), 99)", "[b1, a2, b2, a3, b3]"),
            ("way(unit(\"red.scouts1\"), place(\"b2\"))", "[b1, b2]"),
            ("way_cost(unit(\"red.scouts1\"), place(\"b2\"))", "3"),
            ("way(unit(\"red.scouts1\"), place(\"d1\"))", "[]"),
            (
                "way_cost(unit(\"red.scouts1\"), place(\"d1\")) == nothing",
                "true",
            ),
        ],
    );
}

#[test]
fn a_cost_of_one_leads_where_steps_without_costs_do() {
    let units = ["a1", "b2", "b3", "c3", "c4", "e1"];
    let scenario = format!(
        "game = \"tiny\"\ntitle = \"It\"\nunits.red = [\"scouts {}\"]\nunits.blue = [\"scouts {}\"]\n",
        units[..3].join("\", \"scouts "),
        units[3..].join("\", \"scouts ")
    );
    let asked = ["red.scouts1", "red.scouts2", "blue.scouts1", "blue.scouts3"].map(|name| {
        (0..6)
            .map(|n| format!("walk(unit(\"{name}\"), {n})\n"))
            .collect::<String>()
    });
    for board in [
        "squares: [5, 5]",
        "squares: [5, 5], diagonals: true",
        "hexes: [5, 5]",
    ] {
        let said = ["", "fn cost_to_enter(here, me, from) { 1 }"].map(|cost| {
            let copy = game(board, cost);
            copy.write("scenarios/tiny/it.toml", &scenario);
            let ran = run_in_with(&copy.path("."), &["repl", "it"], &asked.concat());
            assert_eq!(ran.status, 0, "{}", ran.page());
            ran.out
        });
        assert!(said[0].contains("[b1, "), "{}", said[0]);
        assert_eq!(said[0], said[1], "{board}");
    }
}

#[test]
fn a_cost_that_is_none_is_told_where_it_is_written() {
    for (cost, why) in [
        ("0 - 1", "not `-1`"),
        ("\"much\"", "not `much`"),
        ("true", "not `true`"),
    ] {
        let copy = game(
            "squares: [4, 3]",
            &format!("fn cost_to_enter(here, me, from) {{ {cost} }}"),
        );
        let ran = laid(&copy).run(&["run", "it"]);
        assert_eq!(ran.status, 2, "{}", ran.page());
        assert!(ran.flat().contains(why), "{}", ran.page());
        assert!(
            ran.flat().contains("fn cost_to_enter(here, me, from)"),
            "{}",
            ran.page()
        );
    }
}

#[test]
fn sight_ends_at_what_the_game_says() {
    let blocks = "fn blocks_sight(here) { !here.units.is_empty }";
    says(
        &game("squares: [5, 5], diagonals: true", blocks),
        "c3",
        "d2",
        &[
            ("in_sight(place(\"a3\"), place(\"b3\"))", "true"),
            ("in_sight(place(\"a3\"), place(\"e3\"))", "false"),
            ("in_sight(place(\"c2\"), place(\"d3\"))", "false"),
            ("in_sight(place(\"d3\"), place(\"e2\"))", "true"),
            ("in_sight(place(\"c3\"), place(\"d2\"))", "true"),
        ],
    );
    let page = {
        let copy = game(
            "squares: [5, 5]",
            "fn blocks_sight(here) { 3 } fn may_enter(me, place) { in_sight(me.place, place) }",
        );
        copy.write(
            "scenarios/tiny/it.toml",
            "game = \"tiny\"\ntitle = \"It\"\nunits.red = [\"scouts a1\"]\nunits.blue = [\"scouts c3\"]\n",
        );
        copy.run(&["run", "it"]).flat()
    };
    assert!(
        page.contains("`blocks_sight` must return true or false, not `3`"),
        "{page}"
    );
}

const FACING: &str = "fn slots() { #{ unit: #{ facing: #{ holds: \"direction\", start: \"n\" } } } }";

#[test]
fn a_unit_faces_where_its_slot_says_in_records_boards_and_pictures() {
    let copy = game(
        "squares: [5, 5], diagonals: true",
        &format!(
            "{FACING} fn may_enter(me, place) {{ place == me.place || arc(me.place, me.facing, 2, 9).contains(place) }}"
        ),
    );
    copy.write(
        "scenarios/tiny/it.toml",
        "game = \"tiny\"\ntitle = \"It\"\nunits.red = [\"scouts c3 facing=ne\"]\nunits.blue = [\"scouts a5\"]\n\
         until = \"round 1\"\nexpect = [\n\
         'unit(\"red.scouts1\").facing == \"ne\"',\n'unit(\"blue.scouts1\").facing == \"n\"',\n\
         '`${walk(unit(\"red.scouts1\"), 1)}` == \"[d3, c4, d4]\"',\n]\n",
    );
    well(copy.run(&["test", "--first-snapshots"]));
    let run = copy.run(&["run", "it", "--boards"]);
    assert!(
        run.out.contains("SC>ne") && run.out.contains("sc>n") && run.out.contains(">n facing"),
        "{}",
        run.page()
    );
    let svg = copy.run(&["render", "it", "-o", "-"]).out;
    assert_eq!(svg.matches("class=\"facing\"").count(), 3, "{svg}");
}

#[test]
fn a_facing_that_the_ground_does_not_have_is_refused_with_those_it_has() {
    let scenario = |facing: &str| {
        format!(
            "game = \"tiny\"\ntitle = \"It\"\nunits.red = [\"scouts c3 facing={facing}\"]\nunits.blue = [\"scouts a5\"]\n"
        )
    };
    let copy = game("squares: [5, 5]", FACING);
    copy.write("scenarios/tiny/it.toml", scenario("ne"));
    let ran = copy.run(&["run", "it"]);
    assert!(
        ran.flat().contains("the slot `facing` cannot be `ne`") && ran.flat().contains("n, e, s, w or none"),
        "{}",
        ran.page()
    );
    let turns = format!(
        "{FACING} fn may_leave(me) {{ true }} fn may_enter(me, place) {{ me.facing = \"se\"; true }}"
    );
    let copy = game("squares: [5, 5]", &turns);
    copy.write("scenarios/tiny/it.toml", scenario("e"));
    let ran = copy.run(&["run", "it"]);
    let told = "the slot `facing` cannot hold `se`: on squares it can be n, e, s, w or none";
    assert!(ran.flat().contains(told), "{}", ran.page());
    assert_eq!(
        problems("hexes: [3, 3]", &FACING.replace("\"n\"", "\"w\"")),
        ["wrong-word(start, w) at scripts/tiny/game.rhai:9:26"]
    );
}

#[test]
fn a_facing_is_kept_by_its_name_when_the_rules_change() {
    let copy = game("squares: [5, 5]", FACING);
    let scenario = "game = \"tiny\"\ntitle = \"It\"\nunits.red = [\"scouts c3 facing=w\"]\nunits.blue = [\"scouts a5\"]\n";
    copy.write("scenarios/tiny/it.toml", scenario);
    let variant = "// Corners.\nfn board() { let it = base(); it += #{ diagonals: true }; it }\n";
    copy.write("scripts/tiny/variants/corners.rhai", variant);
    let lines = ":with corners\nunit(\"red.scouts1\").facing\n";
    let said = run_in_with(&copy.path("."), &["repl", "it"], lines);
    assert!(said.out.lines().any(|l| l.trim() == "w"), "{}", said.page());
}

#[test]
fn what_a_place_holds_is_drawn_be_it_a_number_or_a_unit() {
    let slots = "fn slots() { #{ place: #{ heat: 0, guest: #{ holds: \"unit\", quiet: false }, \
                 last: #{ holds: \"unit\" }, burning: false } } }
                 fn arrives(me, here) { here.heat = 2; here.guest = me; here.last = me; here.burning = true; }";
    let copy = game("squares: [3, 3]", slots);
    laid(&copy);
    copy.replace(
        "scenarios/tiny/it.toml",
        "title",
        "open = \"random\"\nuntil = \"round 2\"\ntitle",
    );
    let drawn = copy.run(&["render", "scenarios/tiny/it.toml", "--out", "-"]);
    assert_eq!(drawn.status, 0, "{}", drawn.page());
    for told in ["heat 2", "guest red.scouts1", "burning"] {
        assert!(drawn.out.contains(told), "{told}: {}", drawn.page());
    }
    assert!(
        !drawn.out.contains("last red.scouts1"),
        "quiet slots are nobody's to see"
    );
}

/// Definitions of a board or a tabletop that can never apply are reported at their place.
#[test]
fn what_a_board_or_a_table_top_cannot_mean_is_told() {
    let map = "cells: \"squares\", map: [\"..w.\"]";
    for (board, problem) in [
        (
            format!("{map}, legend: #{{ \"w\": \"wood\" }}"),
            "bare-places(.) at scripts/tiny/game.rhai:1:77",
        ),
        (
            "squares: [4, 4], zones: #{ keep: rows(3, 2) }".to_owned(),
            "wrong-value(`rows`, `[first, last]`, from 1 to 4) at scripts/tiny/game.rhai:1:77",
        ),
        (
            "tabletop: [24, 24], unit: \"inch\", diagonals: true".to_owned(),
            "misplaced-key(diagonals, a board without `tabletop`) at scripts/tiny/game.rhai:1:78",
        ),
    ] {
        let copy = game(&board, "");
        copy.write(
            "scripts/tiny/terrain/wood.rhai",
            "fn stats() { #{ symbol: \"^\" } }\n",
        );
        assert_eq!(copy.run(&["check", "--json"]).problems()[0], problem);
    }
    let copy = game(&format!("{map}, legend: #{{ \".\": [], \"ww\": \"wood\" }}"), "");
    let ran = copy.run(&["check"]);
    assert!(!ran.page().contains("has no meaning"), "{}", ran.page());
}

// --- tracks ----------------------------------------------------------------------------------------

#[test]
fn a_track_has_spaces_ahead_and_back() {
    let line = game(
        "track: 30, stack: 4, zones: #{ rim: #{ near: [\"rim\", 0] } }",
        "",
    );
    says(
        &line,
        "12",
        "27",
        &[
            ("directions()", "[ahead, back]"),
            ("place(\"10\").adjacent", "[9, 11]"),
            ("neighbour(place(\"12\"), \"ahead\", 5)", "17"),
            ("neighbour(place(\"12\"), \"back\", 11)", "1"),
            ("neighbour(place(\"12\"), \"back\", 12) == nowhere", "true"),
            ("neighbour(place(\"12\"), \"ahead\", -1) == nowhere", "true"),
            ("neighbour(place(\"12\"), \"ahead\", 0)", "12"),
            ("turned(\"ahead\", 1)", "back"),
            ("ray(place(\"27\"), \"ahead\", 6)", "[28, 29, 30]"),
            ("line(place(\"9\"), place(\"12\"))", "[10, 11]"),
            ("arc(place(\"5\"), \"back\", 0, 2)", "[3, 4]"),
            ("distance(place(\"1\"), place(\"30\"))", "29"),
            ("walk(unit(\"red.scouts1\"), 2)", "[10, 11, 13, 14]"),
            ("zone(\"rim\")", "[1, 30]"),
        ],
    );
    says(
        &game("track: 30, circuit: true", ""),
        "1",
        "27",
        &[
            ("neighbour(place(\"27\"), \"ahead\", 5)", "2"),
            ("neighbour(place(\"27\"), \"ahead\", 30000000035)", "2"),
            ("distance(place(\"2\"), place(\"29\"))", "3"),
            ("direction(place(\"2\"), place(\"29\"))", "back"),
            ("walk(unit(\"red.scouts1\"), 2)", "[2, 3, 29, 30]"),
        ],
    );
}

#[test]
fn a_place_a_number_of_steps_ahead_is_found_on_every_board() {
    says(
        &game("squares: [4, 4], diagonals: true", ""),
        "a1",
        "c3",
        &[
            ("neighbour(place(\"a1\"), \"ne\", 3)", "d4"),
            ("neighbour(place(\"a1\"), \"ne\", 4) == nowhere", "true"),
        ],
    );
}

#[test]
fn a_track_that_cannot_be_is_refused() {
    for (board, problem) in [
        (
            "track: 0",
            "wrong-value(`track`, a number from 2 to 1000) at scripts/tiny/game.rhai:1:44",
        ),
        (
            "track: 5000",
            "wrong-value(`track`, a number from 2 to 1000) at scripts/tiny/game.rhai:1:44",
        ),
        (
            "track: 30, circuit: 3",
            "wrong-value(`circuit`, true or false) at scripts/tiny/game.rhai:1:55",
        ),
        (
            "track: 30, squares: [3, 3]",
            "exclusive-keys(squares, track) at scripts/tiny/game.rhai:1:55",
        ),
        (
            "arena: #{ octagon: 50 }, track: 30",
            "exclusive-keys(track, arena) at scripts/tiny/game.rhai:1:69",
        ),
        (
            "track: 30, diagonals: true",
            "misplaced-key(diagonals, a board without `track`) at scripts/tiny/game.rhai:1:55",
        ),
        (
            "hexes: [3, 3], circuit: true",
            "misplaced-key(circuit, a board with `track`) at scripts/tiny/game.rhai:1:59",
        ),
        (
            "trac: 30",
            "unknown-key(board(), trac) at scripts/tiny/game.rhai:1:44",
        ),
    ] {
        assert_eq!(problems(board, "")[0], problem, "{board}");
    }
    let hint = |board| {
        let ran = game(board, "").run(&["check", "--json"]);
        let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        report["problems"][0]["hint"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(hint("track: 0"), "write `track: 30`");
    assert_eq!(hint("trac: 30"), "did you mean `track`?");
}

#[test]
fn a_unit_beyond_a_track_is_refused_with_the_spaces_there_are() {
    let copy = game("track: 25", "");
    let text = "game = \"tiny\"\ntitle = \"It\"\nunits.red = [\"scouts 31\"]\n";
    copy.has_problems("scenarios/tiny/it.toml", text, &[("off-board", "31\"]")]);
    let ran = copy.run(&["run", "it"]);
    assert!(ran.flat().contains("places are 1 to 25"), "{}", ran.page());
}

#[test]
fn a_track_is_drawn_in_rows_with_its_units() {
    let copy = game("track: 30, stack: 3", "");
    let scenario = "game = \"tiny\"\ntitle = \"It\"\nunits.red = [\"scouts 14\", \"scouts 14\"]\nunits.blue = [\"scouts 14\"]\n";
    copy.write("scenarios/tiny/it.toml", scenario);
    let ran = run_in_with(
        &copy.path(""),
        &["repl", "scenarios/tiny/it.toml"],
        ":board\n:quit\n",
    );
    let rows: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("| ")).collect();
    let names = |first: usize| {
        (first..first + 10)
            .map(|n| n.to_string())
            .collect::<Vec<String>>()
    };
    for first in [1, 11, 21] {
        let row = |line: &&str| line.split(['|', ' ']).filter(|w| !w.is_empty()).eq(names(first));
        assert!(rows.iter().any(row), "{}", ran.page());
    }
    assert!(
        ran.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        ran.page()
    );
    let facing = "fn slots() { #{ unit: #{ facing: #{ holds: \"direction\", start: \"back\" } } } }";
    let long = game("track: 125, stack: 3", facing);
    long.write("scenarios/tiny/it.toml", scenario);
    let ran = run_in_with(
        &long.path(""),
        &["repl", "scenarios/tiny/it.toml"],
        ":board\n:quit\n",
    );
    assert!(ran.out.contains("\n11  .   .   .   sc+ "), "{}", ran.page());
    let picture = copy.run(&["render", "it", "--out", "-"]);
    for text in ["14", "30", "red.scouts2", "blue.scouts1"] {
        assert!(picture.out.contains(text), "{text}");
    }
}
