//! Properties of the statistics, by simulation: draws with planted effects go through the functions that judge games.

use super::compare::changes;
use super::factorial::{effects, is_on};
use super::targets::{Target, Verdict};
use super::tune::{rounds, search};
use crate::experiment::measure::{GameFacts, Measure, MeasureCounts};
use crate::experiment::tally::Tally;
use crate::stats::Estimate;

/// A source of random numbers (G. Steele, D. Lea and C. Flood, OOPSLA 2014: SplitMix).
struct Draws(u64);

impl Draws {
    /// A number from 0 to 1.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number that is about normal, with mean 0 and deviation 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }

    /// 1 as often as the chance says, else 0.
    fn toss(&mut self, chance: f64) -> f64 {
        f64::from(self.uniform() < chance)
    }
}

fn number() -> Measure {
    Measure::Declared("number".to_owned())
}

/// The tally of so many seeds; `seed` draws the share `first` and the number of each arm.
fn tally<const ARMS: usize>(seeds: u64, mut seed: impl FnMut() -> [(f64, f64); ARMS]) -> Tally {
    let facts = GameFacts {
        seats: 1,
        ..GameFacts::default()
    };
    let mut tally = Tally::new([&facts; ARMS]);
    for _ in 0..seeds {
        let mut counts = seed().map(|(first, value)| {
            MeasureCounts::from_iter([(Measure::First, [first, 1.0]), (number(), [value, 1.0])])
        });
        tally.add_counts(&mut counts);
    }
    tally
}

/// Returns the share of experiments in which something is so, in per cent, and prints it.
fn rate(what: &str, experiments: u64, is: impl Fn(&mut Draws) -> bool) -> f64 {
    let found = (0..experiments).filter(|nth| is(&mut Draws(nth << 32))).count();
    println!("{what}: {found} of {experiments}");
    found as f64 * 100.0 / experiments as f64
}

/// Whether a single measure has changed.
fn is_changed(tally: &Tally, measure: Measure) -> bool {
    changes(tally, &[measure], None)
        .0
        .iter()
        .any(|change| change.changed)
}

#[test]
fn null_effects_are_called_a_change_in_about_5_of_100_experiments() {
    for measure in [Measure::First, number()] {
        let rate = rate("null effects called a change", 400, |draws| {
            let tally = tally(60, || [(); 2].map(|()| (draws.toss(0.5), draws.normal())));
            is_changed(&tally, measure.clone())
        });
        assert!((2.0..9.0).contains(&rate), "{measure:?}: {rate}");
    }
}

#[test]
fn among_many_measures_a_null_effect_is_called_a_change_as_seldom() {
    let names = (0..8).map(|n| Measure::Declared(format!("number {n}")));
    let measures: Vec<Measure> = names.collect();
    let rate = rate(
        "null effects among eight measures called a change",
        400,
        |draws| {
            let mut tally = Tally::default();
            for _ in 0..40 {
                let arm = |draws: &mut Draws| {
                    measures
                        .iter()
                        .map(|m| (m.clone(), [draws.normal(), 1.0]))
                        .collect()
                };
                tally.add_counts(&mut [arm(draws), arm(draws)]);
            }
            changes(&tally, &measures, None)
                .0
                .iter()
                .any(|change| change.changed)
        },
    );
    assert!((1.0..9.0).contains(&rate), "{rate}");
}

#[test]
fn looks_on_the_way_do_not_make_a_null_effect_a_change() {
    let rate = rate(
        "null effects with looks on the way called a change",
        400,
        |draws| {
            let facts = GameFacts::default();
            let mut tally = Tally::new([&facts; 2]);
            (1..=400).any(|seed| {
                let arm = |draws: &mut Draws| MeasureCounts::from_iter([(number(), [draws.normal(), 1.0])]);
                tally.add_counts(&mut [arm(draws), arm(draws)]);
                seed >= 100 && seed % 50 == 0 && {
                    let (changes, _) = changes(&tally, &[number()], Some(200.0));
                    changes[0].changed
                }
            })
        },
    );
    assert!(rate <= 5.0, "{rate}");
}

