//! The command line as a whole: clap is made from the table of commands, reads the arguments, and the command runs.

use super::arguments::{
    Accept, Check, Coverage, Doc, NewWorkspace, ProfileArgs, Reject, Repl, Review, RulebookArgs, RunArgs,
    SheetArgs, Table, Test, Variants,
};
use super::mutate::MutateArgs;
use super::{
    BAD_INPUT, FAILED, OK, Screen, check, complain, coverage, diff, doc, ladder, log, mutate, new, odds,
    perft, print, print_error, print_problems, problems, profile, render, repl, rulebook, run, share, sheet,
    sim, snapshots, studies, test, the_game, variants, wants_colour,
};
use crate::command::{Group, more};
use crate::commands::COMMANDS;
use crate::embedded;
use crate::lines::wrapped;
use crate::progress;
use crate::report::{Problem, Problems, did_you_mean};
use crate::rules::workspace::Workspace;
use crate::work::Work;
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;

/// The form of a command on the command line.
struct LineForm {
    /// Adds its arguments.
    arguments: fn(clap::Command) -> clap::Command,
    /// Runs it and returns the exit status.
    run: fn(&Workspace, &clap::ArgMatches) -> Result<u8, Problems>,
}

/// The form of a command that needs no workspace, by the type of its arguments and its function.
macro_rules! anywhere {
    ($args:ty, $run:expr) => {
        LineForm {
            arguments: <$args as clap::Args>::augment_args,
            run: |workspace, matches| {
                let args = <$args as clap::FromArgMatches>::from_arg_matches(matches);
                $run(workspace, args.map_err(refused)?)
            },
        }
    };
}

/// The same of a command of a workspace: a folder that cannot be read must not be taken for an empty one.
macro_rules! line {
    ($args:ty, $run:expr) => {
        anywhere!($args, |workspace: &Workspace, args| {
            Problems::check(workspace.closed())?;
            $run(workspace, args)
        })
    };
}

/// The same of a command that plays so long that somebody may save a file meanwhile: all of it is about the rules as
/// they were at its beginning.
macro_rules! held {
    ($args:ty, $run:expr) => {
        line!($args, |workspace: &Workspace, args| $run(&workspace.held(), args))
    };
}

/// Arguments that clap has read and the command cannot.
fn refused(error: clap::Error) -> Problem {
    let text = error.to_string();
    problems::refused_arguments(text.trim_start_matches("error: ").trim_end())
}

