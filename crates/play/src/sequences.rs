//! Counts of the sequences of answers that are possible from a position, by their length.
//!
//! An answer with one option answers itself. Such *forced* answers have no length, unless they are asked for. Rolls have
//! the values of the seed, and of a region only the candidates are tried.

use crate::kernel::choice::Answer;
use crate::kernel::event::Event;
use crate::kernel::table::{Question, Reply};
use crate::play::{Checkpoint, Play, Progress};
use crate::report::Problem;

/// Largest depth that can be counted.
pub const MAX_DEPTH: u8 = 100;

/// Counts of sequences of one length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SequenceCount {
    /// Number of sequences.
    pub sequences: u64,
    /// Number of forced answers between the last two answers of the sequences; if forced answers are counted as depth,
    /// number of sequences whose last answer is forced.
    pub forced: u64,
    /// Number of sequences that are one answer shorter and end the game.
    pub over: u64,
    /// Whether something was rolled or thrown on the way.
    pub rolled: bool,
    /// Whether a region or a range of numbers was offered on the way, of which only candidates were tried.
    pub candidates_only: bool,
}

impl std::ops::AddAssign for SequenceCount {
    fn add_assign(&mut self, other: Self) {
        self.sequences = self.sequences.saturating_add(other.sequences);
        self.forced = self.forced.saturating_add(other.forced);
        self.over = self.over.saturating_add(other.over);
        self.rolled |= other.rolled;
        self.candidates_only |= other.candidates_only;
    }
}

/// Reason for which sequences were not counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CountStop {
    /// Somebody stopped it.
    Stopped,
    /// The rules failed.
    Failed(Box<CountFailure>),
}

/// A failure of rules, after some answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountFailure {
    problem: Problem,
    /// Keys of the answers, the last one first.
    answers: Vec<String>,
}

impl From<CountFailure> for Problem {
    fn from(CountFailure { mut problem, answers }: CountFailure) -> Problem {
        let answers: Vec<&str> = answers.iter().rev().map(String::as_str).collect();
        if !answers.is_empty() {
            problem.message += &format!(" (after `{}`)", answers.join("`, `"));
        }
        problem
    }
}

/// A part of the sequences that begin with one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SequencePart {
    /// Index of the first answer.
    pub first: usize,
    /// Number of this part, from 0: the second answers are dealt to the parts in turn.
    pub nth: usize,
    /// Number of parts.
    pub of: usize,
}

/// The position from which sequences are counted, at a question.
pub struct SequenceRoot {
    here: Checkpoint,
    answers: Vec<Answer>,
    keys: Vec<String>,
    events: usize,
    words: usize,
    forced_is_depth: bool,
    is_open: bool,
}

impl SequenceRoot {
    /// The next question of a play, to which it is played on; `None` if the game ends before. With `forced_is_depth`, forced answers count as answers.
    ///
    /// # Errors
    ///
    /// Rules that fail.
    pub fn new(play: &mut Play, forced_is_depth: bool) -> Result<Option<Self>, CountStop> {
        if let Progress::Failed(problem) = play.run_on() {
            return Err((*problem).into());
        }
        let question = |question: &Question<'_>| (question.keys(), question.request.options.is_open());
        Ok(play.with_question(question).map(|(keys, is_open)| Self {
            answers: answers_to_question(play),
            keys,
            here: play.checkpoint(),
            events: play.table().events.len(),
            words: play.table().words.len(),
            forced_is_depth,
            is_open,
        }))
    }

    /// The keys of the answers to its question.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Counts the sequences of this length that begin with one answer, or a part of them. The play is left anywhere.
    ///
    /// # Errors
    ///
    /// Rules that fail; somebody has stopped the work.
    pub fn count(&self, play: &mut Play, part: SequencePart, depth: u8) -> Result<SequenceCount, CountStop> {
        let mut count = SequenceCount {
            candidates_only: self.is_open,
            ..SequenceCount::default()
        };
        let Some(first) = self.answers.get(part.first) else {
            return Ok(count);
        };
        if depth == 1 {
            count.sequences = u64::from(part.nth == 0);
            return Ok(count);
        }
        play.forget_words(self.words);
        let deal = Some(part).filter(|part| part.of > 1);
        let mut counting = Counting {
            play,
            forced_is_depth: self.forced_is_depth,
            count,
        };
        counting.after(&self.here, self.events, first, depth - 1, deal)?;
        Ok(counting.count)
    }
}

