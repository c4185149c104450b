//! Choosing several things at once, and their order: one question with one answer.

use crate::support::{Copy, run_in_with};

/// A game in which red chooses two of four units and blue an order of three numbers.
const GAME: &str = r##"
fn board() { #{ factions: ["red", "blue"], hexes: [5, 1], stack: 4 } }
fn slots() { #{ unit: #{ mark: 0 }, faction: #{ score: 0 } } }
fn phases() { [#{ phase: "play", each: "faction", step: "act" }] }
fn act(side) {
    if side == first() {
        for unit in choose_several(side, "guards", side.units, 2) { add(unit, "mark", 1, "guard"); }
    } else {
        let digits = 0;
        for n in choose_order(side, "digits", 1..=3) { digits = 10 * digits + n; }
        add(side, "score", digits, "order");
    }
}
"##;

const SCENARIO: &str = r#"
game = "tiny"
title = "Two stand guard"
units.red = ["scouts a1", "scouts b1", "scouts c1", "scouts d1"]
"#;

fn workspace(game: &str, more: &str) -> Copy {
    let copy = Copy::of_nothing();
    copy.write("scripts/tiny/game.rhai", game);
    copy.write("units/tiny/scouts.rhai", "fn stats() { #{ symbol: \"Sc\" } }");
    copy.write("scenarios/tiny/it.toml", format!("{SCENARIO}{more}"));
    copy
}

#[test]
fn one_answer_lists_what_is_taken_and_is_played_again() {
    let copy = workspace(
        GAME,
        "answers = [\"red.scouts1 red.scouts3\", \"2 3 1\"]\nexpect = ['faction(\"blue\").score == 231']\n",
    );
    let shown = copy.run(&["run", "it"]).out;
    insta::assert_snapshot!(shown);
    // The transcript is played as it stands.
    copy.write("saved.snap", &shown);
    assert_eq!(copy.run(&["run", "saved.snap"]).out, shown);
}

#[test]
fn what_is_offered_is_told_and_what_is_not_is_refused() {
    let told = |answers: &str| {
        let ran = workspace(GAME, &format!("answers = [{answers}]\n")).run(&["run", "it"]);
        format!("{}{}", ran.out, ran.err)
    };
    insta::assert_snapshot!(told("\"red.scouts1\""));
    let why = |call: &str| {
        let game = GAME.replace("choose_several(side, \"guards\", side.units, 2)", call);
        let ran = workspace(&game, "open = \"first\"\n").run(&["run", "it"]);
        format!("{}{}", ran.out, ran.err)
    };
    insta::assert_snapshot!(why("choose_several(side, \"guards\", side.units, 5)"));
    insta::assert_snapshot!(why("choose_several(side, \"guards\", 1..=60, 7)"));
    for (call, part) in [
        (
            "choose_several(side, \"guards\", [\"two words\"], 1)",
            "single words, not a text",
        ),
        (
            "choose_several(side, \"guards\", [[1, 2]], 1)",
            "single words, not a list",
        ),
        (
            "choose_several(side, \"guards\", side, 1)",
            "goes through a list, units, places, dice or a range, not a faction",
        ),
        ("choose_several(side, \"guards\", [], -1)", "cannot take -1"),
        (
            "choose_several(side, \"guards\", [1, 2], 2, 1)",
            "cannot take 2 to 1 of 2",
        ),
        ("choose_order(side, \"guards\", 1..=30)", "in far too many ways"),
    ] {
        let told = why(call);
        assert!(told.contains(part), "{call}: {told}");
    }
    // Taking nothing has a key, and what can be answered in one way answers itself.
    let shown = why("choose_several(side, \"guards\", side.units, 0, 0)");
    assert!(shown.contains("red chose guards: none  (only option)"), "{shown}");
}

#[test]
fn the_prompt_agents_and_odds_take_several_at_once() {
    let copy = workspace(GAME, "");
    let ran = run_in_with(
        &copy.path("."),
        &["repl", "it"],
        "red.scouts2 red.scouts4\n:undo\n2\n:save back\n6\n:q\n",
    );
    let lines: Vec<&str> = ran
        .out
        .lines()
        .filter(|l| l.contains("mark 0->1") || l.contains("score 0->"))
        .collect();
    assert_eq!(lines.len(), 5, "{}", ran.out);
    assert!(lines[4].contains("blue  score 0->321"), "{}", ran.out);
    for open in ["random", "greedy"] {
        let copy = workspace(GAME, &format!("open = \"{open}\"\nseed = 5\n"));
        let ran = copy.run(&["run", "it"]);
        assert_eq!(ran.out.matches("mark 0->1").count(), 2, "{}{}", ran.out, ran.err);
    }
    let odds = copy.run(&["odds", "it", "--by", "unit(\"red.scouts1\").mark"]);
    insta::assert_snapshot!(format!("{}{}", odds.out, odds.err));
}

#[test]
fn of_several_that_are_mistyped_none_is_taken() {
    let copy = workspace(GAME, "");
    let typed = |lines: &str| run_in_with(&copy.path("."), &["repl", "it"], lines);
    // Numbers name ways to take two, and not the things.
    let ran = typed("1 3\n");
    assert!(ran.flat().contains("`1 3` is not offered"), "{}", ran.page());
    assert!(
        ran.flat().contains("things are named: `red.scouts1 red.scouts2`"),
        "{}",
        ran.page()
    );
    assert!(!ran.out.contains("mark 0->1"), "{}", ran.page());
    let ran = typed("1 red.scout3\n");
    assert!(
        ran.flat().contains("`1 red.scout3` is not offered"),
        "{}",
        ran.page()
    );
    assert!(
        ran.flat().contains("nothing of it was answered"),
        "{}",
        ran.page()
    );
    assert!(!ran.out.contains("mark 0->1"), "{}", ran.page());
    // What fits is a row, as ever.
    let ran = typed("red.scouts1 red.scouts3 2 3 1\n");
    assert!(ran.out.contains("blue  score 0->231"), "{}", ran.page());
}

#[test]
fn an_answer_is_kept_over_a_change_of_rules_while_it_is_offered() {
    let game = GAME.replace(
        "for unit in choose_several",
        "let how = choose_several(side, \"signs\", [\"x\", \"y\", \"z\"], 1, 2);\n        for unit in choose_several",
    );
    let copy = workspace(&game, "");
    let input = ":set extra=1\nx z\n:set extra=2\nred.scouts1 red.scouts2\n:q\n";
    copy.replace(
        "scripts/tiny/game.rhai",
        "fn slots()",
        "fn dials() { #{ extra: number(0, 0, 9) } }\nfn slots()",
    );
    copy.replace(
        "scripts/tiny/game.rhai",
        "[\"x\", \"y\", \"z\"]",
        "if extra == 2 { [\"w\", \"x\", \"y\", \"z\"] } else { [\"x\", \"y\", \"z\"] }",
    );
    let shown = run_in_with(&copy.path("."), &["repl", "it"], input).out;
    assert!(shown.contains("red.scouts2  mark 0->1"), "{shown}");
    let record = run_in_with(
        &copy.path("."),
        &["repl", "it"],
        &input.replace(":q", ":transcript\n:q"),
    )
    .out;
    assert!(record.contains("red chose signs: x z"), "{record}");
}

/// Dice that show the same are as many dice.
#[test]
fn what_is_there_several_times_can_be_taken_as_often() {
    let asks = |call: &str, more: &str| {
        let game = GAME
            .replace("choose_several(side, \"guards\", side.units, 2)", "side.units")
            .replace("choose_order(side, \"digits\", 1..=3)", call);
        let ran = workspace(&game, more).run(&["run", "it"]);
        format!("{}{}", ran.out, ran.err)
    };
    let dice = "choose_several(side, \"digits\", roll(side, \"luck\", 3, 6), 2)";
    let shown = asks(
        dice,
        "rolls.luck = [[6, 3, 6]]\nanswers = [\"6 6\"]\nexpect = ['faction(\"blue\").score == 66']\n",
    );
    assert!(
        shown.contains("blue chose digits: 6 6\n") && shown.contains("score 0->66"),
        "{shown}"
    );
    let shown = asks(dice, "rolls.luck = [[6, 3, 6]]\nanswers = [\"6 7\"]\n");
    assert!(shown.contains("offered: 3 6, 6 6"), "{shown}");
    // Equal ways are one way: two equal dice of two answer themselves.
    let shown = asks(dice, "rolls.luck = [[6, 6, 6]]\n");
    assert!(shown.contains("blue chose digits: 6 6  (only option)"), "{shown}");
    let order = "choose_order(side, \"digits\", [2, 1, 2])";
    let shown = asks(order, "answers = [\"2 1 2\"]\n");
    assert!(shown.contains("score 0->212"), "{shown}");
    let shown = asks(order, "answers = [\"1 2\"]\n");
    assert!(shown.contains("offered: 2 2 1, 2 1 2, 1 2 2"), "{shown}");
    // What would read alike without being the same is refused.
    for (things, why) in [
        (
            "[3, \"3\", 1], 2",
            "two options read `3`: a word, and the thing of that name",
        ),
        (
            "[\"none\", \"all\"], 0, 1",
            "two options read `none`: the word, and taking nothing",
        ),
    ] {
        let shown = asks(&format!("choose_several(side, \"digits\", {things})"), "");
        assert!(shown.contains(why), "{shown}");
    }
}

#[test]
fn what_is_taken_together_is_named_in_whatever_order() {
    for answer in ["red.scouts3 red.scouts1", "guards: red.scouts3 red.scouts1"] {
        let copy = workspace(GAME, &format!("answers = [\"{answer}\", \"2 3 1\"]\n"));
        let shown = copy.run(&["run", "it"]);
        assert_eq!(shown.status, 0, "{}", shown.page());
        assert!(shown.out.contains("red chose guards: red.scouts1 red.scouts3"));
        // A record that was made where they were offered otherwise is played again.
        let turned = "red chose guards: red.scouts3 red.scouts1";
        copy.write(
            "saved.snap",
            shown
                .out
                .replace("red chose guards: red.scouts1 red.scouts3", turned),
        );
        let again = copy.run(&["run", "saved.snap"]);
        assert!(
            again.out.contains("red chose guards: red.scouts1 red.scouts3"),
            "{}",
            again.page()
        );
    }
    let copy = workspace(GAME, "");
    let prompt = run_in_with(&copy.path("."), &["repl", "it"], "red.scouts3 red.scouts1\n");
    assert!(
        prompt.out.contains("red chose guards: red.scouts1 red.scouts3"),
        "{}",
        prompt.page()
    );
    // Each as often as it is there, and an order is an order.
    let numbers = GAME.replace(
        "choose_several(side, \"guards\", side.units, 2)",
        "choose_several(side, \"guards\", [1, 2, 2], 3)",
    );
    let numbers = numbers.replace("add(unit, \"mark\", 1, \"guard\");", "");
    let copy = workspace(
        &numbers,
        "answers = [\"2 1 2\", \"2 3 1\"]\nexpect = ['faction(\"blue\").score == 231']\n",
    );
    assert_eq!(copy.run(&["run", "it"]).status, 0);
    let copy = workspace(&numbers, "answers = [\"1 1 2\"]\n");
    assert_ne!(copy.run(&["run", "it"]).status, 0);
}
