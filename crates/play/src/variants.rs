//! The tweaks of a game as a designer keeps them: what each is about, what it patches, what was
//! decided, and how that is written down.
//!
//! Knows scripts and files; plays nothing.

use crate::files;
use crate::lines;
use crate::report::{Problem, Problems, hint_for};
use crate::rulebook::{Clause, ClauseKind, Rulebook};
use crate::rules::declare::VariantInfo;
use crate::rules::layers::{ABOUT, read_variant};
use crate::rules::register::{Register, Registered, VariantState, variant_path};
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::workspace::Workspace;
use crate::scenario::problems::unknown_name;
use std::fmt::Write as _;

pub mod problems;

/// One tweak.
#[derive(Debug, Clone)]
pub struct Tweak {
    /// Its name: the variant's file, or the register's entry.
    pub name: String,
    /// The note that it comes from.
    pub note: String,
    /// The clause that it is about.
    pub clause: Option<String>,
    /// Number of the clause's alternative reading, from 1.
    pub reading: Option<usize>,
    /// Kind of the note that it comes from: an open note of the rulebook (`todo`), another reading, or an idea.
    pub kind: ClauseKind,
    /// State of the decision.
    pub state: VariantState,
    /// Why.
    pub reason: Option<String>,
    /// When.
    pub date: Option<String>,
    /// The functions that it redefines or adds, as `script.function`; or the dial that it turns.
    pub patches: Vec<String>,
    /// Whether it turns a dial and has no script.
    pub dial: bool,
    /// Variants that must be on with it.
    pub requires: Vec<String>,
    /// Variants that it names as lying below it.
    pub after: Vec<String>,
    /// Variants that must not be on with it.
    pub conflicts: Vec<String>,
}

impl Tweak {
    /// The clause or reading that it is about, as scenarios name it: `ID` or `ID/2`.
    pub fn about(&self) -> Option<String> {
        let clause = self.clause.as_ref()?;
        Some(match self.reading {
            Some(reading) => format!("{clause}/{reading}"),
            None => clause.clone(),
        })
    }

    /// Describes the functions that it patches, or the dial that it turns.
    pub fn does(&self) -> String {
        let what = if self.dial { "turns" } else { "patches" };
        format!("{what} {}", self.patches.join(", "))
    }

    /// The lines about it, as lists of tweaks have them; with a width the whole note, else its beginning.
    pub fn lines(&self, whole: Option<usize>) -> Vec<String> {
        let about = self.about();
        let about = about.map_or_else(String::new, |about| format!("  {} {about}", self.kind.name()));
        let date = self.date.as_ref().map_or_else(String::new, |d| format!(", {d}"));
        let mut result = vec![format!("{}  ({}{date}){about}", self.name, self.state.name())];
        let mut below = |text: String| {
            result.push(match whole {
                Some(width) => lines::indented(&text, width, 4),
                None => format!("    {text}"),
            });
        };
        if !self.note.is_empty() {
            below(match whole {
                Some(_) => self.note.clone(),
                None => lines::short(&self.note),
            });
        }
        self.reason
            .iter()
            .for_each(|reason| below(format!("because: {reason}")));
        below(self.does());
        for (what, names) in [
            ("requires", &self.requires),
            ("after", &self.after),
            ("conflicts with", &self.conflicts),
        ] {
            if !names.is_empty() {
                below(format!("{what} {}", names.join(", ")));
            }
        }
        result
    }

    /// Whether its name, its note or its clause speaks of something, in small or large letters.
    pub fn speaks_of(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let clause = self.about().unwrap_or_default();
        [&self.name, &self.note, &clause]
            .iter()
            .any(|field| field.to_lowercase().contains(&text))
    }
}

/// The tweaks of a game, by name, and what is wrong with those that cannot be read.
#[derive(Debug, Clone, Default)]
pub struct Tweaks {
    /// Those that can be read.
    pub all: Vec<Tweak>,
    /// Problems of the others.
    pub problems: Vec<Problem>,
}

