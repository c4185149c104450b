//! Positions by names: what is described, written, read, laid and compared is the same position.

use crate::support::{root, short_game};
use proptest::prelude::*;
use rulebench::agents::Agent;
use rulebench::description::Description;
use rulebench::play::carry::Carry;
use rulebench::play::{Play, Progress};
use rulebench::report::Source;
use rulebench::rules::workspace::Workspace;
use rulebench::scenario::file::ScenarioFile;
use rulebench::stage::record;
use rulebench::stage::run::{self, Overrides};

/// A game of these rules after so many steps of random play.
fn played(game: &str, seed: u64, steps: usize) -> (ScenarioFile, Play) {
    let laid = run::lay(
        &Workspace::at(root()),
        &short_game(game, seed, 1),
        &Overrides::default(),
    );
    let mut laid = laid.unwrap_or_else(|problems| panic!("{problems}"));
    let agent = Agent::Random.source(seed);
    laid.play
        .set_source(agent.expect("the random agent answers at once"));
    for _ in 0..steps {
        if laid.play.advance() != Progress::Stepped {
            break;
        }
    }
    laid.play.clear_source();
    // Between two steps the position is that of the step before.
    laid.play.prepare();
    (laid.file, laid.play)
}

fn described(play: &Play) -> Description {
    let table = play.table();
    Description::of(&table.rules, &table.words, &table.world)
}

fn games() -> Vec<String> {
    Workspace::at(root()).games()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    /// The scenario of a position, printed, read and laid, has that position, but for what it notes that it cannot say.
    #[test]
    fn a_position_is_laid_as_it_is_written(seed in 0u64..1_000_000, steps in 0usize..60) {
        for game in games() {
            let (file, play) = played(&game, seed, steps);
            let (file, _) = record::of_position(&play, &file);
            let text = file.to_toml();
            let read = ScenarioFile::parse(Source::new("position", text.as_str()));
            let read = read.unwrap_or_else(|problems| panic!("{problems}\n{text}"));
            prop_assert_eq!(&read.position, &file.position);
            let rules = &play.table().rules;
            let (world, _, problems) = read.position.lay(rules, &read.source);
            prop_assert!(problems.is_empty(), "{:?}", problems);
            let laid = Description::of(rules, &play.table().words, &world);
            prop_assert_eq!(laid.for_scenario(rules).0, file.position);
            let here = described(&play).by_name(rules);
            let is_here = |name: &String| here.get(name).is_some_and(|known| known["place"] != "removed");
            // Where units are numbered otherwise, all that they have differs.
            if read.position.names().concat().iter().all(is_here) {
                // Who was removed is not there, and nobody goes first or has won.
                let is_there = |who: &str| laid.by_name(rules).contains_key(who);
                for change in described(&play).difference(rules, &laid, rules) {
                    let known = ["goes first", "last winner"].contains(&change.slot.as_str());
                    prop_assert!(known || change.tweak.is_none() && !is_there(&change.who), "{:?}", change);
                }
            }
        }
    }

    /// Under the same rules a position is carried over to itself, at any step of any game.
    #[test]
    fn carrying_to_the_same_rules_is_the_identity(seed in 0u64..1_000_000, steps in 0usize..60) {
        for game in games() {
            let (_, play) = played(&game, seed, steps);
            let table = play.table();
            let mut words = table.words.clone();
            let carry = Carry::new(&table.rules, &table.words, &table.rules, &mut words);
            let carry = carry.unwrap_or_else(|why| panic!("{why}"));
            let position = table.position();
            prop_assert_eq!(carry.position(&position), Ok(position));
        }
    }
}
