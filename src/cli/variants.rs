//! `rulebench variants`, `adopt` and `reject`: a designer's tweaks and what was decided about them.

use super::arguments::{DecisionArgs, New, Variants, VariantsCommand};
use super::{problems, show_report, the_game};
use crate::diff::{self, Comparison, VerdictSign};
use crate::lines::listed;
use crate::report::{Problem, Problems, hint_for};
use crate::reports::{Cell, Report, facts};
use crate::rulebook::Rulebook;
use crate::rules::register::{Register, VariantState, variant_path};
use crate::rules::workspace::Workspace;
use crate::snapshot;
use crate::stage::run::Overrides;
use crate::suite::{self, ScenarioResult};
use crate::variants::{self, Tweak, Tweaks};
use crate::work::Work;

/// Width of a note, in columns.
const WIDTH: usize = 96;

/// Maximum number of scenarios that are named for one variant.
const MOST_NAMED: usize = 8;

/// Lists the tweaks of a game, or those that speak of a text or are of a kind or state, the rulebook's open notes first:
/// note, state, what each patches; with `--changes` also whose outcomes it changes, for which every scenario is played
/// with each.
///
/// # Errors
///
/// An unknown game, what is wrong with its variants, a text of which no tweak speaks.
fn list(workspace: &Workspace, game: &str, args: &Variants) -> Result<u8, Problems> {
    let text = args.text.as_deref();
    let mut variants = Tweaks::read(workspace, game)?;
    Problems::check(variants.problems.clone())?;
    if let Some(text) = text {
        variants.all = variants.about(text)?.into_iter().cloned().collect();
    }
    variants.sort_by_kind();
    let has_any = !variants.all.is_empty();
    variants.all.retain(|variant| {
        let wanted = |name: &Option<String>, own: &str| name.as_ref().is_none_or(|name| name == own);
        wanted(&args.kind, variant.kind.name()) && wanted(&args.state, variant.state.name())
    });
    // Of one that is named, the whole note is told.
    let whole = text.filter(|text| variants.find(text).is_some()).map(|_| WIDTH);
    let map = if !args.changes || variants.all.is_empty() {
        None
    } else {
        let columns = variants
            .all
            .iter()
            .map(|t| diff::Addition::Variant(t.name.clone()));
        let comparison = Comparison {
            tweaks: columns.collect(),
            ..Comparison::default()
        };
        Some(diff::map(workspace, game, &comparison)?)
    };
    let marked = |variant: usize, wanted: &[VerdictSign]| -> Vec<&str> {
        let rows = map.iter().flat_map(|m| &m.rows);
        let rows = rows.filter(|r| r.cells.get(variant).is_some_and(|c| wanted.contains(&c.mark)));
        rows.map(|r| r.scenario.as_str()).collect()
    };
    let changed = |variant: usize| marked(variant, &[VerdictSign::Outcome, VerdictSign::Diverged]);
    let looked = map.as_ref().map(|map| ScanProgress {
        at: map.rows.len(),
        of: own(workspace, game).len(),
    });
    let mut report = Report::default().with("variants", Cell::List(Vec::new()));
    for (at, variant) in variants.all.iter().enumerate() {
        let mut facts = facts! {
            variant: &variant.name, note: &variant.note, clause: &variant.clause, reading: variant.reading,
            kind: variant.kind.name(), state: variant.state.name(), reason: &variant.reason, date: &variant.date, patches: &variant.patches,
            is_dial: variant.dial, requires: &variant.requires, after: &variant.after,
            conflicts: &variant.conflicts,
        };
        if let Some(looked) = looked {
            let changes = looked.at_any().then(|| changed(at));
            let events = looked.at_any().then(|| marked(at, &[VerdictSign::Events]));
            facts.append(facts! { changes: changes, changes_events: events });
            if !looked.at_all() {
                facts.append(facts! { scenario_count: looked.at, scenarios_in_all: looked.of });
            }
        }
        report.entry("variants", facts.into());
        let looked = looked.map(|looked| (looked, changed(at)));
        lines(variant, whole, looked)
            .into_iter()
            .for_each(|line| report.below(line));
    }
    if variants.all.is_empty() && has_any {
        report.put("no variant is of this kind and in this state");
    } else if variants.all.is_empty() {
        report.put(format!(
            "{game} has no tweaks; begin one: rulebench variants new NAME --game {game} --clause ID"
        ));
    }
    Ok(show_report(workspace.work(), args.json, report, true))
}

