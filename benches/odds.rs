//! Exact odds: of a duel of four dice against four, with a die rolled again and one turned up on each side, in
//! steps of a few lines with the dice in slots; and of a fight of a game that comes along, asked before it is
//! known how it is fought.

use divan::Bencher;
use rulebench::odds::{OddsQuery, ask, root};
use rulebench::report::Source;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::{self, Overrides};
use std::collections::BTreeMap;

const GAME: &str = r##"
fn board() { #{ factions: ["red", "blue"], hexes: [3, 1] } }
fn slots() { #{ faction: #{ dice: #{ holds: "dice" }, again: false } } }
fn phases() { [
    #{ phase: "plan", each: "game", step: "plan" },
    #{ phase: "duel", whole: true, phases: [
        #{ phase: "throw", each: "faction", step: "throw_dice" },
        #{ phase: "take", each: "faction", step: "take" },
        #{ phase: "again", each: "faction", step: "again" },
        #{ phase: "turn up", each: "faction", step: "turn_up" },
        #{ phase: "count", each: "game", step: "count" },
    ] },
] }
fn plan() { choose(first(), "plan", ["fight", "wait"]); }
fn throw_dice(side) { side.dice = roll(side, "throw", 4, 6); }
fn take(side) {
    let die = choose(side, "roll again", side.dice, "none");
    if die != "none" { side.dice = side.dice.without(die); side.again = true; }
}
fn again(side) {
    if side.again { side.again = false; side.dice = side.dice + roll(side, "again", 1, 6); }
}
fn turn_up(side) {
    let die = choose(side, "turn up", side.dice);
    side.dice = side.dice.raised(die, 1, 6);
}
fn count() {
    let red = first().dice.highest;
    let blue = second().dice.highest;
    if red > blue { remove(second().units.first); }
    if blue > red { remove(first().units.first); }
}
"##;

const LAID: &str =
    "game = \"duel\"\nunits.red = [\"scouts a1\"]\nunits.blue = [\"scouts b1\"]\nanswers = [\"fight\"]\n";

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn four_against_four(bencher: Bencher<'_, '_>) {
    let files = [
        ("scripts/duel/game.rhai", GAME),
        ("units/duel/scouts.rhai", "fn stats() { #{ symbol: \"Sc\" } }"),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let workspace = Workspace::at("\0").with(BTreeMap::from(files));
    looked_at(bencher, &workspace, LAID);
}

const FIGHT: &str = r#"
game = "pocket-tactics"
terrain.field = "g5 g6 g7 g8 g9"
terrain.hill = "g7"
terrain.forest = "g8"
units.red = ["cavalier g7"]
units.blue = ["footman g8"]
answers = ["attack"]
"#;

#[divan::bench(sample_count = 10, sample_size = 1)]
fn a_cavalier_before_it_says_how_it_attacks(bencher: Bencher<'_, '_>) {
    looked_at(bencher, &rulebench::embedded::games(), FIGHT);
}

fn looked_at(bencher: Bencher<'_, '_>, workspace: &Workspace, laid: &str) {
    let source = Source::new("scenarios/it.toml", laid);
    let told = run::open_in(workspace, &source)
        .and_then(|opened| root::of_scenario(workspace, &opened, &Overrides::default(), &[]));
    let mut told = told.unwrap_or_else(|problems| panic!("{}", problems.page(false)));
    bencher.bench_local(|| {
        let odds = ask(&mut told.play, &told.root, &OddsQuery::default());
        odds.unwrap_or_else(|problems| panic!("{}", problems.page(false)))
            .work
            .runs
    });
}
