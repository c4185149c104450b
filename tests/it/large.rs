//! As many places, units and factions as there can be, and one more.

use crate::support::Copy;

const FACTIONS: &str = r#"["red", "blue", "green", "white", "black", "pink", "gold", "grey"]"#;

/// A field on which every faction lines up so many guards, who step and strike for a round.
fn field(ground: &str, guards: usize) -> Copy {
    let copy = Copy::of_nothing();
    let rules = format!(
        r#"
        fn board() {{ #{{ factions: {FACTIONS}, {ground}, stack: 1 }} }}
        fn stats() {{ #{{ life: 2 }} }}
        fn slots() {{ #{{ unit: #{{ life: #{{ start: 0, at_zero: "dies" }} }} }} }}
        fn phases() {{ [#{{ phase: "game", contest: "game", phases: [
            #{{ phase: "line-up", setup: true, each: "faction", step: "line_up" }},
            #{{ phase: "moves", turn: "each", step: "act" }},
            #{{ phase: "dusk", each: "game", step: "dusk" }} ] }}] }}
        fn line_up(side) {{
            for n in 0..{guards} {{ enlist(side, unit_type("guards")); put(side.units.last, empty_places().first); }}
        }}
        fn act(me) {{
            travel(me, walk(me, 2));
            for foe in foes_within(me, 1) {{ hit(foe, 1, "blow"); }}
        }}
        fn dies(me) {{ remove(me); }}
        fn dusk() {{ draw("it is dark"); }}
        "#
    );
    copy.write("scripts/field/game.rhai", rules)
        .write("units/field/guards.rhai", "fn stats() { #{ symbol: \"G\" } }")
        .write(
            "scenarios/field/all.toml",
            "game = \"field\"\ntitle = \"All\"\nseed = 3\nopen = \"random\"\n",
        );
    copy
}

#[test]
fn a_game_of_1024_units_on_4096_places_is_played_and_told_again() {
    for (ground, places) in [
        ("squares: [64, 64], diagonals: true", 4_096),
        ("hexagon: 36", 3_997),
    ] {
        let copy = field(ground, 128);
        let told = copy.run(&["run", "scenarios/field/all.toml"]);
        assert_eq!(told.status, 0, "{}", told.page());
        copy.write("told.txt", &told.out);
        assert_eq!(copy.run(&["run", "told.txt"]).out, told.out, "{ground}");
        let last = told
            .out
            .lines()
            .rev()
            .find(|l| l.contains("activates"))
            .unwrap_or("");
        assert!(last.contains("guards"), "{last}");
        let asked = format!(
            "units().len\nplaces().len == {places}\n\
             (places() - empty_places()).len == units().len\nunits().filter(|u| u.name == \"grey.guards128\").len\n"
        );
        let said =
            crate::support::run_in_with(&copy.path("."), &["repl", "scenarios/field/all.toml"], &asked);
        for line in ["1024", "true", "1"] {
            assert!(said.out.lines().any(|l| l == line), "{line}: {}", said.page());
        }
        assert!(!said.out.lines().any(|l| l == "false"), "{}", said.page());
    }
}

#[test]
fn a_way_is_as_long_as_the_longest_board() {
    let copy = field("squares: [1, 4096]", 1);
    let asked = "place(\"a1\").distance(place(\"a4096\"))\nplaces_within(unit(\"red.guards1\"), 300).len\n";
    let said = crate::support::run_in_with(&copy.path("."), &["repl", "scenarios/field/all.toml"], asked);
    for line in ["4095", "301"] {
        assert!(said.out.lines().any(|l| l == line), "{line}: {}", said.page());
    }
}

#[test]
fn one_more_than_there_can_be_is_told() {
    let told = |ground: &str, guards: usize, what: &str| {
        let ran = field(ground, guards).run(&["run", "scenarios/field/all.toml"]);
        assert_ne!(ran.status, 0, "{}", ran.page());
        assert!(ran.page().contains(what), "{what}: {}", ran.page());
        assert!(ran.page().contains("scripts/field/game.rhai:"), "{}", ran.page());
    };
    told("hexes: [64, 65]", 1, "at most 4096");
    told("hexagon: 37", 1, "from 0 to 36");
    told("hexes: [64, 64]", 129, "1024 is the most there can be");
}
