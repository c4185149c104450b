//! Transcripts: what happened in a play, as text that people read and that can be played again.
//!
//! A transcript opens with its scenario (game, seed, units, dials) between `+++` lines; then one
//! line an event. Phases are headings, as deep as they nest; steps, answers and rolls stand flush
//! left, what follows from them is indented; the board is drawn where an innermost repeating phase
//! begins. Printing and parsing undo each other.

use crate::kernel::choice::StepId;
use crate::kernel::event::{ACTIVATES, Event, ONLY, step_name};
use crate::kernel::phase;
use crate::kernel::rules::{Rules, Words};
use crate::kernel::table::{Asked, Reply, Source};
use crate::kernel::world::World;
use crate::play::Play;
use crate::render::{self, Style};
use crate::report::{Problem, Problems, Source as Text};
use crate::scenario::file::ScenarioFile;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

/// The first line of every transcript.
pub const FIRST_LINE: &str = "rulebench transcript";
const FENCE: &str = "+++";

/// One line, or the drawn board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A phase begins.
    Phase {
        /// How deep it nests, from 1.
        depth: usize,
        /// Its name.
        name: String,
        /// How often it has begun, when it repeats.
        iteration: Option<u16>,
    },
    /// A step begins.
    Step(String),
    /// A faction picks the unit that it activates.
    Picked {
        /// Who picks.
        asker: String,
        /// What the pick is called.
        label: String,
        /// The unit's name.
        key: String,
        /// Whether nothing else could be picked.
        only: bool,
    },
    /// A question is answered.
    Chose {
        /// Who is asked.
        asker: String,
        /// What is asked.
        label: String,
        /// What it is about, when that is not the step's subject.
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
        /// What for.
        label: String,
        /// The dice, sorted.
        dice: String,
    },
    /// What followed.
    Consequence(String),
    /// The board as drawn.
    Board(Vec<String>),
    /// How the transcript ends.
    End(String),
}

/// A play as text. See the module's comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// The scenario that it starts from, without answers.
    pub scenario: ScenarioFile,
    /// The lines.
    pub lines: Vec<Line>,
}

impl Transcript {
    /// The record of a play that started from this scenario. Boards need the play's trail.
    pub fn of(play: &Play, scenario: &ScenarioFile, end: &str) -> Self {
        let mut scenario = scenario.clone();
        scenario.answers.clear();
        scenario.expect.clear();
        scenario.until = None;
        scenario.open = crate::scenario::file::DEFAULT_OPEN.to_owned().into();
        let table = play.table();
        let boards = Boards { play };
        let mut lines = lines_of(&table.rules, &table.words, &table.events, 0, &|i| boards.at(i));
        lines.push(Line::Board(drawn(&table.rules, &table.world)));
        lines.push(Line::End(end.to_owned()));
        Self { scenario, lines }
    }

    /// The transcript as text; ends with a newline.
    pub fn print(&self) -> String {
        let mut text = format!("{FIRST_LINE}\n{FENCE}\n{}", self.scenario.to_toml());
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(FENCE);
        text.push('\n');
        for line in &self.lines {
            line.write(&mut text);
        }
        text
    }

