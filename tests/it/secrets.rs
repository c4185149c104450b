//! Slots and units that outlast a phase hidden: what each faction sees of them, and where that is told.

use crate::support::{Small, brief, problems, refused, root, said, session};
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::{self, Overrides};

/// Each side has a hidden card, and a scout that comes unseen.
const GAME: &str = r##"
fn board() { #{ factions: ["red", "blue"], squares: [4, 1] } }
fn slots() { #{
    faction: #{ card: #{ start: 0, hidden: true }, shown: 0 },
    unit: #{
        up: false,
        rank: #{ start: 3, hidden: "down" },
        down: true,
        lurks: #{ start: false, hides: true },
    },
} }
fn phases() { [#{ phase: "round", repeat: true, each: "faction", step: "turn" }] }
fn turn(side) {
    side.card = choose(side, "card", [1, 2, 3]);
    if choose(side, "show", ["yes", "no"]) == "yes" { side.shown = side.card; }
}
"##;

fn game() -> Small {
    Small::new(GAME).with("units/scouts", "fn stats() { #{ symbol: \"S\" } }")
}

#[test]
fn a_hidden_slot_is_declared_so_that_all_of_it_can_be_left_out() {
    for (old, new, expected) in [
        (
            "hidden: \"down\"",
            "hidden: \"dwn\"",
            "wrong-value(`hidden`, `true`, or a slot of the same thing that is true or false) at 7:28",
        ),
        (
            "hidden: \"down\"",
            "hidden: \"rank\"",
            "wrong-value(`hidden`, `true`, or a slot of the same thing that is true or false) at 7:28",
        ),
        (
            "hidden: true",
            "hidden: 1",
            "wrong-value(`hidden`, `true`, or a slot of the same thing that is true or false) at 4:36",
        ),
        (
            "hidden: true",
            "hidden: true, quiet: true",
            "exclusive-keys(hidden, quiet) at 4:50",
        ),
        (
            "down: true,",
            "down: #{ start: true, lasts: \"round\" },",
            "unseen-hiding(down, lasts) at 8:31",
        ),
        (
            "hides: true",
            "hides: true, quiet: true",
            "unseen-hiding(lurks, quiet) at 9:46",
        ),
        (
            "start: false, hides: true",
            "start: 0, hides: true",
            "misplaced-key(hides, a slot of a unit that is true or false) at 9:9",
        ),
        (
            "shown: 0",
            "shown: #{ start: false, hides: true }",
            "misplaced-key(hides, a slot of a unit that is true or false) at 4:52",
        ),
    ] {
        let found = game().replaced("scripts/tiny/game.rhai", old, new).problems(&[]);
        let found: Vec<String> = found
            .iter()
            .map(|p| p.replace("scripts/tiny/game.rhai:", ""))
            .collect();
        assert_eq!(found, [expected], "{new}");
    }
}

#[test]
fn a_faction_reads_in_expectations_what_it_sees() {
    let base = "game = \"tiny\"\nunits.red = [\"scouts a1 lurks\", \"scouts b1\"]\n\
                answers = [\"2\", \"no\"]\nexpect = ['EXPECTED']\n";
    let problems = |expected: &str| {
        let small = game().with("scenarios/one", &base.replace("EXPECTED", expected));
        let workspace = small.workspace();
        let source = workspace
            .read("scenarios/tiny/one.toml")
            .unwrap_or_else(|p| panic!("{p}"));
        let opened = run::open(&source).unwrap_or_else(|p| panic!("{p}"));
        let ran = run::run(&workspace, &opened, &Overrides::default()).unwrap_or_else(|p| panic!("{p}"));
        ran.problems
            .iter()
            .chain(&ran.unmet)
            .map(brief)
            .collect::<Vec<_>>()
    };
    for held in [
        "faction(\"red\").card == 2",
        "as red: faction(\"red\").card == 2",
        "as blue: faction(\"red\").shown == 0 && units().len == 1",
        "as red: units().len == 2",
        "!sees(faction(\"blue\"), \"chose card\") && !sees(faction(\"blue\"), \"chose show\")",
        "sees(faction(\"red\"), \"chose card\")",
    ] {
        assert_eq!(problems(held), [""; 0], "{held}");
    }
    for (wrong, expected) in [
        (
            "as blue: faction(\"red\").card == 2",
            "hidden-slot(blue, `card` of red) at 4:21",
        ),
        (
            "as blue: unit(\"red.scouts2\").rank == 3",
            "hidden-slot(blue, `rank` of red.scouts2) at 4:21",
        ),
        (
            "as blue: unit(\"red.scouts1\").alive",
            "hidden-unit(blue, red.scouts1) at 4:21",
        ),
        ("as blu: true", "unknown-name(faction, blu) at 4:15"),
        ("as blue: units().len == 2", "unmet-expectation at 4:11"),
    ] {
        let found: Vec<String> = problems(wrong)
            .iter()
            .map(|p| p.replace("scenarios/tiny/one.toml:", ""))
            .collect();
        assert_eq!(found, [expected], "{wrong}");
    }
}

/// A line of the prompt, in the example.
#[test]
fn the_prompt_shows_each_faction_what_it_sees() {
    let workspace = Workspace::at(root().join("examples/ambush"));
    let mut session = session(&workspace, "scenarios/ambush/a-scout-in-the-way.toml");
    let units = said(&mut session, ":units");
    assert!(!units.contains("scouts1"), "{units}");
    let row = |text: &str, unit: &str| {
        let line = text.lines().find(|line| line.starts_with(unit));
        line.unwrap_or_default()
            .split_whitespace()
            .last()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(
        (row(&units, "red.tokens1"), row(&units, "blue.tokens1")),
        ("?".to_owned(), "4".to_owned())
    );
    assert_eq!(said(&mut session, "units().len").trim(), "3");
    let hidden = problems(&mut session, "unit(\"red.tokens1\").rank");
    assert_eq!(hidden, ["hidden-slot(blue, `rank` of red.tokens1) at input:1:1"]);
    assert_eq!(
        problems(&mut session, "= as red: 1"),
        ["other-view(blue, red) at input:1:1"]
    );
    for line in [":why", ":why-not c2", ":odds", ":trace 5"] {
        let text = refused(&mut session, line);
        assert!(text.contains(":alone on"), "{line}: {text}");
    }
    let edited = problems(&mut session, ":edit move red.scouts1 a1");
    assert!(
        edited[0].starts_with("unknown-name(unit, red.scouts1)"),
        "{edited:?}"
    );
    let edited = problems(&mut session, ":edit red.tokens1 rank=4");
    assert!(
        edited[0].starts_with("change-of-a-hidden-slot(rank)"),
        "{edited:?}"
    );
    // The negative control: one person who plays both sides sees it all.
    said(&mut session, ":alone on");
    assert_eq!(row(&said(&mut session, ":units"), "red.scouts1"), "5");
    assert_eq!(said(&mut session, "= as blue: units().len").trim(), "3");
    said(&mut session, ":why-not c2");
}
