//! Transcripts: what happened in a play, as text that people read and that can be played again.
//!
//! A transcript opens with its scenario (game, seed, units, dials) between `+++` lines; then one
//! line an event. Phases are headings, as deep as they nest; steps, answers and rolls stand flush
//! left, what follows from them is indented; the board is drawn where an innermost repeating phase
//! begins. Printing and parsing undo each other.

use crate::kernel::event::{ACTIVATES, Event, PASS};
use crate::kernel::ids::{Who, WordId};
use crate::kernel::phase;
use crate::kernel::rules::{Rules, Words};
use crate::kernel::table::{Answerer, Asked, NoFit, Reply, Throwing};
use crate::kernel::thrown::{self, Told};
use crate::report::{Problem, Problems, Source};
use crate::scenario::file::ScenarioFile;
use crate::script::declare::DialValue;
use crate::script::host::Options;
use crate::script::layers::SCRATCH;
use crate::told::{self, ONLY, PASSES, once_more, place_of, step_name};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

/// The first line of every transcript.
pub const FIRST_LINE: &str = "rulebench transcript";
const FENCE: &str = "+++";
/// How the line of a chapter begins.
const CHAPTER: &str = "~~ chapter ";

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
    /// A die is thrown.
    Threw {
        /// The die.
        unit: String,
        /// What for.
        label: String,
        /// What came of it.
        told: String,
    },
    /// What followed.
    Consequence(String),
    /// The board as drawn.
    Board(Vec<String>),
    /// Other rules are in force from here on, or something was changed by hand; the first chapter's line is only there in saves.
    Chapter {
        /// Which chapter it is, from 1.
        number: usize,
        /// The ordinal of the step with which it begins.
        step: u32,
        /// The fingerprint of its rules.
        rules: String,
        /// What its rules are loaded with; of the first chapter only what the scenario cannot say.
        options: Options,
        /// The step in which something was changed by hand, in words; empty where nothing was. Such a
        /// chapter has the rules of the one before, and says no options.
        at: String,
        /// What was changed by hand, in the words of [`crate::stage::edit`].
        edits: Vec<String>,
    },
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
    pub fn parse(source: &Rc<Source>) -> Result<Self, Problems> {
        Self::parse_from(source, 0)
    }

    /// Reads a transcript that begins at a line of a text, counted from 0.
    ///
    /// # Errors
    ///
    /// As [`Self::parse`], with the lines of the whole text.
    pub fn parse_from(source: &Rc<Source>, first: usize) -> Result<Self, Problems> {
        let text = source.text.replace("\r\n", "\n");
        let broken = |why: &str, line: usize| {
            let span = source.line_at(line_offset(&source.text, line));
            Problems::from(
                Problem::new(why)
                    .at(source, span)
                    .hint("a transcript is written by `run`, `:save` or a snapshot, and is read whole"),
            )
        };
        let mut rest = text.split('\n').enumerate().skip(first);
        if rest.next().map(|l| l.1) != Some(FIRST_LINE) {
            return Err(broken("this is no transcript", first));
        }
        if rest.next().map(|l| l.1) != Some(FENCE) {
            return Err(broken("the scenario of the transcript is missing", first + 1));
        }
        let mut head = "\n".repeat(first + 2);
        loop {
            match rest.next() {
                Some((_, FENCE)) => break,
                Some((_, line)) => {
                    head.push_str(line);
                    head.push('\n');
                }
                None => return Err(broken("the transcript is cut off in its scenario", first + 1)),
            }
        }
        let scenario = ScenarioFile::parse(Source::new(source.name.clone(), head))?;
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

/// How the end of a game reads in which the rules failed.
pub const FAILED: &str = "the rules failed: ";

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
                let only = if *only { ONLY } else { "" };
                match key == PASS {
                    true => writeln!(text, "{asker} {PASSES}{only}"),
                    false => writeln!(text, "{asker} {label} {key}{only}"),
                }
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
            Line::Threw { unit, label, told } => writeln!(text, "{unit} threw {label}: {told}"),
            Line::Consequence(what) => writeln!(text, "  {what}"),
            Line::Board(board) => {
                for line in board {
                    let _ = writeln!(text, "{}", format!("| {line}").trim_end());
                }
                Ok(())
            }
            Line::Chapter {
                number,
                step,
                rules,
                options,
                at,
                edits,
            } => {
                let options = write_options(options, at, edits);
                writeln!(text, "{CHAPTER}{number} from step {step}, rules {rules}{options}")
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
        if let Some(chapter) = line.strip_prefix(CHAPTER).and_then(parse_chapter) {
            return Some(chapter);
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
        if let Some((unit, rest)) = line.split_once(" threw ")
            && !unit.contains(' ')
        {
            let (label, told) = rest.split_once(": ")?;
            return Some(Line::Threw {
                unit: unit.to_owned(),
                label: label.to_owned(),
                told: told.to_owned(),
            });
        }
        let picked = format!(" {ACTIVATES} ");
        let passed = line.strip_suffix(PASSES).and_then(|l| l.strip_suffix(' '));
        if let Some((asker, key)) = line.split_once(&picked).or(passed.map(|asker| (asker, PASS)))
            && !asker.contains(' ')
            && !asker.is_empty()
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

    /// How deep a printed line is as a heading, from 1: phases as they nest, steps below them all.
    pub fn heading(line: &str) -> Option<usize> {
        match Self::parse(line)? {
            Line::Phase { depth, .. } => Some(depth),
            Line::Step(name) if !name.is_empty() && !name.starts_with('|') => Some(usize::MAX),
            Line::Picked { .. } => Some(usize::MAX),
            _ => None,
        }
    }

    /// The line as it is printed, without the newline.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text.truncate(text.trim_end_matches('\n').len());
        text
    }
}

/// Options and changes by hand as an inline table behind a blank; nothing when there are none.
fn write_options(options: &Options, at: &str, edits: &[String]) -> String {
    let names = |names: &[String]| toml::Value::Array(names.iter().cloned().map(Into::into).collect());
    let mut parts = Vec::new();
    if !at.is_empty() {
        parts.push(format!("at = {}", toml::Value::String(at.to_owned())));
    }
    if !edits.is_empty() {
        parts.push(format!("edits = {}", names(edits)));
    }
    if !options.variants.is_empty() {
        parts.push(format!("variants = {}", names(&options.variants)));
    }
    if !options.without.is_empty() {
        parts.push(format!("without = {}", names(&options.without)));
    }
    if !options.dials.is_empty() {
        let dials = options.dials.iter().map(|(name, value)| {
            let value = match value {
                DialValue::Number(n) => toml::Value::Integer(*n),
                DialValue::Word(w) => toml::Value::String(w.clone()),
            };
            (name.clone(), value)
        });
        parts.push(format!("dials = {}", toml::Value::Table(dials.collect())));
    }
    if let Some(text) = &options.scratch {
        // JSON's strings are TOML's, and stay on one line.
        parts.push(format!("{SCRATCH} = {}", serde_json::Value::from(text.as_str())));
    }
    if parts.is_empty() {
        return String::new();
    }
    format!(" {{ {} }}", parts.join(", "))
}

fn parse_chapter(rest: &str) -> Option<Line> {
    let (number, rest) = rest.split_once(" from step ")?;
    let (step, rest) = rest.split_once(", rules ")?;
    let (rules, table) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut options = Options::default();
    let (mut at, mut edits) = (String::new(), Vec::new());
    if !table.is_empty() {
        let whole: toml::Table = toml::from_str(&format!("options = {table}")).ok()?;
        let names = |value: &toml::Value| -> Option<Vec<String>> {
            let names = value.as_array()?.iter().map(|n| Some(n.as_str()?.to_owned()));
            names.collect()
        };
        for (key, value) in whole.get("options")?.as_table()? {
            match key.as_str() {
                "variants" => options.variants = names(value)?,
                "without" => options.without = names(value)?,
                SCRATCH => options.scratch = Some(value.as_str()?.to_owned()),
                "at" => at = value.as_str()?.to_owned(),
                "edits" => edits = names(value)?,
                "dials" => {
                    for (name, value) in value.as_table()? {
                        let value = match value {
                            toml::Value::Integer(n) => DialValue::Number(*n),
                            toml::Value::String(w) => DialValue::Word(w.clone()),
                            _ => return None,
                        };
                        options.dials.insert(name.clone(), value);
                    }
                }
                _ => return None,
            }
        }
    }
    Some(Line::Chapter {
        number: number.parse().ok()?,
        step: step.parse().ok()?,
        rules: rules.to_owned(),
        options,
        at,
        edits,
    })
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
    let lines = numbered_lines_of(rules, words, events, from, board);
    lines.into_iter().map(|(_, line)| line).collect()
}

/// The same, each with the index of its event.
pub fn numbered_lines_of(
    rules: &Rules,
    words: &Words,
    events: &[Event],
    from: usize,
    board: &dyn Fn(usize) -> Option<Vec<String>>,
) -> Vec<(usize, Line)> {
    let mut lines = Vec::new();
    let mut waiting: Vec<(usize, Line)> = Vec::new();
    for (index, event) in events.iter().enumerate().skip(from) {
        if let Event::Phase { phase, iteration } = event {
            let depth = phase::depth(&rules.phases, *phase);
            waiting.retain(|(_, l)| matches!(l, Line::Phase { depth: d, .. } if *d < depth));
            let name = rules.phases[*phase as usize].name.clone();
            let iteration = (*iteration > 0).then_some(*iteration);
            let heading = Line::Phase {
                depth,
                name,
                iteration,
            };
            if iteration.is_some() && phase::is_innermost_repeat(&rules.phases, *phase) {
                lines.append(&mut waiting);
                lines.push((index, heading));
                lines.extend(board(index).map(|b| (index, Line::Board(b))));
            } else {
                waiting.push((index, heading));
            }
            continue;
        }
        lines.append(&mut waiting);
        lines.push((index, line_of(rules, words, event)));
    }
    lines
}

/// An event as a line; the wording of what followed is the event's own.
fn line_of(rules: &Rules, words: &Words, event: &Event) -> Line {
    let label = |word: WordId| words.text(word).to_owned();
    match event {
        Event::Step(step) => Line::Step(step_name(rules, *step)),
        Event::Chose(answer) => {
            let asker = rules.factions[answer.asker.index()].clone();
            let (key, only) = (answer.chosen.key(rules, words), answer.only);
            let label = label(answer.label);
            if answer.step.pick > 0 {
                return Line::Picked {
                    asker,
                    label,
                    key,
                    only,
                };
            }
            let subject = Some(answer.subject).filter(|who| *who != Who::Game);
            Line::Chose {
                asker,
                label,
                subject: subject.map(|who| rules.who(who)),
                key,
                only,
            }
        }
        Event::Rolled {
            who,
            label: word,
            dice,
        } => Line::Rolled {
            who: told::roller(rules, *who),
            label: label(*word),
            dice: dice.to_string(),
        },
        Event::Threw {
            unit,
            label: word,
            record,
        } => Line::Threw {
            unit: rules.unit_name(*unit),
            label: label(*word),
            told: told::throw(rules, &record.told),
        },
        // What cannot be said in the words of these rules is known as its line alone.
        other => {
            let text = other.line(rules, words);
            match other.is_consequence() {
                true => Line::Consequence(text),
                false => Line::parse(&text).unwrap_or(Line::Step(text)),
            }
        }
    }
}

/// The phases under way where a transcript is read, outermost first: how deep, which, and how often it has begun.
#[derive(Default)]
pub struct Phases(Vec<(usize, String, Option<u16>)>);

impl Phases {
    /// One begins: those as deep and deeper are over.
    pub fn begin(&mut self, depth: usize, name: &str, iteration: Option<u16>) {
        self.0.retain(|(d, ..)| *d < depth);
        self.0.push((depth, name.to_owned(), iteration));
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(_, name, _)| name.as_str())
    }

    /// The name of the innermost; empty before the first.
    pub fn innermost(&self) -> &str {
        self.names().last().unwrap_or_default()
    }

    /// Those that repeat, and how often each has begun.
    pub fn repeats(&self) -> impl DoubleEndedIterator<Item = (&str, u16)> {
        self.0
            .iter()
            .filter_map(|(_, name, n)| Some((name.as_str(), (*n)?)))
    }
}