    /// Reads a transcript from text.
    ///
    /// # Errors
    ///
    /// Problems with the scenario in it, and lines that are none.
    pub fn parse(source: &Rc<Text>) -> Result<Self, Problems> {
        let text = source.text.replace("\r\n", "\n");
        let broken = |why: &str, line: usize| {
            let span = source.line_at(line_offset(&source.text, line));
            Problems::from(
                Problem::new(why)
                    .at(source, span)
                    .hint("a transcript is written by `run`, `:save` or a snapshot, and is read whole"),
            )
        };
        let mut rest = text.split('\n').enumerate();
        if rest.next().map(|l| l.1) != Some(FIRST_LINE) {
            return Err(broken("this is no transcript", 0));
        }
        if rest.next().map(|l| l.1) != Some(FENCE) {
            return Err(broken("the scenario of the transcript is missing", 1));
        }
        let mut head = String::from("\n\n");
        loop {
            match rest.next() {
                Some((_, FENCE)) => break,
                Some((_, line)) => {
                    head.push_str(line);
                    head.push('\n');
                }
                None => return Err(broken("the transcript is cut off in its scenario", 1)),
            }
        }
        let scenario = ScenarioFile::parse(Text::new(source.name.clone(), head))?;
        let mut lines: Vec<Line> = Vec::new();
        for (number, line) in rest {
            if line.is_empty() {
                continue;
            }
            if let Some(drawn) = line.strip_prefix('|') {
                let drawn = drawn.strip_prefix(' ').unwrap_or(drawn).to_owned();
                match lines.last_mut() {
                    Some(Line::Board(board)) => board.push(drawn),
                    _ => lines.push(Line::Board(vec![drawn])),
                }
                continue;
            }
            match Line::parse(line) {
                Some(parsed) => lines.push(parsed),
                None => return Err(broken("this is no line of a transcript", number)),
            }
        }
        if !matches!(lines.last(), Some(Line::End(_))) {
            return Err(broken(
                "the transcript is cut off: its last line is missing",
                text.lines().count(),
            ));
        }
        Ok(Self { scenario, lines })
    }

    /// Whether a text looks like a transcript.
    pub fn is_one(text: &str) -> bool {
        text.starts_with(FIRST_LINE)
    }
}

fn line_offset(text: &str, line: usize) -> usize {
    text.split_inclusive('\n').take(line).map(str::len).sum()
}

impl Line {
    fn write(&self, text: &mut String) {
        // Writing into a text cannot fail.
        let _ = match self {
            Line::Phase {
                depth,
                name,
                iteration,
            } => {
                let marks = "=".repeat(*depth);
                match iteration {
                    Some(n) => writeln!(text, "{marks} {name} {n}"),
                    None => writeln!(text, "{marks} {name}"),
                }
            }
            Line::Step(name) => writeln!(text, "{name}"),
            Line::Picked {
                asker,
                label,
                key,
                only,
            } => {
                writeln!(text, "{asker} {label} {key}{}", if *only { ONLY } else { "" })
            }
            Line::Chose {
                asker,
                label,
                subject,
                key,
                only,
            } => {
                let about = subject.as_ref().map_or_else(String::new, |s| format!(" for {s}"));
                writeln!(
                    text,
                    "{asker} chose {label}{about}: {key}{}",
                    if *only { ONLY } else { "" }
                )
            }
            Line::Rolled { who, label, dice } => writeln!(text, "{who} rolled {label}: {dice}"),
            Line::Consequence(what) => writeln!(text, "  {what}"),
            Line::Board(board) => {
                for line in board {
                    let _ = writeln!(text, "{}", format!("| {line}").trim_end());
                }
                Ok(())
            }
            Line::End(what) => writeln!(text, "end: {what}"),
        };
    }

