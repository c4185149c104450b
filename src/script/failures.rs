//! What goes wrong while a script runs, in a designer's words: Rhai's errors as sentences about the
//! table, with what may help.
//!
//! Knows Rhai's errors and the names that a ruleset offers; not where anything is written.

use super::declare::plain_type;
use super::engine::{MAX_ARRAY, MAX_CALL_LEVELS, MAX_MAP, MAX_OPERATIONS, MAX_STRING};
use super::lint::Catalogue;
use super::parse::plain_text;
use super::syntax;
use crate::report::{Problem, did_you_mean};
use rhai::EvalAltResult;

/// What names there are.
#[derive(Default)]
pub struct Known<'a> {
    /// What the engine offers.
    pub catalogue: Option<&'a Catalogue>,
    /// Names of dials and of script functions.
    pub names: Vec<&'a str>,
    /// The script functions: the name under which each is compiled, and as it is written,
    /// `name(parameter, ...)`.
    pub functions: Vec<(&'a str, String)>,
}

impl Known<'_> {
    fn near(&self, name: &str) -> Option<String> {
        let offered = self.catalogue.into_iter().flat_map(Catalogue::function_names);
        did_you_mean(name, offered.chain(self.names.iter().copied()))
    }

    fn near_property(&self, name: &str) -> Option<String> {
        let offered = self.catalogue.into_iter().flat_map(Catalogue::property_names);
        did_you_mean(name, offered)
    }

    /// The names that a designer wrote in place of those that were compiled.
    fn as_written(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (compiled, written) in &self.functions {
            let name = written.split('(').next().unwrap_or_default();
            text = text.replace(compiled, name);
        }
        text
    }
}

/// What an error says and what may help; the place is the error's.
pub fn told(error: &EvalAltResult, known: &Known<'_>) -> (String, Option<String>) {
    let with = |message: String, hint: &str| (message, Some(hint.to_owned()));
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => told(inner, known),
        EvalAltResult::ErrorTooManyOperations(_) | EvalAltResult::ErrorTerminated(..) => with(
            format!("the step takes more than {MAX_OPERATIONS} operations"),
            "does a loop never end?",
        ),
        EvalAltResult::ErrorStackOverflow(_) => with(
            format!("functions call each other more than {MAX_CALL_LEVELS} deep"),
            "does a function call itself for ever?",
        ),
        EvalAltResult::ErrorDataTooLarge(..) => with(
            format!(
                "a list, map or text becomes too large: at most {MAX_ARRAY} items, {MAX_MAP} keys or {MAX_STRING} letters"
            ),
            "does a loop collect without end?",
        ),
        EvalAltResult::ErrorTooManyVariables(_) => with(
            "there are too many variables at once".to_owned(),
            "does a loop declare them without end? A list holds many values",
        ),
        EvalAltResult::ErrorRuntime(value, _) => thrown(&value.to_string(), known),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => no_function(signature, known),
        EvalAltResult::ErrorVariableNotFound(name, _) => {
            let message = format!("there is no `{name}`");
            match known.near(name) {
                Some(near) => (message, Some(format!("did you mean `{near}`?"))),
                None => (
                    message.clone(),
                    syntax::undefined(Problem::new(message), name).hint,
                ),
            }
        }
        EvalAltResult::ErrorPropertyNotFound(name, _) => (
            format!("this map has no `{name}`"),
            suggestion(known.near_property(name)),
        ),
        EvalAltResult::ErrorIndexNotFound(key, _) => (format!("there is nothing under `{key}` here"), None),
        EvalAltResult::ErrorUnboundThis(_) => with(
            "`this` means nothing here".to_owned(),
            "the thing that a function is about is its first parameter, such as `me`",
        ),
        EvalAltResult::ErrorMismatchDataType(wanted, given, _)
        | EvalAltResult::ErrorMismatchOutputType(wanted, given, _) => {
            let message = match (wanted.as_str(), given.as_str()) {
                ("" | "Dynamic", given) => format!("{} cannot stand here", kind(given)),
                (wanted, "") => format!("this must be {}", kind(wanted)),
                (wanted, given) => format!("this must be {}, not {}", kind(wanted), kind(given)),
            };
            let hint = match (kind(wanted).as_str(), kind(given).as_str()) {
                (_, "nothing") => Some("does a branch say nothing, or end with a `;`?"),
                ("true or false", "units" | "places" | "a list" | "dice") => {
                    Some("to ask whether there is any: `!it.is_empty`")
                }
                ("true or false", "a number") => Some("compare it: `n > 0`"),
                ("true or false", "a unit" | "a place" | "a faction") => Some("compare it: `it != nobody`"),
                _ => None,
            };
            (message, hint.map(str::to_owned))
        }
        EvalAltResult::ErrorIndexingType(what, _) => {
            let given = kind(what.split(" [").next().unwrap_or(what));
            with(
                format!("{given} {} no items for `[ ]`", has(&given)),
                "lists, texts, maps and dice have; a set is gone through with `for`",
            )
        }
        EvalAltResult::ErrorArrayBounds(length, index, _) => out_of(*length, *index, "list", "item"),
        EvalAltResult::ErrorStringBounds(length, index, _) => out_of(*length, *index, "text", "letter"),
        EvalAltResult::ErrorBitFieldBounds(length, index, _) => out_of(*length, *index, "number", "bit"),
        EvalAltResult::ErrorFor(_) => with(
            "`for` cannot go through this".to_owned(),
            "it goes through lists, sets of units or places, dice, and ranges such as `1..=3`",
        ),
        EvalAltResult::ErrorNonPureMethodCallOnConstant(name, _) => with(
            format!("`{}` cannot change a constant", known.as_written(name)),
            "take a copy first: `let copy = it;`",
        ),
        EvalAltResult::ErrorAssignmentToConstant(name, _) => with(
            format!("`{name}` cannot be changed"),
            "it is a constant, a dial or a word of the language; a variable begins with `let`",
        ),
        EvalAltResult::ErrorDotExpr(why, _) => no_property(why, known),
        EvalAltResult::ErrorArithmetic(why, _) => arithmetic(why),
        EvalAltResult::ErrorForbiddenVariable(name, _) | EvalAltResult::ErrorVariableExists(name, _) => (
            format!("`{name}` cannot be a variable's name"),
            Some("choose another name".to_owned()),
        ),
        EvalAltResult::ErrorModuleNotFound(name, _) => (
            format!("there is no `{name}::`"),
            Some("scripts of a game see each other without being imported".to_owned()),
        ),
        EvalAltResult::LoopBreak(..) => (
            "`break` or `continue` stands outside a loop".to_owned(),
            Some("to leave a function, write `return`".to_owned()),
        ),
        other => (known.as_written(&plain_text(other)), None),
    }
}

