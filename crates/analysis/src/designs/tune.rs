//! Dials turned until targets are met: the fewest and smallest changes that do it.
//!
//! Every setting of the dials plays the same seeds. After each round of games, settings that surely miss a target are
//! dropped, and the worse half of the others, while those that are left play twice as many games (successive halving: K.
//! Jamieson and A. Talwalkar, AISTATS 2016). The few that remain play fresh seeds, which alone decide: the games by which
//! a setting was chosen flatter it.

use super::sweep::DialMoves;
use super::targets::{self, JudgedTarget, Target, Verdict};
use crate::experiment::Experiment;
use crate::experiment::change::{Change, judge, level, short, thousands};
use crate::experiment::measure::{Measure, TypeMeasure};
use crate::experiment::problems;
use crate::experiment::record::GameRecord;
use crate::experiment::results::{ResultsHeader, Writing};
use crate::experiment::tally::Tally;
use crate::files::refused;
use crate::lines::counted;
use crate::report::{Problem, Problems};
use crate::reports::{Cell, Column, Facts, Report, ReportTable};
use crate::row;
use crate::rules::declare::DialValue;
use crate::work::Work;
use std::cmp::Ordering;
use std::ops::Range;
use std::path::Path;

/// At most so many settings are played.
const MOST_SETTINGS: u128 = 500;
/// At most so many settings, besides the game as it is, play fresh seeds.
const FINALISTS: usize = 5;
/// A round of the search has so many games of each setting, or more.
const LEAST: u64 = 40;
/// A setting surely misses a target that is farther away than so many half-widths of the 95 % interval: among 500
/// settings and all rounds that is chance in one search of ten.
const SURELY: f64 = 2.0;
/// Differences of less than so much of a half-width do not rank settings.
const ALIKE: f64 = 0.25;
/// Number of settings that are shown with what else they change.
const SHOWN: usize = 3;
/// Name of the setting without any change.
pub const AS_IT_IS: &str = "as it is";

/// Setting of the dials: those that are turned, and how far.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Setting {
    /// Dials that are turned, with their values.
    pub dials: Vec<(String, DialValue)>,
    /// Total number of steps, each to the next allowed value of a dial.
    pub steps: usize,
}

impl Setting {
    /// Returns its name: `scouts.life=4, max_rounds=8`.
    pub fn name(&self) -> String {
        let dials = self.dials.iter().map(|(dial, value)| format!("{dial}={value}"));
        match self.dials.is_empty() {
            true => AS_IT_IS.to_owned(),
            false => dials.collect::<Vec<_>>().join(", "),
        }
    }
}

/// Returns the other values of a dial with the number of steps to each from its own value.
fn steps(moves: &DialMoves) -> Vec<(DialValue, usize)> {
    let mut all = moves.values.clone();
    if !all.contains(&moves.own) {
        all.push(moves.own.clone());
    }
    let number = |value: &DialValue| match value {
        DialValue::Number(number) => *number,
        DialValue::Word(_) => 0,
    };
    all.sort_by_key(number);
    let own = all.iter().position(|value| *value == moves.own).unwrap_or(0);
    let others = all.iter().enumerate().filter(|(at, _)| *at != own);
    others
        .map(|(at, value)| match value {
            DialValue::Number(_) => (value.clone(), at.abs_diff(own)),
            DialValue::Word(_) => (value.clone(), 1),
        })
        .collect()
}

/// Returns all settings with at most `most` dials turned. Fewer changes come before more, and smaller ones before larger
/// ones; the first setting has none.
///
/// # Errors
///
/// No dial, a dial twice, too many settings.
pub fn settings(moves: &[DialMoves], most: Option<usize>) -> Result<Vec<Setting>, Problem> {
    if moves.is_empty() {
        return Err(problems::no_dials_to_turn());
    }
    let twice = |(nth, one): &(usize, &DialMoves)| moves[..*nth].iter().any(|other| other.dial == one.dial);
    if let Some((_, one)) = moves.iter().enumerate().find(twice) {
        return Err(problems::dial_twice(&one.dial));
    }
    let most = most.unwrap_or(moves.len()).min(moves.len());
    let all: Vec<(&str, Vec<(DialValue, usize)>)> =
        moves.iter().map(|m| (m.dial.as_str(), steps(m))).collect();
    // By number of changes, the number of settings.
    let mut counts = vec![0u128; most + 1];
    counts[0] = 1;
    for (_, values) in &all {
        for changes in (1..=most).rev() {
            let more = counts[changes - 1].saturating_mul(values.len() as u128);
            counts[changes] = counts[changes].saturating_add(more);
        }
    }
    let count = counts.iter().fold(0u128, |sum, n| sum.saturating_add(*n));
    if count > MOST_SETTINGS {
        return Err(problems::too_many_settings(count, MOST_SETTINGS));
    }
    let mut settings = vec![Setting::default()];
    for (dial, values) in &all {
        for setting in settings.clone() {
            if setting.dials.len() == most {
                continue;
            }
            for (value, steps) in values {
                let mut turned = setting.clone();
                turned.dials.push(((*dial).to_owned(), value.clone()));
                turned.steps += steps;
                settings.push(turned);
            }
        }
    }
    settings.sort_by_key(|setting| (setting.dials.len(), setting.steps));
    Ok(settings)
}

