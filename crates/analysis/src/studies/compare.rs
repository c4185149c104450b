//! A game without and with a tweak: what differs, by how much, how surely, and in words.

use super::measure::{Measure, Sums, TypeMeasure};
use super::pairings::{self, PairingOptions, pairs_of};
use super::record::{DistinctGames, GameRecord};
use super::setting::{GameRunner, Setting};
use crate::lines::listed;
use crate::report::{Problem, Problems};
use crate::reports::{Report, ReportTable};
use crate::rules::workspace::Workspace;
use crate::stats::{self, Interval, MeanDifference, Paired, SURE};
use serde::Serialize;
use std::collections::BTreeMap;

/// Maximum number of measures listed as the same in every game.
pub const NAMED: usize = 6;

/// Note for a unit type found in few games.
pub const TOO_FEW: &str = "fielded in too few games to say anything of it";

/// A sequential test looks so often.
const LOOKS_EVERY: u64 = 50;
/// Below so many pairings it does not stop.
const LEAST: u64 = 100;
/// After so many pairings it is known what is measured.
pub(super) const SOON: u64 = 20;
/// The measure that is decided where none is named.
const FIRST: &str = "first faction wins";

/// Request to compare two settings.
#[derive(Debug, Clone)]
pub struct TwoSettings {
    /// Without the tweak.
    pub base: Setting,
    /// With it.
    pub tweak: Setting,
    /// Only these are looked at; all there are without any.
    pub measures: Vec<String>,
    /// Ends as soon as the first of the measures is decided.
    pub stop_early: bool,
    /// On so many threads.
    pub threads: Option<usize>,
}

/// Result for one measure.
#[derive(Debug, Clone, Serialize)]
pub struct MeasureRow {
    /// The measure.
    pub measure: String,
    /// Whether it is a share, from 0 to 1.
    pub is_share: bool,
    /// Without, with, and by how much more.
    #[serde(flatten)]
    pub found: MeanDifference,
    /// With 95 % certainty.
    pub interval: Interval,
    /// Probability of such a difference by chance, and the same corrected for the number of measures.
    pub p: (f64, f64),
    /// Whether it has changed.
    pub changed: bool,
    /// In words.
    pub verdict: String,
    #[serde(skip)]
    what: Measure,
    /// Number of pairings for each pairing that has something to count.
    #[serde(skip)]
    rare: f64,
    /// It is looked at on the way.
    #[serde(skip)]
    looks: bool,
    /// It is about what two tweaks do together beyond what each does by itself.
    #[serde(skip)]
    together: bool,
}

/// Results of a game without and with a variant or dial.
#[derive(Debug, Clone, Serialize)]
pub struct Findings {
    /// Agents that played.
    pub agents: String,
    /// Number of games played under each setting.
    pub games: u64,
    /// Number of seeds.
    pub pairs: u64,
    /// Whether it ended before all games were played, because it was decided.
    pub decided_early: bool,
    /// Measures that differ in some games.
    pub rows: Vec<MeasureRow>,
    /// Measures that are the same in every game.
    pub same: Vec<String>,
    /// Of which units nothing can be said, and why.
    pub untold: Vec<String>,
    /// In how many games of a side something else happened: of all pairings.
    pub other_games: u64,
    /// Wins by seat and winner, without and with the variant or dial.
    pub seats: [SeatWins; 2],
    /// Warning if too little is left to chance.
    pub warning: Option<String>,
}

/// Wins by who was first and who won.
#[derive(Debug, Clone, Default, Serialize)]
pub struct SeatWins {
    /// Games by who was first.
    first: BTreeMap<String, u64>,
    /// Of these, wins by who won.
    wins: BTreeMap<String, BTreeMap<String, u64>>,
    /// The two factions, where there are two, and pairing by pairing how many games the one won of those in which it
    /// was first, of those in which the other was; then the same of the other.
    #[serde(skip)]
    pairs: Option<([String; 2], Paired)>,
}

impl SeatWins {
    /// No game yet, of these factions.
    pub fn new(factions: &[String]) -> Self {
        let mut two = factions.to_vec();
        two.sort();
        Self {
            pairs: <[String; 2]>::try_from(two)
                .ok()
                .map(|two| (two, Paired::default())),
            ..Self::default()
        }
    }

