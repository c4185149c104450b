//! Opening: the set-up of a session's table, its greeting, and its files.

use crate::commands::patch::note_on_scratch;
use crate::opening_files::{SetupSource, expect_also, find, lay};
use crate::output::{Output, OutputPiece};
use crate::play::Play;
use crate::problems;
use crate::render::Style;
use crate::report::{Problem, Problems, Source};
use crate::rulebook::Rulebook;
use crate::rules::workspace::Workspace;
use crate::scenario::file::ScenarioFile;
use crate::session::{Session, SessionState};
use crate::show::wrapped;
use crate::stage::record;
use crate::stage::run::{OpenedFile, Overrides};
use crate::transcript::Transcript;
use crate::watched_files::WatchedFiles;
use std::path::Path;

impl Session {
    /// A session with this game, scenario or transcript on the table; what the workspace opens with
    /// when nothing is asked for. Print [`Self::greeting`] first.
    ///
    /// # Errors
    ///
    /// What is wrong with the name, the file, or the rules.
    pub fn new(
        workspace: &Workspace,
        start: Option<&str>,
        overrides: Overrides,
        style: Style,
    ) -> Result<Self, Problems> {
        // First: what is saved while the rules are read is noticed.
        let files = WatchedFiles::of(workspace);
        let opened = find(workspace, start)?;
        let (play, file, notes) = lay(workspace, &opened, &overrides)?;
        let setup = SetupSource {
            file,
            opened,
            overrides,
        };
        let mut session = Self::at(workspace, files, play, setup, style);
        session.shown.notes = notes;
        Ok(session)
    }

    /// Returns the greeting: the game on the table, the board and the first question.
    pub fn greeting(&mut self) -> Output {
        let table = format!("rulebench - {}.", self.on_the_table());
        let table = wrapped(&table, self.face.style.width);
        let mut helps = vec![":help"];
        helps.extend(self.has_tour().then_some(":tour"));
        if self.face.completes {
            helps.push("Tab completes");
        }
        let helps = helps.join("  ");
        let last = table.lines().last().unwrap_or_default().chars().count();
        let fits = last + helps.len() < self.face.style.width;
        let mut welcome = format!("{table}{}{helps}", if fits { " " } else { "\n" });
        // Whoever opened a game has begun one.
        if !self.set_up.name().is_empty() {
            let games = self.rules.workspace.games();
            let each: Vec<String> = games.iter().map(|g| format!("`:new {g}`")).collect();
            let all = format!("to begin a whole game: {}", each.join(" or "));
            // A line, whatever there is: the board below needs the others.
            let text = match each.first() {
                Some(one) if all.chars().count() > self.face.style.width => {
                    format!(
                        "to begin a whole game: {one}, or another of {} games",
                        games.len()
                    )
                }
                _ => all,
            };
            welcome.push_str(&format!("\n{}", wrapped(&text, self.face.style.width)));
        }
        let mut introduction = Output::default();
        self.introduce(&mut introduction);
        let mut reply = Output::text(welcome);
        let lines = |reply: &Output| reply.print().lines().count();
        // The welcome and the board are to be seen together: the record can be asked for.
        let high = self
            .face
            .rows
            .is_some_and(|rows| lines(&reply) + lines(&introduction) >= rows);
        let board = OutputPiece::Report(self.board_at_a_glance().0);
        let board = introduction.pieces.iter().position(|piece| *piece == board);
        if let Some(board) = board.filter(|board| high && *board > 0 && !introduction.failed()) {
            let record = self.rows().len();
            reply.add(format!(
                "{record} lines of play so far; `:events {record}` shows them"
            ));
            introduction.pieces.drain(..board);
        }
        reply.pieces.extend(introduction.pieces);
        reply
    }

    /// Returns the game or scenario on the table, in a few words.
    fn on_the_table(&self) -> String {
        let mut text = title_of(&self.rules.workspace, &self.set_up.file.game.value);
        text.push_str(" on the table");
        if let Some(title) = &self.set_up.file.title {
            text.push_str(": ");
            text.push_str(title.value.trim_end_matches('.'));
        }
        // The usual one is worth no word.
        if self.set_up.file.seed != ScenarioFile::new("").seed {
            text.push_str(&format!(", seed {}", self.set_up.file.seed));
        }
        text
    }

    pub(crate) fn introduce(&mut self, reply: &mut Output) {
        self.settle();
        self.show_events(reply);
        self.add_board(reply);
        // Below the board, where they are still on the screen.
        let asks = !matches!(self.state, SessionState::Failed { .. });
        let at = reply.pieces.len().saturating_sub(usize::from(asks));
        let notes = std::mem::take(&mut self.shown.notes).into_iter();
        let notes: Vec<OutputPiece> = notes.map(|note| self.noted(note)).collect();
        reply.pieces.splice(at..at, notes);
    }

