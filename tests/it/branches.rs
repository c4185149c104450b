//! Time travel: answers taken back and given again, lines of play that are kept, and sessions that go
//! on after they were cut off.

use crate::support::{Copy, brief, problems, refused, said, session, spent};
use proptest::prelude::*;
use rulebench::kernel::table::Position;
use rulebench::render::Style;
use rulebench::repl::journal::Journals;
use rulebench::repl::session::Session;
use rulebench::rules::ruleset::LoadOptions;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::Overrides;
use std::collections::BTreeMap;

fn game() -> Session {
    session(&rulebench::embedded::games(), "smalltricks")
}

/// Everything by which a person, and the rules, can tell two plays apart.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
    position: Position,
    record: Vec<String>,
    question: Option<Vec<String>>,
    prompt: String,
    units: String,
    chapters: Vec<(u32, LoadOptions)>,
    given: usize,
}

fn seen(session: &Session) -> Seen {
    let chapters = session.play.chapters().iter();
    Seen {
        position: session.play.position(),
        record: session.play.lines_from(0),
        // The numbers of options are no part of the play.
        question: session.play.with_question(|a| a.keys()),
        prompt: session.prompt().0,
        units: session.units().text(),
        chapters: chapters.map(|c| (c.from_step, c.options.clone())).collect(),
        given: session.play.given_count(),
    }
}

const CHARGE: &str = r#"
game = "smalltricks"
title = "A charge"
units.red = ["mounted c3", "archers a1"]
units.blue = ["spears c4", "cannons f6"]
"#;

fn copy() -> (Copy, Workspace) {
    let copy = Copy::of_rules();
    copy.write("scenarios/smalltricks/it.toml", CHARGE);
    let workspace = Workspace::at(copy.path("."));
    (copy, workspace)
}

#[test]
fn what_is_taken_back_is_given_again() {
    let mut session = game();
    let mut states = vec![seen(&session)];
    for _ in 0..30 {
        said(&mut session, ":auto");
        states.push(seen(&session));
    }
    for state in states.iter().rev().skip(1) {
        said(&mut session, ":undo");
        assert_eq!(seen(&session), *state);
    }
    for state in &states[1..] {
        said(&mut session, ":redo");
        assert_eq!(seen(&session), *state);
    }
    assert!(refused(&mut session, ":redo").contains("no answer to give again"));
    said(&mut session, ":undo 12");
    assert_eq!(seen(&session), states[18]);
    said(&mut session, ":redo 5");
    assert_eq!(seen(&session), states[23]);
    // As many as there are.
    assert!(said(&mut session, ":redo 500").starts_with("gave 7 answers again; there were no more\n"));
    assert_eq!(seen(&session), states[30]);
    assert_eq!(session.history.names(), Vec::<String>::new());
}

#[test]
fn the_same_answer_again_stays_on_the_line_and_another_keeps_it_as_a_branch() {
    let (_copy, workspace) = copy();
    let mut session = session(&workspace, "it");
    for line in ["red.mounted1", "c4", "blue.spears1"] {
        said(&mut session, line);
    }
    let whole = seen(&session);
    said(&mut session, ":undo 3");
    said(&mut session, "red.mounted1");
    assert_eq!(session.history.names(), Vec::<String>::new());
    said(&mut session, ":redo 2");
    assert_eq!(seen(&session), whole);
    said(&mut session, ":undo 2");
    let told = said(&mut session, "stay");
    assert!(
        told.starts_with("the line so far is kept: `:switch 1-red.mounted1-c4` goes back to it\n"),
        "{told}"
    );
    assert!(refused(&mut session, ":redo").contains("no answer to give again"));
    let other = seen(&session);
    let told = said(&mut session, ":switch 1-red.mounted1-c4");
    assert!(
        told.starts_with("now on `1-red.mounted1-c4`; the line left is `1-red.mounted1-stay`\n"),
        "{told}"
    );
    assert_eq!(seen(&session), whole);
    said(&mut session, ":switch");
    assert_eq!(seen(&session), other);
    // A line that is left where answers are taken back comes back there, and goes forward again.
    said(&mut session, ":switch");
    said(&mut session, ":undo 1");
    let taken_back = seen(&session);
    said(&mut session, ":switch 1-red.mounted1-stay");
    said(&mut session, ":switch -");
    assert_eq!(seen(&session), taken_back);
    said(&mut session, ":redo");
    assert_eq!(seen(&session), whole);
}

#[test]
fn where_another_change_by_hand_is_made_the_line_so_far_is_kept() {
    let (copy, workspace) = copy();
    let journals = Journals::at(copy.path("kept"));
    for (change, other, looked) in [
        (
            ":edit red.mounted1 life=4",
            ":edit red.mounted1 life=2",
            "unit(\"red.mounted1\").life",
        ),
        (":reseed 4", ":reseed 2", ":seed"),
        (":force army 1 2 3 4 5 6", ":force army 1 1 1 1 1 1", ":force"),
    ] {
        let mut session = kept(&workspace, "it", &journals);
        for line in [change, "red.mounted1", ":undo 2"] {
            said(&mut session, line);
        }
        let told = said(&mut session, other);
        assert!(told.contains("the line so far is kept: `:switch "), "{told}");
        let changed = said(&mut session, looked);
        assert!(!said(&mut session, ":branches").contains("taken back"));
        assert!(refused(&mut session, ":redo").contains("no answer to give again"));
        said(&mut session, ":restart");
        said(&mut session, ":undo");
        assert_eq!(said(&mut session, looked), changed);
        drop(session);
        let (mut session, _) = resumed(&workspace, &journals);
        assert_eq!(said(&mut session, looked), changed);
        // The same change again is no other line.
        for line in [":undo", other] {
            assert!(!said(&mut session, line).contains("the line so far"), "{line}");
        }
    }
}

#[test]
fn answers_and_changes_by_hand_are_counted_apart_and_what_redo_does_is_said() {
    let (copy, workspace) = copy();
    let journals = Journals::at(copy.path("kept"));
    let mut session = kept(&workspace, "it", &journals);
    for line in [
        "red.mounted1",
        "c4",
        ":reseed 4",
        "blue.spears1",
        ":edit red.archers1 life=2",
        ":undo 2",
    ] {
        said(&mut session, line);
    }
    let taken_back = "1 answer and `red.archers1 life=2` taken back; `:redo` gives them again";
    let list = said(&mut session, ":branches");
    assert!(list.contains(taken_back), "{list}");
    drop(session);
    let (mut session, greeting) = resumed(&workspace, &journals);
    let note = "goes on where it was: 2 answers, 1 change by hand";
    assert!(greeting.contains(note), "{greeting}");
    assert_eq!(said(&mut session, ":branches"), list);
    // Where a game was put in the place of this one and taken back, `:redo` brings that one.
    said(&mut session, ":retell");
    said(&mut session, ":undo");
    let told = said(&mut session, ":branches");
    let redo = "taken back\n    `:redo` puts the game that was taken back on the table again";
    assert!(told.contains(redo), "{told}");
    let told = said(&mut session, ":redo");
    assert!(
        told.starts_with("the game that was taken back is on the table again"),
        "{told}"
    );
}

