//! The statements of a traced call: each with the values that it read and assigned and the results of its calls; the
//! calls of script functions are folded below it.

use crate::lines::{counted, shortened};
use crate::reports::ReportPart;
use crate::rules::run::view::ValueView;
use crate::rules::trace::{Trace, TraceNote, TracedCall, TracedStatement, TracedValue};
use std::collections::BTreeMap;

/// Number of rounds of a loop, and of calls of one function in a statement, that are shown before the last one.
const FIRST: usize = 2;
/// Maximum number of statements that are shown.
const MAX_STATEMENTS: usize = 1_000;
/// Maximum width of a statement, in columns; values begin at the same column behind shorter ones.
const STATEMENT_WIDTH: usize = 72;
const VALUES_AT: usize = 40;
/// Maximum width of a value, in columns.
const VALUE_WIDTH: usize = 48;

/// Returns a call with its statements, as far as they were noted before the note `until`. The calls of `path` are
/// open.
pub(super) fn folded(
    trace: &Trace,
    call: usize,
    until: usize,
    path: &[usize],
    head: &dyn Fn(&TracedCall) -> String,
) -> Vec<ReportPart> {
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, note) in trace.marks.iter().enumerate().take(until) {
        if let Some(parent) = note.parent() {
            parts.entry(parent).or_default().push(index);
        }
    }
    let mut folder = Folder {
        trace,
        parts,
        path,
        head,
        room: MAX_STATEMENTS,
        left_out: 0,
    };
    let mut lines: Vec<ReportPart> = folder.call(call).into_iter().collect();
    if folder.left_out > 0 {
        let more = counted(folder.left_out, "more statement");
        lines.push(format!("  ... and {more}").into());
    }
    lines
}

struct Folder<'a> {
    trace: &'a Trace,
    /// The notes that are part of each call.
    parts: BTreeMap<usize, Vec<usize>>,
    path: &'a [usize],
    head: &'a dyn Fn(&TracedCall) -> String,
    /// Number of statements that may still be shown.
    room: usize,
    left_out: usize,
}

