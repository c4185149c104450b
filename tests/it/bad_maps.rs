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
