//! Record of one game: a line of a results file, built from the events of the game.

use crate::kernel::choice::NamedOption;
use crate::kernel::dice::RollKey;
use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, PlaceId, RecordedThing, Thing, UnitId, UnitName, WordId};
use crate::kernel::phase::{self, PhaseBody};
use crate::kernel::rules::{Rules, Words};
use crate::kernel::table::Question;
use crate::kernel::world::World;
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

/// Counts while a game is played, and reads its record.
pub struct RecordCounter {
    in_setup: Vec<bool>,
    /// The phase whose beginnings are the game's length.
    pub(super) round: Option<u8>,
    hit: Option<u8>,
    /// Number of times that a unit type was drafted, over all games.
    pub(super) drafted: u64,
    steps: u32,
    decisions: u32,
    options: u64,
    first: FactionId,
    rounds_seen: u32,
    seen: Option<Box<Observations>>,
    /// Places of units at the start.
    stood: BTreeMap<UnitName, PlaceId>,
}

impl RecordCounter {
    pub(super) fn new(rules: &Rules) -> Self {
        let in_setup = in_setup(rules);
        let phases = 0..rules.phases.len() as u8;
        let round = phases
            .rev()
            .find(|p| !in_setup[*p as usize] && phase::is_innermost_repeat(&rules.phases, *p));
        Self {
            in_setup,
            round,
            hit: rules.hit_slot().map(|slot| slot as u8),
            drafted: 0,
            steps: 0,
            decisions: 0,
            options: 0,
            first: FactionId(0),
            rounds_seen: 0,
            seen: None,
            stood: BTreeMap::new(),
        }
    }

    pub(super) fn is_setup(&self, phase: u8) -> bool {
        self.in_setup.get(phase as usize).is_some_and(|is| *is)
    }

    pub(super) fn begin(&mut self, play: &Play) {
        (self.steps, self.decisions, self.options, self.rounds_seen) = (0, 0, 0, 0);
        let world = &play.table().world;
        self.first = world.in_order(0);
        self.seen = None;
        let stand = world.on_board();
        let places = stand
            .iter()
            .filter_map(|u| Some((world.name(u), world.place(u)?)));
        self.stood = places.collect();
    }

    pub(super) fn asked(&mut self, question: &Question<'_>, drafted: bool) {
        self.drafted += u64::from(drafted);
        if !self.is_setup(question.request.step.phase) {
            self.decisions += 1;
            self.options += question.request.options.len() as u64;
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
            if rounds == self.rounds_seen {
                return Ok(());
            }
            self.rounds_seen = rounds;
            table.world.clone()
        };
        let (places, factions) = {
            let table = play.table();
            (table.rules.board.len(), table.rules.factions.len())
        };
        let observations = self.seen.get_or_insert_with(|| {
            Box::new(Observations {
                worth: Vec::new(),
                presence: vec![0; places * factions],
                removals: vec![0; places],
                kills: vec![0; places],
            })
        });
        for unit in world.on_board().iter() {
            if let Some(place) = world.place(unit) {
                observations.presence[place.index() * factions + world.unit(unit).owner.index()] += 1;
            }
        }
        let each = (0..factions).map(|f| play.worth(FactionId(f as u8), world.clone()));
        observations.worth.push(each.collect::<Result<_, _>>()?);
        Ok(())
    }

