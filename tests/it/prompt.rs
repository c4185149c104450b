//! Lines at the prompt: answers, chains of answers, expressions, secrets, what the options would bring about.

use crate::support::{Copy, Small, problems, refused, said, session, started};
use rulebench::agents::Agent;
use rulebench::commands;
use rulebench::kernel::event::Event;
use rulebench::render::Style;
use rulebench::repl::auto::AutoGoal;
use rulebench::repl::journal::Journals;
use rulebench::repl::output::{Output, OutputPiece};
use rulebench::repl::session::Session;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::Overrides;
use std::sync::atomic::Ordering;

/// In the first round: the armies are there and stand.
fn in_round_one() -> Session {
    let mut session = started("smalltricks");
    said(&mut session, ":auto round");
    session
}

fn keys(session: &Session) -> Vec<String> {
    session
        .play
        .with_question(|a| a.keys())
        .expect("something is asked")
}

#[test]
fn a_key_and_a_number_answer_alike() {
    let (mut by_key, mut by_number) = (in_round_one(), in_round_one());
    let key = keys(&by_key)[1].clone();
    let told = said(&mut by_key, &key);
    assert_eq!(told, said(&mut by_number, "2"));
    assert!(
        told.starts_with(&format!("red activates {key}\nred chooses move for {key}:")),
        "{told}"
    );
    assert_eq!(by_key.play.position(), by_number.play.position());
}

#[test]
fn what_has_just_happened_is_seen_below_a_board_that_fills_the_terminal() {
    let after = |rows: usize| {
        let mut session = started("charge-into-spears");
        session.face.rows = Some(rows);
        said(&mut session, ":back 1");
        said(&mut session, "red.mounted1");
        let told = said(&mut session, "c4");
        (
            told.find("moved last").expect("a board"),
            told.find("->").expect("a move"),
        )
    };
    let (board, moved) = after(24);
    assert!(board < moved, "the board comes first");
    let (board, moved) = after(200);
    assert!(moved < board, "there is room for all");
}

#[test]
fn a_stat_that_is_turned_is_not_what_units_remember() {
    let mut session = in_round_one();
    let kind = said(&mut session, ":units");
    let kind = kind
        .split_once("red.")
        .and_then(|(_, unit)| unit.split(char::is_numeric).next());
    let kind = kind.expect("a unit");
    let told = said(&mut session, &format!(":set {kind}.life=3"));
    assert!(
        told.contains("note: whoever is there remembers the `life` that it began with"),
        "{told}"
    );
    let told = said(&mut session, ":set max_rounds=3");
    assert!(!told.contains("remembers"), "{told}");
}

#[test]
fn dials_and_variants_are_found_by_a_word() {
    let mut session = started("smalltricks");
    assert_eq!(
        said(&mut session, ":dials MAX_R"),
        "max_rounds  12  a whole number from 1 to 99"
    );
    assert_eq!(problems(&mut session, ":dials zz"), ["unknown-name(dial, zz)"]);
    let found = said(&mut session, ":variants st-r7");
    let names: Vec<&str> = found
        .lines()
        .filter_map(|l| l.split_whitespace().next())
        .collect();
    assert_eq!(names, ["combats-last", "combats-before-castle-damage"], "{found}");
    let one = said(&mut session, ":variants combats-last");
    assert!(
        one.contains("They come after Castle damage") && one.ends_with("    it is off"),
        "{one}"
    );
    assert_eq!(problems(&mut session, ":variants zz"), ["unmentioned(zz)"]);
}

#[test]
fn undo_returns_to_the_same_position_over_steps_and_to_the_very_beginning() {
    let mut session = started("smalltricks");
    let mut before = Vec::new();
    for _ in 0..40 {
        before.push((session.play.position(), session.play.events(), session.question()));
        said(&mut session, ":auto");
    }
    for (position, events, question) in before.into_iter().rev() {
        said(&mut session, ":undo");
        assert_eq!(session.play.position(), position);
        assert_eq!(session.play.events(), events);
        assert_eq!(session.question(), question);
    }
    let nothing = refused(&mut session, ":undo");
    assert!(nothing.contains("no answer to take back"), "{nothing}");
}

#[test]
fn undo_works_when_the_game_is_over() {
    let mut session = in_round_one();
    let over = said(&mut session, ":auto end");
    let told = refused(&mut session, "pass");
    assert!(told.contains("the game is over and nothing is asked"), "{told}");
    // That a number is too large is not because nothing is asked.
    let told = refused(&mut session, "12345678901234567890");
    assert!(
        told.contains("is too large") && !told.contains("the game is over"),
        "{told}"
    );
    assert!(over.contains("the game is over: "), "{over}");
    assert_eq!(session.prompt().0, "done> ");
    said(&mut session, ":undo 3");
    assert_ne!(session.prompt().0, "done> ");
    assert_eq!(
        said(&mut session, ":auto end").lines().last(),
        over.lines().last()
    );
}

#[test]
fn a_saved_play_loads_with_the_same_position_and_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("one.txt").display().to_string();
    let mut session = in_round_one();
    said(&mut session, ":auto 1 round");
    said(&mut session, ":auto 3");
    said(&mut session, &format!(":save {file}"));
    let mut loaded = started("smalltricks");
    said(&mut loaded, &format!(":load {file}"));
    assert_eq!(loaded.board().text(), session.board().text());
    assert_eq!(loaded.units(), session.units());
    // It goes on, and is taken back, like the first.
    for line in ["", ":auto", ":undo 5"] {
        said(&mut loaded, line);
        said(&mut session, line);
        assert_eq!(keys(&loaded), keys(&session));
        assert_eq!(loaded.events(usize::MAX), session.events(usize::MAX));
        assert_eq!(loaded.play.table().world, session.play.table().world);
    }
}

#[test]
fn save_overwrites_transcripts_only_and_makes_no_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(at("notes.txt"), "mine").expect("written");
    let mut session = started("smalltricks");
    let path = at("notes.txt");
    let existing = problems(&mut session, &format!(":save {path}"));
    assert_eq!(existing, [format!("not-a-transcript({path})")]);
    assert_eq!(
        std::fs::read_to_string(at("notes.txt")).expect("it is there"),
        "mine"
    );
    let nowhere = refused(&mut session, &format!(":save {}", at("no/such/file")));
    assert!(nowhere.contains("there is no folder"), "{nowhere}");
    refused(&mut session, &format!(":save {}", folder.path().display()));
    said(&mut session, &format!(":save {}", at("a.txt")));
    said(&mut session, &format!(":save {}", at("a.txt")));
}

#[test]
fn auto_plays_to_the_beginnings_of_phases() {
    let mut session = started("smalltricks");
    said(&mut session, ":auto 2 rounds");
    assert_eq!(said(&mut session, "count(\"round\")"), "2");
    said(&mut session, ":auto second turn");
    assert_eq!(session.prompt().0, "blue> ");
    said(&mut session, ":auto first 1 turn");
    assert_eq!(said(&mut session, "count(\"round\")"), "3");
    let answered = session.play.events().len();
    said(&mut session, ":auto 2 steps");
    assert!(session.play.events().len() > answered);
    let unknown = refused(&mut session, ":auto 2 ruonds");
    assert!(unknown.contains("did you mean `round`?"), "{unknown}");
}

