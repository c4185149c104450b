//! Runs a scenario: lays the table, plays as far as it says, and checks what it expects.

use super::chapters::{Chapters, RulesOf};
use super::moment::{PhaseStop, PhaseWatch};
use super::set_up::{check_places, check_start, is_laid, on_ground};
use super::throws;
use super::transcribe;
use crate::agents::{Agent, Mind};
use crate::description::Spanned;
use crate::files::shell_word;
use crate::kernel::rules::Rules;
use crate::kernel::table::Position;
use crate::kernel::table::chance::{Misstated, Stated, StatedThrow};
use crate::lines;
use crate::option_text::QuestionWords;
use crate::play::{Play, Progress, viewpoint};
use crate::report::{Passage, Problem, Problems, Source, from_top, hint_for};
use crate::rules::rolls;
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::run::observe::Watcher;
use crate::rules::runtime::Runtime;
use crate::rules::workspace::Workspace;
use crate::scenario::answers::{self, AnswerReader};
use crate::scenario::file::{DEFAULT_OPEN, DialValue, ScenarioFile};
use crate::scenario::problems;
use crate::sequences::{self, CountStop, MAX_DEPTH};
use crate::snapshot;
use crate::stage::transcribe::LineDifference;
use crate::transcript::{FAILED, Line, Stored, Transcript};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// The name of an expectation's text while it is read by itself.
const EXPECTATION: &str = "expectation";

/// Overrides that a command line adds to a scenario.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Overrides {
    /// Another seed.
    pub seed: Option<u64>,
    /// Dials that are turned, by name; they win over the file's.
    pub dials: Vec<(String, DialValue)>,
    /// Further variants.
    pub variants: Vec<String>,
    /// Variants that are taken off, be they the file's or adopted by the game; before `variants`
    /// are put on.
    pub without: Vec<String>,
    /// The text of the scratch layer ([`LoadOptions::scratch`]).
    pub scratch: Option<String>,
    /// Kinds of terrain that lie in places in place of what is there: place and kind.
    pub ground: Vec<(String, String)>,
    /// Whether the set-up is left out, as with the key `empty` of a scenario.
    pub empty: bool,
}

impl Overrides {
    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A table that is laid for a scenario, before its first step.
pub struct Setup {
    /// The play, at its start.
    pub play: Play,
    /// The position it starts from.
    pub start: Position,
    /// The file, with the overrides in it.
    pub file: ScenarioFile,
    /// Why the rules do not let the game start so, where the file says that they do not.
    pub refused: Option<String>,
}

impl Setup {
    /// Returns the set-up if it can be played.
    ///
    /// # Errors
    ///
    /// Its rules do not let the game start so, as the file says.
    pub fn playable(self) -> Result<Setup, Problems> {
        match (&self.refused, &self.file.refused) {
            (Some(why), Some(expected)) => Err(problems::refused_position(why.clone())
                .at(&self.file.source, expected.span.clone())
                .into()),
            _ => Ok(self),
        }
    }
}

/// Reason why a scenario's play stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlayStop {
    /// The last phase ended.
    Over,
    /// At the phase that `until` names.
    Until,
    /// At a question that nobody answers.
    Asks,
    /// A stored answer did not fit.
    Diverged(String),
    /// The rules failed.
    Failed(Box<Problem>),
    /// It did not begin: the rules refuse the position, as the scenario says.
    Refused(String),
}

/// A scenario that was played.
pub struct PlayedScenario {
    /// The play where it stopped.
    pub play: Play,
    /// The file, with the overrides in it.
    pub file: ScenarioFile,
    /// Reason why it stopped.
    pub stopped: PlayStop,
    /// Problems found: failures of rules, answers that do not fit, leftovers.
    pub problems: Vec<Problem>,
    /// Expectations that are not met; looked at only when nothing else was wrong.
    pub unmet: Vec<Problem>,
}

impl PlayedScenario {
    /// Whether all went as the scenario says.
    pub fn passed(&self) -> bool {
        self.problems.is_empty() && self.unmet.is_empty()
    }

    /// Returns the end of the play, in a few words.
    pub fn end(&self) -> String {
        end_of(&self.play, &self.stopped)
    }

    /// The record of the play.
    pub fn transcript(&self) -> Transcript {
        let mut transcript = transcribe::transcript(&self.play, &self.file, &self.end());
        // Played again, it stops there again, not at the first question after.
        transcript.scenario.until = self.file.until.clone();
        transcript
    }
}

