//! Games of a few lines, made to show one promise of the kernel each: conflicts, batches, replays,
//! names, turn order, hidden phases, removed units, units kept apart.

use crate::support::brief;
use proptest::collection::vec;
use proptest::prelude::*;
use rulebench::event_text;
use rulebench::kernel::ids::{FactionId, Thing};
use rulebench::kernel::table::Position;
use rulebench::kernel::world::World;
use rulebench::play::{Play, Progress};
use rulebench::report::Source;
use rulebench::rules::ruleset::{LoadOptions, Ruleset};
use rulebench::rules::trace::TraceLevel;
use rulebench::rules::workspace::Workspace;
use rulebench::scenario::answers;
use rulebench::scenario::file::ScenarioFile;
use rulebench::transcript::{Line, Stored, lines_of};
use std::sync::Arc;

/// Functions that every game here has unless it defines its own: units with life and a mark, and helpers that set up
/// units at the start.
const COMMON: &str = r##"
    fn stats() { #{ life: 2 } }
    fn slots() { #{
        unit: #{ life: #{ start: 0, at_zero: "death" }, mark: 0, target: #{ holds: "unit" } },
        faction: #{ score: 0 },
        place: #{ mark: 0, secret: #{ start: 0, quiet: true } },
        game: #{ mark: 0 },
    } }
    fn lay(side, at) {
        enlist(side, unit_type("scouts"));
        put(side.units.last, place(at));
    }
    fn death(me) { remove(me, "death"); }
    fn becomes_engaged(me) {}
"##;

fn try_load(functions: &str) -> Result<Arc<Ruleset>, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    let defined = |name: &str| functions.contains(&format!("fn {name}("));
    let mut text = String::new();
    if !defined("board") {
        text += "fn board() { #{ factions: [\"red\", \"blue\"], hexes: [3, 3], stack: 4, conflicts: \"second\" } }\n";
    }
    // A function that a game defines itself replaces the common one.
    for part in COMMON.split("    fn ").skip(1) {
        let name = part.split('(').next().unwrap_or_default();
        if !defined(name) {
            text += &format!("fn {part}");
        }
    }
    write("scripts/tiny/game.rhai", &format!("{text}\n{functions}"));
    write("units/tiny/scouts.rhai", "fn stats() { #{ symbol: \"Sc\" } }");
    let workspace = Workspace::at(folder.path());
    Ruleset::load(&workspace, "tiny", &LoadOptions::default())
        .map_err(|p| p.0.iter().map(brief).collect::<Vec<_>>().join("; "))
}

fn game(functions: &str) -> Play {
    let ruleset = try_load(functions).unwrap_or_else(|page| panic!("{page}"));
    let start = Position::start(World::new(&ruleset.rules), false, 1, 0);
    Play::new(ruleset, &start)
}

/// Answers the question that waits.
fn answer(play: &mut Play, key: &str) {
    let keys = play.with_question(|a| a.keys()).unwrap_or_default();
    let index = keys.iter().position(|k| k == key);
    let index = index.unwrap_or_else(|| panic!("`{key}` is not offered: {keys:?}"));
    assert!(play.answer(index));
}

/// Plays on with these answers; what it came to.
fn go(play: &mut Play, answers: &[&str]) -> Progress {
    let mut progress = play.run_on();
    for key in answers {
        assert_eq!(progress, Progress::Asks, "before `{key}`");
        answer(play, key);
        progress = play.run_on();
    }
    progress
}

fn offered(play: &Play) -> Vec<String> {
    play.with_question(|a| a.keys()).unwrap_or_default()
}

fn lines(play: &Play) -> Vec<Line> {
    let table = play.table();
    lines_of(&table.rules, &table.words, &table.events)
}

fn text(play: &Play) -> String {
    lines(play).iter().map(|l| l.text() + "\n").collect()
}

/// Plays a record again under rules, which may be others than its own.
fn replay(record: &[Line], functions: &str) -> (Play, Progress, Vec<String>) {
    let mut play = game(functions);
    let stored = Stored::new(record);
    let unused = stored.unused();
    play.set_source(Box::new(stored));
    let progress = play.run_on();
    (play, progress, unused.list())
}

/// The whole game, with these answers, plays again from its own record.
fn replays(functions: &str, answers: &[&str]) -> Play {
    let mut play = game(functions);
    assert_eq!(go(&mut play, answers), Progress::Over);
    let record = lines(&play);
    let (again, progress, unused) = replay(&record, functions);
    assert_eq!(progress, Progress::Over);
    assert_eq!(text(&again), text(&play));
    assert_eq!(unused, Vec::<String>::new());
    play
}

// --- who did it ------------------------------------------------------------------------------

/// Two of red's scouts and a place strike blue's one, which has two lives; its death pays whoever did it.
fn struck(simultaneous: bool, strike: &str) -> String {
    format!(
        r##"
    fn phases() {{ [
        #{{ phase: "opening", each: "game", step: "open" }},
        #{{ phase: "fight", each: "unit", step: "strike", simultaneous: {simultaneous} }},
    ] }}
    fn open() {{ lay(first(), "a1"); lay(first(), "a1"); lay(second(), "a1"); }}
    fn strike(me) {{ {strike} }}
    fn death(me) {{
        for who in by_whom() {{ add(who, "mark", 1, "kill"); }}
        for what in by_what() {{ add(me.owner.foe, "score", 1, what); }}
        remove(me);
    }}
"##
    )
}

#[test]
fn a_death_knows_who_did_it_and_by_what() {
    let strike = r#"if me.owner != first() { return; }
        for foe in me.foes { hit(foe, 1, if me == first().units.first { "stab" } else { "shove" }); }"#;
    // One after the other: it was the last.
    let one = text(&replays(&struck(false, strike), &[]));
    assert!(
        one.contains("red.scouts2  mark 0->1  (by kill, red.scouts2)"),
        "{one}"
    );
    assert!(
        !one.contains("red.scouts1  mark") && !one.contains("score 0->1  (by stab"),
        "{one}"
    );
    assert!(one.contains("red  score 0->1  (by shove, red.scouts2)"), "{one}");
    // At once: it was both, in the order of the record, each once.
    let both = text(&replays(&struck(true, strike), &[]));
    let first = both.find("red.scouts1  mark 0->1").expect("the first is paid");
    let second = both.find("red.scouts2  mark 0->1").expect("the second is paid");
    assert!(first < second, "{both}");
    assert!(
        both.contains("score 0->1  (by stab)") && both.contains("score 1->2  (by shove)"),
        "{both}"
    );
}

#[test]
fn a_healer_did_not_do_it_and_nobody_did_in_another_hook() {
    let strike = r#"
        if !by_whom().is_empty { add(first(), "score", 9, "wrong"); }
        if me.owner != first() { return; }
        for foe in me.foes {
            if me == first().units.first { add(foe, "life", 1, "heal"); } else { hit(foe, 3, "blow"); }
        }"#;
    let told = text(&replays(&struck(true, strike), &[]));
    assert!(
        told.contains("red.scouts2  mark 0->1") && !told.contains("red.scouts1  mark"),
        "{told}"
    );
    assert!(
        told.contains("score 0->1  (by blow)") && !told.contains("wrong"),
        "{told}"
    );
}

