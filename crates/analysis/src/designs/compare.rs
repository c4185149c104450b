//! A game without and with a tweak: what differs, by how much, how surely, and in words.

use crate::experiment::Experiment;
use crate::experiment::change::{Change, judge};
use crate::experiment::measure::{Measure, TypeMeasure};
use crate::experiment::tally::{TOO_FEW, Tally};
use crate::lines::listed;
use crate::report::Problems;
use crate::reports::{Cell, Report, ReportPart, ReportTable};
use crate::stats::SURE;

/// Maximum number of measures listed as the same in every game.
pub const NAMED: usize = 6;

/// A sequential test looks so often.
const LOOKS_EVERY: u64 = 50;
/// Below so many seeds it does not stop.
const LEAST: u64 = 100;

/// Place of the measures of unit types that have not changed in a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unchanged {
    /// By their number; an option of the command lists them.
    Counted,
    /// In a table of their own that can be folded.
    Folded,
    /// Among the others.
    Listed,
}

/// Options of a comparison.
#[derive(Debug, Clone, Default)]
pub struct CompareOptions {
    /// Only these measures are looked at; all of them if empty.
    pub measures: Vec<String>,
    /// Whether to stop as soon as the first of the measures is decided.
    pub stop_early: bool,
}

/// Results of a game without and with a variant or dial.
#[derive(Debug)]
pub struct Comparison {
    /// Agents that played.
    pub agents: String,
    /// Number of games played in each arm.
    pub games: u64,
    /// Number of seeds.
    pub seeds: u64,
    /// Whether it ended before all games were played, because it was decided.
    pub decided_early: bool,
    /// Measures that differ in some games.
    pub changes: Vec<Change>,
    /// Measures that are the same in every game.
    pub same: Vec<String>,
    /// Number of games that go otherwise in the second arm.
    pub other_games: u64,
    /// Warning if too little is left to chance.
    pub warning: Option<String>,
    /// Other notes, in sentences.
    notes: Vec<String>,
}

/// Returns the changes of these measures from the first arm to the second, judged together, and the measures without any
/// change. `tightest` is the number of seeds at which the intervals are tightest, if one looks on the way.
pub fn changes(tally: &Tally, measures: &[Measure], tightest: Option<f64>) -> (Vec<Change>, Vec<Change>) {
    let all = tally.measures().filter(|measure| measures.contains(measure));
    let all = all.filter_map(|m| Some(Change::new(m, tally.difference(m, 0, 1)?, tally.seeds, tightest)));
    let (same, mut changes): (Vec<_>, Vec<_>) = all.partition(|change| change.found.is_nothing());
    judge(changes.iter_mut(), tally.seats());
    (changes, same)
}

