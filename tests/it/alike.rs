//! Odds that take positions together of whose dice all that follows sees the same, against odds that look at
//! each position, and at each course of things, by itself.

use crate::support::{Small, root, short_game};
use rulebench::agents::Agent;
use rulebench::kernel::dice::RollKey;
use rulebench::odds::explore::Policy;
use rulebench::odds::root::{self as roots, OddsRoot};
use rulebench::odds::{self, Limits, Merging, Odds, OddsQuery};
use rulebench::play::Play;
use rulebench::report::{Problems, Source};
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::{self, Overrides};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Random draws from a key, one after the other.
struct Draw(RollKey, u64);

impl Draw {
    fn of(seed: u64) -> Self {
        Self(RollKey::new(seed).with_text("alike"), 0)
    }

    fn below(&mut self, n: usize) -> usize {
        self.1 += 1;
        self.0.with(self.1).below(n)
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Everything that rules can do with dice in slots, each way once.
const WAYS: [&str; 35] = [
    "side.a = roll(side, \"one\", 2, 3);",
    "side.b = roll(side, \"two\", 1, 3);",
    "side.a = side.a + side.b;",
    "side.b = side.a;",
    "side.b = side.b;",
    "side.a = no_dice();",
    "if side.a.len < 6 { side.a = side.a.plus(2); }",
    "if side.a.highest == side.foe.a.highest { side.n += 1; }",
    "if side.a.lowest == 1 { side.n += 1; }",
    "side.n += side.a.total;",
    "side.n += side.b.len;",
    "if side.a.is_empty { side.n += 5; }",
    "if side.a.contains(3) { side.n += 1; }",
    "if side.a == side.foe.a { side.n += 7; }",
    "if side.a != side.b { side.n += 1; }",
    "for die in side.a { side.n += die; }",
    "for (die, nth) in side.b { side.n += die * nth; }",
    "let dice = if side.b.is_empty { side.a } else { side.b.plus(1) }; if dice.highest == 3 { side.n += 1; }",
    "let dice = side.a; side.a = no_dice(); if dice.contains(2) { side.n += 3; }",
    "side.b = side.a; if side.b.lowest == 2 { side.n += 1; }",
    "let both = [side.a, side.foe.a]; if both[0] == both[1] { side.n += 1; }",
    "if [side.a].contains(side.b) { side.n += 1; }",
    "let both = #{ mine: side.a, other: side.b }; if both.mine.total == 4 { side.n += 1; }",
    "let high = |dice| dice.highest; if high.call(side.a) == 3 { side.n += 1; }",
    "side.n += [side.a, side.b].filter(|dice| dice.contains(2)).len;",
    "switch side.a.highest { 3 => side.n += 1, 2 => side.n += 2, _ => () }",
    "if !side.a.is_empty { let die = choose(side, \"take\", side.a, \"none\"); if die != \"none\" { side.a = side.a.without(die); } }",
    "if side.a.contains(2) { side.a = side.a.raised(2, 1, 3); }",
    "if choose(side, \"turn\", [\"yes\", \"no\"]) == \"yes\" { side.b = side.foe.b; }",
    "if side.a.len > 0 { side.n += side.a[0]; }",
    "if side.a.plus(3).contains(1) { side.n += 1; }",
    "if side.a.len > 1 { side.n += side.a.without(side.a.highest).highest; }",
    "if side.a.len > 0 { let rest = side.a.without(side.a.lowest); if rest.contains(2) || rest.lowest == 3 { side.n += 1; } }",
    "let dice = side.a.plus(2); let rest = dice.without(dice.highest); side.n += rest.total; if !rest.is_empty { side.n += rest.without(rest.highest).len; }",
    "let text = \"it is \" + side.b; if text == \"it is dice 3\" { side.n += 1; }",
];

/// A game of steps that do some of all that, with dice that last as long as a phase, and phases of whoever
/// has dice.
pub fn program(seed: u64) -> Small {
    let mut draw = Draw::of(seed);
    let (mut phases, mut steps) = (String::new(), String::new());
    let mut rolls = 0;
    for step in 0..4 + draw.below(4) {
        let filter = *draw.one(&["", "", "", ", filters: [\"a\"]", ", filters: [\"b\"]"]);
        let at_once = *draw.one(&["", "", ", simultaneous: true"]);
        phases +=
            &format!("#{{ phase: \"p{step}\", each: \"faction\", step: \"s{step}\"{filter}{at_once} }},\n");
        steps += &format!("fn s{step}(side) {{\n");
        for at in 0..1 + draw.below(2) {
            // A game without dice says little, one with many takes long.
            let way = match (step, at) {
                (0, 0) => WAYS[0],
                _ => *draw.one(&WAYS),
            };
            if way.contains("roll(") {
                rolls += 1;
            }
            if rolls <= 3 || !way.contains("roll(") {
                steps += &format!("    {way}\n");
            }
        }
        steps += "}\n";
    }
    let lasts = *draw.one(&["", ", lasts: \"bout\"", ", lasts: \"p2\""]);
    Small::new(&format!(
        "fn board() {{ #{{ factions: [\"red\", \"blue\"], hexes: [3, 1] }} }}
fn slots() {{ #{{ faction: #{{ a: #{{ holds: \"dice\" }}, b: #{{ holds: \"dice\"{lasts} }}, n: 0 }} }} }}
fn phases() {{ [#{{ phase: \"plan\", each: \"game\", step: \"plan\" }}, #{{ phase: \"bout\", phases: [\n{phases}] }},
    #{{ phase: \"rest\", each: \"game\", step: \"rest\" }}] }}
fn plan() {{ choose(first(), \"plan\", [\"fight\", \"wait\"]); }}
fn rest() {{ }}
{steps}"
    ))
    .with("units/scouts", "fn stats() { #{ symbol: \"Sc\" } }")
}

const LAID: &str =
    "game = \"tiny\"\nunits.red = [\"scouts a1\"]\nunits.blue = [\"scouts b1\"]\nanswers = [\"fight\"]\n";

fn with(question: &OddsQuery, merging: Merging, runs: u64) -> OddsQuery {
    let limits = Limits {
        merging,
        runs,
        ..Limits::default()
    };
    OddsQuery {
        limits,
        ..question.clone()
    }
}

/// Returns the odds as text, without the amount of work done.
fn told(odds: &Result<Odds, Problems>) -> String {
    match odds {
        Ok(Odds {
            stopped: Some(why), ..
        }) => format!("too large to compute: {why}"),
        Ok(odds) => format!("{:?} {:?} {}", odds.spread.outcomes, odds.choice, odds.horizon),
        Err(problems) => problems.page(false),
    }
}

/// Asks both ways and compares; false where the other way has too much to look at.
fn agree(
    play: &mut Play,
    root: &OddsRoot,
    question: &OddsQuery,
    other: Merging,
    runs: u64,
    what: &str,
) -> bool {
    let plain = told(&odds::ask(play, root, &with(question, other, runs)));
    if plain.contains("too large to compute") {
        return false;
    }
    let alike = told(&odds::ask(play, root, &with(question, Merging::Alike, 10 * runs)));
    assert_eq!(alike, plain, "{what}: {question:?}");
    true
}

#[test]
fn whatever_rules_do_with_dice_the_odds_are_those_of_every_course_of_things() {
    let by = [
        "first().n * 1000 + second().n",
        "first().a.highest",
        "first().b",
        "first().n > second().n",
    ];
    let policies = [Policy::Best, Policy::Best, Policy::First, Policy::Random];
    let mut compared = 0;
    for seed in 0..90 {
        let small = program(seed);
        let mut draw = Draw::of(1000 + seed);
        let workspace = small.workspace();
        let opened =
            run::open_in(&workspace, &Source::new("scenarios/tiny/it.toml", LAID)).expect("it opens");
        let asked = roots::of_scenario(&workspace, &opened, &Overrides::default(), &[]);
        let mut asked = asked.unwrap_or_else(|p| panic!("{}\n{:?}", p.page(false), small.files()));
        let question = OddsQuery {
            by: Some((*draw.one(&by)).to_owned()),
            goal: Some((*draw.one(&["side.n", "side.a.total - side.n"])).to_owned()),
            policy: *draw.one(&policies),
            until: Some("rest".to_owned()),
            ..OddsQuery::default()
        };
        let what = format!("{:?}", small.files());
        let same = agree(
            &mut asked.play,
            &asked.root,
            &question,
            Merging::Same,
            20_000,
            &what,
        );
        let never = same
            && agree(
                &mut asked.play,
                &asked.root,
                &question,
                Merging::Never,
                5_000,
                &what,
            );
        compared += usize::from(never);
    }
    assert!(
        compared >= 24,
        "only {compared} are small enough to be looked at whole"
    );
}

/// A fight of two units on ground drawn for it, as a scenario.
fn fight(draw: &mut Draw) -> String {
    let kinds = ["archer", "mage", "footman", "cavalier"];
    let (red, blue) = (*draw.one(&kinds), *draw.one(&kinds));
    let apart = draw.below(4) == 0;
    let there = if apart || red == "mage" { "g9" } else { "g8" };
    let mut laid = format!(
        "game = \"pocket-tactics\"\nterrain.field = \"f7 f8 h7 h8 g5 g6 g7 g8 g9 g10\"\n\
         units.red = [\"{red} g7\"]\nunits.blue = [\"{blue} {there}\"]\n"
    );
    let features = ["forest", "hill", "keep", "village", "forest"];
    let (ours, theirs) = (draw.below(6), draw.below(6));
    if let Some(feature) = features.get(ours).filter(|_| ours != theirs) {
        laid += &format!("terrain.{feature} = \"g7\"\n");
    }
    if let Some(feature) = features.get(theirs).filter(|f| features.get(ours) != Some(f)) {
        laid += &format!("terrain.{feature} = \"{there}\"\n");
    }
    let answers = *draw.one(&["", ", \"skirmish\"", ", \"skirmish\", \"decline\""]);
    laid + &*format!("answers = [\"attack\"{answers}]\n")
}

#[test]
fn fights_have_the_odds_that_each_position_by_itself_has() {
    let workspace = Workspace::at(root());
    let variants = [
        "paired-dice",
        "mages-retaliate",
        "kickers-are-bumped",
        "range-along-tiles",
    ];
    let policies = [Policy::Best, Policy::Best, Policy::Random, Policy::First];
    let mut compared = 0;
    for seed in 0..30 {
        let mut draw = Draw::of(seed);
        let laid = fight(&mut draw);
        let opened = run::open_in(
            &workspace,
            &Source::new("scenarios/pocket-tactics/it.toml", laid.as_str()),
        );
        let variants = [(*draw.one(&variants)).to_owned()]
            .into_iter()
            .take(draw.below(2));
        let overrides = Overrides {
            variants: variants.collect(),
            ..Overrides::default()
        };
        // Some of what is drawn cannot be laid, or offers no attack.
        let Ok(mut asked) = opened.and_then(|o| roots::of_scenario(&workspace, &o, &overrides, &[])) else {
            continue;
        };
        let by = [
            None,
            None,
            Some("faction(\"red\").captures - faction(\"blue\").captures"),
        ];
        let question = OddsQuery {
            by: draw.one(&by).map(str::to_owned),
            policy: *draw.one(&policies),
            ..OddsQuery::default()
        };
        let what = format!("{laid} {overrides:?}");
        compared += usize::from(agree(
            &mut asked.play,
            &asked.root,
            &question,
            Merging::Same,
            8_000,
            &what,
        ));
    }
    assert!(compared >= 9, "only {compared} fights are small enough");
}

#[test]
fn in_the_middle_of_random_games_the_odds_are_those_of_each_position_by_itself() {
    let workspace = Workspace::at(root());
    for game in workspace.games() {
        let mut compared = 0;
        for seed in 0..30 {
            let laid = run::lay(&workspace, &short_game(&game, seed, 4), &Overrides::default());
            let mut play = laid.unwrap_or_else(|p| panic!("{p}")).play;
            // Throws of dice at dice cannot be counted.
            if play.ruleset().rules.ground.dice().is_some() {
                compared = usize::MAX;
                break;
            }
            let mut draw = Draw::of(seed);
            let steps = 20 + draw.below(120);
            Agent::Random
                .play(&mut play, seed, steps)
                .unwrap_or_else(|p| panic!("{p}"));
            let over = play.table().checkpoint.cursor.is_over();
            if over {
                continue;
            }
            let root = OddsRoot::of_now(&mut play);
            let question = OddsQuery {
                policy: *draw.one(&[Policy::Random, Policy::First, Policy::Best]),
                ..OddsQuery::default()
            };
            compared += usize::from(agree(&mut play, &root, &question, Merging::Same, 2_000, &game));
        }
        assert!(
            compared >= 5,
            "{game}: only {compared} positions are small enough"
        );
    }
}

/// A fight of which much can come.
pub const FIGHT: &str = "game = \"pocket-tactics\"\nterrain.field = \"g5 g6 g7 g8 g9\"\nterrain.hill = \"g7\"\n\
    terrain.forest = \"g8\"\nunits.red = [\"footman g7\"]\nunits.blue = [\"footman g8\"]\n\
    answers = [\"attack\"]\n";

/// Odds that were stopped are bounds: each exact chance is at least the reported one, and exceeds it by at most the
/// share that was not looked at.
#[test]
fn odds_that_are_stopped_are_bounds() {
    let workspace = Workspace::at(root());
    let opened = run::open_in(
        &workspace,
        &Source::new("scenarios/pocket-tactics/it.toml", FIGHT),
    )
    .expect("it opens");
    let asked = roots::of_scenario(&workspace, &opened, &Overrides::default(), &[]);
    let mut asked = asked.unwrap_or_else(|p| panic!("{}", p.page(false)));
    let mut partly = 0;
    for policy in [Policy::Random, Policy::Best] {
        let question = OddsQuery {
            policy,
            ..OddsQuery::default()
        };
        let began = Instant::now();
        let exact = odds::ask(&mut asked.play, &asked.root, &question).expect("odds");
        let whole = began.elapsed();
        for part in 1..8 {
            let stop = Arc::new(AtomicBool::new(false));
            let stopped = OddsQuery {
                stop: Some(Arc::clone(&stop)),
                ..question.clone()
            };
            let odds = std::thread::scope(|scope| {
                scope.spawn(move || {
                    std::thread::sleep(whole * part / 8);
                    stop.store(true, Ordering::Relaxed);
                });
                odds::ask(&mut asked.play, &asked.root, &stopped)
            });
            let odds = match odds {
                Ok(odds) => odds,
                Err(problems) => {
                    let page = problems.page(false);
                    assert!(page.contains("before anything was known"), "{page}");
                    continue;
                }
            };
            let chance = |odds: &Odds, text: &str| {
                let found = odds.spread.outcomes.iter().find(|o| o.text == text);
                found.map_or(0.0, |o| o.chance.approximate())
            };
            let left = chance(&odds, "not looked at");
            assert!(odds.stopped.is_some() || left == 0.0);
            partly += usize::from(left > 0.0 && left < 1.0);
            for outcome in &exact.spread.outcomes {
                let (least, is) = (chance(&odds, &outcome.text), outcome.chance.approximate());
                assert!(
                    least <= is + 1e-12 && is <= least + left + 1e-12,
                    "{least} {is} {left}"
                );
            }
        }
    }
    assert!(partly > 0, "nothing was known in part");
}