#[test]
fn a_death_that_brings_another_about_has_its_own_doer() {
    // Whoever falls takes the others along; each knows by whom.
    let rules = struck(false, "if me == second().units.first { hit(me.foes.first, 2, \"blow\"); }").replace(
        "remove(me);",
        "for it in me.allies { if it.life > 0 { hit(it, 2, \"grief\", me); } } for who in by_whom() { add(who, \"mark\", 10, \"still\"); } remove(me);",
    );
    let told = text(&replays(&rules, &[]));
    assert!(
        told.contains("red.scouts1  mark 0->1  (by kill, blue.scouts1)"),
        "{told}"
    );
    assert!(
        told.contains("blue.scouts1  mark 1->11  (by still, blue.scouts1)"),
        "{told}"
    );
}

// --- conflicts -------------------------------------------------------------------------------

const PRIZE: &str = r##"
    fn phases() { [
        #{ phase: "opening", each: "game", step: "open" },
        #{ phase: "fight", each: "unit", step: "strike", simultaneous: true },
    ] }
    fn open() { lay(first(), "a1"); lay(second(), "a1"); }
    fn strike(me) { for foe in me.foes { hit(foe, 2, "blow"); } }
"##;

#[test]
fn rivals_that_arise_from_deaths_in_one_batch_are_asked() {
    let rules = format!(
        "{PRIZE} fn death(me) {{ remove(me); exclusive(\"prize\"); add(me.owner, \"score\", 1, \"prize\"); }}"
    );
    let mut play = game(&rules);
    assert_eq!(go(&mut play, &[]), Progress::Asks);
    assert_eq!(offered(&play), ["blue.scouts1", "red.scouts1"]);
    let play = replays(&rules, &["blue.scouts1"]);
    let text = text(&play);
    assert!(
        text.contains("blue  score 0->1") && !text.contains("red  score"),
        "{text}"
    );
}

#[test]
fn the_word_of_one_death_does_not_cling_to_the_next() {
    let rules = format!(
        "{PRIZE} fn death(me) {{ if me.owner == first() {{ exclusive(\"prize\"); }} \
         remove(me); add(me.owner, \"score\", 1, \"prize\"); }}"
    );
    let play = replays(&rules, &[]);
    let text = text(&play);
    assert!(!text.contains("resolves first"), "{text}");
    assert!(
        text.contains("blue  score 0->1") && text.contains("red  score 0->1"),
        "{text}"
    );
}

#[test]
fn rivals_of_one_faction_are_all_offered() {
    let rules = r##"
        fn phases() { [
            #{ phase: "opening", each: "game", step: "open" },
            #{ phase: "race", each: "unit", step: "claim", simultaneous: true },
        ] }
        fn open() { lay(first(), "a1"); lay(first(), "b1"); lay(first(), "c1"); }
        fn claim(me) { exclusive("gate"); add(me, "mark", 1, "claim", me.owner); }
    "##;
    let mut play = game(rules);
    go(&mut play, &[]);
    assert_eq!(offered(&play), ["red.scouts1", "red.scouts2", "red.scouts3"]);
    let text = text(&replays(rules, &["red.scouts2"]));
    assert!(text.contains("red.scouts2  mark 0->1"), "{text}");
    assert_eq!(text.matches("mark 0->1").count(), 1, "{text}");
}

#[test]
fn rival_places_are_offered_as_places() {
    let rules = r##"
        fn phases() { [#{ phase: "flood", each: "place", step: "claim", simultaneous: true }] }
        fn claim(place) {
            if place.name != "a1" && place.name != "b2" { return; }
            place.secret = 1;
            exclusive("tide");
            add(place, "mark", 1, "tide");
        }
    "##;
    let mut play = game(rules);
    go(&mut play, &[]);
    assert_eq!(offered(&play), ["a1", "b2"]);
    let text = text(&replays(rules, &["b2"]));
    assert!(
        text.contains("b2  mark 0->1") && !text.contains("a1  mark"),
        "{text}"
    );
}

#[test]
fn rivals_about_the_same_thing_are_told_apart_by_their_phase() {
    let rules = r##"
        fn phases() { [
            #{ phase: "opening", each: "game", step: "open" },
            #{ phase: "race", simultaneous: true, phases: [
                #{ phase: "early", each: "unit", step: "one" },
                #{ phase: "late", each: "unit", step: "two" },
                #{ phase: "weather", each: "game", step: "three" },
            ] },
        ] }
        fn open() { lay(first(), "a1"); }
        fn one(me) { exclusive("gate"); add(me, "mark", 1, "claim"); }
        fn two(me) { exclusive("gate"); add(me, "mark", 2, "claim"); }
        fn three() { exclusive("gate"); add(game(), "mark", 3, "claim"); }
    "##;
    let mut play = game(rules);
    go(&mut play, &[]);
    assert_eq!(
        offered(&play),
        ["red.scouts1 in early", "red.scouts1 in late", "weather"]
    );
    let text = text(&replays(rules, &["red.scouts1 in late"]));
    assert!(text.contains("red.scouts1  mark 0->2"), "{text}");
    assert_eq!(text.matches("mark 0->").count(), 1, "{text}");
}

#[test]
fn rivals_about_the_same_unit_in_the_same_phase_are_numbered() {
    let rules = format!(
        r##"{PRIZE}
        fn slots() {{ #{{
            unit: #{{ life: #{{ start: 0, at_zero: "death", hit: true }}, nerve: #{{ start: 1, at_zero: "rout" }} }},
            faction: #{{ score: 0 }},
        }} }}
        fn strike(me) {{ if me.owner == first() {{
            let foe = me.foes.first;
            hit(foe, 2, "blow");
            add(foe, "nerve", -1, "blow");
        }} }}
        fn death(me) {{ exclusive("end"); remove(me, "death"); }}
        fn rout(me) {{ exclusive("end"); reserve(me); }}
        "##
    )
    .replacen(
        "fn strike(me) { for foe in me.foes { hit(foe, 2, \"blow\"); } }",
        "",
        1,
    );
    let mut play = game(&rules);
    go(&mut play, &[]);
    assert_eq!(
        offered(&play),
        ["blue.scouts1 in fight", "blue.scouts1 in fight (2)"]
    );
    let text = text(&replays(&rules, &["blue.scouts1 in fight (2)"]));
    assert!(
        text.contains("blue.scouts1  a1->reserve") && !text.contains("removed"),
        "{text}"
    );
}

#[test]
fn rivals_that_do_the_same_are_not_asked_about() {
    let rules = r##"
        fn phases() { [
            #{ phase: "opening", each: "game", step: "open" },
            #{ phase: "race", each: "unit", step: "claim", simultaneous: true },
        ] }
        fn open() { lay(first(), "a1"); lay(first(), "b1"); }
        fn claim(me) { exclusive("gate"); add(me.owner, "score", 1, "claim"); }
    "##;
    let text = text(&replays(rules, &[]));
    assert_eq!(text.matches("score").count(), 1, "{text}");
}

// --- room ------------------------------------------------------------------------------------

