//! Record of one game: a line of a results file, built from the events of the game.

use crate::kernel::choice::NamedOption;
use crate::kernel::dice::RollKey;
use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, PlaceId, RecordedThing, Thing, UnitId, UnitName, WordId};
use crate::kernel::phase::{self, Phase, PhaseBody};
use crate::kernel::rules::{Rules, Words};
use crate::kernel::table::{Question, Table};
use crate::kernel::world::{Outcome, World};
use crate::play::Play;
use crate::report::{Problem, Problems};
use crate::rules::run::view::ValueView;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Kind of end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameEnd {
    /// Its last phase ended.
    #[default]
    Over,
    /// It went on for too long.
    CutOff,
    /// Its rules failed, or an answer did not fit.
    Failed,
}

/// One game.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// Its number in the study, from 0.
    pub game: u64,
    /// The seed of its dice and agents.
    pub seed: u64,
    /// Kind of end.
    pub end: GameEnd,
    /// Why it was won, drawn or stopped, in the rules' words.
    pub reason: String,
    /// The faction that was first in turn order when the first turn began.
    pub first: String,
    /// Faction that won; `None` if the game was a draw or cut off.
    pub winner: Option<String>,
    /// Number of times that the innermost repeating phase began.
    pub rounds: u32,
    /// Number of steps.
    pub steps: u32,
    /// Number of questions with several options that were asked after set-up.
    pub decisions: u32,
    /// Total number of options of these questions.
    pub options: u64,
    /// Values that the game's hook `measures` returns for each faction at the end.
    pub measures: BTreeMap<String, Vec<i64>>,
    /// The unit types that each faction fielded.
    pub units: Vec<FieldedUnits>,
    /// A number over how everything stood at the end: the same game has the same.
    pub digest: String,
    /// Worth of the final position to the first player, if requested.
    #[serde(skip)]
    pub worth: i64,
    /// Observations made during the game.
    #[serde(skip)]
    pub seen: Option<Box<Observations>>,
}

impl GameRecord {
    /// Returns the points of one faction for the game: 1 for a win; without a winner an equal part of 1, or 0 if it
    /// plays alone. The points of several factions add up to 1.
    pub fn points(&self, faction: &str, factions: usize) -> f64 {
        match &self.winner {
            Some(winner) => f64::from(winner == faction),
            None if factions > 1 => 1.0 / factions as f64,
            None => 0.0,
        }
    }
}

/// Returns the player that has a faction in the n-th game of a seed: each player moves one faction further than in the
/// game before.
pub fn side_in(faction: usize, nth: u64, factions: usize) -> usize {
    let moved = (nth % factions as u64) as usize;
    (faction + factions - moved) % factions
}

/// Totals of the units of one type in one faction.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldedUnits {
    /// The faction.
    pub faction: String,
    /// The type.
    pub unit: String,
    /// Number of units at the start.
    pub fielded: u32,
    /// Number of units in play at the end.
    pub survived: u32,
    /// Damage dealt: the amount taken from the values that keep other units in play.
    pub dealt: i64,
    /// Damage taken.
    pub taken: i64,
    /// Number of units that they removed.
    pub removed: u32,
    /// Number of times that they did the action of a word: a choice that was not declined, or else an effect on others.
    pub uses: BTreeMap<String, u32>,
}

/// Number of different games among those played; if nothing is left to chance, many are the same.
#[derive(Debug, Clone, Default)]
pub struct DistinctGames {
    ends: BTreeSet<String>,
    games: u64,
}

impl DistinctGames {
    /// Games are told apart up to here; memory does not grow further.
    const LOOKED_AT: u64 = 10_000;

    /// One more game.
    pub fn add(&mut self, record: &GameRecord) {
        self.add_alike(record.digest.clone());
    }

    /// One more, which is the same as others of this digest.
    pub fn add_alike(&mut self, digest: String) {
        if self.games < Self::LOOKED_AT {
            self.games += 1;
            self.ends.insert(digest);
        }
    }

    /// Returns a warning with advice if no more than half of the games are different.
    pub fn warning(&self) -> Option<String> {
        let note = self.variety_note()?;
        Some(format!(
            "warning: {note} (--draw-setup draws the set-up; other agents or armies help too)"
        ))
    }

    /// That no more than half are different, where it is so.
    pub fn variety_note(&self) -> Option<String> {
        let different = self.ends.len() as u64;
        let first = if self.games < Self::LOOKED_AT {
            ""
        } else {
            "the first "
        };
        (self.games > 1 && 2 * different <= self.games).then(|| {
            let are = if different == 1 { "is" } else { "are" };
            format!(
                "of {first}{} games only {different} {are} different, so more of them tell little more: too little is \
                 left to chance",
                self.games
            )
        })
    }
}

