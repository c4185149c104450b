//! Comparison of one scenario under two rulesets, with the same answers and rolls.
//!
//! The side that leads is played as the scenario says; the other follows with the answers of the
//! first one's record. What comes of it is data: the first event that differs, the worlds around
//! it, how both ended. [`Differ::bisect`] finds the layers that a difference needs, [`map`] which
//! scenarios which tweak touches. Printing is not done here.

use crate::agents::{Agent, Mind};
use crate::description::{Description, PositionChange};
use crate::play::{Play, Progress};
use crate::report::{Problem, Problems};
use crate::rules::ruleset::LoadOptions;
use crate::rules::run::observe::Watcher;
use crate::rules::workspace::Workspace;
use crate::ruleset_cache::RulesetCache;
use crate::scenario::answers::OfferedAnswers;
use crate::scenario::file::ScenarioFile;
use crate::stage::chapters::{self, Chapters};
use crate::stage::moment::PhaseWatch;
use crate::stage::run::{self, OpenedFile, PlayStop, Setup};
use crate::transcript::{Line, Stored};
use std::cell::RefCell;
use std::rc::Rc;

mod bisect;
mod call_counts;
mod comparison;
mod map;
pub mod report;
mod side;
mod verdict;

pub use bisect::{Bisected, MOST_SUBSETS};
pub use call_counts::LineMatcher;
use call_counts::{LineId, OccurrenceCounter};
use comparison::ComparisonSetup;
pub use comparison::{Addition, Comparison, is_on, named, names, set_already, so_already};
pub use map::{ImpactMap, LayerEffect, MapCell, MapRow, effects, map};
pub use side::{ArmEnd, DiffArm, Divergence, Expectation, RecordLine};
use side::{DivergencePolicy, QuestionName, diverged, roll_notes, side};
pub use verdict::{DifferenceScope, Verdict, VerdictSign};
use verdict::{first_difference, judge};

/// A scenario under two rule sets.
pub struct ScenarioDiff {
    /// Without the tweak.
    pub base: DiffArm,
    /// With it.
    pub tweak: DiffArm,
    /// Verdict of the comparison.
    pub verdict: Verdict,
    /// The first line of [`DiffArm::told`] that differs; `None` when none does.
    pub first: Option<usize>,
    /// Variants that would be on and that a side takes off, a sentence each.
    pub taken_off: Vec<String>,
    /// Other notes about the set-up of the sides.
    pub notes: Vec<String>,
    /// Functions in which the rules differ, with the number of their calls; filled if nothing else differs.
    pub ran: Vec<LineMatcher>,
}

impl ScenarioDiff {
    fn of(base: DiffArm, variant: DiffArm) -> Self {
        Self {
            verdict: judge(&base, &variant),
            first: first_difference(&base, &variant),
            base,
            tweak: variant,
            taken_off: Vec::new(),
            notes: Vec::new(),
            ran: Vec::new(),
        }
    }

    /// Returns a sentence for each function in which the rules differ.
    pub fn function_notes(&self) -> impl ExactSizeIterator<Item = String> {
        let several = |ran: &LineMatcher| self.ran.iter().filter(|r| r.function == ran.function).count() > 1;
        self.ran.iter().map(move |ran| ran.words(several(ran)))
    }
}

/// Compares scenarios; keeps the rule sets that it has loaded.
pub struct Differ<'w> {
    rulesets: RulesetCache<'w>,
    /// Those of the files before they changed.
    before: Option<RulesetCache<'w>>,
    /// Whether worlds along the way are wanted, which costs time.
    trail: bool,
    /// Counter of function calls in the rules that are played, if calls are counted.
    counter: Option<Rc<RefCell<OccurrenceCounter>>>,
}

impl<'w> Differ<'w> {
    /// Compares scenarios of this workspace.
    pub fn new(workspace: &'w Workspace) -> Self {
        Self {
            rulesets: RulesetCache::new(workspace),
            before: None,
            trail: true,
            counter: None,
        }
    }

    /// Compares games under the rules of a workspace as it was with those of it as it is.
    pub fn after(before: &'w Workspace, now: &'w Workspace) -> Self {
        Self {
            before: Some(RulesetCache::new(before)),
            ..Self::new(now)
        }
    }

    fn lay(&mut self, setup: &ComparisonSetup) -> Result<Setup, Problems> {
        let before = self.before.as_mut().filter(|_| setup.was);
        let rulesets = before.unwrap_or(&mut self.rulesets);
        let ruleset = rulesets.get(&setup.file, &setup.options)?;
        let watcher = |counter| Box::new(Rc::clone(counter)) as Box<dyn Watcher>;
        let watcher = self.counter.as_ref().map(watcher);
        let mut prepared = run::lay_watched(ruleset, setup.file.clone(), watcher)?;
        if self.trail {
            prepared.play.keep_trail();
        }
        Ok(prepared)
    }

