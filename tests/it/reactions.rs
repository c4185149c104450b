//! Reactions: hooks that are called because something happens, about units, places and dice, one at a time and
//! in batches.

use crate::support::brief;
use rulebench::kernel::ids::FactionId;
use rulebench::kernel::table::Position;
use rulebench::kernel::world::World;
use rulebench::play::{Play, Progress};
use rulebench::report::{Problem, Problems};
use rulebench::rules::ruleset::{LoadOptions, Ruleset};
use rulebench::rules::workspace::Workspace;
use rulebench::transcript::{Line, Stored, lines_of};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A line of hexagons with mud in `b1`, ash in `c1` and both in `d1`; red's scouts stand in `a1`, blue's in `e1`.
const GAME: &str = r##"
    fn board() { #{ factions: ["red", "blue"], hexes: [5, 1], stack: 4, engaged: "same place" } }
    fn stats() { #{ life: 3 } }
    fn slots() { #{
        unit: #{ life: #{ start: 0, at_zero: "death", falls: "wounded", rises: "healed" }, mark: 0, apart: #{ start: false, frees: true, says: "stands apart" } },
        faction: #{ score: 0 },
        place: #{ steps: #{ start: 0, falls: "worn" } },
        game: #{ alarm: #{ start: 2, at_zero: "ring", falls: "worn" }, rung: 0 },
    } }
    fn open() {
        for at in gaps() { lay(at, terrain("grass")); }
        lay(place("b1"), terrain("mud"));
        lay(place("c1"), terrain("ash"));
        lay(place("d1"), terrain("ash"));
        lay(place("d1"), terrain("mud"));
        muster(first(), "a1");
        muster(second(), "e1");
        for unit in units() { unit.mark = 0; }
    }
    fn muster(side, at) {
        enlist(side, unit_type("scouts"));
        put(side.units.last, place(at));
    }
    fn death(me) { remove(me, "death"); }
    fn wounded(me, amount, by) { amount }
    fn healed(me, amount, by) { amount }
    fn worn(it, amount, by) { amount }
    fn ring() { add(game(), "rung", 1, "alarm"); }
"##;

fn phases(simultaneous: bool) -> String {
    format!(
        "fn phases() {{ [ #{{ phase: \"opening\", each: \"game\", step: \"open\" }},
            #{{ phase: \"trial\", each: \"game\", step: \"trial\", simultaneous: {simultaneous} }} ] }}\n"
    )
}

/// The game with these functions in place of its own, and with these further files.
fn load(functions: &str, files: &[(&str, &str)], variants: &[&str]) -> Result<Arc<Ruleset>, Problems> {
    let mut text = String::new();
    for part in GAME.split("    fn ").skip(1) {
        let name = part.split('(').next().unwrap_or_default();
        if !functions.contains(&format!("fn {name}(")) {
            text += &format!("fn {part}");
        }
    }
    if !functions.contains("fn phases(") {
        text += &phases(functions.contains("// batch"));
    }
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    all.insert("scripts/tiny/game.rhai".into(), format!("{text}\n{functions}\n"));
    all.insert(
        "units/tiny/scouts.rhai".into(),
        "fn stats() { #{ symbol: \"Sc\" } }\n".into(),
    );
    for terrain in ["grass", "mud", "ash"] {
        all.insert(
            format!("scripts/tiny/terrain/{terrain}.rhai"),
            "fn stats() { #{ symbol: \"~\" } }\n".into(),
        );
    }
    for (path, text) in files {
        *all.entry((*path).to_owned()).or_default() += text;
    }
    let options = LoadOptions {
        variants: variants.iter().map(|v| (*v).to_owned()).collect(),
        ..LoadOptions::default()
    };
    let workspace = Workspace::at("\0").with(all);
    Ruleset::load(&workspace, "tiny", &options)
}

fn game(functions: &str, files: &[(&str, &str)], variants: &[&str]) -> Play {
    let ruleset = load(functions, files, variants).unwrap_or_else(|problems| panic!("{problems}"));
    let start = Position::start(World::new(&ruleset.rules), false, 1, 0);
    Play::new(ruleset, &start)
}

fn lines(play: &Play) -> Vec<Line> {
    let table = play.table();
    lines_of(&table.rules, &table.words, &table.events)
}

/// Plays the step `trial` to its end and returns its lines; checks that a replay of the transcript gives the same
/// lines.
fn trial_of(functions: &str, files: &[(&str, &str)], variants: &[&str], answers: &[&str]) -> Vec<String> {
    let mut play = game(functions, files, variants);
    let mut progress = play.run_on();
    for key in answers {
        assert_eq!(progress, Progress::Asks, "before `{key}`");
        let keys = play.with_question(|a| a.keys()).unwrap_or_default();
        let index = keys.iter().position(|k| k == key);
        assert!(play.answer(index.unwrap_or_else(|| panic!("`{key}` is not offered: {keys:?}"))));
        progress = play.run_on();
    }
    if let Progress::Failed(problem) = &progress {
        panic!("{}", problem.page(false));
    }
    assert_eq!(progress, Progress::Over);
    let record = lines(&play);
    let mut again = game(functions, files, variants);
    let stored = Stored::new(&record);
    let unused = stored.unused();
    again.set_source(Box::new(stored));
    assert_eq!(again.run_on(), Progress::Over);
    assert_eq!(unused.list(), Vec::<String>::new());
    let text: Vec<String> = record.iter().map(Line::text).collect();
    assert_eq!(lines(&again).iter().map(Line::text).collect::<Vec<_>>(), text);
    let from = text
        .iter()
        .position(|l| l.contains("= trial"))
        .expect("the trial began");
    let lines = text[from + 1..].iter().map(|l| l.trim().to_owned());
    // The step itself has a line.
    lines.filter(|l| l != "trial").collect()
}

fn trial(functions: &str) -> Vec<String> {
    trial_of(functions, &[], &[], &[])
}

/// Why the play of these functions fails.
fn failure(functions: &str) -> Problem {
    match game(functions, &[], &[]).run_on() {
        Progress::Failed(problem) => *problem,
        other => panic!("{other:?}"),
    }
}

const TELL: &str = r#"
    fn leaves(me, place) { tell("leaves " + place.name); }
    fn arrives(me, place) { tell("arrives " + place.name); }
    fn left(here, who) { tell("left " + here.name); }
    fn entered(here, who) { tell("entered " + here.name); }
    fn removed(me, place) { tell("removed"); }
    fn loses_contact(me, foe) { tell(me.name + " loses " + foe.name); }
    fn comes_into_contact(me, foe) { tell(me.name + " meets " + foe.name); }
    fn becomes_free(me) { tell(me.name + " free"); }
    fn becomes_engaged(me) { tell(me.name + " engaged"); }
    fn tell(what) { add(game(), "rung", 1, what); }
"#;

/// The words of the causes, in the order of the record.
fn told(lines: &[String]) -> Vec<&str> {
    let because = |line: &'_ String| line.contains("rung").then_some(());
    let lines = lines.iter().filter(|l| because(l).is_some());
    lines
        .filter_map(|l| l.split_once("(by ")?.1.strip_suffix(')'))
        .collect()
}

const EVERYTHING: &str = r#"
    fn trial() {
        let me = first().units.first;
        put(me, place("e1"));
        reserve(me);
        put(me, place("e1"));
        remove(me, "gone");
    }
"#;

#[test]
fn who_comes_and_goes_is_told_in_one_order() {
    let lines = trial(&format!("{TELL}{EVERYTHING}"));
    assert_eq!(
        told(&lines),
        [
            "leaves a1",
            "left a1",
            "arrives e1",
            "entered e1",
            "red.scouts1 meets blue.scouts1",
            "blue.scouts1 meets red.scouts1",
            "red.scouts1 engaged",
            "blue.scouts1 engaged",
            "leaves e1",
            "left e1",
            "red.scouts1 loses blue.scouts1",
            "blue.scouts1 loses red.scouts1",
            "blue.scouts1 free",
            "arrives e1",
            "entered e1",
            "red.scouts1 meets blue.scouts1",
            "blue.scouts1 meets red.scouts1",
            "red.scouts1 engaged",
            "blue.scouts1 engaged",
            "left e1",
            "removed",
            "blue.scouts1 loses red.scouts1",
            "blue.scouts1 free",
        ]
    );
}

#[test]
fn a_batch_tells_what_holds_after_all_of_it() {
    // On the way through a full circle nothing has changed; who ends elsewhere has come there once.
    let lines = trial(&format!(
        r#"{TELL} // batch
        fn trial() {{
            let me = first().units.first;
            let foe = second().units.first;
            put(me, place("e1"));
            put(me, place("b1"));
            put(foe, place("a1"));
            put(foe, place("b1"));
        }}"#
    ));
    assert_eq!(
        told(&lines),
        [
            "leaves a1",
            "left a1",
            "arrives b1",
            "entered b1",
            "leaves e1",
            "left e1",
            "arrives b1",
            "entered b1",
            "red.scouts1 meets blue.scouts1",
            "blue.scouts1 meets red.scouts1",
            "red.scouts1 engaged",
            "blue.scouts1 engaged",
        ]
    );
    let lines = trial(&format!(
        "{TELL} // batch\n fn trial() {{ let me = first().units.first; put(me, place(\"e1\")); put(me, place(\"a1\")); }}"
    ));
    assert_eq!(told(&lines), Vec::<&str>::new(), "{lines:#?}");
}

#[test]
fn who_was_moved_on_does_not_arrive_where_it_was_no_longer() {
    let lines = trial(
        r#"
        fn leaves(me, place) { if place.name == "a1" { put(me, place("c1"), "slips"); } }
        fn arrives(me, place) { add(me, "mark", 1, place.name); }
        fn trial() { put(first().units.first, place("b1")); }"#,
    );
    assert_eq!(
        lines,
        [
            "red.scouts1  a1->b1",
            "red.scouts1  b1->c1  (by slips)",
            "red.scouts1  mark 0->1  (by c1)",
        ]
    );
}

#[test]
fn every_terrain_of_a_place_has_its_say_and_variants_wrap_it() {
    let files = [
        (
            "scripts/tiny/terrain/mud.rhai",
            "fn entered(here, who) { add(who, \"mark\", 1, \"mud\"); }\n",
        ),
        (
            "scripts/tiny/terrain/ash.rhai",
            "fn entered(here, who) { add(who, \"mark\", 1, \"ash\"); }\n",
        ),
        (
            "scripts/tiny/variants/hot.rhai",
            "// Hot.\nfn ash.entered(here, who) { base(here, who); hit(who, 1, \"heat\"); }\n",
        ),
        (
            "scripts/tiny/variants/wide.rhai",
            "// Wide.\nfn entered(here, who) { base(here, who); add(who, \"mark\", 10, \"wide\"); }\n",
        ),
    ];
    let functions = r#"fn trial() { for at in ["b1", "d1", "e1"] { put(first().units.first, place(at)); } }"#;
    assert_eq!(
        trial_of(functions, &files, &["hot", "wide"], &[]),
        [
            "red.scouts1  a1->b1",
            "red.scouts1  mark 0->1  (by mud)",
            "red.scouts1  b1->d1",
            "red.scouts1  mark 1->2  (by ash)",
            "red.scouts1  life 3->2  (by heat)",
            "red.scouts1  mark 2->3  (by mud)",
            "red.scouts1  d1->e1",
            "red.scouts1  mark 3->13  (by wide)",
        ]
    );
    // A unit's script alone may define it, though the game says nothing of it; a variant wraps that too.
    let files = [
        (
            "units/tiny/scouts.rhai",
            "fn arrives(me, place) { add(me, \"mark\", 1, \"here\"); }\n",
        ),
        (
            "scripts/tiny/variants/twice.rhai",
            "// Twice.\nfn scouts.arrives(me, place) { base(me, place); base(me, place); }\n",
        ),
        (
            "scripts/tiny/variants/alone.rhai",
            "// Alone.\nfn left(here, who) { base(here, who); add(who, \"mark\", 5, \"off\"); }\n",
        ),
    ];
    let functions = r#"fn trial() { put(first().units.first, place("b1")); }"#;
    assert_eq!(
        trial_of(functions, &files, &["twice", "alone"], &[]),
        [
            "red.scouts1  a1->b1",
            "red.scouts1  mark 0->5  (by off)",
            "red.scouts1  mark 5->6  (by here)",
            "red.scouts1  mark 6->7  (by here)",
        ]
    );
}

#[test]
fn armour_and_auras_say_how_much_of_a_hit_counts() {
    let armour = r#"
        fn wounded(me, amount, by) {
            if by_what().contains("poison") { return amount * 2; }
            if by != nobody && by.owner == me.owner { return 0; }
            max(0, amount - 1)
        }
        fn healed(me, amount, by) { min(amount, 3 - me.life) }
        fn trial() {
            let me = first().units.first;
            let foe = second().units.first;
            hit(me, 2, "blow", foe);
            hit(me, 3, "own", me);
            me.life = 9;
            hit(me, 1, "poison", foe);
            me.life = 0;
        }"#;
    assert_eq!(
        trial(armour),
        [
            "red.scouts1  life 3->2  (by blow, blue.scouts1)",
            "red.scouts1  life 2->3",
            "red.scouts1  life 3->1  (by poison, blue.scouts1)",
        ]
    );
    // Each loss that is gathered is weighed as the world stood before.
    let batch = armour
        .replace("fn trial()", "// batch\nfn trial()")
        .replace("me.life = 9;", "hit(me, 2, \"blow\", foe);");
    assert_eq!(
        trial(&batch),
        [
            "red.scouts1  life 3->2  (by blow, blue.scouts1)",
            "red.scouts1  life 2->1  (by blow, blue.scouts1)",
            "red.scouts1  life 1->-1  (by poison, blue.scouts1)",
            "red.scouts1  life -1->1",
        ]
    );
}

const HURT: &str = r#"
    fn slots() { #{
        unit: #{ life: #{ start: 0, at_zero: "death", falls: "wounded", fell: "hurt", rose: "mended" }, mark: 0 },
        game: #{ alarm: #{ start: 2, fell: "rang", rose: "rang" }, rung: 0 },
    } }
    fn wounded(me, amount, by) { max(0, amount - 1) }
    fn hurt(me, amount) {
        for who in by_whom() { add(who, "mark", amount, "hurt " + me.name); }
        if !by_what().contains("counter") { for who in by_whom() { hit(who, 2, "counter", me); } }
    }
    fn mended(me, amount) { add(me, "mark", amount * 10, "rest"); }
    fn rang() { add(game(), "rung", 1, "bell"); }