#[test]
fn lines_are_named_listed_and_forgotten() {
    let (_copy, workspace) = copy();
    let mut session = session(&workspace, "it");
    assert!(said(&mut session, ":branches").ends_with("where play goes on otherwise the old line will be"));
    for line in [
        "red.mounted1",
        "c4",
        "blue.spears1",
        ":branch charge",
        ":undo 2",
        "stay",
    ] {
        said(&mut session, line);
    }
    said(&mut session, ":auto 2 rounds");
    said(&mut session, ":undo 4");
    said(&mut session, ":auto first 1 round");
    said(&mut session, ":undo");
    insta::assert_snapshot!(said(&mut session, ":branches"));
    assert_eq!(
        problems(&mut session, ":branch charge"),
        ["repeated-branch-name(charge)"]
    );
    assert_eq!(
        problems(&mut session, ":switch charg"),
        ["unknown-name(branch, charg)"]
    );
    for name in ["a b", "-x", "a/b", "", &"x".repeat(41)] {
        if !name.is_empty() {
            refused(&mut session, &format!(":branch {name}"));
        }
    }
    assert_eq!(said(&mut session, ":forget charge"), "`charge` is forgotten");
    refused(&mut session, ":switch charge");
}

#[test]
fn back_goes_to_the_beginning_of_a_phase() {
    let mut session = game();
    said(&mut session, ":auto round");
    let first = seen(&session);
    said(&mut session, ":auto 2 rounds");
    let third = seen(&session);
    assert!(
        refused(&mut session, ":back").contains("nothing has been answered since the beginning of round 3")
    );
    said(&mut session, ":auto 5");
    let later = seen(&session);
    let told = said(&mut session, ":back");
    assert!(
        told.starts_with("back at the beginning of round 3: took back 5 answers\n"),
        "{told}"
    );
    assert_eq!(seen(&session), third);
    said(&mut session, ":redo 5");
    assert_eq!(seen(&session), later);
    said(&mut session, ":back 1");
    assert_eq!(seen(&session), first);
    said(&mut session, ":redo 1000");
    assert_eq!(seen(&session), later);
    said(&mut session, ":back 3 rounds");
    assert_eq!(seen(&session), first);
    said(&mut session, ":redo 1000");
    said(&mut session, ":back round 3");
    assert_eq!(seen(&session), third);
    said(&mut session, ":back second turn");
    assert_eq!(said(&mut session, "count(\"round\")"), "2");
    assert_eq!(session.prompt().0, "blue> ");
    assert_eq!(problems(&mut session, ":back 9"), ["not-begun(round)"]);
    assert_eq!(
        problems(&mut session, ":back ruond"),
        ["unknown-name(phase, ruond)"]
    );
    assert_eq!(session.history.names(), Vec::<String>::new());
}

#[test]
fn neither_names_nor_the_list_tell_a_secret() {
    let mut session = game();
    // To blue's secret placing.
    for _ in 0..200 {
        let asked = session
            .play
            .with_question(|a| a.label() == "place")
            .unwrap_or_default();
        if session.prompt().0 == "blue> " && asked {
            break;
        }
        said(&mut session, "1");
    }
    assert!(session.is_secret());
    let red: Vec<String> = session
        .play
        .lines_from(0)
        .iter()
        .filter_map(|l| Some(l.strip_prefix("red chose place")?.rsplit_once(": ")?.1.to_owned()))
        .collect();
    assert!(!red.is_empty());
    // Red's own placing is taken back and done otherwise, then blue's turn comes again.
    let given = session.play.given_count();
    let mut back = 0;
    while session.prompt().0 != "red> " || session.play.with_question(|a| a.label() == "place") != Some(true)
    {
        said(&mut session, ":undo");
        back += 1;
        assert!(back < given);
    }
    let told = said(&mut session, "3");
    assert!(told.contains("-secret` goes back to it"), "{told}");
    while session.prompt().0 != "blue> " {
        said(&mut session, "1");
    }
    let list = said(&mut session, ":branches");
    assert!(
        list.contains("in secret") && list.contains("blue chooses in secret"),
        "{list}"
    );
    for place in &red {
        assert!(
            !list.split([' ', ',', '-', '\n']).any(|word| word == place),
            "{place}: {list}"
        );
    }
    // Whoever switches is covered before anything secret is shown.
    let told = said(&mut session, ":switch");
    let (before, _) = told
        .split_once("--- blue's turn to choose in secret ---")
        .expect("a cover");
    assert!(!before.contains("red chose place"), "{before}");
    assert!(!told.contains("red chose place"), "{told}");
}

#[test]
fn the_end_of_a_game_is_a_line_as_any_other() {
    let mut session = game();
    said(&mut session, ":auto end");
    let over = seen(&session);
    assert_eq!(over.prompt, "done> ");
    said(&mut session, ":undo 10");
    let before = seen(&session);
    said(&mut session, ":auto first end");
    assert_ne!(seen(&session).record, over.record);
    let other = seen(&session);
    let name = session.history.names().pop().expect("it is kept");
    said(&mut session, &format!(":switch {name}"));
    assert_eq!(seen(&session), over);
    said(&mut session, ":undo 10");
    assert_eq!(seen(&session), before);
    said(&mut session, ":switch");
    assert_eq!(seen(&session), other);
}

#[test]
fn a_line_that_brings_its_own_rules_says_so() {
    let (_copy, workspace) = copy();
    let mut session = session(&workspace, "it");
    said(&mut session, ":set mounted.charge=3");
    said(&mut session, "red.mounted1");
    said(&mut session, ":branch mine");
    said(&mut session, ":new smalltricks");
    let told = said(&mut session, ":switch mine");
    assert!(
        told.contains("its own rules are in force, `mounted.charge` at 3"),
        "{told}"
    );
}

#[test]
fn lines_of_a_game_go_on_under_the_rules_in_force_with_the_board_kept() {
    let (_copy, workspace) = copy();
    let mut session = session(&workspace, "it");
    for line in ["red.mounted1", "c4", "blue.spears1"] {
        said(&mut session, line);
    }
    let whole = seen(&session);
    said(&mut session, ":undo 2");
    said(&mut session, "stay");
    said(&mut session, ":set mounted.charge=3");
    let list = said(&mut session, ":branches");
    assert!(list.contains("played with nothing on or turned"), "{list}");
    let told = said(&mut session, ":switch 1-red.mounted1-c4");
    assert!(
        told.contains(
            "it was played with nothing on or turned, and goes on `mounted.charge` at 3; the board is kept"
        ),
        "{told}"
    );
    let now = seen(&session);
    assert_eq!(
        (now.record, now.units, now.question),
        (whole.record, whole.units, whole.question)
    );
    assert_eq!(now.chapters.len(), 2);
    assert_eq!(said(&mut session, "unit(\"red.mounted1\").charge"), "3");
    // Taken back over the change, the past can still be given again.
    let told = said(&mut session, ":undo");
    assert!(told.contains("that was before the rules changed"), "{told}");
    said(&mut session, ":redo");
    assert_eq!(seen(&session).chapters, now.chapters);
    // A change of rules keeps what was taken back.
    said(&mut session, ":undo");
    let told = said(&mut session, ":set mounted.charge=1");
    assert!(told.starts_with("the line so far is kept"), "{told}");
}

