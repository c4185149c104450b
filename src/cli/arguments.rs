//! Arguments of commands on the command line, read by clap.

use super::changes::Changes;
use crate::sheet::paper::Paper;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Table {
    /// A game, a scenario or a transcript
    pub start: Option<String>,
    #[command(flatten)]
    pub changes: Changes,
}

#[derive(Args)]
pub(super) struct NewWorkspace {
    /// The folder, new or empty
    pub folder: PathBuf,
    /// Copy one of the games that come with the program instead
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
}

#[derive(Args)]
pub(super) struct Accept {
    /// Paths, folders, games or names of scenarios
    pub names: Vec<String>,
    /// All pending snapshots
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct Review {
    /// Paths, folders, games or names of scenarios; by default all pending ones
    pub names: Vec<String>,
    /// Draw the board where each first differs
    #[arg(long)]
    pub boards: bool,
}

#[derive(Args)]
pub(super) struct Check {
    /// Try every pair of variants, in both orders
    #[arg(long)]
    pub combos: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct Doc {
    /// The folder to write to
    #[arg(long, value_name = "DIR", default_value = "docs")]
    pub out: PathBuf,
    /// Only check whether the files there are up to date
    #[arg(long)]
    pub check: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct Coverage {
    /// The game; may be left out if the workspace has only one
    pub game: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
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
    /// Put an empty board on the table, without the set-up of the game
    #[arg(long, requires = "start")]
    pub empty: bool,
    #[command(flatten)]
    pub changes: Changes,
    /// Continue the last session, or the N-th last
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1",
        conflicts_with_all = ["start", "empty", "variant", "without", "set", "seed"]
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
    /// The size of the paper
    #[arg(long, value_name = "SIZE", default_value = "a4", value_parser = Paper::NAMES.map(|(name, _)| name))]
    pub paper: String,
    /// Write PDF files as well, with an installed Chromium
    #[arg(long)]
    pub pdf: bool,
    /// The number of tokens of each unit type and faction; by default as many as armies have
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=20))]
    pub copies: Option<u8>,
    #[command(flatten)]
    pub changes: Changes,
    /// Print JSON: the files and their contents
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub(super) struct RulebookArgs {
    /// The game
    pub game: String,
    /// The folder to write into, or the page to write, .html
    #[arg(long, short, value_name = "DIR|FILE", default_value = ".")]
    pub out: String,
    /// Write a PDF file as well, with an installed Chromium
    #[arg(long)]
    pub pdf: bool,
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
    /// Show the variants of this kind: open notes of the rulebook, ideas, or other readings
    #[arg(long, value_parser = ["todo", "idea", "reading"])]
    pub kind: Option<String>,
    /// Show the variants in this state
    #[arg(long, value_parser = ["idea", "on trial", "adopted", "rejected"])]
    pub state: Option<String>,
    /// Play every scenario with each variant and list the outcomes that change
    #[arg(long)]
    pub changes: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