#[test]
fn a_raised_stop_ends_a_long_auto_between_two_steps() {
    let mut session = in_round_one();
    session.stop.store(true, Ordering::Relaxed);
    let reply = session.auto(Agent::Random, &AutoGoal::End).expect("it plays");
    assert!(
        reply.print().contains("stopped after 0 steps\nred activates"),
        "{}",
        reply.print()
    );
    assert_eq!(session.prompt().0, "red> ");
    // A line typed later is not stopped by an old key.
    session.stop.store(true, Ordering::Relaxed);
    said(&mut session, ":auto end");
    assert_eq!(session.prompt().0, "done> ");
}

#[test]
fn an_expression_reads_and_cannot_change_the_position() {
    let mut session = in_round_one();
    assert_eq!(said(&mut session, "= 2 + 3"), "5");
    let unit = keys(&session)[0].clone();
    let before = (
        session.play.position(),
        session.play.table().world.clone(),
        session.play.events(),
    );
    for change in [
        "put(me, place(\"a1\"))",
        "me.life = 1",
        "add(me, \"life\", -1)",
        "win(me.faction, \"x\")",
        "choose(me, \"x\", [1, 2])",
        "roll(me, \"x\", 2, 6)",
        "remove(me)",
        "reserve(me)",
    ] {
        refused(&mut session, &format!("let me = unit(\"{unit}\"); {change}"));
        let now = (
            session.play.position(),
            session.play.table().world.clone(),
            session.play.events(),
        );
        assert!(now == before, "{change}");
    }
    assert_eq!(keys(&session)[0], unit);
    said(&mut session, "1");
}

#[test]
fn an_option_wins_over_a_function_of_its_name_and_other_names_are_said_not_to_be_offered() {
    let mut session = in_round_one();
    said(&mut session, "1");
    let other = refused(&mut session, "a77");
    assert!(other.contains("there is no variable or dial `a77`"), "{other}");
    let far = refused(&mut session, "f6");
    assert!(far.contains("`f6` is not offered"), "{far}");
    assert!(refused(&mut session, "999").contains("not offered"));
    let near = refused(&mut session, "stya");
    assert!(near.contains("did you mean the answer `stay`?"), "{near}");
    let told = said(&mut session, "stay");
    assert!(told.starts_with("red chose move: stay"), "{told}");
}

#[test]
fn answers_are_chained_as_in_scenario_files() {
    let mut session = started("charge-into-spears");
    said(&mut session, ":back");
    let start = session.play.position();
    let told = said(&mut session, "red.mounted1 c4 blue.spears1");
    assert!(told.contains("red.mounted1  life 5->3"), "{told}");
    said(&mut session, ":undo 3");
    assert_eq!(session.play.position(), start);
    // In quotes, with labels and with what is not offered; one that is the only option may be said.
    let list =
        "\"red.mounted1\", \"move: c4\", \"charge: !red.archers1 blue.spears1\", \"red.archers1 stay\"";
    said(&mut session, list);
    assert_eq!(session.prompt().0, "blue> ");
    let after = session.play.position();
    said(&mut session, ":back");
    said(&mut session, "red.mounted1 c4 blue.spears1 red.archers1 stay");
    assert_eq!(session.play.position(), after);
}

#[test]
fn a_mistaken_word_in_a_chain_undoes_nothing() {
    let mut session = started("charge-into-spears");
    said(&mut session, ":back");
    // Two in the hexagon, so that somebody has to choose.
    said(&mut session, ":edit place blue.archers c4");
    let page = refused(&mut session, "red.mounted1 c4 lances stay");
    assert!(
        page.contains("`lances` is not offered to red for `charge`"),
        "{page}"
    );
    assert!(page.contains("`:undo 2` takes them back"), "{page}");
    assert_eq!(keys(&session), ["blue.spears1", "blue.archers1"]);
    // A label that is not asked for waits, and that is said.
    let page = refused(&mut session, "move: c4");
    assert!(page.contains("`charge` is asked now"), "{page}");
    assert_eq!(keys(&session), ["blue.spears1", "blue.archers1"]);
    // Expressions are none.
    assert_eq!(said(&mut session, "\"a: b\" == \"a: c\""), "false");
    assert!(refused(&mut session, "c9 c10").contains("input"));
}

#[test]
fn what_came_by_itself_may_begin_a_row_as_in_scenario_files() {
    let mut session = started("charge-into-spears");
    said(&mut session, ":back");
    said(&mut session, "red.archers1 stay");
    let start = session.play.position();
    // Alone it says nothing new.
    let told = said(&mut session, "red.mounted1");
    assert!(told.contains("`red.mounted1` came by itself"), "{told}");
    assert_eq!(session.play.position(), start);
    for row in [
        "red.mounted1 c4",
        "\"red.mounted1\", \"c4\"",
        "\"activates: red.mounted1\", \"move: c4\"",
    ] {
        let told = said(&mut session, row);
        assert!(told.contains("red.mounted1  c2->c4"), "{told}");
        said(&mut session, ":undo");
        assert_eq!(session.play.position(), start);
    }
    // Somebody else did not.
    let told = refused(&mut session, "red.archers1 c4");
    assert!(
        told.contains("`red.archers1` is not offered to red for `move`"),
        "{told}"
    );
}

#[test]
fn numbers_and_names_are_said_in_a_row() {
    let (mut by_number, mut by_name) = (started("smalltricks"), started("smalltricks"));
    let told = said(&mut by_number, "2 2 2");
    for face in ["2", "4", "6"] {
        assert!(told.contains(&format!("red chose face {face}: ")), "{told}");
    }
    said(&mut by_name, "muskets assault_beasts militia");
    assert_eq!(by_number.play.position(), by_name.play.position());
    said(&mut by_number, "muskets 2");
    said(&mut by_name, "muskets muskets");
    assert_eq!(by_number.play.position(), by_name.play.position());
    let told = refused(&mut by_number, "muskets 9");
    assert!(
        told.contains("`9` is not offered to red for `unit`; offered: "),
        "{told}"
    );
    assert!(
        told.contains("the answer before it stands; `:undo` takes it back"),
        "{told}"
    );
}

#[test]
fn of_a_row_that_does_not_fit_the_word_is_told_and_what_is_offered() {
    let mut session = started("smalltricks");
    for row in ["spears spears archers", "4,4 8,4", "9 stop"] {
        let word = row.split(' ').next().unwrap_or_default();
        let told = refused(&mut session, row);
        let wanted = format!("`{word}` is not offered to red for `face 2`; offered: cannons, muskets");
        assert!(told.contains(&wanted), "{told}");
    }
    // What the language reads is no row.
    assert_eq!(said(&mut session, "let x"), "nothing");
    assert_eq!(said(&mut session, "1 in [1, 2]"), "true");
}

#[test]
fn a_command_without_its_colon_is_told_so() {
    let mut session = started("charge-into-spears");
    for (line, command) in [
        ("help", ":help"),
        ("undo 2", ":undo 2"),
        ("quit", ":quit"),
        ("exit", ":quit"),
    ] {
        let told = refused(&mut session, line);
        let wanted = format!("a command begins with a colon: `{command}`");
        assert!(told.contains(&wanted), "{told}");
    }
    assert!(refused(&mut session, ":exit").contains("did you mean `:quit`?"));
    let told = refused(&mut session, "pass");
    assert!(told.contains("`:options` shows what can be answered"), "{told}");
}

