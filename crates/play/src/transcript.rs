//! Transcripts: what happened in a play, as text that people read and that can be played again.
//!
//! A transcript opens with its scenario (game, seed, units, dials) between `+++` lines; then one
//! line an event. Phases are headings, as deep as they nest; steps, answers and rolls stand flush
//! left, what follows from them is indented. Printing and parsing undo each other.
//!
//! A transcript holds no boards: they are drawn from positions. Lines that begin with `|` are boards that were drawn
//! between its lines for people; reading ignores them.

use crate::event_text::Entry;
use crate::kernel::event::Event;
use crate::kernel::phase;
use crate::kernel::rules::{Rules, Words};
use crate::report::{Problem, Problems, Source};
use crate::rules::declare::DialValue;
use crate::rules::layers::SCRATCH;
use crate::rules::ruleset::LoadOptions;
use crate::scenario::file::ScenarioFile;
use std::fmt::Write as _;
use std::sync::Arc;

pub mod problems;
mod stored;

pub use stored::{Stored, Unused};

/// The first line of every transcript.
pub const FIRST_LINE: &str = "rulebench transcript";
const FENCE: &str = "+++";
/// Prefix of each line of a drawn board.
pub const BOARD: &str = "|";
/// Prefix of a chapter's line.
const CHAPTER: &str = "~~ chapter ";

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Entry of the transcript: something that happened.
    Entry(Entry),
    /// Other rules are in force from here on, or something was changed by hand; the first chapter's line is only there in saves.
    Chapter {
        /// Number of the chapter, from 1.
        number: usize,
        /// The ordinal of the step with which it begins.
        step: u32,
        /// The fingerprint of its rules.
        rules: String,
        /// Options with which its rules are loaded; for the first chapter only those that the scenario cannot state.
        options: LoadOptions,
        /// Reason for the change of rules, in a few words; `None` where `options` say it.
        why: Option<String>,
        /// Changes made by hand. Such a chapter has the rules of the one before, and no options.
        edits: Option<Edits>,
    },
    /// End of the transcript.
    End(String),
}

/// Changes made by hand as a chapter began.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits {
    /// The step that was open, in words that stay true under other rules.
    pub at: String,
    /// Number of answers of the step that were already given and stayed.
    pub answers_before: usize,
    /// The changes in their order, in the words of [`crate::stage::edit`].
    pub texts: Vec<String>,
    /// The keys of the answers that somebody had given behind those that stayed: they did not fit any more.
    pub lost: Vec<String>,
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
        let mut text = self.print_scenario();
        self.lines.iter().for_each(|line| line.write(&mut text));
        text
    }

    /// The part of the text above the lines: the scenario.
    pub fn print_scenario(&self) -> String {
        let mut text = format!("{FIRST_LINE}\n{FENCE}\n{}", self.scenario.to_toml());
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(FENCE);
        text.push('\n');
        text
    }

    /// Reads a transcript from text.
    ///
    /// # Errors
    ///
    /// Problems with the scenario in it, and lines that are none.
    pub fn parse(source: &Arc<Source>) -> Result<Self, Problems> {
        Self::parse_from(source, 0)
    }

    /// Reads a transcript that begins at a line of a text, counted from 0.
    ///
    /// # Errors
    ///
    /// As [`Self::parse`], with the lines of the whole text.
    pub fn parse_from(source: &Arc<Source>, first: usize) -> Result<Self, Problems> {
        let text = source.text.replace("\r\n", "\n");
        let broken = |problem: Problem, line: usize| {
            let span = source.line_at(line_offset(&source.text, line));
            Problems::from(problem.at(source, span))
        };
        let mut rest = text.split('\n').enumerate().skip(first);
        if rest.next().map(|l| l.1) != Some(FIRST_LINE) {
            return Err(broken(problems::not_a_transcript(), first));
        }
        if rest.next().map(|l| l.1) != Some(FENCE) {
            return Err(broken(problems::missing_scenario(), first + 1));
        }
        let mut head = "\n".repeat(first + 2);
        loop {
            match rest.next() {
                Some((_, FENCE)) => break,
                Some((_, line)) => {
                    head.push_str(line);
                    head.push('\n');
                }
                None => return Err(broken(problems::cut_off_scenario(), first + 1)),
            }
        }
        let scenario = ScenarioFile::parse(Source::new(source.name.clone(), head))?;
        let mut lines: Vec<Line> = Vec::new();
        for (number, line) in rest {
            if line.is_empty() || line.starts_with(BOARD) {
                continue;
            }
            match Line::parse(line) {
                Some(parsed) => lines.push(parsed),
                None => return Err(broken(problems::unknown_line(), number)),
            }
        }
        if !matches!(lines.last(), Some(Line::End(_))) {
            return Err(broken(problems::missing_end(), text.lines().count()));
        }
        Ok(Self { scenario, lines })
    }

    /// Whether a text looks like a transcript.
    pub fn is_one(text: &str) -> bool {
        text.starts_with(FIRST_LINE)
    }
}

/// Prefix of a game's end when the rules failed.
pub const FAILED: &str = "the rules failed: ";

/// The byte at which a line begins, counted from 0.
pub(crate) fn line_offset(text: &str, line: usize) -> usize {
    text.split_inclusive('\n').take(line).map(str::len).sum()
}

