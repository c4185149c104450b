//! The command line: thin over the library.
//!
//! Exit status: 0 all well, 1 a check failed, 2 bad usage or bad input.

use crate::coverage::{self, Kind, Rulebook};
use crate::repl::session::Session;
use crate::report::{Problem, Problems};
use crate::scenario::file::DialValue;
use crate::scenario::run::{self, Overrides};
use crate::script::host::{Host, Options};
use crate::script::workspace::Workspace;
use crate::suite;
use clap::{Args, Parser, Subcommand};
use std::io::{IsTerminal, Write as _};
use std::path::PathBuf;

/// All well.
pub const OK: u8 = 0;
/// A check failed.
pub const FAILED: u8 = 1;
/// Bad usage or bad input.
pub const BAD_INPUT: u8 = 2;

#[derive(Parser)]
#[command(
    name = "rulebench",
    version,
    about = "A rules-scripting sandbox for designers of tabletop skirmish games",
    after_help = "Without a command it opens the REPL."
)]
struct Cli {
    /// The folder with `scripts`, `units` and `scenarios`; without one the embedded games are used
    #[arg(long, global = true, value_name = "DIR")]
    workspace: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Opens the REPL with a game or a scenario on the table
    Repl {
        /// A game, a scenario or a transcript
        start: Option<String>,
        #[command(flatten)]
        changes: Changes,
    },
    /// Plays scenarios or transcripts and prints what happened
    Run {
        /// Paths or names of scenarios
        #[arg(required = true)]
        scenarios: Vec<String>,
        #[command(flatten)]
        changes: Changes,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Runs scenarios and checks what they expect
    Test {
        /// Paths, folders, games or names; all scenarios without any
        paths: Vec<String>,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Compiles and checks every script and scenario
    Check {
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Lists the clauses of a rulebook with the scenarios that prove them
    Coverage {
        /// The game
        game: String,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args, Default)]
struct Changes {
    /// Puts a variant on
    #[arg(long, value_name = "NAME")]
    variant: Vec<String>,
    /// Turns a dial
    #[arg(long, value_name = "DIAL=VALUE")]
    set: Vec<String>,
    /// Another seed for dice and agents
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl Changes {
    fn overrides(self) -> Result<Overrides, Problem> {
        let mut dials = Vec::new();
        for set in &self.set {
            let Some((name, value)) = set.split_once('=') else {
                return Err(Problem::new(format!("`--set {set}` has no value"))
                    .hint("write --set DIAL=VALUE, such as --set max_rounds=8"));
            };
            dials.push((name.trim().to_owned(), DialValue::read(value.trim())));
        }
        Ok(Overrides {
            seed: self.seed,
            dials,
            variants: self.variant,
            without: Vec::new(),
        })
    }
}

/// Whether to use colour on a stream: a terminal, and nobody said no.
pub fn wants_colour(terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    let dumb = std::env::var("TERM").is_ok_and(|t| t == "dumb");
    terminal && !set("NO_COLOR") && !dumb
}

/// Runs the command line and returns the exit status.
pub fn main() -> u8 {
    // Arguments that are no text are said so, not a panic.
    let args: Vec<std::ffi::OsString> = std::env::args_os().collect();
    if let Some(odd) = args.iter().find(|a| a.to_str().is_none()) {
        eprintln!("error: the argument {odd:?} is not valid text");
        return BAD_INPUT;
    }
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // A closed output is no reason to fail differently.
            let _ = error.print();
            return if error.use_stderr() { BAD_INPUT } else { OK };
        }
    };
    match dispatch(cli) {
        Ok(status) => status,
        Err(problems) => {
            let colour = wants_colour(std::io::stderr().is_terminal());
            say_error(&problems.page(colour));
            BAD_INPUT
        }
    }
}

fn dispatch(cli: Cli) -> Result<u8, Problems> {
    let workspace = match &cli.workspace {
        Some(folder) if !folder.join("scripts").is_dir() => {
            return Err(
                Problem::new(format!("{} has no folder `scripts`", folder.display()))
                    .hint("a workspace has the folders scripts, units and scenarios")
                    .into(),
            );
        }
        Some(folder) => Workspace::Folder(folder.clone()),
        None => Workspace::find(&PathBuf::from(".")),
    };
    match cli.command {
        None => repl(&workspace, None, Changes::default()),
        Some(Command::Repl { start, changes }) => repl(&workspace, start, changes),
        Some(Command::Run {
            scenarios,
            changes,
            json,
        }) => run_scenarios(&workspace, &scenarios, changes.overrides()?, json),
        Some(Command::Test { paths, json }) => test(&workspace, &paths, json),
        Some(Command::Check { json }) => check(&workspace, json),
        Some(Command::Coverage { game, json }) => cover(&workspace, &game, json),
    }
}

/// Prints to standard output; a reader that has gone away ends the output, not the program.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}");
}

fn say_error(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = writeln!(out, "{text}");
}

fn say_json(value: &impl serde::Serialize) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => say(&text),
        Err(error) => say_error(&format!("error: {error}")),
    }
}