/// What an answer is stored under: where, which step, who is asked what about whom, how often before.
type Key = (String, String, String, String, String, u16);

/// Answers of a transcript, found by what was asked and not by their order.
pub struct Stored {
    answers: BTreeMap<Key, String>,
    asked: Rc<RefCell<Vec<Key>>>,
    /// What came of throws: the line, and what follows below it.
    throws: BTreeMap<Throw, (String, Vec<String>)>,
}

/// What a throw is stored under: where, which step, which die, what for, how often before.
type Throw = (String, String, String, String, u32);

impl Stored {
    /// The answers of a transcript's lines.
    pub fn new(lines: &[Line]) -> Self {
        let mut answers = BTreeMap::new();
        let mut phases = Phases::default();
        let mut step = String::new();
        let mut picks: u16 = 0;
        let mut acted: BTreeMap<String, u16> = BTreeMap::new();
        let mut counts: BTreeMap<(String, String, String), u16> = BTreeMap::new();
        let mut throws: BTreeMap<Throw, (String, Vec<String>)> = BTreeMap::new();
        let mut last_throw: Option<Throw> = None;
        for line in lines {
            match (line, &last_throw) {
                (Line::Consequence(what), Some(throw)) => {
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
                Line::Phase {
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
                    let again = acted.entry(key.clone()).or_default();
                    step = format!("{asker} {label} {key}{}", once_more(*again));
                    *again = again.saturating_add(1);
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
                Line::Threw { unit, label, told } => {
                    let mut at = (place(), step.clone(), unit.clone(), label.clone(), 0);
                    while throws.contains_key(&at) {
                        at.4 += 1;
                    }
                    throws.insert(at.clone(), (told.clone(), Vec::new()));
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

fn no_longer_offered(stored: &str, asked: &Asked<'_>) -> NoFit {
    asked.no_fit(format!("`{stored}` is no longer offered"))
}

impl Answerer for Stored {
    fn answer(&mut self, asked: &Asked<'_>) -> Reply {
        let key = Self::key(asked);
        let Some(stored) = self.answers.get(&key) else {
            let used: std::collections::BTreeSet<Key> = self.asked.borrow().iter().cloned().collect();
            if used.len() >= self.answers.len() {
                // The record ends here: the play goes on from this question.
                return Reply::Wait;
            }
            return Reply::Stop(asked.no_fit(format!(
                "no stored answer for `{}` of {}",
                asked.label(),
                key.2,
            )));
        };
        match asked.read(stored) {
            Ok(reply) => {
                self.asked.borrow_mut().push(key);
                reply
            }
            Err(why) if asked.request.options.is_open() => Reply::Stop(why),
            Err(_) => Reply::Stop(no_longer_offered(stored, asked)),
        }
    }

    fn throws(&mut self, throw: &Throwing<'_>) -> Option<Told> {
        let rules = throw.rules;
        let at = (
            place_of(rules, throw.step),
            step_name(rules, throw.step),
            rules.unit_name(throw.unit),
            throw.label.to_owned(),
            throw.nth,
        );
        let (told, below) = self.throws.get(&at)?;
        told::read_throw(rules, told, below, &thrown::by(rules, throw.label, throw.unit))
    }

    /// What was answered must be what is left. A question that nobody was asked before, and that
    /// has one answer only, goes by itself and stands for no stored answer.
    fn answered_itself(&mut self, asked: &Asked<'_>) -> Result<(), NoFit> {
        let key = Self::key(asked);
        let Some(stored) = self.answers.get(&key) else {
            return Ok(());
        };
        let keys = asked.keys();
        if !keys.contains(stored) {
            return Err(no_longer_offered(stored, asked));
        }
        self.asked.borrow_mut().push(key);
        Ok(())
    }
}
