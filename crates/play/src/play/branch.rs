//! A line of play as plain data: where it stands, its record, its checkpoints and its chapters.
//!
//! Ids mean something only under the rules that they were made by, so a branch holds those rules'
//! declared data and words. Under the same rules it is laid back as it was; under others it is
//! carried over by name, which is also how a play goes on under changed rules.

use super::by_hand::{is_edited, standing};
use super::carry::Carry;
use super::problems::lost_board;
use super::{Chapter, Checkpoint, Play, RulesChangeCost};
use crate::kernel::choice::Answer;
use crate::kernel::event::Event;
use crate::kernel::ignored_in_eq::IgnoredInEq;
use crate::kernel::rules::{Rules, Words};
use crate::kernel::schedule::NextStep;
use crate::kernel::table::chance::Stated;
use crate::kernel::table::{Position, Table};
use crate::report::Problem;
use crate::rules::ruleset::{LoadOptions, Ruleset};
use std::sync::Arc;

/// A line of play. See the module's comment.
#[derive(Clone)]
pub struct Branch {
    pub(super) rules: Arc<Rules>,
    words: Arc<Words>,
    pub(super) position: Position,
    /// Events before the step of the position.
    pub(super) events: Vec<Event>,
    pub(super) trail: Option<Vec<Checkpoint>>,
    pub(super) trail_cut: bool,
    pub(super) chapters: Vec<Chapter>,
    pub(super) stated: Arc<Stated>,
}

impl Branch {
    /// Whether its ids are those of a ruleset, so that it can be laid back there as it was.
    pub fn is_of(&self, ruleset: &Ruleset) -> bool {
        Arc::ptr_eq(&self.rules, &ruleset.rules)
    }

    /// The game that it is a play of.
    pub fn game(&self) -> &str {
        &self.rules.game
    }

    /// Returns the options with which the last rules of the branch were loaded.
    pub fn options(&self) -> &LoadOptions {
        &self.last_chapter().options
    }

    /// [`Ruleset::fingerprint`] of those rules.
    pub fn fingerprint(&self) -> &str {
        &self.last_chapter().fingerprint
    }

    fn last_chapter(&self) -> &Chapter {
        // A play has one chapter at least.
        &self.chapters[self.chapters.len() - 1]
    }

    /// Whether it has this chapter, begun where that begins.
    pub fn has_chapter(&self, chapter: &Chapter) -> bool {
        self.chapters.contains(chapter)
    }

    /// The answers in it, those of single options too, as far back as they can be taken back.
    pub fn answers(&self) -> Vec<Answer> {
        answers(self.trail.as_deref().unwrap_or_default(), None)
    }

    /// Returns the number of answers given and changes made by hand in it, as far back as they can be undone.
    pub fn given_count(&self) -> usize {
        deeds(self.trail.as_deref().unwrap_or_default(), &self.chapters, None)
            .iter()
            .sum()
    }

    /// The same branch in the ids of another ruleset, by name, and how many checkpoints at its old end
    /// could not be carried.
    ///
    /// # Errors
    ///
    /// What the game stands on and the table's rules do not have.
    pub fn carried(&self, table: &mut Table) -> Result<(Branch, usize), Problem> {
        let words = &mut table.words;
        let mut carry = Carry::new(&self.rules, &self.words, &table.rules, words).map_err(lost_board)?;
        let events: Vec<Event> = self.events.iter().map(|e| carry.event(e)).collect();
        let trail = self.trail.as_deref().unwrap_or_default();
        let last = Checkpoint {
            position: self.position.clone(),
            events: events.len(),
            origin: self.origin_of_now(),
        };
        let mut checkpoints: Vec<Checkpoint> = trail.iter().cloned().chain([last]).collect();
        for stand in &mut checkpoints {
            stand.origin.get_or_insert_with(|| self.origin(&stand.position));
            stand.position.answers = carry.answers(&stand.position.answers);
        }
        let beyond_undo = Origin::carry(&mut checkpoints, &table.rules, words).map_err(lost_board)?;
        checkpoints.drain(..beyond_undo);
        // The last one is always carried.
        let position = checkpoints
            .pop()
            .map_or_else(|| self.position.clone(), |last| last.position);
        let carried = Branch {
            rules: Arc::clone(&table.rules),
            words: Arc::new(words.clone()),
            position,
            events,
            trail: self.trail.as_ref().map(|_| checkpoints),
            trail_cut: self.trail_cut || beyond_undo > 0,
            chapters: self.chapters.clone(),
            stated: Arc::clone(&self.stated),
        };
        Ok((carried, beyond_undo))
    }

