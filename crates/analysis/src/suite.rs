//! The suite: finds scenario files, runs them, and says how they went.

use crate::coverage::Claim;
use crate::report::{Problem, Problems, Source, hint_for};
use crate::rulebook::{Rulebook, unknown_claims};
use crate::rules::workspace::{Workspace, comes_along};
use crate::ruleset_cache::RulesetCache;
use crate::snapshot::{self, SnapshotComparison, SnapshotStore};
use crate::stage::run::{self, OpenedFile, Overrides, PlayedScenario};
use crate::toml_text::{self, Spanned};
use crate::transcript::{Line, numbered_lines_of};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

pub mod problems;

/// Finds the scenarios that a user means: a path, a folder, a game, a name, or both; nothing given
/// means all of them. Paths are from the workspace's root where they lie in it.
///
/// # Errors
///
/// A name that nothing has, with the nearest one.
pub fn find(workspace: &Workspace, names: &[String]) -> Result<Vec<String>, Problems> {
    find_in(workspace, "scenarios", &["scenario", "scenarios"], names)
}

/// The same for the files of another folder; one and several of them are called so.
///
/// # Errors
///
/// A name that nothing has, with the nearest one.
pub fn find_in(
    workspace: &Workspace,
    folder: &str,
    [one, several]: &[&str; 2],
    names: &[String],
) -> Result<Vec<String>, Problems> {
    let all = workspace.list(folder, ".toml");
    if names.is_empty() {
        return Ok(all);
    }
    let mut found = Vec::new();
    let mut problems = Vec::new();
    for name in names {
        let here = within(workspace, folder, name);
        let bare = here.as_deref().unwrap_or(name).trim_end_matches('/');
        let inside: Vec<String> = all
            .iter()
            .filter(|p| {
                let [stem, named] = [p.as_str(), bare].map(|it| it.strip_suffix(".toml").unwrap_or(it));
                **p == *bare
                    || stem.rsplit('/').next() == Some(named)
                    || stem.strip_prefix(folder).and_then(|s| s.strip_prefix('/')) == Some(named)
                    || p.starts_with(&format!("{bare}/"))
                    || p.starts_with(&format!("{folder}/{bare}/"))
                    || here.as_deref() == Some("")
            })
            .cloned()
            .collect();
        if !inside.is_empty() {
            found.extend(inside);
        } else if workspace.has(name) || Path::new(name).is_file() {
            found.push(name.clone());
        } else if Path::new(name).is_dir() {
            problems.push(problems::empty_folder(name, several));
        } else {
            let hint = match along(workspace, folder, bare) {
                Some(game) => comes_along(&game),
                None => hint_for(stem(bare), all.iter().map(|path| stem(path))),
            };
            problems.push(problems::unknown_name(one, name).hint(hint));
        }
    }
    Problems::check(problems)?;
    found.sort();
    found.dedup();
    Ok(found)
}

/// The game that comes with the program, and is not in the workspace, that has a file of such a name in a folder, or is
/// called so.
pub fn along(workspace: &Workspace, folder: &str, name: &str) -> Option<String> {
    let bundled = workspace.bundled()?;
    let named = bundled.games().into_iter().find(|game| game == name);
    let files = || bundled.list(folder, ".toml");
    let has = || files().into_iter().find(|path| stem(path) == stem(name));
    let game = named.or_else(|| has()?.split('/').nth(1).map(str::to_owned))?;
    (!workspace.games().contains(&game)).then_some(game)
}

/// The name of a file without its folders and its ending.
fn stem(path: &str) -> &str {
    path.trim_end_matches(".toml").rsplit('/').next().unwrap_or(path)
}

