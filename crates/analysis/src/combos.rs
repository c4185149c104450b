//! Pairs of variants: whether they can be on together, and whether it matters which lies above.
//!
//! Only two variants that change the same function of the same script can be sensitive to their
//! order. Such a pair is laid both ways, and every scenario is played with each; where a play
//! differs, the order must be said by one of them (`after`, `overrides`, `requires`).

use crate::lines::counted;
use crate::report::Problems;
use crate::reports::{Cell, Facts, Report, facts};
use crate::rules::ruleset::LoadOptions;
use crate::rules::workspace::Workspace;
use crate::ruleset_cache::RulesetCache;
use crate::stage::run::{self, OpenedFile};
use crate::variants::{self, Tweak, Tweaks};
use crate::{parallel, suite};

/// Result for one pair of variants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PairState {
    /// They change nothing in common.
    Apart,
    /// They change the same functions, and no scenario tells which lies above.
    EitherOrder,
    /// The order matters, and one of them says it: the scenario that shows it.
    Ordered(String),
    /// The order matters, and none of them says it: the scenario that shows it.
    Sensitive(String),
    /// One says that they cannot both be on.
    Conflict,
    /// They cannot both be on, and none says so: why.
    Refused(String),
}

/// One pair of variants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantPair {
    /// The two names, in alphabetical order.
    pub names: [String; 2],
    /// The functions that both change.
    pub shared: Vec<String>,
    /// Result of the check.
    pub verdict: PairState,
}

impl VariantPair {
    /// Whether the designer has something to mend.
    pub fn is_problem(&self) -> bool {
        matches!(self.verdict, PairState::Sensitive(_) | PairState::Refused(_))
    }

    fn facts(&self) -> Facts {
        let (verdict, scenario, reason) = match &self.verdict {
            PairState::Apart => ("apart", None, None),
            PairState::EitherOrder => ("either_order", None, None),
            PairState::Ordered(by) => ("ordered", Some(by), None),
            PairState::Sensitive(by) => ("sensitive", Some(by), None),
            PairState::Conflict => ("conflict", None, None),
            PairState::Refused(why) => ("refused", None, Some(why)),
        };
        facts! {
            variants: &self.names[..], functions: &self.shared, verdict: verdict, scenario: scenario, reason: reason,
        }
    }
}

/// Looks at every pair of a game's variants.
///
/// # Errors
///
/// An unknown game, a broken register, and variants that cannot be read.
pub fn pairs(workspace: &Workspace, game: &str) -> Result<Vec<VariantPair>, Problems> {
    let variants = Tweaks::read(workspace, game)?;
    let Tweaks {
        all: variants,
        problems,
    } = variants;
    Problems::check(problems)?;
    let paths = workspace.list(&format!("scenarios/{game}"), ".toml");
    let scripts: Vec<&Tweak> = variants.iter().filter(|t| !t.dial).collect();
    let all: Vec<(&Tweak, &Tweak)> = scripts
        .iter()
        .enumerate()
        .flat_map(|(i, a)| scripts[i + 1..].iter().map(move |b| (*a, *b)))
        .collect();
    let found = parallel::each(workspace.work(), "pairs of variants", all.len(), None, || {
        let opened: Vec<Option<OpenedFile>> = paths.iter().map(|p| suite::open(workspace, p).ok()).collect();
        let (all, variants, paths) = (&all, &variants, &paths);
        move |index: usize| {
            let (a, b) = all[index];
            let shared = a.patches.iter().filter(|p| b.patches.contains(p));
            let shared: Vec<String> = shared.cloned().collect();
            let pair = PairOf {
                workspace,
                game,
                tweaks: variants,
                a,
                b,
            };
            let verdict = pair.verdict(!shared.is_empty(), &opened, paths);
            VariantPair {
                names: [a.name.clone(), b.name.clone()],
                shared,
                verdict,
            }
        }
    });
    Ok(found.into_iter().flatten().collect())
}

