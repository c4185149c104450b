//! The position that is asked about: where a scenario's answers end, or what lies on the table.

use super::explore::KeptRolls;
use super::problems;
use crate::agents::Mind;
use crate::event_text::place_of;
use crate::kernel::choice::{Answer, StepId};
use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, WordId};
use crate::kernel::table::{AnswerError, Answerer, Question, Reply};
use crate::lines::listed;
use crate::option_text::QuestionWords;
use crate::option_text::is_spot;
use crate::play::{Checkpoint, Play, Progress};
use crate::report::{Problem, Problems, Source, did_you_mean};
use crate::rules::workspace::Workspace;
use crate::scenario::answers;
use crate::scenario::file::ScenarioFile;
use crate::stage::chapters;
use crate::stage::moment::PhaseWatch;
use crate::stage::record::{self, AnswerShape};
use crate::stage::run::{self, OpenedFile, Overrides, PlayStop, Setup};
use crate::transcript::Line;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// At most so many labels of rolls are named.
const MOST_NAMED: usize = 8;

/// A position, and which of its rolls are made already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OddsRoot {
    /// The step that is asked about, with the answers given in it.
    pub checkpoint: Checkpoint,
    /// The rolls in it that stay.
    pub keep: KeptRolls,
}

impl OddsRoot {
    /// Returns the root for the current table; if a question waits, the rolls made before it are kept.
    pub fn of_now(play: &mut Play) -> Self {
        play.prepare();
        Self {
            checkpoint: play.checkpoint(),
            keep: KeptRolls::Rolls(play.rolls_seen().len()),
        }
    }

    /// The position after the last answer that somebody gave, every roll after it open again. Where nobody
    /// has given one it is the first step that asks, also if it offered a single option, with all its rolls
    /// open; where no step asks, that on the table, or the first of a game that is over or fails. Needs the trail.
    fn of_last_answer(play: &mut Play, last: Option<LastAnswer>) -> Self {
        let failed = matches!(play.prepare(), Progress::Failed(_));
        let now = play.checkpoint();
        let before = play.standing();
        let before = before.filter(|c| c.position.ordinal < now.position.ordinal);
        let steps: Vec<&Checkpoint> = before.chain([&now]).collect();
        for step in steps.iter().rev() {
            let is_last = |a: &Answer| match last {
                Some(last) => LastAnswer(a.step, a.asker, a.label, a.nth) == last,
                None => !a.only,
            };
            let given = step.position.answers.iter().rposition(is_last);
            if let Some(given) = given {
                let mut checkpoint = (*step).clone();
                checkpoint.position.answers.truncate(given + 1);
                let keep = KeptRolls::Answers(given + 1);
                return Self { checkpoint, keep };
            }
        }
        let over = failed || now.position.cursor.is_over();
        let asks = steps.iter().find(|step| !step.position.answers.is_empty());
        let step = asks.or(steps.first().filter(|_| over)).copied();
        let mut checkpoint = step.unwrap_or(&now).clone();
        // Another roll may offer other options.
        checkpoint.position.answers.clear();
        Self {
            checkpoint,
            keep: KeptRolls::Answers(0),
        }
    }

    /// The position after further answers, each to the next question that is asked; rolls before them
    /// are as the seed has them.
    ///
    /// # Errors
    ///
    /// An answer that is not offered, or that nobody asks for.
    pub fn answered(self, play: &mut Play, keys: &[String]) -> Result<Self, Problem> {
        let Some(last) = keys.last() else { return Ok(self) };
        let before = play.set_source(Box::new(crate::kernel::table::NoAnswerer));
        play.go_back(&self.checkpoint);
        let mut given = Ok(());
        let mut words = keys;
        while !words.is_empty() {
            match give(play, words) {
                Ok(count) => words = &words[count..],
                Err(problem) => {
                    given = Err(problem);
                    break;
                }
            }
        }
        play.set_source(before);
        given?;
        let checkpoint = play.checkpoint();
        let keep = KeptRolls::Answers(checkpoint.position.answers.len());
        debug_assert!(keep != KeptRolls::Answers(0), "{last} was given");
        Ok(Self { checkpoint, keep })
    }
}

