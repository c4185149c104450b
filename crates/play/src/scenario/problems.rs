//! Every sentence about a scenario that cannot be read, set up or played as it is written.

use std::fmt::Display;

pub use crate::report::problems::{off_board, unknown_name};

rulebench_lang::problems! {
    // The file as text.
    fn empty_scenario() = "the scenario is empty", help "the smallest scenario is one line:\ngame = \"name\"";
    fn missing_game() = "the scenario does not name its game", expected "expected `game = \"name\"` at the top";
    fn empty_text(what: &str) = "{what} is empty", expected "expected some text";
    fn title_of_several_lines() = "`title` has several lines", expected "expected one line",
        help "write longer text in `about`";
    fn repeated(what: &str) = "{what} is given twice";

    // Unit lines and answers.
    fn incomplete_unit(missing: &str) = "this unit has no {missing}", expected "expected a {missing}",
        help "write `type place slot=value flag`; the place `reserve` is off the board";
    fn incomplete_slot(word: &str) = "`{word}` does not set a slot", expected "expected `slot=value`";
    fn incomplete_answer() = "an answer with a colon needs a label before it and a key after it",
        expected "expected `label: key`";
    fn unused_answer(key: impl Display) = "the answer `{key}` was never asked for";

    // Names, places and slots.
    fn not_a_point(text: &str) = "`{text}` is not a point of the table",
        help "a point is `x,y` from the lower left corner, such as `12.4,7`";
    fn wrong_slot_value(slot: &str, value: impl Display) = "the slot `{slot}` cannot be `{value}`";
    fn too_many_units(most: usize) = "a game has at most {most} units";
    fn over_stack(place: &str, count: usize, faction: &str, most: usize) =
        "{place} is over the stacking limit: {count} units of {faction} there, {most} allowed";
    /// A position that the rules refuse, with their reason.
    fn refused_position(why: String) = "{why}";
    /// A unit in a place where nothing lies to stand on.
    fn refused_unit(why: String, place: impl Display) = "{why}",
        help "lay some terrain there: terrain.KIND = \"{place}\"";
    /// A unit on the table whose type the rules do not have any more.
    fn lost_type(unit: &str) = "`{unit}` is on the table and its script is gone";
    fn lost_place(unit: &str, place: &str) = "`{unit}` stands on {place}, which is gone";
    fn terrain_on_edges(kind: &str) = "{kind} lies on edges, not in places", help "name the two places: `c2|c3`";
    fn terrain_in_places(kind: &str) = "{kind} lies in places, not on edges",
        help "terrain whose `stats()` have `blocks` lies on edges";
    fn no_edge(a: &str, b: &str) = "{a} and {b} do not touch, so there is no edge between them";
    fn not_refused() = "the rules let the game start so, but `refused` says that they do not";

    // Pieces of terrain on a table top.
    fn not_an_outline(text: &str) = "`{text}` is not the outline of a piece",
        help "write `disc(x,y,diameter)`, `box(x,y,x,y)` or `polygon(x,y,x,y,x,y)`, without blanks";
    fn not_a_length(text: &str, most: String) =
        "`{text}` is not a length: a number up to {most} with at most three decimals";
    fn piece_without_area() = "a piece must have an area greater than 0";
    fn wrong_corner_count(count: usize, most: usize) = "a polygon has 3 to {most} corners, not {count}";
    fn corner_too_far(corner: String) = "the corner {corner} is beyond every table";
    fn repeated_corner(corner: String) = "the corner {corner} is given twice in a row";
    fn crossing_outline(edge: String, other: String) = "the outline crosses itself: edge {edge} meets edge {other}";
    fn second_outline(piece: &str) = "{piece} already has another outline";
    fn too_many_pieces(most: usize) = "the board has at most {most} pieces";

    // Dice in an arena.
    fn no_thrown_dice(game: &str) = "{game} has no arena, so nothing can be thrown";
    fn wrong_throw(why: String, form: &str) = "{why}", help "{form}";
    fn pose_and_face() = "a die has a `pose`, or `shows` and `angle`, but not both";
    fn wrong_die(value: impl Display, what: &str, help: &str) = "`{value}` is not {what}", help "{help}";
    fn pose_elsewhere(pose: String, place: String) = "this pose is at {pose}, but the die is placed at {place}";

    // Play and expectations.
    fn stopped_play(why: &str) = "{why}";
    fn question_before_until(faction: &str, label: &str, until: &str) =
        "{faction} is asked `{label}` before play reaches `{until}`",
        help "answer it; or let `open = \"first\"` answer, or leave `until` out";
    fn over_before_until(until: &str) = "the game is over before play reaches `{until}`", help "leave `until` out";
    /// A scripted roll that no roll of the scripts can be, with the reason.
    fn wrong_roll(why: String) = "{why}";
    fn unused_roll(label: &str) = "this roll of `{label}` was never made";
    fn phase_number(number: &str, most: u16) = "no phase begins {number} times", expected "expected a number from 1 to {most}";
    fn several_chapters(count: usize, action: &str) = "the rules changed during this save: it has {count} chapters",
        help "only a game under one set of rules can be {action}; `:retell` plays it again under the last ones";
    fn unmet_expectation() = "an expectation is not met";
    fn unmet_perft(depth: u8, counted: u64, by_answer: String, arguments: String) =
        "the number of sequences at depth {depth} is {counted}", expected "{by_answer}",
        help "`rulebench perft {arguments} --divide` shows all first answers";
    fn expectation_of_other_type(value: String) = "an expectation must be true or false, not {value}";
}

rulebench_lang::every_sentence! {
    let text = |text: &str| text.to_owned();
    [
        empty_scenario(),
        missing_game(),
        empty_text("an entry of `answers`"),
        title_of_several_lines(),
        repeated("the slot `life`"),
        incomplete_unit("type"),
        incomplete_slot("life="),
        incomplete_answer(),
        unused_answer("stay"),
        not_a_point("a1"),
        wrong_slot_value("life", "many"),
        too_many_units(256),
        over_stack("c3", 3, "red", 2),
        refused_position(text("red has too many towers")),
        refused_unit(text("no terrain is in c3"), "c3"),
        lost_type("red.scouts1"),
        lost_place("red.scouts1", "c3"),
        terrain_on_edges("wall"),
        terrain_in_places("mud"),
        no_edge("a1", "c3"),
        not_refused(),
        not_an_outline("star(1,2,3)"),
        not_a_length("x", text("10000")),
        piece_without_area(),
        wrong_corner_count(2, 32),
        corner_too_far(text("99999,1")),
        repeated_corner(text("1,2")),
        crossing_outline(text("0,0 to 4,4"), text("4,0 to 0,4")),
        second_outline("piece1"),
        too_many_pieces(8),
        no_thrown_dice("smalltricks"),
        wrong_throw(
            text("there is no die `red.d7_1`"),
            "a throw's result is written `hits nothing`",
        ),
        pose_and_face(),
        wrong_die(360, "an angle", "an angle is whole degrees from 0 to 359"),
        pose_elsewhere(text("15,12"), text("15,13")),
        stopped_play("`c5` is not offered to red for `move`"),
        question_before_until("blue", "move", "end of round 2"),
        over_before_until("end of round 2"),
        wrong_roll(text("`luck` has 2 dice, not 3")),
        unused_roll("luck"),
        phase_number("0", 1000),
        several_chapters(2, "measured"),
        unmet_expectation(),
        unmet_perft(2, 399, text("by first answer: a3 20, b3 19"), text("opening 2")),
        expectation_of_other_type(text("3")),
    ]
}