#[test]
fn an_option_that_is_called_as_a_command_begins_a_row() {
    let game = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 2], engaged: "same place" } }
fn phases() { [ #{ phase: "turn", repeat: true, contest: "game", phases: [ #{ phase: "moves", each: "faction", step: "walk" } ] } ] }
fn walk(side) { choose(side, "go", ["on", "back"]); }
"#;
    let mut session = session(&Small::new(game).workspace(), "tiny");
    let told = said(&mut session, "back on");
    assert!(
        told.contains("red chose go: back") && told.contains("blue chose go: on"),
        "{told}"
    );
    assert!(refused(&mut session, "undo 2").contains("`:undo 2`"));
}

#[test]
fn names_that_are_said_by_half_or_in_code_lead_to_the_unit() {
    let mut session = started("charge-into-spears");
    let told = refused(&mut session, "blue.spears");
    assert!(told.contains("`blue.spears1`"), "{told}");
    let told = refused(&mut session, "red.mounted1.life + 1");
    assert!(told.contains("`unit(\"red.mounted1\")`"), "{told}");
    assert_eq!(said(&mut session, "unit(\"red.mounted1\").life"), "3");
}

#[test]
fn an_unknown_units_name_leads_to_one() {
    let mut session = started("charge-into-spears");
    said(&mut session, ":back");
    let page = refused(&mut session, "red.mountd1");
    assert!(page.contains("did you mean `red.mounted1`?"), "{page}");
    let told = refused(&mut session, "red.units");
    assert!(told.contains("`faction(\"red\")`"), "{told}");
    // Where a unit stands is changed by another word.
    let told = refused(&mut session, ":edit red.mounted1 place=c4");
    assert!(told.contains("did you mean `move red.mounted1 c4`?"), "{told}");
}

#[test]
fn words_of_the_game_and_the_language_are_explained() {
    let mut session = started("smalltricks");
    for (name, said_of_it) in [
        ("max_rounds", "dial of smalltricks: a whole number from"),
        (
            "counter_charge",
            "function of smalltricks, units/smalltricks/spears.rhai:",
        ),
        ("mounted", "unit type of smalltricks"),
        ("let", "part of the language: Defines a variable"),
        ("true", "word of scripts"),
    ] {
        let told = said(&mut session, &format!(":help {name}"));
        assert!(told.contains(said_of_it), "{told}");
    }
    let variants = session.completions(":with ").words;
    let told = said(&mut session, &format!(":help {}", variants[0]));
    assert!(told.contains("variant of smalltricks, off"), "{told}");
    let told = refused(&mut session, ":help max_round");
    assert!(told.contains("did you mean `max_rounds`?"), "{told}");
}

#[test]
fn an_agent_is_not_sent_to_a_phase_that_is_over() {
    for start in ["very-quick-violence", "smashdodes"] {
        let mut session = started(start);
        let before = session.play.position();
        let told = refused(&mut session, ":auto random set-up");
        assert!(told.contains("`set-up` does not begin any more"), "{told}");
        assert_eq!(session.play.position(), before);
    }
    // It has not begun yet, and is in every game of the match.
    let mut session = started("smalltricks");
    said(&mut session, ":auto random set-up");
    assert!(session.is_secret());
}

#[test]
fn rules_that_are_broken_on_disk_are_told_again_and_those_in_force_stay() {
    let copy = Copy::of_rules();
    let mut session = session(&Workspace::at(copy.path(".")), "smalltricks");
    copy.replace(
        "units/smalltricks/spears.rhai",
        "fn melee(me) {",
        "fn melee(me) {{",
    );
    for _ in 0..2 {
        let told = refused(&mut session, ":reload");
        assert!(told.contains("the last good rules stay in force"), "{told}");
    }
}

#[test]
fn what_rules_print_is_told_when_it_comes() {
    let mut session = started("charge-into-spears");
    assert_eq!(said(&mut session, "print(40 + 2)"), "printed: 42\nnothing");
    said(
        &mut session,
        ":patch spears fn counter_charge(me, rider) { print(`met ${rider}`); base(me, rider) }",
    );
    said(&mut session, ":back");
    let told = said(&mut session, "red.mounted1 c4");
    assert_eq!(told.matches("printed: met red.mounted1\n").count(), 1, "{told}");
    let last = told.lines().last().unwrap_or_default();
    assert!(last.starts_with("red chooses move for red.archers1"), "{told}");
    said(&mut session, ":undo 2");
    // Neither where somebody only tries them.
    assert!(!said(&mut session, ":reach red.mounted1").contains("printed"));
}

#[test]
fn a_board_is_shown_when_something_has_moved_unless_it_is_turned_off() {
    let mut session = started("charge-into-spears");
    said(&mut session, ":back");
    // Two in the hexagon, so that somebody has to choose.
    said(&mut session, ":edit place blue.archers c4");
    // The options of the question are marked.
    let board = said(&mut session, ":board");
    assert!(board.contains("MO?5") && board.contains("?n offered"), "{board}");
    let told = said(&mut session, "red.mounted1");
    assert!(!told.contains("___"), "{told}");
    let board = said(&mut session, ":board");
    assert!(
        board.contains("[c4]") && board.contains("[name] offered"),
        "{board}"
    );
    let told = said(&mut session, "c4");
    assert!(told.contains("___") && told.contains("sp?5"), "{told}");
    assert!(
        told.lines()
            .last()
            .is_some_and(|l| l.starts_with("red chooses charge")),
        "{told}"
    );
    said(&mut session, ":undo 2");
    said(&mut session, ":quiet");
    assert!(!said(&mut session, "red.mounted1 c4").contains("___"));
    said(&mut session, ":undo 2");
    assert!(said(&mut session, ":quiet off").contains("whenever"));
    assert!(said(&mut session, "red.mounted1 c4").contains("___"));
}

#[test]
fn what_is_secret_is_not_told_by_what_is_expected() {
    let mut session = started("smalltricks");
    // Nothing has been chosen yet that could be told.
    said(&mut session, ":expect faction(\"red\").units.len < 1");
    said(&mut session, ":retell");
    said(&mut session, ":alone on");
    said(&mut session, ":expect faction(\"red\").units.len == 0");
    said(&mut session, ":alone off");
    while session.prompt().0 == "red> " {
        said(&mut session, ":auto 1");
    }
    for line in [":expect faction(\"red\").units.len == 6", ":retell"] {
        assert_eq!(problems(&mut session, line), ["secret-choice"]);
    }
    // A test that shows nothing of this game is not refused.
    assert!(said(&mut session, ":test charge-into-spears").starts_with("ok"));
    assert!(said(&mut session, ":expect").contains("not told while something is chosen in secret"));
    said(&mut session, ":alone on");
    assert!(said(&mut session, ":expect faction(\"red\").units.len == 6").contains("true now"));
}

#[test]
fn an_options_number_names_it_wherever_options_are_named() {
    let mut session = started("no-second-move-in-a-turn");
    said(&mut session, ":undo 3");
    assert_eq!(said(&mut session, ":why-not 1"), "red.knight1 is offered");
    let by_name = said(&mut session, ":odds red.knight1");
    assert_eq!(said(&mut session, ":odds 1"), by_name);
    // A spot is told to be none of them, however it is written.
    for spot in ["12,7", "contact zzz", "3 at 90"] {
        assert_eq!(problems(&mut session, spot), [format!("not-offered({spot})")]);
    }
    assert!(refused(&mut session, ":auto 0").contains("a whole number from 1"));
}

#[test]
fn one_person_plays_all_sides_of_what_is_secret() {
    let mut session = Session::new(
        &rulebench::embedded::games(),
        Some("smalltricks"),
        Overrides::default(),
        Style::default(),
    )
    .map_err(|p| p.page(false))
    .expect("it opens");
    let greeting = session.greeting();
    let covers = |reply: &Output| reply.pieces.iter().any(|p| matches!(p, OutputPiece::Cover(_)));
    // Nothing has been chosen yet: the welcome stays.
    assert!(!covers(&greeting) && greeting.print().contains("answer `both`"));
    assert!(said(&mut session, "both").contains("nothing is covered"));
    let mut told = String::new();
    for _ in 0..40 {
        let reply = session.line("1");
        assert!(!covers(&reply));
        told.push_str(&reply.print());
    }
    assert!(!session.is_secret() && !told.contains("in secret"), "{told}");
    assert_eq!(told.matches("red chose face 2").count(), 1, "{told}");
    // Without it the other side's turn covers, also when it is turned off on the way.
    let mut session = started("smalltricks");
    let mut reply = session.line("1");
    while session.prompt().0 == "red> " {
        reply = session.line("1");
    }
    assert!(covers(&reply));
    session.line(":alone");
    assert!(said(&mut session, ":events 100").contains("red chose face 2"));
    assert!(covers(&session.line(":alone off")));
    assert!(!said(&mut session, ":events 100").contains("red chose face 2"));
}

#[test]
fn errors_underline_the_line_as_typed() {
    let mut session = started("smalltricks");
    let page = refused(&mut session, "1 + unti(\"x\")");
    assert!(
        page.contains("1 | 1 + unti(\"x\")") && page.contains("^^^^"),
        "{page}"
    );
    assert!(page.contains("did you mean `unit`?"), "{page}");
}

#[test]
fn unreadable_lines_are_refused_in_a_sentence() {
    let mut session = started("smalltricks");
    assert!(refused(&mut session, "a\0b").contains("control characters"));
    assert!(refused(&mut session, &"x".repeat(10 << 20)).contains("too long"));
    assert_eq!(said(&mut session, "   "), "");
    refused(&mut session, "=");
    refused(&mut session, ":");
    // Very deep or odd lines neither.
    refused(&mut session, &"(".repeat(60_000));
}

/// Answers with the first option until this faction is asked this; returns what was printed last.
fn until_asked(session: &mut Session, faction: &str, label: &str) -> Output {
    for _ in 0..200 {
        let reply = session.line("1");
        let asked = session.play.with_question(|a| a.label() == label);
        if session.prompt().0 == format!("{faction}> ") && asked == Some(true) {
            return reply;
        }
    }
    panic!("{faction} was never asked {label}");
}

#[test]
fn a_secret_set_up_does_not_leak() {
    let mut session = started("smalltricks");
    until_asked(&mut session, "red", "place");
    let mut own = String::new();
    while session.prompt().0 == "red> " {
        own = session.line("2").print();
    }
    assert_eq!(session.prompt().0, "blue> ");
    // The line that covers is the last thing before what blue may see.
    let (_, shown) = own
        .split_once("--- blue's turn to choose in secret ---")
        .expect("a cover");
    let mut printed = shown.to_owned();
    for line in [
        ":board",
        ":events 500",
        ":options",
        ":units",
        "5",
        ":undo",
        "5",
        ":board",
        ":events 500",
    ] {
        printed.push_str(&said(&mut session, line));
    }
    let reds: Vec<&str> = printed
        .lines()
        .filter(|l| l.contains("red.") && l.contains("reserve->"))
        .collect();
    assert!(reds.is_empty(), "{reds:?}");
    assert!(!printed.contains("red chose place"), "{printed}");
    let units = session.units().text();
    assert!(
        units
            .lines()
            .filter(|l| l.starts_with("red."))
            .all(|l| l.contains("reserve")),
        "{units}"
    );
    assert_eq!(said(&mut session, "happened(\"red chose place\")"), "false");
    let first = units
        .lines()
        .find_map(|l| l.strip_prefix("red."))
        .expect("a unit");
    let name = first.split(' ').next().expect("a name");
    assert_eq!(
        said(&mut session, &format!("unit(\"red.{name}\").place == ()")),
        "true"
    );
    // What everybody placed is told when all have placed.
    let mut revealed = String::new();
    while session.prompt().0 == "blue> " {
        revealed = session.line("1").print();
    }
    assert!(revealed.contains("red chose place"), "{revealed}");
    assert!(
        session
            .units()
            .text()
            .lines()
            .filter(|l| l.starts_with("red."))
            .all(|l| !l.contains("reserve"))
    );
}

#[test]
fn a_secret_muster_does_not_leak_either() {
    let mut session = started("smalltricks");
    while session.prompt().0 == "red> " {
        session.line("1");
    }
    assert_eq!(session.prompt().0, "blue> ");
    let printed = [":board", ":events 500", ":units", ":options"]
        .map(|l| said(&mut session, l))
        .join("\n");
    assert!(
        !printed.contains("red chose") && !printed.contains("red."),
        "{printed}"
    );
    let names = session.completions("unit(\"red.").words;
    assert!(names.is_empty(), "{names:?}");
}

#[test]
fn a_scenario_opens_with_its_answers_played_and_restarts_there() {
    let mut session = started("charge-into-spears");
    assert_eq!(said(&mut session, "unit(\"red.mounted1\").life"), "3");
    let start = session.play.position();
    said(&mut session, ":auto 3");
    assert_ne!(session.play.position(), start);
    said(&mut session, ":restart");
    assert_eq!(session.play.position(), start);
    said(&mut session, ":new smalltricks");
    said(&mut session, ":open charge-into-spears");
    assert_eq!(session.play.position(), start);
    let unknown = refused(&mut session, ":open charge-into-spaers");
    assert!(unknown.contains("charge-into-spears"), "{unknown}");
    assert_eq!(session.play.position(), start);
}

#[test]
fn what_is_scripted_may_still_be_rolled_where_play_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fresh.toml");
    let text = "game = \"smalltricks\"\nrolls = { \"first faction\" = [[6]] }\n";
    std::fs::write(&path, text).expect("a file");
    let mut session = started(&path.display().to_string());
    let greeting = session.greeting().print();
    assert!(!greeting.contains("never rolled"), "{greeting}");
    assert_eq!(said(&mut session, "game()"), "the game");
}