/// The number of scenarios that were played, of all; fewer if the user stopped the command.
#[derive(Clone, Copy)]
struct ScanProgress {
    at: usize,
    of: usize,
}

impl ScanProgress {
    fn at_any(self) -> bool {
        self.at > 0 || self.at_all()
    }

    fn at_all(self) -> bool {
        self.at == self.of
    }
}

/// The lines about a tweak; with the scenarios whose outcome it changes, when these were looked for.
fn lines(variant: &Tweak, whole: Option<usize>, changed: Option<(ScanProgress, Vec<&str>)>) -> Vec<String> {
    let mut lines = variant.lines(whole);
    if let Some((looked, changed)) = changed {
        let names: Vec<&str> = changed.into_iter().map(snapshot::stem).collect();
        let summary = match names.len() {
            _ if !looked.at_any() => "whose outcome it changes was not looked at".to_owned(),
            0 => "changes no scenario's outcome".to_owned(),
            1 => format!("changes the outcome of {}", names[0]),
            n => format!(
                "changes the outcome of {n} scenarios: {}",
                listed(&names, MOST_NAMED)
            ),
        };
        let part = match looked.at_any() && !looked.at_all() {
            true => format!(
                ", of the {} of {} scenarios that were looked at",
                looked.at, looked.of
            ),
            false => String::new(),
        };
        lines.push(format!("    {summary}{part}"));
    }
    lines
}

/// Begins the file of a new variant.
///
/// # Errors
///
/// Those of [`variants::begin`].
fn begin(workspace: &Workspace, new: &New) -> Result<u8, Problems> {
    let (name, clause) = (&new.name, new.clause.as_deref());
    // One that is given tells the game.
    let of = clause.map(|id| with_clause(workspace, id)).unwrap_or_default();
    let game = match (&new.game, &of[..]) {
        (None, [only]) => only.clone(),
        (game, _) => the_game(workspace, game.as_deref(), "--game GAME")?,
    };
    let path = variants::begin(workspace, &game, name, clause)?;
    let path = match workspace.folder() {
        Some(root) => root.join(path).display().to_string(),
        None => path,
    };
    let report = Report::of(format!(
        "wrote {path}\ntry it: rulebench diff SCENARIO --variant {name}"
    ));
    let report = report.with("variant", name).with("file", path);
    Ok(show_report(workspace.work(), new.json, report, true))
}

/// The games whose rulebook has a clause.
fn with_clause(workspace: &Workspace, id: &str) -> Vec<String> {
    let mut games = workspace.games();
    games.retain(|game| {
        Rulebook::read(workspace, game).is_ok_and(|(book, _)| book.clauses.iter().any(|c| c.id == id))
    });
    games
}