/// What a rule or a native function says, and the part of it that only helps.
fn thrown(text: &str, known: &Known<'_>) -> (String, Option<String>) {
    // A native function that does not fit what it is called with.
    let misfit = text
        .strip_prefix('`')
        .and_then(|rest| rest.split_once("` takes ("));
    if let Some((name, given)) = misfit {
        let given = given.rsplit_once("not (").map_or("", |(_, given)| given);
        if given
            .trim_end_matches(')')
            .split(", ")
            .any(|kind| kind == "nothing")
        {
            return (text.to_owned(), Some(NOTHING_GIVEN.to_owned()));
        }
        let signatures = known.catalogue.map(|c| c.signatures(name)).unwrap_or_default();
        let hint = (!signatures.is_empty()).then(|| format!("it is {}", signatures.join(" or ")));
        return (text.to_owned(), hint);
    }
    match text.rsplit_once("; ") {
        Some((message, hint)) if hint.starts_with("did you mean ") || hint.starts_with("known: ") => {
            (message.to_owned(), Some(hint.to_owned()))
        }
        _ => (text.to_owned(), None),
    }
}

const NOTHING_GIVEN: &str = "one of them may be nobody or nothing: ask first, `if it != nobody { ... }`";

/// Whether the word for a kind names several things.
fn has(kind: &str) -> &'static str {
    match kind {
        "units" | "places" | "dice" => "have",
        _ => "has",
    }
}

fn suggestion(near: Option<String>) -> Option<String> {
    near.map(|n| format!("did you mean `.{n}`?"))
}

fn out_of(length: usize, index: i64, of: &str, item: &str) -> (String, Option<String>) {
    let message = match length {
        0 => format!("there is no {item} {index}: the {of} is empty"),
        _ => format!("there is no {item} {index} in a {of} of {length}"),
    };
    let hint = match length {
        0 => "ask first: `if !it.is_empty() { ... }`".to_owned(),
        _ => format!("they are counted from 0: the last is {}", length - 1),
    };
    (message, Some(hint))
}