/// Returns the end of a play, in a few words.
pub fn end_of(play: &Play, stopped: &PlayStop) -> String {
    let question = play.with_question(|a| {
        let asker = &a.rules.factions[a.request.asker.index()];
        format!("{asker} is asked `{}`: {}", a.label(), a.option_list())
    });
    match stopped {
        PlayStop::Over => {
            let table = play.table();
            match table.world.outcome {
                None => "over".to_owned(),
                Some(outcome) => {
                    let contest = table.words.text(outcome.contest);
                    let reason = table.words.text(outcome.reason);
                    match outcome.winner {
                        Some(f) => {
                            format!("{} wins the {contest}: {reason}", table.rules.factions[f.index()])
                        }
                        None => format!("the {contest} is a draw: {reason}"),
                    }
                }
            }
        }
        PlayStop::Until => "as far as asked".to_owned(),
        PlayStop::Asks => question.unwrap_or_default(),
        PlayStop::Diverged(why) => why.clone(),
        PlayStop::Failed(problem) => format!("{FAILED}{}", problem.message),
        PlayStop::Refused(why) => format!("the game cannot start so: {why}"),
    }
}

/// A scenario or a transcript, as a file holds it.
pub struct OpenedFile {
    /// The scenario; a transcript's own one.
    pub file: ScenarioFile,
    /// The lines of a transcript.
    pub lines: Option<Vec<Line>>,
}

impl From<ScenarioFile> for OpenedFile {
    fn from(file: ScenarioFile) -> Self {
        Self { file, lines: None }
    }
}

impl OpenedFile {
    /// It as text, as it may have been changed since it was read.
    pub fn text(&self) -> String {
        match &self.lines {
            None => self.file.to_toml(),
            Some(lines) => {
                let (scenario, lines) = (self.file.clone(), lines.clone());
                Transcript { scenario, lines }.print()
            }
        }
    }
}

/// Reads a scenario, a transcript, or a transcript in a snapshot's frame.
///
/// # Errors
///
/// What is wrong with the text.
pub fn open(source: &Arc<Source>) -> Result<OpenedFile, Problems> {
    let framed = snapshot::first_line(source)?;
    if framed.is_some() || Transcript::is_one(&source.text) {
        let transcript = Transcript::parse_from(source, framed.unwrap_or(0))?;
        return Ok(OpenedFile {
            file: transcript.scenario,
            lines: Some(transcript.lines),
        });
    }
    Ok(ScenarioFile::parse(Arc::clone(source))?.into())
}

/// Loads the game of a scenario file and lays the table as it says.
///
/// # Errors
///
/// Every problem that could be found, at the place in the file where it is written.
pub fn lay(workspace: &Workspace, file: &ScenarioFile, overrides: &Overrides) -> Result<Setup, Problems> {
    let file = changed(file, overrides);
    let options = LoadOptions {
        scratch: overrides.scratch.clone(),
        ..options_of(&file, &overrides.without)
    };
    let setup = load(workspace, &file, &options).and_then(|ruleset| {
        let file = on_ground(&ruleset.rules, file.clone(), &overrides.ground)?;
        lay_on(ruleset, file)
    });
    setup.map_err(|found| with_other_faults(workspace, &file, found.0))
}

/// Reads a scenario, a transcript, or a transcript in a snapshot's frame; a scenario that cannot be
/// read is compared with its game as far as it can be, so that all that is wrong is told together.
///
/// # Errors
///
/// What is wrong with the text.
pub fn open_in(workspace: &Workspace, source: &Arc<Source>) -> Result<OpenedFile, Problems> {
    if snapshot::first_line(source)?.is_some() || Transcript::is_one(&source.text) {
        return open(source);
    }
    let (file, found) = ScenarioFile::parse_as_far(Arc::clone(source));
    if found.is_empty() {
        return Ok(file.into());
    }
    Err(with_other_faults(workspace, &file, found))
}

/// Adds all other problems of a scenario to those found, in the order of its text.
pub fn with_other_faults(workspace: &Workspace, file: &ScenarioFile, found: Vec<Problem>) -> Problems {
    let mut all = found;
    let own = |p: &Problem| p.place.as_ref().is_some_and(|place| place.source == file.source);
    if file.source.text.is_empty() || !all.iter().all(own) {
        // Rules that cannot be loaded say nothing about the scenario.
        return Problems(all);
    }
    let at = |p: &Problem| p.place.as_ref().map(|place| place.span.clone());
    let known: HashSet<_> = all.iter().map(at).collect();
    // The same place is told once: two sentences about it have one cause.
    let own = |p: &Problem| p.place.as_ref().is_none_or(|place| place.source == file.source);
    let others = faults(workspace, file).into_iter();
    all.extend(others.filter(|p| !own(p) || !known.contains(&at(p))));
    Problems(from_top(all))
}

