//! Every sentence about scripts, variants and the files of a game that is found while they are read and checked.

use std::fmt::Display;

rulebench_lang::problems! {
    // Files and the register.
    fn embedded_workspace() = "the games inside the program cannot be changed",
        help "copy one with `rulebench new DIR --game GAME`, or name a folder with `--workspace DIR`";
    fn incomplete_game(game: &str, files: String) = "there is no scripts/{game}/game.rhai, so nothing reads {files}",
        help "put all files of a game beside scripts/GAME/game.rhai";
    fn unread_file(path: &str) = "nothing reads {path}",
        help "files are scripts/GAME/game.rhai, other scripts and rulebook.toml and tweaks.toml beside it, \
              scripts/GAME/variants/NAME.rhai, scripts/GAME/terrain/NAME.rhai, units/GAME/NAME.rhai and \
              scenarios/GAME/NAME.toml";
    fn unread_link(path: &str, why: &str) = "the link `{path}` {why}, so nothing reads it",
        help "put the file or folder itself there";
    fn wrong_file_name(path: &str) = "the name of {path} is not UTF-8", help "rename the file";
    fn unreadable_folder(name: &str, error: impl Display) = "the folder `{name}` cannot be read: {error}",
        help "change its permissions";
    fn missing_file(path: &str) = "there is no file {path}";
    fn empty_script(path: &str) = "{path} is empty", help "write a function, `fn name(me) {{ ... }}`, or delete the file";
    fn repeated_file(path: &str, other: &str) = "{path} and {other} have the same name", help "rename one of them";

    // Variants and their order.
    fn wrong_variant() = "`variant()` must return a map of numbers and texts, all written out",
        help "write such as `#{{ clause: \"R6\", after: [\"other\"] }}`";
    fn dial_as_variant(name: &str, dial: &str, value: impl Display) =
        "`{name}` only sets a dial, so it has no script to name", help "use the dial in a rule: it sets `{dial} = {value}`";
    fn missing_requirement(name: &str, other: &str) = "`{name}` requires `{other}`, which is off",
        help "turn both on: --variant {other} --variant {name}";
    fn conflicting_variants(name: &str, other: &str) = "`{name}` and `{other}` cannot both be on",
        help "turn one of them off";
    fn circular_variants(names: String) = "{names} come after each other in a circle",
        help "remove one `after`, `requires` or `overrides`";
    fn conflicting_dials(name: &str, dial: &str, value: impl Display, other: impl Display) =
        "`{name}` sets `{dial}` to {value}, but another tweak sets it to {other}",
        help "turn one of them off, or set the dial by name";
    fn owner_outside_variant(name: &str, parameters: String) = "only a variant can name the script of a function",
        help "write `fn {name}({parameters})`";
    fn nothing_to_redefine(script: &str, name: &str) = "{script}.rhai has no function `{name}` to redefine";
    fn hidden_variant(upper: &str, name: &str, lower: &str) = "`{upper}` replaces `{name}`, which `{lower}` changes too",
        help "write `overrides: [\"{lower}\"]` in `{upper}`, or `after: [\"{upper}\"]` in `{lower}`";

    // Functions and calls.
    fn missing_declaration(file: &str, name: &str) = "{file} has no `{name}()`";
    fn hidden_native(name: &str) = "`{name}` would hide the built-in function of this name",
        help "give the function another name";
    fn empty_hook(name: &str, value: &str) = "`{name}` returns nothing", expected "expected {value}";
    fn unused_function(name: &str) = "nothing calls `{name}`";
    fn misplaced_function(name: &str, here: &str, there: &str, file: &str) = "nothing calls `{name}` about {here}",
        help "it is about {there}: define it in {file}";
    fn wrong_arguments(name: &str, count: String) = "`{name}` is called with {count}";
    fn function_as_method(name: &str) = "`{name}` is a function of a script, not a method",
        help "write `{name}(x, ...)` instead of `x.{name}(...)`";
    fn called_variable(name: &str) = "`{name}` is a variable, not a function",
        help "call a function in a variable with `{name}.call(...)`";
    fn nothing_below(name: &str) = "`base` has nothing to call: no layer below defines `{name}`";
    fn impossible_word(what: String, word: &str) = "{what} is never `{word}`";
    fn read_only(name: &str) = "`{name}` changes the position, which can only be read here";

    // Forms that rules do not have.
    /// A difference between Rhai and rules that the reference lists.
    fn unsupported_name(name: &str) = "rules do not have `{name}`",
        help "pass a function by its name alone, or as `|it| ...`, and call a function by its name";
    fn unsupported_form() = "rules do not have this form", help "use one that the reference lists";
    fn too_many(what: &str, most: usize) = "this has more than {most} {what}", help "collect values in a list or a map";
    fn too_long(what: &str) = "this {what} is too long", help "split it";
    fn too_many_texts(most: usize) = "the scripts have more than {most} different texts",
        help "do not make new texts in a loop";
    fn named_function() = "this is no function of the scripts", help "write `|it| name(it)`";
    fn ambiguous_function(name: &str) = "there are several functions `{name}` with different numbers of parameters";
    fn wrong_kind(name: &str, takes: String, given: String) = "`{name}` takes {takes}, not {given}";
    fn comparing_sort() = "the function of `sort_by` takes one item, and says a number or a text of it",
        help "to compare two items, write `list.sort(|a, b| ...)`";
    fn native_as_value(name: &str) = "`{name}` is a built-in function, which is no value", help "write `|it| {name}(it)`";
    fn unchangeable(what: impl Display) = "{what} cannot be changed", help "change a variable: `let it = ...;`";
    fn lost_change(name: &str) = "the change by `{name}` is lost, because no variable has the value",
        help "write `let it = ...; it.{name}(...);`";
    fn wrong_member() = "this cannot follow a dot", expected "expected a property or a function";
    fn change_within_chain() = "this chain of calls changes a value that a later call uses",
        help "assign the changed value to a variable: `let it = ...;`";

    // Card text.
    fn open_card_brace() = "this brace is not closed", help "write `}}` behind the name";
    fn wrong_card_number(text: &str) = "`{{{text}}}` is not a number",
        expected "expected stats, dials and whole numbers, with + - * / and brackets";
    fn unworkable_card_number(text: &str) = "`{{{text}}}` has no value", help "do not divide by 0";

    // Play.
    fn wrong_hook_value(name: &str, expected: &str, found: &str) = "`{name}` must return {expected}, not `{found}`";
    fn question_in_hook(name: &str) = "`{name}` asks a question, but it can only read";
    fn no_dice(what: &str) = "this game {what}s no dice";
    fn rule_failure(why: String) = "{why}";
}