fn arithmetic(why: &str) -> (String, Option<String>) {
    let sum = why
        .split_once(": ")
        .map(|(_, sum)| format!(": {sum}"))
        .unwrap_or_default();
    let lower = why.to_lowercase();
    if lower.contains("by zero") || lower.contains("division") {
        let hint = "ask first: `if n != 0 { ... }`";
        return (format!("a division by zero{sum}"), Some(hint.to_owned()));
    }
    if lower.contains("overflow") {
        let hint = "does a loop add or multiply without end?";
        return (format!("a number becomes too large{sum}"), Some(hint.to_owned()));
    }
    (format!("this cannot be computed: {why}"), None)
}

/// A type of Rhai's in a designer's words.
fn kind(name: &str) -> String {
    // Rhai names every type that it takes for a text.
    let first = name.split('|').next().unwrap_or(name);
    plain_type(first.trim()).to_owned()
}

fn no_property(why: &str, known: &Known<'_>) -> (String, Option<String>) {
    let mut quoted = why.split('\'').skip(1).step_by(2);
    let (name, of) = (quoted.next(), quoted.next());
    let (Some(name), Some(of)) = (name, of) else {
        return (known.as_written(why), None);
    };
    property(name, &kind(of), why.contains("setter"), known)
}

fn property(name: &str, of: &str, changed: bool, known: &Known<'_>) -> (String, Option<String>) {
    let has_it = known
        .catalogue
        .is_some_and(|c| c.property_names().any(|p| p == name));
    if of == "nothing" {
        let hint = "the one before the dot may be nobody: ask first, `if it != nobody { ... }`";
        return (format!("nobody has a property `.{name}`"), Some(hint.to_owned()));
    }
    if changed && has_it {
        let hint = "what changes in play is a slot, declared in `slots()`; dials and stats stay";
        return (
            format!("`.{name}` of {of} cannot be changed"),
            Some(hint.to_owned()),
        );
    }
    let message = format!("{of} {} no property `.{name}`", has(of));
    if has_it {
        let owners = known.catalogue.map(|c| c.owners(name)).unwrap_or_default();
        return (
            message,
            Some(format!("it is a property of: {}", owners.join(", "))),
        );
    }
    (message, suggestion(known.near_property(name)))
}

/// The operators, which Rhai calls functions.
fn is_operator(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| "+-*/%<>=!&|^~.?".contains(c))
}

fn no_function(signature: &str, known: &Known<'_>) -> (String, Option<String>) {
    let signature = known.as_written(signature);
    let (name, given) = signature.split_once('(').unwrap_or((&signature, ""));
    let name = name.trim().to_owned();
    let given = given.trim_end_matches(')');
    let kinds: Vec<String> = given
        .split(',')
        .filter(|k| !k.trim().is_empty())
        .map(kind)
        .collect();
    let first = kinds.first().map_or("nothing", String::as_str);
    if let Some(of) = name.strip_prefix("get$") {
        return property(of, first, false, known);
    }
    if let Some(of) = name.strip_prefix("set$") {
        return property(of, first, true, known);
    }
    if name.starts_with("index$") {
        let hint = "lists, texts, maps and dice have; a set is gone through with `for`";
        return (
            format!("{first} {} no items for `[ ]`", has(first)),
            Some(hint.to_owned()),
        );
    }
    if is_operator(&name) {
        let message = match &kinds[..] {
            [one] => format!("`{name}` does not work on {one}"),
            [left, right] => format!("`{name}` does not work between {left} and {right}"),
            _ => format!("`{name}` does not work here"),
        };
        return (message, operator_hint(&name, &kinds).map(str::to_owned));
    }
    let signatures = known.catalogue.map(|c| c.signatures(&name)).unwrap_or_default();
    let scripted = known.functions.iter().map(|(_, written)| written.clone());
    let mut signatures: Vec<String> = scripted
        .filter(|w| w.split('(').next() == Some(&name))
        .chain(signatures)
        .collect();
    signatures.dedup();
    if signatures.is_empty() {
        let hint = known.near(&name).map(|n| format!("did you mean `{n}`?"));
        return (format!("there is no function `{name}`"), hint);
    }
    let given = match &kinds[..] {
        [] => "nothing".to_owned(),
        kinds => kinds.join(", "),
    };
    (
        format!("`{name}` does not take ({given})"),
        Some(format!("it is {}", signatures.join(" or "))),
    )
}