    /// Plays a side as the scenario says.
    fn lead(&mut self, setup: &ComparisonSetup, lines: Option<&[Line]>) -> Result<DiffArm, Problems> {
        let prepared = self.lay(setup)?;
        let ran = run::run_laid(prepared, lines)?;
        let question = ran.play.with_question(QuestionName::of);
        let mut notes = Vec::new();
        if !matches!(ran.stopped, PlayStop::Failed(_) | PlayStop::Diverged(_)) {
            notes.extend(ran.problems.iter().map(|p| p.message.clone()));
        }
        let passed = ran.passed();
        let side = side(
            ran.play,
            ran.file,
            ran.stopped,
            None,
            notes,
            question,
            setup.options.clone(),
        );
        Ok(DiffArm { passed, ..side })
    }

    /// Plays a side with the answers of the one that led.
    fn follow(
        &mut self,
        setup: &ComparisonSetup,
        leader: &DiffArm,
        then: Option<Agent>,
    ) -> Result<DiffArm, Problems> {
        let prepared = self.lay(setup)?;
        let Setup {
            mut play,
            file,
            refused,
            ..
        } = prepared;
        play.table_mut().chance.may_miss = true;
        let stored = Stored::new(&leader.lines);
        let unused = stored.unused();
        let (answers, why) = OfferedAnswers::new(stored);
        play.set_source(Box::new(answers));
        let mut watch = PhaseWatch::new(run::until_of(&file, &play.ruleset().rules)?, &play);
        let mut divergence: Option<Divergence> = None;
        let mut by_hand = Chapters::edits_of(&leader.play);
        let mut mind = Mind::default();
        let mut stopped = loop {
            if let Some(why) = &refused {
                break PlayStop::Refused(why.clone());
            }
            let begun = play.prepare();
            let begun = match by_hand.begin_due(&mut play) {
                Ok(false) => begun,
                Ok(true) => play.prepare(),
                Err(why) => {
                    divergence.get_or_insert_with(|| diverged(&play, &why, None));
                    break PlayStop::Diverged(why);
                }
            };
            let progress = match begun {
                Progress::Stepped if watch.reached(&play) => break PlayStop::Until,
                Progress::Stepped => play.advance(),
                other => other,
            };
            let (message, why) = match progress {
                Progress::Stepped => continue,
                Progress::Over => break PlayStop::Over,
                Progress::Failed(problem) => break PlayStop::Failed(problem),
                Progress::Diverged(diverged) => (diverged.to_string(), diverged.no_fit.reason()),
                Progress::Asks => {
                    let question = play.with_question(QuestionName::of);
                    if question.is_some() && question == leader.question {
                        break PlayStop::Asks;
                    }
                    if let (Some(_), Some(agent)) = (&divergence, then.filter(|a| a.searches())) {
                        agent.answer(&mut play, &mut mind, file.seed)?;
                        continue;
                    }
                    let why = why.borrow_mut().take();
                    let unanswered = || {
                        play.with_question(|a| {
                            let faction = &a.rules.factions[a.request.asker.index()];
                            format!("no stored answer for `{}` of {faction}", a.label())
                        })
                    };
                    match why {
                        Some(no_fit) => (no_fit.to_string(), no_fit.reason()),
                        None => {
                            let unanswered = unanswered().unwrap_or_default();
                            (unanswered.clone(), unanswered)
                        }
                    }
                }
            };
            if divergence.is_some() {
                break PlayStop::Diverged(message);
            }
            let found = divergence.insert(diverged(&play, &why, then));
            let Some(agent) = then else {
                break PlayStop::Diverged(format!("diverged at `{}`: {}", found.step, found.why));
            };
            play.set_source(Box::new(DivergencePolicy {
                agent: agent.source(file.seed),
                as_far_as: leader.question.clone(),
            }));
        };
        if let (Some(missing), PlayStop::Over | PlayStop::Asks) = (by_hand.missing(), &stopped) {
            divergence.get_or_insert_with(|| diverged(&play, &missing, None));
            stopped = PlayStop::Diverged(missing);
        }
        let question = play.with_question(QuestionName::of);
        play.clear_source();
        let mut notes = Vec::new();
        if divergence.is_none() && !matches!(stopped, PlayStop::Failed(_)) {
            let unused = unused.list();
            notes.extend(
                unused
                    .iter()
                    .map(|u| format!("an answer was never asked for: {u}")),
            );
        }
        if !matches!(stopped, PlayStop::Failed(_)) {
            notes.extend(roll_notes(&play, &file));
        }
        Ok(side(
            play,
            file,
            stopped,
            divergence,
            notes,
            question,
            setup.options.clone(),
        ))
    }

