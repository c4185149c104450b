//! From a thought to a tweak, and from play to a test: what is typed at the prompt becomes files that
//! do the same.

use crate::support::{Copy, refused, run_in_with};
use rulebench::render::Style;
use rulebench::repl::plain;
use rulebench::repl::session::Session;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::{self, Overrides};
use rulebench::suite;

const CHARGE: &str = "game = \"smalltricks\"\ntitle = \"A charge\"\nproves = [\"ST-U5a\"]\n\
                      units.red = [\"mounted c2\", \"archers a1\"]\nunits.blue = [\"spears c4\", \"cannons f6\"]\n\
                      answers = [\"red.mounted1 c4 blue.spears1\"]\nuntil = \"second turn\"\nopen = \"first\"\n\n\
                      expect = [\n    'unit(\"red.mounted1\").life == 3', # hurt\n]\n";
const SCENARIO: &str = "scenarios/smalltricks/charge.toml";

fn workspace(copy: &Copy) -> Workspace {
    Workspace::at(copy.path(""))
}

fn started(copy: &Copy, start: &str) -> Session {
    let opened = Session::new(
        &workspace(copy),
        Some(start),
        Overrides::default(),
        Style::default(),
    );
    let mut session = opened.unwrap_or_else(|p| panic!("{p}"));
    session.greeting();
    session
}

fn said(session: &mut Session, line: &str) -> String {
    let reply = session.line(line);
    assert!(!reply.failed(), "{line}: {}", reply.print());
    let told = reply.print();
    let own = [
        ":patch", ":drop", ":save-", ":expect", ":test", ":accept", ":diff",
    ];
    assert!(
        !own.iter().any(|c| line.starts_with(c)) || told.lines().all(|l| l.chars().count() <= 80),
        "{line}: a line is too long: {told}"
    );
    told
}

fn charging() -> Copy {
    let copy = Copy::of_rules();
    copy.write(SCENARIO, CHARGE);
    copy
}

fn text(copy: &Copy, file: &str) -> String {
    std::fs::read_to_string(copy.path(file)).expect("the file is there")
}

#[test]
fn what_is_patched_becomes_a_variant_and_the_game_goes_on_as_it_was() {
    let copy = charging();
    let mut session = started(&copy, "charge");
    said(
        &mut session,
        ":patch spears /// No counter.\nfn counter_charge(me, rider) {\n    false\n}",
    );
    said(&mut session, ":retell");
    let (events, question) = (session.events(usize::MAX), session.question());
    assert!(events.text().contains("(by charge, red.mounted1)"), "{events:?}");
    let told = said(
        &mut session,
        ":save-variant no-counter --clause ST-U5a Spears are too strong",
    );
    assert!(
        told.starts_with("wrote scripts/smalltricks/variants/no-counter.rhai\n`no-counter` is on"),
        "{told}"
    );
    let path = "scripts/smalltricks/variants/no-counter.rhai";
    insta::assert_snapshot!("a_variant_that_was_typed", text(&copy, path));
    assert_eq!(events, session.events(usize::MAX));
    assert_eq!(question, session.question());
    assert!(session.play.ruleset().options.scratch.is_none());
    assert!(said(&mut session, ":retell").starts_with("told again: the same "));
    assert!(session.look_for_changes().is_none(), "its own file is no news");
    assert!(refused(&mut session, ":save-variant other").contains("nothing is patched"));
    assert_eq!(copy.run(&["check"]).status, 0);
    // A save needs nothing but the file.
    let save = copy.path("save.txt").display().to_string();
    let told = said(&mut session, &format!(":save {save}"));
    assert!(!told.contains("patched"), "{told}");
    let mut loaded = started(&copy, &save);
    assert_eq!(loaded.events(usize::MAX), events);
    assert!(!said(&mut loaded, ":variants").contains("scratch"));
}

#[test]
fn a_variant_says_what_it_was_laid_over() {
    let copy = charging();
    let mut session = started(&copy, "charge");
    said(&mut session, ":with fire-unmoved");
    said(
        &mut session,
        ":patch muskets fn may_target(me, foe) { foe.life > 1 && base(me, foe) == true }",
    );
    said(&mut session, ":save-variant no-last-shot No last shot");
    let written = text(&copy, "scripts/smalltricks/variants/no-last-shot.rhai");
    assert!(
        written.contains("#{ after: [\"fire-unmoved\"] }") && written.starts_with("// No last shot\n"),
        "{written}"
    );
    said(&mut session, ":patch muskets fn may_target(me, foe) { false }");
    let told = said(&mut session, ":save-variant no-shot");
    assert!(told.contains("waits for the note"), "{told}");
    let written = text(&copy, "scripts/smalltricks/variants/no-shot.rhai");
    assert!(
        written.contains("#{ overrides: [\"fire-unmoved\", \"no-last-shot\"] }"),
        "{written}"
    );
}

