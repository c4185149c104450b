//! The arguments of the command line, read by clap.

use super::changes::Changes;
use super::{diff, ladder, log, mutate, odds, render, sim, studies};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

/// The commands in groups, as `rulebench --help` shows them.
const GROUPS: &[(&str, &[&str])] = &[
    ("Play", &["repl", "table", "run", "odds"]),
    (
        "Change",
        &["new", "variants", "diff", "test", "review", "accept", "reject"],
    ),
    (
        "Measure",
        &[
            "sim", "compare", "sweep", "matchups", "value", "health", "report", "ladder", "log",
        ],
    ),
    ("Publish", &["render", "sheet"]),
    ("Maintain", &["check", "coverage", "mutate", "profile", "doc"]),
];

impl Cli {
    /// The command line with its own help: clap lists the commands of a program in one column without groups.
    pub fn grouped() -> clap::Command {
        let command = Self::command();
        let about = |name: &str| {
            let found = command.find_subcommand(name).and_then(clap::Command::get_about);
            found.map(ToString::to_string).unwrap_or_default()
        };
        let mut groups = String::new();
        for (group, names) in GROUPS {
            groups += &format!("{group}:\n");
            for name in *names {
                groups += &format!("  {name:<9} {}\n", about(name));
            }
            groups.push('\n');
        }
        command.help_template(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}\n\n\
             Without a command it opens the prompt. `rulebench help COMMAND` explains a command."
        ))
    }

    /// Reads the command line.
    ///
    /// # Errors
    ///
    /// What clap refuses, or the help that was asked for.
    pub fn read<I: IntoIterator<Item = T>, T: Into<OsString> + Clone>(args: I) -> Result<Self, clap::Error> {
        let mut command = Self::grouped();
        let matches = command.try_get_matches_from_mut(args)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
}

