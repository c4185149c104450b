//! A rulebook's clauses, as a game lists them in a file.

use crate::description::Spanned;
use crate::report::{Problem, Problems, Source, from_top, hint_for};
use crate::rules::workspace::Workspace;
use crate::scenario::file::ScenarioFile;
use crate::scenario::problems::unknown_name;
use crate::toml_text;
use crate::variants::problems;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A rulebook's clauses, as `scripts/<game>/rulebook.toml` lists them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rulebook {
    /// Title, source and prefix.
    pub rulebook: RulebookInfo,
    /// The clauses, in the rulebook's order.
    #[serde(default, rename = "clause")]
    pub clauses: Vec<Clause>,
}

/// Head of a rulebook: its game, source and clause prefix.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulebookInfo {
    /// The game's name.
    pub game: String,
    /// The rulebook's title.
    pub title: String,
    /// Source of the rulebook.
    pub source: String,
    /// Prefix of the ids of all its clauses.
    pub prefix: String,
    /// Description of the game in a sentence or two, for somebody who chooses a game; empty if it is left out.
    #[serde(default)]
    pub about: String,
    /// Usual length of a game between people, in minutes.
    pub minutes: Option<u16>,
    /// Names of scenarios whose pictures are examples in the rulebook for players.
    #[serde(default)]
    pub examples: Vec<Spanned<String>>,
}

/// One rule of a rulebook.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Its id.
    pub id: String,
    /// Binding force of the clause, such as rule, option or idea.
    pub kind: ClauseKind,
    /// Text of the clause, in our words.
    pub says: String,
    /// Other readings of it.
    #[serde(default, rename = "else")]
    pub readings: Vec<String>,
    /// Why it cannot be played yet: it is listed, and no scenario has to prove it or another reading of it.
    pub open: Option<String>,
}

/// Binding force of a clause, from a rule to a mere idea.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClauseKind {
    /// Always in force.
    Rule,
    /// Offered to the players as a choice.
    Option,
    /// A tweak that the designer has not decided.
    Todo,
    /// An addition that its author says comes next.
    Idea,
    /// A reading where the rulebook is silent.
    Ruling,
    /// Another reading of a ruling; never a clause's own kind.
    #[serde(skip_deserializing)]
    Reading,
}

impl ClauseKind {
    /// Whether it is a tweak: not in force unless it is put on.
    pub fn is_tweak(self) -> bool {
        matches!(self, ClauseKind::Todo | ClauseKind::Idea | ClauseKind::Reading)
    }

    /// As users read it.
    pub fn name(self) -> &'static str {
        match self {
            ClauseKind::Rule => "rule",
            ClauseKind::Option => "option",
            ClauseKind::Todo => "todo",
            ClauseKind::Idea => "idea",
            ClauseKind::Ruling => "ruling",
            ClauseKind::Reading => "reading",
        }
    }
}

impl Rulebook {
    /// Returns the path of a game's rulebook.
    pub fn path(game: &str) -> String {
        format!("scripts/{game}/rulebook.toml")
    }

    /// Reads a game's rulebook.
    ///
    /// # Errors
    ///
    /// What is wrong with the file.
    pub fn read(workspace: &Workspace, game: &str) -> Result<(Self, Arc<Source>), Problems> {
        workspace.check_game(game)?;
        let path = Self::path(game);
        if !workspace.has(&path) {
            return Err(problems::missing_rulebook(game, &path).into());
        }
        let source = workspace.read(&path)?;
        let (rulebook, mut problems) = toml_text::read::<Self>(&source, &[]);
        problems.extend(
            rulebook
                .iter()
                .flat_map(|rulebook| rulebook.faults(game, &source)),
        );
        match rulebook {
            Some(rulebook) if problems.is_empty() => Ok((rulebook, source)),
            _ => Err(Problems(from_top(problems))),
        }
    }

