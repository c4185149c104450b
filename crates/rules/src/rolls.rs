//! Rolls that the scripts of a ruleset make, as far as their text shows it: `roll(...)` with what is written out in it,
//! or where functions are called that hand it on. For those who name a roll by hand.

use super::declare::DialValue;
use super::declare::problems::unknown_name;
use super::problems;
use super::ruleset::Ruleset;
use super::run::lower::dial_meant;
use crate::kernel::event::CARD;
use crate::parse::{FnDef, TextPosition};
use crate::report::{Problem, hint_for};
use crate::syntax::here;
use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};
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

/// Calls of all scripts, and the values given to their variables.
struct Scripts<'a> {
    ruleset: &'a Ruleset,
    calls: Vec<ScriptCall>,
    given: Vec<Given>,
}

/// Value that a script gives to a variable.
struct Given {
    /// Its name.
    variable: String,
    /// The value.
    value: Expr,
    /// Whether a `for` gives it one item of the value after the other.
    each: bool,
    /// The function in which that stands.
    within: Option<FnDef>,
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

/// Maximum number of functions and variables through which a label is followed, from the place where it is written to
/// its roll.
const DEEPEST: usize = 8;

/// Maximum number of texts that are read for one label; a label with more possible texts counts as computed.
const MOST_TEXTS: usize = 2_000;

/// Number of functions and variables still to be followed, and room for texts.
type Depth<'a> = (usize, &'a Cell<usize>);

