//! Time travel in a session: answers taken back and given again, and lines of play that are kept.
//!
//! Trying another move never destroys the first line. Where play was taken back and goes on
//! otherwise, the line as it was becomes a branch; so does the game that another takes the place
//! of. The line that play was taken back on is not listed until then: it is the present line, of
//! which some answers are taken back. Decides nothing about the rules; how a line is carried to
//! other rules is the play's business.

use super::arguments::Args;
use super::branch_text::{AnswerText, BranchSummary, LineHead, divergence};
use super::change_text::{add_cost, deeds, made_by_hand};
use super::journal::play_stored;
use super::opening_files::{SetupResult, SetupSource};
use super::output::{Output, OutputPiece};
use super::problems;
use super::saved_branches::RedoTarget;
use super::session::{Session, SessionState};
use crate::kernel::event::Event;
use crate::kernel::phase;
use crate::lines::{RightAligned, aligned, counted, shortened};
use crate::pages::Page;
use crate::play::{BranchRelation, Play, RulesChangeCost};
use crate::report::{Problem, Problems, hint_for};
use crate::rules::ruleset::Ruleset;
use crate::stage::run::{self, PlayStop};
use crate::stage::transcribe;
use crate::transcript::Transcript;
use std::cell::OnceCell;
use std::sync::Arc;

impl Session {
    /// The play so far, as `:save` writes it.
    pub(super) fn transcript(&self) -> Transcript {
        let stopped = match &self.state {
            SessionState::Asks => PlayStop::Asks,
            SessionState::Over => PlayStop::Over,
            SessionState::Failed { problem, .. } => PlayStop::Failed(problem.clone()),
        };
        transcribe::saved(&self.play, &self.set_up.file, &run::end_of(&self.play, &stopped))
    }

    /// Returns the head of the branch on the table.
    pub(super) fn tip(&mut self) -> LineHead {
        LineHead {
            stand: self.stand(),
            branch: Some(self.play.branch()),
            transcript: self.transcript().into(),
            file: self.set_up.file.clone(),
            opened: self.set_up.opened.file.clone(),
            answer_texts: OnceCell::new(),
        }
    }

    /// Returns the position of the play, for lists of branches.
    fn stand(&self) -> BranchSummary {
        let phases = self.play.ruleset().rules.phases.iter();
        let hidden = phases.filter(|p| p.hidden).map(|p| p.name.clone());
        BranchSummary {
            at: self.whereabouts(),
            stands: self.waiting_for(),
            hidden: hidden.collect(),
            answers: None,
        }
    }

    /// Returns the round or phase of the play.
    pub(crate) fn whereabouts(&self) -> String {
        let table = self.play.table();
        let phases = &table.rules.phases;
        let mut open = table.checkpoint.cursor.phases().collect::<Vec<u8>>();
        open.reverse();
        let round = open.iter().find(|p| phases[**p as usize].repeat);
        match round.or(open.first()) {
            None => "the end".to_owned(),
            Some(phase) => {
                let phase = &phases[*phase as usize];
                let begun = table.checkpoint.cursor.iteration(&table.rules, &phase.name);
                match begun.filter(|_| phase.repeat) {
                    Some(n) => format!("{} {n}", phase.name),
                    None => phase.name.clone(),
                }
            }
        }
    }

    /// Returns the question that the play waits for, or its end, without secrets.
    pub(crate) fn waiting_for(&self) -> String {
        match &self.state {
            SessionState::Over => run::end_of(&self.play, &PlayStop::Over),
            SessionState::Failed { .. } => "the rules fail".to_owned(),
            SessionState::Asks if self.is_secret() => {
                let who = self.play.view().faction();
                let who = who.map(|f| &self.play.ruleset().rules.factions[f.index()]);
                format!("{} chooses in secret", who.map_or("", String::as_str))
            }
            SessionState::Asks => {
                let description = self.play.with_question(|a| {
                    let asker = &a.rules.factions[a.request.asker.index()];
                    match a.request.step.pick > 0 {
                        true => format!("{asker} {}", a.label()),
                        false => format!("{asker} chooses {}", a.label()),
                    }
                });
                description.unwrap_or_default()
            }
        }
    }

