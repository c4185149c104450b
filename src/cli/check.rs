//! `rulebench check`: whether every script, variant and scenario can be used; with `--combos`, every
//! pair of variants.

use super::rulebook::example_paths;
use super::{BAD_INPUT, show_report, wants_colour};
use crate::combos::{self, VariantPair};
use crate::designs::study;
use crate::lines::counted;
use crate::report::{Problem, Problems};
use crate::reports::Report;
use crate::rulebook::{Rulebook, unknown_claims, unknown_clause};
use crate::rules::register::{self, Register};
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::workspace::Workspace;
use crate::ruleset_cache::RulesetCache;
use crate::scenario::file::ScenarioFile;
use crate::stage::run;
use crate::suite;
use crate::variants::Tweaks;
use std::collections::{BTreeSet, HashMap};
use std::io::IsTerminal as _;

/// Checks a workspace; returns the exit status.
///
/// # Errors
///
/// A workspace that cannot be listed.
pub fn run(workspace: &Workspace, combos: bool, json: bool) -> Result<u8, Problems> {
    let mut problems: Vec<Problem> = Vec::new();
    let mut add = |found: Problems| problems.extend(found.0);
    add(Problems(workspace.astray()));
    let workspace = &workspace.held();
    add(Problems(workspace.unread()));
    for path in study::files(workspace) {
        add(Problems(study::faults(workspace, &path)));
    }
    let games = workspace.games();
    let mut variants = 0;
    let mut warnings: Vec<String> = Vec::new();
    let mut rulebooks = HashMap::new();
    let course = workspace.work().begin("games", Some(games.len()));
    let mut played = 0;
    for game in &games {
        if course.is_stopped() {
            break;
        }
        played += 1;
        let ruleset = Ruleset::load(workspace, game, &LoadOptions::default());
        if let Ok(ruleset) = &ruleset {
            let idle = ruleset.idle(workspace).into_iter();
            warnings.extend(idle.map(|what| format!("{game}: no rule reads the {what}")));
            let untold = ruleset.untold().into_iter();
            warnings.extend(untold.map(|what| format!("{game}: {what}")));
        }
        if let Err(found) = ruleset {
            // What is wrong with the game is wrong with every variant: theirs is what is in their files.
            add(found);
            let own = [format!("scripts/{game}/variants/"), Register::path(game)];
            let is_own = |p: &Problem| {
                let place = p.place.as_ref();
                place.is_some_and(|at| own.iter().any(|own| at.source.name.starts_with(own)))
            };
            variants += check_variants(workspace, game, &mut |mut found| {
                found.0.retain(is_own);
                add(found);
            });
        } else {
            variants += check_variants(workspace, game, &mut add);
        }
        if workspace.has(&Rulebook::path(game)) {
            match Rulebook::read(workspace, game) {
                Ok((rulebook, source)) => {
                    // Rules that are copied without scenarios have no examples either.
                    let scenarios = suite::find(workspace, &[]).unwrap_or_default();
                    if let Err(found) = example_paths(workspace, &rulebook, &source)
                        && !scenarios.is_empty()
                    {
                        add(found);
                    }
                    rulebooks.insert(game.clone(), rulebook);
                }
                Err(found) => add(found),
            }
        }
        if !course.is_stopped() {
            course.step();
        }
    }
    if let Err(found) = suite::opening(workspace) {
        add(found);
    }
    let scenarios = suite::find(workspace, &[])?;
    let mut rulesets = RulesetCache::new(workspace);
    // Both are told of where somebody stops.
    let of_scenarios = workspace.work().begin("scenarios", Some(scenarios.len()));
    let mut looked_at = 0;
    for path in &scenarios {
        if of_scenarios.is_stopped() {
            break;
        }
        looked_at += 1;
        let unasked = suite::open(workspace, path).and_then(|opened| {
            let file = opened.file;
            add(Problems(unknown_claims(
                workspace,
                rulebooks.get(&file.game.value),
                &file,
            )));
            let ruleset = rulesets.get(&file, &run::options_of(&file, &[]));
            let start = ruleset.and_then(|ruleset| run::lay_on(ruleset, file.clone()));
            let start = start.map_err(|found| run::with_other_faults(workspace, &file, found.0))?;
            Ok(run::unasked(&start))
        });
        match unasked {
            Ok(unasked) => add(Problems(unasked)),
            Err(found) => add(found),
        }
        of_scenarios.step();
    }
    let is_whole = !of_scenarios.is_stopped();
    drop((course, of_scenarios));
    let problems = Problems(problems).once().0;
    let mut pairs: Vec<VariantPair> = Vec::new();
    if combos && problems.is_empty() && is_whole {
        for game in &games {
            pairs.extend(combos::pairs(workspace, game)?);
        }
    }
    let good = problems.is_empty();
    let clean = !pairs.iter().any(VariantPair::is_problem);
    let report = {
        let mut page = match combos {
            true => combos::report(&pairs, good && is_whole),
            false => Report::default(),
        }
        .with("games", &games[..played])
        .with("variant_count", variants)
        .with("scenario_count", looked_at)
        .with("problems", &problems)
        .with("warnings", &warnings);
        let how = match problems.len() {
            0 => "all well".to_owned(),
            n => counted(n, "problem"),
        };
        if !good {
            let colour = wants_colour(std::io::stdout().is_terminal());
            page.put(Problems(problems.clone()).page(colour));
        }
        for warning in &warnings {
            page.below(format!("warning: {warning}"));
        }
        let line = format!(
            "checked {}, {} and {}: {how}",
            counted(played, "game"),
            counted(variants, "variant"),
            counted(looked_at, "scenario"),
        );
        match good {
            true => page.below(line),
            false => page.put(line),
        }
        page
    };
    let status = show_report(workspace.work(), json, report, clean);
    Ok(if good { status } else { BAD_INPUT })
}