/// Round of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// Numbers of the games that each setting plays.
    pub games: Range<u64>,
    /// Number of settings that remain after it, at most.
    pub keep: usize,
}

/// Returns the rounds of a search among so many settings, of which the last ones have played `games` games each. A seed is
/// `seats` games.
pub fn rounds(settings: usize, games: u64, seats: u64) -> Vec<Round> {
    let keep = |halvings: u32| settings.div_ceil(1 << halvings).max(FINALISTS);
    let halvings = (0..usize::BITS - 1).find(|n| keep(*n) <= FINALISTS).unwrap_or(0);
    let mut rounds: Vec<Round> = Vec::new();
    for nth in 0..halvings {
        let end = (games >> (halvings - 1 - nth)).max(LEAST.min(games));
        let end = end.div_ceil(seats) * seats;
        let begin = rounds.last().map_or(0, |round| round.games.end);
        match rounds.last_mut() {
            Some(last) if last.games.end == end => last.keep = keep(nth + 1),
            _ => rounds.push(Round {
                games: begin..end,
                keep: keep(nth + 1),
            }),
        }
    }
    rounds
}

/// Outcome of a search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    /// Settings that may meet all targets, in their order.
    pub alive: Vec<usize>,
    /// Number of settings that missed a target in the games that they played.
    pub missed: usize,
    /// Number of settings that were dropped because others came nearer, and that may meet the targets all the same.
    pub left_out: usize,
    /// Number of games that each of those alive has played.
    pub games: u64,
    /// Number of rounds played to their end.
    pub rounds: usize,
}

/// Searches among so many settings, of which the first one plays in every round. `play` plays a round with some settings
/// and returns how much evidence there is against each of them, in half-widths of an interval, or `None` if the user
/// stopped it.
///
/// # Errors
///
/// Those of `play`.
pub fn search(
    settings: usize,
    rounds: &[Round],
    mut play: impl FnMut(usize, &Round, &[usize]) -> Result<Option<Vec<f64>>, Problems>,
) -> Result<Found, Problems> {
    let mut found = Found {
        alive: (0..settings).collect(),
        ..Found::default()
    };
    for (nth, round) in rounds.iter().enumerate() {
        let others = found.alive.iter().filter(|setting| **setting != 0);
        if others.clone().count() <= FINALISTS {
            break;
        }
        let playing: Vec<usize> = std::iter::once(0).chain(others.copied()).collect();
        let Some(against) = play(nth, round, &playing)? else {
            return Ok(found);
        };
        (found.games, found.rounds) = (round.games.end, nth + 1);
        let was_alive = |(setting, _): &(usize, f64)| found.alive.contains(setting);
        let all: Vec<(usize, f64)> = playing.into_iter().zip(against).filter(was_alive).collect();
        let mut alive: Vec<(usize, f64)> = all.iter().copied().filter(|(_, e)| *e <= SURELY).collect();
        found.missed += all.len() - alive.len();
        // Settings are in order, and sorting keeps it among those that are alike.
        alive.sort_by_key(|(_, evidence)| (evidence / ALIKE).floor() as u64);
        for (_, evidence) in alive.drain(round.keep.min(alive.len())..) {
            match evidence > 1.0 {
                true => found.missed += 1,
                false => found.left_out += 1,
            }
        }
        found.alive = alive.into_iter().map(|(setting, _)| setting).collect();
        found.alive.sort_unstable();
        if found.alive.is_empty() {
            break;
        }
    }
    Ok(found)
}

