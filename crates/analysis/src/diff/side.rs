//! One side of a comparison: how it was played, what its record says, and how it ended.

use crate::agents::Agent;
use crate::description::{Description, PositionChange};
use crate::event_text::Entry;
use crate::kernel::event::Event;
use crate::kernel::rules::Rules;
use crate::kernel::table::{Answerer, Question, Reply};
use crate::kernel::world::World;
use crate::lines::counted;
use crate::play::Play;
use crate::rules::ruleset::LoadOptions;
use crate::scenario::file::ScenarioFile;
use crate::stage::run::{self, PlayStop, end_of};
use crate::transcript::{Line, lines_of};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One line of a transcript, with where it is in the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordLine {
    /// The line as transcripts have it.
    pub text: String,
    /// The index of its event in the record; for a heading, that of the next event.
    pub index: usize,
    /// Whether it is a phase's heading.
    pub heading: bool,
}

/// Point at which the stored answers no longer fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divergence {
    /// The step, by its readable name.
    pub step: String,
    /// Asked faction; empty if the step was taken back before any faction could be asked.
    pub faction: String,
    /// Label of the question.
    pub label: String,
    /// Description of the mismatch, in one sentence.
    pub why: String,
    /// The keys of the options.
    pub offered: Vec<String>,
    /// Number of lines of the transcript before the question.
    pub line: usize,
    /// The agent that answered from there on.
    pub then: Option<String>,
}

/// An expectation of the scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// As it is written.
    pub text: String,
    /// Whether it is true at the end; `None` where play did not come to its end.
    pub holds: Option<bool>,
}

/// End of a game: the kind of end, the final position, and the expectations that hold.
#[derive(Debug, Clone)]
pub struct ArmEnd {
    /// End of the game or the point where it stopped, in a few words.
    pub end: String,
    /// The scenario's expectations.
    pub expectations: Vec<Expectation>,
    position: Description,
    rules: Arc<Rules>,
}

impl ArmEnd {
    /// Returns the differences between the final positions.
    pub fn changes(&self, variant: &ArmEnd) -> Vec<PositionChange> {
        let (rules, others) = (&self.rules, &variant.rules);
        self.position.difference(rules, &variant.position, others)
    }

    /// Whether the two are the same outcome.
    pub fn is_same(&self, other: &ArmEnd) -> bool {
        self.end == other.end && self.expectations == other.expectations && self.changes(other).is_empty()
    }

    /// The final position: by unit, place, faction or `game`, then by slot.
    pub fn position(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        self.position.by_name(&self.rules)
    }

    /// The texts of the expectations that do not hold.
    pub fn unmet(&self) -> Vec<&str> {
        let unmet = self.expectations.iter().filter(|e| e.holds == Some(false));
        unmet.map(|e| e.text.as_str()).collect()
    }
}

/// One side of a comparison, played.
pub struct DiffArm {
    /// The play where it stopped.
    pub play: Play,
    /// The scenario file with this side's layers.
    pub file: ScenarioFile,
    /// Options with which its rules were loaded.
    pub options: LoadOptions,
    /// Reason for which it stopped.
    pub stopped: PlayStop,
    /// The transcript without its last line.
    pub record: Vec<RecordLine>,
    /// End of its game.
    pub outcome: ArmEnd,
    /// Divergence from the other side's answers, if it followed them and diverged.
    pub divergence: Option<Divergence>,
    /// Notes that are no failures: answers and scripted rolls left over or missing.
    pub notes: Vec<String>,
    pub(super) lines: Vec<Line>,
    pub(super) question: Option<QuestionName>,
    /// Whether it was played as the scenario says, and all went as that says.
    pub(super) passed: bool,
}

impl DiffArm {
    /// Whether it was played to where it should stop.
    pub fn went_well(&self) -> bool {
        !matches!(self.stopped, PlayStop::Diverged(_) | PlayStop::Failed(_))
    }

    /// The transcript with its last line.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.record {
            text.push_str(&line.text);
            text.push('\n');
        }
        text.push_str("end: ");
        text.push_str(&self.outcome.end);
        text.push('\n');
        text
    }

    /// The worlds just before and just after a line of [`DiffArm::told`]; past the last line, the
    /// world where the play stopped.
    pub fn worlds(&self, line: usize) -> (World, World) {
        match self.record.get(line) {
            Some(entry) if entry.heading => {
                let world = self.play.world_before(entry.index);
                (world.clone(), world)
            }
            Some(entry) => {
                let worlds = [Play::world_before, Play::world_after];
                worlds.map(|world| world(&self.play, entry.index)).into()
            }
            None => {
                let world = self.play.table().world.clone();
                (world.clone(), world)
            }
        }
    }
}

pub(super) fn side(
    mut play: Play,
    file: ScenarioFile,
    stopped: PlayStop,
    divergence: Option<Divergence>,
    notes: Vec<String>,
    question: Option<QuestionName>,
    options: LoadOptions,
) -> DiffArm {
    let (lines, entries) = record_lines(&play);
    let outcome = outcome_of(&mut play, &file, &stopped);
    DiffArm {
        play,
        file,
        stopped,
        record: entries,
        outcome,
        divergence,
        notes,
        lines,
        question,
        options,
        passed: false,
    }
}