"#;

#[test]
fn who_was_hurt_strikes_back_behind_the_blow_and_the_dead_do_not() {
    let lines = trial(&format!(
        r#"{HURT}
        fn trial() {{
            let me = first().units.first;
            let foe = second().units.first;
            hit(foe, 3, "blow", me);
            foe.life = 3;
            hit(foe, 1, "blow", me);
            hit(foe, 9, "blow", me);
            add(game(), "alarm", -1, "struck");
            let it = game();
            it.alarm = it.alarm;
        }}"#
    ));
    assert_eq!(
        lines,
        [
            "blue.scouts1  life 3->1  (by blow, red.scouts1)",
            "red.scouts1  mark 0->2  (by hurt blue.scouts1)",
            "red.scouts1  life 3->2  (by counter, blue.scouts1)",
            "blue.scouts1  mark 0->1  (by hurt red.scouts1)",
            "blue.scouts1  life 1->3",
            "blue.scouts1  mark 1->21  (by rest)",
            "blue.scouts1  life 3->-5  (by blow, red.scouts1)",
            "blue.scouts1  removed from e1  (by death)",
            "game  alarm 2->1  (by struck)",
            "game  rung 0->1  (by bell)",
        ]
    );
}

#[test]
fn a_batch_that_hurts_twice_has_hurt_once_and_what_it_gives_back_was_not_lost() {
    let lines = trial(&format!(
        r#"{HURT} // batch
        fn trial() {{
            let me = first().units.first;
            let foe = second().units.first;
            hit(foe, 2, "blow", me);
            hit(foe, 2, "shot", me);
            add(game(), "alarm", 1, "up");
            add(game(), "alarm", -1, "down");
        }}"#
    ));
    assert_eq!(
        lines,
        [
            "blue.scouts1  life 3->2  (by blow, red.scouts1)",
            "blue.scouts1  life 2->1  (by shot, red.scouts1)",
            "game  alarm 2->3  (by up)",
            "game  alarm 3->2  (by down)",
            "red.scouts1  mark 0->2  (by hurt blue.scouts1)",
            "red.scouts1  life 3->2  (by counter, blue.scouts1)",
            "blue.scouts1  mark 0->1  (by hurt red.scouts1)",
        ]
    );
}

