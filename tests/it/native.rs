//! A second implementation of one game's rules, by hand, is the oracle of its scripts: the same questions
//! and the same end from the same answers. The bench `native` plays far more games of each.

#[path = "../../benches/native/oracle.rs"]
mod oracle;
#[path = "../../benches/native/rules.rs"]
mod rules;

use rules::variant::*;

/// The same units in the middle of a fight, hurt: whatever happens to one of them happens soon.
pub const CLOSE: &str = r#"
game = "smalltricks"
units.red  = ["assault_beasts c2 life=2", "mounted c3 life=2", "archers b2 life=1", "spears d3 life=1", "militia d2", "aerial e2"]
units.blue = ["spears c3 life=1", "cannons c2 life=2", "archers d4 life=1", "mounted d3 life=2", "assault_beasts e3 life=1", "muskets b4 life=1"]
"#;

/// The variants that are known by hand, each by its bit, to be put together as one likes.
pub const VARIANTS: &[(&str, u32)] = &[
    ("abilities-must-be-used", ABILITIES_MUST_BE_USED),
    ("aerial-only-assault", AERIAL_ONLY_ASSAULT),
    ("agreed-ending", AGREED_ENDING),
    ("charge-leads-away", CHARGE_LEADS_AWAY),
    ("charges-may-be-declined", CHARGES_MAY_BE_DECLINED),
    ("combats-last", COMBATS_LAST),
    ("fire-unmoved", FIRE_UNMOVED),
    ("first-volley-aimed", FIRST_VOLLEY_AIMED),
    ("free-unit-spares-the-castle", FREE_UNIT_SPARES_THE_CASTLE),
    ("friendly-fire", FRIENDLY_FIRE),
    ("idle-archers-forget", IDLE_ARCHERS_FORGET),
    ("last-army-standing", LAST_ARMY_STANDING),
    ("ranged-first", RANGED_FIRST),
    ("small-lead-draws", SMALL_LEAD_DRAWS),
    ("sticky-engagement", STICKY_ENGAGEMENT),
    ("trample-damage", TRAMPLE_DAMAGE),
];

/// Number of games for each set of rules, from a set-up position and from armies that the agent chooses.
const GAMES: u64 = 40;

/// Number of games for each pair of variants.
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
    let known = VARIANTS;
    for (index, &(one, bit)) in known.iter().enumerate() {
        for &(other, with) in &known[index + 1..] {
            let variants = [one, other];
            if CONFLICTS.contains(&variants) {
                continue;
            }
            // Shown where they differ.
            println!("{one} with {other}");
            for (mut play, mut start) in [oracle::set_up(CLOSE, &variants), oracle::whole(&variants)] {
                for seed in 0..GAMES_OF_A_PAIR {
                    oracle::compare_under::<{ ANY }>(bit | with, &mut play, &mut start, seed);
                }
            }
        }
    }
}
