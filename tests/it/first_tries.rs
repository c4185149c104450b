//! Input that caused trouble for people who tried the tool for the first time.

use crate::support::{Copy, problems, refused, root, run_in, said, session};
use rulebench::rules::workspace::Workspace;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

fn at(scenario: &str) -> rulebench::repl::session::Session {
    session(&Workspace::at(root()), scenario)
}

#[test]
fn what_is_no_spot_is_told_so_where_a_spot_is_asked_for() {
    let mut session = at("after-a-hit-comes-the-damage-wager");
    for line in [":undo 4", "red.archer1", "move", "6"] {
        said(&mut session, line);
    }
    for word in ["99", "blue.archer1", "red", "pass"] {
        let told = session.line(&format!(":why-not {word}")).print();
        assert!(told.contains("is not offered"), "{word}: {told}");
    }
}

#[test]
fn an_agent_that_is_stopped_while_it_thinks_leaves_the_question_open() {
    let mut session = at("a-battle-of-the-seed");
    said(&mut session, ":auto random 3");
    let before = said(&mut session, ":options");
    for goal in ["1", "end"] {
        let stop = Arc::clone(&session.stop);
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(700));
            stop.store(true, Ordering::SeqCst);
        });
        let told = said(&mut session, &format!(":auto mcts:60s {goal}"));
        stopper.join().expect("it stops");
        assert!(told.contains("stopped"), "{told}");
        assert_eq!(said(&mut session, ":options"), before);
    }
}

#[test]
fn taking_back_after_another_game_was_opened_says_which_game_it_brings() {
    let mut session = at("a-battle-of-the-seed");
    said(&mut session, ":open after-a-hit-comes-the-damage-wager");
    let told = said(&mut session, ":undo 4");
    assert!(told.contains("no answer of it was taken back"), "{told}");
}

#[test]
fn a_past_that_leads_to_another_question_is_told_so() {
    let mut session = at("a-shot-that-falls-short-costs-its-dice");
    said(
        &mut session,
        ":patch archer fn ranged_wager(me) { base(me); advance(me, 2); }",
    );
    let told = said(&mut session, ":retell");
    assert!(told.contains("something else is asked"), "{told}");
}

#[test]
fn a_workspace_without_the_games_of_the_tour_offers_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = run_in(folder.path(), &["new", "x"]);
    assert_eq!(made.status, 0, "{}", made.page());
    let mut session = session(&Workspace::at(folder.path().join("x")), "ford");
    let told = refused(&mut session, ":tour");
    assert!(told.contains("there is no tour here"), "{told}");
}

#[test]
fn a_clause_tells_the_game_of_a_new_variant_and_a_slip_in_a_name_the_game() {
    let copy = Copy::of_rules();
    let ran = copy.run(&["variants", "new", "my-idea", "--clause", "ST-R6"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert!(ran.page().contains("smalltricks"), "{}", ran.page());
    let ran = copy.run(&["sim", "smaltricks"]);
    assert!(
        ran.page().contains("did you mean the game `smalltricks`?"),
        "{}",
        ran.page()
    );
}

#[test]
fn odds_take_a_spot_as_it_is_typed_and_say_that_only_those_proposed_were_looked_at() {
    let mut session = at("after-a-hit-comes-the-damage-wager");
    for line in [":undo 4", "red.archer1", "move"] {
        said(&mut session, line);
    }
    let told = said(&mut session, ":odds 6 --policy first");
    assert!(
        told.contains("exact for the proposed spots and numbers only"),
        "{told}"
    );
    said(&mut session, "6");
    said(&mut session, ":odds 1 toward blue.archer1 --policy first");
    let told = refused(&mut session, ":odds 99 toward blue.archer1");
    assert!(told.contains("99 toward blue.archer1"), "{told}");
}

#[test]
fn spots_are_read_as_people_type_them() {
    let mut session = at("after-a-hit-comes-the-damage-wager");
    for line in [":undo 4", "red.archer1", "move"] {
        said(&mut session, line);
    }
    assert_eq!(
        problems(&mut session, "6 toward 10,10"),
        ["not-offered(6 toward 10,10)"]
    );
    said(&mut session, "6");
    for (line, why) in [
        ("-2 toward 10,10", "`-2` is no length"),
        ("3.0005 at 90", "`3.0005` is no length"),
        ("contact red.nosuch1", "stands nowhere"),
    ] {
        let told = refused(&mut session, line);
        assert!(told.contains(why), "{line}: {told}");
    }
    let told = said(&mut session, "3 TOWARD 10, 10");
    assert!(told.contains("6.121,6.121"), "{told}");
}

#[test]
fn slips_of_newcomers_are_told_as_what_they_are() {
    let copy = Copy::of_nothing();
    crate::support::copy(&root().join("starter"), &copy.path("."));
    // A file of which there are two is called by a name that is free.
    let file = copy.path("units/ford/slingers.rhai");
    let slingers = std::fs::read_to_string(&file).expect("it is there");
    copy.write("units/ford/slingers2.rhai", &slingers);
    let ran = copy.run(&["check"]);
    assert!(
        ran.out.contains("call the file slingers-b.rhai"),
        "{}",
        ran.page()
    );
    std::fs::remove_file(copy.path("units/ford/slingers2.rhai")).expect("it is there");
    // A unit's name that is none, where the unit came by itself.
    let scenario = "game = \"ford\"\nunits.red = [\"slingers c1\"]\nunits.blue = [\"shieldmen c5\"]\n\
                    answers = [\"red.slinger c2\"]\n";
    copy.write("scenarios/ford/slip.toml", scenario);
    let ran = copy.run(&["run", "slip"]);
    assert!(
        ran.flat().contains("did you mean `red.slingers1`?"),
        "{}",
        ran.page()
    );
    for (old, new, told) in [
        ("fn stats()", "Fn stats()", "write `fn` in lower case"),
        ("#{", "{", "`#` is missing"),
        ("\"Sl\"", "Sl", "put a text into quotes: `\"Sl\"`"),
    ] {
        copy.write("units/ford/slingers.rhai", slingers.replacen(old, new, 1));
        let ran = copy.run(&["check"]);
        assert!(ran.flat().contains(told), "{told}: {}", ran.page());
    }
}