/// Settings with what they play, and what their games measure so far.
struct Players<'a, 'w> {
    experiment: &'a Experiment<'w>,
    targets: &'a [Target],
    /// All games of each setting.
    tallies: Vec<Tally>,
    /// Games that were in the files, by setting.
    known: Vec<Vec<GameRecord>>,
    files: Vec<Writing>,
}

impl<'a, 'w> Players<'a, 'w> {
    /// Opens the files of all settings, if there is a folder for them.
    ///
    /// # Errors
    ///
    /// Files that cannot be written or belong to another search.
    fn new(
        experiment: &'a Experiment<'w>,
        work: &Work,
        settings: &[Setting],
        targets: &'a [Target],
        folder: Option<RecordFolder<'_>>,
    ) -> Result<Self, Problems> {
        let mut players = Self {
            experiment,
            targets,
            tallies: experiment.facts.iter().map(|facts| Tally::new([facts])).collect(),
            known: vec![Vec::new(); settings.len()],
            files: Vec::new(),
        };
        if let Some(RecordFolder { path: folder, resume }) = folder {
            std::fs::create_dir_all(folder).map_err(|e| refused(folder.display(), "written", &e))?;
            for (nth, setting) in settings.iter().enumerate() {
                let path = folder.join(format!("{}.jsonl", setting.name().replace(' ', "")));
                let head = ResultsHeader::new(experiment.arms[nth].clone(), None);
                let known = &mut players.known[nth];
                let file = Writing::open(work, &path, &head, resume, |record| known.push(record))?;
                players.files.push(file);
            }
        }
        Ok(players)
    }

    /// Plays these games of some settings, or takes them from the files, and counts them.
    ///
    /// # Errors
    ///
    /// A game that fails; a measure that there is not; a file that cannot be written.
    fn play(
        &mut self,
        what: &str,
        playing: &[usize],
        games: Range<u64>,
        mut also: impl FnMut(&[Vec<GameRecord>]),
    ) -> Result<(), Problems> {
        let Self {
            experiment,
            targets,
            tallies,
            known,
            files,
        } = self;
        let seats = experiment.arms[0].seats();
        let mut failed = Ok(());
        let mut take = |records: &[Vec<GameRecord>]| {
            for (setting, records) in playing.iter().zip(records) {
                tallies[*setting].add(std::slice::from_ref(records));
                let Some(file) = files.get_mut(*setting) else {
                    continue;
                };
                for record in records {
                    if record.game < file.next {
                        continue;
                    }
                    if let Err(problem) = file.add(record) {
                        failed = Err(problem.into());
                    }
                }
            }
            also(records);
            // A name that is wrong is told before many games are played.
            let tally = &tallies[playing[0]];
            if failed.is_ok() && tally.seeds == crate::experiment::SOON {
                failed = check(targets, tally);
            }
            failed.is_ok()
        };
        let mut from = games.start;
        let is_known = |from: u64| playing.iter().all(|s| known[*s].len() as u64 >= from + seats);
        while from < games.end && is_known(from) {
            let range = from as usize..(from + seats) as usize;
            let records = playing.iter().map(|s| known[*s][range.clone()].to_vec());
            take(&records.collect::<Vec<_>>());
            from += seats;
        }
        experiment
            .only(playing)
            .seeds_of(what, from..games.end, &mut take)?;
        failed
    }

    /// Evidence against a setting: that of the target that it misses most surely. What is measured in too few games is no
    /// evidence.
    fn evidence(&self, setting: usize) -> f64 {
        let all = self.judged(setting).flatten();
        all.map(|(judged, target)| target.evidence_against(&judged.measure, &judged.level))
            .fold(0.0, f64::max)
    }

    /// Verdicts on a setting's targets by all of its games; none where a measure is in too few of them.
    fn judged(&self, setting: usize) -> impl Iterator<Item = Option<(JudgedTarget, &Target)>> {
        let judge = move |target: &'a Target| Some((target.judge(&self.tallies[setting], 0).ok()?, target));
        self.targets.iter().map(judge)
    }

    /// Returns all settings but the first one, those that came nearest to the targets so far before the others.
    fn nearest(&self) -> Vec<usize> {
        let of = |setting: usize| {
            let all = self.judged(setting);
            let all: Option<Vec<f64>> = all
                .map(|judged| judged.map(|(judged, target)| distance(&judged, target)))
                .collect();
            Some((setting, all?.into_iter().fold(0.0, f64::max)))
        };
        let mut all: Vec<(usize, f64)> = (1..self.tallies.len()).filter_map(of).collect();
        all.sort_by(|a, b| a.1.total_cmp(&b.1));
        all.into_iter().map(|(setting, _)| setting).collect()
    }

