//! The command that finds the step of a game that changed the chances most.

use crate::event_text;
use crate::output::Output;
use crate::problems;
use crate::report::Problems;
use crate::reports::Report;
use crate::session::Session;
use crate::turning_point;
use serde_json::json;

/// `:turning-point [N]`.
///
/// # Errors
///
/// A secret choice under way; rules that fail in a random game.
pub(crate) fn turning_point(session: &mut Session, games: u64) -> Result<Output, Problems> {
    session.check_open()?;
    if games == 0 {
        return Err(problems::wrong_argument("0", "a number of games").into());
    }
    let Some(found) = turning_point::find(&mut session.play, games)? else {
        return Ok(Output::text("there is no turning point yet"));
    };
    let play = &session.play;
    let table = play.table();
    let checkpoint = &play.trail()[found.step];
    let given = match checkpoint.events.checked_sub(1) {
        Some(event) => play.given_count_since(event),
        None => Some(play.given_count()),
    };
    let answers = checkpoint.position.answers.iter().map(|answer| {
        let label = table.words.text(answer.label);
        format!("{label}: {}", answer.chosen.key(&table.rules, &table.words))
    });
    let answers: Vec<String> = answers.collect();
    let step = event_text::step_name(&table.rules, checkpoint.position.step);
    let faction = &table.rules.factions[found.faction.index()];
    let [before, after] = [found.before, found.after].map(|chance| format!("{:.0} %", chance * 100.0));
    let mut lines = vec![format!("the turning point: {step}")];
    if !answers.is_empty() {
        lines.push(format!("  {}", answers.join(", ")));
    }
    lines.push(format!(
        "{faction} wins {before} of the random games from the position before it, and {after} from the one after it"
    ));
    lines.push(format!(
        "{games} games from each of {} positions; `:undo {}` goes back to it",
        found.positions,
        given.unwrap_or_default()
    ));
    Ok(Output {
        drawn: Some(json!({ "turning": {
            "step": step, "answers": answers, "faction": faction, "before": found.before, "after": found.after,
            "games": games, "positions": found.positions, "undo": given,
        } })),
        ..Report::lines(lines).into()
    })
}