/// Plays the two arms of an experiment, without and with a tweak, and compares.
///
/// # Errors
///
/// Measures that are not there; rules that cannot be loaded or fail.
pub fn compare(experiment: &Experiment<'_>, options: &CompareOptions) -> Result<Comparison, Problems> {
    let arm = &experiment.arms[0];
    let (most, agents) = (arm.seeds(), arm.agents_text());
    let tightest = options.stop_early.then(|| (most as f64 / 2.0).max(1.0));
    let is_decided = |tally: &Tally| {
        let wanted = tally.wanted(&options.measures).unwrap_or_default();
        let (changes, same) = changes(tally, &wanted, tightest);
        let mut all = changes.iter().chain(&same);
        let first = all.find(|change| Some(&change.measure) == wanted.first());
        first.is_some_and(|change| change.changed || change.is_too_small())
    };
    let (mut other_games, mut decided_early) = (0, false);
    let tally = experiment.measure(
        &format!("games with {agents}"),
        &options.measures,
        |tally, games| {
            let pairs = games[0].iter().zip(&games[1]);
            let others = pairs.filter(|(a, b)| a.digest != b.digest || a.winner != b.winner);
            other_games += others.count() as u64;
            let done = tally.seeds as u64;
            if options.stop_early && done >= LEAST && done.is_multiple_of(LOOKS_EVERY) && done < most {
                decided_early = is_decided(tally);
            }
            !decided_early
        },
    )?;
    let wanted = tally.wanted(&options.measures)?;
    let (changes, same) = changes(&tally, &wanted, tightest);
    let few = tally.few(&[0, 1], &wanted).into_iter();
    let mut notes: Vec<String> = few
        .map(|(unit, held)| match held[..] {
            [_, 0.0] => format!("{unit}: never fielded with it"),
            [0.0, _] => format!("{unit}: never fielded without it"),
            _ => format!("{unit}: {TOO_FEW}"),
        })
        .collect();
    let unused = wanted.iter().filter(|measure| tally.sums(measure).is_none());
    notes.extend(unused.map(|measure| format!("{}: in no game", measure.name())));
    if changes.len() > 1 {
        notes.push(format!(
            "changes are significant among {} measures (Holm); each interval is of one measure alone",
            changes.len()
        ));
    }
    let games = tally.arms[0].games;
    notes.push(format!("{other_games} of {games} games go otherwise with it"));
    let [without, with] = [0, 1].map(|arm: usize| tally.arms[arm].seat_lines());
    if without == with {
        notes.extend(without);
    } else {
        notes.extend(without.iter().map(|line| format!("without it, {line}")));
        notes.extend(with.iter().map(|line| format!("with it, {line}")));
    }
    if decided_early {
        notes.push("the study stopped early; its intervals stay valid".to_owned());
    }
    Ok(Comparison {
        agents,
        games,
        seeds: tally.seeds as u64,
        decided_early,
        changes,
        same: same.iter().map(|change| change.measure.name()).collect(),
        other_games,
        warning: tally.arms[0].distinct.warning(),
        notes,
    })
}
impl Comparison {
    /// Returns the report of it, with what the two arms are called.
    pub fn report(&self, [base, with]: [&str; 2], unchanged: Unchanged) -> Report {
        let table = || ReportTable::headed(Change::columns([base, with, "95 % interval of the change"]));
        let (mut every, mut of_note, mut rest) = (table(), table(), table());
        for change in &self.changes {
            let is_detail = matches!(&change.measure, Measure::Unit(_, of) if *of != TypeMeasure::WinShare);
            match is_detail && !change.changed && unchanged != Unchanged::Listed {
                true => rest.push(change.cells()),
                false => of_note.push(change.cells()),
            }
            every.push(change.cells());
        }
        let mut report = Report::default();
        report.fact("agents", self.agents.as_str());
        report.fact("games", self.games);
        report.fact("seeds", self.seeds);
        report.fact("decided_early", self.decided_early);
        report.fact("other_games", self.other_games);
        report.fact("changes", &every);
        report.fact("same", &self.same);
        let (by_games, by_all) = match unchanged {
            Unchanged::Folded => ("", ""),
            Unchanged::Counted | Unchanged::Listed => (" (--games)", " (--all lists them)"),
        };
        let mut notes = Vec::from_iter(self.lone_seed().map(|why| format!("{why}{by_games}")));
        let unlisted = (!rest.is_empty()).then(|| {
            let count = rest.len();
            format!("{count} more measures of unit types have not changed{by_all}")
        });
        let folded = match unchanged {
            Unchanged::Folded => unlisted,
            Unchanged::Counted | Unchanged::Listed => {
                notes.extend(unlisted);
                None
            }
        };
        if !self.same.is_empty() {
            notes.push(format!("the same in every game: {}", listed(&self.same, NAMED)));
        }
        let others = || self.notes.iter().chain(&self.warning);
        notes.extend(others().cloned());
        report.fact("notes", Cell::list(others().map(String::as_str)));
        if !of_note.is_empty() {
            report.put(of_note);
        }
        report.extend(folded.map(|head| ReportPart::Fold {
            head,
            open: false,
            parts: vec![rest.into()],
        }));
        report.put(notes.join("\n"));
        report
    }

    /// Explains why there are no intervals, if there are none.
    pub fn lone_seed(&self) -> Option<&'static str> {
        (self.seeds == 1).then_some("one pair of games gives no interval: play more")
    }

    /// Returns the change of a measure.
    pub fn change(&self, measure: &Measure) -> Option<&Change> {
        self.changes.iter().find(|change| change.measure == *measure)
    }
}

/// Returns warnings about measures on which agents of different strength disagree: one shows a sure change, and another
/// the opposite change, which by itself is not due to chance.
pub fn flips(all: &[Comparison]) -> Vec<String> {
    let mut warnings = Vec::new();
    let way = |change: &Change| {
        if change.found.change.value > 0.0 {
            "rises"
        } else {
            "falls"
        }
    };
    for (index, one) in all.iter().enumerate() {
        for own in one.changes.iter().filter(|change| change.changed) {
            for (nth, other) in all.iter().enumerate().filter(|(nth, _)| *nth != index) {
                let Some(theirs) = other.change(&own.measure) else {
                    continue;
                };
                let opposite = way(theirs) != way(own) && theirs.p < 1.0 - SURE;
                // If both are sure, the earlier one has the warning.
                if opposite && !(theirs.changed && nth < index) {
                    warnings.push(format!(
                        "warning: {} {} with {} agents and {} with {} agents: how well it is played decides it",
                        own.measure.name(),
                        way(own),
                        one.agents,
                        way(theirs),
                        other.agents
                    ));
                }
            }
        }
    }
    warnings
}
