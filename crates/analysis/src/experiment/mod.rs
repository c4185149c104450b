//! Experiments: arms (rules, armies, agents) that agents play over seeds, and what is measured of the games.
//!
//! A game is defined by its arm and its number: the number gives the seed, the armies and the seats. So an experiment
//! is the same games with any number of threads, in one run or in several, and all arms have the same seeds. The designs
//! in [`crate::designs`] choose arms and measures and lay out a report.

pub mod arm;
pub mod change;
pub mod heading;
pub mod measure;
pub mod problems;
pub mod record;
pub mod results;
pub mod tally;

use crate::kernel::table::Keeps;
use crate::parallel;
use crate::report::Problems;
use crate::rules::ruleset::Ruleset;
use crate::rules::workspace::Workspace;
use crate::scenario::file::ScenarioFile;
use crate::stage::run::Overrides;
use crate::work::Work;
use arm::{Arm, ArmOptions, GameRunner, Look};
use heading::Heading;
use measure::GameFacts;
use record::{GameEnd, GameRecord};
use std::ops::Range;
use std::sync::Arc;
use tally::Tally;

/// Number of seeds after which it is known which measures there are.
pub(crate) const SOON: f64 = 20.0;

/// Arms that are ready to be played with the same seeds.
pub struct Experiment<'w> {
    /// The arms.
    pub arms: Vec<Arm>,
    /// Properties of the arms' games.
    pub facts: Vec<GameFacts>,
    /// Rules and start of each arm.
    pub starts: Vec<(Arc<Ruleset>, ScenarioFile)>,
    /// Further values that are read while games are played.
    pub look: Look,
    threads: Option<usize>,
    work: &'w Work,
}

/// A game that was played.
pub struct Played {
    /// The number of its arm.
    pub arm: usize,
    /// Its record.
    pub record: GameRecord,
    /// Why it failed.
    pub problems: Option<Problems>,
}

impl<'w> Experiment<'w> {
    /// Loads the rules of the arms and lays their tables. Seats are swapped if they are swapped in all arms. The games
    /// are played on so many threads, or on one per core.
    ///
    /// # Errors
    ///
    /// Rules that cannot be loaded; a start that cannot be laid.
    pub fn new(
        workspace: &'w Workspace,
        mut arms: Vec<Arm>,
        threads: Option<usize>,
    ) -> Result<Self, Problems> {
        let swap = arms.iter().all(|arm| arm.swap);
        arms.iter_mut().for_each(|arm| arm.swap = swap);
        let (mut facts, mut starts) = (Vec::new(), Vec::new());
        for arm in &arms {
            let runner = GameRunner::lay(workspace, arm)?;
            facts.push(runner.facts());
            starts.push((Arc::clone(runner.ruleset()), runner.file));
        }
        Ok(Self {
            arms,
            facts,
            starts,
            look: Look::Nothing,
            threads,
            work: workspace.work(),
        })
    }

    /// The experiment with an arm for each of these changes of a start; see [`Self::new`].
    ///
    /// # Errors
    ///
    /// An arm that cannot be played.
    pub fn of_changes(
        workspace: &'w Workspace,
        start: &ScenarioFile,
        changes: &[Overrides],
        options: &ArmOptions,
        threads: Option<usize>,
    ) -> Result<Self, Problems> {
        let arms = changes
            .iter()
            .map(|change| Arm::new(workspace, start, change, options));
        Self::new(workspace, arms.collect::<Result<_, _>>()?, threads)
    }

    /// Returns the experiment with some of its arms, by their numbers. Nothing is loaded again.
    #[must_use]
    pub fn only(&self, arms: &[usize]) -> Self {
        Self {
            arms: arms.iter().map(|arm| self.arms[*arm].clone()).collect(),
            facts: arms.iter().map(|arm| self.facts[*arm].clone()).collect(),
            starts: arms.iter().map(|arm| self.starts[*arm].clone()).collect(),
            look: self.look,
            threads: self.threads,
            work: self.work,
        }
    }

    /// Whether the user stopped it.
    pub fn is_stopped(&self) -> bool {
        self.work.is_stopped()
    }

    /// Returns the heading of a report about it: what all arms have in common.
    pub fn heading(&self) -> Option<Heading> {
        let all = self.arms.iter().map(Arm::heading);
        all.reduce(|shared, other| shared.shared(&other))
    }

