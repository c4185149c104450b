//! Runtime failures of scripts, in a designer's words: sentences about the table, with what may help.
//!
//! Knows what runs can meet and the names that a ruleset offers; not where anything is written.

use super::engine::{MAX_ARRAY, MAX_CALL_LEVELS, MAX_MAP, MAX_NESTING, MAX_OPERATIONS, MAX_STRING};
use super::lint::{Catalogue, written_of};
use super::run::fault::FaultKind;
use super::run::heap::MAX_ITEMS;
use super::run::library::{MUTATORS, Mutator};
use super::run::natives::NATIVES;
use super::run::rhai_differences::{BIT, LETTER, UNCHANGED, elsewhere, property_elsewhere};
use super::run::value::Kind;
use super::run::view::MAX_TOLD;
use super::syntax;
use crate::kernel::rules::{MAX_TEXTS, MAX_WORDS, Rules};
use crate::pages::lines::how_many;
use crate::report::{Problem, did_you_mean};

/// Names known to hints.
#[derive(Default)]
pub struct KnownNames<'a> {
    /// Functions and properties offered by the engine.
    pub catalogue: Option<&'a Catalogue>,
    /// Declarations of the game.
    pub rules: Option<&'a Rules>,
    /// Names of dials and of script functions.
    pub names: Vec<&'a str>,
    /// The script functions: the name of each, and as it is written, `name(parameter, ...)`.
    pub functions: Vec<(&'a str, String)>,
}

impl KnownNames<'_> {
    fn near(&self, name: &str) -> Option<String> {
        let offered = self.catalogue.into_iter().flat_map(Catalogue::function_names);
        did_you_mean(name, offered.chain(self.names.iter().copied()))
    }

    fn near_property(&self, name: &str) -> Option<String> {
        let offered = self.catalogue.into_iter().flat_map(Catalogue::property_names);
        did_you_mean(name, offered)
    }

    /// Returns the expression that finds the thing of this name in the game: the name is written as a text.
    fn named(&self, name: &str) -> Option<String> {
        let rules = self.rules?;
        let finds = match name {
            _ if rules.faction(name).is_some() => "faction",
            _ if rules.unit_type(name).is_some() => "unit_type",
            _ if rules.terrain(name).is_some() => "terrain",
            _ if rules.board.zones.iter().any(|zone| zone.name == name) => "zone",
            _ if rules.board.place(name).is_some() => "place",
            _ => return None,
        };
        Some(format!("{finds}({name:?})"))
    }
}

