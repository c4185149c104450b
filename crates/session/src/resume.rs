//! A session written to its journal as it is played, and gone on with when it was left or cut off.

use crate::change_text::{add_cost, made_by_hand};
use crate::files::hold;
use crate::history::log::StoredSession;
use crate::history::{Branch, History};
use crate::journal::{FoundSession, Journal, Journals, LOCK, StoredRules};
use crate::lines::counted;
use crate::opening_files::SetupSource;
use crate::output::{Output, OutputPiece};
use crate::players::Players;
use crate::problems;
use crate::render::Style;
use crate::report::{Problem, Problems};
use crate::rules::register::Register;
use crate::rules::workspace::Workspace;
use crate::session::Session;
use crate::watched_files::WatchedFiles;
use std::path::Path;

impl Session {
    /// Keeps the session on disk from now on. The greeting tells of one before that was cut off, once: a session in
    /// which nothing is played leaves nothing on disk, and the one that was cut off is not the one before it any more.
    pub fn keep_journal(&mut self, journals: &Journals) {
        if let Some(last) = journals
            .abandoned()
            .first()
            .filter(|last| !last.left && !last.reported)
        {
            let note = problems::interrupted_session(&journals.resumed_by());
            self.shown.notes.push((false, note));
            last.set_told();
        }
        self.journal = Some(journals.begin());
    }

    /// Writes what has changed to disk. That this cannot be done is told once; play goes on.
    pub(crate) fn write_journal(&mut self, reply: &mut Output) {
        let Some(journal) = &self.journal else { return };
        let has_others = self.history.listed().next().is_some();
        if journal.folder.is_none() && !has_others && !self.history.is_touched(&self.play) {
            return;
        }
        let written = self.write_now(false);
        if let Some(journal) = &mut self.journal {
            let notes = std::mem::take(&mut journal.notes);
            reply
                .pieces
                .splice(0..0, notes.into_iter().map(OutputPiece::Text));
        }
        if let Err(error) = written
            && let Some(journal) = &mut self.journal
            && !std::mem::replace(&mut journal.told, true)
        {
            reply.pieces.insert(
                0,
                OutputPiece::Text(format!(
                    "note: the session cannot be kept on disk ({error}); `:save` writes the game elsewhere"
                )),
            );
        }
    }

    fn write_now(&mut self, closed: bool) -> std::io::Result<()> {
        let Some(mut journal) = self.journal.take() else {
            return Ok(());
        };
        self.record();
        let session = StoredSession {
            alone: self.plays.alone,
            agents: self.plays.journal_form(),
            forth: self.history.forth,
        };
        // Of variants that are off the names count: others may say that they do not get along with them.
        let beside = || {
            let game = &self.play.ruleset().rules.game;
            let workspace = &self.rules.workspace;
            let path = Register::path(game);
            let register = workspace.read(&path).map(|source| (path, source.text.clone()));
            let variants = workspace.list(&format!("scripts/{game}/variants"), ".rhai");
            let names = variants.into_iter().map(|path| (path, String::new()));
            names.chain(register.ok()).collect()
        };
        let written = journal.write(&self.history, session, &self.play, beside, closed);
        self.journal = Some(journal);
        written
    }

    /// The session is left on purpose: what to say last.
    pub fn close(&mut self) -> Option<String> {
        let journal = self.journal.as_ref()?;
        journal.folder.as_ref()?;
        let command = journal.journals.resumed_by();
        // A disk that is full was told of before.
        self.write_now(true).ok()?;
        Some(format!("the session is kept: `{command}` goes on with it"))
    }

    /// Goes on with a session that was kept on disk, the latest for 1, and keeps it on.
    ///
    /// # Errors
    ///
    /// That there is none; what is wrong with it, when nothing of it can be read.
    pub fn resume(
        workspace: &Workspace,
        journals: &Journals,
        nth: usize,
        style: Style,
    ) -> Result<Self, Problems> {
        let found = journals.abandoned();
        let Some(FoundSession { folder, .. }) = nth.checked_sub(1).and_then(|i| found.get(i)) else {
            let help = format!("{} sessions are here that are not open elsewhere", found.len());
            return Err(problems::unknown_name("session", nth).hint(help).into());
        };
        let mut journal = journals.begin();
        if let Ok(held) = hold(&folder.join(LOCK)) {
            let lock = held.ok_or_else(problems::session_elsewhere)?;
            journal.lock = Some(lock);
        }
        Journals::forget_told(folder);
        Self::of_folder(workspace, folder, journal, style)
    }