    /// Plays fresh seeds with the settings that are left after a search of `searched` games each.
    ///
    /// # Errors
    ///
    /// As [`Self::play`].
    fn play_last(&mut self, last: &[usize], searched: u64, games: u64) -> Result<Tally, Problems> {
        // A setting that was dropped earlier, and is among the nearest all the same, has played fewer games.
        for setting in last {
            let played = self.tallies[*setting].arms[0].games;
            let what = "games of settings that were dropped";
            self.play(what, &[*setting], played..searched, |_| ())?;
        }
        let mut tally = Tally::new(last.iter().map(|s| &self.experiment.facts[*s]));
        let seats = tally.seats();
        let fresh = searched..searched + games.div_ceil(seats) * seats;
        let what = format!("games with fresh seeds and {}", counted(last.len(), "setting"));
        self.play(&what, last, fresh, |records| tally.add(records))?;
        if !self.experiment.is_stopped() {
            check(self.targets, &tally)?;
        }
        Ok(tally)
    }
}

/// Checks that all targets can be measured.
///
/// # Errors
///
/// A measure that there is not, or in another unit.
fn check(targets: &[Target], tally: &Tally) -> Result<(), Problems> {
    let wrong = targets
        .iter()
        .filter_map(|target| target.find(tally.measures()).err());
    Problems::check(wrong.collect())
}

/// Setting that was played to the end, with the verdict on each target.
#[derive(Debug, Clone)]
struct Finalist {
    setting: Setting,
    /// Number of its arm in the tally of the last games.
    arm: usize,
    judged: Vec<JudgedTarget>,
}

impl Finalist {
    /// Verdict on all targets together.
    fn verdict(&self) -> Verdict {
        self.judged
            .iter()
            .map(|j| j.verdict)
            .max()
            .unwrap_or(Verdict::Met)
    }

    /// Returns how far it is from meeting all targets, in differences worth seeing.
    fn distance(&self, targets: &[Target]) -> f64 {
        let all = self.judged.iter().zip(targets);
        all.map(|(judged, target)| distance(judged, target))
            .fold(0.0, f64::max)
    }
}

/// Returns how far a level is from its target, in differences worth seeing.
fn distance(judged: &JudgedTarget, target: &Target) -> f64 {
    let value = judged.level.value;
    target.miss(&judged.measure, value) / judged.measure.worth_seeing(value)
}

/// Results of a search for settings that meet targets.
pub struct Tuning {
    targets: Vec<Target>,
    found: Found,
    /// Number of settings.
    settings: usize,
    /// Round in which the search was stopped, and the number of rounds.
    stopped_in: Option<(usize, usize)>,
    /// Number of games of each finalist that decide.
    games: u64,
    /// The best first.
    finalists: Vec<Finalist>,
    tally: Tally,
    stopped: bool,
}

/// Folder of results files, one for each setting, and whether it is gone on with.
#[derive(Debug, Clone, Copy)]
pub struct RecordFolder<'a> {
    /// The folder.
    pub path: &'a Path,
    /// Whether files that are there are continued.
    pub resume: bool,
}

/// Checks that there is something to meet.
///
/// # Errors
///
/// No target.
pub fn check_targets(targets: &[Target]) -> Result<(), Problem> {
    match targets.is_empty() {
        true => Err(problems::nothing_to_meet()),
        false => Ok(()),
    }
}

/// Returns the number of games that an arm of a search has at most, if the last settings play `games` games, and as many
/// with fresh seeds.
pub fn most_games(games: u64) -> u64 {
    games.saturating_mul(2)
}

