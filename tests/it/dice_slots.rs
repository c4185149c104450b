//! Dice that lie on the table between steps: slots that hold pools.

use rulebench::kernel::dice::Pool;
use rulebench::kernel::ids::{FactionId, Thing};
use rulebench::report::Source;
use rulebench::scenario::run::{self, Overrides};
use rulebench::script::workspace::Workspace;
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
    Workspace::Folder("\0".into()).with(BTreeMap::from(files))
}

/// What lies on the table at the end, and the record.
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
        Pool::from_stored(table.world.slot(thing, index)).told()
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
        .map(|e| e.line(&table.rules, &table.words) + "\n");
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
        ("side.dice.raised(6, 40, 60)", "no die can show 46"),
        ("3", "the slot `dice` cannot hold number"),
    ] {
        let game = GAME.replace("side.dice.without(die)", take);
        let page = played(&game, POSITION).expect_err("refused");
        assert!(page.contains(said), "{page}");
    }
}

#[test]
fn a_declaration_that_no_dice_can_keep_is_refused() {
    for (holds, said) in [
        ("holds: \"dices\"", "a slot cannot hold `dices`"),
        ("holds: \"dice\", start: 3", "leave `start` out"),
        (
            "holds: \"dice\", at_zero: \"throw_dice\"",
            "dice do not come to 0",
        ),
    ] {
        let game = GAME.replace("kept: #{ holds: \"dice\"", &format!("kept: #{{ {holds}"));
        let page = played(&game, POSITION).expect_err("refused");
        assert!(page.contains(said), "{page}");
    }
}
