//! The same seeds under several settings: each seed is a pairing, played in every seat under each of them.

use super::measure::{self, MeasureCounts};
use super::problems::failed_set_up;
use super::record::{GameEnd, GameRecord};
use super::setting::{GameRunner, Setting};
use crate::parallel;
use crate::report::Problems;
use crate::rules::workspace::Workspace;

/// Result of one seed.
pub struct Pairing {
    /// The games by setting, each in every seat.
    pub games: Vec<Vec<GameRecord>>,
    /// Counts over the games, by setting.
    pub counts: Vec<MeasureCounts>,
}

/// Options for playing pairings.
#[derive(Debug, Clone, Default)]
pub struct PairingOptions {
    /// On so many threads; one a core without.
    pub threads: Option<usize>,
    /// It is looked on the way at what positions are worth and who stands where.
    pub watch: bool,
    /// Description of the games being played, in words.
    pub what: String,
}

/// Returns the number of pairings in a study of these games; the last pairing is complete as well.
pub fn pairs_of(setting: &Setting) -> u64 {
    setting.games.div_ceil(setting.seats())
}

/// Plays all pairings of settings that differ in their rules or armies, and gives them away in order, until
/// nothing more is taken.
///
/// # Errors
///
/// Rules that cannot be loaded, or that fail in a game.
pub fn play(
    workspace: &Workspace,
    settings: &[Setting],
    how: &PairingOptions,
    mut take: impl FnMut(&Pairing) -> bool,
    so_far: impl Fn() -> String,
) -> Result<(), Problems> {
    let Some(base) = settings.first() else {
        return Ok(());
    };
    let pairs = pairs_of(base);
    let progress = workspace.work().begin(&how.what, usize::try_from(pairs).ok());
    let mut failed = None;
    parallel::stream(
        workspace.work(),
        0..pairs as usize,
        how.threads,
        || {
            let desks: Result<Vec<GameRunner>, Problems> = settings
                .iter()
                .map(|setting| GameRunner::lay(workspace, setting))
                .collect();
            // Problems belong to a thread; the words for them do not.
            let first = |problems: Problems| {
                problems
                    .0
                    .into_iter()
                    .next()
                    .map_or_else(String::new, |p| p.message)
            };
            let mut desks = desks.map_err(first);
            move |pair| match &mut desks {
                Ok(desks) => pairing(desks, base, pair as u64, how.watch),
                Err(why) => Err(PairingFailure::Laying(why.clone())),
            }
        },
        |made| {
            let go_on = match made {
                Ok(pairing) => take(&pairing),
                Err(why) => {
                    failed = Some(why);
                    false
                }
            };
            progress.step_with(&so_far);
            go_on
        },
    );
    // What is wrong belongs to its thread; here it goes wrong again.
    match failed {
        None => Ok(()),
        Some(PairingFailure::Laying(why)) => {
            for setting in settings {
                GameRunner::lay(workspace, setting)?;
            }
            // Whatever was wrong with the files is so no longer.
            Err(failed_set_up(why).into())
        }
        Some(PairingFailure::Game(setting, game, reason)) => {
            let mut runner = GameRunner::lay(workspace, &settings[setting])?;
            runner.watch = how.watch;
            runner.play(game);
            // Where the clock decides what is answered it need not.
            Err(settings[setting].failed(game, &mut runner, reason))
        }
    }
}

/// Failure in a thread.
enum PairingFailure {
    /// The rules could not be loaded, or the table not be laid: why.
    Laying(String),
    /// Under the setting of this index the game of that number, and why.
    Game(usize, u64, String),
}

fn pairing(
    desks: &mut [GameRunner],
    base: &Setting,
    pair: u64,
    watch: bool,
) -> Result<Pairing, PairingFailure> {
    let seats = base.seats();
    let mut games = Vec::with_capacity(desks.len());
    for (setting, runner) in desks.iter_mut().enumerate() {
        runner.watch = watch;
        let played: Vec<GameRecord> = (0..seats).map(|seat| runner.play(pair * seats + seat)).collect();
        if let Some(failed) = played.iter().find(|r| r.end == GameEnd::Failed) {
            return Err(PairingFailure::Game(setting, failed.game, failed.reason.clone()));
        }
        games.push(played);
    }
    let count = |(runner, games): (&GameRunner, &Vec<GameRecord>)| {
        let (mut counts, round) = (MeasureCounts::new(), runner.round());
        let factions = runner.ruleset().rules.factions.len();
        for record in games {
            measure::count(&mut counts, record, factions, round.as_deref());
        }
        counts
    };
    let counts = desks.iter().zip(&games).map(count).collect();
    Ok(Pairing { games, counts })
}
