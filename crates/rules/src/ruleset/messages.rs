//! Messages for failures of rules.

use super::Ruleset;
use crate::failures;
use crate::layers::{Layers, ScriptText};
use crate::report::{Problem, Problems};
use crate::run::context::Program;
use crate::run::fault::{Failure, FaultKind};
use crate::run::node::Loc;
use std::sync::Arc;

/// Minimum number of times that a line is met on the way to the deepest call when it is part of a circle of calls.
const ROUNDS: usize = 3;

/// Maximum number of calls listed around a line that never ends.
const CALLS_TOLD: usize = 4;

impl Ruleset {
    /// Returns the known names, for hints.
    pub(crate) fn known_names(&self) -> failures::KnownNames<'_> {
        failures::KnownNames {
            catalogue: Some(&self.catalogue),
            rules: Some(&self.rules),
            names: self.dials.iter().map(|d| d.name.as_str()).collect(),
            functions: signatures(&self.program),
        }
    }

    /// A failure of the rules as a problem at its place, with the calls that led there.
    pub(crate) fn problem(&self, failure: &Failure) -> Problem {
        let problem = problem_of(failure, &self.program, &self.layers, &self.known_names());
        if failure.runs_away() {
            self.run_away(problem, failure)
        } else {
            problem
        }
    }

    /// The problem of a step that never ends, at the line where it was stopped.
    fn run_away(&self, mut problem: Problem, failure: &Failure) -> Problem {
        let at = |(function, spot): &(usize, Loc)| {
            let text = self.program.functions.get(*function)?.text;
            (spot.line() > 0).then_some((text, spot.line()))
        };
        let own = (failure.function, failure.spot);
        let mut lines: Vec<(usize, usize)> = [own].iter().chain(&failure.calls).filter_map(at).collect();
        if failure.why == FaultKind::Deep {
            // Where it was stopped is chance; the lines that come again and again are the circle.
            let all = std::mem::take(&mut lines);
            for line in &all {
                let times = all.iter().filter(|l| *l == line).count();
                if times >= ROUNDS && !lines.contains(line) {
                    lines.push(*line);
                }
            }
        }
        let place = |(text, line): &(usize, usize)| {
            let source = &self.layers.texts[*text].parsed.source;
            let whole = source.line_at(source.span_at(*line, 1).start);
            let blank = source.slice(whole.clone());
            let blank = blank.len() - blank.trim_start().len();
            let end = whole.start + source.slice(whole.clone()).trim_end().len();
            (Arc::clone(source), whole.start + blank..end)
        };
        let Some(innermost) = lines.first() else {
            return problem;
        };
        let (source, span) = place(innermost);
        let reported = problem.place.as_ref();
        if reported.is_some_and(|p| p.source.name == source.name && p.line_col().0 == innermost.1) {
            return problem;
        }
        problem.chain.clear();
        problem = problem.at(&source, span);
        let mut calls: Vec<&(usize, usize)> = lines[1..].iter().collect();
        calls.dedup();
        for call in calls.into_iter().take(CALLS_TOLD) {
            let (source, span) = place(call);
            problem = problem.called_from(&source, span, None);
        }
        problem
    }
}

/// The script functions as they are called, by name.
fn signatures(program: &Program) -> Vec<(&str, String)> {
    let named = program.functions.iter().filter(|f| f.within.is_none());
    let pairs = named.map(|f| (f.name.as_str(), format!("{}({})", f.name, f.params.join(", "))));
    pairs.collect()
}

/// A failure as a problem at its place, with the calls that led there.
pub(super) fn problem_of(
    failure: &Failure,
    program: &Program,
    layers: &Layers,
    known: &failures::KnownNames<'_>,
) -> Problem {
    let mut problem = failures::problem_of(&failure.why, known);
    let source = |function: usize| {
        let function = program.functions.get(function)?;
        layers.texts.get(function.text).map(|t| &t.parsed.source)
    };
    if let Some(source) = source(failure.function) {
        let at = match failure.spot.at() {
            (0, _) => program.functions[failure.function].at,
            at => at,
        };
        problem = problem.at(source, source.span_at(at.0.max(1), at.1.max(1)));
    }
    for (function, spot) in &failure.calls {
        let (Some(source), at) = (source(*function), spot.at()) else {
            continue;
        };
        if at.0 == 0 {
            continue;
        }
        let own = &program.functions[*function];
        let named = own.within.map_or(own, |within| &program.functions[within]);
        let note = Some(format!("in `{}`", named.name));
        problem = problem.called_from(source, source.span_at(at.0, at.1.max(1)), note);
    }
    problem
}

/// Problems in the order of the texts, those of one text from top to bottom, each once; those that
/// are nowhere come first.
pub(super) fn in_reading_order(mut found: Vec<Problem>, texts: &[ScriptText]) -> Problems {
    found.sort_by_cached_key(|problem| {
        let place = problem.place.as_ref()?;
        let name = &place.source.name;
        let text = texts.iter().position(|t| t.parsed.source.name == *name);
        // The register, and what else is no script, comes before the scripts.
        Some((text, name.clone(), place.span.start))
    });
    Problems(found).once()
}
