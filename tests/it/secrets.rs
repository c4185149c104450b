//! Slots and units that outlast a phase hidden: what each faction sees of them, and where that is told.

use crate::support::{Small, brief, problems, refused, root, said, session};
use rulebench::agents::Agent;
use rulebench::play::{Play, Progress};
use rulebench::repl::session::Session;
use rulebench::report::Source;
use rulebench::rules::workspace::Workspace;
use rulebench::scenario::file::ScenarioFile;
use rulebench::stage::run::{self, OpenedFile, Overrides};

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

/// The question that a scenario of the example comes to, in other words for what blue does not see.
fn asked(replaced: &[(&str, &str)]) -> Play {
    let workspace = Workspace::at(root().join("examples/ambush"));
    let source = workspace.read("scenarios/ambush/a-scout-in-the-way.toml");
    let mut text = source.unwrap_or_else(|p| panic!("{p}")).text.clone();
    for (old, new) in replaced {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    opened(&workspace, &text)
}

fn opened(workspace: &Workspace, text: &str) -> Play {
    let file = ScenarioFile::parse(Source::new("s.toml", text)).unwrap_or_else(|p| panic!("{p}"));
    let played = run::run(workspace, &OpenedFile::from(file), &Overrides::default());
    let mut play = played.unwrap_or_else(|p| panic!("{p}")).play;
    assert_eq!(play.run_on(), Progress::Asks);
    play
}

fn chosen(play: &mut Play, agent: &str) -> (String, String) {
    let agent = Agent::find(agent).unwrap_or_else(|p| panic!("{p}"));
    let before = (play.position(), play.events());
    let decision = agent.choose(play, 1).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!((play.position(), play.events()), before, "it only looks");
    let key = play.with_question(|a| a.keys()[decision.index].clone());
    (key.expect("it is asked"), decision.why)
}

/// Ranks and places that blue does not see change neither the answer of an agent nor the text of its reason.
#[test]
fn no_agent_sees_hidden_slots_or_units_of_others() {
    for agent in ["greedy", "mcts:40"] {
        let red = "\"tokens b2 rank=2\", \"scouts c2 rank=5 lurks=true\"";
        let three = |one: u8, other: u8, at: &str| {
            let units = format!(
                "\"tokens b2 rank={one}\", \"tokens b1 rank={other}\", \"scouts {at} rank=5 lurks=true\""
            );
            chosen(&mut asked(&[(red, &units)]), agent)
        };
        let first = three(1, 4, "c2");
        assert!(!first.1.contains("left out"), "{}", first.1);
        for (one, other, at) in [(4, 1, "c2"), (1, 4, "d1"), (4, 1, "a3")] {
            assert_eq!(three(one, other, at), first, "{agent}: {one}, {other}, {at}");
        }
    }
}

/// Secret answers are drawn anew: only what blue has seen since counts.
#[test]
fn agents_draw_anew_what_was_answered_in_secret() {
    let workspace = Workspace::at(root().join("examples/ambush"));
    for agent in ["greedy", "mcts:40"] {
        let play = |ranks: [u8; 4], scout: &str, moves: &str| {
            let ranks = ranks.map(|n| format!("\"rank: red.tokens{n}\"")).join(", ");
            let text = format!(
                "game = \"ambush\"\nanswers = [{ranks}, \"scout: red.scouts1 {scout}\", \"rank: blue.tokens1\", \
                 \"rank: blue.tokens2\", \"rank: blue.tokens3\", \"blue.tokens4\", \"scout: c4\", {moves}]\n"
            );
            chosen(
                &mut opened(
                    &workspace,
                    &text.replace("red.scouts1 ", "").replace(", \"blue.tokens4\"", ""),
                ),
                agent,
            )
        };
        let moves = "\"step: red.tokens1 a2\"";
        let first = play([1, 2, 3, 4], "c2", moves);
        assert!(!first.1.contains("left out"), "{}", first.1);
        for ranks in [[4, 3, 2, 1], [2, 1, 4, 3]] {
            for scout in ["b2", "d2"] {
                assert_eq!(play(ranks, scout, moves), first, "{agent}: {ranks:?}, {scout}");
            }
        }
    }
}

/// An option is told by its key, so it must not name what is hidden.
#[test]
fn no_faction_is_offered_a_unit_that_it_cannot_see() {
    let turn = "fn turn(side) { if side == faction(\"blue\") { choose(side, \"target\", side.foe.units); } }";
    let at = GAME.find("fn turn").expect("it is there");
    let game = format!("{}{turn}", &GAME[..at]);
    let small = Small::new(&game).with("units/scouts", "fn stats() { #{ symbol: \"S\" } }");
    let text = |lurks: &str| format!("game = \"tiny\"\nunits.red = [\"scouts a1{lurks}\", \"scouts b1\"]\n");
    let play = |lurks: &str| {
        let file = ScenarioFile::parse(Source::new("s.toml", text(lurks))).unwrap_or_else(|p| panic!("{p}"));
        let played = run::run(&small.workspace(), &OpenedFile::from(file), &Overrides::default());
        played.unwrap_or_else(|p| panic!("{p}"))
    };
    let failed = play(" lurks").problems;
    let expected = "red.scouts1 is offered to blue, which cannot see it: offer only what is not hidden";
    assert_eq!(failed[0].message, expected);
    assert_eq!(play("").play.with_question(|a| a.keys().len()), Some(2));
}

/// Slots are carried over by name, whatever hides them then.
#[test]
fn a_change_of_rules_keeps_what_is_hidden() {
    let small = game().with(
        "scenarios/one",
        "game = \"tiny\"\nunits.red = [\"scouts a1 rank=7\"]\nanswers = [\"2\", \"no\"]\n",
    );
    let mut session = session(&small.workspace(), "scenarios/tiny/one.toml");
    let read = ["faction(\"red\").card", "unit(\"red.scouts1\").rank"];
    let hidden = |session: &mut Session| {
        read.map(|text| {
            problems(session, text)[0]
                .split('(')
                .next()
                .unwrap_or_default()
                .to_owned()
        })
    };
    assert_eq!(hidden(&mut session), ["hidden-slot", "hidden-slot"]);
    // The patched game hides the rank no more.
    said(
        &mut session,
        ":patch game fn slots() { let s = base(); s.unit.rank.hidden = false; s }",
    );
    assert_eq!(said(&mut session, read[1]).trim(), "7");
    assert!(refused(&mut session, read[0]).contains("hidden"));
    said(&mut session, ":alone on");
    assert_eq!(said(&mut session, read[0]).trim(), "2");
}