/// The commands on the command line, by name.
const FORMS: &[(&str, LineForm)] = &[
    ("repl", line!(Repl, repl::run)),
    (
        "table",
        line!(Table, |workspace, args: Table| repl::table(
            workspace,
            args.start,
            args.changes
        )),
    ),
    ("run", line!(RunArgs, run::run)),
    ("odds", held!(odds::OddsArgs, odds::run)),
    ("perft", held!(perft::PerftArgs, perft::run)),
    (
        "variants",
        line!(
            Variants,
            |workspace: &Workspace, args: Variants| match args.action {
                None => variants::run(&workspace.held(), args),
                Some(_) => variants::run(workspace, args),
            }
        ),
    ),
    ("diff", held!(diff::DiffArgs, diff::run)),
    (
        "new",
        anywhere!(NewWorkspace, |workspace: &Workspace, args: NewWorkspace| {
            new::new(&args.folder, args.game.as_deref(), workspace.work())
        }),
    ),
    (
        "test",
        line!(Test, |workspace: &Workspace, args: Test| match args.studies {
            true => studies::targets(&workspace.held(), &args.paths, args.json),
            false => test::run(workspace, &args),
        }),
    ),
    (
        "accept",
        line!(Accept, |workspace, args: Accept| snapshots::accept(
            workspace,
            &args.names,
            args.all,
            args.json
        )),
    ),
    (
        "review",
        line!(Review, |workspace, args: Review| {
            let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout());
            let screen = Screen::of(&output);
            snapshots::review(
                workspace,
                &args.names,
                args.boards,
                &mut input,
                &mut output,
                screen,
            )
        }),
    ),
    (
        "reject",
        line!(Reject, |workspace, args: Reject| snapshots::reject(
            workspace, &args
        )),
    ),
    (
        "coverage",
        held!(Coverage, |workspace: &Workspace, args: Coverage| {
            let game = the_game(workspace, args.game.as_deref(), "rulebench coverage GAME")?;
            coverage::run(workspace, &game, args.json)
        }),
    ),
    (
        "mutate",
        held!(MutateArgs, |workspace: &Workspace, args: MutateArgs| mutate::run(
            workspace, &args
        )),
    ),
    ("sim", held!(sim::SimArgs, sim::run)),
    (
        "compare",
        held!(
            studies::CompareArgs,
            |workspace: &Workspace, args: studies::CompareArgs| studies::compare(workspace, &args)
        ),
    ),
    (
        "sweep",
        held!(
            studies::SweepArgs,
            |workspace: &Workspace, args: studies::SweepArgs| studies::sweep(workspace, &args)
        ),
    ),
    (
        "tune",
        held!(
            studies::TuneArgs,
            |workspace: &Workspace, args: studies::TuneArgs| studies::tune(workspace, &args)
        ),
    ),
    (
        "matchups",
        held!(
            studies::MatchupsArgs,
            |workspace: &Workspace, args: studies::MatchupsArgs| studies::matchups(workspace, &args)
        ),
    ),
    (
        "value",
        held!(
            studies::ValueArgs,
            |workspace: &Workspace, args: studies::ValueArgs| studies::value(workspace, &args)
        ),
    ),
    (
        "health",
        held!(
            studies::HealthArgs,
            |workspace: &Workspace, args: studies::HealthArgs| studies::health(workspace, &args)
        ),
    ),
    (
        "report",
        held!(
            studies::ReportArgs,
            |workspace: &Workspace, args: studies::ReportArgs| studies::report(workspace, &args)
        ),
    ),
    ("ladder", held!(ladder::LadderArgs, ladder::run)),
    ("log", line!(log::LogArgs, log::log)),
    (
        "render",
        line!(render::RenderArgs, |workspace, args: render::RenderArgs| {
            render::run(workspace, &args)
        }),
    ),
    ("sheet", line!(SheetArgs, sheet::run)),
    ("rulebook", line!(RulebookArgs, rulebook::run)),
    ("share", line!(share::ShareArgs, share::run)),
    (
        "check",
        line!(Check, |workspace, args: Check| check::run(
            workspace,
            args.combos,
            args.json
        )),
    ),
    ("profile", held!(ProfileArgs, profile::run)),
    (
        "doc",
        line!(Doc, |workspace: &Workspace, args: Doc| doc::run(
            &args.out,
            args.check,
            args.json,
            workspace.work()
        )),
    ),
];

/// The command line: clap lists the commands of a program in one column without groups.
fn command_line() -> clap::Command {
    let folder = Arg::new("workspace")
        .long("workspace")
        .global(true)
        .value_name("DIR")
        .value_parser(clap::value_parser!(PathBuf))
        .help(
            "The folder with `scripts`, `units` and `scenarios`; by default this folder or the nearest one around it, \
             or else the games that come with the program",
        );
    let mut all = clap::Command::new("rulebench")
        .version(env!("CARGO_PKG_VERSION"))
        .about("A workbench for designers of tabletop skirmish games")
        .arg(folder);
    let mut groups = String::new();
    for group in Group::ALL {
        let mut title = format!("{}:\n", group.title());
        for row in COMMANDS.iter().filter(|row| row.group == group) {
            let form = FORMS.iter().find(|(name, _)| row.on_line && *name == row.name);
            let Some((_, form)) = form else { continue };
            all = all.subcommand((form.arguments)(clap::Command::new(row.name)).about(row.help));
            groups += &std::mem::take(&mut title);
            groups += &format!("  {:<9} {}\n", row.name, row.help);
        }
        if title.is_empty() {
            groups.push('\n');
        }
    }
    all.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}\n\n\
         Without a command it opens the prompt. `rulebench help COMMAND` explains a command."
    ))
}