fn repl(workspace: &Workspace, start: Option<String>, changes: Changes) -> Result<u8, Problems> {
    let (input, output) = (std::io::stdin(), std::io::stdout());
    let terminal = input.is_terminal() && output.is_terminal();
    let style = crate::render::Style {
        colour: wants_colour(terminal),
        ascii: !terminal || !crate::repl::terminal::speaks_unicode(),
        ..crate::render::Style::default()
    };
    let session = Session::new(workspace, start.as_deref(), changes.overrides()?, style)?;
    if terminal {
        crate::repl::terminal::run(session)?;
        return Ok(OK);
    }
    let all_well = crate::repl::plain::run(session, &mut input.lock(), &mut output.lock());
    Ok(if all_well { OK } else { BAD_INPUT })
}

fn run_scenarios(
    workspace: &Workspace,
    scenarios: &[String],
    overrides: Overrides,
    json: bool,
) -> Result<u8, Problems> {
    let mut status = OK;
    let mut reports = Vec::new();
    let colour = wants_colour(std::io::stderr().is_terminal());
    for path in suite::find(workspace, scenarios)? {
        let opened = suite::open(workspace, &path)?;
        let ran = run::run(workspace, &opened, &overrides)?;
        let transcript = ran.transcript();
        if json {
            reports.push(serde_json::json!({
                "scenario": path,
                "end": ran.end(),
                "lines": transcript.lines.iter().map(crate::transcript::Line::text).collect::<Vec<_>>(),
                "problems": ran.problems,
                "unmet": ran.unmet,
            }));
        } else {
            say(transcript.print().trim_end());
        }
        for problem in ran.problems.iter().chain(&ran.unmet) {
            if !json {
                say_error(&problem.page(colour));
            }
        }
        if !ran.problems.is_empty() {
            status = BAD_INPUT;
        } else if !ran.unmet.is_empty() {
            status = status.max(FAILED);
        }
    }
    if json {
        say_json(&reports);
    }
    Ok(status)
}

fn test(workspace: &Workspace, paths: &[String], json: bool) -> Result<u8, Problems> {
    let paths = suite::find(workspace, paths)?;
    let began = std::time::Instant::now();
    let results = suite::run_all(workspace, &paths, &Overrides::default());
    let colour = wants_colour(std::io::stdout().is_terminal());
    let failed = results.iter().filter(|r| !r.passed()).count();
    if json {
        let list: Vec<_> = results
            .iter()
            .map(|r| {
                serde_json::json!({
                    "scenario": r.path, "passed": r.passed(), "end": r.end,
                    "problems": r.problems, "unmet": r.unmet,
                    "milliseconds": r.took.as_millis() as u64,
                })
            })
            .collect();
        say_json(&list);
    } else {
        for result in &results {
            let (mark, code) = if result.passed() {
                ("ok  ", "32")
            } else {
                ("FAIL", "31")
            };
            let title = result
                .title
                .as_ref()
                .map_or_else(String::new, |t| format!("  {t}"));
            if colour {
                say(&format!("\x1b[{code}m{mark}\x1b[0m {}{title}", result.path));
            } else {
                say(&format!("{mark} {}{title}", result.path));
            }
        }
        for result in results.iter().filter(|r| !r.passed()) {
            say(&format!("\n--- {}", result.path));
            for problem in result.problems.iter().chain(&result.unmet) {
                say(&problem.page(colour));
            }
            if !result.end.is_empty() {
                say(&format!("it ended so: {}", result.end));
            }
            say(&format!("see what happened: rulebench run {}", result.path));
        }
        if results.is_empty() {
            say("no scenarios found; they are files scenarios/<game>/<name>.toml");
        }
        let seconds = began.elapsed().as_secs_f64();
        say(&format!(
            "\n{} passed, {failed} failed ({seconds:.1} s)",
            results.len() - failed
        ));
    }
    let bad_input = results.iter().any(|r| !r.problems.is_empty());
    Ok(if bad_input {
        BAD_INPUT
    } else if failed > 0 {
        FAILED
    } else {
        OK
    })
}

