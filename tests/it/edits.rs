//! Changes by hand on the table: what they do, what they refuse, and that saves hold them.

use crate::support::{Copy, Small, problems, root, said, session};
use proptest::prelude::*;
use rulebench::agents::Agent;
use rulebench::description::change;
use rulebench::kernel::table::Reply as Answered;
use rulebench::play::carry::Carry;
use rulebench::play::{Play, Progress};
use rulebench::repl::session::Session;
use rulebench::report::Source;
use rulebench::rules::declare::DialValue;
use rulebench::rules::workspace::Workspace;
use rulebench::scenario::file::ScenarioFile;
use rulebench::stage::run::{self, Overrides, PlayStop};
use rulebench::stage::{edit, transcribe};
use rulebench::transcript::{Line, Transcript};

fn root_workspace() -> Workspace {
    Workspace::at(root())
}

fn refused(session: &mut Session, line: &str) -> String {
    let before = seen(&session.play);
    let reply = session.line(line);
    assert!(reply.failed(), "{line}: {}", reply.print());
    assert!(seen(&session.play) == before, "{line} has changed something");
    reply.print()
}

/// All that a play is: position, record, question, chapters.
type Seen = (
    rulebench::kernel::table::Position,
    Vec<String>,
    Option<Vec<String>>,
    usize,
);

fn seen(play: &Play) -> Seen {
    (
        play.position(),
        play.lines_from(0),
        play.with_question(|a| a.keys()),
        play.chapters().len(),
    )
}

/// The same with a position whose words have the ids that they have in another play: what ids texts get
/// depends on the order in which they were first said.
fn seen_as(play: &Play, other: &Play) -> Seen {
    let (from, to) = (play.table(), other.table());
    let mut words = to.words.clone();
    let carry = Carry::new(&from.rules, &from.words, &to.rules, &mut words).expect("the same factions");
    let mut seen = seen(play);
    seen.0 = carry.position(&seen.0).expect("the same rules");
    seen
}

/// Saves a play, loads the save and returns the loaded play.
fn loaded(workspace: &Workspace, play: &Play, file: &ScenarioFile) -> Play {
    let stopped = match play.is_asking() {
        true => PlayStop::Asks,
        false => PlayStop::Over,
    };
    let saved = transcribe::saved(play, file, &run::end_of(play, &stopped));
    let text = saved.print();
    let source = Source::new("saved", text.clone());
    let parsed = Transcript::parse(&source).unwrap_or_else(|p| panic!("{p}\n{text}"));
    assert_eq!(parsed, saved);
    assert_eq!(parsed.print(), text);
    let opened = run::open(&source).unwrap_or_else(|p| panic!("{p}"));
    let again = run::run(workspace, &opened, &Overrides::default()).unwrap_or_else(|p| panic!("{p}"));
    assert!(again.problems.is_empty(), "{:?}\n{text}", again.problems);
    assert_eq!(
        transcribe::saved(&again.play, &again.file, &run::end_of(&again.play, &stopped)).print(),
        text
    );
    again.play
}

fn saves_to_itself(session: &Session) {
    let again = loaded(&session.rules.workspace, &session.play, &session.set_up.file);
    assert!(seen_as(&again, &session.play) == seen(&session.play));
}

const CHARGE: &str = r#"
game = "smalltricks"
title = "A charge"
units.red = ["mounted c3", "archers a1"]
units.blue = ["spears c4", "cannons f6"]
"#;

fn charge() -> (Copy, Session) {
    let copy = Copy::of_rules();
    copy.write("scenarios/smalltricks/it.toml", CHARGE);
    let workspace = Workspace::at(copy.path("."));
    let session = session(&workspace, "it");
    (copy, session)
}

#[test]
fn units_are_placed_moved_and_removed_and_undo_takes_each_back_as_one() {
    let (_copy, mut session) = charge();
    let start = seen(&session.play);
    let told = said(&mut session, ":edit place red.archers b2 life=3");
    assert!(
        told.starts_with("red.archers2  placed in b2\nred.archers2  life 5->3\n"),
        "{told}"
    );
    // It may be activated in the turn that is under way.
    assert!(told.contains("red activates: "), "{told}");
    assert!(told.contains("red.archers2"), "{told}");
    let told = said(
        &mut session,
        ":edit move red.archers2 b3; reserve blue.cannons1 ; remove red.archers1",
    );
    assert!(
        told.starts_with("red.archers2  b2->b3\nblue.cannons1  f6->reserve\nred.archers1  removed\n"),
        "{told}"
    );
    assert_eq!(said(&mut session, "unit(\"blue.cannons1\").place == ()"), "true");
    saves_to_itself(&session);
    said(&mut session, "red.archers2");
    assert_eq!(
        said(&mut session, ":undo"),
        "took back 1 answer\nred activates: 1 red.mounted1  3 red.archers2"
    );
    let told = said(&mut session, ":undo");
    assert!(
        told.starts_with("took back `move red.archers2 b3; reserve blue.cannons1; remove red.archers1`\n"),
        "{told}"
    );
    said(&mut session, ":undo");
    assert!(seen(&session.play) == start);
    refused(&mut session, ":undo");
}

#[test]
fn slots_of_units_factions_places_and_the_game_are_set_whatever_they_hold() {
    let game = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 2], engaged: "same place" } }