impl<'a> Folder<'a> {
    fn statement(&self, note: usize) -> Option<&'a TracedStatement> {
        match &self.trace.marks[note] {
            TraceNote::Statement(statement) => Some(statement),
            _ => None,
        }
    }

    fn call(&mut self, note: usize) -> Option<ReportPart> {
        let call = self.trace.call(note)?;
        let notes = self.parts.remove(&note).unwrap_or_default();
        let (head, open) = ((self.head)(call), self.path.contains(&note));
        let parts = self.block(&notes, 0);
        Some(ReportPart::Fold { head, open, parts })
    }

    /// The statements of a block, with what belongs to each.
    fn block(&mut self, notes: &[usize], depth: usize) -> Vec<ReportPart> {
        let mut lines = Vec::new();
        let mut rest = notes;
        while let [first, others @ ..] = rest {
            let Some(statement) = self.statement(*first) else {
                lines.extend(self.calls(&[*first]));
                rest = others;
                continue;
            };
            let inside = |note: &&usize| {
                let other = self.statement(**note);
                other.is_none_or(|other| statement.code.holds(&other.code))
            };
            let (own, after) = others.split_at(others.iter().take_while(inside).count());
            let inner = own.iter().position(|note| self.statement(*note).is_some());
            let (own, inner) = own.split_at(inner.unwrap_or(own.len()));
            let is_loop = statement.code.is_loop();
            if self.room > 0 {
                self.room -= 1;
                lines.push(self.line(statement, own, depth).into());
            } else {
                self.left_out += 1;
            }
            lines.extend(self.calls(own));
            match is_loop {
                true => lines.extend(self.rounds(inner, depth + 1)),
                false => lines.extend(self.block(inner, depth + 1)),
            }
            rest = after;
        }
        lines
    }

    /// The rounds of a loop: each begins with the statement that the first one begins with.
    fn rounds(&mut self, notes: &[usize], depth: usize) -> Vec<ReportPart> {
        let begins = |note: usize| self.statement(note).map(|statement| statement.code.span.start);
        let first = notes.first().and_then(|first| begins(*first));
        let starts: Vec<usize> = (0..notes.len())
            .filter(|nth| begins(notes[*nth]) == first)
            .collect();
        let ends = starts.iter().skip(1).copied().chain([notes.len()]);
        let rounds: Vec<&[usize]> = starts
            .iter()
            .zip(ends)
            .map(|(start, end)| &notes[*start..end])
            .collect();
        let mut lines = Vec::new();
        for (nth, round) in rounds.iter().enumerate() {
            if !is_shown(nth, rounds.len()) {
                if nth == FIRST {
                    let left = counted(rounds.len() - FIRST - 1, "round");
                    lines.push(format!("     {}... {left} left out", "  ".repeat(depth)).into());
                }
                continue;
            }
            lines.extend(self.block(round, depth));
        }
        lines
    }

    /// The calls of script functions among the notes of a statement.
    fn calls(&mut self, notes: &[usize]) -> Vec<ReportPart> {
        let mut by_function: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        let calls = notes
            .iter()
            .filter_map(|note| Some((*note, self.trace.call(*note)?.function)));
        let calls: Vec<(usize, usize)> = calls.collect();
        for (_, function) in &calls {
            by_function.entry(*function).or_default().1 += 1;
        }
        let mut lines = Vec::new();
        for (note, function) in calls {
            let Some((seen, all)) = by_function.get_mut(&function) else {
                continue;
            };
            *seen += 1;
            let (nth, all) = (*seen - 1, *all);
            if is_shown(nth, all) {
                lines.extend(self.call(note));
            } else if nth == FIRST {
                let left = counted(all - FIRST - 1, "call");
                lines.push(format!("... {left} left out").into());
            }
        }
        lines
    }

    /// A statement with its values.
    fn line(&self, statement: &TracedStatement, own: &[usize], depth: usize) -> String {
        let mut values: Vec<String> = statement.values.iter().filter_map(value).collect();
        for note in own {
            if let TraceNote::Native {
                name,
                told,
                said,
                result,
                ..
            } = &self.trace.marks[*note]
                && *said != ValueView::Nothing
                && statement.code.mentions(name.trim_start_matches('.'))
            {
                let call = match (name.starts_with('.'), &told[..]) {
                    (true, [of, ..]) => format!("{of}{name}"),
                    _ => format!("{name}({})", told.join(", ")),
                };
                let text = format!("{} = {}", cut(&call), cut(result));
                if !values.contains(&text) {
                    values.push(text);
                }
            }
        }
        let head = format!("{}{}", "  ".repeat(depth), statement.code.head);
        let (line, head) = (statement.code.line, shortened(&head, STATEMENT_WIDTH));
        let text = format!("{line:>3}  {head:<VALUES_AT$}  {}", values.join(", "));
        text.trim_end().to_owned()
    }
}

/// Whether a round or call is shown, of so many.
fn is_shown(nth: usize, all: usize) -> bool {
    nth < FIRST || nth + 1 == all
}

fn value(value: &TracedValue) -> Option<String> {
    let name = &value.name;
    match (&value.before, &value.after) {
        (Some(before), Some(after)) => Some(format!("{name} = {} -> {}", cut(before), cut(after))),
        (Some(now), None) | (None, Some(now)) => Some(format!("{name} = {}", cut(now))),
        (None, None) => None,
    }
}

fn cut(text: &str) -> String {
    shortened(text, VALUE_WIDTH)
}

#[cfg(test)]
mod tests {
    use super::super::{call, event};
    use crate::rules::trace::TraceLevel;
    use crate::rules::workspace::Workspace;
    use crate::scenario::file::ScenarioFile;
    use crate::stage::run::{self, Overrides, Setup};

