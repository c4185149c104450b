//! Measures of games: what is counted in a game, and what the count is divided by.

use super::record::{GameEnd, GameRecord, side_in};
use crate::report::{Problem, hint_for};
use crate::suite::problems::unknown_name;
use std::collections::BTreeSet;

/// One thing that is measured; with texts of its own, or borrowed ones.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure<S = String> {
    /// Share of games won by the first faction in turn order.
    First,
    /// Share of games that are drawn.
    Draws,
    /// Share of games that are cut off.
    CutOff,
    /// Number of times that the innermost repeating phase begins, by the phase's name.
    Length(S),
    /// Number of questions with several options after set-up.
    Decisions,
    /// Number with a name given by the game's hook `measures`, of a faction.
    Declared(S),
    /// Something of the units of a type.
    Unit(S, TypeMeasure<S>),
    /// Share of games that somebody wins.
    Decided,
    /// Share of the decided games that the first faction wins.
    FirstOfDecided,
    /// Share of games won by a faction.
    Wins(S),
    /// Share of games won by an agent that changes seats.
    AgentWins(S),
    /// Points of the first player, whatever its seat: 1 for a win, an equal part if nobody wins.
    Points,
    /// Points of the first faction in turn order.
    FirstPoints,
    /// Number of options of a question.
    Options,
    /// Changes of the faction that leads, by the worth of positions.
    LeadChanges,
    /// Share of the rounds that the winner begins behind others.
    Drama,
    /// Share of the decided games whose winner is behind at half-time.
    Comebacks,
}

/// Measure of a unit type.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypeMeasure<S = String> {
    /// The share of wins of those who field it, by how many they field; a draw is shared by all.
    WinShare,
    /// Share of its units that are in play at the end.
    Survival,
    /// Damage dealt by one of its units.
    Dealt,
    /// Damage taken by one of its units.
    Taken,
    /// Number of units removed by one of its units.
    Removed,
    /// Number of times that one of its units does the action of this word.
    Uses(S),
}

impl Measure {
    /// Whether it is a share, which is shown in per cent.
    pub fn is_share(&self) -> bool {
        use Measure::{Decisions, Declared, LeadChanges, Length, Options, Unit};
        match self {
            Unit(_, of) => matches!(of, TypeMeasure::WinShare | TypeMeasure::Survival),
            Length(_) | Decisions | Declared(_) | Options | LeadChanges => false,
            _ => true,
        }
    }

    /// Whether studies show it without being asked for it.
    pub fn is_shown(&self) -> bool {
        use Measure::{CutOff, Decisions, Declared, Draws, First, Length, Unit};
        matches!(
            self,
            First | Draws | CutOff | Length(_) | Decisions | Declared(_) | Unit(..)
        )
    }

    /// As users read and write it.
    pub fn name(&self) -> String {
        match self {
            Measure::First => "first faction wins".to_owned(),
            Measure::Draws => "draws".to_owned(),
            Measure::CutOff => "cut off".to_owned(),
            // A phase may be called by what there are many of.
            Measure::Length(phase) if phase.ends_with('s') => phase.clone(),
            Measure::Length(phase) => format!("{phase}s"),
            Measure::Decisions => "decisions".to_owned(),
            Measure::Declared(name) => name.clone(),
            Measure::Unit(unit, of) => format!("{unit}: {}", of.name()),
            Measure::Decided => "decisiveness".to_owned(),
            Measure::FirstOfDecided => "first-mover advantage".to_owned(),
            Measure::Wins(name) | Measure::AgentWins(name) => format!("{name} wins"),
            Measure::Points => "points".to_owned(),
            Measure::FirstPoints => "points of the first faction".to_owned(),
            Measure::Options => "branching".to_owned(),
            Measure::LeadChanges => "lead changes".to_owned(),
            Measure::Drama => "drama".to_owned(),
            Measure::Comebacks => "comebacks".to_owned(),
        }
    }

