//! The command line: thin over the library.
//!
//! Exit status: 0 all well, 1 a check failed, 2 bad usage or bad input.

mod arguments;
mod changes;
mod check;
mod coverage;
pub(crate) mod diff;
mod doc;
mod ladder;
mod log;
mod mutate;
mod new;
mod odds;
pub(crate) mod odds_options;
mod problems;
mod profile;
mod render;
mod repl;
mod replay;
mod run;
mod sheet;
mod sim;
pub(crate) mod snapshots;
mod studies;
mod test;
mod threads;
mod variants;

use crate::progress;
use crate::report::{Problem, Problems, did_you_mean};
use crate::reports::Report;
use crate::rules::workspace::Workspace;
pub use crate::screen::wants_colour;
pub(crate) use crate::screen::{Screen, print, print_data, print_error, print_json};
use crate::work::Work;
use arguments::{Cli, Command, Repl};
use changes::Changes;
use clap::CommandFactory;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;
use threads::Threads;

/// All well.
pub const OK: u8 = 0;
/// A check failed.
pub const FAILED: u8 = 1;
/// Bad usage or bad input.
pub const BAD_INPUT: u8 = 2;

/// Runs the command line and returns the exit status.
pub fn main() -> u8 {
    // Arguments that are no text are said so, not a panic.
    let args: Vec<OsString> = std::env::args_os().collect();
    if let Some(odd) = args.iter().find(|a| a.to_str().is_none()) {
        print_error(&format!("error: the argument {odd:?} is not valid text"));
        return BAD_INPUT;
    }
    let json = args.iter().any(|a| a == "--json");
    let cli = match Cli::read(&args).or_else(|error| at_the_prompt(&args).ok_or(error)) {
        Ok(cli) => cli,
        Err(error)
            if error.kind() == ErrorKind::InvalidSubcommand
                && let Some((name, hint)) = to_open(&args) =>
        {
            let problem = problems::unknown_name("command", name).hint(hint);
            match json {
                true => print_problems(&problem.into()),
                false => complain(&problem.into()),
            }
            return BAD_INPUT;
        }
        Err(error) if json && error.use_stderr() => {
            let text = error.to_string();
            print_problems(
                &problems::refused_arguments(text.trim_start_matches("error: ").trim_end()).into(),
            );
            return BAD_INPUT;
        }
        Err(error) => {
            let page = error.render();
            let text = |colour: bool| match colour {
                true => page.ansi().to_string(),
                false => page.to_string(),
            };
            if error.use_stderr() {
                print_error(text(wants_colour(std::io::stderr().is_terminal())).trim_end());
                return BAD_INPUT;
            }
            print(text(wants_colour(std::io::stdout().is_terminal())).trim_end());
            return OK;
        }
    };
    let work = match cli.command {
        None | Some(Command::Repl { .. }) => progress::of_session(repl::is_at_terminal()),
        Some(Command::Table { .. }) => progress::of_session(false),
        _ => progress::of_command(),
    };
    let status = match dispatch(cli, &work) {
        Ok(status) => status,
        Err(problems) => {
            match json {
                true => print_problems(&problems),
                false => complain(&problems),
            }
            // Whoever stops it before anything is known has done nothing wrong.
            if work.is_stopped() { FAILED } else { BAD_INPUT }
        }
    };
    let status = match crate::screen::lost() {
        Some(why) => {
            print_error(&format!(
                "error: not all could be written to standard output: {why}"
            ));
            BAD_INPUT
        }
        None => status,
    };
    let left = work.take_undone();
    if left.is_empty() {
        return status;
    }
    print_error(&format!("stopped before the end; done were {}", left.join(", ")));
    status.max(FAILED)
}

/// Without a command it is the prompt that is meant, which has options of its own.
fn at_the_prompt(args: &[OsString]) -> Option<Cli> {
    let (program, options) = args.split_first()?;
    if !options.first()?.to_str()?.starts_with("--") {
        return None;
    }
    let repl = OsString::from("repl");
    Cli::read([program, &repl].into_iter().chain(options)).ok()
}

/// A game or scenario that stands where a command should, or a word that is nearer to a game than to any command; and
/// what to write.
fn to_open(args: &[OsString]) -> Option<(&str, String)> {
    let name = args.get(1)?.to_str()?;
    let workspace = Workspace::find(&PathBuf::from("."));
    let games = workspace.games();
    if games.iter().any(|game| game == name) || crate::suite::one(&workspace, name).is_ok() {
        return Some((name, format!("`rulebench repl {name}` opens it at the prompt")));
    }
    let commands = Cli::command();
    let commands = commands.get_subcommands().map(clap::Command::get_name);
    let near = did_you_mean(name, commands.chain(games.iter().map(String::as_str)))?;
    let game = games.iter().find(|game| **game == near)?;
    Some((
        name,
        format!("`rulebench repl {game}` opens the game of that name"),
    ))
}

/// Tells what was found, as JSON or as a page; gives the exit status.
fn print_report<P: Into<Report>>(
    work: &Work,
    json: bool,
    found: &impl serde::Serialize,
    page: impl FnOnce() -> P,
    well: bool,
) -> u8 {
    match json.then_some(found).ok_or_else(|| page().into()) {
        Ok(found) if work.is_stopped() => print_json(&stopped(found)),
        Ok(found) => print_json(found),
        Err(page) if page.is_empty() => {}
        Err(page) => print(&page.text()),
    }
    if well { OK } else { FAILED }
}

