//! The session: takes a line, returns what to print. It holds the play with its trail and what has
//! been told of it so far; it knows no terminal and reads no keys.

use super::branches::Branches;
use super::commands;
use super::compare::Before;
use super::journal::Journal;
use super::plays::Plays;
use super::show::numbered;
use super::walk::{Debugging, Then};
use super::watch::Files;
use crate::coverage::Rulebook;
use crate::kernel::ids::{FactionId, MAX_FACTIONS};
use crate::kernel::region;
use crate::kernel::table::{Reply, is_number};
use crate::page::Desk;
use crate::page::server::Ask;
use crate::pages::lines::counted;
use crate::play::{Play, Progress};
use crate::progress;
use crate::render::Style;
use crate::report::{Problem, Problems, Source, did_you_mean};
use crate::scenario::answers;
use crate::scenario::file::{ScenarioFile, Spanned};
use crate::scenario::run::{self, Opened, Overrides, Ran, Stopped};
use crate::script::workspace::Workspace;
use crate::suite;
use crate::transcript::{Line, Transcript};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The longest line that is read, in bytes.
pub const MAX_LINE: usize = 65_536;

/// The first answer of one person who plays all sides.
const BOTH: &str = "both";

/// One thing to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Text of one or more lines.
    Text(String),
    /// A line that could not be used, or rules that failed: the page.
    Error(String),
    /// Another faction is asked in secret: what stands above must not be seen any more.
    Cover(String),
}

/// What a line brought about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Output {
    /// What to print, in order.
    pub pieces: Vec<Piece>,
    /// Whether the session is over.
    pub quit: bool,
    /// The same as values, where a page draws what a terminal can only tell: marks on the board, odds, two
    /// boards side by side.
    pub drawn: Option<serde_json::Value>,
}

impl Output {
    /// A reply of one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            pieces: vec![Piece::Text(text.into())],
            ..Self::default()
        }
    }

    /// All of it, as plain lines.
    pub fn print(&self) -> String {
        let texts: Vec<&str> = self
            .pieces
            .iter()
            .map(|p| match p {
                Piece::Text(text) | Piece::Error(text) | Piece::Cover(text) => text.as_str(),
            })
            .collect();
        texts.join("\n")
    }

    /// Whether something in it went wrong.
    pub fn failed(&self) -> bool {
        self.pieces.iter().any(|p| matches!(p, Piece::Error(_)))
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.pieces.push(Piece::Text(text.into()));
    }
}

/// What the play waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    /// The answer to a question.
    Asks,
    /// Nothing: the last phase has ended.
    Over,
    /// Other rules, or fewer answers: the step fails. The page is printed once.
    Failed { problem: Box<Problem>, told: bool },
}

/// What has been printed of the record.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ToldSoFar {
    /// Events that everybody has been told.
    pub(super) all: usize,
    /// Where the open hidden phase began.
    pub(super) hidden_from: Option<usize>,
    /// Events of the hidden phase that each faction has been told.
    pub(super) each: [usize; MAX_FACTIONS],
    /// Who was asked last in it.
    pub(super) asked: Option<FactionId>,
}