fn check(workspace: &Workspace, json: bool) -> Result<u8, Problems> {
    let mut problems = Vec::new();
    let games = workspace.games();
    for game in &games {
        if let Err(found) = Host::load(workspace, game, &Options::default()) {
            problems.extend(found.0);
        }
        if workspace.has(&format!("scripts/{game}/rulebook.toml"))
            && let Err(found) = Rulebook::read(workspace, game)
        {
            problems.extend(found.0);
        }
    }
    let scenarios = suite::find(workspace, &[])?;
    for path in &scenarios {
        let laid = suite::open(workspace, path)
            .and_then(|opened| run::lay(workspace, &opened.file, &Overrides::default()).map(|_| ()));
        if let Err(found) = laid {
            for problem in found.0 {
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
        }
    }
    let good = problems.is_empty();
    if json {
        say_json(&serde_json::json!({
            "games": games, "scenarios": scenarios.len(), "problems": problems,
        }));
    } else {
        let colour = wants_colour(std::io::stdout().is_terminal());
        for problem in &problems {
            say(&problem.page(colour));
            say("");
        }
        let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        say(&format!(
            "checked {} and {}: {}",
            count(games.len(), "game"),
            count(scenarios.len(), "scenario"),
            if good {
                "all well".to_owned()
            } else {
                count(problems.len(), "problem")
            }
        ));
    }
    Ok(if good { OK } else { BAD_INPUT })
}

fn cover(workspace: &Workspace, game: &str, json: bool) -> Result<u8, Problems> {
    let (rulebook, _) = Rulebook::read(workspace, game)?;
    let all = suite::find(workspace, &[])?;
    let own: Vec<String> = all
        .into_iter()
        .filter(|p| p.starts_with(&format!("scenarios/{game}/")))
        .collect();
    let results = suite::run_all(workspace, &own, &Overrides::default());
    let proofs = coverage::proofs(&rulebook, &suite::claims(&results));
    let open = proofs
        .iter()
        .filter(|p| p.required && p.proven_by.is_empty())
        .count();
    if json {
        say_json(&proofs);
    } else {
        for proof in &proofs {
            let kind = match proof.kind {
                Kind::Rule => "rule",
                Kind::Option => "option",
                Kind::Todo => "todo",
                Kind::Ruling => "ruling",
            };
            let mark = match (proof.proven_by.is_empty(), proof.required) {
                (false, _) => "proven  ",
                (true, true) => "UNPROVEN",
                (true, false) => "open    ",
            };
            say(&format!(
                "{mark} {:8} {kind:7} {}",
                proof.clause,
                short(&proof.says)
            ));
            for scenario in &proof.proven_by {
                say(&format!("             {scenario}"));
            }
            for scenario in &proof.failing {
                say(&format!("             {scenario} (fails)"));
            }
        }
        let required = proofs.iter().filter(|p| p.required).count();
        say(&format!(
            "\n{} of {required} clauses of kind rule, option or ruling are proven by {} scenarios",
            required - open,
            own.len()
        ));
        let later: Vec<&str> = proofs
            .iter()
            .filter(|p| !p.required && p.proven_by.is_empty())
            .map(|p| p.clause.as_str())
            .collect();
        if !later.is_empty() {
            say(&format!(
                "undecided tweaks and rulings about them: {}",
                later.join(", ")
            ));
        }
    }
    Ok(if open == 0 { OK } else { FAILED })
}

/// The first 70 letters or so of a sentence.
fn short(text: &str) -> String {
    if text.chars().count() <= 72 {
        return text.to_owned();
    }
    let cut: String = text.chars().take(70).collect();
    let end = cut.rfind(' ').unwrap_or(cut.len());
    format!("{} ...", &cut[..end])
}