    /// The record of the game that lies on the table at its end; number and seed are left open.
    pub(super) fn read(
        &mut self,
        play: &Play,
        measures: BTreeMap<String, Vec<i64>>,
        stopped: Result<GameEnd, String>,
    ) -> GameRecord {
        let table = play.table();
        let (rules, words) = (&*table.rules, &table.words);
        let mut reader = RecordBuilder::new(rules, words, self, &table.world);
        for event in &table.events {
            reader.read(event);
        }
        reader.add_uses();
        let mut record = reader.record;
        record
            .units
            .retain(|u| u.fielded > 0 || u.taken > 0 || u.dealt > 0 || !u.uses.is_empty());
        record.first = rules.factions[reader.first.index()].clone();
        let (removals, kills) = (reader.removals, reader.kills);
        if let Some(observations) = &mut self.seen {
            (observations.removals, observations.kills) = (removals, kills);
        }
        match stopped {
            Ok(end) => {
                record.end = end;
                if let (GameEnd::Over, Some(outcome)) = (end, table.world.outcome) {
                    record.winner = outcome.winner.map(|f| rules.factions[f.index()].clone());
                }
            }
            Err(why) => (record.end, record.reason) = (GameEnd::Failed, why),
        }
        record.steps = table.checkpoint.ordinal;
        record.decisions = self.decisions;
        record.options = self.options;
        record.measures = measures;
        record.digest = digest(rules, words, &table.world, &table.events);
        record.seen = self.seen.take();
        record
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

struct RecordBuilder<'a> {
    rules: &'a Rules,
    words: &'a Words,
    tally: &'a RecordCounter,
    types: usize,
    record: GameRecord,
    first: FactionId,
    /// The first turn has begun.
    began: bool,
    /// The last effect on others, which one use may have several of.
    last: Option<(UnitName, WordId)>,
    /// Number of times that each choice was not declined, by type and word; `done` counts those with an effect.
    chosen: BTreeMap<(usize, u16), u32>,
    done: BTreeMap<(usize, u16), u32>,
    removals: Vec<u32>,
    kills: Vec<u32>,
    /// Units that took the last of what kept a unit in play, by the removed unit.
    killers: BTreeMap<UnitName, UnitName>,
    /// Places of units, by name.
    stand: BTreeMap<UnitName, PlaceId>,
    /// The contest that has no other inside.
    innermost: Option<String>,
}

impl<'a> RecordBuilder<'a> {
    fn new(rules: &'a Rules, words: &'a Words, tally: &'a RecordCounter, world: &World) -> Self {
        let types = rules.types.len();
        let mut units: Vec<FieldedUnits> = Vec::with_capacity(types * rules.factions.len());
        for faction in &rules.factions {
            units.extend(rules.types.iter().map(|kind| FieldedUnits {
                faction: faction.clone(),
                unit: kind.name.clone(),
                ..FieldedUnits::default()
            }));
        }
        for unit in (0..world.unit_count()).map(UnitId::new) {
            let is = world.unit(unit);
            let row = &mut units[is.owner.index() * types + is.kind.index()];
            row.fielded += 1;
            row.survived += u32::from(world.is_alive(unit));
        }
        Self {
            rules,
            words,
            tally,
            types,
            record: GameRecord {
                units,
                ..GameRecord::default()
            },
            first: tally.first,
            began: false,
            last: None,
            chosen: BTreeMap::new(),
            done: BTreeMap::new(),
            removals: vec![0; rules.board.len()],
            kills: vec![0; rules.board.len()],
            killers: BTreeMap::new(),
            stand: tally.stood.clone(),
            innermost: rules.phases.iter().rev().find_map(|p| p.contest.clone()),
        }
    }

    fn at(&self, unit: UnitName) -> usize {
        unit.owner.index() * self.types + unit.kind.index()
    }

