//! Faults of declarations: told where they are written, whatever else is called by the same word, and once.

use crate::support::Small;

const GAME: &str = r##"fn board() {
    #{
        factions: ["red", "blue"],
        cells: "squares",
        map: [
            "bbb.",
            "..o.",
            "....",
            "rrr.",
        ],
        legend: #{ ".": "roof", "o": ["roof", "pit"] },
        zones: #{ home: #{ red: "r", blue: "b" }, ring: #{ near: ["middle", 1] } },
        engaged: "adjacent",
    }
}
fn slots() { #{ faction: #{ score: 0, red: #{ start: 0, lasts: "round" } }, unit: #{ round: 1, tall: false } } }
fn phases() {
    [#{ phase: "game", contest: "game", phases: [
        #{ phase: "muster", setup: true, each: "faction", step: "muster" },
        #{ phase: "round", repeat: true, phases: [
            #{ phase: "acts", turn: "each", quota: 1, step: "act" },
            #{ phase: "dusk", each: "game", quiet: true, step: "dusk" },
        ] },
    ] }]
}
fn muster(side) { for n in 1..=2 { enlist(side, unit_type("imps")); } }
fn made(step) { #{ phase: "more", each: "faction", step: step } }
fn act(me) { march(me); }
fn dusk() { for side in factions() { if side.score > 3 { win(side, "more"); } } }
"##;

fn game() -> Small {
    let it = Small::new(GAME).with("units/imps", "fn stats() { #{ move: 2, mass: 2, tall: true } }");
    let it = it.with("terrain/roof", "fn stats() { #{ } }");
    it.with("terrain/pit", "fn stats() { #{ } }")
}

/// Checks that the game with a text in place of another has this one problem.
fn has_problem((old, new): (&str, &str), problem: &str) {
    let game = game().replaced("scripts/tiny/game.rhai", old, new);
    assert_eq!(problems_of(&game), [problem], "{new}");
}

/// The problems of a game, without the name of its file.
fn problems_of(game: &Small) -> Vec<String> {
    let problems = game.problems(&[]);
    problems
        .iter()
        .map(|p| p.replace("scripts/tiny/game.rhai:", ""))
        .collect()
}

#[test]
fn a_fault_is_told_behind_its_key_and_not_where_its_word_stands_first() {
    game().load_with(&[]).unwrap_or_else(|p| panic!("{p}"));
    for (old, new, problem) in [
        ("quota: 1", "pass: \"round\"", "wrong-word(pass, round) at 21:52"),
        ("quota: 1", "next: \"game\"", "wrong-word(next, game) at 21:52"),
        (
            "each: \"game\", quiet",
            "each: \"round\", quiet",
            "wrong-word(each, round) at 22:38",
        ),
        (
            "turn: \"each\"",
            "turn: \"round\"",
            "wrong-word(turn, round) at 21:38",
        ),
        (
            "quota: 1",
            "filters: [\"game\"]",
            "unknown-name(filter, game) at 21:56",
        ),
        (
            "quota: 1",
            "interrupts: \"round\"",
            "unknown-name(function, round) at 21:58",
        ),
        (
            "quota: 1",
            "interrupts: #{ round: \"game\" }",
            "unknown-name(function, game) at 21:68",
        ),
        (
            "step: \"dusk\"",
            "step: \"round\"",
            "unknown-name(function, round) at 22:65",
        ),
        (
            "quota: 1",
            "points: \"game\"",
            "unknown-name(number of units or factions, game) at 21:54",
        ),
        (
            "lasts: \"round\"",
            "lasts: \"red\"",
            "unknown-name(phase, red) at 16:65",
        ),
        (
            "start: 0, lasts",
            "holds: \"score\", lasts",
            "wrong-word(holds, score) at 16:55",
        ),
        ("\"adjacent\"", "\"red\"", "wrong-word(engaged, red) at 13:19"),
        (
            "engaged: \"adjacent\"",
            "lines: \"blue\"",
            "wrong-word(lines, blue) at 13:17",
        ),
        (
            "engaged: \"adjacent\"",
            "conflicts: \"red\"",
            "wrong-word(conflicts, red) at 13:21",
        ),
        (
            "cells: \"squares\"",
            "cells: \"red\"",
            "wrong-word(cells, red) at 4:17",
        ),
        ("\"pit\"]", "\"red\"]", "unknown-name(terrain, red) at 11:48"),
        ("\"middle\", 1", "\"red\", 1", "unknown-name(place, red) at 12:68"),
        ("round: 1,", "mass: true,", "slot-hides-stat(mass) at 16:86"),
        // The key of the phase that is meant.
        (
            "quiet: true",
            "quota: true",
            "misplaced-key(quota, a phase with `turn`) at 22:45",
        ),
        (
            "repeat: true, phases",
            "repeat: true, quiet: 1, phases",
            "wrong-value(`quiet`, true or false) at 20:42",
        ),
        // What a function takes is nearer than a key that says something else.
        (
            "step: \"act\" },",
            "step: \"act\" }, made(\"actt\"),",
            "unknown-name(function, actt) at 21:76",
        ),
        ("..o.", "..o..", "uneven-lines(line 2, 5, 4) at 7:14"),
    ] {
        has_problem((old, new), problem);
    }
}

#[test]
fn what_is_missing_is_told_where_it_should_be() {
    for (old, new, problem) in [
        (
            "factions: [\"red\", \"blue\"],",
            "",
            "wrong-count(a game, 1 to 8 factions, 0) at 1:4",
        ),
        (
            "fn board()",
            "fn bord()",
            "missing-declaration(scripts/tiny/game.rhai, board) at 1:4",
        ),
        (
            "fn phases()",
            "fn phase()",
            "missing-declaration(scripts/tiny/game.rhai, phases) at 17:4",
        ),
        ("phase: \"dusk\", ", "", "missing-part(a phase, name) at 22:50"),
        (
            ", step: \"act\"",
            "",
            "missing-part(the phase `acts`, `step`) at 21:24",
        ),
        // What is worked out is told at its key.
        ("quota: 1", "pass: \"a\" + \"b\"", "wrong-word(pass, ab) at 21:45"),
    ] {
        has_problem((old, new), problem);
    }
}

#[test]
fn what_only_follows_from_another_fault_is_not_told() {
    for (old, new, problem) in [
        (
            "turn: \"each\"",
            "turn: 1",
            "wrong-value(`turn`, a text in quotes) at 21:31",
        ),
        (
            "each: \"game\"",
            "each: 1",
            "wrong-value(`each`, a text in quotes) at 22:31",
        ),
        (
            "step: \"act\"",
            "step: 1",
            "wrong-value(`step`, a text in quotes) at 21:55",
        ),
        (
            "step: \"act\"",
            "stepp: \"act\"",
            "unknown-key(a phase, stepp) at 21:55",
        ),
        (
            "turn: \"each\"",
            "turns: \"each\"",
            "unknown-key(a phase, turns) at 21:31",
        ),
        (
            "quota: 1",
            "interrupts: 1",
            "wrong-kind(interrupts, a map `#{ ... }`, a number) at 21:45",
        ),
        ("factions: ", "faction: ", "unknown-key(board(), faction) at 3:9"),
        (
            "\"..o.\",",
            "3,",
            "wrong-value(`map`, a list of texts in quotes) at 5:9",
        ),
        (
            "#{ near: [\"middle\", 1] }",
            "3",
            "wrong-kind(a zone, a map `#{ ... }`, a number) at 12:51",
        ),
        (
            "start: 0",
            "holds: 1",
            "wrong-value(`holds`, a text in quotes) at 16:47",
        ),
        ("start: 0", "strt: 0", "unknown-key(a slot, strt) at 16:47"),
        (
            "fn act(me) { march(me); }",
            "fn act() { }",
            "wrong-parameters(act, no parameters, 1, me) at 21:62",
        ),
    ] {
        let game = game().with("units/imps", "fn stats() { #{ move: 2 } } fn act(me) { }");
        let game = game.replaced("scripts/tiny/game.rhai", old, new);
        assert_eq!(problems_of(&game), [problem], "{new}");
    }
}

#[test]
fn a_variant_that_breaks_what_it_builds_on_is_named() {
    let own = |board: &str| game().with("variants/w", &format!("fn board() {{ {board} }}"));
    // Its own word is told where it says it.
    assert_eq!(
        own("base() + #{ hexes: [3, 3] }").problems(&["w"]),
        ["exclusive-keys(map, hexes) at scripts/tiny/variants/w.rhai:1:26"]
    );
    assert_eq!(
        own("base() + #{ engaged: \"red\" }").problems(&["w"]),
        ["wrong-word(engaged, red) at scripts/tiny/variants/w.rhai:1:36"]
    );
    // What stands below it is told there, and who built on it.
    let page = own("base() + #{ factions: [\"red\"] }").error(&["w"]);
    assert!(
        page.contains("faction `blue`") && page.contains("game.rhai:12:"),
        "{page}"
    );
    assert!(
        page.contains("called from scripts/tiny/variants/w.rhai:1:4, which has its own `board`"),
        "{page}"
    );
}

#[test]
fn a_base_that_is_too_wide_or_missing_is_told_in_the_file_of_its_unit() {
    let game = |stats: &str| {
        let text = "fn board() { #{ factions: [\"red\", \"blue\"], tabletop: [30, 20] } }\n\
                    fn phases() { [#{ phase: \"acts\", turn: \"first\", step: \"act\" }] }\n\
                    fn act(me) { march(me); }\n";
        Small::new(text).with("units/ogres", stats)
    };
    game("fn stats() { #{ diameter: 2 } }")
        .load_with(&[])
        .unwrap_or_else(|p| panic!("{p}"));
    assert_eq!(
        game("fn stats() { #{ diameter: 0 } }").problems(&[]),
        ["out-of-range(the base of `ogres`, 1, 1000, 0) at units/tiny/ogres.rhai:1:17"]
    );
    assert_eq!(
        game("fn stats() { #{ life: 2 } }").problems(&[]),
        ["missing-part(`ogres`, base) at units/tiny/ogres.rhai:1:4"]
    );
    assert_eq!(
        game("fn act(me) { base(me); }").problems(&[]),
        ["missing-part(`ogres`, base) at units/tiny/ogres.rhai:1:1"]
    );
}

#[test]
fn stats_and_dials_that_no_rule_reads_are_warnings_of_a_check() {
    let copy = crate::support::Copy::of_rules();
    let game = "scripts/smalltricks/game.rhai";
    assert!(!copy.run(&["check"]).page().contains("warning"));
    copy.replace(game, "combat: 2, life: 5 }", "combat: 2, life: 5, reach: 0 }");
    copy.replace(
        game,
        "castle_damage: number(1, 0, 9),",
        "castle_damage: number(1, 0, 9), castle_walls: number(1, 0, 9),",
    );
    let told = copy.run(&["check"]);
    assert_eq!(told.status, 0, "{}", told.page());
    for what in ["stat `reach`", "dial `castle_walls`"] {
        let line = format!("warning: smalltricks: no rule reads the {what}");
        assert!(told.page().contains(&line), "{line}: {}", told.page());
    }
}