impl Tweaks {
    /// Reads the variants and the register of a game.
    ///
    /// # Errors
    ///
    /// An unknown game, and a register that cannot be read.
    pub fn read(workspace: &Workspace, game: &str) -> Result<Self, Problems> {
        workspace.check_game(game)?;
        let register = Register::read(workspace, game)?;
        let parser = workspace.parser();
        let rulebook = Rulebook::read(workspace, game).ok().map(|(rulebook, _)| rulebook);
        let mut variants = Self::default();
        for name in crate::rules::register::all(workspace, game)? {
            let entry = register.entries.get(&name).cloned().unwrap_or_default();
            if entry.dial.is_some() {
                let note = register
                    .source
                    .as_ref()
                    .map_or_else(String::new, |s| note_above(&s.text, &name));
                variants.all.push(of_dial(name, note, &entry));
                continue;
            }
            let source = workspace.read(&variant_path(game, &name));
            let text = source
                .map_err(Problems::from)
                .and_then(|source| read_variant(&name, &source, &parser));
            match text {
                Ok(text) => {
                    let fns = text.parsed.fns.iter().filter(|f| f.name != ABOUT);
                    let patches = fns.map(|f| {
                        let script = f.of.as_ref().map_or("game", |(of, _)| of.as_str());
                        format!("{script}.{}", f.name)
                    });
                    let patches = patches.collect();
                    variants
                        .all
                        .push(of_script(name, text.about.unwrap_or_default(), patches, &entry));
                }
                Err(found) => variants.problems.extend(found.0),
            }
        }
        for variant in &mut variants.all {
            let (about, entries) = (variant.about(), rulebook.iter().flat_map(Rulebook::entries));
            let mut kinds = entries
                .filter(|(id, ..)| about.as_ref() == Some(id))
                .map(|(_, kind, ..)| kind);
            variant.kind = kinds
                .next()
                .filter(|kind| kind.is_tweak())
                .unwrap_or(ClauseKind::Idea);
        }
        Ok(variants)
    }

    /// Sorts the open notes of the rulebook before ideas, and these before other readings.
    pub fn sort_by_kind(&mut self) {
        self.all.sort_by_key(|variant| match variant.kind {
            ClauseKind::Todo => 0,
            ClauseKind::Reading => 2,
            _ => 1,
        });
    }

    /// The tweak of that name alone, or all that speak of a text.
    ///
    /// # Errors
    ///
    /// None does.
    pub fn about(&self, text: &str) -> Result<Vec<&Tweak>, Problem> {
        if let Some(only) = self.find(text) {
            return Ok(vec![only]);
        }
        let found: Vec<&Tweak> = self.all.iter().filter(|t| t.speaks_of(text)).collect();
        if found.is_empty() {
            let known = self.all.iter().map(|t| t.name.as_str());
            return Err(problems::unmentioned(text).hint(hint_for(text, known)));
        }
        Ok(found)
    }

    /// The tweak of that name.
    pub fn find(&self, name: &str) -> Option<&Tweak> {
        self.all.iter().find(|t| t.name == name)
    }

    /// The variants that a variant requires, and those that these require.
    pub fn required(&self, name: &str) -> Vec<String> {
        required(&self.all, name)
    }
}

/// The variants that one of these tweaks requires, and those that these require.
pub fn required(variants: &[Tweak], name: &str) -> Vec<String> {
    let mut found = vec![name.to_owned()];
    let mut next = 0;
    while let Some(name) = found.get(next) {
        let variant = variants.iter().find(|t| t.name == *name);
        next += 1;
        for needed in variant.map_or(&[][..], |t| &t.requires) {
            if !found.contains(needed) {
                found.push(needed.clone());
            }
        }
    }
    found.split_off(1)
}

