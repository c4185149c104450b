//! Stopping within a step: what is shown there, that going on comes to the same game as not
//! stopping, and that nothing is shown that is somebody's secret.

use crate::support::{Copy, Small, refused, said, started};
use proptest::prelude::*;
use rulebench::kernel::event::Event;
use rulebench::kernel::table::Position;
use rulebench::render::Style;
use rulebench::repl::plain;
use rulebench::repl::session::Session;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::Overrides;

/// Two units a side; whoever moves beside a foe may strike it, which may strike back.
const GAME: &str = r##"fn board() { #{ factions: ["red", "blue"], hexes: [4, 4], stack: 1, engaged: "same place", conflicts: "second" } }
fn dials() { #{ punch: number(1, 0, 9), "max.rounds": number(3, 1, 9) } }
fn stats() { #{ life: 3, move: 1 } }
fn slots() { #{ unit: #{ life: #{ start: 0, at_zero: "death" } }, faction: #{ lost: 0 } } }
fn phases() { [
    #{ phase: "opening", each: "game", step: "open" },
    #{ phase: "plan", each: "faction", step: "plan", hidden: true },
    #{ phase: "round", repeat: true, phases: [
        #{ phase: "march", turn: "first", step: "activate" },
        #{ phase: "answer", turn: "second", step: "activate" },
        #{ phase: "fire", each: "unit", step: "fire", simultaneous: true, hidden: true },
        #{ phase: "tally", each: "game", step: "end_of_round" },
    ] },
] }
fn open() {
    lay(first(), "scouts", "a1");
    lay(first(), "guards", "b2");
    lay(second(), "scouts", "a3");
    lay(second(), "guards", "c3");
}
fn lay(side, kind, at) { enlist(side, unit_type(kind)); put(side.units.last, place(at)); }
fn plan(side) {
    let n = choose(side, "plan", [1, 2]);
    add(side, "lost", n - n, "plan");
}
fn activate(me) {
    march(me);
    let foes = me.foes_within(1);
    if foes.is_empty { return; }
    let foe = choose(me, "strike", foes, "hold");
    if foe == "hold" { return; }
    strike(me, foe);
}
fn strike(me, foe) {
    let hurt = damage(me, foe);
    hit(foe, hurt, "strike", me);
    if strikes_back(foe, me) { hit(me, punch, "counter", foe); }
}
fn damage(me, foe) { punch }
fn strikes_back(me, foe) { me.life > 1 }
fn fire(me) {
    let foes = me.foes_within(2);
    let list = [];
    for foe in foes { list.push(foe); }
    let weak = list.filter(|foe| foe.life < 9);
    if weak.is_empty { return; }
    let foe = choose(me, "target", foes, "hold");
    if foe != "hold" { hit(foe, 1, "shot"); }
}
fn death(me) { remove(me, "death"); }
fn end_of_round() { if count("round") >= max_rounds { draw("time"); } }
"##;

const SCOUTS: &str = "fn stats() { #{ symbol: \"Sc\" } }\n";

const GUARDS: &str = r##"fn stats() { #{ symbol: "Gu", life: 5 } }

/// Guards hit hard.
fn damage(me, foe) {
    let more = extra(foe);
    base(me, foe) + more
}

fn extra(foe) { if foe.life > 2 { 1 } else { 0 } }
"##;

fn small() -> Small {
    Small::new(GAME)
        .with("units/scouts", SCOUTS)
        .with("units/guards", GUARDS)
        .with(
            "variants/fierce",
            "// Strikes hurt more.\nfn damage(me, foe) {\n    base(me, foe) + 1\n}\n",
        )
        .with(
            "variants/broken",
            "// A strike that fails.\nfn strike(me, foe) {\n    let list = [1];\n    hit(foe, list[me.life], \"strike\", me);\n}\n",
        )
}

fn session_of(small: &Small, variants: &[&str]) -> Session {
    let overrides = Overrides {
        variants: variants.iter().map(|&v| v.to_owned()).collect(),
        ..Overrides::default()
    };
    let style = Style {
        ascii: true,
        ..Style::default()
    };
    let mut session = Session::new(&small.workspace(), Some("tiny"), overrides, style)
        .unwrap_or_else(|problems| panic!("{problems}"));
    assert!(!session.greeting().failed());
    session
}

fn session(variants: &[&str]) -> Session {
    session_of(&small(), variants)
}

fn say(session: &mut Session, lines: &[&str]) {
    for line in lines {
        said(session, line);
    }
}

fn is_stopped(session: &Session) -> bool {
    session.prompt().0 == "debug> "
}

/// Both sides have planned, and red's guards stand beside blue's scouts: they may strike.
fn before_the_strike(variants: &[&str], lines: &[&str]) -> Session {
    let mut session = session(variants);
    say(&mut session, &["1", "1"]);
    say(&mut session, lines);
    say(&mut session, &["red.guards1", "b3"]);
    assert_eq!(
        session.play.with_question(|a| a.label().to_owned()).as_deref(),
        Some("strike")
    );
    session
}

/// A session's lines and replies, as they are printed.
fn transcript(mut session: Session, lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(&format!("{}{line}\n", session.prompt().0));
        let told = session.line(line).print();
        assert!(told.lines().all(|l| l.chars().count() <= 80), "{told}");
        if !told.is_empty() {
            text.push_str(&told);
            text.push('\n');
        }
    }
    text.push_str(&session.prompt().0);
    text
}

