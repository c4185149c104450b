//! The step of a game that changed the chances of winning most. The chances of a position are estimated: it is played to
//! its end many times with random answers and random dice.

use crate::agents::Agent;
use crate::kernel::event::Event;
use crate::kernel::ids::FactionId;
use crate::play::{Checkpoint, Play, Progress};
use crate::report::Problem;
use crate::work::Task;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Maximum number of steps of one random game; a longer one counts as a draw.
const MOST_STEPS: u32 = 20_000;
/// Number of positions that divide the game, and then the part of it with the largest change, in each pass.
const PARTS: usize = 12;

/// A step, and the chances before and after it.
#[derive(Debug, Clone, PartialEq)]
pub struct TurningPoint {
    /// Index of the step among the checkpoints of the play.
    pub step: usize,
    /// The faction whose chance changed most.
    pub faction: FactionId,
    /// Its chance to win before the step, from 0 to 1.
    pub before: f64,
    /// Its chance to win after the step.
    pub after: f64,
    /// Number of positions of which the chances were estimated.
    pub positions: usize,
}

/// Finds the turning point of a play that keeps its checkpoints, with this number of random games for each position. The
/// search divides the game into parts and goes on with the part in which the chances change most, so it may miss a
/// change that the next steps undo. `None` if the play has no steps, or was stopped before anything was found.
///
/// # Errors
///
/// Rules that fail in a random game.
pub fn find(play: &mut Play, games: u64) -> Result<Option<TurningPoint>, Problem> {
    let mut checkpoints: Vec<Checkpoint> = play.trail().to_vec();
    for checkpoint in &mut checkpoints {
        checkpoint.position.answers.clear();
    }
    // The present position comes last: the step under way may have been answered in part.
    checkpoints.push(play.checkpoint());
    let search = Search {
        checkpoints,
        record: play.events(),
        words: play.table().words.len(),
        games,
    };
    let progress = play
        .work()
        .begin("random games from positions of this game", None);
    play.suppose(|play| {
        let found = search.run(play, &progress);
        // Random games have left their own events and words.
        search.recall(play, search.checkpoints.len() - 1);
        found
    })
}

/// The game in which the turning point is searched, and the number of random games.
struct Search {
    /// The starts of the steps, and the present position.
    checkpoints: Vec<Checkpoint>,
    /// The events of the game.
    record: Vec<Event>,
    /// The number of words known to the game.
    words: usize,
    /// The number of random games for each position.
    games: u64,
}

impl Search {
    fn run(&self, play: &mut Play, progress: &Task) -> Result<Option<TurningPoint>, Problem> {
        let mut known: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        let (mut from, mut to) = (0, self.checkpoints.len() - 1);
        while to > from {
            let parts = PARTS.min(to - from);
            let marks: Vec<usize> = (0..=parts).map(|n| from + (to - from) * n / parts).collect();
            for &mark in &marks {
                if let Entry::Vacant(place) = known.entry(mark) {
                    let Some(chances) = self.chances(play, mark, progress)? else {
                        return Ok(None);
                    };
                    place.insert(chances);
                }
            }
            let change = |pair: &[usize]| largest_change(&known[&pair[0]], &known[&pair[1]]).1;
            // The first of several that are alike.
            let pairs = marks.windows(2).rev();
            let Some(&[first, second]) = pairs.max_by(|a, b| change(a).total_cmp(&change(b))) else {
                break;
            };
            (from, to) = (first, second);
            if to - from == 1 {
                let (before, after) = (&known[&from], &known[&to]);
                let (faction, _) = largest_change(before, after);
                return Ok(Some(TurningPoint {
                    step: from,
                    faction: FactionId(faction as u8),
                    before: before[faction],
                    after: after[faction],
                    positions: known.len(),
                }));
            }
        }
        Ok(None)
    }

    /// Goes to a position of the game, with the events before it.
    fn recall(&self, play: &mut Play, position: usize) {
        play.table_mut().events.clone_from(&self.record);
        play.go_to(&self.checkpoints[position]);
        play.forget_words(self.words);
    }