/// Everything that is wrong with what a scenario file says, as far as it can be told without
/// playing: what its game does not have, units that cannot stand so, expectations that cannot be
/// asked. A game whose own scripts are broken is not looked at.
pub fn faults(workspace: &Workspace, file: &ScenarioFile) -> Vec<Problem> {
    if file.game.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut options = options_of(file, &[]);
    let ruleset = match load(workspace, file, &options) {
        Ok(ruleset) => ruleset,
        Err(problems) => {
            let here = |p: &Problem| p.place.as_ref().is_some_and(|place| place.source == file.source);
            if !problems.0.iter().all(here) {
                return problems.0;
            }
            found.extend(problems.0);
            // Without the dials and variants that do not fit, the rest can be compared.
            options = LoadOptions::default();
            match load(workspace, file, &options) {
                Ok(ruleset) => ruleset,
                Err(_) => return found,
            }
        }
    };
    let as_asked = found.is_empty();
    let rules = Arc::clone(&ruleset.rules);
    let (world, units, problems) = file.position.lay(&rules, &file.source);
    found.extend(problems);
    found.extend(throws::check(&rules, file));
    found.extend(what_play_will_need(&ruleset, file, as_asked));
    if found.is_empty() {
        let start = Position::start(world, is_laid(&rules, file, &units), file.seed, 0);
        let mut play = Play::new(ruleset, &start);
        found.extend(check_places(&mut play, file, &units));
        if found.is_empty() && is_laid(&rules, file, &units) && !file.empty {
            found.extend(check_start(&mut play, file));
        }
    }
    found
}

/// Returns the problems with parts of a scenario's set-up that are needed only during play: where it stops, who
/// answers, what it expects.
pub fn unasked(setup: &Setup) -> Vec<Problem> {
    what_play_will_need(setup.play.ruleset(), &setup.file, true)
}

/// With `as_asked` the ruleset is loaded as the file says, so that its expectations can be judged.
fn what_play_will_need(ruleset: &Ruleset, file: &ScenarioFile, as_asked: bool) -> Vec<Problem> {
    let mut found = Vec::new();
    if let Err(problem) = until_of(file, &ruleset.rules) {
        found.push(problem);
    }
    if file.open.value != DEFAULT_OPEN
        && let Err(mut problem) = Agent::find(&file.open)
    {
        if !file.open.value.contains(':') {
            let names = Agent::NAMES.iter().map(|(name, _)| *name);
            problem = problem.hint(hint_for(&file.open.value, names.chain([DEFAULT_OPEN])));
        }
        found.push(problem.at(&file.source, file.open.span.clone()));
    }
    if let Err(problems) = answers::read(file, None) {
        found.extend(problems.0);
    }
    if !as_asked {
        return found;
    }
    for expectation in &file.expect {
        let source = Source::new(EXPECTATION, expectation.value.as_str());
        let source = match viewpoint(&ruleset.rules, &source) {
            Ok((_, source)) => source,
            Err(problem) => {
                found.push(at_expectation(file, expectation, problem));
                continue;
            }
        };
        // The same place is told once: two sentences about it have one cause.
        let mut reported = HashSet::new();
        let mut wrong = ruleset.check_expression(&source, &[]);
        wrong.retain(|p| reported.insert(p.place.as_ref().map(|place| place.span.clone())));
        found.extend(wrong.into_iter().map(|p| at_expectation(file, expectation, p)));
    }
    if !file.rolls.is_empty() {
        found.extend(odd_rolls(ruleset, file));
    }
    if !file.throws.is_empty() && ruleset.rules.ground.dice().is_some() {
        let throws = rolls::throws(ruleset);
        let known = throws.iter().filter_map(|throw| throw.label.clone()).collect();
        for (label, _) in &file.throws {
            let problem = rolls::label_refused("throw", &throws, &known, label);
            found.extend(problem.map(|problem| problem.at(&file.source, label.span.clone())));
        }
    }
    from_top(found)
}

/// The scripted rolls that no roll of the scripts can be, as far as those say without being played.
fn odd_rolls(ruleset: &Ruleset, file: &ScenarioFile) -> Vec<Problem> {
    let rolls = rolls::rolls(ruleset);
    let known = rolls.iter().filter_map(|roll| roll.label.clone()).collect();
    let mut found = Vec::new();
    for (label, all) in &file.rolls {
        if let Some(problem) = rolls::label_refused("roll", &rolls, &known, label) {
            found.push(problem.at(&file.source, label.span.clone()));
            continue;
        }
        for roll in all {
            let why = rolls::dice_refused(&rolls, label, roll);
            found.extend(why.map(|why| problems::wrong_roll(why).at(&file.source, roll.span.clone())));
        }
    }
    found
}

/// A problem of an expression as the scenario's, at the part of it that it is about.
fn at_expectation(file: &ScenarioFile, expectation: &Spanned<String>, mut problem: Problem) -> Problem {
    problem.message = format!("the expectation cannot be read: {}", problem.message);
    let span = part_of(file, expectation, problem.place.as_ref());
    problem.at(&file.source, span)
}

/// Returns the problem of an expectation that fails while it is worked out: at the place where the rules fail, with the
/// expectation as the caller.
fn failed_in(file: &ScenarioFile, expectation: &Spanned<String>, mut problem: Problem) -> Problem {
    problem.message = format!("the expectation cannot be worked out: {}", problem.message);
    let called = problem.chain.iter_mut().map(|call| &mut call.place);
    for place in problem.place.iter_mut().chain(called) {
        if place.source.name == EXPECTATION {
            *place = Passage::new(&file.source, part_of(file, expectation, Some(place)));
        }
    }
    problem
}

