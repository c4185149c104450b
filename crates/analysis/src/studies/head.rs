//! Head of a results file: the study and the part of it that was played, with a check whether a file is of that study.

use super::problems;
use super::setting::Setting;
use crate::files::refused;
use crate::report::Problem;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

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
    /// Setting that was played.
    pub study: Setting,
}

impl ResultsHeader {
    /// The head of a study, or of one of its shards.
    pub fn new(study: Setting, shard: Option<(u64, u64)>) -> Self {
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
pub(super) fn is_free(path: &Path, resume: bool) -> Result<bool, Problem> {
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
pub(super) fn other(name: &str, there: &ResultsHeader, wanted: &ResultsHeader) -> Problem {
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
