//! Exact odds against closed forms that are derived by hand here, against themselves without
//! merging, and against many samples; and what cannot be asked.

use crate::support::{Copy, Small, brief, problems, session};
use rulebench::kernel::event::Event;
use rulebench::odds::{self, Limits, Merging, Odds, OddsQuery, root};
use rulebench::repl::session::Session;
use rulebench::report::{Problems, Source};
use rulebench::reports::Report;
use rulebench::rules::declare::DialValue;
use rulebench::stage::run::{self, Overrides};
use rulebench::work::{Host, TaskDisplay, Work};
use std::time::Duration;

/// A duel: both roll dice, either may roll its lowest die again or raise its highest, as dials say; the
/// lower highest die is removed. Dice lie in slots between the steps.
const GAME: &str = r##"
fn board() { #{ factions: ["red", "blue"], hexes: [3, 1] } }
fn dials() { #{
    red_dice: number(1, 1, 6), blue_dice: number(1, 1, 6), kicker: number(0, 0, 6),
    reroll: one_of("none", ["none", "red", "both"]), bump: one_of("none", ["none", "red", "both"]),
} }
fn slots() { #{
    faction: #{ dice: #{ holds: "dice" }, again: 0 },
} }
fn phases() { [
    #{ phase: "plan", each: "game", step: "plan" },
    #{ phase: "duel", whole: true, phases: [
        #{ phase: "throw", each: "faction", step: "throw_dice" },
        #{ phase: "take", each: "faction", step: "take" },
        #{ phase: "again", each: "faction", step: "again" },
        #{ phase: "bump", each: "faction", step: "bump_one" },
        #{ phase: "count", each: "game", step: "count" },
    ] },
    #{ phase: "rest", each: "game", step: "rest" },
] }
fn plan() { choose(first(), "plan", ["fight", "wait"]); }
fn rest() { }
fn throw_dice(side) {
    let dice = if side == first() { red_dice } else { blue_dice };
    side.dice = roll(side, "throw", dice, 6);
    if kicker > 0 && side == first() { side.dice = side.dice.plus(kicker); }
}
fn may(side, dial) { dial == "both" || dial == "red" && side == first() }
fn take(side) {
    if !may(side, reroll) { return; }
    if choose(side, "roll again", ["no", "yes"]) == "yes" {
        side.dice = side.dice.without(side.dice.lowest);
        side.again = 1;
    }
}
fn again(side) {
    if side.again == 1 {
        side.again = 0;
        side.dice = side.dice + roll(side, "again", 1, 6);
    }
}
fn bump_one(side) {
    if !may(side, bump) { return; }
    let die = choose(side, "bump", side.dice);
    side.dice = side.dice.raised(die, 1, 6);
}
fn count() {
    let red = first().dice.highest;
    let blue = second().dice.highest;
    if red > blue { remove(second().units.first); }
    if blue > red { remove(first().units.first); }
}
"##;

const LAID: &str = r#"
game = "tiny"
units.red = ["scouts a1"]
units.blue = ["scouts b1"]
answers = ["fight"]
"#;

pub fn duel() -> Small {
    Small::new(GAME).with("units/scouts", "fn stats() { #{ symbol: \"Sc\" } }")
}

/// Dials that are turned, by name.
pub fn turned(dials: &[(&str, &str)]) -> Overrides {
    let dials = dials
        .iter()
        .map(|(name, value)| ((*name).to_owned(), DialValue::read(value)));
    Overrides {
        dials: dials.collect(),
        ..Overrides::default()
    }
}

fn asked(small: &Small, laid: &str, dials: &[(&str, &str)], question: &OddsQuery) -> Result<Odds, Problems> {
    let overrides = turned(dials);
    let workspace = small.workspace().for_work(Work::new(Ticks::default()));
    let opened = run::open_in(&workspace, &Source::new("scenarios/tiny/it.toml", laid))?;
    let mut told = root::of_scenario(&workspace, &opened, &overrides, &[])?;
    odds::ask(&mut told.play, &told.root, question)
}

fn chances(odds: &Odds) -> String {
    let outcomes = odds.spread.outcomes.iter();
    let text: Vec<String> = outcomes.map(|o| format!("{} {}", o.text, o.chance)).collect();
    text.join(", ")
}

/// The chances of the duel with these dials.
fn of(dials: &[(&str, &str)]) -> String {
    let odds = asked(&duel(), LAID, dials, &OddsQuery::default());
    chances(&odds.unwrap_or_else(|problems| panic!("{}", problems.page(false))))
}

/// In how many of `6^dice` ways the highest die is `high`: high^dice - (high - 1)^dice.
fn ways(dice: u32, high: u64) -> u64 {
    high.pow(dice) - (high - 1).pow(dice)
}

#[test]
fn one_die_against_one() {
    // 6 of 36 pairs are even; of the other 30 each side wins half.
    assert_eq!(of(&[]), "blue.scouts1 5/12, red.scouts1 5/12, nobody 1/6");
}

#[test]
fn the_highest_of_two_against_the_highest_of_two() {
    // Even: the sum of the squares of 1, 3, 5, 7, 9, 11 is 286 of 1296; the rest is halved: 505.
    assert_eq!((1..=6).map(|high| ways(2, high).pow(2)).sum::<u64>(), 286);
    let dials = [("red_dice", "2"), ("blue_dice", "2")];
    assert_eq!(
        of(&dials),
        "blue.scouts1 505/1296, red.scouts1 505/1296, nobody 143/648"
    );
}