/// Returns the reference of commands, as Markdown.
pub(super) fn reference() -> String {
    let first = "All commands by group. A command that begins with `:` is one of the prompt, also on the page; the others \
                 belong to the command line. `:help NAME` and `rulebench help NAME` show the same. This page is written \
                 by `rulebench doc`.";
    let mut page = format!("# Commands\n\n{}\n", wrapped(first, 120, 0));
    let mut all = command_line().term_width(100);
    for group in Group::ALL {
        page += &format!("\n## {}\n", group.title());
        for row in COMMANDS.iter().filter(|row| row.group == group) {
            let typed = row.at_prompt.then(|| format!("`{}`", row.usage().trim_end()));
            let line = row.on_line.then(|| format!("`rulebench {}`", row.name));
            let heads: Vec<String> = typed.into_iter().chain(line).collect();
            page += &format!("\n### {}\n\n{}.\n", heads.join(" and "), row.help);
            let more = if row.at_prompt { more(row) } else { String::new() };
            let (examples, texts): (Vec<&str>, Vec<&str>) =
                more.lines().partition(|line| line.starts_with(':'));
            if !examples.is_empty() {
                page += &format!("\n```text\n{}\n```\n", examples.join("\n"));
            }
            for text in texts {
                page += &format!("\n{}\n", wrapped(text, 120, 0));
            }
            if let Some(command) = all.find_subcommand_mut(row.name).filter(|_| row.on_line) {
                let help = command
                    .clone()
                    .bin_name(format!("rulebench {}", row.name))
                    .render_help();
                let help = help.to_string();
                let lines: Vec<&str> = help.lines().skip(2).map(str::trim_end).collect();
                page += &format!("\n```text\n{}\n```\n", lines.join("\n").trim());
            }
        }
    }
    page
}

fn read<'a>(args: impl IntoIterator<Item = &'a OsString>) -> Result<ArgMatches, clap::Error> {
    command_line().try_get_matches_from(args)
}

/// Runs the command line and returns the exit status.
pub fn main() -> u8 {
    // Arguments that are no text are said so, not a panic.
    let args: Vec<OsString> = std::env::args_os().collect();
    if let Some(odd) = args.iter().find(|a| a.to_str().is_none()) {
        print_error(&format!("error: the argument {odd:?} is not valid text"));
        return BAD_INPUT;
    }
    let json = args.iter().any(|a| a == "--json");
    let matches = match read(&args).or_else(|error| at_the_prompt(&args).ok_or(error)) {
        Ok(matches) => matches,
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
            print_problems(&refused(error).into());
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
    let work = match matches.subcommand_name() {
        None | Some("repl") => progress::of_session(repl::is_at_terminal()),
        Some("table") => progress::of_session(false),
        _ => progress::of_command(),
    };
    let status = match dispatch(&matches, &work) {
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
fn at_the_prompt(args: &[OsString]) -> Option<ArgMatches> {
    let (program, options) = args.split_first()?;
    if !options.first()?.to_str()?.starts_with("--") {
        return None;
    }
    let repl = OsString::from("repl");
    read([program, &repl].into_iter().chain(options)).ok()
}

/// A game or scenario that stands where a command should, or a word that is nearer to a game than to any command; and
/// what to write.
fn to_open(args: &[OsString]) -> Option<(&str, String)> {
    let name = args.get(1)?.to_str()?;
    let workspace = Workspace::find(&PathBuf::from("."), embedded::games);
    let games = workspace.games();
    if games.iter().any(|game| game == name) || crate::suite::one(&workspace, name).is_ok() {
        return Some((name, format!("`rulebench repl {name}` opens it at the prompt")));
    }
    let commands = COMMANDS.iter().filter(|row| row.on_line).map(|row| row.name);
    let near = did_you_mean(name, commands.chain(games.iter().map(String::as_str)))?;
    let game = games.iter().find(|game| **game == near)?;
    Some((
        name,
        format!("`rulebench repl {game}` opens the game of that name"),
    ))
}

fn dispatch(matches: &ArgMatches, work: &Work) -> Result<u8, Problems> {
    let workspace = match matches.get_one::<PathBuf>("workspace") {
        Some(folder) if !folder.join("scripts").is_dir() => {
            return Err(problems::no_scripts(folder.display()).into());
        }
        Some(folder) => Workspace::at(folder.clone()).with_bundled(embedded::games),
        None => Workspace::find(&PathBuf::from("."), embedded::games),
    };
    let workspace = workspace.for_work(work.clone());
    let Some((name, arguments)) = matches.subcommand() else {
        Problems::check(workspace.closed())?;
        return repl::run(&workspace, Repl::default());
    };
    match FORMS.iter().find(|(known, _)| *known == name) {
        Some((_, form)) => (form.run)(&workspace, arguments),
        None => Err(problems::unknown_name("command", name).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_accepts_the_command_line() {
        command_line().debug_assert();
    }

    #[test]
    fn every_command_of_the_command_line_has_one_form() {
        let mut rows: Vec<&str> = COMMANDS
            .iter()
            .filter(|row| row.on_line)
            .map(|row| row.name)
            .collect();
        let mut forms: Vec<&str> = FORMS.iter().map(|(name, _)| *name).collect();
        rows.sort_unstable();
        forms.sort_unstable();
        assert_eq!(rows, forms);
    }
}