/// Shows the answer of a command, as JSON or as text; returns the exit status. JSON of a command that the user stopped
/// says so.
fn show_report(work: &Work, json: bool, mut report: Report, well: bool) -> u8 {
    if json {
        if work.is_stopped() {
            report.fact("stopped", true);
        }
        print_json(&report);
    } else if !report.is_empty() {
        print(&report.text());
    }
    if well { OK } else { FAILED }
}

/// Marks a result as incomplete, because the user stopped the command. A list has it in its last entry, behind which
/// more would stand.
fn stopped(found: &impl serde::Serialize) -> serde_json::Value {
    // Names, numbers and texts: nothing in it cannot be told.
    let mut found = serde_json::to_value(found).unwrap_or_default();
    let last = match &mut found {
        serde_json::Value::Array(list) => {
            if list.is_empty() {
                list.push(serde_json::json!({}));
            }
            list.last_mut()
        }
        other => Some(other),
    };
    if let Some(fields) = last.and_then(serde_json::Value::as_object_mut) {
        fields.entry("stopped").or_insert(true.into());
    }
    found
}

/// The game that is meant: the named one, or the only one there is. `how` says how one is named.
///
/// # Errors
///
/// An unknown game, and none named where there are several.
fn the_game(workspace: &Workspace, named: Option<&str>, how: &str) -> Result<String, Problem> {
    match (named, &workspace.games()[..]) {
        (Some(game), _) => {
            workspace.check_game(game)?;
            Ok(game.to_owned())
        }
        (None, [only]) => Ok(only.clone()),
        (None, games) => Err(problems::missing_game(games.join(", "), how)),
    }
}

/// Prints problems for people.
fn complain(problems: &Problems) {
    print_error(&problems.page(wants_colour(std::io::stderr().is_terminal())));
}

/// Prints the problems that kept a command from running, for programs.
fn print_problems(problems: &Problems) {
    print_json(&serde_json::json!({ "problems": problems.0 }));
}

fn dispatch(cli: Cli, work: &Work) -> Result<u8, Problems> {
    let workspace = match &cli.workspace {
        Some(folder) if !folder.join("scripts").is_dir() => {
            return Err(problems::no_scripts(folder.display()).into());
        }
        Some(folder) => Workspace::at(folder.clone()),
        None => Workspace::find(&PathBuf::from(".")),
    };
    let workspace = workspace.for_work(work.clone());
    // What nobody can look into must not be taken for empty.
    if !matches!(cli.command, Some(Command::New { .. })) {
        Problems::check(workspace.closed())?;
    }
    let workspace = match cli.command.as_ref().is_some_and(Command::plays_long) {
        true => workspace.held(),
        false => workspace,
    };
    match cli.command {
        Some(Command::New { folder, game }) => new::new(&folder, game.as_deref(), work),
        None => repl::run(&workspace, Repl::default()),
        Some(Command::Repl(args)) => repl::run(&workspace, args),
        Some(Command::Table { start, changes }) => repl::table(&workspace, start, changes),
        Some(Command::Run(args)) => run::run(&workspace, args),
        Some(Command::Test(args)) if args.studies => studies::targets(&workspace, &args.paths, args.json),
        Some(Command::Test(args)) => test::run(&workspace, &args),
        Some(Command::Accept { names, all, json }) => snapshots::accept(&workspace, &names, all, json),
        Some(Command::Reject(args)) => snapshots::reject(&workspace, &args),
        Some(Command::Review { names, boards }) => {
            let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout());
            let screen = Screen::of(&output);
            snapshots::review(&workspace, &names, boards, &mut input, &mut output, screen)
        }
        Some(Command::Variants(args)) => variants::run(&workspace, args),
        Some(Command::Check { combos, json }) => check::run(&workspace, combos, json),
        Some(Command::Diff(args)) => diff::run(&workspace, args),
        Some(Command::Mutate(args)) => mutate::run(&workspace, &args),
        Some(Command::Render(args)) => render::run(&workspace, &args),
        Some(Command::Sheet(args)) => sheet::run(&workspace, args),
        Some(Command::Doc { out, check, json }) => doc::run(&out, check, json, work),
        Some(Command::Odds(args)) => odds::run(&workspace, args),
        Some(Command::Sim(args)) => sim::run(&workspace, args),
        Some(Command::Compare(args)) => studies::compare(&workspace, &args),
        Some(Command::Sweep(args)) => studies::sweep(&workspace, &args),
        Some(Command::Value(args)) => studies::value(&workspace, &args),
        Some(Command::Log(args)) => log::log(&workspace, args),
        Some(Command::Health(args)) => studies::health(&workspace, &args),
        Some(Command::Report(args)) => studies::report(&workspace, &args),
        Some(Command::Matchups(args)) => studies::matchups(&workspace, &args),
        Some(Command::Ladder(args)) => ladder::run(&workspace, args),
        Some(Command::Coverage { game, json }) => {
            let game = the_game(&workspace, game.as_deref(), "rulebench coverage GAME")?;
            coverage::run(&workspace, &game, json)
        }
        Some(Command::Profile(args)) => profile::run(&workspace, args),
    }
}