/// Returns the position in the file of a part of an expectation.
fn part_of(file: &ScenarioFile, expectation: &Spanned<String>, part: Option<&Passage>) -> Range<usize> {
    // Where the text stands in the file as it is, without escapes, its parts have places too.
    let inner = expectation.span.start + 1..expectation.span.end.saturating_sub(1);
    match part {
        Some(part) if file.source.text.get(inner.clone()) == Some(expectation.value.as_str()) => {
            inner.start + part.span.start..inner.start + part.span.end
        }
        _ => expectation.span.clone(),
    }
}

/// Loads the game of a scenario file with these options.
///
/// # Errors
///
/// Every problem that could be found, at the place in the file where it is written.
pub fn load(
    workspace: &Workspace,
    file: &ScenarioFile,
    options: &LoadOptions,
) -> Result<Arc<Ruleset>, Problems> {
    Ruleset::load(workspace, &file.game, options).map_err(|found| placed(workspace, file, found))
}

/// Returns the options for the rules of a scenario file: its dials and variants, and without these variants, if the
/// game has adopted them.
pub fn options_of(file: &ScenarioFile, without: &[String]) -> LoadOptions {
    let dials = file.dials.iter();
    LoadOptions {
        dials: dials.map(|(n, v)| (n.value.clone(), v.value.clone())).collect(),
        variants: file.variants.iter().map(|v| v.value.clone()).collect(),
        without: without.to_vec(),
        ..LoadOptions::default()
    }
}

/// Sets up a play as a scenario file says, under a ruleset that is loaded with the file's options.
///
/// # Errors
///
/// What cannot be laid so, at the place in the file where it is written.
pub fn lay_on(ruleset: Arc<Ruleset>, file: ScenarioFile) -> Result<Setup, Problems> {
    lay_watched(ruleset, file, None)
}

/// The same, watched by somebody from the start.
///
/// # Errors
///
/// As [`lay_on`].
pub fn lay_watched(
    ruleset: Arc<Ruleset>,
    file: ScenarioFile,
    watcher: Option<Box<dyn Watcher>>,
) -> Result<Setup, Problems> {
    let rules = Arc::clone(&ruleset.rules);
    let (world, units, mut problems) = file.position.lay(&rules, &file.source);
    problems.extend(throws::check(&rules, &file));
    Problems::check(problems)?;
    let scripted: BTreeMap<String, Vec<Vec<i64>>> = file
        .rolls
        .iter()
        .map(|(label, rolls)| {
            (
                label.value.clone(),
                rolls.iter().map(|r| r.value.clone()).collect(),
            )
        })
        .collect();
    let has_setup = is_laid(&rules, &file, &units);
    let stated: BTreeMap<String, Vec<StatedThrow>> = file
        .throws
        .iter()
        .map(|(label, throws)| {
            let throws = throws.iter().map(|throw| StatedThrow {
                text: throw.value.clone(),
                happens: throws::happen,
            });
            (label.value.clone(), throws.collect())
        })
        .collect();
    let start = Position::start(world, has_setup, file.seed, scripted.len() + stated.len());
    let mut play = Play::new(ruleset, &start);
    if let Some(watcher) = watcher {
        play.runtime.watch_with(watcher);
    }
    let table = play.table_mut();
    table.chance.stated = Arc::new(Stated {
        rolls: scripted,
        throws: stated,
        rolls_may_end: false,
    });
    let mut found = check_places(&mut play, &file, &units);
    if found.is_empty() && has_setup && !file.empty {
        found.extend(check_start(&mut play, &file));
    }
    let mut refused = None;
    if let Some(expected) = &file.refused {
        match found.iter().find(|p| p.message.contains(expected.as_str())) {
            Some(problem) => {
                refused = Some(problem.message.clone());
                found.clear();
            }
            None if found.is_empty() => {
                found.push(problems::not_refused().at(&file.source, expected.span.clone()));
            }
            None => {}
        }
    }
    Problems::check(found)?;
    Ok(Setup {
        play,
        start,
        file,
        refused,
    })
}

/// A scenario file with overrides in it.
pub fn changed(file: &ScenarioFile, overrides: &Overrides) -> ScenarioFile {
    let mut file = file.clone();
    file.empty |= overrides.empty;
    if let Some(seed) = overrides.seed {
        file.seed = seed;
    }
    for (name, value) in &overrides.dials {
        file.dials.retain(|(n, _)| n.value != *name);
        file.dials.push((name.clone().into(), value.clone().into()));
    }
    file.variants.retain(|v| !overrides.without.contains(&v.value));
    for variant in &overrides.variants {
        if !file.variants.iter().any(|v| v.value == *variant) {
            file.variants.push(variant.clone().into());
        }
    }
    file
}