// --- what is shown ---------------------------------------------------------------------------

#[test]
fn a_strike_is_stepped_through() {
    let session = before_the_strike(&["fierce"], &[]);
    insta::assert_snapshot!(transcript(
        session,
        &[
            ":break strike",
            ":break guards.rhai:6",
            ":break",
            "blue.guards1",
            ":locals",
            "foe.life + punch",
            ":next",
            ":step",
            ":where",
            ":finish",
            ":s",
            ":s",
            ":locals",
            ":where",
            ":list",
            ":n",
            ":step -1",
            ":f",
            ":unbreak all",
        ]
    ));
}

#[test]
fn a_place_far_to_the_right_is_shown_within_the_screen() {
    let long = small().replaced(
        "scripts/tiny/game.rhai",
        "    let hurt = damage(me, foe);",
        "    let hurt = damage(me, foe) + 1 + 2 - 3; let other = [1, 2, 3, 4, 5, 6, 7]; let more = [other, hurt];",
    );
    let mut session = session_of(&long, &[]);
    say(&mut session, &["1", "1", "red.guards1", "b3", ":break strike"]);
    let first = said(&mut session, "blue.guards1");
    say(&mut session, &[":next"]);
    let last = said(&mut session, ":next");
    assert!(last.contains("let more = [other, hurt];\n"), "{last}");
    for (told, marked) in [
        (first, "let hurt = damage(me, foe) + 1 + 2 - 3"),
        (last, "let more = [other, hurt]"),
    ] {
        let lines: Vec<&str> = told.lines().rev().take(2).collect();
        assert!(lines.iter().all(|l| l.chars().count() <= 80), "{told}");
        let start = lines[0].find('^').expect("a mark");
        assert_eq!(&lines[1][start..lines[0].len()], marked, "{told}");
    }
}

#[test]
fn what_stopping_commands_say_of_themselves() {
    insta::assert_snapshot!(said(&mut session(&[]), ":help debug"));
    for name in [
        "break", "unbreak", "step", "next", "finish", "continue", "leave", "locals", "where", "list",
    ] {
        let text = said(&mut session(&[]), &format!(":help {name}"));
        assert!(text.starts_with(&format!(":{name}")), "{text}");
    }
}

#[test]
fn a_session_of_piped_lines_ends_well() {
    let mut output = Vec::new();
    let input = b"1\n1\n:break strike\nred.guards1\nb3\nblue.guards1\nhurt\n:n\nhurt\n\n:c\n";
    let all_well = plain::run(session(&[]), &mut &input[..], &mut output);
    let printed = String::from_utf8(output).expect("text");
    // `hurt` has no value yet at the first statement.
    assert!(
        !all_well && printed.contains("there is no variable or dial `hurt`"),
        "{printed}"
    );
    assert!(printed.contains("debug> hurt\n2\n"), "{printed}");
}

