//! A study in one file: a designer's question, as arms that agents play, measures of their games, and targets.
//!
//! The top of a file `studies/<game>/<name>.toml` is the first arm. Each table `[arms.NAME]` is another one: it says what
//! it changes of the first.

use super::sweep::{self, DialMoves, Sweep};
use super::targets::{JudgedTarget, Target, Verdict};
use crate::description::Spanned;
use crate::experiment::Experiment;
use crate::experiment::arm::{Arm, ArmOptions, agent, armies};
use crate::experiment::heading::Heading;
use crate::experiment::measure::Measure;
use crate::experiment::problems;
use crate::odds::root;
use crate::report::{Problem, Problems, Source, from_top};
use crate::reports::{Cell, Column, Report, ReportPart, ReportTable};
use crate::row;
use crate::rules::workspace::Workspace;
use crate::scenario::file::{Dials, ScenarioFile};
use crate::stage::run::{self, Overrides};
use crate::{suite, toml_text};
use serde::Deserialize;
use std::sync::Arc;

/// A study as it is written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyFile {
    game: Spanned<String>,
    about: Option<String>,
    scenario: Option<Spanned<String>>,
    games: Option<Spanned<u64>>,
    #[serde(default = "one")]
    seed: u64,
    #[serde(default)]
    agents: Vec<Spanned<String>>,
    #[serde(default)]
    armies: Vec<Spanned<String>>,
    #[serde(default)]
    variants: Vec<Spanned<String>>,
    #[serde(default)]
    without: Vec<Spanned<String>>,
    #[serde(default)]
    dials: Dials,
    #[serde(default)]
    measures: Vec<Spanned<String>>,
    targets: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    tune: Vec<Spanned<String>>,
    #[serde(default)]
    arms: toml_text::InOrder<ArmFile>,
}

/// An arm as it is written, below the first one.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ArmFile {
    agents: Vec<Spanned<String>>,
    armies: Vec<Spanned<String>>,
    variants: Vec<Spanned<String>>,
    without: Vec<Spanned<String>>,
    dials: Dials,
    targets: Vec<Spanned<String>>,
}

/// Number of games in a study that does not give it.
const MANY: u64 = 1000;
/// Name of the first arm.
pub const FIRST: &str = "as it is";

fn one() -> u64 {
    1
}

/// A study that could be played, as far as that can be told before.
pub struct Study {
    /// The question that it answers, in its own words.
    pub about: Option<String>,
    /// Targets of the first arm.
    pub targets: Vec<Target>,
    /// Dials that `tune` may move.
    pub tune: Vec<DialMoves>,
    source: Arc<Source>,
    measures: Vec<Spanned<String>>,
    arms: Vec<StudyArm>,
}

/// Arm of a study, ready to be laid.
pub struct StudyArm {
    /// Its name.
    pub name: String,
    /// Start of its games.
    pub start: ScenarioFile,
    /// Variants, dials, and variants that are off.
    pub changes: Overrides,
    /// Agents, armies, seed and number of games.
    pub options: ArmOptions,
    targets: Vec<Target>,
}

/// Results of a study.
pub struct StudyResults {
    /// Heading of the games of the first arm.
    pub played: Heading,
    /// Descriptions of the other arms: name, and what plays what.
    others: Vec<String>,
    /// Number of games in each arm.
    pub games: u64,
    /// Arm of each target, with the target as written and what the games say about it.
    pub targets: Vec<(String, String, JudgedTarget)>,
    /// Measures of every arm.
    pub levels: Sweep,
}

/// Returns the study files of a workspace, by path.
pub fn files(workspace: &Workspace) -> Vec<String> {
    workspace.list("studies", ".toml")
}

/// The study files that a user means, as [`suite::find`] finds scenarios.
///
/// # Errors
///
/// A name that nothing has, with the nearest one.
pub fn find(workspace: &Workspace, names: &[String]) -> Result<Vec<String>, Problems> {
    suite::find_in(workspace, "studies", &["study", "studies"], names)
}

/// Reads a study.
///
/// # Errors
///
/// What is wrong with its form.
pub fn read(source: &Arc<Source>) -> Result<StudyFile, Problems> {
    toml_text::read_whole(source)
}

