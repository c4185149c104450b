//! Going on from a position that somebody has changed by hand.
//!
//! A change by hand begins a chapter with the open step: its position before the step is changed, the
//! step is found anew from there, and the answers given in it stay as far as they still fit. What can
//! be changed, and in which words, is nothing that this module knows.

use super::{Chapter, Checkpoint, Play, Progress, RulesChangeCost, problems};
use crate::event_text::{self, Entry};
use crate::kernel::choice::Answer;
use crate::kernel::event::Event;
use crate::kernel::ids::{HookId, Thing, UnitId};
use crate::kernel::schedule::NextStep;
use crate::kernel::table::{NoAnswerer, Position};
use crate::kernel::world::World;
use crate::report::Problem;
use crate::rules::runtime::StepStop;
use crate::transcript::Edits;

impl Chapter {
    /// Whether the rules are those of another chapter.
    pub fn has_rules_of(&self, other: &Chapter) -> bool {
        (&self.options, &self.fingerprint) == (&other.options, &other.fingerprint)
    }
}

/// Whether a checkpoint was made by a change by hand: every step has one, and those have another.
pub(super) fn is_edited(trail: &[Checkpoint], index: usize) -> bool {
    let ordinal = |i: usize| trail.get(i).map(|c| c.position.ordinal);
    index > 0 && ordinal(index) == ordinal(index - 1)
}

/// The checkpoints of a trail without those that a change by hand has put another of the same step in the place of.
pub(super) fn standing(trail: &[Checkpoint]) -> impl DoubleEndedIterator<Item = &Checkpoint> {
    let indices = (0..trail.len()).filter(|&index| !is_edited(trail, index + 1));
    indices.map(|index| &trail[index])
}

impl Play {
    /// The open step in words that stay true under other rules, such as
    /// `game 1, round 2: red activates red.scouts1`.
    pub fn step_words(&self) -> String {
        let table = self.table();
        let (rules, step) = (&table.rules, table.checkpoint.step);
        let phase = &rules.phases[step.phase as usize].name;
        let name = match (table.checkpoint.next.clone(), step.pick) {
            (NextStep::Close, _) => format!("end of {phase}"),
            (_, 0) => event_text::step_name(rules, step),
            (_, pick) => format!("{phase}, pick {pick}"),
        };
        match event_text::place_of(rules, step) {
            place if place.is_empty() => name,
            place => format!("{place}: {name}"),
        }
    }

    /// The position as it was before the open step was found, for somebody to change it and to go on
    /// from with [`Self::go_on_from`].
    ///
    /// # Errors
    ///
    /// What [`Self::prepare`] says when there is no step.
    pub fn before_step(&mut self) -> Result<Position, Progress> {
        match self.prepare() {
            Progress::Stepped => {}
            other => return Err(other),
        }
        let mut position = self.position();
        position.answers.clear();
        position.cursor.take_back(&self.ruleset().rules, &position.next);
        position.next = NextStep::Over;
        position.ordinal = position.ordinal.wrapping_sub(1);
        Ok(position)
    }

    /// Goes on from a changed position that [`Self::before_step`] gave: a new chapter begins, and its
    /// first step is found anew. If it is the same step, its answers stay up to the first that no
    /// longer fits; it is played at the next [`Self::advance`].
    pub fn go_on_from(&mut self, changed: &Position, texts: Vec<String>) -> RulesChangeCost {
        if self.open {
            self.keep_answers();
        }
        let at = self.step_words();
        let before = self.checkpoint();
        let given = before.position.answers.len();
        let by_somebody = |p: &Position| p.answers.iter().filter(|a| !a.only).count();
        let mut cost = RulesChangeCost::default();
        if let Some(trail) = &mut self.trail
            && trail.last().map(|c| c.position.ordinal) != Some(before.position.ordinal)
        {
            trail.push(before.clone());
        }
        let table = self.table_mut();
        table.events.truncate(before.events);
        table.load(changed);
        let next = table.next_step().clone();
        let kind = |next: &NextStep| std::mem::discriminant(next);
        let same =
            table.checkpoint.step == before.position.step && kind(&next) == kind(&before.position.next);
        if same {
            table.checkpoint.answers.clone_from(&before.position.answers);
        }
        self.open = !matches!(next, NextStep::Over | NextStep::Endless { .. });
        let why = match same {
            true if given > 0 => self.try_answers(given),
            true => None,
            false => Some("its step does not come any more".to_owned()),
        };
        let position = self.position();
        if by_somebody(&position) < by_somebody(&before.position) {
            cost.taken_back = why;
        }
        let stayed = position.answers.len();
        let edits = Edits {
            texts,
            at,
            answers_before: stayed,
            lost: self.keys(before.position.answers.get(stayed..).unwrap_or_default()),
        };
        let events = self.table().step_mark();
        if let Some(trail) = &mut self.trail {
            trail.push(Checkpoint::new(position, events));
        }
        let (step, why) = (before.position.ordinal, edits.texts.join("; "));
        self.begin_chapter(Chapter {
            edits: Some(edits),
            ..Chapter::new(self.ruleset(), before.events, step, why)
        });
        cost
    }