    /// Finds a measure by its name among those there are, or what units of a known type could do and did in no game: with
    /// other agents they may.
    ///
    /// # Errors
    ///
    /// There is no measure of that name, nor a type of which it would be one.
    pub fn find<'a>(name: &str, all: impl Iterator<Item = &'a Measure> + Clone) -> Result<Measure, Problem> {
        let name = name.trim();
        if let Some(found) = all.clone().find(|m| m.name() == name) {
            return Ok(found.clone());
        }
        let is_known = |unit: &str| {
            all.clone()
                .any(|m| matches!(m, Measure::Unit(known, _) if known == unit))
        };
        match name.split_once(": uses of ") {
            Some((unit, word)) if is_known(unit) => {
                Ok(Measure::Unit(unit.to_owned(), TypeMeasure::Uses(word.to_owned())))
            }
            _ => {
                let names: Vec<String> = all.map(Measure::name).collect();
                Err(unknown_name("measure", name).hint(hint_for(name, names.iter().map(String::as_str))))
            }
        }
    }

    /// The measure by whose divisor it is divided, where that is not its own: a word that was not used in a game
    /// could have been, by all of the type.
    pub(super) fn divided_by(&self) -> Option<Measure> {
        match self {
            Measure::Unit(unit, TypeMeasure::Uses(_)) => {
                Some(Measure::Unit(unit.clone(), TypeMeasure::Survival))
            }
            _ => None,
        }
    }

    /// Returns the default for the smallest difference worth seeing: 3 points of a share, a twentieth of a number.
    pub fn worth_seeing(&self, base: f64) -> f64 {
        if self.is_share() {
            0.03
        } else {
            (base.abs() * 0.05).max(0.001)
        }
    }
}

impl<S> Measure<S> {
    /// The same with its texts turned into others.
    pub(super) fn map<'s, T>(&'s self, text: impl Fn(&'s S) -> T) -> Measure<T> {
        use TypeMeasure::{Dealt, Removed, Survival, Taken, Uses, WinShare};
        match self {
            Measure::First => Measure::First,
            Measure::Draws => Measure::Draws,
            Measure::CutOff => Measure::CutOff,
            Measure::Length(phase) => Measure::Length(text(phase)),
            Measure::Decisions => Measure::Decisions,
            Measure::Declared(name) => Measure::Declared(text(name)),
            Measure::Unit(unit, of) => Measure::Unit(
                text(unit),
                match of {
                    WinShare => WinShare,
                    Survival => Survival,
                    Dealt => Dealt,
                    Taken => Taken,
                    Removed => Removed,
                    Uses(word) => Uses(text(word)),
                },
            ),
            Measure::Decided => Measure::Decided,
            Measure::FirstOfDecided => Measure::FirstOfDecided,
            Measure::Wins(name) => Measure::Wins(text(name)),
            Measure::AgentWins(name) => Measure::AgentWins(text(name)),
            Measure::Points => Measure::Points,
            Measure::FirstPoints => Measure::FirstPoints,
            Measure::Options => Measure::Options,
            Measure::LeadChanges => Measure::LeadChanges,
            Measure::Drama => Measure::Drama,
            Measure::Comebacks => Measure::Comebacks,
        }
    }
}

impl TypeMeasure {
    fn name(&self) -> String {
        match self {
            TypeMeasure::WinShare => "win share".to_owned(),
            TypeMeasure::Survival => "survival".to_owned(),
            TypeMeasure::Dealt => "damage dealt".to_owned(),
            TypeMeasure::Taken => "damage taken".to_owned(),
            TypeMeasure::Removed => "removals".to_owned(),
            TypeMeasure::Uses(word) => format!("uses of {word}"),
        }
    }
}

/// Properties of an arm's game that counting needs.
#[derive(Debug, Clone, Default)]
pub struct GameFacts {
    /// The factions, in their order.
    pub factions: Vec<String>,
    /// The phase whose beginnings are the length of a game, by name.
    pub round: Option<String>,
    /// The agents by player, if they differ and change seats.
    pub agents: Vec<String>,
    /// Number of games of a seed.
    pub seats: u64,
    /// Whether the game says what positions are worth.
    pub has_worth: bool,
    /// Note that agents look ahead in a game without `worth`, if some do.
    pub without_worth: Option<String>,
    /// Other notes on the agents that play and on the start of the games.
    pub notes: Vec<String>,
}