fn operator_hint(name: &str, kinds: &[String]) -> Option<&'static str> {
    let has = |wanted: &[&str]| kinds.iter().any(|k| wanted.contains(&k.as_str()));
    if has(&["nothing"]) {
        return Some(NOTHING_GIVEN);
    }
    match name {
        "+" | "-" | "*" | "/" | "%" | "<" | ">" | "<=" | ">=" if has(&["a unit", "a faction"]) => {
            Some("numbers are compared and added: a stat or slot of it, such as `it.life`")
        }
        "+" | "*" | "<" | ">" if has(&["units", "places"]) => {
            Some("sets join with `|`, have in common with `&`; `.len` counts them")
        }
        "&&" | "||" | "!" => Some("it joins what is true or false: compare first, such as `n > 0`"),
        "-" | "*" | "/" if has(&["a text"]) => Some("a text in quotes is no number: leave the quotes out"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::engine;

    fn told_of(text: &str) -> String {
        let mut engine = engine::new();
        engine.set_max_operations(100_000);
        let catalogue = Catalogue::of(&engine);
        let known = Known {
            catalogue: Some(&catalogue),
            ..Known::default()
        };
        let error = engine.eval::<rhai::Dynamic>(text).expect_err("it fails");
        let (message, hint) = told(&error, &known);
        format!("{message} / {}", hint.unwrap_or_default())
    }

    #[test]
    fn what_rhai_raises_is_told_in_words_of_the_table() {
        for (text, wanted) in [
            (
                "[1, 2][2]",
                "there is no item 2 in a list of 2 / they are counted from 0: the last is 1",
            ),
            (
                "let l = []; l[0]",
                "there is no item 0: the list is empty / ask first",
            ),
            ("let l = \"ab\"; l[9]", "there is no letter 9 in a text of 2 / "),
            ("let n = 0; 5 / n", "a division by zero: 5 / 0 / ask first"),
            ("let n = 0; 5 % n", "a division by zero: 5 % 0 / ask first"),
            (
                "let n = 9223372036854775807; n + 1",
                "a number becomes too large: 9223372036854775807 + 1 / ",
            ),
            (
                "let n = 3; if n { 1 }",
                "this must be true or false, not a number / compare it",
            ),
            ("let n = 3; for x in n { }", "`for` cannot go through this / "),
            ("let n = 3; n.life", "a number has no property `.life` / "),
            ("let n = (); n.life", "nobody has a property `.life` / "),
            (
                "let n = (); n < 3 || n + 1",
                "`+` does not work between nothing and a number / one of them may be nobody",
            ),
            (
                "let n = \"2\"; n * 2",
                "`*` does not work between a text and a number / a text in quotes is no number",
            ),
            ("let n = true; n[0]", "true or false has no items for `[ ]` / "),
            ("let m = #{ a: 1 }; m.b", "this map has no `b` / "),
            (
                "max(\"a\", [1])",
                "`max` does not take (a text, a list) / it is max(number, number)",
            ),
            ("nothing_such(1)", "there is no function `nothing_such` / "),
            ("fn f() { this.life } f()", "`this` means nothing here / "),
            (
                "None",
                "there is no `None` / what is not there is called `nobody`",
            ),
            ("const N = 1; N = 2; N", "`N` cannot be changed / "),
            ("throw \"no way\"", "no way / "),
            (
                "fn f() { f() } f()",
                "functions call each other more than 32 deep / ",
            ),
            ("loop { }", "the step takes more than"),
            (
                "let s = \"ab\"; loop { s += s; }",
                "a list, map or text becomes too large",
            ),
        ] {
            let said = match engine::new().compile(text) {
                Ok(_) => told_of(text),
                Err(error) => format!(
                    "{} /",
                    syntax::problem(&crate::report::Source::new("t", text), &error).message
                ),
            };
            assert!(
                said.starts_with(wanted) || said == "`N` cannot be changed here /",
                "{text}\n{said}\n{wanted}"
            );
        }
    }

    #[test]
    fn what_a_native_function_advises_is_the_hint() {
        let thrown = |text| thrown(text, &Known::default());
        assert_eq!(
            thrown("`f` takes (unit), not (nothing)").1.as_deref(),
            Some(NOTHING_GIVEN)
        );
        assert_eq!(thrown("`f` takes (unit), not (text)").1, None);
        assert_eq!(
            thrown("no `a`; did you mean `b`?"),
            ("no `a`".to_owned(), Some("did you mean `b`?".to_owned()))
        );
        assert_eq!(thrown("this; and that"), ("this; and that".to_owned(), None));
    }
}
