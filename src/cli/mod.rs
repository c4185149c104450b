//! The command line: thin over the library.
//!
//! Exit status: 0 all well, 1 a check failed, 2 bad usage or bad input.

mod check;
mod coverage;
pub(crate) mod diff;
mod doc;
mod ladder;
mod log;
mod mutate;
mod new;
mod odds;
mod profile;
mod render;
mod replay;
mod run;
mod sheet;
mod sim;
pub(crate) mod snapshots;
mod studies;
mod variants;

use crate::pages::Page;
use crate::repl::journal::Journals;
use crate::repl::session::Session;
use crate::report::{Problem, Problems};
use crate::scenario::file::DialValue;
pub use crate::screen::wants_colour;
pub(crate) use crate::screen::{Screen, say, say_data, say_error, say_json};
use crate::script::host::Options;
use crate::script::register::State;
use crate::script::workspace::Workspace;
use crate::snapshot::Compared;
use crate::stage::run::Overrides;
use crate::{files, progress, suite};
use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;
use std::io::IsTerminal;
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
    after_help = "Without a command it opens the REPL, with the options of `rulebench repl`."
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
        /// Goes on with the session that was left or cut off last, or the N-th last
        #[arg(
            long,
            value_name = "N",
            num_args = 0..=1,
            require_equals = true,
            default_missing_value = "1",
            conflicts_with_all = ["start", "variant", "set", "seed"]
        )]
        resume: Option<usize>,
        /// Keeps the session in this folder; without it, sessions at the terminal are kept in the
        /// user's state folder and those of piped input are not
        #[arg(long, value_name = "DIR")]
        journal: Option<PathBuf>,
    },
    /// Serves the table on a page for the browser, on this machine alone, without a prompt
    Table {
        /// A game, a scenario or a transcript
        start: Option<String>,
        #[command(flatten)]
        changes: Changes,
    },
    /// Makes a folder with a tiny game in it, to begin from
    New {
        /// The folder: a new or an empty one
        folder: PathBuf,
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
    /// Runs scenarios, checks what they expect and compares them with their snapshots
    Test {
        /// Paths, folders, games or names; all scenarios without any
        paths: Vec<String>,
        /// Writes pending snapshots for games that have none yet
        #[arg(long)]
        first_snapshots: bool,
        /// Checks the targets of the files studies/<game>/<name>.toml by many games instead
        #[arg(long, conflicts_with_all = ["paths", "first_snapshots"])]
        studies: bool,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Makes pending snapshots the accepted ones
    Accept {
        /// Paths, folders, games or names of scenarios
        names: Vec<String>,
        /// All that are pending
        #[arg(long, conflicts_with = "names")]
        all: bool,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Removes pending snapshots
    Reject {
        /// Paths, folders, games or names of scenarios
        names: Vec<String>,
        /// All that are pending
        #[arg(long, conflicts_with = "names")]
        all: bool,
        /// Snapshots of which there is no scenario, the accepted ones too
        #[arg(long)]
        unreferenced: bool,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Shows each pending snapshot and asks what to do with it
    Review {
        /// Paths, folders, games or names of scenarios; all that are pending without any
        names: Vec<String>,
    },
    /// Lists the tweaks of a game; begins, adopts and rejects them
    #[command(args_conflicts_with_subcommands = true)]
    Variants {
        #[command(subcommand)]
        action: Option<VariantsCommand>,
        /// The game
        game: Option<String>,
        /// Plays every scenario with each of them, and names those whose outcomes it changes
        #[arg(long)]
        changes: bool,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Compiles and checks every script, variant and scenario
    Check {
        /// Looks at every pair of variants, in both orders
        #[arg(long)]
        combos: bool,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Compares a scenario without and with a tweak: same answers, same rolls, other rules
    Diff {
        /// A scenario or a transcript
        #[arg(required_unless_present = "all")]
        scenario: Option<String>,
        #[command(flatten)]
        changes: Changes,
        /// Puts a variant on for the base
        #[arg(long, value_name = "NAME")]
        against: Vec<String>,
        /// Who goes on where an answer is no longer offered: first, random, greedy or mcts
        #[arg(long, value_name = "AGENT")]
        then: Option<String>,
        /// Compares all scenarios of a game with each tweak by itself, in one table
        #[arg(long, value_name = "GAME", conflicts_with_all = ["scenario", "bisect"])]
        all: Option<String>,
        /// Finds the smallest set of the variants and dials that makes the difference
        #[arg(long)]
        bisect: bool,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Changes the rules one small thing at a time and lists what no scenario notices
    Mutate {
        /// The game
        game: String,
        /// Only scripts whose path contains this
        #[arg(long, value_name = "TEXT")]
        only: Option<String>,
        /// Fewer caught than this is a failure, in per cent
        #[arg(long, value_name = "PER CENT", default_value_t = 95)]
        at_least: u8,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Draws the board to which a scenario or a transcript comes, as SVG or PNG
    Render {
        /// A scenario or a transcript
        scenario: String,
        /// The file to write: .svg, .png or .html; `-` prints it. Without it, the scenario's name with .svg
        #[arg(long, short, value_name = "FILE")]
        out: Option<String>,
        /// When: a phase such as "round 2" or "end of first turn", or the number of an event; else the end
        #[arg(long, value_name = "PHASE|EVENT")]
        at: Option<String>,
        /// How much of what led there is told by arrows: none, step, phase, round or all
        #[arg(long, value_name = "SPAN", default_value = "phase")]
        arrows: String,
        /// Marks where a unit can go, as `:reach` does at the prompt
        #[arg(long, value_name = "UNIT", conflicts_with_all = ["threat", "measure"])]
        reach: Option<String>,
        /// Marks what a faction could hit and where it could go, as `:threat` does
        #[arg(long, value_name = "FACTION", conflicts_with = "measure")]
        threat: Option<String>,
        /// Draws how far two things on a table top are apart, and sight, as `:measure` does
        #[arg(long, num_args = 2, value_names = ["A", "B"])]
        measure: Vec<String>,
        /// Pixels to one unit: 1 for screens, 2 or 3 for print
        #[arg(long, value_name = "N", default_value_t = 1.0)]
        scale: f64,
        /// As large as the table top is, to be printed and played on: SVG in millimetres
        #[arg(long, conflicts_with = "scale")]
        true_size: bool,
        /// Writes a page that replays the game instead, .html
        #[arg(long, conflicts_with_all = ["at", "arrows", "reach", "threat", "measure", "scale", "true_size"])]
        html: bool,
        /// A second board on that page, played with this instead of `--variant`
        #[arg(long, value_name = "VARIANT|DIAL=VALUE")]
        beside: Vec<String>,
        #[command(flatten)]
        changes: Changes,
        /// Prints JSON: the file, and all that is on the picture
        #[arg(long)]
        json: bool,
    },
    /// Writes unit cards to cut out and a one-page reference, from the scripts alone: HTML and SVG
    Sheet {
        /// The game
        game: String,
        /// The folder to write into
        #[arg(long, short, value_name = "DIR", default_value = ".")]
        out: String,
        #[command(flatten)]
        changes: Changes,
        /// Prints JSON: the files, and all that is on them
        #[arg(long)]
        json: bool,
    },
    /// Writes the script reference, definitions for editors and schemas of the files
    Doc {
        /// The folder that they are written to
        #[arg(long, value_name = "DIR", default_value = "docs")]
        out: PathBuf,
        /// Writes nothing; says whether the files there are what would be written
        #[arg(long)]
        check: bool,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Tells the exact odds of a scenario's position: every roll over all its values
    Odds(odds::OddsArgs),
    /// Plays many games between agents: a line a game, and what they come to
    Sim(sim::SimArgs),
    /// Plays the same seeds without and with a tweak, and says what it changes and how surely
    Compare(studies::CompareArgs),
    /// Plays the same seeds at every value of a dial
    Sweep(studies::SweepArgs),
    /// Plays armies of one unit type each against each other
    Matchups(studies::MatchupsArgs),
    /// Lets agents play each other, seats swapped, and rates them
    Ladder(ladder::LadderArgs),
    /// Tells how balanced, tense and long a game is, what in it is never used, and which games show it
    Health(studies::HealthArgs),
    /// Tells what a unit of each type contributes to winning, beside what it costs
    Value(studies::ValueArgs),
    /// Keeps a game that people played, and shows such games beside the machine's numbers
    Log(log::LogArgs),
    /// Measures every open note of a rulebook, and writes Markdown and a page of it
    Report(studies::ReportArgs),
    /// Lists the clauses of a rulebook with the scenarios that prove them
    Coverage {
        /// The game
        game: String,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Plays random games and says which functions of the scripts take their time
    Profile {
        /// The game
        game: String,
        /// A tweak that is on; may be said several times
        #[arg(long, value_name = "NAME")]
        variant: Vec<String>,
        /// How many games
        #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
        games: u64,
        /// How many functions are told
        #[arg(long, default_value_t = 20)]
        most: usize,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Subcommand)]
enum VariantsCommand {
    /// Begins the file of a tweak, from the note of a clause
    New {
        /// Its name
        name: String,
        /// The clause that it is about, an id of the rulebook; `ID/2` for its second other reading
        #[arg(long, value_name = "ID")]
        clause: Option<String>,
        #[arg(long, value_name = "GAME")]
        game: Option<String>,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Puts a tweak into the game's default layers
    Adopt(Decision),
    /// Leaves a tweak out and keeps it on file
    Reject(Decision),
    /// Notes that a tweak is being tried
    Try(Decision),
    /// Makes a tweak an idea again
    Shelve(Decision),
    /// Takes the last decision about a tweak back, without a trace
    Undo {
        /// The tweak
        name: String,
        #[arg(long, value_name = "GAME")]
        game: Option<String>,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args)]
struct Decision {
    /// The tweak
    name: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Clone, Default)]
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
            ..Overrides::default()
        })
    }
}

/// Runs the command line and returns the exit status.
pub fn main() -> u8 {
    // Arguments that are no text are said so, not a panic.
    let args: Vec<OsString> = std::env::args_os().collect();
    if let Some(odd) = args.iter().find(|a| a.to_str().is_none()) {
        say_error(&format!("error: the argument {odd:?} is not valid text"));
        return BAD_INPUT;
    }
    let json = args.iter().any(|a| a == "--json");
    let cli = match Cli::try_parse_from(&args).or_else(|error| at_the_prompt(&args).ok_or(error)) {
        Ok(cli) => cli,
        Err(error) if json && error.use_stderr() => {
            let text = error.to_string();
            say_problems(&Problem::new(text.trim_start_matches("error: ").trim_end()).into());
            return BAD_INPUT;
        }
        Err(error) => {
            let page = error.render();
            let told = |colour: bool| match colour {
                true => page.ansi().to_string(),
                false => page.to_string(),
            };
            if error.use_stderr() {
                say_error(told(wants_colour(std::io::stderr().is_terminal())).trim_end());
                return BAD_INPUT;
            }
            say(told(wants_colour(std::io::stdout().is_terminal())).trim_end());
            return OK;
        }
    };
    if !matches!(
        cli.command,
        None | Some(Command::Repl { .. } | Command::Table { .. })
    ) {
        progress::listen();
    }
    let status = match dispatch(cli) {
        Ok(status) => status,
        Err(problems) if json => {
            say_problems(&problems);
            BAD_INPUT
        }
        Err(problems) => {
            complain(&problems);
            BAD_INPUT
        }
    };
    let left = progress::left_undone();
    if left.is_empty() {
        return status;
    }
    say_error(&format!("stopped before the end; done were {}", left.join(", ")));
    status.max(FAILED)
}

/// Without a command it is the prompt that is meant, which has options of its own.
fn at_the_prompt(args: &[OsString]) -> Option<Cli> {
    let (program, options) = args.split_first()?;
    if !options.first()?.to_str()?.starts_with("--") {
        return None;
    }
    let repl = OsString::from("repl");
    Cli::try_parse_from([program, &repl].into_iter().chain(options)).ok()
}

/// Tells what was found, as JSON or as a page; gives the exit status.
fn tell<P: Into<Page>>(
    json: bool,
    found: &impl serde::Serialize,
    page: impl FnOnce() -> P,
    well: bool,
) -> u8 {
    match json.then_some(found).ok_or_else(|| page().into()) {
        Ok(found) => say_json(found),
        Err(page) if page.is_empty() => {}
        Err(page) => say(&page.text()),
    }
    if well { OK } else { FAILED }
}

/// What went wrong, for people.
fn complain(problems: &Problems) {
    say_error(&problems.page(wants_colour(std::io::stderr().is_terminal())));
}

/// What kept a command from doing anything, for programs.
fn say_problems(problems: &Problems) {
    say_json(&serde_json::json!({ "problems": problems.0 }));
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
        Some(Command::New { folder }) => new::new(&folder),
        None => repl(&workspace, None, Changes::default(), None, None),
        Some(Command::Repl {
            start,
            changes,
            resume,
            journal,
        }) => repl(&workspace, start, changes, resume, journal),
        Some(Command::Table { start, changes }) => {
            let style = crate::render::Style::default();
            let mut session = Session::new(&workspace, start.as_deref(), changes.overrides()?, style)?;
            // As at the prompt: where a person sits, `repl --resume` goes on with it.
            let state = crate::repl::terminal::state_folder;
            if let Some(state) = std::io::stdout()
                .is_terminal()
                .then(|| state(&workspace))
                .flatten()
            {
                session.keep_journal(&Journals::of(&state, &workspace));
            }
            crate::repl::alone::run(session)?;
            Ok(OK)
        }
        Some(Command::Run {
            scenarios,
            changes,
            json,
        }) => run::run(&workspace, &scenarios, changes.overrides()?, json),
        Some(Command::Test {
            paths,
            first_snapshots,
            studies,
            json,
        }) => match studies {
            true => studies::targets(&workspace, json),
            false => test(&workspace, &paths, first_snapshots, json),
        },
        Some(Command::Accept { names, all, json }) => snapshots::accept(&workspace, &names, all, json),
        Some(Command::Reject {
            names,
            all,
            unreferenced,
            json,
        }) => snapshots::reject(&workspace, &names, all, unreferenced, json),
        Some(Command::Review { names }) => {
            let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout());
            let screen = Screen::of(&output);
            snapshots::review(&workspace, &names, &mut input, &mut output, screen)
        }
        Some(Command::Variants {
            action,
            game,
            changes,
            json,
        }) => match action {
            Some(action) => decide(&workspace, action),
            None => variants::list(
                &workspace,
                &variants::the_game(&workspace, game.as_deref())?,
                changes,
                json,
            ),
        },
        Some(Command::Check { combos, json }) => check::run(&workspace, combos, json),
        Some(Command::Diff {
            scenario,
            changes,
            against,
            then,
            all,
            bisect,
            json,
        }) => {
            let ask = diff::Ask {
                scenario,
                changes: changes.overrides()?,
                against,
                then,
                all,
                bisect,
                json,
                colour: wants_colour(std::io::stdout().is_terminal()),
            };
            diff::run(&workspace, &ask)
        }
        Some(Command::Mutate {
            game,
            only,
            at_least,
            json,
        }) => {
            let asked = mutate::Asked {
                game,
                only,
                at_least,
                json,
            };
            mutate::run(&workspace, &asked)
        }
        Some(Command::Render {
            scenario,
            out,
            at,
            arrows,
            reach,
            threat,
            measure,
            scale,
            true_size,
            html,
            beside,
            changes,
            json,
        }) => {
            let ask = render::Ask {
                scenario,
                changes: changes.overrides()?,
                out,
                at,
                arrows,
                reach,
                threat,
                measure,
                scale,
                true_size,
                html,
                beside,
                json,
            };
            render::run(&workspace, &ask)
        }
        Some(Command::Sheet {
            game,
            out,
            changes,
            json,
        }) => sheet::run(&workspace, &game, changes.overrides()?, &out, json),
        Some(Command::Doc { out, check, json }) => doc::run(&out, check, json),
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
        Some(Command::Coverage { game, json }) => coverage::run(&workspace, &game, json),
        Some(Command::Profile {
            game,
            variant,
            games,
            most,
            json,
        }) => {
            let options = Options {
                variants: variant,
                ..Options::default()
            };
            profile::run(&workspace, &game, &options, games, most, json)
        }
    }
}

fn repl(
    workspace: &Workspace,
    start: Option<String>,
    changes: Changes,
    resume: Option<usize>,
    journal: Option<PathBuf>,
) -> Result<u8, Problems> {
    let (input, output) = (std::io::stdin(), std::io::stdout());
    let terminal = input.is_terminal() && output.is_terminal();
    let style = crate::render::Style {
        colour: wants_colour(terminal),
        ascii: !terminal || !crate::repl::terminal::speaks_unicode(),
        ..crate::render::Style::default()
    };
    let state = || crate::repl::terminal::state_folder(workspace);
    let journals = match journal {
        Some(folder) => Some(Journals::at(folder)),
        None if terminal || resume.is_some() => state().map(|s| Journals::of(&s, workspace)),
        None => None,
    };
    let session = match (resume, &journals) {
        (Some(nth), Some(journals)) => Session::resume(workspace, journals, nth, style)?,
        (Some(_), None) => {
            return Err(Problem::new("there is no folder in which sessions are kept")
                .hint("`--journal DIR` names one")
                .into());
        }
        (None, journals) => {
            let mut session = Session::new(workspace, start.as_deref(), changes.overrides()?, style)?;
            if let Some(journals) = journals {
                session.keep_journal(journals);
            }
            session
        }
    };
    if terminal {
        crate::repl::terminal::run(session)?;
        return Ok(OK);
    }
    let all_well = crate::repl::plain::run(session, &mut input.lock(), &mut output.lock());
    Ok(if all_well { OK } else { BAD_INPUT })
}

fn test(workspace: &Workspace, paths: &[String], first_snapshots: bool, json: bool) -> Result<u8, Problems> {
    // Whether a snapshot has lost its scenario is a question about all of them.
    let unreferenced = match paths {
        [] => suite::unreferenced(workspace),
        _ => Vec::new(),
    };
    let paths = suite::find(workspace, paths)?;
    let began = std::time::Instant::now();
    let mut results = suite::run_all(workspace, &paths, &Overrides::default());
    suite::compare_with_kept(workspace, &mut results, first_snapshots);
    let failed = results.iter().filter(|r| !r.passed()).count();
    let list = results.iter().map(|r| {
        serde_json::json!({
            "scenario": r.path, "passed": r.passed(), "end": r.end,
            "problems": r.problems, "unmet": r.unmet,
            "snapshot": snapshots::json(&r.snapshot),
            "milliseconds": r.took.as_millis() as u64,
        })
    });
    let list: Vec<_> = list.collect();
    let found = serde_json::json!({ "scenarios": list, "unreferenced_snapshots": unreferenced });
    let page = || {
        let colour = wants_colour(std::io::stdout().is_terminal());
        let mut page = Page::lines(results.iter().map(|r| tested(r, colour)));
        for result in results.iter().filter(|r| !r.passed()) {
            page.put(format!("--- {}", result.path));
            result.faults(colour).for_each(|fault| page.below(fault));
            if !result.snapshot.passed() {
                page.below(result.snapshot.page(&result.path, colour));
            } else if !result.end.is_empty() {
                page.below(format!("it ended so: {}", result.end));
            }
            page.below(format!(
                "see what happened: rulebench run {}",
                files::shell_word(&result.path)
            ));
        }
        if results.is_empty() {
            page.put("no scenarios found; they are files scenarios/<game>/<name>.toml");
        }
        let notes = snapshots::notes(&results, &unreferenced);
        if !notes.is_empty() {
            page.put(notes.join("\n"));
        }
        let (passed, seconds) = (results.len() - failed, began.elapsed().as_secs_f64());
        page.put(format!("{passed} passed, {failed} failed ({seconds:.1} s)"));
        page
    };
    let status = tell(json, &found, page, failed == 0);
    let broken = |r: &suite::Tested| matches!(r.snapshot, Compared::Broken(..));
    let bad_input = results.iter().any(|r| !r.problems.is_empty() || broken(r));
    Ok(if bad_input { BAD_INPUT } else { status })
}

/// How a scenario went, in a line.
fn tested(result: &suite::Tested, colour: bool) -> String {
    let mark = match (colour, result.passed()) {
        (false, _) => result.mark().to_owned(),
        (true, well) => format!("\x1b[{}m{}\x1b[0m", if well { 32 } else { 31 }, result.mark()),
    };
    let snapshot = match result.snapshot.passed() {
        true => String::new(),
        false => format!("  (snapshot: {})", result.snapshot.word()),
    };
    format!("{mark} {}{snapshot}", result.named())
}

fn decide(workspace: &Workspace, action: VariantsCommand) -> Result<u8, Problems> {
    let (state, decision) = match action {
        VariantsCommand::New {
            name,
            clause,
            game,
            json,
        } => return variants::begin(workspace, game.as_deref(), &name, clause.as_deref(), json),
        VariantsCommand::Adopt(decision) => (State::Adopted, decision),
        VariantsCommand::Reject(decision) => (State::Rejected, decision),
        VariantsCommand::Try(decision) => (State::OnTrial, decision),
        VariantsCommand::Shelve(decision) => (State::Idea, decision),
        VariantsCommand::Undo { name, game, json } => {
            return variants::undo(workspace, game.as_deref(), &name, json);
        }
    };
    let Decision {
        name,
        reason,
        game,
        json,
    } = decision;
    variants::decide(workspace, game.as_deref(), &name, state, reason.as_deref(), json)
}