    /// Returns the origin of the current position, if its step was begun under other rules.
    fn origin_of_now(&self) -> Option<Arc<Origin>> {
        let last = self.trail.as_ref()?.last()?;
        let step = |position: &Position| (position.ordinal, position.next.clone());
        let open = step(&last.position) == step(&self.position);
        last.origin.clone().filter(|_| open)
    }

    /// A position of its own rules, to be carried from.
    fn origin(&self, position: &Position) -> Arc<Origin> {
        Arc::new(Origin {
            rules: Arc::clone(&self.rules),
            words: Arc::clone(&self.words),
            position: position.clone(),
        })
    }
}

/// A position as it was under the rules that its step was begun under. No other rules know all that is in it, so
/// to whatever rules play comes next, and back to its own, it is carried from here.
#[derive(Debug)]
pub(super) struct Origin {
    rules: Arc<Rules>,
    words: Arc<Words>,
    position: Position,
}

impl Origin {
    /// Carries checkpoints to other rules from their origins, with their own answers, the newest first; how many at
    /// the old end cannot be.
    ///
    /// # Errors
    ///
    /// Why the newest cannot be.
    fn carry(checkpoints: &mut [Checkpoint], to: &Rules, words: &mut Words) -> Result<usize, String> {
        let mut left = checkpoints.len();
        let newest = left;
        for run in checkpoints.chunk_by_mut(same_words).rev() {
            if let Err(why) = Self::carry_run(run, to, words, &mut left) {
                return if left < newest { Ok(left) } else { Err(why) };
            }
        }
        Ok(left)
    }

    fn carry_run(
        run: &mut [Checkpoint],
        to: &Rules,
        words: &mut Words,
        left: &mut usize,
    ) -> Result<(), String> {
        let Some(origin) = run.first().and_then(|c| c.origin.clone()) else {
            return Ok(());
        };
        let carry = Carry::new(&origin.rules, &origin.words, to, words)?;
        for stand in run.iter_mut().rev() {
            let answers = std::mem::take(&mut stand.position.answers);
            if let Some(origin) = &stand.origin {
                stand.position = carry.position(&origin.position)?;
            }
            stand.position.answers = answers;
            *left -= 1;
        }
        Ok(())
    }
}

/// Whether two checkpoints are carried from positions of the same rules.
fn same_words(a: &Checkpoint, b: &Checkpoint) -> bool {
    let words = |c: &Checkpoint| c.origin.as_ref().map(|o| Arc::as_ptr(&o.words));
    words(a) == words(b)
}

impl Play {
    /// This play as plain data. Begins the next step if none is open.
    pub fn branch(&mut self) -> Branch {
        // Between two steps the checkpoint is the step before.
        self.prepare();
        if self.open {
            self.keep_answers();
        }
        let chapters = self.chapters_held();
        let table = self.table();
        Branch {
            rules: Arc::clone(&self.ruleset().rules),
            words: Arc::new(table.words.clone()),
            position: table.position(),
            events: table.events[..table.step_mark()].to_vec(),
            trail: self.trail.clone(),
            trail_cut: self.trail_cut,
            chapters,
            stated: Arc::clone(&table.chance.stated),
        }
    }

    /// The chapters, those under the rules in force with these rules: others may come.
    fn chapters_held(&self) -> Vec<Chapter> {
        let mut chapters = self.chapters.clone();
        let since = self.rules_since();
        let held = chapters
            .iter()
            .filter(|c| c.from_step >= since)
            .find_map(|c| c.held.0.clone());
        let ruleset = held.unwrap_or_else(|| Arc::clone(self.ruleset()));
        let in_force = chapters.iter_mut().filter(|c| c.from_step >= since);
        in_force.for_each(|c| c.held = IgnoredInEq(Some(Arc::clone(&ruleset))));
        chapters
    }

