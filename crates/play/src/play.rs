//! The one function: play a position on, step by step, until it asks, ends or fails.
//!
//! Everything else - a person at the prompt, a scenario file, undo, a replay, a search - is this
//! with another source of answers or from another position.

use crate::kernel::dice::Pool;
use crate::kernel::effect;
use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, Thing};
use crate::kernel::ignored_in_eq::IgnoredInEq;
use crate::kernel::schedule::NextStep;
use crate::kernel::table::{
    AnswerError, Answerer, Halt, MAX_EVENTS, NoAnswerer, Position, Question, Reply, Table, View,
};
use crate::kernel::world::World;
use crate::report::{Problem, Problems};
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::runtime::{Runtime, StepStop};
use crate::transcript::Edits;
use crate::work::Work;
use std::fmt;
use std::sync::Arc;

mod branch;
mod by_hand;
pub mod carry;
mod problems;
mod viewpoint;

use branch::Origin;
pub use branch::{Branch, BranchRelation};
pub use viewpoint::viewpoint;

/// Result of playing one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// A step came to its end.
    Stepped,
    /// A question waits; see [`Play::asked`].
    Asks,
    /// The last phase has ended.
    Over,
    /// A stored answer does not fit. The step is taken back.
    Diverged(Box<MisfitAnswer>),
    /// The rules failed; the position is what it was before the step.
    Failed(Box<Problem>),
}

/// Place of an answer that does not fit, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MisfitAnswer {
    /// The step, by name.
    pub step: String,
    /// Why.
    pub no_fit: AnswerError,
}

impl fmt::Display for MisfitAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "diverged at `{}`: {}", self.step, self.no_fit)
    }
}

/// A position, and how many events had happened before its step.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    /// The position.
    pub position: Position,
    /// Events before its step.
    pub events: usize,
    /// Original position before it was carried over to other rules, if it was.
    origin: Option<Arc<Origin>>,
}

/// Wherever they come from: play goes on alike.
impl PartialEq for Checkpoint {
    fn eq(&self, other: &Self) -> bool {
        (&self.position, self.events) == (&other.position, other.events)
    }
}

impl Eq for Checkpoint {}

impl Checkpoint {
    /// A position, and how many events had happened before its step.
    pub fn new(position: Position, events: usize) -> Self {
        Self {
            position,
            events,
            origin: None,
        }
    }
}

/// A game being played under one ruleset.
pub struct Play {
    /// The table, and the ruleset that it is played by.
    pub runtime: Runtime,
    /// The current step has begun and not ended.
    open: bool,
    /// One checkpoint for every step since the start, when kept.
    trail: Option<Vec<Checkpoint>>,
    /// Checkpoints at the old end could not be carried over a change of rules.
    trail_cut: bool,
    /// The position at the start, where slots or units may be hidden: agents begin with it.
    start: Option<Position>,
    /// The rules that were in force, oldest first; never empty.
    chapters: Vec<Chapter>,
    /// Number of texts known at the start of a game; texts that a later game adds are forgotten before the next one.
    words: usize,
}

/// A part of a play under one ruleset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    /// Number of events before the chapter began.
    pub from_event: usize,
    /// The ordinal of the step with which it began; 0 for the start of the game.
    pub from_step: u32,
    /// Options with which the rules were loaded.
    pub options: LoadOptions,
    /// [`Ruleset::fingerprint`] of the rules.
    pub fingerprint: String,
    /// Reason for the change of rules, in a few words; empty for the start of the game, and where play was taken back
    /// to before the change.
    pub why: String,
    /// Changes made by hand as the chapter began; such a chapter has the rules of the one before.
    pub edits: Option<Edits>,
    /// Its rules, once others are in force: what its steps are run again under.
    pub(crate) held: IgnoredInEq<Option<Arc<Ruleset>>>,
}

impl Chapter {
    /// A chapter under a ruleset that begins there, and why.
    fn new(ruleset: &Ruleset, from_event: usize, from_step: u32, why: String) -> Self {
        Self {
            from_event,
            from_step,
            options: ruleset.options.clone(),
            fingerprint: ruleset.fingerprint(),
            why,
            edits: None,
            held: IgnoredInEq::default(),
        }
    }
}

/// Cost of a change of rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RulesChangeCost {
    /// Number of steps that `undo` no longer reaches.
    pub beyond_undo: usize,
    /// Why answers that were given in the open step are taken back, if any are.
    pub taken_back: Option<String>,
}