    /// The present line as it would be kept: its end, and how much of it is taken back; it tells where play stands.
    pub(super) fn present(&mut self) -> (LineHead, usize) {
        let here = self.tip();
        let Some(ahead) = &self.branches.ahead else {
            return (here, 0);
        };
        let stand = BranchSummary {
            answers: Some(here.answer_count()),
            ..here.stand
        };
        let (tip, back) = (
            ahead.tip.clone(),
            ahead.tip.given_count().saturating_sub(ahead.at),
        );
        (LineHead { stand, ..tip }, back)
    }

    /// Puts another play in the place of this one, which `:undo` and `:switch` bring back.
    pub(super) fn replace(&mut self, play: Play, back: &str) {
        let untouched = !self.branches.is_touched(&self.play);
        let present = self.present();
        let id = self.branches.keep(present, None, untouched);
        self.branches.ahead = None;
        self.branches.forth = None;
        if play.ruleset().fingerprint() != self.play.ruleset().fingerprint() {
            // What changed last was about other rules.
            self.rules.before = None;
        }
        self.branches.returns = Some((id, back.to_owned()));
        self.branches.table = self.branches.saved.iter().map(|k| k.table).max().unwrap_or(0) + 1;
        self.branches.laid = (play.given_count(), play.chapters().len());
        self.play = play;
    }

    /// Looks after each line whether play still follows the line that it was taken back on, and
    /// keeps that line where it does not.
    pub(super) fn follow(&mut self, reply: &mut Output) {
        if let Some(ahead) = &mut self.branches.ahead
            && let Some(branch) = &ahead.tip.branch
        {
            let position = self.play.position();
            let parted = match self.play.beside(branch) {
                _ if branch.is_of(self.play.ruleset()) && position == ahead.stood => false,
                BranchRelation::Holds => {
                    self.branches.ahead = None;
                    false
                }
                BranchRelation::Within => {
                    ahead.at = self.play.given_count();
                    ahead.stood = position;
                    false
                }
                BranchRelation::Parted => true,
            };
            if parted && let Some(ahead) = self.branches.ahead.take() {
                let answers = AnswerText::of(&self.transcript().lines, &ahead.tip.stand.hidden);
                let id = self.branches.keep((ahead.tip, 0), Some(&answers), false);
                let name = self.branches.name_of(id);
                let message = format!("the line so far is kept: `:switch {name}` goes back to it");
                self.branches.notes.push(message);
            }
        }
        for (index, note) in std::mem::take(&mut self.branches.notes).into_iter().enumerate() {
            reply.pieces.insert(index, OutputPiece::Text(note));
        }
    }

    /// Takes back answers; right after another game was put on the table, brings the one before back.
    ///
    /// # Errors
    ///
    /// When there is nothing to take back.
    pub fn undo(&mut self, times: usize) -> Result<Output, Problems> {
        if let Some((id, back)) = self.branches.returns.clone() {
            let mut reply = Output::text(back);
            let left = self.go_to(id, true, &mut reply)?;
            self.branches.forth = Some(left);
            // A name that nobody gave was there for the list alone.
            self.branches.name.take_if(|(_, named)| !*named);
            // Of its answers none was meant: nobody saw them when the line was typed.
            if times > 1 {
                reply.add("no answer of it was taken back");
            }
            self.show_events(&mut reply);
            return Ok(reply);
        }
        let chapters = self.play.chapters().iter().rev();
        let chapter = chapters.into_iter().find(|c| c.edits.is_none()).cloned();
        let ahead = self.branches.ahead.as_ref();
        let tip = ahead.and_then(|ahead| ahead.tip.branch.as_ref());
        // Where the rules were taken along to an earlier step already, that was said.
        let chapter = chapter.filter(|chapter| tip.is_none_or(|tip| tip.has_chapter(chapter)));
        let made = made_by_hand(&self.play);
        let (mut undone, mut cost) = self.take_back(times);
        // What an agent has answered since is not for the person to answer otherwise, where there is one.
        while undone > 0 && self.passes_over() {
            match self.take_back(1) {
                (0, _) => break,
                (more, of_it) => (undone, cost) = (undone + more, of_it),
            }
        }
        if undone == 0 {
            return Err(problems::nothing_to_undo().into());
        }
        let mut reply = Output::text(self.took_back(undone, &made));
        if let Some(chapter) = chapter
            && !self.play.chapters().contains(&chapter)
            && !chapter.why.is_empty()
        {
            reply.add(format!(
                "that was before the rules changed ({}); the rules in force stay",
                chapter.why
            ));
        }
        add_cost(&mut reply, &cost);
        self.show_events(&mut reply);
        Ok(reply)
    }