/// Red's units stand in these places and march at once, each to the place behind its own; places hold
/// one unit of a faction, or so many.
fn march(stack: usize, steps: &[(&str, &str)]) -> String {
    let lay: String = steps
        .iter()
        .map(|(from, _)| format!("lay(first(), \"{from}\"); "))
        .collect();
    let goals: Vec<String> = steps.iter().map(|(_, to)| format!("\"{to}\"")).collect();
    format!(
        r##"
        fn board() {{ #{{
            factions: ["red", "blue"], hexes: [3, 3], stack: {stack}, conflicts: "second",
        }} }}
        fn phases() {{ [
            #{{ phase: "opening", each: "game", step: "open" }},
            #{{ phase: "march", each: "unit", step: "step", simultaneous: true }},
        ] }}
        fn open() {{ {lay} }}
        fn step(me) {{
            let goals = [{}];
            let nth = 0;
            for unit in me.owner.units {{
                if unit == me {{ move(me, place(goals[nth]), "march"); add(me, "mark", 1, "march"); }}
                nth += 1;
            }}
        }}
        "##,
        goals.join(", ")
    )
}

#[test]
fn of_those_who_come_at_once_the_arbiter_says_who_has_room() {
    let rules = march(2, &[("a1", "b2"), ("b1", "b2"), ("c1", "b2")]);
    let mut play = game(&rules);
    assert_eq!(go(&mut play, &[]), Progress::Asks);
    assert_eq!(offered(&play), ["red.scouts1", "red.scouts2", "red.scouts3"]);
    assert_eq!(go(&mut play, &["red.scouts3"]), Progress::Asks);
    assert_eq!(offered(&play), ["red.scouts1", "red.scouts2"]);
    let text = text(&replays(&rules, &["red.scouts3", "red.scouts1"]));
    assert!(
        text.contains("blue chose resolves first for b2: red.scouts3"),
        "{text}"
    );
    assert!(
        text.contains("red.scouts1  a1->b2") && text.contains("red.scouts3  c1->b2"),
        "{text}"
    );
    assert!(
        text.contains("  red.scouts2  stays in b1: no room in b2  (by march, red.scouts2)"),
        "{text}"
    );
    // The rest of what its step did happens all the same.
    assert!(text.contains("red.scouts2  mark 0->1"), "{text}");
}

#[test]
fn who_finds_no_room_stays_and_takes_the_room_of_who_follows() {
    let rules = march(1, &[("a1", "b1"), ("b1", "c1"), ("c2", "c1")]);
    let text = text(&replays(&rules, &["red.scouts3"]));
    assert!(text.contains("red.scouts3  c2->c1"), "{text}");
    assert!(
        text.contains("red.scouts2  stays in b1: no room in c1  (by march, red.scouts2)"),
        "{text}"
    );
    assert!(
        text.contains("red.scouts1  stays in a1: no room in b1  (by march, red.scouts1)"),
        "{text}"
    );
    assert_eq!(text.matches("resolves first").count(), 1, "{text}");
}

#[test]
fn those_who_change_places_at_once_have_room() {
    let rules = march(1, &[("a1", "b1"), ("b1", "a1")]);
    let text = text(&replays(&rules, &[]));
    assert!(
        text.contains("a1->b1") && text.contains("b1->a1") && !text.contains("stays"),
        "{text}"
    );
}

#[test]
fn a_step_that_fills_a_place_beyond_its_room_is_an_error() {
    let rules = march(1, &[("a1", "b1"), ("b1", "b1")]).replace("simultaneous: true", "simultaneous: false");
    let mut play = game(&rules);
    let Progress::Failed(problem) = go(&mut play, &[]) else {
        panic!("{}", text(&play))
    };
    assert_eq!(
        problem.message,
        "red.scouts1 cannot come to b1: red.scouts2 stand there, and the board's `stack` is 1"
    );
}

// --- factions --------------------------------------------------------------------------------

#[test]
fn with_three_factions_nobody_is_the_other_one() {
    let rules = |step: &str| {
        format!(
            r##"
            fn board() {{ #{{
                factions: ["red", "blue", "green"], hexes: [3, 3],
                zones: #{{ home: #{{ red: rows(1, 1), blue: rows(2, 2), green: rows(3, 3) }} }},
            }} }}
            fn phases() {{ [
                #{{ phase: "opening", each: "game", step: "open" }},
                #{{ phase: "raid", each: "unit", filters: ["in foe home"], step: "raid" }},
            ] }}
            fn open() {{ lay(first(), "a3"); {step} }}
            fn raid(me) {{ add(me, "mark", 1, "raid"); }}
            "##
        )
    };
    let mut play = game(&rules("win(second().foe, \"it is so\");"));
    let Progress::Failed(problem) = go(&mut play, &[]) else {
        panic!("{}", text(&play))
    };
    assert!(
        problem.message.contains("there are 3; `foes` are all others"),
        "{problem:?}"
    );
    let text = text(&replays(
        &rules("for side in second().foes { add(side, \"score\", 1, \"foe\"); }"),
        &[],
    ));
    let scores: Vec<&str> = text.lines().filter(|l| l.contains("score")).collect();
    assert_eq!(
        scores,
        ["  green  score 0->1  (by foe)", "  red  score 0->1  (by foe)"]
    );
    // Green is not next after red, and is its foe like any other.
    assert!(text.contains("red.scouts1  mark 0->1"), "{text}");
}

/// A game of so many factions, in which each in turn counts how many others there are.
fn party(factions: usize) -> String {
    let names: Vec<String> = (1..=factions).map(|n| format!("\"side{n}\"")).collect();
    format!(
        r##"
        fn board() {{ #{{ factions: [{}], hexes: [3, 3], stack: 9 }} }}
        fn phases() {{ [
            #{{ phase: "opening", each: "faction", step: "settle" }},
            #{{ phase: "secret", each: "faction", step: "aim", hidden: true }},
            #{{ phase: "last", turn: "{}", step: "act" }},
        ] }}
        fn settle(side) {{ lay(side, "a1"); }}
        fn aim(side) {{ add(side, "score", choose(side, "aim", 1..=2) + side.foes.len, "aim"); }}
        fn act(me) {{ if in_order({factions}) == me.owner {{ win(me.owner, "last of all"); }} }}
        "##,
        names.join(", "),
        rulebench::kernel::phase::ORDINALS[factions - 1],
    )
}

#[test]
fn one_faction_plays_alone_and_eight_play_together() {
    for factions in [1, 3, 8] {
        let answers = vec!["2"; factions];
        let text = text(&replays(&party(factions), &answers));
        let scores = format!("score 0->{}", factions + 1);
        assert_eq!(text.matches(&scores).count(), factions, "{text}");
        assert!(
            text.contains(&format!("  side{factions}  wins the play")),
            "{text}"
        );
    }
    let mut play = game(&party(1).replace("side.foes.len", "side.foe.score"));
    let Progress::Failed(problem) = go(&mut play, &["1"]) else {
        panic!("{}", text(&play))
    };
    let why = &problem.message;
    assert!(why.contains("there is 1; `foes` are all others"), "{why}");
}

// --- words -----------------------------------------------------------------------------------

#[test]
fn the_words_of_contests_are_known_before_any_ends() {
    let play = game(
        "fn phases() { [#{ phase: \"bout\", contest: \"bout\", phases: [#{ phase: \"talk\", each: \"game\", step: \"talk\" }] }] }
         fn talk() {}",
    );
    let table = play.table();
    assert!(table.words.find("bout").is_some() && table.words.find("play").is_some());
}

#[test]
fn headings_are_on_record_as_the_transcript_prints_them() {
    let rules = r##"
        fn phases() { [#{ phase: "play", phases: [
            #{ phase: "round", repeat: true, phases: [#{ phase: "talk", each: "game", step: "talk" }] },
        ] }] }
        fn talk() { add(game(), "mark", 1, "talk"); if count("round") == 2 { win(first(), "talk"); } }
    "##;
    let mut play = replays(rules, &[]);
    let text = text(&play);
    let headings: Vec<&str> = text.lines().filter(|l| l.starts_with('=')).collect();
    assert_eq!(
        headings,
        ["= play", "== round 1", "=== talk", "== round 2", "=== talk"]
    );
    for heading in headings {
        let asked = Source::new("expectation", format!("happened(\"{heading}\")"));
        let value = play.runtime.evaluate(&asked).expect("it can be read");
        assert_eq!(value.as_bool(), Some(true), "{heading}");
    }
}