/// A path that leads into a folder of the workspace from where one stands, which may be in it, as the workspace has it.
fn within(workspace: &Workspace, folder: &str, path: &str) -> Option<String> {
    let root = workspace.folder()?.canonicalize().ok()?;
    let path = Path::new(path).canonicalize().ok()?;
    let parts = path.strip_prefix(root).ok()?.iter().map(|part| part.to_str());
    let path = parts.collect::<Option<Vec<_>>>()?.join("/");
    let is_inside = path
        .strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    (path.is_empty() || is_inside).then_some(path)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WorkspaceFile {
    opening: Option<Spanned<String>>,
}

/// The file of a workspace that says what the prompt opens with.
pub const WORKSPACE_FILE: &str = "scripts/workspace.toml";

/// The scenario that the prompt opens when nothing is asked for: what `opening` in [`WORKSPACE_FILE`] names.
///
/// # Errors
///
/// What is wrong with the file; a scenario that is not there.
pub fn opening(workspace: &Workspace) -> Result<Option<String>, Problems> {
    if !workspace.has(WORKSPACE_FILE) {
        return Ok(None);
    }
    let source = workspace.read(WORKSPACE_FILE)?;
    let file: WorkspaceFile = toml_text::read_whole(&source)?;
    let Some(name) = file.opening else { return Ok(None) };
    let at = |problem: Problem| Problems::from(problem.at(&source, name.span.clone()));
    match find(workspace, std::slice::from_ref(&name.value)) {
        Ok(paths) if paths.len() == 1 => Ok(paths.into_iter().next()),
        Ok(several) => Err(at(several_scenarios(&name, &several))),
        Err(none) => Err(Problems(
            none.0.into_iter().flat_map(|problem| at(problem).0).collect(),
        )),
    }
}

/// Reads one scenario or transcript, in the workspace or anywhere else.
///
/// # Errors
///
/// What is wrong with the file.
pub fn open(workspace: &Workspace, path: &str) -> Result<OpenedFile, Problems> {
    let source = if workspace.has(path) || workspace.list("scenarios", ".toml").iter().any(|p| p == path) {
        workspace.read(path)?
    } else {
        Source::read(path)?
    };
    run::open_in(workspace, &source)
}

/// Result of one scenario.
pub struct ScenarioResult {
    /// Its path.
    pub path: String,
    /// Its title.
    pub title: Option<String>,
    /// The clauses that it says it proves.
    pub proves: Vec<String>,
    /// Problems of the file, the answers or the rules.
    pub problems: Vec<Problem>,
    /// Expectations that are not met.
    pub unmet: Vec<Problem>,
    /// End of its game, in words.
    pub end: String,
    /// The transcript as text, of one that went as it says.
    pub transcript: Option<String>,
    /// Comparison of the transcript with its snapshot; not compared until requested.
    pub snapshot: SnapshotComparison,
    /// Time taken; zero without a clock.
    pub took: Duration,
}

impl ScenarioResult {
    /// Whether all went as the scenario says.
    pub fn passed(&self) -> bool {
        self.problems.is_empty() && self.unmet.is_empty() && self.snapshot.passed()
    }

    /// Returns its result as a mark to begin a line of a list with.
    pub fn mark(&self) -> &'static str {
        if self.passed() { "ok  " } else { "FAIL" }
    }

    /// Its path and title.
    pub fn named(&self) -> String {
        let title = self.title.as_ref().map_or_else(String::new, |t| format!("  {t}"));
        format!("{}{title}", self.path)
    }

    /// The pages of what is wrong with it, besides its snapshot.
    pub fn faults(&self, colour: bool) -> impl Iterator<Item = String> {
        self.problems
            .iter()
            .chain(&self.unmet)
            .map(move |p| p.page(colour))
    }
}

/// Runs scenarios one after the other, until somebody stops it.
pub fn run_all(workspace: &Workspace, paths: &[String], overrides: &Overrides) -> Vec<ScenarioResult> {
    run_on(&mut RulesetCache::new(workspace), paths, overrides)
}

fn run_on(rulesets: &mut RulesetCache<'_>, paths: &[String], overrides: &Overrides) -> Vec<ScenarioResult> {
    let workspace = rulesets.workspace();
    let mut rulebooks: BTreeMap<String, Option<Rulebook>> = BTreeMap::new();
    let progress = workspace.work().begin("scenarios", Some(paths.len()));
    paths
        .iter()
        .take_while(|_| !progress.is_stopped())
        .map(|path| {
            let began = workspace.work().now();
            let mut result = ScenarioResult {
                path: path.clone(),
                title: None,
                proves: Vec::new(),
                problems: Vec::new(),
                unmet: Vec::new(),
                end: String::new(),
                transcript: None,
                snapshot: SnapshotComparison::NotCompared("nobody asked"),
                took: Duration::ZERO,
            };
            match open(workspace, path) {
                Ok(opened) => {
                    result.title = opened.file.title.as_ref().map(|t| t.value.clone());
                    result.proves = opened.file.proves.iter().map(|p| p.value.clone()).collect();
                    match play(rulesets, &opened, overrides) {
                        Ok(ran) => {
                            result.end = ran.end();
                            result.transcript = ran.passed().then(|| ran.transcript().print());
                            let PlayedScenario { problems, unmet, .. } = ran;
                            result.problems = problems;
                            result.unmet = unmet;
                        }
                        Err(problems) => result.problems = problems.0,
                    }
                    let rulebook = rulebooks
                        .entry(opened.file.game.value.clone())
                        .or_insert_with_key(|game| Rulebook::read(workspace, game).ok().map(|r| r.0));
                    let unknown = unknown_claims(workspace, rulebook.as_ref(), &opened.file);
                    result.problems.extend(unknown);
                }
                Err(problems) => result.problems = problems.0,
            }
            result.took = workspace.work().since(began).unwrap_or_default();
            progress.step();
            result
        })
        .collect()
}