#[test]
fn a_line_that_the_rules_cannot_hold_stays_and_says_why() {
    let (copy, workspace) = copy();
    let mut session = session(&workspace, "it");
    for line in ["red.mounted1", "c4", "blue.spears1", ":undo 2", "stay"] {
        said(&mut session, line);
    }
    // On the present line the spears are taken off the board, and their script goes.
    copy.write(
        "scenarios/smalltricks/bare.toml",
        "game = \"smalltricks\"\nunits.red = [\"mounted c3\"]\nunits.blue = [\"cannons f6\"]\n",
    );
    session.look_for_changes();
    said(&mut session, ":open bare");
    let here = seen(&session);
    let spears = std::fs::read(copy.path("units/smalltricks/spears.rhai")).expect("read");
    std::fs::remove_file(copy.path("units/smalltricks/spears.rhai")).expect("removed");
    let told = session.look_for_changes().expect("it is noticed");
    assert!(!told.failed(), "{}", told.print());
    let names = session.history.names();
    for name in &names {
        let page = refused(&mut session, &format!(":switch {name}"));
        assert!(page.contains("spears"), "{page}");
        assert_eq!(seen(&session).record, here.record);
    }
    assert_eq!(session.history.names(), names);
    copy.write("units/smalltricks/spears.rhai", spears);
    session.look_for_changes();
    for name in &names {
        said(&mut session, &format!(":switch {name}"));
    }
}

#[test]
fn games_that_were_opened_come_back_by_undo_and_by_name() {
    let (_copy, workspace) = copy();
    let mut session = session(&workspace, "it");
    for line in ["red.mounted1", "c4", ":set mounted.charge=3"] {
        said(&mut session, line);
    }
    let first = seen(&session);
    for other in [":new smalltricks", ":restart", ":seed 9", ":open it"] {
        said(&mut session, other);
        said(&mut session, ":undo");
        assert_eq!(seen(&session).record, first.record, "{other}");
        assert_eq!(seen(&session).chapters, first.chapters, "{other}");
        assert!(said(&mut session, ":dials").contains("3, not 2"), "{other}");
    }
    said(&mut session, ":new smalltricks");
    assert!(!said(&mut session, ":dials").contains("3, not 2"));
    // Played on, the game before is a line.
    said(&mut session, ":auto 3");
    let second = seen(&session);
    assert_eq!(session.history.names(), ["it"]);
    said(&mut session, ":switch it");
    assert_eq!(seen(&session).record, first.record);
    assert!(said(&mut session, ":dials").contains("3, not 2"));
    said(&mut session, ":switch");
    assert_eq!(seen(&session).record, second.record);
    assert!(!said(&mut session, ":dials").contains("3, not 2"));
    // Games that nobody has played in are no lines.
    for line in [":new smalltricks", ":open it", ":new smalltricks"] {
        said(&mut session, line);
    }
    said(&mut session, ":auto");
    assert_eq!(session.history.names().len(), 2);
}

#[test]
fn a_past_that_was_told_again_is_a_line_beside_the_first() {
    let (_copy, workspace) = copy();
    let mut session = session(&workspace, "it");
    for line in ["red.mounted1", "c4", "blue.spears1", ":set mounted.charge=1"] {
        said(&mut session, line);
    }
    let first = seen(&session);
    said(&mut session, ":retell");
    let again = seen(&session);
    assert_ne!(again.record, first.record);
    said(&mut session, ":undo");
    assert_eq!(seen(&session).record, first.record);
    said(&mut session, ":redo");
    assert_eq!(seen(&session).record, again.record);
    // Played on, none of them is lost.
    said(&mut session, ":auto");
    said(&mut session, ":switch it");
    assert_eq!(seen(&session).record, first.record);
    assert_eq!(seen(&session).chapters, first.chapters);
}

#[test]
fn the_oldest_line_without_a_name_is_forgotten_when_there_are_too_many() {
    let (_copy, workspace) = copy();
    let mut session = session(&workspace, "it");
    said(&mut session, "red.mounted1");
    said(&mut session, ":branch first");
    let mut told = String::new();
    for n in 0..67 {
        said(&mut session, ":undo");
        told = said(
            &mut session,
            if n % 2 == 0 {
                "red.archers1"
            } else {
                "red.mounted1"
            },
        );
    }
    assert!(
        told.contains("more than 64 lines: the oldest without a name of your own"),
        "{told}"
    );
    let names = session.history.names();
    assert_eq!(names.len(), 64);
    assert_eq!(names[0], "first");
    // Where one is gone to and one is left they are not more.
    let told = said(&mut session, &format!(":switch {}", names[9]));
    assert!(!told.contains("forgotten"), "{told}");
    let now = session.history.names();
    let stayed = names.iter().filter(|name| now.contains(*name));
    assert_eq!((now.len(), stayed.count()), (64, 63), "{told}");
}

/// A way through a session.
#[derive(Debug, Clone)]
enum Move {
    Answer(usize),
    Auto,
    Undo(usize),
    Redo(usize),
    Back,
    Switch(usize),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        4 => (0usize..40).prop_map(Move::Answer),
        3 => Just(Move::Auto),
        4 => (1usize..8).prop_map(Move::Undo),
        3 => (1usize..8).prop_map(Move::Redo),
        1 => Just(Move::Back),
        3 => (0usize..8).prop_map(Move::Switch),
    ];
    prop::collection::vec(one, 1..40)
}

/// Expected states of a branch: at its end, and where the session left it.
struct Expected {
    end: Seen,
    left: Seen,
}

fn quoted(text: &str, after: &str) -> String {
    let (_, rest) = text
        .split_once(after)
        .unwrap_or_else(|| panic!("no `{after}` in {text}"));
    rest.split('`').next().expect("a name").to_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is answered, taken back, given again and switched to: every line stays reachable and is
    /// what it was.
    #[test]
    fn no_line_is_ever_lost(secret in any::<bool>(), moves in moves()) {
        let mut session = match secret {
            true => game(),
            false => session(&rulebench::embedded::games(), "charge-into-spears"),
        };
        let mut lines: BTreeMap<String, Expected> = BTreeMap::new();
        let mut end = seen(&session);
        for step in moves {
            let before = session.history.names();
            let line = match step {
                Move::Answer(n) => {
                    let Some(keys) = session.play.with_question(|a| a.keys()) else { continue };
                    keys[n % keys.len()].clone()
                }
                Move::Auto if session.prompt().0 != "done> " => ":auto 6".to_owned(),
                Move::Auto => continue,
                Move::Undo(n) => format!(":undo {n}"),
                Move::Redo(n) => format!(":redo {n}"),
                Move::Back => ":back".to_owned(),
                Move::Switch(n) if !before.is_empty() => format!(":switch {}", before[n % before.len()]),
                Move::Switch(_) => continue,
            };
            let here = seen(&session);
            let reply = session.line(&line);
            let now = seen(&session);
            if reply.failed() {
                prop_assert_eq!(now, here);
                continue;
            }
            let told = reply.print();
            match step {
                Move::Switch(_) => {
                    let to = line.strip_prefix(":switch ").expect("a name");
                    let expected = lines.remove(to).expect("it is known");
                    if told.contains("the line left is") {
                        let name = quoted(&told, "the line left is `");
                        lines.insert(name, Expected { end, left: here });
                    }
                    prop_assert_eq!(&now, &expected.left);
                    end = expected.end;
                }
                Move::Answer(_) | Move::Auto => {
                    let grown = session.history.names().len() > before.len();
                    if grown {
                        let name = quoted(&told, "is kept: `:switch ");
                        let name = name.split(' ').next().expect("a name").to_owned();
                        lines.insert(name, Expected { end: end.clone(), left: end.clone() });
                    }
                    if grown || now.given >= end.given {
                        end = now;
                    }
                }
                _ => prop_assert!(now.given <= end.given),
            }
        }
        let names: Vec<String> = lines.keys().cloned().collect();
        let mut listed = session.history.names();
        listed.sort();
        prop_assert_eq!(&listed, &names);
        for name in names {
            said(&mut session, &format!(":switch {name}"));
            prop_assert_eq!(&seen(&session), &lines[&name].left);
            session.line(":redo 1000");
            prop_assert_eq!(&seen(&session), &lines[&name].end);
        }
    }
}

