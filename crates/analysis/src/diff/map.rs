//! Table of the effects of variants and dials on scenarios.

use super::{
    Addition, Comparison, ComparisonSetup, DiffArm, Differ, ScenarioDiff, Verdict, VerdictSign, judge,
};
use crate::report::Problems;
use crate::rules::register;
use crate::rules::workspace::Workspace;
use crate::scenario::file::ScenarioFile;
use crate::stage::run::{self, OpenedFile, Overrides};
use crate::variants::Tweaks;
use crate::{parallel, suite};
use std::collections::BTreeMap;

/// A cell of the map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapCell {
    /// Effect of the variant or dial.
    pub mark: VerdictSign,
    /// Place of the divergence or reason of the failure, in one sentence.
    pub why: Option<String>,
}

/// A scenario's row of the map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapRow {
    /// The scenario's path.
    pub scenario: String,
    /// One cell for each tweak.
    pub cells: Vec<MapCell>,
}

/// Table of the effects of variants and dials on scenarios.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImpactMap {
    /// The game.
    pub game: String,
    /// The columns.
    pub tweaks: Vec<Addition>,
    /// For each column the variants that it requires; they are on on both sides.
    pub with: Vec<Vec<String>>,
    /// The rows, by path.
    pub rows: Vec<MapRow>,
}

impl ImpactMap {
    /// Returns the number of scenarios with this mark under a variant or dial, by its index.
    pub fn total(&self, column: usize, mark: VerdictSign) -> usize {
        let cells = self.rows.iter().filter_map(|r| r.cells.get(column));
        cells.filter(|c| c.mark == mark).count()
    }
}

/// Compares every scenario of a game with each of the tweaks of `asked` by itself; a variant that
/// requires others is compared with these on on both sides. The result is
/// the same however many threads there are.
///
/// # Errors
///
/// An unknown game; names that the game does not have.
pub fn map(workspace: &Workspace, game: &str, comparison: &Comparison) -> Result<ImpactMap, Problems> {
    workspace.check_game(game)?;
    check_names(workspace, game, comparison)?;
    let with = required(workspace, game, comparison)?;
    let all = workspace.list(&format!("scenarios/{game}"), ".toml");
    // Scenarios with layers of their own come together, so that loaded rule sets are of use again.
    let mut order: Vec<(String, usize)> = all
        .iter()
        .enumerate()
        .map(|(index, path)| {
            let opened = suite::open(workspace, path);
            let options = opened.map(|o| format!("{:?}", run::options_of(&o.file, &[])));
            (options.unwrap_or_default(), index)
        })
        .collect();
    order.sort();
    const CHUNK: usize = 8;
    let chunks: Vec<&[(String, usize)]> = order.chunks(CHUNK).collect();
    let done = parallel::each(
        workspace.work(),
        "groups of eight scenarios",
        chunks.len(),
        None,
        || {
            let mut differ = Differ::new(workspace);
            differ.trail = false;
            let mut options = "";
            let chunks = &chunks;
            let (all, with) = (&all, &with);
            move |chunk: usize| {
                let mut rows: Vec<(usize, Vec<MapCell>)> = Vec::new();
                for (own, index) in chunks[chunk] {
                    if own != options {
                        differ.rulesets.forget();
                        options = own;
                    }
                    rows.push((*index, differ.row(&all[*index], comparison, with)));
                }
                rows
            }
        },
    );
    // Those that were not compared when somebody stopped it are not in the table.
    let mut rows: BTreeMap<usize, Vec<MapCell>> = done.into_iter().flatten().flatten().collect();
    let rows = all.into_iter().enumerate().filter_map(|(index, scenario)| {
        let cells = rows.remove(&index)?;
        Some(MapRow { scenario, cells })
    });
    Ok(ImpactMap {
        game: game.to_owned(),
        rows: rows.collect(),
        tweaks: comparison.tweaks.clone(),
        with,
    })
}

/// Effect of a variant or dial on one scenario.
pub struct LayerEffect {
    /// The variant or dial.
    pub layer: Addition,
    /// The variants that it requires; they are on on both sides.
    pub with: Vec<String>,
    /// The comparison, or the reason why there is none.
    pub found: Result<ScenarioDiff, Problems>,
}

