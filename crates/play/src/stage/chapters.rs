//! The later chapters of a stored game, begun again where a play comes to them. Knows plays and the
//! lines of transcripts; who answers is another matter.

use super::{edit, transcribe};
use crate::kernel::table::{AnswerError, Answerer, NoAnswerer, Question, Reply};
use crate::option_text::QuestionWords;
use crate::play::{Play, Progress};
use crate::report::Problem;
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::workspace::Workspace;
use crate::transcript::{Edits, Line};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Source of the rules of a chapter, by their fingerprint; of a game without chapters by an empty one.
pub type RulesOf<'a> = &'a dyn Fn(&str) -> Workspace;

/// Whether all of a stored game was played under one set of rules, so that it can be compared, say.
///
/// # Errors
///
/// The rules changed on the way.
pub fn under_one_set(lines: &[Line], what: &str) -> Result<(), Problem> {
    let mut rules: Vec<&String> = Vec::new();
    let mut changed = 0;
    for line in lines {
        if let Line::Chapter {
            number,
            rules: these,
            edits,
            ..
        } = line
        {
            changed += usize::from(*number > 1 && edits.is_none());
            rules.push(these);
        }
    }
    if changed == 0 && rules.windows(2).all(|r| r[0] == r[1]) {
        return Ok(());
    }
    Err(crate::scenario::problems::several_chapters(rules.len(), what))
}

/// A chapter after the first.
#[derive(Debug, Clone)]
struct LaterChapter {
    number: usize,
    /// The ordinal of its first step.
    step: u32,
    /// Options for loading its rules.
    options: LoadOptions,
    /// Cause of the change of rules, where the options do not show it.
    why: Option<String>,
    edits: Option<Edits>,
    /// Workspace that its rules are loaded from; `None` where it has those of the chapter before.
    rules: Option<Workspace>,
}

/// Chapters that are still to begin, in their order.
#[derive(Default)]
pub struct Chapters {
    /// Whether it is to be the same game: then they begin with the step of the same ordinal. Else they
    /// are changes by hand alone, for a play under other rules, and begin with the step of the same name.
    same_game: bool,
    left: VecDeque<LaterChapter>,
}

impl Chapters {
    /// Those of a stored game, to be told as it was; each one's rules are where `rules_of` says.
    pub fn as_stored(lines: &[Line], rules_of: RulesOf<'_>) -> Self {
        Self {
            same_game: true,
            left: later(lines, Some(rules_of)).collect(),
        }
    }

    /// The changes by hand in a stored game, to be made again under whatever rules.
    pub fn edits(lines: &[Line]) -> Chapters {
        Chapters {
            same_game: false,
            left: later(lines, None).filter(|c| c.edits.is_some()).collect(),
        }
    }

    /// The changes by hand in a play, to be made again in another.
    pub fn edits_of(play: &Play) -> Chapters {
        let chapters = play.chapters().iter().enumerate();
        let edited = chapters.filter(|(_, c)| c.edits.is_some());
        let edited = edited.map(|(index, c)| LaterChapter {
            number: index + 1,
            step: c.from_step,
            options: LoadOptions::default(),
            why: None,
            edits: c.edits.clone(),
            rules: None,
        });
        Chapters {
            same_game: false,
            left: edited.collect(),
        }
    }

    /// Begins the chapters whose first step is the open one; says whether there was one.
    ///
    /// # Errors
    ///
    /// A sentence about one that cannot begin.
    pub fn begin_due(&mut self, play: &mut Play) -> Result<bool, String> {
        let mut begun = false;
        while let Some(next) = self.left.front() {
            let due = match self.same_game {
                true => next.step == play.table().checkpoint.ordinal,
                false => next.edits.as_ref().is_some_and(|e| e.at == play.step_words()),
            };
            if !due {
                break;
            }
            let number = next.number;
            if let Some(edits) = &next.edits {
                // Under other rules the step may not ask all that; what comes of the change is the same.
                if self.same_game {
                    let of_step = self.left.iter().take_while(|c| c.step == next.step);
                    answer(play, of_step.filter_map(|c| c.edits.as_ref()));
                }
                edit::make_again(play, &edits.texts).map_err(|problems| {
                    let why = problems.0.first().map_or("", |p| p.message.as_str());
                    format!(
                        "what was changed by hand (`{}`) cannot be done: {why}",
                        edits.texts.join("; ")
                    )
                })?;
            } else if let Some(workspace) = &next.rules {
                let game = play.ruleset().rules.game.clone();
                let turned = || transcribe::changed_dials(&play.ruleset().options, &next.options);
                let why = next.why.clone().unwrap_or_else(turned);
                Ruleset::load(workspace, &game, &next.options)
                    .and_then(|ruleset| Ok(play.change_rules(ruleset, &why)?))
                    .map_err(|problems| {
                        let why = problems.0.first().map_or("", |p| p.message.as_str());
                        format!("chapter {number} of the save cannot be played: {why}")
                    })?;
            }
            self.left.pop_front();
            begun = true;
        }
        Ok(begun)
    }

