//! Changes of rules while a game is on the table: the board is carried over, saves tell by chapters,
//! files are reloaded.

use crate::support::{Copy, Small, problems, record, refused, root, said, session, started};
use proptest::prelude::*;
use rulebench::agents::Agent;
use rulebench::kernel::event::Event;
use rulebench::kernel::table::Answerer;
use rulebench::play::carry::Carry;
use rulebench::play::{Play, Progress};
use rulebench::render::Style;
use rulebench::repl::session::Session;
use rulebench::report::Source;
use rulebench::rules::declare::DialValue;
use rulebench::rules::ruleset::{LoadOptions, Ruleset};
use rulebench::rules::workspace::Workspace;
use rulebench::scenario::file::ScenarioFile;
use rulebench::stage::run::{self, OpenedFile, Overrides, PlayStop, Setup};
use rulebench::stage::transcribe;
use rulebench::transcript::{Line, Transcript};
use std::sync::Arc;

fn workspace() -> Workspace {
    Workspace::at(root())
}

fn lay(workspace: &Workspace, seed: u64) -> Setup {
    let mut file = ScenarioFile::new("smalltricks");
    file.seed = seed;
    file.dials
        .push(("max_rounds".to_owned().into(), DialValue::Number(3).into()));
    run::lay(workspace, &file, &Overrides::default()).unwrap_or_else(|p| panic!("{p}"))
}

fn ruleset(workspace: &Workspace, options: &LoadOptions) -> Arc<Ruleset> {
    Ruleset::load(workspace, "smalltricks", options).unwrap_or_else(|p| panic!("{p}"))
}

fn with(variants: &[&str]) -> LoadOptions {
    LoadOptions {
        dials: [("max_rounds".to_owned(), DialValue::Number(3))].into(),
        variants: variants.iter().map(|v| (*v).to_owned()).collect(),
        ..LoadOptions::default()
    }
}

fn random(seed: u64) -> Box<dyn Answerer> {
    Agent::Random.source(seed).expect("it answers at once")
}

/// Answers so many questions at random; true when the game is over.
fn answer(play: &mut Play, agent: &mut dyn Answerer, questions: usize) -> bool {
    for _ in 0..questions {
        match play.run_on() {
            Progress::Asks => {}
            Progress::Over => return true,
            other => panic!("{other:?}"),
        }
        let taken = play.with_question(|asked| agent.answer(asked));
        let Some(rulebench::kernel::table::Reply::Take(index)) = taken else {
            panic!("the random agent always answers");
        };
        assert!(play.answer(index));
    }
    play.run_on() == Progress::Over
}

