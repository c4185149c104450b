//! Studies of games with a known answer: several variants at once, and the worth of units; also storage of games,
//! of agents or from people's own tables.

use crate::studies::{fine, ford};
use crate::support::{Copy, Small, brief, root, run_in_with};
use rulebench::designs::factorial::{Factorial, factorial, is_on};
use rulebench::designs::sweep;
use rulebench::designs::value::value;
use rulebench::experiment::Experiment;
use rulebench::experiment::arm::{Arm, ArmOptions, GameRunner};
use rulebench::experiment::measure::{Measure, MeasureCounts, TypeMeasure};
use rulebench::experiment::record::GameEnd;
use rulebench::experiment::tally::Tally;
use rulebench::kernel::table::Keeps;
use rulebench::rules::workspace::Workspace;
use rulebench::scenario::file::{DialValue, ScenarioFile};
use rulebench::stage::run::Overrides;

/// A toss that the first faction wins in `bias` of 20 cases, and in `spark` more for each `fuel`.
fn toss() -> Small {
    let game = r#"
        fn board() { #{ factions: ["red", "blue"], hexes: [2, 2] } }
        fn dials() { #{ bias: number(10, 0, 20), spark: number(0, 0, 4), fuel: number(0, 0, 2) } }
        fn slots() { #{ faction: #{ sum: 0 } } }
        fn phases() { [
            #{ phase: "game", contest: "game", phases: [#{ phase: "toss", each: "game", step: "toss" }] },
        ] }
        fn toss() {
            for side in [first(), second()] { side.sum = roll(side, "dice", 3, 6).total + fuel; }
            if roll(first(), "coin", 1, 20).total <= bias + spark * fuel { win(first(), "toss"); }
            else { win(second(), "toss"); }
        }
        fn measures(side) { #{ sum: side.sum } }
    "#;
    Small::new(game)
}

fn wanted(games: u64) -> ArmOptions {
    ArmOptions {
        games,
        ..ArmOptions::default()
    }
}

fn setting(workspace: &Workspace, dials: &[(&str, i64)], wanted: &ArmOptions) -> Arm {
    let overrides = Overrides {
        dials: dials
            .iter()
            .map(|(n, v)| ((*n).to_owned(), DialValue::Number(*v)))
            .collect(),
        ..Overrides::default()
    };
    Arm::new(workspace, &ScenarioFile::new("tiny"), &overrides, wanted).unwrap_or_else(|p| panic!("{p}"))
}

fn experiment(workspace: &Workspace, arms: Vec<Arm>, threads: Option<usize>) -> Experiment<'_> {
    Experiment::new(workspace, arms, threads).unwrap_or_else(|p| panic!("{p}"))
}

/// Every set of these dials.
fn every_set(dials: &[(&str, i64)], games: u64) -> Factorial {
    let workspace = toss().workspace();
    let settings: Vec<Arm> = (0..1 << dials.len())
        .map(|set| {
            let on: Vec<(&str, i64)> = (0..dials.len())
                .filter(|d| is_on(set, *d))
                .map(|d| dials[d])
                .collect();
            setting(&workspace, &on, &wanted(games))
        })
        .collect();
    let names: Vec<String> = dials.iter().map(|(n, _)| (*n).to_owned()).collect();
    factorial(&experiment(&workspace, settings, Some(1)), &names, &[]).unwrap_or_else(|p| panic!("{p}"))
}

#[test]
fn of_tweaks_at_once_it_is_told_what_each_does_and_what_a_pair_does_together() {
    let found = every_set(&[("bias", 13), ("spark", 4), ("fuel", 1)], 2000);
    let first = |of: &[&str]| {
        let row = found.effect(of, "first faction wins");
        row.unwrap_or_else(|| panic!("nothing of {of:?}"))
    };
    // 3 of 20 by itself, whatever else is on; spark and fuel only together 4 of 20: half of that each in the mean.
    for (of, by) in [
        (&["bias"][..], 0.15),
        (&["spark"], 0.1),
        (&["fuel"], 0.1),
        (&["spark", "fuel"], 0.2),
    ] {
        let row = first(of);
        assert!(row.changed && row.interval.holds(by), "{of:?}: {row:?}");
        assert!(row.interval.high - row.interval.low < 0.08, "{of:?}: {row:?}");
    }
    assert!(
        first(&["spark", "fuel"]).verdict.starts_with("together 1"),
        "{found:?}"
    );
    assert!(
        first(&["spark", "fuel"])
            .verdict
            .ends_with("points more than by themselves")
    );
    // The dice are the same, so that bias and spark add up exactly: nothing to tell, not even by chance.
    assert!(
        !found
            .effects
            .iter()
            .any(|e| e.of == ["bias", "spark"] && e.change.changed),
        "{found:?}"
    );
    let sum = found.effect(&["fuel"], "sum").expect("it is measured");
    assert!(
        (sum.interval.low - 1.0).abs() < 0.01 && (sum.interval.high - 1.0).abs() < 0.01,
        "{sum:?}"
    );
    assert!(found.same.iter().any(|s| s == "sum by bias"), "{:?}", found.same);
}

#[test]
fn every_set_of_tweaks_is_asked_for_at_the_command_line() {
    let copy = ford();
    let compare =
        |more: &[&str]| copy.run(&[&["compare", "ford", "--factorial", "--games", "20"], more].concat());
    let both = compare(&["--set", "points_to_win=1", "--set", "max_rounds=4"]);
    fine(&both);
    assert!(
        both.out
            .contains("20 games of ford, random agents, seed 1 with each of the 4 sets")
            && both.out.contains("points_to_win=1  first faction wins"),
        "{}",
        both.out
    );
    let one = compare(&["--set", "points_to_win=1", "--json"]);
    assert_eq!(one.problems(), ["wrong-set-count(1, 6)"]);
    let seven: Vec<&str> = (0..7).flat_map(|_| ["--set", "points_to_win=1"]).collect();
    let many = compare(&seven);
    assert!(
        many.status == 2 && many.flat().contains("needs 2 to 6"),
        "{}",
        many.page()
    );
}

#[test]
fn a_sweep_says_what_each_value_changes_from_the_dials_own() {
    let workspace = toss().workspace();
    let values = [8, 10, 10, 14];
    let settings: Vec<Arm> = values
        .iter()
        .map(|v| setting(&workspace, &[("bias", *v)], &wanted(1500)))
        .collect();
    let names = ["8", "10", "10 again", "14"].map(str::to_owned);
    let found = sweep::sweep(
        &experiment(&workspace, settings, Some(1)),
        ("bias", "10"),
        &names,
        &[],
    );
    let found = found.unwrap_or_else(|p| panic!("{p}"));
    assert_eq!(found.base, "10");
    let curve = &found.curves[0];
    assert_eq!(curve.measure, Measure::First);
    let against = |at: usize| curve.points[at].change.as_ref();
    assert!(against(1).is_none());
    // Two of 20 less, and four more, on the same dice.
    for (at, by) in [(0, -0.1), (3, 0.2)] {
        let row = against(at).expect("it is compared");
        assert!(row.changed && row.interval.holds(by), "{row:?}");
    }
    assert!(against(2).is_some_and(|row| !row.changed && row.found.change.value == 0.0));
    assert!(
        found.report(None).text().contains("change from 10"),
        "{}",
        found.report(None).text()
    );
}

#[test]
fn a_sweep_leaves_empty_what_a_value_has_nothing_of() {
    let workspace = Small::new(
        r#"
        fn board() { #{ factions: ["red", "blue"], hexes: [2, 2] } }
        fn dials() { #{ many: number(1, 0, 2) } }
        fn phases() { [
            #{ phase: "game", contest: "game", phases: [
                #{ phase: "muster", setup: true, each: "faction", step: "muster" },
                #{ phase: "toss", each: "game", step: "toss" },
            ] },
        ] }
        fn muster(side) { for n in 0..many { enlist(side, unit_type("ghosts")); } }
        fn toss() { if roll(first(), "coin", 1, 2).total == 1 { win(first(), "toss"); } else { win(second(), "toss"); } }
        "#,
    )
    .with("units/ghosts", "fn stats() { #{ symbol: \"Gh\" } }\n")
    .workspace();
    let settings: Vec<Arm> = (0..3)
        .map(|many| setting(&workspace, &[("many", many)], &wanted(20)))
        .collect();
    let names = ["0", "1", "2"].map(str::to_owned);
    let measures = ["ghosts: survival", "first faction wins"].map(str::to_owned);
    let found = sweep::sweep(
        &experiment(&workspace, settings, Some(1)),
        ("many", "1"),
        &names,
        &measures,
    );
    let found = found.unwrap_or_else(|p| panic!("{p}"));
    let of = |curve: usize| found.curves[curve].points.iter().map(|p| p.value.as_str());
    assert_eq!(of(0).collect::<Vec<_>>(), ["1", "2"]);
    assert_eq!(of(1).collect::<Vec<_>>(), ["0", "1", "2"]);
    let page = found.report(None).text();
    let rows: Vec<Vec<&str>> = page
        .lines()
        .skip(1)
        .take(3)
        .map(|l| l.split("  ").map(str::trim).filter(|c| !c.is_empty()).collect())
        .collect();
    let heads: Vec<&str> = rows.iter().map(|r| r[0]).collect();
    assert_eq!(heads, names, "{page}");
    // Of no ghosts only the wins are told.
    assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [3, 5, 5], "{page}");
    // A band holds however few differ.
    assert!(
        found.curves[0].points.iter().all(|p| p.level.interval.low < 0.95),
        "{page}"
    );
}

/// Plays games of a setting with the table keeping all and nothing; returns how many kept nothing to their end, and
/// how many failed.
fn unkept_and_failed(workspace: &Workspace, setting: &Arm) -> (usize, usize) {
    let runner = |keeps: Keeps| {
        let mut runner = GameRunner::lay(workspace, setting).unwrap_or_else(|p| panic!("{p}"));
        runner.keeps = keeps;
        runner
    };
    let (mut all, mut nothing) = (runner(Keeps::ALL), runner(Keeps::NOTHING));
    let (mut unkept, mut failed) = (0, 0);
    for game in 0..setting.games {
        let record = all.play(game);
        assert_eq!(nothing.play(game), record, "{}", setting.game);
        let (kept, not) = (all.play.table(), nothing.play.table());
        assert_eq!(kept.event_count(), not.event_count());
        assert_eq!(kept.world, not.world);
        unkept += usize::from(not.events.is_empty());
        failed += usize::from(record.end == GameEnd::Failed);
    }
    (unkept, failed)
}

#[test]
fn games_are_the_same_whether_the_table_keeps_them_or_not() {
    let workspace = Workspace::at(root());
    for (game, games) in [
        ("smalltricks", 30),
        ("pocket-tactics", 10),
        ("very-quick-violence", 4),
    ] {
        let file = ScenarioFile::new(game);
        let setting = Arm::new(&workspace, &file, &Overrides::default(), &wanted(games));
        let setting = setting.unwrap_or_else(|p| panic!("{p}"));
        assert_eq!(
            unkept_and_failed(&workspace, &setting),
            (games as usize, 0),
            "{game}"
        );
    }
    // Rules that read the record are played with it, and so are games that fail.
    let played = |more: &str| {
        let small = toss().replaced(
            "scripts/tiny/game.rhai",
            "+ fuel; }",
            &format!("+ fuel; {more} }}"),
        );
        let workspace = small.workspace();
        unkept_and_failed(&workspace, &setting(&workspace, &[], &wanted(100)))
    };
    assert_eq!(played(""), (100, 0));
    assert_eq!(played("if happened(\"dice\") { side.sum += 1; }"), (0, 0));
    let (unkept, failed) = played("if side.sum == 16 { side.sum /= 0; }");
    assert!(failed > 0 && unkept + failed == 100, "{unkept} {failed}");
}

#[test]
fn a_word_that_is_first_used_late_could_have_been_used_before() {
    let uses = Measure::Unit("scouts".into(), TypeMeasure::Uses("climb".into()));
    let all = Measure::Unit("scouts".into(), TypeMeasure::Survival);
    let game = |times: f64| {
        let used = (times > 0.0).then(|| (uses.clone(), [times, 0.0]));
        MeasureCounts::from_iter([(all.clone(), [1.0, 2.0])].into_iter().chain(used))
    };
    let mut tally = Tally::default();
    for times in [0.0, 0.0, 0.0, 8.0, 0.0] {
        tally.add_counts(&mut [game(times), game(0.0)]);
    }
    let sums = tally.sums(&uses).expect("it is counted");
    assert_eq!(sums.mean(0), Some(0.8), "8 uses by 10 scouts");
    assert_eq!(sums.mean(1), Some(0.0));
}

/// Two units a side, drawn; each point of strength is 5 of 100 cases to win. Their prices are right but one.
fn duel() -> Workspace {
    let game = r#"
        fn board() { #{ factions: ["red", "blue"], hexes: [2, 2] } }
        fn slots() { #{ unit: #{ life: 1 } } }
        fn phases() { [
            #{ phase: "game", contest: "game", phases: [
                #{ phase: "muster", setup: true, each: "faction", step: "muster" },
                #{ phase: "fight", each: "game", step: "fight" },
            ] },
        ] }
        fn muster(side) { for n in 1..=2 { enlist(side, choose(side, "unit", unit_types())); } }
        fn might(side) { side.units.total("strength") }
        fn fight() {
            let edge = 5 * (might(first()) - might(second()));
            if roll(first(), "fight", 1, 100).total <= 50 + edge { win(first(), "fight"); }
            else { win(second(), "fight"); }
        }
    "#;
    let unit = |strength: i64, price: i64| {
        format!("fn stats() {{ #{{ symbol: \"U{strength}\", strength: {strength}, price: {price} }} }}\n")
    };
    Small::new(game)
        .with("units/a", &unit(0, 1))
        .with("units/b", &unit(1, 2))
        .with("units/c", &unit(2, 3))
        .with("units/d", &unit(3, 4))
        .with("units/e", &unit(4, 2))
        .workspace()
}

#[test]
fn what_a_unit_is_worth_is_found_beside_what_it_costs() {
    let workspace = duel();
    let of_arm = |arm: &Arm, cost| value(&experiment(&workspace, vec![arm.clone()], None), cost);
    let setting = setting(&workspace, &[], &wanted(8000));
    let found = of_arm(&setting, Some("price")).unwrap_or_else(|p| panic!("{p}"));
    let of = |unit: &str| found.of(unit).unwrap_or_else(|| panic!("nothing of {unit}"));
    // In place of an average unit of strength 2, each point of strength is 5 points of wins.
    for (unit, worth) in [("a", -0.1), ("b", -0.05), ("c", 0.0), ("d", 0.05), ("e", 0.1)] {
        assert!(of(unit).interval.holds(worth), "{unit}: {:?}", of(unit));
        assert!(
            of(unit).interval.high - of(unit).interval.low < 0.06,
            "{unit}: {:?}",
            of(unit)
        );
    }
    assert!(of("e").verdict.starts_with("underpriced by "), "{:?}", of("e"));
    for right in ["a", "b", "c", "d"] {
        let beyond = of(right).beyond.as_ref().expect("it has a price");
        assert!(
            !beyond.is_sure() || beyond.unless.contains(&"e".to_owned()),
            "{beyond:?}"
        );
    }
    assert!(
        found.report().text().contains("a cost of 1 buys"),
        "{}",
        found.report().text()
    );
    let no_stat = of_arm(&setting, Some("prize"));
    assert_eq!(
        no_stat.err().map(|p| brief(&p.0[0])).as_deref(),
        Some("unknown-name(stat, prize)")
    );
    let few = Arm {
        games: 8,
        ..setting.clone()
    };
    let few = of_arm(&few, None).err();
    assert!(few.is_some_and(|p| p.0[0].id() == "too-few-games"));
    // Red is first in every game: what is the seat's and what is the faction's cannot be told.
    assert!(
        found.first.is_none() && found.report().text().contains("red is first in every game"),
        "{}",
        found.report().text()
    );
    // Nor can it be told what is the army's where nobody ever has another.
    for armies in [&["a*2"][..], &["red=a*2", "blue=e*2"]] {
        let alike = ArmOptions {
            armies: armies.iter().map(|a| (*a).to_owned()).collect(),
            no_swap: true,
            ..wanted(100)
        };
        let alike = self::setting(&workspace, &[], &alike);
        let nothing = of_arm(&alike, None).err().map(|p| p.0[0].id());
        assert_eq!(nothing, Some("constant-armies"));
    }
    let two = ArmOptions {
        armies: vec!["red=a*2".to_owned(), "blue=e*2".to_owned()],
        ..wanted(100)
    };
    let two = self::setting(&workspace, &[], &two);
    let two = of_arm(&two, Some("price")).unwrap_or_else(|p| panic!("{p}"));
    assert!(
        two.report()
            .text()
            .contains("fewer than three of the measured types"),
        "{}",
        two.report().text()
    );
}

#[test]
fn whoever_takes_the_last_of_a_units_life_has_removed_it() {
    let copy = Copy::of_rules();
    fine(&copy.run(&[
        "sim",
        "smalltricks",
        "--games",
        "40",
        "--army",
        "mounted*3 spears*3",
        "--out",
        "games",
    ]));
    let text = std::fs::read_to_string(copy.path("games")).expect("it is there");
    let number = |name: &str| -> u64 {
        let key = format!("\"{name}\":");
        let all = text.split(&key).skip(1);
        all.filter_map(|rest| {
            rest.split(|c: char| !c.is_ascii_digit())
                .next()?
                .parse::<u64>()
                .ok()
        })
        .sum()
    };
    let fallen = number("fielded") - number("survived");
    let removed = number("removed");
    // Some fall to the rules alone; the others to somebody, and nobody falls twice.
    assert!(removed > 0 && removed <= fallen, "{removed} of {fallen}");
}

#[test]
fn two_runs_never_write_one_file_at_once() {
    let copy = ford();
    let start = |resume: &[&str]| {
        let args = ["sim", "ford", "--games", "1500", "--out", "games"];
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rulebench"));
        command.args(args).args(resume).current_dir(copy.path("."));
        command
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("the command starts")
    };
    let mut one = start(&[]);
    while !std::fs::metadata(copy.path("games")).is_ok_and(|about| about.len() > 0) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // As a scheduler does that thinks the first one dead.
    let mut other = start(&["--resume"]);
    assert!(one.wait().is_ok_and(|s| s.success()) && other.wait().is_ok_and(|s| s.success()));
    fine(&copy.run(&["sim", "ford", "--games", "1500", "--out", "whole"]));
    let bytes = |file: &str| std::fs::read(copy.path(file)).expect("the file is there");
    assert!(
        bytes("games") == bytes("whole"),
        "nothing is lost and nothing doubled"
    );
}

#[test]
fn games_by_people_are_logged_in_a_minute_and_shown_beside_the_machines() {
    let copy = ford();
    let log = |more: &[&str]| copy.run(&[&["log", "ford"], more].concat());
    let none = log(&["--list"]);
    fine(&none);
    assert!(none.out.contains("no game of ford is logged yet"), "{}", none.out);
    let flags = [
        "--winner",
        "red",
        "--first",
        "red",
        "--score",
        "red=3",
        "--score",
        "blue=1",
        "--minutes",
        "35",
    ];
    fine(&log(&[
        &flags[..],
        &["--rounds", "6", "--remark", "over \"too\" soon"],
    ]
    .concat()));
    // Asked at the terminal: what is no answer is asked again.
    let answers = "green\nblue\nred\n\n\n5\nforty\n40\nthe ford is narrow\n";
    let asked = run_in_with(&copy.path("."), &["log", "ford"], answers);
    fine(&asked);
    assert!(
        asked.out.contains("there is no faction `green`")
            && asked.out.contains("`forty` is not a valid number")
    );
    let cut = run_in_with(&copy.path("."), &["log", "ford"], "blue\n");
    assert!(
        cut.status == 2 && cut.flat().contains("no game is logged"),
        "{}",
        cut.page()
    );
    // Among JSON nothing is asked.
    let refused = run_in_with(&copy.path("."), &["log", "ford", "--json"], answers);
    assert_eq!(refused.status, 2, "{}", refused.page());
    assert_eq!(refused.problems(), ["missing-winner(red, blue, draw)"]);
    // What somebody writes into the file stays.
    let text = std::fs::read_to_string(copy.path("played/ford.toml")).expect("it is there");
    copy.write("played/ford.toml", format!("{text}\n# the table wobbled\n"));
    fine(&log(&["--winner", "draw", "--set", "max_rounds=4"]));
    let text = std::fs::read_to_string(copy.path("played/ford.toml")).expect("it is there");
    assert!(
        text.contains("# the table wobbled") && text.matches("[[played]]").count() == 3,
        "{text}"
    );
    assert!(
        text.contains("remark = 'over \"too\" soon'") && text.contains("winner = \"draw\""),
        "{text}"
    );
    let list = log(&["--list"]);
    assert!(
        list.out
            .contains("2 games by people (1 more under other rules): the first faction wins 1 of 2")
            && list.out.contains("5 to 6 rounds, 35 to 40 minutes")
            && list.out.contains("max_rounds=4"),
        "{}",
        list.out
    );
    let health = copy.run(&["health", "ford", "--games", "20", "--duels", "0"]);
    fine(&health);
    assert!(
        health.flat().contains("first-mover advantage 1 of 2")
            && health.out.contains("the two may be the same"),
        "{}",
        health.out
    );
    let compare = copy.run(&["compare", "ford", "--set", "max_rounds=4", "--games", "20"]);
    assert!(
        compare.out.contains("without it, 2 games by people")
            && compare.out.contains("with it, 1 game by people"),
        "{}",
        compare.out
    );
    let refused = |args: &[&str], why: &str| {
        let ran = log(args);
        assert!(ran.status == 2 && ran.flat().contains(why), "{}", ran.page());
    };
    refused(&["--winner", "green"], "there is no faction `green`");
    let no_score = log(&["--winner", "red", "--score", "red", "--json"]);
    assert_eq!(
        no_score.problems(),
        ["missing-value(--score red, --score FACTION=N)"]
    );
    // What cannot be is told before anything is played or asked.
    let early = copy.run(&[
        "compare",
        "ford",
        "--set",
        "max_rounds=4",
        "--agents",
        "random,gredy",
    ]);
    assert!(
        early.status == 2 && early.out.is_empty() && early.flat().contains("no agent `gredy`"),
        "{}",
        early.page()
    );
    let nowhere = copy.run(&["report", "ford", "--out", "no/such/report", "--json"]);
    assert_eq!(nowhere.problems(), ["missing-folder(no/such)"]);
    copy.write("played/ford.toml", "[[played]]\nwho = 3\n");
    refused(&["--winner", "red"], "played/ford.toml");
}