/// Plays settings, one in each arm of an experiment, and finds those that meet the targets. The arms have
/// [`most_games`] of `games`.
///
/// # Errors
///
/// No target; measures that there are not; a game that fails; files that cannot be written or belong to another search.
pub fn tune(
    experiment: &Experiment<'_>,
    work: &Work,
    settings: &[Setting],
    targets: &[Target],
    games: u64,
    folder: Option<RecordFolder<'_>>,
) -> Result<Tuning, Problems> {
    check_targets(targets)?;
    let mut players = Players::new(experiment, work, settings, targets, folder)?;
    let plan = rounds(settings.len(), games, experiment.arms[0].seats());
    let found = search(settings.len(), &plan, |nth, round, playing| {
        let settings = counted(playing.len(), "setting");
        let what = format!("games of round {} of {} with {settings}", nth + 1, plan.len());
        players.play(&what, playing, round.games.clone(), |_| ())?;
        match experiment.is_stopped() {
            true => Ok(None),
            false => Ok(Some(playing.iter().map(|s| players.evidence(*s)).collect())),
        }
    })?;
    let is_search_over = !experiment.is_stopped();
    let mut last: Vec<usize> = found.alive.iter().copied().filter(|s| *s != 0).collect();
    if !is_search_over {
        last.clear();
    }
    // Others surely miss, and show how far away they are.
    let mut nearest = players.nearest();
    nearest.retain(|setting| !last.contains(setting));
    nearest.truncate(SHOWN.saturating_sub(last.len()));
    last.extend(nearest);
    last.push(0);
    last.sort_unstable();
    let tally = match is_search_over {
        true => players.play_last(&last, found.games, games)?,
        false => Tally::new(last.iter().map(|s| &experiment.facts[*s])),
    };
    let is_told = tally.seeds > 1.0;
    let mut finalists = Vec::new();
    for (arm, setting) in last.iter().enumerate() {
        let (tally, arm_there) = match is_told {
            true => (&tally, arm),
            false => (&players.tallies[*setting], 0),
        };
        let judged: Result<Vec<_>, _> = targets.iter().map(|t| t.judge(tally, arm_there)).collect();
        match judged {
            Ok(judged) => finalists.push(Finalist {
                setting: settings[*setting].clone(),
                arm,
                judged,
            }),
            // Few games may not say anything yet.
            Err(_) if experiment.is_stopped() => {}
            Err(problem) => return Err(problem.into()),
        }
    }
    players.files.into_iter().try_for_each(Writing::finish)?;
    finalists.sort_by(|a, b| match (a.verdict(), b.verdict()) {
        (Verdict::Missed, Verdict::Missed) => a.distance(targets).total_cmp(&b.distance(targets)),
        (a, b) => a.cmp(&b),
    });
    Ok(Tuning {
        targets: targets.to_vec(),
        stopped_in: (!is_search_over).then(|| (found.rounds + 1, plan.len())),
        found,
        settings: settings.len(),
        games: if is_told { tally.arms[0].games } else { 0 },
        finalists,
        tally,
        stopped: experiment.is_stopped(),
    })
}

impl Tuning {
    /// Whether a setting surely meets all targets.
    pub fn is_met(&self) -> bool {
        self.best().is_some_and(|best| best.verdict() == Verdict::Met)
    }

    fn best(&self) -> Option<&Finalist> {
        self.finalists.first().filter(|_| self.games > 0)
    }

    /// Returns the best settings. One that only adds changes to another one that meets all targets is none of them.
    fn shown(&self) -> Vec<&Finalist> {
        let adds = |more: &Setting, less: &Setting| {
            more.dials.len() > less.dials.len() && less.dials.iter().all(|dial| more.dials.contains(dial))
        };
        let met = || self.finalists.iter().filter(|f| f.verdict() == Verdict::Met);
        let all = self.finalists.iter();
        let all = all.filter(|finalist| met().all(|other| !adds(&finalist.setting, &other.setting)));
        all.take(SHOWN).collect()
    }

    /// Number of games that could decide whether a setting that may meet all targets does.
    fn more_games(finalist: &Finalist) -> Option<f64> {
        let open = finalist.judged.iter().filter(|j| j.verdict == Verdict::Open);
        let all: Option<Vec<f64>> = open.map(|judged| judged.more_games).collect();
        all?.into_iter().reduce(f64::max)
    }

