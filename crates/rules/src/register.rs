//! The register of a game's tweaks, `scripts/<game>/tweaks.toml`: what was decided about each, when
//! and why. It also names the tweaks that need no script because they only turn a dial.
//!
//! This module only reads; the commands that decide write it.

use super::declare::DialValue;
use super::declare::problems::{missing_part, unknown_name};
use super::workspace::Workspace;
use crate::report::{Problem, Problems, Source, hint_for};
use crate::toml_text::{self, InOrder, Spanned};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Decision about a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum VariantState {
    /// Written down, not judged yet.
    #[default]
    Idea,
    /// Being tried.
    #[serde(rename = "on trial")]
    OnTrial,
    /// One of the game's default layers.
    Adopted,
    /// Judged and left out.
    Rejected,
}

impl VariantState {
    /// As users read and write it.
    pub fn name(self) -> &'static str {
        match self {
            VariantState::Idea => "idea",
            VariantState::OnTrial => "on trial",
            VariantState::Adopted => "adopted",
            VariantState::Rejected => "rejected",
        }
    }
}

/// One entry of the register.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Registered {
    /// Decision taken.
    pub state: VariantState,
    /// Why.
    pub reason: Option<String>,
    /// When, as `2026-01-31`.
    pub date: Option<toml::value::Datetime>,
    /// Previous decision.
    pub before: Option<EarlierDecision>,
    /// For a tweak without a script: the dial that it turns, as `dial=value`.
    pub dial: Option<Spanned<String>>,
    /// For a tweak without a script: the clause that it is about.
    pub clause: Option<String>,
    /// For a tweak without a script: which other reading of the clause, from 1.
    pub reading: Option<usize>,
}

/// An earlier decision.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EarlierDecision {
    /// Decision taken.
    pub state: VariantState,
    /// Why.
    pub reason: Option<String>,
    /// When.
    pub date: Option<toml::value::Datetime>,
    /// Decision before this one.
    pub before: Option<Box<EarlierDecision>>,
}

impl Registered {
    /// The dial that it turns, and to what.
    pub fn turns(&self) -> Option<(String, DialValue)> {
        let (name, value) = self.dial.as_deref()?.split_once('=')?;
        Some((name.trim().to_owned(), DialValue::read(value.trim())))
    }
}

/// The register of one game.
#[derive(Debug, Clone, Default)]
pub struct Register {
    /// The entries, by the tweak's name.
    pub entries: BTreeMap<String, Registered>,
    /// The file, when there is one.
    pub source: Option<Arc<Source>>,
    /// Problems of entries that are left out because nothing is there for them.
    pub stale: Vec<Problem>,
    /// Spans of the heads of the entries in the file.
    heads: BTreeMap<String, Range<usize>>,
}

impl Register {
    /// Returns the path of a game's register.
    pub fn path(game: &str) -> String {
        format!("scripts/{game}/tweaks.toml")
    }

    /// Reads a game's register; an empty one when there is no file.
    ///
    /// # Errors
    ///
    /// What is wrong with the file, entries that name neither a script nor a dial among it.
    pub fn read(workspace: &Workspace, game: &str) -> Result<Self, Problems> {
        let (register, problems) = Self::read_as_far(workspace, game)?;
        Problems::check(problems)?;
        Ok(register)
    }

    /// Reads a game's register without the entries that cannot be, and what is wrong with those.
    ///
    /// # Errors
    ///
    /// A file that cannot be read at all.
    pub fn read_as_far(workspace: &Workspace, game: &str) -> Result<(Self, Vec<Problem>), Problem> {
        let path = Self::path(game);
        if !workspace.has(&path) {
            return Ok(Default::default());
        }
        let source = workspace.read(&path)?;
        let (entries, mut problems) = toml_text::read::<InOrder<Registered>>(&source, &[]);
        let mut heads = BTreeMap::new();
        let mut all: BTreeMap<String, Registered> = BTreeMap::new();
        for (name, entry) in entries.unwrap_or_default().0 {
            heads.insert(name.value.clone(), source.line_at(name.span.start));
            all.insert(name.value, entry);
        }
        let mut entries = all;
        let scripts = names(workspace, game);
        let mut stale = Vec::new();
        let mut left_out = Vec::new();
        for (name, entry) in &entries {
            let head = || heads.get(name).cloned().unwrap_or_default();
            if entry.dial.is_some() && entry.turns().is_none() {
                let what = format_args!("the dial of `{name}`");
                let problem = missing_part(what, "value").hint("write `dial = \"NAME=VALUE\"`");
                problems.push(problem.at(
                    &source,
                    entry.dial.as_ref().map_or_else(head, |dial| dial.span.clone()),
                ));
                left_out.push(name.clone());
            } else if entry.dial.is_none() && scripts.binary_search(name).is_err() {
                let hint = hint_for(name, scripts.iter().map(String::as_str));
                let problem = unknown_name("variant", name).at(&source, head()).hint(hint);
                // What is in force must be there; what was once decided may be left over.
                if entry.state == VariantState::Adopted {
                    problems.push(problem);
                } else {
                    stale.push(problem);
                }
                left_out.push(name.clone());
            }
        }
        for name in &left_out {
            entries.remove(name);
        }
        let register = Self {
            entries,
            source: Some(source),
            stale,
            heads,
        };
        Ok((register, problems))
    }