#[test]
fn what_cannot_be_meant_is_told_with_a_hint() {
    let mut at = session(&[]);
    for (line, hint) in [
        (":break", "no break points"),
        (":break strikee", "did you mean `strike`?"),
        (":break guard.damage", "did you mean `guards`?"),
        (":break guards.strike", "there is no function"),
        (":break guards.rhai:99", "its lines are 1 to 9"),
        (":break guards.rhai:1x", "there is no line"),
        (":break guards.rhai:3", "line 5"),
        (":break guard.rhai:3", "did you mean"),
        (":break strike if (", "error"),
        (":break error if true", "takes no condition"),
        (":unbreak 7", "there is no break point `7`"),
        (":unbreak", "needs the number of a break point"),
        (":next", "not stopped within a step"),
        (":finish", "not stopped within a step"),
        (":continue", "not stopped within a step"),
        (":leave", "not stopped within a step"),
        (":locals", "not stopped within a step"),
        (":where", "not stopped within a step"),
        (":list", "not stopped within a step"),
        (":step -1", "not stopped within a step"),
        (":step 0", "a whole number from 1"),
        (":break phases", "read when the rules are loaded"),
    ] {
        let told = at.line(line).print();
        assert!(told.contains(hint), "{line}: {told}");
    }
}

#[test]
fn changes_by_hand_in_the_open_step_are_there_when_a_stop_in_it_is_left() {
    let again = |session: &Session| {
        (
            session.play.position(),
            session.play.lines_from(0),
            session.question(),
        )
    };
    for edits in [
        [":reseed", ":reseed"],
        [":edit place red.scouts reserve", ":reseed"],
        // The move that was answered does not fit any more.
        [":edit move red.guards1 d3", "stay"],
    ] {
        let changed = |lines: &[&str]| {
            let mut session = before_the_strike(&[], &[]);
            say(&mut session, &edits);
            say(&mut session, lines);
            session
        };
        let plain = changed(&["blue.guards1"]);
        for how in [":step", ":break strike"] {
            for on in [":leave", ":continue"] {
                let mut stopped = changed(&[how, "blue.guards1"]);
                assert!(is_stopped(&stopped), "{edits:?} {how}");
                say(&mut stopped, &[on]);
                assert!(again(&stopped) == again(&plain), "{edits:?} {how} {on}");
            }
        }
    }
}

// --- where it stops --------------------------------------------------------------------------

#[test]
fn a_bare_name_is_every_scripts_and_a_name_with_a_script_that_ones_alone() {
    let mut session = before_the_strike(&["fierce"], &[":break damage"]);
    let mut functions = vec![said(&mut session, "blue.guards1")];
    while is_stopped(&session) {
        functions.push(said(&mut session, ":continue"));
    }
    let calls: Vec<&str> = functions
        .iter()
        .filter_map(|f| f.split("break point 1: ").nth(1)?.split('(').next())
        .collect();
    assert_eq!(calls, ["guards.damage", "game.damage", "game.damage"]);
    assert!(functions[1].contains("layer: fierce") && !functions[2].contains("layer"));

    let mut session = before_the_strike(&["fierce"], &[":break guards.damage"]);
    assert!(
        said(&mut session, "blue.guards1").contains("guards.damage(me = red.guards1, foe = blue.guards1)")
    );
    said(&mut session, ":continue");
    assert!(!is_stopped(&session));

    let mut session = before_the_strike(&["fierce"], &[":break fierce.damage"]);
    assert!(said(&mut session, "blue.guards1").contains("layer: fierce"));
    said(&mut session, ":continue");
    assert!(!is_stopped(&session));
}