    /// Describes the result in a few sentences.
    fn conclusion(&self) -> Vec<String> {
        let both = match self.targets.len() {
            1 => "the target",
            2 => "both targets",
            _ => "all targets",
        };
        let mut lines = Vec::new();
        let Some(best) = self.best() else {
            lines.push(match self.stopped_in {
                Some((round, of)) => {
                    format!("stopped in round {round} of {of} of the search: nothing is decided yet")
                }
                None => "stopped before the games with fresh seeds: nothing is decided yet".to_owned(),
            });
            return lines;
        };
        let name = best.setting.name();
        match best.verdict() {
            Verdict::Met if best.setting.dials.is_empty() => {
                lines.push(format!("the game meets {both} as it is: nothing needs to change"));
            }
            Verdict::Met => lines.push(format!("{name} meets {both}")),
            Verdict::Open => {
                let games = match Self::more_games(best) {
                    Some(more) => format!("about {} more games could say", thousands(more)),
                    None => "it lies at the limit, so more games may not decide".to_owned(),
                };
                lines.push(format!("cannot tell yet: {name} may meet {both}; {games}"));
            }
            Verdict::Missed => {
                let none = match self.found.left_out {
                    0 => format!("no setting in this range meets {both}"),
                    _ => format!("none of the settings that came nearest meets {both}"),
                };
                let misses: Vec<String> = best
                    .judged
                    .iter()
                    .zip(&self.targets)
                    .filter(|(judged, _)| judged.verdict == Verdict::Missed)
                    .map(|(judged, target)| misses(judged, target))
                    .collect();
                let nearest = match best.setting.dials.is_empty() {
                    true => "the game as it is comes nearest".to_owned(),
                    false => format!("the nearest is {name}"),
                };
                lines.push(format!("{none}; {nearest}: it misses {}", misses.join(", and ")));
            }
        }
        let is_simpler = |finalist: &&Finalist| {
            finalist.verdict() == Verdict::Open && rank(&finalist.setting, &best.setting) == Ordering::Less
        };
        if best.verdict() == Verdict::Met {
            lines.extend(self.finalists.iter().filter(is_simpler).map(|simpler| {
                let more = Self::more_games(simpler);
                let more = more.map_or_else(String::new, |more| {
                    format!("; about {} more games could say", thousands(more))
                });
                format!(
                    "{} is a smaller change, and may meet {both} too{more}",
                    simpler.setting.name()
                )
            }));
        }
        lines
    }

    /// Notes on what limits the result.
    fn notes(&self) -> Vec<String> {
        let Found { missed, left_out, .. } = self.found;
        let mut notes = Vec::new();
        if missed > 0 {
            notes.push(format!(
                "{} missed a target in the search",
                counted(missed, "setting")
            ));
        }
        if left_out > 0 {
            notes.push(format!(
                "{} may meet the targets too, and did not come as near",
                counted(left_out, "more setting")
            ));
        }
        if self.stopped {
            notes.push("stopped: `--out DIR` keeps the games, and `--resume` goes on with them".to_owned());
        } else {
            notes.push("the games of the table have other seeds than those of the search".to_owned());
            notes.push("a change in brackets is sure among all changes that are shown (Holm)".to_owned());
        }
        notes.extend(self.tally.arms.first().and_then(|arm| arm.distinct.warning()));
        notes
    }

    /// Measures besides the targets that are shown, and their changes in the best settings, by setting.
    fn changes(&self) -> Vec<(&Finalist, Vec<Change>)> {
        let shown = self.shown().into_iter().filter(|f| !f.setting.dials.is_empty());
        let is_target = |measure: &Measure| {
            let judged = self.finalists.iter().flat_map(|finalist| &finalist.judged);
            judged.into_iter().any(|judged| judged.measure == *measure)
        };
        let is_shown = |measure: &&Measure| match measure {
            Measure::Unit(_, of) => *of == TypeMeasure::WinShare && !is_target(measure),
            measure => measure.is_shown() && !is_target(measure),
        };
        let measures: Vec<&Measure> = self.tally.measures().filter(is_shown).collect();
        let mut all: Vec<(&Finalist, Vec<Change>)> = shown
            .map(|finalist| {
                let change = |measure: &&Measure| {
                    let found = self.tally.difference(measure, 0, finalist.arm)?;
                    Some(Change::new(measure, found, self.tally.seeds, None))
                };
                (finalist, measures.iter().filter_map(change).collect())
            })
            .collect();
        judge(
            all.iter_mut().flat_map(|(_, changes)| changes.iter_mut()),
            self.tally.seats(),
        );
        all
    }