    /// A sentence about the first chapter that has not begun, if one has not.
    pub fn missing(&self) -> Option<String> {
        let next = self.left.front()?;
        Some(match &next.edits {
            Some(edits) if !self.same_game => format!(
                "`{}`, where something was changed by hand (`{}`), does not come",
                edits.at,
                edits.texts.join("; ")
            ),
            _ => format!(
                "chapter {} begins with step {}, which the game never reaches",
                next.number, next.step
            ),
        })
    }
}

/// Gives the answers of the open step that were there before the first of these changes by hand in it; where the step
/// comes to its end before it is as if nobody had answered yet.
fn answer<'e>(play: &mut Play, changes: impl Iterator<Item = &'e Edits>) {
    let begun = play.checkpoint();
    let mut before = EarlierAnswers {
        source: Rc::new(RefCell::new(Box::new(NoAnswerer))),
        at: 0,
        lost: changes
            .map(|e| (e.answers_before, e.lost.iter().cloned().collect()))
            .collect(),
    };
    for answer in &begun.position.answers {
        if let Some(lost) = before.lost_now().filter(|_| !answer.only) {
            lost.pop_front();
        }
        before.at += 1;
    }
    let has_all =
        |(answer_count, lost): &(usize, VecDeque<String>)| before.at >= *answer_count && lost.is_empty();
    if before.lost.first().is_none_or(has_all) {
        return;
    }
    let source = Rc::clone(&before.source);
    source.replace(play.set_source(Box::new(before)));
    if play.advance() == Progress::Stepped {
        play.go_back(&begun);
    }
    play.set_source(source.replace(Box::new(NoAnswerer)));
}

/// The answers that were there before a change by hand: those of a record, and those that did not fit any more after it
/// or after a later change in the same step. What throws came to it leaves to the engine: the record has them as they
/// were thrown after the change.
struct EarlierAnswers {
    source: Rc<RefCell<Box<dyn Answerer>>>,
    /// Number of answers up to now.
    at: usize,
    /// Of each change from this one on how many answers stayed, and what somebody had answered behind those.
    lost: Vec<(usize, VecDeque<String>)>,
}

impl EarlierAnswers {
    /// Among what was lost that to which the next answer belongs; `None` where the record has it.
    fn lost_now(&mut self) -> Option<&mut VecDeque<String>> {
        let at = self.at;
        let lost = self.lost.iter_mut().find(|(answer_count, _)| *answer_count <= at);
        lost.map(|(_, lost)| lost)
    }
}

impl Answerer for EarlierAnswers {
    fn answer(&mut self, question: &Question<'_>) -> Reply {
        let reply = match self.lost_now() {
            None => self.source.borrow_mut().answer(question),
            Some(lost) => {
                let key = lost.pop_front();
                key.map_or(Reply::Wait, |key| question.read(&key).unwrap_or(Reply::Wait))
            }
        };
        self.at += 1;
        reply
    }

    fn answered_itself(&mut self, question: &Question<'_>) -> Result<(), AnswerError> {
        let is_lost = self.lost_now().is_some();
        self.at += 1;
        match is_lost {
            true => Ok(()),
            false => self.source.borrow_mut().answered_itself(question),
        }
    }
}

fn later<'l>(lines: &'l [Line], rules_of: Option<RulesOf<'l>>) -> impl Iterator<Item = LaterChapter> + 'l {
    lines.iter().filter_map(move |line| match line {
        Line::Chapter {
            number,
            step,
            rules,
            options,
            why,
            edits,
        } if *number > 1 => Some(LaterChapter {
            number: *number,
            step: *step,
            options: options.clone(),
            why: why.clone(),
            edits: edits.clone(),
            rules: rules_of.map(|rules_of| rules_of(rules)),
        }),
        _ => None,
    })
}