    const GAME: &str = r##"fn board() { #{ factions: ["red", "blue"], hexes: [2, 2] } }
fn slots() { #{ faction: #{ score: 0 } } }
fn dials() { #{ bonus: number(2, 0, 9) } }
fn phases() { [#{ phase: "all", each: "game", step: "all" }] }
fn all() {
    let sum = if bonus > 1 { total(6) } else { 0 };
    if sum > 99 { sum = 0; }
    add(first(), "score", sum, "sum");
    sum = 7;
}
fn total(last) {
    let sum = bonus;
    for n in 1..=last {
        sum += twice(n);
    }
    let even = [1, 2, 3, 4, 5].filter(|n| n % 2 == 0);
    sum
}
fn twice(n) {
    n * 2
}
"##;

    fn played() -> Setup {
        let texts = [("scripts/tiny/game.rhai".to_owned(), GAME.to_owned())].into();
        let workspace = Workspace::at("no such folder").with(texts);
        let mut laid = run::lay(&workspace, &ScenarioFile::new("tiny"), &Overrides::default())
            .unwrap_or_else(|p| panic!("{p}"));
        laid.play.keep_trail();
        laid.play.run_on();
        laid
    }

    #[test]
    fn statements_have_their_values_and_long_loops_are_shortened() {
        let laid = played();
        let told = call(&laid.play, laid.play.view(), "total", TraceLevel::Statements);
        let told = told.unwrap_or_else(|p| panic!("{p}")).text();
        let lines: Vec<String> = told
            .lines()
            .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        let twice = |n: i64| {
            let (file, twice) = ("scripts/tiny/game.rhai:20", n * 2);
            [
                format!("twice({n}) {file} -> {twice} layer: none"),
                format!("20 n * 2 n = {n}"),
            ]
        };
        let round = |n: i64, before: i64| {
            let after = before + n * 2;
            let own = format!("14 sum += twice(n) sum = {before} -> {after}, n = {n}");
            [vec![own], twice(n).to_vec()].concat()
        };
        let closure = |said: bool, n: i64| {
            [
                format!("closure() scripts/tiny/game.rhai:16 -> {said} layer: none"),
                format!("16 n % 2 == 0 n = {n}"),
            ]
        };
        let expected = [
            vec![
                "total in the step `all`".to_owned(),
                "total(6) scripts/tiny/game.rhai:17 -> 44 layer: none".to_owned(),
                "12 let sum = bonus sum = 2, bonus = 2".to_owned(),
                "13 for n in 1..=last n = 1, last = 6".to_owned(),
            ],
            round(1, 2),
            round(2, 4),
            vec!["... 3 rounds left out".to_owned()],
            round(6, 32),
            vec!["16 let even = [1, 2, 3, 4, 5].filter(|n| n % 2 == 0) even = [2, 4], filter([1, 2, 3, 4, 5], a function) = [2, 4]".to_owned()],
            closure(false, 1).to_vec(),
            closure(true, 2).to_vec(),
            vec!["... 2 calls left out".to_owned()],
            closure(false, 5).to_vec(),
            vec!["17 sum sum = 44".to_owned()],
        ];
        assert_eq!(lines, expected.concat());
    }

    #[test]
    fn the_trace_of_an_event_ends_with_it() {
        let laid = played();
        let told = event(&laid.play, laid.play.view(), None, TraceLevel::Statements);
        let told = told.unwrap_or_else(|p| panic!("{p}")).text();
        let lines: Vec<&str> = told.lines().collect();
        let own: Vec<&str> = lines
            .iter()
            .filter_map(|line| line.strip_prefix("      "))
            .collect();
        let own: Vec<&str> = own.into_iter().filter(|line| !line.starts_with(' ')).collect();
        assert!(
            own[0].starts_with("6  let sum = if bonus > 1 {") && own[0].contains("sum = 44"),
            "{told}"
        );
        assert!(own[3].starts_with("7  if sum > 99 "), "{told}");
        assert!(
            own[4].starts_with("8  add(first(), \"score\", sum, \"sum\")"),
            "{told}"
        );
        assert_eq!(own.len(), 5, "{told}");
    }
}
