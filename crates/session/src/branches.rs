//! Moves of the cursor in a session's history: undo, redo, back, branches and switches. The history itself is
//! [`crate::history`]; carrying a branch over to other rules is the play's business.

use crate::arguments::Args;
use crate::change_text::{add_cost, deeds, made_by_hand};
use crate::history::branch_text::{Summary, last_options};
use crate::history::{Branch, Here};
use crate::journal::StoredRules;
use crate::kernel::event::Event;
use crate::kernel::phase;
use crate::lines::{RightAligned, aligned, counted, shortened};
use crate::opening_files::{SetupResult, SetupSource};
use crate::output::{Output, OutputPiece};
use crate::play::{self, Play, RulesChangeCost};
use crate::problems;
use crate::report::{Problem, Problems, hint_for};
use crate::reports::Report;
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::session::{Session, SessionState};
use crate::stage::run::{self, PlayStop};
use crate::stage::transcribe;
use crate::transcript::{Line, Transcript};

impl Session {
    /// The play so far, as `:save` writes it.
    pub(crate) fn transcript(&self) -> Transcript {
        let stopped = match &self.state {
            SessionState::Asks => PlayStop::Asks,
            SessionState::Lays => PlayStop::Until,
            SessionState::Over => PlayStop::Over,
            SessionState::Failed { problem, .. } => PlayStop::Failed(problem.clone()),
        };
        transcribe::saved(&self.play, &self.set_up.file, &run::end_of(&self.play, &stopped))
    }

    /// Returns the present state of the play, for the history.
    fn here(&self) -> Here {
        let transcript = self.transcript();
        let end = match transcript.lines.last() {
            Some(Line::End(end)) => end.clone(),
            _ => String::new(),
        };
        let rules = &self.play.ruleset().rules;
        // An answer in any phase may tell what is hidden whatever the phase.
        let hides = rules.phases.iter().filter(|p| p.hidden || rules.slots.secrets);
        let hidden = hides.map(|p| p.name.clone());
        let summary = Summary {
            at: self.whereabouts(),
            stands: self.waiting_for(),
            hidden: hidden.collect(),
        };
        Here {
            transcript,
            end,
            summary,
        }
    }

