//! Slots that hold sets and lists.

use crate::support::{Small, record, refused, said, session};
use rulebench::play::Progress;
use rulebench::report::Problems;

/// Four steps: each walks to where it has not been, all mark where they are at once, and each faction draws.
const GAME: &str = r#"
fn board() { #{ factions: ["red", "blue"], squares: [3, 1] } }
fn slots() { #{
    game: #{ queue: #{ list: "unit", at_most: 4, quiet: false } },
    faction: #{
        marks: #{ set: "place", at_most: 3, quiet: false },
        hand: #{ list: "number", at_most: 5, quiet: false },
        spells: #{ set: "text", texts: ["ice", "fire"], at_most: 2, quiet: false },
        bonds: #{ set: "unit and place", at_most: 2, quiet: false },
    },
} }
fn phases() { [#{ phase: "come", each: "faction", step: "come", setup: true }, #{ phase: "round", phases: [
    #{ phase: "join", each: "unit", step: "join" },
    #{ phase: "mark", simultaneous: true, each: "unit", step: "mark" },
    #{ phase: "draw", each: "faction", step: "draw" },
] }] }
fn come(side) {
    enlist(side, unit_type("scouts"));
    put(side.units.first, place(if side == faction("red") { "a1" } else { "c1" }));
}
fn join(me) { game().queue.push(me); }
fn mark(me) { faction("red").marks.push(me.place); }
fn draw(side) {
    side.hand += [7, 3, 7];
    side.hand -= [7];
    side.spells = ["ice", "fire", "ice"];
    side.bonds.push([game().queue.shift(), place("b1")]);
}
"#;