/// In a batch as one at a time: whoever falls to 0 is removed before anybody hears that it was hurt.
#[test]
fn a_unit_that_a_batch_removes_does_not_strike_back() {
    let lines = trial(&format!(
        r#"{HURT} // batch
        fn trial() {{
            let me = first().units.first;
            let foe = second().units.first;
            hit(foe, 9, "blow", me);
            hit(me, 2, "blow", foe);
        }}"#
    ));
    assert_eq!(
        lines,
        [
            "blue.scouts1  life 3->-5  (by blow, red.scouts1)",
            "red.scouts1  life 3->2  (by blow, blue.scouts1)",
            "blue.scouts1  removed from e1  (by death)",
            "blue.scouts1  mark 0->1  (by hurt red.scouts1)",
        ]
    );
}

#[test]
fn what_places_and_the_game_lose_is_weighed_and_comes_to_nought_too() {
    assert_eq!(
        trial(
            r#"
            fn worn(it, amount, by) { if it == game() { amount } else { 2 * amount } }
            fn trial() {
                add(place("b1"), "steps", -1, "rain");
                add(game(), "alarm", -2, "thief");
            }"#
        ),
        [
            "b1  steps 0->-2  (by rain)",
            "game  alarm 2->0  (by thief)",
            "game  rung 0->1  (by alarm)",
        ]
    );
}