fn of_dial(name: String, note: String, entry: &Registered) -> Tweak {
    let about = VariantInfo {
        note,
        clause: entry.clause.clone(),
        reading: entry.reading,
        ..VariantInfo::default()
    };
    Tweak {
        dial: true,
        ..of_script(
            name,
            about,
            entry.dial.iter().map(|dial| dial.value.clone()).collect(),
            entry,
        )
    }
}

fn of_script(name: String, about: VariantInfo, patches: Vec<String>, entry: &Registered) -> Tweak {
    Tweak {
        name,
        note: about.note,
        clause: about.clause,
        reading: about.reading,
        kind: ClauseKind::Idea,
        state: entry.state,
        reason: entry.reason.clone(),
        date: entry.date.map(|d| d.to_string()),
        patches,
        dial: false,
        requires: about.requires,
        after: about.after.into_iter().chain(about.overrides).collect(),
        conflicts: about.conflicts,
    }
}

/// The comment above an entry of the register.
fn note_above(text: &str, name: &str) -> String {
    let head = format!("[{name}]");
    let lines: Vec<&str> = text.lines().take_while(|l| l.trim() != head).collect();
    let words = lines.iter().rev().take_while(|l| l.trim_start().starts_with('#'));
    let mut words: Vec<&str> = words.map(|l| l.trim_start_matches(['#', ' '])).collect();
    words.reverse();
    words.join(" ").trim_end().to_owned()
}

/// Variants below a new variant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VariantsBelow {
    /// Variants that lie below it, and whose rules it calls.
    pub after: Vec<String>,
    /// Variants that lie below it, and whose rules it replaces.
    pub overrides: Vec<String>,
}

/// Returns the beginning of a new variant's file: the note that it comes from, and its declared entries. A clause
/// without a note gives its own text.
///
/// # Errors
///
/// A clause that the rulebook does not have.
pub fn variant_text(
    workspace: &Workspace,
    game: &str,
    note: &str,
    clause: Option<&str>,
    over: &VariantsBelow,
) -> Result<String, Problems> {
    let wording = clause.map(|id| clause_note(workspace, game, id)).transpose()?;
    let note = match (&wording, note) {
        (None, "") => "What does this change, and why?".to_owned(),
        (None, note) => note.to_owned(),
        (Some((wording, id, _)), "") => format!("TODO: {wording} ({id})"),
        (Some((_, id, _)), note) => format!("{note} ({id})"),
    };
    let mut text = String::new();
    for line in lines::indented(&note, 96, 0).lines() {
        let _ = writeln!(text, "// {line}");
    }
    let mut entries: Vec<String> = wording.iter().map(|(_, _, entries)| entries.clone()).collect();
    for (key, names) in [("after", &over.after), ("overrides", &over.overrides)] {
        if !names.is_empty() {
            entries.push(format!("{key}: {names:?}"));
        }
    }
    if !entries.is_empty() {
        let _ = write!(text, "\nfn {ABOUT}() {{\n    #{{ {} }}\n}}\n", entries.join(", "));
    }
    Ok(text)
}

/// Returns the text of a clause or of one of its other readings, the clause's id, and the entries that link a variant
/// to it.
fn clause_note(workspace: &Workspace, game: &str, id: &str) -> Result<(String, String, String), Problems> {
    let (rulebook, _) = Rulebook::read(workspace, game)?;
    if let Some(problem) = crate::rulebook::unknown_clause(&rulebook, id) {
        return Err(problem.into());
    }
    let (clause, reading) = id
        .split_once('/')
        .map_or((id, None), |(c, r)| (c, r.parse::<usize>().ok()));
    let found: Option<&Clause> = rulebook.clauses.iter().find(|c| c.id == clause);
    let wording = found.map_or("", |c| match reading.and_then(|r| c.readings.get(r - 1)) {
        Some(other) => other.as_str(),
        None => c.says.as_str(),
    });
    let reading = reading.map_or_else(String::new, |r| format!(", reading: {r}"));
    Ok((
        wording.to_owned(),
        clause.to_owned(),
        format!("clause: {clause:?}{reading}"),
    ))
}