#[test]
fn planted_effects_are_found_as_often_as_the_number_of_seeds_promises() {
    // 15 points, and a third of a deviation, on other dice in each arm.
    for (measure, size) in [(Measure::First, 0.15), (number(), 1.0 / 3.0)] {
        let arms = |draws: &mut Draws, seeds: u64| {
            tally(seeds, || {
                [0.0, size].map(|effect| (draws.toss(0.5 + effect), draws.normal() + effect))
            })
        };
        let pilot = arms(&mut Draws(7), 4000)
            .difference(&measure, 0, 1)
            .expect("it is counted")
            .change;
        let seeds = pilot.seeds_to_see(size, 1, false) as u64;
        let rate = rate(
            &format!("planted effects found with {seeds} seeds"),
            200,
            |draws| is_changed(&arms(draws, seeds), measure.clone()),
        );
        assert!(
            (70.0..90.0).contains(&rate),
            "{measure:?} with {seeds} seeds: {rate}"
        );
    }
}

#[test]
fn intervals_hold_the_truth_in_about_95_of_100_experiments() {
    let holds = |estimate: Option<Estimate>, truth: f64| estimate.is_some_and(|e| e.interval.holds(truth));
    let level = |measure: Measure, truth: f64| {
        rate("levels that their interval holds", 400, |draws| {
            let tally = tally(50, || [(draws.toss(0.3), 2.0 + draws.normal())]);
            holds(tally.level(&measure, 0), truth)
        })
    };
    let change = |measure: Measure, truth: f64| {
        rate("changes that their interval holds", 400, |draws| {
            let tally = tally(80, || {
                [0.0, 0.2].map(|more| (draws.toss(0.3 + more), draws.normal() + more))
            });
            holds(tally.difference(&measure, 0, 1).map(|found| found.change), truth)
        })
    };
    for rate in [
        level(Measure::First, 0.3),
        level(number(), 2.0),
        change(Measure::First, 0.2),
        change(number(), 0.2),
    ] {
        assert!((92.0..98.5).contains(&rate), "{rate}");
    }
}

#[test]
fn two_games_of_a_seed_that_are_alike_are_one_game() {
    let rate = rate(
        "shares that their interval holds, with seeds of two games alike",
        400,
        |draws| {
            let mut tally = Tally::default();
            for _ in 0..50 {
                let first = draws.toss(0.5);
                tally.add_counts(&mut [MeasureCounts::from_iter([(Measure::First, [2.0 * first, 2.0])])]);
            }
            let level = tally.level(&Measure::First, 0);
            level.is_some_and(|level| level.interval.holds(0.5))
        },
    );
    assert!((92.0..98.5).contains(&rate), "{rate}");
}

#[test]
fn paired_seeds_show_what_unpaired_ones_cannot() {
    // Seeds differ far more than the arms do.
    let found = |is_paired: bool| {
        rate(
            if is_paired {
                "paired effects found"
            } else {
                "unpaired effects found"
            },
            100,
            |draws| {
                let tally = tally(40, || {
                    let own = 10.0 * draws.normal();
                    let other = if is_paired { own } else { 10.0 * draws.normal() };
                    [(0.0, own + draws.normal()), (0.0, other + draws.normal() + 1.5)]
                });
                is_changed(&tally, number())
            },
        )
    };
    let (paired, unpaired) = (found(true), found(false));
    assert!(paired >= 95.0 && unpaired <= 25.0, "{paired} and {unpaired}");
}

