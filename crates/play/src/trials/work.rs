//! Fuel counts work: whatever function a script calls in a loop, with whatever it can make, the step
//! ends in time.

use crate::kernel::event::Event;
use crate::kernel::ids::FactionId;
use crate::kernel::table::{Answerer, Position, Question, Reply};
use crate::kernel::world::World;
use crate::play::{Play, Progress};
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::run::fuel::{MAX_OPERATIONS, less};
use crate::rules::run::library::MUTATORS;
use crate::rules::run::natives::{NATIVES, PROPERTIES};
use crate::rules::run::value::Kind;
use crate::rules::workspace::Workspace;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Agent that takes the first option of every question.
struct First;

impl Answerer for First {
    fn answer(&mut self, _: &Question<'_>) -> Reply {
        Reply::Take(0)
    }
}

const RULES: &str = r##"
    fn board() { #{ factions: ["red", "blue"], hexes: [11, 11], zones: #{ home: #{ red: rows(1, 3), blue: rows(9, 11) } } } }
    fn stats() { #{ life: 3, move: 9 } }
    fn slots() { #{ unit: #{ life: 0 }, faction: #{ score: 0 }, game: #{ wind: 0 } } }
    fn phases() { [#{ phase: "go", each: "game", step: "begin" }] }
    fn about(u) { 1 }
    fn grown(it, times) { for i in 0..times { it += it; } it }
    fn listed(it, times) { for i in 0..times { it += it; } it }
    fn mapped() { let m = #{}; for i in 0..64 { m["key" + i] = i; } m }
    fn twins() { let l = [1]; for i in 0..12 { l = [l, l]; } l }
"##;

/// A game whose only step does this, with everything that is large at hand.
fn play(body: &str) -> Result<Play, String> {
    let text = format!(
        "{RULES}\nfn begin() {{\n let u = units().first; let p = middle(); let f = first(); \
         let k = unit_type(\"scout\"); let long = grown(\"ab\", 12); let word = \"score\"; \
         let list = listed([3, 1, 2, 4], 8); let texts = listed([\"b\", \"a\"], 8); let map = mapped(); \
         let twins = twins(); let dice = no_dice().plus(4).plus(3);\n{body}\n}}"
    );
    let texts = [
        ("scripts/tiny/game.rhai", text.as_str()),
        ("units/tiny/scout.rhai", "fn stats() { #{ life: 2 } }"),
        ("scripts/tiny/terrain/mud.rhai", "fn stats() { #{} }"),
    ];
    let texts: BTreeMap<String, String> = texts.map(|(p, t)| (p.to_owned(), t.to_owned())).into();
    let workspace = Workspace::at("no such folder").with(texts);
    let ruleset = Ruleset::load(&workspace, "tiny", &LoadOptions::default()).map_err(|p| p.page(false))?;
    let rules = Arc::clone(&ruleset.rules);
    let mut world = World::new(&rules);
    let kind = rules.unit_type("scout").expect("declared");
    let places: Vec<_> = rules.board.places().iter().collect();
    let mud = rules.terrain("mud").expect("declared");
    for &place in &places {
        world.lay(&rules, place, mud);
    }
    for nth in 0..60 {
        let unit = world
            .enlist(&rules, FactionId(nth % 2), kind)
            .expect("there is room");
        world.put(unit, places[usize::from(nth)]);
    }
    let mut play = Play::new(ruleset, &Position::start(world, false, 1, 0));
    play.set_source(Box::new(First));
    let table = play.table_mut();
    table.events = vec![
        Event::Phase {
            phase: 0,
            iteration: 1
        };
        2_000
    ];
    Ok(play)
}

/// Measures the time that the step of such a game takes; also returns its result.
fn time(body: &str) -> (Duration, String) {
    let mut play = match play(body) {
        Ok(play) => play,
        Err(page) => return (Duration::ZERO, page),
    };
    let began = Instant::now();
    let before = spent(began);
    let end = match play.advance() {
        Progress::Failed(problem) => problem.message.clone(),
        other => format!("{other:?}"),
    };
    (spent(began).saturating_sub(before), end)
}

/// Time that this thread has run, or that has passed where the system does not tell.
fn spent(began: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran = text.and_then(|t| t.split(' ').next()?.parse().ok());
    ran.map_or_else(|| began.elapsed(), Duration::from_nanos)
}

/// Returns the arguments tried for a parameter of this kind, the largest first.
fn given(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Any => &["twins", "list", "u", "f", "long"],
        Kind::Bool => &["true"],
        Kind::Int => &["6", "60", "3"],
        Kind::Word => &["long", "word", "\"scout\"", "\"a\"", "\"life\""],
        Kind::Unit => &["u"],
        Kind::Place => &["p"],
        Kind::Faction => &["f"],
        Kind::Type => &["k"],
        Kind::Terrain => &["terrain(\"mud\")"],
        Kind::Edge => &["edge(p, p.adjacent.first)"],
        Kind::Units => &["units()"],
        Kind::Places => &["places()"],
        Kind::Dice => &["dice"],
        Kind::List => &["list", "texts", "twins"],
        Kind::Map => &["map"],
        Kind::Function => &["|a, b| about(a) == 1", "|a, b| 0"],
        Kind::Game => &["game()"],
        Kind::Range => &["0..200"],
        Kind::Length => &["6.5"],
        Kind::Spot => &["spot(1, 2)"],
        Kind::Region => &["0..3"],
        Kind::Nothing => &["()"],
    }
}

#[test]
fn whatever_is_called_in_a_loop_ends_in_time() {
    const FUEL: u64 = 100_000;
    // Its part of the time that a whole step may take; without optimisation it takes ten times as long.
    let step = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 2 });
    let most = step / (MAX_OPERATIONS / FUEL) as u32;
    less::set(FUEL);
    let mut calls: Vec<String> = Vec::new();
    for native in NATIVES {
        for nth in 0..5 {
            let args: Vec<&str> = native
                .params
                .iter()
                .map(|(_, kind)| given(*kind)[nth.min(given(*kind).len() - 1)])
                .collect();
            calls.push(format!("{}({})", native.name, args.join(", ")));
        }
    }
    for property in PROPERTIES {
        for of in given(property.of) {
            calls.push(format!("({of}).{}", property.name));
        }
    }
    for mutator in MUTATORS {
        for nth in 0..3 {
            let args: Vec<&str> = mutator
                .params
                .iter()
                .map(|(_, kind)| given(*kind)[nth.min(given(*kind).len() - 1)])
                .collect();
            let of = given(mutator.of)[nth.min(given(mutator.of).len() - 1)];
            calls.push(format!("let it = {of}; it.{}({})", mutator.name, args.join(", ")));
        }
    }
    let things = [
        "long", "list", "map", "twins", "units()", "places()", "dice", "7", "u",
    ];
    for sign in ["+", "-", "==", "!=", "<", ">=", "|", "&", "in"] {
        for left in things {
            for right in [left, "list"] {
                calls.push(format!("{left} {sign} {right}"));
            }
        }
    }
    calls.extend(
        [
            "for l in long { }",
            "`${twins}${long}`",
            "switch twins { 1 => 2, _ => 3 }",
        ]
        .map(str::to_owned),
    );
    calls.sort();
    calls.dedup();
    let mut fuel = 0;
    let mut slow = Vec::new();
    for call in &calls {
        let (took, end) = time(&format!("loop {{ {call}; }}"));
        fuel += usize::from(end.contains("operations"));
        if took > most {
            slow.push(format!("{call}: {took:?}, {end:.80}"));
        }
    }
    less::set(MAX_OPERATIONS);
    assert!(fuel > 250, "only {fuel} of {} end by fuel", calls.len());
    assert!(
        slow.is_empty(),
        "at most {most:?} each; {} calls:\n{}",
        slow.len(),
        slow.join("\n")
    );
}