/// Counts over some games of one arm: for each measure, in order, a count and its divisor.
#[derive(Debug, Clone, Default)]
pub struct MeasureCounts {
    all: Vec<(Measure, [f64; 2])>,
    /// Index of the measure that is probably next: games count the same ones one after the other.
    next: usize,
    /// Whether one was added since it was last asked.
    grew: bool,
}

impl MeasureCounts {
    /// Nothing is counted any more; the measures stay.
    pub(super) fn clear(&mut self) {
        self.all.iter_mut().for_each(|(_, counts)| *counts = [0.0; 2]);
    }

    /// Whether it has measures that it had not when it was last asked.
    pub(super) fn has_grown(&mut self) -> bool {
        std::mem::take(&mut self.grew)
    }

    /// The measures, in order, with their counts and divisors.
    pub(super) fn iter(&self) -> std::slice::Iter<'_, (Measure, [f64; 2])> {
        self.all.iter()
    }

    fn add(&mut self, measure: &Measure<&str>, count: f64, of: f64) {
        let next = self.all.get(self.next);
        let at = match next.is_some_and(|(next, _)| next.map(String::as_str) == *measure) {
            true => self.next,
            false => match self
                .all
                .binary_search_by(|(known, _)| known.map(String::as_str).cmp(measure))
            {
                Ok(at) => at,
                Err(at) => {
                    self.all
                        .insert(at, (measure.map(|text| (*text).to_owned()), [0.0; 2]));
                    self.grew = true;
                    at
                }
            },
        };
        self.next = at + 1;
        let entry = &mut self.all[at].1;
        entry[0] += count;
        entry[1] += of;
    }
}

impl FromIterator<(Measure, [f64; 2])> for MeasureCounts {
    fn from_iter<I: IntoIterator<Item = (Measure, [f64; 2])>>(counts: I) -> Self {
        let mut all: Vec<_> = counts.into_iter().collect();
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        Self {
            all,
            next: 0,
            grew: true,
        }
    }
}

