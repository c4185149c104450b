//! Targets as tests: a file says what a game should come to, and many games say whether it does.
//!
//! A file `studies/<game>/<name>.toml` holds `game`, `games`, `seed`, `agents`, `variants`, `dials`, and `targets`:
//! `first faction wins at most 54 %`, `rounds 8 to 12`, `draws at least 5 %`.

use crate::description::Spanned;
use crate::experiment::Experiment;
use crate::experiment::arm::{Arm, ArmOptions, agent};
use crate::experiment::measure::Measure;
use crate::experiment::problems;
use crate::experiment::tally::Tally;
use crate::report::{Problem, Problems, Source, from_top};
use crate::reports::{Column, ReportTable};
use crate::row;
use crate::rules::ruleset::LoadOptions;
use crate::rules::workspace::Workspace;
use crate::scenario::file::{Dials, ScenarioFile};
use crate::stage::run::{self, Overrides};
use crate::stats::{Estimate, Interval, POWER, z, z_sure};
use crate::{suite, toml_text};
use serde::Deserialize;
use std::sync::Arc;

/// A study as it is written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyFile {
    game: Spanned<String>,
    games: Option<Spanned<u64>>,
    #[serde(default = "one")]
    seed: u64,
    #[serde(default)]
    agents: Vec<Spanned<String>>,
    #[serde(default)]
    variants: Vec<Spanned<String>>,
    #[serde(default)]
    dials: Dials,
    targets: Spanned<Vec<Spanned<String>>>,
}

/// Number of games in a study that does not give it.
const MANY: u64 = 1000;
/// Verdict on a target that surely is met.
const MET: &str = "met";

fn one() -> u64 {
    1
}

/// A study that could be played, as far as that can be told before.
struct Study {
    source: Arc<Source>,
    /// Start of the games, with its variants and dials where the study has them.
    start: ScenarioFile,
    wanted: ArmOptions,
    targets: Vec<(Spanned<String>, TargetRange)>,
}

/// Target range of a measure.
#[derive(Debug, Clone, PartialEq)]
struct TargetRange {
    measure: String,
    low: f64,
    high: f64,
}

/// Results of a study.
pub struct CheckedStudy {
    /// Whether all targets are met.
    pub is_met: bool,
    /// A line for each target.
    pub lines: Vec<String>,
    /// The targets for programs.
    pub targets: ReportTable,
}

/// Reads `MEASURE at most X`, `MEASURE at least X` or `MEASURE X to Y`, with `%` behind shares.
fn target(text: &str) -> Option<TargetRange> {
    let is_share = text.trim_end().ends_with('%');
    let number = |word: &str| {
        let word = word.trim().trim_end_matches('%').trim();
        let number = word.parse::<f64>().ok().filter(|n| n.is_finite())?;
        Some(if is_share { number / 100.0 } else { number })
    };
    // A bound that no share can pass is none.
    let may_be = |n: &f64| !is_share || n.is_infinite() || (0.0..=1.0).contains(n);
    let made = |measure: &str, low: f64, high: f64| {
        [low, high].iter().all(may_be).then(|| TargetRange {
            measure: measure.trim().to_owned(),
            low,
            high,
        })
    };
    if let Some((measure, most)) = text.split_once(" at most ") {
        return made(measure, f64::NEG_INFINITY, number(most)?);
    }
    if let Some((measure, least)) = text.split_once(" at least ") {
        return made(measure, number(least)?, f64::INFINITY);
    }
    let (before, high) = text.rsplit_once(" to ")?;
    let before = before.trim_end().trim_end_matches('%').trim_end();
    let (measure, low) = before.rsplit_once(' ')?;
    let (low, high) = (number(low)?, number(high)?);
    (low <= high).then(|| made(measure, low, high)).flatten()
}

/// The study files of a workspace, by path.
pub fn files(workspace: &Workspace) -> Vec<String> {
    workspace.list("studies", ".toml")
}

/// The study files that a user means, as [`suite::find`] finds scenarios.
///
/// # Errors
///
/// A name that nothing has, with the nearest one.
pub fn find(workspace: &Workspace, names: &[String]) -> Result<Vec<String>, Problems> {
    suite::find_in(workspace, "studies", &["study", "studies"], names)
}

/// Reads a study.
///
/// # Errors
///
/// What is wrong with it.
pub fn read(source: &Arc<Source>) -> Result<StudyFile, Problems> {
    toml_text::read_whole(source)
}

/// Returns the problems of a study that can be found without playing.
pub fn faults(workspace: &Workspace, path: &str) -> Vec<Problem> {
    whole(workspace, path)
        .err()
        .map_or_else(Vec::new, |found| found.0)
}

/// Reads a study and looks for all that it names.
fn whole(workspace: &Workspace, path: &str) -> Result<Study, Problems> {
    let source = workspace.read(path)?;
    let file = read(&source)?;
    let start = start(&source, &file);
    let mut problems = run::faults(workspace, &start);
    let load = |options: &LoadOptions| run::load(workspace, &start, options);
    // Without the dials and variants that do not fit, the agents can be looked at all the same.
    let ruleset = load(&run::options_of(&start, &[])).or_else(|_| load(&LoadOptions::default()));
    let ruleset = ruleset.ok();
    let rules = ruleset.as_ref().map(|ruleset| &*ruleset.rules);
    let agents = file.agents.iter();
    problems.extend(agents.filter_map(|word| Some(at(agent(rules, word).err()?, &source, word))));
    if let Some(none) = file.games.as_ref().filter(|games| games.value == 0) {
        problems.push(at(problems::no_games(), &source, none));
    }
    if file.targets.value.is_empty() {
        problems.push(at(problems::no_targets(), &source, &file.targets));
    }
    let mut targets = Vec::new();
    for written in &file.targets.value {
        match target(written) {
            Some(target) => targets.push((written.clone(), target)),
            None => problems.push(at(problems::not_a_target(written), &source, written)),
        }
    }
    Problems::check(from_top(problems))?;
    let agents = file.agents.into_iter().map(|agent| agent.value);
    let wanted = ArmOptions {
        agents: agents.collect(),
        seed: Some(file.seed),
        games: file.games.map_or(MANY, |games| games.value),
        ..ArmOptions::default()
    };
    Ok(Study {
        source,
        start,
        wanted,
        targets,
    })
}