/// The path of a variant's file that is to be written.
///
/// # Errors
///
/// Games that cannot be changed; names that cannot be, or are taken.
pub fn free_path(workspace: &Workspace, game: &str, name: &str) -> Result<String, Problems> {
    workspace.check_writable()?;
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    if name.is_empty() || !name.chars().all(good) || name.starts_with('-') {
        return Err(problems::wrong_variant_name(name).into());
    }
    let path = variant_path(game, name);
    let known = crate::rules::register::all(workspace, game)?;
    if workspace.has(&path) || known.iter().any(|n| n == name) {
        return Err(problems::taken_variant_name(name).into());
    }
    Ok(path)
}

/// Begins the file of a new variant from the note of a clause; returns its path.
///
/// # Errors
///
/// Names that cannot be or are taken, clauses that the rulebook does not have, and files that
/// cannot be written.
pub fn begin(
    workspace: &Workspace,
    game: &str,
    name: &str,
    clause: Option<&str>,
) -> Result<String, Problems> {
    workspace.check_game(game)?;
    let _alone = workspace.lock(game)?;
    let path = free_path(workspace, game, name)?;
    let mut text = match clause {
        None => format!("// What should change, and why?\n\nfn {ABOUT}() {{\n    #{{}}\n}}\n"),
        Some(_) => variant_text(workspace, game, "", clause, &VariantsBelow::default())?,
    };
    text.push_str(
        "\n// Redefine functions here: `fn NAME(...)` for game.rhai's, `fn UNIT.NAME(...)` for a unit type's.\n\
         // `base(...)` calls what was there before.\n",
    );
    workspace.write(&path, &text)?;
    Ok(path)
}

/// Writes a decision about a tweak into the register, with the reason and a date. Comments and the
/// other entries stay as they are. A decision with which the game would not load is not taken.
///
/// # Errors
///
/// A tweak that is not there, adopted tweaks that cannot be on together, and files that cannot be
/// written.
pub fn decide(
    workspace: &Workspace,
    game: &str,
    name: &str,
    state: VariantState,
    reason: Option<&str>,
    date: time::Date,
) -> Result<(), Problems> {
    require(workspace, game, name)?;
    if state == VariantState::Rejected && reason.is_none_or(|r| r.trim().is_empty()) {
        return Err(problems::rejection_without_reason(name).into());
    }
    // Each decision reads the register and writes it anew.
    let _alone = workspace.lock(game)?;
    let mut document = register_of(workspace, game)?;
    let entry = document
        .entry(name)
        .or_insert(toml_edit::Item::Table(toml_edit::Table::new()));
    let Some(table) = entry.as_table_mut() else {
        return Err(problems::not_a_table(name, &Register::path(game)).into());
    };
    let same = table.get("state").and_then(|s| s.as_str()) == Some(state.name());
    let mut before = toml_edit::InlineTable::new();
    // With what was decided before that: each `undo` takes one decision back.
    for key in DECISION.into_iter().chain(["before"]) {
        if let Some(value) = table.get(key).and_then(|item| item.as_value()) {
            before.insert(key, value.clone().decorated(" ", ""));
        }
    }
    table.remove("before");
    table["state"] = toml_edit::value(state.name());
    match reason {
        Some(reason) => table["reason"] = toml_edit::value(reason),
        // Another decision needs its own reason; the same one keeps it.
        None if !same => {
            table.remove("reason");
        }
        None => {}
    }
    let date = toml_edit::Datetime {
        date: Some(toml_edit::Date {
            year: u16::try_from(date.year()).unwrap_or_default(),
            month: u8::from(date.month()),
            day: date.day(),
        }),
        time: None,
        offset: None,
    };
    table["date"] = toml_edit::value(date);
    if !before.is_empty() {
        before.fmt();
        table["before"] = toml_edit::value(before);
    }
    keep(workspace, game, &document.to_string())
}