fn stats() { #{ life: 3 } }
fn slots() { #{
    unit: #{ life: 0, tired: false, foe: #{ holds: "unit" }, home: #{ holds: "place" }, of: #{ holds: "faction" } },
    faction: #{ gold: 1 }, place: #{ mud: 0 }, game: #{ day: 0, night: false },
} }
fn phases() { [ #{ phase: "all", repeat: true, contest: "game", phases: [ #{ phase: "picks", each: "faction", step: "pick" } ] } ] }
fn pick(side) { side.gold += choose(side, "number", [1, 2, 3]); if side.gold > 9 { win(side, "gold"); } }
"#;
    let small = Small::new(game).with("units/token", "fn stats() { #{} }\n").with(
        "scenarios/it",
        "game = \"tiny\"\nunits.red = [\"token a1\"]\nunits.blue = [\"token b2\"]\n",
    );
    let mut session = session(&small.workspace(), "it");
    said(&mut session, "2");
    let told = said(
        &mut session,
        ":edit red.token1 tired foe=blue.token1 home=b1 of=blue; red gold=7; a2 mud=-1; game day=3 night=true",
    );
    assert!(
        told.starts_with(
            "red.token1  tired no->yes\nred.token1  foe nobody->blue.token1\nred.token1  home nowhere->b1\n\
             red.token1  of none->blue\nred  gold 3->7\na2  mud 0->-1\ngame  day 0->3\ngame  night no->yes"
        ),
        "{told}"
    );
    assert_eq!(said(&mut session, "unit(\"red.token1\").foe"), "blue.token1");
    assert_eq!(said(&mut session, "game().day"), "3");
    saves_to_itself(&session);
    said(&mut session, ":edit red.token1 foe=none tired=false");
    for (line, why) in [
        ("red.token1 lif=2", "did you mean `life`?"),
        ("red.token1 life=many", "a whole number"),
        ("red.token1 foe=red.token9", "a unit's name"),
        ("red.token1 home=z9", "a place on the board"),
        ("red.token1 b1", "did you mean `move red.token1 b1`?"),
        ("red.tokn1 life=2", "did you mean `red.token1`?"),
        ("red golt=2", "did you mean `gold`?"),
        ("game dya=2", "did you mean `day`?"),
        ("red.token1", "`red.token1` is not a change"),
        ("moev red.token1 b1", "did you mean `move`?"),
        ("red.token1 life=2 life=3", "given twice"),
        ("place red.token", "needs a place"),
        ("place red token", "does not name a faction"),
        ("place rde.token a1", "did you mean `red`?"),
        ("place red.tokn a1", "did you mean `token`?"),
        ("place red.token1 a1", "`move red.token1 PLACE`"),
        ("place red.token4 a1", "its number comes by itself"),
        ("place red.token c9", "places are a1 to b2"),
        ("move red.token1 c9", "off the board"),
        ("move red.token1", "needs a place"),
        ("move red.token1 a1 a2", "unexpected `a2`"),
        ("remove blue.token2", "there is no unit `blue.token2`"),
        ("; ;", "needs a change"),
        ("set", "`set` is not a change"),
        ("set max=2", "there is no dial `max`"),
        ("set max=2; red gold=1", "a line of its own"),
        ("", "needs a change"),
    ] {
        let page = refused(&mut session, &format!(":edit {line}"));
        assert!(page.contains(why), "{line}: {page}");
    }
    // All or none.
    refused(&mut session, ":edit red gold=1; red.token1 lif=2");
    assert_eq!(said(&mut session, "faction(\"red\").gold"), "7");
}

#[test]
fn where_no_unit_may_stand_none_is_put_and_two_may_change_places() {
    let (_copy, mut session) = charge();
    let page = refused(&mut session, ":edit place red.archers a1; place red.spears a1");
    assert!(
        page.contains("a1 is over the stacking limit: 3 units of red there, 2 allowed"),
        "{page}"
    );
    said(
        &mut session,
        ":edit place red.archers a2; place red.spears a2; place red.spears a1",
    );
    said(&mut session, ":edit move red.archers1 a2; move red.archers2 a1");
    assert_eq!(said(&mut session, "unit(\"red.archers2\").place"), "a1");
    saves_to_itself(&session);
}

#[test]
fn what_the_game_forbids_is_refused_as_in_a_scenario() {
    let game = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 2], engaged: "same place" } }