/// Returns the problems of a study that can be found without playing.
pub fn faults(workspace: &Workspace, path: &str) -> Vec<Problem> {
    Study::open(workspace, path)
        .err()
        .map_or_else(Vec::new, |found| found.0)
}

impl StudyFile {
    /// Returns all arms as they are written, with their names: the first one, and the others with what they add to it.
    fn arms(&self) -> Vec<(String, ArmFile)> {
        let first = ArmFile {
            agents: self.agents.clone(),
            armies: self.armies.clone(),
            variants: self.variants.clone(),
            without: self.without.clone(),
            dials: self.dials.clone(),
            targets: self.targets.clone().map_or_else(Vec::new, |all| all.value),
        };
        let others = self.arms.0.iter().map(|(name, own)| {
            let mut arm = own.clone();
            if arm.agents.is_empty() {
                arm.agents = first.agents.clone();
            }
            if arm.armies.is_empty() {
                arm.armies = first.armies.clone();
            }
            let is_off = |name: &Spanned<String>| own.without.contains(name);
            let is_on = |name: &Spanned<String>| own.variants.contains(name);
            let kept = |all: &[Spanned<String>], is_turned: &dyn Fn(&Spanned<String>) -> bool| {
                let kept = all.iter().filter(|name| !is_turned(name));
                kept.cloned().collect::<Vec<_>>()
            };
            arm.variants = [
                kept(&first.variants, &|name| is_off(name) || is_on(name)),
                arm.variants,
            ]
            .concat();
            arm.without = [
                kept(&first.without, &|name| is_off(name) || is_on(name)),
                arm.without,
            ]
            .concat();
            let of_first = first.dials.0.iter();
            let of_first = of_first.filter(|(dial, _)| own.dials.0.iter().all(|(name, _)| name != dial));
            arm.dials = Dials(of_first.chain(&own.dials.0).cloned().collect());
            (name.value.clone(), arm)
        });
        let others: Vec<_> = others.collect();
        [vec![(FIRST.to_owned(), first)], others].concat()
    }
}

impl Study {
    /// Reads a study and looks for all that it names.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, as far as it can be told without playing.
    pub fn open(workspace: &Workspace, path: &str) -> Result<Self, Problems> {
        let source = workspace.read(path)?;
        let file = read(&source)?;
        let mut problems = Vec::new();
        if let Some(none) = file.games.as_ref().filter(|games| games.value == 0) {
            problems.push(at(problems::no_games(), &source, none));
        }
        if let Some(none) = file.targets.as_ref().filter(|targets| targets.value.is_empty()) {
            problems.push(at(problems::no_targets(), &source, none));
        }
        if let Some((name, _)) = file.arms.0.iter().find(|(name, _)| name.value == FIRST) {
            problems.push(at(problems::taken_arm_name(FIRST), &source, name));
        }
        let start = begin(workspace, &file).unwrap_or_else(|found| {
            let span = file.scenario.as_ref().map_or(0..0, |name| name.span.clone());
            problems.extend(found.0.into_iter().map(|problem| match problem.place {
                None => problem.at(&source, span.clone()),
                Some(_) => problem,
            }));
            ScenarioFile::new("")
        });
        let (mut arms, mut tune) = (Vec::new(), Vec::new());
        for (name, arm) in file.arms() {
            let written = layers(&source, &file, &arm);
            let without: Vec<String> = texts(&arm.without);
            let load = |start: &ScenarioFile, without: &[String]| {
                run::load(workspace, start, &run::options_of(start, without))
            };
            let loaded = load(&written, &without).map_err(|found| placed(found, &source, &arm.without));
            let rules = match &loaded {
                Ok(ruleset) => Some(Arc::clone(ruleset)),
                // Without the dials and variants that do not fit, the rest can be looked at all the same.
                Err(_) => load(&layers(&source, &file, &ArmFile::default()), &[]).ok(),
            };
            problems.extend(loaded.err().into_iter().flat_map(|found| found.0));
            let options = ArmOptions {
                agents: texts(&arm.agents),
                armies: texts(&arm.armies),
                seed: Some(file.seed),
                games: file.games.as_ref().map_or(MANY, |games| games.value),
                ..ArmOptions::default()
            };
            for word in &arm.agents {
                let found = agent(rules.as_ref().map(|ruleset| &*ruleset.rules), word);
                problems.extend(found.err().map(|problem| at(problem, &source, word)));
            }
            if let Some(ruleset) = &rules {
                let span = arm.armies.first().map_or(0..0, |first| first.span.clone());
                let found = armies(&ruleset.rules, &options).err();
                let found = found.into_iter().flat_map(|found| found.0);
                problems.extend(found.map(|problem| problem.at(&source, span.clone())));
                if name == FIRST {
                    for written in &file.tune {
                        match sweep::moves(&ruleset.dials, written) {
                            Ok(moves) => tune.push(moves),
                            Err(problem) => problems.push(at(problem, &source, written)),
                        }
                    }
                }
            }
            let mut targets = Vec::new();
            for written in &arm.targets {
                match Target::read(written) {
                    Ok(target) => targets.push(target),
                    Err(problem) => problems.push(at(problem, &source, written)),
                }
            }
            arms.push(StudyArm {
                name,
                start: start.clone(),
                changes: Overrides {
                    without,
                    variants: texts(&arm.variants),
                    dials: run::options_of(&written, &[]).dials.into_iter().collect(),
                    ..Overrides::default()
                },
                options,
                targets,
            });
        }
        // Arms have the faults of the first one as well.
        let mut all: Vec<Problem> = Vec::new();
        for problem in from_top(problems) {
            if !all.contains(&problem) {
                all.push(problem);
            }
        }
        Problems::check(all)?;
        Ok(Self {
            about: file.about,
            targets: arms[0].targets.clone(),
            tune,
            source,
            measures: file.measures,
            arms,
        })
    }

