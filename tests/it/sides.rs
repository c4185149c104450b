//! Sides that agents play at the prompt.

use crate::support::started;
use rulebench::repl::session::Session;
use std::sync::atomic::Ordering;

fn said(session: &mut Session, line: &str) -> String {
    let reply = session.line(line);
    assert!(!reply.failed(), "{line}: {}", reply.print());
    let mut told = vec![reply.print()];
    while let Some(reply) = session.machine_answers() {
        assert!(!reply.failed(), "{}", reply.print());
        told.push(reply.print());
    }
    told.join("\n")
}

fn asked(session: &Session) -> Option<usize> {
    session.play.with_question(|a| a.request.asker.index())
}

#[test]
fn an_agent_plays_a_side_until_told_otherwise() {
    let mut session = started("charge-into-spears");
    said(&mut session, ":restart");
    let told = said(&mut session, ":plays blue mcts:20");
    assert!(told.contains("red: you\nblue: mcts:20"), "{told}");
    let mut reasons = 0;
    for _ in 0..6 {
        if asked(&session).is_none() {
            break;
        }
        assert_eq!(asked(&session), Some(0), "only red is left to the person");
        let told = said(&mut session, ":auto");
        reasons += told.matches("playouts").count();
        // What a machine is asked is not told as a question.
        assert!(!told.contains("blue activates:"), "{told}");
    }
    assert!(reasons > 0);
    // Taking back goes to the person's own question, whoever has answered since.
    let given = session.play.given_count();
    said(&mut session, ":undo");
    assert!(session.play.given_count() < given);
    assert_eq!(asked(&session), Some(0));
    // And `:redo` on to the next, as far as it was.
    said(&mut session, ":redo");
    assert_eq!((session.play.given_count(), asked(&session)), (given, Some(0)));
    said(&mut session, ":plays blue me");
    let listed = said(&mut session, ":plays");
    assert_eq!(listed, "red: you\nblue: you");
    assert!(session.line(":plays green mcts").failed());
    assert!(session.line(":plays blue mtcs").failed());
    assert!(session.line(":plays blue").failed());
}

#[test]
fn what_a_machine_does_in_secret_is_not_told() {
    let mut session = started("smalltricks");
    let mut told = said(&mut session, ":plays blue random");
    for _ in 0..200 {
        if session.play.view().is_whole() || asked(&session).is_none() {
            break;
        }
        assert_eq!(asked(&session), Some(0));
        told += &said(&mut session, ":auto");
    }
    assert!(told.contains("blue has chosen in secret"), "{told}");
    let own = |line: &&str| line.starts_with("blue:") && line.contains("because");
    let revealed = told.find("= round").unwrap_or(told.len());
    assert_eq!(told[..revealed].lines().filter(own).count(), 0, "{told}");
    assert!(!told.contains("blue's turn to choose in secret"), "{told}");
}

#[test]
fn an_agent_that_waits_says_so_and_a_list_of_who_plays_changes_nothing() {
    let mut session = started("charge-into-spears");
    session.line(":restart");
    said(&mut session, ":plays red first");
    while session.play.given_count() < 8 {
        said(&mut session, ":auto");
    }
    let waits = "red waits; `:plays red first` has it go on";
    let told = session.line(":back 1").print();
    assert!(told.ends_with(waits) && asked(&session) == Some(0), "{told}");
    // To ask who plays sets nobody going, and what is no answer says nothing anew.
    for line in [":plays", ":units", ":quiet on"] {
        let told = session.line(line).print();
        assert!(!session.is_machine_asked() && !told.contains(waits), "{told}");
    }
    said(&mut session, ":plays red first");
    assert_eq!(asked(&session), Some(1));
    for (line, why) in [
        (":plays first", "there is no faction `first`"),
        (":plays blue", "needs a faction and an agent"),
    ] {
        assert!(session.line(line).print().contains(why));
    }
}

#[test]
fn what_a_machine_chose_in_secret_stays_covered_where_answers_are_taken_back() {
    let mut session = started("smalltricks");
    let first = session.play.with_question(|a| a.keys()).expect("red is asked");
    said(&mut session, ":plays red greedy");
    assert_eq!(asked(&session), Some(1));
    for line in [":undo", ":redo 3", ":undo", ":redo"] {
        let told = session.line(line).print() + session.line(":events").print().as_str();
        assert!(!told.contains("red chose"), "{line}: {told}");
        // Nor is what is on its side of the table, and what it is asked.
        let units = session.line(":units").print();
        assert!(!units.contains("red.archers1"), "{line}: {units}");
        assert_eq!(session.is_for_machine(), asked(&session) == Some(0));
        if session.is_for_machine() {
            assert!(session.line(":options").failed() && session.line(&first[0]).failed());
            assert!(session.completions("").words.is_empty());
        }
    }
}

#[test]
fn stopping_gives_the_side_back() {
    let mut session = started("charge-into-spears");
    session.line(":restart");
    session.line(":plays blue mcts:100000000");
    assert!(session.is_machine_asked());
    session.stop.store(true, Ordering::Relaxed);
    let told = session.machine_answers().expect("it was asked").print();
    assert!(
        told.contains("blue is yours again; `:plays blue mcts:100000000` gives it back"),
        "{told}"
    );
    assert!(session.machine_answers().is_none() && asked(&session) == Some(1));
}

/// An agent says once in an activation why it answered so, and the record has all its answers.
#[test]
fn an_agent_gives_one_reason_for_an_activation() {
    let mut session = started("very-quick-violence");
    session.line(":plays red first");
    let mut told = Vec::new();
    while let Some(reply) = session.machine_answers() {
        told.push(reply.print());
    }
    let told = told.join("\n");
    assert!(told.matches("red chose fighter: ").count() > 1, "{told}");
    assert_eq!(told.matches("because: ").count(), 1, "{told}");
}
