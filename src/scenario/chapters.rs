//! The later chapters of a stored game, begun again where a play comes to them. Knows plays and the
//! lines of transcripts; who answers is another matter.

use super::edit;
use crate::play::Play;
use crate::script::host::{Host, Options};
use crate::script::workspace::Workspace;
use crate::transcript::Line;
use std::collections::VecDeque;

/// A chapter after the first.
#[derive(Debug, Clone)]
struct Later {
    number: usize,
    /// The ordinal of its first step.
    step: u32,
    /// What its rules are loaded with.
    options: Options,
    /// Its first step in words; empty where nothing was changed by hand.
    at: String,
    edits: Vec<String>,
}

/// Chapters that are still to begin, in their order.
#[derive(Default)]
pub struct Chapters<'w> {
    /// Where the rules of chapters are loaded from, if it is to be the same game: then they begin with
    /// the step of the same ordinal. Else they are changes by hand alone, for a play under other rules,
    /// and begin with the step of the same name.
    same_game: Option<&'w Workspace>,
    left: VecDeque<Later>,
}

impl<'w> Chapters<'w> {
    /// Those of a stored game, to be told as it was.
    pub fn as_stored(lines: &[Line], workspace: &'w Workspace) -> Self {
        Self {
            same_game: Some(workspace),
            left: later(lines).collect(),
        }
    }

    /// The changes by hand in a stored game, to be made again under whatever rules.
    pub fn edits(lines: &[Line]) -> Chapters<'static> {
        Chapters {
            same_game: None,
            left: later(lines).filter(|c| !c.edits.is_empty()).collect(),
        }
    }

    /// The changes by hand in a play, to be made again in another.
    pub fn edits_of(play: &Play) -> Chapters<'static> {
        let chapters = play.chapters().iter().enumerate();
        let edited = chapters.filter_map(|(index, c)| {
            let edits = c.edits.as_ref()?;
            Some(Later {
                number: index + 1,
                step: c.from_step,
                options: Options::default(),
                at: edits.at.clone(),
                edits: edits.texts.clone(),
            })
        });
        Chapters {
            same_game: None,
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
                Some(_) => next.step == play.table().checkpoint.ordinal,
                None => next.at == play.step_words(),
            };
            if !due {
                break;
            }
            let number = next.number;
            if !next.edits.is_empty() {
                edit::make_again(play, &next.edits).map_err(|problems| {
                    let why = problems.0.first().map_or("", |p| p.message.as_str());
                    format!(
                        "what was changed by hand (`{}`) cannot be done: {why}",
                        next.edits.join("; ")
                    )
                })?;
            } else if let Some(workspace) = self.same_game {
                let game = play.host.rules.game.clone();
                Host::load(workspace, &game, &next.options)
                    .and_then(|host| Ok(play.change_rules(host, "as saved")?))
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
        Some(match self.same_game {
            Some(_) => format!(
                "chapter {} begins with step {}, which the game never reaches",
                next.number, next.step
            ),
            None => format!(
                "`{}`, where something was changed by hand (`{}`), does not come",
                next.at,
                next.edits.join("; ")
            ),
        })
    }
}

fn later(lines: &[Line]) -> impl Iterator<Item = Later> {
    lines.iter().filter_map(|line| match line {
        Line::Chapter {
            number,
            step,
            options,
            at,
            edits,
            ..
        } if *number > 1 => Some(Later {
            number: *number,
            step: *step,
            options: options.clone(),
            at: at.clone(),
            edits: edits.clone(),
        }),
        _ => None,
    })
}