/// Plays on to the next question and answers it with the first of these words, or with as many of them as say one
/// answer (`6 toward blue.scouts1`); how many that were.
fn give(play: &mut Play, words: &[String]) -> Result<usize, Problem> {
    let first = &words[0];
    match play.run_on() {
        Progress::Asks => {}
        Progress::Failed(problem) => return Err(*problem),
        _ => {
            return Err(problems::unasked_answer(first));
        }
    }
    // A scenario's answers may have the question's label before them.
    let labelled = play.with_question(|a| {
        let key = key_under(a.label(), first)?;
        a.read(first)
            .is_err()
            .then(|| [&[key.to_owned()], &words[1..]].concat())
    });
    let words = labelled.flatten().unwrap_or_else(|| words.to_vec());
    let first = &words[0];
    for count in (1..=words.len()).rev() {
        let result = play.with_question(|a| a.read(&words[..count].join(" ")));
        if let Some(Ok(reply)) = result {
            play.answer_by(&reply);
            return Ok(count);
        }
    }
    let refused = play.with_question(|a| {
        let whole = words.join(" ");
        if let (true, Err(why)) = (is_spot(&whole), a.read(&whole)) {
            return problems::refused_answer(why);
        }
        let (asker, label) = (&a.rules.factions[a.request.asker.index()], a.label());
        let near = did_you_mean(first, a.keys().iter().map(String::as_str));
        problems::unknown_option(first, asker, label)
            .expected(format!("offered: {}", a.option_list()))
            .hint_some(near.map(|near| format!("did you mean `{near}`?")))
    });
    Err(refused.unwrap_or_else(|| problems::unasked_answer(first)))
}

/// The key of an answer that is written under this label; none where it is not.
fn key_under<'a>(label: &str, answer: &'a str) -> Option<&'a str> {
    let (before, key) = answer.split_once(':')?;
    (before.trim() == label).then(|| key.trim())
}

/// A scenario or transcript, played to where its answers end.
pub struct RootPlay {
    /// The play.
    pub play: Play,
    /// Position that the question is about.
    pub root: OddsRoot,
    /// Note about the game, if one is needed.
    pub note: Option<String>,
}

impl RootPlay {
    /// Whether its last answer went to the same faction in the same round and turn as that of another telling of
    /// the scenario: if it did not, something else is asked about here.
    ///
    /// # Errors
    ///
    /// Who took the answer, and when.
    pub fn check_same_question(&self, other: &RootPlay) -> Result<(), Problem> {
        let here = |root_play: &RootPlay| {
            let position = &root_play.root.checkpoint.position;
            (position.step.path, position.answers.last().map(|a| a.asker))
        };
        if here(self) == here(other) {
            return Ok(());
        }
        let (table, step) = (self.play.table(), self.root.checkpoint.position.step);
        let asker = here(self)
            .1
            .map(|asker| table.rules.factions[asker.index()].as_str());
        let who = asker.unwrap_or("nobody");
        let rounds = place_of(&table.rules, step);
        Err(problems::other_question(who, rounds))
    }
}

/// Plays a scenario to the last of its answers and gives it further ones.
///
/// # Errors
///
/// A scenario that cannot be laid; answers that do not fit.
pub fn of_scenario(
    workspace: &Workspace,
    opened: &OpenedFile,
    overrides: &Overrides,
    answers: &[String],
) -> Result<RootPlay, Problems> {
    let setup = run::lay(workspace, &opened.file, overrides)?.playable()?;
    let (mut play, last) = match opened.lines.as_deref() {
        Some(lines) => (replay(setup, lines)?, None),
        None => as_written(setup)?,
    };
    let root = OddsRoot::of_last_answer(&mut play, last);
    let open = open_again(&play, opened, &root).filter(|_| answers.is_empty());
    play.go_back(&root.checkpoint);
    let root = root.answered(&mut play, answers)?;
    play.go_back(&root.checkpoint);
    let note = as_the_seed_has_it(&play, opened, &root).or(open);
    Ok(RootPlay { play, root, note })
}