/// Moves problems with loading a scenario's rules to the places in its file that name the game, a dial or a variant.
pub fn placed(workspace: &Workspace, file: &ScenarioFile, mut problems: Problems) -> Problems {
    let dials = file.dials.iter().map(|(name, _)| name);
    let mut named: HashMap<&str, &Range<usize>> = HashMap::new();
    for name in dials.chain(&file.variants) {
        named.entry(&name.value).or_insert(&name.span);
    }
    let is_unknown = !file.source.text.is_empty() && workspace.check_game(&file.game).is_err();
    for problem in problems.0.iter_mut().filter(|p| p.place.is_none()) {
        let span = match is_unknown {
            true => Some(&file.game.span),
            false => problem.subjects().find_map(|name| named.get(name).copied()),
        };
        if let Some(span) = span.filter(|s| !s.is_empty()) {
            problem.place = Some(Passage::new(&file.source, span.clone()));
        }
    }
    problems
}

/// Plays a scenario as far as it says, and checks what it expects; a transcript is played again
/// from its stored answers.
///
/// # Errors
///
/// What is wrong before the first step; what goes wrong in play is in the result.
pub fn run(
    workspace: &Workspace,
    opened: &OpenedFile,
    overrides: &Overrides,
) -> Result<PlayedScenario, Problems> {
    run_under(&|_| workspace.clone(), opened, overrides)
}

/// The same with each chapter's rules from where they are kept.
///
/// # Errors
///
/// Those of [`run`].
pub fn run_under(
    rules_of: RulesOf<'_>,
    opened: &OpenedFile,
    overrides: &Overrides,
) -> Result<PlayedScenario, Problems> {
    run_prepared(rules_of, opened, overrides, |_| {})
}

/// The same as [`run`], and what was offered where somebody chose is kept beside the record.
///
/// # Errors
///
/// Those of [`run`].
pub fn run_with_offers(
    workspace: &Workspace,
    opened: &OpenedFile,
    overrides: &Overrides,
) -> Result<PlayedScenario, Problems> {
    run_prepared(&|_| workspace.clone(), opened, overrides, |play| {
        play.table_mut().offers = Some(Vec::new());
    })
}

/// The same as [`run`], for somebody who plays on: dice beyond those that the file scripts come from the seed.
///
/// # Errors
///
/// Those of [`run`].
pub fn run_to_play_on(
    workspace: &Workspace,
    opened: &OpenedFile,
    overrides: &Overrides,
) -> Result<PlayedScenario, Problems> {
    run_prepared(&|_| workspace.clone(), opened, overrides, rolls_may_end)
}

/// Dice beyond those that the scenario scripts come from the seed.
fn rolls_may_end(play: &mut Play) {
    Arc::make_mut(&mut play.table_mut().chance.stated).rolls_may_end = true;
}

fn run_prepared(
    rules_of: RulesOf<'_>,
    opened: &OpenedFile,
    overrides: &Overrides,
    prepare: impl FnOnce(&mut Play),
) -> Result<PlayedScenario, Problems> {
    let mut first = String::new();
    let as_stored = overrides.is_empty();
    let mut overrides = overrides.clone();
    let lines = opened.lines.as_deref();
    for line in lines.unwrap_or_default() {
        if let Line::Chapter {
            number: 0 | 1,
            rules,
            options,
            ..
        } = line
        {
            overrides.without.extend(options.without.iter().cloned());
            first.clone_from(rules);
            if as_stored {
                overrides.scratch.clone_from(&options.scratch);
            }
        }
    }
    let mut setup = lay(&rules_of(&first), &opened.file, &overrides)?;
    setup.play.keep_trail();
    prepare(&mut setup.play);
    let chapters = match lines {
        Some(lines) if as_stored => Chapters::as_stored(lines, rules_of),
        // Under other rules than its own the game is told under these alone.
        lines => Chapters::edits(lines.unwrap_or_default()),
    };
    play_laid(setup, lines, chapters, as_stored)
}

/// The same on a table that is laid, under one set of rules; with the lines of a transcript, their
/// answers are given and their changes by hand are made, and their events are not compared.
///
/// # Errors
///
/// Those of [`run`].
pub fn run_laid(setup: Setup, lines: Option<&[Line]>) -> Result<PlayedScenario, Problems> {
    let chapters = Chapters::edits(lines.unwrap_or_default());
    play_laid(setup, lines, chapters, false)
}