/// Carries the position and the record to the same rules; they must not change.
fn carries_to_itself(play: &Play) {
    let table = play.table();
    let mut words = table.words.clone();
    let mut carry =
        Carry::new(&table.rules, &table.words, &table.rules, &mut words).unwrap_or_else(|w| panic!("{w}"));
    let position = table.position();
    assert_eq!(carry.position(&position), Ok(position));
    let carried: Vec<Event> = table.events.iter().map(|e| carry.event(e)).collect();
    assert_eq!(carried, table.events);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    /// Carrying to the same rules changes nothing, at every step and with answers given in it.
    #[test]
    fn carrying_to_the_same_rules_is_the_identity(seed in 0u64..1_000_000) {
        let mut laid = lay(&workspace(), seed);
        let mut agent = random(seed);
        while !answer(&mut laid.play, agent.as_mut(), 1) {
            carries_to_itself(&laid.play);
        }
        carries_to_itself(&laid.play);
    }

    /// Rules change and change back in the middle of a game: the board stays, the game goes on to its
    /// end, can be taken back to its start, and is told again from its save.
    #[test]
    fn a_game_over_changes_of_rules_stays_playable(seed in 0u64..1_000_000, first in 1usize..60, then in 1usize..30) {
        let copy = Copy::of_rules();
        // A variant that changes no question: a slot and a dial more.
        copy.write(
            "scripts/smalltricks/variants/more.rhai",
            "// More to remember.\n\nfn variant() { #{} }\n\n\
             fn slots() { let all = base(); all[\"unit\"][\"grudge\"] = 7; all }\n\n\
             fn dials() { let all = base(); all[\"patience\"] = number(3, 0, 9); all }\n",
        );
        let workspace = Workspace::at(copy.path("."));
        let mut laid = lay(&workspace, seed);
        laid.play.keep_trail();
        let mut agent = random(seed);
        answer(&mut laid.play, agent.as_mut(), first);
        let before = laid.play.lines_from(0);
        let keys = laid.play.with_question(|a| a.keys());
        let kept = laid.play.change_rules(ruleset(&workspace, &with(&["more"])), "test");
        prop_assert_eq!(kept, Ok(rulebench::play::RulesChangeCost::default()));
        laid.play.run_on();
        prop_assert_eq!(laid.play.lines_from(0), before);
        prop_assert_eq!(laid.play.with_question(|a| a.keys()), keys);
        answer(&mut laid.play, agent.as_mut(), then);
        let changed = laid.play.change_rules(ruleset(&workspace, &with(&["fire-unmoved"])), "test");
        prop_assert_eq!(changed.map(|k| k.beyond_undo), Ok(0));
        while !answer(&mut laid.play, agent.as_mut(), 50) {}

        // A save of it is told again, chapter by chapter.
        let end = run::end_of(&laid.play, &PlayStop::Over);
        let saved = transcribe::saved(&laid.play, &laid.file, &end);
        let text = saved.print();
        let source = Source::new("saved", text.clone());
        let parsed = Transcript::parse(&source).unwrap_or_else(|p| panic!("{p}"));
        prop_assert_eq!(&parsed, &saved);
        prop_assert_eq!(parsed.print(), text.clone());
        let opened = run::open(&source).unwrap_or_else(|p| panic!("{p}"));
        let again = run::run(&workspace, &opened, &Overrides::default()).unwrap_or_else(|p| panic!("{p}"));
        prop_assert!(again.problems.is_empty(), "{:?}", again.problems);
        prop_assert_eq!(again.play.chapters().len(), laid.play.chapters().len());
        prop_assert_eq!(again.play.lines_from(0), laid.play.lines_from(0));
        prop_assert_eq!(transcribe::saved(&again.play, &again.file, &end).print(), text);

        // And all of it can be taken back.
        while laid.play.undo(10).0 > 0 {}
        prop_assert_eq!(laid.play.run_on(), Progress::Asks);
        prop_assert!(laid.play.trail().len() < 10);
        prop_assert!(laid.play.chapters().len() <= 2);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is taken out of the rules or put elsewhere, and whenever: the game goes on or the change
    /// is refused with nothing lost, and what can be taken back can be played again.
    #[test]
    fn rules_can_change_at_any_time(seed in 0u64..1_000_000, first in 0usize..90, which in 0usize..20) {
        let copy = Copy::of_rules();
        let workspace = Workspace::at(copy.path("."));
        let mut laid = lay(&workspace, seed);
        laid.play.keep_trail();
        let mut agent = random(seed);
        answer(&mut laid.play, agent.as_mut(), first);
        let types: Vec<String> = laid.play.ruleset().rules.types.iter().map(|t| t.name.clone()).collect();
        let mut options = with(&["ranged-first"]);
        if let Some(kind) = types.get(which) {
            options = with(&[]);
            std::fs::remove_file(copy.path(&format!("units/smalltricks/{kind}.rhai"))).expect("removed");
        }
        let (position, events) = (laid.play.position(), laid.play.lines_from(0));
        match laid.play.change_rules(ruleset(&workspace, &options), "test") {
            Ok(_) => {
                let mark = laid.play.table().events.len();
                prop_assert_eq!(&laid.play.lines_from(0)[..], &events[..mark]);
            }
            Err(problem) => {
                prop_assert!(problem.message.contains("cannot be kept"), "{}", problem.message);
                prop_assert_eq!((laid.play.position(), laid.play.lines_from(0)), (position, events));
            }
        }
        // Rules without a type may fail later on; they must say so and no more.
        loop {
            match laid.play.run_on() {
                Progress::Asks => {
                    let taken = laid.play.with_question(|asked| agent.answer(asked));
                    if let Some(rulebench::kernel::table::Reply::Take(index)) = taken {
                        laid.play.answer(index);
                    }
                }
                Progress::Over | Progress::Failed(_) => break,
                other => panic!("{other:?}"),
            }
        }
        let _ = transcribe::saved(&laid.play, &laid.file, "").print();
        while laid.play.undo(7).0 > 0 {
            laid.play.run_on();
        }
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

/// The charge from further away, at one of two.
fn ride() -> (Copy, Workspace) {
    let (copy, workspace) = copy();
    let file = "scenarios/smalltricks/it.toml";
    copy.replace(file, "mounted c3", "mounted c2")
        .replace(file, "cannons f6", "cannons c4");
    (copy, workspace)
}

fn charge(workspace: &Workspace) -> Session {
    let mut session = session(workspace, "it");
    for line in ["red.mounted1", "c4", "blue.spears1"] {
        said(&mut session, line);
    }
    session
}

#[test]
fn a_saved_script_is_in_force_with_the_board_kept() {
    let (copy, workspace) = copy();
    let mut session = charge(&workspace);
    let world = session.play.position().world;
    assert!(session.look_for_changes().is_none());
    copy.replace(
        "units/smalltricks/archers.rhai",
        "fn stats",
        "// A comment.\nfn stats",
    );
    let told = session.look_for_changes().expect("it is noticed").print();
    assert_eq!(
        told,
        "reloaded units/smalltricks/archers.rhai (no function changed); board kept"
    );
    // Saved by renaming, as editors do.
    let spears = std::fs::read_to_string(copy.path("units/smalltricks/spears.rhai")).expect("read");
    copy.write(
        "units/smalltricks/.spears.tmp",
        spears.replace("fn melee(me) {", "fn melee(me) {\n    let twice = 2;"),
    );
    std::fs::rename(
        copy.path("units/smalltricks/.spears.tmp"),
        copy.path("units/smalltricks/spears.rhai"),
    )
    .expect("renamed");
    let told = session.look_for_changes().expect("it is noticed").print();
    assert_eq!(
        told,
        "reloaded units/smalltricks/spears.rhai (melee changed); board kept"
    );
    assert_eq!(session.play.position().world, world);
    assert!(session.look_for_changes().is_none());
    // A function may be called as what else there is: it is said to be one.
    let without = ["fn melee(me) {", "let twice = 2;"];
    let with = ["fn odd() { 2 }\nfn melee(me) {", "let twice = odd();"];
    for (old, new, told) in [(without, with, "added"), (with, without, "removed")] {
        let path = "units/smalltricks/spears.rhai";
        copy.replace(path, old[0], new[0]).replace(path, old[1], new[1]);
        let reply = session.look_for_changes().expect("it is noticed").print();
        assert!(reply.contains(&format!("function odd {told}")), "{reply}");
    }
}

#[test]
fn a_broken_save_keeps_the_last_good_rules_and_is_told_once() {
    let (copy, workspace) = copy();
    let mut session = charge(&workspace);
    let position = session.play.position();
    copy.replace(
        "units/smalltricks/spears.rhai",
        "fn melee(me) {",
        "fn melee(me) {{",
    );
    let told = session.look_for_changes().expect("it is noticed");
    assert!(told.failed());
    let page = told.print();
    assert!(
        page.contains("spears.rhai") && page.ends_with("the last good rules stay in force"),
        "{page}"
    );
    assert!(session.look_for_changes().is_none());
    assert_eq!(session.play.position(), position);
    said(&mut session, ":auto");
    copy.replace(
        "units/smalltricks/spears.rhai",
        "fn melee(me) {{",
        "fn melee(me) {",
    );
    let told = session.look_for_changes().expect("it is noticed").print();
    assert_eq!(
        told,
        "units/smalltricks/spears.rhai: as it is in force, nothing has changed"
    );
}

#[test]
fn the_script_of_a_unit_on_the_board_can_not_go_but_that_of_another_can() {
    let (copy, workspace) = copy();
    let mut session = charge(&workspace);
    let position = session.play.position();
    let spears = std::fs::read(copy.path("units/smalltricks/spears.rhai")).expect("read");
    std::fs::remove_file(copy.path("units/smalltricks/spears.rhai")).expect("removed");
    let told = session.look_for_changes().expect("it is noticed");
    assert!(told.failed());
    let page = told.print().replace("\n       ", " ");
    assert!(
        page.contains("`blue.spears1` is on the table and its script is gone"),
        "{page}"
    );
    assert!(page.contains("the last good rules stay"), "{page}");
    assert_eq!(session.play.position(), position);
    said(&mut session, ":auto");
    copy.write("units/smalltricks/spears.rhai", spears);
    let told = session.look_for_changes().expect("it is noticed").print();
    assert_eq!(
        told,
        "units/smalltricks/spears.rhai: as it is in force, nothing has changed"
    );
    // A new type comes, and goes again.
    copy.write(
        "units/smalltricks/pikes.rhai",
        "fn stats() { #{ face: 3, symbol: \"Pi\" } }\n",
    );
    let told = session.look_for_changes().expect("it is noticed").print();
    assert_eq!(told, "reloaded units/smalltricks/pikes.rhai (new); board kept");
    std::fs::remove_file(copy.path("units/smalltricks/pikes.rhai")).expect("removed");
    let told = session.look_for_changes().expect("it is noticed").print();
    assert_eq!(told, "reloaded units/smalltricks/pikes.rhai (gone); board kept");
}

#[test]
fn variants_go_on_and_off_with_the_board_kept() {
    let (_copy, workspace) = copy();
    let mut session = charge(&workspace);
    let world = session.play.position().world;
    let told = said(&mut session, ":with fire-unmoved");
    assert_eq!(
        told,
        "now with fire-unmoved; the board is kept. `:retell` plays the past again"
    );
    assert!(said(&mut session, ":variants").contains("fire-unmoved"));
    assert!(refused(&mut session, ":with fire-unmoved").contains("on already"));
    assert!(refused(&mut session, ":with fire-unmovd").contains("did you mean"));
    let told = said(&mut session, ":set mounted.charge=3");
    assert!(
        told.starts_with("now with fire-unmoved, `mounted.charge` at 3; the board is kept"),
        "{told}"
    );
    assert_eq!(session.play.position().world, world);
    said(&mut session, ":without fire-unmoved");
    assert!(refused(&mut session, ":without fire-unmoved").contains("is not on"));
    assert_eq!(session.play.chapters().len(), 2);
    // Taken back to before the change, the rules stay.
    let told = said(&mut session, ":undo 2");
    assert!(
        told.contains("took back 2 answers\nthat was before the rules changed (without fire-unmoved)"),
        "{told}"
    );
    assert!(!said(&mut session, ":undo").contains("before the rules changed"));
    assert!(said(&mut session, ":dials").contains("mounted.charge"));
    said(&mut session, ":restart");
    assert_eq!(said(&mut session, "unit(\"red.mounted1\").charge"), "3");
}

#[test]
fn the_past_is_told_again_and_the_first_difference_marked() {
    let (_copy, workspace) = ride();
    let mut session = charge(&workspace);
    let told = said(&mut session, ":retell");
    assert!(told.starts_with("told again: the same "), "{told}");
    said(&mut session, ":set mounted.charge=1");
    let before = session.play.position();
    let told = said(&mut session, ":retell");
    assert!(told.contains("\n-   red.mounted1  life 5->3"), "{told}");
    assert!(told.contains("\n+   red.mounted1  life 5->4"), "{told}");
    assert_ne!(session.play.position().world, before.world);
    said(&mut session, ":undo");
    assert_eq!(session.play.position(), before);
    // An answer that is no longer offered leaves the game as it is.
    said(&mut session, ":set mounted.charge_move=0");
    let told = said(&mut session, ":retell");
    assert!(
        told.contains("`c4` is no longer offered") && told.ends_with("stays as it is"),
        "{told}"
    );
}

#[test]
fn a_save_is_told_by_chapters_and_never_differently_in_silence() {
    let (copy, workspace) = copy();
    let mut session = charge(&workspace);
    said(&mut session, ":set mounted.charge=1");
    said(&mut session, ":auto 6");
    let file = copy.path("saved.txt");
    let name = file.to_str().expect("a path");
    said(&mut session, &format!(":save {name}"));
    let text = std::fs::read_to_string(&file).expect("saved");
    assert!(text.contains("~~ chapter 1 from step 0, rules "), "{text}");
    assert!(text.contains("{ dials = { \"mounted.charge\" = 1 } }"), "{text}");
    let lines = session.play.lines_from(0);
    let position = session.play.position();
    let mut other = charge(&workspace);
    let told = said(&mut other, &format!(":load {name}"));
    assert!(!told.contains("note:"), "{told}");
    assert_eq!(other.play.lines_from(0), lines);
    assert_eq!(other.play.position(), position);
    assert_eq!(other.play.chapters().len(), 2);
    // The same save under a script that was changed since, first so that nothing comes of it.
    copy.replace(
        "units/smalltricks/mounted.rhai",
        "fn stats",
        "// A comment.\nfn stats",
    );
    let mut other = session_of(&workspace);
    let told = said(&mut other, &format!(":load {name}"));
    assert!(told.contains("note: the scripts have changed since"), "{told}");
    assert_eq!(other.play.lines_from(0), lines);
    copy.replace("units/smalltricks/mounted.rhai", "charge: 2", "charge: 4");
    let mut other = session_of(&workspace);
    let reply = other.line(&format!(":load {name}"));
    assert!(reply.failed());
    let page = reply.print();
    assert!(
        page.contains("the rules have changed since: `red.mounted1  life 5->3"),
        "{page}"
    );
    assert!(other.play.lines_from(0).len() < lines.len());
}

fn session_of(workspace: &Workspace) -> Session {
    session(workspace, "smalltricks")
}

#[test]
fn a_plain_run_has_one_chapter_and_no_marker() {
    let opened = OpenedFile {
        file: lay(&workspace(), 1).file,
        lines: None,
    };
    let ran = run::run(&workspace(), &opened, &Overrides::default()).unwrap_or_else(|p| panic!("{p}"));
    let transcript = ran.transcript();
    assert!(!transcript.lines.iter().any(|l| matches!(l, Line::Chapter { .. })));
    assert!(!transcript.print().contains("~~"));
}

#[test]
fn scenarios_and_variants_that_are_not_in_force_are_noticed_too() {
    let (copy, workspace) = copy();
    let mut session = charge(&workspace);
    let old = session.play.position();
    copy.write(
        "scripts/smalltricks/variants/mine.rhai",
        "// Mine.\n\nfn variant() { #{} }\n",
    );
    let told = session.look_for_changes().expect("it is noticed").print();
    assert_eq!(told, "new variant mine; `:with mine` puts it on");
    copy.write(
        "scripts/smalltricks/variants/mine.rhai",
        "// Ours.\n\nfn variant() { #{} }\n",
    );
    let told = session.look_for_changes().expect("it is noticed").print();
    assert_eq!(told, "variant mine changed; it is off");
    copy.write("scenarios/smalltricks/other.toml", "game = 3\n");
    let told = session.look_for_changes().expect("it is noticed");
    assert!(
        told.failed() && told.print().contains("other.toml"),
        "{}",
        told.print()
    );
    copy.write("scenarios/smalltricks/other.toml", CHARGE);
    assert!(session.look_for_changes().is_none());
    // The one on the table is laid again with the same answers.
    copy.replace("scenarios/smalltricks/it.toml", "archers a1", "archers b1");
    let told = session.look_for_changes().expect("it is noticed").print();
    assert!(
        told.starts_with("scenarios/smalltricks/it.toml is laid again"),
        "{told}"
    );
    assert_eq!(said(&mut session, "unit(\"red.archers1\").place"), "b1");
    assert_eq!(said(&mut session, "unit(\"red.mounted1\").life"), "3");
    said(&mut session, ":undo");
    assert_eq!(session.play.position(), old);
}

#[test]
fn a_scenario_that_is_broken_and_mended_to_what_it_was_leaves_the_game_as_it_is() {
    let (copy, workspace) = copy();
    let mut session = charge(&workspace);
    let start = session.play.given_count();
    let it = "scenarios/smalltricks/it.toml";
    let whole = std::fs::read_to_string(copy.path(it)).expect("it is there");
    copy.write(it, "game = ");
    let told = session.look_for_changes().expect("it is noticed");
    assert!(told.failed(), "{}", told.print());
    copy.write(it, &whole);
    let told = session.look_for_changes().expect("it is noticed").print();
    assert_eq!(told, format!("{it}: as it is in force, nothing has changed"));
    assert!(session.history.names().is_empty());
    let told = said(&mut session, ":undo");
    assert!(told.starts_with("took back 1 answer\n"), "{told}");
    assert_eq!(session.play.given_count() + 1, start);
}

#[test]
fn a_workspace_that_goes_away_and_comes_back_loses_nothing() {
    let (copy, workspace) = copy();
    let mut session = charge(&workspace);
    let position = session.play.position();
    std::fs::rename(copy.path("units"), copy.path("elsewhere")).expect("moved");
    std::fs::rename(copy.path("scripts"), copy.path("scripts2")).expect("moved");
    let told = session.look_for_changes().expect("it is noticed");
    assert!(told.failed());
    assert_eq!(session.play.position(), position);
    std::fs::rename(copy.path("scripts2"), copy.path("scripts")).expect("moved");
    std::fs::rename(copy.path("elsewhere"), copy.path("units")).expect("moved");
    let told = session.look_for_changes().expect("it is noticed");
    assert!(!told.failed(), "{}", told.print());
    assert_eq!(session.play.position().world, position.world);
}

/// A workspace in which nothing can be written is read all the same; a save into it is refused.
#[cfg(unix)]
#[test]
fn a_workspace_that_is_read_only_plays_and_says_what_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let (copy, workspace) = copy();
    let locked = |mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(copy.path("."), permissions).expect("set");
    };
    locked(0o555);
    let mut session = charge(&workspace);
    assert!(session.look_for_changes().is_none());
    said(&mut session, ":reload");
    let position = session.play.position();
    // Whoever may write everywhere is not refused.
    let anybody = std::fs::write(copy.path("probe"), "").is_ok();
    let target = copy.path("saved.txt");
    let line = format!(":save {}", target.to_str().expect("a path"));
    if !anybody {
        let page = refused(&mut session, &line);
        assert!(page.contains("cannot be written"), "{page}");
    }
    assert_eq!(session.play.position(), position);
    locked(0o755);
}

#[test]
fn an_answer_that_the_new_rules_do_not_offer_is_taken_back_and_the_others_stay() {
    let (_copy, workspace) = ride();
    let mut session = session(&workspace, "it");
    said(&mut session, "red.mounted1");
    let told = said(&mut session, "c4");
    assert!(told.contains("charge"), "{told}");
    let told = said(&mut session, ":set mounted.charge_move=0");
    assert!(
        told.contains("an answer of the open step is taken back: `c4` is not offered"),
        "{told}"
    );
    // The question is another and is asked.
    assert!(told.contains("stay"), "{told}");
    assert!(
        !session
            .play
            .with_question(|a| a.keys())
            .unwrap_or_default()
            .contains(&"c4".to_owned())
    );
    // With the rules as they were, the answer stays given.
    said(&mut session, ":set mounted.charge_move=1");
    said(&mut session, "c4");
    let keys = session.play.with_question(|a| a.keys());
    let told = said(&mut session, ":set mounted.charge=3");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert_eq!(session.play.with_question(|a| a.keys()), keys);
}

/// A game in which each faction adds a number to its score again and again.
const SCORES: &str = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 2], engaged: "same place" } }
fn slots() { #{ faction: #{ score: 0 } } }
fn phases() { [ #{ phase: "all", repeat: true, contest: "game", phases: [
    #{ phase: "picks", each: "faction", step: "pick" },
    #{ phase: "counts", each: "game", step: "count_up" },
] } ] }
fn pick(side) { side.score += choose(side, "number", [1, 2, 3]); }
fn count_up() { if faction("red").score > 20 { win(faction("red"), "score"); } }
"#;

