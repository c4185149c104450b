//! Coverage: which clauses of a rulebook are proven by which scenarios, and which by none.

use crate::lines::short;
use crate::reports::{Cell, Facts, Report, facts};
use crate::rulebook::{ClauseKind, Rulebook};

/// One clause, or another reading of one, with the scenarios that prove it.
///
/// What is always in force is proven by a scenario that passes. A tweak is proven by two: one whose
/// outcome it changes, and one whose outcome it leaves alone.
#[derive(Debug, Clone)]
pub struct Proof {
    /// The id, as scenarios name it.
    pub clause: String,
    /// Binding force of the clause, such as rule, option or idea.
    pub kind: ClauseKind,
    /// Text of the clause.
    pub says: String,
    /// The tweaks that are about it.
    pub tweaks: Vec<String>,
    /// The scenarios that pass and name it.
    pub proven_by: Vec<String>,
    /// Of a tweak, those of them whose outcome it changes.
    pub changes: Vec<String>,
    /// Of a tweak, those of them that it leaves alone.
    pub leaves_alone: Vec<String>,
    /// The scenarios that name it and fail.
    pub failing: Vec<String>,
    /// Why it cannot be played yet.
    pub open: Option<String>,
}

impl Proof {
    /// Returns the missing part of the proof, in words; `None` when it is proven.
    pub fn missing(&self) -> Option<&'static str> {
        if self.open.is_some() {
            return None;
        }
        if self.kind.is_tweak() {
            if self.tweaks.is_empty() {
                return Some("no tweak is about it");
            }
            if self.changes.is_empty() {
                return Some("no scenario shows what it changes");
            }
            return self
                .leaves_alone
                .is_empty()
                .then_some("no scenario shows what it must not change");
        }
        self.proven_by.is_empty().then_some("no scenario proves it")
    }
}

/// Clauses that a scenario claims to prove, and whether the scenario passed.
pub struct Claim {
    /// The scenario's path.
    pub scenario: String,
    /// The clauses it names.
    pub proves: Vec<String>,
    /// Whether it passed.
    pub passed: bool,
}

/// Every clause and reading with its proofs. `variants` names the variants about an id; `changes` says
/// whether a tweak changes a scenario's outcome, `None` when that cannot be told.
pub fn proofs(
    rulebook: &Rulebook,
    claims: &[Claim],
    variants: &dyn Fn(&str) -> Vec<String>,
    changes: &mut dyn FnMut(&str, &str) -> Option<bool>,
) -> Vec<Proof> {
    let named_by = |id: &str, passed: bool| -> Vec<String> {
        let of = claims
            .iter()
            .filter(|c| c.passed == passed && c.proves.iter().any(|p| p == id));
        of.map(|c| c.scenario.clone()).collect()
    };
    let entries = rulebook.entries();
    let proofs = entries.map(|(clause, kind, says, open)| {
        let mut proof = Proof {
            tweaks: if kind.is_tweak() {
                variants(&clause)
            } else {
                Vec::new()
            },
            proven_by: named_by(&clause, true),
            failing: named_by(&clause, false),
            changes: Vec::new(),
            leaves_alone: Vec::new(),
            clause,
            kind,
            says: says.to_owned(),
            open: open.cloned(),
        };
        for scenario in &proof.proven_by {
            for variant in &proof.tweaks {
                match changes(scenario, variant) {
                    Some(true) => proof.changes.push(scenario.clone()),
                    Some(false) => proof.leaves_alone.push(scenario.clone()),
                    None => {}
                }
            }
        }
        proof
    });
    proofs.collect()
}

impl Proof {
    /// The lines of it.
    fn lines(&self) -> Vec<String> {
        let mark = match (&self.open, self.missing()) {
            (Some(_), _) => "open    ",
            (None, None) => "proven  ",
            (None, Some(_)) => "UNPROVEN",
        };
        let (clause, kind, says) = (&self.clause, self.kind.name(), short(&self.says));
        let mut lines = vec![format!("{mark} {clause:9} {kind:7} {says}")];
        let mut below = |text: String| lines.push(format!("{:13}{text}", ""));
        self.tweaks
            .iter()
            .for_each(|variant| below(format!("tweak {variant}")));
        for scenario in &self.proven_by {
            let how = match (
                self.changes.contains(scenario),
                self.leaves_alone.contains(scenario),
            ) {
                (true, _) => " (changes it)",
                (_, true) => " (leaves it alone)",
                _ => "",
            };
            below(format!("{scenario}{how}"));
        }
        self.failing
            .iter()
            .for_each(|scenario| below(format!("{scenario} (fails)")));
        let missing = self.missing().into_iter().map(str::to_owned);
        missing.chain(self.open.clone()).for_each(below);
        lines
    }

