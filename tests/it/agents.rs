//! Agents that search play well enough to be worth playing against, and fair.

use crate::support::{Small, play_greedily, root, short_game};
use rulebench::kernel::event::Event;
use rulebench::kernel::ids::FactionId;
use rulebench::report::Source;
use rulebench::scenario::run::{self, Overrides};
use rulebench::script::workspace::Workspace;

/// Who won a whole game in which one side is greedy and the other answers at random; `None` for a draw.
/// `SHOW=1` prints how each game ended.
fn winner(game: &str, seed: u64, side: FactionId) -> Option<FactionId> {
    let workspace = Workspace::Folder(root().to_owned());
    let laid = run::lay(&workspace, &short_game(game, seed, 12), &Overrides::default());
    let mut play = laid.unwrap_or_else(|p| panic!("{p}")).play;
    play_greedily(&mut play, side, seed);
    if std::env::var_os("SHOW").is_some() {
        let told = play.lines_from(0);
        let end = told.iter().rfind(|l| l.contains("wins the game")).cloned();
        println!(
            "{game} seed {seed}, faction {} is greedy: {}",
            side.0,
            end.unwrap_or_default()
        );
    }
    let events = play.events();
    let ends = events.iter().find_map(|e| match e {
        Event::Finished { outcome, .. } => Some(outcome.winner),
        _ => None,
    });
    ends.expect("somebody wins, or nobody does")
}

/// Games from set-up to end, seats swapped: how many greedy won, nobody, random.
fn score(game: &str, games: u64) -> [u64; 3] {
    let mut score = [0; 3];
    for n in 0..games {
        let side = FactionId((n % 2) as u8);
        match winner(game, n / 2, side) {
            None => score[1] += 1,
            Some(winner) if winner == side => score[0] += 1,
            Some(_) => score[2] += 1,
        }
    }
    score
}

/// An agent that looks no further than its own step stays where it stands and wins nothing.
/// `GAMES=100 cargo test --test it greedy_beats -- --nocapture` measures it.
fn is_better(game: &str) {
    let games = std::env::var("GAMES").ok().and_then(|n| n.parse().ok());
    let games: u64 = games.unwrap_or(8);
    let [won, drawn, lost] = score(game, games);
    println!("{game}: {won} won, {drawn} drawn, {lost} lost");
    assert!(
        won > games / 2 && lost <= games / 4,
        "{game}: {won} won, {lost} lost"
    );
}

#[test]
fn greedy_beats_random_in_smalltricks() {
    is_better("smalltricks");
}

#[test]
fn greedy_beats_random_in_pocket_tactics() {
    is_better("pocket-tactics");
}

const WAGER: &str = r##"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 1] } }
fn slots() { #{ faction: #{ points: 0, armed: 0, stake: 0 } } }
fn phases() { [#{ phase: "round", repeat: true, contest: "game", phases: [
    #{ phase: "arms", each: "faction", step: "arm" },
    #{ phase: "wager", each: "faction", step: "wager" },
    #{ phase: "pay", each: "game", step: "pay" },
] }] }
/// Nothing comes of it before the round's end.
fn arm(side) { if choose(side, "arms", ["rest", "arm"]) == "arm" { side.armed = 1; } }
fn wager(side) {
    let stake = choose(side, "stake", [0, 6]);
    side.points += if roll(side, "wager", 1, 6).total == 6 { stake } else { 0 - stake };
}
fn pay() {
    for side in factions() {
        side.points += side.armed;
        side.armed = 0;
    }
    if count("round") == 3 { draw("enough"); }
}
fn worth(side) { side.points }
"##;

/// It sees what comes of its answer by the end of the round, and no die before it is rolled, whatever the seed.
#[test]
fn greedy_looks_to_the_end_of_the_round_and_foresees_no_dice() {
    let small = Small::new(WAGER);
    let mut sixes = 0;
    for seed in 1..=12 {
        let text = format!("game = \"tiny\"\nseed = {seed}\nopen = \"greedy\"\n");
        let file = run::open(&Source::new("it.toml", text)).expect("it is read");
        let ran = run::run(&small.workspace(), &file, &Overrides::default());
        let lines = ran.unwrap_or_else(|p| panic!("{p}")).play.lines_from(0);
        let times = |what: &str| lines.iter().filter(|l| l.contains(what)).count();
        // In the last round, which ends in a draw, points are worth nothing.
        assert_eq!(
            (times("chose arms: arm"), times("chose stake: 0")),
            (4, 6),
            "{lines:?}"
        );
        sixes += times("wager: 6");
    }
    assert!(sixes > 0, "some who saw it coming would have staked");
}