    fn read(&mut self, event: &Event) {
        match event {
            Event::Phase { phase, .. } => {
                self.record.rounds += u32::from(Some(*phase) == self.tally.round);
                self.begins(*phase);
            }
            Event::First { first, .. } if !self.began => self.first = *first,
            Event::Chose(answer) if answer.step.pick == 0 => {
                let declined = matches!(answer.chosen, NamedOption::Word(_));
                if let (RecordedThing::Unit(unit), false) = (answer.subject, declined)
                    && !self.tally.is_setup(answer.step.phase)
                {
                    let at = self.at(unit);
                    *self.chosen.entry((at, answer.label.0)).or_default() += 1;
                }
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
                if let (RecordedThing::Unit(hurt), true) = (who, Some(*slot) == self.tally.hit) {
                    let taken = from.saturating_sub(*to).max(0);
                    let at = self.at(*hurt);
                    let row = &mut self.record.units[at];
                    row.taken = row.taken.saturating_add(taken);
                    if let Some(by) = by {
                        let at = self.at(by);
                        let row = &mut self.record.units[at];
                        row.dealt = row.dealt.saturating_add(taken);
                        if *to <= 0 {
                            self.killers.insert(*hurt, by);
                        }
                    }
                }
                if let (Some(by), Some(word)) = (by, cause.word)
                    && self.last != Some((by, word))
                {
                    self.last = Some((by, word));
                    let at = self.at(by);
                    *self.done.entry((at, word.0)).or_default() += 1;
                }
            }
            Event::Removed { unit, from, cause } => {
                if let Some(place) = from.as_ref().and_then(|spot| spot.place()) {
                    self.removals[place.index()] += 1;
                }
                // Where rules remove what has nothing left, it was whoever took the rest.
                let killer = self.killers.remove(unit);
                let by = match cause.by {
                    RecordedThing::Unit(by) if by != *unit => Some(by),
                    _ => killer,
                };
                if let Some(by) = by {
                    let at = self.at(by);
                    self.record.units[at].removed += 1;
                    if let Some(place) = self.stand.get(&by) {
                        self.kills[place.index()] += 1;
                    }
                }
            }
            Event::Moved { unit, to, .. } if self.tally.seen.is_some() => {
                // Whoever leaves the board still stood where it did what it is the cause of.
                if let Some(place) = to.as_ref().and_then(|spot| spot.place()) {
                    self.stand.insert(*unit, place);
                }
            }
            Event::Step(_) => self.last = None,
            // A match of games says less of itself than its last game.
            Event::Finished { outcome, .. } => {
                let contest = self.words.text(outcome.contest);
                if self.innermost.as_deref() == Some(contest) || self.record.reason.is_empty() {
                    self.words
                        .text(outcome.reason)
                        .clone_into(&mut self.record.reason);
                }
            }
            _ => {}
        }
    }

    fn begins(&mut self, phase: u8) {
        self.began |= matches!(self.rules.phases[phase as usize].work, PhaseBody::Turn { .. })
            && !self.tally.is_setup(phase);
    }

    /// Adds the counts to the rows.
    fn add_uses(&mut self) {
        for counted in [&mut self.chosen, &mut self.done] {
            for ((at, word), count) in std::mem::take(counted) {
                let word = self.words.text(WordId(word)).to_owned();
                let uses = self.record.units[at].uses.entry(word).or_default();
                *uses = count.max(*uses);
            }
        }
    }
}

/// A number over what was chosen, rolled and thrown, and over who won and how everything stands at the end, the same on
/// every machine.
fn digest(rules: &Rules, words: &Words, world: &World, events: &[Event]) -> String {
    let mut key = RollKey::new(events.len() as u64);
    for event in events {
        key = match event {
            Event::Chose(answer) => answer
                .chosen
                .things()
                .fold(key, |key, it| with_chosen(key, it, words)),
            Event::Rolled { dice, .. } => dice.values().fold(key, |key, n| key.with(n.cast_unsigned())),
            Event::Lay { to, .. } => to
                .at
                .iter()
                .fold(key, |key, n| key.with(i64::from(*n).cast_unsigned())),
            _ => key,
        };
    }
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

/// A key over what was chosen as well. Words are told apart by how they read.
fn with_chosen(key: RollKey, chosen: NamedOption, words: &Words) -> RollKey {
    let (kind, number) = match chosen {
        NamedOption::Unit(unit) => (1, unit.stored().cast_unsigned()),
        NamedOption::Place(place) => (2, place.index() as u64),
        NamedOption::Point(point) => return key.with(3).with(point.x as u64).with(point.y as u64),
        NamedOption::Faction(faction) => (4, faction.index() as u64),
        NamedOption::Type(kind) => (5, kind.index() as u64),
        NamedOption::Terrain(terrain) => (6, terrain.index() as u64),
        NamedOption::Number(n) => (7, n.cast_unsigned()),
        NamedOption::Word(word) => return key.with(8).with_text(words.text(word)),
        NamedOption::Many(ways) => (9, ways),
        NamedOption::Edge(edge) => (10, edge.index() as u64),
        // Its parts were told one by one.
        NamedOption::Several(_) => return key,
    };
    key.with(kind).with(number)
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