/// A person at a play. See the module's comment.
pub struct Session {
    /// Where games and scenarios are found.
    pub workspace: Workspace,
    /// The play, with its trail.
    pub play: Play,
    /// The scenario of the play as its first chapter began, with what the command line has changed in it.
    pub file: ScenarioFile,
    /// How boards are drawn, and whether there is colour.
    pub style: Style,
    /// How wide the terminal is; boards may use all of it. `None` without one.
    pub columns: Option<usize>,
    /// How many lines it has. Boards that would not fit are drawn lower; without one all fit.
    pub rows: Option<usize>,
    /// Whether the front end completes words.
    pub completes: bool,
    /// Raised from outside to stop a long `:auto`.
    pub stop: Arc<AtomicBool>,
    pub(super) opened: Opened,
    pub(super) overrides: Overrides,
    pub(crate) state: State,
    /// The files of the workspace as the session knows them.
    pub(super) files: Files,
    /// The lines of play that are kept besides the one on the table.
    pub(super) branches: Branches,
    /// Where the session is kept as it is played.
    pub(super) journal: Option<Journal>,
    pub(super) told: ToldSoFar,
    /// The next stop of the tour, while one is under way.
    pub(super) tour: Option<usize>,
    /// Break points, and where the game is stopped within a step.
    pub(super) debug: Debugging,
    /// One person plays all sides: nothing is covered.
    pub(super) alone: bool,
    /// Sides that agents play.
    pub(crate) plays: Plays,
    /// Pages in the browser that show the table, and how what they ask comes to the session; neither where the
    /// front end has no ear for it.
    pub(crate) desk: Option<Desk>,
    pub(crate) ear: Option<Ask>,
    /// Boards are shown only when they are asked for.
    pub(super) quiet: bool,
    /// The board as it was last shown.
    pub(super) shown: Option<super::show::Layout>,
    /// The rules before the last change of them.
    pub(super) before: Option<Before>,
    /// The game's register of tweaks, as the rules in force were loaded with it.
    pub(super) register: Option<String>,
    /// What went wrong when the file was played: whether that needs care, and what.
    notes: Vec<(bool, Problem)>,
}

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
        let files = Files::of(workspace);
        let opened = find(workspace, start)?;
        let (play, file, notes) = lay(workspace, &opened, &overrides)?;
        Ok(Self::at(
            workspace,
            files,
            opened,
            overrides,
            (play, file, notes),
            style,
        ))
    }

    /// A session with this play on the table.
    pub(super) fn at(
        workspace: &Workspace,
        files: Files,
        opened: Opened,
        overrides: Overrides,
        (play, file, notes): Lain,
        style: Style,
    ) -> Self {
        let mut session = Self {
            files,
            branches: Branches::new(&play),
            journal: None,
            workspace: workspace.clone(),
            play,
            file,
            style,
            columns: None,
            rows: None,
            completes: false,
            stop: Arc::default(),
            opened,
            overrides,
            state: State::Over,
            told: ToldSoFar::default(),
            tour: None,
            debug: Debugging::default(),
            alone: false,
            plays: Plays::default(),
            desk: None,
            ear: None,
            quiet: false,
            shown: None,
            before: None,
            register: None,
            notes,
        };
        session.keep_options();
        session.shown = Some(session.layout());
        session
    }

    /// Adds to what the greeting says: whether each needs care, and what it is.
    pub(super) fn add_notes(&mut self, notes: Vec<(bool, Problem)>) {
        self.notes.extend(notes);
    }

    /// What is on the table, the board and the first question.
    pub fn greeting(&mut self) -> Output {
        let table = format!("rulebench - {}.", self.on_the_table());
        let table = super::show::wrapped(&table, self.style.width);
        let helps = commands::names().filter(|n| *n == "help" || *n == "tour" && self.has_tour());
        let mut helps: Vec<String> = helps.map(|n| format!(":{n}")).collect();
        if self.completes {
            helps.push("Tab completes".to_owned());
        }
        let helps = helps.join("  ");
        let last = table.lines().last().unwrap_or_default().chars().count();
        let fits = last + helps.len() < self.style.width;
        let mut welcome = format!("{table}{}{helps}", if fits { " " } else { "\n" });
        // Whoever opened a game has begun one.
        if !self.opened.file.source.text.is_empty() {
            let games = self.workspace.games();
            let each: Vec<String> = games.iter().map(|g| format!("`:new {g}`")).collect();
            let all = format!("to begin a whole game: {}", each.join(" or "));
            // A line, whatever there is: the board below needs the others.
            let text = match each.first() {
                Some(one) if all.chars().count() > self.style.width => {
                    format!(
                        "to begin a whole game: {one}, or another of {} games",
                        games.len()
                    )
                }
                _ => all,
            };
            welcome.push_str(&format!("\n{}", super::show::wrapped(&text, self.style.width)));
        }
        let mut told = Output::default();
        self.introduce(&mut told);
        let mut reply = Output::text(welcome);
        let lines = |reply: &Output| reply.print().lines().count();
        // The welcome and the board are to be seen together: the record can be asked for.
        let high = self.rows.is_some_and(|rows| lines(&reply) + lines(&told) >= rows);
        let board = Piece::Text(self.board());
        let board = told.pieces.iter().position(|piece| *piece == board);
        if let Some(board) = board.filter(|board| high && *board > 0 && !told.failed()) {
            let record: usize = self.events(usize::MAX).lines().count();
            reply.say(format!(
                "{record} lines of play so far; `:events {record}` shows them"
            ));
            told.pieces.drain(..board);
        }
        reply.pieces.extend(told.pieces);
        reply
    }

    /// What is on the table, in a few words.
    fn on_the_table(&self) -> String {
        let book = Rulebook::read(&self.workspace, &self.file.game.value);
        let mut text = match book {
            Ok((book, _)) => book.rulebook.title,
            Err(_) => {
                let mut name = self.file.game.value.chars();
                let first = name.next().into_iter().flat_map(char::to_uppercase);
                first.chain(name.as_str().chars()).collect()
            }
        };
        text.push_str(" on the table");
        if let Some(title) = &self.file.title {
            text.push_str(": ");
            text.push_str(title.value.trim_end_matches('.'));
        }
        // The usual one is worth no word.
        if self.file.seed != ScenarioFile::new("").seed {
            text.push_str(&format!(", seed {}", self.file.seed));
        }
        text
    }

    pub(super) fn introduce(&mut self, reply: &mut Output) {
        self.settle();
        self.tell(reply);
        self.add_board(reply);
        // Below the board, where they are still on the screen.
        let asks = !matches!(self.state, State::Failed { .. });
        let at = reply.pieces.len() - usize::from(asks);
        let notes = std::mem::take(&mut self.notes).into_iter();
        let notes = notes.map(|(wrong, problem)| match wrong {
            true => Piece::Error(problem.page(self.style.colour)),
            false => Piece::Text(format!("note: {}", problem.message)),
        });
        let notes: Vec<Piece> = notes.collect();
        reply.pieces.splice(at..at, notes);
    }

    /// Puts another game, scenario or transcript on the table. The present one stays when that
    /// cannot be done.
    ///
    /// # Errors
    ///
    /// What is wrong with the file or the rules.
    fn put_on(&mut self, opened: Opened, overrides: Overrides, reply: &mut Output) -> Result<(), Problems> {
        self.unstop();
        let (play, file, notes) = lay(&self.workspace, &opened, &overrides)?;
        let patched = self.play.host.options.scratch.is_some() && play.host.options.scratch.is_none();
        if patched {
            reply.say("what was patched stays with the game that was on the table; `:undo` brings both back");
        }
        // Whoever opens another game by mistake has lost nothing.
        self.replace(play, "the game that was on the table is back");
        self.file = file;
        self.opened = opened;
        self.overrides = overrides;
        self.keep_options();
        self.before = None;
        self.told = ToldSoFar::default();
        self.notes = notes;
        reply.say(self.on_the_table());
        self.plays.going = true;
        self.introduce(reply);
        Ok(())
    }

    /// Opens a game by name, or a scenario or transcript by name or path.
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
    pub fn open(&mut self, name: &str) -> Result<Output, Problems> {
        let opened = find(&self.workspace, Some(name))?;
        let mut reply = Output::default();
        self.put_on(opened, Overrides::default(), &mut reply)?;
        Ok(reply)
    }

    /// Begins a game from its beginning.
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
    pub fn begin(&mut self, game: &str) -> Result<Output, Problems> {
        self.workspace.check_game(game)?;
        let opened = Opened {
            file: ScenarioFile::new(game),
            lines: None,
        };
        let mut reply = Output::default();
        self.put_on(opened, Overrides::default(), &mut reply)?;
        Ok(reply)
    }

    /// Begins again from the scenario's start; a transcript without its stored answers.
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
    pub fn restart(&mut self) -> Result<Output, Problems> {
        let opened = Opened {
            file: self.opened.file.clone(),
            lines: None,
        };
        let mut reply = Output::default();
        self.put_on(opened, self.overrides.clone(), &mut reply)?;
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
            ..self.overrides.clone()
        };
        let opened = Opened {
            file: self.opened.file.clone(),
            lines: None,
        };
        let mut reply = Output::text(format!(
            "the seed is {seed} now; the game begins again from its start"
        ));
        self.put_on(opened, overrides, &mut reply)?;
        Ok(reply)
    }

    /// The prompt, and the faction in whose colour it is.
    pub fn prompt(&self) -> (String, Option<FactionId>) {
        if self.is_stopped() {
            return ("debug> ".to_owned(), None);
        }
        match &self.state {
            State::Over => ("done> ".to_owned(), None),
            State::Failed { .. } => ("error> ".to_owned(), None),
            State::Asks => {
                let asker = self.play.asked(|a| a.request.asker);
                let name = asker.map_or("", |f| self.play.host.rules.factions[f.index()].as_str());
                (format!("{name}> "), asker)
            }
        }
    }

    /// Whether somebody can type lines here, besides what pages send.
    pub(crate) fn has_prompt(&self) -> bool {
        self.completes
    }

    /// Boards are not printed from now on but when they are asked for.
    pub fn quiet(&mut self) {
        self.quiet = true;
    }

    /// The name of the scenario on the table; empty for a game that was begun without one.
    pub(crate) fn scenario_name(&self) -> &str {
        let file = self.opened.file.source.name.rsplit(['/', '\\']).next();
        file.map_or("", |file| file.rsplit_once('.').map_or(file, |(stem, _)| stem))
    }

    /// Whether what is typed now is somebody's secret.
    pub fn is_secret(&self) -> bool {
        self.viewer().is_some()
    }

    /// Whose secrets alone may be seen now; nobody's in particular when one person plays all sides.
    pub(crate) fn viewer(&self) -> Option<FactionId> {
        self.play.viewer().filter(|_| !self.alone)
    }

    /// Takes a line.
    pub fn line(&mut self, line: &str) -> Output {
        self.stop.store(false, Ordering::SeqCst);
        progress::resume();
        self.plays.going = false;
        let done = match readable(line) {
            // Enter does again what went on from a stop, or goes on with the tour.
            Ok("") => match self.again() {
                Some(again) => self.take(&again),
                None if self.tour.is_some() => self.tour(),
                None => Ok(Output::default()),
            },
            Ok(line) => self.take(line),
            Err(problem) => Err(problem.into()),
        };
        let mut reply = done.unwrap_or_else(|problems| Output {
            pieces: vec![Piece::Error(problems.page(self.style.colour))],
            ..Output::default()
        });
        self.stop.store(false, Ordering::SeqCst);
        progress::resume();
        self.after(&mut reply);
        self.tell_pages(line, &reply);
        reply
    }

    /// What a line would tell that changes nothing: nothing is remembered of it.
    pub fn look_at(&mut self, line: &str) -> Output {
        self.stop.store(false, Ordering::SeqCst);
        progress::resume();
        let done = match readable(line) {
            Ok(line) if commands::only_looks(line) => self.take(line),
            Ok(line) => Err(Problem::new(format!("`{line}` does more than look")).into()),
            Err(problem) => Err(problem.into()),
        };
        self.stop.store(false, Ordering::SeqCst);
        progress::resume();
        done.unwrap_or_else(|problems| Output {
            pieces: vec![Piece::Error(problems.page(self.style.colour))],
            ..Output::default()
        })
    }

    /// What stands behind every reply.
    pub(super) fn after(&mut self, reply: &mut Output) {
        self.show_moved(reply);
        let left = progress::left_undone();
        if !left.is_empty() {
            reply.say(format!("stopped before the end; done were {}", left.join(", ")));
        }
        self.follow(reply);
        self.write_journal(reply);
    }

    fn take(&mut self, line: &str) -> Result<Output, Problems> {
        // A remark, in a file of lines that is piped in.
        if line.starts_with("//") && !line.contains('\n') {
            return Ok(Output::default());
        }
        if let Some(command) = line.strip_prefix(':') {
            return commands::run(self, command);
        }
        if let Some(expression) = line.strip_prefix('=') {
            return self.look(expression);
        }
        if self.is_stopped() {
            return self.look(line).map_err(|mut problems| {
                let first = problems.0.first_mut();
                if let Some(first) = first.filter(|_| self.names_something(line)) {
                    *first = first
                        .clone()
                        .hint("the game is stopped; `:continue` plays on to its question");
                }
                problems
            });
        }
        let asked = self.play.asked(|a| {
            let keys = a.keys();
            (numbered(a, &keys), keys)
        });
        let (numbered, keys) = asked.unwrap_or_default();
        let number = line.parse().ok().filter(|_| numbered);
        if let Some(index) = keys.iter().position(|k| k == line) {
            return self.answer(index);
        }
        match number {
            Some(n) if (1..=keys.len()).contains(&n) => return self.answer(n - 1),
            _ => {}
        }
        // What is not told but can be said: a spot of a region, or a number, perhaps behind the question's label.
        let other = self.play.asked(|a| {
            let options = &a.request.options;
            let said = line
                .strip_prefix(a.label())
                .and_then(|said| said.strip_prefix(' '));
            let said = said.unwrap_or(line);
            let meant = options.region().is_some() && region::is_spot(said)
                || options.numbers().is_some() && is_number(said);
            options.is_open().then(|| (a.read(said), meant))
        });
        match other.flatten() {
            Some((Ok(reply), _)) => return self.answer_by(&reply),
            Some((Err(why), true)) => return Err(Problem::new(why).into()),
            _ => {}
        }
        if !keys.is_empty() && region::is_way(line) {
            let why = Problem::new(format!("`{line}` is a spot, and none is asked for now"));
            return Err(why.hint("`:options` shows what is").into());
        }
        if line == BOTH && self.is_secret() {
            return Ok(self.play_alone(true));
        }
        if let Some(answers) = answers::typed(line, &keys) {
            return self.answer_in_turn(line, answers);
        }
        if !keys.is_empty() && self.names_something(line) {
            let hint = match did_you_mean(line, keys.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`:options` shows what is".to_owned(),
            };
            return Err(Problem::new(format!("`{line}` is not offered")).hint(hint).into());
        }
        self.look(line).map_err(|mut problems| {
            // A word may be meant as an answer.
            let near = did_you_mean(line, keys.iter().map(String::as_str));
            if let (Some(near), Some(first)) = (near, problems.0.first_mut()) {
                *first = first.clone().hint(format!("did you mean the answer `{near}`?"));
            }
            problems
        })
    }

    /// Whether a line is a number or a name that questions offer, now or at other times.
    fn names_something(&self, line: &str) -> bool {
        let rules = &self.play.host.rules;
        line.parse::<i64>().is_ok()
            || rules.board.place(line).is_some()
            || rules.parse_unit_name(line).is_some()
            || rules.faction(line).is_some()
            || rules.unit_type(line).is_some()
    }

    fn look(&self, expression: &str) -> Result<Output, Problems> {
        let expression = expression.trim();
        if expression.is_empty() {
            return Err(Problem::new("there is no expression after the `=`").into());
        }
        if self.is_stopped() {
            return self.look_at_stop(expression);
        }
        let source = Source::new("input", expression);
        let text = self.play.look(&source, self.viewer())?;
        Ok(Output::text(if text.is_empty() {
            "\"\"".to_owned()
        } else {
            text
        }))
    }

    pub(super) fn answer(&mut self, index: usize) -> Result<Output, Problems> {
        self.answer_by(&Reply::Take(index))
    }

    fn answer_by(&mut self, said: &Reply) -> Result<Output, Problems> {
        self.branches.play_on();
        self.plays.going = true;
        let from = self.walk_from();
        self.play.answer_by(said);
        self.settle();
        self.walk_then(from, Then::Tell { note: None })
    }

    /// Gives several answers, one after the other, as far as they fit.
    fn answer_in_turn(&mut self, line: &str, typed: Vec<Spanned<String>>) -> Result<Output, Problems> {
        let mut file = ScenarioFile::new(self.game());
        file.source = Source::new("input", line);
        file.answers = typed;
        let written = answers::read(&file, None)?;
        let progress = written.progress();
        self.branches.play_on();
        self.plays.going = true;
        let from = self.walk_from();
        let given = self.play.given();
        let (answers, why) = answers::AsFarAsOffered::new(written);
        let before = self.play.set_source(Box::new(answers));
        self.play.run_on();
        drop(self.play.set_source(before));
        self.settle();
        let given = self.play.given().saturating_sub(given);
        let mut left = progress.borrow().problems(&file, why.borrow().as_deref());
        // One sentence is enough: what stands behind it waits for it.
        left.truncate(1);
        let asked = self.play.asked(|a| a.label().to_owned());
        for problem in &mut left {
            let asked = asked.as_ref().filter(|_| why.borrow().is_none());
            let asked = asked.map(|label| format!("`{label}` is asked now"));
            let stays = (given > 0).then(|| {
                let count = counted(given, "answer");
                format!("the {count} before it stand; `:undo {given}` takes them back")
            });
            let hint: Vec<String> = asked.into_iter().chain(stays).collect();
            if !hint.is_empty() {
                *problem = problem.clone().hint(hint.join("; "));
            }
        }
        if given == 0 {
            Problems::check(std::mem::take(&mut left))?;
        }
        let mut reply = self.walk_then(from, Then::Tell { note: None })?;
        let pages = left.into_iter().map(|p| Piece::Error(p.page(self.style.colour)));
        reply.pieces.extend(pages);
        Ok(reply)
    }

    /// One person plays all sides from now on, or not any more.
    pub(super) fn play_alone(&mut self, alone: bool) -> Output {
        self.alone = alone;
        let mut reply = Output::text(match alone {
            true => "one person plays all sides: nothing is covered; `:alone off` covers again",
            false => "what is chosen in secret is covered",
        });
        if self.play.viewer().is_some() {
            self.tell(&mut reply);
        }
        reply
    }

    /// Plays on to the next question, or as far as it goes.
    pub(super) fn settle(&mut self) {
        self.state = match self.play.run_on() {
            Progress::Asks | Progress::Stepped => State::Asks,
            Progress::Over => State::Over,
            Progress::Diverged(why) => State::Failed {
                problem: Box::new(Problem::new(why)),
                told: false,
            },
            Progress::Failed(problem) => State::Failed {
                problem: Box::new(run::misstated(&self.play, &self.file, *problem)),
                told: false,
            },
        };
    }

    /// Counts everything that may be seen as told, secrets to the one who is asked.
    pub(super) fn forget_untold(&mut self) {
        let events = self.play.table().events.len();
        let hidden_from = self.play.hidden_from();
        self.told.all = hidden_from.map_or(events, |from| from + 1);
        if self.told.hidden_from != hidden_from {
            self.told.hidden_from = hidden_from;
            self.told.asked = None;
        }
        self.told.each = [events; MAX_FACTIONS];
    }

    /// Writes the play so far as a transcript.
    ///
    /// # Errors
    ///
    /// A place that cannot be written, or a file there that is no transcript.
    pub fn save(&self, name: &str) -> Result<Output, Problems> {
        let path = Path::new(name);
        if path.is_file() && !Source::read(path).is_ok_and(|s| Transcript::is_one(&s.text)) {
            return Err(
                Problem::new(format!("{name} is there already and is no transcript"))
                    .hint("choose another name; `:save` overwrites only transcripts")
                    .into(),
            );
        }
        crate::files::write_named(name, self.transcript().print())?;
        let mut reply = Output::text(format!("saved to {name}"));
        if let Some(note) = self.note_on_scratch() {
            reply.say(super::clause::note(&note, self.style.width));
        }
        Ok(reply)
    }
}