/// The rolls of a ruleset, each once.
pub fn rolls(ruleset: &Ruleset) -> Vec<Roll> {
    let scripts = Scripts::of(ruleset);
    let mut found = Vec::new();
    for call in scripts.calls.iter().filter(|c| c.call.name == "roll") {
        found.extend(scripts.read(call));
    }
    if ruleset.rules.phases.iter().any(|phase| phase.draws_cards()) {
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

/// File and line of the first call that rolls for a label; `None` where the label is worked out only in play.
pub fn place_of(ruleset: &Ruleset, label: &str) -> Option<String> {
    let scripts = Scripts::of(ruleset);
    let mut calls = scripts.calls.iter().filter(|c| c.call.name == "roll");
    let call = calls.find(|call| {
        scripts
            .labels(call)
            .iter()
            .any(|known| known.as_deref() == Some(label))
    })?;
    let source = &ruleset.layers.texts[call.text].parsed.source;
    Some(format!("{}:{}", source.name, call.at.0))
}

/// The throws of a ruleset as rolls of nobody knows how many dice, each once.
pub fn throws(ruleset: &Ruleset) -> Vec<Roll> {
    let scripts = Scripts::of(ruleset);
    let throws = scripts.calls.iter().filter(|c| c.call.name == "throw_at");
    let labels: BTreeSet<Option<String>> = throws.flat_map(|call| scripts.labels(call)).collect();
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
    if rolls.iter().any(|r| r.label.is_none()) {
        return None;
    }
    if known.is_empty() {
        return Some(problems::no_dice(what));
    }
    Some(unknown_name(&format!("{what} of"), label).hint(hint_for(label, names())))
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

impl<'a> Scripts<'a> {
    fn of(ruleset: &'a Ruleset) -> Self {
        let (mut calls, mut given) = (Vec::new(), Vec::new());
        for (index, text) in ruleset.layers.texts.iter().enumerate() {
            let within = |at: TextPosition| {
                let before = text.parsed.fns.iter().filter(|def| def.at <= at);
                before.max_by_key(|def| def.at).cloned()
            };
            text.parsed.each_call(&mut |call, method, at| {
                calls.push(ScriptCall {
                    call: call.clone(),
                    method,
                    within: within(at),
                    text: index,
                    at,
                });
            });
            let mut give = |variable: &str, value: &Expr, each: bool, at: Position| {
                given.push(Given {
                    variable: variable.to_owned(),
                    value: value.clone(),
                    each,
                    within: within(here(at)),
                });
            };
            text.parsed.ast.walk(&mut |path: &[ASTNode]| {
                match path.last() {
                    Some(ASTNode::Stmt(Stmt::For(parts, at))) => {
                        give(&parts.0.name, &parts.2.expr, true, *at);
                        if let Some(counter) = &parts.1 {
                            give(&counter.name, &Expr::Unit(*at), false, *at);
                        }
                    }
                    Some(ASTNode::Stmt(Stmt::Var(parts, _, at))) => give(&parts.0.name, &parts.1, false, *at),
                    Some(ASTNode::Stmt(Stmt::Assignment(parts))) => {
                        if let Expr::Variable(variable, _, at) = &parts.1.lhs {
                            let sums_up = parts.0.is_op_assignment();
                            let value = if sums_up { &Expr::Unit(*at) } else { &parts.1.rhs };
                            give(&variable.1, value, false, *at);
                        }
                    }
                    _ => {}
                }
                true
            });
        }
        Self {
            ruleset,
            calls,
            given,
        }
    }

    /// A call of `roll` as rolls, one for each label that it can have.
    fn read(&self, call: &ScriptCall) -> Vec<Roll> {
        let args = &call.call.args;
        let number = |expr: &Expr| match expr {
            Expr::IntegerConstant(n, _) => Some(*n),
            Expr::Variable(variable, ..) => {
                let (name, layers) = (variable.1.as_str(), &self.ruleset.layers);
                // A variable under a dial's name is no dial.
                if layers.texts[call.text].parsed.is_variable(name, call.at) {
                    return None;
                }
                let script = layers
                    .around(call.text, call.at)
                    .map_or(0, |(_, place)| place.script);
                match dial_meant(layers, script, name, &self.ruleset.dials)?.value {
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
        self.labels(call).into_iter().map(roll).collect()
    }

    /// The labels that a call of `roll` or `throw_at` can have: behind whom it is about, and before two more arguments.
    fn labels(&self, call: &ScriptCall) -> Vec<Option<String>> {
        let (args, label) = (&call.call.args, usize::from(!call.method));
        if args.len() != label + 3 {
            return Vec::new();
        }
        let room = Cell::new(MOST_TEXTS);
        match self.texts(&args[label], call.within.as_ref(), (DEEPEST, &room)) {
            Some(labels) => labels.into_iter().map(Some).collect(),
            None => vec![None],
        }
    }

    /// The texts that an expression can be, where the scripts write them out: there, in what a variable is given, or
    /// where the function is called whose argument it is: through so many functions at most, and with room for so many
    /// texts.
    fn texts(&self, expr: &Expr, within: Option<&FnDef>, depth: Depth<'_>) -> Option<BTreeSet<String>> {
        let (deep, room) = depth;
        let take = |count: usize| room.get().checked_sub(count).map(|left| room.set(left));
        let joined = |parts: &[Expr]| -> Option<BTreeSet<String>> {
            let mut all = BTreeSet::from([String::new()]);
            for part in parts {
                let next = self.texts(part, within, depth)?;
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
            Expr::Dot(parts, ..) => {
                let Expr::MethodCall(call, _) = &parts.rhs else {
                    return None;
                };
                let as_written: fn(&String) -> String = match call.name.as_str() {
                    "to_upper" => |text| text.to_uppercase(),
                    "to_lower" => |text| text.to_lowercase(),
                    _ => return None,
                };
                let texts = self.texts(&parts.lhs, within, depth)?;
                Some(texts.iter().map(as_written).collect())
            }
            Expr::Variable(variable, ..) => {
                let (def, name) = (within?, variable.1.as_str());
                let deeper = (deep.checked_sub(1)?, room);
                let mut all = BTreeSet::new();
                let here = |it: &&Given| it.variable == name && it.within.as_ref() == within;
                for it in self.given.iter().filter(here) {
                    all.extend(match it.each {
                        true => self.items(&it.value, within, deeper)?,
                        false => self.texts(&it.value, within, deeper)?,
                    });
                }
                if let Some(index) = def.params.iter().position(|p| p == name) {
                    for call in self.calls.iter().filter(|c| c.call.name == def.name.as_str()) {
                        let index = index.checked_sub(usize::from(call.method))?;
                        let Some(arg) = call.call.args.get(index) else {
                            continue;
                        };
                        take(1)?;
                        all.extend(self.texts(arg, call.within.as_ref(), deeper)?);
                    }
                }
                (!all.is_empty()).then_some(all)
            }
            _ => None,
        }
    }

    /// The texts in a list, where the scripts write them out: there, or in what a function says.
    fn items(&self, list: &Expr, within: Option<&FnDef>, depth: Depth<'_>) -> Option<BTreeSet<String>> {
        match list {
            Expr::Array(items, _) => {
                let texts = items.iter().map(|item| self.texts(item, within, depth));
                let texts: Option<Vec<_>> = texts.collect();
                Some(texts?.into_iter().flatten().collect())
            }
            Expr::DynamicConstant(list, _) => {
                let list = list.read_lock::<rhai::Array>()?;
                let texts = list.iter().map(|item| item.clone().into_string().ok());
                texts.collect()
            }
            Expr::Dot(parts, ..) => match &parts.rhs {
                Expr::MethodCall(call, _) if call.name == "filter" => self.items(&parts.lhs, within, depth),
                _ => None,
            },
            Expr::FnCall(call, _) => {
                let deeper = (depth.0.checked_sub(1)?, depth.1);
                let mut all = BTreeSet::new();
                for text in &self.ruleset.layers.texts {
                    let fns = text.parsed.fns.iter().zip(&text.parsed.bodies);
                    for (def, body) in fns.filter(|(def, _)| def.name == call.name.as_str()) {
                        let [Stmt::Expr(expr)] = &body.statements[..] else {
                            return None;
                        };
                        all.extend(self.items(expr, Some(def), deeper)?);
                    }
                }
                (!all.is_empty()).then_some(all)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::LoadOptions;
    use crate::workspace::Workspace;

    fn of(body: &str) -> Vec<Roll> {
        let game = format!(
            "fn board() {{ #{{ factions: [\"red\", \"blue\"], hexes: [2, 2], engaged: \"same place\" }} }}\n\
             fn dials() {{ #{{ \"army.size\": number(5, 1, 9) }} }}\n\
             fn phases() {{ [ #{{ phase: \"all\", each: \"game\", step: \"all\" }} ] }}\n\
             fn all() {{ let me = faction(\"red\"); let n = 2; {body} }}\n"
        );
        let texts = [("scripts/tiny/game.rhai".to_owned(), game)].into();
        let workspace = Workspace::at("no such folder").with(texts);
        let ruleset =
            Ruleset::load(&workspace, "tiny", &LoadOptions::default()).unwrap_or_else(|p| panic!("{p}"));
        rolls(&ruleset)
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
    fn a_label_in_a_variable_is_known_from_what_the_variable_is_given() {
        let of_labels = |labels: &[&str]| -> Vec<Roll> {
            labels
                .iter()
                .map(|label| roll(Some(label), Some(1), Some(6)))
                .collect()
        };
        let listed = "for what in [\"off\", \"def\"] { roll(me, what.to_upper() + \" again\", 1, 6); }";
        assert_eq!(of(listed), of_labels(&["DEF again", "OFF again"]));
        let script = "for what in on_table(me) { roll(me, what, 1, 6); } }\n\
                    fn on_table(me) { [\"off\", side_name(me)].filter(|what| what != \"none\") }\n\
                    fn side_name(me) { \"def\"";
        assert_eq!(of(script), [roll(None, Some(1), Some(6))]);
        let script = script.replace("side_name(me)]", "\"def\"]");
        assert_eq!(of(&script), of_labels(&["def", "off"]));
        let set = "let what = \"charge\"; if n > 1 { what = \"rally\"; } roll(me, what, 1, 6);";
        assert_eq!(of(set), of_labels(&["charge", "rally"]));
        let joined = "let what = \"charge\"; what += n; roll(me, what, 1, 6);";
        assert_eq!(of(joined), [roll(None, Some(1), Some(6))]);
    }

    #[test]
    fn a_label_is_refused_only_where_all_labels_are_known() {
        let known = BTreeSet::from(["OFF".to_owned()]);
        let (known_roll, computed) = (roll(Some("OFF"), Some(1), Some(6)), roll(None, Some(1), Some(6)));
        let refused = |rolls: &[Roll], label| label_refused("roll", rolls, &known, label).is_some();
        assert!(refused(std::slice::from_ref(&known_roll), "OFFF"));
        assert!(!refused(&[known_roll, computed], "OFFF"));
    }

    #[test]
    fn other_calls_are_no_rolls() {
        assert_eq!(of("choose(me, \"morale\", [1, 2]);"), []);
    }
}