/// Returns the message and the hint for a failure; the place is the failure's.
pub fn message_of(why: &FaultKind, known: &KnownNames<'_>) -> (String, Option<String>) {
    let with = |message: String, hint: &str| (message, Some(hint.to_owned()));
    match why {
        FaultKind::Fuel => with(
            format!("the step takes more than {MAX_OPERATIONS} operations"),
            "does a loop never end?",
        ),
        FaultKind::Deep => with(
            format!("functions call each other more than {MAX_CALL_LEVELS} deep"),
            "does a function call itself for ever?",
        ),
        FaultKind::Full => with(
            format!("the lists and maps of one step hold more than {MAX_ITEMS} values together"),
            "does a loop make lists or maps without end? Each change of one that is not at its end makes another",
        ),
        FaultKind::Texts => with(
            format!(
                "the scripts have made too many texts: at most {MAX_WORDS} different ones, of {MAX_TEXTS} bytes together"
            ),
            "does a loop make new texts without end?",
        ),
        FaultKind::Nested => with(
            format!(
                "what is told or compared is too much: at most {MAX_NESTING} lists and maps in one another, with {MAX_TOLD} values"
            ),
            "does a list hold itself again and again?",
        ),
        FaultKind::Large => with(
            format!(
                "a list, map or text becomes too large: at most {MAX_ARRAY} items, {MAX_MAP} keys or {MAX_STRING} letters"
            ),
            "does a loop collect without end?",
        ),
        FaultKind::Interrupted => with("stopped by Ctrl-C".to_owned(), "does a loop never end?"),
        FaultKind::Rule(text) => (text.clone(), None),
        FaultKind::Unknown(text, hint) => with(text.clone(), hint),
        FaultKind::Unfit(name, given) => unfit(name, given, known),
        FaultKind::NoFunction(name, given) => no_function(name, given, known),
        FaultKind::NoName(name) => {
            let message = format!("there is no `{name}`");
            match known.named(name).or_else(|| known.near(name)) {
                Some(near) => (message, Some(format!("did you mean `{near}`?"))),
                None => (
                    message.clone(),
                    syntax::undefined(Problem::new(message), name).hint,
                ),
            }
        }
        FaultKind::NoKey(name) => (
            format!("this map has no `{name}`"),
            suggestion(known.near_property(name)).or_else(|| Some(may_miss(name))),
        ),
        FaultKind::NothingUnder(key) => (
            format!("there is nothing under `{key}` here"),
            Some(may_miss(key)),
        ),
        FaultKind::NotA(wanted, given) => {
            let message = format!("this must be {}, not {}", wanted.noun(), given.noun());
            let hint = match (wanted, given) {
                (_, Kind::Nothing) => Some("does a branch say nothing, or end with a `;`?"),
                (Kind::Bool, Kind::Units | Kind::Places | Kind::List | Kind::Dice) => {
                    Some("to ask whether there is any: `!it.is_empty`")
                }
                (Kind::Bool, Kind::Int) => Some("compare it: `n > 0`"),
                (Kind::Bool, Kind::Unit | Kind::Place | Kind::Faction) => Some("compare it: `it != nobody`"),
                _ => None,
            };
            (message, hint.map(str::to_owned))
        }
        FaultKind::NoItems(Kind::Int) => with(BIT[0].to_owned(), BIT[1]),
        FaultKind::NoItems(of) => no_items(*of),
        FaultKind::Kept(Kind::Word) => with(LETTER[0].to_owned(), LETTER[1]),
        FaultKind::Kept(of) => with(
            format!("{} cannot be changed one by one", of.noun()),
            "`without` leaves some out, `raised` and `plus` make others of them",
        ),
        FaultKind::OutOf(Kind::Word, length, index) => out_of(*length, *index, "text", "letter"),
        FaultKind::OutOf(_, length, index) => out_of(*length, *index, "list", "item"),
        FaultKind::NotThrough => with(
            "`for` cannot go through this".to_owned(),
            "it goes through lists, sets of units or places, dice, and ranges such as `1..=3`",
        ),
        FaultKind::Constant(name) => with(format!("`{name}` cannot be changed"), UNCHANGED),
        FaultKind::ByZero(sum) => with(
            format!("a division by zero: {sum}"),
            "ask first: `if n != 0 { ... }`",
        ),
        FaultKind::TooLarge(sum) => with(
            format!("a number becomes too large: {sum}"),
            "does a loop add or multiply without end?",
        ),
        FaultKind::Operator(sign, kinds) => operator(sign, kinds),
        FaultKind::Property { name, of, changed } => property(name, *of, *changed, known),
        FaultKind::Arguments(name, takes, given) => {
            let called = if name.starts_with('|') {
                "the function "
            } else {
                ""
            };
            let takes = how_many(*takes, "parameter");
            (format!("{called}`{name}` takes {takes}, not {given}"), None)
        }
        FaultKind::Halted | FaultKind::Mismatch => ("the arguments do not fit".to_owned(), None),
    }
}

fn no_items(of: Kind) -> (String, Option<String>) {
    let given = of.noun();
    (
        format!("{given} {} no items for `[ ]`", has(given)),
        Some("lists, texts, maps and dice have; a set is gone through with `for`".to_owned()),
    )
}

/// Returns the message and the hint for a native function with wrong arguments: the kinds it takes and the kinds given.
fn unfit(name: &str, given: &[Kind], known: &KnownNames<'_>) -> (String, Option<String>) {
    let list = |words: Vec<&str>| format!("({})", words.join(", "));
    let words =
        |params: &[(&str, Kind)]| -> Vec<&str> { params.iter().map(|(_, kind)| kind.word()).collect() };
    // What changes a list or map may have the name of natives.
    let named = || MUTATORS.iter().filter(|m| m.name == name);
    let mut mutators: Vec<&Mutator> = named().filter(|m| given.first() == Some(&m.of)).collect();
    let mut takes: Vec<String> = ways(name, given.len()).map(|p| list(words(p))).collect();
    if takes.is_empty() && mutators.is_empty() {
        mutators = named().collect();
    }
    if !mutators.is_empty() {
        let of = |m: &&Mutator| list([vec![m.of.word()], words(m.params)].concat());
        takes = mutators.iter().map(of).collect();
    }
    let text = format!(
        "`{name}` takes {}, not {}",
        takes.join(" or "),
        list(given.iter().map(|k| k.word()).collect())
    );
    if given.contains(&Kind::Nothing) {
        return (text, Some(NOTHING_GIVEN.to_owned()));
    }
    let signatures = match &mutators[..] {
        [] => known.catalogue.map(|c| c.signatures(name)).unwrap_or_default(),
        some => some.iter().map(|m| written_of(m)).collect(),
    };
    let hint = (!signatures.is_empty()).then(|| format!("it is {}", signatures.join(" or ")));
    (text, hint)
}

/// The parameters of the natives of a name that take so many arguments.
fn ways(name: &str, args: usize) -> impl Iterator<Item = &'static [(&'static str, Kind)]> {
    let natives = NATIVES
        .iter()
        .filter(move |n| n.name == name && n.params.len() == args);
    natives.map(|n| n.params)
}

const NOTHING_GIVEN: &str = "one of them may be nobody or nothing: ask first, `if it != nobody { ... }`";

