//! `rulebench perft`: sequences of answers are counted, the same on any number of threads, and scenarios can expect
//! their numbers.

use crate::support::{Copy, Small, start};
use rulebench::perft::{Perft, PerftQuery, perft};
use rulebench::rules::ruleset::LoadOptions;

/// Two factions mark three places in turn; the last place is marked without a choice.
const MARKS: &str = r##"
fn board() { #{ factions: ["red", "blue"], squares: [3, 1] } }
fn slots() { #{ place: #{ mark: 0 } } }
fn phases() { [#{ phase: "game", contest: "game", phases: [
    #{ phase: "turns", repeat: true, each: "faction", step: "turn" },
] }] }
fn turn(side) {
    let at = choose(side, "mark", places().filter(|place| place.mark == 0));
    at.mark = 1;
    if places().all(|place| place.mark == 1) { draw("all are marked"); }
}
"##;

fn count(game: &str, depth: u8, forced_is_depth: bool, threads: usize) -> Perft {
    let ruleset = Small::new(game).load(&LoadOptions::default()).expect("it loads");
    let query = PerftQuery {
        depth,
        forced_is_depth,
        threads: Some(threads),
    };
    perft(&mut start(ruleset), query).expect("its rules do not fail")
}

fn sequences(perft: &Perft) -> Vec<u64> {
    perft.counts.iter().map(|count| count.sequences).collect()
}

#[test]
fn an_answer_with_one_option_is_counted_apart_or_as_an_answer() {
    let given = count(MARKS, 5, false, 1);
    assert_eq!(sequences(&given), [3, 6, 0]);
    assert_eq!([given.counts[2].forced, given.counts[2].over], [6, 6]);
    let all = count(MARKS, 5, true, 1);
    assert_eq!(sequences(&all), [3, 6, 6, 0]);
    assert_eq!([all.counts[2].forced, all.counts[3].over], [6, 6]);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let wide = MARKS.replace("[3, 1]", "[3, 2]");
    for forced in [false, true] {
        let one = count(&wide, 6, forced, 1);
        assert_eq!(sequences(&one)[..5], [6, 30, 120, 360, 720]);
        assert_eq!(one, count(&wide, 6, forced, 2));
        let first: u64 = one.divided.iter().map(|(_, sequences)| sequences).sum();
        assert_eq!(first, *sequences(&one).last().expect("several depths"));
    }
}

#[test]
fn the_report_says_what_is_not_counted() {
    let dice = MARKS.replace("at.mark = 1;", "at.mark = 1; roll(side, \"luck\", 1, 6);");
    let text = count(&dice, 2, false, 1).report(String::new(), false).text();
    assert!(text.contains("rolls have the values of seed 1"), "{text}");
    let plain = count(MARKS, 2, false, 1).report(String::new(), false).text();
    assert!(!plain.contains("note"), "{plain}");
    let table = Copy::of_all().run(&["perft", "very-quick-violence", "6"]);
    assert!(
        table.page().contains("only its candidates are counted"),
        "{}",
        table.page()
    );
}

#[test]
fn rules_that_fail_say_after_which_answers() {
    let broken = MARKS.replace(
        "at.mark = 1;",
        "if at.name == \"b1\" && place(\"a1\").mark == 1 { throw \"no\" } at.mark = 1;",
    );
    let ruleset = Small::new(&broken)
        .load(&LoadOptions::default())
        .expect("it loads");
    let query = PerftQuery {
        depth: 3,
        forced_is_depth: false,
        threads: Some(2),
    };
    let problem = perft(&mut start(ruleset), query).expect_err("its rules fail");
    assert!(problem.message.ends_with("(after `a1`, `b1`)"), "{problem}");
}

#[test]
fn a_scenario_that_expects_other_numbers_fails_and_names_the_first_answers() {
    let copy = Copy::of_nothing();
    copy.write("scripts/marks/game.rhai", MARKS);
    let scenario = |perft: &str| {
        copy.write(
            "scenarios/marks/start.toml",
            format!("game = \"marks\"\n{perft}\n"),
        );
        copy.run(&["test", "--first-snapshots"]).page()
    };
    insta::assert_snapshot!(scenario("perft = [3, 5]"));
    let forced = scenario("perft_forced = [3, 6, 7]");
    assert!(
        forced.contains("is 6") && forced.contains("3 --forced --divide"),
        "{forced}"
    );
    assert!(!scenario("perft = [3, 6, 0]\nperft_forced = [3, 6, 6]").contains("sequences"));
}

#[test]
fn wrong_depths_are_refused() {
    let copy = Copy::of_nothing();
    copy.write("scripts/marks/game.rhai", MARKS);
    for depth in ["0", "101", "x"] {
        assert_eq!(copy.run(&["perft", "marks", depth]).status, 2);
    }
}