/// A line without its surrounding space, if it is one that can be read. It may hold others: an
/// expression or a function in several lines is one.
fn readable(line: &str) -> Result<&str, Problem> {
    if line.len() > MAX_LINE {
        let message = format!("a line of {} bytes is too long: {MAX_LINE} at most", line.len());
        return Err(Problem::new(message));
    }
    if line
        .trim_end_matches(['\r', '\n'])
        .chars()
        .any(|c| c.is_control() && c != '\t' && c != '\n')
    {
        return Err(Problem::new("the line has control characters in it").hint("type it as plain text"));
    }
    Ok(line.trim())
}

/// What a user means by a name: a game, a scenario, a transcript; without a name what the workspace opens
/// with, else its first game.
fn find(workspace: &Workspace, name: Option<&str>) -> Result<Opened, Problems> {
    let games = workspace.games();
    let fresh = |game: &str| Opened {
        file: ScenarioFile::new(game),
        lines: None,
    };
    let Some(name) = name else {
        let first = games.first().ok_or_else(|| {
            Problem::new("there is no game here").hint("a game is a file scripts/<game>/game.rhai")
        })?;
        return match suite::opening(workspace)? {
            Some(path) => suite::open(workspace, &path),
            None => Ok(fresh(first)),
        };
    };
    if games.iter().any(|g| g == name) {
        return Ok(fresh(name));
    }
    let found = suite::find(workspace, &[name.to_owned()]).map_err(|problems| {
        let near = did_you_mean(name, games.iter().map(String::as_str));
        match near {
            Some(near) => Problem::new(format!("there is no game, scenario or file `{name}`"))
                .hint(format!("did you mean `{near}`?"))
                .into(),
            None => problems,
        }
    })?;
    match &found[..] {
        [path] => suite::open(workspace, path),
        _ => Err(Problem::new(format!("`{name}` means {} scenarios", found.len()))
            .hint(format!(
                "name one of them, such as {}",
                found.first().map_or("", String::as_str)
            ))
            .into()),
    }
}

