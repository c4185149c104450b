//! Rolls that the scripts of a ruleset make, as far as their text shows it: `roll(...)` with what is written out in it,
//! or where functions are called that hand it on. For those who name a roll by hand.

use super::declare::DialValue;
use super::host::Host;
use super::parse::{FnDef, TextPosition};
use super::run::lower::dial_meant;
use crate::kernel::event::CARD;
use crate::report::{Problem, did_you_mean};
use rhai::{Expr, FnCallExpr};
use std::cell::Cell;
use std::collections::BTreeSet;

/// A roll in a script. What is worked out only in play is `None`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Roll {
    /// Label of the roll.
    pub label: Option<String>,
    /// Number of dice.
    pub dice: Option<i64>,
    /// Number of sides of the dice.
    pub sides: Option<i64>,
}

/// A call in a script.
struct ScriptCall {
    call: FnCallExpr,
    /// Whether its first argument stands before a point.
    method: bool,
    /// The function in which it stands.
    within: Option<FnDef>,
    /// The text, by index, and where in it.
    text: usize,
    at: TextPosition,
}

/// Maximum number of functions through which a label is followed, from the place where it is written to its roll.
const DEEPEST: usize = 8;

/// Maximum number of texts that are read for one label; a label with more possible texts counts as computed.
const MOST_TEXTS: usize = 2_000;

/// The rolls of a ruleset, each once.
pub fn rolls(host: &Host) -> Vec<Roll> {
    let calls = calls(host);
    let mut found = Vec::new();
    for call in calls.iter().filter(|c| c.call.name == "roll") {
        found.extend(read(host, call, &calls));
    }
    if host.rules.phases.iter().any(|phase| phase.draws_cards()) {
        found.push(Roll {
            label: Some(CARD.to_owned()),
            dice: Some(1),
            sides: None,
        });
    }
    found.sort();
    found.dedup();
    found
}

/// The throws of a ruleset as rolls of nobody knows how many dice, each once.
pub fn throws(host: &Host) -> Vec<Roll> {
    let calls = calls(host);
    let throws = calls.iter().filter(|c| c.call.name == "throw_at");
    let labels: BTreeSet<Option<String>> = throws.flat_map(|call| labels(call, &calls)).collect();
    let roll = |label| Roll {
        label,
        dice: None,
        sides: None,
    };
    labels.into_iter().map(roll).collect()
}

/// Why no roll, or no throw, has this label, where the scripts say all that there are.
pub fn label_refused(what: &str, rolls: &[Roll], known: &BTreeSet<String>, label: &str) -> Option<Problem> {
    if known.contains(label) {
        return None;
    }
    let names = || known.iter().map(String::as_str);
    let near = did_you_mean(label, names());
    let computed = rolls.iter().any(|r| r.label.is_none());
    if known.is_empty() && !computed {
        return Some(Problem::new(format!("this game {what}s no dice")));
    }
    if computed && near.is_none() {
        return None;
    }
    let labels: Vec<&str> = names().collect();
    let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
    let problem = Problem::new(format!("there is no {what} of `{label}`"));
    Some(problem.hint(format!("{near}The {what}s of this game: {}", labels.join(", "))))
}

/// Why no roll of this label shows these dice, where the scripts say how many there are and with which sides.
pub fn dice_refused(rolls: &[Roll], label: &str, dice: &[i64]) -> Option<String> {
    let of_label = |r: &&Roll| r.label.as_ref().is_none_or(|l| l == label);
    let rolls: Vec<&Roll> = rolls.iter().filter(of_label).collect();
    let counts: Option<BTreeSet<i64>> = rolls.iter().map(|r| r.dice).collect();
    let count = dice.len() as i64;
    if let Some(counts) = counts.filter(|c| !c.is_empty() && !c.contains(&count)) {
        let counts: Vec<String> = counts.iter().map(i64::to_string).collect();
        let dice = if counts == ["1"] { "die" } else { "dice" };
        let counts = counts.join(" or ");
        return Some(format!("a roll of `{label}` is of {counts} {dice}, not {count}"));
    }
    let sides: Option<Vec<i64>> = rolls.iter().map(|r| r.sides).collect();
    let most = sides.and_then(|s| s.into_iter().max())?;
    let odd = dice.iter().find(|n| !(1..=most).contains(*n))?;
    Some(format!("no die of `{label}` shows {odd}: they have {most} sides"))
}