// --- batches ---------------------------------------------------------------------------------

/// Red's two units both see to blue's one, in the order of their ids; `simultaneous` or not.
fn hit_and_heal(first: &str, second: &str, simultaneous: bool) -> String {
    let rules = format!(
        r##"
        fn phases() {{ [
            #{{ phase: "opening", each: "game", step: "open" }},
            #{{ phase: "care", each: "unit", step: "tend", simultaneous: {simultaneous} }},
        ] }}
        fn open() {{ lay(first(), "a1"); lay(first(), "b1"); lay(second(), "c1"); }}
        fn tend(me) {{
            if me.owner != first() {{ return; }}
            let foe = second().units.first;
            if foe == nobody {{ return; }}
            if me.name == "red.scouts1" {{ {first} }} else {{ {second} }}
        }}
        "##
    );
    text(&replays(&rules, &[]))
}

#[test]
fn a_hit_and_a_heal_at_once_come_to_the_same_in_either_order() {
    let (hit, heal) = ("hit(foe, 2, \"blow\");", "add(foe, \"life\", 1, \"herbs\");");
    for (first, second) in [(hit, heal), (heal, hit)] {
        let text = hit_and_heal(first, second, true);
        assert!(!text.contains("removed"), "{text}");
    }
    // One after the other, the hit kills before the herbs come.
    assert!(hit_and_heal(hit, heal, false).contains("removed"));
    assert!(!hit_and_heal(heal, hit, false).contains("removed"));
    // A hit that outweighs the heal kills, in either order.
    let hit = "hit(foe, 3, \"blow\");";
    for (first, second) in [(hit, heal), (heal, hit)] {
        let text = hit_and_heal(first, second, true);
        assert_eq!(text.matches("removed").count(), 1, "{text}");
    }
}

#[test]
fn units_that_pass_each_other_at_once_are_not_engaged() {
    let moves = |order: &str, blue: &str| {
        let rules = format!(
            r##"
            fn phases() {{ [
                #{{ phase: "opening", each: "game", step: "open" }},
                #{{ phase: "march", each: "unit", step: "step", simultaneous: true }},
            ] }}
            fn open() {{ {order} }}
            fn step(me) {{ move(me, place(if me.owner == first() {{ "b1" }} else {{ "{blue}" }})); }}
            fn becomes_engaged(me) {{ add(me, "mark", 1, "clash"); }}
            "##
        );
        text(&replays(&rules, &[])).matches("clash").count()
    };
    let (red, blue) = ("lay(first(), \"a1\");", "lay(second(), \"b1\");");
    assert_eq!(moves(&format!("{red}{blue}"), "c1"), 0);
    assert_eq!(moves(&format!("{blue}{red}"), "c1"), 0);
    assert_eq!(moves(&format!("{red}{blue}"), "b1"), 2);
    assert_eq!(moves(&format!("{blue}{red}"), "b1"), 2);
}

// --- replay ----------------------------------------------------------------------------------

/// A game of one step with these statements.
fn one_step(body: &str) -> String {
    format!(
        "fn phases() {{ [#{{ phase: \"talk\", each: \"game\", step: \"talk\" }}] }}\nfn talk() {{ {body} }}\n"
    )
}

fn record_of(body: &str, answers: &[&str]) -> Vec<Line> {
    let mut play = game(&one_step(body));
    go(&mut play, answers);
    lines(&play)
}

#[test]
fn a_replay_stops_at_an_answer_that_is_no_longer_offered_though_one_option_is_left() {
    let record = record_of("choose(first(), \"pick\", [\"a\", \"b\"]);", &["a"]);
    let (_, progress, _) = replay(&record, &one_step("choose(first(), \"pick\", [\"b\"]);"));
    let Progress::Diverged(why) = progress else {
        panic!("{progress:?}")
    };
    assert!(
        why.to_string().contains("`a` is no longer offered; offered: b"),
        "{why}"
    );
    // The answer that was given is the one that is left: nothing has changed.
    let (_, progress, _) = replay(&record, &one_step("choose(first(), \"pick\", [\"a\"]);"));
    assert_eq!(progress, Progress::Over);
}

#[test]
fn a_question_that_answers_itself_does_not_stand_for_a_stored_answer() {
    let record = record_of(
        "choose(first(), \"one\", [1, 2]); choose(first(), \"two\", [1, 2]);",
        &["1", "2"],
    );
    let changed = one_step(
        "choose(first(), \"new\", [1]); choose(first(), \"one\", [1, 2]); choose(first(), \"other\", [1, 2]);",
    );
    let (_, progress, unused) = replay(&record, &changed);
    assert!(
        matches!(&progress, Progress::Diverged(why) if why.to_string().contains("no stored answer for `other`")),
        "{progress:?}"
    );
    assert_eq!(unused.len(), 1, "{unused:?}");
    // Where the record has been used up, the play goes on from the new question.
    let longer = one_step(
        "choose(first(), \"one\", [1, 2]); choose(first(), \"two\", [1, 2]); choose(first(), \"other\", [1, 2]);",
    );
    assert_eq!(replay(&record, &longer).1, Progress::Asks);
}

#[test]
fn three_hundred_questions_of_one_label_have_an_answer_each() {
    let body = "for n in 0..300 { if choose(first(), \"again\", [0, 1]) == 1 { add(first(), \"score\", n, \"sum\"); } }";
    let answers: Vec<&str> = (0..300).map(|n| if n < 44 { "0" } else { "1" }).collect();
    replays(&one_step(body), &answers);
}

// --- names -----------------------------------------------------------------------------------

#[test]
fn names_of_phases_that_a_transcript_could_not_tell_apart_are_refused() {
    let phase = |name: &str| {
        format!(
            "fn phases() {{ [#{{ phase: \"opening\", each: \"game\", step: \"open\" }},\n    #{{ phase: \"{name}\", each: \"unit\", step: \"act\" }}] }}\nfn open() {{}}\nfn act(me) {{}}"
        )
    };
    for name in [
        "opening",
        "turn 2",
        "2",
        "= war",
        "-- war",
        "",
        " war",
        "war ",
        "two  words",
        "a: b",
        "a\\nb",
        "red chose it",
        "red rolled it",
        "red activates it",
        "a, b",
        "war (only option)",
    ] {
        let page = try_load(&phase(name))
            .err()
            .unwrap_or_else(|| panic!("`{name}` is accepted"));
        assert!(page.contains("scripts/tiny/game.rhai:"), "{page}");
        assert!(page.contains("-name("), "{page}");
    }
    for name in [
        "set-up",
        "first turn",
        "end",
        "end of round",
        "turn2",
        "Großer Rat",
        "king's_move",
    ] {
        assert!(try_load(&phase(name)).is_ok(), "{name}");
    }
}