    /// Whether an agent is asked while there is a person, for whom answers are taken back and given again.
    fn passes_over(&self) -> bool {
        let mut sides = self.play.ruleset().rules.factions.iter();
        self.machine().is_some() && sides.any(|faction| self.plays.agent(faction).is_none())
    }

    /// Takes back so many answers or all; how many it were, and what more it cost. The line as it is stays ahead.
    pub(super) fn take_back(&mut self, times: usize) -> (usize, RulesChangeCost) {
        if self.play.given_count() == 0 && made_by_hand(&self.play).is_empty() {
            return (0, RulesChangeCost::default());
        }
        let tip = match self.branches.ahead.take() {
            Some(ahead) => ahead.tip,
            None => self.tip(),
        };
        self.branches.forth = None;
        let (undone, cost) = self.play.undo(times);
        self.settle();
        // What stands from before is known; only the question is asked again.
        self.shown.forget_untold(&self.play);
        self.stay_ahead(tip);
        (undone, cost)
    }

    /// The sentence about what `:undo` took back: so many things, of which those of `made` that are missing now were
    /// changes by hand.
    fn took_back(&self, undone: usize, made: &[String]) -> String {
        let gone = made.get(made_by_hand(&self.play).len()..).unwrap_or_default();
        format!("took back {}", deeds(undone, gone, self.is_secret()))
    }

    /// Answers of this line were taken back, up to where play is now.
    fn stay_ahead(&mut self, tip: LineHead) {
        self.branches.ahead = Some(RedoTarget {
            tip,
            at: self.play.given_count(),
            stood: self.play.position(),
        });
    }

    /// Gives answers again that were taken back, and behind them those of agents, up to where a person is asked.
    ///
    /// # Errors
    ///
    /// When nothing was taken back, or play has gone on otherwise since.
    pub fn redo(&mut self, times: usize) -> Result<Output, Problems> {
        if let Some(id) = self.branches.forth {
            let mut reply = Output::default();
            let left = self.go_to(id, true, &mut reply)?;
            let back = "the game before is back".to_owned();
            self.branches.returns = Some((left, back));
            reply.add("the game that was taken back is on the table again");
            self.show_events(&mut reply);
            return Ok(reply);
        }
        let Some(ahead) = self.branches.ahead.take() else {
            return Err(problems::nothing_to_redo().into());
        };
        let RedoTarget {
            tip,
            at,
            stood: position,
        } = ahead;
        let Some(branch) = &tip.branch else {
            return Err(problems::nothing_to_redo().into());
        };
        let given = branch.given_count();
        let made = made_by_hand(&self.play).len();
        let mut again = times.min(given.saturating_sub(at));
        let cost = loop {
            if let Err(problem) = self.play.go_to_branch(branch, "") {
                self.branches.ahead = Some(RedoTarget {
                    tip,
                    at,
                    stood: position,
                });
                return Err(problem.into());
            }
            let (_, cost) = self.play.undo(self.play.given_count().saturating_sub(at + again));
            self.settle();
            if at + again >= given || !self.passes_over() {
                break cost;
            }
            again += 1;
        };
        if at + again < given {
            self.stay_ahead(tip);
        }
        let all = made_by_hand(&self.play);
        let done = deeds(again, all.get(made..).unwrap_or_default(), self.is_secret());
        let all = if again < times { "; there were no more" } else { "" };
        let mut reply = Output::text(format!("gave {done} again{all}"));
        add_cost(&mut reply, &cost);
        self.show_events(&mut reply);
        Ok(reply)
    }