fn scores() -> (Copy, Workspace) {
    let copy = Copy::of_rules();
    copy.write("scripts/scores/game.rhai", SCORES);
    copy.write("units/scores/token.rhai", "fn stats() { #{} }\n");
    copy.write(
        "scenarios/scores/it.toml",
        "game = \"scores\"\nunits.red = [\"token b2\"]\nunits.blue = [\"token a1\"]\n",
    );
    let workspace = Workspace::at(copy.path("."));
    (copy, workspace)
}

#[test]
fn rules_that_come_back_bring_back_what_only_they_know() {
    let mut session = started("no-second-move-in-a-turn");
    said(&mut session, ":undo 3");
    let units = said(&mut session, ":units");
    assert!(units.contains("yes"), "{units}");
    let saves = tempfile::tempdir().expect("a folder");
    for between in [&[][..], &["red.knight1", ":undo"]] {
        said(&mut session, ":without no-kind-twice");
        between.iter().for_each(|line| drop(said(&mut session, line)));
        said(&mut session, ":with no-kind-twice");
        assert_eq!(said(&mut session, ":units"), units);
        assert_eq!(session.play.chapters().len(), 1);
    }
    let played = said(&mut session, "red.knight1");
    assert!(played.contains("wager: nothing"), "{played}");
    let events = said(&mut session, ":events 99");
    let save = saves.path().join("save.txt").display().to_string();
    said(&mut session, &format!(":save {save}"));
    said(&mut session, &format!(":load {save}"));
    assert_eq!(said(&mut session, ":events 99"), events);
    // What was played under the others stays theirs, whatever comes between.
    said(&mut session, ":without no-kind-twice");
    said(&mut session, ":auto 1");
    said(&mut session, ":with no-kind-twice");
    said(&mut session, ":undo 2");
    assert_eq!(said(&mut session, ":units"), units);
    assert_eq!(session.play.chapters().len(), 1);
}