/// A session of this workspace that is kept in a folder.
fn kept(workspace: &Workspace, start: &str, journals: &Journals) -> Session {
    let mut session = Session::new(workspace, Some(start), Overrides::default(), Style::default())
        .unwrap_or_else(|p| panic!("{p}"));
    session.keep_journal(journals);
    session.greeting();
    session
}

fn resumed(workspace: &Workspace, journals: &Journals) -> (Session, String) {
    let mut session = Session::resume(workspace, journals, 1, Style::default())
        .unwrap_or_else(|p| panic!("{}", p.page(false)));
    let greeting = session.greeting().print();
    (session, greeting)
}

/// Returns the state that must be the same after a session was cut off; positions are left out because they hold ids,
/// which may differ.
fn story(session: &Session) -> impl PartialEq + std::fmt::Debug + use<> {
    let seen = seen(session);
    let Seen {
        record,
        question,
        prompt,
        units,
        chapters,
        given,
        ..
    } = seen;
    let mut names = session.history.names();
    names.sort();
    (
        record,
        question,
        prompt,
        units,
        chapters,
        given,
        (session.set_up.file.seed, names, session.board().text()),
    )
}

/// Something that is done in a session and stays in its history.
#[derive(Debug, Clone, PartialEq)]
enum Deed {
    Answer(String),
    Edit(String),
    /// The script of the mounted is saved with this charge.
    Rules(u8),
}

impl Deed {
    fn is_counted(&self) -> bool {
        !matches!(self, Deed::Rules(_))
    }
}

/// A workspace of its own whose scripts can be saved.
struct Table {
    copy: Copy,
    session: Option<Session>,
    charge: u8,
}

impl Table {
    fn do_it(&mut self, deed: &Deed) {
        match deed {
            Deed::Answer(line) | Deed::Edit(line) => {
                said(self.session(), line);
            }
            Deed::Rules(charge) if *charge != self.charge => {
                let text = |charge: u8| format!("charge: {charge},");
                let path = "units/smalltricks/mounted.rhai";
                self.copy.replace(path, &text(self.charge), &text(*charge));
                self.charge = *charge;
                self.session().look_for_changes().expect("it is noticed");
            }
            Deed::Rules(_) => {}
        }
    }

    fn session(&mut self) -> &mut Session {
        self.session.as_mut().expect("it is open")
    }

    fn state(&mut self) -> impl PartialEq + std::fmt::Debug + use<> {
        let Seen {
            record,
            question,
            prompt,
            units,
            given,
            ..
        } = seen(self.session());
        let charge = said(self.session(), "unit(\"red.mounted1\").charge");
        (record, question, prompt, units, given, charge)
    }
}

/// A branch of the plain model: what was done in it, and how many deeds are undone.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    deeds: Vec<Deed>,
    undone: usize,
}

impl Told {
    /// Returns the deeds up to the cursor. Rules stay in force when answers are undone.
    fn now(&self, charge: u8) -> Vec<Deed> {
        let all = self.deeds.iter().filter(|deed| deed.is_counted()).count();
        let mut left = all - self.undone;
        let mut now = Vec::new();
        for deed in &self.deeds {
            if deed.is_counted() {
                if left == 0 {
                    break;
                }
                left -= 1;
            }
            now.push(deed.clone());
        }
        now.push(Deed::Rules(charge));
        now
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 6,
        max_shrink_iters: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Whatever is answered, edited, saved, undone, redone, switched to and cut off: the session is what a new one is
    /// in which only what counts was done.
    #[test]
    fn a_session_is_what_a_plain_model_says(moves in prop::collection::vec((0u8..12, 0usize..40), 1..16)) {
        let (copy, workspace) = copy();
        let journals = Journals::at(copy.path("kept"));
        let session = kept(&workspace, "it", &journals);
        let mut table = Table { copy, session: Some(session), charge: 2 };
        let mut present = Told { deeds: Vec::new(), undone: 0 };
        let mut branches: Vec<(String, Told)> = Vec::new();
        for (kind, n) in moves {
            let names = table.session().history.names();
            let deed = match kind {
                0..=3 => table.session().play.with_question(|a| a.keys()).map(|keys| {
                    Deed::Answer(keys[n % keys.len()].clone())
                }),
                4 => Some(Deed::Edit(format!(":edit blue.cannons1 life={}", n % 3 + 1))),
                5 => Some(Deed::Rules((n % 3) as u8 + 1)),
                _ => None,
            };
            match (kind, deed) {
                (_, Some(deed)) => {
                    let before = present.now(table.charge);
                    let has_changed = deed != Deed::Rules(table.charge);
                    let given = table.session().play.given_count();
                    table.do_it(&deed);
                    if !has_changed || deed.is_counted() && table.session().play.given_count() == given {
                        continue;
                    }
                    if let Some((name, _)) = table.session().history.names().last().map(|n| (n.clone(), ()))
                        && !names.contains(&name)
                    {
                        branches.push((name, Told { undone: 0, ..present.clone() }));
                        present = Told { deeds: before, undone: 0 };
                        present.deeds.push(deed);
                    } else if present.undone > 0 {
                        // The same answer as before, or the rules that were in force here.
                        present.undone -= usize::from(deed.is_counted());
                    } else {
                        present.deeds.push(deed);
                    }
                }
                (6 | 7, _) => {
                    let all = present.deeds.iter().filter(|deed| deed.is_counted()).count();
                    let undone = (present.undone + n % 4 + 1).min(all);
                    table.session().line(&format!(":undo {}", n % 4 + 1));
                    present.undone = undone;
                }
                (8, _) => {
                    table.session().line(&format!(":redo {}", n % 4 + 1));
                    present.undone = present.undone.saturating_sub(n % 4 + 1);
                }
                (9, _) if !branches.is_empty() => {
                    let (name, to) = branches.remove(n % branches.len());
                    let told = said(table.session(), &format!(":switch {name}"));
                    let left = quoted(&told, "the line left is `");
                    branches.push((left, std::mem::replace(&mut present, to)));
                }
                _ if present.deeds.is_empty() && branches.is_empty() => continue,
                _ => {
                    // The process is killed.
                    table.session = None;
                    let (session, _) = resumed(&workspace, &journals);
                    table.session = Some(session);
                }
            }
            let (copy, workspace) = self::copy();
            let session = self::session(&workspace, "it");
            let mut plain = Table { copy, session: Some(session), charge: 2 };
            present.now(table.charge).iter().for_each(|deed| plain.do_it(deed));
            prop_assert_eq!(table.state(), plain.state());
        }
    }
}

/// A process with a session in the folder `kept`, which can be killed.
struct Process {
    child: std::process::Child,
    output: std::sync::mpsc::Receiver<String>,
}

impl Process {
    fn start(folder: &std::path::Path, resumes: bool) -> Self {
        use std::io::BufRead as _;
        use std::process::{Command, Stdio};
        let start: &[&str] = if resumes { &["--resume"] } else { &["it"] };
        let mut child = Command::new(env!("CARGO_BIN_EXE_rulebench"))
            .arg("repl")
            .args(start)
            .args(["--journal", "kept"])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let (sender, output) = std::sync::mpsc::channel();
        let stdout = child.stdout.take().expect("a pipe");
        std::thread::spawn(move || {
            let lines = std::io::BufReader::new(stdout).lines().map_while(Result::ok);
            lines.for_each(|line| _ = sender.send(line));
        });
        Self { child, output }
    }