impl Line {
    fn write(&self, text: &mut String) {
        // Writing into a text cannot fail.
        let _ = match self {
            Line::Entry(entry) => writeln!(text, "{entry}"),
            Line::Chapter {
                number,
                step,
                rules,
                options,
                why,
                edits,
            } => {
                let mut parts = edits.as_ref().map_or_else(Vec::new, edits_parts);
                parts.extend(options_parts(options));
                if let Some(why) = why {
                    parts.push(format!("why = {}", one_line(why)));
                }
                let table = match parts.is_empty() {
                    true => String::new(),
                    false => format!(" {{ {} }}", parts.join(", ")),
                };
                writeln!(text, "{CHAPTER}{number} from step {step}, rules {rules}{table}")
            }
            Line::End(what) => writeln!(text, "end: {what}"),
        };
    }

    pub(crate) fn parse(line: &str) -> Option<Self> {
        if let Some(what) = line.strip_prefix("end: ") {
            return Some(Line::End(what.to_owned()));
        }
        if let Some(chapter) = line.strip_prefix(CHAPTER).and_then(parse_chapter) {
            return Some(chapter);
        }
        Entry::parse(line).map(Line::Entry)
    }

    /// Returns the depth of a printed line as a heading, from 1: phases by their nesting, steps below all of them.
    pub fn heading(line: &str) -> Option<usize> {
        match Self::parse(line)? {
            Line::Entry(entry) => entry.heading(),
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

/// A text in quotes: JSON's strings are TOML's, and stay on one line.
fn one_line(text: &str) -> serde_json::Value {
    text.into()
}

fn array(texts: &[String]) -> toml::Value {
    toml::Value::Array(texts.iter().cloned().map(Into::into).collect())
}

/// Returns the changes made by hand, as parts of an inline table.
fn edits_parts(edits: &Edits) -> Vec<String> {
    let mut parts = vec![format!("at = {}", toml::Value::String(edits.at.clone()))];
    if edits.answers_before > 0 {
        parts.push(format!("after = {}", edits.answers_before));
    }
    parts.push(format!("edits = {}", array(&edits.texts)));
    if !edits.lost.is_empty() {
        parts.push(format!("lost = {}", array(&edits.lost)));
    }
    parts
}

/// Returns the options with which rules are loaded, as parts of an inline table.
fn options_parts(options: &LoadOptions) -> Vec<String> {
    let mut parts = Vec::new();
    if !options.variants.is_empty() {
        parts.push(format!("variants = {}", array(&options.variants)));
    }
    if !options.without.is_empty() {
        parts.push(format!("without = {}", array(&options.without)));
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
        parts.push(format!("{SCRATCH} = {}", one_line(text)));
    }
    parts
}

fn parse_chapter(rest: &str) -> Option<Line> {
    let (number, rest) = rest.split_once(" from step ")?;
    let (step, rest) = rest.split_once(", rules ")?;
    let (rules, table) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut options = LoadOptions::default();
    let (mut why, mut edits) = (None, Edits::default());
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
                "why" => why = Some(value.as_str()?.to_owned()),
                "at" => edits.at = value.as_str()?.to_owned(),
                "after" => edits.answers_before = value.as_integer()?.try_into().ok()?,
                "edits" => edits.texts = names(value)?,
                "lost" => edits.lost = names(value)?,
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
        why,
        edits: (!edits.texts.is_empty()).then_some(edits),
    })
}

/// Events as lines. Headings of phases in which nothing happens are left out, but for innermost repeating ones.
pub fn lines_of(rules: &Rules, words: &Words, events: &[Event]) -> Vec<Line> {
    let lines = numbered_lines_of(rules, words, events);
    lines.into_iter().map(|(_, line)| line).collect()
}

/// The same, each with the index of its event.
pub fn numbered_lines_of(rules: &Rules, words: &Words, events: &[Event]) -> Vec<(usize, Line)> {
    let tell = |event: &Event| Some(Entry::of(rules, words, event));
    lines_told(rules, events, &tell)
}

/// The lines of the record that people read, each with the index of its event.
pub fn lines_for_people(rules: &Rules, words: &Words, events: &[Event]) -> Vec<(usize, Line)> {
    let tell = |event: &Event| Entry::for_people(rules, words, event);
    lines_told(rules, events, &tell)
}

fn lines_told(rules: &Rules, events: &[Event], tell: &dyn Fn(&Event) -> Option<Entry>) -> Vec<(usize, Line)> {
    let mut lines = Vec::new();
    let mut waiting: Vec<(usize, Line)> = Vec::new();
    for (index, event) in events.iter().enumerate() {
        let Some(entry) = tell(event) else { continue };
        if let Entry::Phase { depth, .. } = &entry {
            waiting.retain(|(_, l)| matches!(l, Line::Entry(Entry::Phase { depth: d, .. }) if d < depth));
            waiting.push((index, Line::Entry(entry)));
            if begins_innermost(rules, event) {
                lines.append(&mut waiting);
            }
            continue;
        }
        lines.append(&mut waiting);
        lines.push((index, Line::Entry(entry)));
    }
    lines
}

/// Whether an innermost repeating phase begins with an event.
pub fn begins_innermost(rules: &Rules, event: &Event) -> bool {
    match event {
        Event::Phase { phase, iteration } => {
            *iteration > 0 && phase::is_innermost_repeat(&rules.phases, *phase)
        }
        _ => false,
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