rulebench_lang::every_sentence! {
    let text = |text: &str| text.to_owned();
    [
        embedded_workspace(),
        incomplete_game("duel", text("units/duel/imps.rhai")),
        unread_file("scripts/game.rhai"),
        unread_link("units/duel", "leads nowhere"),
        wrong_file_name("units/duel/?.rhai"),
        unreadable_folder("units/duel", "permission denied"),
        missing_file("units/duel/imps.rhai"),
        empty_script("units/duel/imps.rhai"),
        repeated_file("units/duel/imps.rhai", "scripts/duel/terrain/imps.rhai"),
        wrong_variant(),
        dial_as_variant("long", "max_rounds", 9),
        missing_requirement("rain", "mud"),
        conflicting_variants("rain", "sun"),
        circular_variants(text("`rain`, `sun`")),
        conflicting_dials("long", "max_rounds", 9, 3),
        owner_outside_variant("act", text("me")),
        nothing_to_redefine("imps", "fly"),
        hidden_variant("rain", "act", "mud"),
        missing_declaration("scripts/duel/game.rhai", "board"),
        hidden_native("roll"),
        empty_hook("may_enter", "true or a reason"),
        unused_function("fly"),
        misplaced_function("act", "a unit", "a place", "game.rhai"),
        wrong_arguments("act", text("2 arguments")),
        function_as_method("act"),
        called_variable("act"),
        nothing_below("act"),
        impossible_word(text("the dial `weather`"), "rian"),
        read_only("remove"),
        unsupported_name("eval"),
        unsupported_form(),
        too_many("arguments", 16),
        too_long("text"),
        too_many_texts(1000),
        named_function(),
        ambiguous_function("act"),
        wrong_kind("foes", text("(place, unit)"), text("(places, anything)")),
        comparing_sort(),
        native_as_value("abs"),
        unchangeable("`speed`"),
        lost_change("push"),
        wrong_member(),
        change_within_chain(),
        open_card_brace(),
        wrong_card_number("charge +"),
        unworkable_card_number("charge / 0"),
        wrong_hook_value("worth", "a whole number", "many"),
        question_in_hook("worth"),
        no_dice("roll"),
        rule_failure(text("no die shows 7")),
    ]
}
