//! Profiler for a game's scripts: the time that functions take in random games, by call and by line.
//!
//! Runs are watched, and watching takes time of its own: shares are worth more than times.

use crate::experiment::arm::{Arm, ArmOptions, GameRunner};
use crate::experiment::heading::Heading;
use crate::experiment::record::GameEnd;
use crate::report::Problems;
use crate::report::problems::no_clock;
use crate::reports::{Cell, Report, ReportTable, facts};
use crate::rules::run::function::Function;
use crate::rules::run::observe::{RunPlace, RunView, Watcher};
use crate::rules::run::value::Value;
use crate::rules::workspace::Workspace;
use crate::scenario::file::ScenarioFile;
use crate::stage::run::Overrides;
use crate::work::Work;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// Number of lines listed for a function.
const LINES: usize = 3;

/// Time taken by one function.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfileRow {
    /// The text that it is in.
    pub file: String,
    /// The line where it is declared, from 1.
    pub line: usize,
    /// Its name.
    pub function: String,
    /// Of the time in scripts, what was spent in it and not in what it calls: from 0 to 1.
    pub share: f64,
    /// Mean number of calls per game.
    pub calls_a_game: f64,
    /// Its lines with how often each is reached in a game, those that are reached most first.
    pub lines: Vec<(usize, f64)>,
}

/// Profile of random games.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Description of the games that were played.
    pub played: Heading,
    /// Number of games played.
    pub games: u64,
    /// Number of games that were cut off because they went on for too long.
    pub cut_off: u64,
    /// Mean number of steps per game.
    pub steps_a_game: f64,
    /// The functions, those that take most first.
    pub rows: Vec<ProfileRow>,
}

impl Profile {
    /// Reports the functions, to people at most this many of them.
    pub fn report(&self, most: usize) -> Report {
        let mut page = Report::of(format!(
            "{} random games of {}, {:.1} steps each; of the time in scripts, what each function takes itself:",
            self.games,
            self.played.what(),
            self.steps_a_game
        ));
        if self.cut_off > 0 {
            page.below(format!(
                "{} of them were cut off, since they went on for too long",
                self.cut_off
            ));
        }
        let mut rows = ReportTable::headed([" share", "calls a game", "function"]);
        for row in self.rows.iter().take(most) {
            rows.push([
                format!("{:.1}%", row.share * 100.0),
                format!("{:.1}", row.calls_a_game),
                format!("{}  {}:{}", row.function, row.file, row.line),
            ]);
            let lines = row.lines.iter().take(LINES);
            let lines: Vec<String> = lines
                .map(|(line, n)| format!("line {line} {n:.1} times"))
                .collect();
            if !lines.is_empty() {
                rows.push(["", "", &lines.join(", ")]);
            }
        }
        page.put(rows);
        let more = self.rows.len().saturating_sub(most);
        if more > 0 {
            page.below(format!("and {more} functions that take less (--most N)"));
        }
        page.put(
            "Measuring takes time: compare shares, not times. Here functions with a loop run at every call;",
        );
        page.below("otherwise their results are reused while nothing changes.");
        let functions = self.rows.iter().map(|row| {
            let lines = row
                .lines
                .iter()
                .map(|(line, times)| facts! { line: *line, times: *times });
            facts! {
                function: &row.function, file: &row.file, line: row.line, share: Cell::Share(row.share),
                calls_a_game: row.calls_a_game, lines: Cell::list(lines),
            }
        });
        page.with("played", Cell::data(&self.played))
            .with("game_count", self.games)
            .with("cut_off", self.cut_off)
            .with("steps_a_game", self.steps_a_game)
            .with("functions", Cell::list(functions))
    }
}

/// Totals of one function.
#[derive(Default, Clone)]
struct TimeSpent {
    own: Duration,
    calls: u64,
    lines: BTreeMap<usize, u64>,
}

struct Profiler {
    functions: Vec<Arc<Function>>,
    spent: Vec<TimeSpent>,
    open: Vec<usize>,
    work: Work,
    since: Option<Duration>,
}

impl Profiler {
    /// Adds the time since the last measurement to the innermost function.
    fn settle(&mut self) {
        let now = self.work.now();
        if let Some(spent) = self.open.last().and_then(|f| self.spent.get_mut(*f)) {
            spent.own += self.work.since(self.since).unwrap_or_default();
        }
        self.since = now;
    }
}

impl Watcher for Profiler {
    fn enter(&mut self, _: &RunView<'_>, function: usize, _: &[Value]) {
        self.settle();
        // A closure's time is that of the function around it.
        let named = self
            .functions
            .get(function)
            .map_or(function, |f| f.within.unwrap_or(function));
        if named == function
            && let Some(spent) = self.spent.get_mut(named)
        {
            spent.calls += 1;
        }
        self.open.push(named);
    }

    fn leave(&mut self, _: &RunView<'_>, _: Option<Value>) {
        self.settle();
        self.open.pop();
    }

    fn reach(&mut self, _: &RunView<'_>, reached: &RunPlace<'_>) {
        if let Some(spent) = self.open.last().and_then(|f| self.spent.get_mut(*f)) {
            *spent.lines.entry(reached.spot.line()).or_default() += 1;
        }
    }
}