/// Plays a scenario under a cached ruleset; a transcript, which may change its rules on the way, under its own.
fn play(
    rulesets: &mut RulesetCache<'_>,
    opened: &OpenedFile,
    overrides: &Overrides,
) -> Result<PlayedScenario, Problems> {
    if opened.lines.is_some() {
        return run::run(rulesets.workspace(), opened, overrides);
    }
    let file = run::changed(&opened.file, overrides);
    let workspace = rulesets.workspace();
    let whole = |problems: Problems| run::with_other_faults(workspace, &file, problems.0);
    let ruleset = rulesets.get(&file, &run::options_of(&file, &overrides.without));
    let setup = ruleset
        .and_then(|ruleset| run::lay_on(ruleset, file.clone()))
        .map_err(whole)?;
    run::run_laid(setup, None)
}

/// Runs scenarios and compares what was played with its snapshots; with `begin`, a game without any gets its first
/// pending ones.
pub fn run_and_compare(
    rulesets: &mut RulesetCache<'_>,
    paths: &[String],
    begin: bool,
) -> Vec<ScenarioResult> {
    let variable = |name: &str| std::env::var(name).ok();
    let [update, ci, build] = ["INSTA_UPDATE", "CI", "TF_BUILD"].map(variable);
    let may_write = snapshot::may_write(update.as_deref(), ci.as_deref(), build.as_deref());
    let store = SnapshotStore::new(rulesets.workspace(), may_write, begin);
    let mut results = run_on(rulesets, paths, &Overrides::default());
    compare_snapshots(rulesets, &store, &mut results);
    results
}

/// Plays scenarios with pending snapshots again, which are written anew where the rules have changed since: nobody is
/// to accept what is not played any more. Which of them are not pending any more.
pub fn play_pending(workspace: &Workspace, pending: &[String]) -> Vec<String> {
    let store = SnapshotStore::new(workspace, true, false);
    let readable = pending
        .iter()
        .filter(|path| snapshot::read(workspace, path).is_ok());
    let scenarios = readable.filter_map(|path| snapshot::scenario_of(path));
    let scenarios: Vec<String> = scenarios.filter(|s| workspace.has(s)).collect();
    let mut rulesets = RulesetCache::new(workspace);
    let mut results = run_on(&mut rulesets, &scenarios, &Overrides::default());
    compare_snapshots(&mut rulesets, &store, &mut results);
    let left = store.pending();
    pending
        .iter()
        .filter(|path| !left.contains(path))
        .cloned()
        .collect()
}

/// The board just after the first line in which a pending snapshot differs from the one that it would replace, as it
/// is played now.
///
/// # Errors
///
/// A pending snapshot that cannot be read or played.
pub fn board_where_it_differs(workspace: &Workspace, pending: &str) -> Result<String, Problems> {
    let read = |path: &str| run::open(&Source::new(path, snapshot::read(workspace, path)?));
    let events = |opened: &OpenedFile| -> Vec<Line> {
        let lines = opened.lines.iter().flatten();
        lines.filter(|l| matches!(l, Line::Entry(_))).cloned().collect()
    };
    let opened = read(pending)?;
    let old = read(pending.strip_suffix(".new").unwrap_or(pending));
    let (old, new) = (
        old.map_or_else(|_| Vec::new(), |old| events(&old)),
        events(&opened),
    );
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let ran = run::run(workspace, &opened, &Overrides::default())?;
    let table = ran.play.table();
    let numbered = numbered_lines_of(&table.rules, &table.words, &table.events);
    let (place, world) = match numbered.get(same) {
        Some((event, line)) => (
            format!("after `{}`", line.text().trim()),
            ran.play.world_after(*event),
        ),
        None => ("where it ends".to_owned(), table.world.clone()),
    };
    Ok(format!(
        "{place}:\n{}",
        crate::render::transcript::position(&table.rules, &world)
    ))
}

/// Snapshots of which there is no scenario.
pub fn unreferenced(workspace: &Workspace) -> Vec<String> {
    SnapshotStore::new(workspace, false, false).unreferenced()
}

