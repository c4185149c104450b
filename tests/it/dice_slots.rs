//! Dice that lie on the table between steps: slots that hold pools.

use crate::support::{Copy, run_in_with};
use rulebench::kernel::dice::Pool;
use rulebench::kernel::ids::{FactionId, Thing};
use rulebench::report::Source;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::{self, Overrides};
use std::collections::BTreeMap;

const GAME: &str = r##"
    fn board() { #{ factions: ["red", "blue"], hexes: [3, 1] } }
    fn slots() { #{
        faction: #{ dice: #{ holds: "dice" } },
        unit: #{ kept: #{ holds: "dice" } },
    } }
    fn phases() { [#{ phase: "fight", repeat: true, phases: [
        #{ phase: "throw", each: "faction", step: "throw_dice" },
        #{ phase: "turn", each: "faction", step: "take" },
    ] }] }
    fn throw_dice(side) { side.dice = side.dice + roll(side, "luck", 3, 6); }
    fn take(side) {
        let die = choose(side, "take", side.dice);
        side.dice = side.dice.without(die);
        for unit in side.units { unit.kept = unit.kept.plus(die).raised(die, 1, 6); }
    }
"##;

fn workspace(game: &str) -> Workspace {
    let files = [
        ("scripts/throws/game.rhai", game),
        ("units/throws/scouts.rhai", "fn stats() { #{ symbol: \"Sc\" } }"),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    // A folder that cannot be: there is nothing but these files.
    Workspace::at("\0").with(BTreeMap::from(files))
}

/// Plays a scenario and returns the dice in slots at the end, and the transcript.
fn played(game: &str, scenario: &str) -> Result<String, String> {
    let page = |p: rulebench::report::Problems| p.page(false);
    let workspace = workspace(game);
    let opened = run::open_in(&workspace, &Source::new("throws.toml", scenario)).map_err(page)?;
    let ran = run::run(&workspace, &opened, &Overrides::default()).map_err(page)?;
    if let Some(problem) = ran.problems.into_iter().chain(ran.unmet).next() {
        return Err(page(problem.into()));
    }
    let table = ran.play.table();
    let show = |thing: Thing, slot: &str| {
        let index = table.rules.slots.find(thing, slot).expect("a slot");
        Pool::from_stored(table.world.slot(thing, index)).sentence()
    };
    let mut text = String::new();
    for (index, faction) in table.rules.factions.iter().enumerate() {
        let id = FactionId(index as u8);
        text += &format!("{faction}: {}", show(Thing::Faction(id), "dice"));
        for unit in table.world.owned(id) {
            text += &format!("; {}", show(Thing::Unit(unit), "kept"));
        }
        text += "\n";
    }
    let events = table
        .events
        .iter()
        .map(|e| rulebench::event_text::line(e, &table.rules, &table.words) + "\n");
    text.extend(events);
    Ok(text)
}

const POSITION: &str = r#"
    game = "throws"
    units.red = ["scouts a1 kept=6,5"]
    units.blue = ["scouts c1 kept=3"]
    slots.red = { dice = "4 1" }
    slots.blue = { dice = "none" }
    until = "end of fight 1"
    rolls = { luck = [[2, 3, 6], [1, 2, 5]] }
    answers = ["2", "5"]
    expect = ['faction("red").dice.total == 14']
"#;

#[test]
fn dice_stay_on_the_table_between_steps_and_rolls_alone_are_on_record() {
    insta::assert_snapshot!(played(GAME, POSITION).unwrap_or_else(|page| panic!("{page}")));
}

#[test]
fn a_slot_of_dice_starts_anew_with_its_phase() {
    let game = GAME.replacen("holds: \"dice\"", "holds: \"dice\", lasts: \"fight\"", 1);
    let emptied = POSITION.replace("== 14", "== 0");
    let end = played(&game, &emptied).unwrap_or_else(|page| panic!("{page}"));
    assert!(
        end.starts_with("red: no dice; dice 3 5 6\nblue: no dice; dice 3 6\n"),
        "{end}"
    );
}

#[test]
fn dice_that_cannot_be_are_refused_where_they_are_written() {
    for (good, bad) in [("\"4 1\"", "\"4 x\""), ("\"4 1\"", "true"), ("kept=3", "kept=32")] {
        let page = played(GAME, &POSITION.replace(good, bad)).expect_err("refused");
        assert!(
            page.contains("cannot be `") && page.contains("at most 12 dice"),
            "{page}"
        );
    }
}

#[test]
fn rules_that_take_a_die_that_is_not_there_say_which_dice_are() {
    for (take, said) in [
        ("side.dice.without(7)", "there is no 7 among the dice 1 2 3 4 6"),
        ("no_dice().without(7)", "there is no 7 among no dice"),
        (
            "side.dice.raised(5, 1, 6)",
            "there is no 5 among the dice 1 2 3 4 6",
        ),
        ("side.dice.raised(6, 2000, 2000)", "no die can show 2006"),
        (
            "side.dice.raised(6, 40, 60)",
            "the slot `dice` cannot hold the dice 1 2 3 4 46: in a slot",
        ),
        ("3", "the slot `dice` cannot hold number"),
    ] {
        let game = GAME.replace("side.dice.without(die)", take);
        let page = played(&game, POSITION).expect_err("refused");
        assert!(page.contains(said), "{page}");
    }
}

#[test]
fn dice_are_edited_as_the_note_on_them_says() {
    let copy = Copy::of_nothing();
    copy.write("scripts/throws/game.rhai", GAME)
        .write("units/throws/scouts.rhai", "fn stats() { #{ symbol: \"Sc\" } }")
        .write(
            "scenarios/throws/it.toml",
            "game = \"throws\"\nunits.red = [\"scouts a1\"]\nunits.blue = [\"scouts c1\"]\n",
        );
    let saved = copy.path("saved.txt").display().to_string();
    let lines = format!(
        ":edit red dice=\"2 3 6\"\nfaction(\"red\").dice\n:edit red dice=2,3,5\nfaction(\"red\").dice\n\
         :edit red dice=\"7 x\"\n:edit red dice=\"1 2\"\n:save {saved}\n"
    );
    let ran = crate::support::run_in_with(&copy.path(""), &["repl", "it"], &lines);
    for told in ["dice 2 3 6\n", "dice 2 3 5\n", "the slot `dice` cannot be `7 x`"] {
        assert!(ran.page().contains(told), "{told}: {}", ran.page());
    }
    // What is written of it is read again.
    let ran = crate::support::run_in_with(&copy.path(""), &["repl", &saved], "faction(\"red\").dice\n");
    assert!(ran.page().contains("dice 1 2\n"), "{}", ran.page());
}

#[test]
fn a_declaration_that_no_dice_can_keep_is_refused() {
    for (holds, said) in [
        ("holds: \"dices\"", "`holds` cannot be `dices`"),
        ("holds: \"dice\", start: 3", "leave `start` out"),
        ("holds: \"dice\", at_zero: \"throw_dice\"", "leave `at_zero` out"),
    ] {
        let game = GAME.replace("kept: #{ holds: \"dice\"", &format!("kept: #{{ {holds}"));
        let page = played(&game, POSITION).expect_err("refused");
        assert!(page.contains(said), "{page}");
    }
}

/// A hundred dice of a thousand sides: on record as a few are, found again in it, and kept over a change of rules.
#[test]
fn a_roll_is_of_many_dice_with_many_sides() {
    let copy = Copy::of_nothing();
    let game = r##"
        fn board() { #{ factions: ["red", "blue"], hexes: [3, 1] } }
        fn slots() { #{ faction: #{ score: 0 } } }
        fn phases() { [#{ phase: "fight", each: "faction", step: "act" }] }
        fn act(side) {
            let dice = roll(side, "storm", 100, 1000);
            let again = if dice == roll(side, "hail", 100, 1000) { 0 } else { 1 };
            let same = if dice == dice.without(dice.lowest).plus(dice.lowest) { 1 } else { 0 };
            let die = choose(side, "take", dice);
            add(side, "score", die + 10000 * again * same * dice.len, "storm");
        }
    "##;
    copy.write("scripts/tiny/game.rhai", game);
    copy.write(
        "scenarios/tiny/it.toml",
        "game = \"tiny\"\ntitle = \"A storm\"\nopen = \"first\"\nseed = 3\n",
    );
    let ran = copy.run(&["run", "it"]);
    let rolled: Vec<&str> = ran.out.lines().filter(|l| l.contains("rolled storm: ")).collect();
    assert_eq!(rolled.len(), 2, "{}{}", ran.out, ran.err);
    let dice = |line: &str| -> Vec<i64> {
        let values = line.rsplit(": ").next().unwrap_or_default().split(' ');
        values.map(|v| v.parse().expect("a number")).collect()
    };
    let storm = dice(rolled[0]);
    assert!(
        storm.len() == 100 && storm.is_sorted() && storm[99] > 900,
        "{storm:?}"
    );
    assert!(
        ran.out
            .contains(&format!("red  score 0->{}", 1_000_000 + storm[0])),
        "{}",
        ran.out
    );
    assert_eq!(copy.run(&["run", "it"]).out, ran.out);
    copy.write("saved.snap", &ran.out);
    assert_eq!(copy.run(&["run", "saved.snap"]).out, ran.out);
    // Dice that the scenario says, and a save under changed rules.
    let values = format!("{:?}", [1000; 100]);
    let scripted = format!("rolls.storm = [{values}, {values}]\n");
    let text = format!("game = \"tiny\"\ntitle = \"A storm\"\nopen = \"first\"\n{scripted}");
    copy.write("scenarios/tiny/it.toml", &text);
    let told = copy.run(&["run", "it"]).out;
    assert!(told.contains("red  score 0->1001000"), "{told}");
    let input = ":set bonus=1\n:transcript\n:q\n";
    copy.replace(
        "scripts/tiny/game.rhai",
        "fn slots()",
        "fn dials() { #{ bonus: number(0, 0, 1) } }\nfn slots()",
    );
    let kept = run_in_with(&copy.path("."), &["repl", "it"], input);
    let scripted = format!("red rolled storm: {}", ["1000"; 100].join(" "));
    assert!(kept.out.contains(&scripted), "{}", kept.out);
    // What no roll can be is refused.
    for (roll, wrong) in [
        ("101, 1000", "not 101 with 1000"),
        ("100, 1001", "not 100 with 1001"),
    ] {
        copy.write("scripts/tiny/game.rhai", game.replacen("100, 1000", roll, 1));
        let ran = copy.run(&["run", "it"]);
        let why = format!("a roll is of 1 to 100 dice with 2 to 1000 sides, {wrong}");
        assert!(ran.flat().contains(&why), "{}{}", ran.out, ran.err);
    }
    // Of so many dice nobody counts the ways, and that is said.
    copy.write("scripts/tiny/game.rhai", game);
    copy.write("scenarios/tiny/it.toml", "game = \"tiny\"\ntitle = \"A storm\"\n");
    let odds = copy.run(&["odds", "it", "--by", "faction(\"red\").score"]).flat();
    assert!(
        odds.contains("comes in more ways than can be counted one by one"),
        "{odds}"
    );
}