#[test]
fn who_may_not_be_removed_stays_and_why_is_on_record() {
    let undying = r#"
        fn may_remove(me) {
            if me.mark > 0 { return true; }
            add(me, "mark", 1, "luck");
            "it only falls down"
        }
        fn removed(me, place) {
            let who = if by_whom().is_empty() { "nobody" } else { by_whom()[0].name };
            add(me.owner.foe, "score", 1, who + " at " + place.name);
        }
        fn trial() {
            let me = first().units.first;
            let foe = second().units.first;
            hit(me, 3, "blow", foe);
            remove(me, "rout", foe);
            remove(me, "rout", foe);
        }"#;
    assert_eq!(
        trial(undying),
        [
            "red.scouts1  life 3->0  (by blow, blue.scouts1)",
            "red.scouts1  mark 0->1  (by luck)",
            "red.scouts1  is not removed: it only falls down  (by death)",
            "red.scouts1  removed from a1  (by rout, blue.scouts1)",
            "blue  score 0->1  (by blue.scouts1 at a1)",
        ]
    );
    let batch = undying.replace("fn trial()", "// batch\nfn trial()");
    assert_eq!(
        trial(&batch)[..3],
        [
            "red.scouts1  is not removed: it only falls down  (by rout, blue.scouts1)",
            "red.scouts1  is not removed: it only falls down  (by rout, blue.scouts1)",
            "red.scouts1  life 3->0  (by blow, blue.scouts1)",
        ]
    );
}

#[test]
fn a_roll_is_replaced_and_both_are_on_record() {
    let lines = trial(
        r#"
        fn rolled(who, label, dice) {
            if label == "attack" { roll(who, "anew", dice.len, 6).plus(6) } else { dice }
        }
        fn trial() {
            let me = first().units.first;
            add(me, "mark", roll(me, "attack", 2, 6).len, "dice");
            add(me, "mark", roll(me, "other", 1, 6).len, "dice");
        }"#,
    );
    assert_eq!(lines.len(), 6, "{lines:#?}");
    let begins = [
        "red.scouts1 rolled attack: ",
        "red.scouts1 rolled anew: ",
        "red.scouts1  attack counts as ",
    ];
    for (line, begin) in lines.iter().zip(begins) {
        assert!(line.starts_with(begin), "{line}");
    }
    assert!(lines[2].ends_with(" 6"), "{}", lines[2]);
    assert_eq!(lines[3], "red.scouts1  mark 0->3  (by dice)");
    assert_eq!(lines[5], "red.scouts1  mark 3->4  (by dice)");
}

