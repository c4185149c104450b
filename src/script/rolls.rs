//! Which rolls the scripts of a ruleset make, as far as that can be read off them: `roll(...)` with what
//! is written out in it. For those who name a roll by hand.

use super::declare::DialValue;
use super::host::Host;
use rhai::{ASTNode, Expr, FnCallExpr, Stmt};

/// A roll in a script. What is worked out only in play is `None`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Roll {
    /// What it is for.
    pub label: Option<String>,
    /// How many dice.
    pub dice: Option<i64>,
    /// How many sides they have.
    pub sides: Option<i64>,
}

/// The rolls of a ruleset, each once.
pub fn rolls(host: &Host) -> Vec<Roll> {
    let mut found = Vec::new();
    for text in &host.layers.texts {
        text.parsed.ast.walk(&mut |path: &[ASTNode]| {
            match path.last() {
                Some(ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _))) => {
                    found.extend(read(host, call, 1));
                }
                Some(ASTNode::Expr(Expr::MethodCall(call, _))) => found.extend(read(host, call, 0)),
                _ => {}
            }
            true
        });
    }
    found.sort();
    found.dedup();
    found
}

/// A call as a roll, if it is one whose label is the argument of this index.
fn read(host: &Host, call: &FnCallExpr, label: usize) -> Option<Roll> {
    if call.name != "roll" || call.args.len() != label + 3 {
        return None;
    }
    let number = |expr: &Expr| match expr {
        Expr::IntegerConstant(n, _) => Some(*n),
        Expr::Variable(variable, ..) => {
            let mut dials = host.dials.iter();
            match &dials
                .find(|d| d.name.replace('.', "_") == variable.1.as_str())?
                .value
            {
                DialValue::Number(n) => Some(*n),
                DialValue::Word(_) => None,
            }
        }
        _ => None,
    };
    Some(Roll {
        label: match &call.args[label] {
            Expr::StringConstant(text, _) => Some(text.to_string()),
            _ => None,
        },
        dice: number(&call.args[label + 1]),
        sides: number(&call.args[label + 2]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::host::Options;
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
        let host = Host::load(&workspace, "tiny", &Options::default()).unwrap_or_else(|p| panic!("{p}"));
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
    fn what_is_written_out_is_known_and_what_is_worked_out_is_not() {
        assert_eq!(
            of("roll(me, \"morale\", 2, 6); let x = roll(me, \"army\", army_size, 6).total;"),
            [
                roll(Some("army"), Some(5), Some(6)),
                roll(Some("morale"), Some(2), Some(6))
            ]
        );
        assert_eq!(of("roll(me, \"face \" + n, n, 6 + n);"), [roll(None, None, None)]);
        assert_eq!(
            of("me.roll(\"morale\", 1, 8);"),
            [roll(Some("morale"), Some(1), Some(8))]
        );
    }

    #[test]
    fn other_calls_are_no_rolls() {
        assert_eq!(of("choose(me, \"morale\", [1, 2]);"), []);
    }
}
