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

/// The places that the page of one fault names, in their order.
fn faults(of: &Small, variants: &[&str]) -> Vec<String> {
    let Err(problems) = of.load_with(variants) else {
        panic!("it loads");
    };
    let told = problems.0.iter().map(|problem| {
        let place = problem.place.as_ref();
        let place = place.map(|at| {
            format!(
                "{}:{} {}",
                at.source.name,
                at.line_col().0,
                at.source.slice(at.span.clone())
            )
        });
        format!("{} | {}", place.unwrap_or_default(), problem.message)
    });
    told.collect()
}

/// The one fault of the game with a text in place of another is told at this line and word of game.rhai.
fn is_told_at((old, new): (&str, &str), at: &str, why: &str) {
    let told = faults(&game().replaced("scripts/tiny/game.rhai", old, new), &[]);
    assert_eq!(told, [format!("scripts/tiny/game.rhai:{at} | {why}")], "{new}");
}

#[test]
fn a_fault_is_told_behind_its_key_and_not_where_its_word_stands_first() {
    game().load_with(&[]).unwrap_or_else(|p| panic!("{p}"));
    for (old, new, line, word, why) in [
        (
            "quota: 1",
            "pass: \"round\"",
            21,
            "round",
            "who passes cannot end `round`",
        ),
        (
            "quota: 1",
            "next: \"game\"",
            21,
            "game",
            "nobody can be next by `game`",
        ),
        (
            "each: \"game\", quiet",
            "each: \"round\", quiet",
            22,
            "round",
            "a phase cannot be for each `round`",
        ),
        (
            "turn: \"each\"",
            "turn: \"round\"",
            21,
            "round",
            "`turn` cannot be `round`",
        ),
        (
            "quota: 1",
            "filters: [\"game\"]",
            21,
            "game",
            "there is no filter `game`",
        ),
        (
            "quota: 1",
            "interrupts: \"round\"",
            21,
            "round",
            "there is no function `round` in game.rhai",
        ),
        (
            "quota: 1",
            "interrupts: #{ round: \"game\" }",
            21,
            "game",
            "there is no function `game` in game.rhai",
        ),
        (
            "step: \"dusk\"",
            "step: \"round\"",
            22,
            "round",
            "there is no function `round` in game.rhai",
        ),
        (
            "quota: 1",
            "points: \"game\"",
            21,
            "game",
            "`points` names a number of units or factions, and there is none called `game`",
        ),
        (
            "lasts: \"round\"",
            "lasts: \"red\"",
            16,
            "red",
            "no phase is called `red`",
        ),
        (
            "start: 0, lasts",
            "holds: \"score\", lasts",
            16,
            "score",
            "a slot cannot hold `score`",
        ),
        (
            "\"adjacent\"",
            "\"red\"",
            13,
            "red",
            "no engagement is called `red`",
        ),
        (
            "engaged: \"adjacent\"",
            "lines: \"blue\"",
            13,
            "blue",
            "lines cannot meet `blue`",
        ),
        (
            "engaged: \"adjacent\"",
            "conflicts: \"red\"",
            13,
            "red",
            "`conflicts` cannot be `red`",
        ),
        (
            "cells: \"squares\"",
            "cells: \"red\"",
            4,
            "red",
            "no board is made of `red`",
        ),
        ("\"pit\"]", "\"red\"]", 11, "red", "there is no terrain `red`"),
        (
            "\"middle\", 1",
            "\"red\", 1",
            12,
            "red",
            "the zone `ring` has `red`, which is no place of the board",
        ),
        (
            "round: 1,",
            "mass: true,",
            16,
            "mass",
            "the stat `mass` is a number; the slot `mass` is none and would hide it",
        ),
        // The key of the phase that is meant.
        (
            "quiet: true",
            "quota: true",
            22,
            "quota",
            "`quota` says nothing of a phase with `each`",
        ),
        (
            "repeat: true, phases",
            "repeat: true, quiet: 1, phases",
            20,
            "quiet",
            "`quiet` must be true or false",
        ),
        // What a function takes is nearer than a key that says something else.
        (
            "step: \"act\" },",
            "step: \"act\" }, made(\"actt\"),",
            21,
            "actt",
            "there is no function `actt` in game.rhai",
        ),
        (
            "..o.",
            "..o..",
            7,
            "..o..",
            "line 2 of `map` has 5 characters, the others have 4",
        ),
    ] {
        is_told_at((old, new), &format!("{line} {word}"), why);
    }
}

