//! The commands about snapshots: what `test` says of them, `accept`, `reject` and `review`.

use super::arguments::Reject;
use super::{BAD_INPUT, OK, complain, problems, show_report};
use crate::lines::counted;
use crate::report::{Problems, hint_for};
use crate::reports::{Cell, Facts, Report, facts};
use crate::rules::workspace::Workspace;
use crate::snapshot::{self, PendingOutcome, SnapshotComparison, SnapshotStore};
use crate::suite::{self, ScenarioResult};
use crate::work::Work;
use std::io::{BufRead, Write};

/// The word for accepted snapshots.
const ACCEPTED: &str = "accepted";

/// Returns the facts of a comparison, as `test` reports them.
pub fn facts(verdict: &SnapshotComparison) -> Facts {
    let (mut problems, mut reason) = (Vec::new(), None);
    match verdict {
        SnapshotComparison::NotCompared(why) => reason = Some(*why),
        SnapshotComparison::Broken(found, _)
        | SnapshotComparison::Drifts {
            second: Err(found), ..
        } => problems.clone_from(&found.0),
        _ => {}
    }
    match verdict.pending() {
        Some(PendingOutcome::Nowhere(why)) => reason = Some(*why),
        Some(PendingOutcome::Failed(problem)) => problems.push((**problem).clone()),
        _ => {}
    }
    facts! {
        state: verdict.word(), pending: verdict.pending() == Some(&PendingOutcome::Pending), reason: reason,
        problems: problems, diff_rows: Cell::data(&verdict.rows()),
    }
}

/// Returns the notes below the list of `test`: games without snapshots, and snapshots without scenario.
pub fn notes(results: &[ScenarioResult], unreferenced: &[String]) -> Vec<String> {
    let mut notes = Vec::new();
    let count = |is: fn(&SnapshotComparison) -> bool| results.iter().filter(|r| is(&r.snapshot)).count();
    let none = count(|v| *v == SnapshotComparison::NoneYet);
    if none > 0 {
        notes.push(format!(
            "{} no snapshot, as their game has none yet; to begin with them: rulebench test --first-snapshots, then rulebench review",
            count_text(none, "scenario", "has", "have")
        ));
    }
    let broken = results
        .iter()
        .filter(|r| !r.problems.is_empty() || !r.unmet.is_empty())
        .count();
    if broken > 0 {
        notes.push(format!(
            "{} not compared with a snapshot, as the scenario itself fails",
            count_text(broken, "scenario", "was", "were")
        ));
    }
    let pending = count(|v| v.pending() == Some(&PendingOutcome::Pending));
    if pending > 0 {
        notes.push(format!(
            "{} pending: rulebench review, or rulebench accept | reject [NAME... | --all]",
            count_text(pending, "snapshot", "is", "are")
        ));
    }
    if !unreferenced.is_empty() {
        notes.push(format!(
            "{} of no scenario; to remove: rulebench reject --unreferenced",
            count_text(unreferenced.len(), "snapshot", "is", "are")
        ));
        notes.extend(unreferenced.iter().map(|path| format!("  {path}")));
    }
    notes
}

/// Formats a count of things and a remark about them.
fn count_text(n: usize, what: &str, one: &str, more: &str) -> String {
    format!("{} {}", counted(n, what), if n == 1 { one } else { more })
}