/// A play with what the file answers already answered, its scenario, and what went wrong in it:
/// whether that needs care, and what it was.
pub(super) type Lain = (Play, ScenarioFile, Vec<(bool, Problem)>);

pub(super) fn lay(workspace: &Workspace, opened: &Opened, overrides: &Overrides) -> Result<Lain, Problems> {
    let mut file = opened.file.clone();
    if file.until.is_none() {
        // Whatever the file does not answer is a person's to answer.
        file.open = crate::scenario::file::DEFAULT_OPEN.to_owned().into();
    }
    let opened = &Opened {
        file,
        lines: opened.lines.clone(),
    };
    let ran = run::run(workspace, opened, overrides)?;
    if let Stopped::Refused(why) = &ran.stopped {
        return Err(Problem::new(why).into());
    }
    Ok(lain(ran, opened, overrides))
}

/// What has come of playing a file.
pub(super) fn lain(ran: Ran, opened: &Opened, overrides: &Overrides) -> Lain {
    let changed = rules_have_changed(opened, &ran.play);
    let mut notes: Vec<(bool, Problem)> = match &ran.stopped {
        // It fails again when play goes on, and is told then.
        Stopped::Failed(_) => Vec::new(),
        Stopped::Diverged(_) => ran.problems.into_iter().map(|p| (true, p)).collect(),
        // Where play goes on, what is scripted may still be rolled.
        Stopped::Asks | Stopped::Until if ran.problems == run::unrolled(&ran.play, &ran.file) => Vec::new(),
        _ => ran.problems.into_iter().map(|p| (false, p)).collect(),
    };
    if changed && notes.is_empty() && overrides.is_empty() {
        let message = "the scripts have changed since this was saved; they tell the same game";
        notes.push((false, Problem::new(message)));
    }
    (ran.play, ran.file, notes)
}