/// Of what is told of several the first, and of how many more.
pub fn one_of_many(mut items: impl Iterator<Item = (String, String)>) -> Option<String> {
    let (of, first) = items.next()?;
    Some(match items.count() {
        0 => format!("{of}: {first}"),
        more => format!("{of} and {more} more: {first}"),
    })
}

/// Observations made while a game is played.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Observations {
    /// Worth of the position to each faction at the beginning of each round.
    pub worth: Vec<Vec<i64>>,
    /// By place, then by faction: how many units stood there when rounds began.
    pub presence: Vec<u32>,
    /// By place: how many units were removed there.
    pub removals: Vec<u32>,
    /// By place: how many units were removed by one that stood there.
    pub kills: Vec<u32>,
}

impl Observations {
    /// Nothing was observed yet.
    fn nothing(rules: &Rules) -> Self {
        let places = rules.board.len();
        Self {
            worth: Vec::new(),
            presence: vec![0; places * rules.factions.len()],
            removals: vec![0; places],
            kills: vec![0; places],
        }
    }
}

/// Counts while games are played, by what is asked and what happens in them.
pub struct RecordCounter {
    in_setup: Vec<bool>,
    /// Whether a phase is of turns after set-up: with the first of them the first faction is known.
    has_turns: Vec<bool>,
    types: usize,
    /// The phase whose beginnings are the game's length.
    pub(super) round: Option<u8>,
    hit: Option<u8>,
    /// The contest that has no other inside.
    innermost: Option<String>,
    /// Number of times that a unit type was drafted, over all games.
    pub(super) drafted: u64,
    game: GameCounts,
}

/// Counts of one game.
#[derive(Default)]
struct GameCounts {
    decisions: u32,
    options: u64,
    rounds: u32,
    rounds_seen: u32,
    first: FactionId,
    /// The first turn has begun.
    began: bool,
    /// By faction, then by type.
    units: Vec<UnitCounts>,
    /// The last effect on others, which one use may have several of.
    last: Option<(UnitName, WordId)>,
    /// Units that took the last of what kept a unit in play, by the removed unit.
    killers: BTreeMap<UnitName, UnitName>,
    /// Facts that are looked at as rounds begin, and where units stand then.
    seen: Option<Box<Observations>>,
    stand: BTreeMap<UnitName, PlaceId>,
    finished: Vec<Outcome>,
    /// Number of events, and the numbers by which they are told from others.
    events: u64,
    numbers: Vec<u64>,
}

/// Counts of the units of one type in one faction.
#[derive(Clone, Default)]
struct UnitCounts {
    dealt: i64,
    taken: i64,
    removed: u32,
    /// Number of times that a choice of a word was not declined.
    chosen: Vec<(WordId, u32)>,
    /// Number of times that there was an effect on others by a word.
    done: Vec<(WordId, u32)>,
}

/// Counts a word.
fn count(words: &mut Vec<(WordId, u32)>, word: WordId) {
    match words.iter_mut().find(|(known, _)| *known == word) {
        Some((_, count)) => *count += 1,
        None => words.push((word, 1)),
    }
}

impl RecordCounter {
    pub(super) fn new(rules: &Rules) -> Self {
        let in_setup = in_setup(rules);
        let phases = 0..rules.phases.len() as u8;
        let round = phases
            .rev()
            .find(|p| !in_setup[*p as usize] && phase::is_innermost_repeat(&rules.phases, *p));
        let turns = |(phase, setup): (&Phase, &bool)| matches!(phase.work, PhaseBody::Turn { .. }) && !setup;
        Self {
            has_turns: rules.phases.iter().zip(&in_setup).map(turns).collect(),
            in_setup,
            types: rules.types.len(),
            round,
            hit: rules.hit_slot().map(|slot| slot as u8),
            innermost: rules.phases.iter().rev().find_map(|p| p.contest.clone()),
            drafted: 0,
            game: GameCounts {
                units: vec![UnitCounts::default(); rules.types.len() * rules.factions.len()],
                ..GameCounts::default()
            },
        }
    }

    pub(super) fn is_setup(&self, phase: u8) -> bool {
        self.in_setup.get(phase as usize).is_some_and(|is| *is)
    }