#[test]
fn what_is_not_called_and_a_condition_that_is_false_stop_nothing() {
    for place in [
        "scouts.rhai:1",
        "lay",
        "strike if foe.life < 3",
        "end_of_round",
        "error",
    ] {
        let mut session = before_the_strike(&[], &[]);
        session.line(&format!(":break {place}"));
        said(&mut session, "blue.guards1");
        assert!(!is_stopped(&session), "{place}");
    }
    let mut session = before_the_strike(&[], &[":break strike if foe.life == 5"]);
    said(&mut session, "blue.guards1");
    assert!(is_stopped(&session));
    // A condition that cannot be told stops, and says why.
    let mut session = before_the_strike(&[], &[":break strike if foe"]);
    let told = said(&mut session, "blue.guards1");
    assert!(
        told.contains("whose condition fails: this is blue.guards1"),
        "{told}"
    );
}

#[test]
fn places_before_a_question_are_passed_when_its_answer_is_there() {
    let mut session = session(&[]);
    say(&mut session, &["1", "1", ":break activate"]);
    said(&mut session, "red.guards1");
    assert!(is_stopped(&session));
    said(&mut session, ":continue");
    said(&mut session, "b3");
    assert!(!is_stopped(&session), "activate has been entered before");
    // The answer taken back and given again: the same.
    say(&mut session, &[":undo", "b3"]);
    assert!(!is_stopped(&session));
    // The step taken back and begun again: it is met again.
    say(&mut session, &[":undo", ":undo", "red.guards1"]);
    assert!(is_stopped(&session));
}

#[test]
fn stepping_goes_on_after_the_answer_to_a_question() {
    let mut session = session(&[]);
    say(&mut session, &["1", "1", ":break activate", "red.guards1"]);
    let asked = said(&mut session, ":next");
    assert!(
        !is_stopped(&session) && asked.contains("red chooses move"),
        "{asked}"
    );
    let told = said(&mut session, "stay");
    assert!(
        is_stopped(&session) && told.contains("let foes = me.foes_within(1)"),
        "{told}"
    );
    // Without stepping, nothing stops there.
    say(&mut session, &[":undo", "b3"]);
    assert!(!is_stopped(&session));
}

#[test]
fn stepping_from_a_question_and_from_one_step_into_the_next() {
    let mut session = before_the_strike(&[], &[]);
    said(&mut session, ":step");
    let told = said(&mut session, "hold");
    assert!(
        is_stopped(&session) && told.contains("if foe == \"hold\""),
        "{told}"
    );
    // The step ends with `return`; the next one is that of the other unit.
    said(&mut session, ":step");
    let told = said(&mut session, ":step");
    assert!(told.contains("game.activate(me = red.scouts1)"), "{told}");
    said(&mut session, ":continue");
    assert!(!is_stopped(&session));
    // The negative: without `:step` nothing stops.
    say(&mut session, &["stay"]);
    assert!(!is_stopped(&session));
}

#[test]
fn closures_and_what_they_read_are_seen() {
    let mut session = before_the_strike(&[], &[":break game.rhai:45 if !foes.is_empty"]);
    let told = said(&mut session, ":auto end");
    assert!(told.contains("list.filter(|foe| foe.life < 9)"), "{told}");
    assert!(!said(&mut session, ":where").contains("within a closure"));
    said(&mut session, ":step");
    let told = said(&mut session, ":where");
    assert!(told.contains("within a closure"), "{told}");
    assert_eq!(said(&mut session, "foe.life * 0 + 7"), "7");
    // Over it, and out of it.
    say(&mut session, &[":step -1"]);
    assert!(said(&mut session, ":next").contains("if weak.is_empty"));
    say(&mut session, &[":step -2", ":step"]);
    assert!(is_stopped(&session));
}

#[test]
fn a_failing_rule_stops_where_it_fails() {
    let mut session = before_the_strike(&["broken"], &[":break error"]);
    let told = said(&mut session, "blue.guards1");
    assert!(
        told.contains("the rules fail here") && told.contains("list[me.life]"),
        "{told}"
    );
    assert_eq!(said(&mut session, "list"), "[1]");
    let failed = refused(&mut session, ":continue");
    assert!(
        failed.contains("error: ") && session.prompt().0 == "error> ",
        "{failed}"
    );
    // Rules that do not fail are not stopped.
    let mut session = before_the_strike(&[], &[":break error"]);
    said(&mut session, "blue.guards1");
    assert!(!is_stopped(&session));
}