#[test]
fn a_step_that_other_rules_began_is_asked_anew_where_play_is_taken_back_into_it() {
    let mut session = started("a-figure-walks-around-another");
    let patch = "fn movement_wager(me) { let x = choose(me, \"pace\", [\"slow\", \"fast\"]); base(me); }";
    said(&mut session, &format!(":patch game {patch}"));
    let told = said(&mut session, ":undo");
    assert!(
        told.contains("an answer of the open step is taken back: the step asks for `pace`"),
        "{told}"
    );
    assert!(
        told.ends_with("red chooses pace for red.archer1: 1 slow  2 fast"),
        "{told}"
    );
    assert!(said(&mut session, ":events 2").contains("red chose wager: move"));
}

#[test]
fn what_the_new_rules_cannot_say_is_told_in_its_old_words() {
    let (copy, workspace) = scores();
    let mut session = session(&workspace, "it");
    said(&mut session, "3");
    said(&mut session, "2");
    let lines = session.play.lines_from(0);
    assert!(lines.iter().any(|l| l.contains("red  score 0->3")), "{lines:?}");
    // The slot is called otherwise, and a phase that is not under way as well.
    let text = SCORES.replace("score", "points").replace("counts", "sums");
    copy.write("scripts/scores/game.rhai", &text);
    let told = session.look_for_changes().expect("it is noticed");
    assert!(!told.failed(), "{}", told.print());
    assert!(told.print().contains("pick changed"), "{}", told.print());
    assert_eq!(said(&mut session, "faction(\"red\").points"), "0");
    let events = said(&mut session, ":events 100");
    assert!(events.contains("red  score 0->3"), "{events}");
    said(&mut session, "1");
    let end = run::end_of(&session.play, &PlayStop::Asks);
    let saved = transcribe::saved(&session.play, &session.set_up.file, &end);
    let parsed = Transcript::parse(&Source::new("saved", saved.print())).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!(parsed, saved);
    // All of it can be taken back.
    said(&mut session, ":undo 3");
    assert_eq!(session.prompt().0, "red> ");
}

