//! A second implementation of one game's rules, by hand, is the oracle of its scripts: the same questions
//! and the same end from the same answers. The bench `native` plays far more games of each.

#[path = "../../benches/native/oracle.rs"]
mod oracle;
#[path = "../../benches/native/rules.rs"]
mod rules;

/// How many games of each set of rules, from a laid position and from armies of the agent's choice.
const GAMES: u64 = 40;

/// How many of each pair of variants.
const GAMES_OF_A_PAIR: u64 = 12;

/// The pairs that their scripts declare as conflicts.
const CONFLICTS: [[&str; 2]; 2] = [
    ["abilities-must-be-used", "charges-may-be-declined"],
    ["first-volley-aimed", "idle-archers-forget"],
];

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

/// Any two variants that are known by hand, together: each acts as it does alone, whatever the other one does.
#[test]
fn any_two_variants_play_as_by_hand() {
    let known = oracle::VARIANTS;
    for (index, &(one, bit)) in known.iter().enumerate() {
        for &(other, with) in &known[index + 1..] {
            let variants = [one, other];
            if CONFLICTS.contains(&variants) {
                continue;
            }
            // Shown where they differ.
            println!("{one} with {other}");
            for (mut play, mut start) in [oracle::close(&variants), oracle::whole(&variants)] {
                for seed in 0..GAMES_OF_A_PAIR {
                    oracle::compare_under::<{ rules::variant::ANY }>(bit | with, &mut play, &mut start, seed);
                }
            }
        }
    }
}
