//! Results files: a head that says what was played, then one line a game, each of JSON.
//!
//! Lines stand in the order of the games, so a file that was cut off anywhere can be gone on with, and shards
//! behind each other are one file. What is read is read line by line.

use super::head::{ResultsHeader, is_free, other};
use super::problems;
use super::record::GameRecord;
use crate::files::{Growing, refused};
use crate::lines::{counted, shortened};
use crate::report::Problem;
use crate::work::Work;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::time::Duration;

/// No line is longer than this.
const LONGEST: u64 = 16 << 20;
/// Maximum time before added games are sent to the disk.
const SOON: Duration = Duration::from_millis(200);
/// So much of a corrupt line is told.
const SHOWN: usize = 60;
/// So much is collected before it is written.
const BLOCK: usize = 1 << 16;

/// A results file that is being read.
pub struct ResultsReader {
    /// Its head.
    pub head: ResultsHeader,
    path: String,
    file: BufReader<File>,
    line: u64,
    next: u64,
    /// The byte behind the last line that was read.
    at: u64,
    /// Corrupt lines are passed over.
    skip: bool,
    /// Number of lines that were passed over.
    pub skipped: u64,
    /// Number of games missing before the last game that was read.
    lost: u64,
}

/// Kind of a line of a results file.
enum ResultsLine {
    Game(Box<GameRecord>, String),
    /// It is no game: why, and whether it is the last line.
    Corrupt(String, bool),
}

impl ResultsReader {
    /// Opens a results file and reads its head.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or that is none.
    pub fn open(path: &Path, skip: bool) -> Result<Self, Problem> {
        let about = std::fs::metadata(path).map_err(|e| refused(path.display(), "read", &e))?;
        if !about.is_file() {
            return Err(problems::not_a_file(path.display()));
        }
        let file = File::open(path).map_err(|e| refused(path.display(), "read", &e))?;
        let mut file = BufReader::new(file);
        let mut first = Vec::new();
        let read = (&mut file).take(LONGEST).read_until(b'\n', &mut first);
        read.map_err(|e| refused(path.display(), "read", &e))?;
        let name = path.display().to_string();
        match ResultsHeader::read(&first) {
            Ok(head) => Ok(Self {
                next: head.games().start,
                head,
                path: name,
                file,
                line: 1,
                at: first.len() as u64,
                skip,
                skipped: 0,
                lost: 0,
            }),
            Err(error) => Err(problems::not_a_results_file(name, &error)),
        }
    }

    fn line(&mut self) -> Result<Option<ResultsLine>, Problem> {
        let mut bytes = Vec::new();
        let read = (&mut self.file).take(LONGEST).read_until(b'\n', &mut bytes);
        read.map_err(|e| refused(&self.path, "read", &e))?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        let last = |file: &mut BufReader<File>| file.fill_buf().is_ok_and(<[u8]>::is_empty);
        if bytes.last() != Some(&b'\n') {
            let last = last(&mut self.file);
            return Ok(Some(ResultsLine::Corrupt("it is cut off".to_owned(), last)));
        }
        let text = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
        let parsed: Result<GameRecord, _> = serde_json::from_slice(text);
        Ok(Some(match parsed {
            Ok(record) if !self.head.games().contains(&record.game) => {
                let why = format!("it is game {}, which the file is not of", record.game);
                ResultsLine::Corrupt(why, last(&mut self.file))
            }
            Ok(record) if record.game == self.next || self.skip && record.game > self.next => {
                self.lost += record.game - self.next;
                self.next = record.game + 1;
                self.at += bytes.len() as u64;
                let text = String::from_utf8_lossy(&bytes).into_owned();
                ResultsLine::Game(Box::new(record), text)
            }
            Ok(record) => ResultsLine::Corrupt(
                format!(
                    "it is game {}, and game {} should be here",
                    record.game, self.next
                ),
                last(&mut self.file),
            ),
            Err(error) => ResultsLine::Corrupt(no_game(&error, text), last(&mut self.file)),
        }))
    }

    /// The next game, with its line; `None` behind the last.
    ///
    /// # Errors
    ///
    /// A corrupt line, unless these are passed over; what the system refuses.
    pub fn next_game(&mut self) -> Result<Option<(GameRecord, String)>, Problem> {
        loop {
            match self.line()? {
                None => return Ok(None),
                Some(ResultsLine::Game(record, text)) => return Ok(Some((*record, text))),
                Some(ResultsLine::Corrupt(..)) if self.skip => self.skipped += 1,
                Some(ResultsLine::Corrupt(why, last)) => {
                    let place = format!("{}:{}", self.path, self.line);
                    return Err(match last {
                        true => problems::cut_off_game(place, why),
                        false => problems::corrupt_game(place, why),
                    });
                }
            }
        }
    }

    /// Returns the number of missing games, in between and at the end.
    pub fn missing(&self) -> u64 {
        self.lost + self.head.games().end.saturating_sub(self.next)
    }

