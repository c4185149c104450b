//! A rulebook's clauses, as a game lists them in a file.

use crate::description::Spanned;
use crate::report::{Problem, Problems, Source, from_top, hint_for};
use crate::rules::workspace::Workspace;
use crate::scenario::file::ScenarioFile;
use crate::scenario::problems::unknown_name;
use crate::toml_text;
use crate::variants::problems;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use toml::de::{DeTable, Error, ValueDeserializer};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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
    Reading,
}

impl<'de> Deserialize<'de> for ClauseKind {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let known = [
            ClauseKind::Rule,
            ClauseKind::Option,
            ClauseKind::Todo,
            ClauseKind::Idea,
            ClauseKind::Ruling,
        ];
        let found = known.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| {
            let names = known.map(|kind| format!("`{}`", kind.name())).join(", ");
            serde::de::Error::custom(format!("there is no kind of clause `{text}`: known are {names}"))
        })
    }
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
        Problems::check(toml_text::mended(&source).problems)?;
        let rulebook: Self =
            toml::from_str(&source.text).map_err(|error| Self::wrong(game, &source, &error))?;
        let ids = rulebook.clauses.iter().map(|clause| clause.id.as_str());
        Problems::check(Self::faults(Some(&rulebook.rulebook), ids, game, &source))?;
        Ok((rulebook, source))
    }

    /// Returns the problems of a file that cannot be read completely: those of the head, of each clause, and of the
    /// readable content.
    fn wrong(game: &str, source: &Arc<Source>, error: &Error) -> Problems {
        let mut problems = Vec::new();
        let (table, _) = DeTable::parse_recoverable(&source.text);
        let table = table.get_ref();
        let mut refused = |error: Error, whole: Range<usize>| {
            let problem = toml_text::refused(&error, source);
            problems.push(match problem.place {
                Some(_) => problem,
                None => problem.at(source, whole),
            });
        };
        let clauses = table.get("clause").and_then(|all| all.get_ref().as_array());
        let mut ids = Vec::new();
        for clause in clauses.into_iter().flatten() {
            let id = clause.get_ref().get("id").and_then(|id| id.get_ref().as_str());
            ids.extend(id);
            if let Err(error) = Clause::deserialize(ValueDeserializer::from(clause.clone())) {
                refused(error, clause.span());
            }
        }
        const PARTS: [&str; 2] = ["rulebook", "clause"];
        for key in table.keys().filter(|key| !PARTS.contains(&&**key.get_ref())) {
            refused(Error::unknown_field(key.get_ref(), &PARTS), key.span());
        }
        if !table.contains_key("rulebook") {
            refused(Error::missing_field("rulebook"), 0..0);
        }
        let head = table.get("rulebook").and_then(|head| {
            let read = RulebookInfo::deserialize(ValueDeserializer::from(head.clone()));
            read.map_err(|error| refused(error, head.span())).ok()
        });
        problems.extend(Self::faults(head.as_ref(), ids.into_iter(), game, source));
        // It may be about what a whole file is of.
        if problems.iter().all(|known| known.message != error.message()) {
            problems.push(toml_text::refused(error, source));
        }
        Problems(from_top(problems))
    }

    /// Returns the problems of the content: the wrong game name, an id used by two clauses, or an id without the common
    /// prefix.
    fn faults<'a>(
        head: Option<&RulebookInfo>,
        ids: impl Iterator<Item = &'a str>,
        game: &str,
        source: &Arc<Source>,
    ) -> Vec<Problem> {
        // The place of a text, the last one where it stands more than once.
        let at = |text: &str| {
            let quoted = format!("\"{text}\"");
            let start = source.text.rfind(&quoted).unwrap_or(0);
            start..start + quoted.len()
        };
        let mut problems = Vec::new();
        if let Some(head) = head.filter(|head| head.game != game) {
            problems.push(problems::other_rulebook(&head.game, game).at(source, at(&head.game)));
        }
        let mut known = BTreeSet::new();
        for id in ids {
            if !known.insert(id) {
                problems.push(problems::repeated_clause(id).at(source, at(id)));
            }
            let prefix = head.map(|head| head.prefix.as_str());
            if let Some(prefix) = prefix.filter(|prefix| !id.starts_with(&format!("{prefix}-"))) {
                problems.push(problems::clause_without_prefix(id, prefix).at(source, at(id)));
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
    fn a_faulty_head_hides_no_fault_of_a_clause() {
        let clauses = "[[clause]]\nid = \"G-1\"\nkind = \"rule\"\nsays = \"a\"\n\
                       [[clause]]\nid = \"G-1\"\nkind = \"rule\"\n";
        let messages = |head: &str| -> Vec<String> {
            let source = Source::new("rulebook.toml", format!("{head}{clauses}"));
            let error = toml::from_str::<Rulebook>(&source.text).expect_err("it is faulty");
            let found = Rulebook::wrong("g", &source, &error).0;
            found.into_iter().map(|problem| problem.message).collect()
        };
        let of_clauses = ["missing field `says`", "two clauses have the id `G-1`"];
        for (head, why) in [
            ("", "missing field `rulebook`"),
            (
                "[rulebook]\ngame = \"g\"\ntitle = 7\n",
                "invalid type: integer `7`, expected a string",
            ),
            (
                "more = 1\n[rulebook]\ngame = \"g\"\ntitle = \"G\"\nsource = \"us\"\nprefix = \"G\"\n",
                "unknown field `more`, expected `rulebook` or `clause`",
            ),
        ] {
            let messages = messages(head);
            assert_eq!(messages.len(), 3, "{messages:?}");
            let is_told = |why: &str| messages.iter().any(|message| message == why);
            assert!(
                is_told(why) && of_clauses.into_iter().all(is_told),
                "{why}: {messages:?}"
            );
        }
    }

    #[test]
    fn readings_are_counted_from_one() {
        let unknown = |id: &str| unknown_clause(&rulebook(), id).is_some();
        assert!(!unknown("G-3/2") && !unknown("G-2"));
        assert!(unknown("G-3/3") && unknown("G-3/0") && unknown("G-3/x") && unknown("G-4"));
    }
}
