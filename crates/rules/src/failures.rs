//! Runtime failures of scripts, in a designer's words: sentences about the table, with what may help.
//!
//! Knows what runs can meet and the names that a ruleset offers; not where anything is written.

mod problems;

use super::declare::problems::unknown_name;
use super::lint::{Catalogue, as_method, written_of};
use super::run::fault::FaultKind;
use super::run::heap::MAX_ITEMS;
use super::run::library::{MUTATORS, Mutator};
use super::run::natives::NATIVES;
use super::run::value::Kind;
use super::run::view::MAX_TOLD;
use crate::engine::{MAX_ARRAY, MAX_CALL_LEVELS, MAX_MAP, MAX_NESTING, MAX_STRING};
use crate::kernel::rules::{MAX_TEXTS, MAX_WORDS, Rules};
use crate::lines::how_many;
use crate::parse::problems::refused_form;
use crate::report::{Problem, did_you_mean};
use crate::rhai_differences::{BIT, LETTER, UNCHANGED, elsewhere, property_elsewhere};
use crate::run::fuel::MAX_OPERATIONS;
use crate::syntax;

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
        let names = self.catalogue.into_iter().flat_map(Catalogue::function_names);
        did_you_mean(name, names.chain(self.names.iter().copied()))
    }

    fn near_property(&self, name: &str) -> Option<String> {
        let names = self.catalogue.into_iter().flat_map(Catalogue::property_names);
        did_you_mean(name, names)
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

/// Returns the problem of a failure, without its place.
pub fn problem_of(why: &FaultKind, known: &KnownNames<'_>) -> Problem {
    match why {
        FaultKind::Fuel => problems::too_many_operations(MAX_OPERATIONS),
        FaultKind::Deep => problems::too_many_calls(MAX_CALL_LEVELS),
        FaultKind::Full => problems::too_many_values(MAX_ITEMS),
        FaultKind::Texts => problems::too_many_texts(MAX_WORDS, MAX_TEXTS),
        FaultKind::Nested => problems::too_deep(MAX_NESTING, MAX_TOLD),
        FaultKind::Large => problems::too_large(MAX_ARRAY, MAX_MAP, MAX_STRING),
        FaultKind::Interrupted => problems::interrupted(),
        FaultKind::Rule(problem) => (**problem).clone(),
        FaultKind::Unfit(name, given) => unfit(name, given, known),
        FaultKind::NoFunction(name, given) => no_function(name, given, known),
        FaultKind::NoName(name) => {
            let near = known.named(name).or_else(|| known.near(name));
            let near = near.map(|near| format!("did you mean `{near}`?"));
            unknown_name("variable or dial", name).hint(near.unwrap_or_else(|| syntax::undefined(name)))
        }
        FaultKind::NoKey(name) => {
            let near = suggestion(known.near_property(name));
            problems::missing_key(name).hint(near.unwrap_or_else(|| may_miss(name)))
        }
        FaultKind::NothingUnder(key) => problems::missing_key(key).hint(may_miss(key)),
        FaultKind::NotA(wanted, given) => {
            let hint = match (wanted, given) {
                (_, Kind::Nothing) => Some("check whether a branch has no value or ends with `;`"),
                (Kind::Bool, Kind::Units | Kind::Places | Kind::List | Kind::Dice) => {
                    Some("check whether there is any: `!it.is_empty`")
                }
                (Kind::Bool, Kind::Int) => Some("compare it: `n > 0`"),
                (Kind::Bool, Kind::Unit | Kind::Place | Kind::Faction) => Some("compare it: `it != nobody`"),
                _ => None,
            };
            problems::wrong_kind(wanted.noun(), given.noun()).hint_some(hint)
        }
        FaultKind::NoItems(Kind::Int) => refused_form(BIT[0]).hint(BIT[1]),
        FaultKind::NoItems(of) => problems::no_items(of.noun(), has(of.noun())),
        FaultKind::Kept(Kind::Word) => refused_form(LETTER[0]).hint(LETTER[1]),
        FaultKind::Kept(of) => problems::unchangeable(format_args!("a part of {}", of.noun()))
            .hint("`without` leaves some out, `raised` and `plus` return others"),
        FaultKind::OutOf(Kind::Word, length, index) => {
            problems::missing_item("letter", *index, *length, "text")
        }
        FaultKind::OutOf(_, length, index) => problems::missing_item("item", *index, *length, "list"),
        FaultKind::NotThrough => problems::not_a_sequence(),
        FaultKind::Constant(name) => problems::unchangeable(format_args!("`{name}`")).hint(UNCHANGED),
        FaultKind::ByZero(sum) => problems::division_by_zero(sum),
        FaultKind::TooLarge(sum) => problems::number_too_large(sum),
        FaultKind::Operator(sign, kinds) => operator(sign, kinds),
        FaultKind::Property { name, of, changed } => property(name, *of, *changed, known),
        FaultKind::Arguments(name, takes, given) => {
            let called = if name.starts_with('|') {
                "the function "
            } else {
                ""
            };
            let takes = how_many(*takes, "parameter");
            problems::wrong_count(format_args!("{called}`{name}`"), takes, *given)
        }
        FaultKind::Halted | FaultKind::Mismatch => problems::wrong_arguments("this", "", ""),
    }
}

/// Returns the problem of a native function with wrong arguments: the kinds it takes and the kinds given.
fn unfit(name: &str, given: &[Kind], known: &KnownNames<'_>) -> Problem {
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
    let found = list(given.iter().map(|k| k.word()).collect());
    let problem = problems::wrong_arguments(name, &takes.join(" or "), &found);
    if given.contains(&Kind::Nothing) {
        return problem.hint(NOTHING_GIVEN);
    }
    let signatures = match &mutators[..] {
        [] => known.catalogue.map(|c| c.signatures(name)).unwrap_or_default(),
        some => some.iter().map(|m| written_of(m)).collect(),
    };
    problem.hint_some((!signatures.is_empty()).then(|| format!("it is {}", signatures.join(" or "))))
}

/// The parameters of the natives of a name that take so many arguments.
fn ways(name: &str, args: usize) -> impl Iterator<Item = &'static [(&'static str, Kind)]> {
    let natives = NATIVES
        .iter()
        .filter(move |n| n.name == name && n.params.len() == args);
    natives.map(|n| n.params)
}