    /// Plays both sides: who can be played as the scenario says leads, the base if both can. A
    /// base that was played before is given back with what replaced it, if anything did.
    fn against(
        &mut self,
        base: &DiffArm,
        base_setup: &ComparisonSetup,
        tweaked: &ComparisonSetup,
        lines: Option<&[Line]>,
        then: Option<Agent>,
    ) -> Result<(Option<DiffArm>, DiffArm), Problems> {
        if base.passed {
            return Ok((None, self.follow(tweaked, base, then)?));
        }
        // It may be written for the tweaked rules.
        let variant = self.lead(tweaked, lines)?;
        if base.went_well() && !variant.passed {
            return Ok((None, self.follow(tweaked, base, then)?));
        }
        if !variant.went_well() {
            return Ok((None, variant));
        }
        let mut base = self.follow(base_setup, &variant, then)?;
        // What the scenario denies or answers is something that it expects.
        let mut variant = variant;
        for (arm, fits) in [(&mut base, false), (&mut variant, true)] {
            arm.outcome.expectations.push(Expectation {
                text: "the scenario's own answers fit".to_owned(),
                holds: Some(fits),
            });
        }
        Ok((Some(base), variant))
    }

    /// Counts the calls of the functions in which the rules of two sides with the same result differ: each side is
    /// played once more, with the answers of the other.
    fn ran(
        &mut self,
        found: &ScenarioDiff,
        setups: [&ComparisonSetup; 2],
    ) -> Result<Vec<LineMatcher>, Problems> {
        let sides = [&found.base, &found.tweak];
        let rulesets = sides.map(|arm| arm.play.ruleset());
        let [base, variant] = [[rulesets[0], rulesets[1]], [rulesets[1], rulesets[0]]]
            .map(|[of, other]| call_counts::differing(of, other));
        let gone = base.into_iter().filter(|name| !variant.contains(name)).collect();
        let mut ran = Vec::new();
        for (at, names) in [(1, variant), (0, gone)] {
            let names: Vec<LineId> = names;
            if names.is_empty() || found.verdict != Verdict::Same {
                continue;
            }
            let counter = Rc::clone(self.counter.insert(Rc::default()));
            let arm = self.follow(setups[at], sides[1 - at], None);
            self.counter = None;
            let calls = call_counts::calls(arm?.play.ruleset(), &counter.borrow());
            let of = |id: LineId| LineMatcher {
                calls: (!call_counts::declares(&id)).then(|| calls.get(&id).copied().unwrap_or_default()),
                file: id.0,
                function: id.1,
            };
            ran.extend(names.into_iter().map(of));
        }
        Ok(ran)
    }

    /// Whether a scenario, played as it is written on both sides, comes out otherwise without the
    /// layers of a tweak: its answers no longer fit, other expectations hold, or the end differs.
    ///
    /// # Errors
    ///
    /// Those of [`Self::compare`].
    pub fn comes_out_otherwise(
        &mut self,
        opened: &OpenedFile,
        comparison: &Comparison,
    ) -> Result<bool, Problems> {
        let lines = opened.lines.as_deref();
        let adopted = self.rulesets.adopted(&opened.file.game)?;
        let base = self.lead(&comparison.base(&opened.file, &adopted), lines)?;
        let variant = self.lead(
            &comparison.tweaked(&opened.file, &adopted, &comparison.all()),
            lines,
        )?;
        let otherwise = base.went_well() != variant.went_well() || !base.outcome.is_same(&variant.outcome);
        Ok(otherwise)
    }

    /// Compares one scenario without and with the layers of a tweak.
    ///
    /// # Errors
    ///
    /// What is wrong before the first step of either side: names that nothing has, layers that
    /// cannot be combined, a position that the rules of a side do not allow.
    pub fn compare(
        &mut self,
        opened: &OpenedFile,
        comparison: &Comparison,
    ) -> Result<ScenarioDiff, Problems> {
        check_chapters(opened)?;
        let lines = opened.lines.as_deref();
        let adopted = self.rulesets.adopted(&opened.file.game)?;
        let base_setup = comparison.base(&opened.file, &adopted);
        let base = self.lead(&base_setup, lines)?;
        let tweaked = comparison.tweaked(&opened.file, &adopted, &comparison.all());
        let (replaced, variant) = self.against(&base, &base_setup, &tweaked, lines, comparison.then)?;
        let taken_off = comparison.layer_notes(&opened.file, &adopted);
        let mut notes = Vec::new();
        for variant in &comparison.tweaks {
            let Addition::Dial(name, value) = variant else {
                continue;
            };
            notes.extend(set_already(base.play.ruleset(), name, value));
            if let Some((_, own)) = opened.file.dials.iter().find(|(n, _)| n.value == *name) {
                notes.push(format!(
                    "the scenario sets `{name}` to {}; the base keeps that",
                    own.value
                ));
            }
        }
        if replaced.is_some() {
            notes.push(
                "the answers of the scenario fit the tweaked rules, so the base replays the game of the tweaked rules"
                    .to_owned(),
            );
        }
        let found = ScenarioDiff::of(replaced.unwrap_or(base), variant);
        Ok(ScenarioDiff {
            taken_off,
            notes,
            ran: self.ran(&found, [&base_setup, &tweaked])?,
            ..found
        })
    }

