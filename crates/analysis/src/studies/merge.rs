//! Joining the shards of a study.

use super::head::{ResultsHeader, other};
use super::problems;
use super::results::{ResultsReader, Writing};
use crate::lines::counted;
use crate::report::Problems;
use crate::work::Work;
use std::path::Path;

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
