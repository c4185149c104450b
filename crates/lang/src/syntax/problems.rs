//! Every sentence about text of a script that cannot be read.

use std::fmt::Display;

crate::problems! {
    // Characters and words.
    fn invisible_character(name: String) = "there is an invisible character here: {name}",
        expected "expected a plain blank, or nothing";
    fn foreign_letters(word: &str) = "`{word}` has letters that no name can have",
        help "use the letters a to z and A to Z, digits and _; a text in quotes may have any";
    fn printed_sign(sign: char, plain: &str) = "`{sign}` is a sign of printed text", help "write `{plain}`";
    /// A word or sign of another language.
    fn foreign(text: &str) = "scripts do not have `{text}`";
    fn reserved_word(word: &str) = "`{word}` is a reserved word";
    fn neither_number_nor_name(word: &str) = "`{word}` is neither a number nor a name";
    fn number_too_large(number: &str, most: i64) = "the number `{number}` is too large",
        help "a number is {most} at most, and the least is -{most} - 1";
    fn wrong_escape(escape: &str) = "`{escape}` has no meaning in a text", help "write a backslash as `\\\\`";
    fn single_quotes(text: &str) = "a text cannot have single quotes", help "write \"{text}\"";

    // Brackets and missing parts.
    fn unclosed(what: impl Display) = "this {what} is never closed";
    fn crossed(closer: char, opener: char, line: usize) = "`{closer}` cannot close the `{opener}` of line {line}";
    fn unexpected(text: &str) = "unexpected `{text}`";
    fn missing(text: impl Display) = "`{text}` is missing", expected "expected `{text}` here";
    fn missing_part(what: impl Display) = "{what} is missing";
    fn missing_between(before: &str, behind: &str) = "something is missing between `{before}` and `{behind}`",
        help "add an operator, a comma, or a `;` between two statements";
    fn early_end() = "the text ends too early", expected "expected a value or a closing bracket";

    // Meaning.
    fn repeated(name: &str) = "`{name}` is defined twice", help "keep one of the two";
    fn wrong_type(expected: &str, found: &str) = "this must be {expected}, not {found}";
    fn wrong_index() = "this cannot be between `[` and `]`", expected "expected a number from 0, or a key of a map";
    fn wrong_case(rule: &str) = "this case of a `switch` {rule}";
    fn misplaced_comment() = "`///` must be right above a function", help "write `//`";
    fn unchangeable(what: &str) = "{what} cannot be changed here",
        help "change a variable, or a slot such as `me.fired`; to compare, write `==`";
    fn too_large(what: &str) = "{what} is too large for a script",
        help "split it into several variables, functions or files";
    /// An error of Rhai that has no sentence here.
    fn unreadable(why: String) = "{why}";
}

crate::every_sentence! {
    let text = |text: &str| text.to_owned();
    [
        invisible_character(text("U+200B")),
        foreign_letters("größe"),
        printed_sign('–', "-"),
        foreign("elif"),
        reserved_word("new"),
        neither_number_nor_name("2x"),
        number_too_large("99999999999999999999", i64::MAX),
        wrong_escape("\\q"),
        single_quotes("free"),
        unclosed("`{`"),
        crossed(')', '[', 3),
        unexpected("}"),
        missing(";"),
        missing_part("a name"),
        missing_between("me", "life"),
        early_end(),
        repeated("life"),
        wrong_type("true or false", "a number"),
        wrong_index(),
        wrong_case("must be the last one"),
        misplaced_comment(),
        unchangeable("`speed`"),
        too_large("this text"),
        unreadable(text("unknown error")),
    ]
}