    /// The facts of it.
    fn facts(&self) -> Facts {
        facts! {
            clause: &self.clause, kind: self.kind.name(), text: &self.says, variants: &self.tweaks,
            proven_by: &self.proven_by, changes: &self.changes, leaves_alone: &self.leaves_alone,
            failing: &self.failing, missing: self.missing(), open: &self.open,
        }
    }
}

/// Reports the clauses of a rulebook, and the number of scenarios that were searched for proofs.
pub fn report(proofs: &[Proof], scenarios: usize) -> Report {
    let mut page = Report::lines(proofs.iter().flat_map(Proof::lines))
        .with("clauses", Cell::list(proofs.iter().map(Proof::facts)))
        .with("scenario_count", scenarios);
    let of = |is_variant: bool| {
        let all = proofs
            .iter()
            .filter(|p| p.open.is_none() && p.kind.is_tweak() == is_variant);
        let proven = all.clone().filter(|p| p.missing().is_none()).count();
        (proven, all.count())
    };
    let ((rules, all_rules), (tried, all_tried)) = (of(false), of(true));
    page.put(format!(
        "{rules} of {all_rules} clauses of kind rule, option or ruling are proven"
    ));
    page.below(format!(
        "{tried} of {all_tried} tweaks (clauses of kind todo or idea, and other readings) are shown to change what they should, \
         and no more"
    ));
    page.below(format!("by {scenarios} scenarios"));
    let open = proofs.iter().filter(|p| p.open.is_some()).count();
    if open > 0 {
        page.below(format!("open, since nothing plays them yet: {open}"));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rulebook() -> Rulebook {
        let text = r#"
            [rulebook]
            game = "g"
            title = "G"
            source = "us"
            prefix = "G"
            [[clause]]
            id = "G-1"
            kind = "rule"
            says = "a"
            [[clause]]
            id = "G-2"
            kind = "todo"
            says = "b"
            [[clause]]
            id = "G-3"
            kind = "ruling"
            says = "c"
            else = ["d", "e"]
        "#;
        toml::from_str(text).expect("a rulebook")
    }

    #[test]
    fn an_open_clause_is_listed_and_asks_for_no_proof() {
        let mut rulebook = rulebook();
        rulebook.clauses[2].open = Some("nobody has written it".to_owned());
        let found = proofs(&rulebook, &[], &|_| Vec::new(), &mut |_, _| None);
        let missing: Vec<bool> = found.iter().map(|p| p.missing().is_some()).collect();
        assert_eq!(missing, [true, true, false, false, false]);
        let page = report(&found, 0).text();
        for line in [
            "UNPROVEN G-1",
            "open     G-3 ",
            "open     G-3/1",
            "nobody has written it",
            "0 of 1 clauses",
        ] {
            assert!(page.contains(line), "{line}: {page}");
        }
    }

    fn proven(claims: &[(&str, &str, bool)], changed: &[&str]) -> Vec<(String, Option<&'static str>)> {
        let claims: Vec<Claim> = claims
            .iter()
            .map(|(scenario, clause, passed)| Claim {
                scenario: (*scenario).to_owned(),
                proves: vec![(*clause).to_owned()],
                passed: *passed,
            })
            .collect();
        let variants = |id: &str| {
            if id == "G-3/2" {
                Vec::new()
            } else {
                vec![format!("for {id}")]
            }
        };
        let found = proofs(&rulebook(), &claims, &variants, &mut |scenario, _| {
            Some(changed.contains(&scenario))
        });
        found.iter().map(|p| (p.clause.clone(), p.missing())).collect()
    }

    #[test]
    fn clauses_need_a_scenario_and_tweaks_need_two() {
        let all = [
            ("one", "G-1", true),
            ("two", "G-2", true),
            ("three", "G-2", true),
            ("four", "G-3", true),
            ("five", "G-3/1", true),
        ];
        let found = proven(&all, &["two", "five"]);
        let missing: Vec<_> = found.iter().map(|(id, why)| (id.as_str(), *why)).collect();
        assert_eq!(
            missing,
            [
                ("G-1", None),
                ("G-2", None),
                ("G-3", None),
                ("G-3/1", Some("no scenario shows what it must not change")),
                ("G-3/2", Some("no tweak is about it")),
            ]
        );
    }

    #[test]
    fn a_scenario_that_fails_proves_nothing() {
        let found = proven(&[("one", "G-1", false), ("two", "G-2", true)], &[]);
        assert_eq!(found[0].1, Some("no scenario proves it"));
        assert_eq!(found[1].1, Some("no scenario shows what it changes"));
    }
}