#[test]
fn what_ended_is_not_told_as_what_began_when_a_slot_comes_to_speak_for_itself() {
    let plain = SCORES
        .replace("score: 0", "score: 0, tired: false")
        .replace("fn pick(side) {", "fn pick(side) { side.tired = !side.tired;");
    let (copy, workspace) = scores();
    copy.write("scripts/scores/game.rhai", &plain);
    let mut session = session(&workspace, "it");
    for _ in 0..3 {
        said(&mut session, "1");
    }
    let speaks = plain.replace("tired: false", "tired: #{ start: false, says: \"is tired\" }");
    copy.write("scripts/scores/game.rhai", &speaks);
    let told = session.look_for_changes().expect("it is noticed");
    assert!(!told.failed(), "{}", told.print());
    said(&mut session, "1");
    let events = said(&mut session, ":events 100");
    assert_eq!(events.matches("red  is tired").count(), 2, "{events}");
    assert_eq!(events.matches("red  tired yes->no").count(), 1, "{events}");
}

#[test]
fn rules_that_the_game_does_not_fit_into_are_refused_in_a_sentence() {
    for (old, new, why) in [
        (
            "\"picks\"",
            "\"takes\"",
            "the phase `picks` is under way and is gone",
        ),
        (
            "each: \"faction\", step: \"pick\"",
            "simultaneous: true, each: \"faction\", step: \"pick\"",
            "the phase `picks` is under way and would be simultaneous now",
        ),
        (
            "each: \"faction\", step: \"pick\"",
            "hidden: true, each: \"faction\", step: \"pick\"",
            "the phase `picks` is under way and would be hidden now",
        ),
        (
            "#{ phase: \"picks\", each: \"faction\", step: \"pick\" }",
            "#{ phase: \"more\", phases: [ #{ phase: \"picks\", each: \"faction\", step: \"pick\" } ] }",
            "the phase `picks` is under way and lies inside another phase now",
        ),
        (
            "each: \"faction\", step: \"pick\"",
            "phases: [ #{ phase: \"more\", each: \"faction\", step: \"pick\" } ]",
            "the phase `picks` is under way and has become another kind of phase",
        ),
        (
            "hexes: [2, 2]",
            "hexes: [1, 2]",
            "`red.token1` stands on b2, which is gone",
        ),
        (
            "\"red\", \"blue\"",
            "\"red\", \"green\"",
            "the factions were red, blue and would be red, green",
        ),
    ] {
        let (copy, workspace) = scores();
        let mut session = session(&workspace, "it");
        said(&mut session, "3");
        let (position, events) = (session.play.position(), session.play.events());
        copy.replace("scripts/scores/game.rhai", old, new);
        let told = session.look_for_changes().expect("it is noticed");
        // A long sentence goes over two lines.
        let page = told.print().replace("\n       ", " ");
        assert!(told.failed() && page.contains(why), "{page}");
        assert!(page.contains("the last good rules stay in force"), "{page}");
        assert_eq!(
            (session.play.position(), session.play.events()),
            (position, events)
        );
        said(&mut session, "2");
        assert_eq!(said(&mut session, "faction(\"blue\").score"), "2");
        // Put back, everything goes on.
        copy.write("scripts/scores/game.rhai", SCORES);
        assert!(!session.look_for_changes().expect("it is noticed").failed());
    }
}