/// Counts one game, in the order of the measures.
pub fn count(counts: &mut MeasureCounts, record: &GameRecord, facts: &GameFacts) {
    let mut add = |measure: Measure<&str>, count: f64, of: f64| counts.add(&measure, count, of);
    let factions = facts.factions.len();
    let is_won_by = |faction: &String| f64::from(record.winner.as_ref() == Some(faction));
    let ends = |end: GameEnd| f64::from(record.winner.is_none() && record.end == end);
    add(Measure::First, is_won_by(&record.first), 1.0);
    add(Measure::Draws, ends(GameEnd::Over), 1.0);
    add(Measure::CutOff, f64::from(record.end == GameEnd::CutOff), 1.0);
    if let Some(round) = &facts.round {
        add(Measure::Length(round), record.rounds.into(), 1.0);
    }
    add(Measure::Decisions, record.decisions.into(), 1.0);
    for (name, all) in &record.measures {
        let sum: i128 = all.iter().map(|n| i128::from(*n)).sum();
        add(Measure::Declared(name), sum as f64, all.len() as f64);
    }
    for row in &record.units {
        let many = f64::from(row.fielded);
        let mut of = |of: TypeMeasure<_>, count: f64| add(Measure::Unit(&row.unit, of), count, many);
        of(
            TypeMeasure::WinShare,
            record.points(&row.faction, factions) * many,
        );
        of(TypeMeasure::Survival, row.survived.into());
        of(TypeMeasure::Dealt, row.dealt as f64);
        of(TypeMeasure::Taken, row.taken as f64);
        of(TypeMeasure::Removed, row.removed.into());
        for (word, uses) in &row.uses {
            let uses_of = Measure::Unit(row.unit.as_str(), TypeMeasure::Uses(word.as_str()));
            add(uses_of, (*uses).into(), 0.0);
        }
    }
    let winner = facts
        .factions
        .iter()
        .position(|f| record.winner.as_ref() == Some(f));
    add(Measure::Decided, f64::from(winner.is_some()), 1.0);
    if winner.is_some() {
        add(Measure::FirstOfDecided, is_won_by(&record.first), 1.0);
    }
    for faction in &facts.factions {
        add(Measure::Wins(faction), is_won_by(faction), 1.0);
    }
    let player = winner.map(|seat| side_in(seat, record.game, factions));
    for agent in facts.agents.iter().collect::<BTreeSet<_>>() {
        let is_its = player.is_some_and(|player| facts.agents[player] == *agent);
        add(Measure::AgentWins(agent), f64::from(is_its), 1.0);
    }
    // In each game of a seed the first player sits one faction farther.
    if let Some(faction) = facts.factions.get((record.game % facts.seats.max(1)) as usize) {
        add(Measure::Points, record.points(faction, factions), 1.0);
    }
    add(Measure::FirstPoints, record.points(&record.first, factions), 1.0);
    add(Measure::Options, record.options as f64, record.decisions.into());
    let observations = record.seen.as_ref().filter(|_| facts.has_worth);
    let worth = observations.map_or(&[][..], |observations| &observations.worth);
    if !worth.is_empty() {
        add(Measure::LeadChanges, lead_changes(worth) as f64, 1.0);
    }
    if let (Some(winner), Some(half)) = (winner, worth.get(worth.len() / 2)) {
        add(Measure::Drama, drama(worth, winner), 1.0);
        add(Measure::Comebacks, f64::from(is_behind(half, winner)), 1.0);
    }
}

/// Returns the faction that leads, by the worth of a position to each; `None` if two have the highest worth.
fn leader(worth: &[i64]) -> Option<usize> {
    let most = worth.iter().max()?;
    let mut leaders = (0..worth.len()).filter(|who| worth[*who] == *most);
    leaders.next().filter(|_| leaders.next().is_none())
}

fn is_behind(worth: &[i64], who: usize) -> bool {
    worth.iter().any(|other| *other > worth[who])
}

/// Counts the changes of the leader, by the worth of positions to each faction; a tie in between changes nothing.
fn lead_changes(worth: &[Vec<i64>]) -> usize {
    let leads: Vec<usize> = worth.iter().filter_map(|w| leader(w)).collect();
    leads.windows(2).filter(|w| w[0] != w[1]).count()
}

/// Returns the share of rounds at whose beginning the winner was behind.
pub fn drama(worth: &[Vec<i64>], winner: usize) -> f64 {
    let behind = worth.iter().filter(|w| is_behind(w, winner)).count();
    behind as f64 / worth.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_told_by_how_many_phases_they_are() {
        let names = ["round", "turns"].map(|phase| Measure::Length(phase.to_owned()).name());
        assert_eq!(names, ["rounds", "turns"]);
    }

    #[test]
    fn leads_change_where_somebody_else_has_most() {
        let worth = |red: &[i64]| red.iter().map(|w| vec![*w, -w]).collect::<Vec<_>>();
        assert_eq!(lead_changes(&worth(&[0, 3, 0, 2, -1, 0, -4, 5])), 2);
        assert_eq!(lead_changes(&[]), 0);
        assert_eq!(drama(&worth(&[-1, 2, -3, 0]), 0), 0.5);
        assert_eq!(drama(&worth(&[-1, 2, -3, 0]), 1), 0.25);
        // All below nothing, of three sides, and with two who lead together.
        let three = [
            vec![-9, -5, -7],
            vec![-1, -5, -7],
            vec![-1, -1, -7],
            vec![-4, -9, -3],
        ];
        assert_eq!(lead_changes(&three), 2);
        assert_eq!((drama(&three, 0), drama(&three, 2)), (0.5, 0.75));
    }
}