    /// Plays a position to its end and returns the share of the games that each faction won; `None` if it was stopped.
    /// The same position gives the same chances each time.
    fn chances(
        &self,
        play: &mut Play,
        position: usize,
        progress: &Task,
    ) -> Result<Option<Vec<f64>>, Problem> {
        let mut wins = vec![0u64; play.ruleset().rules.factions.len()];
        for game in 1..=self.games {
            self.recall(play, position);
            let mut start = self.checkpoints[position].clone();
            start.position.seed = start.position.seed.wrapping_add(game);
            play.go_to(&start);
            if let Some(source) = Agent::Random.source(game) {
                play.set_source(source);
            }
            let mut left = MOST_STEPS;
            while left > 0 {
                match play.advance_by(&mut left) {
                    Progress::Stepped => {}
                    Progress::Failed(_) if play.work().is_interrupted() => return Ok(None),
                    Progress::Failed(problem) => return Err(*problem),
                    _ => break,
                }
            }
            if play.work().is_interrupted() || progress.is_stopped() {
                return Ok(None);
            }
            if let Some(winner) = play.table().world.outcome.and_then(|outcome| outcome.winner) {
                wins[winner.index()] += 1;
            }
            progress.step();
        }
        let share = |won: u64| won as f64 / self.games.max(1) as f64;
        Ok(Some(wins.into_iter().map(share).collect()))
    }
}

/// Returns the faction whose chance changes most, and by how much.
fn largest_change(before: &[f64], after: &[f64]) -> (usize, f64) {
    let changes = before.iter().zip(after).map(|(b, a)| (a - b).abs());
    let largest = changes.enumerate().rev().max_by(|a, b| a.1.total_cmp(&b.1));
    largest.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Source;
    use crate::rules::workspace::Workspace;
    use crate::stage::run::{self, Overrides};

    /// A finished game, with its checkpoints.
    fn played(scenario: &str) -> Play {
        let source = Source::new("it.toml", scenario);
        let opened = run::open(&source).unwrap_or_else(|problems| panic!("{problems}"));
        let ran = run::run(
            &Workspace::at(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")),
            &opened,
            &Overrides::default(),
        );
        ran.unwrap_or_else(|problems| panic!("{problems}")).play
    }

    /// A ram that steps to the open gate wins; before it does, it may as well walk elsewhere.
    const GATE: &str = "game = \"smalltricks\"\nunits.red = [\"battery_ram c5\"]\nunits.blue = [\"archers f4\"]\n\
        answers = [\"move: c6\", \"crash through: crash\"]\nopen = \"first\"\nuntil = \"end of round 1\"\n";

    #[test]
    fn the_step_that_decides_a_game_is_its_turning_point() {
        let mut play = played(GATE);
        let (record, world) = (play.events(), play.table().world.clone());
        let found = find(&mut play, 40).expect("the rules run").expect("it is over");
        let step = play.trail()[found.step].position.step;
        assert_eq!(play.ruleset().rules.who(step.about), "red.battery_ram1");
        // The last step that leads to the end is certain after it.
        assert!(found.before < 0.8 && found.after > found.before, "{found:?}");
        assert_eq!(
            find(&mut play, 40).expect("the rules run").as_ref(),
            Some(&found),
            "it is the same again"
        );
        assert_eq!(
            (play.events(), &play.table().world),
            (record, &world),
            "the table is as it was"
        );
    }

    #[test]
    fn a_game_without_steps_has_no_turning_point() {
        let mut play = played(GATE);
        play.drop_trail();
        assert_eq!(find(&mut play, 5).expect("the rules run"), None);
    }

    #[test]
    fn a_game_that_is_stopped_has_no_turning_point() {
        let mut play = played(GATE);
        play.work().interrupt();
        assert_eq!(find(&mut play, 40).expect("it was stopped"), None);
    }
}