impl Play {
    /// A play of the game that the ruleset has loaded, from a position at its start.
    pub fn new(ruleset: Arc<Ruleset>, start: &Position) -> Self {
        let first = Chapter::new(&ruleset, 0, 0, String::new());
        let mut play = Self {
            words: ruleset.words.len(),
            runtime: Runtime::new(ruleset),
            open: false,
            trail: None,
            trail_cut: false,
            start: None,
            chapters: vec![first],
        };
        play.restart(start);
        play
    }

    /// A play at the empty start of a game, on which a position can be laid.
    pub fn at_start(ruleset: Arc<Ruleset>) -> Self {
        let start = Position::start(World::new(&ruleset.rules), false, 0, 0);
        Self::new(ruleset, &start)
    }

    /// A play under the same rules with an empty table, which knows the same words and scripted rolls.
    pub fn empty_copy(&self) -> Self {
        let mut play = Self::at_start(Arc::clone(self.ruleset()));
        play.table_mut().words.clone_from(&self.table().words);
        play.script_as(self.table());
        play
    }

    /// Takes over the rolls and throws that are scripted for another table.
    fn script_as(&mut self, other: &Table) {
        let table = self.table_mut();
        table.chance.stated = Arc::clone(&other.chance.stated);
    }

    /// Begins anew from a position at a game's start, under the present rules; the trail is cleared.
    pub fn restart(&mut self, start: &Position) {
        // Under other rules than it began with there are those of these.
        let words = self.words.max(self.ruleset().words.len());
        let table = self.table_mut();
        table.events.clear();
        table.printed.clear();
        table.forget_words(words);
        table.load(start);
        self.open = false;
        self.trail_cut = false;
        self.start = self.table().rules.slots.secrets.then(|| start.clone());
        if let Some(trail) = &mut self.trail {
            trail.clear();
        }
        if self.chapters.len() > 1 {
            self.chapters.drain(..self.chapters.len() - 1);
            self.chapters[0].from_event = 0;
            self.chapters[0].from_step = 0;
            self.chapters[0].why.clear();
            self.chapters[0].edits = None;
        }
    }

    /// Forgets the texts behind the first so many: those that came to be known while it was looked ahead from a
    /// position that it has come back to.
    pub fn forget_words(&mut self, known: usize) {
        self.table_mut().forget_words(known);
    }

    /// Goes on under other rules with the board kept: position, record, checkpoints and scripted
    /// rolls are carried over by name, and a new chapter begins with the current step. The step is
    /// run again at the next [`Self::advance`], with the answers given in it up to the first that is
    /// no longer offered. Checkpoints that cannot be carried drop off the old end of the trail.
    ///
    /// # Errors
    ///
    /// Why the position cannot be carried; everything is as it was.
    pub fn change_rules(&mut self, ruleset: Arc<Ruleset>, why: &str) -> Result<RulesChangeCost, Problem> {
        let branch = self.branch();
        let mut runtime = Runtime::new(ruleset);
        let (carried, beyond_undo) = branch.carried(&mut runtime.table)?;
        let source = self.set_source(Box::new(NoAnswerer));
        let old = std::mem::replace(&mut self.runtime, runtime).table;
        let table = self.table_mut();
        (table.offers, table.printed, table.source) = (old.offers, old.printed, source);
        Ok(self.go_on_carried(carried, beyond_undo, branch.position.answers.len(), why))
    }

    /// Goes on under rules that are the same as those in force under other names: what was played under
    /// these counts as played under those.
    ///
    /// # Errors
    ///
    /// As [`Self::change_rules`].
    pub fn rename_rules(&mut self, ruleset: Arc<Ruleset>) -> Result<RulesChangeCost, Problem> {
        let old = (self.ruleset().options.clone(), self.ruleset().fingerprint());
        let mut chapters = self.chapters.clone();
        let cost = self.change_rules(ruleset, "")?;
        for chapter in &mut chapters {
            if (&chapter.options, &chapter.fingerprint) == (&old.0, &old.1) {
                chapter.options = self.ruleset().options.clone();
                chapter.fingerprint = self.ruleset().fingerprint();
            }
        }
        self.chapters = chapters;
        Ok(cost)
    }

