//! What a tweak changes: one scenario under two rule sets, with the same answers and rolls.
//!
//! The side that leads is played as the scenario says; the other follows with the answers of the
//! first one's record. What comes of it is data: the first event that differs, the worlds around
//! it, how both ended. [`Differ::bisect`] finds the layers that a difference needs, [`map`] which
//! scenarios which tweak touches. Printing is not done here.

use crate::agents::{Agent, Mind};
use crate::hosts::Hosts;
use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, Thing};
use crate::kernel::table::{Answerer, Asked, Reply};
use crate::kernel::world::World;
use crate::pages::lines::counted;
use crate::play::{Play, Progress};
use crate::report::{Problem, Problems};
use crate::scenario::answers::AsFarAsOffered;
use crate::scenario::file::{DialValue, ScenarioFile};
use crate::script::host::{Host, Options};
use crate::script::layers::SCRATCH;
use crate::script::workspace::Workspace;
use crate::stage::chapters::Chapters;
use crate::stage::moment::Watch;
use crate::stage::run::{self, Laid, Opened, Overrides, Stopped, end_of};
use crate::told::Spelling;
use crate::transcript::{Line, Stored, lines_of};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

mod bisect;
mod map;
pub mod page;

pub use bisect::{Bisected, MOST_SUBSETS};
pub use map::{Cell, Map, Row, map};

/// The tweaks of a game, by name.
///
/// # Errors
///
/// What is wrong with the game's register of tweaks.
pub fn tweaks(workspace: &Workspace, game: &str) -> Result<Vec<String>, Problems> {
    crate::script::register::all(workspace, game)
}

/// What is to be said of a dial that is turned to what it is set to anyway: that compares a value with itself.
pub fn set_already(base: &Host, name: &str, value: &DialValue) -> Option<String> {
    let dial = base.dials.iter().find(|d| d.name == name && d.value == *value)?;
    Some(format!(
        "`{}` is {value} already: it is compared with itself",
        dial.name
    ))
}

/// One layer that is on on the tweaked side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addition {
    /// A variant.
    Variant(String),
    /// A dial and what it is turned to.
    Dial(String, DialValue),
    /// A scratch layer, by its text.
    Scratch(String),
}

impl fmt::Display for Addition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Addition::Variant(name) => f.write_str(name),
            Addition::Dial(name, value) => write!(f, "{name}={value}"),
            Addition::Scratch(_) => f.write_str(SCRATCH),
        }
    }
}

/// What is compared with what.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// Variants that are on on the base's side, besides the scenario's own.
    pub against: Vec<String>,
    /// The layers of the tweaked side, besides the scenario's own; each once.
    pub tweaks: Vec<Addition>,
    /// Another seed for both sides.
    pub seed: Option<u64>,
    /// Variants that are off on both sides although the game has adopted them.
    pub off: Vec<String>,
    /// The scratch layer of both sides.
    pub scratch: Option<String>,
    /// Who goes on after a divergence; nobody does without.
    pub then: Option<Agent>,
}

impl Comparison {
    /// The base of a scenario: without the variants that the tweak is made of.
    fn base(&self, file: &ScenarioFile, adopted: &[String]) -> Setup {
        let overrides = Overrides {
            seed: self.seed,
            variants: self.against.clone(),
            without: [self.taken_off(file, adopted), self.off.clone()].concat(),
            scratch: self.scratch.clone(),
            ..Overrides::default()
        };
        Setup::new(file, &overrides)
    }

    /// The tweaked side of a scenario with only these of the layers.
    fn tweaked(&self, file: &ScenarioFile, adopted: &[String], on: &[usize]) -> Setup {
        let mut overrides = Overrides {
            seed: self.seed,
            without: self.off.clone(),
            scratch: self.scratch.clone(),
            ..Overrides::default()
        };
        for (index, tweak) in self.tweaks.iter().enumerate() {
            match (tweak, on.contains(&index)) {
                (Addition::Variant(name), true) => overrides.variants.push(name.clone()),
                (Addition::Variant(name), false) if is_on(name, file, adopted) => {
                    overrides.without.push(name.clone());
                }
                (Addition::Dial(name, value), true) => overrides.dials.push((name.clone(), value.clone())),
                (Addition::Scratch(text), true) => overrides.scratch = Some(text.clone()),
                _ => {}
            }
        }
        Setup::new(file, &overrides)
    }