#[test]
fn names_that_cannot_be_leave_everything_as_it_is() {
    let copy = charging();
    let mut session = started(&copy, "charge");
    said(&mut session, ":patch spears fn melee(me) {}");
    for (line, why) in [
        (":save-variant", "needs a name"),
        (":save-variant Bad/Name x", "cannot be called"),
        (":save-variant fire-unmoved", "already"),
        (":save-variant scratch", "the name of the layer at the prompt"),
        (":save-variant x --clause ST-NO", "no clause `ST-NO`"),
        (":save-scenario x", "a scenario cannot name a patch"),
        (":save-scenario charge", "already"),
        (":save-scenario ../x", "cannot be called"),
        (":save-scenario", ":expect --save"),
    ] {
        assert!(
            refused(&mut session, line).contains(why),
            "{line}: {}",
            refused(&mut session, line)
        );
    }
    assert_eq!(session.patched(), ["spears.melee"]);
    assert_eq!(text(&copy, SCENARIO), CHARGE);
    assert!(!copy.path("scripts/smalltricks/variants/x.rhai").exists());
}

#[test]
fn files_that_are_saved_under_a_patch_are_taken_over_with_it_on_top() {
    let copy = charging();
    let mut session = started(&copy, "charge");
    said(
        &mut session,
        ":patch spears fn counter_charge(me, rider) { base(me, rider) && true }",
    );
    copy.replace("units/smalltricks/spears.rhai", "spear: 1", "spear: 2");
    let told = session.look_for_changes().expect("it is noticed").print();
    assert!(told.contains("board kept"), "{told}");
    assert_eq!(session.patched(), ["spears.counter_charge"]);
    assert_eq!(said(&mut session, "unit(\"blue.spears1\").spear"), "2");
    // What it redefines is gone: the last good rules stay.
    copy.replace(
        "units/smalltricks/spears.rhai",
        "fn counter_charge(me, rider)",
        "fn counter(me, rider)",
    );
    let told = session.look_for_changes().expect("it is noticed");
    assert!(told.failed(), "{}", told.print());
    assert_eq!(session.patched(), ["spears.counter_charge"]);
}

