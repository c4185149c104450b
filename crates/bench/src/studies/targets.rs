//! Targets as tests: a file says what a game should come to, and many games say whether it does.
//!
//! A file `studies/<game>/<name>.toml` holds `game`, `games`, `seed`, `agents`, `variants`, `dials`, and `targets`:
//! `first faction wins at most 54 %`, `rounds 8 to 12`, `draws at least 5 %`.

use super::health::sums;
use super::measure::{Level, Measure};
use super::setting::{Setting, Wanted};
use crate::report::{Problem, Problems, Source};
use crate::scenario::file::{DialValue, ScenarioFile};
use crate::script::workspace::Workspace;
use crate::stage::run::Overrides;
use crate::stats::{Interval, POWER, z, z_sure};
use crate::toml_text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A study as it is written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    game: String,
    #[serde(default = "many")]
    games: u64,
    #[serde(default = "one")]
    seed: u64,
    #[serde(default)]
    agents: Vec<String>,
    #[serde(default)]
    variants: Vec<String>,
    #[serde(default)]
    dials: BTreeMap<String, toml::Value>,
    targets: Vec<toml::Spanned<String>>,
}

fn many() -> u64 {
    1000
}

fn one() -> u64 {
    1
}

/// What is wanted of a measure.
#[derive(Debug, Clone, PartialEq)]
struct Target {
    measure: String,
    low: f64,
    high: f64,
}

/// What a target comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetVerdict {
    /// It is surely so.
    Met,
    /// It is surely not so.
    Missed,
    /// More games are needed.
    CannotTellYet,
}

/// A target that was looked at.
#[derive(Debug, Clone, Serialize)]
pub struct Checked {
    /// As it is written.
    pub target: String,
    /// The measure's mean.
    pub mean: f64,
    /// With 95 % certainty.
    pub interval: Interval,
    /// What it comes to.
    pub verdict: TargetVerdict,
    /// The same in words.
    pub says: String,
}

/// Reads `MEASURE at most X`, `MEASURE at least X` or `MEASURE X to Y`, with `%` behind shares.
fn target(text: &str) -> Option<Target> {
    let is_share = text.trim_end().ends_with('%');
    let number = |word: &str| {
        let word = word.trim().trim_end_matches('%').trim();
        let number = word.parse::<f64>().ok().filter(|n| n.is_finite())?;
        Some(if is_share { number / 100.0 } else { number })
    };
    let made = |measure: &str, low: f64, high: f64| {
        Some(Target {
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

/// Reads a study.
///
/// # Errors
///
/// What is wrong with it.
pub fn read(source: &std::rc::Rc<Source>) -> Result<File, Problems> {
    Problems::check(toml_text::mended(source).problems)?;
    toml::from_str(&source.text).map_err(|error| toml_text::refused(&error, source).into())
}

/// Plays a study and checks its targets.
///
/// # Errors
///
/// What is wrong with the file; what cannot be played.
pub fn check(workspace: &Workspace, path: &str) -> Result<Vec<Checked>, Problems> {
    let source = workspace.read(path)?;
    let file = read(&source)?;
    let mut targets = Vec::new();
    let mut problems = Vec::new();
    for written in &file.targets {
        match target(written.get_ref()) {
            Some(target) => targets.push((written.clone(), target)),
            None => problems.push(
                Problem::new(format!("`{}` is no target", written.get_ref()))
                    .at(&source, written.span())
                    .hint("MEASURE at most X, MEASURE at least X, or MEASURE X to Y; with % behind shares"),
            ),
        }
    }
    Problems::check(problems)?;
    let dials = file.dials.iter().map(|(name, value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        (name.clone(), DialValue::read(&text))
    });
    let overrides = Overrides {
        variants: file.variants.clone(),
        dials: dials.collect(),
        ..Overrides::default()
    };
    let wanted = Wanted {
        agents: file.agents.clone(),
        seed: Some(file.seed),
        games: file.games,
        ..Wanted::default()
    };
    let setting = Setting::new(
        workspace,
        &ScenarioFile::new(file.game.clone()),
        &overrides,
        &wanted,
    )?;
    let sums = sums(workspace, &setting, None)?;
    let mut checked = Vec::new();
    for (written, target) in targets {
        let measure =
            Measure::find(&target.measure, sums.measures()).map_err(|p| at(p, &source, &written))?;
        if measure.is_share() != written.get_ref().trim_end().ends_with('%') {
            let told = match measure.is_share() {
                true => "is a share: write `%` behind its numbers",
                false => "is no share: leave `%` out",
            };
            let message = format!("`{}` {told}", target.measure);
            return Err(at(Problem::new(message), &source, &written).into());
        }
        let level = sums.of(&measure).and_then(|sum| Level::of(&measure, sum, 0));
        let Some(level) = level else {
            let message = format!("`{}` is measured in too few games", target.measure);
            return Err(at(Problem::new(message), &source, &written).into());
        };
        checked.push(judged(written.get_ref(), &target, &measure, level, file.games));
    }
    Ok(checked)
}

fn at(problem: Problem, source: &std::rc::Rc<Source>, written: &toml::Spanned<String>) -> Problem {
    problem.at(source, written.span())
}

fn judged(
    text: &str,
    target: &Target,
    measure: &Measure,
    Level {
        mean,
        interval,
        is_same,
    }: Level,
    games: u64,
) -> Checked {
    let verdict = match interval {
        // No number of games shows more of what is just as far as it may be in each of them.
        _ if is_same && (mean == target.low || mean == target.high) => TargetVerdict::Met,
        i if i.low >= target.low && i.high <= target.high => TargetVerdict::Met,
        i if i.high < target.low || i.low > target.high => TargetVerdict::Missed,
        _ => TargetVerdict::CannotTellYet,
    };
    let told = |n: f64| match measure.is_share() {
        true => format!("{:.1} %", n * 100.0),
        false => format!("{n:.2}"),
    };
    let range = format!("{} to {}", told(interval.low), told(interval.high));
    let says = match verdict {
        TargetVerdict::Met if is_same => format!("met ({} in every game)", told(mean)),
        TargetVerdict::Met => format!("met ({range})"),
        TargetVerdict::Missed => format!("missed ({range})"),
        TargetVerdict::CannotTellYet => {
            let edge = (mean - target.low).abs().min((mean - target.high).abs());
            let half = (interval.high - interval.low) / 2.0;
            // As far as the mean is right: the interval must become as narrow as the edge is near, and
            // narrower where that is to be seen in 80 of 100 cases.
            let factor = (half / edge).powi(2);
            let more = (games as f64 * (factor * (1.0 + z(POWER) / z_sure()).powi(2) - 1.0))
                .max(1.0)
                .ceil();
            let hope = match edge > half / 100.0 {
                true => format!("about {more:.0} more games could say"),
                false => "it lies on the edge, and no number of games is sure to say".to_owned(),
            };
            format!("cannot tell yet ({range}); {hope}")
        }
    };
    Checked {
        target: text.to_owned(),
        mean,
        interval,
        verdict,
        says,
    }
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
    }
}
