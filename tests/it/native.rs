//! A second implementation of one game's rules, by hand, is the oracle of its scripts: the same questions
//! and the same end from the same answers. The bench `native` plays far more games of each.

#[path = "../../benches/native/oracle.rs"]
mod oracle;
#[path = "../../benches/native/rules.rs"]
mod rules;

/// How many games of each set of rules, from a laid position and from armies of the agent's choice.
const GAMES: u64 = 40;

#[test]
fn scripts_and_rules_by_hand_play_the_same_games() {
    for (variants, compare) in oracle::RULES {
        let games = if variants.is_empty() { 5 * GAMES } else { GAMES };
        for (mut play, mut start) in [oracle::laid(variants), oracle::whole(variants)] {
            for seed in 0..games {
                compare(&mut play, &mut start, seed);
            }
        }
    }
}
