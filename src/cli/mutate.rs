//! `rulebench mutate`: prints which changes of the rules no scenario notices.

use crate::cli::{FAILED, OK, say, say_json};
use crate::mutate::{self, Fate, Report};
use crate::report::Problems;
use crate::script::workspace::Workspace;

/// What `mutate` is asked.
pub struct Asked {
    /// The game.
    pub game: String,
    /// Only scripts whose path contains this.
    pub only: Option<String>,
    /// Fewer caught than this, in per cent, is a failure.
    pub at_least: u8,
    /// Prints JSON.
    pub json: bool,
}

/// Runs it; returns the exit status.
///
/// # Errors
///
/// An unknown game, and scripts that do not load as they are.
pub fn run(workspace: &Workspace, asked: &Asked) -> Result<u8, Problems> {
    let began = std::time::Instant::now();
    let report = mutate::run(workspace, &asked.game, asked.only.as_deref())?;
    if asked.json {
        say_json(&report);
    } else {
        tell(&report);
        say(&format!("{:.0} s", began.elapsed().as_secs_f64()));
    }
    let enough = report.score() >= f64::from(asked.at_least);
    Ok(if enough && report.failing.is_empty() {
        OK
    } else {
        FAILED
    })
}

fn tell(report: &Report) {
    for path in &report.failing {
        say(&format!("not used, it fails without any change: {path}"));
    }
    let mut path = "";
    for verdict in report.survivors() {
        let mutant = &verdict.mutant;
        if mutant.path != path {
            path = &mutant.path;
            say(&format!("\n{path}"));
        }
        let fate = match &verdict.fate {
            Fate::Unreached => "no scenario reaches it".to_owned(),
            Fate::Survived(1) => "the one scenario that reaches it passes".to_owned(),
            Fate::Survived(n) => format!("all {n} scenarios that reach it pass"),
            Fate::Caught(by) => format!("caught by {by}"),
            Fate::Unfit(why) => format!("does not load: {why}"),
        };
        say(&format!(
            "  {}:{}  {}: {}",
            mutant.path, mutant.line, mutant.function, mutant.what
        ));
        say(&format!("      {}", mutant.text));
        say(&format!("      {fate}"));
    }
    let unfit = report
        .verdicts
        .iter()
        .filter(|v| matches!(v.fate, Fate::Unfit(_)))
        .count();
    let alive = report.survivors().count();
    say(&format!(
        "\n{} of {} changes caught ({:.1} %), {alive} survive; {unfit} more do not load",
        report.caught(),
        report.caught() + alive,
        report.score(),
    ));
}