    /// The variants that a scenario or its game has on and the base takes off.
    fn taken_off(&self, file: &ScenarioFile, adopted: &[String]) -> Vec<String> {
        let named = self.tweaks.iter().filter_map(|t| match t {
            Addition::Variant(name) if !self.against.contains(name) => Some(name),
            _ => None,
        });
        named.filter(|name| is_on(name, file, adopted)).cloned().collect()
    }

    fn all(&self) -> Vec<usize> {
        (0..self.tweaks.len()).collect()
    }
}

/// Whether a scenario has a variant on without being told.
fn is_on(variant: &String, file: &ScenarioFile, adopted: &[String]) -> bool {
    adopted.contains(variant) || file.variants.iter().any(|v| v.value == *variant)
}

/// A scenario file with what its rules are loaded with.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Setup {
    file: ScenarioFile,
    options: Options,
    /// Whether its rules are those before a change of the files, where there was one.
    was: bool,
}

impl Setup {
    fn new(file: &ScenarioFile, overrides: &Overrides) -> Self {
        let file = run::changed(file, overrides);
        Self {
            options: Options {
                scratch: overrides.scratch.clone(),
                ..run::options_of(&file, &overrides.without)
            },
            file,
            was: false,
        }
    }
}

/// Which side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The scenario without the tweak.
    Base,
    /// The scenario with it.
    Tweak,
}

/// One line of a transcript without boards, with where it is in the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordLine {
    /// The line as transcripts have it.
    pub text: String,
    /// The index of its event in the record; for a heading, that of the next event.
    pub index: usize,
    /// Whether it is a phase's heading.
    pub heading: bool,
}

/// Where the stored answers no longer fit.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Divergence {
    /// The step, by its readable name.
    pub step: String,
    /// Who is asked; empty when the step was taken back before anybody could be.
    pub faction: String,
    /// What is asked.
    pub label: String,
    /// What does not fit, in one sentence.
    pub why: String,
    /// The keys of the options.
    pub offered: Vec<String>,
    /// How many lines of the transcript, boards not counted, lie before the question.
    pub line: usize,
    /// The agent that answered from there on.
    pub then: Option<String>,
}

/// An expectation of the scenario.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Expectation {
    /// As it is written.
    pub text: String,
    /// Whether it is true at the end; `None` where play did not come to its end.
    pub holds: Option<bool>,
}

/// The value of one slot or place in a final position.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Fact {
    value: String,
    /// It is what such a thing starts with.
    start: bool,
    /// Whether it is a slot whose changes are not told: the bookkeeping of a rule.
    quiet: bool,
}

/// A thing and its slot (`place` for where a unit stands).
type FactKey = (String, String);

/// How a play ended: in which way, in which position, and which expectations hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ended {
    /// How it ended, or where it stopped, in a few words.
    pub end: String,
    /// The scenario's expectations.
    pub expectations: Vec<Expectation>,
    facts: BTreeMap<FactKey, Fact>,
}

/// Something in the final position that differs.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Change {
    /// A unit, place or faction, or `game`.
    pub who: String,
    /// A slot, or `place`.
    pub slot: String,
    /// Its value under the base; `None` where there is no such thing.
    pub base: Option<String>,
    /// Its value under the tweak.
    pub tweak: Option<String>,
}

impl Ended {
    /// What differs in the final positions. A slot that only one of the rule sets has counts when
    /// it is not as it starts, unless it is a quiet one: that is how a tweak keeps its books.
    pub fn changes(&self, tweak: &Ended) -> Vec<Change> {
        let keys: BTreeSet<&FactKey> = self.facts.keys().chain(tweak.facts.keys()).collect();
        let mut changes = Vec::new();
        for key in keys {
            let (base, tweaked) = (self.facts.get(key), tweak.facts.get(key));
            let same = match (base, tweaked) {
                (Some(a), Some(b)) => a.value == b.value,
                (Some(only), None) | (None, Some(only)) => only.start || only.quiet,
                (None, None) => true,
            };
            if !same {
                changes.push(Change {
                    who: key.0.clone(),
                    slot: key.1.clone(),
                    base: base.map(|f| f.value.clone()),
                    tweak: tweaked.map(|f| f.value.clone()),
                });
            }
        }
        changes
    }

    /// Whether the two are the same outcome.
    pub fn is_same(&self, other: &Ended) -> bool {
        self.end == other.end && self.expectations == other.expectations && self.changes(other).is_empty()
    }

    /// The final position: by unit, place, faction or `game`, then by slot.
    pub fn position(&self) -> BTreeMap<&str, BTreeMap<&str, &str>> {
        let mut position: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
        for ((who, slot), fact) in &self.facts {
            position.entry(who).or_default().insert(slot, &fact.value);
        }
        position
    }