/// Whether a save was made under other rules than it was just played under.
fn rules_have_changed(opened: &Opened, play: &Play) -> bool {
    opened.lines.iter().flatten().any(|line| match line {
        Line::Chapter { number, rules, .. } => {
            let now = number.checked_sub(1).and_then(|index| play.chapters().get(index));
            now.is_some_and(|now| now.fingerprint != *rules)
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Agent;
    use crate::repl::auto::Goal;
    use crate::repl::{refused, said, started};

    /// In the first round: the armies are there and stand.
    fn in_round_one() -> Session {
        let mut session = started("smalltricks");
        said(&mut session, ":auto round");
        session
    }

    fn keys(session: &Session) -> Vec<String> {
        session.play.asked(|a| a.keys()).expect("something is asked")
    }

    #[test]
    fn a_key_and_a_number_answer_alike() {
        let (mut by_key, mut by_number) = (in_round_one(), in_round_one());
        let key = keys(&by_key)[1].clone();
        let told = said(&mut by_key, &key);
        assert_eq!(told, said(&mut by_number, "2"));
        assert!(
            told.starts_with(&format!("red activates {key}\nred chooses move for {key}:")),
            "{told}"
        );
        assert_eq!(by_key.play.position(), by_number.play.position());
    }

    #[test]
    fn undo_returns_to_the_same_position_over_steps_and_to_the_very_beginning() {
        let mut session = started("smalltricks");
        let mut before = Vec::new();
        for _ in 0..40 {
            before.push((session.play.position(), session.play.events(), session.question()));
            said(&mut session, ":auto");
        }
        for (position, events, question) in before.into_iter().rev() {
            said(&mut session, ":undo");
            assert_eq!(session.play.position(), position);
            assert_eq!(session.play.events(), events);
            assert_eq!(session.question(), question);
        }
        let nothing = refused(&mut session, ":undo");
        assert!(nothing.contains("no answer to take back"), "{nothing}");
    }

    #[test]
    fn undo_works_when_the_game_is_over() {
        let mut session = in_round_one();
        let over = said(&mut session, ":auto end");
        assert!(over.contains("the game is over: "), "{over}");
        assert_eq!(session.prompt().0, "done> ");
        said(&mut session, ":undo 3");
        assert_ne!(session.prompt().0, "done> ");
        assert_eq!(
            said(&mut session, ":auto end").lines().last(),
            over.lines().last()
        );
    }

    #[test]
    fn a_saved_play_loads_with_the_same_position_and_record() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("one.txt").display().to_string();
        let mut session = in_round_one();
        said(&mut session, ":auto 1 round");
        said(&mut session, ":auto 3");
        said(&mut session, &format!(":save {file}"));
        let mut loaded = started("smalltricks");
        said(&mut loaded, &format!(":load {file}"));
        assert_eq!(loaded.board(), session.board());
        assert_eq!(loaded.units(), session.units());
        assert_eq!(loaded.question(), session.question());
        assert_eq!(loaded.events(usize::MAX), session.events(usize::MAX));
        assert_eq!(loaded.play.table().world, session.play.table().world);
        // It goes on, and is taken back, like the first.
        assert_eq!(said(&mut loaded, ":auto"), said(&mut session, ":auto"));
        assert_eq!(said(&mut loaded, ":undo 5"), said(&mut session, ":undo 5"));
    }

    #[test]
    fn save_overwrites_transcripts_only_and_makes_no_folders() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(at("notes.txt"), "mine").expect("written");
        let mut session = started("smalltricks");
        let kept = refused(&mut session, &format!(":save {}", at("notes.txt")));
        assert!(kept.contains("is no transcript"), "{kept}");
        assert_eq!(
            std::fs::read_to_string(at("notes.txt")).expect("it is there"),
            "mine"
        );
        let nowhere = refused(&mut session, &format!(":save {}", at("no/such/file")));
        assert!(nowhere.contains("there is no folder"), "{nowhere}");
        refused(&mut session, &format!(":save {}", folder.path().display()));
        said(&mut session, &format!(":save {}", at("a.txt")));
        said(&mut session, &format!(":save {}", at("a.txt")));
    }

    #[test]
    fn auto_plays_to_the_beginnings_of_phases() {
        let mut session = started("smalltricks");
        said(&mut session, ":auto 2 rounds");
        assert_eq!(said(&mut session, "count(\"round\")"), "2");
        said(&mut session, ":auto second turn");
        assert_eq!(session.prompt().0, "blue> ");
        said(&mut session, ":auto first 1 turn");
        assert_eq!(said(&mut session, "count(\"round\")"), "3");
        let answered = session.play.events().len();
        said(&mut session, ":auto 2 steps");
        assert!(session.play.events().len() > answered);
        let unknown = refused(&mut session, ":auto 2 ruonds");
        assert!(unknown.contains("did you mean `round`?"), "{unknown}");
    }

    #[test]
    fn a_raised_stop_ends_a_long_auto_between_two_steps() {
        let mut session = in_round_one();
        session.stop.store(true, Ordering::Relaxed);
        let reply = session.auto(Agent::Random, &Goal::End).expect("it plays");
        assert!(
            reply.print().contains("stopped after 0 steps\nred activates"),
            "{}",
            reply.print()
        );
        assert_eq!(session.prompt().0, "red> ");
        // A line typed later is not stopped by an old key.
        session.stop.store(true, Ordering::Relaxed);
        said(&mut session, ":auto end");
        assert_eq!(session.prompt().0, "done> ");
    }

    #[test]
    fn an_expression_reads_and_cannot_change_the_position() {
        let mut session = in_round_one();
        assert_eq!(said(&mut session, "= 2 + 3"), "5");
        let unit = keys(&session)[0].clone();
        let before = (
            session.play.position(),
            session.play.table().world.clone(),
            session.play.events(),
        );
        for change in [
            "put(me, place(\"a1\"))",
            "me.life = 1",
            "add(me, \"life\", -1)",
            "win(me.faction, \"x\")",
            "choose(me, \"x\", [1, 2])",
            "roll(me, \"x\", 2, 6)",
            "remove(me)",
            "reserve(me)",
        ] {
            refused(&mut session, &format!("let me = unit(\"{unit}\"); {change}"));
            let now = (
                session.play.position(),
                session.play.table().world.clone(),
                session.play.events(),
            );
            assert!(now == before, "{change}");
        }
        assert_eq!(keys(&session)[0], unit);
        said(&mut session, "1");
    }

    #[test]
    fn an_option_wins_over_a_function_of_its_name_and_other_names_are_said_not_to_be_offered() {
        let mut session = in_round_one();
        said(&mut session, "1");
        let other = refused(&mut session, "a77");
        assert!(other.contains("there is no `a77`"), "{other}");
        let far = refused(&mut session, "f6");
        assert!(far.contains("`f6` is not offered"), "{far}");
        assert!(refused(&mut session, "999").contains("not offered"));
        let near = refused(&mut session, "stya");
        assert!(near.contains("did you mean the answer `stay`?"), "{near}");
        let told = said(&mut session, "stay");
        assert!(told.starts_with("red chose move: stay"), "{told}");
    }

    #[test]
    fn answers_are_chained_as_in_scenario_files() {
        let mut session = started("charge-into-spears");
        said(&mut session, ":back");
        let start = session.play.position();
        let told = said(&mut session, "red.mounted1 c4 blue.spears1");
        assert!(told.contains("red.mounted1  life 5->3"), "{told}");
        said(&mut session, ":undo 3");
        assert_eq!(session.play.position(), start);
        // In quotes, with labels and with what is not offered; one that is the only option may be said.
        let list =
            "\"red.mounted1\", \"move: c4\", \"charge: !red.archers1 blue.spears1\", \"red.archers1 stay\"";
        said(&mut session, list);
        assert_eq!(session.prompt().0, "blue> ");
        let after = session.play.position();
        said(&mut session, ":back");
        said(&mut session, "red.mounted1 c4 blue.spears1 red.archers1 stay");
        assert_eq!(session.play.position(), after);
    }

    #[test]
    fn a_mistaken_word_in_a_chain_undoes_nothing() {
        let mut session = started("charge-into-spears");
        said(&mut session, ":back");
        // Two in the hexagon, so that somebody has to choose.
        said(&mut session, ":edit place blue.archers c4");
        let page = refused(&mut session, "red.mounted1 c4 spears stay");
        assert!(
            page.contains("`spears` is not offered to red for `charge`"),
            "{page}"
        );
        assert!(page.contains("`:undo 2` takes them back"), "{page}");
        assert_eq!(keys(&session), ["blue.spears1", "blue.archers1"]);
        // A label that is not asked for waits, and that is said.
        let page = refused(&mut session, "move: c4");
        assert!(page.contains("`charge` is asked now"), "{page}");
        assert_eq!(keys(&session), ["blue.spears1", "blue.archers1"]);
        // Expressions are none.
        assert_eq!(said(&mut session, "\"a: b\" == \"a: c\""), "false");
        assert!(refused(&mut session, "c9 c10").contains("input"));
    }

    #[test]
    fn a_board_is_shown_when_something_has_moved_unless_it_is_turned_off() {
        let mut session = started("charge-into-spears");
        said(&mut session, ":back");
        // Two in the hexagon, so that somebody has to choose.
        said(&mut session, ":edit place blue.archers c4");
        // The options of the question are marked.
        let board = said(&mut session, ":board");
        assert!(board.contains("MO?5") && board.contains("?n offered"), "{board}");
        let told = said(&mut session, "red.mounted1");
        assert!(!told.contains("___"), "{told}");
        let board = said(&mut session, ":board");
        assert!(
            board.contains("[c4]") && board.contains("[name] offered"),
            "{board}"
        );
        let told = said(&mut session, "c4");
        assert!(told.contains("___") && told.contains("sp?5"), "{told}");
        assert!(
            told.lines()
                .last()
                .is_some_and(|l| l.starts_with("red chooses charge")),
            "{told}"
        );
        said(&mut session, ":undo 2");
        said(&mut session, ":quiet");
        assert!(!said(&mut session, "red.mounted1 c4").contains("___"));
        said(&mut session, ":undo 2");
        assert!(said(&mut session, ":quiet off").contains("whenever"));
        assert!(said(&mut session, "red.mounted1 c4").contains("___"));
    }

    #[test]
    fn a_board_fits_a_low_screen_with_its_question_and_the_welcome() {
        let mut session = Session::new(&Workspace::Embedded, None, Overrides::default(), Style::default())
            .map_err(|p| p.page(false))
            .expect("it opens");
        (session.rows, session.columns) = (Some(24), Some(80));
        let greeting = session.greeting().print();
        assert!(greeting.lines().count() < 24, "{greeting}");
        assert!(
            greeting.starts_with("rulebench - ") && greeting.contains("`:events "),
            "{greeting}"
        );
        assert!(greeting.contains("to begin a whole game: `:new "), "{greeting}");
        assert!(greeting.lines().all(|l| l.chars().count() <= 80), "{greeting}");
        insta::assert_snapshot!(greeting);
        // The full one where there is room.
        session.add_notes(vec![(false, Problem::new("a note"))]);
        (session.rows, session.told) = (Some(24), ToldSoFar::default());
        let noted = session.greeting().print();
        assert!(noted.contains("note: a note") && noted.contains("___"), "{noted}");
        session.rows = Some(50);
        assert!(session.board().lines().count() > 24);
    }

    #[test]
    fn one_person_plays_all_sides_of_what_is_secret() {
        let mut session = Session::new(
            &Workspace::Embedded,
            Some("smalltricks"),
            Overrides::default(),
            Style::default(),
        )
        .map_err(|p| p.page(false))
        .expect("it opens");
        let greeting = session.greeting();
        let covers = |reply: &Output| reply.pieces.iter().any(|p| matches!(p, Piece::Cover(_)));
        // Nothing has been chosen yet: the welcome stays.
        assert!(!covers(&greeting) && greeting.print().contains("answer `both`"));
        assert!(said(&mut session, "both").contains("nothing is covered"));
        let mut told = String::new();
        for _ in 0..40 {
            let reply = session.line("1");
            assert!(!covers(&reply));
            told.push_str(&reply.print());
        }
        assert!(!session.is_secret() && !told.contains("in secret"), "{told}");
        assert_eq!(told.matches("red chose face 2").count(), 1, "{told}");
        // Without it the other side's turn covers, also when it is turned off on the way.
        let mut session = started("smalltricks");
        let mut reply = session.line("1");
        while session.prompt().0 == "red> " {
            reply = session.line("1");
        }
        assert!(covers(&reply));
        session.line(":alone");
        assert!(said(&mut session, ":events 100").contains("red chose face 2"));
        assert!(covers(&session.line(":alone off")));
        assert!(!said(&mut session, ":events 100").contains("red chose face 2"));
    }

    #[test]
    fn errors_underline_the_line_as_typed() {
        let mut session = started("smalltricks");
        let page = refused(&mut session, "1 + unti(\"x\")");
        assert!(
            page.contains("1 | 1 + unti(\"x\")") && page.contains("^^^^"),
            "{page}"
        );
        assert!(page.contains("did you mean `unit`?"), "{page}");
    }

    #[test]
    fn unreadable_lines_are_refused_in_a_sentence() {
        let mut session = started("smalltricks");
        assert!(refused(&mut session, "a\0b").contains("control characters"));
        assert!(refused(&mut session, &"x".repeat(10 << 20)).contains("too long"));
        assert_eq!(said(&mut session, "   "), "");
        refused(&mut session, "=");
        refused(&mut session, ":");
        // Very deep or odd lines neither.
        refused(&mut session, &"(".repeat(60_000));
    }

    /// Answers with the first option until this faction is asked this; returns what was printed last.
    fn until_asked(session: &mut Session, faction: &str, label: &str) -> Output {
        for _ in 0..200 {
            let reply = session.line("1");
            let asked = session.play.asked(|a| a.label() == label);
            if session.prompt().0 == format!("{faction}> ") && asked == Some(true) {
                return reply;
            }
        }
        panic!("{faction} was never asked {label}");
    }

    #[test]
    fn a_secret_set_up_does_not_leak() {
        let mut session = started("smalltricks");
        until_asked(&mut session, "red", "place");
        let mut own = String::new();
        while session.prompt().0 == "red> " {
            own = session.line("2").print();
        }
        assert_eq!(session.prompt().0, "blue> ");
        // The line that covers is the last thing before what blue may see.
        let (_, shown) = own
            .split_once("--- blue's turn to choose in secret ---")
            .expect("a cover");
        let mut printed = shown.to_owned();
        for line in [
            ":board",
            ":events 500",
            ":options",
            ":units",
            "5",
            ":undo",
            "5",
            ":board",
            ":events 500",
        ] {
            printed.push_str(&said(&mut session, line));
        }
        let reds: Vec<&str> = printed
            .lines()
            .filter(|l| l.contains("red.") && l.contains("reserve->"))
            .collect();
        assert!(reds.is_empty(), "{reds:?}");
        assert!(!printed.contains("red chose place"), "{printed}");
        let units = session.units();
        assert!(
            units
                .lines()
                .filter(|l| l.starts_with("red."))
                .all(|l| l.contains("reserve")),
            "{units}"
        );
        assert_eq!(said(&mut session, "happened(\"red chose place\")"), "false");
        let first = units
            .lines()
            .find_map(|l| l.strip_prefix("red."))
            .expect("a unit");
        let name = first.split(' ').next().expect("a name");
        assert_eq!(
            said(&mut session, &format!("unit(\"red.{name}\").place == ()")),
            "true"
        );
        // What everybody placed is told when all have placed.
        let mut revealed = String::new();
        while session.prompt().0 == "blue> " {
            revealed = session.line("1").print();
        }
        assert!(revealed.contains("red chose place"), "{revealed}");
        assert!(
            session
                .units()
                .lines()
                .filter(|l| l.starts_with("red."))
                .all(|l| !l.contains("reserve"))
        );
    }

    #[test]
    fn a_secret_muster_does_not_leak_either() {
        let mut session = started("smalltricks");
        while session.prompt().0 == "red> " {
            session.line("1");
        }
        assert_eq!(session.prompt().0, "blue> ");
        let printed = [":board", ":events 500", ":units", ":options"]
            .map(|l| said(&mut session, l))
            .join("\n");
        assert!(
            !printed.contains("red chose") && !printed.contains("red."),
            "{printed}"
        );
        let names = session.complete("unit(\"red.").1;
        assert!(names.is_empty(), "{names:?}");
    }

    #[test]
    fn a_scenario_opens_with_its_answers_played_and_restarts_there() {
        let mut session = started("charge-into-spears");
        assert_eq!(said(&mut session, "unit(\"red.mounted1\").life"), "3");
        let start = session.play.position();
        said(&mut session, ":auto 3");
        assert_ne!(session.play.position(), start);
        said(&mut session, ":restart");
        assert_eq!(session.play.position(), start);
        said(&mut session, ":new smalltricks");
        said(&mut session, ":open charge-into-spears");
        assert_eq!(session.play.position(), start);
        let unknown = refused(&mut session, ":open charge-into-spaers");
        assert!(unknown.contains("charge-into-spears"), "{unknown}");
        assert_eq!(session.play.position(), start);
    }

    #[test]
    fn what_is_scripted_may_still_be_rolled_where_play_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("fresh.toml");
        let text = "game = \"smalltricks\"\nrolls = { \"first faction\" = [[6]] }\n";
        std::fs::write(&path, text).expect("a file");
        let mut session = started(&path.display().to_string());
        let greeting = session.greeting().print();
        assert!(!greeting.contains("never rolled"), "{greeting}");
        assert_eq!(said(&mut session, "game()"), "the game");
    }

    #[test]
    fn a_dial_is_turned_with_the_board_kept_or_not_at_all() {
        let mut session = in_round_one();
        let trail = session.play.trail().len();
        let world = session.play.position().world;
        let told = said(&mut session, ":set max_rounds=5");
        assert_eq!(
            told,
            "now `max_rounds` at 5; the board is kept. `:retell` plays the past again"
        );
        assert_eq!(session.play.trail().len(), trail);
        assert_eq!(session.play.position().world, world);
        assert!(said(&mut session, ":dials").contains("5, not 12"));
        said(&mut session, ":auto 3");
        let before = session.play.position();
        refused(&mut session, ":set max_rounds=500");
        refused(&mut session, ":set max_ruonds=5");
        assert_eq!(session.play.position(), before);
    }

    /// A game in which each faction picks a number once, and 2 breaks the rules.
    fn fragile() -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().expect("a folder");
        let scripts = folder.path().join("scripts/fragile");
        std::fs::create_dir_all(&scripts).expect("made");
        std::fs::create_dir_all(folder.path().join("units/fragile")).expect("made");
        let rules = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 2], engaged: "same place" } }