    /// Returns a runner of an arm's games.
    ///
    /// # Errors
    ///
    /// A start that cannot be laid.
    pub fn runner(&self, arm: usize) -> Result<GameRunner, Problems> {
        let (ruleset, file) = &self.starts[arm];
        let mut runner = GameRunner::again(ruleset, file, &self.arms[arm])?;
        (runner.look, runner.keeps) = (self.look, Keeps::NOTHING);
        Ok(runner)
    }

    /// Plays games of each arm and gives them away by seed, then by arm, then by number, until nothing more is taken or
    /// the user stops it. `games` are the numbers of the games of each arm; with several arms, whole seeds.
    pub fn play(
        &self,
        what: &str,
        games: Range<u64>,
        so_far: impl Fn() -> String,
        mut take: impl FnMut(Played) -> bool,
    ) -> Result<(), Problems> {
        let arms = self.arms.len();
        let seats = self.arms.first().map_or(1, |arm| arm.seats() as usize);
        let piece = |game: u64| (game as usize).saturating_mul(arms);
        let pieces = piece(games.start)..piece(games.end);
        let progress = self.work.begin(what, Some(pieces.len()));
        let mut failed = None;
        let play = |runners: &mut [Option<GameRunner>], piece: usize| {
            // With one arm a piece is the number of the game.
            let (arm, nth) = match arms {
                1 => (0, piece),
                _ => (piece / seats % arms, piece / seats / arms * seats + piece % seats),
            };
            let runner = match &mut runners[arm] {
                Some(runner) => runner,
                none => none.insert(self.runner(arm)?),
            };
            let record = runner.play(nth as u64);
            let problems = (record.end == GameEnd::Failed).then(|| runner.problems_of(&record));
            Ok(Played {
                arm,
                record,
                problems,
            })
        };
        parallel::stream(
            self.work,
            pieces,
            self.threads,
            || {
                let mut runners: Vec<Option<GameRunner>> = (0..arms).map(|_| None).collect();
                move |piece| play(&mut runners, piece)
            },
            |played: Result<Played, Problems>| match played {
                Ok(played) => {
                    let goes_on = take(played);
                    progress.step_with(&so_far);
                    goes_on
                }
                Err(problems) => {
                    failed = Some(problems);
                    false
                }
            },
        );
        failed.map_or(Ok(()), Err)
    }

    /// Plays all seeds; see [`Self::seeds_of`].
    ///
    /// # Errors
    ///
    /// A game that fails.
    pub fn seeds(&self, what: &str, take: impl FnMut(&[Vec<GameRecord>]) -> bool) -> Result<(), Problems> {
        let Some(first) = self.arms.first() else {
            return Ok(());
        };
        let games = 0..first.seeds().saturating_mul(first.seats());
        self.seeds_of(what, games, take)
    }

    /// Plays the seeds of these games of each arm and gives the games of each seed away, by arm, until nothing more is
    /// taken or the user stops it.
    ///
    /// # Errors
    ///
    /// A game that fails.
    pub fn seeds_of(
        &self,
        what: &str,
        games: Range<u64>,
        mut take: impl FnMut(&[Vec<GameRecord>]) -> bool,
    ) -> Result<(), Problems> {
        let seats = self.arms.first().map_or(1, Arm::seats);
        let mut failed = None;
        let mut seed: Vec<Vec<GameRecord>> = Vec::new();
        let played = self.play(what, games, String::new, |played| {
            if played.problems.is_some() {
                failed = played.problems;
                return false;
            }
            if seed.len() == played.arm {
                seed.push(Vec::with_capacity(seats as usize));
            }
            seed[played.arm].push(played.record);
            let is_whole = seed.len() == self.arms.len() && seed[played.arm].len() == seats as usize;
            !is_whole || take(&std::mem::take(&mut seed))
        });
        failed.map_or(played, Err)
    }

    /// Plays all seeds and adds up what is measured, until `go_on` says no or the user stops it.
    ///
    /// # Errors
    ///
    /// A game that fails; the name of a measure that there is not, as soon as that is known.
    pub fn measure(
        &self,
        what: &str,
        measures: &[String],
        mut go_on: impl FnMut(&Tally, &[Vec<GameRecord>]) -> bool,
    ) -> Result<Tally, Problems> {
        let mut tally = Tally::new(&self.facts);
        let mut known = Ok(Vec::new());
        self.seeds(what, |games| {
            tally.add(games);
            if tally.seeds == SOON {
                known = tally.wanted(measures);
            }
            known.is_ok() && go_on(&tally, games)
        })?;
        known?;
        tally.wanted(measures)?;
        Ok(tally)
    }
}