#[test]
fn names_of_factions_that_a_transcript_could_not_tell_apart_are_refused() {
    let board = |name: &str| {
        format!(
            "fn board() {{ #{{ factions: [\"red\", \"{name}\"], hexes: [3, 3] }} }}\nfn phases() {{ [#{{ phase: \"go\", each: \"game\", step: \"act\" }}] }}\nfn act() {{}}"
        )
    };
    for name in ["red", "the others", "a.b", "a:b", "", "=x", "|", "a1", "9"] {
        let page = try_load(&board(name))
            .err()
            .unwrap_or_else(|| panic!("`{name}` is accepted"));
        assert!(page.contains("-name("), "{page}");
    }
    for name in ["blue", "north-folk", "Öl", "side2"] {
        assert!(try_load(&board(name)).is_ok(), "{name}");
    }
}

fn failure(body: &str) -> String {
    let mut play = game(&one_step(body));
    match go(&mut play, &[]) {
        Progress::Failed(problem) => problem.page(false),
        other => panic!("{other:?} of {body}"),
    }
}

#[test]
fn labels_and_words_that_a_transcript_could_not_tell_apart_name_the_line_of_the_script() {
    for label in [
        "aim for it",
        "aim: it",
        "aim:it",
        "aim\\nit",
        "",
        " aim",
        "aim  it",
    ] {
        let page = failure(&format!("choose(first(), \"{label}\", [1, 2]);"));
        assert!(page.contains("a label") && page.contains("game.rhai:"), "{page}");
    }
    for word in ["!a", "", " a", "a  b", "a\\nb"] {
        let page = failure(&format!("choose(first(), \"aim\", [\"{word}\", \"b\"]);"));
        assert!(
            page.contains("an option") && page.contains("game.rhai:"),
            "{page}"
        );
    }
    for options in [
        "[place(\"a1\"), \"a1\"]",
        "[3, \"3\"]",
        "[first(), second(), \"blue\"]",
    ] {
        let page = failure(&format!("choose(first(), \"aim\", {options});"));
        assert!(
            page.contains("two options") && page.contains("game.rhai:"),
            "{page}"
        );
    }
    let page = failure("add(first(), \"score\", 1, \"two\\nlines\");");
    assert!(page.contains("one line") && page.contains("game.rhai:"), "{page}");
    let page = failure("roll(first(), \"two\\nlines\", 1, 6);");
    assert!(page.contains("one line") && page.contains("game.rhai:"), "{page}");
    // Words of several parts, and words that read like something that is not offered, are well.
    let well = "choose(first(), \"shift to\", [\"hold the line\", \"a1\", \"3\"]);";
    replays(&one_step(well), &["hold the line"]);
}

#[test]
fn an_answer_of_several_words_is_written_as_it_is_offered() {
    let rules = one_step(
        "let n = 0; for it in [1, 2, 3] { \
            let how = choose(first(), \"stance\", [\"hold\", \"hold the line\", \"give\"]); \
            add(first(), \"score\", how.len, how); } \
         add(first(), \"score\", 1, choose(first(), \"end\", [\"all is well\"]));",
    );
    let written = |answers: &str| {
        let mut file = ScenarioFile::new("tiny");
        file.answers = vec![answers.to_owned().into()];
        let written = answers::read(&file, None).unwrap_or_else(|p| panic!("{}", p.page(false)));
        let left = written.progress();
        let mut play = game(&rules);
        play.set_source(Box::new(written));
        let progress = play.run_on();
        let problems = left.borrow().problems(&file, None).len();
        (progress, problems, text(&play))
    };
    for answers in [
        "hold the line hold give all is well",
        "stance: hold the line hold give",
    ] {
        let (progress, left, text) = written(answers);
        assert_eq!((progress, left), (Progress::Over, 0), "{text}");
        let order = ["stance: hold the line\n", "stance: hold\n", "stance: give\n"].map(|w| text.find(w));
        assert!(order.is_sorted() && order.iter().all(Option::is_some), "{text}");
    }
    let (progress, ..) = written("hold the fort");
    assert!(
        matches!(&progress, Progress::Diverged(why) if why.to_string().contains("`the` is not offered")),
        "{progress:?}"
    );
}

// --- turn order and turns ----------------------------------------------------------------------