    /// Moves the cursor of the history to where the play is now.
    pub(crate) fn record(&mut self) {
        self.history.present.file = self.set_up.file.clone();
        self.history.present.opened = self.set_up.opened.file.clone();
        let here = self.here();
        self.history.follow(here);
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
            SessionState::Lays => "the game has not begun".to_owned(),
            SessionState::Over => run::end_of(&self.play, &PlayStop::Over),
            SessionState::Failed { .. } => "the rules fail".to_owned(),
            SessionState::Asks if self.play.view().in_hidden_phase() && self.is_secret() => {
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

    /// Puts another play in the place of this one, which `:undo` and `:switch` bring back.
    pub(crate) fn replace(&mut self, play: Play, back: &str) {
        let touched = self.history.is_touched(&self.play);
        self.leave_branch();
        let id = self.history.begin_game(&play, touched);
        if play.ruleset().fingerprint() != self.play.ruleset().fingerprint() {
            // What changed last was about other rules.
            self.rules.before = None;
        }
        self.history.returns = Some((id, back.to_owned()));
        self.play = play;
    }

    /// Records the present branch as it is left.
    fn leave_branch(&mut self) {
        self.record();
        if !self.history.is_undone() {
            self.history.present.play = Some(self.play.branch());
        }
    }

    /// Records what a line did, and tells which branch it parted from.
    pub(crate) fn follow(&mut self, reply: &mut Output) {
        self.record();
        for (index, note) in std::mem::take(&mut self.history.notes).into_iter().enumerate() {
            reply.pieces.insert(index, OutputPiece::Text(note));
        }
    }

    /// Takes back answers; right after another game was put on the table, brings the one before back.
    ///
    /// # Errors
    ///
    /// When there is nothing to take back.
    pub fn undo(&mut self, times: usize) -> Result<Output, Problems> {
        if let Some((id, back)) = self.history.returns.clone() {
            let mut reply = Output::text(back);
            let left = self.go_to(id, true, &mut reply)?;
            self.history.forth = left;
            // A name that nobody gave was there for the list alone.
            if !self.history.present.is_named {
                self.history.present.name.clear();
            }
            // Of its answers none was meant: nobody saw them when the line was typed.
            if times > 1 {
                reply.add("no answer of it was taken back");
            }
            self.show_events(&mut reply);
            return Ok(reply);
        }
        let chapters = self.play.chapters().iter().rev();
        let chapter = chapters.into_iter().find(|c| c.edits.is_none()).cloned();
        let tip = self
            .history
            .present
            .play
            .as_ref()
            .filter(|_| self.history.is_undone());
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
    pub(crate) fn take_back(&mut self, times: usize) -> (usize, RulesChangeCost) {
        if self.play.given_count() == 0 && made_by_hand(&self.play).is_empty() {
            return (0, RulesChangeCost::default());
        }
        self.leave_branch();
        let tip = self.history.present.play.take();
        self.history.forth = None;
        let given = tip.as_ref().map_or(0, play::Branch::given_count);
        let (undone, cost) = self.play.undo(times);
        self.settle();
        // What stands from before is known; only the question is asked again.
        self.shown.forget_untold(&self.play);
        self.undone_to(tip, given);
        (undone, cost)
    }

    /// Moves the cursor back to where the play is now; the present branch goes on to this tip, with so many answers
    /// and changes by hand.
    fn undone_to(&mut self, tip: Option<play::Branch>, given: usize) {
        let here = self.here();
        let undone = given.saturating_sub(self.play.given_count());
        self.history.present.play = tip;
        self.history.undo_to(here, undone);
    }

    /// The sentence about what `:undo` took back: so many things, of which those of `made` that are missing now were
    /// changes by hand.
    fn took_back(&self, undone: usize, made: &[String]) -> String {
        let gone = made.get(made_by_hand(&self.play).len()..).unwrap_or_default();
        format!("took back {}", deeds(undone, gone, self.is_secret()))
    }

    /// Gives answers again that were taken back, and behind them those of agents, up to where a person is asked.
    ///
    /// # Errors
    ///
    /// When nothing was taken back, or play has gone on otherwise since.
    pub fn redo(&mut self, times: usize) -> Result<Output, Problems> {
        if let Some(id) = self.history.forth {
            let mut reply = Output::default();
            let left = self.go_to(id, true, &mut reply)?;
            self.history.returns = left.map(|left| (left, "the game before is back".to_owned()));
            reply.add("the game that was taken back is on the table again");
            self.show_events(&mut reply);
            return Ok(reply);
        }
        let tip = self
            .history
            .present
            .play
            .take_if(|_| self.history.present.undone > 0);
        let Some(branch) = tip else {
            return Err(problems::nothing_to_redo().into());
        };
        let (given, undone) = (branch.given_count(), self.history.present.undone);
        let at = given.saturating_sub(undone);
        let made = made_by_hand(&self.play).len();
        let mut again = times.min(undone);
        let cost = loop {
            if let Err(problem) = self.play.go_to_branch(&branch, "") {
                self.history.present.play = Some(branch);
                return Err(problem.into());
            }
            let (_, cost) = self.play.undo(self.play.given_count().saturating_sub(at + again));
            self.settle();
            if at + again >= given || !self.passes_over() {
                break cost;
            }
            again += 1;
        };
        self.undone_to(Some(branch), given);
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
    pub(crate) fn back(&mut self, args: &Args<'_>) -> Result<Output, Problems> {
        let (event, name) = self.beginning(args)?;
        let since = self
            .play
            .given_count_since(event)
            .ok_or_else(|| problems::too_far_back(&name))?;
        if since == 0 {
            return Err(problems::unanswered_since(&name).into());
        }
        self.history.returns = None;
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

    /// Returns the other branches: the name of each, and where it differs from the present one.
    pub(crate) fn lines_kept(&mut self) -> Vec<(String, String)> {
        self.record();
        let history = &self.history;
        let here = history.answers_here();
        let branches = history.listed();
        branches
            .map(|branch| {
                let differs = history.divergence(branch, &here);
                (branch.name.clone(), format!("{}; {differs}", branch.summary.at))
            })
            .collect()
    }

    /// Returns the name of the present branch, the number of answers given on it, and of those that `:redo` can give.
    pub(crate) fn stretch(&self) -> (Option<&str>, usize, usize) {
        let present = &self.history.present;
        let name = Some(present.name.as_str()).filter(|name| !name.is_empty());
        (name, self.play.given_count(), present.undone)
    }

    /// Returns a table of all branches: where each differs from the present one, its length and its position.
    pub fn list_branches(&mut self) -> Report {
        self.record();
        let history = &self.history;
        let present = &history.present;
        let row = |name: String, branch: &Branch| {
            vec![
                name,
                history.answer_count(branch.cursor).to_string(),
                branch.summary.at.clone(),
                branch.summary.stands.clone(),
            ]
        };
        let name = match present.name.as_str() {
            "" => "* (this line)".to_owned(),
            name => format!("* {name}"),
        };
        let heads = ["  line", "answers", "at", "stands"];
        let mut rows = vec![heads.map(str::to_owned).to_vec(), row(name, present)];
        let mut details = vec![Vec::new(), Vec::new()];
        if history.is_undone() {
            let made = made_by_hand(&self.play).len();
            let all = history.edits(present.tip);
            let gone = all.get(made..).unwrap_or_default();
            let again = match (history.forth, present.undone) {
                (Some(_), _) => "",
                (None, 1) => "; `:redo` gives it again",
                (None, _) => "; `:redo` gives them again",
            };
            let back = deeds(present.undone, gone, self.is_secret());
            details[1].push(format!("{back} taken back{again}"));
        }
        if history.forth.is_some() {
            details[1].push("`:redo` puts the game that was taken back on the table again".to_owned());
        }
        let here = history.answers_here();
        for branch in history.listed() {
            rows.push(row(format!("  {}", branch.name), branch));
            let mut detail = vec![history.divergence(branch, &here)];
            if branch.undone > 0 {
                let back = counted(branch.undone, "answer");
                detail.push(format!("{back} taken back on it; `:redo` gives them again there"));
            }
            let options = self.options_of(branch);
            if options != self.play.ruleset().options && branch.file.game == self.set_up.file.game {
                let rules = self.rules.describe(&self.game(), &options);
                detail.push(format!("played {rules}"));
            }
            details.push(detail);
        }
        let width = self.face.style.width.min(80);
        let alone = rows.len() == 2;
        let mut page = Report::default();
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

    /// Returns the options that the last rules of a branch are loaded with.
    fn options_of(&self, branch: &Branch) -> LoadOptions {
        match &branch.play {
            Some(play) => play.options().clone(),
            None => last_options(&self.history.transcript(branch)),
        }
    }

    /// Names the present branch; without a name, tells it.
    ///
    /// # Errors
    ///
    /// A name that is no name, or that another branch has.
    pub(crate) fn name_branch(&mut self, name: &str) -> Result<Output, Problems> {
        if name.is_empty() {
            return Ok(Output::text(match self.history.present.name.as_str() {
                "" => "this line has no name yet; `:branch NAME` gives it one".to_owned(),
                name => format!("this line is `{name}`"),
            }));
        }
        self.history.give_name(name)?;
        Ok(Output::text(format!("this line is `{name}` now")))
    }

    /// Deletes a branch.
    ///
    /// # Errors
    ///
    /// No other branch has this name.
    pub(crate) fn forget_branch(&mut self, name: &str) -> Result<Output, Problems> {
        self.history.forget(name)?;
        Ok(Output::text(format!("`{name}` is forgotten")))
    }

    /// Goes to a line that is kept, by its name, or to the one that was left last; the present line
    /// is kept.
    ///
    /// # Errors
    ///
    /// A name that no line has; rules under which it cannot be played on. Everything stays then.
    pub fn switch(&mut self, name: &str) -> Result<Output, Problems> {
        let id = match (name, self.history.last()) {
            ("" | "-", Some(id)) => id,
            ("" | "-", None) => {
                return Err(problems::no_last_branch().into());
            }
            _ => self.history.by_name(name)?,
        };
        let mut reply = Output::default();
        let name = self.history.name_of(id);
        let left = self.go_to(id, false, &mut reply)?;
        let left = match left.and_then(|left| self.history.find(left)) {
            Some(left) => format!("; the line left is `{}`", left.name),
            None => String::new(),
        };
        reply
            .pieces
            .insert(0, OutputPiece::Text(format!("now on `{name}`{left}")));
        self.show_events(&mut reply);
        self.add_board(&mut reply);
        Ok(reply)
    }

    /// Makes another branch the present one. Returns the id of the one that was left, if that is kept; `untouched`
    /// keeps also one that nobody has played in. Of the play nothing is shown yet but what has changed in it.
    fn go_to(&mut self, id: u32, untouched: bool, reply: &mut Output) -> Result<Option<u32>, Problems> {
        let Some(mut target) = self.history.find(id).cloned() else {
            return Err(problems::unknown_name("branch", id).into());
        };
        let touched = self.history.is_touched(&self.play);
        self.leave_branch();
        let before = (self.game(), self.play.ruleset().options.clone());
        let mut change_cost = RulesChangeCost::default();
        if target.play.is_none() {
            let (mut play, file, notes) = self.play_again(&target)?;
            target.play = Some(play.branch());
            target.file = file;
            reply
                .pieces
                .extend(notes.into_iter().map(|note| self.noted(note)));
        }
        let Some(branch) = &target.play else {
            return Err(problems::unplayable_branch().into());
        };
        if branch.is_of(self.play.ruleset()) {
            self.play.go_to_branch(branch, "")?;
        } else {
            let rules = self.play.ruleset();
            let here = (&rules.rules.game, &rules.options) == (&branch.game().to_owned(), branch.options());
            if self.history.is_of_game(&target) || here && rules.fingerprint() == branch.fingerprint() {
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
        let undone = target.undone;
        self.set_up = SetupSource::of_line(target.file.clone(), target.opened.clone());
        let is_untouched = target.is_untouched;
        let left = self.history.switch(target, touched, untouched);
        if is_untouched {
            self.history.set_laid(&self.play);
        }
        self.keep_options();
        add_cost(reply, &change_cost);
        self.settle();
        self.history.present.undone = 0;
        self.record();
        if undone > 0 {
            self.take_back(undone);
        }
        // What was played on that line was told when it was; who sees it in secret is covered anew.
        self.shown.forget_untold(&self.play);
        self.shown.asked_faction = None;
        Ok(left)
    }

    /// Plays a branch again under the rules that it was played under.
    fn play_again(&self, branch: &Branch) -> Result<SetupResult, Problems> {
        let stored = self.journal.as_ref().map(|journal| &journal.rules);
        let transcript = self.history.transcript(branch);
        let (play, file, mut notes) =
            StoredRules::play(stored, &self.rules.workspace, &branch.file, transcript)?;
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