/// Plays each scenario that went as it says once more, from its own transcript, and compares that transcript with its snapshot.
///
/// A play that is not the same the second time is never compared: something that the game does not
/// see, such as what an earlier run left behind, decides in it.
fn compare_snapshots(
    rulesets: &mut RulesetCache<'_>,
    store: &SnapshotStore<'_>,
    results: &mut [ScenarioResult],
) {
    for result in results {
        let work = rulesets.workspace().work().clone();
        let began = work.now();
        result.snapshot = match &result.transcript {
            Some(first) if result.problems.is_empty() => match replay(rulesets, &result.path, first) {
                Ok(second) if second == *first => store.compare(&result.path, first),
                second => SnapshotComparison::Drifts {
                    first: first.clone(),
                    second,
                },
            },
            _ => {
                store.discard(&result.path);
                SnapshotComparison::NotCompared("the scenario itself fails")
            }
        };
        result.took += work.since(began).unwrap_or_default();
    }
}

/// Plays a transcript again, and returns the transcript of that.
fn replay(rulesets: &mut RulesetCache<'_>, path: &str, transcript: &str) -> Result<String, Problems> {
    let source = Source::new(format!("transcript of {path}"), transcript);
    let opened = run::open(&source)?;
    let chapter = |l: &Line| matches!(l, Line::Chapter { .. });
    if opened.lines.iter().flatten().any(chapter) {
        let ran = run::run(rulesets.workspace(), &opened, &Overrides::default())?;
        Problems::check(ran.problems.clone())?;
        return Ok(ran.transcript().print());
    }
    let ruleset = rulesets.get(&opened.file, &run::options_of(&opened.file, &[]))?;
    let setup = run::lay_on(ruleset, opened.file)?;
    let ran = run::run_laid(setup, opened.lines.as_deref())?;
    Problems::check(ran.problems.clone())?;
    let printed = ran.transcript().print();
    Ok(printed)
}

/// Returns the scenarios' claims to prove clauses, with the results of their runs.
pub fn claims(results: &[ScenarioResult]) -> Vec<Claim> {
    results
        .iter()
        .map(|r| Claim {
            scenario: r.path.clone(),
            proves: r.proves.clone(),
            passed: r.passed(),
        })
        .collect()
}

/// The one scenario that a name means, opened.
///
/// # Errors
///
/// There is none, or there are several; it cannot be read.
pub fn one(workspace: &Workspace, name: &str) -> Result<(String, OpenedFile), Problems> {
    let found = find(workspace, &[name.to_owned()])?;
    match &found[..] {
        [path] => Ok((path.clone(), open(workspace, path)?)),
        several => Err(several_scenarios(name, several).into()),
    }
}

fn several_scenarios(name: &str, paths: &[String]) -> Problem {
    let first = paths.first().map_or("", |path| stem(path));
    problems::several_scenarios(name, paths.len(), first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::run::fuel::drift;

    const STAB: &str = "game = \"smalltricks\"\nunits.red = [\"spears c3\"]\nunits.blue = [\"archers c4\"]\n\
                        answers = [\"spear: blue.archers1\"]\nopen = \"first\"\nuntil = \"end of melee\"\n";

    /// A workspace with the repository's rules and one scenario, its spears changed so.
    fn workspace(old: &str, new: &str) -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let own = Workspace::at(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let files = [
            own.list("scripts/smalltricks", ""),
            own.list("units/smalltricks", ""),
        ]
        .concat();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("can be made");
            std::fs::write(path, text).expect("can be written");
        };
        for path in files {
            let text = own.read(&path).expect("the file is there").text.clone();
            write(&path, &text.replace(old, new));
        }
        write("scenarios/smalltricks/stab.toml", STAB);
        let workspace = Workspace::at(folder.path());
        (folder, workspace)
    }

    fn verdict(workspace: &Workspace) -> SnapshotComparison {
        let paths = find(workspace, &[]).expect("the scenario is there");
        let mut rulesets = RulesetCache::new(workspace);
        let mut results = run_on(&mut rulesets, &paths, &Overrides::default());
        assert!(results[0].passed(), "{:?}", results[0].problems);
        compare_snapshots(
            &mut rulesets,
            &SnapshotStore::new(workspace, true, true),
            &mut results,
        );
        results.remove(0).snapshot
    }

    #[test]
    fn a_rule_that_plays_the_same_twice_is_compared() {
        let (_folder, workspace) = workspace("me.spear,", "me.spear + 1,");
        assert_eq!(verdict(&workspace).word(), "missing");
    }

    #[test]
    fn a_rule_in_which_something_outside_the_game_decides_is_caught() {
        drift::begin();
        let (folder, workspace) = workspace("me.spear,", "test_drift(),");
        let verdict = verdict(&workspace);
        assert!(!verdict.passed());
        assert_eq!(verdict.word(), "drifts");
        let page = verdict.page("scenarios/smalltricks/stab.toml", false);
        assert!(
            page.contains("something outside the game decides") && page.contains("(by spear, red.spears1)"),
            "{page}"
        );
        assert!(!folder.path().join("snapshots").exists());
    }
}