#[test]
fn a_sort_does_not_swallow_a_stop() {
    let tricky = small().replaced(
        "scripts/tiny/game.rhai",
        "fn damage(me, foe) { punch }",
        "fn damage(me, foe) {\n    let order = [3, 1, 2];\n    order.sort(|a, b| weigh(a) - weigh(b));\n    hit(foe, 1, \"x\");\n    punch\n}\nfn weigh(n) {\n    n\n}",
    );
    let mut session = session_of(&tricky, &[]);
    say(&mut session, &["1", "1", "red.guards1", "b3", ":break weigh"]);
    let before = session.play.position();
    said(&mut session, "blue.guards1");
    let mut stops = 0;
    while is_stopped(&session) {
        assert_eq!(said(&mut session, ":units").matches("blue.guards1").count(), 1);
        said(&mut session, ":continue");
        stops += 1;
    }
    assert!(stops > 2, "{stops}");
    let with = session.play.events();
    let mut plain = session_of(&tricky, &[]);
    say(&mut plain, &["1", "1", "red.guards1", "b3"]);
    assert_eq!(plain.play.position(), before);
    said(&mut plain, "blue.guards1");
    assert_eq!(plain.play.events(), with);
}

// --- looking ---------------------------------------------------------------------------------

#[test]
fn expressions_read_locals_and_the_half_done_position_and_change_nothing() {
    let mut session = before_the_strike(&[], &[":break strike"]);
    said(&mut session, "blue.guards1");
    let before = (session.play.position(), session.play.events());
    assert_eq!(said(&mut session, "foe.life"), "5");
    say(&mut session, &[":next", ":next"]);
    assert_eq!(said(&mut session, "foe.life"), "3");
    assert_eq!(said(&mut session, "hurt"), "2");
    assert_eq!(said(&mut session, "damage(me, foe) + hurt"), "4");
    assert!(said(&mut session, ":units").contains("blue.guards1"));
    for line in [
        "hit(foe, 1, \"x\")",
        "choose(me, \"x\", [1, 2])",
        "roll(\"x\", 1)",
        "foe.life = 9",
    ] {
        refused(&mut session, line);
    }
    assert_eq!(said(&mut session, "foe.life"), "3");
    assert_eq!((session.play.position(), session.play.events()), before);
    refused(&mut session, "hurtt");
    refused(&mut session, ":auto");
    refused(&mut session, ":save x.txt");
}

#[test]
fn functions_and_dials_of_the_script_are_known_where_it_is_stopped() {
    let mut session = before_the_strike(&[], &[":break guards.damage"]);
    refused(&mut session, "extra(unit(\"blue.guards1\"))");
    said(&mut session, "blue.guards1");
    assert_eq!(said(&mut session, "extra(foe)"), "1");
    assert_eq!(said(&mut session, "punch + max_rounds"), "4");
    assert_eq!(said(&mut session, "life"), "5");
}

// --- leaving ---------------------------------------------------------------------------------

#[test]
fn leaving_plays_to_the_question_and_undo_takes_the_answer_back() {
    let mut plain = before_the_strike(&[], &[]);
    let question = plain.question();
    said(&mut plain, "blue.guards1");
    let mut session = before_the_strike(&[], &[":break strike"]);
    said(&mut session, "blue.guards1");
    said(&mut session, ":leave");
    assert_eq!(session.play.events(), plain.play.events());
    assert_eq!(session.question(), plain.question());
    said(&mut session, ":undo");
    assert_eq!(session.question(), question);
    // The same at once from the stop.
    said(&mut session, "blue.guards1");
    assert!(is_stopped(&session));
    said(&mut session, ":undo");
    assert_eq!(session.question(), question);
}

#[test]
fn leaving_in_the_midst_of_a_long_auto_goes_on_from_that_step() {
    let mut session = session(&[]);
    say(&mut session, &[":break end_of_round"]);
    said(&mut session, ":auto end");
    assert!(is_stopped(&session));
    said(&mut session, ":leave");
    assert_eq!(said(&mut session, "count(\"round\")"), "2");
    assert!(session.play.is_asking());
}