/// Whether the word for a kind names several things.
fn has(kind: &str) -> &'static str {
    match kind {
        "units" | "places" | "dice" => "have",
        _ => "has",
    }
}

/// Returns the hint for reading a key that a map may not have.
fn may_miss(key: &str) -> String {
    format!("where it may be missing: `it.get({key:?}) ?? 0`")
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

fn property(name: &str, of: Kind, changed: bool, known: &KnownNames<'_>) -> (String, Option<String>) {
    let of = of.noun();
    let has_it = known
        .catalogue
        .is_some_and(|c| c.property_names().any(|p| p == name));
    if of == "nothing" {
        let owners = known.catalogue.map(|c| c.owners(name)).unwrap_or_default();
        let is_of = |kinds: &[Kind]| kinds.iter().any(|kind| owners.iter().any(|o| o == kind.word()));
        let (message, may_be, word) = match (is_of(&[Kind::Place]), is_of(&[Kind::Unit, Kind::Faction])) {
            (false, _) => ("nobody has a", "nobody", "nobody"),
            (true, false) => ("nowhere has no", "nowhere", "nowhere"),
            (true, true) => ("nobody and nowhere have no", "nobody or nowhere", "nothing"),
        };
        let hint = format!("the one before the dot may be {may_be}: ask first, `if it != {word} {{ ... }}`");
        return (format!("{message} property `.{name}`"), Some(hint));
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
    (
        message,
        property_elsewhere(name).or_else(|| suggestion(known.near_property(name))),
    )
}

fn operator(sign: &str, kinds: &[Kind]) -> (String, Option<String>) {
    let kinds: Vec<&str> = kinds.iter().map(|k| k.noun()).collect();
    let message = match &kinds[..] {
        [one] => format!("`{sign}` does not work on {one}"),
        [left, right] => format!("`{sign}` does not work between {left} and {right}"),
        _ => format!("`{sign}` does not work here"),
    };
    (message, operator_hint(sign, &kinds).map(str::to_owned))
}

fn no_function(name: &str, given: &[Kind], known: &KnownNames<'_>) -> (String, Option<String>) {
    let signatures = known.catalogue.map(|c| c.signatures(name)).unwrap_or_default();
    let scripted = known.functions.iter().map(|(_, written)| written.clone());
    let mut signatures: Vec<String> = scripted
        .filter(|w| w.split('(').next() == Some(name))
        .chain(signatures)
        .collect();
    signatures.dedup();
    if signatures.is_empty() {
        let near = || known.near(name).map(|n| format!("did you mean `{n}`?"));
        let hint = elsewhere(name).or_else(near);
        return (format!("there is no function `{name}`"), hint);
    }
    let given: Vec<&str> = given.iter().map(|k| k.noun()).collect();
    let given = match &given[..] {
        [] => "nothing".to_owned(),
        kinds => kinds.join(", "),
    };
    (
        format!("`{name}` does not take ({given})"),
        Some(format!("it is {}", signatures.join(" or "))),
    )
}

fn operator_hint(name: &str, kinds: &[&str]) -> Option<&'static str> {
    let has = |wanted: &[&str]| kinds.iter().any(|k| wanted.contains(k));
    if has(&["nothing"]) {
        return Some(NOTHING_GIVEN);
    }
    match name {
        "+" | "-" | "*" | "/" | "%" | "<" | ">" | "<=" | ">=" if has(&["a unit", "a faction"]) => {
            Some("numbers are compared and added: a stat or slot of it, such as `it.life`")
        }
        "+" if kinds.first() == Some(&"a list") => {
            Some("`+` joins lists; an item is added by `list.push(it)`")
        }
        "<" | ">" | "<=" | ">=" | "==" | "!=" | "switch" if has(&["dice"]) => {
            Some("`.total` of dice is a number, and so are `.highest`, `.lowest` and `.len`")
        }
        "<" | ">" | "<=" | ">=" | "==" | "!=" | "switch" if has(&["units", "places", "a list"]) => {
            Some("`.len` counts them, such as `it.len > 0`")
        }
        "+" | "*" if has(&["units", "places"]) => {
            Some("sets join with `|`, have in common with `&`; `.len` counts them")
        }
        "<" | ">" | "<=" | ">=" if has(&["a text"]) && has(&["a number"]) => {
            Some("a text in quotes is no number: leave the quotes out")
        }
        "&&" | "||" | "!" => Some("it joins what is true or false: compare first, such as `n > 0`"),
        "-" | "|" | "&" if has(&["units", "places"]) && has(&["a text"]) => {
            Some("a text is no thing: `place(\"a1\")` is a place, and `unit(\"red.scouts1\")` a unit")
        }
        "-" | "*" | "/" if has(&["a text"]) => Some("a text in quotes is no number: leave the quotes out"),
        _ => None,
    }
}