    /// Compares the lines of a game under two rulesets: the files' before a change and now, each with
    /// what it is loaded with.
    ///
    /// # Errors
    ///
    /// Those of [`Self::compare`].
    pub fn compare_rules(
        &mut self,
        lines: Option<&[Line]>,
        (file, options): (ScenarioFile, LoadOptions),
        (file_now, options_now): (ScenarioFile, LoadOptions),
    ) -> Result<ScenarioDiff, Problems> {
        let setup = |file, options, was| ComparisonSetup { file, options, was };
        let (was, is) = (setup(file, options, true), setup(file_now, options_now, false));
        let base = self.lead(&was, lines)?;
        let (replaced, variant) = self.against(&base, &was, &is, lines, None)?;
        let found = ScenarioDiff::of(replaced.unwrap_or(base), variant);
        Ok(ScenarioDiff {
            ran: self.ran(&found, [&was, &is])?,
            ..found
        })
    }
}

/// Returns the differences between the positions of two games, the first as the base.
pub fn changes(base: &Play, other: &Play) -> Vec<PositionChange> {
    let [(rules, here), (others, there)] = [base, other].map(|play| {
        let table = play.table();
        (
            &table.rules,
            Description::of(&table.rules, &table.words, &table.world),
        )
    });
    here.difference(rules, &there, others)
}

/// A save whose rules changed on the way was played under none of the two sides. What was changed by
/// hand in it is changed on both.
fn check_chapters(opened: &OpenedFile) -> Result<(), Problem> {
    chapters::under_one_set(opened.lines.as_deref().unwrap_or_default(), "compared")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::event::Event;
    use crate::kernel::world::World;
    use crate::render::{self, Style};
    use crate::report;

    fn random_game(seed: u64) -> DiffArm {
        let workspace = Workspace::at(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let game = workspace.games().remove(0);
        let text = format!("game = \"{game}\"\nopen = \"random\"\nseed = {seed}\n");
        let opened = run::open(&report::Source::new("random", text)).expect("it can be read");
        let setup = Comparison::default().base(&opened.file, &[]);
        let arm = Differ::new(&workspace).lead(&setup, None);
        arm.expect("it can be played")
    }

    #[test]
    fn a_world_along_the_way_is_the_checkpoint_with_what_happened_since() {
        let draw = |arm: &DiffArm, world: &World| {
            let rules = &arm.play.ruleset().rules;
            let style = Style::default();
            let reserve = render::reserve(rules, world, &style);
            let status = render::status(rules, world, &style);
            (render::board(rules, world, &style), status, reserve)
        };
        for seed in 0..3 {
            let arm = random_game(seed);
            let trail = arm.play.trail();
            let events = arm.play.events();
            let mut compared = 0;
            for pair in trail.windows(2) {
                let mut world = pair[0].position.world.clone();
                let between = &events[pair[0].events..pair[1].events];
                // A repeating phase that begins returns slots to their start without an event.
                if between
                    .iter()
                    .any(|e| matches!(e, Event::Phase { iteration, .. } if *iteration > 0))
                {
                    continue;
                }
                for event in between {
                    event.redo(&arm.play.ruleset().rules, &mut world);
                }
                assert_eq!(draw(&arm, &world), draw(&arm, &pair[1].position.world));
                compared += usize::from(!between.is_empty());
            }
            assert!(compared > 20, "{compared}");
            let (before, after) = arm.worlds(arm.record.len());
            assert_eq!(before, after);
        }
    }

    #[test]
    fn a_line_that_moves_a_unit_has_it_elsewhere_before_and_after() {
        let arm = random_game(1);
        let events = arm.play.events();
        let line = arm.record.iter().position(|t| {
            !t.heading
                && matches!(
                    events.get(t.index),
                    Some(Event::Moved {
                        from: Some(_),
                        to: Some(_),
                        ..
                    })
                )
        });
        let line = line.expect("somebody moves");
        let Event::Moved { unit, from, to, .. } = events[arm.record[line].index] else {
            unreachable!("just found")
        };
        let (before, after) = arm.worlds(line);
        let place = |world: &World| world.find(unit).and_then(|u| world.spot(u));
        assert_eq!((place(&before), place(&after)), (from, to));
    }
}