fn slots() { #{ faction: #{ score: 0 } } }
fn phases() { [ #{ phase: "all", phases: [ #{ phase: "picks", each: "faction", step: "pick" } ] } ] }
fn pick(side) {
    let n = choose(side, "number", [1, 2, 3]);
    side.score = n;
    if n == 2 { let list = []; list[7]; }
}
"#;
        std::fs::write(scripts.join("game.rhai"), rules).expect("written");
        std::fs::write(
            folder.path().join("units/fragile/token.rhai"),
            "fn stats() { #{} }\n",
        )
        .expect("written");
        let workspace = Workspace::Folder(folder.path().to_owned());
        (folder, workspace)
    }

    #[test]
    fn a_failing_rule_leaves_the_position_and_undo_repairs_it() {
        let (_folder, workspace) = fragile();
        let mut session = Session::new(&workspace, None, Overrides::default(), Style::default())
            .map_err(|p| p.page(false))
            .expect("it opens");
        session.greeting();
        // Options that are numbers are answered by themselves, not by their place.
        said(&mut session, "3");
        assert_eq!(said(&mut session, "faction(\"red\").score"), "3");
        let page = refused(&mut session, "2");
        assert!(page.contains("game.rhai:8"), "{page}");
        assert_eq!(session.prompt().0, "error> ");
        assert_eq!(said(&mut session, "faction(\"blue\").score"), "0");
        said(&mut session, ":undo");
        assert_eq!(session.prompt().0, "blue> ");
        said(&mut session, "1");
        assert_eq!(session.prompt().0, "done> ");
        assert_eq!(said(&mut session, "faction(\"blue\").score"), "1");
    }

    #[test]
    fn lines_are_completed() {
        let mut session = in_round_one();
        assert_eq!(
            session.complete(":un"),
            (1, vec!["undo".to_owned(), "units".to_owned()])
        );
        let (start, keys) = session.complete("red.");
        assert!(start == 0 && keys.iter().all(|k| k.starts_with("red.")) && !keys.is_empty());
        assert_eq!(
            session.complete(":new smallt"),
            (5, vec!["smalltricks".to_owned()])
        );
        assert!(session.complete("= uni").1.contains(&"unit".to_owned()));
        said(&mut session, "1");
        assert_eq!(session.complete("st").1, ["stay"]);
    }
}