#[derive(Parser)]
#[command(
    name = "rulebench",
    version,
    about = "A workbench for designers of tabletop skirmish games"
)]
pub(super) struct Cli {
    /// The folder with `scripts`, `units` and `scenarios`; by default this folder or the nearest one around it, or else
    /// the games that come with the program
    #[arg(long, global = true, value_name = "DIR")]
    pub workspace: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Open the prompt with a game or a scenario on the table
    Repl(Repl),
    /// Serve the table as a web page, on this machine only
    Table {
        /// A game, a scenario or a transcript
        start: Option<String>,
        #[command(flatten)]
        changes: Changes,
    },
    /// Make a workspace with a tiny game, to begin from
    New {
        /// The folder, new or empty
        folder: PathBuf,
        /// Copy one of the games that come with the program instead
        #[arg(long, value_name = "GAME")]
        game: Option<String>,
    },
    /// Play scenarios or transcripts and print what happens
    Run(RunArgs),
    /// Test scenarios: what they expect, and their snapshots
    Test(Test),
    /// Accept pending snapshots
    Accept {
        /// Paths, folders, games or names of scenarios
        names: Vec<String>,
        /// All pending snapshots
        #[arg(long, conflicts_with = "names")]
        all: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Delete pending snapshots
    Reject(Reject),
    /// Review each pending snapshot
    Review {
        /// Paths, folders, games or names of scenarios; by default all pending ones
        names: Vec<String>,
        /// Draw the board where each first differs
        #[arg(long)]
        boards: bool,
    },
    /// List the variants of a game; begin, adopt, reject or undo one
    Variants(Variants),
    /// Check every script, variant and scenario
    Check {
        /// Try every pair of variants, in both orders
        #[arg(long)]
        combos: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Compare a scenario without and with a variant: same answers, same dice
    Diff(diff::DiffArgs),
    /// Change the rules bit by bit and list what no scenario notices
    Mutate(mutate::MutateArgs),
    /// Draw the board of a scenario or transcript, as SVG, PNG or a page
    Render(render::RenderArgs),
    /// Make unit cards and a reference sheet to print
    Sheet(SheetArgs),
    /// Write the script reference, definitions for editors, and schemas
    Doc {
        /// The folder to write to
        #[arg(long, value_name = "DIR", default_value = "docs")]
        out: PathBuf,
        /// Only check whether the files there are up to date
        #[arg(long)]
        check: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Compute exact odds for a position by enumerating every roll
    Odds(odds::OddsArgs),
    /// Play many games between agents and summarise them
    Sim(sim::SimArgs),
    /// Measure what a variant changes, on the same seeds
    Compare(studies::CompareArgs),
    /// Measure every value of a dial, on the same seeds
    Sweep(studies::SweepArgs),
    /// Play armies of one unit type each against each other
    Matchups(studies::MatchupsArgs),
    /// Rate agents by games against each other
    Ladder(ladder::LadderArgs),
    /// Report on balance, tension, length and unused rules
    Health(studies::HealthArgs),
    /// Measure what a unit of each type is worth
    Value(studies::ValueArgs),
    /// Log a game that people played, or list such games
    Log(log::LogArgs),
    /// Measure every open note of a rulebook and write a report
    Report(studies::ReportArgs),
    /// List the clauses of a rulebook and the scenarios that prove them
    Coverage {
        /// The game; may be left out if the workspace has only one
        game: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show which functions of the scripts take the time
    Profile(ProfileArgs),
}

impl Command {
    /// Whether it plays so long that somebody may save a file meanwhile: all of it is to be about the rules as they
    /// were at its beginning.
    pub fn plays_long(&self) -> bool {
        match self {
            Self::Test(test) => test.studies,
            Self::Variants(variants) => variants.action.is_none(),
            Self::Sim(_)
            | Self::Compare(_)
            | Self::Sweep(_)
            | Self::Matchups(_)
            | Self::Ladder(_)
            | Self::Health(_)
            | Self::Value(_)
            | Self::Report(_)
            | Self::Odds(_)
            | Self::Diff(_)
            | Self::Mutate(_)
            | Self::Coverage { .. }
            | Self::Profile(_) => true,
            _ => false,
        }
    }
}

#[derive(Subcommand)]
pub(super) enum VariantsCommand {
    /// Begin the script of a variant, from the note of a clause
    New(New),
    /// Adopt a variant: it is part of the rules from now on
    Adopt(DecisionArgs),
    /// Reject a variant and keep it on file
    Reject(DecisionArgs),
    /// Mark a variant as being tried
    Try(DecisionArgs),
    /// Mark a variant as an idea again
    Shelve(DecisionArgs),
    /// Undo the last decision about a variant
    Undo {
        /// The variant
        name: String,
        /// The game, if the name of the variant is not clear
        #[arg(long, value_name = "GAME")]
        game: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args)]
pub(super) struct DecisionArgs {
    /// The variant
    pub name: String,
    /// The reason
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// The game, if the name of the variant is not clear
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Default)]
pub(super) struct Repl {
    /// A game, a scenario or a transcript
    pub start: Option<String>,
    #[command(flatten)]
    pub changes: Changes,
    /// Continue the last session, or the N-th last
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1",
        conflicts_with_all = ["start", "variant", "without", "set", "seed"]
    )]
    pub resume: Option<usize>,
    /// Keep the session in this folder; by default, sessions at a terminal are kept in the state folder of
    /// the user and those of piped input are not kept
    #[arg(long, value_name = "DIR")]
    pub journal: Option<PathBuf>,
}

#[derive(Args)]
pub(super) struct RunArgs {
    /// Paths or names of scenarios
    #[arg(required = true)]
    pub scenarios: Vec<String>,
    #[command(flatten)]
    pub changes: Changes,
    /// Draw the board where a round begins and at the end
    #[arg(long, conflicts_with = "json")]
    pub boards: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct Test {
    /// Paths, folders, games or names; by default all scenarios
    pub paths: Vec<String>,
    /// Write pending snapshots for games that have none yet
    #[arg(long)]
    pub first_snapshots: bool,
    /// Check the targets in studies/<game>/<name>.toml instead, with many games
    #[arg(long, conflicts_with = "first_snapshots")]
    pub studies: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct Reject {
    /// Paths, folders, games or names of scenarios
    pub names: Vec<String>,
    /// All pending snapshots
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
    /// Snapshots without a scenario, accepted ones too
    #[arg(long)]
    pub unreferenced: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct SheetArgs {
    /// The game
    pub game: String,
    /// The folder to write into
    #[arg(long, short, value_name = "DIR", default_value = ".")]
    pub out: String,
    #[command(flatten)]
    pub changes: Changes,
    /// Print JSON: the files and their contents
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct ProfileArgs {
    /// A game, or a scenario with whose position games begin
    pub start: String,
    #[command(flatten)]
    pub changes: Changes,
    /// The number of games
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// The number of functions to show
    #[arg(long, default_value_t = 20)]
    pub most: usize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct New {
    /// The name
    pub name: String,
    /// The clause that it is about; `ID/2` for its second other reading
    #[arg(long, value_name = "ID")]
    pub clause: Option<String>,
    /// The game, if the clause does not say it and the workspace has several
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Variants {
    #[command(subcommand)]
    pub action: Option<VariantsCommand>,
    /// The game
    pub game: Option<String>,
    /// A variant to show in full, or a text to look for
    pub text: Option<String>,
    /// Play every scenario with each variant and list the outcomes that change
    #[arg(long)]
    pub changes: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let command = Cli::command();
        let mut all: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }
}