#[test]
fn reactions_ask_and_roll_and_are_played_again_from_the_record() {
    let files = [(
        "scripts/tiny/terrain/mud.rhai",
        r#"
        fn entered(here, who) {
            let how = choose(who, here, "mud", ["wade", "turn back"]);
            if how == "wade" { hit(who, roll(who, "mud", 1, 2).total, "mud", here); } else { put(who, place("a1")); }
        }"#,
    )];
    let functions = r#"fn trial() { for at in ["b1", "c1", "b1"] { put(first().units.first, place(at)); } }"#;
    let lines = trial_of(functions, &files, &[], &["turn back", "wade"]);
    assert_eq!(lines[0], "red.scouts1  a1->b1");
    assert_eq!(lines[1], "red chose mud for b1: turn back");
    assert!(
        lines.iter().any(|l| l.starts_with("red.scouts1 rolled mud: ")),
        "{lines:#?}"
    );
    let batch = format!("// batch\n{functions}");
    let lines = trial_of(&batch, &files, &[], &["wade"]);
    assert!(
        lines.last().is_some_and(|l| l.contains("by mud, b1")),
        "{lines:#?}"
    );
}

#[test]
fn reactions_that_set_each_other_off_without_end_are_told_as_a_chain() {
    let around = r#"
        fn arrives(me, place) {
            let on = #{ b1: "c1", c1: "b1" };
            if place.name in on { put(me, place(on[place.name])); }
        }
        fn trial() { put(first().units.first, place("b1")); }"#;
    insta::assert_snapshot!(failure(around).page(false));
    insta::assert_snapshot!(failure(&format!("// batch{around}")).page(false));
}

#[test]
fn what_a_reaction_must_say_is_told_where_it_says_something_else() {
    let wounded = |says: &str| {
        brief(&failure(&format!(
            "fn wounded(me, amount, by) {{ {says} }}\nfn trial() {{ hit(first().units.first, 1, \"x\"); }}"
        )))
    };
    assert_eq!(
        vec![wounded("\"none\"")],
        ["wrong-hook-value(wounded, how much counts: a number from 0, none) at scripts/tiny/game.rhai:30:4"]
    );
    assert_eq!(
        vec![wounded("amount - 2")],
        ["wrong-hook-value(wounded, how much counts: a number from 0, -1) at scripts/tiny/game.rhai:30:4"]
    );
    assert_eq!(
        vec![wounded("")],
        [
            "wrong-hook-value(wounded, how much counts: a number from 0, nothing) at scripts/tiny/game.rhai:30:4"
        ]
    );
    let removal = failure("fn may_remove(me) { false }\nfn trial() { remove(first().units.first); }");
    assert_eq!(
        [brief(&removal)],
        [
            "wrong-hook-value(may_remove, true, or why the unit is not removed, false) at scripts/tiny/game.rhai:31:4"
        ]
    );
    let rolled = failure("fn rolled(who, label, dice) { 6 }\nfn trial() { roll(first(), \"x\", 1, 6); }");
    assert_eq!(
        [brief(&rolled)],
        ["wrong-hook-value(rolled, what the roll counts as: dice, 6) at scripts/tiny/game.rhai:31:4"]
    );
}

#[test]
fn what_cannot_be_a_reaction_is_told_when_rules_are_loaded() {
    let problems = |functions: &str, files: &[(&str, &str)], variants: &[&str]| -> Vec<String> {
        load(&format!("{functions}\nfn trial() {{}}"), files, variants)
            .err()
            .map_or_else(Vec::new, |problems| problems.0.iter().map(brief).collect())
    };
    assert_eq!(
        problems("fn arrives(me) {}", &[], &[]),
        ["wrong-parameters(arrives, 1 parameter, 2, me, place) at scripts/tiny/game.rhai:31:4"]
    );
    assert_eq!(
        problems("", &[("units/tiny/scouts.rhai", "fn arrives(me) {}\n")], &[]),
        ["wrong-parameters(arrives, 1 parameter, 2, me, place) at units/tiny/scouts.rhai:2:4"]
    );
    let far = ("scripts/tiny/variants/far.rhai", "// Far.\nfn left(here) {}\n");
    assert_eq!(
        problems("", &[far], &["far"]),
        ["wrong-parameters(left, 1 parameter, 2, here, who) at scripts/tiny/variants/far.rhai:2:4"]
    );
    let slots = |key: &str| format!("fn slots() {{ #{{ unit: #{{ life: 1, mark: #{{ {key} }} }} }} }}");
    assert_eq!(
        problems(&slots("start: 0, falls: \"woundet\""), &[], &[]),
        ["unknown-name(function, woundet) at scripts/tiny/game.rhai:25:62"]
    );
    assert_eq!(
        problems(&slots("start: false, rises: \"wounded\""), &[], &[]),
        ["misplaced-key(rises, a number) at scripts/tiny/game.rhai:25:35"]
    );
    // Who is asked is whom it is about.
    for (file, hook, problem) in [
        (
            "units/tiny/scouts.rhai",
            "fn entered(here, who) {}\n",
            "misplaced-function(entered, a unit, a place, a terrain's script or game.rhai) at units/tiny/scouts.rhai:2:4",
        ),
        (
            "scripts/tiny/terrain/mud.rhai",
            "fn arrives(me, place) {}\n",
            "misplaced-function(arrives, a place, a unit, a unit's script or game.rhai) at scripts/tiny/terrain/mud.rhai:2:4",
        ),
        (
            "units/tiny/scouts.rhai",
            "fn worth(side) { 1 }\n",
            "misplaced-function(worth, a unit, a faction, game.rhai or a variant) at units/tiny/scouts.rhai:2:4",
        ),
        (
            "scripts/tiny/terrain/mud.rhai",
            "fn may_start() { true }\n",
            "misplaced-function(may_start, a place, the game, game.rhai or a variant) at scripts/tiny/terrain/mud.rhai:2:4",
        ),
    ] {
        assert_eq!(problems("", &[(file, hook)], &[]), [problem]);
    }
    let far = (
        "scripts/tiny/variants/far.rhai",
        "// Far.\nfn scouts.left(here, who) {}\n",
    );
    assert_eq!(
        problems("", &[far], &["far"]),
        [
            "misplaced-function(left, a unit, a place, a terrain's script or game.rhai) at scripts/tiny/variants/far.rhai:2:11"
        ]
    );
    let sight = ("units/tiny/scouts.rhai", "fn blocks_sight(here) { true }\n");
    assert_eq!(problems("", &[sight], &[]).len(), 1);
    for name in ["becomes_engaged", "becomes_free"] {
        let alone = format!("fn {name}(me) {{}}\n");
        assert!(problems("", &[("units/tiny/scouts.rhai", &alone)], &[]).is_empty());
    }
}