    /// Returns the report: the conclusion, the best settings with their targets, and what else they change.
    pub fn report(&self) -> Report {
        let conclusion = self.conclusion();
        let mut report = Report::lines(conclusion.iter().map(String::as_str));
        let mut head = vec![Column::from("setting")];
        head.extend(
            self.targets
                .iter()
                .map(|target| target.text.value.as_str().into()),
        );
        let mut rows = ReportTable::headed(head);
        let mut best = Vec::new();
        let shown = self.shown();
        let base = self.finalists.iter().find(|f| f.setting.dials.is_empty());
        let base = base.filter(|base| shown.iter().all(|f| f.arm != base.arm));
        for finalist in shown.into_iter().chain(base) {
            let mut row = vec![Cell::from(finalist.setting.name())];
            let columns = ["target", "mean", "interval", "verdict"];
            let mut table = ReportTable::headed(columns.map(Column::data));
            for (judged, target) in finalist.judged.iter().zip(&self.targets) {
                row.push(told(judged).into());
                table.push(row![
                    target.text.value.as_str(),
                    judged.level.value,
                    judged.level.interval,
                    judged.verdict.name()
                ]);
            }
            rows.push(row);
            let dials = finalist.setting.dials.iter();
            let dials: Facts = dials
                .map(|(dial, value)| (dial.as_str(), Cell::data(value)))
                .collect();
            best.push(Cell::Facts(crate::facts! {
                setting: finalist.setting.name(),
                dials: Cell::Facts(dials),
                steps: finalist.setting.steps,
                verdict: finalist.verdict().name(),
                more_games: Self::more_games(finalist).map(|more| more as u64),
                targets: table,
            }));
        }
        if !rows.is_empty() {
            report.put(rows);
        }
        let changes = self.changes();
        report.extend(self.changes_table(&changes));
        let mut head = Change::columns(["", "", ""]);
        head.insert(0, ("setting", "").into());
        let mut data = ReportTable::headed(head);
        for (finalist, changes) in &changes {
            for change in changes {
                data.push([vec![finalist.setting.name().into()], change.cells()].concat());
            }
        }
        let notes = self.notes();
        report.put(notes.join("\n"));
        let Found { missed, left_out, .. } = self.found;
        report
            .with("conclusion", Cell::list(conclusion))
            .with("verdict", self.best().map(|best| best.verdict().name()))
            .with("settings", self.settings)
            .with("search_games", self.found.games)
            .with("games", self.games)
            .with("missed", missed)
            .with("left_out", left_out)
            .with("best", Cell::List(best))
            .with("changes", data)
            .with("notes", Cell::list(notes))
    }

    /// The table of what else the best settings change, for people.
    fn changes_table(&self, all: &[(&Finalist, Vec<Change>)]) -> Option<ReportTable> {
        let mut head = vec![Column::from("what else changes"), AS_IT_IS.into()];
        head.extend(all.iter().map(|(finalist, _)| finalist.setting.name().into()));
        let mut rows = ReportTable::headed(head);
        let (_, first) = all.first()?;
        for (nth, change) in first.iter().enumerate() {
            let row: Vec<&Change> = all.iter().filter_map(|(_, changes)| changes.get(nth)).collect();
            let is_usual = !matches!(
                change.measure,
                Measure::Unit(..) | Measure::CutOff | Measure::Decisions
            );
            if !is_usual && row.iter().all(|change| !change.changed) {
                continue;
            }
            let is_share = change.measure.is_share();
            let mut cells = vec![
                Cell::from(change.measure.name()),
                level(is_share, change.found.base),
            ];
            cells.extend(row.iter().map(|change| {
                let by = change.found.change.value * if is_share { 100.0 } else { 1.0 };
                let sign = if by > 0.0 { "+" } else { "" };
                let text = level(is_share, change.found.with).text().into_owned();
                Cell::from(match change.changed {
                    true => format!("{text} ({sign}{})", short(by)),
                    false => text,
                })
            }));
            rows.push(cells);
        }
        (!rows.is_empty()).then_some(rows)
    }
}

/// Fewer changes before more, smaller ones before larger ones.
fn rank(a: &Setting, b: &Setting) -> Ordering {
    (a.dials.len(), a.steps).cmp(&(b.dials.len(), b.steps))
}

/// A level with its interval and the verdict, in a few words.
fn told(judged: &JudgedTarget) -> String {
    let JudgedTarget {
        measure,
        level,
        verdict,
        ..
    } = judged;
    let number = |n: f64| targets::number(measure, n);
    let verdict = match verdict {
        Verdict::Met => "met",
        Verdict::Open => "cannot tell yet",
        Verdict::Missed => "missed",
    };
    format!(
        "{verdict}: {} ({} to {})",
        number(level.value),
        number(level.interval.low),
        number(level.interval.high)
    )
}