    /// The games of one more pairing.
    pub fn add(&mut self, games: &[GameRecord]) {
        let mut entry = [0.0; 8];
        for record in games {
            *self.first.entry(record.first.clone()).or_default() += 1;
            if let Some(winner) = &record.winner {
                let wins = self.wins.entry(record.first.clone()).or_default();
                *wins.entry(winner.clone()).or_default() += 1;
            }
            for (nth, faction) in self.pairs.iter().flat_map(|(two, _)| two.iter().enumerate()) {
                let at = 4 * nth + 2 * usize::from(record.first != *faction);
                entry[at] += f64::from(record.winner.as_ref() == Some(faction));
                entry[at + 1] += 1.0;
            }
        }
        if let Some((_, sum)) = &mut self.pairs {
            sum.add(&entry);
        }
    }

    /// Describes the value of the seat and the value of the faction.
    pub fn lines(&self) -> Vec<String> {
        if let [only] = self.first.keys().collect::<Vec<_>>()[..] {
            return vec![format!(
                "{only} is first in every game, so the advantages of seat and faction are not separate"
            )];
        }
        let Some(([a, b], sum)) = &self.pairs else {
            return Vec::new();
        };
        let points = |less: usize, of: usize| {
            let mut weights = [[0.0; 4]; 2];
            (weights[0][less], weights[1][of]) = (1.0, 1.0);
            let found = sum.contrast(&weights[0], &weights[1], true)?.interval();
            let signed = |share: f64| format!("{:+.1}", share.clamp(-1.0, 1.0) * 100.0);
            Some(format!("{} to {} points", signed(found.low), signed(found.high)))
        };
        // A faction's wins when it is first, less those when the other is: what the seat gives it. The wins of the one
        // when first, less those of the other when first: what the faction gives.
        let (Some(of_a), Some(of_b), Some(faction)) = (points(1, 0), points(3, 2), points(2, 0)) else {
            return Vec::new();
        };
        vec![
            format!("seat: being first gives {a} {of_a}, {b} {of_b}"),
            format!("faction: when first, {a} wins {faction} more than {b} when first"),
        ]
    }
}

/// Plays and compares.
///
/// # Errors
///
/// Measures that are not there; rules that cannot be loaded or fail.
pub fn compare(workspace: &Workspace, request: &TwoSettings) -> Result<Findings, Problems> {
    let mut variant = request.tweak.clone();
    variant.swap = request.base.swap;
    let most = pairs_of(&request.base);
    let mut sums = Sums::default();
    let factions = &GameRunner::lay(workspace, &request.base)?
        .ruleset()
        .rules
        .factions
        .clone();
    let mut seats = [SeatWins::new(factions), SeatWins::new(factions)];
    let (mut decided_early, mut other_games) = (false, 0);
    let mut distinct = DistinctGames::default();
    let mut unknown = None;
    let agents = agents_of(&request.base);
    let how = PairingOptions {
        threads: request.threads,
        watch: false,
        what: format!("seeds with {agents}"),
    };
    let looks = SumOptions {
        measures: &request.measures,
        tightest: request.stop_early.then(|| (most as f64 / 2.0).max(1.0)),
        seats: request.base.seats(),
    };
    pairings::play(
        workspace,
        &[request.base.clone(), variant],
        &how,
        |pairing| {
            sums.add(&[&pairing.counts[0], &pairing.counts[1]]);
            for (seats, games) in seats.iter_mut().zip(&pairing.games) {
                seats.add(games);
            }
            pairing.games[0].iter().for_each(|g| distinct.add(g));
            let pairs = pairing.games[0].iter().zip(&pairing.games[1]);
            other_games += pairs
                .filter(|(a, b)| a.digest != b.digest || a.winner != b.winner)
                .count() as u64;
            let done = sums.pairs as u64;
            if done == SOON
                && let Err(problem) = looks.wants(&sums)
            {
                unknown = Some(problem);
                return false;
            }
            if request.stop_early && done >= LEAST && done.is_multiple_of(LOOKS_EVERY) && done < most {
                decided_early = looks.is_decided(&sums);
            }
            !decided_early
        },
        String::new,
    )?;
    if let Some(problem) = unknown {
        return Err(problem.into());
    }
    let (rows, same) = looks.rows(&sums)?;
    let untold = looks.untold(&sums)?;
    Ok(Findings {
        agents,
        games: sums.pairs as u64 * looks.seats,
        pairs: sums.pairs as u64,
        decided_early,
        rows,
        same,
        untold,
        other_games,
        seats,
        warning: distinct.warning(),
    })
}