/// Each faction says whether it goes on, and rolls.
pub(crate) const DICEY: &str = r##"
fn board() { #{ factions: ["red", "blue"], squares: [2, 2] } }
fn slots() { #{ faction: #{ sum: 0 } } }
fn phases() { [#{ phase: "round", repeat: true, phases: [#{ phase: "gambles", each: "faction", step: "gamble" }] }] }
fn gamble(side) {
    choose(side, "gamble", ["on", "off"]);
    side.sum += roll(side, "luck", 1, 6).total;
}
"##;

#[test]
fn dice_beyond_those_that_are_scripted_come_from_the_seed_where_somebody_plays_on() {
    let copy = Copy::of_nothing();
    copy.write("scripts/dicey/game.rhai", DICEY)
        .write("units/dicey/token.rhai", "fn stats() { #{} }\n")
        .write(
            "scenarios/dicey/one.toml",
            "game = \"dicey\"\nrolls.luck = [6]\nanswers = [\"on\", \"on\"]\n",
        );
    // As a test of the rules it fails, as ever.
    let ran = copy.run(&["run", "one"]);
    assert!(
        ran.status == 2
            && ran
                .page()
                .contains("more rolls for `luck` than the 1 that are scripted"),
        "{}",
        ran.page()
    );
    let typed = "on\n:undo\non\non\n:save-scenario kept\n:save kept.transcript\n:quit\n";
    let ran = crate::support::run_in_with(&copy.path(""), &["repl", "one"], typed);
    let page = ran.page();
    assert!(!page.contains("error"), "{page}");
    let note = "note: the scenario scripts 1 of `luck`; further ones come from the seed (`:force luck ...` decides one)";
    assert_eq!(page.matches(note).count(), 1, "{page}");
    // What is taken back and said again is the same.
    let rolled: Vec<&str> = page.lines().filter(|l| l.contains("rolled luck")).collect();
    assert!(
        rolled[0] == "red rolled luck: 6" && rolled[2] == rolled[3],
        "{page}"
    );
    // What is written down is the same game, for those too that go by the script alone.
    for kept in [&["test", "kept"][..], &["run", "kept.transcript"]] {
        let ran = copy.run(kept);
        assert_eq!(ran.status, 0, "{}", ran.page());
    }
}

#[test]
fn a_roll_that_does_not_fit_stays_an_error_where_somebody_plays_on() {
    let small = crate::support::Small::new(DICEY)
        .with("units/token", "fn stats() { #{} }\n")
        .with(
            "scenarios/one",
            "game = \"tiny\"\nrolls.luck = [[6, 6]]\nanswers = [\"on\"]\n",
        );
    let mut session = crate::support::session(&small.workspace(), "one");
    let told = session.greeting().print();
    assert!(
        told.contains("does not fit") && session.prompt().0 == "error> ",
        "{told}"
    );
}

#[test]
fn what_is_named_without_quotes_is_told_how_it_is_named() {
    let mut session = started("charge-into-spears");
    for (line, hint) in [
        ("faction(red)", "did you mean `faction(\"red\")`?"),
        ("spears.life", "did you mean `unit_type(\"spears\")`?"),
        ("c3.units", "did you mean `place(\"c3\")`?"),
        (":auto zz", "mcts"),
    ] {
        let page = refused(&mut session, line);
        assert!(page.contains(hint), "{line}: {page}");
    }
}

#[test]
fn a_unit_that_was_removed_is_among_those_that_are_known() {
    let mut session = started("charge-into-spears");
    said(&mut session, ":edit remove blue.spears1");
    said(&mut session, "unit(\"blue.spears1\").alive");
    let page = refused(&mut session, "unit(\"blue.spears9\").alive");
    assert!(page.contains("did you mean `blue.spears1`?"), "{page}");
}

/// Four clans with much to tell of each.
fn clans() -> Session {
    let game = r##"
fn board() { #{ factions: ["ash", "birch", "cedar", "dogwood"], squares: [5, 9],
    zones: #{ port: #{ ash: ["a1", "b1"], birch: ["a9"], cedar: ["e1"], dogwood: ["e9"] }, middle: ["c5"] } } }
fn slots() { #{ faction: #{ points: 0, ally: #{ holds: "faction" }, orders: 0 } } }
fn phases() { [#{ phase: "all", repeat: true, phases: [#{ phase: "parley", each: "faction", step: "parley" }] }] }
fn parley(side) {
    side.points += 12;
    side.orders += 2;
    side.ally = faction("birch");
    choose(side, "way", ["stay", "rest"]);
}
"##;
    let small = crate::support::Small::new(game).with("units/proas", "fn stats() { #{} }\n");
    let mut session = crate::support::session(&small.workspace(), "tiny");
    session.line(":auto first 3");
    session
}

#[test]
fn what_is_a_factions_stays_together_where_a_board_is_drawn_low() {
    let mut session = clans();
    (session.face.rows, session.face.columns) = (Some(24), Some(60));
    let board = session.board().text();
    let said = |line: &str, side: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.join(" ").contains(&format!("{side} orders 2 points 12"))
    };
    assert!(board.lines().all(|line| line.chars().count() <= 60), "{board}");
    for side in ["ash", "birch", "cedar", "dogwood"] {
        assert!(board.lines().any(|line| said(line, side)), "{board}");
    }
}

#[test]
fn the_card_of_a_faction_has_its_slots_its_units_and_its_zones() {
    let mut session = clans();
    said(&mut session, ":edit place ash.proas a1");
    said(&mut session, ":plays dogwood greedy");
    let card = said(&mut session, ":card ash");
    assert_eq!(
        card,
        "ash: ash.proas1\nally birch, orders 2, points 12\nport: a1, b1\n\
         whoever sits at the prompt answers for it"
    );
    let card = said(&mut session, ":card dogwood");
    assert!(card.contains("greedy answers for it"), "{card}");
}

#[test]
fn a_dial_is_turned_with_the_board_kept_or_not_at_all() {
    let mut session = in_round_one();
    let trail = session.play.trail().len();
    let world = session.play.position().world;
    let told = said(&mut session, ":set max_rounds=5");
    assert_eq!(
        told,
        "now `max_rounds` at 5; the board is kept. `:retell` plays the past again"
    );
    assert_eq!(session.play.trail().len(), trail);
    assert_eq!(session.play.position().world, world);
    assert!(said(&mut session, ":dials").contains("5, not 12"));
    said(&mut session, ":auto 3");
    let before = session.play.position();
    refused(&mut session, ":set max_rounds=500");
    refused(&mut session, ":set max_ruonds=5");
    assert_eq!(session.play.position(), before);
}

/// A game in which each faction picks a number once, and 2 breaks the rules.
fn fragile() -> (tempfile::TempDir, Workspace) {
    let folder = tempfile::tempdir().expect("a folder");
    let scripts = folder.path().join("scripts/fragile");
    std::fs::create_dir_all(&scripts).expect("made");
    std::fs::create_dir_all(folder.path().join("units/fragile")).expect("made");
    let rules = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 2], engaged: "same place" } }
fn slots() { #{ faction: #{ score: 0 } } }
fn phases() { [ #{ phase: "all", phases: [ #{ phase: "picks", each: "faction", step: "pick" } ] } ] }
fn pick(side) {
    let n = choose(side, "number", [1, 2, 3]);
    side.score = n;
    if n == 2 { let list = []; list[7]; }
}
"#;
    std::fs::write(scripts.join("game.rhai"), rules).expect("written");
    std::fs::write(
        folder.path().join("units/fragile/token.rhai"),
        "fn stats() { #{} }\n",
    )
    .expect("written");
    let workspace = Workspace::at(folder.path());
    (folder, workspace)
}

#[test]
fn a_failing_rule_leaves_the_position_and_undo_repairs_it() {
    let (_folder, workspace) = fragile();
    let mut session = Session::new(&workspace, None, Overrides::default(), Style::default())
        .map_err(|p| p.page(false))
        .expect("it opens");
    session.greeting();
    // Options that are numbers are answered by themselves, not by their place.
    said(&mut session, "3");
    assert_eq!(said(&mut session, "faction(\"red\").score"), "3");
    let page = refused(&mut session, "2");
    assert!(page.contains("game.rhai:8"), "{page}");
    assert_eq!(session.prompt().0, "error> ");
    assert_eq!(said(&mut session, "faction(\"blue\").score"), "0");
    said(&mut session, ":undo");
    assert_eq!(session.prompt().0, "blue> ");
    said(&mut session, "1");
    assert_eq!(session.prompt().0, "done> ");
    assert_eq!(said(&mut session, "faction(\"blue\").score"), "1");
}

/// Returns the start of the text to complete at the end of a line, and its completions.
fn completed(session: &mut Session, line: &str) -> (usize, Vec<String>) {
    let found = session.completions(line);
    (found.start, found.words)
}

#[test]
fn lines_are_completed() {
    let mut session = in_round_one();
    assert_eq!(
        completed(&mut session, ":un"),
        (1, vec!["undo".to_owned(), "units".to_owned()])
    );
    let (start, keys) = completed(&mut session, "red.");
    assert!(start == 0 && keys.iter().all(|k| k.starts_with("red.")) && !keys.is_empty());
    assert_eq!(
        completed(&mut session, ":new smallt"),
        (5, vec!["smalltricks".to_owned()])
    );
    assert!(session.completions("= uni").words.contains(&"unit".to_owned()));
    said(&mut session, "1");
    assert_eq!(session.completions("st").words, ["stay"]);
}

#[test]
fn every_roll_of_the_rules_can_be_forced_before_it_was_ever_rolled() {
    let mut session = started("pocket-tactics");
    for line in [":force OFF 6 6", ":force DEF 1 2", ":force OFF again 3"] {
        let reply = session.line(line);
        assert!(!reply.failed(), "{line}: {}", reply.print());
        assert!(!reply.print().contains("is known so far"), "{}", reply.print());
    }
    // What is none says which there are.
    assert!(refused(&mut session, ":force off 6 6").contains("did you mean `OFF`?"));
    for line in [":force luck 6", ":force luck"] {
        let page = session.line(line);
        assert!(page.failed(), "{line}");
        let flat = page.print().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("DEF, DEF again, OFF,"), "{flat}");
    }
}

#[test]
fn options_tell_what_they_bring_about_and_change_nothing() {
    let mut session = started("smalltricks");
    session.line(":auto round");
    let mut told = 0;
    for _ in 0..60 {
        let before = (
            session.play.position(),
            session.play.events(),
            session.question(),
            session.play.trail().len(),
        );
        let options = session.line(":options").print();
        told += options.matches("(engages ").count();
        assert!(options.lines().all(|l| l.chars().count() <= 80), "{options}");
        let now = (
            session.play.position(),
            session.play.events(),
            session.question(),
            session.play.trail().len(),
        );
        assert!(before == now, "{options}");
        session.line(":auto");
    }
    assert!(told > 0);
    // What was looked at can be taken back as if nobody had looked.
    let position = session.play.position();
    session.line(":auto 3");
    session.line(":undo 3");
    assert_eq!(session.play.position(), position);
}

#[test]
fn what_is_foretold_of_a_place_happens_when_it_is_chosen() {
    let mut session = started("smalltricks");
    session.line(":auto round");
    let mut seen = 0;
    for _ in 0..80 {
        let options = session.line(":options").print();
        let engages = |part: &str| part.split_once("engages ").map(|(_, who)| who.to_owned());
        let first = options.split(['(', ')']).find_map(engages);
        let number = options.split("(engages ").next().and_then(|before| {
            let words: Vec<&str> = before.split_whitespace().rev().take(2).collect();
            words.get(1)?.parse::<usize>().ok()
        });
        if let (Some(foe), Some(number)) = (first, number) {
            let foe = foe.split([',', ' ']).next().unwrap_or_default().to_owned();
            session.line(&number.to_string());
            let contact = session.line(&format!("unit(\"{foe}\").contact.is_empty")).print();
            assert_eq!(contact, "false", "{options}");
            session.line(":undo");
            seen += 1;
        }
        session.line(":auto");
    }
    assert!(seen > 0);
}

#[test]
fn nothing_is_foretold_in_secret() {
    let mut session = started("smalltricks");
    while session.play.view().is_whole() {
        session.line(":auto");
    }
    assert_eq!(
        Some(session.line(":options").print()),
        session.question().map(|q| q.text())
    );
}

#[test]
fn every_command_is_explained_and_none_twice() {
    let mut session = started("smalltricks");
    let all = session.line(":help all").print();
    for command in commands::of_prompt() {
        assert!(all.contains(&format!(":{} ", command.name)), "{}", command.name);
        let one = session.line(&format!(":help {}", command.name)).print();
        assert!(one.contains(command.help), "{one}");
        assert_eq!(commands::names().filter(|n| *n == command.name).count(), 1);
    }
    assert!(all.lines().all(|l| l.chars().count() <= 80), "{all}");
}

#[test]
fn arguments_that_are_none_are_refused() {
    let mut session = started("smalltricks");
    for line in [
        ":board x",
        ":undo 0",
        ":undo x",
        ":undo -1",
        ":redo",
        ":redo 0",
        ":back 1",
        ":back nowhere",
        ":branch two words",
        ":branches x",
        ":switch",
        ":switch x",
        ":forget",
        ":forget x",
        ":events many",
        ":auto 0 rounds",
        ":auto 3 end",
        ":new",
        ":new x",
        ":open",
        ":load /no/such/file",
        ":save",
        ":set",
        ":set x",
        ":set =",
        ":with",
        ":with x",
        ":without x",
        ":variants zzz",
        ":retell x",
        ":reload x",
        ":seed x",
        ":help zzz",
        ":auto 99999999999999999999999 rounds",
    ] {
        let reply = session.line(line);
        assert!(reply.failed(), "{line}: {}", reply.print());
    }
    assert!(session.line(":quit").quit);
}

#[test]
fn what_stands_behind_a_command_is_refused_by_what_its_row_declares() {
    let mut session = started("charge-into-spears");
    for (line, problem) in [
        (
            ":card",
            "missing-argument(a unit, a unit type, a place or a faction)",
        ),
        (":forget", "missing-argument(the name of a branch)"),
        (":quiet x", "wrong-argument(x, `on` or `off`)"),
        (":undo 3 4", "unexpected-word(4)"),
        (":seed x", "not-a-seed(x)"),
        (":plays green mcts", "unknown-name(faction, green)"),
        (":set max_rounds", "wrong-argument(max_rounds, DIAL=VALUE)"),
        (":save-variant x --clause", "missing-value(--clause)"),
        (":odds --bye 3", "unknown-option(odds, --bye)"),
        (":force 5", "wrong-argument(5, a label of a roll)"),
    ] {
        assert_eq!(problems(&mut session, line), [problem], "{line}");
    }
}

#[test]
fn the_agent_of_auto_may_stand_last() {
    let played = |line: &str| {
        let mut session = started("charge-into-spears");
        let reply = session.line(line);
        assert!(!reply.failed(), "{line}: {}", reply.print());
        reply.print()
    };
    assert_eq!(played(":auto 2 first"), played(":auto first 2"));
}

#[test]
fn expectations_are_checked_at_once_listed_and_taken_out() {
    let mut session = started("charge-into-spears");
    let told = session.line(":expect unit(\"red.mounted1\").life == 4");
    assert!(!told.failed());
    assert_eq!(
        told.print(),
        "expected: unit(\"red.mounted1\").life == 4\nfalse now: 3 == 4"
    );
    let list = session.line(":expect").print();
    assert!(
        list.contains("4 unit(\"red.mounted1\").life == 4\n    false now: 3 == 4, not in the file"),
        "{list}"
    );
    assert!(
        list.starts_with("1 unit(\"red.mounted1\").life == 3\n    true now\n"),
        "{list}"
    );
    assert!(
        session
            .line(":expect -4")
            .print()
            .starts_with("no longer expected: ")
    );
    for (line, why) in [
        (":expect -9", "there is no expectation `9`"),
        (":expect unit(\"red.mounted1\").lief == 4", "did you mean"),
        (":expect 1 + 1", "true or false"),
        (":expect (", "input"),
    ] {
        let page = session.line(line);
        assert!(
            page.failed() && page.print().contains(why),
            "{line}: {}",
            page.print()
        );
    }
    assert_eq!(session.set_up.file.expect.len(), 3);
}

#[test]
fn the_files_are_tested_and_games_inside_the_program_are_left_alone() {
    let mut session = started("charge-into-spears");
    session.line(":set mounted.charge=3");
    let told = session.line(":test");
    assert!(!told.failed(), "{}", told.print());
    assert!(told.print().starts_with("ok   scenarios/"), "{}", told.print());
    assert!(told.print().contains("without what is on"), "{}", told.print());
    assert!(session.line(":save-scenario x").print().contains("workspace"));
    assert!(session.line(":expect --save").print().contains("workspace"));
    assert!(
        session
            .line(":test charge-into-spaers")
            .print()
            .contains("charge-into-spears")
    );
    let mut fresh = started("smalltricks");
    assert!(fresh.line(":test").print().contains("comes from no scenario"));
    assert_eq!(fresh.line(":accept").print(), "no snapshot is pending");
    assert!(fresh.line(":accept nothing").failed());
}

#[test]
fn the_tour_is_played_to_its_end_with_enter() {
    let mut session = started("smalltricks");
    session.face.tour = rulebench::repl::TOUR;
    let mut reply = session.line(":tour");
    let mut count = 1;
    while reply.print().contains("Press Enter to continue") {
        assert!(!reply.failed() && count <= 15, "{}", reply.print());
        reply = session.line("");
        count += 1;
    }
    assert!(count >= 5, "{count}");
    assert!(
        !reply.failed() && reply.print().contains("This was the tour."),
        "{}",
        reply.print()
    );
    assert_eq!(session.line("").print(), "");
}

#[test]
fn a_board_fits_a_low_screen_with_its_question_and_the_welcome() {
    let opened = || {
        let opened = Session::new(
            &rulebench::embedded::games(),
            None,
            Overrides::default(),
            Style::default(),
        );
        let mut session = opened.unwrap_or_else(|p| panic!("{p}"));
        (session.face.rows, session.face.columns) = (Some(24), Some(80));
        session.face.tour = rulebench::repl::TOUR;
        session
    };
    let mut session = opened();
    let greeting = session.greeting().print();
    assert!(greeting.lines().count() < 24, "{greeting}");
    assert!(
        greeting.starts_with("rulebench - ") && greeting.contains("`:events "),
        "{greeting}"
    );
    assert!(greeting.contains("to begin a whole game: `:new "), "{greeting}");
    assert!(greeting.lines().all(|l| l.chars().count() <= 80), "{greeting}");
    insta::assert_snapshot!(greeting);
    // The full one where there is room.
    session.face.rows = Some(50);
    assert!(session.board().text().lines().count() > 24);
    // With a note to tell, of a session that was cut off.
    let folder = tempfile::tempdir().expect("a folder");
    let journals = Journals::at(folder.path().to_owned());
    session.keep_journal(&journals);
    session.line("1");
    drop(session);
    let mut noted = opened();
    noted.keep_journal(&journals);
    let noted = noted.greeting().print();
    assert!(
        noted.contains("note: the session before was cut off") && noted.contains("___"),
        "{noted}"
    );
}

/// Squares that are too many for a low terminal, even with low cells.
#[test]
fn a_board_that_is_higher_than_the_terminal_is_drawn_small_and_whole_where_it_is_asked_for() {
    let game = r##"
fn board() { #{ factions: ["red", "blue"], squares: [9, 9], stack: 2, engaged: "adjacent" } }
fn slots() { #{ unit: #{ life: 4 } } }
fn phases() { [#{ phase: "all", repeat: true, phases: [#{ phase: "walk", each: "faction", step: "walk" }] }] }
fn walk(side) { choose(side, "way", ["stay", "rest"]); }
"##;
    let small = crate::support::Small::new(game).with("units/token", "fn stats() { #{} }\n");
    let mut session = crate::support::session(&small.workspace(), "tiny");
    (session.face.rows, session.face.columns) = (Some(20), Some(80));
    let told = session.greeting().print();
    assert!(told.contains("drawn small; `:board` draws it whole"), "{told}");
    let told = session.line(":edit place red.token e5").print();
    assert!(told.lines().count() < 20, "{told}");
    let again = session.line(":edit move red.token1 e6").print();
    assert!(
        again.lines().count() < 20 && !again.contains("drawn small"),
        "{again}"
    );
    assert!(session.line(":board").print().lines().count() > 20);
    // There is room for all of it.
    session.face.rows = Some(60);
    assert!(session.line(":edit move red.token1 e7").print().lines().count() > 24);
}

#[test]
fn odds_say_what_their_options_are_and_send_nowhere_else() {
    let mut session = started("charge-into-spears");
    said(&mut session, ":restart");
    assert!(said(&mut session, ":help odds").contains("`--limit` RUNS"));
    assert_eq!(
        problems(&mut session, ":odds --policy greedy"),
        ["inexact-policy"]
    );
}

#[test]
fn numbers_out_of_range_are_told_as_such_and_what_is_named_as_what_it_can_be() {
    let mut session = started("charge-into-spears");
    for (line, why) in [
        (":back 0", "`0` is too small"),
        (":auto 0 rounds", "`0` is too small"),
        (
            ":back 99999999999999999999",
            "`99999999999999999999` is too large a number",
        ),
        (
            ":undo 99999999999999999999",
            "`99999999999999999999` is too large a number",
        ),
        (":threat nosuch", "there is no faction or unit `nosuch`"),
    ] {
        let told = refused(&mut session, line);
        assert!(told.contains(why), "{told}");
    }
    assert!(refused(&mut session, ":threat nosuch").contains("blue.spears1"));
    // Where nothing is asked any more no command is named that would be refused.
    said(&mut session, ":set max_rounds=1");
    said(&mut session, ":auto end");
    let told = said(&mut session, ":reach blue.spears1");
    assert!(
        told.contains("nothing is asked any more") && !told.contains("why-not"),
        "{told}"
    );
}

#[test]
fn a_question_mark_alone_is_a_call_for_help() {
    let mut session = started("charge-into-spears");
    assert_eq!(said(&mut session, "?"), said(&mut session, ":help"));
}

#[test]
fn an_option_keeps_its_number_while_a_question_is_asked_again_and_words_come_last() {
    let mut session = started("very-quick-violence");
    let numbers = |session: &Session| {
        session
            .question()
            .expect("it asks")
            .text()
            .replace("\n    ", "  ")
    };
    assert!(
        numbers(&session).ends_with("1 large  2 medium  3 small"),
        "{}",
        numbers(&session)
    );
    session.line("1");
    assert!(
        numbers(&session).ends_with("1 large  2 medium  3 small  4 done"),
        "{}",
        numbers(&session)
    );
    // What cannot be paid any more leaves its number free.
    session.line("1");
    assert!(
        numbers(&session).ends_with("3 small  4 done"),
        "{}",
        numbers(&session)
    );
    assert!(session.line("1").failed());
    // So it is in a line of several answers.
    session.line(":undo 2");
    assert!(!session.line("3 3 4").failed());
    assert!(
        numbers(&session).starts_with("blue") && numbers(&session).ends_with("1 large  2 medium  3 small"),
        "{}",
        numbers(&session)
    );
}

#[test]
fn a_name_may_be_shortened_while_it_is_clear() {
    let mut session = started("charge-into-spears");
    session.line(":back");
    assert!(!session.line("mounted").failed());
    assert!(
        session
            .question()
            .expect("it asks")
            .text()
            .starts_with("red chooses move for red.mounted1")
    );
    session.line(":undo");
    assert!(!session.line("archers1").failed());
    assert_eq!(session.completions("x").words, Vec::<String>::new());
    session.line(":undo");
    assert_eq!(session.completions("mou").words, ["red.mounted1"]);
    session.line("archers1");
    session.line("stay");
    session.line(":open charge-into-spears");
    session.line(":edit place blue.spears e6");
    let which = refused(&mut session, "spears");
    assert!(
        which.contains("`spears` could be `blue.spears1` or `blue.spears2`"),
        "{which}"
    );
}

#[test]
fn what_only_rules_need_is_on_no_record_that_people_read() {
    let mut session = started("defending-is-all-a-fighter-does");
    let told = said(&mut session, ":events 99");
    let table = session.play.table();
    let lines = table
        .events
        .iter()
        .map(|e| rulebench::event_text::line(e, &table.rules, &table.words));
    let lines: Vec<String> = lines.collect();
    assert!(lines.iter().any(|line| line.contains("defends_until 0->")));
    assert!(!told.contains("defends_until"), "{told}");
    let mut session = started("a-die-on-the-border-is-knocked-out");
    let told = said(&mut session, ":events 99");
    let table = session.play.table();
    let laid =
        |event: &Event| rulebench::event_text::line(event, &table.rules, &table.words).contains(", pose ");
    assert!(table.events.iter().any(laid));
    assert!(told.contains(" shows ") && !told.contains("pose"), "{told}");
}

#[test]
fn numbers_stand_beside_the_question_that_they_are_about_and_no_other() {
    let mut session = started("the-wager");
    for line in ["archer", "archer", "archer", "done", "red.archer1"] {
        said(&mut session, line);
    }
    let head = |session: &Session| {
        session
            .question()
            .expect("a question")
            .text()
            .lines()
            .next()
            .map(str::to_owned)
    };
    assert!(!head(&session).expect("a head").contains('('));
    let mut session = started("very-quick-violence");
    let asked = head(&session).expect("a head");
    assert!(
        asked.contains("(points left 10, large 4, medium 3, small 2)"),
        "{asked}"
    );
    said(&mut session, "large");
    let asked = head(&session).expect("a head");
    assert!(asked.contains("points left 6"), "{asked}");
    // Nothing of it is on record.
    let record = said(&mut session, ":events 99");
    assert!(!record.contains("points left"), "{record}");
    said(&mut session, ":undo");
    let asked = head(&session).expect("a head");
    assert!(asked.contains("points left 10"), "{asked}");
}

#[test]
fn the_first_question_that_offers_unit_types_explains_them() {
    let mut session = Session::new(
        &rulebench::embedded::games(),
        Some("smalltricks"),
        Overrides::default(),
        Style::default(),
    )
    .unwrap_or_else(|p| panic!("{p}"));
    let first = session.greeting().print();
    assert!(first.contains("\nCannons (Ca): "), "{first}");
    assert!(
        first.contains("\nMuskets (Mu): ") && first.contains("combat 2"),
        "{first}"
    );
    // Between the board and the question.
    let at = |text: &str| first.find(text).expect("it is told");
    assert!(at("upper case") < at("Cannons (Ca)") && at("Muskets (Mu)") < at("red chooses face 2"));
    said(&mut session, "both");
    let next = said(&mut session, "cannons");
    assert!(!next.contains("Cannons (Ca)"), "{next}");
}

#[test]
fn a_line_is_answers_or_an_expression_before_anything_is_done() {
    let game = "fn board() { #{ factions: [\"red\", \"blue\"], squares: [1, 1] } }
        fn slots() { #{ game: #{ got: 0 } } }
        fn phases() { [#{ phase: \"go\", each: \"game\", step: \"act\" }] }
        fn act() {
            let g = game();
            g.got = choose(first(), \"n\", -3..=5);
            g.got += choose(first(), \"m\", [1, 2, 3]);
            choose(first(), \"o\", [\"half + one\", \"no\"]);
        }";
    let workspace = Small::new(game).workspace();
    let mut session = session(&workspace, "tiny");
    for (line, value) in [("1 + 1", "2"), ("3 - 1", "2"), ("3 -1", "2"), ("-1 + 2 - 1", "0")] {
        assert_eq!(said(&mut session, line), value, "{line}");
        assert_eq!(session.play.given_count(), 0, "{line}");
    }
    for line in ["1 + ", "1 + nobody", "n: 1 + 1", "2 - blue"] {
        refused(&mut session, line);
        assert_eq!(session.play.given_count(), 0, "{line}");
    }
    said(&mut session, "-1");
    assert_eq!(
        (
            session.play.given_count(),
            said(&mut session, "game().got").as_str()
        ),
        (1, "-1")
    );
    said(&mut session, ":undo");
    // Several answers, of which none reads as a part of a sum.
    said(&mut session, "3 2");
    assert_eq!(
        (
            session.play.given_count(),
            said(&mut session, "game().got").as_str()
        ),
        (2, "5")
    );
    // What is offered so is answered so.
    said(&mut session, "half + one");
    assert_eq!(session.play.given_count(), 3);
}
