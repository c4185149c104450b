//! Runs scenarios and tells how each went.

use super::arguments::Test;
use super::{BAD_INPUT, show_report, snapshots, wants_colour};
use crate::lines::counted;
use crate::report::{Problem, Problems, listed};
use crate::reports::{Cell, Report, facts};
use crate::rules::workspace::Workspace;
use crate::ruleset_cache::RulesetCache;
use crate::snapshot::SnapshotComparison;
use crate::{files, suite};
use std::io::IsTerminal;

/// Runs them; the exit status.
///
/// # Errors
///
/// Names that nothing has.
pub(super) fn run(workspace: &Workspace, args: &Test) -> Result<u8, Problems> {
    // Whether a snapshot has lost its scenario is a question about all of them.
    let unreferenced = match args.paths[..] {
        [] => suite::unreferenced(workspace),
        _ => Vec::new(),
    };
    let paths = suite::find(workspace, &args.paths)?;
    let began = std::time::Instant::now();
    let results = suite::run_and_compare(&mut RulesetCache::new(workspace), &paths, args.first_snapshots);
    let failed = results.iter().filter(|r| !r.passed()).count();
    let list = results.iter().map(|r| {
        facts! {
            scenario: &r.path, passed: r.passed(), end: &r.end, problems: &r.problems, unmet: &r.unmet,
            snapshot: snapshots::facts(&r.snapshot), milliseconds: r.took.as_millis() as u64,
        }
    });
    let report = {
        let colour = wants_colour(std::io::stdout().is_terminal());
        let mut page = Report::lines(results.iter().map(|r| tested(r, colour)))
            .with("scenarios", Cell::list(list))
            .with("unreferenced_snapshots", &unreferenced);
        let wrong: Vec<&suite::ScenarioResult> = results.iter().filter(|r| !r.passed()).collect();
        for (nth, result) in wrong.iter().enumerate() {
            if wrong[..nth].iter().any(|before| stopped_alike(before, result)) {
                continue;
            }
            page.put(format!("--- {}", result.path));
            result.faults(colour).for_each(|fault| page.below(fault));
            let alike = wrong[nth + 1..]
                .iter()
                .filter(|after| stopped_alike(result, after));
            let alike: Vec<&str> = alike.map(|after| after.path.as_str()).collect();
            if !alike.is_empty() {
                page.below(format!(
                    "the same stops {}: {}",
                    counted(alike.len(), "other scenario"),
                    listed(alike)
                ));
            }
            if !result.snapshot.passed() {
                page.below(result.snapshot.page(&result.path, colour));
            } else if !result.end.is_empty() {
                page.below(format!("it ended so: {}", result.end));
            }
            page.below(format!(
                "see what happened: rulebench run {}",
                files::shell_word(&result.path)
            ));
        }
        if results.is_empty() {
            page.put("no scenarios found; they are files scenarios/<game>/<name>.toml");
        }
        let notes = snapshots::notes(&results, &unreferenced);
        if !notes.is_empty() {
            page.put(notes.join("\n"));
        }
        let (passed, seconds) = (results.len() - failed, began.elapsed().as_secs_f64());
        page.put(format!("{passed} passed, {failed} failed ({seconds:.1} s)"));
        page
    };
    let status = show_report(workspace.work(), args.json, report, failed == 0);
    let broken = |r: &suite::ScenarioResult| matches!(r.snapshot, SnapshotComparison::Broken(..));
    let bad_input = results.iter().any(|r| !r.problems.is_empty() || broken(r));
    Ok(if bad_input { BAD_INPUT } else { status })
}

/// Whether two scenarios met the same that is wrong with the rules, and nothing that is wrong with their files.
fn stopped_alike(one: &suite::ScenarioResult, other: &suite::ScenarioResult) -> bool {
    let is_of_rules = |problem: &Problem| {
        let place = problem.place.as_ref();
        place.is_some_and(|at| ![&one.path, &other.path].contains(&&at.source.name))
    };
    !one.problems.is_empty() && one.problems == other.problems && one.problems.iter().all(is_of_rules)
}

/// Formats the result of one scenario as a line.
fn tested(result: &suite::ScenarioResult, colour: bool) -> String {
    let mark = match (colour, result.passed()) {
        (false, _) => result.mark().to_owned(),
        (true, well) => format!("\x1b[{}m{}\x1b[0m", if well { 32 } else { 31 }, result.mark()),
    };
    let snapshot = match result.snapshot.passed() {
        true => String::new(),
        false => format!("  (snapshot: {})", result.snapshot.word()),
    };
    format!("{mark} {}{snapshot}", result.named())
}