#[test]
fn a_kicker_of_four_is_the_highest_die_until_a_roll_beats_it() {
    // Red shows at least 4: its one die is 4 or less in 4 of 6 throws, 5 and 6 in one each. Blue's die is
    // below it in 3, 4, 5 of 6, even in 1: red wins 4x3 + 4 + 5 = 21, even 4 + 1 + 1 = 6, of 36.
    assert_eq!(
        of(&[("kicker", "4")]),
        "blue.scouts1 7/12, red.scouts1 1/4, nobody 1/6"
    );
}

#[test]
fn a_bump_goes_onto_the_highest_die() {
    // Red shows min(d + 1, 6): 2, 3, 4, 5, 6, 6; blue's die is below it in 1+2+3+4+5+5 = 20 of 36, even
    // in 6, above in 4+3+2+1+0+0 = 10.
    assert_eq!(
        of(&[("bump", "red")]),
        "blue.scouts1 5/9, red.scouts1 5/18, nobody 1/6"
    );
}

#[test]
fn a_die_is_rolled_again_where_that_is_better_on_average() {
    // Blue's die b lies on the table when red decides. A new die wins with 6 - b of its 6 faces and loses
    // with b - 1, which is worth 7 - 2b sixths. A lost throw is worth -1, less than any of these (b = 6
    // gives -5/6): again. An even one is worth 0: again for b = 1, 2, 3. A won one is kept.
    let (mut win, mut lose, mut even) = (0, 0, 0);
    for r in 1..=6i64 {
        for b in 1..=6i64 {
            let again = r < b || r == b && 7 - 2 * b > 0;
            if again {
                (win, lose, even) = (win + 6 - b, lose + b - 1, even + 1);
            } else if r > b {
                win += 6;
            } else {
                even += 6;
            }
        }
    }
    assert_eq!((win, lose, even), (122, 58, 36));
    assert_eq!(
        of(&[("reroll", "red")]),
        "blue.scouts1 61/108, red.scouts1 29/108, nobody 1/6"
    );
}

#[test]
fn positions_that_are_merged_have_the_odds_of_those_that_are_not() {
    let dials = [("red_dice", "2"), ("blue_dice", "2"), ("bump", "both")];
    let merged = asked(&duel(), LAID, &dials, &OddsQuery::default()).expect("odds");
    let limits = Limits {
        merging: Merging::Never,
        ..Limits::default()
    };
    let question = OddsQuery {
        limits,
        ..OddsQuery::default()
    };
    let apart = asked(&duel(), LAID, &dials, &question).expect("odds");
    assert_eq!(merged.spread.outcomes, apart.spread.outcomes);
    assert!(merged.work.positions < apart.work.positions);
}

#[test]
fn rules_that_read_the_record_are_not_merged() {
    // The die is not in the world: only the record tells what was rolled.
    let game = duel().replaced(
        "scripts/tiny/game.rhai",
        "side.dice = roll(side, \"throw\", dice, 6);",
        "if roll(side, \"throw\", dice, 6).highest == 6 { choose(side, \"six\", [\"six\"]); }",
    );
    let game = game.replaced(
        "scripts/tiny/game.rhai",
        "let red = first().dice.highest;\n    let blue = second().dice.highest;",
        "let red = times(\"chose six\"); let blue = 1;",
    );
    let odds = asked(&game, LAID, &[], &OddsQuery::default());
    let odds = odds.unwrap_or_else(|problems| panic!("{}", problems.page(false)));
    // Two sixes: 1 of 36; none: 25.
    assert_eq!(
        chances(&odds),
        "red.scouts1 25/36, nobody 5/18, blue.scouts1 1/36"
    );
}

#[test]
fn outcomes_are_told_apart_and_averaged_as_asked() {
    let question = OddsQuery {
        by: Some("first().dice.total".to_owned()),
        ..OddsQuery::default()
    };
    let odds = asked(&duel(), LAID, &[("red_dice", "2")], &question).expect("odds");
    // Two dice: mean 7, variance 35/6.
    assert_eq!(odds.spread.outcomes.len(), 11);
    assert_eq!(odds.spread.outcomes[0].chance.to_string(), "1/36");
    let (mean, deviation) = odds.spread.mean.clone().expect("numbers");
    assert_eq!(mean.to_string(), "7");
    assert!((deviation - (35.0f64 / 6.0).sqrt()).abs() < 1e-12);
    insta::assert_snapshot!(page(&odds));
}

fn page(odds: &Odds) -> String {
    let mut page = Report::default();
    odds::report::add_odds(&mut page, &[("as it is".to_owned(), odds.clone())]);
    page.text()
}

#[test]
fn what_is_stopped_at_once_says_only_that() {
    let question = OddsQuery {
        stop: Some(std::sync::Arc::new(true.into())),
        ..OddsQuery::default()
    };
    let stopped = asked(&duel(), LAID, &[], &question).expect_err("it is stopped");
    assert_eq!(brief(&stopped.0[0]), "stopped-early");
}

#[test]
fn each_policy_answers_in_its_way() {
    let with = |policy, goal: Option<&str>| {
        let question = OddsQuery {
            policy,
            goal: goal.map(str::to_owned),
            ..OddsQuery::default()
        };
        chances(&asked(&duel(), LAID, &[("reroll", "red")], &question).expect("odds"))
    };
    use odds::explore::Policy;
    let plain = "blue.scouts1 5/12, red.scouts1 5/12, nobody 1/6";
    // "no" comes first; and who rolls one die again at random throws as before.
    assert_eq!(with(Policy::First, None), plain);
    assert_eq!(with(Policy::Random, None), plain);
    assert_ne!(with(Policy::Best, None), plain);
    // Whoever wants to lose rolls again where others would not.
    let loses = with(Policy::Best, Some("side.foe.units.len - side.units.len"));
    assert_eq!(loses, "red.scouts1 61/108, blue.scouts1 29/108, nobody 1/6");
}