    /// Returns the problems of the content: the wrong game name, an id used by two clauses, or an id without the common
    /// prefix.
    fn faults(&self, game: &str, source: &Arc<Source>) -> Vec<Problem> {
        let head = &self.rulebook;
        // The place of a text, the last one where it stands more than once.
        let at = |text: &str| {
            let quoted = format!("\"{text}\"");
            let start = source.text.rfind(&quoted).unwrap_or(0);
            start..start + quoted.len()
        };
        let mut problems = Vec::new();
        if head.game != game {
            problems.push(problems::other_rulebook(&head.game, game).at(source, at(&head.game)));
        }
        if head.minutes == Some(0) {
            let start = source.text.find("minutes").unwrap_or(0);
            problems.push(problems::game_without_minutes().at(source, start..start + "minutes".len()));
        }
        let mut known = BTreeSet::new();
        for id in self.clauses.iter().map(|clause| clause.id.as_str()) {
            if !known.insert(id) {
                problems.push(problems::repeated_clause(id).at(source, at(id)));
            }
            if !id.starts_with(&format!("{}-", head.prefix)) {
                problems.push(problems::clause_without_prefix(id, &head.prefix).at(source, at(id)));
            }
        }
        problems
    }

    /// Everything that must be shown: each clause, and each other reading of one, with its id as
    /// scenarios name it.
    pub fn entries(&self) -> impl Iterator<Item = (String, ClauseKind, &str, Option<&String>)> {
        self.clauses.iter().flat_map(|clause| {
            let open = clause.open.as_ref();
            let own = (clause.id.clone(), clause.kind, clause.says.as_str(), open);
            let others = clause.readings.iter().enumerate().map(move |(i, says)| {
                let id = format!("{}/{}", clause.id, i + 1);
                (id, ClauseKind::Reading, says.as_str(), open)
            });
            std::iter::once(own).chain(others)
        })
    }
}

/// The clauses that a scenario claims and its game's rulebook does not have; `None` is a game without a rulebook.
pub fn unknown_claims(
    workspace: &Workspace,
    rulebook: Option<&Rulebook>,
    file: &ScenarioFile,
) -> Vec<Problem> {
    let game = &file.game;
    let unknown = |claim: &Spanned<String>| match rulebook {
        Some(rulebook) => unknown_clause(rulebook, claim),
        // One that cannot be read is told of as such, and so is a game that is not there.
        None if workspace.has(&Rulebook::path(game)) || workspace.check_game(game).is_err() => None,
        None => Some(problems::missing_rulebook(game, &Rulebook::path(game))),
    };
    let found = file.proves.iter();
    found
        .filter_map(|claim| Some(unknown(claim)?.at(&file.source, claim.span.clone())))
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
        return (!known).then(|| problems::unknown_reading(&clause.id, reading, readings));
    }
    let hint = hint_for(id, rulebook.clauses.iter().map(|c| c.id.as_str()));
    Some(unknown_name("clause", id).hint(hint))
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
    fn a_faulty_clause_hides_no_fault_of_another() {
        let head = "[rulebook]\ngame = \"g\"\ntitle = \"G\"\nsource = \"us\"\nprefix = \"G\"\n";
        let clauses = "more = 1\n[[clause]]\nid = \"G-1\"\nkind = \"rul\"\nsays = \"a\"\n\
                       [[clause]]\nid = \"G-1\"\nkind = \"rule\"\n";
        let source = Source::new("rulebook.toml", format!("{head}{clauses}"));
        let (rulebook, found) = toml_text::read::<Rulebook>(&source, &[]);
        let ids: Vec<&str> = found.iter().map(|problem| problem.id()).collect();
        assert_eq!(
            ids,
            ["unknown-key", "unknown-name", "wrong-toml"],
            "{}",
            Problems(found.clone())
        );
        assert!(rulebook.is_some_and(|rulebook| rulebook.clauses.is_empty()));
        // Without its head there is no rulebook, and that is told once.
        let source = Source::new("rulebook.toml", "[rulebook]\ntitle = 7\n");
        let (rulebook, found) = toml_text::read::<Rulebook>(&source, &[]);
        assert!(rulebook.is_none() && found.len() == 2, "{}", Problems(found));
    }

    #[test]
    fn readings_are_counted_from_one() {
        let unknown = |id: &str| unknown_clause(&rulebook(), id).is_some();
        assert!(!unknown("G-3/2") && !unknown("G-2"));
        assert!(unknown("G-3/3") && unknown("G-3/0") && unknown("G-3/x") && unknown("G-4"));
    }
}
