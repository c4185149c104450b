//! Every sentence about a game that cannot go on.

use std::fmt::Display;

rulebench_lang::problems! {
    fn full_record(most: usize) = "the game has {most} events, and no more fit",
        help "find the phase that begins again and again";
    fn endless_phase(phase: &str, times: u16) = "the phase `{phase}` has repeated {times} times, and nobody has won",
        help "end the game in a rule: `win(...)` or `draw(...)`";
    fn endless_reactions(phase: &str, chain: String) = "interruptions of `{phase}` cause each other without end: {chain}";
    fn endless_activations(phase: &str, why: String) = "the phase `{phase}` has no end: {why}";
    fn lost_board(why: String) = "the board cannot be kept under these rules: {why}",
        help "put the rules back, or begin again: `:restart`";
    fn consequence_asks(label: &str) = "a consequence of the change asks a question: `{label}`";
    fn hidden_slot(faction: &str, slot: &str) = "{faction} cannot see {slot}: it is hidden";
    fn hidden_unit(faction: &str, unit: &str) = "{faction} cannot see {unit}: it is hidden";
    fn other_view(viewer: &str, other: &str) = "only what {viewer} sees is shown now, not what {other} sees";
    /// A stored answer that the rules do not accept, with their reason.
    fn unfit_answer(why: impl Display) = "{why}";
}

rulebench_lang::every_sentence! {
    [
        full_record(1000),
        endless_phase("round", 1000),
        endless_reactions("march", "red.a1, blue.a1".to_owned()),
        endless_activations("march", "red.a1 has acted 1000 times".to_owned()),
        lost_board("there is no unit type `guard`".to_owned()),
        consequence_asks("retreat"),
        hidden_slot("blue", "`objective` of red"),
        hidden_unit("blue", "red.scouts1"),
        other_view("red", "blue"),
        unfit_answer("`c5` is not offered to red for `move`"),
    ]
}
