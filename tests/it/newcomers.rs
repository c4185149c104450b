//! A new unit type or kind of terrain is a file: no tweak of a game may know only of those that it met.

use crate::support::{root, short_game};
use rulebench::report::Source;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::{self, OpenedFile, Overrides, PlayStop};
use rulebench::variants::{Tweaks, required};
use std::collections::BTreeSet;

/// A third type of a face that had two, with an ability against nobody in particular and one against somebody.
const DRUMMERS: &str = r#"
fn stats() { #{ face: 4, symbol: "Dr", drum: 1, range: 2 } }
fn melee(me) { if offer("drum", me, ["drum"]) != nobody { add(me, "life", me.drum, "drum"); } }
fn ranged(me) {
    let foe = aim("frighten", me, me.range);
    if foe != nobody { hit(foe, me.drum, "frighten"); }
}
"#;
/// A second type of a face that had one.
const SLINGERS: &str = r#"
fn stats() { #{ face: 1, symbol: "Sl", range: 3, move: 2 } }
fn ranged(me) {
    let foe = aim("sling", me, me.range);
    if foe != nobody { hit(foe, 1, "sling"); }
}
"#;
/// A tile that has a word about everything that terrain is asked.
const SWAMP: &str = r##"
fn stats() { #{ symbol: "w", colour: "#8a9a6b", tile: true, feature: false, stock: 4, swallows: 1 } }
fn hazard(here, me, tile) { if roll(me, "swamp", 1, 6).total <= here.swallows { defeat(me, tile); } }
fn re_rolls(here, what, me) { 1 }
fn kicks(here, what, me) { 5 }
fn may_deploy_from(here) { true }
"##;
const GIANT: &str = r#"
fn stats() { #{ symbol: "Gi", points: 6, off: 3, def: 2, rng: 1, spd: 3, living: true } }
fn bump_by(me, what, foe) { if what == "off" && foe.human { 1 } else { base(me, what, foe) } }
fn may_retaliate(me, foe) { if in_range(me, foe) { true } else { "it is too far away" } }
fn behind(me, hopped, hops) { base(me, hopped, hops) }
"#;
/// A figure with dice of its own accord, on a wide base.
const OGRE: &str = r#"
fn stats() { #{ symbol: "Og", speed: 1, melee_attack: 5, defence: 2, diameter: 2 } }
fn attack_dice(me, foe) { base(me, foe) + 1 }
"#;
/// Scenery that nobody gets through, and everybody sees over.
const BOG: &str = r##"
fn stats() { #{ symbol: "b", colour: "#8a9a6b", scenery: true, impassable: false } }
fn blocks_movement(here, me) { true }
fn blocks_sight(here) { false }
"##;
/// A fighter of a fourth size, with an arrow of its own.
const COLOSSUS: &str = r#"
fn stats() { #{ symbol: "C", points: 5, actions: 2, damage_points: 4, defence: 0, diameter: 80 } }
fn arrow(me) { page_length / 2 }
fn may_defend(me) { false }
"#;
/// A die of a fifth shape in each set, that attacks whatever it likes.
const CUBE: &str = r#"
fn stats() { #{ symbol: "C", die: 6, in_a_set: 2 } }
fn matches(me, foe) { true }
"#;

fn workspace() -> Workspace {
    let files = [
        ("units/smalltricks/drummers.rhai", DRUMMERS),
        ("units/smalltricks/slingers.rhai", SLINGERS),
        ("scripts/pocket-tactics/terrain/swamp.rhai", SWAMP),
        ("units/pocket-tactics/giant.rhai", GIANT),
        ("units/the-wager/ogre.rhai", OGRE),
        ("scripts/the-wager/terrain/bog.rhai", BOG),
        ("units/very-quick-violence/colossus.rhai", COLOSSUS),
        ("units/smashdodes/cube.rhai", CUBE),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    Workspace::at(root()).with(files.into_iter().collect())
}

/// The record of a scenario in that workspace, which must do what it expects.
fn played(scenario: &str) -> String {
    let opened = run::open(&Source::new("it.toml", scenario)).unwrap_or_else(|p| panic!("{p}"));
    let ran = run::run(&workspace(), &opened, &Overrides::default()).unwrap_or_else(|p| panic!("{p}"));
    let text = ran.play.lines_from(0).join("\n");
    assert!(
        ran.problems.is_empty() && ran.unmet.is_empty(),
        "{:?}\n{:?}\n{text}",
        ran.problems,
        ran.unmet
    );
    text
}

#[test]
fn random_games_with_newcomers_are_played_under_every_tweak() {
    let workspace = workspace();
    for game in workspace.games() {
        let tweaks = Tweaks::read(&workspace, &game).expect("the tweaks");
        let names = tweaks.all.iter().map(|t| t.name.as_str());
        let mut met = BTreeSet::new();
        for name in std::iter::once(None).chain(names.map(Some)) {
            let mut variants = Vec::new();
            if let Some(name) = name {
                variants.push(name.to_owned());
                variants.extend(required(&tweaks.all, name));
            }
            for seed in 0..3 {
                let mut file = short_game(&game, seed, 6);
                file.open = "random".to_owned().into();
                let opened = OpenedFile { file, lines: None };
                let more = Overrides {
                    variants: variants.clone(),
                    ..Overrides::default()
                };
                let ran = run::run(&workspace, &opened, &more)
                    .unwrap_or_else(|p| panic!("{game}, {name:?}, seed {seed}: {p}"));
                let why = format!("{game}, {name:?}, seed {seed}: {:?}", ran.problems);
                assert!(ran.problems.is_empty() && ran.stopped == PlayStop::Over, "{why}");
                let text = ran.play.lines_from(0).join("\n");
                let words = ["drummers", "slingers", "by drum", "by frighten", "by sling"];
                let words = words.into_iter().chain(["swamp laid", "rolled swamp", "giant"]);
                let words = words.chain(["ogre", "bog laid", "colossus", "cube"]);
                met.extend(words.filter(|w| text.contains(w)));
            }
        }
        let all = match game.as_str() {
            "smalltricks" => 5,
            "pocket-tactics" => 3,
            "very-quick-violence" | "smashdodes" => 1,
            _ => 2,
        };
        assert_eq!(met.len(), all, "{game}: not all that is new came up: {met:?}");
    }
}

#[test]
fn a_third_type_of_a_face_is_settled_for_both() {
    played(
        r#"
        game = "smalltricks"
        variants = ["same-types-for-both"]
        dials.faction_size = 1
        answers = [
            "red face 1: slingers", "red face 2: muskets", "red face 4: drummers", "red face 6: militia",
            "slingers",
        ]
        expect = [
            'asked() == "unit" && asks() == faction("blue")',
            'offered() == ["slingers", "muskets", "mounted", "drummers", "spears", "militia"]',
        ]
        "#,
    );
}

#[test]
fn who_fought_uses_no_ability_of_a_new_type_either() {
    for (variant, drums) in [
        ("", true),
        ("fighters-stay-engaged", false),
        ("fighters-use-no-ability", false),
    ] {
        let variants = if variant.is_empty() {
            String::new()
        } else {
            format!("variants = [\"{variant}\"]")
        };
        let record = played(&format!(
            r#"
            game = "smalltricks"
            {variants}
            units.red = ["drummers c4", "archers a1"]
            units.blue = ["cannons c4 life=1", "cannons e4"]
            until = "castle damage"
            answers = [{}]
            open = "first"
            "#,
            if drums {
                r#""drum: drum", "frighten: blue.cannons2""#
            } else {
                ""
            }
        ));
        assert_eq!(record.contains("chose drum"), drums, "{variant}");
        assert_eq!(record.contains("chose frighten"), drums, "{variant}");
    }
}

#[test]
fn a_new_type_that_is_left_free_is_asked_once() {
    let record = played(
        r#"
        game = "smalltricks"
        variants = ["joining-waits"]
        units.red = ["slingers c4", "cannons c4"]
        units.blue = ["militia c4", "archers e4"]
        answers = ["holds: red.cannons1", "joins: abilities", "sling: blue.archers1"]
        until = "castle damage"
        open = "first"
        "#,
    );
    assert_eq!(record.matches("chose joins").count(), 1, "{record}");
}

#[test]
fn several_kinds_of_terrain_on_a_tile_each_have_their_word() {
    // The walls of the Keep give a 4, the swamp under them a 5: the better one counts.
    played(
        r#"
        game = "pocket-tactics"
        terrain.swamp = "g7 g6"
        terrain.keep = "g7"
        terrain.village = "g6"
        terrain.field = "g8 g5"
        units.red = ["giant g8"]
        units.blue = ["footman g7", "archer g6", "archer reserve"]
        slots.blue = { deployment = "g5" }
        answers = ["attack", "skirmish"]
        open = "first"
        until = "count"
        expect = ['unit("blue.footman1").def_kicker == 5']
        "#,
    );
}

/// The SPD that a step takes is asked for each tile, so that a tweak of it alone is all that a designer needs.
#[test]
fn what_a_step_costs_is_heeded_wherever_a_unit_goes() {
    let woods = "// Do Forests slow? Here they cost 1 SPD more.\n\
        fn step_cost(from, next) {\n\
            base(from, next) + if next.terrains.contains(terrain(\"forest\")) { 1 } else { 0 }\n\
        }\n";
    let files = [(
        "scripts/pocket-tactics/variants/woods-slow.rhai".to_owned(),
        woods.to_owned(),
    )];
    let workspace = Workspace::at(root()).with(files.into_iter().collect());
    let record = |variants: &str, units: &str, answers: &str| {
        let scenario = format!(
            r#"
            game = "pocket-tactics"
            title = "Woods"
            variants = [{variants}]
            terrain.field = "g6 f7 g8"
            terrain.forest = "g7"
            {units}
            answers = [{answers}]
            open = "first"
            until = "end of turn 1"
            "#
        );
        let opened = run::open(&Source::new("it.toml", scenario.as_str())).expect("it is read");
        let ran = run::run(&workspace, &opened, &Overrides::default()).unwrap_or_else(|p| panic!("{p}"));
        assert!(ran.problems.is_empty(), "{:?}", ran.problems);
        ran.play.lines_from(0).join("\n")
    };
    let slow = "\"woods-slow\"";
    let alone = "units.red = [\"footman g6\"]\nunits.blue = [\"mage g8\"]";
    let moves = r#""action: move""#;
    let (as_it_is, slowed) = (record("", alone, moves), record(slow, alone, moves));
    assert!(
        as_it_is.contains("red chose step for red.footman1: f7\n"),
        "{as_it_is}"
    );
    assert!(
        slowed.contains("red chose step for red.footman1: f7  (only option)"),
        "{slowed}"
    );
    // What is only in range is not invaded.
    let opposed = "units.red = [\"footman g6\"]\nunits.blue = [\"mage g7\"]";
    let attacks = r#""action: attack""#;
    let (as_it_is, slowed) = (record("", opposed, attacks), record(slow, opposed, attacks));
    assert!(
        as_it_is.contains("red chose announcement for red.footman1: skirmish\n"),
        "{as_it_is}"
    );
    assert!(
        slowed.contains("red chose announcement for red.footman1: skirmish  (only option)"),
        "{slowed}"
    );
}