/// Reports pairs: those that change something in common, and how many there are of each kind. Of a check that was not
/// whole, people see nothing.
pub fn report(pairs: &[VariantPair], is_whole: bool) -> Report {
    let mut page = Report::default().with("pairs", Cell::list(pairs.iter().map(VariantPair::facts)));
    if !is_whole {
        return page;
    }
    for pair in pairs {
        let [a, b] = &pair.names;
        let shared = pair.shared.join(", ");
        page.below(match &pair.verdict {
            PairState::Apart => continue,
            PairState::EitherOrder => format!("either order   {a} + {b}: {shared}"),
            PairState::Ordered(by) => format!("ordered        {a} + {b}: {shared}; it matters in {by}"),
            PairState::Conflict => format!("conflict       {a} + {b}"),
            PairState::Sensitive(by) => {
                format!("SENSITIVE      {a} + {b}: {shared}; it matters in {by}, and neither says `after`")
            }
            PairState::Refused(why) => format!("REFUSED        {a} + {b}: {why}"),
        });
    }
    let count = |wanted: fn(&PairState) -> bool| pairs.iter().filter(|p| wanted(&p.verdict)).count();
    page.below(format!(
        "{}: {} change nothing in common, {} lie in either order, {} in an order that one says, \
         {} conflict as declared, {} are sensitive to an order that none says, {} are refused",
        counted(pairs.len(), "pair"),
        count(|v| *v == PairState::Apart),
        count(|v| *v == PairState::EitherOrder),
        count(|v| matches!(v, PairState::Ordered(_))),
        count(|v| *v == PairState::Conflict),
        count(|v| matches!(v, PairState::Sensitive(_))),
        count(|v| matches!(v, PairState::Refused(_))),
    ));
    page
}

struct PairOf<'a> {
    workspace: &'a Workspace,
    game: &'a str,
    tweaks: &'a [Tweak],
    a: &'a Tweak,
    b: &'a Tweak,
}

impl PairOf<'_> {
    fn verdict(&self, shares: bool, opened: &[Option<OpenedFile>], paths: &[String]) -> PairState {
        let (a, b) = (self.a, self.b);
        let mut on = vec![a.name.clone(), b.name.clone()];
        for name in [&a.name, &b.name] {
            on.extend(variants::required(self.tweaks, name));
        }
        on.sort();
        on.dedup();
        let clashes = on
            .iter()
            .filter_map(|n| self.tweaks.iter().find(|t| t.name == *n));
        if clashes.flat_map(|t| &t.conflicts).any(|c| on.contains(c)) {
            return PairState::Conflict;
        }
        let file = crate::scenario::file::ScenarioFile::new(self.game);
        let options = LoadOptions {
            variants: on.clone(),
            ..LoadOptions::default()
        };
        let canonical = match run::load(self.workspace, &file, &options) {
            Ok(ruleset) => ruleset
                .layers
                .variants()
                .map(|(name, _)| name.to_owned())
                .collect::<Vec<_>>(),
            Err(problems) => {
                let why = problems.0.first().map_or_else(String::new, |p| p.message.clone());
                return PairState::Refused(why);
            }
        };
        if !shares {
            return PairState::Apart;
        }
        let mut turned = canonical.clone();
        let at = |name: &String| canonical.iter().position(|n| n == name);
        if let (Some(i), Some(j)) = (at(&a.name), at(&b.name)) {
            turned.swap(i, j);
        }
        let mut rulesets = RulesetCache::new(self.workspace);
        for (opened, path) in opened.iter().zip(paths) {
            let Some(opened) = opened else { continue };
            let results = [&canonical, &turned].map(|order| play(&mut rulesets, opened, &on, order));
            if results[0] != results[1] {
                let says = |x: &Tweak, y: &Tweak| x.after.contains(&y.name) || x.requires.contains(&y.name);
                return if says(a, b) || says(b, a) {
                    PairState::Ordered(path.clone())
                } else {
                    PairState::Sensitive(path.clone())
                };
            }
        }
        PairState::EitherOrder
    }
}

/// Returns the transcript of a scenario with these variants only, none of its own, in this order; `None` when it cannot
/// be played so.
fn play(
    rulesets: &mut RulesetCache<'_>,
    opened: &OpenedFile,
    on: &[String],
    order: &[String],
) -> Option<Vec<String>> {
    let overrides = run::Overrides {
        variants: on.to_vec(),
        ..run::Overrides::default()
    };
    let mut file = run::changed(&opened.file, &overrides);
    file.variants.retain(|v| on.contains(&v.value));
    let options = LoadOptions {
        order: order.to_vec(),
        ..run::options_of(&file, &[])
    };
    let ruleset = rulesets.get(&file, &options).ok()?;
    let setup = run::lay_on(ruleset, file).ok()?;
    let ran = run::run_laid(setup, opened.lines.as_deref()).ok()?;
    let mut lines = ran.play.lines_from(0);
    lines.push(ran.end());
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_pair_is_one() {
        let pair = VariantPair {
            names: ["a", "b"].map(str::to_owned),
            shared: Vec::new(),
            verdict: PairState::Apart,
        };
        assert!(
            report(&[pair], true)
                .text()
                .starts_with("1 pair: 1 change nothing")
        );
    }
}