/// Parameters for the evaluation of sums.
struct SumOptions<'a> {
    /// Only these; all there are without any.
    measures: &'a [String],
    /// At so many pairings it is tightest, where one looks on the way.
    tightest: Option<f64>,
    /// Number of games of a pairing under each setting.
    seats: u64,
}

impl SumOptions<'_> {
    /// Whether a measure is looked at.
    fn wants(&self, sums: &Sums) -> Result<impl Fn(&Measure) -> bool + use<>, Problem> {
        let named = self.measures.iter();
        let named = named.map(|name| Measure::find_or_unused(name, sums.measures()));
        let named = named.collect::<Result<Vec<_>, _>>()?;
        Ok(move |measure: &Measure| named.is_empty() || named.contains(measure))
    }

    /// Returns the measures that differ, with verdicts, and the names of those that are the same in every game.
    fn rows(&self, sums: &Sums) -> Result<(Vec<MeasureRow>, Vec<String>), Problem> {
        let is_wanted = self.wants(sums)?;
        let (mut rows, mut same) = (Vec::new(), Vec::new());
        for (measure, sum) in sums.all().filter(|(m, _)| is_wanted(m)) {
            let Some(found) = sum.difference(measure.is_share()) else {
                continue;
            };
            if found.is_nothing() {
                same.push(measure.name());
                continue;
            }
            rows.push(self.row(measure, found, sums.pairs));
        }
        judge(&mut rows.iter_mut().collect::<Vec<_>>(), self.seats);
        Ok((rows, same))
    }

    /// Of which units nothing is said, and why.
    fn untold(&self, sums: &Sums) -> Result<Vec<String>, Problem> {
        let few = sums.few(2, self.wants(sums)?);
        let lines = few.iter().map(|(unit, held)| match held[..] {
            [_, 0.0] => format!("{unit}: never fielded with it"),
            [0.0, _] => format!("{unit}: never fielded without it"),
            _ => format!("{unit}: {TOO_FEW}"),
        });
        let unused = self.measures.iter();
        let unused = unused.filter(|name| Measure::find(name, sums.measures()).is_err());
        Ok(lines
            .chain(unused.map(|name| format!("{name}: in no game")))
            .collect())
    }

    fn row(&self, measure: &Measure, found: MeanDifference, pairs: f64) -> MeasureRow {
        let mut row = MeasureRow::new(measure, found, false);
        row.rare = pairs / found.pairs;
        if let Some(tightest) = self.tightest {
            row.looks = true;
            // A sequence holds where much is counted; of what is in few games only, the wider interval counts.
            let [own, always] = [found.interval(), found.always(tightest)];
            let wider = Interval {
                low: own.low.min(always.low),
                high: own.high.max(always.high),
            };
            row.interval = row.within(wider);
            row.p.0 = found.always_p(tightest).max(found.p());
        }
        row
    }

    /// Whether the first of the measures has changed, among all of them, or surely differs by too little to matter.
    fn is_decided(&self, sums: &Sums) -> bool {
        let first = self.measures.first().map_or(FIRST, String::as_str);
        let Ok(first) = Measure::find(first, sums.measures()) else {
            return false;
        };
        let found = sums.of(&first).and_then(|sum| sum.difference(first.is_share()));
        let own = found.map(|found| self.row(&first, found, sums.pairs));
        if own.is_some_and(|row| row.rules_out(first.worth_seeing(row.found.base))) {
            return true;
        }
        let (rows, _) = self.rows(sums).unwrap_or_default();
        rows.iter().any(|row| row.what == first && row.changed)
    }
}

/// Says of each row whether it is sure among all of them (Holm), and what it says.
pub fn judge(rows: &mut [&mut MeasureRow], seats: u64) {
    let among = rows.len();
    let corrected = stats::holm(&rows.iter().map(|r| r.p.0).collect::<Vec<_>>());
    for (row, corrected) in rows.iter_mut().zip(corrected) {
        row.p.1 = corrected;
        row.changed = corrected < 1.0 - SURE;
        row.verdict = verdict(row, seats, among);
    }
}