#[test]
fn a_patch_goes_on_over_piped_lines_until_it_is_whole() {
    let copy = charging();
    let session = started(&copy, "charge");
    let input = ":patch spears\n/// Why.\nfn melee(me) {\n\n    base(me);\n}\n= 1 + 1\n:patch spears\n\n= 2 + 2\n:patch spears fn melee(me) {\n";
    let mut output = Vec::new();
    let all_well = plain::run(session, &mut input.as_bytes(), &mut output);
    let printed = String::from_utf8(output).expect("text");
    assert!(!all_well);
    for part in [
        "> :patch spears\n/// Why.\nfn melee(me) {\n\n    base(me);\n}\npatched spears.melee;",
        "> = 1 + 1\n2\n",
        "needs a function of `spears`",
        "> = 2 + 2\n4\n",
        "this `{` is never closed",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
}

#[test]
fn a_game_becomes_a_scenario_that_plays_to_the_very_same_place() {
    let copy = charging();
    let mut session = started(&copy, "smalltricks");
    // From the muster on, through hidden phases, to the end; at odd places.
    let mut written = 0;
    for (nth, goal) in [
        "",
        "3",
        "8",
        "round",
        "5",
        "1 round",
        "7",
        "second turn",
        "4",
        "end",
    ]
    .iter()
    .enumerate()
    {
        if nth > 0 {
            said(&mut session, &format!(":auto {goal}"));
        }
        let name = format!("game-{nth}");
        let told = said(&mut session, &format!(":save-scenario {name} Part {nth}"));
        assert!(told.contains("it plays to this very position"), "{told}");
        written += 1;
        let path = format!("scenarios/smalltricks/{name}.toml");
        let opened = suite::open(&workspace(&copy), &path).expect("it reads");
        let ran = run::run(&workspace(&copy), &opened, &Overrides::default()).expect("it runs");
        assert!(ran.passed(), "{name}: {:?}", ran.problems);
        assert_eq!(ran.play.events().len(), session.play.events().len(), "{name}");
        assert_eq!(ran.play.table().world, session.play.table().world, "{name}");
        assert_eq!(
            ran.play.with_question(|a| a.keys()),
            session.play.with_question(|a| a.keys()),
            "{name}"
        );
    }
    assert_eq!(written, 10);
    assert!(session.look_for_changes().is_none());
}

#[test]
fn layers_dials_and_expectations_go_along_into_the_scenario() {
    let copy = charging();
    let mut session = started(&copy, "charge");
    said(&mut session, ":with fire-unmoved");
    said(&mut session, ":set max_rounds=5");
    said(&mut session, ":restart");
    said(&mut session, ":auto 1");
    said(&mut session, ":expect unit(\"red.mounted1\").life >= 1");
    said(&mut session, ":expect unit(\"red.mounted1\").life == 77");
    let told = said(&mut session, ":save-scenario hurt-rider A rider is hurt");
    // What is false now is left out: the file passes its own test.
    assert!(told.contains("as it is false now"), "{told}");
    assert!(
        told.contains("\n      unit(\"red.mounted1\").life == 77"),
        "{told}"
    );
    insta::assert_snapshot!(
        "a_scenario_that_was_played",
        text(&copy, "scenarios/smalltricks/hurt-rider.toml")
    );
    said(&mut session, ":test hurt-rider");
}

#[test]
fn what_a_position_alone_cannot_keep_is_left_out_of_its_scenario_and_said() {
    let copy = charging();
    let mut session = started(&copy, "charge");
    said(&mut session, ":auto 3");
    said(&mut session, ":expect happened(\"red.mounted1\")");
    said(
        &mut session,
        ":expect !happened(\"no  such   line\") && happened(\"red.mounted1\")",
    );
    said(&mut session, ":expect unit(\"red.mounted1\").life >= 1");
    let told = said(&mut session, ":save-scenario stands --here It stands so");
    let flat = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        flat.contains("left out, as it is true here but not of the file"),
        "{told}"
    );
    // What can be copied has all its blanks.
    assert!(
        told.contains("\n      !happened(\"no  such   line\") && "),
        "{told}"
    );
    let file = text(&copy, "scenarios/smalltricks/stands.toml");
    assert!(
        !file.contains("happened") && file.contains(".life >= 1"),
        "{file}"
    );
    said(&mut session, ":test stands");
}

#[test]
fn what_was_laid_and_forced_by_hand_is_not_passed_over() {
    let copy = Copy::of_nothing();
    crate::support::copy(&crate::support::root().join("examples/vault"), &copy.path("."));
    let mut session = crate::support::session(&Workspace::at(copy.path(".")), "vault");
    said(&mut session, ":auto 1");
    said(&mut session, ":edit lay spikes b3");
    let told = refused(&mut session, ":save-scenario spiked");
    assert!(
        told.contains("terrain of b3 is floor, spikes here and floor there")
            && told.contains("something was changed by hand")
            && !told.contains("the rules were changed"),
        "{told}"
    );
    said(&mut session, ":undo");
    let roll = said(&mut session, ":force");
    let label = roll
        .lines()
        .last()
        .unwrap_or_default()
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_owned();
    said(&mut session, &format!(":force {label} 1"));
    let told = said(&mut session, ":save-scenario waits");
    assert!(told.contains("left out: dice that wait"), "{told}");
}

#[test]
fn after_a_save_diff_compares_with_the_rules_before_it() {
    let copy = charging();
    let mut session = started(&copy, "charge");
    copy.replace("units/smalltricks/mounted.rhai", "charge: 2", "charge: 1");
    let notice = session.look_for_changes().expect("it is noticed").print();
    assert!(
        notice.contains("reloaded units/smalltricks/mounted.rhai"),
        "{notice}"
    );
    let told = said(&mut session, ":diff");
    assert!(
        told.starts_with("reloaded units/smalltricks/mounted.rhai"),
        "{told}"
    );
    assert!(
        told.contains("- red.mounted1  life 5->3") && told.contains("+ red.mounted1  life 5->4"),
        "{told}"
    );
    // The event has the number by which it can be asked about.
    let number = told
        .split("number ")
        .nth(1)
        .and_then(|rest| rest.split(':').next());
    let why = said(&mut session, &format!(":why {}", number.unwrap_or_default()));
    assert!(why.starts_with("red.mounted1  life"), "{why}");
    // The game on the table and the files stay as they are.
    said(&mut session, ":set max_rounds=5");
    assert!(said(&mut session, ":diff").contains("max_rounds=5: no difference"));
}

