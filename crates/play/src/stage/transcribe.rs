//! A play as its transcript: what it tells, what a save of it tells, and where it tells something else than stored
//! lines do.

use crate::event_text::Entry;
use crate::kernel::event::Event;
use crate::play::Play;
use crate::rules::ruleset::LoadOptions;
use crate::scenario::file::ScenarioFile;
use crate::transcript::{FAILED, Line, Transcript, numbered_lines_of};
use crate::visible::visible;

/// The record of a play that started from this scenario.
pub fn transcript(play: &Play, scenario: &ScenarioFile, end: &str) -> Transcript {
    let mut result = with(play, scenario, end, &[]);
    if !play.chapters()[0].options.without.is_empty() {
        result.lines.insert(0, first_marker(play));
    }
    result
}

/// The same with further events behind those of the play.
fn with(play: &Play, scenario: &ScenarioFile, end: &str, more: &[Event]) -> Transcript {
    let mut scenario = scenario.clone();
    scenario.answers.clear();
    scenario.expect.clear();
    scenario.perft.clear();
    scenario.perft_forced.clear();
    scenario.until = None;
    scenario.open = crate::scenario::file::DEFAULT_OPEN.to_owned().into();
    let table = play.table();
    let mut lines = Vec::new();
    let mut chapters = play.chapters().iter().enumerate().skip(1).peekable();
    let events = [&table.events[..], more].concat();
    let numbered = numbered_lines_of(&table.rules, &table.words, &events);
    for (event, line) in numbered {
        while let Some((index, chapter)) = chapters.next_if(|(_, c)| c.from_event <= event) {
            lines.push(marker(play, index, chapter.options.clone()));
        }
        lines.push(line);
    }
    lines.extend(chapters.map(|(index, c)| marker(play, index, c.options.clone())));
    // What rules say when they fail may have any characters in it.
    let end = end.replace('\r', "\\r").replace('\n', "\\n");
    lines.push(Line::End(visible(&end, false)));
    Transcript { scenario, lines }
}

/// The same as a save: it also holds the fingerprint of the rules under which the play began, and the
/// answers that were given in a step whose rules fail.
pub fn saved(play: &Play, scenario: &ScenarioFile, end: &str) -> Transcript {
    let answers = play.table().answers_of_failed_step();
    let mut saved = with(play, scenario, end, &answers);
    saved.lines.insert(0, first_marker(play));
    saved
}

/// First difference between a play's record and stored lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineDifference {
    /// The stored line; empty when the record has ended there.
    pub was: String,
    /// The line now; empty when the play tells nothing more.
    pub is: String,
    /// The event's index in the play; `None` when the play tells nothing more.
    pub event: Option<usize>,
}

/// The first line that a play tells differently from stored lines. Chapters and the end are not compared, nor a step that failed, of which only the answers are stored; that the play has gone
/// further than the stored lines is no difference.
pub fn first_difference(play: &Play, stored: &[Line]) -> Option<LineDifference> {
    let table = play.table();
    let stored = without_failed_step(stored);
    let mut now = numbered_lines_of(&table.rules, &table.words, &table.events).into_iter();
    let was = stored.iter().filter(|l| matches!(l, Line::Entry(_)));
    for was in was {
        match now.next() {
            Some((_, is)) if is == *was => {}
            Some((event, is)) => {
                return Some(LineDifference {
                    was: was.text(),
                    is: is.text(),
                    event: Some(event),
                });
            }
            None => {
                return Some(LineDifference {
                    was: was.text(),
                    is: String::new(),
                    event: None,
                });
            }
        }
    }
    None
}

/// The lines before those of the step in which the rules failed, if they did.
fn without_failed_step(stored: &[Line]) -> &[Line] {
    let Some((Line::End(end), mut rest)) = stored.split_last() else {
        return stored;
    };
    if !end.starts_with(FAILED) {
        return stored;
    }
    while let [before @ .., Line::Chapter { .. }] = rest {
        rest = before;
    }
    let all = rest;
    while let [before @ .., Line::Entry(Entry::Chose { .. })] = rest {
        rest = before;
    }
    match rest {
        [before @ .., Line::Entry(Entry::Step(_))] if rest.len() < all.len() => before,
        _ => rest,
    }
}

/// The line of the first chapter, with what the scenario cannot say.
fn first_marker(play: &Play) -> Line {
    let first = &play.chapters()[0].options;
    let options = LoadOptions {
        without: first.without.clone(),
        scratch: first.scratch.clone(),
        ..LoadOptions::default()
    };
    marker(play, 0, options)
}

/// The line of a chapter, the one of this index; `options` are what it says of its rules.
fn marker(play: &Play, index: usize, options: LoadOptions) -> Line {
    let chapters = play.chapters();
    let chapter = &chapters[index];
    let edited = chapter.edits.is_some();
    let before = index
        .checked_sub(1)
        .map_or(&options, |before| &chapters[before].options);
    let is_implied = edited || changed_dials(before, &options) == chapter.why;
    let why = (!is_implied).then(|| chapter.why.clone());
    Line::Chapter {
        number: index + 1,
        step: chapter.from_step,
        rules: chapter.fingerprint.clone(),
        options: if edited { LoadOptions::default() } else { options },
        why,
        edits: chapter.edits.clone(),
    }
}

/// Returns the dials that changed between these options, such as `max_rounds=5`; empty where anything else was changed.
pub(super) fn changed_dials(before: &LoadOptions, after: &LoadOptions) -> String {
    let dials = after.dials.clone();
    if *after
        != (LoadOptions {
            dials,
            ..before.clone()
        })
        || before.dials.keys().any(|d| !after.dials.contains_key(d))
    {
        return String::new();
    }
    let now = after
        .dials
        .iter()
        .filter(|(dial, value)| before.dials.get(*dial) != Some(value));
    let now: Vec<String> = now.map(|(dial, value)| format!("{dial}={value}")).collect();
    now.join(", ")
}
