//! `rulebench ladder`: agents play each other and are rated.

use super::{Changes, Threads, problems, show_report};
use crate::agents::Agent;
use crate::designs::ladder::{self, LadderPlan};
use crate::report::{Problem, Problems};
use crate::rules::workspace::Workspace;
use clap::Args;

/// The arguments of `ladder`.
#[derive(Args)]
pub(super) struct LadderArgs {
    /// The game
    game: String,
    /// The agents, with commas between them: random, first, greedy, greedy:50 (ways to go on,
    /// where there are too many for all), mcts, mcts:400 (playouts), mcts:500ms
    #[arg(
        long,
        alias = "agent",
        value_name = "AGENTS",
        default_value = "random,greedy,mcts"
    )]
    agents: String,
    /// The least number of games that each pair plays, half of them with swapped seats
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Begin with the position of this scenario, without its answers
    #[arg(long, value_name = "SCENARIO")]
    scenario: Option<String>,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command; the exit status.
///
/// # Errors
///
/// A game, a scenario or an agent that is not there; rules that fail.
pub(super) fn run(workspace: &Workspace, args: LadderArgs) -> Result<u8, Problems> {
    workspace.check_game(&args.game)?;
    let words = args
        .agents
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty());
    let agents = words.map(Agent::find).collect::<Result<Vec<Agent>, Problem>>()?;
    let scenario = match &args.scenario {
        Some(name) => {
            let (path, opened) = crate::suite::one(workspace, name)?;
            if opened.file.game.value != args.game {
                let found = &opened.file.game.value;
                return Err(problems::scenario_of_other_game(name, found, &args.game).into());
            }
            Some(path)
        }
        None => None,
    };
    let ask = LadderPlan {
        game: args.game,
        scenario,
        changes: args.changes.overrides()?,
        agents,
        games: args.games as usize,
        threads: args.threads.count(),
    };
    let ladder = ladder::ladder(workspace, &ask)?;
    Ok(show_report(workspace.work(), args.json, ladder.report(), true))
}
