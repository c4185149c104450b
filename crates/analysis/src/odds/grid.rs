//! The same question about every unit type against every other.

use super::problems;
use super::root::{self, RootPlay};
use super::{OddsQuery, Spread, ask, replace};
use crate::parallel;
use crate::report::Problems;
use crate::rules::workspace::Workspace;
use crate::stage::run::{self, OpenedFile, Overrides, Setup};
use crate::why;

/// Grid of odds for pairs of unit types.
pub struct OddsGrid {
    /// The unit that is replaced in each row, by its name in the scenario.
    pub row: String,
    /// The unit that is replaced in each column.
    pub column: String,
    /// The types, in the order of both.
    pub types: Vec<String>,
    /// Row by row: what can come of it, or why it cannot be asked.
    pub cells: Vec<Result<GridCell, String>>,
    /// Horizon in words, to be put after "to".
    pub horizon: String,
    /// Whether all was looked at that can be asked; else somebody or `--limit` stopped it.
    pub is_whole: bool,
}

/// Odds for one pair of unit types.
pub struct GridCell {
    /// Distribution of outcomes.
    pub spread: Spread,
    /// Names of the row's unit and the column's unit in this pair.
    pub names: [String; 2],
}

/// Asks about every type in the place of the first unit of the first two factions of a scenario, or
/// in those of the named units.
///
/// # Errors
///
/// A scenario without two such units, or one that cannot be laid; what cannot be asked of a single
/// pair is told in its cell.
pub fn grid(
    workspace: &Workspace,
    opened: &OpenedFile,
    units: &[String],
    overrides: &Overrides,
    answers: &[String],
    question: &OddsQuery,
) -> Result<OddsGrid, Problems> {
    let names = opened.file.position.names();
    let mut firsts = names.iter().filter_map(|names| names.first());
    let (row, column) = match units {
        [row, column] => (row.clone(), column.clone()),
        [] => match (firsts.next(), firsts.next()) {
            (Some(row), Some(column)) => (row.clone(), column.clone()),
            _ => {
                return Err(problems::grid_without_factions().into());
            }
        },
        _ => return Err(problems::wrong_grid_units(units.len()).into()),
    };
    // What is wrong with all of them is told once.
    let setup = run::lay(workspace, &opened.file, overrides)?;
    let types: Vec<String> = setup
        .play
        .ruleset()
        .rules
        .types
        .iter()
        .map(|t| t.name.clone())
        .collect();
    let Some(first) = types.first() else {
        return Err(problems::no_unit_types(&opened.file.game).into());
    };
    replaced((opened, answers), &row, first, &column, first)?;
    drop(setup);
    // What is asked about is what the scenario asks as it is.
    root::of_scenario(workspace, opened, overrides, answers)?;
    let count = types.len();
    // Rules belong to one thread, and so do texts with places in them: each reads its own.
    let (file, name) = (opened.file.to_toml(), opened.file.source.name.clone());
    let question = OddsQuery {
        stop: None,
        ..question.clone()
    };
    let cells = parallel::each(
        workspace.work(),
        "pairs of types",
        count * count,
        question.threads,
        || {
            let source = crate::report::Source::new(name.as_str(), file.as_str());
            let opened = run::open(&source);
            let base = opened
                .as_ref()
                .map_err(Clone::clone)
                .and_then(|opened| root::of_scenario(workspace, opened, overrides, answers));
            let (types, question, row, column) = (&types, &question, &row, &column);
            move |number| {
                let all = || -> Result<(Result<GridCell, String>, String), Problems> {
                    let opened = opened.as_ref().map_err(Clone::clone)?;
                    let (red, blue) = (&types[number / count], &types[number % count]);
                    let base = base.as_ref().map_err(Clone::clone)?;
                    let (opened, answers, names) = replaced((opened, answers), row, red, column, blue)?;
                    let root_play = root::of_scenario(workspace, &opened, overrides, &answers);
                    let same = |root_play: RootPlay| {
                        root_play
                            .check_same_question(base)
                            .map(|()| root_play)
                            .map_err(Problems::from)
                    };
                    let mut root_play = root_play.and_then(same).map_err(|problems| {
                        let refused =
                            || refusal(run::lay(workspace, &opened.file, overrides).ok()?, base, &names);
                        match opened.lines.is_none().then(refused).flatten() {
                            Some(why) => problems::refused_pair(why).into(),
                            None => problems,
                        }
                    })?;
                    let odds = ask(&mut root_play.play, &root_play.root, question)?;
                    let spread = odds.spread;
                    let cell = odds.stopped.map_or(Ok(GridCell { spread, names }), Err);
                    Ok((cell, odds.horizon))
                };
                all().map_err(|problems| problems.0.first().map_or_else(String::new, |p| p.message.clone()))
            }
        },
    );
    let is_whole = !cells
        .iter()
        .any(|cell| matches!(cell, None | Some(Ok((Err(_), _)))));
    let cells: Vec<_> = cells
        .into_iter()
        .map(|cell| cell.unwrap_or_else(|| Err("stopped".to_owned())))
        .collect();
    let horizon = cells
        .iter()
        .find_map(|cell| cell.as_ref().ok().map(|(_, to)| to.clone()));
    Ok(OddsGrid {
        row,
        column,
        types,
        cells: cells
            .into_iter()
            .map(|cell| cell.and_then(|(cell, _)| cell))
            .collect(),
        is_whole,
        horizon: horizon.unwrap_or_else(|| "nowhere".to_owned()),
    })
}

/// The reason for which the rules refuse the column's unit to the row's in the step that is asked about.
fn refusal(setup: Setup, base: &RootPlay, names: &[String; 2]) -> Option<String> {
    let mut play = root::played_to(setup.playable().ok()?, base.root.checkpoint.position.step)?;
    let [row, column] = names.each_ref().map(|name| {
        let table = play.table();
        table.world.find(table.rules.parse_unit_name(name)?)
    });
    let step = play.checkpoint();
    play.clear_source();
    why::refused_in(&play, &step, row?, column?)
}

fn replaced(
    (opened, answers): (&OpenedFile, &[String]),
    row: &str,
    red: &str,
    column: &str,
    blue: &str,
) -> Result<(OpenedFile, Vec<String>, [String; 2]), Problems> {
    let mut opened = OpenedFile {
        file: opened.file.clone(),
        lines: opened.lines.clone(),
    };
    let mut answers = answers.to_vec();
    let names = replace::replace(&mut opened, &mut answers, &[(row, red), (column, blue)])?;
    let mut names = names.into_iter();
    let mut next = || names.next().unwrap_or_default();
    Ok((opened, answers, [next(), next()]))
}