    /// A game begins; `looks` says whether rounds are looked at.
    pub(super) fn begin(&mut self, play: &Play, looks: bool) {
        let game = std::mem::take(&mut self.game);
        let (mut units, mut numbers) = (game.units, game.numbers);
        numbers.clear();
        for unit in &mut units {
            (unit.dealt, unit.taken, unit.removed) = (0, 0, 0);
            unit.chosen.clear();
            unit.done.clear();
        }
        let table = play.table();
        let world = &table.world;
        let places = |unit| Some((world.name(unit), world.place(unit)?));
        let stand = looks.then(|| world.on_board().iter().filter_map(places).collect());
        self.game = GameCounts {
            first: world.in_order(0),
            seen: looks.then(|| Box::new(Observations::nothing(&table.rules))),
            stand: stand.unwrap_or_default(),
            units,
            numbers,
            ..GameCounts::default()
        };
    }

    /// A question with several options is answered.
    pub(super) fn asked(&mut self, question: &Question<'_>, in_setup: bool) {
        if !in_setup {
            self.game.decisions += 1;
            self.game.options += question.request.options.len() as u64;
        }
    }

    /// Looks at the position before a step, where a round begins.
    pub(super) fn look(&mut self, play: &mut Play) -> Result<(), Problems> {
        let world = {
            let table = play.table();
            let rounds = self.round.and_then(|phase| {
                let name = &table.rules.phases[phase as usize].name;
                table.checkpoint.cursor.iteration(&table.rules, name)
            });
            let Some(rounds) = rounds.map(u32::from) else {
                return Ok(());
            };
            if rounds == self.game.rounds_seen {
                return Ok(());
            }
            self.game.rounds_seen = rounds;
            table.world.clone()
        };
        let factions = play.table().rules.factions.len();
        let Some(observations) = &mut self.game.seen else {
            return Ok(());
        };
        for unit in world.on_board().iter() {
            if let Some(place) = world.place(unit) {
                observations.presence[place.index() * factions + world.unit(unit).owner.index()] += 1;
            }
        }
        let each = (0..factions).map(|f| play.worth(FactionId(f as u8), world.clone()));
        observations.worth.push(each.collect::<Result<_, _>>()?);
        Ok(())
    }

    /// The record of the game that lies on the table at its end, of which all was heard; number and seed are left open.
    pub(super) fn record(
        &mut self,
        table: &Table,
        measures: BTreeMap<String, Vec<i64>>,
        stopped: Result<GameEnd, String>,
    ) -> GameRecord {
        let (rules, words, world) = (&*table.rules, &table.words, &table.world);
        let mut record = GameRecord {
            first: rules.factions[self.game.first.index()].clone(),
            rounds: self.game.rounds,
            steps: table.checkpoint.ordinal,
            decisions: self.game.decisions,
            options: self.game.options,
            measures,
            units: self.units(rules, words, world),
            digest: self.digest(rules, world),
            // Without a round there was nothing to see.
            seen: self.game.seen.take().filter(|_| self.game.rounds_seen > 0),
            ..GameRecord::default()
        };
        // A match of games says less of itself than its last game.
        for outcome in &self.game.finished {
            if self.innermost.as_deref() == Some(words.text(outcome.contest)) || record.reason.is_empty() {
                words.text(outcome.reason).clone_into(&mut record.reason);
            }
        }
        match stopped {
            Ok(end) => {
                record.end = end;
                if let (GameEnd::Over, Some(outcome)) = (end, world.outcome) {
                    record.winner = outcome.winner.map(|f| rules.factions[f.index()].clone());
                }
            }
            Err(why) => (record.end, record.reason) = (GameEnd::Failed, why),
        }
        record
    }

    /// The rows of the units that were fielded, or did something.
    fn units(&self, rules: &Rules, words: &Words, world: &World) -> Vec<FieldedUnits> {
        let mut there = vec![(0, 0); self.game.units.len()];
        for unit in (0..world.unit_count()).map(UnitId::new) {
            let is = world.unit(unit);
            let (fielded, survived) = &mut there[is.owner.index() * self.types + is.kind.index()];
            *fielded += 1;
            *survived += u32::from(world.is_alive(unit));
        }
        let rows = self.game.units.iter().zip(there).enumerate();
        let done = rows.filter(|(_, (counts, (fielded, _)))| {
            let words = counts.chosen.len() + counts.done.len();
            *fielded > 0 || counts.taken > 0 || counts.dealt > 0 || words > 0
        });
        let row = |(at, (counts, (fielded, survived))): (usize, (&UnitCounts, _))| {
            let mut uses: BTreeMap<String, u32> = BTreeMap::new();
            for (word, count) in counts.chosen.iter().chain(&counts.done) {
                let uses = uses.entry(words.text(*word).to_owned()).or_default();
                *uses = (*count).max(*uses);
            }
            FieldedUnits {
                faction: rules.factions[at / self.types].clone(),
                unit: rules.types[at % self.types].name.clone(),
                fielded,
                survived,
                dealt: counts.dealt,
                taken: counts.taken,
                removed: counts.removed,
                uses,
            }
        };
        done.map(row).collect()
    }