/// Compares one scenario with each of the tweaks of `comparison` by itself, as [`map`] does; fewer if the user stops it.
///
/// # Errors
///
/// Names that the game does not have.
pub fn effects(
    workspace: &Workspace,
    opened: &OpenedFile,
    comparison: &Comparison,
) -> Result<Vec<LayerEffect>, Problems> {
    let game = &opened.file.game.value;
    check_names(workspace, game, comparison)?;
    let with = required(workspace, game, comparison)?;
    let mut differ = Differ::new(workspace);
    differ.trail = false;
    let progress = workspace.work().begin("variants", Some(with.len()));
    let mut effects = Vec::new();
    for (layer, with) in comparison.tweaks.iter().zip(with) {
        if progress.is_stopped() {
            break;
        }
        effects.push(LayerEffect {
            found: differ.compare(opened, &comparison.of_one(layer, &with)),
            layer: layer.clone(),
            with,
        });
        progress.step();
    }
    Ok(effects)
}

/// Returns for each of the tweaks the variants that it requires.
fn required(
    workspace: &Workspace,
    game: &str,
    comparison: &Comparison,
) -> Result<Vec<Vec<String>>, Problems> {
    let known = Tweaks::read(workspace, game)?;
    let required = |variant: &Addition| match variant {
        Addition::Variant(name) => known.required(name),
        Addition::Without(_) | Addition::Dial(..) | Addition::Scratch(_) => Vec::new(),
    };
    Ok(comparison.tweaks.iter().map(required).collect())
}

/// Loads the game with each tweak by itself: a name that is wrong everywhere is no finding.
fn check_names(workspace: &Workspace, game: &str, comparison: &Comparison) -> Result<(), Problems> {
    let file = ScenarioFile::new(game);
    let load = |setup: &ComparisonSetup| run::load(workspace, &setup.file, &setup.options);
    load(&ComparisonSetup::new(&file, &Overrides::default()))?;
    let known = register::all(workspace, game)?;
    let mut problems = Vec::new();
    for variant in &comparison.tweaks {
        match variant {
            // A variant that is there and does not load is for the table to tell.
            Addition::Variant(name) if known.contains(name) => {}
            _ => {
                let one = Comparison {
                    tweaks: vec![variant.clone()],
                    ..Comparison::default()
                };
                if let Err(found) = load(&one.tweaked(&file, &[], &[0])) {
                    problems.extend(found.0);
                }
            }
        }
    }
    if !comparison.against.is_empty()
        && let Err(found) = load(&comparison.base(&file, &[]))
    {
        problems.extend(found.0);
    }
    Problems::check(problems)
}

impl Differ<'_> {
    /// The cells of one scenario. Its base is played once, but for tweaks that it has on itself.
    fn row(&mut self, path: &str, comparison: &Comparison, with: &[Vec<String>]) -> Vec<MapCell> {
        let failed = |problems: &Problems| MapCell {
            mark: VerdictSign::Failed,
            why: problems.0.first().map(|p| p.message.clone()),
        };
        let opened = suite::open(self.rulesets.workspace(), path)
            .and_then(|opened| Ok((self.rulesets.adopted(&opened.file.game)?, opened)));
        let (adopted, opened) = match opened {
            Ok(opened) => opened,
            Err(problems) => return comparison.tweaks.iter().map(|_| failed(&problems)).collect(),
        };
        let lines = opened.lines.as_deref();
        let mut bases: Vec<(ComparisonSetup, Result<DiffArm, Problems>)> = Vec::new();
        let mut cells = Vec::new();
        for (variant, with) in comparison.tweaks.iter().zip(with) {
            let one = comparison.of_one(variant, with);
            let base_setup = one.base(&opened.file, &adopted);
            let index = match bases.iter().position(|(s, _)| *s == base_setup) {
                Some(index) => index,
                None => {
                    let base = self.lead(&base_setup, lines);
                    bases.push((base_setup.clone(), base));
                    bases.len() - 1
                }
            };
            let base = match &bases[index].1 {
                Ok(base) => base,
                Err(problems) => {
                    cells.push(failed(problems));
                    continue;
                }
            };
            let tweaked = one.tweaked(&opened.file, &adopted, &one.all());
            match self.against(base, &base_setup, &tweaked, lines, comparison.then) {
                Ok((replaced, arm)) => {
                    let verdict = judge(replaced.as_ref().unwrap_or(base), &arm);
                    cells.push(MapCell {
                        mark: verdict.mark(),
                        why: match &verdict {
                            Verdict::Diverged(_, d) => Some(format!("`{}`: {}", d.step, d.why)),
                            Verdict::Failed(_, problem) => Some(problem.message.clone()),
                            _ => None,
                        },
                    });
                }
                Err(problems) => cells.push(failed(&problems)),
            }
        }
        cells
    }
}