/// Puts a decision on file.
///
/// # Errors
///
/// Those of [`variants::decide`].
fn decide(workspace: &Workspace, state: VariantState, decision: &DecisionArgs) -> Result<u8, Problems> {
    let (name, reason) = (decision.name.as_str(), decision.reason.as_deref());
    let game = game_of(workspace, decision.game.as_deref(), name)?;
    let was = state_of(workspace, &game, name)?;
    if state == VariantState::Adopted {
        check_does_something(workspace, &game, name)?;
    }
    // What it changes is looked at where it comes into force, or goes.
    let turns = (state == VariantState::Adopted) != (was == VariantState::Adopted);
    let before = turns.then(|| played(workspace, &game));
    if workspace.work().is_stopped() {
        return Err(problems::stopped_decision().into());
    }
    let today = time::OffsetDateTime::now_utc().date();
    variants::decide(workspace, &game, name, state, reason, today)?;
    let summary = match state {
        VariantState::Adopted => {
            format!("`{name}` is adopted: it is one of the default layers of {game} now")
        }
        VariantState::Rejected => format!("`{name}` is rejected and stays on file"),
        other => format!("`{name}`: {}", other.name()),
    };
    let touched = before.map(|before| touched(&before, &played(workspace, &game)));
    Ok(decided(
        workspace.work(),
        name,
        summary,
        state,
        reason,
        touched.as_ref(),
        decision.json,
    ))
}

/// Takes the last decision about a tweak back.
///
/// # Errors
///
/// Those of [`variants::undo`].
fn undo(workspace: &Workspace, game: Option<&str>, name: &str, as_json: bool) -> Result<u8, Problems> {
    let game = game_of(workspace, game, name)?;
    let was = state_of(workspace, &game, name)?;
    let before = played(workspace, &game);
    let state = variants::undo(workspace, &game, name)?;
    let turns = (was == VariantState::Adopted) != (state == VariantState::Adopted);
    let touched = turns.then(|| touched(&before, &played(workspace, &game)));
    let summary = match was == state {
        true => format!("`{name}` is {} as before", state.name()),
        false => format!("`{name}` is no longer {}: {} again", was.name(), state.name()),
    };
    Ok(decided(
        workspace.work(),
        name,
        summary,
        state,
        None,
        touched.as_ref(),
        as_json,
    ))
}

/// That a tweak which comes into force redefines something, or turns a dial.
fn check_does_something(workspace: &Workspace, game: &str, name: &str) -> Result<(), Problem> {
    let variants = Tweaks::read(workspace, game).map_or_else(|_| Vec::new(), |variants| variants.all);
    let idle = |variant: &&Tweak| variant.name == name && variant.patches.is_empty();
    match variants.iter().find(idle) {
        None => Ok(()),
        Some(_) => Err(problems::idle_variant(name, variant_path(game, name))),
    }
}

fn state_of(workspace: &Workspace, game: &str, name: &str) -> Result<VariantState, Problems> {
    let register = Register::read(workspace, game)?;
    Ok(register
        .entries
        .get(name)
        .map_or(VariantState::Idea, |entry| entry.state))
}

/// Says what was decided, and which scenarios it touches.
fn decided(
    work: &Work,
    name: &str,
    summary: String,
    state: VariantState,
    reason: Option<&str>,
    touched: Option<&VariantImpact>,
    as_json: bool,
) -> u8 {
    let none = VariantImpact::default();
    let VariantImpact {
        otherwise,
        unfit,
        fit_again,
    } = touched.unwrap_or(&none);
    let mut report = Report::of(summary)
        .with("variant", name)
        .with("state", state.name())
        .with("reason", reason)
        .with("snapshots_to_review", otherwise)
        .with("scenarios_that_no_longer_fit", unfit)
        .with("scenarios_that_fit_again", fit_again);
    let with = match state {
        VariantState::Adopted => "with",
        _ => "without",
    };
    let differ = format!("play otherwise {with} it; their snapshots are to be reviewed");
    let fit = format!("fail {with} it as they are written; look at them");
    let again = format!("pass again {with} it");
    for (paths, what) in [(otherwise, &differ), (unfit, &fit), (fit_again, &again)] {
        if !paths.is_empty() {
            report.below(format!("scenarios that {what}:"));
            paths.iter().for_each(|path| report.below(format!("  {path}")));
        }
    }
    match touched {
        None => {}
        Some(_) if otherwise.is_empty() && unfit.is_empty() && fit_again.is_empty() => {
            report.below(format!("no scenario plays otherwise {with} it"));
        }
        Some(_) => report.below("next: rulebench test, then rulebench review"),
    }
    show_report(work, as_json, report, true)
}