/// The same with the chapters after the first; `as_stored` if it must be the game that the lines tell.
fn play_laid(
    setup: Setup,
    lines: Option<&[Line]>,
    chapters: Chapters,
    as_stored: bool,
) -> Result<PlayedScenario, Problems> {
    // Told together, before the first of them stops the play.
    let early = what_play_will_need(setup.play.ruleset(), &setup.file, false);
    Problems::check(from_top(early))?;
    let Setup {
        mut play,
        file,
        refused,
        ..
    } = setup;
    let agent = agent_of(&file)?;
    let until = until_of(&file, &play.ruleset().rules)?;
    let written = answers::read(&file, agent.and_then(|a| a.source(file.seed)))?;
    let answers = written.progress();
    let mut unused = None;
    match lines {
        Some(lines) => {
            // Somebody may have played on beyond the script; whether it is the same game, the lines say.
            rolls_may_end(&mut play);
            let stored = Stored::new(lines);
            let stored = match as_stored {
                true => stored,
                false => stored.without_throws(),
            };
            unused = Some(stored.unused());
            play.set_source(Box::new(stored));
        }
        None => {
            play.set_source(Box::new(written));
        }
    }
    let mut stopped = match refused {
        Some(why) => PlayStop::Refused(why),
        None if file.empty => lay_by_hand(&mut play, chapters),
        None => play_until(&mut play, agent, until, chapters)?,
    };
    play.clear_source();
    if let (Some(lines), true) = (lines, as_stored)
        && let Some(difference) = transcribe::first_difference(&play, lines)
        // That an answer does not fit, or a rule fails, says more than that the record ends there.
        && (difference.event.is_some() || matches!(stopped, PlayStop::Asks | PlayStop::Over))
    {
        if let Some(event) = difference.event {
            play.take_back_to(event);
        }
        stopped = PlayStop::Diverged(told_differently(&play, lines, &difference));
        unused = None;
    }
    let mut problems = failures(&play, &file, &stopped, &answers);
    if let (Some(unused), true) = (unused, problems.is_empty()) {
        let unused = unused.list();
        problems.extend(unused.iter().map(problems::unused_answer));
    }
    let mut unmet = Vec::new();
    if problems.is_empty() {
        unmet.extend(file.expect.iter().filter_map(|e| check(&mut play, &file, e)));
        unmet.extend(check_perft(&mut play, &file, &file.perft, false));
        unmet.extend(check_perft(&mut play, &file, &file.perft_forced, true));
    }
    Ok(PlayedScenario {
        play,
        file,
        stopped,
        problems,
        unmet,
    })
}

/// Returns the agent that answers what a scenario file leaves open; `None` where play stops there.
///
/// # Errors
///
/// An agent that there is not.
pub fn agent_of(file: &ScenarioFile) -> Result<Option<Agent>, Problem> {
    match file.open.value.as_str() {
        DEFAULT_OPEN => Ok(None),
        name => Agent::find(name)
            .map(Some)
            .map_err(|problem| problem.at(&file.source, file.open.span.clone())),
    }
}

/// Returns the point at which a scenario file says to stop.
///
/// # Errors
///
/// A phase that the game does not have.
pub fn until_of(file: &ScenarioFile, rules: &Rules) -> Result<Option<PhaseStop>, Problem> {
    let Some(text) = &file.until else { return Ok(None) };
    let parsed = PhaseStop::parse(text, rules);
    parsed
        .map(Some)
        .map_err(|problem| problem.at(&file.source, text.span.clone()))
}

/// Lays a scenario under other options and gives the answers that a play of it has recorded.
///
/// # Errors
///
/// Rules or a position that cannot be laid; an answer that does not fit is in the result.
pub fn retell(
    workspace: &Workspace,
    file: &ScenarioFile,
    options: &LoadOptions,
    lines: &[Line],
) -> Result<PlayedScenario, Problems> {
    let mut file = file.clone();
    file.variants.clear();
    file.dials.clear();
    file.until = None;
    let overrides = Overrides {
        dials: options.dials.clone().into_iter().collect(),
        variants: options.variants.clone(),
        without: options.without.clone(),
        scratch: options.scratch.clone(),
        ..Overrides::default()
    };
    let Setup { mut play, file, .. } = lay(workspace, &file, &overrides)?;
    rolls_may_end(&mut play);
    play.keep_trail();
    play.set_source(Box::new(Stored::new(lines).without_throws()));
    let stopped = play_until(&mut play, None, None, Chapters::edits(lines))?;
    play.clear_source();
    Ok(PlayedScenario {
        play,
        file,
        stopped,
        problems: Vec::new(),
        unmet: Vec::new(),
    })
}

/// Plays on with the changes by hand of stored lines, as far as they can be made; who answers is set
/// before.
pub fn play_again(play: &mut Play, lines: &[Line]) {
    // Where it stops it is to be seen, whatever stopped it.
    let _ = play_until(play, None, None, Chapters::edits(lines));
}

/// The sentence about a stored game that the rules tell differently.
fn told_differently(play: &Play, lines: &[Line], difference: &LineDifference) -> String {
    let stored = lines.iter().find_map(|line| match line {
        Line::Chapter { number: 1, rules, .. } => Some(rules),
        _ => None,
    });
    let since = match stored {
        Some(rules) if *rules != play.chapters()[0].fingerprint => "the rules have changed since",
        _ => "these rules tell another game",
    };
    match (difference.was.as_str(), difference.is.as_str()) {
        (was, "") => format!("{since}: `{}` was told, and now nothing more is", was.trim()),
        (was, is) => format!(
            "{since}: `{}` was told, and now it is `{}`",
            was.trim(),
            is.trim()
        ),
    }
}