    /// Describes the number of corrupt lines that were passed over; `None` if there were none.
    pub fn passed_over(&self) -> Option<String> {
        let were = if self.skipped == 1 { "was" } else { "were" };
        let lines = || counted(self.skipped as usize, "corrupt line");
        (self.skipped > 0).then(|| format!("{} {were} passed over", lines()))
    }
}

/// Why a line is no game, and what it says.
fn no_game(error: &serde_json::Error, line: &[u8]) -> String {
    let why = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let why = why.strip_suffix(&place).unwrap_or(&why);
    let text = shortened(&String::from_utf8_lossy(line), SHOWN);
    format!("{why} at column {}: `{text}`", error.column())
}

/// A results file that is being written.
pub struct Writing {
    path: String,
    file: Growing,
    waiting: Vec<u8>,
    work: Work,
    /// Moment at which games were last written to the file.
    sent: Option<Duration>,
    /// The number of the next game.
    pub next: u64,
    /// Why the last line of the file that was gone on with was no game; that game is played again.
    pub dropped: Option<String>,
}

impl Writing {
    /// Begins a new file; with `resume` goes on with one, whose games are given to `known`. A last line that is
    /// cut off is written anew.
    ///
    /// # Errors
    ///
    /// A file that is there already, or is of something else; a corrupt line; what the system refuses.
    pub fn open(
        work: &Work,
        path: &Path,
        head: &ResultsHeader,
        resume: bool,
        mut known: impl FnMut(GameRecord),
    ) -> Result<Self, Problem> {
        let name = path.display().to_string();
        let is_there = is_free(path, resume)?;
        let unwritten = |error: std::io::Error| refused(path.display(), "written", &error);
        let mut file = Growing::open(path, is_there).map_err(unwritten)?;
        alone(work, &file, &name)?;
        let whole = head.line();
        let is_begun = !file.is_empty() && !is_cut_off_head(path, &whole);
        let writing = |file: Growing, next: u64| Self {
            path: name.clone(),
            file,
            waiting: Vec::new(),
            sent: work.now(),
            work: work.clone(),
            next,
            dropped: None,
        };
        if !is_begun {
            file.cut(0).map_err(unwritten)?;
            let mut written = writing(file, head.games().start);
            written.waiting.extend_from_slice(whole.as_bytes());
            written.send()?;
            return Ok(written);
        }
        let mut reading = ResultsReader::open(path, false)?;
        if reading.head != *head {
            return Err(other(&name, &reading.head, head));
        }
        let dropped = loop {
            match reading.line()? {
                None => break None,
                Some(ResultsLine::Game(record, _)) => known(*record),
                // What was being written when it was cut off.
                Some(ResultsLine::Corrupt(why, true)) => {
                    break Some(format!("{name}:{}: {why}", reading.line));
                }
                Some(ResultsLine::Corrupt(why, false)) => {
                    return Err(problems::not_resumable(format!("{name}:{}", reading.line), why));
                }
            }
        };
        file.cut(reading.at).map_err(unwritten)?;
        Ok(Self {
            dropped,
            ..writing(file, reading.next)
        })
    }

    /// One more game.
    ///
    /// # Errors
    ///
    /// What the system refuses.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), Problem> {
        self.waiting.extend_from_slice(line_of(record).as_bytes());
        self.next = record.game + 1;
        if self.waiting.len() >= BLOCK || self.work.since(self.sent).is_none_or(|age| age >= SOON) {
            self.send()?;
        }
        Ok(())
    }

    /// Deletes the unfinished file.
    pub(super) fn discard(self) {
        drop(self.file);
        // What stays all the same is in the way of nothing but its name.
        let _ = std::fs::remove_file(self.path);
    }

    fn send(&mut self) -> Result<(), Problem> {
        self.sent = self.work.now();
        let written = self.file.add(&self.waiting);
        self.waiting.clear();
        written.map_err(|error| problems::unwritable(&self.path, error))
    }

    /// Everything is on disk.
    ///
    /// # Errors
    ///
    /// What the system refuses.
    pub fn finish(mut self) -> Result<(), Problem> {
        self.send()?;
        let path = self.path;
        self.file.finish().map_err(|e| refused(path, "written", &e))
    }
}

/// A game as a line.
pub fn line_of(record: &GameRecord) -> String {
    // Names, numbers and texts: nothing in it cannot be written.
    serde_json::to_string(record).unwrap_or_default() + "\n"
}

/// Waits until no other run writes the file: one whose starter was killed may still be at it, and two at once would
/// double games. Where files cannot be locked nobody is waited for.
fn alone(work: &Work, file: &Growing, name: &str) -> Result<(), Problem> {
    let course = work.begin(&format!("waiting for the run that writes {name}"), Some(1));
    while file.is_taken() {
        if course.is_stopped() {
            return Err(problems::locked(name));
        }
        std::thread::sleep(SOON);
    }
    course.step();
    Ok(())
}

/// Whether there is nothing in a file but the beginning of this head.
fn is_cut_off_head(path: &Path, whole: &str) -> bool {
    let about = std::fs::metadata(path);
    let short = about.is_ok_and(|about| about.len() < whole.len() as u64);
    short && std::fs::read(path).is_ok_and(|bytes| whole.as_bytes().starts_with(&bytes))
}