#[test]
fn phases_that_come_go_and_change_places_keep_the_game_where_it_is() {
    let (copy, workspace) = scores();
    let mut session = session(&workspace, "it");
    said(&mut session, "3");
    let picks = "#{ phase: \"picks\", each: \"faction\", step: \"pick\" },";
    let text = SCORES.replace(picks, "").replace(
        "step: \"count_up\" },",
        &format!("step: \"count_up\" }}, {picks} #{{ phase: \"last\", each: \"faction\", step: \"pick\" }},"),
    );
    copy.write("scripts/scores/game.rhai", &text);
    let told = session.look_for_changes().expect("it is noticed");
    assert_eq!(
        told.print(),
        "reloaded scripts/scores/game.rhai (phases changed); board kept"
    );
    // Blue's pick is still to come, then the new phase, then the next round with its counting.
    assert_eq!(session.prompt().0, "blue> ");
    said(&mut session, "1");
    let asked = session.play.step_name();
    assert_eq!(asked, "last: red");
    said(&mut session, "1");
    said(&mut session, "1");
    assert_eq!(session.play.step_name(), "picks: red");
    assert_eq!(said(&mut session, "faction(\"red\").score"), "4");
}

#[test]
fn a_file_beside_the_games_script_is_noticed_when_it_is_saved() {
    let (copy, workspace) = scores();
    let mut session = Session::new(&workspace, Some("it"), Overrides::default(), Style::default())
        .unwrap_or_else(|p| panic!("{p}"));
    copy.write(
        "scripts/scores/agents.rhai",
        "fn worth(side) { helped(side) }\nfn helped(side) { 1 }\n",
    );
    let told = session.look_for_changes().expect("it is noticed");
    assert_eq!(
        told.print(),
        "reloaded scripts/scores/agents.rhai (new); board kept"
    );
    copy.replace("scripts/scores/agents.rhai", "{ 1 }", "{ 2 }");
    let told = session.look_for_changes().expect("it is noticed");
    assert_eq!(
        told.print(),
        "reloaded scripts/scores/agents.rhai (helped changed); board kept"
    );
    assert_eq!(said(&mut session, "helped(faction(\"red\"))"), "2");
}

/// Lines of piped input, each handed out when it is asked for; a file is saved before the second.
struct Piped<'a> {
    lines: std::vec::IntoIter<&'static str>,
    save: Option<Box<dyn FnOnce() + 'a>>,
    given: usize,
}