// --- units that change sides or types ---------------------------------------------------------

const GUARDS: (&str, &str) = (
    "units/tiny/guards.rhai",
    "fn stats() { #{ symbol: \"Gu\", life: 5 } }\n",
);

#[test]
fn who_changes_sides_or_type_has_a_name_that_nobody_had() {
    let functions = r#"
        fn comes_into_contact(me, foe) { add(me, "mark", 1, "meets " + foe.name); }
        fn loses_contact(me, foe) { add(me, "mark", 10, "loses " + foe.name); }
        fn trial() {
            let me = first().units.first;
            let foe = second().units.first;
            put(me, foe.place);
            change_owner(foe, first(), "charm");
            change_type(foe, unit_type("guards"), "promotion");
            change_owner(foe, second(), "it wakes up");
            enlist(second(), unit_type("scouts"));
            enlist(first(), unit_type("scouts"));
            hit(unit("blue.scouts1"), 1, "by its first name", unit("red.scouts2"));
            change_type(foe, foe.type);
        }"#;
    assert_eq!(
        trial_of(functions, &[GUARDS], &[], &[]),
        [
            "red.scouts1  a1->e1",
            "red.scouts1  mark 0->1  (by meets blue.scouts1)",
            "blue.scouts1  mark 0->1  (by meets red.scouts1)",
            "blue.scouts1  becomes red.scouts2  (by charm)",
            "red.scouts1  mark 1->11  (by loses red.scouts2)",
            "red.scouts2  mark 1->11  (by loses red.scouts1)",
            "red.scouts2  becomes red.guards1  (by promotion)",
            "red.guards1  becomes blue.guards1  (by it wakes up)",
            "red.scouts1  mark 11->12  (by meets blue.guards1)",
            "blue.guards1  mark 11->12  (by meets red.scouts1)",
            "blue.scouts2  enlisted",
            "red.scouts3  enlisted",
            "blue.guards1  life 3->2  (by by its first name, blue.guards1)",
        ]
    );
}

#[test]
fn a_batch_brings_each_to_its_side_and_type() {
    let lines = trial_of(
        r#" // batch
        fn trial() {
            let foe = second().units.first;
            change_type(foe, unit_type("guards"));
            change_owner(foe, first());
        }"#,
        &[GUARDS],
        &[],
        &[],
    );
    assert_eq!(
        lines,
        [
            "blue.scouts1  becomes blue.guards1",
            "blue.guards1  becomes red.guards1",
        ]
    );
    let full = failure(
        r#"
        fn board() { #{ factions: ["red", "blue"], hexes: [5, 1], stack: 1 } }
        fn trial() { put(second().units.first, place("a1")); change_owner(second().units.first, first()); }"#,
    );
    assert!(
        full.message
            .contains("blue.scouts1 cannot come to red: 1 of its units stand in a1"),
        "{full}"
    );
}

#[test]
fn in_a_hidden_phase_a_unit_is_what_it_was_for_those_who_did_not_turn_it() {
    let functions = r#"
        fn phases() { [
            #{ phase: "opening", each: "game", step: "open" },
            #{ phase: "secret", hidden: true, phases: [#{ phase: "plot", each: "faction", step: "plot" }] },
        ] }
        fn plot(side) {
            if side == first() { change_owner(second().units.first, side, "bribe"); }
            choose(side, "nod", ["yes", "no"]);
        }"#;
    let mut play = game(functions, &[], &[]);
    assert_eq!(play.run_on(), Progress::Asks);
    assert!(play.answer(0));
    assert_eq!(play.run_on(), Progress::Asks);
    let (red, blue) = (FactionId(0), FactionId(1));
    let table = play.table();
    let names = |viewer| {
        let view = table.view(Some(viewer)).world();
        let units = view.on_board();
        units
            .map(|u| (table.rules.unit_name(view.name(u)), view.owned(blue).contains(u)))
            .collect::<Vec<_>>()
    };
    let both = |second: &str, is_blue| vec![("red.scouts1".to_owned(), false), (second.to_owned(), is_blue)];
    assert_eq!(names(red), both("red.scouts2", false));
    assert_eq!(names(blue), both("blue.scouts1", true));
    let shown = |viewer| {
        let mut seen = table.view(Some(viewer)).events();
        seen.any(|(_, e)| rulebench::event_text::line(&e, &table.rules, &table.words).contains("becomes"))
    };
    assert!(shown(red) && !shown(blue));
}

#[test]
fn former_names_are_kept_over_a_change_of_rules() {
    let functions = r#"fn trial() {
        change_owner(second().units.first, first(), "charm");
        choose(first(), "nod", ["yes", "no"]);
        enlist(second(), unit_type("scouts"));
    }"#;
    let mut play = game(functions, &[], &[]);
    assert_eq!(play.run_on(), Progress::Asks);
    let other = functions.replace("enlist(", "add(first(), \"score\", 1, \"new\"); enlist(");
    play.change_rules(load(&other, &[], &[]).expect("it loads"), "test")
        .expect("it is carried");
    assert_eq!(play.run_on(), Progress::Asks);
    assert!(play.answer(0));
    assert_eq!(play.run_on(), Progress::Over);
    let text: Vec<String> = lines(&play).iter().map(Line::text).collect();
    assert!(
        text.iter().any(|l| l.contains("blue.scouts2  enlisted")),
        "{text:#?}"
    );
}