/// Every call of the scripts.
fn calls(host: &Host) -> Vec<ScriptCall> {
    let mut found = Vec::new();
    for (index, text) in host.layers.texts.iter().enumerate() {
        text.parsed.each_call(&mut |call, method, at| {
            let before = text.parsed.fns.iter().filter(|def| def.at <= at);
            found.push(ScriptCall {
                call: call.clone(),
                method,
                within: before.max_by_key(|def| def.at).cloned(),
                text: index,
                at,
            });
        });
    }
    found
}

/// A call of `roll` as rolls, one for each label that it can have.
fn read(host: &Host, call: &ScriptCall, calls: &[ScriptCall]) -> Vec<Roll> {
    let args = &call.call.args;
    let number = |expr: &Expr| match expr {
        Expr::IntegerConstant(n, _) => Some(*n),
        Expr::Variable(variable, ..) => {
            let (name, layers) = (variable.1.as_str(), &host.layers);
            // A variable under a dial's name is no dial.
            if layers.texts[call.text].parsed.is_variable(name, call.at) {
                return None;
            }
            let script = layers
                .around(call.text, call.at)
                .map_or(0, |(_, place)| place.script);
            match dial_meant(layers, script, name, &host.dials)?.value {
                DialValue::Number(n) => Some(n),
                DialValue::Word(_) => None,
            }
        }
        _ => None,
    };
    let roll = |label| Roll {
        label,
        dice: number(&args[args.len() - 2]),
        sides: number(&args[args.len() - 1]),
    };
    labels(call, calls).into_iter().map(roll).collect()
}

/// The labels that a call of `roll` or `throw_at` can have: behind whom it is about, and before two more arguments.
fn labels(call: &ScriptCall, calls: &[ScriptCall]) -> Vec<Option<String>> {
    let (args, label) = (&call.call.args, usize::from(!call.method));
    if args.len() != label + 3 {
        return Vec::new();
    }
    let room = Cell::new(MOST_TEXTS);
    match texts(&args[label], call.within.as_ref(), calls, (DEEPEST, &room)) {
        Some(labels) => labels.into_iter().map(Some).collect(),
        None => vec![None],
    }
}

