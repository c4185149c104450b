//! Every sentence about a change by hand that cannot be read or made.

rulebench_lang::problems! {
    fn incomplete_change(verb: &str, missing: &str, form: &str) = "`{verb}` needs {missing}", help "write `{form}`";
    fn unexpected_word(word: &str, form: &str) = "unexpected `{word}`", help "write `{form}`, with `;` between two changes";
    fn unknown_change(text: &str) = "`{text}` is not a change";
    fn not_a_seed(text: &str) = "`{text}` is not a seed", help "a seed is a whole number from 0 to 18446744073709551615";
    fn wrong_label() = "the label of a roll is one line of text";
    fn wrong_die_value(text: &str, most: i64) = "no die shows `{text}`", expected "expected a number from 1 to {most}";
    fn wrong_dice_count(count: usize, most: usize) = "a roll has 1 to {most} dice, not {count}";
    fn impossible_dice() = "no roll shows these dice";
    fn no_forced_dice(label: &str) = "no dice are forced for `{label}`";
    fn change_after_the_end() = "the game is over, so a change has no effect", help "`:undo` goes back to before the end";
    fn change_of_a_hidden_slot(slot: &str) = "the slot `{slot}` is hidden now",
        help "if you play all sides yourself, `:alone on` hides nothing";
    fn change_of_a_secret(faction: &str) = "what {faction} has is secret now", help "change it when the phase is over";
    fn unit_out_of_play(unit: &str, faction: &str, kind: &str) = "`{unit}` is out of play",
        help "`place {faction}.{kind} PLACE` brings a new one";
    fn unit_as_place(unit: &str) = "`{unit}` is a unit, not a place", help "`:units` shows where each unit is";
    fn unit_as_type(unit: &str) = "`{unit}` is the name of a unit, not of a type";
    fn incomplete_type(name: &str) = "`{name}` does not name a faction and a unit type",
        help "write `place FACTION.TYPE PLACE`; the unit gets its number by itself";
    fn place_as_slot(name: &str, unit: &str, place: String) = "`{name}` is not a slot", help "did you mean `move {unit} {place}`?";
    fn repeated_terrain(place: &str, terrain: &str) = "{place} already has {terrain}";
    fn missing_terrain(place: &str, terrain: &str) = "{place} has no {terrain}";
    fn refused_lift(why: String, place: &str) = "{why}",
        help "move the units first, or lay other terrain: `lay TERRAIN {place}`";
    fn die_off_board(die: &str) = "{die} is not on the board, so it shows nothing", help "`move {die} X,Y` puts it there";
}

rulebench_lang::every_sentence! {
    let text = |text: &str| text.to_owned();
    [
        incomplete_change("move", "a place", "move UNIT PLACE"),
        unexpected_word("a2", "move UNIT PLACE"),
        unknown_change("moev"),
        not_a_seed("x"),
        wrong_label(),
        wrong_die_value("x", 1000),
        wrong_dice_count(101, 100),
        impossible_dice(),
        no_forced_dice("luck"),
        change_after_the_end(),
        change_of_a_hidden_slot("rank"),
        change_of_a_secret("red"),
        unit_out_of_play("red.archers1", "red", "archers"),
        unit_as_place("red.archers1"),
        unit_as_type("red.archers1"),
        incomplete_type("archers"),
        place_as_slot("c4", "red.archers1", text("c4")),
        repeated_terrain("c4", "mud"),
        missing_terrain("c4", "mud"),
        refused_lift(text("blue.archers1 would stand on nothing"), "c4"),
        die_off_board("red.d6_1"),
    ]
}