#[test]
fn a_hit_takes_from_the_slot_that_says_so() {
    let hit = |slots: &str| {
        format!(
            "fn slots() {{ #{{ unit: #{{ {slots} }}, game: #{{ rung: 0 }} }} }}
            fn open() {{ for at in gaps() {{ lay(at, terrain(\"grass\")); }} muster(first(), \"a1\"); }}
            fn trial() {{ hit(first().units.first, 1, \"blow\"); }}"
        )
    };
    let nerve = "red.scouts1  nerve 4->3  (by blow)";
    assert_eq!(
        trial(&hit(
            "nerve: #{ start: 4, hit: true }, life: #{ start: 1, at_zero: \"death\" }"
        )),
        [nerve]
    );
    assert_eq!(
        trial(&hit("nerve: #{ start: 4, at_zero: \"death\" }, life: 1")),
        [nerve]
    );
    assert_eq!(
        trial(&hit(
            "nerve: #{ start: 4, at_zero: \"death\" }, life: #{ start: 1, at_zero: \"death\", hit: false }"
        )),
        [nerve]
    );
    for neither in [
        "life: 1",
        "nerve: #{ start: 4, at_zero: \"death\" }, life: #{ start: 1, at_zero: \"death\" }",
    ] {
        assert_eq!(failure(&hit(neither)).id(), "rule-failure");
    }
    let both = load(
        &hit("nerve: #{ start: 4, hit: true }, life: #{ start: 1, hit: true }"),
        &[],
        &[],
    );
    let first = |loaded: Result<Arc<Ruleset>, Problems>| loaded.err().map(|problems| brief(&problems.0[0]));
    assert_eq!(
        Vec::from_iter(first(both)),
        ["repeated-key(hit, life, nerve) at scripts/tiny/game.rhai:15:26"]
    );
    let flag = load(&hit("tired: #{ start: false, hit: true }"), &[], &[]);
    assert_eq!(
        Vec::from_iter(first(flag)),
        ["misplaced-key(hit, a slot of a unit that is a number) at scripts/tiny/game.rhai:15:26"]
    );
}

#[test]
fn who_stands_apart_is_not_engaged_and_hooks_hear_of_it() {
    let functions = r#"
        fn open() { for at in gaps() { lay(at, terrain("grass")); } muster(first(), "a1"); muster(second(), "a1"); }
        fn becomes_free(me) { add(me, "mark", 1, "free"); }
        fn becomes_engaged(me) { add(me, "mark", 10, "engaged"); }
        fn trial() {
            let me = first().units.first;
            me.apart = true;
            me.apart = true;
            me.apart = false;
            me.apart = false;
        }"#;
    assert_eq!(
        trial(functions),
        [
            "red.scouts1  stands apart",
            "red.scouts1  mark 10->11  (by free)",
            "red.scouts1  mark 11->21  (by engaged)",
        ]
    );
    // What is true or false is set, and nothing is added to it; a near name is one that can be added to.
    for (slot, hint) in [("apart", "known: "), ("mrk", "did you mean `mark`?")] {
        let problem = failure(&format!(
            "fn trial() {{ let slot = \"{slot}\"; add(first().units.first, slot, 1, \"shock\"); }}"
        ));
        assert_eq!(problem.arguments(), ["number slot", slot]);
        let suggested = problem.hint.unwrap_or_default();
        assert!(suggested.contains(hint), "{suggested}");
    }
    let wrong = |slots: &str| {
        let functions = format!("fn trial() {{}} fn slots() {{ #{{ {slots} }} }}");
        let refused = load(&functions, &[], &[]).expect_err("it is refused");
        brief(&refused.0[0])
    };
    assert_eq!(
        vec![
            wrong("unit: #{ life: #{ start: 1, frees: true } }"),
            wrong("faction: #{ apart: #{ start: false, frees: true } }"),
            wrong("unit: #{ apart: #{ start: false, frees: true }, away: #{ start: false, frees: true } }"),
            wrong("unit: #{ life: #{ start: 1, says: \"lives\" } }"),
            wrong("unit: #{ apart: #{ start: false, says: \"stands\\napart\" } }"),
        ],
        [
            "misplaced-key(frees, a slot of a unit that is true or false) at scripts/tiny/game.rhai:25:40",
            "misplaced-key(frees, a slot of a unit that is true or false) at scripts/tiny/game.rhai:25:43",
            "repeated-key(frees, apart, away) at scripts/tiny/game.rhai:25:79",
            "misplaced-key(says, a slot that is true or false) at scripts/tiny/game.rhai:25:40",
            "wrong-value(`says`, one line of words) at scripts/tiny/game.rhai:25:40"
        ]
    );
}

// --- units that are carried -------------------------------------------------------------------

#[test]
fn a_slot_that_holds_a_unit_and_reactions_carry_it_along_on_record() {
    let functions = r#"
        fn slots() { #{
            unit: #{ life: 1, mark: 0, carrier: #{ holds: "unit", quiet: false } },
            place: #{ guard: #{ holds: "unit", quiet: false }, side: #{ holds: "faction", quiet: false } },
            game: #{ rung: 0 },
        } }
        fn arrives(me, place) {
            for cargo in everyone().filter(|unit| unit.carrier == me) { put(cargo, place, "carried"); }
        }
        fn removed(me, place) {
            for cargo in everyone().filter(|unit| unit.carrier == me) { cargo.carrier = nobody; }
        }
        fn trial() {
            let me = first().units.first;
            let foe = second().units.first;
            put(foe, me.place);
            foe.carrier = me;
            put(me, place("b1"));
            let here = place("b1");
            here.guard = foe;
            here.side = second();
            change_owner(foe, first(), "charm");
            here.guard = foe;
            remove(me);
            here.guard = nobody;
            here.side = nobody;
        }"#;
    assert_eq!(
        trial(functions),
        [
            "blue.scouts1  e1->a1",
            "blue.scouts1  carrier nobody->red.scouts1",
            "red.scouts1  a1->b1",
            "blue.scouts1  a1->b1  (by carried)",
            "b1  guard nobody->blue.scouts1",
            "b1  side none->blue",
            "blue.scouts1  becomes red.scouts2  (by charm)",
            "red.scouts1  removed from b1",
            "red.scouts2  carrier red.scouts1->nobody",
            "b1  guard red.scouts2->nobody",
            "b1  side blue->none",
        ]
    );
}

/// As many come to a side at the same time as their place has room for; who they are is asked.
#[test]
fn those_who_change_sides_together_need_room_together() {
    let functions = |reds: usize, charmed: &str| {
        format!(
            r#" // batch
        fn board() {{ #{{ factions: ["red", "blue"], hexes: [5, 1], stack: 2 }} }}
        fn open() {{
            for at in gaps() {{ lay(at, terrain("grass")); }}
            for n in 0..{reds} {{ muster(first(), "a1"); }}
            for n in 0..2 {{ muster(second(), "a1"); }}
            muster(second(), "c1");
        }}
        fn trial() {{ {charmed} for foe in second().units {{ if foe.place == place("a1") {{
            change_owner(foe, first(), "charm"); }} }} }}"#
        )
    };
    assert_eq!(
        trial_of(&functions(1, ""), &[], &[], &["blue.scouts2"]),
        [
            "red chose resolves first for a1: blue.scouts2",
            "blue.scouts1  stays on its side: no room in a1  (by charm)",
            "blue.scouts2  becomes red.scouts2  (by charm)",
        ]
    );
    assert_eq!(
        trial_of(&functions(2, ""), &[], &[], &[]),
        [
            "blue.scouts1  stays on its side: no room in a1  (by charm)",
            "blue.scouts2  stays on its side: no room in a1  (by charm)",
        ]
    );
    // Room that is made at the same time is room; who comes there is a rival for it.
    let leaves = "put(first().units.first, place(\"b1\"));";
    assert_eq!(
        trial_of(&functions(2, leaves), &[], &[], &["blue.scouts1"]),
        [
            "red chose resolves first for a1: blue.scouts1",
            "blue.scouts2  stays on its side: no room in a1  (by charm)",
            "red.scouts1  a1->b1",
            "blue.scouts1  becomes red.scouts3  (by charm)",
        ]
    );
}

/// The reason for a unit's move in a batch does not depend on other changes of the unit in that batch.
#[test]
fn who_moves_in_a_batch_moves_for_its_own_reason() {
    for other in ["me.apart = true", "change_owner(me, second(), \"charm\")"] {
        let functions = format!(
            r#" // batch
            fn arrives(me, here) {{ add(me, "mark", 1, if by_what().contains("march") {{ "marched" }} else {{ "else" }}); }}
            fn trial() {{ let me = first().units.first; put(me, place("d1"), "march"); {other}; }}"#
        );
        let lines = trial_of(&functions, &[], &[], &[]);
        assert!(
            lines.iter().any(|l| l.contains("mark 0->1  (by marched")),
            "{lines:?}"
        );
    }
}