#[test]
fn rules_that_changed_on_the_way_are_told_and_nothing_is_written() {
    let copy = charging();
    let mut session = started(&copy, "charge");
    said(&mut session, ":set mounted.charge=3");
    let told = refused(&mut session, ":save-scenario other");
    assert!(
        told.contains("life 5->3") && told.contains("life 5->2") && told.contains("`:retell`"),
        "{told}"
    );
    assert!(!copy.path("scenarios/smalltricks/other.toml").exists());
    said(&mut session, ":retell");
    said(&mut session, ":save-scenario other");
}

#[test]
fn the_position_becomes_a_scenario_and_what_cannot_be_said_is_told() {
    let copy = charging();
    let mut session = started(&copy, "smalltricks");
    said(&mut session, ":auto 3 rounds");
    let told = said(&mut session, ":save-scenario third --here The third round");
    assert!(told.contains("round 3"), "{told}");
    let mut here = started(&copy, "third");
    let places = |session: &Session| {
        let units = session.units().text();
        let rows = units.lines().skip(1).filter(|l| !l.contains("removed"));
        let mut rows: Vec<String> = rows
            .map(|l| {
                let words: Vec<&str> = l.split_whitespace().collect();
                let kind = words[0].trim_end_matches(|c: char| c.is_ascii_digit());
                format!("{kind} {} {}", words[1], words[2])
            })
            .collect();
        rows.sort();
        rows
    };
    assert_eq!(places(&here), places(&session));
    assert_eq!(
        said(&mut here, "faction(\"red\").damage"),
        said(&mut session, "faction(\"red\").damage")
    );
    assert_eq!(copy.run(&["check"]).status, 0);
}

#[test]
fn expectations_are_added_to_the_file_of_the_scenario_on_the_table() {
    let copy = charging();
    let mut session = started(&copy, "charge");
    assert!(refused(&mut session, ":expect --save").contains("has all of them already"));
    said(&mut session, ":expect unit(\"blue.spears1\").life == 5");
    let told = said(&mut session, ":expect --save");
    assert!(
        told.contains("added to scenarios/smalltricks/charge.toml: 1 expectation"),
        "{told}"
    );
    assert!(
        text(&copy, SCENARIO).ends_with("life == 3', # hurt\n    'unit(\"blue.spears1\").life == 5',\n]\n"),
        "{}",
        text(&copy, SCENARIO)
    );
    assert!(session.look_for_changes().is_none());
    assert!(!said(&mut session, ":expect").contains("not in the file"));
    said(&mut session, ":test");
}

#[test]
fn a_changed_rule_fails_the_test_and_accept_takes_it_as_right() {
    let copy = charging();
    copy.run(&["test", "--first-snapshots"]);
    copy.run(&["accept", "--all"]);
    let lines = ":test\n:accept\n:test\n:test all\n";
    let typed = || run_in_with(&copy.path("."), &["repl", "charge"], lines);
    let before = typed();
    assert!(
        before
            .out
            .contains("ok   scenarios/smalltricks/charge.toml  A charge")
            && before.out.contains("no snapshot is pending"),
        "{}",
        before.page()
    );
    copy.replace(
        "units/smalltricks/mounted.rhai",
        "\"counter charge\"",
        "\"counter\"",
    );
    let after = typed();
    let (failed, accepted) = after
        .out
        .split_once("accepted snapshots/smalltricks/charge.snap")
        .unwrap_or_else(|| panic!("{}", after.page()));
    assert!(
        failed.contains("(by counter, blue.spears1)") && failed.contains("`:accept charge`"),
        "{}",
        after.page()
    );
    assert_eq!(
        accepted.matches("ok   scenarios/smalltricks/charge.toml").count(),
        2
    );
}

#[test]
fn a_raised_stop_ends_a_test_of_all_between_scenarios() {
    let copy = charging();
    let mut session = started(&copy, "charge");
    session.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let reply = session.test("all").expect("it runs");
    assert!(
        reply.print().contains("stopped after 0 of 1"),
        "{}",
        reply.print()
    );
}