    fn parse(line: &str) -> Option<Self> {
        if let Some(what) = line.strip_prefix("  ") {
            return Some(Line::Consequence(what.to_owned()));
        }
        if let Some(what) = line.strip_prefix("end: ") {
            return Some(Line::End(what.to_owned()));
        }
        let depth = line.len() - line.trim_start_matches('=').len();
        if depth > 0 {
            let name = line[depth..].strip_prefix(' ')?;
            return Some(match name.rsplit_once(' ') {
                Some((name, n)) if n.bytes().all(|b| b.is_ascii_digit()) => Line::Phase {
                    depth,
                    name: name.to_owned(),
                    iteration: Some(n.parse().ok()?),
                },
                _ => Line::Phase {
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
        if let Some((asker, rest)) = line.split_once(" chose ")
            && !asker.contains(' ')
        {
            let (label, key) = rest.split_once(": ")?;
            let (label, subject) = match label.rsplit_once(" for ") {
                Some((label, subject)) => (label, Some(subject.to_owned())),
                None => (label, None),
            };
            return Some(Line::Chose {
                asker: asker.to_owned(),
                label: label.to_owned(),
                subject,
                key: key.to_owned(),
                only,
            });
        }
        if let Some((who, rest)) = line.split_once(" rolled ")
            && !who.contains(' ')
        {
            let (label, dice) = rest.split_once(": ")?;
            return Some(Line::Rolled {
                who: who.to_owned(),
                label: label.to_owned(),
                dice: dice.to_owned(),
            });
        }
        let picked = format!(" {ACTIVATES} ");
        if let Some((asker, key)) = line.split_once(&picked)
            && !asker.contains(' ')
        {
            return Some(Line::Picked {
                asker: asker.to_owned(),
                label: ACTIVATES.to_owned(),
                key: key.to_owned(),
                only,
            });
        }
        (!only).then(|| Line::Step(line.to_owned()))
    }

    /// The line as it is printed, without the newline.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text.truncate(text.trim_end_matches('\n').len());
        text
    }
}

struct Boards<'a> {
    play: &'a Play,
}

impl Boards<'_> {
    /// The board as it was when the event of this index, the beginning of a phase, happened.
    fn at(&self, event: usize) -> Option<Vec<String>> {
        let checkpoint = self.play.checkpoint_after(event)?;
        Some(drawn(&self.play.host.rules, &checkpoint.position.world))
    }
}

/// The board as transcripts draw it: without colour, lines without trailing blanks.
fn drawn(rules: &Rules, world: &World) -> Vec<String> {
    let style = Style::default();
    let mut text = render::board(rules, world, &style);
    text.push('\n');
    text.push_str(&render::status(rules, world, &style));
    if let Some(reserve) = render::reserve(rules, world, &style) {
        text.push('\n');
        text.push_str(&reserve);
    }
    text.lines().map(|l| l.trim_end().to_owned()).collect()
}

/// Events as lines. Headings of phases in which nothing happens are left out; `board` draws the
/// board at the event of an index. `from` is where in the record the events begin.
pub fn lines_of(
    rules: &Rules,
    words: &Words,
    events: &[Event],
    from: usize,
    board: &dyn Fn(usize) -> Option<Vec<String>>,
) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut waiting: Vec<Line> = Vec::new();
    for (index, event) in events.iter().enumerate().skip(from) {
        if let Event::Phase { phase, iteration } = event {
            let depth = phase::depth(&rules.phases, *phase);
            waiting.retain(|l| matches!(l, Line::Phase { depth: d, .. } if *d < depth));
            let name = rules.phases[*phase as usize].name.clone();
            let iteration = (*iteration > 0).then_some(*iteration);
            let heading = Line::Phase {
                depth,
                name,
                iteration,
            };
            if iteration.is_some() && phase::is_innermost_repeat(&rules.phases, *phase) {
                lines.append(&mut waiting);
                lines.push(heading);
                lines.extend(board(index).map(Line::Board));
            } else {
                waiting.push(heading);
            }
            continue;
        }
        lines.append(&mut waiting);
        lines.push(line_of(rules, words, event));
    }
    lines
}

/// An event as a line; the wording is the event's own.
fn line_of(rules: &Rules, words: &Words, event: &Event) -> Line {
    let text = event.line(rules, words);
    if event.is_consequence() {
        return Line::Consequence(text);
    }
    Line::parse(&text).unwrap_or(Line::Step(text))
}

/// What an answer is stored under: where, which step, who is asked what about whom, how often before.
type Key = (String, String, String, String, String, u8);

fn place_of(rules: &Rules, step: StepId) -> String {
    let repeats = phase::repeats_around(&rules.phases, step.phase);
    let parts: Vec<String> = repeats
        .iter()
        .zip(step.path)
        .map(|(phase, n)| format!("{} {n}", rules.phases[*phase as usize].name))
        .collect();
    parts.join(", ")
}

