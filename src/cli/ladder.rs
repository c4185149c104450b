//! `rulebench ladder`: agents play each other and are rated.

use super::{Changes, OK, say, say_json};
use crate::agents::Agent;
use crate::ladder::{self, Ask, Ladder};
use crate::report::{Problem, Problems};
use crate::script::workspace::Workspace;
use clap::Args;

/// What is asked, as the command line has it.
#[derive(Args)]
pub(super) struct LadderArgs {
    /// The game
    game: String,
    /// The agents, with commas between them: random, first, greedy, greedy:50 (ways to go on,
    /// where there are too many for all), mcts, mcts:400 (playouts), mcts:500ms
    #[arg(long, value_name = "AGENTS", default_value = "random,greedy,mcts")]
    agents: String,
    /// How many games each pair plays at least, half of them with seats swapped
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Begins in the position of this scenario instead; its answers are left out
    #[arg(long, value_name = "SCENARIO")]
    scenario: Option<String>,
    #[command(flatten)]
    changes: Changes,
    /// Prints JSON
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
                let why = format!(
                    "`{name}` is a scenario of {}, not of {}",
                    opened.file.game.value, args.game
                );
                return Err(Problem::new(why).into());
            }
            Some(path)
        }
        None => None,
    };
    let ask = Ask {
        game: args.game,
        scenario,
        changes: args.changes.overrides()?,
        agents,
        games: args.games as usize,
    };
    let ladder = ladder::ladder(workspace, &ask)?;
    match args.json {
        true => say_json(&ladder),
        false => say(&page(&ladder)),
    }
    Ok(OK)
}

fn page(ladder: &Ladder) -> String {
    let how = match ladder.factions == 1 {
        true => "each agent by itself with the same seeds; the better end counts",
        false => "seats swapped, the same seeds for each pair",
    };
    let mut page = vec![
        format!("{}: {} games, {how}", ladder.game, ladder.games),
        String::new(),
    ];
    let wide = |names: &mut dyn Iterator<Item = &str>| names.map(str::len).max().unwrap_or(0).max(5);
    let width = wide(&mut ladder.standings.iter().map(|s| s.agent.as_str()));
    page.push(format!("{:width$}  rating  95 % within", "agent"));
    for standing in &ladder.standings {
        page.push(format!(
            "{:width$}  {:6.0}  {:.0} to {:.0}",
            standing.agent,
            standing.rating,
            standing.rating - standing.within,
            standing.rating + standing.within
        ));
    }
    page.push(String::new());
    let names: Vec<String> = ladder
        .pairs
        .iter()
        .map(|p| format!("{} : {}", p.one, p.other))
        .collect();
    let width = wide(&mut names.iter().map(String::as_str));
    // Of more than two sides every seat of the one is held against every seat of the other.
    let counted = if ladder.factions > 2 { "seats" } else { "games" };
    page.push(format!("{counted:width$}    won  drawn   lost"));
    for (name, pair) in names.iter().zip(&ladder.pairs) {
        page.push(format!(
            "{name:width$} {:6} {:6} {:6}",
            pair.won, pair.drawn, pair.lost
        ));
    }
    if ladder.too_long > 0 {
        page.push(format!(
            "\n{} games were stopped as too long and count as drawn",
            ladder.too_long
        ));
    }
    if !ladder.timed.is_empty() {
        page.push(format!(
            "\n{}: a budget in time is another on each machine, so these games cannot be reproduced",
            ladder.timed.join(", ")
        ));
    }
    page.join("\n")
}