    /// The chapter in which a step was played, by its index.
    pub fn chapter_of(&self, step: &Checkpoint) -> usize {
        let begun = |c: &Chapter| c.from_step <= step.position.ordinal;
        self.chapters.iter().rposition(begun).unwrap_or(0)
    }

    /// Another play under the rules of a chapter, by its index; `None` where they are not held any more.
    pub fn under_rules_of(&self, chapter: usize) -> Option<Play> {
        let chapter = self.chapters.get(chapter)?;
        if chapter.from_step >= self.rules_since() {
            return Some(self.empty_copy());
        }
        let mut play = Play::at_start(Arc::clone(chapter.held.0.as_ref()?));
        play.script_as(self.table());
        Some(play)
    }

    /// A step of this play in the words of another that has the rules that it was played under; `None` where these
    /// cannot say it.
    pub fn as_played(&self, step: &Checkpoint, other: &mut Play) -> Option<Position> {
        let to = &Arc::clone(&other.ruleset().rules);
        if Arc::ptr_eq(to, &self.ruleset().rules) {
            return Some(step.position.clone());
        }
        let (own, table) = (self.table(), other.table_mut());
        let words = &mut table.words;
        let Some(origin) = &step.origin else {
            let carry = Carry::new(&self.ruleset().rules, &own.words, to, words).ok()?;
            return carry.position(&step.position).ok();
        };
        let carry = Carry::new(&origin.rules, &origin.words, to, words).ok()?;
        let mut position = carry.position(&origin.position).ok()?;
        // Where the rules changed within the step, more was answered after that.
        if !Arc::ptr_eq(to, &origin.rules) {
            let carry = Carry::new(&self.ruleset().rules, &own.words, to, words).ok()?;
            position.answers = carry.answers(&step.position.answers);
        }
        Some(position)
    }

    /// Whether the first steps are not known any more.
    pub fn is_cut(&self) -> bool {
        self.trail_cut
    }

    /// Goes to a branch, under the rules in force; the line of play that is left is forgotten. Where
    /// the branch was played under other rules it is carried over by name, and a new chapter begins
    /// as after [`Play::change_rules`]. Its step is run again at the next [`Play::advance`].
    ///
    /// # Errors
    ///
    /// Why it cannot be carried; everything is as it was.
    pub fn go_to_branch(&mut self, branch: &Branch, why: &str) -> Result<RulesChangeCost, Problem> {
        if branch.is_of(self.ruleset()) {
            self.lay_branch(branch.clone());
            return Ok(RulesChangeCost::default());
        }
        let (carried, beyond_undo) = branch.carried(self.table_mut())?;
        Ok(self.go_on_carried(carried, beyond_undo, branch.position.answers.len(), why))
    }

    /// A play of a branch under a ruleset of its game.
    ///
    /// # Errors
    ///
    /// Why it cannot be carried.
    pub fn of_branch(
        ruleset: Arc<Ruleset>,
        branch: &Branch,
        why: &str,
    ) -> Result<(Play, RulesChangeCost), Problem> {
        let mut play = Play::at_start(ruleset);
        let cost = play.go_to_branch(branch, why)?;
        Ok((play, cost))
    }

    /// Lays a branch on the table that is in the ids of its rules.
    fn lay_branch(&mut self, branch: Branch) {
        let table = self.table_mut();
        table.events = branch.events;
        table.chance.stated = branch.stated;
        table.load(&branch.position);
        self.trail = branch.trail;
        self.trail_cut = branch.trail_cut;
        self.chapters = branch.chapters;
        self.open = !matches!(branch.position.next, NextStep::Over | NextStep::Endless { .. });
    }

    /// Lays a carried branch on the table: a new chapter begins unless the rules are those of its last.
    /// `given` is how many answers there were in its step before.
    pub(super) fn go_on_carried(
        &mut self,
        carried: Branch,
        beyond_undo: usize,
        given: usize,
        why: &str,
    ) -> RulesChangeCost {
        let (event, step) = (carried.events.len(), carried.position.ordinal);
        let chapter = Chapter::new(self.ruleset(), event, step, why.to_owned());
        let same = (carried.options(), carried.fingerprint()) == (&chapter.options, &chapter.fingerprint);
        self.lay_branch(carried);
        if !same {
            self.begin_chapter(chapter);
        }
        let mut cost = RulesChangeCost {
            beyond_undo,
            taken_back: None,
        };
        if self.open && given > 0 {
            cost.taken_back = self.try_answers(given);
            self.keep_answers();
        }
        cost
    }