    /// Goes back to the beginning of a round or another phase: the present one, one by its number, or
    /// one some beginnings ago.
    ///
    /// # Errors
    ///
    /// A phase that is none or has not begun, or that nobody has answered anything since.
    pub(super) fn back(&mut self, args: &Args<'_>) -> Result<Output, Problems> {
        let (event, name) = self.beginning(args)?;
        let since = self
            .play
            .given_count_since(event)
            .ok_or_else(|| problems::too_far_back(&name))?;
        if since == 0 {
            return Err(problems::unanswered_since(&name).into());
        }
        self.branches.returns = None;
        let made = made_by_hand(&self.play);
        let (undone, cost) = self.take_back(since);
        let mut reply = Output::text(format!(
            "back at the beginning of {name}: {}",
            self.took_back(undone, &made)
        ));
        add_cost(&mut reply, &cost);
        self.show_events(&mut reply);
        self.add_board(&mut reply);
        Ok(reply)
    }

    /// The event with which the phase begins that `:back` means, and what it is called.
    fn beginning(&self, args: &Args<'_>) -> Result<(usize, String), Problem> {
        let table = self.play.table();
        let phases = &table.rules.phases;
        let (number, name) = (args.number::<usize>("N"), args.get("PHASE"));
        // `:back 2 rounds` counts beginnings, `:back round 2` and `:back 2` name one.
        let (nth, ago) = match name {
            None => (number, 1),
            Some(_) => (args.number("NTH"), number.unwrap_or(1)),
        };
        let wanted = match name {
            Some(name) => self.phases(name).map_err(|_| {
                let names = phases.iter().skip(1).map(|p| p.name.as_str());
                problems::unknown_name("phase", name).hint(hint_for(name, names))
            })?,
            None => (0..phases.len() as u8)
                .filter(|p| phase::is_innermost_repeat(phases, *p))
                .collect(),
        };
        let heading = |phase: u8, iteration: u16| match iteration {
            0 => phases[phase as usize].name.clone(),
            n => format!("{} {n}", phases[phase as usize].name),
        };
        let begun: Vec<(usize, u8, u16)> = table
            .events
            .iter()
            .enumerate()
            .filter_map(|(i, e)| match e {
                Event::Phase { phase, iteration } if wanted.contains(phase) => Some((i, *phase, *iteration)),
                _ => None,
            })
            .collect();
        let found = match nth {
            Some(n) => begun.iter().rfind(|(.., i)| usize::from(*i) == n),
            None => begun.len().checked_sub(ago).and_then(|i| begun.get(i)),
        };
        if let Some((event, phase, iteration)) = found {
            return Ok((*event, heading(*phase, *iteration)));
        }
        let what = name.unwrap_or_else(|| {
            let first = wanted.first().map(|p| phases[*p as usize].name.as_str());
            first.unwrap_or("round")
        });
        let help = begun
            .last()
            .map(|last| format!("the last one is {}", heading(last.1, last.2)));
        Err(match help {
            Some(help) => problems::not_begun(what).hint(help),
            None => problems::not_begun(what),
        })
    }

    /// The lines that are kept: the name of each, and where it parted from the present one.
    pub(crate) fn lines_kept(&mut self) -> Vec<(String, String)> {
        if self.branches.names().is_empty() {
            return Vec::new();
        }
        let here = self.tip();
        let saved = self.branches.saved.iter().filter(|k| !k.untouched);
        saved
            .map(|k| {
                (
                    k.name.clone(),
                    format!("{}; {}", k.tip.stand.at, divergence(&k.tip, &here)),
                )
            })
            .collect()
    }

    /// The name of the present line, how many answers are given on it, and how many can be given again.
    pub(crate) fn stretch(&self) -> (Option<&str>, usize, usize) {
        let name = self.branches.name.as_ref().map(|(name, _)| name.as_str());
        let given = self.play.given_count();
        let ahead = self.branches.ahead.as_ref();
        let ahead = ahead.map_or(0, |ahead| ahead.tip.given_count().saturating_sub(given));
        (name, given, ahead)
    }