fn phases() { [ #{ phase: "turn", repeat: true, contest: "game", phases: [ #{ phase: "moves", turn: "first", step: "walk" } ] } ] }
fn may_enter(me, place) { if place == place("b2") { "a swamp" } else { true } }
fn walk(me) { if choose(me, "go", ["on", "out"]) == "out" { win(me.owner, "out"); } }
"#;
    let small = Small::new(game)
        .with("units/token", "fn stats() { #{} }\n")
        .with("scenarios/it", "game = \"tiny\"\nunits.red = [\"token a1\"]\n");
    let mut session = session(&small.workspace(), "it");
    let page = refused(&mut session, ":edit move red.token1 b2");
    assert!(page.contains("red.token1 may not stand in b2"), "{page}");
    assert!(page.contains("1 | move red.token1 b2"), "{page}");
}

#[test]
fn where_no_scenario_could_begin_it_is_said_why() {
    let says = |body: &str| {
        let game = format!(
            r#"
fn board() {{ #{{ factions: ["red", "blue"], hexes: [2, 2], engaged: "same place" }} }}
fn phases() {{ [ #{{ phase: "turn", repeat: true, contest: "game", phases: [ #{{ phase: "moves", turn: "first", step: "walk" }} ] }} ] }}
fn may_start() {{ if place("b2").units.is_empty {{ true }} else {{ {body} }} }}
fn walk(me) {{ if choose(me, "go", ["on", "out"]) == "out" {{ win(me.owner, "out"); }} }}
"#
        );
        let small = Small::new(&game)
            .with("units/token", "fn stats() { #{} }\n")
            .with("scenarios/it", "game = \"tiny\"\nunits.red = [\"token a1\"]\n");
        let told = said(&mut session(&small.workspace(), "it"), ":edit move red.token1 b2");
        told.lines().find(|l| l.starts_with("note: ")).map(str::to_owned)
    };
    let notes = [
        ("true", None),
        (r#""it is wet""#, Some("no scenario could begin so: it is wet")),
        (
            "false",
            Some("no scenario could begin so: the rules do not let the game start so"),
        ),
        (
            "3",
            Some(
                "nobody knows whether a scenario could begin so: `may_start` must return true, or a text with the reason, not `3`",
            ),
        ),
    ];
    for (body, note) in notes {
        assert_eq!(says(body), note.map(|note| format!("note: {note}")), "{body}");
    }
}

#[test]
fn a_unit_that_is_edited_to_no_life_dies_as_the_rules_say() {
    let (_copy, mut session) = charge();
    let told = said(&mut session, ":edit red.archers1 life=0");
    assert!(
        told.starts_with("red.archers1  life 5->0\nred.archers1  removed from a1\n"),
        "{told}"
    );
    assert_eq!(said(&mut session, "faction(\"red\").units.len"), "1");
    saves_to_itself(&session);
    said(&mut session, ":undo");
    assert_eq!(said(&mut session, "faction(\"red\").units.len"), "2");
    // One that is out of play is not touched.
    said(&mut session, ":edit remove red.archers1");
    let page = refused(&mut session, ":edit red.archers1 life=2");
    assert!(
        page.contains("`red.archers1` is out of play") && page.contains("place red.archers PLACE"),
        "{page}"
    );
}

/// Without the set-up nothing happens before `:start`, and nothing is hidden.
#[test]
fn an_empty_board_is_laid_by_hand_and_started() {
    let workspace = root_workspace();
    let mut session = session(&workspace, "charge-into-spears");
    said(&mut session, ":new smalltricks empty");
    assert_eq!(session.prompt().0, "lay> ");
    assert!(session.play.table().world.on_board().is_empty() && !session.is_secret());
    for line in [":auto", ":odds", ":start"] {
        refused(&mut session, line);
    }
    said(
        &mut session,
        ":edit place red.archers d3; place blue.militia d4 life=2",
    );
    said(&mut session, ":edit place blue.archers d5");
    said(&mut session, ":undo");
    let units = |session: &mut Session| {
        said(
            session,
            "faction(\"red\").units.len + faction(\"blue\").units.len",
        )
    };
    assert_eq!(
        (units(&mut session).as_str(), session.prompt().0.as_str()),
        ("2", "lay> ")
    );
    // A save of it is opened as it is, and takes no step.
    let again = loaded(&workspace, &session.play, &session.set_up.file);
    assert!(again.position().world == session.play.position().world);
    assert!(again.position().cursor == session.play.position().cursor);
    said(&mut session, ":start");
    assert_eq!(session.prompt().0, "red> ");
    assert_eq!(said(&mut session, "unit(\"blue.militia1\").life"), "2");
    refused(&mut session, ":start");
    said(&mut session, ":undo");
    assert_eq!(
        (units(&mut session).as_str(), session.prompt().0.as_str()),
        ("2", "lay> ")
    );
}

#[test]
fn rules_that_ask_what_follows_are_not_asked() {
    let game = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 2], engaged: "same place" } }
fn stats() { #{ life: 3 } }
fn slots() { #{ unit: #{ life: #{ start: 0, at_zero: "death" } } } }
fn phases() { [ #{ phase: "turn", repeat: true, contest: "game", phases: [ #{ phase: "moves", turn: "first", step: "walk" } ] } ] }
fn death(me) { if choose(me, "last words", ["ah", "oh"]) == "ah" { remove(me); } }
fn walk(me) { if choose(me, "go", ["on", "out"]) == "out" { win(me.owner, "out"); } }
"#;
    let small = Small::new(game)
        .with("units/token", "fn stats() { #{} }\n")
        .with("scenarios/it", "game = \"tiny\"\nunits.red = [\"token a1\"]\n");
    let mut session = session(&small.workspace(), "it");
    let asks = problems(&mut session, ":edit red.token1 life=0");
    assert_eq!(asks, ["consequence-asks(last words)"]);
    said(&mut session, "on");
}

#[test]
fn the_unit_that_acts_can_be_removed_and_play_goes_on_with_the_next_step() {
    let (_copy, mut session) = charge();
    said(&mut session, "red.mounted1");
    let open = seen(&session.play);
    let told = said(&mut session, ":edit remove red.mounted1");
    assert!(
        told.contains("red activates red.archers1  (only option)"),
        "{told}"
    );
    assert!(!told.contains("taken back"), "{told}");
    saves_to_itself(&session);
    said(&mut session, ":undo");
    assert!(seen(&session.play) == open);
    // With an answer given in the step, that is taken back.
    said(&mut session, "c4");
    let open = seen(&session.play);
    let told = said(&mut session, ":edit remove red.mounted1");
    assert!(
        told.contains("an answer of the open step is taken back"),
        "{told}"
    );
    said(&mut session, ":undo");
    assert!(seen(&session.play) == open);
}

#[test]
fn answers_of_the_open_step_stay_as_far_as_they_fit() {
    let (_copy, mut session) = charge();
    said(&mut session, ":quiet");
    said(&mut session, "red.mounted1");
    said(&mut session, "c4");
    let asked = session.play.with_question(|a| a.label().to_owned());
    // Elsewhere, nothing changes for the step.
    let told = said(&mut session, ":edit move blue.cannons1 e6");
    assert_eq!(told, "blue.cannons1  f6->e6");
    assert_eq!(session.play.with_question(|a| a.label().to_owned()), asked);
    saves_to_itself(&session);
    // Where nobody stands any more there is nothing to charge.
    let told = said(&mut session, ":edit move blue.spears1 f5");
    assert!(
        told.contains("\nred activates red.archers1  (only option)\n"),
        "{told}"
    );
    saves_to_itself(&session);
}

#[test]
fn blanks_may_stand_around_what_sets_a_slot_or_a_dial() {
    let (_copy, mut session) = charge();
    assert!(said(&mut session, ":edit red.mounted1 life = 2").contains("->2"));
    said(&mut session, ":edit set max_rounds = 8");
    let several = problems(&mut session, ":set max_rounds=8 armies=2");
    assert_eq!(several, ["several-dial-values(max_rounds, 8 armies=2)"]);
}

#[test]
fn a_game_that_is_over_is_not_changed_any_more() {
    let (_copy, mut session) = charge();
    said(&mut session, ":auto end");
    for line in [":edit remove red.mounted1", ":force x 1", ":reseed"] {
        refused(&mut session, line);
    }
    assert!(refused(&mut session, ":edit red damage=1").contains("the game is over"));
    // A change that ends the game is taken back like another.
    said(&mut session, ":restart");
    let start = seen(&session.play);
    said(
        &mut session,
        ":edit remove red.mounted1; remove red.archers1; remove blue.spears1; remove blue.cannons1",
    );
    saves_to_itself(&session);
    said(&mut session, ":undo");
    assert!(seen(&session.play) == start);
}

#[test]
fn what_is_secret_is_not_changed_by_the_other_side() {
    let workspace = root_workspace();
    let mut session = session(&workspace, "smalltricks");
    while session.prompt().0 == "red> " {
        session.line("1");
    }
    assert_eq!(session.prompt().0, "blue> ");
    for line in [
        ":edit remove red.mounted1",
        ":edit place red.archers a1",
        ":edit red damage=3",
        ":edit red.nobody9 life=1",
    ] {
        let page = refused(&mut session, line);
        let secret = page.contains("what red has is secret now") || page.contains("there is no unit");
        assert!(secret, "{page}");
    }
    // Whether red has such a unit is not told either.
    let there = refused(&mut session, ":edit red.spears1 life=1");
    let not_there = refused(&mut session, ":edit red.spears9 life=1");
    assert_eq!(there.replace('1', "9"), not_there.replace('1', "9"));
    said(&mut session, ":edit blue damage=2");
    assert_eq!(said(&mut session, "faction(\"blue\").damage"), "2");
    saves_to_itself(&session);
}

#[test]
fn a_save_shows_what_was_changed_and_where() {
    let (copy, mut session) = charge();
    said(&mut session, "red.mounted1");
    said(&mut session, ":edit move blue.spears1 d3; blue.spears1 life=2");
    said(&mut session, ":reseed 8");
    let file = copy.path("saved.txt");
    let name = file.to_str().expect("a path").to_owned();
    said(&mut session, &format!(":save {name}"));
    let text = std::fs::read_to_string(&file).expect("saved");
    let chapters: Vec<&str> = text
        .lines()
        .filter(|l| l.starts_with("~~ "))
        .filter_map(|l| l.split_once(" {").map(|(_, table)| table))
        .collect();
    assert_eq!(
        chapters,
        [
            " at = \"game 1, round 1: red activates red.mounted1\", edits = [\"move blue.spears1 d3\", \"blue.spears1 life=2\"] }",
            " at = \"game 1, round 1: red activates red.mounted1\", edits = [\"seed 8\"] }",
        ]
    );
    // Every command that takes a scenario takes it.
    let ran = copy.run(&["run", "saved.txt"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(ran.out.contains("edits = [\"seed 8\"]"), "{}", ran.out);
    let other = copy.run(&["run", "saved.txt", "--set", "max_rounds=5"]);
    assert_eq!(other.status, 0, "{}", other.page());
    assert!(other.out.contains("edits = [\"seed 8\"]"), "{}", other.out);
    let diff = copy.run(&["diff", "saved.txt", "--set", "max_rounds=5"]);
    assert_eq!(diff.status, 0, "{}", diff.page());
    let diff = copy.run(&["diff", "saved.txt", "--set", "mounted.charge_move=0"]);
    assert_eq!(diff.status, 1, "{}", diff.page());
}

#[test]
fn what_was_changed_by_hand_is_taken_back_and_made_again_one_by_one() {
    let (_copy, mut session) = charge();
    let looks = |session: &Session| (session.play.position(), session.play.events(), session.question());
    let mut stood = vec![looks(&session)];
    for line in [
        ":edit place red.archers b1",
        ":edit red.archers2 life=2",
        "1",
        ":reseed 7",
    ] {
        said(&mut session, line);
        stood.push(looks(&session));
    }
    for seen in stood.iter().rev().skip(1) {
        said(&mut session, ":undo");
        assert!(looks(&session) == *seen);
    }
    for seen in &stood[1..] {
        said(&mut session, ":redo");
        assert!(looks(&session) == *seen);
    }
    assert!(session.line(":redo").failed());
    said(&mut session, ":back");
    assert!(looks(&session) == stood[0]);
    said(&mut session, ":redo 9");
    assert!(looks(&session) == stood[4]);
}

#[test]
fn a_save_with_changes_that_cannot_be_made_stops_there_and_says_so() {
    let (copy, mut session) = charge();
    said(&mut session, ":edit blue.spears1 life=2");
    let file = copy.path("saved.txt");
    let name = file.to_str().expect("a path").to_owned();
    said(&mut session, &format!(":save {name}"));
    copy.replace("saved.txt", "blue.spears1 life=2", "blue.spears7 life=2");
    let reply = session.line(&format!(":load {name}"));
    assert!(reply.failed());
    let page = reply.print().replace("\n       ", " ");
    assert!(
        page.contains(
            "what was changed by hand (`blue.spears7 life=2`) cannot be done: there is no unit `blue.spears7`"
        ),
        "{page}"
    );
    let ran = copy.run(&["run", "saved.txt"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    // Nonsense in it is no line of a transcript.
    copy.replace("saved.txt", "edits = [", "edit = [");
    let ran = copy.run(&["run", "saved.txt"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
}

#[test]
fn the_past_is_told_again_with_what_was_changed_by_hand() {
    let (_copy, mut session) = charge();
    said(&mut session, ":edit blue.spears1 life=3");
    for line in ["red.mounted1", "c4", "blue.spears1"] {
        said(&mut session, line);
    }
    let told = said(&mut session, ":retell");
    assert!(told.starts_with("told again: the same "), "{told}");
    let life = said(&mut session, "unit(\"red.mounted1\").life");
    said(&mut session, ":set mounted.charge=1");
    let told = said(&mut session, ":retell");
    assert!(told.contains("the first difference"), "{told}");
    assert_eq!(session.play.chapters().len(), 2);
    let now = said(&mut session, "unit(\"red.mounted1\").life");
    assert_ne!(life, now);
    assert_eq!(said(&mut session, "unit(\"blue.spears1\").life"), "3");
    assert!(session.play.chapters().iter().any(|c| c.edits.is_some()));
    saves_to_itself(&session);
}

#[test]
fn a_change_by_hand_whose_step_does_not_come_any_more_ends_the_telling() {
    let game = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 2], engaged: "same place" } }
fn dials() { #{ rounds: number(5, 1, 9) } }
fn slots() { #{ faction: #{ score: 0 } } }
fn phases() { [ #{ phase: "round", repeat: true, contest: "game", phases: [
    #{ phase: "picks", each: "faction", step: "pick" },
    #{ phase: "closing", each: "game", step: "end_round" },
] } ] }
fn pick(side) { side.score += choose(side, "number", [1, 2, 3]); }
fn end_round() { if count("round") >= rounds { draw("enough"); } }
"#;
    let small = Small::new(game).with("units/token", "fn stats() { #{} }\n");
    let mut session = session(&small.workspace(), "tiny");
    for answer in ["1", "2", "3", "1", "2"] {
        said(&mut session, answer);
    }
    said(&mut session, ":edit red score=7");
    said(&mut session, "3");
    said(&mut session, ":set rounds=4");
    assert!(said(&mut session, ":retell").starts_with("told again: the same "));
    said(&mut session, ":set rounds=2");
    let before = seen(&session.play);
    let told = said(&mut session, ":retell");
    assert!(
        told.ends_with(
            "`round 3: picks: blue`, where something was changed by hand (`red score=7`), does not come; \
             the game on the table stays as it is"
        ),
        "{told}"
    );
    assert!(seen(&session.play) == before);
}

const DICE: &str = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 2], engaged: "same place" } }
fn slots() { #{ faction: #{ score: 0 } } }
fn phases() { [ #{ phase: "all", repeat: true, contest: "game", phases: [ #{ phase: "throws", each: "faction", step: "throw_dice" } ] } ] }
fn throw_dice(side) {
    let dice = roll(side, "luck", 3, 6);
    if choose(side, "take", ["yes", "no"]) == "yes" { side.score += dice.total + roll(side, "more luck", 1, 6).total; }
    if count("all") > 3 { win(side, "enough"); }
}
"#;

fn dice() -> Session {
    let small = Small::new(DICE).with("units/token", "fn stats() { #{} }\n");
    session(&small.workspace(), "tiny")
}

#[test]
fn dice_are_forced_once_by_label_and_a_roll_on_the_table_is_made_again() {
    let mut session = dice();
    let start = seen(&session.play);
    assert_eq!(
        said(&mut session, ":force"),
        "no dice are forced\nrolls of this game:\n  luck       3 dice  with 6 sides\n  more luck  1 die   with 6 sides"
    );
    let told = said(&mut session, ":force luck 6 1 6");
    assert_eq!(
        told,
        "the next roll of `luck` is 1 6 6\n`luck` has been rolled in the open step, which is run again with it\n\
         red rolled luck: 1 6 6\nred chooses take: 1 yes  2 no"
    );
    assert_eq!(
        said(&mut session, ":force more luck: 5"),
        "the next roll of `more luck` is 5"
    );
    assert!(said(&mut session, ":force").starts_with("the next roll of `more luck` is 5\n"));
    saves_to_itself(&session);
    let told = said(&mut session, "yes");
    assert!(told.contains("red rolled more luck: 5"), "{told}");
    assert!(told.contains("red  score 0->18"), "{told}");
    assert!(said(&mut session, ":force").starts_with("no dice are forced"));
    saves_to_itself(&session);
    // Once taken back it waits again, and can be let be.
    said(&mut session, ":undo");
    assert!(said(&mut session, ":force").starts_with("the next roll of `more luck` is 5\n"));
    assert!(
        said(&mut session, ":force more luck -").ends_with("rolls of `more luck` are what they are again")
    );
    refused(&mut session, ":force more luck -");
    said(&mut session, ":undo 3");
    assert!(seen(&session.play) == start);
}

#[test]
fn forced_dice_are_taken_in_their_order_and_only_by_a_roll_that_they_fit() {
    let mut session = dice();
    // The open step rolls again, and takes the first.
    said(&mut session, ":force luck 1 1 1");
    let odds = said(&mut session, ":odds");
    assert!(!odds.contains(":force"), "{odds}");
    let told = said(&mut session, ":force luck 2 2 2");
    assert_eq!(told, "the next roll of `luck` is 2 2 2");
    let told = said(&mut session, ":force luck 3 3 3");
    assert_eq!(told, "the next rolls of `luck` are 2 2 2, then 3 3 3");
    let listed = said(&mut session, ":force");
    assert!(listed.starts_with(&format!("{told}\n")), "{listed}");
    let odds = said(&mut session, ":odds");
    assert!(
        odds.contains("note: dice that still wait by `:force` are not counted on"),
        "{odds}"
    );
    let told = said(&mut session, "no");
    assert!(told.contains("blue rolled luck: 2 2 2"), "{told}");
    for (line, why) in [
        ("luk 1 1 1", "did you mean `luck`?"),
        ("luck", "its dice"),
        ("luck 1 1", "a roll of `luck` is of 3 dice, not 2"),
        ("luck 1 1 7", "no die of `luck` shows 7"),
        ("luck 1 1 x", "no die shows `x`"),
        ("luck 1 1 0", "no die shows `0`"),
        ("more luck 1 2", "is of 1 die, not 2"),
        ("5", "label"),
        ("luck: 1 1 99999999999999999999", "no die shows"),
    ] {
        let page = refused(&mut session, &format!(":force {line}"));
        assert!(page.contains(why), "{line}: {page}");
    }
}

#[test]
fn other_dice_from_here_on_leave_the_past_as_it_was() {
    let mut session = dice();
    said(&mut session, "yes");
    let past = session.play.lines_from(0);
    assert_eq!(said(&mut session, ":seed"), "1");
    let told = said(&mut session, ":reseed");
    assert!(
        told.starts_with("the seed of the dice is 2 from here on\n"),
        "{told}"
    );
    assert_eq!(said(&mut session, ":seed"), "2; the game began with 1");
    refused(&mut session, ":reseed 2");
    refused(&mut session, ":reseed x");
    let now = session.play.lines_from(0);
    let mark = session.play.table().step_mark();
    assert_eq!(now[..mark], past[..mark]);
    assert_ne!(now[mark..], past[mark..]);
    said(&mut session, ":auto end");
    saves_to_itself(&session);
    said(&mut session, ":undo 100");
    assert_eq!(said(&mut session, ":seed"), "1");
}

#[test]
fn in_a_simultaneous_phase_what_is_gathered_stays_and_the_board_changes_at_once() {
    let game = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [3, 3], engaged: "same place" } }
fn stats() { #{ life: 5 } }
fn slots() { #{ unit: #{ life: #{ start: 0, at_zero: "death" } } } }
fn phases() { [ #{ phase: "round", repeat: true, contest: "game", phases: [
    #{ phase: "shots", each: "unit", step: "shoot", simultaneous: true },
    #{ phase: "closing", each: "game", step: "end_round" },
] } ] }
fn death(me) { remove(me); }
fn shoot(me) { let foe = choose(me, "shoot", me.foes, "hold"); if foe != "hold" { hit(foe, 2, "shot"); } }
fn end_round() { if count("round") > 2 { draw("enough"); } }
"#;
    let small = Small::new(game)
        .with("units/token", "fn stats() { #{} }\n")
        .with(
            "scenarios/it",
            "game = \"tiny\"\nunits.red = [\"token a1\", \"token a2\"]\nunits.blue = [\"token b2\", \"token c3\"]\n",
        );
    let mut session = session(&small.workspace(), "it");
    said(&mut session, "blue.token1");
    assert_eq!(session.play.position().gathered.len(), 1);
    // The shot waits; the board is another at once, and one more shoots.
    let told = said(
        &mut session,
        ":edit blue.token1 life=1; place blue.token a3; remove red.token1; blue.token2 life=0",
    );
    assert!(told.contains("blue.token2  removed from c3"), "{told}");
    assert_eq!(session.play.position().gathered.len(), 1);
    saves_to_itself(&session);
    said(&mut session, "blue.token3");
    said(&mut session, "hold");
    assert_eq!(session.play.step_name(), "shots: blue.token3");
    let told = said(&mut session, "hold");
    assert!(
        told.contains("blue.token1  life 1->-1  (by shot, red.token1)"),
        "{told}"
    );
    assert!(told.contains("blue.token1  removed"), "{told}");
    assert!(
        told.contains("blue.token3  life 5->3  (by shot, red.token2)"),
        "{told}"
    );
    saves_to_itself(&session);
    said(&mut session, ":undo 3");
    assert_eq!(session.play.position().gathered.len(), 1);
    said(&mut session, ":undo");
    assert_eq!(said(&mut session, "unit(\"blue.token2\").place"), "c3");
}

/// A change at random in the words of the command; some cannot be made.
fn any_edit(play: &Play, which: u64) -> String {
    let table = play.table();
    let rules = &table.rules;
    let mut left = which;
    let mut pick = |n: usize| {
        let index = (left % n.max(1) as u64) as usize;
        left /= n.max(1) as u64;
        index
    };
    let kind = pick(7);
    let units: Vec<String> = table
        .world
        .alive()
        .iter()
        .map(|u| rules.unit_name(table.world.name(u)))
        .collect();
    let unit = units.get(pick(units.len())).cloned().unwrap_or_default();
    let place = rules
        .board
        .places()
        .iter()
        .nth(pick(rules.board.len()))
        .map_or("", |p| rules.board.name(p));
    let faction = &rules.factions[pick(rules.factions.len())];
    let type_name = &rules.types[pick(rules.types.len())].name;
    let n = pick(7);
    match kind {
        0 => format!("place {faction}.{type_name} {place} life={}", n.max(1)),
        1 => format!("move {unit} {place}"),
        2 => format!("remove {unit}"),
        3 => format!("reserve {unit}"),
        4 => format!("{unit} life={n}"),
        5 => format!("{faction} damage={n}; seed {which}"),
        _ => format!("{unit} last_target={unit}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]

    /// Random games with random changes: what is refused changes nothing, a save is the same play, and
    /// all of it can be taken back to the start.
    #[test]
    fn random_games_with_random_changes_are_saved_and_taken_back(
        seed in 0u64..1_000_000,
        changes in proptest::collection::vec((0usize..25, any::<u64>()), 1..7),
    ) {
        let workspace = root_workspace();
        let mut file = ScenarioFile::new("smalltricks");
        file.seed = seed;
        file.dials.push(("max_rounds".to_owned().into(), DialValue::Number(3).into()));
        let mut laid = run::lay(&workspace, &file, &Overrides::default()).unwrap_or_else(|p| panic!("{p}"));
        laid.play.keep_trail();
        let play = &mut laid.play;
        play.run_on();
        let start = seen(play);
        let mut agent = Agent::Random.source(seed).expect("it answers at once");
        let mut before = Vec::new();
        for (answers, which) in changes {
            for _ in 0..answers {
                let taken = play.with_question(|asked| agent.answer(asked));
                let Some(Answered::Take(index)) = taken else { break };
                play.answer(index);
                play.run_on();
            }
            if !play.view().is_whole() && which % 2 == 0 {
                // In secret phases half of the changes go on.
                continue;
            }
            let text = any_edit(play, which);
            let source = Source::new("edit", text.clone());
            let Ok(edits) = change::parse(&source, ';') else { continue };
            let was = seen(play);
            let viewer = play.view().faction();
            match edit::make(play, &source, &edits, viewer) {
                Ok(_) => {
                    play.run_on();
                    before.push(was);
                    prop_assert_eq!(play.chapters().len(), before.len() + 1);
                    let (back, _) = play.undo(1);
                    prop_assert_eq!(back, 1);
                    play.run_on();
                    prop_assert!(seen(play) == *before.last().expect("it is there"), "{}", text);
                    // And once more, for good.
                    let viewer = play.view().faction();
                    prop_assert!(edit::make(play, &source, &edits, viewer).is_ok());
                    play.run_on();
                }
                Err(_) => {
                    play.run_on();
                    prop_assert!(seen(play) == was, "{} was refused and has changed something", text);
                }
            }
        }
        let again = loaded(&workspace, play, &laid.file);
        let play = &mut laid.play;
        let (is, was) = (seen_as(&again, play), seen(play));
        prop_assert_eq!(&is.1, &was.1);
        prop_assert!(is == was);
        for _ in 0..2_000 {
            if play.undo(1).0 == 0 {
                break;
            }
            prop_assert!(!matches!(play.run_on(), Progress::Diverged(_)));
        }
        play.run_on();
        prop_assert!(seen(play) == start);
    }
}

#[test]
fn a_chapter_line_is_read_as_it_is_written() {
    let (_copy, mut session) = charge();
    said(&mut session, ":edit blue.spears1 life=2");
    let saved = transcribe::saved(&session.play, &session.set_up.file, "here");
    let chapters: Vec<&Line> = saved
        .lines
        .iter()
        .filter(|l| matches!(l, Line::Chapter { .. }))
        .collect();
    assert_eq!(chapters.len(), 2);
    let parsed = Transcript::parse(&Source::new("saved", saved.print())).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!(parsed, saved);
}

#[test]
fn a_loaded_save_takes_its_changes_back_too() {
    let (copy, mut first) = charge();
    let start = seen(&first.play);
    said(&mut first, ":edit blue.spears1 life=2");
    said(&mut first, "red.mounted1");
    let file = copy.path("saved.txt");
    let name = file.to_str().expect("a path").to_owned();
    said(&mut first, &format!(":save {name}"));
    let mut second = session(&first.rules.workspace, &name);
    assert_eq!(said(&mut second, "unit(\"blue.spears1\").life"), "2");
    let told = said(&mut second, ":undo 2");
    assert!(
        told.starts_with("took back 1 answer and `blue.spears1 life=2`\n"),
        "{told}"
    );
    assert!(seen(&second.play) == start);
}

#[test]
fn a_scenario_that_is_laid_again_gets_its_changes_again() {
    let (copy, mut session) = charge();
    said(&mut session, ":edit blue.spears1 life=2");
    said(&mut session, "red.mounted1");
    copy.replace("scenarios/smalltricks/it.toml", "archers a1", "archers b1");
    let told = session.look_for_changes().expect("it is noticed").print();
    assert!(!told.contains("error"), "{told}");
    assert_eq!(said(&mut session, "unit(\"red.archers1\").place"), "b1");
    assert_eq!(said(&mut session, "unit(\"blue.spears1\").life"), "2");
}

#[test]
fn why_goes_by_the_position_as_it_was_changed() {
    let (_copy, mut session) = charge();
    said(&mut session, ":edit move red.archers1 b1; red.mounted1 life=4");
    for line in ["red.mounted1", "c4", "blue.spears1"] {
        said(&mut session, line);
    }
    let told = said(&mut session, ":why");
    assert!(told.contains("red.mounted1  life 4->2"), "{told}");
    assert!(!told.contains("other rules"), "{told}");
    // What happened before a change by hand happened under the same rules.
    said(&mut session, ":edit red.mounted1 life=5");
    let told = said(&mut session, ":why counter_charge");
    assert!(told.contains("counter_charge"), "{told}");
    let told = said(&mut session, ":events 20");
    assert!(told.contains("\n     ~~ red.mounted1 life=4\n"), "{told}");
}

#[test]
fn a_step_that_fails_can_be_mended_by_hand() {
    let game = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 2], engaged: "same place" } }
fn slots() { #{ faction: #{ score: 0 } } }
fn phases() { [ #{ phase: "all", phases: [ #{ phase: "picks", each: "faction", step: "pick" } ] } ] }
fn pick(side) {
    side.score = choose(side, "number", [1, 2, 3]);
    if side == faction("blue") && side.foe.score == 2 { let list = []; list[7]; }
}
"#;
    let small = Small::new(game).with("units/token", "fn stats() { #{} }\n");
    let mut session = session(&small.workspace(), "tiny");
    said(&mut session, "2");
    assert!(session.line("1").failed());
    assert_eq!(session.prompt().0, "error> ");
    let told = said(&mut session, ":edit red score=1");
    assert!(told.contains("red  score 2->1"), "{told}");
    assert_eq!(session.prompt().0, "done> ");
    assert_eq!(said(&mut session, "faction(\"blue\").score"), "1");
}

#[test]
fn odd_lines_are_refused_in_a_sentence() {
    let mut session = dice();
    for line in [
        ":edit .",
        ":edit =",
        ":edit a=b",
        ":edit red.=3",
        ":edit red .=3",
        ":edit place . a1",
        ":edit place red. a1",
        ":edit move é é",
        ":edit seed -1",
        ":edit force",
        ":edit force luck",
        ":edit force luck: ",
        ":force :",
        ":force : 6",
        ":force -",
        ":force luck:",
        ":force é 6",
        ":force luck\u{3000}x",
        ":force luck 1 1 1 1 1 1 1 1 1 1 1 1 1",
        ":reseed -1",
        ":reseed 99999999999999999999999",
    ] {
        refused(&mut session, line);
    }
    let many = format!(":edit {}", "red score=1;".repeat(5_000));
    said(&mut session, &many);
    said(&mut session, ":undo");
}

#[test]
fn dice_that_were_forced_are_stated_by_a_scenario_of_the_game() {
    let copy = Copy::of_rules();
    let scenario = "scenarios/the-wager/seven-inches.toml";
    let text = std::fs::read_to_string(root().join(scenario)).expect("it is there");
    copy.write(scenario, text);
    let workspace = Workspace::at(copy.path("."));
    let mut session = session(&workspace, "seven-inches");
    for line in [":force shot 1 1 1", "3", "1"] {
        said(&mut session, line);
    }
    let saved = said(&mut session, ":save-scenario forced-shot");
    assert!(saved.contains("it plays to this very position"), "{saved}");
    let path = copy.path("scenarios/the-wager/forced-shot.toml");
    let text = std::fs::read_to_string(path).expect("it is written");
    assert!(text.contains("[1, 1, 1]"), "{text}");
}
