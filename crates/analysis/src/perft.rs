//! Perft on all cores, and its report: the number of sequences of answers from a position, by their length.

use crate::parallel;
use crate::play::Play;
use crate::report::Problem;
use crate::reports::{Column, Report, ReportTable};
use crate::row;
use crate::sequences::{CountStop, SequenceCount, SequencePart, SequenceRoot};
use std::sync::Arc;

pub use crate::sequences::MAX_DEPTH;

/// The sequences that begin with one answer are counted in this number of parts, so that all cores have work.
const PARTS: usize = 8;
/// Depth from which parts are worth their overhead.
const DEEP: u8 = 4;

/// Question of a perft.
#[derive(Debug, Clone, Copy)]
pub struct PerftQuery {
    /// Length of the longest sequences, from 1 to [`MAX_DEPTH`].
    pub depth: u8,
    /// Whether forced answers count as answers.
    pub forced_is_depth: bool,
    /// Number of threads, one for each core without it.
    pub threads: Option<usize>,
}

/// Counted sequences by their length, as far as nobody stopped it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Perft {
    /// Counts for the lengths from 1.
    pub counts: Vec<SequenceCount>,
    /// Sequences of the last length by their first answer.
    pub divided: Vec<(String, u64)>,
    forced_is_depth: bool,
    is_whole: bool,
    seed: u64,
}

/// Counts the sequences of answers from the present position of a play, which is left as it was.
///
/// # Errors
///
/// Rules that fail, after the answers that the problem names.
pub fn perft(play: &mut Play, query: PerftQuery) -> Result<Perft, Problem> {
    let (ruleset, branch) = (Arc::clone(play.ruleset()), play.branch());
    let work = play.work().clone();
    let open = || -> Result<Option<(Play, SequenceRoot)>, CountStop> {
        let (mut play, _) = Play::of_branch(Arc::clone(&ruleset), &branch, "").map_err(CountStop::from)?;
        play.drop_trail();
        play.table_mut().chance.may_miss = true;
        let root = SequenceRoot::new(&mut play, query.forced_is_depth)?;
        Ok(root.map(|root| (play, root)))
    };
    let mut perft = Perft {
        counts: Vec::new(),
        divided: Vec::new(),
        forced_is_depth: query.forced_is_depth,
        is_whole: false,
        seed: play.table().checkpoint.seed,
    };
    let keys = match open() {
        Ok(Some((_, root))) => root.keys().to_vec(),
        Ok(None) => Vec::new(),
        Err(CountStop::Failed(failure)) => return Err((*failure).into()),
        Err(CountStop::Stopped) => return Ok(perft),
    };
    for depth in 1..=query.depth {
        let parts = if depth < DEEP { 1 } else { PARTS };
        let what = format!("parts of the sequences of depth {depth}");
        let make = || {
            let mut opened = open();
            move |piece: usize| {
                let part = SequencePart {
                    first: piece / parts,
                    nth: piece % parts,
                    of: parts,
                };
                match &mut opened {
                    Ok(Some((play, root))) => root.count(play, part, depth),
                    Ok(None) => Ok(SequenceCount::default()),
                    Err(stop) => Err(stop.clone()),
                }
            }
        };
        let counts = parallel::each(&work, &what, keys.len() * parts, query.threads, make);
        let mut all = SequenceCount::default();
        let mut divided: Vec<(String, u64)> = keys.iter().map(|key| (key.clone(), 0)).collect();
        for (piece, count) in counts.into_iter().enumerate() {
            match count {
                Some(Ok(count)) => {
                    let first = &mut divided[piece / parts].1;
                    *first = first.saturating_add(count.sequences);
                    all += count;
                }
                Some(Err(CountStop::Failed(failure))) if !work.is_interrupted() => {
                    return Err((*failure).into());
                }
                _ => return Ok(perft),
            }
        }
        perft.counts.push(all);
        perft.divided = divided;
        if all.sequences == 0 {
            break;
        }
    }
    perft.is_whole = true;
    Ok(perft)
}

impl Perft {
    /// Whether nobody stopped it.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The report, with this line at its top; with `divide`, the sequences of the last length by their first answer.
    pub fn report(&self, head: String, divide: bool) -> Report {
        let mut report = Report::of(head);
        let forced = match self.forced_is_depth {
            true => "end forced",
            false => "forced answers",
        };
        let columns: [Column; 4] = [
            ("depth", "depth").into(),
            ("sequences", "sequences").into(),
            ("forced", forced).into(),
            ("over", "games over").into(),
        ];
        let mut table = ReportTable::headed(columns).keyed("depths");
        for (count, depth) in self.counts.iter().zip(1u64..) {
            table.push(row![depth, count.sequences, count.forced, count.over]);
        }
        report.put(table);
        if divide && !self.divided.is_empty() {
            let columns: [Column; 2] = [
                ("answer", "first answer").into(),
                ("sequences", "sequences").into(),
            ];
            let mut table = ReportTable::headed(columns).keyed("first_answers");
            for (key, count) in &self.divided {
                table.push(row![key, *count]);
            }
            report.put(table);
        }
        let any = |is: fn(&SequenceCount) -> bool| self.counts.iter().any(is);
        let mut notes = Vec::new();
        if any(|count| count.candidates_only) {
            notes.push(
                "a region or a range of numbers is offered: only its candidates are counted".to_owned(),
            );
        }
        if any(|count| count.rolled) {
            notes.push(format!(
                "rolls have the values of seed {}: other values are not counted",
                self.seed
            ));
        }
        if !self.is_whole {
            notes.push("stopped: greater depths were not counted".to_owned());
        }
        for note in &notes {
            report.put(format!("note: {note}"));
        }
        report.with("notes", &notes)
    }
}