/// The texts that an expression can be, where the scripts write them out: there, or where the function
/// is called whose argument it is: through so many functions at most, and with room for so many texts.
fn texts(
    expr: &Expr,
    within: Option<&FnDef>,
    calls: &[ScriptCall],
    (deep, room): (usize, &Cell<usize>),
) -> Option<BTreeSet<String>> {
    let take = |count: usize| room.get().checked_sub(count).map(|left| room.set(left));
    let joined = |parts: &[Expr]| -> Option<BTreeSet<String>> {
        let mut all = BTreeSet::from([String::new()]);
        for part in parts {
            let next = texts(part, within, calls, (deep, room))?;
            take(all.len().saturating_mul(next.len()))?;
            all = all
                .iter()
                .flat_map(|head| next.iter().map(move |tail| format!("{head}{tail}")))
                .collect();
        }
        Some(all)
    };
    match expr {
        Expr::StringConstant(text, _) => Some(BTreeSet::from([text.to_string()])),
        Expr::InterpolatedString(parts, _) => joined(parts),
        Expr::FnCall(call, _) if call.name == "+" => joined(&call.args),
        Expr::Variable(variable, ..) => {
            let def = within?;
            let index = def.params.iter().position(|p| *p == variable.1.as_str())?;
            let deep = deep.checked_sub(1)?;
            let mut all = BTreeSet::new();
            for call in calls.iter().filter(|c| c.call.name == def.name.as_str()) {
                let index = index.checked_sub(usize::from(call.method))?;
                let Some(arg) = call.call.args.get(index) else {
                    continue;
                };
                take(1)?;
                all.extend(texts(arg, call.within.as_ref(), calls, (deep, room))?);
            }
            (!all.is_empty()).then_some(all)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::host::LoadOptions;
    use crate::script::workspace::Workspace;

    fn of(body: &str) -> Vec<Roll> {
        let game = format!(
            "fn board() {{ #{{ factions: [\"red\", \"blue\"], hexes: [2, 2], engaged: \"same place\" }} }}\n\
             fn dials() {{ #{{ \"army.size\": number(5, 1, 9) }} }}\n\
             fn phases() {{ [ #{{ phase: \"all\", each: \"game\", step: \"all\" }} ] }}\n\
             fn all() {{ let me = faction(\"red\"); let n = 2; {body} }}\n"
        );
        let texts = [("scripts/tiny/game.rhai".to_owned(), game)].into();
        let workspace = Workspace::Folder("no such folder".into()).with(texts);
        let host = Host::load(&workspace, "tiny", &LoadOptions::default()).unwrap_or_else(|p| panic!("{p}"));
        rolls(&host)
    }

    fn roll(label: Option<&str>, dice: Option<i64>, sides: Option<i64>) -> Roll {
        Roll {
            label: label.map(str::to_owned),
            dice,
            sides,
        }
    }

    #[test]
    fn a_label_of_too_many_texts_counts_as_computed() {
        let one = |n: usize| {
            let letters: Vec<String> = ('a'..='h').map(|c| format!("\"{c}{n}\"")).collect();
            format!("named({});", letters.join(", "))
        };
        let named = "} fn named(a, b, c, d, e, f, g, h) { roll(faction(\"red\"), a + b + c + d + e + f + g + h, 1, 6);";
        let all = |times: usize| of(&((0..times).map(one).collect::<String>() + named));
        assert_eq!(all(2).len(), 256);
        assert_eq!(all(10), [roll(None, Some(1), Some(6))]);
    }

    #[test]
    fn what_is_written_out_is_known_and_what_is_worked_out_is_not() {
        assert_eq!(
            of("roll(me, \"morale\", 2, 6); let x = roll(me, \"army\", army_size, 6).total;"),
            [
                roll(Some("army"), Some(5), Some(6)),
                roll(Some("morale"), Some(2), Some(6))
            ]
        );
        assert_eq!(of("roll(me, \"face \" + n, n, 6 + n);"), [roll(None, None, None)]);
        let hides = "let army_size = 1; roll(me, \"army\", army_size, 6);";
        assert_eq!(of(hides), [roll(Some("army"), None, Some(6))]);
        assert_eq!(
            of("me.roll(\"morale\", 1, 8);"),
            [roll(Some("morale"), Some(1), Some(8))]
        );
    }

    #[test]
    fn a_label_that_is_handed_on_is_known_from_where_it_is_written() {
        let both = [
            roll(Some("attack again"), None, Some(6)),
            roll(Some("attack"), None, Some(6)),
            roll(Some("defence again"), None, Some(6)),
            roll(Some("defence"), None, Some(6)),
        ];
        let mut both = both.to_vec();
        both.sort();
        let scripts = "toss(me, \"attack\"); toss(me, \"defence\"); }\n\
                       fn toss(me, what) { dice(me, what, 2); dice(me, what + \" again\", 1); }\n\
                       fn dice(me, label, n) { roll(me, label, n, 6);";
        assert_eq!(of(scripts), both);
        // One that is worked out in one place may be anything.
        let worked_out = "toss(me, \"attack\"); toss(me, side_name(me)); }\n\
                          fn side_name(me) { me.name }\n\
                          fn toss(me, what) { roll(me, what, 1, 6);";
        assert_eq!(of(worked_out), [roll(None, Some(1), Some(6))]);
    }

    #[test]
    fn other_calls_are_no_rolls() {
        assert_eq!(of("choose(me, \"morale\", [1, 2]);"), []);
    }
}
