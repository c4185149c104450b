//! Games that people played, logged by `rulebench log`: kept in a file that people read, and shown beside what the
//! machine's games say.
//!
//! A file `played/<game>.toml` holds a `[[played]]` for each game: the date, the fingerprint of the rules, variants
//! and dials that were on, who won, who was first, scores, rounds, minutes and a remark.

use crate::designs::health::HealthCard;
use crate::facts;
use crate::kernel::rules::Rules;
use crate::lines::counted;
use crate::report::{Problem, Problems, hint_for};
use crate::reports::{Cell, Facts, Report, ReportTable};
use crate::rules::workspace::Workspace;
use crate::stats::{Interval, wilson};
use crate::suite::problems::unknown_name;
use crate::toml_text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Word shown as the winner if nobody won.
pub const DRAW: &str = "draw";

/// A game that people played.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoggedGame {
    /// When, as `2026-01-31`.
    pub date: String,
    /// The fingerprint of the rules.
    pub rules: String,
    /// Variants that were put on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<String>,
    /// Dials that were turned, as `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dials: Vec<String>,
    /// The faction that won, or `draw`.
    pub winner: String,
    /// The faction that was first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// Number of rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// Duration, in minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u32>,
    /// Remark by a player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// Scores, by faction.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<String, i64>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LogFile {
    #[serde(default)]
    played: Vec<LoggedGame>,
}

/// Returns the path of the file in which the games are stored.
pub fn path(game: &str) -> String {
    format!("played/{game}.toml")
}

/// The games that are logged, in their order.
///
/// # Errors
///
/// What is wrong with the file.
pub fn read(workspace: &Workspace, game: &str) -> Result<Vec<LoggedGame>, Problems> {
    let path = path(game);
    if !workspace.has(&path) {
        return Ok(Vec::new());
    }
    let source = workspace.read(&path)?;
    let file: LogFile = toml_text::read_whole(&source)?;
    Ok(file.played)
}

/// Writes one more game behind the others; what stands in the file stays as it is.
///
/// # Errors
///
/// A file that is wrong already; games that are in no folder; what the system refuses.
pub fn add(workspace: &Workspace, game: &str, played: &LoggedGame) -> Result<(), Problems> {
    let _alone = workspace.lock(game)?;
    read(workspace, game)?;
    let path = path(game);
    let before = match workspace.has(&path) {
        true => workspace.read(&path)?.text.clone(),
        false => format!("# Games of {game} that people played; `rulebench log {game}` adds one.\n"),
    };
    let one = LogFile {
        played: vec![played.clone()],
    };
    // Names, numbers and texts: nothing in it cannot be written.
    let text = toml::to_string(&one).unwrap_or_default();
    workspace.write_alike(&path, &format!("{}\n\n{text}", before.trim_end()))?;
    Ok(())
}

/// The faction that a user names, or that nobody won.
///
/// # Errors
///
/// There is none of that name.
pub fn winner(rules: &Rules, text: &str) -> Result<String, Problem> {
    match text.trim() {
        DRAW => Ok(DRAW.to_owned()),
        name => faction(rules, name, Some(DRAW)),
    }
}

/// The faction that a user names.
///
/// # Errors
///
/// There is none of that name.
pub fn faction(rules: &Rules, text: &str, or: Option<&str>) -> Result<String, Problem> {
    let name = text.trim();
    match rules.faction(name) {
        Some(_) => Ok(name.to_owned()),
        None => {
            let known = rules.factions.iter().map(String::as_str).chain(or);
            Err(unknown_name("faction", name).hint(hint_for(name, known)))
        }
    }
}

/// Summary of people's games under some rules.
#[derive(Debug, Clone)]
pub struct PeopleGames {
    /// Number of games under these rules.
    pub games: u64,
    /// Number of games under other rules.
    pub others: u64,
    /// Wins of whoever was first, of so many that somebody won and of which that is known.
    pub first: (u64, u64),
    /// With 95 % certainty.
    pub first_interval: Interval,
    /// Draws.
    pub draws: u64,
    /// With 95 % certainty.
    pub draws_interval: Interval,
    /// Rounds of those of which that is known, least first.
    pub rounds: Vec<u32>,
    /// Minutes, least first.
    pub minutes: Vec<u32>,
}

