//! Maps that a scenario lays: what can be wrong with them, and with the armies on them, each told at its
//! place in the file.

use crate::support::Copy;

/// A Keep with six Fields around it, and a unit of each side.
const MAP: &str = "game = \"pocket-tactics\"
terrain.field = \"g6 g8 f7 f8 h7 h8\"
terrain.keep = \"g7\"
units.red = [\"footman g6\"]
units.blue = [\"archer g8\"]
";

fn ran(map: &str) -> (i32, String) {
    let copy = Copy::of_rules();
    copy.write("scenarios/pocket-tactics/it.toml", map);
    let ran = copy.run(&["run", "it"]);
    assert!(!ran.err.contains("panicked"), "{}", ran.page());
    (ran.status, ran.page())
}

/// The page about a map in which one thing stands in the place of another.
fn bad(old: &str, new: &str) -> String {
    assert!(MAP.contains(old), "{old}");
    let (status, page) = ran(&MAP.replace(old, new));
    assert_eq!(status, 2, "{page}");
    page
}

#[test]
fn the_map_is_well_without_a_fault() {
    let (status, page) = ran(MAP);
    assert_eq!(status, 0, "{page}");
    assert!(page.contains("red is asked `action`: pass, move"), "{page}");
}

#[test]
fn a_tile_that_is_cut_off() {
    insta::assert_snapshot!(bad("h7 h8", "h7 h8 a7"));
}

#[test]
fn two_keeps() {
    insta::assert_snapshot!(bad("keep = \"g7\"", "keep = \"g7 g8\""));
}

#[test]
fn two_features_on_one_tile() {
    insta::assert_snapshot!(bad(
        "terrain.keep",
        "terrain.forest = \"g8\"\nterrain.hill = \"g8\"\nterrain.keep"
    ));
}

#[test]
fn a_feature_beside_the_keep() {
    insta::assert_snapshot!(bad("terrain.keep", "terrain.village = \"g7\"\nterrain.keep"));
}

#[test]
fn a_deployment_edge_that_is_none() {
    insta::assert_snapshot!(bad(
        "units.blue",
        "slots.red = { deployment = \"g7\" }\nunits.blue"
    ));
}

#[test]
fn a_deployment_edge_without_a_tile() {
    insta::assert_snapshot!(bad(
        "units.blue",
        "slots.red = { deployment = \"a5\" }\nunits.blue"
    ));
}

#[test]
fn one_deployment_edge_for_both() {
    let both = "slots.red = { deployment = \"g6\" }\nslots.blue = { deployment = \"g6\" }\nunits.blue";
    insta::assert_snapshot!(bad("units.blue", both));
}

#[test]
fn a_reserve_without_a_deployment_edge() {
    insta::assert_snapshot!(bad("\"footman g6\"", "\"footman g6\", \"mage reserve\""));
}

#[test]
fn an_army_over_the_points() {
    insta::assert_snapshot!(bad(
        "\"footman g6\"",
        "\"footman g6\", \"cavalier f7\", \"cavalier reserve\""
    ));
}

#[test]
fn a_unit_off_the_map() {
    insta::assert_snapshot!(bad("archer g8", "archer g9"));
}

#[test]
fn two_units_on_one_tile() {
    insta::assert_snapshot!(bad("archer g8", "archer g6"));
}

#[test]
fn terrain_that_is_not_there() {
    insta::assert_snapshot!(bad("terrain.keep", "terrain.kep"));
}

#[test]
fn terrain_off_the_board_hides_nothing_else() {
    insta::assert_snapshot!(bad("f7 f8", "f7 z8"));
}

#[test]
fn a_place_that_is_named_twice() {
    insta::assert_snapshot!(bad("f7 f8", "f7 f7"));
}

#[test]
fn terrain_that_is_no_text() {
    insta::assert_snapshot!(bad("keep = \"g7\"", "keep = 7"));
}

#[test]
fn terrain_in_a_game_without_any() {
    let map = "game = \"smalltricks\"\nterrain.field = \"a1\"\nunits.red = [\"archers a1\"]\n";
    let (status, page) = ran(map);
    assert_eq!(status, 2, "{page}");
    insta::assert_snapshot!(page);
}

#[test]
fn a_unit_may_stand_on_what_it_may_not_have_survived() {
    // Somebody came through the water before the scenario begins: nobody rolls for that again.
    let (status, page) = ran(&MAP
        .replace("terrain.keep", "terrain.water = \"g9\"\nterrain.keep")
        .replace("archer g8", "archer g9"));
    assert_eq!(status, 0, "{page}");
    assert!(!page.contains("rolled water"), "{page}");
}

#[test]
fn a_scenario_can_say_that_its_map_is_refused_and_why() {
    let cut_off = MAP.replace("h7 h8", "h7 h8 a7");
    let said = |map: &str, why: &str| ran(&format!("{map}refused = \"{why}\"\n"));
    let (status, page) = said(&cut_off, "a7 is cut off");
    let end = "end: the game cannot start so: the map has a gap: a7 is cut off from the other tiles\n";
    assert!(status == 0 && page.contains(end), "{page}");
    // For another reason, and not at all.
    let (status, page) = said(&cut_off, "more than one keep");
    assert!(status == 2 && page.contains("error: the map has a gap"), "{page}");
    let (status, page) = said(MAP, "a7 is cut off");
    let not = "error: the rules let the game start so, and the scenario says that they do not";
    assert!(
        status == 2 && page.contains(not) && page.contains("^^^"),
        "{page}"
    );
    // Answers to a game that does not begin are left over.
    let (status, page) = said(&format!("{cut_off}answers = [\"pass\"]\n"), "a7 is cut off");
    assert!(status == 2 && page.contains("pass"), "{page}");
}

#[test]
fn what_is_refused_is_not_played_on() {
    let copy = Copy::of_rules();
    let map = MAP.replace("h7 h8", "h7 h8 a7") + "refused = \"a7 is cut off\"\n";
    copy.write("scenarios/pocket-tactics/it.toml", map);
    for command in ["repl", "odds"] {
        let ran = copy.run(&[command, "it"]);
        assert!(ran.page().contains("error: the map has a gap"), "{}", ran.page());
    }
    copy.run(&["test", "it"]);
    copy.run(&["accept", "it"]);
    let ran = copy.run(&["test", "it"]);
    assert!(ran.page().contains("1 passed"), "{}", ran.page());
    let ran = copy.run(&["diff", "it", "--variant", "hops-cost-two"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
}