fn game() -> Small {
    Small::new(GAME).with("units/scouts", r#"fn stats() { #{ symbol: "Sc" } }"#)
}

fn played(game: &Small) -> String {
    let mut play = game.play(&[]);
    match play.run_on() {
        Progress::Over => record(&play),
        other => panic!("{other:?}\n{}", record(&play)),
    }
}

#[test]
fn sets_and_lists_are_changed_as_lists_and_recorded_item_by_item() {
    insta::assert_snapshot!(played(&game()));
}

#[test]
fn a_set_is_read_in_order_and_a_list_as_it_was_filled() {
    let game = game().replaced(
        "scripts/tiny/game.rhai",
        "    side.bonds.push",
        r#"
            if side.spells != ["fire", "ice"] { throw "in order"; }
            if side.hand != [3, 7] { throw `${side.hand}`; }
            if !("ice" in side.spells) || side.spells.len != 2 || side.hand[1] != 7 { throw "as lists"; }
            side.hand.insert(1, 5);
            if side.hand != [3, 5, 7] { throw `${side.hand}`; }
            side.hand.remove(0);
            if side.hand != [5, 7] { throw `${side.hand}`; }
            side.hand[0] = 9;
            if side.hand != [9, 7] || side.hand.pop() != 7 { throw `${side.hand}`; }
            side.marks.clear();
            side.bonds.push"#,
    );
    played(&game);
}

#[test]
fn what_two_rules_put_into_a_set_at_once_is_both_in_it() {
    let end = played(&game());
    assert!(
        end.contains("red  marks gains a1") && end.contains("red  marks gains c1"),
        "{end}"
    );
}

#[test]
fn a_wrong_declaration_is_told_at_load() {
    let told = |slot: &str| {
        let game = game().replaced("scripts/tiny/game.rhai", r#"list: "unit", at_most: 4"#, slot);
        game.problems(&[]).join("\n")
    };
    let cases = [
        r#"list: "unit""#,
        r#"list: "unit", at_most: 4000"#,
        r#"list: "unitt", at_most: 4"#,
        r#"set: "unit", list: "unit", at_most: 4"#,
        r#"list: "unit", at_most: 4, start: 3"#,
        r#"list: "text", at_most: 4"#,
        r#"list: "unit", at_most: 4, texts: ["a"]"#,
        r#"start: 3, at_most: 4"#,
        r#"set: "unit and unit and unit", at_most: 4"#,
    ];
    let all: Vec<String> = cases.map(|slot| format!("{slot}\n{}", told(slot))).into();
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn what_a_set_or_list_cannot_hold_is_told_with_its_statement() {
    let told = |statement: &str| {
        let game = game().replaced("scripts/tiny/game.rhai", "side.hand -= [7];", statement);
        let mut play = game.play(&[]);
        match play.run_on() {
            Progress::Failed(problem) => Problems::from(*problem).page(false),
            other => panic!("{other:?}"),
        }
    };
    let cases = [
        "side.hand += [1, 2, 3];",
        r#"side.hand.push("fire");"#,
        r#"side.spells.push("fier");"#,
        "side.bonds.push(side);",
        "side.hand = 3;",
        "side.marks.push(nowhere);",
    ];
    let all: Vec<String> = cases.map(told).into();
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn the_limit_counts_once_all_is_done_that_happens_at_once() {
    let game = game().replaced(
        "scripts/tiny/game.rhai",
        r#"set: "place", at_most: 3"#,
        r#"set: "place", at_most: 1"#,
    );
    let mut play = game.play(&[]);
    match play.run_on() {
        Progress::Failed(problem) => insta::assert_snapshot!(Problems::from(*problem).page(false)),
        other => panic!("{other:?}"),
    }
    // What leaves the set in the same phase makes room.
    let swaps = game.replaced(
        "scripts/tiny/game.rhai",
        r#"faction("red").marks.push(me.place);"#,
        r#"let red = faction("red");
           if me.owner == red { red.marks -= [place("b1")]; } else { red.marks.push(me.place); }"#,
    );
    let swaps = swaps.replaced(
        "scripts/tiny/game.rhai",
        "fn join(me) { ",
        r#"fn join(me) { me.owner.marks = [place("b1")]; "#,
    );
    assert!(played(&swaps).contains("marks gains c1"));
}

const SCENARIO: &str = r#"
game = "tiny"
units.red = ["scouts a1"]
units.blue = ["scouts c1"]
slots.game = { queue = "blue.scouts1" }
slots.red = { marks = "b1, a1", hand = "1, 2, 3", spells = "ice", bonds = "blue.scouts1:b1" }
"#;

/// The game with a question in the last step, and a scenario.
fn asking() -> Small {
    let asks = r#"choose(side, "bid", [1, 2]);"#;
    game()
        .replaced("scripts/tiny/game.rhai", "side.hand += [7, 3, 7];", asks)
        .with("scenarios/s", SCENARIO)
}

#[test]
fn a_scenario_and_an_edit_write_them_and_a_reload_carries_them_over() {
    let game = asking();
    let mut session = session(&game.workspace(), "s");
    assert_eq!(said(&mut session, "faction(\"red\").marks"), "[a1, b1, c1]");
    assert_eq!(
        said(&mut session, "game().queue"),
        "[blue.scouts1, red.scouts1, blue.scouts1]"
    );
    assert!(said(&mut session, ":edit red hand=9,8").contains("red  hand 1, 2, 3->9, 8"));
    assert_eq!(said(&mut session, "faction(\"red\").hand"), "[9, 8]");
    said(&mut session, ":undo");
    assert_eq!(said(&mut session, "faction(\"red\").hand"), "[1, 2, 3]");
    insta::assert_snapshot!(refused(&mut session, ":edit red hand=1,x"));
    insta::assert_snapshot!(refused(&mut session, ":edit red marks=a1,b1,c1,a1,a1"));
    insta::assert_snapshot!(refused(&mut session, ":edit red bonds=red.scouts1"));
    insta::assert_snapshot!(refused(&mut session, ":edit red spells=fier"));
    said(&mut session, "1");
    // A smaller limit keeps the first items.
    let slots = r#"fn slots() { let all = base(); all.faction.hand.at_most = 2; all.faction.marks.at_most = 2; all }"#;
    said(&mut session, &format!(":patch game {slots}"));
    assert_eq!(said(&mut session, "faction(\"red\").hand"), "[1, 2]");
    assert_eq!(said(&mut session, "faction(\"red\").marks"), "[a1, b1]");
    assert_eq!(
        said(&mut session, "faction(\"red\").bonds"),
        "[[blue.scouts1, b1]]"
    );
}