#[test]
fn what_is_missing_is_told_where_it_should_be() {
    for (old, new, line, word, why) in [
        (
            "factions: [\"red\", \"blue\"],",
            "",
            1,
            "board",
            "a game has 1 to 8 factions, not 0",
        ),
        (
            "fn board()",
            "fn bord()",
            1,
            "bord",
            "scripts/tiny/game.rhai has no `board()`",
        ),
        (
            "fn phases()",
            "fn phase()",
            17,
            "phase",
            "scripts/tiny/game.rhai has no `phases()`",
        ),
        (
            "phase: \"dusk\", ",
            "",
            22,
            "dusk",
            "every phase needs a name: `phase: \"...\"`",
        ),
        (
            ", step: \"act\"",
            "",
            21,
            "acts",
            "the phase `acts` needs a `step`: the function it runs",
        ),
        // What is worked out is told at its key.
        (
            "quota: 1",
            "pass: \"a\" + \"b\"",
            21,
            "pass",
            "who passes cannot end `ab`",
        ),
    ] {
        is_told_at((old, new), &format!("{line} {word}"), why);
    }
}

#[test]
fn what_only_follows_from_another_fault_is_not_told() {
    for (old, new, word, why) in [
        (
            "turn: \"each\"",
            "turn: 1",
            "turn",
            "`turn` must be a text in quotes",
        ),
        (
            "each: \"game\"",
            "each: 1",
            "each",
            "`each` must be a text in quotes",
        ),
        (
            "step: \"act\"",
            "step: 1",
            "step",
            "`step` must be a text in quotes",
        ),
        (
            "step: \"act\"",
            "stepp: \"act\"",
            "stepp",
            "a phase has no `stepp`",
        ),
        (
            "turn: \"each\"",
            "turns: \"each\"",
            "turns",
            "a phase has no `turns`",
        ),
        (
            "quota: 1",
            "interrupts: 1",
            "interrupts",
            "interrupts must be a map `#{ ... }`, not a number",
        ),
        ("factions: ", "faction: ", "faction", "board() has no `faction`"),
        (
            "\"..o.\",",
            "3,",
            "map",
            "`map` must be a list of texts in quotes",
        ),
        (
            "#{ near: [\"middle\", 1] }",
            "3",
            "ring",
            "a zone must be a map `#{ ... }`, not a number",
        ),
        (
            "start: 0",
            "holds: 1",
            "holds",
            "`holds` must be a text in quotes",
        ),
        ("start: 0", "strt: 0", "strt", "a slot has no `strt`"),
        (
            "fn act(me) { march(me); }",
            "fn act() { }",
            "act",
            "`act` must have 1 parameter, not 0",
        ),
    ] {
        let game = game().with("units/imps", "fn stats() { #{ move: 2 } } fn act(me) { }");
        let told = faults(&game.replaced("scripts/tiny/game.rhai", old, new), &[]);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].ends_with(&format!(" {word} | {why}")), "{told:?}");
    }
}

#[test]
fn a_variant_that_breaks_what_it_builds_on_is_named() {
    let own = |board: &str| game().with("variants/w", &format!("fn board() {{ {board} }}"));
    // Its own word is told where it says it.
    let told = faults(&own("base() + #{ hexes: [3, 3] }"), &["w"]);
    assert_eq!(
        told[0],
        "scripts/tiny/variants/w.rhai:1 hexes | a board has `map` or `hexes`, not both"
    );
    let told = faults(&own("base() + #{ engaged: \"red\" }"), &["w"]);
    assert_eq!(
        told,
        ["scripts/tiny/variants/w.rhai:1 red | no engagement is called `red`"]
    );
    // What stands below it is told there, and who built on it.
    let page = own("base() + #{ factions: [\"red\"] }").error(&["w"]);
    assert!(
        page.contains("there is no faction `blue`") && page.contains("game.rhai:12:"),
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
    let told = faults(&game("fn stats() { #{ diameter: 0 } }"), &[]);
    assert_eq!(
        told,
        ["units/tiny/ogres.rhai:1 diameter | the base of `ogres` is 1 to 1000 wide, not 0"]
    );
    let told = faults(&game("fn stats() { #{ life: 2 } }"), &[]);
    assert_eq!(
        told,
        ["units/tiny/ogres.rhai:1 stats | `ogres` does not say how wide its base is"]
    );
    let told = faults(&game("fn act(me) { base(me); }"), &[]);
    assert_eq!(
        told,
        ["units/tiny/ogres.rhai:1  | `ogres` does not say how wide its base is"]
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
