//! Every sentence about a question on events, calls, names and reach that has no answer.

pub use crate::report::problems::{off_board, unknown_thing};

rulebench_lang::problems! {
    fn no_events() = "nothing has happened yet";
    fn unknown_event(number: usize, most: usize) = "there is no event {number}", expected "expected a number from 1 to {most}";
    fn lost_step() = "the step of this event cannot be run again";
    fn secret_step() = "this step has secret answers of other factions", help "ask again after the phase";
    fn secret_state(faction: &str) = "what rules read may be hidden from {faction}",
        help "if you play all sides yourself, `:alone on` hides nothing";
    fn uncalled_function(name: &str) = "`{name}` was not called in the steps that can be run again";
    fn not_a_unit(name: &str) = "`{name}` is not a unit";
    fn no_question() = "no question is open";
    fn unasked_spot(spot: &str) = "no open question asks for a spot such as `{spot}`";
    fn missing_name(kind: &str, example: String) = "the name of a {kind} is missing", help "write `{example}`";
    fn off_the_board(unit: &str) = "{unit} is not on the board";
    fn off_the_table(spot: &str, why: String) = "`{spot}` cannot be measured from: {why}";
    fn unknown_throw() = "the game throws dice, and the result of a throw is not known in advance",
        help "throw many times: `:odds --sample 1000`";
}

rulebench_lang::every_sentence! {
    [
        no_events(),
        unknown_event(99, 12),
        lost_step(),
        secret_step(),
        secret_state("red"),
        uncalled_function("damage"),
        not_a_unit("c4"),
        no_question(),
        unasked_spot("3,4"),
        missing_name("unit", ":reach red.guard1".to_owned()),
        off_the_board("red.guard1"),
        off_the_table("90,4", "it lies off the table, which is 36 by 48".to_owned()),
        unknown_throw(),
    ]
}