/// Loads the game with each of its tweaks and what that requires; returns how many there are.
fn check_variants(workspace: &Workspace, game: &str, add: &mut impl FnMut(Problems)) -> usize {
    let known_variants = Tweaks::read(workspace, game).unwrap_or_else(|found| {
        add(found);
        Tweaks::default()
    });
    add(Problems(known_variants.problems.clone()));
    // What cannot be read of one keeps neither the rest of it nor the others from being looked at.
    let mut names: BTreeSet<String> = register::names(workspace, game).into_iter().collect();
    if let Ok((register, _)) = Register::read_as_far(workspace, game) {
        add(Problems(register.stale));
        names.extend(register.entries.into_keys());
    }
    if let Ok((rulebook, _)) = Rulebook::read(workspace, game) {
        for variant in &known_variants.all {
            let about = variant.about().unwrap_or_default();
            if about.is_empty() {
                continue;
            }
            if let Some(mut problem) = unknown_clause(&rulebook, &about) {
                problem.message = format!("the tweak `{}`: {}", variant.name, problem.message);
                let files = [register::variant_path(game, &variant.name), Register::path(game)];
                let claim = files.iter().find_map(|path| {
                    let source = workspace.read(path).ok()?;
                    let clause = format!("\"{}\"", variant.clause.as_deref()?);
                    // In the register it stands below the tweak's own head.
                    let own = match *path == files[1] {
                        true => source.text.find(&format!("[{}]", variant.name))?,
                        false => 0,
                    };
                    let start = own + source.text[own..].find(&clause)?;
                    Some((source, start..start + clause.len()))
                });
                add(problem
                    .at_some(claim.as_ref().map(|(source, span)| (source, span.clone())))
                    .into());
            }
        }
    }
    let file = ScenarioFile::new(game);
    let mut checked = 0;
    for name in names {
        if workspace.work().is_stopped() {
            break;
        }
        checked += 1;
        let mut variants = vec![name.clone()];
        // One that is not there is told of where it is named.
        let there = |name: &String| known_variants.find(name).is_some();
        variants.extend(known_variants.required(&name).into_iter().filter(there));
        let options = LoadOptions {
            variants,
            ..LoadOptions::default()
        };
        if let Err(found) = run::load(workspace, &file, &options) {
            add(found);
        }
    }
    checked
}