    fn counts(&mut self, unit: UnitName) -> &mut UnitCounts {
        &mut self.game.units[unit.owner.index() * self.types + unit.kind.index()]
    }

    /// Something happens in the game.
    pub(super) fn hear(&mut self, event: &Event, words: &Words) {
        self.game.events += 1;
        match event {
            Event::Phase { phase, .. } => {
                self.game.rounds += u32::from(Some(*phase) == self.round);
                self.game.began |= self.has_turns[*phase as usize];
            }
            Event::First { first, .. } if !self.game.began => self.game.first = *first,
            Event::Chose(answer) => {
                let numbers = &mut self.game.numbers;
                match answer.chosen {
                    NamedOption::Several(parts) => {
                        let parts = parts.into_iter().flatten();
                        parts.for_each(|part| add_chosen(numbers, part.alone(), words));
                    }
                    one => add_chosen(numbers, one, words),
                }
                let declined = matches!(answer.chosen, NamedOption::Word(_));
                if let (RecordedThing::Unit(unit), false) = (answer.subject, declined)
                    && answer.step.pick == 0
                    && !self.is_setup(answer.step.phase)
                {
                    count(&mut self.counts(unit).chosen, answer.label);
                }
            }
            Event::Rolled { dice, .. } => {
                self.game.numbers.extend(dice.values().map(i64::cast_unsigned));
            }
            Event::Lay { to, .. } => {
                let numbers = to.at.iter().map(|n| i64::from(*n).cast_unsigned());
                self.game.numbers.extend(numbers);
            }
            Event::Changed {
                who,
                slot,
                from,
                to,
                cause,
            } => {
                let by = match cause.by {
                    RecordedThing::Unit(by) if *who != cause.by => Some(by),
                    _ => None,
                };
                if let (RecordedThing::Unit(hurt), true) = (who, Some(*slot) == self.hit) {
                    let taken = from.saturating_sub(*to).max(0);
                    let counts = self.counts(*hurt);
                    counts.taken = counts.taken.saturating_add(taken);
                    if let Some(by) = by {
                        let counts = self.counts(by);
                        counts.dealt = counts.dealt.saturating_add(taken);
                        if *to <= 0 {
                            self.game.killers.insert(*hurt, by);
                        }
                    }
                }
                if let (Some(by), Some(word)) = (by, cause.word)
                    && self.game.last != Some((by, word))
                {
                    self.game.last = Some((by, word));
                    count(&mut self.counts(by).done, word);
                }
            }
            Event::Removed { unit, from, cause } => {
                // Where rules remove what has nothing left, it was whoever took the rest.
                let killer = self.game.killers.remove(unit);
                let by = match cause.by {
                    RecordedThing::Unit(by) if by != *unit => Some(by),
                    _ => killer,
                };
                if let Some(by) = by {
                    self.counts(by).removed += 1;
                }
                if let Some(seen) = &mut self.game.seen {
                    let place = from.as_ref().and_then(|spot| spot.place());
                    if let Some(place) = place {
                        seen.removals[place.index()] += 1;
                    }
                    if let Some(place) = by.and_then(|by| self.game.stand.get(&by)) {
                        seen.kills[place.index()] += 1;
                    }
                }
            }
            Event::Moved { unit, to, .. } if self.game.seen.is_some() => {
                // Whoever leaves the board still stood where it did what it is the cause of.
                if let Some(place) = to.as_ref().and_then(|spot| spot.place()) {
                    self.game.stand.insert(*unit, place);
                }
            }
            Event::Step(_) => self.game.last = None,
            Event::Finished { outcome, .. } => self.game.finished.push(*outcome),
            _ => {}
        }
    }