#[test]
fn a_change_of_rules_drops_the_stop_in_a_sentence() {
    let mut session = before_the_strike(&[], &[":break strike"]);
    said(&mut session, "blue.guards1");
    let told = said(&mut session, ":set punch=2");
    assert!(told.contains("no longer stopped in game.strike"), "{told}");
    assert!(!is_stopped(&session));
    // The break point is still there.
    say(&mut session, &[":undo"]);
    while session.play.with_question(|a| a.label().to_owned()).as_deref() != Some("strike") {
        say(&mut session, &[":undo"]);
    }
    said(&mut session, "blue.guards1");
    assert!(is_stopped(&session));
}

#[test]
fn break_points_at_lines_go_with_their_lines_when_files_are_saved() {
    let copy = Copy::of_nothing();
    for (path, text) in small().files() {
        copy.write(path, text);
    }
    let workspace = Workspace::at(copy.path("."));
    let mut session = Session::new(&workspace, Some("tiny"), Overrides::default(), Style::default())
        .unwrap_or_else(|problems| panic!("{problems}"));
    session.greeting();
    say(
        &mut session,
        &[
            ":break guards.rhai:6",
            ":break guards.extra",
            ":break game.damage",
        ],
    );
    copy.replace(
        "units/tiny/guards.rhai",
        "/// Guards hit hard.\n",
        "/// Guards hit hard.\n// And long.\n\n",
    );
    let told = session.look_for_changes().expect("it is noticed").print();
    assert!(
        told.contains("break point 1 goes with its line: units/tiny/guards.rhai:6 is line 8 now"),
        "{told}"
    );
    assert!(said(&mut session, ":break").contains("guards.rhai:8"));
    say(&mut session, &["1", "1", "red.guards1", "b3"]);
    let told = said(&mut session, "blue.guards1");
    assert!(told.contains("break point 2"), "{told}");
    let told = said(&mut session, ":continue");
    assert!(
        told.contains("break point 1: ") && told.contains("guards.rhai:8"),
        "{told}"
    );
    // A line and a function that are gone.
    copy.replace(
        "units/tiny/guards.rhai",
        "base(me, foe) + more",
        "base(me, foe) + more + 0",
    );
    copy.replace(
        "scripts/tiny/game.rhai",
        "fn damage(me, foe) { punch }",
        "fn damage(me, foe) {\n    punch\n}",
    );
    let told = session.look_for_changes().expect("it is noticed").print();
    assert!(
        told.contains("its line is gone") && !told.contains("break point 3"),
        "{told}"
    );
    assert!(told.contains("no longer stopped in guards.damage"), "{told}");
    assert!(said(&mut session, ":break").contains("no such place now"));
}

#[test]
fn a_retelling_stops_and_goes_on() {
    let mut session = before_the_strike(&[], &[]);
    said(&mut session, "blue.guards1");
    say(&mut session, &[":with fierce", ":break strike"]);
    let told = said(&mut session, ":retell");
    assert!(
        is_stopped(&session) && told.contains("game.strike(me = red.guards1"),
        "{told}"
    );
    let told = said(&mut session, ":continue");
    assert!(told.contains("told again, the first difference"), "{told}");
    // Given up, the game on the table stays.
    said(&mut session, ":undo");
    let before = session.play.events();
    said(&mut session, ":retell");
    assert!(said(&mut session, ":leave").contains("given up"));
    assert_eq!(session.play.events(), before);
}

// --- secrets ---------------------------------------------------------------------------------

#[test]
fn a_stop_shows_no_secret_of_the_other_side() {
    let mut session = session(&[]);
    said(&mut session, ":break plan");
    // Red answers: what is left of red's plan is shown to red ...
    said(&mut session, ":break game.rhai:24");
    said(&mut session, "2");
    assert!(is_stopped(&session));
    assert_eq!(said(&mut session, "n"), "2");
    let told = said(&mut session, ":continue");
    // ... and nothing of blue's, whose question is next.
    assert!(
        !is_stopped(&session) && told.contains("blue's turn to choose in secret"),
        "{told}"
    );
    assert!(!told.contains("n = 2"));
    // When both have answered all is revealed.
    let told = said(&mut session, "1");
    assert!(is_stopped(&session), "{told}");
}