/// Counts the sequences of one length from the present position of a play, by their first answer; the play is left as it
/// was.
///
/// # Errors
///
/// Rules that fail; somebody has stopped the work.
pub fn by_first_answer(
    play: &mut Play,
    depth: u8,
    forced_is_depth: bool,
) -> Result<Vec<(String, u64)>, CountStop> {
    play.suppose(|play| {
        let Some(root) = SequenceRoot::new(play, forced_is_depth)? else {
            return Ok(Vec::new());
        };
        let whole = |first| SequencePart { first, nth: 0, of: 1 };
        let counts = root.keys().iter().enumerate().map(|(first, key)| {
            let count = root.count(play, whole(first), depth)?;
            Ok((key.clone(), count.sequences))
        });
        let counts = counts.collect();
        play.forget_words(root.words);
        counts
    })
}

struct Counting<'a> {
    play: &'a mut Play,
    forced_is_depth: bool,
    count: SequenceCount,
}

impl Counting<'_> {
    /// Gives an answer at a position, and counts the sequences of `left` more answers; `events` is the number of events
    /// before the answer.
    fn after(
        &mut self,
        here: &Checkpoint,
        events: usize,
        answer: &Answer,
        left: u8,
        deal: Option<SequencePart>,
    ) -> Result<(), CountStop> {
        if self.play.work().is_stopped() {
            return Err(CountStop::Stopped);
        }
        let mut next = here.clone();
        next.position.answers.push(*answer);
        self.play.go_to(&next);
        self.on(events, left, deal).map_err(|mut stop| {
            if let CountStop::Failed(failure) = &mut stop {
                let table = self.play.table();
                failure
                    .answers
                    .push(answer.chosen.key(&table.rules, &table.words));
            }
            stop
        })
    }

    fn on(&mut self, events: usize, mut left: u8, deal: Option<SequencePart>) -> Result<(), CountStop> {
        let progress = self.play.run_on();
        // The first of several parts counts what lies before the second answer.
        let counts = deal.is_none_or(|part| part.nth == 0);
        let new = &self.play.table().events[events..];
        let is_forced = |event: &&Event| matches!(event, Event::Chose(answer) if answer.only);
        let forced = new.iter().filter(is_forced).count();
        let is_roll = |event: &Event| matches!(event, Event::Rolled { .. } | Event::Threw { .. });
        self.count.rolled |= new.iter().any(is_roll);
        if self.forced_is_depth {
            match usize::from(left).checked_sub(forced) {
                None | Some(0) if forced > 0 => {
                    self.count.sequences += u64::from(counts);
                    self.count.forced += u64::from(counts);
                    return Ok(());
                }
                rest => left = rest.map_or(0, |rest| rest as u8),
            }
        } else if left == 1 && counts {
            self.count.forced += forced as u64;
        }
        match progress {
            Progress::Over => {
                self.count.over += u64::from(counts && left == 1);
                return Ok(());
            }
            Progress::Failed(problem) => return Err((*problem).into()),
            _ => {}
        }
        let question = |question: &Question<'_>| {
            let options = &question.request.options;
            (options.len(), options.is_open())
        };
        let Some((options, is_open)) = self.play.with_question(question) else {
            return Ok(());
        };
        self.count.candidates_only |= is_open;
        let own = |index: usize| deal.is_none_or(|part| index % part.of == part.nth);
        if left == 1 {
            let options = match deal {
                None => options,
                Some(_) => (0..options).filter(|index| own(*index)).count(),
            };
            self.count.sequences = self.count.sequences.saturating_add(options as u64);
            return Ok(());
        }
        let answers = answers_to_question(self.play);
        let here = self.play.checkpoint();
        let (events, words) = (self.play.table().events.len(), self.play.table().words.len());
        for (_, answer) in answers.iter().enumerate().filter(|(index, _)| own(*index)) {
            // Texts that came up behind another answer are not needed any more.
            self.play.forget_words(words);
            self.after(&here, events, answer, left - 1, None)?;
        }
        Ok(())
    }
}

/// All answers to the question that waits.
fn answers_to_question(play: &Play) -> Vec<Answer> {
    let options = play.with_question(|question| question.request.options.len());
    let indices = 0..options.unwrap_or_default();
    indices
        .filter_map(|index| play.table().answer_by(&Reply::Take(index)))
        .collect()
}

impl From<Problem> for CountStop {
    fn from(problem: Problem) -> CountStop {
        CountStop::Failed(Box::new(CountFailure {
            problem,
            answers: Vec::new(),
        }))
    }
}