impl PeopleGames {
    /// Those under rules of this fingerprint; nobody where there is no game at all.
    pub fn of(all: &[LoggedGame], rules: &str) -> Option<Self> {
        let own: Vec<&LoggedGame> = all.iter().filter(|p| p.rules == rules).collect();
        if all.is_empty() {
            return None;
        }
        let sorted = |of: &dyn Fn(&LoggedGame) -> Option<u32>| {
            let mut numbers: Vec<u32> = own.iter().filter_map(|p| of(p)).collect();
            numbers.sort_unstable();
            numbers
        };
        let games = own.len() as u64;
        let draws = own.iter().filter(|p| p.winner == DRAW).count() as u64;
        let decided: Vec<&&LoggedGame> = own
            .iter()
            .filter(|p| p.winner != DRAW && p.first.is_some())
            .collect();
        let first = decided
            .iter()
            .filter(|p| p.first.as_ref() == Some(&p.winner))
            .count() as u64;
        Some(Self {
            games,
            others: all.len() as u64 - games,
            first: (first, decided.len() as u64),
            first_interval: wilson(first as f64, decided.len() as f64),
            draws,
            draws_interval: wilson(draws as f64, games as f64),
            rounds: sorted(&|p| p.rounds),
            minutes: sorted(&|p| p.minutes),
        })
    }

    /// In a line, such as `7 games by people: the first faction wins 4 of 6 (30 to 90 %), 1 drawn, 35 minutes`.
    pub fn line(&self) -> String {
        let others = match self.others {
            0 => String::new(),
            n => format!(" ({n} more under other rules)"),
        };
        if self.games == 0 {
            return format!("no game by people{others}");
        }
        let (first, of) = self.first;
        let mut text = format!(
            "{} by people{others}: the first faction wins {first} of {of} ({}), {} drawn",
            counted(self.games as usize, "game"),
            per_cent(self.first_interval),
            self.draws
        );
        for (what, numbers) in [("rounds", &self.rounds), ("minutes", &self.minutes)] {
            if !numbers.is_empty() {
                text += &format!(", {} {what}", spread(numbers));
            }
        }
        text
    }

    /// Returns it for programs.
    pub fn facts(&self) -> Facts {
        let share =
            |(count, of): (u64, u64), interval: Interval| facts! { games: count, of: of, interval: interval };
        facts! {
            games: self.games,
            games_under_other_rules: self.others,
            first_faction_wins: share(self.first, self.first_interval),
            draws: share((self.draws, self.games), self.draws_interval),
            rounds: Cell::list(self.rounds.iter().copied()),
            minutes: Cell::list(self.minutes.iter().copied()),
        }
    }

    /// The same beside a health card's numbers.
    pub fn beside(&self, card: &HealthCard) -> Report {
        let mut rows = ReportTable::headed(["", "people", "95 % interval", "machine", ""]);
        let mut share = |name: &str, (count, of): (u64, u64), known: Interval| {
            let Some(metric) = card.metric(name).filter(|_| of > 0) else {
                return;
            };
            let apart = match metric.interval {
                Some(i) if i.high < known.low || i.low > known.high => "the two differ",
                _ => "the two may be the same",
            };
            rows.push([
                name.to_owned(),
                format!("{count} of {of}"),
                per_cent(known),
                metric.interval.map_or_else(String::new, per_cent),
                apart.to_owned(),
            ]);
        };
        share("first-mover advantage", self.first, self.first_interval);
        share("draws", (self.draws, self.games), self.draws_interval);
        if let (Some(length), false) = (card.metric("length"), self.rounds.is_empty()) {
            let machine = format!("{} in the middle", length.value);
            rows.push([
                "length".to_owned(),
                spread(&self.rounds),
                String::new(),
                machine,
                String::new(),
            ]);
        }
        let mut page = Report::of(self.line());
        if !rows.is_empty() {
            page.below(rows);
        }
        page
    }
}

fn per_cent(interval: Interval) -> String {
    format!("{:.0} to {:.0} %", interval.low * 100.0, interval.high * 100.0)
}

/// Sorted numbers in a few words.
fn spread(numbers: &[u32]) -> String {
    match numbers {
        [] => String::new(),
        [only] => only.to_string(),
        [least, .., most] => format!("{least} to {most}"),
    }
}

/// The games as a table, the last one last.
pub fn table(all: &[LoggedGame], today: &str) -> ReportTable {
    let mut rows = ReportTable::headed([
        "date", "rules", "winner", "first", "scores", "rounds", "minutes", "remark",
    ]);
    let number = |n: Option<u32>| n.map_or_else(String::new, |n| n.to_string());
    for one in all {
        let scores = one
            .scores
            .iter()
            .map(|(faction, score)| format!("{faction} {score}"));
        let layers: Vec<&str> = one
            .variants
            .iter()
            .chain(&one.dials)
            .map(String::as_str)
            .collect();
        let rules = match (one.rules == today, layers.is_empty()) {
            (true, _) => "today's".to_owned(),
            (false, true) => one.rules.clone(),
            (false, false) => layers.join(", "),
        };
        rows.push([
            one.date.clone(),
            rules,
            one.winner.clone(),
            one.first.clone().unwrap_or_default(),
            scores.collect::<Vec<_>>().join(", "),
            number(one.rounds),
            number(one.minutes),
            one.remark.clone().unwrap_or_default(),
        ]);
    }
    rows
}