impl std::io::Read for Piped<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.given == 1
            && let Some(save) = self.save.take()
        {
            save();
        }
        self.given += 1;
        let line = self.lines.next().unwrap_or_default();
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

#[test]
fn a_piped_session_reloads_between_lines() {
    let (copy, workspace) = scores();
    let session = Session::new(&workspace, Some("it"), Overrides::default(), Style::default())
        .unwrap_or_else(|p| panic!("{p}"));
    let input = Piped {
        lines: vec!["3\n", "2\n", "= 40 + 2\n"].into_iter(),
        save: Some(Box::new(|| {
            copy.replace("scripts/scores/game.rhai", "[1, 2, 3]", "[1, 2, 3, 4]");
        })),
        given: 0,
    };
    let mut output = Vec::new();
    let well = rulebench::repl::plain::run(session, &mut std::io::BufReader::new(input), &mut output);
    let printed = String::from_utf8(output).expect("text");
    assert!(well, "{printed}");
    assert!(
        printed.contains("reloaded scripts/scores/game.rhai (pick changed); board kept\nblue chooses number: 1  2  3  4\nblue> 2\n"),
        "{printed}"
    );
    assert!(printed.ends_with("42\n"), "{printed}");
}

#[test]
fn undo_reaches_back_as_far_as_checkpoints_could_be_carried_and_says_so() {
    let (copy, workspace) = scores();
    let two = SCORES.replace(
        "#{ phase: \"counts\"",
        "#{ phase: \"more\", each: \"faction\", step: \"pick\" }, #{ phase: \"counts\"",
    );
    copy.write("scripts/scores/game.rhai", &two);
    let mut session = session(&workspace, "it");
    for answer in ["3", "2", "1"] {
        said(&mut session, answer);
    }
    assert_eq!(session.play.step_name(), "more: blue");
    let lines = session.play.lines_from(0);
    let picks = "#{ phase: \"picks\", each: \"faction\", step: \"pick\" },";
    copy.write("scripts/scores/game.rhai", two.replace(picks, ""));
    let told = session.look_for_changes().expect("it is noticed").print();
    assert!(
        told.ends_with("`:undo` does not reach back over 2 earlier steps any more"),
        "{told}"
    );
    assert_eq!(said(&mut session, "faction(\"red\").score"), "4");
    // The record keeps all of it, in the words that it was told in.
    let now = session.play.lines_from(0);
    assert_eq!(now.len(), lines.len());
    assert!(now.contains(&"picks: red".to_owned()), "{now:?}");
    said(&mut session, "2");
    let end = run::end_of(&session.play, &PlayStop::Asks);
    let saved = transcribe::saved(&session.play, &session.set_up.file, &end);
    let parsed = Transcript::parse(&Source::new("saved", saved.print())).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!(parsed.print(), saved.print());
    said(&mut session, ":undo 2");
    assert_eq!(session.play.step_name(), "more: red");
    assert_eq!(said(&mut session, "faction(\"red\").score"), "3");
    assert!(refused(&mut session, ":undo").contains("no answer to take back"));
}

#[test]
fn the_script_of_a_unit_that_is_dead_may_go() {
    let (copy, workspace) = copy();
    copy.replace(
        "scenarios/smalltricks/it.toml",
        "[\"mounted c3\"",
        "[\"mounted c3 life=1\"",
    );
    let mut session = session(&workspace, "it");
    for line in ["red.mounted1", "c4", "blue.spears1"] {
        said(&mut session, line);
    }
    let alive = session.play.table().world.on_board().len();
    assert_eq!(alive, 3);
    copy.write(
        "units/smalltricks/elephants.rhai",
        "fn stats() { #{ face: 2, symbol: \"El\" } }\n",
    );
    std::fs::remove_file(copy.path("units/smalltricks/mounted.rhai")).expect("removed");
    let told = session.look_for_changes().expect("it is noticed");
    let text = told.print();
    assert!(!told.failed(), "{text}");
    assert!(text.contains("mounted.rhai (gone)"), "{text}");
    let units = session.units().text();
    assert!(!units.contains("mounted"), "{units}");
    assert!(said(&mut session, ":events 50").contains("red.mounted1  removed from c4"));
    said(&mut session, ":auto end");
}

#[test]
fn a_variant_that_is_on_can_be_saved_broken_and_deleted() {
    let (copy, workspace) = copy();
    let file = "scripts/smalltricks/variants/fire-unmoved.rhai";
    let mut session = charge(&workspace);
    said(&mut session, ":with fire-unmoved");
    copy.replace(file, "base(me, foe)", "let twice = 2; base(me, foe)");
    let told = session.look_for_changes().expect("it is noticed").print();
    assert_eq!(
        told,
        format!("reloaded {file} (muskets.may_target changed); board kept")
    );
    copy.replace(file, "fn muskets.may_target(", "fn muskits.may_target(");
    let told = session.look_for_changes().expect("it is noticed");
    assert!(
        told.failed() && told.print().contains("did you mean `muskets`?"),
        "{}",
        told.print()
    );
    std::fs::remove_file(copy.path(file)).expect("removed");
    let told = session.look_for_changes().expect("it is noticed");
    let page = told.print();
    assert!(
        told.failed() && page.contains("is gone") && page.contains("`:without fire-unmoved` takes it off"),
        "{page}"
    );
    assert!(page.ends_with("the last good rules stay in force"), "{page}");
    assert!(listed(&mut session).contains("its script is gone; `:without fire-unmoved` takes it off"));
    said(&mut session, ":auto 3");
    said(&mut session, ":without fire-unmoved");
    assert!(!listed(&mut session).contains("fire-unmoved"));
}

