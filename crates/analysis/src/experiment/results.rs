//! Results files: a header that describes the study and the part of it that was played, then one line a game, each of
//! JSON.
//!
//! Lines stand in the order of the games, so a file that was cut off anywhere can be continued, and shards behind each
//! other are one file. Files are read line by line.

use super::arm::Arm;
use super::problems;
use super::record::GameRecord;
use crate::files::{Growing, refused};
use crate::lines::{counted, shortened};
use crate::report::{Problem, Problems};
use crate::work::Work;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _};
use std::ops::Range;
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

/// The number of this form of file.
pub const FORMAT: u32 = 1;

/// The first line of a results file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultsHeader {
    /// Format number of the file, under the name of its writer.
    pub rulebench_sim: u32,
    /// Number of the shard, from 1, and the number of shards; `None` for the whole study.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shard: Option<(u64, u64)>,
    /// Arm that was played.
    pub study: Arm,
}

impl ResultsHeader {
    /// The head of a study, or of one of its shards.
    pub fn new(study: Arm, shard: Option<(u64, u64)>) -> Self {
        Self {
            rulebench_sim: FORMAT,
            shard,
            study,
        }
    }

    /// The head that a file begins with.
    ///
    /// # Errors
    ///
    /// What says no such thing, or what no study can be: no game, nobody who plays, no part of it.
    pub fn read(text: &[u8]) -> serde_json::Result<Self> {
        let head: Self = serde_json::from_slice(text)?;
        let wrong = |why: &str| Err(serde::de::Error::custom(why));
        if head.rulebench_sim != FORMAT {
            return wrong("another version wrote it");
        }
        if !head.shard.is_none_or(is_shard) {
            return wrong("it is no part of a study");
        }
        match head.study.is_whole() {
            true => Ok(head),
            false => wrong("its study has no games, nobody who plays, or not as many armies as sides"),
        }
    }

    /// The numbers of the games that are in the file.
    pub fn games(&self) -> Range<u64> {
        let (nth, of) = self.shard.unwrap_or((1, 1));
        let all = u128::from(self.study.games);
        let edge = |n: u64| (all * u128::from(n) / u128::from(of)) as u64;
        edge(nth - 1)..edge(nth)
    }

    /// The line.
    pub fn line(&self) -> String {
        // Names, numbers and texts: nothing in it cannot be written.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// Whether there is such a part.
fn is_shard((nth, of): (u64, u64)) -> bool {
    (1..=of).contains(&nth) && of <= 1_000_000
}

/// Reads `I/N`.
///
/// # Errors
///
/// Anything else, and a shard that is not there.
pub fn shard(text: &str) -> Result<(u64, u64), Problem> {
    let read = text
        .split_once('/')
        .and_then(|(nth, of)| Some((nth.trim().parse::<u64>().ok()?, of.trim().parse::<u64>().ok()?)));
    match read {
        Some(shard) if is_shard(shard) => Ok(shard),
        _ => Err(problems::not_a_shard(text)),
    }
}

/// Whether a results file is there; it may be gone on with only if that is asked for.
fn is_free(path: &Path, resume: bool) -> Result<bool, Problem> {
    let name = path.display();
    match std::fs::symlink_metadata(path) {
        Ok(about) if !about.is_file() => Err(problems::not_a_file(name)),
        Ok(_) if !resume => Err(problems::existing_file(name)),
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(refused(path.display(), "written", &error)),
    }
}

/// The sentence about files of two studies.
fn other(name: &str, there: &ResultsHeader, wanted: &ResultsHeader) -> Problem {
    let (a, b) = (&there.study, &wanted.study);
    let what = if a.game != b.game {
        format!("its game is {}, not {}", a.game, b.game)
    } else if a.rules != b.rules {
        format!("the fingerprint of its rules is {}, not {}", a.rules, b.rules)
    } else if a.seed != b.seed {
        format!("its seed is {}, not {}", a.seed, b.seed)
    } else if a.games != b.games {
        format!("it has {} games, not {}", a.games, b.games)
    } else if there.shard != wanted.shard {
        "it has another shard".to_owned()
    } else if a.agents != b.agents {
        format!(
            "its agents are {}, not {}",
            a.agents.join(", "),
            b.agents.join(", ")
        )
    } else if a.armies != b.armies {
        "it has other armies".to_owned()
    } else {
        "it has another start, other seats or another limit".to_owned()
    };
    problems::other_study(name, what)
}

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
    fn discard(self) {
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

/// Joins the shards of a study into the file `path`, as one run would have written it. Returns the number of games, the
/// number of missing games, and a line for each shard with corrupt lines. Deletes the file if it cannot be completed.
///
/// # Errors
///
/// Shards of different studies, missing or doubled ones, corrupt lines unless these are passed over, and what cannot be
/// read or written.
pub fn merge(
    work: &Work,
    shards: &[String],
    path: &Path,
    skip: bool,
) -> Result<(u64, u64, Vec<String>), Problems> {
    let mut opened = Vec::new();
    for path in shards {
        let reading = ResultsReader::open(Path::new(path), skip)?;
        let Some(shard) = reading.head.shard else {
            return Err(problems::whole_study(path).into());
        };
        opened.push((shard, path, reading));
    }
    opened.sort_by_key(|(shard, ..)| *shard);
    let Some(first) = opened.first().map(|(_, _, r)| r.head.clone()) else {
        return Err(problems::nothing_to_merge().into());
    };
    let of = first.shard.map_or(1, |(_, of)| of);
    for ((_, parts), path, reading) in &opened {
        let same_shard = ResultsHeader::new(reading.head.study.clone(), first.shard);
        if same_shard != first {
            return Err(other(path, &same_shard, &first).into());
        }
        if *parts != of {
            let difference = format!("it has {parts} shards, not {of}");
            return Err(problems::other_study(path, difference).into());
        }
    }
    for nth in 1..=of {
        let count = opened.iter().filter(|(shard, ..)| *shard == (nth, of)).count();
        if count != 1 {
            return Err(problems::wrong_shard_files(nth, of, count).into());
        }
    }
    let whole = ResultsHeader::new(first.study, None);
    let mut written = Writing::open(work, path, &whole, false, |_| {})?;
    let (mut games, mut lost, mut left_out) = (0, 0, Vec::new());
    let joined = opened.iter_mut().try_for_each(|(shard, path, reading)| {
        while let Some((record, _)) = reading.next_game()? {
            written.add(&record)?;
            games += 1;
        }
        let (missing, (nth, of)) = (reading.missing(), *shard);
        let are = if missing == 1 { "is" } else { "are" };
        let missing_games = counted(missing as usize, "game");
        match (missing, reading.passed_over()) {
            (_, Some(passed_over)) => {
                lost += missing;
                left_out.push(match missing {
                    0 => format!("{path}: {passed_over}"),
                    _ => format!("{path}: {passed_over}, {missing_games} {are} missing"),
                });
                Ok(())
            }
            (0, None) => Ok(()),
            (_, None) => Err(problems::incomplete_shard(path, missing, nth, of)),
        }
    });
    if let Err(problem) = joined {
        written.discard();
        return Err(problem.into());
    }
    written.finish()?;
    Ok((games, lost, left_out))
}