#[test]
fn one_person_who_plays_all_sides_stops_in_what_each_does_in_secret() {
    let mut session = session(&[]);
    said(&mut session, ":alone on");
    said(&mut session, ":break plan");
    // Behind red's answer blue's plan begins.
    let told = said(&mut session, "2");
    assert!(is_stopped(&session), "{told}");
    assert!(said(&mut session, "side").contains("blue"));
}

#[test]
fn a_stop_that_would_show_a_secret_is_passed_over_and_said() {
    let mut session = crate::support::started("smalltricks");
    for line in [":seed 5", ":auto 9", ":break settle"] {
        said(&mut session, line);
    }
    let told = said(&mut session, "1");
    assert!(
        !is_stopped(&session) && told.contains("a stop is passed over"),
        "{told}"
    );
    said(&mut session, ":alone on");
    said(&mut session, "1");
    assert!(is_stopped(&session));
}

// --- the same game ---------------------------------------------------------------------------

/// Plays a game with agents, going on from every stop; the record, the end, and how often it stopped.
fn played(session: &mut Session, lines: &[&str]) -> (Vec<Event>, Position, usize) {
    let mut stops = 0;
    for line in lines {
        let mut reply = session.line(line);
        while is_stopped(session) {
            assert!(!reply.failed(), "{}", reply.print());
            stops += 1;
            reply = session.line(":continue");
        }
    }
    (session.play.events(), session.play.position(), stops)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn games_with_break_points_are_those_without(seed in 0u64..1_000_000, greedy in any::<bool>()) {
        let auto = if greedy { ":auto greedy end" } else { ":auto end" };
        let reseed = format!(":seed {seed}");
        let lines = [reseed.as_str(), auto];
        let plain = played(&mut session(&[]), &lines);
        let mut stopping = session(&[]);
        say(&mut stopping, &[":break damage", ":break fire", ":break activate", ":break end_of_round"]);
        let with = played(&mut stopping, &lines);
        prop_assert!(plain.2 == 0 && with.2 > 3, "{} stops", with.2);
        prop_assert_eq!((plain.0, plain.1), (with.0, with.1));
    }
}

#[test]
fn every_statement_of_a_whole_game_can_be_stepped_through() {
    let mut plain = session(&[]);
    said(&mut plain, ":auto end");
    let mut stepped = session(&[]);
    said(&mut stepped, ":step");
    said(&mut stepped, ":auto end");
    let mut statements = 0;
    while is_stopped(&stepped) {
        said(&mut stepped, ":step");
        statements += 1;
    }
    assert!(statements > 50, "{statements}");
    assert_eq!(stepped.play.events(), plain.play.events());
}

#[test]
fn an_embedded_game_is_the_same_with_break_points() {
    let open = || {
        let mut session = Session::new(
            &Workspace::embedded(),
            Some("smalltricks"),
            Overrides::default(),
            Style::default(),
        )
        .unwrap_or_else(|problems| panic!("{problems}"));
        session.greeting();
        session
    };
    let plain = played(&mut open(), &[":auto end"]);
    let mut stopping = open();
    said(&mut stopping, ":break melee");
    let with = played(&mut stopping, &[":auto end"]);
    assert!(with.2 > 0);
    assert_eq!((plain.0, plain.1), (with.0, with.1));
}

#[test]
fn undo_while_a_retelling_is_stopped_gives_up_the_retelling_alone() {
    let mut session = started("charge-into-spears");
    for line in [":set max_rounds=5", ":break game.activate", ":retell"] {
        said(&mut session, line);
    }
    assert_eq!(session.prompt().0, "debug> ");
    let given = session.play.given_count();
    let told = said(&mut session, ":undo");
    assert!(
        told.contains("the retelling is given up; the game on the table stays"),
        "{told}"
    );
    assert_eq!(
        (session.play.given_count(), session.is_machine_asked()),
        (given, false)
    );
    assert_ne!(session.prompt().0, "debug> ");
}