/// The scenario that a study plays: what it says of game, variants and dials, where it says it.
fn start(source: &Arc<Source>, file: &StudyFile) -> ScenarioFile {
    let mut start = ScenarioFile::new("");
    start.source = Arc::clone(source);
    start.game = file.game.clone();
    start.variants = file.variants.clone();
    start.dials = file.dials.0.clone();
    start
}

/// Plays a study and checks its targets.
///
/// # Errors
///
/// What is wrong with the file; what cannot be played.
pub fn check(workspace: &Workspace, path: &str) -> Result<CheckedStudy, Problems> {
    let Study {
        source,
        start,
        wanted,
        targets,
    } = whole(workspace, path)?;
    let arm = Arm::new(workspace, &start, &Overrides::default(), &wanted)?;
    let tally = Experiment::new(workspace, vec![arm], None)?.measure("games", &[], |_, _| true)?;
    let (mut lines, mut problems, mut is_met) = (Vec::new(), Vec::new(), true);
    let columns = ["target", "mean", "interval", "verdict"];
    let mut table = ReportTable::headed(columns.map(Column::data));
    for (written, target) in targets {
        match measured(&tally, &target, &written) {
            Ok((measure, level)) => {
                let (verdict, says) = judged(&target, &measure, level, wanted.games);
                lines.push(format!("  {}: {says}", written.value));
                table.push(row![written.value.as_str(), level.value, level.interval, verdict]);
                is_met &= verdict == MET;
            }
            Err(problem) => problems.push(at(problem, &source, &written)),
        }
    }
    Problems::check(problems)?;
    Ok(CheckedStudy {
        is_met,
        lines,
        targets: table,
    })
}

/// Returns the measure of a target and its level in the games.
fn measured(tally: &Tally, target: &TargetRange, text: &str) -> Result<(Measure, Estimate), Problem> {
    let measure = Measure::find(&target.measure, tally.measures())?;
    if measure.is_share() != text.trim_end().ends_with('%') {
        let help = match measure.is_share() {
            true => "write `%` behind the numbers",
            false => "leave out `%`",
        };
        return Err(problems::wrong_target_unit(&target.measure, help));
    }
    let level = tally
        .level(&measure, 0)
        .ok_or_else(|| problems::rarely_measured(&target.measure));
    Ok((measure, level?))
}

fn at<T>(problem: Problem, source: &Arc<Source>, written: &Spanned<T>) -> Problem {
    problem.at(source, written.span.clone())
}

/// Returns the verdict on a target, for programs and for people.
fn judged(target: &TargetRange, measure: &Measure, level: Estimate, games: u64) -> (&'static str, String) {
    let (mean, Interval { low, high }) = (level.value, level.interval);
    let is_same = !measure.is_share() && level.is_same();
    let text = |n: f64| match measure.is_share() {
        true => format!("{:.1} %", n * 100.0),
        false => format!("{n:.2}"),
    };
    let range = format!("{} to {}", text(low), text(high));
    // No number of games shows more of a number that is at the limit in each of them.
    if is_same && (mean == target.low || mean == target.high) || low >= target.low && high <= target.high {
        return match is_same {
            true => (MET, format!("met ({} in every game)", text(mean))),
            false => (MET, format!("met ({range})")),
        };
    }
    if high < target.low || low > target.high {
        return ("missed", format!("missed ({range})"));
    }
    let edge = (mean - target.low).abs().min((mean - target.high).abs());
    let half = (high - low) / 2.0;
    // As far as the mean is right: the interval must become as narrow as the edge is near, and narrower where that is to
    // be seen in 80 of 100 cases.
    let factor = (half / edge).powi(2) * (1.0 + z(POWER) / z_sure()).powi(2);
    let more = (games as f64 * (factor - 1.0)).max(1.0).ceil();
    let hope = match edge > half / 100.0 {
        true => format!("about {more:.0} more games could say"),
        false => "it lies at the limit, so more games may not decide".to_owned(),
    };
    ("cannot_tell_yet", format!("cannot tell yet ({range}); {hope}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_as_they_are_said() {
        let read = |text: &str| target(text).map(|t| (t.measure, t.low, t.high));
        let first = "first faction wins".to_owned();
        assert_eq!(
            read("first faction wins at most 54 %"),
            Some((first.clone(), f64::NEG_INFINITY, 0.54))
        );
        assert_eq!(read("first faction wins 45 % to 55 %"), Some((first, 0.45, 0.55)));
        assert_eq!(read("rounds 8 to 12"), Some(("rounds".to_owned(), 8.0, 12.0)));
        assert_eq!(
            read("rounds at least 3"),
            Some(("rounds".to_owned(), 3.0, f64::INFINITY))
        );
        assert_eq!(read("rounds 12 to 8"), None);
        assert_eq!(read("rounds: many"), None);
        assert_eq!(read("draws at most 200 %"), None);
    }
}
