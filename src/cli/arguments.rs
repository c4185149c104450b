//! What the command line takes.

use super::changes::Changes;
use super::{diff, ladder, log, mutate, odds, render, sim, studies};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

#[derive(Parser)]
#[command(
    name = "rulebench",
    version,
    about = "A rules-scripting sandbox for designers of tabletop skirmish games",
    after_help = "Without a command it opens the REPL, with the options of `rulebench repl`."
)]
pub(super) struct Cli {
    /// The folder with `scripts`, `units` and `scenarios`; without it this one or the nearest around it that is such a
    /// folder, or else the games that the program brings along
    #[arg(long, global = true, value_name = "DIR")]
    pub workspace: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Opens the REPL with a game or a scenario on the table
    Repl(Repl),
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
        /// A copy of one of the games that the program brings along, instead
        #[arg(long, value_name = "GAME")]
        game: Option<String>,
    },
    /// Plays scenarios or transcripts and prints what happened
    Run(RunArgs),
    /// Runs scenarios, checks what they expect and compares them with their snapshots
    Test(Test),
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
    Reject(Reject),
    /// Shows each pending snapshot and asks what to do with it
    Review {
        /// Paths, folders, games or names of scenarios; all that are pending without any
        names: Vec<String>,
    },
    /// Lists the tweaks of a game; begins, adopts and rejects them
    Variants(Variants),
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
    Diff(diff::DiffArgs),
    /// Changes the rules one small thing at a time and lists what no scenario notices
    Mutate(mutate::MutateArgs),
    /// Draws the board to which a scenario or a transcript comes, as SVG or PNG
    Render(render::RenderArgs),
    /// Writes unit cards to cut out and a one-page reference, from the scripts alone: HTML and SVG
    Sheet(SheetArgs),
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
        /// The game; in a workspace with one that is it
        game: Option<String>,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
    /// Plays random games and says which functions of the scripts take their time
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
    /// Begins the file of a tweak, from the note of a clause
    New(New),
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
        /// The game, where the tweak's name does not say it
        #[arg(long, value_name = "GAME")]
        game: Option<String>,
        /// Prints JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args)]
pub(super) struct Decision {
    /// The tweak
    pub name: String,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// The game, where the tweak's name does not say it
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Prints JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Default)]
pub(super) struct Repl {
    /// A game, a scenario or a transcript
    pub start: Option<String>,
    #[command(flatten)]
    pub changes: Changes,
    /// Goes on with the session that was left or cut off last, or the N-th last
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1",
        conflicts_with_all = ["start", "variant", "without", "set", "seed"]
    )]
    pub resume: Option<usize>,
    /// Keeps the session in this folder; without it, sessions at the terminal are kept in the
    /// user's state folder and those of piped input are not
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
    /// Prints JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct Test {
    /// Paths, folders, games or names; all scenarios without any
    pub paths: Vec<String>,
    /// Writes pending snapshots for games that have none yet
    #[arg(long)]
    pub first_snapshots: bool,
    /// Checks the targets of the files studies/<game>/<name>.toml by many games instead
    #[arg(long, conflicts_with = "first_snapshots")]
    pub studies: bool,
    /// Prints JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct Reject {
    /// Paths, folders, games or names of scenarios
    pub names: Vec<String>,
    /// All that are pending
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
    /// Snapshots of which there is no scenario, the accepted ones too
    #[arg(long)]
    pub unreferenced: bool,
    /// Prints JSON
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
    /// Prints JSON: the files, and all that is on them
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct ProfileArgs {
    /// A game, or a scenario from whose position it is played
    pub start: String,
    #[command(flatten)]
    pub changes: Changes,
    /// How many games
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// How many functions are told
    #[arg(long, default_value_t = 20)]
    pub most: usize,
    /// Prints JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct New {
    /// Its name
    pub name: String,
    /// The clause that it is about, an id of the rulebook; `ID/2` for its second other reading
    #[arg(long, value_name = "ID")]
    pub clause: Option<String>,
    /// The game; in a workspace with one that is it, and a clause says it too
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Prints JSON
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
    /// A tweak, to be told in full; or what the tweaks are to speak of
    pub text: Option<String>,
    /// Plays every scenario with each of them, and names those whose outcomes it changes
    #[arg(long)]
    pub changes: bool,
    /// Prints JSON
    #[arg(long)]
    pub json: bool,
}
