//! A session written to its journal as it is played, and resumed when it was left or cut off.

use crate::change_text::{add_cost, made_by_hand};
use crate::history::log::StoredSession;
use crate::history::{Branch, History};
use crate::journal::{Journal, JournalSink, Journals, Store, StoredRules};
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
        self.journal = Some(Journal::new(Store::Folder(journals.begin())));
    }

    /// Writes the journal of the session to this sink from now on. The sink has all of it after the next line.
    pub fn record_into(&mut self, sink: JournalSink) {
        self.journal = Some(Journal::new(Store::Sink(sink)));
    }

    /// Writes to the journal what has changed. That this cannot be done is told once; play goes on.
    pub(crate) fn write_journal(&mut self, reply: &mut Output) {
        let Some(journal) = &self.journal else { return };
        let has_others = self.history.listed().next().is_some();
        if journal.store.waits_for_play() && !has_others && !self.history.is_touched(&self.play) {
            return;
        }
        let notes = self.write_now(false).unwrap_or_else(|error| {
            let was_told = self
                .journal
                .as_mut()
                .map(|j| std::mem::replace(&mut j.told, true));
            let note = format!(
                "note: the session cannot be kept on disk ({error}); `:save` writes the game elsewhere"
            );
            Vec::from_iter((was_told == Some(false)).then_some(note))
        });
        let notes = notes.into_iter().map(OutputPiece::Text);
        reply.pieces.splice(0..0, notes);
    }

    fn write_now(&mut self, closed: bool) -> std::io::Result<Vec<String>> {
        let Some(mut journal) = self.journal.take() else {
            return Ok(Vec::new());
        };
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

    /// Closes the session on purpose. Returns the command that resumes it, in a sentence, if a command does.
    pub fn close(&mut self) -> Option<String> {
        let store = &self.journal.as_ref()?.store;
        if store.waits_for_play() {
            return None;
        }
        let command = store.resumed_by();
        self.record();
        // A disk that is full was told of before.
        self.write_now(true).ok()?;
        Some(format!("the session is kept: `{}` goes on with it", command?))
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
        let Some(session) = nth.checked_sub(1).and_then(|i| found.get(i)) else {
            let help = format!("{} sessions are here that are not open elsewhere", found.len());
            return Err(problems::unknown_name("session", nth).hint(help).into());
        };
        let folder = journals.reopen(session)?;
        let text = folder.read()?;
        Self::of_journal(workspace, Store::Folder(folder), &text, style)
    }

    /// Resumes a session from the text of its journal, which was written to a [`JournalSink`], and writes to this sink
    /// from now on.
    ///
    /// # Errors
    ///
    /// Nothing in the text can be read.
    pub fn of_records(
        workspace: &Workspace,
        text: &str,
        sink: JournalSink,
        style: Style,
    ) -> Result<Self, Problems> {
        Self::of_journal(workspace, Store::Sink(sink), text.as_bytes(), style)
    }

    fn of_journal(workspace: &Workspace, store: Store, text: &[u8], style: Style) -> Result<Self, Problems> {
        let files = WatchedFiles::of(workspace);
        let mut notes: Vec<(bool, Problem)> = Vec::new();
        let (journal, mut history, stored) = Journal::open(store, text, workspace, &mut notes)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::JournalText;
    use crate::stage::run::Overrides;
    use std::path::Path;

    /// A journal and files as the host of a page stores them.
    #[derive(Default)]
    struct Stored {
        journal: String,
        files: Vec<(String, String)>,
    }

    impl Stored {
        /// The rules of a game.
        fn of(game: &str) -> Self {
            let root = Workspace::at(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
            let files = root.files_of(game).into_iter().filter_map(|path| {
                let text = root.read(&path).ok()?.text.clone();
                Some((path, text))
            });
            Self {
                journal: String::new(),
                files: files.collect(),
            }
        }

        fn workspace(&self) -> Workspace {
            Workspace::of_texts(self.files.clone())
        }

        /// Takes what was written, as a host does after each request.
        fn take(&mut self, sink: &JournalSink) {
            let JournalText { whole, text } = std::mem::take(&mut *sink.lock().expect("no panic"));
            if whole {
                self.journal.clear();
            }
            self.journal.push_str(&text);
        }

        fn resumed(&self, journal: &str) -> (Session, JournalSink) {
            let sink = JournalSink::default();
            let session = Session::of_records(&self.workspace(), journal, sink.clone(), Style::default());
            (session.unwrap_or_else(|p| panic!("{}", p.page(false))), sink)
        }
    }

    /// Returns what must be the same in a session that was resumed.
    fn story(session: &Session) -> impl PartialEq + std::fmt::Debug + use<> {
        let mut branches = session.history.names();
        branches.sort();
        (
            session.transcript().print(),
            branches,
            session.plays.journal_form(),
            session.plays.alone,
            session.prompt().0,
            session.board().text(),
        )
    }

    #[test]
    fn a_session_without_a_disk_is_resumed_after_each_line() {
        let mut stored = Stored::of("smalltricks");
        let workspace = stored.workspace();
        let (overrides, style) = (Overrides::default(), Style::default());
        let mut session =
            Session::new(&workspace, Some("smalltricks"), overrides, style).unwrap_or_else(|p| panic!("{p}"));
        let sink = JournalSink::default();
        session.record_into(sink.clone());
        session.greeting();
        let mounted = "units/smalltricks/mounted.rhai";
        let text = workspace.read(mounted).expect("it is there").text.clone();
        let mut before: Option<(String, _)> = None;
        for line in [
            // Nothing is played yet: rules and players are kept as well.
            ":plays blue random",
            ":with fire-unmoved",
            "1",
            "1",
            ":undo 1",
            "2",
            ":branch other",
            "1",
            ":plays red random",
            "(an agent)",
            ":plays red me",
            ":set faction_size=3",
            "(a script)",
            ":undo 2",
            ":redo 1",
            "2",
            ":switch",
            ":alone on",
            ":without fire-unmoved",
            ":new smalltricks",
        ] {
            match line {
                "(an agent)" => assert!(session.machine_answers().is_some()),
                "(a script)" => {
                    let text = text.replace("charge: 2", "charge: 4");
                    workspace.write(mounted, &text).expect("written");
                    stored.files.retain(|(path, _)| path != mounted);
                    stored.files.push((mounted.to_owned(), text));
                    let reply = session.look_for_changes().expect("it is noticed");
                    assert!(!reply.failed(), "{}", reply.print());
                }
                line => {
                    let reply = session.line(line);
                    assert!(!reply.failed(), "{line}: {}", reply.print());
                }
            }
            let written = sink.lock().expect("no panic").clone();
            assert_eq!(written.whole, before.is_none(), "{line}");
            stored.take(&sink);
            let (again, other) = stored.resumed(&stored.journal);
            assert_eq!(story(&again), story(&session), "{line}");
            assert_eq!(*other.lock().expect("no panic"), JournalText::default());
            // Cut off in the middle of its first new record: the session is as it was before the line.
            if let Some((journal, was)) = &before
                && !written.text.is_empty()
            {
                let cut = &written.text.as_bytes()[..written.text.find('\n').unwrap_or_default() / 2];
                let cut = format!("{journal}{}", String::from_utf8_lossy(cut));
                let (mut again, sink) = stored.resumed(&cut);
                // A file that was written meanwhile is taken over.
                assert!(line == "(a script)" || story(&again) == *was, "before {line}");
                again.line(":undo 1");
                let mut anew = Stored {
                    journal: cut,
                    files: stored.files.clone(),
                };
                assert!(sink.lock().expect("no panic").whole);
                anew.take(&sink);
                assert_eq!(story(&anew.resumed(&anew.journal).0), story(&again), "{line}");
            }
            before = Some((stored.journal.clone(), story(&session)));
        }
        // No command resumes it, so none is named.
        assert_eq!(session.close(), None);
        stored.take(&sink);
        assert!(stored.journal.ends_with("\"closed\"\n"));
        assert_eq!(story(&stored.resumed(&stored.journal).0), story(&session));
    }

    #[test]
    fn a_text_that_is_no_journal_is_refused() {
        let workspace = Stored::of("smalltricks").workspace();
        for text in ["", "odd\n", "{\"forget\":1}\n"] {
            let session = Session::of_records(&workspace, text, JournalSink::default(), Style::default());
            let problems = session.err().expect("nothing can be read").0;
            assert_eq!(problems[0].id(), "damaged-session", "{text}");
        }
    }
}