#[test]
fn a_change_of_turn_order_within_a_phase_repeats_and_skips_nobody() {
    let rules = r##"
        fn board() { #{ factions: ["red", "blue", "green"], hexes: [3, 3] } }
        fn phases() { [#{ phase: "bids", each: "faction", step: "bid" }] }
        fn bid(side) { goes_first(third()); add(side, "score", 1, "bid"); }
    "##;
    let text = text(&replays(rules, &[]));
    let order: Vec<_> = ["red  score", "blue  score", "green  score"]
        .map(|w| text.find(w))
        .to_vec();
    assert!(order.is_sorted() && order.iter().all(Option::is_some), "{text}");
    assert_eq!(text.matches("score 0->1").count(), 3, "{text}");
}

#[test]
fn a_change_of_turn_order_within_a_turn_leaves_the_turn_to_whose_it_is() {
    let rules = r##"
        fn phases() { [
            #{ phase: "opening", each: "game", step: "open" },
            #{ phase: "first turn", turn: "first", step: "act" },
        ] }
        fn open() { lay(first(), "a1"); lay(first(), "b1"); lay(second(), "c1"); }
        fn act(me) { goes_first(second()); }
    "##;
    let text = text(&replays(rules, &["red.scouts1"]));
    assert!(text.contains("red activates red.scouts2"), "{text}");
    assert!(!text.contains("activates blue"), "{text}");
}

#[test]
fn a_simultaneous_turn_is_over_when_what_it_gathered_has_happened() {
    let rules = r##"
        fn phases() { [
            #{ phase: "opening", each: "game", step: "open" },
            #{ phase: "first turn", turn: "first", filters: ["free"], step: "act", simultaneous: true },
            #{ phase: "after", each: "game", step: "look" },
        ] }
        fn open() { lay(first(), "a1"); lay(second(), "a1"); lay(first(), "b1"); }
        fn act(me) { for foe in second().units { remove(foe); } add(me, "mark", 1, "act"); }
        fn look() { add(game(), "mark", first().units.total("mark"), "look"); }
    "##;
    let text = text(&replays(rules, &[]));
    assert!(text.contains("game  mark 0->1"), "{text}");
    assert!(!text.contains("red activates red.scouts1"), "{text}");
}

// --- hidden phases -----------------------------------------------------------------------------

#[test]
fn what_a_faction_does_to_places_the_game_and_turn_order_in_a_hidden_phase_is_its_own() {
    let rules = r##"
        fn phases() { [#{ phase: "plans", each: "faction", step: "plan", hidden: true }] }
        fn plan(side) {
            if side.name == "blue" { choose(side, "ready", [1, 2]); return; }
            add(place("a1"), "mark", 7, "mine");
            let spot = place("a1");
            spot.secret = 7;
            add(game(), "mark", 7, "mine");
            goes_first(second());
        }
    "##;
    let mut play = game(rules);
    assert_eq!(go(&mut play, &[]), Progress::Asks);
    let (red, blue) = (FactionId(0), FactionId(1));
    let a1 = play.table().rules.board.place("a1").expect("a place");
    let seen = |viewer| {
        let view = play.table().view(Some(viewer)).world();
        let rules = &play.ruleset().rules;
        let slot = |thing, name| view.slot(thing, rules.slots.find(thing, name).expect("a slot"));
        (
            slot(Thing::Place(a1), "mark"),
            slot(Thing::Game, "mark"),
            view.in_order(0),
        )
    };
    assert_eq!(seen(red), (7, 7, blue));
    assert_eq!(seen(blue), (0, 0, red));
    let secret = play
        .ruleset()
        .rules
        .slots
        .find(Thing::Place(a1), "secret")
        .expect("a slot");
    assert_eq!(
        play.table()
            .view(Some(blue))
            .world()
            .slot(Thing::Place(a1), secret),
        0
    );
    // It is revealed when the phase ends.
    answer(&mut play, "1");
    assert_eq!(play.run_on(), Progress::Over);
    assert_eq!(play.table().view(Some(blue)).world().in_order(0), blue);
}

/// Two rounds of plans in secret: each faction is asked twice, rolls, scores, marks its place and gets units.
const PLANS: &str = r##"
    fn phases() { [
        #{ phase: "opening", each: "game", step: "open" },
        #{ phase: "round", repeat: true, contest: "game", phases: [
            #{ phase: "plans", hidden: true, phases: [
                #{ phase: "first plan", each: "faction", step: "plan" },
                #{ phase: "second plan", each: "faction", step: "plan" },
            ] },
            #{ phase: "pay", each: "game", step: "pay" },
        ] },
    ] }
    fn open() { lay(first(), "a1"); lay(second(), "c3"); }
    fn plan(side) {
        let n = choose(side, "plan", [1, 2, 3, 4]) + roll(side, "luck", 1, 6).total;
        let own = place(if side.name == "red" { "a1" } else { "c3" });
        add(side, "score", n, "plan");
        add(own, "mark", n, "plan");
        own.secret += n;
        if n % 2 == 0 { add(side.units.first, "mark", n, "plan"); }
        if n % 3 == 0 { enlist(side, unit_type("scouts")); }
        if n % 5 == 0 && side.units.len > 1 { remove(side.units.last, "plan"); }
    }
    fn pay() {
        choose(first(), "open", [1, 2]);
        if count("round") == 2 { draw("enough"); }
    }
"##;

/// Describes a world: where units are, and the values of all slots.
fn description(play: &Play, world: &World) -> Vec<String> {
    let rules = &play.table().rules;
    let units = rules.all_factions().flat_map(|f| world.owned(f) & world.alive());
    let units: Vec<Thing> = units.map(Thing::Unit).collect();
    let factions = rules.all_factions().map(Thing::Faction);
    let places = rules.board.places().into_iter().map(Thing::Place);
    let things = units
        .into_iter()
        .chain(factions)
        .chain(places)
        .chain([Thing::Game]);
    things
        .map(|thing| {
            let slots = 0..rules.slots.of(thing).len();
            let slots: Vec<i64> = slots.map(|slot| world.slot(thing, slot)).collect();
            let at = match thing {
                Thing::Unit(unit) => world.place(unit).map(|at| rules.board.name(at).to_owned()),
                _ => None,
            };
            format!("{} {at:?} {slots:?}", rules.who(world.who(thing)))
        })
        .collect()
}

/// Everything in the view of a faction: its events as text, its world, and its position and the opening of the phase.
fn in_view(play: &Play, faction: Option<FactionId>) -> Vec<Vec<String>> {
    let table = play.table();
    let view = table.view(faction);
    let events = view
        .events()
        .map(|(_, event)| event_text::line(&event, &table.rules, &table.words));
    let position = view.position();
    let told = |label: &str, what: String| vec![format!("{label} {what}")];
    let opening = view.opening();
    vec![
        events.collect(),
        description(play, &view.world()),
        description(play, &position.world),
        told("answers", format!("{:?}", position.answers)),
        told(
            "gathered",
            format!(
                "{:?}",
                position.gathered.iter().map(|g| g.faction).collect::<Vec<_>>()
            ),
        ),
        opening.map_or_else(Vec::new, |position| description(play, &position.world)),
    ]
}

/// Returns what red may see at each question of the first hidden phase, after checks that hold for every view.
fn views_of_red(functions: &str, answers: [&[usize]; 2]) -> Result<Vec<Vec<Vec<String>>>, TestCaseError> {
    let mut play = game(functions);
    let mut given = [0; 2];
    let mut seen = Vec::new();
    let mut first_round = None;
    loop {
        let progress = play.run_on();
        let table = play.table();
        let all: Vec<usize> = (0..table.events.len()).collect();
        let indices = |faction| {
            table
                .view(faction)
                .events()
                .map(|(index, _)| index)
                .collect::<Vec<_>>()
        };
        prop_assert_eq!(&indices(None), &all);
        prop_assert!(table.view(None).is_whole() && *table.view(None).world() == table.world);
        prop_assert_eq!(table.view(None).position(), table.position());
        for faction in table.rules.all_factions() {
            let view = table.view(Some(faction));
            let Some(since) = view.since() else {
                prop_assert!(view.is_whole() && !table.checkpoint.is_hidden());
                prop_assert_eq!(&indices(Some(faction)), &all);
                prop_assert_eq!(view.position(), table.position());
                prop_assert!(*view.world() == table.world);
                continue;
            };
            let foe = FactionId(1 - faction.index() as u8);
            let [own, other] = [faction, foe].map(|f| table.rules.factions[f.index()].as_str());
            let line = |index: usize| event_text::line(&table.events[index], &table.rules, &table.words);
            let shown = indices(Some(faction));
            prop_assert_eq!(view.public_events(), since + 1);
            for index in all.iter().copied() {
                let (text, is_shown) = (line(index), shown.contains(&index));
                prop_assert!(index > since || is_shown, "{}", text);
                prop_assert!(
                    index <= since || !is_shown || !text.contains(other),
                    "{} sees {}",
                    own,
                    text
                );
                prop_assert!(is_shown || !text.contains(own), "{} does not see {}", own, text);
            }
            prop_assert!(view.shows(faction) && !view.shows(foe));
            prop_assert_eq!(view.leaves_out(0..all.len()), shown.len() < all.len());
        }
        if progress != Progress::Asks {
            prop_assert_eq!(progress, Progress::Over);
            return Ok(seen);
        }
        let round = table.checkpoint.cursor.iteration(&table.rules, "round");
        if table.checkpoint.is_hidden() && round == *first_round.get_or_insert(round) {
            seen.push(in_view(&play, Some(FactionId(0))));
        }
        let question = play.with_question(|a| (a.request.asker.index(), a.request.options.len()));
        let (asker, options) = question.expect("it asks");
        prop_assert!(play.answer(answers[asker][given[asker]] % options));
        given[asker] += 1;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn whatever_others_do_in_a_hidden_phase_a_view_is_the_same(
        red in vec(0..4usize, 6), blue in vec(0..4usize, 4), instead in vec(0..4usize, 4), gathers in any::<bool>()
    ) {
        let rules = match gathers {
            true => PLANS.replace("hidden: true", "hidden: true, simultaneous: true"),
            false => PLANS.to_owned(),
        };
        let seen = views_of_red(&rules, [&red, &blue])?;
        prop_assert_eq!(seen.len(), 4);
        prop_assert_eq!(seen, views_of_red(&rules, [&red, &instead])?);
    }
}

// --- units that are gone -------------------------------------------------------------------------

#[test]
fn a_unit_that_is_gone_is_not_hit() {
    let body = "lay(first(), \"a1\"); let it = first().units.first; hit(it, 2, \"blow\"); \
                hit(it, 1, \"late blow\"); add(it, \"mark\", 1, \"fame\");";
    let text = text(&replays(&one_step(body), &[]));
    assert!(
        text.contains("(by death)") && !text.contains("late blow"),
        "{text}"
    );
    // What is no matter of life goes on: fame outlives.
    assert!(text.contains("mark 0->1  (by fame)"), "{text}");
}

#[test]
fn a_slot_that_named_a_disbanded_unit_names_nobody() {
    let body = "lay(first(), \"a1\"); lay(second(), \"b1\"); let me = second().units.first; \
                me.target = first().units.first; disband(first()); lay(first(), \"c1\"); \
                add(me, \"mark\", if me.target == nobody { 1 } else { 2 }, \"look\");";
    let text = text(&replays(&one_step(body), &[]));
    assert!(text.contains("blue.scouts1  mark 0->1"), "{text}");
}

// --- units kept apart ------------------------------------------------------------------------

#[test]
fn a_unit_kept_apart_becomes_engaged_when_that_ends() {
    let rules = |apart: &str| {
        format!(
            r##"
            fn slots() {{ #{{ unit: #{{
                mark: 0, apart: #{{ start: false, frees: true, says: "stands apart" }},
            }} }} }}
            fn phases() {{ [
                #{{ phase: "opening", each: "game", step: "open" }},
                #{{ phase: "war", contest: "war", phases: [
                    #{{ phase: "round", repeat: true, phases: [
                        #{{ phase: "return", each: "unit", filters: ["apart"], step: "come_back", quiet: true }},
                        #{{ phase: "rest", each: "game", step: "rest" }},
                    ] }},
                ] }},
            ] }}
            fn open() {{ lay(first(), "a1"); lay(second(), "a1"); }}
            fn rest() {{
                if count("round") == 2 {{ draw("tired"); return; }}
                {apart}
            }}
            fn come_back(me) {{ me.apart = false; }}
            fn becomes_engaged(me) {{
                if units().len == 2 {{
                    let how = choose(me, "stance", ["hold", "give"]);
                    add(me, "mark", 1, how);
                }}
            }}
            "##
        )
    };
    let with = rules("let me = first().units.first; me.apart = true;");
    let play = replays(&with, &["hold", "hold", "give"]);
    let all = text(&play);
    assert!(all.contains("  red.scouts1  stands apart\n"), "{all}");
    assert!(
        all.contains("return: red.scouts1\nred chose stance: give\n  red.scouts1  mark 1->2"),
        "{all}"
    );
    assert_eq!(all.matches("chose stance").count(), 3, "{all}");
    // Nobody is kept apart: nobody becomes engaged anew.
    let all = text(&replays(&rules(""), &["hold", "hold"]));
    assert_eq!(all.matches("chose stance").count(), 2, "{all}");
}