    /// A table of all lines: where each parted from the present one, how far it has gone, how it stands.
    pub fn list_branches(&mut self) -> Page {
        let here = self.tip();
        let taken_back = self.present().1;
        let name = match &self.branches.name {
            Some((name, _)) => format!("* {name}"),
            None => "* (this line)".to_owned(),
        };
        let row = |name: String, tip: &LineHead| {
            vec![
                name,
                tip.answer_count().to_string(),
                tip.stand.at.clone(),
                tip.stand.stands.clone(),
            ]
        };
        let heads = ["line", "answers", "at", "stands"];
        let mut rows = vec![heads.map(str::to_owned).to_vec(), row(name, &here)];
        let mut details = vec![Vec::new(), Vec::new()];
        if taken_back > 0 {
            let all = self.branches.ahead.as_ref().map(|ahead| ahead.tip.made_by_hand());
            let made = made_by_hand(&self.play).len();
            let gone = all.as_ref().and_then(|all| all.get(made..)).unwrap_or_default();
            let again = match (self.branches.forth, taken_back) {
                (Some(_), _) => "",
                (None, 1) => "; `:redo` gives it again",
                (None, _) => "; `:redo` gives them again",
            };
            let back = deeds(taken_back, gone, self.is_secret());
            details[1].push(format!("{back} taken back{again}"));
        }
        if self.branches.forth.is_some() {
            details[1].push("`:redo` puts the game that was taken back on the table again".to_owned());
        }
        rows[0][0] = format!("  {}", rows[0][0]);
        for branch in self.branches.saved.iter().filter(|k| !k.untouched) {
            rows.push(row(format!("  {}", branch.name), &branch.tip));
            let mut detail = vec![divergence(&branch.tip, &here)];
            if branch.back > 0 {
                let back = counted(branch.back, "answer");
                detail.push(format!("{back} taken back on it; `:redo` gives them again there"));
            }
            if branch.tip.options() != here.options() && branch.tip.file.game == here.file.game {
                detail.push(format!(
                    "played {}",
                    self.rules.describe(&self.game(), &branch.tip.options())
                ));
            }
            details.push(detail);
        }
        let width = self.face.style.width.min(80);
        let alone = rows.len() == 2;
        let mut page = Page::default();
        for (line, details) in aligned(&rows, RightAligned::Never).lines().zip(details) {
            page.below(shortened(line, width));
            for detail in details {
                page.below(shortened(&format!("    {detail}"), width));
            }
        }
        if alone {
            page.below("no other line is kept; where play goes on otherwise the old line will be");
        }
        page
    }

    /// Goes to a line that is kept, by its name, or to the one that was left last; the present line
    /// is kept.
    ///
    /// # Errors
    ///
    /// A name that no line has; rules under which it cannot be played on. Everything stays then.
    pub fn switch(&mut self, name: &str) -> Result<Output, Problems> {
        let last = self.branches.last.filter(|id| self.branches.find(*id).is_some());
        let id = match (name, last) {
            ("" | "-", Some(id)) => id,
            ("" | "-", None) => {
                return Err(problems::no_last_branch().into());
            }
            _ => self.branches.by_name(name)?,
        };
        let mut reply = Output::default();
        let name = self.branches.name_of(id);
        let left = self.go_to(id, false, &mut reply)?;
        let left = match self.branches.find(left) {
            Some(at) => format!("; the line left is `{}`", self.branches.saved[at].name),
            None => String::new(),
        };
        reply
            .pieces
            .insert(0, OutputPiece::Text(format!("now on `{name}`{left}")));
        self.show_events(&mut reply);
        self.add_board(&mut reply);
        Ok(reply)
    }