    /// Returns the first arm.
    pub fn first(&self) -> &StudyArm {
        &self.arms[0]
    }

    /// Returns all targets, each with the number of its arm.
    fn all_targets(&self) -> impl Iterator<Item = (usize, &Target)> {
        let arms = self.arms.iter().enumerate();
        arms.flat_map(|(nth, arm)| arm.targets.iter().map(move |target| (nth, target)))
    }

    /// Whether an arm has targets.
    pub fn has_targets(&self) -> bool {
        self.all_targets().next().is_some()
    }

    /// Plays the arms with the same seeds, and measures them.
    ///
    /// # Errors
    ///
    /// What cannot be played; measures that there are not, at their place.
    pub fn play(&self, workspace: &Workspace) -> Result<StudyResults, Problems> {
        let arms = self.arms.iter().map(|arm| {
            let made = Arm::new(workspace, &arm.start, &arm.changes, &arm.options);
            made.map_err(|found| match arm.name.as_str() {
                FIRST => found,
                name => found.within(&format!("in the arm {name}")),
            })
        });
        let experiment = Experiment::new(workspace, arms.collect::<Result<_, _>>()?, None)?;
        let mut names = self.measures.clone();
        for (_, target) in self.all_targets() {
            if !names.iter().any(|name| name.value == target.measure) {
                names.push(Spanned::new(target.measure.clone(), target.text.span.clone()));
            }
        }
        let tally = experiment
            .measure("games", &texts(&names), |_, _| true)
            .map_err(|found| placed(found, &self.source, &names))?;
        let (mut targets, mut problems) = (Vec::new(), Vec::new());
        for (arm, target) in self.all_targets() {
            match target.judge(&tally, arm) {
                Ok(judged) => targets.push((self.arms[arm].name.clone(), target.text.value.clone(), judged)),
                Err(problem) => problems.push(at(problem, &self.source, &target.text)),
            }
        }
        Problems::check(from_top(problems))?;
        let named = tally.wanted(&texts(&names))?;
        let usual = tally.measures().filter(|measure| {
            let is_usual = matches!(measure, Measure::First | Measure::Draws | Measure::Length(_));
            is_usual && !named.contains(measure)
        });
        let wanted: Vec<Measure> = named.iter().chain(usual).cloned().collect();
        let names: Vec<String> = self.arms.iter().map(|arm| arm.name.clone()).collect();
        Ok(StudyResults {
            played: experiment.arms[0].heading(),
            others: names
                .iter()
                .zip(&experiment.arms)
                .skip(1)
                .map(described)
                .collect(),
            games: tally.arms[0].games,
            targets,
            levels: Sweep::of(&tally, ("arm", 0), &names, &wanted),
        })
    }
}

