//! Mutation testing: what a scenario proves is caught when it is changed, what none proves is told.

use crate::support::{Copy, Small};
use rulebench::mutate::{self, Mutant, MutantResult, MutationResult};

/// One rule for each kind of change.
const GAME: &str = r##"fn board() { #{ factions: ["red", "blue"], hexes: [3, 3], stack: 2 } }
fn dials() { #{ bonus: number(9, 0, 9) } }
fn stats() { #{ life: 3 } }
fn slots() { #{ unit: #{ life: #{ start: 0, at_zero: "death" }, mark: 0 }, faction: #{ score: 0 } } }
fn phases() { [
    #{ phase: "strike", each: "unit", step: "strike" },
    #{ phase: "count", each: "faction", step: "tally" },
] }
fn strike(me) {
    let foe = me.foes.first;
    if foe == nobody { return; }
    hit(foe, 1, "blow");
}
fn tally(side) {
    if side.units.len > 1 && is_ready() {
        add(side, "score", 2, "crowd");
    }
}
fn is_ready() { true }
fn never(side) {
    add(side, "score", 5, "never");
}
fn death(me) { remove(me); if !true { never(me.owner); } }
fn worth(side) { 7 + hopes(side) }
fn hopes(side) { 3 }
"##;

const SCOUTS: &str = "fn stats() { #{ symbol: \"Sc\" } }\n";
const GUARDS: &str =
    "fn stats() { #{ symbol: \"Gu\" } }\nfn strike(me) {\n    hit(me.foes.first, 2, \"bash\");\n}\n";

const BLOW: &str = "game = \"tiny\"\nunits.red = [\"scouts a1\"]\nunits.blue = [\"guards c3\"]\nopen = \"first\"\n\
    expect = ['unit(\"blue.guards1\").life == 2', 'unit(\"red.scouts1\").life == 1', 'faction(\"red\").score == 0']\n";
const CROWD: &str = "game = \"tiny\"\nunits.red = [\"scouts a1\", \"scouts a2\"]\nopen = \"first\"\n\
    expect = ['faction(\"red\").score == 2', 'faction(\"blue\").score == 0']\n";
const NOTHING: &str =
    "game = \"tiny\"\nunits.red = [\"scouts a1\"]\nunits.blue = [\"guards c3\"]\nopen = \"first\"\n";

fn small() -> Small {
    Small::new(GAME)
        .with("units/scouts", SCOUTS)
        .with("units/guards", GUARDS)
}

fn run(small: &Small, only: Option<&str>) -> MutationResult {
    mutate::run(&small.workspace(), "tiny", only).unwrap_or_else(|problems| panic!("{problems}"))
}

fn mutants(small: &Small) -> Vec<Mutant> {
    mutate::mutants(&small.workspace(), "tiny", None).unwrap_or_else(|problems| panic!("{problems}"))
}

/// `line: function: what`, of the mutants of one function.
fn of(found: &[Mutant], path: &str, function: &str) -> Vec<String> {
    let here = found
        .iter()
        .filter(|m| m.path.ends_with(path) && m.function == function);
    here.map(|m| format!("{}: {} -> `{}`", m.line, m.what, m.with.trim()))
        .collect()
}

/// Returns the fates of the mutants of a function whose change contains this text.
fn fates<'a>(report: &'a MutationResult, function: &str, what: &str) -> Vec<&'a MutantResult> {
    let found = report.verdicts.iter();
    let found = found.filter(|v| v.mutant.function == function && v.mutant.what.contains(what));
    let fates: Vec<&MutantResult> = found.map(|v| &v.fate).collect();
    assert!(!fates.is_empty(), "no change `{what}` in {function}");
    fates
}

#[test]
fn each_kind_of_change_is_made_where_it_belongs() {
    let found = mutants(&small());
    insta::assert_snapshot!(of(&found, "game.rhai", "strike").join("\n"));
    insta::assert_snapshot!(of(&found, "game.rhai", "tally").join("\n"));
    insta::assert_snapshot!(of(&found, "game.rhai", "is_ready").join("\n"));
    insta::assert_snapshot!(of(&found, "game.rhai", "death").join("\n"));
    insta::assert_snapshot!(of(&found, "guards.rhai", "strike").join("\n"));
    insta::assert_snapshot!(of(&found, "game.rhai", "dials").join("\n"));
}

#[test]
fn advice_to_agents_is_not_changed_and_a_bound_of_a_dial_neither() {
    let found = mutants(&small());
    assert_eq!(of(&found, "game.rhai", "worth"), [""; 0]);
    assert_eq!(of(&found, "game.rhai", "hopes"), [""; 0]);
    let bounds = found.iter().filter(|m| m.function == "dials");
    assert!(bounds.clone().count() > 0 && bounds.clone().all(|m| m.what.starts_with("9 becomes")));
}

#[test]
fn files_beside_the_games_script_are_changed_like_it() {
    let hopes = "fn hopes(side) { 3 }\n";
    let ready = "fn is_ready() { true }\n";
    let small = small()
        .replaced("scripts/tiny/game.rhai", hopes, "")
        .replaced("scripts/tiny/game.rhai", ready, "")
        .with("agents", hopes)
        .with("counts", ready);
    let found = mutants(&small);
    assert_eq!(of(&found, "agents.rhai", "hopes"), [""; 0]);
    assert_eq!(
        of(&found, "counts.rhai", "is_ready").len(),
        of(&mutants(&self::small()), "game.rhai", "is_ready").len()
    );
    // What a unit type has of a hook of such a file can be left out.
    let hook = "fn bonus_of(me) { 1 }\n";
    let with = small.replaced("scripts/tiny/game.rhai", "hit(foe, 1,", "hit(foe, bonus_of(me),");
    let with = with
        .with("counts", &format!("{ready}{hook}"))
        .with("units/scouts", &format!("{SCOUTS}{hook}"));
    let skipped = of(&mutants(&with), "scouts.rhai", "bonus_of");
    assert!(
        skipped.iter().any(|what| what.contains("skip the function")),
        "{skipped:?}"
    );
}

#[test]
fn a_change_keeps_the_lines_of_its_text() {
    let small = small();
    for mutant in mutants(&small) {
        let text = &small.files()[&mutant.path];
        let mut changed = text.clone();
        changed.replace_range(mutant.span.clone(), &mutant.with);
        assert_ne!(&changed, text, "{mutant:?}");
        assert_eq!(changed.lines().count(), text.lines().count(), "{mutant:?}");
        let line = text.lines().nth(mutant.line - 1).expect("the line is there");
        assert_eq!(line.trim(), mutant.text, "{mutant:?}");
    }
}

#[test]
fn a_scenario_that_proves_a_rule_catches_its_mutants() {
    let small = small().with("scenarios/blow", BLOW);
    let report = run(&small, None);
    assert!(report.failing.is_empty(), "{:?}", report.failing);
    for (function, what) in [
        ("strike", "1 becomes"),
        ("strike", "2 becomes"),
        ("strike", "== becomes"),
    ] {
        for fate in fates(&report, function, what) {
            assert!(
                matches!(fate, MutantResult::Caught(by) if by.ends_with("blow.toml")),
                "{function}: {what}: {fate:?}"
            );
        }
    }
    let blow = report
        .verdicts
        .iter()
        .find(|v| v.mutant.line == 12 && v.mutant.what.contains("left out"));
    assert!(
        blow.is_some_and(|v| matches!(v.fate, MutantResult::Caught(_))),
        "{blow:?}"
    );
    // Both units always have a foe here: that nobody may be left is not proven.
    let nobody = report
        .verdicts
        .iter()
        .find(|v| v.mutant.line == 11 && v.mutant.what.contains("left out"));
    assert_eq!(nobody.map(|v| &v.fate), Some(&MutantResult::Survived(1)));
    assert!(matches!(
        fates(&report, "strike", "skip the function")[..],
        [MutantResult::Caught(_)]
    ));
}

#[test]
fn a_scenario_that_reaches_a_rule_and_expects_nothing_lets_its_mutants_live() {
    let report = run(&small().with("scenarios/nothing", NOTHING), None);
    assert!(
        fates(&report, "strike", "1 becomes")
            .iter()
            .all(|f| **f == MutantResult::Survived(1))
    );
    assert!(
        fates(&report, "strike", "skip the function")
            .iter()
            .all(|f| **f == MutantResult::Survived(1))
    );
    assert!(report.score() < 50.0, "{}", report.score());
}

#[test]
fn the_scenario_for_a_rule_alone_catches_it_and_another_does_not() {
    let what = "2 becomes 3";
    let without = run(&small().with("scenarios/blow", BLOW), Some("game.rhai"));
    assert_eq!(fates(&without, "tally", what), [&MutantResult::Unreached]);
    let with = run(
        &small()
            .with("scenarios/blow", BLOW)
            .with("scenarios/crowd", CROWD),
        Some("game.rhai"),
    );
    assert!(
        matches!(fates(&with, "tally", what)[..], [MutantResult::Caught(by)] if by.ends_with("crowd.toml"))
    );
    assert!(matches!(
        fates(&with, "tally", "and becomes or")[..],
        [MutantResult::Caught(_)]
    ));
    assert!(matches!(
        fates(&with, "is_ready", "becomes false")[..],
        [MutantResult::Caught(_)]
    ));
}

#[test]
fn what_no_scenario_reaches_is_told_apart() {
    let report = run(&small().with("scenarios/blow", BLOW), None);
    assert!(
        fates(&report, "never", "")
            .iter()
            .all(|f| **f == MutantResult::Unreached)
    );
    let survivors: Vec<_> = report.survivors().map(|v| v.mutant.function.as_str()).collect();
    assert!(survivors.contains(&"never"), "{survivors:?}");
}

#[test]
fn without_a_scenario_nothing_is_reached() {
    let report = run(&small(), None);
    assert!(
        report.verdicts.iter().all(|v| v.fate == MutantResult::Unreached),
        "{report:?}"
    );
    assert_eq!(report.score(), 0.0);
}

#[test]
fn two_changes_alike_in_one_line_are_told_apart_by_their_column() {
    let game = format!(
        "{GAME}fn twice(side) {{ add(side, \"score\", 6, \"x\"); add(side, \"score\", 6, \"y\"); }}\n"
    );
    let report = run(&Small::new(&game).with("units/scouts", SCOUTS), None);
    let page = report.report().text();
    let told: Vec<&str> = page
        .lines()
        .filter(|l| l.contains("twice: 6 becomes 7"))
        .collect();
    assert_eq!(
        told,
        [
            "  scripts/tiny/game.rhai:26:37  twice: 6 becomes 7",
            "  scripts/tiny/game.rhai:26:65  twice: 6 becomes 7"
        ]
    );
    assert!(
        page.contains("  scripts/tiny/game.rhai:19  is_ready: true becomes false"),
        "{page}"
    );
}

#[test]
fn a_scenario_that_fails_by_itself_is_told_and_not_used() {
    let wrong = CROWD.replace("score == 2", "score == 4");
    let report = run(
        &small()
            .with("scenarios/blow", BLOW)
            .with("scenarios/wrong", &wrong),
        None,
    );
    assert_eq!(report.failing, ["scenarios/tiny/wrong.toml"]);
    let used = |v: &&mutate::MutantVerdict| matches!(&v.fate, MutantResult::Caught(by) if by.ends_with("wrong.toml"));
    assert_eq!(report.verdicts.iter().find(used), None);
    assert!(
        fates(&report, "strike", "1 becomes")
            .iter()
            .all(|f| matches!(f, MutantResult::Caught(_)))
    );
}

#[test]
fn a_change_that_does_not_load_is_counted_apart() {
    let report = run(&small().with("scenarios/blow", BLOW), None);
    let unfit = report
        .verdicts
        .iter()
        .filter(|v| matches!(v.fate, MutantResult::Unfit(_)))
        .count();
    let (caught, alive) = (report.caught(), report.survivors().count());
    assert_eq!(caught + alive + unfit, report.verdicts.len());
    assert!(unfit > 0 && caught > 0 && alive > 0, "{unfit} {caught} {alive}");
    assert_eq!(report.score(), 100.0 * caught as f64 / (caught + alive) as f64);
}

#[test]
fn a_change_of_a_variant_is_tried_by_the_scenarios_that_turn_it_on() {
    let small = small()
        .with("variants/hard", "fn dials() { base() + #{ power: number(3, 0, 9) } }\nfn strike(me) {\n    hit(me.foes.first, power, \"hard\");\n}\n")
        .with("scenarios/blow", BLOW)
        .with("scenarios/hard", "game = \"tiny\"\nvariants = [\"hard\"]\nunits.red = [\"scouts a1\"]\nunits.blue = [\"scouts c3 life=9\"]\n\
            open = \"first\"\nuntil = \"count\"\nexpect = ['unit(\"blue.scouts1\").life == 6']\n");
    let report = run(&small, Some("variants/"));
    assert!(report.failing.is_empty(), "{:?}", report.failing);
    assert!(
        report
            .verdicts
            .iter()
            .all(|v| v.mutant.path.ends_with("variants/hard.rhai"))
    );
    for what in ["3 becomes 4", "3 becomes 2"] {
        assert!(
            matches!(fates(&report, "dials", what)[..], [MutantResult::Caught(by)] if by.ends_with("hard.toml")),
            "{report:?}"
        );
    }
    assert!(
        matches!(fates(&report, "strike", "left out")[..], [MutantResult::Caught(by)] if by.ends_with("hard.toml"))
    );
}

#[test]
fn the_same_is_told_twice() {
    let small = small()
        .with("scenarios/blow", BLOW)
        .with("scenarios/crowd", CROWD)
        .with("scenarios/nothing", NOTHING);
    let told = || serde_json::to_string(&run(&small, None).report()).expect("it is plain data");
    assert_eq!(told(), told());
}

#[test]
fn scripts_that_do_not_load_and_an_unknown_game_are_problems() {
    let broken = small().replaced("scripts/tiny/game.rhai", "fn never(side) {", "fn never(side {");
    let problems = mutate::run(&broken.workspace(), "tiny", None).expect_err("it is broken");
    assert!(
        problems.page(false).contains("scripts/tiny/game.rhai:20"),
        "{problems}"
    );
    let problems = mutate::run(&small().workspace(), "tini", None).expect_err("no such game");
    assert!(
        problems.page(false).contains("did you mean `tiny`?"),
        "{problems}"
    );
}

fn folder(small: &Small) -> Copy {
    let copy = Copy::of_nothing();
    for (path, text) in small.files() {
        copy.write(path, text);
    }
    copy
}

#[test]
fn the_command_fails_below_what_is_asked_and_speaks_json() {
    let copy = folder(&small().with("scenarios/blow", BLOW));
    let ran = copy.run(&["mutate", "tiny"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    assert!(
        ran.out.contains("no scenario reaches it") && ran.out.contains("more do not load"),
        "{}",
        ran.page()
    );
    let ran = copy.run(&["mutate", "tiny", "--at-least", "5", "--only", "guards"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    let ran = copy.run(&["mutate", "tiny", "--json"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(json["game"], "tiny");
    assert!(json["failing"].as_array().is_some_and(Vec::is_empty), "{json}");
    let verdicts = json["mutants"].as_array().expect("a list");
    let one = verdicts
        .iter()
        .find(|v| v["function"] == "strike" && v["change"] == "1 becomes 2")
        .expect("it is there");
    assert_eq!(one["script"], "scripts/tiny/game.rhai");
    assert_eq!(one["line"], 12);
    assert_eq!(one["text"], "hit(foe, 1, \"blow\");");
    assert_eq!(
        (&one["result"], &one["scenario"]),
        (&"caught".into(), &"scenarios/tiny/blow.toml".into())
    );
    assert!(verdicts.iter().any(|v| v["result"] == "unreached"), "{json}");
    let ran = copy.run(&["mutate", "tini"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
}

#[test]
fn the_command_fails_while_a_scenario_fails_by_itself() {
    let wrong = BLOW.replace("life == 2", "life == 7");
    let copy = folder(&small().with("scenarios/wrong", &wrong));
    let ran = copy.run(&["mutate", "tiny", "--at-least", "0"]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    assert!(
        ran.out
            .contains("fails without any change: scenarios/tiny/wrong.toml"),
        "{}",
        ran.page()
    );
}

/// The label of a case counts as reached wherever its `switch` is reached, because it also decides for the cases behind
/// it. A mutant that does not load is reported on saving, so it is no survivor.
#[test]
fn labels_of_cases_are_reached_with_their_switch_and_what_does_not_load_is_no_survivor() {
    let game = GAME.replace(
        "    hit(foe, 1, \"blow\");",
        "    let strength = switch me.life {\n        7 => 2,\n        3 => 1,\n        _ => 3,\n    };\n    hit(foe, strength, \"blow\");",
    );
    let small = Small::new(&game)
        .with("units/scouts", SCOUTS)
        .with("units/guards", GUARDS)
        .with("scenarios/blow", BLOW)
        .with("scenarios/crowd", CROWD);
    let report = run(&small, Some("game.rhai"));
    let fate = |what: &str| {
        let of = |v: &&mutate::MutantVerdict| v.mutant.function == "strike" && v.mutant.what == what;
        report.verdicts.iter().find(of).map(|v| v.fate.clone())
    };
    // Nobody has a life of 7, and the scouts of 3 strike by the second case.
    assert!(
        matches!(fate("7 becomes 6"), Some(MutantResult::Survived(_))),
        "{:?}",
        fate("7 becomes 6")
    );
    assert!(
        matches!(fate("3 becomes 4"), Some(MutantResult::Caught(_))),
        "{:?}",
        fate("3 becomes 4")
    );
}