/// Answers of a transcript, found by what was asked and not by their order.
pub struct Stored {
    answers: BTreeMap<Key, String>,
    asked: Rc<RefCell<Vec<Key>>>,
}

impl Stored {
    /// The answers of a transcript's lines.
    pub fn new(lines: &[Line]) -> Self {
        let mut answers = BTreeMap::new();
        let mut phases: Vec<(usize, String, Option<u16>)> = Vec::new();
        let mut step = String::new();
        let mut picks: u8 = 0;
        let mut counts: BTreeMap<(String, String, String), u8> = BTreeMap::new();
        for line in lines {
            let place = || {
                let repeats = phases
                    .iter()
                    .filter_map(|(_, n, i)| Some(format!("{n} {}", (*i)?)));
                repeats.collect::<Vec<_>>().join(", ")
            };
            let phase = || phases.last().map_or_else(String::new, |p| p.1.clone());
            match line {
                Line::Phase {
                    depth,
                    name,
                    iteration,
                } => {
                    phases.retain(|(d, ..)| d < depth);
                    phases.push((*depth, name.clone(), *iteration));
                    step = name.clone();
                    picks = 0;
                    counts.clear();
                }
                Line::Step(name) => {
                    step = name.clone();
                    counts.clear();
                }
                Line::Picked {
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
                    step = format!("{asker} {label} {key}");
                    counts.clear();
                }
                Line::Chose {
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
                _ => {}
            }
        }
        Self {
            answers,
            asked: Rc::default(),
        }
    }

    /// How many answers are stored, and a handle that tells later how many were asked for.
    pub fn unused(&self) -> Unused {
        Unused {
            all: self.answers.keys().cloned().collect(),
            asked: Rc::clone(&self.asked),
        }
    }

    fn key(asked: &Asked<'_>) -> Key {
        let (rules, request) = (asked.rules, asked.request);
        let step = request.step;
        let pick = step.pick > 0;
        let name = if pick || step.about == crate::kernel::ids::Who::Game {
            rules.phases[step.phase as usize].name.clone()
        } else {
            step_name(rules, step)
        };
        let nth = if pick { step.pick - 1 } else { request.nth };
        (
            place_of(rules, step),
            name,
            rules.factions[request.asker.index()].clone(),
            asked.label().to_owned(),
            rules.who(asked.world.who(request.subject)),
            nth,
        )
    }
}

/// Which stored answers were never asked for.
pub struct Unused {
    all: Vec<Key>,
    asked: Rc<RefCell<Vec<Key>>>,
}

impl Unused {
    /// One line for each answer that was never asked for.
    pub fn list(&self) -> Vec<String> {
        let asked = self.asked.borrow();
        let unused = self.all.iter().filter(|k| !asked.contains(k));
        unused
            .map(|(place, step, asker, label, ..)| format!("{place}: `{step}`, {asker} {label}"))
            .collect()
    }
}

impl Source for Stored {
    fn answer(&mut self, asked: &Asked<'_>) -> Reply {
        let key = Self::key(asked);
        let Some(stored) = self.answers.get(&key) else {
            let used: std::collections::BTreeSet<Key> = self.asked.borrow().iter().cloned().collect();
            if used.len() >= self.answers.len() {
                // The record ends here: the play goes on from this question.
                return Reply::Wait;
            }
            return Reply::Stop(format!(
                "no stored answer for `{}` of {}; offered: {}",
                asked.label(),
                key.2,
                asked.keys().join(", ")
            ));
        };
        let keys = asked.keys();
        match keys.iter().position(|k| k == stored) {
            Some(index) => {
                self.asked.borrow_mut().push(key);
                Reply::Take(index)
            }
            None => Reply::Stop(format!(
                "`{stored}` is no longer offered; offered: {}",
                keys.join(", ")
            )),
        }
    }

    fn answered_itself(&mut self, asked: &Asked<'_>) {
        self.asked.borrow_mut().push(Self::key(asked));
    }
}
