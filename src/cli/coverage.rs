//! `rulebench coverage`: which clauses and readings are proven, and by which scenarios.

use super::{FAILED, OK, say, say_json, short};
use crate::coverage::{self, Proof, Rulebook};
use crate::diff::{self, Comparison, Differ};
use crate::report::Problems;
use crate::scenario::run::Overrides;
use crate::script::workspace::Workspace;
use crate::suite;
use crate::tweaks::Tweaks;

/// Runs every scenario of a game and lists what it proves.
///
/// # Errors
///
/// A game without a rulebook, and tweaks that cannot be read.
pub fn run(workspace: &Workspace, game: &str, json: bool) -> Result<u8, Problems> {
    let (rulebook, _) = Rulebook::read(workspace, game)?;
    let tweaks = Tweaks::read(workspace, game)?;
    Problems::check(tweaks.problems.clone())?;
    let own = workspace.list(&format!("scenarios/{game}"), ".toml");
    let results = suite::run_all(workspace, &own, &Overrides::default());
    let about = |id: &str| {
        let all = tweaks.all.iter().filter(|t| t.about().as_deref() == Some(id));
        all.map(|t| t.name.clone()).collect()
    };
    let mut differ = Differ::new(workspace);
    let mut changes = |scenario: &str, tweak: &str| {
        let opened = suite::open(workspace, scenario).ok()?;
        // Where the tweak is not on, it shows nothing.
        if !opened.file.variants.iter().any(|v| v.value == tweak) {
            return None;
        }
        let asked = Comparison {
            tweaks: vec![diff::Tweak::Variant(tweak.to_owned())],
            ..Comparison::default()
        };
        differ.comes_out_otherwise(&opened, &asked).ok()
    };
    let proofs = coverage::proofs(&rulebook, &suite::claims(&results), &about, &mut changes);
    let open = proofs.iter().filter(|p| p.missing().is_some()).count();
    if json {
        say_json(&proofs);
        return Ok(if open == 0 { OK } else { FAILED });
    }
    for proof in &proofs {
        tell(proof);
    }
    let of = |tweak: bool| {
        let all = proofs.iter().filter(|p| p.kind.is_tweak() == tweak);
        let proven = all.clone().filter(|p| p.missing().is_none()).count();
        (proven, all.count())
    };
    let ((rules, all_rules), (tried, all_tried)) = (of(false), of(true));
    say(&format!(
        "\n{rules} of {all_rules} clauses of kind rule, option or ruling are proven"
    ));
    say(&format!(
        "{tried} of {all_tried} tweaks (clauses of kind todo and other readings) are shown to change what they should, \
         and no more"
    ));
    say(&format!("by {} scenarios", own.len()));
    Ok(if open == 0 { OK } else { FAILED })
}

fn tell(proof: &Proof) {
    let mark = if proof.missing().is_none() {
        "proven  "
    } else {
        "UNPROVEN"
    };
    say(&format!(
        "{mark} {:9} {:7} {}",
        proof.clause,
        proof.kind.name(),
        short(&proof.says)
    ));
    let indent = " ".repeat(13);
    for tweak in &proof.tweaks {
        say(&format!("{indent}tweak {tweak}"));
    }
    for scenario in &proof.proven_by {
        let how = match (
            proof.changes.contains(scenario),
            proof.leaves_alone.contains(scenario),
        ) {
            (true, _) => " (changes it)",
            (_, true) => " (leaves it alone)",
            _ => "",
        };
        say(&format!("{indent}{scenario}{how}"));
    }
    for scenario in &proof.failing {
        say(&format!("{indent}{scenario} (fails)"));
    }
    if let Some(missing) = proof.missing() {
        say(&format!("{indent}{missing}"));
    }
}