/// Plays random games from a start, as a study does, and says which functions took their time.
///
/// # Errors
///
/// As [`Arm::new`]; rules that fail on the way; no clock.
pub fn profile(
    workspace: &Workspace,
    start: &ScenarioFile,
    overrides: &Overrides,
    games: u64,
) -> Result<Profile, Problems> {
    if workspace.work().now().is_none() {
        return Err(no_clock("a profile").into());
    }
    let wanted = ArmOptions {
        seed: overrides.seed,
        games,
        ..ArmOptions::default()
    };
    let setting = Arm::new(workspace, start, overrides, &wanted)?;
    let mut runner = GameRunner::lay(workspace, &setting)?;
    let functions: Vec<Arc<Function>> = runner.ruleset().functions().to_vec();
    let profiler = Rc::new(RefCell::new(Profiler {
        spent: vec![TimeSpent::default(); functions.len()],
        functions,
        open: Vec::new(),
        since: workspace.work().now(),
        work: workspace.work().clone(),
    }));
    runner.play.runtime.watch_with(Box::new(Rc::clone(&profiler)));
    let mut steps = 0u64;
    let (mut played, mut cut_off) = (0u64, 0u64);
    let progress = workspace.work().begin("games", usize::try_from(games).ok());
    for game in 0..games {
        if progress.is_stopped() {
            break;
        }
        let record = runner.play(game);
        if workspace.work().is_interrupted() {
            break;
        }
        if record.end == GameEnd::Failed {
            return Err(runner.problems_of(&record));
        }
        cut_off += u64::from(record.end == GameEnd::CutOff);
        // What comes after the last step of a game that ends has a number too.
        steps += u64::from(
            record
                .steps
                .saturating_sub(u32::from(record.end == GameEnd::Over)),
        );
        played += 1;
        progress.step();
    }
    let games = played;
    runner.play.runtime.unwatch();
    let profiler = profiler.borrow();
    let whole: Duration = profiler.spent.iter().map(|s| s.own).sum();
    let a_game = |n: u64| n as f64 / games.max(1) as f64;
    let texts = &runner.ruleset().layers.texts;
    let mut rows: Vec<ProfileRow> = profiler
        .functions
        .iter()
        .zip(&profiler.spent)
        .filter(|(_, spent)| spent.calls > 0)
        .map(|(function, spent)| {
            let mut lines: Vec<(usize, f64)> = spent.lines.iter().map(|(l, n)| (*l, a_game(*n))).collect();
            lines.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            ProfileRow {
                file: texts[function.text].parsed.source.name.clone(),
                line: function.at.0,
                function: function.name.clone(),
                share: spent.own.as_secs_f64() / whole.as_secs_f64().max(f64::MIN_POSITIVE),
                calls_a_game: a_game(spent.calls),
                lines,
            }
        })
        .collect();
    rows.sort_by(|a, b| b.share.total_cmp(&a.share));
    Ok(Profile {
        played: setting.heading(),
        games,
        cut_off,
        steps_a_game: a_game(steps),
        rows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::{Host, TaskDisplay};
    use std::time::Instant;

    /// A host with a clock and no display.
    struct ClockHost(Instant);

    struct NoDisplay;

    impl TaskDisplay for NoDisplay {
        fn step(&self, _: u64, _: &dyn Fn() -> String) {}
    }

    impl Host for ClockHost {
        fn begin(&self, _: &str, _: Option<usize>) -> Box<dyn TaskDisplay> {
            Box::new(NoDisplay)
        }

        fn now(&self) -> Duration {
            self.0.elapsed()
        }
    }

    #[test]
    fn a_function_that_loops_takes_the_time_and_its_lines_are_counted() {
        let game = "fn board() { #{ factions: [\"red\", \"blue\"], hexes: [2, 2] } }\n\
                    fn phases() { [#{ phase: \"all\", each: \"game\", step: \"all\" }] }\n\
                    fn all() {\n    quick();\n    slow();\n}\n\
                    fn quick() {}\n\
                    fn slow() {\n    for n in 0..2000 {\n        let x = n * n;\n    }\n}\n";
        let texts = [("scripts/tiny/game.rhai".to_owned(), game.to_owned())].into();
        let workspace = Workspace::at("no such folder").with(texts);
        let start = ScenarioFile::new("tiny");
        let refused = profile(&workspace, &start, &Overrides::default(), 3).expect_err("there is no clock");
        assert_eq!(refused.0[0].brief(), "no-clock(a profile)");
        let workspace = workspace.for_work(Work::new(ClockHost(Instant::now())));
        let found = profile(&workspace, &start, &Overrides::default(), 3).unwrap_or_else(|p| panic!("{p}"));
        assert_eq!(found.steps_a_game, 1.0);
        assert_eq!(
            (found.rows[0].function.as_str(), found.rows[0].calls_a_game),
            ("slow", 1.0)
        );
        assert_eq!(found.rows[0].lines[0], (10, 2000.0));
        assert_eq!(found.rows.len(), 3);
        let share: f64 = found.rows.iter().map(|r| r.share).sum();
        assert!((share - 1.0).abs() < 1e-9, "{share}");
    }
}
