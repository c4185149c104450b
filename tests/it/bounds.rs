//! Odds that are stopped: what is told of them holds, wherever that is.

use crate::support::{Copy, Small};
use crate::{alike, odds as duels};
use rulebench::odds::chances::Fraction;
use rulebench::odds::explore::Policy;
use rulebench::odds::root::{self as roots, OddsRoot};
use rulebench::odds::whole::WholePhase;
use rulebench::odds::{self, Limits, Merging, OddsQuery, Spread};
use rulebench::play::Play;
use rulebench::report::Source;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run;

/// Whether one fraction is no larger than another.
fn at_most(less: &Fraction, more: &Fraction) -> bool {
    let across = |this: &Fraction, other: &Fraction| this.above.times(&other.below);
    match (less.negative, more.negative) {
        (true, false) => true,
        (false, true) => across(less, more).is_zero() && across(more, less).is_zero(),
        (false, false) => across(less, more) <= across(more, less),
        (true, true) => across(more, less) <= across(less, more),
    }
}

/// Whether these bounds hold of the exact spread.
fn holds(bounds: &Spread, exact: &Spread) -> bool {
    let none = Fraction::new(&WholePhase::ZERO, &WholePhase::ONE);
    let chance = |spread: &Spread, text: &str| {
        let found = spread.outcomes.iter().find(|o| o.text == text);
        found.map_or_else(|| none.clone(), |o| o.chance.clone())
    };
    let left = chance(bounds, "not looked at");
    let texts = exact
        .outcomes
        .iter()
        .chain(&bounds.outcomes)
        .map(|o| o.text.as_str());
    texts.filter(|text| *text != "not looked at").all(|text| {
        let (least, is) = (chance(bounds, text), chance(exact, text));
        at_most(&least, &is) && at_most(&is, &least.plus(&left))
    })
}

/// Stops odds after so many runs, for many numbers of them, and counts how often something was known by then: of all,
/// of the goal of an option, and of what is taken.
fn stopped_everywhere(
    asked: &mut (Play, OddsRoot),
    question: &OddsQuery,
    times: usize,
    what: &str,
) -> [usize; 3] {
    let ask = |asked: &mut (Play, OddsRoot), runs| {
        let limits = Limits {
            runs,
            ..question.limits
        };
        let question = OddsQuery {
            limits,
            ..question.clone()
        };
        odds::ask(&mut asked.0, &asked.1, &question)
    };
    let Ok(exact) = ask(asked, if times > 10 { 30_000 } else { 1_000_000 }) else {
        return [0; 3];
    };
    if exact.stopped.is_some() {
        return [0; 3];
    }
    let mut known = [0; 3];
    for runs in (1..exact.work.runs).step_by(1 + exact.work.runs as usize / times) {
        let Ok(odds) = ask(asked, runs) else { continue };
        let what = format!("{what}, {question:?}, {runs} of {}", exact.work.runs);
        assert!(odds.stopped.is_some(), "{what}");
        assert!(holds(&odds.spread, &exact.spread), "{what}: {odds:?} {exact:?}");
        known[0] += usize::from(odds.spread.outcomes.iter().any(|o| o.text != "not looked at"));
        let (Some(choice), Some(whole)) = (&odds.choice, &exact.choice) else {
            continue;
        };
        let taken = |choice: &odds::OddsChoice| choice.options.iter().position(|o| o.taken);
        assert!(taken(choice).is_none() || taken(choice) == taken(whole), "{what}");
        known[2] += usize::from(taken(choice).is_some());
        for (option, whole) in choice.options.iter().zip(&whole.options) {
            assert!(
                holds(&option.spread, &whole.spread),
                "{what}: {option:?} {whole:?}"
            );
            let goal = whole.goal.as_ref().expect("all is known");
            assert!(option.goal.as_ref().is_none_or(|known| known == goal), "{what}");
            if let Some((low, high)) = &option.goal_between {
                assert!(
                    at_most(low, goal) && at_most(goal, high),
                    "{what}: {option:?} {whole:?}"
                );
                let span = high.approximate() - low.approximate();
                known[1] += usize::from(option.goal.is_none() && span < 1.9);
            }
        }
    }
    known
}

fn laid(workspace: &Workspace, text: &str, dials: &[(&str, &str)]) -> (Play, OddsRoot) {
    let overrides = duels::turned(dials);
    let told = run::open_in(workspace, &Source::new("scenarios/it.toml", text))
        .and_then(|opened| roots::of_scenario(workspace, &opened, &overrides, &[]));
    let told = told.unwrap_or_else(|problems| panic!("{}", problems.page(false)));
    (told.play, told.root)
}

/// Sums the counts of known results over games that were stopped at many points.
fn sum(all: impl Iterator<Item = [usize; 3]>) -> [usize; 3] {
    all.fold([0; 3], |sum, known| [0, 1, 2].map(|at| sum[at] + known[at]))
}

const UNASKED: &str = "game = \"tiny\"\nunits.red = [\"scouts a1\"]\nunits.blue = [\"scouts b1\"]\n";

#[test]
fn duels_that_are_stopped() {
    let small = duels::duel();
    let dials = |reroll, bump| {
        [
            ("red_dice", "2"),
            ("blue_dice", "2"),
            ("reroll", reroll),
            ("bump", bump),
        ]
    };
    let mut all = Vec::new();
    for (reroll, bump) in [("none", "both"), ("red", "none"), ("both", "red")] {
        for (policy, merging, goal) in [
            (Policy::Best, Merging::Alike, None),
            (Policy::Best, Merging::Same, None),
            (Policy::Best, Merging::Alike, Some("side.units.len")),
            (Policy::First, Merging::Alike, None),
            (Policy::Random, Merging::Alike, None),
        ] {
            let question = OddsQuery {
                policy,
                goal: goal.map(str::to_owned),
                until: Some("rest".to_owned()),
                limits: Limits {
                    merging,
                    ..Limits::default()
                },
                ..OddsQuery::default()
            };
            let mut asked = laid(&small.workspace(), UNASKED, &dials(reroll, bump));
            let what = format!("{reroll} {bump}");
            all.push(stopped_everywhere(&mut asked, &question, 15, &what));
        }
    }
    let known = sum(all.into_iter());
    assert!(known.iter().all(|n| *n >= 20), "{known:?}");
}

#[test]
fn whatever_rules_do_with_dice_odds_that_are_stopped_are_bounds() {
    let of = |seed: u64| {
        let small: Small = alike::program(seed);
        let question = OddsQuery {
            by: Some(["first().n - second().n", "first().a.highest"][(seed % 2) as usize].to_owned()),
            goal: (!seed.is_multiple_of(3)).then(|| "side.n".to_owned()),
            until: Some("rest".to_owned()),
            ..OddsQuery::default()
        };
        let mut asked = laid(&small.workspace(), UNASKED, &[]);
        stopped_everywhere(&mut asked, &question, 40, &format!("{:?}", small.files()))
    };
    let known = sum((0..30).map(of));
    assert!(known[0] >= 25, "{known:?}");
}

/// Long before all is looked at, something is known of the goals, which are lost units in a game without `worth`.
#[test]
fn half_of_a_fight_says_between_what_its_goals_lie() {
    let copy = Copy::of_rules();
    let agents = copy.path("scripts/pocket-tactics/agents.rhai");
    std::fs::remove_file(agents).expect("advice to agents");
    let workspace = Workspace::at(copy.path("."));
    let mut asked = laid(&workspace, alike::FIGHT, &[]);
    let known = stopped_everywhere(&mut asked, &OddsQuery::default(), 8, "a fight");
    assert!(known[1] > 0, "{known:?}");
}
