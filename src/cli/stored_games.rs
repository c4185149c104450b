//! Stored games of a study: a file of lines or a database.

use super::database::Database;
use crate::lines::counted;
use crate::report::{Problem, Problems};
use crate::studies::head::{ResultsHeader, other};
use crate::studies::problems;
use crate::studies::record::GameRecord;
use crate::studies::results::{self, ResultsReader, Writing, line_of};
use std::path::Path;

/// The games of a results file, be it of lines or a database.
pub enum Games {
    /// Of lines.
    Lines(Box<ResultsReader>),
    /// A database, with its head.
    Database(Box<(ResultsHeader, Database)>),
}

impl Games {
    /// Opens either.
    ///
    /// # Errors
    ///
    /// What is neither.
    pub fn open(path: &Path, skip: bool) -> Result<Self, Problem> {
        Ok(match results::is_database(path) {
            true => {
                let (head, database) = Database::read(path, skip)?;
                Games::Database(Box::new((head, database)))
            }
            false => Games::Lines(Box::new(ResultsReader::open(path, skip)?)),
        })
    }

    /// Returns the head of the results.
    pub fn head(&self) -> &ResultsHeader {
        match self {
            Games::Lines(reading) => &reading.head,
            Games::Database(both) => &both.0,
        }
    }

    /// The next game, with its line; `None` behind the last.
    ///
    /// # Errors
    ///
    /// Those of [`ResultsReader::next_game`].
    pub fn next_game(&mut self) -> Result<Option<(GameRecord, String)>, Problem> {
        match self {
            Games::Lines(reading) => reading.next_game(),
            Games::Database(both) => {
                let game = both.1.next_game()?;
                Ok(game.map(|record| {
                    let line = line_of(&record);
                    (record, line)
                }))
            }
        }
    }

    /// Returns the number of missing games, and the number of lines that were passed over.
    pub fn gaps(&self) -> (u64, u64) {
        match self {
            Games::Lines(reading) => (reading.missing(), reading.skipped),
            Games::Database(both) => (both.1.missing(&both.0), both.1.skipped),
        }
    }

    /// Describes the number of corrupt lines that were passed over; `None` if there were none.
    pub fn passed_over(&self) -> Option<String> {
        let skipped = self.gaps().1;
        let were = if skipped == 1 { "was" } else { "were" };
        let lines = || counted(skipped as usize, "corrupt line");
        (skipped > 0).then(|| format!("{} {were} passed over", lines()))
    }
}

/// Storage of games.
pub enum ResultsStore {
    /// A file of lines.
    Lines(Writing),
    /// A database.
    Database(Database),
}

impl ResultsStore {
    /// The number of the next game.
    pub fn next(&self) -> u64 {
        match self {
            ResultsStore::Lines(lines) => lines.next,
            ResultsStore::Database(database) => database.next,
        }
    }

    /// Why the last line of the file that was gone on with was no game; a database has only whole ones.
    pub fn dropped(&self) -> Option<&str> {
        match self {
            ResultsStore::Lines(lines) => lines.dropped.as_deref(),
            ResultsStore::Database(_) => None,
        }
    }

    /// One more game.
    ///
    /// # Errors
    ///
    /// What the system refuses.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), Problem> {
        match self {
            ResultsStore::Lines(lines) => lines.add(record),
            ResultsStore::Database(database) => database.add(record),
        }
    }

    /// Deletes the unfinished file.
    fn discard(self) {
        let path = match &self {
            ResultsStore::Lines(lines) => lines.path.clone(),
            ResultsStore::Database(database) => database.path.clone(),
        };
        drop(self);
        // What stays all the same is in the way of nothing but its name.
        let _ = std::fs::remove_file(path);
    }

    /// Everything is on disk.
    ///
    /// # Errors
    ///
    /// What the system refuses.
    pub fn finish(self) -> Result<(), Problem> {
        match self {
            ResultsStore::Lines(lines) => lines.finish(),
            ResultsStore::Database(database) => database.finish(),
        }
    }
}

/// Joins the shards of a study, of lines or databases, into what one run would have written, which `begin` begins; how
/// many games there are, and what was passed over of which shard. Where that fails nothing of it stays.
///
/// # Errors
///
/// Shards of different studies, missing or doubled ones, corrupt lines unless these are passed over, and what cannot be
/// read or written.
pub fn merge(
    shards: &[String],
    skip: bool,
    begin: impl FnOnce(&ResultsHeader) -> Result<ResultsStore, Problems>,
) -> Result<(u64, u64, Vec<String>), Problems> {
    let mut opened = Vec::new();
    for path in shards {
        let reading = Games::open(Path::new(path), skip)?;
        let Some(shard) = reading.head().shard else {
            return Err(problems::whole_study(path).into());
        };
        opened.push((shard, path, reading));
    }
    opened.sort_by_key(|(shard, ..)| *shard);
    let Some(first) = opened.first().map(|(_, _, r)| r.head().clone()) else {
        return Err(problems::nothing_to_merge().into());
    };
    let of = first.shard.map_or(1, |(_, of)| of);
    for ((_, parts), path, reading) in &opened {
        let same_shard = ResultsHeader::new(reading.head().study.clone(), first.shard);
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
    let mut written = begin(&whole)?;
    let (mut games, mut lost, mut left_out) = (0, 0, Vec::new());
    let joined = opened.iter_mut().try_for_each(|(shard, path, reading)| {
        while let Some((record, _)) = reading.next_game()? {
            written.add(&record)?;
            games += 1;
        }
        let (missing, (nth, of)) = (reading.gaps().0, *shard);
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