    fn of_folder(
        workspace: &Workspace,
        folder: &Path,
        mut journal: Journal,
        style: Style,
    ) -> Result<Self, Problems> {
        let files = WatchedFiles::of(workspace);
        let mut notes: Vec<(bool, Problem)> = Vec::new();
        let (mut history, stored) = journal.open(folder, workspace, &mut notes)?;
        let play = |history: &History, branch: &Branch| {
            let transcript = history.transcript(branch);
            StoredRules::play(Some(&journal.rules), workspace, &branch.file, transcript)
        };
        let (play, file, play_notes) = match play(&history, &history.present) {
            Ok(played) => played,
            Err(problems) => {
                // The present branch cannot be played: the one left last that can takes its place.
                let others = history.listed().cloned().collect::<Vec<_>>().into_iter().rev();
                let last = others
                    .filter_map(|branch| Some((play(&history, &branch).ok()?, branch)))
                    .next();
                let Some((played, branch)) = last else {
                    return Err(problems);
                };
                notes.extend(problems.0.into_iter().take(1).map(|p| (true, p)));
                history.switch(branch, false, false);
                played
            }
        };
        let present = history.present.clone();
        let mut setup = SetupSource::of_line(file, present.opened.clone());
        setup.file.expect.clone_from(&present.file.expect);
        let cut_short = play_notes.iter().any(|(wrong, _)| *wrong);
        notes.extend(play_notes.into_iter().filter(|(wrong, _)| *wrong));
        let others = history.listed().count();
        let mut session = Self::at(workspace, files, play, setup, style);
        session.journal = Some(journal);
        session.history = history;
        session.history.forth = stored.forth;
        session.history.set_played();
        session.settle();
        if cut_short {
            // What was told on is not lost, though it cannot be played.
            session.history.keep_as_it_was(present.clone());
        }
        session.history.present.undone = 0;
        session.record();
        if present.undone > 0 && !cut_short {
            session.take_back(present.undone);
            session.history.forth = stored.forth;
        }
        let made = made_by_hand(&session.play).len();
        let mut parts = vec![counted(session.play.given_count().saturating_sub(made), "answer")];
        if made > 0 {
            parts.push(format!("{} by hand", counted(made, "change")));
        }
        if others > 0 {
            parts.push(match others {
                1 => "1 other line is kept".to_owned(),
                n => format!("{n} other lines are kept"),
            });
        }
        notes.push((false, problems::resumed_session(parts.join(", "))));
        session.take_rules_of_today(&mut notes);
        session.settle();
        session.shown.forget_untold(&session.play);
        session.shown.asked_faction = None;
        session.plays = Players::of(&stored.agents);
        session.plays.alone = stored.alone;
        session.shown.notes.extend(notes);
        Ok(session)
    }

    /// Files may have been saved since the session was left: they are taken over as if it had been open.
    fn take_rules_of_today(&mut self, notes: &mut Vec<(bool, Problem)>) {
        let loaded = self.load(&self.play.ruleset().options);
        let taken = loaded.and_then(|ruleset| {
            if ruleset.fingerprint() == self.play.ruleset().fingerprint() {
                return Ok(None);
            }
            Ok(Some(self.change_rules(ruleset, "reloaded what was saved since")?))
        });
        match taken {
            Ok(None) => {}
            Ok(Some(cost)) => {
                let mut reply = Output::text("rules that were saved since are reloaded; board kept");
                add_cost(&mut reply, &cost);
                self.settle();
                self.follow(&mut reply);
                for piece in reply.pieces {
                    notes.push((false, problems::resumed_with(piece.text().into_owned())));
                }
            }
            Err(problems) => {
                notes.extend(problems.0.into_iter().map(|p| (true, p)));
                notes.push((false, problems::rules_of_session()));
            }
        }
    }
}