/// Name of a question in a game; the same under every ruleset that asks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QuestionName {
    path: [u16; 4],
    phase: String,
    about: String,
    pick: u16,
    again: u16,
    after: String,
    faction: String,
    subject: String,
    label: String,
    nth: u16,
}

impl QuestionName {
    pub(super) fn of(question: &Question<'_>) -> Self {
        let (rules, request) = (question.rules, question.request);
        Self {
            path: request.step.path,
            phase: rules.phases[request.step.phase as usize].name.clone(),
            about: rules.who(request.step.about),
            pick: request.step.pick,
            again: request.step.again,
            after: request
                .step
                .interrupts
                .map_or_else(String::new, |cut| rules.unit_name(cut.after)),
            faction: rules.factions[request.asker.index()].clone(),
            subject: rules.who(question.world.who(request.subject)),
            label: question.label().to_owned(),
            nth: request.nth,
        }
    }
}

/// An agent that goes on as far as the question at which the other side stopped.
pub(super) struct DivergencePolicy {
    pub(super) agent: Option<Box<dyn Answerer>>,
    pub(super) as_far_as: Option<QuestionName>,
}

impl Answerer for DivergencePolicy {
    fn answer(&mut self, question: &Question<'_>) -> Reply {
        if self
            .as_far_as
            .as_ref()
            .is_some_and(|q| *q == QuestionName::of(question))
        {
            return Reply::Wait;
        }
        match &mut self.agent {
            Some(agent) => agent.answer(question),
            None => Reply::Wait,
        }
    }
}

/// The record as lines.
fn record_lines(play: &Play) -> (Vec<Line>, Vec<RecordLine>) {
    let table = play.table();
    let events = &table.events;
    let lines = lines_of(&table.rules, &table.words, events);
    let mut happened = events
        .iter()
        .enumerate()
        .filter(|(_, e)| !matches!(e, Event::Phase { .. }))
        .map(|(i, _)| i)
        .peekable();
    let entries = lines
        .iter()
        .map(|line| {
            let heading = matches!(line, Line::Entry(Entry::Phase { .. }));
            let next = if heading {
                happened.peek().copied()
            } else {
                happened.next()
            };
            RecordLine {
                text: line.text(),
                index: next.unwrap_or(events.len()),
                heading,
            }
        })
        .collect();
    (lines, entries)
}

pub(super) fn diverged(play: &Play, why: &str, then: Option<Agent>) -> Divergence {
    let read = play.with_question(|a| {
        let faction = a.rules.factions[a.request.asker.index()].clone();
        (faction, a.label().to_owned(), a.keys())
    });
    let (faction, label, keys) = read.unwrap_or_default();
    Divergence {
        step: play.step_name(),
        faction,
        label,
        why: why.to_owned(),
        offered: keys,
        line: record_lines(play).1.len(),
        then: then.map(|agent| agent.to_string()),
    }
}

/// Scripted rolls that were left over, or were missing or did not fit and came from the seed.
pub(super) fn roll_notes(play: &Play, file: &ScenarioFile) -> Vec<String> {
    let table = play.table();
    let mut notes = Vec::new();
    for (label, scripted) in &file.rolls {
        let rolled = table.events.iter().filter_map(|e| match e {
            Event::Rolled { label: l, dice, .. } if table.words.text(*l) == label.value => Some(dice),
            _ => None,
        });
        let rolled: Vec<Vec<i64>> = rolled.map(|dice| dice.values().collect()).collect();
        let unlike = |(nth, dice): &(usize, &Vec<i64>)| {
            let mut written = scripted[*nth].value.clone();
            let mut dice = (*dice).clone();
            written.sort_unstable();
            dice.sort_unstable();
            written != dice
        };
        let misfits = rolled
            .iter()
            .enumerate()
            .take(scripted.len())
            .filter(unlike)
            .count();
        let count = |n: usize| counted(n, "roll");
        if rolled.len() > scripted.len() {
            let more = count(rolled.len() - scripted.len());
            notes.push(format!(
                "{more} of `{label}` more than are scripted came from the seed"
            ));
        }
        if misfits > 0 {
            notes.push(format!(
                "{} of `{label}` did not fit what is scripted and came from the seed",
                count(misfits)
            ));
        }
        if rolled.len() < scripted.len() {
            let left = count(scripted.len() - rolled.len());
            notes.push(format!("{left} of `{label}` that are scripted were never rolled"));
        }
    }
    notes
}

fn outcome_of(play: &mut Play, file: &ScenarioFile, stopped: &PlayStop) -> ArmEnd {
    let ended = !matches!(stopped, PlayStop::Diverged(_) | PlayStop::Failed(_));
    let expectations = file.expect.iter().map(|e| Expectation {
        text: e.value.clone(),
        holds: ended.then(|| run::check(play, file, e).is_none()),
    });
    let (expectations, end) = (expectations.collect(), end_of(play, stopped));
    let table = play.table();
    ArmEnd {
        expectations,
        end,
        position: Description::of(&table.rules, &table.words, &table.world),
        rules: Arc::clone(&table.rules),
    }
}
