//! The answers of a transcript, given again to whoever asks what was asked then.

use super::{Line, Phases};
use crate::event_text::{self, Entry, once_more, place_of, step_name};
use crate::kernel::table::{AnswerError, Answerer, PendingThrow, Question, Reply};
use crate::kernel::throws::Landing;
use crate::option_text::QuestionWords;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Key of a stored answer: location, step, asking faction, label, subject, and the number of equal questions before.
type AnswerKey = (String, String, String, String, String, u16);

/// Answers of a transcript, found by what was asked and not by their order.
pub struct Stored {
    answers: BTreeMap<AnswerKey, String>,
    asked: Rc<RefCell<BTreeSet<AnswerKey>>>,
    /// Results of throws: the line, and the lines below it.
    throws: BTreeMap<ThrowKey, (String, Vec<String>)>,
}

/// Key of a stored throw: location, step, die, purpose, and the number of equal throws before.
type ThrowKey = (String, String, String, String, u32);

impl Stored {
    /// The answers of a transcript's lines.
    pub fn new(lines: &[Line]) -> Self {
        let mut answers = BTreeMap::new();
        let mut phases = Phases::default();
        let mut step = String::new();
        let mut picks: u16 = 0;
        let mut acted: BTreeMap<String, u16> = BTreeMap::new();
        let mut counts: BTreeMap<(String, String, String), u16> = BTreeMap::new();
        let mut throws: BTreeMap<ThrowKey, (String, Vec<String>)> = BTreeMap::new();
        let mut last_throw: Option<ThrowKey> = None;
        let entries = lines.iter().filter_map(|line| match line {
            Line::Entry(entry) => Some(entry),
            _ => None,
        });
        for line in entries {
            match (line, &last_throw) {
                (Entry::Consequence(what), Some(throw)) => {
                    if let Some((_, below)) = throws.get_mut(throw) {
                        below.push(what.clone());
                    }
                    continue;
                }
                _ => last_throw = None,
            }
            let place = || {
                let repeats = phases.repeats().map(|(name, n)| format!("{name} {n}"));
                repeats.collect::<Vec<_>>().join(", ")
            };
            let phase = || phases.innermost().to_owned();
            match line {
                Entry::Phase {
                    depth,
                    name,
                    iteration,
                } => {
                    phases.begin(*depth, name, *iteration);
                    step = name.clone();
                    picks = 0;
                    acted.clear();
                    counts.clear();
                }
                Entry::Step(name) => {
                    step = name.clone();
                    counts.clear();
                }
                Entry::Picked {
                    asker, label, key, ..
                } => {
                    let at = (
                        place(),
                        phase(),
                        asker.clone(),
                        label.clone(),
                        String::new(),
                        picks,
                    );
                    answers.insert(at, key.clone());
                    picks = picks.saturating_add(1);
                    let again = acted.entry(key.clone()).or_default();
                    step = format!("{asker} {label} {key}{}", once_more(*again));
                    *again = again.saturating_add(1);
                    counts.clear();
                }
                Entry::Chose {
                    asker,
                    label,
                    subject,
                    key,
                    ..
                } => {
                    let subject = subject.clone().unwrap_or_default();
                    let nth = counts
                        .entry((asker.clone(), label.clone(), subject.clone()))
                        .or_default();
                    let at = (place(), step.clone(), asker.clone(), label.clone(), subject, *nth);
                    *nth = nth.saturating_add(1);
                    answers.insert(at, key.clone());
                }
                Entry::Threw {
                    unit,
                    label,
                    told: landing,
                } => {
                    let mut at = (place(), step.clone(), unit.clone(), label.clone(), 0);
                    while throws.contains_key(&at) {
                        at.4 += 1;
                    }
                    throws.insert(at.clone(), (landing.clone(), Vec::new()));
                    last_throw = Some(at);
                }
                _ => {}
            }
        }
        Self {
            answers,
            asked: Rc::default(),
            throws,
        }
    }

    /// The answers alone: other rules tell what comes of throws anew.
    #[must_use]
    pub fn without_throws(mut self) -> Self {
        self.throws.clear();
        self
    }

    /// Returns a handle that later reports the number of stored answers and those that were never asked for.
    pub fn unused(&self) -> Unused {
        Unused {
            all: self.answers.keys().cloned().collect(),
            asked: Rc::clone(&self.asked),
        }
    }

    fn key(question: &Question<'_>) -> AnswerKey {
        let (rules, request) = (question.rules, question.request);
        let step = request.step;
        let pick = step.pick > 0;
        let name = if pick {
            rules.phases[step.phase as usize].name.clone()
        } else {
            step_name(rules, step)
        };
        let nth = if pick { step.pick - 1 } else { request.nth };
        (
            place_of(rules, step),
            name,
            rules.factions[request.asker.index()].clone(),
            question.label().to_owned(),
            rules.who(question.world.who(request.subject)),
            nth,
        )
    }
}

/// Stored answers that were never asked for.
pub struct Unused {
    all: Vec<AnswerKey>,
    asked: Rc<RefCell<BTreeSet<AnswerKey>>>,
}

impl Unused {
    /// One line for each answer that was never asked for.
    pub fn list(&self) -> Vec<String> {
        let used = self.asked.borrow();
        let unused = self.all.iter().filter(|k| !used.contains(k));
        unused
            .map(|(place, step, asker, label, ..)| format!("{place}: `{step}`, {asker} {label}"))
            .collect()
    }
}

fn no_longer_offered(stored: &str, question: &Question<'_>) -> AnswerError {
    question.no_fit(format!("`{stored}` is no longer offered"))
}

impl Answerer for Stored {
    fn answer(&mut self, question: &Question<'_>) -> Reply {
        let key = Self::key(question);
        let Some(stored) = self.answers.get(&key) else {
            if self.asked.borrow().len() >= self.answers.len() {
                // The record ends here: the play goes on from this question.
                return Reply::Wait;
            }
            return Reply::Stop(question.no_fit(format!(
                "no stored answer for `{}` of {}",
                question.label(),
                key.2,
            )));
        };
        match question.read(stored) {
            Ok(reply) => {
                self.asked.borrow_mut().insert(key);
                reply
            }
            Err(why) if question.request.options.is_open() => Reply::Stop(why),
            Err(_) => Reply::Stop(no_longer_offered(stored, question)),
        }
    }

    fn throws(&mut self, throw: &PendingThrow<'_>) -> Option<Landing> {
        let rules = throw.rules;
        let at = (
            place_of(rules, throw.step),
            step_name(rules, throw.step),
            rules.unit_name(throw.unit),
            throw.label.to_owned(),
            throw.nth,
        );
        let (landing, below) = self.throws.get(&at)?;
        event_text::read_throw(
            rules,
            landing,
            below,
            &event_text::by_throw(rules, throw.label, throw.unit),
        )
    }

    /// Checks that the stored answer, if there is one, is still offered. A question that was never asked before and has
    /// only one option is answered automatically; no answer is stored for it.
    fn answered_itself(&mut self, question: &Question<'_>) -> Result<(), AnswerError> {
        let key = Self::key(question);
        let Some(stored) = self.answers.get(&key) else {
            return Ok(());
        };
        if question.find(&question.keys(), stored).is_none() {
            return Err(no_longer_offered(stored, question));
        }
        self.asked.borrow_mut().insert(key);
        Ok(())
    }
}