// --- how long slots last ---------------------------------------------------------------------

/// In each of two bouts sides take aim, shoot as often as they aimed, and rest. The first bout is won while
/// the shooting goes on, the second is drawn after it.
const SHOTS: &str = r##"
    fn slots() { #{ faction: #{
        aim: #{ start: 0, lasts: "shots" }, won: #{ start: 0, lasts: "bout" }, bouts: 0,
    } } }
    fn phases() { [#{ phase: "match", contest: "match", phases: [
        #{ phase: "bouts", repeat: true, phases: [
            #{ phase: "bout", contest: "bout", phases: [
                #{ phase: "aims", each: "faction", step: "take_aim" },
                #{ phase: "shots", phases: [#{ phase: "shot", each: "faction", step: "shoot" }] },
                #{ phase: "rest", each: "game", step: "rest" },
            ] },
            #{ phase: "verdict", each: "faction", step: "judge" },
        ] },
    ] }] }
    fn take_aim(side) { add(side, "aim", 1, "aim"); }
    fn shoot(side) {
        add(side, "won", side.aim, "shot");
        if count("bouts") == 1 { win(side, "a shot"); }
    }
    fn rest() {
        for side in factions() { add(side, "aim", 10, "rest"); }
        draw("tired");
    }
    fn judge(side) {
        add(side, "bouts", side.won, "verdict");
        if count("bouts") == 2 && side == second() { draw("both came"); }
    }
"##;

#[test]
fn a_slot_lasts_until_its_phase_ends_or_is_left_and_what_somebody_has_won_can_be_looked_at() {
    let play = replays(SHOTS, &[]);
    insta::assert_snapshot!(text(&play));
}

#[test]
fn a_slot_lasts_for_a_phase_that_there_is() {
    let page = try_load(&SHOTS.replace("lasts: \"shots\"", "lasts: \"shot\""))
        .map(|_| ())
        .err();
    assert_eq!(page, None);
    let page = try_load(&SHOTS.replace("lasts: \"shots\"", "lasts: \"shoots\"")).map(|_| ());
    let page = page.expect_err("refused");
    assert!(page.starts_with("unknown-name(phase, shoots)"), "{page}");
}