    fn send(&mut self, lines: &str) {
        use std::io::Write as _;
        let input = self.child.stdin.as_mut().expect("a pipe");
        input.write_all(lines.as_bytes()).expect("written");
    }

    /// Returns the lines up to one that ends so.
    fn read_to(&self, end: &str) -> Vec<String> {
        let lines = std::iter::from_fn(|| Some(self.output.recv().expect("a line")));
        lines.take_while(|line| !line.ends_with(end)).collect()
    }
}

/// Kills processes at random moments and continues their sessions in others: every line that was acknowledged is in the
/// session, and none in part.
fn kill_processes(times: u64) {
    use rulebench::kernel::dice::text_hash;
    const LINES: usize = 8;
    let events = |session: &mut Session| -> Vec<String> {
        said(session, ":events 9999").lines().map(str::to_owned).collect()
    };
    let (mut acknowledged_lines, mut cut_off) = (0, 0);
    for first in (0..times).step_by(20) {
        let (copy, workspace) = copy();
        let mut process = Process::start(&copy.path("."), false);
        process.send("red.mounted1\n= 700\n");
        process.read_to("700");
        let mut done = vec!["red.mounted1".to_owned()];
        for time in first..times.min(first + 20) {
            let random = |what: &str, most: u64| text_hash(&format!("{what} {time}")) % most;
            // A session that is not killed, its state after each line, and the lines for the process.
            let mut model = session(&workspace, "it");
            done.iter().for_each(|line| _ = model.line(line));
            let (mut lines, mut sent) = (Vec::new(), String::new());
            let mut states = vec![events(&mut model)];
            for n in 0..LINES {
                let line = match random(&format!("line {n}"), 8) {
                    _ if model.prompt().0 == "done> " => ":undo 30".to_owned(),
                    0 => ":undo 2".to_owned(),
                    1 => ":redo".to_owned(),
                    2 => format!(":edit blue.cannons1 life={}", 1 + random("life", 4)),
                    _ => "1".to_owned(),
                };
                model.line(&line);
                states.push(events(&mut model));
                sent += &format!("{line}\n= {}\n", 800 + n);
                lines.push(line);
            }
            process.send(&sent);
            let wanted = random("lines", LINES as u64);
            process.read_to(&(800 + wanted).to_string());
            std::thread::sleep(std::time::Duration::from_micros(random("moment", 5_000)));
            process.child.kill().expect("killed");
            process.child.wait().expect("it ends");
            let numbers = process.output.iter().filter_map(|line| {
                let number: usize = line.rsplit(' ').next()?.parse().ok()?;
                (800..800 + LINES).contains(&number).then(|| number - 799)
            });
            let acknowledged = numbers.last().unwrap_or(wanted as usize + 1);
            acknowledged_lines += acknowledged;
            cut_off += usize::from(acknowledged < LINES);
            process = Process::start(&copy.path("."), true);
            process.send("= 700\n:events 9999\n= 701\n");
            process.read_to("700");
            let now = process.read_to("701").join("\n");
            let is_now = |state: &Vec<String>| now.ends_with(&state.join("\n"));
            let found = states[acknowledged..].iter().position(is_now);
            let at = found.unwrap_or_else(|| {
                panic!("kill {time}: after {acknowledged} of {lines:?}, behind {done:?}: {now}\n{states:#?}")
            });
            lines.truncate(acknowledged + at);
            done.extend(lines);
        }
    }
    println!(
        "{acknowledged_lines} lines acknowledged, {cut_off} of {times} processes killed before the last"
    );
    assert!(cut_off > times as usize / 4);
}

#[test]
fn a_process_that_is_killed_loses_no_answer() {
    kill_processes(10);
}

#[test]
#[ignore = "it takes minutes"]
fn a_thousand_processes_that_are_killed_lose_no_answer() {
    kill_processes(1_000);
}

#[test]
fn a_session_that_is_cut_off_goes_on_where_it_was() {
    let (copy, workspace) = copy();
    let journals = Journals::at(copy.path("kept"));
    let mut session = kept(&workspace, "it", &journals);
    // Nothing is kept of a game that nobody has played in.
    assert!(!copy.path("kept").exists());
    for line in [
        ":with fire-unmoved",
        "red.mounted1",
        "c4",
        "blue.spears1",
        ":undo 2",
        "stay",
        ":auto 20",
        ":set max_rounds=5",
        ":auto 9",
        ":undo 4",
    ] {
        said(&mut session, line);
        // At whatever line it is cut off.
        let was = story(&session);
        drop(session);
        let (again, greeting) = resumed(&workspace, &journals);
        session = again;
        assert_eq!(story(&session), was, "{line}: {greeting}");
    }
    let list = said(&mut session, ":branches");
    said(&mut session, ":redo 4");
    let whole = story(&session);
    said(&mut session, ":undo 4");
    drop(session);
    let (mut session, greeting) = resumed(&workspace, &journals);
    assert!(
        greeting.contains("the session goes on where it was"),
        "{greeting}"
    );
    assert_eq!(said(&mut session, ":branches"), list);
    said(&mut session, ":redo 4");
    assert_eq!(story(&session), whole);
    // The lines are there, and so are the scenario and its beginning.
    let told = said(&mut session, ":switch 1-red.mounted1-c4");
    assert!(told.contains("the board is kept"), "{told}");
    assert_eq!(said(&mut session, "unit(\"red.mounted1\").life"), "3");
    said(&mut session, ":restart");
    assert_eq!(said(&mut session, "unit(\"red.mounted1\").life"), "5");
}

#[test]
fn that_a_session_was_cut_off_is_told_once() {
    let (copy, workspace) = copy();
    let journals = Journals::at(copy.path("kept"));
    let begun = || {
        let mut session = Session::new(&workspace, Some("it"), Overrides::default(), Style::default())
            .unwrap_or_else(|p| panic!("{p}"));
        session.keep_journal(&journals);
        let greeting = session.greeting().print();
        (session, greeting.contains("the session before was cut off"))
    };
    let mut session = kept(&workspace, "it", &journals);
    said(&mut session, "red.mounted1");
    drop(session);
    let (mut session, told) = begun();
    assert!(told);
    // It was left on purpose, and nothing was played in it.
    assert_eq!(session.close(), None);
    drop(session);
    let (session, told) = begun();
    assert!(!told);
    drop(session);
    // Who goes on with it and is cut off again is told again.
    drop(resumed(&workspace, &journals));
    assert!(begun().1);
    assert!(!begun().1);
}

/// A game in which a faction is asked twice in a step, and 2 breaks the rules with two lines.
fn fragile() -> (Copy, Workspace) {
    let copy = Copy::of_nothing();
    let rules = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 2], engaged: "same place" } }