#[test]
fn a_factorial_design_separates_planted_effects() {
    // The first tweak adds 1, the second takes 2, the third does nothing; the first and third together add 1 more.
    let tweaks = ["one", "two", "three"].map(str::to_owned);
    let mut wrong = [0; 3];
    for nth in 0..100 {
        let mut draws = Draws(nth << 32);
        let tally = tally::<8>(40, || {
            let own = 3.0 * draws.normal();
            std::array::from_fn(|set| {
                let on = |tweak: usize| f64::from(is_on(set, tweak));
                let effect = on(0) - 2.0 * on(1) + on(0) * on(2);
                (0.0, own + draws.normal() + effect)
            })
        });
        let (effects, _) = effects(&tally, &tweaks, &[number()]);
        let of = |names: &[&str]| {
            let effect = effects.iter().find(|effect| effect.of == names);
            &effect.expect("it is measured").change
        };
        // In the mean over the others the first adds 1.5, and the third a half.
        let planted = [
            (&["one"][..], 1.5),
            (&["two"], -2.0),
            (&["three"], 0.5),
            (&["one", "three"], 1.0),
        ];
        wrong[0] += planted
            .iter()
            .filter(|(names, by)| !of(names).interval.holds(*by))
            .count();
        wrong[1] += planted.iter().filter(|(names, _)| !of(names).changed).count();
        let nothing = [&["one", "two"][..], &["two", "three"]];
        wrong[2] += nothing.iter().filter(|names| of(names).changed).count();
    }
    let [missed, unseen, imagined] = wrong;
    // Of 400 intervals 20 are expected to miss.
    assert!(missed <= 36 && unseen <= 8 && imagined <= 8, "{wrong:?}");
}

/// The shares of 48 settings, none of which meets the target but one; the last ones come near.
fn shares() -> Vec<f64> {
    let share = |setting: usize| match setting {
        30 => 0.5,
        setting => 0.9 - setting as f64 * 0.006,
    };
    (0..48).map(share).collect()
}

/// Searches among settings with these shares, which draw from the same numbers. Returns those that are left.
fn searched(shares: &[f64], target: &Target, draws: &mut Draws) -> Vec<usize> {
    let facts = GameFacts::default();
    let mut tallies = vec![Tally::new([&facts]); shares.len()];
    let found = search(
        shares.len(),
        &rounds(shares.len(), 400, 1),
        |_, round, playing| {
            for _ in round.games.clone() {
                let seed = draws.uniform();
                for setting in playing {
                    let own = draws.uniform();
                    // Half of the games of a seed are alike in all settings.
                    let drawn = if draws.uniform() < 0.5 { seed } else { own };
                    let first = f64::from(drawn < shares[*setting]);
                    tallies[*setting]
                        .add_counts(&mut [MeasureCounts::from_iter([(Measure::First, [first, 1.0])])]);
                }
            }
            let level = |setting: &usize| {
                tallies[*setting]
                    .level(&Measure::First, 0)
                    .expect("it is counted")
            };
            Ok(Some(
                playing
                    .iter()
                    .map(|s| target.evidence_against(&Measure::First, &level(s)))
                    .collect(),
            ))
        },
    );
    found.expect("nothing fails").alive
}

#[test]
fn a_search_keeps_the_one_setting_that_meets_a_target() {
    let target = Target::read(&"first faction wins 45 to 55 %".to_owned().into()).expect("it is one");
    let shares = shares();
    let kept = rate("planted cures kept by a search", 200, |draws| {
        searched(&shares, &target, draws).contains(&30)
    });
    assert!(kept >= 95.0, "{kept}");
    // The negative control: without the cure, fresh games call a setting met in few searches.
    let mut shares = shares;
    shares[30] = 0.7;
    let wrong = rate("searches that call a setting met that is not", 200, |draws| {
        let left = searched(&shares, &target, draws);
        left.iter().any(|setting| {
            let fresh = tally(400, || [(draws.toss(shares[*setting]), 0.0)]);
            target
                .judge(&fresh, 0)
                .is_ok_and(|judged| judged.verdict == Verdict::Met)
        })
    });
    assert!(wrong <= 5.0, "{wrong}");
}