/// The scenario from which others play on: itself, or, of a transcript, one that comes under any seed to where the
/// transcript's answers end.
///
/// # Errors
///
/// A transcript of a game that is over, that does not play as it tells, or of which no scenario tells.
pub fn played_on(workspace: &Workspace, opened: &OpenedFile) -> Result<ScenarioFile, Problems> {
    let Some(lines) = opened.lines.as_deref() else {
        return Ok(opened.file.clone());
    };
    let file = &opened.file;
    let lay = |file: &ScenarioFile| run::lay(workspace, file, &Overrides::default())?.playable();
    let mut play = replay(lay(file)?, lines)?;
    if play.table().checkpoint.cursor.is_over() {
        return Err(problems::finished_transcript(&file.source.name).into());
    }
    let written = AnswerShape::ALL.map(|shape| record::of_answers(&play, file, shape).to_toml());
    let root = OddsRoot::of_last_answer(&mut play, None);
    let same = |other: &OddsRoot| {
        let (one, other) = (&root.checkpoint.position, &other.checkpoint.position);
        (&one.world, one.step, &one.answers) == (&other.world, other.step, &other.answers)
    };
    for text in written {
        let read = ScenarioFile::parse(Source::new(file.source.name.as_str(), text))?;
        let mut other = read.clone();
        other.seed = read.seed ^ 1;
        let again = lay(&other).and_then(as_written);
        if again.is_ok_and(|(mut play, last)| same(&OddsRoot::of_last_answer(&mut play, last))) {
            return Ok(read);
        }
    }
    Err(problems::unwritable_position(&file.source.name).into())
}

/// That what is asked about hangs on the seed, where nobody has said how it came to that.
fn as_the_seed_has_it(play: &Play, opened: &OpenedFile, root: &OddsRoot) -> Option<String> {
    let file = &opened.file;
    let specified = opened.lines.is_some()
        || !file.answers.is_empty()
        || !file.rolls.is_empty()
        || !file.throws.is_empty();
    let table = play.table();
    let rolled = |event: &Event| matches!(event, Event::Rolled { .. } | Event::Threw { .. });
    let before = table.events.get(..root.checkpoint.events)?;
    (!specified && before.iter().any(rolled)).then(|| {
        let seed = root.checkpoint.position.seed;
        format!("earlier rolls have the values of seed {seed}; the odds do not vary them")
    })
}

/// That dice which the scenario gives are thrown anew, since they come behind the last answer.
fn open_again(play: &Play, opened: &OpenedFile, root: &OddsRoot) -> Option<String> {
    let KeptRolls::Answers(kept_answers) = root.keep else {
        return None;
    };
    let table = play.table();
    let mut answers = 0;
    let mut rolled: BTreeMap<&str, usize> = BTreeMap::new();
    let mut labels: BTreeSet<&str> = BTreeSet::new();
    for (index, event) in table.events.iter().enumerate() {
        answers += usize::from(index >= root.checkpoint.events && matches!(event, Event::Chose(_)));
        let Event::Rolled { label, .. } = event else {
            continue;
        };
        let label = table.words.text(*label);
        let nth = rolled.entry(label).or_default();
        let mut given = opened.file.rolls.iter();
        let is_given = given.any(|(name, rolls)| name.as_str() == label && *nth < rolls.len());
        if index >= root.checkpoint.events && answers >= kept_answers && is_given {
            labels.insert(label);
        }
        *nth += 1;
    }
    (!labels.is_empty()).then(|| {
        format!(
            "the scenario's dice for {} come after its last answer, so the odds do not use them",
            listed(&labels.into_iter().collect::<Vec<_>>(), MOST_NAMED)
        )
    })
}

/// Plays a transcript to its end.
fn replay(mut setup: Setup, lines: &[Line]) -> Result<Play, Problems> {
    chapters::under_one_set(lines, "played on")?;
    setup.play.keep_trail();
    setup.play.table_mut().chance.may_miss = true;
    let ran = run::run_laid(setup, Some(lines))?;
    match ran.stopped {
        PlayStop::Failed(problem) => Err((*problem).into()),
        PlayStop::Diverged(_) => Err(Problems(ran.problems)),
        _ => Ok(ran.play),
    }
}

