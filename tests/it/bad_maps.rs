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

#[test]
fn the_map_is_well_without_a_fault() {
    let (status, page) = ran(MAP);
    assert_eq!(status, 0, "{page}");
    assert!(page.contains("red is asked `action`: pass, move"), "{page}");
}

#[test]
fn a_map_that_cannot_be_has_a_problem_at_the_fault() {
    let copy = Copy::of_rules();
    let both = "slots.red = { deployment = \"g6\" }\nslots.blue = { deployment = \"g6\" }\nunits.blue";
    for (old, new, id, at) in [
        ("h7 h8", "h7 h8 a7", "refused-position", "a7"),
        ("keep = \"g7\"", "keep = \"g7 g8\"", "refused-position", "g8\""),
        (
            "terrain.keep",
            "terrain.forest = \"g8\"\nterrain.hill = \"g8\"\nterrain.keep",
            "refused-position",
            "g8\"",
        ),
        (
            "terrain.keep",
            "terrain.village = \"g7\"\nterrain.keep",
            "refused-position",
            "g7\"",
        ),
        (
            "units.blue",
            "slots.red = { deployment = \"g7\" }\nunits.blue",
            "refused-position",
            "\"g7\" }",
        ),
        (
            "units.blue",
            "slots.red = { deployment = \"a5\" }\nunits.blue",
            "refused-position",
            "\"a5\" }",
        ),
        ("units.blue", both, "refused-position", "\"g6\" }"),
        (
            "\"footman g6\"",
            "\"footman g6\", \"mage reserve\"",
            "refused-position",
            "reserve\"]",
        ),
        (
            "\"footman g6\"",
            "\"footman g6\", \"cavalier f7\", \"cavalier reserve\"",
            "refused-position",
            "red = ",
        ),
        ("archer g8", "archer g9", "refused-unit", "g9"),
        ("archer g8", "archer g6", "refused-position", "g6"),
        ("terrain.keep", "terrain.kep", "unknown-name", "kep"),
        ("f7 f8", "f7 z8", "off-board", "z8"),
        ("f7 f8", "f7 f7", "repeated", "f7 h7"),
        ("keep = \"g7\"", "keep = 7", "wrong-type", "7"),
    ] {
        assert!(MAP.contains(old), "{old}");
        let map = MAP.replace(old, new);
        copy.has_problems("scenarios/pocket-tactics/it.toml", &map, &[(id, at)]);
    }
    let without_terrain = "game = \"smalltricks\"\nterrain.field = \"a1\"\nunits.red = [\"archers a1\"]\n";
    let file = "scenarios/smalltricks/it.toml";
    copy.has_problems(file, without_terrain, &[("unknown-name", "field")]);
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
    let not = format!("{MAP}refused = \"a7 is cut off\"\n");
    let copy = Copy::of_rules();
    copy.has_problems(
        "scenarios/pocket-tactics/it.toml",
        &not,
        &[("not-refused", "\"a7 is")],
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
