//! The later chapters of a stored game, begun again where a play comes to them. Knows plays and the
//! lines of transcripts; who answers is another matter.

use super::edit;
use crate::play::Play;
use crate::script::host::{Host, Options};
use crate::script::workspace::Workspace;
use crate::transcript::Line;
use std::collections::VecDeque;

/// Where the rules of a chapter are, by their fingerprint; of a game without chapters by an empty one.
pub type RulesOf<'a> = &'a dyn Fn(&str) -> Workspace;

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
    /// Where its rules are loaded from; nowhere where it has those of the one before.
    rules: Option<Workspace>,
}

/// Chapters that are still to begin, in their order.
#[derive(Default)]
pub struct Chapters {
    /// Whether it is to be the same game: then they begin with the step of the same ordinal. Else they
    /// are changes by hand alone, for a play under other rules, and begin with the step of the same name.
    same_game: bool,
    left: VecDeque<Later>,
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
            left: later(lines, None).filter(|c| !c.edits.is_empty()).collect(),
        }
    }

    /// The changes by hand in a play, to be made again in another.
    pub fn edits_of(play: &Play) -> Chapters {
        let chapters = play.chapters().iter().enumerate();
        let edited = chapters.filter_map(|(index, c)| {
            let edits = c.edits.as_ref()?;
            Some(Later {
                number: index + 1,
                step: c.from_step,
                options: Options::default(),
                at: edits.at.clone(),
                edits: edits.texts.clone(),
                rules: None,
            })
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
                false => next.at == play.step_words(),
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
            } else if let Some(workspace) = &next.rules {
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
            true => format!(
                "chapter {} begins with step {}, which the game never reaches",
                next.number, next.step
            ),
            false => format!(
                "`{}`, where something was changed by hand (`{}`), does not come",
                next.at,
                next.edits.join("; ")
            ),
        })
    }
}

fn later<'l>(lines: &'l [Line], rules_of: Option<RulesOf<'l>>) -> impl Iterator<Item = Later> + 'l {
    lines.iter().filter_map(move |line| match line {
        Line::Chapter {
            number,
            step,
            rules,
            options,
            at,
            edits,
        } if *number > 1 => Some(Later {
            number: *number,
            step: *step,
            options: options.clone(),
            at: at.clone(),
            edits: edits.clone(),
            rules: rules_of.map(|rules_of| rules_of(rules)),
        }),
        _ => None,
    })
}