/// By how much a target is missed.
fn misses(judged: &JudgedTarget, target: &Target) -> String {
    let ends =
        [judged.level.interval.low, judged.level.interval.high].map(|end| target.miss(&judged.measure, end));
    let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let (scale, points) = if judged.measure.is_share() {
        (100.0, " points")
    } else {
        (1.0, "")
    };
    format!(
        "`{}` by {} to {}{points}",
        target.text,
        short(low * scale),
        short(high * scale)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(dial: &str, own: i64, values: &[i64]) -> DialMoves {
        DialMoves {
            dial: dial.to_owned(),
            own: DialValue::Number(own),
            values: values.iter().map(|n| DialValue::Number(*n)).collect(),
        }
    }

    fn names(settings: &[Setting]) -> Vec<String> {
        settings.iter().map(Setting::name).collect()
    }

    #[test]
    fn fewer_and_smaller_changes_come_first() {
        let both = [moves("life", 5, &[3, 4, 5]), moves("cost", 10, &[20, 12])];
        let all = settings(&both, None).expect("there are few");
        assert_eq!(
            names(&all),
            [
                "as it is",
                "life=4",
                "cost=12",
                "life=3",
                "cost=20",
                "life=4, cost=12",
                "life=3, cost=12",
                "life=4, cost=20",
                "life=3, cost=20",
            ]
        );
        let single = settings(&both, Some(1)).expect("there are few");
        assert_eq!(single, all[..5]);
    }

    #[test]
    fn large_ranges_are_counted_and_refused() {
        let values: Vec<i64> = (0..=9).collect();
        let six: Vec<DialMoves> = ["a", "b", "c", "d", "e", "f"]
            .map(|dial| moves(dial, 0, &values))
            .into();
        let refused = |most| settings(&six, most).expect_err("there are many").message;
        assert_eq!(refused(None), "the dials have 1000000 settings together");
        // 1 + 6 * 9 + 15 * 81.
        assert_eq!(refused(Some(2)), "the dials have 1270 settings together");
        assert_eq!(settings(&six, Some(1)).map(|all| all.len()), Ok(55));
        assert!(settings(&[six[0].clone(), six[0].clone()], None).is_err());
        assert!(settings(&[], None).is_err());
    }

    #[test]
    fn rounds_halve_the_settings_and_double_the_games() {
        let plan = |settings, games, seats| {
            let rounds = rounds(settings, games, seats).into_iter();
            rounds.map(|round| (round.games, round.keep)).collect::<Vec<_>>()
        };
        assert_eq!(
            plan(64, 400, 2),
            [(0..50, 32), (50..100, 16), (100..200, 8), (200..400, 5)]
        );
        // No round has fewer than 40 games, or fewer than all.
        assert_eq!(plan(64, 100, 1), [(0..40, 16), (40..50, 8), (50..100, 5)]);
        assert_eq!(plan(64, 10, 1), [(0..10, 5)]);
        assert_eq!(plan(5, 400, 2), []);
        // Whole seeds.
        assert_eq!(plan(9, 101, 2), [(0..102, 5)]);
    }

    #[test]
    fn a_search_drops_those_that_surely_miss_and_then_the_worse_half() {
        let plan = rounds(24, 400, 1);
        let mut played = Vec::new();
        let found = search(24, &plan, |_, round, playing| {
            played.push((round.games.end, playing.len()));
            // The game as it is misses, those up to 10 surely miss, and the others miss more, the farther they are from 20.
            let evidence = |setting: &usize| match setting {
                0..=10 => 3.0,
                setting => setting.abs_diff(20) as f64 / 5.0,
            };
            Ok(Some(playing.iter().map(evidence).collect()))
        });
        let found = found.expect("nothing fails");
        assert_eq!(played, [(100, 24), (200, 13), (400, 7)]);
        assert_eq!(found.alive, [18, 19, 20, 21, 22]);
        assert_eq!((found.missed, found.left_out, found.rounds), (15, 4, 3));
    }

    #[test]
    fn a_search_that_is_stopped_keeps_what_it_knew() {
        let found = search(24, &rounds(24, 400, 1), |nth, _, playing| {
            Ok((nth == 0).then(|| vec![0.0; playing.len()]))
        });
        let found = found.expect("nothing fails");
        assert_eq!((found.rounds, found.alive.len(), found.games), (1, 12, 100));
    }
}