    /// The tweaks that are in force unless somebody takes them off.
    pub fn adopted(&self) -> impl Iterator<Item = &str> {
        let adopted = self
            .entries
            .iter()
            .filter(|(_, e)| e.state == VariantState::Adopted);
        adopted.map(|(name, _)| name.as_str())
    }

    /// Returns the head of a variant's entry in the register's file.
    pub fn place_of(&self, name: &str) -> Option<(&Arc<Source>, Range<usize>)> {
        let source = self.source.as_ref()?;
        let span = self.heads.get(name).cloned().unwrap_or_default();
        self.entries.contains_key(name).then_some((source, span))
    }

    /// Returns the place where a variant names its dial, or else the head of its entry.
    pub fn place_of_dial(&self, name: &str) -> Option<(&Arc<Source>, Range<usize>)> {
        let (source, head) = self.place_of(name)?;
        let dial = self.entries.get(name)?.dial.as_ref();
        Some((source, dial.map_or(head, |dial| dial.span.clone())))
    }

    /// The dial that a tweak without a script turns.
    pub fn dial(&self, name: &str) -> Option<(String, DialValue)> {
        self.entries.get(name)?.turns()
    }
}

/// Returns the path of a variant's file, from the root.
pub fn variant_path(game: &str, name: &str) -> String {
    format!("scripts/{game}/variants/{name}.rhai")
}

/// The names of a game's variant scripts, sorted.
pub fn names(workspace: &Workspace, game: &str) -> Vec<String> {
    let paths = workspace.list(&format!("scripts/{game}/variants"), ".rhai");
    let stem = |p: &String| Some(p.rsplit('/').next()?.strip_suffix(".rhai")?.to_owned());
    paths.iter().filter_map(stem).collect()
}

/// The names of all tweaks of a game, those that only turn a dial too, sorted.
///
/// # Errors
///
/// What is wrong with the register.
pub fn all(workspace: &Workspace, game: &str) -> Result<Vec<String>, Problems> {
    let mut all = names(workspace, game);
    for name in Register::read(workspace, game)?.entries.into_keys() {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all.sort();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn register(text: &str, scripts: &[&str]) -> Result<Register, Problems> {
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        files.insert(Register::path("tiny"), text.to_owned());
        for name in scripts {
            files.insert(format!("scripts/tiny/variants/{name}.rhai"), "// It.".to_owned());
        }
        Register::read(&Workspace::at("no such folder").with(files), "tiny")
    }

    #[test]
    fn a_tweak_is_a_script_or_a_dial_and_is_adopted_only_when_it_says_so() {
        let text = "[one]\nstate = \"adopted\"\n[two]\ndial = \" max = 3 \"\nstate = \"on trial\"\n[three]\n";
        let register = register(text, &["one", "three"]).expect("it is well");
        assert_eq!(register.adopted().collect::<Vec<_>>(), ["one"]);
        assert_eq!(
            register.dial("two"),
            Some(("max".to_owned(), DialValue::Number(3)))
        );
        assert_eq!(register.dial("one"), None);
        assert_eq!(register.entries["two"].state, VariantState::OnTrial);
        assert_eq!(register.entries["three"].state, VariantState::Idea);
    }

    #[test]
    fn an_entry_without_script_and_dial_is_told_at_its_line() {
        let text = |state: &str| format!("[one]\n\n[thre]\nstate = \"{state}\"\n");
        let result = register(&text("adopted"), &["one", "three"]);
        let page = result.expect_err("nothing is called so").page(false);
        let right = |page: &str| page.contains("tweaks.toml:3:1") && page.contains("did you mean `three`?");
        assert!(right(&page), "{page}");
        // What is not in force stops nothing, and is known to be left over.
        let register = register(&text("idea"), &["one", "three"]).expect("it is read");
        assert!(!register.entries.contains_key("thre"));
        assert!(right(&register.stale[0].page(false)));
    }

    #[test]
    fn a_state_is_read_and_written_by_its_name() {
        for state in [
            VariantState::Idea,
            VariantState::OnTrial,
            VariantState::Adopted,
            VariantState::Rejected,
        ] {
            let text = format!("[one]\nstate = \"{}\"\n", state.name());
            let register = register(&text, &["one"]).expect("it is well");
            assert_eq!(register.entries["one"].state, state);
        }
        let page = register("[one]\nstate = \"tried\"\n", &["one"])
            .expect_err("no state")
            .page(false);
        assert!(page.contains("there is no state `tried`"), "{page}");
    }

    #[test]
    fn a_game_without_a_register_has_an_empty_one() {
        let workspace = Workspace::at("no such folder");
        let register = Register::read(&workspace, "tiny").expect("it is empty");
        assert!(register.entries.is_empty() && register.source.is_none());
        assert_eq!(all(&workspace, "tiny").expect("none"), [""; 0]);
    }
}