    /// The answers so far, those of single options too, as far back as they can be taken back.
    pub fn answers(&self) -> Vec<Answer> {
        let table = self.table();
        answers(self.trail(), self.open.then_some(&table.checkpoint.answers[..]))
    }

    /// Returns the number of answers given and changes made by hand so far, as far back as [`Play::undo`] can undo
    /// them. Needs the trail.
    pub fn given_count(&self) -> usize {
        self.deeds().iter().sum()
    }

    fn deeds(&self) -> Vec<usize> {
        let table = self.table();
        let open = self.open.then_some(&table.checkpoint.answers[..]);
        deeds(self.trail(), &self.chapters, open)
    }

    /// Returns the number of those after the event of this index; `None` when the checkpoints do not reach back to it.
    pub fn given_count_since(&self, event: usize) -> Option<usize> {
        let trail = self.trail();
        let index = trail.partition_point(|c| c.events <= event);
        if index == 0 && self.trail_cut {
            return None;
        }
        Some(self.deeds()[index..].iter().sum())
    }

    /// Returns the relation of this play to a branch of the same rules.
    pub fn beside(&self, branch: &Branch) -> BranchRelation {
        let (here, there) = (self.answers(), branch.answers());
        let common = here.iter().zip(&there).take_while(|(a, b)| a == b).count();
        let step = self.table().checkpoint.ordinal.min(branch.position.ordinal);
        let begun = |chapters: &[Chapter]| chapters.iter().take_while(|c| c.from_step <= step).count();
        let (ours, theirs) = (&self.chapters, &branch.chapters);
        let (ours, theirs) = (&ours[..begun(ours)], &theirs[..begun(theirs)]);
        let alike = |(one, other): (&Chapter, &Chapter)| {
            one.from_step == other.from_step && one.has_rules_of(other) && one.edits == other.edits
        };
        let rules = ours.len() == theirs.len() && ours.iter().zip(theirs).all(alike);
        if !branch.is_of(self.ruleset()) || !rules {
            return BranchRelation::Parted;
        }
        if common == there.len() {
            BranchRelation::Holds
        } else if common == here.len() {
            BranchRelation::Within
        } else {
            BranchRelation::Parted
        }
    }
}

/// Relation of a play to a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BranchRelation {
    /// The play is the branch, or goes on from its end.
    Holds,
    /// The play is a beginning of the branch.
    Within,
    /// Answers, rules or changes by hand differ.
    Parted,
}

/// The answers of checkpoints; in the last step those that are given by now, where it is open.
fn answers(trail: &[Checkpoint], open: Option<&[Answer]>) -> Vec<Answer> {
    // What was answered before a change by hand stands again in the checkpoint that it made.
    let mut steps = standing(trail);
    if open.is_some() {
        steps.next_back();
    }
    let before = steps.flat_map(|step| &step.position.answers);
    before.chain(open.unwrap_or_default()).copied().collect()
}

/// Counts the actions at each checkpoint: the answers given there, and the change by hand that made it. In an open last
/// step the answers given so far count.
fn deeds(trail: &[Checkpoint], chapters: &[Chapter], open: Option<&[Answer]>) -> Vec<usize> {
    // From the end: the beginning of the trail may be cut off.
    let mut edits = chapters.iter().rev().filter_map(|c| c.edits.as_ref());
    let mut counts: Vec<usize> = (0..trail.len())
        .rev()
        .map(|index| {
            let edit = is_edited(trail, index).then(|| edits.next()).flatten();
            let own = match open {
                Some(open) if index + 1 == trail.len() => open,
                _ => &trail[index].position.answers,
            };
            let new = own
                .get(edit.map_or(0, |e| e.answers_before)..)
                .unwrap_or_default();
            new.iter().filter(|a| !a.only).count() + usize::from(edit.is_some())
        })
        .collect();
    counts.reverse();
    counts
}
