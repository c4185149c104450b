//! `:why` and `:why-not`: what is told names the rule, its file and its layer, and asking changes
//! nothing.

use crate::support::{Small, problems, record, refused, root, said, started};
use proptest::prelude::*;
use proptest::sample::Index;
use rulebench::agents::Agent;
use rulebench::kernel::table::{Answerer, Reply};
use rulebench::play::{Play, Progress};
use rulebench::render::Style;
use rulebench::repl::session::Session;
use rulebench::rules::trace::TraceLevel;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::{self, Overrides, Setup};
use rulebench::why;

/// Two units of red and two of blue; both sides move, then shoot at the same time.
const GAME: &str = r##"fn board() { #{ factions: ["red", "blue"], hexes: [4, 4], stack: 1, engaged: "same place", conflicts: "second" } }
fn stats() { #{ life: 2, move: 1 } }
fn slots() { #{ unit: #{ life: #{ start: 0, at_zero: "death" } }, faction: #{ lost: 0 } } }
fn phases() { [
    #{ phase: "opening", each: "game", step: "open" },
    #{ phase: "plan", each: "faction", step: "plan", hidden: true },
    #{ phase: "march", turn: "first", step: "activate" },
    #{ phase: "fire", each: "unit", step: "fire", simultaneous: true },
] }
fn open() {
    lay(first(), "scouts", "a1");
    lay(first(), "guards", "b2");
    lay(second(), "scouts", "a2");
    lay(second(), "guards", "d4");
}
fn lay(side, kind, at) { enlist(side, unit_type(kind)); put(side.units.last, place(at)); }
fn plan(side) { add(side, "lost", secret_of(choose(side, "plan", [1, 2])), "plan"); }
fn secret_of(n) { n - n }
fn activate(me) { march(me); }
fn may_enter(me, place) { true }
fn may_leave(me) { "an engaged unit stays" }
fn may_target(me, foe) { true }
fn fire(me) {
    let foes = me.foes_within(1);
    for foe in foes { if may_target(me, foe) != true { foes = foes - foe; } }
    if foes.is_empty { return; }
    let foe = choose(me, "target", foes, "hold");
    if foe != "hold" { hit(foe, damage(me), "shot"); }
}
fn damage(me) { 1 }
fn death(me) { add(me.owner, "lost", 1, "loss"); remove(me, "death"); }
"##;

/// `:why-not` explains the question that is open, the walk, and not the targets that the unit looked at before it.
#[test]
fn why_not_names_what_the_open_question_comes_of() {
    let game = r##"
fn board() { #{ factions: ["red", "blue"], squares: [4, 4] } }
fn stats() { #{ move: 2 } }
fn phases() { [#{ phase: "p", turn: "first", step: "act" }] }
fn act(me) {
    let near = me.place.adjacent.units & me.foes;
    if !near.is_empty { choose(me, "target", near, "none"); }
    choose(me, "move", walk(me, me.move));
}
"##;
    let small = Small::new(game).with("units/men", "fn stats() { #{} }\n").with(
        "scenarios/it",
        "game = \"tiny\"\nunits.red = [\"men a1\"]\nopen = \"stop\"\n",
    );
    let mut session = crate::support::session(&small.workspace(), "it");
    let told = said(&mut session, ":why-not d4");
    assert!(
        told.contains("walk(red.men1, 2) names") && !told.contains("adjacent"),
        "{told}"
    );
}

const SCOUTS: &str = r##"fn stats() { #{ symbol: "Sc", life: 1 } }
"##;

const GUARDS: &str = r##"fn stats() { #{ symbol: "Gu" } }
fn may_enter(me, place) { if place.name == "c1" { "guards stay off c1" } else { base(me, place) } }
"##;

fn small() -> Small {
    Small::new(GAME)
        .with("units/scouts", SCOUTS)
        .with("units/guards", GUARDS)
        .with("variants/fierce", "// Shots hurt more.\nfn damage(me) {\n    base(me) + 1\n}\n")
        .with("variants/marsh", "fn may_enter(me, place) { if place.name == \"b3\" { \"b3 is a marsh\" } else { base(me, place) } }\n")
        .with("variants/mercy", "fn may_target(me, foe) { if foe.type.name == \"guards\" { \"guards are spared\" } else { base(me, foe) } }\n")
        .with("variants/gone", "fn march_of(me) { march(me); }\nfn activate(me) { march_of(me); }\n")
}

fn session(variants: &[&str]) -> Session {
    let overrides = Overrides {
        variants: variants.iter().map(|&v| v.to_owned()).collect(),
        ..Overrides::default()
    };
    let style = Style {
        ascii: true,
        ..Style::default()
    };
    let mut session = Session::new(&small().workspace(), Some("tiny"), overrides, style)
        .unwrap_or_else(|problems| panic!("{problems}"));
    assert!(!session.greeting().failed());
    session
}

/// Says lines to the prompt; all of them must be understood.
fn say(session: &mut Session, lines: &[&str]) {
    for line in lines {
        let reply = session.line(line);
        assert!(!reply.failed(), "{line}: {}", reply.print());
    }
}

/// Both sides have planned; red's first unit is to be picked.
fn in_march(variants: &[&str]) -> Session {
    let mut session = session(variants);
    say(&mut session, &["1", "1"]);
    session
}

/// Everybody stays; the first unit is to choose its target.
fn in_fire(variants: &[&str]) -> Session {
    let mut session = in_march(variants);
    say(&mut session, &["red.scouts1", "stay", "stay"]);
    session
}

/// The whole game; red's scouts and blue's shoot each other.
fn played(variants: &[&str]) -> Session {
    let mut session = in_fire(variants);
    while session.play.is_asking() {
        let keys = session.play.with_question(|a| a.keys()).unwrap_or_default();
        say(
            &mut session,
            &[keys.iter().rfind(|k| *k != "hold").expect("a foe")],
        );
    }
    assert_eq!(
        session.play.position().next,
        rulebench::kernel::schedule::NextStep::Over
    );
    session
}

/// The number that `:events` shows at the last line that has this text.
fn number_of(session: &Session, text: &str) -> usize {
    let lines = session.play.lines_from(0);
    let found = lines.iter().rposition(|line| line.contains(text));
    found.unwrap_or_else(|| panic!("no `{text}` in {lines:?}")) + 1
}

// --- why -------------------------------------------------------------------------------------

#[test]
fn the_last_event_is_explained() {
    insta::assert_snapshot!(said(&mut in_fire(&[]), ":why"));
    insta::assert_snapshot!(said(&mut played(&[]), ":why"));
}

#[test]
fn an_event_of_a_simultaneous_phase_is_explained_by_the_step_that_decided_it() {
    let mut session = played(&["fierce"]);
    let number = number_of(&session, "(by shot");
    let told = said(&mut session, &format!(":why {number}"));
    insta::assert_snapshot!(told);
    // Without the variant its layer is not told.
    let mut session = played(&[]);
    let number = number_of(&session, "(by shot");
    let told = said(&mut session, &format!(":why {number}"));
    assert!(told.contains("damage(") && !told.contains("fierce"), "{told}");
}

#[test]
fn a_death_that_follows_is_explained_by_the_hook_that_it_ran() {
    let mut session = played(&[]);
    let number = number_of(&session, "removed");
    insta::assert_snapshot!(said(&mut session, &format!(":why {number}")));
}

#[test]
fn a_hook_that_nobody_defines_is_in_no_file() {
    let game = r##"
fn board() { #{ factions: ["red", "blue"], squares: [3, 3] } }
fn slots() { #{ unit: #{ life: #{ start: 1, at_zero: "death" } } } }
fn phases() { [#{ phase: "p", turn: "first", step: "strike" }] }
fn strike(me) {
    if choose(me, "strike", ["yes", "no"]) == "yes" { hit(me.foes.first, 1, "blow", me); }
}
fn death(me) { remove(me, "death"); }
"##;
    let guards = "fn stats() { #{} }\nfn removed(me, place) { base(me, place) }\n";
    let laid = "game = \"tiny\"\nunits.red = [\"men a1\"]\nunits.blue = [\"men a2\"]\n";
    let small = Small::new(game)
        .with("units/men", "fn stats() { #{} }\n")
        .with("units/guards", guards)
        .with("scenarios/it", laid);
    let mut session = crate::support::session(&small.workspace(), "it");
    say(&mut session, &["yes"]);
    let number = number_of(&session, "removed");
    let told = said(&mut session, &format!(":why {number}"));
    assert!(
        told.contains("removed(blue.men1, a2)  defined nowhere  -> nothing"),
        "{told}"
    );
}

#[test]
fn a_function_is_told_with_what_each_of_its_layers_said() {
    let told = said(&mut played(&["fierce"]), ":why damage");
    assert!(
        told.contains("-> 2   layer: fierce") && told.contains("-> 1   layer: none"),
        "{told}"
    );
    insta::assert_snapshot!(told);
}

/// A trace has each statement that ran, with its values, and the statements of the calls below it.
#[test]
fn a_trace_has_the_statements_that_ran_with_their_values() {
    let mut session = played(&["fierce"]);
    let number = number_of(&session, "(by shot");
    let told = said(&mut session, &format!(":trace {number}"));
    let lines: Vec<String> = told
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    for (begins, has) in [
        ("fire(", "layer: none"),
        ("24 let foes = me.foes_within(1) foes = [", ", 1) = ["),
        ("25 for foe in foes foe = ", "foes = ["),
        ("25 if may_target(me, foe) != true me = ", "foe = "),
        ("may_target(", "-> true layer: none"),
        (
            "27 let foe = choose(me, \"target\", foes, \"hold\") foe = ",
            "choose(",
        ),
        ("28 hit(foe, damage(me), \"shot\") ", "me = "),
        ("damage(", "-> 2 layer: fierce"),
    ] {
        let found = lines
            .iter()
            .any(|line| line.starts_with(begins) && line.contains(has));
        assert!(found, "{begins}{has}: {told}");
    }
    // What did not run is not there.
    assert!(
        !told.contains("return") && !told.contains("foes = foes - foe"),
        "{told}"
    );
    assert_eq!(
        problems(&mut session, ":trace nobody"),
        ["unknown-name(function, nobody)"]
    );
}

/// Rules of a faction may read what others have done in secret: none of their statements is shown.
#[test]
fn statements_that_can_read_a_secret_are_not_traced() {
    let mut session = session(&[]);
    say(&mut session, &["2"]);
    assert_eq!(problems(&mut session, ":trace plan"), ["secret-step"]);
    said(&mut session, ":alone on");
    assert!(said(&mut session, ":trace secret_of").contains("n = 2"));
}

/// Returns the output of `:why` for a function, and for the last event with a text.
fn whys(session: &mut Session, function: &str, event: &str) -> [String; 2] {
    let number = number_of(session, event);
    [function.to_owned(), number.to_string()].map(|what| said(session, &format!(":why {what}")))
}

#[test]
fn what_was_played_under_other_rules_is_run_again_under_those() {
    let mut session = played(&[]);
    let [call, death] = whys(&mut session, "damage", "removed");
    let then = "  (in chapter 1, under its rules, not those of now)";
    for change in [
        ":with fierce",
        ":patch game fn damage(me) { 3 }",
        ":without fierce",
    ] {
        said(&mut session, change);
        let now = whys(&mut session, "damage", "removed");
        assert_eq!(
            now,
            [&call, &death].map(|was| format!("{was}\n{then}")),
            "{change}"
        );
    }
    // A function that the rules of now have alone was not called.
    said(&mut session, ":with gone");
    assert_eq!(
        problems(&mut session, ":why march_of"),
        ["uncalled-function(march_of)"]
    );
    // One that those of then have alone was.
    let mut session = in_fire(&["gone"]);
    said(&mut session, ":without gone");
    let told = said(&mut session, ":why march_of");
    assert!(
        told.contains("march_of(red.") && told.contains("(in chapter 1, "),
        "{told}"
    );
}

#[test]
fn a_step_within_which_the_rules_changed_is_run_again_under_those_that_it_ended_with() {
    let mut session = in_march(&[]);
    say(
        &mut session,
        &["red.scouts1", ":with marsh", "stay", ":without marsh"],
    );
    let number = number_of(&session, "chose move: stay");
    let told = said(&mut session, &format!(":why {number}"));
    assert!(
        told.contains("activate(red.scouts1)") && told.contains("(in chapter 2, "),
        "{told}"
    );
}

#[test]
fn of_what_was_decided_under_other_rules_it_is_said_so() {
    let mut session = in_fire(&[]);
    let keys = session.play.with_question(|a| a.keys()).unwrap_or_default();
    let foe = keys.iter().rfind(|k| *k != "hold").expect("a foe").clone();
    say(&mut session, &[&foe, ":with fierce", "hold"]);
    while session.play.is_asking() {
        say(&mut session, &["hold"]);
    }
    let number = number_of(&session, "(by shot");
    let told = said(&mut session, &format!(":why {number}"));
    assert!(
        told.contains("it was decided in chapter 1, under other rules"),
        "{told}"
    );
}

#[test]
fn a_function_that_was_not_called_an_unknown_one_and_numbers_that_no_event_has() {
    let mut session = in_march(&[]);
    for line in [":why 0", ":why -1", ":why 99999999999999999999999"] {
        refused(&mut session, line);
    }
    assert_eq!(
        problems(&mut session, ":why damage"),
        ["uncalled-function(damage)"]
    );
    assert_eq!(
        problems(&mut session, ":why damgae"),
        ["unknown-name(function, damgae)"]
    );
    assert_eq!(problems(&mut session, ":why 9999"), ["unknown-name(event, 9999)"]);
}

#[test]
fn nothing_has_happened_yet() {
    let empty = Small::new(
        "fn board() { #{ factions: [\"red\", \"blue\"], hexes: [2, 2], stack: 1 } }\n\
         fn phases() { [#{ phase: \"talk\", each: \"game\", step: \"talk\" }] }\n\
         fn talk() { choose(first(), \"word\", [\"yes\", \"no\"]); }\n",
    );
    let session = Session::new(
        &empty.workspace(),
        Some("tiny"),
        Overrides::default(),
        Style::default(),
    );
    let mut session = session.unwrap_or_else(|p| panic!("{p}"));
    session.greeting();
    insta::assert_snapshot!(refused(&mut session, ":why"));
}

#[test]
fn a_choice_and_a_step_are_explained_by_who_made_them() {
    let mut session = in_march(&[]);
    let number = number_of(&session, "chose");
    let told = said(&mut session, &format!(":why {number}"));
    assert!(told.contains("somebody chose it"), "{told}");
}

#[test]
fn what_the_other_side_did_in_secret_is_not_told() {
    let mut session = session(&[]);
    say(&mut session, &["2"]);
    // Blue is asked, red has planned in secret.
    let secret = session.play.events().len();
    for command in [":why", ":trace"] {
        for number in 1..=secret {
            let told = session.line(&format!("{command} {number}")).print();
            assert!(
                !told.contains("red chose") && !told.contains("red's plan"),
                "{number}: {told}"
            );
        }
        let told = session.line(&format!("{command} secret_of")).print();
        assert!(!told.contains("secret_of(2)"), "{told}");
    }
    // When it is over, it is.
    say(&mut session, &["1"]);
    let told = said(&mut session, ":why secret_of");
    assert!(told.contains("secret_of(1)"), "{told}");
    let number = number_of(&session, "red chose plan");
    assert!(said(&mut session, &format!(":why {number}")).contains("somebody chose it"));
}

#[test]
fn one_person_who_plays_all_sides_is_told_what_is_secret() {
    let mut session = session(&[]);
    said(&mut session, ":alone on");
    say(&mut session, &["2"]);
    let number = number_of(&session, "red chose plan");
    assert!(said(&mut session, &format!(":why {number}")).contains("somebody chose it"));
    assert!(said(&mut session, ":why secret_of").contains("secret_of(2)"));
}

#[test]
fn a_secret_of_the_same_step_is_not_told_either() {
    let game = r#"
        fn board() { #{ factions: ["red", "blue"], hexes: [2, 1] } }
        fn slots() { #{ faction: #{ bid: 0 } } }
        fn phases() { [#{ phase: "auction", each: "game", step: "bids", simultaneous: true, hidden: true }] }
        fn bids() { bid(first()); bid(second()); }
        fn bid(side) { add(side, "bid", choose(side, "bid", 0..=3), "bid"); }
    "#;
    let workspace = Small::new(game).workspace();
    let mut session = Session::new(&workspace, Some("tiny"), Overrides::default(), Style::default())
        .unwrap_or_else(|problems| panic!("{problems}"));
    session.greeting();
    say(&mut session, &["2"]);
    for line in [":why bid", ":why bids", ":trace bid", ":why-not 7"] {
        assert_eq!(problems(&mut session, line), ["secret-step"]);
    }
    say(&mut session, &["1"]);
    assert!(said(&mut session, ":why bid").contains("red chose bid: 2"));
}

#[test]
fn a_target_out_of_range_is_told_where_it_was_left_out() {
    let scenario =
        "game = \"smalltricks\"\nunits.red = [\"archers c2\"]\nunits.blue = [\"spears c4\", \"spears f6\"]\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("far.toml");
    std::fs::write(&path, scenario).expect("it is written");
    let name = path.to_str().expect("a path");
    let mut session = Session::new(&shipped(), Some(name), Overrides::default(), Style::default())
        .unwrap_or_else(|problems| panic!("{problems}"));
    session.greeting();
    say(&mut session, &["stay", "blue.spears1", "stay", "stay"]);
    let told = said(&mut session, ":why-not red.archers1 blue.spears2");
    assert!(
        told.contains("game.rhai:") && told.contains("f6 is 5 steps from c2"),
        "{told}"
    );
}

#[test]
fn another_game_that_is_opened_by_mistake_is_taken_back() {
    let mut session = in_march(&[]);
    let before = session.play.position();
    say(&mut session, &[":new tiny"]);
    assert_ne!(session.play.position(), before);
    say(&mut session, &[":undo"]);
    assert_eq!(session.play.position(), before);
}

#[test]
fn asking_why_changes_nothing_at_the_table() {
    let mut session = in_fire(&["fierce"]);
    let seen = |session: &Session| {
        let keys = session.play.with_question(|a| a.keys());
        (session.play.position(), session.play.events(), keys)
    };
    let before = seen(&session);
    for line in [
        ":why",
        ":why 1",
        ":why damage",
        ":why open",
        ":why-not a1",
        ":why-not blue.guards1",
        ":why nobody",
    ] {
        session.line(line);
        assert_eq!(seen(&session), before, "{line}");
    }
}

// --- why not ---------------------------------------------------------------------------------

#[test]
fn a_move_that_is_too_far_and_one_that_a_unit_or_a_variant_refuses() {
    let mut session = in_march(&["marsh"]);
    say(&mut session, &["red.guards1"]);
    insta::assert_snapshot!(said(&mut session, ":why-not d4"));
    insta::assert_snapshot!(said(&mut session, ":why-not c1"));
    insta::assert_snapshot!(said(&mut session, ":why-not b3"));
    insta::assert_snapshot!(said(&mut session, ":why-not stay"));
}

#[test]
fn a_unit_that_is_not_asked_now_is_not_told_what_is_offered_to_another() {
    let mut session = in_march(&[]);
    say(&mut session, &["red.guards1"]);
    assert!(said(&mut session, ":why-not red.guards1 b3").contains("b3 is offered"));
    let told = said(&mut session, ":why-not red.scouts1 b3");
    assert!(
        told.starts_with(
            "red.scouts1 is not asked now: `move` is about red.guards1; if its turn came now:\n"
        ),
        "{told}"
    );
}

#[test]
fn what_the_rules_refuse_to_a_unit_is_told_whoever_is_asked() {
    let mut session = started("charge-into-spears");
    for line in [":back", "red.mounted1 c4"] {
        said(&mut session, line);
    }
    assert_eq!(
        session.play.with_question(|a| a.label().to_owned()).as_deref(),
        Some("move")
    );
    let told = said(&mut session, ":reach blue.spears1");
    assert!(told.contains("blue.spears1 can go nowhere"), "{told}");
    insta::assert_snapshot!(said(&mut session, ":why-not blue.spears1 c5"));
    // Nor are others asked who is activated.
    said(&mut session, "stay");
    insta::assert_snapshot!(said(&mut session, ":why-not red.mounted1 b3"));
}

#[test]
fn a_move_to_where_there_is_no_room() {
    let mut session = in_march(&[]);
    say(&mut session, &["red.guards1"]);
    let told = said(&mut session, ":why-not a1");
    insta::assert_snapshot!(told);
}

#[test]
fn a_unit_that_is_not_activated_yet_is_asked_about_all_the_same() {
    let mut session = in_march(&["marsh"]);
    let before = session.play.position();
    insta::assert_snapshot!(said(&mut session, ":why-not red.guards1 b3"));
    insta::assert_snapshot!(said(&mut session, ":why-not red.guards1 c1"));
    assert!(said(&mut session, ":why-not red.scouts1 stay").contains("stay is offered"));
    assert_eq!(session.play.position(), before);
    // It is blue's unit, and not blue's turn.
    let told = said(&mut session, ":why-not blue.guards1 d3");
    assert!(
        told.contains("blue.guards1 cannot be activated now: red is asked"),
        "{told}"
    );
}

#[test]
fn an_engaged_unit_is_told_why_it_stays() {
    let game = small().replaced(
        "scripts/tiny/game.rhai",
        "lay(second(), \"scouts\", \"a2\")",
        "lay(second(), \"scouts\", \"a1\")",
    );
    let session = Session::new(
        &game.workspace(),
        Some("tiny"),
        Overrides::default(),
        Style::default(),
    );
    let mut session = session.unwrap_or_else(|p| panic!("{p}"));
    session.greeting();
    say(&mut session, &["1", "1"]);
    insta::assert_snapshot!(said(&mut session, ":why-not red.scouts1 b1"));
}

#[test]
fn a_target_out_of_range_and_one_that_a_variant_spares() {
    let mut session = in_fire(&["mercy"]);
    assert!(said(&mut session, ":why-not blue.scouts1").contains("is offered"));
    insta::assert_snapshot!(said(&mut session, ":why-not blue.guards1"));
    let game = small().replaced(
        "scripts/tiny/game.rhai",
        "lay(second(), \"guards\", \"d4\")",
        "lay(second(), \"guards\", \"b1\")",
    );
    let overrides = Overrides {
        variants: vec!["mercy".to_owned()],
        ..Overrides::default()
    };
    let near = Session::new(&game.workspace(), Some("tiny"), overrides, Style::default());
    let mut near = near.unwrap_or_else(|p| panic!("{p}"));
    near.greeting();
    say(&mut near, &["1", "1", "red.scouts1", "stay", "stay"]);
    let told = said(&mut near, ":why-not blue.guards1");
    assert!(
        told.contains("guards are spared") && told.contains("layer: mercy"),
        "{told}"
    );
}

#[test]
fn names_that_nothing_has_and_no_name_at_all() {
    let mut session = in_march(&[]);
    assert_eq!(problems(&mut session, ":why-not z9"), ["off-board(z9)"]);
    assert_eq!(
        problems(&mut session, ":why-not red.guard1 a1"),
        ["unknown-thing(red.guard1)"]
    );
    insta::assert_snapshot!(refused(&mut session, ":why-not"));
    insta::assert_snapshot!(refused(&mut session, ":why-not a1 b1"));
    assert_eq!(problems(&mut session, ":why-not a b c"), ["unknown-thing(a b c)"]);
}

#[test]
fn after_the_end_nothing_is_asked() {
    let mut session = played(&[]);
    assert_eq!(problems(&mut session, ":why-not a1"), ["no-question"]);
}

// --- it does not disturb ---------------------------------------------------------------------

fn shipped() -> Workspace {
    Workspace::at(root())
}

fn lay(game: &str, seed: u64, watched: bool) -> Setup {
    let file = crate::support::short_game(game, seed, 3);
    let ruleset =
        run::load(&shipped(), &file, &run::options_of(&file, &[])).unwrap_or_else(|p| panic!("{p}"));
    let mut laid = run::lay_on(ruleset, file).unwrap_or_else(|p| panic!("{p}"));
    if watched {
        laid.play.runtime.start_trace(TraceLevel::Calls);
    }
    laid
}

fn random(seed: u64) -> Box<dyn Answerer> {
    Agent::Random.source(seed).expect("it answers at once")
}

/// Plays on with the random agent until it was asked so often; false when the game was over first.
fn play_on(play: &mut Play, agent: &mut dyn Answerer, answers: usize) -> bool {
    for _ in 0..answers {
        if play.run_on() != Progress::Asks {
            return false;
        }
        match play.with_question(|asked| agent.answer(asked)) {
            Some(Reply::Take(index)) => assert!(play.answer(index)),
            other => panic!("{other:?}"),
        }
    }
    play.run_on() == Progress::Asks
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, failure_persistence: None, ..ProptestConfig::default() })]

    /// Rules that are watched play the same games as others.
    #[test]
    fn a_watched_game_is_the_same_game(seed in 0u64..1_000_000) {
        for game in shipped().games() {
            let mut played = Vec::new();
            for watched in [false, true] {
                let mut laid = lay(&game, seed, watched);
                laid.play.set_source(random(seed));
                prop_assert_eq!(laid.play.run_on(), Progress::Over);
                let text = record(&laid.play);
                played.push((text, laid.play.events().len()));
            }
            prop_assert_eq!(&played[0].0, &played[1].0);
            prop_assert_eq!(played[0].1, played[1].1);
        }
    }

    /// Whatever is asked about, position, record and the open question stay as they are, and the
    /// game goes on as without.
    #[test]
    fn asking_why_disturbs_no_random_game(
        seed in 0u64..1_000_000,
        answers in 1usize..80,
        asked in prop::collection::vec(any::<Index>(), 4),
    ) {
        for game in shipped().games() {
            let mut laid = lay(&game, seed, false);
            laid.play.keep_trail();
            let mut agent = random(seed);
            play_on(&mut laid.play, agent.as_mut(), answers);
            let play = &laid.play;
            let seen = || (play.position(), play.events(), play.with_question(|a| a.keys()), play.trail().to_vec());
            let before = seen();
            for index in &asked {
                let index = index.index(before.1.len());
                let line = play.lines_from(index)[0].clone();
                let told = match why::event(play, play.view(), Some(index), TraceLevel::Calls) {
                    // What is secret to whoever is asked is not told.
                    Err(why) if !play.view().is_whole() && why.0[0].id() == "secret-step" => continue,
                    told => told.unwrap_or_else(|p| panic!("{line}: {p}")),
                };
                let told = told.text();
                prop_assert_eq!(told.lines().next(), Some(&*line));
                prop_assert!(told.lines().count() > 1, "nothing is told of `{}`", line);
                prop_assert!(seen() == before, "`{}` was disturbed", line);
            }
            let mut other = lay(&game, seed, false);
            other.play.keep_trail();
            let mut undisturbed = random(seed);
            play_on(&mut other.play, undisturbed.as_mut(), answers);
            play_on(&mut other.play, undisturbed.as_mut(), 20);
            play_on(&mut laid.play, agent.as_mut(), 20);
            prop_assert_eq!(laid.play.events(), other.play.events());
        }
    }
}

/// A full hexagon is reported as full, with the name of the rule in words that `:help` knows, whatever way leads to it.
#[test]
fn a_full_hexagon_is_said_to_be_full() {
    let copy = crate::support::Copy::of_rules();
    let text = "game = \"smalltricks\"\nunits.red = [\"mounted c2\", \"archers c3\", \"archers c3\"]\n\
                units.blue = [\"cannons f6\"]\nopen = \"stop\"\n";
    copy.write("full.toml", text);
    let start = copy.path("full.toml").display().to_string();
    let workspace = Workspace::at(copy.path(""));
    let session = Session::new(&workspace, Some(&start), Overrides::default(), Style::default());
    let mut session = session.unwrap_or_else(|p| panic!("{p}"));
    session.greeting();
    for line in [":why-not red.mounted1 c3", "red.mounted1"] {
        let told = session.line(line).print();
        if line.starts_with(':') {
            assert!(told.contains("c3 is full: `stack` in board() is 2"), "{told}");
        }
    }
    let told = session.line(":why-not c3").print();
    assert!(told.contains("c3 is full"), "{told}");
    // What is too far is so by a word that is explained.
    let told = session.line(":why-not f6").print();
    let named = told
        .lines()
        .nth(1)
        .and_then(|l| l.trim().split_once('('))
        .expect("a call");
    let help = session.line(&format!(":help {}", named.0));
    assert!(!help.failed(), "{told}");
}

#[test]
fn what_a_question_of_numbers_takes_is_said_and_where_a_piece_is_that_is_not_laid_out() {
    let game = r#"
        fn board() { #{ factions: ["red", "blue"], hexes: [2, 1] } }
        fn phases() { [#{ phase: "all", each: "game", step: "ask" }] }
        fn ask() {
            for n in 1..=2 { enlist(first(), unit_type("scouts")); }
            put(first().units.first, place("a1"));
            remove(first().units.last);
            enlist(first(), unit_type("scouts"));
            choose(first(), "stake", 1..=3, "nothing");
            choose(first(), "pace", [6, 2, 4]);
            choose(first(), "odd", [1, 5, 7]);
            choose(first(), "who", first().units.filter(|u| u.place == place("a1")), "nobody");
        }
    "#;
    let game = Small::new(game).with("units/scouts", "fn stats() { #{ symbol: \"Sc\" } }");
    let mut session = crate::support::session(&game.workspace(), "tiny");
    for (word, takes) in [
        ("9", "`stake` takes a whole number from 1 to 3, or nothing"),
        ("a1", "`stake` takes a whole number from 1 to 3, or nothing"),
        (
            "3,4",
            "3,4 is not offered: `stake` takes a whole number from 1 to 3, or nothing",
        ),
    ] {
        let told = said(&mut session, &format!(":why-not {word}"));
        assert!(told.contains("not offered") && told.contains(takes), "{told}");
        assert!(!told.contains("no rule"), "{told}");
    }
    say(&mut session, &["2"]);
    let told = said(&mut session, ":why-not 3");
    assert!(told.contains("`pace` takes 2 to 6 in steps of 2"), "{told}");
    say(&mut session, &["4"]);
    let told = said(&mut session, ":why-not 3");
    assert!(told.contains("`odd` takes 1, 5, 7"), "{told}");
    say(&mut session, &["5"]);
    let told = said(&mut session, ":why-not 3");
    assert!(told.contains("`who` takes nobody, red.scouts1"), "{told}");
    for (name, place) in [
        ("red.scouts3", "not on the board: it waits in reserve"),
        ("red.scouts2", "not on the board: it is out of the game"),
    ] {
        let told = said(&mut session, &format!(":why-not {name}"));
        assert!(told.contains(place), "{told}");
    }
}