/// The pending snapshots that a user means: scenarios as everywhere, or the snapshots' own paths.
fn chosen(
    workspace: &Workspace,
    store: &SnapshotStore<'_>,
    names: &[String],
    all: bool,
) -> Result<SelectedSnapshots, Problems> {
    let pending = store.pending();
    if all {
        return Ok((pending, Vec::new()));
    }
    if names.is_empty() {
        let hint = match pending.as_slice() {
            [] => "nothing is pending".to_owned(),
            some => {
                let list = some.iter().filter_map(|p| snapshot::scenario_of(p));
                let list: Vec<String> = list.map(|s| snapshot::stem(&s).to_owned()).collect();
                format!("pending: {}", list.join(", "))
            }
        };
        return Err(problems::missing_scenarios().hint(hint).into());
    }
    let (mut found, mut idle, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    for name in names {
        let bare = name.trim_end_matches('/');
        // A pending one may have lost its scenario, so it is looked for by itself first.
        let own: Vec<&String> = pending
            .iter()
            .filter(|path| {
                let scenario = snapshot::scenario_of(path).unwrap_or_default();
                path.as_str() == bare
                    || path.strip_suffix(".new") == Some(bare)
                    || scenario == bare
                    || snapshot::stem(&scenario) == bare
                    || ["", "scenarios/", "snapshots/"].iter().any(|folder| {
                        let folder = format!("{folder}{bare}/");
                        scenario.starts_with(&folder) || path.starts_with(&folder)
                    })
            })
            .collect();
        if !own.is_empty() {
            found.extend(own.into_iter().cloned());
            continue;
        }
        match suite::find(workspace, std::slice::from_ref(name)) {
            Ok(_) => idle.push(name.clone()),
            Err(_) => {
                let all = workspace.list("scenarios", ".toml");
                let near = all.iter().map(|p| snapshot::stem(p));
                let unknown = problems::unknown_name("scenario or pending snapshot", name);
                faults.push(unknown.hint(hint_for(snapshot::stem(bare), near)));
            }
        }
    }
    Problems::check(faults)?;
    found.sort();
    found.dedup();
    Ok((found, idle))
}

/// Pending snapshots, and names of which nothing is pending.
type SelectedSnapshots = (Vec<String>, Vec<String>);

/// Does one thing to each path and reports it.
fn each(
    work: &Work,
    paths: &[String],
    idle: &[String],
    done: &'static str,
    json: bool,
    act: impl Fn(&str) -> Result<(), Problems>,
) -> u8 {
    let (mut well, mut problems) = (Vec::new(), Vec::new());
    for path in paths {
        match act(path) {
            Ok(()) if done == ACCEPTED => well.push(path.trim_end_matches(".new")),
            Ok(()) => well.push(path),
            Err(found) => problems.extend(found.0),
        }
    }
    let nothing = (paths.is_empty() && idle.is_empty()).then(|| "nothing to do".to_owned());
    let lines = well.iter().map(|path| format!("{done} {path}"));
    let lines = lines.chain(idle.iter().map(|name| format!("nothing is pending for {name}")));
    let report = Report::lines(lines.chain(nothing))
        .with(done, well)
        .with("nothing_pending", idle)
        .with("problems", &problems);
    show_report(work, json, report, true);
    match Problems::check(problems) {
        Ok(()) => return OK,
        Err(_) if json => {}
        Err(problems) => complain(&problems),
    }
    BAD_INPUT
}

/// `rulebench accept`
///
/// # Errors
///
/// Names that nothing has.
pub fn accept(workspace: &Workspace, names: &[String], all: bool, json: bool) -> Result<u8, Problems> {
    let store = SnapshotStore::new(workspace, true, false);
    let (mut paths, mut idle) = chosen(workspace, &store, names, all)?;
    let stale = suite::play_pending(workspace, &paths);
    paths.retain(|path| !stale.contains(path));
    idle.extend(stale.iter().filter_map(|path| snapshot::scenario_of(path)));
    Ok(each(workspace.work(), &paths, &idle, ACCEPTED, json, |path| {
        store.accept(path)
    }))
}

/// `rulebench reject`
///
/// # Errors
///
/// Names that nothing has.
pub(super) fn reject(workspace: &Workspace, args: &Reject) -> Result<u8, Problems> {
    let store = SnapshotStore::new(workspace, true, false);
    let (mut paths, mut idle) = (Vec::new(), Vec::new());
    if args.all || !args.names.is_empty() || !args.unreferenced {
        (paths, idle) = chosen(workspace, &store, &args.names, args.all)?;
    }
    if args.unreferenced {
        paths.extend(store.unreferenced());
        paths.sort();
        paths.dedup();
    }
    Ok(each(
        workspace.work(),
        &paths,
        &idle,
        "removed",
        args.json,
        |path| store.remove(path),
    ))
}

/// `rulebench review`: shows each pending snapshot against what it replaces and asks what to do.
/// The end of the input leaves the rest pending. With names, only theirs are shown; with `boards`, the board of each
/// without being asked.
///
/// # Errors
///
/// Names that nothing has.
pub fn review(
    workspace: &Workspace,
    names: &[String],
    boards: bool,
    input: &mut impl BufRead,
    output: &mut impl Write,
    screen: super::Screen,
) -> Result<u8, Problems> {
    let store = SnapshotStore::new(workspace, true, false);
    let mut pending = if names.is_empty() {
        store.pending()
    } else {
        chosen(workspace, &store, names, false)?.0
    };
    let stale = suite::play_pending(workspace, &pending);
    pending.retain(|path| !stale.contains(path));
    // A reader that has gone away ends the output, not the program.
    let colour = screen.colour;
    let mut show = |text: &str| {
        let _ = write!(output, "{}", screen.printable(text));
        let _ = output.flush();
    };
    let board = |path: &str| match suite::board_where_it_differs(workspace, path) {
        Ok(board) => format!("{board}\n"),
        Err(problems) => format!("{}\n", problems.page(colour)),
    };
    let (mut accepted, mut rejected) = (0, 0);
    let mut status = OK;
    for path in stale {
        show(&format!("no longer pending: {path}\n"));
    }
    if pending.is_empty() {
        show("nothing is pending\n");
        return Ok(OK);
    }
    'all: for (index, path) in pending.iter().enumerate() {
        let scenario = snapshot::scenario_of(path).unwrap_or_default();
        show(&format!("\n--- {} of {}: {path}\n", index + 1, pending.len()));
        if !workspace.has(&scenario) {
            show(&format!("(there is no scenario {scenario})\n"));
        }
        match store.page(path, colour) {
            Ok(page) => {
                show(&format!("{page}\n"));
                if boards {
                    show(&board(path));
                }
            }
            Err(problems) => {
                status = BAD_INPUT;
                show(&format!(
                    "{}\nit cannot be accepted; `rulebench test` writes it anew\n",
                    problems.page(colour)
                ));
            }
        }
        loop {
            show("[a]ccept, [r]eject, [b]oard, [s]kip, [q]uit? ");
            let mut line = Vec::new();
            let read = input.read_until(b'\n', &mut line).unwrap_or(0);
            let done = match String::from_utf8_lossy(&line).trim() {
                _ if read == 0 => {
                    show("\n");
                    break 'all;
                }
                "a" | "accept" => store.accept(path).map(|()| accepted += 1),
                "r" | "reject" => store.remove(path).map(|()| rejected += 1),
                "b" | "board" => {
                    show(&board(path));
                    continue;
                }
                "s" | "skip" => Ok(()),
                "q" | "quit" => break 'all,
                odd => {
                    show(&format!("`{odd}` is none of a, r, b, s, q\n"));
                    continue;
                }
            };
            if let Err(problems) = done {
                status = BAD_INPUT;
                show(&format!("{}\nit stays pending\n", problems.page(colour)));
            }
            break;
        }
    }
    show(&format!(
        "{accepted} accepted, {rejected} rejected, {} left pending\n",
        pending.len() - accepted - rejected
    ));
    Ok(status)
}