    /// The texts of the expectations that do not hold.
    pub fn unmet(&self) -> Vec<&str> {
        let unmet = self.expectations.iter().filter(|e| e.holds == Some(false));
        unmet.map(|e| e.text.as_str()).collect()
    }
}

/// One side of a comparison, played.
pub struct Side {
    /// The play where it stopped.
    pub play: Play,
    /// The scenario file with this side's layers.
    pub file: ScenarioFile,
    /// What its rules were loaded with.
    pub options: Options,
    /// How it stopped.
    pub stopped: Stopped,
    /// The transcript without boards and without its last line.
    pub told: Vec<RecordLine>,
    /// How it ended.
    pub outcome: Ended,
    /// Where it left the other side's answers, if it followed them and did.
    pub divergence: Option<Divergence>,
    /// What is worth knowing and no failure: answers and scripted rolls left over or missing.
    pub notes: Vec<String>,
    lines: Vec<Line>,
    question: Option<Question>,
    /// Whether it was played as the scenario says, and all went as that says.
    passed: bool,
}

impl Side {
    /// Whether it was played to where it should stop.
    pub fn went_well(&self) -> bool {
        !matches!(self.stopped, Stopped::Diverged(_) | Stopped::Failed(_))
    }

    /// The transcript without boards, with its last line.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for told in &self.told {
            text.push_str(&told.text);
            text.push('\n');
        }
        text.push_str("end: ");
        text.push_str(&self.outcome.end);
        text.push('\n');
        text
    }

    /// The worlds just before and just after a line of [`Side::told`]; past the last line, the
    /// world where the play stopped.
    pub fn worlds(&self, line: usize) -> (World, World) {
        match self.told.get(line) {
            Some(told) if told.heading => {
                let world = self.play.world_before(told.index);
                (world.clone(), world)
            }
            Some(told) => {
                let before = self.play.world_before(told.index);
                let mut after = before.clone();
                let table = self.play.table();
                if let Some(event) = table.events.get(told.index) {
                    event.redo(&table.rules, &mut after);
                }
                (before, after)
            }
            None => {
                let world = self.play.table().world.clone();
                (world.clone(), world)
            }
        }
    }
}

/// Which question of a game: the same under every rule set that asks it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Question {
    path: [u16; 4],
    phase: String,
    about: String,
    pick: u16,
    again: u16,
    after: String,
    faction: String,
    subject: String,
    label: String,
    nth: u16,
}

impl Question {
    fn of(asked: &Asked<'_>) -> Self {
        let (rules, request) = (asked.rules, asked.request);
        Self {
            path: request.step.path,
            phase: rules.phases[request.step.phase as usize].name.clone(),
            about: rules.who(request.step.about),
            pick: request.step.pick,
            again: request.step.again,
            after: request
                .step
                .interrupts
                .map_or_else(String::new, |cut| rules.unit_name(cut.after)),
            faction: rules.factions[request.asker.index()].clone(),
            subject: rules.who(asked.world.who(request.subject)),
            label: asked.label().to_owned(),
            nth: request.nth,
        }
    }
}

/// An agent that goes on as far as the question at which the other side stopped.
struct Onward {
    agent: Option<Box<dyn Answerer>>,
    as_far_as: Option<Question>,
}

impl Answerer for Onward {
    fn answer(&mut self, asked: &Asked<'_>) -> Reply {
        if self.as_far_as.as_ref().is_some_and(|q| *q == Question::of(asked)) {
            return Reply::Wait;
        }
        match &mut self.agent {
            Some(agent) => agent.answer(asked),
            None => Reply::Wait,
        }
    }
}

/// What came of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Every event is the same, and so is the outcome.
    Same,
    /// Events differ on the way; the outcome is the same.
    Events,
    /// The outcome differs.
    Outcome,
    /// A stored answer is no longer offered, or a question has none: on which side, and where.
    Diverged(Which, Divergence),
    /// The rules of a side failed in play.
    Failed(Which, Box<Problem>),
}

impl Verdict {
    /// One word for it.
    pub fn word(&self) -> &'static str {
        self.mark().word()
    }

    /// Its mark in the map.
    pub fn mark(&self) -> Sign {
        match self {
            Verdict::Same => Sign::Same,
            Verdict::Events => Sign::Events,
            Verdict::Outcome => Sign::Outcome,
            Verdict::Diverged(..) => Sign::Diverged,
            Verdict::Failed(..) => Sign::Failed,
        }
    }
}