#[test]
fn a_function_without_a_name_takes_the_variables_around_it_along() {
    let mut play = game(
        r##"
        fn phases() { [#{ phase: "game", contest: "game", each: "faction", step: "act" }] }
        fn act(side) {
            let mine = [1, 2];
            let most = 1;
            let left = [1, 2, 3].filter(|n| mine.contains(n) && n > most);
            if left.len == 1 && left[0] == 2 { win(side, "taken along"); }
        }
        "##,
    );
    assert_eq!(play.run_on(), Progress::Over);
    let told = play.table().world.outcome.and_then(|o| o.winner);
    assert_eq!(told, Some(FactionId(0)));
}

#[test]
fn a_board_that_is_drawn_wrongly_is_told() {
    let page = |map: &str| {
        let board = format!("fn board() {{ #{{ factions: [\"red\", \"blue\"], {map} }} }}");
        let phases = "fn phases() { [#{ phase: \"game\", each: \"game\", step: \"begin\" }] } fn begin() {}";
        try_load(&format!("{board}\n{phases}")).err().unwrap_or_default()
    };
    assert_eq!(page("map: [\" . \", \"...\"]"), "");
    for (map, why) in [
        ("map: [\"..\", \"...\"]", "uneven-lines(line 1, 2, 3)"),
        ("map: [\".#.\"]", "unknown-letter(#, line 1)"),
        ("map: [\"   \"]", "wrong-count(`map`, 1 to 4096 places, 0)"),
        ("map: []", "wrong-count(`map`, 1 to 4096 places, 0)"),
        ("map: [\"...\"], hexes: [3, 3]", "exclusive-keys(map, hexes)"),
    ] {
        let page = page(map);
        assert!(page.contains(why), "{map}: {page}");
    }
}

#[test]
fn several_things_are_one_option() {
    let asks = |options: &str| {
        let phases = "fn phases() { [#{ phase: \"game\", each: \"faction\", step: \"act\" }] }";
        let act = format!("fn act(side) {{ let it = choose(side, \"act\", {options}); print(it); }}");
        let mut play = game(&format!("{phases}\n{act}"));
        match play.run_on() {
            Progress::Asks => play
                .with_question(|asked| asked.keys().join(", "))
                .unwrap_or_default(),
            Progress::Failed(problem) => problem.message,
            other => format!("{other:?}"),
        }
    };
    assert_eq!(
        asks("[[place(\"a1\"), 2], [place(\"b1\"), 2, \"far\"], [place(\"a1\"), 2], \"stay\"]"),
        "a1 2, b1 2 far, stay"
    );
    for (options, why) in [
        (
            "[[1], [2, 3]]",
            "an option that is a list has 2 or 3 things, not 1",
        ),
        (
            "[[1, 2, 3, 4], [2, 3]]",
            "an option that is a list has 2 or 3 things, not 4",
        ),
        ("[[1, [2, 3]], [2, 3]]", "an option of several things has units"),
        (
            "[[1, \"two words\"], [2, 3]]",
            "an option of several things has units",
        ),
        ("[[1, 99999], [2, 3]]", "numbers up to 32,767"),
        ("[[\"a\", \"b\"], \"a b\"]", "two options read `a b`"),
    ] {
        let told = asks(options);
        assert!(told.contains(why), "{options}: {told}");
    }
}

const ROUNDS: &str = r#"fn phases() { [ #{ phase: "line-up", each: "game", step: "line_up" },
    #{ phase: "round", repeat: true, each: "game", step: "act" } ] }
    fn line_up() { lay(first(), "a1"); lay(second(), "c1"); }
"#;

#[test]
fn no_game_knows_what_was_said_in_another() {
    let said = "fn act() { let n = roll(first(), \"x\", 2, 1000).total;
        for i in 0..2000 { let said = `${n}.${i}`; } if count(\"round\") == 5 { win(first(), `done`); } }";
    let mut play = game(&format!("{ROUNDS}{said}"));
    let mut start = play.position();
    for seed in 0..20 {
        start.seed = seed;
        play.restart(&start);
        assert_eq!(play.run_on(), Progress::Over, "{seed}: {}", text(&play));
    }
}

#[test]
fn nothing_fails_because_somebody_watches() {
    for (what, acts) in [
        (
            "a reaction that does nothing, deep down",
            "fn act() { dig(28); win(first(), `done`); } fn death(me) { }
             fn dig(n) { if n == 0 { add(second().units.first, \"life\", -2, \"x\"); return 1; } 1 + dig(n - 1) }",
        ),
        (
            "a function that says always the same, deep down",
            "fn act() { let said = dig(first().units.first, 29); win(first(), `done`); } fn keen(me) { true }
             fn dig(me, n) { if n == 0 { return keen(me); } dig(me, n - 1) }",
        ),
    ] {
        for watched in [false, true] {
            let mut play = game(&format!("{ROUNDS}{acts}"));
            if watched {
                play.runtime.start_trace(TraceLevel::Calls);
            }
            assert_eq!(play.run_on(), Progress::Over, "{what}, {watched}: {}", text(&play));
        }
    }
}

#[test]
fn what_is_printed_costs_the_same_whether_it_is_heard_or_not() {
    let acts = "fn act() { if count(\"round\") == 1 { for k in 0..2000 { print(k); } return; }
        let l = []; for i in 0..4000 { l.push(i); } for k in 0..600 { print(l); } win(first(), `done`); }";
    let ended = [false, true].map(|watched| {
        let mut play = game(&format!("{ROUNDS}{acts}"));
        if watched {
            play.runtime.start_trace(TraceLevel::Calls);
        }
        match play.run_on() {
            Progress::Failed(problem) => problem.message,
            other => panic!("{other:?}"),
        }
    });
    assert!(ended[0].contains("more than 2000000 operations"), "{ended:?}");
    assert_eq!(ended[0], ended[1]);
}

#[test]
fn calls_within_calls_are_put_in_place_once() {
    let nested = (0..19).fold("1".to_owned(), |within, _| format!("inc({within})"));
    let acts = format!(
        "fn act() {{ add(game(), \"mark\", {nested}, \"x\"); win(first(), `done`); }} fn inc(n) {{ if n > 0 {{ n + 1 }} else {{ 0 }} }}"
    );
    let mut play = game(&format!("{ROUNDS}{acts}"));
    assert_eq!(play.run_on(), Progress::Over, "{}", text(&play));
    assert!(text(&play).contains("mark 0->20"), "{}", text(&play));
}

#[test]
fn numbers_beyond_any_length_are_not_put_in_order_with_lengths() {
    let many: Vec<String> = (0..60)
        .flat_map(|i| {
            [
                format!("{}", 9_300_000_000_000_000_i64 + i),
                format!("{}.5", i * 7 % 60),
                (i * 13 % 50).to_string(),
            ]
        })
        .collect();
    let acts = format!("fn act() {{ let l = [0, {}].sort_by(|n| n); }}", many.join(", "));
    let mut play = game(&format!("{ROUNDS}{acts}"));
    match play.run_on() {
        Progress::Failed(problem) => assert!(problem.message.contains("cannot be put in order"), "{problem}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_declared_and_cannot_be_meant_is_told() {
    let problems = |from: &str, to: &str| {
        let whole = format!(
            "{ROUNDS}fn act() {{ win(first(), `done`); }} fn fin() {{}} {COMMON}
            fn board() {{ #{{ factions: [\"red\", \"blue\"], hexes: [3, 3], zones: #{{ home: [\"a1\"] }} }} }}
            fn dials() {{ #{{ kind: one_of(\"a\", [\"a\", \"b\"]), most: 3 }} }}"
        );
        assert!(whole.contains(from), "{from}");
        try_load(&whole.replacen(from, to, 1))
            .err()
            .unwrap_or_else(|| "it loads".to_owned())
    };
    for (from, to, why) in [
        ("most: 3", "most: 3", "it loads"),
        (
            "hexes: [3, 3]",
            "hexes: [3, \"x\", 3]",
            "wrong-value(`hexes`, `[columns, rows]`",
        ),
        (
            "hexes: [3, 3]",
            "hexes: [3, -3, 3]",
            "wrong-value(`hexes`, `[columns, rows]`",
        ),
        (
            "[\"a1\"]",
            "#{ rows: [1, \"x\", 3] }",
            "wrong-value(`rows`, `[first, last]`, from 1 to 3)",
        ),
        (
            "[\"a1\"]",
            "[\"a1\", 5]",
            "wrong-value(the zone `home`, a list of names of places",
        ),
        (
            "home:",
            "score:",
            "repeated-name(a zone and a slot of factions, score)",
        ),
        (
            "holds: \"unit\"",
            "holds: \"unit\", at_zero: \"death\"",
            "misplaced-key(at_zero, a number, or true or false)",
        ),
        (
            "step: \"act\"",
            "filters: [\"free\"], step: \"act\"",
            "misplaced-key(filters, units, places and factions)",
        ),
        ("most: 3", "nobody: 3", "wrong-name(a dial, nobody)"),
        (
            "[\"a\", \"b\"]",
            "[\"a\", \"\"]",
            "wrong-value(each word of `kind`, a text in quotes, not empty)",
        ),
        ("score: 0", "\"\": 0", "wrong-name(a slot, )"),
        (
            "score: 0",
            "score: \"open\"",
            "wrong-kind(the slot `score`, a number, true or false, a text)",
        ),
    ] {
        let problems = problems(from, to);
        assert!(problems.contains(why), "{to}: {problems}");
    }
}
