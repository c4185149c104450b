//! Coverage: which clauses of a rulebook are proven by which scenarios, and which by none.

use crate::report::{Problem, Problems, Source, hint_for};
use crate::script::workspace::Workspace;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A rulebook's clauses, as `scripts/<game>/rulebook.toml` lists them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rulebook {
    /// Title, source and prefix.
    pub rulebook: Head,
    /// The clauses, in the rulebook's order.
    #[serde(default, rename = "clause")]
    pub clauses: Vec<Clause>,
}

/// What the rulebook is.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The game's name.
    pub game: String,
    /// The rulebook's title.
    pub title: String,
    /// Where it comes from.
    pub source: String,
    /// What the ids of its clauses begin with.
    pub prefix: String,
}

/// One rule of a rulebook.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Its id.
    pub id: String,
    /// How binding it is.
    pub kind: Kind,
    /// What it says, in our words.
    pub says: String,
    /// Other readings of it.
    #[serde(default, rename = "else")]
    pub readings: Vec<String>,
}

/// How binding a clause is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Always in force.
    Rule,
    /// Offered to the players as a choice.
    Option,
    /// A tweak that the designer has not decided.
    Todo,
    /// A reading where the rulebook is silent.
    Ruling,
}

impl Rulebook {
    /// Reads a game's rulebook.
    ///
    /// # Errors
    ///
    /// What is wrong with the file.
    pub fn read(workspace: &Workspace, game: &str) -> Result<(Self, Rc<Source>), Problems> {
        workspace.check_game(game)?;
        let path = format!("scripts/{game}/rulebook.toml");
        if !workspace.has(&path) {
            return Err(Problem::new(format!("{game} has no rulebook"))
                .hint(format!("its clauses are listed in {path}"))
                .into());
        }
        let source = workspace.read(&path)?;
        let rulebook = toml::from_str(&source.text).map_err(|error| {
            let problem = Problem::new(error.message().to_owned());
            match error.span() {
                Some(span) => problem.at(&source, span),
                None => problem,
            }
        })?;
        Ok((rulebook, source))
    }

    /// Whether a clause must be proven: rules, options, and rulings that do not speak of a tweak
    /// that is still undecided.
    pub fn must_be_proven(&self, clause: &Clause) -> bool {
        let undecided = self.clauses.iter().filter(|c| c.kind == Kind::Todo);
        match clause.kind {
            Kind::Rule | Kind::Option => true,
            Kind::Todo => false,
            Kind::Ruling => !undecided
                .into_iter()
                .any(|todo| speaks_of(&clause.says, &todo.id)),
        }
    }
}

/// Whether a text names a clause id as a whole.
fn speaks_of(text: &str, id: &str) -> bool {
    text.match_indices(id)
        .any(|(at, _)| !text[at + id.len()..].starts_with(|c: char| c.is_ascii_alphanumeric()))
}

/// One clause with the scenarios that prove it.
#[derive(Debug, Clone, Serialize)]
pub struct Proof {
    /// The clause's id.
    pub clause: String,
    /// How binding it is.
    pub kind: Kind,
    /// What it says.
    pub says: String,
    /// Whether it must be proven.
    pub required: bool,
    /// The scenarios that pass and name it.
    pub proven_by: Vec<String>,
    /// The scenarios that name it and fail.
    pub failing: Vec<String>,
}

/// What a scenario says that it proves, and whether it passed.
pub struct Claim {
    /// The scenario's path.
    pub scenario: String,
    /// The clauses it names.
    pub proves: Vec<String>,
    /// Whether it passed.
    pub passed: bool,
}

/// Every clause with its proofs.
pub fn proofs(rulebook: &Rulebook, claims: &[Claim]) -> Vec<Proof> {
    let named_by = |id: &str, passed: bool| {
        let of = claims
            .iter()
            .filter(|c| c.passed == passed && c.proves.iter().any(|p| p == id));
        of.map(|c| c.scenario.clone()).collect()
    };
    rulebook
        .clauses
        .iter()
        .map(|clause| Proof {
            clause: clause.id.clone(),
            kind: clause.kind,
            says: clause.says.clone(),
            required: rulebook.must_be_proven(clause),
            proven_by: named_by(&clause.id, true),
            failing: named_by(&clause.id, false),
        })
        .collect()
}

/// Why a scenario cannot claim a clause, or another reading of one (`ID/2`), that its rulebook does
/// not have.
pub fn unknown_clause(rulebook: &Rulebook, id: &str) -> Option<Problem> {
    let (clause, reading) = match id.split_once('/') {
        Some((clause, reading)) => (clause, Some(reading)),
        None => (id, None),
    };
    if let Some(clause) = rulebook.clauses.iter().find(|c| c.id == clause) {
        let reading = reading?;
        let readings = clause.readings.len();
        let known = reading.parse().is_ok_and(|n: usize| (1..=readings).contains(&n));
        return (!known).then(|| {
            let has = match readings {
                0 => "no other reading".to_owned(),
                1 => "1 other reading".to_owned(),
                n => format!("{n} other readings"),
            };
            Problem::new(format!("the clause `{}` has no reading `{reading}`", clause.id))
                .hint(format!("it has {has} under `else`, counted from 1"))
        });
    }
    let hint = hint_for(id, rulebook.clauses.iter().map(|c| c.id.as_str()));
    Some(Problem::new(format!("the rulebook has no clause `{id}`")).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_named_only_as_a_whole() {
        assert!(speaks_of("Under X-W5 it ends.", "X-W5"));
        assert!(!speaks_of("See X-W51 and X-W5a.", "X-W5"));
    }
}