/// Takes the last decision about a tweak back: its entry says again what it said before, and one that was
/// made by the decision is gone. Returns what holds again.
///
/// # Errors
///
/// A tweak that is not there or about which nothing was decided, and files that cannot be written.
pub fn undo(workspace: &Workspace, game: &str, name: &str) -> Result<VariantState, Problems> {
    require(workspace, game, name)?;
    let _alone = workspace.lock(game)?;
    let mut document = register_of(workspace, game)?;
    let entry = document.get_mut(name).and_then(|entry| entry.as_table_mut());
    let Some(table) = entry.filter(|table| table.contains_key("state")) else {
        return Err(problems::undecided(name).into());
    };
    let before = table.remove("before").and_then(|item| item.into_value().ok());
    let before = before.as_ref().and_then(|value| value.as_inline_table());
    for key in DECISION {
        match before.and_then(|before| before.get(key)) {
            Some(value) => table[key] = toml_edit::value(value.clone().decorated(" ", "")),
            None => {
                table.remove(key);
            }
        }
    }
    // A reason stands where it stood, behind the state.
    let mut order: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).collect();
    if order.last().is_some_and(|key| key == "reason") {
        order.pop();
        let state = order.iter().position(|key| key == "state");
        order.insert(state.map_or(order.len(), |at| at + 1), "reason".to_owned());
        let place = |key: &toml_edit::Key| order.iter().position(|known| *known == key.get());
        table.sort_values_by(|a, _, b, _| place(a).cmp(&place(b)));
    }
    if let Some(value) = before.and_then(|before| before.get("before")) {
        table["before"] = toml_edit::value(value.clone().decorated(" ", ""));
    }
    if table.is_empty() {
        document.remove(name);
    }
    let path = Register::path(game);
    if document.to_string() == NEW_REGISTER {
        workspace
            .remove(&path)?
            .map_err(|error| files::refused(&path, "removed", &error))?;
    } else {
        keep(workspace, game, &document.to_string())?;
    }
    let state = Register::read(workspace, game)?
        .entries
        .get(name)
        .map(|entry| entry.state);
    Ok(state.unwrap_or_default())
}

/// The keys of an entry that are a decision.
const DECISION: [&str; 3] = ["state", "reason", "date"];
/// First line of a register that a decision creates.
const NEW_REGISTER: &str = "# What was decided about each tweak: its state, why and when.\n";

/// That there is such a tweak.
fn require(workspace: &Workspace, game: &str, name: &str) -> Result<(), Problems> {
    workspace.check_game(game)?;
    let known = crate::rules::register::all(workspace, game)?;
    if known.iter().any(|k| k == name) {
        return Ok(());
    }
    let hint = hint_for(name, known.iter().map(String::as_str));
    Err(unknown_name("tweak", name).hint(hint).into())
}

/// The register of a game as a text that can be edited.
fn register_of(workspace: &Workspace, game: &str) -> Result<toml_edit::DocumentMut, Problems> {
    let register = Register::read(workspace, game)?;
    let text = register.source.as_ref().map_or(NEW_REGISTER, |s| s.text.as_str());
    let wrong = |error: toml_edit::TomlError| files::problems::not_toml(error.message());
    Ok(text.parse().map_err(wrong)?)
}

/// Writes the register, if the game loads with it.
fn keep(workspace: &Workspace, game: &str, text: &str) -> Result<(), Problems> {
    workspace.check_writable()?;
    let decided = workspace.with([(Register::path(game), text.to_owned())].into());
    Ruleset::load(&decided, game, &LoadOptions::default())?;
    Ok(workspace.write_alike(&Register::path(game), text)?)
}