    /// Runs the open step again with its answers and takes back those that no longer fit; says why.
    /// `given` is how many there were under the rules before.
    fn try_answers(&mut self, given: usize) -> Option<String> {
        let source = self.set_source(Box::new(NoAnswerer));
        let run = self.run(&mut 1);
        let table = self.table_mut();
        let used = table.answers_asked();
        let left = table.checkpoint.answers.len();
        table.restart();
        table.source = source;
        let hidden = table.checkpoint.is_hidden();
        let why = match run {
            // Whose answer it was, and what could be answered, may be secret.
            Err(StepStop::Diverged(_)) if hidden => "it is no longer offered".to_owned(),
            Err(StepStop::Diverged(no_fit)) => no_fit.to_string(),
            // What the rules fail in is told when play goes on.
            Err(StepStop::Failed(_)) => return None,
            _ if used < left => "fewer questions are asked".to_owned(),
            _ if left < given => "it names something that is gone".to_owned(),
            _ => return None,
        };
        table.checkpoint.answers.truncate(used);
        Some(why)
    }

    /// The rules that were in force, oldest first.
    pub fn chapters(&self) -> &[Chapter] {
        &self.chapters
    }

    /// Adds a chapter; one of other rules takes the place of another such that begins with the same
    /// step.
    fn begin_chapter(&mut self, chapter: Chapter) {
        let replaced = |c: &Chapter| c.from_step == chapter.from_step && c.edits.is_none();
        if chapter.edits.is_none() && self.chapters.len() > 1 && self.chapters.last().is_some_and(replaced) {
            self.chapters.pop();
        }
        let same = |c: &Chapter| c.has_rules_of(&chapter);
        if chapter.edits.is_some() || !self.chapters.last().is_some_and(same) {
            self.chapters.push(chapter);
        }
    }

    /// Play was taken back to a step: chapters that begin after it are dropped, and the rules in
    /// force, which stay, begin a new one there unless those before are the same: by what changed them last.
    fn cut_chapters(&mut self, checkpoint: &Checkpoint) {
        let step = checkpoint.position.ordinal;
        let changed = self.chapters.iter().rev().find(|c| c.edits.is_none());
        let why = changed.map(|c| c.why.clone()).unwrap_or_default();
        let Some(mut in_force) = self.chapters.pop_if(|c| c.from_step > 0) else {
            return;
        };
        self.chapters.retain(|c| c.from_step <= step);
        if in_force.from_step > step {
            in_force.from_step = step;
            in_force.from_event = checkpoint.events;
            in_force.why = why;
            in_force.edits = None;
        }
        self.begin_chapter(in_force);
    }

    /// Takes play back to the start of the step in which the event of this index happened, without the
    /// answers of that step. Needs the trail.
    pub fn take_back_to(&mut self, event: usize) {
        let step = self.trail().partition_point(|c| c.events <= event);
        self.cut_trail(step.max(1));
        let Some(last) = self.trail.as_mut().and_then(|t| t.last_mut()) else {
            return;
        };
        last.position.answers.clear();
        let checkpoint = last.clone();
        self.go_to(&checkpoint);
        self.cut_chapters(&checkpoint);
    }

    /// The first checkpoint after the event of this index; `None` when it is not kept.
    pub fn checkpoint_after(&self, event: usize) -> Option<&Checkpoint> {
        let trail = self.trail();
        let index = trail.partition_point(|c| c.events <= event);
        // Before a trail that was cut lie checkpoints that nobody has any more.
        trail.get(index).filter(|_| index > 0 || !self.trail_cut)
    }

    /// The checkpoint of the step in which the event of this index happened, with the answers that were given in it;
    /// `None` when it is not kept.
    pub fn checkpoint_before(&self, event: usize) -> Option<Checkpoint> {
        let trail = self.trail();
        let step = trail.partition_point(|c| c.events <= event).checked_sub(1)?;
        let mut checkpoint = trail[step].clone();
        if self.open && step + 1 == trail.len() {
            checkpoint.position.answers = self.position().answers;
        }
        Some(checkpoint)
    }

    /// Keeps a checkpoint of every step from now on, so that play can be taken back.
    pub fn keep_trail(&mut self) {
        self.trail.get_or_insert_with(Vec::new);
    }

    /// Keeps no checkpoints any more.
    pub fn drop_trail(&mut self) {
        self.trail = None;
    }