fn slots() { #{ faction: #{ score: 0 } } }
fn phases() { [ #{ phase: "all", phases: [ #{ phase: "picks", each: "faction", step: "pick" } ] } ] }
fn pick(side) {
    let first = choose(side, "number", [1, 2, 3]);
    let second = choose(side, "word", ["so", "otherwise"]);
    if first == 2 { throw "broken\nin two"; }
    side.score = first;
}
"#;
    copy.write("scripts/fragile/game.rhai", rules);
    copy.write("units/fragile/token.rhai", "fn stats() { #{} }\n");
    let workspace = Workspace::at(copy.path("."));
    (copy, workspace)
}

#[test]
fn a_step_whose_rules_fail_keeps_its_answers_on_disk_and_in_saves() {
    let (copy, workspace) = fragile();
    let journals = Journals::at(copy.path("kept"));
    let mut session = kept(&workspace, "fragile", &journals);
    for line in ["3", "so", ":undo", "otherwise", "2"] {
        said(&mut session, line);
    }
    let page = refused(&mut session, "so");
    assert!(page.contains("broken"), "{page}");
    let was = story(&session);
    let list = said(&mut session, ":branches");
    let save = copy.path("save.txt").display().to_string();
    said(&mut session, &format!(":save {save}"));
    drop(session);
    let (mut session, greeting) = resumed(&workspace, &journals);
    assert!(
        greeting.contains("goes on where it was: 4 answers") && greeting.contains("broken"),
        "{greeting}"
    );
    assert_eq!(story(&session), was);
    assert_eq!(said(&mut session, ":branches"), list);
    // The save is one as well, and fails again.
    let page = refused(&mut session, &format!(":load {save}"));
    assert!(page.contains("broken"), "{page}");
    assert_eq!(
        (session.prompt().0.as_str(), session.play.given_count()),
        ("error> ", 4)
    );
    // The game before is back, and so is its page.
    refused(&mut session, ":undo");
    drop(session);
    // The rules are put right while nobody looks.
    copy.replace(
        "scripts/fragile/game.rhai",
        "if first == 2 { throw \"broken\\nin two\"; }",
        "",
    );
    let (mut session, greeting) = resumed(&workspace, &journals);
    assert!(greeting.contains("reloaded; board kept"), "{greeting}");
    assert_eq!(session.prompt().0, "done> ");
    assert_eq!(said(&mut session, "faction(\"blue\").score"), "2");
    // And so is the save, whose failed step goes on otherwise now.
    let told = said(&mut session, &format!(":load {save}"));
    assert!(!told.contains("tell another game"), "{told}");
    assert_eq!(session.prompt().0, "done> ");
    assert_eq!(said(&mut session, "faction(\"blue\").score"), "2");
}

/// Answers of the same step before and behind a change by hand, and some that it takes back: whatever is taken back of
/// them, it is what was typed last.
#[test]
fn what_was_changed_amid_a_step_is_taken_back_alike_after_a_resume() {
    let (copy, workspace) = fragile();
    let numbers = "if side.score > 0 { [3, 4] } else { [1, 2, 3] }";
    copy.replace("scripts/fragile/game.rhai", "[1, 2, 3]", numbers);
    let journals = Journals::at(copy.path("kept"));
    let mut session = kept(&workspace, "fragile", &journals);
    let told = |session: &Session| (story(session), session.play.position().seed);
    for line in [
        "3",
        ":reseed 7",
        "so",
        ":undo 2",
        ":redo 1",
        ":redo 1",
        "1",
        // With that 1 is no longer offered: the answer goes, and comes back.
        ":edit blue score=1",
        "4",
        ":undo 2",
        ":undo 1",
        ":redo 9",
        ":undo 4",
    ] {
        let said = session.line(line);
        assert!(!said.failed(), "{line}: {}", said.print());
        let was = told(&session);
        drop(session);
        let (again, greeting) = resumed(&workspace, &journals);
        session = again;
        assert_eq!(told(&session), was, "{line}: {greeting}");
    }
}

#[test]
fn where_in_its_step_a_change_was_made_is_kept_though_a_later_one_took_answers_back() {
    let (copy, workspace) = fragile();
    let game = "scripts/fragile/game.rhai";
    for (old, new) in [
        ("[1, 2, 3]", "if side.score > 0 { [3, 4] } else { [1, 2, 3] }"),
        (
            "[\"so\", ",
            "[if faction(\"blue\").score > 0 { \"else\" } else { \"so\" }, ",
        ),
        (
            "    if first == 2",
            "    choose(side, \"end\", [\"yes\", \"no\"]);\n    if first == 2",
        ),
    ] {
        copy.replace(game, old, new);
    }
    let journals = Journals::at(copy.path("kept"));
    let mut session = kept(&workspace, "fragile", &journals);
    let told = |session: &Session| (story(session), session.play.position().seed);
    let mut stood = vec![told(&session)];
    // `so` does not fit any more after the second change, and none of the answers after the last.
    for line in [
        "1",
        "so",
        ":reseed 7",
        ":edit blue score=1",
        "else",
        ":edit red score=1",
    ] {
        said(&mut session, line);
        stood.push(told(&session));
    }
    let save = copy.path("save.txt").display().to_string();
    said(&mut session, &format!(":save {save}"));
    let text = std::fs::read_to_string(&save).expect("it is written");
    drop(session);
    let (mut session, _) = resumed(&workspace, &journals);
    for was in stood.iter().rev().skip(1) {
        said(&mut session, ":undo");
        assert_eq!(told(&session), *was);
    }
    let mut session = self::session(&workspace, &save);
    said(&mut session, &format!(":save {save}"));
    assert_eq!(std::fs::read_to_string(&save).expect("it is written"), text);
}

#[test]
fn lines_are_listed_alike_after_a_resume() {
    let (copy, workspace) = copy();
    // What is patched is so from the beginning of a line that begins then.
    let patched = [
        ":patch spears fn melee(me) {}",
        ":restart",
        "red.mounted1",
        "c4",
        ":undo",
        "stay",
        ":drop",
    ];
    let changed = [
        ":set max_rounds=5",
        "red.mounted1",
        ":edit blue.spears1 life=2",
        "c4",
        ":undo",
        "stay",
    ];
    for (name, lines) in [("changed", &changed[..]), ("patched", &patched[..])] {
        let journals = Journals::at(copy.path(name));
        let mut session = kept(&workspace, "it", &journals);
        for line in lines {
            said(&mut session, line);
        }
        let list = said(&mut session, ":branches");
        drop(session);
        let (mut session, _) = resumed(&workspace, &journals);
        assert_eq!(said(&mut session, ":branches"), list);
    }
}

#[test]
fn why_rules_changed_is_told_alike_after_a_resume() {
    let (copy, workspace) = copy();
    let journals = Journals::at(copy.path("kept"));
    let mut session = kept(&workspace, "it", &journals);
    for line in [
        ":set archers.life=3",
        "red.mounted1",
        ":set mounted.charge=1",
        "c4",
        ":with fire-unmoved",
        ":auto 3",
        ":patch spears fn melee(me) {}",
        ":auto 3",
        // Of a change that was taken back beyond nothing is told.
        ":set max_rounds=5",
        ":undo 2",
    ] {
        said(&mut session, line);
        let told = said(&mut session, ":events 100");
        assert!(told.contains("~~ archers.life=3"), "{told}");
        drop(session);
        let (again, _) = resumed(&workspace, &journals);
        session = again;
        assert_eq!(said(&mut session, ":events 100"), told, "{line}");
    }
}

#[test]
fn a_game_and_a_scenario_without_its_file_have_their_names_after_a_resume() {
    let (copy, workspace) = copy();
    for (start, name) in [("smalltricks", ""), ("it", "it")] {
        let journals = Journals::at(copy.path(&format!("kept-{start}")));
        let mut session = kept(&workspace, start, &journals);
        said(&mut session, ":auto");
        if name == "it" {
            std::fs::remove_file(copy.path("scenarios/smalltricks/it.toml")).expect("it was there");
        }
        for _ in 0..2 {
            drop(session);
            let (again, _) = resumed(&workspace, &journals);
            session = again;
            assert_eq!(rulebench_session::page::state::of(&mut session)["scenario"], name);
            said(&mut session, ":auto");
        }
        let all = std::fs::read_dir(copy.path(&format!("kept-{start}"))).expect("it is there");
        for folder in all.flatten() {
            let journal = std::fs::read_to_string(folder.path().join("journal.jsonl")).expect("a journal");
            assert!(!journal.contains("kept-"), "{journal}");
        }
    }
}

#[test]
fn rules_that_changed_while_it_was_played_do_not_change_what_was_played() {
    let (copy, workspace) = copy();
    let journals = Journals::at(copy.path("kept"));
    let mut session = kept(&workspace, "it", &journals);
    for line in ["red.mounted1", "c4", "blue.spears1"] {
        said(&mut session, line);
    }
    // The past would be told otherwise under the rules as they are saved now.
    copy.replace("units/smalltricks/mounted.rhai", "charge: 2", "charge: 4");
    session.look_for_changes().expect("it is noticed");
    said(&mut session, ":auto 2");
    let was = story(&session);
    let bare = session.play.lines_from(0);
    drop(session);
    let (session, greeting) = resumed(&workspace, &journals);
    assert_eq!(story(&session), was, "{greeting}");
    drop(session);
    // Saved again while nobody looked: taken over, with the board kept.
    copy.replace("units/smalltricks/mounted.rhai", "charge: 4", "charge: 1");
    let (mut session, greeting) = resumed(&workspace, &journals);
    assert!(
        greeting.contains("rules that were saved since are reloaded; board kept"),
        "{greeting}"
    );
    assert_eq!(session.play.lines_from(0), bare);
    assert_eq!(said(&mut session, "unit(\"red.mounted1\").charge"), "1");
    drop(session);
    // Saved broken: the rules that it was played under stay in force.
    copy.replace("units/smalltricks/mounted.rhai", "charge: 1", "charge: ");
    let (mut session, greeting) = resumed(&workspace, &journals);
    assert!(greeting.contains("stay in force"), "{greeting}");
    assert_eq!(session.play.lines_from(0), bare);
    assert_eq!(said(&mut session, "unit(\"red.mounted1\").charge"), "1");
    said(&mut session, ":auto 3");
}

#[test]
fn two_sessions_at_once_do_not_touch_each_other() {
    let (copy, workspace) = copy();
    let journals = Journals::at(copy.path("kept"));
    let mut one = kept(&workspace, "it", &journals);
    said(&mut one, "red.mounted1");
    let mut two = kept(&workspace, "it", &journals);
    said(&mut two, "red.archers1");
    assert_eq!(journals.abandoned().len(), 0);
    let none = Session::resume(&workspace, &journals, 1, Style::default());
    let problem = none.err().map(|p| brief(&p.0[0]));
    assert_eq!(problem.as_deref(), Some("unknown-name(session, 1)"));
    said(&mut one, "c4");
    let (first, second) = (story(&one), story(&two));
    // Left on purpose it can be gone on with as well, and is not called cut off.
    assert!(two.close().is_some_and(|last| last.contains("--resume")));
    drop(two);
    assert!(journals.abandoned()[0].left);
    let mut three = kept(&workspace, "it", &journals);
    assert!(!three.greeting().print().contains("cut off"));
    let (again, _) = resumed(&workspace, &journals);
    assert_eq!(story(&again), second);
    drop((again, one));
    let stories: Vec<_> = (1..=2)
        .map(|n| {
            let session = Session::resume(&workspace, &journals, n, Style::default());
            let mut session = session.unwrap_or_else(|p| panic!("{}", p.page(false)));
            session.greeting();
            story(&session)
        })
        .collect();
    assert!(stories.contains(&first) && stories.contains(&second));
    let (mut again, _) = resumed(&workspace, &journals);
    said(&mut again, ":auto");
    drop(again);
    let mut four = Session::new(&workspace, None, Overrides::default(), Style::default())
        .unwrap_or_else(|p| panic!("{p}"));
    four.keep_journal(&journals);
    assert!(four.greeting().print().contains("the session before was cut off"));
}

#[test]
fn of_too_many_sessions_the_oldest_that_was_left_goes_and_it_is_said() {
    let (copy, workspace) = copy();
    let journals = Journals::at(copy.path("kept"));
    for n in 0..8 {
        let mut session = kept(&workspace, "it", &journals);
        let told = said(&mut session, if n == 0 { "red.archers1" } else { "red.mounted1" });
        assert!(!told.contains("is removed"), "{told}");
        // The oldest was cut off, and so was another.
        if n % 4 != 0 {
            session.close();
        }
        // Sessions are told apart by when they were written.
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(journals.abandoned().len(), 8);
    let mut session = kept(&workspace, "it", &journals);
    let told = said(&mut session, "red.mounted1");
    assert!(
        told.starts_with(
            "note: 8 sessions of a workspace are kept; the oldest that was left (round 1, red chooses"
        ),
        "{told}"
    );
    let left = journals.abandoned();
    assert_eq!(
        (left.len(), left.iter().filter(|found| found.left).count()),
        (7, 5)
    );
    drop(session);
    for n in 0..6 {
        let mut session = kept(&workspace, "it", &journals);
        let told = said(&mut session, "red.mounted1");
        let how = if n < 5 { "was left (" } else { "was cut off (" };
        assert!(told.contains(how), "{n}: {told}");
    }
    assert_eq!(journals.abandoned().len(), 8);
}

#[test]
fn a_damaged_journal_is_told_in_a_sentence_and_read_as_far_as_it_can_be() {
    let (copy, workspace) = copy();
    let journals = Journals::at(copy.path("kept"));
    let mut session = kept(&workspace, "it", &journals);
    for line in ["red.mounted1", "c4", "blue.spears1", ":undo 2", "stay"] {
        said(&mut session, line);
    }
    let was = story(&session);
    drop(session);
    let journal = journal_in(&copy.path("kept"));
    let whole = std::fs::read(&journal).expect("read");
    let write = |bytes: &[u8]| std::fs::write(&journal, bytes).expect("written");
    // A record that was cut off is ignored.
    write(&[&whole[..], b"{\"line\":{\"li"].concat());
    let (session, greeting) = resumed(&workspace, &journals);
    assert!(!greeting.contains("damaged"), "{greeting}");
    assert_eq!(story(&session), was);
    drop(session);
    // A damaged record: the session is as it was before it, and a new journal is whole.
    write(&[&whole[..], b"odd\n", &whole[..]].concat());
    let (mut session, greeting) = resumed(&workspace, &journals);
    let line = whole.split(|byte| *byte == b'\n').count();
    let note = format!("the journal of the session is damaged: line {line} cannot be read");
    assert!(greeting.contains(&note), "{greeting}");
    assert_eq!(story(&session), was);
    said(&mut session, ":auto");
    let was = story(&session);
    drop(session);
    let (session, greeting) = resumed(&workspace, &journals);
    assert!(!greeting.contains("damaged"), "{greeting}");
    assert_eq!(story(&session), was);
    drop(session);
    for nothing in [&b"\xff\xfe\0\n"[..], b""] {
        write(nothing);
        let none = Session::resume(&workspace, &journals, 1, Style::default());
        let page = none.err().map(|p| p.page(false)).expect("nothing can be read");
        assert!(
            page.starts_with("error: the journal of the session is damaged"),
            "{page}"
        );
    }
}

/// The journal of the one session in a folder.
fn journal_in(kept: &std::path::Path) -> std::path::PathBuf {
    let folder = std::fs::read_dir(kept).expect("it is there").flatten().next();
    folder.expect("a session").path().join("journal.jsonl")
}

#[test]
fn a_folder_that_cannot_be_written_is_told_once_and_play_goes_on() {
    let (copy, workspace) = copy();
    copy.write("kept", "a file, not a folder");
    let journals = Journals::at(copy.path("kept"));
    let mut session = kept(&workspace, "it", &journals);
    let told = said(&mut session, "red.mounted1");
    assert!(
        told.starts_with("note: the session cannot be kept on disk ("),
        "{told}"
    );
    assert!(!said(&mut session, "c4").contains("cannot be kept"));
    assert_eq!(session.close(), None);
}

#[test]
fn piped_sessions_are_kept_only_when_asked_and_go_on() {
    let (copy, _) = copy();
    let run = |args: &[&str], input: &str| -> String {
        use std::io::Write as _;
        use std::process::{Command, Stdio};
        let mut child = Command::new(env!("CARGO_BIN_EXE_rulebench"))
            .arg("repl")
            .args(args)
            .current_dir(copy.path("."))
            .env("XDG_STATE_HOME", copy.path("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(input.as_bytes()).expect("written");
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        String::from_utf8(output.stdout).expect("text")
    };
    run(&["it"], "red.mounted1\nc4\n");
    assert!(!copy.path("state").exists());
    let told = run(&["it", "--journal", "kept"], "red.mounted1\nc4\n");
    assert!(
        told.ends_with("the session is kept: `rulebench repl --journal kept --resume` goes on with it\n"),
        "{told}"
    );
    let told = run(&["--resume", "--journal", "kept"], "blue.spears1\n:undo\n");
    assert!(
        told.contains("the session goes on where it was: 2 answers"),
        "{told}"
    );
    assert!(told.contains("life 5->3"), "{told}");
}

/// Whole games at the prompt must not become slow by being kept.
#[test]
fn keeping_a_whole_game_costs_little() {
    let (copy, workspace) = copy();
    let began = std::time::Instant::now();
    let mut costs = Vec::new();
    for keeps in [false, true] {
        let mut session = match keeps {
            true => kept(&workspace, "smalltricks", &Journals::at(copy.path("kept"))),
            false => session(&workspace, "smalltricks"),
        };
        said(&mut session, ":auto end");
        said(&mut session, ":undo 40");
        said(&mut session, ":auto first");
        let before = spent(began);
        for _ in 0..20 {
            said(&mut session, ":auto");
        }
        costs.push((spent(began) - before) / 20);
        let events = session.play.table().events.len();
        println!(
            "kept: {keeps}, {events} events, {:?} an answer",
            costs[costs.len() - 1]
        );
    }
    assert!(costs[1] < std::time::Duration::from_millis(100), "{costs:?}");
}

#[test]
fn who_plays_alone_is_there_after_a_resume() {
    let (_copy, workspace) = copy();
    let folder = tempfile::tempdir().expect("a folder");
    let journals = Journals::at(folder.path().to_owned());
    let mut session = session(&workspace, "smalltricks");
    session.keep_journal(&journals);
    for line in [":alone on", "1", ":expect true"] {
        said(&mut session, line);
    }
    assert!(session.close().is_some());
    drop(session);
    let (mut session, _) = resumed(&workspace, &journals);
    assert!(said(&mut session, ":expect").contains("true now"));
    assert!(said(&mut session, ":alone").contains("one person plays all sides"));
}

#[test]
fn what_was_changed_by_hand_is_changed_in_a_comparison_too() {
    let mut session = session(&rulebench::embedded::games(), "charge-into-spears");
    for line in [
        ":alone on",
        ":back",
        ":edit blue.spears1 life=2",
        "red.mounted1",
        "c4",
        "stay",
        "blue.cannons1",
        "stay",
        "decline",
    ] {
        session.line(line);
    }
    let text = said(&mut session, ":diff mounted.combat=3");
    assert!(
        text.contains("- blue.spears1  life 2->0") && text.contains("+ blue.spears1  life 2->-1"),
        "{text}"
    );
}

#[test]
fn a_line_is_listed_where_it_was_left_and_where_switching_goes() {
    let (_copy, workspace) = copy();
    let folder = tempfile::tempdir().expect("a folder");
    let journals = Journals::at(folder.path().to_owned());
    let mut session = kept(&workspace, "it", &journals);
    for line in ["red.mounted1", "c4", ":branch b", ":undo 2", ":open it"] {
        said(&mut session, line);
    }
    let listed = |session: &mut Session| {
        let told = said(session, ":branches");
        let row = told.lines().position(|line| line.starts_with("  b "));
        let lines: Vec<&str> = told.lines().skip(row.expect("it is listed")).collect();
        assert!(
            lines[0].contains("  0 ") && lines[0].ends_with("red activates"),
            "{told}"
        );
        let back = "    2 answers taken back on it; `:redo` gives them again there";
        assert!(lines.contains(&back), "{told}");
    };
    listed(&mut session);
    said(&mut session, "1");
    drop(session);
    let (mut session, _) = resumed(&workspace, &journals);
    listed(&mut session);
    said(&mut session, ":switch b");
    assert_eq!(session.play.given_count(), 0);
    said(&mut session, ":redo 2");
    said(&mut session, ":switch");
    // At its end it is listed there.
    let told = said(&mut session, ":branches");
    let row = told.lines().find(|line| line.starts_with("  b "));
    assert!(row.is_some_and(|row| row.contains("  2  ")), "{told}");
}

#[test]
fn a_game_that_was_told_again_and_taken_back_is_there_for_redo_after_a_resume() {
    let (_copy, workspace) = copy();
    let folder = tempfile::tempdir().expect("a folder");
    let journals = Journals::at(folder.path().to_owned());
    let mut session = kept(&workspace, "it", &journals);
    for line in ["red.mounted1", ":set max_rounds=5", ":retell"] {
        said(&mut session, line);
    }
    let told = seen(&session).chapters;
    said(&mut session, ":undo");
    let promise = "`:redo` puts the game that was taken back on the table again";
    assert!(said(&mut session, ":branches").contains(promise));
    drop(session);
    let (mut session, _) = resumed(&workspace, &journals);
    assert!(said(&mut session, ":branches").contains(promise));
    said(&mut session, ":redo");
    assert_eq!(seen(&session).chapters, told);
    assert!(!said(&mut session, ":branches").contains(promise));
}

#[test]
fn rules_that_a_resumed_session_reloads_are_compared_with_those_before() {
    let (copy, workspace) = copy();
    let folder = tempfile::tempdir().expect("a folder");
    let journals = Journals::at(folder.path().to_owned());
    let mut session = kept(&workspace, "it", &journals);
    for line in ["red.mounted1", "c4", "blue.spears1"] {
        said(&mut session, line);
    }
    drop(session);
    copy.replace("units/smalltricks/mounted.rhai", "charge: 2", "charge: 1");
    let (mut session, told) = resumed(&workspace, &journals);
    assert!(
        told.contains("rules that were saved since are reloaded"),
        "{told}"
    );
    let told = said(&mut session, ":diff");
    assert!(told.contains("reloaded what was saved since"), "{told}");
}
