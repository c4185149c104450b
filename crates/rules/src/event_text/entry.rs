//! Events, one line each: their parts, and the conversion to and from text.

use crate::kernel::event::{ACTIVATES, PASS};
use std::fmt;

/// Word for a faction's pass in a record.
const PASSES: &str = "passes";

/// Mark behind an answer that was the only option.
const ONLY: &str = "  (only option)";

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A phase begins.
    Phase {
        /// Nesting depth, from 1.
        depth: usize,
        /// Its name.
        name: String,
        /// Number of times that it has begun, when it repeats.
        iteration: Option<u16>,
    },
    /// A step begins.
    Step(String),
    /// A faction picks the unit that it activates.
    Picked {
        /// Faction that picks.
        asker: String,
        /// Label of the pick.
        label: String,
        /// The unit's name.
        key: String,
        /// Whether nothing else could be picked.
        only: bool,
    },
    /// A question is answered.
    Chose {
        /// Faction that is asked.
        asker: String,
        /// Label of the question.
        label: String,
        /// Subject of the question, when that is not the step's subject.
        subject: Option<String>,
        /// The answer.
        key: String,
        /// Whether it was the only option.
        only: bool,
    },
    /// Dice are rolled.
    Rolled {
        /// For whom.
        who: String,
        /// Label of the roll or throw.
        label: String,
        /// The dice, sorted.
        dice: String,
    },
    /// A die is thrown.
    Threw {
        /// The die.
        unit: String,
        /// Label of the roll or throw.
        label: String,
        /// Result of the throw, in words.
        told: String,
    },
    /// Consequence of an earlier entry.
    Consequence(String),
}

/// The line, what followed indented.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entry::Phase {
                depth,
                name,
                iteration,
            } => {
                let marks = "=".repeat(*depth);
                match iteration {
                    Some(n) => write!(f, "{marks} {name} {n}"),
                    None => write!(f, "{marks} {name}"),
                }
            }
            Entry::Step(name) => write!(f, "{name}"),
            Entry::Picked {
                asker,
                label,
                key,
                only,
            } => {
                let only = if *only { ONLY } else { "" };
                match key == PASS {
                    true => write!(f, "{asker} {PASSES}{only}"),
                    false => write!(f, "{asker} {label} {key}{only}"),
                }
            }
            Entry::Chose {
                asker,
                label,
                subject,
                key,
                only,
            } => {
                let about = subject.as_ref().map_or_else(String::new, |s| format!(" for {s}"));
                write!(
                    f,
                    "{asker} chose {label}{about}: {key}{}",
                    if *only { ONLY } else { "" }
                )
            }
            Entry::Rolled { who, label, dice } => write!(f, "{who} rolled {label}: {dice}"),
            Entry::Threw {
                unit,
                label,
                told: outcome,
            } => write!(f, "{unit} threw {label}: {outcome}"),
            Entry::Consequence(what) => write!(f, "  {what}"),
        }
    }
}

impl Entry {
    /// Reads a line.
    pub fn parse(line: &str) -> Option<Self> {
        if let Some(what) = line.strip_prefix("  ") {
            return Some(Entry::Consequence(what.to_owned()));
        }
        let depth = line.len() - line.trim_start_matches('=').len();
        if depth > 0 {
            let name = line[depth..].strip_prefix(' ')?;
            return Some(match name.rsplit_once(' ') {
                Some((name, n)) if n.bytes().all(|b| b.is_ascii_digit()) => Entry::Phase {
                    depth,
                    name: name.to_owned(),
                    iteration: Some(n.parse().ok()?),
                },
                _ => Entry::Phase {
                    depth,
                    name: name.to_owned(),
                    iteration: None,
                },
            });
        }
        let (line, only) = match line.strip_suffix(ONLY) {
            Some(line) => (line, true),
            None => (line, false),
        };
        // Who, a verb, what for, and what it came to.
        let parts = |verb: &str| {
            let (who, rest) = line.split_once(verb).filter(|(who, _)| !who.contains(' '))?;
            let what = rest.split_once(": ");
            Some((who.to_owned(), what.map(|(label, what)| (label, what.to_owned()))))
        };
        if let Some((asker, what)) = parts(" chose ") {
            let (label, key) = what?;
            let about = label.rsplit_once(" for ");
            return Some(Entry::Chose {
                asker,
                label: about.map_or(label, |(label, _)| label).to_owned(),
                subject: about.map(|(_, subject)| subject.to_owned()),
                key,
                only,
            });
        }
        if let Some((who, what)) = parts(" rolled ") {
            let (label, dice) = what?;
            let label = label.to_owned();
            return Some(Entry::Rolled { who, label, dice });
        }
        if let Some((unit, what)) = parts(" threw ") {
            let (label, outcome) = what?;
            let label = label.to_owned();
            return Some(Entry::Threw {
                unit,
                label,
                told: outcome,
            });
        }
        let picked = format!(" {ACTIVATES} ");
        let passed = line.strip_suffix(PASSES).and_then(|l| l.strip_suffix(' '));
        if let Some((asker, key)) = line.split_once(&picked).or(passed.map(|asker| (asker, PASS)))
            && !asker.contains(' ')
            && !asker.is_empty()
        {
            return Some(Entry::Picked {
                asker: asker.to_owned(),
                label: ACTIVATES.to_owned(),
                key: key.to_owned(),
                only,
            });
        }
        (!only).then(|| Entry::Step(line.to_owned()))
    }

    /// Returns the heading level, from 1: the depth of a phase, and a level below all phases for a step; `None` for
    /// other entries.
    pub fn heading(&self) -> Option<usize> {
        match self {
            Entry::Phase { depth, .. } => Some(*depth),
            Entry::Step(name) if !name.is_empty() => Some(usize::MAX),
            Entry::Picked { .. } => Some(usize::MAX),
            _ => None,
        }
    }
}
