//! `rulebench coverage`: which clauses and readings are proven, and by which scenarios.

use super::show_report;
use crate::coverage;
use crate::diff::{self, Comparison, Differ};
use crate::report::Problems;
use crate::rulebook::Rulebook;
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::workspace::Workspace;
use crate::ruleset_cache::RulesetCache;
use crate::stage::run::Overrides;
use crate::suite;
use crate::variants::Tweaks;

/// Runs every scenario of a game and lists what it proves.
///
/// # Errors
///
/// A game without a rulebook, rules that do not load, and tweaks that cannot be read.
pub fn run(workspace: &Workspace, game: &str, json: bool) -> Result<u8, Problems> {
    let (rulebook, _) = Rulebook::read(workspace, game)?;
    // Where no scenario can be played it is the rules that are told of, and not what is unproven.
    Ruleset::load(workspace, game, &LoadOptions::default())?;
    let variants = Tweaks::read(workspace, game)?;
    Problems::check(variants.problems.clone())?;
    let own = workspace.list(&format!("scenarios/{game}"), ".toml");
    let results = suite::run_all(workspace, &own, &Overrides::default());
    let about = |id: &str| {
        let all = variants.all.iter().filter(|t| t.about().as_deref() == Some(id));
        all.map(|t| t.name.clone()).collect()
    };
    let adopted = RulesetCache::new(workspace).adopted(game)?;
    let mut differ = Differ::new(workspace);
    let mut changes = |scenario: &str, variant: &str| {
        let opened = suite::open(workspace, scenario).ok()?;
        // Where the tweak is not on, it shows nothing.
        if !diff::is_on(variant, &opened.file, &adopted) {
            return None;
        }
        let comparison = Comparison {
            tweaks: vec![diff::Addition::Variant(variant.to_owned())],
            ..Comparison::default()
        };
        differ.comes_out_otherwise(&opened, &comparison).ok()
    };
    let proofs = coverage::proofs(&rulebook, &suite::claims(&results), &about, &mut changes);
    let open = proofs.iter().filter(|p| p.missing().is_some()).count();
    let report = coverage::report(&proofs, own.len());
    Ok(show_report(workspace.work(), json, report, open == 0))
}