    /// Puts a line that is kept on the table and keeps the present one; the id of that one. Nothing is
    /// told of it yet but what has changed in it. `untouched`: one that nobody has played in is
    /// kept as well.
    fn go_to(&mut self, id: u32, untouched: bool, reply: &mut Output) -> Result<u32, Problems> {
        let Some(target) = self.branches.find(id).map(|i| self.branches.saved[i].clone()) else {
            return Err(problems::unknown_name("branch", id).into());
        };
        let touched = self.branches.is_touched(&self.play);
        let present = self.present();
        let before = (self.game(), self.play.ruleset().options.clone());
        let mut change_cost = RulesChangeCost::default();
        let mut exact = false;
        let mut tip = target.tip;
        if tip.branch.is_none() {
            let (mut play, file, notes) = self.play_again(&tip)?;
            tip.branch = Some(play.branch());
            tip.file = file;
            reply
                .pieces
                .extend(notes.into_iter().map(|note| self.noted(note)));
        }
        let Some(branch) = &tip.branch else {
            return Err(problems::unplayable_branch().into());
        };
        if branch.is_of(self.play.ruleset()) {
            self.play.go_to_branch(branch, "")?;
            exact = true;
        } else {
            let rules = self.play.ruleset();
            let here = (&rules.rules.game, &rules.options) == (&branch.game().to_owned(), branch.options());
            if target.table == self.branches.table || here && rules.fingerprint() == branch.fingerprint() {
                change_cost = self.play.go_to_branch(branch, "switched lines").map_err(stays)?;
            } else {
                let ruleset = Ruleset::load(&self.rules.workspace, branch.game(), branch.options())?;
                let (play, cost) = Play::of_branch(ruleset, branch, "switched lines").map_err(stays)?;
                (self.play, change_cost) = (play, cost);
            }
        }
        let chapter = self.play.chapters().last();
        if chapter
            .is_some_and(|c| (&c.options, c.fingerprint.as_str()) != (branch.options(), branch.fingerprint()))
        {
            let (was, is) = (branch.options(), &self.play.ruleset().options);
            reply.add(match was == is {
                true => "its rules were saved otherwise since; the board is kept".to_owned(),
                false => format!(
                    "it was played {}, and goes on {}; the board is kept",
                    self.rules.describe(&self.game(), was),
                    self.rules.describe(&self.game(), is)
                ),
            });
        }
        let options = &self.play.ruleset().options;
        if before.0 == self.game() && before.1 != *options {
            let rules = self.rules.describe(&before.0, options);
            reply.add(format!("its own rules are in force, {rules}"));
        }
        // From here on nothing can fail.
        let answers = Arc::clone(tip.answers());
        let left = if touched || untouched {
            self.branches.add(present, Some(&answers), !touched)
        } else {
            self.branches.name = None;
            u32::MAX
        };
        self.branches.saved.retain(|k| k.id != id);
        self.branches.table = target.table;
        self.branches.name = Some((target.name, target.named));
        self.branches.ahead = None;
        self.branches.returns = None;
        self.branches.forth = None;
        self.branches.set_played();
        if target.untouched {
            self.branches.laid = (self.play.given_count(), self.play.chapters().len());
            self.branches.name = None;
        }
        self.set_up = SetupSource::of_line(tip.file.clone(), tip.opened.clone());
        self.keep_options();
        add_cost(reply, &change_cost);
        self.settle();
        if target.back > 0 {
            let tip = match exact {
                // It tells where it was left.
                true => LineHead {
                    stand: self.stand(),
                    ..tip
                },
                false => self.tip(),
            };
            self.play.undo(target.back);
            self.settle();
            self.stay_ahead(tip);
        }
        // What was played on that line was told when it was; who sees it in secret is covered anew.
        self.shown.forget_untold(&self.play);
        self.shown.asked_faction = None;
        Ok(left)
    }

    /// Plays a kept line again under the rules that it was played under.
    fn play_again(&self, tip: &LineHead) -> Result<SetupResult, Problems> {
        let folder = self.journal.as_ref().and_then(|j| j.folder.as_deref());
        let (play, file, mut notes) = play_stored(folder, &self.rules.workspace, &tip.again()?)?;
        if let Some(at) = notes.iter().position(|(wrong, _)| *wrong) {
            let (_, problem) = notes.swap_remove(at);
            return Err(problem.hint("the branch does not change").into());
        }
        Ok((play, file, notes))
    }
}

/// A line that the rules do not fit cannot be gone to yet.
fn stays(problem: Problem) -> Problem {
    problem.hint("put the rules back that the branch needs, and switch again")
}