#[test]
fn an_open_choice_has_a_row_for_each_option() {
    let laid = LAID.replace("answers = [\"fight\"]", "");
    let question = OddsQuery {
        until: Some("end of duel".to_owned()),
        ..OddsQuery::default()
    };
    let odds = asked(&duel(), &laid, &[], &question).expect("odds");
    insta::assert_snapshot!(page(&odds));
}

/// Outcomes differ by damage, which counts as far as the game's `worth` counts it.
#[test]
fn damage_tells_outcomes_apart_and_counts() {
    let game = r##"
fn board() { #{ factions: ["red", "blue"], hexes: [3, 1] } }
fn slots() { #{ unit: #{ life: #{ start: 3, at_zero: "dies" } } } }
fn phases() { [#{ phase: "blow", each: "faction", step: "blow" }] }
fn blow(side) {
    if side == second() { return; }
    if choose(side, "deed", ["wait", "strike"]) == "strike" {
        let foe = side.foe.units.first;
        let damage = if roll(side, "blow", 1, 6).total > 4 { 3 } else { 1 };
        hit(foe, damage, "blow");
    }
}
fn dies(me) { remove(me); }
"##;
    let laid = "game = \"tiny\"\nunits.red = [\"scouts a1\"]\nunits.blue = [\"scouts b1\"]\n";
    let worth = "fn worth(side) { side.units.total(\"life\") - side.foe.units.total(\"life\") }";
    let plain = Small::new(game).with("units/scouts", "fn stats() { #{ symbol: \"Sc\" } }");
    let judged =
        Small::new(&format!("{game}{worth}")).with("units/scouts", "fn stats() { #{ symbol: \"Sc\" } }");
    let told = |small: &Small| {
        let odds = asked(small, laid, &[], &OddsQuery::default()).expect("odds");
        let choice = odds.choice.expect("a choice");
        let options = choice.options.iter().map(|option| {
            let outcomes = option.spread.outcomes.iter();
            let outcomes: Vec<String> = outcomes.map(|o| format!("{} {}", o.text, o.chance)).collect();
            let goal = option.goal.as_ref().expect("all is looked at").to_string();
            (outcomes.join("; "), goal, option.taken)
        });
        (choice.measure, options.collect::<Vec<_>>())
    };
    let strike = "blue.scouts1 life 3->2 2/3; blue.scouts1 1/3".to_owned();
    let wait = "nobody 1".to_owned();
    let units = [
        (wait.clone(), "0".to_owned(), false),
        (strike.clone(), "1/3".to_owned(), true),
    ];
    assert_eq!(told(&plain), ("goal", units.to_vec()));
    let lives = [(wait, "0".to_owned(), false), (strike, "5/3".to_owned(), true)];
    assert_eq!(told(&judged), ("worth", lives.to_vec()));
}

/// Checks that this number of samples agrees with the exact odds, in a duel of two dice against two with a bump.
fn samples_agree(games: u64) {
    let question = OddsQuery {
        policy: odds::explore::Policy::Random,
        ..OddsQuery::default()
    };
    let workspace = duel().workspace();
    let opened = run::open_in(&workspace, &Source::new("it.toml", LAID)).expect("a scenario");
    let overrides = Overrides {
        dials: vec![("bump".to_owned(), DialValue::read("both"))],
        ..Overrides::default()
    };
    let mut told = root::of_scenario(&workspace, &opened, &overrides, &[]).expect("a root");
    let exact = odds::ask(&mut told.play, &told.root, &question).expect("odds");
    let sampled = odds::sample::sample(&mut told.play, &told.root, &question, games).expect("samples");
    for (text, count, margin) in &sampled.outcomes {
        let mut outcomes = exact.spread.outcomes.iter();
        let outcome = outcomes.find(|o| o.text == *text).expect("it can come");
        let share = *count as f64 / games as f64;
        // Twice what 95 % lie within: about four standard deviations.
        assert!(
            (share - outcome.chance.approximate()).abs() < 2.0 * margin,
            "{text}: {share}"
        );
    }
}

#[test]
fn a_million_samples_agree_with_what_is_exact() {
    samples_agree(1_000_000);
}

#[test]
fn a_unit_is_replaced_wherever_the_scenario_names_it() {
    let small = duel().with("units/guards", "fn stats() { #{ symbol: \"Gu\" } }");
    let workspace = small.workspace();
    let laid = LAID.replace(
        "units.blue = [\"scouts b1\"]",
        "units.blue = [\"scouts b1\", \"guards c1\"]",
    );
    let opened = || run::open_in(&workspace, &Source::new("it.toml", laid.as_str())).expect("a scenario");
    let mut one = opened();
    let mut further = ["blue.scouts1", "aim: blue.guards1"].map(str::to_owned);
    let named =
        odds::replace::replace(&mut one, &mut further, &[("blue.scouts1", "guards")]).expect("it is there");
    assert_eq!(named, ["blue.guards1"]);
    assert_eq!(further, ["blue.guards1", "aim: blue.guards2"]);
    let names = one.file.position.names();
    assert_eq!(names[1], ["blue.guards1", "blue.guards2"]);
    // All at once: the second name is that of the unit that the scenario has so.
    let mut both = opened();
    let swap = [("blue.scouts1", "guards"), ("blue.guards1", "scouts")];
    let named = odds::replace::replace(&mut both, &mut [], &swap).expect("they are there");
    assert_eq!(named, ["blue.guards1", "blue.scouts1"]);
    let unknown =
        odds::replace::replace(&mut opened(), &mut [], &[("blue.scots1", "guards")]).expect_err("not there");
    assert!(unknown.page(false).contains("did you mean `blue.scouts1`?"));
    let all = odds::grid::grid(
        &workspace,
        &opened(),
        &[],
        &Overrides::default(),
        &[],
        &OddsQuery::default(),
    );
    let grid = all.unwrap_or_else(|problems| panic!("{}", problems.page(false)));
    let page = odds::report::grid("", &grid, "rulebench odds it", false).text();
    insta::assert_snapshot!(page.split_once('\n').expect("a head").1);
}

#[test]
fn what_cannot_be_asked_is_said() {
    let endless = duel().replaced(
        "scripts/tiny/game.rhai",
        "#{ phase: \"rest\", each: \"game\", step: \"rest\" }",
        "#{ phase: \"round\", repeat: true, phases: [#{ phase: \"rest\", each: \"game\", step: \"rest\" }] }, #{ phase: \"after\", each: \"game\", step: \"rest\" }",
    );
    let forever = duel().replaced(
        "scripts/tiny/game.rhai",
        "side.dice = roll(side, \"throw\", dice, 6);",
        "side.dice = roll(side, \"throw\", dice, 6); while side.dice.total != 1 { side.dice = roll(side, \"throw\", dice, 6); }",
    );
    let thrown = duel().replaced(
        "scripts/tiny/game.rhai",
        "roll(side, \"throw\", dice, 6)",
        "roll(side, \"throw\", 12, 31)",
    );
    let missing = duel().replaced(
        "scripts/tiny/game.rhai",
        "side.dice = side.dice.raised(die, 1, 6);",
        "side.dice = side.dice.without(7);",
    );
    let question = OddsQuery::default;
    let until = |text: &str| OddsQuery {
        until: Some(text.to_owned()),
        ..question()
    };
    let few = OddsQuery {
        limits: Limits {
            runs: 0,
            ..Limits::default()
        },
        ..question()
    };
    let by = |text: &str| OddsQuery {
        by: Some(text.to_owned()),
        ..question()
    };
    let goal = OddsQuery {
        goal: Some("side.units".to_owned()),
        ..question()
    };
    let unread = OddsQuery {
        goal: Some("sidee.units.len".to_owned()),
        ..question()
    };
    let cases: [(&str, &Small, &str, OddsQuery); 12] = [
        ("too many runs", &duel(), LAID, few),
        ("a roll of too many results", &thrown, LAID, question()),
        ("a game without end", &endless, LAID, until("after")),
        ("a step without end", &forever, LAID, question()),
        (
            "a number that no phase has",
            &endless,
            LAID,
            until("end of round 2000"),
        ),
        ("a die that is not there", &missing, LAID, question()),
        ("an unknown phase", &duel(), LAID, until("end of dual")),
        (
            "a number behind a phase that does not repeat",
            &duel(),
            LAID,
            until("end of duel 2"),
        ),
        (
            "an expression that cannot be read",
            &duel(),
            LAID,
            by("first().dcie"),
        ),
        ("a goal that is no number", &duel(), LAID, goal),
        ("a goal that cannot be read", &duel(), LAID, unread),
        (
            "an answer that is not offered",
            &duel(),
            &LAID.replace("fight", "flee"),
            question(),
        ),
    ];
    let mut pages = String::new();
    for (what, small, laid, question) in cases {
        let said = match asked(small, laid, &[("bump", "red")], &question) {
            Ok(odds) => chances(&odds),
            Err(problems) => brief(&problems.0[0]),
        };
        pages += &format!("{what}: {said}\n");
    }
    insta::assert_snapshot!(pages);
}

#[test]
fn options_are_read_as_files_are_and_told_as_they_are_typed() {
    let copy = Copy::of_rules();
    let text = "game = \"smalltricks\"\nunits.red = [\"spears c3\"]\nunits.blue = [\"archers c4\"]\n";
    copy.write("scenarios/smalltricks/it.toml", text);
    let ran = copy.run(&["odds", "it", "--answer", "move: stay"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    assert_eq!(
        copy.problems(&["odds", "it", "--answer", "moove: stay"]),
        ["unknown-option(moove: stay, red, move)"]
    );
    let ran = copy.run(&["odds", "it", "--as", "blue.archers1=archerz", "--json"]);
    assert_eq!(ran.problems(), ["unknown-name(unit type, archerz)"]);
}

#[test]
fn nobody_looks_into_a_secret_choice_on_the_way() {
    let small = Small::new(
        r##"
        fn board() { #{ factions: ["red", "blue"], hexes: [2, 1] } }
        fn slots() { #{ faction: #{ coin: 0, points: 0 } } }
        fn phases() { [
            #{ phase: "open", each: "game", step: "begin" },
            #{ phase: "settle", each: "faction", step: "settle", hidden: true },
            #{ phase: "show", each: "game", step: "show" },
        ] }
        fn begin() { choose(first(), "begin", ["now", "later"]); }
        fn settle(side) { side.coin = choose(side, "coin", 0..=1); }
        fn show() { if first().coin == second().coin { add(first(), "points", 1, "match"); } }
    "##,
    )
    .with("units/scouts", "fn stats() { #{ symbol: \"Sc\" } }");
    let laid = "game = \"tiny\"\nunits.red = [\"scouts a1\"]\nanswers = [\"now\"]\n";
    let asked_with = |policy| {
        let question = OddsQuery {
            until: Some("end of show".to_owned()),
            by: Some("first().points".to_owned()),
            policy,
            ..OddsQuery::default()
        };
        asked(&small, laid, &[], &question)
    };
    let refused = asked_with(odds::explore::Policy::Best).expect_err("a secret");
    assert_eq!(brief(&refused.0[0]), "secret-choice");
    let random = asked_with(odds::explore::Policy::Random).expect("chance sees nothing");
    assert!(page(&random).contains("1/2"), "{}", page(&random));
}

#[test]
fn an_unknown_policy_gets_the_nearest() {
    let page = odds::policy("bset").expect_err("unknown").to_string();
    assert!(page.contains("bset"), "{page}");
}

/// Answers that the question does not use up are not taken by whoever comes next.
#[test]
fn a_cell_of_a_grid_is_of_the_same_question_or_says_why_it_is_none() {
    let copy = Copy::of_rules();
    copy.write(
        "close.toml",
        "game = \"pocket-tactics\"\nterrain.field = \"g5 g6\"\nunits.red = [\"footman g5\"]\n\
         units.blue = [\"footman g6\"]\nanswers = [\"attack\", \"skirmish\"]\n",
    );
    // Whatever `--limit` allows, what is known by then is told; a grid of which that is not all is no success.
    let little = copy.run(&["odds", "close.toml", "--until", "end of turn", "--limit", "300"]);
    assert!(
        little.status == 1
            && little
                .flat()
                .contains("stopped before more runs than `--limit` allows, 300"),
        "{}",
        little.page()
    );
    let none = copy.run(&["odds", "close.toml", "--grid", "--limit", "1"]);
    assert_eq!(none.status, 1, "{}", none.page());
    let some = copy.run(&["odds", "close.toml", "--grid", "--limit", "150", "--json"]);
    let some_told = some.out.contains("\"outcomes\"") && some.out.contains("more runs than `--limit` allows");
    assert!(some_told && some.status == 1, "{}", some.page());
    let grid = copy.run(&["odds", "close.toml", "--grid", "--until", "step", "--json"]);
    // That a pair never comes to the question is an answer.
    assert_eq!(grid.status, 0, "{}", grid.page());
    let grid: serde_json::Value = serde_json::from_str(&grid.out).expect("JSON");
    let cells = grid["cells"].as_array().expect("cells");
    assert!(cells.iter().any(|c| c["row_type"] == "mage"));
    for cell in cells {
        let why = cell["refusal"].as_str().unwrap_or_default();
        // Next to anybody a Mage can do nothing, so that blue's turn comes at once: said is what the rules refuse.
        assert_eq!(cell["row_type"] == "mage", !why.is_empty(), "{cell}");
        assert_eq!(
            cell["row_type"] == "mage",
            why.ends_with("it is not exactly 2 tiles away"),
            "{cell}"
        );
    }
    // Nobody else reaches as far as a Mage does, but an Archer.
    copy.write(
        "far.toml",
        "game = \"pocket-tactics\"\nterrain.field = \"f7 f8 h7 h8 g5 g6 g7\"\nterrain.forest = \"g8\"\n\
         units.red = [\"mage g6\"]\nunits.blue = [\"footman g8\"]\nopen = \"first\"\n\
         answers = [\"attack\", \"skirmish\"]\n",
    );
    let far = copy.run(&["odds", "far.toml", "--grid", "--until", "step", "--json"]);
    let far: serde_json::Value = serde_json::from_str(&far.out).expect("JSON");
    for cell in far["cells"].as_array().expect("cells") {
        let why = cell["refusal"].as_str().unwrap_or_default();
        let near = cell["row_type"] == "cavalier" || cell["row_type"] == "footman";
        assert_eq!(near, why.ends_with("it is out of range"), "{cell}");
    }
}

/// Samples are asked like exact odds: with a seed, other rules, an agent that looks ahead.
#[test]
fn samples_heed_seed_variants_dials_and_agents() {
    let copy = Copy::of_rules();
    copy.write(
        "duel.toml",
        "game = \"pocket-tactics\"\nterrain.field = \"g5 g6 g7\"\nunits.red = [\"archer g5\"]\n\
         units.blue = [\"footman g7\"]\nanswers = [\"attack\", \"skirmish\"]\n",
    );
    let run = |args: &[&str]| {
        let base = ["odds", "duel.toml", "--sample", "60", "--json", "--policy"];
        let ran = copy.run(&[&base[..], args].concat());
        assert_eq!(ran.status, 0, "{args:?}: {}", ran.err);
        let found: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        found["arms"].as_array().expect("arms").clone()
    };
    let first = run(&["first"]);
    assert_eq!(first, run(&["first"]));
    assert_ne!(
        first[0]["outcomes"],
        run(&["first", "--seed", "9"])[0]["outcomes"]
    );
    let arms = run(&[
        "first",
        "--variant",
        "paired-dice",
        "--set",
        "archer.off=4",
        "--each",
    ]);
    let names: Vec<_> = arms.iter().map(|arm| &arm["arm"]).collect();
    assert_eq!(names, ["as it is", "with paired-dice", "with archer.off=4"]);
    assert_ne!(arms[0]["outcomes"], arms[2]["outcomes"]);
    let greedy = run(&["greedy"]);
    assert_eq!(greedy[0]["policy"], "greedy");
    assert_eq!(greedy, run(&["greedy"]));
    let exact = copy.run(&["odds", "duel.toml", "--policy", "greedy"]);
    assert_eq!(exact.status, 2);
    assert!(exact.err.contains("--sample 1000"), "{}", exact.err);
}

/// Odds that are asked from outside the game see everything: secret rolls have odds too.
#[test]
fn secret_phases_are_open_to_questions_from_outside() {
    let copy = Copy::of_rules();
    copy.write(
        "rolled.toml",
        "game = \"smalltricks\"\ndials.armies = \"rolled_per_match\"\ndials.faction_size = 2\n",
    );
    let args = [
        "odds",
        "rolled.toml",
        "--policy",
        "first",
        "--until",
        "end of muster",
        "--by",
        "faction(\"red\").units.of_type(\"archers\").len >= 2",
    ];
    let exact = copy.run(&args);
    assert!(exact.out.contains("1/36"), "{} {}", exact.out, exact.err);
    let sampled = copy.run(&[&args[..], &["--sample", "50"]].concat());
    assert_eq!(sampled.status, 0, "{}", sampled.err);
}

const BOUT: &str = r##"
fn board() { #{ factions: ["red", "blue"], hexes: [3, 1] } }
fn dials() { #{ dice: number(1, 1, 4) } }
fn slots() { #{ faction: #{ best: 0 } } }
fn phases() { [#{ phase: "bout", phases: [
#{ phase: "throw", each: "faction", step: "throw_dice" },
#{ phase: "secret", each: "faction", step: "settle", hidden: true },
] }] }
fn throw_dice(side) {
let seen = roll(side, "throw", dice, 6).highest;
if choose(side, "again", ["keep", "again"]) == "again" { seen = roll(side, "again", 1, 6).highest; }
side.best = seen;
}
fn settle(side) { choose(side, "settle", ["left", "right"]); }
"##;

/// A throw that may be thrown again, and a secret choice: at the prompt, thrown once.
fn bout() -> Session {
    let small = Small::new(BOUT).with("units/scouts", "fn stats() { #{ symbol: \"Sc\" } }");
    session(&small.workspace(), "tiny")
}

#[test]
fn what_is_rolled_stays_and_the_game_stays_as_it_is() {
    let mut session = bout();
    let before = (session.play.position(), session.play.events());
    let goal = "--goal side.best --by first().best";
    let told = session.line(&format!(":odds {goal}")).print();
    // The die that lies there is kept or not; a new one shows each number as often.
    assert!(
        told.contains("* again  16.67 %") && told.contains("7/2"),
        "{told}"
    );
    let kept = session.line(&format!(":odds keep {goal}")).print();
    assert!(
        kept.contains("100 %") && kept.contains("standard deviation 0"),
        "{kept}"
    );
    let with = session.line(&format!(":odds again {goal} --with dice=2")).print();
    assert!(with.contains("with dice=2"), "{with}");
    assert_eq!(before, (session.play.position(), session.play.events()));
    assert!(session.play.is_asking());
}

#[test]
fn what_cannot_be_asked_is_refused_and_so_is_what_is_secret() {
    let mut session = bout();
    for (line, said) in [
        (":odds kep", "did you mean `keep`?"),
        (":odds --bye 3", "did you mean `--by`?"),
        (":odds --by", "has no value"),
        (":odds --limit few", "not a number of runs"),
        (":odds --policy bests", "did you mean `best`?"),
        (":odds --with dize=2", "dice"),
    ] {
        let reply = session.line(line);
        let page = reply.print();
        assert!(reply.failed() && page.contains(said), "{line}: {page}");
    }
    session.line("keep");
    session.line("keep");
    assert_eq!(problems(&mut session, ":odds"), ["secret-choice"]);
}

#[test]
fn what_is_gathered_in_a_simultaneous_phase_is_part_of_a_position() {
    let copy = Copy::of_nothing();
    let game = r##"fn board() { #{ factions: ["red", "blue"], squares: [5, 4], engaged: "adjacent" } }
fn stats() { #{ life: 3 } }
fn slots() { #{ unit: #{ life: #{ start: 0, at_zero: "dies" } } } }
fn phases() { [#{ phase: "game", contest: "game", phases: [#{ phase: "round", repeat: true, phases: [
    #{ phase: "acts", each: "unit", simultaneous: true, step: "act" },
] }] }] }
fn dies(me) { remove(me, "dies"); }
fn act(me) { if roll(me, "v", 1, 6).total >= 4 { hit(me.foes.first, 3, "v", me); } }
"##;
    copy.write("scripts/bands/game.rhai", game)
        .write("units/bands/men.rhai", "fn stats() { #{ symbol: \"M\" } }\n")
        .write(
            "scenarios/bands/s.toml",
            "game = \"bands\"\nunits.red = [\"men a1\"]\nunits.blue = [\"men b1\"]\n",
        );
    // Beyond what is asked about the rules may fail, or never end.
    for act in [
        "fn act(me) {",
        "fn act(me) { if count(\"round\") == 2 { throw \"later\"; }",
    ] {
        copy.write("scripts/bands/game.rhai", game.replace("fn act(me) {", act));
        let ran = copy.run(&["odds", "s", "--until", "end of acts"]);
        let quarters = ran.out.matches("  1/4  25 %").count();
        assert!(quarters == 4 && ran.out.contains("exact: "), "{}", ran.page());
    }
    let ran = copy.run(&["odds", "s", "--until", "end of round 2"]);
    assert!(ran.err.contains("later"), "{}", ran.page());
}

/// Rolls before the first question are those of the seed, and a note says so; the ground that a board is drawn with
/// stays when the terrain of one place is changed.
#[test]
fn odds_say_what_hangs_on_the_seed_and_keep_the_ground() {
    let copy = Copy::of_nothing();
    copy.write(
        "scripts/tiny/game.rhai",
        r##"
        fn board() { #{ factions: ["red", "blue"], cells: "squares", map: ["..w."],
            legend: #{ ".": "plain", "w": "wood" } } }
        fn slots() { #{ game: #{ storm: 0 } } }
        fn phases() { [#{ phase: "weather", each: "game", step: "blow" },
            #{ phase: "shots", turn: "first", step: "shoot" }] }
        fn blow() { let g = game(); g.storm = roll(first(), "sky", 1, 6).total; }
        fn shoot(me) {
            let foe = choose(me, "target", me.foes);
            let needed = if foe.place.terrains.contains(terrain("wood")) { 5 } else { 4 };
            if roll(me, "shot", 1, 6).total >= needed { remove(foe); }
        }
        "##,
    );
    copy.write("units/tiny/men.rhai", "fn stats() { #{} }\n");
    for terrain in ["plain", "wood"] {
        copy.write(
            format!("scripts/tiny/terrain/{terrain}.rhai").as_str(),
            "fn stats() { #{} }\n",
        );
    }
    copy.write(
        "scenarios/tiny/shot.toml",
        "game = \"tiny\"\ntitle = \"x\"\nunits.red = [\"men a1\"]\nunits.blue = [\"men c1\", \"men d1\"]\n",
    );
    let asked = ["odds", "shot", "--by", "game().storm", "--policy", "first"];
    let ran = copy.run(&[&asked[..], &["--seed", "3"]].concat());
    let note = "note: earlier rolls have the values of seed 3; the odds do not vary them";
    assert!(ran.flat().contains(note), "{}", ran.page());
    let shot = [
        "odds",
        "shot",
        "--answer",
        "blue.men1",
        "--by",
        "unit(\"blue.men1\").alive",
    ];
    let of = |more: &[&str]| copy.run(&[&shot[..], more].concat()).page();
    assert!(of(&[]).contains("1/3"), "{}", of(&[]));
    assert!(
        of(&["--terrain", "c1=plain"]).contains("1/2"),
        "{}",
        of(&["--terrain", "c1=plain"])
    );
}

/// One step that rolls and asks in turn, and makes texts of what it rolls.
const IN_TURN: &str = r##"
fn board() { #{ factions: ["red", "blue"], hexes: [3, 1] } }
fn slots() { #{ game: #{ n: 0 } } }
fn phases() { [#{ phase: "p", each: "game", step: "act" }] }
fn act() {
    choose(first(), "begin", ["go on", "stay"]);
    let rolled = roll(first(), "first", 1, 6).total;
    choose(first(), "keep", ["n" + rolled, "m" + rolled]);
    let again = roll(first(), "again", 1, 6).total;
    let text = "";
    for n in 0..40 { text = "a text of " + rolled + " and " + again + " with " + (1000 * roll(first(), "n", 1, 100).total + n); }
    choose(first(), "then", ["x", "y"]);
    add(game(), "n", rolled, "n");
}
"##;

#[test]
fn samples_are_as_many_as_are_wanted_whatever_texts_they_make_and_whoever_looks_ahead() {
    let workspace = Small::new(IN_TURN).workspace();
    let laid = "game = \"tiny\"\nanswers = [\"begin: stay\"]\n";
    let ask = |policy, games| {
        let opened = run::open_in(&workspace, &Source::new("it.toml", laid)).expect("a scenario");
        let question = OddsQuery {
            policy,
            by: Some("game().n".to_owned()),
            ..OddsQuery::default()
        };
        let mut told = root::of_scenario(&workspace, &opened, &Overrides::default(), &[]).expect("a root");
        odds::sample::sample(&mut told.play, &told.root, &question, games).expect("samples")
    };
    assert_eq!(ask(odds::explore::Policy::First, 3_000).games, 3_000);
    let greedy = ask(odds::explore::Policy::Greedy, 60);
    assert!(greedy.games == 60 && greedy.outcomes.len() > 3, "{greedy:?}");
}

#[test]
fn dice_that_a_scenario_has_behind_its_last_answer_are_told_to_be_open() {
    let workspace = Small::new(IN_TURN).workspace();
    let laid = "game = \"tiny\"\nrolls.first = [6]\nanswers = [\"begin: stay\"]\n";
    let opened = run::open_in(&workspace, &Source::new("it.toml", laid)).expect("a scenario");
    let told = root::of_scenario(&workspace, &opened, &Overrides::default(), &[]).expect("a root");
    let note = told.note.unwrap_or_default();
    assert!(
        note.contains("dice for first come after its last answer"),
        "{note}"
    );
}

/// A roll, and what somebody takes of it, or of as many as there are: with equal dice nobody is asked.
const TAKES: &str = r#"
fn board() { #{ factions: ["red","blue"], squares: [1,1] } }
fn slots() { #{ game: #{ got: 0 } } }
fn phases() { [#{ phase: "go", each: "game", step: "resolve" }] }
fn resolve() { take(first()); }
fn take(side) { let g = game(); g.got += choose(side, "face", roll(side, "block", 2, 6)); }
"#;

#[test]
fn a_single_option_is_no_given_answer_whatever_the_seed_rolls() {
    let question = OddsQuery {
        by: Some("game().got".to_owned()),
        goal: Some("game().got".to_owned()),
        ..OddsQuery::default()
    };
    let ask = |small: &Small, laid: &str| {
        let odds = asked(small, laid, &[], &question);
        odds.unwrap_or_else(|problems| panic!("{laid}: {}", problems.page(false)))
    };
    let mean = |odds: &Odds| odds.spread.mean.clone().expect("numbers").0.to_string();
    let [faction, unit] =
        ["faction", "unit"].map(|each| format!("each: \"{each}\", step: \"take_of_{each}\""));
    let games = [
        TAKES.to_owned(),
        TAKES.replace("each: \"game\", step: \"resolve\"", &faction)
            + "fn take_of_faction(side) { take(side); }",
        TAKES.replace("each: \"game\", step: \"resolve\"", &unit) + "fn take_of_unit(me) { take(me.owner); }",
    ];
    for game in games {
        let small = Small::new(&game).with("units/scouts", "fn stats() { #{ symbol: \"Sc\" } }");
        let units = if game == TAKES {
            ""
        } else {
            "units.red = [\"scouts a1\"]\n"
        };
        let mut forced = 0;
        for seed in 0..40 {
            let laid = format!("game = \"tiny\"\nseed = {seed}\n{units}");
            let odds = ask(&small, &laid);
            // The higher of two dice: (1 + 3x2 + 5x3 + 7x4 + 9x5 + 11x6) / 36.
            assert_eq!(mean(&odds), "161/36", "seed {seed} of {game}");
            let opened =
                run::open_in(&small.workspace(), &Source::new("it.toml", laid.as_str())).expect("a scenario");
            let ran = run::run(&small.workspace(), &opened, &Overrides::default()).expect("it is played");
            let events = ran.play.events();
            forced += usize::from(
                events
                    .iter()
                    .any(|e| matches!(e, Event::Chose(answer) if answer.only)),
            );
        }
        // Some of these seeds roll equal dice.
        assert!((1..40).contains(&forced), "{forced}");
    }
}

#[test]
fn a_fight_of_six_dice_against_five_looks_at_the_two_highest() {
    let copy = Copy::of_rules();
    copy.write(
        "six.toml",
        "game = \"the-wager\"\nunits.red = [\"champion 4,4\"]\nunits.blue = [\"knight 5,4\"]\n\
         answers = [\"red.champion1\", \"fight\", \"attack: 6\", \"defence: 5\"]\n",
    );
    let told = copy.run(&["odds", "six.toml"]);
    let flat = told.flat();
    // As counted over all 252 x 462 pairs of rolls, which took 178,338 runs.
    assert!(
        flat.contains("blue.knight1 82125815/362797056"),
        "{}",
        told.page()
    );
    let runs = flat
        .split(" runs")
        .next()
        .and_then(|text| text.rsplit(' ').next());
    let runs: u32 = runs.and_then(|runs| runs.parse().ok()).expect("how many runs");
    assert!(runs < 2_000, "{}", told.page());
}

/// A clock that goes a second further each time that somebody looks at it.
#[derive(Default)]
struct Ticks(std::sync::atomic::AtomicU64);

impl Host for Ticks {
    fn begin(&self, _: &str, _: Option<usize>) -> Box<dyn TaskDisplay> {
        struct Nothing;
        impl TaskDisplay for Nothing {
            fn step(&self, _: u64, _: &dyn Fn() -> String) {}
        }
        Box::new(Nothing)
    }

    fn now(&self) -> Duration {
        Duration::from_secs(self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst))
    }
}

#[test]
fn what_is_known_when_the_time_is_over_is_told_as_bounds() {
    let dials = [("red_dice", "2"), ("blue_dice", "2"), ("reroll", "both")];
    let within = |seconds| {
        let question = OddsQuery {
            time: Some(Duration::from_secs(seconds)),
            ..OddsQuery::default()
        };
        asked(&duel(), LAID, &dials, &question)
    };
    let whole = asked(&duel(), LAID, &dials, &OddsQuery::default()).expect("odds");
    assert_eq!(within(1_000_000).expect("odds"), whole);
    let some = within(60).expect("bounds");
    let stopped = some.stopped.clone().expect("it is stopped");
    assert!(
        stopped.contains("60 s") && stopped.contains("--seconds"),
        "{stopped}"
    );
    // What is said holds at least, and what was not looked at is the rest.
    let chance = |odds: &Odds, text: &str| {
        let mut outcomes = odds.spread.outcomes.iter();
        outcomes
            .find(|o| o.text == text)
            .map_or(0.0, |o| o.chance.approximate())
    };
    for outcome in &whole.spread.outcomes {
        let least = chance(&some, &outcome.text);
        let most = least + chance(&some, "not looked at");
        let exactly = outcome.chance.approximate();
        assert!(
            least <= exactly && exactly <= most + 1e-9,
            "{outcome:?}: {least} to {most}"
        );
    }
    assert!(chance(&some, "not looked at") > 0.0);
    let none = within(0).expect_err("nothing is known").page(false);
    assert!(none.contains("--seconds"), "{none}");
}

#[test]
fn the_command_line_looks_for_seconds() {
    let copy = Copy::of_nothing();
    // Each of thirty throws of twelve dice is remembered by its sum: nobody looks at all of that.
    let game = "fn board() { #{ factions: [\"red\", \"blue\"], squares: [1, 1] } }
        fn slots() { #{ game: #{ got: 0, times: 0 } } }
        fn phases() { [#{ phase: \"round\", repeat: true, phases: [#{ phase: \"go\", each: \"game\", step: \"act\" }] }] }
        fn act() {
            let g = game();
            g.got = (g.got * 7 + roll(first(), \"dice\", 6, 6).total) % 1000003;
            g.times += 1;
            if g.times == 30 { win(first(), \"all thrown\"); }
        }";
    copy.write("scripts/long/game.rhai", game);
    copy.write("scenarios/long/it.toml", "game = \"long\"\n");
    let ran = copy.run(&[
        "odds",
        "it",
        "--until",
        "end of round 30",
        "--by",
        "game().got",
        "--seconds",
        "1",
    ]);
    assert_eq!(ran.status, 1, "{}", ran.page());
    assert!(ran.flat().contains("stopped after 1 s"), "{}", ran.page());
    let none = copy.run(&["odds", "it", "--seconds", "0"]);
    assert_eq!(none.status, 2, "{}", none.page());
}