/// Describes the agents that play, in a few words.
pub fn agents_of(setting: &Setting) -> String {
    match setting.agents.iter().all(|a| *a == setting.agents[0]) {
        true => setting.agents[0].clone(),
        false => setting.agents.join(" against "),
    }
}

/// From one size to another, in the words of a measure: points of a share, or numbers as they are.
fn sizes(is_share: bool, a: f64, b: f64) -> String {
    let (low, high) = if a.abs() < b.abs() {
        (a.abs(), b.abs())
    } else {
        (b.abs(), a.abs())
    };
    match is_share {
        true => format!("{} to {} points", short(low * 100.0), short(high * 100.0)),
        false => format!("{} to {}", short(low), short(high)),
    }
}

/// A number with as many digits as it is worth.
pub fn short(number: f64) -> String {
    match number.abs() {
        n if n >= 100.0 => format!("{number:.0}"),
        n if n >= 10.0 => format!("{number:.1}"),
        n if n >= 0.1 => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

/// Returns the verdict of a row, in words.
fn verdict(row: &MeasureRow, seats: u64, among: usize) -> String {
    let found = &row.found;
    let more = found.by > 0.0;
    if row.changed || row.p.0 < 1.0 - SURE {
        let sizes = sizes(row.is_share, row.interval.low, row.interval.high);
        let says = match &row.what {
            _ if row.together => {
                let way = if more { "more" } else { "less" };
                format!("together {sizes} {way} than by themselves")
            }
            Measure::First => {
                let way = if more { "more" } else { "less" };
                format!("the first faction wins {sizes} {way} often")
            }
            Measure::Unit(unit, TypeMeasure::WinShare) => {
                let way = if more { "gain" } else { "lose" };
                format!("{unit} {way} {sizes} of win share")
            }
            other => format!("{}: {sizes} {}", other.name(), if more { "more" } else { "less" }),
        };
        return match row.changed {
            true => says,
            false => format!("perhaps {says}; among so many measures that may be chance"),
        };
    }
    let size = row.what.worth_seeing(found.base);
    let amount = match row.is_share {
        true => format!(
            "{} points",
            short(size * 100.0).trim_end_matches('0').trim_end_matches('.')
        ),
        false => short(size),
    };
    // Where no pair differs nothing says how much another might.
    if found.is_nothing() {
        return "no detectable change; it was the same in every pair of games".to_owned();
    }
    let more = (found.pairs_to_see(size, among, row.looks) - found.pairs) * row.rare * seats as f64;
    if more > 0.0 && !(row.looks && row.rules_out(size)) {
        return format!(
            "no detectable change; about {} more games would be needed to see {amount}",
            thousands(more)
        );
    }
    let most = row.interval.low.abs().max(row.interval.high.abs());
    match row.is_share {
        true => format!(
            "no detectable change; more than {} points are ruled out",
            short(most * 100.0)
        ),
        false => format!("no detectable change; more than {} is ruled out", short(most)),
    }
}

/// A number of games, to two digits, in groups of three.
fn thousands(number: f64) -> String {
    let scale = 10f64.powf(number.log10().floor() - 1.0).max(1.0);
    let digits = format!("{:.0}", (number / scale).ceil() * scale);
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl MeasureRow {
    /// Creates the row of a single measure, without a verdict yet.
    pub fn new(measure: &Measure, found: MeanDifference, together: bool) -> Self {
        let mut row = Self {
            measure: measure.name(),
            is_share: measure.is_share(),
            found,
            interval: found.interval(),
            p: (found.p(), 1.0),
            changed: false,
            verdict: String::new(),
            what: measure.clone(),
            rare: 1.0,
            looks: false,
            together,
        };
        row.interval = row.within(row.interval);
        row
    }

    /// An interval within what can be: a share changes by all of it at most, and what two changes of it do together
    /// beyond what each does by twice as much.
    fn within(&self, interval: Interval) -> Interval {
        let most = match (self.is_share, self.together) {
            (false, _) => return interval,
            (true, false) => 1.0,
            (true, true) => 2.0,
        };
        Interval {
            low: interval.low.max(-most),
            high: interval.high.min(most),
        }
    }

    /// Whether so much is surely more than it differs by.
    fn rules_out(&self, size: f64) -> bool {
        self.interval.low > -size && self.interval.high < size
    }

    /// Returns the measure of the row.
    pub fn measure(&self) -> &Measure {
        &self.what
    }

    /// The row of a table: name, without, with, the change, and what it says.
    pub fn cells(&self) -> Vec<String> {
        let scale = if self.is_share { 100.0 } else { 1.0 };
        let formatted = |number: f64| match self.is_share {
            true => format!("{:.1} %", number * scale),
            false => short(number),
        };
        let signed = |number: f64| {
            let text = short(number * scale);
            if number > 0.0 { format!("+{text}") } else { text }
        };
        let (low, high) = (signed(self.interval.low), signed(self.interval.high));
        vec![
            self.measure.clone(),
            formatted(self.found.base),
            formatted(self.found.tweak),
            format!("{} ({low} to {high})", signed(self.found.by)),
            self.verdict.clone(),
        ]
    }
}

impl Findings {
    /// The page of it, with what the two sides are called; rows of unit types that have not changed only where all are
    /// wanted.
    pub fn page(&self, [base, variant]: [&str; 2], all: bool) -> Report {
        let mut table = ReportTable::headed(["", base, variant, "95 % interval of the change", ""]);
        let mut hidden = 0;
        for row in &self.rows {
            let dull =
                matches!(&row.what, Measure::Unit(_, of) if *of != TypeMeasure::WinShare) && !row.changed;
            if dull && !all {
                hidden += 1;
                continue;
            }
            table.push(row.cells());
        }
        let mut page = Report::default();
        if !table.is_empty() {
            page.put(table);
        }
        page.put(self.notes(hidden).join("\n"));
        page
    }

    /// Returns the notes to the rows, of which `hidden` are not shown; a sentence each.
    pub fn notes(&self, hidden: usize) -> Vec<String> {
        let mut notes = Vec::from_iter(self.lone_pair().map(|why| format!("{why} (--games)")));
        if hidden > 0 {
            notes.push(format!(
                "{hidden} more measures of unit types have not changed (--all lists them)"
            ));
        }
        if !self.same.is_empty() {
            notes.push(format!("the same in every game: {}", listed(&self.same, NAMED)));
        }
        notes.extend(self.untold.iter().cloned());
        if self.rows.len() > 1 {
            notes.push(format!(
                "changes are significant among {} measures (Holm); each interval is of one measure alone",
                self.rows.len()
            ));
        }
        notes.push(format!(
            "{} of {} games go otherwise with it",
            self.other_games, self.games
        ));
        let [without, with] = [self.seats[0].lines(), self.seats[1].lines()];
        if without == with {
            notes.extend(without);
        } else {
            notes.extend(without.iter().map(|line| format!("without it, {line}")));
            notes.extend(with.iter().map(|line| format!("with it, {line}")));
        }
        if self.decided_early {
            notes.push("the study stopped early; its intervals stay valid".to_owned());
        }
        notes.extend(self.warning.clone());
        notes
    }

    /// Why nothing can be said of how far measures spread, where that is so.
    pub fn lone_pair(&self) -> Option<&'static str> {
        (self.pairs == 1).then_some("one pair of games gives no interval: play more")
    }

    /// The row of a measure.
    pub fn row(&self, measure: &str) -> Option<&MeasureRow> {
        self.rows.iter().find(|r| r.measure == measure)
    }
}

/// Returns the measures on which agents of different strength disagree: one shows a sure change, and another the
/// opposite change, which by itself is not due to chance.
pub fn flips(all: &[Findings]) -> Vec<String> {
    let mut warnings = Vec::new();
    for (index, one) in all.iter().enumerate() {
        for row in one.rows.iter().filter(|r| r.changed) {
            for (nth, other) in all.iter().enumerate().filter(|(nth, _)| *nth != index) {
                let Some(theirs) = other.row(&row.measure) else {
                    continue;
                };
                let against = theirs.found.by * row.found.by < 0.0 && theirs.p.0 < 1.0 - SURE;
                let way = |by: f64| if by > 0.0 { "rises" } else { "falls" };
                let line = format!(
                    "warning: {} {} with {} agents and {} with {} agents: how well it is played decides it",
                    row.measure,
                    way(row.found.by),
                    one.agents,
                    way(theirs.found.by),
                    other.agents
                );
                // Where both are sure it is told once.
                if against && !(theirs.changed && nth < index) {
                    warnings.push(line);
                }
            }
        }
    }
    warnings
}