    /// A number over what was chosen, rolled and thrown, and over who won and how everything stands at the end, the
    /// same on every machine.
    fn digest(&self, rules: &Rules, world: &World) -> String {
        let numbers = self.game.numbers.iter();
        let mut key = numbers.fold(RollKey::new(self.game.events), |key, n| key.with(*n));
        let gone = |thing: &Thing| matches!(thing, Thing::Unit(unit) if !world.is_alive(*unit));
        for thing in world.things(rules).filter(|thing| !gone(thing)) {
            for (slot, of) in rules.slots.of(thing).iter().enumerate() {
                key = key.with(world.slot(thing, slot).cast_unsigned());
                let items = of
                    .kind
                    .items()
                    .map(|items| world.items(rules, thing, slot, items));
                let cells = items.unwrap_or_default().into_iter().flatten();
                key = cells.fold(key, |key, cell| key.with(cell.cast_unsigned()));
            }
        }
        for unit in world.alive().iter() {
            let place = world.place(unit).map_or(u64::MAX, |p: PlaceId| p.index() as u64);
            key = key.with(world.name(unit).stored().cast_unsigned()).with(place);
            // On a table top a unit stands at a point.
            if let Some(point) = world.point(unit) {
                key = key.with(point.x as u64).with(point.y as u64);
            }
        }
        let winner = world.outcome.and_then(|outcome| outcome.winner);
        key = key.with(winner.map_or(u64::MAX, |winner| winner.index() as u64));
        format!("{:016x}", key.with(u64::from(world.decided)).below_u64(u64::MAX))
    }
}

/// Returns for each phase whether it is set-up or lies in it.
fn in_setup(rules: &Rules) -> Vec<bool> {
    let phases = &rules.phases;
    let all = 0..phases.len() as u8;
    all.map(|p| phase::sets_up(phases, p)).collect()
}

/// Returns the values of the game's hook `measures` for each faction: whole numbers by their names.
///
/// # Errors
///
/// The hook fails, or says something else.
pub(super) fn measures(play: &mut Play) -> Result<BTreeMap<String, Vec<i64>>, Problem> {
    const NAME: &str = "measures";
    let ruleset = Arc::clone(play.ruleset());
    let factions = ruleset.rules.factions.len();
    let mut measures: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for faction in 0..factions {
        let about = Thing::Faction(FactionId(faction as u8));
        let map = match play.runtime.ask(NAME, about).transpose()? {
            None => break,
            Some(ValueView::Map(map)) => map,
            Some(other) => {
                let kind = other.kind().noun();
                let why = format!("`{NAME}` must give whole numbers by name, not {kind}");
                return Err(ruleset.at_hook(NAME, Problem::new(why)));
            }
        };
        for (name, value) in map {
            let Some(number) = value.as_int() else {
                let kind = value.kind().noun();
                let why = format!("`{NAME}` must give whole numbers by name; `{name}` is {kind}");
                return Err(ruleset.at_hook(NAME, Problem::new(why)));
            };
            let all = measures.entry(name.to_string());
            all.or_insert_with(|| vec![0; factions])[faction] = number;
        }
    }
    Ok(measures)
}

/// Adds the numbers of something that was chosen. Words are told apart by how they read.
fn add_chosen(numbers: &mut Vec<u64>, chosen: NamedOption, words: &Words) {
    let (kind, number) = match chosen {
        NamedOption::Unit(unit) => (1, unit.stored().cast_unsigned()),
        NamedOption::Place(place) => (2, place.index() as u64),
        NamedOption::Point(point) => return numbers.extend([3, point.x as u64, point.y as u64]),
        NamedOption::Faction(faction) => (4, faction.index() as u64),
        NamedOption::Type(kind) => (5, kind.index() as u64),
        NamedOption::Terrain(terrain) => (6, terrain.index() as u64),
        NamedOption::Number(n) => (7, n.cast_unsigned()),
        NamedOption::Word(word) => (8, words.hash(word)),
        NamedOption::Many(ways) => (9, ways),
        NamedOption::Edge(edge) => (10, edge.index() as u64),
        // Its parts are told one by one.
        NamedOption::Several(_) => return,
    };
    numbers.extend([kind, number]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_get_for_a_game_is_one() {
        let all = ["red", "blue", "green"];
        let sum = |winner: Option<&str>, factions: usize| -> f64 {
            let winner = winner.map(str::to_owned);
            let record = GameRecord {
                winner,
                ..GameRecord::default()
            };
            all[..factions].iter().map(|f| record.points(f, factions)).sum()
        };
        for factions in 2..=3 {
            assert!((sum(None, factions) - 1.0).abs() < 1e-12);
            assert!((sum(Some("blue"), factions) - 1.0).abs() < 1e-12);
        }
        assert_eq!((sum(None, 1), sum(Some("red"), 1)), (0.0, 1.0));
    }
}