/// Makes the changes by hand that were made before the first step, and takes no step.
fn lay_by_hand(play: &mut Play, mut chapters: Chapters) -> PlayStop {
    loop {
        play.prepare();
        match chapters.begin_due(play) {
            Ok(true) => {}
            Ok(false) => return PlayStop::Until,
            Err(why) => return PlayStop::Diverged(why),
        }
    }
}

fn play_until(
    play: &mut Play,
    agent: Option<Agent>,
    until: Option<PhaseStop>,
    mut chapters: Chapters,
) -> Result<PlayStop, Problems> {
    let stopped = play_chapters(play, agent, until, &mut chapters)?;
    Ok(match (chapters.missing(), stopped) {
        (Some(missing), PlayStop::Over | PlayStop::Asks) => PlayStop::Diverged(missing),
        (_, stopped) => stopped,
    })
}

fn play_chapters(
    play: &mut Play,
    agent: Option<Agent>,
    until: Option<PhaseStop>,
    chapters: &mut Chapters,
) -> Result<PlayStop, Problems> {
    let mut watch = PhaseWatch::new(until, play);
    let mut mind = Mind::default();
    loop {
        let begun = play.prepare();
        let begun = match chapters.begin_due(play) {
            Ok(false) => begun,
            Ok(true) => play.prepare(),
            Err(why) => return Ok(PlayStop::Diverged(why)),
        };
        let progress = match begun {
            Progress::Stepped if watch.reached(play) => return Ok(PlayStop::Until),
            Progress::Stepped => play.advance(),
            other => other,
        };
        match progress {
            Progress::Stepped => {}
            Progress::Asks => match agent.filter(|a| a.searches()) {
                Some(agent) => {
                    let seed = play.table().checkpoint.seed;
                    agent.answer(play, &mut mind, seed)?;
                }
                None => return Ok(PlayStop::Asks),
            },
            Progress::Over => return Ok(PlayStop::Over),
            Progress::Diverged(why) => return Ok(PlayStop::Diverged(why.to_string())),
            Progress::Failed(problem) => return Ok(PlayStop::Failed(problem)),
        }
    }
}

fn failures(
    play: &Play,
    file: &ScenarioFile,
    stopped: &PlayStop,
    answers: &Rc<RefCell<AnswerReader>>,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let why = match stopped {
        PlayStop::Failed(problem) => {
            // What the answers were for did not come to pass: that they are left over says nothing.
            return vec![unfit_stated_rolls(play, file, (**problem).clone())];
        }
        PlayStop::Diverged(why) => Some(why.as_str()),
        _ => None,
    };
    problems.extend(answers.borrow().problems(file, why));
    if let (Some(why), true) = (why, problems.is_empty()) {
        problems.push(problems::stopped_play(why));
    }
    if !problems.is_empty() {
        return problems;
    }
    problems.extend(unreached(play, file, stopped));
    problems.extend(unrolled(play, file));
    problems
}

/// Returns a problem if something is expected of a moment that play does not reach, since a question is open or the
/// game over before it.
fn unreached(play: &Play, file: &ScenarioFile, stopped: &PlayStop) -> Option<Problem> {
    let until = file.until.as_ref().filter(|_| !file.expect.is_empty())?;
    let problem = match stopped {
        PlayStop::Asks => play.with_question(|a| {
            let asker = &a.rules.factions[a.request.asker.index()];
            problems::question_before_until(asker, a.label(), until)
        })?,
        PlayStop::Over => {
            let stop = until_of(file, &play.ruleset().rules).ok().flatten()?;
            if stop.is_within(play) {
                return None;
            }
            problems::over_before_until(until)
        }
        _ => return None,
    };
    Some(problem.at(&file.source, until.span.clone()))
}

/// A problem with a roll or a throw that the file states stands where that is written; where one is missing, at the
/// label.
pub fn unfit_stated_rolls(play: &Play, file: &ScenarioFile, problem: Problem) -> Problem {
    let table = play.table();
    let Some(Misstated { label, nth, .. }) = &table.chance.misstated else {
        return problem;
    };
    let rolls = file.rolls.iter().find(|(known, _)| known.value == *label);
    let throws = file.throws.iter().find(|(known, _)| known.value == *label);
    let spans = rolls.map(|(known, all)| all.get(*nth).map_or(&known.span, |roll| &roll.span));
    let thrown = throws.map(|(known, all)| all.get(*nth).map_or(&known.span, |throw| &throw.span));
    let (Some(span), Some(place)) = (spans.or(thrown), &problem.place) else {
        return problem;
    };
    let mut stated = Problem::declared(
        problem.id(),
        problem.arguments().to_vec(),
        problem.message.clone(),
    )
    .at(&file.source, span.clone());
    if rolls.is_some() {
        stated = stated.hint(format!("`:force {label} ...` decides a roll at the prompt"));
    }
    stated = stated.called_from(&place.source, place.span.clone(), None);
    stated.chain.extend(problem.chain.iter().cloned());
    stated
}