impl StudyResults {
    /// Whether all targets surely are met.
    pub fn is_met(&self) -> bool {
        self.targets
            .iter()
            .all(|(_, _, judged)| judged.verdict == Verdict::Met)
    }

    /// Returns a line for each target.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.targets.iter().map(|(arm, text, judged)| match arm.as_str() {
            FIRST => format!("  {text}: {}", judged.says),
            arm => format!("  {arm}: {text}: {}", judged.says),
        })
    }

    /// Returns the targets for programs.
    pub fn targets_table(&self) -> ReportTable {
        let columns = ["arm", "target", "mean", "interval", "verdict"];
        let mut table = ReportTable::headed(columns.map(Column::data));
        for (arm, text, JudgedTarget { level, verdict, .. }) in &self.targets {
            table.push(row![
                arm.as_str(),
                text.as_str(),
                level.value,
                level.interval,
                verdict.name()
            ]);
        }
        table
    }

    /// Returns the report for a terminal of so many columns: what was played, the targets, and the measures of all arms.
    pub fn report(&self, about: Option<&str>, title: &str, columns: Option<usize>) -> Report {
        let mut report = Report::of(ReportPart::Head(1, title.to_owned()));
        report.extend(about.map(str::trim).map(str::to_owned));
        let each = if self.others.is_empty() {
            ""
        } else {
            " in each arm"
        };
        report.put(format!("{}{each}", self.played.line(self.games)));
        self.others.iter().for_each(|other| report.below(other.as_str()));
        if !self.targets.is_empty() {
            report.put("targets");
            self.lines().for_each(|line| report.below(line));
        }
        report.append(self.levels.report(columns));
        report
            .with("played", Cell::data(&self.played))
            .with("targets", self.targets_table())
    }
}

/// Describes an arm: its name, its game with what is changed of it, and its agents.
fn described((name, arm): (&String, &Arm)) -> String {
    format!("  {name}: {}, {} agents", arm.heading().what(), arm.agents_text())
}

/// The scenario that all games start from, or the game without anything laid.
fn begin(workspace: &Workspace, file: &StudyFile) -> Result<ScenarioFile, Problems> {
    let Some(name) = &file.scenario else {
        return Ok(ScenarioFile::new(file.game.value.clone()));
    };
    let (_, opened) = suite::one(workspace, name)?;
    let start = root::played_on(workspace, &opened)?;
    match start.game == file.game {
        true => Ok(start),
        false => Err(problems::scenario_of_other_game(name, &start.game, &file.game).into()),
    }
}

/// A scenario of a study's game with the variants and dials of an arm, where the file says them.
fn layers(source: &Arc<Source>, file: &StudyFile, arm: &ArmFile) -> ScenarioFile {
    let mut layers = ScenarioFile::new("");
    layers.source = Arc::clone(source);
    layers.game = file.game.clone();
    layers.variants = arm.variants.clone();
    layers.dials = arm.dials.0.clone();
    layers
}

fn texts(all: &[Spanned<String>]) -> Vec<String> {
    all.iter().map(|one| one.value.clone()).collect()
}

fn at<T>(problem: Problem, source: &Arc<Source>, written: &Spanned<T>) -> Problem {
    problem.at(source, written.span.clone())
}

/// Puts problems without a place where the names that they are about are written.
fn placed(mut found: Problems, source: &Arc<Source>, names: &[Spanned<String>]) -> Problems {
    for problem in found.0.iter_mut().filter(|problem| problem.place.is_none()) {
        let is_about = |name: &&Spanned<String>| {
            let is_subject = problem.subjects().any(|subject| subject == name.value);
            is_subject || problem.message.contains(&format!("`{name}`"))
        };
        if let Some(name) = names.iter().find(is_about) {
            *problem = at(std::mem::take(problem), source, name);
        }
    }
    found
}