/// A scenario under two rule sets.
pub struct Difference {
    /// Without the tweak.
    pub base: Side,
    /// With it.
    pub tweak: Side,
    /// What came of it.
    pub verdict: Verdict,
    /// The first line of [`Side::told`] that differs; `None` when none does.
    pub first: Option<usize>,
    /// What the base takes off that is on otherwise, a sentence each.
    pub taken_off: Vec<String>,
    /// What else is worth knowing about how the sides were set up.
    pub notes: Vec<String>,
}

impl Difference {
    fn of(base: Side, tweak: Side) -> Self {
        Self {
            verdict: judge(&base, &tweak),
            first: first_difference(&base, &tweak),
            base,
            tweak,
            taken_off: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// Compares scenarios; keeps the rule sets that it has loaded.
pub struct Differ<'w> {
    hosts: Hosts<'w>,
    /// Those of the files before they changed.
    before: Option<Hosts<'w>>,
    /// Whether worlds along the way are wanted, which costs time.
    trail: bool,
}

impl<'w> Differ<'w> {
    /// Compares scenarios of this workspace.
    pub fn new(workspace: &'w Workspace) -> Self {
        Self {
            hosts: Hosts::new(workspace),
            before: None,
            trail: true,
        }
    }

    /// Compares games under the rules of a workspace as it was with those of it as it is.
    pub fn after(before: &'w Workspace, now: &'w Workspace) -> Self {
        Self {
            before: Some(Hosts::new(before)),
            ..Self::new(now)
        }
    }

    fn lay(&mut self, setup: &Setup) -> Result<Laid, Problems> {
        let before = self.before.as_mut().filter(|_| setup.was);
        let hosts = before.unwrap_or(&mut self.hosts);
        let host = hosts.take(&setup.file, &setup.options)?;
        let mut laid = run::lay_on(host, setup.file.clone())?;
        if self.trail {
            laid.play.keep_trail();
        }
        Ok(laid)
    }

    /// Plays a side as the scenario says.
    fn lead(&mut self, setup: &Setup, lines: Option<&[Line]>) -> Result<Side, Problems> {
        let laid = self.lay(setup)?;
        let ran = run::run_laid(laid, lines)?;
        let question = ran.play.asked(Question::of);
        let mut notes = Vec::new();
        if !matches!(ran.stopped, Stopped::Failed(_) | Stopped::Diverged(_)) {
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
        Ok(Side { passed, ..side })
    }

    /// Plays a side with the answers of the one that led.
    fn follow(&mut self, setup: &Setup, leader: &Side, then: Option<Agent>) -> Result<Side, Problems> {
        let laid = self.lay(setup)?;
        let Laid {
            mut play,
            file,
            refused,
            ..
        } = laid;
        play.host.table.borrow_mut().rolls_may_miss = true;
        let stored = Stored::new(&leader.lines);
        let unused = stored.unused();
        let (answers, why) = AsFarAsOffered::new(stored);
        play.set_source(Box::new(answers));
        let mut watch = Watch::new(run::until_of(&file, &play.host.rules)?, &play);
        let mut divergence: Option<Divergence> = None;
        let mut by_hand = Chapters::edits_of(&leader.play);
        let mut mind = Mind::default();
        let mut stopped = loop {
            if let Some(why) = &refused {
                break Stopped::Refused(why.clone());
            }
            let begun = play.prepare();
            let begun = match by_hand.begin_due(&mut play) {
                Ok(false) => begun,
                Ok(true) => play.prepare(),
                Err(why) => {
                    divergence.get_or_insert_with(|| diverged(&play, &why, None));
                    break Stopped::Diverged(why);
                }
            };
            let progress = match begun {
                Progress::Stepped if watch.reached(&play) => break Stopped::Until,
                Progress::Stepped => play.advance(),
                other => other,
            };
            let (told, why) = match progress {
                Progress::Stepped => continue,
                Progress::Over => break Stopped::Over,
                Progress::Failed(problem) => break Stopped::Failed(problem),
                Progress::Diverged(diverged) => (diverged.to_string(), diverged.no_fit.reason()),
                Progress::Asks => {
                    let question = play.asked(Question::of);
                    if question.is_some() && question == leader.question {
                        break Stopped::Asks;
                    }
                    if let (Some(_), Some(agent)) = (&divergence, then.filter(|a| a.searches())) {
                        agent.answer(&mut play, &mut mind, file.seed)?;
                        continue;
                    }
                    let why = why.borrow_mut().take();
                    let asked = || {
                        play.asked(|a| {
                            let faction = &a.rules.factions[a.request.asker.index()];
                            format!("no stored answer for `{}` of {faction}", a.label())
                        })
                    };
                    match why {
                        Some(no_fit) => (no_fit.to_string(), no_fit.reason()),
                        None => {
                            let asked = asked().unwrap_or_default();
                            (asked.clone(), asked)
                        }
                    }
                }
            };
            if divergence.is_some() {
                break Stopped::Diverged(told);
            }
            let found = divergence.insert(diverged(&play, &why, then));
            let Some(agent) = then else {
                break Stopped::Diverged(format!("diverged at `{}`: {}", found.step, found.why));
            };
            play.set_source(Box::new(Onward {
                agent: agent.source(file.seed),
                as_far_as: leader.question.clone(),
            }));
        };
        if let (Some(missing), Stopped::Over | Stopped::Asks) = (by_hand.missing(), &stopped) {
            divergence.get_or_insert_with(|| diverged(&play, &missing, None));
            stopped = Stopped::Diverged(missing);
        }
        let question = play.asked(Question::of);
        play.clear_source();
        let mut notes = Vec::new();
        if divergence.is_none() && !matches!(stopped, Stopped::Failed(_)) {
            let unused = unused.list();
            notes.extend(
                unused
                    .iter()
                    .map(|u| format!("an answer was never asked for: {u}")),
            );
        }
        if !matches!(stopped, Stopped::Failed(_)) {
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
        base: &Side,
        base_setup: &Setup,
        tweaked: &Setup,
        lines: Option<&[Line]>,
        then: Option<Agent>,
    ) -> Result<(Option<Side>, Side), Problems> {
        if base.passed {
            return Ok((None, self.follow(tweaked, base, then)?));
        }
        // It may be written for the tweaked rules.
        let tweak = self.lead(tweaked, lines)?;
        if base.went_well() && !tweak.passed {
            self.hosts.give(tweak.play.host);
            return Ok((None, self.follow(tweaked, base, then)?));
        }
        if !tweak.went_well() {
            return Ok((None, tweak));
        }
        let mut base = self.follow(base_setup, &tweak, then)?;
        // What the scenario denies or answers is something that it expects.
        let mut tweak = tweak;
        for (side, fits) in [(&mut base, false), (&mut tweak, true)] {
            side.outcome.expectations.push(Expectation {
                text: "the scenario's own answers fit".to_owned(),
                holds: Some(fits),
            });
        }
        Ok((Some(base), tweak))
    }

    /// Whether a scenario, played as it is written on both sides, comes out otherwise without the
    /// layers of a tweak: its answers no longer fit, other expectations hold, or the end differs.
    ///
    /// # Errors
    ///
    /// Those of [`Self::compare`].
    pub fn comes_out_otherwise(&mut self, opened: &Opened, asked: &Comparison) -> Result<bool, Problems> {
        let lines = opened.lines.as_deref();
        let adopted = self.hosts.adopted(&opened.file.game)?;
        let base = self.lead(&asked.base(&opened.file, &adopted), lines)?;
        let tweak = self.lead(&asked.tweaked(&opened.file, &adopted, &asked.all()), lines)?;
        let otherwise = base.went_well() != tweak.went_well() || !base.outcome.is_same(&tweak.outcome);
        for side in [base, tweak] {
            self.hosts.give(side.play.host);
        }
        Ok(otherwise)
    }

    /// Compares one scenario without and with the layers of a tweak.
    ///
    /// # Errors
    ///
    /// What is wrong before the first step of either side: names that nothing has, layers that
    /// cannot be combined, a position that the rules of a side do not allow.
    pub fn compare(&mut self, opened: &Opened, asked: &Comparison) -> Result<Difference, Problems> {
        check_chapters(opened)?;
        let lines = opened.lines.as_deref();
        let adopted = self.hosts.adopted(&opened.file.game)?;
        let base_setup = asked.base(&opened.file, &adopted);
        let base = self.lead(&base_setup, lines)?;
        let tweaked = asked.tweaked(&opened.file, &adopted, &asked.all());
        let (replaced, tweak) = self.against(&base, &base_setup, &tweaked, lines, asked.then)?;
        let taken_off = asked
            .taken_off(&opened.file, &adopted)
            .into_iter()
            .map(|variant| {
                let who = if adopted.contains(&variant) {
                    "the game has adopted"
                } else {
                    "the scenario has on"
                };
                format!("{who} `{variant}`; the base takes it off")
            });
        let taken_off = taken_off.collect();
        let mut notes = Vec::new();
        for tweak in &asked.tweaks {
            let Addition::Dial(name, value) = tweak else {
                continue;
            };
            notes.extend(set_already(&base.play.host, name, value));
            if let Some((_, own)) = opened.file.dials.iter().find(|(n, _)| n.value == *name) {
                notes.push(format!(
                    "the scenario sets `{name}` to {}; the base keeps that",
                    own.value
                ));
            }
        }
        if replaced.is_some() {
            notes.push(
                "the scenario's answers are for the tweaked rules: those were played first, and the base follows them"
                    .to_owned(),
            );
        }
        Ok(Difference {
            taken_off,
            notes,
            ..Difference::of(replaced.unwrap_or(base), tweak)
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
        (file, options): (ScenarioFile, Options),
        (file_now, options_now): (ScenarioFile, Options),
    ) -> Result<Difference, Problems> {
        let setup = |file, options, was| Setup { file, options, was };
        let (was, is) = (setup(file, options, true), setup(file_now, options_now, false));
        let base = self.lead(&was, lines)?;
        let (replaced, tweak) = self.against(&base, &was, &is, lines, None)?;
        Ok(Difference::of(replaced.unwrap_or(base), tweak))
    }

    fn put_back(&mut self, side: Option<Side>) {
        if let Some(side) = side {
            self.hosts.give(side.play.host);
        }
    }
}

fn side(
    play: Play,
    file: ScenarioFile,
    stopped: Stopped,
    divergence: Option<Divergence>,
    notes: Vec<String>,
    question: Option<Question>,
    options: Options,
) -> Side {
    let (lines, told) = tell(&play);
    let outcome = outcome_of(&play, &file, &stopped);
    Side {
        play,
        file,
        stopped,
        told,
        outcome,
        divergence,
        notes,
        lines,
        question,
        options,
        passed: false,
    }
}

/// What differs in the positions of two plays, the first as the base.
pub fn changes(base: &Play, other: &Play) -> Vec<Change> {
    let of = |play: &Play| Ended {
        facts: facts(play),
        ..Ended::default()
    };
    of(base).changes(&of(other))
}

/// A save whose rules changed on the way was played under none of the two sides. What was changed by
/// hand in it is changed on both.
fn check_chapters(opened: &Opened) -> Result<(), Problem> {
    let mut rules: Vec<&String> = Vec::new();
    let mut changed = 0;
    for line in opened.lines.iter().flatten() {
        if let Line::Chapter {
            number,
            rules: these,
            edits,
            ..
        } = line
        {
            changed += usize::from(*number > 1 && edits.is_empty());
            rules.push(these);
        }
    }
    if changed == 0 && rules.windows(2).all(|r| r[0] == r[1]) {
        return Ok(());
    }
    Err(Problem::new(format!(
        "the rules of this save changed on the way: it has {} chapters",
        rules.len()
    ))
    .hint("only a game under one set of rules can be compared; `:retell` tells it under the last ones"))
}

/// The record as lines without boards.
fn tell(play: &Play) -> (Vec<Line>, Vec<RecordLine>) {
    let table = play.table();
    let events = &table.events;
    let lines = lines_of(&table.rules, &table.words, events, 0, &|_| None);
    let mut happened = events
        .iter()
        .enumerate()
        .filter(|(_, e)| !matches!(e, Event::Phase { .. }))
        .map(|(i, _)| i)
        .peekable();
    let told = lines
        .iter()
        .map(|line| {
            let heading = matches!(line, Line::Phase { .. });
            let next = if heading {
                happened.peek().copied()
            } else {
                happened.next()
            };
            RecordLine {
                text: line.text(),
                index: next.unwrap_or(events.len()),
                heading,
            }
        })
        .collect();
    (lines, told)
}

fn diverged(play: &Play, why: &str, then: Option<Agent>) -> Divergence {
    let read = play.asked(|a| {
        let faction = a.rules.factions[a.request.asker.index()].clone();
        (faction, a.label().to_owned(), a.keys())
    });
    let (faction, label, offered) = read.unwrap_or_default();
    Divergence {
        step: play.step_name(),
        faction,
        label,
        why: why.to_owned(),
        offered,
        line: tell(play).1.len(),
        then: then.map(|agent| agent.to_string()),
    }
}

/// Scripted rolls that were left over, or were missing or did not fit and came from the seed.
fn roll_notes(play: &Play, file: &ScenarioFile) -> Vec<String> {
    let table = play.table();
    let mut notes = Vec::new();
    for (label, scripted) in &file.rolls {
        let rolled = table.events.iter().filter_map(|e| match e {
            Event::Rolled { label: l, dice, .. } if table.words.text(*l) == label.value => Some(dice),
            _ => None,
        });
        let rolled: Vec<Vec<i64>> = rolled.map(|dice| dice.values().collect()).collect();
        let unlike = |(nth, dice): &(usize, &Vec<i64>)| {
            let mut written = scripted[*nth].value.clone();
            let mut dice = (*dice).clone();
            written.sort_unstable();
            dice.sort_unstable();
            written != dice
        };
        let misfits = rolled
            .iter()
            .enumerate()
            .take(scripted.len())
            .filter(unlike)
            .count();
        let count = |n: usize| counted(n, "roll");
        if rolled.len() > scripted.len() {
            let more = count(rolled.len() - scripted.len());
            notes.push(format!(
                "{more} of `{label}` more than are scripted came from the seed"
            ));
        }
        if misfits > 0 {
            notes.push(format!(
                "{} of `{label}` did not fit what is scripted and came from the seed",
                count(misfits)
            ));
        }
        if rolled.len() < scripted.len() {
            let left = count(scripted.len() - rolled.len());
            notes.push(format!("{left} of `{label}` that are scripted were never rolled"));
        }
    }
    notes
}

fn outcome_of(play: &Play, file: &ScenarioFile, stopped: &Stopped) -> Ended {
    let ended = !matches!(stopped, Stopped::Diverged(_) | Stopped::Failed(_));
    let expectations = file.expect.iter().map(|e| Expectation {
        text: e.value.clone(),
        holds: ended.then(|| run::check(play, file, e).is_none()),
    });
    Ended {
        expectations: expectations.collect(),
        end: end_of(play, stopped),
        facts: facts(play),
    }
}

fn facts(play: &Play) -> BTreeMap<FactKey, Fact> {
    let table = play.table();
    let (rules, world) = (&table.rules, &table.world);
    let mut facts = BTreeMap::new();
    let mut put = |who: &str, slot: &str, value: String, start: bool, quiet: bool| {
        facts.insert((who.to_owned(), slot.to_owned()), Fact { value, start, quiet });
    };
    let slots_of = |thing: Thing, who: &str, put: &mut dyn FnMut(&str, &str, String, bool, bool)| {
        for (index, slot) in rules.slots.of(thing).iter().enumerate() {
            let value = world.slot(thing, index);
            let text = world.spelled(rules, slot.kind, value, &Spelling::TOLD);
            let start = value == world.start_of(rules, thing, slot);
            put(who, &slot.name, text, start, slot.quiet);
        }
    };
    for faction in (0..rules.factions.len()).map(|f| FactionId(f as u8)) {
        let name = &rules.factions[faction.index()];
        slots_of(Thing::Faction(faction), name, &mut put);
        for unit in world.owned(faction) {
            let name = rules.unit_name(world.name(unit));
            put(&name, "place", world.whereabouts(rules, unit), false, false);
            if world.is_alive(unit) {
                slots_of(Thing::Unit(unit), &name, &mut put);
            }
        }
    }
    for place in rules.board.places() {
        slots_of(Thing::Place(place), rules.board.name(place), &mut put);
    }
    slots_of(Thing::Game, "game", &mut put);
    let first = world.in_order(0);
    put(
        "game",
        "goes first",
        rules.factions[first.index()].clone(),
        first == FactionId(0),
        false,
    );
    if let Some(outcome) = world.outcome {
        let winner = outcome
            .winner
            .map_or("nobody", |f| rules.factions[f.index()].as_str());
        let (contest, reason) = (
            table.words.text(outcome.contest),
            table.words.text(outcome.reason),
        );
        put(
            "game",
            "last winner",
            format!("{winner}, the {contest}: {reason}"),
            false,
            false,
        );
    }
    facts
}

fn first_difference(base: &Side, tweak: &Side) -> Option<usize> {
    let same = base.told.iter().zip(&tweak.told);
    let same = same.take_while(|(a, b)| a.text == b.text).count();
    (same < base.told.len() || same < tweak.told.len()).then_some(same)
}

fn judge(base: &Side, tweak: &Side) -> Verdict {
    for (which, side) in [(Which::Base, base), (Which::Tweak, tweak)] {
        if let Some(divergence) = &side.divergence {
            return Verdict::Diverged(which, divergence.clone());
        }
        match &side.stopped {
            Stopped::Failed(problem) => return Verdict::Failed(which, problem.clone()),
            Stopped::Diverged(why) => {
                let problem = Problem::new(format!("the scenario's own answers do not fit: {why}"));
                return Verdict::Failed(which, Box::new(problem));
            }
            _ => {}
        }
    }
    if !base.outcome.is_same(&tweak.outcome) {
        Verdict::Outcome
    } else if first_difference(base, tweak).is_some() {
        Verdict::Events
    } else {
        Verdict::Same
    }
}

/// What a tweak does to a scenario, in one sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// Nothing.
    Same,
    /// Other events, the same outcome.
    Events,
    /// Another outcome.
    Outcome,
    /// The scenario's answers no longer fit.
    Diverged,
    /// The rules fail, or cannot be combined with what the scenario has on.
    Failed,
}

impl Sign {
    /// All of them.
    pub const ALL: [Sign; 5] = [
        Sign::Same,
        Sign::Events,
        Sign::Outcome,
        Sign::Diverged,
        Sign::Failed,
    ];

    /// The sign in the table.
    pub fn sign(self) -> char {
        match self {
            Sign::Same => '.',
            Sign::Events => '~',
            Sign::Outcome => 'X',
            Sign::Diverged => '?',
            Sign::Failed => '!',
        }
    }

    /// One word for it.
    pub fn word(self) -> &'static str {
        match self {
            Sign::Same => "same",
            Sign::Events => "events",
            Sign::Outcome => "outcome",
            Sign::Diverged => "diverged",
            Sign::Failed => "failed",
        }
    }

    /// What it means.
    pub fn meaning(self) -> &'static str {
        match self {
            Sign::Same => "no difference",
            Sign::Events => "other events, same outcome",
            Sign::Outcome => "another outcome",
            Sign::Diverged => "an answer is no longer offered, or a question is new",
            Sign::Failed => "the rules fail or cannot be combined",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{self, Style};
    use crate::report;

    fn random_game(seed: u64) -> Side {
        let workspace = Workspace::Embedded;
        let game = workspace.games().remove(0);
        let text = format!("game = \"{game}\"\nopen = \"random\"\nseed = {seed}\n");
        let opened = run::open(&report::Source::new("random", text)).expect("it can be read");
        let setup = Comparison::default().base(&opened.file, &[]);
        let side = Differ::new(&workspace).lead(&setup, None);
        side.expect("it can be played")
    }

    #[test]
    fn a_world_along_the_way_is_the_checkpoint_with_what_happened_since() {
        let draw = |side: &Side, world: &World| {
            let rules = &side.play.host.rules;
            let style = Style::default();
            let reserve = render::reserve(rules, world, &style);
            let status = render::status(rules, world, &style);
            (render::board(rules, world, &style), status, reserve)
        };
        for seed in 0..3 {
            let side = random_game(seed);
            let trail = side.play.trail();
            let events = side.play.events();
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
                    event.redo(&side.play.host.rules, &mut world);
                }
                assert_eq!(draw(&side, &world), draw(&side, &pair[1].position.world));
                compared += usize::from(!between.is_empty());
            }
            assert!(compared > 20, "{compared}");
            let (before, after) = side.worlds(side.told.len());
            assert_eq!(before, after);
        }
    }

    #[test]
    fn a_line_that_moves_a_unit_has_it_elsewhere_before_and_after() {
        let side = random_game(1);
        let events = side.play.events();
        let line = side.told.iter().position(|t| {
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
        let Event::Moved { unit, from, to, .. } = events[side.told[line].index] else {
            unreachable!("just found")
        };
        let (before, after) = side.worlds(line);
        let place = |world: &World| world.find(unit).and_then(|u| world.spot(u));
        assert_eq!((place(&before), place(&after)), (from, to));
    }

    #[test]
    fn a_slot_that_only_one_side_has_counts_when_it_is_not_as_it_starts() {
        let outcome = |start: bool| Ended {
            facts: [(
                ("game".to_owned(), "tide".to_owned()),
                Fact {
                    value: "4".to_owned(),
                    start,
                    quiet: false,
                },
            )]
            .into(),
            ..Ended::default()
        };
        assert!(outcome(true).is_same(&Ended::default()));
        assert!(!outcome(false).is_same(&Ended::default()));
        assert!(!Ended::default().is_same(&outcome(false)));
    }
}