const NOTHING_GIVEN: &str = "one of them may be nothing: check it first, `if it != nobody { ... }`";

/// Whether the word for a kind names several things.
fn has(kind: &str) -> &'static str {
    match kind {
        "units" | "places" | "dice" => "have",
        _ => "has",
    }
}

/// Returns the hint for reading a key that a map may not have.
fn may_miss(key: &str) -> String {
    format!("if it may be missing, write `it.get({key:?}) ?? 0`")
}

fn suggestion(near: Option<String>) -> Option<String> {
    near.map(|n| format!("did you mean `.{n}`?"))
}

fn property(name: &str, of: Kind, changed: bool, known: &KnownNames<'_>) -> Problem {
    let method = as_method(name, Some(of));
    let of = of.noun();
    let has_it = known
        .catalogue
        .is_some_and(|c| c.property_names().any(|p| p == name));
    if of == "nothing" {
        let owners = known.catalogue.map(|c| c.owners(name)).unwrap_or_default();
        let is_of = |kinds: &[Kind]| kinds.iter().any(|kind| owners.iter().any(|o| o == kind.word()));
        let owner = match (is_of(&[Kind::Place]), is_of(&[Kind::Unit, Kind::Faction])) {
            (false, _) => "nobody",
            (true, false) => "nowhere",
            (true, true) => "nothing",
        };
        return problems::property_of_nothing(owner, name);
    }
    if changed && has_it {
        let hint = "declare what changes in play as a slot, in `slots()`";
        return problems::unchangeable(format_args!("`.{name}` of {of}")).hint(hint);
    }
    let problem = problems::missing_property(of, has(of), name);
    if has_it {
        let owners = known.catalogue.map(|c| c.owners(name)).unwrap_or_default();
        return problem.hint(format!("it is a property of: {}", owners.join(", ")));
    }
    let hint = method.or_else(|| property_elsewhere(name));
    problem.hint_some(hint.or_else(|| suggestion(known.near_property(name))))
}

fn operator(sign: &str, kinds: &[Kind]) -> Problem {
    let kinds: Vec<&str> = kinds.iter().map(|k| k.noun()).collect();
    problems::wrong_operand(sign, kinds.join(" and ")).hint_some(operator_hint(sign, &kinds))
}

fn no_function(name: &str, given: &[Kind], known: &KnownNames<'_>) -> Problem {
    let signatures = known.catalogue.map(|c| c.signatures(name)).unwrap_or_default();
    let scripted = known.functions.iter().map(|(_, written)| written.clone());
    let mut signatures: Vec<String> = scripted
        .filter(|w| w.split('(').next() == Some(name))
        .chain(signatures)
        .collect();
    signatures.dedup();
    if signatures.is_empty() {
        let near = || known.near(name).map(|n| format!("did you mean `{n}`?"));
        return unknown_name("function", name).hint_some(elsewhere(name).or_else(near));
    }
    let given: Vec<&str> = given.iter().map(|k| k.word()).collect();
    problems::wrong_arguments(name, &signatures.join(" or "), &format!("({})", given.join(", ")))
}

fn operator_hint(name: &str, kinds: &[&str]) -> Option<&'static str> {
    let has = |wanted: &[&str]| kinds.iter().any(|k| wanted.contains(k));
    if has(&["nothing"]) {
        return Some(NOTHING_GIVEN);
    }
    match name {
        "/" if kinds.last() == Some(&"a length") => {
            Some("a length can be divided by a whole number only: `7.0 / 2` is 3.5, and `7 / 2` is 3")
        }
        "*" if has(&["a length"]) => Some("one of the two must be a whole number: `7.5 * 2`"),
        "%" if has(&["a length"]) => Some("the rest of a length is `x - n * rounded_down(x / n)`"),
        "**" | "^" | "<<" | ">>" | "&" | "|" if has(&["a length"]) => Some("it is for whole numbers"),
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