#[test]
fn a_dial_that_is_turned_and_gone_can_be_turned_back() {
    let (copy, workspace) = copy();
    let mut session = charge(&workspace);
    said(&mut session, ":set spears.counter_range=2");
    let file = "units/smalltricks/spears.rhai";
    let text = std::fs::read_to_string(copy.path(file)).expect("read");
    copy.write(file, text.replace("counter_range", "counter_reach"));
    let way = "it is turned to 2; `:set spears.counter_range=` turns it back";
    let told = session.look_for_changes().expect("it is noticed").print();
    assert!(
        told.contains("there is no dial `spears.counter_range`") && told.contains(way),
        "{told}"
    );
    for line in [":reload", ":set spears.life=3", ":with fire-unmoved"] {
        let told = refused(&mut session, line);
        assert!(told.contains(way), "{line}: {told}");
    }
    said(&mut session, ":set spears.counter_range=");
    said(&mut session, ":set spears.counter_reach=2");
    assert_eq!(said(&mut session, "unit(\"blue.spears1\").counter_reach"), "2");
    assert_eq!(
        problems(&mut session, ":edit set spears.life="),
        ["unset-dial(spears.life)"]
    );
}

#[test]
fn what_a_dial_says_by_itself_it_can_always_be_set_to() {
    let mut session = started("no-second-move-in-a-turn");
    assert!(said(&mut session, ":dials").contains("a whole number from -1 to 3"));
    said(&mut session, ":set knight.speed=3");
    said(&mut session, ":set knight.speed=-1");
    assert_eq!(said(&mut session, "unit(\"red.knight1\").speed"), "-1");
    let told = refused(&mut session, ":set");
    assert!(told.contains("such as `:set archer.armed="), "{told}");
}

#[test]
fn what_is_broken_is_told_whenever_it_is_looked_for() {
    let (copy, workspace) = copy();
    let mut session = charge(&workspace);
    for (file, good, bad) in [
        ("scenarios/smalltricks/it.toml", "mounted c3", "mounted z9"),
        (
            "units/smalltricks/spears.rhai",
            "fn melee(me) {",
            "fn melee(me) {{",
        ),
    ] {
        copy.replace(file, good, bad);
        for _ in 0..2 {
            let told = refused(&mut session, ":reload");
            assert!(told.contains(file), "{told}");
        }
        copy.replace(file, bad, good);
        said(&mut session, ":reload");
    }
    assert!(said(&mut session, ":reload").starts_with("nothing has changed"));
}

/// Returns the output of `:variants`, with one blank between words.
fn listed(session: &mut Session) -> String {
    let said = said(session, ":variants");
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn an_adopted_variant_can_be_taken_off_and_a_save_remembers_it() {
    let (copy, workspace) = copy();
    let mut session = charge(&workspace);
    copy.write(
        "scripts/smalltricks/tweaks.toml",
        "[fire-unmoved]\nstate = \"adopted\"\nreason = \"tried\"\n",
    );
    let told = session.look_for_changes().expect("it is noticed").print();
    assert_eq!(told, "reloaded scripts/smalltricks/tweaks.toml; board kept");
    assert!(listed(&mut session).contains("fire-unmoved on adopted"));
    let told = said(&mut session, ":without fire-unmoved");
    assert!(
        told.starts_with("now with nothing on or turned; the board is kept"),
        "{told}"
    );
    said(&mut session, ":restart");
    assert!(listed(&mut session).contains("fire-unmoved off adopted"));
    for line in ["red.mounted1", "c4", "blue.spears1"] {
        said(&mut session, line);
    }
    let file = copy.path("saved.txt");
    let name = file.to_str().expect("a path").to_owned();
    said(&mut session, &format!(":save {name}"));
    let mut other = charge(&workspace);
    let told = said(&mut other, &format!(":load {name}"));
    assert!(!told.contains("note:"), "{told}");
    assert!(listed(&mut other).contains("fire-unmoved off adopted"));
    assert_eq!(other.play.position(), session.play.position());
    said(&mut other, ":restart");
    assert!(listed(&mut other).contains("fire-unmoved off adopted"));
}

#[test]
fn what_changed_the_rules_is_on_record_where_play_was_taken_back_before_it_and_after_a_load() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("saved.txt");
    let mut session = session(&rulebench::embedded::games(), "charge-into-spears");
    for line in [
        ":back",
        "1",
        ":with friendly-fire",
        ":edit red.mounted1 life=3",
        ":back",
        "1",
    ] {
        said(&mut session, line);
    }
    let record = session.events(100).text();
    assert_eq!(record.matches("~~ with friendly-fire").count(), 1, "{record}");
    assert_eq!(record.matches("~~").count(), 1, "{record}");
    said(&mut session, &format!(":save {}", path.display()));
    said(&mut session, &format!(":load {}", path.display()));
    assert_eq!(session.events(100).text(), record);
}

#[test]
fn a_single_option_that_changes_with_the_rules_takes_no_answer_back() {
    let game = "fn board() { #{ factions: [\"red\", \"blue\"], squares: [1, 1] } }
        fn phases() { [#{ phase: \"go\", each: \"game\", step: \"act\" }] }
        fn word() { \"x\" }
        fn act() {
            choose(first(), \"a\", [word()]);
            choose(first(), \"b\", [\"p\", \"q\"]);
            choose(first(), \"c\", [\"r\", \"s\"]);
        }";
    let mut session = session(&Small::new(game).workspace(), "tiny");
    said(&mut session, "p");
    said(&mut session, ":patch game fn word() { \"y\" }");
    let keys = session
        .play
        .with_question(|a| a.keys())
        .expect("something is asked");
    assert_eq!(
        (session.play.given_count(), keys),
        (1, vec!["r".to_owned(), "s".to_owned()])
    );
    let record = record(&session.play);
    assert!(record.contains("red chose a: y  (only option)"), "{record}");
}