/// Scripted rolls that nobody has rolled.
pub fn unrolled(play: &Play, file: &ScenarioFile) -> Vec<Problem> {
    let mut problems = Vec::new();
    let used = play.table().chance.used().to_vec();
    let table = play.table();
    let labels = table.chance.stated.rolls.keys().map(String::as_str);
    let used: HashMap<&str, u16> = labels.zip(used).collect();
    for (label, rolls) in &file.rolls {
        let count = used.get(label.as_str()).copied().unwrap_or(0) as usize;
        if let Some(roll) = rolls.get(count) {
            problems.push(problems::unused_roll(label).at(&file.source, roll.span.clone()));
        }
    }
    for (label, throws) in &file.throws {
        if let Some(throw) = throws.get(table.chance.throws_used(label)) {
            problems.push(problems::unused_roll(label).at(&file.source, throw.span.clone()));
        }
    }
    problems
}

/// Returns both sides of a comparison with their values, as `look` shows them; `None` for what is no comparison, or
/// cannot be looked at.
pub fn sides(expectation: &str, mut look: impl FnMut(&str) -> Option<String>) -> Option<String> {
    const SIGNS: [&str; 6] = [" == ", " >= ", " <= ", " > ", " < ", " != "];
    let apart = |sign: &&'static str| Some((expectation.split_once(*sign)?, *sign));
    let ((left, right), sign) = SIGNS.iter().find_map(apart)?;
    Some(format!("{}{sign}{}", look(left)?, look(right)?))
}

/// Most first answers that an unmet number of sequences names.
const MOST_FIRST_ANSWERS: usize = 8;

/// Counts sequences of answers from where a scenario stops; the first number that is not as expected.
fn check_perft(
    play: &mut Play,
    file: &ScenarioFile,
    expected: &[Spanned<u64>],
    forced_is_depth: bool,
) -> Option<Problem> {
    for (depth, expected) in (1..=MAX_DEPTH).zip(expected) {
        let by_answer = match sequences::by_first_answer(play, depth, forced_is_depth) {
            Ok(by_answer) => by_answer,
            Err(CountStop::Stopped) => return None,
            Err(CountStop::Failed(failure)) => return Some((*failure).into()),
        };
        let counted = by_answer
            .iter()
            .fold(0, |sum: u64, (_, count)| sum.saturating_add(*count));
        if counted != expected.value {
            let texts = by_answer.iter().map(|(key, count)| format!("{key} {count}"));
            let by_answer = match by_answer.is_empty() {
                true => "no question is open".to_owned(),
                false => format!(
                    "by first answer: {}",
                    lines::listed(&texts.collect::<Vec<_>>(), MOST_FIRST_ANSWERS)
                ),
            };
            let forced = if forced_is_depth { " --forced" } else { "" };
            let arguments = format!("{} {depth}{forced}", shell_word(&file.source.name));
            let problem = problems::unmet_perft(depth, counted, by_answer, arguments);
            return Some(problem.at(&file.source, expected.span.clone()));
        }
    }
    None
}

/// Checks one expectation; on failure says what the sides are.
pub fn check(play: &mut Play, file: &ScenarioFile, expectation: &Spanned<String>) -> Option<Problem> {
    let source = Source::new(EXPECTATION, expectation.value.as_str());
    let (viewer, source) = match viewpoint(&play.ruleset().rules, &source) {
        Ok(found) => found,
        Err(problem) => return Some(at_expectation(file, expectation, problem)),
    };
    match play.look_as(&source, viewer, |_, value| value.clone()) {
        Err(problem) => {
            let here = problem
                .place
                .as_ref()
                .is_none_or(|place| place.source.name == EXPECTATION);
            Some(
                match here && !play.ruleset().check_expression(&source, &[]).is_empty() {
                    true => at_expectation(file, expectation, problem),
                    false => failed_in(file, expectation, problem),
                },
            )
        }
        Ok(value) => match value.as_bool() {
            Some(true) => None,
            Some(false) => {
                let mut problem = problems::unmet_expectation().at(&file.source, expectation.span.clone());
                let look = |text: &str| {
                    let source = Source::new(EXPECTATION, text);
                    play.look_as(&source, viewer, Runtime::value_text).ok()
                };
                if let Some(sides) = sides(source.text.trim_start(), look) {
                    let alike = sides.split_once(" == ").is_some_and(|(one, other)| one == other);
                    problem = problem.expected(sides);
                    if alike {
                        problem = problem
                            .hint("a text in quotes is no unit, place or faction: `place(\"d4\")` is one");
                    }
                }
                Some(problem)
            }
            None => {
                let value = play.runtime.value_text(&value);
                let problem = problems::expectation_of_other_type(value);
                Some(problem.at(&file.source, expectation.span.clone()))
            }
        },
    }
}