/// The effect of an adopted variant on the scenarios as they are written.
#[derive(Default)]
struct VariantImpact {
    /// The snapshots of those that play otherwise.
    otherwise: Vec<String>,
    /// Those that fail: their answers, layers or expectations do not fit any more.
    unfit: Vec<String>,
    /// Those that failed before and pass now.
    fit_again: Vec<String>,
}

/// Runs the scenarios of a game.
fn played(workspace: &Workspace, game: &str) -> Vec<ScenarioResult> {
    suite::run_all(workspace, &own(workspace, game), &Overrides::default())
}

/// The scenarios of a game.
fn own(workspace: &Workspace, game: &str) -> Vec<String> {
    workspace.list(&format!("scenarios/{game}"), ".toml")
}

/// Compares the results of scenarios before and after a variant was adopted or dropped.
fn touched(before: &[ScenarioResult], after: &[ScenarioResult]) -> VariantImpact {
    let mut touched = VariantImpact::default();
    for (was, is) in before.iter().zip(after) {
        match (&was.transcript, &is.transcript) {
            (Some(was), Some(now)) if was != now => {
                let path = snapshot::path_of(&is.path);
                touched.otherwise.push(path.unwrap_or_else(|| is.path.clone()));
            }
            (Some(_), None) => touched.unfit.push(is.path.clone()),
            (None, Some(_)) => touched.fit_again.push(is.path.clone()),
            _ => {}
        }
    }
    touched
}

/// The game that is meant: the named one, or the only one that has a tweak of that name.
fn game_of(workspace: &Workspace, named: Option<&str>, variant: &str) -> Result<String, Problems> {
    if named.is_some() {
        return Ok(the_game(workspace, named, "--game GAME")?);
    }
    let games = workspace.games();
    let mut having = Vec::new();
    let (mut known, mut unread) = (Vec::new(), Vec::new());
    for game in &games {
        // A register that cannot be read is told of only where it may be the one that is meant.
        let all = match crate::rules::register::all(workspace, game) {
            Ok(all) => all,
            Err(problems) => {
                unread.extend(problems.0);
                continue;
            }
        };
        if all.iter().any(|name| name == variant) {
            having.push(game.clone());
        }
        known.extend(all);
    }
    match (&having[..], &games[..]) {
        ([only], _) | ([], [only]) => Ok(only.clone()),
        ([], _) if !unread.is_empty() => Err(Problems(unread)),
        ([], _) => Err(problems::unknown_name("variant", variant)
            .hint(hint_for(variant, known.iter().map(String::as_str)))
            .into()),
        ([first, ..], _) => Err(problems::ambiguous_variant(variant, having.join(" and "), first).into()),
    }
}

/// Lists the tweaks of a game, begins one, decides about one or takes that back; the exit status.
///
/// # Errors
///
/// Those of what is done.
pub(super) fn run(workspace: &Workspace, args: Variants) -> Result<u8, Problems> {
    let (state, decision) = match args.action {
        None => {
            let game = the_game(workspace, args.game.as_deref(), "rulebench variants GAME")?;
            return list(workspace, &game, &args);
        }
        Some(VariantsCommand::New(new)) => return begin(workspace, &new),
        Some(VariantsCommand::Adopt(decision)) => (VariantState::Adopted, decision),
        Some(VariantsCommand::Reject(decision)) => (VariantState::Rejected, decision),
        Some(VariantsCommand::Try(decision)) => (VariantState::OnTrial, decision),
        Some(VariantsCommand::Shelve(decision)) => (VariantState::Idea, decision),
        Some(VariantsCommand::Undo { name, game, json }) => {
            return undo(workspace, game.as_deref(), &name, json);
        }
    };
    decide(workspace, state, &decision)
}
