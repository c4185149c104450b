//! Every sentence about declared data: what `dials`, `stats`, `slots`, `board`, `phases` and `variant` return.

use std::fmt::Display;

pub use crate::report::problems::unknown_name;

rulebench_lang::problems! {
    // Values, keys and names of every kind.
    fn wrong_kind(what: &str, expected: &str, found: &str) = "{what} must be {expected}, not {found}";
    fn wrong_value(what: impl Display, expected: impl Display) = "{what} must be {expected}";
    fn wrong_word(key: &str, word: &str) = "`{key}` cannot be `{word}`";
    fn out_of_range(what: impl Display, low: i64, high: i64, number: i64) =
        "{what} must be from {low} to {high}, not {number}";
    fn unknown_key(what: &str, key: &str) = "{what} has no `{key}`";
    fn wrong_name(what: &str, name: &str) = "{what} cannot be called `{name}`";
    fn repeated_name(what: &str, name: &str) = "{what} are called `{name}`", help "give each of them its own name";
    fn hidden_property(what: &str, name: &str, owner: &str) =
        "the {what} `{name}` would hide the property `{name}` of {owner}", help "give the {what} another name";
    fn missing_part(what: impl Display, part: &str) = "{what} has no {part}";
    fn misplaced_key(key: &str, owner: &str) = "`{key}` only applies to {owner}", help "leave `{key}` out";
    fn exclusive_keys(key: &str, other: &str) = "`{key}` and `{other}` exclude each other",
        help "leave one of them out";
    fn wrong_count(what: &str, expected: String, count: usize) = "{what} has {expected}, not {count}";

    // Dials, stats and slots.
    fn not_a_dial(name: &str) = "`{name}` is not a dial",
        help "write a number, `number(start, low, high)` or `one_of(start, [words])`";
    fn wrong_dial_value(name: &str, value: impl Display, range: impl Display) = "`{name}` cannot be `{value}`",
        expected "expected {range}";
    fn wrong_stat(name: &str) = "the stat `{name}` must be a whole number, true or false",
        help "declare what changes in play as a slot, in `slots()`";
    fn stat_out_of_range(name: &str, number: i64, low: i64, high: i64) =
        "`{name}` is {number}, but game.rhai allows {low} to {high}",
        help "write `number(start, low, high)` here too";
    fn mixed_stat(name: &str, here: &str, there: &str) =
        "the stat `{name}` is {here} here and {there} in another script", help "use the same kind of value everywhere";
    fn unused_stat(name: &str) = "no rule reads the stat `{name}`";
    fn repeated_symbol(symbol: &str, other: &str) = "`{other}` already has the symbol `{symbol}`",
        help "choose other letters; upper and lower case are the same";
    fn slot_hides_stat(name: &str) = "the slot `{name}` would hide the stat `{name}`, which is a number",
        help "give the slot another name, or start it with a number";
    fn repeated_key(key: &str, one: &str, other: &str) = "both `{one}` and `{other}` have `{key}`",
        help "leave `{key}` out of one of them";
    fn unseen_hiding(slot: &str, key: &str) =
        "the slot `{slot}` hides something, so `{key}` does not apply to it: everybody sees each of its changes",
        help "leave `{key}` out";
    fn no_directions() = "a table top has no directions",
        help "hold degrees as a number: `angle(from, to)` measures them";

    // Phases.
    fn wrong_parameters(name: &str, count: String, expected: usize, parameters: String) =
        "`{name}` has {count}, not {expected}", help "write `fn {name}({parameters}) {{ ... }}`";
    fn deep_phases(depth: usize, repeats: usize) =
        "phases nest at most {depth} deep, and at most {repeats} of them repeat";
    fn wrong_phase_body(name: &str) = "the phase `{name}` must have exactly one of `phases`, `each` and `turn`";
    fn quiet_trigger(slot: &str) = "nothing can interrupt after `{slot}`, because the slot is quiet",
        help "declare it with `quiet: false`";
    fn cards_in_simultaneous_phase(name: &str) =
        "the simultaneous phase `{name}` cannot take points or draw cards", help "leave `simultaneous` out";
    fn interrupts_in_closed_phase(name: &str, how: &str) = "nothing can interrupt the {how} phase `{name}`",
        help "declare `interrupts` in another phase";

    // The board and its zones.
    fn uneven_lines(lines: String, length: usize, usual: usize) =
        "the length of {lines} of `map` is {length}, not {usual}";
    fn unknown_letter(letter: char, lines: String) = "`{letter}` in {lines} of `map` has no meaning",
        help "name it in `legend` or a zone; `.` is a plain place, and a blank is a gap";
    fn misplaced_edge(letter: char, line: usize) =
        "`{letter}` in line {line} of `map` is not in the middle between two places that touch",
        help "with `edges`, the places are every second character of every second line";
    fn unknown_edge(letter: char, line: usize) = "`{letter}` in line {line} of `map` has no meaning",
        help "name it in `edges`";
    fn misplaced_terrain(name: &str, other: &str) = "the terrain `{name}` is drawn with `{other}`",
        help "terrain with `blocks` lies on edges, and other terrain in places";
    fn bare_places(letter: char) = "`{letter}` in `map` has no terrain, so no unit can stand there",
        help "write `legend: #{{ \"{letter}\": KIND }}`; a blank is a gap";
    fn early_zone(name: &str, parts: String) = "the zone `{name}` asks for places before the board is declared",
        help "write `#{{ near: [place, steps] }}`; a place is a name, {parts}";
    fn empty_zone(name: &str, why: String) = "the zone `{name}` has no places: {why}";
}

rulebench_lang::every_sentence! {
    let text = |text: &str| text.to_owned();
    [
        wrong_kind("`quiet`", "true or false", "a number"),
        wrong_value("`stack`", "a number from 1 to 32"),
        wrong_word("turn", "frist"),
        out_of_range("the `size` of `d6`", 3, 99, 100),
        unknown_key("a phase", "quotta"),
        wrong_name("a zone", "my zone"),
        repeated_name("two phases", "round"),
        hidden_property("stat", "place", "a unit"),
        missing_part("the phase `acts`", "`step`"),
        misplaced_key("legend", "a board with `map`"),
        exclusive_keys("hexes", "squares"),
        wrong_count("a game", text("1 to 8 factions"), 9),
        not_a_dial("speed"),
        wrong_dial_value("speed", 12, "a whole number from 1 to 9"),
        wrong_stat("life"),
        stat_out_of_range("life", 12, 1, 9),
        mixed_stat("tall", "a number", "true or false"),
        unused_stat("lief"),
        repeated_symbol("ar", "archers"),
        slot_hides_stat("life"),
        repeated_key("hit", "life", "wounds"),
        unseen_hiding("lurks", "quiet"),
        no_directions(),
        wrong_parameters("act", text("2 parameters"), 1, text("me")),
        deep_phases(8, 4),
        wrong_phase_body("acts"),
        quiet_trigger("life"),
        cards_in_simultaneous_phase("acts"),
        interrupts_in_closed_phase("acts", "hidden"),
        uneven_lines(text("line 2"), 5, 4),
        unknown_letter('x', text("lines 2, 3")),
        misplaced_edge('|', 2),
        unknown_edge('|', 2),
        misplaced_terrain("wall", "edges"),
        bare_places('.'),
        early_zone("home", text("\"middle\" or \"rim\"")),
        empty_zone("home", text("`map` has no `h`")),
    ]
}