    /// Returns the ruleset in force.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.runtime.ruleset
    }

    /// Returns the work that the game is played for.
    pub fn work(&self) -> &Work {
        &self.runtime.ruleset.program.work
    }

    /// Returns the table, to read.
    pub fn table(&self) -> &Table {
        &self.runtime.table
    }

    /// Returns the table, to change.
    pub fn table_mut(&mut self) -> &mut Table {
        &mut self.runtime.table
    }

    /// Sets the source that answers at once from now on; returns the previous one.
    pub fn set_source(&mut self, source: Box<dyn Answerer>) -> Box<dyn Answerer> {
        std::mem::replace(&mut self.table_mut().source, source)
    }

    /// Nobody answers at once from now on.
    pub fn clear_source(&mut self) {
        self.set_source(Box::new(NoAnswerer));
    }

    /// Begins the next step, if none is open, without playing it: phases that begin with it are on
    /// record, and its position is the current one. Anything but [`Progress::Stepped`] says that
    /// there is no next step.
    pub fn prepare(&mut self) -> Progress {
        if self.open {
            return Progress::Stepped;
        }
        let table = self.table_mut();
        if !table.checkpoint.cursor.is_over() {
            table.next_step();
        }
        self.begun()
    }

    /// Opens the step that has begun, if one has.
    fn begun(&mut self) -> Progress {
        let endless = match self.table().checkpoint.next {
            _ if self.table().checkpoint.cursor.is_over() => return Progress::Over,
            NextStep::Over => return Progress::Over,
            NextStep::Endless { phase } => Some(phase),
            _ => None,
        };
        match endless {
            Some(_) if self.table().is_full() => {
                return Progress::Failed(Box::new(problems::full_record(MAX_EVENTS)));
            }
            Some(phase) => {
                if let Some(problem) = self.without_end(phase) {
                    return Progress::Failed(Box::new(problem));
                }
                let name = self.ruleset().rules.phases[phase as usize].name.clone();
                let times = crate::kernel::phase::MAX_ITERATIONS;
                let nobody = self.table().nobody_has_units();
                let problem = problems::endless_phase(&name, times);
                let nobody = nobody.then_some("nobody has units: add some to the scenario");
                return Progress::Failed(Box::new(problem.hint_some(nobody)));
            }
            None => {}
        }
        self.open = true;
        if let Some(trail) = &mut self.trail {
            let table = &self.runtime.table;
            trail.push(Checkpoint::new(table.position(), table.events.len()));
        }
        Progress::Stepped
    }

    /// Returns the problem of a phase that never ends for another reason than repetition: its activations or
    /// interruptions.
    fn without_end(&self, phase: u8) -> Option<Problem> {
        let table = self.table();
        let (rules, cursor) = (&table.rules, &table.checkpoint.cursor);
        let name = &rules.phases[phase as usize].name;
        if let Some(chain) = cursor.chain(rules, &table.world) {
            return Some(problems::endless_reactions(name, chain));
        }
        cursor
            .tireless()
            .map(|why| problems::endless_activations(name, why))
    }

    /// The start of the chapter, where slots or units may be hidden; `None` if it is not known.
    pub fn opening(&self) -> Option<Checkpoint> {
        let start = self.start.clone()?;
        match self.chapters.last().map_or(0, |chapter| chapter.from_step) {
            0 => Some(Checkpoint::new(start, 0)),
            step => self.trail().iter().find(|c| c.position.ordinal >= step).cloned(),
        }
    }

    /// The checkpoints of the steps so far, when they are kept.
    pub fn trail(&self) -> &[Checkpoint] {
        self.trail.as_deref().unwrap_or_default()
    }

    /// Plays on to the end of the current step, or begins the next one and plays that.
    pub fn advance(&mut self) -> Progress {
        self.advance_by(&mut 1)
    }

    /// Plays so many steps on, as [`Self::advance`] does each; takes off those that have come to their end.
    pub fn advance_by(&mut self, steps: &mut u32) -> Progress {
        match self.prepare() {
            Progress::Stepped => {}
            other => return other,
        }
        // Of each step the trail has a checkpoint.
        let mut left = if self.trail.is_some() { 1 } else { *steps };
        *steps -= left;
        let run = self.run(&mut left);
        *steps += left;
        match run {
            Ok(()) => {
                self.open = false;
                self.keep_answers();
                match left {
                    0 => Progress::Stepped,
                    _ => self.begun(),
                }
            }
            Err(StepStop::Waiting) => Progress::Asks,
            Err(StepStop::Diverged(no_fit)) => {
                let step = self.step_name();
                self.table_mut().restart();
                Progress::Diverged(Box::new(MisfitAnswer { step, no_fit }))
            }
            Err(StepStop::Failed(problem)) => {
                self.table_mut().restart();
                Progress::Failed(problem)
            }
        }
    }

    /// Runs the open step, and further ones until so many have come to their end.
    fn run(&mut self, steps: &mut u32) -> Result<(), StepStop> {
        let table = self.table_mut();
        if table.halt().is_some() {
            table.restart();
        }
        self.runtime.steps(steps)
    }

    /// Plays on until something waits, ends, diverges or fails.
    pub fn run_on(&mut self) -> Progress {
        loop {
            match self.advance_by(&mut { u32::MAX }) {
                Progress::Stepped => {}
                other => return other,
            }
        }
    }

    /// The readable name of the current step.
    pub fn step_name(&self) -> String {
        let table = self.table();
        if table.checkpoint.step.pick > 0 {
            return self.ruleset().rules.phases[table.checkpoint.step.phase as usize]
                .name
                .clone();
        }
        crate::event_text::step_name(&self.ruleset().rules, table.checkpoint.step)
    }

    /// Whether a question waits.
    pub fn is_asking(&self) -> bool {
        self.table().halt() == Some(&Halt::Waiting)
    }

    /// The rolls of the open step that were made before the question that waits; none when none does.
    pub fn rolls_seen(&self) -> Vec<Pool> {
        if !self.is_asking() {
            return Vec::new();
        }
        let table = self.table();
        let step = table.events.get(table.step_mark()..).unwrap_or_default();
        let rolls = step.iter().filter_map(|e| match e {
            Event::Rolled { dice, .. } => Some(dice.clone()),
            Event::Threw { record, .. } => Some(record.hand.clone()),
            _ => None,
        });
        rolls.collect()
    }

    /// Reads the question that waits; `None` when none does.
    pub fn with_question<T>(&self, read: impl FnOnce(&Question<'_>) -> T) -> Option<T> {
        let table = self.table();
        (table.halt() == Some(&Halt::Waiting)).then(|| read(&table.current_question()))
    }

    /// Answers the question that waits with its `index`-th option; the step runs again at the next
    /// [`Self::advance`]. False when no question waits or there is no such option.
    pub fn answer(&mut self, index: usize) -> bool {
        self.answer_by(&Reply::Take(index))
    }

    /// Answers the question that waits with what a source would say; false when none waits or that is not offered.
    pub fn answer_by(&mut self, reply: &Reply) -> bool {
        let table = self.table_mut();
        if table.halt() != Some(&Halt::Waiting) {
            return false;
        }
        let Some(answer) = table.answer_by(reply) else {
            return false;
        };
        table.checkpoint.answers.push(answer);
        table.restart();
        true
    }

    /// The position: the current step's start with the answers given in it so far.
    pub fn position(&self) -> Position {
        self.table().position()
    }

    /// A checkpoint of now: the position, and the events before its step.
    pub fn checkpoint(&self) -> Checkpoint {
        let table = self.table();
        Checkpoint::new(table.position(), table.step_mark())
    }

    /// Returns how many answers in a row this faction gave in the step before the question that waits, with nothing
    /// rolled in between.
    pub fn answers_in_a_row(&self, faction: FactionId) -> usize {
        let table = self.table();
        let step = table.events.get(table.step_mark()..).unwrap_or_default();
        let rolls = |e: &&Event| matches!(e, Event::Rolled { .. } | Event::Threw { .. });
        let answers = step
            .iter()
            .rev()
            .take_while(|e| !rolls(e))
            .filter_map(|e| match e {
                Event::Chose(answer) if !answer.only => Some(answer),
                _ => None,
            });
        answers.take_while(|answer| answer.asker == faction).count()
    }

    /// Goes to a checkpoint of this play: events after it are forgotten. The step that it holds
    /// is played at the next [`Self::advance`].
    pub fn go_to(&mut self, checkpoint: &Checkpoint) {
        let table = self.table_mut();
        table.events.truncate(checkpoint.events);
        table.load(&checkpoint.position);
        self.open = checkpoint.position.next != NextStep::Over;
    }

    /// Goes back to a checkpoint after looking ahead; the trail is cut to where it was.
    pub fn go_back(&mut self, checkpoint: &Checkpoint) {
        self.go_to(checkpoint);
        if let Some(trail) = &mut self.trail {
            let ordinal = checkpoint.position.ordinal;
            while trail.last().is_some_and(|c| c.position.ordinal > ordinal) {
                trail.pop();
            }
        }
    }

    /// Looks at what could be and comes back: `look` may lay positions with [`Self::go_to`] and play them.
    /// Whatever it came to, position, record, trail and whoever answers are as they were, and a question
    /// that waited waits again. Nobody answers while looking.
    pub fn suppose<T>(&mut self, look: impl FnOnce(&mut Play) -> T) -> T {
        // Between two steps the checkpoint is the step before.
        self.prepare();
        let now = self.checkpoint();
        let open = self.open;
        let trail = self.trail.take();
        let source = self.set_source(Box::new(NoAnswerer));
        let may_miss = std::mem::replace(&mut self.table_mut().chance.may_miss, true);
        let asking = self.is_asking();
        let keeps = self.table().keeps();
        let result = look(self);
        self.table_mut().keep(keeps);
        self.go_to(&now);
        self.open = open;
        if asking {
            self.advance();
        }
        self.trail = trail;
        self.set_source(source);
        self.table_mut().chance.may_miss = may_miss;
        result
    }

    /// Answers of a step are given after its checkpoint was kept; undo needs them there.
    fn keep_answers(&mut self) {
        if let Some(last) = self.trail.as_mut().and_then(|t| t.last_mut()) {
            last.position
                .answers
                .clone_from(&self.runtime.table.checkpoint.answers);
        }
    }

    /// Takes back the last `times` answers that somebody gave (answers of single options do not
    /// count) and changes by hand (each as one), and returns how many there were to take back; the
    /// question is asked again at the next [`Self::advance`]. In a step that was begun under other rules those
    /// go too that no longer fit: the cost. Needs the trail.
    pub fn undo(&mut self, times: usize) -> (usize, RulesChangeCost) {
        let undone = self.take_back(times);
        let carried = self.trail().last().is_some_and(|c| c.origin.is_some());
        let given = self.table().checkpoint.answers.len();
        let mut cost = RulesChangeCost::default();
        if undone > 0 && carried && given > 0 {
            cost.taken_back = self.try_answers(given);
            self.keep_answers();
        }
        (undone, cost)
    }

    fn take_back(&mut self, times: usize) -> usize {
        for undone in 0..times {
            if self.open {
                self.keep_answers();
            }
            let Some((step, answer)) = self.last_deed() else {
                return undone;
            };
            // Before a change by hand lies the checkpoint of the same step without it.
            self.cut_trail(if answer.is_some() { step + 1 } else { step });
            let Some(last) = self.trail.as_mut().and_then(|t| t.last_mut()) else {
                return undone;
            };
            if let Some(answer) = answer {
                last.position.answers.truncate(answer);
            }
            let checkpoint = last.clone();
            self.go_to(&checkpoint);
            self.cut_chapters(&checkpoint);
        }
        times
    }

    /// The whole record so far.
    pub fn events(&self) -> Vec<Event> {
        self.table().events.clone()
    }

    /// Lines of the record from an event on.
    pub fn lines_from(&self, start: usize) -> Vec<String> {
        let table = self.table();
        let events = table.events.get(start..).unwrap_or_default();
        events
            .iter()
            .map(|e| crate::event_text::line(e, &table.rules, &table.words))
            .collect()
    }

    /// The world after the event of this index, as [`Self::world_before`] knows it.
    pub fn world_after(&self, event: usize) -> World {
        let mut world = self.world_before(event);
        let table = self.table();
        if let Some(event) = table.events.get(event) {
            event.redo(&table.rules, &mut world);
        }
        world
    }

    /// The world before the event of this index: that of its step's checkpoint, and what happened in
    /// the step so far. The world of now where the trail does not reach back, or past the last event.
    pub fn world_before(&self, event: usize) -> World {
        let table = self.table();
        let trail = self.trail();
        let step = trail.partition_point(|c| c.events <= event);
        // Before the first step nothing but phases begins.
        let first = (!self.trail_cut).then_some(0);
        let Some(checkpoint) = step.checked_sub(1).or(first).and_then(|s| trail.get(s)) else {
            return table.world.clone();
        };
        if event >= table.events.len() {
            return table.world.clone();
        }
        let mut world = checkpoint.position.world.clone();
        for event in table.events.get(checkpoint.events..event).unwrap_or_default() {
            event.redo(&table.rules, &mut world);
        }
        world
    }

    /// The table as the faction may see it that is asked, or else acts; everything once the game is over.
    pub fn view(&self) -> View<'_> {
        let table = self.table();
        if matches!(table.checkpoint.next, NextStep::Over) {
            return table.view(None);
        }
        table.view(Some(match table.halt() {
            Some(Halt::Waiting) => table.request.asker,
            _ => table.acting(),
        }))
    }

    /// Looks at the rules with only what a faction may see on the table. It may only read.
    pub fn on_view<T>(&mut self, viewer: Option<FactionId>, look: impl FnOnce(&mut Runtime) -> T) -> T {
        let view = self.table().view(viewer);
        let seen = (!view.is_whole()).then(|| {
            let events: Vec<Event> = view.events().map(|(_, event)| event.into_owned()).collect();
            (view.world().into_owned(), events)
        });
        let swap = seen.map(|(world, events)| {
            let table = self.table_mut();
            (
                std::mem::replace(&mut table.world, world),
                std::mem::replace(&mut table.events, events),
            )
        });
        // A question that the expression asks is refused, but its options are already laid out.
        let request = self.table().request.clone();
        let value = look(&mut self.runtime);
        let table = self.table_mut();
        table.request = request;
        if let Some((world, events)) = swap {
            table.world = world;
            table.events = events;
        }
        value
    }

    /// The world as it would be if the effects that a faction has gathered happened now.
    pub fn preview(&self, faction: FactionId) -> World {
        let table = self.table();
        let mut world = table.view(Some(faction)).world().into_owned();
        for gathered in table.gathered.iter().filter(|g| g.faction == faction) {
            effect::apply(&table.rules, &mut world, gathered.effect, gathered.cause);
        }
        world
    }

    /// Looks at the world as it would be if the effects that a faction has gathered happened now.
    pub fn on_preview<T>(&mut self, faction: FactionId, look: impl FnOnce(&mut Play) -> T) -> T {
        let table = self.table();
        let gathered = table.gathered.iter().any(|g| g.faction == faction);
        if !gathered && table.view(Some(faction)).is_whole() {
            return look(self);
        }
        let preview = self.preview(faction);
        self.on_world(preview, look).0
    }

    /// Whether it stopped because nothing ends it: a phase goes on for ever, or there is too much to keep.
    pub fn is_endless(&mut self) -> bool {
        let table = self.table_mut();
        table.is_full() || matches!(table.next_step(), NextStep::Endless { .. })
    }

    /// Returns the value of a world for a faction; see [`Self::worth_here`].
    pub fn worth(&mut self, faction: FactionId, world: World) -> Result<i64, Problems> {
        self.on_world(world, |play| play.worth_here(faction)).0
    }

    /// Returns the value of the world that lies on the table for a faction: the result of the game's hook `worth(side)`,
    /// or without the hook the faction's units on the board minus the others'.
    pub fn worth_here(&mut self, faction: FactionId) -> Result<i64, Problems> {
        let worth = self.runtime.ask_number("worth", Thing::Faction(faction));
        let world = &self.table().world;
        let units = || {
            let own = (world.on_board() & world.owned(faction)).len() as i64;
            Ok(2 * own - world.on_board().len() as i64)
        };
        worth.unwrap_or_else(units).map_err(Problems::from)
    }

    /// Whether the game has a hook `worth`.
    pub fn worth_given(&self) -> bool {
        self.ruleset().hook("worth").is_some()
    }

    /// Whether the game has a hook `hint`.
    pub fn hints_given(&self) -> bool {
        self.ruleset().hook("hint").is_some()
    }

    /// Returns the values that the game's hook `hint` gives to options of the waiting question (by index), from the
    /// asker's view of the table; none without such a hook.
    ///
    /// # Errors
    ///
    /// The hook fails, or says something else than a whole number.
    pub fn hints(&mut self, options: &[usize]) -> Result<Vec<i64>, Problems> {
        if !self.hints_given() {
            return Ok(Vec::new());
        }
        let view = self.table().view(Some(self.table().request.asker));
        let world = view.world().into_owned();
        let (hints, _) = self.on_world(world, |play| play.runtime.hints(options));
        Ok(hints?)
    }
}