/// The question that took the last written answer: its step, asker, label and number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LastAnswer(StepId, FactionId, WordId, u16);

/// Answers as it is written, and stops where nothing more is.
struct ReplayToLast {
    last: Rc<Cell<Option<LastAnswer>>>,
    written: answers::ScenarioAnswers,
    progress: Rc<RefCell<answers::AnswerReader>>,
    /// Whether anything is written at all; else the scenario's agent plays as ever.
    any: bool,
}

impl Answerer for ReplayToLast {
    fn answer(&mut self, question: &Question<'_>) -> Reply {
        if self.any && self.progress.borrow().is_done() {
            return Reply::Wait;
        }
        let reply = self.written.answer(question);
        self.note(question);
        reply
    }

    fn answered_itself(&mut self, question: &Question<'_>) -> Result<(), AnswerError> {
        if self.last.get().is_some() {
            return Ok(());
        }
        let result = self.written.answered_itself(question);
        self.note(question);
        result
    }
}

impl ReplayToLast {
    /// Remembers which question took the last that is written.
    fn note(&self, question: &Question<'_>) {
        if self.any && self.last.get().is_none() && self.progress.borrow().is_done() {
            let request = question.request;
            let last = LastAnswer(request.step, request.asker, request.label, request.nth);
            self.last.set(Some(last));
        }
    }
}

/// Plays a scenario by its answers to the beginning of a step, about whatever it is; none where it does not come.
pub(super) fn played_to(setup: Setup, step: StepId) -> Option<Play> {
    let Setup { mut play, file, .. } = setup;
    play.table_mut().chance.may_miss = true;
    play.set_source(Box::new(answers::read(&file, None).ok()?));
    loop {
        if play.prepare() != Progress::Stepped {
            return None;
        }
        let now = play.table().checkpoint.step;
        if (now.path, now.phase) == (step.path, step.phase) {
            return Some(play);
        }
        if play.advance() != Progress::Stepped {
            return None;
        }
    }
}

/// Plays a scenario to the last answer that is written in it, or as far as it goes where none is.
fn as_written(setup: Setup) -> Result<(Play, Option<LastAnswer>), Problems> {
    let Setup { mut play, file, .. } = setup;
    play.keep_trail();
    play.table_mut().chance.may_miss = true;
    let agent = run::agent_of(&file)?;
    let until = run::until_of(&file, &play.ruleset().rules)?;
    let written = answers::read(&file, agent.and_then(|a| a.source(file.seed)))?;
    let progress = written.progress();
    let last = Rc::new(Cell::new(None));
    let source = ReplayToLast {
        last: Rc::clone(&last),
        written,
        progress: Rc::clone(&progress),
        any: !file.answers.is_empty(),
    };
    play.set_source(Box::new(source));
    let none = file.answers.is_empty();
    let done = || !none && progress.borrow().is_done();
    let mut watch = PhaseWatch::new(until, &play);
    let mut mind = Mind::default();
    loop {
        let begun = match play.prepare() {
            Progress::Stepped if done() || watch.reached(&play) => break,
            Progress::Stepped => play.advance(),
            other => other,
        };
        match begun {
            Progress::Stepped => {}
            Progress::Asks
                if let Some(agent) = agent.filter(|a| a.searches())
                    && !done() =>
            {
                agent.answer(&mut play, &mut mind, file.seed)?;
            }
            // What comes of the last answer is what is asked about, whatever one play of it comes to.
            _ if done() => break,
            // Where nothing is written, it is asked about from the beginning on, and not as far as play goes.
            Progress::Failed(_) if none => break,
            Progress::Failed(problem) => return Err((*problem).into()),
            Progress::Diverged(why) => {
                return Err(Problems(
                    progress.borrow().problems(&file, Some(&why.to_string())),
                ));
            }
            Progress::Asks | Progress::Over => break,
        }
    }
    play.clear_source();
    Problems::check(progress.borrow().problems(&file, None))?;
    Ok((play, last.get()))
}