    /// The keys of those answers that somebody gave.
    fn keys(&self, answers: &[Answer]) -> Vec<String> {
        let table = self.table();
        let given = answers.iter().filter(|a| !a.only);
        let entries = given.map(|a| Entry::of(&table.rules, &table.words, &Event::Chose(*a)));
        let keys = entries.filter_map(|entry| match entry {
            Entry::Picked { key, .. } | Entry::Chose { key, .. } => Some(key),
            _ => None,
        });
        keys.collect()
    }

    /// Runs a hook about a unit on a changed position, at once in any phase; returns the world after it, and lines
    /// about its effects. The open step has to be run again afterwards.
    ///
    /// # Errors
    ///
    /// Rules that fail, and those that ask.
    pub fn follow(
        &mut self,
        changed: &Position,
        hook: HookId,
        unit: UnitId,
    ) -> Result<(World, Vec<String>), Problem> {
        let keep = self.checkpoint();
        let mut alone = changed.clone();
        alone.cursor = alone.cursor.at_once();
        alone.gathered.clear();
        let source = self.set_source(Box::new(NoAnswerer));
        self.table_mut().load(&alone);
        let from = self.table().events.len();
        let done = self.runtime.call_hook(hook, Thing::Unit(unit));
        let (world, lines) = {
            let table = self.table();
            let made = table.events.get(from..).unwrap_or_default().iter();
            let consequences = made.filter(|e| e.is_consequence());
            let lines = consequences
                .map(|e| crate::event_text::line(e, &table.rules, &table.words))
                .collect();
            (table.world.clone(), lines)
        };
        let label = self.with_question(|a| a.label().to_owned()).unwrap_or_default();
        self.set_source(source);
        self.go_to(&keep);
        match done {
            Ok(_) => Ok((world, lines)),
            Err(StepStop::Waiting) => Err(problems::consequence_asks(&label)),
            Err(StepStop::Diverged(no_fit)) => Err(problems::unfit_answer(no_fit)),
            Err(StepStop::Failed(problem)) => Err(*problem),
        }
    }

    /// The checkpoint of every step as it was played in the end: those before a change by hand are there for undo alone.
    pub fn standing(&self) -> impl DoubleEndedIterator<Item = &Checkpoint> {
        standing(self.trail())
    }

    /// Looks with another world on the table; returns it with what was seen.
    pub fn on_world<T>(&mut self, world: World, look: impl FnOnce(&mut Play) -> T) -> (T, World) {
        let live = std::mem::replace(&mut self.table_mut().world, world);
        let result = look(self);
        let world = std::mem::replace(&mut self.table_mut().world, live);
        (result, world)
    }

    /// The ordinal of the step since which the rules in force are in force.
    pub fn rules_since(&self) -> u32 {
        let Some(last) = self.chapters.last() else {
            return 0;
        };
        let same = self.chapters.iter().rev().take_while(|c| c.has_rules_of(last));
        same.last().map_or(0, |c| c.from_step)
    }

    /// Cuts the trail to so many checkpoints; what was changed by hand after them is no chapter any more.
    pub(super) fn cut_trail(&mut self, length: usize) {
        let Some(trail) = &mut self.trail else { return };
        let lost = (length..trail.len()).filter(|&i| is_edited(trail, i)).count();
        trail.truncate(length);
        for _ in 0..lost {
            if let Some(last) = self.chapters.iter().rposition(|c| c.edits.is_some()) {
                self.chapters.remove(last);
            }
        }
    }

    /// The last thing that somebody did: the index of its checkpoint, and of the answer in it; a change
    /// by hand, which has made its checkpoint, has none.
    pub(super) fn last_deed(&self) -> Option<(usize, Option<usize>)> {
        let trail = self.trail();
        let mut edits = self.chapters.iter().rev().filter_map(|c| c.edits.as_ref());
        (0..trail.len()).rev().find_map(|index| {
            let edit = is_edited(trail, index).then(|| edits.next()).flatten();
            let before = edit.map_or(0, |e| e.answers_before);
            let answers = trail[index].position.answers.get(before..).unwrap_or_default();
            match answers.iter().rposition(|a| !a.only) {
                Some(answer) => Some((index, Some(before + answer))),
                None => edit.map(|_| (index, None)),
            }
        })
    }
}
