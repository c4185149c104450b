//! Every sentence about a script that fails while it runs.

use std::fmt::Display;

rulebench_lang::problems! {
    // Limits.
    fn too_many_operations(most: u64) = "the step takes more than {most} operations", help "end the loop earlier";
    fn too_many_calls(most: usize) = "functions call each other more than {most} deep",
        help "stop the function from calling itself";
    fn too_many_values(most: usize) = "the lists and maps of one step have more than {most} values together",
        help "do not add to lists or maps without end; each change in their middle makes a copy";
    fn too_many_texts(most: usize, bytes: usize) =
        "the scripts have made more than {most} different texts, or more than {bytes} bytes of text",
        help "do not make new texts in a loop";
    fn too_deep(most: usize, values: usize) =
        "this value is too large to show or compare: it has more than {most} levels or {values} values",
        help "do not put a list into itself";
    fn too_large(items: usize, keys: usize, letters: usize) =
        "a list has more than {items} items, a map more than {keys} keys or a text more than {letters} letters",
        help "do not add to it in a loop without end";
    fn interrupted() = "stopped by Ctrl-C";

    // Functions and names.
    fn wrong_arguments(name: &str, expected: &str, found: &str) = "`{name}` takes {expected}, not {found}";
    fn wrong_count(function: impl Display, expected: String, count: usize) = "{function} takes {expected}, not {count}";
    fn missing_key(name: &str) = "this map has no `{name}`";
    fn missing_property(owner: &str, verb: &str, name: &str) = "{owner} {verb} no property `.{name}`";
    fn property_of_nothing(owner: &str, name: &str) = "{owner} has no property `.{name}`",
        help "check it first: `if it != {owner} {{ ... }}`";
    fn unchangeable(what: impl Display) = "{what} cannot be changed";

    // Values and operators.
    fn wrong_kind(expected: &str, found: &str) = "this must be {expected}, not {found}";
    fn no_items(owner: &str, verb: &str) = "{owner} {verb} no items for `[ ]`",
        help "lists, texts, maps and dice have items; `for` goes through a set";
    fn missing_item(item: &str, index: i64, length: usize, owner: &str) = "there is no {item} {index} in a {owner} of {length}",
        help "the first {item} is 0";
    fn not_a_sequence() = "`for` cannot go through this",
        expected "expected a list, a set of units or places, dice, or a range such as `1..=3`";
    fn division_by_zero(sum: &str) = "a division by zero: {sum}", help "check first: `if n != 0 {{ ... }}`";
    fn number_too_large(sum: &str) = "a number becomes too large: {sum}";
    fn wrong_operand(sign: &str, operands: String) = "`{sign}` does not work for {operands}";
}

rulebench_lang::every_sentence! {
    let text = |text: &str| text.to_owned();
    [
        too_many_operations(1000),
        too_many_calls(64),
        too_many_values(1000),
        too_many_texts(1000, 10000),
        too_deep(32, 1000),
        too_large(1000, 100, 10000),
        interrupted(),
        wrong_arguments("distance", "(unit, unit)", "(unit, number)"),
        wrong_count("`|it, nth|`", text("2 parameters"), 3),
        missing_key("life"),
        missing_property("units", "have", "life"),
        property_of_nothing("nobody", "life"),
        unchangeable("`.move` of a unit"),
        wrong_kind("true or false", "a number"),
        no_items("a number", "has"),
        missing_item("item", 3, 2, "list"),
        not_a_sequence(),
        division_by_zero("1 / 0"),
        number_too_large("9223372036854775807 + 1"),
        wrong_operand("+", text("a unit and a number")),
    ]
}
