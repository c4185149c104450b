//! `rulebench log`: keeps a game that people played, by flags or asked at the terminal.

use super::{Changes, print, problems, show_report, the_game};
use crate::kernel::rules::Rules;
use crate::people_games::{self, DRAW, LoggedGame, PeopleGames};
use crate::report::{Problem, Problems};
use crate::reports::{Cell, Report};
use crate::rules::workspace::Workspace;
use crate::scenario::file::ScenarioFile;
use crate::stage::run;
use clap::Args;
use std::collections::BTreeMap;
use std::io::{BufRead, Write as _};

/// Longer remarks are for another place.
const LONGEST: usize = 2000;

#[derive(Args)]
pub(super) struct LogArgs {
    /// The game; may be left out if the workspace has only one
    game: Option<String>,
    /// The faction that won, or `draw`; without it, ask for everything (not with --json)
    #[arg(long, value_name = "FACTION")]
    winner: Option<String>,
    /// The faction that was first
    #[arg(long, value_name = "FACTION", requires = "winner")]
    first: Option<String>,
    /// The score of a faction; can be repeated
    #[arg(long, value_name = "FACTION=N", requires = "winner")]
    score: Vec<String>,
    /// The number of rounds
    #[arg(long, value_name = "N", requires = "winner")]
    rounds: Option<u32>,
    /// The time that it took
    #[arg(long, value_name = "N", requires = "winner")]
    minutes: Option<u32>,
    /// A remark
    #[arg(long, value_name = "TEXT", requires = "winner")]
    remark: Option<String>,
    /// List the games that are logged
    #[arg(long, conflicts_with = "winner")]
    list: bool,
    #[command(flatten)]
    changes: Changes,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Logs a game, or shows those that are logged.
///
/// # Errors
///
/// What is no faction or number; rules that cannot be loaded; a file that cannot be written.
pub(super) fn log(workspace: &Workspace, args: LogArgs) -> Result<u8, Problems> {
    let game = the_game(workspace, args.game.as_deref(), "rulebench log GAME")?;
    if !args.list {
        // Nobody is asked for what cannot be kept.
        workspace.check_writable()?;
    }
    let overrides = args.changes.clone().overrides()?;
    let file = ScenarioFile::new(game.clone());
    let start = run::lay(workspace, &file, &overrides)?;
    let ruleset = start.play.ruleset();
    let rules = ruleset.fingerprint();
    if !args.list {
        let blank = LoggedGame {
            date: time::OffsetDateTime::now_utc().date().to_string(),
            rules: rules.clone(),
            variants: args.changes.variant.clone(),
            dials: args.changes.set.clone(),
            ..LoggedGame::default()
        };
        let one = match &args.winner {
            Some(winner) => logged_game(&ruleset.rules, winner, &args, blank)?,
            // What is asked would stand among the JSON.
            None if args.json => {
                let named = ruleset.rules.factions.join(", ");
                return Err(problems::missing_winner(format!("{named}, {DRAW}")).into());
            }
            None => ask_all(&ruleset.rules, &mut std::io::stdin().lock(), blank)?,
        };
        people_games::add(workspace, &game, &one)?;
    }
    let all = people_games::read(workspace, &game)?;
    let people = PeopleGames::of(&all, &rules);
    let mut report = Report::default()
        .with("rules", rules.as_str())
        .with("logged_games", Cell::list(all.iter().map(Cell::data)))
        .with("people", people.as_ref().map(PeopleGames::facts));
    match people {
        None => report.put(format!(
            "no game of {game} is logged yet; `rulebench log {game}` asks for one"
        )),
        Some(people) if args.list => {
            report.put(people_games::table(&all, &rules));
            report.put(people.line());
        }
        Some(people) => {
            report.put(format!("logged in {}", people_games::path(&game)));
            report.below(people.line());
        }
    }
    Ok(show_report(workspace.work(), args.json, report, true))
}

/// Returns the game that the flags describe.
fn logged_game(
    rules: &Rules,
    winner: &str,
    args: &LogArgs,
    blank: LoggedGame,
) -> Result<LoggedGame, Problem> {
    let mut scores = BTreeMap::new();
    for text in &args.score {
        let (faction, score) = text
            .split_once('=')
            .ok_or_else(|| problems::missing_value(format!("--score {text}"), "--score FACTION=N"))?;
        let faction = people_games::faction(rules, faction, None)?;
        if scores.insert(faction.clone(), number(score)?).is_some() {
            return Err(problems::repeated(faction));
        }
    }
    let first = args
        .first
        .as_deref()
        .map(|f| people_games::faction(rules, f, None));
    Ok(LoggedGame {
        winner: people_games::winner(rules, winner)?,
        first: first.transpose()?,
        rounds: args.rounds,
        minutes: args.minutes,
        remark: args.remark.as_deref().and_then(remark),
        scores,
        ..blank
    })
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, Problem> {
    let text = text.trim();
    text.parse()
        .map_err(|_| problems::wrong_value(text, "a valid number", "a whole number such as 40"))
}

/// A remark in one line.
fn remark(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line: String = words.join(" ").chars().take(LONGEST).collect();
    (!line.is_empty()).then_some(line)
}

/// Asks everything about a game; an empty line leaves open what is not known.
fn ask_all(rules: &Rules, input: &mut impl BufRead, blank: LoggedGame) -> Result<LoggedGame, Problem> {
    let factions = rules.factions.join(", ");
    let winner = ask(
        input,
        &format!("winner ({factions}, {DRAW})"),
        |text| match text {
            "" => Err(problems::missing_winner(format!("{factions}, {DRAW}"))),
            text => people_games::winner(rules, text),
        },
    )?;
    let known = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let first = ask(
        input,
        &format!("first ({factions}; empty where nobody knows)"),
        |text| {
            known(text)
                .map(|t| people_games::faction(rules, &t, None))
                .transpose()
        },
    )?;
    let mut scores = BTreeMap::new();
    for faction in &rules.factions {
        let score = ask(input, &format!("score of {faction} (empty: none)"), |text| {
            known(text).map(|t| number(&t)).transpose()
        })?;
        scores.extend(score.map(|score| (faction.clone(), score)));
    }
    let mut count = |what: &str| {
        ask(input, &format!("{what} (empty where nobody knows)"), |text| {
            known(text).map(|t| number(&t)).transpose()
        })
    };
    let (rounds, minutes) = (count("rounds")?, count("minutes")?);
    let remark = ask(input, "remark", |text| Ok(remark(text)))?;
    Ok(LoggedGame {
        winner,
        first,
        rounds,
        minutes,
        remark,
        scores,
        ..blank
    })
}

/// Asks until the answer is one.
fn ask<T>(
    input: &mut impl BufRead,
    question: &str,
    read: impl Fn(&str) -> Result<T, Problem>,
) -> Result<T, Problem> {
    loop {
        let mut out = std::io::stdout();
        // Where nobody sees the question, the answer is read all the same.
        let _ = write!(out, "{question}: ").and_then(|()| out.flush());
        let mut line = String::new();
        let got = input.read_line(&mut line);
        match got {
            Ok(0) => {
                print("");
                return Err(problems::unfinished_log());
            }
            Err(error) => return Err(problems::unreadable_answer(error)),
            Ok(_) => {}
        }
        match read(line.trim()) {
            Ok(answer) => return Ok(answer),
            Err(problem) => print(&problem.page(false)),
        }
    }
}