    /// Puts another game, scenario or transcript on the table. The present one stays when that
    /// cannot be done.
    ///
    /// # Errors
    ///
    /// What is wrong with the file or the rules.
    fn put_on(
        &mut self,
        opened: OpenedFile,
        overrides: Overrides,
        mut reply: Output,
    ) -> Result<Output, Problems> {
        let (play, file, notes) = lay(&self.rules.workspace, &opened, &overrides)?;
        let patched =
            self.play.ruleset().options.scratch.is_some() && play.ruleset().options.scratch.is_none();
        if patched {
            reply.add("what was patched stays with the game that was on the table; `:undo` brings both back");
        }
        let set_up = SetupSource {
            file,
            opened,
            overrides,
        };
        Ok(self.put((play, set_up), notes, reply))
    }

    /// Puts another play on the table, with the source of its set-up.
    pub(crate) fn put(
        &mut self,
        (play, set_up): (Play, SetupSource),
        notes: Vec<(bool, Problem)>,
        mut reply: Output,
    ) -> Output {
        // Whoever opens another game by mistake has lost nothing.
        self.replace(play, "the game that was on the table is back");
        self.set_up = set_up;
        self.keep_options();
        self.rules.before = None;
        self.shown.begin_again();
        self.shown.notes = notes;
        reply.add(self.on_the_table());
        self.plays.going = true;
        self.introduce(&mut reply);
        reply
    }

    /// Opens a game by name, or a scenario or transcript by name or path.
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
    pub fn open(&mut self, name: &str) -> Result<Output, Problems> {
        let opened = find(&self.rules.workspace, Some(name))?;
        self.put_on(opened, Overrides::default(), Output::default())
    }

    /// Begins a game from its beginning, or with an empty board that waits for [`Self::start`].
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
    pub fn begin(&mut self, game: &str, empty: bool) -> Result<Output, Problems> {
        self.rules.workspace.check_game(game)?;
        let file = ScenarioFile {
            empty,
            ..ScenarioFile::new(game)
        };
        self.put_on(file.into(), Overrides::default(), Output::default())
    }

    /// Begins the game from the position that was laid on an empty board.
    ///
    /// # Errors
    ///
    /// The game has begun, no unit stands on the board, or the rules do not let the game start so.
    pub fn start(&mut self) -> Result<Output, Problems> {
        if self.state != SessionState::Lays {
            return Err(problems::game_begun().into());
        }
        let file = self.set_up.scenario_under(&self.play.ruleset().options);
        let (file, _) = record::of_position(&self.play, &file);
        if file.position.units.is_empty() {
            return Err(problems::no_unit_laid().into());
        }
        let file = ScenarioFile { empty: false, ..file };
        self.put_on(file.into(), Overrides::default(), Output::default())
    }

    /// Begins again from the scenario's start; a transcript without its stored answers.
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
    pub fn restart(&mut self) -> Result<Output, Problems> {
        self.again(self.set_up.overrides.clone(), Output::default())
    }

    /// Begins again with what is expected by hand.
    fn again(&mut self, overrides: Overrides, reply: Output) -> Result<Output, Problems> {
        let expected = self.set_up.file.expect.clone();
        let reply = self.put_on(self.set_up.opened.file.clone().into(), overrides, reply)?;
        expect_also(&mut self.set_up.file, expected);
        Ok(reply)
    }

    /// Takes another seed and begins again from the scenario's start.
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
    pub fn reseed(&mut self, seed: u64) -> Result<Output, Problems> {
        let overrides = Overrides {
            seed: Some(seed),
            ..self.set_up.overrides.clone()
        };
        let message = format!("the seed is {seed} now; the game begins again from its start");
        self.again(overrides, Output::text(message))
    }

    /// Writes the play so far as a transcript.
    ///
    /// # Errors
    ///
    /// A place that cannot be written, or a file there that is no transcript.
    pub fn save(&self, name: &str) -> Result<Output, Problems> {
        let path = Path::new(name);
        if path.is_file() && !Source::read(path).is_ok_and(|s| Transcript::is_one(&s.text)) {
            return Err(problems::not_a_transcript(name).into());
        }
        crate::files::write_named(name, self.transcript().print())?;
        let mut reply = Output::text(format!("saved to {name}"));
        if let Some(note) = note_on_scratch(&self.play) {
            reply.note(&note, self.face.style.width);
        }
        Ok(reply)
    }
}

/// Returns the title of a game: that of its rulebook, or its name.
pub fn title_of(workspace: &Workspace, game: &str) -> String {
    match Rulebook::read(workspace, game) {
        Ok((book, _)) => book.rulebook.title,
        Err(_) => {
            let mut name = game.chars();
            let first = name.next().into_iter().flat_map(char::to_uppercase);
            first.chain(name.as_str().chars()).collect()
        }
    }
}
